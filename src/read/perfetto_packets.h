/* perfetto_packets.h: the packets of a Perfetto trace, from front to back or one that is asked for again.
 *
 *     file     | packet | packet | compressed packets | packet | ...
 *                                  | packet | packet |               places in there name the packet around them, too
 *
 * Packets lie in memory that is borrowed until the next call of the same kind. A struct packets owns its buffers until `packets_free`; the input is
 * borrowed.
 */
#ifndef READ_PERFETTO_PACKETS_H
#define READ_PERFETTO_PACKETS_H

#include "base/column.h"
#include "base/input.h"
#include "read/perfetto_wire.h"
#include "trace/perfetto_fields.h"

/* Where a packet is; the places of a trace ascend in the order of its packets. */
typedef uint64_t packet_place;

struct packet {
    const unsigned char *data; /* its body */
    size_t length;             /* of it */
    packet_place place;        /* for `packets_again` */
};

/* Bytes that lie somewhere in a file. */
struct packet_window {
    unsigned char *data; /* owned */
    size_t capacity;     /* of data */
    size_t length;       /* that were read */
    uint64_t start;      /* in the file, of the first */
};

/* A packet that was unpacked. */
struct packet_block {
    char *data;      /* owned */
    size_t capacity; /* of data */
    size_t length;   /* of what is there */
    uint64_t start;  /* in the file, of the packet that it was in; UINT64_MAX: nothing is there */
    uint64_t last;   /* when it was used */
};

/* How the walk ended, or what could not be walked over. */
enum packets_end {
    PACKETS_MORE,    /* it did not */
    PACKETS_WHOLE,   /* behind the last packet */
    PACKETS_CUT,     /* in a packet that is not there to its end */
    PACKETS_FOREIGN, /* at bytes that are no packet */
    PACKETS_PACKED   /* in the packets that another one holds */
};

enum { PACKET_BLOCKS = 8 };

/* Bytes that the walk goes over: those of a window, or of a packet that was unpacked. */
struct packet_span {
    const unsigned char *start;    /* borrowed */
    const unsigned char *at, *end; /* what is left of them */
    packet_place place;            /* of a packet at the start */
    unsigned shift;                /* of a byte in places */
};

struct packets {
    struct input *input;                       /* borrowed */
    struct packet_span span;                   /* of the walk */
    bool inside;                               /* it goes over `inner`, else over the window */
    struct packet_window window;               /* of the walk */
    struct packet_window aside;                /* of packets that are asked for */
    uint64_t offset;                           /* in the file, of what comes behind the span */
    struct packet_block inner;                 /* of the walk */
    struct packet_block blocks[PACKET_BLOCKS]; /* of packets that are asked for */
    uint64_t uses;                             /* of them */
};

void packets_start(struct packets *packets, struct input *input);
void packets_free(struct packets *packets);
void packets_rewind(struct packets *packets);

/* What `packets_next` does where the span does not begin with a packet. */
NODISCARD status packets_far(struct packets *packets, struct packet *packet, enum packets_end *end);

/* The next packet, or why there is none: `*end`. After PACKETS_PACKED it may be called again: packets in another one ended before their end. */
NODISCARD static inline status packets_next(struct packets *packets, struct packet *packet, enum packets_end *end)
{
    struct packet_span *span = &packets->span;
    const unsigned char *at = span->at;
    struct wire bytes = { .at = at, .end = span->end };
    struct wire body;

    /* Nearly every packet is there as a whole already, and most are short. */
    if (span->end - at >= 2 && at[0] == WIRE_TAG(TRACE_PACKET, WIRE_LENGTH) && at[1] < 0x80 &&
        span->end - at - 2 >= at[1]) {
        body = wire_of(at + 2, at[1]);
    } else {
        if (wire_tag(&bytes) != WIRE_TAG(TRACE_PACKET, WIRE_LENGTH))
            return packets_far(packets, packet, end);
        body = wire_message(&bytes);
        if (wire_broken(&bytes))
            return packets_far(packets, packet, end);
    }
    packet->data = body.at;
    packet->length = (size_t)(body.end - body.at);
    packet->place = span->place + ((uint64_t)(at - span->start) << span->shift);
    span->at = body.end;
    *end = PACKETS_MORE;
    return STATUS_OK;
}

/* The packet that came last holds others, packed: those come next. Not `*entered`: they cannot be unpacked, or the packet itself is in another. */
NODISCARD status packets_enter(struct packets *packets, const struct packet *packet, struct text packed, bool zstd,
                               bool *entered);
/* A packet that was there before. */
NODISCARD status packets_again(struct packets *packets, packet_place place, struct packet *packet);

/* The byte of the file at which it is, or the packet around it. */
uint64_t packet_byte(packet_place place);

/* ---- What is in a packet ---- */

enum packet_part {
    PART_TIMESTAMP = 1,
    PART_EVENT = 2,
    PART_INTERNED = 4,
    PART_DEFAULTS = 8,
    PART_DESCRIPTOR = 16,
    PART_SNAPSHOT = 32,
    PART_OWN = 64,
    PART_OWN_OPERATOR = 128,
    PART_OWN_RUN = 256,
    PART_PACKED = 512,
    PART_ZSTD = 1024,
    PART_DROPPED = 2048, /* packets before it were lost */
    PART_CLEARED = 4096, /* the state of its sequence begins here */
    PART_OTHER = 8192,   /* something of a kind that is not read */
    PARTS_OF_EVENT =
        PART_TIMESTAMP | PART_EVENT | PART_OWN_OPERATOR | PART_OWN_RUN /* what most packets have, at most */
};

/* A packet, taken apart. */
struct packet_head {
    unsigned parts;                        /* enum packet_part: those that are there; the rest is not set */
    uint32_t clock;                        /* of its time; 0: the default */
    uint32_t sequence;                     /* 0: none */
    uint32_t flags;                        /* of the sequence */
    uint32_t other;                        /* field of a kind that is not read */
    uint64_t timestamp;                    /* in its clock */
    uint64_t own_operator, own_run;        /* plus 1 */
    uint64_t own_track;                    /* plus 1; 0: that of its line */
    int64_t own_ticks;                     /* beyond the first of its nanosecond */
    struct wire event, interned, defaults; /* messages in it */
    struct wire descriptor, snapshot, own; /* the same */
    struct text packed;                    /* packets in it */
};

#endif
