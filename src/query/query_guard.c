/* query_guard.c: what a statement may do: read, for so long, in so much memory. */
#include <string.h>

#include "query/query_parts.h"

enum {
    STEPS_PER_CHECK = 2000,      /* instructions of SQLite */
    LONGEST_TEXT = 1000000,      /* bytes of one value: functions look at such without being stopped */
    LONGEST_SQL = 1000000,       /* bytes of a statement */
    LONGEST_PATTERN = 1000,      /* of LIKE and GLOB, which may go back and forth in it */
    MOST_INSTRUCTIONS = 1000000, /* of a statement */
};

/* What a statement asks for; NULL: it may have it. Tables are changed by writing into SQLite's own. */
static const char *refused(int action, const char *first, const char *second)
{
    bool own = first && strncmp(first, "sqlite_", 7) == 0;

    if (own && (action == SQLITE_INSERT || action == SQLITE_UPDATE || action == SQLITE_DELETE))
        return "changing tables";
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return NULL;
    case SQLITE_FUNCTION:
        return second && strcmp(second, "load_extension") == 0 ? "load_extension" : NULL;
    case SQLITE_INSERT:
        return "INSERT";
    case SQLITE_UPDATE:
        return "UPDATE";
    case SQLITE_DELETE:
        return "DELETE";
    case SQLITE_ATTACH:
        return "ATTACH";
    case SQLITE_DETACH:
        return "DETACH";
    case SQLITE_PRAGMA:
        return "PRAGMA";
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
        return "a transaction";
    default:
        return "changing tables";
    }
}

static int on_action(void *context, int action, const char *first, const char *second, const char *database,
                     const char *trigger)
{
    struct query *query = context;
    const char *what = query->declaring ? NULL : refused(action, first, second);

    (void)database;
    (void)trigger;
    if (what && !query->denied)
        query->denied = what;
    return what ? SQLITE_DENY : SQLITE_OK;
}

static bool is_over(const struct timespec *deadline)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > deadline->tv_sec || (now.tv_sec == deadline->tv_sec && now.tv_nsec >= deadline->tv_nsec);
}

static int on_progress(void *context)
{
    struct query *query = context;

    if (query->interrupted || (query->stop && query->stop(query->stop_context)))
        query->end = QUERY_INTERRUPTED;
    else if (is_over(&query->deadline))
        query->end = QUERY_TOO_LONG;
    else if (sqlite.memory_used() - query->memory_before > (int64_t)query->memory)
        query->end = QUERY_TOO_LARGE;
    return query->end != QUERY_GOES_ON;
}

status query_guard(struct query *query)
{
    static const struct {
        int limit, value;
    } limits[] = {
        { SQLITE_LIMIT_LENGTH, LONGEST_TEXT },
        { SQLITE_LIMIT_SQL_LENGTH, LONGEST_SQL },
        { SQLITE_LIMIT_VDBE_OP, MOST_INSTRUCTIONS },
        { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, LONGEST_PATTERN },
        { SQLITE_LIMIT_ATTACHED, 0 },
        { SQLITE_LIMIT_WORKER_THREADS, 0 },
    };

    if (sqlite.exec(query->connection, "PRAGMA query_only = 1", NULL, NULL, NULL) != SQLITE_OK)
        return status_no_memory("preparing a query");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite.limit(query->connection, limits[i].limit, limits[i].value);
    sqlite.db_config(query->connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite.db_config(query->connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite.set_authorizer(query->connection, on_action, query);
    sqlite.progress_handler(query->connection, STEPS_PER_CHECK, on_progress, query);
    return STATUS_OK;
}

void query_guard_start(struct query *query)
{
    clock_gettime(CLOCK_MONOTONIC, &query->deadline);
    query->deadline.tv_sec += (time_t)query->seconds;
    query->memory_before = sqlite.memory_used();
    query->interrupted = 0;
    query->end = QUERY_GOES_ON;
    query->denied = NULL;
    query->failed = STATUS_OK;
}

status query_guard_failure(const struct query *query)
{
    switch (query->end) {
    case QUERY_TOO_LONG:
        return status_fail(STATUS_USAGE, "the query was stopped after %llu s; --timeout allows more",
                           (unsigned long long)query->seconds);
    case QUERY_TOO_LARGE:
        return status_fail(STATUS_USAGE, "the query was stopped: it takes more than %llu MB; --memory allows more",
                           (unsigned long long)(query->memory >> 20));
    case QUERY_INTERRUPTED:
        return status_fail(STATUS_USAGE, "the query was stopped");
    case QUERY_GOES_ON:
        break;
    }
    if (query->denied)
        return status_fail(STATUS_USAGE, "a query reads and does nothing else: %s is not allowed", query->denied);
    return STATUS_OK;
}
