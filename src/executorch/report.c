/* report.c: what a run directory says, as a document: what its sections share, its sentence, its sections in order. */
#include "executorch/report.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "executorch/chain.h"
#include "executorch/report_sections.h"
#include "job/job.h"
#include "page/formats.h"

/* ---- shared by the sections -------------------------------------------------------------------------------------- */

const char *report_title(const struct report *report, const struct inspected *item)
{
    return inspected_title(report->pair, item);
}

const struct operators *report_operators(const struct report *report, size_t side)
{
    assert(side < report->side_count);
    return &report->sides[side]->measurement.operators;
}

void report_cell_text(struct document *document, const char *text)
{
    document_cell(document, "%s", text ? text : "");
}

void report_cell_code(struct document *document, const char *text)
{
    if (text && *text)
        document_cell(document, "`%s`", text);
    else
        document_cell(document, "%s", "");
}

void report_cell_speedup(struct document *document, double speedup)
{
    if (speedup > 0)
        document_cell_number(document, speedup, "%.2fx", speedup);
    else
        document_cell(document, "-");
}

void report_cell_ms(struct document *document, double ms)
{
    document_cell_number(document, ms, "%.3f", ms);
}

void report_cell_percent(struct document *document, double percent)
{
    document_cell_number(document, percent, "%.1f", percent);
}

void report_grid(struct document *document, const char *key, const struct document_column *columns, size_t count,
                 uint32_t left_out)
{
    struct document_column used[REPORT_MOST_COLUMNS] = { 0 };
    size_t kept = 0;

    assert(count <= REPORT_MOST_COLUMNS);
    for (size_t i = 0; i < count; i++)
        if (!(left_out >> i & 1))
            used[kept++] = columns[i];
    assert(kept && "a grid has a column");
    document_grid(document, key, used, kept);
}

void report_cell_module(struct document *document, const struct operators *operators, const struct operator_sum *sum)
{
    if (sum->node && sum->node->module)
        report_cell_code(document, strings_text(operators->strings, sum->node->module));
    else
        document_cell(document, "%s", sum->node ? "(model)" : "");
}

void report_cell_rate(struct document *document, double gflops)
{
    if (gflops > 0)
        document_cell_number(document, gflops, "%.1f", gflops);
    else
        document_cell(document, "-");
}

void report_cell_delegate(struct document *document, const struct operator_sum *sum)
{
    if (sum->delegate != NO_ID)
        document_cell_number(document, sum->delegate, "%u", sum->delegate);
    else
        document_cell(document, sum->event == EVENT_PORTABLE ? "portable" : "-");
}

const char *report_column(char *to, const char *name, const char *unit)
{
    snprintf(to, REPORT_COLUMN, "%s (%s)", name, unit);
    return to;
}

void report_write_time(time_t time, char to[REPORT_TIME])
{
    struct tm parts;

    if (!localtime_r(&time, &parts) || !strftime(to, REPORT_TIME, "%Y-%m-%d %H:%M:%S", &parts))
        to[0] = '\0';
}

void report_write_verdict(const struct inspected_pair *pair, char *to)
{
    char verdict[LATENCY_SENTENCE];

    assert(pair->has_latency);
    latency_sentence(&pair->comparison, verdict);
    snprintf(to, REPORT_SENTENCE, "From `%s` to `%s`: %s", pair->baseline->entry->label, pair->candidate->entry->label,
             verdict);
}

/* What the report is called after: the model, or what stands before the experiment's name in the names of its files, or the
 * experiment. */
enum { REPORT_SUBJECT = 400 };

