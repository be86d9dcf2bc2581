/* validate.c: tacho validate: is a run directory complete, and do its numbers agree? */
#include "executorch/validate.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "analyze/latency.h"
#include "analyze/statistics.h"
#include "base/memory.h"
#include "base/path.h"
#include "executorch/chain.h"
#include "executorch/load.h"
#include "executorch/measurement.h"
#include "executorch/sanity.h"
#include "job/job.h"

static const char *finding_sign(enum finding_result result)
{
    static const char *const signs[] = {
#define X(name, key, sign) sign,
        FINDING_MAP(X)
#undef X
    };

    return signs[result];
}

static const char *finding_key(enum finding_result result)
{
    static const char *const keys[] = {
#define X(name, key, sign) key,
        FINDING_MAP(X)
#undef X
    };

    return keys[result];
}

void validation_free(struct validation *validation)
{
    memory_free(validation->findings);
    arena_free(&validation->arena);
    *validation = (struct validation){ 0 };
}

/* What the checks share. */
struct work {
    struct validation *validation;            /* that is filled */
    const struct validation_options *options; /* what is wanted */
    struct rundir *rundir;                    /* that is checked */
    const char *experiment;                   /* that the next findings are about; NULL: the whole */
};

static status find(struct work *work, const char *check, enum finding_result result, const char *format, ...)
    PRINTF_LIKE(4, 5);

