/* perfetto_own.c: what only Tacho reads of its traces: which track a descriptor shows and what that is, clocks, operators, runs, steps, what is known of
 * an input and what was lost of it.
 *
 * All of it stands in fields that other viewers skip: see trace/perfetto_fields.h.
 */
#include <assert.h>

#include "write/perfetto_writer.h"

enum {
    OWN_ROOM = 256,   /* a packet without its texts */
    STEP_ROOM = 32,   /* a step: three numbers */
    STEPS_HELD = 8192 /* that wait for their ends */
};

/* A step that was not written yet. */
struct held_step {
    uint32_t key;       /* a small number for each distinct one */
    int64_t start, end; /* ticks */
    bool lost;          /* the end is a guess */
};

/* ---- Packets ---- */

/* A packet with one message of ours: where its body goes. NULL: out of memory. */
static unsigned char *open_own(struct perfetto *perfetto, struct own_packet *packet, size_t size, uint32_t field)
{
    packet->start = perfetto_claim(perfetto, OWN_ROOM + size);
    if (!packet->start)
        return NULL;
    packet->packet = proto_open(packet->start, TRACE_PACKET);
    packet->own = proto_open(packet->packet, PACKET_OWN);
    packet->body = proto_open(packet->own, field);
    return packet->body;
}

static void close_own(struct perfetto *perfetto, const struct own_packet *packet, unsigned char *end)
{
    end = proto_close(packet->own, proto_close(packet->body, end));
    perfetto_deliver(perfetto, packet->start, proto_close(packet->packet, end));
}

void perfetto_own_inputs(struct perfetto *perfetto, const char *const *names, size_t count)
{
    unsigned char *start, *packet, *own, *to;
    size_t size = OWN_ROOM;

    for (size_t i = 0; i < count; i++)
        size += strlen(names[i]) + 16;
    start = perfetto_claim(perfetto, size);
    if (!start)
        return; /* the output says so */
    packet = proto_open(start, TRACE_PACKET);
    own = to = proto_open(packet, PACKET_OWN);
    for (size_t i = 0; i < count; i++)
        to = proto_text(to, OWN_INPUT, names[i], strlen(names[i]));
    perfetto_deliver(perfetto, start, proto_close(packet, proto_close(own, to)));
}

static size_t length_of(const struct perfetto *perfetto, string_id id)
{
    return strings_get(perfetto->strings, id).length;
}

/* Nothing where it is empty. */
static unsigned char *put_text(const struct perfetto *perfetto, unsigned char *to, uint32_t field, string_id id)
{
    return id ? perfetto_text(to, field, strings_get(perfetto->strings, id)) : to;
}

static unsigned char *put_words(unsigned char *to, uint32_t field, const char *words)
{
    return words ? proto_text(to, field, words, strlen(words)) : to;
}

static unsigned char *put_if(unsigned char *to, uint32_t field, uint64_t value)
{
    return value ? proto_number(to, field, value) : to;
}

/* ---- Clocks ---- */

static status write_clock(struct perfetto *perfetto, clock_id id)
{
    const struct clock *clock = column_at(&perfetto->announced.clocks, id);
    struct own_packet packet;
    unsigned char *to = open_own(perfetto, &packet, length_of(perfetto, clock->name), OWN_CLOCK);

    if (!to)
        return status_no_memory("writing a clock");
    to = proto_number(to, OWN_CLOCK_ID, perfetto->clocks[id]);
    to = proto_number(to, OWN_CLOCK_NUMERATOR, clock->numerator);
    to = proto_number(to, OWN_CLOCK_DENOMINATOR, clock->denominator);
    to = put_if(to, OWN_CLOCK_OFFSET, (uint64_t)clock->offset);
    to = put_text(perfetto, to, OWN_CLOCK_NAME, clock->name);
    close_own(perfetto, &packet, to);
    return STATUS_OK;
}

/* Clocks are written once something names them. */
static status ensure_clock(struct perfetto *perfetto, clock_id id)
{
    status result = STATUS_OK;

    if (id == NO_ID)
        return STATUS_OK;
    if (id >= perfetto->clock_capacity || !perfetto->clocks[id])
        result =
            memory_grow_clear(&perfetto->clocks, &perfetto->clock_capacity, (size_t)id + 1, sizeof *perfetto->clocks);
    if (result == STATUS_OK && !perfetto->clocks[id]) {
        perfetto->clocks[id] = ++perfetto->clock_count;
        result = write_clock(perfetto, id);
    }
    return result;
}

