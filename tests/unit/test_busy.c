/* test_busy.c: merged busy intervals per track, sums per operator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "tenstorrent/chain.h"
#include "torq/chain.h"
#include "trace/busy.h"

static struct busy busy;
static struct sink sink;

static int start(void **state)
{
    (void)state;
    busy_start(&busy);
    sink = busy_sink(&busy);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    memory_fail_at(0);
    busy_free(&busy);
    return 0;
}

static void add_clock(struct clock clock)
{
    assert_int_equal(sink.calls->clock(sink.self, (clock_id)busy.clocks.count, &clock), STATUS_OK);
}

static track_id add_track(track_id parent, enum track_kind kind, const struct engine *engine, clock_id clock)
{
    struct track track = {
        .id = (track_id)busy.tracks.count, .parent = parent, .kind = kind, .engine = engine, .clock = clock
    };

    assert_int_equal(sink.calls->track(sink.self, &track), STATUS_OK);
    return track.id;
}

static void add_operator(void)
{
    struct op op = { .id = (operator_id)busy.operators.count };

    assert_int_equal(sink.calls->op(sink.self, &op), STATUS_OK);
}

static void add_slice(track_id track, operator_id op, int64_t from, int64_t to, int64_t bytes)
{
    struct argument argument = argument_integer(KEY_BYTES, bytes);
    struct slice slice = {
        .track = track,
        .op = op,
        .run = NO_ID,
        .start = from,
        .end = to,
        .argument_count = bytes ? 1 : 0,
        .arguments = &argument,
    };

    assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
}

/* An input with one DMA track and one slice track, as a reader announces it. */
static track_id process, dma, compute;

static void add_input(void)
{
    add_clock(clock_of_mhz(800, 1, 0));
    process = add_track(NO_ID, TRACK_PROCESS, &torq_engine_runtime, NO_ID);
    dma = add_track(process, TRACK_SLICES, &torq_engine_dma_in, 0);
    compute = add_track(process, TRACK_SLICES, &torq_engine_slice, 0);
    add_operator();
    add_operator();
}

static void test_union_and_bytes(void **state)
{
    (void)state;
    add_input();
    add_slice(dma, NO_ID, 0, 10, 100);
    add_slice(dma, NO_ID, 5, 20, 0);
    add_slice(dma, NO_ID, 20, 30, 11);
    add_slice(dma, NO_ID, 40, 40, 0);
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    assert_int_equal(busy_track(&busy, dma)->slices, 4);
    assert_int_equal(busy_track(&busy, dma)->bytes, 111);
    assert_int_equal(intervals_length(&busy_track(&busy, dma)->set), 30);
    assert_int_equal(intervals_count(&busy_track(&busy, dma)->set), 1);
    assert_int_equal(busy_track(&busy, dma)->set.last, 40);
    assert_int_equal(busy_track(&busy, compute)->slices, 0);
}

/* Anybody may use the key: only numbers of bytes are added up. */
static void test_bytes_of_other_types(void **state)
{
    const struct argument arguments[] = {
        { .key = KEY_BYTES, .type = ARGUMENT_TEXT, .text = 7 },
        { .key = KEY_BYTES, .type = ARGUMENT_JSON, .text = 7 },
        { .key = KEY_BYTES, .type = ARGUMENT_DECIMAL, .decimal = 1e9 },
        { .key = KEY_BYTES, .type = ARGUMENT_BOOLEAN, .boolean = true },
        { .key = KEY_BYTES, .type = ARGUMENT_POINTER, .natural = 4096 },
        { .key = KEY_BYTES, .type = ARGUMENT_UNSIGNED, .natural = UINT64_MAX },
        argument_integer(KEY_BYTES, INT64_MIN),
        { .key = KEY_BYTES, .type = ARGUMENT_UNSIGNED, .natural = 5 },
        argument_integer(KEY_BYTES, 6),
    };

    (void)state;
    add_input();
    for (unsigned i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        struct slice slice = {
            .track = dma, .op = NO_ID, .run = NO_ID, .end = 1, .argument_count = 1, .arguments = &arguments[i]
        };

        assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
    }
    assert_int_equal(busy_track(&busy, dma)->bytes, 11);
}

/* What a damaged file says may be huge: sums stay at the end of the range. */
static void test_huge_counts(void **state)
{
    (void)state;
    add_input();
    for (unsigned i = 0; i < 3; i++)
        add_slice(dma, 0, 0, INT64_MAX / 2, INT64_MAX / 2);
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    assert_int_equal(busy_track(&busy, dma)->bytes, INT64_MAX);
    assert_int_equal(busy_share(&busy, 0)->bytes, INT64_MAX);
    assert_int_equal(intervals_length(&busy_track(&busy, dma)->set), INT64_MAX / 2);
}

