/* pipeline_plan.c: from a configuration to tasks: on which platform, from which files, into which ones, in which order. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "executorch/pipeline.h"

enum { MOST_PARENTS = 16, MOST_TASKS = 100000 };

/* ---- Shared by the parts ---- */

const char *pipeline_text(struct pipeline *pipeline, const char *format, ...)
{
    va_list arguments;
    const char *text;

    va_start(arguments, format);
    text = arena_format(&pipeline->arena, format, arguments);
    va_end(arguments);
    return text;
}

/* A line that cannot be made for want of memory is not told; whatever needs memory next says so. */
static void tell(const struct pipeline *pipeline, void (*listener)(void *context, const char *line), const char *format,
                 va_list arguments)
{
    struct arena arena = ARENA_EMPTY;
    const char *line = listener ? arena_format(&arena, format, arguments) : NULL;

    if (line)
        listener(pipeline->options->listener.context, line);
    arena_free(&arena);
}

void pipeline_tell(const struct pipeline *pipeline, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    tell(pipeline, pipeline->options->listener.progress, format, arguments);
    va_end(arguments);
}

void pipeline_warn(const struct pipeline *pipeline, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    tell(pipeline, pipeline->options->listener.warning, format, arguments);
    va_end(arguments);
}

const char *pipeline_mode_name(enum pipeline_mode mode)
{
    return mode == PIPELINE_TRACE ? "xnntrace" : "timing";
}

