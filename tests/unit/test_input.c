/* test_input.c: inputs of every kind give the same bytes, however they are cut, and say clearly what is wrong with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/input.h"
#include "base/memory.h"

enum { CONTENT = 300 * 1024 }; /* more than the head and more than one buffer of packed bytes */

struct bytes {
    char *data;
    size_t size;
};

enum kind { PLAIN, GZIP, GZIP_MEMBERS, ZSTD_ONE, ZSTD_FRAMES, KINDS };

static char folder[256];
static char path[320];
static struct bytes content;
static struct bytes packed[KINDS];

static struct bytes gzip(const char *data, size_t size)
{
    z_stream stream = { 0 };
    struct bytes result = { .data = malloc(size + 4096), .size = 0 };

    assert_non_null(result.data);
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)data;
    stream.avail_in = (uInt)size;
    stream.next_out = (Bytef *)result.data;
    stream.avail_out = (uInt)size + 4096;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    result.size = stream.total_out;
    deflateEnd(&stream);
    return result;
}

static struct bytes zstd(const char *data, size_t size)
{
    struct bytes result = { .data = malloc(ZSTD_compressBound(size)), .size = 0 };

    assert_non_null(result.data);
    result.size = ZSTD_compress(result.data, ZSTD_compressBound(size), data, size, 3);
    assert_false(ZSTD_isError(result.size));
    return result;
}

static struct bytes join(struct bytes first, const char *between, size_t between_size, struct bytes second)
{
    struct bytes result = { .size = first.size + between_size + second.size };

    result.data = malloc(result.size);
    assert_non_null(result.data);
    memcpy(result.data, first.data, first.size);
    memcpy(result.data + first.size, between, between_size);
    memcpy(result.data + first.size + between_size, second.data, second.size);
    free(first.data);
    free(second.data);
    return result;
}

static int prepare(void **state)
{
    static const char skippable[] = "\x50\x2A\x4D\x18\x03\x00\x00\x00xyz";
    const char *temporary = getenv("TMPDIR");
    uint32_t random = 1;

    (void)state;
    snprintf(folder, sizeof folder, "%s/tacho-input-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    content = (struct bytes){ .data = malloc(CONTENT), .size = CONTENT };
    for (size_t i = 0; i < CONTENT; i++) {
        random = random * 1664525u + 1013904223u;
        content.data[i] = (char)(random >> 24); /* hardly compressible: packed is as large */
    }
    packed[PLAIN] = content;
    packed[GZIP] = gzip(content.data, content.size);
    packed[GZIP_MEMBERS] = join(gzip(content.data, 1000), "", 0, gzip(content.data + 1000, CONTENT - 1000));
    packed[ZSTD_ONE] = zstd(content.data, content.size);
    packed[ZSTD_FRAMES] = join(zstd(content.data, 1000), skippable, 11, zstd(content.data + 1000, CONTENT - 1000));
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        free(packed[kind].data);
    unlink(path);
    return rmdir(folder);
}

static int reset(void **state)
{
    (void)state;
    input_limit_reads(0);
    input_fail_at(0);
    memory_fail_at(0);
    return 0;
}

static void store(const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Reads to the end in pieces of `piece` bytes and compares with `expected`. */
static void expect_rest(struct input *input, const char *expected, size_t size, size_t piece)
{
    char *buffer = malloc(piece);
    size_t total = 0;
    size_t got;

    assert_non_null(buffer);
    do {
        assert_int_equal(input_read(input, buffer, piece, &got), STATUS_OK);
        assert_true(got <= piece && got <= size - total);
        assert_memory_equal(buffer, expected + total, got);
        total += got;
    } while (got > 0);
    assert_int_equal(total, size);
    assert_int_equal(input_read(input, buffer, piece, &got), STATUS_OK); /* the end stays the end */
    assert_int_equal(got, 0);
    free(buffer);
}

static status read_to_end(struct input *input)
{
    static char buffer[65536];
    status result;
    size_t got;

    do
        result = input_read(input, buffer, sizeof buffer, &got);
    while (result == STATUS_OK && got > 0);
    return result;
}

static void every_kind_and_cut_gives_the_same_bytes(void **state)
{
    static const size_t limits[] = { 0, 1, 2, 3, 7, 64, 4096, 100000 };

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
            struct input *input;

            input_limit_reads(limits[i]);
            assert_int_equal(input_open_memory("memory", packed[kind].data, packed[kind].size, &input), STATUS_OK);
            expect_rest(input, content.data, content.size, i % 2 ? 1000 : 1024 * 1024);
            assert_int_equal(input_consumed(input), packed[kind].size);
            input_close(input);
        }
    }
}

