/* test_join.c: measured events meet a program and an estimate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "recorder.h"
#include "torq/chain.h"
#include "torq/join.h"

/* A program of two dispatches: `first` has actions 0 and 1 without a job, `second` has actions 0, 5 and 6, the latter
 * two the start and wait of a job that uses DMA in and slice 1 and has the tasks 7 and 8. */
static struct recorder *recorder;
static struct program program;
static struct estimate estimate;
static struct feed feed;
static struct join *join;
static struct clock microseconds;

static string_id text(const char *value)
{
    string_id id;

    assert_int_equal(strings_add_text(recorder->strings, value, &id), STATUS_OK);
    return id;
}

static void add_action(uint32_t dispatch, int32_t id, enum action_kind kind, uint32_t job)
{
    struct program_action *action = program_add_action(&program);

    assert_non_null(action);
    action->dispatch = dispatch;
    action->id = id;
    action->kind = kind;
    action->job = job;
}

static void add_dispatch(const char *name, uint32_t first_action, uint32_t actions, uint32_t first_job, uint32_t jobs)
{
    struct program_dispatch *dispatch = program_add_dispatch(&program);

    assert_non_null(dispatch);
    dispatch->name = text(name);
    dispatch->first_action = first_action;
    dispatch->action_count = actions;
    dispatch->first_job = first_job;
    dispatch->job_count = jobs;
}

static void add_step(uint32_t task, enum step_kind kind, int32_t slice, const char *kernel, int64_t async)
{
    struct program_step *step = program_add_step(&program);

    assert_non_null(step);
    step->task = task;
    step->kind = kind;
    step->slice = slice;
    step->kernel = text(kernel);
    step->async = async;
}

static void add_task(int64_t id, int64_t from, int64_t to, uint32_t first_step, uint32_t steps)
{
    struct program_task *task = program_add_task(&program);

    assert_non_null(task);
    task->job = 0;
    task->id = id;
    task->start = from;
    task->end = to;
    task->first_step = first_step;
    task->step_count = steps;
}

static void make_program(void)
{
    struct program_job *job;

    program_start(&program, recorder->strings);
    add_dispatch("first", 0, 2, 0, 0);
    add_action(0, 0, ACTION_HOST_COPY, NO_ID);
    add_action(0, 1, ACTION_OTHER, NO_ID);
    add_dispatch("second", 2, 3, 0, 1);
    add_action(1, 0, ACTION_HOST_COPY, NO_ID);
    add_action(1, 5, ACTION_JOB_START, 0);
    add_action(1, 6, ACTION_JOB_WAIT, 0);
    job = program_add_job(&program);
    assert_non_null(job);
    job->dispatch = 1;
    job->id = 0;
    job->start_action = 3;
    job->wait_action = 4;
    job->task_count = 2;
    add_task(7, 100, 140, 0, 2);
    add_step(0, STEP_DMA_IN_START, -1, "", 40);
    add_step(0, STEP_DMA_IN_WAIT, -1, "", NO_CYCLES);
    add_task(8, 140, 400, 2, 2);
    add_step(1, STEP_SLICE_START, 1, "conv", 200);
    add_step(1, STEP_SLICE_WAIT, 1, "conv", NO_CYCLES);
    program.chosen = 1;
    program.has_estimate = true;
    assert_int_equal(program_complete(&program), STATUS_OK);
}

static int start(void **state)
{
    (void)state;
    recorder = recorder_new();
    make_program();
    estimate_start(&estimate, recorder->strings);
    microseconds = clock_microseconds(0);
    feed_start(&feed, (struct sink){ &recorder_calls, recorder }, recorder->strings);
    join = NULL;
    return feed_input(&feed, text("log"), 0) == STATUS_OK ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    memory_fail_at(0);
    join_free(join);
    feed_free(&feed);
    estimate_free(&estimate);
    program_free(&program);
    recorder_free(recorder);
    return 0;
}

static void open_join(const struct program *with, const struct estimate *beside)
{
    clock_id clock;

    assert_int_equal(feed_clock(&feed, &microseconds, &clock), STATUS_OK);
    assert_int_equal(join_new(with, beside, &feed, clock, &microseconds, &join), STATUS_OK);
}

static struct slice job_slice(int64_t from, int64_t to)
{
    return (struct slice){ .name = text("job"), .op = NO_ID, .run = NO_ID, .start = from, .end = to, .flow = 9 };
}

static void test_actions_are_found(void **state)
{
    (void)state;
    open_join(&program, NULL);
    assert_int_equal(join_action(join, 0, 5)->kind, ACTION_JOB_START); /* the chosen dispatch */
    assert_int_equal(join_action(join, text("second"), 6)->kind, ACTION_JOB_WAIT);
    assert_int_equal(join_action(join, text("first"), 1)->kind, ACTION_OTHER);
    assert_null(join_action(join, text("first"), 5));
    assert_null(join_action(join, text("second"), 4)); /* a gap between ids */
    assert_null(join_action(join, text("second"), -1));
    assert_null(join_action(join, text("second"), INT64_MAX));
    assert_null(join_action(join, text("nobody"), 0)); /* a name that came after the program */
}

