/* test_statistics.c: statistics against SciPy's numbers and against slow, obvious versions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/statistics.h"
#include "base/memory.h"
#include "executorch/original/robust.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void near(double got, double wanted, double relative)
{
    if (isnan(wanted) ? isnan(got) : fabs(got - wanted) <= relative * fabs(wanted))
        return;
    fail_msg("%.17g is not %.17g", got, wanted);
}

static struct rank_test test_of(const double *one, size_t one_count, const double *other, size_t other_count)
{
    struct rank_test result;

    assert_int_equal(statistics_rank_test(one, one_count, other, other_count, &result), STATUS_OK);
    return result;
}

/* ---- samples ------------------------------------------------------------------------------------------------------- */

static const double sample[] = { 3.2, 1.5, 9.9, 4.4, 4.4, 7.1, 0.3, 12.8, 5.6, 6.1, 2.2 };

/* numpy.mean, numpy.std(ddof=1), numpy.percentile, scipy.stats.trim_mean of SciPy 1.10. */
static void test_a_sample_as_numpy(void **state)
{
    static const double shares[] = { 0, 0.025, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1 };
    static const double quantiles[] = { 0.3, 0.6, 2.7, 4.4, 6.6, 9.9, 11.350000000000001, 12.510000000000002, 12.8 };
    double sorted[COUNT(sample)];

    (void)state;
    memcpy(sorted, sample, sizeof sorted);
    statistics_sort(sorted, COUNT(sorted));
    near(statistics_mean(sample, COUNT(sample)), 5.2272727272727275, 1e-15);
    near(statistics_deviation(sample, COUNT(sample)), 3.6932616774582625, 1e-15);
    near(statistics_median(sorted, COUNT(sorted)), 4.4, 0);
    for (size_t i = 0; i < COUNT(shares); i++)
        near(statistics_quantile(sorted, COUNT(sorted), shares[i]), quantiles[i], 1e-14);
    near(statistics_trimmed_mean(sorted, COUNT(sorted), 0.05), 5.2272727272727275, 1e-15);
    near(statistics_trimmed_mean(sorted, COUNT(sorted), 0.1), 4.933333333333334, 1e-15);
    near(statistics_trimmed_mean(sorted, COUNT(sorted), 0.2), 4.714285714285714, 1e-15);
    near(statistics_trimmed_mean(sorted, COUNT(sorted), 0.3), 4.74, 1e-15);
}

static int by_value(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;

    return (a > b) - (a < b);
}

/* Orders that are hard for a sort, of every length up to some hundreds: random, few different values, rising, falling, up and down. */
static void test_sorting(void **state)
{
    enum { MOST = 300, ORDERS = 5 };
    double values[MOST] = { 0 }, expected[MOST];
    uint64_t seed = 1;

    (void)state;
    for (unsigned order = 0; order < ORDERS; order++)
        for (size_t count = 0; count <= MOST; count++) {
            for (size_t i = 0; i < count; i++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                values[i] = order == 0   ? (double)(seed >> 33)
                            : order == 1 ? (double)(seed >> 62)
                            : order == 2 ? (double)i
                            : order == 3 ? -(double)i
                                         : (double)(i < count / 2 ? i : count - i);
            }
            memcpy(expected, values, sizeof expected);
            qsort(expected, count, sizeof *expected, by_value);
            statistics_sort(values, count);
            assert_memory_equal(values, expected, count * sizeof *values);
        }
}

static void test_small_samples(void **state)
{
    static const double two[] = { 1, 4 };

    (void)state;
    near(statistics_sum(NULL, 0), 0, 0);
    near(statistics_mean(NULL, 0), NAN, 0);
    near(statistics_median(NULL, 0), NAN, 0);
    near(statistics_quantile(NULL, 0, 0.5), NAN, 0);
    near(statistics_trimmed_mean(NULL, 0, 0.1), NAN, 0);
    near(statistics_deviation(two, 1), NAN, 0);
    near(statistics_deviation(two, 2), sqrt(4.5), 1e-15);
    near(statistics_median(two, 1), 1, 0);
    near(statistics_median(two, 2), 2.5, 0);
    near(statistics_quantile(two, 1, 0.99), 1, 0);
    near(statistics_quantile(two, 2, 0.25), 1.75, 0);
    near(statistics_trimmed_mean(two, 2, 0.5), NAN, 0);
}

