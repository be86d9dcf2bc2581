/* test_zip.c: zip archives in memory and in files: stored, deflated, zip64, with bytes before and behind; archives that lie about themselves, and
 * members that are far larger than they look. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/zip.h"
#include "zip_writer.h"

static const char greeting[] = "one two three one two three one two three";

/* In the directory entry of the first member. */
enum {
    ENTRY_FLAGS = 8,
    ENTRY_METHOD = 10,
    ENTRY_CHECKSUM = 16,
    ENTRY_PACKED = 20,
    ENTRY_SIZE_AT = 24,
    ENTRY_NAME_LENGTH = 28,
    ENTRY_HEADER = 42
};
/* In the record at the end. */
enum { END_COUNT = 10, END_SIZE_AT = 12, END_OFFSET = 16 };

static void make(struct zip_writer *zip, bool wide, bool deflated, const char *comment)
{
    *zip = (struct zip_writer){ .wide = wide };
    zip_add(zip, "a/first", greeting, sizeof greeting - 1, deflated);
    zip_add(zip, "empty", "", 0, deflated);
    zip_add(zip, "last", "x", 1, false);
    zip_finish(zip, comment);
}

/* A file of these bytes that is gone when it is closed. */
static int make_file(const void *bytes, size_t length)
{
    char path[] = "/tmp/tacho-zip-XXXXXX";
    int file = mkstemp(path);

    assert_true(file >= 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(write(file, bytes, length), (ssize_t)length);
    return file;
}

/* The first member, by pieces of a few bytes. */
static status stream_first(const struct zip_archive *archive, const struct zip_entry *entry, const char *expected)
{
    struct zip_stream *stream;
    char content[256], piece[7];
    size_t length = 0, got = 1;
    status code = zip_stream_open(archive, entry, 1 << 20, &stream);

    while (code == STATUS_OK && got) {
        code = zip_stream_read(stream, piece, sizeof piece, &got);
        if (code != STATUS_OK)
            break;
        assert_true(length + got <= sizeof content);
        memcpy(content + length, piece, got);
        length += got;
    }
    zip_stream_close(stream);
    if (code == STATUS_OK && expected) {
        assert_int_equal(length, strlen(expected));
        assert_memory_equal(content, expected, length);
    }
    return code;
}

static status read_from(struct zip_archive *archive, status opened, const char *expected)
{
    const struct zip_entry *entry = opened == STATUS_OK ? zip_archive_find(archive, "a/first") : NULL;
    struct text content;
    char *owned = NULL;
    status code = opened, streamed;

    if (code == STATUS_OK && !entry)
        code = status_fail(STATUS_INPUT, "not found");
    if (code == STATUS_OK) {
        streamed = stream_first(archive, entry, expected);
        code = zip_archive_read(archive, entry, 1 << 20, &content, &owned);
        assert_int_equal(streamed == STATUS_OK, code == STATUS_OK);
    }
    if (code == STATUS_OK && expected) {
        assert_int_equal(content.length, strlen(expected));
        assert_memory_equal(content.data, expected, content.length);
    }
    memory_free(owned);
    zip_archive_free(archive);
    return code;
}

/* Opens and reads the first member in both ways, from a file and from a block of the archive's exact size. */
static status read_first(const struct zip_writer *written, const char *expected)
{
    char *exact = malloc(written->length ? written->length : 1);
    int file = make_file(written->bytes, written->length);
    struct zip_archive archive;
    status from_file, code;

    assert_non_null(exact);
    memcpy(exact, written->bytes, written->length);
    from_file = read_from(&archive, zip_archive_open_file(&archive, "a.zip", file), expected);
    code = read_from(&archive, zip_archive_open_memory(&archive, "a.zip", (struct text){ exact, written->length }),
                     expected);
    assert_int_equal(from_file, code);
    free(exact);
    close(file);
    return code;
}

static void all_forms_are_read(void **state)
{
    (void)state;
    for (int form = 0; form < 8; form++) {
        struct zip_writer zip;

        make(&zip, form & 1, form & 2, form & 4 ? "a comment PK\5\6 in it" : "");
        if (read_first(&zip, greeting) != STATUS_OK)
            fail_msg("form %d: %s", form, status_message());
        free(zip.bytes);
    }
}

static void members_are_found_and_not_copied(void **state)
{
    struct zip_writer written;
    struct zip_archive archive;
    struct text content;
    char *owned;

    (void)state;
    make(&written, false, false, "");
    assert_int_equal(zip_archive_open_memory(&archive, "a.zip", (struct text){ (char *)written.bytes, written.length }),
                     STATUS_OK);
    assert_int_equal(archive.count, 3);
    assert_null(zip_archive_find(&archive, "gone"));
    assert_null(zip_archive_find(&archive, "a/firs"));
    assert_int_equal(zip_archive_read(&archive, zip_archive_find(&archive, "a/first"), 100, &content, &owned),
                     STATUS_OK);
    assert_null(owned);
    assert_true(content.data > (char *)written.bytes && content.data < (char *)written.bytes + written.length);
    assert_int_equal(zip_archive_read(&archive, zip_archive_find(&archive, "empty"), 0, &content, &owned), STATUS_OK);
    assert_int_equal(content.length, 0);
    assert_int_equal(zip_archive_read(&archive, zip_archive_find(&archive, "a/first"), 10, &content, &owned),
                     STATUS_INPUT);
    assert_string_equal(status_message(), "a.zip: the member \"a/first\" is too large to be read");
    zip_archive_free(&archive);
    free(written.bytes);
}

/* Blanks that unpack to a thousand times their size are refused by their size, also where the directory is silent about it; piece by
 * piece they need no memory to speak of. */
static void bombs_are_refused_or_streamed(void **state)
{
    enum { SIZE = 32 << 20, PIECE = 4096 };
    struct zip_writer written = { 0 };
    char *blanks = malloc(SIZE), piece[PIECE], *owned;
    struct zip_archive archive;
    struct zip_stream *stream;
    struct text content;
    uint64_t total = 0;
    size_t got = 1;

    (void)state;
    assert_non_null(blanks);
    memset(blanks, ' ', SIZE);
    zip_add(&written, "bomb", blanks, SIZE, true);
    zip_finish(&written, "");
    free(blanks);
    assert_true(written.length < SIZE / 900);
    assert_int_equal(zip_archive_open_memory(&archive, "a.zip", (struct text){ (char *)written.bytes, written.length }),
                     STATUS_OK);
    assert_int_equal(zip_archive_read(&archive, archive.entries, SIZE - 1, &content, &owned), STATUS_INPUT);
    assert_int_equal(zip_stream_open(&archive, archive.entries, SIZE - 1, &stream), STATUS_INPUT);
    assert_null(stream);
    assert_int_equal(zip_stream_open(&archive, archive.entries, SIZE, &stream), STATUS_OK);
    for (; got; total += got)
        assert_int_equal(zip_stream_read(stream, piece, sizeof piece, &got), STATUS_OK);
    assert_int_equal(total, SIZE);
    zip_stream_close(stream);
    /* The directory promises little: what comes beyond is found with the first byte too much. */
    archive.entries->size = 10;
    assert_int_equal(zip_archive_read(&archive, archive.entries, SIZE, &content, &owned), STATUS_INPUT);
    assert_int_equal(zip_stream_open(&archive, archive.entries, 10, &stream), STATUS_OK);
    assert_int_equal(zip_stream_read(stream, piece, sizeof piece, &got), STATUS_INPUT);
    zip_stream_close(stream);
    zip_archive_free(&archive);
    free(written.bytes);
}

static void files_that_are_none(void **state)
{
    struct zip_archive archive;
    int pipes[2];

    (void)state;
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(zip_archive_open_file(&archive, "a.zip", pipes[0]), STATUS_INPUT);
    zip_archive_free(&archive);
    assert_int_equal(zip_archive_open_memory(&archive, "a.zip", (struct text){ NULL, 0 }), STATUS_INPUT);
    zip_archive_free(&archive);
    close(pipes[0]);
    close(pipes[1]);
}

static void an_empty_deflated_member_is_read(void **state)
{
    struct zip_writer written = { 0 };

    (void)state;
    zip_add(&written, "a/first", "", 0, true);
    zip_finish(&written, "");
    assert_int_equal(read_first(&written, ""), STATUS_OK);
    free(written.bytes);
}

static void the_last_of_equal_names_counts(void **state)
{
    struct zip_writer written = { 0 };

    (void)state;
    zip_add(&written, "a/first", "old", 3, false);
    zip_add(&written, "a/first", "new", 3, true);
    zip_finish(&written, "");
    assert_int_equal(read_first(&written, "new"), STATUS_OK);
    free(written.bytes);
}

static void bytes_before_and_behind_are_passed(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        struct zip_writer inner, outer = { 0 };

        make(&inner, wide, true, "");
        zip_put(&outer, "#!/bin/sh\nexit\n", 15);
        zip_put(&outer, inner.bytes, inner.length);
        zip_put(&outer, "\0\0\0\0tail", 8);
        assert_int_equal(read_first(&outer, greeting), STATUS_OK);
        free(inner.bytes);
        free(outer.bytes);
    }
}

