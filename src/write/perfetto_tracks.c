/* perfetto_tracks.c: descriptors of groups, lanes and counters, and the packet sequences of their events.
 *
 * Viewers show tracks directly below a process or a thread by name, whatever their ranks say; only below a plain track that orders its
 * children explicitly do ranks count. So an input is a plain top-level track, and no descriptor here is that of a process.
 */
#include <assert.h>

#include "table/cell.h"
#include "write/perfetto_writer.h"

enum { DESCRIPTOR_ROOM = 256 }; /* a descriptor packet without its texts */

/* --- descriptors -------------------------------------------------------------------------------------------------- */

unsigned char *perfetto_text(unsigned char *to, uint32_t field, struct text text)
{
    unsigned char *end = proto_text(to, field, text.data, text.length);

    utf8_mend((char *)end - text.length, text.length);
    return end;
}

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
    struct text name;   /* borrowed */
    uint64_t parent;    /* uuid; 0: none */
    int32_t rank;       /* among its siblings */
    bool counter;       /* it has values */
    const char *unit;   /* of these; NULL: none */
    const char *about;  /* what it shows; NULL: the name says it */
    track_id track;     /* that it shows; NO_ID: none of the input's */
    enum own_role role; /* what of it */
};

static status write_descriptor(struct perfetto *perfetto, const struct descriptor *descriptor, uint64_t *uuid)
{
    size_t about = descriptor->about ? strlen(descriptor->about) : 0;
    size_t size = DESCRIPTOR_ROOM + descriptor->name.length + about + (descriptor->unit ? strlen(descriptor->unit) : 0);
    unsigned char *start, *to, *packet, *body, *part;
    bool own = descriptor->track != NO_ID;
    status result = own ? perfetto_own_prepare(perfetto, descriptor->track) : STATUS_OK;

    if (result != STATUS_OK)
        return result;
    start = perfetto_claim(perfetto, size + (own ? perfetto_own_size(perfetto, descriptor->track) : 0));
    if (!start)
        return status_no_memory("writing a track");
    *uuid = ++perfetto->last_uuid;
    packet = to = proto_open(start, TRACE_PACKET);
    body = to = proto_open(to, PACKET_TRACK_DESCRIPTOR);
    to = proto_number(to, DESCRIPTOR_UUID, *uuid);
    to = perfetto_text(to, DESCRIPTOR_NAME, descriptor->name);
    if (descriptor->parent)
        to = proto_number(to, DESCRIPTOR_PARENT, descriptor->parent);
    if (descriptor->counter) {
        part = to = proto_open(to, DESCRIPTOR_COUNTER);
        to = write_unit(to, descriptor->unit);
        to = proto_close(part, to);
    }
    to = proto_number(to, DESCRIPTOR_CHILD_ORDERING, ORDERING_EXPLICIT);
    to = proto_number(to, DESCRIPTOR_RANK, (uint64_t)(int64_t)descriptor->rank);
    if (about)
        to = proto_text(to, DESCRIPTOR_DESCRIPTION, descriptor->about, about);
    if (own)
        to = perfetto_own_track(perfetto, to, descriptor->track, descriptor->role, descriptor->name);
    to = proto_close(body, to);
    perfetto_deliver(perfetto, start, proto_close(packet, to));
    return STATUS_OK;
}

/* What a track shows: it is said once, on its first descriptor, since all its lanes are shown as one. Lines that come in thousands leave it
 * to their group. */
static const char *describe(struct perfetto *perfetto, track_id id)
{
    const struct track *track = &announced_track(&perfetto->announced, id)->track;
    struct drawn_track *drawn = perfetto_drawn(perfetto, id);
    bool of_many = track->engine && track->engine->few && track->kind == TRACK_SLICES;

    if (drawn->described)
        return NULL;
    drawn->described = true;
    if (track->description)
        return track->description;
    return track->engine && !of_many ? track->engine->description : NULL;
}

/* A descriptor for (a part of) an announced track: the track itself, or one of its lanes. */
static status write_track(struct perfetto *perfetto, track_id id, enum own_role role, uint64_t *uuid)
{
    track_id line = announced_track(&perfetto->announced, id)->line;
    const struct track *track = &announced_track(&perfetto->announced, line)->track;
    struct descriptor descriptor = {
        .name = strings_get(perfetto->strings, track->name),
        .rank = track->order,
        .counter = track->kind == TRACK_COUNTER,
        .unit = track->kind == TRACK_COUNTER ? track->unit : NULL,
        .about = describe(perfetto, line),
        .track = line,
        .role = role,
    };
    bool is_group = track->kind == TRACK_PROCESS || track->kind == TRACK_GROUP;

    /* A group that has slices of its own shows them on a line inside. */
    if (is_group && perfetto_drawn(perfetto, line)->uuid)
        descriptor.parent = perfetto_drawn(perfetto, line)->uuid;
    else if (track->parent < perfetto->drawn.count)
        descriptor.parent = perfetto_drawn(perfetto, track->parent)->uuid;
    return write_descriptor(perfetto, &descriptor, uuid);
}

