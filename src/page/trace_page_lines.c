/* trace_page_lines.c: which row of a page a slice goes to.
 *
 * Slices that come by start are nested as lanes nest them: a row for each lane and depth, written as they come. Those of a track that has no
 * order, and those that come late, are kept, sorted at the end, and have lanes of their own. Instants have rows of their own, since they
 * need not be in the order of the slices.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "page/trace_page_parts.h"

/* ---- Lanes ---- */

static status on_lane(void *self, uint32_t lane, track_id track, enum lane_kind kind)
{
    struct page_lanes *lanes = self;
    status code = memory_grow(&lanes->items, &lanes->capacity, lanes->count + 1, sizeof *lanes->items);

    (void)kind;
    (void)lane;
    assert(lane == lanes->count && kind != LANE_LATE && "what comes late is sorted first");
    if (code == STATUS_OK)
        lanes->items[lanes->count++] = (struct page_lane){ .track = track };
    return code;
}

static status on_begin(void *self, uint32_t number, int64_t time, const struct slice *slice)
{
    struct page_lanes *lanes = self;
    struct page_lane *lane = &lanes->items[number];
    struct page_rows *rows = &lanes->page->rows;
    status code = STATUS_OK;

    (void)slice; /* what is to be known of it is pending */
    if (lane->depth >= lane->row_capacity)
        code = memory_grow_clear(&lane->rows, &lane->row_capacity, (size_t)lane->depth + 1, sizeof *lane->rows);
    if (code == STATUS_OK && !lane->rows[lane->depth]) {
        struct page_row row = {
            .track = lane->track, .kind = PAGE_ROW_SLICES, .lane = number, .depth = lane->depth, .late = lanes->late
        };

        code = page_rows_add(rows, &row, &lane->rows[lane->depth]);
        lane->rows[lane->depth] += code == STATUS_OK;
    }
    return code == STATUS_OK ? page_row_begin(rows, lane->rows[lane->depth++] - 1, time, &lanes->page->pending) : code;
}

static status on_end(void *self, uint32_t number, int64_t time)
{
    struct page_lanes *lanes = self;
    struct page_lane *lane = &lanes->items[number];
    struct page_rows *rows = &lanes->page->rows;
    uint32_t row = lane->rows[--lane->depth] - 1;

    assert(lane->depth < lane->row_capacity);
    if (lane->depth)
        page_row(rows, lane->rows[lane->depth - 1] - 1)->inside += time - page_row(rows, row)->start;
    return page_row_end(rows, row, time);
}

status page_lines_start(struct page_lanes *lanes, struct trace_page *page, bool late)
{
    static const struct lanes_calls calls = { .lane = on_lane, .begin = on_begin, .end = on_end };

    *lanes = (struct page_lanes){ .page = page, .late = late };
    return lanes_new(&calls, lanes, &lanes->lanes);
}

void page_lines_free(struct page_lanes *lanes)
{
    lanes_free(lanes->lanes);
    for (size_t i = 0; i < lanes->count; i++)
        memory_free(lanes->items[i].rows);
    memory_free(lanes->items);
}

/* ---- What comes late ---- */

/* The pending slice, until the end. */
static status hold(struct trace_page *page, track_id line, int64_t start, int64_t end, bool instant)
{
    struct page_held held = {
        .start = start, .end = end, .order = page->held_count, .line = line, .instant = instant, .extra = page->pending
    };
    size_t flows = held.extra.flow_count * sizeof *held.extra.flows;
    status code = memory_grow(&page->held, &page->held_capacity, page->held_count + 1, sizeof *page->held);
    void *copy;

    if (code == STATUS_OK && held.extra.size) {
        copy = arena_allocate(&page->kept, held.extra.size, 1);
        if (!copy)
            return status_no_memory("keeping arguments");
        held.extra.arguments = memcpy(copy, held.extra.arguments, held.extra.size);
    }
    if (code == STATUS_OK && flows) {
        copy = arena_allocate(&page->kept, flows, sizeof *held.extra.flows);
        if (!copy)
            return status_no_memory("keeping flows");
        held.extra.flows = memcpy(copy, held.extra.flows, flows);
    }
    if (code == STATUS_OK)
        page->held[page->held_count++] = held;
    return code;
}

