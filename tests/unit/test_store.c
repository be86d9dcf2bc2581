/* test_store.c: a trace in memory comes out as it went in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "torq/chain.h"
#include "trace/store.h"

static struct store store;
static struct sink sink;

static int start(void **state)
{
    (void)state;
    store_start(&store);
    sink = store_sink(&store);
    return 0;
}

/* What slices refer to comes before them. */
static int start_announced(void **state)
{
    enum { TRACKS = 8, OPERATORS = 3000, RUNS = 8 };

    start(state);
    for (uint32_t i = 0; i < TRACKS; i++)
        assert_int_equal(sink.calls->track(sink.self, &(struct track){ .id = i, .parent = NO_ID }), STATUS_OK);
    for (uint32_t i = 0; i < OPERATORS; i++)
        assert_int_equal(sink.calls->op(sink.self, &(struct op){ .id = i }), STATUS_OK);
    for (uint32_t i = 0; i < RUNS; i++)
        assert_int_equal(sink.calls->run(sink.self, &(struct run){ .id = i }), STATUS_OK);
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
    struct losses losses = { .rows = 10, .used = 8, .lost = 2 };

    (void)state;
    assert_int_equal(sink.calls->clock(sink.self, 0, &clock), STATUS_OK);
    assert_int_equal(sink.calls->track(sink.self, &track), STATUS_OK);
    assert_int_equal(sink.calls->op(sink.self, &op), STATUS_OK);
    assert_int_equal(sink.calls->run(sink.self, &run), STATUS_OK);
    losses_add(&losses, &loss_number, 4);
    assert_int_equal(sink.calls->loss(sink.self, &losses), STATUS_OK);
    losses = (struct losses){ .rows = 5, .used = 5 };
    assert_int_equal(sink.calls->loss(sink.self, &losses), STATUS_OK);
    assert_memory_equal(store_clock(&store, 0), &clock, sizeof clock);
    assert_int_equal(store_track(&store, 0)->name, 3);
    assert_int_equal(store_track(&store, 0)->order, -2);
    assert_int_equal(store_track(&store, 0)->index, 5);
    assert_memory_equal(store_operator(&store, 0), &op, sizeof op);
    assert_int_equal(((struct run *)column_at(&store.runs, 0))->index, 2);
    assert_int_equal(store.losses.count, 2); /* of each input */
    assert_int_equal(((struct losses *)column_at(&store.losses, 0))->lost, 3);
    assert_int_equal(losses_count(column_at(&store.losses, 0), &loss_number), 1);
    assert_int_equal(((struct losses *)column_at(&store.losses, 1))->used, 5);
    assert_int_equal(((struct losses *)column_at(&store.losses, 1))->reason_count, 0);
}

/* Slices with 0, 1, 2, ... arguments in turn, over several chunks of every column. */
static void test_many_slices(void **state)
{
    enum { SLICES = 3000, MOST = 28 };
    struct argument given[MOST] = { 0 };

    (void)state;
    for (uint32_t i = 0; i < SLICES; i++) {
        struct slice slice = {
            .track = i % 7,
            .name = i,
            .op = i % 3 ? i : NO_ID,
            .run = NO_ID,
            .start = (int64_t)i << 40,
            .end = ((int64_t)i << 40) + i,
            .argument_count = i % (MOST + 1),
            .arguments = given,
        };

        for (uint32_t j = 0; j < slice.argument_count; j++)
            given[j] = argument_integer(j, (int64_t)i * 100 + j);
        assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
    }
    assert_int_equal(store_count(&store), SLICES);
    for (uint32_t i = 0; i < SLICES; i++) {
        struct slice slice = store_slice(&store, i);

        assert_int_equal(slice.track, i % 7);
        assert_int_equal(slice.name, i);
        assert_int_equal(slice.op, i % 3 ? i : NO_ID);
        assert_int_equal(slice.run, NO_ID);
        assert_int_equal(slice.start, (int64_t)i << 40);
        assert_int_equal(slice.end - slice.start, i);
        assert_int_equal(slice.argument_count, i % (MOST + 1));
        assert_false(store_is_instant(&store, i));
        for (uint32_t j = 0; j < slice.argument_count; j++) {
            assert_int_equal(slice.arguments[j].key, j);
            assert_int_equal(slice.arguments[j].integer, (int64_t)i * 100 + j);
        }
    }
}

/* Rows keep the order of begins; ends come in any order; open ids serve again; an end before its start is a point. */
static void test_begin_and_end(void **state)
{
    struct argument argument = argument_integer(KEY_ID, 12);
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
    assert_int_equal(store_slice(&store, 0).end, 150);
    assert_int_equal(store_slice(&store, 1).end, 120);
    assert_int_equal(store_slice(&store, 2).end, 105);
    assert_int_equal(store_slice(&store, 3).start, 200);
    assert_int_equal(store_slice(&store, 3).end, 200);
    assert_int_equal(store_slice(&store, 3).arguments[0].integer, 12);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(store_is_instant(&store, i), i == 2); /* not the one that is as short */
}

/* Instants keep what slices keep, and end where they start, whatever their pusher said. */
static void test_instants(void **state)
{
    struct argument argument = argument_text(KEY_NOTE, 7);
    struct slice slice = { .track = 3,
                           .name = 4,
                           .op = 5,
                           .run = 6,
                           .start = 0,
                           .end = 99,
                           .flow = 8,
                           .argument_count = 1,
                           .arguments = &argument };
    struct slice kept;
    size_t count;

    (void)state;
    assert_int_equal(sink.calls->instant(sink.self, &slice), STATUS_OK);
    slice.start = INT64_MAX;
    assert_int_equal(sink.calls->instant(sink.self, &slice), STATUS_OK);
    kept = store_slice(&store, 0);
    assert_true(store_is_instant(&store, 0) && store_is_instant(&store, 1));
    assert_int_equal(kept.track, 3);
    assert_int_equal(kept.name, 4);
    assert_int_equal(kept.op, 5);
    assert_int_equal(kept.run, 6);
    assert_int_equal(kept.end, 0);
    assert_int_equal(kept.argument_count, 1);
    assert_int_equal(kept.arguments[0].text, 7);
    assert_int_equal(store_flows(&store, 0, &count)->flow, 8);
    assert_int_equal(count, 1);
    assert_int_equal(store_slice(&store, 1).end, INT64_MAX);
}