static void files_are_read_by_content_not_by_name(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct input *input;

        store(packed[kind].data, packed[kind].size);
        assert_int_equal(input_open(path, &input), STATUS_OK);
        assert_string_equal(input_name(input), path);
        assert_int_equal(input_size(input), packed[kind].size);
        assert_int_equal(input_consumed(input), 0);
        expect_rest(input, content.data, content.size, 70000);
        assert_int_equal(input_consumed(input), packed[kind].size);
        input_close(input);
    }
}

static void the_head_is_given_again(void **state)
{
    static const size_t limits[] = { 0, 1, 5, 4096 };

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
            struct input *input;
            struct text head;
            struct text again;

            input_limit_reads(limits[i]);
            assert_int_equal(input_open_memory("memory", packed[kind].data, packed[kind].size, &input), STATUS_OK);
            assert_int_equal(input_head(input, &head), STATUS_OK);
            assert_int_equal(head.length, INPUT_HEAD);
            assert_memory_equal(head.data, content.data, INPUT_HEAD);
            assert_int_equal(input_head(input, &again), STATUS_OK);
            assert_ptr_equal(again.data, head.data);
            assert_int_equal(again.length, head.length);
            expect_rest(input, content.data, content.size, 1000);
            assert_memory_equal(head.data, content.data, INPUT_HEAD); /* still readable */
            input_close(input);
        }
    }
}

static void short_inputs_are_read_whole(void **state)
{
    (void)state;
    for (size_t size = 0; size < 9; size++) {
        struct input *input;
        struct text head;

        assert_int_equal(input_open_memory("memory",
                                           "\xEF\xBB\xBF"
                                           "ab\r\nc\0",
                                           size, &input),
                         STATUS_OK);
        assert_int_equal(input_head(input, &head), STATUS_OK);
        assert_int_equal(head.length, size);
        expect_rest(input,
                    "\xEF\xBB\xBF"
                    "ab\r\nc\0",
                    size, 3);
        input_close(input);
    }
}

/* Standard input: a pipe, of which nothing can be read twice. */
static void standard_input_is_a_dash(void **state)
{
    int saved = dup(STDIN_FILENO);
    int pipe_ends[2];
    struct input *input;
    struct text head;

    (void)state;
    assert_int_equal(pipe(pipe_ends), 0);
    assert_int_equal(write(pipe_ends[1], "one\ntwo\n", 8), 8);
    close(pipe_ends[1]);
    assert_true(dup2(pipe_ends[0], STDIN_FILENO) >= 0);
    close(pipe_ends[0]);
    assert_int_equal(input_open("-", &input), STATUS_OK);
    assert_string_equal(input_name(input), "<stdin>");
    assert_int_equal(input_size(input), 0);
    assert_int_equal(input_head(input, &head), STATUS_OK);
    assert_int_equal(head.length, 8);
    expect_rest(input, "one\ntwo\n", 8, 5);
    input_close(input);
    assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0); /* left open */
    if (saved >= 0) {
        dup2(saved, STDIN_FILENO);
        close(saved);
    }
}

static void a_file_that_cannot_be_opened_is_named(void **state)
{
    char expected[600];
    struct input *input = (struct input *)1;

    (void)state;
    unlink(path);
    assert_int_equal(input_open(path, &input), STATUS_INPUT);
    assert_null(input);
    snprintf(expected, sizeof expected, "%s: No such file or directory", path);
    assert_string_equal(status_message(), expected);
    assert_int_equal(input_open(folder, &input), STATUS_INPUT);
    snprintf(expected, sizeof expected, "%s: is a directory; give one of the files in it", folder);
    assert_string_equal(status_message(), expected);
}

