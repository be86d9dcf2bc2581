/* report_findings.c: bottlenecks, portable operators and what to do about them. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "executorch/operator_facts.h"
#include "executorch/report_sections.h"

/* ---- bottlenecks ------------------------------------------------------------------------------------------------- */

static bool is_operator_level(const struct bottleneck *bottleneck)
{
    return bottleneck->kind == BOTTLENECK_OPERATOR;
}

static size_t count_kind(const struct findings *findings, enum bottleneck_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < findings->bottleneck_count; i++)
        count += findings->bottlenecks[i].kind == kind;
    return count;
}

static void add_category_bottlenecks(struct report *report)
{
    const struct findings *findings = &report->findings;
    size_t count = 0;

    document_heading(report->document, 3, "category_level", "Category-Level Bottlenecks");
    for (size_t i = 0; i < findings->bottleneck_count; i++) {
        const struct bottleneck *bottleneck = &findings->bottlenecks[i];

        if (is_operator_level(bottleneck))
            continue;
        document_item(report->document, 0, "**%s**: %s", bottleneck_title(bottleneck->kind), bottleneck->text);
        count++;
    }
    if (!count)
        document_text(
            report->document,
            "None: data movement is under 10 %% of an inference, portable operators, calls and framework under 5 %%.");
}

static const char *remark_of(const struct bottleneck *bottleneck)
{
    if (bottleneck->portable)
        return "portable: not delegated";
    return bottleneck->not_accelerated ? "less speedup than expected" : "";
}

static void add_operator_row(struct document *document, const struct bottleneck *bottleneck, bool graph, bool speedup)
{
    const struct findings_row *row = &bottleneck->row;

    report_cell_code(document, row->name);
    if (graph) {
        report_cell_code(document, row->module);
        report_cell_text(document, row->source);
    }
    report_cell_ms(document, row->ms);
    report_cell_percent(document, row->percent);
    if (speedup)
        report_cell_speedup(document, row->speedup);
    if (graph)
        report_cell_rate(document, row->gflops);
    document_cell(document, "%s", remark_of(bottleneck));
}

static void add_operator_bottlenecks(struct report *report)
{
    static const struct document_column all[] = {
        { "operator", "Operator", false }, { "module", "Module", false },    { "source", "Source", false },
        { "ms", "Time (ms)", true },       { "percent", "Share (%)", true }, { "speedup", "Speedup", true },
        { "gflops", "GFLOP/s", true },     { "remark", "Remark", false },
    };
    enum { OF_GRAPH = 1 << 1 | 1 << 2 | 1 << 6, OF_PAIR = 1 << 5 };
    const struct findings *findings = &report->findings;
    bool speedup = report->pair && report->pair->has_operators, graph = report->inspection->has_graph;

    document_heading(report->document, 3, "operator_level", "Operator-Level Bottlenecks");
    if (!count_kind(findings, BOTTLENECK_OPERATOR)) {
        document_text(report->document, "No operator takes over 5 %% of an inference.");
        return;
    }
    document_text(report->document, "Operators over 5 %% of an inference, the longest first.");
    report_grid(report->document, "operators", all, sizeof all / sizeof *all,
                (graph ? 0 : OF_GRAPH) | (speedup ? 0 : OF_PAIR));
    for (size_t i = 0; i < findings->bottleneck_count; i++)
        if (findings->bottlenecks[i].kind == BOTTLENECK_OPERATOR)
            add_operator_row(report->document, &findings->bottlenecks[i], graph, speedup);
}

void report_add_bottlenecks(struct report *report)
{
    document_heading(report->document, 2, "bottlenecks", "Bottleneck Identification");
    if (!report->side_count) {
        document_text(report->document, "Bottlenecks cannot be told: no file tells about operators.");
        return;
    }
    document_text(report->document,
                  "In `%s`. Thresholds: 5 %% of `Method::execute` for an operator and for portable operators together, "
                  "10 %% for data movement.",
                  report->sides[0]->entry->label);
    add_category_bottlenecks(report);
    add_operator_bottlenecks(report);
}