static status find(struct work *work, const char *check, enum finding_result result, const char *format, ...)
{
    struct validation *validation = work->validation;
    va_list arguments;
    struct finding *finding;
    status code =
        memory_grow(&validation->findings, &validation->capacity, validation->count + 1, sizeof *validation->findings);

    if (code != STATUS_OK)
        return code;
    finding = &validation->findings[validation->count];
    va_start(arguments, format);
    *finding = (struct finding){ .check = check,
                                 .result = result,
                                 .detail = arena_format(&validation->arena, format, arguments) };
    va_end(arguments);
    if (work->experiment)
        finding->experiment = arena_copy(&validation->arena, work->experiment, strlen(work->experiment));
    if (!finding->detail || (work->experiment && !finding->experiment))
        return status_no_memory("validating");
    validation->count++;
    validation->by_result[result]++;
    return STATUS_OK;
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

static status check_document(struct work *work, const char *check, const char *name,
                             const struct run_document *document)
{
    if (!document->found)
        return find(work, check, FINDING_FAILED, "%s is missing", name);
    if (!document->root)
        return find(work, check, FINDING_FAILED, "%s cannot be read: %s", name,
                    document->problem ? document->problem : "no JSON");
    return find(work, check, FINDING_PASSED, "%s exists", name);
}

static const struct json *results_of(const struct run_document *document)
{
    const struct json *results = json_get(document->root, "results");

    return results && results->type == JSON_ARRAY ? results : NULL;
}

static bool is_new_form(const struct rundir *rundir)
{
    return json_get(rundir->manifest.root, "schema_version") != NULL;
}

static bool is_trace_result(const struct json *result)
{
    const char *mode = json_text(json_get(result, "mode"), "timing");

    return strcmp(mode, "timing") != 0;
}

/* A manifest that only has kernel traces needs no dumps. */
static bool is_trace_only(const struct rundir *rundir)
{
    const struct json *results = results_of(&rundir->manifest);

    if (!is_new_form(rundir) || !results || !results->count)
        return false;
    for (size_t i = 0; i < results->count; i++)
        if (!is_trace_result(&results->items[i]))
            return false;
    return true;
}

static status check_dumps(struct work *work)
{
    size_t unusable = 0;

    for (size_t i = 0; i < work->rundir->entry_count; i++)
        for (size_t j = 0; j < work->rundir->entries[i].file_count; j++)
            unusable += !work->rundir->entries[i].files[j].usable;
    if (work->rundir->etdump_count == 0)
        return is_trace_only(work->rundir)
                   ? find(work, "etdumps_found", FINDING_SKIPPED, "no .etdump file is needed: all results are traces")
                   : find(work, "etdumps_found", FINDING_FAILED, "no .etdump file was found");
    if (unusable)
        return find(work, "etdumps_found", FINDING_WARNING, "found %zu .etdump file(s), of which %zu are no ETDumps",
                    work->rundir->etdump_count, unusable);
    return find(work, "etdumps_found", FINDING_PASSED, "found %zu .etdump file(s)", work->rundir->etdump_count);
}

/* ---- manifest and metrics -------------------------------------------------------------------------------------- */

static status check_text(struct work *work, const char *check, const char *key)
{
    const char *text = json_text(json_get(work->rundir->manifest.root, key), NULL);

    return text && *text ? find(work, check, FINDING_PASSED, "manifest contains %s", key)
                         : find(work, check, FINDING_FAILED, "manifest does not contain %s", key);
}

static status check_results(struct work *work)
{
    const struct json *results = results_of(&work->rundir->manifest);

    if (!results)
        return find(work, "manifest_results", FINDING_FAILED, "manifest does not contain results[]");
    if (!results->count && is_new_form(work->rundir))
        return find(work, "manifest_results", FINDING_FAILED, "manifest contains results[], but it is empty");
    return find(work, "manifest_results", FINDING_PASSED, "manifest contains results[]");
}

static status check_executorch(struct work *work)
{
    const struct json *executorch = json_get(work->rundir->manifest.root, "executorch");
    const struct json *compatible = json_get(executorch, "compatible");
    const struct json *patches = json_get(executorch, "patches_required");
    bool mismatch = compatible && !json_truth(compatible, true);
    status code;

    if (!executorch || executorch->type != JSON_OBJECT)
        return find(work, "manifest_executorch", FINDING_FAILED, "manifest does not contain executorch");
    code = find(work, "manifest_executorch", FINDING_PASSED, "manifest contains executorch");
    if (code == STATUS_OK && mismatch)
        code = find(
            work, "executorch_compatible", work->options->allow_executorch_mismatch ? FINDING_WARNING : FINDING_FAILED,
            "ExecuTorch is %s, not the expected %s", json_text(json_get(executorch, "actual_sha"), "another version"),
            json_text(json_get(executorch, "expected_sha"), "one"));
    else if (code == STATUS_OK)
        code = find(work, "executorch_compatible", FINDING_PASSED, "ExecuTorch is the expected version");
    if (code != STATUS_OK)
        return code;
    if (patches && patches->type == JSON_FALSE)
        return find(work, "executorch_patches", FINDING_PASSED, "ExecuTorch needs no patches");
    return find(work, "executorch_patches", FINDING_FAILED,
                patches ? "ExecuTorch needs patches" : "manifest does not say whether ExecuTorch needs patches");
}

/* An artifact is a text, or an object with a path and one relative to the run directory. */
static status find_artifact(const struct rundir *rundir, const struct json *artifact, bool *there)
{
    const char *named[] = { json_text(artifact, NULL), json_text(json_get(artifact, "relative_path"), NULL),
                            json_text(json_get(artifact, "path"), NULL) };
    struct path joined = { .text = NULL };
    status code = STATUS_OK;

    *there = false;
    for (size_t i = 0; i < sizeof named / sizeof *named && code == STATUS_OK && !*there; i++) {
        if (!named[i] || !*named[i])
            continue;
        code = path_set(&joined, "%s/%s", rundir->path, named[i]);
        *there = code == STATUS_OK && (path_exists(joined.text) || path_exists(named[i]));
    }
    path_free(&joined);
    return code;
}

static status check_artifacts(struct work *work, const struct json *result)
{
    static const char *const timing[] = { "etdump", "timeline_all", "robust_stats", NULL };
    static const char *const tracing[] = { "xnntrace_log", "kernel_csv", NULL };
    const struct json *artifacts = json_get(result, "artifacts");
    const char *const *wanted = is_trace_result(result) ? tracing : timing;
    const char *missing = "";
    status code = STATUS_OK;

    if (!artifacts || artifacts->type != JSON_OBJECT)
        return find(work, "artifacts", FINDING_FAILED, "%s: the manifest lists no artifacts", work->experiment);
    for (; *wanted && code == STATUS_OK; wanted++) {
        bool there;

        code = find_artifact(work->rundir, json_get(artifacts, *wanted), &there);
        if (code == STATUS_OK && !there)
            code = rundir_make_text(work->rundir, &missing, "%s%s%s", missing, *missing ? ", " : "", *wanted);
    }
    if (code != STATUS_OK)
        return code;
    if (*missing)
        return find(work, "artifacts", FINDING_FAILED, "%s: artifacts are missing: %s", work->experiment, missing);
    return find(work, "artifacts", FINDING_PASSED, "%s: all artifacts are there", work->experiment);
}

static status check_metrics_result(struct work *work, const struct json *result)
{
    const struct json *metrics = json_get(result, "metrics");
    const struct json *latencies = json_get(metrics, "latency_ms");
    int64_t rows;
    double median;
    bool complete = is_trace_result(result) ? json_integer(json_get(metrics, "kernel_rows"), &rows)
                                            : latencies && latencies->type == JSON_ARRAY &&
                                                  json_decimal(json_get(metrics, "median_ms"), &median);
    const char *wanted = is_trace_result(result) ? "kernel_rows" : "latency_ms[] and median_ms";

    return complete ? find(work, "metrics", FINDING_PASSED, "%s: metrics have %s", work->experiment, wanted)
                    : find(work, "metrics", FINDING_FAILED, "%s: metrics do not have %s", work->experiment, wanted);
}

/* Calls `check` for each result of a document, under the experiment's name. */
static status each_result(struct work *work, const struct run_document *document,
                          status (*check)(struct work *work, const struct json *result))
{
    const struct json *results = results_of(document);
    status code = STATUS_OK;

    for (size_t i = 0; results && i < results->count && code == STATUS_OK; i++) {
        const char *name = json_text(json_get(&results->items[i], "experiment"), "a result without a name");
        int64_t threads;

        work->experiment = name;
        if (json_integer(json_get(&results->items[i], "threads"), &threads))
            code = rundir_make_text(work->rundir, &work->experiment, "%s_t%lld", name, (long long)threads);
        if (code == STATUS_OK)
            code = check(work, &results->items[i]);
    }
    work->experiment = NULL;
    return code;
}

static status check_new_form(struct work *work)
{
    status code = check_text(work, "manifest_output_root", "output_root");

    if (code == STATUS_OK)
        code = check_executorch(work);
    if (code == STATUS_OK)
        code = each_result(work, &work->rundir->manifest, check_artifacts);
    if (code == STATUS_OK && work->rundir->metrics.root && !results_of(&work->rundir->metrics))
        code = find(work, "metrics", FINDING_FAILED, "metrics.json does not contain results[]");
    return code == STATUS_OK ? each_result(work, &work->rundir->metrics, check_metrics_result) : code;
}

/* ---- launches -------------------------------------------------------------------------------------------------- */

static status check_launches(struct work *work)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < work->rundir->entry_count && code == STATUS_OK; i++) {
        const struct run_entry *entry = &work->rundir->entries[i];
        const struct run_launch *failure = run_entry_failure(entry);

        work->experiment = entry->label;
        if (failure)
            code = find(work, "launches", FINDING_FAILED, "%s: %zu of %zu launches failed, the first because: %s",
                        entry->label, entry->failed, entry->launch_count,
                        failure->reason ? failure->reason : "the manifest does not say why");
        else if (entry->launch_count)
            code = find(work, "launches", FINDING_PASSED, "%s: no launch failed", entry->label);
    }
    work->experiment = NULL;
    return code;
}

