/* test_warmup.c: which runs at the start of launches are warm-up, with many runs, with few, and over several launches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/warmup.h"
#include "base/memory.h"

enum { RUNS = 12 };

static size_t find(const double *values, size_t count, int64_t wanted)
{
    struct launch_sample launch = { values, count };
    size_t warmup;

    assert_int_equal(warmup_find(&launch, 1, wanted, &warmup), STATUS_OK);
    return warmup;
}

static void finds_slow_first_runs(void **state)
{
    static const double steady[RUNS] = { 100, 101, 99, 100, 102, 98, 100, 101, 99, 100, 100, 101 };
    static const double one[RUNS] = { 160, 101, 99, 100, 102, 98, 100, 101, 99, 100, 100, 101 };
    static const double three[RUNS] = { 300, 180, 130, 100, 102, 98, 100, 101, 99, 100, 100, 101 };
    static const double later[RUNS] = { 100, 101, 160, 100, 102, 98, 100, 101, 99, 100, 100, 101 };

    (void)state;
    assert_int_equal(find(steady, RUNS, WARMUP_AUTO), 0);
    assert_int_equal(find(one, RUNS, WARMUP_AUTO), 1);
    assert_int_equal(find(three, RUNS, WARMUP_AUTO), 3);
    assert_int_equal(find(later, RUNS, WARMUP_AUTO), 0); /* not at the start */
    assert_int_equal(find(one, RUNS, 0), 0);
    assert_int_equal(find(one, RUNS, 5), 5);
}

static void few_runs_need_more(void **state)
{
    static const double little[] = { 110, 100, 100 }, much[] = { 160, 100, 101 };

    (void)state;
    assert_int_equal(find(little, 3, WARMUP_AUTO), 0);
    assert_int_equal(find(much, 3, WARMUP_AUTO), 1);
    assert_int_equal(find(much, 2, WARMUP_AUTO), 1);
    assert_int_equal(find(much, 1, WARMUP_AUTO), 0); /* the only run is never left out */
    assert_int_equal(find(NULL, 0, WARMUP_AUTO), 0);
}

/* Never more than half of a launch, however it goes on getting faster. */
static void half_of_a_launch_stays(void **state)
{
    double values[RUNS];

    (void)state;
    for (int i = 0; i < RUNS; i++)
        values[i] = 1000.0 / (i + 1);
    assert_true(find(values, RUNS, WARMUP_AUTO) <= RUNS / 2);
}

static void most_launches_decide(void **state)
{
    static const double slow[] = { 160, 100, 101, 100, 99, 100 }, steady[] = { 100, 100, 101, 100, 99, 100 };
    const struct launch_sample most[] = { { slow, 6 }, { slow, 6 }, { steady, 6 } };
    const struct launch_sample few[] = { { slow, 6 }, { steady, 6 }, { steady, 6 } };
    size_t warmup;

    (void)state;
    assert_int_equal(warmup_find(most, 3, WARMUP_AUTO, &warmup), STATUS_OK);
    assert_int_equal(warmup, 1);
    assert_int_equal(warmup_find(few, 3, WARMUP_AUTO, &warmup), STATUS_OK);
    assert_int_equal(warmup, 0);
    memory_fail_at(1);
    assert_int_equal(warmup_find(few, 3, WARMUP_AUTO, &warmup), STATUS_MEMORY);
    memory_fail_at(0);
    status_clear();
}

static void words_are_read(void **state)
{
    int64_t warmup;

    (void)state;
    assert_true(warmup_parse(NULL, &warmup) == STATUS_OK && warmup == WARMUP_AUTO);
    assert_true(warmup_parse("auto", &warmup) == STATUS_OK && warmup == WARMUP_AUTO);
    assert_true(warmup_parse("none", &warmup) == STATUS_OK && warmup == 0);
    assert_true(warmup_parse("7", &warmup) == STATUS_OK && warmup == 7);
    assert_int_equal(warmup_parse("-1", &warmup), STATUS_USAGE);
    assert_int_equal(warmup_parse("some", &warmup), STATUS_USAGE);
    assert_int_equal(warmup_parse("", &warmup), STATUS_USAGE);
    status_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_slow_first_runs),  cmocka_unit_test(few_runs_need_more),
        cmocka_unit_test(half_of_a_launch_stays), cmocka_unit_test(most_launches_decide),
        cmocka_unit_test(words_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
