#include "executorch/zip.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

enum {
    LOCAL_SIZE = 30,   /* fixed part of a local header */
    ENTRY_SIZE = 46,   /* of a directory entry */
    END_SIZE = 22,     /* of the end of the directory */
    LOCATOR_SIZE = 20, /* of the pointer to the end of a zip64 directory */
    END64_SIZE = 56,   /* of that end, in its shortest form */
    COMMENT_MOST = 65535,
    CHECKED_MOST =
        1 << 20, /* stored members up to this size are summed; summing weights would cost more than reading them */
    DEFLATE_MOST = 1032, /* deflate cannot shrink by more than this factor */
};

static const char local_mark[] = "PK\3\4", entry_mark[] = "PK\1\2", end_mark[] = "PK\5\6";
static const char locator_mark[] = "PK\6\7", end64_mark[] = "PK\6\6";

/* Where the directory is. */
struct directory {
    uint64_t at;    /* offset of its first entry */
    uint64_t size;  /* bytes */
    uint64_t count; /* entries */
    uint64_t shift; /* bytes before the archive proper: added to every offset in it */
};

static status fail(const struct zip *zip, const char *what)
{
    return status_fail_at(STATUS_INPUT, (struct place){ .file = zip->file }, "%s", what);
}

static uint64_t number_at(const struct zip *zip, uint64_t offset, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)(unsigned char)zip->bytes.data[offset + i] << (8 * i);
    return value;
}

static bool fits(const struct zip *zip, uint64_t offset, uint64_t length)
{
    return offset <= zip->bytes.length && length <= zip->bytes.length - offset;
}

static bool is_marked(const struct zip *zip, uint64_t offset, const char *mark)
{
    return fits(zip, offset, 4) && memcmp(zip->bytes.data + offset, mark, 4) == 0;
}

/* The last record whose comment ends where the file ends, or before: something may have been appended. */
static bool find_end(const struct zip *zip, uint64_t *end)
{
    uint64_t last, first;

    if (zip->bytes.length < END_SIZE)
        return false;
    last = zip->bytes.length - END_SIZE;
    first = last > COMMENT_MOST ? last - COMMENT_MOST : 0;
    for (uint64_t at = last + 1; at-- > first;) {
        if (is_marked(zip, at, end_mark) && fits(zip, at + END_SIZE, number_at(zip, at + 20, 2))) {
            *end = at;
            return true;
        }
    }
    return false;
}

/* The zip64 form of the end, for archives that are too large for the short one. */
static status read_end64(const struct zip *zip, uint64_t end, struct directory *directory, uint64_t *directory_end)
{
    uint64_t at;

    if (end < LOCATOR_SIZE || !is_marked(zip, end - LOCATOR_SIZE, locator_mark))
        return STATUS_OK;
    at = number_at(zip, end - LOCATOR_SIZE + 8, 8);
    /* The record stands right before its locator where bytes were put in front of the archive. */
    if (!is_marked(zip, at, end64_mark) && end >= LOCATOR_SIZE + END64_SIZE)
        at = end - LOCATOR_SIZE - END64_SIZE;
    if (!is_marked(zip, at, end64_mark) || !fits(zip, at, END64_SIZE))
        return fail(zip, "the zip64 directory of this archive is missing");
    directory->count = number_at(zip, at + 32, 8);
    directory->size = number_at(zip, at + 40, 8);
    directory->at = number_at(zip, at + 48, 8);
    *directory_end = at;
    return STATUS_OK;
}

static status find_directory(const struct zip *zip, struct directory *directory)
{
    uint64_t end, directory_end;
    status done;

    if (!find_end(zip, &end))
        return fail(zip, "is no complete zip archive: the directory at its end is missing, perhaps it was cut off");
    *directory = (struct directory){ .count = number_at(zip, end + 10, 2),
                                     .size = number_at(zip, end + 12, 4),
                                     .at = number_at(zip, end + 16, 4) };
    directory_end = end;
    if ((done = read_end64(zip, end, directory, &directory_end)) != STATUS_OK)
        return done;
    if (directory->size > directory_end || directory->at > directory_end - directory->size)
        return fail(zip, "the directory of this zip archive lies outside of the file");
    directory->shift = directory_end - directory->size - directory->at;
    directory->at += directory->shift;
    if (directory->count > directory->size / ENTRY_SIZE)
        return fail(zip, "the directory of this zip archive is too short for the number of its members");
    return STATUS_OK;
}