static void the_whole_is_one_block(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int from_file = 0; from_file < 2; from_file++) {
            struct input *input;
            struct text head;
            struct text whole;
            struct text nothing;

            store(packed[kind].data, packed[kind].size);
            if (from_file)
                assert_int_equal(input_open(path, &input), STATUS_OK);
            else
                assert_int_equal(input_open_memory("m", packed[kind].data, packed[kind].size, &input), STATUS_OK);
            assert_int_equal(input_head(input, &head), STATUS_OK);
            assert_int_equal(input_whole(input, CONTENT, &whole), STATUS_OK);
            assert_int_equal(whole.length, CONTENT);
            assert_memory_equal(whole.data, content.data, CONTENT);
            assert_int_equal(input_whole(input, CONTENT, &nothing), STATUS_OK);
            assert_int_equal(nothing.length, 0);
            assert_memory_equal(whole.data, content.data, CONTENT);
            input_close(input);
        }
    }
}

static void the_whole_after_a_read_is_the_rest(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct input *input;
        struct text whole;
        char start[100];
        size_t got;

        assert_int_equal(input_open_memory("m", packed[kind].data, packed[kind].size, &input), STATUS_OK);
        assert_int_equal(input_read(input, start, sizeof start, &got), STATUS_OK);
        assert_true(got > 0);
        assert_int_equal(input_whole(input, CONTENT, &whole), STATUS_OK);
        assert_int_equal(whole.length, CONTENT - got);
        assert_memory_equal(whole.data, content.data + got, whole.length);
        input_close(input);
    }
}

static void the_whole_has_a_limit(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct input *input;
        struct text whole;

        assert_int_equal(input_open_memory("m", packed[kind].data, packed[kind].size, &input), STATUS_OK);
        assert_int_equal(input_whole(input, CONTENT - 1, &whole), STATUS_INPUT);
        assert_string_equal(status_message(), "m: is larger than 307199 bytes, the most that is read of such a file");
        input_close(input);
    }
}

/* Cut anywhere, flipped in the middle: always a failure with the name, never other bytes in silence. */
static void damaged_compressed_data_is_an_error(void **state)
{
    static const char *const messages[KINDS] = {
        [GZIP] = "m: corrupt or truncated gzip data",
        [GZIP_MEMBERS] = "m: corrupt or truncated gzip data",
        [ZSTD_ONE] = "m: corrupt or truncated zstd data",
        [ZSTD_FRAMES] = "m: corrupt or truncated zstd data",
    };

    (void)state;
    for (int kind = GZIP; kind < KINDS; kind++) {
        size_t size = packed[kind].size;
        size_t cuts[] = { 4, 5, 11, 30, size / 2, size - 9, size - 1 };
        struct input *input;

        for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
            assert_int_equal(input_open_memory("m", packed[kind].data, cuts[i], &input), STATUS_OK);
            assert_int_equal(read_to_end(input), STATUS_INPUT);
            assert_memory_equal(status_message(), messages[kind], strlen(messages[kind]));
            input_close(input);
        }
    }
    /* From the first data byte on: before it lie bits that mean nothing. */
    for (size_t at = 16; at < packed[GZIP].size; at += packed[GZIP].size / 7) {
        struct input *input;

        packed[GZIP].data[at] ^= 0x20;
        assert_int_equal(input_open_memory("m", packed[GZIP].data, packed[GZIP].size, &input), STATUS_OK);
        assert_int_equal(read_to_end(input), STATUS_INPUT);
        input_close(input);
        packed[GZIP].data[at] ^= 0x20;
    }
}

/* A few packed bytes that unpack to many: most comes out after the last packed byte went in. */
static void a_small_file_may_hold_much(void **state)
{
    size_t size = 1000000;
    char *zeros = calloc(size, 1);
    struct bytes small[2];

    (void)state;
    assert_non_null(zeros);
    small[0] = gzip(zeros, size);
    small[1] = zstd(zeros, size);
    for (size_t i = 0; i < 2; i++) {
        for (size_t piece = 700; piece <= 700000; piece *= 10) {
            struct input *input;

            assert_int_equal(input_open_memory("m", small[i].data, small[i].size, &input), STATUS_OK);
            expect_rest(input, zeros, size, piece);
            input_close(input);
        }
        free(small[i].data);
    }
    free(zeros);
}

