/* tacho_profile.c: the public functions that read a profile into memory and answer with tables. */
#include <assert.h>
#include <string.h>

#include "analyze/breakdown.h"
#include "analyze/overview.h"
#include "base/arena.h"
#include "base/memory.h"
#include "job/digest.h"
#include "job/public.h"
#include "job/tables.h"
#include "job/vocabulary.h"

enum { MOST_GIVEN = 7 + SETTINGS_MOST }; /* options of reading that have a field, and those of chains */

struct tacho_profile {
    struct arena texts;                    /* copies of what the user gave */
    const char **paths;                    /* of its inputs; in the arena */
    const struct reader **readers;         /* of them; in the arena */
    size_t count;                          /* of paths and readers */
    struct tacho_option given[MOST_GIVEN]; /* how they are read, by the names that the command has */
    size_t given_count;                    /* of given */
    struct session session;                /* holds the inputs */
    /* Of one input; several are read by the verb that is asked. */
    struct store store;       /* all that was read */
    struct counting counting; /* of its runs */
    struct counted_runs runs; /* that tables are about */
    struct metrics metrics;   /* of those */
};

static void close_file(struct profile *profile)
{
    input_close(profile->input);
    profile->input = NULL;
}

static status read_into(struct tacho_profile *profile)
{
    struct session *session = &profile->session;
    struct tee *tee = &profile->counting.tee;
    struct feed feed;
    status code = tee_add(tee, store_sink(&profile->store));

    feed_start(&feed, tee_sink(tee), session->strings);
    if (code == STATUS_OK)
        code = session_read(session, &session->profiles[0], &feed);
    feed_free(&feed);
    if (code == STATUS_OK)
        code = counting_take(&profile->counting, &session->profiles[0], &profile->runs, &profile->metrics);
    /* All of it is in memory now. */
    close_file(&session->profiles[0]);
    return code;
}

static status keep_text(struct arena *texts, const char **text)
{
    const char *copy = *text ? arena_copy(texts, *text, strlen(*text)) : NULL;

    if (*text && !copy)
        return status_no_memory("opening a profile");
    *text = copy;
    return STATUS_OK;
}

/* Tables may be asked for long after the texts of the options are gone. */
status read_options_keep(struct arena *arena, struct session_options *own, struct tacho_read_options *options)
{
    const char **texts[] = { &own->format, &own->clock_mhz, &own->ticks, &options->runs, &options->warmup };
    status code = STATUS_OK;

    for (size_t i = 0; i < sizeof texts / sizeof *texts && code == STATUS_OK; i++)
        code = keep_text(arena, texts[i]);
    for (size_t i = 0; i < own->settings.count && code == STATUS_OK; i++) {
        code = keep_text(arena, &own->settings.items[i].name);
        if (code == STATUS_OK)
            code = keep_text(arena, &own->settings.items[i].value);
    }
    return code;
}

static status keep_paths(struct tacho_profile *profile, const char *const *paths, size_t count)
{
    status code = STATUS_OK;

    profile->paths = arena_allocate(&profile->texts, count * sizeof *profile->paths, _Alignof(const char *));
    profile->readers = arena_allocate(&profile->texts, count * sizeof *profile->readers, _Alignof(const char *));
    if (!profile->paths || !profile->readers)
        return status_no_memory("opening a profile");
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        profile->paths[i] = paths[i];
        code = keep_text(&profile->texts, &profile->paths[i]);
    }
    profile->count = count;
    return code;
}

static void give(struct tacho_profile *profile, const char *name, const char *value)
{
    assert(profile->given_count < MOST_GIVEN);
    profile->given[profile->given_count++] = (struct tacho_option){ name, value };
}

/* The options as a verb takes them; their texts are the profile's. */
static void list_given(struct tacho_profile *profile, const struct session_options *own,
                       const struct tacho_read_options *options)
{
    const struct tacho_option texts[] = {
        { "format", own->format }, { "clock-mhz", own->clock_mhz }, { "ticks", own->ticks },
        { "runs", options->runs }, { "warmup", options->warmup },
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].value)
            give(profile, texts[i].name, texts[i].value);
    if (own->strict)
        give(profile, "strict", NULL);
    if (own->force_companion)
        give(profile, "force-companion", NULL);
    for (size_t i = 0; i < own->settings.count; i++)
        give(profile, own->settings.items[i].name, own->settings.items[i].value);
}

static status open_inputs(struct tacho_profile *profile, const char *const *paths, size_t count,
                          struct tacho_read_options options)
{
    struct session_options own;
    status code = read_options_fill(&own, &options);

    if (code == STATUS_OK)
        code = read_options_keep(&profile->texts, &own, &options);
    if (code == STATUS_OK)
        code = keep_paths(profile, paths, count);
    if (code == STATUS_OK)
        code = session_start(&profile->session, &own);
    if (code == STATUS_OK) {
        list_given(profile, &own, &options);
        code = counting_start(&profile->counting, options.runs, options.warmup, true, profile->session.strings);
    }
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        code = open_input(&profile->session, NULL, profile->paths[i]);
        if (code == STATUS_OK)
            profile->readers[i] = profile->session.profiles[i].reader;
        /* Whoever is asked about several opens them again, and there may be more than a process may have open. */
        if (code == STATUS_OK && count > 1)
            close_file(&profile->session.profiles[i]);
    }
    return code;
}

enum tacho_status tacho_profile_open_several(const char *const *paths, size_t count,
                                             const struct tacho_read_options *options, struct tacho_profile **profile)
{
    struct tacho_profile *made;
    status code;

    *profile = NULL;
    if (!count)
        return to_public(status_fail(STATUS_USAGE, "a profile wants the path of a file"));
    made = memory_allocate_clear(sizeof *made);
    if (!made)
        return to_public(status_no_memory("opening a profile"));
    store_start(&made->store);
    code = open_inputs(made, paths, count, options ? *options : (struct tacho_read_options){ 0 });
    if (code == STATUS_OK && count == 1)
        code = read_into(made);
    if (code == STATUS_OK)
        *profile = made;
    else
        tacho_profile_close(made);
    return to_public(code);
}

