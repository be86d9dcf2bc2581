/* report_checks.c: every operator, and the proof that the sums add up. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "executorch/operator_facts.h"
#include "executorch/report_sections.h"
#include "executorch/sanity.h"

/* ---- every operator ---------------------------------------------------------------------------------------------- */

struct listing {
    struct report *report;        /* that it stands in */
    const struct operators *side; /* that is listed */
    bool graph, speedup;          /* these columns are there */
};

/* Operators of the model itself come first, those that are not in the graph last. */
static const char *module_of(const struct operators *side, const struct operator_sum *sum)
{
    if (!sum->node)
        return "\x7f";
    return sum->node->module ? strings_text(side->strings, sum->node->module) : "";
}

static void start_listing(const struct listing *listing)
{
    static const struct document_column all[] = {
        { "operator", "Operator", false }, { "delegate", "Delegate", true }, { "module", "Module", false },
        { "source", "Source", false },     { "shape", "Output", false },     { "ms", "Time (ms)", true },
        { "percent", "Share (%)", true },  { "speedup", "Speedup", true },   { "gflops", "GFLOP/s", true },
        { "joined", "Place", false },
    };
    enum { OF_GRAPH = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 8 | 1 << 9, OF_PAIR = 1 << 7 };

    report_grid(listing->report->document, "operators", all, sizeof all / sizeof *all,
                (listing->graph ? 0 : OF_GRAPH) | (listing->speedup ? 0 : OF_PAIR));
}

static void add_speedup(const struct listing *listing, uint32_t index)
{
    const struct operators_pair *pair = &listing->report->pair->operators;
    uint32_t match = pair->matches[index];
    double before = match == NO_ID ? 0 : operators_average_ms(pair->second, operators_at(pair->second, match)->total);

    report_cell_speedup(
        listing->report->document,
        operators_speedup(before, operators_average_ms(pair->first, operators_at(pair->first, index)->total)));
}

static void add_row(const struct listing *listing, uint32_t index)
{
    struct document *document = listing->report->document;
    const struct operators *side = listing->side;
    const struct operator_sum *sum = operators_at(side, index);
    char source[512];

    operator_source(side, sum->node, source, sizeof source);
    report_cell_code(document, strings_text(side->strings, sum->name));
    report_cell_delegate(document, sum);
    if (listing->graph) {
        report_cell_module(document, side, sum);
        report_cell_text(document, source);
        report_cell_text(document,
                         sum->node && sum->node->shape ? strings_text(side->strings, sum->node->shape) : NULL);
    }
    report_cell_ms(document, operators_average_ms(side, sum->total));
    report_cell_percent(document, operators_percent(side, sum->total));
    if (listing->speedup)
        add_speedup(listing, index);
    if (!listing->graph)
        return;
    report_cell_rate(document, operators_gflops(side, sum));
    document_cell(document, "%s",
                  sum->join == JOIN_RECORDED   ? "recorded"
                  : sum->join == JOIN_INFERRED ? "by order"
                                               : "-");
}

/* ---- by module --------------------------------------------------------------------------------------------------- */

static int compare_modules(const void *left, const void *right, void *context)
{
    const struct operators *side = context;
    uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
    int order = natural_compare(module_of(side, operators_at(side, one)), module_of(side, operators_at(side, other)));

    return order ? order : (one > other) - (one < other);
}

/* The block that a module belongs to: its path through the first number ("features.3" of "features.3.body.0.0"), or
 * without its last part. Single modules are too many to see where the time goes. */
static size_t block_length(const char *module)
{
    const char *last = strrchr(module, '.');

    for (const char *part = module; part; part = strchr(part, '.') ? strchr(part, '.') + 1 : NULL) {
        size_t length = strcspn(part, ".");

        if (length && strspn(part, "0123456789") == length)
            return (size_t)(part - module) + length;
    }
    return last ? (size_t)(last - module) : strlen(module);
}

static bool same_block(const struct operators *side, uint32_t one, uint32_t other)
{
    const char *first = module_of(side, operators_at(side, one)), *second = module_of(side, operators_at(side, other));
    size_t length = block_length(first);

    return length == block_length(second) && strncmp(first, second, length) == 0;
}

