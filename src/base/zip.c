/* zip.c: the directory at the end of an archive, and its members unpacked. */
#include "base/zip.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"

enum {
    LOCAL_SIZE = 30,   /* fixed part of a local header */
    ENTRY_SIZE = 46,   /* of a directory entry */
    END_SIZE = 22,     /* of the end of the directory */
    LOCATOR_SIZE = 20, /* of the pointer to the end of a zip64 directory */
    END64_SIZE = 56,   /* of that end, in its shortest form */
    MARK_SIZE = 4,     /* every record begins with one */
    COMMENT_MOST = 65535,
    CHUNK = 64 * 1024,          /* of packed bytes */
    DIRECTORY_MOST = 256 << 20, /* bytes: millions of members */
    DEFLATE_MOST = 1032,        /* deflate cannot shrink by more than this factor */
    STORED = 0,
    DEFLATED = 8,
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

static status fail(const struct zip_archive *archive, const char *what)
{
    return status_fail_at(STATUS_INPUT, (struct place){ .file = archive->name }, "%s", what);
}

static uint64_t number_at(const char *data, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)(unsigned char)data[i] << (8 * i);
    return value;
}

static bool is_marked(const char *data, const char *mark)
{
    return memcmp(data, mark, MARK_SIZE) == 0;
}

/* ---- Bytes ---- */

static bool fits(const struct zip_archive *archive, uint64_t offset, uint64_t length)
{
    return offset <= archive->size && length <= archive->size - offset;
}

/* Bytes that fit. */
static status read_at(const struct zip_archive *archive, uint64_t offset, char *to, size_t length)
{
    if (archive->file < 0) {
        if (length)
            memcpy(to, archive->bytes.data + offset, length);
        return STATUS_OK;
    }
    while (length) {
        ssize_t got = pread(archive->file, to, length, (off_t)offset);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return fail(archive, got < 0 ? strerror(errno) : "the file became shorter while it was read");
        to += got;
        offset += (uint64_t)got;
        length -= (size_t)got;
    }
    return STATUS_OK;
}

/* ---- Directory ---- */

/* The last record whose comment ends where the file ends, or before: something may have been appended. */
static status find_end(const struct zip_archive *archive, char record[END_SIZE], uint64_t *end)
{
    size_t length = archive->size < COMMENT_MOST + END_SIZE ? (size_t)archive->size : COMMENT_MOST + END_SIZE;
    char *tail = memory_allocate(length);
    bool found = false;
    status code =
        tail ? read_at(archive, archive->size - length, tail, length) : status_no_memory("opening a zip archive");

    for (size_t at = length < END_SIZE ? 0 : length - END_SIZE + 1; code == STATUS_OK && !found && at-- > 0;) {
        found = is_marked(tail + at, end_mark) && number_at(tail + at + 20, 2) <= length - END_SIZE - at;
        if (found) {
            memcpy(record, tail + at, END_SIZE);
            *end = archive->size - length + at;
        }
    }
    memory_free(tail);
    if (code == STATUS_OK && !found)
        return fail(archive, "is no complete zip archive: the directory at its end is missing, perhaps it was cut off");
    return code;
}

/* The zip64 form of the end, for archives that are too large for the short one. */
static status read_end64(const struct zip_archive *archive, uint64_t end, struct directory *directory,
                         uint64_t *directory_end)
{
    char locator[LOCATOR_SIZE], record[END64_SIZE] = "";
    uint64_t at;
    status code;

    if (end < LOCATOR_SIZE)
        return STATUS_OK;
    code = read_at(archive, end - LOCATOR_SIZE, locator, LOCATOR_SIZE);
    if (code != STATUS_OK || !is_marked(locator, locator_mark))
        return code;
    at = number_at(locator + 8, 8);
    if (fits(archive, at, END64_SIZE))
        code = read_at(archive, at, record, END64_SIZE);
    /* The record stands right before its locator where bytes were put in front of the archive. */
    if (code == STATUS_OK && !is_marked(record, end64_mark) && end >= LOCATOR_SIZE + END64_SIZE) {
        at = end - LOCATOR_SIZE - END64_SIZE;
        code = read_at(archive, at, record, END64_SIZE);
    }
    if (code != STATUS_OK)
        return code;
    if (!is_marked(record, end64_mark))
        return fail(archive, "the zip64 directory of this archive is missing");
    directory->count = number_at(record + 32, 8);
    directory->size = number_at(record + 40, 8);
    directory->at = number_at(record + 48, 8);
    *directory_end = at;
    return STATUS_OK;
}

