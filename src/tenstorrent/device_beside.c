/* device_beside.c: maps of the cores of a chip, and tables about a device log. */
#include "tenstorrent/device_beside.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "tenstorrent/device_tables.h"
#include "tenstorrent/marker_missing.h"
#include "trace/places.h"

enum {
    LARGEST_GRID = 32, /* columns or rows that are drawn with their gaps */
    MOST_LINES = 64,   /* distinct columns or rows that a map may have */
    LINE_NAME = 24,
    GRAYSKULL_COLUMNS = 12,
    GRAYSKULL_ROWS = 12, /* ten rows of cores and two of memory */
    DRAM_COLUMN_STEP = 3,
    DRAM_COUNT = 8,
    CELL_TEXT_SIZE = 2 * FORMAT_SIZE + 4,
    LONGEST_FACT = 256
};

/* ---- The grid of a chip ---- */

/* Where columns or rows of a map lie. */
struct lines {
    int32_t values[MOST_LINES];        /* coordinate of each */
    uint32_t count;                    /* of values */
    char texts[MOST_LINES][LINE_NAME]; /* their names */
    const char *names[MOST_LINES];     /* pointers to these */
};

struct grid {
    struct lines columns, rows; /* where cores lie */
    bool grayskull;             /* with its two rows of memory */
    bool possible;              /* it has few enough lines to be drawn */
};

static int compare_values(const void *one, const void *other)
{
    int32_t a = *(const int32_t *)one, b = *(const int32_t *)other;

    return (a > b) - (a < b);
}

/* A line for each number from 0 on where the numbers are small, else one for each number that is there. False: too many. */
static bool make_lines(struct lines *lines, int32_t *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_values);
    lines->count = 0;
    if (count && values[0] >= 0 && values[count - 1] < LARGEST_GRID) {
        for (int32_t i = 0; i <= values[count - 1]; i++)
            lines->values[lines->count++] = i;
    } else {
        for (size_t i = 0; i < count; i++) {
            if (i && values[i] == values[i - 1])
                continue;
            if (lines->count == MOST_LINES)
                return false;
            lines->values[lines->count++] = values[i];
        }
    }
    for (uint32_t i = 0; i < lines->count; i++) {
        snprintf(lines->texts[i], LINE_NAME, "%" PRId32, lines->values[i]);
        lines->names[i] = lines->texts[i];
    }
    return true;
}

/* Logs with numbered markers name the cores of Grayskull without its rows of memory, which lie above row 0 and row 5. */
static void make_grayskull(struct grid *grid)
{
    grid->columns.count = GRAYSKULL_COLUMNS;
    grid->rows.count = GRAYSKULL_ROWS;
    for (int32_t i = 0; i < GRAYSKULL_COLUMNS; i++) {
        grid->columns.values[i] = i;
        snprintf(grid->columns.texts[i], LINE_NAME, "%" PRId32, i);
        grid->columns.names[i] = grid->columns.texts[i];
    }
    for (int32_t i = 0; i < GRAYSKULL_ROWS; i++) {
        int32_t y = i < 6 ? i - 1 : i - 2;

        grid->rows.values[i] = i == 0 || i == 6 ? INT32_MIN : y;
        snprintf(grid->rows.texts[i], LINE_NAME, "%s%" PRId32, y == 1 ? "ARC " : y == 3 ? "PCI " : "", y);
        grid->rows.names[i] = i == 0 || i == 6 ? "" : grid->rows.texts[i];
    }
    grid->grayskull = grid->possible = true;
}

static bool fits_grayskull(const struct marker_log *log, const struct marker_chip *chip)
{
    if (log->zoned || strcmp(strings_text(log->strings, log->arch), "grayskull") != 0)
        return false;
    for (size_t i = 0; i < chip->core_count; i++) {
        const struct marker_core *core = marker_core_at(log, chip->cores[i]);

        if (core->x < 0 || core->x >= GRAYSKULL_COLUMNS || core->y < 0 || core->y >= GRAYSKULL_ROWS - 2)
            return false;
    }
    return true;
}

static status make_grid(struct grid *grid, const struct marker_log *log, const struct marker_chip *chip)
{
    int32_t *values;

    *grid = (struct grid){ .possible = false };
    if (fits_grayskull(log, chip)) {
        make_grayskull(grid);
        return STATUS_OK;
    }
    values = memory_allocate((chip->core_count + 1) * sizeof *values);
    if (!values)
        return status_no_memory("a map of cores");
    for (size_t i = 0; i < chip->core_count; i++)
        values[i] = marker_core_at(log, chip->cores[i])->x;
    grid->possible = make_lines(&grid->columns, values, chip->core_count);
    for (size_t i = 0; i < chip->core_count; i++)
        values[i] = marker_core_at(log, chip->cores[i])->y;
    grid->possible = make_lines(&grid->rows, values, chip->core_count) && grid->possible;
    memory_free(values);
    return STATUS_OK;
}

