/* test_tt_device.c: tests of the reader of Tenstorrent's device logs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recorder.h"
#include "tenstorrent/chain.h"

#define SIX                                                                                                         \
    "ARCH: grayskull, CHIP_FREQ[MHz]: 1000\nPCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles " \
    "since "                                                                                                        \
    "reset]\n"
#define FIFTEEN                                                                                                        \
    "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\nPCIe slot, core_x, core_y, RISC processor type, " \
    "timer_id, time[cycles since reset], "                                                                             \
    "data, run host ID, trace id, trace id counter, zone name, type, source line, source file, meta data\n"

static const struct reading_case usual = { .reader = &tt_device_reader };

static struct recorder *read_text(const char *text, struct source *source)
{
    return read_bytes(&usual, text, strlen(text), source);
}

static const struct track *find_track(const struct recorder *recorder, const char *name)
{
    for (unsigned i = 0; i < recorder->track_count; i++)
        if (strcmp(strings_text(recorder->strings, recorder->tracks[i].name), name) == 0)
            return &recorder->tracks[i];
    return NULL;
}

static void test_zones_of_six_columns(void **state)
{
    struct source source;
    struct recorder *recorder = read_text(
        SIX "0, 1, 2, BRISC, 1, 1000\n0, 1, 2, BRISC, 2, 1010\n0, 1, 2, BRISC, 3, 1090\n0, 1, 2, BRISC, 4, 1100\n",
        &source);
    const struct track *risc = find_track(recorder, "BRISC"), *core = find_track(recorder, "core 1, 2"),
                       *chip = find_track(recorder, "chip 0");

    (void)state;
    assert_non_null(strstr(recorder_text(recorder), "BRISC-FW | 1000..1100"));
    assert_non_null(strstr(recorder_text(recorder), "BRISC-KERNEL | 1010..1090"));
    assert_non_null(risc);
    assert_int_equal(risc->parent, core->id);
    assert_int_equal(core->parent, chip->id);
    assert_int_equal(core->kind, TRACK_GROUP);
    assert_non_null(find_track(recorder, "Active cores"));
    assert_int_equal(recorder->losses.used, 4);
    assert_int_equal(losses_total(&recorder->losses), 0);
    assert_string_equal(source.generation, "G0, G1");
    recorder_free(recorder);
}

static void test_what_lacks_its_other_end(void **state)
{
    struct recorder *recorder = read_text(
        SIX "0, 1, 2, BRISC, 4, 900\n0, 1, 2, BRISC, 1, 1000\n0, 1, 2, BRISC, 2, 1010\n0, 1, 2, BRISC, 4, 1100\n"
            "0, 1, 2, BRISC, 1, 2000\n0, 1, 2, BRISC, 7, 2010\n0, 1, 2, BRISC, 1, 3000\n0, 1, 2, BRISC, 4, 3100\n",
        NULL);

    (void)state;
    assert_non_null(strstr(recorder_text(recorder), "BRISC-KERNEL | 1010..1100"));
    assert_non_null(strstr(recorder_text(recorder), "BRISC-FW | 2000..2010"));
    assert_non_null(strstr(recorder_text(recorder), "BRISC-FW | 3000..3100"));
    assert_int_equal(lost_for(recorder, &loss_begin_without_end), 2);
    assert_int_equal(lost_for(recorder, &loss_lone_end), 1);
    assert_int_equal(recorder->losses.lost, 0);
    recorder_free(recorder);
}

static void test_rows_of_fifteen_columns(void **state)
{
    struct source source;
    struct recorder *recorder =
        read_text(FIFTEEN "0,1,1,BRISC,7,1000,0,1024,3,2,BRISC-FW,ZONE_START,5,a.cc,\n0,1,1,BRISC,8,"
                          "1500,18446744073709551615,1024,3,2,,TS_DATA,0,,{\"a\":1;\"b\":2}\n"
                          "0,1,1,BRISC,7,2000,0,1024,3,2,BRISC-FW,ZONE_END,5,a.cc,\n",
                  &source);

    (void)state;
    assert_non_null(strstr(recorder_text(recorder), "BRISC-FW | 1000..2000"));
    assert_non_null(strstr(recorder_text(recorder), "op 1024 | 1000..2000"));
    assert_non_null(strstr(recorder_text(recorder), "run_host_id=1024 trace_id=3 trace_replay=2"));
    assert_non_null(strstr(recorder_text(recorder), "a.cc:5"));
    assert_int_equal(recorder->losses.used, 3);
    assert_string_equal(source.generation, "G2 to G5");
    recorder_free(recorder);
}

/* Thirteen columns were two different things: names tell which. */
static void test_columns_are_found_by_name(void **state)
{
    struct recorder *recorder =
        read_text("ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000\nPCIe slot, core_x, core_y, RISC processor "
                  "type, timer_id, time[cycles since reset], stat value, "
                  "Run ID, run host ID, zone name, zone phase, source line, source "
                  "file\n0,1,1,BRISC,7,1000,0,1,2048,BRISC-FW,begin,5,a.cc\n"
                  "0,1,1,BRISC,65543,2000,0,1,2048,BRISC-FW,end,5,a.cc\n",
                  NULL);

    (void)state;
    assert_non_null(strstr(recorder_text(recorder), "op 2048 | 1000..2000"));
    recorder_free(recorder);
}

