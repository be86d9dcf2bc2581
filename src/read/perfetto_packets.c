/* perfetto_packets.c: framing, and packets inside of packets. */
#include "read/perfetto_packets.h"

#include <assert.h>

#include "base/memory.h"
#include "base/unpack.h"
#include "trace/perfetto_fields.h"

enum {
    WINDOW = 256 * 1024,    /* bytes that are read at once */
    ASIDE = 16 * 1024,      /* the same of one packet */
    HEAD = 11,              /* tag and length of a packet at most */
    BLOCK_LIMIT = 64 << 20, /* bytes that the packets in one may unpack to; writers stop at half a megabyte */
    INNER_BITS = 27,
    INNER_MASK =
        (1 << INNER_BITS) - 1 /* a place in a packet of others: the packet's, and so many bits for the one in it */
};

/* Of a file: the offset, shifted, with 1 more than the offset in the unpacked bytes behind it; 0 there: not in another packet. */
_Static_assert(BLOCK_LIMIT < 1 << INNER_BITS, "places in a block fit");

static packet_place place_of(uint64_t offset, uint64_t inner)
{
    return offset << INNER_BITS | inner;
}

uint64_t packet_byte(packet_place place)
{
    return place >> INNER_BITS;
}

void packets_start(struct packets *packets, struct input *input)
{
    *packets = (struct packets){ .input = input };
    packets->inner.start = UINT64_MAX;
    for (size_t i = 0; i < PACKET_BLOCKS; i++)
        packets->blocks[i].start = UINT64_MAX;
}

void packets_free(struct packets *packets)
{
    memory_free(packets->window.data);
    memory_free(packets->aside.data);
    memory_free(packets->inner.data);
    for (size_t i = 0; i < PACKET_BLOCKS; i++)
        memory_free(packets->blocks[i].data);
}

void packets_rewind(struct packets *packets)
{
    packets->offset = 0;
    packets->inside = false;
    packets->inner.length = 0;
    packets->span = (struct packet_span){ .start = NULL };
}

/* ---- Bytes ---- */

/* Makes `needed` bytes from `offset` on be in the window, if the file has them, and more, so that the next are there, too. */
static status fill(struct packets *packets, struct packet_window *window, uint64_t offset, size_t needed, size_t ahead)
{
    size_t kept = 0, got;
    size_t wanted = needed > ahead ? needed : ahead;
    status code = STATUS_OK;

    if (offset >= window->start && offset - window->start < window->length) {
        kept = window->length - (size_t)(offset - window->start);
        if (kept >= needed)
            return STATUS_OK;
        memmove(window->data, window->data + (offset - window->start), kept);
    }
    window->start = offset;
    window->length = kept;
    /* What a length promises may not be there: room is made as bytes come. */
    while (code == STATUS_OK && window->length < wanted) {
        size_t step = wanted - window->length < WINDOW ? wanted - window->length : WINDOW;

        code = memory_grow(&window->data, &window->capacity, window->length + step, 1);
        if (code == STATUS_OK)
            code = input_read_at(packets->input, offset + window->length, window->data + window->length, step, &got);
        if (code != STATUS_OK)
            return code;
        window->length += got;
        if (got < step)
            break;
    }
    return code;
}

/* The bytes from `offset` on that are in the window. */
static struct wire in_window(const struct packet_window *window, uint64_t offset)
{
    size_t skipped = (size_t)(offset - window->start);

    assert(offset >= window->start && skipped <= window->length);
    return wire_of(window->data + skipped, window->length - skipped);
}

/* ---- One packet ---- */

/* What stands at the beginning of some bytes: a packet, something else, or neither. */
struct frame {
    bool is_packet;  /* else a field that is skipped */
    bool is_foreign; /* no field */
    size_t head;     /* bytes before the body; 0: there are too few to tell */
    uint64_t length; /* of the body */
};

static struct frame frame_at(struct wire bytes)
{
    struct frame frame = { 0 };
    const unsigned char *start = bytes.at;
    uint64_t tag, value;
    const unsigned char *at = wire_varint(start, bytes.end, &tag);

