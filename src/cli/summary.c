/* summary.c: tacho summary: where the time went. */
#include <stdio.h>
#include <string.h>

#include "analyze/breakdown.h"
#include "analyze/metrics.h"
#include "analyze/overview.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "job/table_file.h"
#include "table/printer.h"
#include "trace/busy.h"

static struct given {
    const char *by;
    const char *wall_time;
    const char *model;
    const char *output;
    bool json;
} settings;

static const struct option options[] = {
    { "by", 0, OPTION_TEXT, &settings.by, "operator|location|type|engine", "break the time down" },
    { "wall-time", 0, OPTION_TEXT, &settings.wall_time, "S", "seconds around the run (default: wall_time.txt)" },
    { "model", 0, OPTION_TEXT, &settings.model, "NAME", "name to show (default: the file's)" },
    { "output", 'o', OPTION_TEXT, &settings.output, "FILE", "write a table: .csv .json .md .html .xlsx" },
    { "json", 0, OPTION_FLAG, &settings.json, NULL, "as JSON, times in ns" },
    { 0 },
};

/* One input, read and added up. */
struct result {
    struct profile *profile;
    struct metrics metrics;
    char model[256];
    const char *notes[PROFILE_NOTES];
    size_t note_count;
};

static status parse_by(enum breakdown_by *by)
{
    static const char *const names[] = { "operator", "location", "type", "engine" };

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(settings.by, names[i]) == 0) {
            *by = (enum breakdown_by)i;
            return STATUS_OK;
        }
    }
    return status_fail(STATUS_USAGE, "--by wants operator, location, type or engine, not \"%s\"", settings.by);
}

static bool parse_seconds(const char *text, size_t length, int64_t *nanoseconds)
{
    double seconds;

    if (!number_parse_decimal(text, length, &seconds) || seconds < 0 || seconds > 1e9)
        return false;
    *nanoseconds = (int64_t)(seconds * 1e9 + 0.5);
    return true;
}

/* The wall time of an input: by option, or from wall_time.txt beside it; -1: none. */
static status find_wall_time(const char *path, int64_t *nanoseconds)
{
    const char *slash = strrchr(path, '/');
    char beside[4096];
    struct input *input;
    struct text text;
    size_t length;

    *nanoseconds = -1;
    if (settings.wall_time)
        return parse_seconds(settings.wall_time, strlen(settings.wall_time), nanoseconds)
                   ? STATUS_OK
                   : status_fail(STATUS_USAGE, "--wall-time wants seconds, not \"%s\"", settings.wall_time);
    snprintf(beside, sizeof beside, "%.*swall_time.txt", slash ? (int)(slash - path + 1) : 0, path);
    if (strcmp(path, "-") == 0 || input_open(beside, &input) != STATUS_OK) {
        status_clear();
        return STATUS_OK;
    }
    length = input_whole(input, 4096, &text) == STATUS_OK ? text.length : 0;
    while (length && strchr(" \r\n\t", text.data[length - 1]))
        length--;
    if ((!length || !parse_seconds(text.data, length, nanoseconds)) && !quiet)
        fprintf(stderr, "tacho: %s: does not hold a number of seconds: there is no WALL_TIME\n", beside);
    input_close(input);
    status_clear();
    return STATUS_OK;
}

static void name_model(struct result *result)
{
    const char *open = strchr(path_name(result->profile->path), '[');
    const char *close = open ? strchr(open, ']') : NULL;

    if (settings.model)
        snprintf(result->model, sizeof result->model, "%s", settings.model);
    else if (close && close > open + 1)
        snprintf(result->model, sizeof result->model, "%.*s", (int)(close - open - 1), open + 1);
    else
        text_copy(result->model, sizeof result->model, path_stem(result->profile->path));
}

/* ---- outputs ----------------------------------------------------------------------------------------------------- */

/* Some inputs say more than times. */
struct footprint {
    struct table *tables[2]; /* those with rows; owned */
    size_t count;
};

/* Those of them that have rows. */
static status footprint_make(struct footprint *footprint, const struct profile *profile)
{
    struct table *made[sizeof footprint->tables / sizeof *footprint->tables];
    size_t count = 0;
    status code = profile->reader->details(&profile->source, made, sizeof made / sizeof *made, &count);

    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        if (table_rows(made[i]))
            footprint->tables[footprint->count++] = made[i];
        else
            table_free(made[i]);
    }
    return code;
}

static void footprint_free(struct footprint *footprint)
{
    for (size_t i = 0; i < footprint->count; i++)
        table_free(footprint->tables[i]);
}

static void fill_overviews(struct result *results, size_t count, const int64_t *walls, struct overview *overviews)
{
    for (size_t i = 0; i < count; i++)
        overviews[i] = (struct overview){
            .model = results[i].model,
            .metrics = &results[i].metrics,
            .wall_ns = walls[i],
            .losses = &results[i].profile->losses,
            .notes = results[i].notes,
            .note_count = results[i].note_count,
        };
}

static status print_json(const struct overview *overviews, size_t count)
{
    struct output *output;
    status code = output_open(settings.output ? settings.output : "-", &output);

    if (code != STATUS_OK)
        return code;
    if (count > 1)
        output_write(output, "[\n", 2);
    for (size_t i = 0; i < count; i++) {
        if (i)
            output_write(output, ",\n", 2);
        overview_json(output, &overviews[i]);
    }
    output_write(output, count > 1 ? "\n]\n" : "\n", count > 1 ? 3 : 1);
    return output_commit(output);
}

