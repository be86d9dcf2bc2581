/* device_page.c: draws a device log, and writes the facts, statistics and maps beside it. */
#include "tenstorrent/device_page.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "tenstorrent/device_tables.h"
#include "tenstorrent/marker_zones.h"
#include "tenstorrent/original/device_files.h"

enum { LONGEST_NAME = 512, NO_LABEL = 0 };

struct paging {
    struct timeline_page *page;           /* borrowed */
    const struct marker_log *log;         /* settled; borrowed */
    const struct device_results *results; /* borrowed */
    uint32_t *labels;                     /* by kind of marker: label + 1; NO_LABEL: not asked for yet */
    struct marker_zones zones;            /* of the lane */
    const struct marker *before; /* numbered marker inside the kernel, up to which slices are drawn; NULL: none */
    bool stepped;                /* a program's own marker came since the kernel's start */
    bool dispatches;             /* the core serves others */
    uint64_t unfinished, lone;   /* zones without an end, ends without a start */
    uint32_t *groups;            /* by core of the log */
    int64_t *kernel_cycles;      /* the same: how long a kernel ran on any RISC; 0: never, or not known */
};

/* ---- Names ---- */

static const char *name_of(const struct paging *paging, const struct marker_kind *kind, char *to, size_t size)
{
    static const char *const defaults[] = { "T0", "firmware start", "kernel start", "kernel end", "firmware end" };

    if (kind->numbered && kind->standard < MARKER_NO_DEFAULT && kind->phase == MARKER_POINT)
        return defaults[kind->standard];
    if (kind->zone)
        return strings_text(paging->log->strings, kind->zone);
    if (kind->phase == MARKER_POINT)
        snprintf(to, size, "marker %" PRIu32, kind->timer_id);
    else
        snprintf(to, size, "%s %" PRIu32, marker_phase_type(kind->phase), kind->timer_id);
    return to;
}

static enum timeline_kind drawn_as(const struct paging *paging, const struct marker_kind *kind)
{
    switch ((enum marker_phase)kind->phase) {
    case MARKER_START:
    case MARKER_END:
        if (kind->standard == FIRMWARE_START || kind->standard == FIRMWARE_END)
            return TIMELINE_OUTER;
        if (kind->standard == KERNEL_START || kind->standard == KERNEL_END)
            return TIMELINE_MAIN;
        return paging->dispatches ? TIMELINE_SERVICE : TIMELINE_ZONE;
    case MARKER_POINT:
        return TIMELINE_POINT;
    default:
        return TIMELINE_EVENT;
    }
}

static uint32_t label_of(struct paging *paging, uint32_t kind_id)
{
    const struct marker_kind *kind = marker_kind_at(paging->log, kind_id);
    char name[LONGEST_NAME];

    /* The same zone is a service on one core and none on another. */
    if (paging->dispatches)
        return timeline_page_label(paging->page, name_of(paging, kind, name, sizeof name), drawn_as(paging, kind));
    if (paging->labels[kind_id] == NO_LABEL)
        paging->labels[kind_id] =
            1 + timeline_page_label(paging->page, name_of(paging, kind, name, sizeof name), drawn_as(paging, kind));
    return paging->labels[kind_id] - 1;
}

/* ---- Zones of a lane ---- */

/* Zones are drawn when they end. */
static status begin_zone(void *context, const struct marker *start, size_t depth)
{
    (void)context;
    (void)start;
    (void)depth;
    return STATUS_OK;
}

static status end_zone(void *context, const struct marker *start, size_t depth, int64_t time, bool guessed)
{
    struct paging *paging = context;

    (void)depth;
    paging->unfinished += guessed;
    timeline_page_slice(paging->page, label_of(paging, start->kind), start->time, time);
    return STATUS_OK;
}

static status draw_point(void *context, const struct marker *marker, bool lone_end)
{
    struct paging *paging = context;
    char name[LONGEST_NAME], shown[LONGEST_NAME + 16];

    if (!lone_end) {
        timeline_page_instant(paging->page, label_of(paging, marker->kind), marker->time);
        return STATUS_OK;
    }
    paging->lone++;
    snprintf(shown, sizeof shown, "%s end",
             name_of(paging, marker_kind_at(paging->log, marker->kind), name, sizeof name));
    timeline_page_instant(paging->page, timeline_page_label(paging->page, shown, TIMELINE_POINT), marker->time);
    return STATUS_OK;
}

