/* test_lines.c: lines come out the same however the input is cut or packed; records can grow over lines and shrink back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/lines.h"
#include "base/memory.h"

static const size_t limits[] = { 0, 1, 2, 3, 7, 64, 1000, 65536 };
enum { LIMITS = sizeof limits / sizeof limits[0] };

static uint64_t random_state = 42;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

struct reading {
    struct input *input;
    struct lines *lines;
    struct line line;
    bool found;
};

static void open_bytes(struct reading *reading, const void *data, size_t size)
{
    assert_int_equal(input_open_memory("m", data, size, &reading->input), STATUS_OK);
    assert_int_equal(lines_open(reading->input, &reading->lines), STATUS_OK);
}

static void close_reading(struct reading *reading)
{
    lines_close(reading->lines);
    input_close(reading->input);
}

static void expect_line(struct reading *reading, const char *expected, uint64_t number, bool ended)
{
    assert_int_equal(lines_next(reading->lines, &reading->line, &reading->found), STATUS_OK);
    assert_true(reading->found);
    assert_int_equal(reading->line.length, strlen(expected));
    assert_memory_equal(reading->line.data, expected, strlen(expected));
    assert_int_equal(reading->line.number, number);
    assert_int_equal(reading->line.ended, ended);
    assert_false(reading->line.too_long);
}

static void expect_no_line(struct reading *reading)
{
    for (int again = 0; again < 2; again++) {
        assert_int_equal(lines_next(reading->lines, &reading->line, &reading->found), STATUS_OK);
        assert_false(reading->found);
    }
}

static void expect_extended(struct reading *reading, const char *expected, bool ended)
{
    assert_int_equal(lines_extend(reading->lines, &reading->line, &reading->found), STATUS_OK);
    assert_true(reading->found);
    assert_int_equal(reading->line.length, strlen(expected));
    assert_memory_equal(reading->line.data, expected, strlen(expected));
    assert_int_equal(reading->line.ended, ended);
}

static void expect_not_extended(struct reading *reading, const char *expected)
{
    assert_int_equal(lines_extend(reading->lines, &reading->line, &reading->found), STATUS_OK);
    assert_false(reading->found);
    assert_int_equal(reading->line.length, strlen(expected));
    assert_memory_equal(reading->line.data, expected, strlen(expected));
}

static void expect_peek(struct reading *reading, const char *expected)
{
    struct text next;

    assert_int_equal(lines_peek(reading->lines, &reading->line, &next, &reading->found), STATUS_OK);
    assert_int_equal(reading->found, expected != NULL);
    if (!expected)
        return;
    assert_int_equal(next.length, strlen(expected));
    assert_memory_equal(next.data, expected, next.length);
}

static int reset(void **state)
{
    (void)state;
    input_limit_reads(0);
    input_fail_at(0);
    memory_fail_at(0);
    return 0;
}

static void line_ends(void **state)
{
    static const char bytes[] = "one\ntwo\r\n\n\r\n\rx\r\r\nlast\r";

    (void)state;
    for (size_t i = 0; i < LIMITS; i++) {
        struct reading reading;

        input_limit_reads(limits[i]);
        open_bytes(&reading, bytes, sizeof bytes - 1);
        expect_line(&reading, "one", 1, true);
        expect_line(&reading, "two", 2, true);
        expect_line(&reading, "", 3, true);
        expect_line(&reading, "", 4, true);
        expect_line(&reading, "\rx\r", 5, true); /* only the CR right before the LF belongs to the line end */
        expect_line(&reading, "last\r", 6, false);
        expect_no_line(&reading);
        close_reading(&reading);
    }
}

static void the_end_of_the_input(void **state)
{
    struct reading reading;

    (void)state;
    open_bytes(&reading, "", 0);
    expect_no_line(&reading);
    close_reading(&reading);
    open_bytes(&reading, "\n", 1);
    expect_line(&reading, "", 1, true);
    expect_no_line(&reading);
    close_reading(&reading);
    open_bytes(&reading, "a\n", 2);
    expect_line(&reading, "a", 1, true);
    expect_no_line(&reading);
    close_reading(&reading);
    open_bytes(&reading, "a", 1);
    expect_line(&reading, "a", 1, false);
    expect_no_line(&reading);
    close_reading(&reading);
}

