/* test_chrome.c: the text formats: Chrome's JSON, speedscope, and the CSV of slices; and how a format is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "job/vocabulary.h"
#include "torq/chain.h"
#include "trace/clock.h"
#include "write/writer.h"

struct fixture {
    struct strings *strings;
    struct output *output;
    struct writer writer;
};

static void open_writer(struct fixture *fixture, const struct writer_format *format, bool arguments)
{
    const char *columns[VOCABULARY_COLUMNS];
    const struct writer_options options = { .arguments = arguments, .columns = columns };

    vocabulary_columns(columns);
    fixture->strings = model_strings();
    assert_non_null(fixture->strings);
    assert_int_equal(output_open_memory(&fixture->output), STATUS_OK);
    assert_int_equal(format->open(fixture->output, fixture->strings, &options, &fixture->writer), STATUS_OK);
}

static void close_writer(struct fixture *fixture)
{
    writer_free(&fixture->writer);
    output_abandon(fixture->output);
    strings_free(fixture->strings);
}

static string_id text_id(struct fixture *fixture, const char *text)
{
    string_id id = 0;

    assert_int_equal(strings_add_text(fixture->strings, text, &id), STATUS_OK);
    return id;
}

static const char *finish(struct fixture *fixture)
{
    const char *text;
    size_t length;

    assert_int_equal(sink_finish(&fixture->writer.sink), STATUS_OK);
    text = output_memory(fixture->output, &length);
    assert_non_null(text);
    assert_int_equal(strlen(text), length);
    return text;
}

enum { PROCESS, LINE, GROUP, INNER, OVERVIEW, MEMORY, STRAY };

static void announce(struct fixture *fixture)
{
    const struct sink *sink = &fixture->writer.sink;
    struct clock cycles = clock_of_mhz(800, 1, 0);
    struct clock nanoseconds = clock_nanoseconds(0);
    const struct op op = { .id = 0,
                           .name = text_id(fixture, "tosa.conv2d@L4"),
                           .type = text_id(fixture, "tosa.conv2d"),
                           .location = text_id(fixture, "loc(\"net.mlir\":4:10)"),
                           .file = text_id(fixture, "net.mlir"),
                           .line = 4,
                           .column = 10 };
    const struct track tracks[] = {
        { .id = PROCESS,
          .parent = NO_ID,
          .name = text_id(fixture, "net, log"),
          .order = 3,
          .clock = NO_ID,
          .kind = TRACK_PROCESS,
          .engine = &torq_engine_runtime },
        { .id = LINE,
          .parent = PROCESS,
          .name = text_id(fixture, "DMA In"),
          .order = 5,
          .clock = 1,
          .kind = TRACK_SLICES,
          .engine = &torq_engine_dma_in },
        { .id = GROUP,
          .parent = PROCESS,
          .name = text_id(fixture, "Group"),
          .order = 1,
          .clock = NO_ID,
          .kind = TRACK_GROUP,
          .engine = &torq_engine_runtime },
        { .id = INNER,
          .parent = GROUP,
          .name = text_id(fixture, "Slice 2"),
          .order = 7,
          .clock = 0,
          .kind = TRACK_SLICES,
          .engine = &torq_engine_slice,
          .index = 2 },
        { .id = OVERVIEW,
          .parent = PROCESS,
          .name = text_id(fixture, "Overview"),
          .order = 8,
          .clock = 1,
          .kind = TRACK_SLICES,
          .engine = &engine_overview },
        { .id = MEMORY,
          .parent = PROCESS,
          .name = text_id(fixture, "Memory"),
          .order = 9,
          .clock = 1,
          .kind = TRACK_COUNTER,
          .engine = &engine_counter,
          .unit = "B" },
        { .id = STRAY,
          .parent = NO_ID,
          .name = text_id(fixture, "Alone"),
          .clock = 1,
          .kind = TRACK_SLICES,
          .engine = &torq_engine_host },
    };

    assert_int_equal(SINK_CALL(sink, clock, 0, &cycles), STATUS_OK);
    assert_int_equal(SINK_CALL(sink, clock, 1, &nanoseconds), STATUS_OK);
    assert_int_equal(SINK_CALL(sink, op, &op), STATUS_OK);
    for (unsigned i = 0; i < sizeof tracks / sizeof *tracks; i++)
        assert_int_equal(SINK_CALL(sink, track, &tracks[i]), STATUS_OK);
}

static void give(struct fixture *fixture, track_id track, const char *name, int64_t start, int64_t end)
{
    struct slice slice = { .track = track, .op = NO_ID, .start = start, .end = end };

    slice.name = text_id(fixture, name);
    assert_int_equal(sink_slice(&fixture->writer.sink, &slice), STATUS_OK);
}

/* One of everything. */
static const char *write_sample(struct fixture *fixture)
{
    const struct sink *sink = &fixture->writer.sink;
    struct losses losses = { .rows = 0 };

    announce(fixture);
    const struct argument arguments[] = {
        { .key = KEY_BYTES, .type = ARGUMENT_INTEGER, .integer = 640 },
        { .key = KEY_NOTE, .type = ARGUMENT_TEXT, .text = text_id(fixture, "say \"hi\", twice\n") },
        { .key = text_id(fixture, "dispatch"),
          .type = ARGUMENT_TEXT,
          .flags = ARGUMENT_HIDDEN,
          .text = text_id(fixture, "main") },
        { .key = KEY_ID, .type = ARGUMENT_DECIMAL, .decimal = 0.5 },
    };
    struct slice slice = { .track = LINE,
                           .name = text_id(fixture, "load"),
                           .op = 0,
                           .start = 1000,
                           .end = 2500,
                           .flow = 9,
                           .argument_count = 4,
                           .arguments = arguments };
    struct slice begun = { .track = INNER, .op = NO_ID, .start = 1000, .flow = 9 };
    struct slice mark = { .track = LINE, .name = text_id(fixture, "mark"), .op = NO_ID, .start = 7 };

    begun.name = text_id(fixture, "conv");
    assert_int_equal(sink_slice(sink, &slice), STATUS_OK);
    assert_int_equal(sink_begin(sink, 1, NO_ID, &begun), STATUS_OK);
    give(fixture, LINE, "in", 1500, 1500);
    give(fixture, LINE, "beside", 2000, 3000);
    assert_int_equal(sink_end(sink, 1, 1001), STATUS_OK);
    give(fixture, OVERVIEW, "all", 0, 3000);
    assert_int_equal(SINK_CALL(sink, instant, &mark), STATUS_OK);
    assert_int_equal(SINK_CALL(sink, counter, MEMORY, 12, -3), STATUS_OK);
    losses_add(&losses, &loss_number, 4);
    assert_int_equal(SINK_CALL(sink, loss, &losses), STATUS_OK);
    return finish(fixture);
}

