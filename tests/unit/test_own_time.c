/* test_own_time.c: time that several share: each one's part, against a count of every single tick. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/own_time.h"

enum { SETS = 6, SPAN = 200 };

static void test_every_tick_is_shared_out(void **state)
{
    (void)state;
    srand(3);
    for (int round = 0; round < 500; round++) {
        struct intervals sets[SETS] = { 0 };
        bool active[SETS][SPAN] = { { false } };
        size_t count = (size_t)(rand() % (SETS + 1));
        double wanted[SETS] = { 0 };
        int64_t own[SETS], sum = 0, any = 0;

        for (size_t i = 0; i < count; i++) {
            for (int k = rand() % 5; k > 0; k--) {
                int start = rand() % SPAN, end = start + rand() % (SPAN - start) + (start < SPAN - 1);

                if (end > SPAN)
                    end = SPAN;
                assert_int_equal(intervals_add(&sets[i], start, end), STATUS_OK);
                for (int t = start; t < end; t++)
                    active[i][t] = true;
            }
            assert_int_equal(intervals_settle(&sets[i]), STATUS_OK);
        }
        for (int t = 0; t < SPAN; t++) {
            int at_work = 0;

            for (size_t i = 0; i < count; i++)
                at_work += active[i][t];
            for (size_t i = 0; i < count; i++)
                wanted[i] += active[i][t] ? 1.0 / at_work : 0;
            any += at_work > 0;
        }
        assert_int_equal(own_times(sets, count, own), STATUS_OK);
        for (size_t i = 0; i < count; i++) {
            assert_true(fabs((double)own[i] - wanted[i]) < 1.001);
            sum += own[i];
            intervals_free(&sets[i]);
        }
        assert_int_equal(sum, any);
    }
}

static void test_large_times(void **state)
{
    struct intervals sets[3] = { 0 };
    int64_t own[3], far = INT64_C(1) << 61;

    (void)state;
    assert_int_equal(intervals_add(&sets[0], -far, far), STATUS_OK);
    assert_int_equal(intervals_add(&sets[1], 0, far), STATUS_OK);
    assert_int_equal(intervals_add(&sets[2], far - 3, far), STATUS_OK);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(intervals_settle(&sets[i]), STATUS_OK);
    assert_int_equal(own_times(sets, 3, own), STATUS_OK);
    assert_int_equal(own[2], 1);
    assert_int_equal(own[0] + own[1] + own[2], 2 * far);
    for (unsigned i = 0; i < 3; i++)
        intervals_free(&sets[i]);
}

static void test_out_of_memory(void **state)
{
    struct intervals sets[2] = { 0 };
    int64_t own[2];

    (void)state;
    assert_int_equal(intervals_add(&sets[0], 1, 5), STATUS_OK);
    for (uint64_t nth = 1; nth <= 3; nth++) {
        memory_fail_at(nth);
        assert_int_equal(own_times(sets, 2, own), STATUS_MEMORY);
        memory_fail_at(0);
    }
    assert_int_equal(own_times(sets, 2, own), STATUS_OK);
    assert_int_equal(own[0], 4);
    intervals_free(&sets[0]);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_tick_is_shared_out),
        cmocka_unit_test(test_large_times),
        cmocka_unit_test(test_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
