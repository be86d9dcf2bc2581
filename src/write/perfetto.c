/* perfetto.c: the trace as Perfetto's TrackEvent packets.
 *
 *     process (descriptor)
 *       └── group (descriptor)
 *             └── lanes of a track (descriptors with the same name: the viewer draws them as one track)
 *
 * Each lane has its own uuid and its own packet sequence. A begin costs about 16 bytes and an end 13: times are
 * differences, names are numbers, the track comes from the sequence. Packets are built in the output's buffer in one
 * pass.
 */
#include <stdio.h>

#include "base/memory.h"
#include "write/announced.h"
#include "write/lanes.h"
#include "write/perfetto_sequence.h"
#include "write/writer.h"

enum {
    DESCRIPTOR_UUID = 1,
    DESCRIPTOR_NAME = 2,
    DESCRIPTOR_PROCESS = 3,
    DESCRIPTOR_PARENT = 5,
    DESCRIPTOR_COUNTER = 8,
    DESCRIPTOR_CHILD_ORDERING = 11,
    DESCRIPTOR_RANK = 12,
    DESCRIPTOR_PROCESS_ORDERING = 19,
    PROCESS_PID = 1,
    PROCESS_NAME = 6,
    COUNTER_UNIT = 3,
    COUNTER_UNIT_NAME = 6,

    ORDERING_EXPLICIT = 3,
    PROCESS_ORDERING_EXPLICIT = 1,
    UNIT_TIME_NS = 1,
    UNIT_COUNT = 2,
    UNIT_SIZE_BYTES = 3,

    DESCRIPTOR_ROOM = 128,  /* a descriptor packet without its texts */
    ANNOTATION_ROOM = 32,
    ENTRY_ROOM = 24,        /* an interned text without its bytes */
    CATEGORY_IID = 1,
    EVENTS_PER_CHECK = 4096 /* how often a failed output is noticed before the end */
};

_Static_assert(KEY_COUNT <= 32, "the names that a sequence has written are kept as bits");

/* What the writer adds to a track that was announced. */
struct drawn_track {
    uint64_t uuid;     /* of its own descriptor; 0: not written */
    uint32_t instants; /* sequence; NO_ID: none yet */
    uint32_t values;   /* sequence of a counter; NO_ID: none yet */
};

struct annotation {
    uint32_t key; /* enum argument_key or KEY_OPERATOR */
    uint32_t type;
    union {
        int64_t integer; /* of a text: its iid */
        double decimal;
        uint64_t bits;   /* for comparing */
    };
};

/* A text to be named in the packet at hand. */
struct entry {
    uint32_t field;
    uint32_t iid;
    struct text text;
};

struct perfetto {
    struct output *output;
    struct strings *strings;
    bool arguments;
    struct announced announced;
    struct lanes *lanes;
    struct column sequences;         /* struct sequence */
    struct column drawn;             /* struct drawn_track by track id */
    struct sequence **lane_sequences; /* by lane; sequences never move */
    size_t lane_capacity;
    uint64_t last_uuid;
    uint32_t processes;
    int64_t first;                   /* smallest time since the last process was announced; INT64_MAX: none */
    uint64_t events;
    struct annotation *annotations;  /* of the packet at hand */
    size_t annotation_count, annotation_capacity;
    struct entry *entries;           /* of the packet at hand */
    size_t entry_count, entry_capacity;
    size_t entry_bytes;              /* in all texts of entries */
    unsigned char *scratch;          /* for packets larger than the output reserves; usually NULL */
    size_t scratch_size;
};

/* --- packets ------------------------------------------------------------------------------------------------------ */

/* Memory for a packet of at most `size` bytes; NULL: out of memory. */
static inline unsigned char *claim(struct perfetto *perfetto, size_t size)
{
    if (size <= OUTPUT_LARGEST_RESERVE)
        return output_reserve(perfetto->output, size);
    if (memory_grow(&perfetto->scratch, &perfetto->scratch_size, size, 1) != STATUS_OK)
        return NULL;
    return perfetto->scratch;
}

