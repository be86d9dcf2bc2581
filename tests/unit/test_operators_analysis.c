/* test_operators_analysis.c: what operators cost per inference, merged over launches, matched between builds, as tables and files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "executorch/operators_tables.h"
#include "executorch/original/operator_files.h"

/* ---- a small model --------------------------------------------------------------------------------------------------- */

/* Two inferences: a delegate with a convolution, a reshape of no length and a linear, a portable add, another delegate with a
 * linear of the same name. */
struct maker {
    struct execution execution;
    uint32_t run;
    int64_t now;
};

static struct strings *pool;

static string_id id(const char *text)
{
    string_id made;

    assert_int_equal(strings_add_text(pool, text, &made), STATUS_OK);
    return made;
}

static void event(struct maker *maker, const char *name, enum event_kind kind, int32_t instruction, int64_t start,
                  int64_t duration)
{
    struct execution_operator key = execution_key(id("Execute"), id(name), kind);
    uint32_t op;

    key.chain = instruction < 0 ? -1 : 0;
    key.instruction = instruction;
    key.backend = kind == EVENT_DELEGATED ? id("XnnpackBackend") : 0;
    assert_int_equal(execution_operator(&maker->execution, &key, &op), STATUS_OK);
    assert_int_equal(execution_add_event(&maker->execution, op, maker->run, start, duration, NULL), STATUS_OK);
}

static void begin_run(struct maker *maker)
{
    assert_int_equal(execution_add_run(&maker->execution, id("Execute"), -1, &maker->run), STATUS_OK);
}

/* `factor` stretches the convolution; `conv` is its name, NULL: it is not there. */
static void inference(struct maker *maker, const char *conv, int64_t factor)
{
    int64_t at = maker->now, length = conv ? 100 * factor : 0;

    begin_run(maker);
    if (conv)
        event(maker, conv, EVENT_DELEGATED, 0, at + 10, length);
    event(maker, "Static Reshape (NC) #1", EVENT_DELEGATED, 0, at + 10 + length, 0);
    event(maker, "Fully Connected (NC, F32) GEMM #1", EVENT_DELEGATED, 0, at + 10 + length, 50);
    event(maker, "DELEGATE_CALL", EVENT_CALL, 0, at + 10, length + 60);
    event(maker, "native_call_add.out", EVENT_PORTABLE, 1, at + length + 72, 20);
    event(maker, "OPERATOR_CALL", EVENT_CALL, 1, at + length + 70, 25);
    event(maker, "JF_CALL", EVENT_CONTROL, 2, at + length + 95, 3);
    event(maker, "Fully Connected (NC, F32) GEMM #1", EVENT_DELEGATED, 3, at + length + 100, 30);
    event(maker, "DELEGATE_CALL", EVENT_CALL, 3, at + length + 100, 40);
    event(maker, "Method::execute", EVENT_EXECUTE, -1, at, length + 150);
    maker->now += length + 1000;
}

static void make(struct maker *maker, const char *conv, int64_t factor)
{
    *maker = (struct maker){ .now = 1000 };
    execution_start(&maker->execution, pool);
    inference(maker, conv, factor);
    inference(maker, conv, factor);
    assert_int_equal(execution_settle(&maker->execution), STATUS_OK);
}

static void add(struct operators *side, const char *conv, int64_t factor)
{
    struct maker maker;

    make(&maker, conv, factor);
    assert_int_equal(operators_add(side, "x.etdump", &maker.execution, NULL, NULL), STATUS_OK);
    execution_free(&maker.execution);
}

static const char *name_at(const struct operators *side, size_t index)
{
    return strings_text(pool, operators_at(side, index)->name);
}

static int set_up(void **state)
{
    (void)state;
    pool = model_strings();
    return pool ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    strings_free(pool);
    return 0;
}

static const char conv_name[] = "Convolution (NHWC, F32) IGEMM #1";

/* ---- sums ------------------------------------------------------------------------------------------------------------ */

