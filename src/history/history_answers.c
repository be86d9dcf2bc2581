/* history_answers.c: tacho history trend and compare: what changed over builds, what is different between two of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "history/history_profiles.h"
#include "history/history_verb.h"
#include "job/compare.h"

enum { SENTENCE = COMPARE_SENTENCE, OPERATORS_SHOWN = 15 };

_Static_assert((int)BUILDS_LAUNCHES <= (int)HISTORY_BUILDS, "builds of one launch each can be asked for at once");

const char *history_metric(const struct history_settings *settings)
{
    return settings->metric ? settings->metric : "run";
}

void history_subject(const struct history_settings *settings, const char *model, char to[HISTORY_SENTENCE])
{
    snprintf(to, HISTORY_SENTENCE, "%.200s%s%.200s, %.60s", model, settings->op ? ", " : "",
             settings->op ? settings->op : "", history_metric(settings));
}

static void write_sentence(struct output *output, const void *text, const struct printer_style *style)
{
    text_write_wrapped(output, style, "", text);
}

status history_say(struct job *job, const char *text)
{
    char *copy = memory_copy_text(text);

    return copy ? job_block(job, "sentence", write_sentence, copy, memory_free) : status_no_memory("answering");
}

/* "on board, with threads=1 and mode=fast"; empty: whatever device and labels. */
static void describe_choice(const struct history_choice *choice, char to[HISTORY_SENTENCE])
{
    size_t length = 0;

    to[0] = '\0';
    if (choice->device && *choice->device)
        length += (size_t)snprintf(to, HISTORY_SENTENCE, " on %.200s", choice->device);
    for (size_t i = 0; i < choice->labels.count && length < HISTORY_SENTENCE; i++)
        length += (size_t)snprintf(to + length, HISTORY_SENTENCE - length, "%s%.100s", i ? " and " : " with ",
                                   choice->labels.items[i]);
}

status history_series_of(const struct history *history, const struct history_settings *settings,
                         const struct history_choice *choice, struct history_series *series)
{
    char where[HISTORY_SENTENCE];
    size_t values = 0;
    status code = history_read_series(history, choice, history_metric(settings), settings->op, series);

    for (size_t i = 0; i < series->count; i++)
        values += series->builds[i].count;
    describe_choice(choice, where);
    if (code == STATUS_OK && !series->count)
        code = status_fail(STATUS_INPUT, "no build of \"%s\"%s is in the history; tacho history list lists what is",
                           choice->model, where);
    else if (code == STATUS_OK && !values)
        code = status_fail(STATUS_INPUT, "no launch of \"%s\"%s tells %s%s%s", choice->model, where,
                           history_metric(settings), settings->op ? " of " : "", settings->op ? settings->op : "");
    return code == STATUS_OK ? history_check_devices(series) : code;
}

status history_warn_mixture(struct job *job, const struct history *history, const struct history_choice *choice)
{
    struct history_profiles profiles;
    struct history_mixture mixture;
    status code = history_profiles_read(history, choice, &profiles);

    if (code == STATUS_OK)
        code = history_profiles_mixture(history, &profiles, &mixture);
    if (code == STATUS_OK && mixture.found) {
        const char *key = history_profiles_text(&profiles, mixture.key);
        const char *one = history_profiles_text(&profiles, mixture.values[0]);
        const char *other = history_profiles_text(&profiles, mixture.values[1]);
        bool turned = strcmp(one, other) > 0; /* they came by the hashes of their profiles */

        job_note(job, NOTE_WARNING, NULL,
                 "builds have launches of %s=%s and of %s=%s, which are looked at as one: --label %s=... chooses", key,
                 turned ? other : one, key, turned ? one : other, key);
    }
    history_profiles_free(&profiles);
    return code;
}

status history_check_metric(const struct history_settings *settings)
{
    return settings->op && history_is_count(history_metric(settings))
               ? status_fail(STATUS_USAGE, "--metric %s is counted of a whole run, not of one operator",
                             history_metric(settings))
               : STATUS_OK;
}

