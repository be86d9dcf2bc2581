/* test_trace_page.c: the page of a trace: its blocks are read back, its sums are those of what went in, and no memory is no crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "page/trace_page_blocks.h"
#include "table/table.h"
#include "trace/clock.h"
#include "trace/places.h"
#include "write/writer.h"

#include "page_reading.h"

/* ---- reading back ------------------------------------------------------------------------------------------------ */

static unsigned digit_of(char character)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = strchr(digits, character);

    assert_true(found && *found);
    return (unsigned)(found - digits);
}

static size_t decode_base64(const char *text, size_t length, unsigned char *to)
{
    size_t size = 0;

    assert_int_equal(length % 4, 0);
    for (size_t i = 0; i < length; i += 4) {
        unsigned missing = text[i + 2] == '=' ? 2 : text[i + 3] == '=' ? 1 : 0;
        unsigned group = digit_of(text[i]) << 18 | digit_of(text[i + 1]) << 12 |
                         (missing > 1 ? 0 : digit_of(text[i + 2]) << 6) | (missing ? 0 : digit_of(text[i + 3]));

        to[size++] = (unsigned char)(group >> 16);
        if (missing < 2)
            to[size++] = (unsigned char)(group >> 8);
        if (missing < 1)
            to[size++] = (unsigned char)group;
    }
    return size;
}

/* A block of a page; the caller frees it. */
static unsigned char *read_block(const char *page, struct page_place place, size_t *size)
{
    const char *mark = "class=\"tacho-blocks\">", *text = page;
    unsigned char *packed = malloc(place.length), *data;
    size_t room = 64 * 1024 * 1024;
    z_stream stream = { 0 };

    for (uint32_t i = 0; i <= place.element; i++) {
        text = strstr(text, mark);
        assert_non_null(text);
        text += strlen(mark);
    }
    assert_true(strcspn(text, "<") >= place.offset + place.length);
    data = malloc(room);
    assert_true(packed && data);
    assert_int_equal(inflateInit2(&stream, -15), Z_OK);
    stream.next_in = packed;
    stream.avail_in = (uInt)decode_base64(text + place.offset, place.length, packed);
    stream.next_out = data;
    stream.avail_out = (uInt)room;
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.avail_in, 0);
    *size = stream.total_out;
    inflateEnd(&stream);
    free(packed);
    return data;
}

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

/* ---- blocks ------------------------------------------------------------------------------------------------------- */

static void test_numbers(void **state)
{
    static const uint64_t numbers[] = { 0, 1, 127, 128, 16383, 16384, UINT32_MAX, INT64_MAX, UINT64_MAX };
    struct page_bytes bytes = { 0 };
    const unsigned char *cursor;

    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        assert_int_equal(page_bytes_number(&bytes, numbers[i]), STATUS_OK);
    cursor = bytes.data;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        assert_true(read_number(&cursor) == numbers[i]);
    assert_ptr_equal(cursor, bytes.data + bytes.count);
    page_bytes_free(&bytes);
}

/* Lengths with every rest of three, and so much that one element does not hold it. */
static void test_blocks_come_back(void **state)
{
    enum { COUNT = 12, LARGEST = 4 * 1024 * 1024 };
    static const size_t sizes[COUNT] = { 0, 1, 2, 3, 4, 5, 12288, 12289, LARGEST, 100, LARGEST / 2, 7 };
    struct page_place places[COUNT];
    unsigned char *data = malloc(LARGEST);
    struct page_blocks *blocks;
    struct output *output;
    const char *page;
    size_t length, size;

    (void)state;
    assert_non_null(data);
    srand(1);
    for (size_t i = 0; i < LARGEST; i++)
        data[i] = (unsigned char)(rand() >> 8);
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    assert_int_equal(page_blocks_new(output, &blocks), STATUS_OK);
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(page_blocks_write(blocks, data, sizes[i], &places[i]), STATUS_OK);
    page_blocks_end(blocks);
    page_blocks_end(blocks); /* does nothing more */
    page = output_memory(output, &length);
    assert_non_null(page);
    assert_string_equal(page + length - 10, "</script>\n");
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned char *read = read_block(page, places[i], &size);

        assert_int_equal(size, sizes[i]);
        assert_memory_equal(read, data, size);
        free(read);
    }
    assert_int_equal(places[7].element, 0);
    assert_int_equal(places[8].element, 1);
    assert_int_equal(places[9].element, 2);
    assert_int_equal(places[9].offset, 0);
    page_blocks_free(blocks);
    output_abandon(output);
    free(data);
}

