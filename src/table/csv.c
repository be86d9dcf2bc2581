/* csv.c: CSV in a dialect: a field is quoted only where it must be, as RFC 4180 and Python's csv module do it. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "table/cell.h"
#include "table/printer.h"

static const struct dialect *dialect_of(const struct printer_style *style)
{
    return style->dialect ? style->dialect : &dialect_plain;
}

/* `only`: the field is alone on its line, where an empty one would read as a blank line, which readers skip. */
static void write_field(struct output *output, const struct dialect *dialect, const char *text, bool only)
{
    if (only && !*text)
        output_write(output, "\"\"", 2);
    else
        cell_write_field(output, text, strlen(text), dialect->delimiter);
}

/* A text that Python would write for the float; NaN is a null there too. */
static const char *decimal_text(char *to, double value, const char *null)
{
    if (isnan(value))
        return null;
    if (isinf(value))
        return value < 0 ? "-inf" : "inf";
    to[number_write_shortest(to, value)] = '\0';
    return to;
}

static const char *cell_text(char *to, const struct dialect *dialect, const struct table *table, size_t row,
                             size_t index)
{
    struct table_cell cell = table_cell(table, row, index);

    if (cell.null)
        return dialect->null;
    switch (table_column(table, index)->type) {
    case CELL_TEXT:
        return cell.text;
    case CELL_INTEGER:
    case CELL_DURATION:
    case CELL_BYTES:
        if (dialect->integers_with_nulls_as_decimals && table_nulls(table, index))
            return decimal_text(to, (double)cell.integer, dialect->null);
        to[number_write_integer(to, cell.integer)] = '\0';
        return to;
    case CELL_DECIMAL:
    case CELL_PERCENT:
        return decimal_text(to, cell.decimal, dialect->null);
    case CELL_BOOLEAN:
        return cell.boolean ? dialect->yes : dialect->no;
    }
    return dialect->null;
}

/* A heading such as `Total Time [us]` comes in two pieces; quoting looks at both. */
static void write_heading(struct output *output, const struct dialect *dialect, const struct table_column *column,
                          bool only)
{
    const char *title = cell_heading(column);
    size_t length = strlen(title), unit;
    bool quoted;

    if (!dialect->titles || !column->unit) {
        write_field(output, dialect, dialect->titles ? title : column->name, only);
        return;
    }
    unit = strlen(column->unit);
    quoted = cell_needs_quotes(title, length, dialect->delimiter) ||
             cell_needs_quotes(column->unit, unit, dialect->delimiter);
    cell_write_plain(output, quoted ? "\"" : "");
    cell_write_doubling_quotes(output, title, length);
    cell_write_plain(output, " [");
    cell_write_doubling_quotes(output, column->unit, unit);
    cell_write_plain(output, quoted ? "]\"" : "]");
}

static void *begin(struct output *output, const struct table *table, const struct printer_style *style)
{
    const struct dialect *dialect = dialect_of(style);
    size_t columns = table_columns(table);

    for (size_t i = 0; i < columns; i++) {
        if (i)
            output_write(output, &dialect->delimiter, 1);
        write_heading(output, dialect, table_column(table, i), columns == 1);
    }
    if (columns)
        cell_write_plain(output, dialect->line_end);
    return NULL;
}

static void row(struct output *output, const struct table *table, const struct printer_style *style, void *state,
                size_t index)
{
    const struct dialect *dialect = dialect_of(style);
    size_t columns = table_columns(table);
    char number[FORMAT_SIZE];

    (void)state;
    for (size_t i = 0; i < columns; i++) {
        if (i)
            output_write(output, &dialect->delimiter, 1);
        write_field(output, dialect, cell_text(number, dialect, table, index, i), columns == 1);
    }
    if (columns)
        cell_write_plain(output, dialect->line_end);
}

static void end(struct output *output, const struct table *table, const struct printer_style *style, void *state)
{
    /* Notes have no place in CSV: every line is a row. */
    (void)output;
    (void)table;
    (void)style;
    (void)state;
}

const struct printer csv_printer = { .id = "csv", .suffix = ".csv", .begin = begin, .row = row, .end = end };
