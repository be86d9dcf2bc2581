/* test_report.c: the report about a real run directory: what is loaded, what is compared, and what happens when memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "executorch/report.h"
#include "page/formats.h"

static char run_directory[4096];
static const struct inspection_options plain_options;
static const struct report_options no_title = { .by_module = true };

static int find_data(void **state)
{
    const char *data = getenv("TACHO_TEST_DATA");

    (void)state;
    snprintf(run_directory, sizeof run_directory, "%s/rundir/broken_graph", data ? data : "tests/data");
    return 0;
}

static void test_a_pair_is_found_and_compared(void **state)
{
    struct inspection inspection;
    const struct inspected_pair *pair;

    (void)state;
    assert_int_equal(inspection_open(&inspection, run_directory, &plain_options), STATUS_OK);
    assert_int_equal(inspection.count, 2);
    assert_int_equal(inspection.pair_count, 1);
    pair = inspection_pair(&inspection);
    assert_true(pair->sme2);
    assert_string_equal(pair->candidate->entry->name, "mac_sme2_on");
    assert_ptr_equal(inspection_subject(&inspection), pair->candidate);
    assert_string_equal(inspected_title(pair, pair->baseline), "SME2-Off");
    assert_int_equal(pair->candidate->plain.runs, 28); /* of 30: two warm up */
    assert_true(pair->has_latency && pair->has_operators);
    assert_ptr_equal(pair->candidate->latency, &pair->comparison.candidate);
    inspection_free(&inspection);
}

static void test_logs_are_tied_to_operators(void **state)
{
    struct inspection inspection;
    const struct inspected *item;

    (void)state;
    assert_int_equal(inspection_open(&inspection, run_directory, &plain_options), STATUS_OK);
    item = inspection_subject(&inspection);
    assert_non_null(item->kernels);
    assert_int_equal(item->kernels->file->role, RUN_XNNTRACE);
    assert_string_equal(item->kernels->entry->name, "mac_sme2_on_trace");
    assert_int_equal(item->kernel_operators, 5);
    inspection_free(&inspection);
}

static void test_names_choose_the_pair(void **state)
{
    struct inspection_options options = { .baseline = "mac_sme2_on", .candidate = "mac_sme2_off" };
    struct inspection inspection;

    (void)state;
    assert_int_equal(inspection_open(&inspection, run_directory, &options), STATUS_OK);
    assert_string_equal(inspection_subject(&inspection)->entry->name, "mac_sme2_off");
    assert_false(inspection_pair(&inspection)->sme2);
    assert_string_equal(inspected_title(inspection_pair(&inspection), inspection_subject(&inspection)), "mac_sme2_off");
    inspection_free(&inspection);
    options.candidate = "nobody";
    assert_int_equal(inspection_open(&inspection, run_directory, &options), STATUS_USAGE);
    inspection_free(&inspection);
}

static void test_no_folder(void **state)
{
    struct inspection inspection;

    (void)state;
    assert_int_equal(inspection_open(&inspection, "/nowhere/at/all", &plain_options), STATUS_INPUT);
    inspection_free(&inspection);
}

/* Everything from the folder to the bytes of a document. */
static status run_all(enum document_format format)
{
    struct inspection inspection;
    struct document *document = NULL, *combined = NULL;
    struct output *output = NULL;
    char sentence[REPORT_SENTENCE];
    status code = inspection_open(&inspection, run_directory, &plain_options);
    struct report_platform platform = { "Board", &inspection };

    if (code == STATUS_OK)
        code = report_make(&inspection, &no_title, &document, sentence);
    if (code == STATUS_OK)
        code = report_combine(&platform, 1, NULL, &no_title, &combined, sentence);
    if (code == STATUS_OK)
        code = output_open_memory(&output);
    if (code == STATUS_OK)
        code = document_print(document, format, output);
    if (code == STATUS_OK)
        code = output_status(output);
    output_abandon(output);
    document_free(combined);
    document_free(document);
    inspection_free(&inspection);
    return code;
}

static void test_all_formats(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DOCUMENT_FORMAT_COUNT; i++)
        assert_int_equal(run_all((enum document_format)i), STATUS_OK);
}

/* Each allocation fails once, in strides: the early ones closely, as they differ most. */
static void test_memory_may_run_out_anywhere(void **state)
{
    uint64_t before = memory_count(), all;

    (void)state;
    assert_int_equal(run_all(DOCUMENT_MARKDOWN), STATUS_OK);
    all = memory_count() - before;
    for (uint64_t nth = 1; nth <= all; nth += nth < 400 ? 1 : 7) {
        status code;

        memory_fail_at(nth);
        code = run_all(DOCUMENT_MARKDOWN);
        memory_fail_at(0);
        assert_int_equal(code, STATUS_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pair_is_found_and_compared),
        cmocka_unit_test(test_logs_are_tied_to_operators),
        cmocka_unit_test(test_names_choose_the_pair),
        cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_all_formats),
        cmocka_unit_test(test_memory_may_run_out_anywhere),
    };

    return cmocka_run_group_tests(tests, find_data, NULL);
}