static void test_jobs_are_found(void **state)
{
    (void)state;
    open_join(&program, NULL);
    assert_int_equal(join_job(join, join_action(join, 0, 5))->index, 0);
    assert_ptr_equal(join_job(join, join_action(join, 0, 5)), join_job(join, join_action(join, 0, 6)));
    assert_null(join_job(join, join_action(join, 0, 0)));
    assert_null(join_job(join, NULL));
    assert_non_null(join_job_at(join, 0));
    assert_null(join_job_at(join, 1));
}

static void test_without_program_nothing_is_known(void **state)
{
    struct slice slice = job_slice(10, 20);

    (void)state;
    open_join(NULL, NULL);
    assert_null(join_action(join, 0, 0));
    assert_null(join_job_at(join, 0));
    assert_int_equal(join_job_slice(join, NULL, 6, &slice), STATUS_OK);
    assert_int_equal(recorder->count, 0);
    assert_int_equal(recorder->track_count, 1); /* the process */
}

/* Engines run from the start of the job to its end; the flow belongs to the job alone. */
static void test_engines_of_a_job(void **state)
{
    struct slice slice = job_slice(10, 20);
    struct join_open open;

    (void)state;
    open_join(&program, NULL);
    assert_int_equal(join_job_slice(join, join_job_at(join, 0), 6, &slice), STATUS_OK);
    slice.start = 30;
    assert_int_equal(join_job_begin(join, join_job_at(join, 0), 6, &slice, &open), STATUS_OK);
    assert_int_equal(open.count, 2);
    assert_int_equal(join_job_end(join, &open, 44), STATUS_OK);
    assert_int_equal(open.count, 0);
    recorder_check(recorder);
    assert_string_equal(recorder_text(recorder), "dma_in 0 | job | 10..20 | - | \n"
                                                 "slice 1 | job | 10..20 | - | \n"
                                                 "dma_in 0 | job | 30..44 | - | \n"
                                                 "slice 1 | job | 30..44 | - | \n");
    assert_int_equal(recorder->track_count, 3); /* one track per engine, made once */
}

/* The program's own cycles, 1.25 ns each, beside the job that was measured from 10 us on. */
static void test_estimate_of_the_program(void **state)
{
    struct clock cycles = clock_of_mhz(800, 1, 0);
    struct slice slice = job_slice(10, 20);

    (void)state;
    assert_int_equal(estimate_from_program(&estimate, &program, &cycles), STATUS_OK);
    assert_int_equal(estimate_complete(&estimate, &program), STATUS_OK);
    open_join(&program, &estimate);
    assert_int_equal(join_job_slice(join, join_job_at(join, 0), 6, &slice), STATUS_OK);
    assert_string_equal(recorder_text(recorder), "estimate 0 | job | 10000..10300 | - | \n"
                                                 "estimate 0 | DMA In | 10000..10050 | - | \n"
                                                 "estimate 1 | conv | 10050..10300 | - | \n"
                                                 "dma_in 0 | job | 10..20 | - | \n"
                                                 "slice 1 | job | 10..20 | - | \n");
    assert_string_equal(strings_text(recorder->strings, recorder->tracks[1].name), "NSS Programs (estimate)");
    assert_string_equal(strings_text(recorder->strings, recorder->tracks[2].name), "DMA In (estimate)");
    assert_string_equal(strings_text(recorder->strings, recorder->tracks[3].name), "Slice 1 (estimate)");
    assert_int_equal(recorder->tracks[2].order, feed_order(&torq_engine_dma_in, 0) + 1);
}

/* Rows of a compile timeline, as a sink gets them; `key` NULL: without an argument. */
static void push_row(const char *key, int64_t id, int64_t from, int64_t to)
{
    struct sink sink = estimate_sink(&estimate);
    struct argument argument = argument_integer(key ? text(key) : 0, id);
    struct slice slice = {
        .track = 1,
        .name = text("row"),
        .op = NO_ID,
        .run = NO_ID,
        .start = from,
        .end = to,
        .argument_count = key ? 1 : 0,
        .arguments = &argument,
    };

    assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
}

static void push_timeline(void)
{
    struct sink sink = estimate_sink(&estimate);
    struct clock cycles = clock_of_mhz(800, 1, 0);
    struct track root = { .id = 0, .parent = NO_ID, .kind = TRACK_PROCESS, .engine = &torq_engine_runtime };
    struct track css = { .id = 1, .parent = 0, .kind = TRACK_SLICES, .engine = &torq_engine_css };

    assert_int_equal(sink.calls->clock(sink.self, 0, &cycles), STATUS_OK);
    assert_int_equal(sink.calls->track(sink.self, &root), STATUS_OK);
    assert_int_equal(sink.calls->track(sink.self, &css), STATUS_OK);
    estimate.keep = true;
}

