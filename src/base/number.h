/* number.h: numbers from text, and sums of them, with every overflow caught.
 *
 * The parsers read from `*cursor` up to `end`, and on success move `*cursor` past what they read. They never read past
 * `end` and need no NUL.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal digits, at least one. False (cursor unchanged): no digit, or more than the type holds. */
bool number_read_unsigned(const char **cursor, const char *end, uint64_t *value);
/* The same with an optional sign. */
bool number_read_integer(const char **cursor, const char *end, int64_t *value);
/* A decimal number such as 12.5, 1e3, -0.25; locale plays no part. False: no number, or not finite. */
bool number_read_decimal(const char **cursor, const char *end, double *value);
/* The whole text must be the number. */
bool number_parse_integer(const char *data, size_t length, int64_t *value);
bool number_parse_decimal(const char *data, size_t length, double *value);
/* A positive decimal as an exact fraction, for clocks: "800" = 800/1, "0.5" = 1/2, "1202.25" = 4809/4. */
bool number_parse_fraction(const char *text, uint64_t *numerator, uint64_t *denominator);

/* The sum, or the end of the range that it would pass: sums of what a file says may not wrap. */
static inline int64_t number_add(int64_t one, int64_t other)
{
    int64_t sum;

    return __builtin_add_overflow(one, other, &sum) ? (one < 0 ? INT64_MIN : INT64_MAX) : sum;
}

/* Writes `value` in decimal at `to` (20 bytes are always enough) and returns the length. */
size_t number_write_unsigned(char *to, uint64_t value);
size_t number_write_integer(char *to, int64_t value); /* 21 bytes */
/* The shortest text that reads back as the same double, as Python's repr writes it (12.0, 1e-05, 0.1); 32 bytes. */
size_t number_write_shortest(char *to, double value);

#endif