    if (!at) {
        frame.is_foreign = bytes.end - start >= HEAD;
        return frame;
    }
    frame.is_packet = tag == WIRE_TAG(TRACE_PACKET, WIRE_LENGTH);
    if (tag < WIRE_TAG(1, 0) || ((tag & 7) > WIRE_LENGTH && (tag & 7) != WIRE_FIXED32)) {
        frame.is_foreign = true;
        return frame;
    }
    if ((tag & 7) == WIRE_FIXED64 || (tag & 7) == WIRE_FIXED32) {
        frame.head = (size_t)(at - start);
        frame.length = (tag & 7) == WIRE_FIXED64 ? 8 : 4;
        return frame;
    }
    at = wire_varint(at, bytes.end, &value);
    if (!at) {
        frame.is_foreign = bytes.end - start >= 2 * HEAD;
        return frame;
    }
    frame.head = (size_t)(at - start);
    frame.length = (tag & 7) == WIRE_LENGTH ? value : 0;
    return frame;
}

/* ---- Packets in packets ---- */

/* Whether it holds others: those, packed. */
static bool holds_packets(const struct packet *packet, struct text *packed, enum unpack_kind *kind)
{
    struct wire wire = wire_of(packet->data, packet->length);
    struct wire_field field;

    while (wire_next(&wire, &field)) {
        if (field.tag == WIRE_TAG(PACKET_COMPRESSED, WIRE_LENGTH) ||
            field.tag == WIRE_TAG(PACKET_COMPRESSED_ZSTD, WIRE_LENGTH)) {
            *packed = wire_text(&field);
            *kind = field.tag == WIRE_TAG(PACKET_COMPRESSED, WIRE_LENGTH) ? UNPACK_DEFLATE : UNPACK_ZSTD;
            return true;
        }
    }
    return false;
}

/* STATUS_INPUT where it cannot be unpacked, and nothing is there then. */
static status unpack_block(struct packet_block *block, uint64_t start, struct text packed, enum unpack_kind kind)
{
    status code = unpack(kind, packed, BLOCK_LIMIT, &block->data, &block->capacity, &block->length);

    block->start = code == STATUS_OK ? start : UINT64_MAX;
    if (code != STATUS_OK)
        block->length = 0;
    return code;
}

/* The next packet of the block that is being walked through. */
static bool next_inner(struct packets *packets, struct packet *packet, enum packets_end *end)
{
    struct packet_span *span = &packets->span;

    while (span->at < span->end) {
        struct wire bytes = { .at = span->at, .end = span->end };
        struct frame frame = frame_at(bytes);
        packet_place place = span->place + (uint64_t)(span->at - span->start);

        if (!frame.head || frame.length > (uint64_t)(span->end - span->at) - frame.head) {
            span->at = span->end;
            packet->place = place;
            *end = PACKETS_PACKED;
            return true;
        }
        span->at += frame.head + frame.length;
        if (!frame.is_packet)
            continue;
        *packet = (struct packet){ bytes.at + frame.head, (size_t)frame.length, place };
        return true;
    }
    return false;
}

/* ---- The walk ---- */

/* The next packet of the file itself. */
static status next_outer(struct packets *packets, struct packet *packet, enum packets_end *end)
{
    for (;;) {
        struct packet_window *window = &packets->window;
        uint64_t start = packets->offset;
        struct frame frame;
        status code = STATUS_OK;

        /* Nearly every packet is there as a whole already. */
        if (start < window->start || start - window->start + 2 * HEAD > window->length)
            code = fill(packets, window, start, 2 * HEAD, WINDOW);
        if (code != STATUS_OK)
            return code;
        packet->place = place_of(start, 0);
        if (start - window->start >= window->length) {
            *end = PACKETS_WHOLE;
            return STATUS_OK;
        }
        frame = frame_at(in_window(window, start));
        if (frame.is_foreign || (!frame.head && window->length - (size_t)(start - window->start) >= 2 * HEAD)) {
            *end = PACKETS_FOREIGN;
            return STATUS_OK;
        }
        if (frame.head && frame.length < SIZE_MAX / 2 &&
            frame.head + frame.length > window->length - (size_t)(start - window->start))
            code = fill(packets, window, start, frame.head + (size_t)frame.length, WINDOW);
        if (code != STATUS_OK)
            return code;
        if (!frame.head || frame.length > window->length - (size_t)(start - window->start) - frame.head) {
            *end = PACKETS_CUT;
            return STATUS_OK;
        }
        packets->offset = start + frame.head + frame.length;
        if (!frame.is_packet)
            continue;
        *packet = (struct packet){ window->data + (start - window->start) + frame.head, (size_t)frame.length,
                                   place_of(start, 0) };
        return STATUS_OK;
    }
}