static void a_byte_order_mark_is_skipped(void **state)
{
    (void)state;
    for (size_t i = 0; i < LIMITS; i++) {
        struct reading reading;

        input_limit_reads(limits[i]);
        open_bytes(&reading, "\xEF\xBB\xBFid\n\xEF\xBB\xBFx", 10);
        expect_line(&reading, "id", 1, true);
        expect_line(&reading, "\xEF\xBB\xBFx", 2, false); /* only at the start */
        close_reading(&reading);
        open_bytes(&reading, "\xEF\xBB\xBF", 3);
        expect_no_line(&reading);
        close_reading(&reading);
        open_bytes(&reading, "\xEF\xBB", 2);
        expect_line(&reading, "\xEF\xBB", 1, false);
        close_reading(&reading);
        open_bytes(&reading, "\xEF\xBB\n", 3);
        expect_line(&reading, "\xEF\xBB", 1, true);
        close_reading(&reading);
        open_bytes(&reading, "\n\n", 2);
        expect_line(&reading, "", 1, true);
        expect_line(&reading, "", 2, true);
        expect_no_line(&reading);
        close_reading(&reading);
    }
}

static void records_over_several_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < LIMITS; i++) {
        struct reading reading;

        input_limit_reads(limits[i]);
        open_bytes(&reading, "a\nb\r\nc\n\nd\ne", 11);
        expect_line(&reading, "a", 1, true);
        expect_peek(&reading, "b");
        expect_extended(&reading, "a\nb", true);
        expect_peek(&reading, "c");
        expect_extended(&reading, "a\nb\r\nc", true); /* the line ends inside stay as they were */
        assert_int_equal(reading.line.number, 1);
        expect_line(&reading, "", 4, true);
        expect_line(&reading, "d", 5, true);
        expect_extended(&reading, "d\ne", false);
        expect_peek(&reading, NULL);
        expect_not_extended(&reading, "d\ne");
        expect_no_line(&reading);
        close_reading(&reading);
    }
}

static void added_lines_are_given_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < LIMITS; i++) {
        struct reading reading;

        input_limit_reads(limits[i]);
        open_bytes(&reading, "zero\r\na\r\nb\nc", 12);
        expect_line(&reading, "zero", 1, true);
        expect_line(&reading, "a", 2, true);
        lines_retract(reading.lines, &reading.line); /* nothing was added */
        assert_int_equal(reading.line.length, 1);
        expect_extended(&reading, "a\r\nb", true);
        expect_extended(&reading, "a\r\nb\nc", false);
        expect_not_extended(&reading, "a\r\nb\nc");
        lines_retract(reading.lines, &reading.line);
        assert_int_equal(reading.line.length, 1);
        assert_memory_equal(reading.line.data, "a", 1);
        assert_int_equal(reading.line.number, 2);
        assert_true(reading.line.ended);
        expect_extended(&reading, "a\r\nb", true); /* and once more */
        lines_retract(reading.lines, &reading.line);
        expect_line(&reading, "b", 3, true);
        expect_line(&reading, "c", 4, false);
        expect_no_line(&reading);
        close_reading(&reading);
    }
}

static void a_last_newline_is_no_next_line(void **state)
{
    struct reading reading;

    (void)state;
    open_bytes(&reading, "a\n", 2);
    expect_line(&reading, "a", 1, true);
    expect_peek(&reading, NULL);
    expect_not_extended(&reading, "a");
    expect_no_line(&reading);
    close_reading(&reading);
}

/* `length` times 'x' with `end` behind it and "next\n" after that. */
static char *long_bytes(size_t length, const char *end, size_t *size)
{
    char *bytes = malloc(length + 16);

    assert_non_null(bytes);
    memset(bytes, 'x', length);
    memcpy(bytes + length, end, strlen(end));
    memcpy(bytes + length + strlen(end), "next\n", 5);
    *size = length + strlen(end) + (*end ? 5 : 0);
    return bytes;
}

static void expect_long(size_t length, const char *end, bool too_long)
{
    size_t size;
    char *bytes = long_bytes(length, end, &size);
    /* The last one divides LINES_LONGEST + 1: a read then ends between CR and LF of the longest line. */
    static const size_t cuts[] = { 0, 65536, 1048573, 10565 };

    for (size_t cut = 0; cut < 4; cut++) {
        struct reading reading;

        input_limit_reads(cuts[cut]);
        open_bytes(&reading, bytes, size);
        assert_int_equal(lines_next(reading.lines, &reading.line, &reading.found), STATUS_OK);
        assert_true(reading.found);
        assert_int_equal(reading.line.too_long, too_long);
        assert_int_equal(reading.line.length, too_long ? LINES_LONGEST : length);
        assert_int_equal(reading.line.ended, *end != '\0');
        assert_memory_equal(reading.line.data, bytes, reading.line.length);
        if (*end) {
            expect_peek(&reading, "next");
            expect_line(&reading, "next", 2, true);
        }
        expect_no_line(&reading);
        close_reading(&reading);
    }
    free(bytes);
}