/* Sums of what plain addition loses. */
static void test_sums_are_compensated(void **state)
{
    static const double hard[] = { 1, 1e100, 1, -1e100 };
    static const double far[] = { 1e9 + 0.1, 1e9 + 0.2, 1e9 + 0.3 };

    (void)state;
    near(statistics_sum(hard, COUNT(hard)), 2, 0);
    near(statistics_deviation(far, COUNT(far)), 0.09999996423721906, 1e-14); /* of exact fractions */
}

/* ---- Mann-Whitney -------------------------------------------------------------------------------------------------- */

/* scipy.stats.mannwhitneyu(method="exact"). */
static void test_exact_without_ties(void **state)
{
    static const double low[] = { 1, 2, 3, 4, 5 }, high[] = { 6, 7, 8, 9, 10 };
    static const double some[] = { 6.57, 6.55, 6.60, 6.53, 6.58 }, mixed[] = { 6.56, 6.61, 6.54, 6.63, 6.59 };
    static const double three[] = { 1.1, 2.2, 3.3 }, four[] = { 0.5, 4.4, 5.5, 6.6 };
    static const double twelve[] = { 10.001, 10.299, 9.726, 9.109, 9.545, 9.008,
                                     10.06,  11.34,  9.508, 9.38,  10.49, 10.357 };
    static const double fifteen[] = { 10.905, 9.87,   10.771, 11.495, 9.456,  10.342, 8.899, 9.51,
                                      8.958,  10.565, 9.533,  11.071, 10.957, 10.613, 8.283 };
    double fifty[50], other_fifty[50];
    struct rank_test result = test_of(low, 5, high, 5);

    (void)state;
    assert_true(result.exact);
    near(result.u, 0, 0);
    near(result.p, 2.0 / 252, 1e-15);
    near(result.least_p, 2.0 / 252, 1e-15);
    result = test_of(high, 5, low, 5);
    near(result.u, 25, 0);
    near(result.p, 2.0 / 252, 1e-15);
    result = test_of(some, 5, mixed, 5);
    near(result.u, 8, 0);
    near(result.p, 0.42063492063492064, 1e-14);
    result = test_of(three, 3, four, 4);
    near(result.u, 3, 0);
    near(result.p, 0.4, 1e-14);
    result = test_of(twelve, 12, fifteen, 15);
    near(result.u, 76, 0);
    near(result.p, 0.5163649500168548, 1e-13);
    for (unsigned i = 0; i < 50; i++) {
        fifty[i] = 2 * i;
        other_fifty[i] = 3 * i + 0.5;
    }
    result = test_of(fifty, 50, other_fifty, 50);
    assert_true(result.exact);
    near(result.u, 833, 0);
    near(result.p, 0.0037906108404019566, 1e-12);
}

/* scipy.stats.permutation_test over all arrangements, the statistic being U with shared ranks. */
static void test_exact_with_ties(void **state)
{
    static const double one[] = { 1, 2, 2, 3 }, other[] = { 2, 3, 3, 4, 5 };
    static const double sevens[] = { 7, 7, 7, 8, 8 }, nines[] = { 8, 8, 9, 9, 9 };
    static const double same[] = { 1, 1, 1, 1 };
    struct rank_test result = test_of(one, 4, other, 5);

    (void)state;
    assert_true(result.exact);
    near(result.u, 3, 0);
    near(result.p, 0.15873015873015872, 1e-14);
    result = test_of(sevens, 5, nines, 5);
    near(result.u, 2, 0);
    near(result.p, 0.047619047619047616, 1e-14);
    result = test_of(same, 3, same, 4);
    near(result.u, 6, 0);
    near(result.p, 1, 0);
}

