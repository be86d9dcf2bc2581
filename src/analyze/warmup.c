/* warmup.c: runs at the start of a launch that are slower than the steady ones. */
#include "analyze/warmup.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"

enum { LEAST_RUNS_FOR_HALVES = 4 };

static const double slow_factor = 1.05;  /* slower than the steady runs by this, */
static const double slow_deviations = 4; /* and by so many of their deviations */
static const double few_factor = 1.25;   /* with few runs: slower than all later ones by this */
static const double hiccup_factor = 2;   /* times the median */

status warmup_parse(const char *text, int64_t *warmup)
{
    *warmup = WARMUP_AUTO;
    if (!text || strcmp(text, "auto") == 0)
        return STATUS_OK;
    if (number_parse_integer(text, strlen(text), warmup) && *warmup >= 0)
        return STATUS_OK;
    *warmup = 0;
    return strcmp(text, "none") == 0
               ? STATUS_OK
               : status_fail(STATUS_USAGE, "--warmup wants a number of runs, auto or none, not \"%s\"", text);
}

/* Above this, a run at the start of the launch is slow: by the runs of its second half. `scratch` has room for them. */
static double limit_by_half(const struct launch_sample *launch, double *scratch)
{
    size_t start = launch->count / 2;
    size_t count = launch->count - start;
    double middle, deviation;

    memcpy(scratch, launch->values + start, count * sizeof *scratch);
    statistics_sort(scratch, count);
    middle = statistics_median(scratch, count);
    for (size_t i = 0; i < count; i++)
        scratch[i] = fabs(scratch[i] - middle);
    statistics_sort(scratch, count);
    deviation = 1.4826 * statistics_median(scratch, count); /* of a normal distribution, by its median deviation */
    return fmax(middle * slow_factor, middle + slow_deviations * deviation);
}

static double limit_of(const struct launch_sample *launch, double *scratch)
{
    double most = 0;

    if (launch->count >= LEAST_RUNS_FOR_HALVES)
        return limit_by_half(launch, scratch);
    for (size_t i = 1; i < launch->count; i++)
        most = fmax(most, launch->values[i]);
    return most * few_factor;
}

/* Run by run: slow in most of the launches that can tell. */
static size_t count_slow(const struct launch_sample *launches, size_t count, const double *limits)
{
    for (size_t warmup = 0;; warmup++) {
        size_t able = 0, slow = 0;

        for (size_t i = 0; i < count; i++) {
            if (warmup >= launches[i].count / 2)
                continue;
            able++;
            slow += launches[i].values[warmup] > limits[i];
        }
        if (2 * slow <= able)
            return warmup;
    }
}

status warmup_find(const struct launch_sample *launches, size_t count, int64_t wanted, size_t *warmup)
{
    size_t longest = 1;
    double *limits, *scratch;

    *warmup = wanted < 0 ? 0 : (size_t)wanted;
    if (wanted >= 0)
        return STATUS_OK;
    for (size_t i = 0; i < count; i++)
        longest = launches[i].count > longest ? launches[i].count : longest;
    limits = memory_allocate((count + longest) * sizeof *limits);
    if (!limits)
        return status_no_memory("looking for warm-up");
    scratch = limits + count;
    for (size_t i = 0; i < count; i++)
        limits[i] = limit_of(&launches[i], scratch);
    *warmup = count_slow(launches, count, limits);
    memory_free(limits);
    return STATUS_OK;
}

status warmup_slow(const struct launch_sample *launch, size_t warmup, int64_t wanted, bool *slow, size_t *count)
{
    enum { LEAST_RUNS = 5, ONE_OF = 10 };
    size_t left = launch->count > warmup ? launch->count - warmup : 0;
    double *sorted, median;

    *count = 0;
    for (size_t i = 0; i < launch->count; i++)
        slow[i] = false;
    if (wanted >= 0 || left < LEAST_RUNS)
        return STATUS_OK;
    sorted = memory_allocate(left * sizeof *sorted);
    if (!sorted)
        return status_no_memory("looking for slow runs");
    memcpy(sorted, launch->values + warmup, left * sizeof *sorted);
    statistics_sort(sorted, left);
    median = statistics_median(sorted, left);
    memory_free(sorted);
    for (size_t i = warmup; i < launch->count; i++)
        *count += slow[i] = median > 0 && launch->values[i] > hiccup_factor * median;
    if (*count <= (left + ONE_OF - 1) / ONE_OF)
        return STATUS_OK;
    for (size_t i = warmup; i < launch->count; i++)
        slow[i] = false;
    *count = 0;
    return STATUS_OK;
}