/* --- Chrome ------------------------------------------------------------------------------------------------------- */

static void chrome_sample(void **state)
{
    struct fixture fixture;

    (void)state;
    open_writer(&fixture, &chrome_format, true);
    assert_string_equal(
        write_sample(&fixture),
        "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"net, log\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":3}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"DMA In\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":5}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"Group / Slice 2\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":2,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":65543}},\n"
        "{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":1.000,\"name\":\"load\",\"args\":{"
        "\"location\":\"loc(\\\"net.mlir\\\":4:10)\",\"operator\":\"tosa.conv2d@L4\",\"bytes\":640,"
        "\"note\":\"say \\\"hi\\\", twice\\n\",\"id\":0.5}},\n"
        "{\"ph\":\"s\",\"pid\":1,\"tid\":1,\"ts\":1.000,\"cat\":\"flow\",\"name\":\"flow\",\"id\":9},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1.500,\"dur\":0.000,\"name\":\"in\"},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":3,\"name\":\"thread_name\",\"args\":{\"name\":\"DMA In\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":3,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":5}},\n"
        "{\"ph\":\"B\",\"pid\":1,\"tid\":2,\"ts\":1.250,\"name\":\"conv\"},\n"
        "{\"ph\":\"f\",\"pid\":1,\"tid\":2,\"ts\":1.250,\"cat\":\"flow\",\"name\":\"flow\",\"id\":9,\"bp\":\"e\"},\n"
        "{\"ph\":\"E\",\"pid\":1,\"tid\":2,\"ts\":1.251,\"name\":\"conv\"},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":4,\"name\":\"thread_name\",\"args\":{\"name\":\"Overview\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":4,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":8}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":5,\"name\":\"thread_name\",\"args\":{\"name\":\"DMA In\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":5,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":5}},\n"
        "{\"ph\":\"i\",\"pid\":1,\"tid\":5,\"ts\":0.007,\"s\":\"t\",\"name\":\"mark\"},\n"
        "{\"ph\":\"C\",\"pid\":1,\"tid\":0,\"ts\":0.012,\"name\":\"Memory\",\"args\":{\"B\":-3}},\n"
        "{\"ph\":\"i\",\"pid\":1,\"tid\":0,\"ts\":0.000,\"s\":\"p\","
        "\"name\":\"1 row lost: a number that cannot be read\"},\n"
        "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":2.500,\"name\":\"load\"},\n"
        "{\"ph\":\"B\",\"pid\":1,\"tid\":3,\"ts\":2.000,\"name\":\"beside\"},\n"
        "{\"ph\":\"E\",\"pid\":1,\"tid\":3,\"ts\":3.000,\"name\":\"beside\"},\n"
        "{\"ph\":\"B\",\"pid\":1,\"tid\":4,\"ts\":0.000,\"name\":\"all\",\"cat\":\"overview\"},\n"
        "{\"ph\":\"E\",\"pid\":1,\"tid\":4,\"ts\":3.000,\"name\":\"all\"}\n"
        "]}\n");
    assert_int_equal(fixture.writer.events(fixture.writer.self), 10);
    close_writer(&fixture);
}

