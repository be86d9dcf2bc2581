/* latency.c: two sides of launches: warm-up, modes, drift, estimate and verdict. */
#include "analyze/latency.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "analyze/warmup.h"
#include "base/memory.h"

const double latency_quantiles[LATENCY_QUANTILES] = { 0.50, 0.75, 0.90, 0.95, 0.99 };

enum { LEAST_RUNS_FOR_DRIFT = 10, LEAST_LAUNCHES_FOR_MODES = 3 };

static const double drift_share = 0.02;      /* a trend that matters */
static const double drift_z = 2.576;         /* two-sided 1 % */
static const double power_z = 2.576 + 0.842; /* two-sided 1 %, found in 80 % of cases */

/* ---- modes --------------------------------------------------------------------------------------------------------- */

/* The mode of each launch; the largest mode is the first, the others follow from fast to slow. */
static void name_modes(struct latency_summary *summary, const struct mode_cuts *cuts, const double *sorted)
{
    unsigned largest = 0, next = 1;
    unsigned places[MODES_MOST];

    assert(cuts->count && cuts->count <= MODES_MOST);
    for (unsigned i = 1; i < cuts->count; i++)
        if (cuts->ends[i] - mode_cuts_start(cuts, i) > cuts->ends[largest] - mode_cuts_start(cuts, largest))
            largest = i;
    for (unsigned i = 0; i < cuts->count; i++) {
        size_t start = mode_cuts_start(cuts, i);

        places[i] = i == largest ? 0 : next++;
        summary->modes[places[i]] = (struct latency_mode){
            .launches = cuts->ends[i] - start,
            .median = statistics_median(sorted + start, cuts->ends[i] - start),
        };
    }
    summary->mode_count = cuts->count;
    for (unsigned i = 0; i < summary->mode_count; i++)
        summary->modes[i].factor = summary->modes[i].median / summary->modes[0].median;
    for (size_t i = 0; i < summary->launches; i++) {
        unsigned group = 0;

        while (summary->processes[i].median > sorted[cuts->ends[group] - 1])
            group++;
        summary->processes[i].mode = places[group];
    }
}

static void find_modes(struct latency_summary *summary, const double *sorted)
{
    struct mode_cuts cuts = { .ends = { summary->launches }, .count = 1 };

    if (summary->launches >= LEAST_LAUNCHES_FOR_MODES)
        cuts = modes_find(sorted, summary->launches, MODES_MOST, MODES_APART_ALONE);
    name_modes(summary, &cuts, sorted);
}

/* ---- a side -------------------------------------------------------------------------------------------------------- */

static double median_of_part(const double *values, size_t count, double *scratch)
{
    assert(count);
    memcpy(scratch, values, count * sizeof *scratch);
    statistics_sort(scratch, count);
    return statistics_median(scratch, count);
}

/* Numbers of one launch. `scratch` has room for its runs. */
static status describe_process(struct latency_process *process, const struct launch_sample *sample, double *scratch)
{
    size_t third = sample->count / 3;
    double correlation, z = 0, change;
    status code = STATUS_OK;

    assert(sample->count && "a launch without a run is left out");
    process->deviation = statistics_deviation(sample->values, sample->count);
    process->median = median_of_part(sample->values, sample->count, scratch);
    process->least = scratch[0];
    process->most = scratch[sample->count - 1];
    if (sample->count < LEAST_RUNS_FOR_DRIFT)
        return STATUS_OK;
    code = statistics_trend(sample->values, sample->count, &correlation, &z);
    change = median_of_part(sample->values + sample->count - third, third, scratch) /
                 median_of_part(sample->values, third, scratch) -
             1;
    if (fabs(z) > drift_z && fabs(change) >= drift_share)
        process->drift = change;
    return code;
}

