/* answer.c: rows of a statement, kept until the types of their columns are known. */
#include "query/answer.h"

#include <stdio.h>
#include <string.h>

#include "base/column.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/strings.h"

/* A value of the answer. */
struct kept_value {
    enum sql_type type; /* tells which of the others is set */
    string_id text;
    union {
        int64_t integer;
        double decimal;
    };
};

struct answer_column {
    const struct sql_column *known; /* whose values it has; NULL: of an expression */
    const char *name;               /* in the answer; in the pool */
    enum sql_type widest;           /* of its values */
};

struct answer {
    struct answer_facts facts;
    struct strings *strings;       /* owned */
    struct answer_column *columns; /* owned */
    size_t count;                  /* of columns */
    struct column values;          /* struct kept_value, row by row */
    uint64_t bytes;                /* that values and texts take, about */
};

static status name_columns(struct answer *answer, sqlite3_stmt *statement)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < answer->count && code == STATUS_OK; i++) {
        struct answer_column *column = &answer->columns[i];
        const char *table = sqlite.column_table_name(statement, (int)i);
        const char *origin = sqlite.column_origin_name(statement, (int)i),
                   *name = sqlite.column_name(statement, (int)i);
        string_id id;

        if (table && origin)
            column->known = answer->facts.column(answer->facts.context, table, origin);
        code = strings_add_text(answer->strings, name ? name : "", &id);
        if (code == STATUS_OK)
            column->name = strings_text(answer->strings, id);
    }
    return code;
}

status answer_new(sqlite3_stmt *statement, const struct answer_facts *facts, struct answer **made)
{
    struct answer *answer = memory_allocate_clear(sizeof *answer);
    status code;

    *made = NULL;
    if (!answer)
        return status_no_memory("answering a query");
    answer->facts = *facts;
    answer->count = (size_t)sqlite.column_count(statement);
    answer->strings = strings_new();
    answer->columns = memory_allocate_clear((answer->count + 1) * sizeof *answer->columns);
    column_start(&answer->values, sizeof(struct kept_value));
    code = answer->strings && answer->columns ? name_columns(answer, statement) : status_no_memory("answering a query");
    if (code == STATUS_OK)
        *made = answer;
    else
        answer_free(answer);
    return code;
}

void answer_free(struct answer *answer)
{
    if (!answer)
        return;
    column_free(&answer->values);
    memory_free(answer->columns);
    if (answer->strings)
        strings_free(answer->strings);
    memory_free(answer);
}

static status keep_text(struct answer *answer, sqlite3_stmt *statement, int column, struct kept_value *value)
{
    const char *text = (const char *)sqlite.column_text(statement, column);
    int length = sqlite.column_bytes(statement, column);

    value->type = SQL_TEXT;
    if (!text && length)
        return status_no_memory("answering a query");
    answer->bytes += 2 * (uint64_t)length; /* here and in the table */
    return strings_add(answer->strings, text ? text : "", (size_t)length, &value->text);
}

static status keep_value(struct answer *answer, sqlite3_stmt *statement, int column)
{
    struct kept_value *value = column_append(&answer->values);
    status code = STATUS_OK;

    if (!value)
        return status_no_memory("answering a query");
    *value = (struct kept_value){ .type = SQL_NULL };
    switch (sqlite.column_type(statement, column)) {
    case SQLITE_INTEGER:
        value->type = SQL_INTEGER;
        value->integer = sqlite.column_int64(statement, column);
        break;
    case SQLITE_FLOAT:
        value->type = SQL_DECIMAL;
        value->decimal = sqlite.column_double(statement, column);
        break;
    case SQLITE_NULL:
        break;
    default:
        code = keep_text(answer, statement, column, value);
        break;
    }
    if (value->type > answer->columns[column].widest)
        answer->columns[column].widest = value->type;
    return code;
}

status answer_add(struct answer *answer, sqlite3_stmt *statement)
{
    status code = STATUS_OK;

    answer->bytes += (answer->count + 1) * (sizeof(struct kept_value) + sizeof(uint64_t)); /* here and in the table */
    if (answer->bytes > answer->facts.memory)
        return status_fail(STATUS_USAGE, "the answer takes more than %llu MB; LIMIT shortens it, --memory allows more",
                           (unsigned long long)(answer->facts.memory >> 20));
    for (size_t i = 0; i < answer->count && code == STATUS_OK; i++)
        code = keep_value(answer, statement, (int)i);
    return code;
}

/* Values of a column of a table are shown as there, unless others are among them. */
static enum cell_type cell_type_of(const struct answer_column *column)
{
    const enum cell_type known = column->known && !column->known->any ? column->known->type : CELL_TEXT;

    switch (column->widest) {
    case SQL_INTEGER:
        return known == CELL_DURATION || known == CELL_BYTES || known == CELL_BOOLEAN ? known : CELL_INTEGER;
    case SQL_DECIMAL:
        return known == CELL_PERCENT ? CELL_PERCENT : CELL_DECIMAL;
    default:
        return CELL_TEXT;
    }
}

static void set_as_text(const struct answer *answer, struct table *table, size_t column, const struct kept_value *value)
{
    char number[64];

    if (value->type == SQL_TEXT) {
        table_set_text(table, column, strings_text(answer->strings, value->text));
        return;
    }
    number[value->type == SQL_INTEGER ? number_write_integer(number, value->integer)
                                      : number_write_shortest(number, value->decimal)] = '\0';
    table_set_text(table, column, number);
}

static void set_cell(const struct answer *answer, struct table *table, size_t column, enum cell_type type,
                     const struct kept_value *value)
{
    if (value->type == SQL_NULL)
        return;
    if (type == CELL_TEXT)
        set_as_text(answer, table, column, value);
    else if (type == CELL_DECIMAL || type == CELL_PERCENT)
        table_set_decimal(table, column, value->type == SQL_INTEGER ? (double)value->integer : value->decimal);
    else if (type == CELL_BOOLEAN)
        table_set_boolean(table, column, value->integer != 0);
    else
        table_set_integer(table, column, value->integer);
}

status answer_table(const struct answer *answer, struct table **made)
{
    struct table *table = table_new("query", "Query");
    size_t rows = answer->count ? answer->values.count / answer->count : 0;
    status code;

    if (!table)
        return status_no_memory("answering a query");
    for (size_t i = 0; i < answer->count; i++) {
        const struct answer_column *column = &answer->columns[i];

        table_add_column(table, (struct table_column){ .name = column->name,
                                                       .unit = column->known ? column->known->unit : NULL,
                                                       .description = column->known ? column->known->description : NULL,
                                                       .type = cell_type_of(column) });
    }
    for (size_t row = 0; row < rows; row++) {
        table_add_row(table);
        for (size_t i = 0; i < answer->count; i++)
            set_cell(answer, table, i, cell_type_of(&answer->columns[i]),
                     column_at(&answer->values, row * answer->count + i));
    }
    code = table_status(table);
    if (code == STATUS_OK)
        *made = table;
    else
        table_free(table);
    return code;
}
