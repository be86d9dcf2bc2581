/* sql_table.c: tables of ours as modules of SQLite: which index a statement uses, and the rows that it leaves. */
#include "query/sql_table.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_BOUNDS = 16, PLAN_SIZE = 600 }; /* conditions that a plan uses; its text */

struct sql_order {
    uint32_t *rows;   /* a group behind the other; owned */
    uint32_t *firsts; /* of each group, and the end of the last; owned */
    uint32_t groups;  /* none is empty */
};

/* ---- indexes --------------------------------------------------------------------------------------------------------- */

static void free_order(struct sql_order *order)
{
    if (!order)
        return;
    memory_free(order->rows);
    memory_free(order->firsts);
    memory_free(order);
}

void sql_table_free(struct sql_table *table)
{
    for (unsigned i = 0; i < SQL_INDEXES; i++) {
        free_order(table->orders[i]);
        table->orders[i] = NULL;
    }
}

/* A row and what it is ordered by. */
struct ordered_row {
    int64_t by;
    uint32_t row;
};

static int by_order(const void *left, const void *right)
{
    const struct ordered_row *a = left, *b = right;

    if (a->by != b->by)
        return a->by < b->by ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static bool ascends(const struct sql_table *table, unsigned index, const uint32_t *rows, size_t count)
{
    int64_t before = INT64_MIN;

    for (size_t i = 0; i < count; i++) {
        int64_t by = table->order(table->context, index, rows[i]);

        if (by < before)
            return false;
        before = by;
    }
    return true;
}

/* Most groups come in order: those are only looked at. */
static status sort_group(const struct sql_table *table, unsigned index, uint32_t *rows, size_t count)
{
    struct ordered_row *sorted;

    if (ascends(table, index, rows, count))
        return STATUS_OK;
    sorted = memory_allocate(count * sizeof *sorted);
    if (!sorted)
        return status_no_memory("ordering rows");
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct ordered_row){ table->order(table->context, index, rows[i]), rows[i] };
    qsort(sorted, count, sizeof *sorted, by_order);
    for (size_t i = 0; i < count; i++)
        rows[i] = sorted[i].row;
    memory_free(sorted);
    return STATUS_OK;
}

/* Rows behind each other by group, as they came within one; groups without rows are passed over. */
static status place_rows(struct sql_order *order, const uint32_t *groups, size_t rows, uint32_t count)
{
    uint32_t *next = memory_allocate_clear(((size_t)count + 1) * sizeof *next), sum = 0;

    if (!next)
        return status_no_memory("ordering rows");
    for (size_t i = 0; i < rows; i++)
        next[groups[i]]++;
    for (uint32_t group = 0; group < count; group++) {
        uint32_t size = next[group];

        if (size)
            order->firsts[order->groups++] = sum;
        next[group] = sum;
        sum += size;
    }
    order->firsts[order->groups] = sum;
    for (size_t i = 0; i < rows; i++)
        order->rows[next[groups[i]]++] = (uint32_t)i;
    memory_free(next);
    return STATUS_OK;
}

static status fill_order(const struct sql_table *table, unsigned index, struct sql_order *order)
{
    uint32_t *groups = memory_allocate_clear((table->rows + 1) * sizeof *groups), count = 1;
    status code = groups ? STATUS_OK : status_no_memory("ordering rows");

    if (code == STATUS_OK && table->indexes[index].key != SQL_NONE)
        code = table->group(table->context, index, groups, &count);
    order->rows = memory_allocate((table->rows + 1) * sizeof *order->rows);
    order->firsts = memory_allocate(((size_t)count + 1) * sizeof *order->firsts);
    if (code == STATUS_OK && (!order->rows || !order->firsts))
        code = status_no_memory("ordering rows");
    if (code == STATUS_OK)
        code = place_rows(order, groups, table->rows, count);
    memory_free(groups);
    for (uint32_t i = 0; i < order->groups && table->indexes[index].ascending && code == STATUS_OK; i++)
        code = sort_group(table, index, order->rows + order->firsts[i], order->firsts[i + 1] - order->firsts[i]);
    return code;
}

