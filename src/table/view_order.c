/* view_order.c: rows in the order of a field, by radix sort. */
#include "table/view_order.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "table/view_filter.h"

static const uint64_t TOP_BIT = UINT64_C(1) << 63;

void view_order_start(struct view_order *order, const struct field *field, bool descending)
{
    *order = (struct view_order){ .field = field, .descending = descending };
}

void view_order_free(struct view_order *order)
{
    memory_free(order->entries);
    memory_free(order->unknown);
    strings_free(order->strings);
    *order = (struct view_order){ 0 };
}

/* The bits of a double count up with its size; those of negative ones count down. */
static uint64_t key_of_decimal(double value)
{
    uint64_t bits;

    value += 0.0; /* both zeros are one */
    memcpy(&bits, &value, sizeof bits);
    return bits & TOP_BIT ? ~bits : bits | TOP_BIT;
}

static status key_of_text(struct view_order *order, const char *text, uint64_t *key)
{
    string_id id = 0;
    status code;

    if (!order->strings)
        order->strings = strings_new();
    if (!order->strings)
        return status_no_memory("sorting rows");
    code = strings_add_text(order->strings, text, &id);
    *key = id;
    return code;
}

static status key_of(struct view_order *order, struct table_cell cell, uint64_t *key)
{
    switch (order->field->type) {
    case CELL_TEXT:
        return key_of_text(order, cell.text, key);
    case CELL_BOOLEAN:
        *key = cell.boolean;
        return STATUS_OK;
    case CELL_INTEGER:
    case CELL_DURATION:
    case CELL_BYTES:
        *key = (uint64_t)cell.integer ^ TOP_BIT;
        return STATUS_OK;
    case CELL_DECIMAL:
    case CELL_PERCENT:
        *key = key_of_decimal(cell.decimal);
        return STATUS_OK;
    }
    return STATUS_OK;
}

status view_order_add(struct view_order *order, size_t row, struct table_cell cell)
{
    uint64_t key = 0;
    status code;

    if (!view_value_known(order->field->type, cell)) {
        code = memory_grow(&order->unknown, &order->unknown_capacity, order->unknown_count + 1, sizeof *order->unknown);
        if (code == STATUS_OK)
            order->unknown[order->unknown_count++] = row;
        return code;
    }
    code = key_of(order, cell, &key);
    if (code == STATUS_OK)
        code = memory_grow(&order->entries, &order->capacity, order->count + 1, sizeof *order->entries);
    if (code == STATUS_OK)
        order->entries[order->count++] = (struct order_entry){ key, row };
    return code;
}

static int by_bytes(const void *left, const void *right, void *context)
{
    const string_id *one = left, *other = right;

    return strcmp(strings_text(context, *one), strings_text(context, *other));
}

/* The texts sorted, then every row gets the place of its text instead of the id. */
static status rank_texts(struct view_order *order)
{
    uint32_t count = strings_count(order->strings);
    string_id *sorted = memory_allocate(count * sizeof *sorted);
    uint32_t *places = memory_allocate(count * sizeof *places);
    bool fits = sorted && places;

    if (fits) {
        for (string_id id = 0; id < count; id++)
            sorted[id] = id;
        qsort_r(sorted, count, sizeof *sorted, by_bytes, order->strings);
        for (uint32_t place = 0; place < count; place++)
            places[sorted[place]] = place;
        for (size_t i = 0; i < order->count; i++)
            order->entries[i].key = places[order->entries[i].key];
    }
    memory_free(sorted);
    memory_free(places);
    return fits ? STATUS_OK : status_no_memory("sorting rows");
}

static unsigned byte_of(uint64_t key, unsigned byte)
{
    return (unsigned)(key >> 8 * byte) & 255;
}

/* From the lowest byte of the keys to the highest, each in one pass that keeps the order of equal ones: rows that came in order stay
 * so, and the time does not depend on the values. Bytes that all keys share, as the high ones of most numbers, cost no pass. */
static status sort_entries(struct view_order *order)
{
    size_t places[8][256] = { { 0 } };
    struct order_entry *from = order->entries, *to = memory_allocate(order->count * sizeof *to);

    if (!to)
        return status_no_memory("sorting rows");
    for (size_t i = 0; i < order->count; i++)
        for (unsigned byte = 0; byte < 8; byte++)
            places[byte][byte_of(from[i].key, byte)]++;
    for (unsigned byte = 0; byte < 8; byte++) {
        struct order_entry *sorted = to;
        size_t next = 0;

        if (places[byte][byte_of(from[0].key, byte)] == order->count)
            continue;
        for (unsigned value = 0; value < 256; value++) {
            size_t count = places[byte][value];

            places[byte][value] = next;
            next += count;
        }
        for (size_t i = 0; i < order->count; i++)
            to[places[byte][byte_of(from[i].key, byte)]++] = from[i];
        to = from;
        from = sorted;
    }
    memory_free(to);
    order->entries = from;
    order->capacity = order->count;
    return STATUS_OK;
}

status view_order_settle(struct view_order *order)
{
    status code = order->strings ? rank_texts(order) : STATUS_OK;

    if (code != STATUS_OK || !order->count)
        return code;
    if (order->descending)
        for (size_t i = 0; i < order->count; i++)
            order->entries[i].key = ~order->entries[i].key;
    return sort_entries(order);
}

size_t view_order_rows(const struct view_order *order)
{
    return order->count + order->unknown_count;
}

size_t view_order_row(const struct view_order *order, size_t place)
{
    assert(place < view_order_rows(order));
    return place < order->count ? order->entries[place].row : order->unknown[place - order->count];
}