/* ---- a trace ------------------------------------------------------------------------------------------------------ */

struct fixture {
    struct strings *strings;
    struct output *output;
    struct writer writer;
};

enum { PROCESS, LINE, GUEST, STACK, MESS, VALUES, EMPTY, TRACKS };

static const struct engine worker = { .key = "worker", .title = "Worker", .group = GROUP_COMPUTE };
static const struct engine guest = { .key = "guest", .title = "Guest", .group = GROUP_TRANSFER };

/* Steps of writing the trace, so that each of them may be the one that fails. */
#define STEP(call)                  \
    do {                            \
        status step_code = call;    \
        if (step_code != STATUS_OK) \
            return step_code;       \
    } while (0)

static status announce(struct fixture *fixture)
{
    const struct sink *sink = &fixture->writer.sink;
    static const char *const names[] = { "net", "Line", "Guest", "Stack", "Mess", "Bytes", "Empty" };
    struct clock cycles = { .numerator = 5, .denominator = 4 };
    struct op op = { .id = 0 };

    STEP(sink->calls->clock(sink->self, 0, &cycles));
    for (track_id id = 0; id < TRACKS; id++) {
        struct track track = { .id = id,
                               .parent = id == GUEST ? LINE
                                         : id        ? PROCESS
                                                     : NO_ID,
                               .order = id == STACK ? -1 : (int32_t)id,
                               .clock = id ? 0 : NO_ID,
                               .kind = id == PROCESS  ? TRACK_PROCESS
                                       : id == VALUES ? TRACK_COUNTER
                                                      : TRACK_SLICES,
                               .engine = id == PROCESS ? NULL
                                         : id == GUEST ? &guest
                                                       : &worker,
                               .unordered = id == MESS,
                               .unit = id == VALUES ? "B" : NULL,
                               .inside = id == GUEST };

        STEP(strings_add_text(fixture->strings, names[id], &track.name));
        STEP(sink->calls->track(sink->self, &track));
    }
    STEP(strings_add_text(fixture->strings, "conv", &op.name));
    STEP(strings_add_text(fixture->strings, "net.py:4", &op.location));
    STEP(sink->calls->op(sink->self, &op));
    return sink->calls->run(sink->self, &(struct run){ .id = 0, .index = 3, .clock = 0, .start = 0, .end = 800 });
}

static status push(struct fixture *fixture, track_id track, const char *name, int64_t start, int64_t end)
{
    struct slice slice = { .track = track, .op = NO_ID, .run = NO_ID, .start = start, .end = end };

    STEP(strings_add_text(fixture->strings, name, &slice.name));
    return start == end ? fixture->writer.sink.calls->instant(fixture->writer.sink.self, &slice)
                        : sink_slice(&fixture->writer.sink, &slice);
}

static status push_rich(struct fixture *fixture)
{
    static const uint32_t more[] = { 9, 4 };
    string_id key, text;
    struct slice slice = {
        .track = LINE, .op = 0, .run = 0, .start = 400, .end = 480, .flow = 2, .more_flow_count = 2
    };

    STEP(strings_add_text(fixture->strings, "rich", &slice.name));
    STEP(strings_add_text(fixture->strings, "key", &key));
    STEP(strings_add_text(fixture->strings, "{\"a\":[1]}", &text));
    slice.more_flows = more;
    slice.arguments = (const struct argument[]){
        argument_integer(key, INT64_MIN),
        { .key = key, .type = ARGUMENT_UNSIGNED, .natural = UINT64_MAX },
        { .key = key, .type = ARGUMENT_DECIMAL, .decimal = 0.5 },
        { .key = key, .type = ARGUMENT_BOOLEAN, .boolean = true },
        { .key = key, .type = ARGUMENT_POINTER, .natural = 4096 },
        { .key = key, .type = ARGUMENT_JSON, .text = text },
        argument_text(key, text),
        { .key = key, .type = ARGUMENT_INTEGER, .flags = ARGUMENT_HIDDEN, .integer = 1 },
    };
    slice.argument_count = 8;
    STEP(sink_slice(&fixture->writer.sink, &slice));
    slice.track = MESS; /* the same once more, where it is kept until the end */
    return sink_slice(&fixture->writer.sink, &slice);
}