static status make_order(struct sql_table *table, unsigned index)
{
    struct sql_order *order;
    status code;

    if (table->orders[index])
        return STATUS_OK;
    order = memory_allocate_clear(sizeof *order);
    if (!order)
        return status_no_memory("ordering rows");
    code = fill_order(table, index, order);
    if (code == STATUS_OK)
        table->orders[index] = order;
    else
        free_order(order);
    return code;
}

/* ---- tables ---------------------------------------------------------------------------------------------------------- */

struct open_table {
    sqlite3_vtab base;                       /* SQLite's */
    struct sql_table *table;                 /* of the definition's owner */
    const struct sql_definition *definition; /* that it was opened for */
};

static const char *declared_type(const struct sql_column *column)
{
    if (column->any)
        return "";
    switch (column->type) {
    case CELL_TEXT:
        return "TEXT";
    case CELL_DECIMAL:
    case CELL_PERCENT:
        return "REAL";
    default:
        return "INTEGER";
    }
}

/* CREATE TABLE x("id" INTEGER, …), to be freed by SQLite; NULL: out of memory. */
static char *declaration(const struct sql_table *table)
{
    char *text = sqlite.mprintf("CREATE TABLE x(");

    for (unsigned i = 0; table->columns[i].name && text; i++) {
        const struct sql_column *column = &table->columns[i];
        char *longer = sqlite.mprintf("%s%s\"%w\" %s%s", text, i ? ", " : "", column->name, declared_type(column),
                                      table->one_input && strcmp(column->name, "input") == 0 ? " HIDDEN" : "");

        sqlite.free(text);
        text = longer;
    }
    if (text) {
        char *whole = sqlite.mprintf("%s)", text);

        sqlite.free(text);
        text = whole;
    }
    return text;
}

static int on_connect(sqlite3 *connection, void *context, int count, const char *const *words, sqlite3_vtab **made,
                      char **error)
{
    const struct sql_definition *definition = context;
    struct sql_table *table = NULL;
    struct open_table *open;
    status code = definition->open(definition->context, definition->name, &table);
    char *declared;
    int result;

    (void)count;
    (void)words;
    if (code != STATUS_OK) {
        *definition->failed = code;
        *error = sqlite.mprintf("%s", status_message());
        return SQLITE_ERROR;
    }
    declared = declaration(table);
    if (!declared)
        return SQLITE_NOMEM;
    *definition->declaring = true;
    result = sqlite.declare_vtab(connection, declared);
    *definition->declaring = false;
    sqlite.free(declared);
    if (result == SQLITE_OK)
        result = sqlite.vtab_config(connection, SQLITE_VTAB_INNOCUOUS);
    if (result != SQLITE_OK)
        return result;
    open = memory_allocate_clear(sizeof *open);
    if (!open)
        return SQLITE_NOMEM;
    open->table = table;
    open->definition = definition;
    *made = &open->base;
    return SQLITE_OK;
}

static int on_disconnect(sqlite3_vtab *table)
{
    memory_free(table);
    return SQLITE_OK;
}

/* ---- which index ------------------------------------------------------------------------------------------------------ */

/* What a statement would use of an index; the text is what EXPLAIN QUERY PLAN shows and the filter reads: track(track_id=,start_ns>). */
struct plan {
    unsigned index;        /* counted from 1; 0: rows as they lie */
    int uses[MOST_BOUNDS]; /* conditions, in the order of the text */
    unsigned count;        /* of them */
    double rows;           /* that are left, about */
    bool sorted;           /* they come as the statement wants them */
    bool one_group;        /* of one key alone */
    char text[PLAN_SIZE];  /* see above */
};

static bool has(uint64_t mask, int column)
{
    return column >= 0 && column < SQL_COLUMNS && mask & (uint64_t)1 << column;
}

