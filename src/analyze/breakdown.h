/* breakdown.h: an input's time by operator, location, operator type or engine, the largest first.
 *
 * The total of an operator is the time in which at least one engine, NSS program or host program worked for it: the union of its
 * slices, so work on several engines at once is not counted twice. Different operators may work at the same time, so
 * these totals may add up to more than the whole; the engines' own totals never do.
 */
#ifndef ANALYZE_BREAKDOWN_H
#define ANALYZE_BREAKDOWN_H

#include "analyze/metrics.h"
#include "table/table.h"

enum breakdown_by { BREAKDOWN_OPERATOR, BREAKDOWN_LOCATION, BREAKDOWN_TYPE, BREAKDOWN_ENGINE };

struct breakdown_row {
    operator_id op;   /* NO_ID: work that names no operator */
    int64_t total;    /* ticks, union over all its work */
    int64_t transfer; /* ticks, union over DMA and CDMA */
    int64_t compute;  /* ticks, union over slices and CSS */
    int64_t host;     /* ticks, union over host programs and copies */
    int64_t bytes;
    uint64_t slices;
};

struct breakdown {
    struct breakdown_row *rows; /* by total, largest first; then by operator id */
    size_t count;
};

/* The operators that worked under `process`, and what no operator is known for. `busy` must be settled. */
NODISCARD status breakdown_operators(const struct busy *busy, track_id process, struct breakdown *breakdown);
void breakdown_free(struct breakdown *breakdown);

/* What a person calls the engine of a track. */
const char *breakdown_engine(const struct track *track, const struct metrics *metrics, const struct strings *strings);

/* The same as a table. `metrics` gives the whole and the clock. The caller frees `*table`. */
NODISCARD status breakdown_table(const struct busy *busy, track_id process, const struct metrics *metrics,
                                 const struct strings *strings, enum breakdown_by by, struct table **table);

#endif
