/* test_chrome_producer.c: what a producer says of trace events: operators, launches, work, runs; also read in pieces, and without memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chrome_reading.h"

/* ---- Producers --------------------------------------------------------------------------------------------------- */

static const struct producer_rule rules[] = {
    { "note", "step*", NULL, NULL, ROLE_RUN, &engine_frame },
    { "op", NULL, NULL, NULL, ROLE_OPERATOR, &engine_thread },
    { "fn", "module *", NULL, NULL, ROLE_SCOPE, &engine_sum },
    { "fn", NULL, NULL, NULL, ROLE_SOURCE, &engine_sum },
    { "call", "launch*", NULL, NULL, ROLE_LAUNCH, &engine_custom },
    { NULL, NULL, "stream*", "link", ROLE_WORK, &engine_device },
    { NULL, NULL, "stream*", NULL, ROLE_WORK, &engine_unknown },
    { NULL, NULL, NULL, NULL, ROLE_END, NULL },
};

static const struct producer_counter told_counters[] = {
    { "[mem*", "total", "device", "Memory of", "B" },
    { NULL, NULL, NULL, NULL, NULL },
};

static const struct producer producer = {
    .title = "test",
    .rules = rules,
    .correlation = "link",
    .run_number = "step#",
    .op = { .behind = "_op" },
    .scope = { .before = "module " },
    .shapes = "dims",
    .backward = "back",
    .counters = told_counters,
};

#define EVENT(cat, name, tid, ts, dur, more)                                                       \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts \
    ",\"dur\":" dur more "}"
#define LINK(number) ",\"args\":{\"link\":" number "}"
#define ARROW(phase, tid, ts, id)                                                                                 \
    "{\"ph\":\"" phase "\",\"cat\":\"back\",\"name\":\"back\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"id\":" id \
    ",\"bp\":\"e\"}"

/* Device first, then functions, operators, calls, steps, names: no section is where a sink would want it. */
static const char training[] =
    "[" EVENT("k", "gemm", "7", "14", "20", LINK("1")) "," EVENT("k", "relu", "7", "39.5", "2", LINK("2")) "," EVENT(
        "k", "graph a", "7", "60", "1",
        LINK("3")) "," EVENT("k", "graph b", "7", "62", "50",
                             LINK(
                                 "3")) "," EVENT("k", "alone", "7", "120", "1",
                                                 LINK(
                                                     "99")) "," EVENT("k", "unlinked", "7", "122", "1",
                                                                      "") "," EVENT("fn", "net.py(12): forward", "1",
                                                                                    "1", "30",
                                                                                    "") "," EVENT("fn",
                                                                                                  "module Linear_0",
                                                                                                  "1", "2",
                                                                                                  "20", "") "," EVENT("fn", "<built-in>", "1", "3", "18", "") "," EVENT("fn", "main.py(3): loop", "1", "50", "9", "") "," EVENT("op", "addmm_op", "1", "4", "10", ",\"args\":{\"dims\":[2,3]}") "," ARROW("s", "1", "4", "5") "," EVENT("op",
                                                                                                                                                                                                                                                                                                                                        "evaluate", "2", "35", "12", "") "," EVENT("op",
                                                                                                                                                                                                                                                                                                                                                                                   "AddmmBackward", "2", "36", "10", "") "," ARROW("f",
                                                                                                                                                                                                                                                                                                                                                                                                                                   "2",
                                                                                                                                                                                                                                                                                                                                                                                                                                   "36", "5") "," EVENT("op",
                                                                                                                                                                                                                                                                                                                                                                                                                                                        "mm", "2",
                                                                                                                                                                                                                                                                                                                                                                                                                                                        "38", "4", "") "," EVENT("call",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "launchA", "1", "5", "3", LINK("1")) "," EVENT("call",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "launchB",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "2",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "40",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "1", LINK("2")) "," EVENT("call", "launchGraph", "1", "52", "2", LINK("3")) "," EVENT("note",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "step#4",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "1",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "0",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "45", "") "," EVENT("note", "step#5", "1", "48",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "14",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "") ",{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":7,\"args\":{\"name\":\"stream 7\"}}]";