/* ---- both sides of a change ------------------------------------------------------------------------------------------------------- */

/* Two sides that are compared; nothing of them is shown yet. */
struct sides {
    struct strings *strings;             /* of all names; owned */
    struct history_launches launches[2]; /* owned */
    struct compare_side sides[2];        /* of these */
    struct comparison comparison;        /* once `compared` */
    bool compared;                       /* it was made */
};

static void sides_free(struct sides *sides)
{
    if (sides->compared)
        comparison_free(&sides->comparison);
    for (unsigned i = 0; i < 2; i++)
        history_launches_free(&sides->launches[i]);
    strings_free(sides->strings);
}

/* The launches of builds from `first` on, towards `last`, until there are enough. */
static status read_builds(struct sides *sides, unsigned side, const struct history *history,
                          const struct history_choice *all, const struct history_series *series, size_t first,
                          size_t last)
{
    struct history_choice choice = *all;
    const char *names[HISTORY_BUILDS];
    size_t launches = 0, at = first;

    choice.builds = names;
    choice.build_count = 0;
    for (;; at += first < last ? 1 : (size_t)-1) {
        if (series->builds[at].count)
            names[choice.build_count++] = series->names[at];
        launches += series->builds[at].count;
        if (at == last || launches >= BUILDS_LAUNCHES)
            break;
    }
    return choice.build_count ? history_read_launches(history, &choice, sides->strings, &sides->launches[side])
                              : STATUS_OK;
}

static status compare_both(struct sides *sides, const struct history_settings *settings)
{
    struct compare_options how = { .latency = LATENCY_DEFAULTS };

    if (settings->metric)
        how.subject = strcmp(settings->metric, "device") == 0 ? COMPARE_DEVICE : COMPARE_RUN;
    how.by_source = sides->launches[0].chain != sides->launches[1].chain;
    for (unsigned i = 0; i < 2; i++) {
        sides->sides[i] =
            (struct compare_side){ i ? "after" : "before", sides->launches[i].items, sides->launches[i].count };
        if (!sides->launches[i].count)
            return status_fail(STATUS_INPUT, "no launch of a side is in the history");
    }
    sides->compared = true;
    return compare_sides(sides->sides, &how, sides->strings, &sides->comparison);
}

/* Of a change: as far as the changes beside it, the nearest builds first. */
static status explain(const struct history *history, const struct history_settings *settings, const char *model,
                      const struct history_series *series, const struct changes *changes, size_t index,
                      struct sides *sides)
{
    const struct change *change = &changes->items[index];
    size_t from = index ? change[-1].build : 0;
    size_t to = index + 1 < changes->count ? change[1].build - 1 : series->count - 1;
    struct history_choice choice = history_choice_of(settings);
    status code;

    choice.model = model;
    sides->strings = model_strings();
    code = sides->strings ? STATUS_OK : status_no_memory("explaining a change");
    if (code == STATUS_OK)
        code = read_builds(sides, 0, history, &choice, series, change->range.last_before,
                           from < change->range.last_before ? from : change->range.last_before);
    if (code == STATUS_OK)
        code = read_builds(sides, 1, history, &choice, series, change->range.first_after,
                           to > change->range.first_after ? to : change->range.first_after);
    return code == STATUS_OK ? compare_both(sides, settings) : code;
}

/* The operators that make most of it: "conv2 +0.41ms, add -0.02ms". */
static void name_operators(const struct comparison *comparison, char to[SENTENCE])
{
    enum { MOST = 3 };
    size_t count, length = 0, named = 0;
    const struct compare_row *rows = comparison_section(comparison, COMPARE_OPERATOR_ROWS, &count);

    to[0] = '\0';
    for (size_t i = 0; i < count && named < MOST && length + 1 < SENTENCE; i++) {
        char time[FORMAT_SIZE];

        if ((rows[i].verdict != LATENCY_SLOWER && rows[i].verdict != LATENCY_FASTER) || !compare_difference(&rows[i]))
            continue;
        format_duration(time, compare_difference(&rows[i]));
        length += (size_t)snprintf(to + length, SENTENCE - length, "%s%.120s %s%s", named ? ", " : "", rows[i].name,
                                   compare_difference(&rows[i]) > 0 ? "+" : "", time);
        named++;
    }
}

