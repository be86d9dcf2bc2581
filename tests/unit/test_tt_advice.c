/* test_tt_advice.c: like operations of Tenstorrent's reports: what they take of a run, who kept devices waiting, what is wrong. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/memory.h"
#include "tenstorrent/advice_judge.h"

static const struct architecture_set *const sets[] = { &tenstorrent_architectures, NULL };

struct fixture {
    struct strings *strings;
    struct op_report report;
    struct architectures architectures;
    struct advise advise;
    struct op_model model;
    struct column places;
    struct advice advice;
    int64_t now; /* ns: where the last operation ended */
};

static void start(struct fixture *fixture)
{
    *fixture = (struct fixture){ .strings = model_strings() };
    assert_non_null(fixture->strings);
    op_report_start(&fixture->report, fixture->strings);
    fixture->report.columns = (struct op_columns){ .device = true, .host_start = true, .latency = true };
    column_start(&fixture->places, sizeof(struct op_place));
    assert_int_equal(architectures_load(&fixture->architectures, NULL, sets), STATUS_OK);
    op_model_start(&fixture->model, &fixture->advise, &fixture->report);
    advice_start(&fixture->advice, 1e6);
}

static void done(struct fixture *fixture)
{
    advice_free(&fixture->advice);
    op_model_free(&fixture->model);
    advise_free(&fixture->advise);
    architectures_free(&fixture->architectures);
    column_free(&fixture->places);
    op_report_free(&fixture->report);
    strings_free(fixture->strings);
    status_clear();
}

static string_id text(struct fixture *fixture, const char *value)
{
    string_id id;

    assert_int_equal(strings_add_text(fixture->strings, value, &id), STATUS_OK);
    return id;
}

static struct op_row *add(struct fixture *fixture, const char *code, int64_t ns, int64_t gap)
{
    struct op_row *row = op_report_add(&fixture->report);
    struct op_place *place = column_append(&fixture->places);

    assert_true(row && place);
    row->number = (uint32_t)fixture->report.rows.count + 1;
    row->code = text(fixture, code);
    row->device = 0;
    row->cores = 64;
    row->kernel_duration = ns;
    row->latency = gap;
    *place = (struct op_place){ 0, -1 };
    if (ns == OP_NONE)
        return row;
    *place = (struct op_place){ fixture->now + gap, fixture->now + gap + ns };
    fixture->now = place->end;
    return row;
}

static void add_host(struct fixture *fixture, const char *code, int64_t ns)
{
    struct op_row *row = add(fixture, code, 0, 0);

    row->kind = OP_HOST;
    row->device = -1;
    row->host_duration = ns;
}

static status find(struct fixture *fixture, const struct op_window *window, double runs, double run_ns)
{
    const struct advise_options options = { .first = OP_NONE, .last = OP_NONE, .ignore_signposts = true };
    struct advice *advice = &fixture->advice;
    status code = advise_run(&fixture->advise, &fixture->report, &fixture->architectures, &options);

    advice->run_ns = run_ns;
    advice_text(advice, &advice->every, "file", "x");
    advice_text(advice, &advice->every, "see_ops", "x");
    advice_text(advice, &advice->every, "see_gaps", "x");
    advice_text(advice, &advice->every, "see_cores", "x");
    advice_text(advice, &advice->every, "see_devices", "x");
    if (code == STATUS_OK)
        code = op_model_add(&fixture->model, 0, &fixture->places, window);
    if (code == STATUS_OK)
        code = op_model_settle(&fixture->model, runs, run_ns);
    if (code == STATUS_OK)
        code = op_model_judge(&fixture->model);
    if (code != STATUS_OK)
        return code;
    op_model_advise(&fixture->model, advice);
    return advice_settle(advice);
}

static const struct op_window all = { .whole = { 0, -1 }, .first = OP_NONE, .last = OP_NONE };

static const struct op_like *like_named(const struct fixture *fixture, const char *label)
{
    for (size_t i = 0; i < fixture->model.likes.count; i++)
        if (strcmp(op_like_at(&fixture->model, i)->op.label, label) == 0)
            return op_like_at(&fixture->model, i);
    return NULL;
}

