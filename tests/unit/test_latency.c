/* test_latency.c: verdicts, warm-up, modes, drift, sentences; launches from a table; the two files of the original. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/latency.h"
#include "base/memory.h"
#include "executorch/launches.h"
#include "executorch/original/latency_files.h"

enum { MOST_LAUNCHES = 60, MOST_RUNS = 30 };

/* A side whose launches are made by a seed: a factor per launch, a smaller one per run. */
struct made {
    double ms[MOST_LAUNCHES][MOST_RUNS];
    uint32_t runs[MOST_RUNS];
    struct latency_launch launches[MOST_LAUNCHES];
    struct latency_side side;
};

static double around(struct random_source *source, double share)
{
    return 1 + share * ((double)random_below(source, 2001) / 1000 - 1);
}

static void make(struct made *made, const char *name, double ms, size_t launches, size_t runs, uint64_t seed)
{
    struct random_source source;

    random_start(&source, seed);
    for (size_t i = 0; i < launches; i++) {
        double launch = ms * around(&source, 0.01);

        for (size_t j = 0; j < runs; j++) {
            made->ms[i][j] = launch * around(&source, 0.008);
            made->runs[j] = (uint32_t)j;
        }
        made->launches[i] = (struct latency_launch){ "made", made->ms[i], made->runs, runs };
    }
    made->side = (struct latency_side){ name, made->launches, launches };
}

static struct made one, other;

static const struct latency_options quick = { .warmup = WARMUP_AUTO, .seed = 1, .rounds = 200 };

static void compare_made(struct latency_comparison *comparison, char *sentence)
{
    assert_int_equal(latency_compare(&one.side, &other.side, &quick, comparison), STATUS_OK);
    latency_sentence(comparison, sentence);
}

static bool known(double value)
{
    return !isnan(value);
}

static void starts_with(const char *text, const char *start)
{
    assert_non_null(text);
    if (strncmp(text, start, strlen(start)) != 0)
        fail_msg("\"%s\" does not start with \"%s\"", text, start);
}

static bool has_remark(const struct latency_summary *summary, const char *part)
{
    char remark[LATENCY_SENTENCE];

    for (unsigned i = 0; latency_remark(summary, i, remark); i++)
        if (strstr(remark, part))
            return true;
    return false;
}

/* ---- verdicts ------------------------------------------------------------------------------------------------------ */

static void test_faster_and_slower(void **state)
{
    struct latency_comparison comparison;
    char sentence[LATENCY_SENTENCE];

    (void)state;
    make(&one, "off", 7.4, 10, 20, 1);
    make(&other, "on", 6.55, 10, 20, 2);
    compare_made(&comparison, sentence);
    assert_int_equal(comparison.verdict, LATENCY_FASTER);
    assert_true(comparison.speedup > 1.11 && comparison.speedup < 1.15);
    assert_true(comparison.interval.low < comparison.speedup && comparison.speedup < comparison.interval.high);
    starts_with(sentence, "1.13x faster, 95 % CI 1.1");
    assert_non_null(strstr(sentence, ", 10 launches a side"));
    latency_comparison_free(&comparison);

    make(&one, "on", 6.55, 10, 20, 2);
    make(&other, "off", 7.4, 12, 20, 1);
    compare_made(&comparison, sentence);
    assert_int_equal(comparison.verdict, LATENCY_SLOWER);
    assert_true(comparison.speedup < 1); /* always baseline / candidate */
    starts_with(sentence, "1.13x slower, 95 % CI 1.1");
    assert_non_null(strstr(sentence, ", 10 and 12 launches"));
    latency_comparison_free(&comparison);
}

static void test_no_difference(void **state)
{
    struct latency_comparison comparison;
    char sentence[LATENCY_SENTENCE];

    (void)state;
    make(&one, "a", 5, 8, 20, 3);
    make(&other, "b", 5, 8, 20, 4);
    compare_made(&comparison, sentence);
    assert_int_equal(comparison.verdict, LATENCY_SAME);
    starts_with(sentence, "no significant difference: 1.0");
    assert_non_null(strstr(sentence, "95 % CI"));
    assert_non_null(strstr(sentence, "launches a side (an estimate)"));
    assert_true(comparison.needed > 8);
    latency_comparison_free(&comparison);
}