/* ---- trend -------------------------------------------------------------------------------------------------------------------------- */

static const struct table_column change_columns[] = {
    { .name = "build", .title = "Build", .type = CELL_TEXT, .description = "the first that is different, most likely" },
    { .name = "last_before",
      .title = "After",
      .type = CELL_TEXT,
      .description = "the last build that surely is as before" },
    { .name = "first_after", .title = "By", .type = CELL_TEXT, .description = "the first build that surely is not" },
    { .name = "before", .title = "Before", .type = CELL_DURATION, .description = "level up to the change" },
    { .name = "after", .title = "Now", .type = CELL_DURATION, .description = "level from the change on" },
    { .name = "factor", .title = "Factor", .type = CELL_DECIMAL, .description = "time after over time before" },
    { .name = "low", .title = "from", .type = CELL_DECIMAL, .description = "95 % interval of the factor" },
    { .name = "high", .title = "to", .type = CELL_DECIMAL, .description = "95 % interval of the factor" },
    { .name = "operators",
      .title = "Operators",
      .type = CELL_TEXT,
      .description = "that explain it, by a comparison of both sides" },
    { .name = "commit", .title = "Commit", .type = CELL_TEXT, .description = "of the build", .optional = true },
    { .name = "p", .title = "p", .type = CELL_DECIMAL, .description = "of the test over builds", .optional = true },
    { .name = NULL },
};

static double rounded(double factor)
{
    return round(factor * 1000) / 1000;
}

static void add_change(struct table *table, const struct history_series *series, const struct change *change,
                       const char *operators)
{
    table_add_row(table);
    table_set_text(table, 0, series->names[change->build]);
    table_set_text(table, 1, series->names[change->range.last_before]);
    table_set_text(table, 2, series->names[change->range.first_after]);
    table_set_integer(table, 3, llround(change->before));
    table_set_integer(table, 4, llround(change->after));
    table_set_decimal(table, 5, rounded(change->factor));
    table_set_decimal(table, 6, rounded(change->interval.low));
    table_set_decimal(table, 7, rounded(change->interval.high));
    table_set_text(table, 8, *operators ? operators : NULL);
    table_set_text(table, 9, *series->commits[change->build] ? series->commits[change->build] : NULL);
    table_set_decimal(table, 10, change->p);
}

/* "3 changes over 40 builds; the last: 1.05x slower (95 % CI 1.04 to 1.06) at build 38". */
static void trend_sentence(const struct job *job, const struct history_series *series, const struct changes *changes,
                           const char *model, char to[2 * SENTENCE])
{
    const struct change *last = changes->count ? &changes->items[changes->count - 1] : NULL;
    char subject[SENTENCE];

    history_subject(job->settings, model, subject);
    if (!last)
        snprintf(to, (size_t)2 * SENTENCE, "%s: no change over %zu build%s%s", subject, changes->measured,
                 changes->measured == 1 ? "" : "s",
                 changes->measured < 2 * CHANGES_LEAST ? " (six are the least that can tell)" : "");
    else
        snprintf(to, (size_t)2 * SENTENCE,
                 "%s: %zu change%s over %zu builds; the last: %.3fx %s (95 %% CI %.3f to %.3f) with build %s", subject,
                 changes->count, changes->count == 1 ? "" : "s", changes->measured,
                 last->factor < 1 ? 1 / last->factor : last->factor, last->factor < 1 ? "faster" : "slower",
                 last->factor < 1 ? 1 / last->interval.high : last->interval.low,
                 last->factor < 1 ? 1 / last->interval.low : last->interval.high, series->names[last->build]);
}

