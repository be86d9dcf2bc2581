/* perfetto_lines.c: the tracks of a Perfetto trace: what descriptors say of them, and how the feed is told.
 *
 *     process (group)
 *       ├── thread (line)
 *       └── track below the process or one of its threads (group, line, or a line in a group of its name)
 */
#include <assert.h>

#include "base/memory.h"
#include "read/chain.h"
#include "read/perfetto_reading.h"

enum { LONGEST_CHAIN = 99 }; /* tracks on top of each other, as importers have it */

static status add_text(struct perfetto_reading *reading, const struct wire_field *field, string_id *id)
{
    return strings_add(reading->strings, (const char *)field->data, (size_t)field->value, id);
}

struct trace_line *lines_look(const struct perfetto_reading *reading, uint64_t uuid)
{
    uint32_t place = number_map_find(&reading->line_map, uuid, 0);

    return place == MAP_NONE ? NULL : line_at(reading, place);
}

/* The line that was appended last. */
static struct trace_line new_line(const struct perfetto_reading *reading, uint64_t uuid)
{
    return (struct trace_line){ .uuid = uuid,
                                .place = (uint32_t)reading->lines.count - 1,
                                .name = NO_ID,
                                .multiplier = 1,
                                .last = INT64_MIN,
                                .first = INT64_MAX,
                                .first_name = NO_ID,
                                .group = NO_ID,
                                .track = NO_ID,
                                .value_track = NO_ID };
}

status lines_find(struct perfetto_reading *reading, uint64_t uuid, struct trace_line **line)
{
    uint32_t *found = number_map_at(&reading->line_map, uuid, 0);

    if (found && *found == MAP_NONE) {
        struct trace_line *made = column_append(&reading->lines);

        if (!made)
            return status_no_memory("keeping tracks");
        *made = new_line(reading, uuid);
        *found = made->place;
    }
    if (!found)
        return status_no_memory("keeping tracks");
    *line = line_at(reading, *found);
    return STATUS_OK;
}

status lines_spans(struct perfetto_reading *reading, struct trace_line **line)
{
    uint32_t *found = number_map_at(&reading->line_map, 0, 1);
    struct trace_line *made;

    if (found && *found == MAP_NONE) {
        made = column_append(&reading->lines);
        if (!made)
            return status_no_memory("keeping tracks");
        *made = new_line(reading, 0);
        made->name = 0;
        made->is_spans = true;
        *found = made->place;
    }
    if (!found)
        return status_no_memory("keeping tracks");
    *line = line_at(reading, *found);
    return STATUS_OK;
}

void lines_free(struct perfetto_reading *reading)
{
    for (size_t i = 0; i < reading->lines.count; i++) {
        struct trace_line *line = line_at(reading, (uint32_t)i);

        memory_free(line->stack);
        memory_free(line->events_again);
        memory_free(line->values_again);
    }
    column_free(&reading->lines);
    number_map_free(&reading->line_map);
    number_map_free(&reading->processes);
    number_map_free(&reading->process_names);
}

/* ---- Descriptors ---- */

/* A process or thread: numbers and name. False: a number is missing. */
static status take_process(struct perfetto_reading *reading, struct wire message, struct trace_line *line, bool *whole)
{
    struct wire_field field;
    status code = STATUS_OK;
    const uint64_t name = (uint64_t)WIRE_TAG(line->is_thread ? THREAD_NAME : PROCESS_NAME, WIRE_LENGTH);
    bool has_pid = false, has_tid = false;

    while (code == STATUS_OK && wire_next(&message, &field)) {
        if (field.tag == WIRE_TAG(THREAD_PID, WIRE_VARINT)) {
            line->pid = (int64_t)field.value;
            has_pid = true;
        } else if (line->is_thread && field.tag == WIRE_TAG(THREAD_TID, WIRE_VARINT)) {
            line->tid = (int64_t)field.value;
            has_tid = true;
        } else if (field.tag == name) {
            code = add_text(reading, &field, &line->name);
        }
    }
    *whole = has_pid && (has_tid || !line->is_thread);
    return code;
}

