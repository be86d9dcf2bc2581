/* plot.c: a plot as SVG. */
#include "table/plot.h"
#include "page/html.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "table/cell.h"
#include "table/printer.h"

enum { WIDTH = 900, HEIGHT = 460, LEFT = 70, RIGHT = 150, TOP = 16, BOTTOM = 52, LEAST_RADIUS = 3, MOST_RADIUS = 14 };

/* Powers of ten between which everything lies. */
struct frame {
    int left, right, bottom, top; /* powers of ten at the four sides */
};

static const char *series_class(enum plot_series series)
{
    static const char *const classes[] = {
#define X(name, class) class,
        PLOT_SERIES_MAP(X)
#undef X
    };

    assert(series < PLOT_SERIES_COUNT);
    return classes[series];
}

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
    return LEFT + (log10(x) - frame->left) / (frame->right - frame->left) * (WIDTH - LEFT - RIGHT);
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

static void write_axes(struct output *output, const struct plot *plot, const struct frame *frame)
{
    char name[32];

    for (int power = frame->left; power <= frame->right; power++) {
        double x = place_x(frame, pow(10, power));

        name_power(name, sizeof name, power);
        output_format(output, "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", x, TOP, x,
                      HEIGHT - BOTTOM);
        output_format(output, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x, HEIGHT - BOTTOM + 18,
                      name);
    }
    for (int power = frame->bottom; power <= frame->top; power++) {
        double y = place_y(frame, pow(10, power));

        name_power(name, sizeof name, power);
        output_format(output, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", LEFT, y,
                      WIDTH - RIGHT, y);
        output_format(output, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 8, y + 4, name);
    }
    output_format(output, "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
                  HEIGHT - 8);
    html_write_text(output, plot->x_title);
    output_format(output,
                  "</text>\n<text class=\"axis\" transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">",
                  (TOP + HEIGHT - BOTTOM) / 2);
    html_write_text(output, plot->y_title);
    output_format(output, "</text>\n");
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
                  (double)(WIDTH - RIGHT), place_y(frame, corner_y));
    /* Labels of roofs that lie close keep their distance. */
    label_y = fmax(place_y(frame, corner_y) + 4, *last_label + 15);
    *last_label = label_y;
    output_format(output, "<text x=\"%d\" y=\"%.1f\">", WIDTH - RIGHT + 6, label_y);
    html_write_text(output, line->label);
    output_format(output, "</text>\n");
}

static void write_point(struct output *output, const struct plot_point *point, const struct frame *frame)
{
    double weight = point->weight >= 0 && point->weight <= 1 ? point->weight : 0;

    if (!can_draw(point->x, point->y))
        return;
    output_format(output, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>",
                  series_class(point->series), place_x(frame, point->x), place_y(frame, point->y),
                  LEAST_RADIUS + sqrt(weight) * (MOST_RADIUS - LEAST_RADIUS));
    html_write_text(output, point->label);
    output_format(output, "</title></circle>\n");
}

static void write_legend(struct output *output, const struct plot *plot)
{
    if (!plot->legend_count)
        return;
    output_format(output, "<figcaption>");
    for (size_t i = 0; i < plot->legend_count; i++) {
        output_format(output, "<span class=\"key %s\"></span> ", series_class(plot->legend[i].series));
        html_write_text(output, plot->legend[i].label);
        output_format(output, "%s", i + 1 < plot->legend_count ? " &nbsp; " : "");
    }
    output_format(output, "</figcaption>\n");
}

void plot_write(struct output *output, const struct plot *plot)
{
    struct frame frame;
    double last_label = 0;

    assert(plot->title && (plot->points || !plot->point_count) && (plot->lines || !plot->line_count));
    if (!find_frame(plot, &frame))
        return;
    output_format(output, "<figure class=\"plot\">\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH,
                  HEIGHT);
    html_write_text(output, plot->title);
    output_format(output, "\">\n");
    write_axes(output, plot, &frame);
    for (size_t i = 0; i < plot->line_count; i++)
        write_line(output, &plot->lines[i], &frame, &last_label);
    for (size_t i = 0; i < plot->point_count; i++)
        write_point(output, &plot->points[i], &frame);
    output_format(output, "</svg>\n");
    write_legend(output, plot);
    output_format(output, "</figure>\n");
}
