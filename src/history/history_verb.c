/* history_verb.c: tacho history: add, prune and export; what was kept is written in history_kept.c; list and show are in history_list.c and history_show.c, trend and compare in history_answers.c, gate in
 * history_gate.c, mark in history_marks.c. */
#include "history/history_verb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/suggest.h"

#define HISTORY_FILE "tacho-history.sqlite"
#define AT(member) offsetof(struct history_settings, member)

static const struct option options[] = {
    { "store", 0, OPTION_TEXT, AT(store), "FILE|URL", "the history (default: TACHO_HISTORY, or " HISTORY_FILE ")" },
    { "model", 0, OPTION_TEXT, AT(model), "NAME", "of what (default: of the manifest, or the file's name)" },
    { "build", 0, OPTION_TEXT, AT(build), "NAME", "of which build (default: manifest, build system, git)" },
    { "commit", 0, OPTION_TEXT, AT(commit), "ID", "of which commit (default: manifest, build system, git)" },
    { "device", 0, OPTION_TEXT, AT(device), "NAME", "on which device" },
    { "label", 0, OPTION_REPEAT, AT(labels), "KEY=VALUE", "whatever else tells profiles apart" },
    { "keep", 0, OPTION_FLAG, AT(keep), NULL, "add: keep the profiles themselves, too" },
    { "kept", 0, OPTION_TEXT, AT(kept), "FOLDER", "export: write the profiles that were kept there" },
    { "operator", 0, OPTION_TEXT, AT(op), "NAME", "trend, gate: of this operator" },
    { "metric", 0, OPTION_TEXT, AT(metric), "run|device|host|idle|operators|bytes|flops|cycles",
      "trend, gate: of what; or a part of a run" },
    { "builds", 0, OPTION_NUMBER, AT(builds), "N", "gate: good builds that count; prune: to keep" },
    { "older", 0, OPTION_NUMBER, AT(older), "DAYS", "prune: what was added longer ago" },
    { "tolerance", 0, OPTION_TEXT, AT(tolerance), "PERCENT", "gate: slower by so much passes (default: 1)" },
    { "calibrate", 0, OPTION_FLAG, AT(calibrate), NULL, "gate: what it would have said of past builds" },
    { "junit", 0, OPTION_TEXT, AT(junit), "FILE", "gate: write the verdict as JUnit XML, too" },
    { "table", 0, OPTION_TEXT, AT(table), "builds|labels|profiles|operators|sentences",
      "list, show: this table alone, whole" },
    { 0 },
};

/* ---- shared -------------------------------------------------------------------------------------------------------------------- */

struct history_choice history_choice_of(const struct history_settings *settings)
{
    return (struct history_choice){ .model = settings->model,
                                    .device = settings->device,
                                    .builds = &settings->build,
                                    .build_count = settings->build && *settings->build,
                                    .labels = settings->labels };
}

status history_open(const struct history_settings *settings, bool write, struct history *history)
{
    const char *named = getenv("TACHO_HISTORY");

    return history_open_store(settings->store   ? settings->store
                              : named && *named ? named
                                                : HISTORY_FILE,
                              write, history);
}

status history_check_devices(const struct history_series *series)
{
    if (series->device_count < 2)
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "%zu devices (%s, %s%s) are not one series: give --device", series->device_count,
                       series->devices[0], series->devices[1], series->device_count > 2 ? ", ..." : "");
}

static status check_labels(const struct history_settings *settings)
{
    for (size_t i = 0; i < settings->labels.count; i++) {
        const char *label = settings->labels.items[i], *sign = strchr(label, '=');

        if (!sign || sign == label)
            return status_fail(STATUS_USAGE, "--label wants KEY=VALUE, not \"%s\"", label);
        for (size_t k = 0; k < i; k++)
            if (strncmp(settings->labels.items[k], label, (size_t)(sign - label) + 1) == 0)
                return status_fail(STATUS_USAGE, "--label %.*s is given twice", (int)(sign - label), label);
    }
    return STATUS_OK;
}

/* ---- what is listed and shown -------------------------------------------------------------------------------------------------------- */

void history_medians_add(struct history_medians *medians, double ms)
{
    if (isnan(ms))
        return;
    medians->least = !medians->count || ms < medians->least ? ms : medians->least;
    medians->most = !medians->count || ms > medians->most ? ms : medians->most;
    medians->sum += ms;
    medians->count++;
}

static struct table_cell cell_of_ms(const struct history_medians *medians, double ms)
{
    double ns = ms * 1e6;

    return medians->count && fabs(ns) < 1e18 ? cell_integer(llround(ns)) : cell_null(); /* not NAN, either */
}

struct table_cell history_medians_mean(const struct history_medians *medians)
{
    return cell_of_ms(medians, medians->sum / (double)medians->count);
}

struct table_cell history_medians_least(const struct history_medians *medians)
{
    return cell_of_ms(medians, medians->least);
}

