/* test_lanes.c: what lanes hand out is replayed as an importer does it: per lane, sorted by time, equal times in the order of the
 * calls, an end closes the innermost open slice. Exactly the slices that went in must come out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "write/lanes.h"
#include "write/occupied.h"

enum { DEEPEST_SEEN = 512, MOST_TRACKS = 8 };

struct call {
    int64_t time;
    uint32_t lane;
    uint32_t order;
    string_id name; /* 0: an end */
};

struct span {
    track_id track;
    string_id name;
    int64_t start;
    int64_t end;
};

struct recorder {
    struct call *calls;
    size_t count, capacity;
    track_id *track_of_lane;
    bool *late;
    size_t lanes, lane_capacity, late_capacity;
    struct span *wanted;
    size_t wanted_count, wanted_capacity;
    struct span *found;
    size_t found_count, found_capacity;
};

static status record_lane(void *self, uint32_t lane, track_id track, enum lane_kind kind)
{
    struct recorder *recorder = self;

    assert_int_equal(lane, recorder->lanes);
    if (memory_grow(&recorder->track_of_lane, &recorder->lane_capacity, lane + 1, sizeof(track_id)) != STATUS_OK ||
        memory_grow(&recorder->late, &recorder->late_capacity, lane + 1, sizeof(bool)) != STATUS_OK)
        return STATUS_MEMORY;
    recorder->track_of_lane[lane] = track;
    recorder->late[lane] = kind == LANE_LATE;
    recorder->lanes++;
    return STATUS_OK;
}

static status record(struct recorder *recorder, uint32_t lane, int64_t time, string_id name)
{
    if (memory_grow(&recorder->calls, &recorder->capacity, recorder->count + 1, sizeof(struct call)) != STATUS_OK)
        return STATUS_MEMORY;
    recorder->calls[recorder->count] =
        (struct call){ .time = time, .lane = lane, .order = (uint32_t)recorder->count, .name = name };
    recorder->count++;
    return STATUS_OK;
}

static status record_begin(void *self, uint32_t lane, int64_t time, const struct slice *slice)
{
    struct recorder *recorder = self;

    assert_true(lane < recorder->lanes);
    assert_int_equal(slice->track, recorder->track_of_lane[lane]);
    return record(recorder, lane, time, slice->name);
}

static status record_end(void *self, uint32_t lane, int64_t time)
{
    assert_true(lane < ((struct recorder *)self)->lanes);
    return record(self, lane, time, 0);
}

static const struct lanes_calls recording = { record_lane, record_begin, record_end };

static void recorder_free(struct recorder *recorder)
{
    memory_free(recorder->calls);
    memory_free(recorder->track_of_lane);
    memory_free(recorder->late);
    memory_free(recorder->wanted);
    memory_free(recorder->found);
    memset(recorder, 0, sizeof *recorder);
}

static void add_span(struct span **spans, size_t *count, size_t *capacity, struct span span)
{
    assert_int_equal(memory_grow(spans, capacity, *count + 1, sizeof span), STATUS_OK);
    (*spans)[(*count)++] = span;
}

static void want(struct recorder *recorder, track_id track, string_id name, int64_t start, int64_t end)
{
    add_span(&recorder->wanted, &recorder->wanted_count, &recorder->wanted_capacity,
             (struct span){ track, name, start, end });
}

static int by_lane_and_time(const void *a, const void *b)
{
    const struct call *first = a, *second = b;

    if (first->lane != second->lane)
        return first->lane < second->lane ? -1 : 1;
    if (first->time != second->time)
        return first->time < second->time ? -1 : 1;
    return first->order < second->order ? -1 : 1;
}

static int by_everything(const void *a, const void *b)
{
    const struct span *first = a, *second = b;

    if (first->track != second->track)
        return first->track < second->track ? -1 : 1;
    if (first->start != second->start)
        return first->start < second->start ? -1 : 1;
    if (first->end != second->end)
        return first->end < second->end ? -1 : 1;
    return first->name < second->name ? -1 : first->name > second->name;
}

/* On ordinary lanes calls must already be in order of time. */
static void check_order(const struct recorder *recorder)
{
    int64_t *last = malloc((recorder->lanes + 1) * sizeof *last);

    assert_non_null(last);
    for (size_t i = 0; i < recorder->lanes; i++)
        last[i] = INT64_MIN;
    for (size_t i = 0; i < recorder->count; i++) {
        const struct call *call = &recorder->calls[i];

        assert_true(recorder->late[call->lane] || call->time >= last[call->lane]);
        last[call->lane] = call->time;
    }
    free(last);
}

