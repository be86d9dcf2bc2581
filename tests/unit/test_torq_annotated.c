/* test_torq_annotated.c: annotated tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/lines.h"
#include "base/memory.h"
#include "job/session.h"
#include "recorder.h"
#include "torq/chain.h"
#include "torq/metrics.h"
#include "trace/busy.h"

static const struct reading_case usual = { .reader = &torq_annotated_reader };

#define FLAGS                                                                                         \
    "slice_used_0_in_program;slice_used_1_in_program;dma_in_used_in_program;dma_out_used_in_program;" \
    "cdma_used_in_program;css_used_in_program"
#define A1                                                                                                        \
    "nss_program_index;operation;slice_id;invocation_name;nss_program_timestamp_start;nss_program_timestamp_end;" \
    "nss_program_timestamp_total;slice_used_0_in_program;slice_used_1_in_program;dma_in_used_in_program;"         \
    "dma_out_used_in_program\n"
#define A2                                                                                    \
    "action_id;job_id;operation;invocation_name;original_operator;total_time;slice_id;" FLAGS \
    ";timestamp_start;timestamp_end;location\n"
#define A3                                                                             \
    "action_id;job_id;operation;invocation_names;original_operators;total_time;" FLAGS \
    ";timestamp_start;timestamp_end;location\n"
#define USES_BOTH ";True;False;False;True;False;False;"
#define NO_FLAGS ";;;;;;;"

/* ---- Whole files ---- */

static void check_file(const char *name, const char *generation, uint64_t rows, const char *expected)
{
    struct source source;
    struct recorder *recorder = read_file(&usual, name, &source);

    assert_string_equal(recorder_text(recorder), expected);
    assert_string_equal(source.generation, generation);
    assert_true(source.engines_known);
    assert_int_equal(recorder->losses.rows, rows);
    assert_int_equal(losses_total(&recorder->losses), 0);
    assert_string_equal(strings_text(recorder->strings, recorder->clock.name), "microseconds");
    assert_true(has_note(&source, "counts whole"));
    recorder_free(recorder);
}

static void test_the_first_form(void **state)
{
    (void)state;
    /* The second job runs on the CSS, which has no column: its operations say so. */
    check_file("torq-annotated/annotated_A1.csv", "R1", 15,
               "nss 0 | conv2d_0,add_1 | 0..900 | - | job=0 kernels=conv2d_0,add_1\n"
               "dma_in 0 | conv2d_0,add_1 | 0..900 | - | job=0 kernels=conv2d_0,add_1\n"
               "slice 0 | conv2d_0,add_1 | 0..900 | - | job=0 kernels=conv2d_0,add_1\n"
               "slice 1 | conv2d_0,add_1 | 0..900 | - | job=0 kernels=conv2d_0,add_1\n"
               "nss 0 | job 1 | 900..3150 | - | job=1\n"
               "dma_in 0 | job 1 | 900..3150 | - | job=1\n"
               "dma_out 0 | job 1 | 900..3150 | - | job=1\n"
               "css 0 | job 1 | 900..3150 | - | job=1\n");
    check_file("torq-annotated/long_r1.csv", "R1", 15,
               "nss 0 | conv2d_0,add_1 | 0..900 | - | job=0 kernels=conv2d_0,add_1\n"
               "dma_in 0 | conv2d_0,add_1 | 0..900 | - | job=0 kernels=conv2d_0,add_1\n"
               "slice 0 | conv2d_0,add_1 | 0..900 | - | job=0 kernels=conv2d_0,add_1\n"
               "slice 1 | conv2d_0,add_1 | 0..900 | - | job=0 kernels=conv2d_0,add_1\n"
               "nss 0 | job 1 | 1950..3150 | - | job=1\n"
               "dma_in 0 | job 1 | 1950..3150 | - | job=1\n"
               "dma_out 0 | job 1 | 1950..3150 | - | job=1\n"
               "css 0 | job 1 | 1950..3150 | - | job=1\n");
}

static void test_the_second_form(void **state)
{
    (void)state;
    check_file("torq-annotated/annotated_A2.csv", "R2", 22,
               "host_copy 0 | host_copy | 5000000..5000012 | tosa.conv2d@L4 | action=0\n"
               "action 0 | start_program | 5000013..5000020 | tosa.conv2d@L4 + tosa.add@L5 | action=1 job=0\n"
               "nss 0 | conv2d_0,add_1 | 5000021..5000420 | tosa.conv2d@L4 + tosa.add@L5 | "
               "job=0 wait_action=2 kernels=conv2d_0,add_1\n"
               "dma_in 0 | conv2d_0,add_1 | 5000021..5000420 | tosa.conv2d@L4 + tosa.add@L5 | "
               "job=0 wait_action=2 kernels=conv2d_0,add_1\n"
               "slice 0 | conv2d_0,add_1 | 5000021..5000420 | tosa.conv2d@L4 + tosa.add@L5 | "
               "job=0 wait_action=2 kernels=conv2d_0,add_1\n"
               "slice 1 | conv2d_0,add_1 | 5000021..5000420 | tosa.conv2d@L4 + tosa.add@L5 | "
               "job=0 wait_action=2 kernels=conv2d_0,add_1\n"
               "host 0 | HOST_PROGRAM | 5000421..5000600 | onnx.Softmax@L7 | action=3\n"
               "action 0 | start_program | 5000601..5000607 | tosa.rescale@L6 | action=5 job=1\n"
               "nss 0 | job 1 | 5000608..5000900 | tosa.rescale@L6 | job=1 wait_action=6\n"
               "dma_in 0 | job 1 | 5000608..5000900 | tosa.rescale@L6 | job=1 wait_action=6\n"
               "dma_out 0 | job 1 | 5000608..5000900 | tosa.rescale@L6 | job=1 wait_action=6\n"
               "cdma_dtcm 0 | job 1 | 5000608..5000900 | tosa.rescale@L6 | job=1 wait_action=6\n"
               "css 0 | job 1 | 5000608..5000900 | tosa.rescale@L6 | job=1 wait_action=6\n"
               "action 0 | memref.alloc | 5000901..5000902 | - | action=7\n");
}