/* Runs of one launch never give a verdict, however many and however different. */
static void test_too_few_launches(void **state)
{
    struct latency_comparison comparison;
    char sentence[LATENCY_SENTENCE];

    (void)state;
    make(&one, "off", 7.4, 1, 30, 1);
    make(&other, "on", 6.6, 1, 30, 2);
    compare_made(&comparison, sentence);
    assert_int_equal(comparison.verdict, LATENCY_TOO_FEW);
    assert_true(comparison.over_runs.p < 1e-6);
    assert_false(known(comparison.interval.low));
    assert_true(comparison.speedup > 1.1);
    assert_int_equal(comparison.needed, 0);
    assert_non_null(strstr(sentence, " ms, but one launch a side cannot tell a change from luck: run 5 or more"));
    latency_comparison_free(&comparison);

    make(&one, "off", 7.4, 4, 30, 1);
    make(&other, "on", 3, 4, 30, 2);
    compare_made(&comparison, sentence);
    assert_int_equal(comparison.verdict, LATENCY_TOO_FEW);
    assert_true(known(comparison.interval.low));
    assert_non_null(strstr(sentence, "4 launches a side cannot tell"));
    latency_comparison_free(&comparison);

    make(&one, "off", 7.4, 5, 30, 1);
    make(&other, "on", 3, 5, 30, 2);
    compare_made(&comparison, sentence);
    assert_int_equal(comparison.verdict, LATENCY_FASTER);
    latency_comparison_free(&comparison);
}

/* Five a side at least, however many the other side has and whatever a test over them says. */
static void test_few_against_many(void **state)
{
    struct latency_comparison comparison;
    char sentence[LATENCY_SENTENCE];

    (void)state;
    make(&one, "off", 7.4, 4, 10, 1);
    make(&other, "on", 7.4, 12, 10, 2);
    compare_made(&comparison, sentence);
    assert_int_equal(comparison.verdict, LATENCY_TOO_FEW);
    assert_non_null(strstr(sentence, "4 and 12 launches cannot tell a change from luck: run 5 or more a side, about "));
    latency_comparison_free(&comparison);

    make(&other, "on", 3, 12, 10, 2);
    compare_made(&comparison, sentence);
    assert_int_equal(comparison.verdict, LATENCY_TOO_FEW);
    assert_true(comparison.test.p < LATENCY_LEVEL);
    assert_int_equal(comparison.needed, LATENCY_LEAST_LAUNCHES);
    assert_non_null(strstr(sentence, "4 and 12 launches cannot tell a change from luck: run 5 or more"));
    latency_comparison_free(&comparison);
}

/* ---- modes in a verdict -------------------------------------------------------------------------------------------- */

/* The first launches of a side run in a mode of their own. */
static void slow_down(struct made *made, size_t launches, double factor)
{
    for (size_t i = 0; i < launches; i++)
        for (size_t j = 0; j < made->launches[i].count; j++)
            made->ms[i][j] *= factor;
}

static void expect(enum latency_verdict verdict, enum mode_question question, const char *start)
{
    struct latency_comparison comparison;
    char sentence[LATENCY_SENTENCE];

    compare_made(&comparison, sentence);
    assert_int_equal(comparison.verdict, verdict);
    assert_int_equal(comparison.test.decided, question);
    starts_with(sentence, start);
    latency_comparison_free(&comparison);
}

static void test_a_change_inside_modes(void **state)
{
    (void)state;
    make(&one, "a", 3.4, 10, 10, 7);
    make(&other, "b", 3.4 * 1.1, 10, 10, 8);
    slow_down(&one, 3, 1.55);
    slow_down(&other, 3, 1.55);
    expect(LATENCY_SLOWER, MODE_INSIDE, "1.10x slower inside each mode; p < 0.0001, ");
    make(&one, "a", 3.4 * 1.1, 10, 10, 7);
    make(&other, "b", 3.4, 10, 10, 8);
    slow_down(&other, 3, 1.55);
    expect(LATENCY_FASTER, MODE_INSIDE, "1.11x faster inside the mode that both have; p = ");
}