/* Of a clock that was written. */
static uint32_t clock_number(const struct perfetto *perfetto, clock_id id)
{
    assert(id == NO_ID || perfetto->clocks[id]);
    return id == NO_ID ? 0 : perfetto->clocks[id];
}

/* ---- Tracks ---- */

size_t perfetto_own_size(const struct perfetto *perfetto, track_id id)
{
    const struct track *track = &announced_track(&perfetto->announced, id)->track;

    return OWN_ROOM + length_of(perfetto, track->name) + (track->engine ? strlen(track->engine->key) : 0) +
           (track->unit ? strlen(track->unit) : 0) + (track->description ? strlen(track->description) : 0);
}

status perfetto_own_prepare(struct perfetto *perfetto, track_id id)
{
    return ensure_clock(perfetto, announced_track(&perfetto->announced, id)->track.clock);
}

/* `name`: that of the descriptor around it. */
static unsigned char *put_track(struct perfetto *perfetto, unsigned char *to, track_id id, enum own_role role,
                                struct text name)
{
    const struct track *track = &announced_track(&perfetto->announced, id)->track;
    struct drawn_track *drawn = perfetto_drawn(perfetto, id);
    struct text own = strings_get(perfetto->strings, track->name);

    to = proto_number(to, OWN_TRACK_ID, (uint64_t)id + 1);
    to = put_if(to, OWN_TRACK_ROLE, role);
    if (drawn->told || role == OWN_ROLE_LOSSES)
        return to;
    drawn->told = true;
    to = put_if(to, OWN_TRACK_PARENT, track->parent == NO_ID ? 0 : (uint64_t)track->parent + 1);
    to = proto_number(to, OWN_TRACK_KIND, (uint64_t)track->kind + 1);
    to = put_words(to, OWN_TRACK_ENGINE, track->engine ? track->engine->key : NULL);
    to = put_if(to, OWN_TRACK_INDEX, track->index);
    to = put_if(to, OWN_TRACK_CLOCK, clock_number(perfetto, track->clock));
    to = put_if(to, OWN_TRACK_ORDER, (uint64_t)(int64_t)track->order);
    to = put_if(to, OWN_TRACK_UNORDERED, track->unordered);
    to = put_if(to, OWN_TRACK_DECIMAL, track->decimal);
    to = put_words(to, OWN_TRACK_UNIT, track->unit);
    to = put_words(to, OWN_TRACK_DESCRIPTION, track->description);
    to = put_if(to, OWN_TRACK_INSIDE, track->inside);
    if (own.length != name.length || memcmp(own.data, name.data, own.length) != 0)
        to = perfetto_text(to, OWN_TRACK_NAME, own);
    return to;
}

unsigned char *perfetto_own_track(struct perfetto *perfetto, unsigned char *to, track_id id, enum own_role role,
                                  struct text name)
{
    unsigned char *body = to = proto_open(to, DESCRIPTOR_OWN);

    return proto_close(body, put_track(perfetto, to, id, role, name));
}

/* Tracks on which nothing came: viewers need not show them, but that they are there says something, too. */
status perfetto_own_empty_tracks(struct perfetto *perfetto)
{
    for (size_t i = 0; i < perfetto->announced.tracks.count; i++) {
        struct own_packet packet;
        unsigned char *to;
        status result;

        if (perfetto_drawn(perfetto, (track_id)i)->told)
            continue;
        result = perfetto_own_prepare(perfetto, (track_id)i);
        if (result != STATUS_OK)
            return result;
        to = open_own(perfetto, &packet, perfetto_own_size(perfetto, (track_id)i), OWN_TRACK);
        if (!to)
            return status_no_memory("writing a track");
        close_own(perfetto, &packet,
                  put_track(perfetto, to, (track_id)i, OWN_ROLE_TRACK, (struct text){ .data = "", .length = 0 }));
    }
    return STATUS_OK;
}

static uint64_t process_number(const struct perfetto *perfetto)
{
    return perfetto->announced.process == NO_ID ? 0 : (uint64_t)perfetto->announced.process + 1;
}

/* ---- Operators and runs ---- */

