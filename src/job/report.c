/* report.c: tacho report: all that the tool has to say about a profile, in one document: the time of a run, what to do first, what a run
 * is made of, what its operators cost, what was lost. */
#include "job/report.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "job/core_verbs.h"
#include "page/formats.h"
#include "page/front.h"

enum { MOST_OPERATORS = 100 };

static const struct option options[] = {
    { "out", 'o', OPTION_TEXT, offsetof(struct report_settings, out), "FILE", "write it: .md, .html or .json" },
    { "title", 0, OPTION_TEXT, offsetof(struct report_settings, title), "TEXT", "title of the report" },
    { "arch", 0, OPTION_TEXT, offsetof(struct report_settings, architecture), "NAME",
      "a chip that its chain knows, or a FILE.json with peaks" },
    { 0 },
};

/* ---- Answers of other verbs ----------------------------------------------------------------------------------------- */

/* A job that asks another verb about the same inputs. */
static status start_question(const struct job *job, const struct verb *verb, struct job *question)
{
    status code = job_start(question, verb);

    question->reading = job->reading;
    question->runs = job->runs;
    question->warmup = job->warmup;
    for (size_t i = 0; i < job->inputs.count && code == STATUS_OK; i++)
        code = job_input(question, job->inputs.items[i]);
    return code;
}

/* The first table that a verb answers with; the caller's. */
static status ask_table(const struct job *job, const struct verb *verb, uint64_t limit, struct table **table)
{
    struct job question;
    status code = start_question(job, verb, &question);

    *table = NULL;
    question.view.limit = limit;
    if (code == STATUS_OK)
        code = job_run(&question);
    for (size_t i = 0; i < question.product_count && code == STATUS_OK && !*table; i++)
        if (question.products[i].kind == PRODUCT_TABLE)
            *table = job_take_table(&question, question.products[i].name);
    job_free(&question);
    assert(code != STATUS_OK || *table);
    return code;
}

/* What to do; the caller's. Notes about the inputs become those of the report. */
static status ask_advice(struct job *job, struct advised *advised)
{
    const struct report_settings *settings = job->settings;
    struct advise_settings *asked;
    struct job question;
    status code = start_question(job, &advise_verb, &question);

    if (code == STATUS_OK) {
        asked = question.settings;
        asked->taken = advised;
        asked->architecture = settings->architecture;
        code = job_run(&question);
    }
    for (size_t i = 0; i < question.note_count; i++)
        job_note(job, question.notes[i].kind, NULL, "%s", question.notes[i].text);
    job_free(&question);
    return code;
}

/* ---- The report ----------------------------------------------------------------------------------------------------- */

/* What a report on profiles is made of. */
struct report {
    struct advised advised;    /* what to do; its own */
    struct table *overview;    /* what a run is made of; the document's once there is one */
    struct table *operators;   /* what its operators cost; the same */
    struct document *document; /* for people; NULL: not yet */
};

static void free_report(void *data)
{
    struct report *report = data;

    advised_free(&report->advised);
    if (!report->document) {
        table_free(report->overview);
        table_free(report->operators);
    }
    document_free(report->document);
    memory_free(report);
}

static status ask_all(struct job *job, struct report *report)
{
    status code = ask_advice(job, &report->advised);

    if (code == STATUS_OK)
        code = ask_table(job, &summary_verb, MOST_OPERATORS, &report->overview);
    return code == STATUS_OK ? ask_table(job, &operators_verb, MOST_OPERATORS, &report->operators) : code;
}

/* The column of that name; the number of columns: there is none. */
static size_t find_column(const struct table *table, const char *name)
{
    size_t column = 0;

    while (column < table_columns(table) && strcmp(table_column(table, column)->name, name) != 0)
        column++;
    return column;
}

/* What operators cost by themselves: of the table that `operators` answers with, those that are operators, the longest first. */
static size_t find_operators(const struct table *table, struct front_time *found)
{
    size_t count = 0, time = find_column(table, "self_time");

    if (time == table_columns(table))
        time = find_column(table, "self_ns");
    for (size_t row = 0; row < table_rows(table) && time < table_columns(table); row++) {
        struct table_cell name = table_cell(table, row, 0), own = table_cell(table, row, time);
        size_t at = count < FRONT_OPERATORS ? count : FRONT_OPERATORS;

        /* What is no operator stands in brackets: idle, work of none. */
        if (name.null || own.null || *name.text == '(')
            continue;
        for (; at && found[at - 1].ns[0] < (double)own.integer; at--)
            if (at < FRONT_OPERATORS)
                found[at] = found[at - 1];
        if (at < FRONT_OPERATORS)
            found[at] = (struct front_time){ name.text, { (double)own.integer, NAN } };
        count++;
    }
    return count;
}

