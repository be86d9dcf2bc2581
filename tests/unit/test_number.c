/* test_number.c: numbers from text and back: the edges of every type, and properties over many random doubles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "comma_locale.h"

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* The text in a block of its exact size, so that the address sanitizer sees a read past its end. */
static char *exact_copy(const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length ? length : 1);

    assert_non_null(copy);
    memcpy(copy, text, length);
    return copy;
}

static void expect_unsigned(const char *text, bool valid, uint64_t expected, size_t used)
{
    char *copy = exact_copy(text);
    const char *cursor = copy;
    uint64_t value = 77;
    bool read = number_read_unsigned(&cursor, copy + strlen(text), &value);

    if (read != valid || (valid && value != expected) || (size_t)(cursor - copy) != (valid ? used : 0))
        fail_msg("\"%s\": read %d, value %llu, used %td", text, read, (unsigned long long)value, cursor - copy);
    free(copy);
}

static void unsigned_numbers_stop_at_their_edge(void **state)
{
    (void)state;
    expect_unsigned("0", true, 0, 1);
    expect_unsigned("7,8", true, 7, 1);
    expect_unsigned("0000000000000000000000000000012", true, 12, 31);
    expect_unsigned("9999999999999999999", true, 9999999999999999999u, 19);
    expect_unsigned("18446744073709551615", true, UINT64_MAX, 20);
    expect_unsigned("18446744073709551615.5", true, UINT64_MAX, 20);
    expect_unsigned("18446744073709551616", false, 0, 0);
    expect_unsigned("18446744073709551620", false, 0, 0);
    expect_unsigned("99999999999999999999", false, 0, 0);
    expect_unsigned("184467440737095516150", false, 0, 0);
    expect_unsigned("", false, 0, 0);
    expect_unsigned("-1", false, 0, 0);
    expect_unsigned("+1", false, 0, 0);
    expect_unsigned(" 1", false, 0, 0);
    expect_unsigned("x", false, 0, 0);
}

static void expect_integer(const char *text, bool valid, int64_t expected)
{
    char *copy = exact_copy(text);
    int64_t value = 77;
    bool parsed = number_parse_integer(copy, strlen(text), &value);

    if (parsed != valid || value != (valid ? expected : 77))
        fail_msg("\"%s\": parsed %d, value %lld", text, parsed, (long long)value);
    free(copy);
}

static void integers_stop_at_their_edges(void **state)
{
    const char *text = "-12abc";
    const char *cursor = text;
    int64_t value;

    (void)state;
    expect_integer("0", true, 0);
    expect_integer("-0", true, 0);
    expect_integer("+5", true, 5);
    expect_integer("-5", true, -5);
    expect_integer("9223372036854775807", true, INT64_MAX);
    expect_integer("9223372036854775808", false, 0);
    expect_integer("-9223372036854775808", true, INT64_MIN);
    expect_integer("-9223372036854775809", false, 0);
    expect_integer("18446744073709551616", false, 0);
    expect_integer("", false, 0);
    expect_integer("-", false, 0);
    expect_integer("+", false, 0);
    expect_integer("--1", false, 0);
    expect_integer("1 ", false, 0);
    expect_integer("1.0", false, 0);
    assert_true(number_read_integer(&cursor, text + 6, &value));
    assert_int_equal(value, -12);
    assert_ptr_equal(cursor, text + 3);
}

