/* pipeline_products.c: the files that are made of each dump, and of pairs of experiments. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "executorch/original/latency_files.h"
#include "executorch/original/robust.h"
#include "executorch/pipeline.h"
#include "executorch/timeline_files.h"

/* ---- Timelines ---- */

/* The record of the model's export lies beside the model: net.pte.etrecord or net.etrecord. */
static bool find_record(const struct pipeline *pipeline, char to[PIPELINE_PATH])
{
    const char *dot = strrchr(pipeline->model_path, '.');
    const char *slash = strrchr(pipeline->model_path, '/');
    size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - pipeline->model_path) : strlen(pipeline->model_path);

    snprintf(to, PIPELINE_PATH, "%s.etrecord", pipeline->model_path);
    if (pipeline_file_exists(to))
        return true;
    snprintf(to, PIPELINE_PATH, "%.*s.etrecord", (int)stem, pipeline->model_path);
    return pipeline_file_exists(to);
}

static status write_timeline(struct pipeline *pipeline, const char *dump, const struct load_options *options,
                             struct strings *strings)
{
    struct timeline_request request = { .dump = dump, .all_runs = true, .extra = true, .load = *options };
    struct timeline_result result = { 0 };
    struct execution execution;
    struct loaded loaded;
    status code = load_execution(dump, options, strings, &execution, &loaded);

    if (code == STATUS_OK)
        code = timeline_files_write(&request, &execution, loaded_graph(&loaded, options), &result);
    if (code == STATUS_INPUT) {
        pipeline_warn(pipeline, "no timeline: %s", status_message());
        code = STATUS_OK;
    }
    execution_free(&execution);
    loaded_free(&loaded);
    timeline_result_free(&result);
    return code;
}

status pipeline_write_timelines(struct pipeline *pipeline)
{
    struct load_options options = { .format = "etdump" };
    struct strings *strings = strings_new();
    char record[PIPELINE_PATH], dump[PIPELINE_PATH];
    status code = STATUS_OK;

    if (!strings)
        return status_no_memory("writing timelines");
    if (find_record(pipeline, record))
        options.etrecord = record;
    for (size_t i = 0; i < pipeline->task_count && code == STATUS_OK; i++) {
        const struct pipeline_task *task = &pipeline->tasks[i];

        pipeline_path(task, PIPELINE_ETDUMP, dump);
        if (task->experiment->mode == PIPELINE_TIMING && pipeline_file_exists(dump))
            code = write_timeline(pipeline, dump, &options, strings);
    }
    strings_free(strings);
    return code;
}

/* ---- Robust statistics ---- */

/* The inferences of some launches in a row, without warm-up. */
struct pool {
    double *ms;
    uint32_t *runs; /* run index of each in its dump */
    size_t count;
};

static void pool_free(struct pool *pool)
{
    memory_free(pool->ms);
    memory_free(pool->runs);
}

static status pool_launches(const struct pipeline_task *tasks, size_t count, struct pool *pool)
{
    size_t total = 0;

    for (size_t i = 0; i < count; i++)
        total += tasks[i].metrics.inferences - tasks[i].metrics.warmup;
    *pool = (struct pool){ .ms = memory_allocate((total + 1) * sizeof *pool->ms),
                           .runs = memory_allocate((total + 1) * sizeof *pool->runs) };
    if (!pool->ms || !pool->runs)
        return status_no_memory("writing robust statistics");
    for (size_t i = 0; i < count; i++) {
        const struct pipeline_metrics *metrics = &tasks[i].metrics;

        for (size_t run = metrics->warmup; run < metrics->inferences; run++) {
            pool->ms[pool->count] = metrics->latency_ms[run];
            pool->runs[pool->count++] = (uint32_t)run;
        }
    }
    return STATUS_OK;
}

