/* profile_this.c: tacho profile-this: runs a command of tt-metal under its op profiler and makes the ops reports of what it logged.
 *
 * The command runs twice: with device profiling, whose download of markers slows the host down, and without, for the times of the
 * host. Each location of logs that it registered gets a report in a folder of its own, and so do the logs of a newer tool chain.
 * Logs that lay there before the command are not taken for its own; nothing is removed.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/process.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/ops.h"
#include "tenstorrent/paths.h"
#include "tenstorrent/tracy.h"

enum {
    MOST_LOCATIONS = 4096, /* that a command may register */
    NOT_EXECUTABLE = 126,  /* exit statuses of the shell */
    NOT_FOUND = 127,
};

struct settings_of_profile_this {
    const char *command; /* for sh -c */
    const char *output;  /* folder; NULL: the documented one */
    const char *name;    /* see struct ops_output_options */
    bool once;           /* only with device profiling: newer tool chains take both at a time */
};

struct location {
    const char *path;   /* without links */
    const char *output; /* name of its folder in the output */
};

/* One command with its runs and reports. */
struct profiling {
    struct job *job;                                 /* borrowed */
    const struct settings_of_profile_this *settings; /* of the job */
    struct ops_reports *reports;                     /* made so far */
    struct arena arena;                              /* texts */
    struct path output;                              /* folder of all that is written */
    struct timespec start;                           /* of the first run, on the clock of files */
    struct location *locations;                      /* where it logged */
    size_t count, capacity;                          /* of these */
    const char *failure;                             /* of the first run that failed */
};

/* Logs that cannot be used are told; others may be. */
static status settle(const struct profiling *profiling, status code)
{
    if (code != STATUS_INPUT)
        return code;
    job_note(profiling->job, NOTE_PLAIN, NULL, "%s", status_message());
    status_clear();
    return STATUS_OK;
}

/* ---- the command --------------------------------------------------------------------------------------------------- */

/* What became of a run; its output lies at `path`. */
static status end_run(struct profiling *profiling, const struct process_request *request,
                      const struct process_result *result, const char *path, const char *how, bool *go_on)
{
    char text[PROCESS_TEXT];
    status code = output_commit(request->output);

    profiling->reports->runs++;
    *go_on = !result->start_error && result->exit_status != NOT_EXECUTABLE && result->exit_status != NOT_FOUND;
    if (process_succeeded(result))
        return code;
    process_describe(result, 0, text);
    job_note(profiling->job, NOTE_PLAIN, NULL, "the command %s: %s; see %s", how, text, path);
    profiling->reports->failed++;
    if (!profiling->failure)
        profiling->failure = arena_copy(&profiling->arena, text, strlen(text));
    return code == STATUS_OK && !profiling->failure ? status_no_memory("running a command") : code;
}

static status run_command(struct profiling *profiling, const char *const *environment, const char *name,
                          const char *how, bool *go_on)
{
    const char *const arguments[] = { "sh", "-c", profiling->settings->command, NULL };
    struct process_request request = { .arguments = arguments, .environment = environment };
    struct process_result result;
    struct path path = { .text = NULL };
    status code = path_set(&path, "%s/%s", profiling->output.text, name);

    if (code == STATUS_OK)
        code = output_open(path.text, &request.output);
    if (code == STATUS_OK) {
        job_wait(profiling->job, "running the command %s; what it prints goes to %s", how, path.text);
        code = process_run(&request, &result);
        if (code != STATUS_OK)
            output_abandon(request.output);
    }
    if (code == STATUS_OK)
        code = end_run(profiling, &request, &result, path.text, how, go_on);
    path_free(&path);
    return code;
}

static status run_twice(struct profiling *profiling)
{
    static const char *const with[] = { "TT_METAL_DEVICE_PROFILER=1", "TT_PCI_DMA_BUF_SIZE=1048576", NULL };
    static const char *const without[] = { "TT_METAL_DEVICE_PROFILER=0", NULL };
    bool go_on = true;
    status code;

    clock_gettime(CLOCK_REALTIME_COARSE, &profiling->start); /* the clock that stamps files */
    code = run_command(profiling, with, "run_with_device.log", "with device profiling", &go_on);
    if (code != STATUS_OK || profiling->settings->once || !go_on)
        return code;
    return run_command(profiling, without, "run_without_device.log", "without device profiling", &go_on);
}

/* ---- where it logged ----------------------------------------------------------------------------------------------- */

