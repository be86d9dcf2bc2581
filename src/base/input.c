/* input.c: reads, unpacks and looks ahead. */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"
#include "base/path.h"

enum {
    PACKED_BUFFER = 256 * 1024, /* bytes of a compressed file before unpacking */
    MAGIC_SIZE = 4,             /* bytes that tell how a file is packed */
    WHOLE_FIRST = 64 * 1024,    /* first guess at a size that is not known */
    LARGE_BLOCK = 4 << 20,      /* from here on large pages pay */
    SPOOL_FROM = 16 << 20,      /* unpacked bytes that are kept in memory; more go to a file */
    SPOOL_PIECE = 256 * 1024,   /* bytes that are written at once */
};

enum packing { PACKING_UNKNOWN, PACKING_NONE, PACKING_GZIP, PACKING_ZSTD };

/*     file or memory ──► (magic) ──► packed ──► unpacked ──► head ──► caller
 *
 * Plain bytes go from the file straight into the caller's buffer; only the few that told the packing, and the head when
 * it was asked for, are kept here and given again. */
struct input {
    char *name;                      /* for messages; owned */
    int file;                        /* -1: memory, or `more` */
    input_more more;                 /* NULL: not from a function */
    void *context;                   /* for `more` */
    bool keep_open;                  /* standard input is not ours to close */
    const char *memory;              /* borrowed */
    bool anywhere;                   /* a regular file: any place of it can be read */
    uint64_t start;                  /* of the file: standard input may be half read */
    uint64_t size;                   /* on disk or in memory; 0: not known */
    uint64_t consumed;               /* of those */
    uint64_t given;                  /* unpacked bytes that the caller has */
    enum packing packing;            /* found at the first read */
    unsigned char magic[MAGIC_SIZE]; /* the first bytes, given again by `read_raw` */
    size_t magic_length;             /* of magic */
    size_t magic_used;               /* of these, given out */
    unsigned char *packed;           /* NULL: not compressed */
    size_t packed_at;                /* first byte not yet unpacked */
    size_t packed_length;            /* bytes there */
    bool packed_end;                 /* the file has no more */
    bool hungry;                     /* the decoder has given all that it can without more bytes */
    const char *damage;              /* why what comes next cannot be unpacked; static; NULL: it may be */
    bool between;                    /* at the end of a gzip member or zstd frame: the file may end here */
    z_stream gzip;                   /* valid with PACKING_GZIP */
    ZSTD_DCtx *zstd;                 /* valid with PACKING_ZSTD */
    char *head;                      /* NULL: not asked for */
    size_t head_length;              /* of head */
    size_t head_used;                /* of these, given out by `input_read` */
    char *whole;                     /* what `input_whole` gave; owned; NULL: not asked for */
    size_t whole_length;             /* of it */
    int spool;                       /* -1: none; a file without a name that has all unpacked bytes */
    uint64_t spooled;                /* bytes in it */
};

static _Atomic size_t most_per_read;
static _Atomic uint64_t reads_made;
static _Atomic uint64_t failing_read;

void input_limit_reads(size_t bytes)
{
    most_per_read = bytes;
}

void input_fail_at(uint64_t nth)
{
    failing_read = nth ? reads_made + nth : 0;
}

static size_t limited(size_t capacity)
{
    size_t most = most_per_read;

    return most && capacity > most ? most : capacity;
}

static status fail(const struct input *input, int error)
{
    return status_fail_at(STATUS_INPUT, (struct place){ .file = input->name }, "%s", strerror(error));
}

static status new_input(const char *name, struct input **input)
{
    struct input *made = memory_allocate_clear(sizeof *made);

    *input = NULL;
    if (made)
        made->name = memory_copy_text(name);
    if (!made || !made->name) {
        memory_free(made);
        return status_no_memory("opening an input");
    }
    made->file = made->spool = -1;
    *input = made;
    return STATUS_OK;
}

