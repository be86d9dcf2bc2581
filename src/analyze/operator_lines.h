/* operator_lines.h: a group of lines in a trace, one per source operator, the longest first. */
#ifndef ANALYZE_OPERATOR_LINES_H
#define ANALYZE_OPERATOR_LINES_H

#include "trace/busy.h"
#include "trace/feed.h"
#include "trace/store.h"

/* Draws the group "Operators" under `process`: each operator's line carries its total. With a store, the slices that belong
 * to the operator are repeated on its line instead. `busy` must be settled. */
NODISCARD status operators_draw(struct feed *feed, const struct busy *busy, track_id process,
                                const struct store *store);

#endif
