/* test_range.c: what lies in a range of time, cut at its edges, against what was pushed; and memory that ends anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "job/range.h"
#include "recorder.h"
#include "trace/clock.h"

enum { LINE, VALUES, COMPLETE }; /* tracks: the second counts nanoseconds, the others ticks of 2 ns */

static char counted[256];

static status hear_counter(void *self, track_id track, int64_t time, int64_t value)
{
    size_t length = strlen(counted);

    (void)self;
    assert_int_equal(track, VALUES);
    snprintf(counted + length, sizeof counted - length, "%" PRId64 "=%" PRId64 ";", time, value);
    return STATUS_OK;
}

static status announce(struct sink *sink, struct strings *strings)
{
    struct clock clock = { .name = 0, .numerator = 2, .denominator = 1 };
    struct track line = { .id = LINE, .parent = NO_ID, .clock = 0, .engine = &engine_thread };
    struct track values = {
        .id = VALUES, .parent = NO_ID, .clock = NO_ID, .kind = TRACK_COUNTER, .engine = &engine_counter
    };
    status code = strings_add_text(strings, "line", &line.name);

    values.name = line.name;
    if (code == STATUS_OK)
        code = SINK_CALL(sink, clock, 0, &clock);
    if (code == STATUS_OK)
        code = SINK_CALL(sink, track, &line);
    if (code == STATUS_OK)
        code = SINK_CALL(sink, track, &values);
    line.id = COMPLETE;
    line.index = 1;
    return code == STATUS_OK ? SINK_CALL(sink, track, &line) : code;
}

static struct slice make(string_id name, int64_t start, int64_t end, const struct argument *argument)
{
    return (struct slice){ .track = LINE,
                           .name = name,
                           .op = NO_ID,
                           .run = NO_ID,
                           .start = start,
                           .end = end,
                           .arguments = argument,
                           .argument_count = argument != NULL };
}

/* Begins and ends around a slice that has an argument, instants and values, in ticks: 0 to 100 ns in all. */
static status push(struct range *range, struct strings *strings)
{
    static const char *const names[] = { "outer", "inner", "whole", "early", "late", "key" };
    struct sink sink = range_sink(range);
    string_id ids[6];
    struct argument argument = { .type = ARGUMENT_INTEGER, .integer = 7 };
    struct slice slice;
    status code = announce(&sink, strings);

    for (unsigned i = 0; i < 6 && code == STATUS_OK; i++)
        code = strings_add_text(strings, names[i], &ids[i]);
    if (code != STATUS_OK)
        return code;
    argument.key = ids[5];
#define PUSH(call)           \
    if (code == STATUS_OK) { \
        code = call;         \
    }
    slice = make(ids[0], 0, 0, &argument);
    PUSH(sink_begin(&sink, 0, NO_ID, &slice));
    slice = make(ids[3], 1, 0, NULL);
    PUSH(sink_begin(&sink, 1, 0, &slice));
    PUSH(sink_end(&sink, 1, 5));
    slice = make(ids[1], 6, 0, NULL);
    PUSH(sink_begin(&sink, 1, 0, &slice));
    slice = make(ids[2], 8, 30, &argument);
    slice.track = COMPLETE;
    PUSH(sink_slice(&sink, &slice));
    slice = make(ids[3], 9, 9, NULL);
    PUSH(SINK_CALL(&sink, instant, &slice));
    slice = make(ids[2], 15, 15, NULL);
    PUSH(SINK_CALL(&sink, instant, &slice));
    PUSH(SINK_CALL(&sink, counter, VALUES, 3, 30));
    PUSH(SINK_CALL(&sink, counter, VALUES, 9, 90));
    PUSH(SINK_CALL(&sink, counter, VALUES, 30, 300));
    PUSH(SINK_CALL(&sink, counter, VALUES, 55, 550));
    PUSH(sink_end(&sink, 1, 22));
    slice = make(ids[4], 25, 0, NULL);
    PUSH(sink_begin(&sink, 1, 0, &slice));
    PUSH(sink_end(&sink, 1, 40));
    PUSH(sink_end(&sink, 0, 50));
    PUSH(range_settle(range));
#undef PUSH
    return code;
}

static status run(struct recorder *recorder, int64_t begin, int64_t end, uint64_t cuts[2])
{
    struct sink_calls heard = recorder_calls;
    struct range range = { .arguments = NULL };
    status code;

    *counted = '\0';
    heard.counter = hear_counter;
    code = range_start(&range, (struct sink){ &heard, recorder }, recorder->strings);
    range_set(&range, begin, end);
    if (code == STATUS_OK)
        code = push(&range, recorder->strings);
    cuts[0] = range.at_begin;
    cuts[1] = range.at_end;
    range_free(&range);
    return code;
}

static void check(int64_t begin, int64_t end, const char *expected, const char *values, uint64_t at_begin,
                  uint64_t at_end, unsigned instants)
{
    struct recorder *recorder = recorder_new();
    uint64_t cuts[2];

    assert_int_equal(run(recorder, begin, end, cuts), STATUS_OK);
    assert_string_equal(recorder_text(recorder), expected);
    assert_string_equal(counted, values);
    assert_int_equal(cuts[0], at_begin);
    assert_int_equal(cuts[1], at_end);
    assert_int_equal(recorder->instants, instants);
    recorder_free(recorder);
}

static void test_an_open_range_lets_all_through(void **state)
{
    (void)state;
    check(INT64_MIN, INT64_MAX,
          "thread 0 | outer | 0..100 | - | key=7\n"
          "thread 0 | early | 2..10 | - |  | in outer\n"
          "thread 0 | inner | 12..44 | - |  | in outer\n"
          "thread 1 | whole | 16..60 | - | key=7\n"
          "thread 0 | late | 50..80 | - |  | in outer\n",
          "3=30;9=90;30=300;55=550;", 0, 0, 2);
}

static void test_what_reaches_over_an_edge_is_cut_there(void **state)
{
    (void)state;
    check(20, 48,
          "thread 1 | whole | 20..48 | - | key=7 cut=both\n"
          "thread 0 | outer | 20..48 | - | key=7 cut=begin\n"
          "thread 0 | inner | 20..44 | - | cut=begin | in outer\n",
          "20=90;30=300;", 3, 2, 1);
}

static void test_what_touches_the_range_is_outside(void **state)
{
    (void)state;
    check(10, 12, "thread 0 | outer | 10..12 | - | key=7 cut=begin\n", "10=90;", 1, 1, 0);
    check(100, 200, "", "100=550;", 0, 0, 0);
}

static void test_values_before_the_range_are_told_at_its_begin(void **state)
{
    (void)state;
    check(9, 10,
          "thread 0 | outer | 9..10 | - | key=7 cut=begin\n"
          "thread 0 | early | 9..10 | - | cut=begin | in outer\n",
          "9=90;", 2, 1, 0);
}

static void test_no_memory_anywhere_is_told(void **state)
{
    status code = STATUS_MEMORY;
    uint64_t cuts[2];

    (void)state;
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        struct recorder *recorder = recorder_new();

        memory_fail_at(nth);
        code = run(recorder, 20, 48, cuts);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        recorder_free(recorder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_open_range_lets_all_through),
        cmocka_unit_test(test_what_reaches_over_an_edge_is_cut_there),
        cmocka_unit_test(test_what_touches_the_range_is_outside),
        cmocka_unit_test(test_values_before_the_range_are_told_at_its_begin),
        cmocka_unit_test(test_no_memory_anywhere_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
