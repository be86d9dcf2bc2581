/* device.c: tacho device: statistics, core maps and artifacts of a Tenstorrent device log. */
#include <assert.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "base/tar.h"
#include "job/conversion.h"
#include "job/job.h"
#include "page/html.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_beside.h"
#include "tenstorrent/device_tables.h"
#include "tenstorrent/marker_missing.h"
#include "tenstorrent/op_names.h"
#include "tenstorrent/original/device_files.h"
#include "tenstorrent/paths.h"
#include "trace/clock.h"

#define DEVICE_PAGE_FILE "device_perf.html"
#define DEVICE_TARBALL "device_perf_results.tar"

enum { SETUP_LARGEST = 4 * 1024 * 1024, MOST_FILES = 8 };

struct settings_of_device {
    const char *log;       /* path; NULL: an input, or that of the profiler's folder */
    const char *folder;    /* where the files go; NULL: the profiler's */
    const char *setup;     /* name of a built-in one, or a file that ends in .json; NULL: default_setup */
    const char *table;     /* to print instead of writing files; NULL: none */
    const char *port;      /* of the page in a browser; NULL: 8050 */
    const char *bind;      /* the address that it is served at; NULL: this machine alone */
    const char *clock_mhz; /* of a log without a header; NULL: the usual one */
    const char *format;    /* reader; NULL: by content */
    const char *ops;       /* report that names the ops of the page; NULL: none */
    bool strict;           /* the first lost row is fatal */
    bool print_stats;      /* the statistics as text */
    bool plots;            /* the page */
    bool artifacts;        /* JSON files and tar */
    bool all_artifacts;    /* also those of a large log */
    bool webapp;           /* the page in a browser */
    bool op_detection;     /* analyses of ops */
};

static const struct settings_of_device defaults = {
    .print_stats = true, .plots = true, .artifacts = true, .webapp = true, .op_detection = true
};

static const struct option options[] = {
    { "device-input-log", 'd', OPTION_TEXT, offsetof(struct settings_of_device, log), "FILE",
      "the log (default: that of the profiler's folder)" },
    { "output-folder", 'o', OPTION_TEXT, offsetof(struct settings_of_device, folder), "DIR",
      "where the files go (default: the profiler's output/device)" },
    { "setup", 's', OPTION_TEXT, offsetof(struct settings_of_device, setup), "NAME",
      "analyses: a built-in setup or a .json file (default_setup)" },
    { "table", 0, OPTION_TEXT, offsetof(struct settings_of_device, table), "analyses|cores|ops",
      "print this table, and write no files" },
    { "port", 'p', OPTION_TEXT, offsetof(struct settings_of_device, port), "N",
      "show it in a browser at this port (default 8050)" },
    { "bind", 0, OPTION_TEXT, offsetof(struct settings_of_device, bind), "ADDR",
      "the address for that (default: 127.0.0.1)" },
    { "no-print-stats", 0, OPTION_CLEAR, offsetof(struct settings_of_device, print_stats), NULL,
      "do not print the statistics" },
    { "no-plots", 0, OPTION_CLEAR, offsetof(struct settings_of_device, plots), NULL, "no page (device_perf.html)" },
    { "no-artifacts", 0, OPTION_CLEAR, offsetof(struct settings_of_device, artifacts), NULL,
      "no JSON files and no tar" },
    { "artifacts", 0, OPTION_FLAG, offsetof(struct settings_of_device, all_artifacts), NULL,
      "these also for a large log: ten times its size" },
    { "no-webapp", 0, OPTION_CLEAR, offsetof(struct settings_of_device, webapp), NULL,
      "serve nothing, also at a terminal" },
    { "no-op-detection", 0, OPTION_CLEAR, offsetof(struct settings_of_device, op_detection), NULL,
      "no analyses of ops" },
    { "clock-mhz", 0, OPTION_TEXT, offsetof(struct settings_of_device, clock_mhz), "F",
      "clock of a log without a header (default 1202)" },
    { "format", 0, OPTION_TEXT, offsetof(struct settings_of_device, format), "ID",
      "read the log as this format; see tacho formats" },
    { "ops-report", 0, OPTION_TEXT, offsetof(struct settings_of_device, ops), "FILE",
      "report of operations: names of the ops in the page" },
    { "strict", 0, OPTION_FLAG, offsetof(struct settings_of_device, strict), NULL,
      "the first row that cannot be used is an error" },
    { 0 },
};

