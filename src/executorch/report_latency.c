/* report_latency.c: how long an inference takes, on which side, at which thread count, and whether the difference is real. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "executorch/report_sections.h"

/* ---- one pair ---------------------------------------------------------------------------------------------------- */

struct metric {
    const char *title;          /* of the row */
    double candidate, baseline; /* in ms */
    bool ratio;                 /* a speedup of it means something */
};

static void add_metric_rows(struct document *document, const struct plain_latency *candidate,
                            const struct plain_latency *baseline)
{
    const struct metric metrics[] = {
        { "Median Latency", candidate->median, baseline ? baseline->median : 0, true },
        { "Mean Latency", candidate->mean, baseline ? baseline->mean : 0, true },
        { "Min Latency", candidate->least, baseline ? baseline->least : 0, true },
        { "Max Latency", candidate->most, baseline ? baseline->most : 0, true },
        { "Std Dev", candidate->deviation, baseline ? baseline->deviation : 0, false },
    };

    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        document_cell(document, "**%s**", metrics[i].title);
        document_cell_number(document, metrics[i].candidate, "%.3f ms", metrics[i].candidate);
        if (!baseline)
            continue;
        document_cell_number(document, metrics[i].baseline, "%.3f ms", metrics[i].baseline);
        report_cell_speedup(document,
                            metrics[i].ratio ? operators_speedup(metrics[i].baseline, metrics[i].candidate) : 0);
    }
}

static void add_pair_table(struct report *report, const struct inspected_pair *pair)
{
    const struct document_column columns[] = {
        { "metric", "Metric", false },
        { "candidate", report_title(report, pair->candidate), true },
        { "baseline", report_title(report, pair->baseline), true },
        { "speedup", "Speedup", true },
    };

    document_grid(report->document, "latency", columns, sizeof columns / sizeof *columns);
    add_metric_rows(report->document, &pair->candidate->plain, &pair->baseline->plain);
}

static void add_single_table(struct report *report, const struct inspected *item)
{
    const struct document_column columns[] = { { "metric", "Metric", false }, { "latency", item->entry->label, true } };

    document_grid(report->document, "latency", columns, 2);
    add_metric_rows(report->document, &item->plain, NULL);
}

/* "30 runs in one launch" */
static void write_runs(const struct inspected *item, char *to, size_t size)
{
    size_t launches = item->measurement.launches.times.count;

    if (launches == 1)
        snprintf(to, size, "%zu run%s in one launch", item->plain.runs, item->plain.runs == 1 ? "" : "s");
    else
        snprintf(to, size, "%zu runs in %zu launches", item->plain.runs, launches);
}

/* "the first run" */
static void write_warmup(const struct latency_summary *summary, char *to, size_t size)
{
    if (summary->warmup == 1)
        snprintf(to, size, "the first run");
    else if (summary->warmup)
        snprintf(to, size, "the first %zu runs", summary->warmup);
    else
        snprintf(to, size, "no run");
}

/* What a latency is, by where it comes from. */
static const char *meaning_of(const struct inspected *item)
{
    return item->measurement.latency_source == RUN_SOURCE_METRICS
               ? "Latencies are those that `metrics.json` states; no file has been measured."
           : item->measurement.latency_source == RUN_SOURCE_LOG
               ? "Latencies are those that the runner printed; trace runs never count."
               : "A latency is one `Method::execute`; trace runs never count.";
}

