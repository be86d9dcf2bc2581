/* advice_page.c: advice as a document: what to do first, the rooflines, the work under them, what they rest on. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "page/advice_files.h"

enum { MOST_POINTS = 4000, MOST_ITEMS = 1000, MOST_LINES = 8 };

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
static bool place(const struct roofs *roofs, const struct roof_item *item, struct plot_point *point)
{
    if (roofs->transfers) {
        point->x = item->count ? item->bytes / (double)item->count : NAN;
        point->y = item->point.gigabytes;
    } else {
        point->x = item->point.intensity;
        point->y = item->point.flops / 1e9;
    }
    return point->x > 0 && point->y > 0;
}

static const char *point_label(struct points *points, const struct roofs *roofs, const struct roof_item *item)
{
    char text[512], time[FORMAT_SIZE], flops[96] = "";
    double reached = roof_reached(item);

    format_duration(time, advice_rounded(roofs_ns(roofs, item->ticks)));
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
static status find_points(const struct roofs *roofs, struct points *points)
{
    size_t most = roofs->count < MOST_POINTS ? roofs->count : MOST_POINTS;
    double longest = roofs->count ? roofs_ns(roofs, roofs->items[0].ticks) : 0;

    points->items = memory_allocate((most + 1) * sizeof *points->items);
    if (!points->items)
        return status_no_memory("drawing a roofline");
    for (size_t i = 0; i < roofs->count && points->count < most; i++) {
        const struct roof_item *item = &roofs->items[i];
        struct plot_point *point = &points->items[points->count];

        *point = (struct plot_point){ .series = roofline_series(item->point.bound) };
        if (!place(roofs, item, point))
            continue;
        point->weight = longest > 0 ? roofs_ns(roofs, item->ticks) / longest : 0;
        point->label = point_label(points, roofs, item);
        if (!point->label)
            return status_no_memory("drawing a roofline");
        points->count++;
    }
    assert(points->count <= most);
    return STATUS_OK;
}

/* The rate of the memory, which all kinds of arithmetic share; NAN: it is not known. */
static double memory_rate(const struct roofs *roofs)
{
    for (size_t i = 0; i < roofs->peak_count; i++)
        if (roofs->peaks[i].memory)
            return roofs->peaks[i].rate;
    return NAN;
}

