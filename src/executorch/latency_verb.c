/* latency_verb.c: tacho latency: how long an inference takes, and whether a change of it can be luck. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyze/overview.h"
#include "base/memory.h"
#include "base/number.h"
#include "executorch/chain.h"
#include "executorch/latency_output.h"
#include "executorch/launch_failure.h"
#include "executorch/launches_check.h"
#include "executorch/original/latency_files.h"
#include "executorch/same_model.h"
#include "job/job.h"

enum { MOST_ROUNDS = 1000000 };

struct settings_of_latency {
    struct texts timelines, compare, baseline, candidate, where; /* files and keys */
    const char *name, *name1, *name2;                            /* of the sides */
    const char *output_dir;                                      /* of the original's files; NULL: none */
    const char *seed, *rounds;                                   /* numbers, or NULL */
    bool verbose;                                                /* every launch, and all remarks */
    bool each_run;                                               /* a row per run */
    struct load_settings load;                                   /* how files are read */
};

#define AT(member) offsetof(struct settings_of_latency, member)

static const struct option options[] = {
    { "timeline-csv", 0, OPTION_LIST, AT(timelines), "FILE...", "launches to look at; the baseline of a comparison" },
    { "compare", 0, OPTION_LIST, AT(compare), "FILE...", "launches to compare with them: the candidate" },
    { "baseline", 0, OPTION_LIST, AT(baseline), "SIDE...", "files or KEY=VALUE: what the speedup is against" },
    { "candidate", 0, OPTION_LIST, AT(candidate), "SIDE...", "files or KEY=VALUE: what may be faster" },
    { "where", 0, OPTION_LIST, AT(where), "KEY=VALUE...", "rows of a CSV of launches, for both sides" },
    { "name", 0, OPTION_TEXT, AT(name), "NAME", "name of the launches (default: from the file)" },
    { "name1", 0, OPTION_TEXT, AT(name1), "NAME", "name of --timeline-csv in a comparison" },
    { "name2", 0, OPTION_TEXT, AT(name2), "NAME", "name of --compare" },
    { "output-dir", 0, OPTION_TEXT, AT(output_dir), "DIR", "write *_robust_stats.json, *_robust_comparison.json" },
    { "seed", 0, OPTION_TEXT, AT(seed), "N", "of the random draws (default 1)" },
    { "rounds", 0, OPTION_TEXT, AT(rounds), "N", "random draws for an interval (default 2000)" },
    { "each-run", 0, OPTION_FLAG, AT(each_run), NULL, "the time of each run, warm-up included, instead" },
    { "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "every launch, and what the tests say" },
    LOAD_OPTIONS(struct settings_of_latency, load),
    LOAD_MODELS(struct settings_of_latency, load),
    { 0 },
};

/* ---- sides: which files, which rows, which name --------------------------------------------------------------------- */

struct side {
    struct texts files;          /* of its launches */
    struct texts keys;           /* that choose rows of them */
    char name[256];              /* for people */
    const char *given_name;      /* NULL: none */
    struct launch_choice choice; /* the keys */
    struct launches launches;    /* that were read */
    struct losses losses;        /* of all files */
    size_t failed;               /* files of launches that failed */
};

/* All that the answer points into; it lives as long as what the job made. */
struct work {
    struct job *job;                            /* borrowed */
    const struct settings_of_latency *settings; /* of the job */
    struct texts first;                         /* files that are on no named side */
    struct side baseline, candidate;            /* the candidate has no files where nothing is compared */
    struct same_model model;                    /* of all files */
    char **warnings;                            /* its own texts */
    size_t warning_count, warning_capacity;     /* of them */
    struct failures failures;                   /* manifests beside the files */
    char **failed;                              /* what failed, and why; its own texts */
    size_t failed_count, failed_capacity;       /* of them */
    struct latency_summary summary;             /* of the only side */
    struct latency_comparison comparison;       /* of two */
    struct latency_answer answer;               /* points into all of this */
};

static bool holds(const struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++)
        if (launches_same_file(texts->items[i], text))
            return true;
    return false;
}

static status add_texts(struct texts *to, const struct texts *from)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < from->count && code == STATUS_OK; i++)
        code = texts_add(to, from->items[i]);
    return code;
}