static status inspect_file(struct input *input)
{
    struct stat found;

    if (fstat(input->file, &found))
        return fail(input, errno);
    if (S_ISDIR(found.st_mode))
        return status_fail_at(STATUS_INPUT, (struct place){ .file = input->name },
                              "is a directory; give one of the files in it");
    if (S_ISREG(found.st_mode)) {
        off_t at = lseek(input->file, 0, SEEK_CUR); /* standard input may be half read */

        input->anywhere = at >= 0;
        input->start = at >= 0 ? (uint64_t)at : 0;
        if (at >= 0 && found.st_size > at)
            input->size = (uint64_t)(found.st_size - at);
        posix_fadvise(input->file, 0, 0, POSIX_FADV_SEQUENTIAL); /* only advice */
    }
    return STATUS_OK;
}

status input_open(const char *path, struct input **input)
{
    bool standard = strcmp(path, "-") == 0;
    struct input *made;
    status opened = new_input(standard ? "<stdin>" : path, &made);

    *input = NULL;
    if (opened)
        return opened;
    if (standard) {
        made->file = STDIN_FILENO;
        made->keep_open = true;
    } else {
        do {
            made->file = open(path, O_RDONLY | O_CLOEXEC);
        } while (made->file < 0 && errno == EINTR);
    }
    opened = made->file < 0 ? fail(made, errno) : inspect_file(made);
    if (opened) {
        input_close(made);
        return opened;
    }
    *input = made;
    return STATUS_OK;
}

status input_open_memory(const char *name, const void *data, size_t size, struct input **input)
{
    status opened = new_input(name, input);

    if (opened)
        return opened;
    (*input)->memory = data;
    (*input)->size = size;
    return STATUS_OK;
}

status input_open_growing(const char *name, input_more more, void *context, struct input **input)
{
    status opened = new_input(name, input);

    if (opened)
        return opened;
    (*input)->more = more;
    (*input)->context = context;
    return STATUS_OK;
}

void input_close(struct input *input)
{
    if (!input)
        return;
    if (input->file >= 0 && !input->keep_open)
        close(input->file);
    if (input->spool >= 0)
        close(input->spool);
    if (input->packing == PACKING_GZIP)
        inflateEnd(&input->gzip);
    ZSTD_freeDCtx(input->zstd);
    memory_free(input->packed);
    memory_free(input->head);
    memory_free(input->whole);
    memory_free(input->name);
    memory_free(input);
}

static status read_file(struct input *input, void *buffer, size_t capacity, size_t *got)
{
    for (;;) {
        ssize_t length = read(input->file, buffer, capacity);

        if (length >= 0) {
            *got = (size_t)length;
            return STATUS_OK;
        }
        if (errno == EAGAIN) {
            /* A pipe that somebody made non-blocking: wait for bytes. */
            struct pollfd waiting = { .fd = input->file, .events = POLLIN };

            if (poll(&waiting, 1, -1) < 0 && errno != EINTR)
                return fail(input, errno);
        } else if (errno != EINTR) {
            return fail(input, errno);
        }
    }
}

/* Bytes as they lie on disk, past the magic. */
static status read_source(struct input *input, void *buffer, size_t capacity, size_t *got)
{
    status result = STATUS_OK;

    *got = 0;
    if (++reads_made == failing_read)
        return fail(input, EIO);
    capacity = limited(capacity);
    if (input->file >= 0) {
        result = read_file(input, buffer, capacity, got);
    } else if (input->more) {
        result = input->more(input->context, buffer, capacity, got);
    } else {
        size_t left = (size_t)(input->size - input->consumed);

        *got = left < capacity ? left : capacity;
        if (*got > 0)
            memcpy(buffer, input->memory + input->consumed, *got);
    }
    input->consumed += *got;
    return result;
}

