/* test_etdump_damage.c: the reader of ETDumps on damaged ones: cut, changed at every byte, laid out so that tables are shared; and without memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "etdump_reading.h"

/* Right or refused with a reason; never a crash. */
static void check_answer(struct reading *reading)
{
    if (reading->code == STATUS_OK)
        return;
    assert_int_equal(reading->code, STATUS_INPUT);
    assert_memory_equal(status_message(), "x.etdump: ", 10);
    assert_true(strstr(status_message(), "offset") || strstr(status_message(), "no ETDump"));
}

static void cut_everywhere(const char *data, size_t size)
{
    struct reading whole;

    read_dump_bytes(&whole, data, size);
    assert_int_equal(whole.code, STATUS_OK);
    for (size_t length = 0; length < size; length++) {
        struct reading reading;
        char *part = malloc(length ? length : 1);

        assert_non_null(part);
        memcpy(part, data, length);
        read_dump_bytes(&reading, part, length);
        check_answer(&reading);
        if (reading.code == STATUS_OK) { /* only padding was cut */
            assert_int_equal(reading.execution.losses.used, whole.execution.losses.used);
            assert_int_equal(reading.execution.events.count, whole.execution.events.count);
        } else if (length >= 12) {
            assert_non_null(strstr(status_message(), "the dump is cut"));
        }
        free_reading(&reading);
        free(part);
    }
    free_reading(&whole);
}

static void change_everywhere(const char *data, size_t size)
{
    static const unsigned char changes[] = { 0x01, 0x80, 0xFF };
    char *copy = malloc(size);

    assert_non_null(copy);
    memcpy(copy, data, size);
    for (size_t i = 0; i < size * sizeof changes; i++) {
        struct reading reading;
        size_t at = i / sizeof changes;

        copy[at] = (char)(data[at] ^ changes[i % sizeof changes]);
        read_dump_bytes(&reading, copy, size);
        check_answer(&reading);
        free_reading(&reading);
        copy[at] = data[at];
    }
    free(copy);
}

static void test_cut_and_changed_at_every_byte(void **state)
{
    static const char *const fixtures[] = { "etdump/etgen_small.etdp", "etdump/py_small.etdp",
                                            "etdump/py_debug_noalloc.etdp" };
    struct etdump_writer writer;
    const void *written;
    size_t size;

    (void)state;
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
        char *data = load_fixture(fixtures[i], &size);

        cut_everywhere(data, size);
        change_everywhere(data, size);
        free(data);
    }
    write_all(&writer);
    assert_true(etdump_finish(&writer, &written, &size));
    cut_everywhere(written, size);
    change_everywhere(written, size);
    etdump_free(&writer);
}

/* The first place of these bytes in a file. */
static char *find_bytes(char *data, size_t size, const void *bytes, size_t length)
{
    char *found = memmem(data, size, bytes, length);

    assert_non_null(found);
    return found;
}

static void test_events_that_hold_nothing(void **state)
{
    static const uint16_t vtable_of_event[] = { 6, 8, 4 };
    struct etdump_writer writer;
    struct reading reading;
    const void *data;
    char *copy;
    size_t size;

    (void)state;
    etdump_start(&writer);
    etdump_begin_block(&writer, "Execute", -1);
    add_event(&writer, "a", 0, 10, 20);
    add_event(&writer, "b", 0, 10, 20);
    assert_true(etdump_finish(&writer, &data, &size));
    copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    memset(find_bytes(copy, size, vtable_of_event, sizeof vtable_of_event) + 4, 0, 2);
    read_dump_bytes(&reading, copy, size);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.execution.losses.lost, 2);
    assert_int_equal(losses_count(&reading.execution.losses, &loss_no_event), 2);
    free_reading(&reading);

    start_reading(&reading);
    assert_int_equal(input_open_memory("x.etdump", copy, size, &reading.input), STATUS_OK);
    reading.source.strict = true;
    finish_reading(&reading);
    assert_int_equal(reading.code, STATUS_INPUT);
    assert_string_equal(status_message(), "x.etdump:1: an event that holds nothing");
    free_reading(&reading);
    free(copy);
    etdump_free(&writer);
}

static void put_32(char *data, size_t at, size_t value)
{
    uint32_t narrow = (uint32_t)value;

    memcpy(data + at, &narrow, sizeof narrow);
}

/* The beginning of a file that the tests below lay out by hand: size, root with a vector of runs at RUNS_AT, vtables. */
enum { VTABLES = 12, ROOT = VTABLES + 24, RUNS_AT = ROOT + 8 };