/* scipy.stats.mannwhitneyu(method="asymptotic"). */
static void test_normal_with_ties(void **state)
{
    double one[60], other[80];
    struct rank_test result;

    (void)state;
    for (unsigned i = 0; i < 60; i++)
        one[i] = i % 7 + i * 0.01;
    for (unsigned i = 0; i < 70; i++)
        other[i] = i * 3 % 11 + i * 0.01;
    result = test_of(one, 60, other, 70);
    assert_false(result.exact);
    near(result.u, 1287.5, 0);
    near(result.p, 0.0001493286077348508, 1e-10);
    for (unsigned i = 0; i < 80; i++) {
        one[i % 60] = i % 60 % 5;
        other[i] = i % 6;
    }
    result = test_of(one, 60, other, 80);
    near(result.u, 2046, 0);
    near(result.p, 0.1305723764028451, 1e-10);
    for (unsigned i = 0; i < 80; i++)
        other[i] = i % 5 + 2;
    result = test_of(one, 60, other, 80);
    near(result.u, 864, 0);
    near(result.p, 5.426234178827078e-11, 1e-9);
    for (unsigned i = 0; i < 80; i++)
        one[i % 60] = other[i] = 3;
    result = test_of(one, 60, other, 80);
    near(result.p, 1, 0);
}

static void test_samples_that_cannot_tell(void **state)
{
    static const double one[] = { 1, 2, 3, 4 }, other[] = { 5, 6, 7, 8 };
    struct rank_test result = test_of(one, 0, other, 4);

    (void)state;
    near(result.p, 1, 0);
    near(result.least_p, 1, 0);
    result = test_of(one, 1, other, 1);
    near(result.p, 1, 0);
    near(result.least_p, 1, 0);
    result = test_of(one, 4, other, 4);
    near(result.p, 2.0 / 70, 1e-15);
    assert_true(result.least_p > 0.01);
}

/* By choosing every subset: slow and obvious. */
static double naive_p(const double *values, unsigned count, unsigned chosen)
{
    double ranks[16], observed = 0;
    unsigned low = 0, high = 0, all = 0;

    for (unsigned i = 0; i < count; i++) {
        ranks[i] = 0.5;
        for (unsigned j = 0; j < count; j++)
            ranks[i] += values[j] < values[i] ? 1 : values[j] == values[i] ? 0.5 : 0;
        observed += i < chosen ? ranks[i] : 0;
    }
    for (unsigned set = 0; set < 1u << count; set++) {
        double sum = 0;

        if ((unsigned)__builtin_popcount(set) != chosen)
            continue;
        for (unsigned i = 0; i < count; i++)
            sum += set >> i & 1 ? ranks[i] : 0;
        all++;
        low += sum <= observed;
        high += sum >= observed;
    }
    return fmin(1, 2 * fmin((double)low, (double)high) / all);
}

static void test_the_exact_test_counts_arrangements(void **state)
{
    struct random_source source;

    (void)state;
    random_start(&source, 11);
    for (unsigned round = 0; round < 200; round++) {
        unsigned one = 1 + (unsigned)random_below(&source, 6), other = 1 + (unsigned)random_below(&source, 6);
        unsigned distinct = 2 + (unsigned)random_below(&source, 20);
        struct rank_test result;
        double values[16], pairs = 0;

        for (unsigned i = 0; i < one + other; i++)
            values[i] = (double)random_below(&source, distinct);
        result = test_of(values, one, values + one, other);
        for (unsigned i = 0; i < one; i++)
            for (unsigned j = one; j < one + other; j++)
                pairs += values[i] > values[j] ? 1 : values[i] == values[j] ? 0.5 : 0;
        near(result.u, pairs, 0);
        near(result.p, naive_p(values, one + other, one), 1e-12);
        assert_true(result.p >= result.least_p * (1 - 1e-12));
    }
}

