/* pipeline_config.c: the configuration, as tables of its keys: what each may be, and where its value goes. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
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
    DEFAULT_TIMEOUT_MS = 600 * 1000,
};

/* What a value may be, and what its place holds then. */
enum value_kind {
    VALUE_REMARK,  /* anything; for people, or read by its own function */
    VALUE_TEXT,    /* const char *; an empty one is none */
    VALUE_COUNT,   /* uint32_t, from `least` to `most` */
    VALUE_SECONDS, /* uint64_t, in milliseconds */
    VALUE_TRUTH,   /* bool */
    VALUE_MODE,    /* enum pipeline_mode */
    VALUE_THREADS, /* in an experiment: a number or a list of them */
    VALUE_WORDS,   /* in an experiment: arguments for the runner */
    VALUE_MASK     /* const char *: of taskset */
};

struct key {
    const char *name;     /* NULL ends a table */
    enum value_kind kind; /* what it may be */
    size_t offset;        /* of its place in what the table is about */
    uint32_t least, most; /* of a count */
};

#define IN_CONFIG(field) offsetof(struct pipeline_config, field)
static const struct key config_keys[] = {
    { "model", VALUE_TEXT, IN_CONFIG(model), 0, 0 },
    { "output_root", VALUE_TEXT, IN_CONFIG(output_root), 0, 0 },
    { "platform", VALUE_TEXT, IN_CONFIG(platform), 0, 0 },
    { "remote_device", VALUE_TEXT, IN_CONFIG(remote_device), 0, 0 },
    { "executorch_sha", VALUE_TEXT, IN_CONFIG(expected_sha), 0, 0 },
    { "launches", VALUE_COUNT, IN_CONFIG(launches), 1, MOST_LAUNCHES },
    { "timeout_s", VALUE_SECONDS, IN_CONFIG(timeout_ms), 0, 0 },
    { "experiments", VALUE_REMARK, 0, 0, 0 },
    { "analysis", VALUE_REMARK, 0, 0, 0 },
    { "name", VALUE_REMARK, 0, 0, 0 },
    { "description", VALUE_REMARK, 0, 0, 0 },
    { 0 },
};

/* The later of two keys with one place counts. */
#define IN_EXPERIMENT(field) offsetof(struct pipeline_experiment, field)
static const struct key experiment_keys[] = {
    { "name", VALUE_TEXT, IN_EXPERIMENT(name), 0, 0 },
    { "quiet_runner", VALUE_TEXT, IN_EXPERIMENT(runner), 0, 0 },
    { "runner_path", VALUE_TEXT, IN_EXPERIMENT(runner), 0, 0 },
    { "mode", VALUE_MODE, IN_EXPERIMENT(mode), 0, 0 },
    { "launches", VALUE_COUNT, IN_EXPERIMENT(launches), 1, MOST_LAUNCHES },
    { "runs", VALUE_COUNT, IN_EXPERIMENT(runs), 1, MOST_RUNS },
    { "warmup", VALUE_COUNT, IN_EXPERIMENT(warmup), 0, MOST_RUNS },
    { "timeout_s", VALUE_SECONDS, IN_EXPERIMENT(timeout_ms), 0, 0 },
    { "warmup_in_process", VALUE_TRUTH, IN_EXPERIMENT(warmup_in_process), 0, 0 },
    { "threads", VALUE_THREADS, 0, 1, MOST_THREADS },
    { "extra_args", VALUE_WORDS, 0, 0, 0 },
    { "cpu_affinity", VALUE_MASK, IN_EXPERIMENT(affinity), 0, 0 },
    { "description", VALUE_REMARK, 0, 0, 0 },
    { 0 },
};

static const struct key analysis_keys[] = { { "compare_pairs", VALUE_REMARK, 0, 0, 0 }, { 0 } };

static const struct key pair_keys[] = {
    { "baseline", VALUE_REMARK, 0, 0, 0 },
    { "candidate", VALUE_REMARK, 0, 0, 0 },
    { "label", VALUE_TEXT, offsetof(struct pipeline_pair, label), 0, 0 },
    { 0 },
};

static const struct key side_keys[] = {
    { "experiment", VALUE_TEXT, offsetof(struct pipeline_side, experiment), 0, 0 },
    { "threads", VALUE_COUNT, offsetof(struct pipeline_side, threads), 1, MOST_THREADS },
    { 0 },
};

static status wrong(const struct pipeline *pipeline, const char *place, const char *key, const char *what)
{
    return status_fail(STATUS_INPUT, "%s: %s%s%s: %s", pipeline->config.path, place, *place && *key ? "." : "", key,
                       what);
}

/* ---- Single values ---- */

