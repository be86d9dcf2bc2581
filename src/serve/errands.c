/* errands.c: from an errand to the job that answers it. */
#include "serve/errands.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "history/history_verb.h"
#include "job/core_verbs.h"
#include "job/digest.h"
#include "job/tables.h"
#include "query/query_verb.h"
#include "table/printer.h"
#include "write/relay.h"

static status keep(char **place, const char *value)
{
    if (*place)
        return status_fail(STATUS_USAGE, "the query says something twice");
    *place = memory_copy_text(value);
    return *place ? STATUS_OK : status_no_memory("keeping an errand");
}

static status keep_filter(struct errand *errand, const char *value)
{
    for (unsigned i = 0; i < ERRAND_FILTERS; i++)
        if (!errand->filters[i])
            return keep(&errand->filters[i], value);
    return status_fail(STATUS_USAGE, "a table takes up to %d filters", ERRAND_FILTERS);
}

#define KEPT_BYTES "bytes"

enum { QUESTION_INPUTS = 2, QUESTION_OPTIONS = 8 };

/* Of those that answer with views. */
#define VIEW_WORDS "table", "columns", "sort", "limit", "filter"

/* What can be asked of a history: an action of the verb, and which words of the address are its inputs and options. */
static const struct question {
    const char *name;                      /* in the address; NULL ends the list */
    const char *action;                    /* of `tacho history` */
    const char *inputs[QUESTION_INPUTS];   /* words whose values stand behind it, in order: they must be there */
    const char *options[QUESTION_OPTIONS]; /* words that are options of the same name */
} questions[] = {
    { "builds", "list", { NULL }, { "model", "device", VIEW_WORDS } },
    { "build", "show", { "build" }, { "model", "device", "label", VIEW_WORDS } },
    { "trend", "trend", { "model" }, { "metric", "operator", "device", "label" } },
    { "compare", "compare", { "from", "to" }, { "model", "metric", "device", "label" } },
    { NULL, NULL, { NULL }, { NULL } },
};

static const struct question *question_named(const char *name)
{
    for (const struct question *question = questions; question->name; question++)
        if (strcmp(question->name, name) == 0)
            return question;
    return NULL;
}

/* The word of a list that has this name; NULL: it has none. */
static const char *find_word(const char *const *words, size_t count, const char *name)
{
    for (size_t i = 0; i < count && words[i]; i++)
        if (strcmp(words[i], name) == 0)
            return words[i];
    return NULL;
}

static const char *word_named(const struct errand *errand, const char *name)
{
    for (const struct errand_word *word = errand->words; word->value; word++)
        if (strcmp(word->name, name) == 0)
            return word->value;
    return NULL;
}

/* What is empty is not given. */
static status keep_word(struct errand *errand, const char *name, const char *value)
{
    const struct question *question = question_named(errand->name);
    struct errand_word *word = errand->words;
    const char *known = find_word(question->inputs, QUESTION_INPUTS, name);

    known = known ? known : find_word(question->options, QUESTION_OPTIONS, name);
    if (!known)
        return status_fail(STATUS_USAGE, "nothing is asked with \"%s\" here", name);
    if (!*value)
        return STATUS_OK;
    if (strcmp(name, "label") != 0 && strcmp(name, "filter") != 0 && word_named(errand, name))
        return status_fail(STATUS_USAGE, "the query says something twice");
    while (word->value)
        word++;
    assert(word < errand->words + ERRAND_WORDS && "a target has no more");
    word->name = known;
    return keep(&word->value, value);
}

/* Whether all that must be there is. */
static status check_words(const struct errand *errand)
{
    const struct question *question = question_named(errand->name);

    for (unsigned i = 0; i < QUESTION_INPUTS && question->inputs[i]; i++)
        if (!word_named(errand, question->inputs[i]))
            return status_fail(STATUS_USAGE, "%s wants %s=, which is missing", errand->name, question->inputs[i]);
    return STATUS_OK;
}

