/* strings.c: texts in an arena, found by their hash. */
#include "base/strings.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/arena.h"
#include "base/memory.h"

struct entry {
    const char *data; /* in the arena, with a NUL behind it */
    uint32_t length;  /* without the NUL */
    uint32_t hash;    /* low half of the text's hash: saves most comparisons and rehashing */
};

struct strings {
    struct arena arena;    /* the texts */
    struct entry *entries; /* by id */
    size_t capacity;       /* of entries */
    uint32_t count;        /* of entries: the next id */
    uint32_t *slots;       /* open addressing: id + 1, 0 = free; size is a power of two */
    uint32_t mask;         /* size of slots - 1 */
};

enum { FIRST_SLOTS = 256 };

static uint32_t hash_of(const char *data, size_t length)
{
    return (uint32_t)XXH3_64bits(data, length);
}

struct strings *strings_new(void)
{
    struct strings *strings = memory_allocate_clear(sizeof *strings);
    string_id empty;

    if (!strings)
        return NULL;
    strings->slots = memory_allocate_clear(FIRST_SLOTS * sizeof *strings->slots);
    strings->mask = FIRST_SLOTS - 1;
    if (!strings->slots || strings_add(strings, "", 0, &empty) != STATUS_OK) {
        strings_free(strings);
        return NULL;
    }
    return strings;
}

void strings_free(struct strings *strings)
{
    if (!strings)
        return;
    arena_free(&strings->arena);
    memory_free(strings->entries);
    memory_free(strings->slots);
    memory_free(strings);
}

/* The slot that holds the text, or the free slot where it belongs. */
static uint32_t find_slot(const struct strings *strings, const char *data, size_t length, uint32_t hash)
{
    uint32_t slot = hash & strings->mask;

    while (strings->slots[slot]) {
        const struct entry *entry = &strings->entries[strings->slots[slot] - 1];

        if (entry->hash == hash && entry->length == length && memcmp(entry->data, data, length) == 0)
            break;
        slot = (slot + 1) & strings->mask;
    }
    return slot;
}

static status grow_slots(struct strings *strings)
{
    uint32_t mask = strings->mask * 2 + 1;
    uint32_t *slots = memory_allocate_clear(((size_t)mask + 1) * sizeof *slots);

    if (!slots)
        return status_no_memory("growing the string pool");
    for (uint32_t id = 0; id < strings->count; id++) {
        uint32_t slot = strings->entries[id].hash & mask;

        while (slots[slot])
            slot = (slot + 1) & mask;
        slots[slot] = id + 1;
    }
    memory_free(strings->slots);
    strings->slots = slots;
    strings->mask = mask;
    return STATUS_OK;
}

status strings_add(struct strings *strings, const char *data, size_t length, string_id *id)
{
    uint32_t hash = hash_of(data, length);
    uint32_t slot = find_slot(strings, data, length, hash);
    status code;
    char *copy;

    assert(data || !length);
    if (strings->slots[slot]) {
        *id = strings->slots[slot] - 1;
        return STATUS_OK;
    }
    if (length > UINT32_MAX || strings->count >= UINT32_MAX / 2)
        return status_fail(STATUS_INPUT, "too many different texts, or one too long");
    code = memory_grow(&strings->entries, &strings->capacity, (size_t)strings->count + 1, sizeof *strings->entries);
    if (code != STATUS_OK)
        return code;
    copy = arena_copy(&strings->arena, data, length);
    if (!copy)
        return status_no_memory("keeping a text");
    strings->entries[strings->count] = (struct entry){ copy, (uint32_t)length, hash };
    strings->slots[slot] = strings->count + 1;
    *id = strings->count++;
    return strings->count > strings->mask - strings->mask / 4 ? grow_slots(strings) : STATUS_OK;
}

status strings_add_text(struct strings *strings, const char *text, string_id *id)
{
    return strings_add(strings, text, strlen(text), id);
}

status strings_add_format(struct strings *strings, string_id *id, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0)
        length = 0;
    return strings_add(strings, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1, id);
}

bool strings_find(const struct strings *strings, const char *data, size_t length, string_id *id)
{
    uint32_t slot = find_slot(strings, data, length, hash_of(data, length));

    assert(data || !length);
    if (!strings->slots[slot])
        return false;
    *id = strings->slots[slot] - 1;
    return true;
}

struct text strings_get(const struct strings *strings, string_id id)
{
    const struct entry *entry = &strings->entries[id];

    assert(id < strings->count);
    return (struct text){ entry->data, entry->length };
}

const char *strings_text(const struct strings *strings, string_id id)
{
    assert(id < strings->count);
    return strings->entries[id].data;
}

uint32_t strings_count(const struct strings *strings)
{
    return strings->count;
}