/* Where the walk over the file itself is. */
static void find_offset(struct packets *packets)
{
    const struct packet_span *span = &packets->span;

    if (!packets->inside && span->start)
        packets->offset = packets->window.start + (uint64_t)(span->at - span->start);
}

status packets_far(struct packets *packets, struct packet *packet, enum packets_end *end)
{
    const struct packet_window *window = &packets->window;
    status code;

    *end = PACKETS_MORE;
    if (packets->inside && next_inner(packets, packet, end))
        return STATUS_OK;
    find_offset(packets);
    packets->inside = false;
    code = next_outer(packets, packet, end);
    if (code == STATUS_OK && *end == PACKETS_MORE)
        packets->span = (struct packet_span){ .start = window->data,
                                              .at = window->data + (packets->offset - window->start),
                                              .end = window->data + window->length,
                                              .place = place_of(window->start, 0),
                                              .shift = INNER_BITS };
    return code;
}

status packets_enter(struct packets *packets, const struct packet *packet, struct text packed, bool zstd, bool *entered)
{
    struct packet_block *block = &packets->inner;
    status code;

    *entered = false;
    if (packet->place & INNER_MASK)
        return STATUS_OK;
    code = unpack_block(block, packet_byte(packet->place), packed, zstd ? UNPACK_ZSTD : UNPACK_DEFLATE);
    if (code == STATUS_INPUT) {
        status_clear();
        return STATUS_OK;
    }
    if (code != STATUS_OK)
        return code;
    find_offset(packets);
    *entered = packets->inside = true;
    packets->span.start = packets->span.at = (const unsigned char *)block->data;
    packets->span.end = packets->span.start + block->length;
    packets->span.place = place_of(block->start, 1);
    packets->span.shift = 0;
    return STATUS_OK;
}

/* ---- Again ---- */

static status read_again(struct packets *packets, uint64_t start, struct packet *packet)
{
    struct packet_window *window = &packets->aside;
    struct frame frame;
    status code = fill(packets, window, start, 2 * HEAD, ASIDE);

    if (code != STATUS_OK)
        return code;
    frame = frame_at(in_window(window, start));
    if (frame.head && frame.length < SIZE_MAX / 2)
        code = fill(packets, window, start, frame.head + (size_t)frame.length, ASIDE);
    if (code != STATUS_OK)
        return code;
    if (!frame.is_packet || !frame.head || frame.length > window->length - (size_t)(start - window->start) - frame.head)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(packets->input) },
                              "changed while it was read");
    packet->data = window->data + (start - window->start) + frame.head;
    packet->length = (size_t)frame.length;
    return STATUS_OK;
}

/* The block that is there, or the one that was not used for longest, filled again. */
static status find_block(struct packets *packets, uint64_t start, struct packet_block **found)
{
    struct packet_block *block = &packets->blocks[0];
    struct packet outer;
    enum unpack_kind kind = UNPACK_DEFLATE;
    struct text packed;
    status code;

    for (size_t i = 0; i < PACKET_BLOCKS; i++) {
        if (packets->blocks[i].start == start || packets->blocks[i].last < block->last)
            block = &packets->blocks[i];
        if (block->start == start)
            break;
    }
    *found = block;
    block->last = ++packets->uses;
    if (block->start == start)
        return STATUS_OK;
    code = read_again(packets, start, &outer);
    if (code == STATUS_OK && !holds_packets(&outer, &packed, &kind))
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(packets->input) },
                              "changed while it was read");
    return code == STATUS_OK ? unpack_block(block, start, packed, kind) : code;
}

status packets_again(struct packets *packets, packet_place place, struct packet *packet)
{
    size_t inner = (size_t)(place & INNER_MASK);
    struct packet_block *block;
    struct frame frame;
    status code;

    packet->place = place;
    if (!inner)
        return read_again(packets, packet_byte(place), packet);
    code = find_block(packets, packet_byte(place), &block);
    if (code != STATUS_OK)
        return code;
    assert(inner - 1 < block->length && "it was there before");
    frame = frame_at(wire_of((const unsigned char *)block->data + inner - 1, block->length - inner + 1));
    packet->data = (const unsigned char *)block->data + inner - 1 + frame.head;
    packet->length = (size_t)frame.length;
    return STATUS_OK;
}