bool pipeline_file_exists(const char *path)
{
    struct stat found;

    return path && stat(path, &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0;
}

const struct pipeline_artifact *pipeline_artifacts(enum pipeline_mode mode)
{
    static const struct pipeline_artifact timing[] = {
        { RUN_ETDUMP, ".etdump", "etdump" },
        { RUN_LOG, "_latency.log", "latency_log" },
        { RUN_TIMELINE, "_exec_all_runs_timeline.csv", "timeline_all" },
        { RUN_TIMELINE_RUN, "_exec_run0_timeline.csv", "timeline_run0" },
        { RUN_OPS_STATS, "_exec_ops_stats.csv", NULL },
        { RUN_ROBUST_STATS, "_exec_all_runs_timeline_robust_stats.json", NULL },
        { 0 },
    };
    static const struct pipeline_artifact trace[] = {
        { RUN_XNNTRACE, "_xnntrace.log", "xnntrace_log" },
        { RUN_KERNELS, "_kernels.csv", "kernel_csv" },
        { 0 },
    };

    assert(mode <= PIPELINE_TRACE);
    return mode == PIPELINE_TRACE ? trace : timing;
}

/* ---- Platform ---- */

static bool says_android(const char *text)
{
    return text_find_any_case(text_of(text), "android");
}

static status parse_platform(const char *text, const char *where, enum pipeline_platform *platform)
{
    if (strcmp(text, "android") == 0)
        *platform = PIPELINE_ANDROID;
    else if (strcmp(text, "mac") == 0 || strcmp(text, "macos") == 0 || strcmp(text, "linux") == 0)
        *platform = PIPELINE_HERE;
    else
        return status_fail(where ? STATUS_INPUT : STATUS_USAGE, "%s%s wants mac or android, not \"%s\"",
                           where ? where : "", where ? ": platform" : "--platform", text);
    return STATUS_OK;
}

static status find_platform(struct pipeline *pipeline)
{
    const struct pipeline_config *config = &pipeline->config;
    bool android;

    if (pipeline->options->platform)
        return parse_platform(pipeline->options->platform, NULL, &pipeline->platform);
    if (config->platform)
        return parse_platform(config->platform, config->path, &pipeline->platform);
    android = pipeline->options->remote_device || config->remote_device || says_android(config->output_root) ||
              says_android(path_name(config->path));
    for (size_t i = 0; i < config->experiment_count; i++)
        android |= says_android(config->experiments[i].name) || says_android(config->experiments[i].runner);
    pipeline->platform = android ? PIPELINE_ANDROID : PIPELINE_HERE;
    return STATUS_OK;
}

/* ---- Paths ---- */

/* The folders from which a relative path may count: this one, the configuration's, and those above it. "" is this one. */
struct bases {
    const char *items[MOST_PARENTS + 1]; /* the nearest first */
    size_t count;                        /* of items */
};

static status find_bases(struct pipeline *pipeline, struct bases *bases)
{
    char *folder = arena_copy(&pipeline->arena, pipeline->config.path, strlen(pipeline->config.path));
    char *slash;

    if (!folder)
        return status_no_memory("planning a pipeline");
    bases->items[0] = "";
    bases->count = 1;
    while ((slash = strrchr(folder, '/')) && slash > folder && bases->count <= MOST_PARENTS) {
        *slash = '\0';
        bases->items[bases->count] = pipeline_text(pipeline, "%s/", folder);
        if (!bases->items[bases->count++])
            return status_no_memory("planning a pipeline");
    }
    return STATUS_OK;
}

/* `base` + "executorch/" or nothing + `path`, where a file lies there; `*found` stays NULL where none does. */
static status try_path(struct pipeline *pipeline, const char *base, const char *middle, const char *path,
                       const char **found)
{
    const char *joined;

    if (*found)
        return STATUS_OK;
    /* A program without a slash would be looked up in PATH. */
    joined =
        pipeline_text(pipeline, "%s%s%s%s", !*base && !*middle && !strchr(path, '/') ? "./" : "", base, middle, path);
    if (!joined)
        return status_no_memory("planning a pipeline");
    if (path_is_file(joined))
        *found = joined;
    return STATUS_OK;
}

static status find_model(struct pipeline *pipeline, const struct bases *bases, const char **base)
{
    const char *path = pipeline->config.model;
    const char *slash = strrchr(path, '/');
    struct text stem = path_without_suffix(text_of(slash ? slash + 1 : path));
    const char *found = NULL;
    status code = STATUS_OK;

    *base = "";
    for (size_t i = 0; i < (*path == '/' ? 1 : bases->count) && code == STATUS_OK && !found; i++) {
        code = try_path(pipeline, bases->items[i], "", path, &found);
        if (found)
            *base = bases->items[i];
    }
    if (code != STATUS_OK)
        return code;
    pipeline->model_found = found;
    pipeline->model_path = found ? found : path;
    pipeline->model_stem = arena_copy(&pipeline->arena, stem.data, stem.length);
    if (!pipeline->model_stem)
        return status_no_memory("planning a pipeline");
    if (!stem.length)
        return status_fail(STATUS_INPUT, "%s: model: \"%s\" names a folder", pipeline->config.path, path);
    return STATUS_OK;
}

/* The length of the folder that holds what is at `path`, of which `length` bytes count; without its slash. 0: none is named. */
static size_t parent_length(const char *path, size_t length)
{
    while (length && path[length - 1] != '/')
        length--;
    return length ? length - 1 : 0;
}

static bool folder_begins(const char *path, size_t length, const char *with)
{
    size_t parent = parent_length(path, length);
    size_t start = parent || *path == '/' ? parent + 1 : 0;

    return length > start && strncmp(path + start, with, strlen(with)) == 0;
}

/* Without a configured folder: beside the folder "artifacts" that holds the model, or in the nearest folder out_... above it. */
static status default_output_root(struct pipeline *pipeline)
{
    const char *leaf = pipeline->platform == PIPELINE_ANDROID ? "android" : "results";
    const char *path = pipeline->model_path;
    size_t folder = parent_length(path, strlen(path));
    size_t chosen = folder;

    if (folder_begins(path, folder, "artifacts/")) {
        chosen = parent_length(path, folder);
    } else {
        for (size_t above = parent_length(path, folder); above && chosen == folder; above = parent_length(path, above))
            if (folder_begins(path, above, "out_"))
                chosen = above;
    }
    pipeline->output_root =
        pipeline_text(pipeline, "%.*s%s%s", (int)chosen, path, chosen || *path == '/' ? "/" : "", leaf);
    return pipeline->output_root ? STATUS_OK : status_no_memory("planning a pipeline");
}

static status find_output_root(struct pipeline *pipeline, const char *base)
{
    const char *given = pipeline->config.output_root;
    size_t length;

    if (!given)
        return default_output_root(pipeline);
    for (length = strlen(given); length > 1 && given[length - 1] == '/';)
        length--;
    pipeline->output_root = pipeline_text(pipeline, "%s%.*s", *given == '/' ? "" : base, (int)length, given);
    return pipeline->output_root ? STATUS_OK : status_no_memory("planning a pipeline");
}

/* As the original looks for it: in the tree that EXECUTORCH_DIR names, in executorch/, and where it says. */
static status find_runner(struct pipeline *pipeline, const struct bases *bases, struct pipeline_experiment *experiment)
{
    const char *path = experiment->runner;
    const char *tree = getenv("EXECUTORCH_DIR");
    struct text inside = text_of(path);
    status code = STATUS_OK;

    if (*path == '/')
        return try_path(pipeline, "", "", path, &experiment->runner_path);
    text_cut_start(&inside, "executorch/");
    if (tree && *tree)
        code = try_path(pipeline, tree, "/", inside.data, &experiment->runner_path);
    for (size_t i = 0; i < bases->count && code == STATUS_OK; i++) {
        code = try_path(pipeline, bases->items[i], "executorch/", path, &experiment->runner_path);
        if (code == STATUS_OK)
            code = try_path(pipeline, bases->items[i], "", path, &experiment->runner_path);
    }
    return code;
}

/* ---- Which experiments ---- */

static status select_experiments(struct pipeline *pipeline)
{
    const struct pipeline_options *options = pipeline->options;
    struct pipeline_config *config = &pipeline->config;

    if (!options->only_count)
        return STATUS_OK;
    for (size_t i = 0; i < config->experiment_count; i++)
        config->experiments[i].selected = false;
    for (size_t k = 0; k < options->only_count; k++) {
        size_t i = 0;

        while (i < config->experiment_count && strcmp(config->experiments[i].name, options->only[k]) != 0)
            i++;
        if (i == config->experiment_count)
            return status_fail(STATUS_USAGE, "--only %s: %s has no such experiment; it has %s%s%s", options->only[k],
                               config->path, config->experiments[0].name, config->experiment_count > 1 ? ", " : "",
                               config->experiment_count > 2   ? "..."
                               : config->experiment_count > 1 ? config->experiments[1].name
                                                              : "");
        config->experiments[i].selected = true;
    }
    return STATUS_OK;
}

/* The next word of a name, without those that only say what kind of run it is: mac_sme2_on_trace goes with mac_sme2_on. */
static bool next_word(const char **at, const char **word, size_t *length)
{
    static const char *const kinds[] = { "trace", "xnntrace", "xnnlog", "log", "kernels", "timing", "quiet" };

    for (;;) {
        bool is_kind = false;

        *at += strspn(*at, "_-. ");
        *word = *at;
        *length = strcspn(*at, "_-. ");
        *at += *length;
        for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
            is_kind |= text_is_any_case((struct text){ *word, *length }, kinds[i]);
        if (!*length || !is_kind)
            return *length > 0;
    }
}

static bool same_words(const char *one, const char *other)
{
    const char *a, *b;
    size_t a_length, b_length;

    for (;;) {
        bool more = next_word(&one, &a, &a_length);

        if (more != next_word(&other, &b, &b_length))
            return false;
        if (!more)
            return true;
        if (a_length != b_length || !text_same_any_case(a, b, a_length))
            return false;
    }
}

static void pair_traces(struct pipeline_config *config)
{
    for (size_t i = 0; i < config->experiment_count; i++) {
        struct pipeline_experiment *trace = &config->experiments[i];

        for (size_t k = 0; k < config->experiment_count && trace->mode == PIPELINE_TRACE && !trace->timing; k++)
            if (config->experiments[k].mode == PIPELINE_TIMING && same_words(trace->name, config->experiments[k].name))
                trace->timing = &config->experiments[k];
    }
}

/* ---- Tasks ---- */

static status make_task(struct pipeline *pipeline, const struct pipeline_experiment *experiment, uint32_t threads,
                        uint32_t launch)
{
    struct pipeline_task *task = &pipeline->tasks[pipeline->task_count++];
    char suffix[16] = "";
    bool complete;

    assert(launch >= 1 && launch <= experiment->launches);
    if (experiment->launches > 1)
        snprintf(suffix, sizeof suffix, "_l%u", launch);
    *task = (struct pipeline_task){
        .experiment = experiment,
        .threads = threads,
        .launch = launch,
        .warmup_in_process = experiment->warmup_in_process ? experiment->warmup : 0,
        .stem = pipeline_text(pipeline, "%s/%s/%s_%s_t%u%s", pipeline->output_root, experiment->name,
                              pipeline->model_stem, experiment->name, threads, suffix),
    };
    complete = task->stem;
    for (const struct pipeline_artifact *one = pipeline_artifacts(experiment->mode); complete && one->role; one++) {
        task->files[one->role] = pipeline_text(pipeline, "%s%s", task->stem, one->suffix);
        complete = task->files[one->role];
    }
    return complete ? STATUS_OK : status_no_memory("planning a pipeline");
}

static status make_tasks(struct pipeline *pipeline)
{
    const struct pipeline_config *config = &pipeline->config;
    size_t count = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < config->experiment_count; i++)
        count += config->experiments[i].thread_count * config->experiments[i].launches;
    if (count > MOST_TASKS)
        return status_fail(STATUS_INPUT, "%s: more than %d launches in all", config->path, MOST_TASKS);
    pipeline->tasks = arena_allocate(&pipeline->arena, count * sizeof *pipeline->tasks, _Alignof(struct pipeline_task));
    pipeline->order = arena_allocate(&pipeline->arena, count * sizeof *pipeline->order, _Alignof(uint32_t));
    if (!pipeline->tasks || !pipeline->order)
        return status_no_memory("planning a pipeline");
    for (size_t i = 0; i < config->experiment_count; i++) {
        const struct pipeline_experiment *experiment = &config->experiments[i];

        for (size_t t = 0; t < experiment->thread_count; t++)
            for (uint32_t launch = 1; launch <= experiment->launches && code == STATUS_OK; launch++)
                code = make_task(pipeline, experiment, experiment->threads[t], launch);
    }
    return code;
}

