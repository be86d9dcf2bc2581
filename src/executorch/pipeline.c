/* pipeline.c: tacho pipeline: runs a model as a configuration says: the configuration, what an earlier call left, the runs, and what is made of them. */
#include "executorch/pipeline.h"

#include <assert.h>
#include <string.h>

#include "base/folder.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/path.h"
#include "executorch/chain.h"
#include "job/job.h"

enum { LARGEST_MANIFEST = 512 * 1024 * 1024 };

/* ---- What the manifest of an earlier call says about what does not run now ---- */

static bool runs_now(const struct pipeline *pipeline, const struct pipeline_task *task)
{
    return !pipeline->options->analysis_only && task->experiment->selected;
}

/* The object of this launch, in that of its experiment and thread count. */
static const struct json *find_launch(const struct json *results, const struct pipeline_task *task)
{
    for (size_t i = 0; i < json_count(results); i++) {
        const struct json *result = &results->items[i];
        const struct json *list = json_get(result, "launch_results");
        int64_t number;

        if (strcmp(json_text(json_get(result, "experiment"), ""), task->experiment->name) != 0 ||
            !json_integer(json_get(result, "threads"), &number) || number != task->threads)
            continue;
        for (size_t k = 0; k < json_count(list); k++)
            if (json_integer(json_get(&list->items[k], "launch"), &number) && number == task->launch)
                return &list->items[k];
    }
    return NULL;
}

static void recall_task(struct pipeline_task *task, const struct json *earlier)
{
    bool has_files = pipeline_file_exists(task->files[RUN_ETDUMP]) || pipeline_file_exists(task->files[RUN_LOG]) ||
                     pipeline_file_exists(task->files[RUN_XNNTRACE]);
    int64_t number;

    task->earlier = earlier;
    if (json_integer(json_get(earlier, "warmup_in_process"), &number) && number >= 0 && number <= UINT32_MAX)
        task->warmup_in_process = (uint32_t)number;
    task->note = json_text(json_get(earlier, "note"), NULL);
    task->nan_in_output = json_truth(json_get(earlier, "nan_in_output"), false);
    if (!json_decimal(json_get(earlier, "wall_s"), &task->wall_s))
        task->wall_s = 0;
    if (strcmp(json_text(json_get(earlier, "status"), ""), run_state_key(RUN_STATE_FAILED)) == 0) {
        task->state = RUN_STATE_FAILED;
        task->reason = json_text(json_get(earlier, "reason"), "an earlier call says no more");
    } else if (has_files) {
        task->state = RUN_STATE_FOUND;
    }
}

/* A list of texts as one text. */
static const char *joined(struct pipeline *pipeline, const struct json *list)
{
    const char *made = "";

    for (size_t i = 0; made && i < json_count(list); i++)
        if (list->items[i].type == JSON_STRING)
            made = pipeline_text(pipeline, "%s%s%s", made, *made ? " " : "", list->items[i].text.data);
    return made ? made : "";
}

static void recall_device(struct pipeline *pipeline, const struct json *root)
{
    const struct json *device = json_get(root, "device");
    const struct json *tree = json_get(root, "executorch");
    int64_t cores = 0;

    pipeline->device_known = device && device->type == JSON_OBJECT;
    pipeline->device = (struct pipeline_device){
        .architecture = json_text(json_get(device, "architecture"), ""),
        .os = json_text(json_get(device, "os"), ""),
        .version = json_text(json_get(device, "version"), ""),
        .cpu = json_text(json_get(device, "cpu"), ""),
        .model = json_text(json_get(device, "model"), ""),
        .features = joined(pipeline, json_get(device, "cpu_features")),
    };
    if (json_integer(json_get(device, "cores"), &cores) && cores > 0 && cores < UINT32_MAX)
        pipeline->device.cores = (uint32_t)cores;
    pipeline->tree = (struct pipeline_tree){
        .present = json_truth(json_get(tree, "present"), false),
        .sha = json_text(json_get(tree, "sha"), ""),
        .dirty = json_truth(json_get(tree, "dirty"), false),
    };
}

