/* view_tables.h: the tables that verbs make of the inputs, as tables of SQL: operators, engines, metrics, advice, and what chains add.
 *
 * Which there are depends on what the inputs are (job/tables.h). One is made when a statement first names it: each input is asked through a job of
 * the verb, whose answer it is, and their rows lie behind each other, with the columns of all of them. A struct view_tables owns what was made
 * until `view_tables_free`; the trace and the options are borrowed as long.
 */
#ifndef QUERY_VIEW_TABLES_H
#define QUERY_VIEW_TABLES_H

#include "query/sql_table.h"
#include "query/trace_tables.h"

/* How the verbs are asked; texts are borrowed. */
struct view_options {
    struct session_options reading; /* as the inputs are read */
    const char *runs, *warmup;      /* as the user gave them; NULL: the defaults */
};

struct made_view;

struct view_tables {
    struct trace_tables *trace;  /* the inputs */
    struct view_options options; /* for the jobs */
    struct made_view **made;     /* in the order in which they were asked for; owned */
    size_t made_count;           /* of them */
    size_t made_capacity;        /* the same */
};

void view_tables_start(struct view_tables *views, struct trace_tables *trace, const struct view_options *options);
void view_tables_free(struct view_tables *views);

/* Their names in SQL, each once, by number; NULL: no more. */
const char *view_table_name(const struct view_tables *views, size_t index, const char **description);

/* What SQL calls a table of this name; NULL: it has the rows under another one, or as they were read. */
const char *view_table_sql(const char *table);

/* Makes it. STATUS_INPUT, or what the verb failed with. */
NODISCARD status view_tables_open(struct view_tables *views, const char *name, struct sql_table **table);

#endif
