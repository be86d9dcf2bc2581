/* device_files.c: statistics, core maps and rearranged timestamps of a device log, as the original writes them. */
#include "tenstorrent/original/device_files.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"

enum {
    CELL = 17, /* columns of a core in the map */
    GRAYSKULL_X = 12,
    GRAYSKULL_Y = 10,
    DRAM_ROW = 5,     /* row of the chip between the cores of rows 4 and 5 */
    LARGEST_MAP = 32, /* more columns or rows than this are listed instead */
    NUMBER_ROOM = 64
};

/* ---- Numbers ---- */

/* "1,234,567": rounded to a whole number, halves to even. */
static size_t write_grouped(char *to, double value)
{
    char digits[NUMBER_ROOM];
    int count = snprintf(digits, sizeof digits, "%.0f", value);
    size_t length = 0;

    for (int i = 0; i < count && length + 2 < NUMBER_ROOM; i++) {
        if (i > (digits[0] == '-') && (count - i) % 3 == 0)
            to[length++] = ',';
        to[length++] = digits[i];
    }
    to[length] = '\0';
    return length;
}

static void pad(struct output *output, size_t columns, size_t width)
{
    for (size_t i = columns; i < width; i++)
        output_write(output, " ", 1);
}

static void write_right(struct output *output, const char *text, size_t columns, size_t width)
{
    pad(output, columns, width);
    output_write(output, text, strlen(text));
}

static double statistic_of(const struct device_statistics *statistics, enum device_statistic which)
{
    switch (which) {
    case STATISTIC_COUNT:
        return (double)statistics->count;
    case STATISTIC_AVERAGE:
        return statistics->average;
    case STATISTIC_MAX:
        return (double)statistics->max;
    case STATISTIC_MEDIAN:
        return statistics->median;
    case STATISTIC_MIN:
        return (double)statistics->min;
    case STATISTIC_SUM:
        return (double)statistics->sum;
    case STATISTIC_RANGE:
        return (double)(statistics->max - statistics->min);
    default:
        return (double)statistics->first;
    }
}

/* ---- The map of cores ---- */

struct core_map {
    const struct device_results *results;   /* borrowed */
    const struct device_chip_results *chip; /* of the results */
    unsigned analysis;                      /* index */
    unsigned columns, rows;                 /* of the map */
    bool grayskull;                         /* with its two rows of memory */
};

static const struct {
    const char *arch;
    unsigned columns, rows; /* that logs with numbered markers can name */
} grids[] = {
    { "grayskull", GRAYSKULL_X, GRAYSKULL_Y },
    { "wormhole_b0", 9, 10 },
    { "wormhole", 9, 10 },
    { "blackhole", 16, 10 },
};

static const struct marker_core *chip_core(const struct core_map *map, size_t index)
{
    const struct marker_log *log = map->results->log;

    return marker_core_at(log, marker_chip_at(log, map->chip->chip)->cores[index]);
}

static size_t core_count(const struct core_map *map)
{
    return marker_chip_at(map->results->log, map->chip->chip)->core_count;
}

static const struct device_statistics *core_statistics(const struct core_map *map, size_t index)
{
    return &map->chip->cores[index * map->results->setup->count + map->analysis];
}

/* "75±0": median, and half the range where there are several. Returns the columns that it takes. */
static size_t core_text(const struct device_statistics *statistics, char *to)
{
    size_t length;

    if (!statistics || !statistics->count) {
        memcpy(to, "X", 2);
        return 1;
    }
    length = write_grouped(to, statistics->median);
    if (statistics->count <= 1)
        return length;
    memcpy(to + length, "\xC2\xB1", 2);
    length += 2;
    length += write_grouped(to + length, (double)((statistics->max - statistics->min) / 2));
    return length - 1; /* the sign is two bytes */
}

static void write_cell(struct output *output, const struct core_map *map, int x, int y)
{
    const struct device_statistics *found = NULL;
    char text[2 * NUMBER_ROOM];
    size_t columns;

    for (size_t i = 0; i < core_count(map) && !found; i++) {
        const struct marker_core *core = chip_core(map, i);

        if (core->x == x && core->y == y)
            found = core_statistics(map, i);
    }
    columns = core_text(found, text);
    write_right(output, text, columns, CELL);
}

/* A row between the cores: memory controllers at every third column. */
static void write_memory_row(struct output *output, const struct core_map *map, int first)
{
    char name[16];

    for (unsigned x = 0; x < map->columns; x++) {
        if (x % 3)
            snprintf(name, sizeof name, "---");
        else
            snprintf(name, sizeof name, "DRAM%d", first + (int)(x / 3));
        write_right(output, name, strlen(name), CELL);
    }
    output_write(output, "\n", 1);
}

