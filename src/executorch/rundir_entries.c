/* rundir_entries.c: from the files of a run directory to its experiments: by the manifest that lists them, else by their names. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/path.h"
#include "executorch/rundir_scan.h"
#include "trace/model.h"

/* ---- results that JSON files state ----------------------------------------------------------------------------- */

static uint32_t threads_of(const struct json *result)
{
    int64_t threads;

    if (!json_integer(json_get(result, "threads"), &threads) &&
        !json_integer(json_find(result, "metrics", "threads", NULL), &threads))
        return 0;
    return threads > 0 && threads < 1000000 ? (uint32_t)threads : 0;
}

/* The object of an experiment in a list: with these threads, else one that says none, else (threads not known) the first. */
static const struct json *find_result(const struct json *list, const char *key, const char *name, uint32_t threads)
{
    const struct json *second = NULL;

    for (size_t i = 0; i < json_count(list); i++) {
        const struct json *result = &list->items[i];
        const char *experiment = json_text(json_get(result, key), NULL);
        uint32_t stated = threads_of(result);

        if (!experiment || strcmp(experiment, name) != 0)
            continue;
        if (threads && stated == threads)
            return result;
        if (!second && (!threads || !stated))
            second = result;
    }
    return second;
}

/* The only thread count that the lists have for an experiment; 0: none or several. */
static uint32_t only_threads(const struct rundir *rundir, const char *name)
{
    const struct json *lists[] = { json_get(rundir->manifest.root, "results"),
                                   json_get(rundir->metrics.root, "results") };
    uint32_t only = 0;

    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++) {
        for (size_t i = 0; i < json_count(lists[list]); i++) {
            const struct json *result = &lists[list]->items[i];
            const char *experiment = json_text(json_get(result, "experiment"), "");
            uint32_t threads = threads_of(result);

            if (strcmp(experiment, name) != 0 || !threads)
                continue;
            if (only && only != threads)
                return 0;
            only = threads;
        }
    }
    return only;
}

static void find_objects(const struct rundir *rundir, struct run_entry *entry)
{
    const char *name = entry->name;

    entry->manifest = find_result(json_get(rundir->manifest.root, "results"), "experiment", name, entry->threads);
    entry->metrics = find_result(json_get(rundir->metrics.root, "results"), "experiment", name, entry->threads);
    entry->config = find_result(json_get(rundir->config.root, "experiments"), "name", name, 0);
    for (size_t i = 0; i < rundir->summary_count && !entry->summary; i++)
        entry->summary = find_result(json_get(rundir->summaries[i].root, "runs"), "experiment", name, entry->threads);
}

/* ---- entries --------------------------------------------------------------------------------------------------- */

static status find_or_add(struct rundir *rundir, const char *name, uint32_t threads, uint32_t *index)
{
    const struct run_entry *found = NULL;
    status code;

    for (size_t i = 0; i < rundir->entry_count && !found; i++)
        if (rundir->entries[i].threads == threads && strcmp(rundir->entries[i].name, name) == 0)
            found = &rundir->entries[i];
    if (found) {
        *index = (uint32_t)(found - rundir->entries);
        return STATUS_OK;
    }
    code = memory_grow(&rundir->entries, &rundir->entry_capacity, rundir->entry_count + 1, sizeof *rundir->entries);
    if (code != STATUS_OK)
        return code;
    *index = (uint32_t)rundir->entry_count;
    rundir->entries[rundir->entry_count++] = (struct run_entry){ .name = name, .threads = threads, .partner = NO_ID };
    return STATUS_OK;
}

/* ---- what the manifest lists ----------------------------------------------------------------------------------- */

/* Every result of it lists its launches; an empty manifest says nothing. */
static bool lists_launches(const struct json *results)
{
    for (size_t i = 0; i < json_count(results); i++)
        if (!json_count(json_get(&results->items[i], "launch_results")))
            return false;
    return json_count(results) > 0;
}

static enum run_role role_of_key(struct text key)
{
    for (unsigned role = RUN_ETDUMP; role < RUN_ROLE_COUNT; role++)
        if (text_is(key, run_role_key((enum run_role)role)))
            return (enum run_role)role;
    return RUN_NONE;
}

/* The file that an artifact names, compressed or not; NULL: it is not there. */
static struct scanned_file *find_listed(const struct scan *scan, const struct json *artifact)
{
    const char *path = json_text(json_get(artifact, "relative_path"), NULL);

