/* range.c: cuts a range of time out of what is read. */
#include "job/range.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "trace/clock.h"
#include "trace/held.h"

struct range_track {
    const struct clock *clock; /* NULL: nanoseconds */
    bool counter;              /* it has values */
    bool valued;               /* a value came before the range that was not told yet */
    int64_t time;              /* ns of that value */
    int64_t value;             /* the value itself */
};

enum open_state {
    OPEN_NONE,   /* ended, or outside */
    OPEN_WAITS,  /* began before the range: told once something of it lies inside */
    OPEN_PASSED, /* its begin was passed on */
};

struct range_open {
    enum open_state state;
    track_id track;   /* of the slice */
    open_id parent;   /* NO_ID: none */
    struct held held; /* the slice, while it waits */
};

enum { CUT_BEGIN = 1, CUT_END = 2 };

status range_start(struct range *range, struct sink to, struct strings *strings)
{
    static const char *const edges[] = { NULL, "begin", "end", "both" };
    status code = strings_add_text(strings, "cut", &range->key);

    range->to = to;
    range_set(range, INT64_MIN, INT64_MAX);
    column_start(&range->clocks, sizeof(struct clock));
    column_start(&range->tracks, sizeof(struct range_track));
    column_start(&range->opens, sizeof(struct range_open));
    for (unsigned i = 1; i < sizeof edges / sizeof *edges && code == STATUS_OK; i++)
        code = strings_add_text(strings, edges[i], &range->edges[i]);
    return code;
}

void range_free(struct range *range)
{
    for (size_t i = 0; i < range->opens.count; i++)
        held_free(&((struct range_open *)column_at(&range->opens, i))->held);
    column_free(&range->clocks);
    column_free(&range->tracks);
    column_free(&range->opens);
    memory_free(range->arguments);
    *range = (struct range){ .arguments = NULL };
}

void range_set(struct range *range, int64_t begin, int64_t end)
{
    range->begin = begin;
    range->end = end;
}

static struct range_track *track_at(const struct range *range, track_id id)
{
    return column_at(&range->tracks, id);
}

static int64_t time_on(const struct range *range, track_id id, int64_t ticks)
{
    const struct clock *clock = track_at(range, id)->clock;

    return clock ? clock_ns(clock, ticks) : ticks;
}

static status on_clock(void *self, clock_id id, const struct clock *clock)
{
    struct range *range = self;
    struct clock nanoseconds = clock_nanoseconds(clock->name);
    struct clock *kept = column_append(&range->clocks);

    if (!kept)
        return status_no_memory("cutting a range");
    assert(id == range->clocks.count - 1 && "ids of clocks are dense");
    *kept = *clock;
    return SINK_CALL(&range->to, clock, id, &nanoseconds);
}

static status on_track(void *self, const struct track *track)
{
    struct range *range = self;
    struct range_track *kept = column_append(&range->tracks);

    if (!kept)
        return status_no_memory("cutting a range");
    assert(track->id == range->tracks.count - 1 && "ids of tracks are dense");
    *kept = (struct range_track){ .counter = track->kind == TRACK_COUNTER };
    if (track->clock != NO_ID)
        kept->clock = column_at(&range->clocks, track->clock);
    return SINK_CALL(&range->to, track, track);
}

static status on_operator(void *self, const struct op *op)
{
    return SINK_CALL(&((struct range *)self)->to, op, op);
}

/* Adds the argument that tells where a slice was cut. */
static status tell_cut(struct range *range, struct slice *slice, unsigned edges)
{
    status code =
        memory_grow(&range->arguments, &range->capacity, (size_t)slice->argument_count + 1, sizeof *range->arguments);

    range->at_begin += (edges & CUT_BEGIN) != 0;
    range->at_end += (edges & CUT_END) != 0;
    if (code != STATUS_OK || !edges)
        return code;
    if (slice->argument_count)
        memcpy(range->arguments, slice->arguments, slice->argument_count * sizeof *range->arguments);
    range->arguments[slice->argument_count++] = argument_text(range->key, range->edges[edges]);
    slice->arguments = range->arguments;
    return STATUS_OK;
}

static status on_slice(void *self, const struct slice *slice)
{
    struct range *range = self;
    struct slice cut = *slice;
    unsigned edges = 0;
    status code;

    cut.start = time_on(range, slice->track, slice->start);
    cut.end = time_on(range, slice->track, slice->end);
    if (cut.start >= range->end || cut.end < range->begin || (cut.end == range->begin && cut.start < cut.end))
        return STATUS_OK;
    if (cut.start < range->begin) {
        cut.start = range->begin;
        edges |= CUT_BEGIN;
    }
    if (cut.end > range->end) {
        cut.end = range->end;
        edges |= CUT_END;
    }
    code = tell_cut(range, &cut, edges);
    return code == STATUS_OK ? sink_slice(&range->to, &cut) : code;
}