/* ---- portable and delegated -------------------------------------------------------------------------------------- */

static void sum_backends(const struct operators *side, struct operator_group *portable,
                         struct operator_group *delegated)
{
    *portable = *delegated = (struct operator_group){ 0 };
    for (size_t i = 0; i < side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(side, i);
        struct operator_group *group = sum->event == EVENT_PORTABLE ? portable : delegated;

        if (!operators_is_work(sum))
            continue;
        group->total += sum->total;
        group->operators++;
    }
}

static void add_backend_table(struct report *report)
{
    char titles[4][REPORT_COLUMN];
    struct document_column columns[6] = { { "ran", "Ran", false }, { "operators", "Operators", true } };
    static const char *const keys[][2] = { { "ms", "percent" }, { "baseline_ms", "baseline_percent" } };
    struct operator_group groups[2][2];
    size_t used = 2;

    for (size_t i = 0; i < report->side_count; i++) {
        const char *name = report_title(report, report->sides[i]);

        columns[used++] = (struct document_column){ keys[i][0], report_column(titles[2 * i], name, "ms"), true };
        columns[used++] = (struct document_column){ keys[i][1], report_column(titles[2 * i + 1], name, "%"), true };
        sum_backends(report_operators(report, i), &groups[i][0], &groups[i][1]);
    }
    document_grid(report->document, "backends", columns, used);
    for (unsigned kind = 0; kind < 2; kind++) {
        document_cell(report->document, "%s", kind ? "**Delegated**" : "**Portable**");
        document_cell_number(report->document, groups[0][kind].operators, "%u", groups[0][kind].operators);
        for (size_t i = 0; i < report->side_count; i++) {
            report_cell_ms(report->document, operators_average_ms(report_operators(report, i), groups[i][kind].total));
            report_cell_percent(report->document,
                                operators_percent(report_operators(report, i), groups[i][kind].total));
        }
    }
}

static void add_portable_row(struct report *report, uint32_t index)
{
    const struct operators *side = report_operators(report, 0);
    const struct operator_sum *sum = operators_at(side, index);
    const struct graph_node *node = sum->node;
    char source[512];

    operator_source(side, node, source, sizeof source);
    report_cell_code(report->document, strings_text(side->strings, sum->name));
    document_cell(report->document, "%s", category_title(operator_kind_category(sum->kind)));
    report_cell_ms(report->document, operators_average_ms(side, sum->total));
    report_cell_percent(report->document, operators_percent(side, sum->total));
    if (!report->inspection->has_graph)
        return;
    report_cell_module(report->document, side, sum);
    report_cell_text(report->document, source);
    report_cell_code(report->document, node && node->source ? strings_text(side->strings, node->source) : NULL);
}

static void add_portable(struct report *report, const uint32_t *order, size_t count)
{
    static const struct document_column columns[] = {
        { "operator", "Portable operator", false },
        { "category", "Category", false },
        { "ms", "Time (ms)", true },
        { "percent", "Share (%)", true },
        { "module", "Module", false },
        { "source", "Source", false },
        { "code", "Code", false },
    };
    enum { OF_GRAPH = 1 << 4 | 1 << 5 | 1 << 6, MOST = 25 };
    const struct operators *side = report_operators(report, 0);
    size_t shown = 0, left = 0;
    double left_ms = 0;

    document_heading(report->document, 3, "portable", "Portable Operators of %s",
                     report_title(report, report->sides[0]));
    report_grid(report->document, "portable", columns, sizeof columns / sizeof *columns,
                report->inspection->has_graph ? 0 : OF_GRAPH);
    for (size_t i = 0; i < count; i++) {
        const struct operator_sum *sum = operators_at(side, order[i]);

        if (sum->event != EVENT_PORTABLE)
            continue;
        if (shown++ < MOST) {
            add_portable_row(report, order[i]);
            continue;
        }
        left++;
        left_ms += operators_average_ms(side, sum->total);
    }
    if (left)
        document_text(report->document, "%zu more portable operators take %.3f ms together.", left, left_ms);
}

