/* compare_files.c: the answer of `tacho compare` for a terminal, as a document, as JSON and as JUnit XML. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/json_write.h"
#include "base/path.h"
#include "job/compare.h"

/* ---- sentences --------------------------------------------------------------------------------------------------------- */

/* "1.05x slower" of a time after over one before. */
static void write_factor(char to[FORMAT_SIZE], double factor)
{
    snprintf(to, FORMAT_SIZE, "%.3fx %s", factor < 1 ? 1 / factor : factor, factor < 1 ? "faster" : "slower");
}

static void mean_sentence(const struct compare_answer *answer, char to[COMPARE_SENTENCE])
{
    char factor[FORMAT_SIZE];

    write_factor(factor, answer->mean_factor);
    snprintf(to, COMPARE_SENTENCE, "%zu models: %s by the geometric mean", answer->model_count, factor);
}

/* What a gate says, over all models. */
static void gate_sentence(const struct compare_answer *answer, const struct compare_gate *gate,
                          char to[COMPARE_SENTENCE])
{
    size_t failures = compare_failed_launches(answer);

    if (failures)
        snprintf(to, COMPARE_SENTENCE, "gate %s: failed: %zu launch%s after the change failed", gate->text, failures,
                 failures == 1 ? "" : "es");
    else if (gate->failed)
        snprintf(to, COMPARE_SENTENCE, "gate %s: failed: %zu certain slowdown%s that %s larger", gate->text,
                 gate->failed, gate->failed == 1 ? "" : "s", gate->failed == 1 ? "is" : "are");
    else if (gate->too_few)
        snprintf(to, COMPARE_SENTENCE, "gate %s: too few launches: %d a side are needed for a verdict", gate->text,
                 LATENCY_LEAST_LAUNCHES);
    else
        snprintf(to, COMPARE_SENTENCE, "gate %s: passed", gate->text);
}

/* Which file a side is, and how many others. */
static void describe_half(const struct compare_model *model, unsigned side, char to[COMPARE_SENTENCE])
{
    const struct compare_half *half = &model->halves[side], *other = &model->halves[1 - side];
    bool same = strcmp(path_name(half->first), path_name(other->first)) == 0;
    char time[FORMAT_SIZE], more[FORMAT_SIZE] = "";

    format_duration(time, comparison_total(&model->comparison, COMPARE_WHOLE)->ns[side]);
    if (half->files > 1)
        snprintf(more, sizeof more, " and %zu more", half->files - 1);
    snprintf(to, COMPARE_SENTENCE, "%s: %s%s, %zu launch%s, %s a %s%s", side ? "after" : "before",
             same ? half->first : path_name(half->first), more, half->count, half->count == 1 ? "" : "es", time,
             comparison_run(&model->comparison), half->estimate ? " (an estimate)" : "");
}

/* What a reader of the tables should know. The `index`-th; false: no more. */
static bool remark(const struct compare_model *model, unsigned index, char to[COMPARE_SENTENCE])
{
    const struct comparison *comparison = &model->comparison;

    if (index-- == 0) {
        snprintf(to, COMPARE_SENTENCE,
                 "times are of one %s: means over launches of the mean of the runs that count; the factor of the whole "
                 "is of "
                 "launch medians",
                 comparison_run(comparison));
        return true;
    }
    if (!comparison_can_tell(comparison) && index-- == 0) {
        snprintf(to, COMPARE_SENTENCE, "~: no verdict with fewer than %d launches a side (%zu and %zu are here)",
                 LATENCY_LEAST_LAUNCHES, comparison->sides[0].count, comparison->sides[1].count);
        return true;
    }
    if (comparison_can_tell(comparison) && index-- == 0) {
        snprintf(to, COMPARE_SENTENCE,
                 "p: Welch's test on logarithms of launches, corrected by Holm over %zu rows; certain at 1 %%; ~: "
                 "cannot be said",
                 comparison->tests);
        return true;
    }
    if (comparison->by_source && index-- == 0) {
        snprintf(to, COMPARE_SENTENCE,
                 "the sides are of two tool chains: operators are matched by their place in the source, else by the "
                 "word that "
                 "names them (%zu of both, %zu and %zu of one only)",
                 comparison->matched, comparison->alone[0], comparison->alone[1]);
        return true;
    }
    if (!comparison->by_source && !comparison->unlike &&
        comparison->matched <
            (comparison->alone[0] > comparison->alone[1] ? comparison->alone[0] : comparison->alone[1]) &&
        index-- == 0) {
        snprintf(to, COMPARE_SENTENCE,
                 "most operators of a side are not on the other (%zu of both, %zu and %zu of one only): are they of "
                 "one model?",
                 comparison->matched, comparison->alone[0], comparison->alone[1]);
        return true;
    }
    if (model->halves[0].estimate != model->halves[1].estimate && index-- == 0) {
        snprintf(to, COMPARE_SENTENCE, "%s is an estimate, %s was measured",
                 model->halves[0].estimate ? "before" : "after", model->halves[0].estimate ? "after" : "before");
        return true;
    }
    if (comparison->subject == COMPARE_DEVICE && index-- == 0) {
        snprintf(to, COMPARE_SENTENCE, "operators: what each has of the %s", comparison_device(comparison));
        return true;
    }
    return false;
}

