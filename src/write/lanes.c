/* lanes.c: overlapping slices made into stacks. */
#include "write/lanes.h"

#include <assert.h>

#include "base/memory.h"
#include "write/occupied.h"

enum {
    DEEPEST = 200,   /* slices inside each other on one lane; viewers refuse stacks of more than 512 */
    LATE_TRIES = 256 /* late lanes that are asked for room, newest ones, so that the worst input costs no square */
};

#define STILL_OPEN INT64_MIN

struct lane {
    track_id track;    /* that it shows */
    uint32_t position; /* in its row */
    int64_t last;      /* begun lanes: time of the last event */
    int64_t *ends;     /* of open slices, outermost first; begun lanes: STILL_OPEN, or an end that waits for children */
    size_t depth;      /* of ends */
    size_t capacity;   /* of ends */
};

/* What a lane, or the best lane of a subtree, has to offer. */
struct room {
    int64_t fits; /* a slice that ends at or before this fits into what is open; INT64_MAX: nothing is open */
    int64_t free; /* from this time on there is more room */
};

/* The lanes of a track for one purpose. The first lane is tried alone, since it serves nearly always; the others hang
 * in a tree that finds the first one with room without walking over all.
 *
 *     lanes  [0] | [1] [2] [3] [4]       tree[1] = best of tree[2] and tree[3], ...; leaves from tree[leaves] on
 */
struct row {
    uint32_t *lanes;   /* their numbers, by position; owned */
    size_t count;      /* of lanes */
    size_t capacity;   /* of lanes */
    struct room *tree; /* 2 * leaves nodes, from 1 */
    size_t leaves;     /* a power of two; 0: no tree */
};

struct late_lane {
    uint32_t lane;            /* its number */
    struct occupied occupied; /* what is taken on it */
};

struct lane_track {
    int64_t latest;         /* largest start seen; INT64_MIN: none */
    struct row whole;       /* for slices with both ends known */
    struct row begun;       /* for begin and end */
    struct late_lane *late; /* for slices that come late; owned */
    size_t late_count;      /* of late */
    size_t late_capacity;   /* of late */
};

/* Where a begun slice is. */
struct opened {
    uint32_t lane;  /* NO_ID: not open */
    uint32_t depth; /* its index in the lane's ends */
};

struct lanes {
    const struct lanes_calls *calls; /* of the owner */
    void *self;                      /* for the calls */
    struct lane *lanes;              /* by number; owned */
    size_t count;                    /* of lanes */
    size_t capacity;                 /* of lanes */
    struct lane_track *tracks;       /* by track id; owned */
    size_t track_count;              /* of tracks */
    size_t track_capacity;           /* of tracks */
    struct opened *opened;           /* by open id */
    size_t opened_count;             /* of opened */
    size_t opened_capacity;          /* of opened */
};

status lanes_new(const struct lanes_calls *calls, void *self, struct lanes **lanes)
{
    assert(calls->lane && calls->begin && calls->end);
    *lanes = memory_allocate_clear(sizeof **lanes);
    if (!*lanes)
        return status_no_memory("preparing lanes");
    (*lanes)->calls = calls;
    (*lanes)->self = self;
    return STATUS_OK;
}

static void row_free(struct row *row)
{
    memory_free(row->lanes);
    memory_free(row->tree);
}

void lanes_free(struct lanes *lanes)
{
    if (!lanes)
        return;
    for (size_t i = 0; i < lanes->count; i++)
        memory_free(lanes->lanes[i].ends);
    for (size_t i = 0; i < lanes->track_count; i++) {
        struct lane_track *track = &lanes->tracks[i];

        for (size_t late = 0; late < track->late_count; late++)
            occupied_free(&track->late[late].occupied);
        memory_free(track->late);
        row_free(&track->whole);
        row_free(&track->begun);
    }
    memory_free(lanes->lanes);
    memory_free(lanes->tracks);
    memory_free(lanes->opened);
    memory_free(lanes);
}

/* Makes tracks known up to `id`. */
static status know_track(struct lanes *lanes, track_id id)
{
    status result = memory_grow(&lanes->tracks, &lanes->track_capacity, (size_t)id + 1, sizeof *lanes->tracks);

    if (result != STATUS_OK)
        return result;
    while (lanes->track_count <= id)
        lanes->tracks[lanes->track_count++] = (struct lane_track){ .latest = INT64_MIN };
    return STATUS_OK;
}

static status push_end(struct lane *lane, int64_t end)
{
    if (lane->depth == lane->capacity) {
        status result = memory_grow(&lane->ends, &lane->capacity, lane->depth + 1, sizeof *lane->ends);

        if (result != STATUS_OK)
            return result;
    }
    lane->ends[lane->depth++] = end;
    return STATUS_OK;
}