static void judge_portable(struct report *report)
{
    struct operator_group portable, delegated;
    const struct operators *side = report_operators(report, 0);
    double percent;

    sum_backends(side, &portable, &delegated);
    percent = operators_percent(side, portable.total);
    if (!portable.operators)
        document_mood(report->document, PROSE_GOOD, "Every operator is delegated.");
    else if (percent > 5)
        document_mood(report->document, PROSE_WARNING,
                      "**Portable operators take %.1f %% of an inference**, over the threshold of 5 %%. They run in "
                      "ExecuTorch's own kernels, "
                      "not in an optimised backend: delegate them, replace them in the model, or give them a backend.",
                      percent);
    else
        document_mood(report->document, PROSE_GOOD,
                      "Portable operators take %.1f %% of an inference, under the threshold of 5 %%.", percent);
}

void report_add_backends(struct report *report)
{
    struct operator_group portable, delegated;
    uint32_t *order;

    document_heading(report->document, 2, "backends", "Portable vs Delegated Operator Analysis");
    if (!report->side_count) {
        document_text(report->document, "No file tells about operators.");
        return;
    }
    judge_portable(report);
    add_backend_table(report);
    sum_backends(report_operators(report, 0), &portable, &delegated);
    if (!portable.operators)
        return;
    order = memory_allocate((report_operators(report, 0)->sums.count + 1) * sizeof *order);
    if (!order) {
        document_table(report->document, NULL); /* the document remembers that memory ran out */
        return;
    }
    add_portable(report, order, operators_by_time(report_operators(report, 0), order));
    memory_free(order);
}

/* ---- what to do -------------------------------------------------------------------------------------------------- */

/* X(name, key, title): the groups of the section. */
#define GROUP_MAP(X)                                      \
    X(NEXT, "optimize_next", "What to optimise next")     \
    X(ARCHITECTURE, "architecture", "Model architecture") \
    X(CONFIGURATION, "configuration", "Configuration")

enum group {
#define X(name, key, title) GROUP_##name,
    GROUP_MAP(X)
#undef X
        GROUP_COUNT
};

/* Which rule's items stand in which group, in the order of priority; under its share of a run an item stands in none. */
static const struct {
    const char *rule; /* id */
    enum group group; /* where its items stand */
    double more_than; /* percent of a run that its time is */
} placed[] = {
    { "portable", GROUP_NEXT, 5 },
    { "layout", GROUP_NEXT, 10 },
    { "slower-than-baseline", GROUP_NEXT, 0 },
    { "framework", GROUP_NEXT, 5 },
    { "low-rate", GROUP_ARCHITECTURE, 0 },
    { "small-delegates", GROUP_ARCHITECTURE, 5 },
    { "dominant", GROUP_ARCHITECTURE, 5 },
    { "no-sme2", GROUP_CONFIGURATION, 0 },
    { "low-speedup", GROUP_CONFIGURATION, 0 },
    { "calls", GROUP_CONFIGURATION, 5 },
};

/* The place of an item in that list; its length: it stands in no group. */
static size_t place_of(const struct advice *advice, const struct advice_item *item)
{
    size_t count = sizeof placed / sizeof *placed;

    for (size_t i = 0; i < count; i++)
        if (strcmp(item->rule->id, placed[i].rule) == 0)
            return advice_share(advice, item->ns) > placed[i].more_than ? i : count;
    return count;
}

