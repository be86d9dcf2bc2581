/* test_et_timeline.c: the reader of timelines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "et_reading.h"
#include "executorch/chain.h"
#include "read/value.h"

#define HEADER "model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block\r\n"

static void read_text(struct et_reading *reading, const char *text)
{
    et_read(reading, &et_timeline_reader, "text.csv", text, false);
}

static void check_scaled(const char *text, int places, const struct loss_reason *reason, int64_t expected)
{
    int64_t value = -7;
    const struct loss_reason *found = value_as_scaled((struct text){ text, strlen(text) }, places, &value);

    if (found != reason || (found == NULL && value != expected))
        fail_msg("%s * 10^%d: %s, %lld", text, places, found ? found->text : "no reason", (long long)value);
}

static void test_decimals_become_exact_integers(void **state)
{
    (void)state;
    check_scaled("0.06800000000000139", 6, NULL, 68000);
    check_scaled("0.08699999999999974", 6, NULL, 87000);
    check_scaled("27745.837000000003", 3, NULL, 27745837);
    check_scaled("15.306759", 6, NULL, 15306759);
    check_scaled("18", 6, NULL, 18000000);
    check_scaled("1e-05", 6, NULL, 10);
    check_scaled("9.5E-07", 6, NULL, 1);
    check_scaled("4.9e-07", 6, NULL, 0);
    check_scaled("1.7e+3", 0, NULL, 1700);
    check_scaled(" 0.0 ", 6, NULL, 0);
    check_scaled("-0.0", 6, NULL, 0);
    check_scaled("-1.5", 0, NULL, -2);
    check_scaled("0.5", 0, NULL, 1);
    check_scaled("0.49999999999999999999999999", 0, NULL, 0);
    check_scaled("0.99999999999999999999999999", 0, NULL, 1);
    check_scaled("0.000000000000000000000000001", 6, NULL, 0);
    check_scaled("000000000000000000000000000012", 0, NULL, 12);
    check_scaled("9223372036854775807", 0, NULL, INT64_MAX);
    check_scaled("9223372036854775808", 0, &loss_time_range, 0);
    check_scaled("123456789012345678901234", 0, &loss_time_range, 0);
    check_scaled("1e400", 0, &loss_time_range, 0);
    check_scaled("1e-400000000000000000000", 0, NULL, 0);
    check_scaled("0e99", 6, NULL, 0);
    check_scaled(".5", 1, NULL, 5);
    check_scaled("5.", 1, NULL, 50);
    check_scaled("", 6, &loss_number, 0);
    check_scaled(".", 6, &loss_number, 0);
    check_scaled("-", 6, &loss_number, 0);
    check_scaled("nan", 6, &loss_number, 0);
    check_scaled("inf", 6, &loss_number, 0);
    check_scaled("1e", 6, &loss_number, 0);
    check_scaled("1e+", 6, &loss_number, 0);
    check_scaled("1.2.3", 6, &loss_number, 0);
    check_scaled("1ms", 6, &loss_number, 0);
}

static void test_a_real_file(void **state)
{
    struct et_reading reading;
    int64_t self = 0, execute = 0;

    (void)state;
    et_read(&reading, &et_timeline_reader, "et-timeline/broken_graph_all_runs_timeline.csv", NULL, false);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.execution.losses.rows, 632);
    assert_int_equal(reading.execution.losses.used, 632);
    assert_int_equal(reading.execution.runs.count, 31);
    assert_int_equal(execution_inferences(&reading.execution), 30);
    assert_int_equal(reading.execution.operators.count, 23);
    assert_string_equal(et_text(&reading, reading.execution.model), "broken_graph_xnnpack_fp32_mac_sme2_on_t1");
    assert_false(reading.execution.synthetic);
    assert_int_equal(reading.source.note_count, 0);
    for (uint32_t i = 1; i < 31; i++) {
        const struct execution_run *run = execution_run_at(&reading.execution, i);

        assert_string_equal(et_text(&reading, run->block), "Execute");
        assert_int_equal(run->index, i - 1);
        assert_int_equal(run->event_count, 21);
        execute += run->execute;
        for (uint32_t k = 0; k < run->event_count; k++)
            self += execution_event_at(&reading.execution, reading.execution.order[run->first_event + k])->self;
    }
    assert_int_equal(execution_run_at(&reading.execution, 1)->execute, 301719);
    assert_int_equal(self, execute);
    et_free(&reading);
}

/* The linears of three delegates have one name and are three operators. */
static void test_equal_names_stay_apart(void **state)
{
    struct et_reading reading;
    unsigned linears = 0;

    (void)state;
    et_read(&reading, &et_timeline_reader, "et-timeline/broken_graph_all_runs_timeline.csv", NULL, false);
    for (uint32_t i = 0; i < reading.execution.operators.count; i++) {
        const struct execution_operator *op = execution_operator_at(&reading.execution, i);

        if (strcmp(et_text(&reading, op->name), "Fully Connected (NC, F32) GEMM #1") != 0)
            continue;
        linears++;
        assert_int_equal(op->kind, EVENT_DELEGATED);
        assert_string_equal(et_text(&reading, op->type), "Fully Connected (NC, F32) GEMM");
        assert_string_equal(et_text(&reading, op->backend), "XnnpackBackend");
        assert_int_equal(op->events, 30);
        assert_int_equal(execution_operator_at(&reading.execution, op->parent)->kind, EVENT_CALL);
    }
    assert_int_equal(linears, 3);
    et_free(&reading);
}

