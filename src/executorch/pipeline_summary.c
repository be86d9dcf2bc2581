/* pipeline_summary.c: <model>_pipeline_summary.json and .md: what ran, how it went, where the files are. */
#include <math.h>
#include <stdio.h>

#include "executorch/pipeline.h"
#include "executorch/pipeline_files.h"
#include "table/cell.h"

/* ---- JSON ---- */

static void put_path(struct json_writer *writer, const struct pipeline_task *task, const char *key, const char *suffix,
                     bool even_absent)
{
    char path[PIPELINE_PATH];

    pipeline_path(task, suffix, path);
    if (even_absent || pipeline_file_exists(path))
        json_put_text(writer, key, path);
}

static void put_paths(struct json_writer *writer, const struct pipeline_task *task)
{
    json_open(writer, "paths", '{');
    for (const struct pipeline_artifact *one = pipeline_artifacts(task->experiment->mode); one->suffix; one++)
        if (one->summary_key)
            put_path(writer, task, one->summary_key, one->suffix, true);
    json_close(writer, '}');
}

static void put_numbers(struct json_writer *writer, double median, double mean, double cv)
{
    json_put_decimal(writer, "median_ms", median);
    json_put_decimal(writer, "mean_ms", mean);
    json_put_decimal(writer, "cv_percent", cv);
}

static void put_run(struct json_writer *writer, const struct pipeline *pipeline, const struct pipeline_group *group)
{
    (void)pipeline;
    put_paths(writer, group->first);
    json_open(writer, "metrics", '{');
    if (group->inferences) {
        put_numbers(writer, group->median_ms, group->mean_ms, group->cv_percent);
        put_path(writer, group->first, "robust_stats_path", PIPELINE_ROBUST, false);
    }
    json_close(writer, '}');
}

static void put_launch(struct json_writer *writer, const struct pipeline *pipeline, const struct pipeline_task *task)
{
    (void)pipeline;
    put_paths(writer, task);
    json_open(writer, "metrics", '{');
    if (task->metrics.source) {
        put_numbers(writer, task->metrics.median_ms, task->metrics.mean_ms, task->metrics.cv_percent);
        put_path(writer, task, "robust_stats_path", PIPELINE_ROBUST, false);
    }
    json_close(writer, '}');
}

static status write_json(const struct pipeline *pipeline, const char *name)
{
    static const struct pipeline_form form = { "runs", pipeline_put_executorch, put_run, put_launch };

    return pipeline_write_form(pipeline, name, &form);
}

/* ---- Markdown ---- */

/* A name that could end a cell or its code. */
static const char *escape(uint32_t code, unsigned char previous, const char *rest, const char *end)
{
    (void)previous;
    (void)rest;
    (void)end;
    switch (code) {
    case '|':
        return "\\|";
    case '`':
        return "'";
    case '\n':
    case '\r':
        return " ";
    default:
        return NULL;
    }
}

static void number_cell(struct output *output, double value)
{
    if (isfinite(value))
        output_format(output, " %.2f |", value);
    else
        cell_write_plain(output, " - |");
}

static void timing_row(struct output *output, const struct pipeline_group *group, const struct pipeline_task *task)
{
    bool whole = task == NULL;
    const struct pipeline_task *shown = whole ? group->first : task;
    const struct pipeline_metrics *metrics = &shown->metrics;
    size_t runs = whole ? group->inferences : metrics->inferences - metrics->warmup;

    cell_write_plain(output, "| ");
    cell_write_escaped(output, shown->experiment->name, escape);
    output_format(output, " | %u |", shown->threads);
    if (whole)
        output_format(output, " %zu of %zu |", group->measured, group->count);
    else
        output_format(output, " %u |", shown->launch);
    output_format(output, " %zu | %u |", runs, shown->experiment->warmup);
    number_cell(output, whole ? group->median_ms : metrics->median_ms);
    number_cell(output, whole ? group->mean_ms : metrics->mean_ms);
    number_cell(output, whole ? group->cv_percent : metrics->cv_percent);
    output_format(output, " %s |\n", whole ? group->status : pipeline_state_name(task->state));
}

