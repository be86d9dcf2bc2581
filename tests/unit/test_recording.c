/* test_recording.c: recordings: zones of threads, processes that share an axis, and any zones as they went in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recording_reading.h"

/* ---- Zones ------------------------------------------------------------------------------------------------------- */

static void test_zones_are_nested(void **state)
{
    struct recording_writer writer;
    struct source source;
    struct recorder *recorder;

    (void)state;
    begin_simple(&writer);
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 1);
    recording_zone(&writer, 0, RECORD_BEGIN, 1200, 2);
    recording_zone(&writer, 0, RECORD_END, 1300, 2);
    recording_zone(&writer, 0, RECORD_BEGIN, 1300, 2);
    recording_zone(&writer, 0, RECORD_END, 1450, 2);
    recording_zone(&writer, 0, RECORD_END, 1500, 1);
    recording_finish(&writer);
    recorder = read_written(&writer, &source);
    assert_string_equal(recorder_text(recorder), "thread 0 | outer | 100..500 | outer | \n"
                                                 "thread 0 | inner | 200..300 | inner |  | in outer\n"
                                                 "thread 0 | inner | 300..450 | inner |  | in outer\n");
    assert_int_equal(recorder->losses.rows, 9); /* a thread and two sites, too */
    assert_int_equal(recorder->losses.used, 9);
    assert_int_equal(recorder->operator_count, 2);
    assert_string_equal(strings_text(recorder->strings, recorder->operators[0].file), "src/net.c");
    assert_int_equal(recorder->operators[0].line, 10);
    assert_string_equal(strings_text(recorder->strings, recorder->operators[0].location), "work (src/net.c:10)");
    assert_string_equal(strings_text(recorder->strings, recorder->operators[0].place), "net.c:10");
    assert_string_equal(strings_text(recorder->strings, recorder->tracks[1].name), "program [4711]");
    assert_string_equal(strings_text(recorder->strings, recorder->tracks[2].name), "main");
    assert_int_equal(source.note_count, 0);
    recorder_free(recorder);
    recording_free(&writer);
}

/* Also what is said of a zone after others began in it. */
static void test_arguments_of_all_types(void **state)
{
    struct recording_writer writer;

    (void)state;
    begin_simple(&writer);
    recording_add_site(&writer, "bytes", "", "", 0, 0);
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 1);
    recording_put(&writer, 0, &(struct written_record){ .kind = RECORD_ARGUMENT_INTEGER, .word = 4096, .id = 3 });
    recording_put(&writer, 0,
                  &(struct written_record){ .kind = RECORD_ARGUMENT_INTEGER, .word = (uint64_t)-5, .text = "minus" });
    recording_zone(&writer, 0, RECORD_BEGIN, 1200, 2);
    put_text(&writer, RECORD_ARGUMENT_DECIMAL, bits_of(0.5), 0, "half");
    recording_zone(&writer, 0, RECORD_END, 1300, 2);
    put_text(&writer, RECORD_ARGUMENT_UNSIGNED, UINT64_MAX, 0, "a key of more than fourteen bytes");
    put_text(&writer, RECORD_ARGUMENT_TEXT, 4, 0, "modefast");
    put_text(&writer, RECORD_ARGUMENT_TEXT, 0, 3, "many");
    put_text(&writer, RECORD_NAME, 0, 0, "layer 7");
    put_text(&writer, RECORD_COLOR, 0xff0000, 0, NULL);
    recording_zone(&writer, 0, RECORD_END, 1400, 1);
    recording_finish(&writer);
    check_text(&writer, "thread 0 | layer 7 | 100..400 | outer | bytes=many minus=-5 a key of more than fourteen "
                        "bytes=18446744073709551615 mode=fast\n"
                        "thread 0 | inner | 200..300 | inner | half=0.5 | in layer 7\n");
    recording_free(&writer);
}

static void test_zones_have_names_of_their_own(void **state)
{
    struct recording_writer writer;

    (void)state;
    begin_simple(&writer);
    put_text(&writer, RECORD_BEGIN, 1100, 1, "request 17 with a long name");
    recording_zone(&writer, 0, RECORD_END, 1400, 1);
    recording_finish(&writer);
    check_text(&writer, "thread 0 | request 17 with a long name | 100..400 | outer | \n");
    recording_free(&writer);
}