static status find_directory(const struct zip_archive *archive, struct directory *directory)
{
    char record[END_SIZE];
    uint64_t end = 0, directory_end;
    status code = find_end(archive, record, &end);

    if (code != STATUS_OK)
        return code;
    *directory = (struct directory){ .count = number_at(record + 10, 2),
                                     .size = number_at(record + 12, 4),
                                     .at = number_at(record + 16, 4) };
    directory_end = end;
    code = read_end64(archive, end, directory, &directory_end);
    if (code != STATUS_OK)
        return code;
    if (directory->size > directory_end || directory->at > directory_end - directory->size)
        return fail(archive, "the directory of this zip archive lies outside of the file");
    directory->shift = directory_end - directory->size - directory->at;
    directory->at += directory->shift;
    if (directory->count > directory->size / ENTRY_SIZE)
        return fail(archive, "the directory of this zip archive is too short for the number of its members");
    return directory->size <= DIRECTORY_MOST ? STATUS_OK
                                             : fail(archive, "the directory of this zip archive is too large");
}

/* Sizes that did not fit into 32 bits stand in an extra field, in this order, only those that are needed. */
static status read_extra64(const struct zip_archive *archive, struct text extra, struct zip_entry *entry)
{
    uint64_t *wide[] = { &entry->size, &entry->packed, &entry->header };

    while (extra.length >= 4) {
        uint64_t id = number_at(extra.data, 2), size = number_at(extra.data + 2, 2), used = 0;

        if (size > extra.length - 4)
            return STATUS_OK; /* a torn field that no one needs is not worth an error */
        for (size_t i = 0; id == 1 && i < sizeof wide / sizeof *wide; i++) {
            if (*wide[i] != UINT32_MAX)
                continue;
            if (size - used < 8)
                return fail(archive, "a zip64 field of this archive is too short");
            *wide[i] = number_at(extra.data + 4 + used, 8);
            used += 8;
        }
        extra = (struct text){ extra.data + 4 + size, extra.length - 4 - (size_t)size };
    }
    return STATUS_OK;
}

/* Takes an entry off the rest of the directory. */
static status take_entry(const struct zip_archive *archive, uint64_t shift, struct text *rest, struct zip_entry *entry)
{
    const char *from = rest->data;
    size_t name, extra, comment;
    status code;

    if (rest->length < ENTRY_SIZE || !is_marked(from, entry_mark))
        return fail(archive, "the directory of this zip archive is damaged");
    name = (size_t)number_at(from + 28, 2);
    extra = (size_t)number_at(from + 30, 2);
    comment = (size_t)number_at(from + 32, 2);
    if (name + extra + comment > rest->length - ENTRY_SIZE)
        return fail(archive, "the directory of this zip archive is damaged");
    *entry = (struct zip_entry){
        .name = { from + ENTRY_SIZE, name },
        .header = number_at(from + 42, 4),
        .packed = number_at(from + 20, 4),
        .size = number_at(from + 24, 4),
        .checksum = (uint32_t)number_at(from + 16, 4),
        .method = (uint16_t)number_at(from + 10, 2),
        .flags = (uint16_t)number_at(from + 8, 2),
    };
    code = read_extra64(archive, (struct text){ from + ENTRY_SIZE + name, extra }, entry);
    if (code == STATUS_OK && __builtin_add_overflow(entry->header, shift, &entry->header))
        code = fail(archive, "a member of this zip archive lies outside of the file");
    *rest = text_between(from + ENTRY_SIZE + name + extra + comment, rest->data + rest->length);
    return code;
}

static status read_directory(struct zip_archive *archive)
{
    struct directory directory;
    struct text rest;
    status code = find_directory(archive, &directory);

    if (code != STATUS_OK)
        return code;
    archive->directory = memory_allocate((size_t)directory.size);
    archive->entries = memory_allocate((size_t)directory.count * sizeof *archive->entries);
    if (!archive->directory || !archive->entries)
        return status_no_memory("opening a zip archive");
    code = read_at(archive, directory.at, archive->directory, (size_t)directory.size);
    rest = (struct text){ archive->directory, (size_t)directory.size };
    for (; code == STATUS_OK && archive->count < directory.count; archive->count++)
        code = take_entry(archive, directory.shift, &rest, &archive->entries[archive->count]);
    return code;
}

status zip_archive_open_memory(struct zip_archive *archive, const char *name, struct text bytes)
{
    *archive = (struct zip_archive){ .name = name, .bytes = bytes, .file = -1, .size = bytes.length };
    return read_directory(archive);
}

status zip_archive_open_file(struct zip_archive *archive, const char *name, int file)
{
    struct stat facts;

    *archive = (struct zip_archive){ .name = name, .file = file };
    if (fstat(file, &facts) < 0 || !S_ISREG(facts.st_mode))
        return fail(archive, "is no regular file");
    archive->size = (uint64_t)facts.st_size;
    return read_directory(archive);
}

