/* recording_lines.c: counters, frames, spans, sums, devices. */
#include "read/recording_lines.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "read/recording.h"

status recording_lines_start(struct recording_lines *lines)
{
    struct strings *strings = lines->zones->feed->strings;
    status code = strings_add_text(strings, "count", &lines->count_key);

    number_map_start(&lines->counter_map);
    number_map_start(&lines->row_map);
    number_map_start(&lines->clock_map);
    number_map_start(&lines->track_map);
    number_map_start(&lines->group_map);
    column_start(&lines->counters, sizeof(struct line_counter));
    column_start(&lines->rows, sizeof(struct line_row));
    column_start(&lines->clocks, sizeof(struct line_clock));
    column_start(&lines->tracks, sizeof(struct line_track));
    return code == STATUS_OK ? strings_add_text(strings, "total_ns", &lines->total_key) : code;
}

void recording_lines_free(struct recording_lines *lines)
{
    for (size_t i = 0; i < lines->clocks.count; i++)
        tick_map_free(&((struct line_clock *)column_at(&lines->clocks, i))->map);
    number_map_free(&lines->counter_map);
    number_map_free(&lines->row_map);
    number_map_free(&lines->clock_map);
    number_map_free(&lines->track_map);
    number_map_free(&lines->group_map);
    column_free(&lines->counters);
    column_free(&lines->rows);
    column_free(&lines->clocks);
    column_free(&lines->tracks);
    memory_free(lines->marks);
}

static struct feed *feed_of(const struct recording_lines *lines)
{
    return lines->zones->feed;
}

static status lose(struct recording_lines *lines, const struct loss_reason *reason)
{
    return lines->zones->telling ? source_lose(lines->zones->source, feed_of(lines), reason, 0, 0) : STATUS_OK;
}

/* The place of a key in a column; a new entry is all zero, and `*made` says so. NULL: out of memory. */
static void *entry_of(struct number_map *map, struct column *column, uint64_t one, uint64_t other, bool *made)
{
    uint32_t *place = number_map_at(map, one, other);
    void *entry;

    *made = place && *place == MAP_NONE;
    if (!*made)
        return place ? column_at(column, *place) : NULL;
    entry = column_append(column);
    if (entry) {
        memset(entry, 0, column->element_size);
        *place = (uint32_t)column->count - 1;
    }
    return entry;
}

static status add_mark(struct recording_lines *lines, struct line_mark mark)
{
    status code = memory_grow(&lines->marks, &lines->mark_capacity, lines->mark_count + 1, sizeof *lines->marks);

    if (code == STATUS_OK)
        lines->marks[lines->mark_count++] = mark;
    return code;
}

static status announce(struct recording_lines *lines, struct track track, const struct engine *engine, track_id *id)
{
    track.parent = track.parent == NO_ID ? lines->zones->parent : track.parent;
    track.clock = lines->zones->clock;
    track.engine = engine;
    track.order = track.order ? track.order : feed_order(engine, (uint32_t)lines->next_order++);
    return feed_track(feed_of(lines), track, id);
}

/* ---- Counters ----------------------------------------------------------------------------------------------------- */

static int64_t value_of(const struct line_counter *counter, const struct record *record)
{
    uint64_t bits = record->values[0];
    double decimal = record->types[0] == RECORDING_VALUE_UNSIGNED ? (double)bits : (double)(int64_t)bits;

    if (!counter->decimal)
        return record->types[0] == RECORDING_VALUE_UNSIGNED && bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
    return record->types[0] == RECORDING_VALUE_DOUBLE ? (int64_t)bits : counter_of_decimal(decimal);
}

static status tell_value(struct recording_lines *lines, struct line_counter *counter, int64_t time, int64_t value)
{
    status code = STATUS_OK;

    if (counter->track == NO_ID)
        code =
            announce(lines,
                     (struct track){
                         .parent = NO_ID, .name = counter->name, .kind = TRACK_COUNTER, .decimal = counter->decimal },
                     &engine_counter, &counter->track);
    return code == STATUS_OK ? SINK_CALL(&feed_of(lines)->sink, counter, counter->track, time, value) : code;
}