static void test_flows_join_zones(void **state)
{
    struct recording_writer writer;

    (void)state;
    begin_simple(&writer);
    for (unsigned i = 0; i < 2; i++) {
        recording_zone(&writer, 0, RECORD_BEGIN, 1100 + 100 * i, 1);
        recording_put(&writer, 0, &(struct written_record){ .kind = RECORD_FLOW, .word = UINT64_C(1) << 40 });
        recording_zone(&writer, 0, RECORD_END, 1150 + 100 * i, 1);
    }
    recording_finish(&writer);
    check_text(&writer, "thread 0 | outer | 100..150 | outer |  | flow 1\n"
                        "thread 0 | outer | 200..250 | outer |  | flow 1\n");
    recording_free(&writer);
}

/* A handler comes in between reserving a slot and taking its time, or after taking it. */
static void test_records_of_signal_handlers_are_put_in_order(void **state)
{
    struct recording_writer writer;

    (void)state;
    begin_simple(&writer);
    recording_zone(&writer, 0, RECORD_BEGIN, 1300, 1);
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 2);
    put_text(&writer, RECORD_ARGUMENT_INTEGER, 1, 0, "handler");
    recording_zone(&writer, 0, RECORD_END, 1200, 2);
    put_text(&writer, RECORD_ARGUMENT_INTEGER, 2, 0, "program");
    recording_zone(&writer, 0, RECORD_BEGIN, 1500, 2);
    recording_zone(&writer, 0, RECORD_END, 1600, 2);
    recording_zone(&writer, 0, RECORD_END, 1400, 1);
    recording_finish(&writer);
    check_text(&writer, "thread 0 | inner | 100..200 | inner | handler=1\n"
                        "thread 0 | outer | 300..400 | outer | program=2\n"
                        "thread 0 | inner | 500..600 | inner | \n");
    recording_free(&writer);
}

static void test_zones_that_lost_their_end(void **state)
{
    struct recording_writer writer;
    struct source source;
    struct recorder *recorder;

    (void)state;
    begin_simple(&writer);
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 1);
    recording_zone(&writer, 0, RECORD_BEGIN, 1200, 2);
    recording_zone(&writer, 0, RECORD_END, 1500, 1);
    recording_zone(&writer, 0, RECORD_END, 1600, 2);
    recording_finish(&writer);
    recorder = read_written(&writer, &source);
    assert_string_equal(recorder_text(recorder), "thread 0 | outer | 100..500 | outer | \n"
                                                 "thread 0 | inner | 200..500 | inner |  | in outer\n");
    assert_int_equal(lost_for(recorder, &recording_loss_no_end), 1);
    assert_int_equal(lost_for(recorder, &loss_end_without_begin), 1);
    assert_int_equal(recorder->losses.lost, 1);
    recorder_free(recorder);
    recording_free(&writer);
}

/* What a killed process leaves: chunks in use, no end. */
static void test_open_zones_are_told_first(void **state)
{
    struct recording_writer writer;
    struct source source;
    struct recorder *recorder;

    (void)state;
    begin_simple(&writer);
    recording_add_thread(&writer, 1, 4712, NULL);
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 1);
    recording_zone(&writer, 0, RECORD_BEGIN, 1200, 2);
    recording_zone(&writer, 1, RECORD_BEGIN, 1300, 2);
    recording_zone(&writer, 1, RECORD_INSTANT, 1700, 1);
    recording_head(&writer)->thread[1].dropped = 12;
    recorder = read_written(&writer, &source);
    assert_string_equal(recorder_text(recorder), "thread 0 | outer | 100..700 | outer | unfinished=true\n"
                                                 "thread 1 | inner | 300..700 | inner | unfinished=true\n"
                                                 "thread 0 | inner | 200..700 | inner | unfinished=true | in outer\n");
    assert_string_equal(source.notes[0], "3 zones were open when the recording ended: outer > inner; inner");
    check_note(&source, "thread 'thread 4712' of process 4711 dropped 12 records");
    assert_int_equal(lost_for(recorder, &recording_loss_dropped), 12);
    assert_int_equal(recorder->instants, 1);
    recorder_free(recorder);
    recording_free(&writer);
}

