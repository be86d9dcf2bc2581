/* test_perfetto_whole.c: slices that Tacho wrote are read as they were: names that operators share, what these say, and slices in slices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "read/perfetto.h"
#include "recorder.h"
#include "trace/clock.h"
#include "write/writer.h"

enum { PROCESS, LINE, OPERATORS = 200, NAMES = 5, SLICES = 4000 };

static struct recorder *told, *read_back;
static struct strings *strings;
static struct output *output;
static struct writer writer;
static struct sink both_sinks[2]; /* the writer, and a recorder of what it was told */
static uint64_t dice;

static unsigned roll(unsigned sides)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(dice >> 33) % sides;
}

static string_id numbered(const char *text, unsigned number)
{
    string_id id;

    assert_int_equal(strings_add_format(strings, &id, "%s %u", text, number), STATUS_OK);
    return id;
}

/* ---- What is written ---- */

static status to_both(status (*call)(const struct sink *sink, const void *what), const void *what)
{
    status code = call(&both_sinks[0], what);

    return code == STATUS_OK ? call(&both_sinks[1], what) : code;
}

static status tell_track(const struct sink *sink, const void *track)
{
    return SINK_CALL(sink, track, track);
}

static status tell_operator(const struct sink *sink, const void *op)
{
    return SINK_CALL(sink, op, op);
}

static status tell_slice(const struct sink *sink, const void *slice)
{
    return sink_slice(sink, slice);
}

static void announce(void)
{
    const struct clock clock = clock_nanoseconds(0);
    const struct track process = { .id = PROCESS, .parent = NO_ID, .clock = NO_ID, .kind = TRACK_PROCESS };
    const struct track line = {
        .id = LINE, .parent = PROCESS, .clock = 0, .kind = TRACK_SLICES, .engine = &engine_custom
    };

    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(SINK_CALL(&both_sinks[i], clock, 0, &clock), STATUS_OK);
    assert_int_equal(to_both(tell_track, &process), STATUS_OK);
    assert_int_equal(to_both(tell_track, &line), STATUS_OK);
    for (unsigned i = 0; i < OPERATORS; i++) {
        struct op op = { .id = i, .name = i % 3 ? numbered("operator", i) : numbered("name", 0) };

        op.location = i % 3 ? numbered("loc", i) : 0;
        op.type = i % 2 ? numbered("type", i % 4) : 0;
        assert_int_equal(to_both(tell_operator, &op), STATUS_OK);
    }
}

/* Most slices have the operator of the last one of their name. Some have arguments of their own; those of operators without a place may have one that
 * another operator of that name has said before. */
static void push(int64_t start, int64_t end, operator_id *ops)
{
    const unsigned name = roll(NAMES);
    struct argument arguments[2] = {
        { .type = ARGUMENT_TEXT, .text = numbered("loc", 1 + roll(2)) },
        { .key = numbered("key", roll(3)), .type = ARGUMENT_INTEGER, .integer = (int64_t)roll(1u << roll(30)) },
    };
    struct slice slice = { .track = LINE, .run = NO_ID, .start = start, .end = end };

    if (!roll(name ? 20 : 8))
        ops[name] = roll(10) ? roll(roll(2) ? 4 : OPERATORS) : NO_ID;
    slice.name = numbered("name", name);
    slice.op = ops[name];
    arguments[0].key = slice.op != NO_ID && slice.op % 3 ? numbered("text", roll(2)) : KEY_LOCATION;
    slice.arguments = arguments;
    slice.argument_count = roll(3);
    assert_int_equal(to_both(tell_slice, &slice), STATUS_OK);
}

static void push_all(void)
{
    operator_id ops[NAMES] = { 2, 2, 2, 2, 2 }; /* it has a place, and no name that slices say */
    int64_t now = 0;

    for (unsigned i = 0; i < SLICES; i++) {
        int64_t length = roll(1000);

        push(now, now + length, ops);
        if (length > 100 && !roll(4)) { /* two in it, and the second one as long as it */
            push(now + 10, now + 40, ops);
            push(now + 50, now + length, ops);
            i += 2;
        }
        now += length + roll(100);
    }
}

/* ---- Reading ---- */

static void read_all(void)
{
    struct source source;
    struct feed feed;
    struct input *input;
    size_t length;
    const char *data;

    assert_int_equal(sink_finish(&writer.sink), STATUS_OK);
    data = output_memory(output, &length);
    assert_non_null(data);
    assert_int_equal(input_open_memory("t.pb", data, length, &input), STATUS_OK);
    source = (struct source){ .input = input, .path = "t.pb", .display = "t.pb" };
    feed_start(&feed, (struct sink){ &recorder_calls, read_back }, strings);
    assert_int_equal(perfetto_reader.read(&source, &feed), STATUS_OK);
    assert_int_equal(feed_input_end(&feed), STATUS_OK);
    feed_free(&feed);
    input_close(input);
}

static void check_operator(operator_id wanted, operator_id got)
{
    assert_int_equal(wanted == NO_ID, got == NO_ID);
    if (wanted == NO_ID)
        return;
    assert_int_equal(told->operators[wanted].name, read_back->operators[got].name);
    assert_int_equal(told->operators[wanted].location, read_back->operators[got].location);
    assert_int_equal(told->operators[wanted].type, read_back->operators[got].type);
}

static void check_slice(const struct recorded *wanted, const struct recorded *got)
{
    assert_int_equal(wanted->slice.start, got->slice.start);
    assert_int_equal(wanted->slice.end, got->slice.end);
    assert_int_equal(wanted->slice.name, got->slice.name);
    check_operator(wanted->slice.op, got->slice.op);
    assert_int_equal(wanted->slice.argument_count, got->slice.argument_count);
    for (unsigned i = 0; i < wanted->slice.argument_count; i++) {
        assert_int_equal(wanted->arguments[i].key, got->arguments[i].key);
        assert_int_equal(wanted->arguments[i].type, got->arguments[i].type);
        assert_int_equal(wanted->arguments[i].natural, got->arguments[i].natural);
    }
}

static void slices_come_back_as_they_were(void **state)
{
    (void)state;
    announce();
    push_all();
    read_all();
    assert_int_equal(told->count, read_back->count);
    for (unsigned i = 0; i < told->count; i++)
        check_slice(&told->slices[i], &read_back->slices[i]);
    assert_int_equal(read_back->losses.lost, 0);
}

/* ---- Set-up ---- */

static int open_trace(void **state)
{
    const struct writer_options options = { .arguments = true };

    (void)state;
    dice = 1;
    strings = model_strings();
    told = memory_allocate_clear(sizeof *told);
    read_back = memory_allocate_clear(sizeof *read_back);
    if (!strings || !told || !read_back || output_open_memory(&output) != STATUS_OK ||
        perfetto_format.open(output, strings, &options, &writer) != STATUS_OK)
        return -1;
    told->strings = read_back->strings = strings;
    both_sinks[0] = writer.sink;
    both_sinks[1] = (struct sink){ &recorder_calls, told };
    return 0;
}

static int close_trace(void **state)
{
    (void)state;
    writer_free(&writer);
    output_abandon(output);
    memory_free(told);
    memory_free(read_back);
    strings_free(strings);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(slices_come_back_as_they_were, open_trace, close_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
