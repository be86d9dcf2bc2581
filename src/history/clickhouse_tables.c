/* clickhouse_tables.c: the tables of a history on ClickHouse servers: that they are there, and of a version that is known. */
#include "history/clickhouse_tables.h"

/* In the order in which they follow. */
static const struct history_column extra[] = {
    { "attempt", HISTORY_INTEGER, false }, /* that sent it */
    { "written", HISTORY_INTEGER, false }, /* ns since 1970, and later than any row of the profile before it */
    { "removed", HISTORY_INTEGER, false }, /* 1: the profile was taken out */
};

size_t clickhouse_extra_of(enum history_table_id table)
{
    return history_tables[table].shared ? 0 : table == TABLE_PROFILE ? 3 : 1;
}

status clickhouse_ask_rows(struct clickhouse *servers, int host, const struct bytes *sql, struct rows_wanted wanted,
                           history_take take, void *context)
{
    struct answer_rows rows = { .wanted = wanted, .from = servers->url.shown, .take = take, .context = context };
    status code = sql->failure != STATUS_OK ? sql->failure
                                            : clickhouse_ask(servers->http, host, bytes_text(sql), rows_take, &rows);

    if (code == STATUS_OK)
        code = rows_end(&rows);
    rows_free(&rows);
    return code;
}

/* ---- making them ------------------------------------------------------------------------------------------------------------------------------ */

static status tell(struct clickhouse *servers, int host, struct bytes *sql)
{
    status code =
        sql->failure == STATUS_OK ? clickhouse_tell(servers->http, host, sql->data, text_of("")) : sql->failure;

    bytes_free(sql);
    return code;
}

static void add_columns(struct bytes *sql, enum history_table_id id)
{
    const struct history_table *table = &history_tables[id];

    for (size_t i = 0; i < history_columns(id); i++)
        bytes_format(sql, "%s%s %s", i ? ", " : " (", table->columns[i].name, clickhouse_type(&table->columns[i]));
    for (size_t i = 0; i < clickhouse_extra_of(id); i++)
        bytes_format(sql, ", %s %s", extra[i].name, clickhouse_type(&extra[i]));
    bytes_format(sql, ")");
}

/* Rows lie by profile, attempt and the rest of the key; those that were sent twice become one in time, and of a profile's own the newest stays. */
static status make_table(struct clickhouse *servers, int host, enum history_table_id id)
{
    const struct history_table *table = &history_tables[id];
    struct bytes sql = { 0 };

    bytes_format(&sql, "CREATE TABLE IF NOT EXISTS %s.%s", servers->url.database, table->name);
    add_columns(&sql, id);
    bytes_format(&sql, " ENGINE = ReplacingMergeTree%s ORDER BY (%s", id == TABLE_PROFILE ? "(written)" : "()",
                 table->columns[0].name);
    bytes_format(&sql, "%s", clickhouse_extra_of(id) == 1 ? ", attempt" : "");
    for (size_t i = 1; i < table->key; i++)
        bytes_format(&sql, ", %s", table->columns[i].name);
    bytes_format(&sql, ")");
    return tell(servers, host, &sql);
}

/* All servers' rows as one table; those of a profile lie on one server. */
static status make_distributed(struct clickhouse *servers, int host, enum history_table_id id)
{
    const struct history_table *table = &history_tables[id];
    struct bytes sql = { 0 };

    bytes_format(&sql, "CREATE TABLE IF NOT EXISTS %s.%s_all", servers->url.database, table->name);
    add_columns(&sql, id);
    bytes_format(&sql, " ENGINE = Distributed(%s, %s, %s, intHash64(%s))", servers->url.cluster, servers->url.database,
                 table->name, table->columns[0].name);
    return tell(servers, host, &sql);
}

static status make_tables(struct clickhouse *servers, int host)
{
    const char *database = servers->url.database;
    struct bytes sql = { 0 };
    status code;

    bytes_format(&sql, "CREATE DATABASE IF NOT EXISTS %s", database);
    code = tell(servers, host, &sql);
    bytes_format(&sql, "CREATE TABLE IF NOT EXISTS %s.version (version Int64) ENGINE = MergeTree() ORDER BY version",
                 database);
    code = code == STATUS_OK ? tell(servers, host, &sql) : (bytes_free(&sql), code);
    for (unsigned i = 0; i < HISTORY_TABLES && code == STATUS_OK; i++) {
        code = make_table(servers, host, (enum history_table_id)i);
        if (code == STATUS_OK && servers->url.cluster)
            code = make_distributed(servers, host, (enum history_table_id)i);
    }
    return code;
}

