/* test_ops_recording.c: ops of a recording: the same report as of a folder of logs, whichever way the slices are pushed, and what becomes of
 * ops that never stopped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/output.h"
#include "place.h"
#include "tenstorrent/ops_folder.h"
#include "tenstorrent/ops_recording.h"
#include "tenstorrent/original/ops_report.h"
#include "trace/feed.h"

/* A recording that is pushed by hand: two tracks of one process, and one of another, whose ticks are 10 ns. */
struct pushing {
    struct strings *strings;
    struct ops_recording ops;
    struct feed feed;
    track_id tracks[3];
    bool nested; /* as begins and ends, not as whole slices */
    open_id open[4];
    int64_t ends[4];
    unsigned depth;
};

struct zone {
    unsigned track;
    const char *name;
    int64_t start, end;    /* ns */
    const char *arguments; /* "key=value|…"; a value that is all digits is a number, "true" a boolean */
};

static status add_track(struct pushing *pushing, track_id parent, enum track_kind kind, clock_id clock, track_id *id)
{
    struct track track = {
        .parent = parent, .kind = kind, .clock = clock, .engine = kind == TRACK_SLICES ? &engine_custom : NULL
    };

    return feed_track(&pushing->feed, track, id);
}

static status start(struct pushing *pushing)
{
    struct clock clock = { .numerator = 10, .denominator = 1 };
    clock_id id = 0;
    track_id process = 0;
    status code = ops_recording_start(&pushing->ops, pushing->strings);

    feed_start(&pushing->feed, ops_recording_sink(&pushing->ops), pushing->strings);
    if (code == STATUS_OK)
        code = feed_clock(&pushing->feed, &clock, &id);
    for (unsigned i = 0; i < 3 && code == STATUS_OK; i++) {
        if (i != 1)
            code = add_track(pushing, NO_ID, TRACK_PROCESS, NO_ID, &process);
        if (code == STATUS_OK)
            code = add_track(pushing, process, TRACK_SLICES, i == 2 ? NO_ID : id, &pushing->tracks[i]);
    }
    return code;
}

static struct pushing *pushing_new(bool nested)
{
    struct pushing *pushing = calloc(1, sizeof *pushing);

    assert_non_null(pushing);
    pushing->strings = model_strings();
    pushing->nested = nested;
    return pushing;
}

static void pushing_free(struct pushing *pushing)
{
    ops_recording_free(&pushing->ops);
    feed_free(&pushing->feed);
    strings_free(pushing->strings);
    free(pushing);
}

static status make_argument(struct pushing *pushing, char *part, struct argument *argument)
{
    char *value = strstr(part, "=");
    string_id key, text;
    status code;

    *value++ = '\0';
    code = strings_add_text(pushing->strings, part, &key);
    if (code != STATUS_OK)
        return code;
    if (strcmp(value, "true") == 0) {
        *argument = (struct argument){ .key = key, .type = ARGUMENT_BOOLEAN, .boolean = true };
        return STATUS_OK;
    }
    if (*value && value[strspn(value, "0123456789")] == '\0') {
        *argument = (struct argument){ .key = key, .type = ARGUMENT_UNSIGNED, .natural = strtoull(value, NULL, 10) };
        return STATUS_OK;
    }
    for (char *at = value; *at; at++)
        *at = *at == '/' ? '|' : *at;
    code = strings_add_text(pushing->strings, value, &text);
    *argument = argument_text(key, text);
    return code;
}

static status push(struct pushing *pushing, const struct zone *zone)
{
    struct argument arguments[12];
    struct slice slice = { .track = pushing->tracks[zone->track], .op = NO_ID, .run = NO_ID, .arguments = arguments };
    int64_t divisor = zone->track == 2 ? 1 : 10;
    char text[600], *rest = NULL;
    status code = strings_add_text(pushing->strings, zone->name, &slice.name);

    snprintf(text, sizeof text, "%s", zone->arguments);
    for (char *part = strtok_r(text, "|", &rest); part && code == STATUS_OK; part = strtok_r(NULL, "|", &rest))
        code = make_argument(pushing, part, &arguments[slice.argument_count++]);
    slice.start = zone->start / divisor;
    slice.end = zone->end / divisor;
    if (code != STATUS_OK)
        return code;
    if (!pushing->nested)
        return sink_slice(&pushing->feed.sink, &slice);
    code = feed_open(&pushing->feed, &pushing->open[pushing->depth]);
    if (code == STATUS_OK)
        code = sink_begin(&pushing->feed.sink, pushing->open[pushing->depth],
                          pushing->depth ? pushing->open[pushing->depth - 1] : NO_ID, &slice);
    pushing->ends[pushing->depth++] = slice.end;
    return code;
}

static status close_to(struct pushing *pushing, unsigned depth)
{
    status code = STATUS_OK;

    while (pushing->depth > depth && code == STATUS_OK) {
        pushing->depth--;
        code = sink_end(&pushing->feed.sink, pushing->open[pushing->depth], pushing->ends[pushing->depth]);
        feed_close(&pushing->feed, pushing->open[pushing->depth]);
    }
    return code;
}

