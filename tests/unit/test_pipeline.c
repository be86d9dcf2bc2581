/* test_pipeline.c: the pipeline when memory runs out at any place: a clear failure, nothing leaked, no half-written file. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "executorch/pipeline.h"

static const char config_text[] =
    "{\"model\": \"out_a/artifacts/net.pte\", \"executorch_sha\": \"12\", \"launches\": 2, \"experiments\": ["
    "{\"name\": \"sme2_on\", \"runner_path\": \"runner\", \"runs\": 3, \"warmup\": 1, "
    "\"threads\": [1], \"extra_args\": [\"a\", 2]},"
    "{\"name\": \"sme2_off\", \"quiet_runner\": \"runner\", \"runs\": 3, \"warmup\": 1, \"cpu_affinity\": \"1\"},"
    "{\"name\": \"sme2_on_trace\", \"runner_path\": \"runner\", \"mode\": \"xnntrace\"}],"
    "\"analysis\": {\"compare_pairs\": [{\"baseline\": {\"experiment\": \"sme2_off\", \"threads\": 1},"
    "\"candidate\": {\"experiment\": \"sme2_on\", \"threads\": 1}, \"label\": \"x\"}]}}";

/* Prints times, and a kernel; writes no dump. */
static const char runner_text[] =
    "#!/bin/sh\n"
    "echo 'Note (XNNPACK): Using gemm microkernel '\\''xnn_f32_gemm_minmax_ukernel_1x8__neon'\\''.'\n"
    "for run in 1 2 3 4; do echo \"Iteration $run of 4: 6.$run ms\"; done\n";

static char folder[] = "/tmp/tacho-pipeline-XXXXXX";
static char first_folder[4096];
static unsigned warnings;

static void count_warning(void *context, const char *line)
{
    (void)context;
    (void)line;
    warnings++;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
    FILE *file = fopen(name, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(name, mode), 0);
}

static int set_up(void **state)
{
    (void)state;
    if (!getcwd(first_folder, sizeof first_folder) || !mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    mkdir("out_a", 0777);
    mkdir("out_a/artifacts", 0777);
    write_file("out_a/artifacts/net.pte", "model", 0644);
    write_file("runner", runner_text, 0755);
    write_file("config.json", config_text, 0644);
    return 0;
}

static void remove_all(const char *path)
{
    DIR *open = opendir(path);
    struct dirent *entry;
    char inner[4096];

    while (open && (entry = readdir(open))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (unlink(inner) != 0)
            remove_all(inner);
    }
    if (open)
        closedir(open);
    rmdir(path);
}

static int tear_down(void **state)
{
    (void)state;
    if (chdir(first_folder) != 0)
        return -1;
    remove_all(folder);
    return 0;
}

static bool has_temporaries(const char *path)
{
    DIR *open = opendir(path);
    struct dirent *entry;
    bool found = false;

    while (open && (entry = readdir(open)))
        found |= strstr(entry->d_name, ".part") || strstr(entry->d_name, ".tmp");
    if (open)
        closedir(open);
    return found;
}

static const struct pipeline_options run_options = { .config = "config.json",
                                                     .listener = { .warning = count_warning } };
static const struct pipeline_options again_options = { .config = "config.json", .analysis_only = true };

static void test_runs(void **state)
{
    struct pipeline pipeline;

    (void)state;
    assert_int_equal(pipeline_run(&run_options, &pipeline), STATUS_OK);
    assert_string_equal(pipeline.output_root, "out_a/results");
    assert_int_equal(pipeline.task_count, 5);
    assert_ptr_equal(pipeline.config.experiments[2].timing, &pipeline.config.experiments[0]);
    assert_int_equal(pipeline.tasks[0].metrics.inferences, 4);
    assert_int_equal(pipeline.tasks[0].metrics.warmup, 1);
    assert_float_equal(pipeline.tasks[0].metrics.statistics.median_ms, 6.3, 1e-9);
    assert_string_equal(pipeline.tasks[0].metrics.source, "log");
    /* By launch, not by experiment; the trace last. */
    assert_int_equal(pipeline.order[0], 0);
    assert_int_equal(pipeline.order[1], 2);
    assert_int_equal(pipeline.order[2], 1);
    assert_int_equal(pipeline.order[3], 3);
    assert_int_equal(pipeline.order[4], 4);
    pipeline_free(&pipeline);
}

static void check_every_failure(const struct pipeline_options *options, uint64_t step)
{
    struct pipeline pipeline;
    uint64_t before = memory_count(), count;

    assert_int_equal(pipeline_run(options, &pipeline), STATUS_OK);
    count = memory_count() - before;
    pipeline_free(&pipeline);
    assert_true(count > 20);
    for (uint64_t nth = 1; nth <= count; nth += step) {
        status code;

        memory_fail_at(nth);
        code = pipeline_run(options, &pipeline);
        memory_fail_at(0);
        pipeline_free(&pipeline);
        assert_int_not_equal(code, STATUS_OK);
        assert_false(has_temporaries("out_a/results"));
        assert_false(has_temporaries("out_a/results/sme2_on"));
    }
    assert_int_equal(pipeline_run(options, &pipeline), STATUS_OK);
    pipeline_free(&pipeline);
}

static void test_no_memory_while_analysing(void **state)
{
    (void)state;
    check_every_failure(&again_options, 1);
}

static void test_no_memory_while_running(void **state)
{
    (void)state;
    check_every_failure(&run_options, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_no_memory_while_analysing),
        cmocka_unit_test(test_no_memory_while_running),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
