/* device_tables.c: fields of a device log's analyses, cores and ops. */
#include "tenstorrent/device_tables.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/intervals.h"
#include "base/memory.h"
#include "tenstorrent/marker_zones.h"
#include "tenstorrent/op_times.h"
#include "tenstorrent/original/device_files.h"

/* ---- Statistics, of whatever has them ------------------------------------------------------------------------------- */

/* A row of analyses or cores. */
struct measured {
    uint32_t chip;                              /* of the log */
    uint32_t core;                              /* of the log; NO_ID: of all */
    const char *name;                           /* of the analysis */
    const struct device_analysis *analysis;     /* NULL: the time in kernels */
    const struct device_statistics *statistics; /* count or unknown over 0 */
    struct device_statistics own;               /* where they are made for the row */
};

struct measured_rows {
    const struct marker_log *log; /* borrowed */
    struct column rows;           /* struct measured */
};

static const struct measured *measured_at(const void *context, size_t row)
{
    return column_at(&((const struct measured_rows *)context)->rows, row);
}

static struct table_cell get_chip(const void *context, size_t row)
{
    const struct measured_rows *rows = context;

    return cell_integer(marker_chip_at(rows->log, measured_at(context, row)->chip)->id);
}

static struct table_cell get_x(const void *context, size_t row)
{
    const struct measured_rows *rows = context;

    return cell_integer(marker_core_at(rows->log, measured_at(context, row)->core)->x);
}

static struct table_cell get_y(const void *context, size_t row)
{
    const struct measured_rows *rows = context;

    return cell_integer(marker_core_at(rows->log, measured_at(context, row)->core)->y);
}

static struct table_cell get_name(const void *context, size_t row)
{
    return cell_text(measured_at(context, row)->name);
}

static struct table_cell get_across(const void *context, size_t row)
{
    const struct device_analysis *analysis = measured_at(context, row)->analysis;

    return cell_text(analysis ? device_across_key(analysis->across) : NULL);
}

static struct table_cell get_type(const void *context, size_t row)
{
    const struct device_analysis *analysis = measured_at(context, row)->analysis;

    return cell_text(analysis ? device_type_key(analysis->type) : NULL);
}

static struct table_cell get_count(const void *context, size_t row)
{
    return cell_integer((int64_t)measured_at(context, row)->statistics->count);
}

static struct table_cell get_unknown(const void *context, size_t row)
{
    return cell_integer((int64_t)measured_at(context, row)->statistics->unknown);
}

static struct table_cell get_average(const void *context, size_t row)
{
    const struct device_statistics *of = measured_at(context, row)->statistics;

    return of->count ? cell_decimal(of->average) : cell_null();
}

static struct table_cell get_max(const void *context, size_t row)
{
    const struct device_statistics *of = measured_at(context, row)->statistics;

    return of->count ? cell_integer(of->max) : cell_null();
}

static struct table_cell get_median(const void *context, size_t row)
{
    const struct device_statistics *of = measured_at(context, row)->statistics;

    return of->count ? cell_decimal(of->median) : cell_null();
}

static struct table_cell get_min(const void *context, size_t row)
{
    const struct device_statistics *of = measured_at(context, row)->statistics;

    return of->count ? cell_integer(of->min) : cell_null();
}

static struct table_cell get_sum(const void *context, size_t row)
{
    const struct device_statistics *of = measured_at(context, row)->statistics;

    return of->count ? cell_integer(of->sum) : cell_null();
}

static struct table_cell get_range(const void *context, size_t row)
{
    const struct device_statistics *of = measured_at(context, row)->statistics;

    return of->count ? cell_integer(of->max - of->min) : cell_null();
}

static struct table_cell get_first(const void *context, size_t row)
{
    const struct device_statistics *of = measured_at(context, row)->statistics;

    return of->count ? cell_integer(of->first) : cell_null();
}

#define CHIP_FIELD                                                                                     \
    {                                                                                                  \
        .key = "chip", .title = "Chip", .type = CELL_INTEGER, .description = "its id", .get = get_chip \
    }
#define CYCLES_FIELD(name, shown, kind, words, function)                                                   \
    {                                                                                                      \
        .key = name, .title = shown, .unit = "cycles", .type = kind, .description = words, .get = function \
    }