static status take_counter(struct perfetto_reading *reading, struct wire message, struct trace_line *line)
{
    static const char *const units[] = { [UNIT_TIME_NS] = "ns", [UNIT_COUNT] = "count", [UNIT_SIZE_BYTES] = "B" };
    struct wire_field field;
    status code = STATUS_OK;

    line->is_counter = true;
    while (code == STATUS_OK && wire_next(&message, &field)) {
        if (field.tag == WIRE_TAG(COUNTER_UNIT, WIRE_VARINT) && field.value && field.value <= UNIT_SIZE_BYTES)
            code = strings_add_text(reading->strings, units[field.value], &line->unit);
        else if (field.tag == WIRE_TAG(COUNTER_UNIT_NAME, WIRE_LENGTH))
            code = add_text(reading, &field, &line->unit);
        else if (field.tag == WIRE_TAG(COUNTER_MULTIPLIER, WIRE_VARINT) && field.value)
            line->multiplier = (int64_t)field.value;
        else if (field.tag == WIRE_TAG(COUNTER_IS_INCREMENTAL, WIRE_VARINT))
            line->is_incremental = field.value != 0;
        else if (field.tag == WIRE_TAG(COUNTER_TYPE, WIRE_VARINT) && (field.value == 1 || field.value == 2))
            code = strings_add_text(reading->strings, field.value == 1 ? "thread_time" : "thread_instruction_count",
                                    &line->name);
    }
    return code;
}

/* What a descriptor says, in a line that is not the trace's yet. */
static status read_descriptor(struct perfetto_reading *reading, struct wire message, struct trace_line *line,
                              bool *whole)
{
    struct wire walk = message, own = { .at = NULL };
    struct wire_field field;
    status code = STATUS_OK;
    bool has_uuid = false, fine = true;
    string_id name = NO_ID;

    while (code == STATUS_OK && wire_next(&walk, &field)) {
        switch (field.tag) {
        case WIRE_TAG(DESCRIPTOR_UUID, WIRE_VARINT):
            line->uuid = field.value;
            has_uuid = true;
            break;
        case WIRE_TAG(DESCRIPTOR_PARENT, WIRE_VARINT):
            line->parent = field.value;
            break;
        case WIRE_TAG(DESCRIPTOR_NAME, WIRE_LENGTH):
        case WIRE_TAG(DESCRIPTOR_STATIC_NAME, WIRE_LENGTH):
        case WIRE_TAG(DESCRIPTOR_ATRACE_NAME, WIRE_LENGTH):
            code = add_text(reading, &field, &name);
            break;
        case WIRE_TAG(DESCRIPTOR_PROCESS, WIRE_LENGTH):
        case WIRE_TAG(DESCRIPTOR_THREAD, WIRE_LENGTH):
            if (line->is_thread && field.tag == WIRE_TAG(DESCRIPTOR_PROCESS, WIRE_LENGTH))
                break;
            line->is_thread = field.tag == WIRE_TAG(DESCRIPTOR_THREAD, WIRE_LENGTH);
            line->is_process = !line->is_thread;
            code = take_process(reading, wire_inside(&field), line, &fine);
            break;
        case WIRE_TAG(DESCRIPTOR_COUNTER, WIRE_LENGTH):
            code = take_counter(reading, wire_inside(&field), line);
            break;
        case WIRE_TAG(DESCRIPTOR_STATE, WIRE_LENGTH):
            line->is_state = true;
            break;
        case WIRE_TAG(DESCRIPTOR_OWN, WIRE_LENGTH):
            own = wire_inside(&field);
            break;
        default:
            break;
        }
    }
    if (line->name == NO_ID)
        line->name = name;
    if (line->is_process || line->is_thread)
        line->parent = 0;
    *whole = has_uuid && fine && !wire_broken(&walk);
    if (code == STATUS_OK && *whole && own.at)
        code = own_describe(reading, own, line->name, line);
    return code;
}