static void test_columns_in_any_order(void **state)
{
    struct et_reading reading;

    (void)state;
    read_text(&reading, "run_index;Block; \"Duration_ms\" ;extra;name;start_us;delegate_backend\n"
                        "0;Execute;0.002;x;\"a; \"\"b\"\"\";1.5;XNNPACK\n"
                        "0;Execute;0.004;x;Method::execute;1;portable\n"
                        "1.0;Execute;0.004;x;Method::execute;11;qnnpack\n");
    assert_int_equal(reading.code, STATUS_OK);
    assert_string_equal(et_events(&reading), "Execute/0 a; \"b\" delegated 1500+2000\n"
                                             "Execute/0 Method::execute execute 1000+4000\n"
                                             "Execute/1 Method::execute execute 11000+4000\n");
    et_free(&reading);
}

static void test_the_columns_of_the_document(void **state)
{
    struct et_reading reading;
    const struct execution_operator *op;

    (void)state;
    read_text(&reading, "name,duration_ms,run_index,timestamp_ms,parent_id,op_type,backend\n"
                        "Method::execute,1.0,0,0.0,,,\n"
                        "aten::conv2d,0.5,0,0.25,0,aten.convolution.default,XNNPACK\n"
                        "aten::add,0.125,0,0.75,0,aten.add.Tensor,portable\n"
                        "Method::execute,2.0,1,0.0,,,\n"
                        "aten::conv2d,0.5,1,0.25,0,aten.convolution.default,XNNPACK\n");
    assert_int_equal(reading.code, STATUS_OK);
    assert_string_equal(et_events(&reading), "Execute/0 Method::execute execute 0+1000000\n"
                                             "Execute/0 aten::conv2d delegated 250000+500000\n"
                                             "Execute/0 aten::add portable 750000+125000\n"
                                             "Execute/1 Method::execute execute 1000000+2000000\n"
                                             "Execute/1 aten::conv2d delegated 1250000+500000\n");
    assert_int_equal(reading.execution.operators.count, 3);
    op = execution_operator_at(&reading.execution, 1);
    assert_string_equal(et_text(&reading, op->type), "aten.convolution.default");
    assert_int_equal(op->parent, 0);
    assert_true(et_has_note(&reading, "one after the other"));
    assert_false(reading.execution.synthetic);
    et_free(&reading);
}