/* Copies the runs that count. */
static void take_runs(struct latency_summary *summary, const struct latency_side *side)
{
    double *next = summary->values;

    for (size_t i = 0; i < side->count; i++) {
        const struct latency_launch *launch = &side->launches[i];
        size_t skipped = launch->count < summary->warmup ? launch->count : summary->warmup;
        size_t counted = launch->count - skipped;

        summary->longest = launch->count > summary->longest ? launch->count : summary->longest;
        summary->left_out += skipped;
        summary->runs += counted;
        if (!counted) {
            summary->empty_launches++;
            continue;
        }
        memcpy(next, launch->ms + skipped, counted * sizeof *next);
        summary->samples[summary->launches] = (struct launch_sample){ next, counted };
        summary->processes[summary->launches++] =
            (struct latency_process){ .name = launch->name, .runs = counted, .left_out = skipped };
        next += counted;
    }
}

static status allocate_summary(struct latency_summary *summary, const struct latency_side *side)
{
    size_t runs = 1, launches = side->count ? side->count : 1;

    for (size_t i = 0; i < side->count; i++)
        runs += side->launches[i].count;
    summary->values = memory_allocate(runs * sizeof *summary->values);
    summary->medians = memory_allocate(launches * sizeof *summary->medians);
    summary->samples = memory_allocate(launches * sizeof *summary->samples);
    summary->processes = memory_allocate(launches * sizeof *summary->processes);
    return summary->values && summary->medians && summary->samples && summary->processes
               ? STATUS_OK
               : status_no_memory("summarising latencies");
}

/* The mean without hiccups; `kept` has room for all runs. */
static status describe_mean(struct latency_summary *summary, const struct latency_options *options, double *kept)
{
    bool *slow = memory_allocate((summary->runs + 1) * sizeof *slow);
    size_t count = 0;
    double sum = 0;
    status code = slow ? STATUS_OK : status_no_memory("summarising latencies");

    for (size_t i = 0; i < summary->launches && code == STATUS_OK; i++) {
        const struct launch_sample *sample = &summary->samples[i];
        size_t found;

        code = warmup_slow(sample, 0, options->warmup, slow, &found);
        for (size_t k = 0; k < sample->count && code == STATUS_OK; k++) {
            if (slow[k])
                sum += sample->values[k];
            else
                kept[count++] = sample->values[k];
        }
        summary->slow += found;
    }
    memory_free(slow);
    if (code != STATUS_OK)
        return code;
    summary->mean = statistics_mean(kept, count);
    summary->deviation = statistics_deviation(kept, count);
    summary->slow_factor = summary->slow ? sum / (double)summary->slow / summary->mean : NAN;
    return STATUS_OK;
}

/* Over all runs that count; `sorted` has room for them. */
static void describe_runs(struct latency_summary *summary, double *sorted)
{
    assert(summary->runs);
    memcpy(sorted, summary->values, summary->runs * sizeof *sorted);
    statistics_sort(sorted, summary->runs);
    summary->variation = summary->deviation / summary->mean * 100;
    summary->least = sorted[0];
    summary->most = sorted[summary->runs - 1];
    for (unsigned i = 0; i < LATENCY_QUANTILES; i++)
        summary->quantiles[i] = statistics_quantile(sorted, summary->runs, latency_quantiles[i]);
}

/* A mean of runs in two groups is the time of none of them. A few slow ones are no group. */
static void find_split(struct latency_summary *summary, const double *sorted)
{
    enum { LEAST_RUNS = 10, ONE_OF = 5 };
    struct mode_cuts cuts;
    size_t fast;

    if (summary->launches > 1 || summary->runs < LEAST_RUNS || !(sorted[0] > 0))
        return;
    cuts = modes_find(sorted, summary->runs, 2, MODES_APART_ALONE);
    fast = cuts.ends[0];
    if (cuts.count < 2 || fast * ONE_OF < summary->runs || (summary->runs - fast) * ONE_OF < summary->runs)
        return;
    summary->split = (struct latency_split){ .fast = fast,
                                             .slow = summary->runs - fast,
                                             .fast_median = statistics_median(sorted, fast),
                                             .slow_median = statistics_median(sorted + fast, summary->runs - fast) };
}

