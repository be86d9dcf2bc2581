/* builds.c: medians of builds, their levels, and a test between two. */
#include "analyze/builds.h"

#include <assert.h>
#include <math.h>

#include "base/memory.h"

static const double normal_deviation = 1.4826; /* over the median of deviations, where they are normal */

static bool is_time(double median)
{
    return median > 0 && isfinite(median);
}

size_t build_times(const struct build_launches *build)
{
    size_t count = 0;

    for (size_t i = 0; i < build->count; i++)
        count += is_time(build->medians[i]);
    return count;
}

double build_weight(size_t launches, double ratio)
{
    return (double)launches / (1 + (double)launches * ratio);
}

/* The logarithm of the median of its launches; adds how far each is off to `off`. */
static double value_of(const struct build_launches *build, double *off, size_t *off_count)
{
    double *times = off + *off_count, value;
    size_t count = 0;

    for (size_t i = 0; i < build->count; i++)
        if (is_time(build->medians[i]))
            times[count++] = build->medians[i];
    statistics_sort(times, count);
    value = log(statistics_median(times, count));
    /* The middle one says nothing, and those around it are nearer than they should be. */
    for (size_t i = 0; i < count; i++)
        times[i] = i == count / 2 ? times[count - 1] : times[i];
    for (size_t i = 0; i + 1 < count; i++)
        times[i] = fabs(log(times[i]) - value) * sqrt((double)count / (double)(count - 1));
    *off_count += count ? count - 1 : 0;
    return value;
}

/* The variance that has such deviations, but for those that are far off. */
static double variance_of(double *off, size_t count)
{
    double deviation;

    statistics_sort(off, count);
    deviation = normal_deviation * statistics_median(off, count);
    return deviation * deviation;
}

/* From build to build: by the steps between neighbours, which a change of the level hardly touches. */
static double ratio_of(const struct build_values *values, double within, double *room)
{
    static const double of_median = 1.4; /* variance of a median over that of a mean, of a few launches */
    double between, launches = 0;

    if (values->count < 3)
        return 0;
    for (size_t i = 0; i + 1 < values->count; i++)
        room[i] = fabs(values->items[i + 1].value - values->items[i].value);
    for (size_t i = 0; i < values->count; i++)
        launches += 1 / values->items[i].weight / (double)values->count;
    between = variance_of(room, values->count - 1) / 2 / of_median - within * launches;
    return within > 0 ? fmax(0, between / within) : 0;
}

status builds_values(const struct build_launches *builds, size_t count, struct build_values *values)
{
    size_t launches = 0, off_count = 0;
    double *off;

    for (size_t i = 0; i < count; i++)
        launches += builds[i].count;
    *values = (struct build_values){ .items = memory_allocate((count + 1) * sizeof *values->items) };
    off = memory_allocate((launches + count + 1) * sizeof *off);
    if (!off || !values->items) {
        memory_free(off);
        return status_no_memory("looking at builds");
    }
    for (size_t i = 0; i < count; i++) {
        size_t times = build_times(&builds[i]);

        if (times)
            values->items[values->count++] = (struct build_value){ .value = value_of(&builds[i], off, &off_count),
                                                                   .weight = (double)times,
                                                                   .build = i };
    }
    if (off_count)
        values->ratio = ratio_of(values, variance_of(off, off_count), off);
    for (size_t i = 0; i < values->count; i++)
        values->items[i].weight = build_weight((size_t)values->items[i].weight, values->ratio);
    memory_free(off);
    return STATUS_OK;
}

void build_values_free(struct build_values *values)
{
    memory_free(values->items);
    *values = (struct build_values){ 0 };
}

static double median_of_values(const struct build_value *values, size_t count, double *room)
{
    for (size_t i = 0; i < count; i++)
        room[i] = values[i].value;
    statistics_sort(room, count);
    return statistics_median(room, count);
}

struct build_spread builds_spread(const struct build_value *values, size_t first, size_t count, double *room)
{
    static const double deviations = 3;
    struct build_spread spread = { .reach = INFINITY };
    /* The middle of each side is a value of its own, whose deviation says nothing. */
    size_t middles = (size_t)(first > 0) + (first < count);

    assert(first <= count);
    spread.medians[0] = median_of_values(values, first, room);
    spread.medians[1] = median_of_values(values + first, count - first, room);
    if (count <= middles)
        return spread;
    for (size_t i = 0; i < count; i++)
        room[i] = fabs(values[i].value - spread.medians[i >= first]);
    statistics_sort(room, count);
    spread.reach = deviations * normal_deviation * statistics_median(room + middles, count - middles);
    if (!(spread.reach > 0))
        spread.reach = INFINITY; /* most are the same: there is nothing to tell what is far */
    return spread;
}

/* Deviations are from the first value, so that values that are all the same have exactly that mean, and no deviation. */
struct build_level builds_level(const struct build_value *values, size_t count, double median, double reach)
{
    struct build_level level = { .mean = NAN, .count = count };
    double sum = 0, squares = 0, base = NAN;

    for (size_t i = 0; i < count; i++) {
        double value = fmin(fmax(values[i].value, median - reach), median + reach);
        double off;

        base = i ? base : value;
        off = value - base;
        level.clipped += value != values[i].value;
        level.weight += values[i].weight;
        sum += values[i].weight * off;
        squares += values[i].weight * off * off;
    }
    if (!count)
        return level;
    level.mean = base + sum / level.weight;
    level.squares = fmax(0, squares - sum * sum / level.weight);
    return level;
}

struct level_test builds_test(const struct build_value *values, size_t first, size_t count, double *room)
{
    struct build_spread spread = builds_spread(values, first, count, room);
    struct build_level before = builds_level(values, first, spread.medians[0], spread.reach);
    struct build_level after = builds_level(values + first, count - first, spread.medians[1], spread.reach);
    struct level_test test = { .difference = after.mean - before.mean, .error = NAN, .p = NAN };
    double kept = (double)(count - before.clipped - after.clipped);

    test.freedom = kept - 2;
    if (!first || first == count || test.freedom < 1)
        return test;
    test.error = (double)count / kept * sqrt((before.squares + after.squares) / test.freedom) *
                 sqrt(1 / before.weight + 1 / after.weight);
    if (test.error > 0)
        test.p = statistics_student(test.difference / test.error, test.freedom);
    else
        test.p = test.difference == 0;
    return test;
}

double level_factor(const struct level_test *test)
{
    return exp(test->difference);
}

struct confidence level_interval(const struct level_test *test)
{
    double reach = isnan(test->p) ? NAN : test->error * statistics_student_point(0.05, test->freedom);

    return (struct confidence){ exp(test->difference - reach), exp(test->difference + reach) };
}

size_t builds_gather(const struct build_launches *builds, const struct build_value *values, size_t count, bool from_end,
                     double to[BUILDS_LAUNCHES])
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        const struct build_launches *build = &builds[values[from_end ? count - 1 - i : i].build];

        for (size_t k = 0; k < build->count && found < BUILDS_LAUNCHES; k++)
            if (is_time(build->medians[k]))
                to[found++] = build->medians[k];
    }
    return found;
}
