/* test_gate.c: a candidate against good builds: what passes, what does not, what cannot be told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "analyze/gate.h"
#include "base/memory.h"

enum { MOST_BUILDS = 64, LAUNCHES = 10 };

struct history {
    double medians[MOST_BUILDS][LAUNCHES];
    struct build_launches builds[MOST_BUILDS];
    bool accepted[MOST_BUILDS];
    size_t count;
};

static struct gate_history of(const struct history *history)
{
    return (struct gate_history){ history->builds, history->accepted, history->count };
}

/* Noise of a fixed pattern that is another one in every build. */
static struct build_launches fill(double medians[LAUNCHES], size_t number, size_t launches, double level, double noise)
{
    for (size_t k = 0; k < launches; k++)
        medians[k] = level * (1 + noise * sin((double)(number * 7 + k * 3)));
    return (struct build_launches){ medians, launches };
}

static void add_builds(struct history *history, size_t builds, size_t launches, double level, double noise)
{
    for (size_t i = 0; i < builds; i++) {
        assert_true(history->count < MOST_BUILDS);
        history->builds[history->count] =
            fill(history->medians[history->count], history->count, launches, level, noise);
        history->count++;
    }
}

static struct gate judge(const struct history *history, double level, size_t launches, double noise)
{
    double medians[LAUNCHES];
    struct build_launches candidate = fill(medians, 41, launches, level, noise);
    struct gate_history before = of(history);
    struct gate gate;

    assert_int_equal(gate_judge(&before, &candidate, &GATE_DEFAULTS, &gate), STATUS_OK);
    return gate;
}

static void test_the_same_passes_and_what_is_slower_does_not(void **state)
{
    struct history history = { .count = 0 };
    struct gate gate;

    (void)state;
    add_builds(&history, 20, 5, 10, 0.02);
    gate = judge(&history, 10, 10, 0.02);
    assert_int_equal(gate.verdict, GATE_PASS);
    assert_true(gate.factor > 0.98 && gate.factor < 1.02);
    assert_true(gate.interval.low < 1 && gate.interval.high > 1);
    assert_int_equal(gate.builds, 20);
    assert_int_equal(gate.launches, 100);
    assert_int_equal(gate.candidate_launches, 10);
    assert_int_equal(gate.first, 0);
    assert_true(gate.noise > 0.001 && gate.noise < 0.02);
    assert_true(gate.detectable > 1.005 && gate.detectable < 1.05);
    gate = judge(&history, 10.5, 10, 0.02);
    assert_int_equal(gate.verdict, GATE_SLOWER);
    assert_true(gate.interval.low > 1 && gate.interval.low < 1.05 && gate.interval.high > 1.05);
    assert_true(gate.before > 9.9 && gate.before < 10.1 && gate.after > 10.3 && gate.after < 10.7);
    assert_int_equal(judge(&history, 9, 10, 0.02).verdict, GATE_PASS);
}

static void test_less_than_the_tolerance_passes(void **state)
{
    struct history history = { .count = 0 };
    struct gate gate;

    (void)state;
    add_builds(&history, 20, 5, 10, 0.0001);
    gate = judge(&history, 10.05, 10, 0.0001);
    assert_int_equal(gate.verdict, GATE_PASS);
    assert_true(gate.p_builds < 0.01 && gate.p_launches < 0.01);
    assert_int_equal(judge(&history, 10.2, 10, 0.0001).verdict, GATE_SLOWER);
}

/* Builds that vary by themselves: what launches would call certain is no reason to stop. */
static void test_noise_is_what_the_history_has(void **state)
{
    struct history quiet = { .count = 0 }, varied = { .count = 0 };

    (void)state;
    for (int i = 0; i < 20; i++) {
        add_builds(&quiet, 1, 5, 10, 0.002);
        add_builds(&varied, 1, 5, 10 * (1 + 0.03 * sin(i * 2.3)), 0.002);
    }
    assert_int_equal(judge(&quiet, 10.4, 10, 0.002).verdict, GATE_SLOWER);
    assert_int_equal(judge(&varied, 10.4, 10, 0.002).verdict, GATE_PASS);
    assert_true(judge(&varied, 10.4, 10, 0.002).p_launches < 0.01);
    assert_true(judge(&varied, 10.4, 10, 0.002).detectable > 1.05);
    assert_int_equal(judge(&varied, 12, 10, 0.002).verdict, GATE_SLOWER);
}