static void sums_of_one_launch(void **state)
{
    struct operators side;

    (void)state;
    operators_start(&side, pool);
    add(&side, conv_name, 1);
    assert_int_equal(side.inferences, 2);
    assert_int_equal(side.launches, 1);
    assert_int_equal(side.execute, 500);
    assert_int_equal(side.execute_least, 250);
    assert_int_equal(side.sums.count, 6);
    /* A reshape of no length starts together with what follows it: the file's order decides. */
    assert_string_equal(name_at(&side, 0), conv_name);
    assert_string_equal(name_at(&side, 1), "Static Reshape (NC) #1");
    assert_string_equal(name_at(&side, 2), "Fully Connected (NC, F32) GEMM #1");
    assert_string_equal(name_at(&side, 3), "native_call_add.out");
    assert_string_equal(name_at(&side, 4), "JF_CALL");
    assert_string_equal(name_at(&side, 5), "Fully Connected (NC, F32) GEMM #1");
    assert_int_equal(operators_at(&side, 2)->place, 2);
    assert_int_equal(operators_at(&side, 2)->delegate, 0);
    assert_int_equal(operators_at(&side, 5)->delegate, 1);
    assert_int_equal(operators_at(&side, 5)->call, 2);
    assert_int_equal(operators_at(&side, 5)->total, 60); /* not merged with the other of its name */
    assert_int_equal(operators_at(&side, 3)->delegate, NO_ID);
    assert_int_equal(operators_at(&side, 3)->call, 1);
    assert_int_equal(operators_at(&side, 0)->events, 2);
    operators_free(&side);
}

static void everything_adds_up(void **state)
{
    struct operators side;

    (void)state;
    operators_start(&side, pool);
    add(&side, conv_name, 3);
    assert_int_equal(side.work, 2 * (300 + 0 + 50 + 20 + 30));
    assert_int_equal(side.calls, 2 * (10 + 5 + 10));
    assert_int_equal(side.control, 2 * 3);
    assert_int_equal(side.work + side.calls + side.control + side.framework, side.execute);
    operators_free(&side);
}

static void launches_merge(void **state)
{
    struct operators side;

    (void)state;
    operators_start(&side, pool);
    add(&side, conv_name, 1);
    add(&side, conv_name, 3);
    assert_int_equal(side.launches, 2);
    assert_int_equal(side.inferences, 4);
    assert_int_equal(side.sums.count, 6);
    assert_int_equal(side.execute_least, 250);
    assert_int_equal(side.execute_most, 450);
    assert_int_equal(operators_at(&side, 0)->total, 800);
    assert_int_equal(operators_at(&side, 0)->events, 4);
    assert_int_equal(operators_average_ns(&side, operators_at(&side, 0)->total), 200);
    /* Another program: what has no counterpart of its type is an operator of its own. */
    add(&side, "Max Pooling (NHWC, F32) #1", 1);
    assert_int_equal(side.sums.count, 7);
    assert_string_equal(name_at(&side, 6), "Max Pooling (NHWC, F32) #1");
    assert_int_equal(side.work + side.calls + side.control + side.framework, side.execute);
    operators_free(&side);
}

static void groups(void **state)
{
    struct operators side;
    struct operator_group categories[CATEGORY_COUNT], kinds[OPERATOR_KIND_COUNT];

    (void)state;
    operators_start(&side, pool);
    add(&side, conv_name, 1);
    operators_by_category(&side, categories);
    operators_by_kind(&side, kinds);
    assert_int_equal(categories[CATEGORY_GEMM].total, 160);
    assert_int_equal(categories[CATEGORY_GEMM].operators, 2);
    assert_int_equal(categories[CATEGORY_ELEMENTWISE].portable, 40);
    assert_int_equal(categories[CATEGORY_OTHER].operators, 0); /* jumps are no operators */
    assert_int_equal(kinds[OPERATOR_KIND_RESHAPE].operators, 1);
    assert_true(operators_is_bottleneck(&side, operators_at(&side, 3))); /* 20 of 250 */
    assert_false(operators_is_bottleneck(&side, operators_at(&side, 1)));
    assert_false(operators_is_bottleneck(&side, operators_at(&side, 4)));
    operators_free(&side);
}

