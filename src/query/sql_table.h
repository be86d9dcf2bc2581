/* sql_table.h: rows that SQL can ask: columns, a function that tells a cell, and orders in which the rows can be found.
 *
 * Nothing is copied: a table is a number of rows, and whoever made it tells one cell at a time. Rows are found through an index, which is made
 * when a query first has a use for it and kept as long as the table:
 *
 *     rows      | 4 | 9 | 0 | 1 | 7 | 2 | ...     32-bit numbers of rows, a group behind the other
 *     groups    ^first       ^          ^         rows with the same key, groups by the key: all of a track, all of a name
 *
 * Within a group rows may ascend by further columns (the start), so that a range of these is found by halving. Other columns may be equal in a
 * group, too: those of a track say its engine.
 *
 * `sql_table_register` makes a module of SQLite of a table that is opened when a statement names it. The caller owns the definition and what it
 * points to, longer than the connection; a `struct sql_table` is in its owner's memory and freed by `sql_table_free`.
 */
#ifndef QUERY_SQL_TABLE_H
#define QUERY_SQL_TABLE_H

#include <stdbool.h>

#include "base/sqlite.h"
#include "base/strings.h"
#include "table/table.h"

enum sql_type { SQL_NULL, SQL_INTEGER, SQL_DECIMAL, SQL_TEXT };

/* A cell. */
struct sql_value {
    enum sql_type type; /* tells which of the others is set */
    union {
        int64_t integer;
        double decimal;
        struct text text; /* outlives the connection, unless it lies in `room` */
    };
    char room[32]; /* for a number that is told as text */
};

struct sql_column {
    const char *name;        /* NULL ends a list */
    const char *unit;        /* NULL: none */
    const char *description; /* one sentence */
    enum cell_type type;     /* of its values, where they are not null; an untyped column says CELL_TEXT and `any` */
    bool any;                /* values of any type */
};

enum {
    SQL_NONE = 1 << 20, /* no column: SQLite has fewer */
    SQL_COLUMNS = 64,   /* that an index may use */
    SQL_INDEXES = 4     /* of a table */
};

/* An order of rows. Masks have a bit per column. */
struct sql_index {
    const char *name;   /* in EXPLAIN QUERY PLAN; NULL ends a list */
    unsigned key;       /* column that groups are of and by, null first; SQL_NONE: all rows are one group */
    uint64_t equal;     /* further columns that are the same in all rows of a group */
    uint64_t ascending; /* columns that never descend within a group, and are never null */
};

struct sql_order; /* an index that was made */

struct sql_table {
    const struct sql_column *columns; /* borrowed */
    size_t rows;                      /* 0 to rows - 1 */
    bool one_input;                   /* the column `input` is there where it is named, not in SELECT * */
    unsigned row_column;              /* that holds the number of the row; SQL_NONE: none does */
    const void *context;              /* for the calls */
    void (*cell)(const void *context, size_t row, unsigned column, struct sql_value *value);
    const struct sql_index *indexes; /* NULL: none; borrowed */
    /* For an index: the group of each row. Groups need not be without gaps; they are below `*count`. */
    status (*group)(const void *context, unsigned index, uint32_t *groups, uint32_t *count);
    /* For an index whose rows ascend: by what. NULL: they come as they lie. */
    int64_t (*order)(const void *context, unsigned index, size_t row);
    struct sql_order *orders[SQL_INDEXES]; /* NULL: not made yet; owned */
};

void sql_table_free(struct sql_table *table); /* its orders */

/* A table that SQL knows by name. */
struct sql_definition {
    const char *name; /* in SQL */
    /* The table, when a statement first names it; asked once per connection. */
    status (*open)(void *context, const char *name, struct sql_table **table);
    void *context;   /* for `open` */
    bool *declaring; /* set while SQLite is told the columns: it asks whether that is allowed */
    status *failed;  /* what `open` failed with, which has the causes, for whoever prepared the statement */
};

/* `definition` is kept. */
NODISCARD status sql_table_register(sqlite3 *connection, struct sql_definition *definition);

/* Hands a value to SQLite, as the result of a cell or a function. */
void sql_value_result(sqlite3_context *context, const struct sql_value *value);

#endif
