/* test_recording_lines.c: what a recording has beside zones: counters, frames, spans and sums, and lines of devices by clocks of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recording_reading.h"

/* ---- Clocks ------------------------------------------------------------------------------------------------------- */

/* A counter at 3 GHz that becomes slower by a thousandth. */
static void test_ticks_become_nanoseconds_by_ties(void **state)
{
    struct recording_writer writer;
    struct recording_head *head;

    (void)state;
    begin_simple(&writer);
    head = recording_head(&writer);
    head->clock = RECORDING_COUNTER;
    head->tie[0] = (struct recording_tie){ 1000, 50000, 1000 };
    head->tie[1] = (struct recording_tie){ 1000 + 1000000 - 20, 50000 + 3000000, 1000 + 1000000 + 20 };
    head->tie[2] = (struct recording_tie){ 1000 + 2000000, 50000 + 3000000 + 2997000, 1000 + 2000000 };
    head->ties = 3;
    recording_zone(&writer, 0, RECORD_BEGIN, 50000 + 3, 1);
    recording_zone(&writer, 0, RECORD_END, 50000 + 1500000, 1);
    recording_zone(&writer, 0, RECORD_BEGIN, 50000 + 3000000, 1);
    recording_zone(&writer, 0, RECORD_END, 50000 + 3000000 + 2997000, 1);
    recording_finish(&writer);
    check_text(&writer, "thread 0 | outer | 1..500000 | outer | \nthread 0 | outer | 1000000..2000000 | outer | \n");
    recording_free(&writer);
}

static void test_one_tie_does_not_tell_a_rate(void **state)
{
    struct recording_writer writer;
    struct source source;
    struct recorder *recorder;

    (void)state;
    begin_simple(&writer);
    recording_head(&writer)->clock = RECORDING_COUNTER;
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 1);
    recording_zone(&writer, 0, RECORD_END, 1200, 1);
    recorder = read_written(&writer, &source);
    check_note(&source, "does not tell how long a tick");
    recorder_free(recorder);
    recording_free(&writer);
}

static void test_devices_have_clocks_of_their_own(void **state)
{
    struct recording_writer writer;
    struct source source;
    struct recorder *recorder;

    (void)state;
    begin_simple(&writer);
    recording_name(&writer, &(struct written_record){ .kind = RECORD_CLOCK, .id = 1, .text = "chip 0" });
    recording_name(&writer,
                   &(struct written_record){ .kind = RECORD_CLOCK, .id = 2, .word = 100000000, .text = "chip 1" });
    recording_name(&writer,
                   &(struct written_record){ .kind = RECORD_CLOCK, .id = 3, .word = 100000000, .text = "chip 2" });
    for (uint32_t i = 0; i < 4; i++)
        recording_name(&writer,
                       &(struct written_record){ .kind = RECORD_TRACK, .id = i + 1, .word = i, .text = "card/core" });
    put_tie(&writer, 1, 2000, 100, 4400); /* 1200 ns unsure */
    put_tie(&writer, 1, 13000, 200, 13400);
    put_tie(&writer, 2, 3000, 1000, 3000);
    put_device(&writer, 1, "by the host", 1500, 1600);
    put_device(&writer, 2, "kernel", 110, 120);
    put_device(&writer, 3, "kernel", 1001, 1003);
    put_device(&writer, 4, "lost in time", 5000, 5001);
    put_device(&writer, 9, "nowhere", 5000, 5001);
    put_device(&writer, 2, "backwards", 120, 110);
    recording_finish(&writer);
    recorder = read_written(&writer, &source);
    assert_string_equal(recorder_text(recorder), "device 1 | by the host | 500..600 | by the host | \n"
                                                 "device 2 | kernel | 3200..4200 | kernel | \n"
                                                 "device 3 | kernel | 2010..2030 | kernel | \n"
                                                 "custom 4 | lost in time | 0..10 | lost in time | \n");
    check_note(&source, "device clock 'chip 0' is tied to the host's to within 1.200");
    check_note(&source, "device clock 'chip 1' is tied to the host's to within 0ns, by one tie");
    check_note(&source, "device clock 'chip 2' is tied to no other");
    assert_int_equal(lost_for(recorder, &recording_loss_unplaced), 1);
    assert_int_equal(lost_for(recorder, &loss_end_before_start), 1);
    recorder_free(recorder);
    recording_free(&writer);
}

/* ---- Lines -------------------------------------------------------------------------------------------------------- */

static void test_counters_of_threads_are_in_order(void **state)
{
    struct recording_writer writer;
    struct source source;

    (void)state;
    begin_simple(&writer);
    put_value(&writer, 0, RECORD_COUNTER, 1200, 1, 5, RECORDING_VALUE_SIGNED);
    put_value(&writer, 0, RECORD_COUNTER, 1400, 1, (uint64_t)-7, RECORDING_VALUE_SIGNED);
    put_value(&writer, 1, RECORD_COUNTER, 1300, 1, 6, RECORDING_VALUE_SIGNED);
    put_value(&writer, 0, RECORD_COUNTER, 1500, 2, bits_of(0.25), RECORDING_VALUE_DOUBLE);
    put_value(&writer, 0, RECORD_COUNTER, 1600, 2, 3, RECORDING_VALUE_UNSIGNED);
    recording_put(&writer, 0,
                  &(struct written_record){ .kind = RECORD_COUNTER,
                                            .word = 1700,
                                            .value_count = 1,
                                            .values = { bits_of(1e-9) },
                                            .types = { RECORDING_VALUE_DOUBLE },
                                            .text = "made while running" });
    recording_finish(&writer);
    recorder_free(read_written(&writer, &source));
    assert_string_equal(heard.counters, "inner 500 0.25;inner 600 3;made while running 700 1e-09;"
                                        "outer 200 5;outer 300 6;outer 400 -7;");
    recording_free(&writer);
}