static void replay(struct recorder *recorder)
{
    static struct call stack[DEEPEST_SEEN];
    size_t depth = 0;

    check_order(recorder);
    qsort(recorder->calls, recorder->count, sizeof *recorder->calls, by_lane_and_time);
    for (size_t i = 0; i < recorder->count; i++) {
        const struct call *call = &recorder->calls[i];

        if (depth && call->lane != stack[0].lane)
            fail_msg("lane %u has open slices", stack[0].lane);
        if (call->name) {
            assert_true(depth < DEEPEST_SEEN);
            stack[depth++] = *call;
            continue;
        }
        assert_true(depth > 0);
        depth--;
        struct span span = { recorder->track_of_lane[call->lane], stack[depth].name, stack[depth].time, call->time };

        add_span(&recorder->found, &recorder->found_count, &recorder->found_capacity, span);
    }
    assert_int_equal(depth, 0);
}

static void check(struct recorder *recorder)
{
    replay(recorder);
    assert_int_equal(recorder->found_count, recorder->wanted_count);
    if (recorder->found_count) {
        qsort(recorder->found, recorder->found_count, sizeof *recorder->found, by_everything);
        qsort(recorder->wanted, recorder->wanted_count, sizeof *recorder->wanted, by_everything);
    }
    for (size_t i = 0; i < recorder->found_count; i++) {
        const struct span *found = &recorder->found[i], *wanted = &recorder->wanted[i];

        if (by_everything(found, wanted))
            fail_msg("slice %zu: found track %u name %u %lld..%lld, wanted track %u name %u %lld..%lld", i,
                     found->track, found->name, (long long)found->start, (long long)found->end, wanted->track,
                     wanted->name, (long long)wanted->start, (long long)wanted->end);
    }
}

static void give(struct lanes *lanes, struct recorder *recorder, track_id track, string_id name, int64_t start,
                 int64_t end)
{
    struct slice slice = { .track = track, .name = name, .start = start, .end = end };

    want(recorder, track, name, start, end);
    assert_int_equal(lanes_slice(lanes, slice.track, &slice, start, end), STATUS_OK);
}

struct pair {
    int64_t start;
    int64_t end;
};