/* The same from the very first byte. */
static status read_raw(struct input *input, void *buffer, size_t capacity, size_t *got)
{
    size_t again = input->magic_length - input->magic_used;
    status result;

    if (again == 0)
        return read_source(input, buffer, capacity, got);
    again = again < capacity ? again : capacity;
    memcpy(buffer, input->magic + input->magic_used, again);
    input->magic_used += again;
    *got = 0;
    if (again == capacity) {
        *got = again;
        return STATUS_OK;
    }
    result = read_source(input, (char *)buffer + again, capacity - again, got);
    if (result) {
        input->magic_used -= again;
        return result;
    }
    *got += again;
    return STATUS_OK;
}

static enum packing packing_of(const unsigned char *magic, size_t length)
{
    if (length >= 2 && magic[0] == 0x1F && magic[1] == 0x8B)
        return PACKING_GZIP;
    if (length < MAGIC_SIZE)
        return PACKING_NONE;
    if (magic[0] == 0x28 && magic[1] == 0xB5 && magic[2] == 0x2F && magic[3] == 0xFD)
        return PACKING_ZSTD;
    /* A skippable frame, as parallel compressors put first. */
    if ((magic[0] & 0xF0) == 0x50 && magic[1] == 0x2A && magic[2] == 0x4D && magic[3] == 0x18)
        return PACKING_ZSTD;
    return PACKING_NONE;
}

static status start_unpacking(struct input *input, enum packing packing)
{
    if (!input->packed)
        input->packed = memory_allocate(PACKED_BUFFER);
    if (!input->packed)
        return status_no_memory("opening a compressed file");
    input->hungry = true;
    if (packing == PACKING_ZSTD) {
        input->zstd = ZSTD_createDCtx();
        if (!input->zstd)
            return status_no_memory("opening a compressed file");
    } else if (inflateInit2(&input->gzip, MAX_WBITS + 16) != Z_OK) {
        return status_no_memory("opening a compressed file");
    }
    input->packing = packing;
    return STATUS_OK;
}

/* Looks at the first bytes; done at the first read, so that opening standard input does not wait for it. */
static status find_packing(struct input *input)
{
    enum packing packing;

    while (input->magic_length < MAGIC_SIZE) {
        size_t got;
        status result = read_source(input, input->magic + input->magic_length, MAGIC_SIZE - input->magic_length, &got);

        if (result)
            return result;
        if (got == 0)
            break;
        input->magic_length += got;
    }
    packing = packing_of(input->magic, input->magic_length);
    if (packing == PACKING_NONE) {
        input->packing = packing;
        return STATUS_OK;
    }
    return start_unpacking(input, packing);
}

static status fail_unpacking(struct input *input, const char *detail)
{
    input->damage = detail;
    return status_fail_at(STATUS_INPUT, (struct place){ .file = input->name }, "corrupt or truncated %s data (%s)",
                          input->packing == PACKING_GZIP ? "gzip" : "zstd", detail);
}

/* Damage that was met behind `got` bytes, which are good: the next call fails. */
static status keep_unpacked(struct input *input, const char *detail, size_t got)
{
    input->damage = detail;
    return got ? STATUS_OK : fail_unpacking(input, detail);
}

static status refill_packed(struct input *input)
{
    size_t got;
    status result = read_raw(input, input->packed, PACKED_BUFFER, &got);

    if (result)
        return result;
    input->packed_at = 0;
    input->packed_length = got;
    input->packed_end = got == 0;
    return STATUS_OK;
}

/* After a gzip member: another may follow, or the zeros with which tapes and some tools fill up. */
static status next_member(struct input *input)
{
    while (input->packed_at < input->packed_length && input->packed[input->packed_at] == 0)
        input->packed_at++;
    if (input->packed_at == input->packed_length)
        return STATUS_OK;
    if (inflateReset(&input->gzip) != Z_OK)
        return fail_unpacking(input, "the decoder cannot start again");
    input->between = false;
    return STATUS_OK;
}