static status new_lane(struct lanes *lanes, track_id track, enum lane_kind kind, uint32_t *id)
{
    status result = memory_grow(&lanes->lanes, &lanes->capacity, lanes->count + 1, sizeof *lanes->lanes);

    assert(lanes->count < NO_ID);
    if (result != STATUS_OK)
        return result;
    *id = (uint32_t)lanes->count;
    lanes->lanes[lanes->count++] = (struct lane){ .track = track, .last = INT64_MIN };
    return lanes->calls->lane(lanes->self, *id, track, kind);
}

/* --- rows of lanes ------------------------------------------------------------------------------------------------ */

static const struct room no_room = { .fits = INT64_MIN, .free = INT64_MAX };

static struct room room_in_whole(const struct lane *lane)
{
    int64_t end;

    if (!lane->depth)
        return (struct room){ .fits = INT64_MAX, .free = INT64_MAX };
    end = lane->ends[lane->depth - 1];
    return (struct room){ .fits = lane->depth < DEEPEST ? end : INT64_MIN, .free = end };
}

static struct room room_in_begun(const struct lane *lane)
{
    return (struct room){ .fits = INT64_MIN, .free = lane->depth ? INT64_MAX : lane->last };
}

static struct room better(struct room a, struct room b)
{
    return (struct room){ .fits = a.fits > b.fits ? a.fits : b.fits, .free = a.free < b.free ? a.free : b.free };
}

/* The lane at `position` has this room now. */
static void row_update(struct row *row, size_t position, struct room room)
{
    if (!position)
        return;
    assert(position < row->count && position <= row->leaves);
    size_t node = row->leaves + position - 1;

    row->tree[node] = room;
    while (node > 1) {
        node /= 2;
        row->tree[node] = better(row->tree[2 * node], row->tree[2 * node + 1]);
    }
}

/* What is free from INT64_MAX on is never free, also not for a slice at the very end of time. */
static bool may_have_room(struct room room, int64_t start, int64_t end)
{
    return room.fits >= end || (room.free <= start && room.free < INT64_MAX);
}

/* The first position after 0 whose lane fits, or will after its ends up to `start` are written; 0: none. */
static size_t row_find(const struct row *row, int64_t start, int64_t end)
{
    size_t node = 1;

    if (!row->leaves || !may_have_room(row->tree[1], start, end))
        return 0;
    while (node < row->leaves) {
        node *= 2;
        if (!may_have_room(row->tree[node], start, end))
            node++;
    }
    assert(node - row->leaves + 1 < row->count && "a leaf without a lane has no room");
    return node - row->leaves + 1;
}

static status grow_tree(struct row *row)
{
    size_t leaves = row->leaves ? row->leaves * 2 : 4;
    struct room *tree = memory_allocate(2 * leaves * sizeof *tree);

    if (!tree)
        return status_no_memory("preparing lanes");
    for (size_t i = 0; i < leaves; i++)
        tree[leaves + i] = i < row->leaves ? row->tree[row->leaves + i] : no_room;
    for (size_t node = leaves - 1; node; node--)
        tree[node] = better(tree[2 * node], tree[2 * node + 1]);
    memory_free(row->tree);
    row->tree = tree;
    row->leaves = leaves;
    return STATUS_OK;
}

static status row_add(struct lanes *lanes, struct row *row, track_id track, uint32_t *id)
{
    status result = memory_grow(&row->lanes, &row->capacity, row->count + 1, sizeof *row->lanes);

    if (result == STATUS_OK && row->count > row->leaves)
        result = grow_tree(row);
    if (result == STATUS_OK)
        result = new_lane(lanes, track, row == &lanes->tracks[track].whole ? LANE_WHOLE : LANE_BEGUN, id);
    if (result != STATUS_OK)
        return result;
    assert(row->count <= row->leaves || !row->count);
    lanes->lanes[*id].position = (uint32_t)row->count;
    row->lanes[row->count++] = *id;
    return STATUS_OK;
}

/* --- slices with both ends known ---------------------------------------------------------------------------------- */

/* Writes the ends that lie at or before `time`. */
static inline status write_ends(struct lanes *lanes, uint32_t id, int64_t time)
{
    struct lane *lane = &lanes->lanes[id];

    assert(id < lanes->count);
    while (lane->depth && lane->ends[lane->depth - 1] <= time) {
        status result = lanes->calls->end(lanes->self, id, lane->ends[--lane->depth]);

        if (result != STATUS_OK)
            return result;
    }
    return STATUS_OK;
}

