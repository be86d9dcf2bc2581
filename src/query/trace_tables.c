/* trace_tables.c: inputs read into one store, and which run a slice belongs to. */
#include "query/trace_tables.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

status trace_tables_start(struct trace_tables *trace, const struct session_options *options, const char *const *paths,
                          size_t count, const char *runs, const char *warmup)
{
    status code = session_start(&trace->session, options);

    store_start(&trace->store);
    if (code == STATUS_OK)
        code = counting_start(&trace->counting, runs, warmup, false, trace->session.strings);
    return code == STATUS_OK ? session_add_all(&trace->session, paths, count) : code;
}

void trace_tables_free(struct trace_tables *trace)
{
    for (unsigned i = 0; i < TRACE_TABLES; i++)
        sql_table_free(&trace->tables[i]);
    memory_free(trace->inputs);
    memory_free(trace->runs);
    memory_free(trace->told);
    memory_free(trace->track_inputs);
    memory_free(trace->argument_slices);
    memory_free(trace->argument_places);
    memory_free(trace->flow_places);
    store_free(&trace->store);
    counting_free(&trace->counting);
    session_end(&trace->session);
    *trace = (struct trace_tables){ 0 };
}

/* ---- runs ------------------------------------------------------------------------------------------------------------ */

static status add_run(struct trace_tables *trace, const struct trace_run *run)
{
    status code = memory_grow(&trace->runs, &trace->run_capacity, trace->run_count + 1, sizeof *trace->runs);

    if (code == STATUS_OK)
        trace->runs[trace->run_count++] = *run;
    return code;
}

/* Whether a run is among those that count: its start lies in their windows, which are in ticks of the clock of the busy intervals. */
static bool is_counted(const struct trace_run *run, const struct clock *clock, const struct interval *windows,
                       size_t count)
{
    int64_t start = clock_same(run->clock, clock) ? run->start : clock_ns(run->clock, run->start);

    return interval_holding(windows, count, start) != SIZE_MAX;
}

/* The runs of an input that tells some, or in which some were found. */
static status add_list(struct trace_tables *trace, uint32_t input, const struct inference_list *list,
                       const struct counted_runs *counted)
{
    const struct profile *profile = &trace->session.profiles[input];
    const struct clock *clock = busy_clock(&trace->counting.busy, profile->process);
    struct interval *windows = NULL;
    size_t window_count = 0;
    status code = intervals_list(&counted->windows, &windows, &window_count);

    for (size_t i = 0; i < list->count && code == STATUS_OK; i++) {
        const struct inference *item = &list->items[i];
        struct trace_run run = { .input = input,
                                 .launch = item->launch,
                                 .index = item->index,
                                 .clock = inferences_clock(&trace->counting.inferences, item),
                                 .start = item->start,
                                 .end = item->end,
                                 .ticks = item->end - item->start };

        if (inference_continues(list, i)) {
            trace->runs[trace->run_count - 1].end = item->end;
            trace->runs[trace->run_count - 1].ticks += run.ticks;
            continue;
        }
        run.counted = clock && is_counted(&run, clock, windows, window_count);
        code = add_run(trace, &run);
    }
    memory_free(windows);
    return code;
}

/* An input without runs is one. */
static status add_whole(struct trace_tables *trace, uint32_t input, const struct metrics *metrics)
{
    const struct profile *profile = &trace->session.profiles[input];
    const struct clock *clock = busy_clock(&trace->counting.busy, profile->process);
    int64_t ticks = metrics_ticks(metrics, &metric_overall);
    const struct trace_run run = { .input = input,
                                   .clock = clock,
                                   .start = metrics->start,
                                   .end = metrics->start + ticks,
                                   .ticks = ticks,
                                   .counted = true };

    trace->inputs[input].whole = true;
    return clock ? add_run(trace, &run) : STATUS_OK;
}

/* Whether no two runs of an input lie on each other, by the time that all clocks share. */
static bool are_apart(const struct trace_tables *trace, const struct trace_input *input)
{
    for (size_t i = input->first_run; i + 1 < input->end_run; i++) {
        const struct trace_run *run = &trace->runs[i], *next = run + 1;

        if (clock_ns(run->clock, run->end) > clock_ns(next->clock, next->start))
            return false;
    }
    return true;
}