static status write_timing(struct output *output, const struct pipeline *pipeline, bool by_launch)
{
    struct pipeline_group group;

    output_format(output,
                  "| Experiment | Threads | %s | Runs | Warmup | Median (ms) | Mean (ms) | CV (%%) | Status |\n",
                  by_launch ? "Launch" : "Launches");
    cell_write_plain(
        output, "|-----------|---------|----------|------|--------|-------------|-----------|--------|--------|\n");
    for (size_t i = 0; i < pipeline->task_count; i += group.count) {
        status code = pipeline_group(pipeline, i, &group);

        if (code != STATUS_OK)
            return code;
        if (group.first->experiment->mode != PIPELINE_TIMING)
            continue;
        if (!by_launch)
            timing_row(output, &group, NULL);
        for (size_t k = 0; by_launch && k < group.count; k++)
            timing_row(output, &group, &group.tasks[k]);
    }
    return STATUS_OK;
}

static void write_traces(struct output *output, const struct pipeline *pipeline)
{
    cell_write_plain(output, "\n## XNNTrace Results\n| Experiment | Threads | Log Path | Status |\n"
                             "|-----------|---------|----------|--------|\n");
    for (size_t i = 0; i < pipeline->task_count; i++) {
        const struct pipeline_task *task = &pipeline->tasks[i];

        if (task->experiment->mode != PIPELINE_TRACE)
            continue;
        cell_write_plain(output, "| ");
        cell_write_escaped(output, task->experiment->name, escape);
        output_format(output, " | %u | `", task->threads);
        cell_write_escaped(output, task->stem, escape);
        output_format(output, PIPELINE_TRACE_LOG "` | %s |\n", pipeline_state_name(task->state));
    }
}

static void write_remarks(struct output *output, const struct pipeline *pipeline)
{
    bool any = false;

    for (size_t i = 0; i < pipeline->task_count; i++) {
        const struct pipeline_task *task = &pipeline->tasks[i];

        if (!task->reason && !task->note && !task->nan_in_output)
            continue;
        if (!any)
            cell_write_plain(output, "\n## Failures and remarks\n| Experiment | Threads | Launch | What |\n"
                                     "|-----------|---------|--------|------|\n");
        any = true;
        cell_write_plain(output, "| ");
        cell_write_escaped(output, task->experiment->name, escape);
        output_format(output, " | %u | %u | %s", task->threads, task->launch, task->reason ? "failed: " : "");
        cell_write_escaped(output, task->reason ? task->reason : "", escape);
        cell_write_plain(output, task->reason && task->note ? "; " : "");
        cell_write_escaped(output, task->note ? task->note : "", escape);
        cell_write_plain(output, task->nan_in_output ? " (NaN in what the model gave)" : "");
        cell_write_plain(output, " |\n");
    }
}

static status write_markdown(const struct pipeline *pipeline, const char *name)
{
    char now[PIPELINE_TIME];
    struct output *output;
    status code = pipeline_open_file(pipeline, name, &output);

    if (code != STATUS_OK)
        return code;
    pipeline_time(now);
    cell_write_plain(output, "# Pipeline Summary \xe2\x80\x93 ");
    cell_write_escaped(output, pipeline->model_stem, escape);
    output_format(output, "\n\n- Generated: %s\n- Output root: `", now);
    cell_write_escaped(output, pipeline->output_root, escape);
    cell_write_plain(output, "`\n\n## Timing Results\n"
                             "The median is that of the launches' medians; warm-up runs are in no number.\n\n");
    code = write_timing(output, pipeline, false);
    if (code == STATUS_OK) {
        cell_write_plain(output, "\n## Launches\n");
        code = write_timing(output, pipeline, true);
    }
    if (code == STATUS_OK) {
        write_traces(output, pipeline);
        write_remarks(output, pipeline);
    }
    return output_finish(output, code);
}

status pipeline_write_summary(const struct pipeline *pipeline)
{
    char name[PIPELINE_PATH];
    status code;

    snprintf(name, sizeof name, "%s_pipeline_summary.json", pipeline->model_stem);
    code = write_json(pipeline, name);
    snprintf(name, sizeof name, "%s_pipeline_summary.md", pipeline->model_stem);
    return code == STATUS_OK ? write_markdown(pipeline, name) : code;
}
