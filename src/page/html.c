/* html.c: tables and prose as HTML, and the page around them. The page lies in web/ and is embedded at build time. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "embedded.h"
#include "page/html.h"
#include "table/cell.h"
#include "table/plot.h"
#include "table/printer.h"
#include "table/prose.h"

static const char *escape(uint32_t code, unsigned char previous, const char *rest, const char *end)
{
    bool forbidden = (code < 0x20 && code != '\t' && code != '\n' && code != '\r') || (code >= 0x7f && code <= 0x9f);

    (void)previous;
    (void)rest;
    (void)end;
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return forbidden ? UTF8_REPLACEMENT_TEXT : NULL;
    }
}

void html_write_text(struct output *output, const char *text)
{
    cell_write_escaped(output, text, escape);
}

static void write_element(struct output *output, const char *before, const char *text, const char *after)
{
    cell_write_plain(output, before);
    cell_write_escaped(output, text, escape);
    cell_write_plain(output, after);
}

static void write_heading(struct output *output, const struct table_column *column)
{
    const char *unit = cell_heading_unit(column);

    cell_write_plain(output, "<th scope=\"col\"");
    if (column->bar && column->type == CELL_PERCENT)
        cell_write_plain(output, " class=\"number barred\"");
    else if (cell_is_number(column->type))
        cell_write_plain(output, " class=\"number\"");
    if (column->description)
        write_element(output, " title=\"", column->description, "\"");
    write_element(output, ">", cell_heading(column), "");
    if (unit)
        write_element(output, " <small>[", unit, "]</small>");
    cell_write_plain(output, "</th>");
}

/* The element around a table scrolls one that is wider than the window; keys do so, too, where it has the focus. */
static void begin_holder(struct output *output, const char *title)
{
    write_element(output, "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"", *title ? title : "Table",
                  "\"><table>\n<thead><tr>");
}

/* People see 12.845ms; who points at it sees the exact number. */
static void write_exact(struct output *output, const struct table_column *column, struct table_cell cell)
{
    char number[FORMAT_SIZE];

    if (cell.null || (column->type != CELL_DURATION && column->type != CELL_BYTES))
        return;
    number[number_write_integer(number, cell.integer)] = '\0';
    write_element(output, " title=\"", number, column->type == CELL_BYTES ? " B\"" : " ns\"");
}

/* The part of an address behind "#": what could be anything else is written by its bytes. */
static void write_fragment(struct output *output, const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    for (; *text; text++)
        output_format(output, strchr(plain, *text) ? "%c" : "%%%02X", (unsigned char)*text);
}

/* How the timeline of the page is asked for what a cell names; NULL: it names nothing there. Totals and rests stand in parentheses. */
static const char *link_of(const struct table_column *column, struct table_cell cell)
{
    static const struct {
        const char *column; /* its name */
        const char *key;    /* in the address */
    } links[] = { { "operator", "n" }, { "name", "n" }, { "run", "u" } };

    if (column->type != CELL_TEXT || cell.null || !*cell.text || *cell.text == '(')
        return NULL;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (strcmp(column->name, links[i].column) == 0)
            return links[i].key;
    return NULL;
}

static void write_link(struct output *output, const char *key, const char *text)
{
    write_element(output, "<a href=\"#", key, "=");
    write_fragment(output, text);
    write_element(output, "\">", text, "</a>");
}

static void write_cell(struct output *output, const struct table_column *column, struct table_cell cell, bool linked)
{
    const char *link = linked ? link_of(column, cell) : NULL;
    char shown[FORMAT_SIZE];
    double percent;

    cell_write_plain(output, cell_is_number(column->type) ? "<td class=\"number\"" : "<td");
    write_exact(output, column, cell);
    cell_write_plain(output, ">");
    if (link)
        write_link(output, link, cell.text);
    else if (!cell.null && column->type == CELL_TEXT)
        cell_write_escaped(output, cell.text, escape);
    else
        output_write(output, shown, cell_show(shown, column, cell));
    if (cell_bar(column, cell, &percent)) {
        snprintf(shown, sizeof shown, "%.2f", percent);
        /* A style of its own would not pass the policy of the page. */
        write_element(output, "<svg class=\"bar\" aria-hidden=\"true\"><rect width=\"", shown,
                      "%\" height=\"100%\"/></svg>");
    }
    cell_write_plain(output, "</td>");
}

