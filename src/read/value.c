/* value.c: numbers of base, and the reasons where there is none. */
#include "read/value.h"

#include <assert.h>

#include "base/number.h"

const struct loss_reason *value_as_integer(struct text field, int64_t *value)
{
    size_t sign;

    assert(value && (field.data || !field.length));
    field = text_trim(field);
    if (number_parse_integer(field.data, field.length, value))
        return NULL;
    sign = field.length > 0 && (*field.data == '-' || *field.data == '+');
    for (size_t i = sign; i < field.length; i++)
        if (!char_is_digit(field.data[i]))
            return &loss_number;
    return field.length > sign ? &loss_time_range : &loss_number;
}

const struct loss_reason *value_as_scaled(struct text field, int places, int64_t *value)
{
    assert(value && (field.data || !field.length));
    field = text_trim(field);
    switch (number_parse_scaled(field.data, field.length, places, value)) {
    case NUMBER_FINE:
        return NULL;
    case NUMBER_NONE:
        return &loss_number;
    case NUMBER_TOO_LARGE:
        break;
    }
    return &loss_time_range;
}