static void test_modes_that_occur_more_often(void **state)
{
    (void)state;
    make(&one, "a", 3.4, 10, 10, 7);
    make(&other, "b", 3.4, 10, 10, 8);
    slow_down(&one, 1, 1.55);
    slow_down(&other, 9, 1.55);
    expect(LATENCY_SLOWER, MODE_OCCURRENCE,
           "slower: more often in the slow mode (9 of 10 launches against 1 of 10); p = 0.00");
    slow_down(&one, 10, 1 / 1.55);
    slow_down(&other, 1, 1.55);
    slow_down(&one, 2, 1.55);
    expect(LATENCY_SLOWER, MODE_OCCURRENCE, "slower: more often in slower modes; p = ");
}

/* The sides swapped: the other verdict. All times scaled: the same one. */
static void test_verdicts_by_properties(void **state)
{
    static const enum latency_verdict swapped[] = { LATENCY_TOO_FEW, LATENCY_SAME, LATENCY_SLOWER, LATENCY_FASTER };

    (void)state;
    for (unsigned seed = 0; seed < 24; seed++) {
        struct latency_comparison first, second, third;

        make(&one, "a", 3.4, 5 + seed % 7, 8, seed);
        make(&other, "b", 3.4 * (1 + 0.02 * (seed % 6)), 5 + seed % 5, 8, 100 + seed);
        slow_down(&one, seed % 3, 1.5);
        slow_down(&other, seed % 4, 1.5);
        assert_int_equal(latency_compare(&one.side, &other.side, &quick, &first), STATUS_OK);
        assert_int_equal(latency_compare(&other.side, &one.side, &quick, &second), STATUS_OK);
        slow_down(&one, one.side.count, 4);
        slow_down(&other, other.side.count, 4);
        assert_int_equal(latency_compare(&one.side, &other.side, &quick, &third), STATUS_OK);
        assert_int_equal(second.verdict, swapped[first.verdict]);
        assert_int_equal(third.verdict, first.verdict);
        assert_int_equal(second.test.decided, first.test.decided);
        assert_int_equal(second.needed, first.needed);
        assert_true(fabs(second.test.p - first.test.p) < 1e-9 && third.test.p == first.test.p);
        latency_comparison_free(&first);
        latency_comparison_free(&second);
        latency_comparison_free(&third);
    }
}

/* ---- warm-up ------------------------------------------------------------------------------------------------------- */

static void test_warmup_is_found(void **state)
{
    struct latency_comparison comparison;
    struct latency_summary summary;
    char sentence[LATENCY_SENTENCE];

    (void)state;
    make(&one, "off", 7.4, 6, 30, 1);
    make(&other, "on", 6.6, 6, 30, 2);
    for (unsigned i = 0; i < 6; i++) {
        one.ms[i][0] *= 1.5;
        other.ms[i][0] *= 1.6;
        other.ms[i][1] *= 1.2;
    }
    one.ms[2][7] *= 3; /* a hiccup later on is none */
    compare_made(&comparison, sentence);
    assert_int_equal(comparison.baseline.warmup, 2); /* the same for both sides */
    assert_int_equal(comparison.candidate.warmup, 2);
    assert_int_equal(comparison.baseline.left_out, 12);
    assert_int_equal(comparison.baseline.runs, 6 * 28);
    assert_true(has_remark(&comparison.candidate, "left out as warm-up: the first 2 of 30 runs of each launch"));
    latency_comparison_free(&comparison);

    assert_int_equal(latency_summarise(&one.side, &quick, &summary), STATUS_OK);
    assert_int_equal(summary.warmup, 1);
    latency_summary_free(&summary);
    assert_int_equal(latency_summarise(&one.side, &(struct latency_options){ .warmup = 0, .rounds = 10 }, &summary),
                     STATUS_OK);
    assert_int_equal(summary.runs, 180);
    assert_false(has_remark(&summary, "warm-up"));
    latency_summary_free(&summary);
}

