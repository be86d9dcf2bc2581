/* plot.c: a plot as a figure of a page: what all kinds share, and the choice of the kind. */
#include "table/plot.h"

#include <assert.h>
#include <string.h>

#include "base/format.h"
#include "page/html.h"
#include "page/plot_parts.h"
#include "table/cell.h"

const char *plot_series_class(enum plot_series series)
{
    static const char *const classes[] = {
#define X(name, class) class,
        PLOT_SERIES_MAP(X)
#undef X
    };

    assert(series < PLOT_SERIES_COUNT);
    return classes[series];
}

/* ---- texts ----------------------------------------------------------------------------------------------------- */

double plot_text_width(const char *text)
{
    return (double)format_width(text, strlen(text)) * PLOT_LETTER;
}

void plot_write_text(struct output *output, const char *text, double width)
{
    enum { LONGEST = 512 }; /* bytes: more than any picture has room for */
    char cut[LONGEST + 1];
    size_t columns = width > PLOT_LETTER ? (size_t)(width / PLOT_LETTER) : 1;
    size_t length = strlen(text);

    if (format_width(text, length) <= columns && length <= LONGEST) {
        html_write_text(output, text);
        return;
    }
    length = format_fit(text, length < LONGEST ? length : LONGEST, columns - 1);
    memcpy(cut, text, length);
    cut[length] = '\0';
    html_write_text(output, cut);
    cell_write_plain(output, "…");
}

void plot_place_text(struct output *output, double x, double y, const char *anchor, const char *text, double width)
{
    output_format(output, "<text x=\"%.1f\" y=\"%.1f\"", x, y);
    if (anchor)
        output_format(output, " text-anchor=\"%s\"", anchor);
    cell_write_plain(output, ">");
    plot_write_text(output, text, width);
    cell_write_plain(output, "</text>\n");
}

void plot_write_titles(struct output *output, const struct plot *plot, double left, double right, double top,
                       double bottom, double x_title_y)
{
    output_format(output, "<text class=\"axis\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", (left + right) / 2,
                  x_title_y);
    plot_write_text(output, plot->x_title, right - left);
    output_format(output,
                  "</text>\n<text class=\"axis\" transform=\"translate(14 %.1f) rotate(-90)\" text-anchor=\"middle\">",
                  (top + bottom) / 2);
    plot_write_text(output, plot->y_title, bottom - top);
    cell_write_plain(output, "</text>\n");
}

/* ---- the figure ------------------------------------------------------------------------------------------------ */

void plot_begin(struct output *output, const struct plot *plot, const char *class, double height)
{
    assert(plot->title && height > 0);
    output_format(output, "<figure class=\"plot %s\">\n<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", class,
                  PLOT_WIDTH, height);
    html_write_text(output, plot->title);
    cell_write_plain(output, "\">\n");
}

static void write_legend(struct output *output, const struct plot *plot)
{
    if (!plot->legend_count)
        return;
    cell_write_plain(output, "<figcaption>");
    for (size_t i = 0; i < plot->legend_count; i++) {
        output_format(output, "<span class=\"entry\"><span class=\"key %s\"></span> ",
                      plot_series_class(plot->legend[i].series));
        html_write_text(output, plot->legend[i].label);
        cell_write_plain(output, "</span> ");
    }
    cell_write_plain(output, "</figcaption>\n");
}

void plot_end(struct output *output, const struct plot *plot)
{
    cell_write_plain(output, "</svg>\n");
    write_legend(output, plot);
    cell_write_plain(output, "</figure>\n");
}

void plot_write(struct output *output, const struct plot *plot)
{
    assert((plot->points || !plot->point_count) && (plot->bars || !plot->bar_count) &&
           (plot->rows || !plot->row_count));
    switch (plot->kind) {
    case PLOT_ROOFS:
        plot_write_roofs(output, plot);
        break;
    case PLOT_STACK:
        plot_write_stack(output, plot);
        break;
    case PLOT_BARS:
        plot_write_bars(output, plot);
        break;
    case PLOT_DOTS:
        plot_write_dots(output, plot);
        break;
    }
}