/* ---- latencies ------------------------------------------------------------------------------------------------- */

static status check_stated(struct work *work, const char *check, const char *where, const struct json *result,
                           double median)
{
    double stated;

    if (!run_stated(result, "median_ms", &stated))
        return STATUS_OK;
    return find(work, check, sanity_agrees(median, stated) ? FINDING_PASSED : FINDING_FAILED,
                sanity_agrees(median, stated)
                    ? "%s: median latency %.3f ms agrees with %s (%.3f ms)"
                    : "%s: median latency %.3f ms differs from %s (%.3f ms) by more than 5 %%",
                work->experiment, median, where, stated);
}

static enum finding_result result_of(enum sanity_answer answer)
{
    switch (answer) {
    case SANITY_HOLDS:
        return FINDING_PASSED;
    case SANITY_FAILS:
        return FINDING_FAILED;
    case SANITY_DOUBTFUL:
        return FINDING_WARNING;
    default:
        return FINDING_SKIPPED;
    }
}

static status check_sanity(struct work *work, const struct measurement *measurement)
{
    struct sanity checks[SANITY_COUNT];
    status code = sanity_check(measurement, checks);

    for (unsigned i = 0; i < SANITY_COUNT && code == STATUS_OK; i++)
        code = find(work, sanity_key((enum sanity_kind)i), result_of(checks[i].answer), "%s: %s", work->experiment,
                    checks[i].text);
    return code;
}

