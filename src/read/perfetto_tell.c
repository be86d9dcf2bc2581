/* perfetto_tell.c: events of the second walk, told to the feed: slices, instants and values.
 *
 * The slices of a line are a stack: an end closes the innermost one, or the innermost of its name. Those that Tacho got whole are told whole again:
 * perfetto_whole.c.
 */
#include <assert.h>
#include <math.h>

#include "base/memory.h"
#include "base/path.h"
#include "read/perfetto_whole.h"

/* ---- What slices carry ---- */

static status find_flow(struct perfetto_reading *reading, const struct event_flow *flow, uint32_t *number)
{
    uint32_t *place = number_map_at(&reading->flows, flow->id, 0);

    if (!place)
        return status_no_memory("keeping flows");
    if (*place == MAP_NONE)
        *place = feed_flow(reading->feed);
    *number = *place;
    if (flow->ends)
        *place = MAP_NONE;
    return STATUS_OK;
}

static status put_flows(struct perfetto_reading *reading, const struct trace_event *event, struct slice *slice)
{
    status code =
        memory_grow(&reading->flow_numbers, &reading->flow_capacity, event->flow_count, sizeof *reading->flow_numbers);

    for (uint32_t i = 0; i < event->flow_count && code == STATUS_OK; i++)
        code = find_flow(reading, &reading->event_flows[i], &reading->flow_numbers[i]);
    if (code != STATUS_OK)
        return code;
    slice->flow = reading->flow_numbers[0];
    slice->more_flow_count = event->flow_count - 1;
    slice->more_flows = reading->flow_numbers + 1;
    return STATUS_OK;
}

static status place_operator(struct perfetto_reading *reading, const struct trace_event *event, struct op *op)
{
    const char *file = strings_text(reading->strings, event->file);
    status code = STATUS_OK;

    op->file = event->file;
    op->line = event->line;
    if (event->file && event->line)
        code = strings_add_format(reading->strings, &op->place, "%s:%u", path_name(file), event->line);
    if (code == STATUS_OK && event->file && event->function)
        code = strings_add_format(reading->strings, &op->location, "%s (%s:%u)",
                                  strings_text(reading->strings, event->function), file, event->line);
    else if (code == STATUS_OK && event->file)
        code = strings_add_format(reading->strings, &op->location, "%s:%u", file, event->line);
    else
        op->location = event->function;
    return code;
}

/* Slices of one name, from one place of the source, are of one operator. */
static status find_operator(struct perfetto_reading *reading, const struct trace_event *event, operator_id *id)
{
    bool placed = event->file || event->function;
    struct op op = { .name = event->name };
    uint32_t *place;
    status code;

    if (!placed && event->interned && event->interned->op) {
        *id = event->interned->op - 1;
        return STATUS_OK;
    }
    place = number_map_at(&reading->operators, (uint64_t)event->name << 32 | event->file,
                          (uint64_t)event->line << 32 | event->function);
    if (!place)
        return status_no_memory("keeping operators");
    if (*place == MAP_NONE) {
        code = placed ? place_operator(reading, event, &op) : STATUS_OK;
        if (code == STATUS_OK)
            code = feed_operator_new(reading->feed, &op);
        if (code != STATUS_OK)
            return code;
        *place = op.id;
    }
    if (!placed && event->interned)
        event->interned->op = *place + 1;
    *id = *place;
    return STATUS_OK;
}

static status append_argument(struct perfetto_reading *reading, struct slice *slice, struct argument argument)
{
    status code = memory_grow(&reading->arguments, &reading->argument_capacity, (size_t)slice->argument_count + 1,
                              sizeof *reading->arguments);

    if (code != STATUS_OK || argument_find(reading->arguments, slice->argument_count, argument.key))
        return code;
    reading->arguments[slice->argument_count++] = argument;
    slice->arguments = reading->arguments;
    return STATUS_OK;
}

