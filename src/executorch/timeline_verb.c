/* timeline_verb.c: tacho timeline: the CSV files of an ETDump: a row per event and run, and totals by type. */
#include <string.h>

#include "base/number.h"
#include "executorch/analysis_summary.h"
#include "executorch/chain.h"
#include "job/job.h"

struct settings_of_timeline {
    const char *etdump;        /* the input by another name */
    const char *out_dir;       /* NULL: beside the input */
    const char *run_dir;       /* all dumps below it */
    const char *run_index;     /* of a single run */
    const char *model_id;      /* first column; NULL: the file's name */
    const char *rules;         /* file of rules for categories */
    bool all_runs;             /* a file of all, one of the first */
    bool json;                 /* the same rows as JSON */
    bool extra;                /* more columns than the original's */
    bool strict_etrecord;      /* there must be one */
    struct load_settings load; /* how files are read */
};

static const struct settings_of_timeline defaults = { .extra = true };

#define AT(member) offsetof(struct settings_of_timeline, member)

static const struct option options[] = {
    { "etdump", 0, OPTION_TEXT, AT(etdump), "FILE", "the same as the input" },
    { "out-dir", 0, OPTION_TEXT, AT(out_dir), "DIR", "where the files go (default: beside the input)" },
    { "all-runs", 0, OPTION_FLAG, AT(all_runs), NULL, "a timeline of all runs and one of the first" },
    { "run-index", 0, OPTION_TEXT, AT(run_index), "K", "a timeline of run K only (default 0)" },
    { "json", 0, OPTION_FLAG, AT(json), NULL, "the same rows as JSON files too" },
    { "model-id", 0, OPTION_TEXT, AT(model_id), "NAME", "first column (default: the file's name)" },
    { "no-extra", 0, OPTION_CLEAR, AT(extra), NULL, "without timestamp_ms, parent_id, op_type, backend" },
    { "strict-etrecord", 0, OPTION_FLAG, AT(strict_etrecord), NULL, "fail where there is no ETRecord" },
    { "run-dir", 0, OPTION_TEXT, AT(run_dir), "DIR", "all ETDumps under DIR, and analysis_summary.json" },
    { "rules", 0, OPTION_TEXT, AT(rules), "FILE", "more rules for categories" },
    LOAD_ETRECORD(struct settings_of_timeline, load),
    LOAD_OPTIONS(struct settings_of_timeline, load),
    { 0 },
};

static const struct settings_of_timeline *settings_of(const struct job *job)
{
    return job->settings;
}

/* ---- What was written, as a table ---- */

static struct table_cell get_file(const void *context, size_t row)
{
    return cell_text(((const struct timeline_result *)context)->files[row]);
}

static struct table_cell get_events(const void *context, size_t row)
{
    (void)row;
    return cell_integer((int64_t)((const struct timeline_result *)context)->rows);
}

static struct table_cell get_inferences(const void *context, size_t row)
{
    (void)row;
    return cell_integer(((const struct timeline_result *)context)->inferences);
}

static status add_files(struct job *job, const struct timeline_result *result)
{
    static const struct field fields[] = {
        { .key = "file", .title = "File", .type = CELL_TEXT, .description = "that was written", .get = get_file },
        { .key = "events", .title = "Events", .type = CELL_INTEGER, .description = "of the dump", .get = get_events },
        { .key = "inferences",
          .title = "Inferences",
          .type = CELL_INTEGER,
          .description = "of the dump",
          .get = get_inferences },
        { 0 },
    };
    static const struct field_set set = { "file", fields };
    static const struct field_set *const sets[] = { &set, NULL };
    static const char *const keys[] = { "file", "events", "inferences", NULL };
    static const struct view view = { .name = "files", .title = "Files", .keys = keys };
    static const struct view *const views[] = { &view, NULL };
    const struct rows rows = { .entity = "file", .sets = sets, .context = result, .count = result->file_count };
    struct table *table;
    status code = view_table(&rows, views, NULL, &table);

    if (code == STATUS_OK)
        code = job_table(job, table);
    if (code == STATUS_OK)
        job_last(job)->machine = true; /* people have the lines */
    return code;
}

/* ---- One dump ---- */

static bool has_run(const struct execution *execution, uint32_t index)
{
    for (uint32_t i = 0; i < execution->runs.count; i++)
        if (execution_run_at(execution, i)->index == index)
            return true;
    return false;
}

static status write_files(struct job *job, const struct timeline_request *request, struct strings *strings,
                          struct timeline_result *result)
{
    struct execution execution;
    struct loaded loaded;
    status code = load_execution(request->dump, &request->load, strings, &execution, &loaded);

