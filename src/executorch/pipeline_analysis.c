/* pipeline_analysis.c: what is made of the dumps and logs of a run directory, step by step. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "analyze/statistics.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "executorch/load.h"
#include "executorch/pipeline.h"
#include "executorch/report.h"
#include "page/formats.h"
#include "trace/clock.h"

enum { LARGEST_LOG = 1024 * 1024 * 1024 };

static const struct pipeline_statistics no_statistics = { NAN, NAN, NAN, NAN, NAN };

/* Sorts the values. */
static struct pipeline_statistics compute(double *values, size_t count)
{
    struct pipeline_statistics made = no_statistics;

    if (!count)
        return made;
    made.mean_ms = statistics_mean(values, count);
    made.cv_percent = 100 * statistics_deviation(values, count) / made.mean_ms;
    statistics_sort(values, count);
    made.median_ms = statistics_median(values, count);
    made.minimum_ms = values[0];
    made.maximum_ms = values[count - 1];
    return made;
}

/* ---- Groups ---- */

static const char *group_status(const struct pipeline_group *group)
{
    size_t pending = 0, found = 0;

    for (size_t i = 0; i < group->count; i++) {
        pending += group->tasks[i].state == RUN_STATE_PENDING;
        found += group->tasks[i].state == RUN_STATE_FOUND;
    }
    if (group->failed)
        return group->failed == group->count ? run_state_key(RUN_STATE_FAILED) : "partial";
    return run_state_key(pending ? RUN_STATE_PENDING : found ? RUN_STATE_FOUND : RUN_STATE_OK);
}

/* `values` has room for all inferences, behind them for all launch medians. */
static void compute_group(struct pipeline_group *group, double *values)
{
    double *medians = values + group->inferences;
    size_t used = 0, launches = 0;

    for (size_t i = 0; i < group->count; i++) {
        const struct pipeline_metrics *metrics = &group->tasks[i].metrics;
        size_t count = metrics->inferences - metrics->warmup;

        if (!count)
            continue;
        memcpy(values + used, metrics->latency_ms + metrics->warmup, count * sizeof *values);
        used += count;
        medians[launches++] = metrics->statistics.median_ms;
    }
    assert(used == group->inferences && launches == group->measured);
    group->statistics = compute(values, used);
    statistics_sort(medians, launches);
    group->statistics.median_ms = statistics_median(medians, launches);
}

status pipeline_group(const struct pipeline *pipeline, size_t first, struct pipeline_group *group)
{
    const struct pipeline_task *tasks = &pipeline->tasks[first];
    double *values;

    assert(first < pipeline->task_count && tasks->launch == 1);
    *group = (struct pipeline_group){ .tasks = tasks, .first = tasks, .statistics = no_statistics };
    while (first + group->count < pipeline->task_count && tasks[group->count].experiment == tasks->experiment &&
           tasks[group->count].threads == tasks->threads) {
        const struct pipeline_task *task = &tasks[group->count++];

        group->failed += task->state == RUN_STATE_FAILED;
        if (task->metrics.inferences > task->metrics.warmup) {
            if (!group->measured++)
                group->first = task;
            group->inferences += task->metrics.inferences - task->metrics.warmup;
        }
    }
    group->status = group_status(group);
    if (!group->inferences)
        return STATUS_OK;
    values = memory_allocate((group->inferences + group->measured) * sizeof *values);
    if (!values)
        return status_no_memory("summing up launches");
    compute_group(group, values);
    memory_free(values);
    return STATUS_OK;
}

/* ---- Latency of one task ---- */

