/* perfetto_events.c: begin and end events of lanes, and instants, with everything that a slice carries.
 *
 * A begin costs about 16 bytes and an end 13: times are differences, names are numbers, and on most lanes the track comes
 * from the sequence. Packets are built in the output's buffer in one pass.
 */
#include "write/perfetto_writer.h"

enum {
    ANNOTATION_ROOM = 32,
    ENTRY_ROOM = 24, /* an interned text without its bytes */
    CATEGORY_IID = 1,
    EVENTS_PER_CHECK = 4096 /* how often a failed output is noticed before the end */
};

_Static_assert(KEY_COUNT <= 32, "the names that a sequence has written are kept as bits");

struct annotation {
    uint32_t key; /* enum argument_key or KEY_OPERATOR */
    uint32_t type;
    union {
        int64_t integer; /* of a text: its iid */
        double decimal;
        uint64_t bits; /* for comparing */
    };
};

/* A text to be named in the packet at hand. */
struct entry {
    uint32_t field;
    uint32_t iid;
    struct text text;
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

static status name_key(struct perfetto *perfetto, struct sequence *sequence, uint32_t key)
{
    const char *name = key == KEY_OPERATOR ? "operator" : argument_name((enum argument_key)key);

    if (sequence->keys >> key & 1)
        return STATUS_OK;
    sequence->keys |= UINT32_C(1) << key;
    return add_entry(perfetto, INTERNED_ANNOTATION_NAME, key + 1, (struct text){ name, strlen(name) });
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
    if (result != STATUS_OK)
        return result;
    perfetto->annotations[perfetto->annotation_count++] = annotation;
    return name_key(perfetto, sequence, annotation.key);
}

static status annotate_text(struct perfetto *perfetto, struct sequence *sequence, uint32_t key, string_id text)
{
    struct annotation annotation = { .key = key, .type = ARGUMENT_TYPE_TEXT };
    uint32_t iid;
    status result = name_text(perfetto, &sequence->texts, INTERNED_ANNOTATION_TEXT, text, &iid);

    annotation.integer = iid;
    return result == STATUS_OK ? annotate(perfetto, sequence, annotation) : result;
}

/* Nothing is written that a viewer can see from the slice around this one. */
static inline bool shown(const struct perfetto *perfetto, uint32_t key)
{
    return (perfetto->inside ? perfetto->shown_inside : perfetto->shown) >> key & 1;
}

void perfetto_choose_arguments(struct perfetto *perfetto)
{
    for (uint32_t key = 0; key < ARGUMENT_COUNT; key++) {
        if (argument_shown((enum argument_key)key))
            perfetto->shown |= UINT32_C(1) << key;
    }
    perfetto->shown_inside = perfetto->shown & ~(UINT32_C(1) << ARGUMENT_INVOCATION);
}

static status annotate_slice(struct perfetto *perfetto, struct sequence *sequence, const struct slice *slice)
{
    const struct op *op = announced_operator(&perfetto->announced, slice->op);
    status result = STATUS_OK;

    if (op && op->location)
        result = annotate_text(perfetto, sequence, ARGUMENT_LOCATION, op->location);
    /* An operator without a type is named after its location, which is there already. */
    if (result == STATUS_OK && op && op->type && op->name != slice->name)
        result = annotate_text(perfetto, sequence, KEY_OPERATOR, op->name);
    for (uint32_t i = 0; i < slice->argument_count && result == STATUS_OK; i++) {
        const struct argument *argument = &slice->arguments[i];
        struct annotation annotation = { .key = argument->key, .type = argument->type };

        if (argument->key >= ARGUMENT_COUNT || !shown(perfetto, argument->key))
            continue;
        if (argument->type == ARGUMENT_TYPE_TEXT) {
            result = annotate_text(perfetto, sequence, argument->key, argument->text);
            continue;
        }
        if (argument->type == ARGUMENT_TYPE_DECIMAL)
            annotation.decimal = argument->decimal;
        else
            annotation.integer = argument->integer;
        result = annotate(perfetto, sequence, annotation);
    }
    return result;
}

static unsigned char *write_annotation(unsigned char *to, const struct annotation *annotation)
{
    unsigned char *body = to = proto_open(to, EVENT_ANNOTATION);

    to = proto_number(to, ANNOTATION_NAME_IID, annotation->key + 1);
    if (annotation->type == ARGUMENT_TYPE_TEXT)
        to = proto_number(to, ANNOTATION_TEXT_IID, (uint64_t)annotation->integer);
    else if (annotation->type == ARGUMENT_TYPE_DECIMAL)
        to = proto_decimal(to, ANNOTATION_DECIMAL, annotation->decimal);
    else
        to = proto_number(to, ANNOTATION_INTEGER, (uint64_t)annotation->integer);
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

static inline status count_event(struct perfetto *perfetto)
{
    return ++perfetto->events % EVENTS_PER_CHECK == 0 ? output_status(perfetto->output) : STATUS_OK;
}

status perfetto_event(struct perfetto *perfetto, const struct line *line, int64_t time, unsigned type,
                      const struct slice *slice)
{
    struct sequence *sequence = line->sequence;
    unsigned char *start, *event, *to;
    uint32_t name;
    size_t size;
    status result;

    perfetto->annotation_count = perfetto->entry_count = perfetto->entry_bytes = 0;
    result = name_text(perfetto, &sequence->names, INTERNED_NAME, slice->name, &name);
    if (result == STATUS_OK && line->overview && !sequence->has_category) {
        sequence->has_category = true;
        result = add_entry(perfetto, INTERNED_CATEGORY, CATEGORY_IID, (struct text){ "overview", 8 });
    }
    if (result == STATUS_OK && perfetto->arguments)
        result = annotate_slice(perfetto, sequence, slice);
    if (result != STATUS_OK)
        return result;
    size = EVENT_ROOM + PROTO_LONGEST_VARINT + perfetto->annotation_count * ANNOTATION_ROOM +
           perfetto->entry_count * ENTRY_ROOM + perfetto->entry_bytes;
    start = perfetto_claim(perfetto, size);
    if (!start)
        return status_no_memory("writing an event");
    to = sequence_packet(sequence, start, time);
    event = to = proto_open(to, PACKET_TRACK_EVENT);
    to = proto_number(to, EVENT_TYPE, type);
    to = proto_number(to, EVENT_NAME_IID, name);
    if (line->uuid)
        to = proto_number(to, EVENT_TRACK, line->uuid);
    if (line->overview)
        to = proto_number(to, EVENT_CATEGORY_IID, CATEGORY_IID);
    if (slice->flow && perfetto->arguments)
        to = proto_fixed64(to, EVENT_FLOW, slice->flow);
    for (size_t i = 0; i < perfetto->annotation_count; i++)
        to = write_annotation(to, &perfetto->annotations[i]);
    to = proto_close(event, to);
    if (perfetto->entry_count)
        to = write_entries(perfetto, to);
    perfetto_deliver(perfetto, start, proto_close(start + 2, to));
    return STATUS_OK;
}

/* An annotation in full, for keys and lengths below 128: tag, length, name, tag of the value, value. */
static inline unsigned char *put_integer(unsigned char *to, uint32_t key, int64_t value)
{
    unsigned char *end;

    to[0] = EVENT_ANNOTATION << 3 | PROTO_LENGTH;
    to[2] = ANNOTATION_NAME_IID << 3 | PROTO_VARINT;
    to[3] = (unsigned char)(key + 1);
    to[4] = ANNOTATION_INTEGER << 3 | PROTO_VARINT;
    end = proto_varint(to + 5, (uint64_t)value);
    to[1] = (unsigned char)(end - to - 2);
    return end;
}

static inline unsigned char *put_text(unsigned char *to, uint32_t key, uint32_t iid)
{
    unsigned char *end;

    to[0] = EVENT_ANNOTATION << 3 | PROTO_LENGTH;
    to[2] = ANNOTATION_NAME_IID << 3 | PROTO_VARINT;
    to[3] = (unsigned char)(key + 1);
    to[4] = (unsigned char)((ANNOTATION_TEXT_IID << 3 | PROTO_VARINT) | 0x80);
    to[5] = ANNOTATION_TEXT_IID << 3 >> 7;
    end = proto_varint(to + 6, iid);
    to[1] = (unsigned char)(end - to - 2);
    return end;
}

/* The arguments of a slice whose texts and keys are all named in its sequence. NULL: something is new. */
static inline unsigned char *put_arguments(const struct perfetto *perfetto, const struct sequence *sequence,
                                           unsigned char *to, const struct slice *slice)
{
    const struct op *op = announced_operator(&perfetto->announced, slice->op);
    uint32_t used = 0;

    if (op && op->location) {
        uint32_t iid = id_map_get(&sequence->texts, op->location);

        if (!iid)
            return NULL;
        used = 1u << ARGUMENT_LOCATION;
        to = put_text(to, ARGUMENT_LOCATION, iid);
        if (op->type && op->name != slice->name) {
            iid = id_map_get(&sequence->texts, op->name);
            if (!iid)
                return NULL;
            used |= 1u << KEY_OPERATOR;
            to = put_text(to, KEY_OPERATOR, iid);
        }
    }
    for (uint32_t i = 0; i < slice->argument_count; i++) {
        const struct argument *argument = &slice->arguments[i];
        uint32_t iid;

        if (argument->key >= ARGUMENT_COUNT || argument->type == ARGUMENT_TYPE_DECIMAL || used >> argument->key & 1)
            return NULL;
        if (!shown(perfetto, argument->key))
            continue;
        used |= 1u << argument->key;
        if (argument->type == ARGUMENT_TYPE_INTEGER) {
            to = put_integer(to, argument->key, argument->integer);
            continue;
        }
        iid = id_map_get(&sequence->texts, argument->text);
        if (!iid)
            return NULL;
        to = put_text(to, argument->key, iid);
    }
    return used & ~sequence->keys ? NULL : to;
}

/* The fast way for a begin whose texts are all named in its sequence, as nearly every one's are: one pass, straight into the
 * output. NULL: something is new, take the long way; nothing has changed then. */
static unsigned char *write_known(const struct perfetto *perfetto, const struct line *line, unsigned char *start,
                                  int64_t time, const struct slice *slice, uint32_t name)
{
    struct sequence *sequence = line->sequence;
    int64_t before = sequence->last;
    unsigned char *to = sequence_packet(sequence, start, time);
    unsigned char *event = to + 2;

    to[0] = PACKET_TRACK_EVENT << 3 | PROTO_LENGTH;
    event[0] = EVENT_TYPE << 3 | PROTO_VARINT;
    event[1] = TYPE_BEGIN;
    event[2] = EVENT_NAME_IID << 3 | PROTO_VARINT;
    to = proto_varint(event + 3, name);
    if (line->uuid)
        to = proto_number(to, EVENT_TRACK, line->uuid);
    if (slice->flow && perfetto->arguments)
        to = proto_fixed64(to, EVENT_FLOW, slice->flow);
    if (perfetto->arguments) {
        to = put_arguments(perfetto, sequence, to, slice);
        if (!to) {
            sequence->last = before;
            return NULL;
        }
    }
    return proto_close(start + 2, proto_close(event, to));
}

status perfetto_lane_begin(void *self, uint32_t lane, int64_t time, const struct slice *slice)
{
    struct perfetto *perfetto = self;
    const struct line *line = &perfetto->lines[lane];
    uint32_t name = id_map_get(&line->sequence->names, slice->name);
    unsigned char *start, *to;
    status result;

    if (name && !line->overview && slice->argument_count <= ARGUMENT_COUNT) {
        start = output_reserve(perfetto->output, EVENT_ROOM + (ARGUMENT_COUNT + 2) * ANNOTATION_ROOM);
        to = write_known(perfetto, line, start, time, slice, name);
        if (to) {
            output_advance(perfetto->output, (size_t)(to - start));
            return count_event(perfetto);
        }
    }
    result = perfetto_event(perfetto, line, time, TYPE_BEGIN, slice);
    return result == STATUS_OK ? count_event(perfetto) : result;
}

status perfetto_lane_end(void *self, uint32_t lane, int64_t time)
{
    static const unsigned char event[] = { PACKET_TRACK_EVENT << 3 | PROTO_LENGTH, 2, EVENT_TYPE << 3 | PROTO_VARINT,
                                           TYPE_END };
    struct perfetto *perfetto = self;
    const struct line *line = &perfetto->lines[lane];
    unsigned char *start = output_reserve(perfetto->output, EVENT_ROOM);
    unsigned char *to = sequence_packet(line->sequence, start, time);
    unsigned char *body = to + 2;

    memcpy(to, event, sizeof event);
    to += sizeof event;
    if (line->uuid)
        to = proto_close(body, proto_number(to, EVENT_TRACK, line->uuid));
    start[1] = (unsigned char)(to - start - 2);
    output_advance(perfetto->output, (size_t)(to - start));
    return count_event(perfetto);
}
