/* history_verb.c: tacho history: add, list, show, prune and export; trend, gate and compare are in history_answers.c. */
#include "history/history_verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/format.h"
#include "base/json_write.h"
#include "base/output.h"
#include "base/path.h"

#define HISTORY_FILE "tacho-history.sqlite"
#define AT(member) offsetof(struct history_settings, member)

static const struct option options[] = {
    { "store", 0, OPTION_TEXT, AT(store), "FILE", "the history (default: TACHO_HISTORY, or " HISTORY_FILE ")" },
    { "model", 0, OPTION_TEXT, AT(model), "NAME", "of what (default: from the name of the file)" },
    { "build", 0, OPTION_TEXT, AT(build), "NAME", "of which build (default: of the build system, or git)" },
    { "commit", 0, OPTION_TEXT, AT(commit), "ID", "of which commit (default: of the build system, or git)" },
    { "device", 0, OPTION_TEXT, AT(device), "NAME", "on which device" },
    { "label", 0, OPTION_REPEAT, AT(labels), "KEY=VALUE", "whatever else tells profiles apart" },
    { "keep", 0, OPTION_FLAG, AT(keep), NULL, "add: keep the profiles themselves, too" },
    { "operator", 0, OPTION_TEXT, AT(op), "NAME", "trend, gate: of this operator" },
    { "metric", 0, OPTION_TEXT, AT(metric), "run|device|host|idle|operators",
      "trend, gate: of what; or a part of a run" },
    { "builds", 0, OPTION_NUMBER, AT(builds), "N", "gate: good builds that count; prune: to keep" },
    { "tolerance", 0, OPTION_TEXT, AT(tolerance), "PERCENT", "gate: slower by so much passes (default: 1)" },
    { "calibrate", 0, OPTION_FLAG, AT(calibrate), NULL, "gate: what it would have said of past builds" },
    { "junit", 0, OPTION_TEXT, AT(junit), "FILE", "gate: write the verdict as JUnit XML, too" },
    { 0 },
};

/* ---- shared -------------------------------------------------------------------------------------------------------------------- */

struct history_choice history_choice_of(const struct history_settings *settings)
{
    return (struct history_choice){
        .model = settings->model, .device = settings->device, .build = settings->build, .labels = settings->labels
    };
}

status history_open(const struct history_settings *settings, bool write, struct history *history)
{
    const char *named = getenv("TACHO_HISTORY");

    return history_open_sqlite(settings->store   ? settings->store
                               : named && *named ? named
                                                 : HISTORY_FILE,
                               write, history);
}

status history_check_devices(const struct history_series *series)
{
    if (series->device_count < 2)
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "%zu devices (%s, %s%s) are not one series: give --device", series->device_count,
                       *series->devices[0] ? series->devices[0] : "one that is not known",
                       *series->devices[1] ? series->devices[1] : "one that is not known",
                       series->device_count > 2 ? ", ..." : "");
}

static status check_labels(const struct history_settings *settings)
{
    for (size_t i = 0; i < settings->labels.count; i++) {
        const char *label = settings->labels.items[i], *sign = strchr(label, '=');

        if (!sign || sign == label || strchr(label, '\n'))
            return status_fail(STATUS_USAGE, "--label wants KEY=VALUE, not \"%s\"", label);
        for (size_t k = 0; k < i; k++)
            if (strncmp(settings->labels.items[k], label, (size_t)(sign - label) + 1) == 0)
                return status_fail(STATUS_USAGE, "--label %.*s is given twice", (int)(sign - label), label);
    }
    return STATUS_OK;
}

/* ---- add ------------------------------------------------------------------------------------------------------------------------- */

static status add_file(struct job *job, const struct history *history, const char *path)
{
    char sentence[HISTORY_SENTENCE];
    status code = history_add_file(job, history, path, sentence);

    return code == STATUS_OK ? job_say(job, "%s", sentence) : code;
}

