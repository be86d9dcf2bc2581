/* advise.c: tacho advise: how near the work came to the peaks, where time is lost, and what to do about it. */
#include "job/advise.h"

#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "job/core_verbs.h"
#include "job/table_file.h"

static const struct option options[] = {
    { "arch", 0, OPTION_TEXT, offsetof(struct advise_settings, architecture), "NAME",
      "an architecture that is known, or a FILE.json with peaks" },
    { "color", 0, OPTION_FLAG, offsetof(struct advise_settings, colour), NULL, "colours also where it is no terminal" },
    { "no-color", 0, OPTION_FLAG, offsetof(struct advise_settings, no_colour), NULL, "no colours" },
    { "csv", 0, OPTION_TEXT, offsetof(struct advise_settings, csv), "FILE", "operations as CSV instead of the table" },
    { "no-advice", 0, OPTION_FLAG, offsetof(struct advise_settings, no_advice), NULL, "the table only" },
    { "rank", 0, OPTION_FLAG, offsetof(struct advise_settings, rank), NULL,
      "only what is worth doing, by the time it could save" },
    { 0 },
};

bool advise_is_file(const char *architecture)
{
    return architecture && (strchr(architecture, '/') || path_ends(architecture, ".json"));
}

struct printer_style advise_style(const struct advise_settings *settings, const struct printer_style *style)
{
    struct printer_style made = *style;

    made.colour = !settings->no_colour && (settings->colour || style->colour);
    return made;
}

/* ---- The rank ------------------------------------------------------------------------------------------------------ */

struct shown_rank {
    struct table *table;
    struct advise_settings settings;
};

static void free_rank(void *data)
{
    table_free(((struct shown_rank *)data)->table);
    memory_free(data);
}

static status write_rank(struct output *output, const void *data, const struct printer_style *style)
{
    const struct shown_rank *rank = data;
    struct printer_style made = advise_style(&rank->settings, style);

    chance_list_write(output, rank->table, &made);
    return STATUS_OK;
}

static status write_rank_json(struct output *output, const void *data, const struct printer_style *style)
{
    (void)style;
    printer_write(&json_printer, output, ((const struct shown_rank *)data)->table, NULL);
    return STATUS_OK;
}

status advise_show_rank(struct job *job, struct table *table)
{
    struct shown_rank *rank = memory_allocate(sizeof *rank);
    status code = table ? table_status(table) : status_no_memory("making a table");

    if (code != STATUS_OK || !rank) {
        table_free(table);
        memory_free(rank);
        return code == STATUS_OK ? status_no_memory("making a table") : code;
    }
    *rank = (struct shown_rank){ table, *(const struct advise_settings *)job->settings };
    code = job_block(job, "advice", write_rank, rank, NULL);
    if (code == STATUS_OK)
        return job_json(job, write_rank_json, rank, free_rank);
    free_rank(rank);
    return code;
}

/* ---- A potential --------------------------------------------------------------------------------------------------- */

struct shown_potential {
    struct potential potential;
    char *name, *summary; /* of the title */
    struct advise_settings settings;
};

static void free_potential(void *data)
{
    struct shown_potential *shown = data;

    potential_free(&shown->potential);
    memory_free(shown->name);
    memory_free(shown->summary);
    memory_free(shown);
}

