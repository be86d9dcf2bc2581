/* device.c: tacho device: statistics, core maps and artifacts of a Tenstorrent device log. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "tenstorrent/device_job.h"
#include "tenstorrent/device_page.h"
#include "tenstorrent/paths.h"

static struct given {
    const char *log;
    const char *folder;
    const char *setup;
    const char *port;
    bool print_stats;
    bool plots;
    bool artifacts;
    bool webapp;
    bool op_detection;
} settings = { .print_stats = true, .plots = true, .artifacts = true, .webapp = true, .op_detection = true };

static const struct old_option options[] = {
    { "device-input-log", 'd', OLD_OPTION_TEXT, &settings.log, "FILE",
      "the log (default: that of the profiler's folder)" },
    { "output-folder", 'o', OLD_OPTION_TEXT, &settings.folder, "DIR",
      "where the files go (default: the profiler's output/device)" },
    { "setup", 's', OLD_OPTION_TEXT, &settings.setup, "NAME",
      "analyses: a built-in setup or a .json file (default_setup)" },
    { "port", 'p', OLD_OPTION_TEXT, &settings.port, "N", "accepted: nothing is served (default 8050)" },
    { "no-print-stats", 0, OLD_OPTION_CLEAR, &settings.print_stats, NULL, "do not print the statistics" },
    { "no-plots", 0, OLD_OPTION_CLEAR, &settings.plots, NULL, "no page (device_perf.html)" },
    { "no-artifacts", 0, OLD_OPTION_CLEAR, &settings.artifacts, NULL, "no JSON files and no tar" },
    { "no-webapp", 0, OLD_OPTION_CLEAR, &settings.webapp, NULL, "accepted: nothing is served" },
    { "no-op-detection", 0, OLD_OPTION_CLEAR, &settings.op_detection, NULL, "no analyses of ops" },
    { "clock-mhz", 0, OLD_OPTION_TEXT, &common.clock_mhz, "F", "clock of a log without a header (default 1202)" },
    { "format", 0, OLD_OPTION_TEXT, &common.format, "ID", "read the log as this format; see tacho formats" },
    { "strict", 0, OLD_OPTION_FLAG, &common.strict, NULL, "the first row that cannot be used is an error" },
    { "quiet", 'q', OLD_OPTION_FLAG, &quiet, NULL, "no notes, no losses, no progress on standard error" },
    { 0 },
};

/* Where files lie that nobody named. */
struct places {
    char older[PATH_MAX], newer[PATH_MAX]; /* logs: of the document's tool chain, of newer ones */
    char folder[PATH_MAX];                 /* where the files go */
};

/* The log of the document's tool chain, else that of a newer one, and its folder for what is made of it. */
static status choose_default(struct places *places, const char **log)
{
    bool has_older, has_newer, newer;
    status code = tt_profiler_path("logs/profile_log_device.csv", places->older);

    if (code == STATUS_OK)
        code = tt_generated_path(".logs/profile_log_device.csv", places->newer);
    if (code != STATUS_OK)
        return code;
    has_older = access(places->older, F_OK) == 0;
    has_newer = access(places->newer, F_OK) == 0;
    newer = tt_newer_is_meant(has_older, has_newer);
    if (!has_older && !has_newer)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = places->older },
                              "no such log, nor %s; -d names another", places->newer);
    *log = newer ? places->newer : places->older;
    if (has_older && has_newer && !quiet)
        fprintf(stderr, "tacho: note: reading %s; there is also %s\n", *log, newer ? places->older : places->newer);
    return newer ? tt_generated_path("output/device", places->folder) : STATUS_OK;
}

static status choose_log(const struct old_texts *words, struct places *places, const char **log)
{
    status code = tt_profiler_path("output/device", places->folder);

    if (words->count > 1 || (words->count && settings.log))
        return status_fail(STATUS_USAGE, "tacho device takes one log; see tacho device --help");
    *log = settings.log ? settings.log : words->count ? words->items[0] : NULL;
    return code == STATUS_OK && !*log ? choose_default(places, log) : code;
}

static status parse_port(int64_t *port)
{
    *port = 8050;
    if (settings.port &&
        (!number_parse_integer(settings.port, strlen(settings.port), port) || *port < 1 || *port > 65535))
        return status_fail(STATUS_USAGE, "--port wants a number from 1 to 65535, not \"%s\"", settings.port);
    return STATUS_OK;
}

static status print_stats(const struct device_job *job)
{
    struct output *output;
    status code = output_open("-", &output);

    if (code != STATUS_OK)
        return code;
    device_stats_write(output, &job->results);
    return output_commit(output);
}

/* Firmware and kernels that have lost a marker: how many, where the first one is, and what that does to the numbers. */
static void report_unpaired(const struct device_job *job, const struct marker_unpaired *unpaired)
{
    const struct marker_log *log = &job->log;
    const struct marker_lane *lane = marker_lane_at(log, unpaired->lane);
    const struct marker_core *core = marker_core_at(log, lane->core);

    fprintf(stderr,
            "tacho: %s: note: markers are missing: of firmware and kernels, %llu starts have no end and %llu ends no "
            "start, "
            "%llu have both; first at cycle %lld on chip %lld, core (%d, %d), %s\n",
            job->options.log, (unsigned long long)unpaired->starts, (unsigned long long)unpaired->ends,
            (unsigned long long)unpaired->pairs, (long long)unpaired->time,
            (long long)marker_chip_at(log, core->chip)->id, core->x, core->y, strings_text(log->strings, lane->risc));
    fprintf(stderr, "tacho: %s: note: durations that lack a marker are not counted%s\n", job->options.log,
            log->zoned ? "; an op whose first or last marker is missing seems shorter" : "");
}

