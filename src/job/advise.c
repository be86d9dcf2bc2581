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
    status code;

    if (!output)
        return job_table(job, table);
    code = table ? table_to_file(table, output, NULL, NULL) : status_no_memory("making a table");
    table_free(table);
    return code;
}

/* ---- What to do first ---- */

/* A list of chances, and how it is to look. */
struct rank {
    struct table *table;                    /* its own */
    const struct advise_settings *settings; /* of the job */
};

static void write_rank(struct output *output, const void *data, const struct printer_style *style)
{
    const struct rank *rank = data;
    struct printer_style changed = advise_style_of(rank->settings, style);

    chance_list_write(output, rank->table, &changed);
}

static void write_rank_json(struct output *output, const void *data, const struct printer_style *style)
{
    (void)style;
    printer_write(&json_printer, output, ((const struct rank *)data)->table, NULL);
}

static void free_rank(void *data)
{
    struct rank *rank = data;

    table_free(rank->table);
    memory_free(rank);
}

status advise_add_rank(struct job *job, struct table *table)
{
    struct rank *rank = table ? memory_allocate(sizeof *rank) : NULL;
    status code = table ? table_status(table) : STATUS_OK;

    if (!rank || code != STATUS_OK) {
        memory_free(rank);
        table_free(table);
        return code != STATUS_OK ? code : status_no_memory("ranking advice");
    }
    *rank = (struct rank){ table, job->settings };
    code = job_json(job, write_rank_json, rank, free_rank);
    return code == STATUS_OK ? job_block(job, "rank", write_rank, rank, NULL) : code;
}

/* ---- Potentials ---- */

struct shown_potential {
    struct potential potential;             /* its own */
    char *name, *summary;                   /* of the title, its own */
    const struct advise_settings *settings; /* of the job */
};

static void free_shown(void *data)
{
    struct shown_potential *shown = data;

    potential_free(&shown->potential);
    memory_free(shown->name);
    memory_free(shown->summary);
    memory_free(shown);
}

static struct potential_title title_of(const struct shown_potential *shown)
{
    return (struct potential_title){ .name = shown->name, .summary = shown->summary };
}

static void write_potential(struct output *output, const void *data, const struct printer_style *style)
{
    const struct shown_potential *shown = data;
    struct printer_style changed = advise_style_of(shown->settings, style);
    struct potential_title title = title_of(shown);

    changed.bars = style->width > 0;
    output_stick(output,
                 potential_write_text(output, &shown->potential, &title, &changed, !shown->settings->no_advice));
}

static void write_potential_json(struct output *output, const void *data, const struct printer_style *style)
{
    const struct shown_potential *shown = data;
    struct potential_title title = title_of(shown);
    struct document *document = potential_document(&shown->potential, &title);

    (void)style;
    output_stick(output,
                 document ? document_print(document, DOCUMENT_JSON, output) : status_no_memory("writing a document"));
    document_free(document);
}

static status write_csv(const struct potential *potential, const char *path)
{
    struct table *table = potential_item_table(potential, "Operations", SIZE_MAX, false);
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

static status add_view(struct job *job, const struct potential *potential)
{
    struct table *table = potential_item_view(potential, "Operations", SIZE_MAX, false, &job->view);

    return table ? advise_add_view(job, table)
                 : STATUS_USAGE; /* what was asked for does not exist: the message is there */
}

/* The products that the settings ask for. `*kept`: one of them frees what is shown. */
static status add_shown(struct job *job, struct shown_potential *shown, bool *kept)
{
    const struct advise_settings *settings = shown->settings;
    struct potential_title title = title_of(shown);
    status code = settings->csv ? write_csv(&shown->potential, settings->csv) : STATUS_OK;

    if (code == STATUS_OK && view_is_asked(&job->view))
        return add_view(job, &shown->potential);
    if (code == STATUS_OK && settings->output)
        code = advise_write_document(job, potential_document(&shown->potential, &title));
    if (code != STATUS_OK)
        return code;
    if (settings->rank)
        return advise_add_rank(job, potential_rank_table(&shown->potential, ADVISE_RANK_TITLE, ADVISE_RANKED));
    *kept = true;
    code = job_json(job, write_potential_json, shown, free_shown);
    if (code == STATUS_OK && !settings->csv && !settings->output)
        code = job_block(job, "advice", write_potential, shown, NULL);
    return code;
}

status advise_add_potential(struct job *job, struct potential *potential, const struct potential_title *title)
{
    struct shown_potential *shown = memory_allocate_clear(sizeof *shown);
    bool kept = false;
    status code;

    if (!shown) {
        potential_free(potential);
        return status_no_memory("keeping advice");
    }
    shown->potential = *potential;
    shown->settings = job->settings;
    shown->name = memory_copy_text(title->name);
    shown->summary = memory_copy_text(title->summary);
    code = shown->name && shown->summary ? add_shown(job, shown, &kept) : status_no_memory("keeping advice");
    if (!kept)
        free_shown(shown);
    return code;
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

/* What the parts are about, the last chain's first. */
static status refuse(const struct job *job)
{
    char wanted[256] = "advice needs ";
    size_t length = strlen(wanted), count = 0;

    while (count < JOB_PARTS && job->parts[count].part)
        count++;
    for (size_t i = count; i-- > 0 && length < sizeof wanted;)
        length += (size_t)snprintf(wanted + length, sizeof wanted - length, "%s%s%s", i + 1 < count ? ", " : "",
                                   !i && count > 1 ? "or " : "", job->parts[i].part->wants);
    return reader_refuse(advise_settings(job)->reader, job->inputs.items[0], wanted);
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
    if (!part)
        return refuse(job);
    if (!path_is_file(job->inputs.items[0]) && !path_is_folder(job->inputs.items[0]) && !job->reading.format &&
        !(part->reads & PART_OPEN))
        return status_fail(STATUS_USAGE, "%s is %s, and can be read once only: say --format %s",
                           strcmp(job->inputs.items[0], "-") == 0 ? "standard input" : job->inputs.items[0],
                           reader->title, reader->id);
    return part->run(job, settings);
}

static status run(struct job *job)
{
    struct advise_settings *settings = job->settings;
    status code =
        job->inputs.count ? check_outputs(job) : status_fail(STATUS_USAGE, "give at least one ops report or profile");

    if (code == STATUS_OK)
        code = find_reader(job);
    if (code == STATUS_OK)
        code = run_part(job);
    input_close(settings->first);
    settings->first = NULL;
    return code;
}

static const struct verb_table tables[] = {
    { "operations", "a row per operation: its time, its rates, what bounds it, what it could save" },
    { "advice", "what is worth doing, by the time that it could save" },
    { 0 },
};

const struct verb advise_verb = {
    .name = "advise",
    .summary = "how near operations came to the peaks, and what to do",
    .usage = "[options] PROFILE... [-o report.html]",
    .takes = VERB_READS | VERB_VIEWS | VERB_JSON,
    .options = options,
    .settings_size = sizeof(struct advise_settings),
    .tables = tables,
    .run = run,
};