/* ---- trend --------------------------------------------------------------------------------------------------------- */

static void test_trend(void **state)
{
    static const double rising[] = { 5.0, 5.1, 5.0, 5.3, 5.2, 5.6, 5.4, 5.4, 5.9, 6.0, 5.8, 6.2 };
    static const double flat[] = { 5, 5, 5, 5 };
    static const double falling[] = { 4, 3, 2, 1 };
    double correlation, z;

    (void)state;
    assert_int_equal(statistics_trend(rising, COUNT(rising), &correlation, &z), STATUS_OK);
    near(correlation, 0.9368478722730427, 1e-14); /* scipy.stats.spearmanr */
    near(z, correlation * sqrt(11), 1e-15);
    assert_int_equal(statistics_trend(flat, COUNT(flat), &correlation, &z), STATUS_OK);
    near(correlation, 0, 0);
    assert_int_equal(statistics_trend(falling, COUNT(falling), &correlation, &z), STATUS_OK);
    near(correlation, -1, 1e-15);
    assert_int_equal(statistics_trend(falling, 1, &correlation, &z), STATUS_OK);
    near(correlation, 0, 0);
    assert_int_equal(statistics_trend(NULL, 0, &correlation, &z), STATUS_OK);
    near(z, 0, 0);
}

/* ---- random numbers and intervals ---------------------------------------------------------------------------------- */

/* The first numbers after the state {1, 2, 3, 4} are known from the generator's definition; those of a seed must never change, or
 * intervals in old reports could not be made again. */
static void test_random_numbers_are_the_same_everywhere(void **state)
{
    struct random_source source = { .state = { 1, 2, 3, 4 } };
    uint64_t counts[7] = { 0 };

    (void)state;
    assert_true(random_next(&source) == 11520);
    assert_true(random_next(&source) == 0);
    assert_true(random_next(&source) == 1509978240);
    assert_true(random_next(&source) == 1215971899390074240u);
    random_start(&source, 0);
    assert_true(source.state[0] == 0xe220a8397b1dcdafu);
    assert_true(source.state[1] == 0x6e789e6aa1b965f4u);
    for (unsigned i = 0; i < 70000; i++)
        counts[random_below(&source, 7)]++;
    for (unsigned i = 0; i < 7; i++)
        assert_true(counts[i] > 9600 && counts[i] < 10400);
    assert_true(random_below(&source, 1) == 0);
    for (unsigned i = 0; i < 1000; i++)
        assert_true(random_below(&source, (UINT64_MAX >> 1) + 2) <= (UINT64_MAX >> 1) + 1);
}

enum { LAUNCHES = 12, RUNS = 9 };

static void fill_launches(double (*values)[RUNS], struct launch_sample *launches, double middle, uint64_t seed)
{
    struct random_source source;

    random_start(&source, seed);
    for (unsigned i = 0; i < LAUNCHES; i++) {
        double launch = middle * (0.98 + (double)random_below(&source, 400) / 10000);

        for (unsigned j = 0; j < RUNS; j++)
            values[i][j] = launch * (0.99 + (double)random_below(&source, 200) / 10000);
        launches[i] = (struct launch_sample){ values[i], RUNS - i % 2 };
    }
}

static void test_intervals(void **state)
{
    double one[LAUNCHES][RUNS], other[LAUNCHES][RUNS];
    struct launch_sample over[LAUNCHES], under[LAUNCHES];
    struct confidence interval, again, wide;

    (void)state;
    fill_launches(one, over, 8, 1);
    fill_launches(other, under, 4, 2);
    assert_int_equal(statistics_ratio_interval(over, LAUNCHES, under, LAUNCHES, 1, 2000, &interval), STATUS_OK);
    assert_true(interval.low < 2 && interval.high > 2 && interval.low > 1.92 && interval.high < 2.08);
    assert_int_equal(statistics_ratio_interval(over, LAUNCHES, under, LAUNCHES, 1, 2000, &again), STATUS_OK);
    assert_memory_equal(&interval, &again, sizeof interval);
    assert_int_equal(statistics_ratio_interval(over, LAUNCHES, under, LAUNCHES, 2, 2000, &again), STATUS_OK);
    assert_true(again.low != interval.low || again.high != interval.high);
    near(again.low, interval.low, 0.01);
    assert_int_equal(statistics_ratio_interval(over, 3, under, 3, 1, 2000, &wide), STATUS_OK);
    assert_true(wide.high - wide.low > 0);
    assert_int_equal(statistics_median_interval(over, LAUNCHES, 1, 500, &interval), STATUS_OK);
    assert_true(interval.low < 8.1 && interval.high > 7.9 && interval.low < interval.high);
}