status errand_start(struct errand *errand, enum errand_kind kind, const char *name, const struct guard_target *target)
{
    status code = STATUS_OK;

    *errand = (struct errand){ .kind = kind };
    if (strlen(name) >= sizeof errand->name)
        return status_fail(STATUS_USAGE, "nothing has a name of that length");
    snprintf(errand->name, sizeof errand->name, "%s", name);
    if (kind == ERRAND_HISTORY && !question_named(name))
        return status_fail(STATUS_NO, "a history has builds, a build, a trend and compare, and no \"%s\"", name);
    for (unsigned i = 0; i < target->pair_count && code == STATUS_OK; i++) {
        const char *key = target->pairs[i].name, *value = target->pairs[i].value;

        if (strcmp(key, "token") == 0 || kind == ERRAND_TRACE)
            continue; /* what of a trace is asked for is not the job's business */
        if (kind == ERRAND_QUERY && strcmp(key, "profile") == 0)
            continue; /* the ids */
        if (kind == ERRAND_HISTORY)
            code = keep_word(errand, key, value);
        else if (kind == ERRAND_KEPT && strcmp(key, "profile") == 0 && !errand->words[0].value) {
            errand->words[0].name = "profile";
            code = keep(&errand->words[0].value, value);
        } else if (kind == ERRAND_QUERY && strcmp(key, "sql") == 0)
            code = keep(&errand->sql, value);
        else if (kind != ERRAND_TABLE)
            code = status_fail(STATUS_USAGE, "nothing is asked with \"%s\" here", key);
        else if (strcmp(key, "columns") == 0)
            code = keep(&errand->columns, value);
        else if (strcmp(key, "sort") == 0)
            code = keep(&errand->sort, value);
        else if (strcmp(key, "limit") == 0)
            code = keep(&errand->limit, value);
        else if (strcmp(key, "filter") == 0)
            code = keep_filter(errand, value);
        else
            code = status_fail(STATUS_USAGE, "a table is asked with columns, sort, limit and filter, not with \"%s\"",
                               key);
    }
    if (code == STATUS_OK && kind == ERRAND_KEPT && !errand->words[0].value)
        code = status_fail(STATUS_USAGE, "which profile? profile=HASH is missing");
    return code == STATUS_OK && kind == ERRAND_HISTORY ? check_words(errand) : code;
}

void errand_free(struct errand *errand)
{
    for (unsigned i = 0; i < 2; i++)
        memory_free(errand->paths[i]);
    memory_free(errand->columns);
    memory_free(errand->sort);
    memory_free(errand->limit);
    memory_free(errand->sql);
    for (unsigned i = 0; i < ERRAND_FILTERS; i++)
        memory_free(errand->filters[i]);
    for (struct errand_word *word = errand->words; word->value; word++)
        memory_free(word->value);
    *errand = (struct errand){ .kind = errand->kind };
}

const char *errand_suffix(const struct errand *errand)
{
    const struct writer_format *format;
    const struct verb *verb;

    switch (errand->kind) {
    case ERRAND_TABLE:
    case ERRAND_QUERY:
    case ERRAND_HISTORY:
        return ".json";
    case ERRAND_KEPT:
    case ERRAND_DOWNLOAD:
        format = writer_named(errand->name);
        if (errand->kind == ERRAND_KEPT && strcmp(errand->name, KEPT_BYTES) == 0)
            return "";
        return format ? format->suffixes[0] : NULL;
    case ERRAND_ARCHIVE:
        verb = verb_named(errand->name, NULL);
        return verb && verb->archive ? path_suffix(verb->archive->file).data : NULL;
    case ERRAND_TRACE:
    case ERRAND_REPORT:
    case ERRAND_COMPARE:
        break;
    }
    return ".html";
}

/* ---- Tables --------------------------------------------------------------------------------------------------------- */

static status print_table(struct table *table, const char *path)
{
    struct output *output;
    status code = output_open(path, &output);

    if (code == STATUS_OK) {
        printer_write(&json_printer, output, table, NULL);
        code = output_finish(output, STATUS_OK);
    }
    table_free(table);
    return code;
}

/* What the user asks beside the name. */
static status ask_view(const struct errand *errand, struct job *job)
{
    status code = STATUS_OK;

    if (errand->columns)
        code = job_option(job, "columns", errand->columns);
    if (code == STATUS_OK && errand->sort)
        code = job_option(job, "sort", errand->sort);
    if (code == STATUS_OK && errand->limit)
        code = job_option(job, "limit", errand->limit);
    for (unsigned i = 0; i < ERRAND_FILTERS && errand->filters[i] && code == STATUS_OK; i++)
        code = job_option(job, "filter", errand->filters[i]);
    return code;
}