/* ---- terminal ---------------------------------------------------------------------------------------------------------- */

static void write_lines(struct output *output, const void *data, const struct printer_style *style)
{
    const struct compare_answer *answer = data;
    char text[COMPARE_SENTENCE];

    for (size_t i = 0; i < answer->failure_count; i++)
        text_write_wrapped(output, style, "", answer->failures[i]);
    if (answer->model_count > 1) {
        mean_sentence(answer, text);
        text_write_wrapped(output, style, "", text);
    }
    for (size_t i = 0; i < answer->model_count; i++) {
        const struct compare_model *model = &answer->models[i];

        if (answer->model_count > 1) {
            snprintf(text, sizeof text, "%s: ", model->name);
            output_write(output, "\n", 1);
            text_write_clean(output, text_of(text));
            output_write(output, "\n", 1);
        }
        text_write_wrapped(output, style, "", model->sentence);
        for (unsigned half = 0; half < 2; half++) {
            describe_half(model, half, text);
            text_write_wrapped(output, style, "  ", text);
        }
    }
    for (size_t i = 0; i < answer->gate_count; i++) {
        gate_sentence(answer, &answer->gates[i], text);
        text_write_wrapped(output, style, "", text);
    }
}

static status add_table(struct job *job, const struct compare_answer *answer, const struct compare_model *model,
                        enum compare_section section)
{
    char text[COMPARE_SENTENCE];
    struct table *table;
    size_t count;
    status code = comparison_table(&model->comparison, section,
                                   section == COMPARE_OPERATOR_ROWS && !job->output ? COMPARE_TERMINAL : 0, &table);

    (void)comparison_section(&model->comparison, section, &count);
    if (code != STATUS_OK)
        return code;
    if (!count) {
        table_free(table);
        return STATUS_OK;
    }
    if (answer->model_count > 1)
        table_note(table, "model: %s", model->name);
    for (unsigned i = 0; section == COMPARE_OPERATOR_ROWS && remark(model, i, text); i++)
        table_note(table, "%s", text);
    code = job_table(job, table);
    if (code == STATUS_OK)
        job_last(job)->machine = section == COMPARE_ENGINE_ROWS;
    return code;
}

/* The product owns it then. */
static struct table *take_jobs(struct compare_model *model)
{
    model->jobs_given = true;
    return model->jobs;
}

static status add_tables(struct job *job, const struct compare_answer *answer)
{
    struct table *table;
    status code = STATUS_OK;

    for (size_t i = 0; i < answer->model_count && code == STATUS_OK; i++) {
        struct compare_model *model = &answer->models[i];

        if (view_is_asked(&job->view)) {
            code = comparison_view(&model->comparison, &job->view, &table);
            if (code == STATUS_OK && answer->model_count > 1)
                table_note(table, "model: %s", model->name);
            code = code == STATUS_OK ? job_table(job, table) : code;
            continue;
        }
        for (unsigned section = 0; section <= COMPARE_OPERATOR_ROWS && code == STATUS_OK; section++)
            code = add_table(job, answer, model, (enum compare_section)section);
        if (code == STATUS_OK && model->jobs)
            code = job_table(job, take_jobs(model));
    }
    return code;
}

