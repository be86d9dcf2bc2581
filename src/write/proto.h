/* proto.h: protobuf fields, written in one pass into memory that is known to be large enough.
 *
 * Every function takes the place to write at and returns the place after. A nested message gets one byte for its
 * length: `proto_open` leaves it out, `proto_close` fills it in, and moves the message up where it needs more bytes.
 *
 *     tag [ ] body ...        ->   tag [5] body               tag [ ] body of 300 bytes   ->   tag [AC 02] body
 */
#ifndef WRITE_PROTO_H
#define WRITE_PROTO_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    PROTO_VARINT = 0,
    PROTO_FIXED64 = 1,
    PROTO_LENGTH = 2,
    PROTO_LONGEST_VARINT = 10,
    PROTO_FIELD_ROOM = 2 + PROTO_LONGEST_VARINT /* a number with its tag, for fields up to 2047 */
};

static inline unsigned char *proto_varint(unsigned char *to, uint64_t value)
{
    if (value < 0x80) {
        *to = (unsigned char)value;
        return to + 1;
    }
    if (value < 0x4000) {
        to[0] = (unsigned char)(value | 0x80);
        to[1] = (unsigned char)(value >> 7);
        return to + 2;
    }
    if (value < 0x200000) {
        to[0] = (unsigned char)(value | 0x80);
        to[1] = (unsigned char)(value >> 7 | 0x80);
        to[2] = (unsigned char)(value >> 14);
        return to + 3;
    }
    while (value >= 0x80) {
        *to++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *to = (unsigned char)value;
    return to + 1;
}

static inline unsigned char *proto_tag(unsigned char *to, uint32_t field, uint32_t wire_type)
{
    assert(field && wire_type < 8);
    return proto_varint(to, field << 3 | wire_type);
}

static inline unsigned char *proto_number(unsigned char *to, uint32_t field, uint64_t value)
{
    return proto_varint(proto_tag(to, field, PROTO_VARINT), value);
}

static inline unsigned char *proto_fixed64(unsigned char *to, uint32_t field, uint64_t value)
{
    to = proto_tag(to, field, PROTO_FIXED64);
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        value = __builtin_bswap64(value);
    memcpy(to, &value, sizeof value);
    return to + sizeof value;
}

static inline unsigned char *proto_decimal(unsigned char *to, uint32_t field, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return proto_fixed64(to, field, bits);
}

static inline unsigned char *proto_text(unsigned char *to, uint32_t field, const char *data, size_t length)
{
    to = proto_varint(proto_tag(to, field, PROTO_LENGTH), length);
    if (length)
        memcpy(to, data, length);
    return to + length;
}

/* Begin a nested message: where its body goes. */
static inline unsigned char *proto_open(unsigned char *to, uint32_t field)
{
    return proto_tag(to, field, PROTO_LENGTH) + 1;
}

/* The rare body of 128 bytes or more: its length needs more than the byte that was left for it. */
__attribute__((noinline)) static unsigned char *proto_close_long(unsigned char *body, unsigned char *end)
{
    size_t length = (size_t)(end - body);
    unsigned char size[PROTO_LONGEST_VARINT];
    size_t size_length;

    size_length = (size_t)(proto_varint(size, length) - size);
    memmove(body + size_length - 1, body, length);
    memcpy(body - 1, size, size_length);
    return end + size_length - 1;
}

/* The body that began at `body` is complete and ends at `end`. */
static inline unsigned char *proto_close(unsigned char *body, unsigned char *end)
{
    assert(end >= body);
    if (end - body >= 0x80)
        return proto_close_long(body, end);
    body[-1] = (unsigned char)(end - body);
    return end;
}

#endif
