/* work.h: a sink that keeps every piece of work of a profile, for advice: what ran when, on what, for which operator, job or call.
 *
 *     read:    pieces in the order in which they began, each of a kind: one job, one operator on one engine, one call of a dispatch
 *     settle:  those of the runs that count, sorted, added up by kind; calls that only hold others become envelopes
 *     walk:    stretch by stretch what was at work, so that every tick of a run is given to something once
 *
 * A job begins when the call that starts it is over: until then nobody but the runtime works for it.
 * A reader that knows which job of the program comes next says so by `work_tell`. Times are ticks of the profile's one clock. It owns its
 * columns until `work_free`; texts are ids in the pool of the profile.
 */
#ifndef TORQ_WORK_H
#define TORQ_WORK_H

#include "base/column.h"
#include "base/intervals.h"
#include "base/map.h"
#include "torq/chain.h"
#include "torq/program.h"
#include "trace/clock.h"
#include "trace/sink.h"

enum work_class {
    WORK_SLICE,
    WORK_CSS,
    WORK_IN,
    WORK_OUT,
    WORK_CDMA,
    WORK_JOB,
    WORK_HOST, /* programs */
    WORK_COPY, /* of the host */
    WORK_CALL, /* of the runtime */
    WORK_CLASSES,
    WORK_ENVELOPE = WORK_CLASSES, /* no class of a kind: pieces of calls that hold others */
    WORK_STACKS
};

/* Pieces that are the same work, again and again. */
struct work_kind {
    enum work_class class;         /* what it is */
    track_id track;                /* that it is on */
    operator_id op;                /* NO_ID: none */
    string_id name;                /* of a job, a program, a call; 0: of work of an engine */
    string_id dispatch;            /* that it belongs to; 0: not known */
    const struct program_job *job; /* that it is by the reader's own join; NULL: not known */
    /* Filled by `work_settle`, of the runs that count: */
    uint64_t count;   /* pieces that begin in them */
    uint64_t unsized; /* of these, transfers whose bytes are not known, or 0 */
    int64_t ticks;    /* in which at least one piece ran */
    int64_t bytes;    /* of the counted pieces */
    int64_t end;      /* of the last piece: while they are added up */
};

struct work_piece {
    int64_t start;         /* ticks */
    int64_t end;           /* the same */
    uint32_t size;         /* row of the bytes of a transfer; NO_ID: not known */
    uint32_t kind : 31;    /* row */
    uint32_t envelope : 1; /* it holds other pieces, which stand for it */
};

struct work {
    struct strings *strings;        /* of the profile */
    struct torq_keys keys;          /* in it, from the first track on */
    struct column tracks;           /* struct track, by id */
    struct column kinds;            /* struct work_kind, in order of their first start */
    struct map by_key;              /* over the kinds */
    struct column sizes;            /* int64_t: bytes of transfers */
    struct work_piece *pieces;      /* as they began; by start once settled */
    size_t count, capacity;         /* of these */
    uint32_t *opens;                /* by open id: piece + 1; 0: not kept */
    size_t open_capacity;           /* of these */
    string_id dispatch;             /* of the action that came last; 0: none */
    string_id start_name;           /* of the call that starts a job */
    bool starts_apart;              /* calls that start jobs were met: the time of a job is without them */
    const struct program_job *told; /* the job that the next slice of a job is; NULL: the reader cannot say */
    bool measured;                  /* a log: engines only repeat the times of jobs, and are left out */
    struct interval *windows;       /* the runs that count */
    size_t window_count;            /* of these */
};

/* `measured`: the profile is a log, not an estimate. */
void work_start(struct work *work, struct strings *strings, bool measured);
void work_free(struct work *work);
struct sink work_sink(struct work *work);

/* Before reading. */
#define WORK_ROLE "work"
void work_listen(struct work *work, struct source *source);
/* Who listens to a source; NULL: nobody. */
static inline struct work *work_of(const struct source *source)
{
    return (struct work *)(uintptr_t)source_companion(source, WORK_ROLE);
}
/* Where nobody listens, nothing happens. */
static inline void work_tell(struct work *work, const struct program_job *job)
{
    if (work)
        work->told = job;
}

/* After reading: keeps what touches `windows`; NULL: `whole`. */
NODISCARD status work_settle(struct work *work, const struct intervals *windows, struct interval whole);

/* In which the same pieces are the newest of their classes. */
struct work_stretch {
    int64_t ticks;          /* > 0 */
    const uint32_t *newest; /* by class, and of envelopes: the piece that began last; NO_ID: none */
    bool first;             /* of a run */
};

typedef void work_call(void *context, const struct work_stretch *stretch);

/* Every tick of the windows, in order. */
NODISCARD status work_walk(const struct work *work, work_call *call, void *context);

static inline struct work_kind *work_kind(const struct work *work, size_t index)
{
    return column_at(&work->kinds, index);
}
static inline const struct work_kind *work_kind_of(const struct work *work, uint32_t piece)
{
    return work_kind(work, work->pieces[piece].kind);
}
/* Of a transfer; 0: not known. */
static inline int64_t work_bytes(const struct work *work, uint32_t piece)
{
    return work->pieces[piece].size == NO_ID ? 0 : *(const int64_t *)column_at(&work->sizes, work->pieces[piece].size);
}
static inline const struct track *work_track(const struct work *work, const struct work_kind *kind)
{
    return column_at(&work->tracks, kind->track);
}

#endif
