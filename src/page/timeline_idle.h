/* timeline_idle.h: the stretches of a page in which no lane does anything, so that the page can draw long ones short.
 *
 * Rows are given one after the other. Gaps shorter than a small share of the whole time do not count, which bounds memory and
 * work whatever the data is. A struct owns its intervals until `timeline_idle_free`.
 */
#ifndef PAGE_TIMELINE_IDLE_H
#define PAGE_TIMELINE_IDLE_H

#include "base/intervals.h"
#include "base/output.h"
#include "page/timeline_levels.h"

struct timeline_idle {
    struct intervals busy; /* ticks since the origin; short gaps are closed */
    int64_t first, last;   /* of all rows so far */
    bool any;              /* a row was added */
};

void timeline_idle_free(struct timeline_idle *idle);
/* Before the row is written, while its blocks are slices. */
NODISCARD status timeline_idle_add(struct timeline_idle *idle, const struct timeline_row *row, int64_t origin);
/* The gaps as a JSON list: start, length, start, length, ... */
NODISCARD status timeline_idle_write(struct timeline_idle *idle, struct output *output);

#endif
