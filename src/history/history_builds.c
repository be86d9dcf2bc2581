/* history_builds.c: the builds of a trend as a table: what a program draws, where people get a chart in the terminal. */
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "history/history_verb.h"

enum { BUILD, COMMIT, ADDED, LAUNCHES, MEDIAN, LOW, HIGH, LEVEL, COLUMNS };

static void add_columns(struct table *table, bool counted)
{
    const enum cell_type type = counted ? CELL_INTEGER : CELL_DURATION;
    const char *unit = counted ? NULL : "ns";
    const struct table_column columns[COLUMNS] = {
        [BUILD] = { .name = "build", .title = "Build", .type = CELL_TEXT, .description = "in the order of builds" },
        [COMMIT] = { .name = "commit", .title = "Commit", .type = CELL_TEXT, .description = "of the build" },
        [ADDED] = { .name = "added", .title = "Added", .type = CELL_TEXT, .description = "first, in UTC" },
        [LAUNCHES] = { .name = "launches",
                       .title = "Launches",
                       .type = CELL_INTEGER,
                       .description = "that tell the number" },
        [MEDIAN] = { .name = "median",
                     .title = "Median",
                     .type = type,
                     .unit = unit,
                     .description = "of its launches" },
        [LOW] = { .name = "low", .title = "Least", .type = type, .unit = unit, .description = "of its launches" },
        [HIGH] = { .name = "high", .title = "Most", .type = type, .unit = unit, .description = "of its launches" },
        [LEVEL] = { .name = "level",
                    .title = "Level",
                    .type = type,
                    .unit = unit,
                    .description = "of the builds between two changes" },
    };

    for (size_t i = 0; i < COLUMNS; i++)
        table_add_column(table, columns[i]);
}

/* What is larger was not measured: a store may be damaged. */
static void set_number(struct table *table, size_t column, double value)
{
    static const double most = 9007199254740992.0;

    if (fabs(value) <= most) /* not NAN */
        table_set_integer(table, column, llround(value));
}

/* What is not over 0 is no time; a count may be 0. */
static size_t take_values(const struct history_series *series, size_t build, bool counted, double *to)
{
    size_t count = 0;

    for (size_t i = 0; i < series->builds[build].count; i++)
        if (counted || series->values[build][i] > 0)
            to[count++] = series->values[build][i];
    statistics_sort(to, count);
    return count;
}

static void add_build(struct table *table, const struct history_series *series, size_t build, bool counted,
                      double level, double *room)
{
    size_t count = take_values(series, build, counted, room);
    char date[FORMAT_SIZE];

    table_add_row(table);
    table_set_text(table, BUILD, series->names[build]);
    table_set_text(table, COMMIT, *series->commits[build] ? series->commits[build] : NULL);
    table_set_text(table, ADDED, format_date(date, series->added[build]) ? date : NULL);
    table_set_integer(table, LAUNCHES, (int64_t)count);
    if (count) {
        set_number(table, MEDIAN, statistics_median(room, count));
        set_number(table, LOW, room[0]);
        set_number(table, HIGH, room[count - 1]);
    }
    set_number(table, LEVEL, level);
}

status history_add_builds(struct job *job, const struct history_series *series, const double *levels,
                          const char *sentence)
{
    const struct history_settings *settings = job->settings;
    bool counted = !settings->op && settings->metric && history_is_count(settings->metric);
    struct table *table = table_new("trend", "Builds");
    double *room;
    size_t most = 0;

    for (size_t i = 0; i < series->count; i++)
        most = series->builds[i].count > most ? series->builds[i].count : most;
    room = memory_allocate((most + 1) * sizeof *room);
    if (!table || !room) {
        table_free(table);
        memory_free(room);
        return status_no_memory("listing builds");
    }
    add_columns(table, counted);
    for (size_t i = 0; i < series->count; i++)
        add_build(table, series, i, counted, levels[i], room);
    table_note(table, "%s", sentence);
    memory_free(room);
    return job_table(job, table);
}