/* The packet lies from `start`, which was claimed, to `end`. */
static inline void deliver(struct perfetto *perfetto, const unsigned char *start, const unsigned char *end)
{
    if (start == perfetto->scratch)
        output_write(perfetto->output, start, (size_t)(end - start));
    else
        output_advance(perfetto->output, (size_t)(end - start));
}

static struct sequence *sequence_at(const struct perfetto *perfetto, uint32_t index)
{
    return column_at(&perfetto->sequences, index);
}

static struct drawn_track *drawn_at(const struct perfetto *perfetto, track_id id)
{
    return column_at(&perfetto->drawn, id);
}

/* `clock`: of the track, to choose the unit of its differences; NULL: nanoseconds. */
static status new_sequence(struct perfetto *perfetto, bool absolute, uint64_t uuid, const struct clock *clock, uint32_t *index)
{
    struct sequence *sequence = column_append(&perfetto->sequences);
    unsigned char *packet;
    bool micro;

    if (!sequence)
        return status_no_memory("starting a lane");
    *index = (uint32_t)perfetto->sequences.count - 1;
    micro = clock && clock->denominator == 1 && clock->numerator % 1000 == 0 && clock->offset % 1000 == 0;
    sequence_start(sequence, *index + 1, absolute, micro);
    packet = output_reserve(perfetto->output, 2 * EVENT_ROOM);
    output_advance(perfetto->output, (size_t)(sequence_write_start(sequence, packet, uuid) - packet));
    return STATUS_OK;
}

/* --- tracks ------------------------------------------------------------------------------------------------------- */

static unsigned char *write_unit(unsigned char *to, const char *unit)
{
    if (!unit)
        return to;
    if (strcmp(unit, "B") == 0)
        return proto_number(to, COUNTER_UNIT, UNIT_SIZE_BYTES);
    if (strcmp(unit, "ns") == 0)
        return proto_number(to, COUNTER_UNIT, UNIT_TIME_NS);
    if (strcmp(unit, "count") == 0)
        return proto_number(to, COUNTER_UNIT, UNIT_COUNT);
    return proto_text(to, COUNTER_UNIT_NAME, unit, strlen(unit));
}

/* A descriptor that begins a track with a new uuid. */
struct descriptor {
    struct text name;
    uint64_t parent; /* uuid; 0: none */
    int32_t rank;    /* among its siblings */
    uint32_t pid;    /* 0: no process */
    bool counter;
    const char *unit;
};

static status write_descriptor(struct perfetto *perfetto, const struct descriptor *descriptor, uint64_t *uuid)
{
    size_t size = DESCRIPTOR_ROOM + descriptor->name.length + (descriptor->unit ? strlen(descriptor->unit) : 0);
    unsigned char *start = claim(perfetto, size);
    unsigned char *to, *packet, *body, *part;

    if (!start)
        return status_no_memory("writing a track");
    *uuid = ++perfetto->last_uuid;
    packet = to = proto_open(start, TRACE_PACKET);
    if (descriptor->pid)
        to = proto_number(to, PACKET_TIMESTAMP, 0);
    body = to = proto_open(to, PACKET_TRACK_DESCRIPTOR);
    to = proto_number(to, DESCRIPTOR_UUID, *uuid);
    if (descriptor->pid) {
        part = to = proto_open(to, DESCRIPTOR_PROCESS);
        to = proto_number(to, PROCESS_PID, descriptor->pid);
        to = proto_text(to, PROCESS_NAME, descriptor->name.data, descriptor->name.length);
        to = proto_close(part, to);
    } else {
        to = proto_text(to, DESCRIPTOR_NAME, descriptor->name.data, descriptor->name.length);
        if (descriptor->parent)
            to = proto_number(to, DESCRIPTOR_PARENT, descriptor->parent);
    }
    if (descriptor->counter) {
        part = to = proto_open(to, DESCRIPTOR_COUNTER);
        to = write_unit(to, descriptor->unit);
        to = proto_close(part, to);
    }
    to = proto_number(to, DESCRIPTOR_CHILD_ORDERING, ORDERING_EXPLICIT);
    to = proto_number(to, DESCRIPTOR_RANK, (uint64_t)(int64_t)descriptor->rank);
    to = proto_close(body, to);
    deliver(perfetto, start, proto_close(packet, to));
    return STATUS_OK;
}

