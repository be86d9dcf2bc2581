/* advice_text.c: advice as lines for a terminal: what to do with its evidence, then tables. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/format.h"
#include "page/advice_files.h"

enum { MOST_ITEMS = 8, MOST_ROWS = 3, MOST_OPERATIONS = 20 };

void advised_free(struct advised *advised)
{
    roofs_free(&advised->roofs);
    advice_free(&advised->advice);
}

/* ---- Items ---- */

/* The time stands on a line of its own, so that the eye can run down the list. What dominates saves nothing: it says what it takes. */
static void write_head(struct output *output, const struct advice *advice, const struct advice_item *item,
                       size_t number, const struct printer_style *style)
{
    bool dominant = item == advice->dominant;
    double shown = dominant ? item->ns : item->saves_ns;
    char time[FORMAT_SIZE];

    format_duration(time, advice_rounded(shown));
    output_format(output, "%2zu. %s%s%s (%.1f %%)", number, style->colour ? "\033[1m" : "", time,
                  style->colour ? "\033[0m" : "", advice_share(advice, shown));
    if (dominant)
        output_format(output, " of a run");
    if (item->bound != ADVICE_UNKNOWN)
        output_format(output, ", %s", advice_bound_text(item->bound));
    output_format(output, "\n");
}

/* "conv1 (models.py:20): 1.2ms, 3 times, 30.8 GFLOP/s" */
static void write_row(struct output *output, const struct advice_row *row, const struct printer_style *style)
{
    char text[1024], time[FORMAT_SIZE];
    size_t length = (size_t)snprintf(text, sizeof text, "%.400s", row->name ? row->name : "");

    if (row->location && length < sizeof text)
        length += (size_t)snprintf(text + length, sizeof text - length, " (%.300s)", row->location);
    if (!isnan(row->ns) && length < sizeof text) {
        format_duration(time, advice_rounded(row->ns));
        length += (size_t)snprintf(text + length, sizeof text - length, ": %s", time);
    }
    if (row->count > 1 && length < sizeof text)
        length += (size_t)snprintf(text + length, sizeof text - length, ", %llu times", (unsigned long long)row->count);
    if (row->remark && length < sizeof text)
        snprintf(text + length, sizeof text - length, ", %.200s", row->remark);
    text_write_wrapped(output, style, "    - ", text);
}

static void write_item(struct output *output, const struct advice *advice, const struct advice_item *item,
                       size_t number, const struct printer_style *style)
{
    size_t shown = item->row_count < MOST_ROWS ? item->row_count : MOST_ROWS;
    size_t left = item->row_count + item->rows_left - shown;

    assert(item->title && item->evidence && item->assumes);
    write_head(output, advice, item, number, style);
    text_write_wrapped(output, style, "    ", item->title);
    text_write_wrapped(output, style, "    ", item->evidence);
    for (size_t i = 0; i < shown && item != advice->dominant; i++)
        write_row(output, &item->rows[i], style);
    if (left && item != advice->dominant)
        output_format(output, "    - and %zu more\n", left);
    if (*item->assumes)
        text_write_wrapped(output, style, item == advice->dominant ? "    " : "    at most: ", item->assumes);
    if (item->ruled_out)
        text_write_wrapped(output, style, "    ruled out: ", item->ruled_out);
    if (item->command)
        text_write_wrapped(output, style, "    see: ", item->command);
}

/* One line each. */
static void write_smaller(struct output *output, const struct advice *advice, const struct printer_style *style)
{
    size_t shown = advice->smaller < MOST_ITEMS ? advice->smaller : MOST_ITEMS;

    if (shown)
        output_format(output, "Smaller things\n");
    for (size_t i = 0; i < shown; i++) {
        const struct advice_item *item = advice->items[advice->count + i];
        char first[FORMAT_SIZE + 32], time[FORMAT_SIZE];

        format_duration(time, advice_rounded(item->saves_ns));
        snprintf(first, sizeof first, "    %s (%.1f %%): ", time, advice_share(advice, item->saves_ns));
        text_write_wrapped(output, style, first, item->title);
    }
}

void advice_write_text(struct output *output, struct advice *advice, const struct printer_style *style)
{
    size_t shown = advice->count < MOST_ITEMS ? advice->count : MOST_ITEMS;

    output_format(output, "%sWhat to do first%s\n", style->colour ? "\033[1m" : "", style->colour ? "\033[0m" : "");
    text_write_wrapped(output, style, "", advice_headline(advice));
    for (size_t i = 0; i < shown; i++)
        write_item(output, advice, advice->items[i], i + 1, style);
    if (shown < advice->count)
        output_format(output, "note: left out: %zu smaller; --json has all\n", advice->count - shown);
    write_smaller(output, advice, style);
    if (!advice->healthy && advice_names_dominant(advice))
        text_write_wrapped(output, style, "", advice->dominant->title);
}

void advice_write_title(struct output *output, const struct advice *advice, const struct printer_style *style)
{
    text_write_wrapped(output, style, "", advice->subject);
    if (*advice->summary)
        text_write_wrapped(output, style, "", advice->summary);
    output_write(output, "\n", 1);
}

/* ---- Tables ---- */

static status write_table(struct output *output, struct table *table, const struct printer_style *style)
{
    status code = table ? table_status(table) : status_no_memory("making a table");

    if (code == STATUS_OK && table_rows(table)) {
        printer_write(&text_printer, output, table, style);
        output_write(output, "\n", 1);
    }
    table_free(table);
    return code;
}

status advised_write_tables(struct output *output, const struct advised *advised, const struct printer_style *style)
{
    status code = write_table(output, advice_part_table(&advised->advice, "What adds up to a run"), style);

    if (code == STATUS_OK && advised->roofs.count)
        code = write_table(output, roofs_item_table(&advised->roofs, "Operations", MOST_OPERATIONS, true), style);
    if (code == STATUS_OK && advised->roofs.count)
        code = write_table(output, roofs_peak_table(&advised->roofs, "Roofs"), style);
    for (size_t i = 0; i < advised->advice.note_count && code == STATUS_OK; i++)
        text_write_wrapped(output, style, "note: ", advised->advice.notes[i]);
    return code;
}
