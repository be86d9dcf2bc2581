/* architectures.c: peaks of machines, by key and name, and the user's file of them. */
#include "analyze/architectures.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/input.h"
#include "base/json.h"
#include "base/memory.h"

enum { LARGEST_FILE = 1024 * 1024, MOST_GIVEN = 256 };

/* Keys that every machine can have. */
static const struct architecture_key general_keys[] = {
    { .name = "dram_gb_s", .form = ARCHITECTURE_NUMBER },
    { .name = "gb_s", .form = ARCHITECTURE_ANY },
    { .name = "gflops", .form = ARCHITECTURE_ANY },
    { 0 },
};

/* ---- Finding ---- */

static const struct architecture *find(const struct architecture *items, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (items[i].alias && strcasecmp(items[i].alias, name) == 0)
            name = items[i].name;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(items[i].name, name) == 0)
            return &items[i];
    }
    return NULL;
}

const struct architecture *architecture_named(const struct architectures *architectures, const char *name)
{
    assert(name);
    return find(architectures->items, architectures->count, name);
}

void architectures_list(const struct architectures *architectures, char *to, size_t size)
{
    size_t length = 0;

    assert(size > 0);
    *to = '\0';
    for (size_t i = 0; i < architectures->count && length < size; i++)
        length += (size_t)snprintf(to + length, size - length, "%s%s", i ? ", " : "", architectures->items[i].name);
}

/* ---- Peaks ---- */

double architecture_peak(const struct architecture *architecture, const char *key, const char *name)
{
    double found = NAN;

    assert(key);
    for (unsigned i = 0; i < ARCHITECTURE_PEAKS && architecture->peaks[i].key; i++) {
        const struct architecture_peak *peak = &architecture->peaks[i];

        if (strcmp(peak->key, key) != 0)
            continue;
        if (name && strcasecmp(peak->name, name) == 0)
            return peak->value;
        if (!peak->name[0])
            found = peak->value;
    }
    return found;
}

double architecture_gigabytes(const struct architecture *architecture, const char *engine)
{
    double rate = architecture_peak(architecture, "gb_s", engine);

    return isnan(rate) && !engine ? architecture_peak(architecture, "dram_gb_s", NULL) : rate;
}

double architecture_gflops(const struct architecture *architecture, const char *type)
{
    return architecture_peak(architecture, "gflops", type);
}

const char *architecture_type(struct text type)
{
    static const struct {
        const char *start, *name;
    } types[] = {
        { "f32", "fp32" },  { "fp32", "fp32" }, { "float32", "fp32" }, { "f16", "fp16" },
        { "fp16", "fp16" }, { "bf16", "bf16" }, { "q", "int8" }, /* whatever the width of its weights, it is multiplied as bytes */
        { "i8", "int8" },   { "s8", "int8" },   { "u8", "int8" },      { "int8", "int8" },
        { "f64", "fp64" },  { "i32", "int32" }, { "int32", "int32" },
    };

    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        size_t length = strlen(types[i].start);

        if (type.length >= length && strncasecmp(type.data, types[i].start, length) == 0)
            return types[i].name;
    }
    return NULL;
}

/* ---- The user's file ---- */

/* What an entry is read with. */
struct reading {
    const char *path;                           /* for messages */
    const struct architecture_set *const *sets; /* of the chains */
};

static status wrong(const struct reading *reading, const char *format, ...) PRINTF_LIKE(2, 3);

