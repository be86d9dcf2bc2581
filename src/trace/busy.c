/* busy.c: busy intervals by track, and by operator on each. */
#include "trace/busy.h"

#include <assert.h>

#include "base/memory.h"
#include "base/number.h"

void busy_start(struct busy *busy)
{
    *busy = (struct busy){ .unattributed = NO_ID };
    column_start(&busy->tracks, sizeof(struct busy_track));
    column_start(&busy->operators, sizeof(struct busy_operator));
    column_start(&busy->shares, sizeof(struct busy_share));
    number_map_start(&busy->far_shares);
    column_start(&busy->clocks, sizeof(struct clock));
    column_start(&busy->runs, sizeof(struct busy_run));
    column_start(&busy->moments, sizeof(struct busy_moment));
}

void busy_forget(struct busy *busy)
{
    for (size_t i = 0; i < busy->tracks.count; i++) {
        struct busy_track *track = busy_track(busy, (track_id)i);

        intervals_free(&track->set);
        track->kept = track->counted = false;
    }
    for (size_t i = 0; i < busy->shares.count; i++)
        intervals_free(&busy_share(busy, (uint32_t)i)->set), intervals_free(&busy_share(busy, (uint32_t)i)->own);
    for (size_t i = 0; i < busy->operators.count; i++)
        busy_operator(busy, (operator_id)i)->first_share = NO_ID;
    busy->unattributed = NO_ID;
    column_free(&busy->shares);
    number_map_free(&busy->far_shares);
    column_free(&busy->moments);
    busy->lost_moments = false;
    busy->counting = false;
}

void busy_count_only(struct busy *busy)
{
    for (size_t i = 0; i < busy->tracks.count && !busy->counting; i++)
        busy_track(busy, (track_id)i)->timed = false;
    busy->counting = true;
}

void busy_free(struct busy *busy)
{
    busy_forget(busy);
    column_free(&busy->tracks);
    column_free(&busy->operators);
    column_free(&busy->clocks);
    column_free(&busy->runs);
    memory_free(busy->opens);
    busy_start(busy);
}

static status on_clock(void *self, clock_id id, const struct clock *clock)
{
    struct busy *busy = self;
    struct clock *kept = column_append(&busy->clocks);

    (void)id;
    if (!kept)
        return status_no_memory("keeping a clock");
    assert(id == busy->clocks.count - 1 && "ids of clocks are dense");
    *kept = *clock;
    return STATUS_OK;
}

static status on_track(void *self, const struct track *track)
{
    struct busy *busy = self;
    enum engine_group group = engine_group(track->engine);
    struct busy_track *kept = column_append(&busy->tracks);

    if (!kept)
        return status_no_memory("keeping a track");
    assert(track->id == busy->tracks.count - 1 && "ids of tracks are dense");
    *kept = (struct busy_track){ .track = *track };
    assert(track->parent == NO_ID || track->parent < track->id);
    kept->process = track->parent == NO_ID ? track->id : busy_track(busy, track->parent)->process;
    kept->nested = track->engine && track->engine->nested && !busy->work_only;
    kept->moves = group == GROUP_TRANSFER || (track->engine && track->engine->nested);
    kept->counted = track->kind == TRACK_SLICES && group != GROUP_DRAWN;
    kept->kept = kept->counted && group != GROUP_CUSTOM;
    kept->timed = kept->kept && !busy->counting && !(busy->work_only && group == GROUP_ENVELOPE);
    kept->work = group == GROUP_TRANSFER || group == GROUP_COMPUTE || group == GROUP_JOB || group == GROUP_HOST;
    return STATUS_OK;
}

static status on_operator(void *self, const struct op *op)
{
    struct busy *busy = self;
    struct busy_operator *kept = column_append(&busy->operators);

    if (!kept)
        return status_no_memory("keeping an operator");
    assert(op->id == busy->operators.count - 1 && "ids of operators are dense");
    *kept = (struct busy_operator){ .op = *op, .first_share = NO_ID };
    return STATUS_OK;
}

static struct busy_share *new_share(struct busy *busy, track_id track, uint32_t *link)
{
    struct busy_share *share = column_append(&busy->shares);

    if (!share)
        return NULL;
    *share = (struct busy_share){ .track = track, .next = *link };
    *link = (uint32_t)(busy->shares.count - 1);
    return share;
}

/* Of an operator that uses many tracks, behind those that are looked at one by one, which end with `last`. */
static struct busy_share *find_far_share(struct busy *busy, operator_id id, track_id track, struct busy_share *last,
                                         uint32_t *place)
{
    uint32_t *known = number_map_at(&busy->far_shares, id, track);
    struct busy_share *share;

    if (!known)
        return NULL;
    if (*known == MAP_NONE) {
        share = new_share(busy, track, &last->next);
        if (!share)
            return NULL;
        *known = last->next;
    }
    *place = *known;
    return busy_share(busy, *known);
}

