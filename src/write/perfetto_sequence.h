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
#include "trace/perfetto_fields.h"
#include "write/proto.h"

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
    EVENT_ROOM = 96    /* enough for an event without annotations and interned texts */
};

/* What slices of a name carried last because of their operator: nearly always the next one carries the same. */
enum { NAMED_ROOM = 27, NAMED_NOT_KEPT = 255 };

struct named_slice {
    uint32_t op;                     /* plus 1; 0: none */
    uint8_t size;                    /* of bytes; NAMED_NOT_KEPT: they are not there */
    unsigned char bytes[NAMED_ROOM]; /* annotations that say the operator, as they are written */
};

struct sequence {
    unsigned char head[SEQUENCE_HEAD]; /* sequence number and flags, as every packet repeats them */
    uint8_t head_size;                 /* of head; 0: not started */
    bool absolute;                     /* times are not differences: for packets that are in no order */
    bool micro;                        /* differences count microseconds: the track's clock has no finer ones */
    bool operators;                    /* some slice so far had one: else none of `named` has */
    uint32_t number;                   /* not 0; no other sequence has it */
    int64_t last;                      /* time of the packet before */
    struct id_map names;               /* of slices */
    struct id_map categories;          /* the same */
    struct id_map keys;                /* of annotations */
    struct id_map texts;               /* of annotations */
    struct named_slice *named;         /* by iid of a name; owned */
    size_t named_capacity;             /* of named */
    uint32_t run;                      /* of the last slice, plus 1; 0: none */
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
