/* value.c: integers and decimals of fields, eight digits at once where that pays. */
#include "read/value.h"

#include "base/number.h"

const struct loss_reason *value_as_integer(struct text field, int64_t *value)
{
    size_t sign;

    field = text_trim(field);
    if (number_parse_integer(field.data, field.length, value))
        return NULL;
    sign = field.length > 0 && (*field.data == '-' || *field.data == '+');
    for (size_t i = sign; i < field.length; i++)
        if (!char_is_digit(field.data[i]))
            return &loss_number;
    return field.length > sign ? &loss_time_range : &loss_number;
}

/* The digits of a decimal number as an integer, and the power of ten that belongs to it. Digits after the 19th cannot be
 * kept; where the result fits into 64 bits they are behind the digit that decides the rounding. */
struct digits {
    uint64_t number;  /* the digits that were kept */
    unsigned kept;    /* how many, without leading zeros */
    bool any;         /* there was a digit */
    int64_t exponent; /* the number times ten to it is meant */
};

enum { DIGITS_KEPT = 19 }; /* so many fit into 64 bits, whatever they are */

static const uint64_t powers[DIGITS_KEPT + 1] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
    10000000000000000000u,
};

/* Digits of a text that cannot have more than fit: eight at once. */
static const char *read_few_digits(struct digits *digits, const char *next, const char *end)
{
    const char *start = next;
    unsigned digit;

    while (end - next >= 8) {
        uint64_t part;
        unsigned count = number_eight_digits(next, &part);

        digits->number = digits->number * powers[count] + part;
        next += count;
        if (count < 8)
            break;
    }
    for (; next < end && (digit = (unsigned char)*next - (unsigned)'0') <= 9; next++)
        digits->number = digits->number * 10 + digit;
    digits->any |= next > start;
    return next;
}

static const char *read_many_digits(struct digits *digits, const char *next, const char *end, bool fraction)
{
    unsigned digit;

    for (; next < end && (digit = (unsigned char)*next - (unsigned)'0') <= 9; next++) {
        digits->any = true;
        if (digits->kept == DIGITS_KEPT) {
            digits->exponent += !fraction;
            continue;
        }
        digits->number = digits->number * 10 + digit;
        digits->kept += digits->number > 0;
        digits->exponent -= fraction;
    }
    return next;
}

/* The digits before and behind the point. */
static const char *read_digits(struct digits *digits, const char *next, const char *end)
{
    bool few = end - next <= DIGITS_KEPT + 1; /* one of them is the point */

    /* Twenty digits and no point: one too many. */
    if (end - next == DIGITS_KEPT + 1 && !memchr(next, '.', DIGITS_KEPT + 1))
        few = false;
    next = few ? read_few_digits(digits, next, end) : read_many_digits(digits, next, end, false);
    if (next < end && *next == '.') {
        const char *fraction = ++next;

        next = few ? read_few_digits(digits, next, end) : read_many_digits(digits, next, end, true);
        digits->exponent -= few ? next - fraction : 0;
    }
    return next;
}

/* `e-05`; NULL: letters that are no exponent. */
static const char *read_exponent(struct digits *digits, const char *next, const char *end)
{
    enum { MOST = 100000 }; /* beyond any number that fits */
    bool negative;
    int64_t sum = 0;

    if (next == end)
        return next;
    if (*next != 'e' && *next != 'E')
        return NULL;
    next++;
    negative = next < end && *next == '-';
    next += next < end && (*next == '-' || *next == '+');
    if (next == end)
        return NULL;
    for (; next < end; next++) {
        if (*next < '0' || *next > '9')
            return NULL;
        sum = sum < MOST ? sum * 10 + (*next - '0') : sum;
    }
    digits->exponent += negative ? -sum : sum;
    return next;
}

static bool scale(const struct digits *digits, uint64_t *value)
{
    uint64_t power, rest;

    *value = digits->number;
    if (!digits->number || !digits->exponent)
        return true;
    if (digits->exponent > DIGITS_KEPT)
        return false;
    if (digits->exponent < -DIGITS_KEPT) {
        *value = 0;
        return true;
    }
    if (digits->exponent > 0)
        return !__builtin_mul_overflow(digits->number, powers[digits->exponent], value);
    power = powers[-digits->exponent];
    rest = digits->number % power;
    *value = digits->number / power + (rest >= power - rest);
    return true;
}

const struct loss_reason *value_as_scaled(struct text field, int places, int64_t *value)
{
    struct digits digits = { .exponent = places };
    uint64_t magnitude;
    const char *next;
    const char *end;
    bool negative;

    field = text_trim(field);
    next = field.data;
    end = next + field.length;
    negative = next < end && *next == '-';
    next += next < end && (*next == '-' || *next == '+');
    next = read_digits(&digits, next, end);
    if (!digits.any || !read_exponent(&digits, next, end))
        return &loss_number;
    if (!scale(&digits, &magnitude) || magnitude > INT64_MAX)
        return &loss_time_range;
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return NULL;
}
