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
static const double mode_factor = 1.10;      /* modes are at least so far apart, */
static const double mode_deviations = 4;     /* and by so many deviations inside them */
static const double power_z = 2.576 + 0.842; /* two-sided 1 %, found in 80 % of cases */

/* ---- modes --------------------------------------------------------------------------------------------------------- */

/* Sorted medians, cut into clusters: `ends[i]` is one past the last of cluster i. */
struct clusters {
    const double *sorted;            /* borrowed: medians of launches */
    size_t ends[LATENCY_MOST_MODES]; /* index one past the last median of each cluster */
    unsigned count;                  /* of clusters */
};

static double gap_after(const struct clusters *clusters, unsigned cluster)
{
    size_t end = clusters->ends[cluster];

    assert(cluster + 1 < clusters->count && "the last cluster has no gap behind it");
    return log(clusters->sorted[end] / clusters->sorted[end - 1]);
}

static void merge_with_next(struct clusters *clusters, unsigned cluster)
{
    assert(cluster + 1 < clusters->count);
    for (unsigned i = cluster; i + 1 < clusters->count; i++)
        clusters->ends[i] = clusters->ends[i + 1];
    clusters->count--;
}

static unsigned narrowest_gap(const struct clusters *clusters)
{
    unsigned narrowest = 0;

    assert(clusters->count > 1);
    for (unsigned i = 1; i + 1 < clusters->count; i++)
        if (gap_after(clusters, i) < gap_after(clusters, narrowest))
            narrowest = i;
    return narrowest;
}

/* The deviation of logarithms inside the clusters, all taken together; infinite where none has two members. */
static double deviation_inside(const struct clusters *clusters)
{
    size_t start = 0, freedom = 0;
    double squares = 0;

    for (unsigned i = 0; i < clusters->count; i++) {
        size_t size = clusters->ends[i] - start;
        double middle = 0;

        for (size_t j = start; j < clusters->ends[i]; j++)
            middle += log(clusters->sorted[j]) / (double)size;
        for (size_t j = start; j < clusters->ends[i]; j++)
            squares += (log(clusters->sorted[j]) - middle) * (log(clusters->sorted[j]) - middle);
        freedom += size - 1;
        start = clusters->ends[i];
    }
    return freedom ? sqrt(squares / (double)freedom) : INFINITY;
}

static struct clusters cut_into_clusters(const double *sorted, size_t count)
{
    struct clusters clusters = { .sorted = sorted };

    for (size_t i = 1; i <= count; i++) {
        if (i < count && sorted[i] < sorted[i - 1] * mode_factor)
            continue;
        clusters.ends[clusters.count++] = i;
        if (clusters.count == LATENCY_MOST_MODES && i < count) /* too many to be modes: the narrowest gap goes */
            merge_with_next(&clusters, narrowest_gap(&clusters));
    }
    while (clusters.count > 1 &&
           gap_after(&clusters, narrowest_gap(&clusters)) < mode_deviations * deviation_inside(&clusters))
        merge_with_next(&clusters, narrowest_gap(&clusters));
    assert(clusters.count <= LATENCY_MOST_MODES && (!count || clusters.ends[clusters.count - 1] == count));
    return clusters;
}

/* The mode of each launch; the largest mode is the first, the others follow from fast to slow. */
static void name_modes(struct latency_summary *summary, const struct clusters *clusters)
{
    unsigned largest = 0, next = 1;
    unsigned places[LATENCY_MOST_MODES];

    assert(clusters->count && clusters->count <= LATENCY_MOST_MODES);
    for (unsigned i = 1; i < clusters->count; i++) {
        size_t size = clusters->ends[i] - clusters->ends[i - 1];

        if (size > clusters->ends[largest] - (largest ? clusters->ends[largest - 1] : 0))
            largest = i;
    }
    for (unsigned i = 0; i < clusters->count; i++) {
        size_t start = i ? clusters->ends[i - 1] : 0;

        places[i] = i == largest ? 0 : next++;
        summary->modes[places[i]] = (struct latency_mode){
            .launches = clusters->ends[i] - start,
            .median = statistics_median(clusters->sorted + start, clusters->ends[i] - start),
        };
    }
    summary->mode_count = clusters->count;
    for (unsigned i = 0; i < summary->mode_count; i++)
        summary->modes[i].factor = summary->modes[i].median / summary->modes[0].median;
    for (size_t i = 0; i < summary->launches; i++) {
        unsigned cluster = 0;

        while (summary->processes[i].median > clusters->sorted[clusters->ends[cluster] - 1])
            cluster++;
        summary->processes[i].mode = places[cluster];
    }
}

