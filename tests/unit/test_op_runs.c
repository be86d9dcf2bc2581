/* test_op_runs.c: runs that a report tells: replays of a trace, passes behind signposts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tenstorrent/op_runs.h"
#include "trace/model.h"

static struct strings *pool;
static struct op_report report;

static int set_up(void **state)
{
    (void)state;
    pool = model_strings();
    op_report_start(&report, pool);
    return pool ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    memory_fail_at(0);
    op_report_free(&report);
    strings_free(pool);
    return 0;
}

static struct op_row *add(enum op_kind kind, const char *code)
{
    struct op_row *row = op_report_add(&report);

    assert_non_null(row);
    row->kind = kind;
    row->device = kind == OP_DEVICE ? 0 : -1;
    row->host_start = (int64_t)report.rows.count * 1000;
    assert_int_equal(strings_add_text(pool, code, &row->code), STATUS_OK);
    return row;
}

/* A letter for each row: lower case is an operation, "#name;" a signpost, "!" an operation of the host. */
static void write(const char *text)
{
    for (; *text; text++) {
        char name[64];

        if (*text == '#') {
            size_t length = strcspn(text + 1, ";");

            snprintf(name, sizeof name, "%.*s", (int)length, text + 1);
            add(OP_SIGNPOST, name);
            text += length + 1;
        } else {
            snprintf(name, sizeof name, "%c", *text);
            add(*text == '!' ? OP_HOST : OP_DEVICE, name);
        }
    }
}

/* The run of each row as a digit, "-" where it has none. */
static void expect(const char *wanted)
{
    char found[128] = "";
    uint32_t *runs;
    size_t count;

    assert_int_equal(op_runs_find(&report, 0, &runs, &count), STATUS_OK);
    for (size_t i = 0; runs && i < report.rows.count; i++)
        found[i] = runs[i] == NO_ID ? '-' : (char)('0' + runs[i]);
    assert_string_equal(found, wanted);
    memory_free(runs);
}

static void test_passes_behind_signposts(void **state)
{
    (void)state;
    write("x#compile;ab#inference;ab#inference;ab#done;");
    expect("-"
           "---"
           "-00"
           "-11"
           "-");
}

static void test_names_that_differ_in_numbers(void **state)
{
    (void)state;
    write("#pass 0;a!b#pass 1;a!b#pass 12;a!b");
    expect("-000-111-222");
}

static void test_starts_and_stops(void **state)
{
    (void)state;
    write("#start;ab#stop;x#start;ab#stop;#start;ab#stop;");
    expect("-00--"
           "-11-"
           "-22-");
}

static void test_parts_of_a_run_are_none(void **state)
{
    (void)state;
    write("#layer 0;ab#layer 1;ab#layer 2;ab");
    expect("");
}

static void test_phases_are_unlike(void **state)
{
    (void)state;
    write("#phase 1;a#phase 2;abc#phase 3;abcdef#phase 4;ab");
    expect("");
}

static void test_no_signposts(void **state)
{
    (void)state;
    write("abab");
    expect("");
}

static void test_replays(void **state)
{
    static const int64_t replays[] = { OP_NONE, 4, 4, 5, 5, 9, 9 };

    (void)state;
    for (size_t i = 0; i < sizeof replays / sizeof *replays; i++) {
        struct op_row *row = add(OP_DEVICE, "a");

        row->trace = replays[i] == OP_NONE ? OP_NONE : 1;
        row->replay = replays[i];
    }
    expect("-001122");
    op_row_at(&report, 3)->trace = op_row_at(&report, 4)->trace = 2; /* another trace */
    op_row_at(&report, 5)->replay = op_row_at(&report, 6)->replay = OP_NONE;
    expect("");
}

static void test_out_of_memory(void **state)
{
    (void)state;
    write("#pass 0;ab#pass 1;ab");
    for (uint64_t nth = 1; nth < 20; nth++) {
        uint32_t *runs;
        size_t count;
        status code;

        memory_fail_at(nth);
        code = op_runs_find(&report, 0, &runs, &count);
        memory_fail_at(0);
        memory_free(runs);
        if (code == STATUS_OK)
            return;
        assert_int_equal(code, STATUS_MEMORY);
        status_clear();
    }
    fail_msg("it never succeeds");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_passes_behind_signposts),
        TEST(test_names_that_differ_in_numbers),
        TEST(test_starts_and_stops),
        TEST(test_parts_of_a_run_are_none),
        TEST(test_phases_are_unlike),
        TEST(test_no_signposts),
        TEST(test_replays),
        TEST(test_out_of_memory),
#undef TEST
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