static void *begin(struct output *output, const struct table *table, const struct printer_style *style)
{
    cell_write_plain(output, "<section>\n");
    if (*table_title(table) && !style->untitled)
        write_element(output, "<h2>", table_title(table), "</h2>\n");
    if (table_columns(table) == 0)
        return NULL;
    begin_holder(output, table_title(table));
    for (size_t i = 0; i < table_columns(table); i++)
        write_heading(output, table_column(table, i));
    cell_write_plain(output, "</tr></thead>\n<tbody>\n");
    return NULL;
}

static void write_row(struct output *output, const struct table *table, size_t index, bool linked)
{
    if (table_columns(table) == 0)
        return;
    cell_write_plain(output, "<tr>");
    for (size_t i = 0; i < table_columns(table); i++)
        write_cell(output, table_column(table, i), table_cell(table, index, i), linked);
    cell_write_plain(output, "</tr>\n");
}

static void row(struct output *output, const struct table *table, const struct printer_style *style, void *state,
                size_t index)
{
    (void)style;
    (void)state;
    write_row(output, table, index, false);
}

static void linked_row(struct output *output, const struct table *table, const struct printer_style *style, void *state,
                       size_t index)
{
    (void)style;
    (void)state;
    write_row(output, table, index, true);
}

static void end(struct output *output, const struct table *table, const struct printer_style *style, void *state)
{
    (void)style;
    (void)state;
    if (table_columns(table) > 0)
        cell_write_plain(output, "</tbody>\n</table></div>\n");
    if (table_columns(table) > 0 && table_rows(table) == 0)
        cell_write_plain(output, "<p class=\"empty\">no rows</p>\n");
    if (table_notes(table) > 0) {
        cell_write_plain(output, "<ul class=\"notes\">\n");
        for (size_t i = 0; i < table_notes(table); i++)
            write_element(output, "<li>", table_note_at(table, i), "</li>\n");
        cell_write_plain(output, "</ul>\n");
    }
    cell_write_plain(output, "</section>\n");
}

static const struct printer linked_printer = {
    .id = "html", .suffix = ".html", .begin = begin, .row = linked_row, .end = end
};

const struct printer html_printer = { .id = "html", .suffix = ".html", .begin = begin, .row = row, .end = end };

#define BODY_MARK "{{body}}"

/* What stands in a shell where it says {{name}}. */
struct shell_mark {
    const char *name; /* NULL ends a list */
    const char *text; /* borrowed */
    bool trusted;     /* it is ours, and markup; else it is escaped */
};

/* The length of the mark that `text` begins with; 0: none of these. */
static size_t write_mark(struct output *output, const char *text, const struct shell_mark *marks)
{
    for (const struct shell_mark *mark = marks; mark->name; mark++) {
        size_t length = strlen(mark->name);

        if (strncmp(text + 2, mark->name, length) != 0 || strncmp(text + 2 + length, "}}", 2) != 0)
            continue;
        if (mark->trusted)
            cell_write_plain(output, mark->text);
        else
            cell_write_escaped(output, mark->text, escape);
        return length + 4;
    }
    return 0;
}

/* A shell up to its body, or from where `shell` points to its end. */
static void write_shell(struct output *output, const char *shell, const struct shell_mark *marks)
{
    const char *cursor = shell;

    for (;;) {
        const char *mark = strstr(cursor, "{{");
        size_t length;

        if (!mark) {
            cell_write_plain(output, cursor);
            return;
        }
        output_write(output, cursor, (size_t)(mark - cursor));
        if (strncmp(mark, BODY_MARK, strlen(BODY_MARK)) == 0)
            return;
        length = write_mark(output, mark, marks);
        if (!length)
            output_write(output, mark, 2);
        cursor = mark + (length ? length : 2);
    }
}

static const char *after_body(const char *shell)
{
    const char *body = strstr(shell, BODY_MARK);

    return body ? body + strlen(BODY_MARK) : "";
}

void html_page_begin(struct output *output, const char *title)
{
    write_shell(output, web_shell,
                (const struct shell_mark[]){
                    { .name = "title", .text = title },
                    { .name = "style", .text = web_style, .trusted = true },
                    { .name = "style-hash", .text = web_style_hash, .trusted = true },
                    { .name = NULL },
                });
}

void html_page_end(struct output *output)
{
    cell_write_plain(output, after_body(web_shell));
}

/* ---- the page of a trace ---------------------------------------------------------------------------------------- */

