/* test_device_analysis.c: tests of the device analysis: how endpoints match, what each type measures, statistics, setups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <math.h>
#include <cmocka.h>

#include "job/job.h"
#include "recorder.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_analysis.h"
#include "tenstorrent/original/device_files.h"

#define SIX                                                                                                         \
    "ARCH: grayskull, CHIP_FREQ[MHz]: 1000\nPCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles " \
    "since "                                                                                                        \
    "reset]\n"

struct analysed {
    struct strings *strings;
    struct marker_log log;
    struct device_setup setup;
    struct device_results results;
    status code;
};

static void read_log(struct analysed *made, const char *text)
{
    struct source source = { .path = "log.csv" };

    *made = (struct analysed){ .strings = model_strings() };
    assert_non_null(made->strings);
    marker_log_start(&made->log, made->strings);
    assert_int_equal(input_open_memory("log.csv", text, strlen(text), &source.input), STATUS_OK);
    assert_int_equal(tenstorrent_calls(&tt_device_reader)->markers(&source, &made->log), STATUS_OK);
    input_close(source.input);
}

/* Runs `setup`, JSON, over a log. */
static void analyse(struct analysed *made, const char *text, const char *setup)
{
    read_log(made, text);
    made->code = device_setup_parse(&made->setup, "setup.json", (struct text){ setup, strlen(setup) }, &made->log);
    if (made->code == STATUS_OK)
        made->code = device_analyze(&made->results, &made->log, &made->setup, false);
}

static void end(struct analysed *made)
{
    device_results_free(&made->results);
    device_setup_free(&made->setup);
    marker_log_free(&made->log);
    strings_free(made->strings);
}

#define ONE(across, type, start, end)                                                                                 \
    "{\"defaults\":false,\"timerAnalysis\":{\"it\":{\"across\":\"" across "\",\"type\":\"" type "\",\"start\":" start \
    ",\"end\":" end "}}}"
#define AT(risc, id) "{\"risc\":\"" risc "\",\"timerID\":" #id "}"

static struct device_statistics summary_of(const char *text, const char *setup)
{
    struct device_statistics found;
    struct analysed made;

    analyse(&made, text, setup);
    assert_int_equal(made.code, STATUS_OK);
    found = made.results.chips[0].summary[0];
    end(&made);
    return found;
}

static const char pairs[] =
    SIX "0, 0, 0, BRISC, 5, 10\n0, 0, 0, BRISC, 5, 20\n0, 0, 0, BRISC, 6, 50\n0, 0, 0, BRISC, 6, "
        "60\n0, 0, 0, BRISC, 5, 70\n0, 0, 0, BRISC, 6, 75\n";

static void test_adjacent_takes_the_last_start_and_the_first_end(void **state)
{
    struct device_statistics found = summary_of(pairs, ONE("core", "adjacent", AT("BRISC", 5), AT("BRISC", 6)));

    (void)state;
    assert_int_equal(found.count, 2);
    assert_int_equal(found.max, 30);
    assert_int_equal(found.min, 5);
    assert_int_equal(found.sum, 35);
    /* A marker that ends one does not begin the next. */
    found = summary_of(pairs, ONE("core", "adjacent", AT("ANY", 5), AT("ANY", 5)));
    assert_int_equal(found.count, 1);
    assert_int_equal(found.max, 10);
}

static void test_first_and_last(void **state)
{
    struct device_statistics found =
        summary_of(pairs, ONE("core", "session_first_last", AT("BRISC", 5), AT("BRISC", 6)));

    (void)state;
    assert_int_equal(found.count, 1);
    assert_int_equal(found.max, 65);
    assert_int_equal(summary_of(pairs, ONE("device", "session_first_last", AT("BRISC", 5), AT("BRISC", 6))).max, 65);
    /* One marker is no duration, two at the same time are. */
    assert_int_equal(
        summary_of(SIX "0, 0, 0, BRISC, 5, 10\n", ONE("device", "session_first_last", AT("ANY", 5), AT("ANY", 5)))
            .count,
        0);
    assert_int_equal(summary_of(SIX "0, 0, 0, BRISC, 5, 10\n0, 0, 0, BRISC, 5, 10\n",
                                ONE("device", "session_first_last", AT("ANY", 5), AT("ANY", 5)))
                         .count,
                     1);
    assert_int_equal(summary_of(SIX "0, 0, 0, BRISC, 5, 10\n0, 0, 1, BRISC, 6, 9\n",
                                ONE("device", "session_first_last", AT("ANY", 5), AT("ANY", 6)))
                         .count,
                     0);
}

