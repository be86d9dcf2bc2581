/* history_add.c: a profile on its way into a store: what it is of, what its launches took, what else is to be known of it. */
#define XXH_INLINE_ALL
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

#include "base/folder.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/path.h"
#include "base/process.h"
#include "history/history_verb.h"
#include "job/advise.h"
#include "job/compare.h"
#include "read/chain.h"

/* While a profile is added. */
struct adding {
    struct job *job;                                                     /* borrowed */
    const char *path;                                                    /* of the profile; the same */
    const struct run_profile *told;                                      /* what its folder says of it; NULL: nothing */
    const struct chain *chain;                                           /* whose folder that is; NULL: it is in none */
    struct texts labels;                                                 /* given, or told */
    const char *device;                                                  /* the same; empty: neither */
    struct history_profile profile;                                      /* that is made */
    struct compare_answer *answer;                                       /* its launches; owned */
    struct latency_summary summary;                                      /* of these */
    struct advised advised;                                              /* what would be worth doing */
    struct advice_note *advice;                                          /* the same, in short; owned */
    struct texts notes;                                                  /* texts of the job and of the answer */
    char *content;                                                       /* bytes of the file; owned */
    char model[HISTORY_WORD], build[HISTORY_WORD], commit[HISTORY_WORD]; /* where they were not given */
};

/* ---- what it is of ------------------------------------------------------------------------------------------------------------ */

static const char *first_variable(const char *const *names)
{
    for (; *names; names++) {
        const char *value = getenv(*names);

        if (value && *value)
            return value;
    }
    return NULL;
}

/* The commit that git has here; empty: there is no git, or it knows none. */
static void ask_git(char to[HISTORY_WORD])
{
    static const char *const arguments[] = { "git", "rev-parse", "HEAD", NULL };
    struct process_request request = { .arguments = arguments, .limit = HISTORY_WORD - 1, .timeout_ms = 10000 };
    struct process_result result;
    struct output *output;
    const char *said;
    size_t length;

    to[0] = '\0';
    if (output_open_memory(&output) != STATUS_OK)
        return;
    request.output = output;
    if (process_run(&request, &result) == STATUS_OK && process_succeeded(&result)) {
        said = output_memory(output, &length);
        text_copy(to, HISTORY_WORD, (struct text){ said, strcspn(said, "\n") < length ? strcspn(said, "\n") : length });
    }
    output_abandon(output);
}

static const char *git_commit(struct history_settings *settings)
{
    if (!settings->git_asked)
        ask_git(settings->git_commit);
    settings->git_asked = true;
    return settings->git_commit;
}

/* A name that was cut would be another one's. */
static status take_word(const struct adding *adding, const char *what, struct text word, char to[HISTORY_WORD])
{
    if (word.length >= HISTORY_WORD)
        return status_fail(STATUS_USAGE, "%s: the name of its %s has %zu bytes: %d are the most", adding->path, what,
                           word.length, HISTORY_WORD - 1);
    text_copy(to, HISTORY_WORD, word);
    return STATUS_OK;
}

/* Given, else told by the folder, else of the variables that systems of continuous integration set, else of git. */
static status find_build(struct adding *adding, struct history_settings *settings)
{
    /* GitHub, GitLab, Jenkins, Buildkite, CircleCI, Azure, Bitbucket */
    static const char *const commits[] = { "GITHUB_SHA",  "CI_COMMIT_SHA",       "GIT_COMMIT",       "BUILDKITE_COMMIT",
                                           "CIRCLE_SHA1", "BUILD_SOURCEVERSION", "BITBUCKET_COMMIT", NULL };
    static const char *const builds[] = { "GITHUB_RUN_NUMBER",      "CI_PIPELINE_IID",
                                          "BUILD_NUMBER",           "BUILDKITE_BUILD_NUMBER",
                                          "CIRCLE_BUILD_NUM",       "BUILD_BUILDNUMBER",
                                          "BITBUCKET_BUILD_NUMBER", NULL };
    const char *commit = settings->commit ? settings->commit : adding->told ? adding->told->commit : NULL;
    const char *build = settings->build ? settings->build : adding->told ? adding->told->build : NULL;
    status code;

    commit = commit ? commit : first_variable(commits);
    build = build ? build : first_variable(builds);
    code = take_word(adding, "commit", text_of(commit ? commit : git_commit(settings)), adding->commit);
    if (code == STATUS_OK && build)
        return take_word(adding, "build", text_of(build), adding->build);
    snprintf(adding->build, sizeof adding->build, "%.12s", adding->commit);
    return code;
}

