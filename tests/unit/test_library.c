/* test_library.c: writing a trace with the public library: what include/tacho/tacho.h promises. */
#include <pthread.h>

#include "library_fixture.h"
#include "perfetto_reader.h"

static const char csv_header[] =
    "process,track,engine,index,name,start_ns,duration_ns,start_ticks,end_ticks,operator,type,location,"
    "bytes,id,task,action,job,start_action,wait_action,invocation,dispatch,transfer,kernel,kernels,"
    "note,run,instruction,module,op,macs,data,cycles,run_host_id,trace_id,trace_replay,cores,fidelity,call,kernel_ns,"
    "arguments\n";

/* ---- slices of one's own ---------------------------------------------------------------------------------------- */

static void test_version_and_status(void **state)
{
    (void)state;
    assert_non_null(strchr(tacho_version(), '.'));
    assert_int_equal(TACHO_OK, 0);
    assert_int_equal(TACHO_OUTPUT, 4);
}

static void test_slices_reach_the_file(void **state)
{
    struct fixture *fixture = *state;
    const struct tacho_argument arguments[] = { { .key = "bytes", .integer = 4096 },
                                                { .key = "note", .text = "a, b" },
                                                { .key = "location", .text = "loc(x)" } };
    char wanted[1024];
    tacho_thread thread;
    struct tacho_writer *writer = open_writer(path_in(fixture, "own.csv"), NULL, &thread);

    assert_done(tacho_writer_render(
        writer,
        &(struct tacho_slice){
            .thread = thread, .name = "load", .start = 5, .end = 9, .arguments = arguments, .argument_count = 3 }));
    assert_done(render(writer, thread, "late", 1, 1));
    assert_done(begin(writer, thread, "outer", 0));
    assert_done(begin(writer, thread, "inner", 2));
    assert_done(tacho_writer_end(writer, thread, 4));
    assert_done(tacho_writer_end(writer, thread, 4));
    assert_done(tacho_writer_close(writer));
    snprintf(wanted, sizeof wanted, "%s%s", csv_header,
             "P,T,custom,0,load,5,4,5,9,,,loc(x),4096,,,,,,,,,,,,\"a, b\",,,,,,,,,,,,,,,\n"
             "P,T,custom,0,late,1,0,1,1,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n"
             "P,T,custom,0,inner,2,2,2,4,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n"
             "P,T,custom,0,outer,0,4,0,4,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n");
    assert_contents(fixture->path, wanted);
    assert_int_equal(files_in(fixture, false), 1);
}

static void test_the_tick_rate_is_exact(void **state)
{
    static const struct {
        struct tacho_writer_options options;
        const char *wanted;
    } rates[] = {
        { { .tick_rate = 0 }, ",3,5,3,8," },
        { { .tick_rate = 800000000 }, ",3,7,3,8," },                          /* 1.25 ns: 3.75 and 10 */
        { { .tick_rate = 2405000000, .tick_rate_divisor = 2 }, ",2,4,3,8," }, /* 1202.5 MHz: 2.49 and 6.65 */
        { { .tick_rate = 1, .tick_rate_divisor = 60 }, ",180000000000,300000000000,3,8," },
        { { .tick_rate = 1000 }, ",3000000,5000000,3,8," },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        tacho_thread thread;
        struct tacho_writer *writer = open_writer(path_in(fixture, "rate.csv"), &rates[i].options, &thread);

        assert_done(render(writer, thread, "x", 3, 8));
        assert_done(tacho_writer_close(writer));
        assert_true(holds(fixture->path, rates[i].wanted));
    }
}

static void test_times_beyond_the_clock(void **state)
{
    struct fixture *fixture = *state;
    struct tacho_writer_options minutes = { .tick_rate = 1, .tick_rate_divisor = 60 };
    struct tacho_writer_options too_slow = { .tick_rate = 1, .tick_rate_divisor = UINT64_MAX };
    struct tacho_writer *writer;
    tacho_thread thread;

    writer = open_writer(path_in(fixture, "far.pb"), NULL, &thread);
    assert_done(render(writer, thread, "all", 0, INT64_MAX));
    assert_done(tacho_writer_close(writer));
    writer = open_writer(path_in(fixture, "far.pb"), &minutes, &thread);
    assert_status(render(writer, thread, "all", 0, INT64_MAX), TACHO_USAGE);
    assert_message("range");
    assert_done(render(writer, thread, "all", 0, INT64_MAX / 60000000000));
    assert_done(tacho_writer_close(writer));
    assert_status(tacho_writer_open(path_in(fixture, "far.pb"), &too_slow, &writer), TACHO_USAGE);
    assert_null(writer);
}

