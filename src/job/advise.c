/* advise.c: tacho advise: how near everything came to the peaks, where time is lost, and what to do about it. What that means for an
 * input is its chain's business. */
#include "job/advise.h"
#include "page/formats.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "job/table_file.h"
#include "job/vocabulary.h"

static const struct option options[] = {
    { "arch", 0, OPTION_TEXT, offsetof(struct advise_settings, architecture), "NAME",
      "a chip that its chain knows, or a FILE.json with peaks" },
    { "color", 0, OPTION_FLAG, offsetof(struct advise_settings, colour), NULL, "colours also where it is no terminal" },
    { "no-color", 0, OPTION_FLAG, offsetof(struct advise_settings, no_colour), NULL, "no colours" },
    { "output", 'o', OPTION_TEXT, offsetof(struct advise_settings, output), "FILE",
      "a page (.html) with rooflines; also .md and .json" },
    { "csv", 0, OPTION_TEXT, offsetof(struct advise_settings, csv), "FILE", "operations as CSV instead of the table" },
    { "no-advice", 0, OPTION_FLAG, offsetof(struct advise_settings, no_advice), NULL, "the table only" },
    { "rank", 0, OPTION_FLAG, offsetof(struct advise_settings, rank), NULL,
      "only what is worth doing, by the time it could save" },
    { "rules", 0, OPTION_FLAG, offsetof(struct advise_settings, rules), NULL, "list the rules: what is looked for" },
    { 0 },
};

/* ---- For parts ------------------------------------------------------------------------------------------------------ */

struct printer_style advise_style_of(const struct advise_settings *settings, const struct printer_style *style)
{
    struct printer_style changed = *style;

    changed.colour = !settings->no_colour && (settings->colour || style->colour);
    return changed;
}

bool advise_is_file(const char *architecture)
{
    return architecture && (strchr(architecture, '/') || path_ends(architecture, ".json"));
}

/* The chains that know architectures, for a message. */
static void list_knowing(char *to, size_t size)
{
    size_t length = 0;

    assert(size);
    *to = '\0';
    for (const struct chain *const *chain = chains; *chain && length < size; chain++)
        if ((*chain)->architectures)
            length += (size_t)snprintf(to + length, size - length, "%s%s's", length ? " and " : "", (*chain)->title);
}

status advise_load_peaks(const struct job *job, struct architectures *architectures, const struct architecture **peaks)
{
    const char *given = advise_settings(job)->architecture;
    const struct architecture_set *sets[VOCABULARY_CHAINS];
    char knowing[128];
    status code;

    assert(job->settings && architectures && peaks);
    *architectures = (struct architectures){ NULL, 0, 0 };
    *peaks = NULL;
    if (!given)
        return STATUS_OK;
    if (!advise_is_file(given)) {
        list_knowing(knowing, sizeof knowing);
        return status_fail(STATUS_USAGE,
                           "--arch \"%s\": the built-in architectures are %s; give a FILE.json with \"gb_s\" and "
                           "\"gflops\" for this profile",
                           given, knowing);
    }
    vocabulary_architectures(sets);
    code = architectures_load(architectures, given, sets);
    if (code == STATUS_OK && architectures->given)
        *peaks = &architectures->items[0];
    return code;
}

status advise_write_document(const struct job *job, struct document *document)
{
    status code =
        document ? document_write(document, advise_settings(job)->output) : status_no_memory("writing a page");

    assert(advise_settings(job)->output && "a document wants a file");
    document_free(document);
    return code;
}

status advise_add_view(struct job *job, struct table *table)
{
    const char *output = advise_settings(job)->output;
    char subject[JOB_SUBJECT];
    status code;

    if (!output)
        return job_table(job, table);
    job_subject(job, subject, sizeof subject);
    code = table ? table_to_file(table, output, subject, NULL, NULL) : status_no_memory("making a table");
    table_free(table);
    return code;
}

/* ---- Answers ---- */

/* An answer that is kept to be shown. */
struct shown {
    struct advised advised;                 /* its own */
    const struct advise_settings *settings; /* of the job */
};

static void free_shown(void *data)
{
    struct shown *shown = data;

    advised_free(&shown->advised);
    memory_free(shown);
}

/* Writing makes sentences in the answer's own arena: it is changed, and only by one at a time. */
static struct shown *shown_of(const void *data)
{
    return (struct shown *)(uintptr_t)data;
}

static void write_list(struct output *output, const void *data, const struct printer_style *style)
{
    struct shown *shown = shown_of(data);
    struct printer_style changed = advise_style_of(shown->settings, style);

    advice_write_title(output, &shown->advised.advice, &changed);
    if (!shown->settings->no_advice)
        advice_write_text(output, &shown->advised.advice, &changed);
}

