/* xlsx_check.c: reads a workbook back before it gets its name. */
#include "table/xlsx_check.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"

/* The fixed parts of a zip file, in bytes. */
enum { ZIP_END = 22, ZIP_ENTRY = 46, ZIP_LOCAL = 30, ZIP_DEFLATED = 8 };

enum { CHUNK = 64 * 1024, HEAD = 512, TAIL = 64, NAME = 256 };

/* An entry of the zip directory. */
struct entry {
    char name[NAME]; /* of the part */
    uint64_t packed; /* bytes in the file */
    uint64_t offset; /* of its local header */
    uint64_t next;   /* where the entry after it lies */
    unsigned method; /* 0 stored, 8 deflated */
};

/* Finds a text that holds '<' only at its start, in a stream. */
struct finder {
    const char *text; /* looked for */
    size_t matched;   /* bytes of it that stand at the end of what was seen */
    uint64_t behind;  /* position behind the first place where it was found; 0: not found */
};

/* What is known of a part while it is unpacked. */
struct part {
    char head[HEAD + 1];    /* its first bytes, with a NUL */
    size_t head_length;     /* of head */
    char tail[TAIL + 1];    /* its last bytes, with a NUL */
    size_t tail_length;     /* of tail */
    uint64_t total;         /* bytes seen */
    struct finder rows;     /* where the rows begin */
    struct finder rows_end; /* where they end */
};

struct work {
    int file;                      /* borrowed */
    z_stream stream;               /* unpacks the part at hand */
    unsigned char packed[CHUNK];   /* bytes of the file */
    unsigned char unpacked[CHUNK]; /* bytes of the part */
    struct part part;              /* at hand */
};

static status incomplete(const char *what)
{
    return status_fail(STATUS_OUTPUT, "the Excel workbook came out incomplete (%s); is the temporary folder full?",
                       what);
}