static void test_a_single_slow_start_is_no_warmup(void **state)
{
    struct latency_summary summary;

    (void)state;
    make(&one, "a", 5, 6, 30, 3);
    one.ms[0][0] *= 2;
    assert_int_equal(latency_summarise(&one.side, &quick, &summary), STATUS_OK);
    assert_int_equal(summary.warmup, 0);
    latency_summary_free(&summary);
}

static void test_warmup_may_leave_nothing(void **state)
{
    struct latency_options all = { .warmup = 20, .rounds = 10 };
    struct latency_summary summary;

    (void)state;
    make(&one, "a", 5, 3, 20, 3);
    assert_int_equal(latency_summarise(&one.side, &all, &summary), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "all were left out as warm-up"));
    latency_summary_free(&summary);
    one.launches[1].count = 15;
    all.warmup = 15;
    assert_int_equal(latency_summarise(&one.side, &all, &summary), STATUS_OK);
    assert_int_equal(summary.launches, 2);
    assert_int_equal(summary.empty_launches, 1);
    assert_true(has_remark(&summary, "1 launch has no run left and is not counted"));
    latency_summary_free(&summary);
    one.side.count = 0;
    assert_int_equal(latency_summarise(&one.side, &quick, &summary), STATUS_INPUT);
    latency_summary_free(&summary);
}

/* ---- modes and drift ----------------------------------------------------------------------------------------------- */

static void test_modes_are_named(void **state)
{
    struct latency_comparison comparison;
    char text[LATENCY_SENTENCE];

    (void)state;
    make(&one, "off", 3.8, 60, 20, 5);
    make(&other, "on", 3.4, 60, 20, 6);
    for (unsigned i = 3; i < 60; i += 7)
        for (unsigned j = 0; j < 20; j++)
            other.ms[i][j] *= 1.55;
    compare_made(&comparison, text);
    assert_int_equal(comparison.baseline.mode_count, 1);
    assert_int_equal(comparison.candidate.mode_count, 2);
    assert_int_equal(comparison.candidate.modes[1].launches, 9);
    assert_true(comparison.candidate.modes[1].factor > 1.53 && comparison.candidate.modes[1].factor < 1.57);
    assert_true(has_remark(&comparison.candidate, "9 of 60 launches ran in a second mode, 1.5"));
    assert_int_equal(comparison.candidate.processes[3].mode, 1);
    assert_int_equal(comparison.candidate.processes[4].mode, 0);
    assert_int_equal(comparison.test.mode_count, 2);
    assert_true(comparison.test.factor_inside > 1.1 && comparison.test.factor_inside < 1.13);
    assert_true(latency_comparison_remark(&comparison, 0, text));
    starts_with(text, "mode 1: 60 of 60 against 51 of 60 launches, 1.1");
    assert_true(latency_comparison_remark(&comparison, 1, text));
    assert_string_equal(text, "mode 2: 0 of 60 against 9 of 60 launches");
    latency_comparison_free(&comparison);
}

static void test_a_wide_spread_is_no_mode(void **state)
{
    struct latency_summary summary;

    (void)state;
    make(&one, "a", 5, 20, 10, 5);
    for (unsigned i = 0; i < 20; i++)
        for (unsigned j = 0; j < 10; j++)
            one.ms[i][j] *= 1 + 0.08 * i;
    assert_int_equal(latency_summarise(&one.side, &quick, &summary), STATUS_OK);
    assert_int_equal(summary.mode_count, 1);
    latency_summary_free(&summary);
    /* Every launch for itself, far apart: more groups than modes can be. */
    for (unsigned i = 0; i < 20; i++)
        for (unsigned j = 0; j < 10; j++)
            one.ms[i][j] = pow(1.5, i) * (1 + 0.001 * j);
    assert_int_equal(latency_summarise(&one.side, &quick, &summary), STATUS_OK);
    assert_int_equal(summary.mode_count, 1);
    latency_summary_free(&summary);
    one.side.count = 2; /* two launches are no two modes */
    assert_int_equal(latency_summarise(&one.side, &quick, &summary), STATUS_OK);
    assert_int_equal(summary.mode_count, 1);
    latency_summary_free(&summary);
}

