/* history_sqlite.c: a history in one SQLite file: readers while one writes, one transaction per profile. A file that is not there is made with the first
 * of them: who adds nothing leaves nothing behind. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number_set.h"
#include "base/path.h"
#include "base/sqlite.h"
#include "history/history.h"

enum {
    PATIENCE_MS = 60000, /* for which another writer is waited for */
    QUERY = 1024
};

struct sqlite_store {
    sqlite3 *database;                     /* owned; NULL: there is no file yet */
    sqlite3_stmt *inserts[HISTORY_TABLES]; /* prepared where they were needed; owned */
    struct number_set shared;              /* keys of rows of no profile that are there */
    char *path;                            /* for messages; owned */
    int64_t version;                       /* that it has; 0: it has no tables yet */
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

static status prepare_insert(struct sqlite_store *store, enum history_table_id id)
{
    const struct history_table *table = &history_tables[id];
    char sql[QUERY];
    int length = snprintf(sql, sizeof sql, "INSERT %sINTO %s VALUES (", table->shared ? "OR IGNORE " : "", table->name);

    if (store->inserts[id])
        return STATUS_OK;
    for (size_t i = 0; i < history_columns(id); i++)
        length += snprintf(sql + length, sizeof sql - (size_t)length, "%s?%zu", i ? ", " : "", i + 1);
    snprintf(sql + length, sizeof sql - (size_t)length, ")");
    if (sqlite.prepare_v2(store->database, sql, -1, &store->inserts[id], NULL) != SQLITE_OK)
        return fail(store, STATUS_OUTPUT, "cannot be added to");
    return STATUS_OK;
}

static status store_insert(void *self, enum history_table_id id, const struct history_value *values)
{
    struct sqlite_store *store = self;
    size_t count = history_columns(id);
    bool fresh = true;
    status code = prepare_insert(store, id);

    if (code == STATUS_OK && history_tables[id].shared && (uint64_t)values[0].integer <= NUMBER_SET_LARGEST)
        code = number_set_add(&store->shared, (uint64_t)values[0].integer, &fresh);
    if (code != STATUS_OK || !fresh)
        return code;
    for (size_t i = 0; i < count; i++)
        if (bind(store->inserts[id], (int)i + 1, &values[i]) != SQLITE_OK)
            return fail(store, STATUS_OUTPUT, "cannot be added to");
    if (sqlite.step(store->inserts[id]) != SQLITE_DONE)
        code = fail(store, STATUS_OUTPUT, "cannot be added to");
    (void)sqlite.reset(store->inserts[id]); /* the failure of the step, again */
    return code;
}

/* ---- rows out ------------------------------------------------------------------------------------------------------------- */

/* Numbers of the parameters of a query. */
enum { AT_ID = 1, AT_MODEL, AT_DEVICE, AT_NAME, AT_BUILD }; /* builds are the last, several of them */

/* Where a condition is put together: " AND a = ?1". */
struct sql {
    char text[QUERY]; /* of the query */
    size_t length;    /* so far */
};

static void add(struct sql *sql, const char *format, ...) PRINTF_LIKE(2, 3);
static void add(struct sql *sql, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(sql->text + sql->length, sizeof sql->text - sql->length, format, arguments);
    va_end(arguments);
    assert(length >= 0 && sql->length + (size_t)length < sizeof sql->text);
    sql->length += (size_t)length;
}

static void add_profiles(struct sql *sql, const struct history_request *request)
{
    bool own = request->table == TABLE_PROFILE;

    if (history_tables[request->table].shared || (!request->model && !request->device && !request->build_count))
        return;
    add(sql, "%s", own ? "" : " AND profile IN (SELECT profile FROM profile WHERE 1");
    if (request->model)
        add(sql, " AND model = ?%d", AT_MODEL);
    if (request->device)
        add(sql, " AND device = ?%d", AT_DEVICE);
    for (size_t i = 0; i < request->build_count; i++)
        add(sql, "%s?%zu", i ? ", " : " AND build IN (", AT_BUILD + i);
    add(sql, "%s%s", request->build_count ? ")" : "", own ? "" : ")");
}

static void make_query(const struct history_request *request, struct sql *sql)
{
    const struct history_table *table = &history_tables[request->table];

    add(sql, "SELECT * FROM %s WHERE 1", table->name);
    if (request->ids)
        add(sql, " AND %s = ?%d", table->columns[0].name, AT_ID);
    add_profiles(sql, request);
    if (request->name && request->table == TABLE_OPERATOR_TIME)
        add(sql, " AND operator IN (SELECT operator FROM operator WHERE name = ?%d)", AT_NAME);
    else if (request->name)
        add(sql, " AND %s = ?%d", table->named, AT_NAME);
    for (size_t i = 0; i < table->key; i++)
        add(sql, "%s%s", i ? ", " : " ORDER BY ", table->columns[i].name);
}

static status bind_texts(struct sqlite_store *store, sqlite3_stmt *statement, const struct history_request *request)
{
    const char *const texts[] = {
        [AT_MODEL] = request->model, [AT_DEVICE] = request->device, [AT_NAME] = request->name
    };
    int count = AT_BUILD + (int)request->build_count;

    for (int i = AT_MODEL; i < count; i++) {
        const char *text = i < AT_BUILD ? texts[i] : request->builds[i - AT_BUILD];
        const struct history_value value = history_word(text);
        int bound = text ? bind(statement, i, &value) : SQLITE_OK;

        /* SQLITE_RANGE: the query has no place for it. */
        if (bound != SQLITE_OK && bound != SQLITE_RANGE)
            return fail(store, STATUS_INPUT, "cannot be asked");
    }
    return STATUS_OK;
}

static status take_rows(struct sqlite_store *store, sqlite3_stmt *statement, size_t wanted, history_take take,
                        void *context)
{
    struct history_value values[HISTORY_COLUMNS];
    int columns = sqlite.column_count(statement), step;
    status code = STATUS_OK;

    if ((size_t)columns != wanted)
        return status_fail(STATUS_INPUT, "%s: a table has %d columns instead of %zu: it is not as it was written",
                           store->path, columns, wanted);
    while (code == STATUS_OK && (step = sqlite.step(statement)) != SQLITE_DONE) {
        if (step != SQLITE_ROW)
            return fail(store, STATUS_INPUT, "cannot be read");
        for (int i = 0; i < columns; i++)
            values[i] = column(statement, i);
        code = take(context, values);
    }
    return code;
}

static status take_each(struct sqlite_store *store, sqlite3_stmt *statement, const struct history_request *request,
                        history_take take, void *context)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < request->id_count && code == STATUS_OK; i++) {
        if (sqlite.bind_int64(statement, AT_ID, request->ids[i]) != SQLITE_OK)
            return fail(store, STATUS_INPUT, "cannot be asked");
        code = take_rows(store, statement, history_columns(request->table), take, context);
        (void)sqlite.reset(statement); /* the failure of a step, again */
    }
    return code;
}

