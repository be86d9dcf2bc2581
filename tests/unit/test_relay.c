/* test_relay.c: through a relay a writer gets the same calls in the same order, and what it says comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/map.h"
#include "base/memory.h"
#include "write/relay.h"

enum { MOST_ARGUMENTS = 20000, MOST_FLOWS = 9 };

/* A writer that mixes all that it hears into one number, and may fail. */
struct listener {
    uint64_t heard;    /* all of it, in order */
    uint64_t calls;    /* so far */
    uint64_t fails_at; /* call; 0: none */
    bool finished;     /* it was */
    unsigned *freed;   /* counts */
};

static status hear(struct listener *listener, uint64_t what, uint64_t more)
{
    listener->heard = map_mix(map_mix(listener->heard, what), more);
    return ++listener->calls == listener->fails_at ? status_fail(STATUS_OUTPUT, "call %u", (unsigned)listener->calls)
                                                   : STATUS_OK;
}

static status hear_slice(struct listener *listener, uint64_t kind, const struct slice *slice)
{
    uint64_t mixed = map_mix(slice->track, slice->name);

    mixed = map_mix(map_mix(mixed, slice->op), slice->run);
    mixed = map_mix(map_mix(mixed, (uint64_t)slice->start), (uint64_t)slice->end);
    for (uint32_t i = 0; i < slice_flow_count(slice); i++)
        mixed = map_mix(mixed, slice_flow(slice, i));
    for (uint32_t i = 0; i < slice->argument_count; i++)
        mixed = map_mix(map_mix(mixed, slice->arguments[i].key), (uint64_t)slice->arguments[i].integer);
    return hear(listener, kind, mixed);
}

static status on_track(void *self, const struct track *track)
{
    return hear(self, 1, track->id);
}

static status on_slice(void *self, const struct slice *slice)
{
    return hear_slice(self, 2, slice);
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    return hear_slice(self, map_mix(map_mix(3, id), parent), slice);
}

static status on_end(void *self, open_id id, int64_t time)
{
    return hear(self, map_mix(4, id), (uint64_t)time);
}

static status on_instant(void *self, const struct slice *slice)
{
    return hear_slice(self, 5, slice);
}

static status on_counter(void *self, track_id track, int64_t time, int64_t value)
{
    return hear(self, map_mix(map_mix(6, track), (uint64_t)time), (uint64_t)value);
}

static status on_finish(void *self)
{
    ((struct listener *)self)->finished = true;
    return hear(self, 7, 0);
}

static status on_note(void *self, const char *input, const char *text)
{
    return hear(self, (uint64_t)*input, (uint64_t)*text);
}

static void on_free(void *self)
{
    ++*((struct listener *)self)->freed;
}

static uint64_t count_events(const void *self)
{
    return ((const struct listener *)self)->calls;
}

static struct writer listen_to(struct listener *listener)
{
    static const struct sink_calls calls = {
        .track = on_track,
        .slice = on_slice,
        .begin = on_begin,
        .end = on_end,
        .instant = on_instant,
        .counter = on_counter,
        .finish = on_finish,
        .keys = 1 << KEY_BYTES,
    };
    static const struct writer_beside beside = { .note = on_note };