/* Pushes all, each inside those before it that have not ended. */
static status push_all(struct pushing *pushing, const struct zone *zones, size_t count)
{
    status code = start(pushing);

    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        unsigned depth = pushing->depth;

        while (depth && (zones[i].track != zones[i - 1].track ||
                         pushing->ends[depth - 1] <= zones[i].start / (zones[i].track == 2 ? 1 : 10)))
            depth--;
        code = close_to(pushing, depth);
        if (code == STATUS_OK)
            code = push(pushing, &zones[i]);
    }
    if (code == STATUS_OK)
        code = close_to(pushing, 0);
    return code == STATUS_OK ? ops_recording_end(&pushing->ops) : code;
}

static const char *report_of(const struct op_calls *calls, const char *name)
{
    static char text[2][1 << 14];
    static unsigned turn;
    struct output *output;
    FILE *file;
    size_t length;

    assert_int_equal(output_open(file_at(name), &output), STATUS_OK);
    assert_int_equal(output_finish(output, ops_report_write(calls, output)), STATUS_OK);
    file = fopen(file_at(name), "r");
    assert_non_null(file);
    turn = !turn;
    length = fread(text[turn], 1, sizeof text[turn] - 1, file);
    text[turn][length] = '\0';
    fclose(file);
    return text[turn];
}

/* ---- a recording and a folder of the same ---------------------------------------------------------------------------- */

#define TENSOR "1_1_32_64/TILE/BFLOAT16/DEV_0_DRAM_INTERLEAVED"

static const struct zone zones[] = {
    { 0, "Layer", 1000, 9000,
      "op.type=tt_dnn_cpu|op.global_call=1|op.call=1|op.depth=1|op.preferred_name=tt::tt_metal::Big" },
    { 0, "tt::tt_metal::Matmul", 2000, 5000,
      "op.type=tt_dnn_device|op.global_call=2|op.call=1|op.depth=2|op.inputs=" TENSOR "--" TENSOR "|op.outputs=" TENSOR
      "|op.math_fidelity=HiFi4|op.parallelization_strategy=MULTI_CORE|op.preferred_name=x|op.meta_data=a=1-b=2" },
    { 0, "CompileProgram", 2100, 2200, "op.caller=2" },
    { 0, "LaunchProgram", 2300, 2600, "op.caller=2" },
    { 0, "LaunchProgram", 3000, 3400, "op.caller=2" },
    { 0, "tt::tt_metal::Matmul", 6000, 7000, "op.type=tt_dnn_device|op.global_call=4|op.call=2|op.depth=2" },
    { 0, "ReadFromDevice", 9500, 9600, "op.caller=0" },
    { 0, "a zone of the user", 9700, 9800, "bytes=4" },
    { 1, "Other, or\nnot", 1500, 2500, "op.type=mine|op.global_call=3|op.call=1|op.depth=1" },
    { 1, "Launch,Program", 1600, 1700, "op.caller=3" },
};
enum { ZONES = sizeof zones / sizeof *zones };

#define HEADER                                                                                                     \
    "Name, Start timer count [ns], Stop timer count [ns], Delta timer count [ns], Global Call Count, Call Count, " \
    "Stack Size, Inputs, Outputs, Math Fidelity, Parallelization Strategy, Preferred Name, Meta Data, Type\n"
#define CALLS "Name, Start timer count [ns], Stop timer count [ns], Delta timer count [ns]\n"
#define LOGGED "1_1_32_64|TILE|BFLOAT16|DEV_0_DRAM_INTERLEAVED"

static void write_folder(void)
{
    write_file("ops/Layer/profile_log_host.csv",
               HEADER "Layer, 1000, 9000, 8000, 1, 1, 1, , , , , tt::tt_metal::Big, , tt_dnn_cpu\n");
    write_file("ops/tt::tt_metal::Matmul/profile_log_host.csv",
               HEADER "tt::tt_metal::Matmul, 2000, 5000, 3000, 2, 1, 2, " LOGGED "--" LOGGED ", " LOGGED
                      ", HiFi4, MULTI_CORE, x, a=1-b=2, tt_dnn_device\n"
                      "tt::tt_metal::Matmul, 6000, 7000, 1000, 4, 2, 2, , , , , , , tt_dnn_device\n");
    write_file("ops/tt::tt_metal::Matmul/1/profile_log_host.csv", CALLS
               "CompileProgram, 2100, 2200, 100\nLaunchProgram, 2300, 2600, 300\nLaunchProgram, 3000, 3400, 400\n");
    write_file("ops/Other/profile_log_host.csv", HEADER "Other; or not, 1500, 2500, 1000, 3, 1, 1, , , , , , , mine\n");
    write_file("ops/Other/1/profile_log_host.csv", CALLS "Launch;Program, 1600, 1700, 100\n");
}