static const struct recorded *find_slice(const struct recorder *recorder, const char *name)
{
    for (unsigned i = 0; i < recorder->count; i++)
        if (strcmp(strings_text(recorder->strings, recorder->slices[i].slice.name), name) == 0)
            return &recorder->slices[i];
    fail_msg("no slice is called %s", name);
    return NULL;
}

/* "name module place run" of a slice's operator. */
static void check_attribution(const struct recorder *recorder, const char *name, const char *expected)
{
    const struct slice *slice = &find_slice(recorder, name)->slice;
    const struct op *op = slice->op == NO_ID ? NULL : &recorder->operators[slice->op];
    char text[200];

    snprintf(text, sizeof text, "%s %s %s %d", op ? strings_text(recorder->strings, op->name) : "-",
             op && op->module ? strings_text(recorder->strings, op->module) : "-",
             op && op->place ? strings_text(recorder->strings, op->place) : "-",
             slice->run == NO_ID ? -1 : (int)slice->run);
    if (strcmp(text, expected))
        fail_msg("%s: %s, not %s", name, text, expected);
}

static void test_work_belongs_to_what_launched_it(void **state)
{
    struct source source;
    struct recorder *recorder = read_by(training, &producer, &source);

    (void)state;
    check_attribution(recorder, "addmm_op", "addmm Linear_0 net.py:12 0");
    check_attribution(recorder, "launchA", "addmm Linear_0 net.py:12 0");
    check_attribution(recorder, "gemm", "addmm Linear_0 net.py:12 0");
    /* The arrow hands module and place on, also to the operator around its end, and to what lies in it. */
    check_attribution(recorder, "evaluate", "evaluate Linear_0 net.py:12 0");
    check_attribution(recorder, "AddmmBackward", "AddmmBackward Linear_0 net.py:12 0");
    check_attribution(recorder, "mm", "mm Linear_0 net.py:12 0");
    /* Its clock puts it before its launch: it waits. */
    check_attribution(recorder, "relu", "mm Linear_0 net.py:12 0");
    /* One launch, many pieces of work, no operator around it. */
    check_attribution(recorder, "launchGraph", "launchGraph - main.py:3 1");
    check_attribution(recorder, "graph a", "launchGraph - main.py:3 1");
    check_attribution(recorder, "graph b", "launchGraph - main.py:3 1");
    check_attribution(recorder, "alone", "alone - - -1");
    check_attribution(recorder, "unlinked", "unlinked - - -1");
    assert_int_equal(recorder->losses.lost, 0);
    assert_string_equal(
        strings_text(recorder->strings, recorder->operators[find_slice(recorder, "gemm")->slice.op].shapes), "[2,3]");
    recorder_free(recorder);
}

/* ---- Work behind what launched it --------------------------------------------------------------------------------- */

static const struct producer_rule graph_rules[] = {
    { "Run", NULL, NULL, NULL, ROLE_RUN, &engine_frame },
    { "Node", NULL, NULL, NULL, ROLE_OPERATOR, &engine_unknown },
    { "Kernel", NULL, NULL, NULL, ROLE_WORK, &engine_device },
    { NULL, NULL, NULL, NULL, ROLE_END, NULL },
};

static const struct producer graph_producer = {
    .title = "test",
    .rules = graph_rules,
    .parent = "parent",
    .launching = { &engine_unknown, &engine_thread },
    .op = { .behind = "_time" },
    .type = "kind",
};

#define OF(parent) ",\"args\":{\"parent\":\"" parent "\"}"
#define KIND(kind) ",\"args\":{\"kind\":\"" kind "\"}"
#define NODE(name, kind, ts) EVENT("Node", name "_time", "1", ts, "5", KIND(kind))
#define WORK(name, ts, more) EVENT("Kernel", name, "7", ts, "3", more)

/* Kernels behind their node, by name or by kind; one behind another node than it names, and what stands behind that. */
static const char graph[] =
    "[" EVENT("Run", "run", "1", "0", "40", "") "," WORK("input", "1", OF("run")) "," NODE("a", "Conv", "2") "," WORK("a1", "4", OF("a_time")) "," WORK(
        "a2", "8",
        OF("a_time")) "," NODE("b", "Add",
                               "8") "," WORK("b1", "12",
                                             KIND(
                                                 "Add")) "," NODE("c", "Mul",
                                                                  "20") "," WORK("late", "30",
                                                                                 OF("a_time")) "," WORK("lost", "34",
                                                                                                        OF("c_time")) "," WORK("stray",
                                                                                                                               "50",
                                                                                                                               "") "]";

