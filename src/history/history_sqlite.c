/* history_sqlite.c: a history in one SQLite file: readers while one writes, one transaction per profile. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "base/sqlite.h"
#include "history/history.h"

enum {
    TABLES = TABLE_OPERATOR_TIME + 1,
    PATIENCE_MS = 60000, /* for which another writer is waited for */
    QUERY = 1024
};

struct sqlite_store {
    sqlite3 *database;             /* owned */
    sqlite3_stmt *inserts[TABLES]; /* prepared where they were needed; owned */
    char *path;                    /* for messages; owned */
};

/* The reason that SQLite gives, with the file before it. */
static status fail(const struct sqlite_store *store, status code, const char *doing)
{
    return status_fail(code, "%s: %s: %s", store->path, doing, sqlite.errmsg(store->database));
}

static status execute(const struct sqlite_store *store, const char *sql, status code, const char *doing)
{
    return sqlite.exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ? STATUS_OK : fail(store, code, doing);
}

/* ---- statements ----------------------------------------------------------------------------------------------------------- */

static int bind(sqlite3_stmt *statement, int at, const struct history_value *value)
{
    switch (value->kind) {
    case HISTORY_NULL:
        return sqlite.bind_null(statement, at);
    case HISTORY_INTEGER:
        return sqlite.bind_int64(statement, at, value->integer);
    case HISTORY_DECIMAL:
        return sqlite.bind_double(statement, at, value->decimal);
    case HISTORY_TEXT:
        return sqlite.bind_text64(statement, at, value->text.data, value->text.length, SQLITE_STATIC, SQLITE_UTF8);
    case HISTORY_BYTES:
        return sqlite.bind_blob64(statement, at, value->text.data, value->text.length, SQLITE_STATIC);
    }
    return SQLITE_MISUSE;
}

static struct history_value column(sqlite3_stmt *statement, int at)
{
    struct history_value value = { .kind = HISTORY_NULL };
    bool bytes = sqlite.column_type(statement, at) == SQLITE_BLOB;

    switch (sqlite.column_type(statement, at)) {
    case SQLITE_INTEGER:
        value.kind = HISTORY_INTEGER;
        value.integer = sqlite.column_int64(statement, at);
        break;
    case SQLITE_FLOAT:
        value.kind = HISTORY_DECIMAL;
        value.decimal = sqlite.column_double(statement, at);
        break;
    case SQLITE_TEXT:
    case SQLITE_BLOB:
        value.kind = bytes ? HISTORY_BYTES : HISTORY_TEXT;
        value.text.data = bytes ? sqlite.column_blob(statement, at) : (const char *)sqlite.column_text(statement, at);
        value.text.length = (size_t)sqlite.column_bytes(statement, at);
        break;
    default:
        break;
    }
    return value;
}

static size_t columns_of(const struct history_table *table)
{
    size_t count = 0;

    while (count < HISTORY_COLUMNS && table->columns[count].name)
        count++;
    return count;
}

static status prepare_insert(struct sqlite_store *store, enum history_table_id id)
{
    const struct history_table *table = &history_tables[id];
    char sql[QUERY];
    int length = snprintf(sql, sizeof sql, "INSERT %sINTO %s VALUES (", table->shared ? "OR IGNORE " : "", table->name);

    if (store->inserts[id])
        return STATUS_OK;
    for (size_t i = 0; i < columns_of(table); i++)
        length += snprintf(sql + length, sizeof sql - (size_t)length, "%s?%zu", i ? ", " : "", i + 1);
    snprintf(sql + length, sizeof sql - (size_t)length, ")");
    if (sqlite.prepare_v2(store->database, sql, -1, &store->inserts[id], NULL) != SQLITE_OK)
        return fail(store, STATUS_OUTPUT, "cannot be added to");
    return STATUS_OK;
}

static status store_insert(void *self, enum history_table_id id, const struct history_value *values)
{
    struct sqlite_store *store = self;
    size_t count = columns_of(&history_tables[id]);
    status code = prepare_insert(store, id);

    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < count; i++)
        if (bind(store->inserts[id], (int)i + 1, &values[i]) != SQLITE_OK)
            return fail(store, STATUS_OUTPUT, "cannot be added to");
    if (sqlite.step(store->inserts[id]) != SQLITE_DONE)
        code = fail(store, STATUS_OUTPUT, "cannot be added to");
    (void)sqlite.reset(store->inserts[id]); /* the failure of the step, again */
    return code;
}