static void test_rows_in_any_order(void **state)
{
    struct recorder *recorder =
        read_text(SIX "0, 0, 0, BRISC, 4, 1100\n1, 0, 0, BRISC, 1, 50\n0, 0, 0, BRISC, 1, 1000\n1, 0, "
                      "0, BRISC, 4, 60\n0, 0, 0, BRISC, 5, 1050\n",
                  NULL);

    (void)state;
    assert_non_null(strstr(recorder_text(recorder), "BRISC-FW | 1000..1100"));
    assert_non_null(strstr(recorder_text(recorder), "BRISC-FW | 50..60"));
    assert_int_equal(recorder->losses.used, 5);
    recorder_free(recorder);
}

static void test_clocks(void **state)
{
    struct reading_case how = { .reader = &tt_device_reader };
    struct source source;
    struct recorder *recorder = read_bytes(&how, "0, 0, 0, BRISC, 1, 100\n", 23, &source);

    (void)state;
    assert_true(has_note(&source, "1202 MHz"));
    recorder_free(recorder);
    recorder = read_text("Chip clock is at 1.2 GHz\nx\n0, 0, 0, BRISC, 1, 100\n", &source);
    assert_false(has_note(&source, "MHz"));
    recorder_free(recorder);
    recorder = read_text("ARCH: grayskull, CHIP_FREQ[MHz]: quick\n0, 0, 0, BRISC, 1, 100\n", &source);
    assert_true(has_note(&source, "does not tell the chip's clock"));
    recorder_free(recorder);
    recorder = read_text("ARCH: x, CHIP_FREQ[MHz]: 1\n0,0,0,BRISC,1,999999999999999999\n0,0,0,BRISC,1,5\n", NULL);
    assert_int_equal(lost_for(recorder, &loss_time_range), 1);
    assert_int_equal(recorder->losses.used, 1);
    recorder_free(recorder);
}

/* A sum is drawn also where all times of its chip are beyond what its clock can tell. */
static void test_a_sum_without_a_time(void **state)
{
    struct recorder *recorder = read_text("ARCH: x, CHIP_FREQ[MHz]: 1\n0,0,0,TRISC_0,5,999999999999999999\n"
                                          "0,0,0,TRISC_0,3000,100\n",
                                          NULL);

    (void)state;
    assert_int_equal(lost_for(recorder, &loss_time_range), 1);
    assert_int_equal(recorder->instants, 1);
    assert_int_equal(recorder->last_instant, INT64_MAX / 1000);
    recorder_free(recorder);
}