/* '=', '<' or '>'; 0: no condition that an index helps with. Whether bounds are part of a range SQLite looks at itself. */
static char plain_operator(unsigned char comparison)
{
    switch (comparison) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
        return '=';
    case SQLITE_INDEX_CONSTRAINT_LT:
    case SQLITE_INDEX_CONSTRAINT_LE:
        return '<';
    case SQLITE_INDEX_CONSTRAINT_GT:
    case SQLITE_INDEX_CONSTRAINT_GE:
        return '>';
    default:
        return 0;
    }
}

/* How much of the rows a condition leaves, about; 1: the index has no use for it. */
static double share_left(const struct sql_table *table, const struct sql_index *index, int column, char comparison)
{
    if (!comparison)
        return 1;
    if (has(index->ascending, column))
        return comparison == '=' ? (column == (int)table->row_column ? 0 : 0.001) : 0.25;
    if (comparison != '=')
        return 1;
    return column == (int)index->key ? 0.01 : has(index->equal, column) ? 0.1 : 1;
}

static bool compares_bytes(sqlite3_index_info *info, int condition, const struct sql_column *column)
{
    return column->type != CELL_TEXT || strcmp(sqlite.vtab_collation(info, condition), "BINARY") == 0;
}

static void add_conditions(const struct sql_table *table, const struct sql_index *index, sqlite3_index_info *info,
                           struct plan *plan)
{
    size_t length = strlen(plan->text);

    for (int i = 0; i < info->nConstraint && plan->count < MOST_BOUNDS; i++) {
        const struct sqlite3_index_constraint *condition = &info->aConstraint[i];
        char comparison = plain_operator(condition->op);
        double share;

        if (!condition->usable || condition->iColumn < 0)
            continue;
        share = share_left(table, index, condition->iColumn, comparison);
        if (share == 1 || !compares_bytes(info, i, &table->columns[condition->iColumn]) || length > PLAN_SIZE - 100)
            continue;
        length += (size_t)snprintf(plan->text + length, PLAN_SIZE - length, "%s%.80s%c", plan->count ? "," : "(",
                                   table->columns[condition->iColumn].name, comparison);
        plan->uses[plan->count++] = i;
        plan->rows *= share;
        plan->one_group |= comparison == '=' && condition->iColumn == (int)index->key;
    }
    if (plan->count)
        snprintf(plan->text + length, PLAN_SIZE - length, ")");
}

/* Whether rows by the index, or those that are left of it, come as ORDER BY or GROUP BY wants them. */
static bool is_sorted(const struct sql_index *index, const struct plan *plan, const sqlite3_index_info *info)
{
    int at = 0;

    if (!info->nOrderBy)
        return false;
    for (int i = 0; i < info->nOrderBy; i++)
        if (info->aOrderBy[i].desc)
            return false;
    if (index->key != SQL_NONE && info->aOrderBy[at].iColumn == (int)index->key)
        at++;
    else if (index->key != SQL_NONE && !plan->one_group)
        return false;
    if (at < info->nOrderBy && has(index->ascending, info->aOrderBy[at].iColumn))
        at++;
    return at == info->nOrderBy;
}

/* What it costs to read the rows, and to sort them where they come in another order. */
static double whole_cost(const struct plan *plan, const sqlite3_index_info *info)
{
    double rows = plan->rows + 1;

    return rows + (info->nOrderBy && !plan->sorted ? rows * log2(rows + 2) : 0) + (plan->index ? rows * 0.25 : 0);
}

static struct plan plan_with(const struct sql_table *table, unsigned number, sqlite3_index_info *info)
{
    const struct sql_index as_they_lie = {
        .name = "rows",
        .key = SQL_NONE,
        .ascending = table->row_column == SQL_NONE ? 0 : (uint64_t)1 << table->row_column,
    };
    const struct sql_index *index = number ? &table->indexes[number - 1] : &as_they_lie;
    struct plan plan = { .index = number, .rows = (double)table->rows };

    snprintf(plan.text, sizeof plan.text, "%s", index->name);
    add_conditions(table, index, info, &plan);
    plan.sorted = is_sorted(index, &plan, info);
    return plan;
}

