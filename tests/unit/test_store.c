/* test_store.c: a trace in memory comes out as it went in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "trace/store.h"
#include "torq/chain.h"

static struct store store;
static struct sink sink;

static int start(void **state)
{
    (void)state;
    store_start(&store);
    sink = store_sink(&store);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    memory_fail_at(0);
    store_free(&store);
    return 0;
}

static void test_empty(void **state)
{
    (void)state;
    assert_int_equal(store_count(&store), 0);
    assert_int_equal(sink_finish(&sink), STATUS_OK);
    assert_true(store_bytes_per_slice() <= 40);
}

static void test_tables(void **state)
{
    struct clock clock = clock_of_mhz(800, 1, 9);
    struct track track = {
        .parent = NO_ID, .name = 3, .order = -2, .kind = TRACK_PROCESS, .engine = &torq_engine_css, .index = 5
    };
    struct op op = { .name = 4, .type = 5, .location = 6, .file = 7, .line = 8, .column = 9 };
    struct run run = { .launch = 1, .index = 2 };
    struct losses losses = { .rows = 10, .used = 7, .lost = 3 };

    (void)state;
    assert_int_equal(sink.calls->clock(sink.self, 0, &clock), STATUS_OK);
    assert_int_equal(sink.calls->track(sink.self, &track), STATUS_OK);
    assert_int_equal(sink.calls->op(sink.self, &op), STATUS_OK);
    assert_int_equal(sink.calls->run(sink.self, &run), STATUS_OK);
    assert_int_equal(sink.calls->loss(sink.self, &losses), STATUS_OK);
    assert_memory_equal(store_clock(&store, 0), &clock, sizeof clock);
    assert_int_equal(store_track(&store, 0)->name, 3);
    assert_int_equal(store_track(&store, 0)->order, -2);
    assert_int_equal(store_track(&store, 0)->index, 5);
    assert_memory_equal(store_operator(&store, 0), &op, sizeof op);
    assert_int_equal(((struct run *)column_at(&store.runs, 0))->index, 2);
    assert_int_equal(store.losses.lost, 3);
}

/* Slices with 0, 1, 2, ... arguments in turn, over several chunks of every column. */
static void test_many_slices(void **state)
{
    enum { SLICES = 3000 };
    struct argument given[ARGUMENT_COUNT] = { 0 };

    (void)state;
    for (uint32_t i = 0; i < SLICES; i++) {
        struct slice slice = {
            .track = i % 7,
            .name = i,
            .op = i % 3 ? i : NO_ID,
            .run = NO_ID,
            .start = (int64_t)i << 40,
            .end = ((int64_t)i << 40) + i,
            .argument_count = i % (ARGUMENT_COUNT + 1),
            .arguments = given,
        };

        for (uint32_t j = 0; j < slice.argument_count; j++)
            given[j] =
                (struct argument){ .key = (uint16_t)j, .type = ARGUMENT_TYPE_INTEGER, .integer = (int64_t)i * 100 + j };
        assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
    }
    assert_int_equal(store_count(&store), SLICES);
    for (uint32_t i = 0; i < SLICES; i++) {
        struct argument arguments[ARGUMENT_COUNT];
        struct slice slice = store_slice(&store, i, arguments);

        assert_int_equal(slice.track, i % 7);
        assert_int_equal(slice.name, i);
        assert_int_equal(slice.op, i % 3 ? i : NO_ID);
        assert_int_equal(slice.run, NO_ID);
        assert_int_equal(slice.start, (int64_t)i << 40);
        assert_int_equal(slice.end - slice.start, i);
        assert_int_equal(slice.argument_count, i % (ARGUMENT_COUNT + 1));
        for (uint32_t j = 0; j < slice.argument_count; j++) {
            assert_int_equal(slice.arguments[j].key, j);
            assert_int_equal(slice.arguments[j].integer, (int64_t)i * 100 + j);
        }
    }
}

/* Rows keep the order of begins; ends come in any order; open ids serve again; an end before its start is a point. */
static void test_begin_and_end(void **state)
{
    struct argument argument = { .key = ARGUMENT_JOB, .integer = 12 };
    struct argument arguments[ARGUMENT_COUNT];
    struct slice slice = { .op = NO_ID, .run = NO_ID, .argument_count = 1, .arguments = &argument };

    (void)state;
    slice.start = 100;
    assert_int_equal(sink_begin(&sink, 0, NO_ID, &slice), STATUS_OK);
    slice.start = 110;
    assert_int_equal(sink_begin(&sink, 77, 0, &slice), STATUS_OK);
    slice.start = slice.end = 105;
    assert_int_equal(sink.calls->instant(sink.self, &slice), STATUS_OK);
    assert_int_equal(sink_end(&sink, 0, 150), STATUS_OK);
    assert_int_equal(sink_end(&sink, 77, 120), STATUS_OK);
    slice.start = 200;
    assert_int_equal(sink_begin(&sink, 0, NO_ID, &slice), STATUS_OK);
    assert_int_equal(sink_end(&sink, 0, 190), STATUS_OK);
    assert_int_equal(store_count(&store), 4);
    assert_int_equal(store_slice(&store, 0, arguments).end, 150);
    assert_int_equal(store_slice(&store, 1, arguments).end, 120);
    assert_int_equal(store_slice(&store, 2, arguments).end, 105);
    assert_int_equal(store_slice(&store, 3, arguments).start, 200);
    assert_int_equal(store_slice(&store, 3, arguments).end, 200);
    assert_int_equal(arguments[0].integer, 12);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (uint64_t nth = 1; nth < 100; nth++) {
        struct argument arguments[2] = { 0 };
        struct slice slice = { .op = NO_ID, .run = NO_ID, .argument_count = 2, .arguments = arguments };
        status code = STATUS_OK;

        memory_fail_at(nth);
        for (open_id i = 0; i < 200 && code == STATUS_OK; i++)
            code = i % 2 ? sink_slice(&sink, &slice) : sink_begin(&sink, i, NO_ID, &slice);
        memory_fail_at(0);
        store_free(&store);
        if (code == STATUS_OK) {
            assert_true(nth > 10);
            return;
        }
        assert_int_equal(code, STATUS_MEMORY);
    }
    fail_msg("never enough memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_empty, start, stop),
        cmocka_unit_test_setup_teardown(test_tables, start, stop),
        cmocka_unit_test_setup_teardown(test_many_slices, start, stop),
        cmocka_unit_test_setup_teardown(test_begin_and_end, start, stop),
        cmocka_unit_test_setup_teardown(test_no_memory, start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
