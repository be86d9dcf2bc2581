/* announced.h: what a sink was told before the slices came: clocks, tracks, operators, and where slices are open.
 *
 * Every trace writer needs these to make sense of ids. Owns its arrays until `announced_free`; pointers to clocks and
 * tracks stay valid until then.
 */
#ifndef WRITE_ANNOUNCED_H
#define WRITE_ANNOUNCED_H

#include "base/column.h"
#include "trace/clock.h"

struct announced_track {
    struct track track;        /* as it was announced */
    const struct clock *clock; /* never NULL: nanoseconds where none was named */
    track_id process;          /* the top-level group it belongs to; NO_ID: none */
};

struct announced {
    struct column clocks;    /* struct clock */
    struct column tracks;    /* struct announced_track */
    struct column operators; /* struct operator */
    struct column opens;     /* track_id by open id */
    track_id process;        /* that of the input: the top-level group announced last that is not drawn; NO_ID: none */
};

void announced_start(struct announced *announced);
void announced_free(struct announced *announced);

/* Calls for the table of a sink whose `self` is a struct announced, or a struct that begins with one. */
NODISCARD status announced_add_clock(void *self, clock_id id, const struct clock *clock);
NODISCARD status announced_add_track(void *self, const struct track *track);
NODISCARD status announced_add_operator(void *self, const struct op *op);

/* A slice was begun on `track`. */
NODISCARD status announced_open(struct announced *announced, open_id id, track_id track);

static inline const struct announced_track *announced_track(const struct announced *announced, track_id id)
{
    return column_at(&announced->tracks, id);
}

/* Is what the track shows only drawn, and no part of what was measured? */
static inline bool announced_is_drawn(const struct announced *announced, track_id id)
{
    return engine_group(announced_track(announced, id)->track.engine) == GROUP_DRAWN;
}

/* NULL: none. */
static inline const struct op *announced_operator(const struct announced *announced, operator_id id)
{
    return id < announced->operators.count ? column_at(&announced->operators, id) : NULL;
}

/* The track of a begun slice. */
static inline track_id announced_track_of(const struct announced *announced, open_id id)
{
    return *(const track_id *)column_at(&announced->opens, id);
}

/* STATUS_OK, or a failure that says that the track was never announced. */
NODISCARD status announced_unknown(track_id track);

static inline status announced_check(const struct announced *announced, track_id track)
{
    return track < announced->tracks.count ? STATUS_OK : announced_unknown(track);
}

static inline status announced_check_open(const struct announced *announced, open_id id)
{
    return id < announced->opens.count ? announced_check(announced, announced_track_of(announced, id))
                                       : announced_unknown(NO_ID);
}

#endif
