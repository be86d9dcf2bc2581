/* fuzz_input.c: files, packed or not, and their lines, in pieces of any size. */
#include "check_sink.h"

#include <string.h>

#include "base/lines.h"

/* A few packed bytes may unpack to anything: just over the longest line is enough, and tiny pieces are for little. */
enum { LARGEST = 64 * 1024, MOST_UNPACKED = 5 * 1024 * 1024, MOST_IN_TINY_PIECES = 256 * 1024 };

static uint64_t mix(uint64_t digest, uint64_t value)
{
    digest = (digest ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return digest ^ digest >> 29;
}

static uint64_t mix_bytes(uint64_t digest, const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        digest = mix(digest, (unsigned char)data[i]);
    return digest;
}

static status read_bytes(struct input *input, uint64_t *digest)
{
    char buffer[997];
    size_t total = 0;
    size_t got = 1;
    struct text head;
    status code = input_head(input, &head);

    if (code == STATUS_OK)
        *digest = mix_bytes(*digest, head.data, head.length < 256 ? head.length : 256);
    while (code == STATUS_OK && got > 0 && total < MOST_UNPACKED) {
        code = input_read(input, buffer, sizeof buffer, &got);
        if (code == STATUS_OK)
            *digest = mix_bytes(*digest, buffer, got);
        total += got;
    }
    return code;
}

/* What is done with a line depends on its length, so that pieces of any size do the same. */
static status use_line(struct lines *lines, struct line *line, uint64_t *digest)
{
    struct text next;
    bool found = false;
    status code = STATUS_OK;

    check_that(line->length <= LINES_LONGEST, "no line is over the limit");
    check_that(!memchr(line->data, '\n', line->length), "a line holds no line end");
    if (line->length % 3 == 0) {
        code = lines_peek(lines, line, &next, &found);
        if (code == STATUS_OK && found)
            *digest = mix_bytes(*digest, next.data, next.length);
    }
    if (code == STATUS_OK && line->length % 4 == 1) {
        size_t before = line->length;

        code = lines_extend(lines, line, &found);
        if (code == STATUS_OK)
            check_that(line->length >= before, "a line grows by extending");
        if (code == STATUS_OK && found && line->length % 2) {
            lines_retract(lines, line);
            check_that(line->length == before, "a line is itself again after retracting");
        }
    }
    if (code == STATUS_OK)
        *digest = mix(mix_bytes(*digest, line->data, line->length), line->number * 2 + line->ended);
    return code;
}

static status read_lines(struct input *input, uint64_t *digest)
{
    struct lines *lines = NULL;
    struct line line;
    size_t total = 0;
    bool found = true;
    status code = lines_open(input, &lines);

    while (code == STATUS_OK && found && total < MOST_UNPACKED) {
        code = lines_next(lines, &line, &found);
        if (code == STATUS_OK && found)
            code = use_line(lines, &line, digest);
        total += found ? line.length + 1 : 0;
    }
    lines_close(lines);
    return code;
}

typedef status (*way)(struct input *input, uint64_t *digest);

static status read_all(const uint8_t *data, size_t size, size_t piece, way read, uint64_t *digest)
{
    struct input *input = NULL;
    status code;

    *digest = 0;
    input_limit_reads(piece);
    code = input_open_memory("fuzz", data, size, &input);
    if (code == STATUS_OK)
        code = read(input, digest);
    input_close(input);
    input_limit_reads(0);
    return code;
}

static size_t unpacked_size(const uint8_t *data, size_t size)
{
    struct input *input = NULL;
    char buffer[4096];
    size_t total = 0;
    size_t got = 1;
    status code = input_open_memory("fuzz", data, size, &input);

    while (code == STATUS_OK && got > 0 && total <= MOST_IN_TINY_PIECES) {
        code = input_read(input, buffer, sizeof buffer, &got);
        total += got;
    }
    input_close(input);
    return total;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const way ways[] = { read_bytes, read_lines };
    size_t piece;

    if (size > LARGEST)
        return -1;
    piece = unpacked_size(data, size) > MOST_IN_TINY_PIECES ? 65521 : 1 + size % 37;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        uint64_t whole;
        uint64_t pieces;
        status code = read_all(data, size, 0, ways[i], &whole);

        check_that(read_all(data, size, piece, ways[i], &pieces) == code, "pieces give the same answer");
        check_that(code != STATUS_OK || whole == pieces, "pieces give the same bytes");
    }
    status_clear();
    return 0;
}
