/* perfetto_clocks.c: snapshots, and ways between clocks. */
#include "read/perfetto_clocks.h"

#include <assert.h>

#include "base/memory.h"
#include "trace/perfetto_fields.h"

enum { SNAPSHOT_CLOCKS = 64, FAR = 64 }; /* clocks of a snapshot, and those that a search walks over, at most */

/* A clock as a snapshot shows it. */
struct shown {
    uint32_t id;      /* of the clock */
    uint32_t place;   /* in the list */
    uint64_t time;    /* in its units */
    uint64_t unit;    /* in ns */
    bool incremental; /* its times are differences */
};

void clocks_start(struct clocks *clocks)
{
    *clocks = (struct clocks){ .trace_clock = CLOCK_BOOTTIME };
    column_start(&clocks->list, sizeof(struct trace_clock));
    column_start(&clocks->pairs, sizeof(struct clock_pair));
    number_map_start(&clocks->map);
    number_map_start(&clocks->pair_map);
}

void clocks_free(struct clocks *clocks)
{
    for (size_t i = 0; i < clocks->pairs.count; i++)
        memory_free(((struct clock_pair *)column_at(&clocks->pairs, i))->points);
    column_free(&clocks->list);
    column_free(&clocks->pairs);
    number_map_free(&clocks->map);
    number_map_free(&clocks->pair_map);
}

static struct trace_clock *clock_at(const struct clocks *clocks, uint32_t place)
{
    return column_at(&clocks->list, place);
}

static struct clock_pair *pair_at(const struct clocks *clocks, uint32_t place)
{
    return column_at(&clocks->pairs, place);
}

static bool is_scoped(uint32_t id)
{
    return id >= CLOCK_OF_SEQUENCE && id <= CLOCK_OF_SEQUENCE_LAST;
}

struct trace_clock *clocks_find(const struct clocks *clocks, uint32_t id, uint32_t sequence)
{
    uint32_t place = number_map_find(&clocks->map, id, is_scoped(id) ? sequence : 0);

    return place == MAP_NONE ? NULL : clock_at(clocks, place);
}

static status make_clock(struct clocks *clocks, struct shown *shown, uint32_t sequence)
{
    uint32_t *place = number_map_at(&clocks->map, shown->id, is_scoped(shown->id) ? sequence : 0);

    if (place && *place == MAP_NONE) {
        struct trace_clock *made = column_append(&clocks->list);

        if (!made)
            return status_no_memory("keeping clocks");
        *made = (struct trace_clock){ .unit = shown->unit, .incremental = shown->incremental, .pairs = MAP_NONE };
        *place = made->place = (uint32_t)clocks->list.count - 1;
    }
    if (!place)
        return status_no_memory("keeping clocks");
    shown->place = *place;
    return STATUS_OK;
}

static bool read_clock(struct wire message, struct shown *shown)
{
    struct wire_field field;

    *shown = (struct shown){ .unit = 1 };
    while (wire_next(&message, &field)) {
        if (field.tag == WIRE_TAG(CLOCK_ID, WIRE_VARINT))
            shown->id = field.value <= UINT32_MAX ? (uint32_t)field.value : 0;
        else if (field.tag == WIRE_TAG(CLOCK_TIMESTAMP, WIRE_VARINT))
            shown->time = field.value;
        else if (field.tag == WIRE_TAG(CLOCK_IS_INCREMENTAL, WIRE_VARINT))
            shown->incremental = field.value != 0;
        else if (field.tag == WIRE_TAG(CLOCK_UNIT, WIRE_VARINT) && field.value)
            shown->unit = field.value;
    }
    return !wire_broken(&message) && (!shown->incremental || is_scoped(shown->id));
}

/* What a clock showed last, together with another one; INT64_MIN: nothing. */
static int64_t newest(const struct clocks *clocks, uint32_t from, uint32_t to)
{
    uint32_t place = number_map_find(&clocks->pair_map, from, to);
    const struct clock_pair *pair = place == MAP_NONE ? NULL : pair_at(clocks, place);

    return pair && pair->count ? pair->points[pair->count - 1].mine : INT64_MIN;
}

/* Whether what a snapshot shows can be: each clock once, with the unit that it had before, and that of the trace not going back. */
static bool is_sound(const struct clocks *clocks, const struct shown *shown, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct trace_clock *clock = clock_at(clocks, shown[i].place);

        if (clock->unit != shown[i].unit || clock->incremental != shown[i].incremental)
            return false;
        for (size_t j = 0; j < count; j++) {
            if (j < i && shown[j].place == shown[i].place)
                return false;
            if (shown[i].id == clocks->trace_clock && j != i &&
                (int64_t)(shown[i].time * clock->unit) < newest(clocks, shown[i].place, shown[j].place))
                return false;
        }
    }
    return true;
}

