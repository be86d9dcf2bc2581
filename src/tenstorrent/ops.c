/* ops.c: tacho ops: the perf report of tt-metal's ops, from the folder of logs that its op profiler writes, from those of Tracy and the
 * device that newer versions write, or from a recording. */
#include "tenstorrent/ops.h"

#include <assert.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/tar.h"
#include "page/html.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/op_details.h"
#include "tenstorrent/ops_folder.h"
#include "tenstorrent/ops_recording.h"
#include "tenstorrent/ops_tables.h"
#include "tenstorrent/original/ops_report.h"
#include "tenstorrent/original/ops_wide.h"
#include "tenstorrent/paths.h"
#include "tenstorrent/tracy.h"

/* ---- Reports -------------------------------------------------------------------------------------------------------- */

static void free_made(struct ops_report_made *made)
{
    path_free(&made->csv);
    path_free(&made->gaps);
    path_free(&made->archive);
}

void ops_reports_free(void *data)
{
    struct ops_reports *reports = data;

    for (size_t i = 0; i < reports->count; i++)
        free_made(&reports->items[i]);
    memory_free(reports->items);
    memory_free(reports);
}

/* Takes over what was made, also where that fails. */
static status add_made(struct ops_reports *reports, struct ops_report_made *made)
{
    status code = memory_grow(&reports->items, &reports->capacity, reports->count + 1, sizeof *reports->items);

    if (code == STATUS_OK)
        reports->items[reports->count++] = *made;
    else
        free_made(made);
    return code;
}

static void write_lines(struct output *output, const void *data, const struct printer_style *style)
{
    const struct ops_reports *reports = data;

    (void)style;
    for (size_t i = 0; i < reports->count; i++) {
        const struct ops_report_made *made = &reports->items[i];

        output_format(output, "%zu op%s, %llu with device times", made->ops, made->ops == 1 ? "" : "s",
                      (unsigned long long)made->device_ops);
        if (made->signposts)
            output_format(output, ", %llu signpost%s", (unsigned long long)made->signposts,
                          made->signposts == 1 ? "" : "s");
        output_format(output, "\n%s\n", made->csv.text);
        if (made->gaps.text)
            output_format(output, "%s\n", made->gaps.text);
        if (made->archive.text)
            output_format(output, "%s\n", made->archive.text);
    }
}

static void write_made(struct json_out *out, const struct ops_report_made *made)
{
    json_out_object(out, NULL, JSON_LINES);
    json_out_unsigned(out, "ops", made->ops);
    json_out_unsigned(out, "device_ops", made->device_ops);
    json_out_unsigned(out, "signposts", made->signposts);
    json_out_text(out, "csv", made->csv.text);
    json_out_text(out, "gaps", made->gaps.text);
    json_out_text(out, "archive", made->archive.text);
    json_out_end(out);
}

static void write_json(struct output *output, const void *data, const struct printer_style *style)
{
    const struct ops_reports *reports = data;
    struct json_out out;

    (void)style;
    json_out_start(&out, output);
    json_out_object(&out, NULL, JSON_LINES);
    if (reports->runs) {
        json_out_unsigned(&out, "runs", reports->runs);
        json_out_unsigned(&out, "failed", reports->failed);
    }
    json_out_array(&out, "reports", JSON_LINES);
    for (size_t i = 0; i < reports->count; i++)
        write_made(&out, &reports->items[i]);
    json_out_end(&out);
    json_out_end(&out);
    json_out_finish(&out);
}

status ops_reports_hand_over(struct job *job, struct ops_reports *reports)
{
    status code = job_json(job, write_json, reports, ops_reports_free);

    return code == STATUS_OK ? job_block(job, "reports", write_lines, reports, NULL) : code;
}

/* ---- Names ---------------------------------------------------------------------------------------------------------- */

/* FOLDER/[DATE_]STEM[_NAME]SUFFIX, or with the date at the end: FOLDER/STEM[_NAME][_DATE]SUFFIX. */
static status name_file(const struct ops_output_options *options, const char *stem, const char *suffix, bool date_last,
                        struct path *to)
{
    const char *name = options->name ? options->name : "", *bar = options->name ? "_" : "";
    char date[64] = "";
    struct tm local;