static void test_logs_find_processes_and_threads_by_name(void **state)
{
    struct fixture *fixture = *state;
    struct tacho_writer *writer;
    tacho_process process;
    char wanted[1024];

    assert_done(tacho_writer_open(path_in(fixture, "log.csv"), NULL, &writer));
    assert_done(tacho_writer_log(writer, &(struct tacho_log){ "A", "dma", "one", 0, 1 }));
    assert_done(tacho_writer_log(writer, &(struct tacho_log){ "B", "dma", "two", 1, 2 }));
    assert_done(tacho_writer_log(writer, &(struct tacho_log){ "A", "dma", "three", 2, 3 }));
    assert_done(tacho_writer_log(writer, &(struct tacho_log){ "A", "A", "four", 3, 4 }));
    assert_done(tacho_writer_close(writer));
    snprintf(wanted, sizeof wanted, "%s%s", csv_header,
             "A,dma,custom,0,one,0,1,0,1,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n"
             "B,dma,custom,0,two,1,1,1,2,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n"
             "A,dma,custom,0,three,2,1,2,3,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n"
             "A,A,custom,0,four,3,1,3,4,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n");
    assert_contents(fixture->path, wanted);
    /* A process that was added is found too, the newest of its name. */
    assert_done(tacho_writer_open(path_in(fixture, "log.json"), NULL, &writer));
    assert_done(tacho_writer_add_process(writer, "A", &process));
    assert_done(tacho_writer_add_process(writer, "A", &process));
    assert_int_equal(process, 1);
    assert_done(tacho_writer_log(writer, &(struct tacho_log){ "A", "dma", "one", 0, 1 }));
    assert_done(tacho_writer_close(writer));
    assert_int_equal(lines_with(fixture->path, "\"process_name\""), 2);
    assert_true(holds(fixture->path, "{\"ph\":\"B\",\"pid\":2,"));
}

static void test_every_format_shows_own_slices(void **state)
{
    static const char *const names[] = { "a.pb", "a.pftrace", "a.json", "a.speedscope.json", "a.csv" };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        tacho_thread thread;
        struct tacho_writer *writer = open_writer(path_in(fixture, names[i]), NULL, &thread);

        assert_done(render(writer, thread, "rendered slice", 0, 10));
        assert_done(begin(writer, thread, "begun slice", 20));
        assert_done(tacho_writer_end(writer, thread, 30));
        assert_done(tacho_writer_close(writer));
        assert_true(holds(fixture->path, "rendered slice"));
        assert_true(holds(fixture->path, "begun slice"));
    }
}

static void test_the_format_can_be_named(void **state)
{
    struct fixture *fixture = *state;
    struct tacho_writer *writer;

    assert_done(
        tacho_writer_open(path_in(fixture, "trace"), &(struct tacho_writer_options){ .format = "chrome" }, &writer));
    assert_done(tacho_writer_close(writer));
    assert_true(holds(fixture->path, "traceEvents"));
    assert_status(tacho_writer_open(fixture->path, &(struct tacho_writer_options){ .format = "vcd" }, &writer),
                  TACHO_USAGE);
    assert_message("vcd");
    assert_status(tacho_writer_open(fixture->path, NULL, &writer), TACHO_USAGE);
    assert_message("suffix");
    assert_status(tacho_writer_open(NULL, NULL, &writer), TACHO_USAGE);
}

static void test_arguments_can_be_left_out(void **state)
{
    struct fixture *fixture = *state;
    struct tacho_writer_options options = { .no_arguments = true };
    struct tacho_argument argument = { .key = "note", .text = "secret" };
    tacho_thread thread;
    struct tacho_writer *writer = open_writer(path_in(fixture, "a.json"), &options, &thread);

    assert_done(render_with(writer, thread, &argument, 1));
    assert_done(tacho_writer_close(writer));
    assert_false(holds(fixture->path, "secret"));
}