/* Medians of builds, the newest on the right; a line of marks below says where it changed. */
struct chart {
    double *medians; /* by build; NAN: not measured; owned */
    bool *changed;   /* by build; owned */
    size_t count;    /* of builds */
};

static void chart_free(void *data)
{
    struct chart *chart = data;

    memory_free(chart->medians);
    memory_free(chart->changed);
    memory_free(chart);
}

static void write_chart(struct output *output, const void *data, const struct printer_style *style)
{
    enum { ROWS = 8, LABEL = 12, WIDTH = 68 };
    const struct chart *chart = data;
    size_t room = style && style->width > LABEL + 20 ? style->width - LABEL : WIDTH;
    size_t first = chart->count > room ? chart->count - room : 0;
    double low = INFINITY, high = -INFINITY;

    for (size_t i = first; i < chart->count; i++) {
        low = fmin(low, chart->medians[i]);
        high = fmax(high, chart->medians[i]);
    }
    for (int row = ROWS - 1; row >= 0 && low <= high; row--) {
        char time[FORMAT_SIZE] = "";

        if (row == ROWS - 1 || row == 0)
            format_duration(time, llround(row ? high : low));
        output_format(output, "%*s%s ", (int)(10 - format_width(time, strlen(time))), "", time);
        for (size_t i = first; i < chart->count; i++) {
            double share = high > low ? (chart->medians[i] - low) / (high - low) : 0.5;

            output_write(output, lround(share * (ROWS - 1)) == row && !isnan(share) ? "*" : " ", 1);
        }
        output_write(output, "\n", 1);
    }
    output_format(output, "%11s", "");
    for (size_t i = first; i < chart->count; i++)
        output_write(output, chart->changed[i] ? "^" : "-", 1);
    output_write(output, "\n", 1);
}

static status add_chart(struct job *job, const struct history_series *series, const struct changes *changes)
{
    struct chart *chart = memory_allocate_clear(sizeof *chart);
    double room[BUILDS_LAUNCHES];

    if (!chart)
        return status_no_memory("drawing");
    chart->count = series->count;
    chart->medians = memory_allocate((series->count + 1) * sizeof *chart->medians);
    chart->changed = memory_allocate_clear((series->count + 1) * sizeof *chart->changed);
    if (!chart->medians || !chart->changed) {
        chart_free(chart);
        return status_no_memory("drawing");
    }
    for (size_t i = 0; i < series->count; i++) {
        const struct build_value build = { .build = i };
        size_t launches = builds_gather(series->builds, &build, 1, false, room);

        statistics_sort(room, launches);
        chart->medians[i] = statistics_median(room, launches);
    }
    for (size_t i = 0; i < changes->count; i++)
        chart->changed[changes->items[i].build] = true;
    return job_block(job, "chart", write_chart, chart, chart_free);
}

static status add_changes(struct job *job, const struct history *history, const struct history_series *series,
                          const struct changes *changes, const char *model)
{
    struct table *table = table_new("changes", "Changes");
    status code = table ? STATUS_OK : status_no_memory("listing changes");

    for (size_t i = 0; code == STATUS_OK && change_columns[i].name; i++)
        table_add_column(table, change_columns[i]);
    for (size_t i = 0; i < changes->count && code == STATUS_OK; i++) {
        struct sides sides = { 0 };
        char operators[SENTENCE] = "";

        code = explain(history, job->settings, model, series, changes, i, &sides);
        if (code == STATUS_OK)
            name_operators(&sides.comparison, operators);
        sides_free(&sides);
        add_change(table, series, &changes->items[i], operators);
    }
    if (code == STATUS_OK && !isnan(changes->noise))
        table_note(table, "a build is off by %.2f %% by chance; a change needs %d builds on each side",
                   100 * changes->noise, CHANGES_LEAST);
    if (code == STATUS_OK)
        return job_table(job, table);
    table_free(table);
    return code;
}

