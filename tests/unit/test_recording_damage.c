/* test_recording_damage.c: recordings that are damaged, cut off, turn in a ring or lie in files, and memory that ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recording_reading.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holes_and_stale_slots_are_skipped),
        cmocka_unit_test(test_damaged_chunks_are_not_used),
        cmocka_unit_test(test_a_cut_file_is_used_as_far_as_it_goes),
        cmocka_unit_test(test_empty_chunks_at_the_end),
        cmocka_unit_test(test_a_ring_keeps_the_newest),
        cmocka_unit_test(test_a_thread_goes_on_in_the_chunk_of_another),
        cmocka_unit_test(test_heads_that_make_no_sense_are_refused),
        cmocka_unit_test(test_records_that_make_no_sense_are_lost),
        cmocka_unit_test(test_a_zone_has_so_many_arguments_at_most),
        cmocka_unit_test(test_out_of_memory_is_told),
        cmocka_unit_test(test_damage_is_survived),
        cmocka_unit_test(test_a_folder_of_recordings),
        cmocka_unit_test(test_a_plain_file_is_read_where_it_lies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
