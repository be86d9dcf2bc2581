/* json.c: JSON values, and tables as JSON. */
#include "table/json.h"

#include <assert.h>
#include <string.h>

#include "base/json_write.h"
#include "table/cell.h"
#include "table/printer.h"

void json_write_string(struct output *output, const char *data, size_t length)
{
    json_value_string(output, (struct text){ data, length });
}

void json_write_text(struct output *output, const char *text)
{
    if (text)
        json_write_string(output, text, strlen(text));
    else
        output_write(output, "null", 4);
}

void json_write_integer(struct output *output, int64_t value)
{
    json_value_integer(output, value);
}

void json_write_decimal(struct output *output, double value)
{
    json_value_decimal(output, value);
}

static const char *type_name(enum cell_type type)
{
    switch (type) {
    case CELL_TEXT:
        return "text";
    case CELL_INTEGER:
        return "integer";
    case CELL_DECIMAL:
        return "decimal";
    case CELL_BOOLEAN:
        return "boolean";
    case CELL_DURATION:
        return "duration";
    case CELL_PERCENT:
        return "percent";
    case CELL_BYTES:
        return "bytes";
    }
    return "text";
}

static void write_cell(struct output *output, enum cell_type type, struct table_cell cell)
{
    if (cell.null) {
        output_write(output, "null", 4);
        return;
    }
    switch (type) {
    case CELL_TEXT:
        json_write_text(output, cell.text);
        break;
    case CELL_INTEGER:
    case CELL_DURATION:
    case CELL_BYTES:
        json_write_integer(output, cell.integer);
        break;
    case CELL_DECIMAL:
    case CELL_PERCENT:
        json_write_decimal(output, cell.decimal);
        break;
    case CELL_BOOLEAN:
        cell_write_plain(output, cell.boolean ? "true" : "false");
        break;
    }
}

static void write_column(struct output *output, const struct table_column *column)
{
    cell_write_plain(output, "{\"name\": ");
    json_write_text(output, column->name);
    cell_write_plain(output, ", \"title\": ");
    json_write_text(output, cell_heading(column));
    cell_write_plain(output, ", \"unit\": ");
    json_write_text(output, column->unit);
    cell_write_plain(output, ", \"type\": ");
    json_write_text(output, type_name(column->type));
    cell_write_plain(output, ", \"description\": ");
    json_write_text(output, column->description);
    cell_write_plain(output, "}");
}

/* Each element of an array stands on its own line; an empty array is []. */
static void begin_element(struct output *output, size_t index)
{
    cell_write_plain(output, index ? ",\n    " : "\n    ");
}

static void end_array(struct output *output, size_t count)
{
    cell_write_plain(output, count ? "\n  ]" : "]");
}

static void *begin(struct output *output, const struct table *table, const struct printer_style *style)
{
    (void)style;
    cell_write_plain(output, "{\n  \"name\": ");
    json_write_text(output, table_name(table));
    cell_write_plain(output, ",\n  \"title\": ");
    json_write_text(output, table_title(table));
    cell_write_plain(output, ",\n  \"columns\": [");
    for (size_t i = 0; i < table_columns(table); i++) {
        begin_element(output, i);
        write_column(output, table_column(table, i));
    }
    end_array(output, table_columns(table));
    cell_write_plain(output, ",\n  \"rows\": [");
    return NULL;
}

void json_write_row(struct output *output, const struct table *table, size_t row)
{
    assert(row < table_rows(table));
    cell_write_plain(output, "{");
    for (size_t i = 0; i < table_columns(table); i++) {
        const struct table_column *column = table_column(table, i);

        if (i)
            cell_write_plain(output, ", ");
        json_write_text(output, column->name);
        cell_write_plain(output, ": ");
        write_cell(output, column->type, table_cell(table, row, i));
    }
    cell_write_plain(output, "}");
}

static void row(struct output *output, const struct table *table, const struct printer_style *style, void *state,
                size_t index)
{
    (void)style;
    (void)state;
    begin_element(output, index);
    json_write_row(output, table, index);
}

static void end(struct output *output, const struct table *table, const struct printer_style *style, void *state)
{
    (void)style;
    (void)state;
    end_array(output, table_rows(table));
    cell_write_plain(output, ",\n  \"notes\": [");
    for (size_t i = 0; i < table_notes(table); i++) {
        begin_element(output, i);
        json_write_text(output, table_note_at(table, i));
    }
    end_array(output, table_notes(table));
    cell_write_plain(output, "\n}\n");
}

const struct printer json_printer = { .id = "json", .suffix = ".json", .begin = begin, .row = row, .end = end };
