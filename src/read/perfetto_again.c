/* perfetto_again.c: lines whose events cannot be told as they come: they are in no order, they came late to the one who wrote them, or the ends of slices say
 * something that is told with the beginning.
 *
 * Such a line keeps where its events are (32 bytes each) and is told after all others.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "read/perfetto_reading.h"

status again_keep(const struct line_moment *moment)
{
    struct trace_line *line = moment->line;
    status code =
        memory_grow(&line->events_again, &line->again_capacity, line->again_count + 1, sizeof *line->events_again);

    if (code == STATUS_OK)
        line->events_again[line->again_count++] =
            (struct line_event){ moment->ns,           moment->place, moment->sequence->number,
                                 moment->state->place, moment->op,    moment->run };
    return code;
}

static int by_time(const void *left, const void *right)
{
    const struct line_event *a = left, *b = right;

    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int values_by_time(const void *left, const void *right)
{
    const struct line_value *a = left, *b = right;

    return (a->time > b->time) - (a->time < b->time);
}

/* One event of a line, read again. */
struct event_again {
    struct packet packet;      /* its bytes */
    struct packet_head head;   /* of it */
    struct trace_event event;  /* decoded */
    struct line_moment moment; /* where and when */
};

static status read_event(struct perfetto_reading *reading, struct trace_line *line, const struct line_event *kept,
                         struct event_again *again)
{
    status code = packets_again(&reading->packets, kept->place, &again->packet);

    if (code == STATUS_OK && !perfetto_head(&again->packet, &again->head))
        return status_fail(STATUS_INPUT, "%s changed while it was read", input_name(reading->source->input));
    if (code == STATUS_OK)
        code = sequences_find(&reading->sequences, kept->sequence, &again->moment.sequence);
    if (code != STATUS_OK)
        return code;
    again->moment.line = line;
    again->moment.ns = kept->time;
    again->moment.place = kept->place;
    again->moment.head = &again->head;
    again->moment.state = sequences_state(&reading->sequences, kept->state);
    again->moment.op = kept->op;
    again->moment.run = kept->run;
    return event_decode(reading, &again->moment, true, &again->event);
}

/* For each event: the end of the slice that it begins, by its place in the list; NO_ID: it begins none, or that has no end. */
static status match(struct perfetto_reading *reading, struct trace_line *line, uint32_t *ends)
{
    struct event_again again;
    status code = STATUS_OK;

    for (size_t i = 0; i < line->again_count && code == STATUS_OK; i++) {
        struct line_open *open;
        size_t found;

        ends[i] = NO_ID;
        code = read_event(reading, line, &line->events_again[i], &again);
        if (code != STATUS_OK)
            break;
        if (again.event.type == TYPE_BEGIN) {
            open = tell_push(line);
            if (!open)
                return status_no_memory("matching slices");
            *open = (struct line_open){
                .name = again.event.name, .category = again.event.category, .end = INT64_MIN, .ordinal = i
            };
        } else if (again.event.type == TYPE_END) {
            found = tell_find_open(line, &again.event);
            if (found)
                ends[line->stack[found - 1].ordinal] = (uint32_t)i;
            line->open = found ? found - 1 : line->open;
        }
    }
    line->open = 0;
    return code;
}

/* What the end of a slice says comes to what its begin says. */
static status join_end(struct perfetto_reading *reading, struct trace_line *line, const struct line_event *end,
                       struct event_again *begin)
{
    struct argument *kept = NULL;
    struct event_flow *flows = NULL;
    uint32_t count = begin->event.argument_count, flow_count = begin->event.flow_count;
    size_t capacity = 0, flow_capacity = 0;
    struct event_again again;
    status code = memory_grow(&kept, &capacity, count, sizeof *kept);

    if (code == STATUS_OK)
        code = memory_grow(&flows, &flow_capacity, flow_count, sizeof *flows);
    if (code == STATUS_OK && count)
        memcpy(kept, reading->arguments, count * sizeof *kept);
    if (code == STATUS_OK && flow_count)
        memcpy(flows, reading->event_flows, flow_count * sizeof *flows);
    if (code == STATUS_OK)
        code = read_event(reading, line, end, &again);
    if (code == STATUS_OK)
        code = memory_grow(&reading->arguments, &reading->argument_capacity, (size_t)again.event.argument_count + count,
                           sizeof *reading->arguments);
    if (code == STATUS_OK)
        code = memory_grow(&reading->event_flows, &reading->event_flow_capacity,
                           (size_t)again.event.flow_count + flow_count, sizeof *reading->event_flows);
    /* Those of the begin first; of two with one key, the end's. */
    if (code == STATUS_OK) {
        uint32_t joined = 0;

        for (uint32_t i = 0; i < count; i++)
            if (!argument_find(reading->arguments, again.event.argument_count, kept[i].key))
                kept[joined++] = kept[i];
        if (again.event.argument_count)
            memmove(reading->arguments + joined, reading->arguments, again.event.argument_count * sizeof *kept);
        if (joined)
            memcpy(reading->arguments, kept, joined * sizeof *kept);
        begin->event.argument_count = joined + again.event.argument_count;
        if (flow_count)
            memcpy(reading->event_flows + again.event.flow_count, flows, flow_count * sizeof *flows);
        begin->event.flow_count = flow_count + again.event.flow_count;
    }
    memory_free(kept);
    memory_free(flows);
    return code;
}

static status tell_line(struct perfetto_reading *reading, struct trace_line *line, uint32_t *ends)
{
    struct event_again again;
    status code = match(reading, line, ends);

    for (size_t i = 0; i < line->again_count && code == STATUS_OK; i++) {
        code = read_event(reading, line, &line->events_again[i], &again);
        if (code == STATUS_OK && ends[i] != NO_ID && line->ends_say)
            code = join_end(reading, line, &line->events_again[ends[i]], &again);
        if (code == STATUS_OK)
            code = tell_event(reading, &again.moment, &again.event);
    }
    return code;
}

static status tell_values_again(const struct perfetto_reading *reading, const struct trace_line *line)
{
    status code = STATUS_OK;

    qsort(line->values_again, line->value_count, sizeof *line->values_again, values_by_time);
    for (size_t i = 0; i < line->value_count && code == STATUS_OK; i++) {
        int64_t ticks = line->values_again[i].time;

        if (line->own && !own_ticks(line->own, ticks, 0, &ticks))
            continue;
        code = SINK_CALL(&reading->feed->sink, counter, line->value_track, ticks, line->values_again[i].value);
    }
    return code;
}

status again_tell(struct perfetto_reading *reading)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < reading->lines.count && code == STATUS_OK; i++) {
        struct trace_line *line = line_at(reading, (uint32_t)i);
        uint32_t *ends;

        if (line->value_count)
            code = tell_values_again(reading, line);
        if (!line->again_count || code != STATUS_OK)
            continue;
        if (line->disordered && line->role != OWN_ROLE_LATE)
            qsort(line->events_again, line->again_count, sizeof *line->events_again, by_time);
        ends = memory_allocate(line->again_count * sizeof *ends);
        code = ends ? tell_line(reading, line, ends) : status_no_memory("matching slices");
        memory_free(ends);
    }
    return code;
}