static void test_work_stands_behind_what_launched_it(void **state)
{
    struct source source;
    struct recorder *recorder = read_by(graph, &graph_producer, &source);

    (void)state;
    check_attribution(recorder, "input", "- - - 0");
    check_attribution(recorder, "a1", "a - - 0");
    check_attribution(recorder, "a2", "a - - 0");
    check_attribution(recorder, "b1", "b - - 0");
    check_attribution(recorder, "late", "a - - 0");
    check_attribution(recorder, "lost", "c - - 0");
    check_attribution(recorder, "stray", "stray - - -1");
    /* An arrow from the node to both of its kernels, and nodes are the host's where their work is told. */
    assert_int_not_equal(find_slice(recorder, "a_time")->slice.flow, 0);
    assert_int_equal(find_slice(recorder, "a_time")->slice.flow, find_slice(recorder, "a2")->slice.flow);
    assert_int_equal(find_slice(recorder, "c_time")->slice.flow, 0);
    assert_ptr_equal(recorder->tracks[find_slice(recorder, "a_time")->slice.track].engine, &engine_thread);
    assert_int_equal(recorder->losses.lost, 0);
    recorder_free(recorder);
    recorder = read_by("[" NODE("a", "Conv", "2") "]", &graph_producer, &source);
    assert_ptr_equal(recorder->tracks[find_slice(recorder, "a_time")->slice.track].engine, &engine_unknown);
    recorder_free(recorder);
}

static void test_runs_last_until_their_work_is_done(void **state)
{
    struct source source;
    struct recorder *recorder = read_by(training, &producer, &source);

    (void)state;
    assert_string_equal(runs, "0.4 0..45000;0.5 48000..112000;");
    recorder_free(recorder);
}

static void test_a_thread_has_a_line_for_each_engine(void **state)
{
    struct source source;
    struct recorder *recorder = read_by(training, &producer, &source);
    unsigned lines = 0;

    (void)state;
    for (unsigned i = 0; i < recorder->track_count; i++) {
        const struct track *track = &recorder->tracks[i];

        if (track->kind != TRACK_SLICES)
            continue;
        lines++;
        assert_int_equal(recorder->tracks[track->parent].kind, TRACK_GROUP);
    }
    /* Frames, operators, functions and calls of one thread; operators and calls of the other; two of the stream. */
    assert_int_equal(lines, 4 + 2 + 2);
    assert_ptr_equal(recorder->tracks[find_slice(recorder, "unlinked")->slice.track].engine, &engine_unknown);
    recorder_free(recorder);
}

static void test_instants_tell_values(void **state)
{
    struct source source;
    struct recorder *recorder =
        read_by("[{\"ph\":\"i\",\"name\":\"[memory]\",\"ts\":2,\"args\":{\"total\":7,\"device\":0}" T
                ",{\"ph\":\"i\",\"name\":\"[memory]\",\"ts\":1,\"args\":{\"total\":5,\"device\":-1}" T
                ",{\"ph\":\"i\",\"name\":\"[memory]\",\"ts\":3,\"args\":{\"total\":\"x\",\"device\":-1}" T
                ",{\"ph\":\"i\",\"name\":\"other\",\"ts\":4,\"args\":{\"total\":5}" T "]",
                &producer, &source);

    (void)state;
    assert_string_equal(counters, "Memory of -1 1000 5;Memory of 0 2000 7;");
    assert_int_equal(recorder->instants, 4);
    recorder_free(recorder);
}

/* ---- What Tacho wrote --------------------------------------------------------------------------------------------- */

#define OWN(name, first, rows) \
    "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"" name "\",\"args\":{\"first\":" first ",\"rows\":[" rows "]}}"