static bool has_key(const struct texts *labels, const char *label)
{
    size_t length = (size_t)(strchr(label, '=') - label) + 1;

    for (size_t i = 0; i < labels->count; i++)
        if (strncmp(labels->items[i], label, length) == 0)
            return true;
    return false;
}

/* Those that were given, and what the folder says of other keys. */
static status take_labels(struct adding *adding)
{
    const struct history_settings *settings = adding->job->settings;
    const char *const *told = adding->told ? adding->told->labels : NULL;
    status code = STATUS_OK;

    for (size_t i = 0; i < settings->labels.count && code == STATUS_OK; i++)
        code = texts_add(&adding->labels, settings->labels.items[i]);
    for (; told && *told && code == STATUS_OK; told++)
        if (!has_key(&settings->labels, *told))
            code = texts_add(&adding->labels, *told);
    return code;
}

static status describe(struct adding *adding)
{
    struct history_settings *settings = adding->job->settings;
    struct history_profile *profile = &adding->profile;
    const char *model = settings->model ? settings->model : adding->told ? adding->told->model : NULL;
    struct text named = compare_model_of(adding->path);
    const char *device = settings->device ? settings->device : adding->told ? adding->told->device : NULL;
    status code = find_build(adding, settings);

    if (code == STATUS_OK && !adding->build[0])
        code = status_fail(STATUS_USAGE,
                           "%s: of which build is this? give --build (no variable of a build system is set, "
                           "and git knows no commit here)",
                           adding->path);
    if (code == STATUS_OK)
        code = take_word(adding, "model",
                         model          ? text_of(model)
                         : named.length ? named
                                        : path_stem(adding->path),
                         adding->model);
    if (code != STATUS_OK)
        return code;
    profile->name = adding->told && !adding->told->path ? adding->told->name : path_name(adding->path);
    profile->model = adding->model;
    profile->build = adding->build;
    profile->commit = adding->commit;
    profile->device = adding->device = device ? device : "";
    profile->labels = &adding->labels;
    return take_labels(adding);
}

/* ---- what is in it -------------------------------------------------------------------------------------------------------------- */

/* All bytes of a file; the caller's, also after a failure. */
static status read_bytes(const char *path, char **bytes, size_t *size)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 0, got;
    status code;

    *bytes = NULL;
    *size = 0;
    if (!file)
        return status_fail(STATUS_INPUT, "%s: %s", path, strerror(errno));
    do {
        code = memory_grow(bytes, &capacity, *size + 65536, 1);
        got = code == STATUS_OK ? fread(*bytes + *size, 1, capacity - *size, file) : 0;
        *size += got;
    } while (got && code == STATUS_OK);
    if (code == STATUS_OK && ferror(file))
        code = status_fail(STATUS_INPUT, "%s: cannot be read", path);
    fclose(file);
    return code;
}

static status hash_file(const char *path, uint64_t *hash, int64_t *size)
{
    char *bytes;
    size_t length;
    status code = read_bytes(path, &bytes, &length);

    if (code == STATUS_OK)
        *hash = map_mix(*hash, XXH3_64bits(bytes, length));
    *size += (int64_t)length;
    memory_free(bytes);
    return code;
}

/* Names and bytes of all files, by name; folders in it as far down as profiles go. */
static status hash_folder(const char *path, unsigned depth, uint64_t *hash, int64_t *size)
{
    enum { DEEPEST = 8 };
    struct folder_names names = { 0 };
    struct path inside = { .text = NULL };
    status code = depth < DEEPEST ? folder_list(path, &names) : STATUS_OK;

    for (size_t i = 0; i < names.count && code == STATUS_OK; i++) {
        *hash = map_mix(*hash, XXH3_64bits(names.names[i], strlen(names.names[i])));
        code = path_set(&inside, "%s", path);
        code = code == STATUS_OK ? path_add(&inside, names.names[i]) : code;
        if (code == STATUS_OK && path_is_folder(inside.text))
            code = hash_folder(inside.text, depth + 1, hash, size);
        else if (code == STATUS_OK && path_is_file(inside.text))
            code = hash_file(inside.text, hash, size);
    }
    path_free(&inside);
    folder_free(&names);
    return code;
}