static void test_without_starts_events_are_laid_end_to_end(void **state)
{
    struct et_reading reading;

    (void)state;
    read_text(&reading, "name,duration_ms,run_index,backend,block\n"
                        "Method::init,0.5,0,,Default\n"
                        "Program::load_method,0.75,0,,Default\n"
                        "conv,0.003,0,x,Execute\nconv,0.004,1,x,Execute\n"
                        "DELEGATE_CALL,0.005,0,,Execute\nDELEGATE_CALL,0.005,1,,Execute\n"
                        "native_call_add.out,0.001,0,,Execute\n"
                        "OPERATOR_CALL,0.002,0,,Execute\n"
                        "Method::execute,0.009,0,,Execute\nMethod::execute,0.006,1,,Execute\n");
    assert_int_equal(reading.code, STATUS_OK);
    assert_true(reading.execution.synthetic);
    assert_string_equal(et_events(&reading), "Default/0 Method::init load 0+500000\n"
                                             "Default/0 Program::load_method load 0+750000\n"
                                             "Execute/0 conv delegated 750000+3000\n"
                                             "Execute/1 conv delegated 759000+4000\n"
                                             "Execute/0 DELEGATE_CALL call 750000+5000\n"
                                             "Execute/1 DELEGATE_CALL call 759000+5000\n"
                                             "Execute/0 native_call_add.out portable 755000+1000\n"
                                             "Execute/0 OPERATOR_CALL call 755000+2000\n"
                                             "Execute/0 Method::execute execute 750000+9000\n"
                                             "Execute/1 Method::execute execute 759000+6000\n");
    assert_int_equal(execution_event_at(&reading.execution, 8)->self, 2000);
    et_free(&reading);
}

static void test_without_starts_the_outer_may_come_first(void **state)
{
    struct et_reading reading;

    (void)state;
    read_text(&reading, "name,duration_ms,backend\n"
                        "Method::execute,0.009,\nDELEGATE_CALL,0.005,\nconv,0.003,x\nadd,0.001,x\nOPERATOR_CALL,0.002,"
                        "\nmul,0.001,portable\n"
                        "JF_CALL,0.001,\nMethod::execute,0.003,\nrelu,0.001,\n");
    assert_string_equal(et_events(&reading), "Execute/0 Method::execute execute 0+9000\n"
                                             "Execute/0 DELEGATE_CALL call 0+5000\n"
                                             "Execute/0 conv delegated 0+3000\n"
                                             "Execute/0 add delegated 3000+1000\n"
                                             "Execute/0 OPERATOR_CALL call 5000+2000\n"
                                             "Execute/0 mul portable 5000+1000\n"
                                             "Execute/0 JF_CALL control 7000+1000\n"
                                             "Execute/0 Method::execute execute 9000+3000\n"
                                             "Execute/0 relu portable 9000+1000\n");
    assert_int_equal(execution_run_at(&reading.execution, 0)->execute, 12000);
    assert_true(et_has_note(&reading, "several Method::execute"));
    et_free(&reading);
}

/* Without node_id the n-th row of a name in its run is the n-th operator of that name. */
static void test_rows_of_one_name_without_ids(void **state)
{
    struct et_reading reading;

    (void)state;
    read_text(&reading,
              "name,start_us,duration_ms,run_index\nadd,1,0.001,0\nadd,11,0.001,1\nadd,3,0.001,0\nadd,13,0.001,1\n"
              "mul,5,0.001,0\nadd,7,0.001,0\n");
    assert_int_equal(reading.execution.operators.count, 4);
    assert_int_equal(execution_operator_at(&reading.execution, 0)->events, 2);
    assert_int_equal(execution_operator_at(&reading.execution, 1)->events, 2);
    assert_int_equal(execution_operator_at(&reading.execution, 3)->events, 1);
    et_free(&reading);
}

