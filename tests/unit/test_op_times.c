/* test_op_times.c: the device columns of each op against the general analysis of device logs, and waits between ops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recorder.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_analysis.h"
#include "tenstorrent/op_gaps.h"
#include "tenstorrent/op_times.h"

#define HEAD                                                                                                           \
    "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\nPCIe slot, core_x, core_y, RISC processor type, " \
    "timer_id, "                                                                                                       \
    "time[cycles since reset], data, run host ID, trace id, trace id counter, zone name, type, source line, source "   \
    "file, meta data\n"

struct measured {
    struct strings *strings;
    struct marker_log log;
    struct op_times_list times;
};

static void read_input(struct measured *made, struct input *input)
{
    struct source source = { .input = input };

    *made = (struct measured){ .strings = model_strings() };
    assert_non_null(made->strings);
    marker_log_start(&made->log, made->strings);
    assert_int_equal(tenstorrent_calls(&tt_device_reader)->markers(&source, &made->log), STATUS_OK);
    input_close(input);
    assert_int_equal(op_times_of_log(&made->times, &made->log), STATUS_OK);
}

static void measure(struct measured *made, const char *text)
{
    struct input *input;

    assert_int_equal(input_open_memory("log.csv", text, strlen(text), &input), STATUS_OK);
    read_input(made, input);
}

static void done(struct measured *made)
{
    op_times_free(&made->times);
    marker_log_free(&made->log);
    strings_free(made->strings);
}

/* ---- Against the analyses of device.h ---- */

static void check_span(const struct measured *made, const struct device_chip_results *results, uint32_t op,
                       unsigned analysis, const struct op_times *times, enum op_time column)
{
    int64_t cycles, wanted = OP_NONE;

    if (results->op_column[analysis] < DEVICE_ANALYSES &&
        device_op_duration(&results->op_values[(size_t)op * results->op_count + results->op_column[analysis]], &cycles))
        wanted = marker_log_ns(&made->log, cycles, 1);
    assert_int_equal(times->values[column], wanted);
}

static void check_op(const struct measured *made, const struct device_results *all,
                     const struct device_chip_results *results, uint32_t op, const struct op_times *times)
{
    static const struct {
        const char *analysis;
        enum op_time column;
    } spans[] = {
        { "device_fw_duration", OP_TIME_FW },
        { "device_kernel_duration", OP_TIME_KERNEL },
        { "device_kernel_duration_dm_start", OP_TIME_KERNEL_DM },
        { "device_kernel_first_to_last_start", OP_TIME_FIRST_TO_LAST },
        { "device_brisc_kernel_duration", OP_TIME_BRISC },
        { "device_ncrisc_kernel_duration", OP_TIME_NCRISC },
        { "device_trisc0_kernel_duration", OP_TIME_TRISC0 },
        { "device_trisc1_kernel_duration", OP_TIME_TRISC1 },
        { "device_trisc2_kernel_duration", OP_TIME_TRISC2 },
        { "device_erisc_kernel_duration", OP_TIME_ERISC },
        { "device_compute_cb_wait_front", OP_TIME_WAIT_FRONT },
        { "device_compute_cb_reserve_back", OP_TIME_RESERVE_BACK },
    };
    unsigned found = 0;

    for (unsigned a = 0; a < all->setup->count; a++) {
        for (unsigned i = 0; i < sizeof spans / sizeof *spans; i++) {
            if (strcmp(all->setup->analyses[a].name, spans[i].analysis) == 0) {
                check_span(made, results, op, a, times, spans[i].column);
                found++;
            }
        }
        if (strcmp(all->setup->analyses[a].name, "device_kernel_duration_per_core") == 0 && results->op_core_count) {
            const struct device_statistics *cores =
                &results->op_cores[(size_t)op * results->op_core_count + results->op_core_column[a]];

            bool any = cores->count > 0;

            assert_int_equal(times->values[OP_TIME_CORE_MIN], any ? marker_log_ns(&made->log, cores->min, 1) : OP_NONE);
            assert_int_equal(times->values[OP_TIME_CORE_MAX], any ? marker_log_ns(&made->log, cores->max, 1) : OP_NONE);
            assert_int_equal(times->values[OP_TIME_CORE_AVERAGE],
                             any ? marker_log_ns(&made->log, cores->sum, cores->count) : OP_NONE);
        }
    }
    assert_int_equal(found, sizeof spans / sizeof *spans);
}