/* Written since the start. */
static bool is_fresh(const struct profiling *profiling, const char *path)
{
    struct stat found;

    if (stat(path, &found) < 0)
        return false;
    return found.st_mtim.tv_sec != profiling->start.tv_sec ? found.st_mtim.tv_sec > profiling->start.tv_sec
                                                           : found.st_mtim.tv_nsec >= profiling->start.tv_nsec;
}

/* A folder of ops logs that the command wrote into: the log of an op grows with each of its calls. */
static status find_fresh_logs(const struct profiling *profiling, const char *path, bool *fresh)
{
    struct path log = { .text = NULL };
    struct folder_names names;
    status code = STATUS_OK;

    *fresh = false;
    if (!path_is_folder(path))
        return STATUS_OK;
    if (folder_list(path, &names) != STATUS_OK)
        status_clear();
    for (size_t i = 0; i < names.count && !*fresh && code == STATUS_OK; i++) {
        code = path_set(&log, "%s/%s/profile_log_host.csv", path, names.names[i]);
        *fresh = code == STATUS_OK && is_fresh(profiling, log.text);
    }
    folder_free(&names);
    path_free(&log);
    return code;
}

/* Folder of a location's report: its last part, with a number where another location has that one too. */
static status name_output(struct profiling *profiling, const char *path, const char **name)
{
    const char *part = strcmp(path_name(path), "ops") == 0 ? "default" : path_name(path);
    struct path tried = { .text = NULL };
    bool taken = true;
    status code = STATUS_OK;

    for (unsigned number = 1; taken && code == STATUS_OK; number++) {
        code = number == 1 ? path_set(&tried, "%s", part) : path_set(&tried, "%s_%u", part, number);
        taken = false;
        for (size_t i = 0; i < profiling->count && !taken && code == STATUS_OK; i++)
            taken = strcmp(profiling->locations[i].output, tried.text) == 0;
    }
    *name = code == STATUS_OK ? arena_copy(&profiling->arena, tried.text, tried.length) : NULL;
    path_free(&tried);
    return *name || code != STATUS_OK ? code : status_no_memory("naming a report");
}

/* Keeps a location that is not known yet. */
static status keep_location(struct profiling *profiling, const char *path)
{
    struct location *location;
    status code;

    for (size_t i = 0; i < profiling->count; i++)
        if (strcmp(profiling->locations[i].path, path) == 0)
            return STATUS_OK;
    if (profiling->count == MOST_LOCATIONS)
        return STATUS_OK;
    code = memory_grow(&profiling->locations, &profiling->capacity, profiling->count + 1, sizeof *profiling->locations);
    if (code != STATUS_OK)
        return code;
    location = &profiling->locations[profiling->count];
    code = name_output(profiling, path, &location->output);
    if (code != STATUS_OK)
        return code;
    location->path = arena_copy(&profiling->arena, path, strlen(path));
    if (!location->path)
        return status_no_memory("noting a location");
    profiling->count++;
    return STATUS_OK;
}

/* The path of a location without links. Without the host's folder, that of the device has a path that can be resolved; the location
 * is known by the other name. STATUS_INPUT: neither is there. */
static status resolve_location(struct text given, struct path *real)
{
    struct path path = { .text = NULL };
    status code = path_set(&path, "%.*s", (int)given.length, given.data);

    if (code == STATUS_OK)
        code = path_resolve(real, path.text);
    if (code == STATUS_INPUT && (code = path_append(&path, "_device")) == STATUS_OK) {
        code = path_resolve(real, path.text);
        if (code == STATUS_OK)
            path_cut(real, real->length - strlen("_device"));
    }
    path_free(&path);
    return code;
}

/* One location, once. */
static status add_location(struct profiling *profiling, struct text given)
{
    struct path real = { .text = NULL };
    status code;

    while (given.length > 1 && text_cut_end(&given, "/"))
        continue;
    if (!given.length || text_first(given, '\0'))
        return STATUS_OK;
    code = resolve_location(given, &real);
    if (code == STATUS_OK) {
        code = keep_location(profiling, real.text);
    } else if (code == STATUS_INPUT) {
        job_note(profiling->job, NOTE_PLAIN, NULL, "%.*s: registered as a location of logs, but not there",
                 (int)given.length, given.data);
        status_clear();
        code = STATUS_OK;
    }
    path_free(&real);
    return code;
}

