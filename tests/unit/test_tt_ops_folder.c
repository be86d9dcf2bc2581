/* test_tt_ops_folder.c: folders of ops logs: numbers of device logs, and the reader: rows, timelines, losses, and what becomes of broken files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/number_set.h"
#include "place.h"
#include "recorder.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_log.h"
#include "tenstorrent/op_report.h"
#include "tenstorrent/ops_call.h"
#include "tenstorrent/ops_folder.h"

/* A device log as the folder's reader sees it. */
struct read_log {
    struct op_device device;
    bool other_chip, later, no_clock;
    uint64_t rows, used, elsewhere, lost, lost_line;
};

static struct read_log read_device(const char *text, int64_t chip)
{
    struct strings *strings = model_strings();
    struct ops_measured measured;
    struct source source = { .path = "device.csv" };
    struct marker_log log;
    struct read_log made;

    marker_log_start(&log, strings);
    assert_int_equal(input_open_memory("device.csv", text, strlen(text), &source.input), STATUS_OK);
    assert_int_equal(tt_device_read_rows(&source, &log), STATUS_OK);
    ops_measure(&log, chip, &measured);
    made = (struct read_log){ .device = measured.device,
                              .other_chip = measured.other_chip,
                              .later = measured.later,
                              .no_clock = log.losses.rows && !log.clock_told,
                              .rows = log.losses.rows,
                              .used = log.losses.used - measured.elsewhere,
                              .elsewhere = measured.elsewhere,
                              .lost = log.losses.lost,
                              .lost_line = losses_first_line(&log.losses) };
    assert_int_equal(made.rows, made.used + made.elsewhere + made.lost);
    input_close(source.input);
    marker_log_free(&log);
    strings_free(strings);
    return made;
}

/* ---- device logs --------------------------------------------------------------------------------------------------- */

#define HEAD "ARCH: grayskull, CHIP_FREQ[MHz]: 1200\nPCIe slot, core_x, core_y, RISC processor type, timer_id, time\n"

static void test_spans_go_from_the_first_start_to_the_last_end(void **state)
{
    struct read_log log =
        read_device(HEAD "0, 1, 0, BRISC, 3, 9000\n"
                         "0, 0, 0, BRISC, 2, 3000\n0, 1, 0, BRISC, 2, 3600\n0, 0, 0, BRISC, 3, 4200\n"
                         "0, 0, 0, NCRISC, 1, 1200\n0, 0, 0, NCRISC, 4, 12000\n0, 0, 0, NCRISC, 7, 600\n",
                    OPS_ANY_CHIP);

    (void)state;
    assert_true(log.device.known);
    assert_int_equal(log.device.cores, 2);
    assert_int_equal(log.device.first_cycle, 600);
    assert_int_equal(log.device.last_cycle, 12000);
    assert_int_equal(log.device.duration_ns[DURATION_FIRMWARE], 9000);
    assert_int_equal(log.device.duration_ns[DURATION_KERNEL], 5000);
    assert_int_equal(log.device.duration_ns[DURATION_BRISC], 5000);
    assert_false(log.device.has[DURATION_NCRISC]);
    assert_false(log.later);
}

static void test_halves_go_to_the_even_neighbour(void **state)
{
    /* 3 cycles of 1200 MHz are 2.5 ns, 9 are 7.5 ns. */
    (void)state;
    assert_int_equal(read_device(HEAD "0,0,0,BRISC,2,10\n0,0,0,BRISC,3,13\n", 0).device.duration_ns[DURATION_BRISC], 2);
    assert_int_equal(read_device(HEAD "0,0,0,BRISC,2,10\n0,0,0,BRISC,3,19\n", 0).device.duration_ns[DURATION_BRISC], 8);
}

static void test_an_end_before_its_start_is_no_duration(void **state)
{
    (void)state;
    assert_false(read_device(HEAD "0,0,0,BRISC,2,10\n0,0,0,BRISC,3,9\n", OPS_ANY_CHIP).device.has[DURATION_BRISC]);
}

