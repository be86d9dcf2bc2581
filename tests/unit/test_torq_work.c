/* test_torq_work.c: pieces of work, cut to the runs that count and walked through; advice when memory runs out. */
#include "library_fixture.h"

#include "torq/work.h"

static struct work work;
static struct sink sink;

/* One line for each stretch: how long it is, which classes run. */
static char walked[512];
static status walk_code;

static int start_work(void **state)
{
    (void)state;
    work_start(&work, model_strings(), false);
    sink = work_sink(&work);
    *walked = '\0';
    return work.strings ? 0 : -1;
}

static int stop_work(void **state)
{
    struct strings *strings = work.strings;

    (void)state;
    memory_fail_at(0);
    work_free(&work);
    strings_free(strings);
    return 0;
}

static track_id add_track(const struct engine *engine, uint32_t index)
{
    struct track track = {
        .id = (track_id)work.tracks.count, .parent = NO_ID, .kind = TRACK_SLICES, .engine = engine, .index = index
    };

    assert_int_equal(sink.calls->track(sink.self, &track), STATUS_OK);
    return track.id;
}

static void add_slice(track_id track, operator_id op, int64_t from, int64_t to, int64_t bytes)
{
    struct argument argument = argument_integer(KEY_BYTES, bytes);
    struct slice slice = { .track = track,
                           .op = op,
                           .run = NO_ID,
                           .start = from,
                           .end = to,
                           .argument_count = bytes ? 1 : 0,
                           .arguments = &argument };

    assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
}

static void note_stretch(void *context, const struct work_stretch *stretch)
{
    static const char letters[] = "SCIODJHYL("; /* by class; then what is around */
    size_t length = strlen(walked);

    (void)context;
    length += (size_t)snprintf(walked + length, sizeof walked - length, "%s%lld", stretch->first ? "|" : " ",
                               (long long)stretch->ticks);
    for (unsigned i = 0; i < WORK_STACKS; i++)
        if (stretch->newest[i] != NO_ID)
            length += (size_t)snprintf(walked + length, sizeof walked - length, "%c", letters[i]);
}

static void settle(const int64_t *windows, size_t count)
{
    struct intervals runs = INTERVALS_EMPTY;

    for (size_t i = 0; i < count; i++)
        assert_int_equal(intervals_add(&runs, windows[2 * i], windows[2 * i + 1]), STATUS_OK);
    assert_int_equal(intervals_settle(&runs), STATUS_OK);
    assert_int_equal(work_settle(&work, count ? &runs : NULL, (struct interval){ 0, 100 }), STATUS_OK);
    intervals_free(&runs);
    walk_code = work_walk(&work, note_stretch, NULL);
    assert_int_equal(walk_code, STATUS_OK);
}

static void test_every_tick_is_walked_once(void **state)
{
    track_id dma = add_track(&torq_engine_dma_in, 0), slice = add_track(&torq_engine_slice, 0);

    (void)state;
    add_slice(slice, 1, 30, 60, 0);
    add_slice(dma, 0, 10, 40, 64);
    add_slice(dma, 0, 70, 80, 64);
    add_slice(dma, 0, 75, 85, 0); /* as two that overlap */
    settle(NULL, 0);
    assert_string_equal(walked, "|10 20I 10SI 20S 10 5I 10I 15");
    assert_int_equal(work.kinds.count, 2);
    assert_int_equal(work_kind(&work, 1)->ticks, 45);
    assert_int_equal(work_kind(&work, 1)->count, 3);
    assert_int_equal(work_kind(&work, 1)->bytes, 128);
    assert_int_equal(work_kind(&work, 1)->unsized, 1);
}

static void test_only_runs_that_count_are_kept(void **state)
{
    static const int64_t windows[] = { 20, 40, 60, 80 };
    track_id slice = add_track(&torq_engine_slice, 0), other = add_track(&torq_engine_slice, 1);

    (void)state;
    add_slice(slice, 0, 10, 70, 0); /* over both: cut in two */
    add_slice(other, 0, 30, 35, 0);
    add_slice(other, 0, 45, 50, 0); /* between them */
    add_slice(other, 0, 60, 60, 0); /* takes no time, and counts */
    settle(windows, 2);
    assert_string_equal(walked, "|10S 5S 5S|10S 10");
    assert_int_equal(work_kind(&work, 0)->ticks, 30);
    assert_int_equal(work_kind(&work, 0)->count, 0); /* it begins before */
    assert_int_equal(work_kind(&work, 1)->ticks, 5);
    assert_int_equal(work_kind(&work, 1)->count, 2);
}

static void test_calls_that_hold_others_are_around_them(void **state)
{
    track_id runtime, job;

    (void)state;
    work.measured = true;
    runtime = add_track(&torq_engine_runtime, 0);
    job = add_track(&torq_engine_job, 0);
    add_slice(runtime, NO_ID, 0, 90, 0);
    add_slice(runtime, NO_ID, 10, 20, 0);
    add_slice(job, NO_ID, 30, 60, 0);
    add_slice(runtime, NO_ID, 60, 65, 0);
    settle(NULL, 0);
    assert_string_equal(walked, "|10( 10L( 10( 30J( 5L( 25( 10");
}