static uint32_t line_of(const struct lines *lines, int32_t value)
{
    uint32_t line = 0;

    while (line + 1 < lines->count && lines->values[line] != value)
        line++;
    return line;
}

/* ---- The map of a chip ---- */

struct mapping {
    const struct device_results *results;                   /* borrowed */
    const struct device_tracks *tracks;                     /* the same */
    const struct marker_chip *chip;                         /* of the log */
    const struct device_chip_results *numbers;              /* of the chip */
    struct grid grid;                                       /* of the chip */
    unsigned analyses[DEVICE_ANALYSES];                     /* of the setup, by statistic behind the first */
    struct place_statistic statistics[DEVICE_ANALYSES + 1]; /* the first: for how long kernels ran */
    size_t count;                                           /* of statistics */
    struct map_place *places;                               /* memory, then a place for each core; owned */
    size_t place_count;                                     /* of places */
    double *values;                                         /* of places; owned */
    const char **texts;                                     /* the same; owned */
    char (*written)[CELL_TEXT_SIZE];                        /* what these point to; owned */
};

static void add_memory(struct mapping *mapping)
{
    static const char *const names[DRAM_COUNT] = { "DRAM0", "DRAM1", "DRAM2", "DRAM3",
                                                   "DRAM4", "DRAM5", "DRAM6", "DRAM7" };

    for (uint32_t i = 0; mapping->grid.grayskull && i < DRAM_COUNT; i++)
        mapping->places[mapping->place_count++] = (struct map_place){
            .column = i % 4 * DRAM_COLUMN_STEP, .row = i < 4 ? 0 : 6, .track = NO_ID, .name = names[i]
        };
}

/* "1,234±5": the median and half the range. */
static void describe(char *to, const struct device_statistics *of)
{
    char median[FORMAT_SIZE], range[FORMAT_SIZE];

    format_count(median, of->median < 0 ? 0 : (uint64_t)(of->median + 0.5));
    format_count(range, (uint64_t)(of->max - of->min) / 2);
    snprintf(to, CELL_TEXT_SIZE, "%s\xC2\xB1%s", median, range);
}

/* Cycles from the first marker of a chip to its last; 0: it has none. */
static int64_t chip_span(const struct marker_log *log, const struct marker_chip *chip)
{
    int64_t span = 0;

    for (size_t i = 0; i < chip->core_count; i++) {
        const struct marker_core *core = marker_core_at(log, chip->cores[i]);

        for (size_t k = 0; k < core->lane_count; k++) {
            const struct column *markers = &marker_lane_at(log, core->lanes[k])->markers;
            const struct marker *last = markers->count ? column_at(markers, markers->count - 1) : NULL;

            if (last && last->time - chip->t0 > span)
                span = last->time - chip->t0;
        }
    }
    return span;
}

/* Which analyses have a number of some core. The first statistic is of no analysis. */
static void choose_statistics(struct mapping *mapping)
{
    const struct device_setup *setup = mapping->results->setup;
    int64_t span = chip_span(mapping->results->log, mapping->chip);

    mapping->statistics[mapping->count++] = (struct place_statistic){ .title = "Time in kernels, on any RISC",
                                                                      .unit = "cycles",
                                                                      .full = span > 0 ? (double)span : NAN };
    for (unsigned i = 0; i < setup->count; i++) {
        bool any = false;

        for (size_t k = 0; k < mapping->chip->core_count && setup->analyses[i].across == ACROSS_CORE; k++)
            any = any || mapping->numbers->cores[k * setup->count + i].count;
        if (!any)
            continue;
        mapping->analyses[mapping->count] = i;
        mapping->statistics[mapping->count++] =
            (struct place_statistic){ .title = setup->analyses[i].name, .unit = "cycles", .full = NAN };
    }
}

