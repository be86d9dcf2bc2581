#include "base/tar.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/memory.h"
#include "base/output.h"

enum {
    BLOCK = 512,
    DEEPEST = 32, /* folders below each other */
    NAME_FIELD = 100,
    PREFIX_FIELD = 155,
    SIZE_LARGEST_DIGITS = 11, /* octal, of the size and time fields */
    PIECE = 64 * 1024,
};

static const uint64_t largest_size = (UINT64_C(1) << (3 * SIZE_LARGEST_DIGITS)) - 1;

struct tar {
    struct output *output;
    uint64_t left_out;
};

/* One header block as it lies in the file; all numbers are octal digits. */
struct tar_header {
    char name[NAME_FIELD];
    char mode[8];
    char owner[8];
    char group[8];
    char size[12];
    char time[12];
    char checksum[8];
    char type;
    char link[100];
    char magic[6];
    char version[2];
    char owner_name[32];
    char group_name[32];
    char major[8];
    char minor[8];
    char prefix[PREFIX_FIELD];
    char rest[12];
};

_Static_assert(sizeof(struct tar_header) == BLOCK, "a header is one block");

static const char zeros[BLOCK];

status tar_open(const char *path, struct tar **tar)
{
    struct tar *made = memory_allocate_clear(sizeof *made);
    status code;

    *tar = NULL;
    if (!made)
        return status_no_memory("starting an archive");
    code = output_open(path, &made->output);
    if (code != STATUS_OK) {
        memory_free(made);
        return code;
    }
    *tar = made;
    return STATUS_OK;
}

uint64_t tar_left_out(const struct tar *tar)
{
    return tar->left_out;
}

/* ---- headers ---------------------------------------------------------------------------------------------------------- */

static void put_octal(char *field, size_t size, uint64_t value)
{
    for (size_t i = size - 1; i-- > 0; value >>= 3)
        field[i] = (char)('0' + (value & 7));
}

/* Two fields hold a name with the slash between them left out. False: it fits no way. */
static bool split_name(struct tar_header *header, const char *name)
{
    size_t length = strlen(name);

    if (length <= NAME_FIELD) {
        memcpy(header->name, name, length);
        return true;
    }
    for (size_t i = length - NAME_FIELD - 1; i < length - 1 && i <= PREFIX_FIELD; i++) {
        if (i == 0 || name[i] != '/')
            continue;
        memcpy(header->prefix, name, i);
        memcpy(header->name, name + i + 1, length - i - 1);
        return true;
    }
    return false;
}

static void put_header(struct tar *tar, struct tar_header *header)
{
    const unsigned char *bytes = (const unsigned char *)header;
    unsigned sum = 0;

    memcpy(header->magic, "ustar", 6);
    memcpy(header->version, "00", 2);
    memset(header->checksum, ' ', sizeof header->checksum);
    for (size_t i = 0; i < sizeof *header; i++)
        sum += bytes[i];
    put_octal(header->checksum, 7, sum);
    output_write(tar->output, header, sizeof *header);
}

static void fill_block(struct tar *tar, uint64_t size)
{
    if (size % BLOCK)
        output_write(tar->output, zeros, (size_t)(BLOCK - size % BLOCK));
}

/* "LENGTH key=value\n", where the length counts its own digits. Returns the length. */
static size_t pax_record(char *to, size_t room, const char *key, const char *value)
{
    size_t rest = strlen(key) + strlen(value) + 3; /* blank, '=', line end */
    size_t length = rest + 1;

    while (length != rest + (size_t)snprintf(NULL, 0, "%zu", length))
        length = rest + (size_t)snprintf(NULL, 0, "%zu", length);
    snprintf(to, room, "%zu %s=%s\n", length, key, value);
    return length;
}

/* What the plain header cannot say comes in an entry of its own before it. */
static void put_pax(struct tar *tar, const char *name, uint64_t size, bool with_name, bool with_size)
{
    struct tar_header header = { .type = 'x' };
    char text[PATH_MAX + 128];
    char digits[24];
    size_t length = 0;

    if (with_name)
        length += pax_record(text, sizeof text, "path", name);
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)size);
    if (with_size)
        length += pax_record(text + length, sizeof text - length, "size", digits);
    memcpy(header.name, "pax_header", sizeof "pax_header");
    put_octal(header.mode, sizeof header.mode, 0644);
    put_octal(header.owner, sizeof header.owner, 0);
    put_octal(header.group, sizeof header.group, 0);
    put_octal(header.size, sizeof header.size, length);
    put_octal(header.time, sizeof header.time, 0);
    put_header(tar, &header);
    output_write(tar->output, text, length);
    fill_block(tar, length);
}

