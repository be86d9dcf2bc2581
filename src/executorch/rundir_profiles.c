/* rundir_profiles.c: what a run directory holds, in words of the core: a profile for each launch, with what the manifest says of it. */
#include <stdio.h>

#include "base/path.h"
#include "executorch/rundir.h"
#include "read/chain.h"

/* While the launches of an experiment are listed. */
struct listing {
    const struct rundir *rundir;   /* whose they are */
    const struct run_entry *entry; /* the same: experiment and threads */
    struct run_folder *folder;     /* that is filled */
    struct run_profile common;     /* what is said of all of them */
};

static status no_memory(void)
{
    return status_no_memory("reading a run directory");
}

/* ---- what is said of all launches -------------------------------------------------------------------------------------------- */

/* A text of the manifest that outlives it; NULL: it has none, or an empty one. */
static status keep(struct run_folder *folder, const struct json *value, const char **kept)
{
    const char *text = json_text(value, NULL);

    if (!text || !*text)
        return STATUS_OK;
    *kept = run_folder_text(folder, "%s", text);
    return *kept ? STATUS_OK : no_memory();
}

/* The first of these keys of the manifest's device that says something: what people call it by. */
static status find_device(struct listing *listing)
{
    static const char *const keys[] = { "model", "cpu", "architecture" };
    const struct json *device = json_get(listing->rundir->manifest.root, "device");
    status code = keep(listing->folder, device, &listing->common.device);

    for (size_t i = 0; i < sizeof keys / sizeof *keys && code == STATUS_OK && !listing->common.device; i++)
        code = keep(listing->folder, json_get(device, keys[i]), &listing->common.device);
    return code;
}

/* The manifest's own, else that of the runtime which it was measured with. */
static status find_commit(struct listing *listing)
{
    const struct json *root = listing->rundir->manifest.root, *runtime = json_get(root, "executorch");
    const struct json *const values[] = { json_get(root, "commit"), json_get(runtime, "actual_sha"),
                                          json_get(runtime, "sha") };
    status code = keep(listing->folder, json_get(root, "build"), &listing->common.build);

    for (size_t i = 0; i < sizeof values / sizeof *values && code == STATUS_OK && !listing->common.commit; i++)
        code = keep(listing->folder, values[i], &listing->common.commit);
    return code;
}

static status add_labels(struct listing *listing)
{
    const char **labels = arena_allocate(&listing->folder->arena, 3 * sizeof *labels, _Alignof(const char *));
    size_t count = 0;

    if (!labels)
        return no_memory();
    labels[count++] = run_folder_text(listing->folder, "experiment=%s", listing->entry->name);
    if (listing->entry->threads)
        labels[count++] = run_folder_text(listing->folder, "threads=%u", listing->entry->threads);
    labels[count] = NULL;
    listing->common.labels = labels;
    return labels[count - 1] && labels[0] ? STATUS_OK : no_memory();
}

/* Only what comes first in the process that is measured is in the files. */
static status find_warmup(struct listing *listing)
{
    int64_t runs;

    if (!json_integer(json_get(listing->entry->manifest, "warmup_in_process"), &runs) || runs <= 0)
        return STATUS_OK;
    listing->common.warmup = run_folder_text(listing->folder, "%lld", (long long)runs);
    return listing->common.warmup ? STATUS_OK : no_memory();
}

/* ---- launches -------------------------------------------------------------------------------------------------------------------- */

static status add_launch(struct listing *listing, const char *path, uint32_t launch, const char *failure)
{
    struct run_profile profile = listing->common;
    char number[24] = "";

    if (launch)
        snprintf(number, sizeof number, ", launch %u", launch);
    profile.name = run_folder_text(listing->folder, "%s%s", listing->entry->label, number);
    profile.path = path ? run_folder_text(listing->folder, "%s", path) : NULL;
    profile.failure = failure ? run_folder_text(listing->folder, "%s", failure) : NULL;
    if (!profile.name || (path && !profile.path) || (failure && !profile.failure))
        return no_memory();
    return run_folder_add(listing->folder, &profile);
}

/* A file of a launch that failed is there for a person to look at; NULL: it left none. */
static const char *file_of(const struct run_entry *entry, uint32_t launch)
{
    for (size_t i = 0; i < entry->file_count; i++)
        if (entry->files[i].launch == launch && entry->files[i].failed)
            return entry->files[i].path;
    return NULL;
}

static status add_entry(struct listing *listing)
{
    const struct run_entry *entry = listing->entry;
    const struct run_times *times = entry->trace ? &entry->times : &entry->latency;
    status code = add_labels(listing);

    if (code == STATUS_OK)
        code = find_warmup(listing);
    listing->common.timeless = entry->trace ? "its trace" : NULL;
    for (size_t i = 0; i < times->count && code == STATUS_OK; i++)
        code = add_launch(listing, times->files[i]->path, times->files[i]->launch, NULL);
    if (code == STATUS_OK && entry->trace && !times->count && entry->file_count)
        return add_launch(listing, entry->files[0].path, 0, NULL);
    for (size_t i = 0; i < entry->launch_count && code == STATUS_OK && !entry->trace; i++) {
        const struct run_launch *launch = &entry->launches[i];

        if (launch->state == RUN_STATE_FAILED)
            code = add_launch(listing, file_of(entry, launch->number), launch->number,
                              launch->reason ? launch->reason : "the manifest does not say why");
    }
    if (code == STATUS_OK && times->source == RUN_SOURCE_METRICS) {
        const char *note = run_folder_text(
            listing->folder, "%s: only numbers of metrics.json are there, and no profile: left out", entry->label);

        code = note ? run_folder_note(listing->folder, note) : no_memory();
    }
    return code;
}

static status list_entries(const struct rundir *rundir, struct run_folder *folder)
{
    struct listing listing = { .rundir = rundir, .folder = folder };
    status code = STATUS_OK;

    if (rundir->model_stem) {
        listing.common.model = run_folder_text(folder, "%s", rundir->model_stem);
        code = listing.common.model ? STATUS_OK : no_memory();
    }
    if (code == STATUS_OK)
        code = find_device(&listing);
    if (code == STATUS_OK)
        code = find_commit(&listing);
    for (size_t i = 0; i < rundir->entry_count && code == STATUS_OK; i++) {
        listing.entry = &rundir->entries[i];
        listing.common.warmup = NULL;
        code = add_entry(&listing);
    }
    for (size_t i = 0; i < rundir->note_count && code == STATUS_OK; i++)
        code = run_folder_note(folder, rundir->notes[i]);
    return code;
}

/* Whether it is worth a look at all files below. */
static status has_document(const char *path, bool *has)
{
    static const char *const names[] = { "manifest.json", "metrics.json" };
    struct path file = { .text = NULL };
    status code = STATUS_OK;

    *has = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && code == STATUS_OK && !*has; i++) {
        code = path_set(&file, "%s/%s", path, names[i]);
        *has = code == STATUS_OK && path_is_file(file.text);
    }
    path_free(&file);
    return code;
}

status rundir_list_runs(const char *path, struct run_folder *folder, bool *known)
{
    struct rundir rundir;
    status code = has_document(path, known);

    if (code != STATUS_OK || !*known)
        return code;
    code = rundir_open(&rundir, path);
    *known =
        code == STATUS_OK && rundir.entry_count; /* a document that is damaged is told, and names of files are left */
    if (*known)
        code = list_entries(&rundir, folder);
    rundir_free(&rundir);
    return code;
}
