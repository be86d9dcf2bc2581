/* test_faults.c: a job in which the n-th allocation, read or write fails, for every n.
 *
 * Whatever fails, the status says so, an older output is untouched, nothing is left beside it and, under a sanitizer,
 * no memory is lost. A job that succeeds although something failed must have given the same bytes as one without.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/breakdown.h"
#include "base/memory.h"
#include "job/conversion.h"
#include "job/table_file.h"
#include "torq/annotation.h"
#include "torq/companions.h"
#include "torq/measured.h"
#include "torq/metrics.h"

enum { MOST_INPUTS = 3, PATH_SIZE = 1024 };

/* One job: inputs of tests/data to an output in the test's own folder. */
struct job {
    const char *inputs[MOST_INPUTS];
    const char *mlir;
    const char *original;
    const char *ops;    /* report of operations */
    const char *output; /* its suffix gives the format */
    bool table;         /* annotate: inputs[0] with `mlir`; else convert */
    bool by_operator, counters;
};

static const struct job jobs[] = {
    { .inputs = { "torq-golden/c1.csv" }, .output = "trace.pb", .by_operator = true, .counters = true },
    { .inputs = { "torq-golden/c4.csv", "torq-golden/runtime_r4.csv" },
      .mlir = "torq-golden/executable_targets.mlir",
      .original = "torq-golden/net.mlir",
      .output = "trace.pb" },
    { .inputs = { "torq-golden/c3.csv", "torq-golden/runtime_r2.csv", "torq-golden/c3.csv" }, .output = "trace.pb.gz" },
    { .inputs = { "torq-golden/runtime_r1.csv" },
      .mlir = "torq-golden/executable_targets.mlir",
      .output = "trace.json",
      .by_operator = true },
    { .inputs = { "torq-golden/executable_targets.mlir" }, .output = "trace.pb.zst", .counters = true },
    { .inputs = { "torq-golden/runtime_r4.csv" }, .output = "trace.speedscope.json" },
    { .inputs = { "torq-golden/c2.csv" }, .output = "trace.csv" },
    { .inputs = { "torq-compile/odd.csv", "torq-runtime/odd_r3.csv" }, .output = "trace.pb", .by_operator = true },
    { .inputs = { "torq-golden/runtime_r2.csv" },
      .mlir = "torq-golden/executable_targets.mlir",
      .original = "torq-golden/net.mlir",
      .output = "table.csv",
      .table = true },
    { .inputs = { "torq-golden/runtime_r4.csv" },
      .mlir = "torq-golden/executable_targets.mlir",
      .output = "table.html",
      .table = true },
    { .inputs = { "torq-golden/runtime_r1.csv" },
      .mlir = "torq-golden/executable_targets.mlir",
      .output = "table.md",
      .table = true },
    { .inputs = { "etdump/py_full.etdp", "etdump/py_loop.etdp" },
      .output = "trace.pb",
      .by_operator = true,
      .counters = true },
    { .inputs = { "etdump/py_branches.etdp" }, .output = "trace.json" },
    { .inputs = { "et-timeline/broken_graph_run0_timeline.csv", "et-ops/mobilenet_ops_stats.csv" },
      .output = "trace.csv" },
    { .inputs = { "et-runner-log/broken_graph_latency.log", "xnntrace/broken_graph_on.log" },
      .output = "trace.speedscope.json" },
    { .inputs = { "torq-golden/c1.csv" }, .output = "page.html" },
    { .inputs = { "tt-device/fifteen/add_two_ints.csv" },
      .ops = "tt-ops-csv/bh20_oft_integral_image_trace.csv.gz",
      .output = "page.html" },
};

enum { JOBS = sizeof jobs / sizeof *jobs };

static char folder[] = "/tmp/tacho-faults-XXXXXX";
static char output_path[PATH_SIZE];
static const char old_content[] = "an older output";

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void data_path(const char *name, char path[PATH_SIZE])
{
    const char *data = getenv("TACHO_TEST_DATA");

    snprintf(path, PATH_SIZE, "%s/%s", data ? data : "tests/data", name);
}

static void write_old(void)
{
    FILE *file = fopen(output_path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(old_content, 1, sizeof old_content, file), sizeof old_content);
    assert_int_equal(fclose(file), 0);
}

/* The output as it lies there; the caller frees it with free(). */
static char *read_output(size_t *size)
{
    FILE *file = fopen(output_path, "rb");
    char *data = malloc(4 << 20);

    assert_non_null(file);
    assert_non_null(data);
    *size = fread(data, 1, 4 << 20, file);
    assert_true(*size < 4 << 20);
    fclose(file);
    return data;
}

