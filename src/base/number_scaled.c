/* number_scaled.c: decimal numbers of texts as integers, rounded once, from their digits. */
#include "base/number.h"

#include <assert.h>
#include <string.h>

/* The digits of a decimal number as an integer, and the power of ten that belongs to it. Digits after the 19th cannot be
 * kept; where the result fits into 64 bits they are behind the digit that decides the rounding. */
struct digits {
    uint64_t number;  /* the first digits */
    unsigned kept;    /* how many, leading zeros left out */
    bool any;         /* there is a digit at all */
    int64_t exponent; /* of ten, times which the number is */
};

enum { KEPT = 19 }; /* so many fit into 64 bits, whatever they are */

static const uint64_t powers[KEPT + 1] = {
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
        if (digits->kept == KEPT) {
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
    bool few = end - next <= KEPT + 1; /* one of them is the point */

    /* Twenty digits and no point: one too many. */
    if (end - next == KEPT + 1 && !memchr(next, '.', KEPT + 1))
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

    assert(digits->any);
    *value = digits->number;
    if (!digits->number || !digits->exponent)
        return true;
    if (digits->exponent > KEPT)
        return false;
    if (digits->exponent < -KEPT) {
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

enum number_problem number_parse_scaled(const char *data, size_t length, int places, int64_t *value)
{
    struct digits digits = { .exponent = places };
    const char *next = data;
    const char *end = data + length;
    uint64_t magnitude;
    bool negative = next < end && *next == '-';

    next += next < end && (*next == '-' || *next == '+');
    next = read_digits(&digits, next, end);
    if (!digits.any || !read_exponent(&digits, next, end))
        return NUMBER_NONE;
    if (!scale(&digits, &magnitude) || magnitude > INT64_MAX)
        return NUMBER_TOO_LARGE;
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return NUMBER_FINE;
}