static void no_inference(void **state)
{
    struct maker maker = { 0 };
    struct operators side;

    (void)state;
    operators_start(&side, pool);
    execution_start(&maker.execution, pool);
    begin_run(&maker);
    event(&maker, "native_call_add.out", EVENT_PORTABLE, 1, 0, 10);
    assert_int_equal(execution_settle(&maker.execution), STATUS_OK);
    assert_int_equal(operators_add(&side, "x.csv", &maker.execution, NULL, NULL), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "x.csv: there is no Method::execute"));
    execution_free(&maker.execution);
    operators_free(&side);
}

/* A run that failed has operators and no Method::execute: they are counted apart. */
/* A delegate and a kernel of which nothing inside was logged are operators: no time is beside them. */
static void calls_without_events(void **state)
{
    struct maker maker = { .now = 0 };
    struct operators side;

    (void)state;
    execution_start(&maker.execution, pool);
    for (int64_t at = 0; at < 2000; at += 1000) {
        begin_run(&maker);
        event(&maker, "DELEGATE_CALL", EVENT_CALL, 0, at + 10, 500);
        event(&maker, "native_call_add.out", EVENT_PORTABLE, 1, at + 520, 20);
        event(&maker, "OPERATOR_CALL", EVENT_CALL, 1, at + 515, 30);
        event(&maker, "OPERATOR_CALL", EVENT_CALL, 2, at + 550, 100);
        event(&maker, "Method::execute", EVENT_EXECUTE, -1, at, 700);
    }
    assert_int_equal(execution_settle(&maker.execution), STATUS_OK);
    operators_start(&side, pool);
    assert_int_equal(operators_add(&side, "x.etdump", &maker.execution, NULL, NULL), STATUS_OK);
    assert_int_equal(operators_add(&side, "y.etdump", &maker.execution, NULL, NULL), STATUS_OK);
    execution_free(&maker.execution);
    assert_int_equal(side.sums.count, 3);
    assert_string_equal(name_at(&side, 0), "Delegate (not logged inside) #1");
    assert_int_equal(operators_at(&side, 0)->event, EVENT_DELEGATED);
    assert_int_equal(operators_at(&side, 0)->total, 4 * 500);
    assert_string_equal(name_at(&side, 1), "native_call_add.out");
    assert_string_equal(name_at(&side, 2), "Kernel (not logged inside) #3");
    assert_int_equal(operators_at(&side, 2)->event, EVENT_PORTABLE);
    assert_true(operators_at(&side, 0)->opaque && !operators_at(&side, 1)->opaque && operators_at(&side, 2)->opaque);
    assert_int_equal(side.call_sums.count, 3);
    assert_true(operators_call(&side, 0)->opaque && operators_call(&side, 0)->delegate);
    assert_int_equal(operators_call(&side, 1)->self, 4 * 10);
    assert_int_equal(side.work, 4 * 620);
    assert_int_equal(side.calls, 4 * 10);
    assert_int_equal(operators_accounted(&side), side.execute);
    operators_free(&side);
}

/* Where a file keeps one event of an operator, a gap as long as a call beside it may be a repeat. */
static void repeats_that_were_lost(void **state)
{
    struct maker maker = { .now = 0 };
    struct operators side;

    (void)state;
    for (int once = 0; once < 2; once++) {
        execution_start(&maker.execution, pool);
        maker.execution.once = once;
        begin_run(&maker);
        event(&maker, "native_call_add.out", EVENT_PORTABLE, 0, 302, 95);
        event(&maker, "OPERATOR_CALL", EVENT_CALL, 0, 300, 100); /* after two that were lost */
        event(&maker, "native_call_mul.out", EVENT_PORTABLE, 1, 452, 195);
        event(&maker, "OPERATOR_CALL", EVENT_CALL, 1, 450, 200);
        event(&maker, "Method::execute", EVENT_EXECUTE, -1, 100, 600); /* 50 before, 50 behind: too short for one */
        assert_int_equal(execution_settle(&maker.execution), STATUS_OK);
        operators_start(&side, pool);
        assert_int_equal(operators_add(&side, "x.csv", &maker.execution, NULL, NULL), STATUS_OK);
        execution_free(&maker.execution);
        assert_int_equal(side.framework, 300);
        assert_int_equal(side.repeats, once ? 200 : 0);
        operators_free(&side);
    }
}