/* The actions of the third form's files, without the kernels, which the original lists in no order. */
static void check_actions(const char *name, const char *kernels, bool calls, uint64_t rows)
{
    static const char job[] = "start_action=1";
    char expected[8192];
    int length =
        snprintf(expected, sizeof expected,
                 "host_copy 0 | host_copy | 5000000..5000012 | tosa.conv2d@L4 | action=0\n"
                 "runtime 0 | start_program | 5000013..5000020 | tosa.conv2d@L4 + tosa.add@L5 | action=1 job=0 "
                 "kernels=%s | flow 1\n"
                 "nss 0 | %s | 5000013..5000420 | tosa.conv2d@L4 + tosa.add@L5 | job=0 %s kernels=%s | flow 1\n"
                 "dma_in 0 | %s | 5000013..5000420 | tosa.conv2d@L4 + tosa.add@L5 | job=0 %s kernels=%s\n"
                 "slice 0 | %s | 5000013..5000420 | tosa.conv2d@L4 + tosa.add@L5 | job=0 %s kernels=%s\n"
                 "slice 1 | %s | 5000013..5000420 | tosa.conv2d@L4 + tosa.add@L5 | job=0 %s kernels=%s\n"
                 "runtime 0 | wait_program | 5000021..5000420 | tosa.conv2d@L4 + tosa.add@L5 | action=2 job=0 "
                 "kernels=%s | flow 1\n"
                 "runtime 0 | start_program | 5000421..5000600 | onnx.Softmax@L7 | action=3\n"
                 "host 0 | HOST_PROGRAM | 5000421..5000600 | onnx.Softmax@L7 | start_action=3\n"
                 "%s"
                 "runtime 0 | start_program | 5000601..5000607 | tosa.rescale@L6 | action=5 job=1 | flow 2\n"
                 "nss 0 | job 1 | 5000601..5000900 | tosa.rescale@L6 | job=1 start_action=5 | flow 2\n"
                 "dma_in 0 | job 1 | 5000601..5000900 | tosa.rescale@L6 | job=1 start_action=5\n"
                 "dma_out 0 | job 1 | 5000601..5000900 | tosa.rescale@L6 | job=1 start_action=5\n"
                 "cdma_dtcm 0 | job 1 | 5000601..5000900 | tosa.rescale@L6 | job=1 start_action=5\n"
                 "css 0 | job 1 | 5000601..5000900 | tosa.rescale@L6 | job=1 start_action=5\n"
                 "runtime 0 | wait_program | 5000608..5000900 | tosa.rescale@L6 | action=6 job=1 | flow 2\n"
                 "runtime 0 | memref.alloc | 5000901..5000902 | - | action=7\n"
                 "%s",
                 kernels, kernels, job, kernels, kernels, job, kernels, kernels, job, kernels, kernels, job, kernels,
                 kernels, calls ? "runtime 0 | wait_program | 5000600..5000600 | onnx.Softmax@L7 | action=4\n" : "",
                 calls ? "hal 0 | HAL_QUEUE_WAIT | 4999901..4999905 | - | dispatch=__HAL_QUEUE_EXECUTE__\n"
                         "hal 0 | HAL_QUEUE_APPLY_DEFERRED | 4999906..5000970 | - | dispatch=__HAL_QUEUE_EXECUTE__\n"
                         "hal 0 | HAL_QUEUE_SIGNAL | 5000971..5000973 | - | dispatch=__HAL_QUEUE_EXECUTE__\n"
                         "hal 0 | HAL_COMMAND_BUFFER_DISPATCH | 4999910..5000960 | - | "
                         "dispatch=__HAL_COMMAND_BUFFER_DISPATCH__\n"
                       : "");

    assert_true(length > 0 && (size_t)length < sizeof expected);
    check_file(name, "R3", rows, expected);
}

static void test_the_third_form(void **state)
{
    struct source source;

    (void)state;
    check_actions("torq-annotated/annotated_A4.csv", "add_1,conv2d_0", true, 20);
    check_actions("torq-annotated/ours_r3.csv", "conv2d_0,add_1", true, 12);
    check_actions("torq-annotated/long_r3.csv", "conv2d_0,add_1", true, 12);
    /* R2 measures a host program whole and never its wait. */
    check_actions("torq-annotated/ours_r2.csv", "conv2d_0,add_1", false, 8);
    recorder_free(read_file(&usual, "torq-annotated/annotated_A4.csv", &source));
    assert_true(has_note(&source, "rows without times (from INIT scopes) are not drawn"));
    recorder_free(read_file(&usual, "torq-annotated/ours_r2.csv", &source));
    assert_false(has_note(&source, "without times"));
}

/* ---- Metrics ---- */

static void measure(const char *file, const char *mlir, struct metrics *metrics)
{
    struct session_options options = { 0 };
    char log[1024], program[1024];
    const char *path = log;
    struct session session;
    struct busy busy;
    struct feed feed;

    snprintf(log, sizeof log, "%s", data_path(file));
    snprintf(program, sizeof program, "%s", mlir ? data_path(mlir) : "");
    settings_set(&options.settings, "mlir", mlir ? program : NULL);
    busy_start(&busy);
    assert_int_equal(session_start(&session, &options), STATUS_OK);
    feed_start(&feed, busy_sink(&busy), session.strings);
    assert_int_equal(session_add_all(&session, &path, 1), STATUS_OK);
    assert_int_equal(session_read(&session, &session.profiles[0], &feed), STATUS_OK);
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    assert_int_equal(profile_metrics(&session.profiles[0], &busy, NULL, metrics), STATUS_OK);
    feed_free(&feed);
    busy_free(&busy);
    session_end(&session);
}