static void write_map_head(struct output *output, const struct core_map *map)
{
    char number[16];

    pad(output, 0, 8);
    for (unsigned x = 0; x < map->columns; x++) {
        snprintf(number, sizeof number, "%u", x);
        write_right(output, number, strlen(number), CELL);
    }
    output_write(output, "\n", 1);
    pad(output, 0, 8);
    for (unsigned i = 0; i < map->columns * CELL; i++)
        output_write(output, "=", 1);
    output_write(output, "\n", 1);
    if (map->grayskull) {
        pad(output, 0, 8);
        write_memory_row(output, map, 0);
    }
}

static void write_map_rows(struct output *output, const struct core_map *map)
{
    for (unsigned y = 0; y < map->rows; y++) {
        if (map->grayskull && y == DRAM_ROW) {
            output_format(output, "     ---");
            write_memory_row(output, map, 4);
        }
        output_format(output, "%2u|| %s", y, !map->grayskull ? "   " : y == 1 ? "ARC" : y == 3 ? "PCI" : "---");
        for (unsigned x = 0; x < map->columns; x++)
            write_cell(output, map, (int)x, (int)y);
        output_write(output, "\n", 1);
    }
}

/* Cores that have no place in the map. */
static void write_outside(struct output *output, const struct core_map *map)
{
    char text[2 * NUMBER_ROOM];

    for (size_t i = 0; i < core_count(map); i++) {
        const struct marker_core *core = chip_core(map, i);

        if (((unsigned)core->x < map->columns && (unsigned)core->y < map->rows) || !core_statistics(map, i)->count)
            continue;
        core_text(core_statistics(map, i), text);
        output_format(output, "     core (%d, %d): %s\n", core->x, core->y, text);
    }
}

/* The grid of the architecture, wide enough for all cores that were seen. */
static void size_map(struct core_map *map)
{
    const char *arch = strings_text(map->results->log->strings, map->results->log->arch);

    map->grayskull = strcmp(arch, "grayskull") == 0;
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        if (strcmp(arch, grids[i].arch) == 0) {
            map->columns = grids[i].columns;
            map->rows = grids[i].rows;
        }
    }
    for (size_t i = 0; i < core_count(map) && !map->grayskull; i++) {
        const struct marker_core *core = chip_core(map, i);

        if (core->x < LARGEST_MAP && (unsigned)core->x >= map->columns)
            map->columns = (unsigned)core->x + 1;
        if (core->y < LARGEST_MAP && (unsigned)core->y >= map->rows)
            map->rows = (unsigned)core->y + 1;
    }
}

static void write_map(struct output *output, const struct device_results *results,
                      const struct device_chip_results *chip, unsigned analysis)
{
    struct core_map map = { .results = results, .chip = chip, .analysis = analysis };

    size_map(&map);
    write_map_head(output, &map);
    write_map_rows(output, &map);
    write_outside(output, &map);
    output_write(output, "\n\n\n", 3);
}

/* ---- device_stats.txt ---- */

static void write_statistic(struct output *output, const char *name, bool cycles, double value)
{
    char text[NUMBER_ROOM];

    write_grouped(text, value);
    output_format(output, "%12s %s = %10s\n", name, cycles ? "[cycles]" : "        ", text);
}

static void write_block(struct output *output, const struct device_setup *setup, const char *name,
                        const struct device_statistics *statistics)
{
    output_write(output, "\n=================== ", 21);
    output_write(output, name, strlen(name));
    output_write(output, " ===================\n", 21);
    if (statistics->count == 1) {
        write_statistic(output, "Duration", true, (double)statistics->max);
    } else if (statistics->count) {
        for (unsigned i = 0; i < setup->shown_count; i++) {
            enum device_statistic which = setup->shown[i];

            /* Older versions call a count cycles too. */
            write_statistic(output, device_statistic_key(which), which != STATISTIC_COUNT || !setup->zones,
                            statistic_of(statistics, which));
        }
    }
    if (statistics->unknown)
        write_statistic(output, "Not known", false, (double)statistics->unknown);
    output_write(output, "\n", 1);
}