/* For a program: the builds, each with the level that it lies on. */
static status add_levels(struct job *job, const struct history_series *series, const struct changes *changes,
                         const char *sentence)
{
    double *levels = memory_allocate((series->count + 1) * sizeof *levels);
    size_t passed = 0;
    status code;

    if (!levels)
        return status_no_memory("listing builds");
    for (size_t i = 0; i < series->count; i++) {
        while (passed < changes->count && changes->items[passed].build <= i)
            passed++;
        levels[i] = passed < changes->count ? changes->items[passed].before : changes->level;
    }
    code = history_add_builds(job, series, levels, sentence);
    memory_free(levels);
    return code;
}

/* Counts have no luck: each change is one, as it is. */
static status find_counts(const struct history_series *series, struct count_changes *changes)
{
    struct build_count *builds = memory_allocate((series->count + 1) * sizeof *builds);
    int64_t *values;
    size_t count = 0;
    status code;

    for (size_t i = 0; i < series->count; i++)
        count += series->builds[i].count;
    values = memory_allocate((count + 1) * sizeof *values);
    count = 0;
    for (size_t i = 0; builds && values && i < series->count; i++) {
        builds[i] = (struct build_count){ values + count, series->builds[i].count };
        for (size_t k = 0; k < series->builds[i].count; k++)
            values[count++] = llround(series->values[i][k]);
    }
    code = builds && values ? changes_of_counts(builds, series->count, changes) : status_no_memory("counting");
    memory_free(values);
    memory_free(builds);
    return code;
}

static status add_counts(struct job *job, const struct history_series *series, const struct count_changes *changes)
{
    static const struct table_column columns[] = {
        { .name = "last_before",
          .title = "After",
          .type = CELL_TEXT,
          .description = "the last build that is as before" },
        { .name = "build", .title = "Build", .type = CELL_TEXT, .description = "the first that is different" },
        { .name = "before", .title = "Before", .type = CELL_INTEGER, .description = "the number before" },
        { .name = "after", .title = "Now", .type = CELL_INTEGER, .description = "the number from then on" },
    };
    struct table *table = table_new("changes", "Changes");

    if (!table)
        return status_no_memory("listing changes");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        table_add_column(table, columns[i]);
    for (size_t i = 0; i < changes->count; i++) {
        table_add_row(table);
        table_set_text(table, 0, series->names[changes->items[i].last_before]);
        table_set_text(table, 1, series->names[changes->items[i].first_after]);
        table_set_integer(table, 2, changes->items[i].before);
        table_set_integer(table, 3, changes->items[i].after);
    }
    if (changes->unsteady)
        table_note(table, "launches of %zu build%s do not agree: nothing is said of %s", changes->unsteady,
                   changes->unsteady == 1 ? "" : "s", changes->unsteady == 1 ? "it" : "them");
    return job_table(job, table);
}

/* A build whose launches agree is its own level. */
static status add_count_levels(struct job *job, const struct history_series *series, const char *sentence)
{
    double *levels = memory_allocate((series->count + 1) * sizeof *levels);
    status code;

    if (!levels)
        return status_no_memory("listing builds");
    for (size_t i = 0; i < series->count; i++) {
        levels[i] = series->builds[i].count ? series->values[i][0] : NAN;
        for (size_t k = 1; k < series->builds[i].count; k++)
            levels[i] = series->values[i][k] == series->values[i][0] ? levels[i] : NAN;
    }
    code = history_add_builds(job, series, levels, sentence);
    memory_free(levels);
    return code;
}

static status trend_of_counts(struct job *job, const struct history_series *series, const char *model)
{
    struct count_changes changes = { 0 };
    char subject[SENTENCE], sentence[2 * SENTENCE];
    status code = find_counts(series, &changes);

    history_subject(job->settings, model, subject);
    snprintf(sentence, sizeof sentence, "%s: %zu change%s over %zu builds", subject, changes.count,
             changes.count == 1 ? "" : "s", series->count);
    if (code == STATUS_OK)
        code = job_say(job, "%s", sentence);
    if (code == STATUS_OK)
        code = add_counts(job, series, &changes);
    if (code == STATUS_OK && job->json)
        code = add_count_levels(job, series, sentence);
    count_changes_free(&changes);
    return code;
}

