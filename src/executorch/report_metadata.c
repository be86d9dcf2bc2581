/* report_metadata.c: what was run, with what, on what; and which files the report rests on. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "executorch/report_sections.h"

/* ---- model and configuration ------------------------------------------------------------------------------------- */

static void add_config(struct report *report)
{
    const struct run_document *config = &report->inspection->rundir.config;
    const char *resolved = report->inspection->rundir.config_resolved;

    if (!config->path) {
        document_value(report->document, 0, "config_file", "Config File", "not recorded");
        return;
    }
    document_value(report->document, 0, "config_file", "Config File", "`%s`", config->path);
    if (resolved && strcmp(resolved, config->path) != 0)
        document_value(report->document, 0, "config_found", "Config File Found At", "`%s`", resolved);
    if (!config->found)
        document_mood(report->document, PROSE_WARNING,
                      "The config file is not at this path, so runner paths and settings cannot be shown. The path is "
                      "the one that "
                      "`manifest.json` names.");
    else if (config->problem)
        document_mood(report->document, PROSE_WARNING, "The config file cannot be read: %s", config->problem);
}

/* Where a runner lies: as named, or below the folders in which such run directories are usually kept. STATUS_INPUT: nowhere. */
static status find_runner(const struct rundir *rundir, const char *path, struct path *found)
{
    static const char *const places[] = { "../../../../executorch", "../../../..", "../../../executorch", "../../.." };
    struct path joined = { .text = NULL };
    status code = STATUS_INPUT;

    if (*path == '/')
        return path_is_file(path) ? path_set(found, "%s", path) : STATUS_INPUT;
    for (size_t i = 0; i < sizeof places / sizeof *places && code == STATUS_INPUT; i++) {
        code = path_set(&joined, "%s/%s/%s", rundir->absolute, places[i], path);
        if (code == STATUS_OK)
            code = path_is_file(joined.text) ? path_resolve(found, joined.text) : STATUS_INPUT;
    }
    path_free(&joined);
    return code;
}

static void add_runner(struct report *report, const char *name, const char *path)
{
    struct document *document = report->document;
    struct path full = { .text = NULL };
    struct stat facts;
    status code = find_runner(&report->inspection->rundir, path, &full);

    document_value(document, 0, NULL, name, "%s", "");
    document_value(document, 1, *path == '/' ? "path" : "relative_path", *path == '/' ? "Path" : "Relative path",
                   "`%s`", path);
    if (code == STATUS_OK) {
        document_value(document, 1, "full_path", "Full path", "`%s`", full.text);
        document_value(document, 1, "status", "Status", "%s",
                       access(full.text, X_OK) == 0 ? "✓ Executable" : "⚠️ Not executable");
        if (stat(full.text, &facts) == 0)
            document_value(document, 1, "size", "Size", "%.2f MB", (double)facts.st_size / (1024 * 1024));
    } else if (code == STATUS_INPUT) {
        document_value(document, 1, "status", "Status", "⚠️ Not found on this machine");
        status_clear();
    } else {
        document_table(document, NULL); /* the document remembers that memory ran out */
    }
    path_free(&full);
}

static const char *runner_of(const struct json *experiment)
{
    const char *path = json_text(json_get(experiment, "runner_path"), NULL);

    return path ? path : json_text(json_get(experiment, "quiet_runner"), NULL);
}

static void add_runners(struct report *report)
{
    const struct json *experiments = json_get(report->inspection->rundir.config.root, "experiments");
    bool any = false;

    for (size_t i = 0; i < json_count(experiments); i++) {
        const char *name = json_text(json_get(&experiments->items[i], "name"), NULL);
        const char *path = runner_of(&experiments->items[i]);

        if (!name || !path)
            continue;
        if (!any)
            document_heading(report->document, 3, "runners", "Runner Paths");
        any = true;
        add_runner(report, name, path);
    }
}

/* ---- device ------------------------------------------------------------------------------------------------------ */

/* A value of the manifest in one line; "": it has none. */
static const char *describe(const struct json *value, char *to, size_t size)
{
    size_t length = 0;

    to[0] = '\0';
    switch (value->type) {
    case JSON_STRING:
    case JSON_NUMBER:
        return value->text.data;
    case JSON_TRUE:
    case JSON_FALSE:
        return value->type == JSON_TRUE ? "yes" : "no";
    default:
        break;
    }
    for (size_t i = 0; i < json_count(value) && length < size; i++) {
        const char *text = json_text(&value->items[i], NULL);

        if (text)
            length += (size_t)snprintf(to + length, size - length, "%s%s", length ? " " : "", text);
    }
    return to;
}