/* `*root` is NULL where there is none. The tree lives as long as the pipeline. */
static status read_manifest(struct pipeline *pipeline, const struct json **root)
{
    const char *path = pipeline_text(pipeline, "%s/manifest.json", pipeline->output_root);
    status code;

    *root = NULL;
    if (!path)
        return status_no_memory("reading an earlier manifest");
    if (!pipeline_file_exists(path))
        return STATUS_OK;
    code = json_parse_file(&pipeline->arena, path, LARGEST_MANIFEST, root);
    if (code != STATUS_INPUT)
        return code;
    pipeline_warn(pipeline, "the earlier manifest is not used: %s", status_message());
    *root = NULL;
    return STATUS_OK;
}

static status recall(struct pipeline *pipeline)
{
    const struct json *root, *results;
    status code = read_manifest(pipeline, &root);

    if (code != STATUS_OK)
        return code;
    results = json_get(root, "results");
    if (pipeline->options->analysis_only)
        recall_device(pipeline, root);
    for (size_t i = 0; i < pipeline->task_count; i++) {
        struct pipeline_task *task = &pipeline->tasks[i];

        if (!runs_now(pipeline, task))
            recall_task(task, find_launch(results, task));
    }
    return STATUS_OK;
}

/* ---- Files of other configurations ---- */

static bool belongs(const struct pipeline *pipeline, const char *path)
{
    for (size_t i = 0; i < pipeline->task_count; i++)
        if (pipeline->tasks[i].files[RUN_ETDUMP] && strcmp(path, pipeline->tasks[i].files[RUN_ETDUMP]) == 0)
            return true;
    return false;
}

/* Dumps of other thread counts or launches than the configuration has now are in no manifest, and so in no report. */
static status warn_of_strangers(const struct pipeline *pipeline, const struct pipeline_experiment *experiment)
{
    struct path path = { .text = NULL };
    struct folder_names names = { .arena = ARENA_EMPTY };
    status code = path_set(&path, "%s/%s", pipeline->output_root, experiment->name);
    size_t folder = path.length;

    if (code == STATUS_OK && path_is_folder(path.text)) {
        code = folder_list(path.text, &names);
        code = code == STATUS_INPUT ? STATUS_OK : code; /* whoever writes there will say so */
    }
    for (size_t i = 0; i < names.count && code == STATUS_OK; i++) {
        if (!path_ends(names.names[i], ".etdump"))
            continue;
        path_cut(&path, folder);
        code = path_add(&path, names.names[i]);
        if (code == STATUS_OK && !belongs(pipeline, path.text))
            pipeline_warn(pipeline, "%s is not of this configuration: no report counts it in", path.text);
    }
    folder_free(&names);
    path_free(&path);
    return code;
}

/* ---- The whole ---- */

/* STATUS_NO with a sentence where tasks of this call failed. */
static status sum_up(const struct pipeline *pipeline)
{
    const struct pipeline_task *first = NULL;
    size_t failed = 0, ran = 0, there = 0;

    for (size_t i = 0; i < pipeline->task_count; i++) {
        const struct pipeline_task *task = &pipeline->tasks[i];

        there += task->state == RUN_STATE_FOUND;
        ran += task->ran_now;
        if (task->ran_now && task->state == RUN_STATE_FAILED) {
            failed++;
            first = first ? first : task;
        }
    }
    if (pipeline->options->analysis_only && !there)
        return status_fail(STATUS_INPUT, "%s: no dump or log of this configuration lies there", pipeline->output_root);
    if (!failed)
        return STATUS_OK;
    assert(first->reason);
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
        code = recall(pipeline);
    if (code == STATUS_OK && !analysis_only)
        code = pipeline_describe_tree(pipeline);
    return code;
}

