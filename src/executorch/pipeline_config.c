/* pipeline_config.c: the configuration: what is known, what is wrong, what is not understood. */
#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "base/json.h"
#include "executorch/pipeline.h"

enum {
    LARGEST_CONFIG = 16 * 1024 * 1024,
    LONGEST_NAME = 160, /* of an experiment: it becomes part of file names */
    MOST_RUNS = 1000000,
    MOST_LAUNCHES = 1000,
    MOST_THREADS = 1024,
    MOST_SECONDS = 1000000,
    DEFAULT_RUNS = 100,
    DEFAULT_WARMUP = 10,
    DEFAULT_LAUNCHES = 5,
    DEFAULT_TIMEOUT_S = 600,
};

/* One value on its way: where it stands for a person to find it. */
struct reading {
    struct pipeline *pipeline;
    struct pipeline_config *config;
    const struct json *root;
};

static status wrong(const struct reading *reading, const char *place, const char *key, const char *what)
{
    return status_fail(STATUS_INPUT, "%s: %s%s%s: %s", reading->config->path, place, *place && *key ? "." : "", key,
                       what);
}

/* ---- Single values ---- */

static status read_text(const struct reading *reading, const struct json *object, const char *place, const char *key,
                        const char **text)
{
    const struct json *value = json_get(object, key);

    *text = NULL;
    if (!value || value->type == JSON_NULL)
        return STATUS_OK;
    if (value->type != JSON_STRING)
        return wrong(reading, place, key, "a text is wanted");
    if (memchr(value->text.data, '\0', value->text.length))
        return wrong(reading, place, key, "the text has a NUL in it");
    if (value->text.length)
        *text = value->text.data;
    return STATUS_OK;
}

static status read_count(const struct reading *reading, const struct json *object, const char *place, const char *key,
                         uint32_t least, uint32_t most, uint32_t otherwise, uint32_t *count)
{
    const struct json *value = json_get(object, key);
    char what[96];
    int64_t number;

    *count = otherwise;
    if (!value || value->type == JSON_NULL)
        return STATUS_OK;
    snprintf(what, sizeof what, "a whole number from %u to %u is wanted", least, most);
    if (!json_integer(value, &number) || number < least || number > most)
        return wrong(reading, place, key, what);
    *count = (uint32_t)number;
    return STATUS_OK;
}

static status read_timeout(const struct reading *reading, const struct json *object, const char *place,
                           uint64_t otherwise, uint64_t *timeout_ms)
{
    const struct json *value = json_get(object, "timeout_s");
    double seconds;

    *timeout_ms = otherwise;
    if (!value || value->type == JSON_NULL)
        return STATUS_OK;
    if (!json_decimal(value, &seconds) || !(seconds >= 0.001) || seconds > MOST_SECONDS)
        return wrong(reading, place, "timeout_s", "a number of seconds over 0 is wanted");
    *timeout_ms = (uint64_t)(seconds * 1000);
    return STATUS_OK;
}

static status read_truth(const struct reading *reading, const struct json *object, const char *place, const char *key,
                         bool *truth)
{
    const struct json *value = json_get(object, key);

    if (!value || value->type == JSON_NULL)
        return STATUS_OK;
    if (value->type != JSON_TRUE && value->type != JSON_FALSE)
        return wrong(reading, place, key, "true or false is wanted");
    *truth = value->type == JSON_TRUE;
    return STATUS_OK;
}

/* Keys that nobody reads are usually misspelt. Those that begin with "_" are remarks. */
static void warn_of_unknown(const struct reading *reading, const struct json *object, const char *place,
                            const char *const *known)
{
    for (size_t i = 0; i < object->count; i++) {
        const char *key = object->keys[i].data;
        const char *const *one = known;

        while (*one && strcmp(*one, key) != 0)
            one++;
        if (!*one && *key != '_')
            pipeline_warn(reading->pipeline, "%s: %s%s%s is not known and not used", reading->config->path, place,
                          *place ? "." : "", key);
    }
}

/* ---- Experiments ---- */