static void test_sums_are_averaged_and_are_no_times(void **state)
{
    struct read_log log = read_device(HEAD "0,0,0,TRISC_0,3000,1200\n0,1,0,TRISC_0,3000,3600\n0,0,0,BRISC,1,900000\n"
                                           "0,0,0,TRISC_2,3001,2400\n0,0,0,TRISC_1,3000,77\n",
                                      OPS_ANY_CHIP);

    (void)state;
    assert_true(log.later);
    assert_int_equal(log.device.duration_ns[DURATION_WAIT_FRONT], 2000);
    assert_int_equal(log.device.duration_ns[DURATION_RESERVE_BACK], 2000);
    assert_int_equal(log.device.first_cycle, 900000);
}

static void test_chips_are_kept_apart(void **state)
{
    static const char text[] = HEAD "3,0,0,BRISC,2,1200\n3,0,0,BRISC,3,2400\n1,0,0,BRISC,2,10\n1,0,0,BRISC,3,130\n"
                                    "1,5,5,BRISC,7,140\n";
    struct read_log one = read_device(text, 1);
    struct read_log first = read_device(text, OPS_ANY_CHIP);
    struct read_log missing = read_device(text, 7);

    (void)state;
    assert_int_equal(one.device.chip, 1);
    assert_int_equal(one.device.duration_ns[DURATION_BRISC], 100);
    assert_int_equal(one.device.cores, 2);
    assert_int_equal(one.elsewhere, 2);
    assert_false(one.other_chip);
    assert_int_equal(first.device.chip, 3);
    assert_int_equal(first.device.duration_ns[DURATION_BRISC], 1000);
    assert_int_equal(missing.device.chip, 3);
    assert_true(missing.other_chip);
}

static void test_clocks(void **state)
{
    static const char rows[] = "0, 0, 0, BRISC, 2, 0\n0, 0, 0, BRISC, 3, 12020\n";
    char text[512];
    struct read_log log = read_device(rows, OPS_ANY_CHIP);

    (void)state;
    assert_true(log.no_clock);
    assert_int_equal(log.lost, 0);
    assert_int_equal(log.device.duration_ns[DURATION_BRISC], 10000);
    snprintf(text, sizeof text,
             "Chip clock is at 1.2 GHz\nPCIe slot, core_x, core_y, RISC processor type, timer_id\n%s", rows);
    log = read_device(text, OPS_ANY_CHIP);
    assert_false(log.no_clock);
    assert_int_equal(log.device.duration_ns[DURATION_BRISC], 10017);
    snprintf(text, sizeof text, "ARCH: grayskull, CHIP_FREQ[MHz]: 0\n%s", rows);
    assert_true(read_device(text, OPS_ANY_CHIP).no_clock);
}

static void test_bad_rows_are_counted(void **state)
{
    struct read_log log = read_device(HEAD "0,0,0,BRISC,2,100000\nrubbish\n0,0,0,BRISC,x,5\n0,0,0,BRISC,3,-5\n"
                                           "0,0,0,BRISC,3\n0,0,0,BRISC,3,99999999999999999999\n0,0,0,BRISC,3,100012,0\n"
                                           "\n0,99999,0,BRISC,3,5\n"
                                           "0,0,0,BRISC,3,100120\n0,0,0,NCRISC,3,1001",
                                      OPS_ANY_CHIP);

    (void)state;
    assert_int_equal(log.rows, 10);
    assert_int_equal(log.used, 2);
    assert_int_equal(log.lost, 8);
    assert_int_equal(log.lost_line, 4);
    assert_int_equal(log.device.first_cycle, 100000);
    assert_int_equal(log.device.duration_ns[DURATION_BRISC], 100);
}

