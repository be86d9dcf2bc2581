/* chrome_trace.c: processes, threads, counters and launches by what events call them. */
#include "read/chrome_trace.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

const struct loss_reason chrome_loss_phase = { .text =
                                                   "an event of no phase, or of one that a timeline has no place for",
                                               .order = 100 };
const struct loss_reason chrome_loss_time = { .text = "an event without a time", .order = 101 };
const struct loss_reason chrome_loss_duration = { .text = "a complete event without a duration", .order = 102 };
const struct loss_reason chrome_loss_id = { .text = "an event of a span or arrow without an id", .order = 103 };
const struct loss_reason chrome_loss_counter = { .text = "a counter without a number", .order = 104 };
const struct loss_reason chrome_loss_cut = { .text = "an event that the file ends in", .order = 105 };
const struct loss_reason chrome_loss_broken = { .text = "an event that is no JSON: what follows is not read",
                                                .order = 106 };
const struct loss_reason chrome_loss_arrow = { .text = "an arrow outside of all slices", .order = 107 };
const struct loss_reason chrome_loss_late_arrow = { .text =
                                                        "an arrow in a slice in which another one has ended before it",
                                                    .order = 108 };
const struct loss_reason chrome_loss_reaches = {
    .text = "a slice that reaches over the end of the one around it (kept, cut there)", .kept = true, .order = 109
};
const struct loss_reason chrome_loss_end_arguments = {
    .text = "an end with arguments that is not by time in the file (kept without them)", .kept = true, .order = 110
};
const struct loss_reason chrome_loss_many = { .text = "an event with over 256 arguments (kept without the others)",
                                              .kept = true,
                                              .order = 111 };
const struct loss_reason chrome_loss_another = { .text = "a trace behind the end of the first one: it is not read",
                                                 .order = 112 };

const struct loss_reason *const chrome_loss_reasons[] = {
    &chrome_loss_phase,         &chrome_loss_time,
    &chrome_loss_duration,      &chrome_loss_id,
    &chrome_loss_counter,       &chrome_loss_cut,
    &chrome_loss_broken,        &chrome_loss_arrow,
    &chrome_loss_late_arrow,    &chrome_loss_reaches,
    &chrome_loss_end_arguments, &chrome_loss_many,
    &chrome_loss_another,       NULL,
};

void chrome_trace_start(struct chrome_trace *trace, struct source *source, struct feed *feed,
                        const struct producer *producer)
{
    memset(trace, 0, sizeof *trace);
    trace->source = source;
    trace->feed = feed;
    trace->producer = producer;
    chrome_texts_start(&trace->texts, feed->strings);
    chrome_rules_start(&trace->rules, producer, feed->strings);
    column_start(&trace->processes, sizeof(struct chrome_process));
    column_start(&trace->threads, sizeof(struct chrome_thread));
    column_start(&trace->series, sizeof(struct chrome_series));
    column_start(&trace->steps, sizeof(struct chrome_step));
    column_start(&trace->work, sizeof(struct chrome_work));
    for (enum chrome_own kind = 0; kind < CHROME_OWN_KINDS; kind++)
        column_start(&trace->own[kind], sizeof(struct chrome_own_row));
    number_map_start(&trace->process_map);
    number_map_start(&trace->thread_map);
    number_map_start(&trace->series_map);
    number_map_start(&trace->frames);
}

void chrome_trace_free(struct chrome_trace *trace)
{
    for (uint32_t i = 0; i < trace->processes.count; i++) {
        chrome_line_free(&chrome_process_at(trace, i)->spans);
        chrome_line_free(&chrome_process_at(trace, i)->counters);
    }
    for (uint32_t i = 0; i < trace->threads.count; i++) {
        chrome_line_free(&chrome_thread_at(trace, i)->line);
        memory_free(chrome_thread_at(trace, i)->begun);
    }
    memory_free(trace->ends);
    column_free(&trace->processes);
    column_free(&trace->threads);
    column_free(&trace->series);
    column_free(&trace->steps);
    column_free(&trace->work);
    for (enum chrome_own kind = 0; kind < CHROME_OWN_KINDS; kind++)
        column_free(&trace->own[kind]);
    number_map_free(&trace->process_map);
    number_map_free(&trace->thread_map);
    number_map_free(&trace->series_map);
    number_map_free(&trace->frames);
    chrome_texts_free(&trace->texts);
    memory_free(trace->launches);
    memory_free(trace->derivatives);
}

status chrome_lose(struct chrome_trace *trace, const struct loss_reason *reason, uint64_t offset)
{
    uint64_t line = 0, column = 0;
    bool shown = losses_count(&trace->feed->losses, reason) < LOSS_LINES || (trace->source->strict && !reason->kept);
    status code = shown ? chrome_place(&trace->places, trace->source->input, offset, &line, &column) : STATUS_OK;

    return code == STATUS_OK ? source_lose(trace->source, trace->feed, reason, line, column) : code;
}

/* ---- Processes and threads ---------------------------------------------------------------------------------------- */

