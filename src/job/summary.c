/* summary.c: tacho summary: where the time went. */
#include <stdio.h>
#include <string.h>

#include "analyze/breakdown.h"
#include "analyze/overview.h"
#include "base/memory.h"
#include "base/path.h"
#include "job/core_verbs.h"
#include "job/counted.h"
#include "job/digest.h"
#include "job/follow.h"
#include "job/summary.h"
#include "job/vocabulary.h"
#include "job/wall_time.h"

static const struct option options[] = {
    { "by", 0, OPTION_TEXT, offsetof(struct summary_settings, by),
      "operator|location|type|module|kernel|category|engine", "break the time down" },
    { "wall-time", 0, OPTION_TEXT, offsetof(struct summary_settings, wall_time), "S",
      "seconds around the run (default: wall_time.txt)" },
    { "model", 0, OPTION_TEXT, offsetof(struct summary_settings, model), "NAME", "name to show (default: the file's)" },
    { "follow", 0, OPTION_FLAG, offsetof(struct summary_settings, follow), NULL,
      "show a recording while it is made: FILE or HOST:PORT" },
    { "token", 0, OPTION_TEXT, offsetof(struct summary_settings, token), "TEXT",
      "what the program at HOST:PORT wants to see" },
    { 0 },
};

enum { MOST_DETAILS = 4 }; /* tables that a reader has to say more */

/* One input, read and added up. */
struct result {
    struct profile *profile;              /* borrowed from the session */
    const struct counted_profile *own;    /* its runs and metrics; borrowed */
    char sentence[RUNS_SENTENCE];         /* about them; empty: there is one */
    char model[256];                      /* its name */
    struct told told;                     /* what it tells beside them */
    char told_note[OVERVIEW_TOLD_NOTE];   /* about that */
    const char *notes[PROFILE_NOTES + 1]; /* borrowed; the last is that one, if it is there */
    size_t note_count;                    /* of notes */
};

/* All inputs; what is printed later points into it. */
struct summary {
    struct job *job;                     /* borrowed */
    struct counted own;                  /* where nothing was lent */
    struct counted *counted;             /* the inputs: that, or what was lent */
    struct result *results;              /* by profile */
    struct overview *overviews;          /* the same */
    struct table *details[MOST_DETAILS]; /* that readers gave; owned */
    size_t detail_count;                 /* of details */
    size_t handed;                       /* details that are the job's now */
    struct launch_times times;           /* where nobody wants them: of ranks of one launch; owned */
};

static void free_summary(void *data)
{
    struct summary *summary = data;

    for (size_t i = summary->handed; i < summary->detail_count; i++)
        table_free(summary->details[i]);
    memory_free(summary->results);
    memory_free(summary->overviews);
    launch_times_free(&summary->times);
    counted_free(&summary->own);
    memory_free(summary);
}

/* ---- The wall time ------------------------------------------------------------------------------------------------- */

/* The wall time of an input: by option, or from the file beside it; -1: none. */
static status find_wall_time(struct job *job, const char *path, int64_t *nanoseconds)
{
    const struct summary_settings *settings = job->settings;

    *nanoseconds = -1;
    if (!settings->wall_time)
        return wall_time_read(job, path, WALL_TIME_FILE, nanoseconds);
    return wall_time_parse(text_of(settings->wall_time), nanoseconds)
               ? STATUS_OK
               : status_fail(STATUS_USAGE, "--wall-time wants seconds, not \"%s\"", settings->wall_time);
}

/* ---- Overviews ----------------------------------------------------------------------------------------------------- */

static void write_text(struct output *output, const void *data, const struct printer_style *style)
{
    const struct summary *summary = data;
    unsigned width = style->width ? style->width : 68;

    overview_title(output, &summary->overviews[0], width);
    overview_text(output, &summary->overviews[0], width);
}

static void write_json(struct output *output, const void *data, const struct printer_style *style)
{
    const struct summary *summary = data;
    size_t count = summary->counted->session.profile_count;

    (void)style;
    if (count > 1)
        output_write(output, "[\n", 2);
    for (size_t i = 0; i < count; i++) {
        if (i)
            output_write(output, ",\n", 2);
        overview_json(output, &summary->overviews[i]);
    }
    output_write(output, count > 1 ? "\n]\n" : "\n", count > 1 ? 3 : 1);
}

static status make_overviews(struct summary *summary)
{
    size_t count = summary->counted->session.profile_count;
    status code = STATUS_OK;

    summary->overviews = memory_allocate_clear(count * sizeof *summary->overviews);
    if (!summary->overviews)
        return status_no_memory("adding up");
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        const struct result *result = &summary->results[i];

        summary->overviews[i] = (struct overview){
            .model = result->model,
            .metrics = &result->own->metrics,
            .runs = &result->own->runs,
            .sentence = result->sentence,
            .losses = &result->profile->losses,
            .told = &result->told,
            .notes = result->notes,
            .note_count = result->note_count,
        };
        code = find_wall_time(summary->job, result->profile->path, &summary->overviews[i].wall_ns);
        if (code == STATUS_OK)
            code = wall_time_read(summary->job, result->profile->path, CONNECTION_TIME_FILE,
                                  &summary->overviews[i].connection_ns);
    }
    return code;
}

