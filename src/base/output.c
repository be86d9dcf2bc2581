/* output.c: a temporary file beside the target, compressed on the way, renamed at the end. */
#include "base/output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"

enum {
    PACKED_BUFFER = 128 * 1024, /* compressed bytes on their way to the file */
    GZIP_LEVEL = 6,
    ZSTD_LEVEL = 3,
    NAME_KEPT = 200, /* bytes of the target's name in the temporary name: a file name ends at 255 */
    NAME_RANDOM = 6, /* random characters there */
    NAME_ATTEMPTS = 100,
    LINKS_FOLLOWED = 40,
};

enum packing { PACK_NOTHING, PACK_GZIP, PACK_ZSTD };

/* `head` comes first: a pointer to it is a pointer to the whole. */
struct output_file {
    struct output head;      /* what callers see */
    unsigned char *buffer;   /* owned */
    size_t capacity;         /* of the buffer, without the byte kept for a NUL */
    uint64_t flushed;        /* bytes that left the buffer */
    bool in_memory;          /* the buffer grows and nothing leaves it */
    int file;                /* -1: none */
    bool keep_open;          /* standard output is not ours to close */
    char *name;              /* as the user knows it, for messages */
    char *target;            /* the path behind links; NULL: a stream of this process */
    char *temporary;         /* beside the target; NULL: written directly, or renamed */
    enum packing packing;    /* by the suffix of the name */
    z_stream gzip;           /* valid with PACK_GZIP */
    ZSTD_CCtx *zstd;         /* valid with PACK_ZSTD */
    unsigned char *packed;   /* PACKED_BUFFER bytes on their way; NULL: nothing is packed */
    status failure;          /* the first; STATUS_OK: none */
    const char *failed_what; /* what it was, when `failed_errno` does not say it */
    int failed_errno;        /* of that failure; 0: none */
};

static _Atomic uint64_t writes_made;
static _Atomic uint64_t failing_write;

void output_fail_at(uint64_t nth)
{
    failing_write = nth ? writes_made + nth : 0;
}

/* The temporary files that exist now, for a process that is about to end. A name is cleared before it is freed, so a
 * signal handler sees a whole name or none. */
enum { LIVE_TEMPORARIES = 16 };

static const char *_Atomic live_temporaries[LIVE_TEMPORARIES];

static void remember_temporary(const char *path)
{
    for (unsigned i = 0; i < LIVE_TEMPORARIES; i++) {
        const char *nobody = NULL;

        if (atomic_compare_exchange_strong(&live_temporaries[i], &nobody, path))
            return;
    }
}

static void forget_temporary(const char *path)
{
    for (unsigned i = 0; i < LIVE_TEMPORARIES; i++)
        if (live_temporaries[i] == path)
            live_temporaries[i] = NULL;
}

void output_remove_temporaries(void)
{
    for (unsigned i = 0; i < LIVE_TEMPORARIES; i++) {
        const char *path = live_temporaries[i];

        if (path)
            unlink(path);
    }
}

static struct output_file *whole(struct output *output)
{
    return (struct output_file *)output;
}

static status fail(const struct output_file *file, int error)
{
    return status_fail_at(STATUS_OUTPUT, (struct place){ .file = file->name }, "%s", strerror(error));
}

/* The sentence of a failure that happened some time ago: other calls may have replaced it. */
static status report(const struct output_file *file)
{
    if (file->failure == STATUS_MEMORY)
        return status_no_memory("writing output");
    if (file->failure == STATUS_OUTPUT && file->failed_what)
        return status_fail_at(STATUS_OUTPUT, (struct place){ .file = file->name }, "%s", file->failed_what);
    if (file->failure == STATUS_OUTPUT)
        return fail(file, file->failed_errno);
    return file->failure;
}

static status stick(struct output_file *file, status failure, int error, const char *what)
{
    if (file->failure == STATUS_OK) {
        file->failure = failure;
        file->failed_errno = error;
        file->failed_what = what;
    }
    return report(file);
}

/* One write(2), or the failure that a test asked for. */
static ssize_t write_once(int file, const unsigned char *data, size_t size)
{
    if (++writes_made == failing_write) {
        errno = ENOSPC;
        return -1;
    }
    return write(file, data, size);
}