/* Of equal starts the outer one comes first, as lanes want it. */
static int by_line_and_start(const void *a, const void *b)
{
    const struct page_held *one = a, *other = b;

    if (one->line != other->line)
        return one->line < other->line ? -1 : 1;
    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    if (one->end != other->end)
        return one->end > other->end ? -1 : 1;
    return one->order < other->order ? -1 : 1;
}

static int by_track_and_time(const void *a, const void *b)
{
    const struct page_held_value *one = a, *other = b;

    if (one->track != other->track)
        return one->track < other->track ? -1 : 1;
    if (one->time != other->time)
        return one->time < other->time ? -1 : 1;
    return one->order < other->order ? -1 : 1;
}

/* ---- Rows without lanes ---- */

/* The row of a track that `*place` names, which is made where there is none. */
static status ensure_row(struct trace_page *page, track_id track, enum page_row_kind kind, bool late, uint32_t *place)
{
    struct page_row row = { .track = track, .kind = kind, .late = late };
    status code = STATUS_OK;

    if (!*place) {
        code = page_rows_add(&page->rows, &row, place);
        *place += code == STATUS_OK;
    }
    return code;
}

static status put_instant(struct trace_page *page, track_id line, int64_t time, bool late)
{
    struct page_track *track = &page->tracks[line];
    uint32_t *place = late ? &track->late_instants : &track->instants;
    status code = ensure_row(page, line, PAGE_ROW_INSTANTS, late, place);

    if (code == STATUS_OK)
        code = page_row_begin(&page->rows, *place - 1, time, &page->pending);
    return code == STATUS_OK ? page_row_end(&page->rows, *place - 1, time) : code;
}

static status put_value(struct trace_page *page, track_id id, int64_t time, double value, bool late)
{
    uint32_t *place = late ? &page->tracks[id].late_values : &page->tracks[id].values;
    status code = ensure_row(page, id, PAGE_ROW_VALUES, late, place);

    return code == STATUS_OK ? page_row_value(&page->rows, *place - 1, time, value) : code;
}

/* ---- In ---- */

status page_lines_slice(struct trace_page *page, track_id line, const struct slice *slice, int64_t start, int64_t end)
{
    struct page_track *track = &page->tracks[line];

    if (announced_track(&page->announced, line)->track.unordered || start < track->latest)
        return hold(page, line, start, end, false);
    track->latest = start;
    return lanes_slice(page->ordered.lanes, line, slice, start, end);
}

status page_lines_instant(struct trace_page *page, track_id line, int64_t time)
{
    uint32_t row = page->tracks[line].instants;

    if (announced_track(&page->announced, line)->track.unordered ||
        (row && time < page_row(&page->rows, row - 1)->reaches))
        return hold(page, line, time, time, true);
    return put_instant(page, line, time, false);
}

status page_lines_value(struct trace_page *page, track_id track, int64_t time, double value)
{
    uint32_t row = page->tracks[track].values;
    status code;

    if (!row || time >= page_row(&page->rows, row - 1)->reaches)
        return put_value(page, track, time, value, false);
    code = memory_grow(&page->values, &page->value_capacity, page->value_count + 1, sizeof *page->values);
    if (code != STATUS_OK)
        return code;
    page->values[page->value_count] =
        (struct page_held_value){ .time = time, .order = page->value_count, .value = value, .track = track };
    page->value_count++;
    return STATUS_OK;
}

/* ---- The end ---- */

static status put_held(struct trace_page *page, const struct page_held *held)
{
    struct slice slice = { .track = held->line };

    page->pending = held->extra;
    if (held->instant)
        return put_instant(page, held->line, held->start, true);
    return lanes_slice(page->late.lanes, held->line, &slice, held->start, held->end);
}

status page_lines_finish(struct trace_page *page)
{
    status code = lanes_finish(page->ordered.lanes);

    if (page->held_count)
        qsort(page->held, page->held_count, sizeof *page->held, by_line_and_start);
    for (size_t i = 0; i < page->held_count && code == STATUS_OK; i++)
        code = put_held(page, &page->held[i]);
    if (code == STATUS_OK)
        code = lanes_finish(page->late.lanes);
    if (page->value_count)
        qsort(page->values, page->value_count, sizeof *page->values, by_track_and_time);
    for (size_t i = 0; i < page->value_count && code == STATUS_OK; i++)
        code = put_value(page, page->values[i].track, page->values[i].time, page->values[i].value, true);
    return code == STATUS_OK ? page_rows_flush(&page->rows) : code;
}