/* The track of a slice on the line of another one that it is inside of, and has the clock of. */
static struct own_track *find_inside(const struct perfetto_reading *reading, struct own_track *own, uint64_t number)
{
    enum { DEEPEST_INSIDE = 16 };
    struct own_track *found, *around;
    uint32_t place = number_map_find(&reading->own.track_map, number, 0);

    if (place == MAP_NONE)
        return own;
    found = own_at(reading, place);

    for (unsigned depth = 0; place != MAP_NONE && depth < DEEPEST_INSIDE; depth++) {
        around = own_at(reading, place);
        if (around == own)
            return found->id == NO_ID ? own : found;
        if (!around->track.inside || around->track.kind != TRACK_SLICES || around->clock != own->clock)
            break;
        place = number_map_find(&reading->own.track_map, around->parent, 0);
    }
    return own;
}

/* The same where `number`, of a packet, may be 0: it is on the track of its line. */
static inline struct own_track *own_inside(const struct perfetto_reading *reading, struct own_track *own,
                                           uint64_t number)
{
    return number ? find_inside(reading, own, number) : own;
}

static void take_own(struct perfetto_reading *reading, const struct line_moment *moment, struct slice *slice)
{
    slice->run = own_run(reading, moment->run);
    if (moment->head->own_track)
        slice->track = own_inside(reading, moment->line->own, moment->head->own_track)->id;
    whole_operator(reading, moment->op, slice);
}

/* The slice that an event begins, without its times. */
static status fill_slice(struct perfetto_reading *reading, const struct line_moment *moment,
                         const struct trace_event *event, struct slice *slice)
{
    const struct trace_line *line = moment->line;
    status code = STATUS_OK;

    *slice = (struct slice){ .track = line->track,
                             .name = event->name == NO_ID ? 0 : event->name,
                             .op = NO_ID,
                             .run = NO_ID,
                             .arguments = reading->arguments,
                             .argument_count = event->argument_count };
    if (line->own)
        take_own(reading, moment, slice);
    else if (line->names_operators && event->name != NO_ID && event->name)
        code = find_operator(reading, event, &slice->op);
    if (code == STATUS_OK && event->category != NO_ID && !line->own && !reading->keys)
        code = append_argument(reading, slice, argument_text(reading->key_category, event->category));
    return code == STATUS_OK && event->flow_count ? put_flows(reading, event, slice) : code;
}

void tell_take_own(struct line_moment *moment, const struct trace_event *event)
{
    const struct packet_head *head = moment->head;

    if (event->type != TYPE_BEGIN && event->type != TYPE_INSTANT)
        return;
    if (head->parts & PART_OWN_OPERATOR && event->interned)
        event->interned->own_op = head->own_operator <= UINT32_MAX ? (uint32_t)head->own_operator : 0;
    if (head->parts & PART_OWN_RUN)
        moment->sequence->run = head->own_run <= UINT32_MAX ? (uint32_t)head->own_run : 0;
    moment->op = event->interned ? event->interned->own_op : 0;
    moment->run = moment->sequence->run;
}

/* ---- Stacks ---- */

size_t tell_find_open(const struct trace_line *line, const struct trace_event *event)
{
    for (size_t i = line->open; i > 0; i--) {
        const struct line_open *open = &line->stack[i - 1];

        if (open->end == INT64_MIN && (event->category == NO_ID || event->category == open->category) &&
            (event->name == NO_ID || open->name == NO_ID || event->name == open->name))
            return i;
    }
    return 0;
}

/* A metric is one slice, as long as what it says. Where a line has several, they are added up, because each is a part of what the line is
 * called after, and the largest or the last would hide the others; what lies in another slice is a part of that one. */
static void add_to_metric(struct trace_line *line, int64_t ns)
{
    if (__builtin_add_overflow(line->told_ns, ns, &line->told_ns))
        line->told_ns = INT64_MAX;
    line->told_slices++;
}

/* Ends the innermost open slice. */
static status end_open(struct perfetto_reading *reading, struct trace_line *line, int64_t ticks)
{
    const struct line_open *open = &line->stack[--line->open];
    int64_t end = ticks > open->start ? ticks : open->start;
    status code = sink_end(&reading->feed->sink, open->id, end);

    if (line->is_told && !line->open)
        add_to_metric(line, end - open->start);
    feed_close(reading->feed, open->id);
    return code;
}

