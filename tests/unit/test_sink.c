/* test_sink.c: the tee: whatever is pushed reaches every sink, once and in order, and the first failure stops it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "trace/sink.h"

enum { SINKS = 10, CALLS = 11 };

/* A sink that writes down the letter of each call, and may fail at one of them. */
struct listener {
    char heard[64];
    size_t count;
    char fails_at;   /* letter of the call that fails; 0: none */
    unsigned *order; /* calls so far over all listeners */
    unsigned last;   /* number of the call that came last */
};

static struct listener listeners[SINKS];
static unsigned order;

static status hear(void *self, char letter)
{
    struct listener *listener = self;

    assert_true(listener->count + 1 < sizeof listener->heard);
    listener->heard[listener->count++] = letter;
    listener->heard[listener->count] = '\0';
    listener->last = ++*listener->order;
    return letter == listener->fails_at ? status_fail(STATUS_OUTPUT, "%c", letter) : STATUS_OK;
}

static status hear_clock(void *self, clock_id id, const struct clock *clock)
{
    assert_true(id == 1 && clock->numerator == 2);
    return hear(self, 'c');
}

static status hear_track(void *self, const struct track *track)
{
    assert_int_equal(track->order, 3);
    return hear(self, 't');
}

static status hear_operator(void *self, const struct op *op)
{
    assert_int_equal(op->line, 4);
    return hear(self, 'o');
}

static status hear_run(void *self, const struct run *run)
{
    assert_int_equal(run->index, 5);
    return hear(self, 'r');
}

static status hear_slice(void *self, const struct slice *slice)
{
    assert_int_equal(slice->start, 6);
    return hear(self, 's');
}

static status hear_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    assert_true(id == 7 && parent == 8 && slice->start == 6);
    return hear(self, 'b');
}

static status hear_end(void *self, open_id id, int64_t time)
{
    assert_true(id == 7 && time == 9);
    return hear(self, 'e');
}

static status hear_instant(void *self, const struct slice *slice)
{
    assert_int_equal(slice->start, 6);
    return hear(self, 'i');
}

static status hear_counter(void *self, track_id track, int64_t time, int64_t value)
{
    assert_true(track == 10 && time == 11 && value == 12);
    return hear(self, 'v');
}

static status hear_loss(void *self, const struct losses *losses)
{
    assert_int_equal(losses->rows, 13);
    return hear(self, 'l');
}

static status hear_finish(void *self)
{
    return hear(self, 'f');
}

#define CALLS_OF_SLICES .slice = hear_slice, .begin = hear_begin, .end = hear_end
#define OTHER_CALLS                                                                                          \
    .clock = hear_clock, .track = hear_track, .op = hear_operator, .run = hear_run, .instant = hear_instant, \
    .counter = hear_counter, .loss = hear_loss, .finish = hear_finish

static const struct sink_calls all_calls = { OTHER_CALLS, CALLS_OF_SLICES };
static const struct sink_calls no_slices = { OTHER_CALLS };
static const struct sink_calls only_begins = { .begin = hear_begin };
static const struct sink_calls only_ends = { .end = hear_end };
static const struct sink_calls only_slices = { .slice = hear_slice };
static const struct sink_calls nothing = { 0 };

static int start(void **state)
{
    (void)state;
    order = 0;
    for (int i = 0; i < SINKS; i++)
        listeners[i] = (struct listener){ .order = &order };
    return 0;
}

static struct sink sink_of(int index)
{
    static const struct sink_calls *const kinds[SINKS] = {
        &all_calls, &no_slices,   &only_begins, &nothing, &all_calls,
        &only_ends, &only_slices, &all_calls,   &nothing, &all_calls
    };

    return (struct sink){ kinds[index], &listeners[index] };
}

