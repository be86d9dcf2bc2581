/* A table in GitHub's markdown. Characters that would be markup are escaped; nothing in a text can end its cell. */
#include <ctype.h>
#include <string.h>

#include "write/cell.h"
#include "write/printer.h"

static bool is_word(unsigned char byte)
{
    return byte >= 0x80 || isalnum(byte) || byte == '_';
}

static const char *escape_ascii(uint32_t code)
{
    switch (code) {
    case '|':
        return "\\|";
    case '\\':
        return "\\\\";
    case '`':
        return "\\`";
    case '*':
        return "\\*";
    case '[':
        return "\\[";
    case '~':
        return "\\~";
    case '<':
        return "&lt;";
    case '&':
        return "&amp;";
    case '\t':
        return " ";
    default:
        return code < 0x20 || code == 0x7f ? UTF8_REPLACEMENT_TEXT : NULL;
    }
}

static const char *escape(uint32_t code, unsigned char previous, const char *rest, const char *end)
{
    /* Inside a name an underscore is no emphasis, and names full of backslashes would be hard to read. */
    if (code == '_')
        return previous && is_word(previous) && previous != '_' && rest < end && is_word((unsigned char)*rest) &&
                       *rest != '_'
                   ? NULL
                   : "\\_";
    if (code == '\r')
        return rest < end && *rest == '\n' ? "" : "<br>";
    if (code == '\n')
        return "<br>";
    return escape_ascii(code);
}

static void *begin(struct output *output, const struct table *table, const struct printer_style *style)
{
    size_t columns = table_columns(table);

    (void)style;
    if (*table_title(table)) {
        cell_write_plain(output, "## ");
        cell_write_escaped(output, table_title(table), escape);
        cell_write_plain(output, columns ? "\n\n" : "\n");
    }
    if (columns == 0)
        return NULL;
    cell_write_plain(output, "|");
    for (size_t i = 0; i < columns; i++) {
        const struct table_column *column = table_column(table, i);
        const char *unit = cell_heading_unit(column);

        cell_write_plain(output, " ");
        cell_write_escaped(output, cell_heading(column), escape);
        if (unit) {
            cell_write_plain(output, " \\[");
            cell_write_escaped(output, unit, escape);
            cell_write_plain(output, "]");
        }
        cell_write_plain(output, " |");
    }
    cell_write_plain(output, "\n|");
    for (size_t i = 0; i < columns; i++)
        cell_write_plain(output, cell_is_number(table_column(table, i)->type) ? " ---: |" : " --- |");
    cell_write_plain(output, "\n");
    return NULL;
}

static void row(struct output *output, const struct table *table, const struct printer_style *style, void *state,
                size_t index)
{
    char shown[FORMAT_SIZE];

    (void)style;
    (void)state;
    if (table_columns(table) == 0)
        return;
    cell_write_plain(output, "|");
    for (size_t i = 0; i < table_columns(table); i++) {
        const struct table_column *column = table_column(table, i);
        struct table_cell cell = table_cell(table, index, i);

        cell_write_plain(output, " ");
        if (!cell.null && column->type == CELL_TEXT)
            cell_write_escaped(output, cell.text, escape);
        else
            output_write(output, shown, cell_show(shown, column, cell));
        cell_write_plain(output, " |");
    }
    cell_write_plain(output, "\n");
}

static void end(struct output *output, const struct table *table, const struct printer_style *style, void *state)
{
    (void)style;
    (void)state;
    for (size_t i = 0; i < table_notes(table); i++) {
        /* The blank line ends the table, or the list would be its last row. */
        cell_write_plain(output, i ? "- " : "\n- ");
        cell_write_escaped(output, table_note_at(table, i), escape);
        cell_write_plain(output, "\n");
    }
}

const struct printer markdown_printer = { .id = "markdown", .suffix = ".md", .begin = begin, .row = row, .end = end };