static status check_measurement(struct work *work, const struct run_entry *entry, const struct measurement *measurement)
{
    double *ms;
    size_t count;
    double median;
    status code = measurement_latencies(measurement, &ms, &count);

    if (code != STATUS_OK)
        return code;
    if (!count || measurement->latency_source == RUN_SOURCE_METRICS) {
        memory_free(ms);
        return find(work, "latency", FINDING_SKIPPED, "%s: no file has its latencies; they cannot be checked",
                    work->experiment);
    }
    statistics_sort(ms, count);
    median = statistics_median(ms, count);
    memory_free(ms);
    code = check_stated(work, "latency_summary", "the pipeline summary", entry->summary, median);
    if (code == STATUS_OK)
        code = check_stated(work, "latency_metrics", "metrics.json", entry->metrics, median);
    if (code == STATUS_OK && !entry->metrics)
        code = check_stated(work, "latency_manifest", "the manifest", entry->manifest, median);
    return code == STATUS_OK ? check_sanity(work, measurement) : code;
}

static status check_latencies(struct work *work, struct strings *strings)
{
    static const struct measure_options options = { .graph = NULL };
    status code = STATUS_OK;

    for (size_t i = 0; i < work->rundir->entry_count && code == STATUS_OK; i++) {
        struct run_entry *entry = &work->rundir->entries[i];
        struct measurement measurement;
        size_t notes = work->rundir->note_count;

        if (entry->trace)
            continue;
        work->experiment = entry->label;
        code = measure_entry(work->rundir, entry, &options, strings, &measurement);
        /* A file that had to be rejected on the way is worth more than a note here. */
        for (; notes < work->rundir->note_count && code == STATUS_OK; notes++)
            code = find(work, "files_readable", FINDING_FAILED, "%s: %s", entry->label, work->rundir->notes[notes]);
        if (code == STATUS_OK)
            code = check_measurement(work, entry, &measurement);
        measurement_free(&measurement);
    }
    work->experiment = NULL;
    return code;
}

/* ---- kernels --------------------------------------------------------------------------------------------------- */

static status count_sme2(const char *path, struct strings *strings, size_t *kernels, size_t *sme2)
{
    struct kernel_log log;
    status code = load_kernels(path, strings, &log);

    *kernels = log.kernels.count;
    *sme2 = 0;
    for (uint32_t i = 0; i < log.kernels.count; i++)
        *sme2 += architecture_is_sme2(strings_get(strings, kernel_at(&log, i)->architecture));
    kernel_log_free(&log);
    return code;
}

static status check_kernel_file(struct work *work, const struct run_file *file, int side, struct strings *strings)
{
    size_t kernels, sme2;
    status code = count_sme2(file->path, strings, &kernels, &sme2);
    bool right = side > 0 ? sme2 > 0 : sme2 == 0;

    if (code == STATUS_INPUT) {
        code = find(work, "sme2_kernels", FINDING_FAILED, "%s: %s", work->experiment, status_message());
        status_clear();
        return code;
    }
    if (code != STATUS_OK)
        return code;
    return find(work, "sme2_kernels", right ? FINDING_PASSED : FINDING_FAILED,
                "%s: %zu of %zu kernels in %s are SME2%s", work->experiment, sme2, kernels, file->shown,
                right      ? ""
                : side > 0 ? ", at least one is wanted"
                           : ", none is wanted where it is off");
}