static inline bool fits(const struct lane *lane, int64_t end)
{
    return !lane->depth || (lane->ends[lane->depth - 1] >= end && lane->depth < DEEPEST);
}

/* A lane other than the first, which has no room. */
static status find_other(struct lanes *lanes, track_id track, int64_t start, int64_t end, uint32_t *id)
{
    struct row *row = &lanes->tracks[track].whole;
    size_t position;

    /* Every turn that does not return takes at least one end off, so this is cheap over all slices. */
    while ((position = row_find(row, start, end)) != 0) {
        status result = write_ends(lanes, row->lanes[position], start);

        if (result != STATUS_OK)
            return result;
        *id = row->lanes[position];
        if (fits(&lanes->lanes[*id], end))
            return STATUS_OK;
        row_update(row, position, room_in_whole(&lanes->lanes[*id]));
    }
    return row_add(lanes, row, track, id);
}

static status late_slice(struct lanes *lanes, track_id line, const struct slice *slice, int64_t start, int64_t end)
{
    struct lane_track *track = &lanes->tracks[line];
    struct late_lane *late = track->late;
    size_t i = track->late_count > LATE_TRIES ? track->late_count - LATE_TRIES : 0;
    bool taken = false;
    status result = STATUS_OK;

    for (; i < track->late_count && !taken && result == STATUS_OK; i++) {
        late = &track->late[i];
        result = occupied_take(&late->occupied, start, end, DEEPEST, &taken);
    }
    if (!taken && result == STATUS_OK) {
        result = memory_grow(&track->late, &track->late_capacity, track->late_count + 1, sizeof *track->late);
        if (result != STATUS_OK)
            return result;
        late = &track->late[track->late_count++];
        late->occupied = OCCUPIED_EMPTY;
        result = new_lane(lanes, line, LANE_LATE, &late->lane);
        if (result == STATUS_OK)
            result = occupied_take(&late->occupied, start, end, DEEPEST, &taken);
    }
    assert((taken || result != STATUS_OK) && "a new lane has room for any slice");
    if (result == STATUS_OK)
        result = lanes->calls->begin(lanes->self, late->lane, start, slice);
    return result == STATUS_OK ? lanes->calls->end(lanes->self, late->lane, end) : result;
}

status lanes_slice(struct lanes *lanes, track_id line, const struct slice *slice, int64_t start, int64_t end)
{
    struct lane_track *track;
    struct lane *lane;
    uint32_t id;
    status result;

    assert(slice_is_whole(slice));
    if (end < start)
        end = start;
    if (line >= lanes->track_count) {
        result = know_track(lanes, line);
        if (result != STATUS_OK)
            return result;
    }
    track = &lanes->tracks[line];
    if (start < track->latest)
        return late_slice(lanes, line, slice, start, end);
    track->latest = start;
    if (track->whole.count) {
        id = track->whole.lanes[0];
        result = write_ends(lanes, id, start);
        if (result == STATUS_OK && !fits(&lanes->lanes[id], end))
            result = find_other(lanes, line, start, end, &id);
    } else {
        result = row_add(lanes, &track->whole, line, &id);
    }
    if (result != STATUS_OK)
        return result;
    lane = &lanes->lanes[id];
    assert(fits(lane, end));
    result = push_end(lane, end);
    if (result != STATUS_OK)
        return result;
    if (lane->position)
        row_update(&track->whole, lane->position, room_in_whole(lane));
    return lanes->calls->begin(lanes->self, id, start, slice);
}

/* --- begin and end ------------------------------------------------------------------------------------------------ */

/* The lane of the parent, if the child can nest there; NO_ID: it cannot. */
static inline uint32_t lane_of_parent(const struct lanes *lanes, open_id parent, track_id track, int64_t time)
{
    const struct opened *opened;
    const struct lane *lane;

    if (parent >= lanes->opened_count || lanes->opened[parent].lane == NO_ID)
        return NO_ID;
    opened = &lanes->opened[parent];
    lane = &lanes->lanes[opened->lane];
    if (lane->track != track || opened->depth + 1 != lane->depth || lane->depth >= DEEPEST || lane->last > time)
        return NO_ID;
    return opened->lane;
}

static status find_outermost(struct lanes *lanes, track_id track, int64_t time, uint32_t *id)
{
    struct row *row = &lanes->tracks[track].begun;
    size_t position = 0;

    if (row->count) {
        const struct lane *first = &lanes->lanes[row->lanes[0]];

        if (first->depth || first->last > time)
            position = row_find(row, time, INT64_MAX);
        if (position || (!first->depth && first->last <= time)) {
            *id = row->lanes[position];
            return STATUS_OK;
        }
    }
    return row_add(lanes, row, track, id);
}