static status ask_verb(const struct errand *errand, const struct texts *options, const struct verb *verb,
                       const struct verb_table *asked, struct table **table)
{
    bool replaced = asked->option && strcmp(asked->option, "columns") == 0 && errand->columns;
    struct job job;
    status code = job_start(&job, verb);

    job.by_name = true;
    if (code == STATUS_OK)
        code = job_take_options(&job, options);
    if (code == STATUS_OK && !replaced)
        code = tables_prepare(asked, &job);
    if (code == STATUS_OK)
        code = ask_view(errand, &job);
    if (code == STATUS_OK)
        code = job_input(&job, errand->paths[0]);
    if (code == STATUS_OK)
        code = job_run(&job);
    if ((code == STATUS_OK || code == STATUS_NO) && errand->columns && strcmp(errand->columns, "help") == 0)
        *table = job_take_table(&job, "columns");
    code = *table ? STATUS_OK : code == STATUS_OK || code == STATUS_NO ? tables_take(asked, &job, table) : code;
    job_free(&job);
    return code;
}

/* Losses are told by reading, not by a verb. */
static status make_losses(const struct errand *errand, struct table **table)
{
    const char *path = errand->paths[0];
    struct counting counting;
    struct session session;
    struct feed feed;
    status code = session_start(&session, &(struct session_options){ .format = NULL });

    if (code != STATUS_OK) {
        session_end(&session);
        return code;
    }
    code = counting_start(&counting, NULL, NULL, false, session.strings);
    feed_start(&feed, counting_sink(&counting), session.strings);
    if (code == STATUS_OK)
        code = session_add_all(&session, &path, 1);
    if (code == STATUS_OK)
        code = session_read(&session, &session.profiles[0], &feed);
    if (code == STATUS_OK)
        code = digest_losses(&session.profiles[0].losses, table);
    feed_free(&feed);
    counting_free(&counting);
    session_end(&session);
    return code;
}

/* By its content, or as an option says. */
static status find_reader(const struct errand *errand, const struct texts *options, const struct reader **reader)
{
    const char *format = NULL;
    struct input *input = NULL;
    status code;

    for (size_t i = 0; i < options->count; i += 2)
        if (strcmp(options->items[i], "format") == 0)
            format = options->items[i + 1];
    code = reader_open(errand->paths[0], format, &input, reader);

    input_close(input);
    return code;
}

static status answer_table(const struct errand *errand, const struct texts *options, const char *path)
{
    const struct reader *reader;
    const struct verb *verb = NULL;
    const struct verb_table *asked = NULL;
    struct table *table = NULL;
    status code = find_reader(errand, options, &reader);

    if (code != STATUS_OK)
        return code;
    asked = tables_named(errand->name, (struct tables_of){ .readers = &reader, .count = 1 }, &verb);
    if (!asked)
        return status_fail(STATUS_NO, "no table of this profile is called \"%s\"", errand->name);
    if (verb)
        code = ask_verb(errand, options, verb, asked, &table);
    else if (errand->columns || errand->sort || errand->limit || errand->filters[0])
        code = status_fail(STATUS_USAGE, "the table \"%s\" is shown as it is", asked->name);
    else if (strcmp(asked->name, "losses") == 0)
        code = make_losses(errand, &table);
    else
        code = status_fail(STATUS_NO, "slices are downloaded: /download/ID/slices");
    return code == STATUS_OK ? print_table(table, path) : code;
}

/* What a job that is ready to run says, as JSON. */
static status write_answer(struct job *job, const char *path)
{
    struct output *output;
    status code = job_run(job);

    if (code == STATUS_OK)
        code = output_open(path, &output);
    return code == STATUS_OK ? output_finish(output, job_write_json(job, output)) : code;
}

/* ---- SQL ------------------------------------------------------------------------------------------------------------- */

