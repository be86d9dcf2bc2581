/* pipeline_products.c: the files that are made of each dump and each log of kernels, and of pairs of experiments. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "executorch/load.h"
#include "executorch/original/kernel_files.h"
#include "executorch/original/latency_files.h"
#include "executorch/original/robust.h"
#include "executorch/pipeline.h"
#include "executorch/timeline_files.h"

/* ---- Timelines ---- */

/* The record of the model's export lies beside the model: net.pte.etrecord or net.etrecord. Empty: there is none. */
static status find_record(const struct pipeline *pipeline, struct path *record)
{
    struct text stem = path_without_suffix(text_of(pipeline->model_path));
    status code = path_set(record, "%s.etrecord", pipeline->model_path);

    if (code == STATUS_OK && !pipeline_file_exists(record->text))
        code = path_set(record, "%.*s.etrecord", (int)stem.length, stem.data);
    if (code == STATUS_OK && !pipeline_file_exists(record->text))
        path_free(record);
    return code;
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
        code = timeline_files_write(&request, &execution, loaded.joined, &result);
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
    struct path record = { .text = NULL };
    status code = strings ? find_record(pipeline, &record) : status_no_memory("writing timelines");

    options.etrecord = record.text;
    for (size_t i = 0; i < pipeline->task_count && code == STATUS_OK; i++) {
        const char *dump = pipeline->tasks[i].files[RUN_ETDUMP];

        if (pipeline_file_exists(dump))
            code = write_timeline(pipeline, dump, &options, strings);
    }
    path_free(&record);
    strings_free(strings);
    return code;
}

/* ---- Robust statistics ---- */

/* The inferences of some launches in a row, without warm-up. */
struct pool {
    double *ms;           /* owned, and so the next */
    uint32_t *runs;       /* run index of each in its dump */
    size_t count;         /* of both */
    struct robust robust; /* of them */
};

static void pool_free(struct pool *pool)
{
    memory_free(pool->ms);
    memory_free(pool->runs);
    robust_free(&pool->robust);
}

/* Free the pool in any case. */
static status pool_launches(const struct pipeline_task *tasks, size_t count, struct pool *pool)
{
    size_t total = 0;

    for (size_t i = 0; i < count; i++)
        total += tasks[i].metrics.inferences - tasks[i].metrics.warmup;
    pool->ms = memory_allocate((total + 1) * sizeof *pool->ms);
    pool->runs = memory_allocate((total + 1) * sizeof *pool->runs);
    if (!pool->ms || !pool->runs)
        return status_no_memory("writing robust statistics");
    for (size_t i = 0; i < count; i++) {
        const struct pipeline_metrics *metrics = &tasks[i].metrics;

        for (size_t run = metrics->warmup; run < metrics->inferences; run++) {
            pool->ms[pool->count] = metrics->latency_ms[run];
            pool->runs[pool->count++] = (uint32_t)run;
        }
    }
    return pool->count ? robust_compute(pool->ms, pool->count, &pool->robust) : STATUS_OK;
}

static const char *label_of(struct pipeline *pipeline, const struct pipeline_task *task)
{
    return pipeline_text(pipeline, "%s_t%u", task->experiment->name, task->threads);
}

static status write_robust(struct pipeline *pipeline, const struct pipeline_task *task)
{
    const char *label = label_of(pipeline, task);
    struct pool pool = { 0 };
    struct output *output;
    status code = label ? pool_launches(task, 1, &pool) : status_no_memory("writing robust statistics");

    if (code == STATUS_OK && pool.count) {
        struct latency_launch launch = { .ms = pool.ms, .runs = pool.runs, .count = pool.count };

        code = output_open(task->files[RUN_ROBUST_STATS], &output);
        if (code == STATUS_OK) {
            latency_write_stats(output, &launch, &pool.robust, label);
            code = output_commit(output);
        }
    }
    pool_free(&pool);
    return code;
}

status pipeline_write_robust(struct pipeline *pipeline)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < pipeline->task_count && code == STATUS_OK; i++)
        if (pipeline->tasks[i].metrics.source)
            code = write_robust(pipeline, &pipeline->tasks[i]);
    return code;
}

/* ---- Comparisons ---- */

