/* plot_roofs.c: points under roofs, both axes logarithmic, as SVG. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "page/html.h"
#include "page/plot_parts.h"

enum { HEIGHT = 400, LEFT = 62, RIGHT = 190, TOP = 16, BOTTOM = 52, LEAST_RADIUS = 3, MOST_RADIUS = 13 };
enum { TEXT_HEIGHT = 15, LABEL_ROOM = RIGHT - 8, X_LABEL_ROOM = 44 }; /* pixels that labels need */

/* Powers of ten between which everything lies. */
struct frame {
    int left, right, bottom, top; /* powers of ten at the four sides */
};

static bool can_draw(double x, double y)
{
    return x > 0 && y > 0 && isfinite(x) && isfinite(y);
}

static void include(struct frame *frame, double x, double y)
{
    if (!can_draw(x, y))
        return;
    frame->left = (int)fmin(frame->left, floor(log10(x)));
    frame->right = (int)fmax(frame->right, ceil(log10(x)));
    frame->bottom = (int)fmin(frame->bottom, floor(log10(y)));
    frame->top = (int)fmax(frame->top, ceil(log10(y)));
}

/* False: there is nothing to draw. */
static bool find_frame(const struct plot *plot, struct frame *frame)
{
    bool any = false;

    *frame = (struct frame){ 400, -400, 400, -400 };
    for (size_t i = 0; i < plot->point_count; i++) {
        include(frame, plot->points[i].x, plot->points[i].y);
        any |= can_draw(plot->points[i].x, plot->points[i].y);
    }
    for (size_t i = 0; i < plot->line_count; i++) {
        /* The corner counts; the ends follow the frame. */
        include(frame, plot->lines[i].x, plot->lines[i].y);
        any |= can_draw(plot->lines[i].x, plot->lines[i].y);
    }
    if (frame->right <= frame->left)
        frame->right = frame->left + 1;
    if (frame->top <= frame->bottom)
        frame->top = frame->bottom + 1;
    return any;
}

static double place_x(const struct frame *frame, double x)
{
    assert(can_draw(x, 1) && frame->left < frame->right);
    return LEFT + (log10(x) - frame->left) / (frame->right - frame->left) * (PLOT_WIDTH - LEFT - RIGHT);
}

static double place_y(const struct frame *frame, double y)
{
    assert(can_draw(1, y) && frame->bottom < frame->top);
    return HEIGHT - BOTTOM - (log10(y) - frame->bottom) / (frame->top - frame->bottom) * (HEIGHT - TOP - BOTTOM);
}

/* 0.01, 1, 100, 10k, 1M: powers of ten as people write them. */
static void name_power(char *to, size_t size, int power)
{
    static const char *const suffixes[] = { "", "k", "M", "G", "T" };

    if (power >= 0 && power < 15)
        snprintf(to, size, "%.0f%s", pow(10, power % 3), suffixes[power / 3]);
    else if (power < 0 && power > -5)
        snprintf(to, size, "%.*f", -power, pow(10, power));
    else
        snprintf(to, size, "1e%d", power);
}

/* How many powers lie from one label to the next, so that each has its room. */
static int label_step(int powers, int pixels, int room)
{
    int step = 1;

    assert(powers > 0 && room > 0);
    while (pixels * step < powers * room)
        step++;
    return step;
}

static void write_columns(struct output *output, const struct frame *frame)
{
    int step = label_step(frame->right - frame->left, PLOT_WIDTH - LEFT - RIGHT, X_LABEL_ROOM);
    char name[32];

    for (int power = frame->left; power <= frame->right; power += step) {
        double x = place_x(frame, pow(10, power));

        name_power(name, sizeof name, power);
        output_format(output, "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", x, TOP, x,
                      HEIGHT - BOTTOM);
        plot_place_text(output, x, HEIGHT - BOTTOM + 18, "middle", name, X_LABEL_ROOM);
    }
}

static void write_axes(struct output *output, const struct plot *plot, const struct frame *frame)
{
    int step = label_step(frame->top - frame->bottom, HEIGHT - TOP - BOTTOM, TEXT_HEIGHT);
    char name[32];

    write_columns(output, frame);
    for (int power = frame->bottom; power <= frame->top; power += step) {
        double y = place_y(frame, pow(10, power));

        name_power(name, sizeof name, power);
        output_format(output, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", LEFT, y,
                      PLOT_WIDTH - RIGHT, y);
        plot_place_text(output, LEFT - 6, y + 4, "end", name, LEFT);
    }
    plot_write_titles(output, plot, LEFT, PLOT_WIDTH - RIGHT, TOP, HEIGHT - BOTTOM, HEIGHT - 8);
}

/* From the left edge of the frame to the right one, bent at the corner. */
static void write_line(struct output *output, const struct plot_line *line, const struct frame *frame,
                       double *last_label)
{
    double corner_x = line->x, corner_y = line->y;
    double left = pow(10, frame->left), bottom = pow(10, frame->bottom);
    double start_x, start_y, label_y;

    if (!can_draw(corner_x, corner_y))
        return;
    /* The slope is 1 where both axes are logarithmic: the line leaves the frame at its left or at its bottom. */
    start_x = fmax(left, corner_x * bottom / corner_y);
    start_y = corner_y * start_x / corner_x;
    output_format(output, "<polyline class=\"roof\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>",
                  place_x(frame, start_x), place_y(frame, start_y), place_x(frame, corner_x), place_y(frame, corner_y),
                  (double)(PLOT_WIDTH - RIGHT), place_y(frame, corner_y));
    /* Labels of roofs that lie close keep their distance. */
    label_y = fmax(place_y(frame, corner_y) + 4, *last_label + TEXT_HEIGHT);
    *last_label = label_y;
    plot_place_text(output, PLOT_WIDTH - RIGHT + 6, label_y, NULL, line->label, LABEL_ROOM);
}

static void write_point(struct output *output, const struct plot_point *point, const struct frame *frame)
{
    double weight = point->weight >= 0 && point->weight <= 1 ? point->weight : 0;

    if (!can_draw(point->x, point->y))
        return;
    output_format(output, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>",
                  plot_series_class(point->series), place_x(frame, point->x), place_y(frame, point->y),
                  LEAST_RADIUS + sqrt(weight) * (MOST_RADIUS - LEAST_RADIUS));
    html_write_text(output, point->label);
    output_format(output, "</title></circle>\n");
}

void plot_write_roofs(struct output *output, const struct plot *plot)
{
    struct frame frame;
    double last_label = 0;

    if (!find_frame(plot, &frame))
        return;
    plot_begin(output, plot, "roofs", HEIGHT);
    write_axes(output, plot, &frame);
    for (size_t i = 0; i < plot->line_count; i++)
        write_line(output, &plot->lines[i], &frame, &last_label);
    for (size_t i = 0; i < plot->point_count; i++)
        write_point(output, &plot->points[i], &frame);
    plot_end(output, plot);
}