/* As on the command line, with less time and memory: others wait. */
static status answer_query(const struct errand *errand, const struct texts *options, const char *path)
{
    struct job job;
    status code = job_start(&job, &query_verb);

    if (code == STATUS_OK)
        code = job_take_options(&job, options);
    if (code == STATUS_OK)
        code = job_option(&job, "timeout", "10");
    if (code == STATUS_OK)
        code = job_option(&job, "memory", "256");
    for (unsigned i = 0; i < 2 && errand->paths[i] && code == STATUS_OK; i++)
        code = job_input(&job, errand->paths[i]);
    if (code == STATUS_OK)
        code = job_input(&job, errand->sql);
    code = code == STATUS_OK ? write_answer(&job, path) : code;
    job_free(&job);
    return code;
}

/* ---- Histories -------------------------------------------------------------------------------------------------------- */

/* As `tacho history ... --json` prints it. */
static status answer_history(const struct errand *errand, const char *path)
{
    const struct question *question = question_named(errand->name);
    struct job job;
    status code = job_start(&job, &history_verb);

    if (code == STATUS_OK)
        code = job_option(&job, "store", errand->paths[0]);
    if (code == STATUS_OK)
        code = job_option(&job, "json", NULL);
    if (code == STATUS_OK)
        code = job_input(&job, question->action);
    for (unsigned i = 0; i < QUESTION_INPUTS && question->inputs[i] && code == STATUS_OK; i++)
        code = job_input(&job, word_named(errand, question->inputs[i]));
    for (const struct errand_word *word = errand->words; word->value && code == STATUS_OK; word++)
        if (find_word(question->options, QUESTION_OPTIONS, word->name))
            code = job_option(&job, word->name, word->value);
    code = code == STATUS_OK ? write_answer(&job, path) : code;
    job_free(&job);
    return code;
}

/* ---- Pages and downloads --------------------------------------------------------------------------------------------- */

static status open_kept(void *context, struct strings *strings, const struct writer_options *options,
                        struct writer *writer)
{
    status code = kept_trace_open(context, strings, options, writer);

    if (code != STATUS_OK)
        return code;
    /* Somebody waits for the picture: a third of the time until then is the writer's. */
    code = relay_writer(writer);
    if (code != STATUS_OK)
        writer_free(writer);
    return code;
}

/* The profile as a trace: into a file of a format, or kept as the page of the trace has it. */
static status convert(const struct errand *errand, const struct texts *options, const struct writer_format *format,
                      const char *path, struct kept_trace *trace)
{
    const struct conversion_options how = CONVERSION_DEFAULTS;
    const struct writer_keeper keeper = { .drawn = true, .open = open_kept, .context = trace };
    struct texts inputs = { 0 };
    struct job job;
    status code = job_start(&job, &convert_verb);

    if (code == STATUS_OK)
        code = job_take_options(&job, options);
    if (code == STATUS_OK)
        code = texts_add(&inputs, errand->paths[0]);
    if (code == STATUS_OK)
        code = trace ? convert_kept(&job, &inputs, &keeper, &how) : convert_inputs(&job, &inputs, path, format, &how);
    texts_free(&inputs);
    job_free(&job);
    return code;
}

/* What a history kept, as it was added, or as a trace. */
static status answer_kept(const struct errand *errand, const struct texts *options, const char *path)
{
    struct errand inside = *errand;
    struct path kept = { .text = NULL };
    status code;

    if (strcmp(errand->name, KEPT_BYTES) == 0)
        return history_write_profile(errand->paths[0], errand->words[0].value, path);
    code = path_set(&kept, "%s.kept", path);
    if (code == STATUS_OK)
        code = history_write_profile(errand->paths[0], errand->words[0].value, kept.text);
    inside.paths[0] = kept.text;
    if (code == STATUS_OK) {
        code = convert(&inside, options, writer_named(errand->name), path, NULL);
        unlink(kept.text);
    }
    path_free(&kept);
    return code;
}

static status keep_trace(const struct errand *errand, const struct texts *options, struct kept_trace **trace)
{
    status code = kept_trace_new(trace);

    if (code == STATUS_OK)
        code = convert(errand, options, NULL, NULL, *trace);
    if (code != STATUS_OK) {
        kept_trace_drop(*trace);
        *trace = NULL;
    }
    return code;
}