static status check_name(const struct reading *reading, const struct pipeline_experiment *experiment, size_t before)
{
    const char *name = experiment->name;

    if (!name)
        return wrong(reading, experiment->place, "name", "every experiment needs one");
    if (strlen(name) > LONGEST_NAME)
        return wrong(reading, experiment->place, "name", "longer than 160 bytes");
    if (strchr(name, '/') || *name == '.' || *name == '-')
        return wrong(reading, experiment->place, "name",
                     "it becomes a folder: no \"/\", and no \".\" or \"-\" at its start");
    for (const char *at = name; *at; at++)
        if ((unsigned char)*at < ' ')
            return wrong(reading, experiment->place, "name", "it has control characters");
    for (size_t i = 0; i < before; i++)
        if (strcmp(reading->config->experiments[i].name, name) == 0)
            return wrong(reading, experiment->place, "name", "an experiment before it has the same name");
    return STATUS_OK;
}

static status read_mode(const struct reading *reading, const struct json *object,
                        struct pipeline_experiment *experiment)
{
    const char *mode;
    status code = read_text(reading, object, experiment->place, "mode", &mode);

    if (code != STATUS_OK)
        return code;
    if (!mode || strcmp(mode, "timing") == 0)
        experiment->mode = PIPELINE_TIMING;
    else if (strcmp(mode, "xnntrace") == 0)
        experiment->mode = PIPELINE_TRACE;
    else
        return wrong(reading, experiment->place, "mode", "timing or xnntrace is wanted");
    return STATUS_OK;
}

static status read_threads(const struct reading *reading, const struct json *object,
                           struct pipeline_experiment *experiment)
{
    static const struct json one = { .type = JSON_NUMBER, .text = { "1", 1 } };
    const struct json *value = json_get(object, "threads");
    const struct json *items = value ? value : &one;
    size_t count = 1;
    uint32_t *threads;

    if (value && value->type == JSON_ARRAY) {
        items = value->items;
        count = value->count;
    }
    if (!count)
        return wrong(reading, experiment->place, "threads", "the list is empty");
    threads = arena_allocate(&reading->pipeline->arena, count * sizeof *threads, _Alignof(uint32_t));
    if (!threads)
        return status_no_memory("reading a configuration");
    experiment->threads = threads;
    for (size_t i = 0; i < count; i++) {
        int64_t number;
        size_t k = 0;

        if (!json_integer(&items[i], &number) || number < 1 || number > MOST_THREADS)
            return wrong(reading, experiment->place, "threads", "whole numbers from 1 to 1024 are wanted");
        while (k < experiment->thread_count && threads[k] != (uint32_t)number)
            k++;
        if (k == experiment->thread_count)
            threads[experiment->thread_count++] = (uint32_t)number;
    }
    return STATUS_OK;
}

static status read_extra(const struct reading *reading, const struct json *object,
                         struct pipeline_experiment *experiment)
{
    const struct json *value = json_get(object, "extra_args");
    const char **extra;

    if (!value || value->type == JSON_NULL)
        return STATUS_OK;
    if (value->type != JSON_ARRAY)
        return wrong(reading, experiment->place, "extra_args", "a list of texts is wanted");
    extra = arena_allocate(&reading->pipeline->arena, (value->count + 1) * sizeof *extra, _Alignof(const char *));
    if (!extra)
        return status_no_memory("reading a configuration");
    for (size_t i = 0; i < value->count; i++) {
        const struct json *item = &value->items[i];

        /* A number is written as its text would be: ["--input_size", 224]. */
        if ((item->type != JSON_STRING && item->type != JSON_NUMBER) ||
            memchr(item->text.data, '\0', item->text.length))
            return wrong(reading, experiment->place, "extra_args", "a list of texts is wanted");
        extra[i] = arena_copy(&reading->pipeline->arena, item->text.data, item->text.length);
        if (!extra[i])
            return status_no_memory("reading a configuration");
    }
    experiment->extra = extra;
    experiment->extra_count = value->count;
    return STATUS_OK;
}

static status read_affinity(const struct reading *reading, const struct json *object,
                            struct pipeline_experiment *experiment)
{
    const struct json *value = json_get(object, "cpu_affinity");
    char *copy;

    if (!value || value->type == JSON_NULL)
        return STATUS_OK;
    if ((value->type != JSON_STRING && value->type != JSON_NUMBER) || !value->text.length ||
        strspn(value->text.data, "0123456789abcdefABCDEFxX,") < value->text.length)
        return wrong(reading, experiment->place, "cpu_affinity", "a mask such as \"0xf0\" is wanted");
    copy = arena_copy(&reading->pipeline->arena, value->text.data, value->text.length);
    experiment->affinity = copy;
    return copy ? STATUS_OK : status_no_memory("reading a configuration");
}