static void bytes_after_gzip_data(void **state)
{
    static const char zeros[600] = { 0 };
    struct bytes padded = join(gzip("abc", 3), zeros, sizeof zeros, gzip("def", 3));
    struct bytes garbage = join(gzip("abc", 3), "oops", 4, gzip("", 0));
    struct input *input;

    (void)state;
    for (size_t limit = 0; limit < 3; limit++) {
        input_limit_reads(limit);
        assert_int_equal(input_open_memory("m", padded.data, padded.size, &input), STATUS_OK);
        expect_rest(input, "abcdef", 6, 100);
        input_close(input);
        /* Zeros alone at the end are filling. */
        assert_int_equal(input_open_memory("m", padded.data, padded.size - 23, &input), STATUS_OK);
        expect_rest(input, "abc", 3, 100);
        input_close(input);
        assert_int_equal(input_open_memory("m", garbage.data, garbage.size, &input), STATUS_OK);
        assert_int_equal(read_to_end(input), STATUS_INPUT);
        input_close(input);
    }
    free(padded.data);
    free(garbage.data);
}

/* Gives its pieces one by one, then fails or ends. */
struct growing {
    const char *const *pieces;
    status code;
};

static status give_piece(void *context, void *buffer, size_t capacity, size_t *got)
{
    struct growing *growing = context;
    const char *piece = *growing->pieces;

    *got = piece ? strlen(piece) : 0;
    assert_true(*got <= capacity);
    if (!piece)
        return growing->code;
    memcpy(buffer, piece, *got);
    growing->pieces++;
    return STATUS_OK;
}

static void what_grows_is_given_as_it_comes(void **state)
{
    static const char *const pieces[] = { "head", "er\n", "1,2\n", "3", NULL };
    struct growing growing = { pieces, STATUS_OK };
    struct input *input;
    struct text head;
    char bytes[64];
    size_t got;

    (void)state;
    assert_int_equal(input_open_growing("log", give_piece, &growing, &input), STATUS_OK);
    assert_int_equal(input_head(input, &head), STATUS_OK);
    assert_true(text_is(head, "header\n"));
    assert_ptr_equal(growing.pieces, pieces + 2);
    assert_int_equal(input_read(input, bytes, sizeof bytes, &got), STATUS_OK);
    assert_int_equal(got, 7);
    assert_int_equal(input_read(input, bytes, sizeof bytes, &got), STATUS_OK);
    assert_int_equal(got, 4);
    assert_int_equal(input_read(input, bytes, sizeof bytes, &got), STATUS_OK);
    assert_int_equal(got, 1);
    growing.code = STATUS_INPUT;
    assert_int_equal(input_read(input, bytes, sizeof bytes, &got), STATUS_INPUT);
    growing.code = STATUS_OK;
    assert_int_equal(input_read(input, bytes, sizeof bytes, &got), STATUS_OK);
    assert_int_equal(got, 0);
    input_close(input);

    growing = (struct growing){ pieces, STATUS_OK };
    assert_int_equal(input_open_growing("log", give_piece, &growing, &input), STATUS_OK);
    assert_int_equal(input_read_at(input, 7, bytes, 3, &got), STATUS_OK);
    assert_int_equal(got, 3);
    assert_memory_equal(bytes, "1,2", 3);
    input_close(input);
}

static void a_failed_read_is_reported(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        uint64_t nth = 0;
        status result;

        do {
            struct input *input;

            assert_int_equal(input_open_memory("m", packed[kind].data, packed[kind].size, &input), STATUS_OK);
            input_fail_at(++nth);
            result = read_to_end(input);
            if (result) {
                assert_int_equal(result, STATUS_INPUT);
                assert_string_equal(status_message(), "m: Input/output error");
                /* Nothing was lost: reading goes on where it failed. */
                assert_int_equal(read_to_end(input), STATUS_OK);
                assert_int_equal(input_consumed(input), packed[kind].size);
            }
            input_close(input);
        } while (result);
        assert_true(nth > 3);
    }
}

static status use_everything(int kind)
{
    struct input *input;
    struct text text;
    status result = input_open_memory("m", packed[kind].data, packed[kind].size, &input);

    if (result)
        return result;
    result = input_head(input, &text);
    if (!result)
        result = input_whole(input, CONTENT, &text);
    input_close(input);
    return result;
}