static status keep_latencies(struct pipeline *pipeline, struct pipeline_task *task, const double *values, size_t count,
                             const char *source)
{
    struct pipeline_metrics *metrics = &task->metrics;
    double *kept, *sorted;

    if (!count)
        return STATUS_OK;
    kept = arena_allocate(&pipeline->arena, count * sizeof *kept, _Alignof(double));
    sorted = memory_allocate(count * sizeof *sorted);
    if (!kept || !sorted) {
        memory_free(sorted);
        return status_no_memory("measuring a run");
    }
    memcpy(kept, values, count * sizeof *kept);
    metrics->latency_ms = kept;
    metrics->inferences = count;
    metrics->warmup = task->warmup_in_process < count ? task->warmup_in_process : count;
    metrics->source = source;
    memcpy(sorted, values, count * sizeof *sorted);
    metrics->statistics = compute(sorted + metrics->warmup, count - metrics->warmup);
    memory_free(sorted);
    return STATUS_OK;
}

static status latencies_of(const struct execution *execution, double **values, size_t *count)
{
    *count = 0;
    *values = memory_allocate((execution->runs.count + 1) * sizeof **values);
    if (!*values)
        return status_no_memory("measuring a run");
    for (uint32_t i = 0; i < execution->runs.count; i++) {
        const struct execution_run *run = execution_run_at(execution, i);

        if (run->execute >= 0)
            (*values)[(*count)++] = (double)clock_span_ns(&execution->clock, run->execute) / 1e6;
    }
    return STATUS_OK;
}

static status measure_dump(struct pipeline *pipeline, struct pipeline_task *task, const char *path)
{
    struct load_options options = { .format = "etdump", .no_etrecord = true };
    struct strings *strings = strings_new();
    struct execution execution;
    struct loaded loaded;
    double *values = NULL;
    size_t count = 0;
    status code;

    if (!strings)
        return status_no_memory("measuring a run");
    code = load_execution(path, &options, strings, &execution, &loaded);
    if (code == STATUS_INPUT) {
        pipeline_warn(pipeline, "not used: %s", status_message());
        code = STATUS_OK;
    } else if (code == STATUS_OK && !execution.no_clock) {
        code = latencies_of(&execution, &values, &count);
    }
    if (code == STATUS_OK)
        code = keep_latencies(pipeline, task, values, count, "etdump");
    memory_free(values);
    execution_free(&execution);
    loaded_free(&loaded);
    strings_free(strings);
    return code;
}

/* "Iteration 3 of 30: 6.688265 ms" */
static bool read_iteration(struct text rest, double *ms)
{
    const char *end = rest.data + rest.length;
    uint64_t number;

    if (!number_read_unsigned(&rest.data, end, &number))
        return false;
    rest = text_between(rest.data, end);
    if (!text_cut_start(&rest, " of ") || !number_read_unsigned(&rest.data, end, &number))
        return false;
    rest = text_between(rest.data, end);
    if (!text_cut_start(&rest, ": ") || !number_read_decimal(&rest.data, end, ms))
        return false;
    return text_begins(text_between(rest.data, end), " ms") && *ms >= 0;
}

/* Times that the runner printed, for one that wrote no dump. */
static status measure_log(struct pipeline *pipeline, struct pipeline_task *task, const char *path)
{
    struct input *input;
    struct text text;
    double *values = NULL;
    size_t count = 0, capacity = 0;
    status code = input_open(path, &input);

    if (code != STATUS_OK)
        return code;
    code = input_whole(input, LARGEST_LOG, &text);
    while (code == STATUS_OK && (text = text_after(text, "Iteration ")).data) {
        double ms;

        if (!read_iteration(text, &ms))
            continue;
        code = memory_grow(&values, &capacity, count + 1, sizeof *values);
        if (code == STATUS_OK)
            values[count++] = ms;
    }
    if (code == STATUS_OK)
        code = keep_latencies(pipeline, task, values, count, "log");
    memory_free(values);
    input_close(input);
    return code;
}

/* ---- Kernels of one task ---- */