static const struct tacho_argument own_arguments[] = {
    { .key = "frames", .integer = -3 },
    { .key = "colour", .text = "red & \"blue\"" },
    { .key = "offset", .type = TACHO_VALUE_INTEGER, .integer = INT64_MIN, .text = "not this" },
    { .key = "mask", .type = TACHO_VALUE_UNSIGNED, .integer = -1 },
    { .key = "ratio", .type = TACHO_VALUE_DECIMAL, .decimal = 0.1 },
    { .key = "cached", .type = TACHO_VALUE_BOOLEAN, .integer = 7 },
    { .key = "dirty", .type = TACHO_VALUE_BOOLEAN },
    { .key = "empty", .type = TACHO_VALUE_TEXT, .text = "" },
    { .key = "buffer", .type = TACHO_VALUE_POINTER, .integer = 0x7fff1234 },
    { .key = "shape", .type = TACHO_VALUE_JSON, .text = "{\"dims\": [1, 224], \"layout\": \"NHWC\", \"scale\": 0.5}" },
};
enum { OWN_ARGUMENTS = sizeof own_arguments / sizeof *own_arguments };

/* Slices of both kinds with ten keys that nobody registered. */
static void write_own_arguments(struct fixture *fixture, const char *name)
{
    tacho_thread thread;
    struct tacho_writer *writer = open_writer(path_in(fixture, name), NULL, &thread);

    for (int i = 0; i < 3; i++)
        assert_done(render_with(writer, thread, own_arguments, OWN_ARGUMENTS));
    assert_done(tacho_writer_begin(
        writer, &(struct tacho_slice){
                    .thread = thread, .name = "begun", .arguments = own_arguments, .argument_count = OWN_ARGUMENTS }));
    assert_done(tacho_writer_end(writer, thread, 4));
    assert_done(tacho_writer_close(writer));
}

static void check_own_arguments(const struct read_event *event)
{
    assert_int_equal(event->argument_count, OWN_ARGUMENTS);
    assert_argument(event, "frames", "-3");
    assert_argument(event, "colour", "'red & \"blue\"'");
    assert_argument(event, "offset", "-9223372036854775808");
    assert_argument(event, "mask", "18446744073709551615u");
    assert_argument(event, "ratio", "0.10000000000000001d");
    assert_argument(event, "cached", "true");
    assert_argument(event, "dirty", "false");
    assert_argument(event, "empty", "''");
    assert_argument(event, "buffer", "0x7fff1234");
    assert_argument(event, "shape", "{dims:[1,224],layout:'NHWC',scale:0.5d}");
}

static void test_arguments_of_any_key_and_type(void **state)
{
    static const char json[] =
        "\"args\":{\"frames\":-3,\"colour\":\"red & \\\"blue\\\"\",\"offset\":-9223372036854775808,"
        "\"mask\":18446744073709551615,\"ratio\":0.1,\"cached\":true,\"dirty\":false,\"empty\":\"\","
        "\"buffer\":\"0x7fff1234\","
        "\"shape\":{\"dims\":[1,224],\"layout\":\"NHWC\",\"scale\":0.5}}}";
    struct fixture *fixture = *state;
    struct read_trace trace;
    size_t size;
    char *data;

    write_own_arguments(fixture, "own.pb");
    data = contents(fixture->path, &size);
    trace = read_trace(data, size);
    for (unsigned i = 0; i < 3; i++)
        check_own_arguments(find_event(&trace, "x", i));
    check_own_arguments(find_event(&trace, "begun", 0));
    read_trace_free(&trace);
    free(data);
    write_own_arguments(fixture, "own.json");
    assert_int_equal(lines_with(fixture->path, json), 4);
    write_own_arguments(fixture, "own.csv");
    assert_int_equal(lines_with(fixture->path, ",\"{\"\"frames\"\":-3,\"\"colour\"\":\"\"red & \\\"\"blue\\\"\"\"\","),
                     4);
    assert_int_equal(lines_with(fixture->path, "\"\"scale\"\":0.5}}\"\n"), 4);
}

