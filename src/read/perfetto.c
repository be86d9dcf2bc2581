/* perfetto.c: Perfetto traces, from their packets to a feed: two walks over all packets, and what a person should know of the file. */
#include "read/perfetto.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "read/perfetto_plain.h"
#include "read/perfetto_reading.h"

enum { LONG_SLICE = 4096 };

/* ---- Losses ---- */

status perfetto_lose(struct perfetto_reading *reading, const struct loss_reason *reason, packet_place place)
{
    if (!reading->telling)
        return STATUS_OK;
    return source_lose(reading->source, reading->feed, reason, packet_byte(place), 0);
}

/* An event that is lost: it counts as a row. */
static status lose_row(struct perfetto_reading *reading, const struct loss_reason *reason, packet_place place)
{
    if (reading->telling)
        reading->feed->losses.rows++;
    return perfetto_lose(reading, reason, place);
}

/* ---- Packets ---- */

/* Fields that few packets have. */
static void take_seldom(struct packet_head *head, struct wire_field field)
{
    switch (field.tag) {
    case WIRE_TAG(PACKET_TIMESTAMP_CLOCK, WIRE_VARINT):
        head->clock = field.value <= UINT32_MAX ? (uint32_t)field.value : 0;
        break;
    case WIRE_TAG(PACKET_DROPPED, WIRE_VARINT):
        head->parts |= field.value ? PART_DROPPED : 0;
        break;
    case WIRE_TAG(PACKET_INTERNED_DATA, WIRE_LENGTH):
        head->parts |= PART_INTERNED;
        head->interned = wire_inside(&field);
        break;
    case WIRE_TAG(PACKET_OWN_OPERATOR, WIRE_VARINT):
        head->parts |= PART_OWN_OPERATOR;
        head->own_operator = field.value;
        break;
    case WIRE_TAG(PACKET_OWN_RUN, WIRE_VARINT):
        head->parts |= PART_OWN_RUN;
        head->own_run = field.value;
        break;
    case WIRE_TAG(PACKET_OWN_TRACK, WIRE_VARINT):
        head->own_track = field.value;
        break;
    case WIRE_TAG(PACKET_OWN_TICKS, WIRE_VARINT):
        head->own_ticks = (int64_t)field.value;
        break;
    case WIRE_TAG(PACKET_DEFAULTS, WIRE_LENGTH):
        head->parts |= PART_DEFAULTS;
        head->defaults = wire_inside(&field);
        break;
    case WIRE_TAG(PACKET_TRACK_DESCRIPTOR, WIRE_LENGTH):
        head->parts |= PART_DESCRIPTOR;
        head->descriptor = wire_inside(&field);
        break;
    case WIRE_TAG(PACKET_CLOCK_SNAPSHOT, WIRE_LENGTH):
        head->parts |= PART_SNAPSHOT;
        head->snapshot = wire_inside(&field);
        break;
    case WIRE_TAG(PACKET_COMPRESSED, WIRE_LENGTH):
    case WIRE_TAG(PACKET_COMPRESSED_ZSTD, WIRE_LENGTH):
        head->parts |= field.tag == WIRE_TAG(PACKET_COMPRESSED, WIRE_LENGTH) ? PART_PACKED : PART_PACKED | PART_ZSTD;
        head->packed = wire_text(&field);
        break;
    case WIRE_TAG(PACKET_OWN, WIRE_LENGTH):
        head->parts |= PART_OWN;
        head->own = wire_inside(&field);
        break;
    default:
        if ((field.tag & 7) != WIRE_LENGTH)
            break;
        head->parts |= PART_OTHER;
        head->other = (uint32_t)(field.tag >> 3);
        break;
    }
}

bool perfetto_head(const struct packet *packet, struct packet_head *head)
{
    struct wire wire = wire_of(packet->data, packet->length);
    struct wire_field field;
    uint64_t tag;

    head->parts = 0;
    head->clock = head->sequence = head->flags = 0;
    head->own_ticks = 0;
    head->own_track = 0;
    while ((tag = wire_tag(&wire))) {
        switch (tag) {
        case WIRE_TAG(PACKET_TIMESTAMP, WIRE_VARINT):
            head->parts |= PART_TIMESTAMP;
            head->timestamp = wire_varied(&wire);
            break;
        case WIRE_TAG(PACKET_SEQUENCE, WIRE_VARINT):
            head->sequence = (uint32_t)wire_number(&wire);
            break;
        case WIRE_TAG(PACKET_SEQUENCE_FLAGS, WIRE_VARINT):
            head->flags = (uint32_t)wire_number(&wire);
            break;
        case WIRE_TAG(PACKET_TRACK_EVENT, WIRE_LENGTH):
            head->parts |= PART_EVENT;
            head->event = wire_message(&wire);
            break;
        default:
            if (wire_value(&wire, tag, &field))
                take_seldom(head, field);
        }
    }
    head->parts |= head->flags & FLAG_STATE_CLEARED ? PART_CLEARED : 0;
    return !wire_broken(&wire);
}