/* Relative locations count from the folder in which the command ran, which is ours. */
static status read_locations(struct profiling *profiling, const char *path)
{
    struct input *input;
    struct lines *lines = NULL;
    struct line line;
    bool found;
    status code;

    if (!is_fresh(profiling, path))
        return STATUS_OK;
    code = input_open(path, &input);
    if (code == STATUS_OK) {
        code = lines_open(input, &lines);
        while (code == STATUS_OK && (code = lines_next(lines, &line, &found)) == STATUS_OK && found)
            code = add_location(profiling, (struct text){ line.data, line.length });
        if (lines)
            lines_close(lines);
        input_close(input);
    }
    return settle(profiling, code);
}

/* Whether the command wrote logs of ops to a location, and to its twin of the run with device profiling, whose path is `twin`. */
static status look_at_location(const struct profiling *profiling, const char *path, struct path *twin, bool *host,
                               bool *device)
{
    status code = path_set(twin, "%s_device", path);

    *host = *device = false;
    if (code == STATUS_OK)
        code = find_fresh_logs(profiling, path, host);
    return code == STATUS_OK ? find_fresh_logs(profiling, twin->text, device) : code;
}

/* The default location, where the command wrote there without registering it. */
static status add_default(struct profiling *profiling, const char *path)
{
    struct path twin = { .text = NULL };
    bool host, device;
    status code = look_at_location(profiling, path, &twin, &host, &device);

    path_free(&twin);
    return code == STATUS_OK && (host || device) ? add_location(profiling, text_of(path)) : code;
}

/* The profiler's folder, and that below the current one where TT_METAL_HOME names another: the tool chain writes there. */
static status find_locations(struct profiling *profiling)
{
    static const char here[] = "tt_metal/tools/profiler/logs";
    struct path logs = { .text = NULL }, path = { .text = NULL };
    status code = tt_profiler_path("logs", &logs);

    for (int i = 0; i < 2 && code == STATUS_OK; i++) {
        const char *folder = i ? here : logs.text;

        code = path_set(&path, "%s/.locations.log", folder);
        if (code == STATUS_OK)
            code = read_locations(profiling, path.text);
        if (code == STATUS_OK)
            code = path_set(&path, "%s/ops", folder);
        if (code == STATUS_OK)
            code = add_default(profiling, path.text);
    }
    path_free(&logs);
    path_free(&path);
    return code;
}

/* ---- reports ------------------------------------------------------------------------------------------------------- */

static status write_report(struct profiling *profiling, const struct location *location, const char *input)
{
    struct path output = { .text = NULL };
    status code = path_set(&output, "%s/%s", profiling->output.text, location->output);

    if (code == STATUS_OK)
        code =
            ops_report_older(profiling->job, input,
                             &(struct ops_output_options){ .folder = output.text, .name = profiling->settings->name },
                             profiling->reports);
    path_free(&output);
    return settle(profiling, code);
}

/* Logs of this command only: what an earlier one left at the same place is told and not used for the host's part. */
static status report_location(struct profiling *profiling, const struct location *location)
{
    struct path twin = { .text = NULL };
    bool host, device;
    status code = look_at_location(profiling, location->path, &twin, &host, &device);

    assert(location->path && location->output);
    if (code == STATUS_OK && host && !device && path_is_folder(twin.text))
        job_note(profiling->job, NOTE_PLAIN, twin.text,
                 "older than this run; its device times may not be those of the command");
    if (code == STATUS_OK && (host || device))
        code = write_report(profiling, location, host ? location->path : twin.text);
    else if (code == STATUS_OK)
        job_note(profiling->job, NOTE_PLAIN, location->path, "the command wrote no logs of ops there");
    path_free(&twin);
    return code;
}

/* ---- newer tool chains --------------------------------------------------------------------------------------------- */

/* Whether the command wrote any of the logs that lie in a folder; files of an earlier one are told. */
static status find_fresh_files(const struct profiling *profiling, const char *folder, bool *fresh)
{
    struct path path = { .text = NULL };
    status code = STATUS_OK;
    bool found;

    *fresh = false;
    for (unsigned i = 0; tt_tracy_names[i] && code == STATUS_OK; i++) {
        code = tt_tracy_find(folder, tt_tracy_names[i], &path, &found);
        *fresh |= code == STATUS_OK && found && is_fresh(profiling, path.text);
    }
    for (unsigned i = 0; tt_tracy_names[i] && code == STATUS_OK && *fresh; i++) {
        code = tt_tracy_find(folder, tt_tracy_names[i], &path, &found);
        if (code == STATUS_OK && found && !is_fresh(profiling, path.text))
            job_note(profiling->job, NOTE_PLAIN, path.text, "older than this run; it may not be of the command");
    }
    path_free(&path);
    return code;
}