static void test_counters(void **state)
{
    enum { VALUES = 500 };

    (void)state;
    for (int64_t i = 0; i < VALUES; i++)
        assert_int_equal(sink.calls->counter(sink.self, (track_id)(i % 3), 1000 - i, i - 250), STATUS_OK);
    assert_int_equal(store.counters.count, VALUES);
    for (int64_t i = 0; i < VALUES; i++) {
        const struct store_counter *counter = column_at(&store.counters, (size_t)i);

        assert_int_equal(counter->track, i % 3);
        assert_int_equal(counter->time, 1000 - i);
        assert_int_equal(counter->value, i - 250);
    }
    assert_int_equal(store_count(&store), 0);
}

/* The arguments of a slice lie in one piece, wherever a chunk of the column ends before them; all types come back. */
static void test_arguments_beyond_a_chunk(void **state)
{
    static const uint32_t counts[] = { 60, 10, 0, 500, 1, 2000, 63, 64, 65, 1 };
    static struct argument given[2000];
    struct slice slice = { .op = NO_ID, .run = NO_ID, .arguments = given };

    (void)state;
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        slice.argument_count = counts[i];
        for (uint32_t j = 0; j < counts[i]; j++)
            given[j] = (struct argument){ .key = j + 1,
                                          .type = (uint16_t)(j % (ARGUMENT_JSON + 1)),
                                          .flags = (uint16_t)(j % 4),
                                          .natural = (uint64_t)i << 60 | j };
        assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
    }
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct slice kept = store_slice(&store, i);

        assert_int_equal(kept.argument_count, counts[i]);
        assert_true(counts[i] || !kept.arguments);
        for (uint32_t j = 0; j < counts[i]; j++) {
            assert_int_equal(kept.arguments[j].key, j + 1);
            assert_int_equal(kept.arguments[j].type, j % (ARGUMENT_JSON + 1));
            assert_int_equal(kept.arguments[j].flags, j % 4);
            assert_int_equal(kept.arguments[j].natural, (uint64_t)i << 60 | j);
        }
    }
}

/* Slices with no flow, one, one among more, only more; over the ends of chunks. */
static void test_flows(void **state)
{
    enum { SLICES = 400, MOST = 90 };
    uint32_t more[MOST];

    (void)state;
    for (uint32_t i = 0; i < SLICES; i++) {
        uint32_t rest = i % 5 ? i % 4 : i % (MOST + 1);
        struct slice slice = { .op = NO_ID,
                               .run = NO_ID,
                               .start = i,
                               .end = i,
                               .flow = i % 3 ? i + 1 : 0,
                               .more_flow_count = rest,
                               .more_flows = more };

        for (uint32_t j = 0; j < rest; j++)
            more[j] = i * 1000 + j + 1;
        if (i % 2) {
            assert_int_equal(sink_begin(&sink, 0, NO_ID, &slice), STATUS_OK);
            assert_int_equal(sink_end(&sink, 0, i), STATUS_OK);
        } else {
            assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
        }
    }
    for (uint32_t i = 0; i < SLICES; i++) {
        uint32_t rest = i % 5 ? i % 4 : i % (MOST + 1), first = i % 3 != 0;
        size_t count;
        const struct store_flow *flows = store_flows(&store, i, &count);

        assert_int_equal(count, first + rest);
        assert_true(count ? flows != NULL : flows == NULL);
        for (uint32_t j = 0; j < count; j++) {
            assert_int_equal(flows[j].slice, i);
            assert_int_equal(flows[j].flow, first && !j ? i + 1 : i * 1000 + (j - first) + 1);
        }
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    for (uint64_t nth = 1; nth < 100; nth++) {
        struct argument arguments[2] = { 0 };
        struct losses losses = { .rows = 0 };
        const uint32_t flows[] = { 1, 2 };
        struct slice slice = { .op = NO_ID,
                               .run = NO_ID,
                               .argument_count = 2,
                               .arguments = arguments,
                               .more_flow_count = 2,
                               .more_flows = flows };
        status code = STATUS_OK;

        start_announced(state);
        memory_fail_at(nth);
        for (open_id i = 0; i < 200 && code == STATUS_OK; i++) {
            code = i % 2 ? sink_slice(&sink, &slice) : sink_begin(&sink, i, NO_ID, &slice);
            if (code == STATUS_OK)
                code = sink.calls->instant(sink.self, &slice);
            if (code == STATUS_OK)
                code = sink.calls->counter(sink.self, 0, 1, 2);
        }
        if (code == STATUS_OK)
            code = sink.calls->loss(sink.self, &losses);
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
        cmocka_unit_test_setup_teardown(test_many_slices, start_announced, stop),
        cmocka_unit_test_setup_teardown(test_begin_and_end, start_announced, stop),
        cmocka_unit_test_setup_teardown(test_instants, start_announced, stop),
        cmocka_unit_test_setup_teardown(test_counters, start_announced, stop),
        cmocka_unit_test_setup_teardown(test_arguments_beyond_a_chunk, start_announced, stop),
        cmocka_unit_test_setup_teardown(test_flows, start_announced, stop),
        cmocka_unit_test_setup_teardown(test_no_memory, start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
