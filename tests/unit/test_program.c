/* test_program.c: what was compiled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/memory.h"
#include "torq/chain.h"
#include "torq/program.h"

static struct strings *strings;
static struct program program;

static int start(void **state)
{
    (void)state;
    strings = model_strings();
    program_start(&program, strings);
    return strings ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    memory_fail_at(0);
    program_free(&program);
    strings_free(strings);
    return 0;
}

static string_id text(const char *value)
{
    string_id id;

    assert_int_equal(strings_add_text(strings, value, &id), STATUS_OK);
    return id;
}

static struct program_task *task(int64_t from, int64_t to)
{
    struct program_task *added = program_add_task(&program);

    assert_non_null(added);
    added->start = from;
    added->end = to;
    return added;
}

static struct program_step *step(enum step_kind kind)
{
    struct program_step *added = program_add_step(&program);

    assert_non_null(added);
    added->kind = kind;
    return added;
}

static void slice_step(enum step_kind kind, int32_t slice, const char *kernel, int64_t async)
{
    struct program_step *added = step(kind);

    added->slice = slice;
    added->kernel = text(kernel);
    added->async = async;
}

static struct program_job *job(void)
{
    struct program_job *added = program_add_job(&program);

    assert_non_null(added);
    return added;
}

static void complete(void)
{
    assert_int_equal(program_complete(&program), STATUS_OK);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(step_name(STEP_DMA_IN_CFG), "torq_hw.dma_in_cfg");
    assert_string_equal(step_name(STEP_CDMA_WAIT), "torq_hw.cdma_wait");
    assert_string_equal(bus_name(BUS_dedr), "dedr");
    assert_string_equal(bus_name(BUS_acpr), "acpr");
}

static void test_new_elements_know_nothing(void **state)
{
    const struct program_action *action;
    const struct program_kernel *kernel;

    (void)state;
    assert_int_equal(program_add_dispatch(&program)->memory, NO_CYCLES);
    action = program_add_action(&program);
    assert_int_equal(action->dispatch, 0);
    assert_int_equal(action->id, -1);
    assert_int_equal(action->job, NO_ID);
    assert_int_equal(action->start, NO_CYCLES);
    assert_int_equal(job()->start_action, NO_ID);
    assert_int_equal(program_job(&program, 0)->index, 0);
    assert_int_equal(job()->index, 1);
    assert_int_equal(task(1, 2)->job, 1);
    assert_int_equal(step(STEP_CSS_START)->bytes, -1);
    assert_int_equal(program_step(&program, 0)->slice, -1);
    kernel = program_add_kernel(&program);
    assert_int_equal(kernel->memory, -1);
    assert_int_equal(kernel->cycles[BUS_acpr], NO_CYCLES);
}

static void test_empty(void **state)
{
    (void)state;
    complete();
    assert_false(program.has_estimate);
    assert_int_equal(program.units.count, 0);
}

static void test_unit_times(void **state)
{
    const struct program_unit *unit;

    (void)state;
    program_add_dispatch(&program);
    job();
    task(100, 110);
    step(STEP_DMA_IN_CFG)->bytes = 64;
    step(STEP_DMA_IN_START)->async = 30;
    task(110, 200);
    step(STEP_DMA_IN_WAIT);
    task(200, 210);
    step(STEP_CSS_START);
    task(NO_CYCLES, NO_CYCLES);
    step(STEP_CSS_WAIT);
    task(210, 220);
    step(STEP_DMA_OUT_START)->async = INT64_MAX;
    complete();
    assert_int_equal(program.units.count, 3);
    unit = program_unit(&program, 0);
    assert_int_equal(unit->engine, &torq_engine_dma_in);
    assert_int_equal(unit->bytes, 64);
    assert_int_equal(unit->start, 100);
    assert_int_equal(unit->busy_end, 130);
    assert_int_equal(unit->wait_end, 200);
    assert_int_equal(unit->start_step, 1);
    assert_int_equal(unit->wait_step, 2);
    unit = program_unit(&program, 1); /* nothing printed for its wait */
    assert_int_equal(unit->start, 200);
    assert_int_equal(unit->busy_end, NO_CYCLES);
    assert_int_equal(unit->wait_end, NO_CYCLES);
    assert_int_equal(unit->wait_step, 4);
    unit = program_unit(&program, 2); /* no room for the sum, never waited for, no cfg */
    assert_int_equal(unit->busy_end, NO_CYCLES);
    assert_int_equal(unit->wait_step, NO_ID);
    assert_int_equal(unit->bytes, -1);
    assert_int_equal(program_job(&program, 0)->start, 100);
    assert_int_equal(program_job(&program, 0)->end, 220);
    assert_true(program.has_estimate);
}

