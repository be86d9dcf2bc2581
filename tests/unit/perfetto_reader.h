/* perfetto_reader.h: reads a trace back, for tests. Fails the test on everything that an importer would drop.
 *
 * Include after <cmocka.h>. A trace that was read borrows its texts from the bytes, and owns the rest until
 * `read_trace_free`.
 */
#ifndef PERFETTO_READER_H
#define PERFETTO_READER_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "write/proto.h"

enum { MOST_SEQUENCES = 64, MOST_IIDS = 2048, KINDS = 4, MOST_TRACKS = 64, MOST_FLOWS = 8, DEEPEST = 256 };

struct piece {
    const unsigned char *data;
    size_t length;
};

struct field {
    uint32_t number;
    uint64_t value;     /* of a number */
    struct piece piece; /* of anything else */
};

struct read_argument {
    struct piece key;
    struct piece text; /* data NULL: no text */
    int64_t integer;   /* of a number: its bits */
    struct piece body; /* the whole annotation, for `show_argument` */
    const struct read_sequence *sequence;
};

struct read_event {
    int64_t time;
    size_t order;
    uint64_t type, track, flow; /* the first flow */
    uint64_t flows[MOST_FLOWS];
    size_t flow_count;
    int64_t value;
    struct piece name, category;
    const struct read_argument *arguments; /* set after reading: they lie in the trace */
    size_t first_argument, argument_count;
    int64_t end; /* of a begin, after pairing */
};

struct read_track {
    struct piece name, unit, description;
    uint64_t parent, pid, unit_number;
    int64_t rank;
    bool known, counter, explicit_order;
};

struct read_sequence {
    bool started, incremental;
    int64_t last;
    uint64_t track;
    struct piece texts[KINDS][MOST_IIDS];
};

struct read_trace {
    struct read_event *events;
    size_t count, capacity;
    struct read_argument *arguments; /* of all events */
    size_t argument_count, argument_capacity;
    struct read_track tracks[MOST_TRACKS];
    struct read_sequence *sequences;
    size_t packets;
};

static uint64_t read_varint(struct piece *from)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        unsigned char byte;

        assert_true(from->length > 0);
        byte = *from->data++;
        from->length--;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    fail_msg("a number that does not end");
    return 0;
}

static bool next_field(struct piece *from, struct field *field)
{
    uint64_t tag;

    if (!from->length)
        return false;
    tag = read_varint(from);
    *field = (struct field){ .number = (uint32_t)(tag >> 3) };
    if ((tag & 7) == PROTO_VARINT) {
        field->value = read_varint(from);
        return true;
    }
    assert_true((tag & 7) == PROTO_LENGTH || (tag & 7) == PROTO_FIXED64);
    field->piece.length = (tag & 7) == PROTO_FIXED64 ? 8 : read_varint(from);
    assert_true(field->piece.length <= from->length);
    field->piece.data = from->data;
    from->data += field->piece.length;
    from->length -= field->piece.length;
    for (unsigned i = 0; (tag & 7) == PROTO_FIXED64 && i < 8; i++)
        field->value |= (uint64_t)field->piece.data[i] << 8 * i;
    return true;
}

static unsigned kind_of(uint32_t interned_field)
{
    switch (interned_field) {
    case 1:
        return 0;
    case 2:
        return 1;
    case 3:
        return 2;
    default:
        assert_int_equal(interned_field, 29);
        return 3;
    }
}

static void read_interned(struct read_sequence *sequence, struct piece from)
{
    struct field entry, field;

    while (next_field(&from, &entry)) {
        uint64_t iid = 0;
        struct piece text = { NULL, 0 };

        while (next_field(&entry.piece, &field)) {
            if (field.number == 1)
                iid = field.value;
            else
                text = field.piece;
        }
        assert_true(iid > 0 && iid < MOST_IIDS && text.data);
        assert_null(sequence->texts[kind_of(entry.number)][iid].data); /* named once */
        sequence->texts[kind_of(entry.number)][iid] = text;
    }
}

