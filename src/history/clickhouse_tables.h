/* clickhouse_tables.h: the tables of a history on ClickHouse servers: that they are there, of a version that is known, and what their rows have beside their own columns.
 *
 * Where there are several servers each has all tables, and beside each one of the same name with "_all" behind it, which knows the rows of all.
 * A struct clickhouse owns nothing by itself: whoever opened URL and connection frees them.
 */
#ifndef HISTORY_CLICKHOUSE_TABLES_H
#define HISTORY_CLICKHOUSE_TABLES_H

#include "history/clickhouse_http.h"
#include "history/clickhouse_rows.h"

enum { CLICKHOUSE_CHANCE_BITS = 30 }; /* of an attempt; the others are seconds since 1970 */

struct clickhouse {
    struct clickhouse_url url;    /* of the servers */
    struct clickhouse_http *http; /* spoken with them */
    int64_t version;              /* of the history, once it is open */
    bool old_left;                /* a server has profiles that are too old, and cannot take them out by itself */
};

/* How many columns rows have behind those of their table: of a profile's `attempt`, `written` and `removed`, of others the attempt, of those of no profile none. */
size_t clickhouse_extra_of(enum history_table_id table);

/* A question; the SQL ends in FORMAT TabSeparatedWithNamesAndTypes. */
NODISCARD status clickhouse_ask_rows(struct clickhouse *servers, int host, const struct bytes *sql,
                                     struct rows_wanted wanted, history_take take, void *context);

/* `write`: makes what is missing. STATUS_INPUT: there is no history, one of a newer version, or something else. */
NODISCARD status clickhouse_tables_open(struct clickhouse *servers, bool write);

#endif
