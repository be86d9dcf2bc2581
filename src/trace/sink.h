/* sink.h: the seam. A reader pushes what it finds into a sink and never asks who listens.
 *
 * Writers, the store, the busy intervals and a counter are sinks; `tee` feeds several. Rules that every pusher keeps:
 *
 *   - Clocks, tracks, operators and runs are announced before their first use, with dense ids.
 *   - On one track slices come by start, at equal start the outer one first, unless the track says `unordered`. (A row
 *     that is out of order in its file may break this: writers must not lose it, they may place it on another lane.)
 *   - A track carries either `slice` calls or `begin`/`end` pairs, not both. `begin` names the slice by an open_id; inside the
 *     same scope a child gives its enclosing slice as `parent` and ends before it. Every begin gets its end before `finish`.
 *   - `finish` is called once, last, also when the input was empty. After a failure it is not called.
 *
 * A call that a sink has no use for is NULL in its table. Calls return the first failure, and the reader stops with it.
 * Whoever made a sink frees it; `sink` itself is two pointers and is passed by value or borrowed.
 */
#ifndef TRACE_SINK_H
#define TRACE_SINK_H

#include <assert.h>

#include "trace/loss.h"
#include "trace/model.h"

struct place_map;

enum { SINK_NO_KEYS = 1 << KEY_NONE }; /* for `keys`: it looks at no arguments */

struct sink_calls {
    status (*clock)(void *self, clock_id id, const struct clock *clock); /* announces one */
    status (*track)(void *self, const struct track *track);              /* the same */
    status (*op)(void *self, const struct op *op);                       /* the same */
    status (*run)(void *self, const struct run *run);                    /* the same */
    status (*step)(void *self, step_id id, const struct step *step);     /* dense ids, in the order of the input */
    status (*step_end)(void *self, step_id id, int64_t time);            /* once at most */
    status (*step_lost)(void *self, step_id id);            /* behind that: the end never came, the time is a guess */
    status (*slice)(void *self, const struct slice *slice); /* both ends are known */
    status (*begin)(void *self, open_id id, open_id parent, const struct slice *slice); /* parent NO_ID: outermost */
    status (*end)(void *self, open_id id, int64_t time);                                /* of a begun slice */
    status (*instant)(void *self, const struct slice *slice);                           /* end is not used */
    status (*counter)(void *self, track_id track, int64_t time, int64_t value);         /* from then on */
    status (*places)(void *self, const struct place_map *map); /* what tracks lie where; see places.h */
    status (*about)(void *self, const struct about *about);    /* once per input, after its events */
    status (*loss)(void *self, const struct losses *losses);   /* the same, right after it, before finish */
    status (*finish)(void *self);                              /* last of all */
    uint32_t keys; /* of arguments that it looks at, 1 << KEY_...: others need not come; 0: it looks at all */
};

struct sink {
    const struct sink_calls *calls; /* static; NULL in it: no use for that call */
    void *self;                     /* for the calls; whoever made the sink owns it */
};

#define SINK_CALL(sink, call, ...) ((sink)->calls->call ? (sink)->calls->call((sink)->self, __VA_ARGS__) : STATUS_OK)

static inline status sink_slice(const struct sink *sink, const struct slice *slice)
{
    assert(slice_is_whole(slice) && slice->start <= slice->end);
    return SINK_CALL(sink, slice, slice);
}

static inline status sink_begin(const struct sink *sink, open_id id, open_id parent, const struct slice *slice)
{
    assert(slice_is_whole(slice) && id != NO_ID && id != parent);
    return SINK_CALL(sink, begin, id, parent, slice);
}

static inline status sink_end(const struct sink *sink, open_id id, int64_t time)
{
    assert(id != NO_ID);
    return SINK_CALL(sink, end, id, time);
}

static inline status sink_finish(const struct sink *sink)
{
    return sink->calls->finish ? sink->calls->finish(sink->self) : STATUS_OK;
}

/* Feeds any number of sinks, in order. It owns its lists until `tee_free`, and nothing of the sinks. The calls that come per event go only
 * to those that take them, and a call that none of them takes it has no use for either. A tee of zeros is empty. */
struct tee_list {
    struct sink *sinks; /* owned */
    size_t count;       /* of sinks */
    size_t capacity;    /* of sinks */
};

struct tee {
    struct tee_list all;     /* every sink */
    struct tee_list slice;   /* those that take slices */
    struct tee_list begin;   /* those that take begins */
    struct tee_list end;     /* those that take ends */
    struct sink_calls calls; /* those that a sink of it takes */
};

NODISCARD status tee_add(struct tee *tee, struct sink sink);
void tee_free(struct tee *tee); /* leaves an empty one */
struct sink tee_sink(struct tee *tee);

#endif
