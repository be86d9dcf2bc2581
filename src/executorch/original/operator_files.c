/* operator_files.c: the CSV files of the original operator analysis. */
#include "executorch/original/operator_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "table/printer.h"

enum { MOST_OTHER = 2 }; /* rows of other_top_ops */

const char *operator_files_category(enum operator_kind kind)
{
    switch (kind) {
    case OPERATOR_KIND_MATRIX:
        return "GEMM";
    case OPERATOR_KIND_CONVOLUTION:
        return "CONV";
    case OPERATOR_KIND_LAYOUT:
        return "DATA_MOVEMENT";
    case OPERATOR_KIND_RESHAPE:
        return "RESHAPE";
    case OPERATOR_KIND_QUANTISATION:
        return "QUANT";
    case OPERATOR_KIND_ARITHMETIC:
        return "ELEMENTWISE";
    case OPERATOR_KIND_ACTIVATION:
        return "ACTIVATION";
    case OPERATOR_KIND_POOLING:
        return "POOL";
    case OPERATOR_KIND_NORMALISATION:
        return "NORM";
    case OPERATOR_KIND_ATTENTION:
        return "ATTENTION";
    case OPERATOR_KIND_REDUCTION:
        return "REDUCTION";
    case OPERATOR_KIND_RESIZE:
        return "RESIZE";
    case OPERATOR_KIND_EMBEDDING:
        return "EMBEDDING";
    case OPERATOR_KIND_RECURRENT:
        return "RNN";
    case OPERATOR_KIND_OTHER:
    case OPERATOR_KIND_COUNT:
        break;
    }
    return "OTHER";
}

/* ---- Rows by name ---- */

struct name_row {
    string_id name;          /* of operators */
    enum operator_kind kind; /* what they compute */
    int64_t total;           /* ticks */
    uint64_t events;         /* how many */
};

struct kind_row {
    enum operator_kind kind; /* what they compute */
    int64_t total;           /* ticks */
    uint32_t names;          /* different ones */
};

struct name_rows {
    struct name_row *names;                     /* owned */
    size_t name_count;                          /* of names */
    struct kind_row kinds[OPERATOR_KIND_COUNT]; /* all of them; those without names are at the end once sorted */
};

static int by_name_total(const void *left, const void *right)
{
    const struct name_row *a = left, *b = right;

    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    return (a->name > b->name) - (a->name < b->name);
}