static const char *short_name(const struct marker_kind *kind, char *to, size_t size)
{
    if (kind->standard == KERNEL_START || kind->standard == KERNEL_END)
        return kind->standard == KERNEL_START ? "kernel start" : "kernel end";
    snprintf(to, size, "%" PRIu32, kind->timer_id);
    return to;
}

/* Numbered markers have no zones: what lies between two of them is shown instead, once a program has set one of its own. */
static void draw_step(struct paging *paging, const struct marker *marker)
{
    const struct marker_kind *kind = marker_kind_at(paging->log, marker->kind);
    bool own = kind->phase == MARKER_POINT;
    char from[32], to[32], name[96];

    if (!kind->numbered)
        return;
    if (kind->standard == KERNEL_START) {
        paging->before = marker;
        paging->stepped = false;
        return;
    }
    if (paging->before && (own || (kind->standard == KERNEL_END && paging->stepped))) {
        const struct marker_kind *before = marker_kind_at(paging->log, paging->before->kind);

        snprintf(name, sizeof name, "%s \xE2\x86\x92 %s", short_name(before, from, sizeof from),
                 short_name(kind, to, sizeof to));
        timeline_page_slice(paging->page, timeline_page_label(paging->page, name, TIMELINE_ZONE), paging->before->time,
                            marker->time);
        paging->before = marker;
        paging->stepped = true;
    }
    if (!own)
        paging->before = NULL;
}

static status draw_lane(struct paging *paging, const struct marker_lane *lane, const struct marker_chip *chip)
{
    struct marker_cursor cursor;
    const struct marker *marker;
    status code = STATUS_OK;

    timeline_page_lane(paging->page, strings_text(paging->log->strings, lane->risc));
    marker_zones_start(&paging->zones, chip->t0);
    paging->before = NULL;
    if (chip->t0_core == lane->core && chip->t0_risc == lane->risc)
        timeline_page_instant(paging->page, timeline_page_label(paging->page, "T0", TIMELINE_POINT), chip->t0);
    marker_cursor_start(&cursor, &lane->markers);
    while (code == STATUS_OK && (marker = marker_cursor_next(&cursor))) {
        draw_step(paging, marker);
        code = marker_zones_step(&paging->zones, marker);
    }
    if (code == STATUS_OK)
        code = marker_zones_finish(&paging->zones);
    /* A sum has no time of its own: it is shown where its RISC's markers end. */
    marker_cursor_start(&cursor, &lane->totals);
    while (code == STATUS_OK && (marker = marker_cursor_next(&cursor)))
        timeline_page_instant(paging->page, label_of(paging, marker->kind), paging->zones.last);
    return code;
}

/* ---- Cores and chips ---- */

/* BRISC, NCRISC and the TRISCs first, in this order; others as they came. */
static unsigned risc_rank(const struct paging *paging, uint32_t lane)
{
    static const char *const usual[] = { "BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2", "ERISC" };
    const char *name = strings_text(paging->log->strings, marker_lane_at(paging->log, lane)->risc);
    unsigned rank = 0;

    while (rank < sizeof usual / sizeof *usual && strcmp(name, usual[rank]) != 0)
        rank++;
    return rank;
}

static int compare_lanes(const void *one, const void *other, void *context)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    unsigned rank_a = risc_rank(context, a), rank_b = risc_rank(context, b);

    if (rank_a != rank_b)
        return rank_a < rank_b ? -1 : 1;
    return (a > b) - (a < b);
}