/* Times have 62 bits, in rows with and without zones, first of their kind or not. */
static void test_the_largest_times(void **state)
{
    static const char *const rows[] = { "0,0,0,BRISC,7,%s\n", "0,1,1,BRISC,7,%s,0,1024,,,A,TS_EVENT,1,a.cc,\n" };
    static const char *const times[] = { "4611686018427387902", "4611686018427387903", "4611686018427387904",
                                         "9999999999999999999" };

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        char text[1024] = "ARCH: x, CHIP_FREQ[MHz]: 1000000\n";
        struct recorder *recorder;

        for (unsigned k = 0; k < 4; k++) {
            size_t length = strlen(text);

            snprintf(text + length, sizeof text - length, rows[i], times[k]);
        }
        recorder = read_text(text, NULL);
        assert_int_equal(recorder->losses.used, 2);
        assert_int_equal(lost_for(recorder, &loss_time_range), 2);
        recorder_free(recorder);
    }
}

static void test_lost_rows(void **state)
{
    struct recorder *recorder =
        read_text(SIX "x\n0, 0, 0, BRISC, 1\n0, 0, 0, BRISC, 1, 2, 3\n0, 0, 0, BRISC, 1, 12x\n0, 0, 256, BRISC, 1, "
                      "5\n0, 0, 0, BRISC, 1, 5\n"
                      "0, 0, 0, BRISC, 2, 12345678901234567890\n,,,,,\n0, 0, 0, BRISC, 1, \n0, 0, 0, BRISC, 1, 6",
                  NULL);

    (void)state;
    assert_int_equal(recorder->losses.rows, 10);
    assert_int_equal(recorder->losses.used, 2);
    assert_int_equal(lost_for(recorder, &loss_last_line), 1);
    recorder_free(recorder);
    check_strict(&tt_device_reader, SIX "0, 0, 0, BRISC, 1, 5\n0, 0, 0, BRISC, 1\n",
                 "log.csv:4: too few or too many fields");
    recorder = read_text(FIFTEEN "0,1,1,BRISC,7,1000,0,1024,,,BRISC-FW,NO_SUCH_TYPE,5,a.cc,\n0,1,1,BRISC,7,1000,0,1024,"
                                 "x,,BRISC-FW,ZONE_START,5,a.cc,\n"
                                 "0,1,1,BRISC,7,,0,1024,,,BRISC-FW,ZONE_START,5,a.cc,\n0,1,1,BRISC,7,"
                                 "5000000000000000000,0,1024,,,BRISC-FW,ZONE_START,5,"
                                 "a.cc,\n"
                                 "0,1,1,BRISC,7,10,0,1024,,,BRISC-FW,ZONE_START,5,a.cc,\n",
                         NULL);
    assert_int_equal(recorder->losses.lost, 4);
    assert_int_equal(recorder->losses.used, 1);
    recorder_free(recorder);
}

static void test_digits_of_every_length(void **state)
{
    (void)state;
    for (unsigned digits = 1; digits <= 18; digits++) {
        char line[512], wanted[96];
        int64_t time = 9;
        struct recorder *recorder;

        for (unsigned i = 1; i < digits; i++)
            time = time * 10 + (int64_t)((i * 7 + digits) % 10);
        snprintf(line, sizeof line,
                 SIX
                 "0, 0, 0, BRISC, 1, %lld\n0, 0, 0, BRISC, 4, %lld\n0, 0, 0, BRISC, 1, %lld\n0, 0, 0, BRISC, 4, %lld\n",
                 (long long)time - 3, (long long)time - 2, (long long)time - 1, (long long)time);
        snprintf(wanted, sizeof wanted, "BRISC-FW | %lld..%lld", (long long)time - 1, (long long)time);
        recorder = read_text(line, NULL);
        assert_non_null(strstr(recorder_text(recorder), wanted));
        recorder_free(recorder);
    }
}