static status write_all(struct output_file *file, const unsigned char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write_once(file->file, data, size);

        if (written > 0) {
            data += written;
            size -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN) {
            /* A pipe that somebody made non-blocking: wait for room. */
            struct pollfd waiting = { .fd = file->file, .events = POLLOUT };

            if (poll(&waiting, 1, -1) < 0 && errno != EINTR)
                return stick(file, STATUS_OUTPUT, errno, NULL);
        } else if (written == 0 || errno != EINTR) {
            return stick(file, STATUS_OUTPUT, written == 0 ? ENOSPC : errno, NULL);
        }
    }
    return STATUS_OK;
}

static status pack_gzip(struct output_file *file, const unsigned char *data, size_t size, bool finish)
{
    z_stream *stream = &file->gzip;

    do {
        size_t part = size < UINT32_MAX / 2 ? size : UINT32_MAX / 2;
        int result = Z_OK;

        stream->next_in = (z_const Bytef *)(uintptr_t)data; /* zlib only reads it */
        stream->avail_in = (uInt)part;
        data += part;
        size -= part;
        do {
            status written;

            stream->next_out = file->packed;
            stream->avail_out = PACKED_BUFFER;
            result = deflate(stream, finish && size == 0 ? Z_FINISH : Z_NO_FLUSH);
            if (result == Z_STREAM_ERROR)
                return stick(file, STATUS_OUTPUT, 0, "gzip compression failed");
            written = write_all(file, file->packed, PACKED_BUFFER - stream->avail_out);
            if (written)
                return written;
        } while (stream->avail_out == 0);
    } while (size > 0);
    return STATUS_OK;
}