/* ---- Events ---- */

/* Whether a time on a line is before the one that came before. */
static void note_order(struct trace_line *line, int64_t ns)
{
    if (ns < line->last)
        line->disordered = true;
    else
        line->last = ns;
}

/* Begin or end of a slice that is told whole. */
struct whole_event {
    int64_t ns;         /* time in the trace */
    int64_t ticks;      /* beyond the first of that nanosecond */
    uint64_t ordinal;   /* events up to it */
    packet_place place; /* of its packet */
};

/* An end of a slice that holds many events, which the second walk needs at its begin. */
static status keep_end(struct perfetto_reading *reading, const struct trace_line *line, const struct line_open *open,
                       int64_t ns, int64_t ticks, bool unfinished)
{
    struct own_reading *own = &reading->own;
    status code = memory_grow(&own->ends, &own->end_capacity, own->end_count + 1, sizeof *own->ends);

    if (code == STATUS_OK)
        own->ends[own->end_count++] = (struct long_end){ line, open->place, ns, ticks, unfinished };
    return code;
}

/* Slices that are told whole: those with many events in them. */
static inline status look_at_whole(struct perfetto_reading *reading, struct trace_line *line, uint32_t type,
                                   struct whole_event at)
{
    struct line_open *open;

    if (type == TYPE_BEGIN) {
        open = tell_push(line);
        if (!open)
            return status_no_memory("matching slices");
        open->place = at.place;
        open->ordinal = at.ordinal;
    } else if (type == TYPE_END && line->open) {
        open = &line->stack[--line->open];
        if (at.ordinal - open->ordinal > LONG_SLICE)
            return keep_end(reading, line, open, at.ns, at.ticks, false);
    }
    return STATUS_OK;
}

/* Values of other tracks that came with an event. */
static status look_at_values(struct perfetto_reading *reading, const struct line_moment *moment,
                             const struct trace_event *event)
{
    status code = STATUS_OK;

    for (uint32_t i = 0; i < event->extra_count && code == STATUS_OK; i++) {
        struct trace_line *line;

        code = lines_find(reading, reading->extra[i].track, &line);
        if (code != STATUS_OK)
            return code;
        line->values++;
        line->is_decimal |= reading->extra[i].decimal;
        note_order(line, moment->ns);
    }
    return code;
}

static status look_at_event(struct perfetto_reading *reading, const struct line_moment *moment,
                            struct trace_event *event)
{
    struct trace_line *line = moment->line;
    status code = STATUS_OK;

    if (event->type == TYPE_COUNTER) {
        line->values++;
        line->is_decimal |= event->decimal;
    } else {
        line->events++;
        line->ends_say |= event->type == TYPE_END && event->says;
    }
    if (line->name == NO_ID && moment->ns < line->first) {
        code = event_find_name(reading, moment->state, event);
        line->first = moment->ns;
        line->first_name = event->name;
    }
    note_order(line, moment->ns);
    if (code == STATUS_OK && event->extra_count)
        code = look_at_values(reading, moment, event);
    if (code == STATUS_OK && line->own && line->role == OWN_ROLE_WHOLE)
        return look_at_whole(
            reading, line, event->type,
            (struct whole_event){ moment->ns, moment->head->own_ticks, reading->ordinal, moment->place });
    return code;
}

const struct long_end *perfetto_end(struct own_reading *own, packet_place begin)
{
    while (own->next_end < own->end_count && own->ends[own->next_end].place < begin)
        own->next_end++;
    return own->next_end < own->end_count && own->ends[own->next_end].place == begin ? &own->ends[own->next_end] : NULL;
}

static bool extras_fit(const struct perfetto_reading *reading, const struct trace_event *event)
{
    for (uint32_t i = 0; i < event->extra_count; i++) {
        const struct trace_line *line = lines_look(reading, reading->extra[i].track);

        if (!line || !line->is_counter)
            return false;
    }
    return !event->extra_wrong;
}