static void test_the_level_is_that_since_the_last_change(void **state)
{
    struct history history = { .count = 0 };
    struct gate gate;

    (void)state;
    add_builds(&history, 12, 5, 12, 0.01);
    add_builds(&history, 5, 5, 10, 0.01);
    gate = judge(&history, 10.8, 10, 0.01);
    assert_int_equal(gate.verdict, GATE_SLOWER);
    assert_int_equal(gate.first, 12);
    assert_int_equal(gate.builds, 5);
    assert_int_equal(judge(&history, 10, 10, 0.01).verdict, GATE_PASS);
}

static void test_only_the_last_builds_count(void **state)
{
    struct history history = { .count = 0 };
    struct gate_options options = { .builds = 8, .tolerance = 0.01 };
    double medians[LAUNCHES];
    struct build_launches candidate = fill(medians, 41, 10, 10, 0.01);
    struct gate_history before;
    struct gate gate;

    (void)state;
    add_builds(&history, 30, 5, 10, 0.01);
    history.builds[25].count = 0;
    before = of(&history);
    assert_int_equal(gate_judge(&before, &candidate, &options, &gate), STATUS_OK);
    assert_int_equal(gate.builds, 8);
    assert_int_equal(gate.first, 21);
}

static void test_too_few_is_no_verdict_and_says_what_is_missing(void **state)
{
    struct history history = { .count = 0 };
    struct gate gate = judge(&history, 10, 10, 0.01);
    char text[GATE_SENTENCE];

    (void)state;
    assert_int_equal(gate.verdict, GATE_TOO_FEW);
    gate_lack(&gate, text);
    assert_string_equal(text, "0 good builds since the last change, 3 are needed");
    add_builds(&history, 2, 5, 10, 0.01);
    gate = judge(&history, 20, 10, 0.01);
    assert_int_equal(gate.verdict, GATE_TOO_FEW);
    gate_lack(&gate, text);
    assert_string_equal(text, "2 good builds since the last change, 3 are needed");
    add_builds(&history, 10, 5, 10, 0.01);
    gate = judge(&history, 20, 4, 0.01);
    assert_int_equal(gate.verdict, GATE_TOO_FEW);
    gate_lack(&gate, text);
    assert_string_equal(text, "4 launches of the candidate, 5 are needed");
    gate = judge(&history, 20, 0, 0.01);
    assert_int_equal(gate.verdict, GATE_TOO_FEW);
    assert_true(isnan(gate.factor));
    gate = judge(&history, 20, 5, 0.01);
    assert_int_equal(gate.verdict, GATE_SLOWER);
    gate_lack(&gate, text);
    assert_string_equal(text, "");
    history.count = 0;
    add_builds(&history, 4, 1, 10, 0.01);
    gate = judge(&history, 20, 5, 0.01);
    gate_lack(&gate, text);
    assert_string_equal(text, "4 launches of good builds, 5 are needed");
}

static void test_a_history_that_does_not_vary(void **state)
{
    struct history history = { .count = 0 };

    (void)state;
    add_builds(&history, 10, 5, 10, 0);
    assert_int_equal(judge(&history, 10, 5, 0).verdict, GATE_PASS);
    assert_int_equal(judge(&history, 10.2, 5, 0).verdict, GATE_SLOWER);
}

/* Too few for a change: each by itself would have been stopped. */
static void test_slow_builds_that_nobody_accepted_do_not_let_the_next_one_pass(void **state)
{
    struct history history = { .count = 0 };
    struct gate gate;

    (void)state;
    for (size_t launches = 5; launches <= 10; launches += 5) {
        history.count = 0;
        add_builds(&history, 8, launches, 10, 0.02);
        assert_int_equal(judge(&history, 10.6, 10, 0.02).since, SIZE_MAX);
        for (size_t slow = 1; slow <= 2; slow++) {
            add_builds(&history, 1, launches, 10.6, 0.02);
            gate = judge(&history, 10.6, launches, 0.02);
            assert_int_equal(gate.verdict, GATE_SLOWER);
            assert_int_equal(gate.since, 8);
            assert_int_equal(gate.held, slow);
            assert_int_equal(gate.builds, 8);
        }
        gate = judge(&history, 10, launches, 0.02);
        assert_int_equal(gate.verdict, GATE_PASS);
        assert_int_equal(gate.held, 2);
    }
}

