/* rundir_names.c: which experiment a file belongs to, by its folder, its name, and what the JSON files call their experiments. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "executorch/rundir_scan.h"

/* Names that the JSON files give to experiments, and how the files of one folder are to be named. */
struct naming {
    const char **known;                 /* borrowed from the documents */
    size_t known_count, known_capacity; /* of `known` */
    const char *folder_name;            /* last part of the folder; "": the run directory itself */
    bool by_stem;                       /* the folder holds several experiments, or is the run directory */
    struct text prefix;                 /* what all stems of the folder begin with; empty: nothing */
};

static bool is_separator(char byte)
{
    return byte == '_' || byte == '-';
}

/* ---- known names ----------------------------------------------------------------------------------------------- */

static status know(struct naming *naming, const char *name)
{
    status code;

    if (!name || !*name)
        return STATUS_OK;
    code = memory_grow(&naming->known, &naming->known_capacity, naming->known_count + 1, sizeof *naming->known);
    if (code == STATUS_OK)
        naming->known[naming->known_count++] = name;
    return code;
}

static status know_all(struct naming *naming, const struct json *list, const char *key)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < json_count(list) && code == STATUS_OK; i++)
        code = know(naming, json_text(json_get(&list->items[i], key), NULL));
    return code;
}

static status know_documents(const struct rundir *rundir, struct naming *naming)
{
    status code = know_all(naming, json_get(rundir->manifest.root, "results"), "experiment");

    if (code == STATUS_OK)
        code = know_all(naming, json_get(rundir->metrics.root, "results"), "experiment");
    if (code == STATUS_OK)
        code = know_all(naming, json_get(rundir->config.root, "experiments"), "name");
    for (size_t i = 0; i < rundir->summary_count && code == STATUS_OK; i++)
        code = know_all(naming, json_get(rundir->summaries[i].root, "runs"), "experiment");
    return code;
}

/* ---- what stems have in common --------------------------------------------------------------------------------- */

static bool is_data_type(struct text word)
{
    static const char *const words[] = {
        "fp32", "fp16", "bf16", "f32",  "f16",  "int4", "int8",  "int16", "uint8",
        "qs8",  "qd8",  "w8a8", "8a8w", "a8w8", "8a4w", "8da4w", "quant", "quantized"
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_is(word, words[i]))
            return true;
    return false;
}

/* Model names end with their data type as a rule: `length` becomes the end of the last one, 0 where there is none. */
static size_t end_of_data_type(const char *text, size_t length)
{
    size_t start = 0, end = 0;

    for (size_t i = 0; i <= length; i++) {
        if (i < length && !is_separator(text[i]))
            continue;
        if (is_data_type(text_between(text + start, text + i)))
            end = i;
        start = i + 1;
    }
    return end;
}

static bool begins_with_switch(const char *rest)
{
    struct text word = { rest, strcspn(rest, "_-") };

    return text_is(word, "on") || text_is(word, "off");
}

static size_t last_separator(const char *text, size_t length)
{
    while (length && !is_separator(text[length - 1]))
        length--;
    return length ? length - 1 : 0;
}

/* The part that all primary stems of a folder share and that is followed by more in each; a lone "on" or "off" keeps the
 * word before. Where one stem is all that they share, only a data type can tell where the model's name ends. */
static void find_prefix(const struct scanned_file *files, size_t count, struct naming *naming)
{
    const char *first = NULL;
    size_t shared = 0, typed;
    bool switches = false, whole = false;

    for (size_t i = 0; i < count; i++) {
        size_t same = 0;

        if (!scanned_is_primary(&files[i]))
            continue;
        if (!first) {
            first = files[i].stem;
            shared = strlen(first);
        }
        while (same < shared && files[i].stem[same] == first[same])
            same++;
        shared = same;
    }
    if (!first)
        return;
    for (size_t i = 0; i < count; i++)
        whole |= scanned_is_primary(&files[i]) && strlen(files[i].stem) == shared;
    typed = end_of_data_type(first, shared);
    if (typed && typed < shared)
        shared = typed;
    else
        shared = whole ? 0 : last_separator(first, shared);
    for (size_t i = 0; i < count; i++)
        switches |= shared && scanned_is_primary(&files[i]) && begins_with_switch(files[i].stem + shared + 1);
    if (switches)
        shared = last_separator(first, shared);
    naming->prefix = (struct text){ first, shared };
}

/* ---- the experiment of a file ---------------------------------------------------------------------------------- */

/* Is `name` the last part of the stem? */
static bool names_end(struct text stem, const char *name)
{
    return text_cut_end(&stem, name) && (!stem.length || is_separator(stem.data[stem.length - 1]));
}

static const char *without_prefix(const char *stem, struct text prefix)
{
    if (prefix.length && strncmp(stem, prefix.data, prefix.length) == 0 && is_separator(stem[prefix.length]) &&
        stem[prefix.length + 1])
        return stem + prefix.length + 1;
    return NULL;
}

static const char *experiment_of_stem(const struct rundir *rundir, const struct naming *naming, const char *stem)
{
    struct text whole = text_of(stem), traced = whole;
    const char *best = NULL;
    const char *rest;

    for (size_t i = 0; i < naming->known_count; i++)
        if (names_end(whole, naming->known[i]) && (!best || strlen(naming->known[i]) > strlen(best)))
            best = naming->known[i];
    if (best)
        return best;
    if (*naming->folder_name && names_end(whole, naming->folder_name))
        return naming->folder_name;
    if (*naming->folder_name && text_cut_end(&traced, "_trace") && names_end(traced, naming->folder_name))
        return stem + traced.length - strlen(naming->folder_name);
    rest = without_prefix(stem, text_of(rundir->model_stem));
    if (!rest)
        rest = without_prefix(stem, naming->prefix);
    return rest ? rest : stem;
}