static int on_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct sql_table *table = ((struct open_table *)base)->table;
    struct plan best = plan_with(table, 0, info);

    for (unsigned i = 0; table->indexes && table->indexes[i].name; i++) {
        struct plan plan = plan_with(table, i + 1, info);

        if (whole_cost(&plan, info) < whole_cost(&best, info))
            best = plan;
    }
    for (unsigned i = 0; i < best.count; i++)
        info->aConstraintUsage[best.uses[i]].argvIndex = (int)i + 1;
    info->idxNum = (int)best.index;
    info->idxStr = sqlite.mprintf("%s", best.text);
    info->needToFreeIdxStr = 1;
    info->orderByConsumed = best.sorted;
    info->estimatedCost = best.rows + 1;
    info->estimatedRows = (sqlite3_int64)best.rows + 1;
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- the rows that are left ------------------------------------------------------------------------------------------- */

/* A condition with its value. */
struct bound {
    unsigned column; /* that it is about */
    char comparison; /* '=', '<', '>' */
    struct sql_value value;
};

struct range {
    size_t first, end; /* in the order of the index */
};

struct cursor {
    sqlite3_vtab_cursor base;      /* SQLite's */
    const uint32_t *rows;          /* by index; NULL: as they lie */
    size_t next, end;              /* equal: no more */
    struct range *ranges;          /* after this one; owned */
    size_t range, count, capacity; /* which comes next; of them */
};

static const struct sql_table *table_of(const struct cursor *cursor)
{
    return ((const struct open_table *)cursor->base.pVtab)->table;
}

static int on_open(sqlite3_vtab *table, sqlite3_vtab_cursor **made)
{
    struct cursor *cursor = memory_allocate_clear(sizeof *cursor);

    (void)table;
    if (!cursor)
        return SQLITE_NOMEM;
    *made = &cursor->base;
    return SQLITE_OK;
}

static int on_close(sqlite3_vtab_cursor *base)
{
    memory_free(((struct cursor *)base)->ranges);
    memory_free(base);
    return SQLITE_OK;
}

static bool is_whole(const struct sql_column *column)
{
    return !column->any && column->type != CELL_TEXT && column->type != CELL_DECIMAL && column->type != CELL_PERCENT;
}

/* The value of a condition, as cells of its column can be compared with. False: SQLite alone knows how they compare. */
static bool take_value(const struct sql_column *column, char comparison, sqlite3_value *from, struct sql_value *value)
{
    int type = sqlite.value_type(from);
    double decimal;

    if (type == SQLITE_NULL) {
        value->type = SQL_NULL;
        return true;
    }
    if (type == SQLITE_TEXT && column->type == CELL_TEXT && !column->any) {
        value->type = SQL_TEXT;
        value->text.data = (const char *)sqlite.value_text(from);
        value->text.length = (size_t)sqlite.value_bytes(from);
        return value->text.data != NULL;
    }
    if (!is_whole(column) || (type != SQLITE_INTEGER && type != SQLITE_FLOAT))
        return false;
    value->type = SQL_INTEGER;
    if (type == SQLITE_INTEGER) {
        value->integer = sqlite.value_int64(from);
        return true;
    }
    decimal = comparison == '<' ? ceil(sqlite.value_double(from)) : floor(sqlite.value_double(from));
    value->integer = decimal > -9e18 && decimal < 9e18 ? (int64_t)decimal : 0;
    return decimal > -9e18 && decimal < 9e18 && (comparison != '=' || decimal == sqlite.value_double(from));
}

static unsigned column_named(const struct sql_table *table, struct text name)
{
    unsigned column = 0;

    while (!text_is(name, table->columns[column].name))
        column++;
    return column;
}

/* What on_best_index has written, with the values that have come for it. `*none`: a value is null, and no row is left. */
static unsigned read_plan(const struct sql_table *table, const char *plan, sqlite3_value **values, struct bound *bounds,
                          bool *none)
{
    const char *at = strchr(plan, '(');
    unsigned count = 0;

    *none = false;
    for (unsigned i = 0; at && *at != ')'; i++) {
        const char *start = at + 1, *stop = start + strcspn(start, "=<>");
        struct bound *bound = &bounds[count];

        bound->column = column_named(table, (struct text){ start, (size_t)(stop - start) });
        bound->comparison = *stop;
        count += take_value(&table->columns[bound->column], *stop, values[i], &bound->value);
        *none |= sqlite.value_type(values[i]) == SQLITE_NULL;
        at = stop + 1;
    }
    return count;
}