/* Every call once; stops at the first failure. `*done` counts those that went well. */
static status push_all(struct sink sink, unsigned *done)
{
    const struct clock clock = { .numerator = 2 };
    const struct track track = { .order = 3 };
    const struct op op = { .line = 4 };
    const struct run run = { .index = 5 };
    const struct slice slice = { .start = 6, .end = 6 };
    const struct losses losses = { .rows = 13 };
    status code = STATUS_OK;

    *done = 0;
#define PUSH(call)         \
    if (code == STATUS_OK) \
        code = (call);     \
    *done += code == STATUS_OK;
    PUSH(SINK_CALL(&sink, clock, 1, &clock))
    PUSH(SINK_CALL(&sink, track, &track))
    PUSH(SINK_CALL(&sink, op, &op))
    PUSH(SINK_CALL(&sink, run, &run))
    PUSH(sink_slice(&sink, &slice))
    PUSH(sink_begin(&sink, 7, 8, &slice))
    PUSH(sink_end(&sink, 7, 9))
    PUSH(SINK_CALL(&sink, instant, &slice))
    PUSH(SINK_CALL(&sink, counter, 10, 11, 12))
    PUSH(SINK_CALL(&sink, loss, &losses))
    PUSH(sink_finish(&sink))
#undef PUSH
    return code;
}

static void ten_sinks_hear_what_they_take(void **state)
{
    static const char *const expected[SINKS] = { "ctorsbeivlf", "ctorivlf", "b",           "", "ctorsbeivlf",
                                                 "e",           "s",        "ctorsbeivlf", "", "ctorsbeivlf" };
    struct tee tee = { 0 };
    unsigned done;

    (void)state;
    for (int i = 0; i < SINKS; i++)
        assert_int_equal(tee_add(&tee, sink_of(i)), STATUS_OK);
    assert_int_equal(push_all(tee_sink(&tee), &done), STATUS_OK);
    assert_int_equal(done, CALLS);
    for (int i = 0; i < SINKS; i++)
        assert_string_equal(listeners[i].heard, expected[i]);
    assert_true(listeners[0].last < listeners[4].last && listeners[4].last < listeners[7].last); /* in turn */
    tee_free(&tee);
    assert_int_equal(tee.all.count, 0);
    assert_null(tee.all.sinks);
    tee_free(&tee);
}

static void an_empty_tee_takes_everything(void **state)
{
    struct tee tee = { 0 };
    unsigned done;

    (void)state;
    assert_int_equal(push_all(tee_sink(&tee), &done), STATUS_OK);
    assert_int_equal(done, CALLS);
    tee_free(&tee);
}

/* Each call fails in each place: those before have heard it, those behind have not. */
static void the_first_failure_stops(void **state)
{
    static const char letters[] = "ctorsbeivlf";
    static const int whole[] = { 0, 4, 7, 9 }; /* that take all calls */

    for (unsigned call = 0; call < CALLS; call++) {
        for (unsigned place = 0; place < 4; place++) {
            struct tee tee = { 0 };
            unsigned done;

            start(state);
            listeners[whole[place]].fails_at = letters[call];
            for (int i = 0; i < SINKS; i++)
                assert_int_equal(tee_add(&tee, sink_of(i)), STATUS_OK);
            assert_int_equal(push_all(tee_sink(&tee), &done), STATUS_OUTPUT);
            assert_int_equal(done, call);
            for (unsigned i = 0; i < 4; i++)
                assert_int_equal(listeners[whole[i]].count, i <= place ? call + 1 : call);
            tee_free(&tee);
        }
    }
}

static void adding_may_fail(void **state)
{
    (void)state;
    for (uint64_t nth = 1;; nth++) {
        struct tee tee = { 0 };
        status code = STATUS_OK;

        memory_fail_at(nth);
        for (int i = 0; i < 40 && code == STATUS_OK; i++)
            code = tee_add(&tee, sink_of(i % SINKS));
        memory_fail_at(0);
        tee_free(&tee);
        if (code == STATUS_OK) {
            assert_true(nth > 4); /* each of the lists had to grow */
            return;
        }
        assert_int_equal(code, STATUS_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(ten_sinks_hear_what_they_take, start),
        cmocka_unit_test_setup(an_empty_tee_takes_everything, start),
        cmocka_unit_test_setup(the_first_failure_stops, start),
        cmocka_unit_test_setup(adding_may_fail, start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
