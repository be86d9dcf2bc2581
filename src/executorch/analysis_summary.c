#include "executorch/analysis_summary.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "executorch/rundir.h"
#include "table/json.h"
#include "trace/clock.h"

struct summary {
    const struct timeline_request *request;
    const struct category_rules *rules;
    struct analysis_total *total;
    struct output *dumps; /* the list per_etdump, in memory */
    struct output *files; /* the list csv_files, in memory */
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

static void write_categories(struct output *output, const double totals[CATEGORY_COUNT], const char *indent)
{
    bool any = false;

    output_write(output, "{", 1);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++) {
        if (totals[i] <= 0)
            continue;
        output_format(output, "%s\n%s  \"%s\": ", any ? "," : "", indent, category_title((enum category)i));
        json_write_decimal(output, totals[i]);
        any = true;
    }
    if (any)
        output_format(output, "\n%s", indent);
    output_write(output, "}", 1);
}

static void begin_dump(struct summary *summary, const char *path)
{
    bool first = summary->total->dumps + summary->total->problems == 0;

    output_format(summary->dumps, "%s\n    {\n      \"etdump\": ", first ? "" : ",");
    json_write_text(summary->dumps, path);
}

static void describe_dump(struct summary *summary, const char *path, const struct execution *execution,
                          const struct timeline_result *result)
{
    double totals[CATEGORY_COUNT];

    begin_dump(summary, path);
    add_categories(execution, summary->rules, totals);
    output_format(summary->dumps, ",\n      \"categories_ms\": ");
    write_categories(summary->dumps, totals, "      ");
    output_format(summary->dumps, ",\n      \"rows\": %llu,\n      \"inferences\": %u,\n      \"csv_timeline\": ",
                  (unsigned long long)result->rows, result->inferences);
    json_write_text(summary->dumps, result->files[0]);
    output_format(summary->dumps, ",\n      \"csv_stats\": ");
    json_write_text(summary->dumps, result->files[result->file_count - (summary->request->json ? 2 : 1)]);
    output_format(summary->dumps, "\n    }");
    for (unsigned i = 0; i < result->file_count; i++) {
        output_format(summary->files, "%s\n    ", summary->total->files++ ? "," : "");
        json_write_text(summary->files, result->files[i]);
    }
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
            code = timeline_files_write(&request, &execution, loaded_graph(loaded, &request.load), &result);
        if (code == STATUS_OK)
            describe_dump(summary, path, &execution, &result);
        execution_free(&execution);
        loaded_free(loaded);
    }
    if (code == STATUS_INPUT) {
        begin_dump(summary, path);
        output_format(summary->dumps, ",\n      \"problem\": ");
        json_write_text(summary->dumps, status_message());
        output_format(summary->dumps, "\n    }");
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

static void copy_list(struct output *to, struct output *from)
{
    size_t length;
    const char *data = output_memory(from, &length);

    output_write(to, "[", 1);
    if (data && length) {
        output_write(to, data, length);
        output_write(to, "\n  ", 3);
    }
    output_write(to, "]", 1);
}

static status write_summary(struct summary *summary, const struct rundir *rundir)
{
    struct path path = { 0 };
    struct output *output;
    status code = path_set(&path, "%s/analysis_summary.json", rundir->path);

    if (code == STATUS_OK)
        code = output_open(path.text, &output);
    path_free(&path);
    if (code != STATUS_OK)
        return code;
    output_format(output, "{\n  \"run_dir\": ");
    json_write_text(output, rundir->path);
    output_format(output, ",\n  \"etrecord\": ");
    json_write_text(output, summary->request->load.etrecord ? summary->request->load.etrecord : rundir->etrecord);
    output_format(output, ",\n  \"etdump_count\": %u,\n  \"category_totals_ms\": ",
                  summary->total->dumps + summary->total->problems);
    write_categories(output, summary->total->milliseconds, "  ");
    output_format(output, ",\n  \"per_etdump\": ");
    copy_list(output, summary->dumps);
    output_format(output, ",\n  \"csv_files\": ");
    copy_list(output, summary->files);
    output_format(output, "\n}\n");
    return output_commit(output);
}

status analysis_summary_write(const char *run_dir, const struct timeline_request *request,
                              const struct category_rules *rules, struct analysis_total *total)
{
    struct summary summary = { .request = request, .rules = rules, .total = total };
    struct rundir rundir;
    status code;

    *total = (struct analysis_total){ 0 };
    code = rundir_open(&rundir, run_dir);
    if (code == STATUS_OK && rundir.etdump_count == 0)
        code = status_fail_at(STATUS_INPUT, (struct place){ run_dir, 0, 0 }, "there is no *.etdump below this folder");
    if (code == STATUS_OK)
        code = output_open_memory(&summary.dumps);
    if (code == STATUS_OK)
        code = output_open_memory(&summary.files);
    if (code == STATUS_OK)
        code = use_dumps(&summary, &rundir);
    if (code == STATUS_OK)
        code = write_summary(&summary, &rundir);
    output_abandon(summary.dumps);
    output_abandon(summary.files);
    rundir_free(&rundir);
    return code;
}
