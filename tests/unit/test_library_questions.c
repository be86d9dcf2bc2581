/* test_library_questions.c: the public library as a program asks it: options, several inputs, verbs, texts, places of errors. */
#include "library_fixture.h"

#define OPTIONS(...)                              \
    (const struct tacho_option[]){ __VA_ARGS__ }, \
        sizeof((struct tacho_option[]){ __VA_ARGS__ }) / sizeof(struct tacho_option)

static struct tacho_profile *open_profile(const char *name)
{
    struct tacho_profile *profile;

    assert_done(tacho_profile_open(data_path(name), NULL, &profile));
    return profile;
}

/* Two tables are the same in every cell and note. */
static void assert_same(const struct tacho_table *one, const struct tacho_table *other)
{
    char *texts[2];
    struct tacho_print_options json = { .format = "json" };

    assert_done(tacho_table_print(one, &json, &texts[0]));
    assert_done(tacho_table_print(other, &json, &texts[1]));
    assert_string_equal(texts[0], texts[1]);
    tacho_text_free(texts[0]);
    tacho_text_free(texts[1]);
}

static void test_what_is_in_memory_is_what_the_verb_says(void **state)
{
    static const struct {
        const char *table, *option, *value;
    } pairs[] = { { "overview", "columns", "overview" },
                  { "operators", "by", "operator" },
                  { "locations", "by", "location" },
                  { "types", "by", "type" },
                  { "engines", "by", "engine" } };
    static const char *const inputs[] = { "torq-compile/c1.csv", "torq-compile/odd.csv",
                                          "torq-runtime/runtime_r2.csv" };

    (void)state;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        struct tacho_profile *profile = open_profile(inputs[i]);

        for (size_t j = 0; j < sizeof pairs / sizeof *pairs; j++) {
            struct tacho_table *one, *other;

            assert_done(tacho_profile_table(profile, pairs[j].table, &one));
            assert_done(
                tacho_profile_ask(profile, pairs[j].table, OPTIONS({ pairs[j].option, pairs[j].value }), &other));
            assert_same(one, other);
            tacho_table_free(one);
            tacho_table_free(other);
        }
        tacho_profile_close(profile);
    }
}

static void test_tables_with_options(void **state)
{
    struct tacho_profile *profile = open_profile("torq-compile/c1.csv");
    struct tacho_table *table, *engines;

    (void)state;
    assert_done(tacho_profile_table(profile, "engines", &engines));
    assert_done(tacho_profile_ask(profile, "operators", OPTIONS({ "by", "engine" }), &table));
    assert_same(table, engines);
    tacho_table_free(table);
    tacho_table_free(engines);
    assert_done(tacho_profile_ask(profile, "overview", OPTIONS({ "limit", "2" }, { "sort", "-time" }), &table));
    assert_int_equal(tacho_table_rows(table), 2);
    assert_string_equal(tacho_table_id(table), "overview");
    tacho_table_free(table);
    assert_status(tacho_profile_ask(profile, "overview", OPTIONS({ "limt", "2" }), &table), TACHO_USAGE);
    assert_message("--limit");
    assert_null(table);
    assert_status(tacho_profile_ask(profile, "slices", OPTIONS({ "limit", "2" }), &table), TACHO_USAGE);
    assert_message("takes no options");
    assert_status(tacho_profile_ask(profile, "rules", NULL, 0, &table), TACHO_USAGE);
    assert_status(tacho_profile_ask(profile, "formats", NULL, 0, &table), TACHO_USAGE);
    tacho_profile_close(profile);
}

static void test_which_tables_there_are(void **state)
{
    struct tacho_profile *profile = open_profile("torq-compile/c1.csv");
    const char *name, *description;
    bool advice = false;
    size_t count = 0;

    (void)state;
    for (; (name = tacho_profile_table_name(profile, count, &description)); count++) {
        struct tacho_table *table;

        assert_true(strlen(description) > 0);
        assert_string_not_equal(name, "formats");
        assert_string_not_equal(name, "zones");
        advice |= strcmp(name, "advice") == 0;
        for (size_t i = 0; i < count; i++)
            assert_string_not_equal(name, tacho_profile_table_name(profile, i, NULL));
        /* A table may be one that only some files of the format have; nothing else is wrong with it. */
        if (tacho_profile_table(profile, name, &table) != TACHO_OK)
            assert_message("makes no table");
        tacho_table_free(table);
    }
    assert_true(advice && count < tacho_table_count());
    tacho_profile_close(profile);
}