static void write_tables(struct output *output, const void *data, const struct printer_style *style)
{
    struct shown *shown = shown_of(data);
    struct printer_style changed = advise_style_of(shown->settings, style);

    changed.bars = style->width > 0;
    output_stick(output, advised_write_tables(output, &shown->advised, &changed));
}

static void write_answer(struct output *output, const void *data, const struct printer_style *style)
{
    (void)style;
    advised_write_json(output, &shown_of(data)->advised);
}

static status write_csv(const struct roofs *roofs, const char *path)
{
    struct table *table = roofs_item_table(roofs, "Operations", SIZE_MAX, false);
    struct output *output;
    status code = table ? table_status(table) : status_no_memory("making a table");

    if (code == STATUS_OK)
        code = output_open(path, &output);
    if (code == STATUS_OK) {
        printer_write(&csv_printer, output, table, NULL);
        code = output_commit(output);
    }
    table_free(table);
    return code;
}

static status add_view(struct job *job, const struct roofs *roofs)
{
    struct table *table = roofs_item_view(roofs, "Operations", SIZE_MAX, false, &job->view);

    return table ? advise_add_view(job, table)
                 : STATUS_USAGE; /* what was asked for does not exist: the message is there */
}

/* Both for a program, and for a file that ends in .json. */
static status write_file(const struct job *job, struct advised *advised)
{
    const char *path = advise_settings(job)->output;
    struct output *output;
    status code;

    if (!document_is_json(path))
        return advise_write_document(job, advised_document(advised));
    code = output_open(path, &output);
    if (code != STATUS_OK)
        return code;
    advised_write_json(output, advised);
    return output_commit(output);
}

status advise_block(struct job *job, const char *name, product_write write, void *data)
{
    status code = job_block(job, name, write, data, NULL);

    if (code == STATUS_OK)
        job_last(job)->steers = STEERS_COLOURS;
    return code;
}

status advise_add_table(struct job *job, struct table *table)
{
    status code = job_table(job, table);

    if (code == STATUS_OK)
        job_last(job)->machine = true;
    return code;
}

static status add_tables(struct job *job, const struct advised *advised)
{
    status code = advise_add_table(job, advice_item_table(&advised->advice, "Advice"));

    if (code != STATUS_OK || !advised->roofs.count)
        return code;
    return advise_add_table(job, roofs_item_table(&advised->roofs, "Operations", SIZE_MAX, false));
}

/* Keeps the answer in a product; `tables`: its own tables too. */
static status keep(struct job *job, struct advised *advised, bool tables)
{
    struct shown *shown = memory_allocate(sizeof *shown);
    status code;

    if (!shown) {
        advised_free(advised);
        return status_no_memory("keeping advice");
    }
    *shown = (struct shown){ *advised, job->settings };
    code = job_json(job, write_answer, shown, free_shown);
    if (code == STATUS_OK && job->by_name)
        code = add_tables(job, &shown->advised);
    if (code == STATUS_OK)
        code = advise_block(job, "advice", write_list, shown);
    return code == STATUS_OK && tables ? advise_block(job, "operations", write_tables, shown) : code;
}

status advise_show(struct job *job, struct advised *advised)
{
    if (!advise_settings(job)->taken)
        return keep(job, advised, false);
    *advise_settings(job)->taken = *advised;
    return STATUS_OK;
}

status advise_take(struct job *job, struct advised *advised)
{
    const struct advise_settings *settings = job->settings;
    status code = settings->csv ? write_csv(&advised->roofs, settings->csv) : STATUS_OK;

    if (settings->taken)
        return advise_show(job, advised);
    if (code == STATUS_OK && view_is_asked(&job->view))
        code = add_view(job, &advised->roofs);
    else if (code == STATUS_OK && settings->output)
        code = write_file(job, advised);
    else if (code == STATUS_OK && (!settings->csv || job->json))
        return keep(job, advised, !settings->rank);
    advised_free(advised);
    return code;
}

status advise_ask(const struct job *job, const struct texts *inputs, const char *architecture, struct job *question,
                  struct advised *advised)
{
    status code = job_start_question(job, &advise_verb, inputs, question);
    struct advise_settings *asked = question->settings;

    if (code != STATUS_OK)
        return code;
    asked->taken = advised;
    asked->architecture = architecture;
    return job_run(question);
}

/* ---- Rules ---- */

