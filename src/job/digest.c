/* digest.c: metrics, losses and slices of a profile as tables. */
#include "job/digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/overview.h"
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

/* The rows: metrics that can be computed, then those that the input tells by itself. */
struct known_metrics {
    const struct metrics *metrics;
    const struct metric *rows[METRIC_MOST];
    size_t count;     /* of rows */
    struct told told; /* behind them */
};

/* NULL: one that the input tells. */
static const struct metric *metric_at(const struct known_metrics *known, size_t row)
{
    return row < known->count ? known->rows[row] : NULL;
}

static const struct told_metric *told_at(const struct known_metrics *known, size_t row)
{
    return &known->told.metrics[row - known->count];
}

static struct table_cell get_metric(const void *context, size_t row)
{
    const struct metric *metric = metric_at(context, row);

    return cell_text(metric ? metric->key : told_at(context, row)->key);
}

static struct table_cell get_label(const void *context, size_t row)
{
    const struct metric *metric = metric_at(context, row);

    return cell_text(metric ? metric->label : told_at(context, row)->label);
}

static struct table_cell get_time(const void *context, size_t row)
{
    const struct known_metrics *known = context;
    const struct metric *metric = metric_at(known, row);

    return cell_integer(metric ? metrics_ns(known->metrics, metric) : told_at(known, row)->ns);
}

static struct table_cell get_percent(const void *context, size_t row)
{
    const struct known_metrics *known = context;
    const struct metric *metric = metric_at(known, row);

    if (metric)
        return cell_decimal(metrics_percent(known->metrics, metric));
    return known->metrics->whole ? cell_decimal(overview_told_percent(told_at(known, row), known->metrics))
                                 : cell_null();
}

static struct table_cell get_description(const void *context, size_t row)
{
    const struct metric *metric = metric_at(context, row);

    return cell_text(metric ? metric->description : "told by the trace, not computed");
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
    struct known_metrics known = { .metrics = metrics, .told = overview_told(&profile->source.told, metrics) };
    const struct field_set *sets[VOCABULARY_SETS];
    struct rows rows = { .entity = "metric", .sets = sets, .context = &known };
    const char *notes[PROFILE_NOTES + 1];
    size_t count = profile_notes(profile, metrics, notes);
    char told_note[OVERVIEW_TOLD_NOTE];
    struct table *table;
    status code;

    for (size_t i = 0; i < metrics->count; i++)
        if (metrics->present[i])
            known.rows[known.count++] = metrics->set->rows[i];
    if (overview_told_note(&known.told, metrics, told_note))
        notes[count++] = told_note;
    rows.count = known.count + known.told.count;
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

struct loss_rows {
    const struct losses *losses;
    char *lines; /* room for what `list_lines` writes */
};

enum { LOSS_LINES_SIZE = LOSS_LINES * 24 + 8 };

static const struct loss *loss_at(const void *context, size_t row)
{
    return &((const struct loss_rows *)context)->losses->reasons[row];
}

static struct table_cell get_reason(const void *context, size_t row)
{
    return cell_text(loss_at(context, row)->reason->text);
}

static struct table_cell get_lost(const void *context, size_t row)
{
    return cell_boolean(!loss_at(context, row)->reason->kept);
}

static struct table_cell get_loss_rows(const void *context, size_t row)
{
    return cell_integer((int64_t)loss_at(context, row)->count);
}

static struct table_cell get_lines(const void *context, size_t row)
{
    char *lines = ((const struct loss_rows *)context)->lines;

