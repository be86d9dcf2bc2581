/* store.h: a whole trace in memory, as columns.
 *
 * A sink that keeps everything: 40 bytes a slice without arguments, 16 per argument, 8 per flow, nothing per event from the
 * heap. Rows keep the order in which slices were begun; instants are rows without a length. The store owns its columns until
 * `store_free`; texts are ids in the pool it was filled with.
 *
 *     slice i:  track[i] name[i] operator[i] run[i] start[i] end[i] first_argument[i] argument_count[i]
 *                                                                        |
 *     arguments:                                      ... [ first .. first + count ) ...     one piece, never split
 */
#ifndef TRACE_STORE_H
#define TRACE_STORE_H

#include "base/column.h"
#include "trace/clock.h"
#include "trace/sink.h"

struct store_counter {
    track_id track; /* of kind TRACK_COUNTER */
    int64_t time;   /* ticks */
    int64_t value;  /* from then on */
};

struct store_flow {
    uint32_t slice; /* rows come in order */
    uint32_t flow;  /* 0: left unused */
};

struct store {
    struct column track;          /* track_id */
    struct column name;           /* string_id */
    struct column op;             /* operator_id */
    struct column run;            /* run_id */
    struct column start;          /* int64_t ticks */
    struct column end;            /* int64_t ticks; INSTANT: none */
    struct column first_argument; /* uint32_t */
    struct column argument_count; /* uint32_t */
    struct column arguments;      /* struct argument */
    struct column flows;          /* struct store_flow */
    struct column counters;       /* struct store_counter, in the order in which they came */
    struct column tracks;         /* struct track, by id */
    struct column operators;      /* struct op, by id */
    struct column runs;           /* struct run, by id */
    struct column clocks;         /* struct clock, by id */
    struct column losses;         /* struct losses, of each input */
    uint32_t *opens;              /* slice of each open id */
    size_t open_capacity;         /* of opens */
};

void store_start(struct store *store);
void store_free(struct store *store);
struct sink store_sink(struct store *store);

size_t store_count(const struct store *store);
/* A slice as it came in, without its flows. Its arguments are borrowed from the store. An instant ends where it starts. */
struct slice store_slice(const struct store *store, size_t index);
bool store_is_instant(const struct store *store, size_t index);
/* The flows of a slice: `*count` of them from the one that is returned on. */
const struct store_flow *store_flows(const struct store *store, size_t index, size_t *count);
const struct track *store_track(const struct store *store, track_id id);
const struct op *store_operator(const struct store *store, operator_id id);
const struct clock *store_clock(const struct store *store, clock_id id);
size_t store_bytes_per_slice(void); /* without arguments */

#endif
