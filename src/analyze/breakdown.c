#include "analyze/breakdown.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "base/number.h"

/* What one operator did, by group of engines. An operator is on a handful of tracks as a rule and its sets are borrowed; on
 * more than one sweep takes, the sets of a group are merged first. */
enum { MOST_BORROWED = 24 };

struct work {
    const struct intervals *sets[MOST_BORROWED + 4];
    struct intervals merged[4]; /* by enum engine_group: TRANSFER, COMPUTE, JOB, HOST */
    uint32_t bits[4];           /* which sets belong to each of these groups */
    unsigned count;
    struct breakdown_row *row;
};

static void add_stretch(void *context, uint64_t active, int64_t start, int64_t end)
{
    struct work *work = context;
    int64_t length = end - start;

    work->row->total += length;
    work->row->transfer += active & work->bits[GROUP_TRANSFER] ? length : 0;
    work->row->compute += active & work->bits[GROUP_COMPUTE] ? length : 0;
    work->row->host += active & work->bits[GROUP_HOST] ? length : 0;
}

static status add_share(struct work *work, enum engine_group group, const struct intervals *set)
{
    if (work->count < MOST_BORROWED) {
        work->bits[group] |= 1u << work->count;
        work->sets[work->count++] = set;
        return STATUS_OK;
    }
    return intervals_add_all(&work->merged[group], set);
}

/* Fill a row from the shares of its operator under `process`; no slices: it has none there. */
static status measure(const struct busy *busy, track_id process, operator_id op, struct breakdown_row *row)
{
    struct work work = { .row = row };
    status code = STATUS_OK;

    *row = (struct breakdown_row){ .op = op };
    for (uint32_t i = op == NO_ID ? busy->unattributed : busy_operator(busy, op)->first_share;
         i != NO_ID && code == STATUS_OK; i = busy_share(busy, i)->next) {
        const struct busy_share *share = busy_share(busy, i);
        const struct busy_track *track = busy_track(busy, share->track);
        enum engine_group group = engine_group(track->track.engine);

        if (track->process != process || !track->work)
            continue;
        row->slices += share->slices;
        row->bytes = number_add(row->bytes, share->bytes);
        code = add_share(&work, group, &share->set);
    }
    for (unsigned group = 0; group < 4; group++) {
        if (code == STATUS_OK)
            code = intervals_settle(&work.merged[group]);
        work.bits[group] |= 1u << work.count;
        work.sets[work.count++] = &work.merged[group];
    }
    if (code == STATUS_OK)
        intervals_sweep(work.sets, work.count, add_stretch, &work);
    for (unsigned group = 0; group < 4; group++)
        intervals_free(&work.merged[group]);
    return code;
}

static int by_total(const void *left, const void *right)
{
    const struct breakdown_row *a = left, *b = right;

    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    return (a->op > b->op) - (a->op < b->op);
}

status breakdown_operators(const struct busy *busy, track_id process, struct breakdown *breakdown)
{
    size_t capacity = 0, operators = busy->operators.count;

    *breakdown = (struct breakdown){ 0 };
    for (size_t i = 0; i <= operators; i++) {
        struct breakdown_row row;
        status code = measure(busy, process, i < operators ? (operator_id)i : NO_ID, &row);

        if (code == STATUS_OK && !row.slices)
            continue;
        if (code == STATUS_OK)
            code = memory_grow(&breakdown->rows, &capacity, breakdown->count + 1, sizeof *breakdown->rows);
        if (code != STATUS_OK) {
            breakdown_free(breakdown);
            return code;
        }
        breakdown->rows[breakdown->count++] = row;
    }
    if (breakdown->count)
        qsort(breakdown->rows, breakdown->count, sizeof *breakdown->rows, by_total);
    return STATUS_OK;
}

void breakdown_free(struct breakdown *breakdown)
{
    memory_free(breakdown->rows);
    *breakdown = (struct breakdown){ 0 };
}

enum {
    COLUMN_NAME,
    COLUMN_TOTAL,
    COLUMN_PERCENT,
    COLUMN_TRANSFER,
    COLUMN_COMPUTE,
    COLUMN_HOST,
    COLUMN_BYTES,
    COLUMN_SLICES,
    COLUMN_PLACE
};