struct table_cell history_medians_most(const struct history_medians *medians)
{
    return cell_of_ms(medians, medians->most);
}

struct table_cell history_cell_text(const char *text)
{
    return cell_text(*text ? text : NULL);
}

static const char *next_text(void *context)
{
    const char *const **next = context;

    return **next ? *(*next)++ : NULL;
}

status history_check_table(const struct job *job, const char *const *tables)
{
    const struct history_settings *settings = job->settings;
    const char *const *next = tables, *meant;
    char names[HISTORY_WORD] = "";

    if (!settings->table)
        return STATUS_OK;
    for (size_t i = 0; tables[i]; i++) {
        if (strcmp(tables[i], settings->table) == 0)
            return STATUS_OK;
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                 !i              ? ""
                 : tables[i + 1] ? ", "
                                 : " or ",
                 tables[i]);
    }
    meant = suggest(text_of(settings->table), next_text, &next);
    return status_fail(STATUS_USAGE, "--table wants %s here, not \"%s\"%s%s%s", names, settings->table,
                       meant ? "; did you mean \"" : "", meant ? meant : "", meant ? "\"?" : "");
}

bool history_wants(const struct job *job, const char *table, const char *usual)
{
    const struct history_settings *settings = job->settings;

    if (settings->table)
        return strcmp(settings->table, table) == 0;
    return !view_is_asked(&job->view) || strcmp(table, usual) == 0;
}

status history_add_view(struct job *job, const struct rows *rows, const struct view *const *views)
{
    struct table *table;
    status code = view_table(rows, views, &job->view, &table);

    return code == STATUS_OK ? job_table(job, table) : code;
}

enum { DAYS_MOST = 36500 };

/* So many days ago; 0: for ever. */
static int64_t since(uint64_t days)
{
    static const int64_t day = INT64_C(86400000000000);

    return days ? history_now() - (int64_t)days * day : INT64_MIN;
}

/* ---- add ------------------------------------------------------------------------------------------------------------------------- */

/* What was added before a failure is there all the same. */
static status settle(struct history_adding *adding)
{
    status code = history_settle(&adding->history);

    for (size_t i = 0; i < adding->count && code == STATUS_OK; i++)
        code = job_say(adding->job, "%s", adding->sentences[i]);
    return code;
}

/* What the store was told to forget, where it cannot do so by itself. */
static status forget(struct job *job, const struct history *history)
{
    const struct history_choice all = { 0 };
    size_t removed = 0;
    status code = history->days ? history_prune(history, &all, 0, since(history->days), &removed) : STATUS_OK;

    if (code != STATUS_OK || !removed)
        return code;
    return job_say(job, "%zu profile%s of more than %llu day%s %s taken out", removed, removed == 1 ? "" : "s",
                   (unsigned long long)history->days, history->days == 1 ? "" : "s", removed == 1 ? "was" : "were");
}

static status add(struct job *job, const struct texts *inputs)
{
    struct history_adding adding = { .job = job };
    char failure[HISTORY_SENTENCE] = "";
    status code = inputs->count ? history_open(job->settings, true, &adding.history)
                                : status_fail(STATUS_USAGE, "tacho history add wants profiles"),
           settled;

    for (size_t i = 0; i < inputs->count && code == STATUS_OK; i++)
        code = history_add_input(&adding, inputs->items[i]);
    if (adding.history.calls) {
        snprintf(failure, sizeof failure, "%s", code == STATUS_OK ? "" : status_message());
        settled = settle(&adding);
        if (code != STATUS_OK && settled == STATUS_OK)
            code = status_fail(code, "%s", failure);
        code = settled == STATUS_OK ? code : settled;
        if (code == STATUS_OK)
            code = forget(job, &adding.history);
    }
    history_adding_free(&adding);
    history_close(&adding.history);
    return code;
}

/* ---- prune, export --------------------------------------------------------------------------------------------------------------- */

static status prune(struct job *job, const struct texts *inputs)
{
    const struct history_settings *settings = job->settings;
    struct history_choice choice = history_choice_of(settings);
    struct history history = { 0 };
    size_t removed = 0;
    status code = (settings->builds || settings->older) && !inputs->count
                      ? history_open(settings, false, &history) /* one that is not there is not made for this */
                      : status_fail(STATUS_USAGE, "tacho history prune wants --builds N, how many of the last to keep, "
                                                  "or --older DAYS");

    if (code == STATUS_OK && settings->older > DAYS_MOST)
        code = status_fail(STATUS_USAGE, "--older wants %d days at most", DAYS_MOST);
    history_close(&history);
    if (code == STATUS_OK)
        code = history_open(settings, true, &history);
    if (code == STATUS_OK)
        code = history_prune(&history, &choice, settings->builds, since(settings->older), &removed);
    history_close(&history);
    return code == STATUS_OK ? job_say(job, "%zu profile%s taken out", removed, removed == 1 ? " was" : "s were")
                             : code;
}

