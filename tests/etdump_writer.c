/* etdump_writer.c: ETDumps as ExecuTorch writes them. */
#include "etdump_writer.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* Places count from the end of the file: that of something is how many bytes lie between its first byte and the end. */

enum { MOST_FIELDS = 8, LARGEST = INT32_MAX };

/* A field of a table that is being written. */
struct field {
    unsigned size;  /* 1, 4 or 8 bytes; 0: absent */
    bool reference; /* `value` is the place of what it refers to */
    uint64_t value;
};

static const struct field absent;

void etdump_start(struct etdump_writer *writer)
{
    *writer = (struct etdump_writer){ 0 };
}

void etdump_free(struct etdump_writer *writer)
{
    free(writer->memory);
    free(writer->runs.items);
    free(writer->events.items);
    free(writer->allocators.items);
    etdump_start(writer);
}

/* ---- Bytes ---- */

static bool make_room(struct etdump_writer *writer, size_t length)
{
    size_t capacity = writer->capacity ? writer->capacity : 4096;
    char *grown;

    if (writer->failed || length > LARGEST - writer->used) {
        writer->failed = true;
        return false;
    }
    if (length <= writer->capacity - writer->used)
        return true;
    while (capacity - writer->used < length)
        capacity *= 2;
    grown = malloc(capacity);
    if (!grown) {
        writer->failed = true;
        return false;
    }
    if (writer->used)
        memcpy(grown + capacity - writer->used, writer->memory + writer->capacity - writer->used, writer->used);
    free(writer->memory);
    writer->memory = grown;
    writer->capacity = capacity;
    return true;
}

/* `length` bytes before all others. */
static void put(struct etdump_writer *writer, const void *data, size_t length)
{
    if (!make_room(writer, length))
        return;
    writer->used += length;
    if (length)
        memcpy(writer->memory + writer->capacity - writer->used, data, length);
}

static void put_16(struct etdump_writer *writer, uint16_t value)
{
    value = htole16(value);
    put(writer, &value, sizeof value);
}

static void put_32(struct etdump_writer *writer, uint32_t value)
{
    value = htole32(value);
    put(writer, &value, sizeof value);
}

/* Zeros, so that what is put next and has `length` bytes begins at a multiple of `alignment`. */
static void align(struct etdump_writer *writer, size_t length, size_t alignment)
{
    static const char zeros[8];
    size_t over = (writer->used + length) % alignment;

    if (over)
        put(writer, zeros, alignment - over);
}

static uint32_t place_of_last(const struct etdump_writer *writer)
{
    return (uint32_t)writer->used;
}

/* A reference to a place, written before all others. */
static void put_reference(struct etdump_writer *writer, uint32_t place)
{
    put_32(writer, (uint32_t)writer->used + 4 - place);
}

static void append(struct etdump_writer *writer, struct etdump_array *array, uint32_t item)
{
    if (array->count == array->capacity) {
        size_t capacity = array->capacity ? array->capacity * 2 : 1024;
        uint32_t *grown = realloc(array->items, capacity * sizeof *grown);

        if (!grown) {
            writer->failed = true;
            return;
        }
        array->items = grown;
        array->capacity = capacity;
    }
    array->items[array->count++] = item;
}

/* ---- Vectors and texts ---- */

static uint32_t put_bytes(struct etdump_writer *writer, const void *data, size_t length, bool is_text)
{
    size_t whole = length + (is_text ? 1 : 0);

    align(writer, 4 + whole, 4);
    if (is_text)
        put(writer, "", 1);
    put(writer, data, length);
    put_32(writer, (uint32_t)length);
    return place_of_last(writer);
}

static uint32_t put_text(struct etdump_writer *writer, const char *text)
{
    return put_bytes(writer, text, strlen(text), true);
}

static uint32_t put_references(struct etdump_writer *writer, const struct etdump_array *array)
{
    align(writer, 4 * (array->count + 1), 4);
    for (size_t i = array->count; i > 0; i--)
        put_reference(writer, array->items[i - 1]);
    put_32(writer, (uint32_t)array->count);
    return place_of_last(writer);
}

