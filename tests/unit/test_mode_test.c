/* test_mode_test.c: modes, and the test over them, against a slow version that deals the values in every way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "analyze/mode_test.h"
#include "analyze/modes.h"
#include "base/memory.h"

enum { MOST = 12, EVERY_WAY = 1 << MOST };

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void near(double got, double wanted, double relative)
{
    if (isnan(wanted) ? isnan(got) : fabs(got - wanted) <= relative * fabs(wanted) + 1e-12)
        return;
    fail_msg("%.17g is not %.17g", got, wanted);
}

static struct mode_test test_of(const double *one, size_t one_count, const double *other, size_t other_count)
{
    struct mode_test result;

    assert_int_equal(mode_test_run(one, one_count, other, other_count, &result), STATUS_OK);
    return result;
}

/* ---- modes --------------------------------------------------------------------------------------------------------- */

static void test_groups(void **state)
{
    static const double two[] = { 3.36, 3.37, 3.40, 5.2, 5.22 }, one[] = { 3.36, 3.5, 3.6, 3.8, 4.0 };
    static const double wide[] = { 3, 3.2, 3.5, 3.8, 4.1, 4.6, 5, 5.4 };
    static const double torn[] = { 3.36, 3.4, 3.6, 3.86, 3.9, 4.13, 5.7, 6.5 };
    struct mode_cuts cuts = modes_find(two, COUNT(two), MODES_MOST, MODES_APART_ALONE);

    (void)state;
    assert_int_equal(cuts.count, 2);
    assert_int_equal(cuts.ends[0], 3);
    assert_int_equal(cuts.ends[1], 5);
    assert_int_equal(mode_cuts_start(&cuts, 1), 3);
    assert_int_equal(modes_find(one, COUNT(one), MODES_MOST, MODES_APART_ALONE).count, 1);
    assert_int_equal(modes_find(wide, COUNT(wide), MODES_MOST, MODES_APART_ALONE).count, 1);
    assert_int_equal(modes_find(torn, COUNT(torn), MODES_MOST, MODES_APART_ALONE).count, 1);
    assert_int_equal(modes_find(torn, COUNT(torn), MODES_MOST, MODES_APART_TOGETHER).count, 2);
    assert_int_equal(modes_find(two, 1, MODES_MOST, MODES_APART_ALONE).count, 1);
    assert_int_equal(modes_find(two, 0, MODES_MOST, MODES_APART_ALONE).count, 0);
}

static void test_no_more_groups_than_asked_for(void **state)
{
    double values[12];

    (void)state;
    for (unsigned i = 0; i < 12; i++)
        values[i] = pow(2, i / 2) * (i % 2 ? 1.001 : 1) * (i > 5 ? 1.5 : 1);
    assert_int_equal(modes_find(values, 12, 6, 4).count, 6);
    for (unsigned most = 2; most < 6; most++)
        assert_true(modes_find(values, 12, most, 4).count <= most);
}

/* ---- the slow version ---------------------------------------------------------------------------------------------- */

/* Sorted values; an arrangement is a set of bits: those of the first sample. */
struct slow {
    double values[MOST];  /* ascending */
    unsigned group[MOST]; /* of each value, by modes_find */
    unsigned groups;      /* how many */
    unsigned count, one;  /* values; of the first sample */
    double p[EVERY_WAY];  /* of each arrangement, filled by the fast version */
};

static struct slow slow;

static unsigned bits(unsigned set)
{
    return (unsigned)__builtin_popcount(set);
}

/* Which sample a group is of: 1 or 2, 3 of both. */
static unsigned owners(unsigned group, unsigned set)
{
    unsigned found = 0;

    for (unsigned i = 0; i < slow.count; i++)
        if (slow.group[i] == group)
            found |= set >> i & 1 ? 1 : 2;
    return found;
}

static void modes_of(unsigned set, unsigned mode[MOST])
{
    unsigned of_group[MOST] = { 0 }, modes = 0, changes = 0, shared = 0;

    for (unsigned i = 0; i < slow.groups; i++) {
        shared += owners(i, set) == 3;
        changes += i && owners(i, set) != owners(i - 1, set);
    }
    for (unsigned i = 0; i < slow.groups; i++) {
        of_group[i] = modes;
        if (i + 1 < slow.groups && owners(i, set) + owners(i + 1, set) == 3 && owners(i, set) != 3 &&
            owners(i + 1, set) != 3 && owners(i, set) != owners(i + 1, set))
            of_group[++i] = modes;
        modes++;
    }
    for (unsigned i = 0; i < slow.count; i++)
        mode[i] = !shared && changes == 1 ? 0 : of_group[slow.group[i]];
}