/* An operator uses few tracks as a rule, so its shares are a short list. `*place` is the share's; NULL: out of memory. */
static inline struct busy_share *find_share(struct busy *busy, operator_id id, track_id track, uint32_t *place)
{
    enum { NEAR = 8 };
    uint32_t *first = id == NO_ID ? &busy->unattributed : &busy_operator(busy, id)->first_share;
    struct busy_share *share;
    unsigned looked_at = 0;

    assert(track < busy->tracks.count);
    for (uint32_t i = *first; i != NO_ID; i = share->next) {
        share = busy_share(busy, i);
        *place = i;
        if (share->track == track)
            return share;
        if (++looked_at == NEAR)
            return find_far_share(busy, id, track, share, place);
    }
    share = new_share(busy, track, first);
    *place = *first;
    return share;
}

static status on_run(void *self, const struct run *run)
{
    struct busy *busy = self;
    struct busy_run *kept;

    if (!busy->keep_moments)
        return STATUS_OK;
    kept = column_append(&busy->runs);
    assert(run->id == busy->runs.count - (kept != NULL) && "ids of runs are dense");
    if (!kept)
        return status_no_memory("keeping runs");
    *kept = (struct busy_run){ run->clock, run->start };
    return STATUS_OK;
}

/* When a slice counts. */
static int64_t moment_of(const struct busy *busy, const struct busy_open *slice)
{
    const struct busy_run *run = slice->run < busy->runs.count ? column_at(&busy->runs, slice->run) : NULL;

    return run && run->start > slice->start && run->clock == busy_track(busy, slice->track)->track.clock ? run->start
                                                                                                         : slice->start;
}

static inline status add_moment(struct busy *busy, const struct busy_open *slice, uint32_t share, int64_t macs)
{
    struct busy_moment *moment;

    if (!busy->keep_moments || busy->lost_moments)
        return STATUS_OK;
    if (busy->most_moments && busy->moments.count == busy->most_moments) {
        busy->lost_moments = true;
        column_free(&busy->moments);
        return STATUS_OK;
    }
    moment = column_append(&busy->moments);
    if (!moment)
        return status_no_memory("counting slices");
    *moment = (struct busy_moment){ slice->track, share, moment_of(busy, slice), slice->bytes, macs };
    return STATUS_OK;
}

/* Of a nested engine: the time from `alone` on was the slice's own. */
static status add_own(struct busy *busy, const struct busy_open *slice, int64_t end)
{
    uint32_t place;
    struct busy_share *share;

    if (slice->alone >= end)
        return STATUS_OK;
    share = find_share(busy, slice->op, slice->track, &place);
    return share ? intervals_add(&share->own, slice->alone, end) : status_no_memory("adding up an operator");
}

static inline status add(struct busy *busy, const struct busy_open *slice, int64_t end, int64_t macs)
{
    struct busy_track *track = busy_track(busy, slice->track);
    uint32_t place;
    struct busy_share *share;
    status code;

    assert(slice->start <= end);
    if (!track->timed)
        return add_moment(busy, slice, NO_ID, 0);
    track->bytes = number_add(track->bytes, slice->bytes);
    code = slice->inside || slice->envelope ? STATUS_OK : intervals_add(&track->set, slice->start, end);
    if (code != STATUS_OK)
        return code;
    if (!track->work)
        return add_moment(busy, slice, NO_ID, 0);
    share = find_share(busy, slice->op, slice->track, &place);
    if (!share)
        return status_no_memory("adding up an operator");
    share->slices++;
    share->bytes = number_add(share->bytes, slice->bytes);
    if (macs)
        share->macs = number_add(share->macs, macs);
    code = intervals_add(&share->set, slice->start, end);
    if (code == STATUS_OK && track->nested && slice->alone < end)
        code = intervals_add(&share->own, slice->alone, end);
    return code == STATUS_OK ? add_moment(busy, slice, place, macs) : code;
}

/* Looked up where somebody will ask: it takes time. */
static int64_t macs_of(const struct busy *busy, const struct busy_track *track, const struct slice *slice)
{
    const struct argument *argument =
        busy->keep_moments && track->work ? argument_find(slice->arguments, slice->argument_count, KEY_MACS) : NULL;

    return argument && argument->type == ARGUMENT_INTEGER && argument->integer > 0 ? argument->integer : 0;
}