    list_lines(loss_at(context, row), lines, LOSS_LINES_SIZE);
    return cell_text(lines[0] ? lines : NULL);
}

static const struct field fields_of_loss[] = {
    { .key = "reason",
      .title = "Reason",
      .type = CELL_TEXT,
      .description = "why the rows are lost",
      .get = get_reason },
    { .key = "lost", .title = "Lost", .type = CELL_BOOLEAN, .description = "false: the row was kept", .get = get_lost },
    { .key = "rows", .title = "Rows", .type = CELL_INTEGER, .description = "how many", .get = get_loss_rows },
    { .key = "lines",
      .title = "Lines",
      .type = CELL_TEXT,
      .description = "line numbers of the first ones",
      .get = get_lines },
    { .key = NULL },
};
static const struct field_set loss_set = { "loss", fields_of_loss };
static const struct field_set *const loss_sets[] = { &loss_set, NULL };
static const struct view losses_view = { .name = "losses", .title = "Losses" };
static const struct view *const loss_views[] = { &losses_view, NULL };

status digest_losses(const struct losses *losses, struct table **result)
{
    char lines[LOSS_LINES_SIZE];
    struct loss_rows context = { losses, lines };
    struct rows rows = { .entity = "loss", .sets = loss_sets, .context = &context, .count = losses->reason_count };
    struct table *table;
    status code = view_table(&rows, loss_views, NULL, &table);

    if (code != STATUS_OK)
        return code;
    table_note(table, "%llu rows read, %llu used, %llu lost", (unsigned long long)losses->rows,
               (unsigned long long)losses->used, (unsigned long long)losses->lost);
    return hand_out(table, result);
}

/* ---- slices ----------------------------------------------------------------------------------------------------- */

/* Slices, and the field that each key of their arguments gets. */
struct slice_rows {
    const struct store *store;
    const struct strings *strings;
    struct field *fields; /* those of every slice, then those of `keys`, then one with key NULL */
    struct argument_field {
        string_id key;
        unsigned order;      /* where it is registered; behind all others where it is not */
        enum cell_type type; /* that holds all of its values */
    } * keys;
    size_t count;
    size_t capacity;
    struct slice slice; /* that of `row` */
    size_t row;         /* SIZE_MAX: none yet */
    char number[40];    /* a value as text */
};

/* The slice of a row, which is decoded once for all of its fields. */
static const struct slice *slice_at(const void *context, size_t row)
{
    struct slice_rows *rows = *(struct slice_rows *const *)context;

    if (rows->row != row) {
        rows->slice = store_slice(rows->store, row);
        rows->row = row;
    }
    return &rows->slice;
}

static const struct slice_rows *slice_rows(const void *context)
{
    return *(struct slice_rows *const *)context;
}

static const struct track *track_at(const void *context, size_t row)
{
    return store_track(slice_rows(context)->store, slice_at(context, row)->track);
}

static int64_t nanoseconds_at(const void *context, size_t row, int64_t ticks)
{
    return clock_ns(store_clock(slice_rows(context)->store, track_at(context, row)->clock), ticks);
}

static struct table_cell text_cell(const void *context, string_id text)
{
    return text ? cell_text(strings_text(slice_rows(context)->strings, text)) : cell_null();
}

/* The operator of a slice; NULL: it has none. */
static const struct op *op_at(const void *context, size_t row)
{
    const struct slice *slice = slice_at(context, row);

    return slice->op == NO_ID ? NULL : store_operator(slice_rows(context)->store, slice->op);
}

static struct table_cell get_track(const void *context, size_t row)
{
    return cell_text(strings_text(slice_rows(context)->strings, track_at(context, row)->name));
}

static struct table_cell get_engine(const void *context, size_t row)
{
    return cell_text(track_at(context, row)->engine->key);
}

static struct table_cell get_index(const void *context, size_t row)
{
    return cell_integer(track_at(context, row)->index);
}

static struct table_cell get_name(const void *context, size_t row)
{
    return cell_text(strings_text(slice_rows(context)->strings, slice_at(context, row)->name));
}

static struct table_cell get_start_ns(const void *context, size_t row)
{
    return cell_integer(nanoseconds_at(context, row, slice_at(context, row)->start));
}

static struct table_cell get_duration_ns(const void *context, size_t row)
{
    const struct slice *slice = slice_at(context, row);