static void test_without_duration_busy_until_the_wait(void **state)
{
    (void)state;
    program_add_dispatch(&program);
    job();
    task(5, 6);
    step(STEP_CDMA_START)->transfer = text("LRAM to ITCM");
    task(6, 9);
    step(STEP_CDMA_WAIT);
    complete();
    assert_int_equal(program_unit(&program, 0)->engine, &torq_engine_cdma_itcm);
    assert_int_equal(program_unit(&program, 0)->busy_end, 9);
}

/* Two in flight: the first wait ends the first start. A wait in the same task ends what ran before, not what starts
 * there. */
static void test_pairing_is_first_in_first_out(void **state)
{
    (void)state;
    program_add_dispatch(&program);
    job();
    task(0, 1);
    step(STEP_DMA_IN_START);
    step(STEP_DMA_IN_START);
    slice_step(STEP_SLICE_START, 0, "a", 1);
    slice_step(STEP_SLICE_START, 1, "b", 1);
    task(1, 2);
    slice_step(STEP_SLICE_WAIT, 1, "", NO_CYCLES);
    step(STEP_DMA_IN_WAIT);
    task(2, 3);
    step(STEP_DMA_IN_WAIT);
    slice_step(STEP_SLICE_WAIT, 0, "", NO_CYCLES);
    slice_step(STEP_SLICE_START, 0, "c", 1);
    task(3, 4);
    slice_step(STEP_SLICE_WAIT, 0, "", NO_CYCLES);
    step(STEP_DMA_IN_WAIT); /* of nothing */
    complete();
    assert_int_equal(program.units.count, 5);
    assert_int_equal(program_unit(&program, 0)->engine, &torq_engine_slice); /* slices are taken first */
    assert_int_equal(program_unit(&program, 0)->wait_end, 3);
    assert_int_equal(program_unit(&program, 1)->index, 1);
    assert_int_equal(program_unit(&program, 1)->wait_end, 2);
    assert_int_equal(program_unit(&program, 2)->wait_end, 2);
    assert_int_equal(program_unit(&program, 3)->wait_end, 3);
    assert_int_equal(program_unit(&program, 4)->wait_end, 4);
    assert_string_equal(strings_text(strings, program_job(&program, 0)->kernels), "a,b,c");
}

static void test_bytes_come_from_the_last_cfg_in_printed_order(void **state)
{
    (void)state;
    program_add_dispatch(&program);
    job();
    task(0, 1);
    step(STEP_DMA_IN_CFG)->bytes = 10;
    step(STEP_DMA_IN_START);
    step(STEP_DMA_IN_WAIT);
    step(STEP_DMA_IN_CFG)->bytes = 20;
    step(STEP_DMA_IN_START);
    step(STEP_DMA_OUT_START);
    complete();
    assert_int_equal(program_unit(&program, 0)->bytes, 10);
    assert_int_equal(program_unit(&program, 1)->bytes, 20);
    assert_int_equal(program_unit(&program, 2)->bytes, -1);
}

