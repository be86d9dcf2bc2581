/* report_kernels.c: which kernels the logs name, which of them ran, and what each operator ran with. */
#include <stdio.h>
#include <string.h>

#include "executorch/original/kernel_files.h"
#include "executorch/report_sections.h"

/* The sides that have a log, the candidate first. */
struct kernel_sides {
    const struct inspected *items[2]; /* each with kernels */
    size_t count;                     /* of them */
};

static struct kernel_sides sides_of(const struct report *report)
{
    const struct inspected *subject = inspection_subject(report->inspection);
    struct kernel_sides sides = { .count = 0 };

    if (subject->kernels)
        sides.items[sides.count++] = subject;
    if (report->pair && report->pair->baseline->kernels)
        sides.items[sides.count++] = report->pair->baseline;
    return sides;
}

/* ---- evidence ---------------------------------------------------------------------------------------------------- */

static void add_evidence(struct report *report, const struct kernel_sides *sides)
{
    static const struct document_column columns[] = {
        { "side", "Side", false },    { "kernels", "Kernels named", true },
        { "ran", "Ran", true },       { "registered", "Registered", true },
        { "idle", "Not used", true }, { "replaced", "Replaced", true },
        { "sme2", "SME2", true },     { "sme", "SME", true },
    };
    struct document *document = report->document;
    bool all_tell = true;

    document_grid(document, "evidence", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < sides->count; i++) {
        const struct inspected_kernels *kernels = sides->items[i]->kernels;
        struct kernel_counts counts = kernel_count(&kernels->log);
        uint32_t by_evidence[EVIDENCE_COUNT] = { 0 };

        for (uint32_t j = 0; j < kernels->log.kernels.count; j++)
            by_evidence[kernel_evidence(&kernels->log, j)]++;
        document_cell(document, "%s", report_title(report, sides->items[i]));
        document_cell_number(document, counts.kernels, "%u", counts.kernels);
        document_cell_number(document, by_evidence[EVIDENCE_RAN], "%u", by_evidence[EVIDENCE_RAN]);
        document_cell_number(document, by_evidence[EVIDENCE_REGISTERED], "%u", by_evidence[EVIDENCE_REGISTERED]);
        document_cell_number(document, by_evidence[EVIDENCE_IDLE], "%u", by_evidence[EVIDENCE_IDLE]);
        document_cell_number(document, by_evidence[EVIDENCE_REPLACED], "%u", by_evidence[EVIDENCE_REPLACED]);
        document_cell_number(document, counts.sme2, "%u", counts.sme2);
        document_cell_number(document, counts.sme, "%u", counts.sme);
        all_tell &= kernels->log.has_execution;
    }
    document_text(document,
                  "Ran: an operator was seen to use it. Registered: it stands ready; whether it ran is not known. Not "
                  "used: the log shows "
                  "what ran, and it is not among that. Replaced: another kernel took its place before anything ran.%s",
                  all_tell ? "" : " Only an XNNPACK log of level 5 shows what ran.");
}

/* ---- SME2 -------------------------------------------------------------------------------------------------------- */

static bool sme2_ran(const struct kernel_log *log)
{
    for (uint32_t i = 0; i < log->kernels.count; i++)
        if (kernel_evidence(log, i) == EVIDENCE_RAN &&
            architecture_is_sme2(strings_get(log->strings, kernel_at(log, i)->architecture)))
            return true;
    return false;
}

static void add_sme2(struct report *report)
{
    const struct findings *findings = &report->findings;
    const struct inspected *subject = inspection_subject(report->inspection);

    if (findings->kernels)
        document_mood(report->document, subject->kernels && sme2_ran(&subject->kernels->log) ? PROSE_GOOD : PROSE_NOTE,
                      "%s", findings->kernels);
    if (!findings->no_sme2)
        return;
    document_mood(report->document, PROSE_WARNING,
                  "**No SME2 kernel** is in the log of `%s`. Check:", subject->entry->label);
    for (unsigned i = CHECK_DEVICE; i <= CHECK_CONFIGURATION; i++)
        document_item(report->document, 0, "**%s?** %s: %s.", check_question((enum check)i),
                      findings->no_sme2[i].answer == CHECK_OPEN ? "not known"
                                                                : check_answer_key(findings->no_sme2[i].answer),
                      findings->no_sme2[i].text ? findings->no_sme2[i].text : "nothing tells");
}

