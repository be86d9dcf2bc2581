/* pipeline_files.c: manifest.json and metrics.json.
 *
 * One result is one experiment with one number of threads, as all readers of these files expect it; its launches stand inside it.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyze/statistics.h"
#include "base/memory.h"
#include "executorch/pipeline.h"
#include "executorch/pipeline_files.h"

void pipeline_time(char to[PIPELINE_TIME])
{
    time_t now = time(NULL);
    struct tm utc;

    if (!gmtime_r(&now, &utc) || !strftime(to, PIPELINE_TIME, "%Y-%m-%dT%H:%M:%SZ", &utc))
        *to = '\0';
}

/* ---- Groups ---- */

static const char *group_status(const struct pipeline_group *group)
{
    size_t pending = 0, found = 0;

    for (size_t i = 0; i < group->count; i++) {
        pending += group->tasks[i].state == PIPELINE_PENDING;
        found += group->tasks[i].state == PIPELINE_FOUND;
    }
    if (group->failed)
        return group->failed == group->count ? "failed" : "partial";
    return pipeline_state_name(pending ? PIPELINE_PENDING : found ? PIPELINE_FOUND : PIPELINE_OK);
}

/* `values` has room for all inferences, behind them for all launch medians. */
static void compute(struct pipeline_group *group, double *values)
{
    double *medians = values + group->inferences;
    size_t used = 0, launches = 0;

    for (size_t i = 0; i < group->count; i++) {
        const struct pipeline_metrics *metrics = &group->tasks[i].metrics;
        size_t count = metrics->inferences - metrics->warmup;

        if (!count)
            continue;
        memcpy(values + used, metrics->latency_ms + metrics->warmup, count * sizeof *values);
        used += count;
        medians[launches++] = metrics->median_ms;
    }
    group->mean_ms = statistics_mean(values, used);
    group->cv_percent = 100 * statistics_deviation(values, used) / group->mean_ms;
    statistics_sort(values, used);
    statistics_sort(medians, launches);
    group->median_ms = statistics_median(medians, launches);
    group->minimum_ms = values[0];
    group->maximum_ms = values[used - 1];
}

status pipeline_group(const struct pipeline *pipeline, size_t first, struct pipeline_group *group)
{
    const struct pipeline_task *tasks = &pipeline->tasks[first];
    double *values;

    *group = (struct pipeline_group){ .tasks = tasks,
                                      .first = tasks,
                                      .median_ms = NAN,
                                      .mean_ms = NAN,
                                      .minimum_ms = NAN,
                                      .maximum_ms = NAN,
                                      .cv_percent = NAN };
    while (first + group->count < pipeline->task_count && tasks[group->count].experiment == tasks->experiment &&
           tasks[group->count].threads == tasks->threads) {
        const struct pipeline_task *task = &tasks[group->count++];

        group->failed += task->state == PIPELINE_FAILED;
        if (task->metrics.inferences > task->metrics.warmup) {
            if (!group->measured++)
                group->first = task;
            group->inferences += task->metrics.inferences - task->metrics.warmup;
        }
    }
    group->status = group_status(group);
    if (!group->inferences)
        return STATUS_OK;
    values = memory_allocate((group->inferences + group->measured) * sizeof *values);
    if (!values)
        return status_no_memory("summing up launches");
    compute(group, values);
    memory_free(values);
    return STATUS_OK;
}

/* ---- Parts of both files ---- */

static const char *relative(const struct pipeline *pipeline, const char *path)
{
    return path + strlen(pipeline->output_root) + 1;
}

static void put_file(struct json_writer *writer, const struct pipeline *pipeline, const struct pipeline_task *task,
                     const char *key, const char *suffix, bool in_full)
{
    char path[PIPELINE_PATH];
    bool exists;

    pipeline_path(task, suffix, path);
    exists = pipeline_file_exists(path);
    if (in_full) {
        json_open(writer, key, '{');
        json_put_text(writer, "path", path);
        json_put_truth(writer, "exists", exists);
        json_put_text(writer, "relative_path", relative(pipeline, path));
        json_close(writer, '}');
    } else if (exists) {
        json_put_text(writer, key, relative(pipeline, path));
    }
}