static status find_process(struct chrome_trace *trace, string_id pid, uint32_t *process)
{
    uint32_t *place = number_map_at(&trace->process_map, pid, 0);
    struct chrome_process *made = NULL;

    if (place && *place == MAP_NONE) {
        made = column_append(&trace->processes);
        if (made) {
            *made = (struct chrome_process){ .pid = pid, .track = NO_ID };
            *place = (uint32_t)trace->processes.count - 1;
        }
    }
    if (!place || *place == MAP_NONE)
        return status_no_memory("keeping a process");
    *process = *place;
    return STATUS_OK;
}

status chrome_find_process(struct chrome_trace *trace, struct text pid, uint32_t *process)
{
    string_id id;
    status code = chrome_text(&trace->texts, pid, &id);

    return code == STATUS_OK ? find_process(trace, id, process) : code;
}

status chrome_find_thread(struct chrome_trace *trace, const struct chrome_event *event, uint32_t *thread)
{
    string_id pid, tid;
    uint32_t *place, process = 0;
    struct chrome_thread *made;
    status code = chrome_text(&trace->texts, event->pid, &pid);

    if (code == STATUS_OK)
        code = chrome_text(&trace->texts, event->tid.data ? event->tid : event->pid, &tid);
    if (code != STATUS_OK)
        return code;
    place = number_map_at(&trace->thread_map, pid, tid);
    if (place && *place == MAP_NONE) {
        code = find_process(trace, pid, &process);
        made = code == STATUS_OK ? column_append(&trace->threads) : NULL;
        if (made) {
            *made = (struct chrome_thread){ .process = process, .tid = tid };
            *place = (uint32_t)trace->threads.count - 1;
        }
    }
    if (code == STATUS_OK && (!place || *place == MAP_NONE))
        code = status_no_memory("keeping a thread");
    if (code == STATUS_OK)
        *thread = *place;
    return code;
}

/* ---- Counters ----------------------------------------------------------------------------------------------------- */

status chrome_find_series(struct chrome_trace *trace, uint32_t process, string_id name, string_id key,
                          struct chrome_series **series)
{
    uint32_t *place = number_map_at(&trace->series_map, process, (uint64_t)name << 32 | key);

    *series = NULL;
    if (place && *place == MAP_NONE) {
        *series = column_append(&trace->series);
        if (*series) {
            **series = (struct chrome_series){ .process = process, .name = name, .key = key, .track = NO_ID };
            *place = (uint32_t)trace->series.count - 1;
        }
    }
    if (!place || *place == MAP_NONE)
        return status_no_memory("keeping a counter");
    *series = column_at(&trace->series, *place);
    return STATUS_OK;
}

bool chrome_counter_value(const struct chrome_member *member, bool *decimal, int64_t *integer, double *number)
{
    struct text value = member->value;

    if (!value.length || member->first == '{' || member->first == '[')
        return false;
    *decimal = !number_parse_integer(value.data, value.length, integer);
    if (!*decimal)
        *number = (double)*integer;
    return !*decimal || (number_parse_decimal(value.data, value.length, number) && isfinite(*number));
}

/* ---- Ids ---------------------------------------------------------------------------------------------------------- */

uint64_t chrome_id(const struct chrome_event *event, string_id category, uint64_t more)
{
    struct text local = chrome_find_member(event->id2, "local"), global = chrome_find_member(event->id2, "global");
    struct text id = local.data ? local : global.data ? global : event->id;
    uint64_t key = map_mix(map_mix(map_hash_bytes(id.data ? id.data : "", id.length), category), more);

    return key ? key : 1; /* 0 is none */
}

uint64_t chrome_bind_id(const struct chrome_event *event)
{
    static const char own[] = "bind_id"; /* not the numbers of arrows that are events */
    uint64_t key =
        map_mix(map_hash_bytes(event->binding.data, event->binding.length), map_hash_bytes(own, sizeof own - 1));

    return key ? key : 1;
}

/* ---- Launches ----------------------------------------------------------------------------------------------------- */

uint64_t chrome_correlation(struct text value)
{
    int64_t number;

    if (number_parse_integer(value.data, value.length, &number) && number >= 0 && number < INT64_MAX / 2)
        return (uint64_t)number;
    return (map_hash_bytes(value.data, value.length) >> 2) | (uint64_t)1 << 62;
}

/* The place of the first launch with this correlation or a higher one. */
static size_t find_place(const struct chrome_trace *trace, uint64_t correlation)
{
    size_t low = 0, high = trace->launch_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if ((trace->launches[middle].correlation & ~CHROME_TOLD) < correlation)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct chrome_launch *chrome_find_launch(const struct chrome_trace *trace, uint64_t correlation)
{
    size_t place = find_place(trace, correlation);

    return place < trace->launch_count && (trace->launches[place].correlation & ~CHROME_TOLD) == correlation
               ? &trace->launches[place]
               : NULL;
}

struct chrome_launch *chrome_launch_before(const struct chrome_trace *trace, uint64_t offset)
{
    size_t place = find_place(trace, offset + 1);

    return place ? &trace->launches[place - 1] : NULL;
}

/* ---- Engines ------------------------------------------------------------------------------------------------------ */

const struct engine *chrome_engine(const struct chrome_trace *trace, const struct producer_rule *rule)
{
    const struct engine *engine = rule && rule->engine ? rule->engine : &engine_thread;

    return trace->has_work && engine == trace->producer->launching.alone ? trace->producer->launching.beside : engine;
}
