/* markdown.c: tables and prose in GitHub's markdown. Characters that would be markup are escaped; nothing in a text can end its cell. */
#include <ctype.h>
#include <string.h>

#include "table/cell.h"
#include "table/printer.h"
#include "table/prose.h"

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

    if (*table_title(table) && !style->untitled) {
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

/* ---- prose ----------------------------------------------------------------------------------------------------- */

/* Inside a code span only its own end means something, and in a table the end of the cell; the span has no backtick. */
static const char *escape_code(uint32_t code, unsigned char previous, const char *rest, const char *end)
{
    (void)previous;
    (void)rest;
    (void)end;
    return code < 0x20 || code == 0x7f ? " " : NULL;
}

static const char *escape_code_cell(uint32_t code, unsigned char previous, const char *rest, const char *end)
{
    return code == '|' ? "\\|" : escape_code(code, previous, rest, end);
}

static void write_spans(struct output *output, struct spans spans, bool cell)
{
    for (size_t i = 0; i < spans.count; i++) {
        const struct span *span = &spans.items[i];

        cell_write_plain(output, span->bold ? span->code ? "**`" : "**" : span->code ? "`" : "");
        cell_write_escaped(output, span->text, !span->code ? escape : cell ? escape_code_cell : escape_code);
        cell_write_plain(output, span->code ? span->bold ? "`**" : "`" : span->bold ? "**" : "");
    }
}

static void prose_begin(struct output *output, const char *title, const struct prose_heading *headings, size_t count)
{
    (void)headings;
    (void)count;
    cell_write_plain(output, "# ");
    cell_write_escaped(output, title, escape);
    cell_write_plain(output, "\n");
}

static void prose_heading(struct output *output, const struct prose_heading *heading)
{
    static const char marks[] = "######";

    cell_write_plain(output, "\n");
    output_write(output, marks, heading->level < sizeof marks ? heading->level : sizeof marks - 1);
    cell_write_plain(output, " ");
    write_spans(output, heading->text, false);
    cell_write_plain(output, "\n");
}

static void prose_paragraph(struct output *output, enum prose_mood mood, struct spans text)
{
    cell_write_plain(output, "\n");
    cell_write_plain(output, prose_mood_sign(mood));
    write_spans(output, text, false);
    cell_write_plain(output, "\n");
}

static void prose_items(struct output *output, const struct prose_item *items, size_t count)
{
    cell_write_plain(output, "\n");
    for (size_t i = 0; i < count; i++) {
        const struct prose_item *item = &items[i];

        for (unsigned depth = 0; depth < item->depth; depth++)
            cell_write_plain(output, "  ");
        cell_write_plain(output, item->label && !item->depth ? "- **" : "- ");
        if (item->label) {
            cell_write_escaped(output, item->label, escape);
            cell_write_plain(output, item->depth ? ":" : "**:");
            cell_write_plain(output, item->text.count ? " " : "");
        }
        write_spans(output, item->text, false);
        cell_write_plain(output, "\n");
    }
}

static void prose_code(struct output *output, const char *text)
{
    const char *fence = strstr(text, "```") ? "~~~~" : "```";

    cell_write_plain(output, "\n");
    cell_write_plain(output, fence);
    cell_write_plain(output, "\n");
    cell_write_plain(output, text);
    cell_write_plain(output, "\n");
    cell_write_plain(output, fence);
    cell_write_plain(output, "\n");
}

static void prose_grid(struct output *output, const struct prose_grid *grid)
{
    cell_write_plain(output, "\n|");
    for (size_t i = 0; i < grid->column_count; i++) {
        cell_write_plain(output, " ");
        cell_write_escaped(output, grid->columns[i].title, escape);
        cell_write_plain(output, " |");
    }
    cell_write_plain(output, "\n|");
    for (size_t i = 0; i < grid->column_count; i++)
        cell_write_plain(output, grid->columns[i].number ? " ---: |" : " --- |");
    cell_write_plain(output, "\n");
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++) {
        bool last = (i + 1) % grid->column_count == 0;

        cell_write_plain(output, i % grid->column_count ? " " : "| ");
        write_spans(output, grid->cells[i], true);
        cell_write_plain(output, last ? " |\n" : " |");
    }
}

static void prose_rule(struct output *output)
{
    cell_write_plain(output, "\n---\n");
}

static void prose_end(struct output *output)
{
    (void)output;
}

const struct prose_printer markdown_prose = {
    .suffix = ".md",
    .tables = &markdown_printer,
    .begin = prose_begin,
    .heading = prose_heading,
    .paragraph = prose_paragraph,
    .items = prose_items,
    .code = prose_code,
    .grid = prose_grid,
    .rule = prose_rule,
    .end = prose_end,
};