static char *lay_out_file(size_t size, uint32_t runs)
{
    static const uint16_t vtables[] = {
        8,  8,  0, 4,       /* root: runs */
        12, 12, 4, 0, 0, 8, /* run: name, events */
        4,  4,              /* event: nothing */
    };
    char *data = calloc(1, size);

    assert_non_null(data);
    put_32(data, 0, size - 4);
    put_32(data, 4, ROOT - 4);
    memcpy(data + 8, "ED00", 4);
    memcpy(data + VTABLES, vtables, sizeof vtables);
    put_32(data, ROOT, ROOT - VTABLES);
    put_32(data, ROOT + 4, RUNS_AT - (ROOT + 4));
    put_32(data, RUNS_AT, runs);
    return data;
}

static void check_refused(const char *data, size_t size, const char *part)
{
    struct reading reading;

    read_dump_bytes(&reading, data, size);
    assert_int_equal(reading.code, STATUS_INPUT);
    assert_non_null(strstr(status_message(), part));
    free_reading(&reading);
}

/* Runs that all are the same table, with all its events: such a file could tell of the square of its size. */
static void test_shared_tables_are_refused(void **state)
{
    enum { RUNS = 3000, EVENTS = 3000, RUN = RUNS_AT + 4 + 4 * RUNS, EVENTS_AT = RUN + 12 };
    enum { EVENT = EVENTS_AT + 4 + 4 * EVENTS, NAME = EVENT + 4 };
    size_t size = NAME + 8;
    char *data = lay_out_file(size, RUNS);
    struct reading reading;

    (void)state;
    for (size_t at = RUNS_AT + 4; at < RUN; at += 4)
        put_32(data, at, RUN - at);
    put_32(data, RUN, RUN - (VTABLES + 8));
    put_32(data, RUN + 4, NAME - (RUN + 4));
    put_32(data, RUN + 8, EVENTS_AT - (RUN + 8));
    put_32(data, EVENTS_AT, EVENTS);
    for (size_t at = EVENTS_AT + 4; at < EVENT; at += 4)
        put_32(data, at, EVENT - at);
    put_32(data, EVENT, EVENT - (VTABLES + 20));
    check_refused(data, size, "vectors with more elements than the file has room for");
    put_32(data, EVENTS_AT, 1);
    put_32(data, RUNS_AT, 2);
    read_dump_bytes(&reading, data, size); /* the same file is fine where it stays within bounds */
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(losses_count(&reading.execution.losses, &loss_no_event), 2);
    free_reading(&reading);
    free(data);
}

/* Names that begin at every fourth byte of the same bytes. */
static void test_overlapping_texts_are_refused(void **state)
{
    enum { RUNS = 3000, LENGTH = 16384, FIRST_RUN = RUNS_AT + 4 + 4 * RUNS, NAMES = FIRST_RUN + 12 * RUNS };
    size_t size = NAMES + 4 * RUNS + 4 + LENGTH + 4;
    char *data = lay_out_file(size, RUNS);

    (void)state;
    for (size_t at = NAMES; at < size - 4; at += 4)
        put_32(data, at, LENGTH);
    for (size_t i = 0; i < RUNS; i++) {
        size_t run = FIRST_RUN + 12 * i;

        put_32(data, RUNS_AT + 4 + 4 * i, run - (RUNS_AT + 4 + 4 * i));
        put_32(data, run, run - (VTABLES + 8));
        put_32(data, run + 4, NAMES + 4 * i - (run + 4));
        put_32(data, run + 8, size - 4 - (run + 8)); /* no events */
    }
    check_refused(data, size, "texts that overlap each other");
    free(data);
}

static void test_out_of_memory(void **state)
{
    struct etdump_writer writer;
    const void *data;
    size_t size;
    bool done = false;

    (void)state;
    write_all(&writer);
    assert_true(etdump_finish(&writer, &data, &size));
    for (uint64_t nth = 1; nth < 100 && !done; nth++) {
        struct reading reading;

        start_reading(&reading);
        assert_int_equal(input_open_memory("x.etdump", data, size, &reading.input), STATUS_OK);
        memory_fail_at(nth);
        finish_reading(&reading);
        memory_fail_at(0);
        assert_true(reading.code == STATUS_OK || reading.code == STATUS_MEMORY);
        done = reading.code == STATUS_OK;
        free_reading(&reading);
    }
    assert_true(done);
    etdump_free(&writer);
}

/* Names are guessed by what came before: whatever the order, each event must get its own operator. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_and_changed_at_every_byte),
        cmocka_unit_test(test_events_that_hold_nothing),
        cmocka_unit_test(test_shared_tables_are_refused),
        cmocka_unit_test(test_overlapping_texts_are_refused),
        cmocka_unit_test(test_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