static status read_counts(const struct reading *reading, const struct json *object,
                          struct pipeline_experiment *experiment)
{
    const char *place = experiment->place;
    uint32_t launches;
    status code = read_count(reading, reading->root, "", "launches", 1, MOST_LAUNCHES, DEFAULT_LAUNCHES, &launches);

    if (code == STATUS_OK)
        code = read_count(reading, object, place, "launches", 1, MOST_LAUNCHES, launches, &experiment->launches);
    if (code == STATUS_OK)
        code = read_count(reading, object, place, "runs", 1, MOST_RUNS, DEFAULT_RUNS, &experiment->runs);
    if (code == STATUS_OK)
        code = read_count(reading, object, place, "warmup", 0, MOST_RUNS, DEFAULT_WARMUP, &experiment->warmup);
    if (code == STATUS_OK)
        code = read_timeout(reading, reading->root, "", DEFAULT_TIMEOUT_S * 1000u, &experiment->timeout_ms);
    if (code == STATUS_OK)
        code = read_timeout(reading, object, place, experiment->timeout_ms, &experiment->timeout_ms);
    experiment->warmup_in_process = true;
    if (code == STATUS_OK)
        code = read_truth(reading, object, place, "warmup_in_process", &experiment->warmup_in_process);
    if (experiment->mode == PIPELINE_TRACE) {
        /* A trace is one execution of one process: it shows which kernels there are, and takes no times. */
        experiment->launches = 1;
        experiment->runs = 1;
        experiment->warmup = 0;
    }
    return code;
}

static status read_experiment(const struct reading *reading, const struct json *object, size_t index)
{
    static const char *const known[] = { "name",         "runner_path", "quiet_runner", "mode",
                                         "runs",         "warmup",      "threads",      "extra_args",
                                         "cpu_affinity", "launches",    "timeout_s",    "warmup_in_process",
                                         "description",  NULL };
    struct pipeline_experiment *experiment = &reading->config->experiments[index];
    const char *quiet = NULL;
    status code;

    *experiment = (struct pipeline_experiment){ .selected = true };
    experiment->place = pipeline_text(reading->pipeline, "experiments[%zu]", index);
    if (!experiment->place)
        return status_no_memory("reading a configuration");
    if (object->type != JSON_OBJECT)
        return wrong(reading, experiment->place, "", "an object is wanted");
    warn_of_unknown(reading, object, experiment->place, known);
    code = read_text(reading, object, experiment->place, "name", &experiment->name);
    if (code == STATUS_OK)
        code = check_name(reading, experiment, index);
    if (code == STATUS_OK)
        code = read_text(reading, object, experiment->place, "runner_path", &experiment->runner);
    if (code == STATUS_OK)
        code = read_text(reading, object, experiment->place, "quiet_runner", &quiet);
    if (code == STATUS_OK && !experiment->runner)
        experiment->runner = quiet;
    if (code == STATUS_OK && !experiment->runner)
        code = wrong(reading, experiment->place, "runner_path", "every experiment needs one");
    if (code == STATUS_OK)
        code = read_mode(reading, object, experiment);
    if (code == STATUS_OK)
        code = read_counts(reading, object, experiment);
    if (code == STATUS_OK)
        code = read_threads(reading, object, experiment);
    if (code == STATUS_OK)
        code = read_extra(reading, object, experiment);
    return code == STATUS_OK ? read_affinity(reading, object, experiment) : code;
}

static status read_experiments(const struct reading *reading)
{
    const struct json *list = json_get(reading->root, "experiments");
    struct pipeline_config *config = reading->config;
    status code = STATUS_OK;

    if (!list || list->type != JSON_ARRAY || !list->count)
        return wrong(reading, "", "experiments", "a list of at least one experiment is wanted");
    config->experiments = arena_allocate(&reading->pipeline->arena, list->count * sizeof *config->experiments,
                                         _Alignof(struct pipeline_experiment));
    if (!config->experiments)
        return status_no_memory("reading a configuration");
    for (size_t i = 0; i < list->count && code == STATUS_OK; i++) {
        code = read_experiment(reading, &list->items[i], i);
        config->experiment_count++;
    }
    return code;
}

/* ---- Pairs ---- */