/* The launches that drift in one direction; `scratch` has room for all. */
static struct latency_drift describe_drift(const struct latency_summary *summary, bool slower, double *scratch)
{
    size_t count = 0;

    for (size_t i = 0; i < summary->launches; i++) {
        double drift = summary->processes[i].drift;

        if (slower ? drift > 0 : drift < 0)
            scratch[count++] = drift;
    }
    statistics_sort(scratch, count);
    return (struct latency_drift){ .launches = count, .change = statistics_median(scratch, count) };
}

static status describe_side(struct latency_summary *summary, const struct latency_options *options)
{
    double *scratch =
        memory_allocate(summary->runs * sizeof *scratch); /* a launch has a run at least: there are no more launches */
    status code = scratch ? STATUS_OK : status_no_memory("summarising latencies");

    assert(summary->launches && summary->launches <= summary->runs);
    for (size_t i = 0; i < summary->launches && code == STATUS_OK; i++) {
        code = describe_process(&summary->processes[i], &summary->samples[i], scratch);
        summary->medians[i] = summary->processes[i].median;
    }
    if (code == STATUS_OK)
        code = describe_mean(summary, options, scratch);
    if (code == STATUS_OK) {
        describe_runs(summary, scratch);
        find_split(summary, scratch);
        summary->slower = describe_drift(summary, true, scratch);
        summary->faster = describe_drift(summary, false, scratch);
        summary->launch_variation = statistics_deviation(summary->medians, summary->launches) /
                                    statistics_mean(summary->medians, summary->launches) * 100;
        summary->median = median_of_part(summary->medians, summary->launches, scratch);
        find_modes(summary, scratch);
        summary->interval = (struct confidence){ NAN, NAN };
        if (summary->launches > 1)
            code = statistics_median_interval(summary->samples, summary->launches, options->seed, options->rounds,
                                              &summary->interval);
    }
    memory_free(scratch);
    return code;
}

static status summarise(const struct latency_side *side, const struct latency_options *options, size_t warmup,
                        struct latency_summary *summary)
{
    status code;

    *summary = (struct latency_summary){ .name = side->name, .warmup = warmup };
    code = allocate_summary(summary, side);
    if (code != STATUS_OK)
        return code;
    take_runs(summary, side);
    if (!summary->runs)
        return status_fail(STATUS_INPUT, "%s: no run is left of %zu launch%s%s", side->name, side->count,
                           side->count == 1 ? "" : "es", summary->left_out ? ": all were left out as warm-up" : "");
    return describe_side(summary, options);
}

static status choose_warmup(const struct latency_side *side, const struct latency_options *options, size_t *warmup)
{
    struct launch_sample *samples = memory_allocate((side->count + 1) * sizeof *samples);
    status code;

    if (!samples)
        return status_no_memory("looking for warm-up");
    for (size_t i = 0; i < side->count; i++)
        samples[i] = (struct launch_sample){ side->launches[i].ms, side->launches[i].count };
    code = warmup_find(samples, side->count, options->warmup, warmup);
    memory_free(samples);
    return code;
}

status latency_summarise(const struct latency_side *side, const struct latency_options *options,
                         struct latency_summary *summary)
{
    size_t warmup;
    status code = choose_warmup(side, options, &warmup);

    assert(options->rounds && options->warmup >= WARMUP_AUTO);
    *summary = (struct latency_summary){ 0 };
    return code == STATUS_OK ? summarise(side, options, warmup, summary) : code;
}

void latency_summary_free(struct latency_summary *summary)
{
    memory_free(summary->values);
    memory_free(summary->medians);
    memory_free(summary->samples);
    memory_free(summary->processes);
    *summary = (struct latency_summary){ 0 };
}