/* The same at `ns`, or before that where its own end is. */
static status pop_open(struct perfetto_reading *reading, struct trace_line *line, int64_t ns)
{
    const struct line_open *open = &line->stack[line->open - 1];
    status code = STATUS_OK;

    if (open->end == INT64_MIN)
        code = perfetto_lose(reading, &perfetto_loss_misplaced, open->place);
    return code == STATUS_OK ? end_open(reading, line, open->end == INT64_MIN || open->end > ns ? ns : open->end)
                             : code;
}

/* Before an event at `ns`: takes slices off the stack whose ends are known and over. What is open in one that ended before ends with it. */
static status close_finished(struct perfetto_reading *reading, struct trace_line *line, int64_t ns)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < line->open; i++) {
        int64_t end = line->stack[i].end;

        while (code == STATUS_OK && end != INT64_MIN && end < ns && line->open > i)
            code = pop_open(reading, line, end);
    }
    while (code == STATUS_OK && line->open && line->stack[line->open - 1].end != INT64_MIN &&
           line->stack[line->open - 1].end <= ns)
        code = pop_open(reading, line, ns);
    return code;
}

/* The time of an event on the track that it is told on. */
static bool moment_ticks(const struct line_moment *moment, int64_t *ticks)
{
    const struct trace_line *line = moment->line;

    *ticks = moment->ns;
    return !line->own || own_ticks(line->own, moment->ns, moment->head->own_ticks, ticks);
}

/* ---- Begin and end ---- */

static status use_row(struct perfetto_reading *reading)
{
    reading->feed->losses.used++;
    return STATUS_OK;
}

static status begin_whole(struct perfetto_reading *reading, const struct line_moment *moment,
                          const struct trace_event *event, int64_t ticks)
{
    struct waiting_slice *waiting;
    status code = whole_wait(moment->line->own, &waiting);

    if (code == STATUS_OK)
        code = fill_slice(reading, moment, event, &waiting->held.slice);
    if (code != STATUS_OK)
        return code;
    waiting->held.slice.start = waiting->held.slice.end = ticks;
    return whole_begin(reading, moment->line, waiting, moment->place);
}

static status begin_slice(struct perfetto_reading *reading, const struct line_moment *moment,
                          const struct trace_event *event)
{
    struct trace_line *line = moment->line;
    struct line_open *open;
    struct slice slice;
    int64_t ticks;
    bool whole = line->own && (line->role == OWN_ROLE_WHOLE || line->role == OWN_ROLE_LATE);
    status code = STATUS_OK;

    if (!moment_ticks(moment, &ticks))
        return perfetto_lose(reading, &perfetto_loss_range, moment->place);
    if (line->own && !whole_takes(own_inside(reading, line->own, moment->head->own_track), whole))
        return perfetto_lose(reading, &perfetto_loss_type, moment->place);
    if (line->open >= DEEPEST_STACK)
        return perfetto_lose(reading, &perfetto_loss_deep, moment->place);
    if (whole)
        return begin_whole(reading, moment, event, ticks);
    code = fill_slice(reading, moment, event, &slice);
    slice.start = ticks;
    if (code == STATUS_OK)
        code = use_row(reading);
    open = code == STATUS_OK ? tell_push(line) : NULL;
    if (!open)
        return code == STATUS_OK ? status_no_memory("keeping slices") : code;
    *open = (struct line_open){ .name = event->name,
                                .category = event->category,
                                .start = ticks,
                                .end = event->type == EVENT_COMPLETE ? moment->ns + event->duration : INT64_MIN,
                                .place = moment->place };
    code = feed_open(reading->feed, &open->id);
    return code == STATUS_OK ? sink_begin(&reading->feed->sink, open->id, line->open > 1 ? open[-1].id : NO_ID, &slice)
                             : code;
}

