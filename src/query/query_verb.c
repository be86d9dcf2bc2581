/* query_verb.c: tacho query: SQL about profiles, once or line by line. */
#include "query/query_verb.h"

#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/text.h"
#include "job/job.h"
#include "query/query.h"

struct settings_of_query {
    const char *file;   /* that the SQL is in; NULL: it is the last word */
    bool interactive;   /* the user enters it */
    bool schema;        /* tables and columns are wanted */
    uint64_t seconds;   /* that a statement may take */
    uint64_t megabytes; /* the same */
};

static const struct option options[] = {
    { "file", 'f', OPTION_TEXT, offsetof(struct settings_of_query, file), "FILE", "read the SQL from a file" },
    { "interactive", 'i', OPTION_FLAG, offsetof(struct settings_of_query, interactive), NULL,
      "enter SQL line by line; Ctrl-C stops a query, Ctrl-D ends" },
    { "schema", 0, OPTION_FLAG, offsetof(struct settings_of_query, schema), NULL,
      "list tables, columns with their units, and functions" },
    { "timeout", 0, OPTION_NUMBER, offsetof(struct settings_of_query, seconds), "S",
      "seconds that a query may take (default: 600)" },
    { "memory", 0, OPTION_NUMBER, offsetof(struct settings_of_query, megabytes), "MB",
      "memory that a query may take beside what was read (default: 2048)" },
    { 0 },
};

enum { LONGEST_FILE = 16 << 20, LONGEST_ENTERED = 1 << 20 };

/* ---- opening --------------------------------------------------------------------------------------------------------- */

/* Whether the last word is the SQL. */
static bool has_word(const struct settings_of_query *settings)
{
    return !settings->file && !settings->interactive && !settings->schema;
}

static status check_usage(const struct job *job)
{
    const struct settings_of_query *settings = job->settings;
    size_t wanted = has_word(settings) ? 2 : settings->schema ? 0 : 1;

    if (settings->interactive + settings->schema + (settings->file != NULL) > 1)
        return status_fail(STATUS_USAGE, "--file, --interactive and --schema exclude each other");
    if (settings->interactive && (job->json || job->output))
        return status_fail(STATUS_USAGE, "--interactive shows its answers at once: it takes no --json and no -o");
    if (settings->interactive && !job->enter)
        return status_fail(STATUS_USAGE, "--interactive wants somebody who enters something");
    if (job->inputs.count < wanted)
        return status_fail(STATUS_USAGE, "tacho query wants at least one input%s; see tacho query --help",
                           has_word(settings) ? ", and SQL as the last word" : "");
    if (has_word(settings) && path_is_file(job->inputs.items[job->inputs.count - 1]))
        return status_fail(STATUS_USAGE, "%s is a file, and the last word of tacho query is SQL",
                           job->inputs.items[job->inputs.count - 1]);
    for (size_t i = 0; i < job->inputs.count && settings->interactive; i++)
        if (strcmp(job->inputs.items[i], "-") == 0)
            return status_fail(STATUS_USAGE, "--interactive reads standard input itself");
    return STATUS_OK;
}

static bool is_stopped(void *context)
{
    const struct job *job = context;

    return job->stop && *job->stop;
}

static status open_inputs(struct job *job, struct query **query)
{
    const struct settings_of_query *settings = job->settings;
    const struct query_options how = {
        .views = { .reading = job->reading, .runs = job->runs, .warmup = job->warmup },
        .seconds = settings->seconds,
        .megabytes = settings->megabytes,
        .stop = is_stopped,
        .stop_context = job,
    };
    status code = query_open(job->inputs.items, job->inputs.count - has_word(settings), &how, query);

    if (code == STATUS_OK && job->output)
        code = session_check_output(query_session(*query), job->output);
    return code;
}

/* ---- asking ---------------------------------------------------------------------------------------------------------- */

static status keep_answer(void *context, struct table *table)
{
    return job_table(context, table);
}

static status ask_file(struct job *job, struct query *query, const char *path)
{
    struct input *input;
    struct text whole;
    char *sql = NULL;
    status code = input_open(path, &input);

    if (code != STATUS_OK)
        return code;
    code = input_whole(input, LONGEST_FILE, &whole);
    if (code == STATUS_OK && memchr(whole.data, '\0', whole.length))
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "this is no text");
    if (code == STATUS_OK) {
        sql = memory_allocate(whole.length + 1);
        if (!sql)
            code = status_no_memory("reading the query");
    }
    if (code == STATUS_OK) {
        memcpy(sql, whole.data, whole.length);
        sql[whole.length] = '\0';
        code = query_ask(query, input_name(input), sql, keep_answer, job);
    }
    memory_free(sql);
    input_close(input);
    return code;
}

