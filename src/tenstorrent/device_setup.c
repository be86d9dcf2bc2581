/* device_setup.c: setups of device analyses from JSON: the built-in ones and a user's. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "tenstorrent/device_analysis.h"
#include "tenstorrent/device_setups.h"

static const char *const across_keys[] = {
#define X(name, key) key,
    DEVICE_ACROSS_MAP(X)
#undef X
};

static const char *const type_keys[] = {
#define X(name, key, meaning) key,
    DEVICE_TYPE_MAP(X)
#undef X
};

static const char *const statistic_keys[] = {
#define X(name, key) key,
    DEVICE_STATISTIC_MAP(X)
#undef X
};

enum { ACROSS_COUNT = sizeof across_keys / sizeof *across_keys, TYPE_COUNT = sizeof type_keys / sizeof *type_keys };

static const char default_name[] = "default_setup";
static const char sums_name[] = "sums"; /* joins the default one where a log has sums */

const char *device_across_key(enum device_across across)
{
    assert((size_t)across < sizeof across_keys / sizeof *across_keys);
    return across_keys[across];
}

const char *device_type_key(enum device_type type)
{
    assert((size_t)type < sizeof type_keys / sizeof *type_keys);
    return type_keys[type];
}

const char *device_statistic_key(enum device_statistic statistic)
{
    assert((size_t)statistic < sizeof statistic_keys / sizeof *statistic_keys);
    return statistic_keys[statistic];
}

void device_setup_free(struct device_setup *setup)
{
    arena_free(&setup->arena);
    *setup = (struct device_setup){ .name = "" };
}

/* What is being read, for messages. */
struct reading {
    struct device_setup *setup; /* that is filled; borrowed */
    const char *file;           /* its path */
    const char *analysis;       /* NULL: none */
};

static status fail(const struct reading *reading, const char *what, const char *value)
{
    struct place where = { .file = reading->file };

    if (reading->analysis)
        return status_fail_at(STATUS_INPUT, where, "analysis \"%s\": %s%s%s", reading->analysis, what, value ? " " : "",
                              value ? value : "");
    return status_fail_at(STATUS_INPUT, where, "%s%s%s", what, value ? " " : "", value ? value : "");
}

static int find_key(const char *const *keys, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(keys[i], key) == 0)
            return (int)i;
    return -1;
}

/* A key that is misspelt would match anything in silence. */
static status check_keys(const struct reading *reading, const struct json *object, const char *const *known,
                         size_t count)
{
    for (size_t i = 0; i < object->count; i++) {
        const char *key = object->keys[i].data;

        if (find_key(known, count, key) < 0)
            return fail(reading, "there is no such key:", *key ? key : "\"\"");
    }
    return STATUS_OK;
}

/* ---- Endpoints ---- */

/* "ANY", [1, 2] or "(1, 2)". */
static status read_core(const struct reading *reading, const struct json *core, struct device_endpoint *endpoint)
{
    int64_t x, y;
    int end = 0;

    if (!core || strcmp(json_text(core, ""), "ANY") == 0)
        return STATUS_OK;
    endpoint->any_core = false;
    if (core->type == JSON_ARRAY && core->count == 2 && json_integer(&core->items[0], &x) &&
        json_integer(&core->items[1], &y) && x >= 0 && y >= 0 && x <= INT32_MAX && y <= INT32_MAX) {
        endpoint->x = (int32_t)x;
        endpoint->y = (int32_t)y;
        return STATUS_OK;
    }
    if (core->type == JSON_STRING && core->text.length < 32 &&
        sscanf(core->text.data, " ( %9d , %9d ) %n", &endpoint->x, &endpoint->y, &end) == 2 &&
        (size_t)end == core->text.length)
        return STATUS_OK;
    return fail(reading, "\"core\" is \"ANY\" or [x, y]", NULL);
}

static status read_zones(const struct reading *reading, const struct json *zones, struct device_endpoint *endpoint)
{
    if (!zones)
        return STATUS_OK;
    if (zones->type == JSON_STRING) {
        endpoint->zones[endpoint->zone_count++] = zones->text.data;
        return STATUS_OK;
    }
    if (zones->type != JSON_ARRAY || !zones->count || zones->count > DEVICE_ZONES)
        return fail(reading, "\"zone_name\" is a name or a list of at most 12", NULL);
    for (size_t i = 0; i < zones->count; i++) {
        if (zones->items[i].type != JSON_STRING)
            return fail(reading, "\"zone_name\" is a name or a list of names", NULL);
        endpoint->zones[endpoint->zone_count++] = zones->items[i].text.data;
    }
    return STATUS_OK;
}