static status check_kernels(struct work *work, struct strings *strings)
{
    size_t with = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < work->rundir->entry_count && code == STATUS_OK; i++) {
        const struct run_entry *entry = &work->rundir->entries[i];
        enum run_role role = run_entry_file(entry, RUN_KERNELS) ? RUN_KERNELS : RUN_XNNTRACE;
        int side = run_switch(entry->name);

        work->experiment = entry->label;
        for (size_t j = 0; j < entry->file_count && code == STATUS_OK && side; j++) {
            if (entry->files[j].role != role)
                continue;
            with += side > 0;
            code = check_kernel_file(work, &entry->files[j], side, strings);
        }
    }
    work->experiment = NULL;
    if (code == STATUS_OK && !with)
        code = find(work, "sme2_kernels", FINDING_FAILED,
                    "no kernel table or kernel log of an experiment with SME2 on was found");
    return code;
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static status check_all(struct work *work, struct strings *strings)
{
    status code = check_document(work, "manifest_exists", "manifest.json", &work->rundir->manifest);

    if (code == STATUS_OK)
        code = check_document(work, "metrics_exists", "metrics.json", &work->rundir->metrics);
    if (code == STATUS_OK)
        code = check_dumps(work);
    if (code == STATUS_OK && work->rundir->manifest.root)
        code = check_text(work, "manifest_model", "model");
    if (code == STATUS_OK && work->rundir->manifest.root)
        code = check_results(work);
    if (code == STATUS_OK && is_new_form(work->rundir))
        code = check_new_form(work);
    if (code == STATUS_OK)
        code = check_launches(work);
    if (code == STATUS_OK)
        code = check_latencies(work, strings);
    if (code == STATUS_OK && work->options->require_sme2_kernels)
        code = check_kernels(work, strings);
    return code;
}

status validate_results(const char *path, const struct validation_options *options, struct validation *validation)
{
    struct strings *strings = strings_new();
    struct rundir rundir;
    struct work work = { validation, options, &rundir, NULL };
    status code;

    *validation = (struct validation){ 0 };
    if (!strings)
        return status_no_memory("validating");
    code = rundir_open(&rundir, path);
    if (code == STATUS_INPUT) {
        code = find(&work, "run_dir_exists", FINDING_FAILED, "run dir cannot be read: %s", status_message());
        status_clear();
    } else if (code == STATUS_OK) {
        code = find(&work, "run_dir_exists", FINDING_PASSED, "run dir exists: %s", path);
        if (code == STATUS_OK)
            code = check_all(&work, strings);
    }
    rundir_free(&rundir);
    strings_free(strings);
    return code;
}

/* ---- as a table ------------------------------------------------------------------------------------------------ */

static const struct finding *finding_at(const void *context, size_t row)
{
    const struct validation *validation = context;

    assert(row < validation->count);
    return &validation->findings[row];
}

static struct table_cell get_check(const void *context, size_t row)
{
    return cell_text(finding_at(context, row)->check);
}

static struct table_cell get_experiment(const void *context, size_t row)
{
    return cell_text(finding_at(context, row)->experiment);
}

static struct table_cell get_passed(const void *context, size_t row)
{
    enum finding_result result = finding_at(context, row)->result;

    return result == FINDING_SKIPPED ? cell_null() : cell_boolean(result != FINDING_FAILED);
}

static struct table_cell get_result(const void *context, size_t row)
{
    return cell_text(finding_key(finding_at(context, row)->result));
}

static struct table_cell get_detail(const void *context, size_t row)
{
    return cell_text(finding_at(context, row)->detail);
}

static const struct field fields[] = {
    { .key = "check", .title = "Check", .type = CELL_TEXT, .description = "what was checked", .get = get_check },
    { .key = "experiment",
      .title = "Experiment",
      .type = CELL_TEXT,
      .description = "that it is about; empty: the whole",
      .get = get_experiment },
    { .key = "passed",
      .title = "Passed",
      .type = CELL_BOOLEAN,
      .description = "empty where it could not be checked",
      .get = get_passed },
    { .key = "result",
      .title = "Result",
      .type = CELL_TEXT,
      .description = "passed, failed, warning or skipped",
      .get = get_result },
    { .key = "detail",
      .title = "Detail",
      .type = CELL_TEXT,
      .description = "the finding as a sentence",
      .get = get_detail },
    { 0 },
};
static const struct field_set finding_fields = { "finding", fields };
static const struct field_set *const sets[] = { &finding_fields, NULL };