static void lines_longer_than_the_longest_are_cut(void **state)
{
    static const char *const ends[] = { "\n", "\r\n", "" };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        expect_long(1024 * 1024 + 5, ends[i], false);
        expect_long(LINES_LONGEST - 1, ends[i], false);
        expect_long(LINES_LONGEST, ends[i], false);
        expect_long(LINES_LONGEST + 1, ends[i], true);
        expect_long(LINES_LONGEST + 2, ends[i], true);
        expect_long((size_t)3 * LINES_LONGEST, ends[i], true);
    }
}

/* Extending stops where the whole would be too long; the next line is still there. */
static void records_longer_than_the_longest_do_not_grow(void **state)
{
    (void)state;
    for (size_t less = 0; less < 8; less++) {
        size_t first = LINES_LONGEST - less;
        bool fits = less >= 5; /* a newline and "next" */
        size_t size;
        char *bytes = long_bytes(first, "\n", &size);
        struct reading reading;

        open_bytes(&reading, bytes, size);
        assert_int_equal(lines_next(reading.lines, &reading.line, &reading.found), STATUS_OK);
        expect_peek(&reading, "next");
        assert_int_equal(lines_extend(reading.lines, &reading.line, &reading.found), STATUS_OK);
        assert_int_equal(reading.found, fits);
        assert_int_equal(reading.line.length, fits ? first + 5 : first);
        assert_memory_equal(reading.line.data, bytes, reading.line.length);
        lines_retract(reading.lines, &reading.line);
        assert_int_equal(reading.line.length, first);
        expect_line(&reading, "next", 2, true);
        close_reading(&reading);
        free(bytes);
    }
}

/* The edge again, for a line that a peek has brought into the buffer before it is asked for. */
static void peeked_lines_are_cut_at_the_same_length(void **state)
{
    (void)state;
    for (size_t more = 0; more < 6; more++) {
        size_t length = LINES_LONGEST + more / 2;
        bool with_return = more % 2;
        size_t size = 2 + length + with_return + 1;
        char *bytes = malloc(size);
        struct reading reading;
        struct text next;

        assert_non_null(bytes);
        memset(bytes, 'p', size);
        bytes[1] = bytes[size - 1] = '\n';
        if (with_return)
            bytes[size - 2] = '\r';
        open_bytes(&reading, bytes, size);
        expect_line(&reading, "p", 1, true);
        assert_int_equal(lines_peek(reading.lines, &reading.line, &next, &reading.found), STATUS_OK);
        assert_int_equal(next.length, LINES_LONGEST);
        assert_int_equal(lines_next(reading.lines, &reading.line, &reading.found), STATUS_OK);
        assert_true(reading.found);
        assert_int_equal(reading.line.length, LINES_LONGEST);
        assert_int_equal(reading.line.too_long, length > LINES_LONGEST);
        assert_true(reading.line.ended);
        expect_no_line(&reading);
        close_reading(&reading);
        free(bytes);
    }
}

/* A line that is too long cannot be extended, and a peek at one shows its beginning. */
static void too_long_lines_next_to_others(void **state)
{
    size_t size = (size_t)5 * 1024 * 1024;
    char *bytes = malloc(size + 16);
    struct reading reading;
    struct text next;

    (void)state;
    assert_non_null(bytes);
    memcpy(bytes, "ab\n", 3);
    memset(bytes + 3, 'y', size);
    memcpy(bytes + 3 + size, "\ncd", 3);
    open_bytes(&reading, bytes, size + 6);
    expect_line(&reading, "ab", 1, true);
    assert_int_equal(lines_peek(reading.lines, &reading.line, &next, &reading.found), STATUS_OK);
    assert_true(reading.found);
    assert_int_equal(next.length, LINES_LONGEST);
    assert_memory_equal(reading.line.data, "ab", 2);
    expect_not_extended(&reading, "ab");
    assert_int_equal(lines_next(reading.lines, &reading.line, &reading.found), STATUS_OK);
    assert_true(reading.line.too_long);
    assert_int_equal(reading.line.number, 2);
    assert_int_equal(lines_extend(reading.lines, &reading.line, &reading.found), STATUS_OK);
    assert_false(reading.found);
    expect_peek(&reading, "cd");
    expect_line(&reading, "cd", 3, false);
    expect_no_line(&reading);
    close_reading(&reading);
    free(bytes);
}