/* A log, what was found in it, and what was written. Products of the job point into it. */
struct device_run {
    const struct settings_of_device *settings; /* of the job */
    struct path log_path;                      /* of the log */
    struct path folder;                        /* where the files go */
    struct strings *strings;                   /* texts of the log */
    struct marker_log log;                     /* settled */
    struct op_names *names;                    /* of ops; NULL: none */
    struct device_setup setup;                 /* what to look for */
    struct device_results results;             /* what was found */
    struct device_results original;  /* what the original would find in a log with numbers that lacks markers */
    struct marker_unpaired unpaired; /* what the log lacks */
    const char *notes[SOURCE_NOTES]; /* of the reader */
    unsigned note_count;             /* of these */
    int64_t port;                    /* as the JSON file names it */
    struct path files[MOST_FILES];   /* written so far */
    unsigned file_count;             /* of these */
};

static void free_run(void *data)
{
    struct device_run *run = data;

    device_results_free(&run->results);
    device_results_free(&run->original);
    device_setup_free(&run->setup);
    op_names_free(run->names);
    marker_log_free(&run->log);
    strings_free(run->strings);
    for (unsigned i = 0; i < MOST_FILES; i++)
        path_free(&run->files[i]);
    path_free(&run->log_path);
    path_free(&run->folder);
    memory_free(run);
}

/* ---- Which log ------------------------------------------------------------------------------------------------------ */

/* The log of the document's tool chain, else that of a newer one, and its folder for what is made of it. */
static status choose_default(struct job *job, struct device_run *run)
{
    struct path older = { .text = NULL }, newer = { .text = NULL };
    bool has_older, has_newer, take_newer;
    status code = tt_profiler_path("logs/profile_log_device.csv", &older);

    if (code == STATUS_OK)
        code = tt_generated_path(".logs/profile_log_device.csv", &newer);
    has_older = path_exists(older.text);
    has_newer = path_exists(newer.text);
    take_newer = tt_newer_is_meant(has_older, has_newer);
    if (code == STATUS_OK && !has_older && !has_newer)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = older.text },
                              "no such log, nor %s; -d names another", newer.text);
    if (code == STATUS_OK)
        code = path_set(&run->log_path, "%s", take_newer ? newer.text : older.text);
    if (code == STATUS_OK && has_older && has_newer)
        job_note(job, NOTE_PLAIN, NULL, "note: reading %s; there is also %s", run->log_path.text,
                 take_newer ? older.text : newer.text);
    if (code == STATUS_OK && take_newer)
        code = tt_generated_path("output/device", &run->folder);
    path_free(&older);
    path_free(&newer);
    return code;
}

static status choose_log(struct job *job, struct device_run *run)
{
    const struct settings_of_device *settings = run->settings;
    status code = tt_profiler_path("output/device", &run->folder);

    if (job->inputs.count > 1 || (job->inputs.count && settings->log))
        return status_fail(STATUS_USAGE, "tacho device takes one log; see tacho device --help");
    if (code == STATUS_OK && !settings->log && !job->inputs.count)
        code = choose_default(job, run);
    else if (code == STATUS_OK)
        code = path_set(&run->log_path, "%s", settings->log ? settings->log : job->inputs.items[0]);
    if (code == STATUS_OK && settings->folder)
        code = path_set(&run->folder, "%s", settings->folder);
    return code;
}

static status read_port(struct device_run *run)
{
    const char *port = run->settings->port;

    run->port = 8050;
    if (port && (!number_parse_integer(port, strlen(port), &run->port) || run->port < 1 || run->port > 65535))
        return status_fail(STATUS_USAGE, "--port wants a number from 1 to 65535, not \"%s\"", port);
    return STATUS_OK;
}

/* ---- Reading and analysing ------------------------------------------------------------------------------------------ */

static const char *refuses(const struct reader *reader)
{
    return tenstorrent_calls(reader)->markers ? NULL : "a device log (profile_log_device.csv) is wanted here";
}

static status open_log(struct device_run *run, struct source *source, const struct reader **reader)
{
    const char *clock = run->settings->clock_mhz;
    status code;

    if (clock && !clock_parse_mhz(clock, &source->clock_numerator, &source->clock_denominator))
        return status_fail(STATUS_USAGE, "the clock wants a positive number of MHz such as 1202 or 1202.5, not \"%s\"",
                           clock);
    code = reader_open(run->log_path.text, run->settings->format, &source->input, reader);
    return code == STATUS_OK && refuses(*reader) ? reader_refuse(*reader, run->log_path.text, refuses(*reader)) : code;
}

