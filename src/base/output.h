/* output.h: a file that is there whole or not at all.
 *
 * Writing goes to a temporary name beside the target; `output_commit` renames it. `output_abandon` (and a failed commit)
 * removes it and leaves an older target untouched. Targets that are no regular files (/dev/null, /dev/full, a pipe,
 * "-" for standard output) are written directly. A name that ends in .gz, .tgz or .zst is compressed. Missing parent folders are
 * created. An output owns its file and buffer until one of those two calls.
 *
 * The first failure sticks: later writes do nothing and `output_commit` reports it, so a writer may check once per
 * packet or once at the end.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"

enum { OUTPUT_BUFFER = 256 * 1024, OUTPUT_LARGEST_RESERVE = 64 * 1024 };

/* The fields are for the inline functions below; use the functions. */
struct output {
    unsigned char *next; /* first free byte of the buffer */
    unsigned char *end;  /* one past the buffer */
};

NODISCARD status output_open(const char *path, struct output **output);
/* The same for bytes of a file that is copied: whatever its name, they are written as they come. */
NODISCARD status output_open_copy(const char *path, struct output **output);
/* Collects everything in memory; read it with `output_memory` before committing or abandoning. */
NODISCARD status output_open_memory(struct output **output);
const char *output_memory(struct output *output, size_t *length); /* NULL if that failed; also NUL-terminated */
void output_clear(struct output *output); /* of such an output: forgets what it has, for the next text */

/* Hand the buffer to the file. Called by the inline functions when the buffer is full. */
NODISCARD status output_flush(struct output *output);
/* Finish, rename into place, free. On failure nothing is left behind. */
NODISCARD status output_commit(struct output *output);
/* Throw away what was written and free. NULL is fine. */
void output_abandon(struct output *output);
/* One of the two: committed where `code`, what writing gave, is STATUS_OK. Returns the first failure. */
NODISCARD status output_finish(struct output *output, status code);

NODISCARD status output_write_long(struct output *output, const void *data, size_t size);
void output_format(struct output *output, const char *format, ...) PRINTF_LIKE(2, 3); /* failure sticks */
uint64_t output_written(const struct output *output); /* bytes given so far, before compression */
status output_status(const struct output *output);    /* the failure that stuck, or STATUS_OK */
/* A failure of whoever writes sticks, too; STATUS_OK changes nothing. */
void output_stick(struct output *output, status code);

/* Room for `size` bytes (OUTPUT_LARGEST_RESERVE at most) to be filled in place, then `output_advance`. Never NULL: after a
 * failure the bytes go nowhere. */
unsigned char *output_reserve_slow(struct output *output, size_t size);

static inline unsigned char *output_reserve(struct output *output, size_t size)
{
    assert(size <= OUTPUT_LARGEST_RESERVE);
    if ((size_t)(output->end - output->next) < size)
        return output_reserve_slow(output, size);
    return output->next;
}

static inline void output_advance(struct output *output, size_t size)
{
    assert(size <= (size_t)(output->end - output->next) && "more was written than was reserved");
    output->next += size;
}

static inline void output_write(struct output *output, const void *data, size_t size)
{
    assert(data || !size);
    if ((size_t)(output->end - output->next) < size) {
        /* The failure sticks in the output; commit reports it. */
        status ignored = output_write_long(output, data, size);
        (void)ignored;
        return;
    }
    memcpy(output->next, data, size);
    output->next += size;
}

/* "-", or another name of what standard output is now, such as /dev/stdout: what is printed would end up in the data. */
bool output_is_standard(const char *path);

/* Removes the temporary files of all outputs that are open now; may be called from a signal handler, before the end. */
void output_remove_temporaries(void);

/* Tests only: the n-th write to any file from now fails with ENOSPC (0: off). */
void output_fail_at(uint64_t nth);

#endif