/* The elements are aligned, not the count before them. */
static uint32_t put_integers(struct etdump_writer *writer, const int64_t *numbers, unsigned count)
{
    align(writer, 8 * (size_t)count, 8);
    for (unsigned i = count; i > 0; i--) {
        uint64_t number = htole64((uint64_t)numbers[i - 1]);

        put(writer, &number, sizeof number);
    }
    put_32(writer, count);
    return place_of_last(writer);
}

/* ---- Tables ---- */

static uint32_t find_vtable(struct etdump_writer *writer, const uint16_t *entries)
{
    struct etdump_vtable *vtable;

    for (unsigned i = 0; i < writer->vtable_count; i++) {
        if (memcmp(writer->vtables[i].entries, entries, entries[0]) == 0)
            return writer->vtables[i].place;
    }
    if (writer->vtable_count == ETDUMP_VTABLES) {
        writer->failed = true;
        return 0;
    }
    align(writer, entries[0], 2);
    for (unsigned i = entries[0] / 2u; i > 0; i--)
        put_16(writer, entries[i - 1]);
    vtable = &writer->vtables[writer->vtable_count++];
    memcpy(vtable->entries, entries, entries[0]);
    vtable->place = place_of_last(writer);
    return vtable->place;
}

/* Gives each field its offset, the large ones first, but for one of four bytes that fills the gap before them; returns the size
 * of the table. */
static unsigned lay_out(const struct field *fields, unsigned count, uint16_t *offsets, unsigned *alignment)
{
    static const unsigned sizes[] = { 8, 4, 1 };
    unsigned filler = count;
    unsigned at;

    *alignment = 4;
    for (unsigned i = 0; i < count; i++) {
        if (fields[i].size == 8)
            *alignment = 8;
        if (fields[i].size == 4 && filler == count)
            filler = i;
    }
    if (*alignment == 8 && filler < count)
        offsets[filler] = 4;
    at = *alignment;
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (unsigned i = 0; i < count; i++) {
            if (fields[i].size != sizes[s] || offsets[i])
                continue;
            offsets[i] = (uint16_t)at;
            at += sizes[s];
        }
    }
    return (at + 3) / 4 * 4;
}

static uint32_t put_table(struct etdump_writer *writer, const struct field *fields, unsigned count)
{
    uint16_t entries[2 + MOST_FIELDS] = { 0 };
    char table[8 + 8 * MOST_FIELDS] = { 0 };
    unsigned alignment;
    unsigned size = lay_out(fields, count, entries + 2, &alignment);
    uint32_t place, to_vtable;

    while (count > 0 && entries[1 + count] == 0)
        count--;
    entries[0] = (uint16_t)(4 + 2 * count);
    entries[1] = (uint16_t)size;
    to_vtable = find_vtable(writer, entries);
    align(writer, size, alignment);
    place = place_of_last(writer) + size;
    to_vtable = htole32(to_vtable - place); /* negative: vtables lie behind */
    memcpy(table, &to_vtable, sizeof to_vtable);
    for (unsigned i = 0; i < count; i++) {
        uint64_t value = fields[i].value;

        if (fields[i].reference)
            value = place - entries[2 + i] - value;
        value = htole64(value);
        if (fields[i].size)
            memcpy(table + entries[2 + i], &value, fields[i].size);
    }
    put(writer, table, size);
    return place_of_last(writer);
}

static struct field scalar(unsigned size, uint64_t value)
{
    return (struct field){ .size = size, .value = value };
}

/* An integer of 32 bits that is left out where it is what its absence means. */
static struct field integer(int32_t value, int32_t when_absent)
{
    return value == when_absent ? absent : scalar(4, (uint32_t)value);
}

static struct field reference(uint32_t place)
{
    return (struct field){ .size = 4, .reference = true, .value = place };
}

/* ---- Events ---- */

static void put_event(struct etdump_writer *writer, unsigned slot, uint32_t content)
{
    struct field fields[3] = { absent, absent, absent };

    fields[slot] = reference(content);
    append(writer, &writer->events, put_table(writer, fields, 3));
}