/* Later generations name zones, and wait for buffers in zones of their own. */
static void test_newer_logs_are_measured(void **state)
{
    struct read_log log = read_device("ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000\n"
                                      "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since "
                                      "reset], data, run host ID, trace id, "
                                      "trace id counter, zone name, type, source line, source file, meta data\n"
                                      "0,1,2,BRISC,1,1000,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,\n0,1,2,BRISC,2,1100,0,"
                                      "1024,,,BRISC-KERNEL,ZONE_START,1,a.cc,\n"
                                      "0,1,2,BRISC,2,1500,0,1024,,,BRISC-KERNEL,ZONE_END,1,a.cc,\n0,1,2,BRISC,1,2000,0,"
                                      "1024,,,BRISC-FW,ZONE_END,1,a.cc,\n"
                                      "0,1,2,TRISC_0,3,1700,70,1024,,,CB-COMPUTE-WAIT-FRONT,ZONE_TOTAL,1,a.cc,\n"
                                      "0,2,2,TRISC_0,3,1700,90,1024,,,CB-COMPUTE-WAIT-FRONT,ZONE_TOTAL,1,a.cc,\n",
                                      0);

    (void)state;
    assert_true(log.device.known && log.later);
    assert_int_equal(log.lost, 0);
    assert_int_equal(log.device.cores, 2);
    assert_int_equal(log.device.duration_ns[DURATION_FIRMWARE], 1000);
    assert_int_equal(log.device.duration_ns[DURATION_BRISC], 400);
    assert_int_equal(log.device.duration_ns[DURATION_WAIT_FRONT], 80);
}

static void test_logs_without_markers(void **state)
{
    (void)state;
    assert_false(read_device("", OPS_ANY_CHIP).device.known);
    assert_false(read_device(HEAD, 2).device.known);
    /* A row that is lost may name a chip and a core; they are not there for that. */
    assert_false(read_device(HEAD "0,0,0,BRISC,x,5\n", OPS_ANY_CHIP).device.known);
    assert_int_equal(read_device(HEAD "0,0,0,BRISC,x,5\n0,1,0,BRISC,1,5\n", OPS_ANY_CHIP).device.cores, 1);
}

static void test_number_sets(void **state)
{
    struct number_set set = { 0 };
    bool added;

    (void)state;
    assert_false(number_set_has(&set, 0));
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(number_set_add(&set, i * i * 4096, &added), STATUS_OK);
        assert_true(added);
    }
    assert_int_equal(number_set_add(&set, 0, &added), STATUS_OK);
    assert_false(added);
    assert_int_equal(number_set_add(&set, NUMBER_SET_LARGEST, &added), STATUS_OK);
    assert_true(added && number_set_has(&set, NUMBER_SET_LARGEST) && !number_set_has(&set, 5));
    assert_int_equal(set.count, 1001);
    number_set_clear(&set);
    assert_false(number_set_has(&set, 4096));
    number_set_free(&set);
}

/* ---- the reader ---------------------------------------------------------------------------------------------------- */

#define OP_HEAD                                                                                                    \
    "Name, Start timer count [ns], Stop timer count [ns], Delta timer count [ns], Global Call Count, Call Count, " \
    "Stack Size, "                                                                                                 \
    "Inputs, Outputs, Math Fidelity, Parallelization Strategy, Preferred Name, Meta Data, Type\n"
#define CALL_HEAD "Name, Start timer count [ns], Stop timer count [ns], Delta timer count [ns]\n"
#define TENSOR "1_1_32_64|TILE|BFLOAT16|DEV_0_DRAM_INTERLEAVED"
#define DEVICE_ROWS "0,0,0,BRISC,1,1000\n0,0,0,BRISC,2,1200\n0,0,0,BRISC,3,2400\n0,0,0,BRISC,4,3400\n"