struct expected_metric {
    const struct metric *metric;
    int64_t microseconds;
};

static void check_metrics(const char *file, const struct expected_metric *expected, size_t count)
{
    struct metrics metrics;

    measure(file, NULL, &metrics);
    for (size_t i = 0; i < count; i++) {
        if (!metrics_has(&metrics, expected[i].metric))
            fail_msg("%s: no %s", file, expected[i].metric->label);
        if (metrics_ns(&metrics, expected[i].metric) != expected[i].microseconds * 1000)
            fail_msg("%s: %s is %" PRId64 " ns", file, expected[i].metric->label,
                     metrics_ns(&metrics, expected[i].metric));
    }
}

static void test_metrics_are_those_of_the_originals(void **state)
{
    static const struct expected_metric second[] = {
        { &metric_overall, 902 },         { &torq_metric_transfer, 691 }, { &torq_metric_transfer_only, 0 },
        { &torq_metric_dma, 691 },        { &torq_metric_cdma, 292 },     { &torq_metric_compute, 691 },
        { &torq_metric_compute_only, 0 }, { &torq_metric_slice, 399 },    { &torq_metric_slice_0, 399 },
        { &torq_metric_slice_1, 399 },    { &torq_metric_css, 292 },      { &torq_metric_overlap, 691 },
        { &torq_metric_host, 179 },       { &torq_metric_host_copy, 12 }, { &metric_idle, 20 },
    };
    static const struct expected_metric third[] = {
        { &metric_overall, 1072 },
        { &torq_metric_hal, 1070 },
        { &torq_metric_dma, 706 },
        { &metric_idle, 175 },
    };
    static const struct expected_metric first[] = {
        { &metric_overall, 3150 },   { &torq_metric_dma_in, 3150 }, { &torq_metric_dma_out, 2250 },
        { &torq_metric_slice, 900 }, { &torq_metric_css, 2250 },    { &metric_idle, 0 },
    };

    (void)state;
    check_metrics("torq-annotated/annotated_A1.csv", first, sizeof first / sizeof *first);
    check_metrics("torq-annotated/annotated_A2.csv", second, sizeof second / sizeof *second);
    check_metrics("torq-annotated/annotated_A4.csv", third, sizeof third / sizeof *third);
}

