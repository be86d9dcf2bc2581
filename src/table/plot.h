/* plot.h: a picture of points under roofs, both axes logarithmic, for pages: what a roofline is drawn with.
 *
 * A plot is borrowed while it is written. Texts come from files and are escaped. Points and lines with coordinates that are no
 * positive numbers are left out.
 */
#ifndef TABLE_PLOT_H
#define TABLE_PLOT_H

#include <stddef.h>

#include "base/output.h"

/* Which colour a point or line has; the page's style names them. X(name, class) */
#define PLOT_SERIES_MAP(X) \
    X(FIRST, "first")      \
    X(SECOND, "second")    \
    X(GOOD, "good")        \
    X(WARNING, "warning")  \
    X(BAD, "bad")

enum plot_series {
#define X(name, class) PLOT_##name,
    PLOT_SERIES_MAP(X)
#undef X
        PLOT_SERIES_COUNT
};

struct plot_point {
    double x, y;             /* over 0, or the point is left out */
    double weight;           /* its area, against the largest: 0..1 */
    enum plot_series series; /* its colour */
    const char *label;       /* shown to who points at it */
};

/* A roof: it rises in proportion from the left to its corner and goes on level. */
struct plot_line {
    double x, y;       /* the corner */
    const char *label; /* stands at its right end */
};

struct plot_legend {
    enum plot_series series; /* its colour */
    const char *label;       /* what it means */
};

struct plot {
    const char *title;                /* for who cannot see it */
    const char *x_title, *y_title;    /* of the axes, with units */
    const struct plot_point *points;  /* borrowed */
    size_t point_count;               /* of points */
    const struct plot_line *lines;    /* borrowed */
    size_t line_count;                /* of lines */
    const struct plot_legend *legend; /* borrowed */
    size_t legend_count;              /* of legend */
};

/* A figure for an HTML page: an SVG without script. Nothing where there is nothing to draw. */
void plot_write(struct output *output, const struct plot *plot);

#endif
