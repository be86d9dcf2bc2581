/* perfetto_plain.h: packets of one shape, taken apart at once.
 *
 *     sequence (1 or 2 bytes) | flags (1 byte) | time | event: begin, number of the name, arguments   or   event: end | operator, where it is another
 *
 * Nearly all packets of a trace that Tacho wrote are of it, on the track of their sequence, and these are the time that reading takes. They become the same
 * structs as all others. What is not of that shape, and what anything is missing for, goes the long way: nothing has changed then.
 */
#ifndef READ_PERFETTO_PLAIN_H
#define READ_PERFETTO_PLAIN_H

#include "read/perfetto_reading.h"

/* An event of that shape. */
struct plain {
    struct packet_sequence *sequence; /* of its packet */
    int64_t ns;                       /* time in the trace */
    uint32_t type;                    /* TYPE_BEGIN or TYPE_END */
    uint64_t name;                    /* number of it */
    struct wire arguments;            /* fields of these, with tags and lengths of one byte each, which fit */
    uint64_t op;                      /* number of the operator that slices of the name have from here on, plus 1 */
    bool says_op;                     /* else it is that of the last one of the name */
};

/* What is behind the event: an operator, or nothing. False: it is not of that shape. */
static inline bool plain_rest(struct wire rest, struct plain *plain)
{
    enum { TAG = WIRE_TAG(PACKET_OWN_OPERATOR, WIRE_VARINT) };

    plain->says_op = rest.at < rest.end;
    if (!plain->says_op)
        return true;
    if (rest.end - rest.at < 3 || rest.at[0] != ((TAG & 0x7F) | 0x80) || rest.at[1] != TAG >> 7)
        return false;
    rest.at += 2;
    plain->op = wire_number(&rest);
    return rest.at == rest.end && !wire_broken(&rest);
}

/* The event of a packet, from its type on; its sequence and time. The same. */
static inline bool plain_packet(const struct packet *packet, uint32_t *sequence, uint64_t *timestamp,
                                struct wire *event, struct wire *rest)
{
    const uint64_t tags = WIRE_TAG(PACKET_SEQUENCE_FLAGS, WIRE_VARINT) | FLAG_NEEDS_STATE << 8 |
                          WIRE_TAG(PACKET_TIMESTAMP, WIRE_VARINT) << 16;
    struct wire wire = wire_of(packet->data, packet->length);
    uint64_t bytes, longer;

    if (packet->length < sizeof bytes)
        return false;
    bytes = wire_fixed64(wire.at);
    longer = bytes >> 15 & 1;
    if ((bytes & 0xFF) != WIRE_TAG(PACKET_SEQUENCE, WIRE_VARINT) || (bytes >> 23 & longer) ||
        (bytes >> (16 + 8 * longer) & 0xFFFFFF) != tags)
        return false;
    *sequence = (bytes >> 8 & 0x7F) | (bytes >> 9 & 0x3F80 & -longer);
    wire.at += 5 + longer;
    *timestamp = wire_varied(&wire);
    if (wire.end - wire.at < 4 || wire.at[0] != WIRE_TAG(PACKET_TRACK_EVENT, WIRE_LENGTH) || wire.at[1] < 2 ||
        wire.at[1] > wire.end - wire.at - 2 || wire.at[1] >= 0x80)
        return false;
    *event = (struct wire){ wire.at + 2, wire.at + 2 + wire.at[1] };
    *rest = (struct wire){ event->end, wire.end };
    return true;
}

/* Its type, its name and its arguments. The same. */
static inline bool plain_event(struct wire wire, struct plain *plain)
{
    const unsigned char *at = wire.at;

    if (at[0] != WIRE_TAG(EVENT_TYPE, WIRE_VARINT))
        return false;
    plain->type = at[1];
    plain->name = 0;
    wire.at += 2;
    if (plain->type == TYPE_END)
        return wire.at == wire.end;
    if (plain->type != TYPE_BEGIN || wire.at == wire.end || *wire.at != WIRE_TAG(EVENT_NAME_IID, WIRE_VARINT))
        return false;
    wire.at++;
    plain->name = wire_number(&wire);
    plain->arguments = wire;
    for (at = wire.at; at < wire.end; at += 2 + at[1])
        if (wire.end - at < 2 || at[0] != WIRE_TAG(EVENT_ANNOTATION, WIRE_LENGTH) || at[1] >= 0x80 ||
            wire.end - at - 2 < at[1])
            return false;
    return !wire_broken(&wire);
}

/* Whether all that plain events of a sequence need is known already. It stays so until a packet comes that is not plain. */
static inline bool plain_check(const struct perfetto_reading *reading, struct packet_sequence *sequence)
{
    const struct trace_line *line = sequence->last_line;
    const struct trace_clock *clock = sequence->clock;

    if (!sequence->valid || !line || line->uuid != sequence->defaults.track || line->name == NO_ID ||
        line->is_elsewhere)
        return false;
    if (!clock || sequence->clock_id != sequence->defaults.clock || !clock->settled || !clock->incremental)
        return false;
    sequence->plain_low = clock->delta < 0 && clock->low < -clock->delta ? -clock->delta : clock->low;
    sequence->plain_whole = line->own && line->role == OWN_ROLE_WHOLE && !line->again && line->track != NO_ID;
    sequence->plain_since = reading->unlike;
    return true;
}

/* Its sequence and time. The same; nothing has changed then. */
static inline bool plain_moment(const struct perfetto_reading *reading, uint32_t number, uint64_t timestamp,
                                struct plain *plain)
{
    struct packet_sequence *sequence = reading->sequences.near[number % SEQUENCES_NEAR];
    struct trace_clock *clock;
    int64_t value;

    if (!sequence || sequence->number != number ||
        (__builtin_expect(sequence->plain_since != reading->unlike, 0) && !plain_check(reading, sequence)))
        return false;
    if (plain->says_op && reading->telling && !sequence->plain_whole)
        return false;
    clock = sequence->clock;
    value = (int64_t)((uint64_t)clock->last + timestamp * clock->unit);
    if (value < sequence->plain_low || value >= clock->high)
        return false;
    clock->last = value;
    plain->sequence = sequence;
    plain->ns = (int64_t)((uint64_t)value + (uint64_t)clock->delta);
    return true;
}

static inline bool plain_take(const struct perfetto_reading *reading, const struct packet *packet, struct plain *plain)
{
    struct wire event, rest;
    uint64_t timestamp;
    uint32_t number;

    return plain_packet(packet, &number, &timestamp, &event, &rest) && plain_event(event, plain) &&
           plain_rest(rest, plain) && plain_moment(reading, number, timestamp, plain);
}

/* ---- perfetto_tell.c: on a line of which nothing else has to be asked (`plain_whole`), what such an event begins or ends ---- */

NODISCARD status tell_plain_begin(struct perfetto_reading *reading, const struct plain *plain, packet_place place);
NODISCARD status tell_plain_end(struct perfetto_reading *reading, const struct plain *plain, packet_place place);

#endif
