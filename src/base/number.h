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
#include <string.h>

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

enum number_problem { NUMBER_FINE, NUMBER_NONE, NUMBER_TOO_LARGE };

/* The whole text, a decimal number, times ten to `places`, rounded to the nearest integer from its digits: what noise of binary
 * fractions the text has is gone. `*value` is set only where that is fine. */
enum number_problem number_parse_scaled(const char *data, size_t length, int places, int64_t *value);

/* ---- Digits of rows, for inner loops ---- */

/* The number that eight digits are, of which each is 0 to 9 and the first the lowest byte. */
__attribute__((always_inline)) static inline uint64_t number_join_eight(uint64_t digits)
{
    digits = digits * 10 + (digits >> 8);
    return ((digits & 0x000000FF000000FFu) * 0x000F424000000064u +
            (digits >> 16 & 0x000000FF000000FFu) * 0x0000271000000001u) >>
           32;
}

/* Eight bytes at once: how many of the first ones are digits, and their value. The caller has eight bytes to read. */
__attribute__((always_inline)) static inline unsigned number_eight_digits(const char *data, uint64_t *value)
{
    static const uint64_t ones = 0x0101010101010101u;
    uint64_t bytes, odd;
    unsigned count;

    memcpy(&bytes, data, sizeof bytes);
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        bytes = __builtin_bswap64(bytes);
    bytes ^= ones * '0';
    /* A byte is no digit when its upper half is not zero, or becomes so by adding six. */
    odd = (bytes | (bytes + ones * 6)) & ones * 0xF0;
    count = odd ? (unsigned)__builtin_ctzll(odd) / 8 : 8;
    if (!count) {
        *value = 0;
        return 0;
    }
    *value = number_join_eight(bytes << (8 - count) * 8);
    return count;
}

/* Whether each of eight bytes is 0 to 9. */
__attribute__((always_inline)) static inline bool number_are_digits(uint64_t bytes)
{
    return !((bytes | (bytes + 0x0606060606060606u)) & 0xF0F0F0F0F0F0F0F0u);
}

/* The whole text, 1 to 16 digits; false on anything else. The words at its ends are loaded, which may overlap: there is no loop whose
 * length the processor would have to guess. */
static inline bool number_all_digits(const char *data, size_t length, int64_t *value)
{
    static const uint64_t zeros = 0x3030303030303030u;
    uint64_t high, low = 0; /* digits: the last eight, and those before them */

    if (length - 1 >= 16)
        return false;
    if (length < 4 || __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) {
        for (size_t i = 0; i < length; i++) {
            if ((unsigned)(unsigned char)data[i] - '0' > 9)
                return false;
            low = low * 10 + (unsigned)(data[i] - '0');
        }
        *value = (int64_t)low;
        return true;
    }
    if (length < 8) {
        uint32_t first, last;

        memcpy(&first, data, sizeof first);
        memcpy(&last, data + length - sizeof last, sizeof last);
        low = ((uint64_t)last << 32 | (uint64_t)first << (8 - length) * 8) ^ zeros << (8 - length) * 8;
        *value = (int64_t)number_join_eight(low);
        return number_are_digits(low);
    }
    memcpy(&high, data, sizeof high);
    memcpy(&low, data + length - sizeof low, sizeof low);
    high = (high ^ zeros) << (16 - length) * 4 << (16 - length) * 4; /* eight digits have none before them */
    low ^= zeros;
    *value = (int64_t)(number_join_eight(high) * 100000000 + number_join_eight(low));
    return number_are_digits(high) && number_are_digits(low);
}

/* Digits of a number that int64_t holds; false (cursor unchanged) on anything else. */
static inline bool number_digits(const char **cursor, const char *end, int64_t *value)
{
    enum { MOST = 19 }; /* so many fit into 64 bits without a sign, whatever they are */
    const char *next = *cursor;
    const char *limit = end - next > MOST ? next + MOST : end;
    uint64_t number = 0;

    while (next < limit && (unsigned)(unsigned char)*next - '0' <= 9)
        number = number * 10 + (unsigned)(*next++ - '0');
    if (next == *cursor || number > INT64_MAX || (next < end && (unsigned)(unsigned char)*next - '0' <= 9))
        return false;
    *cursor = next;
    *value = (int64_t)number;
    return true;
}

/* The same, followed by `delimiter`, which is taken too. Numbers of up to 14 digits with something behind them, which is nearly
 * all of them, are read eight digits at once and the rest one by one. */
__attribute__((always_inline)) static inline bool number_digits_then(const char **cursor, const char *end,
                                                                     char delimiter, int64_t *value)
{
    const char *next = *cursor;

    if (end - next >= 16) {
        uint64_t number;
        unsigned count = number_eight_digits(next, &number);

        if (count == 8) {
            unsigned digit;

            /* Stamps have a few digits more than eight as a rule: one by one is the shorter way. */
            for (; (digit = (unsigned char)next[count] - (unsigned)'0') < 10 && count < 15; count++)
                number = number * 10 + digit;
        }
        if (count - 1 < 14) {
            *value = (int64_t)number;
            *cursor = next + count + 1;
            return next[count] == delimiter;
        }
    }
    if (!number_digits(&next, end, value) || next == end || *next != delimiter)
        return false;
    *cursor = next + 1;
    return true;
}

/* ---- Sums and texts ---- */

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
