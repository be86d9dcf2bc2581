/* test_history.c: the store of a history: rows in, the same launches out, nothing half, memory that runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "analyze/metrics.h"
#include "base/memory.h"
#include "history/history.h"
#include "trace/model.h"

enum { RUNS = 3, OPERATORS = 2 };

/* A profile of one launch, with names that would break a query that is put together of texts. */
struct made {
    struct strings *strings;
    struct compare_operator operators[OPERATORS];
    struct compare_engine engine;
    struct compare_launch launch;
    double ms[RUNS], median;
    uint32_t runs[RUNS];
    struct texts labels;
    struct history_profile profile;
};

static void make(struct made *made, int64_t id, const char *build, const char *device)
{
    static const char *const names[OPERATORS] = { "conv'; DROP TABLE run; --", "add \"x\"" };

    *made = (struct made){ .strings = model_strings(), .ms = { 1.5, 1.25, 1.75 }, .runs = { 0, 1, 2 }, .median = 1.5 };
    assert_non_null(made->strings);
    for (size_t i = 0; i < OPERATORS; i++) {
        made->operators[i] = (struct compare_operator){ .op = { .id = (operator_id)i, .line = 7, .column = 3 },
                                                        .own = 1000 + (int64_t)i,
                                                        .device = 900,
                                                        .calls = 2.5 };
        assert_int_equal(strings_add_text(made->strings, names[i], &made->operators[i].op.name), STATUS_OK);
        assert_int_equal(strings_add_text(made->strings, "kernel", &made->operators[i].op.kernel), STATUS_OK);
        assert_int_equal(strings_add_text(made->strings, "Slice 0", &made->operators[i].engines), STATUS_OK);
    }
    made->engine.ns = 77;
    assert_int_equal(strings_add_text(made->strings, "Slice 0", &made->engine.name), STATUS_OK);
    made->launch = (struct compare_launch){ .runs = { "launch", made->ms, made->runs, RUNS },
                                            .set = &metrics_general,
                                            .whole = 1500000,
                                            .device = 1400000,
                                            .has_device = true,
                                            .idle = 100000,
                                            .between = 5,
                                            .device_between = 6,
                                            .general = { 1, 2, 3, 4, 5, 6, 7 },
                                            .engines = &made->engine,
                                            .engine_count = 1,
                                            .operators = made->operators,
                                            .operator_count = OPERATORS };
    assert_int_equal(texts_add(&made->labels, "mode=fast"), STATUS_OK);
    made->profile = (struct history_profile){ .id = id,
                                              .size = 10,
                                              .added = id,
                                              .name = "net.csv",
                                              .chain = "",
                                              .model = "net",
                                              .build = build,
                                              .commit = "c",
                                              .device = device,
                                              .labels = &made->labels,
                                              .launches = &made->launch,
                                              .medians = &made->median,
                                              .launch_count = 1,
                                              .strings = made->strings };
}

static void unmake(struct made *made)
{
    texts_free(&made->labels);
    strings_free(made->strings);
}

static void open_memory(struct history *history)
{
    assert_int_equal(history_open_sqlite(":memory:", true, history), STATUS_OK);
}

static void add(const struct history *history, int64_t id, const char *build, const char *device)
{
    struct made made;
    struct history_found found;

    make(&made, id, build, device);
    assert_int_equal(history_add(history, &made.profile, &found), STATUS_OK);
    assert_false(found.there);
    unmake(&made);
}

static size_t count_builds(const struct history *history, const struct history_choice *choice)
{
    struct history_series series;
    size_t count;

    assert_int_equal(history_read_series(history, choice, "run", NULL, &series), STATUS_OK);
    count = series.count;
    history_series_free(&series);
    return count;
}

static void test_launches_come_out_as_they_went_in(void **state)
{
    const struct history_choice choice = { .model = "net" };
    struct history history;
    struct history_launches launches = { 0 };
    struct strings *strings = model_strings();
    const struct compare_launch *launch;

    (void)state;
    open_memory(&history);
    add(&history, 5, "b1", "d");
    assert_int_equal(history_read_launches(&history, &choice, strings, &launches), STATUS_OK);
    assert_int_equal(launches.count, 1);
    launch = &launches.items[0];
    assert_true(launch->whole == 1500000 && launch->device == 1400000 && launch->idle == 100000);
    assert_true(launch->has_device && !launch->has_host && launch->between == 5 && launch->device_between == 6);
    assert_ptr_equal(launch->set, &metrics_general);
    assert_int_equal(launch->general[6], 7);
    assert_int_equal(launch->runs.count, RUNS);
    assert_true(launch->runs.ms[2] == 1.75 && launch->runs.runs[2] == 2);
    assert_string_equal(launch->runs.name, "launch");
    assert_int_equal(launch->engine_count, 1);
    assert_int_equal(launch->engines[0].ns, 77);
    assert_int_equal(launch->operator_count, OPERATORS);
    assert_string_equal(strings_text(strings, launch->operators[0].op.name), "conv'; DROP TABLE run; --");
    assert_string_equal(strings_text(strings, launch->operators[1].op.kernel), "kernel");
    assert_true(launch->operators[1].own == 1001 && launch->operators[1].device == 900);
    assert_true(launch->operators[1].calls == 2.5 && launch->operators[1].op.line == 7);
    history_launches_free(&launches);
    strings_free(strings);
    history_close(&history);
}

