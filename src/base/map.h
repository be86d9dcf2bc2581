/* map.h: hash tables over entries that lie elsewhere, and one from pairs of numbers to a number.
 *
 * A map owns its slots and nothing else: the entries (of a column, of an array) are the caller's, and never move because of
 * the map. A slot holds the number of an entry, plus one so that 0 means free, and the hash of its key: another key is almost
 * always told apart without looking at the entry, and growing needs neither keys nor entries.
 *
 *     slots    | hash 7a  3 | free | hash 1b  1 | hash 1b  2 | free | ...     a power of two of them, 3/4 full at most
 *                        |                    |            |
 *                        +--------------+     |            |  same home or same hash: the next slot (linear probing)
 *                                       |     |            |
 *     entries  | 0: key, ... | 1: ... | 2: ...                               the caller's; slot n names entry n - 1
 *
 * Looking up gives the entries whose hash is equal; the caller compares keys, so that this costs no call:
 *
 *     for (id = map_first(&map, hash, &cursor); id != MAP_NONE; id = map_next(&map, hash, &cursor))
 *         if (is_key(entry_at(id), key))
 *             return id;
 *     append the entry, then: map_add(&map, hash, new_id)
 *
 * A map of zeros is an empty one. There is no removing: none of the tables forgets single entries.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "base/column.h"
#include "base/status.h"

#define MAP_NONE UINT32_MAX /* no entry; the largest number of one is below it */

struct map_slot {
    uint32_t hash;  /* the low half of the key's */
    uint32_t entry; /* number of the entry + 1; 0: the slot is free */
};

struct map {
    struct map_slot *slots; /* NULL: none yet */
    size_t mask;            /* number of slots - 1 */
    size_t count;           /* slots in use */
};

/* ---- Hashes: 64 bits, of which maps use the lower 32 ---- */

__extension__ typedef unsigned __int128 map_wide;

/* Adds a number to the hash of what came before: map_mix(map_mix(one, two), three). Order matters. Both halves of the product
 * together depend on every bit of both numbers. */
static inline uint64_t map_mix(uint64_t hash, uint64_t value)
{
    map_wide product = (map_wide)(hash ^ 0xD6E8FEB86659FD93u) * (value ^ 0x9E3779B97F4A7C15u);

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t map_hash_bytes(const void *data, size_t length);

/* ---- Entries by hash ---- */

static inline uint32_t map_next(const struct map *map, uint64_t hash, size_t *cursor)
{
    size_t at = *cursor & map->mask;

    assert(map->slots && !(map->mask & (map->mask + 1)));
    while (map->slots[at].entry && map->slots[at].hash != (uint32_t)hash)
        at = (at + 1) & map->mask;
    *cursor = at + 1;
    return map->slots[at].entry - 1; /* a free slot: MAP_NONE */
}

/* The first entry with this hash, MAP_NONE: there is none. The cursor is for `map_next`, until something is added. */
static inline uint32_t map_first(const struct map *map, uint64_t hash, size_t *cursor)
{
    *cursor = (uint32_t)hash;
    return map->slots ? map_next(map, hash, cursor) : MAP_NONE;
}

NODISCARD status map_add(struct map *map, uint64_t hash, uint32_t entry); /* which is not yet in */
void map_clear(struct map *map);                                          /* keeps its memory */
void map_free(struct map *map);                                           /* leaves an empty one */

/* ---- Numbers by pairs of numbers ---- */

struct number_entry {
    uint64_t one;   /* first half of the key */
    uint64_t other; /* second half; 0 where a key is one number */
    uint32_t value; /* MAP_NONE: none yet, or none any more */
};

struct number_map {
    struct map map;        /* over the entries */
    struct column entries; /* struct number_entry, in the order in which they were added */
};

void number_map_start(struct number_map *map);
/* Where the value of a key stands, MAP_NONE at first; it stays there. NULL: out of memory. */
uint32_t *number_map_at(struct number_map *map, uint64_t one, uint64_t other);
/* The value; MAP_NONE: none. */
uint32_t number_map_find(const struct number_map *map, uint64_t one, uint64_t other);
void number_map_clear(struct number_map *map); /* keeps its memory */
void number_map_free(struct number_map *map);  /* leaves an empty one */

static inline size_t number_map_count(const struct number_map *map)
{
    return map->entries.count;
}

static inline const struct number_entry *number_map_entry(const struct number_map *map, size_t index)
{
    return column_at(&map->entries, index);
}

#endif