enum tacho_status tacho_profile_open(const char *path, const struct tacho_read_options *options,
                                     struct tacho_profile **profile)
{
    return tacho_profile_open_several(&path, 1, options, profile);
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
    if (code == STATUS_OK)
        overview_note_losses(*table, NULL, &input->losses);
    if (code != STATUS_OK || table_status(*table) == STATUS_OK)
        return code;
    table_free(*table);
    return status_no_memory("making a table");
}

/* ---- which tables there are --------------------------------------------------------------------------------------- */

/* What a profile can be asked; NULL: what some profile may be asked. */
static struct tables_of asked_of(const struct tacho_profile *profile)
{
    return profile ? (struct tables_of){ .readers = profile->readers, .count = profile->count }
                   : (struct tables_of){ .count = 0 };
}

static const char *name_of(const struct verb_table *table, const char **description)
{
    if (table && description)
        *description = table->description;
    return table ? table->name : NULL;
}

const char *tacho_table_name(size_t index, const char **description)
{
    return name_of(tables_at(index, asked_of(NULL)), description);
}

const char *tacho_profile_table_name(const struct tacho_profile *profile, size_t index, const char **description)
{
    return name_of(tables_at(index, asked_of(profile)), description);
}

size_t tacho_table_count(void)
{
    size_t count = 0;

    while (tacho_table_name(count, NULL))
        count++;
    return count;
}

/* ---- asking --------------------------------------------------------------------------------------------------------- */

static struct question question_of(const struct tacho_profile *profile, const struct tacho_option *options,
                                   size_t count)
{
    return (struct question){ .given = profile->given,
                              .given_count = profile->given_count,
                              .inputs = profile->paths,
                              .input_count = profile->count,
                              .asked = options,
                              .asked_count = count };
}

enum tacho_status tacho_profile_run(const struct tacho_profile *profile, const char *verb,
                                    const struct tacho_option *options, size_t option_count,
                                    struct tacho_result **result)
{
    const struct question question = question_of(profile, options, option_count);

    return question_run(&question, verb, result);
}

/* What the table is made with, unless the user says something else. */
static status set_option(struct job *job, const struct verb_table *table, const struct question *question)
{
    for (size_t i = 0; i < question->asked_count; i++)
        if (question->asked[i].name && table->option && strcmp(question->asked[i].name, table->option) == 0)
            return STATUS_OK;
    /* Overviews of several inputs stand side by side in one table, which nobody has to ask for. */
    if (!table->option || (question->input_count > 1 && strcmp(table->option, "columns") == 0))
        return STATUS_OK;
    return tables_prepare(table, job);
}

/* A table that a verb makes of the inputs. */
static status ask_verb(const struct question *question, const struct verb *verb, const struct verb_table *asked,
                       struct table **table)
{
    struct job job;
    status code = job_start(&job, verb);

    if (code == STATUS_OK)
        code = set_option(&job, asked, question);
    if (code == STATUS_OK)
        code = question_fill(question, &job);
    if (code == STATUS_OK)
        code = job_run(&job);
    if (code == STATUS_OK || code == STATUS_NO)
        code = tables_take(asked, &job, table);
    job_free(&job);
    return code;
}

/* One of the own tables, of what is in memory. */
static status make_own(const struct tacho_profile *profile, const char *name, struct table **table)
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

    assert(profile->count == 1);
    for (unsigned i = 0; i < sizeof breakdowns / sizeof *breakdowns; i++)
        if (strcmp(name, breakdowns[i].name) == 0)
            return break_down(profile, breakdowns[i].by, table);
    if (strcmp(name, "overview") == 0)
        return make_overview(profile, table);
    if (strcmp(name, "losses") == 0)
        return digest_losses(&profile->session.profiles[0].losses, table);
    return digest_slices(&profile->store, profile->session.strings, table);
}

static status make_table(const struct tacho_profile *profile, const char *name, const struct question *question,
                         struct table **table)
{
    const struct verb *verb;
    const struct verb_table *made = tables_named(name, asked_of(profile), &verb);

    if (!made)
        return status_fail(
            STATUS_USAGE,
            "no table of this profile is called \"%s\"; there are overview, operators, locations, types, "
            "engines, slices and losses, and those of the verbs that read such a profile",
            name);
    if (!tables_is_own(made))
        return ask_verb(question, verb, made, table);
    if (profile->count == 1 && !question->asked_count)
        return make_own(profile, name, table);
    if (profile->count > 1 && strcmp(name, "overview") != 0)
        return status_fail(STATUS_USAGE, "the table \"%s\" is about one input, and there are %zu", name,
                           profile->count);
    if (!verb)
        return status_fail(STATUS_USAGE, "the table \"%s\" takes no options", name);
    return ask_verb(question, verb, made, table);
}

enum tacho_status tacho_profile_ask(const struct tacho_profile *profile, const char *name,
                                    const struct tacho_option *options, size_t option_count, struct tacho_table **table)
{
    const struct question question = question_of(profile, options, option_count);
    struct table *made = NULL;
    status code = make_table(profile, name ? name : "", &question, &made);

    *table = code == STATUS_OK ? (struct tacho_table *)made : NULL;
    return to_public(code);
}

enum tacho_status tacho_profile_table(const struct tacho_profile *profile, const char *name, struct tacho_table **table)
{
    return tacho_profile_ask(profile, name, NULL, 0, table);
}