/* What else the only input has to say: tables with rows. */
static status make_details(struct summary *summary)
{
    const struct profile *profile = summary->results[0].profile;
    struct table *made[MOST_DETAILS];
    size_t count = 0;
    status code = STATUS_OK;

    if (summary->counted->session.profile_count == 1 && profile->reader->details)
        code = profile->reader->details(&profile->source, made, MOST_DETAILS, &count);
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        if (table_rows(made[i]))
            summary->details[summary->detail_count++] = made[i];
        else
            table_free(made[i]);
    }
    summary->overviews[0].tables = (const struct table *const *)summary->details;
    summary->overviews[0].table_count = summary->detail_count;
    return code;
}

/* A view of the metrics of one input, where the user asks for one. */
static status add_metrics(struct summary *summary)
{
    struct job *job = summary->job;
    struct table *table;
    status code = STATUS_OK;

    for (size_t i = 0; i < summary->counted->session.profile_count && code == STATUS_OK; i++) {
        code = digest_overview(summary->results[i].profile, &summary->results[i].own->metrics, &job->view, &table);
        if (code == STATUS_OK && summary->counted->session.profile_count > 1)
            profile_note_input(summary->results[i].profile, table);
        if (code == STATUS_OK && *summary->results[i].sentence)
            table_note(table, "%s", summary->results[i].sentence);
        if (code == STATUS_OK)
            code = job_table(job, table);
    }
    return code;
}

static status note_table(struct job *job, const struct table *table)
{
    for (size_t i = 0; i < table_notes(table) && job->output; i++)
        job_note(job, NOTE_PLAIN, NULL, "note: %s", table_note_at(table, i));
    return STATUS_OK;
}

/* Where the times of launches go. */
static struct launch_times *times_of(struct summary *summary)
{
    const struct summary_settings *settings = summary->job->settings;

    return settings->times ? settings->times : &summary->times;
}

/* `*keep`: a product points into the summary, and frees it. */
static status add_overviews(struct summary *summary, bool *keep)
{
    struct job *job = summary->job;
    bool side_by_side = summary->counted->session.profile_count > 1 || job->output;
    char sentence[LAUNCH_SENTENCE];
    struct table *table;
    status code;

    if (view_is_asked(&job->view))
        return add_metrics(summary);
    code = make_overviews(summary);
    if (code == STATUS_OK)
        code = make_details(summary);
    if (code != STATUS_OK)
        return code;
    if (side_by_side) {
        code = overview_table(summary->overviews, summary->counted->session.profile_count, &table);
        if (code == STATUS_OK && launch_times_ranks(times_of(summary), 0, sentence))
            table_note(table, "%s", sentence);
        else if (code == STATUS_OK && summary->counted->session.profile_count == 2)
            table_note(table, "tacho compare says what the difference is made of, and whether it can be luck");
        if (code == STATUS_OK)
            code = job_table(job, table);
        if (code == STATUS_OK)
            code = note_table(job, table);
    } else {
        code = job_block(job, "overview", write_text, summary, NULL);
    }
    while (summary->handed < summary->detail_count && code == STATUS_OK)
        code = job_table(job, summary->details[summary->handed++]);
    if (code == STATUS_OK) {
        *keep = true;
        code = job_json(job, write_json, summary, free_summary);
    }
    return code;
}

/* ---- Breakdowns ---------------------------------------------------------------------------------------------------- */

static status add_breakdown(struct summary *summary, const struct result *result, enum breakdown_by by)
{
    const struct field_set *sets[VOCABULARY_SETS];
    struct breakdown breakdown;
    struct table *table = NULL;
    status code = breakdown_make(&summary->counted->counting.busy, result->profile->process, &result->own->metrics,
                                 summary->counted->session.strings, by, &breakdown);

    vocabulary_fields(breakdown_sets, sets);
    if (code == STATUS_OK)
        code = breakdown_table(&breakdown, sets, &summary->job->view, &table);
    breakdown_free(&breakdown);
    if (code != STATUS_OK || view_asks_help(&summary->job->view))
        return code == STATUS_OK ? job_table(summary->job, table) : code;
    if (summary->counted->session.profile_count > 1)
        profile_note_input(result->profile, table);
    if (*result->sentence)
        table_note(table, "%s", result->sentence);
    for (size_t i = 0; i < result->note_count; i++)
        table_note(table, "%s", result->notes[i]);
    overview_note_losses(table, NULL, &result->profile->losses);
    code = job_table(summary->job, table);
    if (code == STATUS_OK)
        job_last(summary->job)->close = true;
    return code == STATUS_OK ? note_table(summary->job, table) : code;
}

static status add_breakdowns(struct summary *summary)
{
    const struct summary_settings *settings = summary->job->settings;
    enum breakdown_by by;
    status code = breakdown_by_parse(settings->by, &by);

    for (size_t i = 0; i < summary->counted->session.profile_count && code == STATUS_OK; i++)
        code = add_breakdown(summary, &summary->results[i], by);
    return code;
}