void device_stats_write(struct output *output, const struct device_results *results)
{
    const struct device_setup *setup = results->setup;

    assert(results->log && results->setup);
    for (size_t c = 0; c < results->chip_count; c++) {
        const struct device_chip_results *chip = &results->chips[c];

        if (results->chip_count > 1)
            output_format(output, "%schip %lld\n", c ? "\n" : "",
                          (long long)marker_chip_at(results->log, chip->chip)->id);
        for (unsigned i = 0; i < setup->count; i++) {
            if (!chip->summary[i].count && !chip->summary[i].unknown)
                continue;
            write_block(output, setup, setup->analyses[i].name, &chip->summary[i]);
            if (!setup->zones && setup->analyses[i].across == ACROSS_CORE)
                write_map(output, results, chip, i);
        }
    }
}

/* ---- device_rearranged_timestamps.csv ---- */

static int compare_places(const void *one, const void *other, void *context)
{
    const struct marker_log *log = context;
    const struct marker_core *a = marker_core_at(log, *(const uint32_t *)one),
                             *b = marker_core_at(log, *(const uint32_t *)other);
    int64_t first = a->x + (int64_t)a->y * 100, second = b->x + (int64_t)b->y * 100;

    if (first != second)
        return first < second ? -1 : 1;
    return (*(const uint32_t *)one > *(const uint32_t *)other) - (*(const uint32_t *)one < *(const uint32_t *)other);
}

status device_cores_sorted(const struct marker_log *log, const struct marker_chip *chip, uint32_t **cores)
{
    assert(chip->core_count == 0 || chip->cores);
    *cores = memory_allocate((chip->core_count + 1) * sizeof **cores);
    if (!*cores)
        return status_no_memory("ordering cores");
    memcpy(*cores, chip->cores, chip->core_count * sizeof **cores);
    qsort_r(*cores, chip->core_count, sizeof **cores, compare_places, (void *)(uintptr_t)log);
    return STATUS_OK;
}

/* All times of one marker of a RISC; `standard` is FIRMWARE_START to FIRMWARE_END. */
static void write_times(struct output *output, const struct marker_log *log, const struct marker_core *core,
                        const char *risc, uint8_t standard)
{
    for (size_t i = 0; i < core->lane_count; i++) {
        const struct marker_lane *lane = marker_lane_at(log, core->lanes[i]);
        struct marker_cursor cursor;
        const struct marker *marker;
        bool first = true;

        if (strcmp(strings_text(log->strings, lane->risc), risc) != 0)
            continue;
        marker_cursor_start(&cursor, &lane->markers);
        while ((marker = marker_cursor_next(&cursor))) {
            char *to;
            size_t length = 0;

            if (marker_kind_at(log, marker->kind)->standard != standard)
                continue;
            to = (char *)output_reserve(output, 24);
            if (!first)
                to[length++] = ' ';
            length += number_write_integer(to + length, marker->time);
            output_advance(output, length);
            first = false;
        }
    }
}

static void write_core(struct output *output, const struct marker_log *log, const struct marker_core *core)
{
    static const char *const riscs[] = { "BRISC", "NCRISC" };

    output_format(output, "%d,%d", core->x, core->y);
    for (unsigned i = 0; i < 2; i++) {
        for (uint8_t standard = FIRMWARE_START; standard <= FIRMWARE_END; standard++) {
            output_write(output, ",", 1);
            write_times(output, log, core, riscs[i], standard);
        }
    }
    output_write(output, "\r\n", 2);
}

status device_rearranged_write(struct output *output, const struct marker_log *log)
{
    char clock[NUMBER_ROOM];
    status code = STATUS_OK;

    clock[number_write_unsigned(clock, log->clock_numerator)] = '\0';
    if (log->clock_denominator != 1)
        clock[number_write_shortest(clock, (double)log->clock_numerator / (double)log->clock_denominator)] = '\0';
    for (size_t c = 0; c < log->chips.count && code == STATUS_OK; c++) {
        const struct marker_chip *chip = marker_chip_at(log, c);
        uint32_t *cores;

        code = device_cores_sorted(log, chip, &cores);
        output_format(output, "Clock Frequency [MHz],%s\r\nPCIe slot,%lld\r\n", clock, (long long)chip->id);
        output_format(output,
                      "core x,core y,BRISC Firmware Start,BRISC Kernel start,BRISC Kernel End,BRISC Firmware End,"
                      "NCRISC Firmware Start,NCRISC Kernel start,NCRISC Kernel End,NCRISC Firmware End\r\n");
        for (size_t i = 0; i < chip->core_count && code == STATUS_OK; i++)
            write_core(output, log, marker_core_at(log, cores[i]));
        memory_free(cores);
    }
    return code;
}