/* An event that says what it is. */
static inline status tell_sound(struct perfetto_reading *reading, struct line_moment *moment, struct trace_event *event)
{
    const struct trace_line *line = moment->line;

    if (line->own)
        tell_take_own(moment, event);
    if (line->again && event->type != TYPE_COUNTER)
        return again_keep(moment);
    return tell_event(reading, moment, event);
}

static status tell_at_event(struct perfetto_reading *reading, struct line_moment *moment, struct trace_event *event)
{
    status code = STATUS_OK;

    if (moment->line->is_elsewhere)
        return STATUS_OK;
    reading->feed->losses.rows++;
    if (event->broken)
        return perfetto_lose(reading, &perfetto_loss_packet, moment->place);
    if (!event->type)
        return perfetto_lose(reading, event->legacy ? &perfetto_loss_legacy : &perfetto_loss_type, moment->place);
    if (event->extra_count || event->extra_wrong) {
        if (!extras_fit(reading, event))
            return perfetto_lose(reading, &perfetto_loss_extra, moment->place);
        code = tell_values(reading, moment, event);
    }
    return code == STATUS_OK ? tell_sound(reading, moment, event) : code;
}

/* The line of an event: the one that it names, else that of its sequence. */
static status find_line(struct perfetto_reading *reading, const struct trace_event *event, struct line_moment *moment)
{
    struct packet_sequence *sequence = moment->sequence;
    uint64_t uuid = event->has_track ? event->track : sequence->defaults.track;
    status code = STATUS_OK;

    if (!sequence->last_line || sequence->last_line->uuid != uuid)
        code = lines_find(reading, uuid, &sequence->last_line);
    moment->line = sequence->last_line;
    if (code == STATUS_OK && event_is_of_span(event)) {
        moment->op = moment->line->place;
        code = lines_spans(reading, &moment->line);
    }
    return code;
}

/* The time of a packet in the trace's clock. False: there is none. */
static bool find_time(struct perfetto_reading *reading, struct packet_sequence *sequence,
                      const struct packet_head *head, int64_t *ns)
{
    uint32_t id = head->clock ? head->clock : sequence->defaults.clock;
    struct trace_clock *clock = sequence->clock;

    *ns = (int64_t)head->timestamp;
    if (!id)
        return true;
    if (!clock || sequence->clock_id != id) {
        clock = clocks_find(&reading->clocks, id, sequence->number);
        sequence->clock = clock;
        sequence->clock_id = id;
    }
    if (clock && clocks_time(&reading->clocks, clock, head->timestamp, ns))
        return true;
    if (id == reading->clocks.trace_clock)
        return true;
    /* A snapshot behind it may tell. */
    clock = reading->telling ? clocks_find(&reading->all_clocks, id, sequence->number) : NULL;
    return clock && !clock->incremental && clocks_time(&reading->all_clocks, clock, head->timestamp, ns);
}

static status take_event(struct perfetto_reading *reading, const struct packet *packet, const struct packet_head *head,
                         struct packet_sequence *sequence)
{
    struct line_moment moment;
    struct trace_event event;
    bool found;
    status code;

    if (!(head->parts & PART_TIMESTAMP))
        return lose_row(reading, &perfetto_loss_time, packet->place);
    found = find_time(reading, sequence, head, &moment.ns);
    if (!found && reading->telling)
        return lose_row(reading, &perfetto_loss_clock, packet->place);
    if (found && moment.ns < 0)
        return lose_row(reading, &perfetto_loss_range, packet->place);
    reading->ordinal++;
    moment.place = packet->place;
    moment.head = head;
    moment.sequence = sequence;
    moment.state = sequence->state;
    moment.op = moment.run = 0;
    code = event_decode(reading, &moment, reading->telling, &event);
    if (code == STATUS_OK)
        code = find_line(reading, &event, &moment);
    if (code != STATUS_OK)
        return code;
    if (reading->telling)
        return tell_at_event(reading, &moment, &event);
    if (!found) {
        moment.line->disordered = true;
        moment.line->events += event.type != TYPE_COUNTER;
        moment.line->values += event.type == TYPE_COUNTER;
        return STATUS_OK;
    }
    if (moment.ns > reading->last)
        reading->last = moment.ns;
    return event.type ? look_at_event(reading, &moment, &event) : STATUS_OK;
}