static void check_loss(const char *row, const struct loss_reason *reason)
{
    struct et_reading reading;
    char text[1024];

    snprintf(text, sizeof text,
             HEADER "m,Method::execute,Method::execute,portable,1.0,2.0,0.001,50,0,0,Execute\r\n%s\r\n"
                    "m,add,add,portable,1.0,2.0,0.001,50,1,0,Execute\r\n",
             row);
    read_text(&reading, text);
    assert_int_equal(reading.code, STATUS_OK);
    if (losses_count(&reading.execution.losses, reason) != 1 ||
        losses_find(&reading.execution.losses, reason)->lines[0] != 3 || reading.execution.losses.used != 2 ||
        reading.execution.losses.rows != 3)
        fail_msg("%s: not lost for %s", row, reason->text);
    et_free(&reading);
}

static void test_rows_that_cannot_be_used(void **state)
{
    (void)state;
    check_loss("m,x,x,portable,1.0,2.0,,50,0,0,Execute", &loss_number);
    check_loss("m,x,x,portable,1.0,2.0,nan,50,0,0,Execute", &loss_number);
    check_loss("m,x,x,portable,,2.0,0.001,50,0,0,Execute", &loss_number);
    check_loss("m,x,x,portable,1.0,2.0,0.001,50,0,-1,Execute", &loss_number);
    check_loss("m,x,x,portable,1.0,2.0,0.001,50,0,1.5,Execute", &loss_number);
    check_loss("m,x,x,portable,1.0,2.0,0.001,50,0,99999999999,Execute", &loss_number);
    check_loss("m,x,x,portable,1.0,2.0,-0.001,50,0,0,Execute", &loss_end_before_start);
    check_loss("m,x,x,portable,-1.0,2.0,0.001,50,0,0,Execute", &loss_time_range);
    check_loss("m,x,x,portable,1.0,2.0,1e300,50,0,0,Execute", &loss_time_range);
    check_loss("m,x,x,portable,9e15,2.0,0.001,50,0,0,Execute", &loss_time_range);
    check_loss("m,x,x,portable,1.0,2.0,0.001,50,0,0", &loss_fields);
    check_loss("m,x,x,portable,1.0,2.0,0.001,50,0,0,Execute,", &loss_fields);
    check_loss("m,\"x\"y,x,portable,1.0,2.0,0.001,50,0,0,Execute", &loss_quote);
    check_loss("m,\"x,x,portable,1.0,2.0,0.001,50,0,0,Execute", &loss_quote);
    check_loss("m,x\001,x,portable,1.0,2.0,,50,0,0,Execute", &loss_binary);
}

/* What a lost row said must not be taken for what the row before said. */
static void test_a_lost_row_leaves_nothing_behind(void **state)
{
    struct et_reading reading;

    (void)state;
    read_text(&reading, HEADER "m,a,a,portable,1.0,2.0,0.001,50,0,0,Execute\n"
                               "m,b,b,portable,1.0,2.0,bad,50,1,0,Execute\n"
                               "m,b,b,portable,3.0,4.0,0.001,50,1,0,Execute\n"
                               "m,c,c,portable,3.0,4.0\n"
                               "m,c,c,portable,5.0,6.0,0.001,50,2,0,Execute\n");
    assert_string_equal(et_events(&reading), "Execute/0 a portable 1000+1000\nExecute/0 b portable 3000+1000\n"
                                             "Execute/0 c portable 5000+1000\n");
    et_free(&reading);
}

static void test_a_quoted_newline(void **state)
{
    struct et_reading reading;

    (void)state;
    read_text(&reading, HEADER "m,\"a\nb\",\"a\nb\",portable,1.0,2.0,0.001,50,0,0,Execute\r\n"
                               "m,\"a\nb\",\"a\nb\",portable,3.0,2.0,0.001,50,0,1,Execute");
    assert_string_equal(et_events(&reading), "Execute/0 a\nb portable 1000+1000\nExecute/1 a\nb portable 3000+1000\n");
    assert_int_equal(losses_count(&reading.execution.losses, &loss_last_line), 1);
    assert_int_equal(reading.execution.losses.rows, 2);
    et_free(&reading);
}

