/* test_compare.c: two sides of launches: rows that add up, operators that meet, verdicts and sentences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/compare.h"
#include "base/memory.h"
#include "base/output.h"
#include "job/core_verbs.h"

enum { MOST_OPERATORS = 64, MOST_LAUNCHES = 24, RUNS = 3 };

/* Launches of two sides, filled by hand. */
struct world {
    struct strings *strings;                          /* of names */
    struct compare_launch launches[2][MOST_LAUNCHES]; /* by side */
    double ms[2][MOST_LAUNCHES][RUNS];                /* of their runs */
    uint32_t runs[RUNS];                              /* indices of runs */
    struct compare_side sides[2];                     /* of these */
    struct comparison comparison;                     /* made last */
};

static const struct metric_set steps = { .run = "step" };
static const struct metric_set plain = { 0 };

static void begin(struct world *world)
{
    *world = (struct world){ .strings = strings_new() };
    assert_non_null(world->strings);
    for (unsigned i = 0; i < 2; i++)
        world->sides[i] = (struct compare_side){ .name = i ? "after" : "before", .launches = world->launches[i] };
}

static void end(struct world *world)
{
    for (unsigned i = 0; i < 2; i++)
        for (size_t k = 0; k < world->sides[i].count; k++)
            compare_launch_free(&world->launches[i][k]);
    strings_free(world->strings);
}

static string_id text(struct world *world, const char *words)
{
    string_id id = 0;

    assert_int_equal(strings_add_text(world->strings, words, &id), STATUS_OK);
    return id;
}

static struct compare_launch *new_launch(struct world *world, unsigned side)
{
    struct compare_launch *launch = &world->launches[side][world->sides[side].count++];

    launch->set = &plain;
    launch->operators = memory_allocate_clear(MOST_OPERATORS * sizeof *launch->operators);
    assert_non_null(launch->operators);
    return launch;
}

static struct compare_operator *add(struct world *world, struct compare_launch *launch, const char *name, int64_t own)
{
    struct compare_operator *op = &launch->operators[launch->operator_count];

    assert_true(launch->operator_count < MOST_OPERATORS);
    *op = (struct compare_operator){ .op = { .id = (operator_id)launch->operator_count++, .name = text(world, name) },
                                     .own = own,
                                     .device = own,
                                     .calls = 1 };
    launch->device += own;
    launch->has_device = true;
    return op;
}

/* The run is what its operators and idle take; its runs all take that. */
static void close_launch(struct world *world, unsigned side, int64_t idle)
{
    size_t place = world->sides[side].count - 1;
    struct compare_launch *launch = &world->launches[side][place];

    launch->idle = idle;
    launch->whole = launch->device + idle;
    launch->general[1] = launch->device;
    launch->general[6] = idle;
    for (unsigned i = 0; i < RUNS; i++)
        world->ms[side][place][i] = (double)launch->whole / 1e6;
    launch->runs =
        (struct latency_launch){ .name = "launch", .ms = world->ms[side][place], .runs = world->runs, .count = RUNS };
}

static void compare(struct world *world, enum compare_subject subject, bool by_source)
{
    const struct compare_options options = { .latency = { .warmup = WARMUP_AUTO, .seed = 1, .rounds = 10 },
                                             .subject = subject,
                                             .by_source = by_source };

    assert_int_equal(compare_sides(world->sides, &options, world->strings, &world->comparison), STATUS_OK);
}

