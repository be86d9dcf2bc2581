#include "executorch/pipeline.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

/* ---- What an earlier call left ---- */

static bool belongs(const struct pipeline *pipeline, const char *path)
{
    for (size_t i = 0; i < pipeline->task_count; i++) {
        const char *stem = pipeline->tasks[i].stem;
        size_t length = strlen(stem);

        if (strncmp(path, stem, length) == 0 && strcmp(path + length, PIPELINE_ETDUMP) == 0)
            return true;
    }
    return false;
}

/* Dumps of other thread counts or launches than the configuration has now would be read as launches of this experiment. */
static void warn_of_strangers(const struct pipeline *pipeline, const struct pipeline_experiment *experiment)
{
    char path[PIPELINE_PATH];
    struct dirent *entry;
    DIR *folder;

    snprintf(path, sizeof path, "%s/%s", pipeline->output_root, experiment->name);
    folder = opendir(path);
    while (folder && (entry = readdir(folder))) {
        const char *dot = strrchr(entry->d_name, '.');

        if (!dot || strcmp(dot, PIPELINE_ETDUMP) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s/%s", pipeline->output_root, experiment->name, entry->d_name);
        if (!belongs(pipeline, path))
            pipeline_warn(pipeline, "%s is not of this configuration: remove it, or reports will count it in", path);
    }
    if (folder)
        closedir(folder);
}

/* ---- The whole ---- */

/* STATUS_NO with a sentence where tasks of this call failed. */
static status sum_up(const struct pipeline *pipeline)
{
    const struct pipeline_task *first = NULL;
    size_t failed = 0, ran = 0, there = 0;

    for (size_t i = 0; i < pipeline->task_count; i++) {
        const struct pipeline_task *task = &pipeline->tasks[i];

        there += task->state == PIPELINE_FOUND;
        ran += task->ran_now;
        if (task->ran_now && task->state == PIPELINE_FAILED) {
            failed++;
            first = first ? first : task;
        }
    }
    if (pipeline->options->analysis_only && !there)
        return status_fail(STATUS_INPUT, "%s: no dump or log of this configuration lies there", pipeline->output_root);
    if (!failed)
        return STATUS_OK;
    return status_fail(STATUS_NO,
                       "%zu of %zu launches failed, the first (%s, %u thread%s, launch %u) because: %s; "
                       "%s/manifest.json has them all",
                       failed, ran, first->experiment->name, first->threads, first->threads == 1 ? "" : "s",
                       first->launch, first->reason, pipeline->output_root);
}

static status prepare(struct pipeline *pipeline)
{
    bool analysis_only = pipeline->options->analysis_only;
    status code = pipeline_read_config(pipeline);

    if (code == STATUS_OK)
        code = pipeline_plan(pipeline);
    if (code == STATUS_OK && !analysis_only && !pipeline->model_found)
        code = status_fail(STATUS_INPUT,
                           "%s: model: %s is not there, from this folder, the configuration's or one above it",
                           pipeline->config.path, pipeline->config.model);
    if (code == STATUS_OK)
        code = pipeline_recall(pipeline, analysis_only);
    if (code == STATUS_OK && !analysis_only)
        code = pipeline_describe_tree(pipeline);
    return code;
}

status pipeline_run(const struct pipeline_options *options, struct pipeline *pipeline)
{
    status code;

    *pipeline = (struct pipeline){ .arena = ARENA_EMPTY, .options = options };
    code = prepare(pipeline);
    if (code != STATUS_OK)
        return code;
    pipeline_tell(pipeline, "%s on %s, %zu launches, into %s", pipeline->model_path,
                  pipeline->platform == PIPELINE_ANDROID ? "an Android device" : "this machine", pipeline->task_count,
                  pipeline->output_root);
    for (size_t i = 0; i < pipeline->config.experiment_count; i++)
        warn_of_strangers(pipeline, &pipeline->config.experiments[i]);
    if (!options->analysis_only)
        code = pipeline_run_tasks(pipeline);
    if (code == STATUS_OK && options->analysis_only)
        code = sum_up(pipeline);
    if (code == STATUS_OK)
        code = pipeline_analyse(pipeline);
    return code == STATUS_OK ? sum_up(pipeline) : code;
}

void pipeline_free(struct pipeline *pipeline)
{
    arena_free(&pipeline->arena);
}