/* ---- Processes ---------------------------------------------------------------------------------------------------- */

static void test_processes_share_an_axis(void **state)
{
    struct recording_writer writer = { 0 };
    struct source source;
    struct recorder *recorder;

    (void)state;
    add_process(&writer, 8, 5000, 1);
    add_process(&writer, 7, 3000, 0);
    recorder = read_written(&writer, &source);
    assert_string_equal(recorder_text(recorder), "thread 0 | inference | 100..150 | inference | \n"
                                                 "thread 0 | inference | 200..250 | inference | \n"
                                                 "thread 0 | inference | 2100..2150 | inference | \n"
                                                 "thread 0 | inference | 2200..2250 | inference | \n");
    assert_int_equal(recorder->operator_count, 1);
    assert_string_equal(heard.runs, "0.0 100..150;0.1 200..250;1.0 2100..2150;1.1 2200..2250;");
    recorder_free(recorder);
    recording_free(&writer);
}

static void test_a_failed_launch_has_no_runs(void **state)
{
    struct recording_writer writer = { 0 };
    struct source source;
    struct recorder *recorder;

    (void)state;
    add_process(&writer, 7, 3000, 0);
    add_process(&writer, 8, 5000, 1);
    recording_head(&writer)->outcome = OUTCOME_KILLED;
    recording_head(&writer)->outcome_code = 9;
    add_process(&writer, 9, 7000, 2);
    recording_head(&writer)->outcome_code = 3;
    recorder = read_written(&writer, &source);
    assert_int_equal(recorder->count, 6);
    assert_string_equal(heard.runs, "0.0 100..150;0.1 200..250;");
    check_note(&source, "launch 2 failed: killed by signal 9");
    check_note(&source, "launch 3 failed: exit status 3");
    recorder_free(recorder);
    recording_free(&writer);
}

/* One that was open when the recording ended is no run; one inside another is part of it. */
static void test_runs_are_whole_zones(void **state)
{
    struct recording_writer writer = { 0 };
    struct source source;

    (void)state;
    recording_begin_process(&writer, 7, 0);
    recording_add_site(&writer, "inference", "main", "main.c", 5, SITE_RUN);
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 1);
    recording_zone(&writer, 0, RECORD_BEGIN, 1200, 1);
    recording_zone(&writer, 0, RECORD_END, 1300, 1);
    recording_zone(&writer, 0, RECORD_END, 1400, 1);
    recording_zone(&writer, 0, RECORD_BEGIN, 1500, 1);
    recorder_free(read_written(&writer, &source));
    assert_string_equal(heard.runs, "0.0 100..400;");
    recording_free(&writer);
}

static void test_what_comes_while_it_is_read_is_not_seen(void **state)
{
    struct recording_writer writer = { 0 };
    struct source source;
    struct recorder *recorder;

    (void)state;
    recording_begin_process(&writer, 7, 0);
    recording_add_site(&writer, "inference", "main", "main.c", 5, SITE_RUN);
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 1);
    recording_zone(&writer, 0, RECORD_END, 1400, 1);
    recording_zone(&writer, 0, RECORD_BEGIN, 1500, 1);
    goes_on = &writer;
    recorder = read_written(&writer, &source);
    assert_null(goes_on);
    assert_string_equal(recorder_text(recorder), "thread 0 | inference | 100..400 | inference | \n"
                                                 "thread 0 | inference | 500..500 | inference | unfinished=true\n");
    recorder_free(recorder);
    recording_free(&writer);
}

/* ---- Any zones ---------------------------------------------------------------------------------------------------- */

enum { THREADS = 3, SITES = 5 };

/* What was written: in the order of begins of each thread. */
struct expected {
    int64_t start, end; /* of a zone; end -1: none yet */
    uint32_t site;      /* of it */
};

struct expectation {
    struct expected zones[4000]; /* of a thread */
    unsigned count;              /* of them */
    unsigned stack[32];          /* open ones */
    unsigned depth;              /* of the stack */
    uint64_t time;               /* of the thread */
};

static uint32_t next_random(uint32_t *random, uint32_t below)
{
    *random = *random * 1103515245u + 12345u;
    return (*random >> 8) % below;
}

