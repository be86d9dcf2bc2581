/* analysis_summary.c: analysis_summary.json: the dumps of a run directory, one after the other, and their sums. */
#include "executorch/analysis_summary.h"

#include <assert.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "base/path.h"
#include "executorch/rundir.h"
#include "trace/clock.h"

/* Sums stand before the lists in the file, and are known after them: the lists are kept in memory. */
struct summary {
    const struct timeline_request *request; /* how files are written */
    const struct category_rules *rules;     /* NULL: only the table */
    struct analysis_total *total;           /* so far */
    struct json_out dumps;                  /* the list per_etdump */
    struct json_out files;                  /* the list csv_files */
};

/* Milliseconds per inference of each category's operators, without what lies inside them. */
static void add_categories(const struct execution *execution, const struct category_rules *rules,
                           double totals[CATEGORY_COUNT])
{
    uint32_t inferences = execution_inferences(execution);
    int64_t ticks[CATEGORY_COUNT] = { 0 };

    for (uint32_t i = 0; i < execution->operators.count; i++) {
        const struct execution_operator *op = execution_operator_at(execution, i);

        if (operator_is_work(op))
            ticks[category_of(rules, strings_get(execution->strings, op->name))] += op->self_total;
    }
    for (unsigned i = 0; i < CATEGORY_COUNT; i++)
        totals[i] = (double)clock_span_ns(&execution->clock, ticks[i]) / 1e6 / (inferences ? inferences : 1);
}

static void put_categories(struct json_out *out, const char *key, const double totals[CATEGORY_COUNT])
{
    json_out_object(out, key, JSON_LINES);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++)
        if (totals[i] > 0)
            json_out_decimal(out, category_title((enum category)i), totals[i]);
    json_out_end(out);
}

static void describe_dump(struct summary *summary, const char *path, const struct execution *execution,
                          const struct timeline_result *result)
{
    double totals[CATEGORY_COUNT];
    struct json_out *out = &summary->dumps;

    assert(result->file_count > (summary->request->json ? 1 : 0));
    add_categories(execution, summary->rules, totals);
    json_out_object(out, NULL, JSON_LINES);
    json_out_text(out, "etdump", path);
    put_categories(out, "categories_ms", totals);
    json_out_unsigned(out, "rows", result->rows);
    json_out_unsigned(out, "inferences", result->inferences);
    json_out_text(out, "csv_timeline", result->files[0]);
    json_out_text(out, "csv_stats", result->files[result->file_count - (summary->request->json ? 2 : 1)]);
    json_out_end(out);
    for (unsigned i = 0; i < result->file_count; i++, summary->total->files++)
        json_out_text(&summary->files, NULL, result->files[i]);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++)
        summary->total->milliseconds[i] += totals[i];
    summary->total->dumps++;
}

static status use_dump(struct summary *summary, const char *path)
{
    struct timeline_request request = *summary->request;
    struct timeline_result result = { 0 };
    struct loaded *loaded = memory_allocate_clear(sizeof *loaded);
    struct strings *strings = strings_new();
    struct execution execution;
    status code = STATUS_OK;

    request.dump = path;
    request.out_dir = NULL;
    if (!loaded || !strings) {
        code = status_no_memory("analysing dumps");
    } else {
        code = load_execution(path, &request.load, strings, &execution, loaded);
        if (code == STATUS_OK)
            code = timeline_files_write(&request, &execution, loaded->joined, &result);
        if (code == STATUS_OK)
            describe_dump(summary, path, &execution, &result);
        execution_free(&execution);
        loaded_free(loaded);
    }
    if (code == STATUS_INPUT) {
        json_out_object(&summary->dumps, NULL, JSON_LINES);
        json_out_text(&summary->dumps, "etdump", path);
        json_out_text(&summary->dumps, "problem", status_message());
        json_out_end(&summary->dumps);
        summary->total->problems++;
        status_clear();
        code = STATUS_OK;
    }
    timeline_result_free(&result);
    memory_free(loaded);
    strings_free(strings);
    return code;
}

static status use_dumps(struct summary *summary, const struct rundir *rundir)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < rundir->entry_count && code == STATUS_OK; i++) {
        const struct run_entry *entry = &rundir->entries[i];

        for (size_t k = 0; k < entry->file_count && code == STATUS_OK; k++) {
            if (entry->files[k].role == RUN_ETDUMP)
                code = use_dump(summary, entry->files[k].path);
        }
    }
    return code;
}

static void put_list(struct json_out *out, const char *key, struct json_out *list)
{
    struct text written = { NULL, 0 };

    written.data = output_memory(list->output, &written.length);
    json_out_array(out, key, JSON_LINES);
    if (written.data)
        json_out_elements(out, written);
    json_out_end(out);
}

static status print_summary(struct summary *summary, const struct rundir *rundir, struct output *output)
{
    const char *record = summary->request->load.etrecord ? summary->request->load.etrecord : rundir->etrecord;
    struct json_out out;

    json_out_start(&out, output);
    json_out_object(&out, NULL, JSON_LINES);
    json_out_text(&out, "run_dir", rundir->path);
    json_out_text(&out, "etrecord", record);
    json_out_unsigned(&out, "etdump_count", summary->total->dumps + summary->total->problems);
    put_categories(&out, "category_totals_ms", summary->total->milliseconds);
    put_list(&out, "per_etdump", &summary->dumps);
    put_list(&out, "csv_files", &summary->files);
    json_out_end(&out);
    json_out_finish(&out);
    return output_status(summary->dumps.output) == STATUS_OK ? output_status(summary->files.output)
                                                             : output_status(summary->dumps.output);
}

static status write_summary(struct summary *summary, const struct rundir *rundir)
{
    struct path path = { .text = NULL };
    struct output *output;
    status code = path_set(&path, "%s/analysis_summary.json", rundir->path);

    if (code == STATUS_OK)
        code = output_open(path.text, &output);
    path_free(&path);
    return code == STATUS_OK ? output_finish(output, print_summary(summary, rundir, output)) : code;
}

status analysis_summary_write(const char *run_dir, const struct timeline_request *request,
                              const struct category_rules *rules, struct analysis_total *total)
{
    struct summary summary = { .request = request, .rules = rules, .total = total };
    struct output *dumps = NULL, *files = NULL;
    struct rundir rundir;
    status code;

    assert(run_dir && request && total);
    *total = (struct analysis_total){ 0 };
    code = rundir_open(&rundir, run_dir);
    if (code == STATUS_OK && rundir.etdump_count == 0)
        code = status_fail_at(STATUS_INPUT, (struct place){ run_dir, 0, 0 }, "there is no *.etdump below this folder");
    if (code == STATUS_OK)
        code = output_open_memory(&dumps);
    if (code == STATUS_OK)
        code = output_open_memory(&files);
    if (code == STATUS_OK) {
        json_out_inside(&summary.dumps, dumps, "{[", false);
        json_out_inside(&summary.files, files, "{[", false);
        code = use_dumps(&summary, &rundir);
    }
    if (code == STATUS_OK)
        code = write_summary(&summary, &rundir);
    output_abandon(dumps);
    output_abandon(files);
    rundir_free(&rundir);
    return code;
}