static status read_endpoint(const struct reading *reading, const struct json *definition, const char *key,
                            struct device_endpoint *endpoint)
{
    static const char *const known[] = { "risc", "core", "timerID", "zone_name", "zone_phase" };
    const struct json *given = json_get(definition, key);
    const struct json *timer = json_get(given, "timerID");
    const struct json *risc_given = json_get(given, "risc"), *phase_given = json_get(given, "zone_phase");
    const char *risc = json_text(risc_given, "ANY");
    const char *phase = json_text(phase_given, NULL);
    status code;

    *endpoint = (struct device_endpoint){ .any_core = true, .timer_id = -1 };
    if (!given || given->type != JSON_OBJECT)
        return fail(reading, "there is no", key);
    code = check_keys(reading, given, known, sizeof known / sizeof *known);
    if (code != STATUS_OK)
        return code;
    if (timer &&
        (!json_integer(timer, &endpoint->timer_id) || endpoint->timer_id < 0 || endpoint->timer_id > UINT32_MAX))
        return fail(reading, "\"timerID\" is a number from 0 up", NULL);
    if ((risc_given && risc_given->type != JSON_STRING) || (phase_given && phase_given->type != JSON_STRING))
        return fail(reading, "\"risc\" and \"zone_phase\" are texts", NULL);
    endpoint->risc = strcmp(risc, "ANY") == 0 ? NULL : risc;
    if (phase) {
        enum marker_phase found;

        if (!marker_phase_read((struct text){ phase, strlen(phase) }, &found))
            return fail(reading, "there is no zone_phase", phase);
        endpoint->phase = marker_phase_type(found);
    }
    code = read_core(reading, json_get(given, "core"), endpoint);
    return code == STATUS_OK ? read_zones(reading, json_get(given, "zone_name"), endpoint) : code;
}

/* ---- Analyses ---- */

static bool fits(enum device_across across, enum device_type type)
{
    switch (type) {
    case DEVICE_OP:
    case DEVICE_OP_CORE:
        return across == ACROSS_OPS || across == ACROSS_DISPATCH;
    case DEVICE_LAUNCH:
        return across == ACROSS_CORE;
    case DEVICE_ADJACENT:
    case DEVICE_SESSION:
        return across == ACROSS_CORE || across == ACROSS_DEVICE;
    case DEVICE_EVENT:
        return across == ACROSS_CORE || across == ACROSS_DEVICE;
    case DEVICE_SUM:
        break;
    }
    return across != ACROSS_DISPATCH;
}

static bool is_there(const struct device_setup *setup, const char *name)
{
    for (unsigned i = 0; i < setup->count; i++)
        if (strcmp(setup->analyses[i].name, name) == 0)
            return true;
    return false;
}

static status read_analysis(struct reading *reading, const char *name, const struct json *definition)
{
    static const char *const known[] = { "across", "type", "start", "end", "marker" };
    struct device_setup *setup = reading->setup;
    const char *across = json_text(json_get(definition, "across"), "nothing");
    const char *type = json_text(json_get(definition, "type"), "");
    int across_found = find_key(across_keys, ACROSS_COUNT, across), type_found = find_key(type_keys, TYPE_COUNT, type);
    struct device_analysis *analysis;
    status code;

    if (is_there(setup, name)) /* one that came before takes the place of a default one of the same name */
        return STATUS_OK;
    if (setup->count == DEVICE_ANALYSES)
        return fail(reading, "there are more than 64 analyses", NULL);
    if (across_found < 0)
        return fail(reading, "\"across\" is core, device, ops or dispatch_ops, not", across);
    if (type_found < 0)
        return fail(reading, "there is no type", *type ? type : NULL);
    if (!fits((enum device_across)across_found, (enum device_type)type_found))
        return fail(reading, "its type does not go across", across);
    code = check_keys(reading, definition, known, sizeof known / sizeof *known);
    if (code != STATUS_OK)
        return code;
    analysis = &setup->analyses[setup->count];
    *analysis = (struct device_analysis){ .name = name,
                                          .across = (enum device_across)across_found,
                                          .type = (enum device_type)type_found,
                                          .definition = definition };
    if (analysis->type == DEVICE_SUM || analysis->type == DEVICE_EVENT) {
        code = read_endpoint(reading, definition, "marker", &analysis->start);
        analysis->end = analysis->start;
    } else {
        code = read_endpoint(reading, definition, "start", &analysis->start);
        if (code == STATUS_OK)
            code = read_endpoint(reading, definition, "end", &analysis->end);
    }
    setup->count += code == STATUS_OK;
    return code;
}