/* Pairs in which the first sample is larger, ties half: of all, inside modes, or by mode alone. */
static double pairs(unsigned set, const unsigned mode[MOST], enum mode_question question)
{
    double larger = 0;

    for (unsigned i = 0; i < slow.count; i++)
        for (unsigned j = 0; j < slow.count; j++) {
            double a = question == MODE_OCCURRENCE ? mode[i] : slow.values[i];
            double b = question == MODE_OCCURRENCE ? mode[j] : slow.values[j];

            if ((set >> i & 1) && !(set >> j & 1) && (question != MODE_INSIDE || mode[i] == mode[j]))
                larger += a > b ? 1 : a == b ? 0.5 : 0;
        }
    return larger;
}

static bool alike(unsigned one, unsigned other, const unsigned mode[MOST])
{
    int difference[MOST] = { 0 };

    for (unsigned i = 0; i < slow.count; i++)
        difference[mode[i]] += (int)(one >> i & 1) - (int)(other >> i & 1);
    for (unsigned i = 0; i < MOST; i++)
        if (difference[i])
            return false;
    return true;
}

/* The quotient: mean and deviation by dealing in every way; inside modes, in every way with as many in each mode. */
static double slow_quotient(unsigned set, enum mode_question question)
{
    unsigned mode[MOST];
    double sum = 0, squares = 0, ways = 0, deviation;

    modes_of(set, mode);
    for (unsigned way = 0; way < 1U << slow.count; way++) {
        double here;

        if (bits(way) != slow.one || (question == MODE_INSIDE && !alike(way, set, mode)))
            continue;
        here = pairs(way, mode, question);
        sum += here;
        squares += here * here;
        ways++;
    }
    deviation = sqrt(fmax(0, squares / ways - sum / ways * (sum / ways)));
    return deviation > 1e-6 ? (pairs(set, mode, question) - sum / ways) / deviation : 0;
}

static void slow_start(const double *sorted, unsigned count, unsigned one)
{
    struct mode_cuts cuts = modes_find(sorted, count, MODE_TEST_MODES, MODES_APART_TOGETHER);

    slow.count = count;
    slow.one = one;
    slow.groups = cuts.count;
    memcpy(slow.values, sorted, count * sizeof *sorted);
    for (unsigned i = 0; i < cuts.count; i++)
        for (size_t j = mode_cuts_start(&cuts, i); j < cuts.ends[i]; j++)
            slow.group[j] = i;
}

static struct mode_test run_set(unsigned set)
{
    double one[MOST], other[MOST];
    unsigned ones = 0, others = 0;

    for (unsigned i = 0; i < slow.count; i++)
        if (set >> i & 1)
            one[ones++] = slow.values[i];
        else
            other[others++] = slow.values[i];
    return test_of(one, ones, other, others);
}

/* All arrangements: quotients as the slow version has them, p as the share with one as large, no level is exceeded. */
static void compare_with_slow(const double *sorted, unsigned count, unsigned one)
{
    static double largest[EVERY_WAY], found[EVERY_WAY];
    unsigned ways = 0;

    slow_start(sorted, count, one);
    for (unsigned set = 0; set < 1U << count; set++) {
        struct mode_test test;
        double larger;

        if (bits(set) != one)
            continue;
        test = run_set(set);
        largest[ways] = 0;
        for (unsigned i = 0; i < MODE_QUESTIONS; i++) {
            double quotient = slow_quotient(set, i);

            near(test.answers[i].z, quotient, 1e-9);
            largest[ways] = fmax(largest[ways], fabs(quotient));
        }
        larger = pairs(set, slow.group, MODE_ALL);
        if (larger == 0 || larger == one * (count - one)) /* all of one below the other: nothing is clearer */
            largest[ways] = INFINITY;
        assert_true(test.exact);
        found[ways++] = test.p;
    }
    for (unsigned i = 0; i < ways; i++) {
        unsigned as_large = 0, below = 0;

        for (unsigned j = 0; j < ways; j++) {
            as_large += largest[j] >= largest[i] - 1e-7;
            below += found[j] <= found[i] + 1e-12;
        }
        if (slow.groups > 1)
            near(found[i], (double)as_large / ways, 1e-9);
        assert_true((double)below / ways <= found[i] + 1e-9);
    }
}

