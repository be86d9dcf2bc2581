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
    track_id line;             /* whose line its slices are drawn on: its own, or that of the track it is inside */
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

enum { TRACK_CATEGORIES = 2 }; /* that its slices may have */

/* The categories of a track's slices; 0: no more. Those of a track that is drawn on the line of another tell what that line does not:
 * their engine, and the name of their track where it is not the engine's. */
NODISCARD status announced_categories(const struct track *track, struct strings *strings,
                                      string_id categories[TRACK_CATEGORIES]);

/* Importers nest instants of one time in each other, and refuse more than 512: after a while those of one time go to the next lane. */
struct instant_place {
    int64_t time;  /* of the last instant */
    uint32_t here; /* instants that came at that time, one after the other */
};

/* The lane of an instant, from 0. A place of zeros is where a track begins. */
static inline uint32_t instant_lane(struct instant_place *place, int64_t time)
{
    enum { DEEPEST = 200 };

    if (time != place->time)
        place->here = 0;
    place->time = time;
    return place->here++ / DEEPEST;
}

/* A slice was begun on `track`. */
NODISCARD status announced_open(struct announced *announced, open_id id, track_id track);

static inline const struct announced_track *announced_track(const struct announced *announced, track_id id)
{
    return column_at(&announced->tracks, id);
}

/* Importers know no time before 0, and drop such events: what began before is shown from there on. */
static inline int64_t announced_visible(int64_t time)
{
    return time < 0 ? 0 : time;
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