bool html_has_script(void)
{
    return sizeof web_trace_script > 1;
}

void html_data_begin(struct output *output, const char *type, const char *id)
{
    write_element(output, "<script type=\"", type, "\" id=\"");
    write_element(output, "", id, "\">");
}

void html_data_end(struct output *output)
{
    cell_write_plain(output, "</script>\n");
}

static void begin_trace(struct output *output, const char *title, const char *connect)
{
    write_shell(output, web_trace_shell,
                (const struct shell_mark[]){
                    { .name = "title", .text = title },
                    { .name = "style", .text = web_trace_style, .trusted = true },
                    { .name = "style-hash", .text = web_trace_style_hash, .trusted = true },
                    { .name = "script-hash", .text = web_trace_script_hash, .trusted = true },
                    { .name = "connect", .text = connect, .trusted = true },
                    { .name = NULL },
                });
}

void html_trace_begin(struct output *output, const char *title)
{
    begin_trace(output, title, "");
}

void html_trace_end(struct output *output)
{
    write_shell(output, after_body(web_trace_shell),
                (const struct shell_mark[]){
                    { .name = "script", .text = web_trace_script, .trusted = true },
                    { .name = NULL },
                });
}

/* ---- the page of the server ---------------------------------------------------------------------------------------- */

bool html_has_serve_script(void)
{
    return sizeof web_serve_script > 1;
}

void html_serve_page(struct output *output)
{
    write_shell(output, web_serve_shell,
                (const struct shell_mark[]){
                    { .name = "style", .text = web_serve_style, .trusted = true },
                    { .name = "script", .text = web_serve_script, .trusted = true },
                    { .name = NULL },
                });
}

void html_timeline_page(struct output *output)
{
    begin_trace(output, "Timeline", "connect-src 'self'; ");
    html_trace_end(output);
}

const char *html_timeline_policy(void)
{
    return web_timeline_policy;
}

const char *html_serve_policy(void)
{
    return web_serve_policy;
}

void html_redirect(struct output *output, const char *address)
{
    write_element(output,
                  "<!DOCTYPE html>\n<meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url=", address,
                  "\">\n");
    write_element(output, "<p><a href=\"", address, "\">Tacho</a></p>\n");
}

/* ---- prose ----------------------------------------------------------------------------------------------------- */

static void write_spans(struct output *output, struct spans spans)
{
    for (size_t i = 0; i < spans.count; i++) {
        const struct span *span = &spans.items[i];

        cell_write_plain(output, span->bold ? "<strong>" : "");
        cell_write_plain(output, span->code ? "<code>" : "");
        cell_write_escaped(output, span->text, escape);
        cell_write_plain(output, span->code ? "</code>" : "");
        cell_write_plain(output, span->bold ? "</strong>" : "");
    }
}

static void write_contents(struct output *output, const struct prose_heading *headings, size_t count)
{
    size_t sections = 0, folded = 0;

    for (size_t i = 0; i < count; i++) {
        sections += headings[i].level == 2;
        folded += headings[i].place == PROSE_FOLDED;
    }
    /* Headings of folded sections are a list of contents already. */
    if (sections < 3 || folded)
        return;
    cell_write_plain(output, "<nav class=\"contents\">\n");
    for (size_t i = 0; i < count; i++) {
        if (headings[i].level != 2)
            continue;
        write_element(output, "<a href=\"#", headings[i].key, "\">");
        write_spans(output, headings[i].text);
        cell_write_plain(output, "</a>\n");
    }
    cell_write_plain(output, "</nav>\n");
}

static void prose_begin(struct output *output, const char *title, const struct prose_heading *headings, size_t count)
{
    html_page_begin(output, title);
    write_contents(output, headings, count);
}

static void front_begin(struct output *output, const char *title, const struct prose_heading *headings, size_t count)
{
    write_element(output, "<div id=\"report\">\n<header><h1>", title, "</h1>\n");
    cell_write_plain(output, "<p><a href=\"#v=timeline\">Timeline</a></p></header>\n<main>\n");
    write_contents(output, headings, count);
}

static void front_end(struct output *output)
{
    cell_write_plain(output, "</main>\n</div>\n");
}