static void test_as_dealt_in_every_way(void **state)
{
    static const double two_modes[] = { 3.36, 3.37, 3.39, 3.41, 3.5, 3.52, 5.2, 5.3 };
    static const double three_modes[] = { 3.36, 3.37, 3.39, 4.4, 4.41, 4.43, 6, 6.1 };
    static const double with_ties[] = { 3, 3, 3.1, 3.1, 3.1, 5, 5, 5.1 };
    static const double four_modes[] = { 1, 1.01, 2, 2.02, 4, 4.04, 8, 8.08 };
    static const double no_modes[] = { 3.36, 3.37, 3.39, 3.41, 3.5, 3.52, 3.6, 3.6 };
    static const double one_alone[] = { 3.36, 3.37, 3.39, 3.41, 3.5, 3.52, 3.55, 3.56, 3.6, 5.2 };

    (void)state;
    compare_with_slow(two_modes, COUNT(two_modes), 4);
    compare_with_slow(two_modes, COUNT(two_modes), 3);
    compare_with_slow(three_modes, COUNT(three_modes), 4);
    compare_with_slow(with_ties, COUNT(with_ties), 4);
    compare_with_slow(four_modes, COUNT(four_modes), 4);
    compare_with_slow(four_modes, COUNT(four_modes), 2);
    compare_with_slow(no_modes, COUNT(no_modes), 4);
    compare_with_slow(one_alone, COUNT(one_alone), 5);
}

/* ---- properties ---------------------------------------------------------------------------------------------------- */

/* A sample of `count` values in modes, by a seed. */
static void make(double *values, size_t count, double shift, struct random_source *source)
{
    for (size_t i = 0; i < count; i++) {
        bool slow_mode = random_below(source, 5) == 0;

        values[i] = 3.4 * shift * (slow_mode ? 1.55 : 1) * (1 + 0.00002 * (double)random_below(source, 1000));
    }
}

static void test_sides_and_scale(void **state)
{
    static const double shifts[] = { 0.8, 0.95, 1, 1.05, 1.1, 1.3, 1.55, 2 };
    struct random_source source;
    double one[30], other[30];

    (void)state;
    random_start(&source, 11);
    for (unsigned round = 0; round < 160; round++) {
        size_t ones = 5 + random_below(&source, 10), others = 5 + random_below(&source, 10);
        struct mode_test test, swapped, scaled;

        make(one, ones, 1, &source);
        make(other, others, shifts[round % COUNT(shifts)], &source);
        test = test_of(one, ones, other, others);
        swapped = test_of(other, others, one, ones);
        for (size_t i = 0; i < 30; i++) {
            one[i] *= 1024;
            other[i] *= 1024;
        }
        scaled = test_of(one, ones, other, others);
        near(swapped.p, test.p, 1e-9);
        near(scaled.p, test.p, 0);
        near(swapped.factor_inside, 1 / test.factor_inside, 1e-9);
        near(scaled.factor_inside, test.factor_inside, 1e-9);
        assert_int_equal(swapped.decided, test.decided);
        assert_int_equal(scaled.decided, test.decided);
        for (unsigned i = 0; i < MODE_QUESTIONS; i++) {
            near(swapped.answers[i].z, -test.answers[i].z, 1e-9);
            near(swapped.answers[i].p, test.answers[i].p, 1e-9);
            assert_true(test.answers[i].p > 0 && test.answers[i].p <= 1 + 1e-12);
        }
        assert_true(test.p > 0 && test.p <= 1 + 1e-12);
        assert_int_equal(swapped.mode_count, test.mode_count);
    }
}

/* Whatever the modes: nothing is clearer than all of one sample below the other, so five a side can still tell. */
static void test_samples_apart(void **state)
{
    struct random_source source;
    double values[10];

    (void)state;
    random_start(&source, 5);
    for (unsigned round = 0; round < 300; round++) {
        struct mode_test test;

        make(values, 10, 1, &source);
        for (unsigned i = 0; i < 10; i++)
            values[i] *= random_below(&source, 3) ? 1 : 1.25;
        statistics_sort(values, 10);
        if (values[4] == values[5])
            continue;
        test = test_of(values, 5, values + 5, 5);
        near(test.p, 2.0 / 252, 1e-9);
        assert_int_equal(test.decided, MODE_ALL);
        assert_true(test.answers[MODE_ALL].z < 0);
    }
}