/* ---- a document -------------------------------------------------------------------------------------------------------- */

static status add_sections(struct document *document, struct compare_model *model)
{
    status code = STATUS_OK;

    for (unsigned section = 0; section <= COMPARE_OPERATOR_ROWS && code == STATUS_OK; section++) {
        struct table *table;
        size_t count;

        (void)comparison_section(&model->comparison, (enum compare_section)section, &count);
        if (!count)
            continue;
        code = comparison_table(&model->comparison, (enum compare_section)section, 0, &table);
        if (code == STATUS_OK)
            document_table(document, table);
    }
    if (code == STATUS_OK && model->jobs)
        document_table(document, take_jobs(model));
    return code;
}

static enum prose_mood mood_of(const struct comparison *comparison)
{
    const struct compare_row *row =
        comparison_total(comparison, comparison->subject == COMPARE_DEVICE ? COMPARE_DEVICE_TIME : COMPARE_WHOLE);

    return row->verdict == LATENCY_SLOWER ? PROSE_WARNING : row->verdict == LATENCY_FASTER ? PROSE_GOOD : PROSE_PLAIN;
}

/* Files before and after; of several models the first of these. */
static struct document *start_document(const struct compare_answer *answer)
{
    const struct compare_model *first = answer->model_count ? answer->models : NULL;
    char subject[JOB_SUBJECT] = "";

    if (answer->model_count > 1)
        snprintf(subject, sizeof subject, "%.300s and %zu more", first->name, answer->model_count - 1);
    else if (first && first->halves[0].first && first->halves[1].first)
        snprintf(subject, sizeof subject, "%.180s to %.180s", path_name(first->halves[0].first),
                 path_name(first->halves[1].first));
    return document_new_about("What changed", subject);
}

static status add_document(struct job *job, const struct compare_answer *answer)
{
    struct document *document = start_document(answer);
    char text[COMPARE_SENTENCE];
    status code = document ? STATUS_OK : status_no_memory("writing a document");

    for (size_t i = 0; code == STATUS_OK && i < answer->failure_count; i++)
        document_mood(document, PROSE_WARNING, "`%s`", answer->failures[i]);
    if (code == STATUS_OK && answer->model_count > 1) {
        mean_sentence(answer, text);
        document_text(document, "%s", text);
    }
    for (size_t i = 0; i < answer->model_count && code == STATUS_OK; i++) {
        struct compare_model *model = &answer->models[i];

        if (answer->model_count > 1)
            document_heading(document, 2, NULL, "%s", model->name);
        document_mood(document, mood_of(&model->comparison), "%s", model->sentence);
        for (unsigned half = 0; half < 2; half++) {
            describe_half(model, half, text);
            document_item(document, 0, "%s", text);
        }
        code = add_sections(document, model);
        for (unsigned k = 0; code == STATUS_OK && remark(model, k, text); k++)
            document_item(document, 0, "%s", text);
    }
    for (size_t i = 0; i < answer->gate_count && code == STATUS_OK; i++) {
        gate_sentence(answer, &answer->gates[i], text);
        document_mood(document, answer->gates[i].failed ? PROSE_WARNING : PROSE_PLAIN, "%s", text);
    }
    for (size_t i = 0; i < answer->note_count && code == STATUS_OK; i++)
        document_item(document, 0, "%s", answer->notes[i]);
    if (code != STATUS_OK) {
        document_free(document);
        return code;
    }
    return job_document(job, "comparison", document);
}

status compare_write_products(struct job *job, struct compare_answer *answer)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < answer->note_count; i++)
        job_note(job, NOTE_PLAIN, NULL, "note: %s", answer->notes[i]);
    if (job->output && !view_is_asked(&job->view) && (path_ends(job->output, ".md") || path_ends(job->output, ".html")))
        return add_document(job, answer);
    if (!view_asks_help(&job->view))
        code = job_block(job, "sentence", write_lines, answer, NULL);
    return code == STATUS_OK ? add_tables(job, answer) : code;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------------- */

static const char *verdict_key(enum latency_verdict verdict)
{
    static const char *const keys[] = { "too few launches", "no significant difference", "faster", "slower" };

    return keys[verdict];
}

