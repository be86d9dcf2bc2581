/* zip_writer.h: zip archives made in memory for tests, right ones and ones that are wrong in a chosen way. */
#ifndef TESTS_ZIP_WRITER_H
#define TESTS_ZIP_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { ZIP_MEMBERS = 16 };

struct zip_writer {
    unsigned char *bytes;
    size_t length, capacity;
    bool wide; /* sizes and offsets in zip64 fields */
    size_t count;
    struct zip_written {
        const char *name;
        uint64_t header, packed, size;
        uint32_t checksum;
        uint16_t method, flags;
    } members[ZIP_MEMBERS];
    size_t directory, end; /* offsets of the directory and of its end record */
};

static inline void zip_put(struct zip_writer *zip, const void *data, size_t length)
{
    if (zip->length + length > zip->capacity) {
        zip->capacity = 2 * (zip->length + length) + 1024;
        zip->bytes = realloc(zip->bytes, zip->capacity);
        assert_non_null(zip->bytes);
    }
    if (length > 0)
        memcpy(zip->bytes + zip->length, data, length);
    zip->length += length;
}

static inline void zip_put_number(struct zip_writer *zip, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        unsigned char byte = (unsigned char)(value >> (8 * i));

        zip_put(zip, &byte, 1);
    }
}

/* Overwrites a number that was written before. */
static inline void zip_set(struct zip_writer *zip, size_t at, uint64_t value, unsigned bytes)
{
    assert_true(at + bytes <= zip->length);
    for (unsigned i = 0; i < bytes; i++)
        zip->bytes[at + i] = (unsigned char)(value >> (8 * i));
}

static inline void zip_add(struct zip_writer *zip, const char *name, const void *data, size_t size, bool deflated)
{
    struct zip_written *member = &zip->members[zip->count++];
    uLong bound = compressBound((uLong)size) + 64;
    unsigned char *packed = malloc(bound);
    z_stream stream = { 0 };

    assert_true(zip->count <= ZIP_MEMBERS);
    assert_non_null(packed);
    *member = (struct zip_written){ .name = name, .header = zip->length, .size = size, .packed = size };
    member->checksum = (uint32_t)crc32(0, data, (uInt)size);
    if (deflated) {
        assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
        stream.next_in = (unsigned char *)(uintptr_t)data;
        stream.avail_in = (uInt)size;
        stream.next_out = packed;
        stream.avail_out = (uInt)bound;
        assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
        member->packed = stream.total_out;
        member->method = 8;
        deflateEnd(&stream);
    }
    zip_put(zip, "PK\3\4", 4);
    zip_put_number(zip, 20, 2);
    zip_put_number(zip, member->flags, 2);
    zip_put_number(zip, member->method, 2);
    zip_put_number(zip, 0, 4);
    zip_put_number(zip, member->checksum, 4);
    zip_put_number(zip, member->packed, 4);
    zip_put_number(zip, member->size, 4);
    zip_put_number(zip, strlen(name), 2);
    zip_put_number(zip, 0, 2);
    zip_put(zip, name, strlen(name));
    zip_put(zip, deflated ? packed : data, (size_t)member->packed);
    free(packed);
}

static inline void zip_put_entry(struct zip_writer *zip, const struct zip_written *member)
{
    zip_put(zip, "PK\1\2", 4);
    zip_put_number(zip, 20, 2);
    zip_put_number(zip, 20, 2);
    zip_put_number(zip, member->flags, 2);
    zip_put_number(zip, member->method, 2);
    zip_put_number(zip, 0, 4);
    zip_put_number(zip, member->checksum, 4);
    zip_put_number(zip, zip->wide ? UINT32_MAX : member->packed, 4);
    zip_put_number(zip, zip->wide ? UINT32_MAX : member->size, 4);
    zip_put_number(zip, strlen(member->name), 2);
    zip_put_number(zip, zip->wide ? 28 : 0, 2);
    zip_put_number(zip, 0, 8);
    zip_put_number(zip, 0, 2);
    zip_put_number(zip, zip->wide ? UINT32_MAX : member->header, 4);
    zip_put(zip, member->name, strlen(member->name));
    if (zip->wide) {
        zip_put_number(zip, 1, 2);
        zip_put_number(zip, 24, 2);
        zip_put_number(zip, member->size, 8);
        zip_put_number(zip, member->packed, 8);
        zip_put_number(zip, member->header, 8);
    }
}

static inline void zip_finish(struct zip_writer *zip, const char *comment)
{
    size_t size, at;

    zip->directory = zip->length;
    for (size_t i = 0; i < zip->count; i++)
        zip_put_entry(zip, &zip->members[i]);
    size = zip->length - zip->directory;
    at = zip->length;
    if (zip->wide) {
        zip_put(zip, "PK\6\6", 4);
        zip_put_number(zip, 44, 8);
        zip_put_number(zip, 45, 2);
        zip_put_number(zip, 45, 2);
        zip_put_number(zip, 0, 8);
        zip_put_number(zip, zip->count, 8);
        zip_put_number(zip, zip->count, 8);
        zip_put_number(zip, size, 8);
        zip_put_number(zip, zip->directory, 8);
        zip_put(zip, "PK\6\7", 4);
        zip_put_number(zip, 0, 4);
        zip_put_number(zip, at, 8);
        zip_put_number(zip, 1, 4);
    }
    zip->end = zip->length;
    zip_put(zip, "PK\5\6", 4);
    zip_put_number(zip, 0, 4);
    zip_put_number(zip, zip->wide ? UINT16_MAX : zip->count, 2);
    zip_put_number(zip, zip->wide ? UINT16_MAX : zip->count, 2);
    zip_put_number(zip, zip->wide ? UINT32_MAX : size, 4);
    zip_put_number(zip, zip->wide ? UINT32_MAX : zip->directory, 4);
    zip_put_number(zip, strlen(comment), 2);
    zip_put(zip, comment, strlen(comment));
}

#endif