static unsigned count_files(void)
{
    const struct dirent *entry;
    unsigned count = 0;
    DIR *open = opendir(folder);

    assert_non_null(open);
    while ((entry = readdir(open)) != NULL)
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(open);
    return count;
}

/* After a failure: the older output as it was, and nothing else, hidden or not. */
static void check_untouched(void)
{
    size_t size;
    char *data = read_output(&size);

    assert_int_equal(size, sizeof old_content);
    assert_memory_equal(data, old_content, size);
    free(data);
    assert_int_equal(count_files(), 1);
}

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

static status make_table(struct session *session)
{
    struct measured measured;
    struct feed feed;
    struct table *table = NULL;
    status code;

    measured_start(&measured, session->strings);
    feed_start(&feed, measured_sink(&measured), session->strings);
    code = session_read(session, &session->profiles[0], &feed);
    if (code == STATUS_OK) {
        const struct source *source = &session->profiles[0].source;
        struct annotation annotation = {
            .program = torq_program(source),
            .measured = &measured,
            .origin = torq_origin(source),
            .strings = session->strings,
        };

        code = annotation_start(&annotation);
        if (code == STATUS_OK)
            code = annotation_table(&annotation, measured.has_actions ? &form_actions : &form_jobs,
                                    &(struct view_request){ 0 }, &table);
        annotation_free(&annotation);
    }
    if (code == STATUS_OK) {
        code = table_to_file(table, output_path, NULL, &dialect_pandas, NULL);
        table_free(table);
    }
    feed_free(&feed);
    measured_free(&measured);
    return code;
}

static status convert(struct session *session, const struct job *job)
{
    struct conversion_options options = CONVERSION_DEFAULTS;
    struct conversion_result result;
    const struct writer_format *format = writer_for_path(output_path);

    assert_non_null(format);
    options.by_operator = job->by_operator;
    options.counters = job->counters;
    return conversion_write(session, output_path, format, &options, &result);
}

/* `*noted`: the model's source could not be read, which is no error but is told. */
static status run(const struct job *job, bool *noted)
{
    static char inputs[MOST_INPUTS][PATH_SIZE], mlir[PATH_SIZE], original[PATH_SIZE], ops[PATH_SIZE];
    struct session_options options = { 0 };
    const char *paths[MOST_INPUTS];
    const struct origin *origin;
    struct session session;
    size_t count = 0;
    bool unreadable;
    status code;

    for (; count < MOST_INPUTS && job->inputs[count]; count++) {
        data_path(job->inputs[count], inputs[count]);
        paths[count] = inputs[count];
    }
    if (job->mlir) {
        data_path(job->mlir, mlir);
        settings_set(&options.settings, "mlir", mlir);
    }
    if (job->original) {
        data_path(job->original, original);
        settings_set(&options.settings, "original-mlir", original);
    }
    if (job->ops) {
        data_path(job->ops, ops);
        settings_set(&options.settings, "ops-report", ops);
    }
    code = session_start(&session, &options);
    if (code == STATUS_OK)
        code = session_add_all(&session, paths, count);
    if (code == STATUS_OK)
        code = job->table ? make_table(&session) : convert(&session, job);
    origin = session.profile_count ? torq_origin(&session.profiles[0].source) : NULL;
    *noted = origin && origin_missing(origin, &unreadable);
    session_end(&session);
    return code;
}

/* Bytes of the job without any fault. */
static char *run_whole(const struct job *job, size_t *size)
{
    bool noted;

    snprintf(output_path, sizeof output_path, "%s/%s", folder, job->output);
    write_old();
    assert_int_equal(run(job, &noted), STATUS_OK);
    assert_false(noted);
    assert_int_equal(count_files(), 1);
    return read_output(size);
}

/* ---- faults ------------------------------------------------------------------------------------------------------ */

struct fault {
    const char *name;
    void (*fail_at)(uint64_t nth);
    status expected;
};

/* Runs the job with the n-th step failing; true when it went to its end without meeting the fault. */
static bool run_with(const struct job *job, const struct fault *fault, uint64_t nth, const char *whole,
                     size_t whole_size)
{
    bool noted;
    status code;

    write_old();
    status_clear();
    fault->fail_at(nth);
    code = run(job, &noted);
    fault->fail_at(0);
    if (code != STATUS_OK) {
        if (code != fault->expected)
            fail_msg("%s: %s %llu gave status %d: %s", job->output, fault->name, (unsigned long long)nth, (int)code,
                     status_message());
        assert_true(*status_message());
        check_untouched();
        return false;
    }
    if (!noted) {
        size_t size;
        char *data = read_output(&size);

        if (size != whole_size || memcmp(data, whole, size) != 0)
            fail_msg("%s: %s %llu was not told, and the output is another one", job->output, fault->name,
                     (unsigned long long)nth);
        free(data);
    }
    assert_int_equal(count_files(), 1);
    return !noted;
}

