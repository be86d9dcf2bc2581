/* front.c: the first screen of a report: sentences, and the sections that stand beside each other. */
#include "page/front.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/format.h"
#include "page/advice_files.h"
#include "page/front_runs.h"

enum { MOST_PARTS = PLOT_COLOURS }; /* the last is the sum of all others, where there are more */

/* Whether there is something to show beside the side that the report is about. */
static bool has_two(const struct front *front)
{
    return front->sides[1] && front->run_ns[1] > 0;
}

static double share(double ns, double run_ns)
{
    return run_ns > 0 ? ns / run_ns * 100 : NAN;
}

/* "5.284ms"; "-" where it is not known. */
static const char *show_time(char to[FORMAT_SIZE], double ns)
{
    if (isnan(ns))
        snprintf(to, FORMAT_SIZE, "-");
    else
        format_duration(to, advice_rounded(ns));
    return to;
}

/* "+1.204ms", "-0.3µs" */
static const char *show_change(char to[FORMAT_SIZE + 1], double ns)
{
    to[0] = ns < 0 ? '-' : '+';
    show_time(to + 1, fabs(ns));
    return isnan(ns) ? to + 1 : to;
}

void front_rank(struct front_time *items, size_t most, size_t count, struct front_time item, double weight)
{
    size_t at = count < most ? count : most;

    assert(most);
    item.weight = weight;
    for (; at && items[at - 1].weight < weight; at--)
        if (at < most)
            items[at] = items[at - 1];
    if (at < most)
        items[at] = item;
}

/* ---- Where the time goes ---- */

/* The parts that are shown. */
struct shown_parts {
    struct front_time items[MOST_PARTS]; /* in the order in which they were given */
    size_t count;                        /* of items */
};

static double known(double ns)
{
    return isnan(ns) ? 0 : ns;
}

/* Parts that no side has are left out; those that are too many are added up. */
static void choose_parts(const struct front *front, struct shown_parts *shown)
{
    size_t all = 0, rest = 0;

    shown->count = 0;
    for (size_t i = 0; i < front->part_count; i++)
        all += known(front->parts[i].ns[0]) > 0 || known(front->parts[i].ns[1]) > 0;
    for (size_t i = 0; i < front->part_count; i++) {
        const struct front_time *part = &front->parts[i];

        if (!(known(part->ns[0]) > 0 || known(part->ns[1]) > 0))
            continue;
        if (shown->count < MOST_PARTS - (all > MOST_PARTS)) {
            shown->items[shown->count++] = *part;
            continue;
        }
        if (!rest++)
            shown->items[MOST_PARTS - 1] = (struct front_time){ .name = "all others" };
        for (size_t side = 0; side < FRONT_SIDES; side++)
            shown->items[MOST_PARTS - 1].ns[side] += known(part->ns[side]);
    }
    shown->count += rest > 0;
}

static void draw_parts(struct document *document, const struct front *front, const struct shown_parts *shown)
{
    struct plot_bar bars[FRONT_SIDES * MOST_PARTS];
    char labels[FRONT_SIDES * MOST_PARTS][FORMAT_SIZE], rows[FRONT_SIDES][280], time[FORMAT_SIZE];
    const char *names[FRONT_SIDES] = { "", "" };
    size_t sides = has_two(front) ? 2 : 1, count = 0;
    struct plot plot = { .kind = PLOT_STACK, .title = "Time of a run by part", .x_title = "", .y_title = "" };

    for (size_t side = 0; side < sides; side++) {
        for (size_t i = 0; i < shown->count; i++, count++) {
            double ns = shown->items[i].ns[side];

            snprintf(labels[count], sizeof labels[count], "%.1f %%", share(known(ns), front->run_ns[side]));
            bars[count] = (struct plot_bar){ side, ns, PLOT_FIRST, shown->items[i].name, labels[count] };
        }
        if (!has_two(front))
            continue;
        snprintf(rows[side], sizeof rows[side], "%.200s: %s", front->sides[side], show_time(time, front->run_ns[side]));
        names[side] = rows[side];
    }
    plot.rows = names;
    plot.row_count = sides;
    plot.bars = bars;
    plot.bar_count = count;
    document_plot(document, &plot);
}

/* It is the legend of the picture, too: a row for each piece, in its order. */
static void list_parts(struct document *document, const struct front *front, const struct shown_parts *shown)
{
    const struct document_column one[] = { { "part", "Part", false },
                                           { "ns", "Time", true },
                                           { "percent", "Share", true } };
    const struct document_column two[] = { { "part", "Part", false },
                                           { "ns", front->sides[0] ? front->sides[0] : "", true },
                                           { "percent", "Share", true },
                                           { "baseline_ns", front->sides[1] ? front->sides[1] : "", true },
                                           { "change_ns", "Change", true } };
    char text[FORMAT_SIZE + 1];

    document_grid(document, "parts", has_two(front) ? two : one, has_two(front) ? 5 : 3);
    for (size_t i = 0; i < shown->count; i++) {
        const struct front_time *part = &shown->items[i];

        document_cell(document, "%s", part->name);
        document_cell_number(document, part->ns[0], "%s", show_time(text, part->ns[0]));
        document_cell_number(document, share(part->ns[0], front->run_ns[0]), "%.1f %%",
                             share(known(part->ns[0]), front->run_ns[0]));
        if (!has_two(front))
            continue;
        document_cell_number(document, part->ns[1], "%s", show_time(text, part->ns[1]));
        document_cell_number(document, known(part->ns[0]) - known(part->ns[1]), "%s",
                             show_change(text, known(part->ns[0]) - known(part->ns[1])));
    }
}

