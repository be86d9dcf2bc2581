/* tar.c: headers, contents and padding. */
#include "base/tar.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"

enum {
    BLOCK = 512,         /* of a header, and what contents are filled up to */
    NAME_FIELD = 100,    /* bytes of a name in a header */
    PIECE = 64 * 1024,   /* copied at once */
    DIGITS_LARGEST = 20, /* of a 64-bit number */
};

static const uint64_t largest_number = (UINT64_C(1) << 33) - 1; /* eleven octal digits */
static const char zeros[BLOCK];

/* ---- Headers ---- */

static void put_octal(char *to, unsigned digits, uint64_t value)
{
    for (; digits-- > 0; value >>= 3)
        to[digits] = (char)('0' + (value & 7));
}

static void put_header(struct tar_writer *tar, const char *name, char type, unsigned mode, uint64_t size, uint64_t time)
{
    char block[BLOCK] = { 0 };
    size_t length = strlen(name);
    unsigned sum = 0;

    memcpy(block, name, length < NAME_FIELD ? length : NAME_FIELD);
    put_octal(block + 100, 7, mode);
    put_octal(block + 108, 7, 0); /* owner */
    put_octal(block + 116, 7, 0); /* group */
    put_octal(block + 124, 11, size <= largest_number ? size : 0);
    put_octal(block + 136, 11, time <= largest_number ? time : largest_number);
    memset(block + 148, ' ', 8); /* the checksum, while it is summed */
    block[156] = type;
    memcpy(block + 257,
           "ustar\0"
           "00",
           8);
    for (size_t i = 0; i < BLOCK; i++)
        sum += (unsigned char)block[i];
    put_octal(block + 148, 6, sum);
    block[154] = '\0';
    output_write(tar->output, block, BLOCK);
}

static void fill_block(struct tar_writer *tar, uint64_t size)
{
    if (size % BLOCK)
        output_write(tar->output, zeros, (size_t)(BLOCK - size % BLOCK));
}

/* Bytes of "LENGTH key=value\n", where the length counts its own digits. */
static size_t record_length(size_t key, size_t value)
{
    char text[DIGITS_LARGEST];
    size_t rest = key + value + 3, digits = 1;

    while (number_write_unsigned(text, rest + digits) != digits)
        digits++;
    return rest + digits;
}

/* What the plain header cannot say comes in an entry of its own before it. */
static void put_extended(struct tar_writer *tar, const char *name, uint64_t size)
{
    char number[DIGITS_LARGEST];
    size_t digits = number_write_unsigned(number, size);
    size_t path_record = record_length(4, strlen(name)), size_record = record_length(4, digits);

    put_header(tar, "pax_header", 'x', 0644, path_record + size_record, 0);
    output_format(tar->output, "%zu path=", path_record);
    output_write(tar->output, name, strlen(name));
    output_format(tar->output, "\n%zu size=%.*s\n", size_record, (int)digits, number);
    fill_block(tar, path_record + size_record);
}

static void put_entry(struct tar_writer *tar, const char *name, const struct stat *facts)
{
    uint64_t size = S_ISDIR(facts->st_mode) ? 0 : (uint64_t)facts->st_size;

    if (strlen(name) > NAME_FIELD || size > largest_number)
        put_extended(tar, name, size);
    put_header(tar, name, S_ISDIR(facts->st_mode) ? '5' : '0', facts->st_mode & 0777, size,
               facts->st_mtime > 0 ? (uint64_t)facts->st_mtime : 0);
}

/* ---- Entries ---- */

/* Exactly `size` bytes, whatever becomes of the file meanwhile: the header promised them. */
static status copy_bytes(struct tar_writer *tar, int file, uint64_t size)
{
    uint64_t left = size;

    while (left) {
        size_t wanted = left < PIECE ? (size_t)left : PIECE;
        ssize_t got = read(file, output_reserve(tar->output, wanted), wanted);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        output_advance(tar->output, (size_t)got);
        left -= (uint64_t)got;
    }
    tar->left_out += left > 0;
    for (; left; left -= left < BLOCK ? left : BLOCK)
        output_write(tar->output, zeros, left < BLOCK ? (size_t)left : BLOCK);
    fill_block(tar, size);
    return output_status(tar->output);
}

status tar_writer_add_file(struct tar_writer *tar, const char *path, const char *name)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not be waited for */
    struct stat facts;
    status code;

    if (file < 0 || fstat(file, &facts) < 0 || !S_ISREG(facts.st_mode)) {
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "%s",
                              file < 0 ? strerror(errno) : "not a regular file");
    } else {
        put_entry(tar, name, &facts);
        code = copy_bytes(tar, file, (uint64_t)facts.st_size);
    }
    if (file >= 0)
        close(file);
    return code;
}

static int by_name(const FTSENT **one, const FTSENT **other)
{
    return strcmp((*one)->fts_name, (*other)->fts_name);
}

/* A folder, a file or something else of the tree; `name` is what it is called in the archive. */
static status add_item(struct tar_writer *tar, const FTSENT *item, struct path *name)
{
    status code = STATUS_INPUT;

    if (item->fts_info == FTS_DP) /* a folder is there before what lies in it */
        return STATUS_OK;
    if (item->fts_info == FTS_D) {
        code = path_append(name, "/");
        if (code == STATUS_OK)
            put_entry(tar, name->text, item->fts_statp);
    } else if (item->fts_info == FTS_F) {
        code = tar_writer_add_file(tar, item->fts_accpath, name->text);
    }
    if (code != STATUS_INPUT)
        return code;
    status_clear();
    tar->left_out++;
    return STATUS_OK;
}

static status add_tree(struct tar_writer *tar, FTS *tree, size_t root, const char *called)
{
    struct path name = { .text = NULL };
    status code = STATUS_OK;
    FTSENT *item;

    while (code == STATUS_OK && (errno = 0, item = fts_read(tree))) {
        const char *below = item->fts_path + root;

        code = path_set(&name, "%s", called);
        if (code == STATUS_OK && *below)
            code = path_add(&name, below + (*below == '/'));
        if (code == STATUS_OK)
            code = add_item(tar, item, &name);
        if (code == STATUS_OK)
            code = output_status(tar->output);
    }
    if (code == STATUS_OK && errno)
        code = status_fail(STATUS_INPUT, "a folder cannot be read: %s", strerror(errno));
    path_free(&name);
    return code;
}

status tar_writer_add_folder(struct tar_writer *tar, const char *path, const char *name)
{
    char *copy = memory_copy_text(path), *const roots[] = { copy, NULL };
    FTS *tree;
    status code;

    if (!copy)
        return status_no_memory("archiving a folder");
    tree = path_is_folder(path) ? fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name) : NULL;
    code = tree ? add_tree(tar, tree, strlen(path), name)
                : status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "no folder");
    if (tree)
        fts_close(tree);
    memory_free(copy);
    return code;
}

/* ---- The whole ---- */

status tar_writer_open(struct tar_writer *tar, const char *path)
{
    *tar = (struct tar_writer){ .output = NULL };
    return output_open(path, &tar->output);
}

status tar_writer_finish(struct tar_writer *tar, status code)
{
    struct output *output = tar->output;

    tar->output = NULL;
    if (!output)
        return code;
    output_write(output, zeros, BLOCK);
    output_write(output, zeros, BLOCK);
    return output_finish(output, code);
}
