/* perfetto_events.c: begin and end events of lanes, and instants, with everything that a slice carries.
 *
 * A begin costs about 16 bytes and an end 13: times are differences, names are numbers, and on most lanes the track comes
 * from the sequence. Packets are built in the output's buffer in one pass.
 */
#include <assert.h>

#include "write/perfetto_writer.h"

enum {
    ANNOTATION_ROOM = 32,
    ENTRY_ROOM = 24, /* an interned text without its bytes */
    FLOW_ROOM = 16,
    FEW_ARGUMENTS = 16, /* as most slices have at most */
    CATEGORY_ROOM = TRACK_CATEGORIES * 8,
    EVENTS_PER_CHECK = 4096 /* how often a failed output is noticed before the end */
};

struct annotation {
    string_id key;    /* what it is */
    uint32_t key_iid; /* the same in the sequence */
    uint32_t type;    /* enum argument_type */
    union {
        int64_t integer;  /* of a text: its iid */
        uint64_t natural; /* UNSIGNED, POINTER */
        double decimal;   /* DECIMAL */
        struct {
            uint32_t at, length; /* of JSON: its body in perfetto->nested */
        } body;
        uint64_t bits; /* for comparing */
    };
};

/* A text to be named in the packet at hand. */
struct entry {
    uint32_t field;   /* of interned data */
    uint32_t iid;     /* new in the sequence */
    struct text text; /* borrowed */
};

/* --- what a begin event carries ----------------------------------------------------------------------------------- */

static status add_entry(struct perfetto *perfetto, uint32_t field, uint32_t iid, struct text text)
{
    status result = memory_grow(&perfetto->entries, &perfetto->entry_capacity, perfetto->entry_count + 1,
                                sizeof *perfetto->entries);

    if (result != STATUS_OK)
        return result;
    perfetto->entries[perfetto->entry_count++] = (struct entry){ .field = field, .iid = iid, .text = text };
    perfetto->entry_bytes += text.length;
    return STATUS_OK;
}

/* The iid of a text in one of the sequence's maps; a text that is new there gets one and goes into the packet. */
static inline status name_text(struct perfetto *perfetto, struct id_map *map, uint32_t field, string_id id,
                               uint32_t *iid)
{
    status result;

    *iid = id_map_get(map, id);
    if (*iid)
        return STATUS_OK;
    result = id_map_add(map, id, iid);
    return result == STATUS_OK ? add_entry(perfetto, field, *iid, strings_get(perfetto->strings, id)) : result;
}

static status annotate(struct perfetto *perfetto, struct sequence *sequence, struct annotation annotation)
{
    status result;

    for (size_t i = 0; i < perfetto->annotation_count; i++) {
        const struct annotation *other = &perfetto->annotations[i];

        if (other->key == annotation.key && other->type == annotation.type && other->bits == annotation.bits)
            return STATUS_OK;
    }
    result = memory_grow(&perfetto->annotations, &perfetto->annotation_capacity, perfetto->annotation_count + 1,
                         sizeof *perfetto->annotations);
    if (result == STATUS_OK)
        result = name_text(perfetto, &sequence->keys, INTERNED_ANNOTATION_NAME, annotation.key, &annotation.key_iid);
    if (result == STATUS_OK)
        perfetto->annotations[perfetto->annotation_count++] = annotation;
    return result;
}

static status annotate_text(struct perfetto *perfetto, struct sequence *sequence, string_id key, string_id text)
{
    struct annotation annotation = { .key = key, .type = ARGUMENT_TEXT };
    uint32_t iid;
    status result = name_text(perfetto, &sequence->texts, INTERNED_ANNOTATION_TEXT, text, &iid);

    annotation.integer = iid;
    return result == STATUS_OK ? annotate(perfetto, sequence, annotation) : result;
}

