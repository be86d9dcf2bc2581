/* store.h: a whole trace in memory, as columns.
 *
 * A sink that keeps everything: 40 bytes a slice or less without arguments, 16 per argument, nothing per event from the
 * heap. Rows keep the order in which slices were begun. The store owns its columns until `store_free`; texts are ids in the
 * pool it was filled with.
 *
 *     slice i:  track[i] name[i] operator[i] run[i] start[i] end[i] first_argument[i]  →  arguments[first .. next first)
 */
#ifndef TRACE_STORE_H
#define TRACE_STORE_H

#include "base/column.h"
#include "trace/clock.h"
#include "trace/sink.h"

struct store {
    struct column track;          /* track_id */
    struct column name;           /* string_id */
    struct column op;             /* operator_id */
    struct column run;            /* run_id */
    struct column start;          /* int64_t ticks */
    struct column end;            /* int64_t ticks */
    struct column first_argument; /* uint32_t; the arguments of slice i end where those of i + 1 begin */
    struct column arguments;      /* struct argument */
    struct column tracks;         /* struct track, by id */
    struct column operators;      /* struct operator, by id */
    struct column runs;           /* struct run, by id */
    struct column clocks;         /* struct clock, by id */
    struct losses losses;         /* of the last input */
    uint32_t *opens;              /* slice of each open id */
    size_t open_capacity;
};

void store_start(struct store *store);
void store_free(struct store *store);
struct sink store_sink(struct store *store);

size_t store_count(const struct store *store);
/* A slice as it came in (flows are not kept). Its arguments are copied to `arguments`, ARGUMENT_COUNT at most. */
struct slice store_slice(const struct store *store, size_t index, struct argument arguments[ARGUMENT_COUNT]);
const struct track *store_track(const struct store *store, track_id id);
const struct op *store_operator(const struct store *store, operator_id id);
const struct clock *store_clock(const struct store *store, clock_id id);
size_t store_bytes_per_slice(void); /* without arguments */

#endif