/* Of --baseline or --candidate: a word with "=" that is no file is a key. */
static status split_words(const struct texts *words, struct side *side)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < words->count && code == STATUS_OK; i++) {
        bool key = strchr(words->items[i], '=') && access(words->items[i], F_OK) != 0;

        code = texts_add(key ? &side->keys : &side->files, words->items[i]);
    }
    return code;
}

/* Files of --timeline-csv and --compare that the other side has not taken. */
static status take_rest(const struct work *work, struct side *side, const struct side *other)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < work->first.count && code == STATUS_OK; i++)
        if (!holds(&other->files, work->first.items[i]))
            code = texts_add(&side->files, work->first.items[i]);
    for (size_t i = 0; i < work->settings->compare.count && code == STATUS_OK; i++)
        if (!holds(&other->files, work->settings->compare.items[i]))
            code = texts_add(&side->files, work->settings->compare.items[i]);
    if (code == STATUS_OK && !side->files.count && side->keys.count)
        code = add_texts(&side->files, &other->files); /* one table, told apart by keys */
    return code;
}

static status share_files(struct work *work)
{
    struct side *baseline = &work->baseline, *candidate = &work->candidate;
    status code;

    if (baseline->files.count && candidate->files.count)
        return STATUS_OK;
    if (baseline->files.count)
        return take_rest(work, candidate, baseline);
    if (candidate->files.count)
        return take_rest(work, baseline, candidate);
    code = add_texts(&baseline->files, &work->first);
    if (code == STATUS_OK)
        code = add_texts(&candidate->files, &work->settings->compare);
    if (code == STATUS_OK && !candidate->files.count && candidate->keys.count)
        code = add_texts(&candidate->files, &work->first);
    return code;
}