/* ---- Run ----------------------------------------------------------------------------------------------------------- */

struct text summary_model(const char *path)
{
    const char *open = strchr(path_name(path), '['), *close = open ? strchr(open, ']') : NULL;

    return close && close > open + 1 ? text_between(open + 1, close) : path_stem(path);
}

/* Runs that last no time are no failure here: then there are none. */
static status add_times(struct summary *summary, const struct result *result)
{
    struct launch_times *times = times_of(summary);
    size_t before = times->count, without_time;
    struct launch_join join;
    status code = launch_times_add(times, &summary->counted->counting, result->profile, &without_time);

    if (code == STATUS_OK && times->count == before + 1)
        return launch_times_join(times, 0, result->profile, metrics_ns(&result->own->metrics, &metric_overall), &join);
    if (code != STATUS_INPUT)
        return code;
    status_clear();
    times->count = before;
    return STATUS_OK;
}

static status take_result(struct summary *summary, struct result *result)
{
    const struct summary_settings *settings = summary->job->settings;
    status code = STATUS_OK;

    if (settings->times || result->profile->source.ranks)
        code = add_times(summary, result);
    if (code != STATUS_OK)
        return code;
    if (!runs_sentence(&result->own->runs, result->sentence))
        result->sentence[0] = '\0';
    text_copy(result->model, sizeof result->model,
              settings->model ? text_of(settings->model) : summary_model(result->profile->name));
    result->note_count = profile_notes(result->profile, &result->own->metrics, result->notes);
    result->told = overview_told(&result->profile->source.told, &result->own->metrics);
    if (!settings->by && overview_told_note(&result->told, &result->own->metrics, result->told_note))
        result->notes[result->note_count++] = result->told_note;
    return STATUS_OK;
}

static status summarise(struct summary *summary, bool *keep)
{
    struct job *job = summary->job;
    const struct summary_settings *settings = job->settings;
    status code = counted_open(summary->counted, job, settings->by != NULL);

    if (code == STATUS_OK && job->output)
        code = session_check_output(&summary->counted->session, job->output);
    if (code == STATUS_OK && settings->by && summary->counted->session.profile_count > 1 && (job->json || job->output))
        code = status_fail(STATUS_USAGE, "--by with --json or -o takes one input at a time");
    if (code == STATUS_OK)
        code = counted_read(summary->counted);
    if (code != STATUS_OK)
        return code;
    summary->results = memory_allocate_clear(summary->counted->session.profile_count * sizeof *summary->results);
    if (!summary->results)
        return status_no_memory("starting");
    for (size_t i = 0; i < summary->counted->session.profile_count && code == STATUS_OK; i++) {
        summary->results[i].profile = &summary->counted->session.profiles[i];
        summary->results[i].own = &summary->counted->profiles[i];
        code = take_result(summary, &summary->results[i]);
    }
    if (code != STATUS_OK)
        return code;
    return settings->by ? add_breakdowns(summary) : add_overviews(summary, keep);
}

static status check_usage(const struct job *job)
{
    const struct summary_settings *settings = job->settings;
    enum breakdown_by by;

    if (!job->inputs.count)
        return status_fail(STATUS_USAGE, "tacho summary wants at least one input; see tacho summary --help");
    if (settings->follow && (job->inputs.count > 1 || settings->by))
        return status_fail(STATUS_USAGE, "--follow takes one input, and no --by");
    if (settings->token && !settings->follow)
        return status_fail(STATUS_USAGE, "--token is for --follow HOST:PORT");
    if (settings->by && breakdown_by_parse(settings->by, &by) != STATUS_OK)
        return STATUS_USAGE;
    return STATUS_OK;
}

static status run(struct job *job)
{
    const struct summary_settings *settings = job->settings;
    struct summary *summary;
    bool keep = false;
    status code = check_usage(job);

    if (code != STATUS_OK || settings->follow)
        return code == STATUS_OK ? follow_recording(job, settings->token) : code;
    summary = memory_allocate_clear(sizeof *summary);
    if (!summary)
        return status_no_memory("starting");
    summary->job = job;
    summary->counted = counted_of(job, &summary->own);
    code = summarise(summary, &keep);
    if (!keep)
        free_summary(summary);
    return code;
}

static const struct verb_table tables[] = {
    { .name = "overview", .description = "a row per metric: where the time went" },
    { .name = "breakdown",
      .description = "time by operator, location, type or engine (--by)",
      .option = "by",
      .value = "operator" },
    { .name = "zones", .description = "what zones of a recording cost that is being made (--follow)", .apart = true },
    { 0 },
};

const struct verb summary_verb = {
    .name = "summary",
    .summary = "show where the time went: engines, overlap, idle",
    .usage = "[options] INPUT...",
    .takes = VERB_READS | VERB_VIEWS | VERB_RUNS | VERB_OUTPUTS | VERB_JSON,
    .options = options,
    .settings_size = sizeof(struct summary_settings),
    .tables = tables,
    .run = run,
};