/* ---- Plain events: see perfetto_plain.h ---- */

static inline status look_at_plain(struct perfetto_reading *reading, const struct plain *plain, uint64_t ordinal,
                                   packet_place place)
{
    struct trace_line *line = plain->sequence->last_line;

    line->events++;
    note_order(line, plain->ns);
    return line->own && line->role == OWN_ROLE_WHOLE
               ? look_at_whole(reading, line, plain->type, (struct whole_event){ plain->ns, 0, ordinal, place })
               : STATUS_OK;
}

static inline status tell_plain(struct perfetto_reading *reading, const struct plain *plain, packet_place place)
{
    static const struct packet_head head = { .parts = PART_TIMESTAMP | PART_EVENT };
    struct line_moment moment;
    struct trace_event event;
    status code = STATUS_OK;

    if (plain->sequence->plain_whole)
        return plain->type == TYPE_END ? tell_plain_end(reading, plain, place)
                                       : tell_plain_begin(reading, plain, place);
    moment = (struct line_moment){ .line = plain->sequence->last_line,
                                   .ns = plain->ns,
                                   .place = place,
                                   .head = &head,
                                   .sequence = plain->sequence,
                                   .state = plain->sequence->state };
    event_clear(&event);
    event.type = plain->type;
    if (event.type == TYPE_BEGIN) {
        event.name_number = plain->name;
        event.says = plain->arguments.at < plain->arguments.end;
        code = event_arguments(reading, moment.state, plain->arguments, &event.argument_count);
        if (code == STATUS_OK)
            code = event_find_name(reading, moment.state, &event);
    }
    return code == STATUS_OK ? tell_sound(reading, &moment, &event) : code;
}

/* ---- The walk ---- */

/* What a packet says of its sequence, before what it carries. */
static status take_state(struct perfetto_reading *reading, const struct packet_head *head,
                         struct packet_sequence *sequence)
{
    status code = STATUS_OK;

    if (head->parts & PART_DROPPED) {
        sequence->valid = false;
        sequence->epoch++;
    }
    if (head->parts & PART_CLEARED)
        code = sequence_clear(&reading->sequences, sequence);
    if (code == STATUS_OK && head->parts & PART_DEFAULTS)
        sequence_defaults(sequence, head->defaults);
    if (code == STATUS_OK && head->parts & PART_INTERNED && sequence->valid)
        code = sequence_intern(&reading->sequences, sequence, head->interned);
    return code;
}

static status take_packed(struct perfetto_reading *reading, const struct packet *packet, const struct packet_head *head)
{
    bool entered;
    status code = packets_enter(&reading->packets, packet, head->packed, head->parts & PART_ZSTD, &entered);

    return code == STATUS_OK && !entered ? lose_row(reading, &perfetto_loss_packed, packet->place) : code;
}

/* What a packet carries that is not an event. `*done`: nothing else of it counts. */
static status take_others(struct perfetto_reading *reading, const struct packet *packet, const struct packet_head *head,
                          struct packet_sequence *sequence, bool *done)
{
    status code = STATUS_OK;
    bool used;

    *done = head->parts & (PART_PACKED | PART_SNAPSHOT);
    if (head->parts & PART_PACKED)
        return take_packed(reading, packet, head);
    if (sequence)
        code = take_state(reading, head, sequence);
    if (code == STATUS_OK && head->parts & PART_OWN)
        code = own_packet(reading, head->own, packet->place);
    if (code == STATUS_OK && head->parts & PART_SNAPSHOT)
        return clocks_snapshot(&reading->clocks, head->snapshot, head->sequence, &used);
    if (head->flags & FLAG_NEEDS_STATE && (!sequence || !sequence->valid))
        return code;
    if (code == STATUS_OK && head->parts & PART_DESCRIPTOR && !reading->telling)
        code = lines_declare(reading, head->descriptor);
    if (code == STATUS_OK && head->parts & PART_OTHER && !(head->parts & PART_EVENT) && reading->telling)
        code = notes_count(reading, head->other);
    return code;
}

