/* query_parts.h: what the files of a query share. */
#ifndef QUERY_QUERY_PARTS_H
#define QUERY_QUERY_PARTS_H

#include <signal.h>
#include <time.h>

#include "query/functions.h"
#include "query/query.h"

/* Why a statement was stopped. */
enum query_end { QUERY_GOES_ON, QUERY_TOO_LONG, QUERY_TOO_LARGE, QUERY_INTERRUPTED };

struct query {
    struct trace_tables trace;          /* what was read */
    struct view_tables views;           /* what verbs say */
    struct function_context functions;  /* for functions */
    sqlite3 *connection;                /* owned */
    struct sql_definition *definitions; /* tables by name; owned */
    size_t definition_count;            /* of definitions */
    uint64_t seconds;                   /* that a statement may take */
    uint64_t memory;                    /* bytes that it may take */
    bool (*stop)(void *context);        /* as the options have it */
    void *stop_context;                 /* for `stop` */
    volatile sig_atomic_t interrupted;  /* by query_interrupt */
    bool declaring;                     /* a table of ours is being made known */
    /* Of the statement that is at work: */
    status failed;            /* what a table could not be opened with */
    enum query_end end;       /* why it was stopped */
    const char *denied;       /* what it wanted to do beside reading; NULL: nothing */
    struct timespec deadline; /* of the steady clock */
    int64_t memory_before;    /* bytes that SQLite had before */
};

/* Takes everything from the connection that a statement does not need to read, once all tables are there. */
NODISCARD status query_guard(struct query *query);
/* Before each statement. */
void query_guard_start(struct query *query);
/* After one that failed: whether it was stopped or refused. STATUS_OK: it was not. */
status query_guard_failure(const struct query *query);

#endif