static void json_row(struct json_out *out, const struct comparison *comparison, const struct compare_row *row)
{
    json_out_object(out, NULL, JSON_ONE_LINE);
    json_out_text(out, "name", row->name);
    json_out_integer(out, "before_ns", row->ns[0]);
    json_out_integer(out, "after_ns", row->ns[1]);
    json_out_integer(out, "difference_ns", compare_difference(row));
    json_out_decimal(out, "factor", compare_factor(comparison, row));
    json_out_text(out, "verdict", verdict_key(row->verdict));
    if (row->present[0] ? !row->present[1] : row->present[1] != 0)
        json_out_text(out, "change", row->present[0] ? "vanished" : "appeared");
    json_out_decimal(out, "p", row->p);
    json_out_decimal(out, "p_corrected", row->corrected);
    json_out_unsigned(out, "launches_before", row->present[0]);
    json_out_unsigned(out, "launches_after", row->present[1]);
    if (row->needed)
        json_out_unsigned(out, "launches_needed", row->needed);
    if (row->reason)
        json_out_text(out, "reason", row->reason);
    json_out_end(out);
}

static void json_model(struct json_out *out, const struct compare_model *model)
{
    static const char *const keys[] = { "totals", "parts", "engines", "operators" };
    const struct comparison *comparison = &model->comparison;
    char text[COMPARE_SENTENCE];

    json_out_object(out, NULL, JSON_LINES);
    json_out_text(out, "model", model->name);
    json_out_text(out, "sentence", model->sentence);
    json_out_text(out, "verdict", verdict_key(comparison->latency.verdict));
    json_out_decimal(out, "speedup", comparison->latency.speedup);
    json_out_text(out, "operators_of", comparison->subject == COMPARE_DEVICE ? "device" : "run");
    json_out_text(out, "matched_by", comparison->by_source ? "source" : "identity");
    json_out_unsigned(out, "launches_before", comparison->sides[0].count);
    json_out_unsigned(out, "launches_after", comparison->sides[1].count);
    json_out_unsigned(out, "tests", comparison->tests);
    for (unsigned section = 0; section <= COMPARE_OPERATOR_ROWS; section++) {
        size_t count;
        const struct compare_row *rows = comparison_section(comparison, (enum compare_section)section, &count);

        json_out_array(out, keys[section], JSON_LINES);
        for (size_t i = 0; i < count; i++)
            json_row(out, comparison, &rows[i]);
        json_out_end(out);
    }
    if (model->jobs)
        printer_write(&json_printer, json_out_value(out, "jobs"), model->jobs, NULL);
    json_out_array(out, "notes", JSON_LINES);
    for (unsigned i = 0; remark(model, i, text); i++)
        json_out_text(out, NULL, text);
    json_out_end(out);
    json_out_end(out);
}

void compare_write_json(struct output *output, const void *data, const struct printer_style *style)
{
    const struct compare_answer *answer = data;
    struct json_out out;

    (void)style;
    json_out_start(&out, output);
    json_out_object(&out, NULL, JSON_LINES);
    json_out_array(&out, "failed", JSON_LINES);
    for (size_t i = 0; i < answer->failure_count; i++)
        json_out_text(&out, NULL, answer->failures[i]);
    json_out_end(&out);
    if (answer->model_count > 1)
        json_out_decimal(&out, "geometric_mean_factor", answer->mean_factor);
    json_out_array(&out, "models", JSON_LINES);
    for (size_t i = 0; i < answer->model_count; i++)
        json_model(&out, &answer->models[i]);
    json_out_end(&out);
    json_out_array(&out, "gates", JSON_LINES);
    for (size_t i = 0; i < answer->gate_count; i++) {
        json_out_object(&out, NULL, JSON_ONE_LINE);
        json_out_text(&out, "of", answer->gates[i].of);
        json_out_decimal(&out, "percent", answer->gates[i].percent);
        json_out_unsigned(&out, "failed", answer->gates[i].failed);
        json_out_truth(&out, "too_few_launches", answer->gates[i].too_few);
        json_out_end(&out);
    }
    json_out_end(&out);
    json_out_array(&out, "notes", JSON_LINES);
    for (size_t i = 0; i < answer->note_count; i++)
        json_out_text(&out, NULL, answer->notes[i]);
    json_out_end(&out);
    json_out_end(&out);
    json_out_finish(&out);
}