static void chrome_without_arguments_and_without_events(void **state)
{
    struct fixture fixture;
    const char *text;

    (void)state;
    open_writer(&fixture, &chrome_format, false);
    text = write_sample(&fixture);
    assert_null(strstr(text, "640"));
    assert_null(strstr(text, "flow")); /* arrows tell of arguments, too */
    assert_null(strstr(text, "tosa.conv2d"));
    close_writer(&fixture);
    open_writer(&fixture, &chrome_format, true);
    assert_string_equal(finish(&fixture), "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]}\n");
    close_writer(&fixture);
}

static void chrome_has_arguments_of_every_type(void **state)
{
    struct fixture fixture;

    (void)state;
    open_writer(&fixture, &chrome_format, true);
    announce(&fixture);
    const struct argument arguments[] = {
        argument_integer(text_id(&fixture, "integer"), INT64_MIN),
        { .key = text_id(&fixture, "unsigned"), .type = ARGUMENT_UNSIGNED, .natural = UINT64_MAX },
        { .key = text_id(&fixture, "decimal"), .type = ARGUMENT_DECIMAL, .decimal = 1e-7 },
        { .key = text_id(&fixture, "infinite"), .type = ARGUMENT_DECIMAL, .decimal = -INFINITY },
        { .key = text_id(&fixture, "yes"), .type = ARGUMENT_BOOLEAN, .boolean = true },
        { .key = text_id(&fixture, "no"), .type = ARGUMENT_BOOLEAN, .boolean = false },
        { .key = text_id(&fixture, "pointer"), .type = ARGUMENT_POINTER, .natural = 0xab },
        { .key = text_id(&fixture, "a \"key\""), .type = ARGUMENT_TEXT, .text = text_id(&fixture, "\xff\x01") },
        { .key = text_id(&fixture, "json"), .type = ARGUMENT_JSON, .text = text_id(&fixture, "{\"a\": [1, NaN]}\n") },
        { .key = text_id(&fixture, "broken"), .type = ARGUMENT_JSON, .text = text_id(&fixture, "{\"a\": [1}") },
    };
    struct slice slice = { .track = LINE, .op = NO_ID, .end = 1, .arguments = arguments, .argument_count = 10 };

    assert_int_equal(sink_slice(&fixture.writer.sink, &slice), STATUS_OK);
    assert_non_null(strstr(finish(&fixture),
                           ",\"args\":{\"integer\":-9223372036854775808,\"unsigned\":18446744073709551615,"
                           "\"decimal\":1e-07,\"infinite\":null,\"yes\":true,\"no\":false,\"pointer\":\"0xab\","
                           "\"a \\\"key\\\"\":\"\xef\xbf\xbd\\u0001\",\"json\":{\"a\":[1,null]},"
                           "\"broken\":\"{\\\"a\\\": [1}\"}}"));
    close_writer(&fixture);
}

