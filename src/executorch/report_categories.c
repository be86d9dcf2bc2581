/* report_categories.c: where the time goes by category, before and after, and what was accelerated. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "executorch/operator_facts.h"
#include "executorch/report_sections.h"

/* ---- categories -------------------------------------------------------------------------------------------------- */

struct category_order {
    const struct operators *sides[2];                     /* the candidate, the baseline */
    struct operator_group groups[2][OPERATOR_KIND_COUNT]; /* categories are fewer than kinds */
    size_t count;                                         /* of sides */
    bool by_name;                                         /* else the longest first */
    const char *(*title)(unsigned index);                 /* of a group */
};

static const char *title_of_category(unsigned index)
{
    return category_title((enum category)index);
}

static const char *title_of_kind(unsigned index)
{
    return operator_kind_title((enum operator_kind)index);
}

static double time_of(const struct category_order *order, unsigned index)
{
    double sum = 0;

    for (size_t i = 0; i < order->count; i++)
        sum += operators_average_ms(order->sides[i], order->groups[i][index].total);
    return sum;
}

static int compare_groups(const void *left, const void *right, void *context)
{
    const struct category_order *order = context;
    unsigned one = *(const unsigned *)left, other = *(const unsigned *)right;
    double a = time_of(order, one), b = time_of(order, other);

    if (order->by_name)
        return strcmp(order->title(one), order->title(other));
    if (a != b)
        return a > b ? -1 : 1;
    return (one > other) - (one < other);
}

/* Indices of those that some side has, the longest first or by name; returns how many. */
static unsigned sort_groups(struct category_order *order, unsigned all, unsigned *indices)
{
    unsigned count = 0;

    for (unsigned i = 0; i < all; i++)
        if (order->groups[0][i].operators || (order->count > 1 && order->groups[1][i].operators))
            indices[count++] = i;
    if (count)
        qsort_r(indices, count, sizeof *indices, compare_groups, order);
    return count;
}

static void add_group_rows(struct document *document, struct category_order *order, unsigned all, bool bold,
                           bool shares)
{
    unsigned indices[OPERATOR_KIND_COUNT];
    unsigned count = sort_groups(order, all, indices);

    for (unsigned i = 0; i < count; i++) {
        document_cell(document, bold ? "**%s**" : "%s", order->title(indices[i]));
        for (size_t side = 0; side < order->count; side++)
            report_cell_ms(document, operators_average_ms(order->sides[side], order->groups[side][indices[i]].total));
        for (size_t side = 0; side < order->count && shares; side++)
            report_cell_percent(document, operators_percent(order->sides[side], order->groups[side][indices[i]].total));
    }
}

static void start_group_grid(struct document *document, const char *key, const char *first,
                             const struct inspected_pair *pair, const struct inspected *const sides[2], size_t count,
                             bool shares)
{
    char titles[4][REPORT_COLUMN];
    struct document_column columns[5] = { { "category", first, false } };
    static const char *const keys[] = { "ms", "baseline_ms", "percent", "baseline_percent" };
    size_t used = 1;

    for (size_t i = 0; i < count; i++, used++)
        columns[used] =
            (struct document_column){ keys[i], report_column(titles[i], inspected_title(pair, sides[i]), "ms"), true };
    for (size_t i = 0; i < count && shares; i++, used++)
        columns[used] =
            (struct document_column){ keys[2 + i], report_column(titles[2 + i], inspected_title(pair, sides[i]), "%"),
                                      true };
    document_grid(document, key, columns, used);
}

static struct category_order order_of(const struct inspected *const sides[2], size_t count, bool by_name)
{
    struct category_order order = { .count = count, .by_name = by_name, .title = title_of_category };

    for (size_t i = 0; i < count; i++)
        order.sides[i] = &sides[i]->measurement.operators;
    return order;
}

void report_category_grid(struct document *document, const char *key, const struct inspected_pair *pair,
                          const struct inspected *const sides[2], size_t count, bool by_name, bool shares)
{
    struct category_order order = order_of(sides, count, by_name);

    assert(count && count <= 2);
    for (size_t i = 0; i < count; i++)
        operators_by_category(order.sides[i], order.groups[i]);
    start_group_grid(document, key, "Category", pair, sides, count, shares);
    add_group_rows(document, &order, CATEGORY_COUNT, true, shares);
}