static status read_log(struct job *job, struct device_run *run)
{
    const char *path = run->log_path.text;
    struct progress progress = { .enabled = false };
    struct source source = { .path = path, .strict = run->settings->strict };
    const struct reader *reader;
    status code = open_log(run, &source, &reader);

    if (code == STATUS_OK && job->reading.progress) {
        progress_start(&progress, "reading", path, 0);
        source.progress = &progress;
    }
    if (code == STATUS_OK)
        code = tenstorrent_calls(reader)->markers(&source, &run->log);
    if (source.progress)
        progress_finish(&progress);
    for (unsigned i = 0; i < source.note_count; i++)
        run->notes[run->note_count++] = source.notes[i];
    input_close(source.input);
    if (code == STATUS_OK && run->log.losses.rows && !run->log.losses.used)
        code = losses_fail(&run->log.losses, path, reader->id);
    return code;
}

static status read_setup(struct device_run *run, const char *path)
{
    struct text text;
    struct input *input;
    status code = input_open(path, &input);

    if (code != STATUS_OK)
        return code;
    code = input_whole(input, SETUP_LARGEST, &text);
    if (code == STATUS_OK)
        code = device_setup_parse(&run->setup, path, text, &run->log);
    input_close(input);
    return code;
}

/* Files of logs with numbers are the original's, with its answers, also where markers were lost. */
static bool keeps_original(const struct device_run *run)
{
    return !run->log.zoned && run->unpaired.lane != NO_ID;
}

static const struct device_results *results_of_files(const struct device_run *run)
{
    return run->original.log ? &run->original : &run->results;
}

static status analyze(struct device_run *run, bool files)
{
    const char *name = run->settings->setup ? run->settings->setup : "default_setup";
    status code = path_ends(name, ".json") ? read_setup(run, name) : device_setup_named(&run->setup, name, &run->log);

    if (code != STATUS_OK)
        return code;
    if (!run->settings->op_detection)
        run->setup.detect_ops = false;
    run->unpaired = marker_log_unpaired(&run->log);
    /* Lanes are looked through once here; where nothing is missing, no analysis has to look again. */
    code = device_analyze(&run->results, &run->log, &run->setup, run->unpaired.lane == NO_ID);
    if (code == STATUS_OK && files && keeps_original(run))
        code = device_analyze(&run->original, &run->log, &run->setup, true);
    return code;
}

/* ---- Files ---------------------------------------------------------------------------------------------------------- */

static status write_stats(const struct device_run *run, struct output *output)
{
    device_stats_write(output, results_of_files(run));
    return STATUS_OK;
}

static status write_rearranged(const struct device_run *run, struct output *output)
{
    return device_rearranged_write(output, &run->log);
}

static status write_analysis(const struct device_run *run, struct output *output)
{
    const char *folder = run->settings->folder ? run->settings->folder : "output/device";

    return device_analysis_write(output, results_of_files(run), &(struct device_json_options){ folder, run->port });
}

static status write_chrome(const struct device_run *run, struct output *output)
{
    return device_chrome_write(output, &run->log);
}

static status write_file(struct device_run *run, const char *name,
                         status (*write)(const struct device_run *run, struct output *output))
{
    const char *log = run->log_path.text;
    struct path *path = &run->files[run->file_count];
    struct output *output;
    status code;

    assert(run->file_count < MOST_FILES);
    code = path_set(path, "%s/%s", run->folder.text, name);
    if (code == STATUS_OK)
        code = output_check_inputs(path->text, &log, 1);
    if (code == STATUS_OK)
        code = output_open(path->text, &output);
    if (code != STATUS_OK)
        return code;
    code = output_finish(output, write(run, output));
    run->file_count += code == STATUS_OK;
    return code;
}