/* As SQLite sorts them: null, numbers, texts by their bytes. */
static int compare(const struct sql_value *left, const struct sql_value *right)
{
    size_t shorter;
    int order;

    if (left->type == SQL_NULL || right->type == SQL_NULL)
        return (left->type != SQL_NULL) - (right->type != SQL_NULL);
    if (left->type == SQL_INTEGER)
        return (left->integer > right->integer) - (left->integer < right->integer);
    assert(left->type == SQL_TEXT && right->type == SQL_TEXT);
    shorter = left->text.length < right->text.length ? left->text.length : right->text.length;
    order = shorter ? memcmp(left->text.data, right->text.data, shorter) : 0;
    return order ? order : (left->text.length > right->text.length) - (left->text.length < right->text.length);
}

static int compare_cell(const struct sql_table *table, size_t row, const struct bound *bound)
{
    struct sql_value cell;

    table->cell(table->context, row, bound->column, &cell);
    return compare(&cell, &bound->value);
}

/* The first place from `first` on whose cell is not below the bound, or where `above`, is above it. */
static size_t place_of(const struct sql_table *table, const uint32_t *rows, struct range range,
                       const struct bound *bound, bool above)
{
    while (range.first < range.end) {
        size_t middle = range.first + (range.end - range.first) / 2;
        int order = compare_cell(table, rows ? rows[middle] : middle, bound);

        if (order < 0 || (above && order == 0))
            range.first = middle + 1;
        else
            range.end = middle;
    }
    return range.first;
}

/* What is left of a range in which a column ascends. */
static struct range cut_range(const struct sql_table *table, const uint32_t *rows, struct range range,
                              const struct bound *bound)
{
    if (bound->comparison != '<')
        range.first = place_of(table, rows, range, bound, false);
    if (bound->comparison != '>')
        range.end = place_of(table, rows, range, bound, true);
    return range;
}

static status add_range(struct cursor *cursor, struct range range)
{
    status code;

    if (range.first >= range.end)
        return STATUS_OK;
    code = memory_grow(&cursor->ranges, &cursor->capacity, cursor->count + 1, sizeof *cursor->ranges);
    if (code == STATUS_OK)
        cursor->ranges[cursor->count++] = range;
    return code;
}

/* The groups that a key leaves: all, or one, or none. */
static struct range groups_left(const struct sql_table *table, const struct sql_index *index,
                                const struct sql_order *order, const struct bound *bounds, unsigned count)
{
    struct range groups = { 0, order->groups };

    for (unsigned i = 0; i < count; i++) {
        struct range rest = groups;

        if (bounds[i].column != index->key)
            continue;
        while (rest.first < rest.end) {
            size_t middle = rest.first + (rest.end - rest.first) / 2;

            if (compare_cell(table, order->rows[order->firsts[middle]], &bounds[i]) < 0)
                rest.first = middle + 1;
            else
                rest.end = middle;
        }
        groups.first = rest.first;
        if (groups.first < groups.end)
            groups.end =
                groups.first + (compare_cell(table, order->rows[order->firsts[groups.first]], &bounds[i]) == 0);
    }
    return groups;
}

static status find_ranges(struct cursor *cursor, const struct sql_table *table, unsigned number,
                          const struct bound *bounds, unsigned count)
{
    const struct sql_index *index = &table->indexes[number];
    const struct sql_order *order = table->orders[number];
    struct range groups = groups_left(table, index, order, bounds, count);
    status code = STATUS_OK;

    for (size_t group = groups.first; group < groups.end && code == STATUS_OK; group++) {
        struct range range = { order->firsts[group], order->firsts[group + 1] };

        for (unsigned i = 0; i < count && range.first < range.end; i++) {
            if (has(index->ascending, (int)bounds[i].column))
                range = cut_range(table, order->rows, range, &bounds[i]);
            else if (bounds[i].column != index->key && compare_cell(table, order->rows[range.first], &bounds[i]) != 0)
                range.end = range.first;
        }
        code = add_range(cursor, range);
    }
    return code;
}