/* By the priority of its rules, then by what each could save. Returns how many. */
static size_t add_group(struct report *report, enum group group)
{
    const struct advice *advice = &report->advised.advice;
    size_t count = 0;

    for (size_t i = 0; i < sizeof placed / sizeof *placed; i++)
        for (size_t k = 0; k < advice->count + advice->smaller && placed[i].group == group; k++) {
            if (place_of(advice, advice->items[k]) != i)
                continue;
            advice_add_item(report->document, advice, advice->items[k]);
            count++;
        }
    return count;
}

/* What stands in no group, so that everything that could be saved stands here with its grounds. */
static void add_others(struct report *report)
{
    const struct advice *advice = &report->advised.advice;
    bool any = false;

    for (size_t i = 0; i < advice->count + advice->smaller; i++) {
        if (place_of(advice, advice->items[i]) < sizeof placed / sizeof *placed)
            continue;
        if (!any)
            document_text(report->document, "Small ones, which stand in none of the groups below:");
        any = true;
        advice_add_item(report->document, advice, advice->items[i]);
    }
}

static void add_groups(struct report *report)
{
    static const char *const keys[] = {
#define X(name, key, title) key,
        GROUP_MAP(X)
#undef X
    };
    static const char *const titles[] = {
#define X(name, key, title) title,
        GROUP_MAP(X)
#undef X
    };

    for (unsigned i = 0; i < GROUP_COUNT; i++) {
        document_heading(report->document, 3, keys[i], "%s", titles[i]);
        if (!add_group(report, (enum group)i))
            document_text(report->document, "Nothing%s.",
                          i == GROUP_NEXT ? ": no kernels outside of delegates over 5 %, no data movement over 10 %"
                                          : "");
    }
}

static void add_steps(struct report *report)
{
    document_heading(report->document, 3, "further_analysis", "Further analysis");
    if (!report->findings.step_count)
        document_text(report->document, "Nothing.");
    for (size_t i = 0; i < report->findings.step_count; i++) {
        const struct next_step *step = &report->findings.steps[i];

        document_item(report->document, 0, "**%s.** %s", step->title, step->text);
        if (step->command)
            document_code(report->document, "%s", step->command);
    }
}

/* All of it in the order of what it could save; the rule is for scripts. */
static void add_list(struct document *document, const struct advice *advice)
{
    static const struct document_column columns[] = {
        { "ms", "Could save (ms)", true }, { "percent", "Of a run (%)", true }, { "advice", "What to do", false },
        { "where", "Where", false },       { "bound", "Bound by", false },      { "rule", "Rule", false },
    };
    size_t first = advice->dominant && advice->healthy; /* which saves nothing */

    if (advice->count + advice->smaller == first)
        return;
    document_grid(document, "advice", columns, sizeof columns / sizeof *columns);
    for (size_t i = first; i < advice->count + advice->smaller; i++) {
        const struct advice_item *item = advice->items[i];
        const struct advice_row *row = item->row_count ? &item->rows[0] : NULL;

        report_cell_ms(document, item->saves_ns / 1e6);
        report_cell_percent(document, advice_share(advice, item->saves_ns));
        report_cell_text(document, item->title);
        report_cell_code(document, !row ? NULL : row->location ? row->location : row->name);
        report_cell_text(document, advice_bound_key(item->bound));
        report_cell_text(document, item->rule->id);
    }
}

void report_add_recommendations(struct report *report)
{
    const struct advice *advice = &report->advised.advice;

    document_heading(report->document, 2, "recommendations", "Actionable Recommendations");
    document_text(report->document,
                  "The same, sorted by what kind of work it is: first kernels outside of delegates over 5 %% of an "
                  "inference, then data movement over 10 %%, then low speedups.");
    add_list(report->document, advice);
    add_others(report);
    add_groups(report);
    add_steps(report);
    if (report->findings.note)
        document_mood(report->document, PROSE_NOTE, "%s", report->findings.note);
    for (size_t i = 0; i < report->advised.advice.note_count; i++)
        document_mood(report->document, PROSE_NOTE, "%s", report->advised.advice.notes[i]);
}
