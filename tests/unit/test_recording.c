/* test_recording.c: the reader of Tacho's own recordings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "read/recording.h"
#include "read/recording_file.h"
#include "recorder.h"
#include "recording_writer.h"

/* What was told besides slices. */
struct heard {
    struct recorder *recorder; /* of slices */
    char counters[1024];       /* "name time value;" */
    char runs[1024];           /* "launch.index start..end;" */
};

/* A recording that goes on while it is read: between the walks, where runs are announced. */
static struct recording_writer *goes_on;

static struct heard heard;

static status hear_counter(void *self, track_id track, int64_t time, int64_t value)
{
    struct recorder *recorder = self;
    size_t length = strlen(heard.counters);
    const struct track *announced = &recorder->tracks[track];

    assert_int_equal(announced->kind, TRACK_COUNTER);
    if (announced->decimal)
        snprintf(heard.counters + length, sizeof heard.counters - length, "%s %" PRId64 " %g;",
                 strings_text(recorder->strings, announced->name), time, counter_decimal(value));
    else
        snprintf(heard.counters + length, sizeof heard.counters - length, "%s %" PRId64 " %" PRId64 ";",
                 strings_text(recorder->strings, announced->name), time, value);
    return STATUS_OK;
}

static status hear_run(void *self, const struct run *run)
{
    size_t length = strlen(heard.runs);

    (void)self;
    snprintf(heard.runs + length, sizeof heard.runs - length, "%u.%u %" PRId64 "..%" PRId64 ";", run->launch,
             run->index, run->start, run->end);
    if (goes_on) {
        recording_zone(goes_on, 0, RECORD_END, 1900, 1);
        recording_zone(goes_on, 0, RECORD_BEGIN, 1950, 1);
        goes_on = NULL;
    }
    return STATUS_OK;
}

/* Reads an input into a recorder, which the caller frees. */
static status read_input(struct recorder *recorder, struct input *input, const char *path, bool strict,
                         struct source *source)
{
    struct sink_calls calls = recorder_calls;
    struct feed feed;
    string_id name;
    status code;

    calls.counter = hear_counter;
    calls.run = hear_run;
    heard = (struct heard){ .recorder = recorder };
    *source = (struct source){ .input = input, .path = path, .strict = strict };
    feed_start(&feed, (struct sink){ &calls, recorder }, recorder->strings);
    code = strings_add_text(recorder->strings, "x.tacho", &name);
    if (code == STATUS_OK)
        code = feed_input(&feed, name, 0);
    if (code == STATUS_OK)
        code = tacho_recording_reader.read(source, &feed);
    if (code == STATUS_OK)
        code = feed_input_end(&feed);
    feed_free(&feed);
    return code;
}

static struct recorder *read_part(const struct recording_writer *writer, size_t bytes, struct source *source)
{
    struct recorder *recorder = recorder_new();
    struct input *input;
    const void *data;
    size_t size;

    assert_true(recording_data(writer, &data, &size));
    assert_int_equal(input_open_memory("x.tacho", data, bytes < size ? bytes : size, &input), STATUS_OK);
    assert_int_equal(read_input(recorder, input, "x.tacho", false, source), STATUS_OK);
    input_close(input);
    recorder_check(recorder);
    return recorder;
}

static struct recorder *read_written(const struct recording_writer *writer, struct source *source)
{
    return read_part(writer, SIZE_MAX, source);
}

static void check_note(const struct source *source, const char *part)
{
    if (has_note(source, part))
        return;
    for (unsigned i = 0; i < source->note_count; i++)
        print_message("note: %s\n", source->notes[i]);
    fail_msg("no note says: %s", part);
}

/* A process with one thread and two sites, 1 and 2. */
static void begin_simple(struct recording_writer *writer)
{
    *writer = (struct recording_writer){ 0 };
    recording_begin_process(writer, 4711, 0);
    recording_add_thread(writer, 0, 4711, "main");
    recording_add_site(writer, "outer", "work", "src/net.c", 10, 0);
    recording_add_site(writer, "inner", "work", "src/net.c", 20, 0);
}

static void check_text(const struct recording_writer *writer, const char *expected)
{
    struct source source;
    struct recorder *recorder = read_written(writer, &source);

    assert_string_equal(recorder_text(recorder), expected);
    recorder_free(recorder);
}

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