static const char *const keys[] = { "check", "experiment", "passed", "result", "detail", NULL };
static const struct view view = { .name = "validation", .title = "Validation", .keys = keys };
static const struct view *const views[] = { &view, NULL };

status validation_table(const struct validation *validation, const char *path, const struct view_request *request,
                        struct table **table)
{
    struct rows rows = { .entity = "finding", .sets = sets, .context = validation, .count = validation->count };
    status code = view_table(&rows, views, request, table);

    if (code == STATUS_OK && !view_asks_help(request))
        table_note(*table, "%s: %zu check(s) passed, %zu failed, %zu warning(s)", path,
                   validation->by_result[FINDING_PASSED], validation->by_result[FINDING_FAILED],
                   validation->by_result[FINDING_WARNING]);
    return code;
}

/* ---- the verb -------------------------------------------------------------------------------------------------- */

struct settings_of_validate {
    const char *results;               /* the run directory, where it is no word */
    struct validation_options options; /* what is wanted */
};

static const struct option options[] = {
    { "results", 0, OPTION_TEXT, offsetof(struct settings_of_validate, results), "DIR", "the run directory" },
    { "require-sme2-kernels", 0, OPTION_FLAG, offsetof(struct settings_of_validate, options.require_sme2_kernels), NULL,
      "kernels: SME2 where on, none where off" },
    { "allow-executorch-mismatch", 0, OPTION_FLAG,
      offsetof(struct settings_of_validate, options.allow_executorch_mismatch), NULL,
      "another version of ExecuTorch will do" },
    { 0 },
};

static void write_findings(struct output *output, const void *data, const struct printer_style *style)
{
    const struct validation *validation = data;

    (void)style;
    for (size_t i = 0; i < validation->count; i++) {
        output_format(output, "%s ", finding_sign(validation->findings[i].result));
        text_write_clean(output, text_of(validation->findings[i].detail));
        output_write(output, "\n", 1);
    }
}

static void free_findings(void *data)
{
    validation_free(data);
    memory_free(data);
}

/* A line for each finding, which are a table for machines, and for people who ask for columns or rows. Takes the validation over. */
static status show(struct job *job, const char *path, struct validation *validation)
{
    struct table *table = NULL;
    status code = validation_table(validation, path, &job->view, &table);
    bool as_table = view_is_asked(&job->view);

    if (code == STATUS_OK)
        code = job_table(job, table);
    if (code == STATUS_OK)
        job_last(job)->machine = !as_table;
    if (code == STATUS_OK && !as_table)
        return job_block(job, "findings", write_findings, validation, free_findings);
    free_findings(validation);
    return code;
}

static status run(struct job *job)
{
    const struct settings_of_validate *settings = job->settings;
    const char *path = settings->results ? settings->results : job->inputs.count ? job->inputs.items[0] : NULL;
    struct validation *validation;
    size_t failed, count;
    status code;

    if (!path || job->inputs.count != (settings->results ? 0 : 1))
        return status_fail(STATUS_USAGE, "tacho validate wants one run directory: --results DIR");
    validation = memory_allocate_clear(sizeof *validation);
    if (!validation)
        return status_no_memory("validating");
    code = validate_results(path, &settings->options, validation);
    failed = validation->by_result[FINDING_FAILED];
    count = validation->count;
    if (code != STATUS_OK) {
        free_findings(validation);
        return code;
    }
    code = show(job, path, validation);
    return code == STATUS_OK && failed ? status_fail(STATUS_NO, "%zu of %zu checks failed", failed, count) : code;
}

static const struct verb_table tables[] = {
    { .name = "validation", .description = "a row per check of a run directory: what came out, and why" },
    { 0 },
};

const struct verb validate_verb = {
    .name = "validate",
    .summary = "check that a run directory is complete and its numbers agree",
    .usage = "--results DIR [options]",
    .takes = VERB_VIEWS | VERB_OUTPUTS | VERB_JSON,
    .output_help = "write a table: .csv .json .md .html .xlsx",
    .options = options,
    .settings_size = sizeof(struct settings_of_validate),
    .tables = tables,
    .run = run,
};
