/* query.h: SQL about profiles: a connection of SQLite whose tables are what was read and what verbs say of it.
 *
 *     inputs ─► trace_tables   slices, tracks, arguments, counters, flows, runs    read when first named
 *        └────► view_tables    operators, engines, metrics, advice, …              asked of a verb when first named
 *                  │
 *     SQL ─► query_ask ─► answer ─► table ─► any printer
 *
 * A statement reads and does nothing else: no other statement is prepared, no file is reached, nothing is loaded, and what takes too long or too
 * much memory is stopped. A query is used by one thread at a time; `query_interrupt` may come from any. It owns everything in it until
 * `query_close`; texts of options and paths are borrowed as long.
 */
#ifndef QUERY_QUERY_H
#define QUERY_QUERY_H

#include "query/view_tables.h"

enum { QUERY_SECONDS = 600, QUERY_MEGABYTES = 2048 }; /* of a statement, where nobody says otherwise */

struct query_options {
    struct view_options views;   /* how inputs are read */
    uint64_t seconds;            /* that a statement may take; 0: QUERY_SECONDS */
    uint64_t megabytes;          /* that it may take beside what was read; 0: QUERY_MEGABYTES */
    bool (*stop)(void *context); /* asked now and then while a statement works: true ends it; NULL: nothing can */
    void *stop_context;          /* for `stop` */
};

struct query;

/* Opens and recognises the inputs. STATUS_OUTPUT: SQLite is not there. */
NODISCARD status query_open(const char *const *paths, size_t count, const struct query_options *options,
                            struct query **query);
void query_close(struct query *query); /* NULL is fine */

/* Each statement in turn; `take` gets its table, which is its own then. `source` names the text in messages. STATUS_USAGE: SQL that is none, or
 * that does more than reading, or that took too much. */
typedef status (*query_take)(void *context, struct table *table);
NODISCARD status query_ask(struct query *query, const char *source, const char *sql, query_take take, void *context);

/* Stops the statement that is at work, if any. */
void query_interrupt(struct query *query);

/* Tables, columns with their units, and functions. Makes all tables; NULL: what every input has, and the names of what some have. */
NODISCARD status query_schema(struct query *query, struct table **table);

/* What was read, for notes about it. */
const struct session *query_session(const struct query *query);

#endif
