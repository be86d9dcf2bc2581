/* perfetto_whole.c: slices that Tacho got whole, told whole again. */
#include "read/perfetto_whole.h"

#include <assert.h>

#include "base/memory.h"
#include "read/perfetto_plain.h"

enum { FIRST_WAITING = 64 };

_Static_assert((int)SAID_ROOM <= (int)PLAIN_BEHIND, "so many bytes may be looked at");

/* ---- Operators ---- */

/* Whether an argument of a slice says what its operator says already: its place, or its name. */
static inline bool repeats(const struct op *op, string_id name, string_id key, string_id text)
{
    if (key == KEY_LOCATION)
        return text == op->location && op->location;
    return key == KEY_OPERATOR && text == op->name && op->name != name && (op->type || !op->location);
}

void whole_operator(struct perfetto_reading *reading, uint32_t number, struct slice *slice)
{
    const struct op *op = own_operator(reading, number);
    uint32_t kept = 0;

    if (!op)
        return;
    slice->op = op->id;
    for (uint32_t i = 0; i < slice->argument_count; i++) {
        const struct argument *argument = &reading->arguments[i];

        if (argument->type == ARGUMENT_TEXT && repeats(op, slice->name, argument->key, argument->text))
            continue;
        if (kept < i)
            reading->arguments[kept] = *argument;
        kept++;
    }
    slice->argument_count = kept;
}

/* Whether an annotation, a key and a text that have numbers, does. */
static bool annotation_repeats(const struct sequence_state *state, const struct op *op, string_id name,
                               struct wire annotation)
{
    const struct interned *key = NULL, *text = NULL;
    struct wire_field field;

    while (wire_next(&annotation, &field)) {
        if (field.tag == WIRE_TAG(ANNOTATION_NAME_IID, WIRE_VARINT) && !key)
            key = interned_find(state, INTERNED_KEYS, field.value);
        else if (field.tag == WIRE_TAG(ANNOTATION_TEXT_IID, WIRE_VARINT) && !text)
            text = interned_find(state, INTERNED_TEXTS, field.value);
        else
            return false;
    }
    return !wire_broken(&annotation) && key && text && repeats(op, name, key->text, text->text);
}

/* Tags and lengths of annotations have one byte each, and fit. */
static void learn_said(const struct perfetto_reading *reading, const struct sequence_state *state, string_id name,
                       struct wire arguments, struct said *said)
{
    const struct op *op = own_operator(reading, said->op);
    size_t length = 0;

    while (op && arguments.at + length < arguments.end) {
        const unsigned char *at = arguments.at + length;

        if (length + 2 + at[1] > SAID_ROOM || !annotation_repeats(state, op, name, wire_of(at + 2, at[1])))
            break;
        length += 2 + (size_t)at[1];
    }
    memcpy(said->bytes, arguments.at, length);
    said->length = (uint32_t)length;
    said->known = true;
}

/* Whether the arguments begin with what is known. SAID_ROOM bytes may be looked at. */
static inline bool begins_so(struct wire arguments, const struct said *said)
{
    uint64_t bytes[SAID_ROOM / 8];
    unsigned last = (said->length - 1) / 8, unused = (8 - said->length % 8) % 8 * 8;

    memcpy(bytes, arguments.at, sizeof bytes);
    if (said->length > (size_t)(arguments.end - arguments.at) || (last && bytes[0] != said->bytes[0]))
        return false;
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !((bytes[last] ^ said->bytes[last]) << unused);
}

/* The arguments of a slice without those in front that only say its operator, where that is seen at once. */
static inline status skip_said(struct perfetto_reading *reading, const struct sequence_state *state,
                               struct interned *name, struct wire *arguments)
{
    struct said *said;

    if (!name || !name->own_op || arguments->at == arguments->end)
        return STATUS_OK;
    if (!name->said) {
        said = column_append(&reading->own.said);
        if (!said)
            return status_no_memory("keeping operators");
        *said = (struct said){ .op = 0 };
        name->said = (uint32_t)reading->own.said.count;
    }
    said = column_at(&reading->own.said, name->said - 1);
    /* At the second time: what operators say that share a name in turn would be looked at for nothing. */
    if (said->op != name->own_op)
        *said = (struct said){ .op = name->own_op };
    else if (!said->known)
        learn_said(reading, state, name->text, *arguments, said);
    if (said->length && begins_so(*arguments, said))
        arguments->at += said->length;
    return STATUS_OK;
}

/* ---- Those that wait ---- */

/* The ring twice as large, in order from its start on. */
static status grow_waiting(struct own_track *own)
{
    size_t capacity = own->capacity ? 2 * own->capacity : FIRST_WAITING;
    struct waiting_slice *grown = memory_allocate_clear(capacity * sizeof *grown);

    if (!grown)
        return status_no_memory("keeping slices");
    for (size_t i = 0; i < own->capacity; i++)
        grown[i] = own->waiting[(own->first + i) & (own->capacity - 1)];
    memory_free(own->waiting);
    own->waiting = grown;
    own->capacity = capacity;
    own->first = 0;
    return STATUS_OK;
}