static struct piece interned(const struct read_sequence *sequence, uint32_t field, uint64_t iid)
{
    struct piece text;

    assert_true(iid > 0 && iid < MOST_IIDS);
    text = sequence->texts[kind_of(field)][iid];
    assert_non_null(text.data);
    return text;
}

static void read_descriptor(struct read_trace *trace, struct piece from)
{
    struct read_track track = { .known = true };
    uint64_t uuid = 0;
    struct field field, inner;

    while (next_field(&from, &field)) {
        switch (field.number) {
        case 1:
            uuid = field.value;
            break;
        case 2:
            track.name = field.piece;
            break;
        case 3:
            while (next_field(&field.piece, &inner)) {
                if (inner.number == 1)
                    track.pid = inner.value;
                else
                    track.name = inner.piece;
            }
            break;
        case 5:
            track.parent = field.value;
            break;
        case 8:
            track.counter = true;
            while (next_field(&field.piece, &inner)) {
                if (inner.number == 3)
                    track.unit_number = inner.value;
                else
                    track.unit = inner.piece;
            }
            break;
        case 11:
            track.explicit_order = field.value == 3;
            break;
        case 12:
            track.rank = (int64_t)field.value;
            break;
        default:
            assert_true(field.number == 14 || field.number == 2040); /* what it shows; what is Tacho's own */
            if (field.number == 14)
                track.description = field.piece;
        }
    }
    assert_true(uuid < MOST_TRACKS);
    assert_false(trace->tracks[uuid].known);
    assert_true(!track.parent || trace->tracks[track.parent].known);
    trace->tracks[uuid] = track;
}

static void read_annotation(struct read_trace *trace, const struct read_sequence *sequence, struct piece from,
                            struct read_event *event)
{
    struct read_argument *argument;
    struct field field;

    assert_int_equal(
        memory_grow(&trace->arguments, &trace->argument_capacity, trace->argument_count + 1, sizeof *trace->arguments),
        STATUS_OK);
    argument = &trace->arguments[trace->argument_count++];
    *argument = (struct read_argument){ .body = from, .sequence = sequence };
    event->argument_count++;
    while (next_field(&from, &field)) {
        if (field.number == 1)
            argument->key = interned(sequence, 3, field.value);
        else if (field.number == 17)
            argument->text = interned(sequence, 29, field.value);
        else
            argument->integer = (int64_t)field.value;
    }
}

/* What can be shown of an annotation: `left` bytes are free at `to`. */
struct shown {
    char *to;
    size_t left;
};

static void show(struct shown *shown, const char *text, size_t length)
{
    assert_true(length < shown->left);
    memcpy(shown->to, text, length);
    shown->to += length;
    shown->left -= length;
    *shown->to = '\0';
}

static void show_value(struct shown *shown, const struct read_sequence *sequence, struct piece from);

/* A number in the field of its type: 5 is an integer, 5u unsigned, 5d a decimal. */
static void show_number(struct shown *shown, const struct field *field)
{
    char text[64];
    double decimal;

    memcpy(&decimal, &field->value, sizeof decimal);
    if (field->number == 2)
        snprintf(text, sizeof text, "%s", field->value ? "true" : "false");
    else if (field->number == 3)
        snprintf(text, sizeof text, "%" PRIu64 "u", field->value);
    else if (field->number == 4)
        snprintf(text, sizeof text, "%" PRId64, (int64_t)field->value);
    else if (field->number == 5)
        snprintf(text, sizeof text, "%.17gd", decimal);
    else
        snprintf(text, sizeof text, "0x%" PRIx64, field->value);
    show(shown, text, strlen(text));
}

static void show_text(struct shown *shown, struct piece text)
{
    show(shown, "'", 1);
    show(shown, (const char *)text.data, text.length);
    show(shown, "'", 1);
}