static status add_counter(struct recording_lines *lines, const struct zone_thread *thread, const struct record *record,
                          int64_t time, string_id name)
{
    bool made;
    struct line_counter *counter = entry_of(&lines->counter_map, &lines->counters, name, 0, &made);

    if (!counter)
        return status_no_memory("keeping counters");
    if (made)
        *counter = (struct line_counter){ .name = name, .track = NO_ID, .thread = thread->number };
    if (!lines->zones->telling) {
        counter->shared |= counter->thread != thread->number;
        counter->decimal |= record->types[0] == RECORDING_VALUE_DOUBLE;
        return STATUS_OK;
    }
    if (!counter->shared)
        return tell_value(lines, counter, time, value_of(counter, record));
    return add_mark(lines, (struct line_mark){ .row = number_map_find(&lines->counter_map, name, 0),
                                               .kind = RECORD_COUNTER,
                                               .number = (uint64_t)value_of(counter, record),
                                               .time = time });
}

/* ---- Frames and spans --------------------------------------------------------------------------------------------- */

static status add_to_row(struct recording_lines *lines, const struct record *record, int64_t time, string_id name)
{
    bool frames = record->kind != RECORD_ASYNC_BEGIN && record->kind != RECORD_ASYNC_END;
    bool made;
    struct line_row *row;

    if (!lines->zones->telling)
        return STATUS_OK;
    row = entry_of(&lines->row_map, &lines->rows, name, frames, &made);
    if (!row)
        return status_no_memory("keeping frames");
    if (made)
        *row = (struct line_row){ name, record->id, frames };
    return add_mark(lines, (struct line_mark){ .row = number_map_find(&lines->row_map, name, frames),
                                               .kind = record->kind,
                                               .number = record->values[0],
                                               .time = time });
}

static int by_mark(const void *left, const void *right)
{
    const struct line_mark *a = left, *b = right;
    bool counter = a->kind == RECORD_COUNTER;

    if (counter != (b->kind == RECORD_COUNTER))
        return counter ? -1 : 1;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    /* Spans by number; frames and counters by time alone. */
    if ((a->kind == RECORD_ASYNC_BEGIN || a->kind == RECORD_ASYNC_END) && a->number != b->number)
        return a->number < b->number ? -1 : 1;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a > b) - (a < b);
}

/* A line that slices are told on, while rows are walked through. */
struct telling {
    track_id track;  /* of the row; NO_ID: not announced */
    operator_id op;  /* of its site */
    bool open;       /* a frame or span is */
    int64_t start;   /* of it */
    uint64_t number; /* of it */
};

static status tell_slice(struct recording_lines *lines, const struct line_row *row, struct telling *telling,
                         int64_t end, bool unfinished)
{
    struct argument arguments[2];
    struct slice slice = {
        .name = row->name, .op = telling->op, .run = NO_ID, .start = telling->start, .end = end, .arguments = arguments
    };
    struct track track = { .parent = NO_ID, .kind = TRACK_SLICES, .name = row->name, .unordered = !row->frames };
    status code = STATUS_OK;

    assert(telling->open && telling->start <= end);
    telling->open = false;
    if (telling->track == NO_ID && row->frames)
        code = strings_add_format(feed_of(lines)->strings, &track.name, "frames %s",
                                  strings_text(feed_of(lines)->strings, row->name));
    if (telling->track == NO_ID && code == STATUS_OK)
        code = announce(lines, track, row->frames ? &engine_frame : &engine_span, &telling->track);
    if (code != STATUS_OK)
        return code;
    slice.track = telling->track;
    if (!row->frames)
        arguments[slice.argument_count++] =
            (struct argument){ .key = KEY_ID, .type = ARGUMENT_UNSIGNED, .natural = telling->number };
    if (unfinished)
        arguments[slice.argument_count++] =
            (struct argument){ .key = lines->zones->unfinished, .type = ARGUMENT_BOOLEAN, .boolean = true };
    return sink_slice(&feed_of(lines)->sink, &slice);
}