/* ---- cases --------------------------------------------------------------------------------------------------------- */

static const double fast[] = { 3.36, 3.37, 3.38, 3.39, 3.35, 3.40, 3.34, 3.365 };

/* Two sides of ten launches, some in a mode 1.55x slower. */
static struct mode_test ten_a_side(unsigned one_slow, unsigned other_slow, double shift)
{
    double one[10], other[10];

    for (unsigned i = 0; i < 10; i++) {
        one[i] = fast[i % 8] * (1 + 0.0003 * i) * (i < one_slow ? 1.55 : 1);
        other[i] = fast[(i + 3) % 8] * (1 + 0.0002 * i) * (i < other_slow ? 1.55 : 1) * shift;
    }
    return test_of(one, 10, other, 10);
}

static void test_a_shift_inside_modes(void **state)
{
    static const double shifts[] = { 1.10, 1.13, 1.2, 1.3 }; /* the last three tear modes in two */

    (void)state;
    for (unsigned i = 0; i < COUNT(shifts); i++) {
        struct mode_test test = ten_a_side(2, 2, shifts[i]);

        assert_int_equal(test.mode_count, 2);
        assert_int_equal(test.modes[0].one, 8);
        assert_int_equal(test.modes[1].other, 2);
        assert_int_equal(test.decided, MODE_INSIDE);
        assert_true(test.p < 0.001 && test.answers[MODE_INSIDE].z < -3);
        near(test.answers[MODE_OCCURRENCE].z, 0, 0);
        near(test.factor_inside, 1 / shifts[i], 0.01);
        near(test.modes[1].one_median / test.modes[1].other_median, 1 / shifts[i], 0.01);
    }
    assert_true(ten_a_side(3, 3, 1.10).whole.p > 0.01); /* which is missed without a look inside */
    assert_true(ten_a_side(3, 3, 1.10).p < 0.001);
}

static void test_how_often_modes_occur(void **state)
{
    struct mode_test test = ten_a_side(1, 9, 1);

    (void)state;
    assert_int_equal(test.decided, MODE_OCCURRENCE);
    assert_true(test.p < 0.01 && test.answers[MODE_OCCURRENCE].z < 0);
    near(test.answers[MODE_OCCURRENCE].p, 200.0 / 184756,
         1e-9); /* 10 * 10 ways to deal them so, and as many the other way */
    test = ten_a_side(9, 1, 1);
    assert_true(test.answers[MODE_OCCURRENCE].z > 0);
    test = ten_a_side(2, 2, 1);
    assert_true(test.p > 0.2);
    test = ten_a_side(0, 0, 1);
    assert_int_equal(test.mode_count, 1);
    near(test.p, test.whole.p, 0);
}

/* Many launches: by the normal curve, and never below what counting says of as many as can be counted. */
static void test_many_launches(void **state)
{
    struct random_source source;
    double one[40], other[40];
    struct mode_test test;

    (void)state;
    random_start(&source, 3);
    make(one, 40, 1, &source);
    make(other, 40, 1, &source);
    test = test_of(one, 40, other, 40);
    assert_false(test.exact);
    assert_int_equal(test.mode_count, 2);
    assert_true(test.p > 0.05 && test.whole.exact);
    make(other, 40, 1.1, &source);
    test = test_of(one, 40, other, 40);
    assert_int_equal(test.decided, MODE_INSIDE);
    assert_true(test.p < 1e-6);
    assert_true(test_of(one, 30, other, 30).exact);
}

static void test_every_allocation_may_fail(void **state)
{
    static const double one[] = { 3.36, 3.37, 3.39, 5.2, 5.3 }, other[] = { 3.4, 3.5, 3.52, 5.4, 5.1 };
    struct mode_test result;
    status code = STATUS_MEMORY;
    unsigned failures = 0;

    (void)state;
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        memory_fail_at(nth);
        code = mode_test_run(one, 5, other, 5, &result);
        memory_fail_at(0);
        failures += code == STATUS_MEMORY;
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
    }
    assert_true(failures > 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_no_more_groups_than_asked_for),
        cmocka_unit_test(test_as_dealt_in_every_way),
        cmocka_unit_test(test_sides_and_scale),
        cmocka_unit_test(test_samples_apart),
        cmocka_unit_test(test_a_shift_inside_modes),
        cmocka_unit_test(test_how_often_modes_occur),
        cmocka_unit_test(test_many_launches),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