static const char *device_label(const char *key)
{
    static const char *const labels[][2] = {
        { "architecture", "Architecture" }, { "os", "Platform" },   { "version", "Platform Version" },
        { "model", "Device Model" },        { "cpu", "CPU" },       { "cores", "CPU Cores" },
        { "features", "CPU Features" },     { "serial", "Serial" }, { "abi", "ABI" },
    };

    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (strcmp(key, labels[i][0]) == 0)
            return labels[i][1];
    return key;
}

static void add_device(struct report *report)
{
    const struct json *device = json_get(report->inspection->rundir.manifest.root, "device");
    char text[2048];
    bool any = false;

    document_heading(report->document, 3, "device", "Device Information");
    for (size_t i = 0; device && device->type == JSON_OBJECT && i < device->count; i++) {
        const char *key = device->keys[i].data, *value = describe(&device->items[i], text, sizeof text);

        if (!*value)
            continue;
        document_value(report->document, 0, key, device_label(key), "%s", value);
        any = true;
    }
    if (!any)
        document_value(report->document, 0, "device", "Device", "not recorded: %s",
                       report->inspection->rundir.manifest.found ? "`manifest.json` has no `device`"
                                                                 : "there is no `manifest.json`");
}

/* ---- ExecuTorch -------------------------------------------------------------------------------------------------- */

static void add_yes_or_no(struct document *document, const struct json *object, const char *key, const char *label)
{
    const struct json *value = json_get(object, key);

    if (value && (value->type == JSON_TRUE || value->type == JSON_FALSE))
        document_value(document, 0, key, label, "%s", value->type == JSON_TRUE ? "Yes" : "No");
}

static void add_executorch(struct report *report)
{
    const struct json *runtime = json_get(report->inspection->rundir.manifest.root, "executorch");
    const char *sha = json_text(json_get(runtime, "actual_sha"), json_text(json_get(runtime, "sha"), NULL));
    const char *expected = json_text(json_get(runtime, "expected_sha"), NULL);
    const struct json *dirty = json_get(runtime, "dirty");

    document_heading(report->document, 3, "executorch", "ExecuTorch Information");
    if (sha)
        document_value(report->document, 0, "sha", "ExecuTorch SHA", "`%s`", sha);
    else
        document_value(report->document, 0, "sha", "ExecuTorch SHA", "not recorded");
    if (expected)
        document_value(report->document, 0, "expected_sha", "Expected SHA", "`%s`", expected);
    if (dirty && (dirty->type == JSON_TRUE || dirty->type == JSON_FALSE))
        document_value(report->document, 0, "status", "ExecuTorch Status", "%s",
                       dirty->type == JSON_TRUE ? "⚠️ Dirty" : "✓ Clean");
    add_yes_or_no(report->document, runtime, "compatible", "Pin Compatible");
    add_yes_or_no(report->document, runtime, "patches_required", "Patches Required");
}

/* ---- what was analysed ------------------------------------------------------------------------------------------- */

static bool has_csv(const struct run_entry *entry)
{
    return run_entry_file(entry, RUN_TIMELINE) || run_entry_file(entry, RUN_TIMELINE_RUN) ||
           run_entry_file(entry, RUN_OPS_STATS);
}

/* "a.etdump"; "a_l1.etdump and 4 more". */
static void add_source(struct document *document, const struct inspected *item, enum run_source source)
{
    const struct run_times *times = item->entry->times.source == source ? &item->entry->times : &item->entry->latency;

    if (source == RUN_SOURCE_METRICS)
        document_cell(document, "`metrics.json`");
    else if (source == RUN_SOURCE_NONE || times->source != source || !times->count)
        document_cell(document, "nothing");
    else if (times->count == 1)
        document_cell(document, "`%s`", times->files[0]->shown);
    else
        document_cell(document, "`%s` and %zu more", times->files[0]->shown, times->count - 1);
}

static void add_files_read(struct report *report)
{
    static const struct document_column columns[] = {
        { "experiment", "Experiment", false },    { "latency", "Times from", false },
        { "operators", "Operators from", false }, { "kernels", "Kernels from", false },
        { "rows", "Events read", true },          { "lost", "Lost", true },
    };
    struct document *document = report->document;

    document_grid(document, "sources", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < report->inspection->count; i++) {
        const struct inspected *item = &report->inspection->items[i];

        document_cell(document, "`%s`", item->entry->label);
        add_source(document, item, item->measurement.latency_source);
        if (item->measurement.operator_source == item->measurement.latency_source)
            document_cell(document, "the same");
        else
            add_source(document, item, item->measurement.operator_source);
        if (item->kernels)
            document_cell(document, "`%s`", item->kernels->file->shown);
        else
            document_cell(document, "nothing");
        document_cell_number(document, (double)item->measurement.rows, "%llu",
                             (unsigned long long)item->measurement.rows);
        document_cell_number(document, (double)item->measurement.lost, "%llu",
                             (unsigned long long)item->measurement.lost);
    }
}