/* Nothing more comes for what is open. */
static status leave_open(struct recording_lines *lines, const struct line_row *row, struct telling *telling)
{
    int64_t end = lines->zones->last > telling->start ? lines->zones->last : telling->start;

    if (!telling->open)
        return STATUS_OK;
    losses_mark(&feed_of(lines)->losses, row->frames ? &recording_loss_frame : &recording_loss_span, 1);
    return tell_slice(lines, row, telling, end, true);
}

static status tell_mark(struct recording_lines *lines, const struct line_row *row, const struct line_mark *mark,
                        struct telling *telling)
{
    bool ends = mark->kind == RECORD_ASYNC_END || mark->kind == RECORD_FRAME_END;
    status code = STATUS_OK;

    if (telling->open && !row->frames && telling->number != mark->number)
        code = leave_open(lines, row, telling);
    if (code != STATUS_OK)
        return code;
    if (telling->open && (ends || mark->kind == RECORD_FRAME))
        code = tell_slice(lines, row, telling, mark->time, false);
    else if (telling->open)
        code = leave_open(lines, row, telling);
    else if (ends)
        return lose(lines, &recording_loss_lone_end);
    if (!ends) {
        telling->open = true;
        telling->start = mark->time;
        telling->number = mark->number;
    }
    return code;
}

static status tell_row(struct recording_lines *lines, const struct line_mark *marks, size_t count)
{
    const struct line_row *row = column_at(&lines->rows, marks->row);
    struct telling telling = { .track = NO_ID, .op = NO_ID };
    struct recording_site *site;
    bool lasts = false;
    status code = recording_site(lines->zones->names, row->site, &site);

    if (code == STATUS_OK && site)
        code = zones_operator(lines->zones, site, &telling.op);
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        code = tell_mark(lines, row, &marks[i], &telling);
        lasts = marks[i].kind != RECORD_FRAME;
    }
    /* The last mark of frames that follow each other begins none. */
    return code == STATUS_OK && lasts ? leave_open(lines, row, &telling) : code;
}

status lines_finish(struct recording_lines *lines)
{
    status code = STATUS_OK;

    if (lines->mark_count)
        qsort(lines->marks, lines->mark_count, sizeof *lines->marks, by_mark);
    for (size_t i = 0; i < lines->mark_count && code == STATUS_OK;) {
        const struct line_mark *mark = &lines->marks[i];
        size_t end = i + 1;

        if (mark->kind == RECORD_COUNTER) {
            code = tell_value(lines, column_at(&lines->counters, mark->row), mark->time, (int64_t)mark->number);
            i++;
            continue;
        }
        while (end < lines->mark_count && lines->marks[end].row == mark->row)
            end++;
        code = tell_row(lines, mark, end - i);
        i = end;
    }
    return code;
}

/* ---- Sums --------------------------------------------------------------------------------------------------------- */

static status announce_sums(struct recording_lines *lines, struct zone_thread *thread)
{
    struct track track = { .parent = NO_ID,
                           .kind = TRACK_SLICES,
                           .index = thread->number,
                           .unordered = true,
                           .order = feed_order(&engine_thread, thread->number) + 1 };
    status code = zones_thread_name(lines->zones, thread, &track.name);

    if (code == STATUS_OK)
        code = strings_add_format(feed_of(lines)->strings, &track.name, "%s: sums",
                                  strings_text(feed_of(lines)->strings, track.name));
    return code == STATUS_OK ? announce(lines, track, &engine_sum, &thread->sums) : code;
}

