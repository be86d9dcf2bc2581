/* test_changes.c: change points over builds: what is found, what is not, and every look against a slow, obvious version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "analyze/changes.h"
#include "analyze/steps.h"
#include "base/memory.h"

enum { MOST_BUILDS = 64, LAUNCHES = 5 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void near(double got, double wanted, double relative)
{
    if (isnan(wanted) ? isnan(got) : fabs(got - wanted) <= relative * fabs(wanted) + 1e-12)
        return;
    fail_msg("%.17g is not %.17g", got, wanted);
}

/* A history whose builds have a level each, with noise of a fixed pattern: the same everywhere, 1 % at most. */
struct history {
    double medians[MOST_BUILDS][LAUNCHES];
    struct build_launches builds[MOST_BUILDS];
    size_t count;
};

static void add_builds(struct history *history, size_t builds, double level, double noise)
{
    for (size_t i = 0; i < builds; i++) {
        size_t at = history->count++;

        assert_true(at < MOST_BUILDS);
        history->builds[at] = (struct build_launches){ history->medians[at], LAUNCHES };
        for (size_t k = 0; k < LAUNCHES; k++)
            history->medians[at][k] = level * (1 + noise * sin((double)(at * 7 + k * 3)));
    }
}

static struct changes find(const struct history *history)
{
    struct changes changes;

    assert_int_equal(changes_find(history->builds, history->count, &CHANGES_DEFAULTS, &changes), STATUS_OK);
    return changes;
}

static size_t count_changes(const struct history *history)
{
    struct changes changes = find(history);
    size_t count = changes.count;

    changes_free(&changes);
    return count;
}

/* ---- what is found ------------------------------------------------------------------------------------------------------- */

static void test_a_step_is_found_with_its_factor_and_build(void **state)
{
    struct history history = { .count = 0 };
    struct changes changes;

    (void)state;
    add_builds(&history, 20, 10, 0.01);
    add_builds(&history, 12, 11, 0.01);
    changes = find(&history);
    assert_int_equal(changes.count, 1);
    assert_int_equal(changes.measured, 32);
    assert_int_equal(changes.items[0].build, 20);
    assert_int_equal(changes.items[0].range.last_before, 19);
    assert_int_equal(changes.items[0].range.first_after, 20);
    near(changes.items[0].factor, 1.1, 0.01);
    near(changes.items[0].before, 10, 0.01);
    near(changes.items[0].after, 11, 0.01);
    assert_true(changes.items[0].interval.low < 1.1 && changes.items[0].interval.high > 1.1);
    assert_true(changes.items[0].p < CHANGES_LEVEL);
    assert_int_equal(changes.items[0].builds[0], 20);
    assert_int_equal(changes.items[0].builds[1], 12);
    assert_int_equal(changes.items[0].launches[0], 20 * LAUNCHES);
    assert_int_equal(changes.items[0].launches[1], 12 * LAUNCHES);
    assert_true(changes.noise > 0.0005 && changes.noise < 0.01);
    changes_free(&changes);
}

static void test_builds_that_were_not_measured_widen_the_range(void **state)
{
    struct history history = { .count = 0 };
    struct changes changes;

    (void)state;
    add_builds(&history, 20, 10, 0.01);
    add_builds(&history, 12, 9, 0.01);
    for (size_t i = 18; i < 22; i++)
        history.builds[i].count = 0;
    changes = find(&history);
    assert_int_equal(changes.count, 1);
    assert_int_equal(changes.items[0].range.last_before, 17);
    assert_int_equal(changes.items[0].range.first_after, 22);
    near(changes.items[0].factor, 0.9, 0.01);
    changes_free(&changes);
}

static void test_a_change_that_went_away_is_two(void **state)
{
    struct history history = { .count = 0 };
    struct changes changes;

    (void)state;
    add_builds(&history, 25, 10, 0.01);
    add_builds(&history, 5, 10.6, 0.01);
    add_builds(&history, 25, 10, 0.01);
    changes = find(&history);
    assert_int_equal(changes.count, 2);
    assert_int_equal(changes.items[0].build, 25);
    assert_int_equal(changes.items[1].build, 30);
    assert_true(changes.items[0].factor > 1 && changes.items[1].factor < 1);
    assert_int_equal(changes.items[0].builds[1], 5);
    assert_int_equal(changes.items[1].builds[0], 5);
    changes_free(&changes);
}

