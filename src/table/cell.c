/* cell.c: how a cell looks, and texts that cannot break what is around them. */
#include "table/cell.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

/* Bytes that may follow `lead`, and the range of the first of them, which rules out overlong forms and surrogates. */
struct sequence {
    unsigned following; /* bytes behind the first; 0: no character begins so */
    unsigned char low;  /* the least second byte */
    unsigned char high; /* the largest second byte */
};

static struct sequence sequence_of(unsigned char lead)
{
    if (lead < 0xc2 || lead > 0xf4)
        return (struct sequence){ 0, 0, 0 };
    if (lead < 0xe0)
        return (struct sequence){ 1, 0x80, 0xbf };
    if (lead < 0xf0)
        return (struct sequence){ 2, lead == 0xe0 ? 0xa0 : 0x80, lead == 0xed ? 0x9f : 0xbf };
    return (struct sequence){ 3, lead == 0xf0 ? 0x90 : 0x80, lead == 0xf4 ? 0x8f : 0xbf };
}

uint32_t utf8_next(const char **cursor, const char *end, bool *valid)
{
    unsigned char lead = (unsigned char)*(*cursor)++;
    struct sequence sequence;
    uint32_t code;

    assert(*cursor <= end && "there is a byte to read");
    *valid = true;
    if (lead < 0x80)
        return lead;
    sequence = sequence_of(lead);
    code = lead & (0x3fu >> sequence.following);
    for (unsigned i = 0; i < sequence.following; i++) {
        unsigned char byte = *cursor < end ? (unsigned char)**cursor : 0;

        if (byte < sequence.low || byte > sequence.high) {
            *valid = false;
            return UTF8_REPLACEMENT;
        }
        code = code << 6 | (byte & 0x3fu);
        sequence.low = 0x80;
        sequence.high = 0xbf;
        (*cursor)++;
    }
    *valid = sequence.following > 0;
    return *valid ? code : UTF8_REPLACEMENT;
}

void utf8_mend(char *text, size_t length)
{
    const char *end = text + length;
    const char *cursor = text;

    while (cursor < end) {
        size_t place = (size_t)(cursor - text);
        bool valid;

        utf8_next(&cursor, end, &valid);
        if (!valid)
            memset(text + place, '?', (size_t)(cursor - text) - place);
    }
}

void cell_write_escaped(struct output *output, const char *text, cell_escape escape)
{
    const char *end = text + strlen(text);
    const char *cursor = text;
    const char *written = text; /* everything before it is in the output */

    assert(text && escape);
    while (cursor < end) {
        const char *character = cursor;
        unsigned char previous = character > text ? (unsigned char)character[-1] : 0;
        bool valid;
        uint32_t code = utf8_next(&cursor, end, &valid);
        const char *instead = valid ? escape(code, previous, cursor, end) : UTF8_REPLACEMENT_TEXT;

        if (!instead)
            continue;
        output_write(output, written, (size_t)(character - written));
        output_write(output, instead, strlen(instead));
        written = cursor;
    }
    output_write(output, written, (size_t)(end - written));
}

void cell_write_plain(struct output *output, const char *text)
{
    output_write(output, text, strlen(text));
}

bool cell_needs_quotes(const char *data, size_t length, char delimiter)
{
    assert(data || !length);
    for (size_t i = 0; i < length; i++) {
        if (data[i] == delimiter || data[i] == '"' || data[i] == '\r' || data[i] == '\n')
            return true;
    }
    return false;
}

void cell_write_doubling_quotes(struct output *output, const char *data, size_t length)
{
    while (length > 0) {
        const char *quote = memchr(data, '"', length);
        size_t piece = quote ? (size_t)(quote - data) + 1 : length;

        output_write(output, data, piece);
        if (quote)
            output_write(output, "\"", 1);
        data += piece;
        length -= piece;
    }
}

void cell_write_field(struct output *output, const char *data, size_t length, char delimiter)
{
    bool quoted = cell_needs_quotes(data, length, delimiter);

    output_write(output, "\"", quoted);
    cell_write_doubling_quotes(output, data, length);
    output_write(output, "\"", quoted);
}

void cell_line_put_both(struct cell_line *line, const char *one, size_t length, const char *other, size_t other_length)
{
    bool quoted = cell_needs_quotes(one, length, ',') || cell_needs_quotes(other, other_length, ',');

    output_write(line->output, ",", line->started);
    line->started = true;
    output_write(line->output, "\"", quoted);
    cell_write_doubling_quotes(line->output, one, length);
    cell_write_doubling_quotes(line->output, other, other_length);
    output_write(line->output, "\"", quoted);
}

void cell_line_put(struct cell_line *line, const char *data, size_t length)
{
    cell_line_put_both(line, data, length, "", 0);
}

void cell_line_end(struct cell_line *line)
{
    output_write(line->output, "\r\n", 2);
    line->started = false;
}

bool cell_is_number(enum cell_type type)
{
    return type != CELL_TEXT && type != CELL_BOOLEAN;
}

const char *cell_heading(const struct table_column *column)
{
    assert(column->name);
    return column->title ? column->title : column->name;
}

const char *cell_heading_unit(const struct table_column *column)
{
    bool own_unit = column->type == CELL_DURATION || column->type == CELL_PERCENT || column->type == CELL_BYTES;

    return own_unit ? NULL : column->unit;
}

static size_t show_decimal(char *to, double value)
{
    double size = value < 0 ? -value : value;
    int length;

    if (isnan(value))
        length = snprintf(to, FORMAT_SIZE, "nan");
    else if (size != 0 && (size < 0.0005 || size >= 1e15))
        length = snprintf(to, FORMAT_SIZE, "%.4g", value);
    else
        length = snprintf(to, FORMAT_SIZE, "%.3f", value);
    return length < 0 ? 0 : (size_t)length;
}

static size_t show_percent(char *to, double value)
{
    /* Far outside 0..100 a value is still shown, but in few characters. */
    int length = snprintf(to, FORMAT_SIZE, value > -1e15 && value < 1e15 ? "%.2f%%" : "%.4g%%", value);

    return length < 0 ? 0 : (size_t)length;
}

static size_t show_bytes(char *to, int64_t bytes)
{
    if (bytes >= 0)
        return format_bytes(to, (uint64_t)bytes);
    to[0] = '-';
    return 1 + format_bytes(to + 1, -(uint64_t)bytes);
}

size_t cell_show(char *to, const struct table_column *column, struct table_cell cell)
{
    assert(column->type <= CELL_BYTES);
    to[0] = '\0';
    if (cell.null)
        return 0;
    switch (column->type) {
    case CELL_TEXT:
        break;
    case CELL_INTEGER:
        return number_write_integer(to, cell.integer);
    case CELL_DECIMAL:
        return show_decimal(to, cell.decimal);
    case CELL_BOOLEAN:
        memcpy(to, cell.boolean ? "yes" : "no", cell.boolean ? 3 : 2);
        return cell.boolean ? 3 : 2;
    case CELL_DURATION:
        return format_duration(to, cell.integer);
    case CELL_PERCENT:
        return show_percent(to, cell.decimal);
    case CELL_BYTES:
        return show_bytes(to, cell.integer);
    }
    return 0;
}

bool cell_bar(const struct table_column *column, struct table_cell cell, double *percent)
{
    if (!column->bar || column->type != CELL_PERCENT || cell.null || isnan(cell.decimal))
        return false;
    *percent = cell.decimal < 0 ? 0 : cell.decimal > 100 ? 100 : cell.decimal;
    return true;
}