/* Field by field, where it stays: a struct that is made elsewhere and copied makes the processor wait for what was just written. */
static inline void fill_open(const struct busy_track *track, const struct slice *slice, struct busy_open *open)
{
    open->track = slice->track;
    open->op = slice->op;
    open->run = slice->run;
    open->start = open->alone = slice->start;
    open->bytes = track->moves ? slice_bytes(slice) : 0;
    open->parent = NO_ID;
    open->inside = open->envelope = false;
    open->timed = track->timed;
}

static status on_slice(void *self, const struct slice *slice)
{
    struct busy_track *track = busy_track(self, slice->track);
    struct busy_open open;

    assert(slice_is_whole(slice));
    track->slices += track->counted;
    fill_open(track, slice, &open);
    return add(self, &open, slice->end, macs_of(self, track, slice));
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct busy *busy = self;
    struct busy_track *track = busy_track(busy, slice->track);
    struct busy_open *open;

    assert(id != parent && (parent == NO_ID || parent < busy->open_capacity) && "a parent is begun first");
    if (id >= busy->open_capacity) {
        status code = memory_grow(&busy->opens, &busy->open_capacity, (size_t)id + 1, sizeof *busy->opens);

        if (code != STATUS_OK)
            return code;
    }
    track->slices += track->counted;
    open = &busy->opens[id];
    fill_open(track, slice, open);
    if (!track->timed)
        return add_moment(busy, open, NO_ID, 0);
    if (parent != NO_ID && busy->opens[parent].timed && busy->opens[parent].track == slice->track) {
        open->inside = !track->track.engine->innermost || busy->opens[parent].inside;
        busy->opens[parent].envelope = !open->inside;
        if (track->nested) {
            status code = add_own(busy, &busy->opens[parent], slice->start);

            if (code != STATUS_OK)
                return code;
            busy->opens[parent].alone = INT64_MAX; /* until the slice inside it ends */
            open->parent = parent;
        }
    }
    return STATUS_OK;
}

static status on_end(void *self, open_id id, int64_t time)
{
    struct busy *busy = self;
    const struct busy_open *open = &busy->opens[id];

    assert(id < busy->open_capacity && "an end has its begin");
    if (!open->timed)
        return STATUS_OK;
    if (open->parent != NO_ID)
        busy->opens[open->parent].alone = time > open->start ? time : open->start;
    return add(busy, open, time > open->start ? time : open->start, 0);
}

static const struct sink_calls busy_calls = {
    .clock = on_clock,
    .track = on_track,
    .op = on_operator,
    .run = on_run,
    .slice = on_slice,
    .begin = on_begin,
    .end = on_end,
    .keys = 1 << KEY_BYTES | 1 << KEY_MACS,
};

struct sink busy_sink(struct busy *busy)
{
    return (struct sink){ &busy_calls, busy };
}

/* ---- Settling ---- */

/* The clock of a kept track; NO_ID stands for nanoseconds: an id of its own would be one that the feed gives to another. */
static const struct clock *clock_of(const struct busy *busy, const struct busy_track *track)
{
    static const struct clock nanoseconds = { .numerator = 1, .denominator = 1 };

    return track->track.clock == NO_ID ? &nanoseconds : column_at(&busy->clocks, track->track.clock);
}

/* The set in nanoseconds. Order stays, so this is one pass. */
static status convert_set(struct intervals *set, const struct clock *clock)
{
    struct intervals made = INTERVALS_EMPTY;
    struct intervals_cursor cursor;
    struct interval interval;
    status code = STATUS_OK;

    assert(!set->late_count && "sets are settled before they change their clock");
    intervals_start(&cursor, set);
    while (code == STATUS_OK && intervals_next(&cursor, &interval))
        code = intervals_add(&made, clock_ns(clock, interval.start), clock_ns(clock, interval.end));
    if (code == STATUS_OK)
        code = intervals_settle(&made);
    if (set->any) {
        made.any = true;
        made.first = clock_ns(clock, set->first);
        made.last = clock_ns(clock, set->last);
    }
    intervals_free(set);
    *set = made;
    return code;
}

/* Whether the tracks of an input go by several clocks: their ticks cannot be compared. */
static bool has_clocks(const struct busy *busy, track_id process)
{
    const struct clock *first = busy_clock(busy, process);

    for (size_t i = 0; first && i < busy->tracks.count; i++) {
        const struct busy_track *track = busy_track(busy, (track_id)i);

        if (track->kept && track->process == process && !clock_same(first, clock_of(busy, track)))
            return true;
    }
    return false;
}