static status add_sum(struct recording_lines *lines, struct zone_thread *thread, const struct record *record,
                      int64_t time, struct recording_site *site)
{
    struct argument arguments[] = {
        { .key = lines->count_key, .type = ARGUMENT_UNSIGNED, .natural = record->values[2] },
        argument_integer(lines->total_key, tick_map_span(lines->host, record->values[1])),
    };
    struct slice slice = { .run = NO_ID, .start = time, .arguments = arguments, .argument_count = 2 };
    int64_t end = tick_map_ns(lines->host, record->values[0]);
    status code = STATUS_OK;

    slice.end = end > time ? end : time;
    zones_widen(lines->zones, thread, slice.end);
    if (!lines->zones->telling)
        return STATUS_OK;
    if (end < time)
        return lose(lines, &loss_end_before_start);
    if (thread->sums == NO_ID)
        code = announce_sums(lines, thread);
    slice.track = thread->sums;
    slice.name = site->name;
    if (code == STATUS_OK)
        code = zones_operator(lines->zones, site, &slice.op);
    return code == STATUS_OK ? sink_slice(&feed_of(lines)->sink, &slice) : code;
}

/* ---- Devices ------------------------------------------------------------------------------------------------------ */

static struct line_clock *clock_of(struct recording_lines *lines, uint32_t number)
{
    bool made;
    struct line_clock *clock = entry_of(&lines->clock_map, &lines->clocks, number, 0, &made);

    if (made && clock) {
        clock->number = number;
        clock->first = UINT64_MAX;
    }
    return clock;
}

static status add_tie(struct recording_lines *lines, const struct record *record)
{
    uint64_t before = record->word, after = record->values[1];
    struct line_clock *clock = lines->zones->telling ? NULL : clock_of(lines, record->id);
    struct tick_tie tie = { .ticks = record->values[0], .unsure = (int64_t)((after - before) / 2) };

    if (after < before || after > INT64_MAX || before < (uint64_t)lines->origin)
        return lose(lines, &recording_loss_broken);
    if (lines->zones->telling)
        return STATUS_OK;
    if (!clock)
        return status_no_memory("keeping clocks");
    tie.ns = (int64_t)(before + (after - before) / 2) - lines->origin;
    clock->tied = true;
    return tick_map_add(&clock->map, tie);
}

static const struct recording_track_name *track_name(const struct recording_lines *lines, uint32_t number)
{
    uint32_t place = number_map_find(&lines->zones->names->track_map, number, 0);

    return place == MAP_NONE ? NULL : column_at(&lines->zones->names->tracks, place);
}

/* Groups for all levels of the name but the last. */
static status announce_levels(struct recording_lines *lines, string_id name, struct track *track)
{
    struct strings *strings = feed_of(lines)->strings;
    struct text rest = strings_get(strings, name);
    status code = STATUS_OK;

    for (const char *slash = memchr(rest.data, '/', rest.length); slash && code == STATUS_OK;
         slash = rest.length ? memchr(rest.data, '/', rest.length) : NULL) {
        size_t length = (size_t)(slash - rest.data);
        struct track group = { .parent = track->parent == NO_ID ? lines->zones->parent : track->parent,
                               .kind = TRACK_GROUP,
                               .clock = NO_ID,
                               .order = feed_order(&engine_device, 0) };
        uint32_t *known;

        code = strings_add(strings, rest.data, length, &group.name);
        known = code == STATUS_OK ? number_map_at(&lines->group_map, group.parent, group.name) : NULL;
        if (code == STATUS_OK && !known)
            code = status_no_memory("keeping tracks");
        if (code == STATUS_OK && *known == MAP_NONE)
            code = feed_track(feed_of(lines), group, known);
        if (code == STATUS_OK)
            track->parent = *known;
        rest.data += length + 1;
        rest.length -= length + 1;
    }
    return code == STATUS_OK ? strings_add(strings, rest.data, rest.length, &track->name) : code;
}