static status ask(struct sqlite_store *store, sqlite3_stmt *statement, const struct history_value *parameters,
                  size_t count, history_take take, void *context)
{
    struct history_value values[2 * HISTORY_COLUMNS];
    int columns = sqlite.column_count(statement), step;
    status code = STATUS_OK;

    if ((size_t)columns > sizeof values / sizeof *values)
        return status_fail(STATUS_USAGE, "%s: a query of too many columns", store->path);
    for (size_t i = 0; i < count; i++)
        if (bind(statement, (int)i + 1, &parameters[i]) != SQLITE_OK)
            return fail(store, STATUS_INPUT, "cannot be asked");
    while (code == STATUS_OK && (step = sqlite.step(statement)) != SQLITE_DONE) {
        if (step != SQLITE_ROW)
            return fail(store, STATUS_INPUT, "cannot be read");
        for (int i = 0; i < columns; i++)
            values[i] = column(statement, i);
        code = take(context, values);
    }
    return code;
}

static status store_ask(void *self, const char *query, const struct history_value *parameters, size_t count,
                        history_take take, void *context)
{
    struct sqlite_store *store = self;
    sqlite3_stmt *statement = NULL;
    status code = sqlite.prepare_v2(store->database, query, -1, &statement, NULL) == SQLITE_OK
                      ? ask(store, statement, parameters, count, take, context)
                      : fail(store, STATUS_INPUT, "cannot be asked");

    sqlite.finalize(statement);
    return code;
}

static status take_nothing(void *context, const struct history_value *values)
{
    (void)context;
    (void)values;
    return STATUS_OK;
}

static status store_remove(void *self, int64_t profile)
{
    const struct history_value id = { .kind = HISTORY_INTEGER, .integer = profile };
    char sql[QUERY];
    status code = STATUS_OK;

    for (const struct history_table *table = history_tables; table->name && code == STATUS_OK; table++) {
        if (table->shared)
            continue;
        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE profile = ?1", table->name);
        code = store_ask(self, sql, &id, 1, take_nothing, NULL);
    }
    return code;
}

static status store_begin(void *self)
{
    return execute(self, "BEGIN IMMEDIATE", STATUS_OUTPUT, "cannot be written to");
}

static status store_end(void *self, bool keep)
{
    status code;

    if (!keep) { /* where even that fails, the file is as it was once it is closed; the failure that led here is told */
        (void)sqlite.exec(((struct sqlite_store *)self)->database, "ROLLBACK", NULL, NULL, NULL);
        return STATUS_OK;
    }
    code = execute(self, "COMMIT", STATUS_OUTPUT, "cannot be written to");
    if (code != STATUS_OK)
        (void)sqlite.exec(((struct sqlite_store *)self)->database, "ROLLBACK", NULL, NULL, NULL);
    return code;
}

static void store_close(void *self)
{
    struct sqlite_store *store = self;

    for (size_t i = 0; i < TABLES; i++)
        sqlite.finalize(store->inserts[i]);
    sqlite.close(store->database);
    memory_free(store->path);
    memory_free(store);
}

static const struct history_calls calls = { .begin = store_begin,
                                            .insert = store_insert,
                                            .remove = store_remove,
                                            .end = store_end,
                                            .ask = store_ask,
                                            .close = store_close };

/* ---- a file ----------------------------------------------------------------------------------------------------------------- */

static const char *type_of(enum history_kind kind)
{
    switch (kind) {
    case HISTORY_INTEGER:
        return "INTEGER";
    case HISTORY_DECIMAL:
        return "REAL";
    case HISTORY_BYTES:
        return "BLOB";
    case HISTORY_TEXT:
    case HISTORY_NULL:
        break;
    }
    return "TEXT";
}

