/* value.h: numbers in fields of rows, or the reason why a field has none; nothing is owned.
 *
 * Each returns NULL where the field, but for blanks around it, is such a number: then `*value` is set, and only then.
 */
#ifndef READ_VALUE_H
#define READ_VALUE_H

#include <stdint.h>

#include "base/text.h"
#include "trace/loss.h"

/* &loss_number: no integer; &loss_time_range: more than `*value` holds. */
const struct loss_reason *value_as_integer(struct text field, int64_t *value);

/* A decimal number times ten to `places`, rounded to the nearest integer from its digits: what noise of binary fractions the text
 * has is gone. &loss_number: no number; &loss_time_range: too large. */
const struct loss_reason *value_as_scaled(struct text field, int places, int64_t *value);

#endif
