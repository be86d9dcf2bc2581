/* front_runs.c: runs as dots, launch by launch, with warm-up, hiccups and modes marked. */
#include "page/front_runs.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_DOTS = 2000, MOST_GROUPS = 64 };

/* The picture while it is made. */
struct drawing {
    struct document *document;                          /* what goes wrong sticks there */
    struct plot_point *points;                          /* owned */
    size_t count;                                       /* of points */
    size_t step;                                        /* of how many runs one is drawn */
    struct plot_group groups[MOST_GROUPS];              /* launches, or sides */
    size_t group_count;                                 /* of groups */
    struct plot_level levels[FRONT_SIDES * MODES_MOST]; /* medians, of each mode where there are several */
    char labels[FRONT_SIDES * MODES_MOST][96];          /* of levels */
    size_t level_count;                                 /* of levels */
    double x;                                           /* where the next run stands */
    double least, most;                                 /* of the runs that count, in ms */
    bool has_warmup, has_slow;                          /* some run is marked so */
    struct arena arena;                                 /* labels of points and groups */
};

static size_t count_runs(const struct front *front)
{
    size_t count = 0;

    for (size_t side = 0; side < FRONT_SIDES; side++)
        for (size_t i = 0; i < front->runs[side].side.count; i++)
            count += front->runs[side].side.launches[i].count;
    return count;
}

/* The document remembers that memory ran out. */
static void fail(const struct drawing *drawing)
{
    document_table(drawing->document, NULL);
}

static const char *say(struct drawing *drawing, const char *format, ...) PRINTF_LIKE(2, 3);

static const char *say(struct drawing *drawing, const char *format, ...)
{
    va_list arguments;
    const char *text;

    va_start(arguments, format);
    text = arena_format(&drawing->arena, format, arguments);
    va_end(arguments);
    if (!text)
        fail(drawing);
    return text ? text : "";
}

static void note_counted(struct drawing *drawing, double ms)
{
    drawing->least = drawing->most > 0 ? fmin(drawing->least, ms) : ms;
    drawing->most = fmax(drawing->most, ms);
}

static void add_point(struct drawing *drawing, const struct latency_launch *launch, size_t run, size_t number,
                      enum plot_series series, bool warmup, bool slow)
{
    const char *standing = warmup ? ", warm-up" : slow ? ", a hiccup" : "";

    drawing->has_warmup |= warmup;
    drawing->has_slow |= slow;
    if (!warmup && !slow)
        note_counted(drawing, launch->ms[run]);
    drawing->points[drawing->count++] = (struct plot_point){
        .x = drawing->x,
        .y = launch->ms[run],
        .series = warmup ? PLOT_WARNING
                  : slow ? PLOT_BAD
                         : series,
        .label =
            say(drawing, "launch %zu, run %u: %.3f ms%s", number, launch->runs[run] + 1, launch->ms[run], standing),
    };
}

/* Which of its runs are hiccups is asked again, of the rule that left them out. */
static void add_launch(struct drawing *drawing, const struct front_runs *runs, size_t number, enum plot_series series)
{
    const struct latency_launch *launch = &runs->side.launches[number];
    size_t warmup = runs->summary ? runs->summary->warmup : 0, count;
    bool *slow = memory_allocate_clear(launch->count + 1);
    struct launch_sample sample = { launch->ms, launch->count };

    if (!slow || (runs->summary && runs->summary->slow &&
                  warmup_slow(&sample, warmup, WARMUP_AUTO, slow, &count) != STATUS_OK)) {
        fail(drawing);
        memory_free(slow);
        return;
    }
    for (size_t i = 0; i < launch->count; i++, drawing->x++)
        if (i % drawing->step == 0 || i < warmup)
            add_point(drawing, launch, i, number + 1, series, i < warmup, slow[i]);
    memory_free(slow);
}

static void add_group(struct drawing *drawing, double from, const char *label)
{
    if (drawing->group_count < MOST_GROUPS && drawing->x > from)
        drawing->groups[drawing->group_count++] = (struct plot_group){ from, drawing->x - 1, label };
}