static void put_text(struct recording_writer *writer, enum recording_kind kind, uint64_t word, uint32_t id,
                     const char *text)
{
    recording_put(writer, 0, &(struct written_record){ .kind = kind, .word = word, .id = id, .text = text });
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
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

/* ---- Chunks ------------------------------------------------------------------------------------------------------- */

static void test_holes_and_stale_slots_are_skipped(void **state)
{
    struct recording_writer writer;
    uint64_t *slot;

    (void)state;
    begin_simple(&writer);
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 1);
    slot = recording_put(&writer, 0, &(struct written_record){ .kind = RECORD_BEGIN, .word = 1150, .id = 2 });
    slot[1] = 0;
    slot = recording_put(&writer, 0, &(struct written_record){ .kind = RECORD_BEGIN, .word = 1160, .id = 2 });
    slot[1] ^= UINT64_C(7) << 48; /* of another lap */
    slot = recording_put(&writer, 0,
                         &(struct written_record){ .kind = RECORD_NAME, .text = "the first slot of this is a hole" });
    slot[1] = 0;
    recording_zone(&writer, 0, RECORD_END, 1400, 1);
    check_text(&writer, "thread 0 | outer | 100..400 | outer | \n");
    recording_free(&writer);
}

static void test_damaged_chunks_are_not_used(void **state)
{
    struct recording_writer writer;
    struct source source;
    struct recorder *recorder;

    (void)state;
    begin_simple(&writer);
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 1);
    recording_zone(&writer, 0, RECORD_END, 1200, 1);
    recording_next_chunk(&writer, 0);
    recording_zone(&writer, 0, RECORD_BEGIN, 1300, 1);
    recording_zone(&writer, 0, RECORD_END, 1400, 1);
    recording_finish(&writer);
    ((uint64_t *)(void *)recording_chunk(&writer, 2))[8] ^= 1;
    recorder = read_written(&writer, &source);
    assert_string_equal(recorder_text(recorder), "thread 0 | outer | 300..400 | outer | \n");
    assert_int_equal(lost_for(recorder, &recording_loss_damaged), 1);
    assert_int_equal(recorder->losses.lost, 1);
    recorder_free(recorder);
    recording_free(&writer);
}

static void test_a_cut_file_is_used_as_far_as_it_goes(void **state)
{
    struct recording_writer writer;
    struct source source;
    struct recorder *recorder;

    (void)state;
    begin_simple(&writer);
    for (unsigned i = 0; i < 10; i++) {
        recording_zone(&writer, 0, RECORD_BEGIN, 1100 + 20 * i, 1);
        recording_zone(&writer, 0, RECORD_END, 1110 + 20 * i, 1);
    }
    recording_finish(&writer);
    recorder = read_part(&writer, 2 * RECORDING_CHUNK + 64 + 6 * 16 + 5, &source);
    assert_int_equal(recorder->count, 3);
    assert_int_equal(lost_for(recorder, &recording_loss_cut), 1);
    recorder_free(recorder);
    for (size_t cut = 2 * RECORDING_CHUNK; cut < 2 * RECORDING_CHUNK + 100; cut++)
        recorder_free(read_part(&writer, cut, &source));
    recording_free(&writer);
}

/* Where its writer was killed, a file has chunks that nobody got. */
static void test_empty_chunks_at_the_end(void **state)
{
    struct recording_writer writer;
    const void *data;
    char *longer;
    size_t size;
    struct input *input;
    struct source source;
    struct recorder *recorder = recorder_new();

    (void)state;
    begin_simple(&writer);
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 1);
    recording_zone(&writer, 0, RECORD_END, 1200, 1);
    assert_true(recording_data(&writer, &data, &size));
    longer = calloc(1, size + 3 * RECORDING_CHUNK);
    assert_non_null(longer);
    memcpy(longer, data, size);
    assert_int_equal(input_open_memory("x", longer, size + 3 * RECORDING_CHUNK, &input), STATUS_OK);
    assert_int_equal(read_input(recorder, input, "x", true, &source), STATUS_OK);
    assert_int_equal(recorder->count, 1);
    input_close(input);
    free(longer);
    recorder_free(recorder);
    recording_free(&writer);
}

