/* perfetto_event.c: one track event, decoded: its type, track, name, arguments, flows and values. */
#include <assert.h>
#include <math.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "read/perfetto_reading.h"

enum {
    MOST_ARGUMENTS = 256, /* of an event: keys are told apart one by one */
    MOST_FLOWS = 256,     /* the same of flows */
    DEEPEST = 32          /* values in values */
};

/* What interned texts are looked up in. */
struct texts {
    struct perfetto_reading *reading;   /* borrowed */
    const struct sequence_state *state; /* of the sequence; the same */
};

static string_id named_text(const struct texts *texts, enum interned_kind kind, uint64_t number)
{
    const struct interned *found = interned_find(texts->state, kind, number);

    return found ? found->text : NO_ID;
}

static status add_text(const struct texts *texts, const struct wire_field *field, string_id *id)
{
    return strings_add(texts->reading->strings, (const char *)field->data, (size_t)field->value, id);
}

/* ---- Arguments that are arrays or objects ---- */

static status write_value(const struct texts *texts, struct json_out *out, const char *key, struct wire message,
                          unsigned depth, bool *any);

/* The name of an annotation in another, in `*name`; NO_ID: none. */
static status find_name(const struct texts *texts, struct wire message, string_id *name)
{
    struct wire_field field;
    status code = STATUS_OK;

    *name = NO_ID;
    while (code == STATUS_OK && wire_next(&message, &field)) {
        if (field.tag == WIRE_TAG(ANNOTATION_NAME_IID, WIRE_VARINT) && field.value)
            *name = named_text(texts, INTERNED_KEYS, field.value);
        else if (field.tag == WIRE_TAG(ANNOTATION_NAME, WIRE_LENGTH))
            code = add_text(texts, &field, name);
    }
    return code;
}

static status write_entries(const struct texts *texts, struct json_out *out, struct wire message, uint32_t wanted,
                            unsigned depth)
{
    struct wire_field field;
    status code = STATUS_OK;
    bool any;

    while (code == STATUS_OK && wire_next(&message, &field)) {
        string_id name = NO_ID;

        if (field.tag != WIRE_TAG(wanted, WIRE_LENGTH))
            continue;
        if (wanted == ANNOTATION_DICTIONARY)
            code = find_name(texts, wire_inside(&field), &name);
        if (code != STATUS_OK)
            return code;
        if (wanted == ANNOTATION_DICTIONARY && name == NO_ID) {
            texts->reading->bad_arguments++;
            continue;
        }
        code = write_value(texts, out, name == NO_ID ? NULL : strings_text(texts->reading->strings, name),
                           wire_inside(&field), depth + 1, &any);
        texts->reading->bad_arguments += !any;
    }
    return code;
}