    for (size_t i = 0; path && i < scan->file_count; i++)
        if (text_equal(path_unpacked(scan->files[i].shown), path_unpacked(path)))
            return &scan->files[i];
    return NULL;
}

/* An experiment of which nothing ran, and nothing failed, is none yet. */
static status place_launch(struct rundir *rundir, struct scan *scan, const struct json *result,
                           const struct json *launch, uint32_t *owners)
{
    const char *name = json_text(json_get(result, "experiment"), NULL);
    const struct json *artifacts = json_get(launch, "artifacts");
    bool failed = strcmp(json_text(json_get(launch, "status"), ""), run_state_key(RUN_STATE_FAILED)) == 0;
    int64_t number = 0;
    uint32_t index;
    status code = STATUS_OK;

    if (!name || !*name)
        return STATUS_OK;
    if (!json_integer(json_get(launch, "launch"), &number) || number < 0 || number > UINT32_MAX)
        number = 0;
    if (failed)
        code = find_or_add(rundir, name, threads_of(result), &index);
    for (size_t i = 0; artifacts && artifacts->type == JSON_OBJECT && i < artifacts->count && code == STATUS_OK; i++) {
        enum run_role role = role_of_key(artifacts->keys[i]);
        struct scanned_file *file = role ? find_listed(scan, &artifacts->items[i]) : NULL;

        if (!file)
            continue;
        file->name.role = role;
        file->name.launch = (uint32_t)number;
        file->name.vague = false;
        code = find_or_add(rundir, name, threads_of(result), &owners[file - scan->files]);
    }
    return code;
}

/* Places the files that the manifest lists. Others with times count no more. */
static status place_listed(struct rundir *rundir, struct scan *scan, uint32_t *owners)
{
    const struct json *results = json_get(rundir->manifest.root, "results");
    const struct scanned_file *first = NULL;
    size_t strangers = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < json_count(results) && code == STATUS_OK; i++) {
        const struct json *launches = json_get(&results->items[i], "launch_results");

        for (size_t k = 0; k < json_count(launches) && code == STATUS_OK; k++)
            code = place_launch(rundir, scan, &results->items[i], &launches->items[k], owners);
    }
    for (size_t i = 0; i < scan->file_count; i++) {
        struct scanned_file *file = &scan->files[i];

        if (owners[i] != NO_ID || !run_role_is_timing(file->name.role))
            continue;
        strangers += !file->name.vague;
        first = first || file->name.vague ? first : file;
        file->name.role = RUN_NONE;
        file->experiment = NULL;
    }
    if (code != STATUS_OK || !strangers)
        return code;
    return rundir_note(rundir, "%zu file%s with times that manifest.json does not list %s left out, the first: %s",
                       strangers, strangers == 1 ? "" : "s", strangers == 1 ? "is" : "are", first->shown);
}

static enum run_state state_of(const struct json *launch)
{
    struct text key = text_of(json_text(json_get(launch, "status"), ""));

    for (unsigned state = 0; state < RUN_STATE_COUNT; state++)
        if (text_is(key, run_state_key((enum run_state)state)))
            return (enum run_state)state;
    return RUN_STATE_FOUND;
}

static int compare_launches(const void *one, const void *other)
{
    const struct run_launch *a = one, *b = other;

    return (a->number > b->number) - (a->number < b->number);
}

static bool is_failed(const struct run_entry *entry, uint32_t launch)
{
    for (size_t i = 0; i < entry->launch_count; i++)
        if (entry->launches[i].number == launch)
            return entry->launches[i].state == RUN_STATE_FAILED;
    return false;
}

static struct run_launch launch_of(const struct json *object)
{
    int64_t number = 0;

    if (!json_integer(json_get(object, "launch"), &number) || number < 0 || number > UINT32_MAX)
        number = 0;
    return (struct run_launch){ .number = (uint32_t)number,
                                .state = state_of(object),
                                .reason = json_text(json_get(object, "reason"), NULL),
                                .object = object };
}

