/* flatbuffer.h: checked access to a flatbuffer in memory.
 *
 *   table:   [ offset to vtable i32 | fields ... ]      vtable = table - offset, so it may lie on either side
 *   vtable:  [ its size u16 | table's size u16 | field 0 u16 | field 1 u16 ... ]     0 or beyond the end: absent
 *   vector:  [ count u32 | elements ... ]               string: the same, of bytes
 *
 * Every offset, size and count is checked before it is used, and nothing is assumed to be aligned. What is wrong reads as
 * absent, and the first of it sticks in `fault`, so a caller may read several fields and look once. The bytes are borrowed;
 * texts that are given point into them.
 */
#ifndef EXECUTORCH_FLATBUFFER_H
#define EXECUTORCH_FLATBUFFER_H

#include <assert.h>
#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/strings.h"

struct flatbuffer {
    const char *data;  /* borrowed */
    size_t size;       /* bytes */
    const char *fault; /* what was wrong first; NULL: nothing */
    size_t fault_at;   /* byte offset of what was wrong */
};

/* A table that was opened. Opening the next table into the same struct is cheap where both share a vtable. */
struct flat_table {
    size_t at;            /* offset in the buffer */
    size_t vtable;        /* the same of its vtable */
    uint16_t vtable_size; /* 0: never opened */
    uint16_t table_size;  /* bytes, as the vtable says */
};

struct flat_vector {
    size_t at;      /* of the first element */
    uint32_t count; /* elements; 0: it is not there */
};

static inline void flat_fail(struct flatbuffer *buffer, const char *what, size_t at)
{
    if (buffer->fault)
        return;
    buffer->fault = what;
    buffer->fault_at = at;
}

/* Is there room for `length` bytes from `at` on? */
static inline bool flat_holds(const struct flatbuffer *buffer, size_t at, size_t length)
{
    return at <= buffer->size && length <= buffer->size - at;
}

/* Loads from places that were checked. */
static inline uint16_t flat_load_16(const struct flatbuffer *buffer, size_t at)
{
    uint16_t value;

    assert(flat_holds(buffer, at, sizeof value));
    memcpy(&value, buffer->data + at, sizeof value);
    return le16toh(value);
}

static inline uint32_t flat_load_32(const struct flatbuffer *buffer, size_t at)
{
    uint32_t value;

    assert(flat_holds(buffer, at, sizeof value));
    memcpy(&value, buffer->data + at, sizeof value);
    return le32toh(value);
}

static inline uint64_t flat_load_64(const struct flatbuffer *buffer, size_t at)
{
    uint64_t value;

    assert(flat_holds(buffer, at, sizeof value));
    memcpy(&value, buffer->data + at, sizeof value);
    return le64toh(value);
}

static inline bool flat_open_vtable(struct flatbuffer *buffer, size_t vtable, struct flat_table *table)
{
    uint16_t vtable_size, table_size;

    if (!flat_holds(buffer, vtable, 4)) {
        flat_fail(buffer, "the description of a table lies outside of the file", table->at);
        return false;
    }
    vtable_size = flat_load_16(buffer, vtable);
    table_size = flat_load_16(buffer, vtable + 2);
    if (vtable_size < 4 || vtable_size % 2 || table_size < 4) {
        flat_fail(buffer, "the description of a table has an impossible size", vtable);
        return false;
    }
    if (!flat_holds(buffer, vtable, vtable_size)) {
        flat_fail(buffer, "the description of a table does not end within the file", vtable);
        return false;
    }
    table->vtable = vtable;
    table->vtable_size = vtable_size;
    table->table_size = table_size;
    return true;
}

/* The table at `at`. False: a fault, and all fields of `table` are absent. */
static inline bool flat_open(struct flatbuffer *buffer, size_t at, struct flat_table *table)
{
    size_t vtable;

    if (buffer->fault)
        return false;
    if (!flat_holds(buffer, at, 4)) {
        flat_fail(buffer, "a table lies outside of the file", at);
        return false;
    }
    /* Wraps around where it points before the file, and is refused then as one beyond its end. */
    vtable = at - (size_t)(ptrdiff_t)(int32_t)flat_load_32(buffer, at);
    table->at = at;
    if (!(table->vtable_size && table->vtable == vtable) && !flat_open_vtable(buffer, vtable, table)) {
        table->vtable_size = 0;
        return false;
    }
    if (!flat_holds(buffer, at, table->table_size)) {
        flat_fail(buffer, "a table does not end within the file", at);
        table->vtable_size = 0;
        return false;
    }
    return true;
}