/* An annotated file says the same as the log and the program that it was made from. */
static void test_metrics_are_those_of_the_log(void **state)
{
    static const char *const pairs[][3] = {
        { "torq-annotated/annotated_A2.csv", "torq-golden/runtime_r2.csv", "torq-golden/executable_targets.mlir" },
        { "torq-annotated/annotated_A4.csv", "torq-golden/runtime_r4.csv", "torq-golden/executable_targets.mlir" },
        { "torq-annotated/ours_r3.csv", "torq-golden/runtime_r4.csv", "torq-golden/executable_targets.mlir" },
        { "torq-annotated/long_r3.csv", "torq-golden/runtime_r4.csv", "torq-golden/executable_targets.mlir" },
        { "torq-annotated/long_r1.csv", "torq-golden/runtime_r1.csv", "torq-golden/executable_targets_a1.mlir" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct metrics annotated, logged;

        measure(pairs[i][0], NULL, &annotated);
        measure(pairs[i][1], pairs[i][2], &logged);
        assert_ptr_equal(annotated.set, &torq_metrics);
        assert_ptr_equal(logged.set, &torq_metrics);
        for (size_t j = 0; torq_metrics.rows[j]; j++) {
            if (annotated.present[j] != logged.present[j] || annotated.ticks[j] != logged.ticks[j])
                fail_msg("%s: %s is %" PRId64 ", not %" PRId64, pairs[i][0], torq_metrics.rows[j]->label,
                         annotated.ticks[j], logged.ticks[j]);
        }
    }
}

static void test_a_log_without_a_program_knows_no_engines(void **state)
{
    struct metrics metrics;

    (void)state;
    measure("torq-golden/runtime_r4.csv", NULL, &metrics);
    assert_false(metrics_has(&metrics, &torq_metric_dma));
    assert_true(metrics_has(&metrics, &torq_metric_nss));
    measure("torq-golden/c4.csv", NULL, &metrics);
    assert_true(metrics_has(&metrics, &torq_metric_dma));
}

/* ---- Rows ---- */

/* Reads a text and compares the slices, and the reason of the one row that is lost or marked (NULL: none). */
static void check_text(const char *text, const char *expected, const struct loss_reason *reason)
{
    struct recorder *recorder = read_bytes(&usual, text, strlen(text), NULL);

    assert_string_equal(recorder_text(recorder), expected);
    assert_int_equal(losses_total(&recorder->losses), reason == NULL ? 0 : 1);
    if (reason != NULL && lost_for(recorder, reason) != 1)
        fail_msg("%s: not lost as %s", text, reason->text);
    recorder_free(recorder);
}

static bool notes(const char *text, const char *note)
{
    struct source source;

    recorder_free(read_bytes(&usual, text, strlen(text), &source));
    return has_note(&source, note);
}

#define ALLOC "7;;memref.alloc;;;1" NO_FLAGS "3;4;\n"
#define ALLOC_SLICE "runtime 0 | memref.alloc | 3..4 | - | action=7\n"

static void test_headers(void **state)
{
    (void)state;
    check_text(A3 ALLOC, ALLOC_SLICE, NULL);
    check_text("\n \n" A3 "\n" ALLOC "\n  \n", ALLOC_SLICE, NULL);
    check_text("\xEF\xBB\xBF" A3 ALLOC, ALLOC_SLICE, NULL);
    check_text(A3, "", NULL);
    /* Files put one after the other, the second with its columns in another order. */
    check_text(
        A3 ALLOC
        "job_id;action_id;operation;timestamp_start;timestamp_end;dma_out_used_in_program;dma_in_used_in_program;"
        "slice_used_1_in_program;slice_used_0_in_program\n;8;x;5;6;;;;\n",
        ALLOC_SLICE "runtime 0 | x | 5..6 | - | action=8\n", NULL);
    check_text(A3 ALLOC A1, ALLOC_SLICE, &loss_fields);
    /* Other delimiters, quoted names, capitals. */
    check_text("\"Action ID\",JOB_ID,Operation,\"Timestamp Start\",Timestamp End,slice_used_0_in_program,"
               "slice_used_1_in_program,dma_in_used_in_program,dma_out_used_in_program\n7,,memref.alloc,3,4,,,,\n",
               ALLOC_SLICE, NULL);
    assert_true(notes("extra;" A3 "1;" ALLOC, "not known"));
    assert_false(notes(A3 ALLOC, "not known"));
}

static void check_failure(const char *text, const char *message)
{
    struct recorder *recorder = recorder_new();
    struct source source;
    struct input *input;

    assert_int_equal(input_open_memory("log.csv", text, strlen(text), &input), STATUS_OK);
    assert_int_equal(recorder_read_input(recorder, &usual, input, &source), STATUS_INPUT);
    assert_string_equal(status_message(), message);
    input_close(input);
    recorder_free(recorder);
}

static void test_missing_columns_are_named(void **state)
{
    char many[1024] = A3;
    size_t length = strlen(many) - 1;

    (void)state;
    check_failure("", "log.csv: there is no header: an annotated log begins with the names of its columns");
    check_failure("\n\n", "log.csv: there is no header: an annotated log begins with the names of its columns");
    check_failure("\n1;2;3\n", "log.csv:2: there is no header: an annotated log begins with the names of its columns");
    check_failure("action_id;job_id;operation\n", "log.csv:1: the header lacks the column \"timestamp_start\"");
    check_failure("job_id;operation\n", "log.csv:1: the header lacks the column \"action_id\"");
    check_failure("action_id;job_id\n", "log.csv:1: the header lacks the column \"operation\"");
    check_failure("action_id;operation;timestamp_start\n", "log.csv:1: the header lacks the column \"job_id\"");
    check_failure("action_id;operation;slice_id;timestamp_start\n",
                  "log.csv:1: the header lacks the column \"timestamp_end\"");
    check_failure("nss_program_timestamp_start\n", "log.csv:1: the header lacks the column \"nss_program_index\"");
    check_failure("nss_program_index\n", "log.csv:1: the header lacks the column \"nss_program_timestamp_start\"");
    check_failure("NSS Program Index;NSS Program Start Timestamp [us]\n",
                  "log.csv:1: the header lacks the column \"nss_program_timestamp_end\"");
    check_failure("nss_program_index;nss_program_timestamp_start;nss_program_timestamp_end;slice_used_0_in_program;"
                  "slice_used_1_in_program;dma_out_used_in_program\n",
                  "log.csv:1: the header lacks the column \"dma_in_used_in_program\"");
    for (unsigned i = 0; i < 50; i++)
        many[length++] = ';';
    many[length] = '\0';
    check_failure(many, "log.csv:1: the header has 65 columns, more than the 64 that can be read");
}

static void test_numbers_and_flags(void **state)
{
    (void)state;
    check_text(A3 "7.0;;memref.alloc;;;1.0" NO_FLAGS "3.0;4.000;\n", ALLOC_SLICE, NULL);
    check_text(A3 "\"7\";;\"memref.alloc\";;;1" NO_FLAGS " 3 ;\"4\";\n", ALLOC_SLICE, NULL);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3e0;4.9;\n", ALLOC_SLICE, NULL);
    assert_true(notes(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;4.9;\n", "fractions"));
    assert_false(notes(A3 "7;;memref.alloc;;;1" NO_FLAGS "3.0;4.0;\n", "fractions"));
    check_text(
        A3 "7;0;torq_hl.wait_program;;;1;TRUE;false;1;0;1.0;0.0;3;4;\n",
        "runtime 0 | wait_program | 3..4 | - | action=7 job=0\nnss 0 | job 0 | 3..4 | - | job=0 wait_action=7\n"
        "dma_in 0 | job 0 | 3..4 | - | job=0 wait_action=7\ncdma_dtcm 0 | job 0 | 3..4 | - | job=0 wait_action=7\n"
        "slice 0 | job 0 | 3..4 | - | job=0 wait_action=7\n",
        NULL);
    assert_true(notes(A3 "7;;memref.alloc;;;5" NO_FLAGS "3;4;\n", "do not agree"));
    assert_true(notes(A3 "7;;memref.alloc;;;x" NO_FLAGS "3;4;\n", "do not agree"));
    assert_false(notes(A3 "7;;memref.alloc;;;" NO_FLAGS "3;4;\n", "do not agree"));
}

static void test_lost_rows(void **state)
{
    (void)state;
    check_text(A3 "7;;memref.alloc\n", "", &loss_fields);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;4;;\n", "", &loss_fields);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;4;loc(unknown)x\n", "", &loss_fields);
    check_text(A3 ";;memref.alloc;;;1" NO_FLAGS "3;4;\n", "", &loss_number);
    check_text(A3 "x;;memref.alloc;;;1" NO_FLAGS "3;4;\n", "", &loss_number);
    check_text(A3 "99999999999999999999;;memref.alloc;;;1" NO_FLAGS "3;4;\n", "", &loss_number);
    check_text(A3 "7;x;memref.alloc;;;1" NO_FLAGS "3;4;\n", "", &loss_number);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS ";4;\n", "", &loss_number);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;;\n", "", &loss_number);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;nan;\n", "", &loss_number);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;.;\n", "", &loss_number);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;1e999;\n", "", &loss_number);
    check_text(A3 "7;0;torq_hl.wait_program;;;1;yes;;;;;;3;4;\n", "", &loss_number);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;1e300;\n", "", &loss_time_range);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;9223372036854775807;\n", "", &loss_time_range);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;99999999999999999999.0;\n", "", &loss_time_range);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "-3;4;\n", "", &loss_time_range);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;2;\n", "", &loss_end_before_start);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;4;\"loc(\n" ALLOC, ALLOC_SLICE, &loss_quote);
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;4;loc(\"a\":1:2\n" ALLOC, ALLOC_SLICE, &torq_loss_location);
    check_text(A1 "0;torq_hw.css_start;;;;;;True;True;True;True\n", "", &loss_number);
}

