/* runs.c: warm-up and windows of the runs of an input. */
#include "analyze/runs.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/number.h"

/* ---- times ------------------------------------------------------------------------------------------------------- */

/* A time of a run in ticks of the busy intervals: where an input has several clocks, those are nanoseconds. */
static int64_t convert(const struct inferences *inferences, const struct inference *run, const struct clock *clock,
                       int64_t ticks)
{
    const struct clock *own = inferences_clock(inferences, run);

    return clock_same(own, clock) ? ticks : clock_ns(own, ticks);
}

/* ---- warm-up ----------------------------------------------------------------------------------------------------- */

struct timed_runs {
    struct launch_sample *launches; /* of the input */
    size_t launch_count;            /* of them */
    double *values;                 /* ticks of each run, launch by launch */
    bool *slow;                     /* the same: hiccups */
    size_t run_count;               /* of them */
};

static status time_runs(const struct inference_list *list, struct timed_runs *timed)
{
    *timed = (struct timed_runs){ .launches = memory_allocate((list->count + 1) * sizeof *timed->launches),
                                  .values = memory_allocate((list->count + 1) * sizeof *timed->values),
                                  .slow = memory_allocate_clear((list->count + 1) * sizeof *timed->slow) };
    if (!timed->launches || !timed->values || !timed->slow)
        return status_no_memory("counting runs");
    for (size_t i = 0; i < list->count; i++) {
        const struct inference *run = &list->items[i];

        if (inference_continues(list, i)) {
            timed->values[timed->run_count - 1] += (double)(run->end - run->start);
            continue;
        }
        if (!i || run->launch != run[-1].launch)
            timed->launches[timed->launch_count++] = (struct launch_sample){ timed->values + timed->run_count, 0 };
        timed->values[timed->run_count++] = (double)(run->end - run->start);
        timed->launches[timed->launch_count - 1].count++;
    }
    return STATUS_OK;
}

static void free_timed(struct timed_runs *timed)
{
    memory_free(timed->launches);
    memory_free(timed->values);
    memory_free(timed->slow);
}

static status find_slow(struct counted_runs *runs, const struct timed_runs *timed, int64_t wanted)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < timed->launch_count && code == STATUS_OK; i++) {
        const struct launch_sample *launch = &timed->launches[i];
        size_t count;

        code = warmup_slow(launch, runs->warmup, wanted, timed->slow + (launch->values - timed->values), &count);
        runs->slow += count;
    }
    return code;
}

/* How much longer the first runs took than those that count, and the slow ones. */
static status compare_first(struct counted_runs *runs, const struct timed_runs *timed)
{
    double *counted = memory_allocate((runs->total + 1) * sizeof *counted), first = 0, slow = 0;
    size_t count = 0;

    if (!counted)
        return status_no_memory("counting runs");
    for (size_t i = 0; i < timed->launch_count; i++) {
        first += timed->launches[i].values[0];
        for (size_t j = runs->warmup; j < timed->launches[i].count; j++) {
            double value = timed->launches[i].values[j];

            if (timed->slow[timed->launches[i].values + j - timed->values])
                slow += value;
            else
                counted[count++] = value;
        }
    }
    statistics_sort(counted, count);
    if (count && statistics_median(counted, count) > 0) {
        double median = statistics_median(counted, count);

        runs->first_factor = runs->warmup ? first / (double)timed->launch_count / median : NAN;
        runs->slow_factor = runs->slow ? slow / (double)runs->slow / median : NAN;
    }
    memory_free(counted);
    return STATUS_OK;
}

/* Times the runs, which the caller frees also after a failure. */
static status choose_runs(const struct inference_list *list, int64_t wanted, struct counted_runs *runs,
                          struct timed_runs *timed)
{
    status code = time_runs(list, timed);