static void add_columns(struct table *table, enum breakdown_by by)
{
    static const char *const names[] = { "operator", "location", "type", "engine" };
    static const char *const titles[] = { "Operator", "Location", "Type", "Engine" };

    table_add_column(table, (struct table_column){ .name = names[by], .title = titles[by], .type = CELL_TEXT });
    table_add_column(table, (struct table_column){ .name = "total_time",
                                                   .title = "Time",
                                                   .unit = "ns",
                                                   .type = CELL_DURATION,
                                                   .description = "time in which something worked for it" });
    table_add_column(table, (struct table_column){ .name = "percent",
                                                   .title = "Share",
                                                   .unit = "%",
                                                   .type = CELL_PERCENT,
                                                   .bar = true,
                                                   .description = "of the whole, from first start to last end" });
    table_add_column(table, (struct table_column){ .name = "transfer_time",
                                                   .title = "Transfer",
                                                   .unit = "ns",
                                                   .type = CELL_DURATION,
                                                   .optional = true,
                                                   .description = "time in which DMA or CDMA moved its data" });
    table_add_column(table, (struct table_column){ .name = "compute_time",
                                                   .title = "Compute",
                                                   .unit = "ns",
                                                   .type = CELL_DURATION,
                                                   .optional = true,
                                                   .description = "time in which a slice or the CSS computed it" });
    table_add_column(table, (struct table_column){ .name = "host_time",
                                                   .title = "Host",
                                                   .unit = "ns",
                                                   .type = CELL_DURATION,
                                                   .optional = true,
                                                   .description = "time in which the host worked for it" });
    table_add_column(table, (struct table_column){ .name = "bytes",
                                                   .title = "Bytes",
                                                   .unit = "B",
                                                   .type = CELL_BYTES,
                                                   .optional = true,
                                                   .description = "moved by DMA and CDMA" });
    table_add_column(table, (struct table_column){ .name = "slices",
                                                   .title = "Slices",
                                                   .type = CELL_INTEGER,
                                                   .optional = true,
                                                   .description = "pieces of work" });
    if (by == BREAKDOWN_OPERATOR || by == BREAKDOWN_LOCATION)
        table_add_column(table, (struct table_column){ .name = by == BREAKDOWN_OPERATOR ? "location" : "printed",
                                                       .title = "Location",
                                                       .type = CELL_TEXT,
                                                       .optional = true,
                                                       .description = "as the compiler printed it" });
}

/* `inside`: it is a part of the whole, so that it has a share of it. */
static void set_row(struct table *table, const struct metrics *metrics, const char *name,
                    const struct breakdown_row *row, bool inside)
{
    int64_t whole = metrics_ticks(metrics, &metric_overall);

    table_add_row(table);
    table_set_text(table, COLUMN_NAME, name);
    table_set_integer(table, COLUMN_TOTAL, clock_span_ns(&metrics->clock, row->total));
    if (inside)
        table_set_decimal(table, COLUMN_PERCENT, whole ? 100.0 * (double)row->total / (double)whole : 0);
    table_set_integer(table, COLUMN_TRANSFER, clock_span_ns(&metrics->clock, row->transfer));
    table_set_integer(table, COLUMN_COMPUTE, clock_span_ns(&metrics->clock, row->compute));
    table_set_integer(table, COLUMN_HOST, clock_span_ns(&metrics->clock, row->host));
    table_set_integer(table, COLUMN_BYTES, row->bytes);
    table_set_integer(table, COLUMN_SLICES, (int64_t)row->slices);
}

static const struct op *operator_of(const struct busy *busy, const struct breakdown_row *row)
{
    static const struct op nothing;

    return row->op == NO_ID ? &nothing : &busy_operator(busy, row->op)->op;
}

/* The rows do not add up to the whole by themselves: say what is missing and what is counted twice. */
static void note_rest(struct table *table, const struct metrics *metrics)
{
    char time[FORMAT_SIZE], percent[FORMAT_SIZE];

    format_duration(time, metrics_ns(metrics, &metric_idle));
    format_percent(percent, metrics_ticks(metrics, &metric_idle), metrics_ticks(metrics, &metric_overall));
    table_note(table, "idle, for no operator: %s (%s); operators that work at the same time count each", time, percent);
    for (size_t i = 0; i < metrics->count; i++) {
        const struct metric *metric = metrics->set->rows[i];

        if (!metric->rest || !metrics->present[i])
            continue;
        format_duration(time, metrics_ns(metrics, metric));
        format_percent(percent, metrics->ticks[i], metrics_ticks(metrics, &metric_overall));
        table_note(table, "%s: %s (%s)", metric->rest, time, percent);
    }
}

static void fill_operators(struct table *table, const struct busy *busy, const struct metrics *metrics,
                           const struct strings *strings, enum breakdown_by by, const struct breakdown *breakdown)
{
    for (size_t i = 0; i < breakdown->count; i++) {
        const struct breakdown_row *row = &breakdown->rows[i];
        const struct op *op = operator_of(busy, row);
        string_id place = op->place ? op->place : op->location;
        const char *name = op->name ? strings_text(strings, op->name) : "(no operator)";

        if (by == BREAKDOWN_LOCATION)
            name = place ? strings_text(strings, place) : "(no location)";
        set_row(table, metrics, name, row, true);
        if (op->location)
            table_set_text(table, COLUMN_PLACE, strings_text(strings, op->location));
    }
    note_rest(table, metrics);
}

/* The type of an operator whose source was not at hand is not known; those go together. */
static int by_type(const void *left, const void *right, void *context)
{
    const struct busy *busy = context;
    const struct breakdown_row *a = left, *b = right;
    string_id one = operator_of(busy, a)->type;
    string_id other = operator_of(busy, b)->type;

    return (one > other) - (one < other);
}