    assert(options->folder);
    if (strchr(name, '/'))
        return status_fail(STATUS_USAGE, "\"%s\" cannot be a part of a file's name", name);
    if (options->date &&
        (!localtime_r(&options->now, &local) ||
         !strftime(date, sizeof date, date_last ? "_%Y_%m_%d_%H_%M_%S" : "%Y_%m_%d_%H_%M_%S_", &local)))
        return status_fail(STATUS_OUTPUT, "the date cannot be told");
    return path_set(to, "%s/%s%s%s%s%s%s", options->folder, date_last ? "" : date, stem, bar, name,
                    date_last ? date : "", suffix);
}

/* `path`, or the nearest folder above it that is there, without links. */
static status find_real(const char *path, struct path *to)
{
    struct path part = { .text = NULL };
    status code = path_set(&part, "%s", path);

    while (code == STATUS_OK && (code = path_resolve(to, part.length ? part.text : ".")) == STATUS_INPUT &&
           part.length) {
        size_t length = path_folder(part.text).length;

        status_clear();
        code = STATUS_OK;
        path_cut(&part, length < part.length ? length : 0);
    }
    path_free(&part);
    return code;
}

/* An archive inside of what it holds would hold itself. */
static status check_outside(const char *output, const char *logs)
{
    struct path outer = { .text = NULL }, inner = { .text = NULL };
    status code = path_resolve(&outer, logs);

    if (code == STATUS_OK)
        code = find_real(output, &inner);
    if (code == STATUS_OK && strncmp(outer.text, inner.text, outer.length) == 0 &&
        (inner.text[outer.length] == '/' || inner.text[outer.length] == '\0'))
        code = status_fail(STATUS_USAGE, "the output folder %s lies in the folder of logs %s", output, logs);
    path_free(&outer);
    path_free(&inner);
    if (code != STATUS_INPUT)
        return code;
    status_clear(); /* what is not there holds nothing */
    return STATUS_OK;
}

static void note_left_out(struct job *job, const struct ops_report_made *made)
{
    if (made->left_out)
        job_note(job, NOTE_PLAIN, made->archive.text, "without %llu entries that are no files or cannot be read",
                 (unsigned long long)made->left_out);
}

/* ---- Logs of the op profiler ---------------------------------------------------------------------------------------- */

static status write_calls(const struct op_calls *calls, const char *path)
{
    struct output *output;
    status code = output_open(path, &output);

    if (code != STATUS_OK)
        return code;
    return output_finish(output, ops_report_write(calls, output));
}

static status archive_folder(const struct ops_folder *folder, struct ops_report_made *made)
{
    struct tar_writer tar;
    status code = tar_writer_open(&tar, made->archive.text);

    if (code == STATUS_OK)
        code = tar_writer_add_folder(&tar, folder->host, path_name(folder->host));
    if (code == STATUS_OK && folder->has_device && strcmp(folder->host, folder->device) != 0)
        code = tar_writer_add_folder(&tar, folder->device, path_name(folder->device));
    made->left_out = tar.left_out;
    return tar_writer_finish(&tar, code);
}

static status write_folder(const struct ops_folder *folder, const struct ops_output_options *options,
                           struct ops_report_made *made)
{
    static const char stem[] = "profile_log_ops";
    status code = name_file(options, stem, ".csv", false, &made->csv);

    if (code == STATUS_OK)
        code = name_file(options, stem, ".tgz", false, &made->archive);
    if (code == STATUS_OK)
        code = check_outside(options->folder, folder->host);
    if (code == STATUS_OK && folder->has_device)
        code = check_outside(options->folder, folder->device);
    if (code == STATUS_OK)
        code = write_calls(&folder->calls, made->csv.text);
    return code == STATUS_OK ? archive_folder(folder, made) : code;
}

static void note_folder(struct job *job, const struct ops_folder *folder)
{
    char note[OPS_NOTE];

    if (folder->host_is_device)
        job_note(job, NOTE_PLAIN, folder->host,
                 "host times are those of the run with device profiling, which is slower");
    if (!folder->has_device)
        job_note(job, NOTE_PLAIN, folder->device, "no such folder, the device columns are -");
    for (unsigned i = 0; i < OPS_LOSS_COUNT; i++)
        if (ops_loss_describe(folder, i, note))
            job_note(job, NOTE_PLAIN, NULL, "%s", note);
}

status ops_report_older(struct job *job, const char *input, const struct ops_output_options *options,
                        struct ops_reports *reports)
{
    struct ops_report_made made = { .ops = 0 };
    struct ops_folder folder;
    status code = ops_folder_read(input, &folder);