static status write_robust(const struct pipeline_task *task)
{
    char path[PIPELINE_PATH], name[256];
    struct robust robust = { 0 };
    struct latency_launch launch;
    struct output *output;
    struct pool pool;
    status code = pool_launches(task, 1, &pool);

    if (code == STATUS_OK && pool.count) {
        launch = (struct latency_launch){ .ms = pool.ms, .runs = pool.runs, .count = pool.count };
        pipeline_path(task, PIPELINE_ROBUST, path);
        snprintf(name, sizeof name, "%s_t%u", task->experiment->name, task->threads);
        code = robust_compute(pool.ms, pool.count, &robust);
        if (code == STATUS_OK)
            code = output_open(path, &output);
        if (code == STATUS_OK) {
            latency_write_stats(output, &launch, &robust, name);
            code = output_commit(output);
        }
        robust_free(&robust);
    }
    pool_free(&pool);
    return code;
}

status pipeline_write_robust(struct pipeline *pipeline)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < pipeline->task_count && code == STATUS_OK; i++)
        if (pipeline->tasks[i].metrics.source)
            code = write_robust(&pipeline->tasks[i]);
    return code;
}

/* ---- Comparisons ---- */

static status find_group(const struct pipeline *pipeline, const char *name, uint32_t threads,
                         struct pipeline_group *group, bool *found)
{
    *found = false;
    for (size_t i = 0; i < pipeline->task_count && !*found; i += group->count) {
        status code = pipeline_group(pipeline, i, group);

        if (code != STATUS_OK)
            return code;
        *found = strcmp(group->tasks->experiment->name, name) == 0 && group->tasks->threads == threads;
        if (*found)
            break;
    }
    *found = *found && group->inferences;
    return STATUS_OK;
}

static const char *base_name(const struct pipeline_group *group)
{
    return strrchr(group->first->stem, '/') + 1;
}

static status write_comparison(const struct pipeline *pipeline, const struct pipeline_group *one,
                               const struct pipeline_group *other)
{
    char path[2 * PIPELINE_PATH], names[2][256];
    struct robust robust[2];
    struct pool pools[2];
    struct output *output;
    status code;

    memset(robust, 0, sizeof robust);
    memset(pools, 0, sizeof pools);
    code = pool_launches(one->tasks, one->count, &pools[0]);
    if (code == STATUS_OK)
        code = pool_launches(other->tasks, other->count, &pools[1]);
    for (unsigned i = 0; i < 2 && code == STATUS_OK; i++)
        code = robust_compute(pools[i].ms, pools[i].count, &robust[i]);
    if (code == STATUS_OK) {
        snprintf(names[0], sizeof names[0], "%s_t%u", one->tasks->experiment->name, one->tasks->threads);
        snprintf(names[1], sizeof names[1], "%s_t%u", other->tasks->experiment->name, other->tasks->threads);
        snprintf(path, sizeof path, "%s/%s_exec_all_runs_timeline_vs_%s_exec_all_runs_timeline_robust_comparison.json",
                 pipeline->output_root, base_name(one), base_name(other));
        code = output_open(path, &output);
    }
    if (code == STATUS_OK) {
        latency_write_comparison(output, names[0], &robust[0], names[1], &robust[1]);
        code = output_commit(output);
    }
    for (unsigned i = 0; i < 2; i++) {
        robust_free(&robust[i]);
        pool_free(&pools[i]);
    }
    return code;
}

status pipeline_write_comparisons(struct pipeline *pipeline)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < pipeline->config.pair_count && code == STATUS_OK; i++) {
        const struct pipeline_pair *pair = &pipeline->config.pairs[i];
        struct pipeline_group baseline, candidate;
        bool has_baseline, has_candidate = false;

        code = find_group(pipeline, pair->baseline, pair->baseline_threads, &baseline, &has_baseline);
        if (code == STATUS_OK)
            code = find_group(pipeline, pair->candidate, pair->candidate_threads, &candidate, &has_candidate);
        if (code == STATUS_OK && has_baseline && has_candidate)
            code = write_comparison(pipeline, &baseline, &candidate);
        else if (code == STATUS_OK)
            pipeline_warn(pipeline, "%s: analysis.compare_pairs[%zu]: %s at %u threads has no times: not compared",
                          pipeline->config.path, i, has_baseline ? pair->candidate : pair->baseline,
                          has_baseline ? pair->candidate_threads : pair->baseline_threads);
    }
    return code;
}
