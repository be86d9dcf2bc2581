/* pipeline_analysis.c: what is made of the dumps and logs of a run directory, step by step. */
#include <math.h>
#include <string.h>

#include "analyze/statistics.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/number.h"
#include "executorch/load.h"
#include "executorch/pipeline.h"
#include "trace/clock.h"

enum { LARGEST_LOG = 1024 * 1024 * 1024 };

/* ---- Latency of one task ---- */

static void compute(struct pipeline_metrics *metrics, double *sorted)
{
    size_t count = metrics->inferences - metrics->warmup;

    memcpy(sorted, metrics->latency_ms + metrics->warmup, count * sizeof *sorted);
    metrics->mean_ms = statistics_mean(sorted, count);
    metrics->cv_percent = 100 * statistics_deviation(sorted, count) / metrics->mean_ms;
    statistics_sort(sorted, count);
    metrics->median_ms = statistics_median(sorted, count);
    metrics->minimum_ms = count ? sorted[0] : NAN;
    metrics->maximum_ms = count ? sorted[count - 1] : NAN;
}

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
    compute(metrics, sorted);
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
static bool read_iteration(const char *at, const char *end, double *ms)
{
    uint64_t number;

    at += strlen("Iteration ");
    if (!number_read_unsigned(&at, end, &number) || end - at < 4 || memcmp(at, " of ", 4) != 0)
        return false;
    at += 4;
    if (!number_read_unsigned(&at, end, &number) || end - at < 2 || memcmp(at, ": ", 2) != 0)
        return false;
    at += 2;
    return number_read_decimal(&at, end, ms) && end - at >= 3 && memcmp(at, " ms", 3) == 0 && *ms >= 0;
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
    for (const char *at = text.data, *end = code == STATUS_OK ? at + text.length : at; code == STATUS_OK && at < end;
         at++) {
        double ms;

        at = memmem(at, (size_t)(end - at), "Iteration ", strlen("Iteration "));
        if (!at)
            break;
        if (!read_iteration(at, end, &ms))
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
    char path[PIPELINE_PATH];
    status code = STATUS_OK;

    task->metrics = (struct pipeline_metrics){
        .median_ms = NAN, .mean_ms = NAN, .minimum_ms = NAN, .maximum_ms = NAN, .cv_percent = NAN
    };
    if (task->experiment->mode == PIPELINE_TRACE) {
        pipeline_path(task, PIPELINE_TRACE_LOG, path);
        return pipeline_file_exists(path) ? measure_kernels(pipeline, task, path) : STATUS_OK;
    }
    pipeline_path(task, PIPELINE_ETDUMP, path);
    if (pipeline_file_exists(path))
        code = measure_dump(pipeline, task, path);
    pipeline_path(task, PIPELINE_LOG, path);
    if (code == STATUS_OK && !task->metrics.inferences && pipeline_file_exists(path))
        code = measure_log(pipeline, task, path);
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

/* The order matters: documents state which files there are, so they come after those that write files. */
static const struct step {
    const char *title;
    status (*run)(struct pipeline *pipeline);
} steps[] = {
    { "measuring", measure_found },
    { "writing timelines", pipeline_write_timelines },
    { "writing robust statistics", pipeline_write_robust },
    { "writing comparisons", pipeline_write_comparisons },
    { "writing kernels", pipeline_write_kernels },
    { "comparing kernels", pipeline_write_kernel_view },
    { "writing manifest, metrics and summary", write_documents },
    { "writing the report", pipeline_write_report },
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