/* What its bytes are called by, and where they are to be kept the bytes; those of a folder are not. */
static status take_bytes(struct adding *adding)
{
    const struct history_settings *settings = adding->job->settings;
    struct history_profile *profile = &adding->profile;
    uint64_t hash = 0;
    size_t size;
    status code;

    if (path_is_folder(adding->path)) {
        code = hash_folder(adding->path, 0, &hash, &profile->size);
    } else {
        code = read_bytes(adding->path, &adding->content, &size);
        hash = code == STATUS_OK ? XXH3_64bits(adding->content, size) : 0;
        profile->size = (int64_t)size;
        if (settings->keep)
            profile->content = (struct text){ adding->content, size };
    }
    profile->id = (int64_t)hash;
    return code;
}

/* The medians of its launches, as tacho latency has them. */
static status take_launches(struct adding *adding)
{
    struct latency_options options = LATENCY_DEFAULTS;
    struct history_profile *profile = &adding->profile;
    const struct compare_half *half;
    struct latency_launch *launches;
    status code = compare_read(adding->job, adding->path, &adding->answer);

    if (code != STATUS_OK)
        return code;
    half = &adding->answer->models[0].halves[0];
    profile->launches = half->launches;
    profile->strings = adding->answer->strings;
    profile->chain = half->chain ? half->chain->id : "";
    if (!*profile->device && half->device) /* neither the user nor its folder says it */
        profile->device = half->device;
    profile->failures = (const char *const *)adding->answer->failures;
    profile->failure_count = adding->answer->failure_count;
    if (!half->count) /* where all failed, that is worth knowing, too */
        return profile->failure_count ? STATUS_OK
                                      : status_fail(STATUS_INPUT, "%s: has no launch with a time", adding->path);
    launches = memory_allocate(half->count * sizeof *launches);
    if (!launches)
        return status_no_memory("adding a profile");
    for (size_t i = 0; i < half->count; i++)
        launches[i] = half->launches[i].runs;
    options.rounds = 1; /* no interval is asked for */
    code = warmup_parse(adding->job->warmup, &options.warmup);
    if (code == STATUS_OK)
        code = latency_summarise(&(struct latency_side){ profile->name, launches, half->count }, &options,
                                 &adding->summary);
    memory_free(launches);
    if (code == STATUS_OK && (adding->summary.launches != half->count || !(adding->summary.least > 0)))
        code = status_fail(STATUS_INPUT, "%s: has a launch without a run that takes time", adding->path);
    profile->medians = adding->summary.medians;
    profile->launch_count = code == STATUS_OK ? half->count : 0;
    return code;
}

/* Losses and notes; `first` is the first of the job's that are about it. */
static status take_notes(struct adding *adding, size_t first)
{
    status code = STATUS_OK;

    for (size_t i = first; i < adding->job->note_count && code == STATUS_OK; i++)
        code = texts_add(&adding->notes, adding->job->notes[i].text);
    for (size_t i = 0; i < adding->answer->note_count && code == STATUS_OK; i++)
        code = texts_add(&adding->notes, adding->answer->notes[i]);
    adding->profile.notes = adding->notes.items;
    adding->profile.note_count = adding->notes.count;
    return code;
}

/* A profile of which nothing can be advised is kept without. */
static status take_advice(struct adding *adding)
{
    struct texts inputs = { 0 };
    struct job question = { 0 };
    struct advice *advice = &adding->advised.advice;
    status code = texts_add(&inputs, adding->path);

    if (code == STATUS_OK && advise_ask(adding->job, &inputs, NULL, &question, &adding->advised) == STATUS_OK) {
        adding->advice = memory_allocate((advice->count + 1) * sizeof *adding->advice);
        code = adding->advice ? STATUS_OK : status_no_memory("adding a profile");
        for (size_t i = 0; i < advice->count && code == STATUS_OK; i++)
            adding->advice[adding->profile.advice_count++] =
                (struct advice_note){ advice->items[i]->rule->id, advice->items[i]->title,
                                      (int64_t)advice->items[i]->saves_ns };
        adding->profile.advice = adding->advice;
    }
    job_free(&question);
    texts_free(&inputs);
    return code;
}

static void adding_free(struct adding *adding)
{
    latency_summary_free(&adding->summary);
    advised_free(&adding->advised);
    memory_free(adding->advice);
    memory_free(adding->content);
    texts_free(&adding->notes);
    texts_free(&adding->labels);
    if (adding->answer)
        compare_answer_free(adding->answer);
}

/* ---- one profile -------------------------------------------------------------------------------------------------------------------- */

/* The same bytes may come of two builds, such as an estimate that nothing changed: they are the first one's. */
static void describe_found(const struct adding *adding, const char *launch, const struct history_found *found,
                           char sentence[HISTORY_SENTENCE])
{
    if (strcmp(found->build, adding->build) == 0)
        snprintf(sentence, HISTORY_SENTENCE, "%.400s%s: is there already; nothing was changed", adding->path, launch);
    else
        snprintf(sentence, HISTORY_SENTENCE,
                 "%.400s%s: is there already, of build %s; nothing was changed, and build %s does not have it",
                 adding->path, launch, found->build, adding->build);
}