static void put_artifacts(struct json_writer *writer, const struct pipeline *pipeline, const struct pipeline_task *task)
{
    json_open(writer, "artifacts", '{');
    for (const struct pipeline_artifact *one = pipeline_artifacts(task->experiment->mode); one->suffix; one++)
        put_file(writer, pipeline, task, one->manifest_key, one->suffix, true);
    json_close(writer, '}');
}

static void put_latencies(struct json_writer *writer, const struct pipeline_task *task)
{
    const struct pipeline_metrics *metrics = &task->metrics;

    for (size_t i = metrics->warmup; i < metrics->inferences; i++)
        json_put_decimal(writer, NULL, metrics->latency_ms[i]);
}

static void put_kernels(struct json_writer *writer, const struct pipeline_metrics *metrics)
{
    json_put_integer(writer, "kernel_rows", (int64_t)metrics->kernel_rows);
    json_put_integer(writer, "sme_kernel_rows", (int64_t)metrics->sme_rows);
    json_put_integer(writer, "sme2_kernel_rows", (int64_t)metrics->sme2_rows);
    json_put_integer(writer, "sme2_kernel_calls", (int64_t)metrics->sme2_calls);
}

/* Numbers of all launches together, in the form in which every version of these files has had them. */
static void put_metrics(struct json_writer *writer, const struct pipeline *pipeline, const struct pipeline_group *group)
{
    const struct pipeline_task *first = group->first;

    json_open(writer, "metrics", '{');
    if (first->metrics.has_kernels)
        put_kernels(writer, &first->metrics);
    if (group->inferences) {
        json_put_integer(writer, "runs", (int64_t)group->inferences);
        json_put_integer(writer, "threads", first->threads);
        json_put_integer(writer, "launches", (int64_t)group->measured);
        json_put_integer(writer, "warmup_in_process", first->warmup_in_process);
        json_put_text(writer, "source", first->metrics.source);
        json_put_decimal(writer, "median_ms", group->median_ms);
        json_put_decimal(writer, "mean_ms", group->mean_ms);
        json_put_decimal(writer, "min_ms", group->minimum_ms);
        json_put_decimal(writer, "max_ms", group->maximum_ms);
        json_put_decimal(writer, "cv_percent", group->cv_percent);
        put_file(writer, pipeline, first, "etdump", PIPELINE_ETDUMP, false);
        put_file(writer, pipeline, first, "log", PIPELINE_LOG, false);
        json_open(writer, "latency_ms", '[');
        for (size_t i = 0; i < group->count; i++)
            put_latencies(writer, &group->tasks[i]);
        json_close(writer, ']');
    }
    json_close(writer, '}');
}

static void put_launch_metrics(struct json_writer *writer, const struct pipeline_task *task)
{
    const struct pipeline_metrics *metrics = &task->metrics;

    json_open(writer, "metrics", '{');
    if (metrics->has_kernels)
        put_kernels(writer, metrics);
    if (metrics->source) {
        json_put_text(writer, "source", metrics->source);
        json_put_integer(writer, "runs", (int64_t)(metrics->inferences - metrics->warmup));
        json_put_decimal(writer, "median_ms", metrics->median_ms);
        json_put_decimal(writer, "mean_ms", metrics->mean_ms);
        json_put_decimal(writer, "min_ms", metrics->minimum_ms);
        json_put_decimal(writer, "max_ms", metrics->maximum_ms);
        json_put_decimal(writer, "cv_percent", metrics->cv_percent);
        json_open(writer, "warmup_latency_ms", '[');
        for (size_t i = 0; i < metrics->warmup; i++)
            json_put_decimal(writer, NULL, metrics->latency_ms[i]);
        json_close(writer, ']');
        json_open(writer, "latency_ms", '[');
        put_latencies(writer, task);
        json_close(writer, ']');
    }
    json_close(writer, '}');
}