static void test_fields_over_several_lines(void **state)
{
    (void)state;
    check_text(A3 "7;;memref.alloc;;;1" NO_FLAGS "3;4;\"loc(fused[\"\"a\"\":1:2,\n \"\"b\"\":3:4])\"\n" ALLOC,
               "runtime 0 | memref.alloc | 3..4 | a:1:2 + b:3:4 | action=7\n" ALLOC_SLICE, NULL);
    check_text(A3 "7;;\"memref.\r\nalloc\";;;1" NO_FLAGS "3;4;\r\n",
               "runtime 0 | memref.\r\nalloc | 3..4 | - | action=7\n", NULL);
}

static void test_binary_rows(void **state)
{
    static const char text[] = A3 "7;;memref.alloc;;;1" NO_FLAGS "3;4;\n7;;memref.\0alloc;;;1" NO_FLAGS "3;4;\n"
                                  "\1\2\3\n7;;memref.alloc;;;1" NO_FLAGS "5;6;\n";
    struct recorder *recorder = read_bytes(&usual, text, sizeof text - 1, NULL);

    (void)state;
    assert_int_equal(recorder->count, 2);
    assert_int_equal(lost_for(recorder, &loss_binary), 2);
    assert_int_equal(losses_find(&recorder->losses, &loss_binary)->lines[0], 3);
    recorder_free(recorder);
}

static void test_a_line_that_is_too_long(void **state)
{
    size_t head = strlen(A3), tail = strlen("\n" ALLOC), size = head + LINES_LONGEST + 100 + tail;
    char *text = malloc(size);
    struct recorder *recorder;

    (void)state;
    assert_non_null(text);
    memset(text, 'x', size);
    memcpy(text, A3, head);
    memcpy(text + size - tail, "\n" ALLOC, tail);
    recorder = read_bytes(&usual, text, size, NULL);
    assert_int_equal(recorder->count, 1);
    assert_int_equal(lost_for(recorder, &loss_too_long), 1);
    recorder_free(recorder);
    free(text);
}

static void test_operators(void **state)
{
    (void)state;
    check_text(A3 "0;;x;;a.b@L1 c.d@L2 e.f@L3 g.h@L4 i.j@L5;1" NO_FLAGS "3;4;@L1C1\n",
               "runtime 0 | x | 3..4 | a.b@L1 + c.d@L2 + e.f@L3 (+2 more) | action=0\n", NULL);
    check_text(A3 "0;;x;;;1" NO_FLAGS "3;4;@L4C10+@L5C10\n", "runtime 0 | x | 3..4 | @L4C10+@L5C10 | action=0\n", NULL);
    check_text(A3 "0;;x;;;1" NO_FLAGS "3;4;\"loc(\"\"/w/net.mlir\"\":4:10)\"\n",
               "runtime 0 | x | 3..4 | net.mlir:4:10 | action=0\n", NULL);
    check_text(A3 "0;;x;;a.b@L1;1" NO_FLAGS "3;4;\n", "runtime 0 | x | 3..4 | a.b@L1 | action=0\n", NULL);
    check_text(A3 "0;;x;; + ;1" NO_FLAGS "3;4;loc(unknown)\n", "runtime 0 | x | 3..4 | - | action=0\n", NULL);
    check_text(A3 "0;;;;;1" NO_FLAGS "3;4;\n", "runtime 0 | action 0 | 3..4 | - | action=0\n", NULL);
}

static void test_the_type_of_an_operator_is_kept(void **state)
{
    static const char text[] = A3 "0;;x;;tosa.conv2d@L4 tosa.add@L5;1" NO_FLAGS "3;4;@L4C10\n";
    struct recorder *recorder = read_bytes(&usual, text, sizeof text - 1, NULL);

    (void)state;
    assert_int_equal(recorder->operator_count, 1);
    assert_string_equal(strings_text(recorder->strings, recorder->operators[0].type), "tosa.conv2d");
    assert_string_equal(strings_text(recorder->strings, recorder->operators[0].location), "@L4C10");
    recorder_free(recorder);
}

/* ---- Jobs ---- */