/* A folder is a profile where a reader knows it as one; else its files are that some reader knows. One without any is an error. */
static status add_folder(struct job *job, const struct history *history, const char *path)
{
    struct folder_names names = { 0 };
    struct path file = { .text = NULL };
    size_t added = 0, others = 0;
    status code = add_file(job, history, path);

    if (code != STATUS_INPUT)
        return code;
    code = folder_list(path, &names);
    for (size_t i = 0; i < names.count && code == STATUS_OK; i++) {
        code = path_set(&file, "%s", path);
        code = code == STATUS_OK ? path_add(&file, names.names[i]) : code;
        if (code != STATUS_OK || !path_is_file(file.text))
            continue;
        code = add_file(job, history, file.text);
        added += code == STATUS_OK;
        others += code == STATUS_INPUT;
        code = code == STATUS_INPUT ? STATUS_OK : code;
    }
    if (code == STATUS_OK && !added)
        code = status_fail(STATUS_INPUT, "%s: is no profile with a time, and no file in it is one", path);
    else if (code == STATUS_OK && others)
        job_note(job, NOTE_PLAIN, path, "%zu other file%s no profile with a time: left out", others,
                 others == 1 ? " is" : "s are");
    folder_free(&names);
    path_free(&file);
    return code;
}

static status add(struct job *job, const struct texts *inputs)
{
    struct history history = { 0 };
    status code = inputs->count ? history_open(job->settings, true, &history)
                                : status_fail(STATUS_USAGE, "tacho history add wants profiles");

    for (size_t i = 0; i < inputs->count && code == STATUS_OK; i++)
        code = path_is_folder(inputs->items[i]) ? add_folder(job, &history, inputs->items[i])
                                                : add_file(job, &history, inputs->items[i]);
    history_close(&history);
    return code;
}

/* ---- list, show ------------------------------------------------------------------------------------------------------------------ */

/* A table that a query fills, column by column. */
struct listing {
    struct table *table; /* owned until it is a product */
    size_t columns;      /* of it */
};

static status take_row(void *context, const struct history_value *values)
{
    struct listing *listing = context;

    table_add_row(listing->table);
    for (size_t i = 0; i < listing->columns; i++) {
        enum cell_type type = table_column(listing->table, i)->type;
        char text[512];

        if (values[i].kind == HISTORY_NULL)
            continue;
        if (type == CELL_TEXT && values[i].kind == HISTORY_INTEGER) { /* when something was */
            table_set_text(listing->table, i, format_date(text, values[i].integer) ? text : NULL);
        } else if (type == CELL_TEXT) {
            text_copy(text, sizeof text, history_text_at(&values[i]));
            table_set_text(listing->table, i, *text ? text : NULL);
        } else if (type == CELL_DECIMAL || type == CELL_PERCENT) {
            table_set_decimal(listing->table, i, history_decimal_at(&values[i]));
        } else {
            table_set_integer(listing->table, i, (int64_t)history_decimal_at(&values[i]));
        }
    }
    return table_status(listing->table);
}

static status list_rows(struct job *job, const struct history *history, const char *name, const char *title,
                        const struct table_column *columns, const char *query, const struct history_value *parameters,
                        size_t count)
{
    struct listing listing = { .table = table_new(name, title) };
    status code;

    if (!listing.table)
        return status_no_memory("listing");
    for (; columns[listing.columns].name; listing.columns++)
        table_add_column(listing.table, columns[listing.columns]);
    code = history->calls->ask(history->self, query, parameters, count, take_row, &listing);
    if (code == STATUS_OK)
        return job_table(job, listing.table);
    table_free(listing.table);
    return code;
}

