/* test_perfetto.c: the Perfetto writer: its packets are read back and compared with what went in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/clock.h"
#include "write/writer.h"

#include "perfetto_reader.h"
#include "torq/chain.h"

/* --- a trace to write --------------------------------------------------------------------------------------------- */

struct fixture {
    struct strings *strings;
    struct output *output;
    struct writer writer;
};

enum { PROCESS, GROUP, LINE, OTHER, OVERVIEW, MEMORY, ENGINES }; /* tracks */

static void open_writer(struct fixture *fixture, bool arguments)
{
    const struct writer_options options = { .arguments = arguments };

    fixture->strings = model_strings();
    assert_non_null(fixture->strings);
    assert_int_equal(output_open_memory(&fixture->output), STATUS_OK);
    assert_int_equal(perfetto_format.open(fixture->output, fixture->strings, &options, &fixture->writer), STATUS_OK);
}

static string_id text_id(struct strings *strings, const char *text)
{
    string_id id = 0;

    assert_int_equal(strings_add_text(strings, text, &id), STATUS_OK);
    return id;
}

static void announce(struct fixture *fixture)
{
    const struct sink *sink = &fixture->writer.sink;
    struct strings *strings = fixture->strings;
    struct clock cycles = clock_of_mhz(800, 1, 0);
    struct clock nanoseconds = clock_nanoseconds(0);
    const struct track tracks[] = {
        { .id = PROCESS,
          .parent = NO_ID,
          .name = text_id(strings, "net.log"),
          .order = 3,
          .clock = NO_ID,
          .kind = TRACK_PROCESS },
        { .id = GROUP,
          .parent = PROCESS,
          .name = text_id(strings, "Engines"),
          .order = -4,
          .clock = NO_ID,
          .kind = TRACK_GROUP },
        { .id = LINE,
          .parent = GROUP,
          .name = text_id(strings, "DMA In"),
          .order = 5,
          .clock = 1,
          .kind = TRACK_SLICES,
          .engine = &torq_engine_dma_in },
        { .id = OTHER,
          .parent = GROUP,
          .name = text_id(strings, "Slice 0"),
          .order = 6,
          .clock = 0,
          .kind = TRACK_SLICES,
          .engine = &torq_engine_slice },
        { .id = OVERVIEW,
          .parent = PROCESS,
          .name = text_id(strings, "Overview"),
          .order = 7,
          .clock = 1,
          .kind = TRACK_SLICES,
          .engine = &engine_overview },
        { .id = MEMORY,
          .parent = PROCESS,
          .name = text_id(strings, "Memory"),
          .order = 8,
          .clock = 1,
          .kind = TRACK_COUNTER,
          .engine = &engine_counter,
          .unit = "B" },
        { .id = ENGINES,
          .parent = PROCESS,
          .name = text_id(strings, "Busy"),
          .order = 9,
          .clock = 1,
          .kind = TRACK_COUNTER,
          .engine = &engine_counter,
          .unit = "engines" },
    };

    assert_int_equal(SINK_CALL(sink, clock, 0, &cycles), STATUS_OK);
    assert_int_equal(SINK_CALL(sink, clock, 1, &nanoseconds), STATUS_OK);
    for (unsigned i = 0; i < sizeof tracks / sizeof *tracks; i++)
        assert_int_equal(SINK_CALL(sink, track, &tracks[i]), STATUS_OK);
}

static void give(struct fixture *fixture, track_id track, const char *name, int64_t start, int64_t end)
{
    struct slice slice = { .track = track, .op = NO_ID, .run = NO_ID, .start = start, .end = end };

    slice.name = text_id(fixture->strings, name);
    assert_int_equal(sink_slice(&fixture->writer.sink, &slice), STATUS_OK);
}

static struct read_trace finish(struct fixture *fixture)
{
    size_t length;
    const char *data;

    assert_int_equal(sink_finish(&fixture->writer.sink), STATUS_OK);
    data = output_memory(fixture->output, &length);
    assert_non_null(data);
    return read_trace(data, length);
}