status perfetto_operator(void *self, const struct op *op)
{
    struct perfetto *perfetto = self;
    const struct {
        uint32_t field; /* of the message */
        string_id text; /* what goes there */
    } texts[] = {
        { OWN_OPERATOR_NAME, op->name },         { OWN_OPERATOR_TYPE, op->type },
        { OWN_OPERATOR_LOCATION, op->location }, { OWN_OPERATOR_PLACE, op->place },
        { OWN_OPERATOR_FILE, op->file },         { OWN_OPERATOR_CATEGORY, op->category },
        { OWN_OPERATOR_MODULE, op->module },     { OWN_OPERATOR_KERNEL, op->kernel },
        { OWN_OPERATOR_SHAPES, op->shapes },
    };
    status result = announced_add_operator(self, op);
    struct own_packet packet;
    unsigned char *to;
    size_t size = 0;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        size += length_of(perfetto, texts[i].text);
    if (result != STATUS_OK)
        return result;
    to = open_own(perfetto, &packet, size, OWN_OPERATOR);
    if (!to)
        return status_no_memory("writing an operator");
    to = proto_number(to, OWN_OPERATOR_ID, (uint64_t)op->id + 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        to = put_text(perfetto, to, texts[i].field, texts[i].text);
    to = put_if(to, OWN_OPERATOR_LINE, op->line);
    to = put_if(to, OWN_OPERATOR_COLUMN, op->column);
    close_own(perfetto, &packet, to);
    return STATUS_OK;
}

status perfetto_run(void *self, const struct run *run)
{
    struct perfetto *perfetto = self;
    struct own_packet packet;
    status result = ensure_clock(perfetto, run->clock);
    unsigned char *to;

    if (result != STATUS_OK)
        return result;
    to = open_own(perfetto, &packet, 0, OWN_RUN);
    if (!to)
        return status_no_memory("writing a run");
    to = put_if(to, OWN_RUN_PROCESS, process_number(perfetto));
    to = put_if(to, OWN_RUN_LAUNCH, run->launch);
    to = put_if(to, OWN_RUN_INDEX, run->index);
    to = put_if(to, OWN_RUN_CLOCK, clock_number(perfetto, run->clock));
    to = put_if(to, OWN_RUN_START, (uint64_t)run->start);
    to = put_if(to, OWN_RUN_END, (uint64_t)run->end);
    close_own(perfetto, &packet, to);
    return STATUS_OK;
}

/* ---- Steps ---- */

static status write_lost(struct perfetto *perfetto, step_id id)
{
    struct own_packet packet;
    unsigned char *to = open_own(perfetto, &packet, STEP_ROOM, OWN_STEP_ENDS);

    if (!to)
        return status_no_memory("writing the end of a step");
    close_own(perfetto, &packet, proto_number(to, OWN_STEP_ENDS_LOST, id));
    return STATUS_OK;
}

/* Writes the steps that are held. The end of one that has none yet comes in a packet of its own. */
static status flush_steps(struct perfetto *perfetto)
{
    struct own_steps *steps = &perfetto->steps;
    struct own_packet packet;
    unsigned char *to, *rows;
    int64_t before = 0;
    status result = STATUS_OK;

    if (!steps->count)
        return STATUS_OK;
    to = open_own(perfetto, &packet, steps->count * STEP_ROOM, OWN_STEPS);
    if (!to)
        return status_no_memory("writing steps");
    to = put_if(to, OWN_STEPS_PROCESS, steps->process);
    to = put_if(to, OWN_STEPS_CLOCK, clock_number(perfetto, steps->clock));
    to = proto_number(to, OWN_STEPS_FIRST, steps->first);
    rows = to = proto_open(to, OWN_STEPS_ROWS);
    for (size_t i = 0; i < steps->count; i++) {
        const struct held_step *step = &steps->held[i];
        int64_t delta = step->start - before;

        to = proto_varint(to, step->key);
        to = proto_varint(to, (uint64_t)delta << 1 ^ (uint64_t)(delta >> 63));
        to = proto_varint(to, step->end > step->start ? (uint64_t)(step->end - step->start) : 0);
        before = step->start;
    }
    close_own(perfetto, &packet, proto_close(rows, to));
    for (size_t i = 0; i < steps->count && result == STATUS_OK; i++)
        if (steps->held[i].lost)
            result = write_lost(perfetto, steps->first + (step_id)i);
    steps->first += (uint32_t)steps->count;
    steps->count = 0;
    return result;
}

status perfetto_step(void *self, step_id id, const struct step *step)
{
    struct perfetto *perfetto = self;
    struct own_steps *steps = &perfetto->steps;
    uint32_t *key = number_map_at(&steps->keys, step->key, 0);
    status result = key ? ensure_clock(perfetto, step->clock) : status_no_memory("keeping steps");

    if (result == STATUS_OK &&
        (steps->count == STEPS_HELD || steps->clock != step->clock || steps->process != process_number(perfetto)))
        result = flush_steps(perfetto);
    if (result == STATUS_OK)
        result = memory_grow(&steps->held, &steps->capacity, steps->count + 1, sizeof *steps->held);
    if (result != STATUS_OK)
        return result;
    if (*key == MAP_NONE)
        *key = (uint32_t)number_map_count(&steps->keys);
    assert(id == steps->first + steps->count && "ids of steps are dense");
    (void)id;
    steps->clock = step->clock;
    steps->process = process_number(perfetto);
    steps->held[steps->count++] = (struct held_step){ .key = *key, .start = step->start, .end = step->end };
    return STATUS_OK;
}

status perfetto_step_end(void *self, step_id id, int64_t time)
{
    struct perfetto *perfetto = self;
    struct own_steps *steps = &perfetto->steps;
    struct own_packet packet;
    unsigned char *to, *rows;

    assert(id < steps->first + steps->count);
    if (id >= steps->first) {
        steps->held[id - steps->first].end = time;
        return STATUS_OK;
    }
    to = open_own(perfetto, &packet, STEP_ROOM, OWN_STEP_ENDS);
    if (!to)
        return status_no_memory("writing the end of a step");
    rows = to = proto_open(to, OWN_STEP_ENDS_ROWS);
    to = proto_varint(proto_varint(to, id), (uint64_t)time);
    close_own(perfetto, &packet, proto_close(rows, to));
    return STATUS_OK;
}

status perfetto_step_lost(void *self, step_id id)
{
    struct perfetto *perfetto = self;
    struct own_steps *steps = &perfetto->steps;

    assert(id < steps->first + steps->count);
    if (id < steps->first)
        return write_lost(perfetto, id);
    steps->held[id - steps->first].lost = true;
    return STATUS_OK;
}

/* ---- The input as a whole ---- */

status perfetto_about(void *self, const struct about *about)
{
    struct perfetto *perfetto = self;
    const char *const texts[] = { about->chain, about->generation, about->failed };
    struct own_packet packet;
    unsigned char *to;
    size_t size = 0;
    status result = flush_steps(perfetto);

    if (result != STATUS_OK)
        return result;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        size += texts[i] ? strlen(texts[i]) : 0;
    for (unsigned i = 0; i < about->note_count; i++)
        size += strlen(about->notes[i]) + PROTO_FIELD_ROOM;
    to = open_own(perfetto, &packet, size, OWN_ABOUT);
    if (!to)
        return status_no_memory("writing what is known of an input");
    to = put_if(to, OWN_ABOUT_PROCESS, process_number(perfetto));
    to = put_words(to, OWN_ABOUT_CHAIN, about->chain);
    to = put_if(to, OWN_ABOUT_ESTIMATE, about->estimate);
    to = put_if(to, OWN_ABOUT_ENGINES, about->engines_known);
    to = put_words(to, OWN_ABOUT_GENERATION, about->generation);
    to = put_words(to, OWN_ABOUT_FAILED, about->failed);
    for (unsigned i = 0; i < about->note_count; i++)
        to = put_words(to, OWN_ABOUT_NOTE, about->notes[i]);
    close_own(perfetto, &packet, to);
    return STATUS_OK;
}

static unsigned char *put_reason(unsigned char *to, const struct loss *loss)
{
    unsigned char *body = to = proto_open(to, OWN_LOSSES_REASON);

    to = put_words(to, OWN_REASON_TEXT, loss->reason->text);
    to = put_if(to, OWN_REASON_KEPT, loss->reason->kept);
    to = proto_number(to, OWN_REASON_COUNT, loss->count);
    for (unsigned i = 0; i < LOSS_LINES && loss->lines[i]; i++)
        to = proto_number(to, OWN_REASON_PLACE, loss->lines[i]);
    return proto_close(body, to);
}

status perfetto_own_losses(struct perfetto *perfetto, const struct losses *losses)
{
    struct own_packet packet;
    unsigned char *to;
    size_t size = 0;

    for (unsigned i = 0; i < losses->reason_count; i++)
        size += OWN_ROOM + strlen(losses->reasons[i].reason->text);
    to = open_own(perfetto, &packet, size, OWN_LOSSES);
    if (!to)
        return status_no_memory("writing losses");
    to = put_if(to, OWN_LOSSES_PROCESS, process_number(perfetto));
    to = put_if(to, OWN_LOSSES_ROWS, losses->rows);
    to = put_if(to, OWN_LOSSES_USED, losses->used);
    to = put_if(to, OWN_LOSSES_LOST, losses->lost);
    for (unsigned i = 0; i < losses->reason_count; i++)
        to = put_reason(to, &losses->reasons[i]);
    close_own(perfetto, &packet, to);
    return STATUS_OK;
}