static void fill_types(struct table *table, const struct busy *busy, const struct metrics *metrics,
                       const struct strings *strings, struct breakdown *breakdown)
{
    size_t kept = 0;

    if (breakdown->count)
        qsort_r(breakdown->rows, breakdown->count, sizeof *breakdown->rows, by_type, (void *)(uintptr_t)busy);
    for (size_t i = 0; i < breakdown->count; i++) {
        struct breakdown_row *row = &breakdown->rows[i];

        if (kept && by_type(&breakdown->rows[kept - 1], row, (void *)(uintptr_t)busy) == 0) {
            struct breakdown_row *sum = &breakdown->rows[kept - 1];

            sum->total = number_add(sum->total, row->total);
            sum->transfer = number_add(sum->transfer, row->transfer);
            sum->compute = number_add(sum->compute, row->compute);
            sum->host = number_add(sum->host, row->host);
            sum->bytes = number_add(sum->bytes, row->bytes);
            sum->slices += row->slices;
        } else {
            breakdown->rows[kept++] = *row;
        }
    }
    breakdown->count = kept;
    if (kept)
        qsort(breakdown->rows, kept, sizeof *breakdown->rows, by_total);
    for (size_t i = 0; i < kept; i++) {
        const struct op *op = operator_of(busy, &breakdown->rows[i]);

        set_row(table, metrics, op->type ? strings_text(strings, op->type) : "(not known)", &breakdown->rows[i], true);
    }
    table_note(table, "the time of a type is the sum over its operators");
}

/* A row per track, which stands in the place of the operator. */
static status measure_engines(const struct busy *busy, track_id process, struct breakdown *breakdown)
{
    size_t capacity = 0;

    for (size_t i = 0; i < busy->tracks.count; i++) {
        const struct busy_track *track = busy_track(busy, (track_id)i);
        enum engine_group group = engine_group(track->track.engine);
        struct breakdown_row row = { .op = (track_id)i, .slices = track->slices, .bytes = track->bytes };

        if (!track->kept || track->process != process)
            continue;
        row.total = intervals_length(&track->set);
        row.transfer = group == GROUP_TRANSFER ? row.total : 0;
        row.compute = group == GROUP_COMPUTE ? row.total : 0;
        row.host = group == GROUP_HOST ? row.total : 0;
        if (memory_grow(&breakdown->rows, &capacity, breakdown->count + 1, sizeof row) != STATUS_OK)
            return STATUS_MEMORY;
        breakdown->rows[breakdown->count++] = row;
    }
    if (breakdown->count)
        qsort(breakdown->rows, breakdown->count, sizeof *breakdown->rows, by_total);
    return STATUS_OK;
}

/* Engines of one title share a line of a trace, but an estimate tells them apart. */
const char *breakdown_engine(const struct track *track, const struct metrics *metrics, const struct strings *strings)
{
    return metrics->estimated && track->engine->part ? track->engine->part : strings_text(strings, track->name);
}

static void fill_engines(struct table *table, const struct busy *busy, const struct metrics *metrics,
                         const struct strings *strings, const struct breakdown *breakdown)
{
    for (size_t i = 0; i < breakdown->count; i++) {
        const struct track *track = &busy_track(busy, breakdown->rows[i].op)->track;

        /* What encloses other work, such as an initialisation, may lie outside the whole. */
        set_row(table, metrics, breakdown_engine(track, metrics, strings), &breakdown->rows[i],
                engine_group(track->engine) != GROUP_ENVELOPE);
    }
}

status breakdown_table(const struct busy *busy, track_id process, const struct metrics *metrics,
                       const struct strings *strings, enum breakdown_by by, struct table **result)
{
    static const char *const titles[] = { "Time by operator", "Time by location", "Time by operator type",
                                          "Time by engine" };
    struct table *table = table_new("breakdown", titles[by]);
    struct breakdown breakdown = { 0 };
    status code = STATUS_OK;

    if (!table)
        return status_no_memory("making a table");
    add_columns(table, by);
    code = by == BREAKDOWN_ENGINE ? measure_engines(busy, process, &breakdown)
                                  : breakdown_operators(busy, process, &breakdown);
    if (code == STATUS_OK && by == BREAKDOWN_ENGINE)
        fill_engines(table, busy, metrics, strings, &breakdown);
    else if (code == STATUS_OK && by == BREAKDOWN_TYPE)
        fill_types(table, busy, metrics, strings, &breakdown);
    else if (code == STATUS_OK)
        fill_operators(table, busy, metrics, strings, by, &breakdown);
    breakdown_free(&breakdown);
    if (code == STATUS_OK)
        code = table_status(table);
    if (code != STATUS_OK) {
        table_free(table);
        return code;
    }
    *result = table;
    return STATUS_OK;
}