static void add_kinds(struct report *report)
{
    struct category_order order = order_of(report->sides, report->side_count, false);

    order.title = title_of_kind;
    for (size_t i = 0; i < order.count; i++)
        operators_by_kind(order.sides[i], order.groups[i]);
    document_heading(report->document, 3, "kinds", "Finer Kinds");
    start_group_grid(report->document, "kinds", "Kind", report->pair, report->sides, report->side_count, true);
    add_group_rows(report->document, &order, OPERATOR_KIND_COUNT, false, true);
}

/* What became of each category's share, in words, where it changed. */
static void add_shifts(struct report *report)
{
    struct operator_group now[CATEGORY_COUNT], before[CATEGORY_COUNT];
    const double NOTABLE = 2, NO_FASTER = 1.1; /* points of a percentage; a speedup */

    if (report->side_count < 2)
        return;
    operators_by_category(report_operators(report, 0), now);
    operators_by_category(report_operators(report, 1), before);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++) {
        double share = operators_percent(report_operators(report, 0), now[i].total);
        double old = operators_percent(report_operators(report, 1), before[i].total);
        double speedup = operators_speedup(operators_average_ms(report_operators(report, 1), before[i].total),
                                           operators_average_ms(report_operators(report, 0), now[i].total));

        if (fabs(share - old) < NOTABLE)
            continue;
        document_item(report->document, 0, "**%s** went from %.1f %% to %.1f %% of an inference%s",
                      category_title((enum category)i), old, share,
                      share > old && speedup < NO_FASTER ? ": it got no faster, the rest did." : ".");
    }
}

/* The same for other thread counts and pairs. */
static void add_further_pairs(struct report *report)
{
    enum { MOST = 8 };

    for (size_t i = 1; i < report->inspection->pair_count && i <= MOST; i++) {
        const struct inspected_pair *pair = &report->inspection->pairs[i];
        const struct inspected *const sides[2] = { pair->candidate, pair->baseline };

        if (!pair->has_operators)
            continue;
        document_heading(report->document, 3, NULL, "Operator Category Breakdown (%s vs %s)",
                         pair->candidate->entry->label, pair->baseline->entry->label);
        report_category_grid(report->document, "categories", NULL, sides, 2, false, true);
    }
}

void report_add_categories(struct report *report)
{
    const char *const titles[] = { report->side_count > 0 ? report_title(report, report->sides[0]) : "",
                                   report->side_count > 1 ? report_title(report, report->sides[1]) : "" };

    document_heading(report->document, 2, "categories", "Operator Category Breakdown");
    if (!report->side_count) {
        document_text(
            report->document,
            "No file tells about operators: there is neither an ETDump nor a timeline nor operator statistics.");
        return;
    }
    document_text(
        report->document,
        "Milliseconds per inference. Percentages are of `Method::execute`; call overhead and framework are the rest "
        "(see Accounting).");
    if (report->side_count > 1)
        document_heading(report->document, 3, "by_category", "Operator Category Breakdown (%s vs %s)", titles[0],
                         titles[1]);
    else
        document_heading(report->document, 3, "by_category", "Operator Category Breakdown (%s)", titles[0]);
    report_category_grid(report->document, "categories", report->pair, report->sides, report->side_count, false, true);
    add_shifts(report);
    add_kinds(report);
    add_further_pairs(report);
}

/* ---- acceleration ------------------------------------------------------------------------------------------------ */

static const char *expected_speedup(enum category category)
{
    switch (category) {
    case CATEGORY_GEMM:
        return "3x to 15x";
    case CATEGORY_CONVOLUTION:
        return "3x to 10x";
    case CATEGORY_DATA_MOVEMENT:
        return "none";
    case CATEGORY_ELEMENTWISE:
        return "little";
    default:
        return "-";
    }
}

/* SME2 is what the expectations are about. */
static bool expects(const struct report *report)
{
    return findings_expects_sme2(&report->findings);
}

