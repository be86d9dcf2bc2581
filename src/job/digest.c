/* digest.c: metrics, losses and slices of a profile as tables. */
#include "job/digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "job/vocabulary.h"

/* The table if building it went well, else the failure. */
static status hand_out(struct table *table, struct table **result)
{
    status code = table_status(table);

    if (code == STATUS_OK)
        *result = table;
    else
        table_free(table);
    return code;
}

/* ---- overview --------------------------------------------------------------------------------------------------- */

/* The rows: metrics that the input can tell. */
struct known_metrics {
    const struct metrics *metrics;
    const struct metric *rows[METRIC_MOST];
    size_t count;
};

static const struct metric *metric_at(const void *context, size_t row)
{
    return ((const struct known_metrics *)context)->rows[row];
}

static struct table_cell get_metric(const void *context, size_t row)
{
    return cell_text(metric_at(context, row)->key);
}

static struct table_cell get_label(const void *context, size_t row)
{
    return cell_text(metric_at(context, row)->label);
}

static struct table_cell get_time(const void *context, size_t row)
{
    return cell_integer(metrics_ns(((const struct known_metrics *)context)->metrics, metric_at(context, row)));
}

static struct table_cell get_percent(const void *context, size_t row)
{
    return cell_decimal(metrics_percent(((const struct known_metrics *)context)->metrics, metric_at(context, row)));
}

static struct table_cell get_description(const void *context, size_t row)
{
    return cell_text(metric_at(context, row)->description);
}

static const struct field metric_fields[] = {
    { .key = "metric", .title = "Key", .type = CELL_TEXT, .description = "name for machines", .get = get_metric },
    { .key = "label", .title = "Metric", .type = CELL_TEXT, .description = "name for people", .get = get_label },
    { .key = "time", .title = "Time", .unit = "ns", .type = CELL_DURATION, .description = "how long", .get = get_time },
    { .key = "percent",
      .title = "%",
      .unit = "%",
      .type = CELL_PERCENT,
      .bar = true,
      .description = "of OVERALL",
      .get = get_percent },
    { .key = "description",
      .title = "Description",
      .type = CELL_TEXT,
      .optional = true,
      .description = "what it is",
      .get = get_description },
    { .key = NULL },
};
static const struct field_set metric_set = { "metric", metric_fields };
static const struct field_set *const metric_sets[] = { &metric_set, NULL };
static const struct view overview_view = { .name = "overview", .title = "Overview" };
static const struct view *const metric_views[] = { &overview_view, NULL };

status digest_overview(const struct profile *profile, const struct metrics *metrics, const struct view_request *request,
                       struct table **result)
{
    struct known_metrics known = { .metrics = metrics };
    const struct field_set *sets[VOCABULARY_SETS];
    struct rows rows = { .entity = "metric", .sets = sets, .context = &known };
    const char *notes[PROFILE_NOTES];
    size_t count = profile_notes(profile, metrics, notes);
    struct table *table;
    status code;

    for (size_t i = 0; i < metrics->count; i++)
        if (metrics->present[i])
            known.rows[known.count++] = metrics->set->rows[i];
    rows.count = known.count;
    vocabulary_fields(metric_sets, sets);
    code = view_table(&rows, metric_views, request, &table);
    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < count && !view_asks_help(request); i++)
        table_note(table, "%s", notes[i]);
    if (profile->losses.lost && !view_asks_help(request))
        table_note(table, "%llu of %llu rows were lost; the table of losses says why",
                   (unsigned long long)profile->losses.lost, (unsigned long long)profile->losses.rows);
    return hand_out(table, result);
}

/* ---- losses ----------------------------------------------------------------------------------------------------- */

/* "4, 9, 12, ..." */
static void list_lines(const struct loss *loss, char *to, size_t size)
{
    size_t length = 0;

    to[0] = '\0';
    for (unsigned i = 0; i < LOSS_LINES && i < loss->count && loss->lines[i] && length < size; i++)
        length +=
            (size_t)snprintf(to + length, size - length, "%s%llu", i ? ", " : "", (unsigned long long)loss->lines[i]);
    if (length && length < size && loss->count > LOSS_LINES)
        snprintf(to + length, size - length, ", ...");
}