static void test_used_engines_run_on_into_later_jobs_of_the_dispatch(void **state)
{
    (void)state;
    program_add_dispatch(&program);
    job();
    task(0, 1);
    step(STEP_DMA_OUT_START);
    slice_step(STEP_SLICE_START, 15, "k", 1);
    job();
    task(1, 2);
    slice_step(STEP_SLICE_WAIT, 15, "", NO_CYCLES);
    job();
    task(2, 3);
    step(STEP_DMA_OUT_WAIT);
    step(STEP_CSS_START);
    step(STEP_CSS_WAIT);
    job();
    program_add_dispatch(&program);
    job();
    complete();
    assert_int_equal(program_job(&program, 0)->used, USED_DMA_OUT | USED_SLICE_0 << 15);
    assert_int_equal(program_job(&program, 1)->used, USED_DMA_OUT | USED_SLICE_0 << 15);
    assert_int_equal(program_job(&program, 2)->used, USED_DMA_OUT | USED_CSS);
    assert_int_equal(program_job(&program, 3)->used, 0);
    assert_int_equal(program_job(&program, 4)->used, 0);
    assert_int_equal(program_dispatch(&program, 0)->job_count, 4);
    assert_int_equal(program_dispatch(&program, 1)->first_job, 4);
    assert_int_equal(program.chosen, 1);
}

static void test_pending_work_does_not_pass_to_another_dispatch(void **state)
{
    (void)state;
    program_add_dispatch(&program);
    job();
    task(0, 1);
    step(STEP_DMA_IN_START);
    program_add_dispatch(&program);
    job();
    task(0, 1);
    step(STEP_DMA_IN_WAIT);
    complete();
    assert_int_equal(program_job(&program, 1)->used, 0);
    assert_int_equal(program_unit(&program, 0)->wait_step, NO_ID);
}

static void test_kernels_once_and_per_job(void **state)
{
    (void)state;
    program_add_dispatch(&program);
    job();
    task(0, 1);
    slice_step(STEP_SLICE_START, 0, "b", 1);
    slice_step(STEP_SLICE_START, 1, "a", 1);
    slice_step(STEP_SLICE_START, 0, "b", 1);
    slice_step(STEP_SLICE_START, 0, "", 1);
    slice_step(STEP_SLICE_START, 99, "far", 1); /* a slice without a bit: named, but no unit */
    job();
    task(1, 2);
    slice_step(STEP_SLICE_START, 0, "b", 1);
    complete();
    assert_string_equal(strings_text(strings, program_job(&program, 0)->kernels), "b,a,far");
    assert_string_equal(strings_text(strings, program_job(&program, 1)->kernels), "b");
    assert_int_equal(program.units.count, 5);
}

static void test_actions_are_sorted_and_jobs_follow(void **state)
{
    static const int32_t ids[] = { 5, 3, 3, 0 };

    (void)state;
    program_add_dispatch(&program);
    for (unsigned i = 0; i < 4; i++) {
        struct program_action *action = program_add_action(&program);

        action->id = ids[i];
        action->operation = text(i == 1 ? "first" : i == 2 ? "second" : "other");
    }
    job()->start_action = 3;
    ((struct program_job *)column_at(&program.jobs, 0))->wait_action = 0;
    program_add_dispatch(&program);
    program_add_action(&program)->id = 1;
    job();
    ((struct program_action *)column_at(&program.actions, 3))->start = 7;
    ((struct program_action *)column_at(&program.actions, 0))->end = 9;
    complete();
    assert_int_equal(program_action(&program, 0)->id, 0);
    assert_string_equal(strings_text(strings, program_action(&program, 1)->operation), "first");
    assert_string_equal(strings_text(strings, program_action(&program, 2)->operation), "second");
    assert_int_equal(program_action(&program, 3)->id, 5);
    assert_int_equal(program_action(&program, 4)->id, 1);
    assert_int_equal(program_job(&program, 0)->start_action, 0);
    assert_int_equal(program_job(&program, 0)->wait_action, 3);
    assert_int_equal(program_job(&program, 0)->start, 7);
    assert_int_equal(program_job(&program, 0)->end, 9);
    assert_int_equal(program_dispatch(&program, 0)->action_count, 4);
    assert_int_equal(program_dispatch(&program, 1)->first_action, 4);
    assert_int_equal(program_job(&program, 1)->wait_action, NO_ID);
}

