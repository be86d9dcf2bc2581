/* advise_page.c: everything that `advise.h` found, as a document: what to do first, the rooflines, the stack, the operations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "page/potential_files.h"
#include "tenstorrent/advise_files.h"

enum { MOST_POINTS = 4000, MOST_OPS = 1000, MOST_RANKED = 15 };

/* ---- The rooflines ---- */

/* Operations that have a place under a roof: those with bytes and operations. */
struct points {
    struct plot_point *items;
    size_t count;
    double longest; /* us: the largest weight */
    struct arena arena;
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
        if (points.count) {
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

/* ---- Tables ---- */

static void add_decimal(struct table *table, size_t column, double value)
{
    if (!isnan(value))
        table_set_decimal(table, column, value);
}

static struct table *stack_table(const struct advise_stack *stack)
{
    static const struct table_column columns[] = {
        { "share", "Total", NULL, "of the device time", CELL_PERCENT, true, false },
        { "operation", "Operation", NULL, NULL, CELL_TEXT, false, false },
        { "time", "Device time", "ns", NULL, CELL_DURATION, false, false },
        { "count", "Ops", NULL, NULL, CELL_INTEGER, false, false },
        { "category", "Category", NULL, "Compute, DM (moves data), TM (changes shape or layout), Host", CELL_TEXT,
          false, false },
        { "flops_weighted", "FLOPs", "%", "of the peak, mean by time", CELL_DECIMAL, false, false },
        { "flops_least", "least", "%", NULL, CELL_DECIMAL, false, false },
        { "flops_most", "most", "%", NULL, CELL_DECIMAL, false, false },
        { "device", "Device", NULL, NULL, CELL_INTEGER, false, false }, /* only where devices are shown apart */
    };
    struct table *table = table_new("stack", "");

    for (size_t i = 0; table && i < sizeof columns / sizeof *columns - !stack->by_device; i++)
        table_add_column(table, columns[i]);
    for (size_t i = 0; table && i < stack->count; i++) {
        const struct advise_stack_row *row = &stack->rows[i];

        table_add_row(table);
        table_set_decimal(table, 0, row->share);
        table_set_text(table, 1, row->name);
        table_set_integer(table, 2, llround(row->time * 1000));
        table_set_integer(table, 3, (int64_t)row->count);
        table_set_text(table, 4, row->category);
        add_decimal(table, 5, row->weighted);
        add_decimal(table, 6, row->least);
        add_decimal(table, 7, row->most);
        if (stack->by_device)
            table_set_integer(table, 8, row->device);
    }
    return table;
}

enum {
    OP_ID,
    OP_TOTAL,
    OP_BOUND,
    OP_LABEL,
    OP_DEVICE_ID,
    OP_TIME,
    OP_GAP,
    OP_CORES,
    OP_DRAM,
    OP_DRAM_SHARE,
    OP_TFLOPS,
    OP_FLOPS_SHARE,
    OP_FIDELITY
};

static void add_op(struct table *table, const struct advise_op *op)
{
    table_add_row(table);
    table_set_integer(table, OP_ID, op->row->number);
    add_decimal(table, OP_TOTAL, op->total);
    table_set_text(table, OP_BOUND, advise_bound(op));
    table_set_text(table, OP_LABEL, op->label);
    if (op->row->device >= 0)
        table_set_integer(table, OP_DEVICE_ID, op->row->device);
    if (!isnan(op->device_time))
        table_set_integer(table, OP_TIME, llround(op->device_time * 1000));
    if (!isnan(op->gap))
        table_set_integer(table, OP_GAP, llround(op->gap * 1000));
    if (!isnan(op->cores))
        table_set_integer(table, OP_CORES, (int64_t)op->cores);
    add_decimal(table, OP_DRAM, op->dram);
    add_decimal(table, OP_DRAM_SHARE, op->dram_percent);
    add_decimal(table, OP_TFLOPS, op->tflops);
    add_decimal(table, OP_FLOPS_SHARE, op->flops_percent);
    table_set_text(table, OP_FIDELITY, op->fidelity);
}

static struct table *op_table(const struct advise *advise)
{
    static const struct table_column columns[] = {
        [OP_ID] = { "id", "ID", NULL, "row of the report", CELL_INTEGER, false, false },
        [OP_TOTAL] = { "total", "Total", NULL, "of all device times and gaps", CELL_PERCENT, true, false },
        [OP_BOUND] = { "bound", "Bound", NULL, "what holds it back", CELL_TEXT, false, false },
        [OP_LABEL] = { "operation", "Operation", NULL, NULL, CELL_TEXT, false, false },
        [OP_DEVICE_ID] = { "device", "Device", NULL, NULL, CELL_INTEGER, false, false },
        [OP_TIME] = { "device_time", "Device time", "ns", NULL, CELL_DURATION, false, false },
        [OP_GAP] = { "gap", "Gap", "ns", "since the operation before", CELL_DURATION, false, false },
        [OP_CORES] = { "cores", "Cores", NULL, NULL, CELL_INTEGER, false, false },
        [OP_DRAM] = { "dram", "DRAM", "GB/s", NULL, CELL_DECIMAL, false, false },
        [OP_DRAM_SHARE] = { "dram_percent", "DRAM", "%", "of the peak", CELL_DECIMAL, false, false },
        [OP_TFLOPS] = { "tflops", "FLOPs", "TFLOPs", NULL, CELL_DECIMAL, false, false },
        [OP_FLOPS_SHARE] = { "flops_percent", "FLOPs", "%", "of the peak", CELL_DECIMAL, false, false },
        [OP_FIDELITY] = { "fidelity", "Math fidelity", NULL, NULL, CELL_TEXT, false, false },
    };
    struct table *table = table_new("operations", "");

    for (size_t i = 0; table && i < sizeof columns / sizeof *columns; i++)
        table_add_column(table, columns[i]);
    for (size_t i = 0; table && i < advise->count && i < MOST_OPS; i++)
        add_op(table, &advise->ops[i]);
    if (table && advise->count > MOST_OPS)
        table_note(table, "%zu more operations are left out; --csv has all of them", advise->count - MOST_OPS);
    return table;
}

/* ---- The document ---- */

static void describe(struct document *document, const struct advise *advise)
{
    const struct chip *architecture = &advise->architecture;
    double whole = advise->device_time + advise->gaps;
    char times[FORMAT_SIZE], gaps[FORMAT_SIZE];

    format_duration(times, llround(advise->device_time * 1000));
    format_duration(gaps, llround(advise->gaps * 1000));
    document_value(document, 0, "architecture", "Architecture", "%s, %lld worker cores", architecture->name,
                   (long long)architecture->worker_cores);
    document_value(document, 0, "operations", "Operations", "%zu on %zu device%s, %zu on the host, %zu signposts",
                   advise->device_ops, advise->devices, advise->devices == 1 ? "" : "s", advise->host_ops,
                   advise->signposts);
    document_value(document, 0, "device_time", "Device time", "%s (%.1f %%)", times,
                   whole > 0 ? advise->device_time / whole * 100 : 0);
    document_value(document, 0, "gaps", "Gaps between operations", "%s (%.1f %%)", gaps,
                   whole > 0 ? advise->gaps / whole * 100 : 0);
    document_number(document, "device_time_us", advise->device_time);
    document_number(document, "gaps_us", advise->gaps);
    for (size_t i = 0; i < advise->message_count; i++) {
        if (advise->messages[i].mood == ADVISE_WARNING)
            document_mood(document, PROSE_WARNING, "`%s`", advise->messages[i].text);
    }
}

struct document *advise_document(struct advise *advise, const struct advise_stack *stack)
{
    struct document *document = document_new("Advice");
    status code;

    if (!document)
        return NULL;
    document_heading(document, 2, "overview", "Overview");
    describe(document, advise);
    document_heading(document, 2, "first", "What to do first");
    document_table(document, advise_rank(advise, "", MOST_RANKED));
    code = draw_rooflines(document, advise);
    if (code != STATUS_OK) {
        document_free(document);
        return NULL;
    }
    document_heading(document, 2, "time", "Where the time goes");
    document_table(document, stack_table(stack));
    document_heading(document, 2, "ops", "Operations");
    document_table(document, op_table(advise));
    return document;
}