static void put_launch_state(struct json_writer *writer, const struct pipeline_task *task)
{
    json_put_integer(writer, "launch", task->launch);
    json_put_text(writer, "status", pipeline_state_name(task->state));
    if (task->reason)
        json_put_text(writer, "reason", task->reason);
    if (task->note)
        json_put_text(writer, "note", task->note);
    if (task->nan_in_output)
        json_put_truth(writer, "nan_in_output", true);
    json_put_integer(writer, "warmup_in_process", task->warmup_in_process);
}

/* How a group was made, the same in all files. */
static void put_plan(struct json_writer *writer, const struct pipeline_group *group)
{
    const struct pipeline_experiment *experiment = group->first->experiment;

    json_put_text(writer, "experiment", experiment->name);
    json_put_text(writer, "mode", pipeline_mode_name(experiment->mode));
    json_put_text(writer, "status", group->status);
    for (size_t i = 0; i < group->count; i++) {
        if (group->tasks[i].reason) {
            json_put_text(writer, "reason", group->tasks[i].reason);
            break;
        }
    }
    json_put_integer(writer, "threads", group->first->threads);
    json_put_integer(writer, "runs", experiment->runs);
    json_put_integer(writer, "warmup", experiment->warmup);
    json_put_integer(writer, "warmup_in_process", group->first->warmup_in_process);
    json_put_integer(writer, "launches", experiment->launches);
}

/* ---- The files ---- */

status pipeline_open_file(const struct pipeline *pipeline, const char *name, struct output **output)
{
    char path[PIPELINE_PATH];

    snprintf(path, sizeof path, "%s/%s", pipeline->output_root, name);
    return output_open(path, output);
}

static void put_head(struct json_writer *writer, const struct pipeline *pipeline)
{
    char now[PIPELINE_TIME];
    char absolute[PATH_MAX];
    const char *config = realpath(pipeline->config.path, absolute);

    pipeline_time(now);
    json_put_integer(writer, "schema_version", 1);
    json_put_text(writer, "generated_at", now);
    json_put_text(writer, "platform", pipeline_platform_name(pipeline->platform));
    json_put_text(writer, "config", config ? config : pipeline->config.path);
    json_put_text(writer, "model", pipeline->model_path);
    json_put_text(writer, "output_root", pipeline->output_root);
}

void pipeline_put_executorch(struct json_writer *writer, const struct pipeline *pipeline)
{
    const struct pipeline_tree *tree = &pipeline->tree;
    const char *expected = pipeline->config.expected_sha;
    const char *sha = tree->sha && *tree->sha ? tree->sha : NULL;

    json_open(writer, "executorch", '{');
    json_put_truth(writer, "present", tree->present);
    json_put_text(writer, "sha", sha);
    json_put_text(writer, "expected_sha", expected);
    json_put_text(writer, "actual_sha", sha);
    if (expected && sha)
        json_put_truth(writer, "compatible", strcmp(expected, sha) == 0);
    else
        json_put_null(writer, "compatible");
    if (tree->present)
        json_put_truth(writer, "dirty", tree->dirty);
    else
        json_put_null(writer, "dirty");
    json_put_truth(writer, "patches_required", false);
    json_close(writer, '}');
}

static void put_known(struct json_writer *writer, const char *key, const char *text)
{
    json_put_text(writer, key, text && *text ? text : NULL);
}

static void put_features(struct json_writer *writer, const char *features)
{
    json_open(writer, "cpu_features", '[');
    while (features && *features) {
        size_t length = strcspn(features, " ");
        char word[128];

        if (length && length < sizeof word) {
            memcpy(word, features, length);
            word[length] = '\0';
            json_put_text(writer, NULL, word);
        }
        features += length + strspn(features + length, " ");
    }
    json_close(writer, ']');
}