/* Numbers of flows are the user's own: a profile in the same trace has others, whatever numbers it uses. */
static void test_flows_are_those_of_the_user(void **state)
{
    static const uint32_t first[] = { 1, UINT32_MAX }, second[] = { UINT32_MAX, 2 }, third[] = { 1 };
    struct fixture *fixture = *state;
    const struct read_event *one, *two;
    struct read_trace trace;
    unsigned joined = 0;
    tacho_thread thread;
    struct tacho_writer *writer;
    size_t size;
    char *data;

    writer = open_writer(path_in(fixture, "flows.pb"), NULL, &thread);
    assert_done(tacho_writer_render(
        writer, &(struct tacho_slice){ .thread = thread, .name = "one", .end = 1, .flows = first, .flow_count = 2 }));
    assert_done(tacho_writer_read(writer, "log", data_path("torq-golden/runtime_r4.csv"), NULL, NULL));
    assert_done(tacho_writer_render(
        writer, &(struct tacho_slice){
                    .thread = thread, .name = "two", .start = 2, .end = 3, .flows = second, .flow_count = 2 }));
    assert_done(tacho_writer_render(
        writer, &(struct tacho_slice){
                    .thread = thread, .name = "three", .start = 4, .end = 5, .flows = third, .flow_count = 1 }));
    assert_done(tacho_writer_close(writer));
    data = contents(fixture->path, &size);
    trace = read_trace(data, size);
    one = find_event(&trace, "one", 0);
    two = find_event(&trace, "two", 0);
    assert_int_equal(one->flow_count, 2);
    assert_int_equal(two->flow_count, 2);
    assert_int_equal(one->flows[1], two->flows[0]);
    assert_int_not_equal(one->flows[0], two->flows[1]);
    assert_int_equal(find_event(&trace, "three", 0)->flows[0], one->flows[0]);
    for (size_t i = 0; i < trace.count; i++) {
        const struct read_event *event = &trace.events[i];

        for (size_t j = 0; j < event->flow_count && event->track != one->track; j++) {
            joined++;
            assert_true(event->flows[j] != one->flows[0] && event->flows[j] != one->flows[1] &&
                        event->flows[j] != two->flows[1]);
        }
    }
    assert_true(joined > 0);
    read_trace_free(&trace);
    free(data);
}

static void test_counters(void **state)
{
    struct fixture *fixture = *state;
    struct tacho_writer *writer;
    tacho_process process;
    tacho_counter counter;
    char unit[] = "widgets";

    assert_done(tacho_writer_open(path_in(fixture, "c.json"), NULL, &writer));
    assert_done(tacho_writer_add_process(writer, "P", &process));
    assert_done(tacho_writer_add_counter(writer, process, "queue", unit, &counter));
    memset(unit, 'x', sizeof unit - 1);
    assert_done(tacho_writer_set_counter(writer, counter, 1000, -7));
    assert_done(tacho_writer_set_counter(writer, counter, 1000, 9));
    assert_status(tacho_writer_set_counter(writer, counter, 999, 1), TACHO_USAGE);
    assert_message("backwards");
    assert_status(tacho_writer_set_counter(writer, counter, -1, 1), TACHO_USAGE);
    assert_status(tacho_writer_set_counter(writer, counter + 1, 2000, 1), TACHO_USAGE);
    assert_status(tacho_writer_add_counter(writer, process, NULL, NULL, &counter), TACHO_USAGE);
    assert_status(tacho_writer_add_counter(writer, process + 1, "x", NULL, &counter), TACHO_USAGE);
    assert_done(tacho_writer_close(writer));
    assert_true(holds(fixture->path, "\"ts\":1.000,\"name\":\"queue\",\"args\":{\"widgets\":-7}"));
    assert_int_equal(lines_with(fixture->path, "\"widgets\""), 2);
}

