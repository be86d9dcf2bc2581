/* rundir.c: a run directory: its documents, its model, and looking things up in it. */
#include "executorch/rundir.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "executorch/rundir_scan.h"
#include "trace/model.h"

enum { DOCUMENT_LARGEST = 64 * 1024 * 1024 };

const char *run_source_key(enum run_source source)
{
    static const char *const keys[] = {
#define X(name, key, title) key,
        RUN_SOURCE_MAP(X)
#undef X
    };

    assert(source < sizeof keys / sizeof *keys);
    return keys[source];
}

const char *run_source_title(enum run_source source)
{
    static const char *const titles[] = {
#define X(name, key, title) title,
        RUN_SOURCE_MAP(X)
#undef X
    };

    assert(source < sizeof titles / sizeof *titles);
    return titles[source];
}

static status make_text(struct rundir *rundir, const char **text, const char *format, va_list arguments)
{
    *text = arena_format(&rundir->arena, format, arguments);
    return *text ? STATUS_OK : status_no_memory("reading a run directory");
}

status rundir_make_text(struct rundir *rundir, const char **text, const char *format, ...)
{
    va_list arguments;
    status code;

    va_start(arguments, format);
    code = make_text(rundir, text, format, arguments);
    va_end(arguments);
    return code;
}

status rundir_note(struct rundir *rundir, const char *format, ...)
{
    va_list arguments;
    status code = memory_grow(&rundir->notes, &rundir->note_capacity, rundir->note_count + 1, sizeof *rundir->notes);

    if (code != STATUS_OK)
        return code;
    va_start(arguments, format);
    code = make_text(rundir, &rundir->notes[rundir->note_count], format, arguments);
    va_end(arguments);
    rundir->note_count += code == STATUS_OK;
    return code;
}

/* ---- documents ------------------------------------------------------------------------------------------------- */

/* What is no JSON is kept as a problem: the rest of the run directory is still worth reading. */
static status parse_document(struct rundir *rundir, const char *path, struct run_document *document)
{
    status code = json_parse_file(&rundir->arena, path, DOCUMENT_LARGEST, &document->root);

    document->found = true;
    if (code == STATUS_OK || code == STATUS_MEMORY)
        return code;
    document->root = NULL;
    code = rundir_make_text(rundir, &document->problem, "%s", status_message());
    if (code == STATUS_OK)
        code = rundir_note(rundir, "%s", document->problem);
    status_clear();
    return code;
}

static status read_document(struct rundir *rundir, const char *name, struct run_document *document)
{
    status code;

    *document = (struct run_document){ 0 };
    code = rundir_make_text(rundir, &document->path, "%s/%s", rundir->path, name);
    return code == STATUS_OK && path_is_file(document->path) ? parse_document(rundir, document->path, document) : code;
}

/* Only those that lie in the run directory itself speak for the whole. */
static status read_summaries(struct rundir *rundir, const struct scan *scan)
{
    size_t capacity = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < scan->file_count && code == STATUS_OK; i++) {
        const struct scanned_file *file = &scan->files[i];
        struct run_document *document;

        if (file->name.role != RUN_SUMMARY || *file->folder)
            continue;
        code = memory_grow(&rundir->summaries, &capacity, rundir->summary_count + 1, sizeof *rundir->summaries);
        if (code != STATUS_OK)
            break;
        document = &rundir->summaries[rundir->summary_count++];
        *document = (struct run_document){ .path = file->path };
        code = parse_document(rundir, file->path, document);
    }
    return code;
}

/* A path as a JSON file names it: beside the run directory's files, else from where the command runs. NULL: nowhere. */
static status resolve(struct rundir *rundir, const char *named, const char **found)
{
    status code = rundir_make_text(rundir, found, "%s/%s", rundir->path, named);

    if (code == STATUS_OK && (*named == '/' || !path_is_file(*found)))
        *found = path_is_file(named) ? named : NULL;
    return code;
}

static const char *stated(const struct rundir *rundir, const char *key)
{
    const char *text = json_text(json_get(rundir->manifest.root, key), NULL);

    if (!text)
        text = json_text(json_get(rundir->metrics.root, key), NULL);
    for (size_t i = 0; i < rundir->summary_count && !text; i++)
        text = json_text(json_get(rundir->summaries[i].root, key), NULL);
    return text;
}