static void test_pieces_do_not_show(void **state)
{
    struct et_reading whole, pieces;

    (void)state;
    et_read(&whole, &et_timeline_reader, "et-timeline/branches_all_runs_timeline.csv", NULL, false);
    input_limit_reads(7);
    et_read(&pieces, &et_timeline_reader, "et-timeline/branches_all_runs_timeline.csv", NULL, false);
    input_limit_reads(0);
    assert_int_equal(whole.code, STATUS_OK);
    assert_int_equal(whole.execution.events.count, pieces.execution.events.count);
    for (uint32_t i = 0; i < whole.execution.events.count; i++)
        assert_memory_equal(execution_event_at(&whole.execution, i), execution_event_at(&pieces.execution, i), 36);
    assert_true(et_has_note(&whole, "several Method::execute"));
    et_free(&whole);
    et_free(&pieces);
}

static void check_fails(const char *text, bool strict, const char *message)
{
    struct et_reading reading;

    et_read(&reading, &et_timeline_reader, "text.csv", text, strict);
    assert_int_equal(reading.code, STATUS_INPUT);
    if (!strstr(status_message(), message))
        fail_msg("\"%s\" is not in: %s", message, status_message());
    et_free(&reading);
}

static void test_files_that_cannot_be_used(void **state)
{
    (void)state;
    check_fails("", false, "no header line");
    check_fails("\n\r\n", false, "no header line");
    check_fails("name,run_index\n", false, "text.csv:1:1: the header has no column \"duration_ms\"");
    check_fails("\"name\n", false, "no header line of a CSV");
    check_fails(HEADER "m,x,x,portable,1.0,2.0,bad,50,0,0,Execute\n", true, "text.csv:2:24: a number");
}

static void test_memory_that_runs_out(void **state)
{
    (void)state;
    et_starve(&et_timeline_reader,
              HEADER "m,a,a,portable,1.0,2.0,0.001,50,0,0,Execute\nm,\"b\",b,x,3.0,4.0,0.001,50,,1,Execute\n");
}

static void test_detection(void **state)
{
    static const char ours[] = "\xEF\xBB\xBFname,duration_ms,run_index\n";
    static const char other[] = "launch,iteration,ms\n";

    (void)state;
    assert_int_equal(et_timeline_reader.probe((struct text){ HEADER, sizeof HEADER - 1 }, "x"), 95);
    assert_int_equal(et_timeline_reader.probe((struct text){ ours, sizeof ours - 1 }, "x"), 95);
    assert_int_equal(et_timeline_reader.probe((struct text){ other, sizeof other - 1 }, "x"), 0);
    assert_int_equal(et_timeline_reader.probe((struct text){ "", 0 }, "x"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decimals_become_exact_integers),
        cmocka_unit_test(test_a_real_file),
        cmocka_unit_test(test_equal_names_stay_apart),
        cmocka_unit_test(test_columns_in_any_order),
        cmocka_unit_test(test_the_columns_of_the_document),
        cmocka_unit_test(test_without_starts_events_are_laid_end_to_end),
        cmocka_unit_test(test_without_starts_the_outer_may_come_first),
        cmocka_unit_test(test_rows_of_one_name_without_ids),
        cmocka_unit_test(test_rows_that_cannot_be_used),
        cmocka_unit_test(test_a_lost_row_leaves_nothing_behind),
        cmocka_unit_test(test_a_quoted_newline),
        cmocka_unit_test(test_pieces_do_not_show),
        cmocka_unit_test(test_files_that_cannot_be_used),
        cmocka_unit_test(test_memory_that_runs_out),
        cmocka_unit_test(test_detection),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