static status write_potential(struct output *output, const void *data, const struct printer_style *style)
{
    const struct shown_potential *shown = data;
    struct potential_title title = { shown->name, shown->summary };
    struct printer_style made = advise_style(&shown->settings, style);

    made.bars = style->width > 0;
    return potential_write_text(output, &shown->potential, &title, &made, !shown->settings.no_advice);
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

static bool asks_for_view(const struct view_request *view)
{
    return view->columns || view->sort || view->limit || (view->filters && view->filters[0]);
}

/* STATUS_OK of `table` NULL is what went wrong while it was made. */
static status add_view(struct job *job, const struct potential *potential)
{
    struct table *table = potential_item_view(potential, "Operations", SIZE_MAX, false, &job->view);

    return table ? job_table(job, table) : STATUS_USAGE;
}

static status add_products(struct job *job, struct shown_potential *shown)
{
    const struct advise_settings *settings = job->settings;
    struct potential_title title = { shown->name, shown->summary };
    status code = settings->csv ? write_csv(&shown->potential, settings->csv) : STATUS_OK;

    if (code == STATUS_OK && asks_for_view(&job->view))
        return add_view(job, &shown->potential);
    if (code == STATUS_OK && job->output) {
        struct document *document = potential_document(&shown->potential, &title);

        code = document ? document_write(document, job->output) : status_no_memory("writing a page");
        document_free(document);
        job->output = NULL; /* written already: what is printed besides is for the terminal */
        if (code != STATUS_OK || !settings->rank)
            return code;
    }
    if (code == STATUS_OK && settings->rank)
        return advise_show_rank(job, potential_rank_table(&shown->potential, ADVISE_RANK_TITLE, ADVISE_RANKED));
    if (code == STATUS_OK && (!settings->csv || job->json))
        code = job_document(job, "advice", potential_document(&shown->potential, &title));
    return code;
}

status advise_show(struct job *job, struct potential *potential, const struct potential_title *title)
{
    const struct advise_settings *settings = job->settings;
    struct shown_potential *shown = memory_allocate_clear(sizeof *shown);
    bool text = !settings->csv && !job->output && !settings->rank && !job->json && !asks_for_view(&job->view);
    status code;

    if (!shown) {
        potential_free(potential);
        return status_no_memory("showing advice");
    }
    shown->potential = *potential;
    *potential = (struct potential){ .arena = ARENA_EMPTY };
    shown->settings = *settings;
    shown->name = memory_copy_text(title->name);
    shown->summary = memory_copy_text(title->summary);
    code = shown->name && shown->summary ? add_products(job, shown) : status_no_memory("showing advice");
    if (code == STATUS_OK && text)
        return job_block(job, "advice", write_potential, shown, free_potential);
    free_potential(shown);
    return code;
}

/* ---- The verb ------------------------------------------------------------------------------------------------------ */

/* With --format nothing needs to be opened, so that standard input can be anything; it cannot be read twice. */
static status find_reader(struct job *job)
{
    if (!job->reading.format)
        return reader_open(job->inputs.items[0], NULL, &job->opened, &job->opened_as);
    job->opened_as = reader_named(job->reading.format);
    return job->opened_as
               ? STATUS_OK
               : status_fail(STATUS_USAGE, "no format is called \"%s\"; see tacho formats", job->reading.format);
}

static status check_outputs(const struct job *job)
{
    const struct advise_settings *settings = job->settings;
    status code = job->output && !asks_for_view(&job->view) ? document_check_path(job->output) : STATUS_OK;

    if (code == STATUS_OK)
        code = output_check_inputs(job->output, job->inputs.items, job->inputs.count);
    return code == STATUS_OK ? output_check_inputs(settings->csv, job->inputs.items, job->inputs.count) : code;
}

static status run(struct job *job)
{
    const struct verb_part *part = NULL;
    const void *settings = NULL;
    status code =
        job->inputs.count ? check_outputs(job) : status_fail(STATUS_USAGE, "give at least one ops report or profile");

    if (code == STATUS_OK)
        code = find_reader(job);
    if (code == STATUS_OK)
        code = job_find_part(job, job->opened_as, &part, &settings);
    if (code != STATUS_OK)
        return code;
    if (!part)
        return reader_refuse(job->opened_as, job->inputs.items[0],
                             "advice needs a report of operations, a log of inferences, or a profile of engines");
    return part->run(job, settings);
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
    .takes = VERB_READS | VERB_VIEWS | VERB_OUTPUTS | VERB_JSON,
    .output_help = "a page (.html) with rooflines; also .md and .json",
    .options = options,
    .settings_size = sizeof(struct advise_settings),
    .tables = tables,
    .run = run,
};