static void add_module_row(const struct listing *listing, const uint32_t *order, size_t start, size_t end)
{
    struct document *document = listing->report->document;
    const struct operators *side = listing->side;
    const struct operator_sum *first = operators_at(side, order[start]);
    const char *module = module_of(side, first);
    int64_t total = 0;
    double before = 0;

    for (size_t i = start; i < end; i++) {
        total += operators_at(side, order[i])->total;
        if (listing->speedup && listing->report->pair->operators.matches[order[i]] != NO_ID)
            before += operators_average_ms(listing->report->pair->operators.second,
                                           operators_at(listing->report->pair->operators.second,
                                                        listing->report->pair->operators.matches[order[i]])
                                               ->total);
    }
    if (!first->node || !first->node->module)
        document_cell(document, "%s", first->node ? "(model)" : "(not in the graph)");
    else
        document_cell(document, "`%.*s`", (int)block_length(module), module);
    document_cell_number(document, (double)(end - start), "%zu", end - start);
    report_cell_ms(document, operators_average_ms(side, total));
    report_cell_percent(document, operators_percent(side, total));
    if (listing->speedup)
        report_cell_speedup(document, operators_speedup(before, operators_average_ms(side, total)));
}

static void add_modules(const struct listing *listing, const uint32_t *order, size_t count)
{
    static const struct document_column columns[] = {
        { "module", "Module", false },    { "operators", "Operators", true }, { "ms", "Time (ms)", true },
        { "percent", "Share (%)", true }, { "speedup", "Speedup", true },
    };

    document_heading(listing->report->document, 3, "modules", "By Module");
    document_grid(listing->report->document, "modules", columns, sizeof columns / sizeof *columns - !listing->speedup);
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && same_block(listing->side, order[start], order[end]);)
            end++;
        add_module_row(listing, order, start, end);
    }
}

static void list_operators(const struct listing *listing, uint32_t *order)
{
    struct document *document = listing->report->document;
    bool by_module = listing->report->options->by_module;
    size_t count = 0;

    for (uint32_t i = 0; i < listing->side->sums.count; i++)
        if (operators_is_work(operators_at(listing->side, i)))
            order[count++] = i;
    if (by_module && listing->graph) {
        qsort_r(order, count, sizeof *order, compare_modules, (void *)(uintptr_t)listing->side);
        add_modules(listing, order, count);
        document_heading(document, 3, "all_operators", "Operators, by Module");
    } else if (by_module) {
        document_mood(document, PROSE_WARNING, "Operators cannot be grouped by module: there is no ETRecord.");
    }
    if (listing->graph)
        document_text(
            document,
            "Place: recorded by the ETRecord, or found by order inside the delegate; where the two do not fit, none is "
            "given. Rates count two operations per multiply-accumulate.");
    start_listing(listing);
    for (size_t i = 0; i < count && i < REPORT_MOST_ROWS; i++)
        add_row(listing, order[i]);
    if (count > REPORT_MOST_ROWS)
        document_text(document, "%zu more are not shown; `tacho operators FILE -o operators.csv` lists all.",
                      count - REPORT_MOST_ROWS);
}

void report_add_operators(struct report *report)
{
    struct listing listing = { .report = report, .graph = report->inspection->has_graph };
    uint32_t *order;

    if (!report->side_count)
        return;
    listing.side = report_operators(report, 0);
    listing.speedup = report->pair && report->pair->has_operators;
    order = memory_allocate((listing.side->sums.count + 1) * sizeof *order);
    document_heading(report->document, 2, "operators", "All Operators of %s", report_title(report, report->sides[0]));
    document_text(report->document, inspected_is_summed(report->sides[0])
                                        ? "Sums by type: operator statistics do not tell single operators apart."
                                        : "In execution order; times are averages per inference.");
    if (order)
        list_operators(&listing, order);
    else
        document_table(report->document, NULL); /* the document remembers that memory ran out */
    memory_free(order);
}

/* ---- accounting -------------------------------------------------------------------------------------------------- */

static uint64_t delegated_events(const struct operators *side)
{
    uint64_t events = 0;

    for (size_t i = 0; i < side->sums.count; i++)
        if (operators_at(side, i)->event == EVENT_DELEGATED)
            events += operators_at(side, i)->events;
    return side->inferences ? events / side->inferences : 0;
}

static void add_account(struct document *document, const struct inspected *item)
{
    const struct operators *side = &item->measurement.operators;
    const int64_t parts[] = { side->work,   side->calls, side->control, side->framework, operators_accounted(side),
                              side->execute };

    document_cell(document, "`%s`", item->entry->label);
    document_cell_number(document, (double)side->inferences, "%llu", (unsigned long long)side->inferences);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        document_cell_number(document, operators_ms(side, parts[i]), "%.6f", operators_ms(side, parts[i]));
}

