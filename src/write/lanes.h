/* lanes.h: overlapping slices made into stacks.
 *
 * Formats with begin and end events know one stack per line. `lanes` takes slices and begin/end pairs of one track in any
 * order and hands out calls that are properly nested on every lane: contained slices nest, partly overlapping ones take another
 * lane, and slices that come late (start before an earlier start) take lanes of their own, where nothing overlaps or
 * touches (only equal slices nest there). No slice is lost. Memory grows with lanes, and by 24 bytes per late slice.
 *
 *     slices  [----------]           lane 0  [--[--]----]  [---]      children inside parents, touching siblings allowed
 *               [--]   [-----]       lane 1            [-----]        partly overlapping
 *       [--] (comes last)            late 0  [--]                     late
 *
 * On an ordinary lane the ends of slices are held back until a later start shows that nothing more can nest, so every lane is
 * in time order. A late lane is in file order only: its events carry absolute times.
 *
 * The owner gives a table of calls; `lanes` owns its lanes until `lanes_free`. Times are what the owner counts in,
 * the same for all slices of a track.
 */
#ifndef WRITE_LANES_H
#define WRITE_LANES_H

#include "trace/model.h"

enum lane_kind {
    LANE_WHOLE, /* for slices with both ends known */
    LANE_BEGUN, /* for begin and end */
    LANE_LATE   /* for slices that come late: not in time order */
};

struct lanes_calls {
    /* A new lane of `track` is needed: `lane` is dense from 0 over all tracks. */
    status (*lane)(void *self, uint32_t lane, track_id track, enum lane_kind kind);
    status (*begin)(void *self, uint32_t lane, int64_t time,
                    const struct slice *slice);             /* of a slice on a lane; properly nested there */
    status (*end)(void *self, uint32_t lane, int64_t time); /* of the innermost slice that is open on the lane */
};

struct lanes;

NODISCARD status lanes_new(const struct lanes_calls *calls, void *self, struct lanes **lanes);
void lanes_free(struct lanes *lanes);

/* `line` is the track whose line shows the slice: its own, or the one that it is inside of. */
NODISCARD status lanes_slice(struct lanes *lanes, track_id line, const struct slice *slice, int64_t start, int64_t end);
NODISCARD status lanes_begin(struct lanes *lanes, track_id line, open_id id, open_id parent, const struct slice *slice,
                             int64_t time);
NODISCARD status lanes_end(struct lanes *lanes, open_id id, int64_t time);
/* The lane of a slice that is open; NO_ID: it is not. */
uint32_t lanes_lane_of(const struct lanes *lanes, open_id id);
/* Nothing will begin before this time any more: write the ends up to there. */
NODISCARD status lanes_advance(struct lanes *lanes, int64_t time);
/* Write the ends still held back. */
NODISCARD status lanes_finish(struct lanes *lanes);

#endif