static void add_parts(struct document *document, const struct front *front)
{
    struct shown_parts shown;

    document_heading(document, 2, "where", "Where the time goes");
    choose_parts(front, &shown);
    if (!shown.count || !(front->run_ns[0] > 0)) {
        document_text(document, "What a run is made of is not known.");
        return;
    }
    draw_parts(document, front, &shown);
    list_parts(document, front, &shown);
}

/* ---- What to do first ---- */

static void add_first(struct document *document, const struct front *front)
{
    struct advice *advice = front->advice;
    size_t all = advice ? advice->count + advice->smaller : 0;

    document_heading(document, 2, "first", "What to do first");
    if (!advice) {
        document_mood(document, PROSE_NOTE, "%s", front->instead);
        return;
    }
    document_mood(document, advice->healthy ? PROSE_GOOD : PROSE_NOTE, "%s", advice_headline(advice));
    for (size_t i = 0; i < all && i < FRONT_TOP; i++)
        advice_add_head(document, advice, advice->items[i]);
    if (all > FRONT_TOP)
        document_text(document, "%zu more, and what each rests on, %s below.", all - FRONT_TOP,
                      all == FRONT_TOP + 1 ? "stands" : "stand");
    if (!advice->healthy && advice_names_dominant(advice))
        document_text(document, "%s.", advice->dominant->title);
}

/* ---- What became slower, what was lost ---- */

static void add_slower(struct document *document, const struct front *front)
{
    char now[FORMAT_SIZE], before[FORMAT_SIZE];

    if (!front->compared)
        return;
    document_heading(document, 2, "slower", "What became slower");
    document_text(document, "%s", front->compared);
    for (size_t i = 0; i < front->slower_count && i < FRONT_TOP; i++) {
        const struct front_time *item = &front->slower[i];

        show_time(now, item->ns[0]);
        if (item->ns[1] > 0)
            document_item(document, 0, "`%s`: %s, was %s (%+.1f %%)", item->name, now, show_time(before, item->ns[1]),
                          (item->ns[0] / item->ns[1] - 1) * 100);
        else
            document_item(document, 0, "`%s`: %s, was not there", item->name, now);
    }
}

static void add_lost(struct document *document, const struct front *front)
{
    enum { MOST = 4 };

    document_heading(document, 2, "lost", "What failed or was lost");
    if (!front->lost_count)
        document_mood(document, PROSE_GOOD, "%s", front->complete);
    for (size_t i = 0; i < front->lost_count && i < MOST; i++)
        document_item(document, 0, "%s", front->lost[i]);
    if (front->lost_count > MOST)
        document_text(document, "%zu more stand below.", front->lost_count - MOST);
}

/* ---- Operators ---- */

static void draw_operators(struct document *document, const struct front *front, size_t count)
{
    static const struct plot_legend colours[] = { { PLOT_FIRST, "" }, { PLOT_SECOND, "" } };
    const char *rows[FRONT_OPERATORS];
    struct plot_bar bars[FRONT_SIDES * FRONT_OPERATORS];
    char shown[FRONT_SIDES * FRONT_OPERATORS][FORMAT_SIZE];
    struct plot_legend legend[FRONT_SIDES] = { colours[0], colours[1] };
    struct plot plot = { .kind = PLOT_BARS,
                         .title = "Own time of operators, the longest first",
                         .x_title = "",
                         .y_title = "",
                         .rows = rows,
                         .row_count = count,
                         .bars = bars,
                         .legend = legend,
                         .legend_count = has_two(front) ? 2 : 0 };

    for (size_t i = 0; i < count; i++) {
        rows[i] = front->operators[i].name;
        for (size_t side = 0; side < (has_two(front) ? 2U : 1U); side++, plot.bar_count++) {
            double ns = front->operators[i].ns[side];

            bars[plot.bar_count] =
                (struct plot_bar){ i, ns, side ? PLOT_SECOND : PLOT_FIRST, "", show_time(shown[plot.bar_count], ns) };
        }
    }
    for (size_t side = 0; side < FRONT_SIDES; side++)
        legend[side].label = front->sides[side] ? front->sides[side] : "";
    document_plot(document, &plot);
}

static void add_operators(struct document *document, const struct front *front)
{
    size_t count = front->operator_count < FRONT_OPERATORS ? front->operator_count : FRONT_OPERATORS;
    double sum = 0;

    if (!count)
        return;
    document_heading(document, 2, "top_operators", "Operators that matter");
    for (size_t i = 0; i < count; i++)
        sum += known(front->operators[i].ns[0]);
    document_text(document, "Their own time is %.1f %% of a run%s.", share(sum, front->run_ns[0]),
                  front->operator_count > count ? "; all operators stand below" : "");
    draw_operators(document, front, count);
}

/* ---- All of it ---- */

void front_add(struct document *document, const struct front *front)
{
    assert(front->headline && (front->parts || !front->part_count) && (front->lost_count || front->complete));
    document_mood(document, front->mood, "%s", front->headline);
    document_place(document, PROSE_CARD);
    add_parts(document, front);
    add_first(document, front);
    add_slower(document, front);
    add_lost(document, front);
    add_operators(document, front);
    front_add_runs(document, front);
    document_place(document, PROSE_FOLDED);
}