/* Begun slices: one in another, and one that overlaps both. */
static status push_begun(struct fixture *fixture)
{
    const struct sink *sink = &fixture->writer.sink;
    struct slice slice = { .track = STACK, .op = NO_ID, .run = NO_ID, .start = 0 };

    STEP(strings_add_text(fixture->strings, "begun", &slice.name));
    STEP(sink_begin(sink, 0, NO_ID, &slice));
    slice.start = 8;
    STEP(sink_begin(sink, 1, 0, &slice));
    slice.start = 12;
    STEP(sink_begin(sink, 2, NO_ID, &slice));
    STEP(sink_end(sink, 1, 16));
    STEP(sink_end(sink, 0, 80));
    return sink_end(sink, 2, 100);
}

static status push_all(struct fixture *fixture)
{
    const struct sink *sink = &fixture->writer.sink;

    STEP(announce(fixture));
    STEP(push(fixture, LINE, "outer", 0, 80));
    STEP(push(fixture, GUEST, "inner", 8, 40));
    STEP(push(fixture, LINE, "inner", 40, 80));
    STEP(push(fixture, LINE, "over", 60, 120));
    STEP(push(fixture, LINE, "late", 20, 40));
    STEP(push(fixture, LINE, "mark", 100, 100));
    STEP(push(fixture, LINE, "mark", 40, 40));
    for (int64_t i = 20; i > 0; i--)
        STEP(push(fixture, MESS, i % 2 ? "odd" : "even", 40 * i, 40 * i + 20));
    STEP(push_rich(fixture));
    STEP(push_begun(fixture));
    for (int64_t i = 0; i < 10; i++)
        STEP(sink->calls->counter(sink->self, VALUES, i == 7 ? 4 : 8 * i, i));
    STEP(sink->calls->loss(sink->self, &(struct losses){ .lost = 5 }));
    STEP(fixture->writer.beside->note(fixture->writer.self, "net", "a </script> note"));
    STEP(fixture->writer.beside->run(fixture->writer.self,
                                     &(struct writer_run){ .start = 0, .end = 1000, .index = 3, .counted = true }));
    STEP(fixture->writer.beside->run(fixture->writer.self, &(struct writer_run){ .start = 1000, .end = 1200 }));
    return sink_finish(sink);
}

static status open_writer(struct fixture *fixture)
{
    static const char *const inputs[] = { "net" };
    const struct writer_options options = { .arguments = true, .inputs = inputs, .input_count = 1 };

    *fixture = (struct fixture){ .strings = model_strings() };
    if (!fixture->strings)
        return status_no_memory("a test");
    STEP(output_open_memory(&fixture->output));
    return page_format.open(fixture->output, fixture->strings, &options, &fixture->writer);
}

static void close_writer(struct fixture *fixture)
{
    writer_free(&fixture->writer);
    output_abandon(fixture->output);
    strings_free(fixture->strings);
}

static const char *page_of(struct fixture *fixture)
{
    size_t length;
    const char *page = output_memory(fixture->output, &length);

    assert_non_null(page);
    return page;
}

static int64_t number_at(const struct json *root, const char *key)
{
    const struct json *value = json_get(root, key);

    assert_non_null(value);
    return integer_of(value);
}

static void assert_text(const struct json *object, const char *key, const char *expected)
{
    const struct json *value = json_get(object, key);
    char text[256];

    assert_true(value && value->text.length < sizeof text);
    memcpy(text, value->text.data, value->text.length);
    text[value->text.length] = '\0';
    assert_string_equal(text, expected);
}

static struct page_place place_at(const struct json *head, const char *key)
{
    const struct json *place = json_get(json_get(head, "blocks"), key);

    return (struct page_place){ .element = (uint32_t)integer_of(at(place, 0)),
                                .offset = (uint32_t)integer_of(at(place, 1)),
                                .length = (uint32_t)integer_of(at(place, 2)) };
}

