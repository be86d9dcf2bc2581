/* view_order.h: rows in the order of one field: ascending or descending, equal ones as they came, those whose value is not known last.
 *
 * Values become 64-bit numbers of the same order, so that one sort serves all types, and in linear time. A text lives only until the
 * next one is asked for: each distinct text is kept once, since most columns repeat few names, and these are put into order before
 * the rows are. The order owns what it keeps until `view_order_free`; the field is borrowed.
 */
#ifndef TABLE_VIEW_ORDER_H
#define TABLE_VIEW_ORDER_H

#include "table/field.h"

/* A row whose value is known. */
struct order_entry {
    uint64_t key; /* smaller comes first; of a text its string_id until the order is settled */
    size_t row;   /* which row */
};

struct view_order {
    const struct field *field;   /* that is sorted by */
    bool descending;             /* the largest first */
    struct order_entry *entries; /* rows whose value is known */
    size_t count;                /* of them */
    size_t capacity;             /* of their array */
    size_t *unknown;             /* the others, as they came */
    size_t unknown_count;        /* of them */
    size_t unknown_capacity;     /* of their array */
    struct strings *strings;     /* distinct texts; NULL: none yet, or the field is no text */
};

void view_order_start(struct view_order *order, const struct field *field, bool descending);
void view_order_free(struct view_order *order);

/* Rows come in ascending order, each with its value of the field. */
NODISCARD status view_order_add(struct view_order *order, size_t row, struct table_cell cell);
NODISCARD status view_order_settle(struct view_order *order);

size_t view_order_rows(const struct view_order *order);              /* how many were added */
size_t view_order_row(const struct view_order *order, size_t place); /* settled: the row at this place */

#endif
