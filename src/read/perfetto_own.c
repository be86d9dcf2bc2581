/* perfetto_own.c: what only Tacho writes into its traces, read again: tracks with their engines and clocks, operators, runs, steps, losses.
 *
 * Nothing of it is taken on trust: what does not fit is as if it were not there.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "read/chain.h"
#include "read/perfetto_reading.h"

enum { STEPS_OPEN = 64 * 1024, NOTE_LIMIT = 4096 };

void own_start(struct own_reading *own)
{
    *own = (struct own_reading){ .any = false };
    column_start(&own->tracks, sizeof(struct own_track));
    column_start(&own->clocks, sizeof(struct own_clock));
    column_start(&own->operators, sizeof(struct op));
    column_start(&own->runs, sizeof(struct own_run));
    column_start(&own->said, sizeof(struct said));
    column_start(&own->told, sizeof(packet_place));
    number_map_start(&own->track_map);
    number_map_start(&own->clock_map);
    number_map_start(&own->operator_map);
}

void own_free(struct own_reading *own)
{
    for (size_t i = 0; i < own->tracks.count; i++) {
        struct own_track *track = column_at(&own->tracks, i);

        for (size_t j = 0; j < track->capacity; j++)
            held_free(&track->waiting[j].held);
        memory_free(track->waiting);
    }
    column_free(&own->tracks);
    column_free(&own->clocks);
    column_free(&own->operators);
    column_free(&own->runs);
    column_free(&own->said);
    column_free(&own->told);
    number_map_free(&own->track_map);
    number_map_free(&own->clock_map);
    number_map_free(&own->operator_map);
    memory_free(own->ends);
    memory_free(own->steps);
}

/* ---- Numbers to things ---- */

/* The element of a number, a new one as all bits zero. NULL: out of memory. */
static void *find_or_add(struct column *column, struct number_map *map, uint64_t number, uint32_t *found)
{
    uint32_t *place = number_map_at(map, number, 0);

    if (place && *place == MAP_NONE) {
        void *made = column_append(column);

        if (!made)
            return NULL;
        memset(made, 0, column->element_size);
        *place = (uint32_t)column->count - 1;
    }
    if (!place)
        return NULL;
    *found = *place;
    return column_at(column, *place);
}

static status find_track(struct perfetto_reading *reading, uint64_t number, uint32_t *place)
{
    struct own_track *track = find_or_add(&reading->own.tracks, &reading->own.track_map, number, place);

    if (!track)
        return status_no_memory("keeping tracks");
    reading->own.any = true;
    track->number = number;
    if (!track->known)
        track->id = NO_ID;
    return STATUS_OK;
}

static status add_text(struct perfetto_reading *reading, const struct wire_field *field, string_id *id)
{
    return strings_add(reading->strings, (const char *)field->data, (size_t)field->value, id);
}

static uint32_t as_small(uint64_t value)
{
    return value <= UINT32_MAX ? (uint32_t)value : 0;
}

static int32_t as_order(uint64_t value)
{
    int64_t order = (int64_t)value;

    return order >= INT32_MIN && order <= INT32_MAX ? (int32_t)order : 0;
}

/* ---- Tracks ---- */