/* ---- JUnit XML --------------------------------------------------------------------------------------------------------- */

/* Whatever a file called something: no character that XML does not have. */
void compare_write_xml(struct output *output, const char *text)
{
    const char *end = text + strlen(text);

    while (text < end) {
        size_t length;
        const char *piece = text_next_piece(&text, end, &length);

        for (size_t i = 0; i < length; i++) {
            const char *stands = piece[i] == '<'   ? "&lt;"
                                 : piece[i] == '>' ? "&gt;"
                                 : piece[i] == '&' ? "&amp;"
                                 : piece[i] == '"' ? "&quot;"
                                                   : NULL;

            if (stands)
                output_write(output, stands, strlen(stands));
            else
                output_write(output, &piece[i], 1);
        }
    }
}

struct junit_counts {
    size_t cases, failed, skipped; /* of them */
};

/* One case: a row and the gate on it; `gate` NULL: no gate is on it. `output` NULL: only count. */
static void junit_case(struct output *output, const struct compare_model *model, const struct compare_row *row,
                       const struct compare_gate *gate, struct junit_counts *counts)
{
    bool failed = gate && compare_fails(&model->comparison, row, gate), skipped = row->verdict == LATENCY_TOO_FEW;
    char before[FORMAT_SIZE], after[FORMAT_SIZE];

    counts->cases++;
    counts->failed += failed;
    counts->skipped += skipped;
    if (!output)
        return;
    output_format(output, "  <testcase classname=\"");
    compare_write_xml(output, model->name);
    output_format(output, "\" name=\"");
    compare_write_xml(output, row->name);
    if (gate)
        compare_write_xml(output, gate->text);
    output_format(output, "\"");
    if (!failed && !skipped) {
        output_format(output, "/>\n");
        return;
    }
    format_duration(before, row->ns[0]);
    format_duration(after, row->ns[1]);
    output_format(output, ">\n    <%s message=\"", failed ? "failure" : "skipped");
    if (failed)
        output_format(output, "%s to %s, certain", before, after);
    else
        output_format(output, "too few launches: %d a side are needed", LATENCY_LEAST_LAUNCHES);
    output_format(output, "\"/>\n  </testcase>\n");
}

/* Launches that failed are a case of their own: rows are about the others. */
static void junit_failures(struct output *output, const struct compare_answer *answer, struct junit_counts *counts)
{
    counts->cases++;
    counts->failed++;
    if (!output)
        return;
    output_format(output,
                  "  <testcase classname=\"launches\" name=\"failed\">\n    <failure message=\"%zu launch%s after "
                  "the change failed\"/>\n  </testcase>\n",
                  compare_failed_launches(answer), compare_failed_launches(answer) == 1 ? "" : "es");
}

static void junit_cases(struct output *output, const struct compare_answer *answer, struct junit_counts *counts)
{
    if (compare_failed_launches(answer))
        junit_failures(output, answer, counts);
    for (size_t i = 0; i < answer->model_count; i++) {
        const struct compare_model *model = &answer->models[i];
        const struct compare_row *row;
        size_t count;

        for (size_t k = 0; k < answer->gate_count; k++)
            for (size_t at = 0; (row = compare_gated(&model->comparison, &answer->gates[k], &at)) != NULL;)
                junit_case(output, model, row, &answer->gates[k], counts);
        row = comparison_section(&model->comparison, COMPARE_TOTALS, &count);
        for (size_t k = 0; k < count && !answer->gate_count; k++)
            junit_case(output, model, &row[k], NULL, counts);
    }
}

status compare_write_junit(const struct compare_answer *answer, const char *path)
{
    struct junit_counts counts = { 0 };
    struct output *output;
    status code = output_open(path, &output);

    if (code != STATUS_OK)
        return code;
    junit_cases(NULL, answer, &counts);
    output_format(
        output,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"tacho compare\" tests=\"%zu\" failures=\"%zu\" "
        "skipped=\"%zu\">\n",
        counts.cases, counts.failed, counts.skipped);
    counts = (struct junit_counts){ 0 };
    junit_cases(output, answer, &counts);
    output_format(output, "</testsuite>\n");
    return output_finish(output, STATUS_OK);
}