static void test_drift_is_said(void **state)
{
    struct latency_summary summary;

    (void)state;
    make(&one, "a", 5, 5, 30, 5);
    for (unsigned j = 0; j < 30; j++) {
        one.ms[1][j] *= 1 + 0.004 * j;
        one.ms[3][j] *= 1 - 0.003 * j;
    }
    assert_int_equal(latency_summarise(&one.side, &quick, &summary), STATUS_OK);
    assert_int_equal(summary.slower.launches, 1);
    assert_int_equal(summary.faster.launches, 1);
    assert_true(summary.processes[1].drift > 0.06 && summary.processes[1].drift < 0.1);
    assert_true(has_remark(&summary, "drift: 1 of 5 launches became slower while they ran, by "));
    assert_true(has_remark(&summary, "drift: 1 of 5 launches became faster while they ran, by "));
    latency_summary_free(&summary);
}

/* ---- tables -------------------------------------------------------------------------------------------------------- */

static void test_tables(void **state)
{
    struct latency_comparison comparison;
    struct table *table;
    char sentence[LATENCY_SENTENCE];

    (void)state;
    make(&one, "off", 7.4, 6, 20, 1);
    make(&other, "on", 6.6, 5, 20, 2);
    compare_made(&comparison, sentence);
    assert_int_equal(latency_metrics_table(&comparison.baseline, &comparison.candidate, &table), STATUS_OK);
    assert_int_equal(table_rows(table), 12);
    assert_int_equal(table_cell(table, 0, 1).integer, llround(comparison.baseline.median * 1e6));
    assert_true(table_cell(table, 0, 3).decimal == comparison.speedup);
    table_free(table);
    assert_int_equal(latency_metrics_table(&comparison.baseline, NULL, &table), STATUS_OK);
    assert_int_equal(table_columns(table), 2);
    table_free(table);
    assert_int_equal(latency_sides_table(&comparison.baseline, &comparison.candidate, &table), STATUS_OK);
    assert_int_equal(table_rows(table), 2);
    assert_int_equal(table_cell(table, 1, 2).integer, 5);
    table_free(table);
    assert_int_equal(latency_launches_table(&comparison.baseline, &comparison.candidate, NULL, &table), STATUS_OK);
    assert_int_equal(table_rows(table), 11);
    table_free(table);
    latency_comparison_free(&comparison);
}

/* ---- the original's files ------------------------------------------------------------------------------------------ */

static void test_one_run_is_valid_json(void **state)
{
    static const double ms[] = { 12.5 };
    static const uint32_t runs[] = { 0 };
    struct latency_launch launch = { "x", ms, runs, 1 };
    struct robust robust;
    struct output *output;
    const char *text;
    size_t length;

    (void)state;
    assert_int_equal(robust_compute(ms, 1, &robust), STATUS_OK);
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    latency_write_stats(output, &launch, &robust, "one \"run\"");
    latency_write_comparison(output, "a", &robust, "b", &robust);
    text = output_memory(output, &length);
    starts_with(text, "{\n  \"count\": 1,\n  \"mean_ms\": 12.5,\n  \"median_ms\": 12.5,\n  \"std_dev_ms\": null,\n  "
                      "\"cv_percent\": null,\n");
    assert_non_null(strstr(text, "\"values\": [],"));
    assert_non_null(strstr(text, "\"name\": \"one \\\"run\\\"\"\n}{"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "NaN"));
    output_abandon(output);
    robust_free(&robust);
}

/* ---- a table of launches ------------------------------------------------------------------------------------------- */