/* Whether two descriptors of one track say the same of what it is. */
static bool is_same(const struct trace_line *one, const struct trace_line *other)
{
    return one->parent == other->parent && one->is_process == other->is_process && one->is_thread == other->is_thread &&
           one->pid == other->pid && one->tid == other->tid && one->is_counter == other->is_counter &&
           one->is_state == other->is_state;
}

status lines_declare(struct perfetto_reading *reading, struct wire descriptor)
{
    struct trace_line told = { .name = NO_ID, .multiplier = 1 };
    struct trace_line *line;
    bool whole;
    status code = read_descriptor(reading, descriptor, &told, &whole);

    if (code == STATUS_OK && whole)
        code = lines_find(reading, told.uuid, &line);
    if (code != STATUS_OK || !whole)
        return code;
    if (line->declared && !is_same(line, &told))
        return STATUS_OK;
    if (!line->declared) {
        line->declared = true;
        line->parent = told.parent;
        line->is_process = told.is_process;
        line->is_thread = told.is_thread;
        line->is_counter = told.is_counter;
        line->is_state = told.is_state;
        line->is_incremental = told.is_incremental;
        line->multiplier = told.multiplier;
        line->unit = told.unit;
        line->pid = told.pid;
        line->tid = told.tid;
        line->own = told.own;
        line->role = told.role;
    }
    if (line->name == NO_ID || ((line->is_thread || line->is_process) && told.name != NO_ID))
        line->name = told.name;
    if (line->is_process && line->name != NO_ID) {
        uint32_t *name = number_map_at(&reading->process_names, (uint64_t)line->pid, 0);

        if (!name)
            return status_no_memory("keeping processes");
        *name = line->name;
    }
    return STATUS_OK;
}

/* ---- Announcing ---- */

/* Whether all tracks above a line are there. */
static uint32_t check_parents(const struct perfetto_reading *reading, const struct trace_line *line)
{
    for (unsigned depth = 0; depth < LONGEST_CHAIN; depth++) {
        if (line->is_process || line->is_thread || !line->parent)
            return LINE_FINE;
        line = lines_look(reading, line->parent);
        if (!line || !line->declared)
            return LINE_NO_PARENT;
    }
    return LINE_LOOP;
}

/* All tracks above a line that is drawn. */
static void mark_groups(const struct perfetto_reading *reading, const struct trace_line *line)
{
    while (line->parent) {
        struct trace_line *above = lines_look(reading, line->parent);

        if (above->is_group)
            return;
        above->is_group = true;
        line = above;
    }
}

static status process_group(struct perfetto_reading *reading, int64_t pid, track_id *group)
{
    uint32_t *place = number_map_at(&reading->processes, (uint64_t)pid, 0);
    uint32_t name = number_map_find(&reading->process_names, (uint64_t)pid, 0);
    struct track track = { .parent = reading->feed->root,
                           .order = (int32_t)(number_map_count(&reading->processes) & INT16_MAX),
                           .clock = NO_ID,
                           .kind = TRACK_GROUP };
    status code = place ? STATUS_OK : status_no_memory("keeping processes");

    if (code != STATUS_OK)
        return code;
    track.name = name;
    if (*place == MAP_NONE && (name == MAP_NONE || !name))
        code = strings_add_format(reading->strings, &track.name, "process %lld", (long long)pid);
    if (*place == MAP_NONE && code == STATUS_OK)
        code = feed_track(reading->feed, track, place);
    *group = *place;
    return code;
}

/* The name of a line: its own, or that of its first event, or its number. */
static status line_name(struct perfetto_reading *reading, const struct trace_line *line, string_id *name)
{
    *name = line->name != NO_ID ? line->name : line->first_name;
    if (*name != NO_ID && *name)
        return STATUS_OK;
    if (line->is_thread)
        return strings_add_format(reading->strings, name, "thread %lld", (long long)line->tid);
    if (!line->uuid)
        return strings_add_text(reading->strings, "Default track", name);
    return strings_add_format(reading->strings, name, "track %llu", (unsigned long long)line->uuid);
}