/* The first slice of a flow begins its arrow, the others end it. */
static void chrome_slices_have_several_flows(void **state)
{
    static const uint32_t more[] = { 3, 200 };
    struct fixture fixture;
    struct slice slice = { .track = STRAY, .op = NO_ID, .end = 1, .flow = 2, .more_flows = more, .more_flow_count = 2 };
    const char *text;

    (void)state;
    open_writer(&fixture, &chrome_format, true);
    announce(&fixture);
    assert_int_equal(sink_slice(&fixture.writer.sink, &slice), STATUS_OK);
    slice.flow = 0;
    slice.start = slice.end = 5;
    assert_int_equal(sink_slice(&fixture.writer.sink, &slice), STATUS_OK);
    text = strstr(finish(&fixture), "{\"ph\":\"B\"");
    assert_non_null(text);
    assert_string_equal(
        text,
        "{\"ph\":\"B\",\"pid\":2,\"tid\":1,\"ts\":0.000,\"name\":\"\"},\n"
        "{\"ph\":\"s\",\"pid\":2,\"tid\":1,\"ts\":0.000,\"cat\":\"flow\",\"name\":\"flow\",\"id\":2},\n"
        "{\"ph\":\"s\",\"pid\":2,\"tid\":1,\"ts\":0.000,\"cat\":\"flow\",\"name\":\"flow\",\"id\":3},\n"
        "{\"ph\":\"s\",\"pid\":2,\"tid\":1,\"ts\":0.000,\"cat\":\"flow\",\"name\":\"flow\",\"id\":200},\n"
        "{\"ph\":\"E\",\"pid\":2,\"tid\":1,\"ts\":0.001,\"name\":\"\"},\n"
        "{\"ph\":\"X\",\"pid\":2,\"tid\":1,\"ts\":0.005,\"dur\":0.000,\"name\":\"\"},\n"
        "{\"ph\":\"f\",\"pid\":2,\"tid\":1,\"ts\":0.005,\"cat\":\"flow\",\"name\":\"flow\",\"id\":3,\"bp\":\"e\"},\n"
        "{\"ph\":\"f\",\"pid\":2,\"tid\":1,\"ts\":0.005,\"cat\":\"flow\",\"name\":\"flow\",\"id\":200,\"bp\":\"e\"}\n"
        "]}\n");
    close_writer(&fixture);
}

static void chrome_times_are_exact(void **state)
{
    struct fixture fixture;
    const char *text;

    (void)state;
    open_writer(&fixture, &chrome_format, true);
    announce(&fixture);
    give(&fixture, STRAY, "a", 9007199254740993, INT64_MAX);
    text = finish(&fixture);
    assert_non_null(strstr(text, "\"ts\":9007199254740.993,"));
    assert_non_null(strstr(text, "\"ts\":9223372036854775.807,"));
    assert_non_null(strstr(text, "\"pid\":2,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"Trace\"}"));
    close_writer(&fixture);
}

/* Importers drop what is before 0: a slice is shown from there on, as in the other format. */
static void chrome_has_no_time_before_0(void **state)
{
    struct fixture fixture;
    struct slice slice = { .track = STRAY, .op = NO_ID, .start = -7 };
    const char *text;

    (void)state;
    open_writer(&fixture, &chrome_format, true);
    announce(&fixture);
    give(&fixture, STRAY, "a", -2000, 3000);
    assert_int_equal(SINK_CALL(&fixture.writer.sink, instant, &slice), STATUS_OK);
    text = finish(&fixture);
    assert_null(strstr(text, "\"ts\":-"));
    assert_non_null(strstr(text, "{\"ph\":\"B\",\"pid\":2,\"tid\":1,\"ts\":0.000,\"name\":\"a\"}"));
    assert_non_null(strstr(text, "\"ts\":3.000,\"name\":\"a\"}"));
    close_writer(&fixture);
}

