/* clickhouse_rows.c: rows of a history as ClickHouse takes and gives them, and the SQL around them. */
#include "history/clickhouse_rows.h"

#include <assert.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/number.h"

/* ---- bytes ----------------------------------------------------------------------------------------------------------------------- */

void bytes_add(struct bytes *bytes, const void *data, size_t length)
{
    if (bytes->failure == STATUS_OK)
        bytes->failure = memory_grow(&bytes->data, &bytes->capacity, bytes->length + length + 1, 1);
    if (bytes->failure != STATUS_OK)
        return;
    if (length)
        memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
    bytes->data[bytes->length] = '\0';
}

void bytes_format(struct bytes *bytes, const char *format, ...)
{
    char text[512];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < sizeof text && "long texts are added as they are");
    bytes_add(bytes, text, (size_t)length);
}

void bytes_quote(struct bytes *bytes, const char *text)
{
    bytes_add(bytes, "'", 1);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            bytes_add(bytes, "\\", 1);
        bytes_add(bytes, text, 1);
    }
    bytes_add(bytes, "'", 1);
}

void bytes_numbers(struct bytes *bytes, const int64_t *numbers, size_t count)
{
    char text[24];

    for (size_t i = 0; i < count; i++) {
        size_t length = number_write_integer(text, numbers[i]);

        bytes_add(bytes, ", ", i ? 2 : 0);
        bytes_add(bytes, text, length);
    }
}

void bytes_free(struct bytes *bytes)
{
    memory_free(bytes->data);
    *bytes = (struct bytes){ 0 };
}

/* ---- in ---------------------------------------------------------------------------------------------------------------------------- */

const char *clickhouse_type(const struct history_column *column)
{
    switch (column->kind) {
    case HISTORY_INTEGER:
        return column->optional ? "Nullable(Int64)" : "Int64";
    case HISTORY_DECIMAL:
        return column->optional ? "Nullable(Float64)" : "Float64";
    case HISTORY_TEXT:
    case HISTORY_BYTES:
    case HISTORY_NULL:
        break;
    }
    return column->optional ? "Nullable(String)" : "String";
}

/* The lowest byte first, as the format wants it on every machine. */
void clickhouse_add_number(struct bytes *block, uint64_t number, size_t size)
{
    unsigned char bytes[8];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
    bytes_add(block, bytes, size);
}

static void add_text(struct bytes *block, struct text text)
{
    unsigned char head[10];
    size_t count = 0, length = text.length;

    for (; length >= 128; length >>= 7)
        head[count++] = (unsigned char)(length | 128);
    head[count++] = (unsigned char)length;
    bytes_add(block, head, count);
    bytes_add(block, text.data, text.length);
}

static bool fits(const struct history_column *column, const struct history_value *value)
{
    return value->kind == column->kind || (value->kind == HISTORY_NULL && column->optional);
}

status clickhouse_add_row(struct bytes *block, enum history_table_id table, const struct history_value *values)
{
    const struct history_table *of = &history_tables[table];
    uint64_t bits;

    for (size_t i = 0; i < HISTORY_COLUMNS && of->columns[i].name; i++) {
        const struct history_column *column = &of->columns[i];

        if (!fits(column, &values[i]))
            return status_fail(STATUS_OUTPUT, "a value of %s.%s is not known, and has to be", of->name, column->name);
        if (column->optional)
            bytes_add(block, values[i].kind == HISTORY_NULL ? "\1" : "\0", 1);
        if (values[i].kind == HISTORY_INTEGER) {
            clickhouse_add_number(block, (uint64_t)values[i].integer, 8);
        } else if (values[i].kind == HISTORY_DECIMAL) {
            memcpy(&bits, &values[i].decimal, sizeof bits);
            clickhouse_add_number(block, bits, 8);
        } else if (values[i].kind != HISTORY_NULL) {
            add_text(block, values[i].text);
        }
    }
    return block->failure;
}

/* ---- out --------------------------------------------------------------------------------------------------------------------------- */

enum { LINE_MOST = 256 << 20, HEAD_LINES = 2 };

static status refuse(const struct answer_rows *rows, const char *what)
{
    return status_fail(STATUS_INPUT, "%s: the answer is not what was asked for: %s, in line %zu", rows->from, what,
                       rows->lines + 1);
}