status whole_wait(struct own_track *own, struct waiting_slice **waiting)
{
    status code = own->count == own->capacity ? grow_waiting(own) : STATUS_OK;

    if (code != STATUS_OK)
        return code;
    own->count++;
    *waiting = whole_at(own, own->popped + own->count - 1);
    (*waiting)->done = (*waiting)->instant = false;
    return STATUS_OK;
}

status whole_tell(struct perfetto_reading *reading, struct own_track *own)
{
    status code = STATUS_OK;

    while (code == STATUS_OK && own->count && own->waiting[own->first].done) {
        struct waiting_slice *waiting = &own->waiting[own->first];

        code = waiting->instant ? SINK_CALL(&reading->feed->sink, instant, &waiting->held.slice)
                                : sink_slice(&reading->feed->sink, &waiting->held.slice);
        own->first = (own->first + 1) & (own->capacity - 1);
        own->count--;
        own->popped++;
    }
    if (!own->count)
        own->first = 0; /* the place that was used last is still near */
    return code;
}

/* ---- Begin and end ---- */

bool whole_takes(struct own_track *own, bool whole)
{
    enum own_mode mode = whole ? MODE_WHOLE : MODE_PAIRS;

    if (own->track.kind != TRACK_SLICES || (own->mode != MODE_NONE && own->mode != mode))
        return false;
    own->mode = (uint8_t)mode;
    return true;
}

status whole_begin(struct perfetto_reading *reading, struct trace_line *line, struct waiting_slice *waiting,
                   packet_place place)
{
    struct own_track *own = line->own;
    struct slice *slice = &waiting->held.slice;
    status code = held_exchange(&waiting->held, &reading->arguments, &reading->argument_capacity);
    struct line_open *open = code == STATUS_OK ? tell_push(line) : NULL;
    const struct long_end *kept;
    int64_t end;

    if (!open)
        return code == STATUS_OK ? status_no_memory("keeping slices") : code;
    reading->feed->losses.used++;
    *open = (struct line_open){ .name = NO_ID, .category = NO_ID, .end = INT64_MIN, .place = place };
    open->ordinal = own->popped + own->count - 1;
    kept = reading->own.end_count && !line->again ? perfetto_end(&reading->own, place) : NULL;
    if (kept && own_ticks(own, kept->end, kept->ticks, &end)) {
        slice->end = end > slice->start ? end : slice->start;
        waiting->done = open->told = true;
    }
    return waiting->done ? whole_tell(reading, own) : STATUS_OK;
}

status whole_end(struct perfetto_reading *reading, struct trace_line *line, int64_t ns, int64_t rest,
                 packet_place place)
{
    struct own_track *own = line->own;
    const struct line_open *open = &line->stack[--line->open];
    struct waiting_slice *waiting;
    int64_t ticks;

    if (open->told) {
        reading->feed->losses.used++;
        return STATUS_OK;
    }
    waiting = whole_at(own, open->ordinal);
    waiting->done = true;
    if (!own_ticks(own, ns, rest, &ticks))
        return perfetto_lose(reading, &perfetto_loss_range, place);
    waiting->held.slice.end = ticks > waiting->held.slice.start ? ticks : waiting->held.slice.start;
    reading->feed->losses.used++;
    return whole_tell(reading, own);
}

/* ---- Plain events ---- */

status tell_plain_begin(struct perfetto_reading *reading, const struct plain *plain, packet_place place)
{
    const struct packet_sequence *sequence = plain->sequence;
    struct interned *name = interned_find(sequence->state, INTERNED_NAMES, plain->name);
    struct trace_line *line = sequence->last_line;
    struct waiting_slice *waiting;
    struct slice *slice;
    struct wire arguments = plain->arguments;
    uint32_t count = 0;
    int64_t ticks;
    status code;

    if (plain->says_op && name)
        name->own_op = plain->op <= UINT32_MAX ? (uint32_t)plain->op : 0;
    code = skip_said(reading, sequence->state, name, &arguments);
    if (code == STATUS_OK)
        code = event_arguments(reading, sequence->state, arguments, &count);
    if (code != STATUS_OK)
        return code;
    if (!own_ticks(line->own, plain->ns, 0, &ticks))
        return perfetto_lose(reading, &perfetto_loss_range, place);
    if (!whole_takes(line->own, true))
        return perfetto_lose(reading, &perfetto_loss_type, place);
    if (line->open >= DEEPEST_STACK)
        return perfetto_lose(reading, &perfetto_loss_deep, place);
    code = whole_wait(line->own, &waiting);
    if (code != STATUS_OK)
        return code;
    slice = &waiting->held.slice;
    slice->track = line->track;
    slice->name = name && name->text != NO_ID ? name->text : 0;
    slice->op = NO_ID;
    slice->run = own_run(reading, sequence->run);
    slice->start = slice->end = ticks;
    slice->flow = slice->more_flow_count = 0;
    slice->arguments = reading->arguments;
    slice->argument_count = count;
    whole_operator(reading, name ? name->own_op : 0, slice);
    return whole_begin(reading, line, waiting, place);
}

status tell_plain_end(struct perfetto_reading *reading, const struct plain *plain, packet_place place)
{
    struct trace_line *line = plain->sequence->last_line;

    return line->open ? whole_end(reading, line, plain->ns, 0, place)
                      : perfetto_lose(reading, &perfetto_loss_end, place);
}
