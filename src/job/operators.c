/* operators.c: tacho operators: what each operator of a model costs, of inputs of any tool chain.
 *
 * A chain that knows more of its operators than their slices tell has a part of its own; other inputs are answered here.
 */
#include <string.h>

#include "analyze/breakdown.h"
#include "analyze/overview.h"
#include "base/format.h"
#include "base/path.h"
#include "job/core_verbs.h"
#include "job/counted.h"
#include "job/vocabulary.h"

struct settings_of_operators {
    const char *by; /* NULL: operator */
};

static const struct option options[] = {
    { "by", 0, OPTION_TEXT, offsetof(struct settings_of_operators, by),
      "name|type|module|kernel|category|location|engine", "what the rows are (default: name)" },
    { 0 },
};

/* ---- any profile ----------------------------------------------------------------------------------------------------- */

static void note_input(struct table *table, const struct profile *profile, const struct counted_runs *runs,
                       const struct metrics *metrics, bool several)
{
    char sentence[RUNS_SENTENCE], time[FORMAT_SIZE];
    const char *notes[PROFILE_NOTES];
    size_t count = profile_notes(profile, metrics, notes);

    if (several)
        profile_note_input(profile, table);
    format_duration(time, metrics_ns(metrics, &metric_overall));
    if (runs_sentence(runs, sentence))
        table_note(table, "a run takes %s: %s", time, sentence);
    else
        table_note(table, "it takes %s", time);
    for (size_t i = 0; i < count; i++)
        table_note(table, "%s", notes[i]);
    overview_note_losses(table, NULL, &profile->losses);
}

static status add_profile(struct job *job, const struct counted *counted, size_t index, enum breakdown_by by)
{
    const struct profile *profile = &counted->session.profiles[index];
    const struct counted_profile *own = &counted->profiles[index];
    const struct field_set *sets[VOCABULARY_SETS];
    struct breakdown breakdown;
    struct table *table = NULL;
    status code = breakdown_make(&counted->counting.busy, profile->process, &own->metrics, counted->session.strings, by,
                                 &breakdown);

    vocabulary_fields(breakdown_sets, sets);
    if (code == STATUS_OK)
        code = breakdown_table(&breakdown, sets, &job->view, &table);
    breakdown_free(&breakdown);
    if (code == STATUS_OK && !view_asks_help(&job->view))
        note_input(table, profile, &own->runs, &own->metrics, counted->session.profile_count > 1);
    return code == STATUS_OK ? job_table(job, table) : code;
}

static status add_profiles(struct job *job)
{
    const struct settings_of_operators *settings = job->settings;
    struct counted own = { 0 }, *counted = counted_of(job, &own);
    enum breakdown_by by;
    status code = breakdown_by_parse(settings->by ? settings->by : "name", &by);

    if (code != STATUS_OK)
        return code;
    code = counted_open(counted, job, true);
    if (code == STATUS_OK && counted->session.profile_count > 1 && (job->json || job->output))
        code = status_fail(STATUS_USAGE, "operators with --json or -o takes one profile at a time");
    if (code == STATUS_OK && job->output)
        code = session_check_output(&counted->session, job->output);
    if (code == STATUS_OK)
        code = counted_read(counted);
    for (size_t i = 0; i < counted->session.profile_count && code == STATUS_OK; i++)
        code = add_profile(job, counted, i, by);
    counted_free(&own);
    return code;
}

/* ---- which part ------------------------------------------------------------------------------------------------------ */

/* Inputs may be named by an option of a part alone. */
static status run_given(struct job *job)
{
    for (unsigned i = 0; i < JOB_PARTS && job->parts[i].part; i++)
        if (job->parts[i].given)
            return job->parts[i].part->run(job, job->parts[i].settings);
    return status_fail(STATUS_USAGE, "tacho operators wants a profile; see tacho operators --help");
}

/* What has no name in the file system, or is a pipe, is gone once it was looked at: then --format has to tell. */
static status find_reader(const struct job *job, const struct reader **reader)
{
    const char *path = job->inputs.items[0];
    struct input *input;
    status code;

    if (job->reading.format)
        return reader_given(job->reading.format, reader);
    code = reader_open(path, NULL, &input, reader);
    input_close(input);
    if (code == STATUS_OK && (strcmp(path, "-") == 0 || (!path_is_file(path) && !path_is_folder(path))))
        return status_fail(STATUS_USAGE, "%s is %s, and can be read once only: say --format %s",
                           strcmp(path, "-") == 0 ? "standard input" : path, (*reader)->title, (*reader)->id);
    return code;
}

static status run(struct job *job)
{
    const struct settings_of_operators *own = job->settings;
    const struct reader *reader;
    const struct verb_part *part;
    const void *settings;
    status code;

    if (!job->inputs.count)
        return run_given(job);
    code = find_reader(job, &reader);
    if (code == STATUS_OK)
        code = job_find_part(job, reader, &part, &settings);
    if (code != STATUS_OK)
        return code;
    return part && !own->by && !job->runs ? part->run(job, settings) : add_profiles(job);
}

static const struct verb_table tables[] = {
    { .name = "operators", .description = "a row per operator: what it costs, where it comes from, what ran" },
    { .name = "breakdown", .description = "time by operator, type, location or engine" },
    { 0 },
};

const struct verb operators_verb = {
    .name = "operators",
    .summary = "show what each operator of a model costs, and compare two builds",
    .usage = "[options] PROFILE... | --timeline-csv FILE... [--compare FILE...]",
    .takes = VERB_READS | VERB_VIEWS | VERB_RUNS | VERB_OUTPUTS | VERB_JSON,
    .output_help = "one row per operator: .csv .md .html .xlsx; or .json",
    .options = options,
    .settings_size = sizeof(struct settings_of_operators),
    .tables = tables,
    .run = run,
};