static void test_rows_of_one_job_are_put_together(void **state)
{
    (void)state;
    /* The same job again at another time, and a kernel that is named in both. */
    check_text(A1 "0;torq_hw.slice_start;0.0;a;0;5;5;True;False;False;False\n"
                  "0;torq_hw.slice_wait;0.0;a;0;5;5;True;False;False;False\n"
                  "1;torq_hw.slice_start;1.0;a;5;9;4;False;True;False;False\n"
                  "1;torq_hw.slice_start;1.0;b;5;9;4;False;True;False;False\n",
               "nss 0 | a | 0..5 | - | job=0 kernels=a\nslice 0 | a | 0..5 | - | job=0 kernels=a\n"
               "nss 0 | a,b | 5..9 | - | job=1 kernels=a,b\nslice 1 | a,b | 5..9 | - | job=1 kernels=a,b\n",
               NULL);
    check_text(A1 "0;x;;;0;5;5;False;False;False;False\n0;x;;;6;9;3;False;False;False;False\n",
               "nss 0 | job 0 | 0..5 | - | job=0\nnss 0 | job 0 | 6..9 | - | job=0\n", &loss_repeated_id);
    check_text(A1 "0;x;;;5;6;1;False;False;False;False\n1;x;;;4;6;2;False;False;False;False\n",
               "nss 0 | job 0 | 5..6 | - | job=0\nnss 0 | job 1 | 4..6 | - | job=1\n", &loss_backwards);
    check_text(A1 "0;torq_hw.cdma_start;;;0;5;5;False;False;False;False\n",
               "nss 0 | job 0 | 0..5 | - | job=0\ncdma_dtcm 0 | job 0 | 0..5 | - | job=0\n", NULL);
    /* Where there is a column, it decides. */
    check_text(A2 "2;0;torq_hw.css_wait;;;5;;False;False;False;True;False;False;1;6;\n",
               "nss 0 | job 0 | 1..6 | - | job=0 wait_action=2\ndma_out 0 | job 0 | 1..6 | - | job=0 wait_action=2\n",
               NULL);
    check_text(A2 "2;;torq_hw.css_wait;;;5;;False;False;False;False;False;False;1;6;\n",
               "nss 0 | action 2 | 1..6 | - | wait_action=2\n", NULL);
    assert_true(notes(A2 "2;;memref.alloc;;;;;;;;;;;;;\n", "rows without times are not drawn"));
}

#define START(action, job, from, to) #action ";" #job ";torq_hl.start_program;;;" USES_BOTH #from ";" #to ";\n"
#define WAIT(action, job, from, to) #action ";" #job ";torq_hl.wait_program;;;" USES_BOTH #from ";" #to ";\n"

static void test_jobs_side_by_side(void **state)
{
    (void)state;
    check_text(A3 START(1, 0, 1, 2) START(2, 1, 3, 4) WAIT(3, 1, 5, 9) WAIT(4, 0, 9, 11),
               "runtime 0 | start_program | 1..2 | - | action=1 job=0 | flow 1\n"
               "nss 0 | job 0 | 1..11 | - | job=0 start_action=1 | flow 1\n"
               "dma_out 0 | job 0 | 1..11 | - | job=0 start_action=1\n"
               "slice 0 | job 0 | 1..11 | - | job=0 start_action=1\n"
               "runtime 0 | start_program | 3..4 | - | action=2 job=1 | flow 2\n"
               "nss 0 | job 1 | 3..9 | - | job=1 start_action=2 | flow 2\n"
               "dma_out 0 | job 1 | 3..9 | - | job=1 start_action=2\n"
               "slice 0 | job 1 | 3..9 | - | job=1 start_action=2\n"
               "runtime 0 | wait_program | 5..9 | - | action=3 job=1 | flow 2\n"
               "runtime 0 | wait_program | 9..11 | - | action=4 job=0 | flow 1\n",
               NULL);
}

static void test_starts_and_waits_without_each_other(void **state)
{
    static const char alone[] = "runtime 0 | start_program | 1..2 | - | action=1 job=0 | flow 1\n"
                                "nss 0 | job 0 | 1..2 | - | job=0 start_action=1 | flow 1\n"
                                "dma_out 0 | job 0 | 1..2 | - | job=0 start_action=1\n"
                                "slice 0 | job 0 | 1..2 | - | job=0 start_action=1\n";
    char both[2048];

    (void)state;
    check_text(A3 START(1, 0, 1, 2), alone, &loss_begin_without_end);
    check_text(A3 START(1, 0, 1, 2) WAIT(2, 0, , ), alone, &loss_begin_without_end);
    snprintf(both, sizeof both, "%s%s", alone,
             "runtime 0 | start_program | 5..6 | - | action=1 job=0 | flow 2\n"
             "nss 0 | job 0 | 5..9 | - | job=0 start_action=1 | flow 2\n"
             "dma_out 0 | job 0 | 5..9 | - | job=0 start_action=1\n"
             "slice 0 | job 0 | 5..9 | - | job=0 start_action=1\n"
             "runtime 0 | wait_program | 7..9 | - | action=2 job=0 | flow 2\n");
    check_text(A3 START(1, 0, 1, 2) START(1, 0, 5, 6) WAIT(2, 0, 7, 9), both, &loss_begin_without_end);
    check_text(A3 WAIT(2, 0, 7, 9),
               "runtime 0 | wait_program | 7..9 | - | action=2 job=0\n"
               "nss 0 | job 0 | 7..9 | - | job=0 wait_action=2\ndma_out 0 | job 0 | 7..9 | - | job=0 wait_action=2\n"
               "slice 0 | job 0 | 7..9 | - | job=0 wait_action=2\n",
               NULL);
}