static const char own_runs[] =
    "[" OWN("tacho_runs", "0", "[0,0,1000,5000],[0,1,5000,9000]") "," OWN("tacho_runs", "2", "[1,0,9000,9500],[1,1,9500,9000],[1,-1,0,0],[1,2,1,2]") "," OWN(
        "tacho_steps", "0",
        "[1,1000,1000],[2,1500,1600]") "," OWN("tacho_step_ends", "0",
                                               "[0,1400],[7,1]") "," EVENT("a", "first", "1", "1", "2",
                                                                           "") "," EVENT("a", "second", "1", "6", "1",
                                                                                         "") "," EVENT("a", "outside",
                                                                                                       "1", "20", "1",
                                                                                                       "") "]";

static void test_runs_of_our_own_are_told_again(void **state)
{
    struct source source;
    struct recorder *recorder = read_by(own_runs, NULL, &source);

    (void)state;
    /* One that ends before it begins is empty; behind one that is none nothing of its event is. */
    assert_string_equal(runs, "0.0 1000..5000;0.1 5000..9000;1.0 9000..9500;1.1 9500..9500;");
    assert_int_equal(find_slice(recorder, "first")->slice.run, 0);
    assert_int_equal(find_slice(recorder, "second")->slice.run, 1);
    assert_int_equal(find_slice(recorder, "outside")->slice.run, NO_ID);
    recorder_free(recorder);
    recorder = read_by(own_runs, &producer, &source); /* somebody else wrote it */
    assert_string_equal(runs, "");
    recorder_free(recorder);
}

static void test_patterns(void **state)
{
    (void)state;
    assert_true(chrome_fits(text_of("abc"), "abc"));
    assert_true(chrome_fits(text_of("abc"), "*"));
    assert_true(chrome_fits(text_of(""), "*"));
    assert_true(chrome_fits(text_of("abcabd"), "*abd"));
    assert_true(chrome_fits(text_of("a.b.c"), "a*c"));
    assert_true(chrome_fits(text_of("xaybz"), "*a*b*"));
    assert_false(chrome_fits(text_of("abc"), "ab"));
    assert_false(chrome_fits(text_of("ab"), "abc"));
    assert_false(chrome_fits(text_of(""), "a*"));
    assert_false(chrome_fits(text_of("xaybz"), "*b*a*"));
    assert_false(chrome_fits((struct text){ "ab\0\0", 4 }, "ab"));
}

/* ---- Faults ------------------------------------------------------------------------------------------------------ */

static void test_reading_in_pieces_is_the_same(void **state)
{
    struct source source;
    struct recorder *whole = read_by(training, &producer, &source), *pieces;

    (void)state;
    input_limit_reads(7);
    pieces = read_by(training, &producer, &source);
    input_limit_reads(0);
    assert_string_equal(recorder_text(whole), recorder_text(pieces));
    recorder_free(whole);
    recorder_free(pieces);
}

static void read_without_memory(const char *text, const struct producer *by)
{
    status code = STATUS_MEMORY;

    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        struct recorder *recorder = recorder_new();
        struct source source;
        struct input *input;

        assert_int_equal(input_open_memory("x.json", text, strlen(text), &input), STATUS_OK);
        memory_fail_at(nth);
        code = read_input(recorder, input, by, false, &source);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        input_close(input);
        recorder_free(recorder);
    }
}

static void test_no_memory_anywhere_is_told(void **state)
{
    (void)state;
    read_without_memory(training, &producer);
    read_without_memory(graph, &graph_producer);
    read_without_memory(own_runs, NULL);
    read_without_memory("[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1,\"bind_id\":1,\"flow_out\":true" T
                        ",{\"ph\":\"E\",\"ts\":3,\"args\":{\"z\":\"new\"}" T "]",
                        &producer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_belongs_to_what_launched_it),
        cmocka_unit_test(test_runs_last_until_their_work_is_done),
        cmocka_unit_test(test_a_thread_has_a_line_for_each_engine),
        cmocka_unit_test(test_work_stands_behind_what_launched_it),
        cmocka_unit_test(test_runs_of_our_own_are_told_again),
        cmocka_unit_test(test_instants_tell_values),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_reading_in_pieces_is_the_same),
        cmocka_unit_test(test_no_memory_anywhere_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
