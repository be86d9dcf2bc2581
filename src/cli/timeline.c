/* timeline.c: tacho timeline: the CSV files of an ETDump: a row per event and run, and totals by type. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "executorch/analysis_summary.h"

static struct given {
    const char *etdump;
    const char *out_dir;
    const char *run_dir;
    const char *run_index;
    const char *model_id;
    const char *rules;
    bool all_runs;
    bool json;
    bool extra;
    bool strict_etrecord;
} settings = { .extra = true };

static const struct old_option options[] = {
    { "etdump", 0, OLD_OPTION_TEXT, &settings.etdump, "FILE", "the same as the input" },
    { "out-dir", 0, OLD_OPTION_TEXT, &settings.out_dir, "DIR", "where the files go (default: beside the input)" },
    { "all-runs", 0, OLD_OPTION_FLAG, &settings.all_runs, NULL, "a timeline of all runs and one of the first" },
    { "run-index", 0, OLD_OPTION_TEXT, &settings.run_index, "K", "a timeline of run K only (default 0)" },
    { "json", 0, OLD_OPTION_FLAG, &settings.json, NULL, "the same rows as JSON files too" },
    { "model-id", 0, OLD_OPTION_TEXT, &settings.model_id, "NAME", "first column (default: the file's name)" },
    { "no-extra", 0, OLD_OPTION_CLEAR, &settings.extra, NULL, "without timestamp_ms, parent_id, op_type, backend" },
    { "strict-etrecord", 0, OLD_OPTION_FLAG, &settings.strict_etrecord, NULL, "fail where there is no ETRecord" },
    { "run-dir", 0, OLD_OPTION_TEXT, &settings.run_dir, "DIR", "all ETDumps under DIR, and analysis_summary.json" },
    { "rules", 0, OLD_OPTION_TEXT, &settings.rules, "FILE", "more rules for categories" },
    { 0 },
};

static bool has_run(const struct execution *execution, uint32_t index)
{
    for (uint32_t i = 0; i < execution->runs.count; i++)
        if (execution_run_at(execution, i)->index == index)
            return true;
    return false;
}

static status write_files(const struct timeline_request *request, struct loaded *loaded, struct timeline_result *result)
{
    struct strings *strings = strings_new();
    struct execution execution;
    status code;

    if (!strings)
        return status_no_memory("reading a dump");
    code = load_execution(request->dump, &request->load, strings, &execution, loaded);
    if (code == STATUS_OK && settings.strict_etrecord && !loaded->has_graph)
        code = status_fail_at(STATUS_INPUT, (struct place){ request->dump, 0, 0 },
                              "there is no ETRecord beside it; --etrecord names one");
    if (code == STATUS_OK && !request->all_runs && request->run_index > 0 && !has_run(&execution, request->run_index))
        code = status_fail(STATUS_USAGE, "%s: there is no run %u", request->dump, request->run_index);
    if (code == STATUS_OK)
        code = timeline_files_write(request, &execution, loaded_graph(loaded, &request->load), result);
    if (code == STATUS_OK)
        report_losses(request->dump, &execution.losses, loaded->notes, loaded->note_count);
    execution_free(&execution);
    loaded_free(loaded);
    strings_free(strings);
    return code;
}

static status one_dump(const struct timeline_request *request)
{
    struct loaded *loaded = memory_allocate_clear(sizeof *loaded);
    struct timeline_result *result = memory_allocate_clear(sizeof *result);
    status code = loaded && result ? write_files(request, loaded, result) : status_no_memory("reading a dump");

    for (unsigned i = 0; code == STATUS_OK && i < result->file_count; i++)
        printf("%s\n", result->files[i]);
    if (code == STATUS_OK)
        printf("%llu events, %u inference%s\n", (unsigned long long)result->rows, result->inferences,
               result->inferences == 1 ? "" : "s");
    memory_free(loaded);
    memory_free(result);
    return code;
}

static status run_directory(struct timeline_request *request)
{
    struct analysis_total total;
    struct category_rules *rules;
    status code = category_rules_given(settings.rules, &rules);

    request->all_runs = true;
    if (code == STATUS_OK)
        code = analysis_summary_write(settings.run_dir, request, rules, &total);
    category_rules_free(rules);
    if (code != STATUS_OK)
        return code;
    printf("%s/analysis_summary.json\n%u files of %u dumps\n\nmilliseconds per inference, summed over the dumps\n",
           settings.run_dir, total.files, total.dumps);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++) {
        if (total.milliseconds[i] > 0)
            printf("  %-14s %10.3f\n", category_title((enum category)i), total.milliseconds[i]);
    }
    if (total.problems)
        return status_fail(STATUS_INPUT, "%u of the dumps cannot be read; analysis_summary.json says why",
                           total.problems);
    return STATUS_OK;
}

static status parse_run_index(uint32_t *index)
{
    int64_t value = 0;

    if (settings.run_index && (!number_parse_integer(settings.run_index, strlen(settings.run_index), &value) ||
                               value < 0 || value >= UINT32_MAX))
        return status_fail(STATUS_USAGE, "--run-index wants a number from 0 up, not \"%s\"", settings.run_index);
    *index = (uint32_t)value;
    return STATUS_OK;
}

static status run(const struct old_texts *words)
{
    struct timeline_request request = {
        .dump = settings.etdump ? settings.etdump
                : words->count  ? words->items[0]
                                : NULL,
        .out_dir = settings.out_dir,
        .model_id = settings.model_id,
        .all_runs = settings.all_runs,
        .json = settings.json,
        .extra = settings.extra,
    };
    status code = parse_run_index(&request.run_index);

    if (code == STATUS_OK)
        code = load_options_given(&request.load);
    if (code != STATUS_OK)
        return code;
    if (settings.run_dir && (request.dump || settings.out_dir))
        return status_fail(
            STATUS_USAGE,
            "--run-dir takes every ETDump under a folder and writes beside them: give no input or --out-dir");
    if (settings.run_dir)
        return run_directory(&request);
    if (!request.dump || words->count + (settings.etdump != NULL) != 1)
        return status_fail(STATUS_USAGE, "tacho timeline wants one ETDump, or --run-dir; see tacho timeline --help");
    return one_dump(&request);
}

const struct old_verb timeline_verb = {
    .name = "timeline",
    .summary = "write the timeline CSVs of an ETDump",
    .usage = "[options] X.etdump | --run-dir DIR",
    .options = options,
    .more = inference_options,
    .run = run,
};
