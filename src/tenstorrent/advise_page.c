/* advise_page.c: everything that `advise.h` found, as a document: what to do first, the rooflines, the stack, the operations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "page/advice_files.h"
#include "tenstorrent/advise_files.h"

enum { MOST_POINTS = 4000, MOST_OPS = 1000 };

/* ---- The rooflines ---- */

/* Operations that have a place under a roof: those with bytes and operations. */
struct points {
    struct plot_point *items; /* owned */
    size_t count;             /* of items */
    double longest;           /* us: the largest weight */
    struct arena arena;       /* labels */
};

static const char *point_label(struct points *points, const struct advise_op *op, const struct roofline_point *point)
{
    char text[512];

    snprintf(text, sizeof text, "%u: %.200s\n%.1f µs, %.0f GB/s (%.1f %%), %.2f TFLOPs (%.1f %%), %.1f FLOPs per byte",
             op->row->number, op->label, op->device_time, point->gigabytes, point->memory_percent, point->flops / 1e12,
             point->compute_percent, point->intensity);
    return arena_copy(&points->arena, text, strlen(text));
}

static int compare_times(const void *one, const void *other)
{
    const struct advise_op *a = *(const struct advise_op *const *)one;
    const struct advise_op *b = *(const struct advise_op *const *)other;

    if (a->device_time != b->device_time)
        return a->device_time > b->device_time ? -1 : 1;
    return a->row->number < b->row->number ? -1 : a->row->number > b->row->number;
}

/* The longest operations that can be placed, large ones first so that small ones lie above them. */
static status find_points(const struct advise *advise, struct points *points)
{
    const struct advise_op **ops = memory_allocate((advise->count + 1) * sizeof *ops);
    size_t count = 0;
    status code = ops ? STATUS_OK : status_no_memory("drawing a roofline");

    for (size_t i = 0; i < advise->count && code == STATUS_OK; i++) {
        if (advise->ops[i].dram > 0 && advise->ops[i].tflops > 0)
            ops[count++] = &advise->ops[i];
    }
    if (count)
        qsort(ops, count, sizeof *ops, compare_times);
    count = count < MOST_POINTS ? count : MOST_POINTS;
    points->items = memory_allocate((count + 1) * sizeof *points->items);
    if (!points->items)
        code = status_no_memory("drawing a roofline");
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        struct roofline_work work;
        struct roofline_peak peak;
        struct roofline_point point;

        if (!advise_work(advise, ops[i], &work, &peak))
            continue;
        point = roofline_place(work, peak);
        points->items[points->count++] = (struct plot_point){
            .x = point.intensity,
            .y = point.flops / 1e12,
            .weight = ops[i]->device_time / ops[0]->device_time,
            .series = roofline_series(ops[i]->bound),
            .label = point_label(points, ops[i], &point),
        };
        if (!points->items[points->count - 1].label)
            code = status_no_memory("drawing a roofline");
    }
    memory_free(ops);
    return code;
}

/* One roof per fidelity that was used, for all cores. */
static size_t find_roofs(const struct advise *advise, struct plot_line *lines, char labels[FIDELITY_COUNT][64])
{
    const struct chip *architecture = &advise->architecture;
    bool used[FIDELITY_COUNT] = { false };
    size_t count = 0;

    for (size_t i = 0; i < advise->count; i++) {
        enum fidelity fidelity = fidelity_named(strings_get(advise->report->strings, advise->ops[i].row->fidelity));

        if (fidelity < FIDELITY_COUNT && advise->ops[i].tflops > 0)
            used[fidelity] = true;
    }
    for (unsigned i = FIDELITY_COUNT; i-- > 0;) {
        double peak = architecture->tflops[i] * (double)architecture->worker_cores;

        if (!used[i] || !(peak > 0) || !(architecture->dram > 0))
            continue;
        snprintf(labels[count], sizeof labels[count], "%s: %.0f TFLOPs", fidelity_text(i), peak);
        lines[count] = (struct plot_line){ .x = peak * 1e3 / architecture->dram, .y = peak, .label = labels[count] };
        count++;
    }
    return count;
}

