/* test_zone_totals.c: calls and times of zones while they come: nested, open, and by the rule that own times add up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/zone_totals.h"
#include "base/memory.h"
#include "trace/feed.h"

enum { ZONE, SELF, SHARE, CALLS, TIME, PER_CALL, OPEN }; /* columns */

static struct strings *strings;
static struct zone_totals totals;
static struct feed feed;
static track_id track;

static int start(void **state)
{
    struct clock clock = { .numerator = 1, .denominator = 1 };
    struct track made = { .parent = NO_ID, .kind = TRACK_SLICES, .engine = &engine_thread };

    (void)state;
    strings = strings_new();
    zone_totals_start(&totals, strings);
    feed_start(&feed, zone_totals_sink(&totals), strings);
    return !strings || feed_clock(&feed, &clock, &made.clock) != STATUS_OK ||
           feed_track(&feed, made, &track) != STATUS_OK;
}

static int stop(void **state)
{
    (void)state;
    feed_free(&feed);
    zone_totals_free(&totals);
    strings_free(strings);
    return 0;
}

static operator_id add_operator(const char *name)
{
    struct op op = { 0 };

    assert_int_equal(strings_add_text(strings, name, &op.name), STATUS_OK);
    assert_int_equal(feed_operator_new(&feed, &op), STATUS_OK);
    return op.id;
}

static open_id begin(operator_id op, open_id parent, int64_t time)
{
    struct slice slice = { .track = track, .op = op, .run = NO_ID, .start = time };
    open_id id;

    assert_int_equal(feed_open(&feed, &id), STATUS_OK);
    assert_int_equal(sink_begin(&feed.sink, id, parent, &slice), STATUS_OK);
    return id;
}

static void end(open_id id, int64_t time)
{
    assert_int_equal(sink_end(&feed.sink, id, time), STATUS_OK);
    feed_close(&feed, id);
}

static int64_t number_in(const struct table *table, const char *zone, size_t column)
{
    for (size_t row = 0; row < table_rows(table); row++)
        if (!strcmp(table_cell(table, row, ZONE).text, zone))
            return table_cell(table, row, column).null ? -1 : table_cell(table, row, column).integer;
    fail_msg("no zone %s", zone);
    return 0;
}

static void check_zone(const char *zone, int64_t self, int64_t calls, int64_t time, int64_t open)
{
    struct table *table = zone_totals_table(&totals, 100);

    assert_non_null(table);
    assert_int_equal(table_status(table), STATUS_OK);
    assert_int_equal(number_in(table, zone, SELF), self);
    assert_int_equal(number_in(table, zone, CALLS), calls);
    assert_int_equal(number_in(table, zone, TIME), time);
    assert_int_equal(number_in(table, zone, OPEN), open);
    assert_int_equal(number_in(table, zone, PER_CALL), calls > open ? time / (calls - open) : -1);
    table_free(table);
}

static void test_zones_in_zones(void **state)
{
    operator_id outer = add_operator("outer"), inner = add_operator("inner"), leaf = add_operator("leaf");
    open_id a = begin(outer, NO_ID, 100), b = begin(inner, a, 110), c = begin(leaf, b, 115);

    (void)state;
    end(c, 125);
    end(b, 150);
    b = begin(inner, a, 160);
    end(b, 170);
    end(a, 200);
    check_zone("outer", 50, 1, 100, 0);
    check_zone("inner", 40, 2, 50, 0);
    check_zone("leaf", 10, 1, 10, 0);
}

static void test_zones_that_are_open(void **state)
{
    operator_id outer = add_operator("outer"), inner = add_operator("inner");
    open_id a = begin(outer, NO_ID, 0), b = begin(inner, a, 10);

    (void)state;
    check_zone("outer", 0, 1, 0, 1);
    check_zone("inner", 0, 1, 0, 1);
    end(b, 30);
    check_zone("outer", 0, 1, 0, 1);
    check_zone("inner", 20, 1, 20, 0);
    end(a, 100);
    check_zone("outer", 80, 1, 100, 0);
}

/* A function that calls itself: each call has its time, own time is counted once. */
static void test_recursion(void **state)
{
    operator_id same = add_operator("same");
    open_id a = begin(same, NO_ID, 0), b = begin(same, a, 10), c = begin(same, b, 20);

    (void)state;
    end(c, 30);
    end(b, 40);
    end(a, 50);
    check_zone("same", 50, 3, 50 + 30 + 10, 0);
}

/* A zone whose place is not known takes its time from the one around it, and is in no row. */
static void test_zones_without_an_operator(void **state)
{
    operator_id outer = add_operator("outer");
    open_id a = begin(outer, NO_ID, 0), b = begin(NO_ID, a, 10);

    (void)state;
    end(b, 30);
    end(a, 100);
    check_zone("outer", 80, 1, 100, 0);
}

