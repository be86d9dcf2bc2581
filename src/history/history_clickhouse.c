/* history_clickhouse.c: a history on ClickHouse servers: a profile is there once its own row is, which is sent last.
 *
 *     launch, run, ..., operator_time   sent first, many profiles a block; each row names the attempt that sent it
 *     operator                          the same, each once; of no profile and no attempt
 *     profile                           sent once all of these were acknowledged: names the attempt that counts
 *
 * Nothing is ever changed. The newest row of a profile (`written`) says which attempt is meant, or that it was taken out; what belongs to other attempts (of a writer that
 * was killed, of a second one of the same file) is never read. Rows that were sent twice are equal, lie beside each other in an answer, and count once.
 * An attempt is made of the time and of chance, so that what nobody completed is known by its age.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/memory.h"
#include "base/number_set.h"
#include "history/clickhouse_tables.h"

enum {
    BLOCK_BYTES = 32 << 20, /* of rows that wait, all tables together */
    IDS = 10000,            /* in one question */
    PAIRS = 50000,          /* in one removal */
    LEFT_OVER_S = 86400,    /* after which nobody completes an attempt */
    LOOKS = 16,             /* for one profile each, before all are asked for */
    FAILURE = 2048
};

/* A row of a profile that waits. */
struct waiting {
    int64_t id;        /* of the profile */
    int64_t written;   /* of the row: not before it is sent */
    size_t written_at; /* byte of the block where that goes */
};

/* What an attempt left. */
struct pair {
    int64_t profile, attempt;
};

struct clickhouse_store {
    struct clickhouse servers;           /* it lies on */
    struct bytes blocks[HISTORY_TABLES]; /* rows that wait */
    struct waiting *waiting;             /* the same: rows of profiles; owned */
    size_t waiting_count, waiting_capacity;
    struct pair *removed; /* to be taken away once their profiles' rows say so; owned */
    size_t removed_count, removed_capacity;
    struct number_set operators; /* that were sent, or wait */
    struct number_set profiles;  /* that there were when all were asked for */
    size_t looks;                /* for one profile, so far; then all were asked for */
    size_t safe;                 /* profiles that are surely there */
    status failed;               /* to settle, once: it is not tried again */
    char failure[FAILURE];       /* why */
    /* Of the transaction: */
    int64_t attempt;                     /* of its rows */
    size_t starts[HISTORY_TABLES];       /* of these, in blocks */
    size_t waiting_start, removed_start; /* the same */
};

/* All servers' rows where there are several, else those of the one. */
static const char *suffix(const struct clickhouse_store *store)
{
    return store->servers.url.cluster ? "_all" : "";
}

static const char *global(const struct clickhouse_store *store)
{
    return store->servers.url.cluster ? "GLOBAL " : "";
}

static void add_table(const struct clickhouse_store *store, struct bytes *sql, enum history_table_id table)
{
    bytes_format(sql, "%s.%s%s", store->servers.url.database, history_tables[table].name, suffix(store));
}

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- questions ------------------------------------------------------------------------------------------------------------------- */

static void add_condition(struct bytes *sql, const char *format, const char *column, const char *text)
{
    if (!text)
        return;
    bytes_format(sql, format, column);
    bytes_quote(sql, text);
}

static void add_builds(struct bytes *sql, const char *column, const struct history_request *request)
{
    for (size_t i = 0; i < request->build_count; i++) {
        if (!i)
            bytes_format(sql, " AND %s IN (", column);
        bytes_add(sql, ", ", i ? 2 : 0);
        bytes_quote(sql, request->builds[i]);
    }
    bytes_add(sql, ")", request->build_count ? 1 : 0);
}