static void compare_with_analyses(const struct measured *made)
{
    struct device_results results = { .chips = NULL };
    struct device_setup setup;
    size_t next = 0;

    assert_int_equal(device_setup_named(&setup, "default_setup", &made->log), STATUS_OK);
    assert_int_equal(device_analyze(&results, &made->log, &setup, false), STATUS_OK);
    for (size_t c = 0; c < results.chip_count; c++) {
        const struct device_chip_results *chip = &results.chips[c];

        assert_true(chip->has_ops);
        for (size_t i = 0; i < chip->ops.count; i++) {
            uint32_t op = chip->ops.by_start[i];

            if (chip->ops.ops[op].first == INT64_MAX)
                continue;
            assert_true(next < made->times.count);
            check_op(made, &results, chip, op, &made->times.items[next++]);
        }
    }
    assert_int_equal(next, made->times.count);
    device_results_free(&results);
    device_setup_free(&setup);
}

static void test_columns_are_those_of_the_analyses(void **state)
{
    static const char *const names[] = { "tt-device/fifteen/add_two_ints.csv",
                                         "tt-device/fifteen/multi_core_multi_launch.csv",
                                         "tt-device/fifteen/grayskull_new_header.csv.gz",
                                         "tt-tracy-ops/full/profile_log_device.csv" };

    (void)state;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        struct measured made;
        struct input *input;

        assert_int_equal(input_open(data_path(names[i]), &input), STATUS_OK);
        read_input(&made, input);
        assert_true(made.times.count >= 2);
        compare_with_analyses(&made);
        done(&made);
    }
}

static uint32_t random_state = 12345;

static unsigned random_below(unsigned limit)
{
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 8) % limit;
}

/* Whatever markers there are, in whatever order: both count the same. */
static void test_any_markers_give_the_same_in_both(void **state)
{
    static const char *const riscs[] = { "BRISC", "NCRISC", "TRISC_0", "TRISC_2", "ERISC" };
    static const char *const zones[] = { "BRISC", "NCRISC", "TRISC", "TRISC", "ERISC" };
    static char text[64 * 1024];

    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        size_t length = (size_t)snprintf(text, sizeof text, HEAD);
        struct measured made;

        for (unsigned i = 0; i < 5 + random_below(60); i++) {
            unsigned risc = random_below(5);

            length += (size_t)snprintf(
                text + length, sizeof text - length, "%u,%u,1,%s,7,%u,%u,%u,,,%s%s,%s,1,a.cc,\n", random_below(2),
                1 + random_below(3), riscs[risc], 1000 + random_below(400), random_below(9), 1024 * random_below(3),
                zones[risc], random_below(2) ? "-FW" : "-KERNEL", random_below(2) ? "ZONE_START" : "ZONE_END");
        }
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "0,1,1,TRISC_0,9,1500,%u,1024,,,CB-COMPUTE-WAIT-FRONT,ZONE_TOTAL,1,a.cc,\n",
                                   random_below(90));
        measure(&made, text);
        compare_with_analyses(&made);
        done(&made);
    }
}

/* ---- Single columns ---- */

static void test_what_a_row_says_beside_its_times(void **state)
{
    struct measured made;
    const struct op_times *times;

    (void)state;
    measure(
        &made, HEAD
        "3,1,1,BRISC,1,100,0,1027,5,2,BRISC-FW,ZONE_START,1,a.cc,{\"sub_device_id\":4;\"sub_device_manager_id\":7}\n"
        "3,1,1,BRISC,1,200,0,1027,5,2,BRISC-FW,ZONE_END,1,a.cc,\n"
        "3,2,1,NCRISC,1,150,0,1027,5,2,NCRISC-FW,ZONE_START,1,a.cc,\n"
        "3,2,1,NCRISC,1,180,0,1027,5,2,NCRISC-FW,ZONE_END,1,a.cc,\n");
    assert_int_equal(made.times.count, 1);
    times = &made.times.items[0];
    assert_int_equal(times->device, 3);
    assert_int_equal(times->call, 1027);
    assert_int_equal(times->trace, 5);
    assert_int_equal(times->replay, 2);
    assert_int_equal(times->cores, 2);
    assert_int_equal(times->worker_cores, 64);
    assert_int_equal(times->sub_device, 4);
    assert_string_equal(strings_text(made.strings, times->architecture), "wormhole_b0");
    assert_int_equal(times->values[OP_TIME_FW], 100);
    assert_int_equal(times->values[OP_TIME_KERNEL], OP_NONE);
    assert_int_equal(times->values[OP_TIME_LATENCY], OP_NONE);
    done(&made);
}

