/* test_et_ops.c: the reader of operator statistics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "et_reading.h"
#include "executorch/chain.h"

#define HEADER "model_id,name,type,delegate_backend,count,total_ms,avg_ms,pct_total\r\n"

static void test_a_real_file(void **state)
{
    struct et_reading reading;
    int64_t delegated = 0;

    (void)state;
    et_read(&reading, &et_ops_reader, "et-ops/mobilenet_ops_stats.csv", NULL, false);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.execution.losses.rows, 11);
    assert_int_equal(reading.execution.losses.used, 11);
    assert_true(reading.execution.synthetic);
    assert_true(et_has_note(&reading, "sums by type"));
    assert_int_equal(reading.execution.runs.count, 2);
    assert_string_equal(et_text(&reading, reading.execution.model), "mobilenet_like_xnnpack_fp32_mac_sme2_on_t1");
    for (uint32_t i = 0; i < reading.execution.events.count; i++) {
        const struct execution_event *event = execution_event_at(&reading.execution, i);
        const struct execution_operator *op = execution_operator_at(&reading.execution, event->op);

        if (op->kind != EVENT_DELEGATED)
            continue;
        delegated += event->duration;
        assert_string_equal(et_text(&reading, op->backend), "XnnpackBackend");
        assert_int_equal(execution_operator_at(&reading.execution, op->parent)->kind, EVENT_CALL);
    }
    assert_int_equal(delegated, 5139800 + 1203000 + 217833 + 46500 + 19000 + 3133);
    assert_int_equal(execution_run_at(&reading.execution, 1)->execute, 6832030);
    et_free(&reading);
}

/* Self times of what is left add up to Method::execute again. */
static void test_what_encloses_what(void **state)
{
    struct et_reading reading;

    (void)state;
    et_read(&reading, &et_ops_reader, "ops.csv",
            HEADER "m,Method::execute,Method::execute,portable,1,1.0,1.0,50\n"
                   "m,DELEGATE_CALL,DELEGATE_CALL,portable,2,0.6,0.3,50\n"
                   "m,OPERATOR_CALL,OPERATOR_CALL,portable,2,0.3,0.15,50\n"
                   "m,Add (ND),Add (ND),XNNPACK,2,0.5,0.25,50\n"
                   "m,native_call_cat.out,native_call_cat.out,portable,2,0.2,0.1,50\n"
                   "m,JF_CALL,JF_CALL,portable,1,0.05,0.05,1\n"
                   "m,Program::load_method,Program::load_method,portable,1,9.0,9.0,1\n",
            false);
    assert_string_equal(et_events(&reading), "Execute/0 Method::execute execute 9000000+1000000\n"
                                             "Execute/0 DELEGATE_CALL call 9000000+600000\n"
                                             "Execute/0 OPERATOR_CALL call 9600000+300000\n"
                                             "Execute/0 Add (ND) delegated 9000000+500000\n"
                                             "Execute/0 native_call_cat.out portable 9600000+200000\n"
                                             "Execute/0 JF_CALL control 9900000+50000\n"
                                             "Default/0 Program::load_method load 0+9000000\n");
    assert_int_equal(execution_event_at(&reading.execution, 0)->self, 50000);
    assert_int_equal(execution_event_at(&reading.execution, 1)->self, 100000);
    assert_int_equal(execution_event_at(&reading.execution, 2)->self, 100000);
    et_free(&reading);
}

static void test_one_type_on_two_backends(void **state)
{
    struct et_reading reading;

    (void)state;
    et_read(&reading, &et_ops_reader, "ops.csv",
            "total_ms,avg_ms,type,backend\n0.001,1,add,XNNPACK\n0.002,1,add,QNN\n0.003,1,add,portable\n0.004,1,add,\n",
            false);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.execution.operators.count, 4);
    assert_string_equal(et_text(&reading, execution_operator_at(&reading.execution, 1)->backend), "QNN");
    assert_int_equal(execution_operator_at(&reading.execution, 3)->kind, EVENT_PORTABLE);
    et_free(&reading);
}

static void test_bad_rows_and_files(void **state)
{
    struct et_reading reading;

    (void)state;
    et_read(&reading, &et_ops_reader, "ops.csv",
            HEADER "m,a,a,portable,1,nan,1.0,50\nm,b,b,portable,1,-1,1.0,50\nm,c,c,portable,1,1e300,1,50\nm,d,d,"
                   "portable,1,1.5,1,50\n"
                   "m,e,e,portable,1,2000000000000,1,1\nm,f,f,portable,1,2000000000000,1,1\n",
            false);
    assert_int_equal(reading.execution.losses.used, 2);
    assert_int_equal(reading.execution.losses.lost, 4);
    assert_int_equal(losses_find(&reading.execution.losses, &loss_time_range)->lines[1], 7);
    et_free(&reading);
    et_read(&reading, &et_ops_reader, "ops.csv", "total_ms,count\n1,1\n", false);
    assert_int_equal(reading.code, STATUS_INPUT);
    assert_non_null(strstr(status_message(), "neither a column \"name\" nor \"type\""));
    et_free(&reading);
    et_read(&reading, &et_ops_reader, "ops.csv", "name,count\n1,1\n", false);
    assert_int_equal(reading.code, STATUS_INPUT);
    et_free(&reading);
    et_read(&reading, &et_ops_reader, "ops.csv", HEADER, false);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.execution.events.count, 0);
    et_free(&reading);
    et_starve(&et_ops_reader, HEADER "m,a,a,portable,1,1,1.0,50\nm,b,b,x,1,1,1.0,50\n");
}

static void test_detection(void **state)
{
    static const char details[] = "operator,category,total_ms,avg_ms,pct_of_e2e,event_count\n";

    (void)state;
    assert_int_equal(et_ops_reader.probe((struct text){ HEADER, sizeof HEADER - 1 }, "x"), 90);
    assert_int_equal(et_ops_reader.probe((struct text){ details, sizeof details - 1 }, "x"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_real_file),
        cmocka_unit_test(test_what_encloses_what),
        cmocka_unit_test(test_one_type_on_two_backends),
        cmocka_unit_test(test_bad_rows_and_files),
        cmocka_unit_test(test_detection),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
