/* traffic.h: a sink that keeps how fast transfers were, by engine and size, and how long each job took.
 *
 * It is what advice about transfers needs: a few numbers per engine and size, and per job of a program, however long a log is.
 * Owns its rows until `traffic_free`; texts are ids in the pool of the log.
 */
#ifndef TORQ_TRAFFIC_H
#define TORQ_TRAFFIC_H

#include "base/column.h"
#include "base/map.h"
#include "torq/chain.h"
#include "torq/program.h"
#include "trace/sink.h"

enum { TRAFFIC_SIZES = 63 }; /* size k holds transfers of 2^k bytes and up, below 2^(k + 1) */

struct traffic_size {
    uint64_t count; /* of transfers */
    int64_t bytes;  /* of all of them */
    int64_t ticks;  /* sum of the transfers' own times, also where they overlap */
};

struct traffic_engine {
    track_id track;                           /* of the engine */
    uint64_t unsized;                         /* transfers whose bytes are not known, or 0 */
    struct traffic_size sizes[TRAFFIC_SIZES]; /* by the logarithm of their bytes */
};

/* All times that one job ran. */
struct traffic_job {
    string_id name;                /* of its slices */
    operator_id op;                /* NO_ID: none */
    const struct program_job *job; /* that it is by the reader's own join; NULL: not known */
    int64_t start_action;          /* -1: not known */
    int64_t wait_action;           /* the same */
    uint64_t count;                /* how often it ran */
    int64_t ticks;                 /* of all of these */
};

struct traffic_open {
    uint32_t engine; /* row; NO_ID: none */
    uint32_t job;    /* the same */
    int64_t bytes;   /* -1: not known */
    int64_t start;   /* ticks */
};

struct traffic {
    struct strings *strings;        /* of the trace */
    struct torq_keys keys;          /* in it, from the first track on */
    struct column tracks;           /* struct traffic_track, by track id */
    struct column engines;          /* struct traffic_engine, in order of their tracks */
    struct column jobs;             /* struct traffic_job, in order of their first start */
    struct map by_key;              /* over the jobs */
    const struct program_job *told; /* the job that the next slice of a job is; NULL: the reader cannot say */
    struct traffic_open *opens;     /* by open id */
    size_t open_capacity;           /* of these */
};

void traffic_start(struct traffic *traffic, struct strings *strings);
void traffic_free(struct traffic *traffic);
struct sink traffic_sink(struct traffic *traffic);

/* Before reading: a reader that knows which job of the program a slice is tells it here first, by `traffic_tell`. */
#define TRAFFIC_ROLE "traffic"
void traffic_listen(struct traffic *traffic, struct source *source);
/* Where nobody listens, nothing happens. */
static inline void traffic_tell(const struct source *source, const struct program_job *job)
{
    struct traffic *traffic = (struct traffic *)(uintptr_t)source_companion(source, TRAFFIC_ROLE);

    if (traffic)
        traffic->told = job;
}

static inline const struct traffic_engine *traffic_engine(const struct traffic *traffic, size_t index)
{
    return column_at(&traffic->engines, index);
}
static inline const struct traffic_job *traffic_job(const struct traffic *traffic, size_t index)
{
    return column_at(&traffic->jobs, index);
}

/* The engine of a track; NULL: it moves no data. */
const struct traffic_engine *traffic_of_track(const struct traffic *traffic, track_id track);

#endif
