/* test_query.c: SQL about a file: what is answered, what is left when memory runs out, and what may be asked in between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "query/query.h"

static char timeline[4096];

static int find_data(void **state)
{
    const char *data = getenv("TACHO_TEST_DATA");

    (void)state;
    snprintf(timeline, sizeof timeline, "%s/torq-golden/c1.csv", data ? data : "tests/data");
    return 0;
}

/* Keeps the last table. */
static status take(void *context, struct table *table)
{
    struct table **kept = context;

    table_free(*kept);
    *kept = table;
    return STATUS_OK;
}

static struct query *open_query(void)
{
    const char *paths[] = { timeline };
    const struct query_options options = { .seconds = 60 };
    struct query *query;

    assert_int_equal(query_open(paths, 1, &options, &query), STATUS_OK);
    return query;
}

static int64_t ask_integer(struct query *query, const char *sql)
{
    struct table *table = NULL;
    int64_t value;

    assert_int_equal(query_ask(query, "SQL", sql, take, &table), STATUS_OK);
    assert_int_equal(table_rows(table), 1);
    assert_false(table_cell(table, 0, 0).null);
    value = table_cell(table, 0, 0).integer;
    table_free(table);
    return value;
}

static void test_asked_again(void **state)
{
    struct query *query = open_query();
    struct table *table = NULL;
    int64_t count = ask_integer(query, "SELECT count(*) FROM slices");

    (void)state;
    assert_true(count > 0);
    assert_int_equal(query_ask(query, "SQL", "SELECT nix FROM slices", take, &table), STATUS_USAGE);
    assert_null(table);
    assert_int_equal(ask_integer(query, "SELECT count(*) FROM slices"), count);
    assert_int_equal(ask_integer(query, "SELECT sum(n) FROM (SELECT count(*) AS n FROM slices GROUP BY name)"), count);
    assert_int_equal(ask_integer(query, "SELECT count(*) FROM slices AS a JOIN slices AS b ON b.id = a.id"), count);
    assert_true(ask_integer(query, "SELECT count(*) FROM operators") > 0);
    query_close(query);
}

static bool is_set(void *context)
{
    return *(bool *)context;
}

/* Who wants a statement to end is heard while it works; an interrupt before it is of nothing. */
static void test_interrupted_before(void **state)
{
    bool stop = true;
    const char *paths[] = { timeline };
    const struct query_options options = { .stop = is_set, .stop_context = &stop };
    const char *endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
    struct table *table = NULL;
    struct query *query;

    (void)state;
    assert_int_equal(query_open(paths, 1, &options, &query), STATUS_OK);
    assert_int_equal(query_ask(query, "SQL", endless, take, &table), STATUS_USAGE);
    assert_string_equal(status_message(), "the query was stopped");
    assert_null(table);
    stop = false;
    query_interrupt(query); /* of nothing */
    assert_int_equal(ask_integer(query, "SELECT 7"), 7);
    query_close(query);
}

static status ask_everything(void)
{
    static const char sql[] =
        "SELECT s.name, t.name, busy(start_ticks, duration_ticks) FROM slices AS s JOIN tracks AS t ON t.id = "
        "s.track_id"
        " WHERE s.engine_group IN ('transfer', 'compute') GROUP BY s.name;"
        "SELECT overlap(start_ns, duration_ns, track_id % 2), percentile(duration_ns, 90) FROM slices ORDER BY "
        "start_ns;"
        "SELECT key, value FROM arguments WHERE slice = 1 UNION ALL SELECT run, counted FROM runs;"
        "SELECT count(*) FROM flows, counters, losses; SELECT * FROM metrics";
    const char *paths[] = { timeline };
    const struct query_options options = { .seconds = 60 };
    struct table *table = NULL;
    struct query *query;
    status code = query_open(paths, 1, &options, &query);

    if (code == STATUS_OK)
        code = query_ask(query, "SQL", sql, take, &table);
    table_free(table);
    query_close(query);
    return code;
}

/* Every allocation fails in turn: nothing is left behind, and that is what is said. */
static void test_no_memory(void **state)
{
    uint64_t before, count;

    (void)state;
    before = memory_count();
    assert_int_equal(ask_everything(), STATUS_OK);
    count = memory_count() - before;
    for (uint64_t nth = 1; nth <= count; nth++) {
        status code;

        memory_fail_at(nth);
        code = ask_everything();
        memory_fail_at(0);
        assert_int_not_equal(code, STATUS_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_asked_again),
        cmocka_unit_test(test_interrupted_before),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, find_data, NULL);
}