static bool read_at(int file, void *to, size_t size, uint64_t offset)
{
    char *next = to;

    while (size > 0) {
        ssize_t got = pread(file, next, size, (off_t)offset);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        next += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return true;
}

static uint32_t little_endian(const unsigned char *at, size_t size)
{
    uint32_t value = 0;

    while (size-- > 0)
        value = value << 8 | at[size];
    return value;
}

static bool read_entry(int file, uint64_t offset, struct entry *entry)
{
    unsigned char fixed[ZIP_ENTRY];
    uint32_t name_length;

    if (!read_at(file, fixed, sizeof fixed, offset) || memcmp(fixed, "PK\1\2", 4) != 0)
        return false;
    name_length = little_endian(fixed + 28, 2);
    if (name_length >= sizeof entry->name || !read_at(file, entry->name, name_length, offset + ZIP_ENTRY))
        return false;
    entry->name[name_length] = '\0';
    entry->method = little_endian(fixed + 10, 2);
    entry->packed = little_endian(fixed + 20, 4);
    entry->offset = little_endian(fixed + 42, 4);
    entry->next = offset + ZIP_ENTRY + name_length + little_endian(fixed + 30, 2) + little_endian(fixed + 32, 2);
    return true;
}

static void find(struct finder *finder, const unsigned char *data, size_t size, uint64_t position)
{
    size_t length = strlen(finder->text);

    for (size_t i = 0; i < size && !finder->behind; i++) {
        if (data[i] == (unsigned char)finder->text[finder->matched])
            finder->matched++;
        else
            finder->matched = data[i] == '<';
        if (finder->matched == length)
            finder->behind = position + i + 1;
    }
}

static void look_at(struct part *part, const unsigned char *data, size_t size)
{
    size_t head = HEAD - part->head_length < size ? HEAD - part->head_length : size;
    size_t tail = size < TAIL ? size : TAIL;
    size_t kept = part->tail_length + tail > TAIL ? TAIL - tail : part->tail_length;

    memcpy(part->head + part->head_length, data, head);
    part->head_length += head;
    memmove(part->tail, part->tail + part->tail_length - kept, kept);
    memcpy(part->tail + kept, data + size - tail, tail);
    part->tail_length = kept + tail;
    find(&part->rows, data, size, part->total);
    find(&part->rows_end, data, size, part->total);
    part->total += size;
}

/* Feeds the unpacked bytes of an entry to `look_at`. */
static bool unpack(struct work *work, uint64_t offset, uint64_t left)
{
    int result = Z_OK;

    while (result == Z_OK && left > 0) {
        size_t some = left < CHUNK ? (size_t)left : CHUNK;

        if (!read_at(work->file, work->packed, some, offset))
            return false;
        offset += some;
        left -= some;
        work->stream.next_in = work->packed;
        work->stream.avail_in = (uInt)some;
        do {
            work->stream.next_out = work->unpacked;
            work->stream.avail_out = CHUNK;
            result = inflate(&work->stream, Z_NO_FLUSH);
            if (result == Z_BUF_ERROR)
                result = Z_OK;
            if (result != Z_OK && result != Z_STREAM_END)
                return false;
            look_at(&work->part, work->unpacked, CHUNK - work->stream.avail_out);
        } while (result == Z_OK && work->stream.avail_out == 0);
    }
    return result == Z_STREAM_END;
}

static bool unpack_entry(struct work *work, const struct entry *entry)
{
    unsigned char local[ZIP_LOCAL];
    bool done;

    work->part = (struct part){ .rows = { .text = "<sheetData>" }, .rows_end = { .text = "</sheetData>" } };
    work->stream = (z_stream){ 0 };
    if (entry->method != ZIP_DEFLATED || !read_at(work->file, local, sizeof local, entry->offset))
        return false;
    if (inflateInit2(&work->stream, -MAX_WBITS) != Z_OK)
        return false;
    done = unpack(work, entry->offset + ZIP_LOCAL + little_endian(local + 26, 2) + little_endian(local + 28, 2),
                  entry->packed);
    inflateEnd(&work->stream);
    return done;
}

/* Whether the text ends with the end of its first element; a line end may follow. */
static bool is_closed(struct part *part)
{
    const char *element;
    const char *end = part->tail + part->tail_length;
    size_t length;

    part->head[part->head_length] = '\0';
    element = strstr(part->head, "?>");
    element = element ? strchr(element, '<') : NULL;
    if (!element)
        return false;
    element++;
    length = strcspn(element, " />\n");
    if (end > part->tail && end[-1] == '\n')
        end--;
    return (size_t)(end - part->tail) >= length + 3 && end[-1] == '>' &&
           memcmp(end - 1 - length, element, length) == 0 && memcmp(end - 3 - length, "</", 2) == 0;
}

static status check_entry(struct work *work, const struct entry *entry, const uint64_t *row_bytes, size_t sheets)
{
    const struct part *part = &work->part;
    size_t number;

    if (!unpack_entry(work, entry) || !is_closed(&work->part))
        return incomplete(entry->name);
    if (sscanf(entry->name, "xl/worksheets/sheet%zu.xml", &number) != 1)
        return STATUS_OK;
    /* The library adds an empty sheet to a workbook that has none. */
    if (number < 1 || number > sheets || row_bytes[number - 1] == 0)
        return STATUS_OK;
    if (!part->rows.behind || !part->rows_end.behind ||
        part->rows_end.behind - strlen(part->rows_end.text) - part->rows.behind != row_bytes[number - 1])
        return incomplete(entry->name);
    return STATUS_OK;
}

status xlsx_check(int file, const uint64_t *row_bytes, size_t sheets)
{
    off_t size = lseek(file, 0, SEEK_END);
    unsigned char end[ZIP_END];
    struct work *work;
    struct entry entry;
    uint32_t entries;
    uint64_t offset;
    status code = STATUS_OK;

    if (size < ZIP_END || !read_at(file, end, sizeof end, (uint64_t)size - ZIP_END) || memcmp(end, "PK\5\6", 4) != 0)
        return incomplete("directory");
    entries = little_endian(end + 10, 2);
    offset = little_endian(end + 16, 4);
    work = memory_allocate(sizeof *work);
    if (!work)
        return status_no_memory("checking an Excel workbook");
    work->file = file;
    for (uint32_t i = 0; i < entries && code == STATUS_OK; i++) {
        code =
            read_entry(file, offset, &entry) ? check_entry(work, &entry, row_bytes, sheets) : incomplete("directory");
        offset = entry.next;
    }
    memory_free(work);
    return code;
}
