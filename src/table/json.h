/* json.h: JSON values, for every writer that needs them.
 *
 * Whatever bytes go in, what comes out is valid JSON in UTF-8. Failures stick in the output.
 */
#ifndef TABLE_JSON_H
#define TABLE_JSON_H

#include <stddef.h>
#include <stdint.h>

#include "base/output.h"
#include "table/table.h"

/* A string with its quotes. Bytes that are no UTF-8 become U+FFFD. "</" and "<!" are written with \u003c, so that JSON
 * inside an HTML script element cannot end it. */
void json_write_string(struct output *output, const char *data, size_t length);
void json_write_text(struct output *output, const char *text); /* NUL-terminated; NULL is null */
void json_write_integer(struct output *output, int64_t value);
void json_write_decimal(struct output *output, double value); /* shortest that reads back; NaN and infinity are null */
void json_write_row(struct output *output, const struct table *table, size_t row); /* an object, on one line */

#endif