/* The launches of an experiment at this number of threads; `*found`: they have times. */
static status find_group(const struct pipeline *pipeline, const struct pipeline_side *side,
                         struct pipeline_group *group, bool *found)
{
    *found = false;
    for (size_t i = 0; i < pipeline->task_count; i += group->count) {
        status code = pipeline_group(pipeline, i, group);

        if (code != STATUS_OK)
            return code;
        if (strcmp(group->tasks->experiment->name, side->experiment) == 0 && group->tasks->threads == side->threads) {
            *found = group->inferences;
            break;
        }
    }
    return STATUS_OK;
}

static status write_comparison(struct pipeline *pipeline, const struct pipeline_group *one,
                               const struct pipeline_group *other)
{
    const char *path =
        pipeline_text(pipeline, "%s/%s_exec_all_runs_timeline_vs_%s_exec_all_runs_timeline_robust_comparison.json",
                      pipeline->output_root, path_name(one->first->stem), path_name(other->first->stem));
    const char *labels[] = { label_of(pipeline, one->tasks), label_of(pipeline, other->tasks) };
    struct pool pools[2] = { 0 };
    struct output *output;
    status code = path && labels[0] && labels[1] ? pool_launches(one->tasks, one->count, &pools[0])
                                                 : status_no_memory("writing comparisons");

    if (code == STATUS_OK)
        code = pool_launches(other->tasks, other->count, &pools[1]);
    if (code == STATUS_OK)
        code = output_open(path, &output);
    if (code == STATUS_OK) {
        assert(pools[0].count && pools[1].count);
        latency_write_comparison(output, labels[0], &pools[0].robust, labels[1], &pools[1].robust);
        code = output_commit(output);
    }
    pool_free(&pools[0]);
    pool_free(&pools[1]);
    return code;
}

status pipeline_write_comparisons(struct pipeline *pipeline)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < pipeline->config.pair_count && code == STATUS_OK; i++) {
        const struct pipeline_pair *pair = &pipeline->config.pairs[i];
        struct pipeline_group baseline, candidate;
        bool has_baseline, has_candidate = false;
        const struct pipeline_side *missing;

        code = find_group(pipeline, &pair->baseline, &baseline, &has_baseline);
        if (code == STATUS_OK)
            code = find_group(pipeline, &pair->candidate, &candidate, &has_candidate);
        missing = has_baseline ? &pair->candidate : &pair->baseline;
        if (code == STATUS_OK && has_baseline && has_candidate)
            code = write_comparison(pipeline, &baseline, &candidate);
        else if (code == STATUS_OK)
            pipeline_warn(pipeline, "%s: analysis.compare_pairs[%zu]: %s at %u threads has no times: not compared",
                          pipeline->config.path, i, missing->experiment, missing->threads);
    }
    return code;
}

/* ---- Kernels ---- */

static status write_table(const struct kernel_log *log, const char *model, const char *path)
{
    struct output *output;
    status code = path ? output_open(path, &output) : status_no_memory("writing kernels");

    if (code != STATUS_OK)
        return code;
    return output_finish(output, kernels_csv(log, model, true, output));
}

/* The table lies beside its log, as kernels.csv in the folder of the trace, and in that of the experiment whose kernels it shows. */
static status write_tables(struct pipeline *pipeline, const struct pipeline_task *task, const struct kernel_log *log)
{
    const struct pipeline_experiment *shown = task->experiment->timing;
    const char *model = path_name(task->stem);
    status code = write_table(log, model, task->files[RUN_KERNELS]);

    if (code == STATUS_OK)
        code = write_table(log, model,
                           pipeline_text(pipeline, "%s/%s/kernels.csv", pipeline->output_root, task->experiment->name));
    if (code == STATUS_OK && shown)
        code =
            write_table(log, model, pipeline_text(pipeline, "%s/%s/kernels.csv", pipeline->output_root, shown->name));
    return code;
}

static status write_kernels(struct pipeline *pipeline, const struct pipeline_task *task)
{
    struct strings *strings = strings_new();
    struct kernel_log log;
    status code;

    if (!strings)
        return status_no_memory("reading kernels");
    code = load_kernels(task->files[RUN_XNNTRACE], strings, &log);
    if (code == STATUS_OK) {
        code = write_tables(pipeline, task, &log);
    } else if (code == STATUS_INPUT) {
        pipeline_warn(pipeline, "no kernels: %s", status_message());
        code = STATUS_OK;
    }
    kernel_log_free(&log);
    strings_free(strings);
    return code;
}