status pipeline_run(const struct pipeline_options *options, struct pipeline *pipeline)
{
    status code;

    assert(options->config);
    *pipeline = (struct pipeline){ .arena = ARENA_EMPTY, .options = options };
    code = prepare(pipeline);
    if (code != STATUS_OK)
        return code;
    pipeline_tell(pipeline, "%s on %s, %zu launches, into %s", pipeline->model_path,
                  pipeline->platform == PIPELINE_ANDROID ? "an Android device" : "this machine", pipeline->task_count,
                  pipeline->output_root);
    for (size_t i = 0; i < pipeline->config.experiment_count && code == STATUS_OK; i++)
        code = warn_of_strangers(pipeline, &pipeline->config.experiments[i]);
    if (code == STATUS_OK && !options->analysis_only)
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

/* ---- The verb ---- */

struct settings_of_pipeline {
    struct pipeline_options options; /* but for what is only */
    struct texts only;               /* experiments; none: all */
    bool verbose;                    /* say what is done */
};

static const struct option options[] = {
    { "config", 0, OPTION_TEXT, offsetof(struct settings_of_pipeline, options.config), "FILE",
      "model, experiments, where to write (JSON)" },
    { "platform", 0, OPTION_TEXT, offsetof(struct settings_of_pipeline, options.platform), "mac|android",
      "this machine, or a device over adb" },
    { "remote-device", 0, OPTION_TEXT, offsetof(struct settings_of_pipeline, options.remote_device), "HOST:PORT",
      "the device to connect to over the network" },
    { "only", 0, OPTION_LIST, offsetof(struct settings_of_pipeline, only), "NAME...", "run only these experiments" },
    { "analysis-only", 0, OPTION_FLAG, offsetof(struct settings_of_pipeline, options.analysis_only), NULL,
      "run nothing, redo the analysis of what is there" },
    { "verbose", 'v', OPTION_FLAG, offsetof(struct settings_of_pipeline, verbose), NULL, "say what is done" },
    { 0 },
};

/* A line that cannot be kept is lost; the run goes on. */
static void tell_job(void *context, const char *line)
{
    if (job_tell(context, "%s", line) != STATUS_OK)
        status_clear();
}

static void warn_job(void *context, const char *line)
{
    job_warn(context, line);
}

/* A line for each experiment, then the folder. */
static void write_results(struct output *output, const void *data, const struct printer_style *style)
{
    enum { NAME_WIDTH = 28 };
    const struct pipeline *pipeline = data;
    struct pipeline_group group;
    struct text name;
    size_t width;

    (void)style;
    for (size_t i = 0; i < pipeline->task_count; i += group.count) {
        if (pipeline_group(pipeline, i, &group) != STATUS_OK)
            return;
        name = text_of(group.tasks->experiment->name);
        width = format_width(name.data, name.length);
        text_write_clean(output, name);
        output_format(output, "%*s %2u thread%s  ", width < NAME_WIDTH ? (int)(NAME_WIDTH - width) : 0, "",
                      group.tasks->threads, group.tasks->threads == 1 ? " " : "s");
        if (group.inferences)
            output_format(output, "%.3f ms  (%zu launch%s, %zu runs)  ", group.statistics.median_ms, group.measured,
                          group.measured == 1 ? "" : "es", group.inferences);
        output_format(output, "%s\n", group.status);
    }
    text_write_clean(output, text_of(pipeline->output_root));
    output_write(output, "\n", 1);
}

/* The manifest. */
static void write_json(struct output *output, const void *data, const struct printer_style *style)
{
    status code = pipeline_print_manifest(data, output);

    (void)style;
    (void)code; /* failures of the output stick there */
}

static void free_pipeline(void *data)
{
    pipeline_free(data);
    memory_free(data);
}

/* Takes the pipeline over. */
static status show(struct job *job, struct pipeline *pipeline)
{
    status code = job_block(job, "results", write_results, pipeline, NULL);

    if (code != STATUS_OK) {
        free_pipeline(pipeline);
        return code;
    }
    return job_json(job, write_json, pipeline, free_pipeline);
}

static status run(struct job *job)
{
    struct settings_of_pipeline *settings = job->settings;
    struct pipeline_options *given = &settings->options;
    struct pipeline *pipeline;
    status code, shown = STATUS_OK;

    if (job->inputs.count)
        return status_fail(STATUS_USAGE, "tacho pipeline takes no file but --config; \"%s\" is one too many",
                           job->inputs.items[0]);
    if (!given->config)
        return status_fail(STATUS_USAGE, "tacho pipeline wants --config FILE");
    given->only = settings->only.items;
    given->only_count = settings->only.count;
    given->listener = (struct pipeline_listener){ settings->verbose ? tell_job : NULL, warn_job, job };
    pipeline = memory_allocate(sizeof *pipeline);
    if (!pipeline)
        return status_no_memory("starting");
    code = pipeline_run(given, pipeline);
    if (code == STATUS_OK || code == STATUS_NO)
        shown = show(job, pipeline);
    else
        free_pipeline(pipeline);
    return shown == STATUS_OK ? code : shown;
}

const struct verb pipeline_verb = {
    .name = "pipeline",
    .summary = "run a model as a configuration says, and write the run directory",
    .usage = "--config FILE [--only NAME...] [options]",
    .takes = VERB_JSON,
    .options = options,
    .settings_size = sizeof(struct settings_of_pipeline),
    .run = run,
};
