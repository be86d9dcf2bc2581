/* number.c: integers, decimals and fractions from text; shortest decimals to text. */
#include "base/number.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No double needs more significant digits than this to be rounded correctly, when it is also known whether something
 * other than zero followed. */
enum { DIGITS_KEPT = 770 };

/* An exponent written in the text is capped here: far beyond any double, and far from overflowing a 64-bit sum. */
static const int64_t EXPONENT_CAP = 1000000000000;

/* Powers of ten that a double holds exactly. */
static const double exact_powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
enum { EXACT_POWERS = sizeof exact_powers / sizeof exact_powers[0], FIVES = 56 };

__extension__ typedef unsigned __int128 wide;

static const uint64_t MOST_EXACT = (uint64_t)1 << 53; /* integers up to here are doubles */

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

bool number_read_unsigned(const char **cursor, const char *end, uint64_t *value)
{
    const char *at = *cursor;
    const char *safe = end - at > 19 ? at + 19 : end; /* 19 digits cannot overflow */
    uint64_t sum = 0;

    if (at >= end || !is_digit(*at))
        return false;
    for (; at < safe && is_digit(*at); at++)
        sum = sum * 10 + (uint64_t)(*at - '0');
    for (; at < end && is_digit(*at); at++) {
        if (__builtin_mul_overflow(sum, (uint64_t)10, &sum) || __builtin_add_overflow(sum, (uint64_t)(*at - '0'), &sum))
            return false;
    }
    *value = sum;
    *cursor = at;
    return true;
}

bool number_read_integer(const char **cursor, const char *end, int64_t *value)
{
    const char *at = *cursor;
    bool negative = at < end && *at == '-';
    uint64_t magnitude;

    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (!number_read_unsigned(&at, end, &magnitude) || magnitude > (uint64_t)INT64_MAX + negative)
        return false;
    /* The detour over magnitude - 1 keeps INT64_MIN free of overflow. */
    *value = negative && magnitude ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
    *cursor = at;
    return true;
}

/* A decimal taken apart: significant digits as if they were an integer, times ten to the exponent. */
struct decimal {
    bool negative;            /* it has a minus */
    bool any_digit;           /* zeros count */
    bool more;                /* a digit other than zero did not fit */
    uint64_t leading;         /* the first 19 significant digits */
    size_t count;             /* of digits kept */
    int64_t exponent;         /* of ten, times which the digits are */
    char digits[DIGITS_KEPT]; /* without leading zeros */
};

static const char *scan_digits(struct decimal *decimal, const char *at, const char *end, bool fraction)
{
    for (; at < end && is_digit(*at); at++) {
        decimal->any_digit = true;
        decimal->exponent -= fraction;
        if (*at == '0' && decimal->count == 0)
            continue;
        if (decimal->count == DIGITS_KEPT) {
            decimal->more |= *at != '0';
            decimal->exponent++;
            continue;
        }
        if (decimal->count < 19)
            decimal->leading = decimal->leading * 10 + (uint64_t)(*at - '0');
        decimal->digits[decimal->count++] = *at;
    }
    return at;
}

/* An exponent without digits is none: "1e" is the number 1 and a letter. */
static const char *scan_exponent(struct decimal *decimal, const char *at, const char *end)
{
    const char *digit = at + 1;
    bool negative;
    int64_t sum = 0;

    if (at >= end || (*at != 'e' && *at != 'E'))
        return at;
    negative = digit < end && *digit == '-';
    if (digit < end && (*digit == '-' || *digit == '+'))
        digit++;
    if (digit >= end || !is_digit(*digit))
        return at;
    for (; digit < end && is_digit(*digit); digit++) {
        if (sum < EXPONENT_CAP)
            sum = sum * 10 + (*digit - '0');
    }
    decimal->exponent += negative ? -sum : sum;
    return digit;
}