static status unpack_gzip(struct input *input, void *buffer, size_t capacity, size_t *got)
{
    z_stream *stream = &input->gzip;
    uInt room = capacity < UINT32_MAX / 2 ? (uInt)capacity : UINT32_MAX / 2;
    int result;

    if (input->between) {
        status started = next_member(input);

        if (started || input->between) {
            input->hungry = true;
            return started;
        }
    }
    stream->next_in = input->packed + input->packed_at;
    stream->avail_in = (uInt)(input->packed_length - input->packed_at);
    stream->next_out = buffer;
    stream->avail_out = room;
    result = inflate(stream, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR)
        return status_no_memory("unpacking gzip data");
    *got = room - stream->avail_out;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return keep_unpacked(input, stream->msg ? stream->msg : "not valid", *got);
    input->packed_at = input->packed_length - stream->avail_in;
    input->between = result == Z_STREAM_END;
    input->hungry = stream->avail_in == 0 && (input->between || stream->avail_out > 0);
    return STATUS_OK;
}

static status unpack_zstd(struct input *input, void *buffer, size_t capacity, size_t *got)
{
    ZSTD_inBuffer in = { .src = input->packed, .size = input->packed_length, .pos = input->packed_at };
    ZSTD_outBuffer out = { .dst = buffer, .size = capacity, .pos = 0 };
    size_t wanted = ZSTD_decompressStream(input->zstd, &out, &in);

    *got = out.pos;
    if (ZSTD_isError(wanted))
        return keep_unpacked(input, ZSTD_getErrorName(wanted), *got);
    input->packed_at = in.pos;
    input->between = wanted == 0;
    input->hungry = in.pos == in.size && (input->between || out.pos < out.size);
    return STATUS_OK;
}

static status read_unpacked(struct input *input, void *buffer, size_t capacity, size_t *got)
{
    *got = 0;
    if (input->damage)
        return fail_unpacking(input, input->damage); /* what a decoder does after a failure is not known */
    while (*got == 0) {
        status result = STATUS_OK;

        if (input->hungry && input->packed_at == input->packed_length && !input->packed_end)
            result = refill_packed(input);
        if (result)
            return result;
        if (input->hungry && input->packed_end)
            return input->between ? STATUS_OK : fail_unpacking(input, "it ends too early");
        if (input->packing == PACKING_GZIP)
            result = unpack_gzip(input, buffer, capacity, got);
        else
            result = unpack_zstd(input, buffer, capacity, got);
        if (result)
            return result;
    }
    return STATUS_OK;
}

/* Past the head that is kept for giving again. */
static status read_onward(struct input *input, void *buffer, size_t capacity, size_t *got)
{
    *got = 0;
    if (input->packing == PACKING_UNKNOWN) {
        status found = find_packing(input);

        if (found)
            return found;
    }
    capacity = limited(capacity);
    if (input->packing == PACKING_NONE)
        return read_raw(input, buffer, capacity, got);
    return read_unpacked(input, buffer, capacity, got);
}

status input_read(struct input *input, void *buffer, size_t capacity, size_t *got)
{
    size_t again = input->head_length - input->head_used;
    status result = STATUS_OK;

    *got = 0;
    if (capacity == 0)
        return STATUS_OK;
    if (again > 0) {
        capacity = limited(capacity);
        *got = again < capacity ? again : capacity;
        memcpy(buffer, input->head + input->head_used, *got);
        input->head_used += *got;
    } else {
        result = read_onward(input, buffer, capacity, got);
    }
    input->given += *got;
    return result;
}

status input_head(struct input *input, struct text *head)
{
    if (!input->head) {
        input->head = memory_allocate(INPUT_HEAD);
        if (!input->head)
            return status_no_memory("looking at an input");
    }
    /* What a failure interrupted goes on at the next call. */
    while (input->head_used == 0 && input->head_length < INPUT_HEAD) {
        size_t got;
        status result = read_onward(input, input->head + input->head_length, INPUT_HEAD - input->head_length, &got);

        if (result && (!input->damage || !input->head_length))
            return result;
        if (result)
            status_clear(); /* there is something to look at: reading fails where it ends */
        if (result || got == 0)
            break;
        input->head_length += got;
        if (input->more)
            break;
    }
    *head = (struct text){ .data = input->head + input->head_used, .length = input->head_length - input->head_used };
    return STATUS_OK;
}