static status take_track_field(struct perfetto_reading *reading, struct own_track *own, const struct wire_field *field)
{
    struct track *track = &own->track;
    string_id text;
    status code = STATUS_OK;

    switch (field->tag) {
    case WIRE_TAG(OWN_TRACK_PARENT, WIRE_VARINT):
        own->parent = field->value;
        break;
    case WIRE_TAG(OWN_TRACK_KIND, WIRE_VARINT):
        own->known = field->value >= TRACK_PROCESS + 1 && field->value <= TRACK_COUNTER + 1;
        track->kind = own->known ? (enum track_kind)(field->value - 1) : TRACK_GROUP;
        break;
    case WIRE_TAG(OWN_TRACK_ENGINE, WIRE_LENGTH):
        code = add_text(reading, field, &text);
        own->engine = strings_get(reading->strings, text);
        break;
    case WIRE_TAG(OWN_TRACK_INDEX, WIRE_VARINT):
        track->index = as_small(field->value);
        break;
    case WIRE_TAG(OWN_TRACK_CLOCK, WIRE_VARINT):
        own->clock = field->value;
        break;
    case WIRE_TAG(OWN_TRACK_ORDER, WIRE_VARINT):
        track->order = as_order(field->value);
        break;
    case WIRE_TAG(OWN_TRACK_UNORDERED, WIRE_VARINT):
        track->unordered = field->value != 0;
        break;
    case WIRE_TAG(OWN_TRACK_DECIMAL, WIRE_VARINT):
        track->decimal = field->value != 0;
        break;
    case WIRE_TAG(OWN_TRACK_UNIT, WIRE_LENGTH):
        code = add_text(reading, field, &text);
        track->unit = code == STATUS_OK && text ? strings_text(reading->strings, text) : NULL;
        break;
    case WIRE_TAG(OWN_TRACK_DESCRIPTION, WIRE_LENGTH):
        code = add_text(reading, field, &text);
        track->description = code == STATUS_OK && text ? strings_text(reading->strings, text) : NULL;
        break;
    case WIRE_TAG(OWN_TRACK_INSIDE, WIRE_VARINT):
        track->inside = field->value != 0;
        break;
    case WIRE_TAG(OWN_TRACK_NAME, WIRE_LENGTH):
        code = add_text(reading, field, &track->name);
        break;
    default:
        break;
    }
    return code;
}

/* `*place` is that of the track; MAP_NONE: the message names none. */
static status take_track(struct perfetto_reading *reading, struct wire message, string_id name, uint32_t *place,
                         uint32_t *role)
{
    struct wire walk = message;
    struct wire_field field;
    struct own_track *own;
    uint64_t number = 0;
    status code = STATUS_OK;

    *place = MAP_NONE;
    *role = OWN_ROLE_TRACK;
    while (wire_next(&walk, &field)) {
        if (field.tag == WIRE_TAG(OWN_TRACK_ID, WIRE_VARINT))
            number = field.value;
        else if (field.tag == WIRE_TAG(OWN_TRACK_ROLE, WIRE_VARINT))
            *role = as_small(field.value);
    }
    if (!number || *role > OWN_ROLE_LOSSES || wire_broken(&walk))
        return STATUS_OK;
    code = find_track(reading, number, place);
    if (code != STATUS_OK)
        return code;
    own = own_at(reading, *place);
    if (own->known)
        return STATUS_OK;
    own->track.name = name == NO_ID ? 0 : name;
    while (code == STATUS_OK && wire_next(&message, &field))
        code = take_track_field(reading, own, &field);
    return code;
}

status own_describe(struct perfetto_reading *reading, struct wire message, string_id name, struct trace_line *line)
{
    uint32_t place;
    status code = take_track(reading, message, name, &place, &line->role);

    line->own = code == STATUS_OK && place != MAP_NONE ? own_at(reading, place) : NULL;
    return code;
}

/* ---- Clocks, operators, runs ---- */

/* A field of a message, and where its value goes: a number or a text. */
struct own_field {
    uint32_t field;   /* of the message */
    uint64_t *number; /* NULL: it is a text */
    string_id *text;  /* NULL: it is a number */
};

/* `*whole`: the message decodes to its end. What it does not have stays as it is. */
static status take_fields(struct perfetto_reading *reading, struct wire message, const struct own_field *fields,
                          size_t count, bool *whole)
{
    struct wire_field field;
    status code = STATUS_OK;

    while (code == STATUS_OK && wire_next(&message, &field)) {
        for (size_t i = 0; i < count && code == STATUS_OK; i++) {
            if (fields[i].number && field.tag == WIRE_TAG(fields[i].field, WIRE_VARINT))
                *fields[i].number = field.value;
            else if (fields[i].text && field.tag == WIRE_TAG(fields[i].field, WIRE_LENGTH))
                code = add_text(reading, &field, fields[i].text);
        }
    }
    *whole = !wire_broken(&message);
    return code;
}