/* A slow and obvious walk over the same bytes. */
struct slow {
    const char *data;
    size_t size;
    size_t at;
    uint64_t number;
};

static bool slow_next(struct slow *slow, struct line *line)
{
    size_t end = slow->at;

    if (slow->at == slow->size)
        return false;
    while (end < slow->size && slow->data[end] != '\n')
        end++;
    *line = (struct line){ .data = slow->data + slow->at, .number = ++slow->number, .ended = end < slow->size };
    line->length = end - slow->at;
    slow->at = end + line->ended;
    if (line->ended && line->length > 0 && line->data[line->length - 1] == '\r')
        line->length--;
    return true;
}

static void expect_same_line(const struct line *line, const struct line *expected)
{
    assert_int_equal(line->length, expected->length);
    assert_memory_equal(line->data, expected->data, line->length);
    assert_int_equal(line->number, expected->number);
    assert_int_equal(line->ended, expected->ended);
    assert_false(line->too_long);
}

/* Walks an input with random peeks, extensions and retractions, and compares every step with the slow walk. */
static void expect_same_walk(struct input *input, struct slow slow)
{
    struct lines *lines;
    struct line line;
    struct line expected;
    bool found;

    assert_int_equal(lines_open(input, &lines), STATUS_OK);
    for (;;) {
        bool any = slow_next(&slow, &expected);
        struct slow first = slow;
        uint32_t more = random_below(4) == 0 ? random_below(5) : 0;

        assert_int_equal(lines_next(lines, &line, &found), STATUS_OK);
        assert_int_equal(found, any);
        if (!any)
            break;
        expect_same_line(&line, &expected);
        for (; more > 0; more--) {
            struct line added;
            struct text next;

            any = slow_next(&slow, &added);
            if (random_below(2)) {
                assert_int_equal(lines_peek(lines, &line, &next, &found), STATUS_OK);
                assert_int_equal(found, any);
                assert_int_equal(next.length, any ? added.length : 0);
                assert_memory_equal(next.data, any ? added.data : "", next.length);
            }
            assert_int_equal(lines_extend(lines, &line, &found), STATUS_OK);
            assert_int_equal(found, any);
            if (!any)
                break;
            added.length = (size_t)(added.data + added.length - expected.data);
            added.data = expected.data;
            added.number = expected.number;
            expect_same_line(&line, &added);
        }
        if (random_below(2)) {
            lines_retract(lines, &line);
            slow = first;
            expect_same_line(&line, &expected);
        }
    }
    lines_close(lines);
}

static size_t random_content(char *bytes, size_t most)
{
    static const char alphabet[] = "ab\r\n,\"\r\n\n\xEF\xBB\xBF";
    size_t size = random_below((uint32_t)most);
    uint32_t density = 1 + random_below(40);

    for (size_t i = 0; i < size; i++)
        bytes[i] = random_below(density) ? (char)('c' + random_below(20)) : alphabet[random_below(12)];
    return size;
}

static size_t pack(int kind, const char *bytes, size_t size, char *packed, size_t capacity)
{
    z_stream stream = { .next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size };

    if (kind == 0) {
        memcpy(packed, bytes, size);
        return size;
    }
    if (kind == 1)
        return ZSTD_compress(packed, capacity, bytes, size, 1);
    stream.next_out = (Bytef *)packed;
    stream.avail_out = (uInt)capacity;
    assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return stream.total_out;
}

static void random_content_is_the_same_however_cut(void **state)
{
    static char bytes[4096];
    static char packed[8192];

    (void)state;
    for (int round = 0; round < 400; round++) {
        size_t size = random_content(bytes, round % 2 ? 60 : sizeof bytes);
        struct slow slow = { .data = bytes, .size = size };

        if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
            slow.at = 3;
        for (int kind = 0; kind < 3; kind++) {
            size_t packed_size = pack(kind, bytes, size, packed, sizeof packed);

            for (size_t i = 0; i < LIMITS; i++) {
                struct input *input;

                input_limit_reads(limits[i]);
                assert_int_equal(input_open_memory("m", packed, packed_size, &input), STATUS_OK);
                expect_same_walk(input, slow);
                input_close(input);
            }
        }
    }
}