static const struct compare_row *row_named(const struct world *world, const char *name)
{
    size_t count;
    const struct compare_row *rows = comparison_section(&world->comparison, COMPARE_OPERATOR_ROWS, &count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static void check_sum(const struct comparison *comparison, enum compare_section section, enum compare_kind kind)
{
    size_t count;
    const struct compare_row *rows = comparison_section(comparison, section, &count);
    const struct compare_row *total = comparison_total(comparison, kind);

    for (unsigned side = 0; side < 2; side++) {
        int64_t sum = 0;

        for (size_t i = 0; i < count; i++)
            sum += rows[i].ns[side];
        assert_int_equal(sum, total->ns[side]);
    }
}

/* ---- sums -------------------------------------------------------------------------------------------------------------- */

static void test_rows_add_up_whatever_is_compared(void **state)
{
    (void)state;
    srand(7);
    for (int round = 0; round < 300; round++) {
        struct world world;
        enum compare_subject subject = round % 2 ? COMPARE_DEVICE : COMPARE_RUN;

        begin(&world);
        for (unsigned side = 0; side < 2; side++)
            for (int launch = 1 + rand() % 8; launch > 0; launch--) {
                struct compare_launch *made = new_launch(&world, side);

                for (int i = rand() % 20; i > 0; i--) {
                    char name[16];

                    snprintf(name, sizeof name, "op %d", rand() % 12);
                    add(&world, made, name, rand() % 1000);
                }
                close_launch(&world, side, rand() % 50 + 1);
            }
        compare(&world, subject, round % 3 == 0);
        check_sum(&world.comparison, COMPARE_PART_ROWS, COMPARE_WHOLE);
        if (comparison_total(&world.comparison, COMPARE_DEVICE_TIME) || subject == COMPARE_RUN)
            check_sum(&world.comparison, COMPARE_OPERATOR_ROWS,
                      subject == COMPARE_DEVICE ? COMPARE_DEVICE_TIME : COMPARE_WHOLE);
        comparison_free(&world.comparison);
        end(&world);
    }
}

/* ---- which is which ---------------------------------------------------------------------------------------------------- */

/* One launch a side, of the names that are given; time of the k-th is 100 * k. */
static void sides_of(struct world *world, const char *const *before, const char *const *after)
{
    for (unsigned side = 0; side < 2; side++) {
        struct compare_launch *launch = new_launch(world, side);

        for (const char *const *name = side ? after : before; *name; name++)
            add(world, launch, *name, 100 * (int64_t)(launch->operator_count + 1));
        close_launch(world, side, 10);
    }
}

static void test_the_same_names_meet(void **state)
{
    static const char *const before[] = { "a", "b", "b", "c", NULL }, *const after[] = { "c", "b", "a", "b", NULL };
    struct world world;

    (void)state;
    begin(&world);
    sides_of(&world, before, after);
    compare(&world, COMPARE_RUN, false);
    assert_int_equal(world.comparison.matched, 4);
    assert_int_equal(row_named(&world, "a")->ns[0], 100);
    assert_int_equal(row_named(&world, "a")->ns[1], 300);
    assert_int_equal(row_named(&world, "c")->ns[1], 100);
    comparison_free(&world.comparison);
    end(&world);
}

/* "conv #1" appeared at the front: numbers shifted, and the order says which one is new. */
static void test_numbers_that_shifted_are_not_trusted(void **state)
{
    static const char *const before[] = { "load", "conv #1", "add #1", "conv #2", "pool", NULL };
    static const char *const after[] = { "conv #1", "load", "conv #2", "add #1", "conv #3", "pool", NULL };
    struct world world;
    size_t appeared = 0, count;
    const struct compare_row *rows;

    (void)state;
    begin(&world);
    sides_of(&world, before, after);
    compare(&world, COMPARE_RUN, false);
    rows = comparison_section(&world.comparison, COMPARE_OPERATOR_ROWS, &count);
    for (size_t i = 0; i < count; i++)
        if (rows[i].kind == COMPARE_OPERATOR && !rows[i].ops[0]) {
            appeared++;
            assert_string_equal(rows[i].name, "conv #3");
        }
    /* Three against two: by names they would be 1, 2 and a new 3, but names are the only thing that tells; one appeared in any case. */
    assert_int_equal(appeared, 1);
    assert_int_equal(world.comparison.matched, 5);
    comparison_free(&world.comparison);
    end(&world);
}

static void test_a_module_tells_more_than_a_number(void **state)
{
    static const char *const before[] = { "conv #1", "conv #2", NULL };
    static const char *const after[] = { "conv #1", "conv #2", "conv #3", NULL };
    static const char *const modules[2][3] = { { "stem", "head", NULL }, { "stem", "neck", "head" } };
    const struct compare_row *rows;
    struct world world;
    size_t count;
    bool met = false;

    (void)state;
    begin(&world);
    sides_of(&world, before, after);
    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; i < world.launches[side][0].operator_count; i++)
            world.launches[side][0].operators[i].op.module = text(&world, modules[side][i]);
    compare(&world, COMPARE_RUN, false);
    /* "conv #2" of the head is "conv #3" now, and another one is "conv #2". */
    rows = comparison_section(&world.comparison, COMPARE_OPERATOR_ROWS, &count);
    for (size_t i = 0; i < count; i++)
        if (rows[i].ops[0] && strcmp(rows[i].name, "conv #2") == 0) {
            assert_int_equal(rows[i].ns[0], 200);
            assert_int_equal(rows[i].ns[1], 300);
            met = true;
        }
    assert_true(met);
    assert_int_equal(world.comparison.alone[1], 1);
    comparison_free(&world.comparison);
    end(&world);
}

static void test_reasons_are_named(void **state)
{
    static const char *const names[] = { "conv", "add", NULL };
    struct world world;

    (void)state;
    begin(&world);
    sides_of(&world, names, names);
    for (unsigned side = 0; side < 2; side++) {
        struct compare_operator *ops = world.launches[side][0].operators;

        ops[0].op.kernel = ops[0].kernels[0] =
            text(&world, side ? "Convolution (NHWC, QS8) IGEMM" : "Convolution (NHWC, F32) IGEMM");
        ops[0].op.shapes = text(&world, side ? "1x16x8x8" : "1x32x8x8");
        ops[0].engines = text(&world, side ? "GPU" : "CPU, Copies");
        ops[0].mainly = text(&world, side ? "GPU" : "CPU");
        ops[1].engines = text(&world, side ? "Host, GPU" : "Host, GPU, Copies"); /* what mattered is the same */
        ops[1].mainly = text(&world, side ? "Host, GPU" : "GPU");
        ops[1].calls = side ? 3 : 1;
    }
    compare(&world, COMPARE_RUN, false);
    assert_string_equal(
        row_named(&world, "conv")->reason,
        "runs on CPU -> GPU; data type F32 -> QS8; kernel Convolution (NHWC, F32) IGEMM -> Convolution (NHWC, "
        "QS8) IGEMM; shapes 1x32x8x8 -> 1x16x8x8");
    assert_string_equal(row_named(&world, "add")->reason, "1 x -> 3 x");
    comparison_free(&world.comparison);
    end(&world);
}

/* Names of templates are told in short; of one that changed in a parameter alone, that. */
static void test_long_names_of_kernels_are_told_in_short(void **state)
{
    static const char *const names[] = { "fill", "softmax", "dropout", NULL };
    static const char *const kernels[2][3] = {
        { "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int)",
          "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, false, false>(float*)",
          "void at::native::fused_dropout<4>" },
        { "void at::native::unrolled_elementwise_kernel<at::native::FillFunctor<float>>(int)",
          "void (anonymous namespace)::softmax_warp_forward<c10::Half, c10::Half, float, 10, false, false>(float*)",
          "void at::native::fused_dropout<4>" },
    };
    struct world world;

    (void)state;
    begin(&world);
    sides_of(&world, names, names);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned i = 0; i < 3; i++)
            world.launches[side][0].operators[i].kernels[0] = text(&world, kernels[side][i]);
    compare(&world, COMPARE_RUN, false);
    assert_string_equal(row_named(&world, "fill")->reason, "kernel at::native::vectorized_elementwise_kernel -> "
                                                           "at::native::unrolled_elementwise_kernel");
    assert_string_equal(row_named(&world, "softmax")->reason,
                        "data type float -> Half; kernel (anonymous namespace)::softmax_warp_forward, "
                        "float, float, float, 10, false, false -> c10::Half, c10::Half, float, 10, …");
    assert_null(row_named(&world, "dropout")->reason);
    comparison_free(&world.comparison);
    end(&world);
}