/* The page that `tacho convert` writes of the same log, which is not read again. */
static status write_page(struct device_run *run)
{
    const struct device_known known = {
        .log = &run->log, .results = &run->results, .notes = run->notes, .note_count = run->note_count
    };
    const struct conversion_options how = CONVERSION_DEFAULTS;
    struct path *path = &run->files[run->file_count];
    struct conversion_result result;
    struct session session;
    status code = session_start(&session, &(struct session_options){ .strings = run->strings });

    assert(run->file_count < MOST_FILES);
    if (code == STATUS_OK)
        code = path_set(path, "%s/%s", run->folder.text, DEVICE_PAGE_FILE);
    if (code == STATUS_OK)
        code = session_add_known(&session, run->log_path.text, &tt_device_reader, DEVICE_KNOWN, &known);
    if (code == STATUS_OK && run->names)
        op_names_add(&session.profiles[0].source, run->names);
    if (code == STATUS_OK)
        code = conversion_write(&session, path->text, &page_format, &how, &result);
    session_end(&session);
    run->file_count += code == STATUS_OK;
    return code;
}

/* All files so far, and the log that they were made of. */
static status write_tar(struct device_run *run)
{
    const char *log = run->log_path.text;
    struct path *path = &run->files[run->file_count];
    struct tar_writer tar;
    status code = path_set(path, "%s/%s", run->folder.text, DEVICE_TARBALL);

    if (code != STATUS_OK)
        return code;
    code = tar_writer_open(&tar, path->text);
    for (unsigned i = 0; i < run->file_count && code == STATUS_OK; i++)
        code = tar_writer_add_file(&tar, run->files[i].text, path_name(run->files[i].text));
    if (code == STATUS_OK && path_is_file(log)) /* what came through a pipe is gone */
        code = tar_writer_add_file(&tar, log, path_name(log));
    code = tar_writer_finish(&tar, code);
    run->file_count += code == STATUS_OK;
    return code;
}

/* What the JSON files take of a log of so many markers, about; the tar takes the same again. */
static uint64_t artifact_bytes(const struct device_run *run)
{
    enum { PER_MARKER = 600 };

    return run->log.losses.used * PER_MARKER;
}

/* Nobody wants gigabytes that were not asked for: both files hold again, in many words, what the log has. */
static bool wants_artifacts(struct job *job, const struct device_run *run)
{
    static const uint64_t large = (uint64_t)128 << 20;
    const struct settings_of_device *settings = run->settings;
    char size[FORMAT_SIZE];

    if (!settings->artifacts || artifact_bytes(run) <= large)
        return settings->artifacts;
    format_bytes(size, artifact_bytes(run));
    if (settings->all_artifacts)
        job_wait(job, "writing %s and %s, about %s, and %s, which holds both again", DEVICE_ANALYSIS_FILE,
                 DEVICE_CHROME_FILE, size, DEVICE_TARBALL);
    else
        job_note(job, NOTE_PLAIN, NULL,
                 "note: left out: %s and %s, which would take about %s, and %s, which holds both again; --artifacts "
                 "writes them",
                 DEVICE_ANALYSIS_FILE, DEVICE_CHROME_FILE, size, DEVICE_TARBALL);
    return settings->all_artifacts;
}

static status write_files(struct job *job, struct device_run *run)
{
    status code = write_file(run, DEVICE_STATS_FILE, write_stats);

    if (code == STATUS_OK)
        code = write_file(run, DEVICE_REARRANGED_FILE, write_rearranged);
    if (code == STATUS_OK && run->settings->plots && html_has_script())
        code = write_page(run);
    if (code != STATUS_OK || !wants_artifacts(job, run))
        return code;
    code = write_file(run, DEVICE_ANALYSIS_FILE, write_analysis);
    if (code == STATUS_OK)
        code = write_file(run, DEVICE_CHROME_FILE, write_chrome);
    return code == STATUS_OK ? write_tar(run) : code;
}

/* ---- Notes ---------------------------------------------------------------------------------------------------------- */

/* Firmware and kernels that have lost a marker: how many, where the first one is, and what that does to the numbers. */
static void note_unpaired(struct job *job, const struct device_run *run, const struct marker_unpaired *unpaired)
{
    const struct marker_log *log = &run->log;
    const struct marker_lane *lane = marker_lane_at(log, unpaired->lane);
    const struct marker_core *core = marker_core_at(log, lane->core);
    uint64_t known = 0, unknown = 0;

    for (size_t i = 0; i < run->results.chip_count; i++)
        for (unsigned k = 0; k < run->setup.count; k++) {
            known += run->results.chips[i].summary[k].count;
            unknown += run->results.chips[i].summary[k].unknown;
        }
    job_note(
        job, NOTE_PLAIN, run->log_path.text,
        "note: markers are missing: of firmware and kernels, %llu starts and %llu ends are not there, %llu have both; "
        "the first is told by cycle %lld on chip %lld, core (%d, %d), %s",
        (unsigned long long)unpaired->starts, (unsigned long long)unpaired->ends, (unsigned long long)unpaired->pairs,
        (long long)unpaired->time, (long long)marker_chip_at(log, core->chip)->id, core->x, core->y,
        strings_text(log->strings, lane->risc));
    job_note(job, NOTE_PLAIN, run->log_path.text,
             "note: durations that may rest on one of them are not known: %llu of %llu", (unsigned long long)unknown,
             (unsigned long long)(unknown + known));
}