static status trend_of_times(struct job *job, const struct history *history, const struct history_series *series,
                             const char *model)
{
    struct changes changes;
    char sentence[2 * SENTENCE];
    status code = changes_find(series->builds, series->count, &CHANGES_DEFAULTS, &changes);

    if (code == STATUS_OK) {
        trend_sentence(job, series, &changes, model, sentence);
        code = history_say(job, sentence);
    }
    if (code == STATUS_OK)
        code = add_chart(job, series, &changes);
    if (code == STATUS_OK)
        code = add_changes(job, history, series, &changes, model);
    if (code == STATUS_OK && job->json)
        code = add_levels(job, series, &changes, sentence);
    changes_free(&changes);
    return code;
}

status history_trend(struct job *job, const struct texts *inputs)
{
    const struct history_settings *settings = job->settings;
    const char *model = inputs->count ? inputs->items[0] : settings->model;
    struct history_choice choice = history_choice_of(settings);
    struct history history = { 0 };
    struct history_series series = { 0 };
    status code = model && inputs->count < 2 ? history_check_metric(settings)
                                             : status_fail(STATUS_USAGE, "tacho history trend wants one model");

    choice.model = model;
    choice.build_count = 0;
    if (code == STATUS_OK)
        code = history_open(settings, false, &history);
    if (code == STATUS_OK)
        code = history_series_of(&history, settings, &choice, &series);
    if (code == STATUS_OK)
        code = history_warn_mixture(job, &history, &choice);
    if (code == STATUS_OK)
        code = history_is_count(history_metric(settings)) ? trend_of_counts(job, &series, model)
                                                          : trend_of_times(job, &history, &series, model);
    history_series_free(&series);
    history_close(&history);
    return code;
}

/* ---- compare -------------------------------------------------------------------------------------------------------------------------- */

status history_compare(struct job *job, const struct texts *inputs)
{
    const struct history_settings *settings = job->settings;
    struct history_choice choice = history_choice_of(settings);
    struct history history = { 0 };
    struct sides sides = { 0 };
    struct table *table;
    char sentence[COMPARE_SENTENCE];
    status code = inputs->count == 2 && settings->model
                      ? history_open(settings, false, &history)
                      : status_fail(STATUS_USAGE, "tacho history compare wants two builds and --model");

    sides.strings = code == STATUS_OK ? model_strings() : NULL;
    if (code == STATUS_OK && !sides.strings)
        code = status_no_memory("comparing");
    for (unsigned i = 0; i < 2 && code == STATUS_OK; i++) {
        choice.builds = &inputs->items[i];
        choice.build_count = 1;
        code = history_read_launches(&history, &choice, sides.strings, &sides.launches[i]);
        if (code == STATUS_OK && !sides.launches[i].count)
            code = status_fail(STATUS_INPUT, "build \"%s\" of \"%s\" has no launch in the history", inputs->items[i],
                               settings->model);
    }
    if (code == STATUS_OK) {
        choice.builds = inputs->items;
        choice.build_count = 2;
        code = history_warn_mixture(job, &history, &choice);
    }
    if (code == STATUS_OK)
        code = compare_both(&sides, settings);
    if (code == STATUS_OK) {
        comparison_sentence(&sides.comparison, sentence);
        code = history_say(job, sentence);
    }
    for (unsigned section = 0; section <= COMPARE_OPERATOR_ROWS && code == STATUS_OK; section++) {
        code = comparison_table(&sides.comparison, (enum compare_section)section,
                                job->output || job->json ? 0 : OPERATORS_SHOWN, &table);
        if (code == STATUS_OK && job->json && !section)
            table_note(table, "%s", sentence);
        code = code == STATUS_OK ? job_table(job, table) : code;
    }
    sides_free(&sides);
    history_close(&history);
    return code;
}