static status annotate_json(struct perfetto *perfetto, struct sequence *sequence, const struct argument *argument)
{
    struct annotation annotation = { .key = argument->key, .type = ARGUMENT_JSON };
    size_t before = perfetto->nested_size;
    status result = perfetto_nest(perfetto, argument->text);

    annotation.body.at = (uint32_t)before;
    annotation.body.length = (uint32_t)(perfetto->nested_size - before);
    return result == STATUS_OK ? annotate(perfetto, sequence, annotation) : result;
}

/* Nothing is written that a viewer can see from the slice around this one. */
static inline bool is_shown(const struct perfetto *perfetto, const struct argument *argument)
{
    return !(argument->flags & ARGUMENT_HIDDEN) && !(perfetto->inside && argument->flags & ARGUMENT_OUTER);
}

/* An operator that has no type is named after its location, which is there already; else its name says more than that of the slice. */
static inline bool names_operator(const struct op *op, const struct slice *slice)
{
    return op->name != slice->name && (op->type || !op->location);
}

static status annotate_argument(struct perfetto *perfetto, struct sequence *sequence, const struct argument *argument)
{
    struct annotation annotation = { .key = argument->key, .type = argument->type };

    switch ((enum argument_type)argument->type) {
    case ARGUMENT_TEXT:
        return annotate_text(perfetto, sequence, argument->key, argument->text);
    case ARGUMENT_JSON:
        return annotate_json(perfetto, sequence, argument);
    case ARGUMENT_BOOLEAN:
        annotation.integer = argument->boolean;
        break;
    case ARGUMENT_DECIMAL:
        annotation.decimal = argument->decimal;
        break;
    case ARGUMENT_INTEGER:
    case ARGUMENT_UNSIGNED:
    case ARGUMENT_POINTER:
        annotation.integer = argument->integer;
        break;
    }
    return annotate(perfetto, sequence, annotation);
}

static status annotate_slice(struct perfetto *perfetto, struct sequence *sequence, const struct slice *slice)
{
    const struct op *op = announced_operator(&perfetto->announced, slice->op);
    status result = STATUS_OK;

    perfetto->nested_size = 0;
    if (op && op->location)
        result = annotate_text(perfetto, sequence, KEY_LOCATION, op->location);
    if (result == STATUS_OK && op && names_operator(op, slice))
        result = annotate_text(perfetto, sequence, KEY_OPERATOR, op->name);
    for (uint32_t i = 0; i < slice->argument_count && result == STATUS_OK; i++)
        if (is_shown(perfetto, &slice->arguments[i]))
            result = annotate_argument(perfetto, sequence, &slice->arguments[i]);
    return result;
}

static unsigned char *write_annotation(const struct perfetto *perfetto, unsigned char *to,
                                       const struct annotation *annotation)
{
    unsigned char *body = to = proto_open(to, EVENT_ANNOTATION);

    assert(annotation->key_iid);
    to = proto_number(to, ANNOTATION_NAME_IID, annotation->key_iid);
    switch ((enum argument_type)annotation->type) {
    case ARGUMENT_TEXT:
        to = proto_number(to, ANNOTATION_TEXT_IID, (uint64_t)annotation->integer);
        break;
    case ARGUMENT_DECIMAL:
        to = proto_decimal(to, ANNOTATION_DECIMAL, annotation->decimal);
        break;
    case ARGUMENT_BOOLEAN:
        to = proto_number(to, ANNOTATION_BOOLEAN, (uint64_t)annotation->integer);
        break;
    case ARGUMENT_UNSIGNED:
        to = proto_number(to, ANNOTATION_UNSIGNED, annotation->natural);
        break;
    case ARGUMENT_POINTER:
        to = proto_number(to, ANNOTATION_POINTER, annotation->natural);
        break;
    case ARGUMENT_JSON:
        memcpy(to, perfetto->nested + annotation->body.at, annotation->body.length);
        to += annotation->body.length;
        break;
    case ARGUMENT_INTEGER:
        to = proto_number(to, ANNOTATION_INTEGER, (uint64_t)annotation->integer);
        break;
    }
    return proto_close(body, to);
}