static void test_steps_up_a_stair_are_all_found(void **state)
{
    struct history history = { .count = 0 };
    struct changes changes;

    (void)state;
    for (int i = 0; i < 6; i++)
        add_builds(&history, 10, 10 * pow(1.06, i), 0.01);
    changes = find(&history);
    assert_int_equal(changes.count, 5);
    for (size_t i = 0; i < changes.count; i++) {
        assert_int_equal(changes.items[i].build, 10 * (i + 1));
        near(changes.items[i].factor, 1.06, 0.01);
    }
    changes_free(&changes);
}

/* The unit does not matter, nor how often it is asked. */
static void test_the_same_in_every_unit(void **state)
{
    struct history history = { .count = 0 }, larger;
    struct changes changes, other;

    (void)state;
    add_builds(&history, 30, 10, 0.02);
    add_builds(&history, 10, 10.5, 0.02);
    larger = history;
    for (size_t i = 0; i < larger.count; i++) {
        larger.builds[i].medians = larger.medians[i];
        for (size_t k = 0; k < LAUNCHES; k++)
            larger.medians[i][k] *= 1048576;
    }
    changes = find(&history);
    other = find(&larger);
    assert_int_equal(changes.count, 1);
    assert_int_equal(other.count, 1);
    assert_memory_equal(&changes.items[0].range, &other.items[0].range, sizeof changes.items[0].range);
    near(other.items[0].factor, changes.items[0].factor, 1e-9);
    changes_free(&other);
    other = find(&history);
    assert_memory_equal(changes.items, other.items, sizeof *changes.items);
    changes_free(&changes);
    changes_free(&other);
}

static void test_times_that_do_not_vary_at_all(void **state)
{
    struct history history = { .count = 0 };
    struct changes changes;

    (void)state;
    add_builds(&history, 10, 10, 0);
    assert_int_equal(count_changes(&history), 0);
    add_builds(&history, 3, 10.001, 0);
    changes = find(&history);
    assert_int_equal(changes.count, 1);
    assert_int_equal(changes.items[0].range.last_before, 9);
    assert_int_equal(changes.items[0].range.first_after, 10);
    assert_true(changes.items[0].p == 0);
    near(changes.items[0].factor, 1.0001, 1e-9);
    near(changes.items[0].interval.low, 1.0001, 1e-9);
    changes_free(&changes);
}

/* ---- what is not ----------------------------------------------------------------------------------------------------------- */

static void test_few_builds_and_one_slow_build_are_no_change(void **state)
{
    struct history history = { .count = 0 };

    (void)state;
    assert_int_equal(count_changes(&history), 0);
    add_builds(&history, 1, 10, 0.01);
    assert_int_equal(count_changes(&history), 0);
    add_builds(&history, 19, 10, 0.01);
    assert_int_equal(count_changes(&history), 0);
    add_builds(&history, 1, 15, 0.01);
    assert_int_equal(count_changes(&history), 0);
    add_builds(&history, 1, 15, 0.01);
    assert_int_equal(count_changes(&history), 0);
    add_builds(&history, 20, 10, 0.01);
    assert_int_equal(count_changes(&history), 0);
}

static void test_launches_in_a_slow_mode_are_no_change(void **state)
{
    struct history history = { .count = 0 };

    (void)state;
    add_builds(&history, 40, 10, 0.01);
    /* A launch in seven all the time, and by chance three of five in builds that lie together. */
    for (size_t i = 0; i < 40 * LAUNCHES; i += 7)
        history.medians[i / LAUNCHES][i % LAUNCHES] *= 1.5;
    for (size_t i = 36; i < 40; i += 2)
        for (size_t k = 0; k < 3; k++)
            history.medians[i][k] = 15 + 0.01 * (double)(i + k);
    assert_int_equal(count_changes(&history), 0);
}

static void test_what_is_no_time_is_left_out(void **state)
{
    struct history history = { .count = 0 };
    struct changes changes;

    (void)state;
    add_builds(&history, 20, 10, 0.01);
    add_builds(&history, 10, 11, 0.01);
    history.medians[3][1] = 0;
    history.medians[4][0] = NAN;
    history.medians[5][4] = -3;
    history.medians[6][4] = INFINITY;
    for (size_t k = 0; k < LAUNCHES; k++)
        history.medians[25][k] = 0;
    changes = find(&history);
    assert_int_equal(changes.count, 1);
    assert_int_equal(changes.measured, 29);
    assert_int_equal(changes.items[0].build, 20);
    changes_free(&changes);
}

/* ---- the looks ------------------------------------------------------------------------------------------------------------- */