/* Of two kernels that take about as long, chance makes one the longest: that is no change. */
static void test_kernels_that_both_sides_have_did_not_change(void **state)
{
    static const char *const names[] = { "conv", "gemm", NULL };
    struct world world;

    (void)state;
    begin(&world);
    sides_of(&world, names, names);
    for (unsigned side = 0; side < 2; side++) {
        struct compare_operator *ops = world.launches[side][0].operators;

        for (unsigned i = 0; i < 2; i++) {
            ops[0].kernels[i] = text(&world, i == side ? "conv_fp16" : "conv_fp32");
            ops[1].kernels[i] = text(&world, i == 0 ? "gemm_large" : side ? "gemm_small_new" : "gemm_small");
        }
    }
    compare(&world, COMPARE_RUN, false);
    assert_null(row_named(&world, "conv")->reason);
    assert_string_equal(row_named(&world, "gemm")->reason, "kernel gemm_small -> gemm_small_new");
    comparison_free(&world.comparison);
    end(&world);
}

static void test_the_same_shapes_in_other_blanks_did_not_change(void **state)
{
    static const char *const names[] = { "addmm", "mm", NULL };
    struct world world;

    (void)state;
    begin(&world);
    sides_of(&world, names, names);
    for (unsigned side = 0; side < 2; side++) {
        struct compare_operator *ops = world.launches[side][0].operators;

        ops[0].op.shapes = text(&world, side ? "[[64,8],[8]]" : "[\n  [ 64, 8 ],\n  [ 8 ]\n]");
        ops[1].op.shapes = text(&world, side ? "[[64,8]]" : "[[6,48]]");
    }
    compare(&world, COMPARE_RUN, false);
    assert_null(row_named(&world, "addmm")->reason);
    assert_string_equal(row_named(&world, "mm")->reason, "shapes [[6,48]] -> [[64,8]]");
    comparison_free(&world.comparison);
    end(&world);
}

