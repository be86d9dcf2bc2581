/* plot_dots.c: values in their order as SVG: a dot each, groups side by side, levels across them. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "page/html.h"
#include "page/plot_parts.h"
#include "table/cell.h"

enum { HEIGHT = 250, LEFT = 66, RIGHT = 8, TOP = 12, BOTTOM = 46, GROUP_LABEL = 16, TEXT_HEIGHT = 16, ABOVE = 10 };
enum { MOST_TICKS = 5 };

static const double LARGEST = 1e15;     /* that has a place */
static const double LEAST_RANGE = 0.04; /* of the values, that a frame shows */

/* What lies at the four sides. */
struct frame {
    double left, right, bottom, top;
};

static bool can_draw(const struct plot_point *point)
{
    return isfinite(point->x) && fabs(point->y) <= LARGEST;
}

static bool find_frame(const struct plot *plot, struct frame *frame)
{
    bool any = false;

    *frame = (struct frame){ INFINITY, -INFINITY, INFINITY, -INFINITY };
    for (size_t i = 0; i < plot->point_count; i++) {
        const struct plot_point *point = &plot->points[i];
        double y = plot->y_most > 0 ? fmin(point->y, plot->y_most) : point->y;

        if (!can_draw(point))
            continue;
        any = true;
        frame->left = fmin(frame->left, point->x);
        frame->right = fmax(frame->right, point->x);
        frame->bottom = fmin(frame->bottom, y);
        frame->top = fmax(frame->top, y);
    }
    return any;
}

/* 1, 2 or 5 times a power of ten, so that few of them make up the range. */
static double tick_of(double range)
{
    double power = pow(10, floor(log10(range / MOST_TICKS)));
    double steps = range / MOST_TICKS / power;

    return power * (steps <= 1 ? 1 : steps <= 2 ? 2 : steps <= 5 ? 5 : 10);
}

/* Room around what was found: no dot lies on an edge, a single value gets a frame, and noise does not look like a change. */
static double widen(struct frame *frame)
{
    double least = fabs(frame->top) > 0 ? fabs(frame->top) * LEAST_RANGE : 1;
    double missing = least - (frame->top - frame->bottom), tick;

    if (missing > 0) {
        frame->top += missing / 2;
        frame->bottom -= missing / 2;
    }
    tick = tick_of(frame->top - frame->bottom);
    frame->bottom = floor(frame->bottom / tick - 0.1) * tick;
    frame->top = ceil(frame->top / tick + 0.1) * tick;
    frame->left -= 0.5;
    frame->right += 0.5;
    return tick;
}

static double place_x(const struct frame *frame, double x)
{
    return LEFT + (x - frame->left) / (frame->right - frame->left) * (PLOT_WIDTH - LEFT - RIGHT);
}

static double place_y(const struct frame *frame, double y)
{
    return HEIGHT - BOTTOM - (y - frame->bottom) / (frame->top - frame->bottom) * (HEIGHT - TOP - BOTTOM);
}

static void write_axes(struct output *output, const struct plot *plot, const struct frame *frame, double tick)
{
    int digits = tick >= 1 ? 0 : (int)fmin(6, ceil(-log10(tick) - 1e-9));
    long steps = lround((frame->top - frame->bottom) / tick);
    char name[48];

    for (long i = 0; i <= steps; i++) {
        double value = frame->bottom + (double)i * tick, y = place_y(frame, value);

        if (tick >= 1e-6 && fabs(value) < 1e7)
            snprintf(name, sizeof name, "%.*f", digits, value);
        else
            snprintf(name, sizeof name, "%.3g", value);
        output_format(output, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", LEFT, y,
                      PLOT_WIDTH - RIGHT, y);
        plot_place_text(output, LEFT - 6, y + 4, "end", name, LEFT - 20);
    }
    plot_write_titles(output, plot, LEFT, PLOT_WIDTH - RIGHT, TOP, HEIGHT - BOTTOM, HEIGHT - 4);
}

/* Lines between groups, and their names where they have room. */
static void write_groups(struct output *output, const struct plot *plot, const struct frame *frame)
{
    double free_from = 0;

    for (size_t i = 0; i < plot->group_count; i++) {
        const struct plot_group *group = &plot->groups[i];
        double left, right;

        if (!isfinite(group->from) || !isfinite(group->to))
            continue;
        left = place_x(frame, group->from - 0.5);
        right = place_x(frame, group->to + 0.5);
        if (i)
            output_format(output, "<line class=\"border\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", left, TOP,
                          left, HEIGHT - BOTTOM);
        if (!*group->label || left < free_from || right - left < 3 * PLOT_LETTER)
            continue;
        plot_place_text(output, (left + right) / 2, HEIGHT - BOTTOM + GROUP_LABEL, "middle", group->label,
                        right - left);
        free_from = right;
    }
}

/* Levels, or their words, which lie above the dots and keep away from each other. */
static void write_levels(struct output *output, const struct plot *plot, const struct frame *frame, bool words)
{
    double last_y = -INFINITY, last_left = -INFINITY;

    for (size_t i = 0; i < plot->level_count; i++) {
        const struct plot_level *level = &plot->levels[i];
        double y, label_y, left, right;

        if (!isfinite(level->y) || level->y < frame->bottom || level->y > frame->top)
            continue;
        y = place_y(frame, level->y);
        left = place_x(frame, level->from - 0.5);
        right = place_x(frame, level->to + 0.5);
        label_y = y - ABOVE > TOP + TEXT_HEIGHT ? y - ABOVE : y + ABOVE + TEXT_HEIGHT;
        if (!words)
            output_format(output, "<line class=\"level\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", left, y,
                          right, y);
        if (!words || !*level->label || right - left < 3 * PLOT_LETTER ||
            (left == last_left && fabs(label_y - last_y) < TEXT_HEIGHT))
            continue;
        last_y = label_y;
        last_left = left;
        plot_place_text(output, right - 4, label_y, "end", level->label, right - left - 8);
    }
}

static void write_point(struct output *output, const struct plot *plot, const struct plot_point *point,
                        const struct frame *frame)
{
    const char *class = plot_series_class(point->series);
    double x, y;

    if (!can_draw(point))
        return;
    x = place_x(frame, point->x);
    if (plot->y_most > 0 && point->y > plot->y_most) {
        /* It points to where it is. */
        output_format(output, "<path class=\"dot %s\" d=\"M%.1f %d l5 8 h-10 z\"><title>", class, x, TOP);
        html_write_text(output, point->label);
        cell_write_plain(output, "</title></path>\n");
        return;
    }
    y = place_y(frame, point->y);
    output_format(output, "<circle class=\"dot %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>", class, x, y);
    html_write_text(output, point->label);
    cell_write_plain(output, "</title></circle>\n");
}

void plot_write_dots(struct output *output, const struct plot *plot)
{
    struct frame frame;
    double tick;

    if (!find_frame(plot, &frame))
        return;
    tick = widen(&frame);
    assert(frame.left < frame.right && frame.bottom < frame.top);
    plot_begin(output, plot, "dots", HEIGHT);
    write_axes(output, plot, &frame, tick);
    write_groups(output, plot, &frame);
    write_levels(output, plot, &frame, false);
    for (size_t i = 0; i < plot->point_count; i++)
        write_point(output, plot, &plot->points[i], &frame);
    write_levels(output, plot, &frame, true);
    plot_end(output, plot);
}
