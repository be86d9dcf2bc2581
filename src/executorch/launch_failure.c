/* launch_failure.c: files of launches that failed. */
#include "executorch/launch_failure.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { LEVELS = 2 }; /* folders above a file in which its manifest may lie: flat, or one folder for each experiment */

void failures_free(struct failures *failures)
{
    for (size_t i = 0; i < failures->count; i++) {
        rundir_free(&failures->folders[i]->rundir);
        memory_free(failures->folders[i]->path);
        memory_free(failures->folders[i]);
    }
    memory_free(failures->folders);
    *failures = (struct failures){ 0 };
}

/* The run directory at a path, read where it is new. */
static status open_folder(struct failures *failures, const char *path, const struct rundir **rundir)
{
    struct failure_folder *folder;
    status code;

    for (size_t i = 0; i < failures->count; i++)
        if (strcmp(failures->folders[i]->path, path) == 0) {
            *rundir = &failures->folders[i]->rundir;
            return STATUS_OK;
        }
    code = memory_grow(&failures->folders, &failures->capacity, failures->count + 1, sizeof *failures->folders);
    folder = code == STATUS_OK ? memory_allocate_clear(sizeof *folder) : NULL;
    if (!folder)
        return status_no_memory("reading a manifest");
    failures->folders[failures->count++] = folder;
    folder->path = memory_copy_text(path);
    code = folder->path ? rundir_open(&folder->rundir, path) : status_no_memory("reading a manifest");
    *rundir = &folder->rundir;
    return code;
}

static const struct run_launch *launch_numbered(const struct run_entry *entry, uint32_t number)
{
    for (size_t i = 0; i < entry->launch_count; i++)
        if (entry->launches[i].number == number)
            return &entry->launches[i];
    return NULL;
}

/* What the manifest says of that launch. */
static status say_reason(const struct run_launch *launch, struct path *reason)
{
    const struct json *lines = launch ? json_get(launch->object, "last_lines") : NULL;
    size_t count = json_count(lines);
    status code = path_set(reason, "%s", launch && launch->reason ? launch->reason : "the manifest does not say why");

    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        path_append(reason, i ? " / " : "; it printed last: ");
        code = path_append(reason, json_text(&lines->items[i], ""));
    }
    return code;
}

static status find_file(const struct rundir *rundir, const char *resolved, struct path *reason)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < rundir->entry_count && code == STATUS_OK; i++) {
        const struct run_entry *entry = &rundir->entries[i];

        for (size_t k = 0; entry->failed && k < entry->file_count && code == STATUS_OK && !reason->length; k++) {
            struct path own = { .text = NULL };

            if (!entry->files[k].failed)
                continue;
            code = path_resolve(&own, entry->files[k].path);
            if (code == STATUS_OK && strcmp(own.text, resolved) == 0)
                code = say_reason(launch_numbered(entry, entry->files[k].launch), reason);
            else if (code == STATUS_INPUT)
                code = STATUS_OK; /* a file that the manifest lists and that is gone */
            path_free(&own);
        }
    }
    return code;
}

status failures_find(struct failures *failures, const char *path, struct path *reason)
{
    struct path resolved = { .text = NULL }, folder = { .text = NULL }, manifest = { .text = NULL };
    const struct rundir *rundir = NULL;
    status code = path_is_file(path) ? path_resolve(&resolved, path) : STATUS_INPUT;

    *reason = (struct path){ .text = NULL };
    if (code == STATUS_OK)
        code = path_set(&folder, "%s", resolved.text);
    for (unsigned level = 0; level < LEVELS && code == STATUS_OK && !reason->length; level++) {
        struct text above = path_folder(folder.text);

        if (!above.length)
            break;
        code = path_set(&manifest, "%.*s/manifest.json", (int)above.length, above.data);
        if (code == STATUS_OK)
            code = path_set(&folder, "%.*s", (int)(manifest.length - strlen("/manifest.json")), manifest.text);
        if (code == STATUS_OK && path_is_file(manifest.text)) {
            code = open_folder(failures, folder.text, &rundir);
            if (code == STATUS_OK)
                code = find_file(rundir, resolved.text, reason);
        }
    }
    if (code == STATUS_INPUT) { /* no file, or a folder that cannot be read: nothing is known */
        status_clear();
        code = STATUS_OK;
    }
    path_free(&resolved);
    path_free(&folder);
    path_free(&manifest);
    return code;
}

/* The text is one of the pool. */
static status load_failure(const struct companion_request *request, void **loaded)
{
    struct failures failures = { 0 };
    struct path reason;
    string_id text;
    status code = failures_find(&failures, request->source->path, &reason);

    *loaded = NULL;
    if (code == STATUS_OK && reason.length)
        code = strings_add_text(request->strings, reason.text, &text);
    if (code == STATUS_OK && reason.length)
        *loaded = (void *)(uintptr_t)strings_text(request->strings, text);
    path_free(&reason);
    failures_free(&failures);
    return code;
}

static void unload_nothing(void *loaded)
{
    (void)loaded;
}

const struct companion executorch_failure_companion = { .role = "failure",
                                                        .load = load_failure,
                                                        .unload = unload_nothing };