    if (code == STATUS_OK && settings_of(job)->strict_etrecord && !loaded.has_graph)
        code = status_fail_at(STATUS_INPUT, (struct place){ request->dump, 0, 0 },
                              "there is no ETRecord beside it; --etrecord names one");
    if (code == STATUS_OK && !request->all_runs && request->run_index > 0 && !has_run(&execution, request->run_index))
        code = status_fail(STATUS_USAGE, "%s: there is no run %u", request->dump, request->run_index);
    if (code == STATUS_OK)
        code = timeline_files_write(request, &execution, loaded.joined, result);
    if (code == STATUS_OK)
        job_note_losses(job, request->dump, &execution.losses, loaded.notes, loaded.note_count);
    execution_free(&execution);
    loaded_free(&loaded);
    return code;
}

static status one_dump(struct job *job, const struct timeline_request *request)
{
    struct timeline_result result = { 0 };
    struct strings *strings = strings_new();
    status code = strings ? write_files(job, request, strings, &result) : status_no_memory("reading a dump");

    for (unsigned i = 0; code == STATUS_OK && i < result.file_count; i++)
        code = job_say(job, "%s", result.files[i]);
    if (code == STATUS_OK)
        code = job_say(job, "%llu events, %u inference%s", (unsigned long long)result.rows, result.inferences,
                       result.inferences == 1 ? "" : "s");
    if (code == STATUS_OK)
        code = add_files(job, &result);
    timeline_result_free(&result);
    strings_free(strings);
    return code;
}

/* ---- A run directory ---- */

static status add_total(struct job *job, const char *run_dir, const struct analysis_total *total)
{
    struct output *output;
    status code = output_open_memory(&output);

    if (code != STATUS_OK)
        return code;
    output_format(
        output, "%s/analysis_summary.json\n%u files of %u dumps\n\nmilliseconds per inference, summed over the dumps\n",
        run_dir, total->files, total->dumps);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++) {
        if (total->milliseconds[i] > 0)
            output_format(output, "  %-14s %10.3f\n", category_title((enum category)i), total->milliseconds[i]);
    }
    return job_text(job, "total", output);
}

static status run_directory(struct job *job, struct timeline_request *request)
{
    const struct settings_of_timeline *settings = settings_of(job);
    struct analysis_total total;
    struct category_rules *rules;
    status code = category_rules_given(settings->rules, &rules);

    request->all_runs = true;
    if (code == STATUS_OK)
        code = analysis_summary_write(settings->run_dir, request, rules, &total);
    category_rules_free(rules);
    if (code == STATUS_OK)
        code = add_total(job, settings->run_dir, &total);
    if (code == STATUS_OK && total.problems)
        return status_fail(STATUS_INPUT, "%u of the dumps cannot be read; analysis_summary.json says why",
                           total.problems);
    return code;
}

/* ---- Run ---- */

static status parse_run_index(const char *given, uint32_t *index)
{
    int64_t value = 0;

    if (given && (!number_parse_integer(given, strlen(given), &value) || value < 0 || value >= UINT32_MAX))
        return status_fail(STATUS_USAGE, "--run-index wants a number from 0 up, not \"%s\"", given);
    *index = (uint32_t)value;
    return STATUS_OK;
}

static status run(struct job *job)
{
    const struct settings_of_timeline *settings = settings_of(job);
    struct timeline_request request = {
        .dump = settings->etdump    ? settings->etdump
                : job->inputs.count ? job->inputs.items[0]
                                    : NULL,
        .out_dir = settings->out_dir,
        .model_id = settings->model_id,
        .all_runs = settings->all_runs,
        .json = settings->json,
        .extra = settings->extra,
    };
    status code = parse_run_index(settings->run_index, &request.run_index);

    if (code == STATUS_OK)
        code = load_options_of(&settings->load, &request.load);
    if (code != STATUS_OK)
        return code;
    if (settings->run_dir && (request.dump || settings->out_dir))
        return status_fail(
            STATUS_USAGE,
            "--run-dir takes every ETDump under a folder and writes beside them: give no input or --out-dir");
    if (settings->run_dir)
        return run_directory(job, &request);
    if (!request.dump || job->inputs.count + (settings->etdump != NULL) != 1)
        return status_fail(STATUS_USAGE, "tacho timeline wants one ETDump, or --run-dir; see tacho timeline --help");
    return one_dump(job, &request);
}

static const struct verb_table tables[] = {
    { .name = "files", .description = "a row per file that was written", .apart = true },
    { 0 },
};

const struct verb timeline_verb = {
    .name = "timeline",
    .summary = "write the timeline CSVs of an ETDump",
    .usage = "[options] X.etdump | --run-dir DIR",
    .options = options,
    .settings_size = sizeof(struct settings_of_timeline),
    .defaults = &defaults,
    .tables = tables,
    .refuses = load_refuses_execution,
    .run = run,
};