static void test_two_chains_meet_in_the_source(void **state)
{
    static const char *const before[] = { "one", "two", "add", NULL }, *const after[] = { "x", "y", "z", "w", NULL };
    struct world world;

    (void)state;
    begin(&world);
    sides_of(&world, before, after);
    for (size_t i = 0; i < 2; i++) {
        world.launches[0][0].operators[i].op.file = text(&world, "/models/net.py");
        world.launches[0][0].operators[i].op.line = 4 + (uint32_t)i;
    }
    for (size_t i = 0; i < 3; i++) { /* two of line 4 */
        world.launches[1][0].operators[i].op.file = text(&world, "net.py");
        world.launches[1][0].operators[i].op.line = i < 2 ? 4 : 5;
    }
    world.launches[0][0].operators[2].op.type = text(&world, "tosa.elementwise");
    world.launches[1][0].operators[3].op.type = text(&world, "x.Elementwise.out");
    compare(&world, COMPARE_RUN, true);
    assert_int_equal(world.comparison.matched, 3);
    assert_int_equal(row_named(&world, "one")->ns[1], 100 + 200);
    assert_int_equal(row_named(&world, "two")->ns[1], 300);
    assert_int_equal(row_named(&world, "add")->ns[1], 400);
    comparison_free(&world.comparison);
    end(&world);
}

/* ---- verdicts ---------------------------------------------------------------------------------------------------------- */

/* Launches of three operators whose noise they share; of the second side "conv" takes `factor` times as long. */
static void noisy_sides(struct world *world, size_t before, size_t after, double factor)
{
    static const double noise[] = { 1, 1.01, 0.99, 1.02, 0.995, 1.005, 1.015, 0.985, 1.003, 0.997, 1.012, 0.991 };

    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; i < (side ? after : before); i++) {
            struct compare_launch *launch = new_launch(world, side);
            double common = noise[(i + 3 * side) % 12];

            add(world, launch, "conv",
                (int64_t)(200000 * common * (side ? factor : 1) * (1 + 0.0002 * (double)(i % 5))));
            add(world, launch, "gemm", (int64_t)(500000 * common * (1 - 0.0002 * (double)(i % 4))));
            add(world, launch, "add", (int64_t)(300000 * common * (1 + 0.0001 * (double)(i % 3))));
            close_launch(world, side, 1000 + 10 * (int64_t)(i % 4));
        }
}

static void test_a_change_below_the_noise_of_launches(void **state)
{
    struct world world;

    (void)state;
    begin(&world);
    noisy_sides(&world, 10, 10, 1.05);
    compare(&world, COMPARE_AUTO, false);
    assert_string_equal(world.comparison.rows[world.comparison.count - 4].name, "conv"); /* the first of four */
    assert_int_equal(row_named(&world, "conv")->verdict, LATENCY_SLOWER);
    assert_int_equal(row_named(&world, "gemm")->verdict, LATENCY_SAME);
    assert_int_equal(row_named(&world, "add")->verdict, LATENCY_SAME);
    comparison_free(&world.comparison);
    end(&world);
}

