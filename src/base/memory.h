/* memory.h: the one door to the heap.
 *
 * Every allocation of ours goes through these three functions, so that tests can make the n-th one fail
 * (`memory_fail_at`). They return NULL on failure and never abort; the caller turns NULL into `status_no_memory`.
 * What is allocated here is freed with `memory_free`.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

void *memory_allocate(size_t size);             /* not cleared */
void *memory_allocate_clear(size_t size);       /* all bytes zero */
void *memory_resize(void *memory, size_t size); /* as realloc; the old block survives a failure */
void memory_free(void *memory);                 /* NULL is fine */
char *memory_copy_text(const char *text);       /* NUL-terminated copy */

/* Make room for `needed` elements in a growing array: `*items` is the array, `*capacity` its size in elements. */
NODISCARD status memory_grow(void *items, size_t *capacity, size_t needed, size_t element_size);

/* The same, and what is new is all zero. */
NODISCARD status memory_grow_clear(void *items, size_t *capacity, size_t needed, size_t element_size);

/* Tests only: the n-th allocation from now (1 = the next) and all after it fail; 0 switches this off. */
void memory_fail_at(uint64_t nth);
/* Allocations asked for since the start. */
uint64_t memory_count(void);

#endif