/* Sizes that did not fit into 32 bits stand in an extra field, in this order, only those that are needed. */
static status read_extra64(const struct zip *zip, uint64_t at, uint64_t length, struct zip_member *member)
{
    uint64_t *wide[] = { &member->size, &member->packed, &member->header };
    uint64_t end = at + length;

    while (end - at >= 4) {
        uint64_t id = number_at(zip, at, 2), size = number_at(zip, at + 2, 2);

        at += 4;
        if (size > end - at)
            return STATUS_OK; /* a torn field that no one needs is not worth an error */
        if (id == 1) {
            uint64_t from = at;

            for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
                if (*wide[i] != UINT32_MAX)
                    continue;
                if (at + size - from < 8)
                    return fail(zip, "a zip64 field of this archive is too short");
                *wide[i] = number_at(zip, from, 8);
                from += 8;
            }
        }
        at += size;
    }
    return STATUS_OK;
}

static status read_entry(const struct zip *zip, uint64_t *at, uint64_t end, struct zip_member *member)
{
    uint64_t name_length, extra_length, comment_length, extra;

    if (end - *at < ENTRY_SIZE || !is_marked(zip, *at, entry_mark))
        return fail(zip, "the directory of this zip archive is damaged");
    name_length = number_at(zip, *at + 28, 2);
    extra_length = number_at(zip, *at + 30, 2);
    comment_length = number_at(zip, *at + 32, 2);
    if (name_length + extra_length + comment_length > end - *at - ENTRY_SIZE)
        return fail(zip, "the directory of this zip archive is damaged");
    *member = (struct zip_member){
        .name = { zip->bytes.data + *at + ENTRY_SIZE, (size_t)name_length },
        .header = number_at(zip, *at + 42, 4),
        .packed = number_at(zip, *at + 20, 4),
        .size = number_at(zip, *at + 24, 4),
        .checksum = (uint32_t)number_at(zip, *at + 16, 4),
        .method = (uint16_t)number_at(zip, *at + 10, 2),
        .flags = (uint16_t)number_at(zip, *at + 8, 2),
    };
    extra = *at + ENTRY_SIZE + name_length;
    *at = extra + extra_length + comment_length;
    return read_extra64(zip, extra, extra_length, member);
}

status zip_open(struct zip *zip, const char *file, struct text bytes)
{
    struct directory directory = { 0 };
    uint64_t at;
    status done;

    *zip = (struct zip){ .file = file, .bytes = bytes };
    if ((done = find_directory(zip, &directory)) != STATUS_OK)
        return done;
    zip->members = memory_allocate((size_t)directory.count * sizeof *zip->members);
    if (!zip->members)
        return status_no_memory("reading a zip archive");
    at = directory.at;
    for (; zip->count < directory.count; zip->count++) {
        struct zip_member *member = &zip->members[zip->count];

        done = read_entry(zip, &at, directory.at + directory.size, member);
        if (done == STATUS_OK && __builtin_add_overflow(member->header, directory.shift, &member->header))
            done = fail(zip, "a member of this zip archive lies outside of the file");
        if (done != STATUS_OK) {
            zip_free(zip);
            return done;
        }
    }
    return STATUS_OK;
}

void zip_free(struct zip *zip)
{
    memory_free(zip->members);
    zip->members = NULL;
    zip->count = 0;
}

const struct zip_member *zip_find(const struct zip *zip, const char *name)
{
    size_t length = strlen(name);

    for (size_t i = zip->count; i-- > 0;) {
        if (zip->members[i].name.length == length && memcmp(zip->members[i].name.data, name, length) == 0)
            return &zip->members[i];
    }
    return NULL;
}

