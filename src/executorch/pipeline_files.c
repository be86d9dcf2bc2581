/* pipeline_files.c: manifest.json, and the views of it: metrics.json, <model>_pipeline_summary.json and .md.
 *
 * The manifest is the authority about a run directory: every launch with its end, its times and its files. One result is one
 * experiment with one number of threads, as all readers of these files expect it; its launches stand inside it.
 */
#include <assert.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/json_write.h"
#include "base/path.h"
#include "executorch/pipeline.h"
#include "table/cell.h"

enum { TIME_SIZE = 32 };

/* As 2026-11-15T04:23:16Z. */
static void format_time(time_t time, char to[TIME_SIZE])
{
    struct tm utc;

    if (!gmtime_r(&time, &utc) || !strftime(to, TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc))
        *to = '\0';
}

/* What one of the JSON files says beside what all of them say: the head; a list with an object for each experiment, which has
 * its plan; in that a list "launch_results" with an object for each launch, which has its state. */
struct form {
    const char *list;                                                    /* "results" */
    void (*head)(struct json_out *out, const struct pipeline *pipeline); /* NULL: nothing more */
    void (*group)(struct json_out *out, const struct pipeline *pipeline,
                  const struct pipeline_group *group); /* what an experiment has more */
    void (*launch)(struct json_out *out, const struct pipeline *pipeline,
                   const struct pipeline_task *task); /* what a launch has more */
};

/* ---- Files ---- */

static const char *relative(const struct pipeline *pipeline, const char *path)
{
    assert(strncmp(path, pipeline->output_root, strlen(pipeline->output_root)) == 0);
    return path + strlen(pipeline->output_root) + 1;
}

/* Every file that a task may have, by its role. */
static void put_artifacts(struct json_out *out, const struct pipeline *pipeline, const struct pipeline_task *task)
{
    json_out_object(out, "artifacts", JSON_LINES);
    for (const struct pipeline_artifact *one = pipeline_artifacts(task->experiment->mode); one->role; one++) {
        const char *path = task->files[one->role];

        json_out_object(out, run_role_key(one->role), JSON_LINES);
        json_out_text(out, "path", path);
        json_out_truth(out, "exists", pipeline_file_exists(path));
        json_out_text(out, "relative_path", relative(pipeline, path));
        json_out_end(out);
    }
    json_out_end(out);
}

/* One that is there. */
static void put_reference(struct json_out *out, const struct pipeline *pipeline, const struct pipeline_task *task,
                          enum run_role role)
{
    if (pipeline_file_exists(task->files[role]))
        json_out_text(out, run_role_key(role), relative(pipeline, task->files[role]));
}

/* ---- Numbers ---- */

static void put_latencies(struct json_out *out, const struct pipeline_metrics *metrics)
{
    for (size_t i = metrics->warmup; i < metrics->inferences; i++)
        json_out_decimal(out, NULL, metrics->latency_ms[i]);
}

static void put_kernels(struct json_out *out, const struct pipeline_metrics *metrics)
{
    json_out_unsigned(out, "kernel_rows", metrics->kernel_rows);
    json_out_unsigned(out, "sme_kernel_rows", metrics->sme_rows);
    json_out_unsigned(out, "sme2_kernel_rows", metrics->sme2_rows);
    json_out_unsigned(out, "sme2_kernel_calls", metrics->sme2_calls);
}

static void put_statistics(struct json_out *out, const struct pipeline_statistics *statistics)
{
    json_out_decimal(out, "median_ms", statistics->median_ms);
    json_out_decimal(out, "mean_ms", statistics->mean_ms);
    json_out_decimal(out, "min_ms", statistics->minimum_ms);
    json_out_decimal(out, "max_ms", statistics->maximum_ms);
    json_out_decimal(out, "cv_percent", statistics->cv_percent);
}

