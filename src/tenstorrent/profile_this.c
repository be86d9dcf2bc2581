#include "tenstorrent/profile_this.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/path.h"
#include "job/session.h"
#include "tenstorrent/paths.h"
#include "tenstorrent/tracy.h"

enum {
    MOST_LOCATIONS = 4096,
    NOT_EXECUTABLE = 126, /* exit statuses of the shell */
    NOT_FOUND = 127,
    LINE = PATH_MAX + 256,
};

struct location {
    const char *path;   /* without links */
    const char *output; /* name of its folder in the output */
};

struct job {
    const struct profile_this_options *options;
    const struct profile_this_listener *listener;
    struct profile_this_result *result;
    struct arena arena;
    char output[PATH_MAX];
    struct timespec start; /* of the first run, on the clock of files */
    struct location *locations;
    size_t count, capacity;
    const char *failure; /* of the first run that failed */
};

static void PRINTF_LIKE(3, 0) tell(const struct job *job, bool warning, const char *format, va_list values)
{
    char line[LINE];
    void (*to)(const char *) = warning ? job->listener->warning : job->listener->progress;

    vsnprintf(line, sizeof line, format, values);
    if (to)
        to(line);
}

static void PRINTF_LIKE(2, 3) progress(const struct job *job, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    tell(job, false, format, values);
    va_end(values);
}

static void PRINTF_LIKE(2, 3) warn(const struct job *job, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    tell(job, true, format, values);
    va_end(values);
}

/* Logs that cannot be used are told; others may be. */
static status settle(const struct job *job, status code)
{
    if (code != STATUS_INPUT)
        return code;
    warn(job, "%s", status_message());
    status_clear();
    return STATUS_OK;
}

/* ---- the command --------------------------------------------------------------------------------------------------- */

static status run_command(struct job *job, const char *const *environment, const char *name, const char *how,
                          bool *go_on)
{
    const char *const arguments[] = { "sh", "-c", job->options->command, NULL };
    struct process_request request = { .arguments = arguments, .environment = environment };
    struct process_result result;
    char path[PATH_MAX], text[PROCESS_TEXT];
    status code;

    if ((size_t)snprintf(path, sizeof path, "%s/%s", job->output, name) >= sizeof path)
        return status_fail(STATUS_OUTPUT, "the path of the output folder is too long");
    code = output_open(path, &request.output);
    if (code != STATUS_OK)
        return code;
    progress(job, "running the command %s; what it prints goes to %s", how, path);
    code = process_run(&request, &result);
    if (code != STATUS_OK) {
        output_abandon(request.output);
        return code;
    }
    code = output_commit(request.output);
    job->result->runs++;
    *go_on = !result.start_error && result.exit_status != NOT_EXECUTABLE && result.exit_status != NOT_FOUND;
    if (process_succeeded(&result))
        return code;
    process_describe(&result, 0, text);
    warn(job, "the command %s: %s; see %s", how, text, path);
    job->result->failed++;
    if (!job->failure)
        job->failure = arena_copy(&job->arena, text, strlen(text));
    return code == STATUS_OK && !job->failure ? status_no_memory("running a command") : code;
}

static status run_twice(struct job *job)
{
    static const char *const with[] = { "TT_METAL_DEVICE_PROFILER=1", "TT_PCI_DMA_BUF_SIZE=1048576", NULL };
    static const char *const without[] = { "TT_METAL_DEVICE_PROFILER=0", NULL };
    bool go_on = true;
    status code;

    clock_gettime(CLOCK_REALTIME_COARSE, &job->start); /* the clock that stamps files */
    code = run_command(job, with, "run_with_device.log", "with device profiling", &go_on);
    if (code != STATUS_OK || job->options->once || !go_on)
        return code;
    return run_command(job, without, "run_without_device.log", "without device profiling", &go_on);
}

/* ---- where it logged ----------------------------------------------------------------------------------------------- */

/* Written since the start. */
static bool is_fresh(const struct job *job, const char *path)
{
    struct stat found;

    if (stat(path, &found) < 0)
        return false;
    return found.st_mtim.tv_sec != job->start.tv_sec ? found.st_mtim.tv_sec > job->start.tv_sec
                                                     : found.st_mtim.tv_nsec >= job->start.tv_nsec;
}

/* A folder of ops logs that the command wrote into: the log of an op grows with each of its calls. */
static bool has_fresh_logs(const struct job *job, const char *path)
{
    struct folder_names names;
    char log[PATH_MAX];
    bool fresh = false;

    if (!folder_exists(path))
        return false;
    if (folder_list(path, &names) != STATUS_OK)
        status_clear();
    for (size_t i = 0; i < names.count && !fresh; i++)
        fresh = (size_t)snprintf(log, sizeof log, "%s/%s/profile_log_host.csv", path, names.names[i]) < sizeof log &&
                is_fresh(job, log);
    folder_free(&names);
    return fresh;
}