    return (struct writer){ { &calls, listener }, listener, on_free, count_events, &beside };
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static status push_slice(const struct sink *sink, uint64_t *state)
{
    static struct argument arguments[MOST_ARGUMENTS];
    uint32_t flows[MOST_FLOWS];
    struct slice slice = { .track = (track_id)(next_random(state) % 7), .op = NO_ID, .run = 3 };
    uint64_t kind = next_random(state) % 3;

    slice.start = (int64_t)next_random(state);
    slice.end = slice.start + (int64_t)next_random(state);
    slice.argument_count = (uint32_t)(next_random(state) % 5);
    if (next_random(state) % 5000 == 0)
        slice.argument_count = (uint32_t)(next_random(state) % MOST_ARGUMENTS); /* more than a batch has room for */
    slice.arguments = slice.argument_count ? arguments : NULL;
    for (uint32_t i = 0; i < slice.argument_count; i++)
        arguments[i] = (struct argument){ .key = (string_id)i, .integer = (int64_t)next_random(state) };
    slice.flow = (uint32_t)(next_random(state) % 2);
    slice.more_flow_count = slice.flow ? (uint32_t)(next_random(state) % MOST_FLOWS) : 0;
    slice.more_flows = slice.more_flow_count ? flows : NULL;
    for (uint32_t i = 0; i < slice.more_flow_count; i++)
        flows[i] = (uint32_t)next_random(state);
    if (kind == 0)
        return sink_slice(sink, &slice);
    return kind == 1 ? sink_begin(sink, (open_id)(next_random(state) % 99), NO_ID, &slice)
                     : SINK_CALL(sink, instant, &slice);
}

/* Calls of every kind, in any order. */
static status push(const struct writer *writer, uint64_t state, unsigned count)
{
    const struct sink *sink = &writer->sink;
    status code = STATUS_OK;

    for (unsigned i = 0; i < count && code == STATUS_OK; i++) {
        uint64_t kind = next_random(&state) % 100;

        if (kind == 0)
            code = SINK_CALL(sink, track, &(struct track){ .id = i });
        else if (kind == 1)
            code = writer->beside->note(writer->self, "a", "b");
        else if (kind < 60)
            code = push_slice(sink, &state);
        else if (kind < 80)
            code = sink_end(sink, (open_id)(next_random(&state) % 99), (int64_t)next_random(&state));
        else
            code = SINK_CALL(sink, counter, (track_id)kind, (int64_t)next_random(&state), -5);
    }
    return code == STATUS_OK ? sink_finish(sink) : code;
}

static void test_same_calls(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        unsigned freed = 0;
        struct listener direct = { .freed = &freed }, relayed = { .freed = &freed };
        struct writer one = listen_to(&direct), other = listen_to(&relayed);

        assert_int_equal(relay_writer(&other), STATUS_OK);
        assert_int_equal(other.sink.calls->keys, 1 << KEY_BYTES);
        assert_null(other.sink.calls->clock);
        assert_int_equal(push(&one, seed, 60000), STATUS_OK);
        assert_int_equal(push(&other, seed, 60000), STATUS_OK);
        assert_true(direct.finished && relayed.finished);
        assert_int_equal(other.events(other.self), one.events(one.self));
        assert_true(direct.heard == relayed.heard);
        writer_free(&one);
        writer_free(&other);
        assert_int_equal(freed, 2);
    }
}

static void test_failure(void **state)
{
    (void)state;
    for (uint64_t fails_at = 1; fails_at < 60000; fails_at = fails_at * 3 + 1) {
        unsigned freed = 0;
        struct listener listener = { .freed = &freed, .fails_at = fails_at };
        struct writer writer = listen_to(&listener);
        char expected[32];

        assert_int_equal(relay_writer(&writer), STATUS_OK);
        assert_int_equal(push(&writer, 3, 60000), STATUS_OUTPUT);
        snprintf(expected, sizeof expected, "call %u", (unsigned)fails_at);
        assert_string_equal(status_message(), expected);
        assert_int_equal(listener.calls, fails_at); /* nothing is handed on behind it */
        assert_false(listener.finished);
        writer_free(&writer);
        assert_int_equal(freed, 1);
    }
}

/* Whoever gives up in the middle frees it as it is. */
static void test_given_up(void **state)
{
    (void)state;
    for (unsigned count = 0; count < 3000; count += 500) {
        unsigned freed = 0;
        struct listener listener = { .freed = &freed };
        struct writer writer = listen_to(&listener);
        uint64_t random = count;

        assert_int_equal(relay_writer(&writer), STATUS_OK);
        for (unsigned i = 0; i < count; i++)
            assert_int_equal(push_slice(&writer.sink, &random), STATUS_OK);
        writer_free(&writer);
        assert_int_equal(freed, 1);
        assert_true(listener.calls <= count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_calls),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_given_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