static status take_any(struct perfetto_reading *reading, const struct packet *packet)
{
    struct packet_sequence *sequence = NULL;
    struct packet_head head;
    status code = STATUS_OK;
    bool done = false;

    if (!perfetto_head(packet, &head))
        return lose_row(reading, &perfetto_loss_packet, packet->place);
    if (head.sequence)
        code = sequences_find(&reading->sequences, head.sequence, &sequence);
    if (code == STATUS_OK && head.parts & ~(unsigned)PARTS_OF_EVENT)
        code = take_others(reading, packet, &head, sequence, &done);
    if (code != STATUS_OK || done || !(head.parts & PART_EVENT))
        return code;
    if (head.flags & FLAG_NEEDS_STATE && (!sequence || !sequence->valid))
        return lose_row(reading, &perfetto_loss_state, packet->place);
    return sequence ? take_event(reading, packet, &head, sequence)
                    : lose_row(reading, &perfetto_loss_sequence, packet->place);
}

/* As many plain packets as lie beside each other. `telling` is the reading's: each walk has a loop of its own. */
__attribute__((always_inline)) static inline status walk_plain(struct perfetto_reading *reading, bool telling)
{
    const struct packet_span span = reading->packets.span;
    struct wire bytes = { .at = span.at, .end = span.end };
    const unsigned char *behind;
    struct plain plain;
    uint64_t rows = 0;
    status code = STATUS_OK;

    while (code == STATUS_OK && plain_take(reading, telling, bytes, &behind, &plain)) {
        packet_place place = span.place + ((uint64_t)(bytes.at - span.start) << span.shift);

        rows++;
        bytes.at = behind;
        code = telling ? tell_plain(reading, &plain, place)
                       : look_at_plain(reading, &plain, reading->ordinal + rows, place);
    }
    reading->packets.span.at = bytes.at;
    reading->ordinal += rows;
    if (telling)
        reading->feed->losses.rows += rows;
    return code;
}

static status walk(struct perfetto_reading *reading)
{
    const struct loss_reason *const reasons[] = { [PACKETS_CUT] = &perfetto_loss_cut,
                                                  [PACKETS_FOREIGN] = &perfetto_loss_foreign,
                                                  [PACKETS_PACKED] = &perfetto_loss_packed };
    struct progress *progress = reading->source->progress;
    enum packets_end end;
    struct packet packet;
    uint64_t shown = 0;
    status code;

    packets_rewind(&reading->packets);
    do {
        code = reading->telling ? walk_plain(reading, true) : walk_plain(reading, false);
        if (code == STATUS_OK)
            code = packets_next(&reading->packets, &packet, &end);
        if (code != STATUS_OK || end == PACKETS_WHOLE)
            break;
        reading->unlike++;
        code = end == PACKETS_MORE ? take_any(reading, &packet) : lose_row(reading, reasons[end], packet.place);
        if (reading->packets.offset != shown && progress)
            progress_update(progress, reading->packets.offset / 2 +
                                          (reading->telling ? input_size(reading->source->input) / 2 : 0));
        shown = reading->packets.offset;
    } while (code == STATUS_OK && end != PACKETS_CUT && end != PACKETS_FOREIGN);
    return code;
}

/* ---- Between the walks ---- */

static int by_place(const void *left, const void *right)
{
    const struct long_end *a = left, *b = right;

    return (a->place > b->place) - (a->place < b->place);
}

/* What the first walk found out: which slices have no end, which lines are told last. */
static status settle(struct perfetto_reading *reading, bool *any_again)
{
    status code = STATUS_OK;

    *any_again = false;
    for (size_t i = 0; i < reading->lines.count; i++)
        if (line_at(reading, (uint32_t)i)->last > reading->last)
            reading->last = line_at(reading, (uint32_t)i)->last;
    for (size_t i = 0; i < reading->lines.count && code == STATUS_OK; i++) {
        struct trace_line *line = line_at(reading, (uint32_t)i);

        line->again = line->disordered || line->ends_say || (line->own && line->role == OWN_ROLE_LATE);
        *any_again |= line->again;
        for (; code == STATUS_OK && line->open; line->open--)
            code = keep_end(reading, line, &line->stack[line->open - 1], reading->last, 0, true);
        line->open = 0;
    }
    if (reading->own.end_count)
        qsort(reading->own.ends, reading->own.end_count, sizeof *reading->own.ends, by_place);
    return code;
}

/* Slices that never ended were told until the last time: that is said, too. */
static status lose_unfinished(struct perfetto_reading *reading)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < reading->own.end_count && code == STATUS_OK; i++)
        if (reading->own.ends[i].unfinished && !reading->own.ends[i].line->is_elsewhere)
            code = perfetto_lose(reading, &perfetto_loss_open, reading->own.ends[i].place);
    return code;
}