/* Numbers of all launches together, in the form in which every version of these files has had them. */
static void put_metrics(struct json_out *out, const struct pipeline *pipeline, const struct pipeline_group *group)
{
    const struct pipeline_task *first = group->first;

    json_out_object(out, "metrics", JSON_LINES);
    if (first->metrics.has_kernels)
        put_kernels(out, &first->metrics);
    if (group->inferences) {
        json_out_unsigned(out, "runs", group->inferences);
        json_out_unsigned(out, "threads", first->threads);
        json_out_unsigned(out, "launches", group->measured);
        json_out_unsigned(out, "warmup_in_process", first->warmup_in_process);
        json_out_text(out, "source", first->metrics.source);
        put_statistics(out, &group->statistics);
        put_reference(out, pipeline, first, RUN_ETDUMP);
        put_reference(out, pipeline, first, RUN_LOG);
        json_out_array(out, "latency_ms", JSON_LINES);
        for (size_t i = 0; i < group->count; i++)
            put_latencies(out, &group->tasks[i].metrics);
        json_out_end(out);
    }
    json_out_end(out);
}

static void put_launch_metrics(struct json_out *out, const struct pipeline_metrics *metrics)
{
    json_out_object(out, "metrics", JSON_LINES);
    if (metrics->has_kernels)
        put_kernels(out, metrics);
    if (metrics->source) {
        json_out_text(out, "source", metrics->source);
        json_out_unsigned(out, "runs", metrics->inferences - metrics->warmup);
        put_statistics(out, &metrics->statistics);
        json_out_array(out, "warmup_latency_ms", JSON_LINES);
        for (size_t i = 0; i < metrics->warmup; i++)
            json_out_decimal(out, NULL, metrics->latency_ms[i]);
        json_out_end(out);
        json_out_array(out, "latency_ms", JSON_LINES);
        put_latencies(out, metrics);
        json_out_end(out);
    }
    json_out_end(out);
}

/* ---- What all files have ---- */

/* How a group was made. */
static void put_plan(struct json_out *out, const struct pipeline_group *group)
{
    const struct pipeline_experiment *experiment = group->first->experiment;
    const char *reason = NULL;

    for (size_t i = 0; i < group->count && !reason; i++)
        reason = group->tasks[i].reason;
    json_out_text(out, "experiment", experiment->name);
    json_out_text(out, "mode", pipeline_mode_name(experiment->mode));
    json_out_text(out, "status", group->status);
    if (reason)
        json_out_text(out, "reason", reason);
    json_out_unsigned(out, "threads", group->first->threads);
    json_out_unsigned(out, "runs", experiment->runs);
    json_out_unsigned(out, "warmup", experiment->warmup);
    json_out_unsigned(out, "warmup_in_process", group->first->warmup_in_process);
    json_out_unsigned(out, "launches", experiment->launches);
}

static void put_state(struct json_out *out, const struct pipeline_task *task)
{
    json_out_unsigned(out, "launch", task->launch);
    json_out_text(out, "status", run_state_key(task->state));
    if (task->reason)
        json_out_text(out, "reason", task->reason);
    if (task->note)
        json_out_text(out, "note", task->note);
    if (task->nan_in_output)
        json_out_truth(out, "nan_in_output", true);
    json_out_unsigned(out, "warmup_in_process", task->warmup_in_process);
}

static void put_head(struct json_out *out, const struct pipeline *pipeline)
{
    struct path config = { .text = NULL };
    char now[TIME_SIZE];

    if (path_resolve(&config, pipeline->config.path) != STATUS_OK)
        status_clear(); /* it was there a moment ago; then its name has to do */
    format_time(time(NULL), now);
    json_out_unsigned(out, "schema_version", 1);
    json_out_text(out, "generated_at", now);
    json_out_text(out, "platform", pipeline->platform == PIPELINE_ANDROID ? "android" : "mac");
    json_out_text(out, "config", config.failure == STATUS_OK ? config.text : pipeline->config.path);
    json_out_text(out, "model", pipeline->model_path);
    json_out_text(out, "output_root", pipeline->output_root);
    path_free(&config);
}

static void put_launches(struct json_out *out, const struct pipeline *pipeline, const struct pipeline_group *group,
                         const struct form *form)
{
    json_out_array(out, "launch_results", JSON_LINES);
    for (size_t i = 0; i < group->count; i++) {
        json_out_object(out, NULL, JSON_LINES);
        put_state(out, &group->tasks[i]);
        form->launch(out, pipeline, &group->tasks[i]);
        json_out_end(out);
    }
    json_out_end(out);
}