/* What the descriptor of a track is for that is needed before its first slice: of its slices, too, as they will come. */
static enum own_role usual_role(const struct perfetto *perfetto, track_id id)
{
    const struct track *track = &announced_track(&perfetto->announced, id)->track;

    if (track->kind != TRACK_SLICES)
        return OWN_ROLE_TRACK;
    return track->engine && track->engine->nested ? OWN_ROLE_BEGUN : OWN_ROLE_WHOLE;
}

/* A descriptor for the track itself, unless it has one. */
static status ensure_track(struct perfetto *perfetto, track_id id, enum own_role role)
{
    uint64_t uuid;
    status result;

    if (perfetto_drawn(perfetto, id)->uuid)
        return STATUS_OK;
    result = write_track(perfetto, id, role, &uuid);
    if (result == STATUS_OK)
        perfetto_drawn(perfetto, id)->uuid = uuid;
    return result;
}

status perfetto_track(void *self, const struct track *track)
{
    struct perfetto *perfetto = self;
    status result = announced_add_track(self, track);

    while (result == STATUS_OK && perfetto->drawn.count <= track->id) {
        struct drawn_track *drawn = column_append(&perfetto->drawn);

        if (!drawn)
            return status_no_memory("remembering a track");
        *drawn = (struct drawn_track){ .uuid = 0 };
    }
    if (result == STATUS_OK)
        result = announced_categories(track, perfetto->strings, perfetto_drawn(perfetto, track->id)->categories);
    if (result == STATUS_OK && track->parent < track->id && !track->inside)
        result = ensure_track(perfetto, track->parent,
                              usual_role(perfetto, track->parent)); /* a parent must be there before its children */
    if (result != STATUS_OK || track->kind == TRACK_SLICES || track->kind == TRACK_COUNTER)
        return result;
    if (track->kind == TRACK_PROCESS)
        perfetto->first = INT64_MAX;
    return ensure_track(perfetto, track->id, OWN_ROLE_TRACK);
}

/* --- sequences ---------------------------------------------------------------------------------------------------- */

/* `uuid`: track of all its events; 0: they name their tracks. `clock`: of the track, to choose the unit of its differences;
 * NULL: nanoseconds. */
static status new_sequence(struct perfetto *perfetto, bool absolute, uint64_t uuid, const struct clock *clock,
                           struct sequence **result)
{
    struct sequence *sequence = column_append(&perfetto->sequences);
    unsigned char *packet;
    bool micro;

    assert(!*result && "a sequence is made once");
    if (!sequence)
        return status_no_memory("starting a lane");
    micro = clock && clock->denominator == 1 && clock->numerator % 1000 == 0 && clock->offset % 1000 == 0;
    sequence_start(sequence, (uint32_t)perfetto->sequences.count, absolute, micro);
    packet = output_reserve(perfetto->output, 2 * EVENT_ROOM);
    output_advance(perfetto->output, (size_t)(sequence_write_start(sequence, packet, uuid) - packet));
    *result = sequence;
    return STATUS_OK;
}

/* The descriptor of a lane. That of the first one is the track's own: what stands below the track stands below that. */
static status write_lane(struct perfetto *perfetto, track_id track, enum own_role role, uint64_t *uuid)
{
    struct drawn_track *drawn = perfetto_drawn(perfetto, track);
    bool own = !drawn->laned && announced_track(&perfetto->announced, track)->track.kind == TRACK_SLICES;
    status result = STATUS_OK;

    drawn->laned = true;
    if (!own || (drawn->uuid && role != usual_role(perfetto, track)))
        return write_track(perfetto, track, role, uuid);
    result = ensure_track(perfetto, track, role);
    *uuid = perfetto_drawn(perfetto, track)->uuid;
    return result;
}

struct written_time perfetto_time(const struct clock *clock, int64_t ticks)
{
    int64_t ns = clock_ns(clock, ticks);
    struct written_time time = { .ns = ns < 0 ? 0 : ns };

