/* map.c: slots that double, and the table of numbers on top of them. */
#include "base/map.h"

#include <assert.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/memory.h"

enum { FIRST_SLOTS = 64 };

uint64_t map_hash_bytes(const void *data, size_t length)
{
    return XXH3_64bits(data, length);
}

/* There is a free slot, always. */
static void place(struct map *map, struct map_slot slot)
{
    size_t at = slot.hash & map->mask;

    assert(map->count < map->mask && "a free slot ends the search");
    while (map->slots[at].entry)
        at = (at + 1) & map->mask;
    map->slots[at] = slot;
}

static status grow(struct map *map)
{
    size_t old = map->slots ? map->mask + 1 : 0, size = old ? old * 2 : FIRST_SLOTS;
    struct map larger = { .mask = size - 1, .count = map->count };

    larger.slots =
        size <= SIZE_MAX / 2 / sizeof *larger.slots ? memory_allocate_clear(size * sizeof *larger.slots) : NULL;
    if (!larger.slots)
        return status_no_memory("growing a table");
    for (size_t i = 0; i < old; i++)
        if (map->slots[i].entry)
            place(&larger, map->slots[i]);
    memory_free(map->slots);
    *map = larger;
    return STATUS_OK;
}

status map_add(struct map *map, uint64_t hash, uint32_t entry)
{
    assert(entry != MAP_NONE);
    if (!map->slots || map->count + 1 > map->mask - map->mask / 4) {
        status code = grow(map);

        if (code != STATUS_OK)
            return code;
    }
    place(map, (struct map_slot){ (uint32_t)hash, entry + 1 });
    map->count++;
    return STATUS_OK;
}

void map_clear(struct map *map)
{
    if (map->count)
        memset(map->slots, 0, (map->mask + 1) * sizeof *map->slots);
    map->count = 0;
}

void map_free(struct map *map)
{
    memory_free(map->slots);
    *map = (struct map){ .slots = NULL };
}

/* ---- Numbers by pairs of numbers ---- */

void number_map_start(struct number_map *map)
{
    *map = (struct number_map){ .map.slots = NULL };
    column_start(&map->entries, sizeof(struct number_entry));
}

static uint32_t *find(const struct number_map *map, uint64_t one, uint64_t other, uint64_t hash)
{
    size_t cursor;

    for (uint32_t id = map_first(&map->map, hash, &cursor); id != MAP_NONE; id = map_next(&map->map, hash, &cursor)) {
        struct number_entry *entry = column_at(&map->entries, id);

        if (entry->one == one && entry->other == other)
            return &entry->value;
    }
    return NULL;
}

uint32_t *number_map_at(struct number_map *map, uint64_t one, uint64_t other)
{
    uint64_t hash = map_mix(one, other);
    uint32_t *value = find(map, one, other, hash);
    struct number_entry *entry;

    assert(map->entries.element_size && "a map is started before it is used");
    if (value)
        return value;
    entry = map->entries.count < MAP_NONE ? column_append(&map->entries) : NULL;
    if (!entry)
        return NULL;
    if (map_add(&map->map, hash, (uint32_t)(map->entries.count - 1)) != STATUS_OK) {
        map->entries.count--;
        return NULL;
    }
    *entry = (struct number_entry){ one, other, MAP_NONE };
    return &entry->value;
}

uint32_t number_map_find(const struct number_map *map, uint64_t one, uint64_t other)
{
    const uint32_t *value = find(map, one, other, map_mix(one, other));

    return value ? *value : MAP_NONE;
}

void number_map_clear(struct number_map *map)
{
    map_clear(&map->map);
    map->entries.count = 0;
}

void number_map_free(struct number_map *map)
{
    map_free(&map->map);
    column_free(&map->entries);
}