/* What does not count. */
static void add_warmup(struct report *report, const struct inspected_pair *pair)
{
    const struct latency_summary *candidate = &pair->comparison.candidate, *baseline = &pair->comparison.baseline;
    char first[64], second[64], left_out[1024];

    if (!candidate->left_out && !baseline->left_out) {
        document_item(report->document, 0, "Warm-up: no run stands out at the start of a launch, so none is left out.");
        return;
    }
    write_warmup(candidate, first, sizeof first);
    write_warmup(baseline, second, sizeof second);
    if (strcmp(first, second) == 0)
        snprintf(left_out, sizeof left_out, "%s of each launch", first);
    else
        snprintf(left_out, sizeof left_out, "%s of each launch of `%s` and %s of `%s`", first, candidate->name, second,
                 baseline->name);
    document_item(
        report->document, 0,
        "Warm-up: %s did not count for any number here. The table is over runs, the verdict over the medians of "
        "launches: %.3f and %.3f ms, %.2fx.",
        left_out, candidate->median, baseline->median, pair->comparison.speedup);
}

/* Modes and drift; the warm-up has its own sentence. */
static void add_remarks(struct report *report, const struct latency_summary *summary)
{
    char remark[LATENCY_SENTENCE];

    for (unsigned i = summary->warmup ? 1 : 0; latency_remark(summary, i, remark); i++)
        document_item(report->document, 0, "`%s`: %s.", summary->name, remark);
}

static void add_pair_remarks(struct report *report, const struct inspected_pair *pair)
{
    char one[64], other[64], remark[LATENCY_SENTENCE];

    write_runs(pair->candidate, one, sizeof one);
    write_runs(pair->baseline, other, sizeof other);
    document_item(report->document, 0, "Counted: %s of `%s`, %s of `%s`. %s", one, pair->candidate->entry->label, other,
                  pair->baseline->entry->label, meaning_of(pair->candidate));
    add_warmup(report, pair);
    add_remarks(report, &pair->comparison.candidate);
    add_remarks(report, &pair->comparison.baseline);
    /* Where no verdict is possible, a test has nothing to say. */
    for (unsigned i = 0;
         pair->comparison.verdict != LATENCY_TOO_FEW && latency_comparison_remark(&pair->comparison, i, remark); i++)
        document_item(report->document, 0, "Test: %s.", remark);
}

enum prose_mood report_mood(const struct inspected_pair *pair)
{
    switch (pair->comparison.verdict) {
    case LATENCY_FASTER:
        return PROSE_GOOD;
    case LATENCY_SLOWER:
        return PROSE_WARNING;
    default:
        return PROSE_NOTE;
    }
}

static void add_pair(struct report *report, const struct inspected_pair *pair)
{
    const char *candidate = report_title(report, pair->candidate), *baseline = report_title(report, pair->baseline);

    document_mood(report->document, report_mood(pair), "%s.", report->sentence);
    if (pair->sme2)
        document_text(report->document, "SME2-On is `%s`, SME2-Off is `%s`.", pair->candidate->entry->label,
                      pair->baseline->entry->label);
    document_text(report->document, "Speedup = %s / %s: above 1 means that %s is faster.", baseline, candidate,
                  candidate);
    add_pair_table(report, pair);
    document_number(report->document, "speedup", pair->comparison.speedup);
    add_pair_remarks(report, pair);
}

/* ---- other pairs and all experiments ----------------------------------------------------------------------------- */

static bool is_sweep(const struct inspection *inspection)
{
    const struct inspected_pair *first = inspection_pair(inspection);

    for (size_t i = 1; i < inspection->pair_count; i++)
        if (strcmp(inspection->pairs[i].candidate->entry->name, first->candidate->entry->name) != 0 ||
            strcmp(inspection->pairs[i].baseline->entry->name, first->baseline->entry->name) != 0)
            return false;
    return true;
}

static void add_threads(struct document *document, uint32_t threads)
{
    if (threads)
        document_cell_number(document, threads, "%u", threads);
    else
        document_cell(document, "-");
}

static void add_pair_row(struct document *document, const struct inspected_pair *pair)
{
    uint32_t threads = pair->candidate->entry->threads;
    char sentence[LATENCY_SENTENCE];

    latency_sentence(&pair->comparison, sentence);
    document_cell(document, "`%s` vs `%s`", pair->candidate->entry->label, pair->baseline->entry->label);
    add_threads(document, threads);
    document_cell_number(document, pair->candidate->plain.median, "%.3f", pair->candidate->plain.median);
    document_cell_number(document, pair->baseline->plain.median, "%.3f", pair->baseline->plain.median);
    report_cell_speedup(document, operators_speedup(pair->baseline->plain.median, pair->candidate->plain.median));
    document_cell(document, "%s", sentence);
}

