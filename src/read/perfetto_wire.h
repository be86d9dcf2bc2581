/* perfetto_wire.h: the fields of protobuf messages that lie in memory, one after the other.
 *
 * Nothing is copied or owned. Whatever the bytes are, nothing behind their end is looked at: what does not fit ends the walk, and `wire_broken` says so.
 */
#ifndef READ_PERFETTO_WIRE_H
#define READ_PERFETTO_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2, WIRE_FIXED32 = 5 };

/* The field and its wire type in one, as it stands before the value. */
#define WIRE_TAG(field, type) ((field) << 3 | (type))

/* A message, or what is left of it. Two pointers travel in registers; of a third word, the copies would be what takes the time. */
struct wire {
    const unsigned char *at;  /* what comes next; NULL: something did not fit */
    const unsigned char *end; /* behind the last byte */
};

struct wire_field {
    uint64_t tag;              /* WIRE_TAG */
    uint64_t value;            /* a number as it stands there; of bytes: how many */
    const unsigned char *data; /* of bytes: the first; else NULL */
};

static inline struct wire wire_of(const unsigned char *data, size_t length)
{
    return (struct wire){ .at = data, .end = data + length };
}

/* A number, and what comes behind it. */
struct wire_number {
    const unsigned char *at; /* NULL: it does not end, or has more bytes than 64 bits need */
    uint64_t value;          /* 0 then */
};

/* A number of any length, or none. */
__attribute__((noinline)) static struct wire_number wire_long_number(const unsigned char *at, const unsigned char *end)
{
    struct wire_number number = { .value = 0 };

    for (unsigned shift = 0; shift < 70; shift += 7) {
        uint64_t byte;

        if (at >= end)
            break;
        byte = *at++;
        number.value |= (byte & 0x7F) << shift;
        if (byte < 0x80) {
            number.at = at;
            return number;
        }
    }
    return (struct wire_number){ .at = NULL };
}

/* Most have one byte or two. It comes back in registers, so that what is being read may stay there, too. */
__attribute__((always_inline)) static inline struct wire_number wire_number_at(const unsigned char *at,
                                                                               const unsigned char *end)
{
    if (at < end && *at < 0x80)
        return (struct wire_number){ at + 1, *at };
    if (end - at > 1 && at[1] < 0x80)
        return (struct wire_number){ at + 2, (at[0] & 0x7Fu) | (uint64_t)at[1] << 7 };
    return wire_long_number(at, end);
}

static inline uint64_t wire_fixed64(const unsigned char *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof value);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(value) : value;
}

static inline uint32_t wire_fixed32(const unsigned char *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof value);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap32(value) : value;
}

/* The number that the lower seven bits of eight bytes are. Seven bits of each byte, then 14 of two, then 28 of four move together. */
__attribute__((always_inline)) static inline uint64_t wire_pack(uint64_t bytes)
{
    bytes = (bytes & 0x007F007F007F007Fu) | (bytes & 0x7F007F007F007F00u) >> 1;
    bytes = (bytes & 0x00003FFF00003FFFu) | (bytes & 0x3FFF00003FFF0000u) >> 2;
    return (bytes & 0x000000000FFFFFFFu) | (bytes & 0x0FFFFFFF00000000u) >> 4;
}

/* The same of four bytes. */
__attribute__((always_inline)) static inline uint64_t wire_pack_few(uint32_t bytes)
{
    bytes = (bytes & 0x007F007Fu) | (bytes & 0x7F007F00u) >> 1;
    return (bytes & 0x00003FFFu) | (bytes & 0x3FFF0000u) >> 2;
}

/* A number whose length is another each time: no branch depends on it up to eight bytes, where there are as many. */
__attribute__((always_inline)) static inline struct wire_number wire_varied_at(const unsigned char *at,
                                                                               const unsigned char *end)
{
    const uint64_t more = 0x8080808080808080u;
    uint64_t bytes, last;

    if (end - at >= 8)
        bytes = wire_fixed64(at);
    else if (end - at >= 4)
        bytes = wire_fixed32(at) | more << 32;
    else
        return wire_number_at(at, end);
    last = ~bytes & more;
    if (!last)
        return wire_long_number(at, end);
    bytes &= (last ^ (last - 1)) & ~more;
    return (struct wire_number){ at + (__builtin_ctzll(last) >> 3) + 1, wire_pack(bytes) };
}

/* The same where eight bytes may be looked at, whatever they belong to. NULL also where it is longer than these. Nearly all have four or less. */
__attribute__((always_inline)) static inline struct wire_number wire_near_at(const unsigned char *at)
{
    const uint64_t more = 0x8080808080808080u;
    uint64_t bytes = wire_fixed64(at), last = ~bytes & more;
    uint32_t few = (uint32_t)last;

    if (few)
        return (struct wire_number){ at + (__builtin_ctz(few) >> 3) + 1,
                                     wire_pack_few((uint32_t)bytes & (few ^ (few - 1)) & ~(uint32_t)more) };
    if (!last)
        return (struct wire_number){ .at = NULL };
    bytes &= (last ^ (last - 1)) & ~more;
    return (struct wire_number){ at + (__builtin_ctzll(last) >> 3) + 1, wire_pack(bytes) };
}