static void failed_runs_stay_outside(void **state)
{
    struct maker maker = { .now = 1000 };
    struct operators side;

    (void)state;
    operators_start(&side, pool);
    execution_start(&maker.execution, pool);
    inference(&maker, conv_name, 1);
    begin_run(&maker);
    event(&maker, "native_call_add.out", EVENT_PORTABLE, 1, 90000, 10);
    assert_int_equal(execution_settle(&maker.execution), STATUS_OK);
    assert_int_equal(operators_add(&side, "x.csv", &maker.execution, NULL, NULL), STATUS_OK);
    assert_int_equal(side.outside, 1);
    assert_int_equal(side.inferences, 1);
    assert_int_equal(operators_at(&side, 3)->total, 20);
    execution_free(&maker.execution);
    operators_free(&side);
}

static void other_clock(void **state)
{
    struct maker maker;
    struct operators side;

    (void)state;
    operators_start(&side, pool);
    add(&side, conv_name, 1);
    make(&maker, conv_name, 1);
    maker.execution.clock.numerator = 5;
    assert_int_equal(operators_add(&side, "y.etdump", &maker.execution, NULL, NULL), STATUS_INPUT);
    operators_free(&side);
    operators_start(&side, pool);
    maker.execution.clock.denominator = 2; /* 400 MHz */
    assert_int_equal(operators_add(&side, "y.etdump", &maker.execution, NULL, NULL), STATUS_OK);
    assert_int_equal(operators_average_ns(&side, side.execute), 625);
    execution_free(&maker.execution);
    operators_free(&side);
}

/* ---- matching -------------------------------------------------------------------------------------------------------- */

static void matched_by_place(void **state)
{
    struct operators one, other;
    uint32_t matches[8];

    (void)state;
    operators_start(&one, pool);
    operators_start(&other, pool);
    add(&one, conv_name, 1);
    add(&other, "Convolution (NHWC, F32) GEMM #1", 2);
    assert_int_equal(operators_match(&one, &other, false, matches), STATUS_OK);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(matches[i], i);
    assert_int_equal(operators_match(&one, &other, true, matches), STATUS_OK);
    assert_int_equal(matches[0], NO_ID); /* another type */
    assert_int_equal(matches[2], 2);
    operators_free(&one);
    operators_free(&other);
}

/* Without an operator the places behind it move; the order still tells. */
static void matched_by_order(void **state)
{
    struct operators one, other;
    uint32_t matches[8];

    (void)state;
    operators_start(&one, pool);
    operators_start(&other, pool);
    add(&one, conv_name, 1);
    add(&other, NULL, 1);
    assert_int_equal(other.sums.count, 5);
    for (size_t i = 0; i < 6; i++)
        operators_at(&one, i)->instruction = -1; /* a CSV does not tell */
    assert_int_equal(operators_match(&one, &other, false, matches), STATUS_OK);
    assert_int_equal(matches[0], NO_ID);
    for (uint32_t i = 1; i < 6; i++)
        assert_int_equal(matches[i], i - 1);
    operators_free(&one);
    operators_free(&other);
}

/* A side of bare types: letters stand for operators. */
static void side_of_letters(struct operators *side, const char *letters)
{
    operators_start(side, pool);
    for (; *letters; letters++) {
        struct operator_sum *sum = column_append(&side->sums);
        char name[2] = { *letters, '\0' };

        *sum = (struct operator_sum){ .event = EVENT_PORTABLE, .chain = -1, .instruction = -1 };
        sum->name = sum->type = id(name);
        sum->kind = *letters >= 'a' ? OPERATOR_KIND_ARITHMETIC : OPERATOR_KIND_OTHER;
    }
}

