/* steps.c: energy distance, least absolute deviations, least squares, each for every place of a step. */
#include "analyze/steps.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

/* ---- E-divisive ------------------------------------------------------------------------------------------------------- */

/* The sum of distances from one value to some others. */
static double distances(const struct build_value *values, size_t from, size_t to, double value)
{
    double sum = 0;

    for (size_t i = from; i < to; i++)
        sum += fabs(values[i].value - value);
    return sum;
}

/* Sums of distances between pairs, while values go from the second side to the first. */
struct divided {
    double first, second; /* inside of each side, each pair once */
    double between;       /* the sides */
};

static double energy(const struct divided *sums, double first, double second)
{
    double inside_first = first > 1 ? 2 * sums->first / (first * (first - 1)) : 0;
    double inside_second = second > 1 ? 2 * sums->second / (second * (second - 1)) : 0;

    return first * second / (first + second) * (2 * sums->between / (first * second) - inside_first - inside_second);
}

size_t steps_divide(const struct build_value *values, size_t count, size_t least)
{
    struct divided sums = { 0 };
    double most = -INFINITY;
    size_t place = 0;

    assert(least);
    for (size_t i = 0; i < count; i++)
        sums.second += distances(values, i + 1, count, values[i].value);
    for (size_t i = 1; i < count; i++) {
        double to_first = distances(values, 0, i - 1, values[i - 1].value);
        double to_second = distances(values, i, count, values[i - 1].value);
        double here;

        sums.first += to_first;
        sums.second -= to_second;
        sums.between += to_second - to_first;
        if (i < least || count - i < least)
            continue;
        here = energy(&sums, (double)i, (double)(count - i));
        if (here > most) {
            most = here;
            place = i;
        }
    }
    return place;
}

/* ---- least absolute deviations ------------------------------------------------------------------------------------------ */

/* Adds a value where it belongs, and gives the sum of deviations from the median of all, by weight. */
static double add_value(struct build_value *sorted, size_t count, const struct build_value *value)
{
    size_t at = count, middle = 0;
    double weight = value->weight, below = 0, sum = 0;

    for (; at && sorted[at - 1].value > value->value; at--)
        sorted[at] = sorted[at - 1];
    sorted[at] = *value;
    for (size_t i = 0; i <= count; i++)
        weight += i == at ? 0 : sorted[i].weight;
    while (middle < count && (below += sorted[middle].weight) * 2 < weight)
        middle++;
    for (size_t i = 0; i <= count; i++)
        sum += sorted[i].weight * fabs(sorted[i].value - sorted[middle].value);
    return sum;
}

status steps_fit(const struct build_value *values, size_t count, size_t least, struct step_fit *fit)
{
    struct build_value *sorted = memory_allocate((count + 1) * sizeof *sorted);
    double *before = memory_allocate((count + 1) * sizeof *before); /* [i]: of the first i values */
    double best = INFINITY;

    *fit = (struct step_fit){ .price = log((double)(count ? count : 1)) };
    if (!sorted || !before) {
        memory_free(sorted);
        memory_free(before);
        return status_no_memory("fitting a step");
    }
    before[0] = 0;
    for (size_t i = 0; i < count; i++)
        before[i + 1] = add_value(sorted, i, &values[i]);
    for (size_t i = count; i-- > least;) {
        double sum = before[i] + add_value(sorted, count - 1 - i, &values[i]);

        if (count - i >= least && sum < best) {
            best = sum;
            fit->place = i;
        }
    }
    if (fit->place && before[count] > best)
        fit->gain = (double)count * log(before[count] / best);
    memory_free(sorted);
    memory_free(before);
    return STATUS_OK;
}

/* ---- least squares ------------------------------------------------------------------------------------------------------ */

/* By weight, from the medians of both sides; none counts as more than `reach`. */
static double squares_with_step(const struct build_value *values, size_t count, size_t place, double reach,
                                double *room)
{
    struct build_spread spread = builds_spread(values, place, count, room);
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        double off = fmin(fabs(values[i].value - spread.medians[i >= place]), reach);

        sum += values[i].weight * off * off;
    }
    return sum;
}

struct step_range steps_range(const struct build_value *values, size_t count, size_t place, double *room)
{
    /* That many times the variance: with it the likelihood of a place is 1/40 of the best one's, and the right place is less likely in 1 of 20 cases
     * (the maximum of a walk to each side, after Siegmund). */
    static const double far = 7.35;
    /* What lies behind both levels, by half of what they are apart, fits neither, and does not tell them apart. */
    static const double beyond = 1.5;
    struct build_spread spread = builds_spread(values, place, count, room);
    struct build_level before = builds_level(values, place, spread.medians[0], spread.reach);
    struct build_level after = builds_level(values + place, count - place, spread.medians[1], spread.reach);
    double reach = fmax(spread.reach, beyond * fabs(spread.medians[1] - spread.medians[0])), least = INFINITY, most;
    struct step_range range = { place, place, place };

    assert(count > 2 && place && place < count);
    for (size_t i = 1; i < count; i++) {
        double squares = squares_with_step(values, count, i, reach, room);

        range.best = squares < least ? i : range.best;
        least = fmin(least, squares);
    }
    most = least + far * (before.squares + after.squares) / (double)(count - 2);
    for (size_t i = 1; i < count; i++)
        if (squares_with_step(values, count, i, reach, room) <= most) {
            range.first = i < range.first ? i : range.first;
            range.last = i > range.last ? i : range.last;
        }
    return range;
}