static status make_table(struct sqlite_store *store, const struct history_table *table)
{
    char sql[QUERY];
    int length = snprintf(sql, sizeof sql, "CREATE TABLE %s (", table->name);

    for (size_t i = 0; i < columns_of(table); i++)
        length += snprintf(sql + length, sizeof sql - (size_t)length, "%s %s, ", table->columns[i].name,
                           type_of(table->columns[i].kind));
    length += snprintf(sql + length, sizeof sql - (size_t)length, "PRIMARY KEY (");
    for (size_t i = 0; i < table->key; i++)
        length += snprintf(sql + length, sizeof sql - (size_t)length, "%s%s", i ? ", " : "", table->columns[i].name);
    snprintf(sql + length, sizeof sql - (size_t)length, ")) WITHOUT ROWID");
    return execute(store, sql, STATUS_OUTPUT, "cannot be made");
}

static status take_version(void *context, const struct history_value *values)
{
    *(int64_t *)context = values[0].integer;
    return STATUS_OK;
}

static status make_tables(struct sqlite_store *store)
{
    char sql[64];
    status code = STATUS_OK;

    for (const struct history_table *table = history_tables; table->name && code == STATUS_OK; table++)
        code = make_table(store, table);
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d", HISTORY_VERSION);
    return code == STATUS_OK ? execute(store, sql, STATUS_OUTPUT, "cannot be made") : code;
}

static status check_version(struct sqlite_store *store, int64_t *version)
{
    status code = store_ask(store, "PRAGMA user_version", NULL, 0, take_version, version);

    if (code == STATUS_OK && *version > HISTORY_VERSION)
        return status_fail(
            STATUS_INPUT,
            "%s: is a history of version %lld; this tacho knows versions up to %d: a newer tacho wrote it", store->path,
            (long long)*version, HISTORY_VERSION);
    return code;
}

static status take_count(void *context, const struct history_value *values)
{
    *(int64_t *)context += values[0].integer;
    return STATUS_OK;
}

/* Version 0 is a file that is empty, or somebody else's. */
static status start_file(struct sqlite_store *store, bool write)
{
    int64_t version = 0, tables = 0;
    status code = check_version(store, &version);

    if (code != STATUS_OK || version)
        return code;
    code = store_begin(store); /* another may be making it now */
    if (code == STATUS_OK)
        code = check_version(store, &version);
    if (code == STATUS_OK && !version)
        code = store_ask(store, "SELECT count(*) FROM sqlite_master", NULL, 0, take_count, &tables);
    if (code == STATUS_OK && !version && (tables || !write))
        code = status_fail(STATUS_INPUT, "%s: is %s", store->path,
                           tables ? "a database of something else" : "empty: nothing was ever added");
    if (code == STATUS_OK && !version)
        code = make_tables(store);
    return code == STATUS_OK ? store_end(store, true) : (store_end(store, false), code);
}

status history_open_sqlite(const char *path, bool write, struct history *history)
{
    struct sqlite_store *store;
    int flags = SQLITE_OPEN_READWRITE | (write ? SQLITE_OPEN_CREATE : 0);
    status code;

    *history = (struct history){ 0 };
    if (!write && !path_is_file(path))
        return status_fail(STATUS_INPUT, "%s: there is no history here; tacho history add makes one", path);
    code = sqlite_load();
    if (code != STATUS_OK)
        return code;
    store = memory_allocate_clear(sizeof *store);
    if (!store)
        return status_no_memory("opening a history");
    *history = (struct history){ &calls, store };
    store->path = memory_copy_text(path);
    if (!store->path)
        return status_no_memory("opening a history");
    if (sqlite.open_v2(path, &store->database, flags, NULL) != SQLITE_OK)
        return fail(store, STATUS_INPUT, "cannot be opened");
    sqlite.busy_timeout(store->database, PATIENCE_MS);
    code = start_file(store, write);
    /* Readers while one writes; a killed writer loses what it had not committed, and nothing else. */
    if (code == STATUS_OK && write)
        code = execute(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", STATUS_OUTPUT,
                       "cannot be written to");
    return code;
}

void history_close(struct history *history)
{
    if (history->calls)
        history->calls->close(history->self);
    *history = (struct history){ 0 };
}