static void test_series_of_every_number(void **state)
{
    static const struct {
        const char *metric, *op;
        double wanted;
    } cases[] = {
        { "run", NULL, 1500000 },     { "step", NULL, 1500000 },      { "device", NULL, 1400000 },
        { "idle", NULL, 100000 },     { "compute_only", NULL, 2 },    { "operators", NULL, 2 },
        { "run", "add \"x\"", 1001 }, { "device", "add \"x\"", 900 },
    };
    const struct history_choice choice = { .model = "net" };
    struct history history;
    struct history_series series;

    (void)state;
    open_memory(&history);
    add(&history, 5, "b1", "d");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(history_read_series(&history, &choice, cases[i].metric, cases[i].op, &series), STATUS_OK);
        assert_int_equal(series.count, 1);
        assert_int_equal(series.builds[0].count, 1);
        assert_true(series.builds[0].medians[0] == cases[i].wanted);
        history_series_free(&series);
    }
    /* What no launch tells is no value, and no build is lost. */
    assert_int_equal(history_read_series(&history, &choice, "host", NULL, &series), STATUS_OK);
    assert_int_equal(series.count, 1);
    assert_int_equal(series.builds[0].count, 0);
    history_series_free(&series);
    history_close(&history);
}

static void test_builds_are_chosen_and_ordered(void **state)
{
    struct history_choice choice = { .model = "net" };
    struct history history;
    struct history_series series;

    (void)state;
    open_memory(&history);
    add(&history, 30, "a", "d");
    add(&history, 10, "z", "d");
    add(&history, 20, "m", "other");
    add(&history, 40, "z", "d");
    assert_int_equal(history_read_series(&history, &choice, "run", NULL, &series), STATUS_OK);
    assert_int_equal(series.count, 3);
    assert_string_equal(series.names[0], "z");
    assert_string_equal(series.names[1], "m");
    assert_string_equal(series.names[2], "a");
    assert_int_equal(series.builds[0].count, 2);
    assert_int_equal(series.device_count, 2);
    history_series_free(&series);
    choice.device = "d";
    assert_int_equal(count_builds(&history, &choice), 2);
    assert_int_equal(texts_add(&choice.labels, "mode=fast"), STATUS_OK);
    assert_int_equal(count_builds(&history, &choice), 2);
    assert_int_equal(texts_add(&choice.labels, "mode=slow"), STATUS_OK);
    assert_int_equal(count_builds(&history, &choice), 0);
    texts_free(&choice.labels);
    history_close(&history);
}

static void test_twice_is_once_and_another_of_its_hash_is_an_error(void **state)
{
    const struct history_choice choice = { 0 };
    struct history history;
    struct made made;
    struct history_found found;

    (void)state;
    open_memory(&history);
    add(&history, 5, "b1", "d");
    make(&made, 5, "b2", "d");
    assert_int_equal(history_add(&history, &made.profile, &found), STATUS_OK);
    assert_true(found.there);
    made.profile.size = 11;
    assert_int_equal(history_add(&history, &made.profile, &found), STATUS_INPUT);
    assert_int_equal(count_builds(&history, &choice), 1);
    unmake(&made);
    history_close(&history);
}

static void test_only_old_builds_are_pruned(void **state)
{
    const struct history_choice choice = { 0 };
    struct history history;
    size_t removed;

    (void)state;
    open_memory(&history);
    add(&history, 1, "b1", "d");
    add(&history, 2, "b1", "d");
    add(&history, 3, "b2", "d");
    add(&history, 4, "b1", "other");
    assert_int_equal(history_prune(&history, &choice, 1, 0, &removed), STATUS_OK);
    assert_int_equal(removed, 2);
    assert_int_equal(history_prune(&history, &choice, 1, 0, &removed), STATUS_OK);
    assert_int_equal(removed, 0);
    assert_int_equal(count_builds(&history, &choice), 2);
    assert_int_equal(history_prune(&history, &choice, 0, 4, &removed), STATUS_OK);
    assert_int_equal(removed, 1);
    assert_int_equal(count_builds(&history, &choice), 1);
    history_close(&history);
}

static void test_out_of_memory_leaves_nothing_half(void **state)
{
    const struct history_choice choice = { .model = "net" };
    struct history history;
    struct history_series series;
    struct history_launches launches = { 0 };
    struct strings *strings = model_strings();
    status code = STATUS_MEMORY;

    (void)state;
    open_memory(&history);
    add(&history, 5, "b1", "d");
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        memory_fail_at(nth);
        code = history_read_series(&history, &choice, "run", NULL, &series);
        if (code == STATUS_OK)
            code = history_read_launches(&history, &choice, strings, &launches);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        history_series_free(&series);
        history_launches_free(&launches);
    }
    strings_free(strings);
    history_close(&history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches_come_out_as_they_went_in),
        cmocka_unit_test(test_series_of_every_number),
        cmocka_unit_test(test_builds_are_chosen_and_ordered),
        cmocka_unit_test(test_twice_is_once_and_another_of_its_hash_is_an_error),
        cmocka_unit_test(test_only_old_builds_are_pruned),
        cmocka_unit_test(test_out_of_memory_leaves_nothing_half),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
