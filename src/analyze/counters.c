/* counters.c: bytes in flight and engines busy, from the slices of a store. */
#include "analyze/counters.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* At `time` the bytes in flight and the number of busy engines change. */
struct change {
    int64_t time;    /* ticks */
    int64_t bytes;   /* in flight more from then on; less where it is negative */
    int32_t engines; /* busy more from then on: 1 or -1 */
};

struct changes {
    struct change *items; /* owned; by time once all are there */
    size_t count;         /* of items */
    size_t capacity;      /* of items */
};

static track_id process_of(const struct store *store, track_id track)
{
    assert(track < store->tracks.count);
    while (store_track(store, track)->parent != NO_ID)
        track = store_track(store, track)->parent;
    return track;
}

static status add_change(struct changes *changes, int64_t time, int64_t bytes, int32_t engines)
{
    status code = memory_grow(&changes->items, &changes->capacity, changes->count + 1, sizeof *changes->items);

    if (code == STATUS_OK)
        changes->items[changes->count++] = (struct change){ time, bytes, engines };
    return code;
}

static status collect(const struct store *store, track_id process, struct changes *changes, clock_id *clock)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < store_count(store) && code == STATUS_OK; i++) {
        struct slice slice = store_slice(store, i);
        const struct track *track = store_track(store, slice.track);
        enum engine_group group = engine_group(track->engine);

        if ((group != GROUP_TRANSFER && group != GROUP_COMPUTE) || slice.start == slice.end ||
            process_of(store, slice.track) != process)
            continue;
        *clock = track->clock;
        code = add_change(changes, slice.start, slice_bytes(&slice), 1);
        if (code == STATUS_OK)
            code = add_change(changes, slice.end, -slice_bytes(&slice), -1);
    }
    return code;
}

static int by_time(const void *left, const void *right)
{
    const struct change *a = left, *b = right;

    return (a->time > b->time) - (a->time < b->time);
}

static status make_track(struct feed *feed, track_id process, clock_id clock, const char *name, const char *unit,
                         uint32_t index, track_id *id)
{
    struct track track = { .parent = process,
                           .order = feed_order(&engine_flight, index),
                           .clock = clock,
                           .kind = TRACK_COUNTER,
                           .engine = &engine_flight,
                           .index = index,
                           .unit = unit };
    status code = strings_add_text(feed->strings, name, &track.name);

    assert(process < feed->tracks && unit);
    return code == STATUS_OK ? feed_track(feed, track, id) : code;
}

/* One value per point in time: what holds after all changes there. */
static status push_values(struct feed *feed, const struct changes *changes, track_id bytes_track,
                          track_id engines_track)
{
    int64_t engines = 0, shown_bytes = -1, shown_engines = -1;
    uint64_t flying = 0; /* wraps, so that what a huge count added is taken off again exactly */
    status code = STATUS_OK;

    for (size_t i = 0; i < changes->count && code == STATUS_OK; i++) {
        const struct change *change = &changes->items[i];
        int64_t bytes;

        assert(!i || changes->items[i - 1].time <= change->time);
        flying += (uint64_t)change->bytes;
        bytes = flying < INT64_MAX ? (int64_t)flying : INT64_MAX;
        engines += change->engines;
        if (i + 1 < changes->count && changes->items[i + 1].time == change->time)
            continue;
        if (bytes != shown_bytes)
            code = SINK_CALL(&feed->sink, counter, bytes_track, change->time, bytes);
        if (code == STATUS_OK && engines != shown_engines)
            code = SINK_CALL(&feed->sink, counter, engines_track, change->time, engines);
        shown_bytes = bytes;
        shown_engines = engines;
    }
    assert(code != STATUS_OK || (!engines && !flying));
    return code;
}

status counters_draw(struct feed *feed, const struct store *store, track_id process)
{
    struct changes changes = { 0 };
    track_id bytes, engines;
    clock_id clock = NO_ID;
    status code = collect(store, process, &changes, &clock);

    assert(process < store->tracks.count);
    if (code == STATUS_OK && changes.count) {
        qsort(changes.items, changes.count, sizeof *changes.items, by_time);
        code = make_track(feed, process, clock, "Bytes in flight", "B", 0, &bytes);
        if (code == STATUS_OK)
            code = make_track(feed, process, clock, "Engines busy", "engines", 1, &engines);
        if (code == STATUS_OK)
            code = push_values(feed, &changes, bytes, engines);
    }
    memory_free(changes.items);
    return code;
}
