#include "analyze/architectures.h"

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
    { "wormhole", 64, 12, 288, { 74.0 / 72, 74.0 * 4 / 3 / 72, 148.0 / 72, 262.0 / 72 } },
    { "blackhole", 130, 8, 512, { 4096 * 1.35 / 1000 / 4, 4096 * 1.35 / 1000 / 3, 4096 * 1.35 / 1000 / 2, 4096 * 1.35 / 1000 } },
    { "bh20", 20, 8, 512, { 4096 * 1.35 / 1000 / 4, 4096 * 1.35 / 1000 / 3, 4096 * 1.35 / 1000 / 2, 4096 * 1.35 / 1000 } },
    { "n1", 20, 8, 120, { 4096 * 0.65 / 1000 / 4, 4096 * 0.65 / 1000 / 3, 4096 * 0.65 / 1000 / 2, 4096 * 0.65 / 1000 } },
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

/* ---- The user's file ---- */

static status wrong(const char *path, const char *what)
{
    return status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "%s", what);
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

static status read_entry(const struct json *entry, const char *path, struct architecture *architecture)
{
    const char *name = json_text(json_get(entry, "name"), NULL);
    const char *like = json_text(json_get(entry, "like"), NULL);
    const struct architecture *base = like ? find(built_in, BUILT_IN, like) : NULL;
    const struct json *tflops = json_get(entry, "tflops_per_core");
    status code;

    if (!name || !*name || strlen(name) >= sizeof architecture->name)
        return wrong(path, "an architecture needs a \"name\" of 1 to 63 bytes");
    if (like && !base)
        return wrong(path, "\"like\" names no built-in architecture");
    *architecture = base ? *base : (struct architecture){ .dram = NAN, .tflops = { NAN, NAN, NAN, NAN } };
    snprintf(architecture->name, sizeof architecture->name, "%s", name);
    code = read_cores(entry, "worker_cores", path, &architecture->worker_cores);
    if (code == STATUS_OK)
        code = read_cores(entry, "dram_sharded_cores", path, &architecture->dram_sharded_cores);
    if (code == STATUS_OK)
        code = read_number(entry, "dram_gb_s", path, &architecture->dram);
    for (unsigned i = 0; i < FIDELITY_COUNT && code == STATUS_OK && tflops; i++) {
        if (i == FIDELITY_HIFI3 && !json_get(tflops, fidelity_text(i)))
            architecture->tflops[i] = architecture->tflops[FIDELITY_HIFI4] * 4 / 3;
        else
            code = read_number(tflops, fidelity_text(i), path, &architecture->tflops[i]);
    }
    return code;
}

static status read_entries(struct architectures *architectures, const char *path, const struct json *root)
{
    const struct json *list = json_get(root, "architectures");
    size_t count = list && list->type == JSON_ARRAY ? list->count : 1;
    status code = STATUS_OK;

    if (list && list->type != JSON_ARRAY)
        return wrong(path, "\"architectures\" must be a list");
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