static bool has_several_stems(const struct scanned_file *files, size_t count)
{
    const char *first = NULL;

    for (size_t i = 0; i < count; i++) {
        if (!scanned_is_primary(&files[i]))
            continue;
        if (first && strcmp(first, files[i].stem) != 0)
            return true;
        first = files[i].stem;
    }
    return false;
}

/* Names the files of one folder. What has no stem belongs to the folder; in the run directory itself that is nobody yet. */
static status name_folder(struct rundir *rundir, struct naming *naming, struct scanned_file *files, size_t count)
{
    status code = STATUS_OK;

    naming->folder_name = path_name(files->folder);
    naming->by_stem = !*files->folder || has_several_stems(files, count);
    naming->prefix = (struct text){ NULL, 0 };
    find_prefix(files, count, naming);
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        struct scanned_file *file = &files[i];

        if (file->name.role > RUN_KERNELS || (file->name.vague && naming->by_stem))
            continue;
        if (*file->stem && naming->by_stem)
            file->experiment = experiment_of_stem(rundir, naming, file->stem);
        else if (*naming->folder_name)
            file->experiment = naming->folder_name;
        if (file->experiment && file->name.xtrace)
            code = rundir_make_text(rundir, &file->experiment, "%s_xtrace", file->experiment);
    }
    return code;
}

static size_t folder_end(const struct scan *scan, size_t start)
{
    size_t end = start;

    while (end < scan->file_count && strcmp(scan->files[end].folder, scan->files[start].folder) == 0)
        end++;
    return end;
}

static status name_files(struct rundir *rundir, struct scan *scan)
{
    struct naming naming = { 0 };
    status code = know_documents(rundir, &naming);

    for (size_t start = 0, end; start < scan->file_count && code == STATUS_OK; start = end) {
        end = folder_end(scan, start);
        code = name_folder(rundir, &naming, scan->files + start, end - start);
    }
    memory_free(naming.known);
    return code;
}

/* ---- folders with the same name -------------------------------------------------------------------------------- */

static int compare_identity(const struct scanned_file *one, const struct scanned_file *other)
{
    int order = natural_compare(one->experiment, other->experiment);

    if (!order)
        order = (one->name.threads > other->name.threads) - (one->name.threads < other->name.threads);
    if (!order)
        order = (one->name.role > other->name.role) - (one->name.role < other->name.role);
    if (!order)
        order = (one->name.launch > other->name.launch) - (one->name.launch < other->name.launch);
    return order;
}

static int compare_for_clash(const void *one, const void *other)
{
    const struct scanned_file *a = *(struct scanned_file *const *)one;
    const struct scanned_file *b = *(struct scanned_file *const *)other;
    int order = compare_identity(a, b);

    return order ? order : natural_compare(a->shown, b->shown);
}

/* From here on the folder is part of the names of its experiments. */
static status qualify(struct rundir *rundir, struct scan *scan, const char *folder)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < scan->file_count && code == STATUS_OK; i++) {
        struct scanned_file *file = &scan->files[i];
        size_t length = strlen(folder);

        if (!*folder || !file->experiment || strcmp(file->folder, folder) != 0 ||
            strncmp(file->experiment, folder, length) == 0)
            continue;
        if (strcmp(file->experiment, path_name(folder)) == 0)
            file->experiment = file->folder;
        else
            code = rundir_make_text(rundir, &file->experiment, "%s/%s", folder, file->experiment);
    }
    return code;
}

/* Two folders called alike that hold the same kind of file for the same threads and launch are two experiments. */
static status part_clashes(struct rundir *rundir, struct scan *scan)
{
    struct scanned_file **sorted = memory_allocate((scan->file_count + 1) * sizeof *sorted);
    const char **folders = memory_allocate((scan->file_count + 1) * 2 * sizeof *folders);
    size_t count = 0, clashes = 0;
    status code = sorted && folders ? STATUS_OK : status_no_memory("naming experiments");

    for (size_t i = 0; i < scan->file_count && code == STATUS_OK; i++)
        if (scan->files[i].experiment && run_role_is_timing(scan->files[i].name.role) && !scan->files[i].name.vague)
            sorted[count++] = &scan->files[i];
    if (code == STATUS_OK && count)
        qsort(sorted, count, sizeof *sorted, compare_for_clash);
    for (size_t i = 1; i < count; i++) {
        if (compare_identity(sorted[i - 1], sorted[i]) != 0 || strcmp(sorted[i - 1]->folder, sorted[i]->folder) == 0)
            continue;
        folders[clashes++] = sorted[i - 1]->folder;
        folders[clashes++] = sorted[i]->folder;
    }
    for (size_t i = 0; i < clashes && code == STATUS_OK; i++)
        code = qualify(rundir, scan, folders[i]);
    memory_free(sorted);
    memory_free(folders);
    return code;
}

status rundir_name_files(struct rundir *rundir, struct scan *scan)
{
    status code = name_files(rundir, scan);

    return code == STATUS_OK ? part_clashes(rundir, scan) : code;
}