static status pack_zstd(struct output_file *file, const unsigned char *data, size_t size, bool finish)
{
    ZSTD_inBuffer in = { .src = data, .size = size, .pos = 0 };
    size_t left;

    do {
        ZSTD_outBuffer out = { .dst = file->packed, .size = PACKED_BUFFER, .pos = 0 };
        status written;

        left = ZSTD_compressStream2(file->zstd, &out, &in, finish ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return stick(file, STATUS_OUTPUT, 0, "zstd compression failed");
        written = write_all(file, file->packed, out.pos);
        if (written)
            return written;
    } while (finish ? left > 0 : in.pos < in.size);
    return STATUS_OK;
}

static status pass_on(struct output_file *file, const unsigned char *data, size_t size, bool finish)
{
    if (file->failure)
        return report(file);
    switch (file->packing) {
    case PACK_GZIP:
        return pack_gzip(file, data, size, finish);
    case PACK_ZSTD:
        return pack_zstd(file, data, size, finish);
    case PACK_NOTHING:
        break;
    }
    return write_all(file, data, size);
}

static size_t buffered(const struct output_file *file)
{
    return (size_t)(file->head.next - file->buffer);
}

/* Empties the buffer, into the file or after a failure into nowhere. */
static status drain(struct output_file *file, bool finish)
{
    size_t size = buffered(file);

    file->flushed += size;
    file->head.next = file->buffer;
    return pass_on(file, file->buffer, size, finish);
}

static status grow_memory(struct output_file *file, size_t size)
{
    size_t used = buffered(file);
    size_t grown = file->capacity;
    unsigned char *buffer = NULL;

    if (file->failure == STATUS_OK && size <= SIZE_MAX / 4 && grown <= SIZE_MAX / 4) {
        while (grown - used < size)
            grown *= 2;
        buffer = memory_resize(file->buffer, grown + 1);
    }
    if (!buffer) {
        file->flushed += used;
        file->head.next = file->buffer; /* what follows goes nowhere */
        return stick(file, STATUS_MEMORY, 0, NULL);
    }
    file->buffer = buffer;
    file->capacity = grown;
    file->head.next = buffer + used;
    file->head.end = buffer + grown;
    return STATUS_OK;
}

status output_flush(struct output *output)
{
    struct output_file *file = whole(output);

    return file->in_memory ? report(file) : drain(file, false);
}

unsigned char *output_reserve_slow(struct output *output, size_t size)
{
    struct output_file *file = whole(output);
    /* A failure sticks; the bytes then go nowhere. */
    status ignored = file->in_memory ? grow_memory(file, size) : drain(file, false);

    (void)ignored;
    return output->next;
}

status output_write_long(struct output *output, const void *data, size_t size)
{
    struct output_file *file = whole(output);
    status made_room;

    if ((size_t)(output->end - output->next) < size) {
        made_room = file->in_memory ? grow_memory(file, size) : drain(file, false);
        if (made_room)
            return made_room;
        if (size > file->capacity) {
            file->flushed += size;
            return pass_on(file, data, size, false);
        }
    }
    memcpy(output->next, data, size);
    output->next += size;
    return report(file);
}

/* A text that does not fit what is free in the buffer; `length` is known from the first attempt. */
static void format_long(struct output *output, size_t length, const char *format, va_list arguments)
{
    char *text;
    status ignored;

    if (length < OUTPUT_LARGEST_RESERVE) {
        text = (char *)output_reserve(output, length + 1);
        vsnprintf(text, length + 1, format, arguments);
        output_advance(output, length);
        return;
    }
    text = memory_allocate(length + 1);
    if (!text) {
        ignored = stick(whole(output), STATUS_MEMORY, 0, NULL);
    } else {
        vsnprintf(text, length + 1, format, arguments);
        ignored = output_write_long(output, text, length);
        memory_free(text);
    }
    (void)ignored;
}

void output_format(struct output *output, const char *format, ...)
{
    size_t room = (size_t)(output->end - output->next);
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf((char *)output->next, room, format, arguments);
    va_end(arguments);
    if (length < 0) {
        status ignored = stick(whole(output), STATUS_OUTPUT, 0, "a text could not be formatted");

        (void)ignored;
    } else if ((size_t)length < room) {
        output_advance(output, (size_t)length);
    } else {
        va_start(arguments, format);
        format_long(output, (size_t)length, format, arguments);
        va_end(arguments);
    }
}

uint64_t output_written(const struct output *output)
{
    const struct output_file *file = (const struct output_file *)output;

    return file->flushed + buffered(file);
}

status output_status(const struct output *output)
{
    return ((const struct output_file *)output)->failure;
}

void output_stick(struct output *output, status code)
{
    if (code != STATUS_OK)
        stick((struct output_file *)output, code, 0, NULL);
}

/* Ends the file and the memory; what lies on disk is the caller's decision. Returns 0 or the error of close(2). */
static int release(struct output_file *file)
{
    int error = 0;

    if (file->file >= 0 && !file->keep_open && close(file->file) && errno != EINTR)
        error = errno;
    file->file = -1;
    if (file->packing == PACK_GZIP)
        deflateEnd(&file->gzip);
    ZSTD_freeCCtx(file->zstd);
    file->zstd = NULL;
    file->packing = PACK_NOTHING;
    return error;
}

static void discard(struct output_file *file)
{
    release(file);
    if (file->temporary) {
        unlink(file->temporary);
        forget_temporary(file->temporary);
    }
    memory_free(file->temporary);
    memory_free(file->target);
    memory_free(file->name);
    memory_free(file->packed);
    memory_free(file->buffer);
    memory_free(file);
}

void output_abandon(struct output *output)
{
    if (output)
        discard(whole(output));
}

status output_finish(struct output *output, status code)
{
    if (code == STATUS_OK)
        return output_commit(output);
    output_abandon(output);
    return code;
}

status output_commit(struct output *output)
{
    struct output_file *file = whole(output);
    status result = file->in_memory ? report(file) : drain(file, true);
    int close_error = release(file);

    if (!result && close_error)
        result = stick(file, STATUS_OUTPUT, close_error, NULL);
    if (!result && file->temporary) {
        if (rename(file->temporary, file->target)) {
            result = stick(file, STATUS_OUTPUT, errno, NULL);
        } else {
            forget_temporary(file->temporary);
            memory_free(file->temporary);
            file->temporary = NULL;
        }
    }
    discard(file);
    return result;
}

const char *output_memory(struct output *output, size_t *length)
{
    struct output_file *file = whole(output);

    if (file->failure || !file->in_memory)
        return NULL;
    *output->next = '\0'; /* the buffer has one byte more than `end` says */
    *length = buffered(file);
    return (const char *)file->buffer;
}

/* Where the last component of a path begins. */
static size_t name_offset(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Creates every folder on the way to the last component. */
static status create_folders(const struct output_file *file, char *path)
{
    size_t length = name_offset(path);

    for (size_t i = 1; i < length; i++) {
        struct stat found;
        int error = 0;

        if (path[i] != '/')
            continue;
        path[i] = '\0';
        if (stat(path, &found) && mkdir(path, 0777) && errno != EEXIST)
            error = errno;
        path[i] = '/';
        if (error)
            return status_fail_at(STATUS_OUTPUT, (struct place){ .file = file->name },
                                  "the folder %.*s cannot be created: %s", (int)i, path, strerror(error));
    }
    return STATUS_OK;
}

/* `*path` is a link: replaces it with what the link says. */
static status follow_link(const struct output_file *file, char **path)
{
    char link[4096];
    ssize_t length = readlink(*path, link, sizeof link);
    size_t folder = name_offset(*path);
    char *followed;

    if (length < 0 || (size_t)length == sizeof link)
        return fail(file, length < 0 ? errno : ENAMETOOLONG);
    if (length > 0 && link[0] == '/')
        folder = 0;
    followed = memory_allocate(folder + (size_t)length + 1);
    if (!followed)
        return status_no_memory("following a link");
    memcpy(followed, *path, folder);
    memcpy(followed + folder, link, (size_t)length);
    followed[folder + (size_t)length] = '\0';
    memory_free(*path);
    *path = followed;
    return STATUS_OK;
}

/* The file that a path means behind its links, which need not exist. `*mode` is 0 when it does not. */
static status resolve(const struct output_file *file, char **path, mode_t *mode)
{
    struct stat found;

    /* What is opened in place needs no name behind the link, and links in /proc have none. */
    if (stat(*path, &found) == 0 && !S_ISREG(found.st_mode)) {
        *mode = found.st_mode;
        return STATUS_OK;
    }
    for (int links = 0; links < LINKS_FOLLOWED; links++) {
        status followed;

        *mode = 0;
        if (lstat(*path, &found)) {
            if (errno == ENOENT)
                return STATUS_OK;
            return fail(file, errno);
        }
        *mode = found.st_mode;
        if (!S_ISLNK(found.st_mode))
            return STATUS_OK;
        followed = follow_link(file, path);
        if (followed)
            return followed;
    }
    return fail(file, ELOOP);
}

static void random_name(char *to)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    static _Atomic unsigned counter;
    unsigned char bytes[NAME_RANDOM] = { 0 };

    if (getrandom(bytes, sizeof bytes, GRND_NONBLOCK) < 0) {
        unsigned number = ++counter * 7919u + (unsigned)getpid();

        memcpy(bytes, &number, sizeof number);
    }
    for (size_t i = 0; i < sizeof bytes; i++)
        to[i] = letters[bytes[i] % (sizeof letters - 1)];
}

/* A new file beside the target. open(2) applies the umask, which mkstemp(3) would ignore. */
static status open_temporary(struct output_file *file)
{
    size_t folder = name_offset(file->target);
    const char *name = file->target + folder;
    size_t kept = strnlen(name, NAME_KEPT);
    size_t random_at = folder + 1 + kept + 1;
    char *path = memory_allocate(random_at + NAME_RANDOM + 1);

    if (!path)
        return status_no_memory("naming a temporary file");
    memcpy(path, file->target, folder);
    path[folder] = '.';
    memcpy(path + folder + 1, name, kept);
    path[random_at - 1] = '.';
    path[random_at + NAME_RANDOM] = '\0';
    for (int attempt = 0; attempt < NAME_ATTEMPTS && file->file < 0; attempt++) {
        random_name(path + random_at);
        file->file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->file < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    if (file->file < 0) {
        status failed = fail(file, errno);

        memory_free(path);
        return failed;
    }
    file->temporary = path;
    remember_temporary(path);
    return STATUS_OK;
}

static status open_direct(struct output_file *file, const char *path, int flags)
{
    do {
        file->file = open(path, O_WRONLY | O_CLOEXEC | flags);
    } while (file->file < 0 && errno == EINTR);
    return file->file < 0 ? fail(file, errno) : STATUS_OK;
}

/* An older target is replaced only where it could have been written to, and its permissions stay. */
static status open_replacement(struct output_file *file, mode_t mode)
{
    status opened;

    if (mode && faccessat(AT_FDCWD, file->target, W_OK, AT_EACCESS))
        return fail(file, errno);
    opened = create_folders(file, file->target);
    if (!opened)
        opened = open_temporary(file);
    if (!opened && mode && fchmod(file->file, mode & 0777))
        return fail(file, errno);
    return opened;
}

static status open_target(struct output_file *file, const char *path)
{
    mode_t mode;
    status resolved;

    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        file->file = STDOUT_FILENO;
        file->keep_open = true;
        return STATUS_OK;
    }
    /* Another open stream of this process: its file, if it is one, must not be replaced under it. */
    if (strcmp(path, "/dev/stderr") == 0 || strncmp(path, "/dev/fd/", 8) == 0)
        return open_direct(file, path, O_APPEND);
    file->target = memory_copy_text(path);
    if (!file->target)
        return status_no_memory("opening an output");
    resolved = resolve(file, &file->target, &mode);
    if (resolved)
        return resolved;
    if (file->target[0] == '\0')
        return status_fail(STATUS_OUTPUT, "an output needs the name of a file");
    if (S_ISDIR(mode) || file->target[name_offset(file->target)] == '\0')
        return status_fail_at(STATUS_OUTPUT, (struct place){ .file = file->name },
                              "is a directory; give the name of a file in it");
    if (mode && !S_ISREG(mode))
        return open_direct(file, file->target, 0);
    return open_replacement(file, mode);
}

static bool ends_in(const char *path, const char *suffix)
{
    size_t length = strlen(path);
    size_t suffix_length = strlen(suffix);

    return length > suffix_length && strcmp(path + length - suffix_length, suffix) == 0;
}

static status start_packing(struct output_file *file, const char *path)
{
    bool gzip = ends_in(path, ".gz") || ends_in(path, ".tgz");

    if (!gzip && !ends_in(path, ".zst"))
        return STATUS_OK;
    file->packed = memory_allocate(PACKED_BUFFER);
    if (!file->packed)
        return status_no_memory("starting compression");
    if (gzip) {
        /* 16 asks zlib for a gzip header around its data. */
        if (deflateInit2(&file->gzip, GZIP_LEVEL, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            return status_no_memory("starting compression");
        file->packing = PACK_GZIP;
        return STATUS_OK;
    }
    file->zstd = ZSTD_createCCtx();
    if (!file->zstd || ZSTD_isError(ZSTD_CCtx_setParameter(file->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(file->zstd, ZSTD_c_checksumFlag, 1)))
        return status_no_memory("starting compression");
    file->packing = PACK_ZSTD;
    return STATUS_OK;
}

static struct output_file *new_output(const char *name)
{
    struct output_file *file = memory_allocate_clear(sizeof *file);

    if (!file)
        return NULL;
    file->file = -1;
    file->capacity = OUTPUT_BUFFER;
    file->buffer = memory_allocate(OUTPUT_BUFFER + 1);
    file->name = memory_copy_text(name);
    if (!file->buffer || !file->name) {
        discard(file);
        return NULL;
    }
    file->head.next = file->buffer;
    file->head.end = file->buffer + file->capacity;
    return file;
}

bool output_is_standard(const char *path)
{
    struct stat named, standard;

    if (strcmp(path, "-") == 0)
        return true;
    return stat(path, &named) == 0 && fstat(STDOUT_FILENO, &standard) == 0 && named.st_dev == standard.st_dev &&
           named.st_ino == standard.st_ino;
}

static status open_file(const char *path, bool pack, struct output **output)
{
    bool standard = strcmp(path, "-") == 0;
    struct output_file *file = new_output(standard ? "<stdout>" : path);
    status opened;

    *output = NULL;
    if (!file)
        return status_no_memory("opening an output");
    opened = pack ? start_packing(file, path) : STATUS_OK;
    if (!opened)
        opened = open_target(file, path);
    if (opened) {
        discard(file);
        return opened;
    }
    *output = &file->head;
    return STATUS_OK;
}

status output_open(const char *path, struct output **output)
{
    return open_file(path, true, output);
}

status output_open_copy(const char *path, struct output **output)
{
    return open_file(path, false, output);
}

void output_clear(struct output *output)
{
    struct output_file *file = (struct output_file *)output;

    assert(file->in_memory);
    file->head.next = file->buffer;
}

status output_open_memory(struct output **output)
{
    struct output_file *file = new_output("<memory>");

    *output = NULL;
    if (!file)
        return status_no_memory("opening an output");
    file->in_memory = true;
    *output = &file->head;
    return STATUS_OK;
}