/* Folder of a location's report: its last part, with a number where another location has that one too. */
static status name_output(struct job *job, const char *path, const char **name)
{
    const char *part = path_name(path);
    char tried[NAME_MAX + 32];
    bool taken = true;

    part = strcmp(part, "ops") == 0 ? "default" : part;
    for (unsigned number = 1; taken; number++) {
        if (number == 1)
            snprintf(tried, sizeof tried, "%s", part);
        else
            snprintf(tried, sizeof tried, "%s_%u", part, number);
        taken = false;
        for (size_t i = 0; i < job->count && !taken; i++)
            taken = strcmp(job->locations[i].output, tried) == 0;
    }
    *name = arena_copy(&job->arena, tried, strlen(tried));
    return *name ? STATUS_OK : status_no_memory("naming a report");
}

/* One location, once. */
static status add_location(struct job *job, const char *path)
{
    char twin[PATH_MAX], real[PATH_MAX], real_twin[PATH_MAX];
    size_t length = strlen(path);
    status code;

    while (length > 1 && path[length - 1] == '/')
        length--;
    if (!length || (size_t)snprintf(twin, sizeof twin, "%.*s_device", (int)length, path) >= sizeof twin)
        return STATUS_OK;
    /* Without the host's folder, that of the device has a path that can be resolved; the location is known by the other name. */
    if (!realpath(path, real)) {
        if (!realpath(twin, real_twin)) {
            warn(job, "%s: registered as a location of logs, but not there", path);
            return STATUS_OK;
        }
        snprintf(real, sizeof real, "%.*s", (int)(strlen(real_twin) - strlen("_device")), real_twin);
    }
    for (size_t i = 0; i < job->count; i++)
        if (strcmp(job->locations[i].path, real) == 0)
            return STATUS_OK;
    if (job->count == MOST_LOCATIONS)
        return STATUS_OK;
    code = memory_grow(&job->locations, &job->capacity, job->count + 1, sizeof *job->locations);
    if (code == STATUS_OK)
        code = name_output(job, real, &job->locations[job->count].output);
    if (code != STATUS_OK)
        return code;
    job->locations[job->count].path = arena_copy(&job->arena, real, strlen(real));
    if (!job->locations[job->count].path)
        return status_no_memory("noting a location");
    job->count++;
    return STATUS_OK;
}

/* Relative locations count from the folder in which the command ran, which is ours. */
static status read_locations(struct job *job, const char *path)
{
    struct input *input;
    struct lines *lines = NULL;
    struct line line;
    char text[PATH_MAX];
    bool found;
    status code;

    if (!is_fresh(job, path))
        return STATUS_OK;
    code = input_open(path, &input);
    if (code == STATUS_OK) {
        code = lines_open(input, &lines);
        while (code == STATUS_OK && (code = lines_next(lines, &line, &found)) == STATUS_OK && found) {
            if (!line.length || line.length >= sizeof text || memchr(line.data, '\0', line.length))
                continue;
            memcpy(text, line.data, line.length);
            text[line.length] = '\0';
            code = add_location(job, text);
        }
        if (lines)
            lines_close(lines);
        input_close(input);
    }
    return settle(job, code);
}

/* The default location, where the command wrote there without registering it. */
static status add_default(struct job *job, const char *path)
{
    char twin[PATH_MAX];

    if ((size_t)snprintf(twin, sizeof twin, "%s_device", path) >= sizeof twin)
        return STATUS_OK;
    return has_fresh_logs(job, path) || has_fresh_logs(job, twin) ? add_location(job, path) : STATUS_OK;
}

/* The profiler's folder, and that below the current one where TT_METAL_HOME names another: the tool chain writes there. */
static status find_locations(struct job *job)
{
    static const char here[] = "tt_metal/tools/profiler/logs";
    char logs[PATH_MAX], path[PATH_MAX];
    status code = tt_profiler_path("logs", logs);

    for (int i = 0; i < 2 && code == STATUS_OK; i++) {
        const char *folder = i ? here : logs;

        if ((size_t)snprintf(path, sizeof path, "%s/.locations.log", folder) < sizeof path)
            code = read_locations(job, path);
        if (code == STATUS_OK && (size_t)snprintf(path, sizeof path, "%s/ops", folder) < sizeof path)
            code = add_default(job, path);
    }
    return code;
}

/* ---- reports ------------------------------------------------------------------------------------------------------- */