/* `finished`: else it may still turn. */
static void check_ring(bool finished)
{
    struct recording_writer writer = { 0 };
    struct source source;
    struct recorder *recorder;

    recording_begin_process(&writer, 1, 3);
    recording_add_thread(&writer, 0, 1, "main");
    recording_add_site(&writer, "outer", "f", "f.c", 1, 0);
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 1); /* will be overwritten */
    for (unsigned i = 0; i < 5; i++) {
        recording_next_chunk(&writer, 0);
        recording_zone(&writer, 0, RECORD_BEGIN, 2000 + 100 * i, 1);
        recording_zone(&writer, 0, RECORD_END, 2050 + 100 * i, 1);
    }
    recording_zone(&writer, 0, RECORD_END, 3000, 1);
    if (finished)
        recording_finish(&writer);
    recorder = read_written(&writer, &source);
    assert_string_equal(recorder_text(recorder), "thread 0 | outer | 1200..1250 | outer | \n"
                                                 "thread 0 | outer | 1300..1350 | outer | \n"
                                                 "thread 0 | outer | 1400..1450 | outer | \n");
    assert_int_equal(lost_for(recorder, &recording_loss_ring), 1);
    recorder_free(recorder);
    recording_free(&writer);
}

static void test_a_ring_keeps_the_newest(void **state)
{
    (void)state;
    check_ring(true);
    check_ring(false);
}

static void test_a_thread_goes_on_in_the_chunk_of_another(void **state)
{
    struct recording_writer writer;

    (void)state;
    begin_simple(&writer);
    recording_add_thread(&writer, 1, 4712, "second");
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 1);
    recording_zone(&writer, 0, RECORD_END, 1200, 1);
    recording_hand_over(&writer, 0, 1, 1300);
    recording_zone(&writer, 1, RECORD_BEGIN, 1300, 2);
    recording_zone(&writer, 1, RECORD_END, 1400, 2);
    recording_finish(&writer);
    check_text(&writer, "thread 0 | outer | 100..200 | outer | \nthread 1 | inner | 300..400 | inner | \n");
    recording_free(&writer);
}

/* ---- Processes ---------------------------------------------------------------------------------------------------- */

static void add_process(struct recording_writer *writer, uint32_t pid, uint64_t start, uint32_t launch)
{
    recording_begin_process(writer, pid, 0);
    recording_head(writer)->start_monotonic = start;
    recording_head(writer)->launch = launch;
    recording_head(writer)->root = 1;
    recording_head(writer)->outcome = OUTCOME_EXITED;
    recording_add_thread(writer, 0, pid, "main");
    recording_add_site(writer, "inference", "main", "main.c", 5, SITE_RUN);
    for (unsigned i = 0; i < 2; i++) {
        recording_zone(writer, 0, RECORD_BEGIN, start + 100 + 100 * i, 1);
        recording_zone(writer, 0, RECORD_END, start + 150 + 100 * i, 1);
    }
    recording_finish(writer);
}

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

static void put_device(struct recording_writer *writer, uint32_t track, const char *name, uint64_t start, uint64_t end)
{
    recording_put(writer, 0,
                  &(struct written_record){ .kind = RECORD_TRACK_SLICE,
                                            .word = start,
                                            .id = track,
                                            .value_count = 1,
                                            .values = { end },
                                            .text = name });
}