/* However many they are, and however long ago it was, and when it became a little better. */
static void test_a_level_that_nobody_accepted_is_not_what_candidates_are_held_against(void **state)
{
    struct history history = { .count = 0 };
    struct gate gate;

    (void)state;
    add_builds(&history, 12, 5, 10, 0.01);
    add_builds(&history, 35, 5, 11, 0.01);
    gate = judge(&history, 11, 10, 0.01);
    assert_int_equal(gate.verdict, GATE_SLOWER);
    assert_int_equal(gate.since, 12);
    assert_int_equal(gate.held, 35);
    assert_int_equal(gate.builds, 12);
    add_builds(&history, 6, 5, 10.5, 0.01);
    gate = judge(&history, 10.5, 10, 0.01);
    assert_int_equal(gate.verdict, GATE_SLOWER);
    assert_int_equal(gate.since, 12);
    assert_true(gate.factor > 1.04 && gate.factor < 1.06);
    add_builds(&history, 6, 5, 10, 0.01);
    gate = judge(&history, 10, 10, 0.01);
    assert_int_equal(gate.verdict, GATE_PASS);
    assert_int_equal(gate.since, SIZE_MAX);
    assert_int_equal(gate.builds, 6);
    assert_int_equal(judge(&history, 10.5, 10, 0.01).verdict, GATE_SLOWER);
}

static void test_what_is_accepted_is_the_level(void **state)
{
    struct history history = { .count = 0 };
    struct gate gate;
    char text[GATE_SENTENCE];

    (void)state;
    add_builds(&history, 12, 5, 10, 0.01);
    add_builds(&history, 1, 5, 11, 0.01);
    history.accepted[12] = true;
    gate = judge(&history, 11, 10, 0.01);
    assert_int_equal(gate.verdict, GATE_TOO_FEW);
    assert_int_equal(gate.first, 12);
    gate_lack(&gate, text);
    assert_string_equal(text, "1 good build since the last change, 3 are needed");
    for (size_t more = 2; more <= 8; more += 2) {
        add_builds(&history, 2, 5, 11, 0.01);
        gate = judge(&history, 11, 10, 0.01);
        assert_int_equal(gate.verdict, GATE_PASS);
        assert_int_equal(gate.first, 12);
        assert_int_equal(gate.held, 0);
        assert_int_equal(judge(&history, 12, 10, 0.01).verdict, GATE_SLOWER);
    }
    /* Any build of a level that was found makes all of it count. */
    history.accepted[12] = false;
    assert_int_equal(judge(&history, 11, 10, 0.01).verdict, GATE_SLOWER);
    history.accepted[15] = true;
    gate = judge(&history, 11, 10, 0.01);
    assert_int_equal(gate.verdict, GATE_PASS);
    assert_int_equal(gate.first, 12);
    /* One that is not slower changes nothing. */
    history.accepted[15] = false;
    history.accepted[5] = true;
    assert_int_equal(judge(&history, 11, 10, 0.01).verdict, GATE_SLOWER);
}

static void test_calibration_counts_false_alarms_and_what_would_be_caught(void **state)
{
    struct history history = { .count = 0 };
    struct gate_calibration calibration;
    struct gate_history all;

    (void)state;
    add_builds(&history, 20, 5, 10, 0.01);
    add_builds(&history, 10, 5, 11, 0.01);
    add_builds(&history, 1, 2, 11, 0.01);
    all = of(&history);
    assert_int_equal(gate_calibrate(&all, &GATE_DEFAULTS, 0.05, &calibration), STATUS_OK);
    assert_int_equal(calibration.count, history.count);
    assert_int_equal(calibration.judged, 27); /* without three at the start, and the last */
    assert_int_equal(calibration.alarms, 0);
    assert_int_equal(calibration.changes, 10); /* nobody accepted it: all since then */
    assert_true(calibration.trials[20].changed && calibration.trials[29].changed);
    assert_int_equal(calibration.trials[20].gate.verdict, GATE_SLOWER);
    assert_int_equal(calibration.trials[30].gate.verdict, GATE_TOO_FEW);
    assert_true(calibration.caught * 10 >= calibration.judged * 8);
    gate_calibration_free(&calibration);
}

static size_t called_slower(const struct history *history)
{
    struct gate_history all = of(history);
    struct gate_calibration calibration;
    size_t slower;

    assert_int_equal(gate_calibrate(&all, &GATE_DEFAULTS, 0.05, &calibration), STATUS_OK);
    slower = calibration.alarms + calibration.changes;
    gate_calibration_free(&calibration);
    return slower;
}