static void describe_added(const struct adding *adding, const struct history_found *found,
                           char sentence[HISTORY_SENTENCE])
{
    const struct history_profile *profile = &adding->profile;
    char labels[HISTORY_WORD] = "", launch[HISTORY_WORD] = "";
    size_t length = 0;

    for (size_t i = 0; i < adding->labels.count && adding->told && length < sizeof labels; i++)
        length +=
            (size_t)snprintf(labels + length, sizeof labels - length, "%s%s", i ? " " : ", ", adding->labels.items[i]);
    if (adding->told && !adding->told->path) /* the path is the folder's */
        snprintf(launch, sizeof launch, ", %s", adding->told->name);
    if (found->there)
        describe_found(adding, launch, found, sentence);
    else
        snprintf(sentence, HISTORY_SENTENCE, "%.400s%s: model %s, build %s%s, %zu launch%s%s%s%s", adding->path, launch,
                 adding->model, adding->build, labels, profile->launch_count, profile->launch_count == 1 ? "" : "es",
                 profile->failure_count ? "; it failed" : "", adding->commit[0] ? "" : "; its commit is not known",
                 profile->device[0] ? "" : "; its device is not known (--device)");
}

int64_t history_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void forget_launches(struct adding *adding)
{
    if (adding->answer)
        compare_answer_free(adding->answer);
    latency_summary_free(&adding->summary);
    adding->answer = NULL;
    adding->summary = (struct latency_summary){ 0 };
    adding->profile.failure_count = 0;
    adding->profile.device = adding->device;
}

/* How many runs are warm-up is what the user says, else the folder where it can be so, else the rule. */
static status take_told_launches(struct adding *adding)
{
    struct job *job = adding->job;
    const char *given = job->warmup;
    status code;

    if (given || !adding->told || !adding->told->warmup)
        return take_launches(adding);
    job->warmup = adding->told->warmup;
    code = take_launches(adding);
    job->warmup = given;
    if (code != STATUS_INPUT && code != STATUS_USAGE)
        return code;
    status_clear();
    forget_launches(adding);
    return take_launches(adding);
}

/* What its launches took, and what is to be known of them. */
static status take_profile(struct adding *adding)
{
    size_t first = adding->job->note_count;
    status code = take_told_launches(adding);

    if (code == STATUS_OK)
        code = take_bytes(adding);
    if (code == STATUS_OK)
        code = take_notes(adding, first);
    return code == STATUS_OK ? take_advice(adding) : code;
}

/* Of a launch that failed nothing is read: its file may be cut off anywhere, and there may be none. It is known by what it is of, which launch it was, and why it failed. */
static status take_failure(struct adding *adding)
{
    const struct run_profile *told = adding->told;
    const char *const texts[] = { adding->model, adding->build, adding->profile.device, told->name, told->failure };
    struct history_profile *profile = &adding->profile;
    uint64_t hash = 0;
    status code = told->path && path_is_file(told->path) ? hash_file(told->path, &hash, &profile->size) : STATUS_OK;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hash = map_mix(hash, XXH3_64bits(texts[i], strlen(texts[i])));
    profile->id = (int64_t)hash;
    profile->chain = adding->chain->id;
    profile->failures = &told->failure;
    profile->failure_count = 1;
    return code;
}

/* `told`: what its folder says of it, and `chain` whose that is; NULL: it is in none. */
static status add_file(struct history_adding *all, const char *path, const struct run_profile *told,
                       const struct chain *chain)
{
    struct adding adding = { .job = all->job, .path = path, .told = told, .chain = chain };
    char sentence[HISTORY_SENTENCE];
    struct history_found found;
    status code = describe(&adding);

    adding.profile.added = history_now();
    if (code == STATUS_OK)
        code = told && told->failure ? take_failure(&adding) : take_profile(&adding);
    if (code == STATUS_OK)
        code = history_add(&all->history, &adding.profile, &found);
    if (code == STATUS_OK)
        code = memory_grow(&all->sentences, &all->capacity, all->count + 1, sizeof *all->sentences);
    if (code == STATUS_OK) {
        describe_added(&adding, &found, sentence);
        all->sentences[all->count] = memory_copy_text(sentence);
        code = all->sentences[all->count] ? STATUS_OK : status_no_memory("adding a profile");
        all->count += code == STATUS_OK;
    }
    adding_free(&adding);
    return code;
}