static void add_category_speedups(struct report *report)
{
    struct operator_group now[CATEGORY_COUNT], before[CATEGORY_COUNT];
    char titles[2][REPORT_COLUMN];
    const struct document_column columns[] = {
        { "category", "Category", false },
        { "baseline_ms", report_column(titles[0], report_title(report, report->sides[1]), "ms"), true },
        { "candidate_ms", report_column(titles[1], report_title(report, report->sides[0]), "ms"), true },
        { "speedup", "Speedup", true },
        { "saved_ms", "Saved (ms)", true },
        { "expected", "Expected with SME2", false },
    };

    operators_by_category(report_operators(report, 0), now);
    operators_by_category(report_operators(report, 1), before);
    document_heading(report->document, 3, "by_category", "By Category");
    document_grid(report->document, "categories", columns, sizeof columns / sizeof *columns - !expects(report));
    for (unsigned i = 0; i < CATEGORY_COUNT; i++) {
        double one = operators_average_ms(report_operators(report, 1), before[i].total);
        double other = operators_average_ms(report_operators(report, 0), now[i].total);

        if (!now[i].operators && !before[i].operators)
            continue;
        document_cell(report->document, "**%s**", category_title((enum category)i));
        report_cell_ms(report->document, one);
        report_cell_ms(report->document, other);
        report_cell_speedup(report->document, operators_speedup(one, other));
        report_cell_ms(report->document, one - other);
        if (expects(report))
            document_cell(report->document, "%s", expected_speedup((enum category)i));
    }
}

/* ---- operators that changed most --------------------------------------------------------------------------------- */

struct gain {
    uint32_t index;       /* of the operator, on the candidate's side */
    double before, after; /* ms per inference */
};

/* What became slower stands among what became faster, by how much it matters. */
static int compare_gains(const void *left, const void *right)
{
    const struct gain *one = left, *other = right;
    double a = fabs(one->before - one->after), b = fabs(other->before - other->after);

    if (a != b)
        return a > b ? -1 : 1;
    return (one->index > other->index) - (one->index < other->index);
}

static size_t find_gains(const struct operators_pair *pair, struct gain *gains)
{
    size_t count = 0;

    for (uint32_t i = 0; i < pair->first->sums.count; i++) {
        const struct operator_sum *sum = operators_at(pair->first, i);
        struct gain gain = { .index = i };

        if (!operators_is_work(sum) || pair->matches[i] == NO_ID)
            continue;
        gain.after = operators_average_ms(pair->first, sum->total);
        gain.before = operators_average_ms(pair->second, operators_at(pair->second, pair->matches[i])->total);
        if (gain.before != gain.after)
            gains[count++] = gain;
    }
    qsort(gains, count, sizeof *gains, compare_gains);
    return count;
}

static void add_gain(struct document *document, const struct operators *side, const struct gain *gain, bool graph)
{
    const struct operator_sum *sum = operators_at(side, gain->index);
    char source[512];

    operator_source(side, sum->node, source, sizeof source);
    report_cell_code(document, strings_text(side->strings, sum->name));
    report_cell_delegate(document, sum);
    if (graph) {
        report_cell_module(document, side, sum);
        report_cell_text(document, source);
    }
    report_cell_ms(document, gain->before);
    report_cell_ms(document, gain->after);
    report_cell_speedup(document, operators_speedup(gain->before, gain->after));
    report_cell_ms(document, gain->before - gain->after);
}

static void add_gains(struct report *report, const struct gain *gains, size_t count)
{
    bool graph = report->inspection->has_graph;
    char titles[2][REPORT_COLUMN];
    size_t slower = 0;
    const struct document_column all[] = {
        { "operator", "Operator", false },
        { "delegate", "Delegate", true },
        { "module", "Module", false },
        { "source", "Source", false },
        { "baseline_ms", report_column(titles[0], report_title(report, report->sides[1]), "ms"), true },
        { "candidate_ms", report_column(titles[1], report_title(report, report->sides[0]), "ms"), true },
        { "speedup", "Speedup", true },
        { "saved_ms", "Saved (ms)", true },
    };
    enum { OF_GRAPH = 1 << 2 | 1 << 3 };

    document_heading(report->document, 3, "by_operator", "Gains and Losses by Operator");
    if (!count) {
        document_text(report->document, "No operator changed.");
        return;
    }
    report_grid(report->document, "operators", all, sizeof all / sizeof *all, graph ? 0 : OF_GRAPH);
    for (size_t i = 0; i < count && i < REPORT_TOP; i++)
        add_gain(report->document, report_operators(report, 0), &gains[i], graph);
    for (size_t i = 0; i < count; i++)
        slower += gains[i].after > gains[i].before;
    document_text(report->document, "By the time that changed: %zu became faster, %zu slower%s.", count - slower,
                  slower, count > REPORT_TOP ? "; the others changed less" : "");
}