/* Profiles that were asked for, from FROM on: those of which the newest row says so. Ids or texts narrow down what is looked at first. */
static void add_profiles(const struct clickhouse_store *store, struct bytes *sql, const struct history_request *request)
{
    const struct {
        const char *column, *text; /* that is asked for; NULL: any */
    } asked[] = { { "model", request->model }, { "device", request->device } };

    bytes_add(sql, " FROM ", 6);
    add_table(store, sql, TABLE_PROFILE);
    if (request->ids) {
        bytes_format(sql, " WHERE profile IN (");
        bytes_numbers(sql, request->ids, request->id_count);
        bytes_format(sql, ")");
    } else if (request->model || request->device || request->build_count) {
        bytes_format(sql, " WHERE profile %sIN (SELECT profile FROM ", global(store));
        add_table(store, sql, TABLE_PROFILE);
        bytes_format(sql, " WHERE 1");
        for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
            add_condition(sql, " AND %s = ", asked[i].column, asked[i].text);
        add_builds(sql, "build", request);
        bytes_format(sql, ")");
    }
    bytes_format(sql, " GROUP BY profile HAVING argMax(removed, written) = 0");
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        add_condition(sql, " AND argMax(%s, written) = ", asked[i].column, asked[i].text);
    add_builds(sql, "argMax(build, written)", request);
}