static void expect_alignment(const char *left, const char *right, const char *expected)
{
    struct operators one, other;
    uint32_t matches[64];
    char got[64];

    side_of_letters(&one, left);
    side_of_letters(&other, right);
    assert_int_equal(operators_match(&one, &other, false, matches), STATUS_OK);
    for (size_t i = 0; i < strlen(left); i++)
        got[i] = matches[i] == NO_ID ? '.' : right[matches[i]];
    got[strlen(left)] = '\0';
    assert_string_equal(got, expected);
    operators_free(&one);
    operators_free(&other);
}

static void alignment(void **state)
{
    (void)state;
    expect_alignment("ABC", "ABC", "ABC");
    expect_alignment("ABC", "", "...");
    expect_alignment("", "ABC", "");
    expect_alignment("ABCDE", "ABDE", "AB.DE");
    expect_alignment("ABDE", "ABCDE", "ABDE");
    expect_alignment("XAYBZ", "AB", ".A.B.");
    expect_alignment("AxB", "AyB", "AyB"); /* of one kind */
    expect_alignment("AXB", "AYB", "A.B"); /* OTHER is no kind that things have in common */
    expect_alignment("xa", "ya", "ya");
    expect_alignment("xax", "ayx", "yax"); /* equal types first, then one kind, also across others */
    expect_alignment("AAB", "ABB", "A.B");
}

static void too_many_for_a_table(void **state)
{
    enum { COUNT = 5000 };
    struct operators one, other;
    uint32_t *matches = malloc((COUNT + 1) * sizeof *matches);
    char *letters = malloc(COUNT + 2);

    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        letters[i] = (char)('A' + i * 7 % 26);
    letters[COUNT] = '\0';
    letters[0] = '(';
    letters[COUNT - 1] = ')';
    side_of_letters(&one, letters);
    letters[0] = '[';
    letters[COUNT - 1] = ']';
    side_of_letters(&other, letters);
    assert_int_equal(operators_match(&one, &other, false, matches), STATUS_OK);
    assert_int_equal(matches[0], NO_ID);
    for (uint32_t i = 1; i + 1 < COUNT; i++)
        assert_int_equal(matches[i], i);
    operators_free(&one);
    operators_free(&other);
    /* The numbers in their names say nothing where one side has one more: all go by order. */
    memset(letters, 'A', COUNT);
    side_of_letters(&one, letters);
    letters[COUNT - 1] = '\0';
    side_of_letters(&other, letters);
    assert_int_equal(operators_match(&one, &other, false, matches), STATUS_OK);
    for (uint32_t i = 0; i + 1 < COUNT; i++)
        assert_int_equal(matches[i], i);
    assert_int_equal(matches[COUNT - 1], NO_ID);
    operators_free(&one);
    operators_free(&other);
    free(letters);
    free(matches);
}

/* ---- kernels --------------------------------------------------------------------------------------------------------- */

static void add_use(struct kernel_log *log, uint32_t delegate, uint32_t place, const char *name)
{
    struct kernel_use *use = column_append(&log->uses);

    *use = (struct kernel_use){ .delegate = delegate, .place = place, .name = id(name), .kernel = NO_ID };
}

static void kernels_by_place_and_name(void **state)
{
    struct operators side;
    struct kernel_log log = { .strings = pool };

    (void)state;
    operators_start(&side, pool);
    add(&side, conv_name, 1);
    column_start(&log.kernels, sizeof(struct kernel));
    column_start(&log.uses, sizeof(struct kernel_use));
    add_use(&log, 0, 0, "Convolution (NHWC, F32)");
    add_use(&log, 0, 1, "Add (ND)"); /* not what ran there */
    add_use(&log, 0, 2, "Fully Connected (NC, F32)");
    add_use(&log, 1, 0, "Fully Connected (NC, F32)");
    assert_int_equal(operators_add_kernels(&side, &log), 3);
    assert_non_null(operators_at(&side, 0)->use);
    assert_null(operators_at(&side, 1)->use);
    assert_null(operators_at(&side, 3)->use);
    assert_int_equal(operators_at(&side, 5)->use->delegate, 1);
    column_free(&log.kernels);
    column_free(&log.uses);
    operators_free(&side);
}