/* Cards lie in one element, so that they can stand beside each other. */
static void prose_place(struct output *output, enum prose_place from, enum prose_place to)
{
    cell_write_plain(output, from == PROSE_CARD ? "</section>\n" : from == PROSE_FOLDED ? "</div></details>\n" : "");
    if (from == PROSE_CARD && to != PROSE_CARD)
        cell_write_plain(output, "</div>\n");
    if (from != PROSE_CARD && to == PROSE_CARD)
        cell_write_plain(output, "<div class=\"cards\">\n");
    cell_write_plain(output, to == PROSE_CARD ? "<section class=\"card\">\n" : "");
}

static void prose_heading(struct output *output, const struct prose_heading *heading)
{
    char level[2] = { (char)('0' + (heading->level < 2 ? 2 : heading->level > 6 ? 6 : heading->level)), '\0' };

    if (heading->level == 2 && heading->place == PROSE_FOLDED) {
        /* The anchor lies inside: a browser that is sent there opens what is folded. */
        cell_write_plain(output, "<details><summary><h2>");
        write_spans(output, heading->text);
        write_element(output, "</h2></summary>\n<div class=\"folded\" id=\"", heading->key, "\">\n");
        return;
    }
    write_element(output, "<h", level, " id=\"");
    write_element(output, "", heading->key, "\">");
    write_spans(output, heading->text);
    write_element(output, "</h", level, ">\n");
}

static void prose_paragraph(struct output *output, enum prose_mood mood, struct spans text)
{
    if (mood == PROSE_PLAIN)
        cell_write_plain(output, "<p>");
    else
        write_element(output, "<p class=\"mood ", prose_mood_key(mood), "\">"); /* its sign is the style's business */
    write_spans(output, text);
    cell_write_plain(output, "</p>\n");
}

static void prose_items(struct output *output, const struct prose_item *items, size_t count)
{
    unsigned open = 0; /* lists */

    for (size_t i = 0; i < count; i++) {
        const struct prose_item *item = &items[i];

        if (open > item->depth)
            cell_write_plain(output, "</li>\n");
        for (; open > item->depth + 1; open--)
            cell_write_plain(output, "</ul></li>\n");
        for (; open < item->depth + 1; open++)
            cell_write_plain(output, open ? "<ul>\n" : "<ul class=\"prose\">\n");
        cell_write_plain(output, "<li>");
        if (item->label)
            write_element(output, "<span class=\"label\">", item->label, item->text.count ? ":</span> " : ":</span>");
        write_spans(output, item->text);
    }
    if (open)
        cell_write_plain(output, "</li>\n");
    for (; open > 1; open--)
        cell_write_plain(output, "</ul></li>\n");
    if (open)
        cell_write_plain(output, "</ul>\n");
}

static void prose_code(struct output *output, const char *text)
{
    write_element(output, "<pre><code>", text, "</code></pre>\n");
}

static void prose_grid(struct output *output, const struct prose_grid *grid)
{
    begin_holder(output, "");
    for (size_t i = 0; i < grid->column_count; i++)
        write_element(output, grid->columns[i].number ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">",
                      grid->columns[i].title, "</th>");
    cell_write_plain(output, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++) {
        size_t column = i % grid->column_count;

        cell_write_plain(output, column ? "" : "<tr>");
        cell_write_plain(output, grid->columns[column].number ? "<td class=\"number\">" : "<td>");
        write_spans(output, grid->cells[i]);
        cell_write_plain(output, column + 1 == grid->column_count ? "</td></tr>\n" : "</td>");
    }
    cell_write_plain(output, "</tbody>\n</table></div>\n");
    if (!grid->row_count)
        cell_write_plain(output, "<p class=\"empty\">no rows</p>\n");
}

static void prose_rule(struct output *output)
{
    cell_write_plain(output, "<hr>\n");
}

const struct prose_printer html_prose = {
    .suffix = ".html",
    .tables = &html_printer,
    .begin = prose_begin,
    .heading = prose_heading,
    .place = prose_place,
    .paragraph = prose_paragraph,
    .items = prose_items,
    .code = prose_code,
    .grid = prose_grid,
    .rule = prose_rule,
    .plot = plot_write,
    .end = html_page_end,
};

const struct prose_printer html_front = {
    .suffix = ".html",
    .tables = &linked_printer,
    .begin = front_begin,
    .heading = prose_heading,
    .place = prose_place,
    .paragraph = prose_paragraph,
    .items = prose_items,
    .code = prose_code,
    .grid = prose_grid,
    .rule = prose_rule,
    .plot = plot_write,
    .end = front_end,
};