static status read_config(struct rundir *rundir)
{
    const char *named = stated(rundir, "config");
    status code;

    rundir->config = (struct run_document){ .path = named };
    if (!named || !*named)
        return STATUS_OK;
    code = resolve(rundir, named, &rundir->config_resolved);
    if (code == STATUS_OK && !rundir->config_resolved)
        return rundir_note(rundir, "the configuration %s, which the manifest names, is not there", named);
    return code == STATUS_OK ? parse_document(rundir, rundir->config_resolved, &rundir->config) : code;
}

/* ---- model and record ------------------------------------------------------------------------------------------ */

static status stem_of(struct rundir *rundir, const char *path, const char **stem)
{
    struct run_name name = run_name_split(path_name(path));
    bool cut = name.role == RUN_MODEL || name.role == RUN_ETRECORD || name.role == RUN_SUMMARY;

    return cut ? rundir_make_text(rundir, stem, "%.*s", (int)name.stem.length, name.stem.data)
               : rundir_make_text(rundir, stem, "%s", path_name(path));
}

/* The stem that all files of a role have; NULL: there are none, or they differ. */
static const char *only_stem(const struct scan *scan, enum run_role role)
{
    const char *only = NULL;

    for (size_t i = 0; i < scan->file_count; i++) {
        const struct scanned_file *file = &scan->files[i];

        if (file->name.role != role || !*file->stem)
            continue;
        if (only && strcmp(only, file->stem) != 0)
            return NULL;
        only = file->stem;
    }
    return only;
}

/* What the JSON files say, else what other files are called. */
static status find_model(struct rundir *rundir, const struct scan *scan)
{
    static const enum run_role roles[] = { RUN_SUMMARY, RUN_MODEL, RUN_ETRECORD };

    rundir->model = stated(rundir, "model");
    if (!rundir->model)
        rundir->model = json_text(json_get(rundir->config.root, "model"), NULL);
    if (rundir->model && *rundir->model)
        return stem_of(rundir, rundir->model, &rundir->model_stem);
    for (size_t i = 0; i < sizeof roles / sizeof *roles && !rundir->model_stem; i++)
        rundir->model_stem = only_stem(scan, roles[i]);
    return STATUS_OK;
}

/* The record of the model; where several lie here and none has its name, none is taken. */
static const struct scanned_file *find_record(const struct rundir *rundir, const struct scan *scan)
{
    const struct scanned_file *only = NULL;
    size_t count = 0;

    for (size_t i = 0; i < scan->file_count; i++) {
        if (scan->files[i].name.role != RUN_ETRECORD)
            continue;
        if (rundir->model_stem && strcmp(scan->files[i].stem, rundir->model_stem) == 0)
            return &scan->files[i];
        only = &scan->files[i];
        count++;
    }
    return count == 1 ? only : NULL;
}

static status find_etrecord(struct rundir *rundir, const struct scan *scan)
{
    static const char *const suffixes[] = { ".etrecord", ".slim.etrecord", ".pte.etrecord" };
    const struct scanned_file *found = find_record(rundir, scan);
    const char *named;
    int folder;
    status code = STATUS_OK;

    if (found)
        rundir->etrecord = found->path;
    if (found || !rundir->model || !rundir->model_stem)
        return STATUS_OK;
    folder = (int)(path_name(rundir->model) - rundir->model);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && code == STATUS_OK && !rundir->etrecord; i++) {
        code = rundir_make_text(rundir, &named, "%.*s%s%s", folder, rundir->model, rundir->model_stem, suffixes[i]);
        if (code == STATUS_OK)
            code = resolve(rundir, named, &rundir->etrecord);
    }
    return code;
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static status note_scan(struct rundir *rundir, const struct scan *scan)
{
    status code = STATUS_OK;

    rundir->unreadable = scan->unreadable;
    rundir->loops = scan->loops;
    rundir->too_deep = scan->too_deep;
    if (scan->unreadable)
        code = rundir_note(rundir, "%zu folder(s) could not be opened: what lies there is not seen", scan->unreadable);
    if (code == STATUS_OK && scan->loops)
        code = rundir_note(rundir, "%zu link(s) lead to folders that were seen before, or nowhere", scan->loops);
    if (code == STATUS_OK && scan->too_deep)
        code = rundir_note(rundir, "%zu folder(s) lie deeper than %d: what lies there is not seen", scan->too_deep,
                           RUNDIR_DEEPEST);
    return code;
}

