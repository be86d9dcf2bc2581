/* test_library_query.c: the public library asked in SQL: tables that outlive it, refusals, memory that runs out. */
#include "library_fixture.h"

static struct tacho_query *open_query(const struct tacho_query_options *options)
{
    const char *paths[] = { data_path("torq-compile/c1.csv"), NULL };
    struct tacho_query *query;

    assert_done(tacho_query_open(paths, 1, options, &query));
    return query;
}

static void test_a_table_outlives_its_query(void **state)
{
    char path[512];
    const char *paths[] = { path };
    struct tacho_query *query;
    struct tacho_table *table, *slices;
    struct tacho_profile *profile;

    (void)state;
    snprintf(path, sizeof path, "%s", data_path("torq-compile/c1.csv"));
    assert_done(tacho_query_open(paths, 1, NULL, &query));
    memset(path, 0, sizeof path); /* texts are copied */
    assert_done(tacho_query_ask(query, "SELECT count(*) AS n, NULL AS none, 'x' AS text FROM slices", &table));
    tacho_query_close(query);
    assert_done(tacho_profile_open(data_path("torq-compile/c1.csv"), NULL, &profile));
    assert_done(tacho_profile_table(profile, "slices", &slices));
    assert_int_equal(tacho_table_integer(table, 0, 0), tacho_table_rows(slices));
    assert_true(tacho_table_is_null(table, 0, 1));
    assert_string_equal(tacho_table_text(table, 0, 2), "x");
    assert_string_equal(tacho_table_column_name(table, 0), "n");
    tacho_table_free(table);
    tacho_table_free(slices);
    tacho_profile_close(profile);
}

static void test_what_is_refused(void **state)
{
    static const char *const refused[] = {
        "",           "SELECT nix",      "DROP TABLE slices",          "SELECT 1; SELECT 2", "ATTACH 'x' AS x",
        "VACUUM",     "SELECT busy('')", "SELECT load_extension('x')", "SELECT * FROM nix",  "PRAGMA query_only = 0",
        "SELECT 1 +",
    };
    struct tacho_query *query = open_query(NULL);
    struct tacho_table *table;

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_status(tacho_query_ask(query, refused[i], &table), TACHO_USAGE);
        assert_null(table);
        assert_true(strlen(tacho_error_message()) > 5);
    }
    assert_status(tacho_query_ask(query, NULL, &table), TACHO_USAGE);
    assert_done(tacho_query_schema(query, &table));
    assert_true(tacho_table_rows(table) > 50);
    tacho_table_free(table);
    tacho_query_close(query);
    tacho_query_close(NULL);
    assert_status(tacho_query_open(NULL, 0, NULL, &query), TACHO_USAGE);
    assert_status(tacho_query_open((const char *const[]){ "/nix" }, 1, NULL, &query), TACHO_INPUT);
    assert_null(query);
}

/* Says so once it was asked a few times. */
static bool stop_soon(void *context)
{
    return ++*(unsigned *)context > 3;
}

static void test_who_asks_can_stop_it(void **state)
{
    unsigned asked = 0;
    const struct tacho_query_options options = { .stop = stop_soon, .stop_context = &asked };
    struct tacho_query *query = open_query(&options);
    struct tacho_table *table;

    (void)state;
    assert_status(
        tacho_query_ask(query, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
                        &table),
        TACHO_USAGE);
    assert_message("stopped");
    assert_int_equal(asked, 4);
    tacho_query_interrupt(query); /* of nothing */
    asked = 0;
    assert_done(tacho_query_ask(query, "SELECT count(*) FROM slices", &table));
    tacho_table_free(table);
    tacho_query_close(query);
}

static void test_options_of_reading(void **state)
{
    const struct tacho_option chain[] = { { "slices", "4" } };
    struct tacho_query_options options = {
        .read = { .clock_mhz = "1000", .strict = true, .runs = "whole", .options = chain, .option_count = 1 },
        .megabytes = 64,
    };
    struct tacho_query *query = open_query(&options);
    struct tacho_table *table;

    (void)state;
    assert_done(tacho_query_ask(query, "SELECT count(*) FROM slices WHERE start_ns <> start_ticks", &table));
    assert_int_equal(tacho_table_integer(table, 0, 0), 0);
    tacho_table_free(table);
    tacho_query_close(query);
    options.read.format = "nix";
    assert_status(tacho_query_open((const char *const[]){ data_path("torq-compile/c1.csv") }, 1, &options, &query),
                  TACHO_USAGE);
}

static void test_no_memory(void **state)
{
    const char *paths[] = { data_path("torq-compile/c1.csv") };
    enum tacho_status code = TACHO_MEMORY;

    (void)state;
    for (uint64_t nth = 1; code != TACHO_OK; nth++) {
        struct tacho_query *query;
        struct tacho_table *table = NULL;

        memory_fail_at(nth);
        code = tacho_query_open(paths, 1, NULL, &query);
        if (code == TACHO_OK)
            code = tacho_query_ask(query, "SELECT name, count(*) FROM slices GROUP BY name", &table);
        memory_fail_at(0);
        assert_true((code == TACHO_OK) == (table != NULL));
        tacho_table_free(table);
        tacho_query_close(query);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_table_outlives_its_query),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_who_asks_can_stop_it),
        cmocka_unit_test(test_options_of_reading),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