static void test_latency_is_by_device_and_may_be_negative(void **state)
{
    struct measured made;

    (void)state;
    measure(&made, HEAD "0,1,1,BRISC,1,100,0,1024,,,BRISC-KERNEL,ZONE_START,1,a.cc,\n0,1,1,BRISC,1,200,0,1024,,,BRISC-"
                        "KERNEL,ZONE_END,1,a.cc,\n"
                        "1,1,1,BRISC,1,500,0,1025,,,BRISC-KERNEL,ZONE_START,1,a.cc,\n1,1,1,BRISC,1,600,0,1025,,,BRISC-"
                        "KERNEL,ZONE_END,1,a.cc,\n"
                        "0,2,1,BRISC,1,150,0,2048,,,BRISC-KERNEL,ZONE_START,1,a.cc,\n0,2,1,BRISC,1,250,0,2048,,,BRISC-"
                        "KERNEL,ZONE_END,1,a.cc,\n");
    assert_int_equal(made.times.count, 3);
    assert_int_equal(made.times.items[0].values[OP_TIME_LATENCY], 0);
    assert_int_equal(made.times.items[1].values[OP_TIME_LATENCY], -50);
    assert_int_equal(made.times.items[2].values[OP_TIME_LATENCY], 0);
    done(&made);
}

static void test_commands_of_the_queue_belong_to_the_op_they_name(void **state)
{
    struct measured made;

    (void)state;
    measure(
        &made, HEAD
        "0,1,1,BRISC,1,100,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,\n0,1,1,BRISC,1,200,0,1024,,,BRISC-FW,ZONE_END,1,a.cc,\n"
        "0,9,9,BRISC,2,40,0,0,,,CQ-DISPATCH,ZONE_START,1,d.cc,\n"
        "0,9,9,BRISC,3,50,0,0,,,CQ_DISPATCH_CMD_WRITE,ZONE_START,1,d.cc,{'workers_runtime_id':1024}\n"
        "0,9,9,BRISC,3,80,0,0,,,CQ_DISPATCH_CMD_WRITE,ZONE_END,1,d.cc,\n"
        "0,9,9,NCRISC,4,85,0,0,,,CQ_DISPATCH_CMD_SEND_GO_SIGNAL,ZONE_START,1,d.cc,{\"workers_runtime_id\":1024}\n"
        "0,9,9,NCRISC,4,90,0,0,,,CQ_DISPATCH_CMD_SEND_GO_SIGNAL,ZONE_END,1,d.cc,\n");
    assert_int_equal(made.times.count, 1);
    assert_int_equal(made.times.items[0].values[OP_TIME_DISPATCH], 30);
    assert_int_equal(made.times.items[0].values[OP_TIME_DISPATCH_GO], 5);
    assert_int_equal(made.times.items[0].cores, 1);
    done(&made);
}

static void test_a_log_without_programs_counts_its_ops(void **state)
{
    struct measured made;

    (void)state;
    measure(&made, "ARCH: grayskull, CHIP_FREQ[MHz]: 1000\nPCIe slot, core_x, core_y, RISC processor type, timer_id, "
                   "time[cycles since reset]\n"
                   "0, 0, 0, BRISC, 1, 10\n0, 0, 0, BRISC, 4, 20\n0, 0, 0, BRISC, 1, 30\n0, 0, 0, BRISC, 4, 45\n");
    assert_true(made.times.unnamed);
    assert_int_equal(made.times.count, 2);
    assert_int_equal(made.times.items[0].call, 1);
    assert_int_equal(made.times.items[1].call, 2);
    assert_int_equal(made.times.items[1].values[OP_TIME_FW], 15);
    done(&made);
}