static status take_clock(struct perfetto_reading *reading, struct wire message)
{
    struct own_clock made = { .id = NO_ID };
    uint64_t number = 0, offset = 0;
    const struct own_field fields[] = {
        { .field = OWN_CLOCK_ID, .number = &number },
        { .field = OWN_CLOCK_NUMERATOR, .number = &made.clock.numerator },
        { .field = OWN_CLOCK_DENOMINATOR, .number = &made.clock.denominator },
        { .field = OWN_CLOCK_OFFSET, .number = &offset },
        { .field = OWN_CLOCK_NAME, .text = &made.clock.name },
    };
    struct own_clock *place;
    uint32_t at;
    bool whole;
    status code = take_fields(reading, message, fields, sizeof fields / sizeof *fields, &whole);

    if (code != STATUS_OK || !whole || !number || !made.clock.numerator || !made.clock.denominator)
        return code;
    made.clock.offset = (int64_t)offset;
    place = find_or_add(&reading->own.clocks, &reading->own.clock_map, number, &at);
    if (!place)
        return status_no_memory("keeping clocks");
    if (!place->clock.numerator)
        *place = made;
    return STATUS_OK;
}

static status take_operator(struct perfetto_reading *reading, struct wire message)
{
    struct op made = { .id = NO_ID };
    uint64_t number = 0, line = 0, column = 0;
    const struct own_field fields[] = {
        { .field = OWN_OPERATOR_ID, .number = &number },
        { .field = OWN_OPERATOR_LINE, .number = &line },
        { .field = OWN_OPERATOR_COLUMN, .number = &column },
        { .field = OWN_OPERATOR_NAME, .text = &made.name },
        { .field = OWN_OPERATOR_TYPE, .text = &made.type },
        { .field = OWN_OPERATOR_LOCATION, .text = &made.location },
        { .field = OWN_OPERATOR_PLACE, .text = &made.place },
        { .field = OWN_OPERATOR_FILE, .text = &made.file },
        { .field = OWN_OPERATOR_CATEGORY, .text = &made.category },
        { .field = OWN_OPERATOR_MODULE, .text = &made.module },
        { .field = OWN_OPERATOR_KERNEL, .text = &made.kernel },
        { .field = OWN_OPERATOR_SHAPES, .text = &made.shapes },
    };
    struct op *place;
    uint32_t at;
    bool whole;
    status code = take_fields(reading, message, fields, sizeof fields / sizeof *fields, &whole);

    if (code != STATUS_OK || !whole || !number)
        return code;
    made.line = as_small(line);
    made.column = as_small(column);
    place = find_or_add(&reading->own.operators, &reading->own.operator_map, number, &at);
    if (!place)
        return status_no_memory("keeping operators");
    reading->own.sparse_operators |= number != (uint64_t)at + 1;
    if (!place->name)
        *place = made;
    return STATUS_OK;
}

static status take_run(struct perfetto_reading *reading, struct wire message)
{
    struct own_run made = { .run = { .id = NO_ID } }, *place;
    uint64_t launch = 0, index = 0, start = 0, end = 0;
    const struct own_field fields[] = {
        { .field = OWN_RUN_PROCESS, .number = &made.process }, { .field = OWN_RUN_LAUNCH, .number = &launch },
        { .field = OWN_RUN_INDEX, .number = &index },          { .field = OWN_RUN_CLOCK, .number = &made.clock },
        { .field = OWN_RUN_START, .number = &start },          { .field = OWN_RUN_END, .number = &end },
    };
    bool whole;
    status code = take_fields(reading, message, fields, sizeof fields / sizeof *fields, &whole);

    if (code != STATUS_OK)
        return code;
    made.run.launch = as_small(launch);
    made.run.index = as_small(index);
    made.run.start = (int64_t)start;
    made.run.end = (int64_t)end;
    place = column_append(&reading->own.runs);
    if (!place)
        return status_no_memory("keeping runs");
    *place = made;
    return STATUS_OK;
}

/* ---- The input as a whole ---- */

/* The process that a message is about; 0: it does not say. */
static uint64_t process_of(struct wire message, uint32_t which)
{
    struct wire_field field;

    while (wire_next(&message, &field))
        if (field.tag == WIRE_TAG(which, WIRE_VARINT))
            return field.value;
    return 0;
}

static status keep_text(struct perfetto_reading *reading, const struct wire_field *field, const char **text)
{
    string_id id;
    status code = add_text(reading, field, &id);

    if (code == STATUS_OK)
        *text = strings_text(reading->strings, id);
    return code;
}