static void note_missing(struct job *job, const struct device_run *run)
{
    if (run->unpaired.lane != NO_ID)
        note_unpaired(job, run, &run->unpaired);
    if (run->original.log)
        job_note(job, NOTE_PLAIN, run->log_path.text,
                 "note: the files of a log with numbers have them nevertheless, as the original does; tables do not");
}

static bool found_something(const struct device_results *results, unsigned analysis)
{
    for (size_t i = 0; i < results->chip_count; i++)
        if (results->chips[i].summary[analysis].count || results->chips[i].events[analysis])
            return true;
    return false;
}

/* Analyses that were asked for and are not in the report; rows that are in none of the usual ones. */
static void note_nothing(struct job *job, const struct device_run *run)
{
    for (unsigned i = 0; i < run->setup.own; i++)
        if (!found_something(&run->results, i))
            job_note(job, NOTE_PLAIN, run->log_path.text, "note: analysis \"%s\" found nothing",
                     run->setup.analyses[i].name);
    if (run->log.zoned && run->log.numbered && run->setup.detect_ops)
        job_note(job, NOTE_PLAIN, run->log_path.text,
                 "note: rows of six columns name no program: they are in no analysis of ops");
}

static void note_all(struct job *job, const struct device_run *run)
{
    const struct marker_log *log = &run->log;
    const char *path = run->log_path.text;

    job_note_losses(job, path, &log->losses, run->notes, run->note_count);
    note_missing(job, run);
    note_nothing(job, run);
    if (run->settings->plots && !run->settings->table && !html_has_script())
        job_note(job, NOTE_PLAIN, NULL, "note: built without pages: there is no " DEVICE_PAGE_FILE);
    if (run->settings->clock_mhz && log->clock_told)
        job_note(job, NOTE_PLAIN, path, "note: the log tells its clock, %llu MHz: --clock-mhz is not used",
                 (unsigned long long)log->clock_numerator);
    if (!log->losses.rows)
        job_note(job, NOTE_PLAIN, path, "note: the log has no markers");
    for (size_t i = 0; i < run->results.chip_count; i++) {
        const struct device_chip_results *chip = &run->results.chips[i];

        if (chip->has_ops && chip->ops.overlapping)
            job_note(job, NOTE_PLAIN, path,
                     "note: chip %lld: %llu times a core started an op again before all cores had ended it: an end was "
                     "not logged, or two programs ran at once",
                     (long long)marker_chip_at(log, chip->chip)->id, (unsigned long long)chip->ops.overlapping);
    }
}

/* ---- The verb ------------------------------------------------------------------------------------------------------- */

static void print_all(struct output *output, const void *data, const struct printer_style *style)
{
    const struct device_run *run = data;

    (void)style;
    if (run->settings->print_stats)
        device_stats_write(output, results_of_files(run));
    for (unsigned i = 0; i < run->file_count; i++)
        output_format(output, "%s\n", run->files[i].text);
}

static void print_json(struct output *output, const void *data, const struct printer_style *style)
{
    const struct device_run *run = data;
    struct table *table = NULL;
    status code = device_analyses_table(&run->results, NULL, &table);

    for (unsigned i = 0; i < run->file_count && code == STATUS_OK; i++)
        table_note(table, "written: %s", run->files[i].text);
    if (code == STATUS_OK)
        printer_write(&json_printer, output, table, style);
    output_stick(output, code);
    table_free(table);
}

typedef status (*table_maker)(const struct device_results *results, const struct view_request *request,
                              struct table **table);

static const struct verb_table tables[] = {
    { .name = "analyses",
      .description = "a row per chip and analysis that found something",
      .option = "table",
      .value = "analyses" },
    { .name = "cores",
      .description = "a row per core and analysis by core, and the time in kernels",
      .option = "table",
      .value = "cores" },
    { .name = "ops", .description = "a row per op or launch", .option = "table", .value = "ops" },
    { 0 },
};