    return cell_integer(nanoseconds_at(context, row, slice->end) - nanoseconds_at(context, row, slice->start));
}

static struct table_cell get_start_ticks(const void *context, size_t row)
{
    return cell_integer(slice_at(context, row)->start);
}

static struct table_cell get_end_ticks(const void *context, size_t row)
{
    return cell_integer(slice_at(context, row)->end);
}

static struct table_cell get_operator(const void *context, size_t row)
{
    const struct op *op = op_at(context, row);

    return op ? cell_text(strings_text(slice_rows(context)->strings, op->name)) : cell_null();
}

static struct table_cell get_type(const void *context, size_t row)
{
    const struct op *op = op_at(context, row);

    return op ? text_cell(context, op->type) : cell_null();
}

/* A value as a text, for a field in which other slices have texts. */
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

/* The argument of this key; NULL: the slice has none. */
static const struct argument *argument_of(const struct slice *slice, string_id key)
{
    for (uint32_t i = 0; i < slice->argument_count; i++)
        if (slice->arguments[i].key == key)
            return &slice->arguments[i];
    return NULL;
}

static struct table_cell value_text(const void *context, const struct argument *argument)
{
    struct slice_rows *rows = *(struct slice_rows *const *)context;

    return cell_text(say_value(rows->strings, argument, rows->number, sizeof rows->number));
}

static struct table_cell get_location(const void *context, size_t row)
{
    const struct argument *argument = argument_of(slice_at(context, row), KEY_LOCATION);
    const struct op *op = op_at(context, row);

    if (argument)
        return value_text(context, argument);
    return op ? text_cell(context, op->location) : cell_null();
}

static struct table_cell get_argument(const void *context, size_t row, size_t place)
{
    const struct argument_field *field = &slice_rows(context)->keys[place];
    const struct argument *argument = argument_of(slice_at(context, row), field->key);