static void test_launches(void **state)
{
    static const char text[] =
        SIX "0, 0, 0, NCRISC, 4, 5\n0, 0, 0, BRISC, 1, 10\n0, 0, 0, NCRISC, 1, 12\n0, 0, 0, BRISC, 4, "
            "30\n0, 0, 0, NCRISC, 4, 40\n0, 0, 0, BRISC, 1, 110\n"
            "0, 0, 0, BRISC, 4, 125\n0, 0, 0, BRISC, 1, 210\n";
    struct device_statistics found = summary_of(text, ONE("core", "launch_first_last", AT("ANY", 1), AT("ANY", 4)));

    (void)state;
    assert_int_equal(found.count, 2);
    assert_int_equal(found.max, 30);
    assert_int_equal(found.min, 15);
}

static void test_t0(void **state)
{
    static const char text[] =
        SIX "0, 0, 0, NCRISC, 1, 50\n0, 0, 0, BRISC, 1, 70\n1, 0, 0, BRISC, 1, 5\n1, 0, 0, BRISC, 1, 8\n";
    struct analysed made;

    (void)state;
    analyse(&made, text, ONE("core", "adjacent", AT("BRISC", 0), AT("BRISC", 1)));
    assert_int_equal(made.code, STATUS_OK);
    assert_int_equal(made.results.chip_count, 2);
    assert_int_equal(made.results.chips[0].summary[0].max, 20);
    assert_int_equal(made.results.chips[1].summary[0].max, 0);
    end(&made);
}

static void test_sums(void **state)
{
    static const char text[] = SIX
        "0, 0, 0, TRISC_0, 1, 50\n0, 0, 0, TRISC_0, 3000, 7\n0, 0, 0, TRISC_0, 3000, 9\n0, 1, 0, TRISC_0, 3000, 100\n";
    struct device_statistics found =
        summary_of(text, "{\"defaults\":false,\"timerAnalysis\":{\"it\":{\"across\":\"core\","
                         "\"type\":\"sum\",\"marker\":{\"risc\":\"TRISC_0\",\"timerID\":3000}}}}");

    (void)state;
    assert_int_equal(found.count, 3);
    assert_int_equal(found.sum, 116);
    assert_true(found.median == (8.0 + 100.0) / 2); /* of the medians of the cores */
}

static int compare(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

    return (a > b) - (a < b);
}

static void test_statistics_equal_a_naive_version(void **state)
{
    static int64_t samples[3000], sorted[3000];
    unsigned random = 7;

    (void)state;
    for (size_t count = 1; count < 3000; count = count < 60 ? count + 1 : count * 3 / 2) {
        struct device_statistics found;
        double median, sum = 0;

        for (size_t i = 0; i < count; i++) {
            random = random * 1103515245u + 12345u;
            samples[i] = count % 3 == 0   ? (int64_t)(count - i)
                         : count % 3 == 1 ? (int64_t)((random >> 8) % 50)
                                          : (int64_t)(random >> 3);
            sum += (double)samples[i];
        }
        memcpy(sorted, samples, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare);
        median =
            count % 2 ? (double)sorted[count / 2] : ((double)sorted[count / 2 - 1] + (double)sorted[count / 2]) / 2;
        found = device_statistics_of(samples, count);
        assert_int_equal(found.count, count);
        assert_true(found.median == median);
        assert_true(found.average == sum / (double)count);
        assert_int_equal(found.min, sorted[0]);
        assert_int_equal(found.max, sorted[count - 1]);
    }
    assert_int_equal(device_statistics_of(samples, 0).count, 0);
    samples[0] = samples[1] = INT64_MAX;
    assert_true(device_statistics_of(samples, 2).sum == INT64_MAX);
}

static void test_built_in_setups(void **state)
{
    static const char *const names[] = { "default_setup", "test_matmul_multi_core_multi_dram_in0_mcast_in1_mcast",
                                         "test_full_buffer", "test_timestamped_events" };
    static const unsigned more[2][4] = { { 0, 4, 1, 0 }, { 0, 0, 2, 2 } };
    static const char zones[] = "ARCH: x, CHIP_FREQ[MHz]: 1\n0,1,1,BRISC,7,1000,0,1024,,,BRISC-FW,ZONE_START,5,a.cc,\n";

    (void)state;
    for (unsigned form = 0; form < 2; form++) {
        unsigned usual = 0;

        for (unsigned i = 0; i < 4; i++) {
            struct analysed made;

            read_log(&made, form ? zones : pairs);
            assert_int_equal(device_setup_named(&made.setup, names[i], &made.log), STATUS_OK);
            if (i == 0)
                usual = made.setup.count;
            assert_int_equal(made.setup.count, usual + more[form][i]);
            assert_int_equal(made.setup.detect_ops, form == 1 && more[form][i] == 0);
            assert_int_equal(made.setup.shown_count, form ? 7 : 5);
            end(&made);
        }
        assert_int_equal(usual, form ? 21 : 11);
    }
}