static void expect_broken(struct zip_writer *zip, const char *what)
{
    if (read_first(zip, NULL) != STATUS_INPUT)
        fail_msg("taken, where \"%s\" was expected", what);
    if (!strstr(status_message(), what))
        fail_msg("\"%s\" does not say \"%s\"", status_message(), what);
    free(zip->bytes);
}

static void lies_of_a_member_are_found(void **state)
{
    static const struct lie {
        size_t at;
        uint64_t value;
        unsigned bytes;
        bool deflated;
        const char *what;
    } lies[] = {
        { ENTRY_FLAGS, 1, 2, false, "is encrypted" },
        { ENTRY_METHOD, 12, 2, false, "not supported" },
        { ENTRY_CHECKSUM, 7, 4, false, "checksum" },
        { ENTRY_CHECKSUM, 7, 4, true, "checksum" },
        { ENTRY_SIZE_AT, 5, 4, false, "two sizes differ" },
        { ENTRY_SIZE_AT, 5, 4, true, "cannot be unpacked" },
        { ENTRY_SIZE_AT, 50, 4, true, "cannot be unpacked" },
        { ENTRY_SIZE_AT, 1 << 20, 4, true, "more bytes than its packed ones can hold" },
        { ENTRY_SIZE_AT, UINT32_MAX, 4, true, "too large" },
        { ENTRY_PACKED, 3, 4, true, "cannot be unpacked" },
        { ENTRY_PACKED, UINT32_MAX - 1, 4, true, "past the end" },
        { ENTRY_HEADER, 1, 4, true, "not where" },
        { ENTRY_HEADER, UINT32_MAX - 1, 4, true, "not where" },
        { ENTRY_NAME_LENGTH, UINT16_MAX, 2, false, "damaged" },
        { 0, 0, 4, false, "damaged" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct zip_writer zip;

        make(&zip, false, lies[i].deflated, "");
        zip_set(&zip, zip.directory + lies[i].at, lies[i].value, lies[i].bytes);
        expect_broken(&zip, lies[i].what);
    }
}

static void lies_of_the_directory_are_found(void **state)
{
    struct zip_writer zip;

    (void)state;
    make(&zip, false, false, "");
    zip_set(&zip, zip.end + END_COUNT, 60000, 2);
    expect_broken(&zip, "too short");
    make(&zip, false, false, "");
    zip_set(&zip, zip.end + END_SIZE_AT, UINT32_MAX, 4);
    expect_broken(&zip, "outside of the file");
    make(&zip, false, false, "");
    zip_set(&zip, zip.end + END_OFFSET, UINT32_MAX, 4);
    expect_broken(&zip, "outside of the file");
    make(&zip, true, false, "");
    zip_set(&zip, zip.end - 12, UINT64_MAX - 3,
            8); /* the locator's offset is wrong, but the record is where it should be */
    assert_int_equal(read_first(&zip, greeting), STATUS_OK);
    zip_set(&zip, zip.end - 20 - 56, 0, 4);
    expect_broken(&zip, "zip64 directory of this archive is missing");
    make(&zip, true, false, "");
    zip_set(&zip, zip.directory + 46 + 7 + 2, 8, 2); /* a zip64 field with room for one number of three */
    expect_broken(&zip, "zip64 field");
}

static void an_archive_cut_anywhere_is_an_error(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        struct zip_writer zip;
        size_t whole;

        make(&zip, wide, true, "");
        whole = zip.length;
        for (zip.length = 0; zip.length < whole; zip.length++)
            assert_int_equal(read_first(&zip, NULL), STATUS_INPUT);
        free(zip.bytes);
    }
}