/* For who chooses among profiles: a program, as people know theirs. */
static status list_labels(struct job *job, const struct history *history, const struct history_value *parameters)
{
    static const struct table_column columns[] = {
        { .name = "label", .title = "Label", .type = CELL_TEXT, .description = "KEY=VALUE, the most frequent first" },
        { .name = "profiles", .title = "Profiles", .type = CELL_INTEGER, .description = "that have it" },
        { .name = NULL },
    };

    return list_rows(job, history, "labels", "Labels", columns,
                     "SELECT q.name || '=' || q.value, count(*) FROM label q JOIN profile p ON p.profile = q.profile"
                     " WHERE (?1 = '' OR p.model = ?1) AND (?2 = '' OR p.device = ?2)"
                     " GROUP BY q.name, q.value ORDER BY 2 DESC, 1 LIMIT 500",
                     parameters, 2);
}

/* Of all that is there, or of a model and a device. */
static status list(struct job *job, const struct texts *inputs)
{
    static const struct table_column columns[] = {
        { .name = "model", .title = "Model", .type = CELL_TEXT, .description = "what was measured" },
        { .name = "build", .title = "Build", .type = CELL_TEXT, .description = "of it" },
        { .name = "device", .title = "Device", .type = CELL_TEXT, .description = "it ran on" },
        { .name = "profiles", .title = "Profiles", .type = CELL_INTEGER, .description = "of the build" },
        { .name = "launches", .title = "Launches", .type = CELL_INTEGER, .description = "of these, with a time" },
        { .name = "median", .title = "Run", .type = CELL_DURATION, .description = "mean of the launch medians" },
        { .name = "commit", .title = "Commit", .type = CELL_TEXT, .description = "of the build", .optional = true },
        { .name = "added", .title = "Added", .type = CELL_TEXT, .description = "first, in UTC", .optional = true },
        { .name = NULL },
    };
    const struct history_settings *settings = job->settings;
    const struct history_value parameters[] = { history_word(inputs->count ? inputs->items[0] : settings->model),
                                                history_word(settings->device) };
    struct history history;
    status code = history_open(settings, false, &history);

    if (code == STATUS_OK)
        code = list_rows(job, &history, "builds", "Builds", columns,
                         "SELECT p.model, p.build, p.device, count(DISTINCT p.profile), count(l.launch),"
                         " round(avg(l.median) * 1e6), max(p.commit_id), min(p.added) FROM profile p LEFT JOIN launch "
                         "l ON l.profile = p.profile"
                         " WHERE (?1 = '' OR p.model = ?1) AND (?2 = '' OR p.device = ?2)"
                         " GROUP BY p.model, p.device, p.build ORDER BY p.model, p.device, min(p.added)",
                         parameters, 2);
    if (code == STATUS_OK && job->json)
        code = list_labels(job, &history, parameters);
    history_close(&history);
    return code;
}