/* The newest row of each profile; `columns` gets the names that the answer has. */
static void make_profile_query(const struct clickhouse_store *store, const struct history_request *request,
                               struct bytes *sql, struct history_column *columns)
{
    static const char *const names[HISTORY_COLUMNS] = { "profile", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8" };

    bytes_format(sql, "SELECT profile");
    for (size_t i = 0; i < history_columns(TABLE_PROFILE); i++) {
        columns[i].name = names[i]; /* not its own: that would be taken for what is asked */
        if (i)
            bytes_format(sql, ", argMax(%s, written) AS %s", history_tables[TABLE_PROFILE].columns[i].name, names[i]);
    }
    add_profiles(store, sql, request);
    bytes_format(sql, " ORDER BY profile");
}

static void make_query(const struct clickhouse_store *store, const struct history_request *request, struct bytes *sql)
{
    const struct history_table *table = &history_tables[request->table];

    for (size_t i = 0; i < history_columns(request->table); i++)
        bytes_format(sql, "%s%s", i ? ", " : "SELECT ", table->columns[i].name);
    bytes_format(sql, " FROM ");
    add_table(store, sql, request->table);
    bytes_format(sql, " WHERE 1");
    if (request->ids) {
        bytes_format(sql, " AND %s IN (", table->columns[0].name);
        bytes_numbers(sql, request->ids, request->id_count);
        bytes_format(sql, ")");
    }
    if (!table->shared) {
        bytes_format(sql, " AND (profile, attempt) %sIN (SELECT profile, argMax(attempt, written)", global(store));
        add_profiles(store, sql, request);
        bytes_format(sql, ")");
    }
    if (request->table == TABLE_OPERATOR_TIME && request->name) {
        bytes_format(sql, " AND operator %sIN (SELECT operator FROM ", global(store));
        add_table(store, sql, TABLE_OPERATOR);
        add_condition(sql, " WHERE %s = ", "name", request->name);
        bytes_format(sql, ")");
    } else {
        add_condition(sql, " AND %s = ", table->named, request->name);
    }
    for (size_t i = 0; i < table->key; i++)
        bytes_format(sql, "%s%s", i ? ", " : " ORDER BY ", table->columns[i].name);
}

static status read_some(struct clickhouse_store *store, const struct history_request *request, history_take take,
                        void *context)
{
    struct history_column columns[HISTORY_COLUMNS];
    struct bytes sql = { 0 };
    status code;

    memcpy(columns, history_tables[request->table].columns, sizeof columns);
    if (request->table == TABLE_PROFILE)
        make_profile_query(store, request, &sql, columns);
    else
        make_query(store, request, &sql);
    bytes_format(&sql, " FORMAT TabSeparatedWithNamesAndTypes");
    code = clickhouse_ask_rows(&store->servers, CLICKHOUSE_ANY, &sql,
                               (struct rows_wanted){ columns, history_columns(request->table), true }, take, context);
    bytes_free(&sql);
    return code;
}

/* Whether a row that waits may be among those that are asked for. */
static bool waits(const struct clickhouse_store *store, const struct history_request *request)
{
    if (!request->ids || request->table != TABLE_PROFILE)
        return store->waiting_count;
    for (size_t i = 0; i < store->waiting_count; i++)
        for (size_t k = 0; k < request->id_count; k++)
            if (store->waiting[i].id == request->ids[k])
                return true;
    return false;
}

/* Whoever adds many profiles asks for each whether it is there: once he has asked for some, all are asked for, and those that are not there need no question. One that
 * another writer adds meanwhile is added twice, which is as good as once. */
static status take_known(void *context, const struct history_value *values)
{
    struct clickhouse_store *store = context;
    uint64_t id = (uint64_t)values[0].integer;
    bool added;

    return id <= NUMBER_SET_LARGEST ? number_set_add(&store->profiles, id, &added) : STATUS_OK;
}

static status look_up(struct clickhouse_store *store, int64_t id, bool *there)
{
    static const struct history_column columns[] = { { "profile", HISTORY_INTEGER, false } };
    struct bytes sql = { 0 };
    status code = STATUS_OK;

    *there = true;
    if (store->looks < LOOKS) {
        store->looks++;
        return STATUS_OK;
    }
    if (store->looks == LOOKS) {
        bytes_format(&sql, "SELECT DISTINCT profile FROM ");
        add_table(store, &sql, TABLE_PROFILE);
        bytes_format(&sql, " FORMAT TabSeparatedWithNamesAndTypes");
        code = clickhouse_ask_rows(&store->servers, CLICKHOUSE_ANY, &sql, (struct rows_wanted){ columns, 1, false },
                                   take_known, store);
        bytes_free(&sql);
        store->looks += code == STATUS_OK;
    }
    *there = (uint64_t)id > NUMBER_SET_LARGEST || number_set_has(&store->profiles, (uint64_t)id);
    return code;
}

static status store_settle(void *self);

static status store_read(void *self, const struct history_request *request, history_take take, void *context)
{
    struct clickhouse_store *store = self;
    struct history_request some = *request;
    bool waiting = waits(store, request), there = history_tables[request->table].since <= store->servers.version;
    status code = waiting ? store_settle(store) : STATUS_OK;

    if (code == STATUS_OK && there && !waiting && request->ids && request->id_count == 1 &&
        request->table == TABLE_PROFILE)
        code = look_up(store, request->ids[0], &there);
    if (code != STATUS_OK || !there)
        return code;
    if (!request->ids)
        return read_some(store, request, take, context);
    for (size_t i = 0; i < request->id_count && code == STATUS_OK; i += IDS) {
        some.ids = request->ids + i;
        some.id_count = request->id_count - i < IDS ? request->id_count - i : IDS;
        code = read_some(store, &some, take, context);
    }
    return code;
}

/* ---- rows on their way -------------------------------------------------------------------------------------------------------------- */

static status send_block(struct clickhouse_store *store, enum history_table_id table)
{
    struct bytes sql = { 0 };
    status code = STATUS_OK;

    if (!store->blocks[table].length)
        return STATUS_OK;
    bytes_format(&sql, "INSERT INTO ");
    add_table(store, &sql, table);
    bytes_format(&sql, " FORMAT RowBinary");
    code = sql.failure == STATUS_OK
               ? clickhouse_tell(store->servers.http, CLICKHOUSE_ANY, sql.data, bytes_text(&store->blocks[table]))
               : sql.failure;
    bytes_free(&sql);
    if (code == STATUS_OK)
        store->blocks[table].length = store->starts[table] = 0;
    return code;
}

/* All but the profiles' own. Launches go first: what an attempt left is found by them. */
static status send_rows(struct clickhouse_store *store)
{
    status code = send_block(store, TABLE_LAUNCH);

    for (unsigned i = 0; i < HISTORY_TABLES && code == STATUS_OK; i++)
        if (i != TABLE_PROFILE)
            code = send_block(store, (enum history_table_id)i);
    return code;
}

static int by_profile(const void *one, const void *other)
{
    int64_t a = ((const struct waiting *)one)->id, b = ((const struct waiting *)other)->id;

    return (a > b) - (a < b);
}

/* A clock that is behind another's must not make a row old at birth. */
static status take_written(void *context, const struct history_value *values)
{
    struct clickhouse_store *store = context;
    const struct waiting key = { .id = values[0].integer };
    struct waiting *found = bsearch(&key, store->waiting, store->waiting_count, sizeof key, by_profile);

    if (found && values[1].integer >= found->written)
        found->written = values[1].integer + 1;
    return STATUS_OK;
}

static status ask_written(struct clickhouse_store *store)
{
    static const struct history_column columns[] = { { "profile", HISTORY_INTEGER, false },
                                                     { "last", HISTORY_INTEGER, false } };
    status code = STATUS_OK;

    for (size_t i = 0; i < store->waiting_count && code == STATUS_OK; i += IDS) {
        struct bytes sql = { 0 };

        bytes_format(&sql, "SELECT profile, max(written) AS last FROM ");
        add_table(store, &sql, TABLE_PROFILE);
        bytes_format(&sql, " WHERE profile IN (");
        for (size_t k = i; k < store->waiting_count && k < i + IDS; k++) {
            bytes_add(&sql, ", ", k > i ? 2 : 0);
            bytes_numbers(&sql, &store->waiting[k].id, 1);
        }
        bytes_format(&sql, ") GROUP BY profile FORMAT TabSeparatedWithNamesAndTypes");
        code = clickhouse_ask_rows(&store->servers, CLICKHOUSE_ANY, &sql, (struct rows_wanted){ columns, 2, false },
                                   take_written, store);
        bytes_free(&sql);
    }
    return code;
}

/* The rows of the profiles: with them these are there. */
static status send_profiles(struct clickhouse_store *store)
{
    struct bytes *block = &store->blocks[TABLE_PROFILE];
    int64_t now = now_ns();
    status code;

    for (size_t i = 0; i < store->waiting_count; i++)
        store->waiting[i].written = now;
    qsort(store->waiting, store->waiting_count, sizeof *store->waiting, by_profile);
    code = ask_written(store);
    for (size_t i = 0; i < store->waiting_count && code == STATUS_OK; i++) {
        struct bytes number = { 0 };

        clickhouse_add_number(&number, (uint64_t)store->waiting[i].written, 8);
        code = number.failure;
        if (code == STATUS_OK)
            memcpy(block->data + store->waiting[i].written_at, number.data, number.length);
        bytes_free(&number);
    }
    if (code == STATUS_OK)
        return send_block(store, TABLE_PROFILE);
    return code == STATUS_INPUT ? STATUS_OUTPUT : code; /* a question on the way to writing */
}

/* From where they lie, on all servers. That they are not to be read is written down by now. */
static status remove_rows(struct clickhouse_store *store)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < store->removed_count && code == STATUS_OK; i += PAIRS)
        for (unsigned table = 0; table < HISTORY_TABLES && code == STATUS_OK; table++) {
            struct bytes sql = { 0 };

            if (clickhouse_extra_of((enum history_table_id)table) != 1)
                continue;
            bytes_format(&sql, "ALTER TABLE %s.%s DELETE WHERE (profile, attempt) IN (", store->servers.url.database,
                         history_tables[table].name);
            for (size_t k = i; k < store->removed_count && k < i + PAIRS; k++)
                bytes_format(&sql, "%s(%lld, %lld)", k > i ? ", " : "", (long long)store->removed[k].profile,
                             (long long)store->removed[k].attempt);
            bytes_format(&sql, ")");
            code = sql.failure;
            for (size_t host = 0; host < store->servers.url.host_count && code == STATUS_OK; host++)
                code = clickhouse_tell(store->servers.http, (int)host, sql.data, text_of(""));
            bytes_free(&sql);
        }
    store->removed_count = code == STATUS_OK ? 0 : store->removed_count;
    return code;
}

