/* counters.h: counter tracks of an input: bytes in flight, engines busy. */
#ifndef ANALYZE_COUNTERS_H
#define ANALYZE_COUNTERS_H

#include "trace/feed.h"
#include "trace/store.h"

/* Draws both counters under `process` from the slices on engine tracks that the store holds of it; the bytes only where any are moved. */
NODISCARD status counters_draw(struct feed *feed, const struct store *store, track_id process);

#endif
