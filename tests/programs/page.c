/* page.c: writes a timeline page of made-up data: page CORES SLICES GAP OUTPUT. Each core has five processors with that many slices; in
 * the middle nothing runs for GAP ticks.
 *
 * The numbers come from a fixed seed, so that a page is the same every time.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "page/timeline_page.h"

enum { PROCESSORS = 5, ZONES = 6, COLUMNS = 12 };

#define ORIGIN INT64_C(63540641338544)

static const char *const names[PROCESSORS] = { "BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2" };
static const char *const zone_names[ZONES] = {
    "READ-INPUT", "MATMUL-BLOCK", "WAIT-FRONT", "PACK", "WRITE-OUTPUT", "</script>&\"",
};

struct size {
    size_t cores;
    long slices;
    int64_t gap;
};

struct labels {
    uint32_t firmware[PROCESSORS], kernel[PROCESSORS], zones[ZONES], marker;
};

static uint64_t seed = 42;

static int64_t draw(int64_t limit)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(seed >> 33) % limit;
}

/* One launch is a firmware slice with a kernel and up to eight zones in it. */
static void add_lane(struct timeline_page *page, const struct labels *labels, size_t processor, const struct size *size,
                     int64_t skew)
{
    int64_t time = ORIGIN + skew, gap = size->gap;
    long left = size->slices;

    while (left > 0) {
        long zones = left > 10 ? 8 : left > 2 ? left - 2 : 0;
        int64_t start = time, kernel = time + 40 + draw(60), at = kernel + 20;

        for (long i = 0; i < zones; i++) {
            int64_t length = 30 + draw(200) * (1 + draw(20) / 19 * 10);

            timeline_page_slice(page, labels->zones[(size_t)draw(ZONES)], at, at + length);
            at += length + draw(3) * draw(50);
        }
        timeline_page_slice(page, labels->kernel[processor], kernel, at + 15);
        timeline_page_slice(page, labels->firmware[processor], start, at + 60);
        if (draw(40) == 0)
            timeline_page_instant(page, labels->marker, kernel + draw(100));
        time = at + 60 + draw(300) + (draw(50) == 0 ? 6000 : 0);
        left -= zones + 2;
        if (left * 2 < size->slices) {
            time += gap;
            gap = 0;
        }
    }
}

static void add_map(struct timeline_page *page, const char *title, const double *values, size_t cores)
{
    struct timeline_place *places = calloc(cores + 1, sizeof *places);
    struct timeline_map map = { .title = title, .unit = "cycles", .columns = COLUMNS, .places = places };

    if (!places)
        exit(1);
    map.rows = (uint32_t)(cores / COLUMNS + 2);
    for (size_t i = 0; i < cores; i++)
        places[map.place_count++] = (struct timeline_place){ .column = (uint32_t)(i % COLUMNS),
                                                             .value = values[i],
                                                             .row = (uint32_t)(i / COLUMNS + 1),
                                                             .group = (uint32_t)i };
    places[map.place_count++] = (struct timeline_place){ .value = NAN, .text = "DRAM0", .group = TIMELINE_NO_GROUP };
    timeline_page_map(page, &map);
    free(places);
}

static struct table *statistics(void)
{
    struct table *table = table_new("statistics", "Statistics");

    if (!table)
        exit(1);
    table_add_column(table, (struct table_column){ .name = "analysis", .title = "Duration", .type = CELL_TEXT });
    table_add_column(table, (struct table_column){ .name = "average", .unit = "cycles", .type = CELL_INTEGER });
    for (int i = 0; i < 2; i++) {
        table_add_row(table);
        table_set_text(table, 0, i ? "Kernel start -> Kernel end" : "T0 -> BRISC FW start");
        table_set_integer(table, 1, i ? 1234 : 99);
    }
    return table;
}

static void fill(struct timeline_page *page, const struct size *size)
{
    size_t cores = size->cores;
    struct labels labels;
    double *values = calloc(cores, sizeof *values);
    char name[64];

    for (size_t i = 0; i < PROCESSORS; i++) {
        snprintf(name, sizeof name, "%s-FW", names[i]);
        labels.firmware[i] = timeline_page_label(page, name, TIMELINE_OUTER);
        snprintf(name, sizeof name, "%s-KERNEL", names[i]);
        labels.kernel[i] = timeline_page_label(page, name, TIMELINE_MAIN);
    }
    for (size_t i = 0; i < ZONES; i++)
        labels.zones[i] = timeline_page_label(page, zone_names[i], TIMELINE_ZONE);
    labels.marker = timeline_page_label(page, "marker 5", TIMELINE_POINT);
    timeline_page_section(page, "Chip 0", ORIGIN);
    for (size_t i = 0; i < cores && values; i++) {
        snprintf(name, sizeof name, "(%zu, %zu)", i % COLUMNS, i / COLUMNS);
        timeline_page_group(page, name);
        values[i] = (double)(1000 + draw(9000));
        for (size_t k = 0; k < PROCESSORS; k++) {
            timeline_page_lane(page, names[k]);
            add_lane(page, &labels, k, size, (int64_t)i * 37);
        }
    }
    add_map(page, "T0 -> BRISC FW start", values, cores);
    add_map(page, "Kernel start -> Kernel end", values, cores);
    free(values);
}

int main(int count, char **arguments)
{
    struct timeline_words words = { .title = "Made-up device",
                                    .section = "Chip",
                                    .group = "Core",
                                    .lane = "RISC",
                                    .tick = "cycles",
                                    .clock_numerator = 1000,
                                    .clock_denominator = 1202 };
    struct timeline_page *page;
    struct output *output;
    struct table *table;
    struct size size;
    status done;

    if (count != 5) {
        fprintf(stderr, "usage: page CORES SLICES GAP OUTPUT\n");
        return 2;
    }
    size = (struct size){ strtoul(arguments[1], NULL, 10), strtol(arguments[2], NULL, 10),
                          strtoll(arguments[3], NULL, 10) };
    if (output_open(arguments[4], &output) != STATUS_OK || timeline_page_begin(output, &words, &page) != STATUS_OK) {
        fprintf(stderr, "%s\n", status_message());
        return 3;
    }
    table = statistics();
    timeline_page_fact(page, "Architecture", "made up");
    timeline_page_fact(page, "Clock", "1202 MHz");
    timeline_page_fact(page, "Cores", "%zu", size.cores);
    timeline_page_note(page, "This page shows no device: its numbers come from a generator.");
    fill(page, &size);
    timeline_page_table(page, table);
    done = timeline_page_finish(page);
    done = done == STATUS_OK ? output_commit(output) : done;
    table_free(table);
    if (done != STATUS_OK)
        fprintf(stderr, "%s\n", status_message());
    return status_exit_code(done);
}