static status read_side(const struct reading *reading, const struct json *pair, const char *place, const char *side,
                        const char **name, uint32_t *threads)
{
    const struct json *object = json_get(pair, side);
    const char *inside = pipeline_text(reading->pipeline, "%s.%s", place, side);
    status code;

    if (!inside)
        return status_no_memory("reading a configuration");
    if (!object || object->type != JSON_OBJECT)
        return wrong(reading, place, side, "an object with experiment and threads is wanted");
    code = read_text(reading, object, inside, "experiment", name);
    if (code == STATUS_OK)
        code = read_count(reading, object, inside, "threads", 1, MOST_THREADS, 1, threads);
    if (code != STATUS_OK)
        return code;
    if (!*name)
        return wrong(reading, inside, "experiment", "the name of an experiment is wanted");
    for (size_t i = 0; i < reading->config->experiment_count; i++)
        if (strcmp(reading->config->experiments[i].name, *name) == 0)
            return STATUS_OK;
    return wrong(reading, inside, "experiment", "no experiment has this name");
}

static status read_pairs(const struct reading *reading)
{
    static const char *const known[] = { "compare_pairs", NULL };
    const struct json *analysis = json_get(reading->root, "analysis");
    const struct json *list = json_get(analysis, "compare_pairs");
    struct pipeline_config *config = reading->config;
    status code = STATUS_OK;

    if (!analysis || analysis->type == JSON_NULL)
        return STATUS_OK;
    if (analysis->type != JSON_OBJECT)
        return wrong(reading, "", "analysis", "an object is wanted");
    warn_of_unknown(reading, analysis, "analysis", known);
    if (!list || list->type == JSON_NULL)
        return STATUS_OK;
    if (list->type != JSON_ARRAY)
        return wrong(reading, "analysis", "compare_pairs", "a list is wanted");
    config->pairs = arena_allocate(&reading->pipeline->arena, (list->count + 1) * sizeof *config->pairs,
                                   _Alignof(struct pipeline_pair));
    if (!config->pairs)
        return status_no_memory("reading a configuration");
    for (size_t i = 0; i < list->count && code == STATUS_OK; i++) {
        struct pipeline_pair *pair = &config->pairs[i];
        const char *place = pipeline_text(reading->pipeline, "analysis.compare_pairs[%zu]", i);

        *pair = (struct pipeline_pair){ 0 };
        if (!place)
            return status_no_memory("reading a configuration");
        code = read_side(reading, &list->items[i], place, "baseline", &pair->baseline, &pair->baseline_threads);
        if (code == STATUS_OK)
            code = read_side(reading, &list->items[i], place, "candidate", &pair->candidate, &pair->candidate_threads);
        if (code == STATUS_OK)
            code = read_text(reading, &list->items[i], place, "label", &pair->label);
        config->pair_count++;
    }
    return code;
}

/* ---- The whole ---- */

static status read_tree(const struct reading *reading)
{
    static const char *const known[] = { "model",          "output_root", "experiments", "analysis",
                                         "platform",       "launches",    "timeout_s",   "remote_device",
                                         "executorch_sha", "name",        "description", NULL };
    struct pipeline_config *config = reading->config;
    status code;

    if (reading->root->type != JSON_OBJECT)
        return wrong(reading, "", "", "the configuration is a JSON object with model and experiments");
    warn_of_unknown(reading, reading->root, "", known);
    code = read_text(reading, reading->root, "", "model", &config->model);
    if (code == STATUS_OK && !config->model)
        code = wrong(reading, "", "model", "the model's path is wanted");
    if (code == STATUS_OK)
        code = read_text(reading, reading->root, "", "output_root", &config->output_root);
    if (code == STATUS_OK)
        code = read_text(reading, reading->root, "", "platform", &config->platform);
    if (code == STATUS_OK)
        code = read_text(reading, reading->root, "", "remote_device", &config->remote_device);
    if (code == STATUS_OK)
        code = read_text(reading, reading->root, "", "executorch_sha", &config->expected_sha);
    if (code == STATUS_OK)
        code = read_experiments(reading);
    return code == STATUS_OK ? read_pairs(reading) : code;
}

status pipeline_read_config(struct pipeline *pipeline)
{
    struct reading reading = { .pipeline = pipeline, .config = &pipeline->config };
    struct input *input;
    struct text text;
    status code;

    pipeline->config = (struct pipeline_config){ .path = pipeline->options->config };
    code = input_open(pipeline->config.path, &input);
    if (code != STATUS_OK)
        return code;
    code = input_whole(input, LARGEST_CONFIG, &text);
    if (code == STATUS_OK)
        code = json_parse(&pipeline->arena, pipeline->config.path, text, &reading.root);
    input_close(input);
    return code == STATUS_OK ? read_tree(&reading) : code;
}
