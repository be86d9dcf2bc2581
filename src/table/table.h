/* table.h: what every analysis returns: typed columns with unit and description, rows, notes.
 *
 * A table owns copies of all texts given to it, until `table_free`. Column definitions are copied; their texts may be
 * temporary. Rows are filled by column index, a cell that was not set is null. The first allocation failure sticks and is
 * reported by `table_status`, so building a table needs one check at the end.
 */
#ifndef TABLE_TABLE_H
#define TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum cell_type {
    CELL_TEXT,
    CELL_INTEGER,
    CELL_DECIMAL, /* double; machine outputs print the shortest text that reads back */
    CELL_BOOLEAN,
    CELL_DURATION, /* int64 ns; people see 12.845ms, machines the integer */
    CELL_PERCENT,  /* double, 0..100; people see 3.53%, machines the number */
    CELL_BYTES     /* int64; people see 1.25 KiB, machines the integer */
};

struct table_column {
    const char *name;        /* for machines: total_time */
    const char *title;       /* for people: "Total time"; NULL: the name */
    const char *unit;        /* "ns", "us", "B", "%"; NULL: none or not wanted in the header */
    const char *description; /* one sentence; NULL: none */
    enum cell_type type;     /* of all its cells */
    bool bar;                /* terminal and HTML draw a bar for a percent */
    bool optional;           /* may be left out where a terminal is too narrow */
    bool asked;              /* the user named it: left out only there */
};

struct table_cell {
    bool null; /* nothing else here is set */
    union {
        const char *text; /* TEXT; the table's */
        int64_t integer;  /* INTEGER, DURATION, BYTES */
        double decimal;   /* DECIMAL, PERCENT */
        bool boolean;     /* BOOLEAN */
    };
};

struct table;

struct table *table_new(const char *name, const char *title); /* NULL: out of memory */
void table_free(struct table *table);
status table_status(const struct table *table);

/* Its index. Add all columns before the first row. A name that is taken gets "_2", "_3", … behind it: machines need one
 * key per column. */
size_t table_add_column(struct table *table, struct table_column column);
void table_add_row(struct table *table);                                   /* the setters fill the newest row */
void table_set_text(struct table *table, size_t column, const char *text); /* NULL leaves the cell null */
void table_set_integer(struct table *table, size_t column, int64_t value); /* also DURATION and BYTES */
void table_set_decimal(struct table *table, size_t column, double value);  /* also PERCENT */
void table_set_boolean(struct table *table, size_t column, bool value);
void table_note(struct table *table, const char *format, ...) PRINTF_LIKE(2, 3);

const char *table_name(const struct table *table);
const char *table_title(const struct table *table);
size_t table_columns(const struct table *table);
size_t table_rows(const struct table *table);
size_t table_notes(const struct table *table);
size_t table_nulls(const struct table *table, size_t column); /* rows in which it is null */
const struct table_column *table_column(const struct table *table, size_t column);
struct table_cell table_cell(const struct table *table, size_t row, size_t column);
const char *table_note_at(const struct table *table, size_t index);

#endif