static void test_four_launches_give_no_verdict(void **state)
{
    char sentence[COMPARE_SENTENCE];
    struct world world;

    (void)state;
    begin(&world);
    noisy_sides(&world, 4, 10, 2);
    compare(&world, COMPARE_AUTO, false);
    for (size_t i = 0; i < world.comparison.count; i++)
        assert_int_equal(world.comparison.rows[i].verdict, LATENCY_TOO_FEW);
    comparison_sentence(&world.comparison, sentence);
    assert_non_null(strstr(sentence, "4 and 10 launches cannot tell a change from luck (5 a side can"));
    comparison_free(&world.comparison);
    end(&world);
}

static void test_what_appeared_everywhere_is_certain(void **state)
{
    char sentence[COMPARE_SENTENCE];
    struct world world;

    (void)state;
    begin(&world);
    noisy_sides(&world, 6, 5, 1);
    for (size_t i = 0; i < 5; i++) {
        struct compare_launch *launch = &world.launches[1][i];

        add(&world, launch, "addmm", 60000 + (int64_t)i)->calls = 4;
        if (i < 4)
            add(&world, launch, "seldom", 10);
        world.sides[1].count = i + 1;
        close_launch(&world, 1, 1000);
    }
    compare(&world, COMPARE_AUTO, false);
    assert_int_equal(row_named(&world, "addmm")->verdict, LATENCY_SLOWER);
    assert_true(row_named(&world, "addmm")->structural);
    assert_int_equal(row_named(&world, "seldom")->verdict, LATENCY_SAME); /* not in all */
    comparison_sentence(&world.comparison, sentence);
    assert_non_null(strstr(sentence, "4 x addmm appeared (+60.002µs)"));
    comparison_free(&world.comparison);
    end(&world);
}

/* What others hide took no time, and is there: when it shows, it did not appear. */
static void test_what_took_no_time_did_not_appear(void **state)
{
    char sentence[COMPARE_SENTENCE];
    struct world world;
    const struct compare_row *row;

    (void)state;
    begin(&world);
    noisy_sides(&world, 6, 6, 1);
    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; i < 6; i++) {
            add(&world, &world.launches[side][i], "hidden", side ? 90000 + (int64_t)i : 0);
            world.sides[side].count = i + 1;
            close_launch(&world, side, 1000);
        }
    compare(&world, COMPARE_AUTO, false);
    row = row_named(&world, "hidden");
    assert_false(row->structural);
    assert_int_equal(row->present[0], 6);
    assert_int_equal(row->present[1], 6);
    comparison_sentence(&world.comparison, sentence);
    assert_non_null(strstr(sentence, "hidden takes time now (+90.00"));
    comparison_free(&world.comparison);
    end(&world);
}

/* The host makes runs of any length; devices take longer, and can tell. */
static void test_devices_tell_where_the_run_cannot(void **state)
{
    static const int64_t idle[] = { 2100000, 4400000, 2900000, 3700000, 2500000, 3300000, 4000000, 2300000 };
    char sentence[COMPARE_SENTENCE];
    struct world world;

    (void)state;
    begin(&world);
    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; i < 8; i++) {
            struct compare_launch *launch = new_launch(&world, side);

            add(&world, launch, "gemm", 900000 + 100 * (int64_t)(i % 3));
            if (side)
                add(&world, launch, "addmm", 72000 + 10 * (int64_t)(i % 2))->calls = 4;
            launch->set = &steps;
            close_launch(&world, side, idle[(i + 3 * side) % 8]);
        }
    compare(&world, COMPARE_AUTO, false);
    assert_int_equal(world.comparison.subject, COMPARE_DEVICE);
    check_sum(&world.comparison, COMPARE_OPERATOR_ROWS, COMPARE_DEVICE_TIME);
    comparison_sentence(&world.comparison, sentence);
    assert_string_equal(sentence,
                        "device time 1.08x slower, certain over 8 launches a side: 4 x addmm appeared (+72.005µs); "
                        "the step is host-bound and cannot tell (3 to 5.4 ms)");
    comparison_free(&world.comparison);
    end(&world);
}

/* ---- tables, memory ---------------------------------------------------------------------------------------------------- */

