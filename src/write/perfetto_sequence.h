/* perfetto_sequence.h: one packet sequence of a Perfetto trace: its number, its clock, and the texts it has named.
 *
 * A lane is a sequence of its own, so that its packets need no track, and times are differences to the one before; lanes with
 * few slices share one, with absolute times, and their packets name the track.
 * Texts are written once per sequence and named by small numbers (iids) from then on. A sequence owns its maps.
 */
#ifndef WRITE_PERFETTO_SEQUENCE_H
#define WRITE_PERFETTO_SEQUENCE_H

#include <assert.h>

#include "base/strings.h"
#include "trace/model.h"
#include "write/proto.h"

/* Field numbers of the messages that we write. */
enum {
    TRACE_PACKET = 1,

    PACKET_CLOCK_SNAPSHOT = 6,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED_DATA = 12,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_TIMESTAMP_CLOCK = 58,
    PACKET_DEFAULTS = 59,
    PACKET_TRACK_DESCRIPTOR = 60,

    DEFAULTS_TRACK_EVENT = 11,
    DEFAULTS_CLOCK = 58,

    SNAPSHOT_CLOCK = 1,
    CLOCK_ID = 1,
    CLOCK_TIMESTAMP = 2,
    CLOCK_IS_INCREMENTAL = 3,
    CLOCK_UNIT = 4,

    EVENT_CATEGORY_IID = 3,
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK = 11,
    EVENT_NAME = 23,
    EVENT_COUNTER_VALUE = 30,
    EVENT_COUNTER_DECIMAL = 44,
    EVENT_FLOW = 47,

    ANNOTATION_NAME_IID = 1,
    ANNOTATION_BOOLEAN = 2,
    ANNOTATION_UNSIGNED = 3,
    ANNOTATION_INTEGER = 4,
    ANNOTATION_DECIMAL = 5,
    ANNOTATION_TEXT = 6,
    ANNOTATION_POINTER = 7,
    ANNOTATION_NAME = 10,
    ANNOTATION_DICTIONARY = 11,
    ANNOTATION_ARRAY = 12,
    ANNOTATION_TEXT_IID = 17,

    INTERNED_CATEGORY = 1,
    INTERNED_NAME = 2,
    INTERNED_ANNOTATION_NAME = 3,
    INTERNED_ANNOTATION_TEXT = 29,
    ENTRY_IID = 1,
    ENTRY_TEXT = 2,
};

enum { FLAG_STATE_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum { CLOCK_BOOTTIME = 6, CLOCK_OF_SEQUENCE = 64 };
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };

/* String ids to iids, 256 to a page; pages exist only where the sequence uses them. */
enum { ID_PAGE_BITS = 8, ID_PAGE_SIZE = 1 << ID_PAGE_BITS };

struct id_map {
    uint32_t **pages;  /* owned; NULL: nothing there is named */
    size_t page_count; /* of pages */
    uint32_t last;     /* iid given last */
};

/* 0: not named yet. */
static inline uint32_t id_map_get(const struct id_map *map, string_id id)
{
    size_t page = id >> ID_PAGE_BITS;

    return page < map->page_count && map->pages[page] ? map->pages[page][id & (ID_PAGE_SIZE - 1)] : 0;
}

/* Gives `id`, which has none, the next iid. */
NODISCARD status id_map_add(struct id_map *map, string_id id, uint32_t *iid);
void id_map_free(struct id_map *map);

enum {
    SEQUENCE_HEAD = 8, /* tag, number of at most 5 bytes, flags */
    EVENT_ROOM = 64    /* enough for an event without annotations and interned texts */
};

struct sequence {
    unsigned char head[SEQUENCE_HEAD]; /* sequence number and flags, as every packet repeats them */
    uint8_t head_size;                 /* of head; 0: not started */
    bool absolute;                     /* times are not differences: for packets that are in no order */
    bool micro;                        /* differences count microseconds: the track's clock has no finer ones */
    uint32_t number;                   /* not 0; no other sequence has it */
    int64_t last;                      /* time of the packet before */
    struct id_map names;               /* of slices */
    struct id_map categories;          /* the same */
    struct id_map keys;                /* of annotations */
    struct id_map texts;               /* of annotations */
};

void sequence_start(struct sequence *sequence, uint32_t number, bool absolute, bool micro);
void sequence_free(struct sequence *sequence);

/* The first packet: clears the state, sets clock and track (0: none, packets name theirs). Needs 2 * EVENT_ROOM bytes. */
unsigned char *sequence_write_start(const struct sequence *sequence, unsigned char *to, uint64_t track_uuid);

/* Begin a packet at `time`; its body starts at to + 2, close it with `proto_close(to + 2, end)`. */
__attribute__((always_inline)) static inline unsigned char *sequence_packet(struct sequence *sequence,
                                                                            unsigned char *to, int64_t time)
{
    uint64_t delta;

    assert(sequence->head_size && time >= 0);
    *to = TRACE_PACKET << 3 | PROTO_LENGTH;
    to += 2;
    memcpy(to, sequence->head, SEQUENCE_HEAD);
    to += sequence->head_size;
    if (sequence->absolute)
        return proto_number(to, PACKET_TIMESTAMP, (uint64_t)time);
    if (time < sequence->last) { /* backwards: this packet alone names the trace's own clock */
        to = proto_number(to, PACKET_TIMESTAMP_CLOCK, CLOCK_BOOTTIME);
        return proto_number(to, PACKET_TIMESTAMP, (uint64_t)time);
    }
    delta = (uint64_t)(time - sequence->last);
    sequence->last = time;
    return proto_number(to, PACKET_TIMESTAMP, sequence->micro ? delta / 1000 : delta);
}

#endif
