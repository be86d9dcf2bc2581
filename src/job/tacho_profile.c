/* tacho_profile.c: the public functions that read a profile into memory and answer with tables. */
#include <string.h>

#include "analyze/breakdown.h"
#include "base/arena.h"
#include "base/memory.h"
#include "job/digest.h"
#include "job/public.h"
#include "job/vocabulary.h"

struct tacho_profile {
    struct arena texts;       /* copies of what the user gave */
    struct session session;   /* holds the one profile */
    struct store store;       /* all that was read */
    struct counting counting; /* of its runs */
    struct counted_runs runs; /* that tables are about */
    struct metrics metrics;   /* of those */
};

static status read_into(struct tacho_profile *profile, const char *path)
{
    struct session *session = &profile->session;
    struct tee *tee = &profile->counting.tee;
    struct feed feed;
    status code = open_input(session, NULL, path);

    if (code != STATUS_OK)
        return code;
    code = tee_add(tee, store_sink(&profile->store));
    feed_start(&feed, tee_sink(tee), session->strings);
    if (code == STATUS_OK)
        code = session_read(session, &session->profiles[0], &feed);
    feed_free(&feed);
    if (code == STATUS_OK)
        code = counting_take(&profile->counting, &session->profiles[0], &profile->runs, &profile->metrics);
    /* All of it is in memory now: the file need not stay open. */
    input_close(session->profiles[0].input);
    session->profiles[0].input = NULL;
    return code;
}

static status keep_text(struct tacho_profile *profile, const char **text)
{
    const char *copy = *text ? arena_copy(&profile->texts, *text, strlen(*text)) : NULL;

    if (*text && !copy)
        return status_no_memory("opening a profile");
    *text = copy;
    return STATUS_OK;
}

/* Tables may be asked for long after the texts of the options are gone. */
static status keep_texts(struct tacho_profile *profile, struct session_options *options, const char **path)
{
    const char **texts[] = { path, &options->format, &options->clock_mhz, &options->ticks };
    status code = STATUS_OK;

    for (size_t i = 0; i < sizeof texts / sizeof *texts && code == STATUS_OK; i++)
        code = keep_text(profile, texts[i]);
    for (size_t i = 0; i < options->settings.count && code == STATUS_OK; i++) {
        code = keep_text(profile, &options->settings.items[i].name);
        if (code == STATUS_OK)
            code = keep_text(profile, &options->settings.items[i].value);
    }
    return code;
}

/* Which runs count; the name of slices outlives what the user gave. */
static status keep_choice(struct tacho_profile *profile, const struct tacho_read_options *options)
{
    const char *runs = options ? options->runs : NULL;
    status code = keep_text(profile, &runs);

    if (code != STATUS_OK)
        return code;
    return counting_start(&profile->counting, runs, options ? options->warmup : NULL, true, profile->session.strings);
}

enum tacho_status tacho_profile_open(const char *path, const struct tacho_read_options *options,
                                     struct tacho_profile **profile)
{
    struct session_options own;
    struct tacho_profile *made;
    status code;

    *profile = NULL;
    made = memory_allocate_clear(sizeof *made);
    if (!made)
        return to_public(status_no_memory("opening a profile"));
    store_start(&made->store);
    code = read_options_fill(&own, options);
    if (code == STATUS_OK)
        code = keep_texts(made, &own, &path);
    if (code == STATUS_OK)
        code = session_start(&made->session, &own);
    if (code == STATUS_OK)
        code = keep_choice(made, options);
    if (code == STATUS_OK)
        code = read_into(made, path);
    if (code == STATUS_OK)
        *profile = made;
    else
        tacho_profile_close(made);
    return to_public(code);
}

void tacho_profile_close(struct tacho_profile *profile)
{
    if (!profile)
        return;
    store_free(&profile->store);
    counted_runs_free(&profile->runs);
    counting_free(&profile->counting);
    session_end(&profile->session);
    arena_free(&profile->texts);
    memory_free(profile);
}

const char *tacho_profile_format(const struct tacho_profile *profile)
{
    return profile->session.profiles[0].reader->id;
}

struct tacho_row_counts tacho_profile_row_counts(const struct tacho_profile *profile)
{
    struct tacho_row_counts counts = { 0 };

    counts_add(&counts, &profile->session.profiles[0].losses);
    return counts;
}

static void note_runs(const struct tacho_profile *profile, struct table *table)
{
    char sentence[RUNS_SENTENCE];

    if (runs_sentence(&profile->runs, sentence))
        table_note(table, "%s", sentence);
}

static status make_overview(const struct tacho_profile *profile, struct table **table)
{
    status code = digest_overview(&profile->session.profiles[0], &profile->metrics, NULL, table);

    if (code == STATUS_OK)
        note_runs(profile, *table);
    return code;
}