    if (code == STATUS_OK)
        code = write_folder(&folder, options, &made);
    if (code == STATUS_OK) {
        made.ops = folder.calls.count;
        made.device_ops = folder.device_ops;
        note_folder(job, &folder);
        note_left_out(job, &made);
        code = add_made(reports, &made);
    } else {
        free_made(&made);
    }
    ops_folder_free(&folder);
    return code;
}

/* ---- Recordings ----------------------------------------------------------------------------------------------------- */

static const char recordings[] = "tacho-recording"; /* id of their reader, which belongs to no chain */

static const char *refuses(const struct reader *reader)
{
    bool taken =
        reader == &tt_ops_folder_reader || reader == &tt_tracy_ops_reader || strcmp(reader->id, recordings) == 0;

    return taken ? NULL : "a folder of logs of ops, or a recording of ops, is wanted here";
}

/* A folder of logs may hold recordings, too: only the surest reader counts. Files of another kind are refused; folders need not be known
 * as a whole. */
static status look_for_recording(const char *path, bool *recording)
{
    const struct reader *reader = NULL;
    struct input *input = NULL;
    status code = reader_open(path, NULL, &input, &reader);
    bool known = code == STATUS_OK;

    input_close(input);
    if (!known)
        status_clear();
    *recording = known && strcmp(reader->id, recordings) == 0;
    return known && refuses(reader) && path_is_file(path) ? reader_refuse(reader, path, refuses(reader)) : STATUS_OK;
}

static status read_recording(struct job *job, const char *path, struct session *session, struct ops_recording *ops)
{
    struct feed feed;
    status code = ops_recording_start(ops, session->strings);

    if (code == STATUS_OK)
        code = session_add(session, path, path_name(path));
    if (code != STATUS_OK)
        return code;
    feed_start(&feed, ops_recording_sink(ops), session->strings);
    code = session_read(session, &session->profiles[0], &feed);
    feed_free(&feed);
    if (code == STATUS_OK)
        code = ops_recording_end(ops);
    if (code == STATUS_OK && !ops->calls.count)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = path },
                              "a recording without ops: the program must mark them with tacho/ops.h");
    if (code == STATUS_OK)
        job_note_profile(job, &session->profiles[0]);
    return code;
}

static void note_recording(struct job *job, const struct ops_recording *ops)
{
    if (ops->unfinished)
        job_note(job, NOTE_PLAIN, NULL, "%llu x op that had not stopped when the recording ended (its end is -)",
                 (unsigned long long)ops->unfinished);
    if (ops->outside)
        job_note(job, NOTE_PLAIN, NULL, "%llu x call of a function outside of any op (left out)",
                 (unsigned long long)ops->outside);
    if (ops->processes > 1)
        job_note(job, NOTE_PLAIN, NULL, "ops of %zu processes, one after the other; each counts its own calls",
                 ops->processes);
}

status ops_report_recording(struct job *job, const char *input, const struct ops_output_options *options,
                            struct ops_reports *reports)
{
    struct ops_report_made made = { .ops = 0 };
    struct ops_recording ops = { .arena = ARENA_EMPTY };
    struct session session;
    status code = session_start(&session, &(struct session_options){ .format = NULL });

    if (code == STATUS_OK)
        code = read_recording(job, input, &session, &ops);
    if (code == STATUS_OK)
        code = name_file(options, "profile_log_ops", ".csv", false, &made.csv);
    if (code == STATUS_OK)
        code = output_check_inputs(made.csv.text, &input, 1);
    if (code == STATUS_OK)
        code = write_calls(&ops.calls, made.csv.text);
    if (code == STATUS_OK) {
        made.ops = ops.calls.count;
        note_recording(job, &ops);
        code = add_made(reports, &made);
    } else {
        free_made(&made);
    }
    ops_recording_free(&ops);
    session_end(&session);
    return code;
}

/* ---- Logs of Tracy and the device ----------------------------------------------------------------------------------- */

/* What was read of them. */
struct newer_logs {
    struct strings *strings;   /* its own */
    struct op_report report;   /* the rows */
    struct op_details details; /* all that is known of them */
    struct source source;      /* with its notes */
};

bool ops_is_newer(const char *path)
{
    int sure = tt_tracy_probe_folder(path);

    /* A device log alone may lie beside the folders of older logs. */
    return sure >= 90 || (sure > 0 && !ops_folder_probe(path));
}

static status read_newer(struct newer_logs *logs, const char *folder)
{
    struct marker_log log;
    status code;

    *logs = (struct newer_logs){ .strings = strings_new(), .source = { .path = folder } };
    op_report_start(&logs->report, logs->strings);
    op_details_start(&logs->details, &logs->report);
    if (!logs->strings)
        return status_no_memory("reading logs of ops");
    marker_log_start(&log, logs->strings);
    code = tt_tracy_read_folder(&logs->source, &logs->details, &log);
    marker_log_free(&log);
    return code;
}

