/* range.h: a sink that lets through what lies in a range of time.
 *
 * Slices that reach over an edge are cut there and say so by the argument `cut`: "begin", "end" or "both". (Of a slice whose begin comes
 * before its end is known only the first can be told; all are counted.) Instants and values outside are left out, and a counter keeps the
 * value that it had when the range begins. The range ends before its end: what touches it there is outside.
 *
 * Edges are nanoseconds on the axis of the trace. Behind the sink all clocks count nanoseconds, so that a cut is where it was asked for; runs
 * and steps are not passed on. A range borrows the sink behind it and the string pool, and owns its tables until `range_free`.
 */
#ifndef JOB_RANGE_H
#define JOB_RANGE_H

#include "base/column.h"
#include "trace/sink.h"

struct range {
    struct sink to;             /* borrowed: gets what lies in the range */
    int64_t begin, end;         /* ns; INT64_MIN, INT64_MAX: open */
    string_id key;              /* of the argument that tells a cut */
    string_id edges[4];         /* its values, by edges: 1 begin, 2 end, 3 both */
    struct column clocks;       /* struct clock */
    struct column tracks;       /* struct range_track */
    struct column opens;        /* struct range_open, by open id */
    struct argument *arguments; /* of the slice at hand */
    size_t capacity;            /* of arguments */
    uint64_t at_begin, at_end;  /* slices that were cut there */
};

/* A range that is open. Free it also after a failure. */
NODISCARD status range_start(struct range *range, struct sink to, struct strings *strings);
void range_free(struct range *range);
struct sink range_sink(struct range *range);
/* From now on. */
void range_set(struct range *range, int64_t begin, int64_t end);
/* After an input: tells the values that its counters have in the range without a change there. */
NODISCARD status range_settle(struct range *range);

#endif