static status find_absolute(struct rundir *rundir)
{
    struct path resolved = { .text = NULL };
    status code = path_resolve(&resolved, rundir->path);

    rundir->absolute = rundir->path;
    if (code == STATUS_OK)
        code = rundir_make_text(rundir, &rundir->absolute, "%s", resolved.text);
    path_free(&resolved);
    return code == STATUS_INPUT ? STATUS_OK : code;
}

static status read_all(struct rundir *rundir, struct scan *scan)
{
    status code = note_scan(rundir, scan);

    for (size_t i = 0; i < scan->file_count; i++)
        rundir->etdump_count += scan->files[i].name.role == RUN_ETDUMP;
    if (code == STATUS_OK)
        code = find_absolute(rundir);
    if (code == STATUS_OK)
        code = read_document(rundir, "manifest.json", &rundir->manifest);
    if (code == STATUS_OK)
        code = read_document(rundir, "metrics.json", &rundir->metrics);
    if (code == STATUS_OK)
        code = read_summaries(rundir, scan);
    if (code == STATUS_OK)
        code = read_config(rundir);
    if (code == STATUS_OK)
        code = find_model(rundir, scan);
    if (code == STATUS_OK)
        code = find_etrecord(rundir, scan);
    return code == STATUS_OK ? rundir_fill_entries(rundir, scan) : code;
}

status rundir_open(struct rundir *rundir, const char *path)
{
    struct scan scan;
    status code;

    assert(path);
    *rundir = (struct rundir){ .arena = ARENA_EMPTY };
    code = rundir_make_text(rundir, &rundir->path, "%s", path);
    if (code != STATUS_OK)
        return code;
    code = scan_folder(&scan, &rundir->arena, rundir->path);
    if (code == STATUS_OK)
        code = read_all(rundir, &scan);
    scan_free(&scan);
    return code;
}

void rundir_free(struct rundir *rundir)
{
    memory_free(rundir->summaries);
    memory_free(rundir->entries);
    memory_free(rundir->notes);
    arena_free(&rundir->arena);
    *rundir = (struct rundir){ 0 };
}

/* ---- looking up ------------------------------------------------------------------------------------------------ */

const struct run_entry *rundir_find(const struct rundir *rundir, const char *name, uint32_t threads)
{
    assert(name);
    for (size_t i = 0; i < rundir->entry_count; i++) {
        const struct run_entry *entry = &rundir->entries[i];

        if (strcmp(entry->name, name) == 0 && (!threads || entry->threads == threads))
            return entry;
    }
    return NULL;
}

const struct run_file *run_entry_file(const struct run_entry *entry, enum run_role role)
{
    assert(role < RUN_ROLE_COUNT);
    for (size_t i = 0; i < entry->file_count; i++)
        if (entry->files[i].role == role)
            return &entry->files[i];
    return NULL;
}

const struct run_launch *run_entry_failure(const struct run_entry *entry)
{
    for (size_t i = 0; i < entry->launch_count; i++)
        if (entry->launches[i].state == RUN_STATE_FAILED)
            return &entry->launches[i];
    assert(!entry->failed);
    return NULL;
}

const struct run_file *rundir_kernel_file(const struct rundir *rundir, const struct run_entry *entry,
                                          enum run_role role)
{
    const struct run_file *file = run_entry_file(entry, role);

    assert(entry->partner == NO_ID || entry->partner < rundir->entry_count);
    if (!file && entry->partner != NO_ID)
        file = run_entry_file(&rundir->entries[entry->partner], role);
    for (size_t i = 0; i < rundir->entry_count && !file; i++) {
        const struct run_entry *other = &rundir->entries[i];

        if (strcmp(other->name, entry->name) != 0)
            continue;
        file = run_entry_file(other, role);
        if (!file && other->partner != NO_ID)
            file = run_entry_file(&rundir->entries[other->partner], role);
    }
    return file;
}

const struct json *run_entry_latencies(const struct run_entry *entry)
{
    const struct json *results[] = { entry->metrics, entry->manifest };

    if (entry->failed && entry->failed == entry->launch_count)
        return NULL;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        const struct json *list = json_find(results[i], "metrics", "latency_ms", NULL);

        if (!list)
            list = json_get(results[i], "latency_ms");
        if (json_count(list))
            return list;
    }
    return NULL;
}

bool run_stated(const struct json *result, const char *key, double *value)
{
    return json_decimal(json_find(result, "metrics", key, NULL), value) || json_decimal(json_get(result, key), value);
}
