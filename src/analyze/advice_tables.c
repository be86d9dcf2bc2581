/* advice_tables.c: advice as tables: what to do, what it rests on, and the parts of a run. */
#include <assert.h>
#include <math.h>

#include "analyze/advice.h"
#include "table/field.h"

/* ---- What to do ---- */

static const struct advice_item *item_at(const void *context, size_t row)
{
    return ((const struct advice *)context)->items[row];
}

static struct table_cell get_saves(const void *context, size_t row)
{
    return cell_integer(advice_rounded(item_at(context, row)->saves_ns));
}

static struct table_cell get_share(const void *context, size_t row)
{
    return cell_decimal(advice_share(context, item_at(context, row)->saves_ns));
}

static struct table_cell get_rule(const void *context, size_t row)
{
    return cell_text(item_at(context, row)->rule->id);
}

static struct table_cell get_title(const void *context, size_t row)
{
    return cell_text(item_at(context, row)->title);
}

static struct table_cell get_place(const void *context, size_t row)
{
    const struct advice_item *item = item_at(context, row);

    return cell_text(!item->row_count ? NULL : item->rows[0].location ? item->rows[0].location : item->rows[0].name);
}

static struct table_cell get_bound(const void *context, size_t row)
{
    return cell_text(advice_bound_key(item_at(context, row)->bound));
}

static struct table_cell get_time(const void *context, size_t row)
{
    const struct advice_item *item = item_at(context, row);

    return isnan(item->ns) ? cell_null() : cell_integer(advice_rounded(item->ns));
}

static struct table_cell get_assumes(const void *context, size_t row)
{
    return cell_text(item_at(context, row)->assumes);
}

static struct table_cell get_evidence(const void *context, size_t row)
{
    return cell_text(item_at(context, row)->evidence);
}

static const struct field item_fields[] = {
    { .key = "saves",
      .title = "Could save",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "time of a run that it could save at most; no time is counted twice",
      .get = get_saves },
    { .key = "share",
      .title = "Of a run",
      .unit = "%",
      .type = CELL_PERCENT,
      .description = "that time of a run",
      .get = get_share },
    { .key = "advice", .title = "What to do", .type = CELL_TEXT, .description = "what to try", .get = get_title },
    { .key = "where",
      .title = "Where",
      .type = CELL_TEXT,
      .description = "where most of it is: a place in the source, or a name",
      .get = get_place },
    { .key = "bound",
      .title = "Bound by",
      .type = CELL_TEXT,
      .description = "what bounds the time now",
      .get = get_bound },
    { .key = "time",
      .title = "Takes now",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "time of a run that it is about",
      .get = get_time,
      .optional = true },
    { .key = "if",
      .title = "If",
      .type = CELL_TEXT,
      .description = "what the saving assumes",
      .get = get_assumes,
      .optional = true },
    { .key = "evidence",
      .title = "Evidence",
      .type = CELL_TEXT,
      .description = "what was seen, with its numbers",
      .get = get_evidence,
      .optional = true },
    { .key = "rule",
      .title = "Rule",
      .type = CELL_TEXT,
      .description = "the rule that found it; --rules lists all",
      .get = get_rule,
      .optional = true },
    { .key = NULL },
};

static struct table *make(const struct rows *rows, const struct view *view)
{
    const struct view *const views[] = { view, NULL };
    struct table *table;

    return view_table(rows, views, NULL, &table) == STATUS_OK ? table : NULL;
}

struct table *advice_item_table(const struct advice *advice, const char *title)
{
    static const struct field_set set = { "advice", item_fields };
    static const struct field_set *const sets[] = { &set, NULL };
    const struct rows rows = { "advice", sets, advice, advice->count + advice->smaller };
    const struct view view = { .name = "items", .table = "advice", .title = title };

    assert(title);
    return make(&rows, &view);
}

/* ---- What it rests on ---- */

enum { EVIDENCE = 8 }; /* the last of the columns */

