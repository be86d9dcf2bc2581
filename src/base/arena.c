/* arena.c: blocks that grow, and are freed together. */
#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

struct arena_block {
    struct arena_block *older; /* NULL: the first */
    size_t size;               /* bytes behind this header */
};

static void *add_block(struct arena *arena, size_t size)
{
    size_t wanted = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
    struct arena_block *block;

    if (wanted > LARGEST_BLOCK)
        wanted = LARGEST_BLOCK;
    if (wanted < size)
        wanted = size;
    if (wanted > SIZE_MAX - sizeof *block)
        return NULL;
    block = memory_allocate(sizeof *block + wanted);
    if (!block)
        return NULL;
    block->older = arena->blocks;
    block->size = wanted;
    arena->blocks = block;
    arena->next = (char *)(block + 1);
    arena->left = wanted;
    arena->bytes += wanted;
    return arena->next;
}

void *arena_allocate(struct arena *arena, size_t size, size_t alignment)
{
    size_t padding = (size_t)(-(uintptr_t)arena->next & (alignment - 1));
    void *memory;

    assert(alignment && !(alignment & (alignment - 1)));
    if (size > SIZE_MAX - alignment)
        return NULL;
    if (arena->left < padding || arena->left - padding < size) {
        if (!add_block(arena, size + alignment))
            return NULL;
        padding = (size_t)(-(uintptr_t)arena->next & (alignment - 1));
    }
    memory = arena->next + padding;
    arena->next += padding + size;
    arena->left -= padding + size;
    return memory;
}

char *arena_copy(struct arena *arena, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? arena_allocate(arena, length + 1, 1) : NULL;

    assert(text || !length);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *arena_format(struct arena *arena, const char *format, va_list arguments)
{
    va_list again;
    char *text;
    int length;

    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = length < 0 ? NULL : arena_allocate(arena, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

void arena_free(struct arena *arena)
{
    while (arena->blocks) {
        struct arena_block *older = arena->blocks->older;

        memory_free(arena->blocks);
        arena->blocks = older;
    }
    *arena = ARENA_EMPTY;
}