void history_adding_free(struct history_adding *adding)
{
    for (size_t i = 0; i < adding->count; i++)
        memory_free(adding->sentences[i]);
    memory_free(adding->sentences);
    adding->sentences = NULL;
    adding->count = adding->capacity = 0;
}

/* ---- folders ------------------------------------------------------------------------------------------------------------------------ */

/* Where they choose, whether what was given fits what the folder says of a profile. */
static bool is_chosen(const struct history_adding *adding, const struct run_profile *told)
{
    const struct history_settings *settings = adding->job->settings;

    if (!adding->choosing)
        return true;
    for (const char *const *label = told->labels; label && *label; label++)
        for (size_t i = 0; i < settings->labels.count; i++)
            if (strncmp(settings->labels.items[i], *label, (size_t)(strchr(*label, '=') - *label) + 1) == 0 &&
                strcmp(settings->labels.items[i], *label) != 0)
                return false;
    return true;
}

/* A profile that cannot be used is one of those that are left out. */
static status add_run(struct history_adding *adding, const struct run_folder *folder, const char *path,
                      const struct run_profile *profile, size_t *unusable)
{
    status code = add_file(adding, profile->path ? profile->path : path, profile, folder->chain);

    if (code != STATUS_INPUT)
        return code;
    job_note(adding->job, NOTE_WARNING, NULL, "%s: it is left out", status_message());
    status_clear();
    ++*unusable;
    return STATUS_OK;
}

/* What the tools of a chain wrote down says which files are profiles, and of what. */
static status add_runs(struct history_adding *adding, const char *path, const struct run_folder *folder)
{
    size_t added = 0, timeless = 0, unusable = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < folder->note_count; i++)
        job_note(adding->job, NOTE_PLAIN, path, "%s", folder->notes[i]);
    for (size_t i = 0; i < folder->count && code == STATUS_OK; i++) {
        const struct run_profile *profile = &folder->profiles[i];

        if (profile->timeless) {
            timeless++;
        } else if (is_chosen(adding, profile)) {
            code = add_run(adding, folder, path, profile, &unusable);
            added++;
        }
    }
    if (timeless)
        job_note(adding->job, NOTE_PLAIN, path, "%zu launch%s made for a trace, not for %s times: left out", timeless,
                 timeless == 1 ? " was" : "es were", timeless == 1 ? "its" : "their");
    if (code == STATUS_OK && added == unusable && !adding->choosing)
        code = status_fail(STATUS_INPUT, "%s: no launch in it has a profile with a time", path);
    return code;
}

/* Its files that some reader knows. */
static status add_files(struct history_adding *adding, const char *path)
{
    struct folder_names names = { 0 };
    struct path file = { .text = NULL };
    size_t added = 0, others = 0;
    status code = folder_list(path, &names);

    for (size_t i = 0; i < names.count && code == STATUS_OK; i++) {
        code = path_set(&file, "%s", path);
        code = code == STATUS_OK ? path_add(&file, names.names[i]) : code;
        if (code != STATUS_OK || !path_is_file(file.text))
            continue;
        code = add_file(adding, file.text, NULL, NULL);
        added += code == STATUS_OK;
        others += code == STATUS_INPUT;
        code = code == STATUS_INPUT ? STATUS_OK : code;
    }
    if (code == STATUS_OK && !added)
        code = status_fail(STATUS_INPUT, "%s: is no profile with a time, and no file in it is one", path);
    else if (code == STATUS_OK && others)
        job_note(adding->job, NOTE_PLAIN, path, "%zu other file%s no profile with a time: left out", others,
                 others == 1 ? " is" : "s are");
    folder_free(&names);
    path_free(&file);
    return code;
}

/* A folder is what tools of a chain filled, or a profile where a reader knows it as one, or one of files that are. One without any is an error. */
static status add_folder(struct history_adding *adding, const char *path)
{
    struct run_folder folder;
    status code = run_folder_read(path, &folder);

    if (code == STATUS_OK && folder.chain)
        code = add_runs(adding, path, &folder);
    else if (code == STATUS_OK) {
        code = add_file(adding, path, NULL, NULL);
        if (code == STATUS_INPUT)
            code = add_files(adding, path);
    }
    run_folder_free(&folder);
    return code;
}

status history_add_input(struct history_adding *adding, const char *path)
{
    return path_is_folder(path) ? add_folder(adding, path) : add_file(adding, path, NULL, NULL);
}