/* What comes and goes is luck of builds, however far off: it is learned, and stops nobody once it is known. */
static void test_builds_of_two_modes_are_noise(void **state)
{
    static const char modes[] = "..s..ss.s..s.s...s.ss..s..s.sss.s..s.s..ss.s...s.s.ss..s.s..";
    struct history third = { .count = 0 }, mixed = { .count = 0 };

    (void)state;
    for (size_t i = 0; modes[i]; i++) {
        add_builds(&third, 1, 5, i > 2 && i % 3 == 2 ? 10.5 : 10, 0.003);
        add_builds(&mixed, 1, 5, modes[i] == 's' ? 10.5 : 10, 0.003);
    }
    assert_true(called_slower(&third) <= 9);
    assert_true(called_slower(&mixed) <= 4);
    assert_int_equal(judge(&third, 10.5, 5, 0.003).verdict, GATE_PASS);
    assert_int_equal(judge(&mixed, 10.5, 5, 0.003).verdict, GATE_PASS);
    assert_int_equal(judge(&third, 12, 5, 0.003).verdict, GATE_SLOWER);
}

/* Held back, until one of the old level follows: then they count as any other. */
static void test_slow_builds_that_did_not_last_count(void **state)
{
    struct history history = { .count = 0 };
    double quiet;
    struct gate gate;

    (void)state;
    add_builds(&history, 12, 5, 10, 0.01);
    quiet = judge(&history, 10, 5, 0.01).detectable;
    add_builds(&history, 2, 5, 10.5, 0.01);
    assert_int_equal(judge(&history, 10, 5, 0.01).held, 2);
    add_builds(&history, 2, 5, 10, 0.01);
    gate = judge(&history, 10, 5, 0.01);
    assert_int_equal(gate.verdict, GATE_PASS);
    assert_int_equal(gate.held, 0);
    assert_int_equal(gate.since, SIZE_MAX);
    assert_int_equal(gate.builds, 16);
    assert_true(gate.detectable > quiet);
}

/* None of them brought it, so none is stopped for it. */
static void test_a_level_that_creeps_stops_nobody(void **state)
{
    struct history history = { .count = 0 };

    (void)state;
    for (size_t i = 0; i < MOST_BUILDS; i++)
        add_builds(&history, 1, 5, 10 * (1 + 0.0005 * (double)i), 0.005);
    assert_true(called_slower(&history) <= 1);
    assert_int_equal(judge(&history, 10.32, 5, 0.005).verdict, GATE_PASS);
    assert_int_equal(judge(&history, 10.32 * 1.05, 5, 0.005).verdict, GATE_SLOWER);
}

static void test_out_of_memory_is_an_error(void **state)
{
    struct history history = { .count = 0 };
    struct gate_calibration calibration;
    struct gate_history all;
    status code = STATUS_MEMORY;
    uint64_t nth = 1;

    (void)state;
    add_builds(&history, 4, 5, 10, 0.02);
    all = of(&history);
    for (; code != STATUS_OK; nth++) {
        memory_fail_at(nth);
        code = gate_calibrate(&all, &GATE_DEFAULTS, 0.05, &calibration);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        gate_calibration_free(&calibration);
    }
    assert_true(nth > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_passes_and_what_is_slower_does_not),
        cmocka_unit_test(test_less_than_the_tolerance_passes),
        cmocka_unit_test(test_noise_is_what_the_history_has),
        cmocka_unit_test(test_the_level_is_that_since_the_last_change),
        cmocka_unit_test(test_only_the_last_builds_count),
        cmocka_unit_test(test_too_few_is_no_verdict_and_says_what_is_missing),
        cmocka_unit_test(test_a_history_that_does_not_vary),
        cmocka_unit_test(test_slow_builds_that_nobody_accepted_do_not_let_the_next_one_pass),
        cmocka_unit_test(test_a_level_that_nobody_accepted_is_not_what_candidates_are_held_against),
        cmocka_unit_test(test_what_is_accepted_is_the_level),
        cmocka_unit_test(test_calibration_counts_false_alarms_and_what_would_be_caught),
        cmocka_unit_test(test_builds_of_two_modes_are_noise),
        cmocka_unit_test(test_slow_builds_that_did_not_last_count),
        cmocka_unit_test(test_a_level_that_creeps_stops_nobody),
        cmocka_unit_test(test_out_of_memory_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