static status store_read(void *self, const struct history_request *request, history_take take, void *context)
{
    struct sqlite_store *store = self;
    sqlite3_stmt *statement = NULL;
    struct sql sql = { .length = 0 };
    status code;

    if (history_tables[request->table].since >
        store->version) /* an older one, that nobody writes to now, or none yet */
        return STATUS_OK;
    make_query(request, &sql);
    if (sqlite.prepare_v2(store->database, sql.text, -1, &statement, NULL) != SQLITE_OK)
        return fail(store, STATUS_INPUT, "cannot be asked");
    code = bind_texts(store, statement, request);
    if (code == STATUS_OK)
        code = request->ids ? take_each(store, statement, request, take, context)
                            : take_rows(store, statement, history_columns(request->table), take, context);
    sqlite.finalize(statement);
    return code;
}

/* The first number of the first row. */
static status ask_number(struct sqlite_store *store, const char *query, int64_t *number)
{
    sqlite3_stmt *statement = NULL;
    bool told = sqlite.prepare_v2(store->database, query, -1, &statement, NULL) == SQLITE_OK &&
                sqlite.step(statement) == SQLITE_ROW;

    *number = told ? sqlite.column_int64(statement, 0) : 0;
    sqlite.finalize(statement);
    return told ? STATUS_OK : fail(store, STATUS_INPUT, "cannot be asked");
}

/* ---- transactions ----------------------------------------------------------------------------------------------------------- */

static status remove_rows(struct sqlite_store *store, const char *table, const int64_t *profiles, size_t count)
{
    sqlite3_stmt *statement = NULL;
    struct sql sql = { .length = 0 };
    bool good;

    add(&sql, "DELETE FROM %s WHERE profile = ?1", table);
    good = sqlite.prepare_v2(store->database, sql.text, -1, &statement, NULL) == SQLITE_OK;
    for (size_t i = 0; i < count && good; i++) {
        good = sqlite.bind_int64(statement, 1, profiles[i]) == SQLITE_OK && sqlite.step(statement) == SQLITE_DONE;
        (void)sqlite.reset(statement); /* the failure of the step, again */
    }
    sqlite.finalize(statement);
    return good ? STATUS_OK : fail(store, STATUS_OUTPUT, "cannot be written to");
}

static status store_remove(void *self, const int64_t *profiles, size_t count)
{
    status code = STATUS_OK;

    for (const struct history_table *table = history_tables; table->name && code == STATUS_OK; table++)
        if (!table->shared)
            code = remove_rows(self, table->name, profiles, count);
    return code;
}

static status open_file(struct sqlite_store *store, bool write, status failure);

static status store_begin(void *self)
{
    struct sqlite_store *store = self;
    status code = store->database ? STATUS_OK : open_file(store, true, STATUS_OUTPUT);

    if (code != STATUS_OK)
        return code;
    return execute(store, "BEGIN IMMEDIATE", STATUS_OUTPUT, "cannot be written to");
}

/* Where even going back fails, the file is as it was once it is closed; the failure that led here is told. */
static status store_end(void *self, bool keep)
{
    struct sqlite_store *store = self;
    status code = keep ? execute(store, "COMMIT", STATUS_OUTPUT, "cannot be written to") : STATUS_OK;

    if (keep && code == STATUS_OK)
        return code;
    (void)sqlite.exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    number_set_clear(&store->shared);
    return code;
}