static void write_decimal(struct json_out *out, const char *key, double value)
{
    if (isnan(value) || isinf(value))
        json_out_text(out, key, isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
    else
        json_out_decimal(out, key, value);
}

/* A value of one piece. False: the field is none. */
static bool write_plain(const struct texts *texts, struct json_out *out, const char *key,
                        const struct wire_field *field)
{
    string_id text;

    switch (field->tag) {
    case WIRE_TAG(ANNOTATION_BOOLEAN, WIRE_VARINT):
        json_out_truth(out, key, field->value != 0);
        return true;
    case WIRE_TAG(ANNOTATION_UNSIGNED, WIRE_VARINT):
    case WIRE_TAG(ANNOTATION_POINTER, WIRE_VARINT):
        json_out_unsigned(out, key, field->value);
        return true;
    case WIRE_TAG(ANNOTATION_INTEGER, WIRE_VARINT):
        json_out_integer(out, key, (int64_t)field->value);
        return true;
    case WIRE_TAG(ANNOTATION_DECIMAL, WIRE_FIXED64):
        write_decimal(out, key, wire_decimal(field->value));
        return true;
    case WIRE_TAG(ANNOTATION_TEXT, WIRE_LENGTH):
    case WIRE_TAG(ANNOTATION_JSON, WIRE_LENGTH):
        json_out_string(out, key, wire_text(field));
        return true;
    case WIRE_TAG(ANNOTATION_TEXT_IID, WIRE_VARINT):
        text = named_text(texts, INTERNED_TEXTS, field->value);
        if (text != NO_ID)
            json_out_string(out, key, strings_get(texts->reading->strings, text));
        return text != NO_ID;
    default:
        return false;
    }
}

/* `*any`: it has a value. */
static status write_value(const struct texts *texts, struct json_out *out, const char *key, struct wire message,
                          unsigned depth, bool *any)
{
    struct wire walk = message;
    struct wire_field field;
    status code;

    *any = false;
    while (!*any && wire_next(&walk, &field)) {
        uint32_t number = (uint32_t)(field.tag >> 3);

        *any = write_plain(texts, out, key, &field);
        if (*any || depth >= DEEPEST || (field.tag & 7) != WIRE_LENGTH ||
            (number != ANNOTATION_DICTIONARY && number != ANNOTATION_ARRAY))
            continue;
        *any = true;
        if (number == ANNOTATION_DICTIONARY)
            json_out_object(out, key, JSON_TIGHT);
        else
            json_out_array(out, key, JSON_TIGHT);
        code = write_entries(texts, out, message, number, depth);
        json_out_end(out);
        if (code != STATUS_OK)
            return code;
    }
    return STATUS_OK;
}

/* The text of an annotation that holds others. */
static status nested_text(const struct texts *texts, struct wire message, string_id *text)
{
    struct perfetto_reading *reading = texts->reading;
    status code = reading->json ? STATUS_OK : output_open_memory(&reading->json);
    struct json_out out;
    const char *data;
    size_t length;
    bool any;

    if (code != STATUS_OK)
        return code;
    output_clear(reading->json);
    json_out_start(&out, reading->json);
    code = write_value(texts, &out, NULL, message, 0, &any);
    if (code != STATUS_OK)
        return code;
    data = output_memory(reading->json, &length);
    return data ? strings_add(reading->strings, data, length, text) : output_status(reading->json);
}

/* ---- Arguments ---- */

/* The place of an argument of that key, among the `*count` so far; NULL: there is none for it, or no memory. */
static inline struct argument *argument_place(struct perfetto_reading *reading, uint32_t *count, string_id key,
                                              status *code)
{
    for (uint32_t i = 0; i < *count; i++)
        if (reading->arguments[i].key == key)
            return &reading->arguments[i];
    if (*count == MOST_ARGUMENTS) {
        reading->bad_arguments++;
        return NULL;
    }
    if (*count == reading->argument_capacity)
        *code = memory_grow(&reading->arguments, &reading->argument_capacity, *count + 1, sizeof *reading->arguments);
    return *code == STATUS_OK ? &reading->arguments[(*count)++] : NULL;
}

static status put_argument(struct perfetto_reading *reading, uint32_t *count, struct argument argument)
{
    status code = STATUS_OK;
    struct argument *place = argument_place(reading, count, argument.key, &code);

    if (place)
        *place = argument;
    return code;
}

static bool is_asked(const struct perfetto_reading *reading, string_id key)
{
    return !reading->keys || (key < KEY_END && reading->keys >> key & 1);
}

/* A field of an annotation that is not among the most frequent. `*any`: it is a value. */
static status take_value(const struct texts *texts, struct wire_field field, struct wire message,
                         struct argument *argument, bool *any)
{
    status code = STATUS_OK;

    switch (field.tag) {
    case WIRE_TAG(ANNOTATION_NAME, WIRE_LENGTH):
        return add_text(texts, &field, &argument->key);
    case WIRE_TAG(ANNOTATION_BOOLEAN, WIRE_VARINT):
        argument->type = ARGUMENT_BOOLEAN;
        argument->integer = 0;
        argument->boolean = field.value != 0;
        break;
    case WIRE_TAG(ANNOTATION_UNSIGNED, WIRE_VARINT):
    case WIRE_TAG(ANNOTATION_POINTER, WIRE_VARINT):
        argument->type = field.tag == WIRE_TAG(ANNOTATION_POINTER, WIRE_VARINT) ? ARGUMENT_POINTER : ARGUMENT_UNSIGNED;
        argument->natural = field.value;
        break;
    case WIRE_TAG(ANNOTATION_DECIMAL, WIRE_FIXED64):
        argument->type = ARGUMENT_DECIMAL;
        argument->decimal = wire_decimal(field.value);
        break;
    case WIRE_TAG(ANNOTATION_TEXT, WIRE_LENGTH):
    case WIRE_TAG(ANNOTATION_JSON, WIRE_LENGTH):
        argument->type = field.tag == WIRE_TAG(ANNOTATION_JSON, WIRE_LENGTH) ? ARGUMENT_JSON : ARGUMENT_TEXT;
        if (argument->key == NO_ID || is_asked(texts->reading, argument->key))
            code = add_text(texts, &field, &argument->text);
        break;
    case WIRE_TAG(ANNOTATION_DICTIONARY, WIRE_LENGTH):
    case WIRE_TAG(ANNOTATION_ARRAY, WIRE_LENGTH):
        if (*any)
            return STATUS_OK; /* all of them were taken with the first */
        argument->type = ARGUMENT_JSON;
        code = nested_text(texts, message, &argument->text);
        break;
    default:
        return STATUS_OK;
    }
    *any = true;
    return code;
}

/* Most have a key that has a number, and behind it an integer or a text that has a number: one byte, two bytes before the value. False: another
 * one. It is put where it belongs member by member: a struct that was just filled and is copied as a whole makes the processor wait. `near`: eight bytes behind
 * it may be looked at. */
__attribute__((always_inline)) static inline bool take_plain(const struct texts *texts, uint32_t *count,
                                                             const unsigned char *at, const unsigned char *end,
                                                             bool near, status *code)
{
    enum { TEXT_TAG = WIRE_TAG(ANNOTATION_TEXT_IID, WIRE_VARINT) };
    struct wire_number number;
    struct argument *place;
    string_id key, text = NO_ID;
    bool is_text;

    if (end - at < 4 || at[0] != WIRE_TAG(ANNOTATION_NAME_IID, WIRE_VARINT) || at[1] >= 0x80)
        return false;
    is_text = at[2] == ((TEXT_TAG & 0x7F) | 0x80) && at[3] == TEXT_TAG >> 7;
    if (!is_text && at[2] != WIRE_TAG(ANNOTATION_INTEGER, WIRE_VARINT))
        return false;
    number = near ? wire_near_at(at + 3 + is_text) : wire_varied_at(at + 3 + is_text, end);
    key = named_text(texts, INTERNED_KEYS, at[1]);
    if (is_text)
        text = named_text(texts, INTERNED_TEXTS, number.value);
    if (number.at != end || key == NO_ID || !key || (is_text && text == NO_ID))
        return false;
    place = is_asked(texts->reading, key) ? argument_place(texts->reading, count, key, code) : NULL;
    if (!place)
        return true;
    place->key = key;
    place->type = is_text ? ARGUMENT_TEXT : ARGUMENT_INTEGER;
    place->flags = 0;
    place->natural = is_text ? 0 : number.value;
    if (is_text)
        place->text = text;
    return true;
}

static status take_any(const struct texts *texts, uint32_t *count, struct wire message)
{
    struct argument argument = { .key = NO_ID, .type = ARGUMENT_TEXT, .text = NO_ID };
    struct wire walk = message;
    struct wire_field field;
    uint64_t tag, number;
    bool any = false;
    status code = STATUS_OK;

    while (code == STATUS_OK && (tag = wire_tag(&walk))) {
        switch (tag) {
        case WIRE_TAG(ANNOTATION_NAME_IID, WIRE_VARINT):
            number = wire_number(&walk);
            argument.key = number ? named_text(texts, INTERNED_KEYS, number) : NO_ID;
            break;
        case WIRE_TAG(ANNOTATION_TEXT_IID, WIRE_VARINT):
            argument.type = ARGUMENT_TEXT;
            argument.text = named_text(texts, INTERNED_TEXTS, wire_varied(&walk));
            any |= argument.text != NO_ID;
            break;
        case WIRE_TAG(ANNOTATION_INTEGER, WIRE_VARINT):
            argument.type = ARGUMENT_INTEGER;
            argument.integer = (int64_t)wire_varied(&walk);
            any |= !wire_broken(&walk);
            break;
        default:
            if (wire_value(&walk, tag, &field))
                code = take_value(texts, field, message, &argument, &any);
        }
    }
    if (code != STATUS_OK)
        return code;
    if (!any || argument.key == NO_ID || !argument.key) {
        texts->reading->bad_arguments++;
        return STATUS_OK;
    }
    return is_asked(texts->reading, argument.key) ? put_argument(texts->reading, count, argument) : STATUS_OK;
}

static inline status take_annotation(const struct texts *texts, uint32_t *count, const unsigned char *at, size_t length,
                                     bool near)
{
    status code = STATUS_OK;

    return take_plain(texts, count, at, at + length, near, &code) ? code : take_any(texts, count, wire_of(at, length));
}

/* ---- The rest ---- */

static status add_flow(struct perfetto_reading *reading, struct trace_event *event, uint64_t id, bool ends)
{
    status code = memory_grow(&reading->event_flows, &reading->event_flow_capacity, (size_t)event->flow_count + 1,
                              sizeof *reading->event_flows);

    if (code == STATUS_OK && event->flow_count < MOST_FLOWS)
        reading->event_flows[event->flow_count++] = (struct event_flow){ id, ends };
    return code;
}

/* Several categories are one text, with commas. */
static status add_category(struct perfetto_reading *reading, struct trace_event *event, string_id category)
{
    if (category == NO_ID)
        return STATUS_OK;
    if (event->category == NO_ID) {
        event->category = category;
        return STATUS_OK;
    }
    return strings_add_format(reading->strings, &event->category, "%s,%s",
                              strings_text(reading->strings, event->category),
                              strings_text(reading->strings, category));
}

static status take_location(const struct texts *texts, struct trace_event *event, struct wire message)
{
    struct wire_field field;
    status code = STATUS_OK;

    while (code == STATUS_OK && wire_next(&message, &field)) {
        if (field.tag == WIRE_TAG(LOCATION_FILE, WIRE_LENGTH))
            code = add_text(texts, &field, &event->file);
        else if (field.tag == WIRE_TAG(LOCATION_FUNCTION, WIRE_LENGTH))
            code = add_text(texts, &field, &event->function);
        else if (field.tag == WIRE_TAG(LOCATION_LINE, WIRE_VARINT))
            event->line = field.value <= UINT32_MAX ? (uint32_t)field.value : 0;
    }
    return code;
}

/* What a phase means; 0: nothing that can be drawn. Spans have two sets of letters, of which one is old. */
static uint32_t phase_type(uint64_t phase, bool has_id)
{
    static const struct {
        char phase;    /* as it is written */
        uint32_t type; /* of the event */
    } types[] = {
        { 'B', TYPE_BEGIN },     { 'E', TYPE_END },         { 'I', TYPE_INSTANT },     { 'i', TYPE_INSTANT },
        { 'X', EVENT_COMPLETE }, { 'b', EVENT_SPAN_BEGIN }, { 'S', EVENT_SPAN_BEGIN }, { 'e', EVENT_SPAN_END },
        { 'F', EVENT_SPAN_END }, { 'n', EVENT_SPAN_STEP },  { 'T', EVENT_SPAN_STEP },  { 'p', EVENT_SPAN_STEP },
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (phase == (unsigned char)types[i].phase)
            return types[i].type <= TYPE_STATE || types[i].type == EVENT_COMPLETE || has_id ? types[i].type : 0;
    return 0;
}

static status take_legacy(const struct texts *texts, struct trace_event *event, struct wire message, bool deep)
{
    struct wire_field field;
    uint64_t phase = 0;
    bool has_id = false;
    status code = STATUS_OK;

    event->duration = 0;
    event->id_scope = NO_ID;
    event->id_is_local = false;
    while (code == STATUS_OK && wire_next(&message, &field)) {
        switch (field.tag) {
        case WIRE_TAG(LEGACY_PHASE, WIRE_VARINT):
            phase = field.value;
            break;
        case WIRE_TAG(LEGACY_DURATION, WIRE_VARINT):
            if (__builtin_mul_overflow((int64_t)field.value, (int64_t)1000, &event->duration))
                event->duration = -1;
            break;
        case WIRE_TAG(LEGACY_NAME_IID, WIRE_VARINT):
            event->name_number = event->name_number ? event->name_number : field.value;
            break;
        case WIRE_TAG(LEGACY_ID, WIRE_VARINT):
        case WIRE_TAG(LEGACY_LOCAL_ID, WIRE_VARINT):
        case WIRE_TAG(LEGACY_GLOBAL_ID, WIRE_VARINT):
            has_id = true;
            event->id = field.value;
            event->id_is_local = field.tag == WIRE_TAG(LEGACY_LOCAL_ID, WIRE_VARINT);
            break;
        case WIRE_TAG(LEGACY_ID_SCOPE, WIRE_LENGTH):
            code = deep ? add_text(texts, &field, &event->id_scope) : STATUS_OK;
            break;
        default:
            break;
        }
    }
    event->legacy = true;
    if (!event->type)
        event->type = phase_type(phase, has_id);
    return code;
}

/* Values without a track of their own go to those that the sequence has by default. */
static void place_extra(struct event_value *extra, struct trace_event *event, const uint64_t *tracks,
                        uint32_t track_count, const int64_t *values, uint32_t value_count, bool decimal)
{
    if (value_count > track_count)
        event->extra_wrong = true;
    for (uint32_t i = 0; i < value_count && i < track_count; i++)
        extra[event->extra_count++] =
            (struct event_value){ .track = tracks[i], .value = values[i], .decimal = decimal };
}

static void take_extras(struct perfetto_reading *reading, struct trace_event *event,
                        const struct sequence_defaults *defaults)
{
    const struct event_extras *extras = &reading->extras;
    const uint64_t *const tracks[2] = { defaults->extra, defaults->extra_decimal };
    const uint32_t counts[2] = { defaults->extra_count, defaults->extra_decimal_count };

    for (int i = 0; i < 2; i++)
        place_extra(reading->extra, event, extras->track_count[i] ? extras->tracks[i] : tracks[i],
                    extras->track_count[i] ? extras->track_count[i] : counts[i], extras->values[i],
                    extras->value_count[i], i == 1);
    event->extra_wrong |= event->extra_count > EXTRA_COUNTERS;
}

static void add_extra(struct perfetto_reading *reading, struct trace_event *event, const struct wire_field *field)
{
    struct event_extras *extras = &reading->extras;
    uint32_t number = (uint32_t)(field->tag >> 3);
    int kind = number == EVENT_EXTRA_DECIMAL || number == EVENT_EXTRA_DECIMAL_TRACK;

    if (!event->has_extras)
        *extras = (struct event_extras){ .track_count = { 0 } };
    event->has_extras = true;
    if (number == EVENT_EXTRA_TRACK || number == EVENT_EXTRA_DECIMAL_TRACK) {
        if (extras->track_count[kind] < EXTRA_COUNTERS)
            extras->tracks[kind][extras->track_count[kind]++] = field->value;
    } else if (extras->value_count[kind] < EXTRA_COUNTERS) {
        extras->values[kind][extras->value_count[kind]++] = (int64_t)field->value;
    } else {
        event->extra_wrong = true;
    }
}

/* Fields that few events have. */
static status take_seldom(const struct texts *texts, struct trace_event *event, struct wire_field field, bool deep)
{
    struct perfetto_reading *reading = texts->reading;
    const struct interned *found;
    string_id text;

    switch (field.tag) {
    case WIRE_TAG(EVENT_LEGACY, WIRE_LENGTH):
        return take_legacy(texts, event, wire_inside(&field), deep);
    case WIRE_TAG(EVENT_CATEGORY_IID, WIRE_VARINT):
        return deep ? add_category(reading, event, named_text(texts, INTERNED_CATEGORIES, field.value)) : STATUS_OK;
    case WIRE_TAG(EVENT_CATEGORY, WIRE_LENGTH):
        if (!deep)
            return STATUS_OK;
        if (add_text(texts, &field, &text) != STATUS_OK)
            return STATUS_MEMORY;
        return add_category(reading, event, text);
    case WIRE_TAG(EVENT_FLOW, WIRE_FIXED64):
    case WIRE_TAG(EVENT_OLD_FLOW, WIRE_VARINT):
    case WIRE_TAG(EVENT_OLD_FLOW_END, WIRE_VARINT):
    case WIRE_TAG(EVENT_FLOW_END, WIRE_FIXED64):
        event->says = true;
        return deep ? add_flow(reading, event, field.value,
                               field.tag == WIRE_TAG(EVENT_OLD_FLOW_END, WIRE_VARINT) ||
                                   field.tag == WIRE_TAG(EVENT_FLOW_END, WIRE_FIXED64))
                    : STATUS_OK;
    case WIRE_TAG(EVENT_COUNTER_VALUE, WIRE_VARINT):
    case WIRE_TAG(EVENT_COUNTER_DECIMAL, WIRE_FIXED64):
        event->has_value = true;
        event->value = (int64_t)field.value;
        event->decimal = field.tag == WIRE_TAG(EVENT_COUNTER_DECIMAL, WIRE_FIXED64);
        return STATUS_OK;
    case WIRE_TAG(EVENT_EXTRA_VALUE, WIRE_VARINT):
    case WIRE_TAG(EVENT_EXTRA_TRACK, WIRE_VARINT):
    case WIRE_TAG(EVENT_EXTRA_DECIMAL, WIRE_FIXED64):
    case WIRE_TAG(EVENT_EXTRA_DECIMAL_TRACK, WIRE_VARINT):
        add_extra(reading, event, &field);
        return STATUS_OK;
    case WIRE_TAG(EVENT_SOURCE_LOCATION, WIRE_LENGTH):
        event->says = true;
        return deep ? take_location(texts, event, wire_inside(&field)) : STATUS_OK;
    case WIRE_TAG(EVENT_SOURCE_LOCATION_IID, WIRE_VARINT):
        event->says = true;
        found = interned_find(texts->state, INTERNED_LOCATIONS, field.value);
        if (found) {
            event->file = found->file;
            event->function = found->function;
            event->line = found->line;
        }
        return STATUS_OK;
    case WIRE_TAG(EVENT_CORRELATION, WIRE_VARINT):
        event->says = true;
        return deep ? put_argument(reading, &event->argument_count,
                                   (struct argument){ .key = reading->key_correlation,
                                                      .type = ARGUMENT_UNSIGNED,
                                                      .natural = field.value })
                    : STATUS_OK;
    case WIRE_TAG(EVENT_CORRELATION_TEXT, WIRE_LENGTH):
        event->says = true;
        if (!deep)
            return STATUS_OK;
        if (add_text(texts, &field, &text) != STATUS_OK)
            return STATUS_MEMORY;
        return put_argument(reading, &event->argument_count, argument_text(reading->key_correlation, text));
    case WIRE_TAG(EVENT_CORRELATION_IID, WIRE_VARINT):
        event->says = true;
        text = deep ? named_text(texts, INTERNED_CORRELATIONS, field.value) : NO_ID;
        return text == NO_ID
                   ? STATUS_OK
                   : put_argument(reading, &event->argument_count, argument_text(reading->key_correlation, text));
    default:
        return STATUS_OK;
    }
}

status event_find_name(struct perfetto_reading *reading, const struct sequence_state *state, struct trace_event *event)
{
    if (event->name_number) {
        event->interned = interned_find(state, INTERNED_NAMES, event->name_number);
        event->name = event->interned ? event->interned->text : NO_ID;
    } else if (event->name_text.data) {
        return strings_add(reading->strings, event->name_text.data, event->name_text.length, &event->name);
    }
    return STATUS_OK;
}

status event_decode(struct perfetto_reading *reading, const struct line_moment *moment, bool deep,
                    struct trace_event *event)
{
    struct texts texts = { reading, moment->state };
    struct wire message = moment->head->event, inside;
    struct wire_field field;
    uint64_t tag, number;
    status code = STATUS_OK;

    event_clear(event);
    while (code == STATUS_OK && (tag = wire_tag(&message))) {
        switch (tag) {
        case WIRE_TAG(EVENT_TYPE, WIRE_VARINT):
            number = wire_number(&message);
            event->type = number <= TYPE_STATE ? (uint32_t)number : 0;
            break;
        case WIRE_TAG(EVENT_NAME_IID, WIRE_VARINT):
            event->name_number = wire_varied(&message);
            break;
        case WIRE_TAG(EVENT_TRACK, WIRE_VARINT):
            event->has_track = true;
            event->track = wire_varied(&message);
            break;
        case WIRE_TAG(EVENT_ANNOTATION, WIRE_LENGTH):
            inside = wire_message(&message);
            event->says = true;
            if (deep && !wire_broken(&message))
                code =
                    take_annotation(&texts, &event->argument_count, inside.at, (size_t)(inside.end - inside.at), false);
            break;
        case WIRE_TAG(EVENT_NAME, WIRE_LENGTH):
            inside = wire_message(&message);
            event->name_text = (struct text){ (const char *)inside.at, (size_t)(inside.end - inside.at) };
            break;
        default:
            if (wire_value(&message, tag, &field))
                code = take_seldom(&texts, event, field, deep);
        }
    }
    if (deep && code == STATUS_OK)
        code = event_find_name(reading, moment->state, event);
    if (event->has_extras && code == STATUS_OK)
        take_extras(reading, event, &moment->sequence->defaults);
    event->broken = wire_broken(&message);
    return code;
}

status event_arguments(struct perfetto_reading *reading, const struct sequence_state *state, struct wire arguments,
                       uint32_t *count)
{
    struct texts texts = { reading, state };
    status code = STATUS_OK;

    /* Tags and lengths of one byte, which fit. */
    for (const unsigned char *at = arguments.at; code == STATUS_OK && at < arguments.end; at += 2 + at[1])
        code = take_annotation(&texts, count, at + 2, at[1], true);
    return code;
}