static void test_a_table_adds_up_when_it_is_cut(void **state)
{
    struct table *table;
    struct world world;
    int64_t sum = 0;

    (void)state;
    begin(&world);
    for (unsigned side = 0; side < 2; side++) {
        struct compare_launch *launch = new_launch(&world, side);

        for (int i = 0; i < 30; i++) {
            char name[16];

            snprintf(name, sizeof name, "op%c", 'a' + i);
            add(&world, launch, name, 1000 * (i + 1) * (int)(side + 1));
        }
        close_launch(&world, side, 10);
    }
    compare(&world, COMPARE_RUN, false);
    assert_int_equal(comparison_table(&world.comparison, COMPARE_OPERATOR_ROWS, 5, &table), STATUS_OK);
    assert_int_equal(table_rows(table), 7);
    assert_string_equal(table_cell(table, 5, 0).text, "26 others");
    assert_string_equal(table_cell(table, 6, 0).text, "sum");
    for (size_t i = 0; i < 6; i++)
        sum += table_cell(table, i, 3).integer;
    assert_int_equal(sum, table_cell(table, 6, 3).integer);
    assert_int_equal(sum, compare_difference(comparison_total(&world.comparison, COMPARE_WHOLE)));
    table_free(table);
    comparison_free(&world.comparison);
    end(&world);
}

static void test_every_allocation_may_fail(void **state)
{
    int failures = 0;

    (void)state;
    for (uint64_t nth = 1; nth < 120; nth++) {
        const struct compare_options options = { .latency = { .warmup = WARMUP_AUTO, .seed = 1, .rounds = 2 } };
        struct table *table = NULL;
        struct world world;
        status code;

        begin(&world);
        noisy_sides(&world, 6, 6, 1.1);
        memory_fail_at(nth);
        code = compare_sides(world.sides, &options, world.strings, &world.comparison);
        if (code == STATUS_OK)
            code = comparison_table(&world.comparison, COMPARE_OPERATOR_ROWS, 2, &table);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        failures += code == STATUS_MEMORY;
        table_free(table);
        comparison_free(&world.comparison);
        end(&world);
    }
    assert_true(failures > 30);
}

/* The whole verb, on an estimate and a log: the tables, the table of jobs, and JSON. */
static status run_verb(const char *before, const char *after)
{
    struct output *output = NULL;
    struct job job;
    status code = job_start(&job, &compare_verb);

    if (code == STATUS_OK)
        code = job_input(&job, before);
    if (code == STATUS_OK)
        code = job_input(&job, after);
    if (code == STATUS_OK)
        code = job_run(&job);
    if (code == STATUS_OK)
        code = output_open_memory(&output);
    if (code == STATUS_OK) {
        code = job_write_json(&job, output);
        output_abandon(output);
    }
    job_free(&job);
    return code;
}

static void test_every_allocation_of_the_verb_may_fail(void **state)
{
    const char *data = getenv("TACHO_TEST_DATA");
    char before[512], after[512];
    uint64_t count;
    int failures = 0;

    (void)state;
    snprintf(before, sizeof before, "%s/torq-compile/c2.csv", data ? data : "tests/data");
    snprintf(after, sizeof after, "%s/torq-runtime/runtime_r2.csv", data ? data : "tests/data");
    count = memory_count();
    assert_int_equal(run_verb(before, after), STATUS_OK);
    count = memory_count() - count;
    assert_true(count > 200);
    for (uint64_t nth = 1; nth <= count; nth++) {
        status code;

        memory_fail_at(nth);
        code = run_verb(before, after);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        failures += code == STATUS_MEMORY;
    }
    assert_true(failures > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_add_up_whatever_is_compared),
        cmocka_unit_test(test_the_same_names_meet),
        cmocka_unit_test(test_numbers_that_shifted_are_not_trusted),
        cmocka_unit_test(test_a_module_tells_more_than_a_number),
        cmocka_unit_test(test_reasons_are_named),
        cmocka_unit_test(test_long_names_of_kernels_are_told_in_short),
        cmocka_unit_test(test_kernels_that_both_sides_have_did_not_change),
        cmocka_unit_test(test_the_same_shapes_in_other_blanks_did_not_change),
        cmocka_unit_test(test_two_chains_meet_in_the_source),
        cmocka_unit_test(test_a_change_below_the_noise_of_launches),
        cmocka_unit_test(test_four_launches_give_no_verdict),
        cmocka_unit_test(test_what_appeared_everywhere_is_certain),
        cmocka_unit_test(test_what_took_no_time_did_not_appear),
        cmocka_unit_test(test_devices_tell_where_the_run_cannot),
        cmocka_unit_test(test_a_table_adds_up_when_it_is_cut),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_every_allocation_of_the_verb_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