/* The recording's own clock, or one that it knows moments of. */
static bool is_tied(struct recording_lines *lines, uint32_t number)
{
    const struct line_clock *clock = number ? clock_of(lines, number) : NULL;

    return !number || (clock && clock->tied);
}

static status reach_track(struct recording_lines *lines, uint32_t number, const struct recording_track_name *name,
                          track_id *id)
{
    struct track track = { .parent = NO_ID, .kind = TRACK_SLICES, .unordered = true };
    bool made;
    struct line_track *line = entry_of(&lines->track_map, &lines->tracks, number, 0, &made);
    status code = STATUS_OK;

    if (!line)
        return status_no_memory("keeping tracks");
    if (made) {
        code = announce_levels(lines, name->name, &track);
        track.index = number;
        /* Times of a clock that is tied to no other are shown; in sums with others they would mean nothing. */
        if (code == STATUS_OK)
            code = announce(lines, track, is_tied(lines, name->clock) ? &engine_device : &engine_custom, &line->track);
    }
    *id = line->track;
    return code;
}

/* The operator of all slices of a name. */
static status device_operator(struct recording_lines *lines, string_id name, operator_id *op)
{
    uint32_t *place = number_map_at(lines->zones->operators, name, UINT64_MAX);
    struct op made = { .name = name };
    status code;

    if (!place)
        return status_no_memory("keeping operators");
    if (*place == MAP_NONE) {
        code = feed_operator_new(feed_of(lines), &made);
        if (code != STATUS_OK)
            return code;
        *place = made.id;
    }
    *op = *place;
    return STATUS_OK;
}

/* The map of a clock's ticks; NULL: the first walk met nothing by it, the file has changed since. */
static struct tick_map *map_of(struct recording_lines *lines, uint32_t clock)
{
    uint32_t place = clock ? number_map_find(&lines->clock_map, clock, 0) : MAP_NONE;

    if (!clock)
        return lines->host;
    return place == MAP_NONE ? NULL : &((struct line_clock *)column_at(&lines->clocks, place))->map;
}

static status tell_device(struct recording_lines *lines, const struct record *record,
                          const struct recording_track_name *name)
{
    struct tick_map *map = map_of(lines, name->clock);
    struct slice slice = { .run = NO_ID, .op = NO_ID };
    status code;

    if (!map)
        return lose(lines, &recording_loss_unplaced);
    code = reach_track(lines, record->id, name, &slice.track);
    if (code == STATUS_OK)
        code = strings_add(feed_of(lines)->strings, record->text.data, record->text.length, &slice.name);
    if (code != STATUS_OK)
        return code;
    slice.start = tick_map_ns(map, record->word);
    slice.end = record->kind == RECORD_TRACK_SLICE ? tick_map_ns(map, record->values[0]) : slice.start;
    if (slice.start < 0)
        return lose(lines, &loss_time_range);
    if (slice.end < slice.start)
        return lose(lines, &loss_end_before_start);
    if (record->kind == RECORD_TRACK_INSTANT)
        return SINK_CALL(&feed_of(lines)->sink, instant, &slice);
    code = device_operator(lines, slice.name, &slice.op);
    return code == STATUS_OK ? sink_slice(&feed_of(lines)->sink, &slice) : code;
}

static status add_device(struct recording_lines *lines, const struct record *record)
{
    const struct recording_track_name *name = track_name(lines, record->id);
    struct line_clock *clock;

    if (!name)
        return lose(lines, &recording_loss_unplaced);
    if (lines->zones->telling)
        return tell_device(lines, record, name);
    if (!name->clock)
        return STATUS_OK;
    clock = clock_of(lines, name->clock);
    if (!clock)
        return status_no_memory("keeping clocks");
    clock->events++;
    clock->first = record->word < clock->first ? record->word : clock->first;
    return STATUS_OK;
}