    runs->launches = timed->launch_count;
    runs->total = timed->run_count;
    if (code == STATUS_OK)
        code = warmup_find(timed->launches, timed->launch_count, wanted, &runs->warmup);
    if (code == STATUS_OK)
        code = find_slow(runs, timed, wanted);
    return code == STATUS_OK ? compare_first(runs, timed) : code;
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

/* The launch that a run belongs to; `each` has room for all. */
static status add_to_launch(struct counted_runs *runs, size_t launch, const struct inference *run, bool begins,
                            int64_t start, int64_t end)
{
    assert(launch < runs->launches);
    runs->each[launch].launch = run->launch;
    runs->each[launch].counted += begins;
    return intervals_add(&runs->each[launch].windows, start, end);
}

static status add_windows(const struct inferences *inferences, const struct inference_list *list,
                          const struct clock *clock, const struct timed_runs *timed, struct counted_runs *runs)
{
    size_t place = 0, next = 0; /* in its launch; behind it, among all runs */
    size_t launch = 0;
    int64_t ticks = 0; /* of all runs that count */
    status code = STATUS_OK;

    for (size_t i = 0; i < list->count && code == STATUS_OK; i++) {
        const struct inference *run = &list->items[i];
        int64_t start = convert(inferences, run, clock, run->start), end = convert(inferences, run, clock, run->end);

        if (!inference_continues(list, i)) {
            place = i && run->launch == run[-1].launch ? place + 1 : 0;
            launch += i && !place;
            next++;
            runs->counted += place >= runs->warmup && !timed->slow[next - 1];
        }
        if (place < runs->warmup || timed->slow[next - 1])
            continue;
        ticks = number_add(ticks, end - start);
        code = intervals_add(&runs->windows, start, end);
        if (code == STATUS_OK && runs->each)
            code = add_to_launch(runs, launch, run, !inference_continues(list, i), start, end);
    }
    if (code == STATUS_OK)
        code = intervals_settle(&runs->windows);
    for (size_t i = 0; runs->each && i < runs->launches && code == STATUS_OK; i++)
        code = intervals_settle(&runs->each[i].windows);
    runs->overlapping =
        intervals_length(&runs->windows) > 0 ? (double)ticks / (double)intervals_length(&runs->windows) : 1;
    return code;
}

status runs_count(struct inferences *inferences, const struct busy *busy, track_id process, const char *path,
                  int64_t warmup, struct counted_runs *runs)
{
    const struct clock *clock = busy_clock(busy, process);
    struct inference_list list;
    struct timed_runs timed;
    status code;

    *runs = (struct counted_runs){ .total = 1, .counted = 1, .launches = 1, .first_factor = NAN, .slow_factor = NAN };
    code = inferences_of(inferences, process, path, &list);
    if (code != STATUS_OK || !list.count || !clock)
        return code;
    runs->source = list.source;
    runs->total = list.count;
    runs->partial = list.partial + list.empty;
    runs->counted = 0;
    code = choose_runs(&list, warmup, runs, &timed);
    if (code == STATUS_OK && runs->launches > 1) {
        runs->each = memory_allocate_clear(runs->launches * sizeof *runs->each);
        code = runs->each ? STATUS_OK : status_no_memory("counting runs");
    }
    if (code == STATUS_OK)
        code = add_windows(inferences, &list, clock, &timed, runs);
    free_timed(&timed);
    if (code == STATUS_OK && !runs->counted)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = path },
                              "no run is left of %zu: all were left out as warm-up", runs->total);
    return code;
}

void counted_runs_free(struct counted_runs *runs)
{
    for (size_t i = 0; runs->each && i < runs->launches; i++)
        intervals_free(&runs->each[i].windows);
    memory_free(runs->each);
    runs->each = NULL;
    intervals_free(&runs->windows);
}

const struct intervals *runs_windows(const struct counted_runs *runs)
{
    return runs->source == INFERENCES_NONE ? NULL : &runs->windows;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

bool runs_sentence(const struct counted_runs *runs, char to[RUNS_SENTENCE])
{
    int length;

    if (runs->source == INFERENCES_NONE || (runs->total == 1 && !runs->partial))
        return false;
    if (runs->counted == runs->total)
        length = snprintf(to, RUNS_SENTENCE, "mean of %zu run%s", runs->counted, runs->counted == 1 ? "" : "s");
    else
        length = snprintf(to, RUNS_SENTENCE, "mean of %zu of %zu runs", runs->counted, runs->total);
    if (runs->warmup > 1 && !isnan(runs->first_factor))
        length += snprintf(to + length, RUNS_SENTENCE - (size_t)length,
                           "; the first of the %zu left out%s took %.1fx as long", runs->warmup,
                           runs->launches > 1 ? " of each launch" : "", runs->first_factor);
    else if (runs->warmup && !isnan(runs->first_factor))
        length += snprintf(to + length, RUNS_SENTENCE - (size_t)length, "; the first%s took %.1fx as long",
                           runs->launches > 1 ? " of each launch" : "", runs->first_factor);
    if (runs->slow)
        length += snprintf(to + length, RUNS_SENTENCE - (size_t)length, "; %zu took %.1fx as long and %s not count",
                           runs->slow, runs->slow_factor, runs->slow == 1 ? "does" : "do");
    if (runs->partial)
        length += snprintf(to + length, RUNS_SENTENCE - (size_t)length, "; %zu more %s cut off or unlike the others",
                           runs->partial, runs->partial == 1 ? "is" : "are");
    if (runs->overlapping > 1.05)
        length += snprintf(to + length, RUNS_SENTENCE - (size_t)length,
                           "; they lie on each other, and one by itself takes %.1fx as long", runs->overlapping);
    assert(length < RUNS_SENTENCE);
    return true;
}
