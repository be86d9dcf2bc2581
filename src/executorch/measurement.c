/* measurement.c: the times of one experiment of a run directory. */
#include "executorch/measurement.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "trace/clock.h"

void measurement_free(struct measurement *measurement)
{
    launches_free(&measurement->launches);
    operators_free(&measurement->operators);
}

/* Begins anew, because a file turned out to be of no use. */
static void restart(struct measurement *measurement, struct run_entry *entry, struct strings *strings)
{
    *measurement = (struct measurement){
        .entry = entry,
        .latency_source = RUN_SOURCE_NONE,
        .operator_source = RUN_SOURCE_NONE,
    };
    launches_start(&measurement->launches);
    operators_start(&measurement->operators, strings);
}

static status keep_latencies(struct measurement *measurement, const struct run_file *file,
                             const struct execution *execution)
{
    size_t count = 0;
    uint32_t *runs;
    double *ms;
    status code = launch_times_new(&measurement->launches.times, file->shown, execution->runs.count, &ms, &runs);

    if (code != STATUS_OK)
        return code;
    for (uint32_t i = 0; i < execution->runs.count; i++) {
        const struct execution_run *run = execution_run_at(execution, i);

        if (run->execute <= 0)
            continue;
        ms[count] = clock_span_ms(&execution->clock, run->execute);
        runs[count++] = run->index;
    }
    measurement->launches.times.items[measurement->launches.times.count - 1].count = count;
    if (!count)
        return status_fail_at(STATUS_INPUT, (struct place){ file->shown, 0, 0 }, "no inference in it has a duration");
    return STATUS_OK;
}

static bool has_work(const struct execution *execution)
{
    for (uint32_t i = 0; i < execution->operators.count; i++)
        if (operator_is_work(execution_operator_at(execution, i)))
            return true;
    return false;
}

static int64_t stated_warmup(const struct measurement *measurement, size_t fewest_runs)
{
    int64_t stated;

    if (measurement->warmup)
        return *measurement->warmup;
    return json_integer(json_get(measurement->entry->manifest, "warmup_in_process"), &stated) && stated > 0 &&
                   (uint64_t)stated < fewest_runs
               ? stated
               : WARMUP_AUTO;
}

int64_t measurement_warmup(const struct measurement *measurement)
{
    size_t fewest = SIZE_MAX;

    if (measurement->latency_source == RUN_SOURCE_METRICS)
        return WARMUP_AUTO; /* what the metrics list is without it */
    for (size_t i = 0; i < measurement->launches.times.count; i++)
        fewest =
            measurement->launches.times.items[i].count < fewest ? measurement->launches.times.items[i].count : fewest;
    return stated_warmup(measurement, fewest == SIZE_MAX ? 0 : fewest);
}

static status read_file(struct measurement *measurement, const struct run_file *file,
                        const struct measure_options *options, struct strings *strings, bool latency, bool operators)
{
    struct load_options load = {
        .ticks = options->ticks,
        .strict = options->strict,
        .graph = options->graph,
        .force_companion = options->force_companion,
        .model = options->model,
        .no_etrecord = true,
    };
    struct execution execution;
    struct loaded loaded;
    status code = load_execution(file->path, &load, strings, &execution, &loaded);

    if (code == STATUS_OK) {
        measurement->rows += execution.losses.rows;
        measurement->lost += execution.losses.lost;
        measurement->synthetic |= execution.synthetic;
        measurement->no_clock |= execution.no_clock;
        if (options->graph && !loaded.joined)
            measurement->left_out = loaded.notes[loaded.note_count - 1];
    }
    if (code == STATUS_OK && latency && execution.no_clock)
        code = status_fail_at(STATUS_INPUT, (struct place){ file->shown, 0, 0 },
                              "all stamps are equal: the program had no clock");
    if (code == STATUS_OK && latency)
        code = keep_latencies(measurement, file, &execution);
    measurement->operators.warmup = stated_warmup(measurement, execution_inferences(&execution));
    if (code == STATUS_OK && operators && has_work(&execution))
        code = operators_add(&measurement->operators, file->shown, &execution, loaded.joined, options->rules);
    execution_free(&execution);
    loaded_free(&loaded);
    return code;
}

