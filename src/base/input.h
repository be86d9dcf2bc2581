/* input.h: bytes from a file, a compressed file, standard input, memory or a function, in chunks.
 *
 * gzip and zstd are recognised by their first bytes and unpacked on the way; "-" is standard input. An input owns its
 * file and buffers until `input_close`. Errors name the file. A directory, a missing file and a corrupt compressed stream
 * are STATUS_INPUT.
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/strings.h"

struct input;

enum { INPUT_HEAD = 64 * 1024 }; /* what `input_head` looks at, at most */

NODISCARD status input_open(const char *path, struct input **input);
/* Borrowed bytes as an input: `data` must outlive it. For tests, fuzzing and the library. */
NODISCARD status input_open_memory(const char *name, const void *data, size_t size, struct input **input);
/* Bytes that come from a function, as of something that still grows: it waits until there are some, and gives at most `capacity`; none only
 * at the end. `context` must outlive the input. The head is what its first call gives: nobody knows when there will be more. */
typedef status (*input_more)(void *context, void *buffer, size_t capacity, size_t *got);
NODISCARD status input_open_growing(const char *name, input_more more, void *context, struct input **input);
void input_close(struct input *input); /* NULL is fine */

/* Up to `capacity` bytes; `*got` = 0 only at the end. */
NODISCARD status input_read(struct input *input, void *buffer, size_t capacity, size_t *got);

/* The first bytes (unpacked, INPUT_HEAD at most) without consuming them; for probing. Call before `input_read`. Of compressed data that is
 * cut off or damaged they are what can be unpacked, where that is anything. */
NODISCARD status input_head(struct input *input, struct text *head);

/* Everything that is left, as one block that the input owns; more than `limit` bytes is STATUS_INPUT. */
NODISCARD status input_whole(struct input *input, size_t limit, struct text *whole);

/* Up to `capacity` bytes from `offset` on, of the unpacked bytes; less only at the end. For formats that are not read from front to back. A
 * plain file is read where it lies; what is packed, or comes through a pipe, is unpacked at the first call, as far as it can be
 * (`input_is_damaged` tells): into memory, beyond 16 MB into a file without a name in TMPDIR. STATUS_OUTPUT: there is no room for that. Not together with `input_read` or `input_whole`. */
NODISCARD status input_read_at(struct input *input, uint64_t offset, void *buffer, size_t capacity, size_t *got);

const char *input_name(const struct input *input);  /* as given; "-" is shown as "<stdin>" */
uint64_t input_consumed(const struct input *input); /* bytes taken from the file as it lies on disk */
bool input_is_damaged(const struct input *input);   /* what is left of compressed data cannot be unpacked */
uint64_t input_size(const struct input *input);     /* bytes of that file; 0: not known */

/* Tests only: no read returns more than `bytes` at once (0: no limit); the n-th read from now fails (0: off). */
void input_limit_reads(size_t bytes);
void input_fail_at(uint64_t nth);

#endif