static void put_entry(struct tar *tar, const char *name, const struct stat *found, uint64_t size)
{
    struct tar_header header = { .type = S_ISDIR(found->st_mode) ? '5' : '0' };
    bool fits = split_name(&header, name);
    bool large = size > largest_size;
    uint64_t time = found->st_mtime > 0 ? (uint64_t)found->st_mtime : 0;

    if (!fits || large)
        put_pax(tar, name, size, !fits, large);
    if (!fits)
        memcpy(header.name, name, NAME_FIELD);
    put_octal(header.mode, sizeof header.mode, found->st_mode & 0777);
    put_octal(header.owner, sizeof header.owner, 0);
    put_octal(header.group, sizeof header.group, 0);
    put_octal(header.size, sizeof header.size, large ? 0 : size);
    put_octal(header.time, sizeof header.time, time > largest_size ? largest_size : time);
    put_header(tar, &header);
}

/* ---- entries ---------------------------------------------------------------------------------------------------------- */

/* Exactly `size` bytes, whatever becomes of the file meanwhile: the header promised them. */
static status copy_bytes(struct tar *tar, int file, uint64_t size)
{
    uint64_t left = size;

    while (left) {
        size_t wanted = left < PIECE ? (size_t)left : PIECE;
        unsigned char *room = output_reserve(tar->output, wanted);
        ssize_t got = read(file, room, wanted);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            tar->left_out++;
            break;
        }
        output_advance(tar->output, (size_t)got);
        left -= (uint64_t)got;
    }
    for (; left; left -= left < BLOCK ? left : BLOCK)
        output_write(tar->output, zeros, left < BLOCK ? (size_t)left : BLOCK);
    fill_block(tar, size);
    return output_status(tar->output);
}

status tar_add_file(struct tar *tar, const char *path, const char *name)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat found;
    status code;

    if (file < 0 || fstat(file, &found) < 0 || !S_ISREG(found.st_mode) || strlen(name) >= PATH_MAX) {
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "%s",
                              file < 0 ? strerror(errno) : "not a regular file");
        if (file >= 0)
            close(file);
        return code;
    }
    put_entry(tar, name, &found, (uint64_t)found.st_size);
    code = copy_bytes(tar, file, (uint64_t)found.st_size);
    close(file);
    return code;
}

static status add_tree(struct tar *tar, const char *path, const char *name, unsigned depth);

static status add_found(struct tar *tar, const char *path, const char *name, unsigned depth)
{
    struct stat found;
    status code;

    if (lstat(path, &found) < 0 || (!S_ISDIR(found.st_mode) && !S_ISREG(found.st_mode))) {
        tar->left_out++;
        return STATUS_OK;
    }
    if (S_ISDIR(found.st_mode))
        return add_tree(tar, path, name, depth + 1);
    code = tar_add_file(tar, path, name);
    if (code != STATUS_INPUT)
        return code;
    status_clear();
    tar->left_out++;
    return STATUS_OK;
}

static status add_names(struct tar *tar, const char *path, const char *name, const struct folder_names *names,
                        unsigned depth)
{
    char inner[PATH_MAX], shown[PATH_MAX];
    status code = STATUS_OK;

    for (size_t i = 0; i < names->count && code == STATUS_OK; i++) {
        if ((size_t)snprintf(inner, sizeof inner, "%s/%s", path, names->names[i]) >= sizeof inner ||
            (size_t)snprintf(shown, sizeof shown, "%s/%s", name, names->names[i]) >= sizeof shown)
            tar->left_out++;
        else
            code = add_found(tar, inner, shown, depth);
    }
    return code == STATUS_OK ? output_status(tar->output) : code;
}

static status add_tree(struct tar *tar, const char *path, const char *name, unsigned depth)
{
    char shown[PATH_MAX];
    struct folder_names names = { 0 };
    struct stat found;
    status code = depth > DEEPEST || stat(path, &found) < 0 ? STATUS_INPUT : folder_list(path, &names);

    if (code == STATUS_INPUT) {
        status_clear();
        tar->left_out++;
        code = STATUS_OK;
    } else if (code == STATUS_OK) {
        if ((size_t)snprintf(shown, sizeof shown, "%s/", name) < sizeof shown)
            put_entry(tar, shown, &found, 0);
        code = add_names(tar, path, name, &names, depth);
    }
    folder_free(&names);
    return code;
}

status tar_add_folder(struct tar *tar, const char *path, const char *name)
{
    struct stat found;

    if (stat(path, &found) < 0 || !S_ISDIR(found.st_mode))
        return status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "no folder");
    return add_tree(tar, path, name, 0);
}

/* ---- the end ---------------------------------------------------------------------------------------------------------- */

status tar_commit(struct tar *tar)
{
    struct output *output = tar->output;

    output_write(output, zeros, BLOCK);
    output_write(output, zeros, BLOCK);
    memory_free(tar);
    return output_commit(output);
}

void tar_abandon(struct tar *tar)
{
    if (!tar)
        return;
    output_abandon(tar->output);
    memory_free(tar);
}