static void test_intervals_of_little(void **state)
{
    static const double alone[] = { 5 };
    static const struct launch_sample launch = { alone, 1 };
    struct confidence interval;

    (void)state;
    assert_int_equal(statistics_median_interval(&launch, 1, 1, 100, &interval), STATUS_OK);
    near(interval.low, 5, 0);
    near(interval.high, 5, 0);
    assert_int_equal(statistics_median_interval(&launch, 0, 1, 100, &interval), STATUS_OK);
    near(interval.low, NAN, 0);
    assert_int_equal(statistics_ratio_interval(&launch, 1, &launch, 0, 1, 100, &interval), STATUS_OK);
    near(interval.high, NAN, 0);
    assert_int_equal(statistics_ratio_interval(&launch, 1, &launch, 1, 1, 1, &interval), STATUS_OK);
    near(interval.low, 1, 0);
}

/* The medians of drawn samples come from a selection: each must be a value, or the middle of two where their number is even. */
static void test_drawn_medians_are_medians(void **state)
{
    double values[8] = { 1, 2, 4, 8, 16, 32, 64, 128 };

    (void)state;
    for (size_t count = 1; count <= 8; count++) {
        struct launch_sample launch = { values, count };
        struct confidence interval;

        for (uint64_t seed = 0; seed < 50; seed++) {
            bool found = false;

            assert_int_equal(statistics_median_interval(&launch, 1, seed, 1, &interval), STATUS_OK);
            for (size_t i = 0; i < count; i++)
                for (size_t j = i; j < count; j++)
                    found |= interval.low == (values[i] + values[j]) / 2 && (count % 2 == 0 || i == j);
            assert_true(found);
        }
    }
}

/* ---- robust -------------------------------------------------------------------------------------------------------- */

static void test_robust(void **state)
{
    static const double runs[] = { 11.9, 7.7, 7.8, 7.75, 7.72, 7.78, 7.74, 7.76 };
    struct robust robust;

    (void)state;
    assert_int_equal(robust_compute(runs, COUNT(runs), &robust), STATUS_OK);
    assert_int_equal(robust.all.count, 8);
    assert_int_equal(robust.outlier_count, 1);
    near(robust.outliers[0], 11.9, 0);
    assert_int_equal(robust.inliers.count, 7);
    near(robust.inliers.median, 7.75, 0);
    near(robust.percentiles[0], 7.755, 1e-15);
    near(robust.most, 11.9, 0);
    robust_free(&robust);
    assert_int_equal(robust_compute(runs, 1, &robust), STATUS_OK);
    near(robust.all.deviation, NAN, 0);
    near(robust.all.median, 11.9, 0);
    near(robust.inliers.variation, NAN, 0);
    assert_int_equal(robust.outlier_count, 0);
    robust_free(&robust);
}

/* ---- memory -------------------------------------------------------------------------------------------------------- */