static status break_down(const struct tacho_profile *profile, enum breakdown_by by, struct table **table)
{
    const struct profile *input = &profile->session.profiles[0];
    const struct field_set *sets[VOCABULARY_SETS];
    struct breakdown breakdown;
    const char *notes[PROFILE_NOTES];
    size_t count = profile_notes(input, &profile->metrics, notes);
    status code = breakdown_make(&profile->counting.busy, input->process, &profile->metrics, profile->session.strings,
                                 by, &breakdown);

    vocabulary_fields(breakdown_sets, sets);
    if (code == STATUS_OK)
        code = breakdown_table(&breakdown, sets, NULL, table);
    breakdown_free(&breakdown);
    if (code == STATUS_OK)
        note_runs(profile, *table);
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        table_note(*table, "%s", notes[i]);
    if (code != STATUS_OK || table_status(*table) == STATUS_OK)
        return code;
    table_free(*table);
    return status_no_memory("making a table");
}

/* The tables that are made of what is in memory. */
static const struct verb_table own_tables[] = {
    { "overview", "where the time went: a row per metric" },
    { "operators", "time by source operator, the longest first" },
    { "locations", "the same by source location" },
    { "types", "the same by type of operator" },
    { "engines", "the same by engine" },
    { "slices", "every slice with its ticks, its nanoseconds and its arguments" },
    { "losses", "rows that were lost, or kept although something was odd, by reason" },
    { 0 },
};

static bool is_listed(const struct verb_table *tables, const char *name)
{
    for (; tables && tables->name; tables++)
        if (strcmp(tables->name, name) == 0)
            return true;
    return false;
}

const char *tacho_table_name(size_t index, const char **description)
{
    struct verb_walk walk = { 0 };
    const struct verb *verb = NULL;
    const struct verb_table *table = own_tables;

    for (;;) {
        for (; table && table->name; table++) {
            if (verb && is_listed(own_tables, table->name))
                continue;
            if (!index--) {
                if (description)
                    *description = table->description;
                return table->name;
            }
        }
        verb = verb_next(&walk);
        if (!verb)
            return NULL;
        table = verb->tables;
    }
}

size_t tacho_table_count(void)
{
    size_t count = 0;

    while (tacho_table_name(count, NULL))
        count++;
    return count;
}

/* A table that a verb makes of the file. */
static status ask_verb(const struct tacho_profile *profile, const struct verb *verb, const char *name,
                       struct table **table)
{
    struct job job;
    status code = job_start(&job, verb);

    job.reading = profile->session.options;
    if (code == STATUS_OK)
        code = job_input(&job, profile->session.profiles[0].path);
    if (code == STATUS_OK)
        code = job_run(&job);
    if (code == STATUS_OK || code == STATUS_NO) {
        *table = job_take_table(&job, name);
        code = *table ? STATUS_OK
                      : status_fail(STATUS_USAGE, "tacho %s makes no table \"%s\" of this profile", verb->name, name);
    }
    job_free(&job);
    return code;
}

static status make_table(const struct tacho_profile *profile, const char *name, struct table **table)
{
    static const struct {
        const char *name;     /* of the table */
        enum breakdown_by by; /* what its rows are */
    } breakdowns[] = {
        { "operators", BREAKDOWN_OPERATOR },
        { "locations", BREAKDOWN_LOCATION },
        { "types", BREAKDOWN_TYPE },
        { "engines", BREAKDOWN_ENGINE },
    };
    const struct profile *input = &profile->session.profiles[0];
    struct verb_walk walk = { 0 };

    if (name && strcmp(name, "overview") == 0)
        return make_overview(profile, table);
    if (name && strcmp(name, "slices") == 0)
        return digest_slices(&profile->store, profile->session.strings, table);
    if (name && strcmp(name, "losses") == 0)
        return digest_losses(&input->losses, table);
    for (unsigned i = 0; name && i < sizeof breakdowns / sizeof *breakdowns; i++)
        if (strcmp(name, breakdowns[i].name) == 0)
            return break_down(profile, breakdowns[i].by, table);
    for (const struct verb *verb = verb_next(&walk); name && verb; verb = verb_next(&walk))
        if (is_listed(verb->tables, name))
            return ask_verb(profile, verb, name, table);
    return status_fail(STATUS_USAGE,
                       "no table is called \"%s\"; there are overview, operators, locations, types, engines, "
                       "slices and losses, and those of the verbs",
                       name ? name : "");
}

enum tacho_status tacho_profile_table(const struct tacho_profile *profile, const char *name, struct tacho_table **table)
{
    struct table *made = NULL;
    status code = make_table(profile, name, &made);

    *table = code == STATUS_OK ? (struct tacho_table *)made : NULL;
    return to_public(code);
}