    if (!argument)
        return cell_null();
    if (field->type == CELL_TEXT)
        return value_text(context, argument);
    if (field->type == CELL_DECIMAL)
        return cell_decimal(argument->type == ARGUMENT_DECIMAL ? argument->decimal : (double)argument->integer);
    return cell_integer(argument->integer);
}

static const struct field slice_fields[] = {
    { .key = "track", .title = "Track", .type = CELL_TEXT, .description = "that it lies on", .get = get_track },
    { .key = "engine",
      .title = "Engine",
      .type = CELL_TEXT,
      .description = "that worked",
      .get = get_engine,
      .optional = true },
    { .key = "index",
      .title = "Index",
      .type = CELL_INTEGER,
      .description = "of the engine",
      .get = get_index,
      .optional = true },
    { .key = "name", .title = "Name", .type = CELL_TEXT, .description = "of the slice", .get = get_name },
    { .key = "start_ns",
      .title = "Start",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "when it began",
      .get = get_start_ns },
    { .key = "duration_ns",
      .title = "Duration",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "how long it took",
      .get = get_duration_ns },
    { .key = "start_ticks",
      .title = "Start ticks",
      .type = CELL_INTEGER,
      .description = "when it began, by the clock of its track",
      .get = get_start_ticks,
      .optional = true },
    { .key = "end_ticks",
      .title = "End ticks",
      .type = CELL_INTEGER,
      .description = "when it ended, by the clock of its track",
      .get = get_end_ticks,
      .optional = true },
    { .key = "operator",
      .title = "Operator",
      .type = CELL_TEXT,
      .description = "of the model that it belongs to",
      .get = get_operator,
      .optional = true },
    { .key = "type",
      .title = "Type",
      .type = CELL_TEXT,
      .description = "of the operator",
      .get = get_type,
      .optional = true },
    { .key = "location",
      .title = "Location",
      .type = CELL_TEXT,
      .description = "in the source, its own or that of the operator",
      .get = get_location,
      .optional = true },
    { .key = NULL },
};

enum { SLICE_FIELDS = sizeof slice_fields / sizeof *slice_fields }; /* with the one that ends them */

/* A field is of the widest type that any slice needs: integer, decimal, text. */
static enum cell_type wider(enum cell_type have, uint16_t argument_type)
{
    if (have == CELL_TEXT || argument_type == ARGUMENT_TEXT || argument_type == ARGUMENT_JSON ||
        argument_type == ARGUMENT_POINTER || argument_type == ARGUMENT_BOOLEAN || argument_type == ARGUMENT_UNSIGNED)
        return CELL_TEXT;
    return argument_type == ARGUMENT_DECIMAL ? CELL_DECIMAL : have;
}

static int by_order(const void *left, const void *right)
{
    const struct argument_field *a = left, *b = right;

    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

/* Unsigned numbers that an integer holds are integers: most are. */
static uint16_t type_of(const struct argument *argument)
{
    return argument->type == ARGUMENT_UNSIGNED && argument->natural <= INT64_MAX ? ARGUMENT_INTEGER : argument->type;
}

static status note_argument(struct slice_rows *rows, const struct argument *argument)
{
    struct argument_field *field = NULL;

    if (argument->key == KEY_LOCATION)
        return STATUS_OK;
    for (size_t i = 0; i < rows->count && !field; i++)
        if (rows->keys[i].key == argument->key)
            field = &rows->keys[i];
    if (!field) {
        status code = memory_grow(&rows->keys, &rows->capacity, rows->count + 1, sizeof *rows->keys);

        if (code != STATUS_OK)
            return code;
        field = &rows->keys[rows->count++];
        *field = (struct argument_field){ argument->key, vocabulary_order(strings_text(rows->strings, argument->key)),
                                          argument->key == KEY_BYTES ? CELL_BYTES : CELL_INTEGER };
    }
    field->type = wider(field->type, type_of(argument));
    return STATUS_OK;
}

/* The fields of every slice, and one for each key that any slice has, in the order in which chains registered them. */
static status make_fields(struct slice_rows *rows)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < store_count(rows->store) && code == STATUS_OK; i++) {
        struct slice slice = store_slice(rows->store, i);

        for (uint32_t j = 0; j < slice.argument_count && code == STATUS_OK; j++)
            code = note_argument(rows, &slice.arguments[j]);
    }
    if (rows->count)
        qsort(rows->keys, rows->count, sizeof *rows->keys, by_order);
    if (code != STATUS_OK)
        return code;
    rows->fields = memory_allocate_clear((SLICE_FIELDS + rows->count) * sizeof *rows->fields);
    if (!rows->fields)
        return status_no_memory("making a table");
    memcpy(rows->fields, slice_fields, sizeof slice_fields);
    for (size_t i = 0; i < rows->count; i++)
        rows->fields[SLICE_FIELDS - 1 + i] = (struct field){ .key = strings_text(rows->strings, rows->keys[i].key),
                                                             .type = rows->keys[i].type,
                                                             .description = "argument of slices",
                                                             .get_at = get_argument,
                                                             .place = i,
                                                             .optional = true };
    return STATUS_OK;
}

status digest_slices(const struct store *store, const struct strings *strings, struct table **result)
{
    static const struct view slices_view = { .name = "slices", .title = "Slices" };
    static const struct view *const views[] = { &slices_view, NULL };
    struct slice_rows slices = { .store = store, .strings = strings, .row = SIZE_MAX };
    struct slice_rows *const context = &slices;
    struct field_set set = { "slice", NULL };
    const struct field_set *const sets[] = { &set, NULL };
    status code = make_fields(&slices);

    if (code == STATUS_OK) {
        struct rows rows = { .entity = "slice", .sets = sets, .context = &context, .count = store_count(store) };

        set.fields = slices.fields;
        code = view_table(&rows, views, NULL, result);
    }
    memory_free(slices.fields);
    memory_free(slices.keys);
    return code;
}
