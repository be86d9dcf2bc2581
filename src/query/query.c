/* query.c: a connection, what it may do, and statements asked of it. */
#include "query/query.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "base/text.h"
#include "query/answer.h"
#include "query/functions.h"
#include "query/query_parts.h"

void query_close(struct query *query)
{
    if (!query)
        return;
    if (query->connection)
        sqlite.close(query->connection);
    view_tables_free(&query->views);
    trace_tables_free(&query->trace);
    memory_free(query->definitions);
    memory_free(query);
}

/* ---- tables ---------------------------------------------------------------------------------------------------------- */

static status open_trace_table(void *context, const char *name, struct sql_table **table)
{
    struct query *query = context;
    unsigned which = 0;

    while (strcmp(trace_table_facts[which].name, name) != 0)
        which++;
    return trace_tables_open(&query->trace, (enum trace_table)which, table);
}

static status open_view_table(void *context, const char *name, struct sql_table **table)
{
    struct query *query = context;
    status code = view_tables_open(&query->views, name, table);

    return code == STATUS_OK ? code : status_add(code, "making the table \"%s\"", name);
}

static status define_tables(struct query *query)
{
    const char *description;
    size_t views = 0;
    status code = STATUS_OK;

    while (view_table_name(&query->views, views, &description))
        views++;
    query->definitions = memory_allocate_clear((TRACE_TABLES + views) * sizeof *query->definitions);
    if (!query->definitions)
        return status_no_memory("preparing a query");
    query->definition_count = TRACE_TABLES + views;
    for (size_t i = 0; i < query->definition_count && code == STATUS_OK; i++) {
        bool trace = i < TRACE_TABLES;

        query->definitions[i] = (struct sql_definition){
            .name = trace ? trace_table_facts[i].name : view_table_name(&query->views, i - TRACE_TABLES, &description),
            .open = trace ? open_trace_table : open_view_table,
            .context = query,
            .declaring = &query->declaring,
            .failed = &query->failed,
        };
        code = sql_table_register(query->connection, &query->definitions[i]);
    }
    return code;
}

/* What is sorted stays in memory: there it is counted, and no file is made. Jobs are what a program on the accelerator did as the host saw it:
 * slices of such tracks, which the index of tracks finds. SQLite's own tables of JSON are opened while it may still make tables known. */
static status define_further(struct query *query)
{
    static const char further[] = "PRAGMA temp_store = MEMORY;"
                                  "CREATE TEMP VIEW jobs AS SELECT * FROM slices WHERE engine_group = 'job';"
                                  "SELECT 1 FROM json_each('[]'), json_tree('[]')";

    return sqlite.exec(query->connection, further, NULL, NULL, NULL) == SQLITE_OK
               ? STATUS_OK
               : status_no_memory("preparing a query");
}

static status connect_sqlite(struct query *query)
{
    status code = sqlite_load();

    if (code != STATUS_OK)
        return code;
    if (sqlite.open_v2(":memory:", &query->connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, NULL) != SQLITE_OK)
        return status_no_memory("preparing a query");
    query->functions = (struct function_context){ &query->trace, query->memory };
    code = functions_register(query->connection, &query->functions);
    if (code == STATUS_OK)
        code = define_tables(query);
    if (code == STATUS_OK)
        code = define_further(query);
    return code == STATUS_OK ? query_guard(query) : code;
}

enum { MOST_SECONDS = 1 << 30, MOST_MEGABYTES = 1 << 30 }; /* what is more is without end */

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

status query_open(const char *const *paths, size_t count, const struct query_options *options, struct query **made)
{
    struct query *query = memory_allocate_clear(sizeof *query);
    status code;

    *made = NULL;
    if (!query)
        return status_no_memory("preparing a query");
    query->seconds = at_most(options->seconds ? options->seconds : QUERY_SECONDS, MOST_SECONDS);
    query->memory = at_most(options->megabytes ? options->megabytes : QUERY_MEGABYTES, MOST_MEGABYTES) << 20;
    query->stop = options->stop;
    query->stop_context = options->stop_context;
    code = trace_tables_start(&query->trace, &options->views.reading, paths, count, options->views.runs,
                              options->views.warmup);
    view_tables_start(&query->views, &query->trace, &options->views);
    if (code == STATUS_OK)
        code = connect_sqlite(query);
    if (code == STATUS_OK)
        *made = query;
    else
        query_close(query);
    return code;
}

const struct session *query_session(const struct query *query)
{
    return &query->trace.session;
}

/* ---- failures -------------------------------------------------------------------------------------------------------- */

struct name_walk {
    const struct query *query;
    size_t next;
};

static const char *next_table(void *context)
{
    struct name_walk *walk = context;

    return walk->next < walk->query->definition_count ? walk->query->definitions[walk->next++].name : NULL;
}