static status print_text(const struct overview *overview)
{
    unsigned width = terminal_width();
    struct output *output;
    status code = output_open("-", &output);

    if (code != STATUS_OK)
        return code;
    width = width ? width : 68;
    overview_title(output, width);
    overview_text(output, overview, width);
    return output_commit(output);
}

static status print_side_by_side(const struct overview *overviews, size_t count, const struct footprint *footprint)
{
    struct table *table = overview_table(overviews, count);
    const struct table *tables[3] = { table };
    status code = table ? table_status(table) : status_no_memory("making a table");

    for (size_t i = 0; i < footprint->count; i++)
        tables[1 + i] = footprint->tables[i];
    if (code == STATUS_OK)
        code =
            settings.output ? tables_to_file(tables, 1 + footprint->count, settings.output) : table_print(table, false);
    if (code == STATUS_OK && settings.output)
        report_notes(table);
    table_free(table);
    return code;
}

static status print_all(const struct overview *overviews, size_t count, const struct footprint *footprint)
{
    status code;

    if (settings.json || (settings.output && path_ends(settings.output, ".json")))
        return print_json(overviews, count);
    if (count > 1 || settings.output)
        return print_side_by_side(overviews, count, footprint);
    code = print_text(overviews);
    for (size_t i = 0; i < footprint->count && code == STATUS_OK; i++) {
        putchar('\n');
        fflush(stdout);
        code = table_print(footprint->tables[i], false);
    }
    return code;
}

static status print_overviews(const struct session *session, struct result *results, size_t count)
{
    struct overview *overviews = memory_allocate_clear(count * sizeof *overviews);
    int64_t *walls = memory_allocate_clear(count * sizeof *walls);
    struct footprint footprint = { 0 };
    status code = overviews && walls ? STATUS_OK : status_no_memory("printing");

    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = find_wall_time(results[i].profile->path, &walls[i]);
    if (code == STATUS_OK && count == 1 && results[0].profile->reader->details)
        code = footprint_make(&footprint, results[0].profile);
    if (code == STATUS_OK) {
        fill_overviews(results, count, walls, overviews);
        overviews[0].tables = (const struct table *const *)footprint.tables;
        overviews[0].table_count = footprint.count;
        code = print_all(overviews, count, &footprint);
    }
    footprint_free(&footprint);
    memory_free(overviews);
    memory_free(walls);
    return code;
}

static status print_breakdowns(const struct session *session, const struct busy *busy, struct result *results,
                               size_t count)
{
    enum breakdown_by by;
    status code = parse_by(&by);

    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        struct table *table;

        code = breakdown_table(busy, results[i].profile->process, &results[i].metrics, session->strings, by, &table);
        if (code != STATUS_OK)
            return code;
        if (count > 1)
            table_note(table, "input: %s", results[i].profile->path);
        for (size_t j = 0; j < results[i].note_count; j++)
            table_note(table, "%s", results[i].notes[j]);
        overview_note_losses(table, NULL, &results[i].profile->losses);
        code = settings.output ? table_to_file(table, settings.output, NULL, NULL) : table_print(table, settings.json);
        if (code == STATUS_OK && settings.output)
            report_notes(table);
        table_free(table);
    }
    return code;
}

/* ---- run ----------------------------------------------------------------------------------------------------------- */

static status read_result(struct session *session, struct feed *feed, struct busy *busy, struct result *result)
{
    status code = session_read(session, result->profile, feed);

    if (code == STATUS_OK)
        code = busy_settle(busy);
    if (code == STATUS_OK)
        code = profile_metrics(result->profile, busy, &result->metrics);
    name_model(result);
    result->note_count = profile_notes(result->profile, &result->metrics, result->notes);
    return code;
}

static status summarise(struct session *session, struct busy *busy, struct feed *feed, const struct texts *words)
{
    struct result *results = memory_allocate_clear(words->count * sizeof *results);
    status code = results ? session_add_all(session, words->items, words->count) : status_no_memory("starting");

    if (code == STATUS_OK && settings.output)
        code = session_check_output(session, settings.output);
    for (size_t i = 0; i < session->profile_count && code == STATUS_OK; i++) {
        results[i].profile = &session->profiles[i];
        code = read_result(session, feed, busy, &results[i]);
    }
    if (code == STATUS_OK && settings.by)
        code = print_breakdowns(session, busy, results, session->profile_count);
    else if (code == STATUS_OK)
        code = print_overviews(session, results, session->profile_count);
    memory_free(results);
    return code;
}

static status run(const struct texts *words)
{
    struct session session;
    struct busy busy;
    struct feed feed;
    enum breakdown_by by;
    status code = STATUS_OK;

    if (!words->count)
        return status_fail(STATUS_USAGE, "tacho summary wants at least one input; see tacho summary --help");
    if (settings.output && strcmp(settings.output, "-") == 0)
        settings.output = NULL;
    if (settings.by)
        code = parse_by(&by);
    if (code == STATUS_OK && settings.by && words->count > 1 && (settings.json || settings.output))
        code = status_fail(STATUS_USAGE, "--by with --json or -o takes one input at a time");
    if (code != STATUS_OK)
        return code;
    busy_start(&busy);
    code = session_start(&session, &common);
    feed_start(&feed, busy_sink(&busy), session.strings);
    if (code == STATUS_OK)
        code = summarise(&session, &busy, &feed, words);
    feed_free(&feed);
    busy_free(&busy);
    session_end(&session);
    return code;
}

const struct verb summary_verb = {
    .name = "summary",
    .summary = "show where the time went: engines, overlap, idle",
    .usage = "[options] INPUT...",
    .options = options,
    .more = common_options,
    .run = run,
};