static void test_rounding_is_half_to_even(void **state)
{
    struct marker_log log = { .clock_numerator = 2000, .clock_denominator = 1 };

    (void)state;
    assert_int_equal(marker_log_ns(&log, 1, 1), 0);
    assert_int_equal(marker_log_ns(&log, 3, 1), 2);
    assert_int_equal(marker_log_ns(&log, 5, 1), 2);
    assert_int_equal(marker_log_ns(&log, -3, 1), -2);
    assert_int_equal(marker_log_ns(&log, 7, 2), 2);
    assert_int_equal(marker_log_ns(&log, INT64_MAX, 1), (INT64_MAX - 1) / 2 + 1);
    log.clock_numerator = 0;
    assert_int_equal(marker_log_ns(&log, 1, 1), OP_NONE);
    log.clock_numerator = 1;
    assert_int_equal(marker_log_ns(&log, INT64_MAX / 1000 + 1, 1), OP_NONE);
    assert_int_equal(marker_log_ns(&log, -(INT64_MAX / 1000), 1), -(INT64_MAX / 1000) * 1000);
    log.clock_denominator = UINT64_MAX; /* as many decimals as a user may give */
    assert_int_equal(marker_log_ns(&log, INT64_MAX, 1), OP_NONE);
    assert_int_equal(marker_log_ns(&log, INT64_MIN, 1), OP_NONE);
}

/* ---- Waits ---- */

static void test_a_wait_goes_from_the_last_end_to_the_next_op(void **state)
{
    struct measured made;
    struct op_gaps gaps;

    (void)state;
    measure(&made, HEAD "0,2,1,BRISC,1,10,0,1024,,,BRISC-KERNEL,ZONE_START,1,a.cc,\n0,2,1,BRISC,1,20,0,1024,,,BRISC-"
                        "KERNEL,ZONE_END,1,a.cc,\n"
                        "0,2,1,NCRISC,1,22,0,1024,,,NCRISC-KERNEL,ZONE_START,1,a.cc,\n0,2,1,NCRISC,1,30,0,1024,,,"
                        "NCRISC-KERNEL,ZONE_END,1,a.cc,\n"
                        "0,2,1,TRISC_0,1,40,0,2048,,,TRISC-KERNEL,ZONE_START,1,a.cc,\n"
                        "0,2,1,BRISC,1,90,0,2048,,,BRISC-KERNEL,ZONE_START,1,a.cc,\n0,2,1,BRISC,1,99,0,2048,,,BRISC-"
                        "KERNEL,ZONE_END,1,a.cc,\n"
                        "0,2,1,TRISC_0,1,95,0,2048,,,TRISC-KERNEL,ZONE_END,1,a.cc,\n"
                        "0,1,5,BRISC,1,50,0,2048,,,BRISC-KERNEL,ZONE_START,1,a.cc,\n"
                        "0,1,5,BRISC,1,60,0,2048,,,BRISC-KERNEL,ZONE_END,1,a.cc,\n");
    assert_int_equal(op_gaps_of_log(&gaps, &made.log), STATUS_OK);
    assert_int_equal(gaps.count, 1);
    assert_int_equal(gaps.items[0].from, 1024);
    assert_int_equal(gaps.items[0].to, 2048);
    assert_int_equal(gaps.items[0].ns, 60);
    assert_int_equal(gaps.items[0].x, 2);
    assert_int_equal(gaps.core_count, 2);
    assert_int_equal(gaps.cores[0].x, 1);
    op_gaps_free(&gaps);
    done(&made);
}