static void test_bound_is_the_slowest_path(void **state)
{
    struct program_kernel *kernel;

    (void)state;
    program_add_dispatch(&program);
    kernel = program_add_kernel(&program);
    kernel->cycles[BUS_dewr] = 7;
    kernel->cycles[BUS_cepr] = 9;
    kernel->cycles[BUS_acpr] = 9;
    program_add_kernel(&program);
    complete();
    assert_int_equal(program_kernel(&program, 0)->bound, BUS_cepr);
    assert_int_equal(program_kernel(&program, 1)->bound, 0);
}

static void test_completing_twice_changes_nothing(void **state)
{
    (void)state;
    program_add_dispatch(&program);
    job();
    task(0, 1);
    step(STEP_DMA_IN_START);
    step(STEP_DMA_IN_WAIT);
    complete();
    complete();
    assert_int_equal(program.units.count, 1);
    assert_int_equal(program_job(&program, 0)->task_count, 1);
    assert_int_equal(program_task(&program, 0)->step_count, 2);
}

static void test_out_of_memory(void **state)
{
    status code = STATUS_MEMORY;

    (void)state;
    program_add_dispatch(&program);
    program_add_action(&program)->id = 2;
    program_add_action(&program)->id = 1;
    job();
    task(0, 1);
    slice_step(STEP_SLICE_START, 0, "a", 1);
    slice_step(STEP_SLICE_START, 1, "b", 1);
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        assert_true(nth < 100);
        memory_fail_at(nth);
        code = program_complete(&program);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
    }
    assert_string_equal(strings_text(strings, program_job(&program, 0)->kernels), "a,b");
}

/* Linear in the number of tasks, also when nothing is ever waited for and every kernel is another. */
static void test_many_tasks(void **state)
{
    enum { MANY = 200000 };

    (void)state;
    program_add_dispatch(&program);
    job();
    for (int i = 0; i < MANY; i++) {
        string_id kernel;

        task(i, i + 1);
        slice_step(STEP_SLICE_START, 0, "", 1);
        assert_int_equal(strings_add_format(strings, &kernel, "k%d", i), STATUS_OK);
        ((struct program_step *)column_at(&program.steps, (size_t)i))->kernel = kernel;
    }
    complete();
    assert_int_equal(program.units.count, MANY);
    assert_memory_equal(strings_text(strings, program_job(&program, 0)->kernels), "k0,k1,k2,", 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test_setup_teardown(test_new_elements_know_nothing, start, stop),
        cmocka_unit_test_setup_teardown(test_empty, start, stop),
        cmocka_unit_test_setup_teardown(test_unit_times, start, stop),
        cmocka_unit_test_setup_teardown(test_without_duration_busy_until_the_wait, start, stop),
        cmocka_unit_test_setup_teardown(test_pairing_is_first_in_first_out, start, stop),
        cmocka_unit_test_setup_teardown(test_bytes_come_from_the_last_cfg_in_printed_order, start, stop),
        cmocka_unit_test_setup_teardown(test_used_engines_run_on_into_later_jobs_of_the_dispatch, start, stop),
        cmocka_unit_test_setup_teardown(test_pending_work_does_not_pass_to_another_dispatch, start, stop),
        cmocka_unit_test_setup_teardown(test_kernels_once_and_per_job, start, stop),
        cmocka_unit_test_setup_teardown(test_actions_are_sorted_and_jobs_follow, start, stop),
        cmocka_unit_test_setup_teardown(test_bound_is_the_slowest_path, start, stop),
        cmocka_unit_test_setup_teardown(test_completing_twice_changes_nothing, start, stop),
        cmocka_unit_test_setup_teardown(test_out_of_memory, start, stop),
        cmocka_unit_test_setup_teardown(test_many_tasks, start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