static void next_range(struct cursor *cursor)
{
    cursor->next = cursor->end = 0;
    if (cursor->range < cursor->count) {
        cursor->next = cursor->ranges[cursor->range].first;
        cursor->end = cursor->ranges[cursor->range++].end;
    }
}

static int on_filter(sqlite3_vtab_cursor *base, int number, const char *plan, int count, sqlite3_value **values)
{
    struct cursor *cursor = (struct cursor *)base;
    struct open_table *open = (struct open_table *)base->pVtab;
    struct sql_table *table = open->table;
    struct range all = { 0, table->rows };
    struct bound bounds[MOST_BOUNDS];
    bool none;
    unsigned used = read_plan(table, plan, values, bounds, &none);
    status code = STATUS_OK;

    assert(count <= MOST_BOUNDS);
    (void)count;
    cursor->count = cursor->range = 0;
    cursor->rows = NULL;
    if (!none && number) {
        code = make_order(table, (unsigned)number - 1);
        if (code == STATUS_OK)
            code = find_ranges(cursor, table, (unsigned)number - 1, bounds, used);
        if (code == STATUS_OK)
            cursor->rows = table->orders[number - 1]->rows;
    } else if (!none) {
        for (unsigned i = 0; i < used; i++)
            all = cut_range(table, NULL, all, &bounds[i]);
        code = add_range(cursor, all);
    }
    next_range(cursor);
    if (code != STATUS_OK)
        *open->definition->failed = code;
    return code == STATUS_OK ? SQLITE_OK : SQLITE_ERROR;
}

static int on_next(sqlite3_vtab_cursor *base)
{
    struct cursor *cursor = (struct cursor *)base;

    if (++cursor->next == cursor->end)
        next_range(cursor);
    return SQLITE_OK;
}

static int on_eof(sqlite3_vtab_cursor *base)
{
    const struct cursor *cursor = (struct cursor *)base;

    return cursor->next == cursor->end;
}

static size_t current_row(const struct cursor *cursor)
{
    return cursor->rows ? cursor->rows[cursor->next] : cursor->next;
}

void sql_value_result(sqlite3_context *context, const struct sql_value *value)
{
    switch (value->type) {
    case SQL_NULL:
        sqlite.result_null(context);
        break;
    case SQL_INTEGER:
        sqlite.result_int64(context, value->integer);
        break;
    case SQL_DECIMAL:
        sqlite.result_double(context, value->decimal);
        break;
    case SQL_TEXT:
        /* Interned texts outlive the connection: nothing is copied. */
        sqlite.result_text(context, value->text.data, (int)value->text.length,
                           value->text.data == value->room ? SQLITE_TRANSIENT : SQLITE_STATIC);
        break;
    }
}

static int on_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    const struct cursor *cursor = (struct cursor *)base;
    const struct sql_table *table = table_of(cursor);
    struct sql_value value;

    table->cell(table->context, current_row(cursor), (unsigned)column, &value);
    sql_value_result(context, &value);
    return SQLITE_OK;
}

static int on_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *row)
{
    *row = (sqlite3_int64)current_row((struct cursor *)base);
    return SQLITE_OK;
}

status sql_table_register(sqlite3 *connection, struct sql_definition *definition)
{
    /* No xCreate: such a table is there by its name, and nobody can make others of it. */
    static const sqlite3_module module = {
        .xConnect = on_connect,
        .xBestIndex = on_best_index,
        .xDisconnect = on_disconnect,
        .xOpen = on_open,
        .xClose = on_close,
        .xFilter = on_filter,
        .xNext = on_next,
        .xEof = on_eof,
        .xColumn = on_column,
        .xRowid = on_rowid,
    };

    if (sqlite.create_module(connection, definition->name, &module, definition) != SQLITE_OK)
        return status_no_memory("preparing a query");
    return STATUS_OK;
}