static status take_about(struct perfetto_reading *reading, struct wire message)
{
    struct source *source = reading->source;
    struct wire_field field;
    const char *note;
    status code = STATUS_OK;

    while (code == STATUS_OK && wire_next(&message, &field)) {
        switch (field.tag) {
        case WIRE_TAG(OWN_ABOUT_CHAIN, WIRE_LENGTH):
            for (const struct chain *const *chain = chains; *chain; chain++)
                if (text_is(wire_text(&field), (*chain)->id))
                    source->chain = *chain;
            break;
        case WIRE_TAG(OWN_ABOUT_ESTIMATE, WIRE_VARINT):
            source->estimate = field.value != 0;
            break;
        case WIRE_TAG(OWN_ABOUT_ENGINES, WIRE_VARINT):
            source->engines_known = field.value != 0;
            break;
        case WIRE_TAG(OWN_ABOUT_GENERATION, WIRE_LENGTH):
            code = keep_text(reading, &field, &source->generation);
            break;
        case WIRE_TAG(OWN_ABOUT_FAILED, WIRE_LENGTH):
            code = keep_text(reading, &field, &source->failed);
            break;
        case WIRE_TAG(OWN_ABOUT_NOTE, WIRE_LENGTH):
            if (field.value > NOTE_LIMIT)
                break;
            code = keep_text(reading, &field, &note);
            if (code == STATUS_OK)
                source_note(source, note);
            break;
        default:
            break;
        }
    }
    return code;
}

static const struct loss_reason *reason_in(const struct loss_reason *const *reasons, struct text text)
{
    for (; reasons && *reasons; reasons++)
        if (text_is(text, (*reasons)->text))
            return *reasons;
    return NULL;
}

/* A reason of a file, as the one who knows it has it. One that nobody knows is of a later version. */
static const struct loss_reason *find_reason(struct text text, bool kept)
{
    static const struct loss_reason *const general[] = {
#define X(name, kept, words) &loss_##name,
        LOSS_MAP(X)
#undef X
            NULL
    };
    static const struct loss_reason unknown[] = {
        { .text = "a reason that this version does not know", .order = UINT8_MAX },
        { .text = "a reason that this version does not know (kept)", .kept = true, .order = UINT8_MAX },
    };
    const struct loss_reason *found = reason_in(general, text);

    for (const struct reader *const *reader = general_readers; *reader && !found; reader++)
        found = reason_in((*reader)->losses, text);
    for (const struct chain *const *chain = chains; *chain && !found; chain++)
        found = reason_in((*chain)->losses, text);
    return found ? found : &unknown[kept];
}

static void take_reason(struct losses *losses, struct wire message)
{
    struct wire_field field, text = { .tag = 0 };
    const struct loss_reason *reason;
    uint64_t places[LOSS_LINES] = { 0 }, count = 0;
    unsigned place_count = 0;
    bool kept = false;

    while (wire_next(&message, &field)) {
        if (field.tag == WIRE_TAG(OWN_REASON_TEXT, WIRE_LENGTH))
            text = field;
        else if (field.tag == WIRE_TAG(OWN_REASON_KEPT, WIRE_VARINT))
            kept = field.value != 0;
        else if (field.tag == WIRE_TAG(OWN_REASON_COUNT, WIRE_VARINT))
            count = field.value;
        else if (field.tag == WIRE_TAG(OWN_REASON_PLACE, WIRE_VARINT) && place_count < LOSS_LINES)
            places[place_count++] = field.value;
    }
    if (!text.tag || !count)
        return;
    reason = find_reason(wire_text(&text), kept);
    losses_mark(losses, reason, count);
    losses_places(losses, reason, places);
}