static void test_frames_spans_and_sums(void **state)
{
    struct recording_writer writer;
    struct source source;
    struct recorder *recorder;

    (void)state;
    begin_simple(&writer);
    recording_add_site(&writer, "request", "serve", "serve.c", 3, 0);
    put_value(&writer, 0, RECORD_ASYNC_END, 1900, 3, 7, RECORDING_VALUE_UNSIGNED);
    put_value(&writer, 0, RECORD_ASYNC_BEGIN, 1950, 3, 8, RECORDING_VALUE_UNSIGNED);
    put_value(&writer, 1, RECORD_ASYNC_BEGIN, 1100, 3, 7, RECORDING_VALUE_UNSIGNED);
    put_value(&writer, 1, RECORD_ASYNC_END, 1200, 3, 9, RECORDING_VALUE_UNSIGNED);
    for (unsigned i = 0; i < 3; i++)
        recording_zone(&writer, 0, RECORD_FRAME, 1000 + 100 * i, 1);
    recording_zone(&writer, 0, RECORD_FRAME_BEGIN, 1300, 2);
    recording_zone(&writer, 0, RECORD_FRAME_END, 1350, 2);
    recording_put(&writer, 0,
                  &(struct written_record){
                      .kind = RECORD_SUM, .word = 1200, .id = 2, .value_count = 3, .values = { 1999, 321, 40 } });
    recording_finish(&writer);
    recorder = read_written(&writer, &source);
    assert_string_equal(recorder_text(recorder), "sum 0 | inner | 200..999 | inner | count=40 total_ns=321\n"
                                                 "span 0 | request | 100..900 | request | id=7\n"
                                                 "span 0 | request | 950..999 | request | id=8 unfinished=true\n"
                                                 "frame 0 | outer | 0..100 | outer | \n"
                                                 "frame 0 | outer | 100..200 | outer | \n"
                                                 "frame 0 | inner | 300..350 | inner | \n");
    assert_int_equal(lost_for(recorder, &recording_loss_span), 1);
    assert_int_equal(lost_for(recorder, &recording_loss_lone_end), 1);
    assert_string_equal(strings_text(recorder->strings, recorder->tracks[2].name), "main: sums");
    assert_string_equal(strings_text(recorder->strings, recorder->tracks[4].name), "frames outer");
    recorder_free(recorder);
    recording_free(&writer);
}

static void test_frames_may_be_runs(void **state)
{
    struct recording_writer writer;
    struct source source;

    (void)state;
    begin_simple(&writer);
    recording_add_site(&writer, "step", "", "", 0, SITE_RUN);
    for (unsigned i = 0; i < 4; i++) {
        recording_zone(&writer, 0, RECORD_FRAME, 1000 + 100 * i, 3);
        recording_zone(&writer, 0, RECORD_BEGIN, 1010 + 100 * i, 1);
        recording_zone(&writer, 0, RECORD_END, 1050 + 100 * i, 1);
    }
    recording_zone(&writer, 1, RECORD_FRAME, 1000, 3); /* one mark is no run */
    recording_finish(&writer);
    recorder_free(read_written(&writer, &source));
    assert_string_equal(heard.runs, "0.0 0..100;0.1 100..200;0.2 200..300;");
    recording_free(&writer);
}

static void test_what_recording_cost(void **state)
{
    struct recording_writer writer;
    struct source source;
    struct recorder *recorder;

    (void)state;
    begin_simple(&writer);
    recording_zone(&writer, 0, RECORD_BEGIN, 1000, 1);
    recording_zone(&writer, 0, RECORD_END, 11000, 1);
    recording_finish(&writer);
    recording_head(&writer)->zone_cost = 24 * 256;
    recording_head(&writer)->thread[0].slow = 1;
    recording_head(&writer)->full = 2;
    recording_head(&writer)->cut = 3;
    recorder = read_written(&writer, &source);
    assert_int_equal(lost_for(recorder, &recording_loss_text), 3);
    check_note(&source, "recording took about 0.2 % of this time: 24 ns a zone");
    check_note(&source, "had to wait for 1 of 1 chunks");
    check_note(&source, "the disk was full 2 times");
    recorder_free(recorder);
    recording_free(&writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticks_become_nanoseconds_by_ties),
        cmocka_unit_test(test_one_tie_does_not_tell_a_rate),
        cmocka_unit_test(test_devices_have_clocks_of_their_own),
        cmocka_unit_test(test_counters_of_threads_are_in_order),
        cmocka_unit_test(test_frames_spans_and_sums),
        cmocka_unit_test(test_frames_may_be_runs),
        cmocka_unit_test(test_what_recording_cost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