static status read_shown(const struct reading *reading, const struct json *list)
{
    struct device_setup *setup = reading->setup;

    if (!list || setup->shown_count)
        return STATUS_OK;
    if (list->type != JSON_ARRAY || list->count > STATISTIC_COUNT_OF)
        return fail(reading, "\"displayStats\" is a list of statistics", NULL);
    for (size_t i = 0; i < list->count; i++) {
        int found = find_key(statistic_keys, STATISTIC_COUNT_OF, json_text(&list->items[i], ""));

        if (found < 0 || found == STATISTIC_FIRST)
            return fail(reading, "there is no such statistic:", json_text(&list->items[i], "(no text)"));
        setup->shown[setup->shown_count++] = (uint8_t)found;
    }
    return STATUS_OK;
}

/* Adds what one object tells; what earlier ones told stays. */
static status read_part(struct reading *reading, const struct json *part)
{
    const struct json *analyses = json_get(part, "timerAnalysis");
    status code = STATUS_OK;

    if (!analyses || analyses->type != JSON_OBJECT)
        return fail(reading, "there is no object \"timerAnalysis\" with the analyses by name", NULL);
    for (size_t i = 0; i < analyses->count && code == STATUS_OK; i++) {
        reading->analysis = analyses->keys[i].data;
        code = read_analysis(reading, analyses->keys[i].data, &analyses->items[i]);
    }
    reading->analysis = NULL;
    return code == STATUS_OK ? read_shown(reading, json_get(part, "displayStats")) : code;
}

/* ---- Setups ---- */

static status read_builtin(struct device_setup *setup, const struct json **root)
{
    return json_parse(&setup->arena, "built-in setups", (struct text){ device_setups, sizeof device_setups - 1 }, root);
}

static bool has_sums(const struct marker_log *log)
{
    for (size_t i = 0; i < log->lanes.count; i++)
        if (marker_lane_at(log, i)->totals.count)
            return true;
    return false;
}

static status add_defaults(struct reading *reading, const struct json *root, const struct marker_log *log)
{
    const char *form = log->zoned ? "zones" : "numbered";
    const struct json *part = json_find(root, default_name, form, NULL);
    status code = read_part(reading, part);

    if (code == STATUS_OK && !log->zoned && has_sums(log))
        code = read_part(reading, json_find(root, sums_name, form, NULL));
    return code;
}

/* "default_setup, test_noc, ..." for a message. */
static void list_names(const struct json *root, char *to, size_t size)
{
    size_t length = 0;

    for (size_t i = 0; i < root->count && length < size; i++) {
        if (strcmp(root->keys[i].data, sums_name) != 0)
            length += (size_t)snprintf(to + length, size - length, "%s%s", length ? ", " : "", root->keys[i].data);
    }
}

status device_setup_named(struct device_setup *setup, const char *name, const struct marker_log *log)
{
    struct reading reading = { .setup = setup, .file = "built-in setups" };
    const char *form = log->zoned ? "zones" : "numbered";
    const struct json *root, *chosen, *part;
    char names[1024];
    status code;

    assert(name);
    *setup = (struct device_setup){ .arena = ARENA_EMPTY, .name = name, .zones = log->zoned };
    code = read_builtin(setup, &root);
    if (code != STATUS_OK)
        return code;
    chosen = strcmp(name, sums_name) ? json_get(root, name) : NULL;
    if (!chosen) {
        list_names(root, names, sizeof names);
        return status_fail(STATUS_USAGE, "no setup is called \"%s\"; there are %s, and files whose name ends in .json",
                           name, names);
    }
    part = json_get(chosen, form);
    if (part && strcmp(name, default_name) != 0)
        code = read_part(&reading, part);
    setup->own = setup->count;
    setup->detect_ops =
        json_truth(json_get(part ? part : json_find(root, default_name, form, NULL), "detectOps"), log->zoned);
    return code == STATUS_OK ? add_defaults(&reading, root, log) : code;
}

status device_setup_parse(struct device_setup *setup, const char *file, struct text text, const struct marker_log *log)
{
    struct reading reading = { .setup = setup, .file = file };
    const struct json *root, *builtin;
    status code;

    assert(file);
    *setup = (struct device_setup){ .arena = ARENA_EMPTY, .name = file, .zones = log->zoned };
    code = json_parse(&setup->arena, file, text, &root);
    if (code == STATUS_OK)
        code = read_part(&reading, root);
    setup->own = setup->count;
    if (code == STATUS_OK)
        code = read_builtin(setup, &builtin);
    if (code != STATUS_OK)
        return code;
    setup->detect_ops = json_truth(json_get(root, "detectOps"), true);
    if (json_truth(json_get(root, "defaults"), true)) {
        reading.file = "built-in setups";
        return add_defaults(&reading, builtin, log);
    }
    return read_shown(&reading,
                      json_find(builtin, default_name, log->zoned ? "zones" : "numbered", "displayStats", NULL));
}