static void test_a_recording_gives_the_report_of_its_folder(void **state)
{
    struct ops_folder folder;
    const char *expected;

    (void)state;
    write_folder();
    assert_int_equal(ops_folder_read(file_at("ops"), &folder), STATUS_OK);
    expected = report_of(&folder.calls, "folder.csv");
    for (unsigned nested = 0; nested < 2; nested++) {
        struct pushing *pushing = pushing_new(nested);
        struct ops_recording *ops = &pushing->ops;

        assert_int_equal(push_all(pushing, zones, ZONES), STATUS_OK);
        assert_int_equal(ops->calls.count, 4);
        assert_int_equal(ops->outside, 1);
        assert_int_equal(ops->processes, 1);
        assert_int_equal(ops->unfinished, 0);
        assert_string_equal(report_of(&ops->calls, "recording.csv"), expected);
        pushing_free(pushing);
    }
    ops_folder_free(&folder);
}

/* ---- what is not as it should be ------------------------------------------------------------------------------------- */

static void test_an_op_that_never_stopped_has_no_end(void **state)
{
    static const struct zone open[] = {
        { 0, "Layer", 1000, 9000, "op.type=tt_dnn_cpu|op.global_call=1|op.depth=1|unfinished=true" },
        { 0, "LaunchProgram", 2000, 3000, "op.caller=1" },
        { 0, "ReadFromDevice", 4000, 9000, "op.caller=1|unfinished=true" },
    };
    struct pushing *pushing = pushing_new(true);
    const struct op_call *row;

    (void)state;
    assert_int_equal(push_all(pushing, open, 3), STATUS_OK);
    row = &pushing->ops.calls.rows[0];
    assert_int_equal(pushing->ops.unfinished, 1);
    assert_string_equal(row->host_start, "1000");
    assert_null(row->host_end);
    assert_null(row->host_duration);
    assert_null(row->inputs);
    assert_int_equal(row->function_count, 1);
    assert_int_equal(row->functions[0].total_ns, 1000);
    pushing_free(pushing);
}

static void test_each_process_counts_its_own_calls(void **state)
{
    static const struct zone several[] = {
        { 2, "B1", 500, 600, "op.type=t|op.global_call=1|op.depth=1" },
        { 2, "F", 510, 520, "op.caller=1" },
        { 2, "odd", 700, 800, "op.type=t|op.detail.pm_ideal_ns=text" },
        { 0, "A2", 3000, 4000, "op.type=t|op.global_call=2|op.depth=1" },
        { 0, "A1", 5000, 6000, "op.type=t|op.global_call=1|op.depth=100" },
        { 0, "F", 5100, 5200, "op.caller=1" },
        { 0, "F", 6100, 6200, "op.caller=77" },
    };
    struct pushing *pushing = pushing_new(false);
    const struct op_call *rows;

    (void)state;
    assert_int_equal(push_all(pushing, several, 7), STATUS_OK);
    rows = pushing->ops.calls.rows;
    assert_int_equal(pushing->ops.processes, 2);
    assert_int_equal(pushing->ops.outside, 1);
    assert_string_equal(rows[0].name, "A1");
    assert_int_equal(rows[0].functions[0].total_ns, 100);
    assert_int_equal(rows[0].depth, 64);
    assert_string_equal(rows[1].name, "A2");
    assert_int_equal(rows[1].function_count, 0);
    assert_string_equal(rows[2].name, "B1");
    assert_int_equal(rows[2].functions[0].total_ns, 10);
    assert_string_equal(rows[3].name, "odd");
    assert_null(rows[3].call);
    assert_null(rows[3].depth_text);
    assert_true(pushing->ops.calls.later_host);
    assert_string_equal(rows[3].later[LATER_MODEL_IDEAL], "text");
    pushing_free(pushing);
}

static void test_a_recording_without_ops_is_empty(void **state)
{
    static const struct zone none = { 0, "zone", 1000, 2000, "" };
    struct pushing *pushing = pushing_new(true);

    (void)state;
    assert_int_equal(push_all(pushing, &none, 1), STATUS_OK);
    assert_int_equal(pushing->ops.calls.count, 0);
    pushing_free(pushing);
}

static void test_out_of_memory_is_told(void **state)
{
    bool done = false;

    (void)state;
    for (uint64_t nth = 1; nth < 300 && !done; nth++) {
        struct pushing *pushing = pushing_new(nth % 2);
        status code;

        memory_fail_at(nth);
        code = push_all(pushing, zones, ZONES);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        done = code == STATUS_OK;
        pushing_free(pushing);
    }
    assert_true(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_recording_gives_the_report_of_its_folder),
        cmocka_unit_test(test_an_op_that_never_stopped_has_no_end),
        cmocka_unit_test(test_each_process_counts_its_own_calls),
        cmocka_unit_test(test_a_recording_without_ops_is_empty),
        cmocka_unit_test(test_out_of_memory_is_told),
    };

    return cmocka_run_group_tests(tests, make_place, remove_place);
}
