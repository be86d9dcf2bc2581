/* potential_page.c: what could be saved, as a document: what to do first, the rooflines, the items, what they rest on. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "page/potential_files.h"

enum { MOST_POINTS = 4000, MOST_ITEMS = 1000, MOST_RANKED = 15, MOST_LINES = 8 };

/* ---- The rooflines ---- */

struct points {
    struct plot_point *items; /* owned */
    size_t count;             /* of items */
    struct arena arena;       /* labels */
};

enum plot_series roofline_series(enum roofline_bound bound)
{
    switch (bound) {
    case ROOFLINE_MEMORY:
        return PLOT_FIRST;
    case ROOFLINE_COMPUTE:
    case ROOFLINE_BOTH:
        return PLOT_GOOD;
    case ROOFLINE_SLOW:
        return PLOT_WARNING;
    default:
        return PLOT_SECOND;
    }
}

/* Bytes of one transfer against its rate, or operations per byte against theirs. */
static bool place(const struct potential *potential, const struct potential_item *item, struct plot_point *point)
{
    if (potential->transfers) {
        point->x = item->count ? item->bytes / (double)item->count : NAN;
        point->y = item->point.gigabytes;
    } else {
        point->x = item->point.intensity;
        point->y = item->point.flops / 1e9;
    }
    return point->x > 0 && point->y > 0;
}

static const char *point_label(struct points *points, const struct potential *potential,
                               const struct potential_item *item)
{
    char text[512], time[FORMAT_SIZE], flops[96] = "";
    double reached = potential_reached(item);

    format_duration(time, potential_rounded(potential_ns(potential, item->ticks)));
    if (item->point.flops > 0)
        snprintf(flops, sizeof flops, ", %.1f GFLOP/s, %.2f FLOPs per byte", item->point.flops / 1e9,
                 item->point.intensity);
    snprintf(text, sizeof text, "%.160s (%.60s)\n%s, %.2f GB/s%s", item->name, item->engine, time,
             item->point.gigabytes, flops);
    if (!isnan(reached))
        snprintf(text + strlen(text), sizeof text - strlen(text), ", %.0f %% of the roof", reached);
    return arena_copy(&points->arena, text, strlen(text));
}

/* The items are sorted: large circles come first, so that small ones lie above them. */
static status find_points(const struct potential *potential, struct points *points)
{
    size_t most = potential->count < MOST_POINTS ? potential->count : MOST_POINTS;
    double longest = potential->count ? potential_ns(potential, potential->items[0].ticks) : 0;

    points->items = memory_allocate((most + 1) * sizeof *points->items);
    if (!points->items)
        return status_no_memory("drawing a roofline");
    for (size_t i = 0; i < potential->count && points->count < most; i++) {
        const struct potential_item *item = &potential->items[i];
        struct plot_point *point = &points->items[points->count];

        *point = (struct plot_point){ .series = roofline_series(item->point.bound) };
        if (!place(potential, item, point))
            continue;
        point->weight = longest > 0 ? potential_ns(potential, item->ticks) / longest : 0;
        point->label = point_label(points, potential, item);
        if (!point->label)
            return status_no_memory("drawing a roofline");
        points->count++;
    }
    assert(points->count <= most);
    return STATUS_OK;
}

/* The rate of the memory, which all kinds of arithmetic share; NAN: it is not known. */
static double memory_rate(const struct potential *potential)
{
    for (size_t i = 0; i < potential->peak_count; i++)
        if (potential->peaks[i].memory)
            return potential->peaks[i].rate;
    return NAN;
}

/* The least time that a transfer of an engine took, which gives its roof the slope: smaller ones cannot be faster. */
static double least_time(const struct potential *potential, uint32_t peak)
{
    double least = NAN;

    for (size_t i = 0; i < potential->count; i++) {
        const struct potential_item *item = &potential->items[i];
        double time = item->count ? potential_ns(potential, item->ticks) / (double)item->count : NAN;

        if (item->memory == peak && time > 0 && !(least <= time))
            least = time;
    }
    return least;
}

/* The highest first, as their names stand below each other. */
static int by_height(const void *one, const void *other)
{
    const struct plot_line *a = one, *b = other;

    return (a->y < b->y) - (a->y > b->y);
}