/* In the order of enum device_statistic. */
#define STATISTIC_FIELDS                                                                                               \
    { .key = "count", .title = "Count", .type = CELL_INTEGER, .description = "durations found", .get = get_count },    \
        CYCLES_FIELD("average", "Average", CELL_DECIMAL, "of the durations", get_average),                             \
        CYCLES_FIELD("max", "Max", CELL_INTEGER, "the longest", get_max),                                              \
        CYCLES_FIELD("median", "Median", CELL_DECIMAL, "of the durations; over series, of their medians", get_median), \
        CYCLES_FIELD("min", "Min", CELL_INTEGER, "the shortest", get_min),                                             \
        CYCLES_FIELD("sum", "Sum", CELL_INTEGER, "of the durations", get_sum),                                         \
        CYCLES_FIELD("range", "Range", CELL_INTEGER, "from the shortest to the longest", get_range),                   \
        CYCLES_FIELD("first", "First", CELL_INTEGER, "the one that came first", get_first),                            \
    {                                                                                                                  \
        .key = "unknown", .title = "Not known", .type = CELL_INTEGER,                                                  \
        .description = "durations that markers are missing for", .get = get_unknown                                    \
    }

static const struct field analysis_fields[] = {
    CHIP_FIELD,
    { .key = "duration", .title = "Duration", .type = CELL_TEXT, .description = "what was measured", .get = get_name },
    { .key = "across",
      .title = "Across",
      .type = CELL_TEXT,
      .description = "which series it runs over",
      .get = get_across },
    { .key = "type",
      .title = "Type",
      .type = CELL_TEXT,
      .description = "how starts and ends are paired",
      .get = get_type },
    STATISTIC_FIELDS,
    { .key = NULL },
};
static const struct field_set analysis_set = { "analysis", analysis_fields };
static const struct field_set *const analysis_sets[] = { &analysis_set, NULL };

static const struct field core_fields[] = {
    CHIP_FIELD,
    { .key = "x", .title = "X", .type = CELL_INTEGER, .description = "column of the core", .get = get_x },
    { .key = "y", .title = "Y", .type = CELL_INTEGER, .description = "row of the core", .get = get_y },
    { .key = "duration", .title = "Duration", .type = CELL_TEXT, .description = "what was measured", .get = get_name },
    STATISTIC_FIELDS,
    { .key = NULL },
};
static const struct field_set core_set = { "core", core_fields };
static const struct field_set *const core_sets[] = { &core_set, NULL };

enum { STATISTICS_BEGIN = 4 }; /* in both lists of fields */

static status add_measured(struct measured_rows *rows, struct measured row)
{
    struct measured *added = column_append(&rows->rows);

    if (!added)
        return status_no_memory("making a table");
    *added = row;
    if (!added->statistics)
        added->statistics = &added->own;
    assert(added->statistics->count || added->statistics->unknown);
    return STATUS_OK;
}

static void start_measured(struct measured_rows *rows, const struct device_results *results)
{
    rows->log = results->log;
    column_start(&rows->rows, sizeof(struct measured));
}

/* ---- Analyses ------------------------------------------------------------------------------------------------------- */

static status collect_analyses(struct measured_rows *rows, const struct device_results *results, size_t index)
{
    const struct device_chip_results *chip = &results->chips[index];
    status code = STATUS_OK;

    for (unsigned i = 0; i < results->setup->count && code == STATUS_OK; i++)
        if (chip->summary[i].count || chip->summary[i].unknown)
            code = add_measured(rows, (struct measured){ .chip = chip->chip,
                                                         .core = NO_ID,
                                                         .name = results->setup->analyses[i].name,
                                                         .analysis = &results->setup->analyses[i],
                                                         .statistics = &chip->summary[i] });
    return code;
}

static bool any_unknown(const struct measured_rows *rows)
{
    for (size_t i = 0; i < rows->rows.count; i++)
        if (measured_at(rows, i)->statistics->unknown)
            return true;
    return false;
}

