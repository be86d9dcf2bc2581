/* test_runner_log.c: what the runner prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "et_reading.h"
#include "executorch/chain.h"
#include "executorch/runner_log.h"

#define RUNNER "I 00:00:00.001614 executorch:executor_runner.cpp:779] "

static struct runner_line parse(const char *text)
{
    return runner_line((struct text){ text, strlen(text) });
}

static void test_lines(void **state)
{
    struct runner_line line = parse(RUNNER "Iteration 3 of 30: 6.688265 ms");

    (void)state;
    assert_int_equal(line.kind, RUNNER_ITERATION);
    assert_int_equal(line.index, 3);
    assert_int_equal(line.count, 30);
    assert_int_equal(line.time, 6688265);
    assert_int_equal(parse("05-01 10:11:12.345  812  812 I ExecuTorch: Iteration 1 of 2: 12 ms").time, 12000000);
    assert_int_equal(parse(RUNNER "Model loaded in 0.710557 ms.").time, 710557);
    line = parse("Model executed successfully 30 time(s) in 6.972920 ms.");
    assert_int_equal(line.kind, RUNNER_TOTAL);
    assert_int_equal(line.count, 30);
    assert_int_equal(line.time, 6972920);
    assert_int_equal(parse("Execution Total Runner:  0.006973s").time, 6973000);
    assert_int_equal(parse("Execution Iterations:    30").count, 30);
    line = parse("I executorch:executor_runner.cpp:476] Model file out/a/net.pte is loaded.");
    assert_int_equal(line.kind, RUNNER_MODEL);
    assert_int_equal(line.model.length, 3);
    assert_memory_equal(line.model.data, "net", 3);
    assert_int_equal(parse("Model executed successfully.").kind, RUNNER_NOTHING);
    assert_int_equal(parse("Warmup Iterations:       5").kind, RUNNER_NOTHING);
    assert_int_equal(parse("Iteration of the loop").kind, RUNNER_NOTHING);
    assert_int_equal(parse("").kind, RUNNER_NOTHING);
    assert_int_equal(parse("Iteration 3 of 30: x ms").kind, RUNNER_BAD);
    assert_int_equal(parse("Iteration 3 of 30: 5").kind, RUNNER_BAD);
    assert_int_equal(parse("Iteration 3 of 30: -5 ms").bad, &loss_end_before_start);
    assert_int_equal(parse("Model executed successfully 0 time(s) in 1 ms").kind, RUNNER_BAD);
}

static void test_a_real_log(void **state)
{
    struct et_reading reading;

    (void)state;
    et_read(&reading, &et_runner_log_reader, "et-runner-log/broken_graph_latency.log", NULL, false);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(execution_inferences(&reading.execution), 30);
    assert_int_equal(reading.execution.runs.count, 31);
    assert_int_equal(execution_run_at(&reading.execution, 1)->execute, 302590);
    assert_int_equal(execution_run_at(&reading.execution, 30)->execute, 222441);
    assert_int_equal(execution_run_at(&reading.execution, 30)->index, 29);
    assert_int_equal(execution_event_at(&reading.execution, 0)->duration, 684267);
    assert_string_equal(et_text(&reading, reading.execution.model), "broken_graph_xnnpack_fp32");
    assert_true(reading.execution.synthetic);
    assert_int_equal(reading.execution.losses.rows, 35);
    et_free(&reading);
    et_read(&reading, &et_runner_log_reader, "et-runner-log/portable_runner.log", NULL, false);
    assert_int_equal(execution_inferences(&reading.execution), 5);
    et_free(&reading);
}

static void test_only_the_total(void **state)
{
    struct et_reading reading;

    (void)state;
    et_read(&reading, &et_runner_log_reader, "et-runner-log/total_latency.log", NULL, false);
    assert_string_equal(et_events(&reading), "Execute/0 Method::execute execute 0+12345600\n");
    assert_true(et_has_note(&reading, "only the total"));
    et_free(&reading);
    et_read(&reading, &et_runner_log_reader, "log", "Execution Iterations:    3\nExecution Total Wall:    1.0s\n",
            false);
    assert_string_equal(et_events(&reading), "Execute/0 Method::execute execute 0+333333333\n");
    assert_true(et_has_note(&reading, "whole process"));
    et_free(&reading);
}

static void test_bad_lines_and_logs(void **state)
{
    struct et_reading reading;

    (void)state;
    et_read(&reading, &et_runner_log_reader, "log",
            "Iteration 1 of 2: 1 ms\nIteration 2 of 2: nan ms\nIteration 1 of 1: 2 ms\n", false);
    assert_int_equal(execution_inferences(&reading.execution), 2);
    assert_int_equal(losses_find(&reading.execution.losses, &loss_number)->lines[0], 2);
    assert_true(et_has_note(&reading, "several launches"));
    et_free(&reading);
    et_read(&reading, &et_runner_log_reader, "log", "xx Iteration 2 of 2: nan ms\n", true);
    assert_int_equal(reading.code, STATUS_INPUT);
    assert_non_null(strstr(status_message(), "log:1:4: a number"));
    et_free(&reading);
    et_read(&reading, &et_runner_log_reader, "log", "nothing\n", false);
    assert_int_equal(reading.code, STATUS_INPUT);
    et_free(&reading);
    et_starve(&et_runner_log_reader, "Model file a.pte is loaded\nModel loaded in 1 ms\nIteration 1 of 1: 1 ms\n");
}

static void test_detection(void **state)
{
    static const char log[] = RUNNER "Using method forward\n" RUNNER "Iteration 1 of 1: 1 ms\n";

    (void)state;
    assert_int_equal(et_runner_log_reader.probe((struct text){ log, sizeof log - 1 }, "x"), 70);
    assert_int_equal(et_runner_log_reader.probe((struct text){ "a,b\n", 4 }, "x"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),          cmocka_unit_test(test_a_real_log),
        cmocka_unit_test(test_only_the_total), cmocka_unit_test(test_bad_lines_and_logs),
        cmocka_unit_test(test_detection),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