/* A slice that is open: the call that starts a job, the job. */
static void begin_slice(open_id id, track_id track, const char *name, int64_t time)
{
    struct slice slice = { .track = track, .op = NO_ID, .run = NO_ID, .start = time, .end = time };

    assert_int_equal(strings_add_text(work.strings, name, &slice.name), STATUS_OK);
    assert_int_equal(sink_begin(&sink, id, NO_ID, &slice), STATUS_OK);
}

static void end_slice(open_id id, int64_t time)
{
    assert_int_equal(sink_end(&sink, id, time), STATUS_OK);
}

static void test_a_job_begins_when_its_start_is_over(void **state)
{
    track_id runtime, job;

    (void)state;
    work.measured = true;
    runtime = add_track(&torq_engine_runtime, 0);
    job = add_track(&torq_engine_job, 0);
    begin_slice(0, runtime, "NSS_START", 10);
    begin_slice(1, job, "action 1", 10);
    end_slice(0, 30);
    begin_slice(2, runtime, "NSS_WAIT", 40);
    end_slice(2, 60);
    end_slice(1, 60);
    /* A wait whose start is not in the log, and a start that nobody ends. */
    begin_slice(0, runtime, "NSS_WAIT", 65);
    begin_slice(1, job, "action 2", 65);
    end_slice(1, 70);
    end_slice(0, 70);
    begin_slice(0, runtime, "NSS_START", 80);
    begin_slice(1, job, "action 3", 80);
    end_slice(1, 85);
    end_slice(0, 90);
    settle(NULL, 0);
    assert_string_equal(walked, "|10 20L 10J 20JL 5 5J( 10 5J( 5( 10");
    assert_true(work.starts_apart);
}

/* A piece below another that ends later is not the newest again, and one that outlasts it is. */
static void test_the_newest_of_many(void **state)
{
    track_id slices[4];

    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        slices[i] = add_track(&torq_engine_slice, i);
    add_slice(slices[0], 0, 0, 90, 0);
    add_slice(slices[1], 1, 10, 30, 0);
    add_slice(slices[2], 2, 20, 40, 0);
    add_slice(slices[3], 3, 50, 60, 0);
    settle(NULL, 0);
    assert_string_equal(walked, "|10S 10S 20S 10S 10S 30S 10");
    assert_int_equal(sizeof(struct work_piece), 24);
}

static void test_a_log_leaves_its_engines_out(void **state)
{
    track_id slice, job;

    (void)state;
    work.measured = true;
    slice = add_track(&torq_engine_slice, 0);
    job = add_track(&torq_engine_job, 0);
    add_slice(job, NO_ID, 10, 20, 0);
    add_slice(slice, NO_ID, 10, 20, 0);
    settle(NULL, 0);
    assert_string_equal(walked, "|10 10J 80");
}

static void test_nothing_at_all(void **state)
{
    static const int64_t windows[] = { 5, 5 };

    (void)state;
    settle(windows, 1);
    assert_string_equal(walked, "");
}

/* ---- Advice, whatever allocation fails ---- */

static enum tacho_status advise(const char *path, const char *program)
{
    const struct tacho_option options[] = { { "mlir", program } };
    struct tacho_result *result = NULL;
    enum tacho_status code = tacho_run("advise", &path, 1, options, program ? 1 : 0, &result);

    tacho_result_free(result);
    return code;
}

static void fail_everywhere(const char *path, const char *program)
{
    uint64_t nth = 0;
    enum tacho_status code;

    do {
        memory_fail_at(++nth);
        code = advise(path, program);
        memory_fail_at(0);
        if (code != TACHO_OK && code != TACHO_MEMORY)
            fail_msg("at %llu: %s", (unsigned long long)nth, tacho_error_message());
    } while (code != TACHO_OK && nth < 100000);
    assert_true(nth > 50);
}

static void test_memory_runs_out(void **state)
{
    char path[256], program[256];

    (void)state;
    snprintf(program, sizeof program, "%s", data_path("torq-golden/executable_targets.mlir"));
    fail_everywhere(program, NULL);
    snprintf(path, sizeof path, "%s", data_path("torq-golden/c4.csv"));
    fail_everywhere(path, NULL);
    snprintf(path, sizeof path, "%s", data_path("torq-golden/runtime_r4.csv"));
    fail_everywhere(path, program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_tick_is_walked_once, start_work, stop_work),
        cmocka_unit_test_setup_teardown(test_only_runs_that_count_are_kept, start_work, stop_work),
        cmocka_unit_test_setup_teardown(test_calls_that_hold_others_are_around_them, start_work, stop_work),
        cmocka_unit_test_setup_teardown(test_a_job_begins_when_its_start_is_over, start_work, stop_work),
        cmocka_unit_test_setup_teardown(test_the_newest_of_many, start_work, stop_work),
        cmocka_unit_test_setup_teardown(test_a_log_leaves_its_engines_out, start_work, stop_work),
        cmocka_unit_test_setup_teardown(test_nothing_at_all, start_work, stop_work),
        cmocka_unit_test(test_memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