static void test_estimate_by_action(void **state)
{
    struct slice slice = job_slice(10, 20);
    size_t count;

    (void)state;
    push_timeline();
    push_row("action", 6, 900, 980);
    push_row("action", 6, 500, 580);
    push_row("action", 2, 0, 80);
    push_row(NULL, 0, 0, 80); /* no key: belongs to no job */
    assert_int_equal(estimate.count, 3);
    assert_int_equal(estimate.key, ESTIMATE_BY_ACTION);
    assert_int_equal(estimate_complete(&estimate, NULL), STATUS_OK);
    assert_int_equal(estimate_group(&estimate, 6, &count)->start, 500); /* by start, whatever the order in the file */
    assert_int_equal(count, 2);
    estimate_group(&estimate, 3, &count);
    assert_int_equal(count, 0);
    open_join(NULL, &estimate);
    assert_int_equal(join_job_slice(join, NULL, 6, &slice), STATUS_OK);
    assert_int_equal(join_job_slice(join, NULL, 3, &slice), STATUS_OK);
    assert_int_equal(join_job_slice(join, NULL, -1, &slice), STATUS_OK);
    assert_string_equal(recorder_text(recorder), "estimate 0 | job | 10000..10600 | - | \n"
                                                 "estimate 0 | row | 10000..10100 | - | \n"
                                                 "estimate 0 | row | 10500..10600 | - | \n");
}

static void test_estimate_by_task(void **state)
{
    struct slice slice = job_slice(10, 20);

    (void)state;
    push_timeline();
    push_row("task", 8, 160, 240);
    push_row("task", 7, 0, 80);
    push_row("task", 99, 0, 8000); /* a task that the program does not have */
    assert_int_equal(estimate.key, ESTIMATE_BY_TASK);
    assert_int_equal(estimate_complete(&estimate, &program), STATUS_OK);
    open_join(&program, &estimate);
    assert_int_equal(join_job_slice(join, join_job_at(join, 0), 6, &slice), STATUS_OK);
    assert_non_null(strstr(recorder_text(recorder), "estimate 0 | job | 10000..10300 |"));
    assert_null(strstr(recorder_text(recorder), "10000..20000"));
}

/* Task ids that repeat in a later dispatch mean the later one: a compile timeline holds the last dispatch only. */
static void test_repeated_task_ids(void **state)
{
    struct program_task *task = program_add_task(&program);
    struct program_job *job = program_add_job(&program);
    size_t count;

    (void)state;
    assert_true(task && job);
    task->job = 1;
    task->id = 7;
    push_timeline();
    push_row("task", 7, 0, 80);
    push_row("task", 8, 80, 160);
    assert_int_equal(estimate_complete(&estimate, &program), STATUS_OK);
    estimate_group(&estimate, 1, &count);
    assert_int_equal(count, 1);
    estimate_group(&estimate, 0, &count);
    assert_int_equal(count, 1);
}

/* Not wanted: tracks are learnt, rows are not kept. */
static void test_estimate_that_is_not_kept(void **state)
{
    (void)state;
    push_timeline();
    estimate.keep = false;
    push_row("action", 6, 0, 80);
    assert_int_equal(estimate.count, 0);
    assert_int_equal(estimate.key, ESTIMATE_BY_NOTHING);
    assert_int_equal(estimate_complete(&estimate, NULL), STATUS_OK);
}

static void test_no_memory(void **state)
{
    struct clock cycles = clock_of_mhz(800, 1, 0);
    struct slice slice = job_slice(10, 20);
    status code = STATUS_MEMORY;

    (void)state;
    for (uint64_t nth = 1; nth < 60 && code != STATUS_OK; nth++) {
        memory_fail_at(nth);
        code = estimate_from_program(&estimate, &program, &cycles);
        code = code == STATUS_OK ? estimate_complete(&estimate, &program) : code;
        code = code == STATUS_OK ? join_new(&program, &estimate, &feed, 0, &microseconds, &join) : code;
        code = code == STATUS_OK ? join_job_slice(join, join_job_at(join, 0), 6, &slice) : code;
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        assert_true(nth > 3 || code == STATUS_MEMORY);
        join_free(join);
        join = NULL;
        estimate_free(&estimate);
    }
    assert_int_equal(code, STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_actions_are_found, start, stop),
        cmocka_unit_test_setup_teardown(test_jobs_are_found, start, stop),
        cmocka_unit_test_setup_teardown(test_without_program_nothing_is_known, start, stop),
        cmocka_unit_test_setup_teardown(test_engines_of_a_job, start, stop),
        cmocka_unit_test_setup_teardown(test_estimate_of_the_program, start, stop),
        cmocka_unit_test_setup_teardown(test_estimate_by_action, start, stop),
        cmocka_unit_test_setup_teardown(test_estimate_by_task, start, stop),
        cmocka_unit_test_setup_teardown(test_repeated_task_ids, start, stop),
        cmocka_unit_test_setup_teardown(test_estimate_that_is_not_kept, start, stop),
        cmocka_unit_test_setup_teardown(test_no_memory, start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