static void test_head(void **state)
{
    struct arena arena = ARENA_EMPTY;
    struct fixture fixture;
    const struct json *head, *tracks;

    (void)state;
    assert_int_equal(open_writer(&fixture), STATUS_OK);
    assert_int_equal(push_all(&fixture), STATUS_OK);
    head = page_facts(&arena, page_of(&fixture));
    assert_int_equal(number_at(json_get(head, "counts"), "slices"), 5 + 20 + 2 + 3);
    assert_int_equal(number_at(json_get(head, "counts"), "instants"), 2);
    assert_int_equal(number_at(json_get(head, "counts"), "lost"), 5);
    assert_int_equal(number_at(head, "begin"), 0);
    assert_int_equal(number_at(head, "end"), 820 * 5 / 4);
    assert_text(head, "origin", "0");
    tracks = json_get(head, "tracks");
    assert_int_equal(tracks->count, 5); /* neither the guest, which has no line, nor the one without a slice */
    assert_text(at(tracks, 0), "name", "net");
    assert_text(at(tracks, 1), "name", "Stack"); /* by order, not as announced */
    assert_text(at(tracks, 2), "name", "Line");
    assert_text(at(tracks, 4), "kind", "counter");
    assert_int_equal(number_at(at(tracks, 2), "parent"), 0);
    assert_int_equal(integer_of(at(json_get(at(tracks, 1), "rows"), 1)), 3); /* two depths, and what overlaps */
    assert_int_equal(integer_of(at(json_get(at(tracks, 2), "rows"), 1)), 6);
    assert_int_equal(json_get(head, "runs")->count, 2);
    assert_text(at(json_get(head, "runs"), 0), "name", "run 4");
    assert_non_null(json_get(at(json_get(head, "runs"), 0), "counted"));
    assert_int_equal(fixture.writer.events(fixture.writer.self), 2 * 30 + 2);
    arena_free(&arena);
    close_writer(&fixture);
}

/* By hand: "outer" has 100 ns, of which the two "inner" take 40 and 50. */
static void test_sums_of_labels(void **state)
{
    enum { FIELDS = 10 };
    static const struct {
        const char *name;
        uint64_t numbers[5]; /* count, total, self, shortest, longest */
    } expected[] = {
        { "outer", { 1, 100, 10, 100, 100 } },
        { "over", { 1, 75, 75, 75, 75 } },
        { "mark", { 2, 0, 0, 0, 0 } },
        { "odd", { 10, 250, 250, 25, 25 } },
        { "begun", { 3, 100 + 10 + 110, 90 + 10 + 110, 10, 110 } },
    };
    struct arena arena = ARENA_EMPTY;
    struct fixture fixture;
    const char *page;
    const struct json *head;
    unsigned char *labels, *texts;
    size_t label_size, text_size, found = 0;

    (void)state;
    assert_int_equal(open_writer(&fixture), STATUS_OK);
    assert_int_equal(push_all(&fixture), STATUS_OK);
    page = page_of(&fixture);
    head = page_facts(&arena, page);
    labels = read_block(page, place_at(head, "labels"), &label_size);
    texts = read_block(page, place_at(head, "texts"), &text_size);
    for (const unsigned char *cursor = labels; cursor < labels + label_size;) {
        const char *name = (const char *)texts;
        uint64_t fields[FIELDS];

        for (unsigned i = 0; i < FIELDS; i++)
            fields[i] = read_number(&cursor);
        for (uint64_t i = 0; i < fields[0]; i++)
            name += strlen(name) + 1;
        for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++) {
            if (strcmp(name, expected[i].name) != 0)
                continue;
            found++;
            for (unsigned field = 0; field < 5; field++)
                assert_int_equal(fields[5 + field], expected[i].numbers[field]);
        }
    }
    assert_int_equal(found, sizeof expected / sizeof expected[0]);
    free(labels);
    free(texts);
    arena_free(&arena);
    close_writer(&fixture);
}

/* ---- what is broken ------------------------------------------------------------------------------------------------ */

static void test_unknown_tracks_are_refused(void **state)
{
    struct fixture fixture;
    struct slice slice = { .track = 99, .op = NO_ID, .run = NO_ID };

    (void)state;
    assert_int_equal(open_writer(&fixture), STATUS_OK);
    assert_int_equal(announce(&fixture), STATUS_OK);
    assert_int_equal(sink_slice(&fixture.writer.sink, &slice), STATUS_INPUT);
    assert_int_equal(fixture.writer.sink.calls->instant(fixture.writer.sink.self, &slice), STATUS_INPUT);
    assert_int_equal(fixture.writer.sink.calls->counter(fixture.writer.sink.self, 99, 0, 0), STATUS_INPUT);
    assert_int_equal(sink_begin(&fixture.writer.sink, 0, NO_ID, &slice), STATUS_INPUT);
    assert_int_equal(sink_end(&fixture.writer.sink, 5, 0), STATUS_INPUT);
    close_writer(&fixture);
}