static void add_rules(struct table *table, const char *chain, const struct advice_rules *rules)
{
    for (const struct advice_rule *rule = rules->rules; rule->id; rule++) {
        table_add_row(table);
        table_set_text(table, 0, rule->id);
        table_set_text(table, 1, chain);
        table_set_text(table, 2, rules->about);
        table_set_text(table, 3, rule->looks_for);
        table_set_text(table, 4, rule->bound == ADVICE_UNKNOWN ? NULL : advice_bound_key(rule->bound));
    }
}

static status list_rules(struct job *job)
{
    static const struct table_column columns[] = {
        { .name = "rule", .title = "Rule", .description = "its id, as in JSON" },
        { .name = "chain", .title = "Chain", .description = "the tool chain whose profiles it is about; all: any" },
        { .name = "about", .title = "Looks at", .description = "the kind of input" },
        { .name = "looks_for", .title = "For", .description = "what it finds" },
        { .name = "bound", .title = "Bound", .description = "what bounds the time that it finds" },
    };
    const struct advice_rule dominant[] = { advice_dominant_rule, { 0 } };
    const struct advice_rules core = { "any profile", dominant };
    struct table *table = table_new("rules", "Rules of advice");

    if (!table)
        return status_no_memory("listing rules");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        table_add_column(table, columns[i]);
    add_rules(table, "all", &core);
    for (const struct chain *const *chain = chains; *chain; chain++)
        for (const struct advice_rules *const *rules = (*chain)->rules; rules && *rules; rules++)
            add_rules(table, (*chain)->id, *rules);
    return advise_add_view(job, table);
}

/* ---- The verb ------------------------------------------------------------------------------------------------------- */

static status check_outputs(const struct job *job)
{
    const struct advise_settings *settings = job->settings;
    bool document = settings->output && !view_is_asked(&job->view);
    status code = document ? document_check_path(settings->output) : STATUS_OK;

    if (code == STATUS_OK)
        code = output_check_inputs(settings->output, job->inputs.items, job->inputs.count);
    return code == STATUS_OK ? output_check_inputs(settings->csv, job->inputs.items, job->inputs.count) : code;
}

/* With --format nothing needs to be opened, so that standard input can be anything; it cannot be read twice. */
static status find_reader(struct job *job)
{
    struct advise_settings *settings = job->settings;
    const char *format = job->reading.format;

    assert(job->inputs.count);
    return format ? reader_given(format, &settings->reader)
                  : reader_open(job->inputs.items[0], NULL, &settings->first, &settings->reader);
}

static status run_part(struct job *job)
{
    const struct reader *reader = advise_settings(job)->reader;
    const struct verb_part *part;
    const void *settings;
    status code = job_find_part(job, reader, &part, &settings);

    assert(reader && "the reader is found before its part");
    if (code != STATUS_OK)
        return code;
    if (!part && reader->timeless)
        return reader_refuse(reader, job->inputs.items[0], reader->timeless);
    if (!path_is_file(job->inputs.items[0]) && !path_is_folder(job->inputs.items[0]) && !job->reading.format &&
        !(part && part->reads & PART_OPEN))
        return status_fail(STATUS_USAGE, "%s is %s, and can be read once only: say --format %s",
                           strcmp(job->inputs.items[0], "-") == 0 ? "standard input" : job->inputs.items[0],
                           reader->title, reader->id);
    return part ? part->run(job, settings) : advise_generally(job);
}

static status run(struct job *job)
{
    struct advise_settings *settings = job->settings;
    status code;

    if (settings->rules)
        return list_rules(job);
    code = job->inputs.count ? check_outputs(job)
                             : status_fail(STATUS_USAGE, "tacho advise wants a profile; see tacho advise --help");
    if (code == STATUS_OK)
        code = find_reader(job);
    if (code == STATUS_OK)
        code = run_part(job);
    input_close(settings->first);
    settings->first = NULL;
    return code;
}

static const struct verb_table tables[] = {
    { .name = "operations",
      .description = "a row per operation: its time, its rates, what bounds it, what it could save" },
    { .name = "advice", .description = "what is worth doing, by the time that it could save" },
    { .name = "rules", .description = "with --rules: what is looked for", .apart = true },
    { 0 },
};

const struct verb advise_verb = {
    .name = "advise",
    .summary = "how near operations came to the peaks, and what to do",
    .usage = "[options] PROFILE... [-o report.html]",
    .takes = VERB_READS | VERB_VIEWS | VERB_RUNS | VERB_JSON,
    .options = options,
    .settings_size = sizeof(struct advise_settings),
    .tables = tables,
    .run = run,
};