static bool has_nul(struct text text)
{
    return text_first(text, '\0') != NULL;
}

static bool read_seconds(const struct json *value, uint64_t *milliseconds)
{
    double seconds;

    if (!json_decimal(value, &seconds) || !(seconds >= 0.001) || seconds > MOST_SECONDS)
        return false;
    *milliseconds = (uint64_t)(seconds * 1000);
    return true;
}

static bool read_mode(const struct json *value, enum pipeline_mode *mode)
{
    const char *text = json_text(value, NULL);

    if (!text)
        return false;
    if (strcmp(text, pipeline_mode_name(PIPELINE_TRACE)) == 0)
        *mode = PIPELINE_TRACE;
    else if (*text && strcmp(text, pipeline_mode_name(PIPELINE_TIMING)) != 0)
        return false;
    return true;
}

/* One number, or a list of which each counts once. */
static status read_threads(struct pipeline *pipeline, const struct key *key, const struct json *value,
                           const char *place, struct pipeline_experiment *experiment)
{
    bool list = value->type == JSON_ARRAY;
    const struct json *items = list ? value->items : value;
    size_t count = list ? value->count : 1;
    uint32_t *threads = arena_allocate(&pipeline->arena, (count + 1) * sizeof *threads, _Alignof(uint32_t));

    if (!count)
        return wrong(pipeline, place, key->name, "the list is empty");
    if (!threads)
        return status_no_memory("reading a configuration");
    experiment->threads = threads;
    experiment->thread_count = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t number;
        size_t k = 0;

        if (!json_integer(&items[i], &number) || number < key->least || number > key->most)
            return wrong(pipeline, place, key->name, "whole numbers from 1 to 1024 are wanted");
        while (k < experiment->thread_count && threads[k] != (uint32_t)number)
            k++;
        if (k == experiment->thread_count)
            threads[experiment->thread_count++] = (uint32_t)number;
    }
    return STATUS_OK;
}

/* A number is written as its text would be: ["--input_size", 224]. */
static status read_words(struct pipeline *pipeline, const struct key *key, const struct json *value, const char *place,
                         struct pipeline_experiment *experiment)
{
    const char **words =
        arena_allocate(&pipeline->arena, (json_count(value) + 1) * sizeof *words, _Alignof(const char *));

    if (!words)
        return status_no_memory("reading a configuration");
    for (size_t i = 0; i < json_count(value); i++) {
        const struct json *item = &value->items[i];

        if ((item->type != JSON_STRING && item->type != JSON_NUMBER) || has_nul(item->text))
            return wrong(pipeline, place, key->name, "a list of texts is wanted");
        words[i] = arena_copy(&pipeline->arena, item->text.data, item->text.length);
        if (!words[i])
            return status_no_memory("reading a configuration");
    }
    experiment->extra = words;
    experiment->extra_count = json_count(value);
    return value->type == JSON_ARRAY ? STATUS_OK : wrong(pipeline, place, key->name, "a list of texts is wanted");
}

static status read_mask(struct pipeline *pipeline, const struct key *key, const struct json *value, const char *place,
                        const char **mask)
{
    if ((value->type != JSON_STRING && value->type != JSON_NUMBER) || !value->text.length ||
        strspn(value->text.data, "0123456789abcdefABCDEFxX,") < value->text.length)
        return wrong(pipeline, place, key->name, "a mask such as \"0xf0\" is wanted");
    *mask = arena_copy(&pipeline->arena, value->text.data, value->text.length);
    return *mask ? STATUS_OK : status_no_memory("reading a configuration");
}

static status read_count(struct pipeline *pipeline, const struct key *key, const struct json *value, const char *place,
                         uint32_t *count)
{
    char what[96];
    int64_t number;

    snprintf(what, sizeof what, "a whole number from %u to %u is wanted", key->least, key->most);
    if (!json_integer(value, &number) || number < key->least || number > key->most)
        return wrong(pipeline, place, key->name, what);
    *count = (uint32_t)number;
    return STATUS_OK;
}

static status read_text(struct pipeline *pipeline, const struct key *key, const struct json *value, const char *place,
                        const char **text)
{
    if (value->type != JSON_STRING)
        return wrong(pipeline, place, key->name, "a text is wanted");
    if (has_nul(value->text))
        return wrong(pipeline, place, key->name, "the text has a NUL in it");
    if (value->text.length)
        *text = value->text.data;
    return STATUS_OK;
}

/* ---- Objects ---- */