/* What there is on a server. */
struct found {
    int64_t tables;  /* of any name */
    int64_t ours;    /* 1: there is a history's, perhaps not a whole one */
    int64_t version; /* of it; 0: it is not whole */
};

static status take_found(void *context, const struct history_value *values)
{
    struct found *found = context;

    found->tables = values[0].integer;
    found->ours = values[1].integer;
    return STATUS_OK;
}

static status take_version(void *context, const struct history_value *values)
{
    ((struct found *)context)->version = values[0].integer;
    return STATUS_OK;
}

static status look(struct clickhouse *servers, int host, struct found *found)
{
    static const struct history_column tables[] = { { "tables", HISTORY_INTEGER, false },
                                                    { "ours", HISTORY_INTEGER, false } };
    static const struct history_column version[] = { { "newest", HISTORY_INTEGER, false } };
    struct bytes sql = { 0 };
    status code;

    *found = (struct found){ 0 };
    bytes_format(&sql,
                 "SELECT toInt64(count()) AS tables, toInt64(countIf(name = 'version')) AS ours FROM system.tables"
                 " WHERE database = '%s' FORMAT TabSeparatedWithNamesAndTypes",
                 servers->url.database);
    code = clickhouse_ask_rows(servers, host, &sql, (struct rows_wanted){ tables, 2, false }, take_found, found);
    bytes_free(&sql);
    if (code != STATUS_OK || !found->ours)
        return code;
    bytes_format(&sql, "SELECT max(version) AS newest FROM %s.version FORMAT TabSeparatedWithNamesAndTypes",
                 servers->url.database);
    code = clickhouse_ask_rows(servers, host, &sql, (struct rows_wanted){ version, 1, false }, take_version, found);
    bytes_free(&sql);
    if (code == STATUS_OK && found->version > HISTORY_VERSION)
        return status_fail(
            STATUS_INPUT,
            "%s: is a history of version %lld; this tacho knows versions up to %d: a newer tacho wrote it",
            servers->url.shown, (long long)found->version, HISTORY_VERSION);
    return code;
}

/* With that of the version, and twice where each has one of all servers beside it. */
static int64_t tables_of(const struct clickhouse *servers, int64_t version)
{
    return (int64_t)history_tables_since(version) * (servers->url.cluster ? 2 : 1) + 1;
}

static status start_reading(struct clickhouse *servers)
{
    struct found found;
    status code = look(servers, CLICKHOUSE_ANY, &found);

    if (code != STATUS_OK)
        return code;
    if (!found.tables)
        return status_fail(STATUS_INPUT, "%s: there is no history here; tacho history add makes one",
                           servers->url.shown);
    if (!found.ours || !found.version)
        return status_fail(STATUS_INPUT, "%s: is %s", servers->url.shown,
                           found.ours ? "empty: nothing was ever added" : "a database of something else");
    if (servers->url.cluster && found.tables < tables_of(servers, found.version))
        return status_fail(STATUS_INPUT, "%s: is no history of a cluster yet; tacho history add makes it one",
                           servers->url.shown);
    servers->version = found.version;
    return STATUS_OK;
}

/* The table that tells the version is the first that is made on a server: what has it is a history. It is filled once all servers have all tables, the first of them last:
 * what has a line in it is a whole one. One of an older version gets what it lacks, and a line of the new one. */
