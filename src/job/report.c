/* report.c: tacho report: all that the tool has to say about a profile, in one document: the time of a run, what to do first, what a run
 * is made of, what its operators cost, what was lost. */
#include "job/report.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/path.h"
#include "job/conversion.h"
#include "job/core_verbs.h"
#include "job/counted.h"
#include "job/report_front.h"
#include "job/summary.h"
#include "page/formats.h"

enum { MOST_OPERATORS = 100, MOST_RUNS = 50 };

static const struct option options[] = {
    { "with", 0, OPTION_LIST, offsetof(struct report_settings, with), "AFTER...",
      "compare: PROFILE... is what was before, this is reported on" },
    { "out", 'o', OPTION_TEXT, offsetof(struct report_settings, out), "FILE", "write it: .md, .html or .json" },
    { "title", 0, OPTION_TEXT, offsetof(struct report_settings, title), "TEXT", "title of the report" },
    { "timeline", 0, OPTION_FLAG, offsetof(struct report_settings, timeline), NULL,
      "a page with the timeline in it, which rows of the report lead to" },
    { "arch", 0, OPTION_TEXT, offsetof(struct report_settings, architecture), "NAME",
      "a chip that its chain knows, or a FILE.json with peaks" },
    { 0 },
};

/* ---- Answers of other verbs ----------------------------------------------------------------------------------------- */

/* What the report is on: of two sides the first file of the second. */
static struct texts subject_of(const struct job *job)
{
    const struct report_settings *settings = job->settings;

    return settings->with.count ? (struct texts){ .items = settings->with.items, .count = 1 } : job->inputs;
}

/* The first table that a verb answers with; the caller's. `report` not NULL: it is the summary, which tells the runs as well. */
static status ask_table(const struct job *job, const struct verb *verb, struct report *report, struct table **table)
{
    const struct texts inputs = subject_of(job);
    struct job question;
    status code = job_start_question(job, verb, &inputs, &question);

    *table = NULL;
    question.view.limit = MOST_OPERATORS;
    if (code == STATUS_OK && report)
        ((struct summary_settings *)question.settings)->times = &report->times;
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
    const struct texts inputs = subject_of(job);
    struct job question;
    status code = advise_ask(job, &inputs, settings->architecture, &question, advised);

    for (size_t i = 0; i < question.note_count; i++)
        job_note(job, question.notes[i].kind, NULL, "%s", question.notes[i].text);
    job_free(&question);
    return code;
}

/* ---- The report ----------------------------------------------------------------------------------------------------- */

static void free_report(void *data)
{
    struct report *report = data;

    advised_free(&report->advised);
    if (report->timed)
        latency_summary_free(&report->latency);
    launch_times_free(&report->times);
    if (report->asked)
        job_free(&report->comparing);
    if (!report->document) {
        table_free(report->overview);
        table_free(report->operators);
    }
    document_free(report->document);
    memory_free(report);
}

/* What a run is made of, and how long each took. */
static status ask_summary(const struct job *job, struct report *report)
{
    struct latency_options how = LATENCY_DEFAULTS;
    struct latency_side side = { .name = "runs" };
    status code = ask_table(job, &summary_verb, report, &report->overview);

    side.launches = report->times.items;
    side.count = report->times.count;
    if (code == STATUS_OK)
        code = warmup_parse(job->warmup, &how.warmup);
    if (code != STATUS_OK || !side.count)
        return code;
    report->timed = true;
    code = latency_summarise(&side, &how, &report->latency);
    if (code != STATUS_INPUT)
        return code;
    status_clear(); /* no run is left: then there is nothing to draw */
    latency_summary_free(&report->latency);
    report->timed = false;
    return STATUS_OK;
}

/* What changed from the inputs to those of --with. The answer is in what the question made, which is kept. */
static status ask_comparison(struct job *job, struct report *report)
{
    const struct report_settings *settings = job->settings;
    struct job *question = &report->comparing;
    status code = job_start_question(job, &compare_verb, &job->inputs, question);

    report->asked = true;
    for (size_t i = 0; i < settings->with.count && code == STATUS_OK; i++)
        code = job_option(question, "with", settings->with.items[i]);
    if (code == STATUS_OK)
        code = job_option(question, "one-model", NULL);
    if (code == STATUS_OK)
        code = job_run(question);
    for (size_t i = 0; i < question->product_count && code == STATUS_OK; i++)
        if (question->products[i].kind == PRODUCT_JSON)
            report->compared = &((const struct compare_answer *)question->products[i].block.data)->models[0];
    for (size_t i = 0; i < question->note_count; i++)
        if (question->notes[i].kind != NOTE_PLAIN)
            job_note(job, question->notes[i].kind, NULL, "%s", question->notes[i].text);
    assert(code != STATUS_OK || report->compared);
    return code;
}