/* What the stems of the files begin with alike, without what every file of a pipeline ends in. */
static void name_by_files(struct side *side)
{
    static const char *const endings[] = { "_exec_all_runs_timeline", "_exec_run0_timeline", "_all_runs_timeline",
                                           "_latency" };
    size_t length;

    text_copy(side->name, sizeof side->name, path_stem(side->files.items[0]));
    length = strlen(side->name);
    for (size_t i = 1; i < side->files.count; i++) {
        char other[sizeof side->name];
        size_t same = 0;

        text_copy(other, sizeof other, path_stem(side->files.items[i]));
        while (same < length && other[same] == side->name[same])
            same++;
        length = same;
    }
    /* Of "_l1" and "_l2" not "_l" but what is before: back to the last whole word. */
    if (side->name[length]) {
        size_t end = length;

        while (end && side->name[end] != '_' && side->name[end] != '-')
            end--;
        if (end)
            side->name[end] = '\0';
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (path_ends(side->name, endings[i]))
            side->name[strlen(side->name) - strlen(endings[i])] = '\0';
}

/* Files of one name in two folders: the folders tell them apart. */
static void tell_apart(struct side *side)
{
    const char *path = side->files.items[0], *name = path_name(path);
    const char *folder = name > path ? name - 1 : path;
    char stem[sizeof side->name];

    while (folder > path && folder[-1] != '/')
        folder--;
    if (folder >= name - 1)
        return;
    snprintf(stem, sizeof stem, "%s", side->name);
    snprintf(side->name, sizeof side->name, "%.*s/%.120s", (int)(name - 1 - folder), folder, stem);
}

/* Without a name of the user's: the chosen keys, or the file's name. */
static void name_side(const struct settings_of_latency *settings, struct side *side)
{
    size_t length = 0;

    side->given_name =
        settings->candidate.count || settings->compare.count || settings->baseline.count
            ? (side->files.count && holds(&settings->compare, side->files.items[0]) ? settings->name2 : settings->name1)
            : settings->name;
    if (side->given_name) {
        snprintf(side->name, sizeof side->name, "%s", side->given_name);
        return;
    }
    for (size_t i = 0; i < side->keys.count && length < sizeof side->name; i++)
        length += (size_t)snprintf(side->name + length, sizeof side->name - length, "%s%s", i ? " " : "",
                                   side->keys.items[i]);
    if (!length && side->files.count)
        name_by_files(side);
}

static status choose_sides(struct work *work)
{
    const struct settings_of_latency *settings = work->settings;
    struct side *baseline = &work->baseline, *candidate = &work->candidate;
    status code = add_texts(&work->first, &settings->timelines);

    if (code == STATUS_OK)
        code = add_texts(&work->first, &work->job->inputs);
    if (code == STATUS_OK)
        code = split_words(&settings->baseline, baseline);
    if (code == STATUS_OK)
        code = split_words(&settings->candidate, candidate);
    if (code == STATUS_OK)
        code = share_files(work);
    if (code != STATUS_OK)
        return code;
    if (!baseline->files.count)
        return status_fail(STATUS_USAGE,
                           "tacho latency wants launches: --timeline-csv FILE...; see tacho latency --help");
    if (!candidate->files.count && (settings->candidate.count || settings->compare.count || settings->baseline.count))
        return status_fail(STATUS_USAGE, "there is nothing to compare with: give --candidate or --compare");
    name_side(settings, baseline);
    name_side(settings, candidate);
    /* Names from --name1 and --name2 in a comparison whose sides are told apart by keys. */
    if (candidate->files.count && !settings->compare.count && settings->name2) {
        candidate->given_name = settings->name2;
        snprintf(candidate->name, sizeof candidate->name, "%s", settings->name2);
    }
    if (candidate->files.count && !baseline->given_name && !candidate->given_name &&
        strcmp(baseline->name, candidate->name) == 0) {
        tell_apart(baseline);
        tell_apart(candidate);
    }
    code = add_texts(&baseline->keys, &settings->where);
    return code == STATUS_OK ? add_texts(&candidate->keys, &settings->where) : code;
}

/* ---- warnings ------------------------------------------------------------------------------------------------------ */

static void keep_warning(void *self, const char *text)
{
    struct work *work = self;
    char *copy = memory_copy_text(text);

    job_note(work->job, NOTE_WARNING, NULL, "%s", text);
    if (copy && memory_grow(&work->warnings, &work->warning_capacity, work->warning_count + 1,
                            sizeof *work->warnings) == STATUS_OK)
        work->warnings[work->warning_count++] = copy;
    else
        memory_free(copy);
}

static void report_file(struct job *job, const struct launch_file *file)
{
    job_note_losses(job, file->path, &file->losses, file->notes, file->note_count);
    if (file->without_execute)
        job_note(job, NOTE_PLAIN, file->path, "note: runs without Method::execute, which do not count: %zu",
                 file->without_execute);
    if (file->without_time)
        job_note(job, NOTE_PLAIN, file->path, "note: runs that last 0, which do not count: %zu", file->without_time);
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

static bool given_before(const struct side *side, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (launches_same_file(side->files.items[i], side->files.items[index]))
            return true;
    return false;
}

static status warn_twice(struct work *work, const char *path)
{
    struct path text = { 0 };
    status code = path_set(&text, "%s is given twice on one side: it counts once", path);

    if (code == STATUS_OK)
        keep_warning(work, text.text);
    path_free(&text);
    return code;
}

/* A launch that failed has no time, and stands before all that have one. */
static status keep_failure(struct work *work, struct side *side, const char *path, const char *reason)
{
    struct path text = { .text = NULL };
    status code = path_set(&text, "%s: %s is of a launch that failed, and has no time: %s", side->name, path, reason);

    if (code == STATUS_OK)
        code = memory_grow(&work->failed, &work->failed_capacity, work->failed_count + 1, sizeof *work->failed);
    if (code != STATUS_OK) {
        path_free(&text);
        return code;
    }
    work->failed[work->failed_count++] = text.text;
    side->failed++;
    return STATUS_OK;
}

static status check_failed(const struct work *work, const struct side *side)
{
    if (!side->failed || side->launches.times.count)
        return STATUS_OK;
    return status_fail(STATUS_INPUT, "%s%s", work->failed[work->failed_count - 1],
                       side->failed > 1 ? " (all of this side failed: there is nothing to compare)"
                                        : " (there is nothing to compare)");
}

static status read_side(struct work *work, struct side *side, const struct side *before)
{
    char sentence[LAUNCH_SENTENCE];
    struct path reason;
    struct load_options load;
    status code = load_options_of(&work->settings->load, &load);

    load.runs = work->job->runs;
    load.model = work->settings->load.different_models ? NULL : &work->model;
    side->choice = (struct launch_choice){ side->keys.items, side->keys.count };
    for (size_t i = 0; i < side->files.count && code == STATUS_OK; i++) {
        const char *path = side->files.items[i];

        if (given_before(side, i)) {
            code = warn_twice(work, path);
            continue;
        }
        code = failures_find(&work->failures, path, &reason);
        if (code == STATUS_OK && reason.length) {
            code = keep_failure(work, side, path, reason.text);
            path_free(&reason);
            continue;
        }
        path_free(&reason);
        if (code == STATUS_OK)
            code = launches_add(&side->launches, path, &side->choice, &load);
        if (code == STATUS_OK) {
            const struct launch_file *file = &side->launches.files[side->launches.file_count - 1];

            losses_join(&side->losses, &file->losses);
            if (!before || !holds(&before->files, path))
                report_file(work->job, file);
            if (file->failed)
                code = keep_failure(work, side, path, file->failed);
        }
    }
    if (code == STATUS_OK && launch_times_ranks(&side->launches.times, 0, sentence))
        job_note(work->job, NOTE_PLAIN, NULL, "note: %s: %s", side->name, sentence);
    return code == STATUS_OK ? check_failed(work, side) : code;
}

static status parse_number(const char *name, const char *text, int64_t least, int64_t most, int64_t *number)
{
    if (number_parse_integer(text, strlen(text), number) && *number >= least && *number <= most)
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "--%s wants a whole number from %lld to %lld, not \"%s\"", name, (long long)least,
                       (long long)most, text);
}

static status parse_options(const struct settings_of_latency *settings, const char *warmup,
                            struct latency_options *latency)
{
    int64_t number;
    status code;

    *latency = LATENCY_DEFAULTS;
    code = warmup_parse(warmup, &latency->warmup);
    if (code == STATUS_OK && settings->seed) {
        code = parse_number("seed", settings->seed, 0, INT64_MAX, &number);
        latency->seed = (uint64_t)number;
    }
    if (code == STATUS_OK && settings->rounds) {
        code = parse_number("rounds", settings->rounds, 1, MOST_ROUNDS, &number);
        latency->rounds = (unsigned)number;
    }
    return code;
}

/* ---- products ------------------------------------------------------------------------------------------------------ */

static void write_json(struct output *output, const void *data, const struct printer_style *style)
{
    (void)style;
    latency_write_answer(output, &((const struct work *)data)->answer);
}

enum { TABLES = 3 };

static struct latency_side side_of(const struct side *side)
{
    return (struct latency_side){ .name = side->name,
                                  .launches = side->launches.times.items,
                                  .count = side->launches.times.count };
}

static void add_notes(const struct work *work, struct table *metrics, struct table *sides)
{
    const struct latency_answer *answer = &work->answer;
    char remark[LATENCY_SENTENCE];
    bool all = work->settings->verbose || work->job->output;

    for (unsigned i = 0; answer->comparison && latency_comparison_remark(answer->comparison, i, remark); i++)
        if (all || text_begins(text_of(remark), "mode "))
            table_note(metrics, "%s", remark);
    /* On a terminal they are notes of the job. */
    for (unsigned i = 0; work->job->output && i < 2 && answer->losses[i]; i++)
        overview_note_losses(sides, i || answer->candidate ? (i ? answer->candidate : answer->baseline)->name : NULL,
                             answer->losses[i]);
}

static status make_tables(const struct work *work, struct table *tables[TABLES])
{
    const struct latency_answer *answer = &work->answer;
    const struct view_request *request = &work->job->view;
    status code = STATUS_OK;

    if (work->settings->each_run) {
        struct latency_side one = side_of(&work->baseline), other = side_of(&work->candidate);

        return latency_runs_table(&one, answer->baseline, answer->candidate ? &other : NULL, answer->candidate, request,
                                  &tables[0]);
    }
    /* A view is of the launches, one by one. */
    if (view_is_asked(request))
        return latency_launches_table(answer->baseline, answer->candidate, request, &tables[0]);
    code = latency_metrics_table(answer->baseline, answer->candidate, &tables[0]);
    if (code == STATUS_OK)
        code = latency_sides_table(answer->baseline, answer->candidate, &tables[1]);
    if (code == STATUS_OK)
        code = latency_launches_table(answer->baseline, answer->candidate, NULL, &tables[2]);
    if (code == STATUS_OK)
        add_notes(work, tables[0], tables[1]);
    return code;
}

static void sentence_of(const struct latency_answer *answer, char sentence[LATENCY_SENTENCE])
{
    if (answer->comparison)
        latency_sentence(answer->comparison, sentence);
    else
        latency_summary_sentence(answer->baseline, sentence);
}

/* Lines that end in zeros, as wide as the terminal. */
static void write_lines(struct output *output, const void *data, const struct printer_style *style)
{
    size_t length;
    const char *line = output_memory((struct output *)data, &length), *end = line + length;

    for (; line && line < end; line += strlen(line) + 1)
        text_write_wrapped(output, style, "", line);
}

static void abandon_lines(void *data)
{
    output_abandon(data);
}

static status add_sentence(struct job *job, const struct latency_answer *answer)
{
    char sentence[LATENCY_SENTENCE];
    struct output *output;
    status code = output_open_memory(&output);

    if (code != STATUS_OK)
        return code;
    sentence_of(answer, sentence);
    for (size_t i = 0; i < answer->failure_count; i++)
        output_write(output, answer->failures[i], strlen(answer->failures[i]) + 1);
    output_write(output, sentence, strlen(sentence) + 1);
    if (answer->comparison) {
        output_format(output, "baseline %s %.3f ms, candidate %s %.3f ms", answer->baseline->name,
                      answer->baseline->median, answer->candidate->name, answer->candidate->median);
        output_write(output, "", 1);
        output_format(output, "speedup = baseline/candidate = %.3f", answer->comparison->speedup);
        output_write(output, "", 1);
    }
    code = output_status(output);
    if (code != STATUS_OK) {
        output_abandon(output);
        return code;
    }
    return job_block(job, "sentence", write_lines, output, abandon_lines);
}

static status add_products(struct work *work)
{
    struct table *tables[TABLES] = { 0 };
    struct job *job = work->job;
    char sentence[LATENCY_SENTENCE];
    bool view = view_is_asked(&job->view) || work->settings->each_run;
    status code = make_tables(work, tables);

    sentence_of(&work->answer, sentence);
    for (size_t i = 0; code == STATUS_OK && job->output && i < work->failed_count; i++)
        table_note(tables[0], "%s", work->failed[i]);
    if (code == STATUS_OK && job->output && !view)
        table_note(tables[0], "%s", sentence);
    if (code == STATUS_OK && !view)
        code = add_sentence(job, &work->answer);
    for (unsigned i = 0; i < TABLES; i++) {
        if (code == STATUS_OK && tables[i]) {
            code = job_table(job, tables[i]);
            if (code == STATUS_OK)
                job_last(job)->machine = i == TABLES - 1 && !work->settings->verbose && !view;
        } else {
            table_free(tables[i]);
        }
    }
    return code;
}

static status write_files(const struct work *work)
{
    const struct side *baseline = &work->baseline, *candidate = &work->candidate;
    struct latency_output_side one = { &baseline->launches, baseline->name, work->settings->name, &baseline->choice };
    struct latency_output_side other = { &candidate->launches, candidate->name, NULL, &candidate->choice };

    if (!work->settings->output_dir)
        return STATUS_OK;
    return latency_output_write(work->settings->output_dir, &one, candidate->files.count ? &other : NULL);
}

/* ---- run ----------------------------------------------------------------------------------------------------------- */

static status find_answer(struct work *work)
{
    struct latency_side one = side_of(&work->baseline), other = side_of(&work->candidate);
    struct latency_answer *answer = &work->answer;
    status code;

    answer->warnings = (const char *const *)work->warnings;
    answer->warning_count = work->warning_count;
    answer->failures = (const char *const *)work->failed;
    answer->failure_count = work->failed_count;
    answer->losses[0] = &work->baseline.losses;
    if (!work->candidate.files.count) {
        code = latency_summarise(&one, &answer->options, &work->summary);
        answer->baseline = &work->summary;
        return code;
    }
    code = latency_compare(&one, &other, &answer->options, &work->comparison);
    answer->baseline = &work->comparison.baseline;
    answer->candidate = &work->comparison.candidate;
    answer->comparison = &work->comparison;
    answer->losses[1] = &work->candidate.losses;
    return code;
}

static status check_output(const struct job *job, const struct side *side)
{
    for (size_t i = 0; job->output && i < side->files.count; i++)
        if (launches_same_file(side->files.items[i], job->output))
            return status_fail(STATUS_USAGE, "%s is an input: writing there would destroy it", job->output);
    return STATUS_OK;
}

static status compare(struct work *work)
{
    struct launch_warnings warnings = { keep_warning, work };
    status code = choose_sides(work);

    if (code == STATUS_OK)
        code = parse_options(work->settings, work->job->warmup, &work->answer.options);
    if (code == STATUS_OK)
        code = check_output(work->job, &work->baseline);
    if (code == STATUS_OK)
        code = check_output(work->job, &work->candidate);
    if (code == STATUS_OK)
        code = read_side(work, &work->baseline, NULL);
    if (code == STATUS_OK)
        code = read_side(work, &work->candidate, &work->baseline);
    if (code != STATUS_OK)
        return code;
    launches_check_side(&work->baseline.launches, work->baseline.given_name, &warnings);
    launches_check_side(&work->candidate.launches, work->candidate.given_name, &warnings);
    launches_check_pair(&work->baseline.launches, &work->candidate.launches, &warnings);
    code = write_files(work);
    if (code == STATUS_OK)
        code = find_answer(work);
    return code == STATUS_OK ? add_products(work) : code;
}

static void free_side(struct side *side)
{
    texts_free(&side->files);
    texts_free(&side->keys);
    launches_free(&side->launches);
}

static void free_work(void *data)
{
    struct work *work = data;

    if (work->answer.comparison)
        latency_comparison_free(&work->comparison);
    else if (work->answer.baseline)
        latency_summary_free(&work->summary);
    texts_free(&work->first);
    free_side(&work->baseline);
    free_side(&work->candidate);
    for (size_t i = 0; i < work->warning_count; i++)
        memory_free(work->warnings[i]);
    memory_free(work->warnings);
    for (size_t i = 0; i < work->failed_count; i++)
        memory_free(work->failed[i]);
    memory_free(work->failed);
    failures_free(&work->failures);
    same_model_free(&work->model);
    memory_free(work);
}

static status run(struct job *job)
{
    struct work *work = memory_allocate_clear(sizeof *work);
    status code;

    if (!work)
        return status_no_memory("starting");
    work->job = job;
    work->settings = job->settings;
    same_model_start(&work->model);
    launches_start(&work->baseline.launches);
    launches_start(&work->candidate.launches);
    code = compare(work);
    if (code == STATUS_OK && !view_is_asked(&job->view) && !work->settings->each_run)
        return job_json(job, write_json, work, free_work);
    free_work(work);
    return code;
}

static const struct verb_table tables_made[] = {
    { .name = "metrics", .description = "median, interval, quantiles of each side, and the speedup" },
    { .name = "sides", .description = "a row per side: launches, runs, what they vary by" },
    { .name = "launches", .description = "a row per launch" },
    { .name = "runs", .description = "a row per run, with those that do not count", .option = "each-run" },
    { 0 },
};

const struct verb latency_verb = {
    .name = "latency",
    .summary = "compare latencies of launches: how much faster, and is it luck",
    .usage = "[options] FILE... [--compare FILE...]",
    .takes = VERB_VIEWS | VERB_RUNS | VERB_OUTPUTS | VERB_JSON,
    .output_help = "write tables: .csv .json .md .html .xlsx",
    .options = options,
    .settings_size = sizeof(struct settings_of_latency),
    .tables = tables_made,
    .refuses = verb_wants_times,
    .run = run,
};