void zip_archive_free(struct zip_archive *archive)
{
    memory_free(archive->directory);
    memory_free(archive->entries);
    archive->directory = NULL;
    archive->entries = NULL;
    archive->count = 0;
}

const struct zip_entry *zip_archive_find(const struct zip_archive *archive, const char *name)
{
    for (size_t i = archive->count; i-- > 0;)
        if (text_is(archive->entries[i].name, name))
            return &archive->entries[i];
    return NULL;
}

/* ---- Members ---- */

struct zip_stream {
    const struct zip_archive *archive; /* borrowed */
    const struct zip_entry *entry;     /* borrowed */
    uint64_t next;                     /* offset of the packed bytes that were not taken yet */
    uint64_t left;                     /* of these, in bytes */
    uint64_t given;                    /* unpacked bytes so far */
    uint32_t checksum;                 /* of these */
    bool done;                         /* nothing more comes out */
    z_stream inflate;                  /* of a deflated member */
    char packed[CHUNK];                /* what it is fed */
};

static status fail_member(const struct zip_archive *archive, const struct zip_entry *entry, const char *what)
{
    int length = entry->name.length < 200 ? (int)entry->name.length : 200;

    return status_fail_at(STATUS_INPUT, (struct place){ .file = archive->name }, "the member \"%.*s\" %s", length,
                          entry->name.data, what);
}

/* What the directory says of a member, before a byte of it is touched. */
static status check_entry(const struct zip_archive *archive, const struct zip_entry *entry, uint64_t limit)
{
    if (entry->flags & 1)
        return fail_member(archive, entry, "is encrypted");
    if (entry->size > limit)
        return fail_member(archive, entry, "is too large to be read");
    if (entry->method != STORED && entry->method != DEFLATED)
        return fail_member(archive, entry,
                           "is packed in a way that is not supported: only stored and deflated members are");
    if (entry->method == STORED && entry->size != entry->packed)
        return fail_member(archive, entry, "is damaged: its two sizes differ");
    if (entry->method == DEFLATED && entry->size / DEFLATE_MOST > entry->packed)
        return fail_member(archive, entry, "promises more bytes than its packed ones can hold");
    return STATUS_OK;
}

/* Where the packed bytes are, whole. */
static status find_packed(const struct zip_archive *archive, const struct zip_entry *entry, uint64_t *at)
{
    char local[LOCAL_SIZE];
    status code;

    if (!fits(archive, entry->header, LOCAL_SIZE))
        return fail_member(archive, entry, "is not where the archive's directory says");
    code = read_at(archive, entry->header, local, LOCAL_SIZE);
    if (code != STATUS_OK)
        return code;
    if (!is_marked(local, local_mark))
        return fail_member(archive, entry, "is not where the archive's directory says");
    *at = entry->header + LOCAL_SIZE + number_at(local + 26, 2) + number_at(local + 28, 2);
    return fits(archive, *at, entry->packed) ? STATUS_OK
                                             : fail_member(archive, entry, "reaches past the end of the file");
}

/* zlib's memory comes through the same door as all other. */
static void *allocate(void *context, unsigned count, unsigned size)
{
    (void)context;
    return memory_allocate((size_t)count * size);
}

static void release(void *context, void *memory)
{
    (void)context;
    memory_free(memory);
}

status zip_stream_open(const struct zip_archive *archive, const struct zip_entry *entry, uint64_t limit,
                       struct zip_stream **stream)
{
    struct zip_stream *made;
    uint64_t at = 0;
    status code = check_entry(archive, entry, limit);

    *stream = NULL;
    if (code == STATUS_OK)
        code = find_packed(archive, entry, &at);
    if (code != STATUS_OK)
        return code;
    made = memory_allocate(sizeof *made);
    if (!made)
        return status_no_memory("unpacking a zip archive");
    made->archive = archive;
    made->entry = entry;
    made->next = at;
    made->left = entry->packed;
    made->given = 0;
    made->checksum = (uint32_t)crc32_z(0, NULL, 0);
    made->done = false;
    made->inflate = (z_stream){ .zalloc = allocate, .zfree = release };
    if (entry->method == DEFLATED && inflateInit2(&made->inflate, -MAX_WBITS) != Z_OK) {
        memory_free(made);
        return status_no_memory("unpacking a zip archive");
    }
    *stream = made;
    return STATUS_OK;
}

void zip_stream_close(struct zip_stream *stream)
{
    if (!stream)
        return;
    if (stream->entry->method == DEFLATED)
        inflateEnd(&stream->inflate);
    memory_free(stream);
}

static status fail_unpacking(const struct zip_stream *stream)
{
    return fail_member(stream->archive, stream->entry, "is damaged: it cannot be unpacked");
}