/* ---- two sides ----------------------------------------------------------------------------------------------------- */

/* Launches a side for which the clearest of the rank sums is found in 80 % of cases: its quotient grows as their root. */
static size_t launches_needed(const struct mode_test *test, size_t one, size_t other)
{
    double launches = 2 * (double)one * (double)other / (double)(one + other);
    double share = power_z / fabs(test->answers[test->decided].z);
    double needed = launches * share * share;
    bool apart = test->whole.u <= 0 || test->whole.u >= (double)one * (double)other;

    assert(one && other);
    if (one < 2 || other < 2 || !(needed < 100000))
        return 0;
    /* Ranks cannot say more than that all launches of one side are faster: the quotient has no room to grow. */
    return apart || needed < LATENCY_LEAST_LAUNCHES ? LATENCY_LEAST_LAUNCHES : (size_t)ceil(needed);
}

static void judge(struct latency_comparison *comparison)
{
    const struct latency_summary *baseline = &comparison->baseline, *candidate = &comparison->candidate;
    const struct mode_test *test = &comparison->test;

    comparison->speedup = baseline->median / candidate->median;
    comparison->needed = launches_needed(test, baseline->launches, candidate->launches);
    if (baseline->launches < LATENCY_LEAST_LAUNCHES || candidate->launches < LATENCY_LEAST_LAUNCHES)
        comparison->verdict = LATENCY_TOO_FEW;
    else if (test->p > LATENCY_LEVEL)
        comparison->verdict = LATENCY_SAME;
    else
        comparison->verdict = test->answers[test->decided].z > 0 ? LATENCY_FASTER : LATENCY_SLOWER;
}

static status compare(struct latency_comparison *comparison, const struct latency_options *options)
{
    const struct latency_summary *baseline = &comparison->baseline, *candidate = &comparison->candidate;
    status code = mode_test_run(baseline->medians, baseline->launches, candidate->medians, candidate->launches,
                                &comparison->test);

    if (code == STATUS_OK)
        code = statistics_rank_test(baseline->values, baseline->runs, candidate->values, candidate->runs,
                                    &comparison->over_runs);
    if (code == STATUS_OK && baseline->launches > 1 && candidate->launches > 1)
        code = statistics_ratio_interval(baseline->samples, baseline->launches, candidate->samples, candidate->launches,
                                         options->seed, options->rounds, &comparison->interval);
    if (code == STATUS_OK)
        judge(comparison);
    return code;
}

/* Both sides alike, unless that leaves no run of one: an estimate has one, which is not its warm-up. */
static size_t shared_warmup(const struct latency_side *side, const struct latency_options *options, size_t own,
                            size_t other)
{
    size_t longest = 0;

    for (size_t i = 0; i < side->count; i++)
        longest = side->launches[i].count > longest ? side->launches[i].count : longest;
    return other > own && (other < longest || options->warmup != WARMUP_AUTO) ? other : own;
}

status latency_compare(const struct latency_side *baseline, const struct latency_side *candidate,
                       const struct latency_options *options, struct latency_comparison *comparison)
{
    size_t warmup, other;
    status code = choose_warmup(baseline, options, &warmup);

    assert(options->rounds && options->warmup >= WARMUP_AUTO);
    *comparison = (struct latency_comparison){ .interval = { NAN, NAN } };
    if (code == STATUS_OK)
        code = choose_warmup(candidate, options, &other);
    if (code != STATUS_OK)
        return code;
    code = summarise(baseline, options, shared_warmup(baseline, options, warmup, other), &comparison->baseline);
    if (code == STATUS_OK)
        code = summarise(candidate, options, shared_warmup(candidate, options, other, warmup), &comparison->candidate);
    if (code == STATUS_OK)
        code = compare(comparison, options);
    return code;
}

void latency_comparison_free(struct latency_comparison *comparison)
{
    latency_summary_free(&comparison->baseline);
    latency_summary_free(&comparison->candidate);
}