static void test_rows_out_of_order(void **state)
{
    (void)state;
    add_input();
    for (int64_t i = 999; i >= 0; i--)
        add_slice(dma, NO_ID, i * 10, i * 10 + 4, 0);
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    assert_int_equal(intervals_count(&busy_track(&busy, dma)->set), 1000);
    assert_int_equal(intervals_length(&busy_track(&busy, dma)->set), 4000);
}

static void test_shares_of_operators(void **state)
{
    const struct busy_share *share;

    (void)state;
    add_input();
    add_slice(dma, 0, 0, 10, 64);
    add_slice(dma, 0, 5, 15, 64);
    add_slice(dma, 1, 0, 100, 0);
    add_slice(compute, 0, 10, 30, 0);
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    assert_int_equal(busy.shares.count, 3);
    /* The newest share of an operator comes first. */
    share = busy_share(&busy, busy_operator(&busy, 0)->first_share);
    assert_int_equal(share->track, compute);
    assert_int_equal(intervals_length(&share->set), 20);
    share = busy_share(&busy, share->next);
    assert_int_equal(share->track, dma);
    assert_int_equal(share->slices, 2);
    assert_int_equal(share->bytes, 128);
    assert_int_equal(intervals_length(&share->set), 15);
    assert_int_equal(share->next, NO_ID);
}

/* A child on its parent's track does not lengthen the union; its own share still counts. */
static void test_begin_and_end(void **state)
{
    struct slice outer, inner;

    (void)state;
    add_input();
    outer = (struct slice){ .track = compute, .op = 0, .run = NO_ID, .start = 10 };
    inner = (struct slice){ .track = compute, .op = 1, .run = NO_ID, .start = 20 };
    assert_int_equal(sink_begin(&sink, 3, NO_ID, &outer), STATUS_OK);
    assert_int_equal(sink_begin(&sink, 40, 3, &inner), STATUS_OK);
    assert_int_equal(sink_end(&sink, 40, 30), STATUS_OK);
    assert_int_equal(sink_end(&sink, 3, 50), STATUS_OK);
    /* An end before its begin counts as nothing, not as a negative length. */
    outer.start = 60;
    assert_int_equal(sink_begin(&sink, 3, NO_ID, &outer), STATUS_OK);
    assert_int_equal(sink_end(&sink, 3, 55), STATUS_OK);
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    assert_int_equal(busy_track(&busy, compute)->slices, 3);
    assert_int_equal(intervals_length(&busy_track(&busy, compute)->set), 40);
    assert_int_equal(intervals_length(&busy_share(&busy, busy_operator(&busy, 1)->first_share)->set), 10);
}

static int64_t own_of(operator_id op)
{
    return intervals_length(busy_own(&busy, busy_share(&busy, busy_operator(&busy, op)->first_share)));
}

/* Zones: the own time of an outer one is what its inner ones leave; a zone inside one of the same operator is not counted twice. */
static void test_own_time_of_nested_slices(void **state)
{
    struct slice slice = { .run = NO_ID };
    track_id thread;

    (void)state;
    add_input();
    thread = add_track(process, TRACK_SLICES, &engine_thread, 0);
    slice.track = thread;
    for (int64_t at = 0; at < 200; at += 100) {
        slice.op = 0, slice.start = at;
        assert_int_equal(sink_begin(&sink, 0, NO_ID, &slice), STATUS_OK);
        slice.op = 1, slice.start = at + 10;
        assert_int_equal(sink_begin(&sink, 1, 0, &slice), STATUS_OK);
        slice.op = 0, slice.start = at + 20;
        assert_int_equal(sink_begin(&sink, 2, 1, &slice), STATUS_OK);
        assert_int_equal(sink_end(&sink, 2, at + 25), STATUS_OK);
        assert_int_equal(sink_end(&sink, 1, at + 40), STATUS_OK);
        slice.op = 1, slice.start = at + 40;
        assert_int_equal(sink_begin(&sink, 1, 0, &slice), STATUS_OK);
        assert_int_equal(sink_end(&sink, 1, at + 45), STATUS_OK);
        assert_int_equal(sink_end(&sink, 0, at + 60), STATUS_OK);
    }
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    assert_int_equal(intervals_length(&busy_track(&busy, thread)->set), 120);
    assert_int_equal(own_of(0), 2 * (10 + 5 + 15));
    assert_int_equal(own_of(1), 2 * (10 + 15 + 5));
    assert_int_equal(intervals_length(&busy_share(&busy, busy_operator(&busy, 0)->first_share)->set), 120);
}