static status end_slice(struct perfetto_reading *reading, const struct line_moment *moment,
                        const struct trace_event *event)
{
    struct trace_line *line = moment->line;
    size_t place = tell_find_open(line, event);
    int64_t ticks;
    status code = STATUS_OK;

    if (!place)
        return perfetto_lose(reading, &perfetto_loss_end, moment->place);
    if (line->own && (line->role == OWN_ROLE_WHOLE || line->role == OWN_ROLE_LATE))
        return whole_end(reading, line, moment->ns, moment->head->own_ticks, moment->place);
    if (!moment_ticks(moment, &ticks))
        return perfetto_lose(reading, &perfetto_loss_range, moment->place);
    if (place == line->open)
        code = end_open(reading, line, ticks);
    else
        line->stack[place - 1].end = moment->ns; /* those in it may end at the same time, and behind it in the file */
    return code == STATUS_OK ? use_row(reading) : code;
}

/* ---- Instants, states, values ---- */

static status tell_instant(struct perfetto_reading *reading, const struct line_moment *moment,
                           const struct trace_event *event)
{
    struct trace_line *line = moment->line;
    struct own_track *own = line->own;
    struct waiting_slice *waiting;
    struct slice slice;
    int64_t ticks;
    status code;

    if (own && own_inside(reading, line->own, moment->head->own_track)->track.kind != TRACK_SLICES)
        return perfetto_lose(reading, &perfetto_loss_type, moment->place);
    if (!moment_ticks(moment, &ticks))
        return perfetto_lose(reading, &perfetto_loss_range, moment->place);
    code = fill_slice(reading, moment, event, &slice);
    slice.start = slice.end = ticks;
    slice.op = !line->own ? NO_ID : slice.op;
    if (code == STATUS_OK)
        code = use_row(reading);
    if (code != STATUS_OK || !own || !own->count)
        return code == STATUS_OK ? SINK_CALL(&reading->feed->sink, instant, &slice) : code;
    code = whole_wait(own, &waiting);
    if (code != STATUS_OK)
        return code;
    waiting->done = waiting->instant = true;
    return held_keep(&waiting->held, &slice);
}

/* A state lasts until the next one; one without a name ends it only. */
static status tell_state(struct perfetto_reading *reading, const struct line_moment *moment,
                         const struct trace_event *event)
{
    struct trace_line *line = moment->line;
    status code = STATUS_OK;

    if (line->open && line->stack[line->open - 1].name == event->name)
        return use_row(reading);
    if (line->open)
        code = end_open(reading, line, moment->ns);
    if (code != STATUS_OK || event->name == NO_ID)
        return code == STATUS_OK ? use_row(reading) : code;
    return begin_slice(reading, moment, event);
}

/* The sum of an incremental counter: of its sequence, since its state began. NULL: out of memory. */
static int64_t *find_total(struct perfetto_reading *reading, uint32_t line, const struct packet_sequence *sequence)
{
    uint32_t *place = number_map_at(&reading->total_map, (uint64_t)line << 32 | sequence->number, sequence->epoch);
    int64_t *made;

    if (place && *place == MAP_NONE) {
        made = column_append(&reading->totals);
        if (!made)
            return NULL;
        *made = 0;
        *place = (uint32_t)reading->totals.count - 1;
    }
    return place ? column_at(&reading->totals, *place) : NULL;
}

static double as_decimal(int64_t value, bool decimal)
{
    return decimal ? counter_decimal(value) : (double)value;
}

/* What a value means: multiplied, added up, and as the track has its values. */
static int64_t make_value(const struct trace_line *line, int64_t *total, int64_t value, bool decimal)
{
    double real;

    if (!line->is_decimal) {
        if (__builtin_mul_overflow(value, line->multiplier, &value))
            value = (value > 0) == (line->multiplier > 0) ? INT64_MAX : INT64_MIN;
        if (total && __builtin_add_overflow(*total, value, &value))
            value = value < 0 ? INT64_MAX : INT64_MIN;
        if (total)
            *total = value;
        return value;
    }
    real = as_decimal(value, decimal) * (double)line->multiplier;
    if (total) {
        real += counter_decimal(*total);
        *total = counter_of_decimal(real);
    }
    return counter_of_decimal(real);
}

