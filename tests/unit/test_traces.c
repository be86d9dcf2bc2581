/* test_traces.c: a served trace: tiles are what the slices say, blocks come back, and it may grow and forget while it is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "serve/kept.h"
#include "serve/traces.h"
#include "trace/model.h"

enum { SLICES = 20000, MOST_COLUMNS = 700 };

struct made {
    int64_t start, end; /* ns */
    uint32_t label;     /* 0, 1, 2 */
};

static uint64_t dice_state = 1;

static uint64_t roll(uint64_t sides)
{
    dice_state = dice_state * 6364136223846793005u + 1442695040888963407u;
    return (dice_state >> 33) % sides;
}

/* ---- a trace with two tracks ---------------------------------------------------------------------------------------- */

struct fixture {
    struct strings *strings;  /* of all names */
    struct kept_trace *trace; /* what is tested */
    struct writer writer;     /* into it */
    string_id names[3];       /* of labels */
};

static status open_trace(struct fixture *fixture)
{
    const struct writer_options options = { .arguments = true };
    status code;

    *fixture = (struct fixture){ .strings = strings_new() };
    if (!fixture->strings)
        return status_no_memory("a test");
    code = kept_trace_new(&fixture->trace);
    if (code == STATUS_OK)
        code = kept_trace_open(fixture->trace, fixture->strings, &options, &fixture->writer);
    for (unsigned i = 0; i < 3 && code == STATUS_OK; i++)
        code = strings_add_format(fixture->strings, &fixture->names[i], "name %u", i);
    for (track_id i = 0; i < 3 && code == STATUS_OK; i++) {
        struct track track = { .id = i,
                               .parent = NO_ID,
                               .order = (int32_t)i,
                               .clock = NO_ID,
                               .kind = i < 2 ? TRACK_SLICES : TRACK_COUNTER,
                               .engine = i < 2 ? &engine_custom : &engine_counter };

        code = fixture->writer.sink.calls->track(fixture->writer.sink.self, &track);
    }
    return code;
}

static void close_trace(struct fixture *fixture)
{
    writer_free(&fixture->writer);
    kept_trace_drop(fixture->trace);
    strings_free(fixture->strings);
}

static status push(struct fixture *fixture, track_id track, struct made made, bool rich)
{
    const struct argument argument = { .key = fixture->names[1], .type = ARGUMENT_INTEGER, .integer = 7 };
    const struct slice slice = { .track = track,
                                 .name = fixture->names[made.label],
                                 .op = NO_ID,
                                 .run = NO_ID,
                                 .start = made.start,
                                 .end = made.end,
                                 .arguments = rich ? &argument : NULL,
                                 .argument_count = rich };

    return sink_slice(&fixture->writer.sink, &slice);
}

/* Slices that do not touch, some far from each other. */
static void make(struct made *list, size_t count, int64_t at)
{
    for (size_t i = 0; i < count; i++) {
        list[i].start = at + 1 + (int64_t)roll(roll(50) ? 40 : 4000);
        list[i].end = at = list[i].start + (int64_t)roll(roll(50) ? 60 : 9000);
        list[i].label = (uint32_t)roll(3);
    }
}

/* ---- reading answers ------------------------------------------------------------------------------------------------ */

static uint64_t read_number(const unsigned char **cursor)
{
    uint64_t value = 0;

    for (unsigned shift = 0;; shift += 7) {
        unsigned char byte = *(*cursor)++;

        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return value;
    }
}

static int64_t edge(const struct tiles *tiles, uint32_t column)
{
    return tiles->from + (tiles->to - tiles->from) * column / tiles->columns;
}

/* As slowly and plainly as can be. */
static struct kept_cell slow(const struct made *list, size_t count, int64_t from, int64_t to)
{
    struct kept_cell cell = { 0 };

    for (size_t i = 0; i < count; i++) {
        int64_t start = list[i].start > from ? list[i].start : from, end = list[i].end < to ? list[i].end : to;

        if (list[i].start >= to || (list[i].end <= from && list[i].start < from))
            continue;
        cell.count++;
        cell.busy += end > start ? (uint64_t)(end - start) : 0;
    }
    return cell;
}