/* A begun slice that turns out empty, inside another one that is empty too, inside one that is not. */
static void chrome_empty_slices_are_complete_events(void **state)
{
    struct fixture fixture;
    const char *text;
    const struct sink *sink = &fixture.writer.sink;
    struct slice slice = { .track = STRAY, .op = NO_ID, .start = 5 };

    (void)state;
    open_writer(&fixture, &chrome_format, true);
    announce(&fixture);
    for (open_id id = 0; id < 3; id++) {
        static const char *const names[] = { "outer", "middle", "inner" };

        slice.name = text_id(&fixture, names[id]);
        assert_int_equal(sink_begin(sink, id, id ? id - 1 : NO_ID, &slice), STATUS_OK);
    }
    assert_int_equal(sink_end(sink, 2, 5), STATUS_OK);
    assert_int_equal(sink_end(sink, 1, 5), STATUS_OK);
    assert_int_equal(sink_end(sink, 0, 6), STATUS_OK);
    text = strstr(finish(&fixture), "{\"ph\":\"X\"");
    assert_non_null(text);
    assert_string_equal(text, "{\"ph\":\"X\",\"pid\":2,\"tid\":1,\"ts\":0.005,\"dur\":0.000,\"name\":\"inner\"},\n"
                              "{\"ph\":\"X\",\"pid\":2,\"tid\":1,\"ts\":0.005,\"dur\":0.000,\"name\":\"middle\"},\n"
                              "{\"ph\":\"B\",\"pid\":2,\"tid\":1,\"ts\":0.005,\"name\":\"outer\"},\n"
                              "{\"ph\":\"E\",\"pid\":2,\"tid\":1,\"ts\":0.006,\"name\":\"outer\"}\n]}\n");
    close_writer(&fixture);
}

/* --- speedscope --------------------------------------------------------------------------------------------------- */

static void speedscope_sample(void **state)
{
    struct fixture fixture;

    (void)state;
    open_writer(&fixture, &speedscope_format, true);
    assert_string_equal(
        write_sample(&fixture),
        "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"tacho\",\n"
        "\"shared\":{\"frames\":[\n"
        "{\"name\":\"load\",\"file\":\"net.mlir\",\"line\":4},\n"
        "{\"name\":\"conv\"},\n"
        "{\"name\":\"in\"},\n"
        "{\"name\":\"beside\"}]},\n"
        "\"profiles\":[\n"
        "{\"type\":\"evented\",\"name\":\"net, log / DMA In\",\"unit\":\"nanoseconds\",\"startValue\":1000,"
        "\"endValue\":2500,\"events\":[\n"
        "{\"type\":\"O\",\"frame\":0,\"at\":1000},\n"
        "{\"type\":\"O\",\"frame\":2,\"at\":1500},\n"
        "{\"type\":\"C\",\"frame\":2,\"at\":1500},\n"
        "{\"type\":\"C\",\"frame\":0,\"at\":2500}]},\n"
        "{\"type\":\"evented\",\"name\":\"net, log / Group / Slice 2\",\"unit\":\"nanoseconds\",\"startValue\":1250,"
        "\"endValue\":1251,\"events\":[\n"
        "{\"type\":\"O\",\"frame\":1,\"at\":1250},\n"
        "{\"type\":\"C\",\"frame\":1,\"at\":1251}]},\n"
        "{\"type\":\"evented\",\"name\":\"net, log / DMA In (2)\",\"unit\":\"nanoseconds\",\"startValue\":2000,"
        "\"endValue\":3000,\"events\":[\n"
        "{\"type\":\"O\",\"frame\":3,\"at\":2000},\n"
        "{\"type\":\"C\",\"frame\":3,\"at\":3000}]}],\n"
        "\"activeProfileIndex\":0}\n");
    assert_int_equal(fixture.writer.events(fixture.writer.self), 8);
    close_writer(&fixture);
}

static void speedscope_sorts_late_lanes(void **state)
{
    struct fixture fixture;
    const char *text;

    (void)state;
    open_writer(&fixture, &speedscope_format, true);
    announce(&fixture);
    give(&fixture, STRAY, "last", 100, 110);
    give(&fixture, STRAY, "b", 50, 60);
    give(&fixture, STRAY, "c", 50, 60); /* equal: they nest */
    give(&fixture, STRAY, "a", 10, 20);
    text = strstr(finish(&fixture), "Alone (2)");
    assert_non_null(text);
    assert_string_equal(text, "Alone (2)\",\"unit\":\"nanoseconds\",\"startValue\":10,\"endValue\":60,\"events\":[\n"
                              "{\"type\":\"O\",\"frame\":3,\"at\":10},\n"
                              "{\"type\":\"C\",\"frame\":3,\"at\":20},\n"
                              "{\"type\":\"O\",\"frame\":1,\"at\":50},\n"
                              "{\"type\":\"O\",\"frame\":2,\"at\":50},\n"
                              "{\"type\":\"C\",\"frame\":2,\"at\":60},\n"
                              "{\"type\":\"C\",\"frame\":1,\"at\":60}]}],\n"
                              "\"activeProfileIndex\":1}\n");
    close_writer(&fixture);
}