static size_t find_lines(const struct potential *potential, struct plot_line *lines, char labels[MOST_LINES][64])
{
    double memory = memory_rate(potential);
    size_t count = 0;

    for (size_t i = 0; i < potential->peak_count && count < MOST_LINES; i++) {
        const struct potential_peak *peak = &potential->peaks[i];

        if (peak->memory != potential->transfers || !(peak->rate > 0))
            continue;
        if (potential->transfers) {
            snprintf(labels[count], sizeof labels[count], "%.30s: %.3g GB/s", peak->name, peak->rate);
            lines[count] = (struct plot_line){ .x = peak->rate * least_time(potential, (uint32_t)i), .y = peak->rate };
        } else {
            snprintf(labels[count], sizeof labels[count], "%.30s: %.4g GFLOP/s", peak->name, peak->rate / 1e9);
            lines[count] = (struct plot_line){ .x = peak->rate / 1e9 / memory, .y = peak->rate / 1e9 };
        }
        lines[count].label = labels[count];
        count += lines[count].x > 0;
    }
    if (count)
        qsort(lines, count, sizeof *lines, by_height);
    return count;
}

static void describe_plot(struct document *document, const struct potential *potential)
{
    if (potential->transfers)
        document_text(
            document,
            "Each circle is the transfers of one operator on one engine, its area their time. The roof of an engine is "
            "its best rate; to its left stands the shortest time that its transfers took.");
    else
        document_text(document,
                      "Each circle is an operator, its area its time; %.3g GB/s are the slope, the rates of the data "
                      "types the roofs.",
                      memory_rate(potential));
}

static status draw_rooflines(struct document *document, const struct potential *potential)
{
    static const struct plot_legend legend[] = {
        { PLOT_FIRST, "near the memory's rate" },
        { PLOT_GOOD, "near the arithmetic's, or both" },
        { PLOT_WARNING, "near neither: slow" },
    };
    struct points points = { .arena = ARENA_EMPTY };
    struct plot_line lines[MOST_LINES];
    char labels[MOST_LINES][64];
    struct plot plot = {
        .title = potential->transfers ? "Rooflines: rate of transfers over their size"
                                      : "Rooflines: arithmetic rate over operations per byte",
        .x_title = potential->transfers ? "Bytes of a transfer" : "FLOPs per byte",
        .y_title = potential->transfers ? "GB/s" : "GFLOP/s",
        .lines = lines,
        .line_count = find_lines(potential, lines, labels),
        .legend = legend,
        .legend_count = potential->transfers ? 0 : sizeof legend / sizeof *legend,
    };
    status code = find_points(potential, &points);

    plot.points = points.items;
    plot.point_count = points.count;
    if (code == STATUS_OK) {
        document_heading(document, 2, "rooflines", "Rooflines");
        if (points.count) {
            describe_plot(document, potential);
            document_plot(document, &plot);
        } else {
            document_text(document, potential->transfers
                                        ? "No transfer has known bytes."
                                        : "No operator has both bytes and a known number of operations.");
        }
        document_table(document, potential_peak_table(potential, ""));
    }
    memory_free(points.items);
    arena_free(&points.arena);
    return code;
}

/* ---- The document ---- */

struct document *potential_document(const struct potential *potential, const struct potential_title *title)
{
    struct document *document = document_new("Advice");
    double known = 0;

    assert(title->name && title->summary && potential->times);
    if (!document)
        return NULL;
    for (size_t i = 0; i < potential->count; i++)
        known += potential_is_unknown(&potential->items[i]) ? 0 : potential_ns(potential, potential->items[i].ticks);
    document_heading(document, 2, "overview", "Overview");
    document_value(document, 0, "profile", "Profile", "`%s`", title->name);
    document_text(document, "%s", title->summary);
    document_number(document, "whole_ns", potential_ns(potential, potential->whole));
    document_number(document, "operations", (double)potential->count);
    document_number(document, "known_ns", known);
    document_heading(document, 2, "first", "What to do first");
    document_table(document, potential_rank_table(potential, "", MOST_RANKED));
    if (draw_rooflines(document, potential) != STATUS_OK) {
        document_free(document);
        return NULL;
    }
    document_heading(document, 2, "time", "What adds up to the whole");
    document_table(document, potential_part_table(potential, ""));
    document_heading(document, 2, "ops", "Operations");
    document_table(document, potential_item_table(potential, "", MOST_ITEMS, false));
    if (potential->note_count)
        document_heading(document, 2, "limits", "What this rests on");
    for (size_t i = 0; i < potential->note_count; i++)
        document_item(document, 0, "%s", potential->notes[i]);
    return document;
}