static void test_probe(void **state)
{
    static const char *const mine[] = { SIX, FIFTEEN, "Chip clock is at 1.2 GHz\nPCIe slot\n",
                                        "0, 0, 0, NCRISC, 1, 1882735035004\n", "\xEF\xBB\xBF" SIX };
    static const char *const foreign[] = {
        "", "\n", "a,b,c\n", "0, 0, 0, 5, 1, 2\n", "ARCHITECTURE\n", "0,1,2,BRISC,x,5\n"
    };

    (void)state;
    for (size_t i = 0; i < sizeof mine / sizeof *mine; i++)
        assert_true(tt_device_reader.probe((struct text){ mine[i], strlen(mine[i]) }, "x") >= 80);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        assert_int_equal(tt_device_reader.probe((struct text){ foreign[i], strlen(foreign[i]) }, "x"), 0);
}

static const char *const seeds[] = {
    SIX "0, 1, 2, BRISC, 1, 1000\n0, 1, 2, BRISC, 2, 1010\n0, 1, 3, NCRISC, 3, 1090\n0, 1, 2, BRISC, 4, 1100\n0, 1, 2, "
        "TRISC_0, 3000, 1100\n",
    FIFTEEN
    "0,1,1,BRISC,7,1000,0,1024,3,2,BRISC-FW,ZONE_START,5,a.cc,\n0,1,1,BRISC,8,1500,1,1024,3,2,,TS_DATA,0,,{\"a\":1}\n0,"
    "1,1,BRISC,7,2000,0,1024,3,2,BRISC-FW,ZONE_END,5,a.cc,\n",
    SIX "0, 1, 2, BRISC, 1, 1000\n3 device markers were "
        "dropped\n0,1,1,BRISC,7,1000,0,1024,,,BRISC-FW,ZONE_START,5,a.cc,\n0, "
        "1, 2, BRISC, 4, 1100\n",
};

static void test_damaged_files(void **state)
{
    static const char signs[] = "0,9 \nB-_;{\"\0\x80";

    (void)state;
    check_damaged(&usual, seeds, sizeof seeds / sizeof *seeds, signs, sizeof signs - 1);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        check_out_of_memory(&usual, seeds[i]);
}

/* The end of a log that was cut off: a time that lost digits would stretch everything. */
static void test_a_time_that_was_cut_off(void **state)
{
    struct recorder *recorder = read_text(SIX "0, 0, 0, BRISC, 1, 100000\n0, 0, 0, NCRISC, 1, 1000", NULL);

    (void)state;
    assert_int_equal(recorder->losses.rows, 2);
    assert_int_equal(lost_for(recorder, &loss_cut_off), 1);
    recorder_free(recorder);
    recorder = read_text(SIX "0, 0, 0, BRISC, 1, 100000\n0, 0, 0, NCRISC, 1, 100001", NULL);
    assert_int_equal(recorder->losses.used, 2);
    recorder_free(recorder);
    recorder = read_text(SIX "0, 0, 0, BRISC, 1, 100000\n0, 0, 0, TRISC_0, 3000, 17", NULL); /* a sum is no time */
    assert_int_equal(recorder->losses.used, 2);
    recorder_free(recorder);
    check_strict(&tt_device_reader, SIX "0, 0, 0, BRISC, 1, 100000\n0, 0, 0, NCRISC, 1, 1000",
                 "log.csv:4:21: a last line that is cut off");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zones_of_six_columns),
        cmocka_unit_test(test_what_lacks_its_other_end),
        cmocka_unit_test(test_rows_of_fifteen_columns),
        cmocka_unit_test(test_columns_are_found_by_name),
        cmocka_unit_test(test_rows_in_any_order),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_a_sum_without_a_time),
        cmocka_unit_test(test_the_largest_times),
        cmocka_unit_test(test_lost_rows),
        cmocka_unit_test(test_a_time_that_was_cut_off),
        cmocka_unit_test(test_digits_of_every_length),
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
