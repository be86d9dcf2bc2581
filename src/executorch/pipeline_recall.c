/* pipeline_recall.c: what the manifest of an earlier call says about what does not run now. */
#include <string.h>

#include "base/input.h"
#include "base/json.h"
#include "executorch/pipeline.h"

enum { LARGEST_MANIFEST = 512 * 1024 * 1024 };

static bool runs_now(const struct pipeline *pipeline, const struct pipeline_task *task)
{
    return !pipeline->options->analysis_only && task->experiment->selected;
}

static bool has_files(const struct pipeline_task *task)
{
    static const char *const of_timing[] = { PIPELINE_ETDUMP, PIPELINE_LOG, NULL };
    static const char *const of_trace[] = { PIPELINE_TRACE_LOG, NULL };

    for (const char *const *suffix = task->experiment->mode == PIPELINE_TRACE ? of_trace : of_timing; *suffix;
         suffix++) {
        char path[PIPELINE_PATH];

        pipeline_path(task, *suffix, path);
        if (pipeline_file_exists(path))
            return true;
    }
    return false;
}

/* The result of this experiment and thread count, and in it the object of this launch. */
static const struct json *find_launch(const struct json *results, const struct pipeline_task *task)
{
    for (size_t i = 0; results && results->type == JSON_ARRAY && i < results->count; i++) {
        const struct json *result = &results->items[i];
        const struct json *list = json_get(result, "launch_results");
        int64_t number;

        if (strcmp(json_text(json_get(result, "experiment"), ""), task->experiment->name) != 0 ||
            !json_integer(json_get(result, "threads"), &number) || number != task->threads)
            continue;
        for (size_t k = 0; list && list->type == JSON_ARRAY && k < list->count; k++)
            if (json_integer(json_get(&list->items[k], "launch"), &number) && number == task->launch)
                return &list->items[k];
    }
    return NULL;
}

static const char *keep_text(struct pipeline *pipeline, const struct json *value)
{
    const char *text = json_text(value, NULL);

    return text ? arena_copy(&pipeline->arena, text, strlen(text)) : NULL;
}

static void recall_task(struct pipeline *pipeline, struct pipeline_task *task, const struct json *earlier)
{
    int64_t number;

    if (json_integer(json_get(earlier, "warmup_in_process"), &number) && number >= 0 && number <= UINT32_MAX)
        task->warmup_in_process = (uint32_t)number;
    task->note = keep_text(pipeline, json_get(earlier, "note"));
    task->nan_in_output = json_truth(json_get(earlier, "nan_in_output"), false);
    if (!json_decimal(json_get(earlier, "wall_s"), &task->wall_s))
        task->wall_s = 0;
    if (strcmp(json_text(json_get(earlier, "status"), ""), "failed") == 0) {
        task->state = PIPELINE_FAILED;
        task->reason = keep_text(pipeline, json_get(earlier, "reason"));
    } else if (has_files(task)) {
        task->state = PIPELINE_FOUND;
    }
}

static const char *device_text(struct pipeline *pipeline, const struct json *device, const char *key)
{
    const char *text = keep_text(pipeline, json_get(device, key));

    return text ? text : "";
}

/* A list of texts as one text. */
static const char *joined(struct pipeline *pipeline, const struct json *list)
{
    size_t length = 0;
    char *made, *to;

    for (size_t i = 0; list && list->type == JSON_ARRAY && i < list->count; i++)
        length += list->items[i].type == JSON_STRING ? list->items[i].text.length + 1 : 0;
    made = to = length ? arena_allocate(&pipeline->arena, length, 1) : NULL;
    if (!made)
        return "";
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].type != JSON_STRING)
            continue;
        if (to > made)
            *to++ = ' ';
        memcpy(to, list->items[i].text.data, list->items[i].text.length);
        to += list->items[i].text.length;
    }
    *to = '\0';
    return made;
}

static void recall_device(struct pipeline *pipeline, const struct json *root)
{
    const struct json *device = json_get(root, "device");
    const struct json *tree = json_get(root, "executorch");
    int64_t cores = 0;

    pipeline->device_known = device && device->type == JSON_OBJECT;
    pipeline->device = (struct pipeline_device){
        .architecture = device_text(pipeline, device, "architecture"),
        .os = device_text(pipeline, device, "os"),
        .version = device_text(pipeline, device, "version"),
        .cpu = device_text(pipeline, device, "cpu"),
        .model = device_text(pipeline, device, "model"),
        .features = joined(pipeline, json_get(device, "cpu_features")),
    };
    if (json_integer(json_get(device, "cores"), &cores) && cores > 0 && cores < UINT32_MAX)
        pipeline->device.cores = (uint32_t)cores;
    pipeline->tree = (struct pipeline_tree){
        .present = json_truth(json_get(tree, "present"), false),
        .sha = device_text(pipeline, tree, "sha"),
        .dirty = json_truth(json_get(tree, "dirty"), false),
    };
}

/* `*root` is NULL where there is none. */
static status read_manifest(struct pipeline *pipeline, const struct json **root)
{
    const char *path = pipeline_text(pipeline, "%s/manifest.json", pipeline->output_root);
    struct input *input;
    struct text text;
    status code;

    *root = NULL;
    if (!path)
        return status_no_memory("reading an earlier manifest");
    if (!pipeline_file_exists(path))
        return STATUS_OK;
    code = input_open(path, &input);
    if (code == STATUS_OK) {
        code = input_whole(input, LARGEST_MANIFEST, &text);
        if (code == STATUS_OK)
            code = json_parse(&pipeline->arena, path, text, root);
        input_close(input);
    }
    if (code != STATUS_INPUT)
        return code;
    pipeline_warn(pipeline, "the earlier manifest is not used: %s", status_message());
    *root = NULL;
    return STATUS_OK;
}

status pipeline_recall(struct pipeline *pipeline, bool with_device)
{
    const struct json *root, *results;
    status code = read_manifest(pipeline, &root);

    if (code != STATUS_OK)
        return code;
    results = json_get(root, "results");
    if (with_device)
        recall_device(pipeline, root);
    for (size_t i = 0; i < pipeline->task_count; i++) {
        struct pipeline_task *task = &pipeline->tasks[i];
        const struct json *earlier = find_launch(results, task);

        if (runs_now(pipeline, task))
            continue;
        if (earlier)
            recall_task(pipeline, task, earlier);
        else if (has_files(task))
            task->state = PIPELINE_FOUND;
    }
    return STATUS_OK;
}