/* The statistics that the setup shows, behind the chip where there are several. */
static status view_analyses(const struct measured_rows *measured, const struct device_results *results, bool chips,
                            const char *name, const char *title, const struct view_request *request,
                            struct table **table)
{
    const char *keys[STATISTIC_COUNT_OF + 4];
    struct view view = { .name = name, .title = title, .keys = keys };
    const struct view *const views[] = { &view, NULL };
    struct rows rows = { "analysis", analysis_sets, measured, measured->rows.count };
    unsigned count = 0;

    if (chips)
        keys[count++] = "chip";
    keys[count++] = "duration";
    for (unsigned i = 0; i < results->setup->shown_count; i++)
        keys[count++] = analysis_fields[STATISTICS_BEGIN + results->setup->shown[i]].key;
    if (any_unknown(measured))
        keys[count++] = "unknown";
    keys[count] = NULL;
    return view_table(&rows, views, request, table);
}

status device_analyses_table(const struct device_results *results, const struct view_request *request,
                             struct table **table)
{
    struct measured_rows measured;
    status code = STATUS_OK;

    assert(results->log && results->setup);
    start_measured(&measured, results);
    for (size_t i = 0; i < results->chip_count && code == STATUS_OK; i++)
        code = collect_analyses(&measured, results, i);
    if (code == STATUS_OK)
        code = view_analyses(&measured, results, results->chip_count > 1, "analyses", "Statistics", request, table);
    column_free(&measured.rows);
    return code;
}

/* ---- Cores ---------------------------------------------------------------------------------------------------------- */

static status begin_zone(void *context, const struct marker *start, size_t depth)
{
    (void)context;
    (void)start;
    (void)depth;
    return STATUS_OK;
}

/* The kernels of a core, while its lanes are walked through. */
struct kernels {
    const struct marker_log *log; /* borrowed */
    struct intervals intervals;   /* in which one ran */
    uint64_t unknown;             /* that lack a marker */
};

static status end_zone(void *context, const struct marker *start, size_t depth, int64_t time, bool guessed)
{
    struct kernels *kernels = context;

    (void)depth;
    if (marker_kind_at(kernels->log, start->kind)->standard != KERNEL_START)
        return STATUS_OK;
    kernels->unknown += guessed;
    return guessed ? STATUS_OK : intervals_add(&kernels->intervals, start->time, time);
}

static status pass_point(void *context, const struct marker *marker, bool lone_end)
{
    struct kernels *kernels = context;

    kernels->unknown += lone_end && marker_kind_at(kernels->log, marker->kind)->standard == KERNEL_END;
    return STATUS_OK;
}

status device_kernel_cycles(const struct marker_log *log, uint32_t index, int64_t *cycles, uint64_t *unknown)
{
    const struct marker_core *core = marker_core_at(log, index);
    struct kernels kernels = { .log = log };
    const struct marker_zones_user user = { &kernels, begin_zone, end_zone, pass_point };
    struct marker_zones zones;
    status code = STATUS_OK;

    assert(index < log->cores.count);
    *cycles = 0;
    *unknown = 0;
    marker_zones_begin(&zones, log, &user);
    for (size_t i = 0; i < core->lane_count && code == STATUS_OK; i++) {
        const struct marker *marker;
        struct marker_cursor cursor;

        marker_zones_start(&zones, marker_chip_at(log, core->chip)->t0);
        marker_cursor_start(&cursor, &marker_lane_at(log, core->lanes[i])->markers);
        while (code == STATUS_OK && (marker = marker_cursor_next(&cursor)))
            code = marker_zones_step(&zones, marker);
        if (code == STATUS_OK)
            code = marker_zones_finish(&zones);
    }
    if (code == STATUS_OK)
        code = intervals_settle(&kernels.intervals);
    if (code == STATUS_OK)
        *cycles = intervals_length(&kernels.intervals);
    *unknown = kernels.unknown;
    intervals_free(&kernels.intervals);
    marker_zones_free(&zones);
    return code;
}