/* Larger than the buffer, so that lines and records lie across its end. */
static void large_content_is_the_same_however_cut(void **state)
{
    static const size_t large_limits[] = { 0, 4093, 65536, 1048575 };
    size_t size = (size_t)5 * 1024 * 1024;
    char *bytes = malloc(size);
    size_t at = 0;

    (void)state;
    assert_non_null(bytes);
    while (at < size) {
        size_t length = random_below(50) ? random_below(120) : random_below(300000);

        length = length < size - at ? length : size - at;
        memset(bytes + at, 'a' + (int)random_below(26), length);
        if (length > 0)
            bytes[at + length - 1] = '\n';
        if (length > 1 && random_below(2))
            bytes[at + length - 2] = '\r';
        at += length;
    }
    for (size_t i = 0; i < 4; i++) {
        struct input *input;

        input_limit_reads(large_limits[i]);
        assert_int_equal(input_open_memory("m", bytes, size, &input), STATUS_OK);
        expect_same_walk(input, (struct slow){ .data = bytes, .size = size });
        input_close(input);
    }
    free(bytes);
}

static status walk(const char *bytes, size_t size)
{
    struct input *input = NULL;
    struct lines *lines = NULL;
    struct line line;
    bool found = true;
    bool added;
    status result = input_open_memory("m", bytes, size, &input);

    if (!result)
        result = lines_open(input, &lines);
    while (!result && found) {
        result = lines_next(lines, &line, &found);
        if (!result && found)
            result = lines_extend(lines, &line, &added);
    }
    lines_close(lines);
    input_close(input);
    return result;
}

static void failures_come_through(void **state)
{
    size_t size = (size_t)6 * 1024 * 1024;
    char *bytes = malloc(size);
    status result;
    uint64_t nth;

    (void)state;
    assert_non_null(bytes);
    memset(bytes, 'z', size);
    bytes[10] = '\n';
    for (nth = 1, result = STATUS_NO; result; nth++) {
        input_fail_at(nth);
        result = walk(bytes, size);
        assert_true(result == STATUS_OK || result == STATUS_INPUT);
        input_fail_at(0);
    }
    assert_true(nth > 4);
    for (nth = 1, result = STATUS_NO; result; nth++) {
        memory_fail_at(nth);
        result = walk(bytes, size);
        assert_true(result == STATUS_OK || result == STATUS_MEMORY);
        memory_fail_at(0);
    }
    assert_true(nth > 5); /* two for the input, two for the lines, and the growing */
    free(bytes);
}

/* After a failure in the middle of a line that is too long, further calls stay within the buffer. */
static void reading_on_after_a_failure_is_safe(void **state)
{
    size_t size = (size_t)8 * 1024 * 1024;
    char *bytes = malloc(size);

    (void)state;
    assert_non_null(bytes);
    memset(bytes, 'z', size);
    memcpy(bytes + size - 3, "\nq\n", 3);
    input_limit_reads(500000);
    for (uint64_t nth = 1; nth < 22; nth++) {
        struct reading reading;
        int failures = 0;

        open_bytes(&reading, bytes, size);
        input_fail_at(nth);
        do {
            if (lines_next(reading.lines, &reading.line, &reading.found)) {
                failures++;
                reading.found = true;
            }
        } while (reading.found);
        assert_true(failures <= 1);
        close_reading(&reading);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(line_ends, reset),
        cmocka_unit_test_teardown(the_end_of_the_input, reset),
        cmocka_unit_test_teardown(a_byte_order_mark_is_skipped, reset),
        cmocka_unit_test_teardown(records_over_several_lines, reset),
        cmocka_unit_test_teardown(added_lines_are_given_back, reset),
        cmocka_unit_test_teardown(a_last_newline_is_no_next_line, reset),
        cmocka_unit_test_teardown(lines_longer_than_the_longest_are_cut, reset),
        cmocka_unit_test_teardown(records_longer_than_the_longest_do_not_grow, reset),
        cmocka_unit_test_teardown(peeked_lines_are_cut_at_the_same_length, reset),
        cmocka_unit_test_teardown(too_long_lines_next_to_others, reset),
        cmocka_unit_test_teardown(random_content_is_the_same_however_cut, reset),
        cmocka_unit_test_teardown(large_content_is_the_same_however_cut, reset),
        cmocka_unit_test_teardown(failures_come_through, reset),
        cmocka_unit_test_teardown(reading_on_after_a_failure_is_safe, reset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
