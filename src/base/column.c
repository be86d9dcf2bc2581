/* column.c: chunks of a growing array. */
#include "base/column.h"

#include <assert.h>

#include "base/memory.h"

void column_start(struct column *column, size_t element_size)
{
    assert(element_size);
    *column = (struct column){ .element_size = element_size };
}

void column_free(struct column *column)
{
    for (unsigned i = 0; i < COLUMN_CHUNKS; i++)
        memory_free(column->chunks[i]);
    *column = (struct column){ .element_size = column->element_size };
}

void *column_append(struct column *column)
{
    size_t shifted = column->count + ((size_t)1 << COLUMN_FIRST_BITS);
    unsigned top = 63u - (unsigned)__builtin_clzll((unsigned long long)shifted);
    unsigned chunk = top - COLUMN_FIRST_BITS;

    assert(column->element_size && "a column is started before it grows");
    if (chunk >= COLUMN_CHUNKS)
        return NULL;
    if (!column->chunks[chunk]) {
        column->chunks[chunk] = memory_allocate(((size_t)1 << top) * column->element_size);
        if (!column->chunks[chunk])
            return NULL;
    }
    column->count++;
    return column->chunks[chunk] + (shifted - ((size_t)1 << top)) * column->element_size;
}

void *column_append_piece(struct column *column, size_t count)
{
    size_t first, shifted, room;

    assert(count <= (size_t)1 << (COLUMN_FIRST_BITS + 20));
    if (!count)
        return NULL;
    for (;;) {
        unsigned top;

        shifted = column->count + ((size_t)1 << COLUMN_FIRST_BITS);
        top = 63u - (unsigned)__builtin_clzll((unsigned long long)shifted);
        room = ((size_t)2 << top) - shifted; /* to the end of the chunk */
        if (room >= count)
            break;
        /* The chunk must be there, as those before any other are. */
        if (!column_append(column))
            return NULL;
        column->count += room - 1;
    }
    first = column->count;
    if (!column_append(column))
        return NULL;
    column->count = first + count;
    return column_at(column, first);
}