static size_t draw_values(struct random_source *source, struct build_value *values)
{
    size_t count = 2 + random_below(source, 20);

    for (size_t i = 0; i < count; i++)
        values[i] = (struct build_value){ .value = (double)random_below(source, 12) / 4,
                                          .weight = 1 + (double)random_below(source, 4),
                                          .build = i };
    return count;
}

/* By pairs, as it is written down. */
static double slow_energy(const struct build_value *values, size_t count, size_t place)
{
    double inside[2] = { 0, 0 }, between = 0, sizes[2] = { (double)place, (double)(count - place) };

    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            double distance = fabs(values[i].value - values[k].value);

            if (i < place && k >= place)
                between += distance;
            else
                inside[i >= place] += distance;
        }
    for (unsigned i = 0; i < 2; i++)
        inside[i] = sizes[i] > 1 ? 2 * inside[i] / (sizes[i] * (sizes[i] - 1)) : 0;
    return sizes[0] * sizes[1] / (double)count * (2 * between / (sizes[0] * sizes[1]) - inside[0] - inside[1]);
}

static void test_dividing_is_where_the_energy_is_largest(void **state)
{
    struct build_value values[32];
    struct random_source source;

    (void)state;
    random_start(&source, 3);
    for (int round = 0; round < 300; round++) {
        size_t count = draw_values(&source, values), least = 1 + random_below(&source, 3);
        size_t place = steps_divide(values, count, least);

        if (count < 2 * least) {
            assert_int_equal(place, 0);
            continue;
        }
        assert_in_range(place, least, count - least);
        for (size_t i = least; i + least <= count; i++)
            assert_true(slow_energy(values, count, i) <= slow_energy(values, count, place) + 1e-9);
    }
}

/* The least sum over every value as the middle: a weighted median is one of them. */
static double slow_deviations(const struct build_value *values, size_t count)
{
    double least = count ? INFINITY : 0;

    for (size_t k = 0; k < count; k++) {
        double sum = 0;

        for (size_t i = 0; i < count; i++)
            sum += values[i].weight * fabs(values[i].value - values[k].value);
        least = fmin(least, sum);
    }
    return least;
}

static void test_the_fitted_step_has_the_least_deviations(void **state)
{
    struct build_value values[32];
    struct random_source source;
    struct step_fit fit;

    (void)state;
    random_start(&source, 4);
    for (int round = 0; round < 300; round++) {
        size_t count = draw_values(&source, values), least = 1 + random_below(&source, 3);
        double best = INFINITY;

        assert_int_equal(steps_fit(values, count, least, &fit), STATUS_OK);
        for (size_t i = least; i + least <= count; i++)
            best = fmin(best, slow_deviations(values, i) + slow_deviations(values + i, count - i));
        if (count < 2 * least) {
            assert_int_equal(fit.place, 0);
            continue;
        }
        near(slow_deviations(values, fit.place) + slow_deviations(values + fit.place, count - fit.place), best, 1e-9);
        if (best > 0)
            near(fit.gain, (double)count * log(slow_deviations(values, count) / best), 1e-9);
    }
}

static void test_the_test_is_students(void **state)
{
    /* Means 2 and 5.5, squares 2 and 5, 5 degrees of freedom. */
    const struct build_value values[] = { { 1, 2, 0 }, { 2, 2, 1 }, { 3, 2, 2 }, { 4, 2, 3 },
                                          { 5, 2, 4 }, { 6, 2, 5 }, { 7, 2, 6 } };
    double room[COUNT(values)];
    struct level_test test = builds_test(values, 3, COUNT(values), room);
    struct confidence interval = level_interval(&test);

    (void)state;
    near(test.difference, 3.5, 1e-12);
    near(test.error, sqrt(7.0 / 5 * (1.0 / 3 + 1.0 / 4)), 1e-12);
    near(test.freedom, 5, 1e-12);
    near(test.p, statistics_student(3.5 / test.error, 5), 1e-12);
    near(level_factor(&test), exp(3.5), 1e-12);
    near(log(interval.high / interval.low), 2 * 2.5705818 * test.error, 1e-6);
    assert_true(isnan(builds_test(values, 0, 3, room).p));
    assert_true(isnan(builds_test(values, 1, 2, room).p));
}