static void add_resolution(struct document *document, const struct inspected *item)
{
    const struct operators *side = &item->measurement.operators;
    uint64_t events = delegated_events(side);

    if (side->overlapping)
        document_mood(
            document, PROSE_WARNING,
            "`%s`: times inside a delegate overlap or are of another clock, so the sum is not `Method::execute`.",
            item->entry->label);
    if (side->outside)
        document_mood(document, PROSE_WARNING, "`%s`: %llu events lie in no `Method::execute` and are in no sum.",
                      item->entry->label, (unsigned long long)side->outside);
    if (events)
        document_item(document, 0,
                      "`%s`: %llu delegated operators per inference. XNNPACK reports whole microseconds: ± 1 µs each, "
                      "± %.3f ms together at "
                      "most. What they miss is in the call overhead, so the sum stays exact.",
                      item->entry->label, (unsigned long long)events, (double)events / 1000);
}

static void add_accounting(struct report *report)
{
    static const struct document_column columns[] = {
        { "experiment", "Experiment", false },
        { "runs", "Runs", true },
        { "operators_ms", "Operators", true },
        { "calls_ms", "+ Call overhead", true },
        { "control_ms", "+ Control flow", true },
        { "framework_ms", "+ Framework", true },
        { "sum_ms", "= Sum", true },
        { "execute_ms", "Method::execute", true },
    };
    const struct inspection *inspection = report->inspection;

    document_heading(report->document, 2, "accounting", "Accounting");
    if (!report->side_count) {
        document_text(report->document, "No file tells about operators.");
        return;
    }
    document_text(report->document,
                  "Where every microsecond went: milliseconds over all runs that count, exact. Operators, the "
                  "calls around them and the framework "
                  "add up to `Method::execute`.");
    document_grid(report->document, "accounting", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < inspection->count; i++)
        if (inspected_has_operators(&inspection->items[i]))
            add_account(report->document, &inspection->items[i]);
    for (size_t i = 0; i < inspection->count; i++)
        if (inspected_has_operators(&inspection->items[i]))
            add_resolution(report->document, &inspection->items[i]);
}

/* ---- sanity ------------------------------------------------------------------------------------------------------ */

static const char *sign_of(enum sanity_answer answer)
{
    switch (answer) {
    case SANITY_HOLDS:
        return "✅";
    case SANITY_FAILS:
        return "❌";
    case SANITY_DOUBTFUL:
        return "⚠️";
    default:
        return "ℹ️";
    }
}

static void add_stated(struct document *document, const struct inspected *item, const struct json *result,
                       const char *where)
{
    double stated;

    if (!item->plain.runs || !run_stated(result, "median_ms", &stated))
        return;
    if (sanity_agrees(item->plain.all_median, stated))
        document_item(document, 0, "✅ `%s`: the median of all runs, %.3f ms, agrees with %s (%.3f ms) within 5 %%",
                      item->entry->label, item->plain.all_median, where, stated);
    else
        document_item(document, 0,
                      "❌ `%s`: the median of all runs, %.3f ms, differs from %s (%.3f ms) by more than 5 %%",
                      item->entry->label, item->plain.all_median, where, stated);
}

static void add_sanity(struct document *document, const struct inspected *item)
{
    bool measured = item->measurement.latency_source != RUN_SOURCE_METRICS;
    struct sanity checks[SANITY_COUNT];

    if (sanity_check(&item->measurement, checks) != STATUS_OK) {
        document_table(document, NULL); /* the document remembers that memory ran out */
        return;
    }
    for (unsigned i = 0; i < SANITY_COUNT; i++)
        document_item(document, 0, "%s `%s`: %s", sign_of(checks[i].answer), item->entry->label, checks[i].text);
    if (!measured)
        return;
    add_stated(document, item, item->entry->summary, "the pipeline summary");
    add_stated(document, item, item->entry->metrics, "`metrics.json`");
}

void report_add_checks(struct report *report)
{
    add_accounting(report);
    document_heading(report->document, 2, "sanity", "Sanity Checks");
    document_text(report->document, "The latency of an inference is more than its largest categories together, less "
                                    "than three times all its operators "
                                    "(else nested events were added up), much the same in every run, and what the "
                                    "other files of the directory say.");
    for (size_t i = 0; i < report->inspection->count; i++)
        add_sanity(report->document, &report->inspection->items[i]);
}