/* Says on the root track that processes are shown by their ranks. */
static void write_process_ordering(struct perfetto *perfetto)
{
    unsigned char *start = output_reserve(perfetto->output, DESCRIPTOR_ROOM);
    unsigned char *packet, *body, *to;

    packet = proto_open(start, TRACE_PACKET);
    body = to = proto_open(packet, PACKET_TRACK_DESCRIPTOR);
    to = proto_number(to, DESCRIPTOR_UUID, 0);
    to = proto_number(to, DESCRIPTOR_PROCESS_ORDERING, PROCESS_ORDERING_EXPLICIT);
    to = proto_close(body, to);
    output_advance(perfetto->output, (size_t)(proto_close(packet, to) - start));
}

/* A descriptor for (a part of) an announced track: the track itself, or one of its lanes. */
static status write_track(struct perfetto *perfetto, track_id id, uint64_t *uuid)
{
    const struct track *track = &announced_track(&perfetto->announced, id)->track;
    struct descriptor descriptor = {
        .name = strings_get(perfetto->strings, track->name),
        .rank = track->order,
        .counter = track->kind == TRACK_COUNTER,
        .unit = track->kind == TRACK_COUNTER ? track->unit : NULL,
    };
    bool is_group = track->kind == TRACK_PROCESS || track->kind == TRACK_GROUP;

    /* A group that has slices of its own shows them on a line inside. */
    if (is_group && drawn_at(perfetto, id)->uuid)
        descriptor.parent = drawn_at(perfetto, id)->uuid;
    else if (track->kind == TRACK_PROCESS)
        descriptor.pid = ++perfetto->processes;
    else if (track->parent < perfetto->drawn.count)
        descriptor.parent = drawn_at(perfetto, track->parent)->uuid;
    return write_descriptor(perfetto, &descriptor, uuid);
}

/* A descriptor for the track itself, unless it has one. */
static status ensure_track(struct perfetto *perfetto, track_id id)
{
    uint64_t uuid;
    status result;

    if (drawn_at(perfetto, id)->uuid)
        return STATUS_OK;
    result = write_track(perfetto, id, &uuid);
    if (result == STATUS_OK)
        drawn_at(perfetto, id)->uuid = uuid;
    return result;
}

static status perfetto_track(void *self, const struct track *track)
{
    struct perfetto *perfetto = self;
    status result = announced_add_track(&perfetto->announced, track);

    while (result == STATUS_OK && perfetto->drawn.count <= track->id) {
        struct drawn_track *drawn = column_append(&perfetto->drawn);

        if (!drawn)
            return status_no_memory("remembering a track");
        *drawn = (struct drawn_track){ .instants = NO_ID, .values = NO_ID };
    }
    if (result == STATUS_OK && track->parent < track->id)
        result = ensure_track(perfetto, track->parent); /* a parent must be there before its children */
    if (result != STATUS_OK || track->kind == TRACK_SLICES || track->kind == TRACK_COUNTER)
        return result;
    if (track->kind == TRACK_PROCESS) {
        perfetto->first = INT64_MAX;
        if (!perfetto->processes)
            write_process_ordering(perfetto);
    }
    return ensure_track(perfetto, track->id);
}