static status put_groups(struct json_out *out, const struct pipeline *pipeline, const struct form *form)
{
    struct pipeline_group group;

    json_out_array(out, form->list, JSON_LINES);
    for (size_t i = 0; i < pipeline->task_count; i += group.count) {
        status code = pipeline_group(pipeline, i, &group);

        if (code != STATUS_OK)
            return code;
        json_out_object(out, NULL, JSON_LINES);
        put_plan(out, &group);
        form->group(out, pipeline, &group);
        put_launches(out, pipeline, &group, form);
        json_out_end(out);
    }
    json_out_end(out);
    return STATUS_OK;
}

/* A file of the output root, whose name is `prefix` and `name`. */
static status open_file(const struct pipeline *pipeline, const char *prefix, const char *name, struct output **output)
{
    struct path path = { .text = NULL };
    status code = path_set(&path, "%s/%s%s", pipeline->output_root, prefix, name);

    if (code == STATUS_OK)
        code = output_open(path.text, output);
    path_free(&path);
    return code;
}

static status print_form(const struct pipeline *pipeline, const struct form *form, struct output *output)
{
    struct json_out out;
    status code;

    json_out_start(&out, output);
    json_out_object(&out, NULL, JSON_LINES);
    put_head(&out, pipeline);
    if (form->head)
        form->head(&out, pipeline);
    code = put_groups(&out, pipeline, form);
    if (code == STATUS_OK) {
        json_out_end(&out);
        json_out_finish(&out);
    }
    return code;
}

static status write_form(const struct pipeline *pipeline, const char *prefix, const char *name, const struct form *form)
{
    struct output *output;
    status code = open_file(pipeline, prefix, name, &output);

    return code == STATUS_OK ? output_finish(output, print_form(pipeline, form, output)) : code;
}

/* ---- The manifest ---- */

static void put_executorch(struct json_out *out, const struct pipeline *pipeline)
{
    const struct pipeline_tree *tree = &pipeline->tree;
    const char *expected = pipeline->config.expected_sha;
    const char *sha = tree->sha && *tree->sha ? tree->sha : NULL;

    json_out_object(out, "executorch", JSON_LINES);
    json_out_truth(out, "present", tree->present);
    json_out_text(out, "sha", sha);
    json_out_text(out, "expected_sha", expected);
    json_out_text(out, "actual_sha", sha);
    if (expected && sha)
        json_out_truth(out, "compatible", strcmp(expected, sha) == 0);
    else
        json_out_null(out, "compatible");
    if (tree->present)
        json_out_truth(out, "dirty", tree->dirty);
    else
        json_out_null(out, "dirty");
    json_out_truth(out, "patches_required", false);
    json_out_end(out);
}

static void put_known(struct json_out *out, const char *key, const char *text)
{
    json_out_text(out, key, text && *text ? text : NULL);
}

/* Parts of a text as a list, without those that are empty. */
static void put_parts(struct json_out *out, const char *key, const char *text, char sign)
{
    struct text rest = text_of(text);

    json_out_array(out, key, JSON_LINES);
    while (rest.data) {
        struct text part = text_trim(text_take(&rest, sign));

        if (part.length)
            json_out_string(out, NULL, part);
    }
    json_out_end(out);
}

static void put_device(struct json_out *out, const struct pipeline *pipeline)
{
    const struct pipeline_device *device = &pipeline->device;

    if (!pipeline->device_known) {
        json_out_null(out, "device");
        return;
    }
    json_out_object(out, "device", JSON_LINES);
    put_known(out, "architecture", device->architecture);
    put_known(out, "os", device->os);
    put_known(out, "version", device->version);
    put_known(out, "model", device->model);
    put_known(out, "cpu", device->cpu);
    if (device->cores)
        json_out_unsigned(out, "cores", device->cores);
    put_parts(out, "cpu_features", device->features, ' ');
    json_out_end(out);
}

static void put_manifest_head(struct json_out *out, const struct pipeline *pipeline)
{
    put_executorch(out, pipeline);
    put_device(out, pipeline);
}