static status draw_rooflines(struct document *document, const struct advise *advise)
{
    static const struct plot_legend legend[] = {
        { PLOT_FIRST, "held back by the DRAM" },
        { PLOT_GOOD, "by the arithmetic, or by both" },
        { PLOT_WARNING, "by neither: slow" },
    };
    struct points points = { .arena = ARENA_EMPTY };
    struct plot_line lines[FIDELITY_COUNT];
    char labels[FIDELITY_COUNT][64];
    struct plot plot = {
        .title = "Rooflines: arithmetic rate over operations per byte",
        .x_title = "FLOPs per byte of DRAM",
        .y_title = "TFLOPs",
        .lines = lines,
        .line_count = find_roofs(advise, lines, labels),
        .legend = legend,
        .legend_count = sizeof legend / sizeof *legend,
    };
    status code = find_points(advise, &points);

    plot.points = points.items;
    plot.point_count = points.count;
    if (code == STATUS_OK) {
        document_heading(document, 2, "rooflines", "Rooflines");
        if (points.count && !(plot.line_count > 0)) {
            document_text(document, "The peaks of the chip are not all known: there is no roof to draw.");
        } else if (points.count) {
            document_text(document,
                          "Each circle is an operation, its area its time; %.0f GB/s of DRAM are the slope, all %lld "
                          "cores the roof.",
                          advise->architecture.dram, (long long)advise->architecture.worker_cores);
            document_plot(document, &plot);
        } else {
            document_text(document, "No operation has both bytes in DRAM and a known number of operations.");
        }
    }
    memory_free(points.items);
    arena_free(&points.arena);
    return code;
}

/* ---- The document ---- */

static void describe(struct document *document, const struct advise *advise)
{
    const struct chip *architecture = &advise->architecture;
    double whole = advise->device_time + advise->gaps;
    char times[FORMAT_SIZE], gaps[FORMAT_SIZE];

    format_duration(times, llround(advise->device_time * 1000));
    format_duration(gaps, llround(advise->gaps * 1000));
    if (architecture->worker_cores)
        document_value(document, 0, "architecture", "Architecture", "%s, %lld worker cores", architecture->name,
                       (long long)architecture->worker_cores);
    else
        document_value(document, 0, "architecture", "Architecture", "%s", architecture->name);
    document_value(document, 0, "operations", "Operations", "%zu on %zu device%s, %zu on the host, %zu signposts",
                   advise->device_ops, advise->devices, advise->devices == 1 ? "" : "s", advise->host_ops,
                   advise->signposts);
    document_value(document, 0, "device_time", "Device time", "%s (%.1f %%)", times,
                   whole > 0 ? advise->device_time / whole * 100 : 0);
    if (advise->gapped)
        document_value(document, 0, "gaps", "Gaps between operations", "%s (%.1f %%)", gaps,
                       whole > 0 ? advise->gaps / whole * 100 : 0);
    else
        document_value(document, 0, "gaps", "Gaps between operations", "not known");
    document_number(document, "device_time_us", advise->device_time);
    document_number(document, "gaps_us", advise->gapped ? advise->gaps : NAN);
    for (size_t i = 0; i < advise->message_count; i++) {
        if (advise->messages[i].mood == ADVISE_WARNING)
            document_mood(document, PROSE_WARNING, "`%s`", advise->messages[i].text);
    }
}

/* The operations, or as many as a page can bear. */
static status add_operations(struct document *document, const struct advise *advise)
{
    struct table *table = NULL;
    status code = advise_op_table(advise, MOST_OPS, "", NULL, &table);

    if (code == STATUS_OK && advise->count > MOST_OPS)
        table_note(table, "%zu more operations are left out; --csv has all of them", advise->count - MOST_OPS);
    if (code == STATUS_OK)
        document_table(document, table);
    return code;
}

struct document *advise_document(const struct advise *advise, const struct advise_stack *stack, struct advice *advice)
{
    struct document *document = document_new_about("Advice", advice->subject);
    struct table *stacked = NULL;
    status code;

    if (!document)
        return NULL;
    document_heading(document, 2, "overview", "Overview");
    describe(document, advise);
    advice_add_section(document, advice, 2);
    code = draw_rooflines(document, advise);
    if (code == STATUS_OK)
        code = advise_stack_table(stack, &stacked);
    if (code == STATUS_OK) {
        document_heading(document, 2, "time", "Where the time goes");
        document_table(document, stacked);
        document_heading(document, 2, "ops", "Operations");
        code = add_operations(document, advise);
    }
    if (code == STATUS_OK)
        return document;
    document_free(document);
    return NULL;
}