/* `place`: of the core on its chip. */
static status collect_core(struct measured_rows *rows, const struct device_results *results,
                           const struct device_chip_results *chip, size_t place)
{
    const struct device_setup *setup = results->setup;
    const struct marker_chip *of = marker_chip_at(results->log, chip->chip);
    struct measured row = { .chip = chip->chip, .core = of->cores[place], .name = "Time in kernels, on any RISC" };
    uint64_t unknown;
    int64_t cycles;
    status code = device_kernel_cycles(results->log, row.core, &cycles, &unknown);

    if (code == STATUS_OK && unknown) {
        row.own = (struct device_statistics){ .unknown = unknown };
        code = add_measured(rows, row);
    } else if (code == STATUS_OK && cycles > 0) {
        row.own = (struct device_statistics){ .count = 1,
                                              .sum = cycles,
                                              .max = cycles,
                                              .min = cycles,
                                              .first = cycles,
                                              .average = (double)cycles,
                                              .median = (double)cycles };
        code = add_measured(rows, row);
    }
    for (unsigned i = 0; i < setup->count && code == STATUS_OK; i++) {
        const struct device_statistics *found = &chip->cores[place * setup->count + i];

        if ((setup->analyses[i].across != ACROSS_CORE && setup->analyses[i].type != DEVICE_OP_CORE) ||
            (!found->count && !found->unknown))
            continue;
        row.name = setup->analyses[i].name;
        row.analysis = &setup->analyses[i];
        row.statistics = found;
        code = add_measured(rows, row);
    }
    return code;
}

status device_cores_table(const struct device_results *results, const struct view_request *request,
                          struct table **table)
{
    const char *keys[] = { "chip", "x", "y", "duration", "count", "median", "range", NULL, NULL };
    const struct view view = { .name = "cores", .title = "Cores", .keys = keys };
    const struct view *const views[] = { &view, NULL };
    struct measured_rows measured;
    status code = STATUS_OK;

    assert(results->log && results->setup);
    start_measured(&measured, results);
    for (size_t i = 0; i < results->chip_count && code == STATUS_OK; i++)
        for (size_t k = 0; k < marker_chip_at(results->log, results->chips[i].chip)->core_count && code == STATUS_OK;
             k++)
            code = collect_core(&measured, results, &results->chips[i], k);
    if (code == STATUS_OK) {
        struct rows rows = { "core", core_sets, &measured, measured.rows.count };

        keys[7] = any_unknown(&measured) ? "unknown" : NULL;
        code = view_table(&rows, views, request, table);
    }
    column_free(&measured.rows);
    return code;
}

/* ---- Ops ------------------------------------------------------------------------------------------------------------ */

struct op_shown {
    uint32_t chip;              /* of the log */
    uint32_t program;           /* of the log; 0: it names none */
    uint32_t repetition;        /* from 0 */
    size_t number;              /* on its chip, by start, from 1 */
    struct marker_op_span span; /* from its first to its last marker */
};

struct ops_shown {
    const struct marker_log *log; /* borrowed */
    struct column rows;           /* struct op_shown */
    char name[32];                /* of the row that was asked for last */
};

static const struct op_shown *op_at(const void *context, size_t row)
{
    return column_at(&((const struct ops_shown *)context)->rows, row);
}

static const struct marker_program *program_at(const void *context, size_t row)
{
    const struct ops_shown *ops = context;

    return column_at(&ops->log->programs, op_at(context, row)->program);
}

static struct table_cell get_op_chip(const void *context, size_t row)
{
    return cell_integer(marker_chip_at(((const struct ops_shown *)context)->log, op_at(context, row)->chip)->id);
}

static struct table_cell get_op_name(const void *context, size_t row)
{
    struct ops_shown *ops = (struct ops_shown *)context; /* a text lives until the next call */

    if (op_at(context, row)->program)
        snprintf(ops->name, sizeof ops->name, "op %" PRIu32, program_at(context, row)->host_id);
    else
        snprintf(ops->name, sizeof ops->name, "Launch %zu", op_at(context, row)->number);
    return cell_text(ops->name);
}

static struct table_cell get_op_number(const void *context, size_t row)
{
    return cell_integer((int64_t)op_at(context, row)->number);
}

static struct table_cell get_op_repetition(const void *context, size_t row)
{
    return cell_integer((int64_t)op_at(context, row)->repetition + 1);
}

static int64_t begin_of(const void *context, size_t row)
{
    return marker_chip_at(((const struct ops_shown *)context)->log, op_at(context, row)->chip)->t0;
}

static struct table_cell get_op_start(const void *context, size_t row)
{
    if (!op_at(context, row)->span.whole)
        return cell_null();
    return cell_integer(op_at(context, row)->span.first - begin_of(context, row));
}