/* Two chips with two ops each: both number their ops through. */
/* The end of the kernel that ended last was lost: when it did is not known, and neither is its kernel. */
static void test_a_wait_after_a_lost_end_is_not_known(void **state)
{
    struct measured made;
    struct op_gaps gaps;

    (void)state;
    measure(&made, HEAD "0,2,1,BRISC,1,10,0,1024,,,BRISC-KERNEL,ZONE_START,1,a.cc,\n"
                        "0,2,1,BRISC,1,20,0,1024,,,BRISC-KERNEL,ZONE_END,1,a.cc,\n"
                        "0,2,1,NCRISC,1,22,0,1024,,,NCRISC-KERNEL,ZONE_START,1,a.cc,\n"
                        "0,2,1,BRISC,1,90,0,2048,,,BRISC-KERNEL,ZONE_START,1,a.cc,\n"
                        "0,2,1,BRISC,1,99,0,2048,,,BRISC-KERNEL,ZONE_END,1,a.cc,\n");
    assert_int_equal(op_gaps_of_log(&gaps, &made.log), STATUS_OK);
    assert_int_equal(gaps.count, 0);
    assert_int_equal(made.times.items[0].values[OP_TIME_KERNEL], OP_NONE);
    assert_int_equal(made.times.items[0].values[OP_TIME_NCRISC], OP_NONE);
    assert_int_equal(made.times.items[0].values[OP_TIME_BRISC], 10);
    assert_int_equal(made.times.items[0].values[OP_TIME_LATENCY], 0);
    assert_int_equal(made.times.items[0].unknown, 3);
    assert_int_equal(made.times.items[1].values[OP_TIME_KERNEL], 9);
    assert_int_equal(made.times.items[1].values[OP_TIME_LATENCY], OP_NONE);
    assert_int_equal(made.times.items[1].unknown, 0);
    op_gaps_free(&gaps);
    done(&made);
}

static void test_waits_and_ops_have_the_same_numbers(void **state)
{
    struct measured made;
    struct op_gaps gaps;
    char text[2048];
    size_t length = (size_t)snprintf(text, sizeof text, "ARCH: grayskull, CHIP_FREQ[MHz]: 1000\n");

    (void)state;
    for (int chip = 0; chip < 2; chip++)
        for (int op = 0; op < 2; op++)
            for (int id = 1; id <= 4; id++)
                length += (size_t)snprintf(text + length, sizeof text - length, "%d, 0, 0, BRISC, %d, %d\n", chip, id,
                                           1000 * op + 10 * id);
    measure(&made, text);
    assert_int_equal(op_gaps_of_log(&gaps, &made.log), STATUS_OK);
    assert_int_equal(made.times.count, 4);
    assert_int_equal(gaps.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(gaps.items[i].device, i);
        assert_int_equal(gaps.items[i].from, made.times.items[2 * i].call);
        assert_int_equal(gaps.items[i].to, made.times.items[2 * i + 1].call);
        assert_int_equal(gaps.items[i].ns, 990);
    }
    op_gaps_free(&gaps);
    done(&made);
}

static void test_out_of_memory_is_told(void **state)
{
    struct measured made;
    struct input *input;
    bool finished = false;

    (void)state;
    assert_int_equal(input_open(data_path("tt-tracy-ops/full/profile_log_device.csv"), &input), STATUS_OK);
    read_input(&made, input);
    for (uint64_t nth = 1; nth < 100 && !finished; nth++) {
        struct op_times_list list = { .items = NULL };
        struct op_gaps gaps = { .items = NULL };
        status code;

        memory_fail_at(nth);
        code = op_times_of_log(&list, &made.log);
        if (code == STATUS_OK)
            code = op_gaps_of_log(&gaps, &made.log);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        finished = code == STATUS_OK;
        op_times_free(&list);
        op_gaps_free(&gaps);
    }
    assert_true(finished);
    done(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_those_of_the_analyses),
        cmocka_unit_test(test_any_markers_give_the_same_in_both),
        cmocka_unit_test(test_what_a_row_says_beside_its_times),
        cmocka_unit_test(test_latency_is_by_device_and_may_be_negative),
        cmocka_unit_test(test_commands_of_the_queue_belong_to_the_op_they_name),
        cmocka_unit_test(test_a_log_without_programs_counts_its_ops),
        cmocka_unit_test(test_rounding_is_half_to_even),
        cmocka_unit_test(test_a_wait_goes_from_the_last_end_to_the_next_op),
        cmocka_unit_test(test_a_wait_after_a_lost_end_is_not_known),
        cmocka_unit_test(test_waits_and_ops_have_the_same_numbers),
        cmocka_unit_test(test_out_of_memory_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