static void report_missing(const struct device_job *job)
{
    struct marker_unpaired unpaired = marker_log_unpaired(&job->log);

    if (unpaired.lane != NO_ID)
        report_unpaired(job, &unpaired);
    if (unpaired.reaching && !job->log.zoned)
        fprintf(stderr,
                "tacho: %s: note: %llu kernel durations or more reach from one launch into another, since an end and "
                "the next "
                "start are missing: averages and maxima are too large, medians hardly\n",
                job->options.log, (unsigned long long)unpaired.reaching);
}

static bool found_something(const struct device_results *results, unsigned analysis)
{
    for (size_t i = 0; i < results->chip_count; i++)
        if (results->chips[i].summary[analysis].count || results->chips[i].events[analysis])
            return true;
    return false;
}

/* Analyses that were asked for and are not in the report; rows that are in none of the usual ones. */
static void report_nothing(const struct device_job *job)
{
    const struct device_setup *setup = job->results.setup;

    for (unsigned i = 0; i < setup->own; i++)
        if (!found_something(&job->results, i))
            fprintf(stderr, "tacho: %s: note: analysis \"%s\" found nothing\n", job->options.log,
                    setup->analyses[i].name);
    if (job->log.zoned && job->log.numbered && setup->detect_ops)
        fprintf(stderr, "tacho: %s: note: rows of six columns name no program: they are in no analysis of ops\n",
                job->options.log);
}

static void report(const struct device_job *job)
{
    const struct marker_log *log = &job->log;

    report_losses(job->options.log, &log->losses, job->notes, job->note_count);
    if (quiet)
        return;
    report_missing(job);
    report_nothing(job);
    if (settings.plots && !timeline_page_possible())
        fprintf(stderr, "tacho: note: built without pages: there is no " DEVICE_PAGE_FILE "\n");
    if (common.clock_mhz && log->clock_told)
        fprintf(stderr, "tacho: %s: note: the log tells its clock, %llu MHz: --clock-mhz is not used\n",
                job->options.log, (unsigned long long)log->clock_numerator);
    if (!log->losses.rows)
        fprintf(stderr, "tacho: %s: note: the log has no markers\n", job->options.log);
    for (size_t i = 0; i < job->results.chip_count; i++) {
        const struct device_chip_results *chip = &job->results.chips[i];

        if (chip->has_ops && chip->ops.overlapping)
            fprintf(stderr,
                    "tacho: %s: note: chip %lld: %llu times a core started an op again before all cores had ended it: "
                    "an end was "
                    "not logged, or two programs ran at once\n",
                    job->options.log, (long long)marker_chip_at(log, chip->chip)->id,
                    (unsigned long long)chip->ops.overlapping);
    }
}

static status run_job(struct device_job *job, const struct device_job_options *given,
                      const struct device_job_output *output)
{
    status code = device_job_read(job, given);

    if (given->progress)
        progress_finish(given->progress);
    if (code == STATUS_OK)
        code = device_job_analyze(job);
    if (code == STATUS_OK && settings.print_stats)
        code = print_stats(job);
    if (code == STATUS_OK)
        code = device_job_write(job, output);
    if (code != STATUS_OK)
        return code;
    report(job);
    for (unsigned i = 0; i < job->file_count; i++)
        printf("%s\n", job->files[i]);
    return STATUS_OK;
}

static status run(const struct old_texts *words)
{
    struct places places;
    struct progress progress = { .enabled = false };
    struct device_job_options given = { .setup = settings.setup,
                                        .format = common.format,
                                        .clock_mhz = common.clock_mhz,
                                        .no_op_detection = !settings.op_detection,
                                        .strict = common.strict };
    struct device_job_output output = { .folder = settings.folder,
                                        .artifacts = settings.artifacts,
                                        .page = settings.plots && timeline_page_possible() };
    struct device_job *job;
    status code = choose_log(words, &places, &given.log);

    if (code == STATUS_OK)
        code = parse_port(&output.port);
    if (code != STATUS_OK)
        return code;
    if (!output.folder)
        output.folder = places.folder;
    output.shown = settings.folder ? settings.folder : "output/device";
    if (common.progress && !quiet) {
        progress_start(&progress, "reading", given.log, 0);
        given.progress = &progress;
    }
    job = memory_allocate_clear(sizeof *job);
    if (!job)
        return status_no_memory("analysing a device log");
    code = run_job(job, &given, &output);
    device_job_end(job);
    memory_free(job);
    return code;
}

const struct old_verb device_verb = {
    .name = "device",
    .summary = "statistics and core maps of a Tenstorrent device log",
    .usage = "[options] [-d LOG] [-o DIR]",
    .options = options,
    .run = run,
};