/* Gives `count` slices of track 0 (named from 1 on), checks them, and returns the number of lanes. */
static size_t lanes_for(const struct pair *slices, size_t count, struct recorder *recorder)
{
    struct lanes *lanes;
    size_t made;

    memset(recorder, 0, sizeof *recorder);
    assert_int_equal(lanes_new(&recording, recorder, &lanes), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        give(lanes, recorder, 0, (string_id)i + 1, slices[i].start, slices[i].end);
    assert_int_equal(lanes_finish(lanes), STATUS_OK);
    lanes_free(lanes);
    check(recorder);
    made = recorder->lanes;
    recorder_free(recorder);
    return made;
}

#define LANES_FOR(slices) lanes_for(slices, sizeof(slices) / sizeof *(slices), &(struct recorder){ 0 })

static void nested_touching_and_empty_share_a_lane(void **state)
{
    static const struct pair slices[] = { { 0, 10 },  { 0, 5 },   { 0, 0 },   { 5, 10 },  { 5, 5 },  { 5, 5 },
                                          { 10, 10 }, { 10, 20 }, { 10, 20 }, { 20, 20 }, { 20, 21 } };

    (void)state;
    assert_int_equal(LANES_FOR(slices), 1);
}

static void partly_overlapping_take_lanes_and_reuse_them(void **state)
{
    static const struct pair slices[] = { { 0, 10 },  { 5, 15 },  { 8, 20 }, { 10, 12 },
                                          { 15, 18 }, { 20, 30 }, { 25, 35 } };

    (void)state;
    assert_int_equal(LANES_FOR(slices), 3);
}

static void inner_before_outer_at_equal_start(void **state)
{
    static const struct pair slices[] = { { 0, 5 }, { 0, 10 }, { 0, 7 }, { 0, 0 }, { 3, 10 } };

    (void)state;
    assert_true(LANES_FOR(slices) <= 3);
}

static void late_slices_have_lanes_of_their_own(void **state)
{
    static const struct pair apart[] = { { 100, 110 }, { 50, 60 }, { 10, 20 }, { 30, 40 }, { 61, 70 }, { 22, 28 } };
    static const struct pair touching[] = { { 100, 110 }, { 50, 60 }, { 60, 70 }, { 40, 50 }, { 50, 50 } };
    static const struct pair equal[] = {
        { 100, 110 }, { 50, 60 }, { 50, 60 }, { 50, 60 }, { 7, 7 }, { 7, 7 }, { 7, 7 }
    };

    (void)state;
    assert_int_equal(LANES_FOR(apart), 2);
    assert_int_equal(LANES_FOR(touching), 4); /* 50..50 touches both */
    assert_int_equal(LANES_FOR(equal), 2);
}

static void deep_nesting_goes_on_elsewhere(void **state)
{
    enum { DEPTH = 900 };
    static struct pair slices[DEPTH];

    (void)state;
    for (int i = 0; i < DEPTH; i++) {
        slices[i].start = i;
        slices[i].end = 10000 - i;
    }
    assert_int_equal(LANES_FOR(slices), 5); /* 200 on each */
}

static void many_equal_late_slices(void **state)
{
    enum { COUNT = 1000 };
    static struct pair slices[COUNT + 1] = { { 1000, 1000 } };

    (void)state;
    for (int i = 1; i <= COUNT; i++) {
        slices[i].start = 5;
        slices[i].end = 9;
    }
    assert_int_equal(LANES_FOR(slices), 1 + COUNT / 200);
}

static void an_end_before_its_start_is_empty(void **state)
{
    struct recorder recorder = { 0 };
    struct lanes *lanes;
    struct slice slice = { .name = 7 };

    (void)state;
    assert_int_equal(lanes_new(&recording, &recorder, &lanes), STATUS_OK);
    assert_int_equal(lanes_slice(lanes, slice.track, &slice, 10, 5), STATUS_OK);
    want(&recorder, 0, 7, 10, 10);
    assert_int_equal(lanes_finish(lanes), STATUS_OK);
    check(&recorder);
    lanes_free(lanes);
    recorder_free(&recorder);
}

/* --- begin and end ------------------------------------------------------------------------------------------------ */

static void begin(struct lanes *lanes, open_id id, open_id parent, string_id name, int64_t time)
{
    struct slice slice = { .track = 0, .name = name };

    assert_int_equal(lanes_begin(lanes, slice.track, id, parent, &slice, time), STATUS_OK);
}

static void end(struct lanes *lanes, open_id id, int64_t time)
{
    assert_int_equal(lanes_end(lanes, id, time), STATUS_OK);
}

static struct lanes *start_lanes(struct recorder *recorder)
{
    struct lanes *lanes;

    assert_int_equal(lanes_new(&recording, recorder, &lanes), STATUS_OK);
    return lanes;
}

static void check_and_free(struct lanes *lanes, struct recorder *recorder, size_t lane_count)
{
    assert_int_equal(lanes_finish(lanes), STATUS_OK);
    check(recorder);
    assert_int_equal(recorder->lanes, lane_count);
    lanes_free(lanes);
    recorder_free(recorder);
}

static void children_go_on_the_lane_of_their_parent(void **state)
{
    struct recorder recorder = { 0 };
    struct lanes *lanes = start_lanes(&recorder);

    (void)state;
    begin(lanes, 0, NO_ID, 1, 0);
    begin(lanes, 1, NO_ID, 2, 1); /* beside it */
    begin(lanes, 2, 0, 3, 2);
    begin(lanes, 3, 1, 4, 2);
    end(lanes, 2, 5);
    begin(lanes, 2, 0, 5, 5); /* the id is used again */
    end(lanes, 2, 5);
    end(lanes, 0, 6);
    end(lanes, 3, 7);
    end(lanes, 1, 7);
    begin(lanes, 0, NO_ID, 6, 7); /* both lanes are free */
    end(lanes, 0, 8);
    want(&recorder, 0, 1, 0, 6);
    want(&recorder, 0, 2, 1, 7);
    want(&recorder, 0, 3, 2, 5);
    want(&recorder, 0, 4, 2, 7);
    want(&recorder, 0, 5, 5, 5);
    want(&recorder, 0, 6, 7, 8);
    check_and_free(lanes, &recorder, 2);
}

/* Nothing that is open has room, also where every lane is taken up to the largest time there is. */
static void at_the_end_of_time_no_lane_is_free(void **state)
{
    enum { OPEN = 6 };
    struct recorder recorder = { 0 };
    struct lanes *lanes = start_lanes(&recorder);

    (void)state;
    for (open_id id = 0; id < OPEN; id++) {
        begin(lanes, id, NO_ID, id + 1, INT64_MAX);
        want(&recorder, 0, id + 1, INT64_MAX, INT64_MAX);
    }
    for (open_id id = 0; id < OPEN; id++)
        end(lanes, id, INT64_MAX);
    check_and_free(lanes, &recorder, OPEN);
}

static void a_parent_that_is_not_on_top_has_no_children(void **state)
{
    struct recorder recorder = { 0 };
    struct lanes *lanes = start_lanes(&recorder);

    (void)state;
    begin(lanes, 0, NO_ID, 1, 0);
    begin(lanes, 1, 0, 2, 1);
    begin(lanes, 2, 0, 3, 2);  /* 1 lies on top of 0 */
    begin(lanes, 3, 99, 4, 3); /* never begun */
    end(lanes, 1, 4);
    end(lanes, 2, 9);
    end(lanes, 0, 6);
    end(lanes, 3, 7);
    want(&recorder, 0, 1, 0, 6);
    want(&recorder, 0, 2, 1, 4);
    want(&recorder, 0, 3, 2, 9);
    want(&recorder, 0, 4, 3, 7);
    check_and_free(lanes, &recorder, 3);
}

static void time_that_runs_backwards(void **state)
{
    struct recorder recorder = { 0 };
    struct lanes *lanes = start_lanes(&recorder);

    (void)state;
    begin(lanes, 0, NO_ID, 1, 100);
    begin(lanes, 1, 0, 2, 90); /* before its parent: a lane of its own */
    end(lanes, 1, 95);
    end(lanes, 0, 80); /* never negative */
    begin(lanes, 0, NO_ID, 3, 50);
    end(lanes, 0, 60);
    begin(lanes, 0, NO_ID, 4, 60);
    end(lanes, 0, 70);
    end(lanes, 77, 1); /* never begun */
    want(&recorder, 0, 1, 100, 100);
    want(&recorder, 0, 2, 90, 95);
    want(&recorder, 0, 3, 50, 60);
    want(&recorder, 0, 4, 60, 70);
    check_and_free(lanes, &recorder, 3);
}

static void a_parent_that_ends_before_its_child_waits(void **state)
{
    struct recorder recorder = { 0 };
    struct lanes *lanes = start_lanes(&recorder);

    (void)state;
    begin(lanes, 0, NO_ID, 1, 0);
    begin(lanes, 1, 0, 2, 5);
    end(lanes, 0, 8);
    begin(lanes, 0, NO_ID, 3, 9); /* the parent's id is used again */
    end(lanes, 1, 10);
    end(lanes, 0, 11);
    begin(lanes, 2, NO_ID, 4, 12);
    begin(lanes, 3, 2, 5, 13); /* these two are never ended */
    want(&recorder, 0, 1, 0, 10);
    want(&recorder, 0, 2, 5, 10);
    want(&recorder, 0, 3, 9, 11);
    want(&recorder, 0, 4, 12, 13);
    want(&recorder, 0, 5, 13, 13);
    check_and_free(lanes, &recorder, 2);
}

/* --- properties --------------------------------------------------------------------------------------------------- */

static uint64_t random_state;

static uint64_t random_below(uint64_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % limit;
}

enum { MOST_OPEN = 12 };

struct random_open {
    bool used;
    open_id parent;
    unsigned children; /* still open */
    int64_t latest;    /* begin, or end of a child: it cannot end before */
    size_t wanted;
};

/* One step on the begin/end track: now and then time jumps back. */
static void random_begin_or_end(struct lanes *lanes, struct recorder *recorder, struct random_open *open, int64_t *now)
{
    open_id id = (open_id)random_below(MOST_OPEN);
    string_id name = (string_id)recorder->wanted_count + 1;

    *now += (int64_t)random_below(4);
    if (random_below(50) == 0)
        *now -= (int64_t)random_below((uint64_t)*now / 2 + 1);
    if (open[id].used) {
        if (open[id].children || *now < open[id].latest)
            return;
        recorder->wanted[open[id].wanted].end = *now;
        end(lanes, id, *now);
        if (open[id].parent != NO_ID) {
            struct random_open *parent = &open[open[id].parent];

            parent->children--;
            parent->latest = *now > parent->latest ? *now : parent->latest;
        }
        open[id].used = false;
        return;
    }
    open[id] = (struct random_open){ .used = true, .parent = NO_ID, .latest = *now, .wanted = recorder->wanted_count };
    for (open_id parent = 0; parent < MOST_OPEN && random_below(2); parent++) {
        if (parent != id && open[parent].used && !open[parent].children &&
            recorder->wanted[open[parent].wanted].start <= *now) {
            open[id].parent = parent;
            open[parent].children++;
            break;
        }
    }
    want(recorder, 0, name, *now, *now);
    begin(lanes, id, open[id].parent, name, *now);
}

static void random_slice(struct lanes *lanes, struct recorder *recorder, track_id track, int64_t *now)
{
    int64_t start = *now;
    int64_t length = (int64_t)random_below(random_below(4) ? 12 : 200);

    if (random_below(8) == 0)
        start -= (int64_t)random_below((uint64_t)start + 1);
    else if (random_below(3))
        *now = start += (int64_t)random_below(6);
    if (random_below(6) == 0)
        length = 0;
    give(lanes, recorder, track, (string_id)recorder->wanted_count + 1, start, start + length);
}

static void close_all(struct lanes *lanes, struct recorder *recorder, struct random_open *open)
{
    int64_t last = 0;

    for (size_t i = 0; i < recorder->wanted_count; i++)
        last = recorder->wanted[i].end > last ? recorder->wanted[i].end : last;
    for (bool any = true; any;) {
        any = false;
        for (open_id id = 0; id < MOST_OPEN; id++) {
            if (!open[id].used || open[id].children)
                continue;
            any = true;
            recorder->wanted[open[id].wanted].end = last;
            end(lanes, id, last);
            if (open[id].parent != NO_ID)
                open[open[id].parent].children--;
            open[id].used = false;
        }
    }
}

static void random_slices_come_out_as_they_went_in(void **state)
{
    (void)state;
    for (uint64_t round = 1; round <= 400; round++) {
        struct recorder recorder = { 0 };
        struct lanes *lanes = start_lanes(&recorder);
        struct random_open open[MOST_OPEN] = { 0 };
        int64_t now[MOST_TRACKS] = { 0 };
        unsigned steps;

        random_state = round * UINT64_C(0x9e3779b97f4a7c15);
        steps = 1 + (unsigned)random_below(600);
        for (unsigned step = 0; step < steps; step++) {
            track_id track = (track_id)random_below(4);

            if (track == 0)
                random_begin_or_end(lanes, &recorder, open, &now[0]);
            else
                random_slice(lanes, &recorder, track, &now[track]);
        }
        close_all(lanes, &recorder, open);
        assert_int_equal(lanes_finish(lanes), STATUS_OK);
        check(&recorder);
        lanes_free(lanes);
        recorder_free(&recorder);
    }
}

/* A track that is given in reverse, then one in random order: few lanes, and no time to speak of. */
static void many_late_slices(void **state)
{
    enum { COUNT = 200000 };
    struct recorder recorder = { 0 };
    struct lanes *lanes = start_lanes(&recorder);
    uint32_t *order = malloc(COUNT * sizeof *order);

    (void)state;
    assert_non_null(order);
    random_state = 88172645463325252u;
    for (uint32_t i = 0; i < COUNT; i++)
        order[i] = i;
    for (uint32_t i = COUNT - 1; i > 0; i--) {
        uint32_t other = (uint32_t)random_below(i + 1);
        uint32_t kept = order[i];

        order[i] = order[other];
        order[other] = kept;
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        give(lanes, &recorder, 0, i + 1, (COUNT - i) * 10, (COUNT - i) * 10 + 10);
        give(lanes, &recorder, 1, i + 1, order[i] * 10, order[i] * 10 + 10);
    }
    assert_int_equal(lanes_finish(lanes), STATUS_OK);
    check(&recorder);
    assert_true(recorder.lanes < 16);
    lanes_free(lanes);
    recorder_free(&recorder);
    free(order);
}

/* As many lanes as slices: finding one must not walk over all. */
static void many_lanes(void **state)
{
    enum { COUNT = 50000 };
    struct recorder recorder = { 0 };
    struct lanes *lanes = start_lanes(&recorder);

    (void)state;
    for (int64_t i = 0; i < COUNT; i++)
        give(lanes, &recorder, 0, (string_id)i + 1, i, i + COUNT);
    for (int64_t i = 0; i < COUNT; i++)
        give(lanes, &recorder, 0, (string_id)i + 1, COUNT + i, 2 * COUNT + i);
    check_and_free(lanes, &recorder, COUNT);
}

/* --- occupied ----------------------------------------------------------------------------------------------------- */

static void occupied_agrees_with_a_plain_list(void **state)
{
    enum { COUNT = 4000, WIDTH = 40000 };
    static struct span taken[COUNT];

    (void)state;
    for (uint64_t round = 1; round <= 3; round++) {
        struct occupied set = OCCUPIED_EMPTY;
        size_t count = 0;

        random_state = round * 77777777777u;
        for (unsigned i = 0; i < COUNT; i++) {
            int64_t start = (int64_t)random_below(WIDTH);
            int64_t stop = start + (int64_t)random_below(6);
            bool free_there = true;
            bool got;

            for (size_t k = 0; k < count && free_there; k++) {
                bool same = taken[k].start == start && taken[k].end == stop;

                free_there = (same && start == stop) || stop < taken[k].start || start > taken[k].end;
            }
            assert_int_equal(occupied_take(&set, start, stop, 1, &got), STATUS_OK);
            assert_int_equal(got, free_there);
            if (got)
                taken[count++] = (struct span){ .start = start, .end = stop };
        }
        occupied_free(&set);
    }
}

/* --- failures ----------------------------------------------------------------------------------------------------- */

static status small_trace(struct recorder *recorder)
{
    static const struct pair slices[] = { { 0, 10 }, { 2, 4 }, { 5, 15 }, { 6, 17 }, { 1, 2 }, { 1, 9 } };
    struct lanes *lanes = NULL;
    status result = lanes_new(&recording, recorder, &lanes);

    for (size_t i = 0; i < sizeof slices / sizeof *slices && result == STATUS_OK; i++) {
        struct slice slice = { .track = 3, .name = (string_id)i + 1 };

        result = lanes_slice(lanes, slice.track, &slice, slices[i].start, slices[i].end);
    }
    for (open_id id = 0; id < 3 && result == STATUS_OK; id++)
        result = lanes_begin(lanes, 5, id, NO_ID, &(struct slice){ .track = 5, .name = 9 }, 4);
    for (open_id id = 0; id < 3 && result == STATUS_OK; id++)
        result = lanes_end(lanes, id, 9);
    if (result == STATUS_OK)
        result = lanes_finish(lanes);
    lanes_free(lanes);
    return result;
}

static void every_allocation_may_fail(void **state)
{
    unsigned failures = 0;

    (void)state;
    for (uint64_t nth = 1;; nth++) {
        struct recorder recorder = { 0 };
        status result;

        memory_fail_at(nth);
        result = small_trace(&recorder);
        memory_fail_at(0);
        recorder_free(&recorder);
        if (result == STATUS_OK)
            break;
        assert_int_equal(result, STATUS_MEMORY);
        failures++;
    }
    assert_true(failures > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_touching_and_empty_share_a_lane),
        cmocka_unit_test(partly_overlapping_take_lanes_and_reuse_them),
        cmocka_unit_test(inner_before_outer_at_equal_start),
        cmocka_unit_test(late_slices_have_lanes_of_their_own),
        cmocka_unit_test(deep_nesting_goes_on_elsewhere),
        cmocka_unit_test(many_equal_late_slices),
        cmocka_unit_test(an_end_before_its_start_is_empty),
        cmocka_unit_test(children_go_on_the_lane_of_their_parent),
        cmocka_unit_test(at_the_end_of_time_no_lane_is_free),
        cmocka_unit_test(a_parent_that_is_not_on_top_has_no_children),
        cmocka_unit_test(time_that_runs_backwards),
        cmocka_unit_test(a_parent_that_ends_before_its_child_waits),
        cmocka_unit_test(random_slices_come_out_as_they_went_in),
        cmocka_unit_test(many_late_slices),
        cmocka_unit_test(many_lanes),
        cmocka_unit_test(occupied_agrees_with_a_plain_list),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