/* Where the field of `size` bytes in slot `slot` lies; 0: absent. */
static inline size_t flat_field(struct flatbuffer *buffer, const struct flat_table *table, unsigned slot, size_t size)
{
    size_t entry = 4 + 2 * (size_t)slot;
    size_t offset;

    if (entry + 2 > table->vtable_size)
        return 0;
    offset = flat_load_16(buffer, table->vtable + entry);
    if (offset == 0)
        return 0;
    if (offset < 4 || offset + size > table->table_size) {
        flat_fail(buffer, "a field lies outside of its table", table->vtable + entry);
        return 0;
    }
    return table->at + offset;
}

static inline uint8_t flat_get_8(struct flatbuffer *buffer, const struct flat_table *table, unsigned slot,
                                 uint8_t absent)
{
    size_t at = flat_field(buffer, table, slot, 1);

    return at ? (uint8_t)buffer->data[at] : absent;
}

static inline uint32_t flat_get_32(struct flatbuffer *buffer, const struct flat_table *table, unsigned slot,
                                   uint32_t absent)
{
    size_t at = flat_field(buffer, table, slot, sizeof(uint32_t));

    return at ? flat_load_32(buffer, at) : absent;
}

static inline int32_t flat_get_integer(struct flatbuffer *buffer, const struct flat_table *table, unsigned slot,
                                       int32_t absent)
{
    return (int32_t)flat_get_32(buffer, table, slot, (uint32_t)absent);
}

static inline uint64_t flat_get_64(struct flatbuffer *buffer, const struct flat_table *table, unsigned slot,
                                   uint64_t absent)
{
    size_t at = flat_field(buffer, table, slot, sizeof(uint64_t));

    return at ? flat_load_64(buffer, at) : absent;
}

/* What the reference at `at` (four bytes that were checked) points to; 0: a fault. */
static inline size_t flat_follow(struct flatbuffer *buffer, size_t at)
{
    uint32_t offset = flat_load_32(buffer, at);

    if (offset == 0 || !flat_holds(buffer, at, offset) || !flat_holds(buffer, at + offset, 4)) {
        flat_fail(buffer, "a reference points outside of the file", at);
        return 0;
    }
    return at + offset;
}

/* What a reference in a slot points to; 0: absent. */
static inline size_t flat_reference(struct flatbuffer *buffer, const struct flat_table *table, unsigned slot)
{
    size_t at = flat_field(buffer, table, slot, 4);

    return at ? flat_follow(buffer, at) : 0;
}

/* A vector of elements of `element_size` bytes; absent ones are empty, with `at` 0. */
static inline struct flat_vector flat_get_vector(struct flatbuffer *buffer, const struct flat_table *table,
                                                 unsigned slot, size_t element_size)
{
    size_t at = flat_reference(buffer, table, slot);
    uint32_t count;

    assert(element_size);
    if (!at)
        return (struct flat_vector){ 0 };
    count = flat_load_32(buffer, at);
    if (count > (buffer->size - at - 4) / element_size) {
        flat_fail(buffer, "a vector or text does not end within the file", at);
        return (struct flat_vector){ 0 };
    }
    return (struct flat_vector){ at + 4, count };
}

/* A string or vector of bytes; absent: empty. */
static inline struct text flat_get_text(struct flatbuffer *buffer, const struct flat_table *table, unsigned slot)
{
    struct flat_vector bytes = flat_get_vector(buffer, table, slot, 1);

    return (struct text){ buffer->data + bytes.at, bytes.count };
}

/* The table that element `index` of a vector of references points to. */
static inline bool flat_open_element(struct flatbuffer *buffer, struct flat_vector vector, uint32_t index,
                                     struct flat_table *table)
{
    size_t at = buffer->fault ? 0 : flat_follow(buffer, vector.at + 4 * (size_t)index);

    assert(index < vector.count);
    return at && flat_open(buffer, at, table);
}

#endif