static void no_memory_is_reported(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        uint64_t nth = 0;
        status result;

        do {
            memory_fail_at(++nth);
            result = use_everything(kind);
            assert_true(result == STATUS_OK || result == STATUS_MEMORY);
        } while (result);
        assert_true(nth > 2);
    }
}

/* Any place, in any order, of any kind; the end is where it is. */
static void any_place_can_be_read(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int from_file = 0; from_file < 2; from_file++) {
            struct input *input;
            struct text head;
            char buffer[1000];
            size_t got;

            if (from_file) {
                store(packed[kind].data, packed[kind].size);
                assert_int_equal(input_open(path, &input), STATUS_OK);
            } else {
                assert_int_equal(input_open_memory("m", packed[kind].data, packed[kind].size, &input), STATUS_OK);
            }
            assert_int_equal(input_head(input, &head), STATUS_OK);
            input_limit_reads(from_file ? 77 : 0);
            for (size_t at = content.size; at > 4000; at -= 3999) {
                size_t expected = content.size - at < sizeof buffer ? content.size - at : sizeof buffer;

                assert_int_equal(input_read_at(input, at, buffer, sizeof buffer, &got), STATUS_OK);
                assert_int_equal(got, expected);
                assert_memory_equal(buffer, content.data + at, got);
            }
            assert_int_equal(input_read_at(input, UINT64_MAX - 5, buffer, sizeof buffer, &got), STATUS_OK);
            assert_int_equal(got, 0);
            input_limit_reads(0);
            input_close(input);
        }
    }
    remove(path);
}

/* A short text whose end is cut off, or whose sum is wrong: it can be looked at and read, and only then is the damage told, again and
 * again. */
static void the_head_of_damaged_data_is_what_unpacks(void **state)
{
    static const char text[] = "a line\nanother line\n";
    struct bytes whole = gzip(text, sizeof text - 1);

    (void)state;
    for (int wrong = 0; wrong < 2; wrong++) {
        char read[64];
        struct input *input;
        struct text head;
        size_t got;

        whole.data[whole.size - 6] = (char)(whole.data[whole.size - 6] ^ wrong);
        assert_int_equal(input_open_memory("m", whole.data, whole.size - (wrong ? 0 : 3), &input), STATUS_OK);
        assert_int_equal(input_head(input, &head), STATUS_OK);
        assert_int_equal(head.length, sizeof text - 1);
        assert_memory_equal(head.data, text, head.length);
        assert_int_equal(input_read(input, read, sizeof read, &got), STATUS_OK);
        assert_int_equal(got, sizeof text - 1);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(input_read(input, read, sizeof read, &got), STATUS_INPUT);
            assert_non_null(strstr(status_message(), "corrupt or truncated gzip data"));
        }
        assert_true(input_is_damaged(input));
        input_close(input);
    }
    free(whole.data);
}

/* What can be unpacked of a file that is cut off is there. */
static void part_of_a_damaged_file_can_be_read(void **state)
{
    struct input *input;
    char buffer[1000];
    size_t got;

    (void)state;
    assert_int_equal(input_open_memory("m", packed[GZIP].data, packed[GZIP].size / 2, &input), STATUS_OK);
    assert_int_equal(input_read_at(input, 0, buffer, sizeof buffer, &got), STATUS_OK);
    assert_int_equal(got, sizeof buffer);
    assert_memory_equal(buffer, content.data, got);
    assert_true(input_is_damaged(input));
    assert_int_equal(input_read_at(input, content.size - 10, buffer, sizeof buffer, &got), STATUS_OK);
    assert_int_equal(got, 0);
    input_close(input);
}