static status read_value(struct pipeline *pipeline, const struct key *key, const struct json *value, const char *place,
                         void *target)
{
    void *to = (char *)target + key->offset;

    switch (key->kind) {
    case VALUE_REMARK:
        return STATUS_OK;
    case VALUE_TEXT:
        return read_text(pipeline, key, value, place, to);
    case VALUE_COUNT:
        return read_count(pipeline, key, value, place, to);
    case VALUE_SECONDS:
        return read_seconds(value, to) ? STATUS_OK
                                       : wrong(pipeline, place, key->name, "a number of seconds over 0 is wanted");
    case VALUE_TRUTH:
        if (value->type != JSON_TRUE && value->type != JSON_FALSE)
            return wrong(pipeline, place, key->name, "true or false is wanted");
        *(bool *)to = value->type == JSON_TRUE;
        return STATUS_OK;
    case VALUE_MODE:
        return read_mode(value, to) ? STATUS_OK : wrong(pipeline, place, key->name, "timing or xnntrace is wanted");
    case VALUE_THREADS:
        return read_threads(pipeline, key, value, place, target);
    case VALUE_WORDS:
        return read_words(pipeline, key, value, place, target);
    case VALUE_MASK:
        return read_mask(pipeline, key, value, place, to);
    }
    return STATUS_OK;
}

/* Keys that nobody reads are usually misspelt. Those that begin with "_" are remarks. */
static void warn_of_unknown(const struct pipeline *pipeline, const struct json *object, const char *place,
                            const struct key *keys)
{
    for (size_t i = 0; i < object->count; i++) {
        const char *name = object->keys[i].data;
        const struct key *key = keys;

        while (key->name && strcmp(key->name, name) != 0)
            key++;
        if (!key->name && *name != '_')
            pipeline_warn(pipeline, "%s: %s%s%s is not known and not used", pipeline->config.path, place,
                          *place ? "." : "", name);
    }
}

/* Fills `target`, which has the defaults: a key that is not there, or null, changes nothing. */
static status read_object(struct pipeline *pipeline, const struct json *object, const char *place,
                          const struct key *keys, void *target)
{
    status code = STATUS_OK;

    assert(object->type == JSON_OBJECT);
    warn_of_unknown(pipeline, object, place, keys);
    for (const struct key *key = keys; key->name && code == STATUS_OK; key++) {
        const struct json *value = json_get(object, key->name);

        if (value && value->type != JSON_NULL)
            code = read_value(pipeline, key, value, place, target);
    }
    return code;
}

/* ---- Experiments ---- */

static status check_name(const struct pipeline *pipeline, const struct pipeline_experiment *experiment)
{
    const char *name = experiment->name, *place = experiment->place;

    if (!name)
        return wrong(pipeline, place, "name", "every experiment needs one");
    if (strlen(name) > LONGEST_NAME)
        return wrong(pipeline, place, "name", "longer than 160 bytes");
    if (strchr(name, '/') || *name == '.' || *name == '-')
        return wrong(pipeline, place, "name", "it becomes a folder: no \"/\", and no \".\" or \"-\" at its start");
    for (const char *at = name; *at; at++)
        if ((unsigned char)*at < ' ')
            return wrong(pipeline, place, "name", "it has control characters");
    for (const struct pipeline_experiment *other = pipeline->config.experiments; other < experiment; other++)
        if (strcmp(other->name, name) == 0)
            return wrong(pipeline, place, "name", "an experiment before it has the same name");
    return STATUS_OK;
}

static status read_experiment(struct pipeline *pipeline, const struct json *object,
                              struct pipeline_experiment *experiment)
{
    static const uint32_t one_thread[] = { 1 };
    status code;

    *experiment = (struct pipeline_experiment){
        .place = pipeline_text(pipeline, "experiments[%zu]", (size_t)(experiment - pipeline->config.experiments)),
        .mode = PIPELINE_TIMING,
        .launches = pipeline->config.launches,
        .runs = DEFAULT_RUNS,
        .warmup = DEFAULT_WARMUP,
        .warmup_in_process = true,
        .timeout_ms = pipeline->config.timeout_ms,
        .threads = one_thread,
        .thread_count = 1,
        .selected = true,
    };
    if (!experiment->place)
        return status_no_memory("reading a configuration");
    if (object->type != JSON_OBJECT)
        return wrong(pipeline, experiment->place, "", "an object is wanted");
    code = read_object(pipeline, object, experiment->place, experiment_keys, experiment);
    if (code == STATUS_OK)
        code = check_name(pipeline, experiment);
    if (code == STATUS_OK && !experiment->runner)
        code = wrong(pipeline, experiment->place, "runner_path", "every experiment needs one");
    if (experiment->mode == PIPELINE_TRACE) {
        /* A trace is one execution of one process: it shows which kernels there are, and takes no times. */
        experiment->launches = 1;
        experiment->runs = 1;
        experiment->warmup = 0;
    }
    return code;
}

