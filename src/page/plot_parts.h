/* plot_parts.h: what the kinds of plots share: the frame of the picture, texts that fit, ticks. Only the files of plots include it.
 *
 * Pictures are as wide as a column of a page at 1400 and at 700 pixels, so that their letters are as large as those around them.
 */
#ifndef PAGE_PLOT_PARTS_H
#define PAGE_PLOT_PARTS_H

#include "table/plot.h"

enum { PLOT_WIDTH = 640, PLOT_LETTER = 8 }; /* of a picture, and of a letter on average, in pixels */

const char *plot_series_class(enum plot_series series);

void plot_begin(struct output *output, const struct plot *plot, const char *class, double height);
void plot_end(struct output *output, const struct plot *plot);

/* Escaped, and cut where it is wider than so many pixels. */
void plot_write_text(struct output *output, const char *text, double width);
/* About how many pixels it takes. */
double plot_text_width(const char *text);

/* <text x y [text-anchor]> … </text>; `anchor` NULL: it begins there. */
void plot_place_text(struct output *output, double x, double y, const char *anchor, const char *text, double width);

/* The titles of both axes of a frame; that of x stands at `x_title_y`. */
void plot_write_titles(struct output *output, const struct plot *plot, double left, double right, double top,
                       double bottom, double x_title_y);

/* The kinds: nothing where there is nothing to draw. */
void plot_write_roofs(struct output *output, const struct plot *plot);
void plot_write_stack(struct output *output, const struct plot *plot);
void plot_write_bars(struct output *output, const struct plot *plot);
void plot_write_dots(struct output *output, const struct plot *plot);

#endif
