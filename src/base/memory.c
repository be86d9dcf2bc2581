/* memory.c: the heap, with failures for tests. */
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

/* Atomic: the counters are shared by threads, and an exact order between threads does not matter. */
static _Atomic uint64_t asked;
static _Atomic uint64_t fail_from = UINT64_MAX;

static bool may_allocate(void)
{
    return ++asked < fail_from;
}

enum { LARGE_PAGE = 2 * 1024 * 1024 };

/* Where large blocks are filled, a page fault for every 4 KiB costs more than the work itself: the kernel may use larger pages for what
 * of a block is made of whole ones. It only is an advice, and nothing is lost where it is not taken. */
static void *advise_large(void *block, size_t size)
{
#if defined(MADV_HUGEPAGE)
    size_t before = (LARGE_PAGE - (uintptr_t)block % LARGE_PAGE) % LARGE_PAGE;

    if (block && size >= 2 * (size_t)LARGE_PAGE)
        (void)madvise((char *)block + before, (size - before) / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#else
    (void)size;
#endif
    return block;
}

void *memory_allocate(size_t size)
{
    if (!may_allocate())
        return NULL;
    if (size >= 2 * (size_t)LARGE_PAGE && size <= SIZE_MAX - LARGE_PAGE) { /* it is made of whole pages */
        size = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
        return advise_large(aligned_alloc(LARGE_PAGE, size), size);
    }
    return malloc(size ? size : 1);
}

void *memory_allocate_clear(size_t size)
{
    return may_allocate() ? advise_large(calloc(1, size ? size : 1), size) : NULL;
}

void *memory_resize(void *memory, size_t size)
{
    return may_allocate() ? advise_large(realloc(memory, size ? size : 1), size) : NULL;
}

void memory_free(void *memory)
{
    free(memory);
}

char *memory_copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = memory_allocate(size);

    return copy ? memcpy(copy, text, size) : NULL;
}

status memory_grow(void *items, size_t *capacity, size_t needed, size_t element_size)
{
    void *array;
    size_t grown = *capacity;

    assert(element_size);
    if (needed <= *capacity)
        return STATUS_OK;
    grown = grown ? grown : 16;
    while (grown < needed) {
        if (grown > SIZE_MAX / 2 / element_size)
            return status_no_memory("growing an array");
        grown *= 2;
    }
    memcpy(&array, items, sizeof array);
    array = memory_resize(array, grown * element_size);
    if (!array)
        return status_no_memory("growing an array");
    memcpy(items, &array, sizeof array);
    *capacity = grown;
    return STATUS_OK;
}

status memory_grow_clear(void *items, size_t *capacity, size_t needed, size_t element_size)
{
    size_t had = *capacity;
    status code = memory_grow(items, capacity, needed, element_size);
    char *array;

    if (code != STATUS_OK || *capacity == had)
        return code;
    memcpy(&array, items, sizeof array);
    memset(array + had * element_size, 0, (*capacity - had) * element_size);
    return STATUS_OK;
}

void memory_fail_at(uint64_t nth)
{
    fail_from = nth ? asked + nth : UINT64_MAX;
}

uint64_t memory_count(void)
{
    return asked;
}