static status settle(struct clickhouse_store *store)
{
    status code = send_rows(store);

    if (code == STATUS_OK && store->waiting_count)
        code = send_profiles(store);
    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < store->waiting_count && code == STATUS_OK && store->looks > LOOKS; i++) {
        const struct history_value id = history_integer(store->waiting[i].id);

        code = take_known(store, &id);
    }
    store->safe += store->waiting_count;
    store->waiting_count = store->waiting_start = 0;
    return code == STATUS_OK ? remove_rows(store) : code;
}

static status store_settle(void *self)
{
    struct clickhouse_store *store = self;

    if (store->failed != STATUS_OK)
        return status_fail(store->failed, "%s", store->failure);
    store->failed = settle(store);
    if (store->failed == STATUS_OK)
        return STATUS_OK;
    if (store->waiting_count)
        (void)status_add(store->failed,
                         "%zu of %zu profiles are surely there; adding all of them again adds the others", store->safe,
                         store->safe + store->waiting_count);
    snprintf(store->failure, sizeof store->failure, "%s", status_message());
    return store->failed;
}

/* ---- transactions --------------------------------------------------------------------------------------------------------------------- */

static status store_begin(void *self)
{
    struct clickhouse_store *store = self;
    uint32_t chance = 0;

    if (getrandom(&chance, sizeof chance, 0) != sizeof chance)
        return status_fail(STATUS_OUTPUT, "%s: the system gives no random number", store->servers.url.shown);
    store->attempt = (int64_t)time(NULL) << CLICKHOUSE_CHANCE_BITS | (chance & ((1u << CLICKHOUSE_CHANCE_BITS) - 1));
    for (size_t i = 0; i < HISTORY_TABLES; i++)
        store->starts[i] = store->blocks[i].length;
    store->waiting_start = store->waiting_count;
    store->removed_start = store->removed_count;
    return STATUS_OK;
}