static void add_pairs(struct report *report)
{
    static const struct document_column columns[] = {
        { "pair", "Candidate vs baseline", false },
        { "threads", "Threads", true },
        { "candidate_ms", "Candidate median (ms)", true },
        { "baseline_ms", "Baseline median (ms)", true },
        { "speedup", "Speedup", true },
        { "verdict", "Verdict", false },
    };
    const struct inspection *inspection = report->inspection;
    bool sweep = is_sweep(inspection);

    if (inspection->pair_count < 2)
        return;
    document_heading(report->document, 3, sweep ? "thread_sweep" : "pairs", "%s", sweep ? "Thread Sweep" : "All Pairs");
    document_grid(report->document, "pairs", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < inspection->pair_count; i++)
        if (inspection->pairs[i].has_latency)
            add_pair_row(report->document, &inspection->pairs[i]);
    document_text(report->document, "The sections below are about the first row.");
}

static void add_experiments(struct report *report)
{
    static const struct document_column columns[] = {
        { "experiment", "Experiment", false },  { "threads", "Threads", true },
        { "launches", "Launches", true },       { "runs", "Runs", true },
        { "median_ms", "Median (ms)", true },   { "mean_ms", "Mean (ms)", true },
        { "min_ms", "Min (ms)", true },         { "max_ms", "Max (ms)", true },
        { "std_dev_ms", "Std Dev (ms)", true }, { "source", "Times from", false },
    };
    struct document *document = report->document;

    document_heading(document, 3, "experiments", "All Experiments");
    document_grid(document, "experiments", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < report->inspection->count; i++) {
        const struct inspected *item = &report->inspection->items[i];
        const double values[] = { item->plain.median, item->plain.mean, item->plain.least, item->plain.most,
                                  item->plain.deviation };

        document_cell(document, "`%s`", item->entry->label);
        add_threads(document, item->entry->threads);
        document_cell_number(document, (double)item->measurement.launches.times.count, "%zu",
                             item->measurement.launches.times.count);
        document_cell_number(document, (double)item->plain.runs, "%zu", item->plain.runs);
        for (size_t j = 0; j < sizeof values / sizeof *values; j++)
            if (item->plain.runs)
                report_cell_ms(document, values[j]);
            else
                document_cell(document, "-");
        document_cell(document, "%s", run_source_title(item->measurement.latency_source));
    }
}

/* ---- section ----------------------------------------------------------------------------------------------------- */

static void add_heading(struct report *report)
{
    const struct inspected_pair *pair = report->pair;

    if (!pair)
        document_heading(report->document, 2, "latency", "Latency Comparison");
    else
        document_heading(report->document, 2, "latency", "Latency Comparison (%s vs %s)",
                         report_title(report, pair->candidate), report_title(report, pair->baseline));
}

static void add_alone(struct report *report)
{
    const struct inspected *subject = inspection_subject(report->inspection);
    char runs[64], warmup[64];

    document_mood(report->document, PROSE_NOTE, "%s.", report->sentence);
    if (report->pair)
        document_text(report->document, "`%s` and `%s` cannot be compared: %s.", report->pair->candidate->entry->label,
                      report->pair->baseline->entry->label,
                      report->pair->candidate->plain.runs || report->pair->baseline->plain.runs
                          ? "one of them has no latency"
                          : "neither has a latency");
    else if (report->inspection->count == 1)
        document_text(report->document, "There is one experiment, so nothing is compared.");
    else
        document_text(report->document,
                      "Nothing is compared: no two experiments are called the same but for `on` and `off`. Name two "
                      "of them with --baseline and --candidate.");
    if (!subject->plain.runs)
        return;
    add_single_table(report, subject);
    write_runs(subject, runs, sizeof runs);
    document_item(report->document, 0, "Counted: %s. %s", runs, meaning_of(subject));
    if (subject->latency->left_out) {
        write_warmup(subject->latency, warmup, sizeof warmup);
        document_item(
            report->document, 0,
            "Warm-up: %s of each launch did not count for any number here. The median of launch medians is %.3f ms.",
            warmup, subject->latency->median);
    }
    add_remarks(report, subject->latency);
}