static status fail_too_large(const struct input *input, size_t limit)
{
    return status_fail_at(STATUS_INPUT, (struct place){ .file = input->name },
                          "is larger than %zu bytes, the most that is read of such a file", limit);
}

/* Asks for large pages: touching fresh memory in small ones costs several times what reading a cached file does. Only advice. */
static void advise_large_pages(char *block, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t before = (page - (size_t)((uintptr_t)block % page)) % page;

    if (size >= LARGE_BLOCK)
        madvise(block + before, size - before, MADV_HUGEPAGE);
}

/* Reads into `whole` until the end, growing it; one byte more than the limit is room enough to see that it is passed. */
static status collect(struct input *input, size_t limit, size_t capacity, size_t *length)
{
    for (;;) {
        size_t got;
        status result;

        if (*length == capacity) {
            size_t grown = capacity > limit / 2 ? limit + 1 : capacity * 2;
            char *moved = memory_resize(input->whole, grown);

            if (!moved)
                return status_no_memory("reading a whole file");
            input->whole = moved;
            capacity = grown;
            advise_large_pages(moved, grown);
        }
        result = input_read(input, input->whole + *length, capacity - *length, &got);
        if (result || got == 0)
            return result;
        *length += got;
        if (*length > limit)
            return fail_too_large(input, limit);
    }
}

status input_whole(struct input *input, size_t limit, struct text *whole)
{
    size_t capacity = WHOLE_FIRST;
    size_t length = 0;
    status result = STATUS_OK;

    *whole = (struct text){ .data = "", .length = 0 };
    limit = limit < SIZE_MAX / 2 ? limit : SIZE_MAX / 2;
    if (input->packing == PACKING_UNKNOWN)
        result = find_packing(input);
    if (result)
        return result;
    if (input->packing == PACKING_NONE && !input->more && input->size >= input->given) {
        uint64_t left = input->size - input->given;

        if (left > limit)
            return fail_too_large(input, limit);
        if (input->file < 0) {
            if (left > 0)
                *whole = (struct text){ .data = input->memory + input->given, .length = (size_t)left };
            input->given = input->consumed = input->size;
            input->magic_used = input->magic_length;
            input->head_used = input->head_length;
            return STATUS_OK;
        }
        capacity = left > 0 ? (size_t)left + 1 : capacity; /* the one more sees the end */
    }
    if (input->whole)
        return STATUS_OK; /* nothing was left by the first call, whose block is still the caller's to read */
    capacity = capacity < limit + 1 ? capacity : limit + 1;
    input->whole = memory_allocate(capacity);
    if (!input->whole)
        return status_no_memory("reading a whole file");
    advise_large_pages(input->whole, capacity);
    result = collect(input, limit, capacity, &length);
    if (result) {
        memory_free(input->whole);
        input->whole = NULL;
        return result;
    }
    *whole = (struct text){ .data = input->whole, .length = length };
    return STATUS_OK;
}

static status fail_spooling(const struct input *input, const char *folder, int error)
{
    return status_fail(STATUS_OUTPUT, "cannot keep what is unpacked of %s in %s: %s; TMPDIR names another folder",
                       input->name, folder, strerror(error));
}

/* A file that is gone when it is closed, or when the program ends. */
static status open_spool(struct input *input, const char **folder)
{
    struct path path = { 0 };
    status code;
    int error;

    *folder = getenv("TMPDIR");
    if (!*folder || !**folder)
        *folder = "/tmp";
    code = path_set(&path, "%s/tacho-XXXXXX", *folder);
    if (code != STATUS_OK) {
        path_free(&path);
        return code;
    }
    input->spool = mkostemp(path.text, O_CLOEXEC);
    error = errno;
    if (input->spool >= 0)
        unlink(path.text);
    path_free(&path);
    return input->spool >= 0 ? STATUS_OK : fail_spooling(input, *folder, error);
}