static size_t bytes_waiting(const struct clickhouse_store *store)
{
    size_t bytes = 0;

    for (size_t i = 0; i < HISTORY_TABLES; i++)
        bytes += store->blocks[i].length;
    return bytes;
}

static status add_waiting(struct clickhouse_store *store, int64_t profile, int64_t attempt, bool removed)
{
    struct bytes *block = &store->blocks[TABLE_PROFILE];
    status code =
        memory_grow(&store->waiting, &store->waiting_capacity, store->waiting_count + 1, sizeof *store->waiting);

    if (code != STATUS_OK)
        return code;
    clickhouse_add_number(block, (uint64_t)attempt, 8);
    store->waiting[store->waiting_count++] = (struct waiting){ .id = profile, .written_at = block->length };
    clickhouse_add_number(block, 0, 8);
    clickhouse_add_number(block, removed, 8);
    return block->failure;
}

static status store_insert(void *self, enum history_table_id table, const struct history_value *values)
{
    struct clickhouse_store *store = self;
    struct bytes *block = &store->blocks[table];
    bool fresh = true;
    status code = STATUS_OK;

    if (history_tables[table].shared) /* whole numbers but the two largest; those are sent each time */
        code = (uint64_t)values[0].integer <= NUMBER_SET_LARGEST
                   ? number_set_add(&store->operators, (uint64_t)values[0].integer, &fresh)
                   : STATUS_OK;
    if (code != STATUS_OK || !fresh)
        return code;
    code = clickhouse_add_row(block, table, values);
    if (code == STATUS_OK && table == TABLE_PROFILE)
        return add_waiting(store, values[0].integer, store->attempt, false);
    if (code == STATUS_OK && clickhouse_extra_of(table))
        clickhouse_add_number(block, (uint64_t)store->attempt, 8);
    if (code == STATUS_OK && block->length >= BLOCK_BYTES) /* of a profile that is not ended: nobody reads it yet */
        code = send_rows(store);
    return code == STATUS_OK ? block->failure : code;
}

static status store_end(void *self, bool keep)
{
    struct clickhouse_store *store = self;

    if (keep)
        return bytes_waiting(store) >= BLOCK_BYTES ? store_settle(store) : STATUS_OK;
    for (unsigned i = 0; i < HISTORY_TABLES; i++)
        if (!history_tables[i].shared && store->blocks[i].length > store->starts[i])
            store->blocks[i].length = store->starts[i];
    store->waiting_count = store->waiting_start;
    store->removed_count = store->removed_start;
    return STATUS_OK;
}

/* ---- removal -------------------------------------------------------------------------------------------------------------------------- */

static status take_pair(void *context, const struct history_value *values)
{
    struct clickhouse_store *store = context;
    status code =
        memory_grow(&store->removed, &store->removed_capacity, store->removed_count + 1, sizeof *store->removed);

    if (code == STATUS_OK)
        store->removed[store->removed_count++] = (struct pair){ values[0].integer, values[1].integer };
    return code;
}

