/* pipeline_kernels.c: the kernel tables of traces, and the view of two builds beside each other. */
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "base/path.h"
#include "executorch/load.h"
#include "executorch/original/kernel_files.h"
#include "executorch/pipeline.h"
#include "job/session.h"

static status write_table(const struct kernel_log *log, const char *model, const char *path)
{
    struct output *output;
    status code = output_open(path, &output);

    if (code != STATUS_OK)
        return code;
    return output_finish(output, kernels_csv(log, model, true, output));
}

/* The table lies beside its log, as kernels.csv in the folder of the trace, and in that of the experiment whose kernels it shows. */
static status write_tables(const struct pipeline *pipeline, const struct pipeline_task *task,
                           const struct kernel_log *log)
{
    const struct pipeline_experiment *shown = task->experiment->timing;
    const char *model = path_name(task->stem);
    char path[PIPELINE_PATH];
    status code;

    pipeline_path(task, PIPELINE_KERNELS, path);
    code = write_table(log, model, path);
    snprintf(path, sizeof path, "%s/%s/kernels.csv", pipeline->output_root, task->experiment->name);
    if (code == STATUS_OK)
        code = write_table(log, model, path);
    if (code == STATUS_OK && shown) {
        snprintf(path, sizeof path, "%s/%s/kernels.csv", pipeline->output_root, shown->name);
        code = write_table(log, model, path);
    }
    return code;
}

status pipeline_write_kernels(struct pipeline *pipeline)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < pipeline->task_count && code == STATUS_OK; i++) {
        const struct pipeline_task *task = &pipeline->tasks[i];
        struct kernel_log log;
        struct strings *strings;
        char path[PIPELINE_PATH];

        pipeline_path(task, PIPELINE_TRACE_LOG, path);
        if (task->experiment->mode != PIPELINE_TRACE || !pipeline_file_exists(path))
            continue;
        strings = strings_new();
        if (!strings)
            return status_no_memory("reading kernels");
        code = load_kernels(path, strings, &log);
        if (code == STATUS_OK) {
            code = write_tables(pipeline, task, &log);
        } else if (code == STATUS_INPUT) {
            pipeline_warn(pipeline, "no kernels: %s", status_message());
            code = STATUS_OK;
        }
        kernel_log_free(&log);
        strings_free(strings);
    }
    return code;
}

/* ---- Two builds ---- */

/* The first trace that shows the kernels of an experiment; NULL: none. */
static const struct pipeline_task *trace_of(const struct pipeline *pipeline, const char *name)
{
    for (size_t i = 0; i < pipeline->task_count; i++) {
        const struct pipeline_task *task = &pipeline->tasks[i];
        char path[PIPELINE_PATH];

        if (task->experiment->mode != PIPELINE_TRACE ||
            (strcmp(task->experiment->name, name) != 0 &&
             (!task->experiment->timing || strcmp(task->experiment->timing->name, name) != 0)))
            continue;
        pipeline_path(task, PIPELINE_TRACE_LOG, path);
        if (pipeline_file_exists(path))
            return task;
    }
    return NULL;
}

static status load_trace(const struct pipeline_task *task, struct strings *strings, struct kernel_log *log)
{
    char path[PIPELINE_PATH];

    pipeline_path(task, PIPELINE_TRACE_LOG, path);
    return load_kernels(path, strings, log);
}

static status write_view(const struct pipeline *pipeline, const struct kernel_view *view)
{
    char path[PIPELINE_PATH];
    struct output *output;
    status code;

    snprintf(path, sizeof path, "%s/kernel_view_gemm.md", pipeline->output_root);
    code = output_open(path, &output);
    if (code != STATUS_OK)
        return code;
    return output_finish(output, kernel_view_markdown(view, output));
}

static status view_pair(const struct pipeline *pipeline, const struct pipeline_task *candidate,
                        const struct pipeline_task *baseline)
{
    struct strings *strings = strings_new();
    struct kernel_log on, off;
    char title[512];
    struct kernel_view view = { .on = &on,
                                .off = &off,
                                .on_name = candidate->experiment->name,
                                .off_name = baseline->experiment->name,
                                .title = title,
                                .filter = "gemm",
                                .evidence = true };
    status code;

    if (!strings)
        return status_no_memory("comparing kernels");
    snprintf(title, sizeof title, "%s: GEMM/IGEMM Kernel view (XNNPACK Delegated):", pipeline->model_stem);
    kernel_log_start(&off, strings);
    code = load_trace(candidate, strings, &on);
    if (code == STATUS_OK)
        code = load_trace(baseline, strings, &off);
    if (code == STATUS_OK)
        code = write_view(pipeline, &view);
    kernel_log_free(&on);
    kernel_log_free(&off);
    strings_free(strings);
    return code == STATUS_INPUT ? STATUS_OK : code; /* a log that cannot be read was warned about above */
}

/* The other half of `…_on…`; false: the name has none. */
static bool off_name(const char *on, char *to, size_t size)
{
    const char *found = strstr(on, "_on");

    if (!found)
        return false;
    snprintf(to, size, "%.*s_off%s", (int)(found - on), on, found + 3);
    return true;
}

status pipeline_write_kernel_view(struct pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->config.pair_count; i++) {
        const struct pipeline_task *candidate = trace_of(pipeline, pipeline->config.pairs[i].candidate);
        const struct pipeline_task *baseline = trace_of(pipeline, pipeline->config.pairs[i].baseline);

        if (candidate && baseline)
            return view_pair(pipeline, candidate, baseline);
    }
    for (size_t i = 0; i < pipeline->config.experiment_count; i++) {
        char other[512];
        const struct pipeline_task *candidate = trace_of(pipeline, pipeline->config.experiments[i].name);
        const struct pipeline_task *baseline =
            candidate && off_name(candidate->experiment->name, other, sizeof other) ? trace_of(pipeline, other) : NULL;

        if (baseline)
            return view_pair(pipeline, candidate, baseline);
    }
    return STATUS_OK;
}