/* Text without a decimal point reads the same under every locale, so plain strtod serves. */
static double digits_to_double(const char *digits, size_t count, bool more, int64_t exponent)
{
    char text[DIGITS_KEPT + 32];
    size_t length = count;

    memcpy(text, digits, count);
    if (more) {
        text[length++] = '1'; /* tips a tie the right way */
        exponent--;
    }
    text[length++] = 'e';
    exponent = exponent > 99999 ? 99999 : exponent < -99999 ? -99999 : exponent;
    length += number_write_integer(text + length, exponent);
    text[length] = '\0';
    return strtod(text, NULL);
}

static double decimal_to_double(const struct decimal *decimal)
{
    if (decimal->count == 0)
        return 0.0;
    if (decimal->count <= 19 && decimal->leading <= MOST_EXACT && decimal->exponent > -EXACT_POWERS &&
        decimal->exponent < EXACT_POWERS) {
        /* Two exact doubles and one operation: correctly rounded. */
        if (decimal->exponent < 0)
            return (double)decimal->leading / exact_powers[-decimal->exponent];
        return (double)decimal->leading * exact_powers[decimal->exponent];
    }
    return digits_to_double(decimal->digits, decimal->count, decimal->more, decimal->exponent);
}

bool number_read_decimal(const char **cursor, const char *end, double *value)
{
    const char *at = *cursor;
    struct decimal decimal;
    double magnitude;

    decimal.negative = at < end && *at == '-';
    decimal.any_digit = false;
    decimal.more = false;
    decimal.leading = 0;
    decimal.count = 0;
    decimal.exponent = 0;
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    at = scan_digits(&decimal, at, end, false);
    if (at < end && *at == '.')
        at = scan_digits(&decimal, at + 1, end, true);
    if (!decimal.any_digit)
        return false;
    at = scan_exponent(&decimal, at, end);
    magnitude = decimal_to_double(&decimal);
    if (!isfinite(magnitude))
        return false;
    *value = decimal.negative ? -magnitude : magnitude;
    *cursor = at;
    return true;
}

bool number_parse_integer(const char *data, size_t length, int64_t *value)
{
    const char *at = data;
    int64_t parsed;

    if (!number_read_integer(&at, data + length, &parsed) || at != data + length)
        return false;
    *value = parsed;
    return true;
}

bool number_parse_decimal(const char *data, size_t length, double *value)
{
    const char *at = data;
    double parsed;

    if (!number_read_decimal(&at, data + length, &parsed) || at != data + length)
        return false;
    *value = parsed;
    return true;
}

static uint64_t greatest_common_divisor(uint64_t left, uint64_t right)
{
    while (right) {
        uint64_t rest = left % right;

        left = right;
        right = rest;
    }
    return left;
}

bool number_parse_fraction(const char *text, uint64_t *numerator, uint64_t *denominator)
{
    const char *point = strchr(text, '.');
    const char *end = text + strlen(text);
    uint64_t top = 0;
    uint64_t bottom = 1;
    uint64_t common;

    if (point) {
        while (end[-1] == '0') /* stops at the point */
            end--;
    }
    for (const char *at = text; at < end; at++) {
        if (at == point)
            continue;
        if (!is_digit(*at) || __builtin_mul_overflow(top, (uint64_t)10, &top) ||
            __builtin_add_overflow(top, (uint64_t)(*at - '0'), &top))
            return false;
        if (point && at > point && __builtin_mul_overflow(bottom, (uint64_t)10, &bottom))
            return false;
    }
    if (top == 0)
        return false;
    common = greatest_common_divisor(top, bottom);
    *numerator = top / common;
    *denominator = bottom / common;
    return true;
}

static const char digit_pairs[201] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                     "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                     "8081828384858687888990919293949596979899";

size_t number_write_unsigned(char *to, uint64_t value)
{
    char digits[20];
    char *at = digits + sizeof digits;
    size_t length;

    while (value >= 100) {
        at -= 2;
        memcpy(at, digit_pairs + value % 100 * 2, 2);
        value /= 100;
    }
    if (value >= 10) {
        at -= 2;
        memcpy(at, digit_pairs + value * 2, 2);
    } else {
        *--at = (char)('0' + value);
    }
    length = (size_t)(digits + sizeof digits - at);
    memcpy(to, at, length);
    return length;
}

