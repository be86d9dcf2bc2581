/* test_torq_mlir_bad.c: program dumps that are damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "mlir_reading.h"

static struct text text_of(const char *text)
{
    return (struct text){ text, strlen(text) };
}

static void expect_failure(const char *text, const char *message)
{
    struct reading reading;

    read_text(&reading, text);
    assert_int_equal(reading.code, STATUS_INPUT);
    if (!strstr(status_message(), message))
        fail_msg("expected: %s\ngot: %s", message, status_message());
    stop_reading(&reading);
}

static void test_broken_files(void **state)
{
    (void)state;
    expect_failure("module {\n  func.func @f() {\n torq_hl.return\n  }\n", "x.mlir:1:8: '{' is not closed");
    expect_failure("module {\n}\n }", "x.mlir:3:2: '}' closes nothing");
    expect_failure("\"builtin.module\"() ({\n} torq_hl.x", "x.mlir:1:20: '(' is not closed");
    expect_failure("module {\n torq_hl.program \"abc\n}", "x.mlir:2:18: a string that is not closed");
    expect_failure("torq_hl.x {a = 1", "x.mlir:1:14: 'an attribute' is not closed");
    expect_failure("torq_hl.x {a", "x.mlir:1:11: '{' is not closed");
    expect_failure("torq_hl.x {a, b", "x.mlir:1:11: '{' is not closed");
    expect_failure("torq_hl.x (a", "x.mlir:1:11: '(' is not closed");
    expect_failure("torq_hl.start_program args(%a", "x.mlir:1:27: '(' is not closed");
    expect_failure("^bb0(%a", "x.mlir:1:5: '(' is not closed");
    expect_failure("torq_hl.x loc(\"a\"", "x.mlir:1:14: '(' is not closed");
    expect_failure("module { func.func @f() { return } }", "x.mlir: no Torq operations in this MLIR file");
    expect_failure("", "no Torq operations");
    expect_failure("ML\xEFR\x01\x02",
                   "x.mlir: MLIR bytecode, which Tacho does not read; dump text instead: compile with "
                   "--dump-compilation-phases-to=DIR");
}

static void test_deep_nesting(void **state)
{
    char text[5000];

    (void)state;
    memset(text, '{', sizeof text);
    text[sizeof text - 1] = '\0';
    expect_failure(text, "x.mlir:1:1000: regions nested deeper than 1000");
    memset(text, '(', sizeof text - 1);
    expect_failure(text, "brackets nested deeper than");
}

static void test_lost_operations(void **state)
{
    static const char text[] = FUNCTION(
        "torq_hl.host_copy %a {\"torq-action-id\" = 0 : i32}\n"
        "torq_hl.host_copy %a {\"torq-action-id\" = many}\n"
        "memref.alloc() {\"torq-action-id\" = \"x\"} : memref<4xi8>\n"
        "torq_hl.host_copy %a {\"torq-action-id\" = 3000000000 : i64}\n"
        "torq_hl.host_copy %a {\"torq-action-id\" = 1 : i32, \"torq-start-time-cycles\" = 7 : i64, "
        "\"torq-end-time-cycles\" = 6 : i64}\n"
        "torq_hl.host_copy %a {\"torq-action-id\" = 2 : i32, \"torq-start-time-cycles\" = -7 : i64}\n"
        "torq_hl.host_copy %a {\"torq-action-id\" = 2 : i32, \"torq-end-time-cycles\" = 9223372036854775807 : i64}\n"
        "torq_hl.next %a : T\n" PROGRAM("nss", "torq_hw.nss_task {\"torq-task-id\" = x}() {\n torq_hw.css_start\n"
                                               "\"torq_hw.slice_start\"(%a) : () -> ()\n"
                                               "\"torq_hw.slice_wait\"() <{id = 16 : index}> : () -> ()\n"
                                               "torq_hw.dma_in_cfg from %a : T to %b : T {read_ndl = 7}\n}")
            RUN(" : "));
    struct reading reading;

    (void)state;
    read_text(&reading, text);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(losses_count(&reading.feed.losses, &loss_number), 6);
    assert_int_equal(losses_find(&reading.feed.losses, &loss_number)->lines[0], 4);
    assert_int_equal(losses_count(&reading.feed.losses, &loss_end_before_start), 1);
    assert_int_equal(losses_count(&reading.feed.losses, &loss_time_range), 2);
    assert_int_equal(losses_count(&reading.feed.losses, &loss_syntax), 2);
    assert_int_equal(reading.feed.losses.lost, 11);
    expect_line(&reading, "action 0 kind 1 torq_hl.host_copy");
    assert_int_equal(reading.program->actions.count, 3);
    assert_int_equal(reading.program->steps.count, 1);     /* the task itself was lost, its good step was not */
    expect_line(&reading, "job 0 nss actions 1 2 used 8"); /* ids 0 and 0, 1: see the mark below */
    assert_int_equal(losses_count(&reading.feed.losses, &loss_repeated_id), 1);
    stop_reading(&reading);

    start_reading(&reading);
    reading.source.strict = true;
    read_bytes(&reading, text, strlen(text));
    assert_int_equal(reading.code, STATUS_INPUT);
    assert_string_equal(status_message(), "x.mlir:4:1: a number that cannot be read");
    stop_reading(&reading);
}