static void test_nothing_at_all(void **state)
{
    struct arena arena = ARENA_EMPTY;
    struct fixture fixture;
    const struct json *head;

    (void)state;
    assert_int_equal(open_writer(&fixture), STATUS_OK);
    assert_int_equal(sink_finish(&fixture.writer.sink), STATUS_OK);
    head = page_facts(&arena, page_of(&fixture));
    assert_int_equal(json_get(head, "tracks")->count, 0);
    assert_int_equal(number_at(head, "end"), 0);
    arena_free(&arena);
    close_writer(&fixture);
}

/* Every allocation fails once, and all after it: the failure is told, and nothing is left. */
static void test_without_memory(void **state)
{
    uint64_t failures = 0;
    status code = STATUS_MEMORY;

    (void)state;
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        struct fixture fixture;

        memory_fail_at(nth);
        code = open_writer(&fixture);
        if (code == STATUS_OK)
            code = push_all(&fixture);
        if (code == STATUS_OK)
            code = output_status(fixture.output);
        memory_fail_at(0);
        if (code != STATUS_OK)
            assert_int_equal(code, STATUS_MEMORY);
        failures += code != STATUS_OK;
        close_writer(&fixture);
        assert_true(nth < 100000);
    }
    assert_true(failures > 50);
}

/* The linker puts this in the place of html_has_script: a build has pages or has none, and both are tested. */
bool __real_html_has_script(void);
bool __wrap_html_has_script(void);

static bool pages_hidden;

bool __wrap_html_has_script(void)
{
    return !pages_hidden && __real_html_has_script();
}

static void test_without_pages(void **state)
{
    struct fixture fixture;

    (void)state;
    pages_hidden = true;
    assert_int_equal(open_writer(&fixture), STATUS_USAGE);
    pages_hidden = false;
    assert_non_null(strstr(status_message(), "without pages"));
    status_clear();
    close_writer(&fixture);
}

/* A place whose track has nothing on it is there, and leads nowhere. */
static void test_maps(void **state)
{
    static const char *const names[] = { "0", "1" };
    static const struct place_statistic statistics[] = { { "Busy", "ns", 100 }, { "Rate", NULL, NAN } };
    static const double values[] = { 5, NAN, 0.25, 7, 0, 0 };
    struct arena arena = ARENA_EMPTY;
    struct fixture fixture;
    struct map_place places[] = { { .column = 0, .row = 0, .track = 1 },
                                  { .column = 1, .row = 1, .track = 0, .name = "<core>" },
                                  { .column = 1, .row = 0, .track = NO_ID, .name = "memory" } };
    struct place_map map = { .name = "chip",
                             .place = "core",
                             .columns = 2,
                             .rows = 2,
                             .column_names = names,
                             .row_names = names,
                             .statistics = statistics,
                             .statistic_count = 2,
                             .places = places,
                             .place_count = 3,
                             .values = values };
    const struct json *head, *maps;

    (void)state;
    assert_int_equal(open_writer(&fixture), STATUS_OK);
    assert_int_equal(announce(&fixture), STATUS_OK);
    assert_int_equal(SINK_CALL(&fixture.writer.sink, places, &map), STATUS_OK);
    places[0].column = 9; /* it was copied */
    assert_int_equal(sink_finish(&fixture.writer.sink), STATUS_OK);
    head = page_facts(&arena, page_of(&fixture));
    maps = json_get(at(json_get(head, "maps"), 0), "places");
    assert_int_equal(number_at(at(maps, 0), "column"), 0);
    assert_int_equal(number_at(at(maps, 0), "track"), -1);
    assert_int_equal(integer_of(at(json_get(at(maps, 0), "values"), 0)), 5);
    assert_int_equal(at(json_get(at(maps, 0), "values"), 1)->type, JSON_NULL);
    assert_text(at(maps, 1), "name", "<core>");
    assert_null(json_get(at(maps, 2), "values"));
    arena_free(&arena);
    close_writer(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_blocks_come_back),
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_sums_of_labels),
        cmocka_unit_test(test_unknown_tracks_are_refused),
        cmocka_unit_test(test_nothing_at_all),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_without_pages),
        cmocka_unit_test(test_maps),
    };

    return cmocka_run_group_tests(tests, need_pages, NULL);
}
