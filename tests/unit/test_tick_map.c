/* test_tick_map.c: ticks of one clock as nanoseconds of another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "read/tick_map.h"

static void add(struct tick_map *map, uint64_t ticks, int64_t ns, int64_t unsure)
{
    assert_int_equal(tick_map_add(map, (struct tick_tie){ ticks, ns, unsure }), STATUS_OK);
}

static void finish(struct tick_map *map, bool measured)
{
    bool was;

    assert_int_equal(tick_map_finish(map, 1, 1, &was), STATUS_OK);
    assert_int_equal(was, measured);
}

static void test_a_line_through_two_ties(void **state)
{
    struct tick_map map = { 0 };

    (void)state;
    add(&map, 3000, 1000, 0);
    add(&map, 6000, 2000, 0);
    finish(&map, true);
    assert_int_equal(tick_map_ns(&map, 3000), 1000);
    assert_int_equal(tick_map_ns(&map, 3003), 1001);
    assert_int_equal(tick_map_ns(&map, 3005), 1001);
    assert_int_equal(tick_map_ns(&map, 5999), 1999);
    assert_int_equal(tick_map_ns(&map, 6000), 2000);
    assert_int_equal(tick_map_ns(&map, 9000), 3000);
    assert_int_equal(tick_map_ns(&map, 0), 0);
    assert_int_equal(tick_map_span(&map, 300), 100);
    assert_int_equal(tick_map_ns(&map, UINT64_MAX), INT64_MAX / 4);
    tick_map_free(&map);
}

/* Noise of a tie does not bend the line; drift does. */
static void test_bends_are_where_ties_are_missed(void **state)
{
    struct tick_map map = { 0 };

    (void)state;
    add(&map, 0, 0, 0);
    add(&map, 1000, 1020, 30); /* noise */
    add(&map, 100000, 100000, 0);
    add(&map, 200000, 210000, 0); /* slower */
    finish(&map, true);
    assert_int_equal(map.line_count, 2);
    assert_int_equal(tick_map_ns(&map, 1000), 1000);
    assert_int_equal(tick_map_ns(&map, 150000), 155000);
    assert_int_equal(tick_map_ns(&map, 50000), 50000);
    assert_int_equal(map.unsure, 30);
    tick_map_free(&map);
}

static void test_one_tie_or_none(void **state)
{
    struct tick_map map = { 0 };
    bool measured;

    (void)state;
    add(&map, 100, 1000, 0);
    assert_int_equal(tick_map_finish(&map, 10, 1, &measured), STATUS_OK);
    assert_false(measured);
    assert_int_equal(tick_map_ns(&map, 105), 1050);
    assert_int_equal(tick_map_ns(&map, 99), 990);
    tick_map_free(&map);
    finish(&map, false);
    assert_int_equal(tick_map_ns(&map, 7), 7);
    tick_map_free(&map);
}

static void test_ties_that_make_no_sense_are_left_out(void **state)
{
    struct tick_map map = { 0 };

    (void)state;
    add(&map, 100, 1000, 0);
    add(&map, 100, 2000, 0);
    add(&map, 90, 3000, 0);
    add(&map, 200, 900, 0);
    add(&map, 300, INT64_MAX, 0);
    add(&map, 300, 5000, -1);
    assert_int_equal(map.count, 1);
    tick_map_free(&map);
}

/* Any ties: the map meets the bends, and time never runs backwards. */
static void test_time_never_runs_backwards(void **state)
{
    uint32_t random = 7;

    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        struct tick_map map = { 0 };
        uint64_t ticks = random % 1000, end;
        int64_t ns = 0, last = INT64_MIN;

        for (unsigned i = 0; i < 2 + round % 40; i++) {
            random = random * 1103515245u + 12345u;
            ticks += 1 + (random >> 8) % (round % 3 ? 5000 : 3);
            random = random * 1103515245u + 12345u;
            ns += (random >> 8) % (round % 5 ? 5000 : 1000000);
            add(&map, ticks, ns, 0);
        }
        finish(&map, true);
        end = ticks + 1000;
        for (uint64_t t = map.ties[0].ticks > 100 ? map.ties[0].ticks - 100 : 0; t < end; t += 1 + t % 3) {
            int64_t now = tick_map_ns(&map, t);

            assert_true(now >= last);
            last = now;
        }
        for (size_t i = 0; i < map.line_count; i++)
            assert_int_equal(tick_map_ns(&map, map.lines[i].ticks), map.lines[i].ns);
        tick_map_free(&map);
    }
}

/* Of very many ties every other one is enough. */
static void test_many_ties(void **state)
{
    struct tick_map map = { 0 };

    (void)state;
    for (uint64_t i = 0; i < 100000; i++)
        add(&map, 1000 * i, (int64_t)(500 * i), 10);
    assert_true(map.count <= 4096);
    finish(&map, true);
    assert_int_equal(tick_map_ns(&map, 50000000), 25000000);
    tick_map_free(&map);
}

static void test_no_memory_is_told(void **state)
{
    struct tick_map map = { 0 };
    bool measured;

    (void)state;
    memory_fail_at(1);
    assert_int_equal(tick_map_add(&map, (struct tick_tie){ 1, 1, 0 }), STATUS_MEMORY);
    assert_int_equal(tick_map_finish(&map, 1, 1, &measured), STATUS_MEMORY);
    memory_fail_at(0);
    tick_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_through_two_ties),   cmocka_unit_test(test_bends_are_where_ties_are_missed),
        cmocka_unit_test(test_one_tie_or_none),           cmocka_unit_test(test_ties_that_make_no_sense_are_left_out),
        cmocka_unit_test(test_time_never_runs_backwards), cmocka_unit_test(test_many_ties),
        cmocka_unit_test(test_no_memory_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