/* What the trace says was lost before stands in place of its own count of events. */
static void join_losses(struct perfetto_reading *reading)
{
    struct losses *losses = &reading->feed->losses;
    struct losses told = reading->own.losses;

    losses_mark(losses, &perfetto_loss_argument, reading->bad_arguments);
    losses_mark(losses, &perfetto_loss_text, reading->redefined);
    if (!reading->own.has_losses)
        return;
    for (unsigned i = 0; i < losses->reason_count; i++) {
        losses_mark(&told, losses->reasons[i].reason, losses->reasons[i].count);
        losses_places(&told, losses->reasons[i].reason, losses->reasons[i].lines);
    }
    told.rows += losses->lost;
    told.lost += losses->lost;
    *losses = told;
}

/* ---- The reading ---- */

static status start(struct perfetto_reading *reading)
{
    status code = strings_add_text(reading->strings, "category", &reading->key_category);

    if (code == STATUS_OK)
        code = strings_add_text(reading->strings, "correlation_id", &reading->key_correlation);
    return code;
}

static status look(struct perfetto_reading *reading, bool *any_again)
{
    status code = walk(reading);

    return code == STATUS_OK ? settle(reading, any_again) : code;
}

static status tell(struct perfetto_reading *reading, bool any_again)
{
    status code;

    reading->telling = true;
    reading->ordinal = 0;
    reading->redefined = 0;
    sequences_free(&reading->sequences);
    sequences_start(&reading->sequences, reading->strings, any_again, &reading->redefined);
    reading->all_clocks = reading->clocks;
    clocks_start(&reading->clocks);
    code = walk(reading);
    if (code == STATUS_OK)
        code = again_tell(reading);
    if (code == STATUS_OK)
        code = tell_finish(reading);
    if (code == STATUS_OK)
        code = lines_tell_metrics(reading);
    if (code == STATUS_OK)
        code = lose_unfinished(reading);
    if (code == STATUS_OK)
        code = notes_others(reading);
    join_losses(reading);
    return code;
}

static status perfetto_read(struct source *source, struct feed *feed)
{
    struct perfetto_reading reading = { .source = source,
                                        .feed = feed,
                                        .strings = feed->strings,
                                        .clock = NO_ID,
                                        .unlike = 1,
                                        .keys = feed->sink.calls->keys };
    bool any_again = false;
    status code;

    packets_start(&reading.packets, source->input);
    clocks_start(&reading.clocks);
    clocks_start(&reading.all_clocks);
    sequences_start(&reading.sequences, feed->strings, false, &reading.redefined);
    column_start(&reading.lines, sizeof(struct trace_line));
    notes_start(&reading.others);
    column_start(&reading.totals, sizeof(int64_t));
    number_map_start(&reading.line_map);
    number_map_start(&reading.processes);
    number_map_start(&reading.process_names);
    number_map_start(&reading.operators);
    number_map_start(&reading.flows);
    spans_start(&reading.spans, feed);
    number_map_start(&reading.total_map);
    own_start(&reading.own);
    code = start(&reading);
    if (code == STATUS_OK)
        code = look(&reading, &any_again);
    if (code == STATUS_OK)
        code = source_check_damage(source);
    if (code == STATUS_OK)
        code = lines_announce(&reading);
    if (code == STATUS_OK)
        code = tell(&reading, any_again);
    packets_free(&reading.packets);
    clocks_free(&reading.clocks);
    clocks_free(&reading.all_clocks);
    sequences_free(&reading.sequences);
    lines_free(&reading);
    own_free(&reading.own);
    column_free(&reading.others);
    column_free(&reading.totals);
    number_map_free(&reading.operators);
    number_map_free(&reading.flows);
    spans_free(&reading.spans);
    number_map_free(&reading.total_map);
    memory_free(reading.arguments);
    memory_free(reading.event_flows);
    memory_free(reading.flow_numbers);
    if (reading.json)
        output_abandon(reading.json);
    return code;
}

const struct reader perfetto_reader = {
    .id = "perfetto",
    .title = "Perfetto trace",
    .kind = READER_MEASURED,
    .files = "*.pb, *.pftrace, *.perfetto-trace",
    .begins = true,
    .probe = perfetto_probe,
    .read = perfetto_read,
    .inputs = perfetto_inputs,
    .losses = perfetto_loss_reasons,
};
