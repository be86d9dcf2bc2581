/* recorder.h: what the files of the recorder share. Nobody outside of this folder includes it.
 *
 * There is one recorder in a process, `the_recorder`. Its lock is held to start and stop, to write names and to greet a thread, a second
 * one to make the file longer; never for an event. Whoever takes a lock has its signals blocked, so a signal handler that records cannot
 * meet a lock of its own thread. Threads may record while the recording is stopped: those on the slow path are waited for, those that
 * have their slot already write into what is plain memory by then.
 *
 *     events.c, ops.c     what programs call: slots in the thread's chunk, or the slow path
 *     threads.c           the slow path: threads come, take chunks, go
 *     chunks.c            the file: mapped and reserved ahead, handed out chunk by chunk
 *     names.c             sites, threads, clocks, tracks: chunks of names
 *     session.c           start, stop, fork, exit, the environment, the helper thread, ties of the clock
 *     live.c              viewers
 *
 * Failure: what is asked by the program's user (start) says why; what happens while recording is counted in the head of the file.
 */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include "format.h"
#include "tacho/zone.h"

#pragma GCC visibility push(hidden)

enum {
    RECORDER_PATH = 4096, /* bytes of a path, with its end */
    RECORDER_EXTENT = 32, /* chunks by which the helper makes the file longer: 2 MiB */
    RECORDER_OWN = 4,     /* the same for a thread that found none ready: it waits for this */
    RECORDER_LEFT = 256   /* chunks of threads that ended, kept for others */
};

struct recorder {
    pthread_mutex_t lock;                /* of everything here but what is atomic */
    pthread_mutex_t growing;             /* of the file's length; taken inside of the other */
    uint32_t sessions;                   /* recordings so far: the next session's number */
    uint32_t inside;                     /* atomic: threads on the slow path, for whom the recording must stay */
    int file;                            /* of the recording; -1: none */
    bool opens_later;                    /* a child of fork: the file is made when something is recorded */
    char path[RECORDER_PATH];            /* of the file; "": not recording */
    char base_path[RECORDER_PATH];       /* as it was asked for: children name theirs after it */
    char children[RECORDER_PATH];        /* of the options */
    struct tacho_record_options options; /* of the recording; `path`, `live` and `children` point into this struct */
    char live[256];                      /* of the options */
    uint8_t *base;      /* address of chunk 0: a reserved range, of which the first `mapped` chunks are the file */
    size_t range;       /* bytes of the range */
    uint64_t zone_cost; /* of the head; children of fork have it from here */
    struct recording_head *head;   /* at base; atomic for those that only count in it */
    uint32_t cap;                  /* chunks that the file may have */
    uint32_t mapped;               /* chunks, atomic: mapped, blocks reserved */
    uint32_t ready;                /* chunks, atomic: also touched, so that nobody waits for a page */
    uint32_t claimed;              /* chunks, atomic: handed out in order; of a ring: of names */
    uint64_t sequence;             /* atomic: of the next chunk to hand out */
    uint64_t ring_next;            /* atomic: which chunk of the ring comes next */
    uint32_t full;                 /* atomic: the disk has no room; tried again now and then */
    uint32_t threads;              /* greeted in this recording */
    uint32_t left[RECORDER_LEFT];  /* chunks that ended threads left */
    uint32_t left_count;           /* of left */
    struct recording_chunk *names; /* chunk that names go to; NULL: none yet */
    uint32_t names_used;           /* bytes of it */
    uint32_t clocks;               /* of devices, so far */
    uint32_t tracks;               /* the same */
    bool helped;                   /* the helper thread runs */
    pthread_t helper;              /* makes the file longer ahead of need, ties the clock */
    sem_t wake;                    /* of the helper */
    sem_t begun;                   /* it runs */
    uint32_t asleep;               /* atomic: it waits */
    uint32_t ending;               /* atomic: it shall end */
};

extern struct recorder the_recorder;

/* Signals are blocked while the lock is held, and the thread cannot be cancelled. */
struct recorder_guard {
    sigset_t before; /* the thread's signals */
    int cancelled;   /* whether it could be cancelled */
};
void recorder_lock(struct recorder_guard *guard);
void recorder_unlock(const struct recorder_guard *guard);
void recorder_block(struct recorder_guard *guard); /* no lock */
void recorder_unblock(const struct recorder_guard *guard);

/* chunks.c */
/* Makes the file and its first chunks. 0, or errno. Under the lock. */
int chunks_open(const char *path, bool replace, uint64_t cap_mb, uint64_t ring_mb);
void chunks_close(
    void); /* cuts the file to what was handed out; keeps the range as plain memory for threads that still write */
void chunks_forget(void); /* the same in a child of fork, which must not touch its parent's file */
/* A chunk to fill; NULL: no room, or the cap. `slow`: the thread had to make the file longer. Signals are blocked. */
struct recording_chunk *chunks_claim(enum recording_chunk_kind kind, uint32_t thread, bool *slow);
bool chunks_take_left(uint32_t index); /* of a thread that ended; false: the ring took it */
void chunks_seal(struct recording_chunk *chunk);
/* Reserves and maps the file up to `target` chunks and touches the pages: for the helper. False: no room. */
bool chunks_ahead(uint32_t target);
struct recording_chunk *chunks_at(uint32_t index);

/* threads.c */
void threads_session(void);  /* a recording began; under the lock */
void threads_forget(void);   /* in a child of fork */
void threads_close(void);    /* what this thread and ended ones wrote is sealed; under the lock */
uint32_t threads_here(void); /* number of this thread; it is greeted where needed */
void recorder_dropped(void); /* a record */
void recorder_cut(void);     /* a text */

/* names.c. False: no room. Under the lock. */
struct names_record {
    enum recording_kind kind; /* of the record */
    uint64_t word;            /* before its tag */
    uint32_t id;              /* of the record */
    bool has_value;           /* a value follows */
    uint64_t value;           /* this one */
    const char *text;         /* may hold zeros */
    size_t length;            /* of text */
};
bool names_put(const struct names_record *record);
void names_session(void); /* a recording began: it gets all sites that are known */

/* events.c: fills slots of this thread; `slots` is room for 1 + values + text, in one piece. */
void recorder_write(uint64_t *slots, uint64_t word, uint64_t tag, const uint64_t *values, const uint32_t *value_types,
                    size_t value_count, const char *text, size_t length);

/* session.c */
uint64_t recorder_nanoseconds(void); /* of CLOCK_MONOTONIC */
bool recorder_open_later(void);      /* a child of fork records for the first time. False: it cannot */
void recorder_wake(void);            /* the helper: chunks run short */

/* live.c. NULL: it listens; else why not. */
const char *live_start(const char *address);
void live_stop(void);
void live_forget(void); /* in a child of fork */

static inline size_t recorder_text_slots(size_t length)
{
    return (length + RECORDING_SLOT_TEXT - 1) / RECORDING_SLOT_TEXT;
}

#pragma GCC visibility pop

#endif
