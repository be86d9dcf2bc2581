/* functions.h: functions of SQL that questions about time want and SQLite has not.
 *
 *     busy(start, duration)            the time covered by intervals: their union, each moment once
 *     overlap(start, duration, side)   the time in which an interval of side 0 and one of side 1 are there at once
 *     percentile(value, p)             p from 0 to 100; between two values as far as p lies between them, as everywhere in Tacho
 *     time_text(ns)                    12.845ms
 *     argument(slice, key)             the argument of a slice, by slices.id; null: it has none
 *
 * The first two are exact: integers of any unit, in the same unit again. Rows with a null are passed over, and so are those of a side that is
 * neither. Of no rows busy and overlap are 0, a percentile is null.
 */
#ifndef QUERY_FUNCTIONS_H
#define QUERY_FUNCTIONS_H

#include "base/sqlite.h"
#include "query/trace_tables.h"

/* What functions need to know; outlives the connection. */
struct function_context {
    struct trace_tables *trace; /* for `argument` */
    uint64_t memory;            /* bytes that intervals of one aggregate may take */
};

NODISCARD status functions_register(sqlite3 *connection, struct function_context *context);

/* A row each, for --schema: as it is called, what it is. NULL in both ends the list. */
struct function_facts {
    const char *call;
    const char *description;
};

extern const struct function_facts function_facts[];

#endif