/* Two calls of one op, each with a device log, the second starting 12000 cycles after the first. */
static void write_small(void)
{
    remove_folder("ops");
    remove_folder("ops_device");
    write_file("ops/Add/profile_log_host.csv", OP_HEAD "tt::tt_metal::Add, 5000, 7000, 2000, 1, 1, 1, " TENSOR
                                                       "-" TENSOR ", " TENSOR ", HiFi4, MULTI, , x=1, tt_dnn_device\n"
                                                       "tt::tt_metal::Add, 8000, 9000, 1000, 2, 2, 1, " TENSOR
                                                       ", 2_1_1_32_64|TILE|UINT32|OWNED, , , , , tt_dnn_device\n");
    write_file("ops/Add/1/profile_log_host.csv", CALL_HEAD "Launch, 5100, 5400, 300\nCompile, 5050, 5090, 40\n");
    write_file("ops/Add/2/profile_log_host.csv", CALL_HEAD);
    write_file("ops_device/Add/profile_log_host.csv",
               OP_HEAD "tt::tt_metal::Add, 1, 2, 1, 1, 1, 1, , , , , , , tt_dnn_device\n"
                       "tt::tt_metal::Add, 3, 4, 1, 2, 2, 1, , , , , , , tt_dnn_device\n");
    write_file("ops_device/Add/1/profile_log_device.csv", HEAD DEVICE_ROWS);
    write_file("ops_device/Add/2/profile_log_device.csv",
               HEAD "0,0,0,BRISC,1,13000\n0,0,0,BRISC,4,15400\n0,1,0,BRISC,1,13600\n"
                    "0,1,0,BRISC,4,14200\n");
}

static status read_folder(struct recorder *recorder, const char *path, bool strict, struct source *source)
{
    struct feed feed;
    status code;

    *source = (struct source){ .path = path, .strict = strict };
    feed_start(&feed, (struct sink){ &recorder_calls, recorder }, recorder->strings);
    code = feed_input(&feed, 0, 0);
    if (code == STATUS_OK)
        code = tt_ops_folder_reader.read(source, &feed);
    if (code == STATUS_OK)
        code = feed_input_end(&feed);
    feed_free(&feed);
    return code;
}

static struct recorder *read_small(struct source *source)
{
    struct recorder *recorder = recorder_new();

    assert_int_equal(read_folder(recorder, file_at("ops"), false, source), STATUS_OK);
    recorder_check(recorder);
    return recorder;
}

static void test_a_timeline_has_all_that_has_a_time(void **state)
{
    struct source source;
    struct recorder *recorder;

    (void)state;
    write_small();
    recorder = read_small(&source);
    /* 1200 MHz: the first call starts at 5000 ns and at cycle 1000, so the second, 12000 cycles later, at 15000 ns. */
    assert_string_equal(
        recorder_text(recorder),
        "host 0 | Add | 5000..7000 | Add | op=tt_dnn_device call=1 | flow 1\n"
        "host 0 | Add | 8000..9000 | Add | op=tt_dnn_device call=2 | flow 2\n"
        "operation 0 | Add | 5000..7000 | Add | op=tt_dnn_device call=1 cores=1 kernel_ns=1000 fidelity=HiFi4 "
        "bytes=12288 | flow 1\n"
        "operation 0 | Add | 15000..17000 | Add | op=tt_dnn_device call=2 cores=2 bytes=4096 | flow 2\n"
        "risc 0 | BRISC-FW | 1000..3400 | - | run_host_id=1\n"
        "risc 0 | BRISC-KERNEL | 1200..2400 | - | run_host_id=1 | in BRISC-FW\n"
        "risc 0 | BRISC-FW | 13000..15400 | - | run_host_id=2\n"
        "risc 0 | BRISC-FW | 13600..14200 | - | run_host_id=2\n"
        "call 0 | Compile | 5050..5090 | - | \n"
        "call 0 | Launch | 5100..5400 | - | \n");
    /* Two calls, two functions, eight markers. The rows of the second run repeat the first. */
    assert_int_equal(recorder->losses.rows, 12);
    assert_int_equal(recorder->losses.used, 12);
    assert_int_equal(losses_count(&recorder->losses, &loss_missing), 2);
    assert_true(has_note(&source, "run without device profiling"));
    recorder_free(recorder);
}