static void test_setups_that_are_wrong(void **state)
{
    static const char *const wrong[][2] = {
        { "{", "setup.json:1" },
        { "[]", "no object \"timerAnalysis\"" },
        { "{\"timerAnalysis\":{\"it\":5}}", "\"across\" is core, device, ops or dispatch_ops, not nothing" },
        { "{\"timerAnalysis\":{\"it\":{\"across\":\"core\"}}}", "\"it\": there is no type" },
        { ONE("core", "adjacent", "{\"risk\":\"BRISC\"}", AT("ANY", 1)), "no such key: risk" },
        { ONE("core", "adjacent", "{\"risc\":[\"BRISC\"]}", AT("ANY", 1)), "are texts" },
        { ONE("core", "adjacent", "{\"zone_phase\":1}", AT("ANY", 1)), "are texts" },
        { "{\"timerAnalysis\":{\"it\":{\"across\":\"core\",\"type\":\"adjacent\",\"from\":1}}}", "no such key: from" },
        { ONE("core", "nearby", AT("ANY", 1), AT("ANY", 1)), "no type nearby" },
        { ONE("ops", "adjacent", AT("ANY", 1), AT("ANY", 1)), "does not go across ops" },
        { ONE("core", "adjacent", "{\"core\":7}", AT("ANY", 1)), "\"core\" is" },
        { ONE("core", "adjacent", "{\"zone_name\":[]}", AT("ANY", 1)), "zone_name" },
        { ONE("core", "adjacent", "{\"zone_phase\":\"middle\"}", AT("ANY", 1)), "no zone_phase middle" },
        { "{\"timerAnalysis\":{},\"displayStats\":[\"Mode\"]}", "no such statistic: Mode" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct analysed made;

        analyse(&made, pairs, wrong[i][0]);
        assert_int_equal(made.code, STATUS_INPUT);
        assert_non_null(strstr(status_message(), wrong[i][1]));
        end(&made);
    }
}

static void test_a_star_means_a_part_of_the_name(void **state)
{
    static const char text[] =
        "ARCH: x, CHIP_FREQ[MHz]: "
        "1\n0,1,1,BRISC,7,10,0,1,,,MY_ZONE_A,ZONE_START,5,a.cc,\n0,1,1,BRISC,7,17,0,1,,,MY_ZONE_B,ZONE_END,5,a.cc,\n"
        "0,1,1,BRISC,7,20,0,1,,,ZONE,ZONE_END,5,a.cc,\n";

    (void)state;
    assert_int_equal(
        summary_of(text, ONE("ops", "op_first_last", "{\"zone_name\":\"ZONE_*\"}", "{\"zone_name\":\"ZONE_*\"}")).max,
        7);
    assert_int_equal(summary_of(text, ONE("ops", "op_first_last", "{\"zone_name\":\"MY_ZONE_A\"}",
                                          "{\"zone_name\":[\"X\",\"ZONE\"],\"zone_phase\":\"ZONE_END\"}"))
                         .max,
                     10);
    assert_int_equal(
        summary_of(text, ONE("ops", "op_first_last", "{\"zone_name\":\"MY_ZONE\"}", "{\"zone_name\":\"ZONE\"}")).count,
        0);
}

/* Runs the verb on a log, with one more option, into a folder of its own. */
static status run_verb(const char *option, const char *value, const char *folder)
{
    struct output *output;
    struct job job;
    status code = job_start(&job, &device_verb);

    if (code == STATUS_OK)
        code = job_input(&job, data_path("tt-device/fifteen/add_two_ints.csv"));
    if (code == STATUS_OK)
        code = job_option(&job, "output-folder", folder);
    if (code == STATUS_OK)
        code = job_option(&job, option, value);
    if (code == STATUS_OK)
        code = job_run(&job);
    if (code == STATUS_OK && (code = output_open_memory(&output)) == STATUS_OK) {
        code = job_write_json(&job, output);
        output_abandon(output);
    }
    job_free(&job);
    return code;
}

static void remove_files(const char *folder)
{
    static const char *const names[] = { DEVICE_STATS_FILE, DEVICE_REARRANGED_FILE, DEVICE_ANALYSIS_FILE,
                                         DEVICE_CHROME_FILE, "device_perf_results.tar" };
    char path[512];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* Reading, analysing and writing: an allocation that fails ends in its status, and leaves nothing behind. */
static void test_every_allocation_may_fail(void **state)
{
    static const char *const given[][2] = { { "no-plots", NULL }, { "table", "cores" }, { "table", "ops" } };

    (void)state;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char folder[] = "/tmp/test_device_XXXXXX";
        status code = STATUS_MEMORY;

        assert_non_null(mkdtemp(folder));
        for (uint64_t nth = 1; code != STATUS_OK; nth += 1 + nth / 60) {
            assert_true(nth < 20000);
            memory_fail_at(nth);
            code = run_verb(given[i][0], given[i][1], folder);
            memory_fail_at(0);
            assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        }
        remove_files(folder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adjacent_takes_the_last_start_and_the_first_end),
        cmocka_unit_test(test_first_and_last),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_t0),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_statistics_equal_a_naive_version),
        cmocka_unit_test(test_built_in_setups),
        cmocka_unit_test(test_setups_that_are_wrong),
        cmocka_unit_test(test_a_star_means_a_part_of_the_name),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