static status fail_member(const struct zip *zip, const struct zip_member *member, const char *what)
{
    int length = member->name.length < 200 ? (int)member->name.length : 200;

    return status_fail_at(STATUS_INPUT, (struct place){ .file = zip->file }, "the member \"%.*s\" %s", length,
                          member->name.data, what);
}

/* Where the member's bytes are, whole. */
static status find_packed(const struct zip *zip, const struct zip_member *member, struct text *packed)
{
    uint64_t at;

    if (!fits(zip, member->header, LOCAL_SIZE) || !is_marked(zip, member->header, local_mark))
        return fail_member(zip, member, "is not where the archive's directory says");
    at = member->header + LOCAL_SIZE + number_at(zip, member->header + 26, 2) + number_at(zip, member->header + 28, 2);
    if (!fits(zip, at, member->packed))
        return fail_member(zip, member, "reaches past the end of the file");
    *packed = (struct text){ zip->bytes.data + at, (size_t)member->packed };
    return STATUS_OK;
}

static uint32_t checksum(struct text content)
{
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), (const unsigned char *)content.data, content.length);
}

/* Unpacks all of `packed` into `to`, which has the room that the directory promised; zlib counts in 32 bits. */
static int inflate_all(z_stream *stream, struct text packed, char *to, size_t size)
{
    size_t in_left = packed.length, out_left = size;
    int result = Z_OK;

    stream->next_in = (unsigned char *)(uintptr_t)packed.data;
    stream->next_out = (unsigned char *)to;
    while (result == Z_OK) {
        uInt in = in_left < UINT_MAX ? (uInt)in_left : UINT_MAX;
        uInt out = out_left < UINT_MAX ? (uInt)out_left : UINT_MAX;

        stream->avail_in = in;
        stream->avail_out = out;
        result = inflate(stream, Z_NO_FLUSH);
        in_left -= in - stream->avail_in;
        out_left -= out - stream->avail_out;
    }
    return result == Z_STREAM_END && out_left > 0 ? Z_DATA_ERROR : result;
}

static status unpack(const struct zip *zip, const struct zip_member *member, struct text packed, struct text *content,
                     char **owned)
{
    z_stream stream = { 0 };
    size_t size = (size_t)member->size;
    int result;

    if (member->size / DEFLATE_MOST > member->packed)
        return fail_member(zip, member, "promises more bytes than its packed ones can hold");
    *owned = memory_allocate(size);
    if (!*owned)
        return status_no_memory("unpacking a zip archive");
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
        memory_free(*owned);
        *owned = NULL;
        return status_no_memory("unpacking a zip archive");
    }
    result = inflate_all(&stream, packed, *owned, size);
    inflateEnd(&stream);
    *content = (struct text){ *owned, size };
    if (result == Z_STREAM_END && checksum(*content) == member->checksum)
        return STATUS_OK;
    memory_free(*owned);
    *owned = NULL;
    if (result == Z_MEM_ERROR)
        return status_no_memory("unpacking a zip archive");
    return fail_member(zip, member,
                       result == Z_STREAM_END ? "is damaged: its checksum is wrong"
                                              : "is damaged: it cannot be unpacked");
}

status zip_read(const struct zip *zip, const struct zip_member *member, size_t limit, struct text *content,
                char **owned)
{
    struct text packed;
    status done;

    *owned = NULL;
    if (member->flags & 1)
        return fail_member(zip, member, "is encrypted");
    if (member->size > limit)
        return fail_member(zip, member, "is too large to be read");
    if ((done = find_packed(zip, member, &packed)) != STATUS_OK)
        return done;
    if (member->method == 8)
        return unpack(zip, member, packed, content, owned);
    if (member->method != 0)
        return fail_member(zip, member,
                           "is packed in a way that is not supported: only stored and deflated members are");
    if (member->size != member->packed)
        return fail_member(zip, member, "is damaged: its two sizes differ");
    if (packed.length <= CHECKED_MOST && checksum(packed) != member->checksum)
        return fail_member(zip, member, "is damaged: its checksum is wrong");
    *content = packed;
    return STATUS_OK;
}