static struct range_open *open_at(const struct range *range, open_id id)
{
    return id < range->opens.count ? column_at(&range->opens, id) : NULL;
}

static open_id passed_parent(const struct range *range, open_id parent)
{
    const struct range_open *open = parent == NO_ID ? NULL : open_at(range, parent);

    return open && open->state == OPEN_PASSED ? parent : NO_ID;
}

/* Passes on those that wait from the outermost to this one: something of it lies in the range. */
static status pass_waiting(struct range *range, open_id id)
{
    status code = STATUS_OK;

    for (;;) {
        open_id next = id;
        struct range_open *open = open_at(range, id);
        struct slice slice;

        if (!open || open->state != OPEN_WAITS)
            return STATUS_OK;
        /* The outermost that waits: parents began before their children. */
        while (open->parent != NO_ID && open_at(range, open->parent)->state == OPEN_WAITS) {
            next = open->parent;
            open = open_at(range, next);
        }
        slice = open->held.slice;
        slice.start = range->begin;
        code = tell_cut(range, &slice, CUT_BEGIN);
        open->state = OPEN_PASSED;
        if (code == STATUS_OK)
            code = sink_begin(&range->to, next, passed_parent(range, open->parent), &slice);
        if (code != STATUS_OK)
            return code;
    }
}

static status make_open(struct range *range, open_id id, struct range_open **made)
{
    while (range->opens.count <= id) {
        struct range_open *blank = column_append(&range->opens);

        if (!blank)
            return status_no_memory("cutting a range");
        *blank = (struct range_open){ .state = OPEN_NONE };
    }
    *made = column_at(&range->opens, id);
    return STATUS_OK;
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct range *range = self;
    struct slice passed = *slice;
    struct range_open *open = NULL;
    status code = make_open(range, id, &open);

    if (code != STATUS_OK)
        return code;
    passed.start = time_on(range, slice->track, slice->start);
    open->track = slice->track;
    open->parent = parent;
    open->state = OPEN_NONE;
    if (passed.start >= range->end)
        return STATUS_OK;
    if (passed.start < range->begin) {
        open->state = OPEN_WAITS;
        return held_keep(&open->held, slice);
    }
    if (parent != NO_ID)
        code = pass_waiting(range, parent);
    open->state = OPEN_PASSED;
    return code == STATUS_OK ? sink_begin(&range->to, id, passed_parent(range, parent), &passed) : code;
}

static status on_end(void *self, open_id id, int64_t time)
{
    struct range *range = self;
    struct range_open *open = open_at(range, id);
    status code = STATUS_OK;

    if (!open || open->state == OPEN_NONE)
        return STATUS_OK;
    time = time_on(range, open->track, time);
    if (open->state == OPEN_WAITS && time <= range->begin) {
        open->state = OPEN_NONE;
        return STATUS_OK;
    }
    code = pass_waiting(range, id);
    open->state = OPEN_NONE;
    if (time > range->end) {
        time = range->end;
        range->at_end++;
    }
    return code == STATUS_OK ? sink_end(&range->to, id, time) : code;
}

static status on_instant(void *self, const struct slice *slice)
{
    struct range *range = self;
    struct slice passed = *slice;

    passed.start = time_on(range, slice->track, slice->start);
    if (passed.start < range->begin || passed.start >= range->end)
        return STATUS_OK;
    return SINK_CALL(&range->to, instant, &passed);
}

/* The value that a counter has where the range begins. */
static status tell_value(struct range *range, track_id id)
{
    struct range_track *track = track_at(range, id);

    if (!track->valued)
        return STATUS_OK;
    track->valued = false;
    return SINK_CALL(&range->to, counter, id, range->begin, track->value);
}

static status on_counter(void *self, track_id id, int64_t time, int64_t value)
{
    struct range *range = self;
    struct range_track *track = track_at(range, id);
    status code;

    time = time_on(range, id, time);
    if (time < range->begin) {
        if (!track->valued || time >= track->time) {
            track->valued = true;
            track->time = time;
            track->value = value;
        }
        return STATUS_OK;
    }
    if (time == range->begin)
        track->valued = false; /* it has another one by then */
    code = tell_value(range, id);
    return code == STATUS_OK && time < range->end ? SINK_CALL(&range->to, counter, id, time, value) : code;
}

status range_settle(struct range *range)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < range->tracks.count && code == STATUS_OK; i++)
        if (track_at(range, (track_id)i)->counter)
            code = tell_value(range, (track_id)i);
    return code;
}

static status on_loss(void *self, const struct losses *losses)
{
    return SINK_CALL(&((struct range *)self)->to, loss, losses);
}

static const struct sink_calls calls = {
    .clock = on_clock,
    .track = on_track,
    .op = on_operator,
    .slice = on_slice,
    .begin = on_begin,
    .end = on_end,
    .instant = on_instant,
    .counter = on_counter,
    .loss = on_loss,
};

struct sink range_sink(struct range *range)
{
    return (struct sink){ &calls, range };
}