/* The entries of a dictionary or an array, which are all of one field. */
static void show_entries(struct shown *shown, const struct read_sequence *sequence, struct piece from)
{
    struct field field;
    uint32_t kind = 0;

    while (next_field(&from, &field)) {
        if (field.number != 11 && field.number != 12)
            continue;
        if (!kind)
            show(shown, field.number == 11 ? "{" : "[", 1);
        else
            show(shown, ",", 1);
        assert_true(!kind || kind == field.number);
        kind = field.number;
        show_value(shown, sequence, field.piece);
    }
    show(shown, kind == 11 ? "}" : "]", 1);
}

static void show_value(struct shown *shown, const struct read_sequence *sequence, struct piece from)
{
    struct piece body = from;
    struct field field;
    unsigned values = 0;

    while (next_field(&from, &field)) {
        if (field.number == 1)
            continue;
        if (field.number == 10) {
            show(shown, (const char *)field.piece.data, field.piece.length);
            show(shown, ":", 1);
            continue;
        }
        if (field.number == 11 || field.number == 12) {
            if (!values++)
                show_entries(shown, sequence, body);
            continue;
        }
        assert_int_equal(values++, 0); /* one value at most */
        if (field.number == 6)
            show_text(shown, field.piece);
        else if (field.number == 17)
            show_text(shown, interned(sequence, 29, field.value));
        else if (field.number >= 2 && field.number <= 7)
            show_number(shown, &field);
        else
            fail_msg("field %u in an annotation", field.number);
    }
    if (!values)
        show(shown, "nothing", 7);
}

/* The value as a text: 5, 5u, 5d, 0x5, true, 'text', {key:value,...}, [value,...], nothing. Valid until the next call. */
static inline const char *show_argument(const struct read_argument *argument)
{
    static char text[1 << 16];
    struct shown shown = { text, sizeof text };

    show_value(&shown, argument->sequence, argument->body);
    return text;
}

static void read_event(struct read_trace *trace, struct read_sequence *sequence, int64_t time, struct piece from)
{
    struct read_event event = {
        .time = time, .order = trace->count, .track = sequence->track, .first_argument = trace->argument_count
    };
    struct field field;

    while (next_field(&from, &field)) {
        if (field.number == 9)
            event.type = field.value;
        else if (field.number == 10)
            event.name = interned(sequence, 2, field.value);
        else if (field.number == 11)
            event.track = field.value;
        else if (field.number == 23)
            event.name = field.piece;
        else if (field.number == 3)
            event.category = interned(sequence, 1, field.value);
        else if (field.number == 30)
            event.value = (int64_t)field.value;
        else if (field.number == 47) {
            assert_true(event.flow_count < MOST_FLOWS);
            event.flows[event.flow_count++] = field.value;
        } else if (field.number == 4)
            read_annotation(trace, sequence, field.piece, &event);
        else
            fail_msg("field %u in an event", field.number);
    }
    event.flow = event.flows[0];
    assert_true(event.track < MOST_TRACKS && trace->tracks[event.track].known);
    assert_int_equal(event.type == 4, trace->tracks[event.track].counter);
    assert_int_equal(memory_grow(&trace->events, &trace->capacity, trace->count + 1, sizeof event), STATUS_OK);
    trace->events[trace->count++] = event;
}

static void read_defaults(struct read_sequence *sequence, struct piece from)
{
    struct field field, inner;

    while (next_field(&from, &field)) {
        if (field.number == 58) {
            assert_int_equal(field.value, 64);
            sequence->incremental = true;
            continue;
        }
        assert_int_equal(field.number, 11);
        assert_true(next_field(&field.piece, &inner));
        sequence->track = inner.value;
    }
}