static void test_the_chip_and_its_operations_share_a_clock(void **state)
{
    struct source source;
    struct recorder *recorder;
    unsigned groups = 0;

    (void)state;
    write_small();
    recorder = read_small(&source);
    assert_int_equal(recorder->clocks, 3); /* host, chip, functions */
    for (unsigned i = 0; i < recorder->track_count; i++) {
        const struct track *track = &recorder->tracks[i];

        groups += strcmp(strings_text(recorder->strings, track->name), "chip 0") == 0;
        if (track->engine == &tenstorrent_engine_operation)
            assert_string_equal(strings_text(recorder->strings, recorder->tracks[track->parent].name), "chip 0");
    }
    assert_int_equal(groups, 1);
    recorder_free(recorder);
}

static void test_logs_of_two_clocks_are_drawn_apart(void **state)
{
    struct source source;
    struct recorder *recorder;

    (void)state;
    write_small();
    write_file("ops_device/Add/2/profile_log_device.csv", "ARCH: grayskull, CHIP_FREQ[MHz]: 1000\n" DEVICE_ROWS);
    recorder = read_small(&source);
    assert_non_null(strstr(recorder_text(recorder), "operation 0 | Add | 5000..7000 |"));
    assert_non_null(strstr(recorder_text(recorder), "operation 0 | Add | 8000..10400 |"));
    assert_true(has_note(&source, "different clocks"));
    recorder_free(recorder);
}

static void test_rows_of_a_report(void **state)
{
    struct strings *strings = model_strings();
    struct source source = { .strict = true };
    struct op_report report;
    const struct op_row *first, *second;

    (void)state;
    write_small();
    source.path = file_at("ops");
    op_report_start(&report, strings);
    assert_int_equal(tenstorrent_calls(&tt_ops_folder_reader)->ops(&source, &report), STATUS_OK);
    assert_int_equal(report.rows.count, 2);
    first = op_row_at(&report, 0);
    second = op_row_at(&report, 1);
    assert_int_equal(first->number, 2);
    assert_int_equal(first->kind, OP_DEVICE);
    assert_int_equal(first->device, 0);
    assert_int_equal(first->call, 1);
    assert_int_equal(first->cores, 1);
    assert_int_equal(first->host_start, 5000);
    assert_int_equal(first->host_duration, 2000);
    assert_int_equal(first->firmware_start, 1000);
    assert_int_equal(first->firmware_end, 3400);
    assert_int_equal(first->firmware_duration, 2000);
    assert_int_equal(first->kernel_duration, 1000);
    assert_int_equal(first->inputs[1].size[OP_X], 64);
    assert_string_equal(strings_text(strings, first->inputs[1].memory), "DEV_0_DRAM_INTERLEAVED");
    assert_true(first->dram_bytes == 3 * 4096);
    assert_string_equal(strings_text(strings, first->attributes), "x=1");
    assert_int_equal(second->kernel_duration, OP_NONE);
    assert_int_equal(second->output.size[OP_W], 2); /* of five dimensions the first two */
    assert_int_equal(second->inputs[1].size[OP_X], -1);
    assert_true(report.columns.device && report.columns.input_1_datatype && !report.columns.latency);
    op_report_free(&report);
    strings_free(strings);
}

static void test_odd_values_are_marked(void **state)
{
    struct source source;
    struct recorder *recorder;

    (void)state;
    write_small();
    write_file("ops/Add/profile_log_host.csv",
               OP_HEAD "Add, 5000, 4000, 2000, 1, 1, 1, 1_1_99999999999_64|TILE|X|DEV_0_DRAM, , , , , , tt_dnn_device\n"
                       "Add, 9223372036854775807, 9, 1, 2, 2, 1, , , , , , , tt_dnn_device\n"
                       "Add, 8000, 9000, 1000, 2, 2, 1, , , , , , , tt_dnn_device\n");
    write_file("ops/Add/1/profile_log_host.csv", CALL_HEAD "Launch, x, 5400, 300\nCompile, 5050\n");
    recorder = read_small(&source);
    /* End before start, a size, a start beyond all sense, a start that is none. */
    assert_int_equal(lost_for(recorder, &loss_part), 4);
    assert_int_equal(lost_for(recorder, &loss_fields), 1);
    assert_int_equal(lost_for(recorder, &loss_repeated_id), 1);
    assert_int_equal(recorder->losses.rows, 3 + 2 + 8);
    assert_int_equal(recorder->losses.lost, 1);
    recorder_free(recorder);
}