static void test_like_operations_of_the_runs_that_count(void **state)
{
    struct interval runs[2];
    struct op_window window = { .runs = runs, .count = 2, .first = OP_NONE, .last = OP_NONE };
    struct fixture fixture;

    (void)state;
    start(&fixture);
    for (unsigned i = 0; i < 3; i++) {
        struct op_place *place;

        add(&fixture, "Softmax", i ? 1000 : 9000, 50000); /* the first of a run: its gap lies outside */
        place = column_at(&fixture.places, fixture.places.count - 1);
        if (i)
            runs[i - 1].start = place->start;
        add(&fixture, "Softmax", 3000, 1000);
        add(&fixture, "Unary", 500, 20000);
        if (i)
            runs[i - 1].end = fixture.now;
    }
    assert_int_equal(find(&fixture, &window, 2, 25500), STATUS_OK);
    assert_int_equal(fixture.model.likes.count, 2);
    assert_true(like_named(&fixture, "Softmax")->kernel == 4000 && like_named(&fixture, "Softmax")->excess == 0);
    assert_true(like_named(&fixture, "Softmax")->calls == 2 && like_named(&fixture, "Unary")->kernel == 500);
    assert_true(like_named(&fixture, "Unary")->excess == 19000 && like_named(&fixture, "Unary")->gaps == 1);
    done(&fixture);
}

static void test_a_gap_goes_to_the_host_first(void **state)
{
    struct fixture fixture;

    (void)state;
    start(&fixture);
    add(&fixture, "Softmax", 1000, 0);
    add_host(&fixture, "(torch) topk", 30000);
    add(&fixture, "Softmax", 1000, 56000);
    add_host(&fixture, "(torch) view", 900000);
    add(&fixture, "Softmax", 1000, 1000); /* nobody waited for it */
    assert_int_equal(find(&fixture, &all, 1, 60000), STATUS_OK);
    assert_true(like_named(&fixture, "(torch) topk")->held == 30000 && like_named(&fixture, "(torch) view")->held == 0);
    assert_true(like_named(&fixture, "Softmax")->excess == 25000);
    assert_int_equal(fixture.advice.count, 2);
    assert_string_equal(fixture.advice.items[0]->rule->id, "host-fallback");
    assert_string_equal(fixture.advice.items[1]->rule->id, "op-gap");
    done(&fixture);
}

/* Of operations on many cores a sum over them is never so small; where it is, it is a mean. */
static void test_waits_are_sums_or_means(void **state)
{
    (void)state;
    for (unsigned sums = 0; sums < 2; sums++) {
        struct fixture fixture;

        start(&fixture);
        add(&fixture, "Softmax", 100000, 0)->waits = sums ? 64 * 60000 : 60000;
        add(&fixture, "Unary", 100000, 0)->waits = sums ? 64 * 5000 : 5000;
        assert_int_equal(find(&fixture, &all, 1, 200000), STATUS_OK);
        assert_true(fixture.model.wait_sums == sums);
        assert_int_equal(like_named(&fixture, "Softmax")->finding, OP_STARVED);
        assert_true(fabs(like_named(&fixture, "Softmax")->saves - 60000) < 1);
        assert_int_equal(like_named(&fixture, "Unary")->finding, OP_FINE);
        done(&fixture);
    }
}

static void test_operations_that_overlap_share_a_run(void **state)
{
    struct fixture fixture;
    double sum = 0;

    (void)state;
    start(&fixture);
    add(&fixture, "Reshape", 60000, 0);
    add(&fixture, "Tilize", 60000, 0);
    assert_int_equal(find(&fixture, &all, 1, 90000), STATUS_OK);
    for (size_t i = 0; i < fixture.advice.count; i++)
        sum += fixture.advice.items[i]->saves_ns;
    assert_true(fixture.model.shared == 0.75 && fabs(sum - 90000) < 1 && fixture.advice.note_count == 1);
    done(&fixture);
}

static void test_kinds_beyond_all_sense_go_by_their_names(void **state)
{
    struct fixture fixture;

    (void)state;
    start(&fixture);
    for (int32_t i = 0; i < 3000; i++)
        add(&fixture, i % 2 ? "Softmax" : "Unary", 1000, 0)->inputs[0].size[0] = i + 1;
    assert_int_equal(find(&fixture, &all, 1, 3e6), STATUS_OK);
    assert_true(fixture.model.mixed && fixture.model.likes.count == 1026);
    assert_true(op_like_at(&fixture.model, 1024)->kernel == 988000);
    done(&fixture);
}

static void test_nothing_and_no_times(void **state)
{
    struct fixture fixture;

    (void)state;
    start(&fixture);
    assert_int_equal(find(&fixture, &all, 1, 0), STATUS_OK);
    assert_true(!fixture.advice.healthy && !fixture.advice.count);
    done(&fixture);
    start(&fixture);
    add(&fixture, "Matmul", OP_NONE, OP_NONE);
    add(&fixture, "Matmul", 0, -5);
    assert_int_equal(find(&fixture, &all, 1, 1000), STATUS_OK);
    assert_true(!fixture.advice.healthy && fixture.advice.unjudged && fixture.model.untimed == 2);
    done(&fixture);
}

/* An operation of a device that goes on by itself. */
static struct op_row *add_on(struct fixture *fixture, int32_t device, const char *code, int64_t start, int64_t ns)
{
    struct op_row *row;

