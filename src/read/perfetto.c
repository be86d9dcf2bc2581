/* perfetto.c: Perfetto traces, from their packets to a feed: two walks over all packets, and what a person should know of the file. */
#include "read/perfetto.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "read/perfetto_reading.h"

/* Orders behind those of the general reasons. */
#define REASON(place, words)                                \
    {                                                       \
        .text = words, .order = 60 + (place), .bytes = true \
    }
#define KEPT(place, words)                                                \
    {                                                                     \
        .text = words, .kept = true, .order = 60 + (place), .bytes = true \
    }

const struct loss_reason perfetto_loss_packet = REASON(0, "a packet that cannot be decoded");
const struct loss_reason perfetto_loss_foreign = REASON(1, "bytes that are no packet: the rest of the file");
const struct loss_reason perfetto_loss_packed = REASON(2, "compressed packets that cannot be unpacked");
const struct loss_reason perfetto_loss_cut = REASON(3, "a last packet that is cut off");
const struct loss_reason perfetto_loss_sequence = REASON(4, "an event without a packet sequence");
const struct loss_reason perfetto_loss_state = REASON(5, "an event that needs packets which were dropped");
const struct loss_reason perfetto_loss_time = REASON(6, "an event without a time");
const struct loss_reason perfetto_loss_range = REASON(7, "a time before 0, or beyond the clock's range");
const struct loss_reason perfetto_loss_clock = REASON(8, "a time of a clock that no snapshot ties to the trace's");
const struct loss_reason perfetto_loss_type = REASON(9, "an event of an unknown type");
const struct loss_reason perfetto_loss_legacy = REASON(10, "a legacy event that has no place on its track");
const struct loss_reason perfetto_loss_counter = REASON(11, "a value on a track that is no counter");
const struct loss_reason perfetto_loss_value = REASON(12, "a counter event without a value");
const struct loss_reason perfetto_loss_extra = REASON(13, "an event whose extra counters do not fit");
const struct loss_reason perfetto_loss_end = REASON(14, "an end without its begin");
const struct loss_reason perfetto_loss_parent = REASON(15, "an event on a track whose parent is not there");
const struct loss_reason perfetto_loss_deep = REASON(16, "a slice in 512 others");
const struct loss_reason perfetto_loss_overlap = REASON(17, "a complete event that overlaps the one around it");
const struct loss_reason perfetto_loss_open = KEPT(18, "a begin without its end (kept, until the last time seen)");
const struct loss_reason perfetto_loss_misplaced = KEPT(19, "a slice cut at the end of the one around it (kept)");
const struct loss_reason perfetto_loss_argument = KEPT(20, "an argument without a name or value (kept without it)");
const struct loss_reason perfetto_loss_text = KEPT(21, "a text whose number had another already (the first stays)");

enum { LONG_SLICE = 4096, OTHERS_SHOWN = 4 };

/* Packets of a kind that is not read. */
struct other_kind {
    uint32_t field; /* of the packet */
    uint64_t count; /* of them */
};

/* ---- Losses and notes ---- */

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

/* What the kinds are called that other programs write most. */
static const char *kind_name(uint32_t field)
{
    static const struct {
        uint32_t field;   /* of the packet */
        const char *name; /* of its message */
    } names[] = {
        { 1, "ftrace events" },
        { 2, "process tree" },
        { 5, "Chrome events" },
        { 7, "system statistics" },
        { 9, "process statistics" },
        { 33, "trace configuration" },
        { 34, "ftrace statistics" },
        { 35, "trace statistics" },
        { 36, "synchronisation" },
        { 37, "heap profile" },
        { 38, "battery counters" },
        { 39, "log" },
        { 40, "battery rails" },
        { 43, "profiled frame" },
        { 45, "system information" },
        { 46, "trigger" },
        { 48, "packages" },
        { 52, "GPU counters" },
        { 53, "GPU render stages" },
        { 54, "streaming profile" },
        { 56, "heap graph" },
        { 57, "graphics frames" },
        { 66, "samples" },
        { 67, "CPU information" },
        { 72, "extension descriptors" },
        { 78, "view" },
        { 89, "trace id" },
        { 94, "remote clocks" },
        { 126, "trace attributes" },
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].field == field)
            return names[i].name;
    return NULL;
}

static status count_other(struct perfetto_reading *reading, uint32_t field)
{
    struct other_kind *kind;

    for (size_t i = 0; i < reading->others.count; i++) {
        kind = column_at(&reading->others, i);
        if (kind->field == field) {
            kind->count++;
            return STATUS_OK;
        }
    }
    /* Numbers without end are no kinds. */
    if (reading->others.count > 64)
        return STATUS_OK;
    kind = column_append(&reading->others);
    if (!kind)
        return status_no_memory("counting packets");
    *kind = (struct other_kind){ field, 1 };
    return STATUS_OK;
}