size_t number_write_integer(char *to, int64_t value)
{
    if (value >= 0)
        return number_write_unsigned(to, (uint64_t)value);
    *to = '-';
    return 1 + number_write_unsigned(to + 1, ~(uint64_t)value + 1);
}

/* Significant digits d1 d2 ... dn that mean d1.d2...dn times ten to the exponent. */
struct shortest {
    char digits[20]; /* ASCII, no NUL */
    size_t count;    /* of digits */
    int exponent;    /* of ten, of the first digit */
};

/* factor * 5^n * 2^-shift as an integer, with the lowest bit set where something was cut off. 5^n has 128 bits at most, `shift`
 * is below 192, and the result fits. */
static uint64_t scale_to_odd(uint64_t factor, wide power, unsigned shift)
{
    wide low = (wide)factor * (uint64_t)power;
    wide high = (wide)factor * (uint64_t)(power >> 64) + (uint64_t)(low >> 64);
    uint64_t last = (uint64_t)low;
    uint64_t cut;
    wide rest;

    if (shift == 0)
        return last;
    if (shift < 64) {
        cut = last << (64 - shift);
        return (uint64_t)(high << (64 - shift)) | last >> shift | (cut != 0);
    }
    rest = shift == 64 ? 0 : high << (192 - shift);
    return (uint64_t)(high >> (shift - 64)) | (rest != 0 || last != 0);
}

/* The powers of five that 128 bits hold. */
static const wide *powers_of_five(void)
{
    static wide powers[FIVES];
    static atomic_bool filled;

    /* Whoever comes first fills it; two at once write the same. */
    if (!atomic_load_explicit(&filled, memory_order_acquire)) {
        wide power = 1;

        for (unsigned i = 0; i < FIVES; i++, power *= 5)
            powers[i] = power;
        atomic_store_explicit(&filled, true, memory_order_release);
    }
    return powers;
}

/* The shortest decimal inside the interval of numbers that round to `value`, by integer arithmetic (the idea of Schubfach: of
 * all decimals with 17 digits at most only four can be the answer). Exact where the power of ten that brings the value to 16 or
 * 17 digits fits 128 bits: from 1e-38 up to 2^53. False: beyond that. */
static bool shortest_by_scaling(double value, struct shortest *shortest)
{
    uint64_t bits, c, s, found;
    uint64_t middle, lower, upper;
    int binary, n;
    unsigned shift;
    bool lopsided, odd, down, up;
    const wide *power;

    memcpy(&bits, &value, sizeof bits);
    c = bits & ((UINT64_C(1) << 52) - 1);
    binary = (int)(bits >> 52);
    lopsided = c == 0;
    c |= UINT64_C(1) << 52;
    binary -= 1075;
    if (binary > 0 || binary < -170)
        return false;
    /* ceil(-log10(2^binary)), of 3/4 of it where the interval is shorter below: 1262611 / 2^22 is log10(2). */
    n = -((binary * 1262611 - (lopsided ? 524031 : 0)) >> 22);
    if (binary + n > 0)
        return false;
    shift = (unsigned)-(binary + n);
    power = &powers_of_five()[n];
    odd = c & 1;
    middle = scale_to_odd(4 * c, *power, shift);
    lower = scale_to_odd(4 * c - (lopsided ? 1 : 2), *power, shift);
    upper = scale_to_odd(4 * c + 2, *power, shift);
    s = middle >> 2;
    down = lower + odd <= s / 10 * 40;
    up = s / 10 * 40 + 40 + odd <= upper;
    if (down != up) {
        found = s / 10 * 10 + (down ? 0 : 10);
    } else {
        down = lower + odd <= s << 2;
        up = ((s + 1) << 2) + odd <= upper;
        if (down != up)
            found = down ? s : s + 1;
        else
            found = middle < (s << 2) + 2 || (middle == (s << 2) + 2 && !(s & 1)) ? s : s + 1;
    }
    shortest->count = number_write_unsigned(shortest->digits, found);
    shortest->exponent = (int)shortest->count - 1 - n;
    return true;
}