static status know_opened(struct lanes *lanes, open_id id)
{
    status result = memory_grow(&lanes->opened, &lanes->opened_capacity, (size_t)id + 1, sizeof *lanes->opened);

    if (result != STATUS_OK)
        return result;
    while (lanes->opened_count <= id)
        lanes->opened[lanes->opened_count++] = (struct opened){ .lane = NO_ID };
    return STATUS_OK;
}

status lanes_begin(struct lanes *lanes, track_id line, open_id id, open_id parent, const struct slice *slice,
                   int64_t time)
{
    struct lane *lane;
    uint32_t number;
    status result = STATUS_OK;

    assert(slice_is_whole(slice) && id != NO_ID && id != parent);
    if (line >= lanes->track_count)
        result = know_track(lanes, line);
    if (result == STATUS_OK && id >= lanes->opened_count)
        result = know_opened(lanes, id);
    /* An id that was given out twice: its first slice has no other end than here. */
    if (result == STATUS_OK && lanes->opened[id].lane != NO_ID)
        result = lanes_end(lanes, id, time);
    if (result != STATUS_OK)
        return result;
    number = lane_of_parent(lanes, parent, line, time);
    if (number == NO_ID) {
        result = find_outermost(lanes, line, time, &number);
        if (result != STATUS_OK)
            return result;
        assert(!lanes->lanes[number].depth && "nothing is open where an outermost slice goes");
    }
    lane = &lanes->lanes[number];
    assert(lane->track == line && lane->last <= time && lane->depth < DEEPEST);
    lanes->opened[id] = (struct opened){ .lane = number, .depth = (uint32_t)lane->depth };
    result = push_end(lane, STILL_OPEN);
    if (result != STATUS_OK)
        return result;
    lane->last = time;
    if (lane->position && lane->depth == 1) /* deeper ones change nothing: the lane was taken already */
        row_update(&lanes->tracks[line].begun, lane->position, room_in_begun(lane));
    return lanes->calls->begin(lanes->self, number, time, slice);
}

/* Writes the innermost end of a begun lane, and those of enclosing slices that had ended before it. */
static inline status write_begun_ends(struct lanes *lanes, uint32_t number)
{
    struct lane *lane = &lanes->lanes[number];

    while (lane->depth && lane->ends[lane->depth - 1] != STILL_OPEN) {
        int64_t time = lane->ends[--lane->depth];
        status result;

        if (time > lane->last)
            lane->last = time;
        result = lanes->calls->end(lanes->self, number, lane->last);
        if (result != STATUS_OK)
            return result;
    }
    if (lane->position && !lane->depth)
        row_update(&lanes->tracks[lane->track].begun, lane->position, room_in_begun(lane));
    return STATUS_OK;
}

status lanes_end(struct lanes *lanes, open_id id, int64_t time)
{
    struct opened opened;

    if (id >= lanes->opened_count || lanes->opened[id].lane == NO_ID)
        return STATUS_OK; /* never begun: there is nothing to end */
    opened = lanes->opened[id];
    assert(opened.depth < lanes->lanes[opened.lane].depth);
    assert(lanes->lanes[opened.lane].ends[opened.depth] == STILL_OPEN);
    lanes->opened[id].lane = NO_ID;
    lanes->lanes[opened.lane].ends[opened.depth] = time == STILL_OPEN ? STILL_OPEN + 1 : time;
    return write_begun_ends(lanes, opened.lane);
}

uint32_t lanes_lane_of(const struct lanes *lanes, open_id id)
{
    return id < lanes->opened_count ? lanes->opened[id].lane : NO_ID;
}

status lanes_advance(struct lanes *lanes, int64_t time)
{
    status result = STATUS_OK;

    for (size_t i = 0; i < lanes->track_count; i++) {
        struct lane_track *track = &lanes->tracks[i];

        for (size_t position = 0; position < track->whole.count && result == STATUS_OK; position++) {
            uint32_t id = track->whole.lanes[position];

            result = write_ends(lanes, id, time);
            row_update(&track->whole, position, room_in_whole(&lanes->lanes[id]));
        }
    }
    return result;
}

status lanes_finish(struct lanes *lanes)
{
    status result = STATUS_OK;

    for (size_t i = 0; i < lanes->opened_count && result == STATUS_OK; i++) {
        if (lanes->opened[i].lane != NO_ID)
            result = lanes_end(lanes, (open_id)i, lanes->lanes[lanes->opened[i].lane].last);
    }
    for (uint32_t i = 0; i < lanes->count && result == STATUS_OK; i++)
        result = write_ends(lanes, i, INT64_MAX);
    return result;
}