static status use_everything(void)
{
    static const double values[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
    struct launch_sample launches[] = { { values, 5 }, { values + 5, 5 } };
    struct confidence interval;
    struct rank_test result;
    struct robust robust;
    double correlation, z;
    status code = statistics_rank_test(values, 5, values + 5, 5, &result);

    if (code == STATUS_OK)
        code = statistics_trend(values, 10, &correlation, &z);
    if (code == STATUS_OK)
        code = statistics_ratio_interval(launches, 2, launches, 2, 1, 10, &interval);
    if (code == STATUS_OK)
        code = statistics_median_interval(launches, 2, 1, 10, &interval);
    if (code == STATUS_OK) {
        code = robust_compute(values, 10, &robust);
        robust_free(&robust);
    }
    return code;
}

static void test_every_allocation_may_fail(void **state)
{
    status code = STATUS_MEMORY;
    unsigned failures = 0;

    (void)state;
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        memory_fail_at(nth);
        code = use_everything();
        memory_fail_at(0);
        failures += code == STATUS_MEMORY;
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
    }
    assert_true(failures >= 10);
}

/* Values of R: 2 * pt(-t, df). */
static void test_welch(void **state)
{
    double one[] = { 30.02, 29.99, 30.11, 29.97, 30.01, 29.99 }, other[] = { 29.89, 29.93, 29.72, 29.98, 30.02, 29.98 };
    double few[] = { 1, 2, 3, 4, 5 }, many[] = { 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1000 };
    double same[] = { 2, 2, 2 }, more[] = { 3, 3, 3 };
    struct welch_test test = statistics_welch(one, 6, other, 6, 0);

    (void)state;
    assert_true(fabs(statistics_student(2.0, 10) - 0.07338803) < 1e-7);
    assert_true(fabs(statistics_student(-1.959, 7.03) - 0.0907687) < 2e-5);
    assert_true(fabs(statistics_student(12, 4) - 0.000276) < 1e-6);
    assert_true(fabs(statistics_student(0, 3) - 1) < 1e-12);
    assert_true(fabs(test.difference + 0.095) < 1e-9);
    assert_true(test.p > 0.12 && test.p < 0.14); /* 0.09 by R: the smaller variance counts as that of both */
    assert_true(isnan(statistics_welch(one, 1, other, 6, 0).p));
    test = statistics_welch(few, 5, many, 12, 0);
    assert_true(fabs(test.difference - 8.5) < 1e-9); /* twelve lose two at each end: 1000 does not matter */
    assert_true(test.p < 0.001);
    assert_true(statistics_welch(same, 3, same, 3, 0).p == 1);
    assert_true(statistics_welch(same, 3, more, 3, 0).p == 0);
    test = statistics_welch(same, 3, more, 3, 1);
    assert_true(test.p > 0.1);
}

/* p.adjust(p, "holm") of R. */
static void test_holm(void **state)
{
    const double p[] = { 0.01, 0.04, NAN, 0.03, 0.005, 0.9 };
    const double wanted[] = { 0.04, 0.09, NAN, 0.09, 0.025, 0.9 };
    double adjusted[6];

    (void)state;
    assert_int_equal(statistics_holm(p, 6, adjusted), STATUS_OK);
    for (unsigned i = 0; i < 6; i++)
        assert_true(isnan(wanted[i]) ? isnan(adjusted[i]) : fabs(adjusted[i] - wanted[i]) < 1e-12);
    assert_int_equal(statistics_holm(p, 0, adjusted), STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sample_as_numpy),
        cmocka_unit_test(test_sorting),
        cmocka_unit_test(test_small_samples),
        cmocka_unit_test(test_sums_are_compensated),
        cmocka_unit_test(test_exact_without_ties),
        cmocka_unit_test(test_exact_with_ties),
        cmocka_unit_test(test_normal_with_ties),
        cmocka_unit_test(test_samples_that_cannot_tell),
        cmocka_unit_test(test_the_exact_test_counts_arrangements),
        cmocka_unit_test(test_trend),
        cmocka_unit_test(test_welch),
        cmocka_unit_test(test_holm),
        cmocka_unit_test(test_random_numbers_are_the_same_everywhere),
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_intervals_of_little),
        cmocka_unit_test(test_drawn_medians_are_medians),
        cmocka_unit_test(test_robust),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
