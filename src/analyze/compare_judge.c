/* compare_judge.c: a verdict on each row of a comparison.
 *
 * A row is tested on logarithms of what its launches took. Launches differ as a whole, too: frequency and placement make all operators of one faster
 * or slower, and that noise is most of what stands between two launches. So operators are tested twice:
 *
 *     as they are         log(time), corrected over all rows                                                a change of everything is seen here
 *     beside the others   log(time) less what the operators of its launch have in common, corrected over    a change of one operator is seen here,
 *                         operators; and as they are, uncorrected                                           far below the noise of launches
 *
 * What they have in common is the median of their deviations, weighted by their time: a change of operators that have less than half of the
 * time does not move it. The second condition of the second test keeps an operator that stayed as it was, while most others changed, from being called
 * changed. Two tests, so each p counts twice; the smaller one is that of the row.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/compare.h"
#include "base/memory.h"

static const double power_z = 0.842; /* found in 80 % of cases */

enum { LEAST_OPERATORS = 3 }; /* that have something in common */

bool comparison_can_tell(const struct comparison *comparison)
{
    return comparison->sides[0].count >= LATENCY_LEAST_LAUNCHES && comparison->sides[1].count >= LATENCY_LEAST_LAUNCHES;
}

/* ---- what a row is ----------------------------------------------------------------------------------------------------- */

static bool is_everywhere(const struct comparison *comparison, const struct compare_row *row, unsigned side)
{
    return row->present[side] == comparison->sides[side].count;
}

static bool is_positive(const struct comparison *comparison, const struct compare_row *row)
{
    for (unsigned i = 0; i < 2; i++)
        for (size_t k = 0; k < comparison->sides[i].count; k++)
            if (!(row->values[i][k] > 0))
                return false;
    return true;
}

/* In all launches of one side and in none of the other. */
static bool is_structural(const struct comparison *comparison, const struct compare_row *row)
{
    return (!row->present[0] && is_everywhere(comparison, row, 1)) ||
           (!row->present[1] && is_everywhere(comparison, row, 0));
}

/* ---- what the operators of a launch have in common --------------------------------------------------------------------- */

/* While rows are judged. Launches are counted through both sides. */
struct judging {
    struct comparison *comparison; /* borrowed */
    size_t launches;               /* of both sides */
    double *common;                /* by launch: logarithm of what operators have in common; 0 where they are too few */
    bool has_common;               /* they are not */
    double *scratch;               /* room for a value of each launch */
    double *p, *beside;            /* by row: as it is, and beside the others; NAN: none */
    double *corrected, *corrected_beside; /* the same, by Holm */
    double *difference;                   /* by row: of the test as it is; NAN: none */
    double *difference_beside;            /* the same, beside the others */
};

/* The deviation of an operator in a launch. */
struct deviation {
    double value;  /* logarithm, less the mean over all launches */
    double weight; /* time */
};

static int by_value(const void *left, const void *right)
{
    double one = ((const struct deviation *)left)->value, other = ((const struct deviation *)right)->value;

    return (one > other) - (one < other);
}

/* Where half of the weight is below. */
static double weighted_median(struct deviation *items, size_t count)
{
    double half = 0, sum = 0;

    assert(count);
    qsort(items, count, sizeof *items, by_value);
    for (size_t i = 0; i < count; i++)
        half += items[i].weight / 2;
    for (size_t i = 0; i < count; i++) {
        sum += items[i].weight;
        if (sum >= half)
            return items[i].value;
    }
    return items[count - 1].value;
}

static double value_at(const struct compare_row *row, const struct comparison *comparison, size_t launch)
{
    size_t first = comparison->sides[0].count;

    return launch < first ? row->values[0][launch] : row->values[1][launch - first];
}

/* Both sides count alike, however many launches they have. */
static double mean_logarithm(const struct comparison *comparison, const struct compare_row *row)
{
    double sum = 0;

    for (unsigned i = 0; i < 2; i++)
        for (size_t k = 0; k < comparison->sides[i].count; k++)
            sum += log(row->values[i][k]) / (2 * (double)comparison->sides[i].count);
    return sum;
}

static status find_common(struct judging *judging)
{
    const struct comparison *comparison = judging->comparison;
    size_t rows, count = 0;
    const struct compare_row *row = comparison_section(comparison, COMPARE_OPERATOR_ROWS, &rows);
    /* By launch: the deviations of all operators. */
    struct deviation *items = memory_allocate((rows * judging->launches + 1) * sizeof *items);

    if (!items)
        return status_no_memory("comparing");
    for (size_t i = 0; i < rows; i++) {
        double mean;

        if (row[i].kind != COMPARE_OPERATOR || !is_positive(comparison, &row[i]))
            continue;
        mean = mean_logarithm(comparison, &row[i]);
        for (size_t k = 0; k < judging->launches; k++)
            items[k * rows + count] = (struct deviation){ log(value_at(&row[i], comparison, k)) - mean, exp(mean) };
        count++;
    }
    judging->has_common = count >= LEAST_OPERATORS;
    for (size_t k = 0; k < judging->launches; k++)
        judging->common[k] = judging->has_common ? weighted_median(items + k * rows, count) : 0;
    memory_free(items);
    return STATUS_OK;
}

/* ---- tests ------------------------------------------------------------------------------------------------------------- */

/* Launches a side for which a difference of logarithms is found in 80 % of cases, where `tests` others are looked at. */
static size_t launches_needed(const struct welch_test *test, size_t one, size_t other, size_t tests)
{
    double launches = 2 * (double)one * (double)other / (double)(one + other);
    /* The point of the normal curve beyond which so little is left, near enough. */
    double level = sqrt(2 * log(2 * (double)tests / LATENCY_LEVEL)) - 0.6;
    double share = (level + power_z) * test->error / fabs(test->difference);
    double needed = launches * share * share;

    if (isnan(test->p) || !(needed < 100000))
        return 0;
    return needed < LATENCY_LEAST_LAUNCHES ? LATENCY_LEAST_LAUNCHES : (size_t)ceil(needed);
}

