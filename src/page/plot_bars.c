/* plot_bars.c: bars as SVG: pieces behind each other in a row, or a bar for each thing. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "page/html.h"
#include "page/plot_parts.h"
#include "table/cell.h"

static bool can_draw(double value)
{
    return isfinite(value) && value > 0;
}

/* A bar, with its words for who points at it. */
static void write_bar(struct output *output, const char *class, double x, double y, double width, double height,
                      const char *name, const char *shown)
{
    output_format(output, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\"><title>", class, x,
                  y, width, height);
    html_write_text(output, name);
    cell_write_plain(output, *name && *shown ? ": " : "");
    html_write_text(output, shown);
    cell_write_plain(output, "</title></rect>\n");
}

/* ---- Stacks ---- */

enum { STACK_HEIGHT = 34, STACK_LABEL = 18, STACK_GAP = 10, STACK_ROOM = 10 /* around a text inside */ };

static double row_sum(const struct plot *plot, size_t row)
{
    double sum = 0;

    for (size_t i = 0; i < plot->bar_count; i++)
        if (plot->bars[i].row == row && can_draw(plot->bars[i].value))
            sum += plot->bars[i].value;
    return sum;
}

/* The name of a piece and its value, or its value alone, inside of it, where there is room. */
static void write_inside(struct output *output, const struct plot_bar *bar, double x, double y, double width)
{
    double room = width - STACK_ROOM, shown = plot_text_width(bar->shown);

    if (shown > room)
        return;
    output_format(output, "<text class=\"in\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", x + width / 2,
                  y + STACK_HEIGHT / 2.0 + 4.5);
    if (plot_text_width(bar->label) + PLOT_LETTER + shown <= room) {
        html_write_text(output, bar->label);
        cell_write_plain(output, " ");
    }
    html_write_text(output, bar->shown);
    cell_write_plain(output, "</text>\n");
}

/* `scale`: pixels of a value of 1. */
static void write_row(struct output *output, const struct plot *plot, size_t row, double y, double scale)
{
    double x = 0;
    unsigned place = 0;

    for (size_t i = 0; i < plot->bar_count; i++) {
        const struct plot_bar *bar = &plot->bars[i];
        char class[16] = { 'p', 'a', 'r', 't', '1', '\0' };

        if (bar->row != row)
            continue;
        /* A piece that is not there keeps its colour from the next: both rows have the same. */
        class[4] = (char)('1' + place++ % PLOT_COLOURS);
        if (!can_draw(bar->value))
            continue;
        write_bar(output, class, x, y, bar->value * scale, STACK_HEIGHT, bar->label, bar->shown);
        write_inside(output, bar, x, y, bar->value * scale);
        x += bar->value * scale;
    }
}

void plot_write_stack(struct output *output, const struct plot *plot)
{
    double longest = 0, y = 0;
    bool titled = false;

    for (size_t i = 0; i < plot->row_count; i++) {
        longest = fmax(longest, row_sum(plot, i));
        titled |= *plot->rows[i] != '\0';
    }
    if (!can_draw(longest))
        return;
    plot_begin(output, plot, "stack",
               (double)plot->row_count * (STACK_HEIGHT + STACK_GAP + (titled ? STACK_LABEL : 0)) - STACK_GAP);
    for (size_t i = 0; i < plot->row_count; i++) {
        if (titled) {
            plot_place_text(output, 0, y + STACK_LABEL - 5, NULL, plot->rows[i], PLOT_WIDTH);
            y += STACK_LABEL;
        }
        write_row(output, plot, i, y, PLOT_WIDTH / longest);
        y += STACK_HEIGHT + STACK_GAP;
    }
    plot_end(output, plot);
}

/* ---- Bars ---- */

enum { BAR_HEIGHT = 9, BAR_LABEL = 17, BAR_GAP = 9, BAR_BETWEEN = 1, SHOWN_GAP = 12 };

/* The words over a row: its name at the left, the values of its bars at the right. */
static void write_words(struct output *output, const struct plot *plot, size_t row, double y)
{
    double right = PLOT_WIDTH;

    for (size_t i = plot->bar_count; i-- > 0;) {
        const struct plot_bar *bar = &plot->bars[i];

        if (bar->row != row || !*bar->shown)
            continue;
        output_format(output, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
                      plot_series_class(bar->series), right, y + BAR_LABEL - 5);
        html_write_text(output, bar->shown);
        cell_write_plain(output, "</text>\n");
        right -= plot_text_width(bar->shown) + SHOWN_GAP;
    }
    plot_place_text(output, 0, y + BAR_LABEL - 5, NULL, plot->rows[row], right);
}

static size_t bars_of(const struct plot *plot, size_t row)
{
    size_t count = 0;

    for (size_t i = 0; i < plot->bar_count; i++)
        count += plot->bars[i].row == row;
    return count;
}

static double row_height(const struct plot *plot, size_t row)
{
    return BAR_LABEL + BAR_GAP + (double)bars_of(plot, row) * (BAR_HEIGHT + BAR_BETWEEN);
}

void plot_write_bars(struct output *output, const struct plot *plot)
{
    double longest = 0, height = 0, y = 0;

    for (size_t i = 0; i < plot->bar_count; i++)
        longest = can_draw(plot->bars[i].value) ? fmax(longest, plot->bars[i].value) : longest;
    if (!can_draw(longest))
        return;
    for (size_t i = 0; i < plot->row_count; i++)
        height += row_height(plot, i);
    plot_begin(output, plot, "bars", height);
    for (size_t row = 0; row < plot->row_count; row++) {
        double top = y + BAR_LABEL;

        write_words(output, plot, row, y);
        for (size_t i = 0; i < plot->bar_count; i++) {
            const struct plot_bar *bar = &plot->bars[i];

            if (bar->row != row)
                continue;
            if (can_draw(bar->value))
                write_bar(output, plot_series_class(bar->series), 0, top, bar->value / longest * PLOT_WIDTH, BAR_HEIGHT,
                          plot->rows[row], bar->shown);
            top += BAR_HEIGHT + BAR_BETWEEN;
        }
        y += row_height(plot, row);
    }
    plot_end(output, plot);
}