static void test_host_programs(void **state)
{
    (void)state;
    check_text(A3 "1;;torq_hl.start_program;;;" NO_FLAGS "1;2;\n2;;torq_hl.start_program;;;" NO_FLAGS "2;3;\n"
                  "3;;torq_hl.wait_program;;;" NO_FLAGS "4;5;\n4;;torq_hl.wait_program;;;" NO_FLAGS "6;7;\n",
               "runtime 0 | start_program | 1..2 | - | action=1\nhost 0 | HOST_PROGRAM | 1..5 | - | start_action=1\n"
               "runtime 0 | start_program | 2..3 | - | action=2\nhost 0 | HOST_PROGRAM | 2..7 | - | start_action=2\n"
               "runtime 0 | wait_program | 4..5 | - | action=3\nruntime 0 | wait_program | 6..7 | - | action=4\n",
               NULL);
    check_text(A3 "1;;torq_hl.start_program;;;" NO_FLAGS "1;2;\n",
               "runtime 0 | start_program | 1..2 | - | action=1\nhost 0 | HOST_PROGRAM | 1..2 | - | start_action=1\n",
               &loss_begin_without_end);
    check_text(A3 "3;;torq_hl.wait_program;;;" NO_FLAGS "4;5;\n",
               "runtime 0 | wait_program | 4..5 | - | action=3\nhost 0 | HOST_PROGRAM | 4..5 | - | wait_action=3\n",
               NULL);
}

static void test_more_starts_than_can_be_under_way(void **state)
{
    enum { STARTS = 1100, ROW = 120 };
    char *text = malloc(sizeof A3 + STARTS * ROW);
    size_t size = strlen(A3);
    struct recorder *recorder;

    (void)state;
    assert_non_null(text);
    memcpy(text, A3, size);
    for (int i = 0; i < STARTS; i++)
        size += (size_t)snprintf(text + size, ROW, "%d;%d;torq_hl.start_program;;;;True;;;;;;%d;%d;\n", i, i, i, i + 1);
    recorder = read_bytes(&usual, text, size, NULL);
    assert_int_equal(recorder->count, STARTS * 3);
    assert_int_equal(lost_for(recorder, &loss_begin_without_end), STARTS);
    recorder_free(recorder);
    free(text);
}

static void test_calls(void **state)
{
    static const char text[] = A3 "-1;;SCOPE.CALL;;;" NO_FLAGS "5;9;\n-1.0;;CALL;;;" NO_FLAGS "3;4;NAME\n";
    struct recorder *recorder = read_bytes(&usual, text, sizeof text - 1, NULL);

    (void)state;
    assert_string_equal(recorder_text(recorder),
                        "hal 0 | SCOPE.CALL | 5..9 | - | dispatch=SCOPE\nhal 0 | NAME | 3..4 | - | \n");
    assert_int_equal(losses_total(&recorder->losses), 0);
    assert_true(recorder->tracks[recorder->slices[0].slice.track].unordered);
    assert_int_equal(recorder->operator_count, 0);
    recorder_free(recorder);
}

static void test_the_odd_file(void **state)
{
    struct source source;
    struct recorder *recorder = read_file(&usual, "torq-annotated/odd.csv", &source);
    const struct losses *losses = &recorder->losses;

    (void)state;
    assert_string_equal(
        recorder_text(recorder),
        "host_copy 0 | host_copy | 100..112 | @L4C10 | action=0\n"
        "runtime 0 | start_program | 120..130 | net.mlir:4:10 | action=1 job=0 kernels=conv2d_0;add_1 | flow 1\n"
        "nss 0 | conv2d_0;add_1 | 120..190 | net.mlir:4:10 | job=0 start_action=1 kernels=conv2d_0;add_1 | flow 1\n"
        "dma_in 0 | conv2d_0;add_1 | 120..190 | net.mlir:4:10 | job=0 start_action=1 kernels=conv2d_0;add_1\n"
        "slice 0 | conv2d_0;add_1 | 120..190 | net.mlir:4:10 | job=0 start_action=1 kernels=conv2d_0;add_1\n"
        "runtime 0 | wait_program | 140..190 | net.mlir:4:10 + net.mlir:5:10 | action=2 job=0 kernels=conv2d_0 | flow "
        "1\n"
        "runtime 0 | memref.dealloc | 135..150 | @L6C10 | action=10\n"
        "runtime 0 | start_program | 240..250 | - | action=11 job=1 | flow 2\n"
        "nss 0 | job 1 | 240..250 | - | job=1 start_action=11 | flow 2\n"
        "dma_out 0 | job 1 | 240..250 | - | job=1 start_action=11\n");
    assert_int_equal(losses->rows, 14);
    assert_int_equal(losses->lost, 8);
    assert_int_equal(losses_find(losses, &loss_end_before_start)->lines[0], 7);
    assert_int_equal(losses_count(losses, &loss_number), 3);
    assert_int_equal(losses_find(losses, &loss_time_range)->lines[0], 11);
    assert_int_equal(losses_count(losses, &loss_fields), 2);
    assert_int_equal(losses_find(losses, &loss_backwards)->lines[0], 14);
    assert_int_equal(losses_find(losses, &loss_begin_without_end)->lines[0], 15);
    assert_int_equal(losses_find(losses, &loss_quote)->lines[0], 17);
    assert_true(has_note(&source, "not known"));
    assert_true(has_note(&source, "fractions"));
    recorder_free(recorder);
}

static void test_strict_stops_at_the_first_lost_row(void **state)
{
    (void)state;
    check_strict(&torq_annotated_reader, A3 ALLOC "7;;memref.alloc;;;1" NO_FLAGS "3;2;\n",
                 "log.csv:3:1: end before start");
}

static int probe(const char *text)
{
    return torq_annotated_reader.probe((struct text){ text, strlen(text) }, "x");
}

