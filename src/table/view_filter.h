/* view_filter.h: a condition on one field, as a user writes it: total_time >= 10us.
 *
 *     key~TEXT     texts only: holds it, ignoring the case of ASCII letters
 *     key=VALUE    also != > < >= <=; texts by their bytes, no before yes
 *
 * The value is what the type of the field wants: 12, 0.5, 10% or 10, 1.5ms (ns us µs ms s; none: ns), 4KiB or 1.5 MB (K is 1024 with
 * the i, else 1000), yes no true false, or a text. Whole numbers, durations and bytes are compared exactly, also with what is no
 * whole number: no duration equals 0.5ns, and 1ns is more. A filter borrows the text that it was made of and the field.
 */
#ifndef TABLE_VIEW_FILTER_H
#define TABLE_VIEW_FILTER_H

#include "table/field.h"

struct view_filter {
    const struct field *field; /* whose values are compared */
    unsigned accepted;         /* bits: 1 less, 2 equal, 4 greater than the value; 0: holds it */
    struct text text;          /* of a text */
    int64_t whole;             /* of an integer, duration, bytes or boolean: the largest that is not above it */
    bool more;                 /* it is above `whole`, by less than 1 */
    double decimal;            /* of a decimal or percent */
};

/* STATUS_USAGE: no such field, no operator, or a value that its type does not know; says what it wants. */
NODISCARD status view_filter_parse(const struct rows *rows, const char *text, struct view_filter *filter);

/* Whether a value of the field passes; what is not known does not. */
bool view_filter_passes(const struct view_filter *filter, struct table_cell cell);

/* Whether a value is known: not null, and not a decimal that is no number. */
bool view_value_known(enum cell_type type, struct table_cell cell);

/* One word for the type of a field: "duration". */
const char *view_type_name(enum cell_type type);

/* The bytes from `data` up to `end`, without blanks around them. */
struct text view_trim(const char *data, const char *end);

#endif