/* `*fits`: its time can be told. */
static status tell_value(struct perfetto_reading *reading, const struct line_moment *moment, struct trace_line *line,
                         int64_t value, bool decimal, bool *fits)
{
    int64_t *total = NULL;
    int64_t ticks = moment->ns;
    status code = STATUS_OK;

    *fits = !line->own || own_ticks(line->own, moment->ns, moment->head->own_ticks, &ticks);
    if (!*fits)
        return STATUS_OK;
    if (line->is_incremental) {
        total = find_total(reading, line->place, moment->sequence);
        if (!total)
            return status_no_memory("adding up a counter");
    }
    value = make_value(line, total, value, decimal);
    if (line->disordered) {
        code =
            memory_grow(&line->values_again, &line->value_capacity, line->value_count + 1, sizeof *line->values_again);
        if (code == STATUS_OK)
            line->values_again[line->value_count++] = (struct line_value){ moment->ns, value };
        return code;
    }
    return SINK_CALL(&reading->feed->sink, counter, line->value_track, ticks, value);
}

status tell_values(struct perfetto_reading *reading, const struct line_moment *moment, const struct trace_event *event)
{
    status code = STATUS_OK;

    for (uint32_t i = 0; i < event->extra_count && code == STATUS_OK; i++) {
        const struct event_value *extra = &reading->extra[i];
        struct trace_line *line = lines_look(reading, extra->track);
        bool fits = true;

        if (line && line->value_track != NO_ID)
            code = tell_value(reading, moment, line, extra->value, extra->decimal, &fits);
        reading->bad_arguments += !fits;
    }
    return code;
}

static status tell_counter(struct perfetto_reading *reading, const struct line_moment *moment,
                           const struct trace_event *event)
{
    bool fits;
    status code;

    if (!moment->line->is_counter || moment->line->value_track == NO_ID)
        return perfetto_lose(reading, &perfetto_loss_counter, moment->place);
    if (!event->has_value)
        return perfetto_lose(reading, &perfetto_loss_value, moment->place);
    code = tell_value(reading, moment, moment->line, event->value, event->decimal, &fits);
    if (code != STATUS_OK)
        return code;
    return fits ? use_row(reading) : perfetto_lose(reading, &perfetto_loss_range, moment->place);
}

/* ---- Events ---- */

/* A complete event has to lie in what is open around it. */
static status begin_complete(struct perfetto_reading *reading, const struct line_moment *moment,
                             const struct trace_event *event)
{
    const struct trace_line *line = moment->line;
    int64_t end;

    if (event->duration < 0 || __builtin_add_overflow(moment->ns, event->duration, &end))
        return perfetto_lose(reading, &perfetto_loss_legacy, moment->place);
    if (line->open && line->stack[line->open - 1].end != INT64_MIN && line->stack[line->open - 1].end < end)
        return perfetto_lose(reading, &perfetto_loss_overlap, moment->place);
    return begin_slice(reading, moment, event);
}

/* Spans of an id end each other, whichever tracks their events name; they stand on lines of their process. */
static status tell_span(struct perfetto_reading *reading, const struct line_moment *moment,
                        const struct trace_event *event)
{
    const struct trace_line *named = line_at(reading, moment->op);
    uint32_t kind = event->id_scope == NO_ID ? event->category : event->id_scope;
    struct span_id id = { .id = map_mix(event->id, kind), .scope = UINT64_MAX };
    struct slice slice;
    track_id process;
    bool found = true;
    status code;

    if (named->problem != LINE_FINE)
        return perfetto_lose(reading, &perfetto_loss_parent, moment->place);
    code = lines_parent(reading, named, &process);
    if (event->id_is_local)
        id.scope = process;
    if (code == STATUS_OK && event->type == EVENT_SPAN_END) {
        code = spans_end(&reading->spans, id, event->name == NO_ID ? 0 : event->name, moment->ns, &found);
    } else if (code == STATUS_OK) {
        code = fill_slice(reading, moment, event, &slice);
        slice.start = slice.end = moment->ns;
        if (code == STATUS_OK)
            code = spans_line(&reading->spans, process, process, reading->clock, slice.name, &slice.track);
        slice.op = event->type == EVENT_SPAN_BEGIN ? slice.op : NO_ID;
        if (code == STATUS_OK)
            code = event->type == EVENT_SPAN_BEGIN ? spans_begin(&reading->spans, id, &slice)
                                                   : SINK_CALL(&reading->feed->sink, instant, &slice);
    }
    if (code != STATUS_OK)
        return code;
    return found ? use_row(reading) : perfetto_lose(reading, &perfetto_loss_end, moment->place);
}