static void close_writer(struct fixture *fixture, struct read_trace *trace)
{
    if (trace)
        read_trace_free(trace);
    writer_free(&fixture->writer);
    output_abandon(fixture->output);
    strings_free(fixture->strings);
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void exact_bytes_of_a_small_trace(void **state)
{
    /* clang-format off */
    static const unsigned char expected[] = {
        0x0a, 0x12, 0xe2, 0x03, 0x0f, 0x08, 0x01, 0x12, 0x00, 0x58, 0x03, 0x60, 0x00, 0xc2, 0x7f, 0x04, 0x08, 0x01, 0x20,
        0x01,                                                                    /* input 1 without a name */
        0x0a, 0x1c, 0xe2, 0x03, 0x19, 0x08, 0x02, 0x12, 0x02, 'a', 'b', 0x28, 0x01, 0x58, 0x03, 0x60, 0x02,
        0xc2, 0x7f, 0x0a, 0x08, 0x02, 0x10, 0x01, 0x18, 0x01, 0x20, 0x03, 0x40, 0x02, /* lane of the track */
        0x0a, 0x1e, 0x50, 0x01, 0x68, 0x01, 0xda, 0x03, 0x07, 0xd0, 0x03, 0x40, 0x5a, 0x02, 0x58, 0x02,
        0x32, 0x0e, 0x0a, 0x06, 0x08, 0x40, 0x10, 0x00, 0x18, 0x01, 0x0a, 0x04, 0x08, 0x06, 0x10, 0x00,
        0x0a, 0x15, 0x50, 0x01, 0x68, 0x02, 0x40, 0x05, 0x5a, 0x04, 0x48, 0x01, 0x50, 0x01,
        0x62, 0x07, 0x12, 0x05, 0x08, 0x01, 0x12, 0x01, 'n',                     /* begin, 5 ns on, names its name */
        0x0a, 0x0a, 0x50, 0x01, 0x68, 0x02, 0x40, 0x02, 0x5a, 0x02, 0x48, 0x02,  /* end, 2 ns on */
        0x0a, 0x0d, 0x50, 0x01, 0x68, 0x02, 0x40, 0xac, 0x02, 0x5a, 0x04, 0x48, 0x01, 0x50, 0x01,
        0x0a, 0x0a, 0x50, 0x01, 0x68, 0x02, 0x40, 0x00, 0x5a, 0x02, 0x48, 0x02,
    };
    /* clang-format on */
    struct fixture fixture;
    struct track process = { .id = 0, .parent = NO_ID, .kind = TRACK_PROCESS, .clock = NO_ID };
    struct track line = { .id = 1, .parent = 0, .order = 2, .clock = NO_ID, .kind = TRACK_SLICES };
    struct read_trace trace;
    const char *data;
    size_t length;

    (void)state;
    open_writer(&fixture, false);
    line.name = text_id(fixture.strings, "ab");
    assert_int_equal(SINK_CALL(&fixture.writer.sink, track, &process), STATUS_OK);
    assert_int_equal(SINK_CALL(&fixture.writer.sink, track, &line), STATUS_OK);
    give(&fixture, 1, "n", 5, 7);
    give(&fixture, 1, "n", 307, 307);
    trace = finish(&fixture);
    data = output_memory(fixture.output, &length);
    assert_int_equal(length, sizeof expected);
    assert_memory_equal(data, expected, length);
    assert_int_equal(fixture.writer.events(fixture.writer.self), 4);
    close_writer(&fixture, &trace);
}

static void tracks_have_parents_ranks_and_units(void **state)
{
    struct fixture fixture;
    struct read_trace trace;
    const struct read_track *process, *group, *lane, *other;

    (void)state;
    open_writer(&fixture, true);
    announce(&fixture);
    give(&fixture, LINE, "a", 10, 20);
    give(&fixture, LINE, "b", 15, 25); /* overlaps: a second lane */
    give(&fixture, LINE, "c", 1, 3);   /* late: a third */
    assert_int_equal(SINK_CALL(&fixture.writer.sink, counter, MEMORY, 50, -7), STATUS_OK);
    assert_int_equal(SINK_CALL(&fixture.writer.sink, counter, MEMORY, 40, INT64_MAX), STATUS_OK); /* backwards */
    assert_int_equal(SINK_CALL(&fixture.writer.sink, counter, MEMORY, 60, 0), STATUS_OK);
    assert_int_equal(SINK_CALL(&fixture.writer.sink, counter, ENGINES, 60, 2), STATUS_OK);
    trace = finish(&fixture);

    lane = &trace.tracks[find_event(&trace, "a", 0)->track];
    other = &trace.tracks[find_event(&trace, "b", 0)->track];
    assert_ptr_not_equal(lane, other);
    assert_ptr_not_equal(&trace.tracks[find_event(&trace, "c", 0)->track], other);
    assert_piece(lane->name, "DMA In");
    assert_piece(other->name, "DMA In");
    assert_int_equal(lane->rank, 5);
    assert_int_equal(lane->parent, other->parent);
    group = &trace.tracks[lane->parent];
    assert_piece(group->name, "Engines");
    assert_int_equal(group->rank, -4);
    assert_true(group->explicit_order);
    process = &trace.tracks[group->parent];
    assert_piece(process->name, "net.log");
    assert_int_equal(process->pid, 0); /* below one the viewer ignores ranks */
    assert_int_equal(process->parent, 0);
    assert_true(process->explicit_order);
    assert_int_equal(process->rank, 3);
    assert_int_equal(find_event(&trace, "c", 0)->time, 1);
    assert_int_equal(find_event(&trace, "c", 0)->end, 3);
    for (unsigned i = 0; i < MOST_TRACKS; i++) /* the track Slice 0 has no slices */
        assert_true(trace.tracks[i].name.length != 7 || memcmp(trace.tracks[i].name.data, "Slice 0", 7) != 0);

    for (size_t i = 0; i < trace.count; i++) {
        const struct read_event *event = &trace.events[i];
        const struct read_track *track = &trace.tracks[event->track];

        if (event->type != 4)
            continue;
        if (track->unit_number == 3)
            assert_int_equal(event->value, event->time == 40 ? INT64_MAX : event->time == 50 ? -7 : 0);
        else
            assert_piece(track->unit, "engines");
    }
    close_writer(&fixture, &trace);
}

static void arguments_are_typed_and_not_repeated(void **state)
{
    struct fixture fixture;
    struct read_trace trace;
    const struct read_event *event;

    (void)state;
    open_writer(&fixture, true);
    announce(&fixture);
    string_id location = text_id(fixture.strings, "loc(\"net.mlir\":4:10)");
    string_id operation = text_id(fixture.strings, "tosa.conv2d@L4");
    const struct op op = {
        .id = 0, .name = operation, .type = text_id(fixture.strings, "tosa.conv2d"), .location = location
    };
    const struct argument arguments[] = {
        { .key = KEY_BYTES, .type = ARGUMENT_INTEGER, .integer = -5 },
        { .key = KEY_LOCATION, .type = ARGUMENT_TEXT, .text = location },
        { .key = text_id(fixture.strings, "dispatch"),
          .type = ARGUMENT_TEXT,
          .flags = ARGUMENT_HIDDEN, /* not shown */
          .text = location },
        { .key = KEY_KERNEL, .type = ARGUMENT_TEXT, .text = 0 },
        { .key = KEY_BYTES, .type = ARGUMENT_INTEGER, .integer = -5 },
    };
    struct slice slice = { .track = LINE,
                           .name = text_id(fixture.strings, "load"),
                           .op = 0,
                           .start = 1,
                           .end = 2,
                           .flow = 77,
                           .argument_count = 5,
                           .arguments = arguments };

    assert_int_equal(SINK_CALL(&fixture.writer.sink, op, &op), STATUS_OK);
    assert_int_equal(sink_slice(&fixture.writer.sink, &slice), STATUS_OK);
    slice = (struct slice){ .track = LINE, .name = op.name, .op = 0, .start = 3, .end = 4 };
    assert_int_equal(sink_slice(&fixture.writer.sink, &slice), STATUS_OK);
    slice = (struct slice){ .track = OVERVIEW, .name = op.name, .op = 99, .start = 3, .end = 4 };
    assert_int_equal(sink_slice(&fixture.writer.sink, &slice), STATUS_OK);
    trace = finish(&fixture);

    event = find_event(&trace, "load", 0);
    assert_int_equal(event->flow, 77);
    assert_int_equal(event->category.length, 0);
    assert_int_equal(event->argument_count, 4);
    assert_piece(event->arguments[0].key, "location");
    assert_piece(event->arguments[0].text, "loc(\"net.mlir\":4:10)");
    assert_piece(event->arguments[1].key, "operator");
    assert_piece(event->arguments[1].text, "tosa.conv2d@L4");
    assert_piece(event->arguments[2].key, "bytes");
    assert_int_equal(event->arguments[2].integer, -5);
    assert_piece(event->arguments[3].key, "kernel");
    assert_int_equal(event->arguments[3].text.length, 0);
    event = find_event(&trace, "tosa.conv2d@L4", 0);
    assert_int_equal(event->argument_count, 1); /* its operator is its name */
    event = find_event(&trace, "tosa.conv2d@L4", 1);
    assert_piece(event->category, "overview");
    assert_int_equal(event->argument_count, 0);
    close_writer(&fixture, &trace);
}

static void without_arguments_there_are_none(void **state)
{
    const struct argument bytes = { .key = KEY_BYTES, .type = ARGUMENT_INTEGER, .integer = 1 };
    struct fixture fixture;
    struct read_trace trace;
    struct slice slice = { .track = LINE, .op = NO_ID, .end = 2, .argument_count = 1, .arguments = &bytes };

    (void)state;
    open_writer(&fixture, false);
    announce(&fixture);
    assert_int_equal(sink_slice(&fixture.writer.sink, &slice), STATUS_OK); /* its name is the empty text */
    trace = finish(&fixture);
    assert_int_equal(find_event(&trace, "", 0)->argument_count, 0);
    close_writer(&fixture, &trace);
}

static void begin_end_and_instants(void **state)
{
    struct fixture fixture;
    struct read_trace trace;
    const struct sink *sink = &fixture.writer.sink;

    (void)state;
    open_writer(&fixture, true);
    announce(&fixture);
    struct slice outer = { .track = OTHER, .name = text_id(fixture.strings, "outer"), .op = NO_ID, .start = 8 };
    struct slice inner = { .track = OTHER, .name = text_id(fixture.strings, "inner"), .op = NO_ID, .start = 9 };
    struct slice mark = { .track = OTHER, .name = text_id(fixture.strings, "mark"), .op = NO_ID, .start = 9 };

    assert_int_equal(sink_begin(sink, 0, NO_ID, &outer), STATUS_OK);
    assert_int_equal(sink_begin(sink, 1, 0, &inner), STATUS_OK);
    assert_int_equal(SINK_CALL(sink, instant, &mark), STATUS_OK);
    mark.start = 4; /* before the one before */
    assert_int_equal(SINK_CALL(sink, instant, &mark), STATUS_OK);
    assert_int_equal(sink_end(sink, 1, 11), STATUS_OK);
    assert_int_equal(sink_end(sink, 0, 12), STATUS_OK);
    assert_int_equal(sink_end(sink, 5, 12), STATUS_INPUT); /* never begun */
    trace = finish(&fixture);
    /* 800 MHz: 1.25 ns a tick, rounded down */
    assert_int_equal(find_event(&trace, "outer", 0)->time, 10);
    assert_int_equal(find_event(&trace, "outer", 0)->end, 15);
    assert_int_equal(find_event(&trace, "inner", 0)->time, 11);
    assert_int_equal(find_event(&trace, "inner", 0)->end, 13);
    assert_int_equal(find_event(&trace, "inner", 0)->track, find_event(&trace, "outer", 0)->track);
    assert_int_equal(find_event(&trace, "mark", 0)->time, 5);
    assert_int_equal(find_event(&trace, "mark", 1)->time, 11);
    assert_int_equal(find_event(&trace, "mark", 1)->type, 3);
    close_writer(&fixture, &trace);
}

static void losses_are_shown_where_the_input_begins(void **state)
{
    struct losses losses = { .rows = 0 };
    struct fixture fixture;
    struct read_trace trace;
    const struct read_event *event;

    (void)state;
    open_writer(&fixture, true);
    announce(&fixture);
    give(&fixture, LINE, "a", 100, 120);
    give(&fixture, OVERVIEW, "b", 90, 120);
    assert_int_equal(SINK_CALL(&fixture.writer.sink, loss, &losses), STATUS_OK);
    losses_add(&losses, &loss_end_before_start, 3);
    losses_add(&losses, &loss_end_before_start, 4);
    losses_add(&losses, &loss_backwards, 9);
    assert_int_equal(SINK_CALL(&fixture.writer.sink, loss, &losses), STATUS_OK);
    trace = finish(&fixture);
    event = find_event(&trace, "2 rows lost: end before start", 0);
    assert_int_equal(event->time, 90);
    assert_int_equal(event->type, 3);
    assert_piece(trace.tracks[event->track].name, "Losses");
    assert_piece(trace.tracks[trace.tracks[event->track].parent].name, "net.log");
    find_event(&trace, "1 row: time running backwards (kept)", 0);
    close_writer(&fixture, &trace);
}

static void long_texts_and_late_times(void **state)
{
    enum { LONG = 200000 };
    static char name[LONG + 1];
    struct fixture fixture;
    struct read_trace trace;

    (void)state;
    memset(name, 'x', LONG);
    open_writer(&fixture, true);
    announce(&fixture);
    give(&fixture, LINE, name, INT64_MAX - 10, INT64_MAX);
    name[130] = '\0';
    give(&fixture, LINE, name, 0, 1);
    trace = finish(&fixture);
    assert_int_equal(find_event(&trace, name, 0)->end, 1);
    name[130] = 'x';
    assert_int_equal(find_event(&trace, name, 0)->time, INT64_MAX - 10);
    assert_int_equal(find_event(&trace, name, 0)->end, INT64_MAX);
    close_writer(&fixture, &trace);
}

/* Two slices that overlap, and a late one, on each of many operators. */
static void operators_share_a_sequence(void **state)
{
    enum { OPERATORS = 15 };
    struct fixture fixture;
    struct read_trace trace;
    struct track line = { .parent = PROCESS, .clock = 1, .kind = TRACK_SLICES, .engine = &engine_operators };
    unsigned sequences = 0;
    char name[32];

    (void)state;
    open_writer(&fixture, true);
    announce(&fixture);
    give(&fixture, OVERVIEW, "total", 5, 6);
    give(&fixture, LINE, "load", 5, 6);
    for (int64_t i = 0; i < OPERATORS; i++) {
        line.id = ENGINES + 1 + (track_id)i;
        snprintf(name, sizeof name, "operator %d", (int)i);
        line.name = text_id(fixture.strings, name);
        assert_int_equal(SINK_CALL(&fixture.writer.sink, track, &line), STATUS_OK);
        give(&fixture, line.id, name, 1000 - i, 2000);
        give(&fixture, line.id, "same", 1500, 2500 + i);
        give(&fixture, line.id, "late", i, i + 1);
    }
    trace = finish(&fixture);
    for (unsigned i = 0; i < MOST_SEQUENCES; i++)
        sequences += trace.sequences[i].started;
    assert_int_equal(sequences, 2);
    assert_piece(trace.tracks[find_event(&trace, "total", 0)->track].name, "Overview");
    assert_piece(find_event(&trace, "total", 0)->category, "overview");
    for (unsigned i = 0; i < OPERATORS; i++) {
        snprintf(name, sizeof name, "operator %u", i);
        const struct read_event *event = find_event(&trace, name, 0);
        const struct read_event *same = find_event(&trace, "same", i);
        const struct read_event *late = find_event(&trace, "late", i);

        assert_piece(trace.tracks[event->track].name, name);
        assert_piece(trace.tracks[same->track].name, name);
        assert_piece(trace.tracks[late->track].name, name);
        assert_int_equal(event->category.length, 0);
        assert_true(event->time == 1000 - i && event->end == 2000);
        assert_true(same->time == 1500 && same->end == 2500 + i);
        assert_true(late->time == i && late->end == i + 1);
    }
    close_writer(&fixture, &trace);
}

static void a_track_that_was_not_announced(void **state)
{
    struct fixture fixture;
    struct slice slice = { .track = 4 };

    (void)state;
    open_writer(&fixture, true);
    assert_int_equal(sink_slice(&fixture.writer.sink, &slice), STATUS_INPUT);
    assert_int_equal(sink_begin(&fixture.writer.sink, 0, NO_ID, &slice), STATUS_INPUT);
    assert_int_equal(SINK_CALL(&fixture.writer.sink, counter, 4, 0, 0), STATUS_INPUT);
    assert_int_equal(SINK_CALL(&fixture.writer.sink, instant, &slice), STATUS_INPUT);
    close_writer(&fixture, NULL);
}

static uint64_t random_state;

static uint64_t random_below(uint64_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % limit;
}

/* Bytes per event of 20,000 slices with 300 names, gaps and lengths of some ten thousand ns. */
static double bytes_per_event(bool arguments)
{
    enum { SLICES = 20000, NAMES = 300 };
    struct fixture fixture;
    struct read_trace trace;
    string_id names[NAMES], locations[NAMES];
    int64_t now = 5000000;
    char text[64];
    double result;

    random_state = 88172645463325252u;
    open_writer(&fixture, arguments);
    announce(&fixture);
    for (unsigned i = 0; i < NAMES; i++) {
        snprintf(text, sizeof text, "torq_hl.kernel_%u", i);
        names[i] = text_id(fixture.strings, text);
        snprintf(text, sizeof text, "loc(\"model/network.mlir\":%u:10)", i);
        locations[i] = text_id(fixture.strings, text);
    }
    for (int64_t i = 0; i < SLICES; i++) {
        unsigned which = (unsigned)random_below(NAMES);
        const struct argument values[] = {
            { .key = KEY_LOCATION, .type = ARGUMENT_TEXT, .text = locations[which] },
            { .key = KEY_ID, .type = ARGUMENT_INTEGER, .integer = i },
            { .key = KEY_BYTES, .type = ARGUMENT_INTEGER, .integer = (int64_t)random_below(1 << 20) },
        };
        int64_t start = now + (int64_t)random_below(20000);
        struct slice slice = { .track = LINE, .name = names[which], .op = NO_ID, .start = start };

        slice.argument_count = 3;
        slice.arguments = values;
        now = slice.end = start + (int64_t)random_below(40000);
        assert_int_equal(sink_slice(&fixture.writer.sink, &slice), STATUS_OK);
    }
    trace = finish(&fixture);
    assert_int_equal(trace.count, 2 * SLICES);
    assert_int_equal(fixture.writer.events(fixture.writer.self), 2 * SLICES);
    result = (double)output_written(fixture.output) / (2.0 * SLICES);
    close_writer(&fixture, &trace);
    return result;
}

static void events_are_small(void **state)
{
    double plain = bytes_per_event(false);
    double annotated = bytes_per_event(true);

    (void)state;
    print_message("%.2f bytes per event, %.2f with location, id and bytes\n", plain, annotated);
    assert_true(plain <= 16);
    assert_true(annotated <= 30);
}

/* --- failures ----------------------------------------------------------------------------------------------------- */

/* Everything that the writer can be told, small. */
static status tell_all(const struct sink *sink, struct strings *strings)
{
    struct losses losses = { .reasons = { { .reason = &loss_number, .count = 1 } }, .reason_count = 1 };
    struct clock clock = clock_nanoseconds(0);
    struct op op = { .id = 0 };
    struct argument argument = { .key = KEY_NOTE, .type = ARGUMENT_TEXT };
    struct track track = { .parent = NO_ID, .clock = NO_ID, .kind = TRACK_PROCESS };
    struct slice slice = { .op = 0, .end = 9, .argument_count = 1, .arguments = &argument, .flow = 1 };
    status result = SINK_CALL(sink, clock, 0, &clock);

    if (result == STATUS_OK)
        result = strings_add_text(strings, "name", &slice.name);
    if (result == STATUS_OK)
        result = strings_add_text(strings, "loc(\"a\":1:2)", &op.location);
    argument.text = op.location;
    if (result == STATUS_OK)
        result = SINK_CALL(sink, op, &op);
    for (track.id = 0; track.id < 4 && result == STATUS_OK; track.id++) {
        track.kind = track.id == 0 ? TRACK_PROCESS : track.id == 2 ? TRACK_COUNTER : TRACK_SLICES;
        track.engine = track.id == 3 ? &engine_operators : &torq_engine_runtime;
        track.parent = track.id == 0 ? NO_ID : 0;
        result = SINK_CALL(sink, track, &track);
    }
    slice.track = 1;
    for (int64_t start = 9; start > 5 && result == STATUS_OK; start--) {
        slice.start = start;
        result = sink_slice(sink, &slice);
    }
    slice.track = 3;
    if (result == STATUS_OK)
        result = sink_slice(sink, &slice);
    slice.track = 1;
    if (result == STATUS_OK)
        result = sink_begin(sink, 0, NO_ID, &slice);
    if (result == STATUS_OK)
        result = SINK_CALL(sink, instant, &slice);
    if (result == STATUS_OK)
        result = SINK_CALL(sink, counter, 2, 5, 5);
    if (result == STATUS_OK)
        result = sink_end(sink, 0, 20);
    if (result == STATUS_OK)
        result = SINK_CALL(sink, loss, &losses);
    return result == STATUS_OK ? sink_finish(sink) : result;
}

static void every_allocation_may_fail(void **state)
{
    const struct writer_options options = { .arguments = true };
    unsigned failures = 0;

    (void)state;
    for (uint64_t nth = 1;; nth++) {
        struct strings *strings = model_strings();
        struct output *output;
        struct writer writer = { .self = NULL };
        status result;

        assert_non_null(strings);
        assert_int_equal(output_open_memory(&output), STATUS_OK);
        memory_fail_at(nth);
        result = perfetto_format.open(output, strings, &options, &writer);
        if (result == STATUS_OK)
            result = tell_all(&writer.sink, strings);
        memory_fail_at(0);
        writer_free(&writer);
        output_abandon(output);
        strings_free(strings);
        if (result == STATUS_OK)
            break;
        assert_int_equal(result, STATUS_MEMORY);
        failures++;
    }
    assert_true(failures > 15);
}

static void a_full_disk_is_noticed(void **state)
{
    const struct writer_options options = { .arguments = true };
    struct strings *strings = model_strings();
    struct output *output;
    struct writer writer;
    struct track track = { .parent = NO_ID, .clock = NO_ID, .kind = TRACK_SLICES };
    status result = STATUS_OK;
    int64_t given;

    (void)state;
    assert_int_equal(output_open("/dev/full", &output), STATUS_OK);
    assert_int_equal(perfetto_format.open(output, strings, &options, &writer), STATUS_OK);
    assert_int_equal(SINK_CALL(&writer.sink, track, &track), STATUS_OK);
    for (given = 0; given < 1000000 && result == STATUS_OK; given++) {
        struct slice slice = { .op = NO_ID, .start = given, .end = given };

        result = sink_slice(&writer.sink, &slice);
    }
    assert_int_equal(result, STATUS_OUTPUT);
    assert_true(given < 50000); /* long before the end */
    writer_free(&writer);
    output_abandon(output);
    strings_free(strings);
}

static void lengths_are_widened_where_they_must(void **state)
{
    static unsigned char memory[40000];

    (void)state;
    for (size_t length = 0; length < 20000; length = length * 5 / 4 + 1) {
        unsigned char *body = proto_open(memory, 1);
        struct piece from = { memory, 0 };
        struct field field;

        for (size_t i = 0; i < length; i++)
            body[i] = (unsigned char)i;
        from.length = (size_t)(proto_close(body, body + length) - memory);
        assert_true(next_field(&from, &field));
        assert_int_equal(field.piece.length, length);
        assert_int_equal(from.length, 0);
        for (size_t i = 0; i < length; i++)
            assert_int_equal(field.piece.data[i], (unsigned char)i);
    }
}

static void numbers_of_every_length(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        for (uint64_t around = 0; around < 3; around++) {
            uint64_t value = (UINT64_C(1) << bit) - 1 + around;
            unsigned char memory[PROTO_FIELD_ROOM];
            struct piece from = { memory, (size_t)(proto_number(memory, 2047, value) - memory) };
            struct field field = { 0 };

            assert_true(from.length <= PROTO_FIELD_ROOM);
            assert_true(next_field(&from, &field));
            assert_int_equal(field.number, 2047);
            assert_int_equal(field.value, value);
            assert_int_equal(from.length, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_bytes_of_a_small_trace),
        cmocka_unit_test(tracks_have_parents_ranks_and_units),
        cmocka_unit_test(arguments_are_typed_and_not_repeated),
        cmocka_unit_test(without_arguments_there_are_none),
        cmocka_unit_test(begin_end_and_instants),
        cmocka_unit_test(losses_are_shown_where_the_input_begins),
        cmocka_unit_test(long_texts_and_late_times),
        cmocka_unit_test(operators_share_a_sequence),
        cmocka_unit_test(a_track_that_was_not_announced),
        cmocka_unit_test(events_are_small),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_full_disk_is_noticed),
        cmocka_unit_test(lengths_are_widened_where_they_must),
        cmocka_unit_test(numbers_of_every_length),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