/* Each transaction is one of the file's: a writer that is killed loses only what it had not ended. */
static status store_settle(void *self)
{
    (void)self;
    return STATUS_OK;
}

static void store_close(void *self)
{
    struct sqlite_store *store = self;

    for (size_t i = 0; i < HISTORY_TABLES; i++)
        sqlite.finalize(store->inserts[i]);
    sqlite.close(store->database);
    number_set_free(&store->shared);
    memory_free(store->path);
    memory_free(store);
}

static const struct history_calls calls = { .begin = store_begin,
                                            .insert = store_insert,
                                            .remove = store_remove,
                                            .end = store_end,
                                            .settle = store_settle,
                                            .read = store_read,
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

static status make_table(struct sqlite_store *store, enum history_table_id id)
{
    const struct history_table *table = &history_tables[id];
    struct sql sql = { .length = 0 };

    add(&sql, "CREATE TABLE %s (", table->name);
    for (size_t i = 0; i < history_columns(id); i++)
        add(&sql, "%s %s, ", table->columns[i].name, type_of(table->columns[i].kind));
    for (size_t i = 0; i < table->key; i++)
        add(&sql, "%s%s", i ? ", " : "PRIMARY KEY (", table->columns[i].name);
    add(&sql, ")) WITHOUT ROWID");
    return execute(store, sql.text, STATUS_OUTPUT, "cannot be made");
}

/* Those that it has not yet. */
static status make_tables(struct sqlite_store *store)
{
    char sql[64];
    status code = STATUS_OK;

    for (unsigned i = 0; i < HISTORY_TABLES && code == STATUS_OK; i++)
        if (history_tables[i].since > store->version)
            code = make_table(store, (enum history_table_id)i);
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d", HISTORY_VERSION);
    if (code == STATUS_OK)
        code = execute(store, sql, STATUS_OUTPUT, "cannot be made");
    store->version = code == STATUS_OK ? HISTORY_VERSION : store->version;
    return code;
}

static status check_version(struct sqlite_store *store)
{
    status code = ask_number(store, "PRAGMA user_version", &store->version);

    if (code == STATUS_OK && store->version > HISTORY_VERSION)
        return status_fail(
            STATUS_INPUT,
            "%s: is a history of version %lld; this tacho knows versions up to %d: a newer tacho wrote it", store->path,
            (long long)store->version, HISTORY_VERSION);
    return code;
}

/* Version 0 is a file that is empty, or somebody else's; one that is older gets what it lacks from its next writer. */
static status start_file(struct sqlite_store *store, bool write)
{
    int64_t tables = 0;
    status code = check_version(store);

    if (code != STATUS_OK || store->version == HISTORY_VERSION || (store->version && !write))
        return code;
    code = store_begin(store); /* another may be making it now */
    if (code == STATUS_OK)
        code = check_version(store);
    if (code == STATUS_OK && !store->version)
        code = ask_number(store, "SELECT count(*) FROM sqlite_master", &tables);
    if (code == STATUS_OK && !store->version && (tables || !write))
        code = status_fail(STATUS_INPUT, "%s: is %s", store->path,
                           tables ? "a database of something else" : "empty: nothing was ever added");
    if (code == STATUS_OK && store->version < HISTORY_VERSION)
        code = make_tables(store);
    return code == STATUS_OK ? store_end(store, true) : (store_end(store, false), code);
}

/* `failure`: what it is where there is no opening it. */
static status open_file(struct sqlite_store *store, bool write, status failure)
{
    int flags = SQLITE_OPEN_READWRITE | (write ? SQLITE_OPEN_CREATE : 0);
    status code;

    if (sqlite.open_v2(store->path, &store->database, flags, NULL) != SQLITE_OK)
        return fail(store, failure, "cannot be opened");
    sqlite.busy_timeout(store->database, PATIENCE_MS);
    code = start_file(store, write);
    /* Readers while one writes; a killed writer loses what it had not committed, and nothing else. */
    if (code == STATUS_OK && write)
        code = execute(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", STATUS_OUTPUT,
                       "cannot be written to");
    else if (code == STATUS_OK) /* all that is read is of one moment */
        code = execute(store, "BEGIN", STATUS_INPUT, "cannot be read");
    return code;
}

status history_open_sqlite(const char *path, bool write, struct history *history)
{
    struct sqlite_store *store;
    bool there = path_is_file(path);
    status code;

    *history = (struct history){ 0 };
    if (!write && !there)
        return status_fail(STATUS_INPUT, "%s: there is no history here; tacho history add makes one", path);
    code = sqlite_load();
    if (code != STATUS_OK)
        return code;
    store = memory_allocate_clear(sizeof *store);
    if (!store)
        return status_no_memory("opening a history");
    *history = (struct history){ .calls = &calls, .self = store };
    store->path = memory_copy_text(path);
    if (!store->path)
        return status_no_memory("opening a history");
    return there ? open_file(store, write, STATUS_INPUT) : STATUS_OK;
}