static void test_one_build_far_off_makes_no_level_wide(void **state)
{
    struct build_value values[24];
    double room[COUNT(values)];
    struct level_test before, after;

    (void)state;
    for (size_t i = 0; i < COUNT(values); i++)
        values[i] = (struct build_value){ .value = (i >= 12 ? 0.05 : 0) + 0.01 * sin((double)i * 5), .weight = 5 };
    before = builds_test(values, 12, COUNT(values), room);
    values[4].value = 0.5;
    after = builds_test(values, 12, COUNT(values), room);
    assert_true(after.p < 1e-6);
    assert_true(after.error > before.error && after.error < 1.5 * before.error);
    assert_true(after.freedom < before.freedom);
}

static void test_points_of_students_curve(void **state)
{
    static const double levels[] = { 1, 0.5, 0.05, 0.01, 1e-4, 1e-9 }, freedoms[] = { 1, 2, 5, 30, 1000 };

    (void)state;
    for (size_t i = 0; i < COUNT(levels); i++)
        for (size_t k = 0; k < COUNT(freedoms); k++)
            near(statistics_student(statistics_student_point(levels[i], freedoms[k]), freedoms[k]), levels[i], 1e-6);
    near(statistics_student_point(0.05, 1e9), 1.959964, 1e-6);
    near(statistics_student_point(0.05, 2), 4.302653, 1e-6);
}

static void test_out_of_memory_is_an_error(void **state)
{
    struct history history = { .count = 0 };
    struct changes changes;
    status code = STATUS_MEMORY;
    uint64_t nth = 1;

    (void)state;
    add_builds(&history, 12, 10, 0.01);
    add_builds(&history, 12, 12, 0.01);
    for (; code != STATUS_OK; nth++) {
        memory_fail_at(nth);
        code = changes_find(history.builds, history.count, &CHANGES_DEFAULTS, &changes);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        assert_int_equal(changes.count, code == STATUS_OK);
        changes_free(&changes);
    }
    assert_true(nth > 5);
}

/* ---- what is counted --------------------------------------------------------------------------------------------------------- */

static void test_counts_change_where_they_are_not_equal(void **state)
{
    static const int64_t same[] = { 7, 7, 7 }, more[] = { 8 }, uneven[] = { 7, 9 }, large[] = { INT64_MAX, INT64_MAX };
    const struct build_count builds[] = { { NULL, 0 }, { same, 3 },   { same, 1 }, { NULL, 0 },
                                          { more, 1 }, { uneven, 2 }, { more, 1 }, { large, 2 } };
    struct count_changes changes;

    (void)state;
    assert_int_equal(changes_of_counts(builds, COUNT(builds), &changes), STATUS_OK);
    assert_int_equal(changes.count, 2);
    assert_int_equal(changes.unsteady, 1);
    assert_int_equal(changes.items[0].last_before, 2);
    assert_int_equal(changes.items[0].first_after, 4);
    assert_int_equal(changes.items[0].before, 7);
    assert_int_equal(changes.items[0].after, 8);
    assert_int_equal(changes.items[1].last_before, 6);
    assert_true(changes.items[1].after == INT64_MAX);
    count_changes_free(&changes);
    memory_fail_at(1);
    assert_int_equal(changes_of_counts(builds, COUNT(builds), &changes), STATUS_MEMORY);
    memory_fail_at(0);
    count_changes_free(&changes);
    assert_int_equal(changes_of_counts(NULL, 0, &changes), STATUS_OK);
    assert_int_equal(changes.count, 0);
    count_changes_free(&changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_step_is_found_with_its_factor_and_build),
        cmocka_unit_test(test_builds_that_were_not_measured_widen_the_range),
        cmocka_unit_test(test_a_change_that_went_away_is_two),
        cmocka_unit_test(test_steps_up_a_stair_are_all_found),
        cmocka_unit_test(test_the_same_in_every_unit),
        cmocka_unit_test(test_times_that_do_not_vary_at_all),
        cmocka_unit_test(test_few_builds_and_one_slow_build_are_no_change),
        cmocka_unit_test(test_launches_in_a_slow_mode_are_no_change),
        cmocka_unit_test(test_what_is_no_time_is_left_out),
        cmocka_unit_test(test_dividing_is_where_the_energy_is_largest),
        cmocka_unit_test(test_the_fitted_step_has_the_least_deviations),
        cmocka_unit_test(test_the_test_is_students),
        cmocka_unit_test(test_one_build_far_off_makes_no_level_wide),
        cmocka_unit_test(test_points_of_students_curve),
        cmocka_unit_test(test_out_of_memory_is_an_error),
        cmocka_unit_test(test_counts_change_where_they_are_not_equal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