static void put_tie(struct recording_writer *writer, uint32_t clock, uint64_t before, uint64_t ticks, uint64_t after)
{
    recording_put(writer, 0,
                  &(struct written_record){
                      .kind = RECORD_TIE, .word = before, .id = clock, .value_count = 2, .values = { ticks, after } });
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

static void put_value(struct recording_writer *writer, uint32_t thread, enum recording_kind kind, uint64_t time,
                      uint32_t site, uint64_t value, uint32_t type)
{
    recording_put(
        writer, thread,
        &(struct written_record){
            .kind = kind, .word = time, .id = site, .value_count = 1, .values = { value }, .types = { type } });
}

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

/* ---- Bad input ---------------------------------------------------------------------------------------------------- */

static status code_of(const void *data, size_t size, bool strict)
{
    struct recorder *recorder = recorder_new();
    struct input *input;
    struct source source;
    status code;

    assert_int_equal(input_open_memory("x.tacho", data, size, &input), STATUS_OK);
    code = read_input(recorder, input, "x.tacho", strict, &source);
    if (code == STATUS_OK)
        recorder_check(recorder);
    input_close(input);
    recorder_free(recorder);
    return code;
}

static void check_refused(const struct recording_writer *writer, const char *part)
{
    const void *data;
    size_t size;

    assert_true(recording_data(writer, &data, &size));
    assert_int_equal(code_of(data, size, false), STATUS_INPUT);
    assert_non_null(strstr(status_message(), part));
}

static void test_heads_that_make_no_sense_are_refused(void **state)
{
    struct recording_writer writer;

    (void)state;
    begin_simple(&writer);
    recording_head(&writer)->version = 2;
    check_refused(&writer, "a later version");
    recording_head(&writer)->version = 1;
    recording_head(&writer)->chunk_size = 4096;
    check_refused(&writer, "chunks of a size");
    recording_head(&writer)->chunk_size = RECORDING_CHUNK;
    recording_head(&writer)->clock = 77;
    check_refused(&writer, "a clock that is not known");
    recording_head(&writer)->clock = RECORDING_COUNTER;
    recording_head(&writer)->magic[0] = 'x';
    check_refused(&writer, "is no recording");
    recording_free(&writer);
}

static void test_records_that_make_no_sense_are_lost(void **state)
{
    struct recording_writer writer;
    struct source source;
    struct recorder *recorder;
    uint64_t *slot;

    (void)state;
    begin_simple(&writer);
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, UINT32_MAX);
    recording_zone(&writer, 0, RECORD_BEGIN, 1100, 0);
    recording_zone(&writer, 0, (enum recording_kind)200, 1100, 1);
    recording_zone(&writer, 0, RECORD_THREAD, 1100, 1); /* a name among events */
    slot = recording_put(&writer, 0, &(struct written_record){ .kind = RECORD_NAME, .text = "x" });
    slot[1] |= UINT64_C(0xffff) << 32; /* a text longer than the chunk */
    slot = recording_put(&writer, 0, &(struct written_record){ .kind = RECORD_NAME, .text = "x" });
    slot[1] |= UINT64_C(200) << 32; /* one that is not there */
    put_text(&writer, RECORD_ARGUMENT_TEXT, 99, 0, "a key that is longer than its text");
    put_text(&writer, RECORD_ARGUMENT_INTEGER, 5, 0, "outside");
    recording_zone(&writer, 0, RECORD_COUNTER, 1100, 1); /* without its value */
    recording_zone(&writer, 0, RECORD_BEGIN, 1200, 9);   /* a site that nobody told */
    recording_zone(&writer, 0, RECORD_END, 1300, 9);
    recorder = read_written(&writer, &source);
    assert_string_equal(recorder_text(recorder), "thread 0 | site 9 | 200..300 | site 9 | \n");
    assert_int_equal(lost_for(recorder, &recording_loss_broken), 6);
    assert_int_equal(lost_for(recorder, &recording_loss_unknown), 2);
    assert_int_equal(lost_for(recorder, &recording_loss_outside), 1);
    assert_int_equal(lost_for(recorder, &recording_loss_site), 1);
    assert_int_equal(recorder->losses.lost, 9);
    recorder_free(recorder);
    recording_free(&writer);
}

static void test_a_zone_has_so_many_arguments_at_most(void **state)
{
    struct recording_writer writer;
    char key[16];
    const void *data;
    size_t size;

    (void)state;
    begin_simple(&writer);
    recording_zone(&writer, 0, RECORD_BEGIN, 1200, 1);
    for (unsigned i = 0; i < 70; i++) {
        snprintf(key, sizeof key, "key %u", i);
        put_text(&writer, RECORD_ARGUMENT_INTEGER, i, 0, key);
    }
    recording_zone(&writer, 0, RECORD_END, 1300, 1);
    assert_true(recording_data(&writer, &data, &size));
    assert_int_equal(code_of(data, size, true), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "an argument of a zone that has 64 already"));
    recording_free(&writer);
}