/* A track of ours that carries what its role promises. */
static bool is_own(const struct trace_line *line)
{
    return line->own && line->own->id != NO_ID;
}

/* The track that others are announced below: `*group`. The chain of parents was checked. */
static status group_of(struct perfetto_reading *reading, struct trace_line *line, track_id *group);

status lines_parent(struct perfetto_reading *reading, const struct trace_line *line, track_id *parent)
{
    *parent = reading->feed->root;
    if (line->is_process || line->is_thread)
        return process_group(reading, line->pid, parent);
    if (!line->parent)
        return STATUS_OK;
    return group_of(reading, lines_look(reading, line->parent), parent);
}

static status group_of(struct perfetto_reading *reading, struct trace_line *line, track_id *group)
{
    struct track track = { .kind = TRACK_GROUP, .clock = NO_ID };
    status code = STATUS_OK;

    if (is_own(line)) {
        *group = line->own->id;
        return STATUS_OK;
    }
    if (line->is_process || line->is_thread)
        return process_group(reading, line->pid, group);
    if (line->group == NO_ID) {
        code = lines_parent(reading, line, &track.parent);
        if (code == STATUS_OK)
            code = line_name(reading, line, &track.name);
        track.order = (int32_t)(reading->lines_told++ & INT16_MAX);
        if (code == STATUS_OK)
            code = feed_track(reading->feed, track, &line->group);
    }
    *group = line->group;
    return code;
}

/* ---- What tracks are to those who wrote them ---- */