static void test_probe(void **state)
{
    static const char *const files[] = { "annotated_A1.csv", "annotated_A2.csv", "annotated_A4.csv", "ours_r2.csv",
                                         "ours_r3.csv",      "long_r1.csv",      "long_r3.csv",      "odd.csv" };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const struct reader *reader;
        struct input *input;
        char name[64];

        snprintf(name, sizeof name, "torq-annotated/%s", files[i]);
        assert_int_equal(input_open(data_path(name), &input), STATUS_OK);
        assert_int_equal(reader_detect(input, name, &reader), STATUS_OK);
        assert_ptr_equal(reader, &torq_annotated_reader);
        input_close(input);
    }
    assert_int_equal(probe(A1), 95);
    assert_int_equal(probe("\xEF\xBB\xBF\n" A2), 95);
    assert_int_equal(probe("action_id;job_id;operation;invocation_names;total_time;timestamp_start\n"), 60);
    assert_int_equal(probe("id;time_since_open;time_since_start;location\n"), 0);
    assert_int_equal(probe("dispatch_name,invocation_id,action_id,timestamp_us,event\n"), 0);
    assert_int_equal(probe("DI0,0,512,loc(unknown),DMA_IN\n"), 0);
    assert_int_equal(probe(""), 0);
    assert_int_equal(probe("module {\n"), 0);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    check_out_of_memory(&usual, A1 "0;x;0;kernel;0;5;5;True;True;True;True\n");
    check_out_of_memory(&usual, A3 START(1, 0, 1, 2) "2;;x;;a@L1;1" NO_FLAGS
                                                     "3;4;\"loc(\"\"a\"\":1:2)\"\n-1;;S.C;;;" NO_FLAGS "1;2;n\n");
}

/* Damaged files: rows in are rows used or lost, whatever the bytes are and however they are cut into reads. */
static void test_damaged_files_add_up(void **state)
{
    static const char *const names[] = { "annotated_A1.csv", "annotated_A2.csv", "annotated_A4.csv", "odd.csv" };
    static const char signs[] = ";\"\n\r\0x0-.,TL(";
    unsigned random = 7;

    (void)state;
    for (int round = 0; round < 400; round++) {
        char path[64], whole[32 * 1024];
        FILE *file;
        size_t size, first;
        struct recorder *one, *other;

        snprintf(path, sizeof path, "torq-annotated/%s", names[round % 4]);
        file = fopen(data_path(path), "rb");
        assert_non_null(file);
        size = fread(whole, 1, sizeof whole, file);
        fclose(file);
        assert_true(size > 0 && size < sizeof whole);
        first = (size_t)((const char *)memchr(whole, '\n', size) - whole) + 1;
        for (int i = 0; i < 1 + round % 20; i++) {
            random = random * 1664525u + 1013904223u;
            whole[first + (random >> 8) % (size - first)] = signs[(random >> 4) % (sizeof signs - 1)];
        }
        if (round % 3 == 0)
            size = first + random % (size - first);
        one = read_bytes(&usual, whole, size, NULL);
        input_limit_reads(1 + random % 61);
        other = read_bytes(&usual, whole, size, NULL);
        input_limit_reads(0);
        assert_string_equal(recorder_text(one), recorder_text(other));
        assert_int_equal(one->losses.lost, other->losses.lost);
        recorder_free(one);
        recorder_free(other);
    }
}

/* With CRLF every file says the same. */
static void test_line_ends(void **state)
{
    static const char *const names[] = { "annotated_A1.csv", "annotated_A2.csv", "annotated_A4.csv" };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64], crlf[32 * 1024];
        struct recorder *plain, *other;
        struct source source;
        size_t size = 0;
        FILE *file;
        int byte;

        snprintf(path, sizeof path, "torq-annotated/%s", names[i]);
        plain = read_file(&usual, path, &source);
        file = fopen(data_path(path), "rb");
        assert_non_null(file);
        while ((byte = getc(file)) != EOF && size + 2 < sizeof crlf) {
            if (byte == '\n')
                crlf[size++] = '\r';
            crlf[size++] = (char)byte;
        }
        fclose(file);
        /* The last line may lack its end, too. */
        other = read_bytes(&usual, crlf, size - 2, NULL);
        assert_string_equal(recorder_text(plain), recorder_text(other));
        assert_int_equal(losses_total(&other->losses), 0);
        recorder_free(plain);
        recorder_free(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_form),
        cmocka_unit_test(test_the_second_form),
        cmocka_unit_test(test_the_third_form),
        cmocka_unit_test(test_metrics_are_those_of_the_originals),
        cmocka_unit_test(test_metrics_are_those_of_the_log),
        cmocka_unit_test(test_a_log_without_a_program_knows_no_engines),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_missing_columns_are_named),
        cmocka_unit_test(test_numbers_and_flags),
        cmocka_unit_test(test_lost_rows),
        cmocka_unit_test(test_fields_over_several_lines),
        cmocka_unit_test(test_binary_rows),
        cmocka_unit_test(test_a_line_that_is_too_long),
        cmocka_unit_test(test_operators),
        cmocka_unit_test(test_the_type_of_an_operator_is_kept),
        cmocka_unit_test(test_rows_of_one_job_are_put_together),
        cmocka_unit_test(test_jobs_side_by_side),
        cmocka_unit_test(test_starts_and_waits_without_each_other),
        cmocka_unit_test(test_host_programs),
        cmocka_unit_test(test_more_starts_than_can_be_under_way),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_the_odd_file),
        cmocka_unit_test(test_strict_stops_at_the_first_lost_row),
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_damaged_files_add_up),
        cmocka_unit_test(test_line_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