static int by_count(const void *left, const void *right)
{
    const struct other_kind *a = left, *b = right;

    return a->count == b->count ? (a->field > b->field) - (a->field < b->field) : a->count < b->count ? 1 : -1;
}

/* "12 packets of other kinds were not read: 9 x ftrace events, 3 x process statistics" */
static status note_others(struct perfetto_reading *reading)
{
    struct other_kind kinds[66];
    char text[400];
    uint64_t total = 0;
    size_t count = reading->others.count, length;
    string_id note;
    status code;

    if (!count)
        return STATUS_OK;
    for (size_t i = 0; i < count; i++) {
        kinds[i] = *(struct other_kind *)column_at(&reading->others, i);
        total += kinds[i].count;
    }
    qsort(kinds, count, sizeof *kinds, by_count);
    length =
        (size_t)snprintf(text, sizeof text, "%llu packet%s of other kinds %s not read: ", (unsigned long long)total,
                         total == 1 ? "" : "s", total == 1 ? "was" : "were");
    for (size_t i = 0; i < count && i < OTHERS_SHOWN; i++) {
        const char *name = kind_name(kinds[i].field);

        length += (size_t)snprintf(text + length, sizeof text - length, "%s%llu x ", i ? ", " : "",
                                   (unsigned long long)kinds[i].count);
        if (name)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s", name);
        else
            length += (size_t)snprintf(text + length, sizeof text - length, "field %u", kinds[i].field);
    }
    if (count > OTHERS_SHOWN)
        snprintf(text + length, sizeof text - length, ", and %zu more kinds", count - OTHERS_SHOWN);
    code = strings_add_text(reading->strings, text, &note);
    if (code == STATUS_OK)
        source_note(reading->source, strings_text(reading->strings, note));
    return code;
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

/* An end of a slice that holds many events, which the second walk needs at its begin. */
static status keep_end(struct perfetto_reading *reading, const struct line_open *open, int64_t ns, int64_t ticks,
                       bool unfinished)
{
    struct own_reading *own = &reading->own;
    status code = memory_grow(&own->ends, &own->end_capacity, own->end_count + 1, sizeof *own->ends);

    if (code == STATUS_OK)
        own->ends[own->end_count++] = (struct long_end){ open->place, ns, ticks, unfinished };
    return code;
}

/* Slices that are told whole: those with many events in them. */
static status look_at_whole(struct perfetto_reading *reading, struct trace_line *line, const struct line_moment *moment,
                            uint32_t type)
{
    struct line_open *open;

    if (type == TYPE_BEGIN) {
        open = tell_push(line);
        if (!open)
            return status_no_memory("matching slices");
        open->place = moment->place;
        open->ordinal = reading->ordinal;
    } else if (type == TYPE_END && line->open) {
        open = &line->stack[--line->open];
        if (reading->ordinal - open->ordinal > LONG_SLICE)
            return keep_end(reading, open, moment->ns, moment->head->own_ticks, false);
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
        return look_at_whole(reading, line, moment, event->type);
    return code;
}

/* The end of a slice that is told whole, where the first walk kept it. */
static void find_end(struct perfetto_reading *reading, struct line_moment *moment)
{
    struct own_reading *own = &reading->own;

    while (own->next_end < own->end_count && own->ends[own->next_end].place < moment->place)
        own->next_end++;
    if (own->next_end < own->end_count && own->ends[own->next_end].place == moment->place) {
        moment->end = own->ends[own->next_end].end;
        moment->end_ticks = own->ends[own->next_end].ticks;
    }
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

static status tell_at_event(struct perfetto_reading *reading, struct line_moment *moment, struct trace_event *event)
{
    struct trace_line *line = moment->line;
    status code = STATUS_OK;

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
    if (code == STATUS_OK && line->own)
        tell_take_own(moment, event);
    if (code == STATUS_OK && line->again && event->type != TYPE_COUNTER)
        return again_keep(moment);
    if (reading->own.end_count && event->type == TYPE_BEGIN)
        find_end(reading, moment);
    return code == STATUS_OK ? tell_event(reading, moment, event) : code;
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
    moment.end = INT64_MIN;
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
        code = own_packet(reading, head->own);
    if (code == STATUS_OK && head->parts & PART_SNAPSHOT)
        return clocks_snapshot(&reading->clocks, head->snapshot, head->sequence, &used);
    if (head->flags & FLAG_NEEDS_STATE && (!sequence || !sequence->valid))
        return code;
    if (code == STATUS_OK && head->parts & PART_DESCRIPTOR && !reading->telling)
        code = lines_declare(reading, head->descriptor);
    if (code == STATUS_OK && head->parts & PART_OTHER && !(head->parts & PART_EVENT) && reading->telling)
        code = count_other(reading, head->other);
    return code;
}

static status take_packet(struct perfetto_reading *reading, const struct packet *packet)
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
        code = packets_next(&reading->packets, &packet, &end);
        if (code != STATUS_OK || end == PACKETS_WHOLE)
            break;
        code = end == PACKETS_MORE ? take_packet(reading, &packet) : lose_row(reading, reasons[end], packet.place);
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
    for (size_t i = 0; i < reading->lines.count && code == STATUS_OK; i++) {
        struct trace_line *line = line_at(reading, (uint32_t)i);

        line->again = line->disordered || line->ends_say || (line->own && line->role == OWN_ROLE_LATE);
        *any_again |= line->again;
        while (code == STATUS_OK && line->open)
            code = keep_end(reading, &line->stack[--line->open], reading->last, 0, true);
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
        if (reading->own.ends[i].unfinished)
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
        code = note_others(reading);
    join_losses(reading);
    return code;
}

static status perfetto_read(struct source *source, struct feed *feed)
{
    struct perfetto_reading reading = {
        .source = source, .feed = feed, .strings = feed->strings, .clock = NO_ID, .keys = feed->sink.calls->keys
    };
    bool any_again = false;
    status code;

    packets_start(&reading.packets, source->input);
    clocks_start(&reading.clocks);
    clocks_start(&reading.all_clocks);
    sequences_start(&reading.sequences, feed->strings, false, &reading.redefined);
    column_start(&reading.lines, sizeof(struct trace_line));
    column_start(&reading.others, sizeof(struct other_kind));
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

/* ---- Which files ---- */

/* Whether a packet can be one of a trace: no field that it knows has another type. */
static bool looks_like_packet(struct wire wire, bool *certain)
{
    static const uint32_t messages[] = { 1, 2, 6, 11, 12, 36, 50, 59, 60 },
                          numbers[] = { 3, 8, 10, 13, 41, 42, 58, 79, 87 };
    struct wire_field field;

    while (wire_next(&wire, &field)) {
        for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
            if (field.tag >> 3 == messages[i] && (field.tag & 7) != WIRE_LENGTH)
                return false;
            *certain |= field.tag == WIRE_TAG(messages[i], WIRE_LENGTH) && messages[i] > 5;
        }
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            if (field.tag >> 3 == numbers[i] && (field.tag & 7) != WIRE_VARINT)
                return false;
    }
    return !wire_broken(&wire);
}

static int perfetto_probe(struct text head, const char *path)
{
    enum { LOOKED_AT = 8, CERTAIN = 90, DAMAGED = 60, LIKELY = 30 };
    struct wire wire = wire_of((const unsigned char *)head.data, head.length);
    struct wire_field field;
    unsigned packets = 0;
    bool certain = false;

    (void)path;
    if (!head.length || head.data[0] != WIRE_TAG(TRACE_PACKET, WIRE_LENGTH))
        return 0;
    while (packets < LOOKED_AT && wire_next(&wire, &field)) {
        bool before = certain;

        if (field.tag != WIRE_TAG(TRACE_PACKET, WIRE_LENGTH) || !looks_like_packet(wire_inside(&field), &certain))
            return before ? DAMAGED : 0;
        packets++;
    }
    /* A first packet that is larger than what was looked at, or cut off. */
    if (!packets)
        return wire_broken(&wire) && head.length == INPUT_HEAD ? LIKELY : 0;
    return certain ? CERTAIN : LIKELY;
}

static const struct loss_reason *const losses[] = {
    &perfetto_loss_packet,
    &perfetto_loss_foreign,
    &perfetto_loss_packed,
    &perfetto_loss_cut,
    &perfetto_loss_sequence,
    &perfetto_loss_state,
    &perfetto_loss_time,
    &perfetto_loss_range,
    &perfetto_loss_clock,
    &perfetto_loss_type,
    &perfetto_loss_legacy,
    &perfetto_loss_counter,
    &perfetto_loss_value,
    &perfetto_loss_extra,
    &perfetto_loss_end,
    &perfetto_loss_parent,
    &perfetto_loss_deep,
    &perfetto_loss_overlap,
    &perfetto_loss_open,
    &perfetto_loss_misplaced,
    &perfetto_loss_argument,
    &perfetto_loss_text,
    NULL,
};

const struct reader perfetto_reader = {
    .id = "perfetto",
    .title = "Perfetto trace",
    .kind = READER_MEASURED,
    .files = "*.pb, *.pftrace, *.perfetto-trace",
    .begins = true,
    .probe = perfetto_probe,
    .read = perfetto_read,
    .losses = losses,
};