static void free_newer(struct newer_logs *logs)
{
    op_details_free(&logs->details);
    op_report_free(&logs->report);
    strings_free(logs->strings);
}

typedef status (*details_writer)(const struct op_details *details, struct output *output);

static status write_details(const struct op_details *details, const char *path, details_writer writer)
{
    struct output *output;
    status code = output_open(path, &output);

    if (code != STATUS_OK)
        return code;
    return output_finish(output, writer(details, output));
}

/* The files that the report was made of; a folder of logs may hold gigabytes of other things. */
static status archive_newer(const struct newer_logs *logs, struct ops_report_made *made)
{
    struct path path = { .text = NULL };
    struct tar_writer tar;
    status code = tar_writer_open(&tar, made->archive.text);

    for (unsigned i = 0; tt_tracy_names[i] && code == STATUS_OK; i++) {
        bool found;

        code = tt_tracy_find(logs->source.path, tt_tracy_names[i], &path, &found);
        if (code == STATUS_OK && found)
            code = tar_writer_add_file(&tar, path.text, path_name(path.text));
    }
    path_free(&path);
    made->left_out = tar.left_out;
    return tar_writer_finish(&tar, code);
}

static status write_newer(const struct newer_logs *logs, const struct ops_output_options *options,
                          struct ops_report_made *made)
{
    static const char stem[] = "ops_perf_results";
    bool gaps = !logs->details.host && logs->details.device_source == OP_DEVICE_LOG;
    status code = name_file(options, stem, ".csv", true, &made->csv);

    if (code == STATUS_OK)
        code = name_file(options, stem, ".tgz", true, &made->archive);
    if (code == STATUS_OK && gaps)
        code = name_file(options, "per_core_op_to_op_times", ".csv", true, &made->gaps);
    if (code == STATUS_OK)
        code = write_details(&logs->details, made->csv.text, ops_wide_write);
    if (code == STATUS_OK && gaps)
        code = write_details(&logs->details, made->gaps.text, ops_gaps_write);
    return code == STATUS_OK ? archive_newer(logs, made) : code;
}

/* Whether a note is told with its number instead. */
static bool is_counted(const char *note)
{
    for (unsigned odd = 0; odd < OP_ODD_COUNT; odd++)
        if (strcmp(note, op_odd_text((enum op_odd)odd)) == 0)
            return true;
    return false;
}

static void note_newer(struct job *job, const struct newer_logs *logs)
{
    const struct op_odd_count *odds = logs->details.odds;
    struct losses losses = logs->report.losses;
    char note[512];

    /* What was kept without something is told below, in full. */
    losses_drop(&losses, &loss_part);
    losses_drop(&losses, &loss_missing);
    losses_drop(&losses, &loss_repeated_id);
    job_note_losses(job, logs->source.path, &losses, NULL, 0);
    for (unsigned i = 0; i < logs->source.note_count; i++)
        if (!is_counted(logs->source.notes[i]))
            job_note(job, NOTE_PLAIN, NULL, "note: %s", logs->source.notes[i]);
    for (unsigned i = 0; i < OP_ODD_COUNT; i++)
        if (op_odd_describe(&logs->details, (enum op_odd)i, note, sizeof note))
            job_note(job, NOTE_PLAIN, NULL, "%s", note);
    if (logs->details.log_checked && !odds[OP_ODD_REPORT_DIFFERS].count && !odds[OP_ODD_REPORT_MISSES].count)
        job_note(job, NOTE_PLAIN, NULL, "note: profile_log_device.csv has the same times");
}

static void count_newer(const struct newer_logs *logs, struct ops_report_made *made)
{
    for (size_t i = 0; i < logs->report.rows.count; i++) {
        made->device_ops += op_row_at(&logs->report, i)->parts.times != NO_ID;
        made->signposts += op_row_at(&logs->report, i)->kind == OP_SIGNPOST;
    }
    made->ops = logs->report.rows.count - made->signposts;
}

status ops_report_newer(struct job *job, const char *input, const struct ops_output_options *options,
                        struct ops_reports *reports)
{
    struct ops_report_made made = { .ops = 0 };
    struct newer_logs logs;
    status code = read_newer(&logs, input);