/* Counts that add up are taken, others are not. */
static void take_losses(struct own_reading *own, struct wire message)
{
    struct losses told = own->losses;
    struct wire_field field;
    uint64_t reasons = 0;

    while (wire_next(&message, &field)) {
        if (field.tag == WIRE_TAG(OWN_LOSSES_ROWS, WIRE_VARINT))
            told.rows += field.value;
        else if (field.tag == WIRE_TAG(OWN_LOSSES_USED, WIRE_VARINT))
            told.used += field.value;
        else if (field.tag == WIRE_TAG(OWN_LOSSES_LOST, WIRE_VARINT))
            told.lost += field.value;
        else if (field.tag == WIRE_TAG(OWN_LOSSES_REASON, WIRE_LENGTH))
            take_reason(&told, wire_inside(&field));
    }
    for (unsigned i = 0; i < told.reason_count; i++)
        reasons += told.reasons[i].reason->kept ? 0 : told.reasons[i].count;
    if (told.rows > INT64_MAX || told.used > told.rows || told.rows - told.used != told.lost || reasons != told.lost)
        return;
    own->losses = told;
    own->has_losses = true;
}

/* ---- Steps ---- */

static clock_id clock_of(const struct perfetto_reading *reading, uint64_t number)
{
    uint32_t place = number ? number_map_find(&reading->own.clock_map, number, 0) : MAP_NONE;

    return place == MAP_NONE ? NO_ID : ((const struct own_clock *)column_at(&reading->own.clocks, place))->id;
}

/* Ids of the steps that came last stay, for ends that come behind them. */
static status keep_step(struct own_reading *own, uint64_t number, step_id id)
{
    status code = memory_grow(&own->steps, &own->step_capacity, STEPS_OPEN, sizeof *own->steps);

    if (code != STATUS_OK)
        return code;
    own->steps[number % STEPS_OPEN] = id;
    own->step_count = number + 1 > own->step_count ? (size_t)number + 1 : own->step_count;
    return STATUS_OK;
}

static status tell_step(struct perfetto_reading *reading, uint64_t number, const struct step *step)
{
    step_id id;
    status code = feed_step(reading->feed, &(struct step){ step->key, step->clock, step->start, step->start }, &id);

    if (code == STATUS_OK && step->end > step->start)
        code = feed_step_end(reading->feed, id, step->end);
    return code == STATUS_OK ? keep_step(&reading->own, number, id) : code;
}

static status take_steps(struct perfetto_reading *reading, struct wire message)
{
    struct wire rows = { .at = NULL };
    struct wire_field field;
    struct step step = { .clock = NO_ID };
    uint64_t number = 0, clock = 0, process = 0, delta, length;
    status code = STATUS_OK;

    while (wire_next(&message, &field)) {
        if (field.tag == WIRE_TAG(OWN_STEPS_PROCESS, WIRE_VARINT))
            process = field.value;
        else if (field.tag == WIRE_TAG(OWN_STEPS_CLOCK, WIRE_VARINT))
            clock = field.value;
        else if (field.tag == WIRE_TAG(OWN_STEPS_FIRST, WIRE_VARINT))
            number = field.value;
        else if (field.tag == WIRE_TAG(OWN_STEPS_ROWS, WIRE_LENGTH))
            rows = wire_inside(&field);
    }
    step.clock = clock_of(reading, clock);
    while (code == STATUS_OK && step.clock != NO_ID && number < UINT32_MAX && rows.at && rows.at < rows.end) {
        rows.at = wire_varint(rows.at, rows.end, &step.key);
        rows.at = rows.at ? wire_varint(rows.at, rows.end, &delta) : NULL;
        rows.at = rows.at ? wire_varint(rows.at, rows.end, &length) : NULL;
        if (!rows.at || __builtin_add_overflow(step.start, (int64_t)(delta >> 1 ^ (0 - (delta & 1))), &step.start) ||
            length > INT64_MAX || __builtin_add_overflow(step.start, (int64_t)length, &step.end) || step.start < 0)
            break;
        code = reading->own.input && process != reading->own.input ? keep_step(&reading->own, number++, NO_ID)
                                                                   : tell_step(reading, number++, &step);
    }
    return code;
}

/* The step of this number; NO_ID: it is of another input, or was too long ago. */
static step_id step_of(const struct own_reading *own, uint64_t number)
{
    bool known = number < own->step_count && own->step_count - number <= STEPS_OPEN;

    return known ? own->steps[number % STEPS_OPEN] : NO_ID;
}