static status start_writing(struct clickhouse *servers)
{
    int64_t wanted = tables_of(servers, HISTORY_VERSION);
    bool filled[CLICKHOUSE_HOSTS];
    status code = STATUS_OK;

    for (int host = (int)servers->url.host_count - 1; host >= 0 && code == STATUS_OK; host--) {
        struct found found;

        code = look(servers, host, &found);
        filled[host] = found.version == HISTORY_VERSION;
        if (code == STATUS_OK && found.tables && !found.ours)
            code = status_fail(STATUS_INPUT, "%s: is a database of something else", servers->url.shown);
        if (code == STATUS_OK && found.tables < wanted)
            code = make_tables(servers, host);
    }
    for (int host = (int)servers->url.host_count - 1; host >= 0 && code == STATUS_OK; host--) {
        struct bytes sql = { 0 };

        if (filled[host])
            continue;
        bytes_format(&sql, "INSERT INTO %s.version VALUES (%d)", servers->url.database, HISTORY_VERSION);
        code = tell(servers, host, &sql);
    }
    servers->version = HISTORY_VERSION;
    return code;
}

/* ---- rows that go by themselves ------------------------------------------------------------------------------------------------------------ */

static status take_count(void *context, const struct history_value *values)
{
    *(int64_t *)context = values[0].integer;
    return STATUS_OK;
}

/* One number that a server tells. */
static status ask_number(struct clickhouse *servers, int host, struct bytes *sql, int64_t *number)
{
    static const struct history_column columns[] = { { "number", HISTORY_INTEGER, false } };
    status code;

    bytes_format(sql, " FORMAT TabSeparatedWithNamesAndTypes");
    code = clickhouse_ask_rows(servers, host, sql, (struct rows_wanted){ columns, 1, false }, take_count, number);
    bytes_free(sql);
    return code;
}

/* Whoever adds takes out what is too old, where there is something: all profiles are read for it. */
static status find_old_at(struct clickhouse *servers, int host)
{
    struct bytes sql = { 0 };
    int64_t number = 0;
    status code;

    bytes_format(&sql,
                 "SELECT toInt64(count()) AS number FROM (SELECT profile FROM %s.profile GROUP BY profile"
                 " HAVING argMax(removed, written) = 0 AND argMax(added, written) < (toInt64(toUnixTimestamp(now()))"
                 " - %llu * 86400) * 1000000000)",
                 servers->url.database, (unsigned long long)servers->url.ttl_days);
    code = ask_number(servers, host, &sql, &number);
    servers->old_left |= number > 0;
    return code;
}

static status limit_age_at(struct clickhouse *servers, int host)
{
    struct bytes sql = { 0 };
    int64_t number = 0, wanted = 0;
    status code;

    bytes_format(&sql, "SELECT toInt64(toUInt64(splitByChar('.', version())[1]) * 100 +"
                       " toUInt64(splitByChar('.', version())[2])) AS number");
    code = ask_number(servers, host, &sql, &number);
    if (code == STATUS_OK && number < 1906) /* it knows no TTL */
        return find_old_at(servers, host);
    bytes_format(&sql,
                 "SELECT toInt64(count()) AS number FROM system.tables WHERE database = '%s' AND"
                 " position(create_table_query, 'toIntervalDay(%llu)') > 0",
                 servers->url.database, (unsigned long long)servers->url.ttl_days);
    code = code == STATUS_OK ? ask_number(servers, host, &sql, &number) : (bytes_free(&sql), code);
    for (unsigned i = 0; i < HISTORY_TABLES; i++)
        wanted += !history_tables[i].shared;
    for (unsigned i = 0; i < HISTORY_TABLES && code == STATUS_OK && number < wanted; i++) {
        unsigned table = (i + 1) % HISTORY_TABLES; /* that of profiles last: with it all is done */

        if (history_tables[table].shared)
            continue;
        bytes_format(&sql, "ALTER TABLE %s.%s MODIFY TTL toDateTime(intDiv(attempt, %llu)) + toIntervalDay(%llu)",
                     servers->url.database, history_tables[table].name, 1ull << CLICKHOUSE_CHANCE_BITS,
                     (unsigned long long)servers->url.ttl_days);
        code = tell(servers, host, &sql);
    }
    return code;
}

static status limit_age(struct clickhouse *servers)
{
    status code = STATUS_OK;

    for (int host = 0; host < (int)servers->url.host_count && code == STATUS_OK; host++)
        code = limit_age_at(servers, host);
    return code;
}

status clickhouse_tables_open(struct clickhouse *servers, bool write)
{
    status code = write ? start_writing(servers) : start_reading(servers);

    return code == STATUS_OK && write && servers->url.ttl_days ? limit_age(servers) : code;
}
