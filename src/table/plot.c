/* plot.c: copies of plots. Pages draw them. */
#include "table/plot.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A copy while it is made: the first failure sticks. */
struct copy {
    struct arena *arena; /* that it lies in */
    bool failed;         /* for want of memory */
};

static void *copy_items(struct copy *copy, const void *items, size_t size)
{
    void *own = arena_allocate(copy->arena, size + 1, _Alignof(max_align_t));

    if (!own)
        copy->failed = true;
    else if (size)
        memcpy(own, items, size);
    return own;
}

static const char *copy_text(struct copy *copy, const char *text)
{
    const char *own = arena_copy(copy->arena, text, strlen(text));

    copy->failed |= !own;
    return own;
}

static void copy_points(struct copy *copy, struct plot *plot)
{
    struct plot_point *points = copy_items(copy, plot->points, plot->point_count * sizeof *points);
    struct plot_line *lines = copy_items(copy, plot->lines, plot->line_count * sizeof *lines);

    for (size_t i = 0; points && i < plot->point_count; i++)
        points[i].label = copy_text(copy, points[i].label);
    for (size_t i = 0; lines && i < plot->line_count; i++)
        lines[i].label = copy_text(copy, lines[i].label);
    plot->points = points;
    plot->lines = lines;
}

static void copy_bars(struct copy *copy, struct plot *plot)
{
    const char **rows = copy_items(copy, plot->rows, plot->row_count * sizeof *rows);
    struct plot_bar *bars = copy_items(copy, plot->bars, plot->bar_count * sizeof *bars);

    for (size_t i = 0; rows && i < plot->row_count; i++)
        rows[i] = copy_text(copy, rows[i]);
    for (size_t i = 0; bars && i < plot->bar_count; i++) {
        assert(bars[i].row < plot->row_count);
        bars[i].label = copy_text(copy, bars[i].label);
        bars[i].shown = copy_text(copy, bars[i].shown);
    }
    plot->rows = rows;
    plot->bars = bars;
}

static void copy_groups(struct copy *copy, struct plot *plot)
{
    struct plot_group *groups = copy_items(copy, plot->groups, plot->group_count * sizeof *groups);
    struct plot_level *levels = copy_items(copy, plot->levels, plot->level_count * sizeof *levels);

    for (size_t i = 0; groups && i < plot->group_count; i++)
        groups[i].label = copy_text(copy, groups[i].label);
    for (size_t i = 0; levels && i < plot->level_count; i++)
        levels[i].label = copy_text(copy, levels[i].label);
    plot->groups = groups;
    plot->levels = levels;
}

static void copy_legend(struct copy *copy, struct plot *plot)
{
    struct plot_legend *legend = copy_items(copy, plot->legend, plot->legend_count * sizeof *legend);

    for (size_t i = 0; legend && i < plot->legend_count; i++)
        legend[i].label = copy_text(copy, legend[i].label);
    plot->legend = legend;
}

const struct plot *plot_copy(struct arena *arena, const struct plot *plot)
{
    struct copy copy = { arena, false };
    struct plot *own = copy_items(&copy, plot, sizeof *plot);

    assert(plot->title && plot->x_title && plot->y_title);
    if (!own)
        return NULL;
    copy_points(&copy, own);
    copy_bars(&copy, own);
    copy_groups(&copy, own);
    copy_legend(&copy, own);
    own->title = copy_text(&copy, plot->title);
    own->x_title = copy_text(&copy, plot->x_title);
    own->y_title = copy_text(&copy, plot->y_title);
    return copy.failed ? NULL : own;
}