static void test_open_slices_are_ended_and_told(void **state)
{
    struct fixture *fixture = *state;
    tacho_thread thread;
    struct tacho_writer *writer = open_writer(path_in(fixture, "open.json"), NULL, &thread);

    assert_done(begin(writer, thread, "outer", 1000));
    assert_done(begin(writer, thread, "inner", 2000));
    assert_done(tacho_writer_end(writer, thread, 5000));
    assert_done(tacho_writer_close(writer));
    assert_true(holds(fixture->path, "\"ts\":5.000,\"s\":\"t\",\"name\":\"not ended: outer\""));
    assert_false(holds(fixture->path, "not ended: inner"));
    assert_int_equal(lines_with(fixture->path, "{\"ph\":\"E\""), 2);
}

static void test_deep_stacks_and_many_threads(void **state)
{
    enum { DEPTH = 1000, THREADS = 300 };
    struct fixture *fixture = *state;
    tacho_thread thread;
    struct tacho_writer *writer = open_writer(path_in(fixture, "deep.csv"), NULL, &thread);
    char name[16];

    for (int i = 0; i < DEPTH; i++)
        assert_done(begin(writer, thread, "deep", i));
    for (int i = 0; i < DEPTH; i++)
        assert_done(tacho_writer_end(writer, thread, DEPTH));
    for (int i = 0; i < 2 * THREADS; i++) {
        snprintf(name, sizeof name, "thread %d", i % THREADS);
        assert_done(tacho_writer_log(writer, &(struct tacho_log){ i % 2 ? "odd" : "even", name, "wide", i, i + 1 }));
    }
    assert_done(tacho_writer_close(writer));
    assert_int_equal(lines_with(fixture->path, ",deep,"), DEPTH);
    assert_int_equal(lines_with(fixture->path, ",wide,"), 2 * THREADS);
}

/* ---- misuse ----------------------------------------------------------------------------------------------------- */

static void test_misuse_changes_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct tacho_argument unnamed = { .text = "red" }, empty = { .key = "", .text = "red" };
    struct tacho_argument untyped = { .key = "colour", .type = TACHO_VALUE_JSON + 1 };
    struct tacho_argument lacking = { .key = "colour", .type = TACHO_VALUE_TEXT };
    struct tacho_argument broken = { .key = "colour", .type = TACHO_VALUE_JSON, .text = "{\"a\":}" };
    const uint32_t flows[] = { 3, 0 };
    struct tacho_argument twice[] = { { .key = "id", .integer = 1 }, { .key = "id", .integer = 2 } };
    tacho_process process;
    tacho_thread thread, other;
    struct tacho_writer *writer = open_writer(path_in(fixture, "use.csv"), NULL, &thread);
    char wanted[512];

    assert_status(tacho_writer_add_process(writer, NULL, &process), TACHO_USAGE);
    assert_message("a process wants a name");
    assert_status(tacho_writer_add_thread(writer, 0, NULL, &other), TACHO_USAGE);
    assert_status(tacho_writer_add_thread(writer, 7, "x", &other), TACHO_USAGE);
    assert_status(render(writer, thread, NULL, 0, 1), TACHO_USAGE);
    assert_status(render(writer, thread + 1, "x", 0, 1), TACHO_USAGE);
    assert_status(render(writer, thread, "x", 2, 1), TACHO_USAGE);
    assert_message("before its start");
    assert_status(render(writer, thread, "x", -1, 1), TACHO_USAGE);
    assert_status(begin(writer, thread, NULL, 0), TACHO_USAGE);
    assert_status(begin(writer, thread, "x", -1), TACHO_USAGE);
    assert_status(begin(writer, thread + 1, "x", 0), TACHO_USAGE);
    assert_status(tacho_writer_end(writer, thread, 0), TACHO_USAGE);
    assert_message("an end wants a begin");
    assert_status(tacho_writer_end(writer, thread + 1, 0), TACHO_USAGE);
    assert_status(render_with(writer, thread, &unnamed, 1), TACHO_USAGE);
    assert_status(render_with(writer, thread, &empty, 1), TACHO_USAGE);
    assert_message("an argument wants a key");
    assert_status(render_with(writer, thread, &untyped, 1), TACHO_USAGE);
    assert_message("\"colour\" is of no known type");
    assert_status(render_with(writer, thread, &lacking, 1), TACHO_USAGE);
    assert_message("\"colour\" wants a text");
    assert_status(render_with(writer, thread, &broken, 1), TACHO_USAGE);
    assert_message("\"colour\" is no JSON");
    assert_status(render_with(writer, thread, twice, 2), TACHO_USAGE);
    assert_message("\"id\" is there twice");
    assert_status(tacho_writer_begin(
                      writer, &(struct tacho_slice){ .thread = thread, .name = "x", .flows = flows, .flow_count = 2 }),
                  TACHO_USAGE);
    assert_message("not 0");
    assert_status(
        tacho_writer_begin(
            writer, &(struct tacho_slice){ .thread = thread, .name = "x", .arguments = twice, .argument_count = 5000 }),
        TACHO_USAGE);
    assert_message("4096");
    assert_status(tacho_writer_log(writer, &(struct tacho_log){ NULL, "t", "f", 0, 1 }), TACHO_USAGE);
    assert_status(tacho_writer_log(writer, &(struct tacho_log){ "new", NULL, "f", 0, 1 }), TACHO_USAGE);
    assert_status(tacho_writer_log(writer, &(struct tacho_log){ "new", "t", NULL, 0, 1 }), TACHO_USAGE);
    assert_status(tacho_writer_log(writer, &(struct tacho_log){ "new", "t", "f", 2, 1 }), TACHO_USAGE);
    assert_status(tacho_writer_log(writer, &(struct tacho_log){ "new", "t", "f", -2, 1 }), TACHO_USAGE);
    assert_status(tacho_writer_read(writer, "x", NULL, NULL, NULL), TACHO_USAGE);
    /* Time backwards on a thread, between begin and end and after them. */
    assert_done(begin(writer, thread, "kept", 10));
    assert_status(tacho_writer_end(writer, thread, 9), TACHO_USAGE);
    assert_message("\"T\" runs backwards, from 10 to 9");
    assert_done(tacho_writer_end(writer, thread, 12));
    assert_status(begin(writer, thread, "x", 11), TACHO_USAGE);
    assert_done(tacho_writer_close(writer));
    snprintf(wanted, sizeof wanted, "%s%s", csv_header,
             "P,T,custom,0,kept,10,2,10,12,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n");
    assert_contents(fixture->path, wanted);
    tacho_writer_abandon(NULL);
    tacho_profile_close(NULL);
    tacho_table_free(NULL);
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