static void test_notes(void **state)
{
    struct reading reading;

    (void)state;
    read_text(&reading, FUNCTION("%0 = torq_hl.conv2d %a, %b : tensor<4xi8>"));
    assert_int_equal(reading.code, STATUS_OK);
    expect_note(&reading, "earlier phase", true);
    expect_note(&reading, "no cycle estimates", true);
    stop_reading(&reading);
    read_text(&reading, FUNCTION(PROGRAM("nss", "torq_hw.nss_task() { torq_hw.css_start }") INVOKE));
    expect_note(&reading, "nothing starts", true);
    stop_reading(&reading);
}

static void test_probe(void **state)
{
    static const char *const foreign[] = { "",
                                           "DI0,0,512,loc(\"a\":1:2),DMA_IN\n",
                                           "actionIndex, elapsed_time(us), timestamp(us), event, location\n",
                                           "action_id;operation\n0;torq_hl.host_copy\n",
                                           "{\"traceEvents\": []}",
                                           "# a markdown file\n",
                                           "hello" };
    size_t size;
    char *text = load("executable_targets.mlir", &size);

    (void)state;
    assert_int_equal(torq_mlir_reader.probe((struct text){ text, size }, "a"), 95);
    free(text);
    text = load("net.mlir", &size);
    assert_int_equal(torq_mlir_reader.probe((struct text){ text, size }, "net.mlir"), 60);
    free(text);
    assert_int_equal(torq_mlir_reader.probe((struct text){ "ML\xEFR", 4 }, "x.mlirb"), 100);
    assert_true(torq_mlir_reader.probe(text_of("// -----// IR Dump After X //----- //\n#loc = loc(unknown)\n"), NULL) >
                0);
    assert_true(torq_mlir_reader.probe(text_of("#loc1 = loc(unknown)\n"), "-") > 0);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        assert_int_equal(torq_mlir_reader.probe(text_of(foreign[i]), "a.csv"), 0);
}

/* Whatever allocation fails, nothing leaks and the failure is reported. */
static void test_out_of_memory(void **state)
{
    static const char *const files[] = { "executable_targets.mlir", "generic.mlir" };

    (void)state;
    for (size_t file = 0; file < sizeof files / sizeof *files; file++) {
        size_t size;
        char *text = load(files[file], &size);
        status code = STATUS_MEMORY;

        for (uint64_t nth = 1; code != STATUS_OK; nth += nth / 8 + 1) {
            struct reading reading;
            struct input *input;

            start_reading(&reading);
            assert_int_equal(input_open_memory("x", text, size, &input), STATUS_OK);
            memory_fail_at(nth);
            run_reading(&reading, input);
            memory_fail_at(0);
            code = reading.code;
            assert_true(code == STATUS_OK || code == STATUS_MEMORY);
            stop_reading(&reading);
        }
        free(text);
    }
}

/* Cut anywhere, a file is read or refused, and nothing else happens. */
static void test_cut_anywhere(void **state)
{
    size_t size;
    char *text = load("generic.mlir", &size);

    (void)state;
    for (size_t length = 0; length < size; length += 7) {
        struct reading reading;

        start_reading(&reading);
        read_bytes(&reading, text, length);
        assert_true(reading.code == STATUS_OK || reading.code == STATUS_INPUT);
        stop_reading(&reading);
    }
    free(text);
}

/* One byte changed: again no crash, and the accounts stay right (run_reading checks them). */
static void test_changed_bytes(void **state)
{
    static const char replacements[] = "\"(){}<>[]%#^=, \n-0a.";
    uint32_t random = 7;
    size_t size;
    char *text = load("executable_targets.mlir", &size);

    (void)state;
    for (unsigned round = 0; round < 3000; round++) {
        struct reading reading;
        size_t at;
        char before;

        random = random * 1664525 + 1013904223;
        at = (random >> 8) % size;
        before = text[at];
        text[at] = replacements[(random >> 3) % (sizeof replacements - 1)];
        start_reading(&reading);
        read_bytes(&reading, text, size);
        assert_true(reading.code == STATUS_OK || reading.code == STATUS_INPUT);
        stop_reading(&reading);
        text[at] = before;
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_files),    cmocka_unit_test(test_deep_nesting),
        cmocka_unit_test(test_lost_operations), cmocka_unit_test(test_notes),
        cmocka_unit_test(test_probe),           cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_cut_anywhere),    cmocka_unit_test(test_changed_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