static status take_step_ends(struct perfetto_reading *reading, struct wire message)
{
    struct wire_field field;
    status code = STATUS_OK;

    while (code == STATUS_OK && wire_next(&message, &field)) {
        struct wire rows;
        uint64_t number, time;
        step_id id;

        if (field.tag == WIRE_TAG(OWN_STEP_ENDS_LOST, WIRE_VARINT)) {
            id = step_of(&reading->own, field.value);
            code = id == NO_ID ? STATUS_OK : SINK_CALL(&reading->feed->sink, step_lost, id);
        }
        if (field.tag != WIRE_TAG(OWN_STEP_ENDS_ROWS, WIRE_LENGTH))
            continue;
        rows = wire_inside(&field);
        rows.at = wire_varint(rows.at, rows.end, &number);
        rows.at = rows.at ? wire_varint(rows.at, rows.end, &time) : NULL;
        id = rows.at ? step_of(&reading->own, number) : NO_ID;
        if (id != NO_ID && time <= INT64_MAX)
            code = feed_step_end(reading->feed, id, (int64_t)time);
    }
    return code;
}

/* ---- Packets ---- */

/* What comes in order, in the second walk. */
static status tell_packet(struct perfetto_reading *reading, struct wire message)
{
    struct wire_field field;
    status code = STATUS_OK;

    while (code == STATUS_OK && wire_next(&message, &field)) {
        if (field.tag == WIRE_TAG(OWN_STEPS, WIRE_LENGTH))
            code = take_steps(reading, wire_inside(&field));
        else if (field.tag == WIRE_TAG(OWN_STEP_ENDS, WIRE_LENGTH))
            code = take_step_ends(reading, wire_inside(&field));
    }
    return code;
}

/* What is told of an input as a whole, where it is one of several: which one it is of shows only when all are known. */
static status keep_told(struct perfetto_reading *reading, packet_place place)
{
    packet_place *kept = column_append(&reading->own.told);

    if (!kept)
        return status_no_memory("keeping what is told of inputs");
    *kept = place;
    return STATUS_OK;
}

status own_packet(struct perfetto_reading *reading, struct wire message, packet_place at)
{
    struct wire_field field;
    uint32_t place, role;
    status code = STATUS_OK;

    if (reading->telling)
        return tell_packet(reading, message);
    while (code == STATUS_OK && wire_next(&message, &field)) {
        struct wire inside;

        if ((field.tag & 7) != WIRE_LENGTH)
            continue;
        inside = wire_inside(&field);
        if (reading->source->part && (field.tag >> 3 == OWN_ABOUT || field.tag >> 3 == OWN_LOSSES)) {
            code = keep_told(reading, at);
            continue;
        }
        switch (field.tag >> 3) {
        case OWN_TRACK:
            code = take_track(reading, inside, NO_ID, &place, &role);
            break;
        case OWN_CLOCK:
            code = take_clock(reading, inside);
            break;
        case OWN_OPERATOR:
            code = take_operator(reading, inside);
            break;
        case OWN_RUN:
            code = take_run(reading, inside);
            break;
        case OWN_ABOUT:
            code = take_about(reading, inside);
            break;
        case OWN_LOSSES:
            take_losses(&reading->own, inside);
            break;
        default:
            break;
        }
    }
    return code;
}

status own_take_told(struct perfetto_reading *reading)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < reading->own.told.count && code == STATUS_OK; i++) {
        packet_place place = *(packet_place *)column_at(&reading->own.told, i);
        struct packet packet;
        struct packet_head head;
        struct wire_field field;

        code = packets_again(&reading->packets, place, &packet);
        if (code != STATUS_OK || !perfetto_head(&packet, &head) || !(head.parts & PART_OWN))
            continue;
        while (code == STATUS_OK && wire_next(&head.own, &field)) {
            if (field.tag == WIRE_TAG(OWN_ABOUT, WIRE_LENGTH) &&
                process_of(wire_inside(&field), OWN_ABOUT_PROCESS) == reading->own.input)
                code = take_about(reading, wire_inside(&field));
            else if (field.tag == WIRE_TAG(OWN_LOSSES, WIRE_LENGTH) &&
                     process_of(wire_inside(&field), OWN_LOSSES_PROCESS) == reading->own.input)
                take_losses(&reading->own, wire_inside(&field));
        }
    }
    return code;
}