static void put_manifest_group(struct json_out *out, const struct pipeline *pipeline,
                               const struct pipeline_group *group)
{
    const struct pipeline_experiment *experiment = group->first->experiment;

    json_out_text(out, "runner", experiment->runner_path ? experiment->runner_path : experiment->runner);
    put_artifacts(out, pipeline, group->first);
    put_metrics(out, pipeline, group);
}

/* How the process of a task ended that ran now; of another, what an earlier manifest said. */
static void put_process(struct json_out *out, const struct pipeline_task *task)
{
    static const char *const kept[] = { "started_at", "exit_status", "signal", "last_lines" };
    char started[TIME_SIZE];

    for (size_t i = 0; i < sizeof kept / sizeof *kept && !task->ran_now; i++) {
        const struct json *value = json_get(task->earlier, kept[i]);

        if (value)
            json_out_tree(out, kept[i], value, false);
    }
    if (task->started) {
        format_time(task->started, started);
        json_out_text(out, "started_at", started);
    }
    if (task->exit_status > 0)
        json_out_integer(out, "exit_status", task->exit_status);
    if (task->signal)
        json_out_integer(out, "signal", task->signal);
    if (task->tail)
        put_parts(out, "last_lines", task->tail, '\n');
    if (task->wall_s > 0)
        json_out_decimal(out, "wall_s", task->wall_s);
}

static void put_manifest_launch(struct json_out *out, const struct pipeline *pipeline, const struct pipeline_task *task)
{
    put_process(out, task);
    put_launch_metrics(out, &task->metrics);
    put_artifacts(out, pipeline, task);
}

static const struct form manifest_form = { "results", put_manifest_head, put_manifest_group, put_manifest_launch };

status pipeline_write_manifest(const struct pipeline *pipeline)
{
    return write_form(pipeline, "", "manifest.json", &manifest_form);
}

status pipeline_print_manifest(const struct pipeline *pipeline, struct output *output)
{
    return print_form(pipeline, &manifest_form, output);
}

/* ---- Metrics: the numbers of the manifest ---- */

static void put_metrics_group(struct json_out *out, const struct pipeline *pipeline, const struct pipeline_group *group)
{
    put_metrics(out, pipeline, group);
    json_out_object(out, "artifact_refs", JSON_LINES);
    for (const struct pipeline_artifact *one = pipeline_artifacts(group->first->experiment->mode); one->role; one++)
        put_reference(out, pipeline, group->first, one->role);
    json_out_end(out);
}

static void put_metrics_launch(struct json_out *out, const struct pipeline *pipeline, const struct pipeline_task *task)
{
    (void)pipeline;
    put_launch_metrics(out, &task->metrics);
}

status pipeline_write_metrics(const struct pipeline *pipeline)
{
    static const struct form form = { "results", NULL, put_metrics_group, put_metrics_launch };

    return write_form(pipeline, "", "metrics.json", &form);
}

/* ---- The summary: how it went, and where the files are ---- */

static void put_summary(struct json_out *out, const struct pipeline_task *task,
                        const struct pipeline_statistics *statistics)
{
    json_out_object(out, "paths", JSON_LINES);
    for (const struct pipeline_artifact *one = pipeline_artifacts(task->experiment->mode); one->role; one++)
        if (one->summary_key)
            json_out_text(out, one->summary_key, task->files[one->role]);
    json_out_end(out);
    json_out_object(out, "metrics", JSON_LINES);
    if (statistics) {
        json_out_decimal(out, "median_ms", statistics->median_ms);
        json_out_decimal(out, "mean_ms", statistics->mean_ms);
        json_out_decimal(out, "cv_percent", statistics->cv_percent);
        if (pipeline_file_exists(task->files[RUN_ROBUST_STATS]))
            json_out_text(out, "robust_stats_path", task->files[RUN_ROBUST_STATS]);
    }
    json_out_end(out);
}

static void put_summary_group(struct json_out *out, const struct pipeline *pipeline, const struct pipeline_group *group)
{
    (void)pipeline;
    put_summary(out, group->first, group->inferences ? &group->statistics : NULL);
}

static void put_summary_launch(struct json_out *out, const struct pipeline *pipeline, const struct pipeline_task *task)
{
    (void)pipeline;
    put_summary(out, task, task->metrics.source ? &task->metrics.statistics : NULL);
}