static void test_what_is_missing(void **state)
{
    struct source source;
    struct recorder *recorder;

    (void)state;
    write_small();
    remove_folder("ops_device");
    recorder = read_small(&source);
    assert_int_equal(recorder->losses.rows, 4);
    assert_int_equal(lost_for(recorder, &loss_missing), 2);
    assert_true(has_note(&source, "_device"));
    assert_null(strstr(recorder_text(recorder), "operation"));
    recorder_free(recorder);
    write_small();
    remove_folder("ops/Add");
    recorder = read_small(&source); /* all that is left is the run with device profiling */
    assert_int_equal(recorder->losses.rows, 10);
    assert_null(strstr(recorder_text(recorder), "host 0"));
    assert_non_null(strstr(recorder_text(recorder), "operation 0 | Add | 0..2000 "));
    recorder_free(recorder);
}

/* A row that was cut off, or that comes twice: its logs are drawn and counted once. */
static void test_logs_are_read_once(void **state)
{
    static const char first[] = "Add, 5000, 7000, 2000, 1, 1, 1, , , , , , , tt_dnn_device\n";
    static const char second[] = "Add, 8000, 9000, 1000, 2, 2, 1, " TENSOR;
    static const char *const ends[] = {
        "", /* mended by the other run */
        ", , , , , , tt_dnn_device\nAdd, 5000, 7000, 2000, 1, 1, 1, , , , , , , tt_dnn_device\n", /* the first again */
    };
    struct source source;
    struct recorder *recorder;
    char text[2048];

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        const char *drawn;

        write_small();
        snprintf(text, sizeof text, OP_HEAD "%s%s%s", first, second, ends[i % 2]);
        write_file("ops/Add/profile_log_host.csv", text);
        if (i == 2) /* the other run does not know the call that was cut off */
            write_file("ops_device/Add/profile_log_host.csv",
                       OP_HEAD "Add, 1, 2, 1, 1, 1, 1, , , , , , , tt_dnn_device\n");
        recorder = read_small(&source);
        drawn = strstr(recorder_text(recorder), "risc 0 | BRISC-FW | 1000..3400 | - | run_host_id=1\n");
        assert_non_null(drawn);
        assert_null(strstr(drawn + 1, "risc 0 | BRISC-FW | 1000..3400"));
        assert_non_null(strstr(drawn, "risc 0 | BRISC-FW | 13000..15400 | - | run_host_id=2\n"));
        drawn = strstr(recorder_text(recorder), "call 0 | Launch | 5100..5400");
        assert_non_null(drawn);
        assert_null(strstr(drawn + 1, "call 0 | Launch"));
        assert_int_equal(recorder->losses.used, (i == 1 ? 3 : 2) + 2 + 8);
        assert_int_equal(recorder->losses.rows, recorder->losses.used);
        assert_int_equal(lost_for(recorder, &loss_repeated_id), i == 1);
        recorder_free(recorder);
    }
}