static status read_stored(struct zip_stream *stream, char *to, size_t capacity, size_t *got)
{
    *got = stream->left < capacity ? (size_t)stream->left : capacity;
    stream->next += *got;
    stream->left -= *got;
    stream->done = stream->left == 0;
    return read_at(stream->archive, stream->next - *got, to, *got);
}

static status feed(struct zip_stream *stream)
{
    size_t size = stream->left < CHUNK ? (size_t)stream->left : CHUNK;
    status code = read_at(stream->archive, stream->next, stream->packed, size);

    stream->inflate.next_in = (unsigned char *)stream->packed;
    stream->inflate.avail_in = (unsigned)size;
    stream->next += size;
    stream->left -= size;
    return code;
}

static status read_deflated(struct zip_stream *stream, char *to, size_t capacity, size_t *got)
{
    unsigned room = capacity < INT32_MAX ? (unsigned)capacity : INT32_MAX; /* zlib counts in 32 bits */
    status code = STATUS_OK;

    stream->inflate.next_out = (unsigned char *)to;
    stream->inflate.avail_out = room;
    while (code == STATUS_OK && !stream->done && stream->inflate.avail_out == room) {
        int result;

        if (!stream->inflate.avail_in && stream->left)
            code = feed(stream);
        if (code != STATUS_OK)
            return code;
        result = inflate(&stream->inflate, Z_NO_FLUSH);
        stream->done = result == Z_STREAM_END;
        if (result == Z_MEM_ERROR)
            return status_no_memory("unpacking a zip archive");
        if (result != Z_OK && result != Z_STREAM_END)
            return fail_unpacking(stream);
    }
    *got = room - stream->inflate.avail_out;
    return code;
}

status zip_stream_read(struct zip_stream *stream, void *buffer, size_t capacity, size_t *got)
{
    const struct zip_entry *entry = stream->entry;
    status code = STATUS_OK;

    *got = 0;
    if (!stream->done && capacity)
        code = entry->method == DEFLATED ? read_deflated(stream, buffer, capacity, got)
                                         : read_stored(stream, buffer, capacity, got);
    if (code != STATUS_OK)
        return code;
    if (*got)
        stream->checksum = (uint32_t)crc32_z(stream->checksum, buffer, *got);
    stream->given += *got;
    if (stream->given > entry->size || (stream->done && stream->given < entry->size))
        return fail_unpacking(stream);
    if (stream->done && stream->checksum != entry->checksum)
        return fail_member(stream->archive, entry, "is damaged: its checksum is wrong");
    return STATUS_OK;
}

/* All of a member at `to`, which has room for what the directory promises; one more look finds the end. */
static status read_all(struct zip_stream *stream, char *to)
{
    uint64_t left = stream->entry->size;
    char beyond;
    size_t got = 1;
    status code = STATUS_OK;

    while (code == STATUS_OK && got) {
        code = left ? zip_stream_read(stream, to, (size_t)left, &got) : zip_stream_read(stream, &beyond, 1, &got);
        if (code == STATUS_OK) {
            to += got;
            left -= got;
        }
    }
    return code;
}

/* Summing the weights of a model would take longer than what is done with them. */
static status check_stored(const struct zip_archive *archive, const struct zip_entry *entry, struct text content)
{
    enum { CHECKED_MOST = 1 << 20 };

    if (content.length <= CHECKED_MOST &&
        crc32_z(crc32_z(0, NULL, 0), (const unsigned char *)content.data, content.length) != entry->checksum)
        return fail_member(archive, entry, "is damaged: its checksum is wrong");
    return STATUS_OK;
}

status zip_archive_read(const struct zip_archive *archive, const struct zip_entry *entry, uint64_t limit,
                        struct text *content, char **owned)
{
    struct zip_stream *stream = NULL;
    uint64_t at;
    status code = check_entry(archive, entry, limit);

    *owned = NULL;
    if (code == STATUS_OK)
        code = find_packed(archive, entry, &at);
    if (code != STATUS_OK)
        return code;
    if (entry->method == STORED && archive->file < 0) {
        *content = (struct text){ archive->bytes.data + at, (size_t)entry->size };
        return check_stored(archive, entry, *content);
    }
    *owned = entry->size <= SIZE_MAX ? memory_allocate((size_t)entry->size) : NULL;
    code = *owned ? zip_stream_open(archive, entry, limit, &stream) : status_no_memory("unpacking a zip archive");
    if (code == STATUS_OK)
        code = read_all(stream, *owned);
    zip_stream_close(stream);
    *content = (struct text){ *owned, (size_t)entry->size };
    if (code != STATUS_OK) {
        memory_free(*owned);
        *owned = NULL;
    }
    return code;
}