    if (clock->numerator < clock->denominator || ns < 0)
        time.rest = ticks - clock_ticks(clock, time.ns);
    return time;
}

void perfetto_line_clock(struct line *line, const struct clock *clock)
{
    uint64_t below = clock->denominator;

    assert(clock->numerator && below);
    line->clock = clock;
    line->multiplier = below & (below - 1) || clock->numerator < below || clock->offset < 0 ? 0 : clock->numerator;
    line->shift = (unsigned)__builtin_ctzll(below);
}

status perfetto_lane(void *self, uint32_t lane, track_id track, enum lane_kind kind)
{
    static const enum own_role roles[] = {
        [LANE_WHOLE] = OWN_ROLE_WHOLE, [LANE_BEGUN] = OWN_ROLE_BEGUN, [LANE_LATE] = OWN_ROLE_LATE
    };
    struct perfetto *perfetto = self;
    const struct announced_track *announced = announced_track(&perfetto->announced, track);
    struct line line = {
        .track = track,
        .categorised = perfetto_drawn(perfetto, track)->categories[0] != 0,
    };
    uint64_t uuid;
    status result = memory_grow(&perfetto->lines, &perfetto->line_capacity, (size_t)lane + 1, sizeof *perfetto->lines);

    assert(announced->track.kind != TRACK_COUNTER && "a counter has values, no slices");
    perfetto_line_clock(&line, announced->clock);
    if (result == STATUS_OK)
        result = write_lane(perfetto, track, roles[kind], &uuid);
    if (result != STATUS_OK)
        return result;
    /* A sequence for each of thousands of tracks would be mostly its own start, and hold the same texts again and again. */
    if (announced->track.engine && announced->track.engine->few) {
        if (!perfetto->shared)
            result = new_sequence(perfetto, true, 0, NULL, &perfetto->shared);
        line.sequence = perfetto->shared;
        line.uuid = uuid;
    } else {
        result = new_sequence(perfetto, kind == LANE_LATE, uuid, announced->clock, &line.sequence);
    }
    if (result == STATUS_OK)
        perfetto->lines[lane] = line;
    return result;
}

status perfetto_instants(struct perfetto *perfetto, track_id id, int64_t time, struct sequence **sequence)
{
    struct instants *instants = &perfetto_drawn(perfetto, id)->instants;
    uint32_t lane = instant_lane(&instants->place, time);
    status result = STATUS_OK;
    uint64_t uuid;

    if (lane == instants->count) {
        result = memory_grow(&instants->lanes, &instants->capacity, (size_t)lane + 1, sizeof *instants->lanes);
        if (result == STATUS_OK)
            result = write_track(perfetto, id, OWN_ROLE_INSTANT, &uuid);
        if (result != STATUS_OK)
            return result;
        instants->lanes[lane] = NULL;
        result = new_sequence(perfetto, false, uuid, NULL, &instants->lanes[lane]);
        instants->count += result == STATUS_OK;
    }
    assert(result != STATUS_OK || lane < instants->count);
    if (result == STATUS_OK)
        *sequence = instants->lanes[lane];
    return result;
}

status perfetto_values(struct perfetto *perfetto, track_id id, struct sequence **sequence)
{
    struct drawn_track *drawn = perfetto_drawn(perfetto, id);
    status result = STATUS_OK;

    assert(announced_track(&perfetto->announced, id)->track.kind == TRACK_COUNTER);
    if (!drawn->values) {
        result = ensure_track(perfetto, id, OWN_ROLE_TRACK);
        if (result == STATUS_OK)
            result = new_sequence(perfetto, false, drawn->uuid, NULL, &drawn->values);
    }
    *sequence = drawn->values;
    return result;
}

status perfetto_losses(struct perfetto *perfetto, struct sequence **sequence)
{
    track_id process = perfetto->announced.process;
    struct descriptor descriptor = {
        .name = { "Losses", 6 },
        .rank = INT32_MAX,
        .about = "rows of the input that could not be used as they stand, by reason, where the input begins",
        .track = process,
        .role = OWN_ROLE_LOSSES,
    };
    uint64_t uuid;
    status result;

    assert(process == NO_ID || perfetto_drawn(perfetto, process)->uuid);
    if (process != NO_ID)
        descriptor.parent = perfetto_drawn(perfetto, process)->uuid;
    result = write_descriptor(perfetto, &descriptor, &uuid);
    return result == STATUS_OK ? new_sequence(perfetto, false, uuid, NULL, sequence) : result;
}