status tell_event(struct perfetto_reading *reading, const struct line_moment *moment, struct trace_event *event)
{
    struct trace_line *line = moment->line;
    bool own = line->own;
    status code = STATUS_OK;

    if (own && line->role == OWN_ROLE_LOSSES)
        return use_row(reading);
    if (line->is_spans)
        return tell_span(reading, moment, event);
    if (line->problem != LINE_FINE && line->track == NO_ID && line->value_track == NO_ID)
        return perfetto_lose(reading, &perfetto_loss_parent, moment->place);
    if (event->type == TYPE_COUNTER)
        return tell_counter(reading, moment, event);
    if (line->track == NO_ID || (event->legacy && !line->is_thread))
        return perfetto_lose(reading, event->legacy ? &perfetto_loss_legacy : &perfetto_loss_parent, moment->place);
    if (!own && line->open)
        code = close_finished(reading, line, moment->ns);
    if (code != STATUS_OK)
        return code;
    switch (event->type) {
    case TYPE_BEGIN:
        return begin_slice(reading, moment, event);
    case TYPE_END:
        return end_slice(reading, moment, event);
    case TYPE_INSTANT:
        return tell_instant(reading, moment, event);
    case EVENT_COMPLETE:
        return begin_complete(reading, moment, event);
    default:
        return line->is_state ? tell_state(reading, moment, event)
                              : perfetto_lose(reading, &perfetto_loss_type, moment->place);
    }
}

static status finish_line(struct perfetto_reading *reading, struct trace_line *line)
{
    struct own_track *own = line->own;
    bool whole = own && (line->role == OWN_ROLE_WHOLE || line->role == OWN_ROLE_LATE);
    status code = own ? STATUS_OK : close_finished(reading, line, reading->last);

    while (code == STATUS_OK && line->open) {
        const struct line_open *open = &line->stack[line->open - 1];
        int64_t ns = open->end == INT64_MIN ? reading->last : open->end, ticks = ns;

        /* Those of lines that are told whole were found in the first walk: see lose_unfinished. */
        if (open->end == INT64_MIN && !line->is_state && !(own && line->role == OWN_ROLE_WHOLE))
            code = perfetto_lose(reading, &perfetto_loss_open, open->place);
        if (own && (!own_ticks(own, ns, 0, &ticks)))
            ticks = 0;
        line->open -= whole;
        if (whole && !open->told) {
            struct waiting_slice *waiting = whole_at(own, open->ordinal);

            waiting->done = true;
            waiting->held.slice.end = ticks > waiting->held.slice.start ? ticks : waiting->held.slice.start;
        } else if (code == STATUS_OK && !whole) {
            code = end_open(reading, line, ticks);
        }
    }
    return code == STATUS_OK && own ? whole_tell(reading, own) : code;
}

status tell_finish(struct perfetto_reading *reading)
{
    uint64_t open;
    status code = spans_finish(&reading->spans, reading->last, &open);

    losses_mark(&reading->feed->losses, &perfetto_loss_open, open);

    for (size_t i = 0; i < reading->lines.count && code == STATUS_OK; i++)
        code = finish_line(reading, line_at(reading, (uint32_t)i));
    return code;
}