static status take_runs(struct trace_tables *trace, uint32_t number)
{
    struct profile *profile = &trace->session.profiles[number];
    struct trace_input *input = &trace->inputs[number];
    struct counted_runs counted;
    struct inference_list list;
    struct metrics metrics;
    status code = counting_take(&trace->counting, profile, &counted, &metrics);

    input->first_run = (uint32_t)trace->run_count;
    if (code == STATUS_OK)
        code = inferences_of(&trace->counting.inferences, profile->process, profile->path, &list);
    if (code == STATUS_OK)
        code = list.count && runs_windows(&counted) ? add_list(trace, number, &list, &counted)
                                                    : add_whole(trace, number, &metrics);
    counted_runs_free(&counted);
    input->end_run = (uint32_t)trace->run_count;
    input->by_time = code == STATUS_OK && !input->whole && are_apart(trace, input);
    return code;
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

static status read_input(struct trace_tables *trace, struct feed *feed, uint32_t number)
{
    struct profile *profile = &trace->session.profiles[number];
    struct trace_input *input = &trace->inputs[number];
    status code;

    input->first_track = feed->tracks;
    input->first_run = input->end_run = (uint32_t)trace->run_count;
    /* Nothing in it has a time: other tables are about it. */
    if (!profile->reader->timeless) {
        code = session_read(&trace->session, profile, feed);
        if (code == STATUS_OK)
            code = take_runs(trace, number);
        if (code != STATUS_OK)
            return code;
    }
    input->end_track = feed->tracks;
    input_close(profile->input);
    profile->input = profile->source.input = NULL;
    return STATUS_OK;
}

static status map_tracks(struct trace_tables *trace)
{
    size_t count = trace->store.tracks.count;
    uint32_t input = 0;

    trace->track_inputs = memory_allocate((count + 1) * sizeof *trace->track_inputs);
    if (!trace->track_inputs)
        return status_no_memory("reading");
    for (track_id track = 0; track < count; track++) {
        while (track >= trace->inputs[input].end_track)
            input++;
        trace->track_inputs[track] = input;
    }
    return STATUS_OK;
}

/* Where an input says of its slices which run they are of, time tells nothing more. */
static status map_told(struct trace_tables *trace)
{
    const struct store *store = &trace->store;
    size_t slices = store_count(store), runs = store->runs.count;

    trace->told = memory_allocate((runs + 1) * sizeof *trace->told);
    if (!trace->told)
        return status_no_memory("counting runs");
    for (size_t i = 0; i < runs; i++)
        trace->told[i] = NO_ID;
    for (size_t i = 0; i < slices && runs; i++) {
        run_id told = *(run_id *)column_at(&store->run, i);
        const struct run *run = told == NO_ID ? NULL : column_at(&store->runs, told);
        struct trace_input *input;

        if (!run || trace->told[told] != NO_ID)
            continue;
        input = &trace->inputs[trace->track_inputs[*(track_id *)column_at(&store->track, i)]];
        for (uint32_t at = input->first_run; at < input->end_run && !input->whole; at++)
            if (trace->runs[at].launch == run->launch && trace->runs[at].index == run->index)
                trace->told[told] = at;
        if (trace->told[told] != NO_ID)
            input->by_time = false;
    }
    return STATUS_OK;
}

status trace_tables_read(struct trace_tables *trace)
{
    size_t count = trace->session.profile_count;
    struct feed feed;
    status code;

    if (trace->read)
        return trace->failed == STATUS_OK ? STATUS_OK : status_fail(trace->failed, "the inputs could not be read");
    trace->read = true;
    trace->inputs = memory_allocate_clear((count + 1) * sizeof *trace->inputs);
    code = trace->inputs ? tee_add(&trace->counting.tee, store_sink(&trace->store)) : status_no_memory("reading");
    feed_start(&feed, tee_sink(&trace->counting.tee), trace->session.strings);
    for (uint32_t i = 0; i < count && code == STATUS_OK; i++)
        code = read_input(trace, &feed, i);
    feed_free(&feed);
    if (code == STATUS_OK)
        code = map_tracks(trace);
    if (code == STATUS_OK)
        code = map_told(trace);
    trace->failed = code;
    return code;
}

int64_t trace_tables_ns(const struct trace_tables *trace, const struct track *track, int64_t ticks)
{
    return track->clock == NO_ID ? ticks : clock_ns(store_clock(&trace->store, track->clock), ticks);
}

uint32_t trace_tables_run(const struct trace_tables *trace, size_t slice)
{
    track_id track = *(track_id *)column_at(&trace->store.track, slice);
    run_id told = *(run_id *)column_at(&trace->store.run, slice);
    const struct trace_input *input = &trace->inputs[trace->track_inputs[track]];
    uint32_t low = input->first_run, high = input->end_run;
    int64_t start;

    if (input->whole)
        return input->first_run < input->end_run ? input->first_run : NO_ID;
    if (!input->by_time)
        return told == NO_ID ? NO_ID : trace->told[told];
    start =
        trace_tables_ns(trace, store_track(&trace->store, track), *(int64_t *)column_at(&trace->store.start, slice));
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (clock_ns(trace->runs[middle].clock, trace->runs[middle].start) <= start)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == input->first_run || clock_ns(trace->runs[low - 1].clock, trace->runs[low - 1].end) <= start)
        return NO_ID;
    return low - 1;
}

status trace_tables_open(struct trace_tables *trace, enum trace_table which, struct sql_table **table)
{
    struct sql_table *made = &trace->tables[which];
    status code = trace_tables_read(trace);

    if (code == STATUS_OK && !made->columns) {
        *made = (struct sql_table){ .columns = trace_table_facts[which].columns,
                                    .indexes = trace_table_facts[which].indexes,
                                    .one_input = trace->session.profile_count == 1,
                                    .row_column = SQL_NONE,
                                    .context = trace };
        code = trace_tables_fill(trace, which, made);
    }
    *table = made;
    return code;
}