status pipeline_write_kernels(struct pipeline *pipeline)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < pipeline->task_count && code == STATUS_OK; i++)
        if (pipeline_file_exists(pipeline->tasks[i].files[RUN_XNNTRACE]))
            code = write_kernels(pipeline, &pipeline->tasks[i]);
    return code;
}

/* ---- Kernels of two builds ---- */

/* The first trace that shows the kernels of an experiment; NULL: none. */
static const struct pipeline_task *trace_of(const struct pipeline *pipeline, const char *name)
{
    for (size_t i = 0; name && i < pipeline->task_count; i++) {
        const struct pipeline_task *task = &pipeline->tasks[i];
        const struct pipeline_experiment *shown = task->experiment->timing;

        if ((strcmp(task->experiment->name, name) == 0 || (shown && strcmp(shown->name, name) == 0)) &&
            pipeline_file_exists(task->files[RUN_XNNTRACE]))
            return task;
    }
    return NULL;
}

static status write_view(struct pipeline *pipeline, const struct kernel_view *view)
{
    const char *path = pipeline_text(pipeline, "%s/kernel_view_gemm.md", pipeline->output_root);
    struct output *output;
    status code = path ? output_open(path, &output) : status_no_memory("comparing kernels");

    if (code != STATUS_OK)
        return code;
    return output_finish(output, kernel_view_markdown(view, output));
}

static status view_pair(struct pipeline *pipeline, const struct pipeline_task *candidate,
                        const struct pipeline_task *baseline)
{
    struct strings *strings = strings_new();
    struct kernel_log on, off;
    struct kernel_view view = { .on = &on,
                                .off = &off,
                                .on_name = candidate->experiment->name,
                                .off_name = baseline->experiment->name,
                                .title = pipeline_text(
                                    pipeline, "%s: GEMM/IGEMM Kernel view (XNNPACK Delegated):", pipeline->model_stem),
                                .filter = "gemm",
                                .evidence = true };
    status code;

    if (!strings || !view.title) {
        strings_free(strings);
        return status_no_memory("comparing kernels");
    }
    kernel_log_start(&off, strings);
    code = load_kernels(candidate->files[RUN_XNNTRACE], strings, &on);
    if (code == STATUS_OK)
        code = load_kernels(baseline->files[RUN_XNNTRACE], strings, &off);
    if (code == STATUS_OK)
        code = write_view(pipeline, &view);
    kernel_log_free(&on);
    kernel_log_free(&off);
    strings_free(strings);
    return code == STATUS_INPUT ? STATUS_OK : code; /* a log that cannot be read was warned about above */
}

/* The other half of `…_on…`: "" where the name has none, NULL: no memory. */
static const char *off_name(struct pipeline *pipeline, const char *on)
{
    const char *found = strstr(on, "_on");

    return found ? pipeline_text(pipeline, "%.*s_off%s", (int)(found - on), on, found + strlen("_on")) : "";
}

/* The configuration's first pair that has traces; else the first two that differ by "_on" and "_off". */
status pipeline_write_kernel_view(struct pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->config.pair_count; i++) {
        const struct pipeline_task *candidate = trace_of(pipeline, pipeline->config.pairs[i].candidate.experiment);
        const struct pipeline_task *baseline = trace_of(pipeline, pipeline->config.pairs[i].baseline.experiment);

        if (candidate && baseline)
            return view_pair(pipeline, candidate, baseline);
    }
    for (size_t i = 0; i < pipeline->config.experiment_count; i++) {
        const struct pipeline_task *candidate = trace_of(pipeline, pipeline->config.experiments[i].name);
        const char *other = candidate ? off_name(pipeline, candidate->experiment->name) : "";
        const struct pipeline_task *baseline = trace_of(pipeline, other);

        if (!other)
            return status_no_memory("comparing kernels");
        if (baseline)
            return view_pair(pipeline, candidate, baseline);
    }
    return STATUS_OK;
}
