/* recording_writer.h: writes recordings in memory as the recorder does, for tests, fuzzing and fixtures.
 *
 * A writer holds one file: recordings one behind the other, each with a head, chunks of names and chunks of threads. Times are ticks of the
 * recording's clock. What a crash leaves is made by not finishing: chunks stay in use. A writer owns its memory until `recording_free`;
 * what fails sticks, and `recording_data` tells.
 *
 *     recording_begin_process(&writer, 4711, 0);
 *     site = recording_add_site(&writer, "decode", "main", "main.c", 12, 0);
 *     recording_add_thread(&writer, 0, 4711, "main");
 *     recording_zone(&writer, 0, RECORD_BEGIN, 1000, site);
 *     recording_zone(&writer, 0, RECORD_END, 2000, site);
 *     recording_finish(&writer);
 *     recording_data(&writer, &data, &size)
 */
#ifndef TESTS_RECORDING_WRITER_H
#define TESTS_RECORDING_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/format.h"

enum { WRITER_THREADS = 64, WRITER_VALUES = 3 };

/* A record of any kind. */
struct written_record {
    enum recording_kind kind;       /* of it */
    uint64_t word;                  /* time or value */
    uint32_t id;                    /* site, thread, ... */
    unsigned value_count;           /* of values */
    uint64_t values[WRITER_VALUES]; /* behind it */
    uint32_t types[WRITER_VALUES];  /* of each */
    const char *text;               /* NULL: none */
    size_t text_length;             /* of it; 0: up to its NUL */
};

struct recording_writer {
    unsigned char *memory;          /* the file; owned */
    size_t size, capacity;          /* bytes */
    bool failed;                    /* no memory */
    size_t head;                    /* offset of the head of the current recording */
    uint64_t sequence;              /* of the chunk that was handed out last */
    uint32_t sites;                 /* numbered so far */
    uint32_t names;                 /* chunk of names; 0: none */
    uint32_t names_used;            /* bytes of it */
    uint32_t chunk[WRITER_THREADS]; /* of each thread; 0: none */
    uint32_t used[WRITER_THREADS];  /* bytes of it */
    uint32_t ring_next;             /* of the ring */
};

void recording_free(struct recording_writer *writer);

/* A new recording behind what is there. `ring` chunks of a ring; 0: none. The clock is CLOCK_MONOTONIC, which starts at 1000. */
void recording_begin_process(struct recording_writer *writer, uint32_t pid, uint32_t ring);
struct recording_head *recording_head(struct recording_writer *writer);
/* A chunk of the current recording. */
struct recording_chunk *recording_chunk(struct recording_writer *writer, uint32_t index);

uint32_t recording_add_site(struct recording_writer *writer, const char *name, const char *function, const char *file,
                            uint32_t line, uint32_t flags);
void recording_add_thread(struct recording_writer *writer, uint32_t number, uint64_t system, const char *name);
/* Into the chunk of names. */
void recording_name(struct recording_writer *writer, const struct written_record *record);
/* Into the chunk of a thread. Returns where its first slot is in the file: valid until the next call; NULL: no memory. */
uint64_t *recording_put(struct recording_writer *writer, uint32_t thread, const struct written_record *record);
/* A begin, end, instant, frame: no values, no text. */
void recording_zone(struct recording_writer *writer, uint32_t thread, enum recording_kind kind, uint64_t time,
                    uint32_t site);
/* The thread gets a new chunk for its next record. */
void recording_next_chunk(struct recording_writer *writer, uint32_t thread);
/* The thread ends, and another goes on in its chunk. */
void recording_hand_over(struct recording_writer *writer, uint32_t from, uint32_t to, uint64_t time);

/* Seals a chunk that is as long as its `used` says. */
void recording_seal(struct recording_writer *writer, uint32_t index);
/* Seals all that is open; the recording is closed. */
void recording_finish(struct recording_writer *writer);

/* The file, which the writer owns; false: no memory. */
bool recording_data(const struct recording_writer *writer, const void **data, size_t *size);

#endif