static void expect_decimal(const char *text, bool valid, double expected)
{
    char *copy = exact_copy(text);
    double value = 77;
    bool parsed = number_parse_decimal(copy, strlen(text), &value);

    expected = valid ? expected : 77;
    if (parsed != valid || memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("\"%s\": parsed %d, value %.17g", text, parsed, value);
    free(copy);
}

static void decimals_are_read(void **state)
{
    (void)state;
    expect_decimal("12.5", true, 12.5);
    expect_decimal("1e3", true, 1000);
    expect_decimal("1E+3", true, 1000);
    expect_decimal("-0.25", true, -0.25);
    expect_decimal("-0", true, -0.0);
    expect_decimal("0.000", true, 0);
    expect_decimal("0e999999999999999999999", true, 0);
    expect_decimal(".5", true, 0.5);
    expect_decimal("5.", true, 5);
    expect_decimal("+1.5e-3", true, 0.0015);
    expect_decimal("9007199254740993", true, 9007199254740992.0);
    expect_decimal("9007199254740992.99999", true, 9007199254740992.0);
    expect_decimal("9007199254740993.00000000000000000000001", true, 9007199254740994.0);
    expect_decimal("1.7976931348623157e308", true, DBL_MAX);
    expect_decimal("1.7976931348623159e308", false, 0);
    expect_decimal("1e309", false, 0);
    expect_decimal("-1e400", false, 0);
    expect_decimal("1e99999999999999999999999", false, 0);
    expect_decimal("1e-99999999999999999999999", true, 0);
    expect_decimal("4.9406564584124654e-324", true, 4.9406564584124654e-324);
    expect_decimal("2.4703282292062328e-324", true, 4.9406564584124654e-324);
    expect_decimal("2.4703282292062327e-324", true, 0);
    expect_decimal("2.2250738585072011e-308", true, 2.2250738585072011e-308);
    expect_decimal("123456789012345678901234567890", true, 123456789012345678901234567890.0);
    expect_decimal("8.5e22", true, 8.5e22);
    expect_decimal("8.5e23", true, 8.5e23);
}

static void what_is_no_decimal_is_refused(void **state)
{
    static const char *const texts[] = { "",     ".",   "-",  "e5", "-.e1", "nan", "inf",
                                         "0x10", "1,5", " 1", "1 ", "1e",   "1e+", "1.2.3" };
    const char *text = "1e+x";
    const char *cursor = text;
    double value;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_decimal(texts[i], false, 0);
    /* Read from a longer text, an exponent without digits is left alone. */
    assert_true(number_read_decimal(&cursor, text + 4, &value));
    assert_true(value == 1.0);
    assert_ptr_equal(cursor, text + 1);
}

/* Halfway between 1 and the next double, then one digit far behind that decides. */
static void very_long_digits_still_round_right(void **state)
{
    static const char half[] = "1.00000000000000011102230246251565404236316680908203125";
    char text[5000];
    size_t length = sizeof half - 1;
    double value;

    (void)state;
    memcpy(text, half, length);
    memset(text + length, '0', sizeof text - length);
    assert_true(number_parse_decimal(text, sizeof text, &value));
    assert_true(value == 1.0);
    text[sizeof text - 1] = '1';
    assert_true(number_parse_decimal(text, sizeof text, &value));
    assert_true(value == 1.0 + DBL_EPSILON);
    /* Thousands of zeros before the first digit, undone by the exponent. */
    memset(text, '0', sizeof text);
    text[1] = '.';
    memcpy(text + sizeof text - 6, "5e4990", 6);
    assert_true(number_parse_decimal(text, sizeof text, &value));
    assert_true(value == 5e-3); /* 4992 zeros and the 5 stand behind the point */
    /* And thousands of digits before the point. */
    memset(text, '9', sizeof text);
    memcpy(text + sizeof text - 6, "e-4993", 6);
    assert_true(number_parse_decimal(text, sizeof text, &value));
    assert_true(value == 10.0);
}

static void random_decimals_match_strtod(void **state)
{
    (void)state;
    for (int round = 0; round < 100000; round++) {
        char text[64];
        double value;
        int digits = (int)(random_bits() % 20) + 1;
        int exponent = (int)(random_bits() % 80) - 40;

        snprintf(text, sizeof text, "%.*llu.%llue%d", digits, (unsigned long long)(random_bits() >> random_bits() % 64),
                 (unsigned long long)(random_bits() >> random_bits() % 64), exponent);
        assert_true(number_parse_decimal(text, strlen(text), &value));
        if (value != strtod(text, NULL))
            fail_msg("%s: %.17g", text, value);
    }
}

static void expect_fraction(const char *text, bool valid, uint64_t top, uint64_t bottom)
{
    uint64_t numerator = 0;
    uint64_t denominator = 0;
    bool parsed = number_parse_fraction(text, &numerator, &denominator);

    if (parsed != valid || (valid && (numerator != top || denominator != bottom)))
        fail_msg("\"%s\": parsed %d, %llu/%llu", text, parsed, (unsigned long long)numerator,
                 (unsigned long long)denominator);
}

static void fractions_are_exact(void **state)
{
    (void)state;
    expect_fraction("800", true, 800, 1);
    expect_fraction("0.5", true, 1, 2);
    expect_fraction("1202.25", true, 4809, 4);
    expect_fraction("1202.2500000000000000000000000000000", true, 4809, 4);
    expect_fraction(".25", true, 1, 4);
    expect_fraction("3.", true, 3, 1);
    expect_fraction("1000", true, 1000, 1);
    expect_fraction("0.1", true, 1, 10);
    expect_fraction("18446744073709551615", true, UINT64_MAX, 1);
    expect_fraction("18446744073709551616", false, 0, 0);
    expect_fraction("0.0000000000000000001", true, 1, 10000000000000000000u);
    expect_fraction("0.00000000000000000001", false, 0, 0);
    expect_fraction("0", false, 0, 0);
    expect_fraction("0.000", false, 0, 0);
    expect_fraction("", false, 0, 0);
    expect_fraction(".", false, 0, 0);
    expect_fraction("-1", false, 0, 0);
    expect_fraction("1.2.3", false, 0, 0);
    expect_fraction("1e3", false, 0, 0);
    expect_fraction("12 ", false, 0, 0);
}

static void written_integers_match_printf(void **state)
{
    (void)state;
    for (int round = 0; round < 100000; round++) {
        uint64_t value = round == 0 ? 0 : round == 1 ? UINT64_MAX : random_bits() >> random_bits() % 64;
        int64_t sign_value = round == 1 ? INT64_MIN : (int64_t)(random_bits()) >> random_bits() % 64;
        char expected[32];
        char text[32];

        snprintf(expected, sizeof expected, "%llu", (unsigned long long)value);
        text[number_write_unsigned(text, value)] = '\0';
        assert_string_equal(text, expected);
        snprintf(expected, sizeof expected, "%lld", (long long)sign_value);
        text[number_write_integer(text, sign_value)] = '\0';
        assert_string_equal(text, expected);
    }
}

static void expect_shortest(double value, const char *expected)
{
    char text[33];

    text[number_write_shortest(text, value)] = '\0';
    assert_string_equal(text, expected);
}

/* Left: the value; right: what Python 3 prints for it. */
static void shortest_is_as_python_writes_it(void **state)
{
    (void)state;
    expect_shortest(12.0, "12.0");
    expect_shortest(0.0, "0.0");
    expect_shortest(-0.0, "-0.0");
    expect_shortest(0.1, "0.1");
    expect_shortest(0.1 + 0.2, "0.30000000000000004");
    expect_shortest(1e-5, "1e-05");
    expect_shortest(1.5e-7, "1.5e-07");
    expect_shortest(1e-4, "0.0001");
    expect_shortest(0.00012345, "0.00012345");
    expect_shortest(1e15, "1000000000000000.0");
    expect_shortest(1e16, "1e+16");
    expect_shortest(9999999999999998.0, "9999999999999998.0");
    expect_shortest(123456789012345.0, "123456789012345.0");
    expect_shortest(-1234.5678, "-1234.5678");
    expect_shortest(1.0 / 3.0, "0.3333333333333333");
    expect_shortest(1e22, "1e+22");
    expect_shortest(1e23, "1e+23");
    expect_shortest(1.7976931348623157e308, "1.7976931348623157e+308");
    expect_shortest(2.2250738585072014e-308, "2.2250738585072014e-308");
    expect_shortest(5e-324, "5e-324");
    expect_shortest(1.5e-323, "1.5e-323");
    expect_shortest(0x1p-44, "5.684341886080802e-14");
    expect_shortest(9007199254740992.0, "9007199254740992.0");
    expect_shortest((double)INFINITY, "inf");
    expect_shortest(-(double)INFINITY, "-inf");
    expect_shortest((double)NAN, "nan");
    expect_shortest(-(double)NAN, "nan");
}

static double random_double(int round)
{
    uint64_t bits = random_bits();
    double value;

    if (round % 3 == 1)
        return (double)(int64_t)(bits >> 20) / 1000.0;
    if (round % 3 == 2)
        return (double)(bits >> 11) / 1e12;
    bits = round % 2 ? bits : bits >> random_bits() % 40;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Significant digits, zeros at either side not counted. */
static int digits_in(const char *text)
{
    int count = 0;
    int zeros = 0;

    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9')
            continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        count += count > 0 || *text != '0';
        zeros = count > 0 ? zeros : 0;
    }
    return count - zeros;
}

static void shortest_reads_back_and_is_shortest(void **state)
{
    (void)state;
    for (int round = 0; round < 60000; round++) {
        double value = random_double(round);
        char text[33];
        char shorter[64];
        double again;
        size_t length;
        int digits;

        if (!isfinite(value) || value == 0.0)
            continue;
        length = number_write_shortest(text, value);
        assert_in_range(length, 3, 32);
        text[length] = '\0';
        assert_true(number_parse_decimal(text, length, &again));
        if (memcmp(&again, &value, sizeof value) != 0)
            fail_msg("%s reads back as %.17g", text, again);
        digits = digits_in(text);
        if (digits < 2)
            continue;
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
        if (strtod(shorter, NULL) == value)
            fail_msg("%s is not the shortest: %s", text, shorter);
    }
}

/* The code asks no locale, and this shows it. */
static void locale_plays_no_part(void **state)
{
    (void)state;
    enter_comma_locale();
    expect_decimal("1.5", true, 1.5);
    expect_decimal("1.23456789012345678e-30", true, 1.23456789012345678e-30);
    expect_decimal("1,5", false, 0);
    expect_shortest(0.1 + 0.2, "0.30000000000000004");
    leave_comma_locale();
}

/* Whatever the length and what follows: the fast way and the plain one agree. */
static void digits_of_rows_match_the_plain_way(void **state)
{
    char text[64];

    (void)state;
    for (unsigned digits = 0; digits <= 21; digits++) {
        for (unsigned rest = 0; rest < 20; rest++) {
            const char *cursor = text, *plain = text, *end;
            int64_t value = -1, expected = -1;
            bool fits;

            for (unsigned i = 0; i < digits; i++)
                text[i] = (char)('9' - i % 3);
            memset(text + digits, ',', rest);
            end = text + digits + rest;
            fits = digits && number_read_integer(&plain, end, &expected);
            assert_int_equal(number_digits_then(&cursor, end, ',', &value), fits && rest);
            if (fits && rest) {
                assert_int_equal(value, expected);
                assert_ptr_equal(cursor, plain + 1);
            }
            cursor = text;
            assert_int_equal(number_digits(&cursor, end, &value), fits);
            assert_ptr_equal(cursor, fits ? plain : text);
        }
    }
}

/* Every length, with a byte in every place that is no digit but near to one. */
static void all_digits_match_the_plain_way(void **state)
{
    static const char odd[] = "/:,-. \x80\xb5";
    char text[24];
    int64_t value, expected;

    (void)state;
    for (unsigned length = 0; length <= 20; length++) {
        const char *cursor = text;

        for (unsigned i = 0; i < length; i++)
            text[i] = (char)('0' + (i * 7 + length) % 10);
        assert_int_equal(number_all_digits(text, length, &value), length >= 1 && length <= 16);
        if (length >= 1 && length <= 16) {
            assert_true(number_read_integer(&cursor, text + length, &expected));
            assert_int_equal(value, expected);
        }
        for (unsigned i = 0; i < length; i++)
            for (unsigned j = 0; j < sizeof odd; j++) {
                char digit = text[i];

                text[i] = odd[j];
                assert_false(number_all_digits(text, length, &value));
                text[i] = digit;
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsigned_numbers_stop_at_their_edge),
        cmocka_unit_test(integers_stop_at_their_edges),
        cmocka_unit_test(digits_of_rows_match_the_plain_way),
        cmocka_unit_test(all_digits_match_the_plain_way),
        cmocka_unit_test(decimals_are_read),
        cmocka_unit_test(what_is_no_decimal_is_refused),
        cmocka_unit_test(very_long_digits_still_round_right),
        cmocka_unit_test(random_decimals_match_strtod),
        cmocka_unit_test(fractions_are_exact),
        cmocka_unit_test(written_integers_match_printf),
        cmocka_unit_test(shortest_is_as_python_writes_it),
        cmocka_unit_test(shortest_reads_back_and_is_shortest),
        cmocka_unit_test_setup_teardown(locale_plays_no_part, make_place, remove_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