/* ---- patterns ---------------------------------------------------------------------------------------------------- */

/* "AVX-512 (2 ran), SSE": architectures of the kernels of one operation that count: what ran where that is known. */
static void write_architectures(const struct kernel_log *log, string_id operation, char *to, size_t size)
{
    size_t length = 0;
    bool ran = false;

    to[0] = '\0';
    for (uint32_t i = 0; i < log->kernels.count; i++)
        ran |= kernel_at(log, i)->operation == operation && kernel_evidence(log, i) == EVIDENCE_RAN;
    for (uint32_t i = 0; i < log->kernels.count && length < size; i++) {
        const struct kernel *kernel = kernel_at(log, i);
        enum kernel_evidence evidence = kernel_evidence(log, i);
        const char *title = architecture_title(strings_get(log->strings, kernel->architecture));

        if (kernel->operation != operation || evidence == EVIDENCE_REPLACED || (ran && evidence != EVIDENCE_RAN) ||
            strstr(to, title))
            continue;
        length += (size_t)snprintf(to + length, size - length, "%s%s", length ? ", " : "", title);
    }
    if (length && length < size)
        snprintf(to + length, size - length, " (%s)", ran ? "ran" : "registered");
}

static bool is_first_of_operation(const struct kernel_sides *sides, size_t side, uint32_t index)
{
    string_id operation = kernel_at(&sides->items[side]->kernels->log, index)->operation;

    for (size_t i = 0; i <= side; i++) {
        const struct kernel_log *log = &sides->items[i]->kernels->log;
        uint32_t end = i == side ? index : (uint32_t)log->kernels.count;

        for (uint32_t j = 0; j < end; j++)
            if (kernel_at(log, j)->operation == operation)
                return false;
    }
    return true;
}