static void test_the_table_is_in_order_and_cut(void **state)
{
    struct table *table;
    double share = 0;

    (void)state;
    for (int i = 0; i < 5; i++) {
        static const char *const names[] = { "a", "b", "c", "d", "e" };
        static const int64_t lengths[] = { 10, 50, 20, 40, 30 };

        end(begin(add_operator(names[i]), NO_ID, 1000 * i), 1000 * i + lengths[i]);
    }
    table = zone_totals_table(&totals, 3);
    assert_int_equal(table_rows(table), 3);
    assert_string_equal(table_cell(table, 0, ZONE).text, "b");
    assert_string_equal(table_cell(table, 1, ZONE).text, "d");
    assert_string_equal(table_cell(table, 2, ZONE).text, "e");
    /* Shares are of all, also of what the table leaves out. */
    for (size_t i = 0; i < 3; i++)
        share += table_cell(table, i, SHARE).decimal;
    assert_true(share > 79.99 && share < 80.01);
    table_free(table);
}

static void test_nothing_yet(void **state)
{
    struct table *table = zone_totals_table(&totals, 10);

    (void)state;
    assert_int_equal(table_rows(table), 0);
    table_free(table);
    add_operator("announced");
    table = zone_totals_table(&totals, 10);
    assert_true(table_cell(table, 0, SHARE).null);
    table_free(table);
}

/* Any nesting on several stacks: own times of all operators together are the times of the outermost zones. */
static void test_own_times_add_up(void **state)
{
    enum { STACKS = 4, DEEP = 12, OPERATORS = 9 };
    open_id stacks[STACKS][DEEP];
    int64_t began[STACKS] = { 0 }, outermost = 0, now = 0, own = 0;
    int depth[STACKS] = { 0 };
    unsigned chance = 7;
    uint64_t calls = 0, counted = 0;
    struct table *table;

    (void)state;
    for (int i = 0; i < OPERATORS; i++) {
        const char name[2] = { (char)('a' + i), 0 };

        add_operator(name);
    }
    for (int step = 0; step < 20000 || depth[0] + depth[1] + depth[2] + depth[3]; step++) {
        int stack = (int)((chance = chance * 1103515245 + 12345) >> 16) % STACKS;
        bool opens = step < 20000 && depth[stack] < DEEP && (chance >> 20) % 2;

        now += (chance >> 24) % 100;
        if (opens) {
            open_id parent = depth[stack] ? stacks[stack][depth[stack] - 1] : NO_ID;

            began[stack] = depth[stack] ? began[stack] : now;
            stacks[stack][depth[stack]++] = begin((chance >> 18) % OPERATORS, parent, now);
            calls++;
        } else if (depth[stack]) {
            end(stacks[stack][--depth[stack]], now);
            outermost += depth[stack] ? 0 : now - began[stack];
        }
    }
    table = zone_totals_table(&totals, SIZE_MAX);
    for (size_t row = 0; row < table_rows(table); row++) {
        own += table_cell(table, row, SELF).integer;
        counted += (uint64_t)table_cell(table, row, CALLS).integer;
        assert_int_equal(table_cell(table, row, OPEN).integer, 0);
        assert_true(table_cell(table, row, SELF).integer <= table_cell(table, row, TIME).integer);
    }
    assert_true(calls > 1000);
    assert_int_equal(counted, calls);
    assert_int_equal(own, outermost);
    table_free(table);
}

static void test_no_memory(void **state)
{
    struct op op = { 0 };
    struct slice slice = { .track = track, .op = NO_ID, .run = NO_ID };
    struct sink sink = zone_totals_sink(&totals);

    (void)state;
    memory_fail_at(1);
    assert_int_equal(sink.calls->op(sink.self, &op), STATUS_MEMORY);
    assert_int_equal(sink_begin(&sink, 0, NO_ID, &slice), STATUS_MEMORY);
    assert_null(zone_totals_table(&totals, 10));
    memory_fail_at(0);
    status_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_zones_in_zones, start, stop),
        cmocka_unit_test_setup_teardown(test_zones_that_are_open, start, stop),
        cmocka_unit_test_setup_teardown(test_recursion, start, stop),
        cmocka_unit_test_setup_teardown(test_zones_without_an_operator, start, stop),
        cmocka_unit_test_setup_teardown(test_the_table_is_in_order_and_cut, start, stop),
        cmocka_unit_test_setup_teardown(test_nothing_yet, start, stop),
        cmocka_unit_test_setup_teardown(test_own_times_add_up, start, stop),
        cmocka_unit_test_setup_teardown(test_no_memory, start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