status digest_losses(const struct losses *losses, struct table **result)
{
    static const struct table_column columns[] = {
        { .name = "reason", .title = "Reason", .type = CELL_TEXT },
        { .name = "lost", .title = "Lost", .type = CELL_BOOLEAN, .description = "false: the row was kept" },
        { .name = "rows", .title = "Rows", .type = CELL_INTEGER },
        { .name = "lines", .title = "Lines", .type = CELL_TEXT, .description = "line numbers of the first ones" },
    };
    struct table *table = table_new("losses", "Losses");
    char lines[LOSS_LINES * 24 + 8];

    if (!table)
        return status_no_memory("making a table");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        table_add_column(table, columns[i]);
    for (unsigned i = 0; i < losses->reason_count; i++) {
        const struct loss *loss = &losses->reasons[i];

        list_lines(loss, lines, sizeof lines);
        table_add_row(table);
        table_set_text(table, 0, loss->reason->text);
        table_set_boolean(table, 1, !loss->reason->kept);
        table_set_integer(table, 2, (int64_t)loss->count);
        table_set_text(table, 3, lines[0] ? lines : NULL);
    }
    table_note(table, "%llu rows read, %llu used, %llu lost", (unsigned long long)losses->rows,
               (unsigned long long)losses->used, (unsigned long long)losses->lost);
    return hand_out(table, result);
}

/* ---- slices ----------------------------------------------------------------------------------------------------- */

/* Where the arguments of slices go in a table. */
struct argument_column {
    string_id key;
    size_t column;
    enum cell_type type;
    unsigned order; /* where it is registered; behind all others where it is not */
};

struct argument_columns {
    struct argument_column *items;
    size_t count;
    size_t capacity;
};

static const struct table_column slice_columns[] = {
    { .name = "track", .title = "Track", .type = CELL_TEXT },
    { .name = "engine", .title = "Engine", .type = CELL_TEXT },
    { .name = "index", .title = "Index", .type = CELL_INTEGER },
    { .name = "name", .title = "Name", .type = CELL_TEXT },
    { .name = "start_ns", .title = "Start", .unit = "ns", .type = CELL_DURATION },
    { .name = "duration_ns", .title = "Duration", .unit = "ns", .type = CELL_DURATION },
    { .name = "start_ticks", .title = "Start ticks", .type = CELL_INTEGER },
    { .name = "end_ticks", .title = "End ticks", .type = CELL_INTEGER },
    { .name = "operator", .title = "Operator", .type = CELL_TEXT },
    { .name = "type", .title = "Type", .type = CELL_TEXT },
    { .name = "location", .title = "Location", .type = CELL_TEXT },
};

enum { SLICE_COLUMNS = sizeof slice_columns / sizeof *slice_columns, COLUMN_LOCATION = SLICE_COLUMNS - 1 };

/* A column is of the widest type that any slice needs: integer, decimal, text. */
static enum cell_type wider(enum cell_type have, uint16_t argument_type)
{
    if (have == CELL_TEXT || argument_type == ARGUMENT_TEXT || argument_type == ARGUMENT_JSON ||
        argument_type == ARGUMENT_POINTER || argument_type == ARGUMENT_BOOLEAN || argument_type == ARGUMENT_UNSIGNED)
        return CELL_TEXT;
    return argument_type == ARGUMENT_DECIMAL ? CELL_DECIMAL : have;
}

static struct argument_column *find_column(const struct argument_columns *columns, string_id key)
{
    for (size_t i = 0; i < columns->count; i++)
        if (columns->items[i].key == key)
            return &columns->items[i];
    return NULL;
}

static int by_order(const void *left, const void *right)
{
    const struct argument_column *a = left, *b = right;

    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

/* Unsigned numbers that an integer holds are integers: most are. */
static uint16_t type_of(const struct argument *argument)
{
    return argument->type == ARGUMENT_UNSIGNED && argument->natural <= INT64_MAX ? ARGUMENT_INTEGER : argument->type;
}

static status collect_columns(const struct store *store, const struct strings *strings,
                              struct argument_columns *columns)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < store_count(store) && code == STATUS_OK; i++) {
        struct slice slice = store_slice(store, i);

        for (uint32_t j = 0; j < slice.argument_count && code == STATUS_OK; j++) {
            string_id key = slice.arguments[j].key;
            struct argument_column *column = find_column(columns, key);

            if (key == KEY_LOCATION)
                continue;
            if (!column) {
                code = memory_grow(&columns->items, &columns->capacity, columns->count + 1, sizeof *columns->items);
                if (code != STATUS_OK)
                    break;
                column = &columns->items[columns->count++];
                *column = (struct argument_column){ key, 0, key == KEY_BYTES ? CELL_BYTES : CELL_INTEGER,
                                                    vocabulary_order(strings_text(strings, key)) };
            }
            column->type = wider(column->type, type_of(&slice.arguments[j]));
        }
    }
    return code;
}