static void check_strict_at(const char *where)
{
    struct recorder *recorder = recorder_new();
    struct source source;
    char expected[600];

    snprintf(expected, sizeof expected, "%s", file_at(where));
    assert_int_equal(read_folder(recorder, file_at("ops"), true, &source), STATUS_INPUT);
    if (strncmp(status_message(), expected, strlen(expected)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", status_message(), expected);
    status_clear();
    recorder_free(recorder);
}

static void test_strict(void **state)
{
    struct recorder *recorder;
    struct source source;

    (void)state;
    write_small();
    recorder = recorder_new();
    assert_int_equal(read_folder(recorder, file_at("ops"), true, &source), STATUS_OK);
    recorder_free(recorder);
    write_file("ops_device/Add/2/profile_log_device.csv", HEAD DEVICE_ROWS "0,0,0,BRISC,4,rubbish\n");
    check_strict_at("ops_device/Add/2/profile_log_device.csv:7:");
    write_small();
    write_file("ops/Add/1/profile_log_host.csv", CALL_HEAD "Launch, 5100, 5400, 300\nLaunch, 5100, 5400, x\n");
    check_strict_at("ops/Add/1/profile_log_host.csv:3:21: ");
    write_small();
    write_file("ops/Other/profile_log_host.csv", "rubbish\n");
    check_strict_at("ops/Other/profile_log_host.csv: ");
    write_small();
    write_file("ops_device/Add/3/profile_log_device.csv", HEAD DEVICE_ROWS);
    check_strict_at("ops_device/Add/3: ");
}

static void test_folders_are_recognised(void **state)
{
    (void)state;
    write_small();
    assert_int_equal(tt_ops_folder_reader.probe_folder(file_at("ops")), 90);
    assert_int_equal(tt_ops_folder_reader.probe_folder(file_at("ops_device")), 90);
    remove_folder("ops/Add");
    assert_int_equal(tt_ops_folder_reader.probe_folder(file_at("ops")), 90); /* its twin has the logs */
    remove_folder("ops_device");
    assert_int_equal(tt_ops_folder_reader.probe_folder(file_at("ops")), 0);
    write_file("ops/a/b/c/profile_log_host.csv", OP_HEAD);
    assert_int_equal(tt_ops_folder_reader.probe_folder(file_at("ops")),
                     40); /* an op whose name has slashes, or a folder above */
    write_file("ops/a/b/c/profile_log_host.csv", CALL_HEAD);
    assert_int_equal(tt_ops_folder_reader.probe_folder(file_at("ops")), 0);
    write_file("ops/a/b/c/profile_log_host.csv", "");
    assert_int_equal(tt_ops_folder_reader.probe_folder(file_at("ops")), 0);
    assert_int_equal(tt_ops_folder_reader.probe_folder(file_at("nothing")), 0);
    assert_int_equal(tt_ops_folder_reader.probe_folder(""), 0);
}

static void test_every_allocation_may_fail(void **state)
{
    bool done = false;

    (void)state;
    write_small();
    for (uint64_t nth = 1; nth < 2000 && !done; nth++) {
        struct recorder *recorder = recorder_new();
        struct source source;
        status code;

        memory_fail_at(nth);
        code = read_folder(recorder, file_at("ops"), false, &source);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        done = code == STATUS_OK;
        recorder_free(recorder);
    }
    assert_true(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spans_go_from_the_first_start_to_the_last_end),
        cmocka_unit_test(test_halves_go_to_the_even_neighbour),
        cmocka_unit_test(test_an_end_before_its_start_is_no_duration),
        cmocka_unit_test(test_sums_are_averaged_and_are_no_times),
        cmocka_unit_test(test_chips_are_kept_apart),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_bad_rows_are_counted),
        cmocka_unit_test(test_newer_logs_are_measured),
        cmocka_unit_test(test_logs_without_markers),
        cmocka_unit_test(test_number_sets),
        cmocka_unit_test(test_a_timeline_has_all_that_has_a_time),
        cmocka_unit_test(test_the_chip_and_its_operations_share_a_clock),
        cmocka_unit_test(test_logs_of_two_clocks_are_drawn_apart),
        cmocka_unit_test(test_rows_of_a_report),
        cmocka_unit_test(test_odd_values_are_marked),
        cmocka_unit_test(test_what_is_missing),
        cmocka_unit_test(test_logs_are_read_once),
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_folders_are_recognised),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, make_place, remove_place);
}
