/* counters.c: bytes in flight and engines busy, from the slices of a store. */
#include "analyze/counters.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* At `time` a slice begins or ends, and the bytes in flight change. */
struct change {
    int64_t time;   /* ns */
    int64_t bytes;  /* in flight more from then on; less where it is negative */
    track_id track; /* of the slice */
    int32_t slices; /* that lie on it more from then on: 1 or -1 */
};

struct changes {
    struct change *items; /* owned; by time once all are there */
    size_t count;         /* of items */
    size_t capacity;      /* of items */
    bool bytes;           /* some slice moves any */
};

static track_id process_of(const struct store *store, track_id track)
{
    assert(track < store->tracks.count);
    while (store_track(store, track)->parent != NO_ID)
        track = store_track(store, track)->parent;
    return track;
}

static status add_change(struct changes *changes, struct change change)
{
    status code = memory_grow(&changes->items, &changes->capacity, changes->count + 1, sizeof *changes->items);

    if (code == STATUS_OK)
        changes->items[changes->count++] = change;
    return code;
}

static int64_t time_on(const struct store *store, const struct track *track, int64_t ticks)
{
    return track->clock == NO_ID ? ticks : clock_ns(store_clock(store, track->clock), ticks);
}

static status collect(const struct store *store, track_id process, struct changes *changes)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < store_count(store) && code == STATUS_OK; i++) {
        struct slice slice = store_slice(store, i);
        const struct track *track = store_track(store, slice.track);
        enum engine_group group = engine_group(track->engine);
        struct change change = { .bytes = slice_bytes(&slice), .track = slice.track, .slices = 1 };

        if ((group != GROUP_TRANSFER && group != GROUP_COMPUTE) || slice.start == slice.end ||
            process_of(store, slice.track) != process)
            continue;
        changes->bytes |= change.bytes != 0;
        change.time = time_on(store, track, slice.start);
        code = add_change(changes, change);
        change = (struct change){ time_on(store, track, slice.end), -change.bytes, slice.track, -1 };
        if (code == STATUS_OK)
            code = add_change(changes, change);
    }
    return code;
}

static int by_time(const void *left, const void *right)
{
    const struct change *a = left, *b = right;

    return (a->time > b->time) - (a->time < b->time);
}

static status make_track(struct feed *feed, track_id process, clock_id clock, uint32_t index, track_id *id)
{
    static const struct {
        const char *name, *unit, *description;
    } counters[] = {
        { "Bytes in flight", "B", "sum of the bytes of all transfers that are under way" },
        { "Engines busy", "engines", "how many lines of engines have something on them" },
    };
    struct track track = {
        .parent = process,
        .order = feed_order(&engine_flight, index),
        .clock = clock,
        .kind = TRACK_COUNTER,
        .engine = &engine_flight,
        .index = index,
        .unit = counters[index].unit,
        .description = counters[index].description,
    };
    status code = strings_add_text(feed->strings, counters[index].name, &track.name);

    assert(process < feed->tracks && index < sizeof counters / sizeof *counters);
    return code == STATUS_OK ? feed_track(feed, track, id) : code;
}

/* A value that changed; one that has no track is not shown. */
static status show(struct feed *feed, track_id track, int64_t time, int64_t value, int64_t *shown)
{
    bool changed = value != *shown;

    *shown = value;
    return changed && track != NO_ID ? SINK_CALL(&feed->sink, counter, track, time, value) : STATUS_OK;
}

/* One value per point in time: what holds after all changes there. An engine is busy once, however many slices lie in each other on it:
 * `depths` are these, by track. */
static status push_values(struct feed *feed, const struct changes *changes, int32_t *depths, track_id bytes_track,
                          track_id engines_track)
{
    int64_t engines = 0, shown_bytes = -1, shown_engines = -1;
    uint64_t flying = 0; /* wraps, so that what a huge count added is taken off again exactly */
    status code = STATUS_OK;

    for (size_t i = 0; i < changes->count && code == STATUS_OK; i++) {
        const struct change *change = &changes->items[i];
        int32_t *depth = &depths[change->track];
        int32_t before = *depth > 0;

        assert(!i || changes->items[i - 1].time <= change->time);
        flying += (uint64_t)change->bytes;
        *depth += change->slices; /* below 0 where an end comes before a begin of the same time */
        engines += (*depth > 0) - before;
        if (i + 1 < changes->count && changes->items[i + 1].time == change->time)
            continue;
        code = show(feed, bytes_track, change->time, flying < INT64_MAX ? (int64_t)flying : INT64_MAX, &shown_bytes);
        if (code == STATUS_OK)
            code = show(feed, engines_track, change->time, engines, &shown_engines);
    }
    assert(code != STATUS_OK || (!engines && !flying));
    return code;
}

status counters_draw(struct feed *feed, const struct store *store, track_id process)
{
    struct clock nanoseconds = clock_nanoseconds(0);
    struct changes changes = { 0 };
    track_id bytes = NO_ID, engines;
    int32_t *depths = NULL;
    clock_id clock;
    status code = collect(store, process, &changes);

    assert(process < store->tracks.count);
    if (code == STATUS_OK && changes.count) {
        qsort(changes.items, changes.count, sizeof *changes.items, by_time);
        depths = memory_allocate_clear(store->tracks.count * sizeof *depths);
        code = depths ? feed_clock(feed, &nanoseconds, &clock) : status_no_memory("drawing counters");
        if (code == STATUS_OK && changes.bytes)
            code = make_track(feed, process, clock, 0, &bytes);
        if (code == STATUS_OK)
            code = make_track(feed, process, clock, 1, &engines);
        if (code == STATUS_OK)
            code = push_values(feed, &changes, depths, bytes, engines);
    }
    memory_free(depths);
    memory_free(changes.items);
    return code;
}
