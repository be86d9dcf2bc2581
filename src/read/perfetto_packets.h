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

struct packets {
    struct input *input;                       /* borrowed */
    struct packet_window window;               /* of the walk */
    struct packet_window aside;                /* of packets that are asked for */
    uint64_t offset;                           /* in the file, of what comes next */
    struct packet_block inner;                 /* of the walk */
    size_t inner_at;                           /* in it; its length: nothing is left */
    struct packet_block blocks[PACKET_BLOCKS]; /* of packets that are asked for */
    uint64_t uses;                             /* of them */
};

void packets_start(struct packets *packets, struct input *input);
void packets_free(struct packets *packets);
void packets_rewind(struct packets *packets);

/* The next packet, or why there is none: `*end`. After PACKETS_PACKED it may be called again: packets in another one ended before their end. */
NODISCARD status packets_next(struct packets *packets, struct packet *packet, enum packets_end *end);
/* The packet that came last holds others, packed: those come next. Not `*entered`: they cannot be unpacked, or the packet itself is in another. */
NODISCARD status packets_enter(struct packets *packets, const struct packet *packet, struct text packed, bool zstd,
                               bool *entered);
/* A packet that was there before. */
NODISCARD status packets_again(struct packets *packets, packet_place place, struct packet *packet);

/* The byte of the file at which it is, or the packet around it. */
uint64_t packet_byte(packet_place place);

#endif