    if (code == STATUS_OK)
        code = write_newer(&logs, options, &made);
    if (code == STATUS_OK) {
        count_newer(&logs, &made);
        note_newer(job, &logs);
        note_left_out(job, &made);
        code = add_made(reports, &made);
    } else {
        free_made(&made);
    }
    free_newer(&logs);
    return code;
}

/* ---- The verb ------------------------------------------------------------------------------------------------------- */

struct settings_of_ops {
    const char *input;  /* folder; NULL: where the profiler writes */
    const char *output; /* folder; NULL: where the profiler's programs write */
    const char *name;   /* for the names of the files */
    const char *table;  /* to print instead of writing files; NULL: none */
    const char *port;   /* of the page in a browser; NULL: 8050 */
    const char *bind;   /* the address that it is served at; NULL: this machine alone */
    bool date;          /* in the names */
    bool webapp;        /* the page in a browser */
};

static const struct option options[] = {
    { "ops-folder", 'i', OPTION_TEXT, offsetof(struct settings_of_ops, input), "FOLDER",
      "logs of the ops (with FOLDER_device), of Tracy, or a recording" },
    { "output-folder", 'o', OPTION_TEXT, offsetof(struct settings_of_ops, output), "DIR", "where to write" },
    { "name-append", 'n', OPTION_TEXT, offsetof(struct settings_of_ops, name), "NAME",
      "append _NAME to the names of the files" },
    { "date", 0, OPTION_FLAG, offsetof(struct settings_of_ops, date), NULL,
      "date and time before the names of the files" },
    { "table", 0, OPTION_TEXT, offsetof(struct settings_of_ops, table), "calls|call_cores",
      "print this table, and write no files" },
    { "webapp", 0, OPTION_FLAG, offsetof(struct settings_of_ops, webapp), NULL,
      "show the ops in a browser: host and device timelines" },
    { "port", 'p', OPTION_TEXT, offsetof(struct settings_of_ops, port), "PORT",
      "the same at this port (default 8050)" },
    { "bind", 0, OPTION_TEXT, offsetof(struct settings_of_ops, bind), "ADDR",
      "the same at this address (default: 127.0.0.1)" },
    { 0 },
};

static status read_port(const char *port, int64_t *number)
{
    *number = 8050;
    if (port && (!number_parse_integer(port, strlen(port), number) || *number < 1 || *number > 65535))
        return status_fail(STATUS_USAGE, "a port is a number from 1 to 65535, not \"%s\"", port);
    return STATUS_OK;
}

static status is_older(const char *folder, bool *is)
{
    struct path device = { .text = NULL };
    status code = path_set(&device, "%s_device", folder);

    *is = code == STATUS_OK && (path_is_folder(folder) || path_is_folder(device.text));
    path_free(&device);
    return code;
}

/* Without -i: the older folder where it is there, else the newer one. */
static status choose_default(struct job *job, struct path *input)
{
    struct path older = { .text = NULL }, newer = { .text = NULL };
    bool has_older = false, has_newer = false, take_newer;
    status code = tt_profiler_path("logs/ops", &older);

    if (code == STATUS_OK)
        code = tt_generated_path(".logs", &newer);
    if (code == STATUS_OK)
        code = is_older(older.text, &has_older);
    if (code == STATUS_OK) {
        has_newer = ops_is_newer(newer.text);
        take_newer = tt_newer_is_meant(has_older, has_newer);
        if (!has_older && !has_newer)
            code = status_fail_at(STATUS_INPUT, (struct place){ .file = older.text },
                                  "no such folder of ops logs, nor %s; -i names another", newer.text);
        else
            code = path_set(input, "%s", take_newer ? newer.text : older.text);
        if (code == STATUS_OK && has_older && has_newer)
            job_note(job, NOTE_PLAIN, NULL, "note: reading %s; there are also logs in %s", input->text,
                     take_newer ? older.text : newer.text);
    }
    path_free(&older);
    path_free(&newer);
    return code;
}

static status choose_input(struct job *job, struct path *input)
{
    const struct settings_of_ops *settings = job->settings;

    if (job->inputs.count > (settings->input ? 0 : 1))
        return status_fail(STATUS_USAGE, "tacho ops reads one folder or recording; \"%s\" is one too many",
                           job->inputs.items[job->inputs.count - 1]);
    if (settings->input || job->inputs.count)
        return path_set(input, "%s", settings->input ? settings->input : job->inputs.items[0]);
    return choose_default(job, input);
}

