/* column.h: a growing array that never copies: element i stays where it is.
 *
 * Chunk k holds 64 << k elements, so a handful of chunks serve any size, and pages that were never written cost nothing.
 *
 *     chunk 0: elements 0..63 | chunk 1: 64..191 | chunk 2: 192..447 | ...
 */
#ifndef BASE_COLUMN_H
#define BASE_COLUMN_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

enum { COLUMN_CHUNKS = 40, COLUMN_FIRST_BITS = 6 };

struct column {
    size_t element_size;         /* bytes per element */
    size_t count;                /* elements in use */
    char *chunks[COLUMN_CHUNKS]; /* NULL: not allocated yet */
};

void column_start(struct column *column, size_t element_size);
void column_free(struct column *column);

/* A new element at the end, not cleared; NULL: out of memory. */
void *column_append(struct column *column);

/* So many new elements in one piece, not cleared; where they do not fit into a chunk, the rest of it stays unused and counts. NULL: out of
 * memory, or none are wanted. At most a chunk of 64 << 20 elements. */
void *column_append_piece(struct column *column, size_t count);

static inline void *column_at(const struct column *column, size_t index)
{
    size_t shifted = index + ((size_t)1 << COLUMN_FIRST_BITS);
    unsigned top;

    assert(index < column->count);
    /* Short columns (tracks, clocks, open slices) are looked up most often. */
    if (index < (size_t)1 << COLUMN_FIRST_BITS)
        return column->chunks[0] + index * column->element_size;
    top = 63u - (unsigned)__builtin_clzll((unsigned long long)shifted);
    return column->chunks[top - COLUMN_FIRST_BITS] + (shifted - ((size_t)1 << top)) * column->element_size;
}

#endif