/* What is written of one row is what its slices say. */
static void check_row(const unsigned char **cursor, const struct tiles *tiles, const struct made *list, size_t count)
{
    uint64_t empty = 0, wide, long_ones = 0;

    for (uint32_t k = 0; k < tiles->columns; k++) {
        struct kept_cell wanted = slow(list, count, edge(tiles, k), edge(tiles, k + 1));
        uint64_t there = empty ? 0 : read_number(cursor);

        assert_int_equal(there, wanted.count);
        if (there) {
            assert_int_equal(read_number(cursor), wanted.busy);
            assert_true(read_number(cursor) < 3);
        } else {
            empty = (empty ? empty : read_number(cursor)) - 1;
        }
    }
    assert_int_equal(empty, 0);
    for (size_t i = 0; i < count && tiles->wide; i++)
        long_ones += list[i].start < tiles->to && list[i].end > tiles->from &&
                     (uint64_t)(list[i].end - list[i].start) >= tiles->wide;
    wide = read_number(cursor);
    /* Those that are longer than two columns are all there. */
    if (tiles->wide > 2 * (uint64_t)(tiles->to - tiles->from) / tiles->columns + 2)
        assert_int_equal(wide, long_ones);
    for (; wide; wide--) {
        read_number(cursor);
        assert_true(read_number(cursor) >= tiles->wide);
        assert_true(read_number(cursor) < 3);
    }
}

static void check_tiles(struct kept_trace *trace, const struct tiles *tiles, const struct made *const lists[],
                        const size_t *counts)
{
    const unsigned char *cursor, *end;
    struct output *output;
    size_t length;

    assert_int_equal(output_open_memory(&output), STATUS_OK);
    assert_int_equal(kept_trace_write_tiles(trace, tiles, output), STATUS_OK);
    cursor = (const unsigned char *)output_memory(output, &length);
    end = cursor + length;
    for (uint32_t i = 0; i < tiles->row_count; i++)
        check_row(&cursor, tiles, lists[tiles->rows[i]], counts[tiles->rows[i]]);
    assert_ptr_equal(cursor, end);
    output_abandon(output);
}

/* ---- tests ---------------------------------------------------------------------------------------------------------- */

static void test_tiles(void **state)
{
    static struct made one[SLICES], other[SLICES];
    const struct made *const lists[] = { one, other };
    const size_t counts[] = { SLICES, SLICES };
    struct fixture fixture;
    struct kept_trace_state told;

    (void)state;
    make(one, SLICES, 1000);
    make(other, SLICES, 5000);
    assert_int_equal(open_trace(&fixture), STATUS_OK);
    for (size_t i = 0; i < SLICES; i++) {
        assert_int_equal(push(&fixture, 0, one[i], false), STATUS_OK);
        assert_int_equal(push(&fixture, 1, other[i], i % 100 == 0), STATUS_OK);
    }
    assert_int_equal(kept_trace_state(fixture.trace).generation, 0);
    assert_int_equal(sink_finish(&fixture.writer.sink), STATUS_OK);
    told = kept_trace_state(fixture.trace);
    assert_true(told.generation == 1 && told.finished && told.slices == 2 * SLICES && !told.forgotten);
    assert_true(told.begin == one[0].start || told.begin == other[0].start);
    for (unsigned i = 0; i < 60; i++) {
        int64_t span = 1 + (int64_t)roll((uint64_t)(told.end - told.begin) >> roll(16));
        int64_t from = told.begin - 50 + (int64_t)roll((uint64_t)(told.end - told.begin));
        struct tiles tiles = { .from = from,
                               .to = from + span,
                               .columns = 1 + (uint32_t)roll(MOST_COLUMNS),
                               .wide = roll(3) * roll(9000),
                               .rows = { (uint32_t)roll(2), 1 },
                               .row_count = 1 + (uint32_t)roll(2) };

        check_tiles(fixture.trace, &tiles, lists, counts);
    }
    close_trace(&fixture);
}

