/* report.c: tacho report: what a run directory says, as a document: what its sections share, its sentence, its sections in order. */
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

    to[0] = '\0';
    for (size_t i = 0; i < inspection->count && length < size; i++) {
        const struct run_entry *entry = inspection->items[i].entry;
        const struct run_launch *failure = run_entry_failure(entry);

        if (!failure || count++ >= MOST)
            continue;
        length += (size_t)snprintf(to + length, size - length, "`%s`: %s%zu launch%s failed (%.200s); ", entry->label,
                                   entry->failed == entry->launch_count ? "all " : "", entry->failed,
                                   entry->failed == 1 ? "" : "es",
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

/* What failed, why, and what the first that failed printed last. */
static void add_failures(struct report *report)
{
    const struct rundir *rundir = &report->inspection->rundir;

    for (size_t i = 0; i < rundir->entry_count; i++) {
        const struct run_entry *entry = &rundir->entries[i];
        const struct run_launch *failure = run_entry_failure(entry);
        const struct json *lines = failure ? json_get(failure->object, "last_lines") : NULL;

        if (!failure)
            continue;
        document_mood(report->document, PROSE_WARNING,
                      "**%zu of %zu launches of** `%s` **failed**, the first (launch %u) because: %s. A launch that "
                      "failed has no time%s.",
                      entry->failed, entry->launch_count, entry->label, failure->number,
                      failure->reason ? failure->reason : "the manifest does not say why",
                      entry->failed == entry->launch_count ? ", so nothing is compared with it" : "");
        for (size_t k = 0; k < json_count(lines); k++)
            document_item(report->document, 0, "It printed last: `%s`", json_text(&lines->items[k], ""));
    }
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

/* What to do about the side itself, then also against its baseline. Operators that are sums over a type have no times of runs. */
static status advise(struct report *report, const struct findings_input *about)
{
    char subject[REPORT_SUBJECT];
    struct rules_input input = {
        .side = report_operators(report, 0),
        .name = subject,
        .dump = about->candidate.dump ? about->candidate.dump : about->candidate.timeline,
        .etrecord = about->etrecord,
    };
    status code;

    write_subject(report->inspection, subject);
    code = rules_advise(&input, &report->advised);
    if (code != STATUS_OK || !about->pair || !report->findings.nature)
        return code;
    input.pair = about;
    input.findings = &report->findings;
    return rules_advise(&input, &report->paired);
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
    document_text(report->document, "**Generated**: %s", report->time);
    add_failures(report);
    document_mood(report->document, PROSE_NOTE, "%s.", report->sentence);
    report_add_first(report);
    report_add_metadata(report);
    report_add_latency(report);
    report_add_categories(report);
    report_add_acceleration(report);
    report_add_bottlenecks(report);
    report_add_backends(report);
    report_add_kernels(report);
    report_add_recommendations(report);
    report_add_operators(report);
    report_add_checks(report);
    report_add_artifacts(report);
    report_add_summary(report);
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
    advised_free(&report.paired);
    if (code != STATUS_OK) {
        document_free(report.document);
        return code;
    }
    snprintf(sentence, REPORT_SENTENCE, "%s", report.sentence);
    *document = report.document;
    return STATUS_OK;
}

/* ---- the verb ---------------------------------------------------------------------------------------------------- */

struct settings_of_report {
    const char *run_dir;           /* of a report about one */
    const char *out;               /* where to write it; NULL: into the run directory, or beside the first platform's */
    const char *baseline;          /* experiment; NULL: found */
    const char *candidate;         /* the same */
    const char *rules;             /* file with rules for categories; NULL: none */
    const char *ticks;             /* of dumps that do not tell; NULL: ns */
    bool strict;                   /* the first row that cannot be used is an error */
    bool force_companion;          /* a record is used also where it contradicts a dump */
    bool different_models;         /* experiments need not be of one model */
    const char *mac_dir;           /* of a combined report; NULL: none */
    const char *android_dir;       /* the same */
    struct texts platforms;        /* NAME=DIR of others */
    const char *model_name;        /* of a combined report; NULL: found */
    struct report_options options; /* title, by module */
};

static const struct option options[] = {
    { "run-dir", 0, OPTION_TEXT, offsetof(struct settings_of_report, run_dir), "DIR", "the run directory" },
    { "out", 'o', OPTION_TEXT, offsetof(struct settings_of_report, out), "FILE",
      ".md, .html or .json (default: DIR/report.md)" },
    { "title", 0, OPTION_TEXT, offsetof(struct settings_of_report, options.title), "TEXT", "title of the report" },
    { "baseline", 0, OPTION_TEXT, offsetof(struct settings_of_report, baseline), "NAME",
      "experiment to compare with (default: found by on and off)" },
    { "candidate", 0, OPTION_TEXT, offsetof(struct settings_of_report, candidate), "NAME",
      "experiment that is looked at" },
    { "by-module", 0, OPTION_FLAG, offsetof(struct settings_of_report, options.by_module), NULL,
      "group operators by the model's modules" },
    { "rules", 0, OPTION_TEXT, offsetof(struct settings_of_report, rules), "FILE",
      "rules for categories, tried before the built-in ones" },
    { "ticks", 0, OPTION_TEXT, offsetof(struct settings_of_report, ticks), "UNIT",
      "of ETDumps: ns, us or cycles:MHZ (default ns)" },
    { "strict", 0, OPTION_FLAG, offsetof(struct settings_of_report, strict), NULL,
      "the first row that cannot be used is an error" },
    { "force-companion", 0, OPTION_FLAG, offsetof(struct settings_of_report, force_companion), NULL,
      "use a record that contradicts a dump" },
    { "different-models", 0, OPTION_FLAG, offsetof(struct settings_of_report, different_models), NULL,
      "compare experiments of different models" },
    { "mac-dir", 0, OPTION_TEXT, offsetof(struct settings_of_report, mac_dir), "DIR",
      "combined report: run directory of macOS" },
    { "android-dir", 0, OPTION_TEXT, offsetof(struct settings_of_report, android_dir), "DIR",
      "combined report: run directory of Android" },
    { "platform", 0, OPTION_LIST, offsetof(struct settings_of_report, platforms), "NAME=DIR...",
      "combined report: any other platform" },
    { "model-name", 0, OPTION_TEXT, offsetof(struct settings_of_report, model_name), "NAME",
      "combined report: name of the model" },
    { 0 },
};

static void note_all(struct job *job, const struct rundir *rundir)
{
    for (size_t i = 0; i < rundir->note_count; i++)
        job_note(job, NOTE_PLAIN, NULL, "note: %s", rundir->notes[i]);
}

/* The name of the file, and the sentence, line by line. */
static void write_told(struct output *output, const void *data, const struct printer_style *style)
{
    struct text rest = text_of(data);

    (void)style;
    while (rest.data) {
        text_write_clean(output, text_take(&rest, '\n'));
        output_write(output, "\n", 1);
    }
}

/* Without the marks that a document shows as code. */
static void cut_marks(char *sentence)
{
    char *to = sentence;

    for (const char *from = sentence; *from; from++)
        if (*from != '`')
            *to++ = *from;
    *to = '\0';
}

/* Writes the document, unless standard output is to have it, or only JSON is wanted; hands it over to the job in any case. */
static status hand_over(struct job *job, struct document *document, const char *path, char *sentence)
{
    const struct settings_of_report *settings = job->settings;
    bool printed = output_is_standard(path), written = !printed && (settings->out || !job->json);
    struct path told = { .text = NULL };
    status code = written ? document_write(document, path) : STATUS_OK;

    if (code != STATUS_OK) {
        document_free(document);
        return code;
    }
    code = job_document(job, "report", document);
    if (code != STATUS_OK || !written)
        return code;
    cut_marks(sentence);
    code = path_set(&told, "%s\n%s", path, sentence);
    return code == STATUS_OK ? job_block(job, "written", write_told, told.text, memory_free) : code;
}

/* ---- one run directory ------------------------------------------------------------------------------------------- */

static status report_one(struct job *job, const char *run_dir, const struct inspection_options *wanted)
{
    const struct settings_of_report *settings = job->settings;
    struct report_options how = settings->options;
    struct inspection inspection;
    struct document *document = NULL;
    char sentence[REPORT_SENTENCE];
    struct path path = { .text = NULL };
    status code = path_set(&path, "%s/report.md", run_dir);

    how.time = time(NULL);
    if (code != STATUS_OK)
        return code;
    code = inspection_open(&inspection, run_dir, wanted);
    if (code == STATUS_OK)
        code = report_make(&inspection, &how, &document, sentence);
    if (code == STATUS_OK) {
        note_all(job, &inspection.rundir);
        code = hand_over(job, document, settings->out ? settings->out : path.text, sentence);
    }
    path_free(&path);
    inspection_free(&inspection);
    return code;
}

/* ---- several platforms ------------------------------------------------------------------------------------------- */

struct platforms {
    struct report_platform *items;  /* what the report is made of */
    const char **paths;             /* of their folders, borrowed */
    struct inspection *inspections; /* what lies there */
    size_t count;                   /* of all three */
    struct arena arena;             /* holds the names */
};

static status add_platform(struct platforms *platforms, struct text name, const char *path)
{
    struct report_platform *item = &platforms->items[platforms->count];

    item->name = arena_copy(&platforms->arena, name.data, name.length);
    platforms->paths[platforms->count++] = path;
    return item->name ? STATUS_OK : status_no_memory("starting");
}

static status list_platforms(struct platforms *platforms, const struct settings_of_report *settings)
{
    status code = STATUS_OK;

    if (settings->mac_dir)
        code = add_platform(platforms, text_of("macOS"), settings->mac_dir);
    if (settings->android_dir && code == STATUS_OK)
        code = add_platform(platforms, text_of("Android"), settings->android_dir);
    for (size_t i = 0; i < settings->platforms.count && code == STATUS_OK; i++) {
        struct text rest = text_of(settings->platforms.items[i]), name = text_take(&rest, '=');

        if (!rest.length || !name.length)
            return status_fail(STATUS_USAGE, "--platform wants NAME=DIR, not \"%s\"", settings->platforms.items[i]);
        code = add_platform(platforms, name, rest.data);
    }
    return code;
}

/* A platform whose folder holds nothing is left out with a warning, unless none is left. */
static status open_platforms(struct job *job, struct platforms *platforms, const struct inspection_options *wanted)
{
    size_t usable = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < platforms->count && code == STATUS_OK; i++) {
        code = inspection_open(&platforms->inspections[i], platforms->paths[i], wanted);
        if (code == STATUS_INPUT && !wanted->strict && (usable || i + 1 < platforms->count)) {
            job_note(job, NOTE_WARNING, NULL, "%s is left out: %s", platforms->items[i].name, status_message());
            status_clear();
            code = STATUS_OK;
            continue;
        }
        if (code != STATUS_OK)
            continue;
        note_all(job, &platforms->inspections[i].rundir);
        platforms->items[i].inspection = &platforms->inspections[i];
        usable++;
    }
    return code;
}

/* Beside the first folder. */
static status default_path(struct path *path, const char *folder)
{
    struct path resolved = { .text = NULL };
    status code = path_resolve(&resolved, folder);
    struct text above;

    if (code == STATUS_INPUT)
        code = path_set(&resolved, "%s", folder);
    if (code == STATUS_OK) {
        above = path_folder(resolved.text);
        path_set(path, "%.*s", above.length ? (int)above.length : 1, above.length ? above.data : ".");
        code = path_add(path, "combined_report.md");
    }
    path_free(&resolved);
    return code;
}

static status combine(struct job *job, struct platforms *platforms, const struct inspection_options *wanted)
{
    const struct settings_of_report *settings = job->settings;
    struct report_options how = settings->options;
    struct document *document = NULL;
    struct path path = { .text = NULL };
    char sentence[REPORT_SENTENCE];
    status code = list_platforms(platforms, settings);

    how.time = time(NULL);
    if (code == STATUS_OK)
        code = open_platforms(job, platforms, wanted);
    if (code == STATUS_OK)
        code = report_combine(platforms->items, platforms->count, settings->model_name, &how, &document, sentence);
    if (code == STATUS_OK)
        code = default_path(&path, platforms->paths[0]);
    if (code == STATUS_OK)
        code = hand_over(job, document, settings->out ? settings->out : path.text, sentence);
    else
        document_free(document);
    path_free(&path);
    return code;
}

static status report_several(struct job *job, const struct inspection_options *wanted)
{
    const struct settings_of_report *settings = job->settings;
    size_t most = settings->platforms.count + 2;
    struct platforms platforms = { .items = memory_allocate_clear(most * sizeof *platforms.items),
                                   .paths = memory_allocate_clear(most * sizeof *platforms.paths),
                                   .inspections = memory_allocate_clear(most * sizeof *platforms.inspections),
                                   .arena = ARENA_EMPTY };
    bool complete = platforms.items && platforms.paths && platforms.inspections;
    status code = complete ? combine(job, &platforms, wanted) : status_no_memory("starting");

    for (size_t i = 0; i < platforms.count; i++)
        inspection_free(&platforms.inspections[i]);
    memory_free(platforms.items);
    memory_free(platforms.paths);
    memory_free(platforms.inspections);
    arena_free(&platforms.arena);
    return code;
}

/* ---- run --------------------------------------------------------------------------------------------------------- */

static status run(struct job *job)
{
    const struct settings_of_report *settings = job->settings;
    bool combined = settings->mac_dir || settings->android_dir || settings->platforms.count;
    const char *run_dir = settings->run_dir;
    struct inspection_options wanted = { .baseline = settings->baseline,
                                         .candidate = settings->candidate,
                                         .strict = settings->strict,
                                         .force_companion = settings->force_companion,
                                         .different_models = settings->different_models };
    struct category_rules *rules = NULL;
    status code = settings->out ? document_check_path(settings->out) : STATUS_OK;

    if (job->inputs.count == 1 && !run_dir && !combined)
        run_dir = job->inputs.items[0];
    else if (job->inputs.count || combined == (run_dir != NULL))
        return status_fail(
            STATUS_USAGE,
            "tacho report wants --run-dir DIR, or --mac-dir, --android-dir and --platform for a combined report");
    if (code == STATUS_OK && settings->ticks && !tick_rate_parse(settings->ticks, &wanted.ticks))
        code = status_fail(STATUS_USAGE, "--ticks wants ns, us or cycles:MHZ, not \"%s\"", settings->ticks);
    if (code == STATUS_OK)
        code = category_rules_given(settings->rules, &rules);
    wanted.rules = rules;
    if (code == STATUS_OK)
        code = run_dir ? report_one(job, run_dir, &wanted) : report_several(job, &wanted);
    category_rules_free(rules);
    return code;
}

const struct verb report_verb = {
    .name = "report",
    .summary = "write the report about a run directory: what is slow, why, what to do",
    .usage = "[options] --run-dir DIR | --mac-dir DIR --android-dir DIR",
    .takes = VERB_JSON,
    .options = options,
    .settings_size = sizeof(struct settings_of_report),
    .run = run,
};
