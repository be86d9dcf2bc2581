/* test_readers.c: which reader a file is for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "executorch/chain.h"
#include "recorder.h"
#include "torq/chain.h"

static const struct reader *detect(const char *data, size_t size, status expected)
{
    const struct reader *reader = NULL;
    struct input *input;

    assert_int_equal(input_open_memory("some.csv", data, size, &input), STATUS_OK);
    assert_int_equal(reader_detect(input, "some.csv", &reader), expected);
    input_close(input);
    return reader;
}

static const struct reader *detect_text(const char *text, status expected)
{
    return detect(text, strlen(text), expected);
}

static void test_readers_are_named(void **state)
{
    struct reader_walk walk = { 0 };

    (void)state;
    assert_ptr_equal(reader_named("torq-compile"), &torq_compile_reader);
    assert_ptr_equal(reader_named("torq-runtime"), &torq_runtime_reader);
    assert_ptr_equal(reader_named("torq-mlir"), &torq_mlir_reader);
    assert_null(reader_named("torq"));
    assert_null(reader_named(""));
    for (const struct reader *reader = reader_next(&walk); reader; reader = reader_next(&walk)) {
        assert_non_null(reader->id);
        assert_true(reader->probe || reader->probe_folder);
        assert_ptr_equal(reader_named(reader->id), reader);
        assert_ptr_equal(reader->chain, walk.list ? chains[walk.list - 1] : NULL);
    }
    assert_null(reader_next(&walk));
}

/* Rows of numbers under words that Torq does not write: not a timeline of nothing known. */
static void test_foreign_tables_are_not_taken(void **state)
{
    static const char table[] = "kernels,threads,launch,iteration,ms\non,1,1,1,10.051705\non,1,1,2,6.570039\n";
    const struct reader *reader;
    struct input *input;

    (void)state;
    assert_int_equal(input_open_memory("launches.csv", table, sizeof table - 1, &input), STATUS_OK);
    assert_int_equal(reader_detect(input, "launches.csv", &reader), STATUS_INPUT);
    input_close(input);
}

static void test_fixtures_are_detected(void **state)
{
    static const struct {
        const char *file;
        const struct reader *reader;
    } files[] = {
        { "etdump/real.etdp", &etdump_reader },
        { "etdump/py_noprefix.etdp", &etdump_reader },
        { "torq-compile/c1.csv", &torq_compile_reader },
        { "torq-compile/c2.csv", &torq_compile_reader },
        { "torq-compile/c3.csv", &torq_compile_reader },
        { "torq-compile/c4.csv", &torq_compile_reader },
        { "torq-compile/odd.csv", &torq_compile_reader },
        { "torq-runtime/r1.csv", &torq_runtime_reader },
        { "torq-runtime/runtime_r1.csv", &torq_runtime_reader },
        { "torq-runtime/runtime_r2.csv", &torq_runtime_reader },
        { "torq-runtime/runtime_r3.csv", &torq_runtime_reader },
        { "torq-runtime/odd_r3.csv", &torq_runtime_reader },
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const struct reader *reader;
        struct input *input;

        assert_int_equal(input_open(data_path(files[i].file), &input), STATUS_OK);
        assert_int_equal(reader_detect(input, files[i].file, &reader), STATUS_OK);
        if (reader != files[i].reader)
            fail_msg("%s was taken for %s", files[i].file, reader->id);
        input_close(input);
    }
}

static void test_rows_alone_are_enough(void **state)
{
    (void)state;
    assert_ptr_equal(detect_text("DI0,0,5,loc(unknown),DMA_IN", STATUS_OK), &torq_compile_reader);
    assert_ptr_equal(detect_text("3,5,7,CSS,loc(unknown),\n", STATUS_OK), &torq_compile_reader);
    assert_ptr_equal(detect_text("3,5,7,ALLOC_START,\n", STATUS_OK), &torq_runtime_reader);
    assert_ptr_equal(detect_text("d,5,-1,7,DISPATCH_BEGIN\n", STATUS_OK), &torq_runtime_reader);
    assert_ptr_equal(detect_text("0;5;2\n", STATUS_OK), &torq_runtime_reader);
}