/* The least time that a transfer of an engine took, which gives its roof the slope: smaller ones cannot be faster. */
static double least_time(const struct roofs *roofs, uint32_t peak)
{
    double least = NAN;

    for (size_t i = 0; i < roofs->count; i++) {
        const struct roof_item *item = &roofs->items[i];
        double time = item->count ? roofs_ns(roofs, item->ticks) / (double)item->count : NAN;

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

static size_t find_lines(const struct roofs *roofs, struct plot_line *lines, char labels[MOST_LINES][64])
{
    double memory = memory_rate(roofs);
    size_t count = 0;

    for (size_t i = 0; i < roofs->peak_count && count < MOST_LINES; i++) {
        const struct roof_peak *peak = &roofs->peaks[i];

        if (peak->memory != roofs->transfers || !(peak->rate > 0))
            continue;
        if (roofs->transfers) {
            snprintf(labels[count], sizeof labels[count], "%.30s: %.3g GB/s", peak->name, peak->rate);
            lines[count] = (struct plot_line){ .x = peak->rate * least_time(roofs, (uint32_t)i), .y = peak->rate };
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

static void describe_plot(struct document *document, const struct roofs *roofs)
{
    if (roofs->transfers)
        document_text(
            document,
            "Each circle is the transfers of one operator on one engine, its area their time. The roof of an engine is "
            "its best rate; to its left stands the shortest time that its transfers took.");
    else
        document_text(document,
                      "Each circle is an operator, its area its time; %.3g GB/s are the slope, the rates of the data "
                      "types the roofs.",
                      memory_rate(roofs));
}

status roofs_add_section(struct document *document, const struct roofs *roofs)
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
        .title = roofs->transfers ? "Rooflines: rate of transfers over their size"
                                  : "Rooflines: arithmetic rate over operations per byte",
        .x_title = roofs->transfers ? "Bytes of a transfer" : "FLOPs per byte",
        .y_title = roofs->transfers ? "GB/s" : "GFLOP/s",
        .lines = lines,
        .line_count = find_lines(roofs, lines, labels),
        .legend = legend,
        .legend_count = roofs->transfers ? 0 : sizeof legend / sizeof *legend,
    };
    status code = find_points(roofs, &points);

    plot.points = points.items;
    plot.point_count = points.count;
    if (code == STATUS_OK) {
        document_heading(document, 2, "rooflines", "Rooflines");
        if (points.count) {
            describe_plot(document, roofs);
            document_plot(document, &plot);
        } else {
            document_text(document, roofs->transfers ? "No transfer has known bytes."
                                                     : "No operator has both bytes and a known number of operations.");
        }
        document_table(document, roofs_peak_table(roofs, ""));
    }
    memory_free(points.items);
    arena_free(&points.arena);
    return code;
}

/* ---- What to do first ---- */

static void add_grounds(struct document *document, const struct advice *advice, const struct advice_item *item)
{
    char time[FORMAT_SIZE];

    document_item(document, 1, "%s", item->evidence);
    for (size_t i = 0; i < item->row_count && item != advice->dominant; i++) {
        const struct advice_row *row = &item->rows[i];

        format_duration(time, advice_rounded(row->ns));
        document_item(document, 1, "`%s`%s%s%s%s%s%s%s", row->name ? row->name : "", row->location ? " at `" : "",
                      row->location ? row->location : "", row->location ? "`" : "", isnan(row->ns) ? "" : ": ",
                      isnan(row->ns) ? "" : time, row->remark ? ", " : "", row->remark ? row->remark : "");
    }
    if (item->rows_left)
        document_item(document, 1, "and %zu more", item->rows_left);
    if (*item->assumes)
        document_item(document, 1, item == advice->dominant ? "%s" : "At most, %s", item->assumes);
    if (item->ruled_out)
        document_item(document, 1, "Ruled out: %s", item->ruled_out);
    if (item->command)
        document_item(document, 1, "See: `%s`", item->command);
}

void advice_add_head(struct document *document, const struct advice *advice, const struct advice_item *item)
{
    bool dominant = item == advice->dominant;
    double shown = dominant ? item->ns : item->saves_ns;
    char time[FORMAT_SIZE];

    format_duration(time, advice_rounded(shown));
    document_item(document, 0,
                  dominant ? "**%s** (%s, %.1f %% of a run%s%s)" : "**%s**: saves %s at most (%.1f %%%s%s)",
                  item->title, time, advice_share(advice, shown), item->bound != ADVICE_UNKNOWN ? ", " : "",
                  item->bound != ADVICE_UNKNOWN ? advice_bound_text(item->bound) : "");
}

void advice_add_item(struct document *document, const struct advice *advice, const struct advice_item *item)
{
    advice_add_head(document, advice, item);
    add_grounds(document, advice, item);
}

void advice_add_section(struct document *document, struct advice *advice, unsigned level)
{
    document_heading(document, level, "first", "What to do first");
    document_mood(document, advice->healthy ? PROSE_GOOD : PROSE_NOTE, "%s", advice_headline(advice));
    for (size_t i = 0; i < advice->count; i++)
        advice_add_item(document, advice, advice->items[i]);
    if (advice->smaller)
        document_heading(document, level + 1, "smaller", "Smaller things");
    for (size_t i = 0; i < advice->smaller; i++)
        advice_add_item(document, advice, advice->items[advice->count + i]);
    if (!advice->healthy && advice_names_dominant(advice))
        document_text(document, "%s.", advice->dominant->title);
}

/* ---- The document ---- */

static void add_roofs(struct document *document, const struct roofs *roofs)
{
    document_heading(document, 2, "ops", "Operations");
    document_table(document, roofs_item_table(roofs, "", MOST_ITEMS, false));
}

struct document *advised_document(struct advised *advised)
{
    const struct advice *advice = &advised->advice;
    struct document *document = document_new_about("Advice", advice->subject);

    if (!document)
        return NULL;
    document_heading(document, 2, "overview", "Overview");
    document_value(document, 0, "profile", "Profile", "`%s`", advice->subject);
    document_text(document, "%s", advice->summary);
    advice_add_section(document, &advised->advice, 2);
    if (advised->roofs.count && roofs_add_section(document, &advised->roofs) != STATUS_OK) {
        document_free(document);
        return NULL;
    }
    if (advice->part_count) {
        document_heading(document, 2, "time", "What adds up to a run");
        document_table(document, advice_part_table(advice, ""));
    }
    if (advised->roofs.count)
        add_roofs(document, &advised->roofs);
    if (advice->note_count)
        document_heading(document, 2, "limits", "What this rests on");
    for (size_t i = 0; i < advice->note_count; i++)
        document_item(document, 0, "%s", advice->notes[i]);
    return document;
}