/* A recording with something of everything. */
static void fill_mixed(struct recording_writer *writer)
{
    begin_simple(writer);
    recording_add_site(writer, "run", "main", "main.c", 1, SITE_RUN);
    recording_name(writer, &(struct written_record){ .kind = RECORD_CLOCK, .id = 1, .word = 1000, .text = "chip" });
    recording_name(writer, &(struct written_record){ .kind = RECORD_TRACK, .id = 1, .word = 1, .text = "chip/core" });
    recording_zone(writer, 0, RECORD_BEGIN, 1100, 3);
    put_text(writer, RECORD_ARGUMENT_TEXT, 3, 0, "keyvalue");
    recording_zone(writer, 0, RECORD_BEGIN, 1110, 1);
    put_text(writer, RECORD_FLOW, 9, 0, NULL);
    recording_zone(writer, 0, RECORD_END, 1120, 1);
    put_text(writer, RECORD_NAME, 0, 0, "late");
    put_text(writer, RECORD_INSTANT, 1125, 0, "message");
    put_value(writer, 0, RECORD_COUNTER, 1130, 1, 7, RECORDING_VALUE_SIGNED);
    put_value(writer, 1, RECORD_COUNTER, 1126, 1, 8, RECORDING_VALUE_DOUBLE);
    put_value(writer, 0, RECORD_ASYNC_BEGIN, 1130, 2, 7, RECORDING_VALUE_UNSIGNED);
    put_value(writer, 0, RECORD_ASYNC_END, 1150, 2, 7, RECORDING_VALUE_UNSIGNED);
    recording_zone(writer, 0, RECORD_FRAME, 1130, 1);
    recording_zone(writer, 0, RECORD_FRAME, 1140, 1);
    put_tie(writer, 1, 1150, 5, 1160);
    put_device(writer, 1, "kernel", 6, 7);
    recording_put(writer, 0,
                  &(struct written_record){
                      .kind = RECORD_SUM, .word = 1160, .id = 2, .value_count = 3, .values = { 1170, 5, 2 } });
    recording_zone(writer, 0, RECORD_END, 1180, 3);
    recording_zone(writer, 1, RECORD_BEGIN, 1190, 1);
}

static void test_out_of_memory_is_told(void **state)
{
    struct recording_writer writer;
    const void *data;
    size_t size;
    bool done = false;

    (void)state;
    fill_mixed(&writer);
    assert_true(recording_data(&writer, &data, &size));
    for (uint64_t nth = 1; nth < 400 && !done; nth++) {
        struct recorder *recorder = recorder_new();
        struct source source;
        struct input *input;
        status code;

        assert_int_equal(input_open_memory("x.tacho", data, size, &input), STATUS_OK);
        memory_fail_at(nth);
        code = read_input(recorder, input, "x.tacho", false, &source);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        done = code == STATUS_OK;
        input_close(input);
        recorder_free(recorder);
    }
    assert_true(done);
    recording_free(&writer);
}

/* Any byte may be any other: rows are used or lost, begins have their ends, times are in order. The recorder checks that. */
static void test_damage_is_survived(void **state)
{
    struct recording_writer writer;
    const void *data;
    unsigned char *bytes;
    size_t size;
    uint32_t random = 4711;

    (void)state;
    fill_mixed(&writer);
    assert_true(recording_data(&writer, &data, &size));
    bytes = malloc(size);
    assert_non_null(bytes);
    for (unsigned round = 0; round < 3000; round++) {
        memcpy(bytes, data, size);
        for (unsigned change = 0; change < 1 + round % 5; change++) {
            uint32_t chunk, offset;

            random = random * 1103515245u + 12345u;
            chunk = (random >> 16) % (uint32_t)(size / RECORDING_CHUNK);
            random = random * 1103515245u + 12345u;
            offset = (random >> 8) % (chunk ? 700 : 2100);
            random = random * 1103515245u + 12345u;
            bytes[chunk * RECORDING_CHUNK + offset] = (unsigned char)(random >> 16);
        }
        code_of(bytes, size - (round % 3 ? 0 : (random >> 8) % size), round % 7 == 0);
        tacho_recording_reader.probe((struct text){ (const char *)bytes, 64 }, "x");
    }
    free(bytes);
    recording_free(&writer);
}

/* ---- Files -------------------------------------------------------------------------------------------------------- */