/* ---- The same for a person ---- */

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

/* "| name | 1 |": what every row begins with. */
static void begin_row(struct output *output, const struct pipeline_task *task)
{
    cell_write_plain(output, "| ");
    cell_write_escaped(output, task->experiment->name, escape);
    output_format(output, " | %u |", task->threads);
}

static void end_timing_row(struct output *output, size_t runs, const struct pipeline_task *task,
                           const struct pipeline_statistics *statistics, const char *state)
{
    output_format(output, " %zu | %u |", runs, task->experiment->warmup);
    number_cell(output, statistics->median_ms);
    number_cell(output, statistics->mean_ms);
    number_cell(output, statistics->cv_percent);
    output_format(output, " %s |\n", state);
}

static void write_group(struct output *output, const struct pipeline_group *group)
{
    begin_row(output, group->first);
    output_format(output, " %zu of %zu |", group->measured, group->count);
    end_timing_row(output, group->inferences, group->first, &group->statistics, group->status);
}

static void write_launches(struct output *output, const struct pipeline_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct pipeline_task *task = &group->tasks[i];

        begin_row(output, task);
        output_format(output, " %u |", task->launch);
        end_timing_row(output, task->metrics.inferences - task->metrics.warmup, task, &task->metrics.statistics,
                       run_state_key(task->state));
    }
}

static status write_timing(struct output *output, const struct pipeline *pipeline, const char *title,
                           void (*write)(struct output *output, const struct pipeline_group *group))
{
    struct pipeline_group group;

    output_format(output,
                  "| Experiment | Threads | %s | Runs | Warmup | Median (ms) | Mean (ms) | CV (%%) | Status |\n"
                  "|-----------|---------|----------|------|--------|-------------|-----------|--------|--------|\n",
                  title);
    for (size_t i = 0; i < pipeline->task_count; i += group.count) {
        status code = pipeline_group(pipeline, i, &group);

        if (code != STATUS_OK)
            return code;
        if (group.first->experiment->mode == PIPELINE_TIMING)
            write(output, &group);
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
        begin_row(output, task);
        cell_write_plain(output, " `");
        cell_write_escaped(output, task->files[RUN_XNNTRACE], escape);
        output_format(output, "` | %s |\n", run_state_key(task->state));
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
        begin_row(output, task);
        output_format(output, " %u | %s", task->launch, task->reason ? "failed: " : "");
        cell_write_escaped(output, task->reason ? task->reason : "", escape);
        cell_write_plain(output, task->reason && task->note ? "; " : "");
        cell_write_escaped(output, task->note ? task->note : "", escape);
        cell_write_plain(output, task->nan_in_output ? " (NaN in what the model gave)" : "");
        cell_write_plain(output, " |\n");
    }
}

static status write_markdown(const struct pipeline *pipeline)
{
    char now[TIME_SIZE];
    struct output *output;
    status code = open_file(pipeline, pipeline->model_stem, "_pipeline_summary.md", &output);

    if (code != STATUS_OK)
        return code;
    format_time(time(NULL), now);
    cell_write_plain(output, "# Pipeline Summary \xe2\x80\x93 ");
    cell_write_escaped(output, pipeline->model_stem, escape);
    output_format(output, "\n\n- Generated: %s\n- Output root: `", now);
    cell_write_escaped(output, pipeline->output_root, escape);
    cell_write_plain(output, "`\n\n## Timing Results\n"
                             "The median is that of the launches' medians; warm-up runs are in no number.\n\n");
    code = write_timing(output, pipeline, "Launches", write_group);
    if (code == STATUS_OK) {
        cell_write_plain(output, "\n## Launches\n");
        code = write_timing(output, pipeline, "Launch", write_launches);
    }
    if (code == STATUS_OK) {
        write_traces(output, pipeline);
        write_remarks(output, pipeline);
    }
    return output_finish(output, code);
}

status pipeline_write_summary(const struct pipeline *pipeline)
{
    static const struct form form = { "runs", put_executorch, put_summary_group, put_summary_launch };
    status code = write_form(pipeline, pipeline->model_stem, "_pipeline_summary.json", &form);

    return code == STATUS_OK ? write_markdown(pipeline) : code;
}
