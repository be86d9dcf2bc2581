/* perfetto_probe.c: which files are Perfetto traces, and of how many inputs: told by their first packets. */
#include "base/memory.h"
#include "read/perfetto.h"
#include "read/perfetto_wire.h"
#include "trace/perfetto_fields.h"

/* Whether a field can be one of a packet: one that is known has its type. `*certain`: no other format has it. */
static bool fits_packet(uint64_t tag, bool *certain)
{
    static const uint32_t messages[] = { 1, 2, 6, 11, 12, 36, 50, 59, 60 },
                          numbers[] = { 3, 8, 10, 13, 41, 42, 58, 79, 87 };

    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        if (tag >> 3 == messages[i] && (tag & 7) != WIRE_LENGTH)
            return false;
        *certain |= tag == WIRE_TAG(messages[i], WIRE_LENGTH) && messages[i] > 5;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (tag >> 3 == numbers[i] && (tag & 7) != WIRE_VARINT)
            return false;
    return true;
}

static bool is_message(struct wire wire)
{
    struct wire_field field;

    while (wire_next(&wire, &field))
        continue;
    return !wire_broken(&wire);
}

/* Whether a packet can be one of a trace, as far as it is there. `*whole`: it is to its end. */
static bool looks_like_packet(struct wire wire, bool *certain, bool *whole)
{
    enum {
        PROCESSES = WIRE_TAG(2, WIRE_LENGTH)
    }; /* where the planes of XProf, which are alike otherwise, have their name */
    struct wire_field field;
    uint64_t tag;

    while ((tag = wire_tag(&wire))) {
        if (!fits_packet(tag, certain))
            return false;
        if (!wire_value(&wire, tag, &field))
            break;
        if (tag == PROCESSES && !is_message(wire_inside(&field)))
            return false;
    }
    *whole = !wire_broken(&wire);
    return true;
}

/* The first packet, where it is larger than what was looked at, or cut off. */
static bool looks_like_begin(struct text head)
{
    struct wire wire = wire_of((const unsigned char *)head.data, head.length);
    bool certain = false, whole;

    return wire_tag(&wire) == WIRE_TAG(TRACE_PACKET, WIRE_LENGTH) && wire_number(&wire) && !wire_broken(&wire) &&
           looks_like_packet(wire, &certain, &whole);
}

int perfetto_probe(struct text head, const char *path)
{
    enum { LOOKED_AT = 8, CERTAIN = 90, DAMAGED = 60, LIKELY = 30 };
    struct wire wire = wire_of((const unsigned char *)head.data, head.length);
    struct wire_field field;
    unsigned packets = 0;
    bool certain = false;

    (void)path;
    if (!head.length || head.data[0] != WIRE_TAG(TRACE_PACKET, WIRE_LENGTH))
        return 0;
    while (packets < LOOKED_AT && wire_next(&wire, &field)) {
        bool before = certain, whole;

        if (field.tag != WIRE_TAG(TRACE_PACKET, WIRE_LENGTH) ||
            !looks_like_packet(wire_inside(&field), &certain, &whole) || !whole)
            return before ? DAMAGED : 0;
        packets++;
    }
    if (!packets)
        return wire_broken(&wire) && head.length == INPUT_HEAD && looks_like_begin(head) ? LIKELY : 0;
    return certain ? CERTAIN : LIKELY;
}

status perfetto_inputs(struct input *input, struct strings *strings, string_id **names, size_t *count)
{
    struct text head;
    struct wire wire;
    struct wire_field field;
    size_t capacity = 0;
    status code = input_head(input, &head);

    *names = NULL;
    *count = 0;
    if (code != STATUS_OK)
        return code;
    wire = wire_of((const unsigned char *)head.data, head.length);
    if (!wire_next(&wire, &field) || field.tag != WIRE_TAG(TRACE_PACKET, WIRE_LENGTH))
        return STATUS_OK;
    wire = wire_inside(&field);
    if (!wire_next(&wire, &field) || field.tag != WIRE_TAG(PACKET_OWN, WIRE_LENGTH))
        return STATUS_OK;
    wire = wire_inside(&field);
    while (code == STATUS_OK && wire_next(&wire, &field)) {
        if (field.tag != WIRE_TAG(OWN_INPUT, WIRE_LENGTH))
            continue;
        code = memory_grow(names, &capacity, *count + 1, sizeof **names);
        if (code == STATUS_OK)
            code = strings_add(strings, (const char *)field.data, (size_t)field.value, &(*names)[*count]);
        *count += code == STATUS_OK;
    }
    return code;
}