static void rates(void **state)
{
    struct graph_node node = { .macs = 1000 };
    struct operators side;

    (void)state;
    operators_start(&side, pool);
    add(&side, conv_name, 1);
    assert_true(operators_gflops(&side, operators_at(&side, 0)) == 0);
    operators_at(&side, 0)->node = &node;
    assert_true(operators_gflops(&side, operators_at(&side, 0)) == 20.0); /* 2000 operations in 100 ns */
    operators_at(&side, 1)->node = &node;
    assert_true(operators_gflops(&side, operators_at(&side, 1)) == 0); /* no time: no rate */
    operators_free(&side);
}

/* ---- tables and files ------------------------------------------------------------------------------------------------ */

static void tables(void **state)
{
    struct operators one, other;
    struct operators_pair pair = { .first = &one, .second = &other, .first_label = "new", .second_label = "old" };
    struct table *table;

    (void)state;
    operators_start(&one, pool);
    operators_start(&other, pool);
    add(&one, conv_name, 1);
    add(&other, conv_name, 3);
    assert_int_equal(operators_pair_match(&pair), STATUS_OK);
    assert_int_equal(operators_compare_table(&pair, &table), STATUS_OK);
    assert_string_equal(table_cell(table, 0, 0).text, "Method::execute");
    assert_int_equal(table_cell(table, 0, 1).integer, 450); /* the baseline first */
    assert_string_equal(table_column(table, 1)->title, "old");
    assert_string_equal(table_cell(table, 0, 3).text, "1.80x");
    table_free(table);
    pair.first_is_baseline = true;
    assert_int_equal(operators_compare_table(&pair, &table), STATUS_OK);
    assert_string_equal(table_cell(table, 0, 3).text, "0.56x");
    table_free(table);
    assert_int_equal(operators_account_table(&one, &table), STATUS_OK);
    assert_int_equal(table_cell(table, table_rows(table) - 1, 1).integer, 250);
    assert_int_equal(table_notes(table), 0);
    table_free(table);
    assert_int_equal(operators_map_table(&one, NULL, &table), STATUS_OK);
    assert_int_equal(table_rows(table), 5);
    assert_true(table_cell(table, 3, 0).null); /* portable */
    assert_int_equal(table_cell(table, 4, 0).integer, 1);
    table_free(table);
    operators_pair_free(&pair);
    operators_free(&one);
    operators_free(&other);
}