static void test_large_times(void **state)
{
    /* A chunk over more than four seconds, and times that a browser cannot count. */
    static struct made list[1000];
    const struct made *const lists[] = { list };
    const size_t counts[] = { 1000 };
    const int64_t away = (int64_t)1700000000 * 1000000000;
    struct fixture fixture;
    struct kept_trace_state told;

    (void)state;
    make(list, 1000, 0);
    for (size_t i = 0; i < 1000; i++) {
        list[i].start *= 10000;
        list[i].end *= 10000;
    }
    assert_int_equal(open_trace(&fixture), STATUS_OK);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(
            push(&fixture, 0, (struct made){ list[i].start + away, list[i].end + away, list[i].label }, false),
            STATUS_OK);
    assert_int_equal(sink_finish(&fixture.writer.sink), STATUS_OK);
    told = kept_trace_state(fixture.trace);
    assert_true(told.origin == list[0].start + away && told.begin == 0);
    for (size_t i = 0; i < 1000; i++) {
        list[i].end -= told.origin - away;
        list[i].start -= told.origin - away;
    }
    check_tiles(fixture.trace,
                &(struct tiles){ .from = 0, .to = told.end, .columns = 333, .rows = { 0 }, .row_count = 1 }, lists,
                counts);
    close_trace(&fixture);
}

static char *head_of(struct kept_trace *trace, uint64_t after)
{
    struct output *output;
    char *copy;

    assert_int_equal(output_open_memory(&output), STATUS_OK);
    kept_trace_write_head(trace, after, output);
    copy = memory_copy_text(output_memory(output, &(size_t){ 0 }));
    assert_non_null(copy);
    output_abandon(output);
    return copy;
}