static status add_point(struct clocks *clocks, uint32_t from, uint32_t to, struct clock_point point)
{
    uint32_t *place = number_map_at(&clocks->pair_map, from, to);
    struct clock_pair *pair;
    status code;

    if (place && *place == MAP_NONE) {
        pair = column_append(&clocks->pairs);
        if (!pair)
            return status_no_memory("keeping clocks");
        *place = (uint32_t)clocks->pairs.count - 1;
        *pair = (struct clock_pair){ .from = from, .to = to, .next = clock_at(clocks, from)->pairs };
        clock_at(clocks, from)->pairs = *place;
    }
    if (!place)
        return status_no_memory("keeping clocks");
    pair = pair_at(clocks, *place);
    if (pair->count && pair->points[pair->count - 1].mine > point.mine)
        clock_at(clocks, from)->backwards = true;
    code = memory_grow(&pair->points, &pair->capacity, pair->count + 1, sizeof *pair->points);
    if (code == STATUS_OK)
        pair->points[pair->count++] = point;
    return code;
}

static status use_snapshot(struct clocks *clocks, const struct shown *shown, size_t count)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        struct trace_clock *clock = clock_at(clocks, shown[i].place);
        int64_t mine = (int64_t)(shown[i].time * shown[i].unit);

        clock->settled = false;
        clock->stamp = 0;
        clock->last = mine;
        for (size_t j = 0; j < count && code == STATUS_OK; j++)
            if (j != i)
                code = add_point(clocks, shown[i].place, shown[j].place,
                                 (struct clock_point){ mine, (int64_t)(shown[j].time * shown[j].unit) });
    }
    clocks->count++;
    return code;
}

status clocks_snapshot(struct clocks *clocks, struct wire snapshot, uint32_t sequence, bool *used)
{
    struct shown shown[SNAPSHOT_CLOCKS];
    struct wire_field field;
    uint32_t primary = 0;
    size_t count = 0;
    status code = STATUS_OK;

    *used = true;
    while (code == STATUS_OK && wire_next(&snapshot, &field)) {
        if (field.tag == WIRE_TAG(SNAPSHOT_PRIMARY, WIRE_VARINT) && field.value <= UINT32_MAX)
            primary = (uint32_t)field.value;
        if (field.tag != WIRE_TAG(SNAPSHOT_CLOCK, WIRE_LENGTH))
            continue;
        if (count == SNAPSHOT_CLOCKS || !read_clock(wire_inside(&field), &shown[count]) ||
            (is_scoped(shown[count].id) && !sequence))
            *used = false;
        else
            code = make_clock(clocks, &shown[count++], sequence);
    }
    if (code != STATUS_OK)
        return code;
    if (!clocks->count && primary)
        clocks->trace_clock = primary;
    *used &= !wire_broken(&snapshot) && is_sound(clocks, shown, count);
    return *used ? use_snapshot(clocks, shown, count) : STATUS_OK;
}

/* ---- Ways ---- */

/* The shortest way to the clock of the trace: a search over few clocks. */
static bool find_way(const struct clocks *clocks, struct trace_clock *clock)
{
    struct {
        uint32_t clock; /* its place */
        uint32_t pair;  /* by which it was reached */
        uint32_t from;  /* in this list */
    } seen[FAR];
    uint32_t goal = number_map_find(&clocks->map, clocks->trace_clock, 0);
    size_t count = 1, here = 0;

    clock->step_count = 0;
    seen[0].clock = clock->place;
    seen[0].pair = seen[0].from = MAP_NONE;
    for (; here < count && seen[here].clock != goal; here++) {
        const struct trace_clock *at = clock_at(clocks, seen[here].clock);

        for (uint32_t i = at->backwards ? MAP_NONE : at->pairs; i != MAP_NONE && count < FAR;
             i = pair_at(clocks, i)->next) {
            bool is_new = true;

            for (size_t j = 0; j < count && is_new; j++)
                is_new = seen[j].clock != pair_at(clocks, i)->to;
            if (is_new) {
                seen[count].clock = pair_at(clocks, i)->to;
                seen[count].pair = i;
                seen[count++].from = (uint32_t)here;
            }
        }
    }
    if (here == count)
        return false;
    for (size_t i = here; seen[i].from != MAP_NONE; i = seen[i].from) {
        if (clock->step_count == CLOCK_STEPS)
            return false;
        memmove(clock->steps + 1, clock->steps, clock->step_count * sizeof *clock->steps);
        clock->steps[0] = seen[i].pair;
        clock->step_count++;
    }
    return true;
}

/* The newest point at or before `value`, else the first. */
static size_t find_point(const struct clock_pair *pair, int64_t value)
{
    size_t low = 0, high = pair->count;

    assert(pair->count);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (pair->points[middle].mine <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool clocks_move(struct clocks *clocks, struct trace_clock *clock, int64_t value, int64_t *ns)
{
    if (!clock->settled) {
        if (clock->stamp == clocks->count)
            return false;
        clock->settled = find_way(clocks, clock);
        clock->stamp = clocks->count;
        clock->low = clock->high = 0;
    }
    *ns = value;
    for (unsigned i = 0; i < clock->step_count; i++) {
        const struct clock_pair *pair = pair_at(clocks, clock->steps[i]);
        size_t point = find_point(pair, *ns);
        uint64_t delta = (uint64_t)pair->points[point].theirs - (uint64_t)pair->points[point].mine;

        if (clock->step_count == 1) {
            clock->low = point ? pair->points[point].mine : INT64_MIN;
            clock->high = point + 1 < pair->count ? pair->points[point + 1].mine : INT64_MAX;
            clock->delta = (int64_t)delta;
        }
        *ns = (int64_t)((uint64_t)*ns + delta);
    }
    return clock->settled;
}
