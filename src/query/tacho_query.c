/* tacho_query.c: the public functions that ask in SQL. */
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "job/public.h"
#include "query/query.h"

struct tacho_query {
    struct arena texts;  /* copies of what the user gave */
    struct query *query; /* owned */
};

static status open_query(struct tacho_query *made, const char *const *paths, size_t count,
                         struct tacho_query_options options)
{
    struct query_options own = { .seconds = options.seconds,
                                 .megabytes = options.megabytes,
                                 .stop = options.stop,
                                 .stop_context = options.stop_context };
    const char **kept = arena_allocate(&made->texts, count * sizeof *kept, _Alignof(const char *));
    status code = kept ? read_options_fill(&own.views.reading, &options.read) : status_no_memory("opening inputs");

    if (code == STATUS_OK)
        code = read_options_keep(&made->texts, &own.views.reading, &options.read);
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        kept[i] = paths[i] ? arena_copy(&made->texts, paths[i], strlen(paths[i])) : NULL;
        if (!kept[i])
            code = paths[i] ? status_no_memory("opening inputs")
                            : status_fail(STATUS_USAGE, "an input wants the path of a file");
    }
    own.views.runs = options.read.runs;
    own.views.warmup = options.read.warmup;
    return code == STATUS_OK ? query_open(kept, count, &own, &made->query) : code;
}

enum tacho_status tacho_query_open(const char *const *paths, size_t count, const struct tacho_query_options *options,
                                   struct tacho_query **query)
{
    struct tacho_query *made;
    status code;

    *query = NULL;
    if (!count)
        return to_public(status_fail(STATUS_USAGE, "a query wants the path of a file"));
    made = memory_allocate_clear(sizeof *made);
    if (!made)
        return to_public(status_no_memory("opening inputs"));
    code = open_query(made, paths, count, options ? *options : (struct tacho_query_options){ .seconds = 0 });
    if (code == STATUS_OK)
        *query = made;
    else
        tacho_query_close(made);
    return to_public(code);
}

void tacho_query_close(struct tacho_query *query)
{
    if (!query)
        return;
    query_close(query->query);
    arena_free(&query->texts);
    memory_free(query);
}

static status take_one(void *context, struct table *table)
{
    struct table **place = context;

    if (*place) {
        table_free(table);
        return status_fail(STATUS_USAGE, "one statement is asked at a time");
    }
    *place = table;
    return STATUS_OK;
}

enum tacho_status tacho_query_ask(struct tacho_query *query, const char *sql, struct tacho_table **table)
{
    struct table *made = NULL;
    status code = query_ask(query->query, "SQL", sql ? sql : "", take_one, &made);

    if (code != STATUS_OK) {
        table_free(made);
        made = NULL;
    }
    *table = (struct tacho_table *)made;
    return to_public(code);
}

void tacho_query_interrupt(struct tacho_query *query)
{
    query_interrupt(query->query);
}

enum tacho_status tacho_query_schema(struct tacho_query *query, struct tacho_table **table)
{
    struct table *made = NULL;
    status code = query_schema(query->query, &made);

    *table = (struct tacho_table *)made;
    return to_public(code);
}