/* What a person should know of a clock's times. */
static status note_clock(struct recording_lines *lines, const struct line_clock *clock, bool by_ties)
{
    struct strings *strings = feed_of(lines)->strings;
    uint32_t place = number_map_find(&lines->zones->names->clock_map, clock->number, 0);
    const struct recording_clock_name *given =
        place == MAP_NONE ? NULL : column_at(&lines->zones->names->clocks, place);
    const char *name = given ? strings_text(strings, given->name) : "without a name";
    char time[FORMAT_SIZE];
    string_id note;
    status code;

    format_duration(time, clock->map.unsure);
    if (!clock->tied)
        code = strings_add_format(
            strings, &note, "device clock '%s' is tied to no other: its times begin at 0 and cannot be compared", name);
    else if (!clock->measured)
        code = strings_add_format(
            strings, &note, "device clock '%s' does not tell its rate, and one tie cannot: its ticks are taken for ns",
            name);
    else
        code = strings_add_format(strings, &note, "device clock '%s' is tied to the host's to within %s%s", name, time,
                                  by_ties ? "" : ", by one tie and the rate that it says");
    if (code == STATUS_OK)
        source_note(lines->zones->source, strings_text(strings, note));
    return code;
}

static status tie_clock(struct recording_lines *lines, struct line_clock *clock)
{
    uint32_t place = number_map_find(&lines->zones->names->clock_map, clock->number, 0);
    const struct recording_clock_name *name = place == MAP_NONE ? NULL : column_at(&lines->zones->names->clocks, place);
    uint64_t rate = name && name->rate ? name->rate : 1000000000;
    bool by_ties = false;
    status code = STATUS_OK;

    if (!clock->tied)
        code = tick_map_add(&clock->map, (struct tick_tie){ .ticks = clock->first });
    if (code == STATUS_OK)
        code = tick_map_finish(&clock->map, 1000000000, rate, &by_ties);
    clock->measured = by_ties || (name && name->rate);
    return code == STATUS_OK && clock->events ? note_clock(lines, clock, by_ties) : code;
}

status lines_begin_telling(struct recording_lines *lines)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < lines->clocks.count && code == STATUS_OK; i++)
        code = tie_clock(lines, column_at(&lines->clocks, i));
    return code;
}

/* ---- All ---------------------------------------------------------------------------------------------------------- */

static status add_of_site(struct recording_lines *lines, struct zone_thread *thread, const struct record *record,
                          int64_t time)
{
    struct recording_site *site;
    status code = recording_site(lines->zones->names, record->id, &site);

    if (code != STATUS_OK)
        return code;
    if (!site)
        return lose(lines, &recording_loss_broken);
    if (record->kind == RECORD_COUNTER)
        return add_counter(lines, thread, record, time, site->name);
    if (record->kind == RECORD_SUM)
        return add_sum(lines, thread, record, time, site);
    if (record->kind == RECORD_FRAME && site->flags & SITE_RUN && !lines->zones->telling)
        return zones_step(lines->zones, thread, time);
    return add_to_row(lines, record, time, site->name);
}

status lines_add(struct recording_lines *lines, struct zone_thread *thread, const struct record *record, int64_t time)
{
    string_id name;
    status code;

    switch (record->kind) {
    case RECORD_TIE:
        return add_tie(lines, record);
    case RECORD_TRACK_SLICE:
    case RECORD_TRACK_INSTANT:
        return add_device(lines, record);
    case RECORD_COUNTER:
        if (record->id)
            break;
        code = strings_add(feed_of(lines)->strings, record->text.data, record->text.length, &name);
        zones_widen(lines->zones, thread, time);
        return code == STATUS_OK ? add_counter(lines, thread, record, time, name) : code;
    default:
        break;
    }
    zones_widen(lines->zones, thread, time);
    return add_of_site(lines, thread, record, time);
}
