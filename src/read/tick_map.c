/* tick_map.c: lines through ties of two clocks. */
#include "read/tick_map.h"

#include <assert.h>

#include "base/memory.h"

enum {
    SLACK = 50,      /* ns: reading a clock takes that long */
    MOST_TIES = 4096 /* beyond, every other one is enough */
};
static const int64_t beyond = INT64_MAX / 4; /* times are kept within this */

status tick_map_add(struct tick_map *map, struct tick_tie tie)
{
    const struct tick_tie *last = map->count ? &map->ties[map->count - 1] : NULL;
    status code;

    if (tie.ns > beyond || tie.ns < -beyond || tie.unsure < 0 ||
        (last && (tie.ticks <= last->ticks || tie.ns < last->ns)))
        return STATUS_OK;
    if (map->count == MOST_TIES) {
        for (size_t i = 1; i < MOST_TIES / 2; i++)
            map->ties[i] = map->ties[2 * i];
        map->count = MOST_TIES / 2;
    }
    code = memory_grow(&map->ties, &map->capacity, map->count + 1, sizeof *map->ties);
    if (code == STATUS_OK)
        map->ties[map->count++] = tie;
    if (code == STATUS_OK && tie.unsure > map->unsure)
        map->unsure = tie.unsure;
    return code;
}

void tick_map_free(struct tick_map *map)
{
    memory_free(map->ties);
    memory_free(map->lines);
    *map = (struct tick_map){ 0 };
}

/* The line with the largest factor that a product has room for. */
static struct tick_line line_of(uint64_t ticks, int64_t ns, uint64_t length, uint64_t span)
{
    struct tick_line line = { .ticks = ticks, .length = length, .ns = ns, .shift = 62 };

    assert(length);
    while (line.shift && ((tick_wide)span << line.shift) / length >> 63)
        line.shift--;
    /* Rounded up: what is a whole number of nanoseconds must not become one less. */
    line.factor = (uint64_t)((((tick_wide)span << line.shift) + length - 1) / length);
    return line;
}

static struct tick_line line_between(const struct tick_tie *from, const struct tick_tie *to)
{
    assert(from->ticks < to->ticks && from->ns <= to->ns);
    return line_of(from->ticks, from->ns, to->ticks - from->ticks, (uint64_t)(to->ns - from->ns));
}

static int64_t scaled(const struct tick_line *line, uint64_t ticks)
{
    tick_wide ns = (tick_wide)ticks * line->factor >> line->shift;

    return ns < (tick_wide)beyond ? (int64_t)ns : beyond;
}

/* The tie between two others that a line from one to the other misses by most; 0: none is missed by more than it is uncertain. */
static size_t find_bend(const struct tick_map *map, size_t from, size_t to)
{
    struct tick_line line = line_between(&map->ties[from], &map->ties[to]);
    int64_t most = SLACK;
    size_t bend = 0;

    for (size_t i = from + 1; i < to; i++) {
        int64_t miss = line.ns + scaled(&line, map->ties[i].ticks - line.ticks) - map->ties[i].ns;

        miss = (miss < 0 ? -miss : miss) - map->ties[i].unsure;
        if (miss > most) {
            most = miss;
            bend = i;
        }
    }
    return bend;
}

/* Bends are found from left to right: a line goes as far as no tie on its way is missed. */
static void add_lines(struct tick_map *map)
{
    for (size_t from = 0; from + 1 < map->count;) {
        size_t to = map->count - 1;

        for (size_t bend = find_bend(map, from, to); bend; bend = find_bend(map, from, to))
            to = bend;
        map->lines[map->line_count++] = line_between(&map->ties[from], &map->ties[to]);
        from = to;
    }
}

status tick_map_finish(struct tick_map *map, uint64_t ns, uint64_t ticks, bool *measured)
{
    const struct tick_tie *first = map->ties;

    assert(ns && ticks && !map->lines);
    map->lines = memory_allocate((map->count + 1) * sizeof *map->lines);
    if (!map->lines)
        return status_no_memory("tying clocks");
    *measured = map->count > 1;
    if (*measured)
        add_lines(map);
    map->lines[map->line_count] = *measured    ? line_between(first, &first[map->count - 1])
                                  : map->count ? line_of(first->ticks, first->ns, ticks, ns)
                                               : line_of(0, 0, ticks, ns);
    return STATUS_OK;
}

int64_t tick_map_find(struct tick_map *map, uint64_t ticks)
{
    const struct tick_line *whole = &map->lines[map->line_count];
    size_t low = 0, high = map->line_count;
    int64_t ns;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (map->lines[middle].ticks + map->lines[middle].length <= ticks)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < map->line_count && ticks >= map->lines[low].ticks) {
        map->at = low;
        return map->lines[low].ns + scaled(&map->lines[low], ticks - map->lines[low].ticks);
    }
    if (ticks < whole->ticks) {
        ns = whole->ns - scaled(whole, whole->ticks - ticks);
        return ns > -beyond ? ns : -beyond;
    }
    if (map->count > 1)
        ns = map->ties[map->count - 1].ns + scaled(whole, ticks - map->ties[map->count - 1].ticks);
    else
        ns = whole->ns + scaled(whole, ticks - whole->ticks);
    return ns < beyond ? ns : beyond;
}

int64_t tick_map_span(const struct tick_map *map, uint64_t ticks)
{
    assert(map->lines);
    return scaled(&map->lines[map->line_count], ticks);
}