static unsigned char *write_entries(const struct perfetto *perfetto, unsigned char *to)
{
    unsigned char *interned = to = proto_open(to, PACKET_INTERNED_DATA);

    for (size_t i = 0; i < perfetto->entry_count; i++) {
        const struct entry *entry = &perfetto->entries[i];
        unsigned char *body = to = proto_open(to, entry->field);

        to = proto_number(to, ENTRY_IID, entry->iid);
        to = perfetto_text(to, ENTRY_TEXT, entry->text);
        to = proto_close(body, to);
    }
    return proto_close(interned, to);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* The categories of a slice, as numbers of its sequence; 0: no more. */
static status name_categories(struct perfetto *perfetto, struct sequence *sequence, track_id track,
                              uint32_t categories[TRACK_CATEGORIES])
{
    const struct drawn_track *drawn = perfetto_drawn(perfetto, track);
    status result = STATUS_OK;

    for (unsigned i = 0; i < TRACK_CATEGORIES && result == STATUS_OK; i++) {
        categories[i] = 0;
        if (drawn->categories[i])
            result =
                name_text(perfetto, &sequence->categories, INTERNED_CATEGORY, drawn->categories[i], &categories[i]);
    }
    return result;
}

static inline status count_event(struct perfetto *perfetto)
{
    return ++perfetto->events % EVENTS_PER_CHECK == 0 ? output_status(perfetto->output) : STATUS_OK;
}

static inline void note_time(struct perfetto *perfetto, int64_t time)
{
    if (time < perfetto->first)
        perfetto->first = time;
}

/* What a viewer does not need: nearly always it is as with the slice of that name before. `name` is known in the sequence. */
static inline unsigned char *put_own(const struct line *line, unsigned char *to, const struct slice *slice,
                                     uint32_t name, int64_t rest)
{
    struct sequence *sequence = line->sequence;
    uint32_t op = slice->op + 1, run = slice->run + 1; /* NO_ID: 0 */

    assert(name < sequence->named_capacity);
    /* Where names are many, looking each of them up takes longer than all else. */
    if ((op || sequence->operators) && sequence->named[name].op != op) {
        sequence->named[name].op = op;
        sequence->operators = true;
        to = proto_number(to, PACKET_OWN_OPERATOR, op);
    }
    if (sequence->run != run) {
        sequence->run = run;
        to = proto_number(to, PACKET_OWN_RUN, run);
    }
    if (slice->track != line->track)
        to = proto_number(to, PACKET_OWN_TRACK, (uint64_t)slice->track + 1);
    return rest ? proto_number(to, PACKET_OWN_TICKS, (uint64_t)rest) : to;
}

status perfetto_event(struct perfetto *perfetto, const struct line *line, int64_t ticks, unsigned type,
                      const struct slice *slice)
{
    struct written_time time = perfetto_line_time(line, ticks);
    struct sequence *sequence = line->sequence;
    unsigned char *start, *event, *to;
    uint32_t name, categories[TRACK_CATEGORIES];
    size_t size;
    status result;

    assert(slice_is_whole(slice) && (type == TYPE_BEGIN || type == TYPE_INSTANT));
    perfetto->annotation_count = perfetto->entry_count = perfetto->entry_bytes = 0;
    result = name_text(perfetto, &sequence->names, INTERNED_NAME, slice->name, &name);
    if (result == STATUS_OK)
        result = name_categories(perfetto, sequence, slice->track, categories);
    if (result == STATUS_OK && perfetto->arguments)
        result = annotate_slice(perfetto, sequence, slice);
    if (result == STATUS_OK)
        result =
            memory_grow_clear(&sequence->named, &sequence->named_capacity, (size_t)name + 1, sizeof *sequence->named);
    if (result != STATUS_OK)
        return result;
    if (sequence->named[name].op != slice->op + 1)
        sequence->named[name].size = NAMED_NOT_KEPT;
    size = EVENT_ROOM + CATEGORY_ROOM + PROTO_LONGEST_VARINT + perfetto->annotation_count * ANNOTATION_ROOM +
           perfetto->entry_count * ENTRY_ROOM + perfetto->entry_bytes + perfetto->nested_size +
           slice_flow_count(slice) * FLOW_ROOM;
    start = perfetto_claim(perfetto, size);
    if (!start)
        return status_no_memory("writing an event");
    note_time(perfetto, time.ns);
    to = sequence_packet(sequence, start, time.ns);
    event = to = proto_open(to, PACKET_TRACK_EVENT);
    to = proto_number(to, EVENT_TYPE, type);
    to = proto_number(to, EVENT_NAME_IID, name);
    if (line->uuid)
        to = proto_number(to, EVENT_TRACK, line->uuid);
    for (unsigned i = 0; i < TRACK_CATEGORIES && categories[i]; i++)
        to = proto_number(to, EVENT_CATEGORY_IID, categories[i]);
    for (uint32_t i = 0; perfetto->arguments && i < slice_flow_count(slice); i++)
        to = proto_fixed64(to, EVENT_FLOW, slice_flow(slice, i));
    for (size_t i = 0; i < perfetto->annotation_count; i++)
        to = write_annotation(perfetto, to, &perfetto->annotations[i]);
    to = proto_close(event, to);
    if (perfetto->entry_count)
        to = write_entries(perfetto, to);
    to = put_own(line, to, slice, name, time.rest);
    to = proto_close(start + 2, to);
    assert((size_t)(to - start) <= size);
    perfetto_deliver(perfetto, start, to);
    return STATUS_OK;
}

/* An annotation in full, for names and lengths below 128: tag, length, name, tag of the value, value. */
static inline unsigned char *put_number(unsigned char *to, uint32_t key, unsigned field, uint64_t value)
{
    unsigned char *end;

    assert(key && key < 128 && field < 16 && "one byte each");
    to[0] = EVENT_ANNOTATION << 3 | PROTO_LENGTH;
    to[2] = ANNOTATION_NAME_IID << 3 | PROTO_VARINT;
    to[3] = (unsigned char)key;
    to[4] = (unsigned char)(field << 3 | PROTO_VARINT);
    end = proto_varint(to + 5, value);
    to[1] = (unsigned char)(end - to - 2);
    return end;
}

static inline unsigned char *put_text(unsigned char *to, uint32_t key, uint32_t iid)
{
    unsigned char *end;

    assert(key && key < 128 && iid);
    to[0] = EVENT_ANNOTATION << 3 | PROTO_LENGTH;
    to[2] = ANNOTATION_NAME_IID << 3 | PROTO_VARINT;
    to[3] = (unsigned char)key;
    to[4] = (unsigned char)((ANNOTATION_TEXT_IID << 3 | PROTO_VARINT) | 0x80);
    to[5] = ANNOTATION_TEXT_IID << 3 >> 7;
    end = proto_varint(to + 6, iid);
    to[1] = (unsigned char)(end - to - 2);
    return end;
}

/* A value whose encoding is known. NULL: it is not. */
static inline unsigned char *put_body(unsigned char *to, uint32_t key, struct text body)
{
    assert(key && key < 128);
    if (!body.data)
        return NULL;
    *to++ = EVENT_ANNOTATION << 3 | PROTO_LENGTH;
    to = proto_varint(to, body.length + 2);
    to[0] = ANNOTATION_NAME_IID << 3 | PROTO_VARINT;
    to[1] = (unsigned char)key;
    memcpy(to + 2, body.data, body.length);
    return to + 2 + body.length;
}

static inline unsigned char *put_decimal(unsigned char *to, uint32_t key, double value)
{
    unsigned char body[PROTO_FIELD_ROOM];
    unsigned char *end = proto_decimal(body, ANNOTATION_DECIMAL, value);

    return put_body(to, key, (struct text){ (const char *)body, (size_t)(end - body) });
}

/* A text under a key, both of which are named already. NULL: one of them is not. */
static inline unsigned char *put_known(const struct sequence *sequence, unsigned char *to, string_id key,
                                       string_id text)
{
    uint32_t name = id_map_get(&sequence->keys, key), iid = id_map_get(&sequence->texts, text);

    return name && name < 128 && iid ? put_text(to, name, iid) : NULL;
}

/* What the operator of a slice says of it, which is kept for the next one of that name. NULL: something is not named yet. */
static unsigned char *put_operator(const struct perfetto *perfetto, const struct sequence *sequence, unsigned char *to,
                                   const struct slice *slice, struct named_slice *named)
{
    const struct op *op = announced_operator(&perfetto->announced, slice->op);
    const unsigned char *start = to;

    if (op && op->location)
        to = put_known(sequence, to, KEY_LOCATION, op->location);
    if (to && op && names_operator(op, slice))
        to = put_known(sequence, to, KEY_OPERATOR, op->name);
    named->size = NAMED_NOT_KEPT;
    if (!to || to - start > NAMED_ROOM)
        return to;
    named->size = (uint8_t)(to - start);
    memcpy(named->bytes, start, named->size);
    return to;
}

/* The arguments of a slice whose texts and keys are all named in its sequence. NULL: something is new, or out of the ordinary. */
static inline unsigned char *put_arguments(const struct perfetto *perfetto, const struct sequence *sequence,
                                           unsigned char *to, const struct slice *slice, uint32_t slice_name)
{
    struct named_slice *named;

    if (slice->op != NO_ID) {
        named = &sequence->named[slice_name];
        if (named->op == slice->op + 1 && named->size != NAMED_NOT_KEPT) {
            memcpy(to, named->bytes, NAMED_ROOM);
            to += named->size;
        } else {
            to = put_operator(perfetto, sequence, to, slice, named);
        }
    }
    for (uint32_t i = 0; i < slice->argument_count && to; i++) {
        const struct argument *argument = &slice->arguments[i];
        uint32_t name = id_map_get(&sequence->keys, argument->key);

        if (!is_shown(perfetto, argument))
            continue;
        if (!name || name >= 128 || argument->key == KEY_LOCATION || argument->key == KEY_OPERATOR)
            return NULL;
        if (argument->type == ARGUMENT_INTEGER)
            to = put_number(to, name, ANNOTATION_INTEGER, (uint64_t)argument->integer);
        else if (argument->type == ARGUMENT_UNSIGNED)
            to = put_number(to, name, ANNOTATION_UNSIGNED, argument->natural);
        else if (argument->type == ARGUMENT_JSON)
            to = put_body(to, name, perfetto_nested(perfetto, argument->text));
        else if (argument->type == ARGUMENT_DECIMAL)
            to = put_decimal(to, name, argument->decimal);
        else
            to = argument->type == ARGUMENT_TEXT ? put_known(sequence, to, argument->key, argument->text) : NULL;
    }
    return to;
}

/* The categories of a slice, which are all named in its sequence. NULL: one is not. */
static unsigned char *put_categories(const struct perfetto *perfetto, const struct sequence *sequence,
                                     unsigned char *to, track_id track)
{
    const struct drawn_track *drawn = perfetto_drawn(perfetto, track);

    for (unsigned i = 0; i < TRACK_CATEGORIES && drawn->categories[i]; i++) {
        uint32_t iid = id_map_get(&sequence->categories, drawn->categories[i]);

        if (!iid)
            return NULL;
        to = proto_number(to, EVENT_CATEGORY_IID, iid);
    }
    return to;
}

/* Bytes of the arguments that are arrays or objects whose encoding is known; SIZE_MAX: one is not, or they are too many. */
static inline size_t nested_room(const struct perfetto *perfetto, const struct slice *slice)
{
    size_t room = 0;

    if (!perfetto->nested_known.count)
        return 0;
    for (uint32_t i = 0; i < slice->argument_count; i++) {
        struct text body;

        if (slice->arguments[i].type != ARGUMENT_JSON)
            continue;
        body = perfetto_nested(perfetto, slice->arguments[i].text);
        if (!body.data)
            return SIZE_MAX;
        room += body.length;
    }
    return room <= OUTPUT_LARGEST_RESERVE / 2 ? room : SIZE_MAX;
}

/* The fast way for a begin whose texts are all named in its sequence, as nearly every one's are: one pass, straight into the
 * output. NULL: something is new, take the long way; nothing has changed then. */
static unsigned char *write_known(const struct perfetto *perfetto, const struct line *line, unsigned char *start,
                                  struct written_time time, const struct slice *slice, uint32_t name)
{
    struct sequence *sequence = line->sequence;
    int64_t before = sequence->last;
    unsigned char *to = sequence_packet(sequence, start, time.ns);
    unsigned char *event = to + 2;

    assert(name && slice->argument_count <= FEW_ARGUMENTS);
    to[0] = PACKET_TRACK_EVENT << 3 | PROTO_LENGTH;
    event[0] = EVENT_TYPE << 3 | PROTO_VARINT;
    event[1] = TYPE_BEGIN;
    event[2] = EVENT_NAME_IID << 3 | PROTO_VARINT;
    to = proto_varint(event + 3, name);
    if (line->uuid)
        to = proto_number(to, EVENT_TRACK, line->uuid);
    if (slice->flow && perfetto->arguments)
        to = proto_fixed64(to, EVENT_FLOW, slice->flow);
    if (slice->track != line->track || line->categorised)
        to = put_categories(perfetto, sequence, to, slice->track);
    if (to && perfetto->arguments)
        to = put_arguments(perfetto, sequence, to, slice, name);
    if (!to) {
        sequence->last = before;
        return NULL;
    }
    to = put_own(line, proto_close(event, to), slice, name, time.rest);
    return proto_close(start + 2, to);
}

status perfetto_lane_begin(void *self, uint32_t lane, int64_t ticks, const struct slice *slice)
{
    struct perfetto *perfetto = self;
    const struct line *line = &perfetto->lines[lane];
    uint32_t name = id_map_get(&line->sequence->names, slice->name);
    bool usual = name && slice->argument_count <= FEW_ARGUMENTS && !slice->more_flow_count;
    size_t nested = usual ? nested_room(perfetto, slice) : SIZE_MAX;
    unsigned char *start, *to;
    status result;

    assert(lane < perfetto->line_capacity && slice_is_whole(slice));
    if (nested != SIZE_MAX) {
        struct written_time time = perfetto_line_time(line, ticks);

        start = output_reserve(perfetto->output,
                               EVENT_ROOM + CATEGORY_ROOM + (FEW_ARGUMENTS + 2) * ANNOTATION_ROOM + nested);
        to = write_known(perfetto, line, start, time, slice, name);
        if (to) {
            note_time(perfetto, time.ns);
            output_advance(perfetto->output, (size_t)(to - start));
            return count_event(perfetto);
        }
    }
    result = perfetto_event(perfetto, line, ticks, TYPE_BEGIN, slice);
    return result == STATUS_OK ? count_event(perfetto) : result;
}

status perfetto_lane_end(void *self, uint32_t lane, int64_t ticks)
{
    static const unsigned char event[] = { PACKET_TRACK_EVENT << 3 | PROTO_LENGTH, 2, EVENT_TYPE << 3 | PROTO_VARINT,
                                           TYPE_END };
    struct perfetto *perfetto = self;
    const struct line *line = &perfetto->lines[lane];
    struct written_time time = perfetto_line_time(line, ticks);
    unsigned char *start = output_reserve(perfetto->output, EVENT_ROOM);
    unsigned char *to = sequence_packet(line->sequence, start, time.ns);
    unsigned char *body = to + 2;

    memcpy(to, event, sizeof event);
    to += sizeof event;
    if (line->uuid)
        to = proto_close(body, proto_number(to, EVENT_TRACK, line->uuid));
    if (time.rest)
        to = proto_number(to, PACKET_OWN_TICKS, (uint64_t)time.rest);
    assert(to - start - 2 < 0x80 && to - start <= EVENT_ROOM);
    start[1] = (unsigned char)(to - start - 2);
    output_advance(perfetto->output, (size_t)(to - start));
    return count_event(perfetto);
}