/* Names, then types. */
static status check_head(struct answer_rows *rows, struct text line)
{
    for (size_t i = 0; i < rows->wanted.count; i++) {
        const struct history_column *column = &rows->wanted.columns[i];
        struct text word = text_take(&line, '\t');

        if (!text_is(word, rows->lines ? clickhouse_type(column) : column->name))
            return refuse(rows, rows->lines ? "columns of other types" : "other columns");
    }
    return line.data ? refuse(rows, "more columns") : STATUS_OK;
}

/* In place: "\t" of two signs is a tab. */
static bool unescape(char *data, size_t *length)
{
    static const char signs[] = "bfnrt0'\\", bytes[] = "\b\f\n\r\t\0'\\";
    size_t to = 0;

    for (size_t i = 0; i < *length; i++) {
        if (data[i] == '\\') {
            const char *found = ++i < *length && data[i] ? strchr(signs, data[i]) : NULL;

            if (!found)
                return false;
            data[to++] = bytes[found - signs];
        } else {
            data[to++] = data[i];
        }
    }
    *length = to;
    return true;
}

static bool read_value(const struct history_column *column, char *data, size_t length, struct history_value *value)
{
    *value = (struct history_value){ .kind = column->kind };
    if (column->optional && length == 2 && memcmp(data, "\\N", 2) == 0) {
        value->kind = HISTORY_NULL;
        return true;
    }
    if (column->kind == HISTORY_INTEGER)
        return number_parse_integer(data, length, &value->integer);
    if (column->kind == HISTORY_DECIMAL)
        return number_parse_decimal(data, length, &value->decimal);
    value->text.data = data;
    if (!unescape(data, &length))
        return false;
    value->text.length = length;
    return true;
}

static status take_row(struct answer_rows *rows, char *data, size_t length)
{
    char *end = data + length;

    for (size_t i = 0; i < rows->wanted.count; i++) {
        char *tab = memchr(data, '\t', (size_t)(end - data)), *stop = tab ? tab : end;

        if (!tab != (i + 1 == rows->wanted.count))
            return refuse(rows, "another number of columns");
        if (!read_value(&rows->wanted.columns[i], data, (size_t)(stop - data), &rows->values[i]))
            return refuse(rows, "a value of another type");
        data = stop + 1;
    }
    if (rows->wanted.ascending && rows->lines > HEAD_LINES && rows->values[0].integer < rows->first)
        return refuse(rows, "rows in another order");
    rows->first = rows->values[0].integer;
    return rows->take(rows->context, rows->values);
}

/* A row that is the same as the one before was sent twice. */
static status take_line(struct answer_rows *rows)
{
    struct text line = bytes_text(&rows->line);
    status code;

    if (rows->lines < HEAD_LINES) {
        code = check_head(rows, line);
    } else if (rows->lines > HEAD_LINES && text_equal(line, bytes_text(&rows->last))) {
        code = STATUS_OK;
    } else {
        rows->last.length = 0;
        bytes_add(&rows->last, line.data, line.length);
        code =
            rows->last.failure == STATUS_OK ? take_row(rows, rows->line.data, rows->line.length) : rows->last.failure;
    }
    rows->lines++;
    rows->line.length = 0;
    return code;
}

status rows_take(void *context, const char *data, size_t length)
{
    struct answer_rows *rows = context;
    status code = STATUS_OK;

    while (length && code == STATUS_OK) {
        const char *end = memchr(data, '\n', length);
        size_t piece = end ? (size_t)(end - data) : length;

        if (rows->line.length + piece > LINE_MOST)
            return refuse(rows, "a row without an end");
        bytes_add(&rows->line, data, piece);
        code = rows->line.failure;
        if (end && code == STATUS_OK)
            code = take_line(rows);
        piece += end != NULL;
        data += piece;
        length -= piece;
    }
    return code;
}

status rows_end(struct answer_rows *rows)
{
    if (rows->lines < HEAD_LINES)
        return refuse(rows, "it is empty");
    return rows->line.length ? refuse(rows, "it ends in the middle of a row") : STATUS_OK;
}

void rows_free(struct answer_rows *rows)
{
    bytes_free(&rows->line);
    bytes_free(&rows->last);
}