static void write_file(const struct recording_writer *writer, const char *path)
{
    const void *data;
    size_t size;
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_true(recording_data(writer, &data, &size));
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void test_a_folder_of_recordings(void **state)
{
    char folder[] = "/tmp/recordings-XXXXXX", one[64], two[64];
    struct recording_writer writer = { 0 }, other = { 0 };
    struct recorder *recorder = recorder_new();
    const struct reader *reader;
    struct input *input;
    struct source source;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(one, sizeof one, "%s/b.tacho", folder);
    snprintf(two, sizeof two, "%s/a.tacho", folder);
    add_process(&writer, 8, 5000, 0);
    add_process(&other, 7, 3000, 0);
    write_file(&writer, one);
    write_file(&other, two);
    assert_int_equal(reader_open(folder, NULL, &input, &reader), STATUS_OK);
    assert_null(input);
    assert_ptr_equal(reader, &tacho_recording_reader);
    assert_int_equal(read_input(recorder, NULL, folder, false, &source), STATUS_OK);
    recorder_check(recorder);
    assert_int_equal(recorder->count, 4);
    assert_string_equal(heard.runs, "0.0 100..150;0.1 200..250;0.2 2100..2150;0.3 2200..2250;");
    recorder_free(recorder);
    remove(one);
    remove(two);
    assert_int_equal(tacho_recording_reader.probe_folder(folder), 0);
    remove(folder);
    recording_free(&writer);
    recording_free(&other);
}

static void test_a_plain_file_is_read_where_it_lies(void **state)
{
    char path[] = "/tmp/recording-XXXXXX";
    struct recording_writer writer;
    struct recorder *recorder = recorder_new();
    const struct reader *reader;
    struct input *input;
    struct source source;
    int file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    fclose(fdopen(file, "wb"));
    fill_mixed(&writer);
    write_file(&writer, path);
    assert_int_equal(reader_open(path, NULL, &input, &reader), STATUS_OK);
    assert_ptr_equal(reader, &tacho_recording_reader);
    input_limit_reads(777);
    assert_int_equal(read_input(recorder, input, path, false, &source), STATUS_OK);
    input_limit_reads(0);
    recorder_check(recorder);
    assert_true(recorder->count > 5);
    input_close(input);
    recorder_free(recorder);
    for (uint64_t nth = 1; nth < 30; nth++) {
        status code;

        recorder = recorder_new();
        assert_int_equal(input_open(path, &input), STATUS_OK);
        input_fail_at(nth);
        code = read_input(recorder, input, path, false, &source);
        input_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_INPUT);
        input_close(input);
        recorder_free(recorder);
    }
    remove(path);
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
        cmocka_unit_test(test_holes_and_stale_slots_are_skipped),
        cmocka_unit_test(test_damaged_chunks_are_not_used),
        cmocka_unit_test(test_a_cut_file_is_used_as_far_as_it_goes),
        cmocka_unit_test(test_empty_chunks_at_the_end),
        cmocka_unit_test(test_a_ring_keeps_the_newest),
        cmocka_unit_test(test_a_thread_goes_on_in_the_chunk_of_another),
        cmocka_unit_test(test_processes_share_an_axis),
        cmocka_unit_test(test_a_failed_launch_has_no_runs),
        cmocka_unit_test(test_runs_are_whole_zones),
        cmocka_unit_test(test_what_comes_while_it_is_read_is_not_seen),
        cmocka_unit_test(test_ticks_become_nanoseconds_by_ties),
        cmocka_unit_test(test_one_tie_does_not_tell_a_rate),
        cmocka_unit_test(test_devices_have_clocks_of_their_own),
        cmocka_unit_test(test_counters_of_threads_are_in_order),
        cmocka_unit_test(test_frames_spans_and_sums),
        cmocka_unit_test(test_frames_may_be_runs),
        cmocka_unit_test(test_what_recording_cost),
        cmocka_unit_test(test_heads_that_make_no_sense_are_refused),
        cmocka_unit_test(test_records_that_make_no_sense_are_lost),
        cmocka_unit_test(test_a_zone_has_so_many_arguments_at_most),
        cmocka_unit_test(test_out_of_memory_is_told),
        cmocka_unit_test(test_damage_is_survived),
        cmocka_unit_test(test_a_folder_of_recordings),
        cmocka_unit_test(test_a_plain_file_is_read_where_it_lies),
        cmocka_unit_test(test_any_zones_come_out_as_they_went_in),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