/* The sentences about what failed or was lost; they are the job's. */
static size_t find_losses(const struct job *job, const char **lost)
{
    size_t count = 0;

    for (size_t i = 0; i < job->note_count; i++)
        if (job->notes[i].kind != NOTE_PLAIN)
            lost[count++] = job->notes[i].text;
    return count;
}

static status add_front(const struct job *job, struct report *report)
{
    struct advice *advice = &report->advised.advice;
    struct front_time operators[FRONT_OPERATORS];
    struct front_time *parts = memory_allocate((advice->part_count + 1) * sizeof *parts);
    const char **lost = memory_allocate((job->note_count + 1) * sizeof *lost);
    struct front front = { .headline = advice->summary,
                           .mood = PROSE_NOTE,
                           .run_ns = { advice->run_ns, NAN },
                           .parts = parts,
                           .part_count = advice->part_count,
                           .advice = advice,
                           .lost = lost,
                           .complete = "Nothing: every row of the input was used.",
                           .operators = operators,
                           .operator_count = find_operators(report->operators, operators) };

    if (parts && lost) {
        for (size_t i = 0; i < advice->part_count; i++)
            parts[i] = (struct front_time){ advice->parts[i].name, { advice->parts[i].ns, NAN } };
        front.lost_count = find_losses(job, lost);
        front_add(report->document, &front);
    }
    memory_free(parts);
    memory_free(lost);
    return parts && lost ? STATUS_OK : status_no_memory("writing a report");
}

/* All of what to do, with its grounds. */
static void add_advice(struct report *report)
{
    const struct advice *advice = &report->advised.advice;

    if (!advice->count && !advice->smaller)
        return;
    document_heading(report->document, 2, "advice", "What to do, and what it rests on");
    for (size_t i = 0; i < advice->count + advice->smaller; i++)
        advice_add_item(report->document, advice, advice->items[i]);
}

static void add_limits(const struct job *job, struct report *report)
{
    const struct advice *advice = &report->advised.advice;

    document_heading(report->document, 2, "limits", "What this rests on, and what was lost");
    for (size_t i = 0; i < job->note_count; i++)
        document_item(report->document, 0, "%s", job->notes[i].text);
    for (size_t i = 0; i < advice->note_count; i++)
        document_item(report->document, 0, "%s", advice->notes[i]);
}

static status write_document(struct job *job, struct report *report)
{
    const struct report_settings *settings = job->settings;
    struct advice *advice = &report->advised.advice;
    struct path title = { .text = NULL };
    status code = path_set(&title, "Profiling Report: %s", advice->subject);

    if (code != STATUS_OK)
        return code;
    report->document = document_new(settings->title ? settings->title : title.text);
    path_free(&title);
    if (!report->document)
        return status_no_memory("writing a report");
    code = add_front(job, report);
    add_advice(report);
    document_heading(report->document, 2, "time", "Where a run goes");
    if (advice->part_count)
        document_table(report->document, advice_part_table(advice, ""));
    document_table(report->document, report->overview);
    document_heading(report->document, 2, "operators", "What operators cost");
    document_table(report->document, report->operators);
    if (code == STATUS_OK && report->advised.roofs.count)
        code = roofs_add_section(report->document, &report->advised.roofs);
    add_limits(job, report);
    return code == STATUS_OK ? document_status(report->document) : code;
}

static void write_json(struct output *output, const void *data, const struct printer_style *style)
{
    struct report *report = (struct report *)(uintptr_t)data; /* sentences are made in its arena */
    struct json_out out;

    (void)style;
    json_out_start(&out, output);
    json_out_object(&out, NULL, JSON_LINES);
    json_out_text(&out, "profile", report->advised.advice.subject);
    json_out_text(&out, "summary", report->advised.advice.summary);
    advice_write_members(&out, &report->advised.advice);
    table_write_member(&out, "overview", report->overview);
    table_write_member(&out, "operators", report->operators);
    json_out_end(&out);
    json_out_finish(&out);
}