/* The launches that the manifest states, and which files are of one that failed. A result that lists none and failed is one launch, and all its files are of that. */
static status fill_launches(struct rundir *rundir, struct run_entry *entry)
{
    const struct json *list = json_get(entry->manifest, "launch_results");
    size_t count = json_count(list);
    bool alone = !count && entry->manifest && state_of(entry->manifest) == RUN_STATE_FAILED;
    struct run_launch *launches =
        arena_allocate(&rundir->arena, (count + 1) * sizeof *launches, _Alignof(struct run_launch));

    if (!launches)
        return status_no_memory("reading a run directory");
    for (size_t i = 0; i < count; i++)
        launches[i] = launch_of(&list->items[i]);
    if (alone)
        launches[count++] = launch_of(entry->manifest);
    for (size_t i = 0; i < count; i++)
        entry->failed += launches[i].state == RUN_STATE_FAILED;
    if (count)
        qsort(launches, count, sizeof *launches, compare_launches);
    entry->launches = launches;
    entry->launch_count = count;
    for (size_t i = 0; i < entry->file_count; i++)
        entry->files[i].failed = alone || is_failed(entry, entry->files[i].launch);
    return STATUS_OK;
}

/* ---- what the names of files say ------------------------------------------------------------------------------- */

/* A file without times follows an entry that is there: the one of its threads, else any of its name where one of the two
 * names none. */
static status place_follower(struct rundir *rundir, const struct scanned_file *file, uint32_t *index)
{
    const struct run_entry *best = NULL;

    for (size_t i = 0; i < rundir->entry_count; i++) {
        const struct run_entry *entry = &rundir->entries[i];

        if (strcmp(entry->name, file->experiment) != 0 ||
            (entry->threads != file->name.threads && entry->threads && file->name.threads))
            continue;
        if (!best || entry->threads == file->name.threads ||
            (best->threads != file->name.threads && entry->threads < best->threads))
            best = entry;
    }
    if (best) {
        *index = (uint32_t)(best - rundir->entries);
        return STATUS_OK;
    }
    return find_or_add(rundir, file->experiment, file->name.threads, index);
}

/* The entry that has a primary file of the same stem and threads; NO_ID: none. */
static uint32_t entry_of_stem(const struct scan *scan, const uint32_t *owners, const struct scanned_file *file,
                              bool same_folder)
{
    for (size_t i = 0; i < scan->file_count; i++) {
        const struct scanned_file *other = &scan->files[i];

        if (owners[i] != NO_ID && scanned_is_primary(other) && other->name.threads == file->name.threads &&
            strcmp(other->stem, file->stem) == 0 && (!same_folder || strcmp(other->folder, file->folder) == 0))
            return owners[i];
    }
    return NO_ID;
}

/* The only entry with times in a folder; NO_ID: none or several. */
static uint32_t only_entry_in(const struct scan *scan, const uint32_t *owners, const char *folder)
{
    uint32_t only = NO_ID;

    for (size_t i = 0; i < scan->file_count; i++) {
        if (owners[i] == NO_ID || !run_role_is_timing(scan->files[i].name.role) ||
            strcmp(scan->files[i].folder, folder) != 0)
            continue;
        if (only != NO_ID && only != owners[i])
            return NO_ID;
        only = owners[i];
    }
    return only;
}

/* Statistics, logs and kernel tables whose name says too little: by the stem, else by the company they keep. */
static void place_rest(const struct scan *scan, uint32_t *owners)
{
    for (size_t i = 0; i < scan->file_count; i++) {
        const struct scanned_file *file = &scan->files[i];
        bool statistics = file->name.role == RUN_ROBUST_STATS;

        if (owners[i] != NO_ID || !file->name.role || (file->name.role > RUN_KERNELS && !statistics))
            continue;
        if (*file->stem)
            owners[i] = entry_of_stem(scan, owners, file, true);
        if (owners[i] == NO_ID && *file->stem && statistics)
            owners[i] = entry_of_stem(scan, owners, file, false);
        if (owners[i] == NO_ID && !statistics)
            owners[i] = only_entry_in(scan, owners, file->folder);
    }
}

static status place_files(struct rundir *rundir, struct scan *scan, uint32_t *owners)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < scan->file_count; i++)
        owners[i] = NO_ID;
    if (rundir->listed)
        code = place_listed(rundir, scan, owners);
    for (size_t i = 0; i < scan->file_count && code == STATUS_OK; i++) {
        struct scanned_file *file = &scan->files[i];

        if (owners[i] != NO_ID || !file->experiment || !run_role_is_timing(file->name.role) || file->name.vague)
            continue;
        assert(!rundir->listed);
        if (!file->name.threads)
            file->name.threads = only_threads(rundir, file->experiment);
        code = find_or_add(rundir, file->experiment, file->name.threads, &owners[i]);
    }
    for (size_t i = 0; i < scan->file_count && code == STATUS_OK; i++)
        if (owners[i] == NO_ID && scan->files[i].experiment && scanned_is_primary(&scan->files[i]))
            code = place_follower(rundir, &scan->files[i], &owners[i]);
    for (size_t i = 0; i < scan->file_count && code == STATUS_OK; i++)
        if (owners[i] == NO_ID && scan->files[i].experiment && !scan->files[i].name.vague)
            code = place_follower(rundir, &scan->files[i], &owners[i]);
    if (code == STATUS_OK)
        place_rest(scan, owners);
    return code;
}