static status draw_core(struct paging *paging, const struct marker_chip *chip, uint32_t index)
{
    const struct marker_core *core = marker_core_at(paging->log, index);
    uint32_t *lanes = memory_allocate((core->lane_count + 1) * sizeof *lanes);
    char name[64];
    uint64_t unknown = 0;
    status code = STATUS_OK;

    if (!lanes)
        return status_no_memory("drawing a core");
    memcpy(lanes, core->lanes, core->lane_count * sizeof *lanes);
    qsort_r(lanes, core->lane_count, sizeof *lanes, compare_lanes, paging);
    snprintf(name, sizeof name, "(%" PRId32 ", %" PRId32 ")", core->x, core->y);
    paging->groups[index] = timeline_page_group(paging->page, name);
    for (size_t i = 0; i < core->lane_count && code == STATUS_OK; i++)
        code = draw_lane(paging, marker_lane_at(paging->log, lanes[i]), chip);
    if (code == STATUS_OK)
        code = device_kernel_cycles(paging->log, index, &paging->kernel_cycles[index], &unknown);
    if (unknown)
        paging->kernel_cycles[index] = 0;
    memory_free(lanes);
    return code;
}

static void draw_spans(struct paging *paging, const struct marker_ops *ops, const struct marker_op_span *spans)
{
    char name[64];

    timeline_page_group(paging->page, "all cores");
    timeline_page_lane(paging->page, ops->unnamed ? "launches" : "ops");
    for (size_t i = 0; i < ops->count; i++) {
        uint32_t index = ops->by_start[i];
        const struct marker_op *op = &ops->ops[index];

        if (spans[index].last < spans[index].first)
            continue;
        if (ops->unnamed)
            snprintf(name, sizeof name, "Launch %zu", i + 1);
        else
            snprintf(name, sizeof name, "op %" PRIu32,
                     ((const struct marker_program *)column_at(&paging->log->programs, op->program))->host_id);
        timeline_page_slice(paging->page, timeline_page_label(paging->page, name, TIMELINE_SPAN), spans[index].first,
                            spans[index].last);
    }
}

/* A single launch is the whole log: it needs no lane. */
static status draw_ops(struct paging *paging, const struct marker_ops *ops)
{
    struct marker_op_span *spans;

    if (ops->count < (ops->unnamed ? 2 : 1))
        return STATUS_OK;
    spans = memory_allocate(ops->count * sizeof *spans);
    if (!spans)
        return status_no_memory("drawing ops");
    marker_ops_spans(ops, spans);
    draw_spans(paging, ops, spans);
    memory_free(spans);
    return STATUS_OK;
}

static status draw_chip(struct paging *paging, uint32_t index)
{
    const struct marker_chip *chip = marker_chip_at(paging->log, index);
    uint32_t *cores = NULL, section;
    struct marker_ops ops;
    char name[64];
    status code = marker_ops_build(&ops, paging->log, index);

    snprintf(name, sizeof name, "Chip %" PRId64, chip->id);
    section = timeline_page_section(paging->page, name, chip->t0);
    if (code == STATUS_OK)
        code = draw_ops(paging, &ops);
    if (code == STATUS_OK)
        code = device_cores_sorted(paging->log, chip, &cores);
    for (size_t i = 0; i < chip->core_count && code == STATUS_OK; i++) {
        paging->dispatches = ops.dispatch[cores[i]];
        code = draw_core(paging, chip, cores[i]);
    }
    if (code == STATUS_OK)
        code = device_page_maps(paging->page, paging->results, index, section, paging->groups, paging->kernel_cycles);
    memory_free(cores);
    marker_ops_free(&ops);
    return code;
}

/* ---- The page ---- */

static void write_facts(struct paging *paging, const struct device_page_options *options)
{
    const struct marker_log *log = paging->log;
    char number[FORMAT_SIZE];
    uint64_t markers = 0;

    for (size_t i = 0; i < log->chips.count; i++)
        markers += marker_chip_at(log, i)->markers;
    if (options->source)
        timeline_page_fact(paging->page, "Log", "%s", options->source);
    if (log->arch)
        timeline_page_fact(paging->page, "Architecture", "%s", strings_text(log->strings, log->arch));
    timeline_page_fact(paging->page, "Clock", "%.6g MHz",
                       (double)log->clock_numerator / (double)log->clock_denominator);
    if (log->chips.count != 1)
        timeline_page_fact(paging->page, "Chips", "%zu", log->chips.count);
    timeline_page_fact(paging->page, "Cores", "%zu", log->cores.count);
    timeline_page_fact(paging->page, "RISCs", "%zu", log->lanes.count);
    format_count(number, markers);
    timeline_page_fact(paging->page, "Markers", "%s", number);
    if (log->chips.count == 1 && marker_chip_at(log, 0)->t0_core != NO_ID) {
        const struct marker_chip *chip = marker_chip_at(log, 0);
        const struct marker_core *core = marker_core_at(log, chip->t0_core);

        timeline_page_fact(paging->page, "T0", "core (%" PRId32 ", %" PRId32 ") %s", core->x, core->y,
                           strings_text(log->strings, chip->t0_risc));
    }
}

