/* live_feed.c: a trace that grows, and the counts of what came. */
#include "serve/live_feed.h"

#include "base/memory.h"
#include "trace/clock.h"

/* ---- Counts ---------------------------------------------------------------------------------------------------------- */

static int64_t ns_of(const struct live_count *count, track_id track, int64_t ticks)
{
    return clock_ns(announced_track(&count->announced, track)->clock, ticks);
}

static void reach(struct live_count *count, int64_t time)
{
    count->latest = time > count->latest ? time : count->latest;
}

static status on_track(void *self, const struct track *track)
{
    struct live_count *count = self;
    status code = announced_add_track(self, track);
    int64_t *start;

    while (code == STATUS_OK && count->starts.count <= track->id) {
        start = column_append(&count->starts);
        if (!start)
            return status_no_memory("following a source");
        *start = INT64_MIN;
    }
    return code;
}

static status count_start(struct live_count *count, const struct slice *slice)
{
    status code = announced_check(&count->announced, slice->track);
    int64_t start, *latest;

    if (code != STATUS_OK)
        return code;
    start = ns_of(count, slice->track, slice->start);
    latest = column_at(&count->starts, slice->track);
    count->events++;
    count->late += start < *latest;
    *latest = start > *latest ? start : *latest;
    reach(count, start);
    return STATUS_OK;
}

static status on_slice(void *self, const struct slice *slice)
{
    struct live_count *count = self;
    status code = count_start(count, slice);

    if (code == STATUS_OK)
        reach(count, ns_of(count, slice->track, slice->end));
    return code;
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct live_count *count = self;
    status code = count_start(count, slice);

    (void)parent;
    return code == STATUS_OK ? announced_open(&count->announced, id, slice->track) : code;
}

static status on_end(void *self, open_id id, int64_t time)
{
    struct live_count *count = self;
    status code = announced_check_open(&count->announced, id);

    /* It is one more thing to be published. */
    count->events++;
    if (code == STATUS_OK)
        reach(count, ns_of(count, announced_track_of(&count->announced, id), time));
    return code;
}

static status on_instant(void *self, const struct slice *slice)
{
    return count_start(self, slice);
}

static status on_counter(void *self, track_id track, int64_t time, int64_t value)
{
    struct live_count *count = self;
    status code = announced_check(&count->announced, track);

    (void)value;
    count->events++;
    if (code == STATUS_OK)
        reach(count, ns_of(count, track, time));
    return code;
}

static const struct sink_calls counts = {
    .clock = announced_add_clock,
    .track = on_track,
    .slice = on_slice,
    .begin = on_begin,
    .end = on_end,
    .instant = on_instant,
    .counter = on_counter,
    .keys = SINK_NO_KEYS,
};

/* ---- The feed -------------------------------------------------------------------------------------------------------- */

status live_feed_start(struct live_feed *to, struct kept_trace *trace)
{
    const struct writer_options options = { .arguments = true };
    status code;

    *to = (struct live_feed){
        .strings = model_strings(), .trace = trace, .count = { .latest = INT64_MIN }, .fits = INT64_MAX
    };
    kept_trace_keep(trace);
    announced_start(&to->count.announced);
    column_start(&to->count.starts, sizeof(int64_t));
    code = to->strings ? kept_trace_open(trace, to->strings, &options, &to->writer)
                       : status_no_memory("following a source");
    if (code == STATUS_OK)
        code = tee_add(&to->tee, (struct sink){ &counts, &to->count });
    if (code == STATUS_OK)
        code = tee_add(&to->tee, to->writer.sink);
    feed_start(&to->feed, tee_sink(&to->tee), to->strings);
    return code;
}

void live_feed_free(struct live_feed *to)
{
    feed_free(&to->feed);
    tee_free(&to->tee);
    if (to->writer.self)
        writer_free(&to->writer);
    announced_free(&to->count.announced);
    column_free(&to->count.starts);
    kept_trace_drop(to->trace);
    strings_free(to->strings);
    *to = (struct live_feed){ 0 };
}

status live_feed_finish(struct live_feed *to)
{
    status code = sink_finish(&to->feed.sink);

    to->finished = code == STATUS_OK;
    return code;
}

/* How much time may be kept: less where it does not fit, more again where it does. */
static void find_room(struct live_feed *to, int64_t keep)
{
    struct kept_trace_state state = kept_trace_state(to->trace);
    int64_t there = state.end - state.begin;

    if (state.bytes > LIVE_BYTES && there > 0)
        to->fits = (there < to->fits ? there : to->fits) / 4 * 3;
    else if (state.bytes < LIVE_BYTES / 2 && to->fits < keep)
        to->fits += to->fits / 4 + 1;
    else if (to->fits >= keep)
        to->fits = INT64_MAX;
}

status live_feed_publish(struct live_feed *to, int64_t keep, bool quiet, bool *news)
{
    int64_t latest = to->count.latest;
    status code;

    *news = to->finished ? !to->told : to->count.events != to->published;
    to->told = to->finished;
    if (!*news || to->finished)
        return STATUS_OK;
    find_room(to, keep);
    keep = to->fits < keep ? to->fits : keep;
    if (latest > INT64_MIN + keep)
        kept_trace_forget(to->trace, latest - keep);
    code = kept_trace_publish(&to->writer, quiet ? latest : INT64_MIN);
    if (code == STATUS_OK)
        to->published = to->count.events;
    return code;
}