static void test_the_file_exists_after_close_only(void **state)
{
    struct fixture *fixture = *state;
    tacho_thread thread;
    struct tacho_writer *writer = open_writer(path_in(fixture, "late.csv"), NULL, &thread);

    assert_done(render(writer, thread, "x", 0, 1));
    assert_done(tacho_writer_flush(writer));
    assert_int_equal(access(fixture->path, F_OK), -1);
    assert_int_equal(files_in(fixture, false), 1);
    assert_done(tacho_writer_close(writer));
    assert_int_equal(access(fixture->path, F_OK), 0);
    assert_int_equal(files_in(fixture, false), 1);
}

static void test_flush_hands_bytes_to_the_file(void **state)
{
    struct fixture *fixture = *state;
    char pipe_path[64];
    char data[4096];
    int ends[2];
    tacho_thread thread;
    struct tacho_writer *writer;
    ssize_t size;

    assert_int_equal(pipe(ends), 0);
    snprintf(pipe_path, sizeof pipe_path, "/dev/fd/%d", ends[1]);
    writer = open_writer(pipe_path, &(struct tacho_writer_options){ .format = "slices" }, &thread);
    assert_done(render(writer, thread, "flushed", 0, 1));
    assert_done(tacho_writer_flush(writer));
    size = read(ends[0], data, sizeof data - 1);
    assert_true(size > 0);
    data[size] = '\0';
    assert_non_null(strstr(data, "flushed"));
    assert_done(tacho_writer_close(writer));
    close(ends[0]);
    close(ends[1]);
    (void)fixture;
}

