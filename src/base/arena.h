/* arena.h: memory that is freed all at once.
 *
 * An arena owns its blocks; what it hands out lives until `arena_free`. Blocks are never moved, so pointers stay valid.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "base/status.h"

struct arena_block;

struct arena {
    struct arena_block *blocks; /* newest first */
    char *next;                 /* first free byte of the newest block */
    size_t left;                /* free bytes there */
    size_t bytes;               /* sum of all block sizes */
};

#define ARENA_EMPTY ((struct arena){ 0 })

void *arena_allocate(struct arena *arena, size_t size, size_t alignment); /* NULL: out of memory */
char *arena_copy(struct arena *arena, const char *text, size_t length);   /* with a NUL added; NULL: out of memory */
char *arena_format(struct arena *arena, const char *format, va_list arguments)
    PRINTF_LIKE(2, 0);                /* NULL: out of memory */
void arena_free(struct arena *arena); /* leaves an empty arena */

#endif