static void add_argument_columns(struct table *table, const struct strings *strings, struct argument_columns *columns)
{
    if (columns->count)
        qsort(columns->items, columns->count, sizeof *columns->items, by_order);
    for (size_t i = 0; i < columns->count; i++)
        columns->items[i].column =
            table_add_column(table, (struct table_column){ .name = strings_text(strings, columns->items[i].key),
                                                           .type = columns->items[i].type });
}

/* A value as a text, for a column in which other slices have texts. */
static const char *say_value(const struct strings *strings, const struct argument *argument, char *to, size_t size)
{
    switch ((enum argument_type)argument->type) {
    case ARGUMENT_TEXT:
    case ARGUMENT_JSON:
        return strings_text(strings, argument->text);
    case ARGUMENT_BOOLEAN:
        return argument->boolean ? "true" : "false";
    case ARGUMENT_POINTER:
        snprintf(to, size, "0x%llx", (unsigned long long)argument->natural);
        break;
    case ARGUMENT_UNSIGNED:
        snprintf(to, size, "%llu", (unsigned long long)argument->natural);
        break;
    case ARGUMENT_INTEGER:
        to[number_write_integer(to, argument->integer)] = '\0';
        break;
    case ARGUMENT_DECIMAL:
        to[number_write_shortest(to, argument->decimal)] = '\0';
        break;
    }
    return to;
}

static void set_argument(struct table *table, const struct strings *strings, const struct argument_columns *columns,
                         const struct argument *argument)
{
    const struct argument_column *column = find_column(columns, argument->key);
    char number[40];

    if (argument->key == KEY_LOCATION)
        table_set_text(table, COLUMN_LOCATION, say_value(strings, argument, number, sizeof number));
    else if (column->type == CELL_TEXT)
        table_set_text(table, column->column, say_value(strings, argument, number, sizeof number));
    else if (column->type == CELL_DECIMAL)
        table_set_decimal(table, column->column,
                          argument->type == ARGUMENT_DECIMAL ? argument->decimal : (double)argument->integer);
    else
        table_set_integer(table, column->column, argument->integer);
}

static void set_slice(struct table *table, const struct store *store, const struct strings *strings,
                      const struct slice *slice)
{
    const struct track *track = store_track(store, slice->track);
    const struct clock *clock = store_clock(store, track->clock);
    int64_t start = clock_ns(clock, slice->start);

    table_set_text(table, 0, strings_text(strings, track->name));
    table_set_text(table, 1, track->engine->key);
    table_set_integer(table, 2, track->index);
    table_set_text(table, 3, strings_text(strings, slice->name));
    table_set_integer(table, 4, start);
    table_set_integer(table, 5, clock_ns(clock, slice->end) - start);
    table_set_integer(table, 6, slice->start);
    table_set_integer(table, 7, slice->end);
    if (slice->op != NO_ID) {
        const struct op *op = store_operator(store, slice->op);

        table_set_text(table, 8, strings_text(strings, op->name));
        if (op->type)
            table_set_text(table, 9, strings_text(strings, op->type));
        if (op->location)
            table_set_text(table, COLUMN_LOCATION, strings_text(strings, op->location));
    }
}

status digest_slices(const struct store *store, const struct strings *strings, struct table **result)
{
    struct table *table = table_new("slices", "Slices");
    struct argument_columns columns = { 0 };
    status code = collect_columns(store, strings, &columns);

    if (!table || code != STATUS_OK) {
        memory_free(columns.items);
        table_free(table);
        return status_no_memory("making a table");
    }
    for (size_t i = 0; i < SLICE_COLUMNS; i++)
        table_add_column(table, slice_columns[i]);
    add_argument_columns(table, strings, &columns);
    for (size_t i = 0; i < store_count(store) && table_status(table) == STATUS_OK; i++) {
        struct slice slice = store_slice(store, i);

        table_add_row(table);
        set_slice(table, store, strings, &slice);
        for (uint32_t j = 0; j < slice.argument_count; j++)
            set_argument(table, strings, &columns, &slice.arguments[j]);
    }
    memory_free(columns.items);
    return hand_out(table, result);
}
