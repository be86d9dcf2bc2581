/* align.c: reads inputs for their first event alone. */
#include "job/align.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "trace/clock.h"

/* A sink that keeps the first event of each track. */
struct scan {
    struct column clocks; /* struct clock */
    struct column tracks; /* struct scan_track */
};

struct scan_track {
    clock_id clock; /* NO_ID: nanoseconds */
    bool drawn;     /* no part of what was measured */
    int64_t first;  /* ticks; INT64_MAX: none yet */
};

static status on_clock(void *self, clock_id id, const struct clock *clock)
{
    struct clock *kept = column_append(&((struct scan *)self)->clocks);

    if (!kept)
        return status_no_memory("looking for the first event");
    assert(id == ((struct scan *)self)->clocks.count - 1 && "ids of clocks are dense");
    (void)id;
    *kept = *clock;
    return STATUS_OK;
}

static status on_track(void *self, const struct track *track)
{
    struct scan_track *kept = column_append(&((struct scan *)self)->tracks);

    if (!kept)
        return status_no_memory("looking for the first event");
    *kept = (struct scan_track){ .clock = track->clock,
                                 .drawn = engine_group(track->engine) == GROUP_DRAWN,
                                 .first = INT64_MAX };
    return STATUS_OK;
}

static inline status see(struct scan *scan, track_id id, int64_t time)
{
    struct scan_track *track = column_at(&scan->tracks, id);

    if (time < track->first)
        track->first = time;
    return STATUS_OK;
}

static status on_slice(void *self, const struct slice *slice)
{
    return see(self, slice->track, slice->start);
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    (void)id;
    (void)parent;
    return see(self, slice->track, slice->start);
}

static status on_counter(void *self, track_id track, int64_t time, int64_t value)
{
    (void)value;
    return see(self, track, time);
}

static const struct sink_calls scan_calls = {
    .clock = on_clock,
    .track = on_track,
    .slice = on_slice,
    .begin = on_begin,
    .instant = on_slice,
    .counter = on_counter,
    .keys = SINK_NO_KEYS,
};

static void take_first(const struct scan *scan, struct input_start *start)
{
    for (size_t i = 0; i < scan->tracks.count; i++) {
        const struct scan_track *track = column_at(&scan->tracks, i);
        int64_t first = track->first;

        if (track->first == INT64_MAX || track->drawn)
            continue;
        if (track->clock != NO_ID)
            first = clock_ns(column_at(&scan->clocks, track->clock), first);
        if (!start->known || first < start->first)
            start->first = first;
        start->known = true;
    }
}

/* Reads the input once more, with what belongs to it, into nothing but the scan. */
static status scan_profile(struct session *session, const struct profile *profile, struct scan *scan,
                           struct input_start *start)
{
    struct source source = profile->source;
    struct feed feed;
    status code;

    source.input = NULL;
    code = profile->input ? input_open(profile->path, &source.input) : STATUS_OK;
    source.progress = NULL;
    source.kept = NULL;
    source.note_count = 0;
    feed_start(&feed, (struct sink){ &scan_calls, scan }, session->strings);
    if (code == STATUS_OK && !profile->reader->begins)
        code = feed_input(&feed, 0, 0);
    if (code == STATUS_OK)
        code = profile->reader->read(&source, &feed);
    if (code == STATUS_OK) {
        take_first(scan, start);
        start->clock = source.clock;
    }
    if (profile->reader->release)
        profile->reader->release(&source);
    input_close(source.input);
    feed_free(&feed);
    return code;
}

status align_find(struct session *session, struct input_start **starts)
{
    *starts = memory_allocate_clear((session->profile_count + 1) * sizeof **starts);
    if (!*starts)
        return status_no_memory("looking for the first events");
    for (size_t i = 0; i < session->profile_count; i++) {
        const struct profile *profile = &session->profiles[i];
        struct scan scan;
        status code = STATUS_OK;

        if (profile->process != NO_ID || !(path_is_file(profile->path) || path_is_folder(profile->path)))
            continue;
        column_start(&scan.clocks, sizeof(struct clock));
        column_start(&scan.tracks, sizeof(struct scan_track));
        code = scan_profile(session, profile, &scan, &(*starts)[i]);
        column_free(&scan.clocks);
        column_free(&scan.tracks);
        if (code != STATUS_OK)
            return code;
    }
    return STATUS_OK;
}

int64_t align_shift(const struct input_start *starts, size_t count, size_t index)
{
    const struct input_start *own = &starts[index];
    int64_t first = own->first;

    assert(index < count);
    if (!own->known)
        return 0;
    for (size_t i = 0; i < count && own->clock; i++)
        if (starts[i].known && starts[i].clock && strcmp(starts[i].clock, own->clock) == 0 && starts[i].first < first)
            first = starts[i].first;
    return -first;
}