static uint64_t run_all(const struct job *job, const struct fault *fault)
{
    uint64_t nth = 0;
    size_t size;
    char *whole = run_whole(job, &size);

    do {
        nth++;
        assert_true(nth < 100000);
    } while (!run_with(job, fault, nth, whole, size));
    free(whole);
    unlink(output_path);
    return nth - 1;
}

static void test_allocations(void **state)
{
    static const struct fault fault = { "allocation", memory_fail_at, STATUS_MEMORY };

    (void)state;
    for (unsigned i = 0; i < JOBS; i++)
        assert_true(run_all(&jobs[i], &fault) > 20);
}

/* Reads of a few bytes, so that a failure comes in the middle of everything. */
static void test_reads(void **state)
{
    static const struct fault fault = { "read", input_fail_at, STATUS_INPUT };

    (void)state;
    input_limit_reads(113);
    for (unsigned i = 0; i < JOBS; i++)
        assert_true(run_all(&jobs[i], &fault) >= 3);
    input_limit_reads(0);
}

static void test_writes(void **state)
{
    static const struct fault fault = { "write", output_fail_at, STATUS_OUTPUT };

    (void)state;
    for (unsigned i = 0; i < JOBS; i++)
        assert_true(run_all(&jobs[i], &fault) >= 1);
}

/* A trace of several buffers: a write may fail long before the end. */
static void test_writes_of_a_large_trace(void **state)
{
    static const struct fault fault = { "write", output_fail_at, STATUS_OUTPUT };
    static const char *const outputs[] = { "large.pb", "large.json", "large.csv", "large.pb.gz" };
    char path[PATH_SIZE];
    FILE *file;

    (void)state;
    snprintf(path, sizeof path, "%s.csv", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 20000; i++)
        fprintf(file, "DI%d,%d,%d,loc(\"m.mlir\":%d:1),DMA_IN,%d\n", i, i * 7, i * 7 + 5 + i % 11, i % 500, i);
    fclose(file);
    setenv("TACHO_TEST_DATA", "", 1); /* the path is absolute already */
    for (unsigned i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        const struct job job = { .inputs = { path }, .output = outputs[i] };

        assert_true(run_all(&job, &fault) >= 2);
    }
    unlink(path);
}

/* What a summary does with the same input. */
static status summarise(const char *path, struct busy *busy, struct feed *feed, struct session *session)
{
    struct session_options options = { 0 };
    struct metric_facts facts = { .busy = busy, .engines = true };
    struct metrics metrics;
    struct table *table;
    status code = session_start(session, &options);

    feed_start(feed, busy_sink(busy), session->strings);
    if (code == STATUS_OK)
        code = session_add_all(session, &path, 1);
    if (code == STATUS_OK)
        code = session_read(session, &session->profiles[0], feed);
    if (code == STATUS_OK)
        code = busy_settle(busy);
    if (code == STATUS_OK)
        facts.process = session->profiles[0].process;
    if (code == STATUS_OK)
        code = metrics_compute(&facts, &torq_metrics, &metrics);
    for (unsigned by = BREAKDOWN_OPERATOR; by <= BREAKDOWN_ENGINE && code == STATUS_OK; by++) {
        struct breakdown breakdown;

        code = breakdown_make(busy, session->profiles[0].process, &metrics, session->strings, (enum breakdown_by)by,
                              &breakdown);
        if (code == STATUS_OK)
            code = breakdown_table(&breakdown, breakdown_sets, NULL, &table);
        breakdown_free(&breakdown);
        if (code == STATUS_OK)
            table_free(table);
    }
    return code;
}

static void test_allocations_of_a_summary(void **state)
{
    char path[PATH_SIZE];
    status code = STATUS_MEMORY;

    (void)state;
    data_path("torq-golden/c3.csv", path);
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        struct session session;
        struct busy busy;
        struct feed feed;

        assert_true(nth < 100000);
        memory_fail_at(nth);
        busy_start(&busy);
        code = summarise(path, &busy, &feed, &session);
        feed_free(&feed);
        busy_free(&busy);
        session_end(&session);
        memory_fail_at(0);
        assert_true(code == STATUS_MEMORY || (code == STATUS_OK && nth > 20));
    }
}

static int start(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_writes),
        cmocka_unit_test(test_allocations_of_a_summary),
        cmocka_unit_test(test_writes_of_a_large_trace),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