/* One more record of a thread; now and then a slot that stays a hole. */
static void write_any(struct recording_writer *writer, struct expectation *threads, uint32_t thread, uint32_t *random)
{
    struct expectation *own = &threads[thread];
    bool begins = own->depth == 0 || (own->depth < 20 && next_random(random, 2));

    own->time += next_random(random, 50);
    if (next_random(random, 20) == 0) {
        uint64_t *slot =
            recording_put(writer, thread, &(struct written_record){ .kind = RECORD_BEGIN, .word = own->time, .id = 1 });

        slot[1] = 0;
    }
    if (begins) {
        uint32_t site = 1 + next_random(random, SITES);

        own->stack[own->depth++] = own->count;
        own->zones[own->count++] = (struct expected){ (int64_t)own->time - 1000, -1, site };
        recording_zone(writer, thread, RECORD_BEGIN, own->time, site);
    } else {
        struct expected *zone = &own->zones[own->stack[--own->depth]];

        zone->end = (int64_t)own->time - 1000;
        recording_zone(writer, thread, RECORD_END, own->time, zone->site);
    }
}

static void check_any(uint32_t seed, uint32_t ring)
{
    static struct expectation threads[THREADS];
    struct recording_writer writer = { 0 };
    struct recorder *recorder;
    struct source source;
    uint32_t random = seed;
    unsigned found[THREADS] = { 0 }, wanted = 0;
    char name[16];

    memset(threads, 0, sizeof threads);
    recording_begin_process(&writer, 1, ring);
    for (unsigned i = 0; i < SITES; i++) {
        snprintf(name, sizeof name, "%u", i + 1);
        recording_add_site(&writer, name, "f", "f.c", i, 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        threads[i].time = 1000;
    for (unsigned i = 0; i < 3000; i++) {
        uint32_t thread = next_random(&random, THREADS);

        write_any(&writer, threads, thread, &random);
        if (next_random(&random, 100) == 0)
            recording_next_chunk(&writer, thread);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        while (threads[i].depth) {
            struct expected *zone = &threads[i].zones[threads[i].stack[--threads[i].depth]];

            threads[i].time += 5;
            zone->end = (int64_t)threads[i].time - 1000;
            recording_zone(&writer, i, RECORD_END, threads[i].time, zone->site);
        }
    recording_finish(&writer);
    recorder = read_written(&writer, &source);
    for (unsigned i = 0; i < recorder->count; i++) {
        const struct slice *slice = &recorder->slices[i].slice;
        struct expectation *own = &threads[recorder->tracks[slice->track].index];
        unsigned *at = &found[recorder->tracks[slice->track].index];

        /* Of a ring only the newest are left; what is left is as it was. */
        while (ring && *at < own->count && (own->zones[*at].start != slice->start || own->zones[*at].end != slice->end))
            ++*at;
        assert_true(*at < own->count);
        assert_int_equal(slice->start, own->zones[*at].start);
        assert_int_equal(slice->end, own->zones[*at].end);
        ++*at;
    }
    for (unsigned i = 0; i < THREADS; i++)
        wanted += threads[i].count;
    if (!ring) {
        assert_int_equal(recorder->count, wanted);
        assert_int_equal(recorder->losses.lost, 0);
    }
    assert_true(recorder->count > 100);
    recorder_free(recorder);
    recording_free(&writer);
}

static void test_any_zones_come_out_as_they_went_in(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed < 30; seed++)
        check_any(seed, 0);
    for (uint32_t seed = 1; seed < 30; seed++)
        check_any(seed, 6 + seed % 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zones_are_nested),
        cmocka_unit_test(test_arguments_of_all_types),
        cmocka_unit_test(test_zones_have_names_of_their_own),
        cmocka_unit_test(test_flows_join_zones),
        cmocka_unit_test(test_records_of_signal_handlers_are_put_in_order),
        cmocka_unit_test(test_zones_that_lost_their_end),
        cmocka_unit_test(test_open_zones_are_told_first),
        cmocka_unit_test(test_processes_share_an_axis),
        cmocka_unit_test(test_a_failed_launch_has_no_runs),
        cmocka_unit_test(test_runs_are_whole_zones),
        cmocka_unit_test(test_what_comes_while_it_is_read_is_not_seen),
        cmocka_unit_test(test_any_zones_come_out_as_they_went_in),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