/* Drawn tracks, tracks of a library's user, groups and counters are in no sum; those of the user are counted. Envelopes are, without operators. */
static void test_what_is_kept(void **state)
{
    static const struct engine *const out[] = { &engine_overview, &engine_operators, &engine_estimate, &engine_counter,
                                                &engine_custom };
    track_id task, group;

    (void)state;
    add_input();
    for (unsigned i = 0; i < sizeof out / sizeof *out; i++) {
        track_id track = add_track(process, TRACK_SLICES, out[i], 0);

        add_slice(track, 0, 0, 1000, 5);
        assert_false(busy_track(&busy, track)->kept);
        assert_int_equal(busy_track(&busy, track)->slices, out[i] == &engine_custom);
    }
    group = add_track(process, TRACK_GROUP, &torq_engine_slice, 0);
    assert_false(busy_track(&busy, group)->kept);
    task = add_track(group, TRACK_SLICES, &torq_engine_task, 0);
    add_slice(task, 0, 5, 9, 0);
    assert_true(busy_track(&busy, task)->kept);
    assert_false(busy_track(&busy, task)->work);
    assert_int_equal(busy_track(&busy, task)->process, process); /* through the group */
    assert_int_equal(busy.shares.count, 0);
}

static void test_several_inputs_and_forgetting(void **state)
{
    track_id second, other;

    (void)state;
    add_input();
    add_slice(dma, 0, 0, 10, 0);
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    busy_forget(&busy);
    assert_null(busy_clock(&busy, process));
    assert_int_equal(busy_operator(&busy, 0)->first_share, NO_ID);

    add_clock(clock_microseconds(0));
    second = add_track(NO_ID, TRACK_PROCESS, &torq_engine_runtime, NO_ID);
    other = add_track(second, TRACK_SLICES, &torq_engine_job, 1);
    add_slice(other, 0, 7, 9, 0);
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    assert_int_equal(busy_clock(&busy, second)->numerator, 1000);
    assert_int_equal(intervals_length(&busy_share(&busy, busy_operator(&busy, 0)->first_share)->set), 2);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (uint64_t nth = 1; nth < 40; nth++) {
        struct clock clock = clock_nanoseconds(0);
        struct track root = { .parent = NO_ID, .kind = TRACK_PROCESS };
        struct track track = { .id = 1, .parent = 0, .kind = TRACK_SLICES, .engine = &torq_engine_css };
        struct op op = { 0 };
        struct slice slice = { .track = 1, .run = NO_ID, .end = 5 };
        status code;

        memory_fail_at(nth);
        code = sink.calls->clock(sink.self, 0, &clock);
        code = code == STATUS_OK ? sink.calls->track(sink.self, &root) : code;
        code = code == STATUS_OK ? sink.calls->track(sink.self, &track) : code;
        code = code == STATUS_OK ? sink.calls->op(sink.self, &op) : code;
        code = code == STATUS_OK ? sink_begin(&sink, 100, NO_ID, &slice) : code;
        for (int64_t i = 0; i < 50 && code == STATUS_OK; i++) {
            slice.start = 5000 - i * 100;
            slice.end = slice.start + 50;
            code = sink_slice(&sink, &slice);
        }
        code = code == STATUS_OK ? busy_settle(&busy) : code;
        memory_fail_at(0);
        busy_free(&busy);
        if (code == STATUS_OK) {
            assert_true(nth > 5);
            return;
        }
        assert_int_equal(code, STATUS_MEMORY);
    }
    fail_msg("never enough memory");
}

