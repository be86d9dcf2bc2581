#include "tenstorrent/architectures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/input.h"
#include "base/json.h"
#include "base/memory.h"

enum { LARGEST_FILE = 1024 * 1024, MOST_GIVEN = 256 };

/* Per core: 4096 operations per cycle and pass at 1.35 or 0.65 GHz; those of Wormhole are the published ones of its 72 cores. */
static const struct architecture built_in[] = {
    { "wormhole", 64, 12, 288, { 74.0 / 72, 74.0 * 4 / 3 / 72, 148.0 / 72, 262.0 / 72 }, { { "", 0 } }, { { "", 0 } } },
    { "blackhole",
      130,
      8,
      512,
      { 4096 * 1.35 / 1000 / 4, 4096 * 1.35 / 1000 / 3, 4096 * 1.35 / 1000 / 2, 4096 * 1.35 / 1000 },
      { { "", 0 } },
      { { "", 0 } } },
    { "bh20",
      20,
      8,
      512,
      { 4096 * 1.35 / 1000 / 4, 4096 * 1.35 / 1000 / 3, 4096 * 1.35 / 1000 / 2, 4096 * 1.35 / 1000 },
      { { "", 0 } },
      { { "", 0 } } },
    { "n1",
      20,
      8,
      120,
      { 4096 * 0.65 / 1000 / 4, 4096 * 0.65 / 1000 / 3, 4096 * 0.65 / 1000 / 2, 4096 * 0.65 / 1000 },
      { { "", 0 } },
      { { "", 0 } } },
};

enum { BUILT_IN = sizeof built_in / sizeof *built_in };

const char *fidelity_text(enum fidelity fidelity)
{
    static const char *const texts[] = {
#define X(name, text) text,
        FIDELITY_MAP(X)
#undef X
    };

    return texts[fidelity];
}

enum fidelity fidelity_named(struct text text)
{
    unsigned i = 0;

    while (i < FIDELITY_COUNT &&
           (strlen(fidelity_text(i)) != text.length || memcmp(fidelity_text(i), text.data, text.length) != 0))
        i++;
    return (enum fidelity)i;
}

static const struct architecture *find(const struct architecture *items, size_t count, const char *name)
{
    if (strcasecmp(name, "wormhole_b0") == 0)
        name = "wormhole";
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(items[i].name, name) == 0)
            return &items[i];
    }
    return NULL;
}

const struct architecture *architecture_named(const struct architectures *architectures, const char *name)
{
    return find(architectures->items, architectures->count, name);
}

void architectures_list(const struct architectures *architectures, char *to, size_t size)
{
    size_t length = 0;

    *to = '\0';
    for (size_t i = 0; i < architectures->count && length < size; i++)
        length += (size_t)snprintf(to + length, size - length, "%s%s", i ? ", " : "", architectures->items[i].name);
}

/* ---- Rates ---- */

static double rate_of(const struct architecture_rate rates[ARCHITECTURE_RATES], const char *name)
{
    double rate = NAN;

    for (unsigned i = 0; i < ARCHITECTURE_RATES && rates[i].rate > 0; i++) {
        if (name && strcasecmp(rates[i].name, name) == 0)
            return rates[i].rate;
        if (!rates[i].name[0])
            rate = rates[i].rate;
    }
    return rate;
}

double architecture_gigabytes(const struct architecture *architecture, const char *engine)
{
    double rate = rate_of(architecture->gb_s, engine);

    return isnan(rate) && !engine ? architecture->dram : rate;
}

double architecture_gflops(const struct architecture *architecture, const char *type)
{
    return rate_of(architecture->gflops, type);
}

const char *architecture_type(struct text type)
{
    static const struct {
        const char *start, *name;
    } types[] = {
        { "f32", "fp32" },  { "fp32", "fp32" }, { "float32", "fp32" }, { "f16", "fp16" },
        { "fp16", "fp16" }, { "bf16", "bf16" }, { "q", "int8" }, /* whatever the width of its weights, XNNPACK multiplies it as bytes */
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

static status wrong(const char *path, const char *what)
{
    return status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "%s", what);
}

/* A name that is misspelt would leave a peak unknown in silence. */
static status check_keys(const struct json *object, const char *const *known, size_t count, const char *path)
{
    for (size_t i = 0; i < object->count; i++) {
        size_t found = 0;

        while (found < count && strcmp(known[found], object->keys[i].data) != 0)
            found++;
        if (found == count)
            return status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "an architecture has no \"%.64s\"",
                                  object->keys[i].data);
    }
    return STATUS_OK;
}

/* A number over 0 where the key is there. */
static status read_number(const struct json *entry, const char *key, const char *path, double *number)
{
    const struct json *value = json_get(entry, key);
    char what[128];

    if (!value || (json_decimal(value, number) && *number > 0))
        return STATUS_OK;
    snprintf(what, sizeof what, "\"%s\" of an architecture must be a number over 0", key);
    return wrong(path, what);
}

static status read_cores(const struct json *entry, const char *key, const char *path, int64_t *cores)
{
    double number = (double)*cores;
    status code = read_number(entry, key, path, &number);

    if (code == STATUS_OK && number > 1e6)
        return wrong(path, "an architecture has more than a million cores");
    *cores = (int64_t)number;
    return code;
}