static void write_notes(struct paging *paging, const struct device_page_options *options)
{
    const struct losses *losses = &paging->log->losses;
    char text[LONGEST_NAME];

    for (unsigned i = 0; i < options->note_count; i++)
        timeline_page_note(paging->page, "%s", options->notes[i]);
    for (unsigned i = 0; i < losses->reason_count; i++) {
        loss_describe(&losses->reasons[i], text, sizeof text);
        timeline_page_note(paging->page, "%s", text);
    }
    if (paging->unfinished)
        timeline_page_note(paging->page,
                           "%" PRIu64 " zones have no end in the log; they are drawn up to the next marker that "
                           "ends them, or to the last one of their RISC.",
                           paging->unfinished);
    if (paging->lone)
        timeline_page_note(paging->page,
                           "%" PRIu64 " ends of zones have no start in the log; they are drawn as markers.",
                           paging->lone);
}

static status draw_page(struct paging *paging, const struct device_page_options *options)
{
    status code = STATUS_OK;

    write_facts(paging, options);
    paging->labels = memory_allocate_clear((paging->log->kinds.count + 1) * sizeof *paging->labels);
    paging->groups = memory_allocate_clear((paging->log->cores.count + 1) * sizeof *paging->groups);
    paging->kernel_cycles = memory_allocate_clear((paging->log->cores.count + 1) * sizeof *paging->kernel_cycles);
    if (!paging->labels || !paging->groups || !paging->kernel_cycles)
        return status_no_memory("drawing a page");
    for (uint32_t i = 0; i < paging->log->chips.count && code == STATUS_OK; i++)
        code = draw_chip(paging, i);
    write_notes(paging, options);
    return code;
}

static void free_tables(struct table **tables, size_t count)
{
    for (size_t i = 0; tables && i < count; i++)
        table_free(tables[i]);
    memory_free(tables);
}

static status add_tables(struct paging *paging, struct table **tables)
{
    const struct device_results *results = paging->results;
    char title[96] = "Statistics";

    for (size_t i = 0; i < results->chip_count; i++) {
        status code;

        if (results->chip_count > 1)
            snprintf(title, sizeof title, "Statistics of chip %" PRId64,
                     marker_chip_at(results->log, results->chips[i].chip)->id);
        code = device_statistics_table(results, i, title, &tables[i]);
        if (code != STATUS_OK)
            return code;
        timeline_page_table(paging->page, tables[i]);
    }
    return STATUS_OK;
}

status device_page_write(struct output *output, const struct device_results *results,
                         const struct device_page_options *options)
{
    const struct marker_log *log = results->log;
    struct timeline_words words = { .title = "Device performance",
                                    .section = "Chip",
                                    .group = "Core",
                                    .lane = "RISC",
                                    .tick = "cycles",
                                    .clock_numerator = log->clock_denominator * 1000,
                                    .clock_denominator = log->clock_numerator };
    struct paging paging = { .log = log, .results = results };
    struct marker_zones_user user = { &paging, begin_zone, end_zone, draw_point };
    struct table **tables = memory_allocate_clear((results->chip_count + 1) * sizeof *tables);
    status code = tables ? timeline_page_begin(output, &words, &paging.page) : status_no_memory("a page");

    assert(results->log && results->setup);
    marker_zones_begin(&paging.zones, log, &user);
    if (code == STATUS_OK)
        code = draw_page(&paging, options);
    if (code == STATUS_OK)
        code = add_tables(&paging, tables);
    if (code == STATUS_OK)
        code = timeline_page_finish(paging.page);
    else
        timeline_page_abandon(paging.page);
    memory_free(paging.labels);
    memory_free(paging.groups);
    memory_free(paging.kernel_cycles);
    marker_zones_free(&paging.zones);
    free_tables(tables, results->chip_count);
    return code;
}