static status add_core(struct mapping *mapping, size_t index)
{
    const struct marker_log *log = mapping->results->log;
    const struct marker_core *core = marker_core_at(log, mapping->chip->cores[index]);
    size_t first = mapping->place_count * mapping->count;
    int64_t cycles;
    uint64_t unknown;
    status code = device_kernel_cycles(log, mapping->chip->cores[index], &cycles, &unknown);

    mapping->places[mapping->place_count++] =
        (struct map_place){ .column = line_of(&mapping->grid.columns, core->x),
                            .row = line_of(&mapping->grid.rows, core->y),
                            .track = mapping->tracks->cores[mapping->chip->cores[index]] };
    mapping->values[first] = unknown ? NAN : (double)cycles;
    for (size_t i = 1; i < mapping->count; i++) {
        const struct device_statistics *of =
            &mapping->numbers->cores[index * mapping->results->setup->count + mapping->analyses[i]];

        mapping->values[first + i] = of->count ? of->median : NAN;
        if (of->count > 1) {
            describe(mapping->written[first + i], of);
            mapping->texts[first + i] = mapping->written[first + i];
        }
    }
    return code;
}

static status fill_map(struct mapping *mapping, const char *name, const struct sink *sink)
{
    size_t places = mapping->chip->core_count + DRAM_COUNT, cells = places * mapping->count;
    struct place_map map = { .name = name, .place = "core" };
    status code = STATUS_OK;

    mapping->places = memory_allocate(places * sizeof *mapping->places);
    mapping->values = memory_allocate_clear(cells * sizeof *mapping->values);
    mapping->texts = memory_allocate_clear(cells * sizeof *mapping->texts);
    mapping->written = memory_allocate(cells * sizeof *mapping->written);
    if (!mapping->places || !mapping->values || !mapping->texts || !mapping->written)
        return status_no_memory("a map of cores");
    add_memory(mapping);
    for (size_t i = 0; i < mapping->chip->core_count && code == STATUS_OK; i++)
        code = add_core(mapping, i);
    if (code != STATUS_OK)
        return code;
    map.columns = mapping->grid.columns.count;
    map.rows = mapping->grid.rows.count;
    map.column_names = mapping->grid.columns.names;
    map.row_names = mapping->grid.rows.names;
    map.statistics = mapping->statistics;
    map.statistic_count = mapping->count;
    map.places = mapping->places;
    map.place_count = mapping->place_count;
    map.values = mapping->values;
    map.texts = mapping->texts;
    return SINK_CALL(sink, places, &map);
}

static status note_no_map(struct source *source, struct strings *strings, const char *chip)
{
    string_id note;
    status code = strings_add_format(strings, &note, "%s has no map: its cores lie in more than %d columns or rows",
                                     chip, MOST_LINES);

    if (code == STATUS_OK)
        source_note(source, strings_text(strings, note));
    return code;
}

static status show_chip(struct source *source, const struct sink *sink, const struct device_results *results,
                        size_t index, const struct device_tracks *tracks)
{
    struct mapping *mapping = memory_allocate_clear(sizeof *mapping);
    uint32_t chip = results->chips[index].chip;
    const char *name = strings_text(results->log->strings, tracks->chips[chip]);
    status code;

    if (!mapping)
        return status_no_memory("a map of cores");
    mapping->results = results;
    mapping->tracks = tracks;
    mapping->chip = marker_chip_at(results->log, chip);
    mapping->numbers = &results->chips[index];
    code = make_grid(&mapping->grid, results->log, mapping->chip);
    choose_statistics(mapping);
    if (code == STATUS_OK && !mapping->grid.possible)
        code = note_no_map(source, results->log->strings, name);
    else if (code == STATUS_OK && mapping->chip->core_count)
        code = fill_map(mapping, name, sink);
    memory_free(mapping->places);
    memory_free(mapping->values);
    memory_free(mapping->texts);
    memory_free(mapping->written);
    memory_free(mapping);
    return code;
}

/* ---- Tables ---- */

struct kept {
    struct table **tables; /* owned, as long as they are not given away */
    size_t count;          /* of tables */
    size_t capacity;       /* of tables */
};

/* Takes the table over. */
static status keep_table(struct source *source, struct table *table)
{
    struct kept *kept = source->kept;
    status code = STATUS_OK;

    if (!kept)
        source->kept = kept = memory_allocate_clear(sizeof *kept);
    if (!kept)
        code = status_no_memory("keeping tables");
    if (code == STATUS_OK)
        code = table_status(table);
    if (code == STATUS_OK)
        code = memory_grow(&kept->tables, &kept->capacity, kept->count + 1, sizeof *kept->tables);
    if (code == STATUS_OK)
        kept->tables[kept->count++] = table;
    else
        table_free(table);
    return code;
}

static void add_fact(struct table *table, const char *name, const char *format, ...) PRINTF_LIKE(3, 4);