/* What launches took is known to a nanosecond, and that of a row that was rounded with others no better. */
static struct welch_test test_logarithms(const struct judging *judging, const struct compare_row *row, bool beside)
{
    size_t one = judging->comparison->sides[0].count, other = judging->comparison->sides[1].count;
    double mean = statistics_mean(row->values[0], one) + statistics_mean(row->values[1], other);

    for (size_t i = 0; i < judging->launches; i++)
        judging->scratch[i] = log(value_at(row, judging->comparison, i)) - (beside ? judging->common[i] : 0);
    return statistics_welch(judging->scratch, one, judging->scratch + one, other, 1 / mean);
}

static status test_row(struct judging *judging, size_t index)
{
    const struct comparison *comparison = judging->comparison;
    struct compare_row *row = &comparison->rows[index];
    struct rank_test ranks;
    struct welch_test test;
    status code;

    row->structural = row->kind != COMPARE_WHOLE && is_structural(comparison, row);
    if (row->kind == COMPARE_WHOLE || row->structural)
        return STATUS_OK;
    if (!is_positive(comparison, row)) {
        code = statistics_rank_test(row->values[0], comparison->sides[0].count, row->values[1],
                                    comparison->sides[1].count, &ranks);
        judging->p[index] = ranks.p;
        judging->difference[index] = (double)compare_difference(row);
        return code;
    }
    test = test_logarithms(judging, row, false);
    judging->p[index] = test.p;
    judging->difference[index] = test.difference;
    row->needed = launches_needed(&test, comparison->sides[0].count, comparison->sides[1].count, comparison->tests);
    if (row->section == COMPARE_OPERATOR_ROWS && judging->has_common) {
        test = test_logarithms(judging, row, true);
        judging->beside[index] = test.p;
        judging->difference_beside[index] = test.difference;
    }
    return STATUS_OK;
}

/* The better of the two ways, for which each p counts twice; both have to point where the time went. */
static double corrected_p(const struct judging *judging, size_t index)
{
    const struct compare_row *row = &judging->comparison->rows[index];
    double alone = judging->corrected[index], beside = fmax(judging->corrected_beside[index], judging->p[index]);
    bool slower = compare_difference(row) > 0;

    if (isnan(judging->p[index]))
        return NAN;
    if (compare_difference(row) && (judging->difference[index] > 0) != slower)
        return 1; /* by the middle of the launches it is the other way round */
    if (isnan(judging->corrected_beside[index]))
        return judging->has_common ? fmin(1, 2 * alone) : alone;
    if ((judging->difference_beside[index] > 0) != slower)
        beside = 1;
    return fmin(1, 2 * fmin(alone, beside));
}

static void judge_row(const struct comparison *comparison, struct compare_row *row)
{
    if (!comparison_can_tell(comparison))
        row->verdict = LATENCY_TOO_FEW;
    else if (row->kind == COMPARE_WHOLE)
        row->verdict = comparison->latency.verdict;
    else if (!compare_difference(row) || (!row->structural && !(row->corrected <= LATENCY_LEVEL)))
        row->verdict = LATENCY_SAME;
    else
        row->verdict = compare_difference(row) > 0 ? LATENCY_SLOWER : LATENCY_FASTER;
}

static void judge_rows(struct judging *judging)
{
    struct comparison *comparison = judging->comparison;

    for (size_t i = 0; i < comparison->count; i++) {
        struct compare_row *row = &comparison->rows[i];

        row->p = judging->p[i];
        row->corrected = corrected_p(judging, i);
        if (row->kind == COMPARE_WHOLE) {
            row->p = row->corrected = comparison->latency.test.p;
            row->needed = comparison->latency.needed;
        }
        if (!comparison_can_tell(comparison))
            row->corrected = NAN;
        judge_row(comparison, row);
    }
}

/* Rows that are all there: tests, corrected over all of them. */
static status test_rows(struct judging *judging)
{
    struct comparison *comparison = judging->comparison;
    size_t count = comparison->count;
    status code = find_common(judging);

    comparison->tests = 0;
    for (size_t i = 0; i < count; i++)
        comparison->tests +=
            comparison->rows[i].kind != COMPARE_WHOLE && !is_structural(comparison, &comparison->rows[i]);
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = test_row(judging, i);
    if (code == STATUS_OK)
        code = statistics_holm(judging->p, count, judging->corrected);
    return code == STATUS_OK ? statistics_holm(judging->beside, count, judging->corrected_beside) : code;
}

status compare_judge(struct comparison *comparison)
{
    enum { ARRAYS = 6 };
    size_t count = comparison->count, launches = comparison->sides[0].count + comparison->sides[1].count;
    double *room = memory_allocate((ARRAYS * count + 2 * launches + 1) * sizeof *room);
    struct judging judging = { .comparison = comparison, .launches = launches };
    status code;

    if (!room)
        return status_no_memory("comparing");
    for (size_t i = 0; i < ARRAYS * count; i++)
        room[i] = NAN;
    judging.p = room;
    judging.beside = room + count;
    judging.corrected = room + 2 * count;
    judging.corrected_beside = room + 3 * count;
    judging.difference = room + 4 * count;
    judging.difference_beside = room + 5 * count;
    judging.common = room + ARRAYS * count;
    judging.scratch = judging.common + launches;
    code = test_rows(&judging);
    if (code == STATUS_OK)
        judge_rows(&judging);
    memory_free(room);
    return code;
}
