/* tick_map.h: ticks of one clock as nanoseconds of another, from moments that are known on both.
 *
 * Between two ties the map is a straight line. Of all ties only those are bends that a line past them would miss by more than they are
 * uncertain: noise of a tie does not show in short times, drift of a clock does. Outside of all ties the line from the first to the last
 * one goes on. The map never runs backwards. It owns its points until `tick_map_free`.
 */
#ifndef READ_TICK_MAP_H
#define READ_TICK_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct tick_tie {
    uint64_t ticks; /* of the clock */
    int64_t ns;     /* at the same moment */
    int64_t unsure; /* ns that it may be wrong by */
};

/* A line from one bend to the next: ns + ((t - ticks) * factor >> shift). */
struct tick_line {
    uint64_t ticks;  /* where it begins */
    uint64_t length; /* ticks to the next */
    int64_t ns;      /* at its beginning */
    uint64_t factor; /* ns per tick, scaled */
    unsigned shift;  /* by which */
};

struct tick_map {
    struct tick_tie *ties;  /* in order */
    size_t count, capacity; /* of ties */
    struct tick_line
        *lines;        /* after `tick_map_finish`: between bends; the last one is from the first tie to the last */
    size_t line_count; /* without that one */
    size_t at;         /* the line that was used last */
    int64_t unsure;    /* the most that any tie may be wrong by */
};

/* A map of zeros is empty. A tie that is not after the one before is left out. */
NODISCARD status tick_map_add(struct tick_map *map, struct tick_tie tie);
/* Ready for use. With one tie, or none, a tick is `ns` / `ticks` (neither is 0). `*measured` is false where that was needed. */
NODISCARD status tick_map_finish(struct tick_map *map, uint64_t ns, uint64_t ticks, bool *measured);
void tick_map_free(struct tick_map *map);

/* Outside of all lines. */
int64_t tick_map_find(struct tick_map *map, uint64_t ticks);

__extension__ typedef unsigned __int128 tick_wide;

/* Nanoseconds, within plus or minus a quarter of what an int64_t holds. */
static inline int64_t tick_map_ns(struct tick_map *map, uint64_t ticks)
{
    const struct tick_line *line = &map->lines[map->at];

    if (ticks - line->ticks >= line->length)
        return tick_map_find(map, ticks);
    return line->ns + (int64_t)((tick_wide)(ticks - line->ticks) * line->factor >> line->shift);
}

/* A length of time by the rate from the first to the last tie. */
int64_t tick_map_span(const struct tick_map *map, uint64_t ticks);

#endif