static status perfetto_lane(void *self, uint32_t lane, track_id track, bool late)
{
    struct perfetto *perfetto = self;
    uint64_t uuid;
    struct sequence *sequence;
    uint32_t index;
    status result = memory_grow(&perfetto->lane_sequences, &perfetto->lane_capacity, (size_t)lane + 1,
                                sizeof *perfetto->lane_sequences);

    if (result == STATUS_OK)
        result = write_track(perfetto, track, &uuid);
    if (result == STATUS_OK)
        result = new_sequence(perfetto, late, uuid, announced_track(&perfetto->announced, track)->clock, &index);
    if (result != STATUS_OK)
        return result;
    sequence = perfetto->lane_sequences[lane] = sequence_at(perfetto, index);
    sequence->clock = announced_track(&perfetto->announced, track)->clock;
    sequence->overview = announced_track(&perfetto->announced, track)->track.engine == ENGINE_OVERVIEW;
    return STATUS_OK;
}

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

static status annotate_slice(struct perfetto *perfetto, struct sequence *sequence, const struct slice *slice)
{
    const struct operator *operator = announced_operator(&perfetto->announced, slice->operator);
    status result = STATUS_OK;

    if (operator && operator->location)
        result = annotate_text(perfetto, sequence, ARGUMENT_LOCATION, operator->location);
    /* An operator without a type is named after its location, which is there already. */
    if (result == STATUS_OK && operator && operator->type && operator->name != slice->name)
        result = annotate_text(perfetto, sequence, KEY_OPERATOR, operator->name);
    for (uint32_t i = 0; i < slice->argument_count && result == STATUS_OK; i++) {
        const struct argument *argument = &slice->arguments[i];
        struct annotation annotation = { .key = argument->key, .type = argument->type };

        if (argument->key >= ARGUMENT_COUNT || !argument_shown((enum argument_key)argument->key))
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
        to = proto_text(to, ENTRY_TEXT, entry->text.data, entry->text.length);
        to = proto_close(body, to);
    }
    return proto_close(interned, to);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* Viewers know no time before 0, and drop such events. */
static inline int64_t visible(int64_t time)
{
    return time < 0 ? 0 : time;
}

static inline status count_event(struct perfetto *perfetto)
{
    return ++perfetto->events % EVENTS_PER_CHECK == 0 ? output_status(perfetto->output) : STATUS_OK;
}

/* An event of `type` with everything that `slice` has. */
static status write_full(struct perfetto *perfetto, struct sequence *sequence, int64_t time, unsigned type,
                         const struct slice *slice, bool overview)
{
    unsigned char *start, *event, *to;
    uint32_t name;
    size_t size;
    status result;

    perfetto->annotation_count = perfetto->entry_count = perfetto->entry_bytes = 0;
    result = name_text(perfetto, &sequence->names, INTERNED_NAME, slice->name, &name);
    if (result == STATUS_OK && overview && !sequence->has_category) {
        sequence->has_category = true;
        result = add_entry(perfetto, INTERNED_CATEGORY, CATEGORY_IID, (struct text){ "overview", 8 });
    }
    if (result == STATUS_OK && perfetto->arguments)
        result = annotate_slice(perfetto, sequence, slice);
    if (result != STATUS_OK)
        return result;
    size = EVENT_ROOM + PROTO_LONGEST_VARINT + perfetto->annotation_count * ANNOTATION_ROOM +
           perfetto->entry_count * ENTRY_ROOM + perfetto->entry_bytes;
    start = claim(perfetto, size);
    if (!start)
        return status_no_memory("writing an event");
    to = sequence_packet(sequence, start, time);
    event = to = proto_open(to, PACKET_TRACK_EVENT);
    to = proto_number(to, EVENT_TYPE, type);
    to = proto_number(to, EVENT_NAME_IID, name);
    if (overview)
        to = proto_number(to, EVENT_CATEGORY_IID, CATEGORY_IID);
    if (slice->flow && perfetto->arguments)
        to = proto_fixed64(to, EVENT_FLOW, slice->flow);
    for (size_t i = 0; i < perfetto->annotation_count; i++)
        to = write_annotation(to, &perfetto->annotations[i]);
    to = proto_close(event, to);
    if (perfetto->entry_count)
        to = write_entries(perfetto, to);
    deliver(perfetto, start, proto_close(start + 2, to));
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
static inline unsigned char *put_arguments(const struct perfetto *perfetto, const struct sequence *sequence, unsigned char *to,
                                           const struct slice *slice)
{
    const struct operator *operator = announced_operator(&perfetto->announced, slice->operator);
    uint32_t used = 0;

    if (operator && operator->location) {
        uint32_t iid = id_map_get(&sequence->texts, operator->location);

        if (!iid)
            return NULL;
        used = 1u << ARGUMENT_LOCATION;
        to = put_text(to, ARGUMENT_LOCATION, iid);
        if (operator->type && operator->name != slice->name) {
            iid = id_map_get(&sequence->texts, operator->name);
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
        if (!argument_shown((enum argument_key)argument->key))
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
static unsigned char *write_known(const struct perfetto *perfetto, struct sequence *sequence, unsigned char *start, int64_t time,
                                  const struct slice *slice, uint32_t name)
{
    int64_t before = sequence->last;
    unsigned char *to = sequence_packet(sequence, start, time);
    unsigned char *event = to + 2;

    to[0] = PACKET_TRACK_EVENT << 3 | PROTO_LENGTH;
    event[0] = EVENT_TYPE << 3 | PROTO_VARINT;
    event[1] = TYPE_BEGIN;
    event[2] = EVENT_NAME_IID << 3 | PROTO_VARINT;
    to = proto_varint(event + 3, name);
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

static status perfetto_lane_begin(void *self, uint32_t lane, int64_t time, const struct slice *slice)
{
    struct perfetto *perfetto = self;
    struct sequence *sequence = perfetto->lane_sequences[lane];
    uint32_t name = id_map_get(&sequence->names, slice->name);
    unsigned char *start, *to;
    status result;

    if (name && !sequence->overview && slice->argument_count <= ARGUMENT_COUNT) {
        start = output_reserve(perfetto->output, EVENT_ROOM + (ARGUMENT_COUNT + 2) * ANNOTATION_ROOM);
        to = write_known(perfetto, sequence, start, time, slice, name);
        if (to) {
            output_advance(perfetto->output, (size_t)(to - start));
            return count_event(perfetto);
        }
    }
    result = write_full(perfetto, sequence, time, TYPE_BEGIN, slice, sequence->overview);
    return result == STATUS_OK ? count_event(perfetto) : result;
}

static status perfetto_lane_end(void *self, uint32_t lane, int64_t time)
{
    static const unsigned char event[] = { PACKET_TRACK_EVENT << 3 | PROTO_LENGTH, 2, EVENT_TYPE << 3 | PROTO_VARINT,
                                           TYPE_END };
    struct perfetto *perfetto = self;
    unsigned char *start = output_reserve(perfetto->output, EVENT_ROOM);
    unsigned char *to = sequence_packet(perfetto->lane_sequences[lane], start, time);

    memcpy(to, event, sizeof event);
    to += sizeof event;
    start[1] = (unsigned char)(to - start - 2);
    output_advance(perfetto->output, (size_t)(to - start));
    return count_event(perfetto);
}

/* --- the sink ----------------------------------------------------------------------------------------------------- */

static status perfetto_clock(void *self, clock_id id, const struct clock *clock)
{
    return announced_add_clock(&((struct perfetto *)self)->announced, id, clock);
}

static status perfetto_operator(void *self, const struct operator *operator)
{
    return announced_add_operator(&((struct perfetto *)self)->announced, operator);
}

static inline void note_time(struct perfetto *perfetto, int64_t time)
{
    if (time < perfetto->first)
        perfetto->first = time;
}

static status perfetto_slice(void *self, const struct slice *slice)
{
    struct perfetto *perfetto = self;
    status result = announced_check(&perfetto->announced, slice->track);
    const struct clock *clock;
    int64_t start;

    if (result != STATUS_OK)
        return result;
    clock = announced_track(&perfetto->announced, slice->track)->clock;
    start = visible(clock_ns(clock, slice->start));
    note_time(perfetto, start);
    return lanes_slice(perfetto->lanes, slice, start, visible(clock_ns(clock, slice->end)));
}

static status perfetto_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct perfetto *perfetto = self;
    status result = announced_check(&perfetto->announced, slice->track);
    int64_t time;

    if (result != STATUS_OK)
        return result;
    time = visible(clock_ns(announced_track(&perfetto->announced, slice->track)->clock, slice->start));
    note_time(perfetto, time);
    return lanes_begin(perfetto->lanes, id, parent, slice, time);
}

static status perfetto_end(void *self, open_id id, int64_t time)
{
    struct perfetto *perfetto = self;
    uint32_t lane = lanes_lane_of(perfetto->lanes, id);

    if (lane == NO_ID)
        return announced_unknown(NO_ID);
    return lanes_end(perfetto->lanes, id, visible(clock_ns(perfetto->lane_sequences[lane]->clock, time)));
}

/* Instants have a lane of their own: an importer closes slices that touch one. */
static status perfetto_instant(void *self, const struct slice *slice)
{
    struct perfetto *perfetto = self;
    status result = announced_check(&perfetto->announced, slice->track);
    const struct announced_track *track;
    struct drawn_track *drawn;
    uint64_t uuid;
    int64_t time;

    if (result != STATUS_OK)
        return result;
    track = announced_track(&perfetto->announced, slice->track);
    drawn = drawn_at(perfetto, slice->track);
    time = visible(clock_ns(track->clock, slice->start));
    note_time(perfetto, time);
    if (drawn->instants == NO_ID) {
        result = write_track(perfetto, slice->track, &uuid);
        if (result == STATUS_OK)
            result = new_sequence(perfetto, false, uuid, NULL, &drawn->instants);
        if (result != STATUS_OK)
            return result;
    }
    return write_full(perfetto, sequence_at(perfetto, drawn->instants), time, TYPE_INSTANT, slice,
                      track->track.engine == ENGINE_OVERVIEW);
}

static status perfetto_counter(void *self, track_id id, int64_t time, int64_t value)
{
    struct perfetto *perfetto = self;
    status result = announced_check(&perfetto->announced, id);
    struct drawn_track *drawn;
    unsigned char *start, *event, *to;

    if (result != STATUS_OK)
        return result;
    drawn = drawn_at(perfetto, id);
    if (drawn->values == NO_ID) {
        result = ensure_track(perfetto, id);
        if (result == STATUS_OK)
            result = new_sequence(perfetto, false, drawn->uuid, NULL, &drawn->values);
        if (result != STATUS_OK)
            return result;
    }
    start = output_reserve(perfetto->output, EVENT_ROOM);
    time = visible(clock_ns(announced_track(&perfetto->announced, id)->clock, time));
    to = sequence_packet(sequence_at(perfetto, drawn->values), start, time);
    event = to = proto_open(to, PACKET_TRACK_EVENT);
    to = proto_number(to, EVENT_TYPE, TYPE_COUNTER);
    to = proto_number(to, EVENT_COUNTER_VALUE, (uint64_t)value);
    to = proto_close(event, to);
    output_advance(perfetto->output, (size_t)(proto_close(start + 2, to) - start));
    return STATUS_OK;
}

static void write_loss(struct perfetto *perfetto, struct sequence *sequence, const struct losses *losses,
                       enum loss_reason reason)
{
    enum { LONGEST = 256 };
    uint64_t count = losses->by_reason[reason].count;
    unsigned char *start = output_reserve(perfetto->output, EVENT_ROOM + LONGEST);
    unsigned char *event, *to;
    char name[LONGEST];
    int length = snprintf(name, sizeof name, "%llu row%s%s: %s", (unsigned long long)count, count == 1 ? "" : "s",
                          loss_kept(reason) ? "" : " lost", loss_text(reason));

    to = sequence_packet(sequence, start, perfetto->first == INT64_MAX ? 0 : perfetto->first);
    event = to = proto_open(to, PACKET_TRACK_EVENT);
    to = proto_number(to, EVENT_TYPE, TYPE_INSTANT);
    to = proto_text(to, EVENT_NAME, name, length < LONGEST ? (size_t)length : LONGEST - 1);
    to = proto_close(event, to);
    output_advance(perfetto->output, (size_t)(proto_close(start + 2, to) - start));
}

/* What was lost is shown where the input begins, on a track of its own. */
static status perfetto_loss(void *self, const struct losses *losses)
{
    struct perfetto *perfetto = self;
    track_id process = perfetto->announced.process;
    struct descriptor descriptor = { .name = { "Losses", 6 }, .rank = INT32_MAX };
    uint64_t uuid;
    uint32_t index;
    status result;

    if (!losses_total(losses))
        return STATUS_OK;
    if (process != NO_ID)
        descriptor.parent = drawn_at(perfetto, process)->uuid;
    result = write_descriptor(perfetto, &descriptor, &uuid);
    if (result == STATUS_OK)
        result = new_sequence(perfetto, false, uuid, NULL, &index);
    if (result != STATUS_OK)
        return result;
    for (unsigned reason = 0; reason < LOSS_COUNT; reason++) {
        if (losses->by_reason[reason].count)
            write_loss(perfetto, sequence_at(perfetto, index), losses, (enum loss_reason)reason);
    }
    return STATUS_OK;
}

static status perfetto_finish(void *self)
{
    struct perfetto *perfetto = self;
    status result = lanes_finish(perfetto->lanes);

    return result == STATUS_OK ? output_status(perfetto->output) : result;
}

static const struct sink_calls perfetto_calls = {
    .clock = perfetto_clock,
    .track = perfetto_track,
    .operator = perfetto_operator,
    .slice = perfetto_slice,
    .begin = perfetto_begin,
    .end = perfetto_end,
    .instant = perfetto_instant,
    .counter = perfetto_counter,
    .loss = perfetto_loss,
    .finish = perfetto_finish,
};

static const struct lanes_calls perfetto_lanes = {
    .lane = perfetto_lane,
    .begin = perfetto_lane_begin,
    .end = perfetto_lane_end,
};

/* --- the format --------------------------------------------------------------------------------------------------- */

static void perfetto_free(void *self)
{
    struct perfetto *perfetto = self;

    for (size_t i = 0; i < perfetto->sequences.count; i++)
        sequence_free(sequence_at(perfetto, (uint32_t)i));
    column_free(&perfetto->sequences);
    column_free(&perfetto->drawn);
    announced_free(&perfetto->announced);
    lanes_free(perfetto->lanes);
    memory_free(perfetto->lane_sequences);
    memory_free(perfetto->annotations);
    memory_free(perfetto->entries);
    memory_free(perfetto->scratch);
    memory_free(perfetto);
}

static uint64_t perfetto_events(const void *self)
{
    return ((const struct perfetto *)self)->events;
}

static status perfetto_open(struct output *output, struct strings *strings, const struct writer_options *options,
                            struct writer *writer)
{
    struct perfetto *perfetto = memory_allocate_clear(sizeof *perfetto);
    status result;

    if (!perfetto)
        return status_no_memory("preparing a trace");
    perfetto->output = output;
    perfetto->strings = strings;
    perfetto->arguments = options->arguments;
    perfetto->first = INT64_MAX;
    announced_start(&perfetto->announced);
    column_start(&perfetto->sequences, sizeof(struct sequence));
    column_start(&perfetto->drawn, sizeof(struct drawn_track));
    result = lanes_new(&perfetto_lanes, perfetto, &perfetto->lanes);
    if (result != STATUS_OK) {
        perfetto_free(perfetto);
        return result;
    }
    *writer = (struct writer){
        .sink = { &perfetto_calls, perfetto },
        .self = perfetto,
        .free = perfetto_free,
        .events = perfetto_events,
    };
    return STATUS_OK;
}

static const char *const suffixes[] = { ".pb", ".pftrace", ".perfetto-trace", NULL };

const struct writer_format perfetto_format = {
    .id = "perfetto",
    .title = "Perfetto trace",
    .suffixes = suffixes,
    .drawn = true,
    .open = perfetto_open,
};