static status measure_kernels(struct pipeline *pipeline, struct pipeline_task *task, const char *path)
{
    struct pipeline_metrics *metrics = &task->metrics;
    struct strings *strings = strings_new();
    struct kernel_log log;
    status code;

    if (!strings)
        return status_no_memory("reading a kernel log");
    code = load_kernels(path, strings, &log);
    for (uint32_t i = 0; code == STATUS_OK && i < log.kernels.count; i++) {
        const struct kernel *kernel = kernel_at(&log, i);
        struct text architecture = strings_get(strings, kernel->architecture);

        metrics->kernel_rows++;
        metrics->sme_rows += architecture_is_sme(architecture);
        metrics->sme2_rows += architecture_is_sme2(architecture);
        metrics->sme2_calls += architecture_is_sme2(architecture) ? kernel->count : 0;
    }
    metrics->has_kernels = code == STATUS_OK;
    if (code == STATUS_INPUT) {
        pipeline_warn(pipeline, "not used: %s", status_message());
        code = STATUS_OK;
    }
    kernel_log_free(&log);
    strings_free(strings);
    return code;
}

status pipeline_measure(struct pipeline *pipeline, struct pipeline_task *task)
{
    status code = STATUS_OK;

    assert(task >= pipeline->tasks && task < pipeline->tasks + pipeline->task_count);
    task->metrics = (struct pipeline_metrics){ .statistics = no_statistics };
    if (pipeline_file_exists(task->files[RUN_XNNTRACE]))
        return measure_kernels(pipeline, task, task->files[RUN_XNNTRACE]);
    if (task->state == RUN_STATE_FAILED)
        return STATUS_OK;
    if (pipeline_file_exists(task->files[RUN_ETDUMP]))
        code = measure_dump(pipeline, task, task->files[RUN_ETDUMP]);
    if (code == STATUS_OK && !task->metrics.inferences && pipeline_file_exists(task->files[RUN_LOG]))
        code = measure_log(pipeline, task, task->files[RUN_LOG]);
    return code;
}

/* ---- Steps ---- */

static status measure_found(struct pipeline *pipeline)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < pipeline->task_count && code == STATUS_OK; i++)
        if (!pipeline->tasks[i].ran_now)
            code = pipeline_measure(pipeline, &pipeline->tasks[i]);
    return code;
}

static status write_documents(struct pipeline *pipeline)
{
    status code = pipeline_write_metrics(pipeline);

    if (code == STATUS_OK)
        code = pipeline_write_summary(pipeline);
    return code == STATUS_OK ? pipeline_write_manifest(pipeline) : code;
}

static status write_document(const struct pipeline *pipeline, const struct inspection *inspection)
{
    struct report_options options = { .time = time(NULL) };
    char sentence[REPORT_SENTENCE];
    struct path path = { .text = NULL };
    struct document *document;
    status code = report_make(inspection, &options, &document, sentence);

    if (code != STATUS_OK)
        return code;
    code = path_set(&path, "%s/report.md", pipeline->output_root);
    if (code == STATUS_OK)
        code = document_write(document, path.text);
    path_free(&path);
    document_free(document);
    return code;
}

static status write_report(struct pipeline *pipeline)
{
    /* What was measured is reported: the configuration says which models these are. */
    struct inspection_options options = { .different_models = true };
    struct inspection inspection;
    status code = inspection_open(&inspection, pipeline->output_root, &options);

    if (code == STATUS_OK)
        code = write_document(pipeline, &inspection);
    inspection_free(&inspection);
    if (code == STATUS_INPUT) {
        pipeline_warn(pipeline, "no report: %s", status_message());
        return STATUS_OK;
    }
    return code;
}

/* The order matters: documents state which files there are, so they come after those that write files. */
static const struct pipeline_step {
    const char *title;                        /* for --verbose */
    status (*run)(struct pipeline *pipeline); /* does it */
} steps[] = {
    { "measuring", measure_found },
    { "writing timelines", pipeline_write_timelines },
    { "writing robust statistics", pipeline_write_robust },
    { "writing comparisons", pipeline_write_comparisons },
    { "writing kernels", pipeline_write_kernels },
    { "comparing kernels", pipeline_write_kernel_view },
    { "writing manifest, metrics and summary", write_documents },
    { "writing the report", write_report },
};

status pipeline_analyse(struct pipeline *pipeline)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == STATUS_OK; i++) {
        pipeline_tell(pipeline, "%s", steps[i].title);
        code = steps[i].run(pipeline);
    }
    return code;
}