/* Reads one kind of times. `*bad` is the file that cannot be used; the failure is then on the stack of causes. */
static status read_times(struct measurement *measurement, const struct run_times *times,
                         const struct measure_options *options, struct strings *strings, bool latency, bool operators,
                         const struct run_file **bad)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < times->count && code == STATUS_OK; i++) {
        code = read_file(measurement, times->files[i], options, strings, latency, operators);
        if (code == STATUS_INPUT)
            *bad = times->files[i];
    }
    return code;
}

static status read_stated(struct measurement *measurement)
{
    const struct json *list = run_entry_latencies(measurement->entry);
    size_t count = 0;
    uint32_t *runs;
    double *ms;
    status code;

    if (!list)
        return STATUS_OK;
    code =
        launch_times_new(&measurement->launches.times, run_source_title(RUN_SOURCE_METRICS), list->count, &ms, &runs);
    for (size_t i = 0; i < list->count && code == STATUS_OK; i++) {
        if (!json_decimal(&list->items[i], &ms[count]) || !(ms[count] > 0))
            continue;
        runs[count++] = (uint32_t)i;
    }
    if (code != STATUS_OK)
        return code;
    measurement->launches.times.items[measurement->launches.times.count - 1].count = count;
    measurement->launches.times.count -= count == 0;
    measurement->latency_source = count ? RUN_SOURCE_METRICS : RUN_SOURCE_NONE;
    return STATUS_OK;
}

static status read_once(struct measurement *measurement, const struct measure_options *options, struct strings *strings,
                        const struct run_file **bad)
{
    const struct run_times *times = &measurement->entry->times;
    const struct run_times *latency = &measurement->entry->latency;
    bool same = times->source == latency->source;
    status code = read_times(measurement, times, options, strings, same, true, bad);

    if (code == STATUS_OK && !same)
        code = read_times(measurement, latency, options, strings, true, false, bad);
    if (code != STATUS_OK)
        return code;
    if (measurement->launches.times.count)
        measurement->latency_source = latency->source;
    if (measurement->operators.inferences)
        measurement->operator_source = times->source;
    return measurement->launches.times.count ? STATUS_OK : read_stated(measurement);
}

/* Each round rejects a file, so there are at most as many as the entry has files. */
status measure_entry(struct rundir *rundir, struct run_entry *entry, const struct measure_options *options,
                     struct strings *strings, struct measurement *measurement)
{
    status code;

    assert(entry >= rundir->entries && entry < rundir->entries + rundir->entry_count);
    restart(measurement, entry, strings);
    measurement->warmup = options->warmup;
    for (;;) {
        const struct run_file *bad = NULL;

        code = read_once(measurement, options, strings, &bad);
        if (code == STATUS_OK && measurement->left_out)
            code = rundir_note(rundir, "%s: %s", entry->label, measurement->left_out);
        if (code != STATUS_INPUT || !bad || options->strict || (options->model && options->model->differs))
            return code;
        code = rundir_reject(rundir, entry, bad, status_message());
        if (code != STATUS_OK)
            return code;
        status_clear();
        measurement_free(measurement);
        restart(measurement, entry, strings);
    }
}

status measurement_latencies(const struct measurement *measurement, double **ms, size_t *count)
{
    size_t total = 0;

    for (size_t i = 0; i < measurement->launches.times.count; i++)
        total += measurement->launches.times.items[i].count;
    *count = total;
    *ms = NULL;
    if (!total)
        return STATUS_OK;
    *ms = memory_allocate(total * sizeof **ms);
    if (!*ms)
        return status_no_memory("collecting latencies");
    total = 0;
    for (size_t i = 0; i < measurement->launches.times.count; i++) {
        const struct latency_launch *launch = &measurement->launches.times.items[i];

        memcpy(*ms + total, launch->ms, launch->count * sizeof **ms);
        total += launch->count;
    }
    return STATUS_OK;
}
