/* number_set.c: open addressing over 64-bit numbers. */
#include "base/number_set.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

enum { SMALLEST = 64 };

/* Where the number stands, or the free place where it would. The set is never full. */
static size_t find_place(const struct number_set *set, uint64_t number)
{
    uint64_t mixed = number * UINT64_C(0x9E3779B97F4A7C15);
    size_t place = (size_t)(mixed ^ mixed >> 32) & (set->capacity - 1);

    assert(set->capacity && !(set->capacity & (set->capacity - 1)) && set->count < set->capacity);
    while (set->places[place] && set->places[place] != number + 1)
        place = (place + 1) & (set->capacity - 1);
    return place;
}

static status grow(struct number_set *set)
{
    struct number_set larger = { .capacity = set->capacity ? set->capacity * 2 : SMALLEST, .count = set->count };

    larger.places = larger.capacity <= SIZE_MAX / 2 / sizeof *larger.places
                        ? memory_allocate_clear(larger.capacity * sizeof *larger.places)
                        : NULL;
    if (!larger.places)
        return status_no_memory("remembering numbers");
    for (size_t i = 0; i < set->capacity; i++)
        if (set->places[i])
            larger.places[find_place(&larger, set->places[i] - 1)] = set->places[i];
    memory_free(set->places);
    *set = larger;
    return STATUS_OK;
}

status number_set_add(struct number_set *set, uint64_t number, bool *added)
{
    size_t place;

    assert(number <= NUMBER_SET_LARGEST);
    *added = false;
    if (set->count >= set->capacity / 2) {
        status code = grow(set);

        if (code != STATUS_OK)
            return code;
    }
    place = find_place(set, number);
    *added = !set->places[place];
    set->count += *added;
    set->places[place] = number + 1;
    return STATUS_OK;
}

bool number_set_has(const struct number_set *set, uint64_t number)
{
    return set->capacity && set->places[find_place(set, number)];
}

void number_set_clear(struct number_set *set)
{
    if (set->count)
        memset(set->places, 0, set->capacity * sizeof *set->places);
    set->count = 0;
}

void number_set_free(struct number_set *set)
{
    memory_free(set->places);
    *set = (struct number_set){ 0 };
}