static status write_spool(struct input *input, const char *folder, const char *bytes, size_t length)
{
    while (length) {
        ssize_t written = write(input->spool, bytes, length);

        if (written < 0 && errno != EINTR)
            return fail_spooling(input, folder, errno);
        bytes += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
        input->spooled += written > 0 ? (uint64_t)written : 0;
    }
    return STATUS_OK;
}

/* All that can be unpacked, the first part of which is in memory, into a file. */
static status spool(struct input *input)
{
    const char *folder;
    status code = open_spool(input, &folder);
    size_t got = 1;

    if (code == STATUS_OK)
        code = write_spool(input, folder, input->whole, input->whole_length);
    while (code == STATUS_OK && got) {
        code = input_read(input, input->whole, SPOOL_PIECE, &got);
        if (code == STATUS_OK)
            code = write_spool(input, folder, input->whole, got);
    }
    return code;
}

static void drop_whole(struct input *input)
{
    memory_free(input->whole);
    input->whole = NULL;
    input->whole_length = 0;
}

/* Unpacks all that can be unpacked: into memory, or into a file where it is much. */
static status keep_whole(struct input *input)
{
    status code;

    if (input->whole || input->spool >= 0)
        return STATUS_OK;
    input->whole = memory_allocate(WHOLE_FIRST);
    if (!input->whole)
        return status_no_memory("reading a whole file");
    code = collect(input, SPOOL_FROM, WHOLE_FIRST, &input->whole_length);
    if (code == STATUS_INPUT && input->whole_length > SPOOL_FROM) {
        code = spool(input);
        drop_whole(input);
    }
    if (code == STATUS_INPUT && input->damage && (input->whole_length || input->spooled)) {
        status_clear();
        return STATUS_OK;
    }
    if (code != STATUS_OK) {
        drop_whole(input);
        if (input->spool >= 0)
            close(input->spool);
        input->spool = -1;
    }
    return code;
}

static size_t copy_part(const char *from, uint64_t length, uint64_t offset, void *buffer, size_t capacity)
{
    uint64_t left = offset < length ? length - offset : 0;
    size_t part = left < capacity ? (size_t)left : capacity;

    if (part)
        memcpy(buffer, from + offset, part);
    return part;
}

static status read_file_at(struct input *input, int file, uint64_t offset, char *buffer, size_t capacity, size_t *got)
{
    if (++reads_made == failing_read)
        return fail(input, EIO);
    while (*got < capacity) {
        ssize_t length = pread(file, buffer + *got, limited(capacity - *got), (off_t)(offset + *got));

        if (length == 0)
            break;
        if (length < 0 && errno != EINTR)
            return fail(input, errno);
        *got += length > 0 ? (size_t)length : 0;
    }
    return STATUS_OK;
}

status input_read_at(struct input *input, uint64_t offset, void *buffer, size_t capacity, size_t *got)
{
    status code = input->packing == PACKING_UNKNOWN ? find_packing(input) : STATUS_OK;

    *got = 0;
    if (code != STATUS_OK)
        return code;
    if (input->packing == PACKING_NONE && input->file < 0 && !input->more) {
        *got = copy_part(input->memory, input->size, offset, buffer, capacity);
    } else if (input->packing == PACKING_NONE && input->anywhere) {
        /* Offsets are those of files: none is beyond what the system can have. */
        if (offset < INT64_MAX - input->start - capacity)
            code = read_file_at(input, input->file, input->start + offset, buffer, capacity, got);
    } else {
        code = keep_whole(input);
        if (code == STATUS_OK && input->spool >= 0 && offset < input->spooled)
            code = read_file_at(input, input->spool, offset, buffer, capacity, got);
        else if (code == STATUS_OK && input->spool < 0)
            *got = copy_part(input->whole, input->whole_length, offset, buffer, capacity);
    }
    return code;
}

bool input_is_damaged(const struct input *input)
{
    return input->damage != NULL;
}

const char *input_name(const struct input *input)
{
    return input->name;
}

uint64_t input_consumed(const struct input *input)
{
    return input->consumed;
}

uint64_t input_size(const struct input *input)
{
    return input->size;
}