/* Experiments of which only numbers are left. */
static status add_stated(struct rundir *rundir, const struct json *list)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < json_count(list) && code == STATUS_OK; i++) {
        const char *name = json_text(json_get(&list->items[i], "experiment"), NULL);
        const struct json *latencies = json_find(&list->items[i], "metrics", "latency_ms", NULL);
        uint32_t threads = threads_of(&list->items[i]);
        uint32_t index;

        if (!name || !*name || !json_count(latencies))
            continue;
        if (!rundir_find(rundir, name, threads) &&
            !(rundir_find(rundir, name, 0) && !rundir_find(rundir, name, 0)->threads))
            code = find_or_add(rundir, name, threads, &index);
    }
    return code;
}

/* ---- files and times of an entry ------------------------------------------------------------------------------- */

/* A file that cannot be opened or unpacked is none; only want of memory is a failure. */
static status check_etdump(const char *path, bool *found)
{
    struct input *input = NULL;
    struct text head = { 0 };
    status code = input_open(path, &input);

    if (code == STATUS_OK)
        code = input_head(input, &head);
    if (code != STATUS_OK)
        head.length = 0;
    *found = (head.length >= 12 && memcmp(head.data + 8, "ED00", 4) == 0) ||
             (head.length >= 8 && memcmp(head.data + 4, "ED00", 4) == 0);
    input_close(input);
    if (code == STATUS_MEMORY)
        return code;
    status_clear();
    return STATUS_OK;
}

static int compare_run_files(const void *one, const void *other)
{
    const struct run_file *a = one;
    const struct run_file *b = other;

    if (a->role != b->role)
        return a->role < b->role ? -1 : 1;
    if (a->launch != b->launch)
        return a->launch < b->launch ? -1 : 1;
    return natural_compare(a->shown, b->shown);
}

static status fill_files(struct rundir *rundir, const struct scan *scan, const uint32_t *owners, uint32_t index)
{
    struct run_entry *entry = &rundir->entries[index];
    status code = STATUS_OK;

    for (size_t i = 0; i < scan->file_count; i++)
        entry->file_count += owners[i] == index;
    entry->files =
        arena_allocate(&rundir->arena, (entry->file_count + 1) * sizeof *entry->files, _Alignof(struct run_file));
    if (!entry->files)
        return status_no_memory("reading a run directory");
    entry->file_count = 0;
    for (size_t i = 0; i < scan->file_count && code == STATUS_OK; i++) {
        const struct scanned_file *file = &scan->files[i];
        struct run_file *own = &entry->files[entry->file_count];

        if (owners[i] != index)
            continue;
        *own = (struct run_file){ .path = file->path,
                                  .shown = file->shown,
                                  .role = file->name.role,
                                  .launch = file->name.launch,
                                  .usable = true };
        if (own->role == RUN_ETDUMP)
            code = check_etdump(file->path, &own->usable);
        if (code == STATUS_OK && !own->usable)
            code = rundir_note(rundir, "%s: is no ETDump, its identifier ED00 is missing; it is left out", own->shown);
        entry->file_count++;
    }
    if (entry->file_count)
        qsort(entry->files, entry->file_count, sizeof *entry->files, compare_run_files);
    return code;
}

static const struct run_file *file_of_launch(const struct run_entry *entry, enum run_role role, uint32_t launch)
{
    for (size_t i = 0; i < entry->file_count; i++)
        if (entry->files[i].role == role && entry->files[i].launch == launch && entry->files[i].usable &&
            !entry->files[i].failed)
            return &entry->files[i];
    return NULL;
}

/* The launches of an entry that did not fail, in order; returns how many. `launches` has room for one per file. */
static size_t launches_of(const struct run_entry *entry, uint32_t *launches)
{
    size_t count = 0;

    for (size_t i = 0; i < entry->file_count; i++) {
        size_t at = count;

        if (!run_role_is_timing(entry->files[i].role) || entry->files[i].failed)
            continue;
        while (at && launches[at - 1] > entry->files[i].launch)
            at--;
        if (at && launches[at - 1] == entry->files[i].launch)
            continue;
        memmove(launches + at + 1, launches + at, (count - at) * sizeof *launches);
        launches[at] = entry->files[i].launch;
        count++;
    }
    return count;
}