static void read_packet(struct read_trace *trace, struct piece from)
{
    struct field fields[64] = { { .number = 0 } };
    struct field field;
    struct read_sequence *sequence = NULL;
    int64_t time;

    while (next_field(&from, &field)) {
        if (field.number >= 2040 && field.number <= 2043) /* Tacho's own */
            continue;
        assert_true(field.number < 64 && !fields[field.number].number); /* each field once */
        fields[field.number] = field;
    }
    if (fields[60].number)
        read_descriptor(trace, fields[60].piece);
    if (!fields[10].number)
        return;
    assert_true(fields[10].value > 0 && fields[10].value < MOST_SEQUENCES);
    sequence = &trace->sequences[fields[10].value];
    assert_int_equal(fields[13].value, sequence->started ? 2 : 1);
    sequence->started = true;
    if (fields[59].number)
        read_defaults(sequence, fields[59].piece);
    if (fields[12].number)
        read_interned(sequence, fields[12].piece);
    if (!fields[11].number)
        return;
    assert_true(fields[8].number);
    time = (int64_t)fields[8].value;
    if (fields[58].number)
        assert_int_equal(fields[58].value, 6);
    else if (sequence->incremental)
        time = sequence->last += time;
    assert_true(time >= 0);
    read_event(trace, sequence, time, fields[11].piece);
}

static int by_track_and_time(const void *a, const void *b)
{
    const struct read_event *first = a, *second = b;

    if (first->track != second->track)
        return first->track < second->track ? -1 : 1;
    if (first->time != second->time)
        return first->time < second->time ? -1 : 1;
    return first->order < second->order ? -1 : 1;
}

static void pair_events(struct read_trace *trace)
{
    struct read_event *stack[DEEPEST];
    size_t depth = 0;

    if (trace->count)
        qsort(trace->events, trace->count, sizeof *trace->events, by_track_and_time);
    for (size_t i = 0; i < trace->count; i++) {
        struct read_event *event = &trace->events[i];

        assert_true(!depth || stack[0]->track == event->track);
        if (event->type == 1) {
            assert_true(depth < DEEPEST);
            stack[depth++] = event;
        } else if (event->type == 2) {
            assert_true(depth > 0);
            stack[--depth]->end = event->time;
        }
    }
    assert_int_equal(depth, 0);
}

static inline struct read_trace read_trace(const char *data, size_t length)
{
    struct piece from = { (const unsigned char *)data, length };
    struct read_trace trace = { 0 };
    struct field packet;

    trace.sequences = calloc(MOST_SEQUENCES, sizeof *trace.sequences);
    assert_non_null(trace.sequences);
    while (next_field(&from, &packet)) {
        assert_int_equal(packet.number, 1);
        read_packet(&trace, packet.piece);
        trace.packets++;
    }
    for (size_t i = 0; i < trace.count; i++)
        trace.events[i].arguments =
            trace.events[i].argument_count ? trace.arguments + trace.events[i].first_argument : NULL;
    pair_events(&trace);
    return trace;
}

static inline void read_trace_free(struct read_trace *trace)
{
    memory_free(trace->events);
    memory_free(trace->arguments);
    free(trace->sequences);
}

static inline void assert_piece(struct piece piece, const char *text)
{
    assert_int_equal(piece.length, strlen(text));
    if (piece.length)
        assert_memory_equal(piece.data, text, piece.length);
}

/* The n-th event with this name. */
static inline const struct read_event *find_event(const struct read_trace *trace, const char *name, unsigned n)
{
    for (size_t i = 0; i < trace->count; i++) {
        const struct piece *found = &trace->events[i].name;

        if (found->length == strlen(name) && memcmp(found->data, name, found->length) == 0 && !n--)
            return &trace->events[i];
    }
    fail_msg("no event %s", name);
    return NULL;
}

/* The argument with this key; NULL: there is none. */
static inline const struct read_argument *find_argument(const struct read_event *event, const char *key)
{
    for (size_t i = 0; i < event->argument_count; i++) {
        const struct piece *found = &event->arguments[i].key;

        if (found->length == strlen(key) && memcmp(found->data, key, found->length) == 0)
            return &event->arguments[i];
    }
    return NULL;
}

/* Its value, as `show_argument` has it. */
static inline void assert_argument(const struct read_event *event, const char *key, const char *value)
{
    const struct read_argument *argument = find_argument(event, key);

    if (!argument)
        fail_msg("no argument %s", key);
    else
        assert_string_equal(show_argument(argument), value);
}

#endif