static void find_modes(struct latency_summary *summary, const double *sorted)
{
    struct clusters clusters = { .sorted = sorted, .ends = { summary->launches }, .count = 1 };

    if (summary->launches >= LEAST_LAUNCHES_FOR_MODES)
        clusters = cut_into_clusters(sorted, summary->launches);
    name_modes(summary, &clusters);
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

/* Over all runs that count; `sorted` has room for them. */
static void describe_runs(struct latency_summary *summary, double *sorted)
{
    assert(summary->runs);
    memcpy(sorted, summary->values, summary->runs * sizeof *sorted);
    statistics_sort(sorted, summary->runs);
    summary->mean = statistics_mean(summary->values, summary->runs);
    summary->deviation = statistics_deviation(summary->values, summary->runs);
    summary->variation = summary->deviation / summary->mean * 100;
    summary->least = sorted[0];
    summary->most = sorted[summary->runs - 1];
    for (unsigned i = 0; i < LATENCY_QUANTILES; i++)
        summary->quantiles[i] = statistics_quantile(sorted, summary->runs, latency_quantiles[i]);
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
    if (code == STATUS_OK) {
        describe_runs(summary, scratch);
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

/* Noether: launches a side for which a Mann-Whitney test finds a difference of this size in 80 % of cases. */
static size_t launches_needed(const struct rank_test *test, size_t one, size_t other)
{
    double share = test->u / ((double)one * (double)other);
    double needed = power_z * power_z / (6 * (share - 0.5) * (share - 0.5));

    assert(one && other);
    if (one < 2 || other < 2 || !(needed < 100000))
        return 0;
    return needed < 5 ? 5 : (size_t)ceil(needed);
}

static void judge(struct latency_comparison *comparison)
{
    const struct latency_summary *baseline = &comparison->baseline, *candidate = &comparison->candidate;
    const struct rank_test *test = &comparison->over_launches;
    double even = (double)baseline->launches * (double)candidate->launches / 2;

    comparison->speedup = baseline->median / candidate->median;
    comparison->main_speedup = baseline->mode_count > 1 || candidate->mode_count > 1
                                   ? baseline->modes[0].median / candidate->modes[0].median
                                   : NAN;
    comparison->needed = launches_needed(test, baseline->launches, candidate->launches);
    if (test->least_p > LATENCY_LEVEL)
        comparison->verdict = LATENCY_TOO_FEW;
    else if (test->p > LATENCY_LEVEL)
        comparison->verdict = LATENCY_SAME;
    else
        comparison->verdict = test->u > even ? LATENCY_FASTER : LATENCY_SLOWER;
}

static status compare(struct latency_comparison *comparison, const struct latency_options *options)
{
    const struct latency_summary *baseline = &comparison->baseline, *candidate = &comparison->candidate;
    status code = statistics_rank_test(baseline->medians, baseline->launches, candidate->medians, candidate->launches,
                                       &comparison->over_launches);

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
    warmup = other > warmup ? other : warmup; /* both sides alike */
    code = summarise(baseline, options, warmup, &comparison->baseline);
    if (code == STATUS_OK)
        code = summarise(candidate, options, warmup, &comparison->candidate);
    if (code == STATUS_OK)
        code = compare(comparison, options);
    return code;
}

void latency_comparison_free(struct latency_comparison *comparison)
{
    latency_summary_free(&comparison->baseline);
    latency_summary_free(&comparison->candidate);
}