/* Losses belong beside any answer about what was read. */
static void note_inputs(struct job *job, const struct query *query)
{
    const struct session *session = query_session(query);

    for (size_t i = 0; i < session->profile_count; i++)
        if (session->profiles[i].process != NO_ID)
            job_note_profile(job, &session->profiles[i]);
}

/* ---- line by line ---------------------------------------------------------------------------------------------------- */

/* What was entered and is no whole statement yet. */
struct entered {
    char *text;      /* owned */
    size_t length;   /* without the NUL */
    size_t capacity; /* of text */
};

static status show_answer(void *context, struct table *table)
{
    struct job *job = context;

    job->answer(job->enter_context, table);
    table_free(table);
    return STATUS_OK;
}

static status append_line(struct entered *entered, const char *line)
{
    size_t length = strlen(line);
    status code;

    if (entered->length + length > LONGEST_ENTERED)
        return status_fail(STATUS_USAGE, "this is too long for a statement");
    code = memory_grow(&entered->text, &entered->capacity, entered->length + length + 2, 1);
    if (code != STATUS_OK)
        return code;
    memcpy(entered->text + entered->length, line, length);
    entered->length += length;
    entered->text[entered->length++] = '\n';
    entered->text[entered->length] = '\0';
    return STATUS_OK;
}

/* A statement ends with the semicolon that ends a line. */
static bool is_complete(const char *line)
{
    struct text rest = text_trim(text_of(line));

    return rest.length && rest.data[rest.length - 1] == ';';
}

static status answer_line(struct job *job, struct query *query, struct entered *entered, const char *line)
{
    struct table *table;
    status code;

    if (!entered->length && text_is(text_trim(text_of(line)), ".schema")) {
        code = query_schema(query, &table);
        return code == STATUS_OK ? show_answer(job, table) : code;
    }
    if (!entered->length && !text_trim(text_of(line)).length)
        return STATUS_OK;
    code = append_line(entered, line);
    if (code == STATUS_OK && is_complete(line)) {
        code = query_ask(query, "SQL", entered->text, show_answer, job);
        entered->length = 0;
    }
    return code;
}

/* What fails is said, and the next line may be better. */
static status converse(struct job *job, struct query *query)
{
    struct entered entered = { 0 };
    const char *line;
    status code = STATUS_OK;

    while (code == STATUS_OK && (line = job->enter(job->enter_context, entered.length ? "   ...> " : "tacho> "))) {
        code = answer_line(job, query, &entered, line);
        if (code == STATUS_OK)
            continue;
        entered.length = 0;
        code = job_reply(job, "%s", status_message());
    }
    if (code == STATUS_OK && entered.length)
        code = query_ask(query, "SQL", entered.text, show_answer, job);
    memory_free(entered.text);
    return code;
}

/* ---- the verb -------------------------------------------------------------------------------------------------------- */

static status show_schema(struct job *job, struct query *query)
{
    struct table *table;
    status code = query_schema(query, &table);

    return code == STATUS_OK ? job_table(job, table) : code;
}

static status run(struct job *job)
{
    const struct settings_of_query *settings = job->settings;
    struct query *query = NULL;
    status code = check_usage(job);

    if (code == STATUS_OK && !job->inputs.count)
        return show_schema(job, NULL);
    if (code == STATUS_OK)
        code = open_inputs(job, &query);
    if (code == STATUS_OK && settings->schema)
        code = show_schema(job, query);
    else if (code == STATUS_OK && settings->interactive)
        code = converse(job, query);
    else if (code == STATUS_OK && settings->file)
        code = ask_file(job, query, settings->file);
    else if (code == STATUS_OK)
        code = query_ask(query, "SQL", job->inputs.items[job->inputs.count - 1], keep_answer, job);
    if (query)
        note_inputs(job, query);
    query_close(query);
    return code;
}

/* What has no times has other tables. */
static const char *refuses(const struct reader *reader)
{
    (void)reader;
    return NULL;
}

static const struct verb_table tables[] = {
    { .name = "query", .description = "what a statement answers", .apart = true },
    { .name = "schema", .description = "with --schema: tables, columns, functions", .apart = true },
    { 0 },
};

const struct verb query_verb = {
    .name = "query",
    .summary = "ask profiles in SQL",
    .usage = "[options] INPUT... \"SQL\"",
    .takes = VERB_READS | VERB_RUNS | VERB_OUTPUTS | VERB_JSON,
    .output_help = "write the answer: .csv .json .md .html .xlsx",
    .options = options,
    .settings_size = sizeof(struct settings_of_query),
    .tables = tables,
    .refuses = refuses,
    .run = run,
};