/* Where a task stands in the order: all timing before the first trace (which is noisy and tells no times), then round by round,
 * in a round by number of threads, so that the experiments that are compared run side by side. */
static int compare_turns(const void *one, const void *other, void *tasks)
{
    const struct pipeline_task *a = (const struct pipeline_task *)tasks + *(const uint32_t *)one;
    const struct pipeline_task *b = (const struct pipeline_task *)tasks + *(const uint32_t *)other;

    if (a->experiment->mode != b->experiment->mode)
        return a->experiment->mode < b->experiment->mode ? -1 : 1;
    if (a->launch != b->launch)
        return a->launch < b->launch ? -1 : 1;
    if (a->threads != b->threads)
        return a->threads < b->threads ? -1 : 1;
    return *(const uint32_t *)one < *(const uint32_t *)other ? -1 : 1;
}

static void order_tasks(struct pipeline *pipeline)
{
    for (uint32_t i = 0; i < pipeline->task_count; i++)
        pipeline->order[i] = i;
    qsort_r(pipeline->order, pipeline->task_count, sizeof *pipeline->order, compare_turns, pipeline->tasks);
}

status pipeline_plan(struct pipeline *pipeline)
{
    struct bases bases = { .count = 0 };
    const char *base = "";
    status code = find_platform(pipeline);

    assert(!pipeline->tasks && "a plan is made once");
    if (code == STATUS_OK)
        code = select_experiments(pipeline);
    if (code == STATUS_OK)
        code = find_bases(pipeline, &bases);
    if (code == STATUS_OK)
        code = find_model(pipeline, &bases, &base);
    if (code == STATUS_OK)
        code = find_output_root(pipeline, base);
    for (size_t i = 0; i < pipeline->config.experiment_count && code == STATUS_OK; i++)
        code = find_runner(pipeline, &bases, &pipeline->config.experiments[i]);
    pair_traces(&pipeline->config);
    if (code == STATUS_OK)
        code = make_tasks(pipeline);
    if (code == STATUS_OK)
        order_tasks(pipeline);
    return code;
}