/* All three are asked about the same inputs: what is read for one is lent to the others. */
static status ask_all(struct job *job, struct report *report)
{
    const struct report_settings *settings = job->settings;
    const struct texts inputs = subject_of(job);
    struct counted counted = { .inputs = &inputs };
    status code;

    job->lent = &counted;
    code = ask_advice(job, &report->advised);
    if (code == STATUS_OK)
        code = ask_summary(job, report);
    if (code == STATUS_OK)
        code = ask_table(job, &operators_verb, NULL, &report->operators);
    job->lent = NULL;
    counted_free(&counted);
    return code == STATUS_OK && settings->with.count ? ask_comparison(job, report) : code;
}

/* What the difference is made of, in tables that add up to it. */
static status add_changes(struct report *report)
{
    static const enum compare_section sections[] = { COMPARE_TOTALS, COMPARE_PART_ROWS, COMPARE_ENGINE_ROWS,
                                                     COMPARE_OPERATOR_ROWS };
    const struct comparison *comparison = &report->compared->comparison;
    status code = STATUS_OK;

    document_heading(report->document, 2, "changes", "What changed, and what it is made of");
    document_mood(report->document, PROSE_NOTE, "%s.", report->compared->sentence);
    for (size_t i = 0; i < sizeof sections / sizeof *sections && code == STATUS_OK; i++) {
        struct table *table;
        size_t count;

        (void)comparison_section(comparison, sections[i], &count);
        if (!count)
            continue;
        code = comparison_table(comparison, sections[i], MOST_OPERATORS, &table);
        if (code == STATUS_OK)
            document_table(report->document, table);
    }
    return code;
}

/* All of what to do, with its grounds. */
static void add_advice(struct report *report, bool timeline)
{
    struct advice *advice = &report->advised.advice;

    if (!advice->count && !advice->smaller)
        return;
    document_heading(report->document, 2, "advice", "What to do, and what it rests on");
    for (size_t i = 0; i < advice->count + advice->smaller; i++)
        advice_add_item(report->document, advice, advice->items[i]);
    if (timeline)
        document_table(report->document, advice_evidence_table(advice, "Where, in the timeline", false));
}

struct timed_run {
    size_t launch; /* from 0 */
    uint32_t run;  /* in it */
    double ms;     /* that it took */
};

static int by_time(const void *one, const void *other)
{
    const struct timed_run *a = one, *b = other;

    if (a->ms != b->ms)
        return a->ms > b->ms ? -1 : 1;
    if (a->launch != b->launch)
        return a->launch < b->launch ? -1 : 1;
    return (a->run > b->run) - (a->run < b->run);
}

/* Runs are called as the timeline calls them. */
static struct table *make_run_table(const struct timed_run *runs, size_t count, bool launches)
{
    struct table *table = table_new("slowest_runs", "The slowest runs, in the timeline");
    char name[64];

    if (!table)
        return NULL;
    table_add_column(table, (struct table_column){ .name = "run", .title = "Run", .type = CELL_TEXT });
    table_add_column(table,
                     (struct table_column){ .name = "time", .title = "Time", .unit = "ns", .type = CELL_DURATION });
    for (size_t i = 0; i < count && i < MOST_RUNS; i++) {
        if (launches)
            snprintf(name, sizeof name, "launch %zu, run %" PRIu32, runs[i].launch + 1, runs[i].run + 1);
        else
            snprintf(name, sizeof name, "run %" PRIu32, runs[i].run + 1);
        table_add_row(table);
        table_set_text(table, 0, name);
        table_set_integer(table, 1, advice_rounded(runs[i].ms * 1e6));
    }
    if (count > MOST_RUNS)
        table_note(table, "%d of %zu runs", MOST_RUNS, count);
    return table;
}

/* Those of several inputs cannot be told apart by their names. */
static status add_runs(const struct job *job, struct report *report)
{
    const struct launch_times *times = &report->times;
    struct timed_run *runs;
    size_t count = 0;

    for (size_t i = 0; i < times->count; i++)
        count += times->items[i].count;
    if (subject_of(job).count != 1 || count < 2)
        return STATUS_OK;
    runs = memory_allocate(count * sizeof *runs);
    if (!runs)
        return status_no_memory("writing a report");
    count = 0;
    for (size_t i = 0; i < times->count; i++)
        for (size_t k = 0; k < times->items[i].count; k++)
            runs[count++] = (struct timed_run){ i, times->items[i].runs[k], times->items[i].ms[k] };
    qsort(runs, count, sizeof *runs, by_time);
    document_table(report->document, make_run_table(runs, count, times->count > 1));
    memory_free(runs);
    return STATUS_OK;
}