/* A block that the head names, unpacked. The caller frees it. */
static unsigned char *block_of(struct kept_trace *trace, const char *key, size_t *size)
{
    char *head = head_of(trace, 0), wanted[64];
    unsigned element, offset, length;
    unsigned char *data = malloc(1 << 20);
    struct output *output;
    z_stream stream = { 0 };
    size_t packed;
    const char *place;

    snprintf(wanted, sizeof wanted, "\"%s\":", key);
    place = strstr(strstr(head, "\"blocks\""), wanted);
    assert_true(data && place);
    place += strcspn(place, "[");
    assert_int_equal(sscanf(place, "[%u, %u, %u]", &element, &offset, &length), 3);
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    assert_int_equal(kept_trace_write_block(trace, element, offset, length, output), STATUS_OK);
    stream.next_in = (unsigned char *)(uintptr_t)output_memory(output, &packed);
    assert_int_equal(packed, length);
    stream.avail_in = (uInt)packed;
    stream.next_out = data;
    stream.avail_out = 1 << 20;
    assert_int_equal(inflateInit2(&stream, -15), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    *size = stream.total_out;
    inflateEnd(&stream);
    output_clear(output);
    assert_int_equal(kept_trace_write_block(trace, element, offset, length + 1, output), STATUS_NO);
    assert_int_equal(kept_trace_write_block(trace, element, offset + 1, length, output), STATUS_NO);
    output_abandon(output);
    memory_free(head);
    return data;
}

/* What was published can be asked for, however it goes on; what is forgotten is not there, and takes no memory. */
static void test_growing(void **state)
{
    enum { ROUNDS = 60, EACH = 500 };
    static struct made list[ROUNDS * EACH];
    const struct made *lists[1];
    struct fixture fixture;
    uint64_t most = 0;
    char *head;

    (void)state;
    make(list, ROUNDS * EACH, 0);
    assert_int_equal(open_trace(&fixture), STATUS_OK);
    for (size_t round = 0; round < ROUNDS; round++) {
        const struct made *last = &list[(round + 1) * EACH - 1];
        size_t first = round < 10 ? 0 : (round - 9) * EACH;
        struct kept_trace_state told;

        for (size_t i = round * EACH; i < (round + 1) * EACH; i++)
            assert_int_equal(push(&fixture, 0, list[i], i % 7 == 0), STATUS_OK);
        for (int64_t i = 0; i < 10; i++)
            assert_int_equal(fixture.writer.sink.calls->counter(fixture.writer.sink.self, 2, last->end - 10 + i, i),
                             STATUS_OK);
        if (round >= 10)
            kept_trace_forget(fixture.trace, list[first].start);
        assert_int_equal(kept_trace_publish(&fixture.writer, last->end), STATUS_OK);
        told = kept_trace_state(fixture.trace);
        assert_true(told.generation == round + 1 && !told.finished && told.end == last->end);
        assert_int_equal(told.slices, (round + 1) * EACH - first);
        assert_int_equal(told.begin, list[first].start);
        lists[0] = list + first;
        check_tiles(fixture.trace,
                    &(struct tiles){ .generation = told.generation,
                                     .from = told.begin,
                                     .to = told.end,
                                     .columns = 97,
                                     .rows = { 0 },
                                     .row_count = 1 },
                    lists, (const size_t[]){ (round + 1) * EACH - first });
        if (round == 20)
            most = told.bytes;
        assert_true(round < 20 || told.bytes < most + most / 4);
    }
    head = head_of(fixture.trace, ROUNDS);
    assert_true(strncmp(head, "{\"generation\": 60, \"finished\": false, \"forgotten\": ", 51) == 0 &&
                !strstr(head, "tracks"));
    memory_free(head);
    close_trace(&fixture);
}

/* A slice that has not ended is for the publishing after its end, and so is what it carries. */
static void test_open_slices(void **state)
{
    const struct argument argument = { .type = ARGUMENT_INTEGER, .integer = 7 };
    struct fixture fixture;
    struct slice slice = { .op = NO_ID, .run = NO_ID, .argument_count = 1 };
    unsigned char *index;
    size_t size;

    (void)state;
    assert_int_equal(open_trace(&fixture), STATUS_OK);
    slice.arguments = &argument;
    slice.name = fixture.names[0];
    for (int64_t i = 0; i < 6; i++) {
        slice.start = 100 * i;
        slice.argument_count = i % 2 == 0;
        assert_int_equal(sink_begin(&fixture.writer.sink, (open_id)0, NO_ID, &slice), STATUS_OK);
        assert_int_equal(kept_trace_publish(&fixture.writer, 100 * i), STATUS_OK);
        assert_int_equal(kept_trace_state(fixture.trace).slices, i);
        assert_int_equal(sink_end(&fixture.writer.sink, 0, 100 * i + 50), STATUS_OK);
    }
    assert_int_equal(sink_finish(&fixture.writer.sink), STATUS_OK);
    index = block_of(fixture.trace, "index", &size);
    {
        const unsigned char *cursor = index;

        assert_int_equal(read_number(&cursor), 1); /* a row */
        for (unsigned i = 0; i < 3; i++)
            read_number(&cursor);
        assert_int_equal(read_number(&cursor), 6); /* chunks */
        for (unsigned i = 0; i < 6; i++) {
            uint64_t carried = 0;

            assert_int_equal(read_number(&cursor), 1);
            for (unsigned number = 0; number < 9; number++)
                carried = read_number(&cursor);
            assert_int_equal(carried != 0, i % 2 == 0);
        }
        assert_ptr_equal(cursor, index + size);
    }
    free(index);
    close_trace(&fixture);
}

static void test_what_is_not_there(void **state)
{
    struct tiles tiles = { .from = 0, .to = 100, .columns = 10, .rows = { 0 }, .row_count = 1 };
    struct fixture fixture;
    struct output *output;

    (void)state;
    assert_int_equal(open_trace(&fixture), STATUS_OK);
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    assert_int_equal(kept_trace_write_tiles(fixture.trace, &tiles, output), STATUS_NO);
    assert_int_equal(push(&fixture, 0, (struct made){ 10, 20, 0 }, false), STATUS_OK);
    assert_int_equal(sink_finish(&fixture.writer.sink), STATUS_OK);
    assert_int_equal(kept_trace_write_tiles(fixture.trace, &tiles, output), STATUS_OK);
    tiles.rows[0] = 1;
    assert_int_equal(kept_trace_write_tiles(fixture.trace, &tiles, output), STATUS_NO);
    tiles.rows[0] = 0;
    tiles.generation = 2;
    assert_int_equal(kept_trace_write_tiles(fixture.trace, &tiles, output), STATUS_NO);
    tiles.generation = 1;
    tiles.to = 0;
    assert_int_equal(kept_trace_write_tiles(fixture.trace, &tiles, output), STATUS_USAGE);
    tiles.to = 100;
    tiles.columns = TILE_COLUMNS + 1;
    assert_int_equal(kept_trace_write_tiles(fixture.trace, &tiles, output), STATUS_USAGE);
    tiles.columns = 0;
    assert_int_equal(kept_trace_write_tiles(fixture.trace, &tiles, output), STATUS_USAGE);
    output_abandon(output);
    close_trace(&fixture);
}

/* ---- by several threads ---------------------------------------------------------------------------------------------- */

struct asking {
    struct kept_trace *trace; /* held by the test */
    uint64_t answers;         /* tiles that were there */
};

static void *ask_while_it_grows(void *context)
{
    struct asking *asking = context;
    struct kept_trace_state told;

    do {
        struct output *output;
        struct tiles tiles = { .columns = 100, .rows = { 0 }, .row_count = 1, .wide = 10 };
        status code;

        told = kept_trace_state(asking->trace);
        if (!told.generation || output_open_memory(&output) != STATUS_OK)
            continue;
        tiles.from = told.begin;
        tiles.to = told.end + 1;
        code = kept_trace_write_tiles(asking->trace, &tiles, output);
        asking->answers += code == STATUS_OK;
        kept_trace_write_head(asking->trace, told.generation - 1, output);
        /* One that may be there, or not any more. */
        code = kept_trace_write_block(asking->trace, (uint32_t)(asking->answers % 50), 0, 20, output);
        output_abandon(output);
    } while (!told.finished);
    return NULL;
}

static void test_asked_while_it_grows(void **state)
{
    enum { ASKERS = 3, ROUNDS = 200, EACH = 50 };
    static struct made list[ROUNDS * EACH];
    struct asking asking[ASKERS];
    pthread_t threads[ASKERS];
    struct fixture fixture;

    (void)state;
    make(list, ROUNDS * EACH, 0);
    assert_int_equal(open_trace(&fixture), STATUS_OK);
    for (unsigned i = 0; i < ASKERS; i++) {
        asking[i] = (struct asking){ .trace = fixture.trace };
        assert_int_equal(pthread_create(&threads[i], NULL, ask_while_it_grows, &asking[i]), 0);
    }
    for (size_t i = 0; i < ROUNDS * EACH; i++) {
        assert_int_equal(push(&fixture, 0, list[i], i % 3 == 0), STATUS_OK);
        if (i % EACH)
            continue;
        kept_trace_forget(fixture.trace, i < 20 * EACH ? INT64_MIN : list[i - 20 * EACH].start);
        assert_int_equal(kept_trace_publish(&fixture.writer, list[i].start), STATUS_OK);
    }
    assert_int_equal(sink_finish(&fixture.writer.sink), STATUS_OK);
    for (unsigned i = 0; i < ASKERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(asking[i].answers > 0);
    }
    close_trace(&fixture);
}

/* ---- without memory -------------------------------------------------------------------------------------------------- */

static status fill_all(struct fixture *fixture)
{
    status code = open_trace(fixture);

    for (int64_t i = 0; i < 40 && code == STATUS_OK; i++) {
        code = push(fixture, (track_id)(i % 2), (struct made){ 10 * i, 10 * i + 8, 0 }, i % 3 == 0);
        if (code == STATUS_OK && i == 20)
            code = kept_trace_publish(&fixture->writer, 10 * i);
    }
    return code == STATUS_OK ? sink_finish(&fixture->writer.sink) : code;
}

static void test_without_memory(void **state)
{
    status code = STATUS_MEMORY;

    (void)state;
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        struct fixture fixture;

        memory_fail_at(nth);
        code = fill_all(&fixture);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        if (fixture.writer.free)
            writer_free(&fixture.writer);
        kept_trace_drop(fixture.trace);
        strings_free(fixture.strings);
        assert_true(nth < 100000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_large_times),
        cmocka_unit_test(test_growing),
        cmocka_unit_test(test_open_slices),
        cmocka_unit_test(test_what_is_not_there),
        cmocka_unit_test(test_asked_while_it_grows),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