/* --- slices ------------------------------------------------------------------------------------------------------- */

#define HEADER                                                                                                \
    "process,track,engine,index,name,start_ns,duration_ns,start_ticks,end_ticks,operator,type,location,"      \
    "bytes,id,task,action,job,start_action,wait_action,invocation,dispatch,transfer,kernel,kernels,note,run," \
    "instruction,module,op,macs,data,cycles,run_host_id,trace_id,trace_replay,cores,fidelity,call,kernel_ns," \
    "arguments\n"

static void slices_sample(void **state)
{
    struct fixture fixture;

    (void)state;
    open_writer(&fixture, &slices_format, true);
    assert_string_equal(
        write_sample(&fixture),
        HEADER "\"net, log\",DMA In,dma_in,0,load,1000,1500,1000,2500,tosa.conv2d@L4,tosa.conv2d,"
               "\"loc(\"\"net.mlir\"\":4:10)\",640,0.5,,,,,,,main,,,,\"say \"\"hi\"\", twice\n\",,,,,,,,,,,,,,,\n"
               "\"net, log\",DMA In,dma_in,0,in,1500,0,1500,1500,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n"
               "\"net, log\",DMA In,dma_in,0,beside,2000,1000,2000,3000,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n"
               "\"net, log\",Slice 2,slice,2,conv,1250,1,1000,1001,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n");
    assert_int_equal(fixture.writer.events(fixture.writer.self), 8);
    close_writer(&fixture);
}

static void slices_without_arguments(void **state)
{
    struct fixture fixture;
    struct slice slice = { .track = STRAY, .op = NO_ID, .start = 9 };
    const struct argument location = { .key = KEY_LOCATION, .type = ARGUMENT_TEXT, .text = 1 };
    const struct sink *sink = &fixture.writer.sink;

    (void)state;
    open_writer(&fixture, &slices_format, false);
    announce(&fixture);
    slice.arguments = &location;
    slice.argument_count = 1;
    assert_int_equal(sink_begin(sink, 0, NO_ID, &slice), STATUS_OK);
    assert_int_equal(sink_end(sink, 0, 4), STATUS_OK); /* before its begin: empty */
    assert_int_equal(sink_end(sink, 3, 4), STATUS_INPUT);
    assert_string_equal(finish(&fixture), HEADER ",Alone,host,0,,9,0,9,9,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n");
    close_writer(&fixture);
}

