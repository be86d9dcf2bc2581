/* zone_totals.c: what zones cost, as they come. */
#include "analyze/zone_totals.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

struct zone_total {
    string_id name; /* of the operator */
    uint64_t calls; /* that began */
    uint64_t open;  /* of those, that have not ended */
    int64_t self;   /* ns of those that ended, without what was called in them */
    int64_t time;   /* ns of those that ended */
};

struct zone_frame {
    operator_id op; /* of the zone */
    open_id parent; /* that it was begun in; NO_ID: none */
    int64_t start;  /* ns */
    int64_t inner;  /* ns of zones in it that ended */
};

void zone_totals_start(struct zone_totals *totals, const struct strings *strings)
{
    totals->strings = strings;
    column_start(&totals->operators, sizeof(struct zone_total));
    column_start(&totals->open, sizeof(struct zone_frame));
}

void zone_totals_free(struct zone_totals *totals)
{
    column_free(&totals->operators);
    column_free(&totals->open);
}

static status add_operator(void *self, const struct op *op)
{
    struct zone_totals *totals = self;
    struct zone_total *made = column_append(&totals->operators);

    assert(op->id + 1 == totals->operators.count || !made);
    if (!made)
        return status_no_memory("adding up zones");
    *made = (struct zone_total){ .name = op->name };
    return STATUS_OK;
}

static status begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct zone_totals *totals = self;

    while (totals->open.count <= id)
        if (!column_append(&totals->open))
            return status_no_memory("adding up zones");
    *(struct zone_frame *)column_at(&totals->open, id) =
        (struct zone_frame){ .op = slice->op, .parent = parent, .start = slice->start };
    if (slice->op != NO_ID) {
        struct zone_total *total = column_at(&totals->operators, slice->op);

        total->calls++;
        total->open++;
    }
    return STATUS_OK;
}

static status end(void *self, open_id id, int64_t time)
{
    struct zone_totals *totals = self;
    struct zone_frame *frame = column_at(&totals->open, id);
    int64_t length = time - frame->start;

    if (frame->parent != NO_ID)
        ((struct zone_frame *)column_at(&totals->open, frame->parent))->inner += length;
    if (frame->op != NO_ID) {
        struct zone_total *total = column_at(&totals->operators, frame->op);

        total->open--;
        total->time += length;
        total->self += length - frame->inner;
    }
    return STATUS_OK;
}

static const struct sink_calls calls = { .op = add_operator, .begin = begin, .end = end };

struct sink zone_totals_sink(struct zone_totals *totals)
{
    return (struct sink){ &calls, totals };
}

static int compare_totals(const void *one, const void *other)
{
    const struct zone_total *a = *(const struct zone_total *const *)one, *b = *(const struct zone_total *const *)other;

    if (a->self != b->self)
        return a->self > b->self ? -1 : 1;
    return a->name < b->name ? -1 : a->name > b->name;
}

static void add_row(struct table *table, const struct zone_totals *totals, const struct zone_total *total, int64_t all)
{
    uint64_t ended = total->calls - total->open;

    table_add_row(table);
    table_set_text(table, 0, strings_text(totals->strings, total->name));
    table_set_integer(table, 1, total->self);
    if (all)
        table_set_decimal(table, 2, 100.0 * (double)total->self / (double)all);
    table_set_integer(table, 3, (int64_t)total->calls);
    table_set_integer(table, 4, total->time);
    if (ended)
        table_set_integer(table, 5, total->time / (int64_t)ended);
    table_set_integer(table, 6, (int64_t)total->open);
}

struct table *zone_totals_table(const struct zone_totals *totals, size_t most)
{
    static const struct table_column columns[] = {
        { .name = "zone", .title = "Zone", .type = CELL_TEXT },
        { .name = "self",
          .title = "Self",
          .unit = "ns",
          .description = "without what was called in it",
          .type = CELL_DURATION },
        { .name = "share",
          .title = "Share",
          .unit = "%",
          .description = "of all own time",
          .type = CELL_PERCENT,
          .bar = true },
        { .name = "count", .title = "Calls", .description = "that began", .type = CELL_INTEGER },
        { .name = "time", .title = "Total", .unit = "ns", .description = "of calls that ended", .type = CELL_DURATION },
        { .name = "per_call",
          .title = "Per call",
          .unit = "ns",
          .description = "mean of calls that ended",
          .type = CELL_DURATION },
        { .name = "open", .title = "Open", .description = "calls that have not ended", .type = CELL_INTEGER },
    };
    size_t count = totals->operators.count;
    const struct zone_total **order = memory_allocate((count + 1) * sizeof *order);
    struct table *table = order ? table_new("zones", "Zones") : NULL;
    int64_t all = 0;

    for (size_t i = 0; table && i < sizeof columns / sizeof *columns; i++)
        table_add_column(table, columns[i]);
    for (size_t i = 0; table && i < count; i++) {
        order[i] = column_at(&totals->operators, i);
        all += order[i]->self;
    }
    if (table && count)
        qsort(order, count, sizeof *order, compare_totals);
    for (size_t i = 0; table && i < count && i < most; i++)
        add_row(table, totals, order[i], all);
    memory_free(order);
    return table;
}
