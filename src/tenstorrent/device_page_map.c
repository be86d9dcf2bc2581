/* device_page_map.c: maps of the cores of a chip, for its page. */
/* Maps of the cores for the page of a device log. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "tenstorrent/device_page.h"

enum {
    LARGEST_GRID = 32, /* columns or rows that are drawn with their gaps */
    MOST_LINES = 64,   /* distinct columns or rows that a map may have */
    LINE_NAME = 24,
    GRAYSKULL_COLUMNS = 12,
    GRAYSKULL_ROWS = 12, /* ten rows of cores and two of memory */
    DRAM_COLUMN_STEP = 3,
    DRAM_COUNT = 8,
    CELL_TEXT_SIZE = 2 * FORMAT_SIZE + 4
};

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

static size_t add_memory(const struct grid *grid, struct timeline_place *places)
{
    static const char *const names[DRAM_COUNT] = { "DRAM0", "DRAM1", "DRAM2", "DRAM3",
                                                   "DRAM4", "DRAM5", "DRAM6", "DRAM7" };

    if (!grid->grayskull)
        return 0;
    for (uint32_t i = 0; i < DRAM_COUNT; i++)
        places[i] = (struct timeline_place){ .column = i % 4 * DRAM_COLUMN_STEP,
                                             .row = i < 4 ? 0 : 6,
                                             .value = NAN,
                                             .text = names[i],
                                             .group = TIMELINE_NO_GROUP };
    return DRAM_COUNT;
}

/* "1,234±5": the median and half the range. */
static void describe(char *to, const struct device_statistics *of)
{
    char median[FORMAT_SIZE], range[FORMAT_SIZE];

    format_count(median, of->median < 0 ? 0 : (uint64_t)(of->median + 0.5));
    format_count(range, (uint64_t)(of->max - of->min) / 2);
    snprintf(to, CELL_TEXT_SIZE, "%s\xC2\xB1%s", median, range);
}

struct mapping {
    struct timeline_page *page;                /* borrowed */
    const struct device_results *results;      /* borrowed */
    const struct marker_chip *chip;            /* of the log */
    const struct device_chip_results *numbers; /* of the chip */
    const struct grid *grid;                   /* of the chip */
    const uint32_t *groups;                    /* of the page, by core of the log */
    const int64_t *kernel_cycles;              /* by core of the log */
    struct timeline_place *places;             /* scratch: memory, then a place for each core */
    char (*texts)[CELL_TEXT_SIZE];             /* beside the places */
    uint32_t section;                          /* of the chip on the page */
};

/* `analysis` at the setup's count: for how long kernels ran. */
static void add_map(struct mapping *mapping, unsigned analysis)
{
    const struct marker_log *log = mapping->results->log;
    const struct device_setup *setup = mapping->results->setup;
    const struct grid *grid = mapping->grid;
    struct timeline_map map = { .unit = "cycles",
                                .section = mapping->section,
                                .columns = grid->columns.count,
                                .rows = grid->rows.count,
                                .column_names = grid->columns.names,
                                .row_names = grid->rows.names,
                                .places = mapping->places };
    size_t count = add_memory(grid, mapping->places), memory = count;

    for (size_t i = 0; i < mapping->chip->core_count; i++) {
        const struct marker_core *core = marker_core_at(log, mapping->chip->cores[i]);
        struct timeline_place *place = &mapping->places[count];

        *place = (struct timeline_place){ .column = line_of(&grid->columns, core->x),
                                          .row = line_of(&grid->rows, core->y),
                                          .group = mapping->groups[mapping->chip->cores[i]] };
        if (analysis == setup->count) {
            place->value = (double)mapping->kernel_cycles[mapping->chip->cores[i]];
            count += place->value > 0;
            continue;
        }
        if (!mapping->numbers->cores[i * setup->count + analysis].count)
            continue;
        place->value = mapping->numbers->cores[i * setup->count + analysis].median;
        if (mapping->numbers->cores[i * setup->count + analysis].count > 1) {
            describe(mapping->texts[i], &mapping->numbers->cores[i * setup->count + analysis]);
            place->text = mapping->texts[i];
        }
        count++;
    }
    if (count == memory)
        return;
    map.title = analysis == setup->count ? "Time in kernels, on any RISC" : setup->analyses[analysis].name;
    map.place_count = count;
    timeline_page_map(mapping->page, &map);
}

status device_page_maps(struct timeline_page *page, const struct device_results *results, size_t chip_index,
                        uint32_t section, const uint32_t *groups, const int64_t *kernel_cycles)
{
    const struct marker_chip *chip = marker_chip_at(results->log, results->chips[chip_index].chip);
    struct grid *grid = memory_allocate(sizeof *grid);
    struct mapping mapping = { .page = page,
                               .results = results,
                               .chip = chip,
                               .numbers = &results->chips[chip_index],
                               .grid = grid,
                               .groups = groups,
                               .kernel_cycles = kernel_cycles,
                               .section = section };
    status code = grid ? make_grid(grid, results->log, chip) : status_no_memory("a map of cores");

    assert(chip_index < results->chip_count && groups && kernel_cycles);
    mapping.places = memory_allocate((chip->core_count + DRAM_COUNT) * sizeof *mapping.places);
    mapping.texts = memory_allocate((chip->core_count + 1) * sizeof *mapping.texts);
    if (code == STATUS_OK && (!mapping.places || !mapping.texts))
        code = status_no_memory("a map of cores");
    if (code == STATUS_OK && !grid->possible)
        timeline_page_note(page, "Chip %" PRId64 " has no map: its cores lie in more than %d columns or rows.",
                           chip->id, MOST_LINES);
    if (code == STATUS_OK && grid->possible) {
        add_map(&mapping, results->setup->count);
        for (unsigned i = 0; i < results->setup->count; i++) {
            if (results->setup->analyses[i].across == ACROSS_CORE)
                add_map(&mapping, i);
        }
    }
    memory_free(mapping.places);
    memory_free(mapping.texts);
    memory_free(grid);
    return code;
}