static void put_device(struct json_writer *writer, const struct pipeline *pipeline)
{
    const struct pipeline_device *device = &pipeline->device;

    if (!pipeline->device_known) {
        json_put_null(writer, "device");
        return;
    }
    json_open(writer, "device", '{');
    put_known(writer, "architecture", device->architecture);
    put_known(writer, "os", device->os);
    put_known(writer, "version", device->version);
    put_known(writer, "model", device->model);
    put_known(writer, "cpu", device->cpu);
    if (device->cores)
        json_put_integer(writer, "cores", device->cores);
    put_features(writer, device->features);
    json_close(writer, '}');
}

/* ---- The files ---- */

static void put_launches(struct json_writer *writer, const struct pipeline *pipeline,
                         const struct pipeline_group *group, const struct pipeline_form *form)
{
    json_open(writer, "launch_results", '[');
    for (size_t i = 0; i < group->count; i++) {
        json_open(writer, NULL, '{');
        put_launch_state(writer, &group->tasks[i]);
        form->launch(writer, pipeline, &group->tasks[i]);
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

static status put_groups(struct json_writer *writer, const struct pipeline *pipeline, const struct pipeline_form *form)
{
    struct pipeline_group group;

    json_open(writer, form->list, '[');
    for (size_t i = 0; i < pipeline->task_count; i += group.count) {
        status code = pipeline_group(pipeline, i, &group);

        if (code != STATUS_OK)
            return code;
        json_open(writer, NULL, '{');
        put_plan(writer, &group);
        form->group(writer, pipeline, &group);
        put_launches(writer, pipeline, &group, form);
        json_close(writer, '}');
    }
    json_close(writer, ']');
    return STATUS_OK;
}

status pipeline_write_form(const struct pipeline *pipeline, const char *name, const struct pipeline_form *form)
{
    struct json_writer writer;
    struct output *output;
    status code = pipeline_open_file(pipeline, name, &output);

    if (code != STATUS_OK)
        return code;
    writer = json_writer(output);
    json_open(&writer, NULL, '{');
    put_head(&writer, pipeline);
    if (form->head)
        form->head(&writer, pipeline);
    code = put_groups(&writer, pipeline, form);
    json_close(&writer, '}');
    json_finish(&writer);
    return output_finish(output, code);
}

static void put_manifest_head(struct json_writer *writer, const struct pipeline *pipeline)
{
    pipeline_put_executorch(writer, pipeline);
    put_device(writer, pipeline);
}

static void put_manifest_group(struct json_writer *writer, const struct pipeline *pipeline,
                               const struct pipeline_group *group)
{
    const struct pipeline_experiment *experiment = group->first->experiment;

    json_put_text(writer, "runner", experiment->runner_path ? experiment->runner_path : experiment->runner);
    put_artifacts(writer, pipeline, group->first);
    put_metrics(writer, pipeline, group);
}

static void put_manifest_launch(struct json_writer *writer, const struct pipeline *pipeline,
                                const struct pipeline_task *task)
{
    if (task->wall_s > 0)
        json_put_decimal(writer, "wall_s", task->wall_s);
    put_artifacts(writer, pipeline, task);
}

status pipeline_write_manifest(const struct pipeline *pipeline)
{
    static const struct pipeline_form form = { "results", put_manifest_head, put_manifest_group, put_manifest_launch };

    return pipeline_write_form(pipeline, "manifest.json", &form);
}

static void put_metrics_group(struct json_writer *writer, const struct pipeline *pipeline,
                              const struct pipeline_group *group)
{
    put_metrics(writer, pipeline, group);
    json_open(writer, "artifact_refs", '{');
    for (const struct pipeline_artifact *one = pipeline_artifacts(group->first->experiment->mode); one->suffix; one++)
        put_file(writer, pipeline, group->first, one->manifest_key, one->suffix, false);
    json_close(writer, '}');
}

static void put_metrics_launch(struct json_writer *writer, const struct pipeline *pipeline,
                               const struct pipeline_task *task)
{
    (void)pipeline;
    put_launch_metrics(writer, task);
}

status pipeline_write_metrics(const struct pipeline *pipeline)
{
    static const struct pipeline_form form = { "results", NULL, put_metrics_group, put_metrics_launch };

    return pipeline_write_form(pipeline, "metrics.json", &form);
}