/* Every byte of a small archive, set to a few values: an error or the right content, and never a read out of bounds. */
static void no_single_byte_breaks_the_reader(void **state)
{
    static const unsigned char values[] = { 0, 1, 0x7F, 0x80, 0xFF };

    (void)state;
    for (int form = 0; form < 4; form++) {
        struct zip_writer zip;

        make(&zip, form & 1, form & 2, "");
        for (size_t at = 0; at < zip.length; at++) {
            unsigned char kept = zip.bytes[at];

            for (size_t i = 0; i < sizeof values; i++) {
                zip.bytes[at] = values[i];
                assert_true(read_first(&zip, greeting) != STATUS_MEMORY);
            }
            zip.bytes[at] = kept;
        }
        free(zip.bytes);
    }
}

static void failed_allocations_are_reported(void **state)
{
    struct zip_writer written;

    (void)state;
    make(&written, false, true, "");
    for (uint64_t nth = 1;; nth++) {
        struct zip_archive archive;
        char *owned = NULL;
        struct text content;
        status code;

        memory_fail_at(nth);
        code = zip_archive_open_memory(&archive, "a.zip", (struct text){ (char *)written.bytes, written.length });
        if (code == STATUS_OK)
            code = zip_archive_read(&archive, archive.entries, 1000, &content, &owned);
        memory_fail_at(0);
        memory_free(owned);
        zip_archive_free(&archive);
        if (code == STATUS_OK)
            break;
        assert_int_equal(code, STATUS_MEMORY);
        assert_true(nth < 20);
    }
    free(written.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_are_read),
        cmocka_unit_test(members_are_found_and_not_copied),
        cmocka_unit_test(bombs_are_refused_or_streamed),
        cmocka_unit_test(files_that_are_none),
        cmocka_unit_test(an_empty_deflated_member_is_read),
        cmocka_unit_test(the_last_of_equal_names_counts),
        cmocka_unit_test(bytes_before_and_behind_are_passed),
        cmocka_unit_test(lies_of_a_member_are_found),
        cmocka_unit_test(lies_of_the_directory_are_found),
        cmocka_unit_test(an_archive_cut_anywhere_is_an_error),
        cmocka_unit_test(no_single_byte_breaks_the_reader),
        cmocka_unit_test(failed_allocations_are_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