static status report_input(struct job *job, const char *input, struct ops_reports *reports)
{
    const struct settings_of_ops *settings = job->settings;
    struct ops_output_options given = { .folder = settings->output, .date = settings->date, .now = time(NULL) };
    struct path output = { .text = NULL };
    bool recording, newer;
    status code = look_for_recording(input, &recording);

    if (code != STATUS_OK)
        return code;
    newer = !recording && ops_is_newer(input);

    given.name = settings->name && *settings->name ? settings->name : NULL;
    if (!given.folder)
        code = newer ? tt_generated_path("reports", &output) : tt_profiler_path("output/ops", &output);
    if (!given.folder)
        given.folder = output.text;
    if (code == STATUS_OK && recording)
        code = ops_report_recording(job, input, &given, reports);
    else if (code == STATUS_OK)
        code = newer ? ops_report_newer(job, input, &given, reports) : ops_report_older(job, input, &given, reports);
    path_free(&output);
    return code;
}

/* The logs, of which the server shows the ops. */
static status hand_over(struct job *job, const char *input, int64_t port)
{
    const struct settings_of_ops *settings = job->settings;
    bool recording = false;
    status code = look_for_recording(input, &recording);
    const struct job_handed handed = {
        .part = recording ? "timeline" : "ops", .port = (uint64_t)port, .bind = settings->bind, .asked = true
    };

    if (code != STATUS_OK || (!settings->webapp && !settings->port && !settings->bind))
        return code;
    if (!html_has_serve_script())
        return status_fail(STATUS_USAGE, HTML_WITHOUT_SCRIPT);
    return job_hand_over(job, input, &handed);
}

/* Recordings have timelines of other kinds. */
static bool is_folder_reader(const struct reader *reader)
{
    return strcmp(reader->id, recordings) != 0;
}

static const struct verb_table tables[] = {
    { .name = "calls",
      .description = "a row per call of an op, on the host and on its devices",
      .option = "table",
      .value = "calls",
      .accepts = is_folder_reader },
    { .name = "call_cores",
      .description = "a row per zone of a core's RISC in a call of an op",
      .option = "table",
      .value = "call_cores",
      .accepts = is_folder_reader },
    { 0 },
};

static status print_table(struct job *job, const char *input)
{
    const struct settings_of_ops *settings = job->settings;
    struct table *table = NULL;
    bool recording;
    status code = look_for_recording(input, &recording);

    if (settings->table && strcmp(settings->table, "calls") != 0 && strcmp(settings->table, "call_cores") != 0)
        return status_fail(STATUS_USAGE, "--table wants calls or call_cores, not \"%s\"", settings->table);
    if (code == STATUS_OK && recording)
        code = status_fail(STATUS_USAGE, "--table is about folders of logs; this is a recording");
    if (code == STATUS_OK)
        code = settings->table && strcmp(settings->table, "call_cores") == 0 ? ops_cores_table(job, input, &table)
                                                                             : ops_calls_table(job, input, &table);
    return code == STATUS_OK ? job_table(job, table) : code;
}

static status run(struct job *job)
{
    const struct settings_of_ops *settings = job->settings;
    int64_t port;
    struct path input = { .text = NULL };
    struct ops_reports *reports;
    status code = read_port(settings->port, &port);

    if (code == STATUS_OK)
        code = choose_input(job, &input);
    if (code == STATUS_OK && (settings->table || view_is_asked(&job->view))) {
        code = print_table(job, input.text);
        path_free(&input);
        return code;
    }
    reports = code == STATUS_OK ? memory_allocate_clear(sizeof *reports) : NULL;
    if (code == STATUS_OK && !reports)
        code = status_no_memory("starting");
    if (code == STATUS_OK)
        code = report_input(job, input.text, reports);
    if (code == STATUS_OK)
        code = hand_over(job, input.text, port);
    path_free(&input);
    if (code == STATUS_OK)
        return ops_reports_hand_over(job, reports);
    if (reports)
        ops_reports_free(reports);
    return code;
}

static const struct verb_archive archive = {
    .file = "profile_log_ops.tgz", .title = "Logs of the ops", .folder = "output-folder", .accepts = is_folder_reader
};

const struct verb ops_verb = {
    .name = "ops",
    .summary = "the perf report of tt-metal's ops, one row per call",
    .usage = "[-i FOLDER] [-o DIR] [options]",
    .takes = VERB_VIEWS | VERB_JSON,
    .options = options,
    .settings_size = sizeof(struct settings_of_ops),
    .tables = tables,
    .archive = &archive,
    .refuses = refuses,
    .run = run,
};