static void test_an_unknown_input_is_described(void **state)
{
    char wide[200];

    (void)state;
    assert_null(detect_text("", STATUS_INPUT));
    assert_string_equal(status_message(), "some.csv: the file is empty");
    assert_null(detect_text("hello world\nsecond line\n", STATUS_INPUT));
    assert_non_null(strstr(status_message(), "begins with \"hello world\";"));
    assert_non_null(strstr(status_message(), "tacho formats"));
    assert_non_null(strstr(status_message(), "--format"));
    assert_null(detect("\x7f"
                       "ELF\0\0\0\1",
                       8, STATUS_INPUT));
    assert_non_null(strstr(status_message(), "some.csv: binary data"));
    assert_null(detect_text("\n \n\n", STATUS_INPUT));
    assert_non_null(strstr(status_message(), "blank lines"));
    memset(wide, 'a', sizeof wide);
    assert_null(detect(wide, sizeof wide, STATUS_INPUT));
    memset(wide + 60, 0, 1);
    assert_non_null(strstr(status_message(), wide));
    memset(wide + 60, 'a', 1);
    memset(wide + 61, 0, 1);
    assert_null(strstr(status_message(), wide));
    assert_null(detect_text("caf\xC3\xA9 \x1b[31m\n", STATUS_INPUT));
    assert_non_null(strstr(status_message(), "\"caf.. .[31m\""));
}

/* Heads of any bytes and any length: no probe reads beyond them, and scores stay within their range. */
static void test_probes_are_safe_on_any_bytes(void **state)
{
    static const char signs[] = "DISO0123;,\"loc(un)_\n\r\0 x-#{}=BEGIN";
    unsigned random = 99;

    (void)state;
    for (int round = 0; round < 5000; round++) {
        size_t length = (size_t)(round % 97);
        struct reader_walk walk = { 0 };
        char *head = malloc(length ? length : 1);

        assert_non_null(head);
        for (size_t i = 0; i < length; i++) {
            random = random * 1103515245u + 12345u;
            head[i] = round % 5 ? signs[(random >> 16) % (sizeof signs - 1)] : (char)(random >> 16);
        }
        for (const struct reader *reader = reader_next(&walk); reader; reader = reader_next(&walk)) {
            int sure = reader->probe ? reader->probe((struct text){ head, length }, "x") : 0;

            assert_true(sure >= 0 && sure <= 100);
        }
        free(head);
    }
}

static void test_notes_are_kept_once(void **state)
{
    struct source source = { 0 };
    char text[] = "one";
    static char many[SOURCE_NOTES + 2][16];

    (void)state;
    source_note(&source, "one");
    source_note(&source, text);
    source_note(&source, "two");
    assert_int_equal(source.note_count, 2);
    for (int i = 0; i < SOURCE_NOTES + 2; i++) {
        snprintf(many[i], sizeof many[i], "%d", i);
        source_note(&source, many[i]);
    }
    assert_int_equal(source.note_count, sizeof source.notes / sizeof *source.notes);
}

static void test_losing_rows(void **state)
{
    struct source source = { 0 };
    struct strings *strings = model_strings();
    struct feed feed;

    (void)state;
    assert_int_equal(input_open_memory("some.csv", "x", 1, &source.input), STATUS_OK);
    feed_start(&feed, (struct sink){ &recorder_calls, NULL }, strings);
    assert_int_equal(source_lose(&source, &feed, &loss_number, 7, 3), STATUS_OK);
    source.strict = true;
    assert_int_equal(source_lose(&source, &feed, &loss_backwards, 8, 1), STATUS_OK);
    assert_int_equal(source_lose(&source, &feed, &loss_number, 9, 3), STATUS_INPUT);
    assert_string_equal(status_message(), "some.csv:9:3: a number that cannot be read");
    assert_int_equal(feed.losses.lost, 2);
    assert_int_equal(losses_find(&feed.losses, &loss_number)->lines[1], 9);
    assert_int_equal(losses_count(&feed.losses, &loss_backwards), 1);
    feed_free(&feed);
    input_close(source.input);
    strings_free(strings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readers_are_named),
        cmocka_unit_test(test_fixtures_are_detected),
        cmocka_unit_test(test_foreign_tables_are_not_taken),
        cmocka_unit_test(test_rows_alone_are_enough),
        cmocka_unit_test(test_an_unknown_input_is_described),
        cmocka_unit_test(test_probes_are_safe_on_any_bytes),
        cmocka_unit_test(test_notes_are_kept_once),
        cmocka_unit_test(test_losing_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