/* All tables of the store but that of bytes that were kept, row by row, as JSON: a document that any program reads. Tables are read one after the other, and
 * what is added to servers meanwhile has no row in the first. */
struct exporting {
    struct json_out out;               /* into a file */
    const struct history_table *table; /* whose rows these are */
    int64_t *profiles;                 /* that are exported, by id; owned */
    size_t count, capacity;            /* of these */
    size_t cursor;                     /* profile that rows are of */
};

/* Of a profile that is exported, or of none. Ids ascend. */
static bool is_exported(struct exporting *exporting, int64_t id)
{
    if (exporting->table->shared)
        return true;
    while (exporting->cursor < exporting->count && exporting->profiles[exporting->cursor] < id)
        exporting->cursor++;
    return exporting->cursor < exporting->count && exporting->profiles[exporting->cursor] == id;
}

static status take_exported(void *context, const struct history_value *values)
{
    struct exporting *exporting = context;
    struct json_out *out = &exporting->out;
    status code = STATUS_OK;

    if (exporting->table == &history_tables[TABLE_PROFILE]) {
        code =
            memory_grow(&exporting->profiles, &exporting->capacity, exporting->count + 1, sizeof *exporting->profiles);
        if (code == STATUS_OK)
            exporting->profiles[exporting->count++] = history_integer_at(&values[0]);
    }
    if (code != STATUS_OK || !is_exported(exporting, history_integer_at(&values[0])))
        return code;
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
            break;
        }
    }
    json_out_end(out);
    return STATUS_OK;
}

static status export_tables(const struct history *history, struct output *output)
{
    struct exporting exporting = { 0 };
    status code = STATUS_OK;

    json_out_start(&exporting.out, output);
    json_out_object(&exporting.out, NULL, JSON_LINES);
    json_out_integer(&exporting.out, "version", HISTORY_VERSION);
    for (unsigned i = 0; i < HISTORY_TABLES && code == STATUS_OK; i++) {
        const struct history_request request = { .table = (enum history_table_id)i };

        if (i == TABLE_CONTENT)
            continue;
        exporting.table = &history_tables[i];
        exporting.cursor = 0;
        json_out_array(&exporting.out, exporting.table->name, JSON_LINES);
        code = history->calls->read(history->self, &request, take_exported, &exporting);
        json_out_end(&exporting.out);
    }
    json_out_end(&exporting.out);
    json_out_finish(&exporting.out);
    memory_free(exporting.profiles);
    return code;
}

static status export_all(struct job *job, const struct texts *inputs)
{
    const struct history_settings *settings = job->settings;
    struct history history = { 0 };
    struct output *output = NULL;
    status code = inputs->count == 1 || (settings->kept && !inputs->count)
                      ? history_open(settings, false, &history)
                      : status_fail(STATUS_USAGE, "tacho history export wants the name of a file that is written, or "
                                                  "--kept FOLDER for the profiles that were kept");

    if (code == STATUS_OK && inputs->count)
        code = output_open(inputs->items[0], &output);
    if (code == STATUS_OK && inputs->count)
        code = output_finish(output, export_tables(&history, output));
    if (code == STATUS_OK && settings->kept)
        code = history_write_kept(job, &history);
    history_close(&history);
    return code;
}

/* ---- the verb ---------------------------------------------------------------------------------------------------------------------- */

static const struct action {
    const char *name;                                           /* the first word */
    status (*run)(struct job *job, const struct texts *inputs); /* does it, with the words behind */
    bool views;                                                 /* its tables are views: --columns and others */
} actions[] = {
    { "add", add, false },           { "list", history_list, true },
    { "show", history_show, true },  { "trend", history_trend, false },
    { "gate", history_gate, false }, { "compare", history_compare, false },
    { "mark", history_mark, false }, { "prune", prune, false },
    { "export", export_all, false },
};

static status run(struct job *job)
{
    const struct history_settings *settings = job->settings;
    struct texts rest = { 0 };
    const char *name = job->inputs.count ? job->inputs.items[0] : "";
    const struct action *action = NULL;
    status code = check_labels(job->settings);

    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        action = strcmp(name, actions[i].name) == 0 ? &actions[i] : action;
    if (code == STATUS_OK && !action)
        code = status_fail(STATUS_USAGE,
                           "tacho history wants add, list, show, trend, gate, compare, mark, prune or export%s%s%s",
                           *name ? ", not \"" : "", name, *name ? "\"" : "");
    if (code == STATUS_OK && !action->views && (settings->table || view_is_asked(&job->view)))
        code = status_fail(STATUS_USAGE,
                           "--table, --columns, --sort, --limit and --filter are about what tacho history list and "
                           "show print, not about %s",
                           name);
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
    .usage = "add|list|show|trend|gate|compare|mark|prune|export [options] [ARGUMENT...]",
    .takes = VERB_READS | VERB_VIEWS | VERB_RUNS | VERB_OUTPUTS | VERB_JSON,
    .options = options,
    .settings_size = sizeof(struct history_settings),
    .run = run,
};