/* The median of a side, or of each of its modes. */
static void add_levels(struct drawing *drawing, const struct latency_summary *summary, double from)
{
    if (!summary)
        return;
    for (unsigned i = 0; i < summary->mode_count && i < MODES_MOST; i++) {
        const struct latency_mode *mode = &summary->modes[i];
        char *label = drawing->labels[drawing->level_count];

        if (summary->mode_count > 1)
            snprintf(label, sizeof drawing->labels[0], "mode %u: %.4g ms, %zu of %zu", i + 1, mode->median,
                     mode->launches, summary->launches);
        else
            snprintf(label, sizeof drawing->labels[0], "median %.4g ms", summary->median);
        drawing->levels[drawing->level_count++] =
            (struct plot_level){ from, drawing->x - 1, summary->mode_count > 1 ? mode->median : summary->median,
                                 label };
    }
}

static void add_side(struct drawing *drawing, const struct front_runs *runs, const char *name, enum plot_series series)
{
    double start = drawing->x;

    for (size_t i = 0; i < runs->side.count; i++) {
        double from = drawing->x;

        add_launch(drawing, runs, i, series);
        if (!name && runs->side.count > 1)
            add_group(drawing, from, say(drawing, "launch %zu", i + 1));
    }
    if (name)
        add_group(drawing, start, name);
    if (drawing->x > start)
        add_levels(drawing, runs->summary, start);
}

static void draw(struct drawing *drawing, const struct front *front)
{
    struct plot_legend legend[2 + FRONT_SIDES];
    struct plot plot = { .kind = PLOT_DOTS,
                         .title = "How long each run took, in the order in which they ran",
                         .x_title = "runs, in order",
                         .y_title = "ms",
                         .points = drawing->points,
                         .groups = drawing->groups,
                         .levels = drawing->levels,
                         .legend = legend };

    /* From left to right as time goes: what it is compared with came first. */
    for (size_t side = FRONT_SIDES; side-- > 0;)
        if (front->runs[side].side.count)
            add_side(drawing, &front->runs[side], front->sides[1] ? front->sides[side] : NULL,
                     side ? PLOT_SECOND : PLOT_FIRST);
    for (size_t side = 0; side < FRONT_SIDES; side++)
        if (front->runs[side].side.count)
            legend[plot.legend_count++] =
                (struct plot_legend){ side ? PLOT_SECOND : PLOT_FIRST,
                                      front->sides[1] ? front->sides[side] : "a run that counts" };
    if (drawing->has_warmup)
        legend[plot.legend_count++] = (struct plot_legend){ PLOT_WARNING, "warm-up, which does not count" };
    if (drawing->has_slow)
        legend[plot.legend_count++] = (struct plot_legend){ PLOT_BAD, "a hiccup, which does not count" };
    plot.point_count = drawing->count;
    plot.group_count = drawing->group_count;
    plot.level_count = drawing->level_count;
    /* What does not count must not press together what does. */
    plot.y_most = drawing->most + fmax(drawing->most - drawing->least, drawing->most * 0.05);
    document_plot(drawing->document, &plot);
}

/* What the picture shows, by side. */
static void tell(struct document *document, const struct front *front)
{
    char sentence[LATENCY_SENTENCE];

    for (size_t side = 0; side < FRONT_SIDES; side++) {
        const struct latency_summary *summary = front->runs[side].summary;

        if (!summary)
            continue;
        latency_summary_sentence(summary, sentence);
        if (front->sides[1])
            document_item(document, 0, "`%s`: %s.", front->sides[side], sentence);
        else
            document_text(document, "A run: %s.", sentence);
    }
}

void front_add_runs(struct document *document, const struct front *front)
{
    size_t runs = count_runs(front);
    struct drawing *drawing;

    if (runs < 2)
        return;
    document_heading(document, 2, "runs", "How long runs took");
    drawing = memory_allocate_clear(sizeof *drawing);
    if (drawing)
        drawing->points = memory_allocate((runs + 1) * sizeof *drawing->points);
    if (!drawing || !drawing->points) {
        memory_free(drawing);
        document_table(document, NULL); /* the document remembers that memory ran out */
        return;
    }
    drawing->document = document;
    drawing->arena = ARENA_EMPTY;
    drawing->step = (runs + MOST_DOTS - 1) / MOST_DOTS;
    tell(document, front);
    if (drawing->step > 1)
        document_text(document, "One of %zu runs is drawn.", drawing->step);
    draw(drawing, front);
    memory_free(drawing->points);
    arena_free(&drawing->arena);
    memory_free(drawing);
}