static status read_table(const char *text, struct launches *launches, const char *const *keys, size_t key_count,
                         bool strict)
{
    struct launch_choice choice = { keys, key_count };
    struct launch_file *file;
    struct input *input;
    status code;

    launches_start(launches);
    launches->files = memory_allocate_clear(sizeof *launches->files);
    assert_non_null(launches->files);
    launches->file_count = launches->file_capacity = 1;
    file = launches->files;
    file->path = "table.csv";
    code = input_open_memory("table.csv", text, strlen(text), &input);
    if (code == STATUS_OK) {
        code = launches_read_table(launches, file, input, &choice, strict);
        input_close(input);
    }
    return code;
}

static void test_a_table_of_launches(void **state)
{
    static const char *const off[] = { "kernels=off" };
    static const char text[] = "kernels,launch,iteration,ms\r\n"
                               "off,a,2,7.5\r\n"
                               "off,a,1,9.5\r\n"
                               "on,a,1,6.5\r\n"
                               "\r\n"
                               "off,\"b\",1,7.25\r\n"
                               "off,b,2,-1\r\n"
                               "off,b,2,zero\r\n"
                               "off,b,2\r\n"
                               "off,\"b,2,1\r\n"
                               "off,b,1,7.5";
    struct launches launches;

    (void)state;
    assert_int_equal(read_table(text, &launches, off, 1, false), STATUS_OK);
    assert_int_equal(launches.times.count, 2);
    assert_string_equal(launches.times.items[0].name, "launch a");
    assert_int_equal(launches.times.items[0].count, 2);
    assert_true(launches.times.items[0].ms[0] == 9.5 && launches.times.items[0].ms[1] == 7.5); /* by iteration */
    assert_int_equal(launches.times.items[0].runs[1], 2);
    assert_int_equal(launches.times.items[1].count, 2);
    assert_int_equal(launches.files[0].losses.rows, 9);
    assert_int_equal(launches.files[0].losses.used, 5);
    assert_int_equal(launches.files[0].losses.lost, 4);
    assert_int_equal(losses_count(&launches.files[0].losses, &loss_time_range), 1);
    assert_int_equal(losses_count(&launches.files[0].losses, &loss_number), 1);
    assert_int_equal(losses_count(&launches.files[0].losses, &loss_fields), 1);
    assert_int_equal(losses_count(&launches.files[0].losses, &loss_quote), 1);
    assert_int_equal(losses_count(&launches.files[0].losses, &loss_repeated_id), 1);
    assert_int_equal(launches.files[0].not_chosen, 1);
    launches_free(&launches);
    assert_int_equal(read_table(text, &launches, off, 1, true), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "table.csv:7"));
    launches_free(&launches);
}