static const struct verb_archive archive = {
    .file = DEVICE_TARBALL, .title = "Artifacts", .folder = "output-folder", .all = "artifacts"
};

/* NULL in `*make`: files are wanted. */
static status choose_table(const struct job *job, const struct settings_of_device *settings, table_maker *make)
{
    static const table_maker makers[] = { device_analyses_table, device_cores_table, device_ops_table };

    *make = view_is_asked(&job->view) ? device_analyses_table : NULL;
    if (!settings->table)
        return STATUS_OK;
    for (unsigned i = 0; tables[i].name; i++) {
        *make = makers[i];
        if (strcmp(tables[i].name, settings->table) == 0)
            return STATUS_OK;
    }
    return status_fail(STATUS_USAGE, "--table wants analyses, cores or ops, not \"%s\"", settings->table);
}

static status add_table(struct job *job, const struct device_run *run, table_maker make)
{
    struct table *table = NULL;
    status code = make(&run->results, &job->view, &table);

    return code == STATUS_OK ? job_table(job, table) : code;
}

/* The log, and how it was read: the server asks about it again. */
static status hand_over(struct job *job, const struct device_run *run)
{
    const struct settings_of_device *settings = run->settings;
    const struct job_handed handed = {
        .part = "device", .port = (uint64_t)run->port, .bind = settings->bind, .asked = settings->port || settings->bind
    };
    const char *log = run->log_path.text;
    status code;

    if (!settings->webapp)
        return STATUS_OK;
    if (!path_is_file(log) || !html_has_serve_script())
        return !handed.asked ? STATUS_OK
                             : status_fail(STATUS_USAGE, "%s",
                                           path_is_file(log) ? HTML_WITHOUT_SCRIPT
                                                             : "a log that came through a pipe cannot be served");
    code = job_hand_over(job, log, &handed);
    if (code == STATUS_OK)
        code = job_hand_option(job, "setup", settings->setup);
    if (code == STATUS_OK)
        code = job_hand_option(job, "clock-mhz", settings->clock_mhz);
    if (code == STATUS_OK)
        code = job_hand_option(job, "format", settings->format);
    if (code == STATUS_OK)
        code = job_hand_option(job, "ops-report", settings->ops);
    if (code == STATUS_OK)
        code = job_hand_option(job, "strict", settings->strict ? "" : NULL);
    return code == STATUS_OK ? job_hand_option(job, "no-op-detection", settings->op_detection ? NULL : "") : code;
}

/* `*kept`: products point into the run, and the last of them frees it. */
static status run_device(struct job *job, struct device_run *run, bool *kept)
{
    table_maker make;
    status code = choose_table(job, run->settings, &make);

    if (code == STATUS_OK)
        code = choose_log(job, run);
    if (code == STATUS_OK)
        code = read_port(run);
    if (code == STATUS_OK)
        code = read_log(job, run);
    if (code == STATUS_OK)
        code = analyze(run, !make);
    if (code == STATUS_OK && run->settings->ops)
        code = op_names_load(run->settings->ops, run->settings->strict, run->strings, &run->names);
    if (code == STATUS_OK && !make)
        code = write_files(job, run);
    if (code != STATUS_OK)
        return code;
    note_all(job, run);
    if (make)
        return add_table(job, run, make);
    *kept = true;
    code = job_json(job, print_json, run, free_run);
    if (code == STATUS_OK)
        code = job_block(job, "statistics", print_all, run, NULL);
    return code == STATUS_OK ? hand_over(job, run) : code;
}

static status run_verb(struct job *job)
{
    struct device_run *run = memory_allocate_clear(sizeof *run);
    bool kept = false;
    status code;

    if (!run)
        return status_no_memory("analysing a device log");
    run->settings = job->settings;
    run->strings = model_strings();
    marker_log_start(&run->log, run->strings);
    code = run->strings ? run_device(job, run, &kept) : status_no_memory("reading a device log");
    if (!kept)
        free_run(run);
    return code;
}

const struct verb device_verb = {
    .name = "device",
    .summary = "statistics and core maps of a Tenstorrent device log",
    .usage = "[options] [-d LOG] [-o DIR]",
    .takes = VERB_VIEWS | VERB_JSON,
    .options = options,
    .settings_size = sizeof(struct settings_of_device),
    .defaults = &defaults,
    .tables = tables,
    .archive = &archive,
    .refuses = refuses,
    .run = run_verb,
};