static void write_people(struct output *output, const void *data, const struct printer_style *style)
{
    (void)style;
    output_stick(output, document_print(((const struct report *)data)->document, DOCUMENT_MARKDOWN, output));
}

static status write_file(struct report *report, const char *path)
{
    struct output *output;
    status code;

    if (!document_is_json(path))
        return document_write(report->document, path);
    code = output_open(path, &output);
    if (code != STATUS_OK)
        return code;
    write_json(output, report, NULL);
    return output_commit(output);
}

/* The name of the file, and what a person needs first. */
static status tell(struct job *job, struct report *report)
{
    struct advice *advice = &report->advised.advice;
    const char *path = ((const struct report_settings *)job->settings)->out;
    status code = job_say(job, "%s", path);

    if (code == STATUS_OK)
        code = job_say(job, "%s", advice->summary);
    if (code == STATUS_OK)
        code = job_say(job, "%s", advice_headline(advice));
    return code == STATUS_OK && advice->count ? job_say(job, "%s", advice->items[0]->title) : code;
}

static status report_profiles(struct job *job)
{
    const struct report_settings *settings = job->settings;
    struct report *report = memory_allocate_clear(sizeof *report);
    bool to_file = settings->out && !output_is_standard(settings->out);
    status code = report ? ask_all(job, report) : status_no_memory("starting");

    if (code == STATUS_OK)
        code = write_document(job, report);
    if (code == STATUS_OK && to_file)
        code = write_file(report, settings->out);
    if (code == STATUS_OK && to_file)
        code = tell(job, report);
    if (code != STATUS_OK) {
        if (report)
            free_report(report);
        return code;
    }
    code = job_json(job, write_json, report, free_report);
    return code == STATUS_OK && !to_file ? job_block(job, "report", write_people, report, NULL) : code;
}

/* ---- The verb ------------------------------------------------------------------------------------------------------- */

/* The part for folders that are no profile, and the part of which an option was given. */
static status find_part(const struct job *job, unsigned *found)
{
    const char *path = job->inputs.count ? job->inputs.items[0] : NULL;
    const struct reader *reader = NULL;
    struct input *input = NULL;
    status code = STATUS_OK;

    for (*found = 0; *found < JOB_PARTS && job->parts[*found].part; ++*found)
        if (job->parts[*found].given)
            return STATUS_OK;
    if (!path)
        return status_fail(STATUS_USAGE, "tacho report wants a profile, or a folder; see tacho report --help");
    if (path_is_folder(path) && !job->reading.format) {
        code = reader_open(path, NULL, &input, &reader);
        input_close(input);
        if (code == STATUS_INPUT)
            status_clear();
        for (*found = 0; code == STATUS_INPUT && *found < JOB_PARTS && job->parts[*found].part; ++*found)
            if (job->parts[*found].part->accepts(NULL))
                return STATUS_OK;
    }
    *found = JOB_PARTS;
    return STATUS_OK;
}

/* What was read is gone: each of the questions reads it again. */
static status check_inputs(const struct job *job)
{
    const struct report_settings *settings = job->settings;
    status code = settings->out ? document_check_path(settings->out) : STATUS_OK;

    for (size_t i = 0; i < job->inputs.count && code == STATUS_OK; i++) {
        const char *path = job->inputs.items[i];

        if (path_exists(path) && !path_is_file(path) && !path_is_folder(path))
            code =
                status_fail(STATUS_USAGE, "a report reads its input several times, and %s can be read once only", path);
        else if (output_is_standard(path))
            code = status_fail(STATUS_USAGE, "a report reads its input several times: give a file, not standard input");
    }
    return code == STATUS_OK ? output_check_inputs(settings->out, job->inputs.items, job->inputs.count) : code;
}

static status run(struct job *job)
{
    unsigned part;
    status code = check_inputs(job);

    if (code == STATUS_OK)
        code = find_part(job, &part);
    if (code != STATUS_OK)
        return code;
    return part < JOB_PARTS && job->parts[part].part ? job->parts[part].part->run(job, job->parts[part].settings)
                                                     : report_profiles(job);
}

const struct verb report_verb = {
    .name = "report",
    .summary = "write a report on a profile or a run directory: what is slow, why, what to do",
    .usage = "[options] PROFILE... | --run-dir DIR [-o report.html]",
    .takes = VERB_READS | VERB_RUNS | VERB_JSON,
    .options = options,
    .settings_size = sizeof(struct report_settings),
    .run = run,
};