static status ask_pairs(struct clickhouse_store *store, struct bytes *sql)
{
    static const struct history_column columns[] = { { "profile", HISTORY_INTEGER, false },
                                                     { "last", HISTORY_INTEGER, false } };
    status code;

    bytes_format(sql, " FORMAT TabSeparatedWithNamesAndTypes");
    code = clickhouse_ask_rows(&store->servers, CLICKHOUSE_ANY, sql, (struct rows_wanted){ columns, 2, false },
                               take_pair, store);
    bytes_free(sql);
    return code;
}

/* What attempts left that nobody will complete: of writers that were killed, and of those whose profile another one added. */
static status find_left_over(struct clickhouse_store *store)
{
    int64_t before = ((int64_t)time(NULL) - LEFT_OVER_S) << CLICKHOUSE_CHANCE_BITS;
    struct bytes sql = { 0 };

    bytes_format(&sql, "SELECT DISTINCT profile, attempt AS last FROM ");
    add_table(store, &sql, TABLE_LAUNCH);
    bytes_format(&sql, " WHERE attempt < %lld AND (profile, attempt) %sNOT IN (SELECT profile, attempt FROM ",
                 (long long)before, global(store));
    add_table(store, &sql, TABLE_PROFILE);
    bytes_format(&sql, ")");
    return ask_pairs(store, &sql);
}

static status store_remove(void *self, const int64_t *profiles, size_t count)
{
    static const struct history_value empty = { .kind = HISTORY_TEXT, .text = { "", 0 } };
    struct clickhouse_store *store = self;
    size_t first = store->removed_count;
    status code = STATUS_OK;

    for (size_t i = 0; i < count && code == STATUS_OK; i += IDS) {
        const struct history_request request = { .ids = profiles + i, .id_count = count - i < IDS ? count - i : IDS };
        struct bytes sql = { 0 };

        bytes_format(&sql, "SELECT profile, argMax(attempt, written) AS last");
        add_profiles(store, &sql, &request);
        code = ask_pairs(store, &sql);
    }
    for (size_t i = first; i < store->removed_count && code == STATUS_OK; i++) {
        const struct pair *pair = &store->removed[i];
        const struct history_value values[] = { history_integer(pair->profile),
                                                history_integer(0),
                                                history_integer(0),
                                                empty,
                                                empty,
                                                empty,
                                                empty,
                                                empty,
                                                empty };

        code = clickhouse_add_row(&store->blocks[TABLE_PROFILE], TABLE_PROFILE, values);
        if (code == STATUS_OK)
            code = add_waiting(store, pair->profile, pair->attempt, true);
    }
    return code == STATUS_OK ? find_left_over(store) : code;
}

static void store_close(void *self)
{
    struct clickhouse_store *store = self;

    for (size_t i = 0; i < HISTORY_TABLES; i++)
        bytes_free(&store->blocks[i]);
    clickhouse_http_close(store->servers.http);
    number_set_free(&store->operators);
    number_set_free(&store->profiles);
    memory_free(store->waiting);
    memory_free(store->removed);
    clickhouse_url_free(&store->servers.url);
    memory_free(store);
}

static const struct history_calls calls = { .begin = store_begin,
                                            .insert = store_insert,
                                            .remove = store_remove,
                                            .end = store_end,
                                            .settle = store_settle,
                                            .read = store_read,
                                            .close = store_close };

status history_open_clickhouse(const char *url, bool write, struct history *history)
{
    struct clickhouse_store *store = memory_allocate_clear(sizeof *store);
    status code;

    *history = (struct history){ 0 };
    if (!store)
        return status_no_memory("opening a history");
    *history = (struct history){ .calls = &calls, .self = store };
    code = clickhouse_url_parse(url, &store->servers.url);
    if (code == STATUS_OK)
        code = clickhouse_http_open(&store->servers.url, &store->servers.http);
    if (code == STATUS_OK)
        code = clickhouse_tables_open(&store->servers, write);
    history->days = store->servers.old_left ? store->servers.url.ttl_days : 0;
    return code;
}