/* Dumps and timelines of all runs say the same and may stand for each other; the other kinds are not mixed. */
static const struct run_file *best_of_launch(const struct run_entry *entry, enum run_source source, uint32_t launch)
{
    const struct run_file *file;

    switch (source) {
    case RUN_SOURCE_ETDUMP:
        file = file_of_launch(entry, RUN_ETDUMP, launch);
        return file ? file : file_of_launch(entry, RUN_TIMELINE, launch);
    case RUN_SOURCE_TIMELINE_RUN:
        return file_of_launch(entry, RUN_TIMELINE_RUN, launch);
    case RUN_SOURCE_OPS_STATS:
        return file_of_launch(entry, RUN_OPS_STATS, launch);
    case RUN_SOURCE_LOG:
        return file_of_launch(entry, RUN_LOG, launch);
    default:
        return NULL;
    }
}

static status choose_times(struct rundir *rundir, const struct run_entry *entry, bool latency, struct run_times *times)
{
    static const enum run_source order[] = { RUN_SOURCE_ETDUMP, RUN_SOURCE_TIMELINE_RUN, RUN_SOURCE_OPS_STATS,
                                             RUN_SOURCE_LOG };
    uint32_t *launches = memory_allocate((entry->file_count + 1) * sizeof *launches);
    size_t launch_count;

    *times = (struct run_times){ .source = RUN_SOURCE_NONE };
    times->files =
        arena_allocate(&rundir->arena, (entry->file_count + 1) * sizeof *times->files, _Alignof(struct run_file *));
    if (!launches || !times->files) {
        memory_free(launches);
        return status_no_memory("reading a run directory");
    }
    launch_count = launches_of(entry, launches);
    for (size_t kind = 0; kind < sizeof order / sizeof *order && !times->count; kind++) {
        if (latency && order[kind] == RUN_SOURCE_OPS_STATS)
            continue;
        for (size_t i = 0; i < launch_count; i++) {
            const struct run_file *file = best_of_launch(entry, order[kind], launches[i]);

            if (file)
                times->files[times->count++] = file;
        }
        times->source = times->count ? order[kind] : RUN_SOURCE_NONE;
    }
    memory_free(launches);
    times->left_out = times->count ? launch_count - times->count : 0;
    if (times->count && times->files[0]->role == RUN_TIMELINE)
        times->source = RUN_SOURCE_TIMELINE;
    if (!times->count && run_entry_latencies(entry))
        times->source = RUN_SOURCE_METRICS;
    return STATUS_OK;
}

static status note_times(struct rundir *rundir, const struct run_entry *entry)
{
    const struct run_times *times = &entry->times;

    if (entry->failed) {
        const struct run_launch *failure = run_entry_failure(entry);
        status code =
            rundir_note(rundir, "%s: %zu of %zu launches failed and have no times: %s", entry->label, entry->failed,
                        entry->launch_count, failure->reason ? failure->reason : "the manifest does not say why");

        if (code != STATUS_OK)
            return code;
    }
    if (entry->trace)
        return STATUS_OK;
    if (times->source == RUN_SOURCE_TIMELINE_RUN)
        return rundir_note(rundir, "%s: only a timeline of one run is there; its times are of that run alone",
                           entry->label);
    if (times->left_out)
        return rundir_note(rundir, "%s: %zu of %zu launches have no %s and are left out", entry->label, times->left_out,
                           times->left_out + times->count, run_source_title(times->source));
    return STATUS_OK;
}

status rundir_reject(struct rundir *rundir, struct run_entry *entry, const struct run_file *file, const char *why)
{
    status code = rundir_note(rundir, "%s", why);

    assert(file >= entry->files && file < entry->files + entry->file_count && why);
    entry->files[file - entry->files].usable = false;
    if (code == STATUS_OK)
        code = choose_times(rundir, entry, false, &entry->times);
    return code == STATUS_OK ? choose_times(rundir, entry, true, &entry->latency) : code;
}

/* ---- traces ---------------------------------------------------------------------------------------------------- */

