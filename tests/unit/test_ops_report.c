/* test_ops_report.c: the report of a folder of ops logs: cells and tensors of its rows, archives, and failing allocations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "job/job.h"
#include "place.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/op_calls.h"
#include "tenstorrent/original/ops_report.h"

/* ---- rows ---------------------------------------------------------------------------------------------------------- */

static void test_tensors_are_counted_by_their_place(void **state)
{
    char many[4096];

    (void)state;
    assert_int_equal(op_tensor_count(NULL), 0);
    assert_int_equal(op_tensor_count(""), 0);
    assert_int_equal(op_tensor_count("a"), 1);
    assert_int_equal(op_tensor_count("a-b-"), 2);
    assert_int_equal(op_tensor_count("a--c"), 3);
    assert_int_equal(op_tensor_count("---"), 0);
    for (size_t i = 0; i < sizeof many - 2; i += 2)
        memcpy(many + i, "a-", 3);
    assert_int_equal(op_tensor_count(many), OP_MOST_TENSORS);
}

static const char *printed(struct op_call row)
{
    static char text[8192];
    struct op_calls calls = { .rows = &row, .count = 1 };
    struct output *output;
    const char *found;
    size_t length;

    assert_int_equal(output_open_memory(&output), STATUS_OK);
    assert_int_equal(ops_report_write(&calls, output), STATUS_OK);
    found = output_memory(output, &length);
    assert_true(length < sizeof text);
    memcpy(text, found, length + 1);
    output_abandon(output);
    return strstr(text, "\r\n") + 2;
}

static void test_cells(void **state)
{
    (void)state;
    assert_string_equal(printed((struct op_call){ .name = "a\"b", .type = "x,y", .depth = 2, .attributes = "" }),
                        "\"  a\"\"b\",\"x,y\",-,,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-\r\n");
    assert_string_equal(printed((struct op_call){ .name = "n", .inputs = "8_9|T-|L||M-1_2_3_4_5|A|B|C|D" }),
                        "n,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-,1,1,8,9,T,-,-,-,-,-,-,L,-,M,1_2,3,4,5,A,B,C|D,-\r\n");
}

/* ---- faults -------------------------------------------------------------------------------------------------------- */

static const char *data_folder(void)
{
    static char path[1024];
    const char *data = getenv("TACHO_TEST_DATA");

    snprintf(path, sizeof path, "%s/tt-ops-folder/logs/ops", data ? data : "tests/data");
    return path;
}

static status read_and_write(void)
{
    struct output *output;
    struct job job;
    status code = job_start(&job, &ops_verb);

    if (code == STATUS_OK)
        code = job_input(&job, data_folder());
    if (code == STATUS_OK)
        code = job_option(&job, "output-folder", file_at("written"));
    if (code == STATUS_OK)
        code = job_run(&job);
    if (code == STATUS_OK && (code = output_open_memory(&output)) == STATUS_OK) {
        code = job_write_json(&job, output);
        output_abandon(output);
    }
    job_free(&job);
    return code;
}

/* Only a note may be lost for want of memory. */
static void test_every_allocation_may_fail(void **state)
{
    uint64_t before = memory_count();
    uint64_t needed, tried = 0, done = 0;

    (void)state;
    assert_int_equal(read_and_write(), STATUS_OK);
    needed = memory_count() - before;
    for (uint64_t i = 1; i <= needed; i += 1 + i / 60) {
        status code;

        memory_fail_at(i);
        code = read_and_write();
        memory_fail_at(0);
        assert_true(code == STATUS_MEMORY || code == STATUS_OK);
        tried++;
        done += code == STATUS_OK;
    }
    assert_true(done * 4 < tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tensors_are_counted_by_their_place),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, make_place, remove_place);
}