/* What may have been meant, and what there is. */
static status fail_table(const struct query *query, struct place place, const char *message, const char *name)
{
    struct name_walk walk = { query, 0 };
    const char *nearest = suggest(text_of(name), next_table, &walk);
    char names[1024];
    size_t length = 0;

    for (size_t i = 0; i < query->definition_count && length < sizeof names - 64; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%.40s", i ? ", " : "",
                                   query->definitions[i].name);
    return status_fail_at(STATUS_USAGE, place, "%s%s%s%s; of these inputs there are %s", message,
                          nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "", names);
}

/* Where in the text SQLite met something, counted from 1. */
static struct place place_in(const char *source, const char *sql, size_t offset)
{
    struct place place = { .file = source, .line = 1, .column = 1 };

    for (size_t i = 0; i < offset && sql[i]; i++) {
        place.line += sql[i] == '\n';
        place.column = sql[i] == '\n' ? 1 : place.column + 1;
    }
    return place;
}

/* What a statement failed with. `at` is where it begins in the text. */
static status fail(struct query *query, const char *source, const char *sql, const char *at)
{
    static const char unknown[] = "no such table: ";
    const char *message = sqlite.errmsg(query->connection);
    int offset = sqlite.error_offset(query->connection);
    struct place place =
        offset < 0 ? (struct place){ .file = source } : place_in(source, sql, (size_t)(at - sql) + (size_t)offset);
    status code = query_guard_failure(query);

    if (code != STATUS_OK)
        return code;
    if (query->failed != STATUS_OK)
        return query->failed;
    if (sqlite.errcode(query->connection) == SQLITE_NOMEM)
        return status_no_memory("answering a query");
    if (strncmp(message, unknown, sizeof unknown - 1) == 0)
        return fail_table(query, place, message, message + sizeof unknown - 1);
    return status_fail_at(STATUS_USAGE, place, "%s", message);
}

/* ---- asking ---------------------------------------------------------------------------------------------------------- */

/* What is known of a column of a table that is open. */
static const struct sql_column *find_column(void *context, const char *table, const char *name)
{
    struct query *query = context;
    struct sql_table *open = NULL;

    for (size_t i = 0; i < query->definition_count && !open; i++)
        if (strcmp(query->definitions[i].name, table) == 0 &&
            query->definitions[i].open(query, table, &open) != STATUS_OK)
            return NULL;
    for (const struct sql_column *column = open ? open->columns : NULL; column && column->name; column++)
        if (strcmp(column->name, name) == 0)
            return column;
    return NULL;
}

/* All rows of a statement. */
static status step(sqlite3_stmt *statement, struct answer *answer, bool *failed)
{
    status code = STATUS_OK;
    int result = SQLITE_ROW;

    while (code == STATUS_OK && result == SQLITE_ROW) {
        result = sqlite.step(statement);
        if (result == SQLITE_ROW)
            code = answer_add(answer, statement);
    }
    *failed = result != SQLITE_ROW && result != SQLITE_DONE;
    return code;
}

static status answer_statement(struct query *query, sqlite3_stmt *statement, query_take take, void *context,
                               bool *failed)
{
    const struct answer_facts facts = { .column = find_column, .context = query, .memory = query->memory };
    struct answer *answer;
    struct table *table;
    status code = answer_new(statement, &facts, &answer);

    if (code == STATUS_OK)
        code = step(statement, answer, failed);
    if (code == STATUS_OK && !*failed)
        code = answer_table(answer, &table);
    answer_free(answer);
    return code == STATUS_OK && !*failed ? take(context, table) : code;
}

/* One statement of the text. `*rest` is what comes behind it; `*empty`: there was none. */
static status ask_one(struct query *query, const char *source, const char *sql, const char **rest, query_take take,
                      void *context, bool *empty)
{
    const char *at = *rest;
    sqlite3_stmt *statement = NULL;
    bool failed = false;
    status code = STATUS_OK;

    query_guard_start(query);
    if (sqlite.prepare_v2(query->connection, at, -1, &statement, rest) != SQLITE_OK)
        return fail(query, source, sql, at);
    *empty = !statement;
    if (!statement)
        return STATUS_OK;
    if (!sqlite.stmt_readonly(statement) || !sqlite.column_count(statement))
        code = status_fail(STATUS_USAGE, "a query reads and does nothing else");
    if (code == STATUS_OK)
        code = answer_statement(query, statement, take, context, &failed);
    if (failed)
        code = fail(query, source, sql, at);
    sqlite.finalize(statement);
    return code;
}

status query_ask(struct query *query, const char *source, const char *sql, query_take take, void *context)
{
    const char *rest = sql;
    bool any = false, empty = false;
    status code = STATUS_OK;

    while (*rest && code == STATUS_OK) {
        code = ask_one(query, source, sql, &rest, take, context, &empty);
        any |= !empty;
    }
    if (code == STATUS_OK && !any)
        return status_fail_at(STATUS_USAGE, (struct place){ .file = source }, "there is no statement");
    return code;
}

void query_interrupt(struct query *query)
{
    query->interrupted = 1;
}