static status write_report(struct job *job, const struct location *location, const char *input)
{
    struct ops_output_options options = { .name = job->options->name };
    struct ops_written written = { .left_out = 0 };
    struct ops_folder folder;
    char output[PATH_MAX];
    status code = ops_folder_read(input, &folder);

    if ((size_t)snprintf(output, sizeof output, "%s/%s", job->output, location->output) >= sizeof output &&
        code == STATUS_OK)
        code = status_fail(STATUS_OUTPUT, "the path of the output folder is too long");
    options.folder = output;
    if (code == STATUS_OK)
        code = ops_write(&folder, &options, &written);
    if (code == STATUS_OK) {
        job->result->reports++;
        job->listener->report(&folder, &written);
    }
    ops_folder_free(&folder);
    return settle(job, code);
}

/* Logs of this command only: what an earlier one left at the same place is told and not used for the host's part. */
static status report_location(struct job *job, const struct location *location)
{
    char twin[PATH_MAX];
    bool host = has_fresh_logs(job, location->path);
    bool device;

    if ((size_t)snprintf(twin, sizeof twin, "%s_device", location->path) >= sizeof twin)
        return STATUS_OK;
    device = has_fresh_logs(job, twin);
    if (!host && !device) {
        warn(job, "%s: the command wrote no logs of ops there", location->path);
        return STATUS_OK;
    }
    if (host && !device && folder_exists(twin))
        warn(job, "%s: older than this run; its device times may not be those of the command", twin);
    return write_report(job, location, host ? location->path : twin);
}

/* ---- newer tool chains --------------------------------------------------------------------------------------------- */

/* Whether the command wrote any of the logs that lie in a folder; files of an earlier one are told. */
static bool has_fresh_files(const struct job *job, const char *folder)
{
    char path[PATH_MAX];
    bool fresh = false;

    for (unsigned i = 0; tt_tracy_names[i]; i++)
        fresh |= tt_tracy_find(folder, tt_tracy_names[i], path) && is_fresh(job, path);
    for (unsigned i = 0; tt_tracy_names[i] && fresh; i++)
        if (tt_tracy_find(folder, tt_tracy_names[i], path) && !is_fresh(job, path))
            warn(job, "%s: older than this run; it may not be of the command", path);
    return fresh;
}

/* They log elsewhere, in other forms, host and device in one run. */
static status report_newer(struct job *job)
{
    struct ops_output_options options = { .folder = job->output, .name = job->options->name };
    struct ops_written written = { .left_out = 0 };
    char logs[PATH_MAX], reports[PATH_MAX];
    struct ops_tracy tracy;
    status code = tt_generated_path(".logs", logs);

    if (code != STATUS_OK || !has_fresh_files(job, logs))
        return code;
    if (!job->options->output) {
        code = tt_generated_path("reports", reports);
        options.folder = reports;
    }
    if (code != STATUS_OK)
        return code;
    code = ops_tracy_read(&tracy, logs);
    if (code == STATUS_OK)
        code = ops_tracy_write(&tracy, &options, &written);
    if (code == STATUS_OK) {
        job->result->reports++;
        job->listener->newer(&tracy, &written);
    }
    ops_tracy_end(&tracy);
    return settle(job, code);
}

static status conclude(const struct job *job)
{
    const struct profile_this_result *result = job->result;

    if (result->failed)
        return status_fail(STATUS_NO, "%u of %u runs of the command failed: %s%s", result->failed, result->runs,
                           job->failure, result->reports ? "" : "; there are no logs of ops");
    if (!result->reports)
        return status_fail(
            STATUS_NO,
            "the command left no logs of ops: tt-metal must be built with the profiler "
            "(make clean, make build ENABLE_PROFILER=1)%s",
            job->options->once ? "; without --once, logs in a place that the command chose are found, too" : "");
    return STATUS_OK;
}

status profile_this(const struct profile_this_options *options, const struct profile_this_listener *listener,
                    struct profile_this_result *result)
{
    struct job job = { .options = options, .listener = listener, .result = result, .arena = ARENA_EMPTY };
    status code = STATUS_OK;

    *result = (struct profile_this_result){ 0 };
    if (!options->output)
        code = tt_profiler_path("output/ops", job.output);
    else if ((size_t)snprintf(job.output, sizeof job.output, "%s", options->output) >= sizeof job.output)
        code = status_fail(STATUS_USAGE, "the path of the output folder is too long");
    if (code == STATUS_OK)
        code = run_twice(&job);
    if (code == STATUS_OK)
        code = find_locations(&job);
    for (size_t i = 0; i < job.count && code == STATUS_OK; i++)
        code = report_location(&job, &job.locations[i]);
    if (code == STATUS_OK)
        code = report_newer(&job);
    if (code == STATUS_OK)
        code = conclude(&job);
    memory_free(job.locations);
    arena_free(&job.arena);
    return code;
}
