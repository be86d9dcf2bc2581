/* perfetto_wire.h: the fields of protobuf messages that lie in memory, one after the other.
 *
 * Nothing is copied or owned. Whatever the bytes are, nothing behind their end is looked at: what does not fit ends the walk, and `broken` says so.
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

/* A message, or what is left of it. */
struct wire {
    const unsigned char *at;  /* what comes next */
    const unsigned char *end; /* behind the last byte */
    bool broken;              /* something did not fit */
};

struct wire_field {
    uint64_t tag;              /* WIRE_TAG */
    uint64_t value;            /* a number as it stands there; of bytes: how many */
    const unsigned char *data; /* of bytes: the first */
};

static inline struct wire wire_of(const unsigned char *data, size_t length)
{
    return (struct wire){ .at = data, .end = data + length };
}

/* A number of more than one byte, the first of which is taken. NULL: it does not end, or has more than 64 bits' bytes. */
__attribute__((noinline)) static const unsigned char *wire_long_varint(const unsigned char *at,
                                                                       const unsigned char *end, uint64_t first,
                                                                       uint64_t *value)
{
    uint64_t sum = first & 0x7F;

    for (unsigned shift = 7; shift < 70; shift += 7) {
        uint64_t byte;

        if (at >= end)
            return NULL;
        byte = *at++;
        sum |= (byte & 0x7F) << shift;
        if (byte < 0x80) {
            *value = sum;
            return at;
        }
    }
    return NULL;
}

/* The place behind the number; NULL: there is none. */
static inline const unsigned char *wire_varint(const unsigned char *at, const unsigned char *end, uint64_t *value)
{
    uint64_t byte;

    if (at >= end)
        return NULL;
    byte = *at++;
    if (byte < 0x80) {
        *value = byte;
        return at;
    }
    if (at < end && *at < 0x80) {
        *value = (byte & 0x7F) | (uint64_t)*at << 7;
        return at + 1;
    }
    return wire_long_varint(at, end, byte, value);
}

static inline uint64_t wire_fixed64(const unsigned char *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof value);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(value) : value;
}

/* The rest of the types. */
static inline const unsigned char *wire_fixed(const unsigned char *at, const unsigned char *end,
                                              struct wire_field *field)
{
    uint32_t small;

    if ((field->tag & 7) == WIRE_FIXED64 && end - at >= 8) {
        field->value = wire_fixed64(at);
        return at + 8;
    }
    if ((field->tag & 7) == WIRE_FIXED32 && end - at >= 4) {
        memcpy(&small, at, sizeof small);
        field->value = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap32(small) : small;
        return at + 4;
    }
    return NULL;
}

/* The next field. False: there is none, or it does not fit. */
__attribute__((always_inline)) static inline bool wire_next(struct wire *wire, struct wire_field *field)
{
    const unsigned char *at = wire->at, *end = wire->end;

    if (at >= end)
        return false;
    at = wire_varint(at, end, &field->tag);
    if (at && (field->tag & 7) == WIRE_VARINT) {
        at = wire_varint(at, end, &field->value);
    } else if (at && (field->tag & 7) == WIRE_LENGTH) {
        at = wire_varint(at, end, &field->value);
        if (at && field->value <= (uint64_t)(end - at)) {
            field->data = at;
            at += field->value;
        } else {
            at = NULL;
        }
    } else if (at) {
        at = wire_fixed(at, end, field);
    }
    if (!at || field->tag < WIRE_TAG(1, 0)) {
        wire->broken = true;
        wire->at = wire->end;
        return false;
    }
    wire->at = at;
    return true;
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