/* They log elsewhere, in other forms, host and device in one run. */
static status report_newer(struct profiling *profiling)
{
    struct ops_output_options options = { .folder = profiling->output.text, .name = profiling->settings->name };
    struct path logs = { .text = NULL }, reports = { .text = NULL };
    bool fresh = false;
    status code = tt_generated_path(".logs", &logs);

    if (code == STATUS_OK)
        code = find_fresh_files(profiling, logs.text, &fresh);
    if (code == STATUS_OK && fresh && !profiling->settings->output) {
        code = tt_generated_path("reports", &reports);
        options.folder = reports.text;
    }
    if (code == STATUS_OK && fresh)
        code = settle(profiling, ops_report_newer(profiling->job, logs.text, &options, profiling->reports));
    path_free(&logs);
    path_free(&reports);
    return code;
}

static status conclude(const struct profiling *profiling)
{
    const struct ops_reports *reports = profiling->reports;

    if (reports->failed)
        return status_fail(STATUS_NO, "%u of %u runs of the command failed: %s%s", reports->failed, reports->runs,
                           profiling->failure, reports->count ? "" : "; there are no logs of ops");
    if (!reports->count)
        return status_fail(
            STATUS_NO,
            "the command left no logs of ops: tt-metal, or a program with tacho/ops.h, must be built with the profiler "
            "(make clean, make build ENABLE_PROFILER=1)%s",
            profiling->settings->once ? "; without --once, logs in a place that the command chose are found, too" : "");
    return STATUS_OK;
}

/* ---- the verb ------------------------------------------------------------------------------------------------------ */

static status profile(struct profiling *profiling)
{
    const char *output = profiling->settings->output;
    status code =
        output ? path_set(&profiling->output, "%s", output) : tt_profiler_path("output/ops", &profiling->output);

    if (code == STATUS_OK)
        code = run_twice(profiling);
    if (code == STATUS_OK)
        code = find_locations(profiling);
    for (size_t i = 0; i < profiling->count && code == STATUS_OK; i++)
        code = report_location(profiling, &profiling->locations[i]);
    return code == STATUS_OK ? report_newer(profiling) : code;
}

static status run_with(struct job *job, struct ops_reports *reports)
{
    struct profiling profiling = { .job = job, .settings = job->settings, .reports = reports, .arena = ARENA_EMPTY };
    status code = profile(&profiling), handed;

    if (code == STATUS_OK)
        code = conclude(&profiling);
    handed = ops_reports_hand_over(job, reports);
    memory_free(profiling.locations);
    path_free(&profiling.output);
    arena_free(&profiling.arena);
    return code == STATUS_OK ? handed : code;
}

static status run(struct job *job)
{
    const struct settings_of_profile_this *settings = job->settings;
    struct ops_reports *reports;

    if (job->inputs.count)
        return status_fail(STATUS_USAGE,
                           "the command is one word for the shell: tacho profile-this -c \"COMMAND\"; "
                           "\"%s\" is one too many",
                           job->inputs.items[0]);
    if (!settings->command || !*settings->command)
        return status_fail(STATUS_USAGE, "tacho profile-this wants -c \"COMMAND\"");
    reports = memory_allocate_clear(sizeof *reports);
    return reports ? run_with(job, reports) : status_no_memory("starting");
}

static const struct option options[] = {
    { "command", 'c', OPTION_TEXT, offsetof(struct settings_of_profile_this, command), "COMMAND",
      "what to run, as for a shell" },
    { "once", 0, OPTION_FLAG, offsetof(struct settings_of_profile_this, once), NULL,
      "one run, with device profiling (newer tool chains)" },
    { "output-folder", 'o', OPTION_TEXT, offsetof(struct settings_of_profile_this, output), "DIR", "where to write" },
    { "name-append", 'n', OPTION_TEXT, offsetof(struct settings_of_profile_this, name), "NAME",
      "append _NAME to the names of the reports" },
    { 0 },
};

const struct verb profile_this_verb = {
    .name = "profile-this",
    .summary = "run a command under tt-metal's op profiler, and write its reports",
    .usage = "-c \"COMMAND\" [options]",
    .takes = VERB_JSON,
    .options = options,
    .settings_size = sizeof(struct settings_of_profile_this),
    .run = run,
};