/* `count` digits of the value, correctly rounded. Only digits and the exponent are taken from what printf wrote: the
 * point between them depends on the locale. */
static void print_digits(double value, size_t count, struct shortest *shortest)
{
    char text[64];
    const char *at = text;

    snprintf(text, sizeof text, "%.*e", (int)count - 1, value);
    shortest->count = 0;
    for (; *at != 'e'; at++) {
        if (is_digit(*at) && shortest->count < count)
            shortest->digits[shortest->count++] = *at;
    }
    shortest->exponent = atoi(at + 1);
}

static bool reads_back(const struct shortest *shortest, double value)
{
    int64_t exponent = shortest->exponent - (int64_t)(shortest->count - 1);

    return digits_to_double(shortest->digits, shortest->count, false, exponent) == value;
}

static void round_up_last(struct shortest *shortest)
{
    size_t at = shortest->count;

    while (at > 0 && shortest->digits[at - 1] == '9')
        shortest->digits[--at] = '0';
    if (at > 0) {
        shortest->digits[at - 1]++;
        return;
    }
    shortest->digits[0] = '1';
    shortest->exponent++;
}

static void shortest_by_trying(double value, struct shortest *shortest)
{
    int binary_exponent;
    /* Below a power of two doubles lie twice as dense as above it, so the nearest decimal may miss while the next
     * one up hits. */
    bool lopsided = frexp(value, &binary_exponent) == 0.5;
    /* Subnormal numbers have fewer than 15 digits, so the search starts at one. */
    size_t count = value < 2.2250738585072014e-308 ? 1 : 15;

    for (; count < 17; count++) {
        print_digits(value, count, shortest);
        if (reads_back(shortest, value))
            return;
        if (lopsided) {
            round_up_last(shortest);
            if (reads_back(shortest, value))
                return;
        }
    }
    print_digits(value, 17, shortest);
}

static size_t write_scientific(char *to, const struct shortest *shortest)
{
    char *at = to;
    int exponent = shortest->exponent;

    *at++ = shortest->digits[0];
    if (shortest->count > 1) {
        *at++ = '.';
        memcpy(at, shortest->digits + 1, shortest->count - 1);
        at += shortest->count - 1;
    }
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    exponent = abs(exponent);
    if (exponent < 10)
        *at++ = '0';
    at += number_write_unsigned(at, (uint64_t)exponent);
    return (size_t)(at - to);
}

static size_t write_plain(char *to, const struct shortest *shortest)
{
    char *at = to;
    size_t whole = shortest->exponent < 0 ? 0 : (size_t)shortest->exponent + 1; /* digits before the point */

    if (whole == 0) {
        size_t zeros = (size_t)-shortest->exponent - 1;

        memcpy(at, "0.", 2);
        memset(at + 2, '0', zeros);
        memcpy(at + 2 + zeros, shortest->digits, shortest->count);
        return 2 + zeros + shortest->count;
    }
    for (size_t i = 0; i < whole; i++)
        *at++ = i < shortest->count ? shortest->digits[i] : '0';
    *at++ = '.';
    if (shortest->count <= whole) {
        *at++ = '0';
    } else {
        memcpy(at, shortest->digits + whole, shortest->count - whole);
        at += shortest->count - whole;
    }
    return (size_t)(at - to);
}

size_t number_write_shortest(char *to, double value)
{
    struct shortest shortest;
    size_t sign = signbit(value) && !isnan(value) ? 1 : 0;

    if (sign)
        *to = '-';
    if (!isfinite(value)) {
        memcpy(to + sign, isnan(value) ? "nan" : "inf", 3);
        return sign + 3;
    }
    value = fabs(value);
    if (value == 0.0) {
        memcpy(to + sign, "0.0", 3);
        return sign + 3;
    }
    if (!shortest_by_scaling(value, &shortest))
        shortest_by_trying(value, &shortest);
    while (shortest.count > 1 && shortest.digits[shortest.count - 1] == '0')
        shortest.count--;
    if (shortest.exponent < -4 || shortest.exponent >= 16)
        return sign + write_scientific(to + sign, &shortest);
    return sign + write_plain(to + sign, &shortest);
}