static status show_profiles(struct job *job, const struct history *history, const struct history_value *build)
{
    static const struct table_column profiles[] = {
        { .name = "profile", .title = "Profile", .type = CELL_TEXT, .description = "the file" },
        { .name = "model", .title = "Model", .type = CELL_TEXT, .description = "what was measured" },
        { .name = "device", .title = "Device", .type = CELL_TEXT, .description = "it ran on" },
        { .name = "labels", .title = "Labels", .type = CELL_TEXT, .description = "whatever else was said of it" },
        { .name = "launches", .title = "Launches", .type = CELL_INTEGER, .description = "with a time" },
        { .name = "median", .title = "Run", .type = CELL_DURATION, .description = "mean of the launch medians" },
        { .name = "size", .title = "Size", .type = CELL_BYTES, .description = "of the file" },
        { .name = "hash", .title = "Hash", .type = CELL_TEXT, .description = "of its bytes", .optional = true },
        { .name = NULL },
    };
    static const struct table_column operators[] = {
        { .name = "operator", .title = "Operator", .type = CELL_TEXT, .description = "of the model" },
        { .name = "own", .title = "Time", .type = CELL_DURATION, .description = "of a run, mean over launches" },
        { .name = "device", .title = "Device", .type = CELL_DURATION, .description = "the same, of devices" },
        { .name = NULL },
    };
    static const struct table_column sentences[] = {
        { .name = "profile", .title = "Profile", .type = CELL_TEXT, .description = "it is about" },
        { .name = "kind", .title = "", .type = CELL_TEXT, .description = "failure, note or advice" },
        { .name = "sentence", .title = "What is to be known", .type = CELL_TEXT, .description = "in words" },
        { .name = NULL },
    };
    status code = list_rows(
        job, history, "profiles", "Profiles", profiles,
        "SELECT p.name, p.model, p.device, (SELECT group_concat(q.name || '=' || q.value, ' ') FROM label q WHERE"
        " q.profile = p.profile), count(l.launch), round(avg(l.median) * 1e6), p.size, format('%016x', p.profile)"
        " FROM profile p LEFT JOIN launch l ON l.profile = p.profile WHERE p.build = ?1 AND (?2 = '' OR p.model = ?2)"
        " GROUP BY p.profile ORDER BY p.added",
        build, 2);

    if (code == STATUS_OK)
        code = list_rows(
            job, history, "operators", "Operators", operators,
            "SELECT n.name, round(sum(o.own) * 1.0 / (SELECT count(*) FROM launch l JOIN profile q ON q.profile = "
            "l.profile"
            " WHERE q.build = ?1 AND (?2 = '' OR q.model = ?2))), round(sum(o.device) * 1.0 / (SELECT count(*) FROM "
            "launch l"
            " JOIN profile q ON q.profile = l.profile WHERE q.build = ?1 AND (?2 = '' OR q.model = ?2)))"
            " FROM profile p JOIN operator_time o ON o.profile = p.profile JOIN operator n ON n.operator = o.operator"
            " WHERE p.build = ?1 AND (?2 = '' OR p.model = ?2) GROUP BY n.name ORDER BY 2 DESC LIMIT 20",
            build, 2);
    return code == STATUS_OK
               ? list_rows(job, history, "sentences", "Notes", sentences,
                           "SELECT p.name, s.kind, s.sentence FROM profile p JOIN (SELECT profile, kind, sentence, "
                           "number FROM"
                           " note UNION ALL SELECT profile, 'advice', sentence, 1000000 + number FROM advice) s"
                           " ON s.profile = p.profile WHERE p.build = ?1 AND (?2 = '' OR p.model = ?2)"
                           " ORDER BY p.added, s.number",
                           build, 2)
               : code;
}

static status show(struct job *job, const struct texts *inputs)
{
    const struct history_settings *settings = job->settings;
    const char *build = inputs->count ? inputs->items[0] : settings->build;
    const struct history_value parameters[] = { history_word(build), history_word(settings->model) };
    struct history history = { 0 };
    status code =
        build ? history_open(settings, false, &history) : status_fail(STATUS_USAGE, "tacho history show wants a build");

    if (code == STATUS_OK)
        code = show_profiles(job, &history, parameters);
    if (code == STATUS_OK && !table_rows(job_find_table(job, "profiles")))
        code = status_fail(STATUS_INPUT, "no build is called \"%s\"; tacho history list lists them", build);
    history_close(&history);
    return code;
}

/* ---- prune, export --------------------------------------------------------------------------------------------------------------- */

static status prune(struct job *job, const struct texts *inputs)
{
    const struct history_settings *settings = job->settings;
    struct history_choice choice = history_choice_of(settings);
    struct history history = { 0 };
    size_t removed = 0;
    status code = settings->builds && !inputs->count
                      ? history_open(settings, true, &history)
                      : status_fail(STATUS_USAGE, "tacho history prune wants --builds N: how many of the last to keep");

    if (code == STATUS_OK)
        code = history_prune(&history, &choice, settings->builds, &removed);
    history_close(&history);
    return code == STATUS_OK ? job_say(job, "%zu profile%s taken out", removed, removed == 1 ? " was" : "s were")
                             : code;
}

/* All tables of the store, row by row, as JSON: a document that any program reads. */
struct exporting {
    struct json_out out;               /* into a file */
    const struct history_table *table; /* whose rows these are */
};