static void test_abandon_keeps_the_older_file(void **state)
{
    struct fixture *fixture = *state;
    tacho_thread thread;
    struct tacho_writer *writer;

    write_file(path_in(fixture, "old.pb"), "old");
    writer = open_writer(fixture->path, NULL, &thread);
    assert_done(render(writer, thread, "x", 0, 1));
    assert_done(tacho_writer_flush(writer));
    tacho_writer_abandon(writer);
    assert_contents(fixture->path, "old");
    assert_int_equal(files_in(fixture, false), 1);
}

static void test_outputs_that_cannot_be_written(void **state)
{
    struct fixture *fixture = *state;
    struct tacho_writer_options perfetto = { .format = "perfetto" };
    tacho_thread thread;
    struct tacho_writer *writer;

    assert_status(tacho_writer_open(fixture->folder, &perfetto, &writer), TACHO_OUTPUT);
    assert_null(writer);
    writer = open_writer("/dev/full", &perfetto, &thread);
    assert_done(render(writer, thread, "x", 0, 1));
    assert_status(tacho_writer_flush(writer), TACHO_OUTPUT);
    /* From now on every call says so, and close too. */
    assert_status(render(writer, thread, "x", 0, 1), TACHO_OUTPUT);
    assert_message("earlier call");
    assert_status(tacho_writer_end(writer, thread, 1), TACHO_OUTPUT);
    assert_status(tacho_writer_read(writer, "x", data_path("torq-compile/c1.csv"), NULL, NULL), TACHO_OUTPUT);
    assert_status(tacho_writer_close(writer), TACHO_OUTPUT);
    writer = open_writer("/dev/full", &perfetto, &thread);
    assert_status(tacho_writer_close(writer), TACHO_OUTPUT);
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

struct worker {
    pthread_t thread;
    char path[128];
    int number;
    bool own_message;
};

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct tacho_writer *writer;
    struct tacho_profile *profile;
    char wrong[64];

    snprintf(wrong, sizeof wrong, "/nowhere/%d.csv", worker->number);
    if (tacho_writer_open(worker->path, NULL, &writer) != TACHO_OK)
        return NULL;
    for (int i = 0; i < 2000; i++)
        if (tacho_writer_log(writer, &(struct tacho_log){ "P", "T", "f", i, i + 1 }) != TACHO_OK)
            return NULL;
    if (tacho_writer_close(writer) != TACHO_OK || tacho_profile_open(wrong, NULL, &profile) != TACHO_INPUT)
        return NULL;
    worker->own_message = strstr(tacho_error_message(), wrong) != NULL;
    return NULL;
}

static void test_writers_in_several_threads(void **state)
{
    enum { WORKERS = 4 };
    struct fixture *fixture = *state;
    struct worker workers[WORKERS];
    size_t first_size, size;
    char *first, *data;

    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (struct worker){ .number = i };
        snprintf(workers[i].path, sizeof workers[i].path, "%s/%d.pb", fixture->folder, i);
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_true(workers[i].own_message);
    }
    first = contents(workers[0].path, &first_size);
    for (int i = 1; i < WORKERS; i++) {
        data = contents(workers[i].path, &size);
        assert_int_equal(size, first_size);
        assert_memory_equal(data, first, size);
        free(data);
    }
    free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version_and_status),
        test_in_folder(test_slices_reach_the_file),
        test_in_folder(test_the_tick_rate_is_exact),
        test_in_folder(test_times_beyond_the_clock),
        test_in_folder(test_logs_find_processes_and_threads_by_name),
        test_in_folder(test_every_format_shows_own_slices),
        test_in_folder(test_the_format_can_be_named),
        test_in_folder(test_arguments_can_be_left_out),
        test_in_folder(test_arguments_of_any_key_and_type),
        test_in_folder(test_flows_are_those_of_the_user),
        test_in_folder(test_counters),
        test_in_folder(test_open_slices_are_ended_and_told),
        test_in_folder(test_deep_stacks_and_many_threads),
        test_in_folder(test_misuse_changes_nothing),
        test_in_folder(test_the_file_exists_after_close_only),
        test_in_folder(test_flush_hands_bytes_to_the_file),
        test_in_folder(test_abandon_keeps_the_older_file),
        test_in_folder(test_outputs_that_cannot_be_written),
        test_in_folder(test_writers_in_several_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