static void write_subject(const struct inspection *inspection, char to[REPORT_SUBJECT])
{
    size_t size = REPORT_SUBJECT;
    const struct run_entry *entry = inspection_subject(inspection)->entry;
    const char *name = path_name(entry->file_count ? entry->files[0].shown : "");
    const char *found = strstr(name, entry->name);

    if (inspection->rundir.model_stem)
        snprintf(to, size, "%s", inspection->rundir.model_stem);
    else if (found && found > name + 1 && (found[-1] == '_' || found[-1] == '-'))
        snprintf(to, size, "%.*s", (int)(found - name - 1), name);
    else
        snprintf(to, size, "%s", entry->name);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* "`mac_sme2_on`: all 5 launches failed (exit status 3); ": what failed stands before anything else. Returns the length. */
static size_t write_failures(const struct inspection *inspection, char *to, size_t size)
{
    enum { MOST = 2 };
    size_t length = 0, count = 0;
    char launches[64];

    to[0] = '\0';
    for (size_t i = 0; i < inspection->count && length < size; i++) {
        const struct run_entry *entry = inspection->items[i].entry;
        const struct run_launch *failure = run_entry_failure(entry);

        if (!failure || count++ >= MOST)
            continue;
        if (entry->launch_count == 1)
            snprintf(launches, sizeof launches, "its launch");
        else
            snprintf(launches, sizeof launches, "%s%zu launch%s", entry->failed == entry->launch_count ? "all " : "",
                     entry->failed, entry->failed == 1 ? "" : "es");
        length += (size_t)snprintf(to + length, size - length, "`%s`: %s failed (%.200s); ", entry->label, launches,
                                   failure->reason ? failure->reason : "the manifest does not say why");
    }
    if (count > MOST && length < size)
        length +=
            (size_t)snprintf(to + length, size - length, "launches of %zu more experiments failed; ", count - MOST);
    return length < size ? length : size - 1;
}

/* What a person needs first: what failed; the verdict, or how long an inference takes, or what is not known. */
static void write_sentence(struct report *report)
{
    const struct inspected *subject = inspection_subject(report->inspection);
    size_t before = write_failures(report->inspection, report->sentence, sizeof report->sentence);
    char rest[REPORT_SENTENCE], latency[LATENCY_SENTENCE];

    if (report->pair && report->pair->has_latency) {
        report_write_verdict(report->pair, rest);
    } else if (subject->plain.runs) {
        latency_summary_sentence(subject->latency, latency);
        snprintf(rest, sizeof rest, "`%s`: %s", subject->entry->label, latency);
    } else if (subject->entry->failed) {
        snprintf(rest, sizeof rest, "there is no time to report");
    } else {
        snprintf(rest, sizeof rest, "`%s`: no latency was recorded", subject->entry->label);
    }
    snprintf(report->sentence + before, sizeof report->sentence - before, "%s", rest);
}

static void choose_sides(struct report *report)
{
    const struct inspected *subject = inspection_subject(report->inspection);

    report->pair = inspection_pair(report->inspection);
    if (subject && inspected_has_operators(subject))
        report->sides[report->side_count++] = subject;
    if (report->pair && inspected_has_operators(report->pair->baseline))
        report->sides[report->side_count++] = report->pair->baseline;
}

static const char *path_of(const struct inspected *item, enum run_role role)
{
    const struct run_file *file = run_entry_file(item->entry, role);

    return file && file->usable ? file->path : NULL;
}

static struct findings_side findings_side(const struct inspected *item)
{
    return (struct findings_side){
        .operators = inspected_has_operators(item) ? &item->measurement.operators : NULL,
        .log = item->kernels ? &item->kernels->log : NULL,
        .name = item->entry->label,
        .launches = item->latency ? (uint32_t)item->latency->launches : 0,
        .dump = path_of(item, RUN_ETDUMP),
        .timeline = path_of(item, RUN_TIMELINE),
    };
}

/* What to do about the side, also against its baseline. Operators that are sums over a type have no times of runs. */
static status advise(struct report *report, const struct findings_input *about)
{
    char subject[REPORT_SUBJECT];
    struct rules_input input = {
        .side = report_operators(report, 0),
        .name = subject,
        .dump = about->candidate.dump ? about->candidate.dump : about->candidate.timeline,
        .etrecord = about->etrecord,
    };

    write_subject(report->inspection, subject);
    if (about->pair && report->findings.nature) {
        input.pair = about;
        input.findings = &report->findings;
    }
    return rules_advise(&input, &report->advised);
}

static status find(struct report *report)
{
    const struct inspection *inspection = report->inspection;
    const struct inspected_pair *pair = report->pair;
    struct findings_input input = {
        .candidate = findings_side(inspection_subject(inspection)),
        .has_baseline = pair != NULL,
        .pair = pair && pair->has_operators ? &pair->operators : NULL,
        .run_dir = inspection->rundir.path,
        .etrecord = inspection->has_graph ? inspection->rundir.etrecord : NULL,
        .config = inspection->rundir.config_resolved,
    };

    status code;

    if (pair)
        input.baseline = findings_side(pair->baseline);
    if (pair && pair->has_latency)
        input.latency = (struct findings_latency){
            .speedup = pair->comparison.speedup,
            .tested = pair->comparison.verdict != LATENCY_TOO_FEW,
        };
    code = findings_find(&input, &report->findings);
    return code == STATUS_OK && report->side_count ? advise(report, &input) : code;
}

static void add_sections(struct report *report)
{
    report_add_front(report);
    report_add_failures(report);
    report_add_latency(report);
    report_add_categories(report);
    report_add_acceleration(report);
    report_add_bottlenecks(report);
    report_add_backends(report);
    report_add_kernels(report);
    report_add_recommendations(report);
    report_add_operators(report);
    report_add_checks(report);
    report_add_summary(report);
    report_add_artifacts(report);
    report_add_metadata(report);
    document_rule(report->document);
    document_text(report->document,
                  "Report generated from ETDumps, or CSV files derived from them. Every time is per inference, by "
                  "`Method::execute`.");
}

status report_make(const struct inspection *inspection, const struct report_options *options,
                   struct document **document, char *sentence)
{
    struct report report = { .inspection = inspection, .options = options };
    char title[512], subject[REPORT_SUBJECT];
    status code;

    assert(inspection->count);
    *document = NULL;
    write_subject(inspection, subject);
    snprintf(title, sizeof title, "Profiling Report: %s", subject);
    report_write_time(options->time, report.time);
    choose_sides(&report);
    write_sentence(&report);
    code = find(&report);
    if (code == STATUS_OK) {
        report.document = document_new(options->title ? options->title : title);
        code = report.document ? STATUS_OK : status_no_memory("writing a report");
    }
    if (code == STATUS_OK) {
        add_sections(&report);
        code = document_status(report.document);
    }
    findings_free(&report.findings);
    advised_free(&report.advised);
    if (code != STATUS_OK) {
        document_free(report.document);
        return code;
    }
    snprintf(sentence, REPORT_SENTENCE, "%s", report.sentence);
    *document = report.document;
    return STATUS_OK;
}
