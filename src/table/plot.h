/* plot.h: a picture for pages, as data: what is drawn, and the words beside it. No markup: pages write that.
 *
 *     PLOT_ROOFS   points under roofs, both axes logarithmic: what a roofline is drawn with
 *     PLOT_STACK   bars whose pieces lie behind each other, one bar a row: what the time of a run is made of
 *     PLOT_BARS    a bar for each thing, or two of them where there are two sides: what operators cost
 *     PLOT_DOTS    values in their order, in groups, with levels across them: how long runs took, launch by launch
 *
 * A plot is borrowed while it is written. Texts come from files and are escaped. What has no place (a number that is none, or not over 0
 * where an axis is logarithmic) is left out. A picture has a title for who cannot see it, and what it shows stands in a table too.
 */
#ifndef TABLE_PLOT_H
#define TABLE_PLOT_H

#include <stddef.h>

#include "base/arena.h"
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

enum plot_kind { PLOT_ROOFS, PLOT_STACK, PLOT_BARS, PLOT_DOTS };

enum { PLOT_COLOURS = 8 }; /* that pieces of a stack have, in turn */

struct plot_point {
    double x, y;             /* a number, over 0 under ROOFS, or the point is left out */
    double weight;           /* its area, against the largest: 0..1; DOTS: all are of one size */
    enum plot_series series; /* its colour */
    const char *label;       /* shown to who points at it */
};

/* A roof: it rises in proportion from the left to its corner and goes on level. */
struct plot_line {
    double x, y;       /* the corner */
    const char *label; /* stands at its right end */
};

/* A bar, or a piece of one. */
struct plot_bar {
    size_t row;              /* that it lies in; rows ascend */
    double value;            /* its length; none where it is not over 0 */
    enum plot_series series; /* BARS: its colour; pieces of a stack have theirs by their place in the row */
    const char *label;       /* STACK: its name */
    const char *shown;       /* its value, as people read it */
};

/* DOTS: points from one x to another belong together. */
struct plot_group {
    double from, to;   /* of x */
    const char *label; /* stands below; "": none */
};

/* DOTS: a level across a group. */
struct plot_level {
    double from, to;   /* of x */
    double y;          /* its height */
    const char *label; /* stands at its end */
};

struct plot_legend {
    enum plot_series series; /* its colour */
    const char *label;       /* what it means */
};

struct plot {
    enum plot_kind kind;             /* tells which of the others are used */
    const char *title;               /* for who cannot see it */
    const char *x_title, *y_title;   /* ROOFS, DOTS: of the axes, with units; else "" */
    const struct plot_point *points; /* ROOFS, DOTS: borrowed, as all below */
    size_t point_count;              /* of points */
    const struct plot_line *lines;   /* ROOFS */
    size_t line_count;               /* of lines */
    const char *const *rows;         /* STACK, BARS: the words at each row, the first on top */
    size_t row_count;                /* of rows */
    const struct plot_bar *bars;     /* STACK, BARS: by row */
    size_t bar_count;                /* of bars */
    const struct plot_group *groups; /* DOTS: by x */
    size_t group_count;              /* of groups */
    const struct plot_level *levels; /* DOTS */
    size_t level_count;              /* of levels */
    double y_most;                   /* DOTS: values above it are marked at the upper edge; not over 0: all are drawn */
    const struct plot_legend *legend; /* what colours mean */
    size_t legend_count;              /* of legend */
};

/* All of it copied; NULL: out of memory. */
const struct plot *plot_copy(struct arena *arena, const struct plot *plot);

/* A figure for an HTML page: an SVG without script. Nothing where there is nothing to draw. */
void plot_write(struct output *output, const struct plot *plot);

#endif