bool report_is_about_config(const struct rundir *rundir, const char *note)
{
    return rundir->config.path && !rundir->config.found && strstr(note, rundir->config.path);
}

static void add_analysis(struct report *report)
{
    const struct inspection *inspection = report->inspection;
    size_t with_csv = 0, dumps = 0;

    for (size_t i = 0; i < inspection->count; i++) {
        with_csv += has_csv(inspection->items[i].entry);
        dumps += inspection->items[i].entry->times.source == RUN_SOURCE_ETDUMP;
    }
    document_heading(report->document, 3, "analysis", "Analysis Information");
    document_value(report->document, 0, "timestamp", "Analysis Timestamp", "%s", report->time);
    document_value(
        report->document, 0, "csv_files", "CSV Files Analyzed", "%zu%s", with_csv,
        dumps && with_csv ? " (experiments that have them; times are read from the ETDump where there is one)" : "");
    if (inspection->has_graph)
        document_value(report->document, 0, "etrecord", "Model Graph", "`%s`", inspection->rundir.etrecord);
    else
        document_value(report->document, 0, "etrecord", "Model Graph",
                       "none: without an ETRecord, operators have no module and no source line");
    add_files_read(report);
    for (size_t i = 0; i < inspection->rundir.note_count; i++)
        if (!report_is_about_config(&inspection->rundir, inspection->rundir.notes[i]))
            document_mood(report->document, PROSE_WARNING, "Note: %s", inspection->rundir.notes[i]);
}

void report_add_metadata(struct report *report)
{
    const struct rundir *rundir = &report->inspection->rundir;

    document_heading(report->document, 2, "metadata", "Metadata");
    document_text(report->document, "**Generated**: %s", report->time);
    if (rundir->model) {
        document_value(report->document, 0, "model", "Model", "`%s`", path_name(rundir->model));
        document_value(report->document, 0, "model_path", "Model Path", "`%s`", rundir->model);
    }
    document_value(report->document, 0, "run_directory", "Run Directory", "`%s`", rundir->absolute);
    add_config(report);
    add_runners(report);
    add_device(report);
    add_executorch(report);
    add_analysis(report);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static const char *description_of(enum run_role role)
{
    switch (role) {
    case RUN_TIMELINE:
        return "Timeline CSV (per-run operator timing)";
    case RUN_TIMELINE_RUN:
        return "Timeline CSV (first run)";
    case RUN_OPS_STATS:
        return "Stats CSV (aggregated operator statistics)";
    case RUN_ETDUMP:
        return "ETDump (events of all runs)";
    case RUN_LOG:
        return "Log of the runner";
    case RUN_XNNTRACE:
        return "XNNPACK log (kernels)";
    case RUN_KERNELS:
        return "Kernels CSV";
    case RUN_ROBUST_STATS:
        return "Latency statistics";
    default:
        return NULL;
    }
}

static bool is_csv(enum run_role role)
{
    return role == RUN_TIMELINE || role == RUN_TIMELINE_RUN || role == RUN_OPS_STATS;
}

static size_t count_files(const struct rundir *rundir, bool csv)
{
    size_t count = 0;

    for (size_t i = 0; i < rundir->entry_count; i++)
        for (size_t j = 0; j < rundir->entries[i].file_count; j++) {
            enum run_role role = rundir->entries[i].files[j].role;

            count += description_of(role) && is_csv(role) == csv;
        }
    return count;
}

static void add_files(struct report *report, const char *key, const char *title, bool csv)
{
    static const struct document_column columns[] = { { "file", "File", false },
                                                      { "description", "Description", false } };
    const struct rundir *rundir = &report->inspection->rundir;

    if (!count_files(rundir, csv))
        return;
    document_heading(report->document, 3, key, "%s", title);
    document_grid(report->document, "files", columns, 2);
    for (size_t i = 0; i < rundir->entry_count; i++)
        for (size_t j = 0; j < rundir->entries[i].file_count; j++) {
            const struct run_file *file = &rundir->entries[i].files[j];

            if (!description_of(file->role) || is_csv(file->role) != csv)
                continue;
            document_cell(report->document, "`%s`", file->shown);
            document_cell(report->document, "%s%s", description_of(file->role), file->usable ? "" : ": not usable");
        }
}

void report_add_artifacts(struct report *report)
{
    document_heading(report->document, 2, "artifacts", "Generated Artifacts");
    add_files(report, "csv_files", "CSV Files (Source Data for Report)", true);
    add_files(report, "other_files", "Other Files", false);
    if (!count_files(&report->inspection->rundir, true) && !count_files(&report->inspection->rundir, false))
        document_text(report->document, "None: the latencies come from `metrics.json`.");
}
