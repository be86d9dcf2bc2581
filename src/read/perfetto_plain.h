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

enum { PLAIN_BEHIND = 16 }; /* bytes behind a packet that may be looked at */

/* An event of that shape. */
struct plain {
    struct packet_sequence *sequence; /* of its packet */
    int64_t ns;                       /* time in the trace */
    uint32_t type;                    /* TYPE_BEGIN or TYPE_END */
    uint64_t name;                    /* number of it */
    struct wire
        arguments; /* fields of these, with tags and lengths of one byte each, which fit; PLAIN_BEHIND bytes behind them may be looked at */
    uint64_t op;   /* number of the operator that slices of the name have from here on, plus 1 */
    bool says_op;  /* else it is that of the last one of the name */
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

/* What stands before the time of a packet, from its own head on: its length, its sequence, of one byte or of two, and its flags. How many bytes that are; 0:
 * it is not of that shape. */
static inline size_t plain_head(uint64_t bytes, uint32_t *sequence)
{
    const uint64_t tag = WIRE_TAG(TRACE_PACKET, WIRE_LENGTH) | WIRE_TAG(PACKET_SEQUENCE, WIRE_VARINT) << 16;
    const uint64_t behind = WIRE_TAG(PACKET_SEQUENCE_FLAGS, WIRE_VARINT) | FLAG_NEEDS_STATE << 8 |
                            WIRE_TAG(PACKET_TIMESTAMP, WIRE_VARINT) << 16;

    *sequence = bytes >> 24 & 0x7F;
    if ((bytes & 0xFFFFFF80FF80FF) == (behind << 32 | tag))
        return 7;
    *sequence |= bytes >> 25 & 0x3F80;
    return (bytes & 0xFFFFFF8080FF80FF) == (behind << 40 | 0x80000000 | tag) ? 8 : 0;
}

/* The event of a begin, whose first bytes these are: its name and its arguments, and what is behind it. Numbers of names have one byte or two as it happens,
 * which no processor foresees: they are read without asking how long they are. */
static inline bool plain_begin(struct wire wire, uint64_t bytes, struct plain *plain)
{
    enum { HEAD = 5 }; /* tags and length of the event, its type, and the tag of the name */
    const uint64_t tags = WIRE_TAG(PACKET_TRACK_EVENT, WIRE_LENGTH) | WIRE_TAG(EVENT_TYPE, WIRE_VARINT) << 16 |
                          TYPE_BEGIN << 24 | (uint64_t)WIRE_TAG(EVENT_NAME_IID, WIRE_VARINT) << 32;
    const unsigned char *end = wire.at + 2 + (bytes >> 8 & 0xFF), *at;
    struct wire_number name = wire_near_at(wire.at + HEAD);

    if ((bytes & 0xFFFFFF80FF) != tags || end > wire.end || !name.at || name.at > end)
        return false;
    for (at = name.at; at < end; at += 2 + at[1]) /* a length of two bytes would not fit: an event is shorter */
        if (end - at < 2 || at[0] != WIRE_TAG(EVENT_ANNOTATION, WIRE_LENGTH) || end - at - 2 < at[1])
            return false;
    plain->type = TYPE_BEGIN;
    plain->name = name.value;
    plain->arguments = (struct wire){ name.at, end };
    return plain_rest((struct wire){ end, wire.end }, plain);
}

/* The event of a packet, which is all that is left of it. The same. */
static inline bool plain_event(struct wire wire, struct plain *plain)
{
    const uint32_t end =
        WIRE_TAG(PACKET_TRACK_EVENT, WIRE_LENGTH) | 2 << 8 | WIRE_TAG(EVENT_TYPE, WIRE_VARINT) << 16 | TYPE_END << 24;
    uint64_t bytes = wire_fixed64(wire.at);

    if ((uint32_t)bytes != end || wire.end != wire.at + 4)
        return plain_begin(wire, bytes, plain);
    plain->type = TYPE_END;
    plain->says_op = false;
    return true;
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
static inline bool plain_moment(const struct perfetto_reading *reading, bool telling, uint32_t number,
                                uint64_t timestamp, struct plain *plain)
{
    struct packet_sequence *sequence = reading->sequences.near[number % SEQUENCES_NEAR];
    struct trace_clock *clock;
    int64_t value;

    if (!sequence || sequence->number != number ||
        (__builtin_expect(sequence->plain_since != reading->unlike, 0) && !plain_check(reading, sequence)))
        return false;
    if (plain->says_op && telling && !sequence->plain_whole)
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

/* The packet that some bytes begin with, if it is plain and bytes behind it may be looked at, too; and what is behind it. `telling` is the reading's, known as
 * the caller is compiled. */
__attribute__((always_inline)) static inline bool plain_take(const struct perfetto_reading *reading, bool telling,
                                                             struct wire bytes, const unsigned char **behind,
                                                             struct plain *plain)
{
    enum { LONGEST = 2 + 0x7F };
    struct wire_number time;
    uint64_t head;
    uint32_t sequence;
    size_t before;

    /* Numbers in it are looked at eight bytes at once, wherever they end. */
    if (bytes.end - bytes.at < LONGEST + PLAIN_BEHIND)
        return false;
    head = wire_fixed64(bytes.at);
    before = plain_head(head, &sequence);
    time = wire_near_at(bytes.at + before);
    *behind = bytes.at + 2 + (head >> 8 & 0xFF);
    return before && time.at && plain_event((struct wire){ time.at, *behind }, plain) &&
           plain_moment(reading, telling, sequence, time.value, plain);
}

/* ---- perfetto_whole.c: on a line of which nothing else has to be asked (`plain_whole`), what such an event begins or ends ---- */

NODISCARD status tell_plain_begin(struct perfetto_reading *reading, const struct plain *plain, packet_place place);
NODISCARD status tell_plain_end(struct perfetto_reading *reading, const struct plain *plain, packet_place place);

#endif