static status read_experiments(struct pipeline *pipeline, const struct json *list)
{
    struct pipeline_config *config = &pipeline->config;
    status code = STATUS_OK;

    if (!json_count(list))
        return wrong(pipeline, "", "experiments", "a list of at least one experiment is wanted");
    config->experiments = arena_allocate(&pipeline->arena, list->count * sizeof *config->experiments,
                                         _Alignof(struct pipeline_experiment));
    if (!config->experiments)
        return status_no_memory("reading a configuration");
    for (size_t i = 0; i < list->count && code == STATUS_OK; i++) {
        code = read_experiment(pipeline, &list->items[i], &config->experiments[i]);
        config->experiment_count++;
    }
    return code;
}

/* ---- Pairs ---- */

static status read_side(struct pipeline *pipeline, const struct json *pair, const char *place, const char *key,
                        struct pipeline_side *side)
{
    const struct json *object = json_get(pair, key);
    const char *inside = pipeline_text(pipeline, "%s.%s", place, key);
    status code;

    *side = (struct pipeline_side){ .threads = 1 };
    if (!inside)
        return status_no_memory("reading a configuration");
    if (!object || object->type != JSON_OBJECT)
        return wrong(pipeline, place, key, "an object with experiment and threads is wanted");
    code = read_object(pipeline, object, inside, side_keys, side);
    if (code != STATUS_OK)
        return code;
    if (!side->experiment)
        return wrong(pipeline, inside, "experiment", "the name of an experiment is wanted");
    for (size_t i = 0; i < pipeline->config.experiment_count; i++)
        if (strcmp(pipeline->config.experiments[i].name, side->experiment) == 0)
            return STATUS_OK;
    return wrong(pipeline, inside, "experiment", "no experiment has this name");
}

static status read_pair(struct pipeline *pipeline, const struct json *object, size_t index)
{
    struct pipeline_pair *pair = &pipeline->config.pairs[index];
    const char *place = pipeline_text(pipeline, "analysis.compare_pairs[%zu]", index);
    status code;

    *pair = (struct pipeline_pair){ .label = NULL };
    if (!place)
        return status_no_memory("reading a configuration");
    if (object->type != JSON_OBJECT)
        return wrong(pipeline, place, "", "an object is wanted");
    code = read_side(pipeline, object, place, "baseline", &pair->baseline);
    if (code == STATUS_OK)
        code = read_side(pipeline, object, place, "candidate", &pair->candidate);
    return code == STATUS_OK ? read_object(pipeline, object, place, pair_keys, pair) : code;
}

static status read_pairs(struct pipeline *pipeline, const struct json *analysis)
{
    const struct json *list = json_get(analysis, "compare_pairs");
    struct pipeline_config *config = &pipeline->config;
    status code;

    if (!analysis || analysis->type == JSON_NULL)
        return STATUS_OK;
    if (analysis->type != JSON_OBJECT)
        return wrong(pipeline, "", "analysis", "an object is wanted");
    code = read_object(pipeline, analysis, "analysis", analysis_keys, config);
    if (code != STATUS_OK || !list || list->type == JSON_NULL)
        return code;
    if (list->type != JSON_ARRAY)
        return wrong(pipeline, "analysis", "compare_pairs", "a list is wanted");
    config->pairs =
        arena_allocate(&pipeline->arena, (list->count + 1) * sizeof *config->pairs, _Alignof(struct pipeline_pair));
    if (!config->pairs)
        return status_no_memory("reading a configuration");
    for (; config->pair_count < list->count && code == STATUS_OK; config->pair_count++)
        code = read_pair(pipeline, &list->items[config->pair_count], config->pair_count);
    return code;
}

/* ---- The whole ---- */

status pipeline_read_config(struct pipeline *pipeline)
{
    struct pipeline_config *config = &pipeline->config;
    const struct json *root;
    status code;

    *config = (struct pipeline_config){ .path = pipeline->options->config,
                                        .launches = DEFAULT_LAUNCHES,
                                        .timeout_ms = DEFAULT_TIMEOUT_MS };
    code = json_parse_file(&pipeline->arena, config->path, LARGEST_CONFIG, &root);
    if (code != STATUS_OK)
        return code;
    if (root->type != JSON_OBJECT)
        return wrong(pipeline, "", "", "the configuration is a JSON object with model and experiments");
    code = read_object(pipeline, root, "", config_keys, config);
    if (code == STATUS_OK && !config->model)
        code = wrong(pipeline, "", "model", "the model's path is wanted");
    if (code == STATUS_OK)
        code = read_experiments(pipeline, json_get(root, "experiments"));
    return code == STATUS_OK ? read_pairs(pipeline, json_get(root, "analysis")) : code;
}