    fixture->now = start;
    row = add(fixture, code, ns, 0);
    row->device = device;
    fixture->report.devices = device >= fixture->report.devices ? device + 1 : fixture->report.devices;
    return row;
}

/* Device 1 is slow, and device 0 waits for it in the exchange. */
static void add_uneven(struct fixture *fixture)
{
    add_on(fixture, 0, "Softmax", 0, 100000);
    add_on(fixture, 1, "Softmax", 0, 300000);
    add_on(fixture, 0, "AllGather", 100000, 220000);
    add_on(fixture, 1, "AllGather", 300000, 20000);
}

static void test_only_the_critical_device_makes_a_run_shorter(void **state)
{
    struct fixture fixture;
    double sum = 0;

    (void)state;
    start(&fixture);
    add_uneven(&fixture);
    assert_int_equal(find(&fixture, &all, 1, 320000), STATUS_OK);
    assert_int_equal(op_model_device(&fixture.model, fixture.model.critical), 1);
    assert_true(like_named(&fixture, "Softmax")->kernel == 300000 &&
                op_uneven(like_named(&fixture, "Softmax")) == 100000);
    assert_true(like_named(&fixture, "AllGather")->exchange == 20000 &&
                like_named(&fixture, "AllGather")->waiting == 0);
    assert_string_equal(fixture.advice.items[0]->rule->id, "imbalance");
    for (size_t i = 0; i < fixture.advice.part_count; i++)
        sum += fixture.advice.parts[i].ns;
    assert_true(fabs(sum - 320000) < 1);
    done(&fixture);
}

static void test_new_kernels_are_compiled(void **state)
{
    struct fixture fixture;

    (void)state;
    start(&fixture);
    fixture.model.numbered = true;
    for (unsigned i = 0; i < 8; i++)
        add(&fixture, i % 2 ? "Softmax" : "Unary", 1000, i == 2 || i == 5 ? 8000000 : 50000)->parts.fresh =
            i == 2 || i == 5;
    assert_int_equal(find(&fixture, &all, 1, 17e6), STATUS_OK);
    assert_true(like_named(&fixture, "Unary")->compiled == 8e6 - 6000 &&
                like_named(&fixture, "Softmax")->compiled == 8e6 - 6000);
    assert_true(like_named(&fixture, "Unary")->share->worst_gap == 44000 && fixture.model.launch_ns == 6000);
    done(&fixture);
}

static void test_one_that_takes_longer_than_its_equals(void **state)
{
    struct fixture fixture;
    const struct op_outlier *outlier;

    (void)state;
    start(&fixture);
    for (unsigned i = 0; i < 9; i++)
        add(&fixture, "Softmax", i == 6 ? 90000 : 10000 + i, 0);
    assert_int_equal(find(&fixture, &all, 1, 170000), STATUS_OK);
    outlier = &like_named(&fixture, "Softmax")->outlier;
    assert_true(outlier->alike && outlier->count == 1 && outlier->among == 9 && outlier->usual == 10004 &&
                outlier->worst == 90000);
    assert_ptr_equal(outlier->row, op_row_at(&fixture.report, 6));
    assert_int_equal(like_named(&fixture, "Softmax")->finding, OP_OUTLIER);
    done(&fixture);
}

/* Out of memory anywhere is an error, not a crash. */
static void test_no_memory(void **state)
{
    unsigned failed = 0;

    (void)state;
    for (uint64_t nth = 1; nth < 80; nth++) {
        struct fixture fixture;
        status code;

        start(&fixture);
        add(&fixture, "Reshape", 60000, 0);
        add_host(&fixture, "(torch) topk", 30000);
        add(&fixture, "Softmax", 60000, 90000)->waits = 50000;
        for (unsigned i = 0; i < 5; i++)
            add(&fixture, "Unary", i ? 1000 : 90000, 0);
        add_uneven(&fixture);
        memory_fail_at(nth);
        code = find(&fixture, &all, 1, 700000);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        failed += code != STATUS_OK;
        done(&fixture);
    }
    assert_true(failed > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_operations_of_the_runs_that_count),
        cmocka_unit_test(test_a_gap_goes_to_the_host_first),
        cmocka_unit_test(test_waits_are_sums_or_means),
        cmocka_unit_test(test_operations_that_overlap_share_a_run),
        cmocka_unit_test(test_kinds_beyond_all_sense_go_by_their_names),
        cmocka_unit_test(test_nothing_and_no_times),
        cmocka_unit_test(test_only_the_critical_device_makes_a_run_shorter),
        cmocka_unit_test(test_new_kernels_are_compiled),
        cmocka_unit_test(test_one_that_takes_longer_than_its_equals),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