/* Whether a text is as a pattern says, in which '*' stands for any text. */
static bool fits(const char *pattern, const char *text)
{
    const char *star = NULL, *again = NULL;

    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            again = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++again;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static bool line_fits(const struct perfetto_reading *reading, const struct trace_line *line, const char *parent,
                      const char *name)
{
    uint32_t above = line->is_thread ? number_map_find(&reading->process_names, (uint64_t)line->pid, 0)
                     : line->parent  ? lines_look(reading, line->parent)->name
                                     : NO_ID;

    return line->name != NO_ID && fits(name, strings_text(reading->strings, line->name)) &&
           (!parent || (above != NO_ID && fits(parent, strings_text(reading->strings, above))));
}

static bool has_line(const struct perfetto_reading *reading, const struct chain_trace *trace)
{
    for (size_t i = 0; i < reading->lines.count; i++) {
        const struct trace_line *line = line_at(reading, (uint32_t)i);

        if (line->problem == LINE_FINE && !line->own && !line->is_spans &&
            line_fits(reading, line, trace->parent, trace->name))
            return true;
    }
    return false;
}

/* The tools that wrote the trace; NULL: none that a chain knows. */
static const struct chain_trace *find_words(struct perfetto_reading *reading)
{
    for (const struct chain *const *chain = chains; *chain; chain++) {
        for (const struct chain_trace *trace = (*chain)->traces; trace && trace->name; trace++) {
            if (!has_line(reading, trace))
                continue;
            reading->source->chain = *chain;
            reading->source->estimate = trace->estimate;
            reading->source->engines_known = true;
            return trace;
        }
    }
    return NULL;
}

/* Whether an overview track has what nobody computes. */
static bool is_told(const struct perfetto_reading *reading, const struct trace_line *line)
{
    const char *const *known = reading->words->computed;
    struct text name = told_name(strings_get(reading->strings, line->name));

    while (known && *known && !text_is(name, *known))
        known++;
    return known && !*known;
}

/* The engine of a line whose tools are known; else it is a thread, and its slices are operators. */
static void find_engine(struct perfetto_reading *reading, struct trace_line *line, struct track *track)
{
    const struct chain_line *known = reading->words ? reading->words->lines : NULL;

    while (known && known->name && !line_fits(reading, line, known->parent, known->name))
        known++;
    line->names_operators = !known || !known->name;
    track->engine = line->names_operators ? &engine_thread : known->engine;
    track->index = line->names_operators ? reading->lines_told : known->index;
    if (track->engine == &engine_overview) {
        reading->source->drawn |= DRAWN_OVERVIEW;
        line->is_told = is_told(reading, line);
    } else if (track->engine == &engine_operators) {
        reading->source->drawn |= DRAWN_OPERATORS;
    }
}

static status announce_line(struct perfetto_reading *reading, struct trace_line *line)
{
    struct track track = { .clock = NO_ID, .kind = TRACK_SLICES };
    status code = line->is_group ? group_of(reading, line, &track.parent) : lines_parent(reading, line, &track.parent);

    if (code == STATUS_OK)
        code = line_name(reading, line, &track.name);
    if (code == STATUS_OK)
        code = lines_clock(reading, &track.clock);
    find_engine(reading, line, &track);
    reading->lines_told++;
    track.order = feed_order(track.engine, track.index);
    if (code == STATUS_OK && line->events)
        code = feed_track(reading->feed, track, &line->track);
    if (code != STATUS_OK || !line->values)
        return code;
    track.kind = TRACK_COUNTER;
    track.engine = &engine_counter;
    track.order = feed_order(track.engine, track.index);
    track.unit = line->unit ? strings_text(reading->strings, line->unit) : NULL;
    track.decimal = line->is_decimal;
    return feed_track(reading->feed, track, &line->value_track);
}

static void announce_own(struct trace_line *line)
{
    const struct own_track *own = line->own;

    line->track = own->track.kind == TRACK_COUNTER ? NO_ID : own->id;
    line->value_track = own->track.kind == TRACK_COUNTER ? own->id : NO_ID;
    line->is_decimal = own->track.decimal;
}

status lines_clock(struct perfetto_reading *reading, clock_id *id)
{
    struct clock nanoseconds = clock_nanoseconds(0);
    status code = STATUS_OK;

    if (reading->clock == NO_ID)
        code = strings_add_text(reading->strings, "nanoseconds", &nanoseconds.name);
    if (code == STATUS_OK && reading->clock == NO_ID)
        code = feed_clock(reading->feed, &nanoseconds, &reading->clock);
    *id = reading->clock;
    return code;
}

status lines_announce(struct perfetto_reading *reading)
{
    status code;

    for (size_t i = 0; i < reading->lines.count; i++) {
        struct trace_line *line = line_at(reading, (uint32_t)i);

        line->problem = check_parents(reading, line);
        if (line->problem == LINE_FINE && line->events + line->values)
            mark_groups(reading, line);
    }
    code = own_announce(reading);
    reading->words = reading->own.any ? NULL : find_words(reading);
    for (size_t i = 0; i < reading->lines.count && code == STATUS_OK; i++) {
        struct trace_line *line = line_at(reading, (uint32_t)i);

        if (is_own(line)) {
            announce_own(line);
            continue;
        }
        line->is_elsewhere = line->own && line->own->elsewhere;
        if (line->is_elsewhere)
            continue;
        line->own = NULL; /* nothing tells what it was */
        if (line->is_spans) {
            clock_id clock;

            line->names_operators = !reading->words;
            code = lines_clock(reading, &clock);
        } else if (line->problem == LINE_FINE && line->events + line->values)
            code = announce_line(reading, line);
    }
    return code;
}

status lines_tell_metrics(struct perfetto_reading *reading)
{
    status code = STATUS_OK;

    reading->source->told = (struct told){ 0 }; /* it may have been read before */
    for (size_t i = 0; i < reading->lines.count && code == STATUS_OK; i++) {
        const struct trace_line *line = line_at(reading, (uint32_t)i);

        if (line->told_slices)
            code = told_add(&reading->source->told, reading->strings, strings_get(reading->strings, line->name),
                            reading->words->mark, line->told_ns, line->told_slices);
    }
    return code;
}