static void expect_file(const char *folder, const char *name, const char *expected)
{
    char path[512], got[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rb");
    if (!expected) {
        assert_null(file);
        return;
    }
    assert_non_null(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    assert_string_equal(got, expected);
}

static void original_files(void **state)
{
    struct operators one, other;
    struct operators_pair pair = { .first = &one, .second = &other, .first_label = "ON", .second_label = "OFF" };
    struct operators_document document = { .side = &one, .model = "m" };
    char folder[] = "/tmp/tacho-operators-XXXXXX";

    (void)state;
    assert_non_null(mkdtemp(folder));
    operators_start(&one, pool);
    operators_start(&other, pool);
    add(&one, conv_name, 1);
    add(&other, conv_name, 3);
    assert_int_equal(operators_pair_match(&pair), STATUS_OK);
    assert_int_equal(operator_files_write(&document, folder), STATUS_OK);
    assert_int_equal(operator_files_compare(&pair, "m", folder), STATUS_OK);
    expect_file(folder, "m_e2e_latency.csv",
                "model_name,num_runs,total_ms,avg_ms,min_ms,max_ms\nm,2,0.0005,0.00025,0.00025,0.00025\n");
    expect_file(folder, "m_category_summary.csv",
                "category,total_ms,avg_ms,pct_of_e2e,operator_count\n"
                "CONV,0.0002,0.0001,40.0,1\n"
                "GEMM,0.00016,8e-05,32.0,1\n" /* two operators of one name */
                "ELEMENTWISE,4e-05,2e-05,8.0,1\n"
                "OTHER,6e-06,3e-06,1.2,1\n"
                "RESHAPE,0.0,0.0,0.0,1\n");
    expect_file(folder, "m_operator_details.csv",
                "operator,category,total_ms,avg_ms,pct_of_e2e,event_count\n"
                "\"Convolution (NHWC, F32) IGEMM #1\",CONV,0.0002,0.0001,40.0,2\n"
                "\"Fully Connected (NC, F32) GEMM #1\",GEMM,0.00016,8e-05,32.0,4\n"
                "native_call_add.out,ELEMENTWISE,4e-05,2e-05,8.0,2\n"
                "JF_CALL,OTHER,6e-06,3e-06,1.2,2\n"
                "Static Reshape (NC) #1,RESHAPE,0.0,0.0,0.0,2\n");
    expect_file(folder, "m_other_top_ops.csv",
                "operator,category,total_ms,avg_ms,pct_of_e2e,event_count\nJF_CALL,OTHER,6e-06,3e-06,1.2,2\n");
    expect_file(folder, "m_comparison.csv",
                "category,ON_ms,OFF_ms,speedup,ON_pct,OFF_pct\n"
                "CONV,0.0001,0.0003,2.9999999999999996,40.0,66.66666666666666\n"
                "ELEMENTWISE,2e-05,2e-05,1.0,8.0,4.444444444444445\n"
                "GEMM,8e-05,8e-05,1.0,32.0,17.77777777777778\n"
                "OTHER,3e-06,3e-06,1.0,1.2,0.6666666666666667\n"
                "RESHAPE,0.0,0.0,0.0,0.0,0.0\n");
    assert_int_equal(rmdir(folder), 0);
    operators_pair_free(&pair);
    operators_free(&one);
    operators_free(&other);
}

static void json_tells_operators_apart(void **state)
{
    const char *paths[] = { "a \"quoted\".csv" };
    struct operators side;
    struct operators_document document = { .side = &side, .model = "m", .paths = paths, .path_count = 1 };
    struct output *output;
    const char *json, *at;
    size_t length;
    unsigned count = 0;

    (void)state;
    operators_start(&side, pool);
    add(&side, conv_name, 1);
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    operator_json_write(output, &document, NULL, NULL);
    json = output_memory(output, &length);
    assert_non_null(json);
    at = strstr(json, "\"operators\": [\n");
    assert_non_null(at);
    while ((at = strstr(at, "{\"name\": \"Fully Connected (NC, F32) GEMM #1\""))) {
        at++;
        count++;
    }
    assert_int_equal(count, 2);
    assert_non_null(strstr(json, "\"difference_ms\": 0.0"));
    assert_non_null(strstr(json, "a \\\"quoted\\\".csv"));
    assert_null(strstr(json, "comparison"));
    output_abandon(output);
    operators_free(&side);
}

static void without_memory(void **state)
{
    struct maker maker;
    struct operators side, other;
    uint32_t matches[8];
    uint64_t failures = 0;
    status code;

    (void)state;
    make(&maker, conv_name, 1);
    operators_start(&other, pool);
    add(&other, NULL, 1);
    for (;;) {
        operators_start(&side, pool);
        memory_fail_at(++failures);
        code = operators_add(&side, "x", &maker.execution, NULL, NULL);
        if (code == STATUS_OK)
            code = operators_add(&side, "x", &maker.execution, NULL, NULL);
        if (code == STATUS_OK)
            code = operators_match(&side, &other, false, matches);
        memory_fail_at(0);
        operators_free(&side);
        if (code == STATUS_OK)
            break;
        assert_int_equal(code, STATUS_MEMORY);
    }
    assert_true(failures > 8);
    operators_free(&other);
    execution_free(&maker.execution);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sums_of_one_launch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(everything_adds_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(launches_merge, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_inference, set_up, tear_down),
        cmocka_unit_test_setup_teardown(calls_without_events, set_up, tear_down),
        cmocka_unit_test_setup_teardown(repeats_that_were_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(failed_runs_stay_outside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_clock, set_up, tear_down),
        cmocka_unit_test_setup_teardown(matched_by_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(matched_by_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(alignment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_many_for_a_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kernels_by_place_and_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(original_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(json_tells_operators_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_memory, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