static status take_exported(void *context, const struct history_value *values)
{
    struct exporting *exporting = context;
    struct json_out *out = &exporting->out;

    json_out_object(out, NULL, JSON_ONE_LINE);
    for (size_t i = 0; i < HISTORY_COLUMNS && exporting->table->columns[i].name; i++) {
        const char *name = exporting->table->columns[i].name;

        switch (values[i].kind) {
        case HISTORY_INTEGER:
            json_out_integer(out, name, values[i].integer);
            break;
        case HISTORY_DECIMAL:
            json_out_decimal(out, name, values[i].decimal);
            break;
        case HISTORY_TEXT:
            json_out_string(out, name, values[i].text);
            break;
        case HISTORY_NULL:
        case HISTORY_BYTES:
            json_out_text(out, name, NULL);
            break; /* a profile that is kept is no text */
        }
    }
    json_out_end(out);
    return STATUS_OK;
}

static status export_tables(const struct history *history, struct output *output)
{
    struct exporting exporting = { 0 };
    char query[128];
    status code = STATUS_OK;

    json_out_start(&exporting.out, output);
    json_out_object(&exporting.out, NULL, JSON_LINES);
    json_out_integer(&exporting.out, "version", HISTORY_VERSION);
    for (exporting.table = history_tables; exporting.table->name && code == STATUS_OK; exporting.table++) {
        snprintf(query, sizeof query, "SELECT * FROM %s", exporting.table->name);
        json_out_array(&exporting.out, exporting.table->name, JSON_LINES);
        code = history->calls->ask(history->self, query, NULL, 0, take_exported, &exporting);
        json_out_end(&exporting.out);
    }
    json_out_end(&exporting.out);
    json_out_finish(&exporting.out);
    return code;
}

static status export_all(struct job *job, const struct texts *inputs)
{
    struct history history = { 0 };
    struct output *output;
    status code = inputs->count == 1
                      ? history_open(job->settings, false, &history)
                      : status_fail(STATUS_USAGE, "tacho history export wants the name of a file that is written");

    if (code == STATUS_OK)
        code = output_open(inputs->items[0], &output);
    if (code == STATUS_OK)
        code = output_finish(output, export_tables(&history, output));
    history_close(&history);
    return code;
}

/* ---- the verb ---------------------------------------------------------------------------------------------------------------------- */

static const struct action {
    const char *name;                                           /* the first word */
    status (*run)(struct job *job, const struct texts *inputs); /* does it, with the words behind */
} actions[] = {
    { "add", add },           { "list", list },
    { "show", show },         { "trend", history_trend },
    { "gate", history_gate }, { "compare", history_compare },
    { "prune", prune },       { "export", export_all },
};

static status run(struct job *job)
{
    struct texts rest = { 0 };
    const char *name = job->inputs.count ? job->inputs.items[0] : "";
    const struct action *action = NULL;
    status code = check_labels(job->settings);

    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        action = strcmp(name, actions[i].name) == 0 ? &actions[i] : action;
    if (code == STATUS_OK && !action)
        code = status_fail(STATUS_USAGE,
                           "tacho history wants add, list, show, trend, gate, compare, prune or export%s%s%s",
                           *name ? ", not \"" : "", name, *name ? "\"" : "");
    for (size_t i = 1; i < job->inputs.count && code == STATUS_OK; i++)
        code = texts_add(&rest, job->inputs.items[i]);
    if (code == STATUS_OK)
        code = action->run(job, &rest);
    texts_free(&rest);
    return code;
}

const struct verb history_verb = {
    .name = "history",
    .summary = "keep profiles of builds, show what changed and when, and stop what is slower",
    .usage = "add|list|show|trend|gate|compare|prune|export [options] [ARGUMENT...]",
    .takes = VERB_READS | VERB_RUNS | VERB_OUTPUTS | VERB_JSON,
    .options = options,
    .settings_size = sizeof(struct history_settings),
    .run = run,
};