/* The place behind the number; NULL: there is none. */
static inline const unsigned char *wire_varint(const unsigned char *at, const unsigned char *end, uint64_t *value)
{
    struct wire_number number = wire_number_at(at, end);

    if (number.at)
        *value = number.value;
    return number.at;
}

/* ---- Fields ----
 *
 * A decoder asks for a tag, then for the value of the type that the tag says. `wire_next` is both for fields that few messages have.
 *
 *     while ((tag = wire_tag(&wire)))
 *         switch (tag) {
 *         case WIRE_TAG(ENTRY_IID, WIRE_VARINT):
 *             number = wire_number(&wire);
 *             break;
 *         default:
 *             if (wire_value(&wire, tag, &field))
 *                 take_other(field);
 *         }
 */

static inline bool wire_broken(const struct wire *wire)
{
    return !wire->at;
}

/* What follows does not fit. */
__attribute__((always_inline)) static inline void wire_break(struct wire *wire)
{
    wire->at = wire->end = NULL;
}

/* The tag of the next field; 0: there is none, or what is there is none. */
__attribute__((always_inline)) static inline uint64_t wire_tag(struct wire *wire)
{
    struct wire_number tag;

    if (wire->at >= wire->end)
        return 0;
    tag = wire_number_at(wire->at, wire->end);
    if (!tag.at || tag.value < WIRE_TAG(1, 0)) {
        wire_break(wire);
        return 0;
    }
    wire->at = tag.at;
    return tag.value;
}

/* The value of a field of the type WIRE_VARINT; 0 where there is none. */
__attribute__((always_inline)) static inline uint64_t wire_number(struct wire *wire)
{
    struct wire_number number = wire_number_at(wire->at, wire->end);

    if (number.at)
        wire->at = number.at;
    else
        wire_break(wire);
    return number.value;
}

/* The same of a field whose values are small and large ones, times above all. */
__attribute__((always_inline)) static inline uint64_t wire_varied(struct wire *wire)
{
    struct wire_number number = wire_varied_at(wire->at, wire->end);

    if (number.at)
        wire->at = number.at;
    else
        wire_break(wire);
    return number.value;
}

/* The value of a field of the type WIRE_LENGTH: the message in it, or the bytes; a broken one where it does not fit. */
__attribute__((always_inline)) static inline struct wire wire_message(struct wire *wire)
{
    struct wire_number length = wire_number_at(wire->at, wire->end);

    if (!length.at || length.value > (uint64_t)(wire->end - length.at)) {
        wire_break(wire);
        return *wire;
    }
    wire->at = length.at + length.value;
    return (struct wire){ length.at, wire->at };
}

/* The value of a field of any type. False: it does not fit. */
__attribute__((always_inline)) static inline bool wire_value(struct wire *wire, uint64_t tag, struct wire_field *field)
{
    struct wire inside;

    field->tag = tag;
    field->value = 0;
    field->data = NULL;
    switch (tag & 7) {
    case WIRE_VARINT:
        field->value = wire_number(wire);
        break;
    case WIRE_LENGTH:
        inside = wire_message(wire);
        field->data = inside.at;
        field->value = (uint64_t)(inside.end - inside.at);
        break;
    case WIRE_FIXED64:
        if (wire->end - wire->at < 8) {
            wire_break(wire);
            break;
        }
        field->value = wire_fixed64(wire->at);
        wire->at += 8;
        break;
    case WIRE_FIXED32:
        if (wire->end - wire->at < 4) {
            wire_break(wire);
            break;
        }
        field->value = wire_fixed32(wire->at);
        wire->at += 4;
        break;
    default:
        wire_break(wire);
    }
    return !wire_broken(wire);
}

/* The next field. False: there is none, or it does not fit. */
__attribute__((always_inline)) static inline bool wire_next(struct wire *wire, struct wire_field *field)
{
    uint64_t tag = wire_tag(wire);

    return tag && wire_value(wire, tag, field);
}

/* The message in a field of bytes. */
static inline struct wire wire_inside(const struct wire_field *field)
{
    return wire_of(field->data, (size_t)field->value);
}

static inline struct text wire_text(const struct wire_field *field)
{
    return (struct text){ .data = (const char *)field->data, .length = (size_t)field->value };
}

static inline double wire_decimal(uint64_t bits)
{
    double decimal;

    memcpy(&decimal, &bits, sizeof decimal);
    return decimal;
}

#endif
