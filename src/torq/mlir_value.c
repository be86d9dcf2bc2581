/* mlir_value.c: reads values and types of the Torq dialects. */
#include "torq/mlir_value.h"

#include <assert.h>

#include "base/number.h"
#include "base/text.h"

static bool is_word(char byte)
{
    return char_is_letter(byte) || char_is_digit(byte) || byte == '_';
}

static const char *skip_blanks(const char *cursor, const char *end)
{
    while (cursor < end && char_is_blank(*cursor))
        cursor++;
    return cursor;
}

static bool multiply(int64_t *product, int64_t factor)
{
    return factor >= 0 && !__builtin_mul_overflow(*product, factor, product);
}

bool value_integer(struct text value, int64_t *integer)
{
    const char *cursor = value.data;
    const char *end = value.data + value.length;

    if (!value.data || !number_read_integer(&cursor, end, integer))
        return false;
    cursor = skip_blanks(cursor, end);
    return cursor == end || *cursor == ':';
}

bool value_name(struct text value, struct text *name)
{
    bool symbol = text_cut_start(&value, "@");

    *name = value;
    if (value.length < 2 || !text_cut_start(&value, "\""))
        return symbol && name->length;
    *name = text_take(&value, '"');
    return value.data;
}

unsigned value_array(struct text value, int64_t *numbers, unsigned most)
{
    const char *end = value.data + value.length;
    const char *cursor;
    unsigned count = 0;

    assert(numbers || !most);
    if (text_begins(value, "array<")) {
        cursor = text_after(value, ":").data;
        cursor = cursor ? cursor : end;
    } else if (text_begins(value, "dense<[")) {
        cursor = value.data + strlen("dense<[");
    } else {
        return 0;
    }
    for (;;) {
        int64_t number;

        cursor = skip_blanks(cursor, end);
        if (!number_read_integer(&cursor, end, &number))
            return count;
        if (count < most)
            numbers[count] = number;
        count++;
        cursor = skip_blanks(cursor, end);
        if (cursor == end || *cursor != ',')
            return count;
        cursor++;
    }
}

bool value_ndl_bytes(struct text value, int64_t *bytes)
{
    const char *end = value.data + value.length;
    const char *cursor = text_after(value, "dims").data;
    unsigned depth = 0;
    int64_t product = 1;
    bool any = false;

    if (!cursor)
        return false;
    for (; cursor < end; cursor++) {
        int64_t count;

        if (*cursor == ']' && (depth == 0 || --depth == 0))
            break;
        if (*cursor != '[')
            continue;
        if (++depth != 2)
            continue;
        cursor = skip_blanks(cursor + 1, end);
        if (!number_read_integer(&cursor, end, &count) || !multiply(&product, count))
            return false;
        any = true;
        cursor--;
    }
    *bytes = product;
    return any;
}

enum bus value_bus(struct text name)
{
    unsigned bus = 0;

    while (bus < BUS_COUNT && !text_is(name, bus_name((enum bus)bus)))
        bus++;
    return (enum bus)bus;
}

unsigned value_bus_cycles(struct text value, int64_t cycles[BUS_COUNT])
{
    const char *cursor = value.data;
    const char *end = value.data + value.length;
    unsigned found = 0;

    while (cursor < end) {
        const char *word = cursor;
        enum bus bus;

        while (cursor < end && is_word(*cursor))
            cursor++;
        if (cursor == word) {
            cursor++;
            continue;
        }
        bus = value_bus((struct text){ word, (size_t)(cursor - word) });
        if (bus == BUS_COUNT)
            continue;
        while (cursor < end && (char_is_blank(*cursor) || *cursor == '(' || *cursor == '=' || *cursor == ':'))
            cursor++;
        found += number_read_integer(&cursor, end, &cycles[bus]);
    }
    return found;
}

enum executor value_execution(struct text inside)
{
    if (text_is(inside, "nss"))
        return EXECUTION_NSS;
    if (text_is(inside, "slice"))
        return EXECUTION_SLICE;
    if (text_is(inside, "css"))
        return EXECUTION_CSS;
    return text_is(inside, "host") ? EXECUTION_HOST : EXECUTION_NONE;
}

/* Bytes of an element type such as i8, ui16, bf16, f8E4M3FN, index; 0: not known. */
static int64_t element_bytes(struct text element)
{
    const char *cursor = element.data;
    const char *end = element.data + element.length;
    uint64_t bits;

    if (text_is(element, "index"))
        return 8;
    while (cursor < end && (*cursor == 's' || *cursor == 'u' || *cursor == 'b' || *cursor == 't'))
        cursor++;
    if (cursor == end || (*cursor != 'i' && *cursor != 'f'))
        return 0;
    cursor++;
    if (!number_read_unsigned(&cursor, end, &bits) || bits == 0 || bits > 4096)
        return 0;
    return (int64_t)((bits + 7) / 8);
}

bool value_space(struct text value, enum memory_space *space)
{
    static const char *const names[] = { "xram", "lram", "dtcm", "itcm", "host" };
    const char *end = value.data + value.length;
    const char *cursor = text_after(value, "mem_space").data, *word;
    unsigned i = 0;

    if (!cursor)
        return false;
    cursor = skip_blanks(cursor, end);
    cursor += cursor < end && *cursor == '=';
    word = cursor = skip_blanks(cursor, end);
    while (cursor < end && is_word(*cursor))
        cursor++;
    while (i < sizeof names / sizeof *names && !text_is((struct text){ word, (size_t)(cursor - word) }, names[i]))
        i++;
    *space = (enum memory_space)i;
    return true;
}

const char *value_space_name(enum memory_space space)
{
    static const char *const names[] = { "XRAM", "LRAM", "DTCM", "ITCM", "HOST", "OTHER" };

    assert(space < sizeof names / sizeof *names);
    return names[space];
}

struct memory_type value_memory(struct text inside)
{
    struct memory_type type = { 1, SPACE_XRAM };
    const char *cursor = inside.data;
    const char *end = inside.data + inside.length;
    const char *element;
    int64_t size, count;

    for (;;) { /* 4x16x before the element */
        const char *before = cursor = skip_blanks(cursor, end);

        if (!number_read_integer(&cursor, end, &count) || cursor == end || *cursor != 'x') {
            cursor = before;
            break;
        }
        if (type.bytes >= 0 && !multiply(&type.bytes, count))
            type.bytes = -1;
        cursor++;
    }
    element = cursor;
    while (cursor < end && is_word(*cursor))
        cursor++;
    size = element_bytes((struct text){ element, (size_t)(cursor - element) });
    if (!size || type.bytes < 0 || !multiply(&type.bytes, size))
        type.bytes = -1;
    value_space(inside, &type.space);
    return type;
}
