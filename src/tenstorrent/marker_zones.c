/* marker_zones.c: pairs starts and ends of zones along a lane. */
#include "tenstorrent/marker_zones.h"

#include <assert.h>

#include "base/memory.h"

void marker_zones_begin(struct marker_zones *zones, const struct marker_log *log, const struct marker_zones_user *user)
{
    assert(user->begin && user->end && user->point);
    *zones = (struct marker_zones){ .log = log, .user = user };
}

void marker_zones_free(struct marker_zones *zones)
{
    memory_free(zones->open);
    *zones = (struct marker_zones){ .log = NULL };
}

void marker_zones_start(struct marker_zones *zones, int64_t first)
{
    assert(zones->user && "zones are begun before a lane is started");
    zones->depth = 0;
    zones->last = first;
}

static status close_zone(struct marker_zones *zones, int64_t time, bool guessed)
{
    zones->depth--;
    return zones->user->end(zones->user->context, zones->open[zones->depth], zones->depth, time, guessed);
}

/* Closes what has no end of its own, down to `depth`. */
static status close_unfinished(struct marker_zones *zones, size_t depth, int64_t time)
{
    status code = STATUS_OK;

    while (zones->depth > depth && code == STATUS_OK)
        code = close_zone(zones, time, true);
    return code;
}

/* Where the zone is open: its depth; the number of open zones: nowhere. */
static size_t find_open(const struct marker_zones *zones, const struct marker_kind *kind)
{
    for (size_t i = zones->depth; i-- > 0;) {
        if (marker_kind_at(zones->log, zones->open[i]->kind)->zone == kind->zone)
            return i;
    }
    return zones->depth;
}

/* Closes a firmware or kernel of another program than the marker's: its end was not logged. */
static status leave_program(struct marker_zones *zones, const struct marker_kind *kind, const struct marker *marker)
{
    uint32_t program, outermost;

    if (kind->standard == MARKER_NO_DEFAULT || !zones->depth ||
        marker_kind_at(zones->log, zones->open[0]->kind)->standard == MARKER_NO_DEFAULT)
        return STATUS_OK;
    program = marker_program_of(zones->log, marker);
    outermost = marker_program_of(zones->log, zones->open[0]);
    return program && outermost && program != outermost ? close_unfinished(zones, 0, zones->last) : STATUS_OK;
}

static status begin_zone(struct marker_zones *zones, const struct marker_kind *kind, const struct marker *marker)
{
    status code = STATUS_OK;

    if (kind->standard != MARKER_NO_DEFAULT)
        code = close_unfinished(zones, find_open(zones, kind), zones->last);
    if (code == STATUS_OK && zones->depth == MARKER_ZONES_OPEN)
        return zones->user->point(zones->user->context, marker, false);
    if (code == STATUS_OK)
        code = memory_grow(&zones->open, &zones->capacity, zones->depth + 1, sizeof *zones->open);
    if (code != STATUS_OK)
        return code;
    zones->open[zones->depth] = marker;
    return zones->user->begin(zones->user->context, marker, zones->depth++);
}

static status end_zone(struct marker_zones *zones, const struct marker_kind *kind, const struct marker *marker)
{
    size_t at = find_open(zones, kind);
    status code;

    if (at == zones->depth)
        return zones->user->point(zones->user->context, marker, true);
    code = close_unfinished(zones, at + 1, marker->time);
    return code == STATUS_OK ? close_zone(zones, marker->time, false) : code;
}

status marker_zones_step(struct marker_zones *zones, const struct marker *marker)
{
    const struct marker_kind *kind = marker_kind_at(zones->log, marker->kind);
    status code = leave_program(zones, kind, marker);

    assert(zones->log && zones->user);
    assert(marker->time >= zones->last && "markers of a lane come by time");
    if (code != STATUS_OK)
        return code;
    if (kind->phase == MARKER_START)
        code = begin_zone(zones, kind, marker);
    else if (kind->phase == MARKER_END)
        code = end_zone(zones, kind, marker);
    else
        code = zones->user->point(zones->user->context, marker, false);
    zones->last = marker->time;
    return code;
}

status marker_zones_finish(struct marker_zones *zones)
{
    assert(zones->user);
    assert(zones->depth <= zones->capacity);
    return close_unfinished(zones, 0, zones->last);
}