static void add_fact(struct table *table, const char *name, const char *format, ...)
{
    char text[LONGEST_FACT];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    table_add_row(table);
    table_set_text(table, 0, name);
    table_set_text(table, 1, text);
}

static void add_facts(struct table *table, const struct marker_log *log, const char *source)
{
    const struct marker_chip *chip = log->chips.count == 1 ? marker_chip_at(log, 0) : NULL;
    char number[FORMAT_SIZE];
    uint64_t markers = 0;

    for (size_t i = 0; i < log->chips.count; i++)
        markers += marker_chip_at(log, i)->markers;
    add_fact(table, "Log", "%s", source);
    if (log->arch)
        add_fact(table, "Architecture", "%s", strings_text(log->strings, log->arch));
    add_fact(table, "Clock", "%.6g MHz%s", (double)log->clock_numerator / (double)log->clock_denominator,
             log->clock_told ? "" : ", which the log does not tell");
    if (!chip)
        add_fact(table, "Chips", "%zu", log->chips.count);
    add_fact(table, "Cores", "%zu", log->cores.count);
    add_fact(table, "RISCs", "%zu", log->lanes.count);
    format_count(number, markers);
    add_fact(table, "Markers", "%s", number);
    if (chip && chip->t0_core != NO_ID) {
        const struct marker_core *core = marker_core_at(log, chip->t0_core);

        add_fact(table, "T0", "core (%" PRId32 ", %" PRId32 ") %s, cycle %" PRId64, core->x, core->y,
                 strings_text(log->strings, chip->t0_risc), chip->t0);
    }
}

static status keep_facts(struct source *source, const struct marker_log *log)
{
    struct table *table = table_new("log", "Log");

    if (!table)
        return status_no_memory("a table");
    table_add_column(table, (struct table_column){ .name = "fact", .title = "Fact", .type = CELL_TEXT });
    table_add_column(table, (struct table_column){ .name = "value", .title = "Value", .type = CELL_TEXT });
    add_facts(table, log, source->display ? source->display : source->path);
    return keep_table(source, table);
}

static status keep_statistics(struct source *source, const struct device_results *results)
{
    struct table *table;
    status code = device_analyses_table(results, NULL, &table);

    return code == STATUS_OK ? keep_table(source, table) : code;
}

status device_beside_details(const struct source *source, struct table **tables, size_t most, size_t *count)
{
    struct kept *kept = source->kept;

    for (*count = 0; kept && *count < kept->count && *count < most; ++*count)
        tables[*count] = kept->tables[*count];
    /* They are the caller's now; a second asker gets none. */
    for (size_t i = *count; kept && i < kept->count; i++)
        table_free(kept->tables[i]);
    if (kept)
        kept->count = 0;
    return STATUS_OK;
}

void device_beside_release(struct source *source)
{
    struct kept *kept = source->kept;

    for (size_t i = 0; kept && i < kept->count; i++)
        table_free(kept->tables[i]);
    if (kept)
        memory_free(kept->tables);
    memory_free(kept);
    source->kept = NULL;
}

/* ---- All of it ---- */

static status show_results(struct source *source, struct feed *feed, const struct device_results *results,
                           const struct device_tracks *tracks)
{
    status code = keep_facts(source, results->log);

    if (code == STATUS_OK)
        code = keep_statistics(source, results);
    for (size_t i = 0; i < results->chip_count && code == STATUS_OK; i++)
        code = show_chip(source, &feed->sink, results, i, tracks);
    return code;
}

const struct device_known *device_known_of(const struct source *source)
{
    return source_companion(source, DEVICE_KNOWN);
}

status device_beside_show(struct source *source, struct feed *feed, const struct marker_log *log,
                          const struct device_tracks *tracks)
{
    const struct device_known *known = device_known_of(source);
    struct device_results results = { .chips = NULL };
    struct device_setup *setup;
    status code;

    if (!feed->sink.calls->places)
        return STATUS_OK;
    if (known)
        return show_results(source, feed, known->results, tracks);
    setup = memory_allocate_clear(sizeof *setup);
    if (!setup)
        return status_no_memory("analysing a device log");
    code = device_setup_named(setup, "default_setup", log);
    if (code == STATUS_OK)
        code = device_analyze(&results, log, setup, marker_log_unpaired(log).lane == NO_ID);
    if (code == STATUS_OK)
        code = show_results(source, feed, &results, tracks);
    device_results_free(&results);
    device_setup_free(setup);
    memory_free(setup);
    return code;
}
