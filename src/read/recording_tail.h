/* recording_tail.h: a recording that is still being made, pushed into a feed as it comes.
 *
 * The reader of finished recordings knows all before it tells anything; this one tells what there is, each time that it is asked, and never
 * again. So it tells zones (begin and end, with the names of their sites and threads), counters and messages of one process, and leaves
 * out arguments, flows and devices. It owns what it keeps until `recording_tail_free`; the feed is borrowed.
 */
#ifndef READ_RECORDING_TAIL_H
#define READ_RECORDING_TAIL_H

#include "read/reader.h"
#include "read/recording_image.h"

struct recording_tail;

/* What is known of the process. */
struct tail_facts {
    enum image_state state; /* of its recording */
    const char *program;    /* its name; "": not known yet */
    uint32_t pid;           /* 0: not known yet */
    uint32_t threads;       /* that recorded something */
    uint64_t zones;         /* that began */
    uint64_t open;          /* of those, that have not ended */
    uint64_t dropped;       /* records that there was no room for */
    uint64_t lost;          /* records that could not be used */
    int64_t now;            /* ns from its start to the last record */
    double cost;            /* ns that a zone costs */
};

/* `where` and `token` as recording_image_start has them; texts are borrowed. */
NODISCARD status recording_tail_open(const char *where, const char *token, struct feed *feed,
                                     struct recording_tail **tail);
/* A program that is connected already, as recording_image_attach has it. Before the first look. */
NODISCARD status recording_tail_attach(struct recording_tail *tail, int socket);
/* A file that is open already, as recording_image_attach_file has it. The same. */
void recording_tail_attach_file(struct recording_tail *tail, int file);
/* NULL is fine. */
void recording_tail_free(struct recording_tail *tail);

/* Waits for more, at most so long, and pushes it. */
NODISCARD status recording_tail_look(struct recording_tail *tail, int milliseconds);
/* After the last look: zones that are open end where the recording does. */
NODISCARD status recording_tail_end(struct recording_tail *tail);

void recording_tail_facts(const struct recording_tail *tail, struct tail_facts *facts);
/* The zones that are open now, for a person: "decode > matmul; load". */
void recording_tail_open_zones(const struct recording_tail *tail, char *to, size_t size);

#endif