static struct table_cell get_op_end(const void *context, size_t row)
{
    if (!op_at(context, row)->span.whole)
        return cell_null();
    return cell_integer(op_at(context, row)->span.last - begin_of(context, row));
}

static struct table_cell get_op_cycles(const void *context, size_t row)
{
    if (!op_at(context, row)->span.whole)
        return cell_null();
    return cell_integer(op_at(context, row)->span.last - op_at(context, row)->span.first);
}

static struct table_cell get_op_time(const void *context, size_t row)
{
    const struct marker_op_span *span = &op_at(context, row)->span;
    int64_t time = marker_log_ns(((const struct ops_shown *)context)->log, span->last - span->first, 1);

    return time == OP_NONE || !span->whole ? cell_null() : cell_integer(time);
}

static const struct field op_fields[] = {
    { .key = "chip", .title = "Chip", .type = CELL_INTEGER, .description = "its id", .get = get_op_chip },
    { .key = "op",
      .title = "Op",
      .type = CELL_TEXT,
      .description = "number of its program, or which launch it is",
      .get = get_op_name },
    { .key = "number",
      .title = "Number",
      .type = CELL_INTEGER,
      .description = "on its chip, by start, from 1",
      .get = get_op_number },
    { .key = "repetition",
      .title = "Run",
      .type = CELL_INTEGER,
      .description = "which run of its program, from 1",
      .get = get_op_repetition },
    CYCLES_FIELD("start", "Start", CELL_INTEGER, "first marker since the chip's first", get_op_start),
    CYCLES_FIELD("end", "End", CELL_INTEGER, "last marker since the chip's first", get_op_end),
    CYCLES_FIELD("cycles", "Duration", CELL_INTEGER, "from the first marker to the last; none where one is missing",
                 get_op_cycles),
    { .key = "time",
      .title = "Time",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "the same by the log's clock",
      .get = get_op_time },
    { .key = NULL },
};
static const struct field_set op_set = { "op", op_fields };
static const struct field_set *const op_sets[] = { &op_set, NULL };

static status collect_spans(struct ops_shown *shown, const struct marker_ops *ops, const struct marker_op_span *spans)
{
    for (size_t i = 0; i < ops->count; i++) {
        uint32_t index = ops->by_start[i];
        struct op_shown *added;

        if (spans[index].last < spans[index].first)
            continue;
        added = column_append(&shown->rows);
        if (!added)
            return status_no_memory("making a table");
        *added = (struct op_shown){ .chip = ops->chip,
                                    .program = ops->unnamed ? 0 : ops->ops[index].program,
                                    .repetition = ops->ops[index].repetition,
                                    .number = i + 1,
                                    .span = spans[index] };
    }
    return STATUS_OK;
}

static status collect_ops(struct ops_shown *shown, const struct device_results *results, uint32_t chip)
{
    struct marker_op_span *spans = NULL;
    struct marker_ops ops;
    status code = marker_ops_build(&ops, results->log, chip);

    if (code == STATUS_OK) {
        spans = memory_allocate((ops.count + 1) * sizeof *spans);
        code = spans ? STATUS_OK : status_no_memory("making a table");
    }
    if (code == STATUS_OK) {
        marker_ops_spans(&ops, spans);
        code = collect_spans(shown, &ops, spans);
    }
    memory_free(spans);
    marker_ops_free(&ops);
    return code;
}

status device_ops_table(const struct device_results *results, const struct view_request *request, struct table **table)
{
    static const char *const keys[] = { "chip", "op", "repetition", "start", "cycles", "time", NULL };
    static const struct view view = { .name = "ops", .title = "Ops", .keys = keys };
    static const struct view *const views[] = { &view, NULL };
    struct ops_shown shown = { .log = results->log };
    status code = STATUS_OK;

    assert(results->log);
    column_start(&shown.rows, sizeof(struct op_shown));
    for (size_t i = 0; i < results->chip_count && code == STATUS_OK; i++)
        code = collect_ops(&shown, results, results->chips[i].chip);
    if (code == STATUS_OK) {
        struct rows rows = { "op", op_sets, &shown, shown.rows.count };

        code = view_table(&rows, views, request, table);
    }
    column_free(&shown.rows);
    return code;
}