/* An argument that outlived its call: begun slices keep a copy. */
static void slices_keep_begun_arguments(void **state)
{
    struct fixture fixture;
    struct argument *argument = malloc(sizeof *argument);
    struct slice slice = { .track = STRAY, .op = NO_ID, .start = 9, .argument_count = 1, .arguments = argument };

    (void)state;
    assert_non_null(argument);
    open_writer(&fixture, &slices_format, true);
    announce(&fixture);
    *argument = argument_integer(text_id(&fixture, "task"), 77);
    assert_int_equal(sink_begin(&fixture.writer.sink, 2, NO_ID, &slice), STATUS_OK);
    free(argument);
    assert_int_equal(sink_end(&fixture.writer.sink, 2, 10), STATUS_OK);
    assert_non_null(strstr(finish(&fixture), "9,1,9,10,,,,,,77,"));
    close_writer(&fixture);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static void formats_are_found_by_suffix(void **state)
{
    static const struct {
        const char *path;
        const struct writer_format *format;
    } cases[] = {
        { "a.pb", &perfetto_format },
        { "a.pftrace", &perfetto_format },
        { "b/a.perfetto-trace.gz", &perfetto_format },
        { "a.pb.zst", &perfetto_format },
        { "a.json", &chrome_format },
        { "a.json.gz", &chrome_format },
        { "a.speedscope.json", &speedscope_format },
        { "a.speedscope.json.zst", &speedscope_format },
        { "a.csv", &slices_format },
        { "a.csv.gz", &slices_format },
        { "/dev/null", NULL },
        { "-", NULL },
        { "", NULL },
        { ".gz", NULL },
        { "a.pb.xz", NULL },
        { "a.txt", NULL },
        { "json", NULL },
        { "a.json.gz.gz", NULL },
    };

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_ptr_equal(writer_for_path(cases[i].path), cases[i].format);
    for (unsigned i = 0; writer_formats[i]; i++)
        assert_ptr_equal(writer_named(writer_formats[i]->id), writer_formats[i]);
    assert_null(writer_named("svg"));
}

/* A trace without asserts, for running out of memory in. */
static status tell_all(const struct sink *sink, struct strings *strings)
{
    struct losses losses = { .reasons = { { .reason = &loss_number, .count = 2 } }, .reason_count = 1 };
    struct clock clock = clock_nanoseconds(0);
    struct op op = { .id = 0, .line = 1 };
    struct argument argument = { .key = KEY_NOTE, .type = ARGUMENT_TEXT };
    struct track track = { .parent = NO_ID, .clock = NO_ID, .engine = &torq_engine_runtime };
    struct slice slice = { .op = 0, .end = 9, .argument_count = 1, .arguments = &argument, .flow = 1 };
    status result = SINK_CALL(sink, clock, 0, &clock);

    if (result == STATUS_OK)
        result = strings_add_text(strings, "name", &slice.name);
    op.file = op.location = argument.text = slice.name;
    if (result == STATUS_OK)
        result = SINK_CALL(sink, op, &op);
    for (track.id = 0; track.id < 3 && result == STATUS_OK; track.id++) {
        track.kind = track.id == 0 ? TRACK_PROCESS : track.id == 1 ? TRACK_SLICES : TRACK_COUNTER;
        track.parent = track.id == 0 ? NO_ID : 0;
        result = SINK_CALL(sink, track, &track);
    }
    slice.track = 1;
    for (slice.start = 9; slice.start > 5 && result == STATUS_OK; slice.start--)
        result = sink_slice(sink, &slice);
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

static unsigned count_failures(const struct writer_format *format)
{
    const char *columns[VOCABULARY_COLUMNS];
    const struct writer_options options = { .arguments = true, .columns = columns };

    vocabulary_columns(columns);
    for (uint64_t nth = 1;; nth++) {
        struct strings *strings = model_strings();
        struct output *output;
        struct writer writer = { .self = NULL };
        status result;

        assert_non_null(strings);
        assert_int_equal(output_open_memory(&output), STATUS_OK);
        memory_fail_at(nth);
        result = format->open(output, strings, &options, &writer);
        if (result == STATUS_OK)
            result = tell_all(&writer.sink, strings);
        memory_fail_at(0);
        writer_free(&writer);
        output_abandon(output);
        strings_free(strings);
        if (result == STATUS_OK)
            return (unsigned)nth - 1;
        assert_int_equal(result, STATUS_MEMORY);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(count_failures(&chrome_format) > 15);
    assert_true(count_failures(&speedscope_format) > 15);
    assert_true(count_failures(&slices_format) > 5);
}

static void a_full_disk_is_reported(void **state)
{
    const struct writer_options options = { .arguments = true };

    (void)state;
    for (unsigned i = 0; writer_formats[i]; i++) {
        struct strings *strings = model_strings();
        struct output *output;
        struct writer writer;
        status result;

        assert_non_null(strings);
        assert_int_equal(output_open("/dev/full", &output), STATUS_OK);
        assert_int_equal(writer_formats[i]->open(output, strings, &options, &writer), STATUS_OK);
        result = tell_all(&writer.sink, strings);
        writer_free(&writer);
        if (result == STATUS_OK)
            result = output_commit(output);
        else
            output_abandon(output);
        assert_int_equal(result, STATUS_OUTPUT);
        strings_free(strings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chrome_sample),
        cmocka_unit_test(chrome_without_arguments_and_without_events),
        cmocka_unit_test(chrome_has_arguments_of_every_type),
        cmocka_unit_test(chrome_slices_have_several_flows),
        cmocka_unit_test(chrome_times_are_exact),
        cmocka_unit_test(chrome_has_no_time_before_0),
        cmocka_unit_test(chrome_empty_slices_are_complete_events),
        cmocka_unit_test(speedscope_sample),
        cmocka_unit_test(speedscope_sorts_late_lanes),
        cmocka_unit_test(slices_sample),
        cmocka_unit_test(slices_without_arguments),
        cmocka_unit_test(slices_keep_begun_arguments),
        cmocka_unit_test(formats_are_found_by_suffix),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_full_disk_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