static void add_limits(const struct job *job, struct report *report)
{
    const struct report_settings *settings = job->settings;
    const struct advice *advice = &report->advised.advice;

    document_heading(report->document, 2, "limits", "What this rests on, and what was lost");
    if (settings->with.count > 1)
        document_item(report->document, 0,
                      "What to do, where a run goes and what operators cost is told of `%s`, the first of %zu files "
                      "after the change; what changed is told of all of them.",
                      settings->with.items[0], settings->with.count);
    for (size_t i = 0; i < job->note_count; i++)
        document_item(report->document, 0, "%s", job->notes[i].text);
    for (size_t i = 0; i < advice->note_count; i++)
        document_item(report->document, 0, "%s", advice->notes[i]);
}

static status write_document(struct job *job, struct report *report)
{
    const struct report_settings *settings = job->settings;
    struct advice *advice = &report->advised.advice;
    status code;

    report->document =
        settings->title ? document_new(settings->title) : document_new_about("Profiling Report", advice->subject);
    if (!report->document)
        return status_no_memory("writing a report");
    code = report_front_add(job, report);
    if (code == STATUS_OK && report->compared)
        code = add_changes(report);
    add_advice(report, settings->timeline);
    document_heading(report->document, 2, "time", "Where a run goes");
    if (advice->part_count)
        document_table(report->document, advice_part_table(advice, ""));
    document_table(report->document, report->overview);
    if (code == STATUS_OK && settings->timeline)
        code = add_runs(job, report);
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
    if (report->compared)
        json_out_text(&out, "verdict", report->compared->sentence);
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

/* The report, and behind it the timeline of what it is on. */
static status write_timeline(struct job *job, struct report *report, const char *path)
{
    const struct texts inputs = subject_of(job);
    struct conversion_options how = CONVERSION_DEFAULTS;
    struct conversion_result result;
    struct session session;
    status code = document_status(report->document);

    if (code != STATUS_OK)
        return code;
    how.front = report->document;
    code = session_start(&session, &job->reading);
    if (code == STATUS_OK)
        code = session_add_all(&session, inputs.items, inputs.count);
    if (code == STATUS_OK)
        code = conversion_write(&session, path, &page_format, &how, &result);
    session_end(&session);
    return code;
}

static status write_file(struct job *job, struct report *report, const char *path)
{
    struct output *output;
    status code;

    if (((const struct report_settings *)job->settings)->timeline)
        return write_timeline(job, report, path);
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
        code = job_say(job, "%s", report->compared ? report->compared->sentence : advice->summary);
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
        code = write_file(job, report, settings->out);
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
static status check_list(const struct texts *inputs, const char *out)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < inputs->count && code == STATUS_OK; i++) {
        const char *path = inputs->items[i];

        if (path_exists(path) && !path_is_file(path) && !path_is_folder(path))
            code =
                status_fail(STATUS_USAGE, "a report reads its input several times, and %s can be read once only", path);
        else if (output_is_standard(path))
            code = status_fail(STATUS_USAGE, "a report reads its input several times: give a file, not standard input");
    }
    return code == STATUS_OK ? output_check_inputs(out, inputs->items, inputs->count) : code;
}

static status check_inputs(const struct job *job)
{
    const struct report_settings *settings = job->settings;
    status code = settings->out ? document_check_path(settings->out) : STATUS_OK;

    if (code == STATUS_OK && settings->timeline && (!settings->out || writer_for_path(settings->out) != &page_format))
        code = status_fail(STATUS_USAGE, "--timeline is for pages: -o report.html");
    if (code == STATUS_OK)
        code = check_list(&job->inputs, settings->out);
    return code == STATUS_OK ? check_list(&settings->with, settings->out) : code;
}

static status run(struct job *job)
{
    const struct report_settings *settings = job->settings;
    unsigned part;
    status code = check_inputs(job);

    if (code == STATUS_OK)
        code = find_part(job, &part);
    if (code != STATUS_OK)
        return code;
    if (part == JOB_PARTS || !job->parts[part].part)
        return report_profiles(job);
    if (settings->with.count)
        return status_fail(STATUS_USAGE, "--with is about profiles, not about %s", job->parts[part].part->about);
    if (settings->timeline)
        return status_fail(STATUS_USAGE, "--timeline is about profiles, not about %s", job->parts[part].part->about);
    return job->parts[part].part->run(job, job->parts[part].settings);
}

const struct verb report_verb = {
    .name = "report",
    .summary = "write a report on a profile or a run directory: what is slow, why, what to do",
    .usage = "[options] PROFILE... [--with AFTER...] | --run-dir DIR [-o report.html]",
    .takes = VERB_READS | VERB_RUNS | VERB_JSON,
    .options = options,
    .settings_size = sizeof(struct report_settings),
    .run = run,
};