static void add_patterns(struct report *report, const struct kernel_sides *sides)
{
    struct document_column columns[3] = { { "operation", "Operation", false } };
    struct document *document = report->document;
    char text[256];

    for (size_t i = 0; i < sides->count; i++)
        columns[i + 1] =
            (struct document_column){ i ? "baseline" : "candidate", report_title(report, sides->items[i]), false };
    document_heading(document, 3, "patterns", "Kernel Usage Patterns");
    document_grid(document, "patterns", columns, sides->count + 1);
    for (size_t side = 0; side < sides->count; side++) {
        const struct kernel_log *log = &sides->items[side]->kernels->log;

        for (uint32_t i = 0; i < log->kernels.count; i++) {
            if (!is_first_of_operation(sides, side, i))
                continue;
            document_cell(document, "`%s`", strings_text(log->strings, kernel_at(log, i)->operation));
            for (size_t j = 0; j < sides->count; j++) {
                write_architectures(&sides->items[j]->kernels->log, kernel_at(log, i)->operation, text, sizeof text);
                document_cell(document, "%s", text[0] ? text : "-");
            }
        }
    }
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

/* Names of kernels as code: they are full of underscores. */
static void add_table(struct document *document, status code, struct table *table)
{
    struct document_column columns[REPORT_MOST_COLUMNS];
    size_t count = code == STATUS_OK ? table_columns(table) : 0;

    if (code != STATUS_OK) {
        document_table(document, NULL); /* the document remembers that memory ran out */
        return;
    }
    for (size_t i = 0; i < count; i++)
        columns[i] = (struct document_column){ table_column(table, i)->name, table_column(table, i)->title, false };
    count -= strcmp(columns[count - 1].key, "count") == 0; /* lines of a log: of no interest here */
    document_grid(document, "kernels", columns, count);
    for (size_t row = 0; row < table_rows(table); row++) {
        report_cell_code(document, table_cell(table, row, 0).text);
        for (size_t i = 1; i < count; i++)
            report_cell_text(document, table_cell(table, row, i).text);
    }
    table_free(table);
}

static void add_view(struct report *report, const struct kernel_sides *sides)
{
    struct table *table = NULL;
    status code;

    document_heading(report->document, 3, "kernels", "Kernel Selection");
    if (sides->count == 2) {
        struct kernel_view view = {
            .on = &sides->items[0]->kernels->log,
            .off = &sides->items[1]->kernels->log,
            .on_name = report_title(report, sides->items[0]),
            .off_name = report_title(report, sides->items[1]),
            .title = "",
        };

        code = kernel_view_table(&view, NULL, &table);
    } else {
        code = kernels_table(&sides->items[0]->kernels->log, NULL, &table);
    }
    add_table(report->document, code, table);
}

static const char *kernel_name(const struct inspected *item, const struct operator_sum *sum)
{
    const struct kernel_log *log = item->kernels ? &item->kernels->log : NULL;

    return log && sum && sum->use && sum->use->kernel != NO_ID
               ? strings_text(log->strings, kernel_at(log, sum->use->kernel)->name)
               : NULL;
}

static void add_size(struct document *document, uint64_t size)
{
    if (size)
        document_cell_number(document, (double)size, "%llu", (unsigned long long)size);
    else
        document_cell(document, "-");
}

static void add_use(struct report *report, const struct operators *side, uint32_t index)
{
    const struct inspected *subject = report->sides[0];
    const struct operator_sum *sum = operators_at(side, index);
    bool tile = sum->use->has_tile;

    report_cell_code(report->document, strings_text(side->strings, sum->name));
    if (report->inspection->has_graph)
        report_cell_module(report->document, side, sum);
    report_cell_code(report->document, kernel_name(subject, sum));
    add_size(report->document, tile ? sum->use->m : 0);
    add_size(report->document, tile ? sum->use->n : 0);
    if (report->inspection->has_graph)
        add_size(report->document, operators_inner_size(sum));
    report_cell_ms(report->document, operators_average_ms(side, sum->total));
    report_cell_percent(report->document, operators_percent(side, sum->total));
    if (report->inspection->has_graph)
        report_cell_rate(report->document, operators_gflops(side, sum));
}

static void add_uses(struct report *report)
{
    static const struct document_column columns[] = {
        { "operator", "Operator", false },
        { "module", "Module", false },
        { "kernel", "Kernel that ran", false },
        { "m", "M", true },
        { "n", "N", true },
        { "k", "K", true },
        { "ms", "Time (ms)", true },
        { "percent", "Share (%)", true },
        { "gflops", "GFLOP/s", true },
    };
    enum { OF_GRAPH = 1 << 1 | 1 << 5 | 1 << 8 };
    const struct operators *side = report->side_count ? report_operators(report, 0) : NULL;
    size_t shown = 0;

    if (!side || !report->sides[0]->kernel_operators)
        return;
    document_heading(report->document, 3, "by_operator", "Kernels by Operator (%s)",
                     report_title(report, report->sides[0]));
    report_grid(report->document, "operators", columns, sizeof columns / sizeof *columns,
                report->inspection->has_graph ? 0 : OF_GRAPH);
    for (uint32_t i = 0; i < side->sums.count && shown < REPORT_MOST_ROWS; i++) {
        const struct operator_sum *sum = operators_at(side, i);

        if (!sum->use || (!sum->use->has_tile && !kernel_name(report->sides[0], sum)))
            continue;
        add_use(report, side, i);
        shown++;
    }
    document_text(report->document, "In execution order; other operators do not name their kernel. M, N and the kernel "
                                    "come from the log, K and GFLOP/s "
                                    "from the graph (two operations per multiply-accumulate).");
}

void report_add_kernels(struct report *report)
{
    struct kernel_sides sides = sides_of(report);

    document_heading(report->document, 2, "kernels", "Kernel-Level Insights");
    if (!sides.count) {
        document_text(report->document,
                      "No kernel log is there (`*_xnntrace.log`, `*_kernels.csv`), so it is not proven which kernels "
                      "ran. Run once with "
                      "an XNNPACK that logs (level 5), apart from the timed runs: logging costs time.");
        return;
    }
    add_sme2(report);
    add_evidence(report, &sides);
    add_patterns(report, &sides);
    add_uses(report);
    add_view(report, &sides);
}