static void add_operator_gains(struct report *report)
{
    const struct operators_pair *pair = &report->pair->operators;
    struct gain *gains = memory_allocate((pair->first->sums.count + 1) * sizeof *gains);

    if (!gains) {
        document_table(report->document, NULL); /* the document remembers that memory ran out */
        return;
    }
    add_gains(report, gains, find_gains(pair, gains));
    memory_free(gains);
}

/* ---- operators that gained too little ---------------------------------------------------------------------------- */

static const char *answer_sign(enum check_answer answer)
{
    return answer == CHECK_YES ? "✓ yes" : answer == CHECK_NO ? "✗ no" : "not known";
}

static void add_shortfall(struct document *document, const struct shortfall *shortfall, bool graph)
{
    const struct findings_row *row = &shortfall->row;

    if (shortfall->is_category)
        document_cell(document, "**%s**", category_title(shortfall->category));
    else if (row->count > 1)
        report_cell_text(document, row->name);
    else
        report_cell_code(document, row->name);
    if (graph) {
        report_cell_code(document, row->module);
        report_cell_text(document, row->source);
    }
    report_cell_percent(document, row->percent);
    report_cell_speedup(document, row->speedup);
    document_cell(document, "%.0fx to %.0fx", shortfall->least, shortfall->most);
    for (unsigned i = 0; i < CHECK_COUNT; i++)
        document_cell(document, "%s", answer_sign(shortfall->checks[i].answer));
}

static void add_shortfalls(struct report *report)
{
    static const struct document_column columns[] = {
        { "what", "What", false },           { "module", "Module", false },  { "source", "Source", false },
        { "percent", "Share (%)", true },    { "speedup", "Speedup", true }, { "expected", "Expected", false },
        { "device", "Device", false },       { "runners", "Runner", false }, { "configuration", "Type", false },
        { "delegated", "Delegated", false },
    };
    enum { OF_GRAPH = 1 << 1 | 1 << 2 };
    const struct findings *findings = &report->findings;
    bool graph = report->inspection->has_graph;

    bool proven = findings->nature == PAIR_SME2;

    document_heading(report->document, 3, "below_expected", "%s",
                     proven || !expects(report) ? "Below the Expected Speedup" : "Below What SME2 Would Give");
    if (!findings->shortfall_count) {
        document_text(report->document, expects(report) ? "GEMM and convolution reach the expected speedup."
                                                        : "No speedup is expected here: this is no SME2 pair.");
        return;
    }
    if (!proven)
        document_text(report->document,
                      "No kernel log says that SME2 kernels ran: the table shows what they would give, not what is "
                      "missing here.");
    report_grid(report->document, "shortfalls", columns, sizeof columns / sizeof *columns, graph ? 0 : OF_GRAPH);
    for (size_t i = 0; i < findings->shortfall_count; i++)
        add_shortfall(report->document, &findings->shortfalls[i], graph);
    if (findings->shortfalls_left)
        document_text(report->document, "%zu more operators, each under 1 %% of an inference, are also below it.",
                      findings->shortfalls_left);
    document_text(report->document,
                  "The last four columns answer what to check, and this is what the answers of the first row rest on:");
    for (unsigned i = 0; i < CHECK_COUNT; i++) {
        const struct check_result *check = &findings->shortfalls[0].checks[i];

        document_item(report->document, 0, "**%s?** %s: %s.", check_question((enum check)i), answer_sign(check->answer),
                      check->text ? check->text : "nothing tells");
    }
}

void report_add_acceleration(struct report *report)
{
    document_heading(report->document, 2, "acceleration", "Acceleration Analysis (What Was Accelerated)");
    if (report->side_count < 2) {
        document_text(report->document, "%s",
                      report->pair ? "The operators of both sides are needed for this, and one side has none."
                                   : "There is one side only, so nothing can be compared.");
        return;
    }
    if (report->findings.pair)
        document_text(report->document, "%s", report->findings.pair);
    add_category_speedups(report);
    if (!report->pair->has_operators) {
        document_text(report->document,
                      "Single operators cannot be compared: one side has only sums over their types.");
        return;
    }
    add_operator_gains(report);
    add_shortfalls(report);
}