static void test_tables_that_cannot_be_used(void **state)
{
    static const struct {
        const char *text, *key;
        status code;
        const char *says;
    } cases[] = {
        { "kernels,launch,ms\non,1,2\noff,1,3\n", NULL, STATUS_USAGE,
          "table.csv:3: kernels=on and kernels=off on one side" },
        { "kernels,launch,ms\non,1,2\noff,1,3\n", "kernels=of", STATUS_USAGE,
          "no row has kernels=of; the values are on, off" },
        { "kernels,launch,ms\non,1,2\n", "kernel=on", STATUS_USAGE, "it has no key \"kernel\"; its keys: kernels" },
        { "launch,ms\n1,2\n", "launch=1", STATUS_USAGE, "its keys: none" },
        { "launch,ms\n1,2\n", "=1", STATUS_USAGE, "is no KEY=VALUE" },
        { "launch,ms\n", NULL, STATUS_INPUT, "no row behind the header" },
        { "launch,ms\n1,x\n1,nan\n1,inf\n1,0\n1,1e300\n", NULL, STATUS_INPUT, "none of its 5 rows can be used" },
        { "", NULL, STATUS_INPUT, "empty" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct launches launches;

        assert_int_equal(read_table(cases[i].text, &launches, &cases[i].key, cases[i].key ? 1 : 0, false),
                         cases[i].code);
        if (!strstr(status_message(), cases[i].says))
            fail_msg("%s", status_message());
        launches_free(&launches);
    }
}

static void test_headers(void **state)
{
    static const char *const good[] = { "launch,ms", "a,ms,b,launch,iteration", "\"launch\",\"ms\"", " launch , ms " };
    static const char *const bad[] = {
        "", "launch", "ms", "launch,ms,ms", "launch,launch,ms", "launches,ms", "\"launch,ms", "name,duration_ms"
    };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(launches_is_header((struct text){ good[i], strlen(good[i]) }));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(launches_is_header((struct text){ bad[i], strlen(bad[i]) }));
}

/* Cut at every byte: rows or a clear error, never a crash. */
static void test_a_table_cut_anywhere(void **state)
{
    static const char text[] = "kernels,launch,iteration,ms\noff,1,1,7.5\noff,1,2,\"7.25\"\noff,2,1,7.5\n";
    char cut[sizeof text];

    (void)state;
    for (size_t length = 0; length < sizeof text; length++) {
        struct launches launches;

        memcpy(cut, text, length);
        cut[length] = '\0';
        if (read_table(cut, &launches, NULL, 0, false) == STATUS_OK) {
            const struct losses *losses = &launches.files[0].losses;

            assert_true(launches.times.count);
            assert_int_equal(losses->rows, losses->used + losses->lost);
        }
        launches_free(&launches);
    }
}

/* ---- memory -------------------------------------------------------------------------------------------------------- */

static status use_everything(void)
{
    struct latency_comparison comparison;
    struct latency_options few = { .warmup = WARMUP_AUTO, .rounds = 3 };
    struct table *table;
    status code = latency_compare(&one.side, &other.side, &few, &comparison);

    if (code == STATUS_OK)
        code = latency_metrics_table(&comparison.baseline, &comparison.candidate, &table);
    if (code == STATUS_OK) {
        table_free(table);
        code = latency_launches_table(&comparison.baseline, &comparison.candidate, NULL, &table);
    }
    if (code == STATUS_OK)
        table_free(table);
    latency_comparison_free(&comparison);
    return code;
}

static void test_every_allocation_may_fail(void **state)
{
    status code = STATUS_MEMORY;
    unsigned failures = 0;

    (void)state;
    make(&one, "off", 7.4, 5, 12, 1);
    make(&other, "on", 6.6, 5, 12, 2);
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        memory_fail_at(nth);
        code = use_everything();
        memory_fail_at(0);
        failures += code == STATUS_MEMORY;
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
    }
    assert_true(failures > 20);
}

static void test_every_allocation_of_a_table_may_fail(void **state)
{
    status code = STATUS_MEMORY;

    (void)state;
    for (uint64_t nth = 2; code != STATUS_OK; nth++) { /* the first one is the test's own */
        struct launches launches;

        memory_fail_at(nth);
        code = read_table("k,launch,iteration,ms\nx,1,1,7.5\nx,2,1,7.25\n", &launches, NULL, 0, false);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        launches_free(&launches);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faster_and_slower),
        cmocka_unit_test(test_no_difference),
        cmocka_unit_test(test_too_few_launches),
        cmocka_unit_test(test_few_against_many),
        cmocka_unit_test(test_a_change_inside_modes),
        cmocka_unit_test(test_modes_that_occur_more_often),
        cmocka_unit_test(test_verdicts_by_properties),
        cmocka_unit_test(test_warmup_is_found),
        cmocka_unit_test(test_a_single_slow_start_is_no_warmup),
        cmocka_unit_test(test_warmup_may_leave_nothing),
        cmocka_unit_test(test_modes_are_named),
        cmocka_unit_test(test_a_wide_spread_is_no_mode),
        cmocka_unit_test(test_drift_is_said),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_one_run_is_valid_json),
        cmocka_unit_test(test_a_table_of_launches),
        cmocka_unit_test(test_tables_that_cannot_be_used),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_a_table_cut_anywhere),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_every_allocation_of_a_table_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