void etdump_add_profile(struct etdump_writer *writer, const struct etdump_profile *event)
{
    struct field fields[8] = { absent };

    if (!event->delegated)
        fields[0] = reference(put_text(writer, event->name));
    fields[1] = integer(event->chain, 0);
    fields[2] = integer(event->instruction, -1);
    if (event->delegated) {
        if (event->delegate_text)
            fields[4] = reference(put_text(writer, event->delegate_text));
        else
            fields[3] = integer(event->delegate_number, -1);
        fields[5] = reference(put_bytes(writer, event->metadata, event->metadata_size, false));
    }
    if (event->start)
        fields[6] = scalar(8, event->start);
    if (event->end)
        fields[7] = scalar(8, event->end);
    put_event(writer, 0, put_table(writer, fields, 8));
}

void etdump_add_allocation(struct etdump_writer *writer, int32_t allocator, uint64_t bytes)
{
    struct field fields[2] = { integer(allocator, 0), bytes ? scalar(8, bytes) : absent };

    put_event(writer, 1, put_table(writer, fields, 2));
}

static uint32_t put_tensor(struct etdump_writer *writer, const struct etdump_debug *event)
{
    int64_t strides[16];
    unsigned count = event->dimension_count < 16 ? event->dimension_count : 16;
    int64_t stride = 1;
    struct field fields[4] = { absent };

    for (unsigned i = count; i > 0; i--) {
        strides[i - 1] = stride;
        stride *= event->dimensions[i - 1];
    }
    fields[0] = scalar(1, (uint8_t)event->scalar_type);
    fields[1] = reference(put_integers(writer, event->dimensions, count));
    fields[2] = reference(put_integers(writer, strides, count));
    fields[3] = scalar(8, (uint64_t)event->offset);
    return put_table(writer, fields, 4);
}

static uint32_t put_value(struct etdump_writer *writer, const struct etdump_debug *event)
{
    enum { TYPE_INT = 1, TYPE_TENSOR = 5 };
    struct field one = scalar(8, (uint64_t)event->integer);
    struct field yes = scalar(1, 1);
    struct field fields[8] = { scalar(1, event->dimensions ? TYPE_TENSOR : TYPE_INT) };

    if (event->dimensions)
        fields[1] = reference(put_tensor(writer, event));
    else
        fields[3] = reference(put_table(writer, &one, 1));
    if (event->output)
        fields[7] = reference(put_table(writer, &yes, 1));
    return put_table(writer, fields, 8);
}

void etdump_add_debug(struct etdump_writer *writer, const struct etdump_debug *event)
{
    struct field fields[6] = { absent };

    fields[0] = scalar(8, event->chain);
    fields[1] = integer(event->instruction, -1);
    fields[2] = reference(put_value(writer, event));
    if (event->name)
        fields[5] = reference(put_text(writer, event->name));
    put_event(writer, 2, put_table(writer, fields, 6));
}

/* ---- Blocks ---- */

static void end_block(struct etdump_writer *writer)
{
    struct field fields[4] = { absent };

    if (!writer->block_open)
        return;
    fields[0] = reference(writer->block_name);
    fields[1] = integer(writer->bundled_input, -1);
    if (writer->allocators.count)
        fields[2] = reference(put_references(writer, &writer->allocators));
    if (writer->events.count)
        fields[3] = reference(put_references(writer, &writer->events));
    append(writer, &writer->runs, put_table(writer, fields, 4));
    writer->allocators.count = 0;
    writer->events.count = 0;
    writer->block_open = false;
}

void etdump_begin_block(struct etdump_writer *writer, const char *name, int32_t bundled_input)
{
    end_block(writer);
    writer->block_name = put_text(writer, name);
    writer->bundled_input = bundled_input;
    writer->block_open = true;
}

int32_t etdump_add_allocator(struct etdump_writer *writer, const char *name)
{
    struct field field = reference(put_text(writer, name));

    append(writer, &writer->allocators, put_table(writer, &field, 1));
    return (int32_t)writer->allocators.count;
}

bool etdump_finish(struct etdump_writer *writer, const void **data, size_t *size)
{
    struct field fields[2] = { writer->version ? scalar(4, writer->version) : absent, absent };
    uint32_t root;

    end_block(writer);
    fields[1] = reference(put_references(writer, &writer->runs));
    root = put_table(writer, fields, 2);
    align(writer, 12, 8);
    put(writer, "ED00", 4);
    put_reference(writer, root);
    put_32(writer, (uint32_t)writer->used);
    *data = writer->memory ? writer->memory + writer->capacity - writer->used : NULL;
    *size = writer->used;
    return !writer->failed;
}