/* A number for all, or an object of numbers by name. */
static status read_rates(const struct json *entry, const char *key, const char *path, struct architecture_rate *rates)
{
    const struct json *value = json_get(entry, key);
    char what[160];

    if (!value)
        return STATUS_OK;
    memset(rates, 0, ARCHITECTURE_RATES * sizeof *rates);
    if (value->type != JSON_OBJECT)
        return read_number(entry, key, path, &rates[0].rate);
    if (!value->count || value->count > ARCHITECTURE_RATES) {
        snprintf(what, sizeof what, "\"%s\" of an architecture holds 1 to %d rates", key, ARCHITECTURE_RATES);
        return wrong(path, what);
    }
    for (size_t i = 0; i < value->count; i++) {
        const char *name = value->keys[i].data;

        if (!*name || strlen(name) >= sizeof rates->name || !json_decimal(&value->items[i], &rates[i].rate) ||
            !(rates[i].rate > 0)) {
            snprintf(what, sizeof what, "\"%s\" of an architecture must hold numbers over 0 by names of 1 to 15 bytes",
                     key);
            return wrong(path, what);
        }
        snprintf(rates[i].name, sizeof rates[i].name, "%s", name);
    }
    return STATUS_OK;
}

static status read_tflops(const struct json *tflops, const char *path, double rates[FIDELITY_COUNT])
{
    const char *fidelities[FIDELITY_COUNT];
    status code;

    if (!tflops)
        return STATUS_OK;
    for (unsigned i = 0; i < FIDELITY_COUNT; i++)
        fidelities[i] = fidelity_text(i);
    if (tflops->type != JSON_OBJECT || !tflops->count)
        return wrong(path, "\"tflops_per_core\" of an architecture holds rates by fidelity, as in {\"HiFi4\": 1.3824}");
    code = check_keys(tflops, fidelities, FIDELITY_COUNT, path);
    for (unsigned i = 0; i < FIDELITY_COUNT && code == STATUS_OK; i++) {
        if (i == FIDELITY_HIFI3 && !json_get(tflops, fidelities[i]))
            rates[i] = rates[FIDELITY_HIFI4] * 4 / 3;
        else
            code = read_number(tflops, fidelities[i], path, &rates[i]);
    }
    return code;
}

static status read_entry(const struct json *entry, const char *path, struct architecture *architecture)
{
    static const char *const known[] = { "name",      "like", "worker_cores", "dram_sharded_cores",
                                         "dram_gb_s", "gb_s", "gflops",       "tflops_per_core" };
    const char *name = json_text(json_get(entry, "name"), NULL);
    const char *like = json_text(json_get(entry, "like"), NULL);
    const struct architecture *base = like ? find(built_in, BUILT_IN, like) : NULL;
    status code;

    if (entry->type != JSON_OBJECT)
        return wrong(path, "an architecture is an object; several are a list under \"architectures\"");
    if (!name || !*name || strlen(name) >= sizeof architecture->name)
        return wrong(path, "an architecture needs a \"name\" of 1 to 63 bytes");
    if (like && !base)
        return wrong(path, "\"like\" names no built-in architecture");
    *architecture = base ? *base : (struct architecture){ .dram = NAN, .tflops = { NAN, NAN, NAN, NAN } };
    snprintf(architecture->name, sizeof architecture->name, "%s", name);
    code = check_keys(entry, known, sizeof known / sizeof *known, path);
    if (code == STATUS_OK)
        code = read_cores(entry, "worker_cores", path, &architecture->worker_cores);
    if (code == STATUS_OK)
        code = read_cores(entry, "dram_sharded_cores", path, &architecture->dram_sharded_cores);
    if (code == STATUS_OK)
        code = read_number(entry, "dram_gb_s", path, &architecture->dram);
    if (code == STATUS_OK)
        code = read_rates(entry, "gb_s", path, architecture->gb_s);
    if (code == STATUS_OK)
        code = read_rates(entry, "gflops", path, architecture->gflops);
    return code == STATUS_OK ? read_tflops(json_get(entry, "tflops_per_core"), path, architecture->tflops) : code;
}

static status read_entries(struct architectures *architectures, const char *path, const struct json *root)
{
    const struct json *list = json_get(root, "architectures");
    size_t count = list && list->type == JSON_ARRAY ? list->count : 1;
    status code = STATUS_OK;

    if (list && list->type != JSON_ARRAY)
        return wrong(path, "\"architectures\" must be a list");
    if (!count)
        return wrong(path, "\"architectures\" is empty");
    if (count > MOST_GIVEN)
        return wrong(path, "there are more than 256 architectures");
    architectures->items = memory_allocate((count + BUILT_IN) * sizeof *architectures->items);
    if (!architectures->items)
        return status_no_memory("reading architectures");
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = read_entry(list ? &list->items[i] : root, path, &architectures->items[i]);
    architectures->given = architectures->count = count;
    return code;
}

static status read_file(struct architectures *architectures, const char *path)
{
    struct arena arena = ARENA_EMPTY;
    const struct json *root;
    struct input *input;
    struct text text;
    status code = input_open(path, &input);

    if (code != STATUS_OK)
        return code;
    code = input_whole(input, LARGEST_FILE, &text);
    if (code == STATUS_OK)
        code = json_parse(&arena, path, text, &root);
    if (code == STATUS_OK)
        code = read_entries(architectures, path, root);
    arena_free(&arena);
    input_close(input);
    return code;
}

status architectures_load(struct architectures *architectures, const char *path)
{
    status code = STATUS_OK;

    *architectures = (struct architectures){ NULL, 0, 0 };
    if (path)
        code = read_file(architectures, path);
    else if (!(architectures->items = memory_allocate(sizeof built_in)))
        code = status_no_memory("listing architectures");
    if (code != STATUS_OK)
        return code;
    memcpy(architectures->items + architectures->count, built_in, sizeof built_in);
    architectures->count += BUILT_IN;
    return STATUS_OK;
}

void architectures_free(struct architectures *architectures)
{
    memory_free(architectures->items);
    *architectures = (struct architectures){ NULL, 0, 0 };
}