static const struct table_column evidence_columns[EVIDENCE + 1] = {
    { .name = "rank", .title = "#", .type = CELL_INTEGER, .description = "what saves most comes first" },
    { .name = "advice", .title = "What to do", .type = CELL_TEXT, .description = "what to try" },
    { .name = "saves",
      .title = "Could save",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "time of a run that it could save at most; no time is counted twice" },
    { .name = "bound", .title = "Bound by", .type = CELL_TEXT, .description = "what bounds the time now" },
    { .name = "name", .title = "Seen at", .type = CELL_TEXT, .description = "operator, job, core or program" },
    { .name = "location", .title = "Location", .type = CELL_TEXT, .description = "where it can be looked up" },
    { .name = "time", .title = "Takes now", .unit = "ns", .type = CELL_DURATION, .description = "of a run" },
    { .name = "count", .title = "Times", .type = CELL_INTEGER, .description = "how often in a run" },
    { .name = "evidence", .title = "Evidence", .type = CELL_TEXT, .description = "what was seen, with its numbers" },
};

/* `row` NULL: nothing that could be named was seen. What was seen in all is told once. */
static void add_evidence(struct table *table, const struct advice_item *item, size_t rank, const struct advice_row *row,
                         bool alone)
{
    table_add_row(table);
    table_set_integer(table, 0, (int64_t)rank);
    table_set_text(table, 1, item->title);
    table_set_integer(table, 2, advice_rounded(item->saves_ns));
    if (item->bound != ADVICE_UNKNOWN)
        table_set_text(table, 3, advice_bound_key(item->bound));
    if (alone && (!row || row == item->rows))
        table_set_text(table, EVIDENCE, item->evidence);
    if (!row)
        return;
    table_set_text(table, 4, row->name);
    table_set_text(table, 5, row->location);
    if (!isnan(row->ns))
        table_set_integer(table, 6, advice_rounded(row->ns));
    if (row->count)
        table_set_integer(table, 7, (int64_t)row->count);
}

struct table *advice_evidence_table(struct advice *advice, const char *title, bool alone)
{
    struct table *table = table_new("advice", title);

    if (!table)
        return NULL;
    for (size_t i = 0; i < EVIDENCE + (size_t)alone; i++)
        table_add_column(table, evidence_columns[i]);
    for (size_t i = 0; i < advice->count + advice->smaller; i++) {
        const struct advice_item *item = advice->items[i];

        for (size_t k = 0; k < item->row_count; k++)
            add_evidence(table, item, i + 1, &item->rows[k], alone);
        if (!item->row_count)
            add_evidence(table, item, i + 1, NULL, alone);
        if (item->rows_left)
            table_note(table, "%zu: and %zu more places", i + 1, item->rows_left);
    }
    if (alone)
        table_note(table, "%s", advice_headline(advice));
    for (size_t i = 0; i < advice->note_count && alone; i++)
        table_note(table, "%s", advice->notes[i]);
    return table;
}

/* ---- Parts ---- */

static const struct advice_part *part_at(const void *context, size_t row)
{
    return &((const struct advice *)context)->parts[row];
}

static struct table_cell get_part(const void *context, size_t row)
{
    return cell_text(part_at(context, row)->name);
}

static struct table_cell get_part_time(const void *context, size_t row)
{
    return cell_integer(advice_rounded(part_at(context, row)->ns));
}

static struct table_cell get_part_share(const void *context, size_t row)
{
    return cell_decimal(advice_share(context, part_at(context, row)->ns));
}

struct table *advice_part_table(const struct advice *advice, const char *title)
{
    static const struct field fields[] = {
        { .key = "part", .title = "Part", .type = CELL_TEXT, .description = "what a run is made of", .get = get_part },
        { .key = "time",
          .title = "Time",
          .unit = "ns",
          .type = CELL_DURATION,
          .description = "of a run",
          .get = get_part_time },
        { .key = "share",
          .title = "Share",
          .unit = "%",
          .type = CELL_PERCENT,
          .description = "of a run; all of them add up to it",
          .get = get_part_share,
          .bar = true },
        { .key = NULL },
    };
    static const struct field_set set = { "part", fields };
    static const struct field_set *const sets[] = { &set, NULL };
    const struct rows rows = { "part", sets, advice, advice->part_count };
    const struct view view = { .name = "parts", .title = title };

    assert(title);
    return make(&rows, &view);
}
