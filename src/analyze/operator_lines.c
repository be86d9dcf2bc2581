/* operator_lines.c: draws a line per operator with its total, and its slices where they are wanted. */
#include "analyze/operator_lines.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "analyze/breakdown.h"
#include "base/format.h"
#include "base/map.h"
#include "base/memory.h"

struct drawing {
    struct feed *feed;         /* borrowed: lines go there */
    const struct busy *busy;   /* borrowed, settled */
    const struct clock *clock; /* of the input */
    track_id group;            /* track above all lines */
    clock_id input_clock;      /* the same clock, announced for the drawn tracks */
    int64_t start;             /* ticks: where the totals begin */
    struct number_map names;   /* how often a line has had this name */
};

/* A viewer makes one line of those that have one name: the second of a name and total gets a number. */
static status tell_apart(struct drawing *drawing, string_id *name)
{
    struct strings *strings = drawing->feed->strings;
    uint32_t *before = number_map_at(&drawing->names, *name, 0);

    if (!before)
        return status_no_memory("drawing operators");
    ++*before; /* from MAP_NONE to 0 */
    if (!*before)
        return STATUS_OK;
    return strings_add_format(strings, name, "%s (%u)", strings_text(strings, *name), *before + 1);
}

/* The line of one operator: "tosa.conv2d@L4 - 1.440µs". */
static status draw_line(struct drawing *drawing, const struct breakdown_row *row, int32_t order, track_id *line)
{
    struct track track = {
        .parent = drawing->group,
        .order = order,
        .clock = drawing->input_clock,
        .kind = TRACK_SLICES,
        .engine = &engine_operators,
        .unordered = true,
    };
    const struct op *op = &busy_operator(drawing->busy, row->op)->op;
    struct text name = strings_get(drawing->feed->strings, op->name);
    char duration[FORMAT_SIZE];
    status code;

    assert(row->op != NO_ID && "work without an operator has no line");
    format_duration(duration, clock_span_ns(drawing->clock, row->total));
    code = strings_add_format(drawing->feed->strings, &track.name, "%.*s - %s",
                              (int)(name.length < 400 ? name.length : 400), name.data, duration);
    if (code == STATUS_OK)
        code = tell_apart(drawing, &track.name);
    return code == STATUS_OK ? feed_track(drawing->feed, track, line) : code;
}

static status draw_total(struct drawing *drawing, const struct breakdown_row *row, track_id line)
{
    struct slice slice = {
        .track = line,
        .name = busy_operator(drawing->busy, row->op)->op.name,
        .op = row->op,
        .run = NO_ID,
        .start = drawing->start,
        .end = drawing->start + row->total,
    };

    assert(line != NO_ID && row->total >= 0);
    return sink_slice(&drawing->feed->sink, &slice);
}

static bool is_of(const struct busy *busy, track_id process, track_id track)
{
    return track < busy->tracks.count && busy_track(busy, track)->process == process && busy_track(busy, track)->kept;
}

/* Repeat every slice of the input on the line of its operator. */
static status repeat_slices(struct drawing *drawing, track_id process, const struct store *store, const track_id *lines)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < store_count(store) && code == STATUS_OK; i++) {
        struct slice slice = store_slice(store, i);

        if (slice.op == NO_ID || !is_of(drawing->busy, process, slice.track) || lines[slice.op] == NO_ID)
            continue;
        slice.track = lines[slice.op];
        code = sink_slice(&drawing->feed->sink, &slice);
    }
    return code;
}

static int64_t first_start(const struct busy *busy, track_id process)
{
    bool any = false;
    int64_t first = 0;

    for (size_t i = 0; i < busy->tracks.count; i++) {
        const struct busy_track *track = busy_track(busy, (track_id)i);

        if (!track->kept || track->process != process || !track->set.any ||
            engine_group(track->track.engine) == GROUP_ENVELOPE)
            continue;
        if (!any || track->set.first < first)
            first = track->set.first;
        any = true;
    }
    return first;
}

static status draw_group(struct drawing *drawing, track_id process)
{
    struct track group = { .parent = process,
                           .order = feed_order(&engine_operators, 0),
                           .kind = TRACK_GROUP,
                           .clock = NO_ID,
                           .engine = &engine_operators };
    status code = strings_add_text(drawing->feed->strings, engine_operators.title, &group.name);

    if (code == STATUS_OK)
        code = feed_clock(drawing->feed, drawing->clock, &drawing->input_clock);
    return code == STATUS_OK ? feed_track(drawing->feed, group, &drawing->group) : code;
}

status operators_draw(struct feed *feed, const struct busy *busy, track_id process, const struct store *store)
{
    struct drawing drawing = { .feed = feed, .busy = busy, .clock = busy_clock(busy, process) };
    struct breakdown breakdown;
    size_t operators = busy->operators.count;
    track_id *lines = NULL;
    status code = breakdown_operators(busy, process, &breakdown);

    assert(process < busy->tracks.count && process < feed->tracks);
    if (code != STATUS_OK || !breakdown.count || (breakdown.count == 1 && breakdown.rows[0].op == NO_ID)) {
        breakdown_free(&breakdown);
        return code;
    }
    drawing.start = first_start(busy, process);
    number_map_start(&drawing.names);
    lines = memory_allocate(operators * sizeof *lines);
    code = lines ? draw_group(&drawing, process) : status_no_memory("drawing operators");
    for (size_t i = 0; lines && i < operators; i++)
        lines[i] = NO_ID;
    for (size_t i = 0; i < breakdown.count && code == STATUS_OK; i++) {
        track_id *line;

        if (breakdown.rows[i].op == NO_ID)
            continue;
        line = &lines[breakdown.rows[i].op];
        code = draw_line(&drawing, &breakdown.rows[i], (int32_t)i, line);
        if (code == STATUS_OK && !store)
            code = draw_total(&drawing, &breakdown.rows[i], *line);
    }
    if (code == STATUS_OK && store)
        code = repeat_slices(&drawing, process, store, lines);
    number_map_free(&drawing.names);
    memory_free(lines);
    breakdown_free(&breakdown);
    return code;
}
