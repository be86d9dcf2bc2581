/* zone_totals.h: what zones cost, as they come: calls, own time and time of each operator, also while some are still open.
 *
 * A sink of begin and end. It owns its sums until `zone_totals_free`; names are in the pool, which is borrowed.
 */
#ifndef ANALYZE_ZONE_TOTALS_H
#define ANALYZE_ZONE_TOTALS_H

#include "base/column.h"
#include "table/table.h"
#include "trace/sink.h"

struct zone_totals {
    const struct strings *strings; /* borrowed */
    struct column operators;       /* struct zone_total, by operator */
    struct column open;            /* struct zone_frame, by open id */
};

void zone_totals_start(struct zone_totals *totals, const struct strings *strings);
void zone_totals_free(struct zone_totals *totals);
struct sink zone_totals_sink(struct zone_totals *totals);

/* A row for each of the operators with the most own time, up to `most`. NULL: out of memory. */
struct table *zone_totals_table(const struct zone_totals *totals, size_t most);

#endif