/* More than is kept in memory, from a pipe: it is put down in a file, which nobody sees. */
static void much_from_a_pipe_can_be_read_anywhere(void **state)
{
    enum { SIZE = 17 << 20, STEP = 1 << 20 };
    int ends[2], kept = dup(STDIN_FILENO);
    struct input *input;
    char buffer[1000], expected[1000];
    size_t got;
    pid_t child;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        static char byte[STEP];

        for (int i = 0; i < SIZE / STEP; i++) {
            memset(byte, 'a' + i, sizeof byte);
            for (size_t done = 0; done < sizeof byte;) {
                ssize_t wrote = write(ends[1], byte + done, sizeof byte - done);

                if (wrote <= 0)
                    _exit(1);
                done += (size_t)wrote;
            }
        }
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(input_open("-", &input), STATUS_OK);
    for (int i = SIZE / STEP - 1; i >= 0; i -= 4) {
        memset(expected, 'a' + i, sizeof expected);
        assert_int_equal(input_read_at(input, (uint64_t)i * STEP, buffer, sizeof buffer, &got), STATUS_OK);
        assert_int_equal(got, sizeof buffer);
        assert_memory_equal(buffer, expected, sizeof buffer);
    }
    assert_int_equal(input_read_at(input, SIZE - 10, buffer, sizeof buffer, &got), STATUS_OK);
    assert_int_equal(got, 10);
    assert_int_equal(input_read_at(input, SIZE, buffer, sizeof buffer, &got), STATUS_OK);
    assert_int_equal(got, 0);
    assert_int_equal(input_read_at(input, UINT64_MAX - 5, buffer, sizeof buffer, &got), STATUS_OK);
    assert_int_equal(got, 0);
    input_close(input);
    dup2(kept, STDIN_FILENO);
    close(kept);
    waitpid(child, NULL, 0);
}

/* Where there is no room, the message says where, and what would help. */
static void no_room_for_unpacked_bytes_is_told(void **state)
{
    enum { SIZE = 17 << 20 };
    char *bytes = calloc(1, SIZE);
    uLongf length = compressBound(SIZE) + 100;
    unsigned char *packed_bytes = malloc(length);
    z_stream stream = { .next_in = (Bytef *)bytes, .avail_in = SIZE, .next_out = packed_bytes };
    const char *before = getenv("TMPDIR");
    char *old = before ? strdup(before) : NULL;
    struct input *input;
    char buffer[10];
    size_t got;

    (void)state;
    stream.avail_out = (uInt)length;
    assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    length = stream.total_out;
    deflateEnd(&stream);
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_int_equal(input_open_memory("big.gz", packed_bytes, length, &input), STATUS_OK);
    assert_int_equal(input_read_at(input, 0, buffer, sizeof buffer, &got), STATUS_OUTPUT);
    assert_non_null(strstr(status_message(), "/nowhere/at/all"));
    assert_non_null(strstr(status_message(), "TMPDIR"));
    input_close(input);
    if (old)
        setenv("TMPDIR", old, 1);
    else
        unsetenv("TMPDIR");
    free(old);
    free(bytes);
    free(packed_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_kind_and_cut_gives_the_same_bytes, reset),
        cmocka_unit_test_teardown(much_from_a_pipe_can_be_read_anywhere, reset),
        cmocka_unit_test_teardown(no_room_for_unpacked_bytes_is_told, reset),
        cmocka_unit_test_teardown(files_are_read_by_content_not_by_name, reset),
        cmocka_unit_test_teardown(the_head_is_given_again, reset),
        cmocka_unit_test_teardown(short_inputs_are_read_whole, reset),
        cmocka_unit_test_teardown(standard_input_is_a_dash, reset),
        cmocka_unit_test_teardown(a_file_that_cannot_be_opened_is_named, reset),
        cmocka_unit_test_teardown(the_whole_is_one_block, reset),
        cmocka_unit_test_teardown(the_whole_after_a_read_is_the_rest, reset),
        cmocka_unit_test_teardown(the_whole_has_a_limit, reset),
        cmocka_unit_test_teardown(damaged_compressed_data_is_an_error, reset),
        cmocka_unit_test_teardown(a_small_file_may_hold_much, reset),
        cmocka_unit_test_teardown(bytes_after_gzip_data, reset),
        cmocka_unit_test_teardown(any_place_can_be_read, reset),
        cmocka_unit_test_teardown(the_head_of_damaged_data_is_what_unpacks, reset),
        cmocka_unit_test_teardown(part_of_a_damaged_file_can_be_read, reset),
        cmocka_unit_test_teardown(what_grows_is_given_as_it_comes, reset),
        cmocka_unit_test_teardown(a_failed_read_is_reported, reset),
        cmocka_unit_test_teardown(no_memory_is_reported, reset),
    };

    return cmocka_run_group_tests(tests, prepare, clean_up);
}