static status convert_input(struct busy *busy, track_id process)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < busy->shares.count && code == STATUS_OK; i++) {
        struct busy_share *share = busy_share(busy, (uint32_t)i);
        const struct busy_track *track = busy_track(busy, share->track);

        if (track->process == process)
            code = convert_set(&share->set, clock_of(busy, track));
        if (track->process == process && code == STATUS_OK)
            code = convert_set(&share->own, clock_of(busy, track));
    }
    for (size_t i = 0; i < busy->moments.count; i++) {
        struct busy_moment *moment = column_at(&busy->moments, i);
        const struct busy_track *track = busy_track(busy, moment->track);

        if (track->kept && track->process == process)
            moment->time = clock_ns(clock_of(busy, track), moment->time);
    }
    for (size_t i = 0; i < busy->tracks.count && code == STATUS_OK; i++) {
        struct busy_track *track = busy_track(busy, (track_id)i);

        if (!track->kept || track->process != process)
            continue;
        code = convert_set(&track->set, clock_of(busy, track));
        track->track.clock = NO_ID;
    }
    return code;
}

/* An input with several clocks goes on in nanoseconds. */
static status join_clocks(struct busy *busy)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < busy->tracks.count && busy->clocks.count > 1 && code == STATUS_OK; i++)
        if (busy_track(busy, (track_id)i)->track.kind == TRACK_PROCESS && has_clocks(busy, (track_id)i))
            code = convert_input(busy, (track_id)i);
    return code;
}

static status settle_share(struct busy_share *share)
{
    status code = intervals_settle(&share->set);

    return code == STATUS_OK ? intervals_settle(&share->own) : code;
}

status busy_settle(struct busy *busy)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < busy->tracks.count && code == STATUS_OK; i++)
        code = intervals_settle(&busy_track(busy, (track_id)i)->set);
    for (size_t i = 0; i < busy->shares.count && code == STATUS_OK; i++)
        code = settle_share(busy_share(busy, (uint32_t)i));
    return code == STATUS_OK ? join_clocks(busy) : code;
}

/* ---- Cutting ---- */

static status cut_sets(struct busy *busy, track_id process, const struct intervals *windows)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < busy->tracks.count && code == STATUS_OK; i++) {
        struct busy_track *track = busy_track(busy, (track_id)i);

        if (track->kept && track->process == process)
            code = intervals_cut(&track->set, windows);
    }
    for (size_t i = 0; i < busy->shares.count && code == STATUS_OK; i++) {
        struct busy_share *share = busy_share(busy, (uint32_t)i);

        if (busy_track(busy, share->track)->process != process)
            continue;
        code = intervals_cut(&share->set, windows);
        if (code == STATUS_OK)
            code = intervals_cut(&share->own, windows);
    }
    return code;
}

static status count_again(struct busy *busy, track_id process, const struct intervals *set)
{
    struct interval *windows;
    size_t window_count;
    status code = intervals_list(set, &windows, &window_count);

    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < busy->tracks.count; i++)
        if (busy_track(busy, (track_id)i)->process == process)
            busy_track(busy, (track_id)i)->slices = 0, busy_track(busy, (track_id)i)->bytes = 0;
    for (size_t i = 0; i < busy->shares.count; i++)
        if (busy_track(busy, busy_share(busy, (uint32_t)i)->track)->process == process)
            busy_share(busy, (uint32_t)i)->slices = 0, busy_share(busy, (uint32_t)i)->bytes = 0,
                             busy_share(busy, (uint32_t)i)->macs = 0;
    for (size_t i = 0; i < busy->moments.count; i++) {
        const struct busy_moment *moment = column_at(&busy->moments, i);
        struct busy_track *track = busy_track(busy, moment->track);

        if (track->process != process || !track->kept ||
            interval_holding(windows, window_count, moment->time) == SIZE_MAX)
            continue;
        track->slices++;
        track->bytes = number_add(track->bytes, moment->bytes);
        if (moment->share != NO_ID) {
            struct busy_share *share = busy_share(busy, moment->share);

            share->slices++;
            share->bytes = number_add(share->bytes, moment->bytes);
            share->macs = number_add(share->macs, moment->macs);
        }
    }
    memory_free(windows);
    return STATUS_OK;
}

status busy_cut(struct busy *busy, track_id process, const struct intervals *windows)
{
    status code;

    assert(busy->keep_moments && !busy->lost_moments);
    code = cut_sets(busy, process, windows);
    return code == STATUS_OK ? count_again(busy, process, windows) : code;
}

const struct clock *busy_clock(const struct busy *busy, track_id process)
{
    assert(process < busy->tracks.count);
    for (size_t i = 0; i < busy->tracks.count; i++) {
        const struct busy_track *track = busy_track(busy, (track_id)i);

        if (track->kept && track->process == process)
            return clock_of(busy, track);
    }
    return NULL;
}