void report_add_latency(struct report *report)
{
    size_t timed = 0;

    add_heading(report);
    if (report->pair && report->pair->has_latency)
        add_pair(report, report->pair);
    else
        add_alone(report);
    add_pairs(report);
    for (size_t i = 0; i < report->inspection->count; i++)
        timed += report->inspection->items[i].plain.runs > 0;
    if (report->inspection->count > 2 || (!report->pair && timed > 1))
        add_experiments(report);
}

/* ---- the end of the report --------------------------------------------------------------------------------------- */

/* Whether the medians say what the test over launches does: where modes decided, they may not. */
static bool medians_agree(const struct latency_comparison *comparison)
{
    return comparison->verdict == LATENCY_TOO_FEW ||
           (comparison->test.decided == MODE_ALL &&
            (comparison->verdict == LATENCY_FASTER) == (comparison->speedup > 1));
}

/* The original's sentences, where they hold: about SME2 only where a pair is called so, and with what limits them. */
static void add_verdict(struct report *report, const struct inspected_pair *pair)
{
    double speedup = pair->comparison.speedup;
    bool tested = pair->comparison.verdict != LATENCY_TOO_FEW;
    bool same = pair->comparison.verdict == LATENCY_SAME || speedup == 1 || !(speedup > 0);
    const char *candidate = pair->candidate->entry->label, *baseline = pair->baseline->entry->label;

    if (tested && same)
        document_mood(report->document, PROSE_NOTE, "**No significant difference** between %s and %s.",
                      pair->sme2 ? "SME2-on" : candidate, pair->sme2 ? "SME2-off" : baseline);
    else if (!medians_agree(&pair->comparison))
        document_mood(report->document, report_mood(pair), "%s.", report->sentence);
    else if (pair->sme2 && speedup > 1)
        document_mood(report->document, tested ? PROSE_GOOD : PROSE_NOTE,
                      "**SME2 acceleration shows %.2fx speedup** in median latency.", speedup);
    else if (pair->sme2 && speedup > 0)
        document_mood(report->document, PROSE_WARNING, "**SME2 shows %.2fx slowdown** in median latency.", 1 / speedup);
    else if (speedup > 0)
        document_mood(report->document, tested && speedup > 1 ? PROSE_GOOD : PROSE_NOTE,
                      "`%s` is **%.2fx %s** than `%s` in median latency.", candidate,
                      speedup > 1 ? speedup : 1 / speedup, speedup > 1 ? "faster" : "slower", baseline);
    if (!tested)
        document_mood(report->document, PROSE_WARNING,
                      "This is an estimate, not a verdict: so few launches cannot tell a change from luck. Run 5 or "
                      "more a side.");
    if (report->findings.nature == PAIR_SME2_ABSENT)
        document_mood(
            report->document, PROSE_WARNING,
            "The name says SME2, but the kernel log of `%s` has no SME2 kernel: the difference has another cause.",
            candidate);
}

void report_add_summary(struct report *report)
{
    document_heading(report->document, 2, "summary", "Summary");
    if (report->pair && report->pair->has_latency)
        add_verdict(report, report->pair);
    else
        document_mood(report->document, PROSE_NOTE, "%s.", report->sentence);
    if (report->advised.advice.count)
        document_text(report->document, "**Next**: %s.", report->advised.advice.items[0]->title);
}