/* Ticks of two clocks cannot be compared: an input that has both goes on in nanoseconds. */
static void test_several_clocks(void **state)
{
    struct clock chip = clock_of_mhz(1000, 2, 0); /* two ns a tick */
    track_id core;

    (void)state;
    chip.offset = -1000;
    add_input(); /* 1.25 ns a tick */
    add_clock(chip);
    core = add_track(process, TRACK_SLICES, &tenstorrent_engine_risc, 1);
    add_slice(dma, 0, 8, 16, 0);
    add_slice(core, 1, 510, 520, 0);
    add_slice(core, 1, 600, 600, 0);
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    assert_int_equal(busy_track(&busy, dma)->set.first, 10);
    assert_int_equal(intervals_length(&busy_track(&busy, dma)->set), 10);
    assert_int_equal(busy_track(&busy, core)->set.first, 20);
    assert_int_equal(busy_track(&busy, core)->set.last, 200);
    assert_int_equal(intervals_length(&busy_track(&busy, core)->set), 20);
    assert_int_equal(intervals_length(&busy_share(&busy, 1)->set), 20);
    assert_int_equal(busy_clock(&busy, process)->numerator, 1);
    assert_int_equal(busy_clock(&busy, process)->denominator, 1);
    assert_int_equal(busy_settle(&busy), STATUS_OK); /* once is enough */
    assert_int_equal(busy_track(&busy, core)->set.first, 20);
    assert_int_equal(busy.clocks.count, 2); /* the next clock of the feed is number 2 */
}

/* Operators that use far more tracks than are looked at one by one: each track once among the shares, with what came on it. */
static void test_operators_on_many_tracks(void **state)
{
    enum { TRACKS = 100, OPERATORS = 3, SLICES = 5000 };
    uint64_t expected[OPERATORS + 1][TRACKS] = { { 0 } };
    uint64_t random = 5;
    track_id first;

    (void)state;
    add_input();
    add_operator();
    first = (track_id)busy.tracks.count;
    for (unsigned i = 0; i < TRACKS; i++)
        add_track(process, TRACK_SLICES, &torq_engine_slice, 0);
    for (unsigned i = 0; i < SLICES; i++) {
        unsigned track, op;

        random = random * 6364136223846793005u + 1442695040888963407u;
        track = (unsigned)(random >> 33) % TRACKS;
        op = (unsigned)(random >> 50) % (OPERATORS + 1);
        add_slice(first + track, op == OPERATORS ? NO_ID : op, 10 * i, 10 * i + 4, 0);
        expected[op][track]++;
    }
    for (unsigned op = 0; op <= OPERATORS; op++) {
        uint32_t next = op == OPERATORS ? busy.unattributed : busy_operator(&busy, op)->first_share;

        for (; next != NO_ID; next = busy_share(&busy, next)->next) {
            const struct busy_share *share = busy_share(&busy, next);
            uint64_t *count = &expected[op][share->track - first];

            assert_int_equal(share->slices, *count);
            assert_int_equal(intervals_length(&share->set), 4 * *count);
            *count = 0;
        }
        for (unsigned i = 0; i < TRACKS; i++)
            assert_int_equal(expected[op][i], 0);
    }
}

/* Where nobody asks for times: slices are counted, and the input behind it is timed again. */
static void test_counting_only(void **state)
{
    track_id one;

    (void)state;
    add_input();
    one = add_track(process, TRACK_SLICES, &torq_engine_slice, 0);
    busy_count_only(&busy);
    add_slice(one, NO_ID, 0, 10, 64);
    add_slice(add_track(process, TRACK_SLICES, &torq_engine_slice, 0), NO_ID, 5, 15, 64);
    for (track_id id = one; id < busy.tracks.count; id++) {
        assert_int_equal(busy_track(&busy, id)->slices, 1);
        assert_false(busy_track(&busy, id)->set.any);
    }
    assert_int_equal(busy.shares.count, 0);
    busy_forget(&busy);
    one = add_track(process, TRACK_SLICES, &torq_engine_slice, 0);
    add_slice(one, NO_ID, 0, 10, 0);
    assert_int_equal(intervals_length(&busy_track(&busy, one)->set), 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_union_and_bytes, start, stop),
        cmocka_unit_test_setup_teardown(test_bytes_of_other_types, start, stop),
        cmocka_unit_test_setup_teardown(test_huge_counts, start, stop),
        cmocka_unit_test_setup_teardown(test_rows_out_of_order, start, stop),
        cmocka_unit_test_setup_teardown(test_shares_of_operators, start, stop),
        cmocka_unit_test_setup_teardown(test_begin_and_end, start, stop),
        cmocka_unit_test_setup_teardown(test_own_time_of_nested_slices, start, stop),
        cmocka_unit_test_setup_teardown(test_what_is_kept, start, stop),
        cmocka_unit_test_setup_teardown(test_several_inputs_and_forgetting, start, stop),
        cmocka_unit_test_setup_teardown(test_several_clocks, start, stop),
        cmocka_unit_test_setup_teardown(test_operators_on_many_tracks, start, stop),
        cmocka_unit_test_setup_teardown(test_counting_only, start, stop),
        cmocka_unit_test_setup_teardown(test_no_memory, start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