/* A verb that writes a page of one or two profiles; `option` says where to. */
static status answer_page(const struct errand *errand, const struct texts *options, const struct verb *verb,
                          const char *option, const char *path)
{
    struct job job;
    status code = job_start(&job, verb);

    if (code == STATUS_OK)
        code = job_take_options(&job, options);
    if (code == STATUS_OK)
        code = job_input(&job, errand->paths[0]);
    if (code == STATUS_OK && errand->paths[1])
        code = job_option(&job, "with", errand->paths[1]);
    if (code == STATUS_OK)
        code = job_option(&job, option, path);
    if (code == STATUS_OK)
        code = job_run(&job);
    if ((code == STATUS_OK || code == STATUS_NO) && job.output)
        code = job_write_file(&job, path);
    job_free(&job);
    return code == STATUS_NO ? STATUS_OK : code;
}

/* ---- Archives -------------------------------------------------------------------------------------------------------- */

/* The archive among what was written, put in the place of the answer where all went well; everything else is removed with the folder, also
 * where there is no memory. */
static bool take_archive(const char *folder, const char *suffix, const char *path, status code)
{
    DIR *inside = opendir(folder);
    struct dirent *entry;
    bool found = false;

    while (inside && (entry = readdir(inside))) {
        if (code == STATUS_OK && !found && path_ends(entry->d_name, suffix))
            found = renameat(dirfd(inside), entry->d_name, AT_FDCWD, path) == 0;
        else
            unlinkat(dirfd(inside), entry->d_name, 0);
    }
    if (inside)
        closedir(inside);
    rmdir(folder);
    return found;
}

/* What the verb writes when a person runs it, in a folder that only the archive outlives. */
static status answer_archive(const struct errand *errand, const struct texts *options, const char *path)
{
    const struct verb *verb = verb_named(errand->name, NULL);
    const struct verb_archive *archive = verb->archive;
    const struct reader *reader;
    struct path folder = { 0 };
    struct job job;
    status code = find_reader(errand, options, &reader);

    if (code == STATUS_OK && !verb_archives(verb, reader))
        return status_fail(STATUS_NO, "tacho %s has no archive of this profile", verb->name);
    if (code == STATUS_OK)
        code = path_set(&folder, "%s.files", path);
    if (code != STATUS_OK) {
        path_free(&folder);
        return code;
    }
    code = job_start(&job, verb);
    if (code == STATUS_OK)
        code = job_take_options(&job, options);
    if (code == STATUS_OK)
        code = job_input(&job, errand->paths[0]);
    if (code == STATUS_OK)
        code = job_option(&job, archive->folder, folder.text);
    if (code == STATUS_OK && archive->all)
        code = job_option(&job, archive->all, NULL);
    if (code == STATUS_OK)
        code = job_run(&job);
    job_free(&job);
    if (!take_archive(folder.text, path_suffix(archive->file).data, path, code) && code == STATUS_OK)
        code = status_fail(STATUS_OUTPUT, "there is no archive of this profile");
    path_free(&folder);
    return code;
}

static status answer(const struct errand *errand, const struct texts *options, const char *path,
                     struct kept_trace **trace)
{
    switch (errand->kind) {
    case ERRAND_TABLE:
        return answer_table(errand, options, path);
    case ERRAND_DOWNLOAD:
        assert(writer_named(errand->name));
        return convert(errand, options, writer_named(errand->name), path, NULL);
    case ERRAND_TRACE:
        return keep_trace(errand, options, trace);
    case ERRAND_REPORT:
        return answer_page(errand, options, &report_verb, "out", path);
    case ERRAND_ARCHIVE:
        return answer_archive(errand, options, path);
    case ERRAND_QUERY:
        return answer_query(errand, options, path);
    case ERRAND_HISTORY:
        return answer_history(errand, path);
    case ERRAND_KEPT:
        return answer_kept(errand, options, path);
    case ERRAND_COMPARE:
        break;
    }
    return answer_page(errand, options, &compare_verb, "output", path);
}

status errand_run(const struct errand *errand, const struct texts *asked, const char *path, struct kept_trace **trace)
{
    status code;

    assert(errand->paths[0] && (errand->kind != ERRAND_COMPARE || errand->paths[1]));
    *trace = NULL;
    code = answer(errand, asked, path, trace);
    /* A verb may fail when it wants to say what it has written. */
    if (code != STATUS_OK)
        unlink(path);
    return code;
}