static int by_kind_total(const void *left, const void *right)
{
    const struct kind_row *a = left, *b = right;

    if (!a->names != !b->names)
        return a->names ? -1 : 1;
    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

static status rows_collect(const struct operators *side, struct name_rows *rows)
{
    uint32_t *row_of = memory_allocate_clear(strings_count(side->strings) * sizeof *row_of); /* by name: row + 1 */

    *rows = (struct name_rows){ .names = memory_allocate((side->sums.count + 1) * sizeof *rows->names) };
    for (unsigned i = 0; i < OPERATOR_KIND_COUNT; i++)
        rows->kinds[i].kind = (enum operator_kind)i;
    if (!row_of || !rows->names) {
        memory_free(row_of);
        return status_no_memory("adding up operators by name");
    }
    for (size_t i = 0; i < side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(side, i);
        struct name_row *row;

        if (sum->opaque) /* a call: the original has no calls */
            continue;
        if (!row_of[sum->name]) {
            rows->names[rows->name_count++] = (struct name_row){ .name = sum->name, .kind = sum->kind };
            row_of[sum->name] = (uint32_t)rows->name_count;
            rows->kinds[sum->kind].names++;
        }
        row = &rows->names[row_of[sum->name] - 1];
        row->total = number_add(row->total, sum->total);
        row->events += sum->events;
        rows->kinds[row->kind].total = number_add(rows->kinds[row->kind].total, sum->total);
    }
    memory_free(row_of);
    qsort(rows->names, rows->name_count, sizeof *rows->names, by_name_total);
    qsort(rows->kinds, OPERATOR_KIND_COUNT, sizeof *rows->kinds, by_kind_total);
    return STATUS_OK;
}

/* ---- Files ---- */

static size_t add_column(struct table *table, const char *name, enum cell_type type)
{
    return table_add_column(table, (struct table_column){ .name = name, .type = type });
}

/* Frees the table, also after a failure. */
static status save(struct table *table, const char *folder, const char *model, const char *suffix)
{
    char path[8192];
    struct output *output;
    status code = table ? table_status(table) : status_no_memory("making a table");
    int length = snprintf(path, sizeof path, "%s/%s_%s.csv", folder, model, suffix);

    if (code == STATUS_OK && (length < 0 || (size_t)length >= sizeof path))
        code = status_fail(STATUS_OUTPUT, "%s: the name of a file there would be too long", folder);
    if (code == STATUS_OK)
        code = output_open(path, &output);
    if (code == STATUS_OK) {
        printer_write(&csv_printer, output, table, NULL);
        code = output_commit(output);
    }
    table_free(table);
    return code;
}

static struct table *category_summary(const struct operators *side, const struct name_rows *rows)
{
    struct table *table = table_new("category_summary", "");

    if (!table)
        return NULL;
    add_column(table, "category", CELL_TEXT);
    add_column(table, "total_ms", CELL_DECIMAL);
    add_column(table, "avg_ms", CELL_DECIMAL);
    add_column(table, "pct_of_e2e", CELL_DECIMAL);
    add_column(table, "operator_count", CELL_INTEGER);
    for (size_t i = 0; i < OPERATOR_KIND_COUNT && rows->kinds[i].names; i++) {
        table_add_row(table);
        table_set_text(table, 0, operator_files_category(rows->kinds[i].kind));
        table_set_decimal(table, 1, operators_ms(side, rows->kinds[i].total));
        table_set_decimal(table, 2, operators_average_ms(side, rows->kinds[i].total));
        table_set_decimal(table, 3, operators_percent(side, rows->kinds[i].total));
        table_set_integer(table, 4, rows->kinds[i].names);
    }
    return table;
}

/* All operators, or the longest ones of no category. */
static struct table *operator_details(const struct operators *side, const struct name_rows *rows, bool only_other)
{
    struct table *table = table_new("operator_details", "");

    if (!table)
        return NULL;
    add_column(table, "operator", CELL_TEXT);
    add_column(table, "category", CELL_TEXT);
    add_column(table, "total_ms", CELL_DECIMAL);
    add_column(table, "avg_ms", CELL_DECIMAL);
    add_column(table, "pct_of_e2e", CELL_DECIMAL);
    add_column(table, "event_count", CELL_INTEGER);
    for (size_t i = 0; i < rows->name_count && !(only_other && table_rows(table) == MOST_OTHER); i++) {
        const struct name_row *row = &rows->names[i];

        if (only_other && row->kind != OPERATOR_KIND_OTHER)
            continue;
        table_add_row(table);
        table_set_text(table, 0, strings_text(side->strings, row->name));
        table_set_text(table, 1, operator_files_category(row->kind));
        table_set_decimal(table, 2, operators_ms(side, row->total));
        table_set_decimal(table, 3, operators_average_ms(side, row->total));
        table_set_decimal(table, 4, operators_percent(side, row->total));
        table_set_integer(table, 5, (int64_t)row->events);
    }
    return table;
}

static struct table *e2e_latency(const struct operators_document *document)
{
    const struct operators *side = document->side;
    struct table *table = table_new("e2e_latency", "");

    if (!table)
        return NULL;
    add_column(table, "model_name", CELL_TEXT);
    add_column(table, "num_runs", CELL_INTEGER);
    add_column(table, "total_ms", CELL_DECIMAL);
    add_column(table, "avg_ms", CELL_DECIMAL);
    add_column(table, "min_ms", CELL_DECIMAL);
    add_column(table, "max_ms", CELL_DECIMAL);
    table_add_row(table);
    table_set_text(table, 0, document->model);
    table_set_integer(table, 1, (int64_t)side->inferences);
    table_set_decimal(table, 2, operators_ms(side, side->execute));
    table_set_decimal(table, 3, operators_average_ms(side, side->execute));
    table_set_decimal(table, 4, operators_ms(side, side->execute_least));
    table_set_decimal(table, 5, operators_ms(side, side->execute_most));
    return table;
}

status operator_files_write(const struct operators_document *document, const char *folder)
{
    struct name_rows rows;
    struct table *other;
    status code = rows_collect(document->side, &rows);

    if (code == STATUS_OK)
        code = save(category_summary(document->side, &rows), folder, document->model, "category_summary");
    if (code == STATUS_OK)
        code = save(operator_details(document->side, &rows, false), folder, document->model, "operator_details");
    if (code == STATUS_OK)
        code = save(e2e_latency(document), folder, document->model, "e2e_latency");
    if (code == STATUS_OK) {
        other = operator_details(document->side, &rows, true);
        if (other && table_status(other) == STATUS_OK && !table_rows(other))
            table_free(other);
        else
            code = save(other, folder, document->model, "other_top_ops");
    }
    memory_free(rows.names);
    return code;
}

/* ---- Comparison ---- */

static int by_category_name(const void *left, const void *right)
{
    return strcmp(operator_files_category(*(const enum operator_kind *)left),
                  operator_files_category(*(const enum operator_kind *)right));
}

static const struct kind_row *row_of_kind(const struct name_rows *rows, enum operator_kind kind)
{
    const struct kind_row *row = rows->kinds;

    while (row->kind != kind)
        row++;
    return row;
}

static void add_label_column(struct table *table, const char *label, const char *suffix, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s%s", label, suffix);
    add_column(table, buffer, CELL_DECIMAL);
}

static struct table *comparison(const struct operators_pair *pair, const struct name_rows *first,
                                const struct name_rows *second)
{
    enum operator_kind kinds[OPERATOR_KIND_COUNT];
    struct table *table = table_new("comparison", "");
    char heading[1024];

    if (!table)
        return NULL;
    add_column(table, "category", CELL_TEXT);
    add_label_column(table, pair->first_label, "_ms", heading, sizeof heading);
    add_label_column(table, pair->second_label, "_ms", heading, sizeof heading);
    add_column(table, "speedup", CELL_DECIMAL);
    add_label_column(table, pair->first_label, "_pct", heading, sizeof heading);
    add_label_column(table, pair->second_label, "_pct", heading, sizeof heading);
    for (unsigned i = 0; i < OPERATOR_KIND_COUNT; i++)
        kinds[i] = (enum operator_kind)i;
    qsort(kinds, OPERATOR_KIND_COUNT, sizeof *kinds, by_category_name);
    for (unsigned i = 0; i < OPERATOR_KIND_COUNT; i++) {
        const struct kind_row *one = row_of_kind(first, kinds[i]), *other = row_of_kind(second, kinds[i]);
        double first_ms = operators_average_ms(pair->first, one->total);
        double second_ms = operators_average_ms(pair->second, other->total);

        if (!one->names && !other->names)
            continue;
        table_add_row(table);
        table_set_text(table, 0, operator_files_category(kinds[i]));
        table_set_decimal(table, 1, first_ms);
        table_set_decimal(table, 2, second_ms);
        table_set_decimal(table, 3, operators_pair_speedup(pair, first_ms, second_ms));
        table_set_decimal(table, 4, operators_percent(pair->first, one->total));
        table_set_decimal(table, 5, operators_percent(pair->second, other->total));
    }
    return table;
}

status operator_files_compare(const struct operators_pair *pair, const char *model, const char *folder)
{
    struct name_rows first, second = { 0 };
    status code = rows_collect(pair->first, &first);

    if (code == STATUS_OK)
        code = rows_collect(pair->second, &second);
    if (code == STATUS_OK)
        code = save(comparison(pair, &first, &second), folder, model, "comparison");
    memory_free(first.names);
    memory_free(second.names);
    return code;
}