static const char *mode_of(const struct run_entry *entry)
{
    const struct json *objects[] = { entry->manifest, entry->metrics, entry->summary, entry->config };
    const char *mode = NULL;

    for (size_t i = 0; i < sizeof objects / sizeof *objects && !mode; i++)
        mode = json_text(json_get(objects[i], "mode"), NULL);
    return mode;
}

/* Length of the name without what marks a trace; 0: nothing marks it. */
static size_t length_without_trace(const char *name)
{
    static const char *const marks[] = { "_xnntrace", "-xnntrace", "_xtrace", "_trace", "-trace" };
    struct text whole = text_of(name);

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (text_cut_end(&whole, marks[i]))
            return whole.length;
    return 0;
}

static bool is_trace(const struct run_entry *entry)
{
    const char *mode = mode_of(entry);

    if (mode && *mode)
        return strcmp(mode, "timing") != 0;
    if (length_without_trace(entry->name))
        return true;
    for (size_t i = 0; i < entry->file_count; i++)
        if (run_role_is_timing(entry->files[i].role))
            return false;
    return run_entry_file(entry, RUN_XNNTRACE) || run_entry_file(entry, RUN_KERNELS);
}

/* Ties each trace to the timing entry of its name, of the same threads where there is one, and each such entry to its trace. */
static void pair_traces(struct rundir *rundir)
{
    for (size_t i = 0; i < rundir->entry_count; i++) {
        struct run_entry *trace = &rundir->entries[i];
        size_t length = length_without_trace(trace->name);

        if (!trace->trace || !length)
            continue;
        for (size_t j = 0; j < rundir->entry_count; j++) {
            struct run_entry *timing = &rundir->entries[j];
            bool same_threads = timing->threads == trace->threads;

            if (timing->trace || strlen(timing->name) != length || strncmp(timing->name, trace->name, length) != 0)
                continue;
            if (trace->partner == NO_ID || same_threads)
                trace->partner = (uint32_t)j;
            if (timing->partner == NO_ID || same_threads)
                timing->partner = (uint32_t)i;
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static int compare_entries(const void *one, const void *other)
{
    const struct run_entry *a = one;
    const struct run_entry *b = other;
    int order = natural_compare(a->name, b->name);

    return order ? order : (a->threads > b->threads) - (a->threads < b->threads);
}

static status label_entry(struct rundir *rundir, size_t index)
{
    struct run_entry *entry = &rundir->entries[index];
    bool several = (index && strcmp(entry[-1].name, entry->name) == 0) ||
                   (index + 1 < rundir->entry_count && strcmp(entry[1].name, entry->name) == 0);

    entry->label = entry->name;
    return several && entry->threads ? rundir_make_text(rundir, &entry->label, "%s_t%u", entry->name, entry->threads)
                                     : STATUS_OK;
}

static status complete_entries(struct rundir *rundir)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < rundir->entry_count && code == STATUS_OK; i++) {
        struct run_entry *entry = &rundir->entries[i];

        find_objects(rundir, entry);
        entry->trace = is_trace(entry);
        code = fill_launches(rundir, entry);
        if (code == STATUS_OK)
            code = label_entry(rundir, i);
        if (code == STATUS_OK)
            code = choose_times(rundir, entry, false, &entry->times);
        if (code == STATUS_OK)
            code = choose_times(rundir, entry, true, &entry->latency);
        if (code == STATUS_OK)
            code = note_times(rundir, entry);
    }
    pair_traces(rundir);
    return code;
}

status rundir_fill_entries(struct rundir *rundir, struct scan *scan)
{
    uint32_t *owners = memory_allocate((scan->file_count + 1) * sizeof *owners);
    status code = owners ? rundir_name_files(rundir, scan) : status_no_memory("reading a run directory");

    rundir->listed = lists_launches(json_get(rundir->manifest.root, "results"));

    if (code == STATUS_OK)
        code = place_files(rundir, scan, owners);
    if (code == STATUS_OK)
        code = add_stated(rundir, json_get(rundir->metrics.root, "results"));
    if (code == STATUS_OK)
        code = add_stated(rundir, json_get(rundir->manifest.root, "results"));
    for (size_t i = 0; i < rundir->entry_count && code == STATUS_OK; i++)
        code = fill_files(rundir, scan, owners, (uint32_t)i);
    if (rundir->entry_count)
        qsort(rundir->entries, rundir->entry_count, sizeof *rundir->entries, compare_entries);
    memory_free(owners);
    return code == STATUS_OK ? complete_entries(rundir) : code;
}