static void test_several_inputs(void **state)
{
    char one[256], other[256];
    const char *paths[] = { one, other };
    struct tacho_profile *profile;
    struct tacho_result *result;
    struct tacho_table *table;

    (void)state;
    snprintf(one, sizeof one, "%s", data_path("torq-compile/c1.csv"));
    snprintf(other, sizeof other, "%s", data_path("torq-compile/c2.csv"));
    assert_done(tacho_profile_open_several(paths, 2, NULL, &profile));
    memset(one, 'x', sizeof one - 1);
    assert_string_equal(tacho_profile_format(profile), "torq-compile");
    assert_int_equal(tacho_profile_row_counts(profile).read, 0);
    assert_done(tacho_profile_table(profile, "overview", &table));
    assert_true(tacho_table_columns(table) > 2);
    tacho_table_free(table);
    assert_status(tacho_profile_table(profile, "operators", &table), TACHO_USAGE);
    assert_message("one input");
    assert_done(tacho_profile_run(profile, "compare", NULL, 0, &result));
    assert_non_null(tacho_result_find(result, "totals"));
    tacho_result_free(result);
    tacho_profile_close(profile);
    assert_status(tacho_profile_open_several(paths, 0, NULL, &profile), TACHO_USAGE);
    assert_status(tacho_profile_open_several(paths, 2, NULL, &profile), TACHO_INPUT);
    assert_null(profile);
}

static void test_verbs_read_as_the_profile_was(void **state)
{
    struct tacho_read_options fast = { .clock_mhz = "1000", .warmup = "none" };
    struct tacho_profile *profile;
    struct tacho_result *result;
    char *json;

    (void)state;
    assert_done(tacho_profile_open(data_path("torq-compile/c1.csv"), &fast, &profile));
    assert_done(tacho_profile_run(profile, "summary", NULL, 0, &result));
    assert_done(tacho_result_json(result, &json));
    assert_non_null(strstr(json, "2500")); /* cycles of 1 ns */
    assert_null(strstr(json, "3125"));
    tacho_text_free(json);
    tacho_result_free(result);
    /* A verb that reads no profiles takes none of it. */
    assert_status(tacho_profile_run(profile, "sumary", NULL, 0, &result), TACHO_USAGE);
    assert_message("did you mean summary?");
    tacho_profile_close(profile);
}

static void test_tables_as_texts(void **state)
{
    struct tacho_profile *profile = open_profile("torq-compile/c1.csv");
    struct tacho_table *table;
    char *text;

    (void)state;
    assert_done(tacho_profile_table(profile, "overview", &table));
    assert_done(tacho_table_print(table, NULL, &text));
    assert_non_null(strstr(text, "Overview"));
    tacho_text_free(text);
    assert_done(tacho_table_print(table, &(struct tacho_print_options){ .format = "csv", .rows = 1 }, &text));
    assert_non_null(strstr(text, "metric,label,time,percent,description\ntotal_duration,OVERALL,3125,100.0,"));
    assert_null(strstr(text, "dma_in"));
    tacho_text_free(text);
    assert_done(tacho_table_print(table, &(struct tacho_print_options){ .format = "html" }, &text));
    assert_non_null(strstr(text, "<table"));
    assert_null(strstr(text, "<html"));
    tacho_text_free(text);
    assert_done(tacho_table_print(table, &(struct tacho_print_options){ .width = 40 }, &text));
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        assert_true(end - line <= 3 * 40); /* a column takes three bytes at most */
    tacho_text_free(text);
    assert_status(tacho_table_print(table, &(struct tacho_print_options){ .format = "pdf" }, &text), TACHO_USAGE);
    assert_null(text);
    tacho_table_free(table);
    tacho_profile_close(profile);
}

static void test_where_an_error_is(void **state)
{
    struct tacho_read_options strict = { .strict = true };
    struct tacho_profile *profile;
    struct tacho_table *table;
    uint64_t line = 9, column = 9;

    (void)state;
    assert_status(tacho_profile_open(data_path("torq-compile/odd.csv"), &strict, &profile), TACHO_INPUT);
    assert_string_equal(tacho_error_file(&line, &column), data_path("torq-compile/odd.csv"));
    assert_int_equal(line, 5);
    assert_int_equal(column, 1);
    assert_status(tacho_profile_open("/nowhere/at.csv", NULL, &profile), TACHO_INPUT);
    assert_string_equal(tacho_error_file(&line, NULL), "/nowhere/at.csv");
    assert_int_equal(line, 0);
    profile = open_profile("torq-compile/c1.csv");
    assert_status(tacho_profile_table(profile, "nothing", &table), TACHO_USAGE);
    assert_null(tacho_error_file(&line, &column));
    tacho_profile_close(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_in_memory_is_what_the_verb_says),
        cmocka_unit_test(test_tables_with_options),
        cmocka_unit_test(test_which_tables_there_are),
        cmocka_unit_test(test_several_inputs),
        cmocka_unit_test(test_verbs_read_as_the_profile_was),
        cmocka_unit_test(test_tables_as_texts),
        cmocka_unit_test(test_where_an_error_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