static status wrong(const struct reading *reading, const char *format, ...)
{
    char what[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return status_fail_at(STATUS_INPUT, (struct place){ .file = reading->path }, "%s", what);
}

static const struct architecture_key *find_key(const struct architecture_key *keys, const char *name)
{
    for (; keys->name; keys++) {
        if (strcmp(keys->name, name) == 0)
            return keys;
    }
    return NULL;
}

static const struct architecture_key *key_named(const struct reading *reading, const char *name)
{
    const struct architecture_key *key = find_key(general_keys, name);

    for (size_t i = 0; reading->sets[i] && !key; i++)
        key = find_key(reading->sets[i]->keys, name);
    return key;
}

static bool is_known(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Takes out what stands under a key (`name` NULL: all of it). */
static void forget_peaks(struct architecture *architecture, const char *key, const char *name)
{
    struct architecture_peak kept[ARCHITECTURE_PEAKS] = { 0 };
    unsigned count = 0;

    assert(key);
    for (unsigned i = 0; i < ARCHITECTURE_PEAKS && architecture->peaks[i].key; i++) {
        const struct architecture_peak *peak = &architecture->peaks[i];

        if (strcmp(peak->key, key) != 0 || (name && strcmp(peak->name, name) != 0))
            kept[count++] = *peak;
    }
    memcpy(architecture->peaks, kept, sizeof kept);
}

static status add_peak(const struct reading *reading, struct architecture *architecture, const char *key,
                       const char *name, double value)
{
    unsigned count = 0;

    assert(value > 0 && strlen(name) < ARCHITECTURE_PEAK);
    while (count < ARCHITECTURE_PEAKS && architecture->peaks[count].key)
        count++;
    if (count == ARCHITECTURE_PEAKS)
        return wrong(reading, "an architecture has more than %d peaks", ARCHITECTURE_PEAKS);
    architecture->peaks[count] = (struct architecture_peak){ .key = key, .value = value };
    snprintf(architecture->peaks[count].name, sizeof architecture->peaks[count].name, "%s", name);
    return STATUS_OK;
}

/* One number over 0. */
static status read_number(const struct reading *reading, const struct architecture_key *key, const struct json *value,
                          struct architecture *architecture)
{
    double number;

    if (!json_decimal(value, &number) || !(number > 0))
        return wrong(reading, "\"%s\" of an architecture must be a number over 0", key->name);
    if (key->form == ARCHITECTURE_COUNT && number > 1e6)
        return wrong(reading, "\"%s\" of an architecture is over a million", key->name);
    forget_peaks(architecture, key->name, NULL);
    return add_peak(reading, architecture, key->name, "", number);
}

/* Numbers by names of the user's choice, in place of those that it had. */
static status read_rates(const struct reading *reading, const struct architecture_key *key, const struct json *value,
                         struct architecture *architecture)
{
    status code = STATUS_OK;

    if (!value->count || value->count > ARCHITECTURE_RATES)
        return wrong(reading, "\"%s\" of an architecture holds 1 to %d rates", key->name, ARCHITECTURE_RATES);
    forget_peaks(architecture, key->name, NULL);
    for (size_t i = 0; i < value->count && code == STATUS_OK; i++) {
        const char *name = value->keys[i].data;
        double rate;

        if (!*name || strlen(name) >= ARCHITECTURE_PEAK || !json_decimal(&value->items[i], &rate) || !(rate > 0))
            return wrong(reading, "\"%s\" of an architecture must hold numbers over 0 by names of 1 to 15 bytes",
                         key->name);
        code = add_peak(reading, architecture, key->name, name, rate);
    }
    return code;
}

/* Numbers by names that the chain knows; those that are not given stay. */
static status read_named(const struct reading *reading, const struct architecture_key *key, const struct json *value,
                         struct architecture *architecture)
{
    status code = STATUS_OK;

    if (value->type != JSON_OBJECT || !value->count)
        return wrong(reading, "\"%s\" of an architecture holds %s", key->name, key->what);
    for (size_t i = 0; i < value->count && code == STATUS_OK; i++) {
        const char *name = value->keys[i].data;
        double number;

        if (!is_known(key->names, name))
            return wrong(reading, "an architecture has no \"%.64s\"", name);
        if (!json_decimal(&value->items[i], &number) || !(number > 0))
            return wrong(reading, "\"%s\" of an architecture must be a number over 0", name);
        forget_peaks(architecture, key->name, name);
        code = add_peak(reading, architecture, key->name, name, number);
    }
    return code;
}

/* A key that is misspelt would leave a peak unknown in silence: it is refused. */
static status read_value(const struct reading *reading, const char *name, const struct json *value,
                         struct architecture *architecture)
{
    const struct architecture_key *key = key_named(reading, name);

    if (strcmp(name, "name") == 0 || strcmp(name, "like") == 0)
        return STATUS_OK;
    if (!key)
        return wrong(reading, "an architecture has no \"%.64s\"", name);
    if (key->form == ARCHITECTURE_NAMED)
        return read_named(reading, key, value, architecture);
    if (key->form == ARCHITECTURE_ANY && value->type == JSON_OBJECT)
        return read_rates(reading, key, value, architecture);
    return read_number(reading, key, value, architecture);
}

static status read_entry(const struct reading *reading, const struct json *entry, struct architecture *architecture)
{
    const char *name = json_text(json_get(entry, "name"), NULL);
    const char *like = json_text(json_get(entry, "like"), NULL);
    const struct architecture *base = NULL;
    status code = STATUS_OK;

    if (entry->type != JSON_OBJECT)
        return wrong(reading, "an architecture is an object; several are a list under \"architectures\"");
    if (!name || !*name || strlen(name) >= sizeof architecture->name)
        return wrong(reading, "an architecture needs a \"name\" of 1 to 63 bytes");
    for (size_t i = 0; like && reading->sets[i] && !base; i++)
        base = find(reading->sets[i]->built_in, reading->sets[i]->count, like);
    if (like && !base)
        return wrong(reading, "\"like\" names no built-in architecture");
    *architecture = base ? *base : (struct architecture){ .alias = NULL };
    architecture->alias = NULL;
    snprintf(architecture->name, sizeof architecture->name, "%s", name);
    for (size_t i = 0; i < entry->count && code == STATUS_OK; i++)
        code = read_value(reading, entry->keys[i].data, &entry->items[i], architecture);
    return code;
}

static size_t count_built_in(const struct architecture_set *const *sets)
{
    size_t count = 0;

    for (; *sets; sets++)
        count += (*sets)->count;
    return count;
}

static status make_room(struct architectures *architectures, size_t given, const struct architecture_set *const *sets)
{
    architectures->items = memory_allocate((given + count_built_in(sets) + 1) * sizeof *architectures->items);
    return architectures->items ? STATUS_OK : status_no_memory("reading architectures");
}

static status read_entries(struct architectures *architectures, const struct reading *reading, const struct json *root)
{
    const struct json *list = json_get(root, "architectures");
    size_t count = list && list->type == JSON_ARRAY ? list->count : 1;
    status code;

    if (list && list->type != JSON_ARRAY)
        return wrong(reading, "\"architectures\" must be a list");
    if (!count)
        return wrong(reading, "\"architectures\" is empty");
    if (count > MOST_GIVEN)
        return wrong(reading, "there are more than 256 architectures");
    code = make_room(architectures, count, reading->sets);
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = read_entry(reading, list ? &list->items[i] : root, &architectures->items[i]);
    architectures->given = architectures->count = code == STATUS_OK ? count : 0;
    return code;
}

static status read_file(struct architectures *architectures, const struct reading *reading)
{
    struct arena arena = ARENA_EMPTY;
    const struct json *root;
    struct input *input;
    struct text text;
    status code = input_open(reading->path, &input);

    if (code != STATUS_OK)
        return code;
    code = input_whole(input, LARGEST_FILE, &text);
    if (code == STATUS_OK)
        code = json_parse(&arena, reading->path, text, &root);
    if (code == STATUS_OK)
        code = read_entries(architectures, reading, root);
    arena_free(&arena);
    input_close(input);
    return code;
}

status architectures_load(struct architectures *architectures, const char *path,
                          const struct architecture_set *const *sets)
{
    status code;

    assert(sets);
    *architectures = (struct architectures){ NULL, 0, 0 };
    code = path ? read_file(architectures, &(struct reading){ path, sets }) : make_room(architectures, 0, sets);
    for (; code == STATUS_OK && *sets; sets++) {
        memcpy(architectures->items + architectures->count, (*sets)->built_in,
               (*sets)->count * sizeof *architectures->items);
        architectures->count += (*sets)->count;
    }
    assert(code != STATUS_OK || architectures->given <= architectures->count);
    return code;
}

void architectures_free(struct architectures *architectures)
{
    memory_free(architectures->items);
    *architectures = (struct architectures){ NULL, 0, 0 };
}
