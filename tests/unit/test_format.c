/* test_format.c: how numbers and texts look to a person. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/format.h"
#include "comma_locale.h"

#define MICRO "\xC2\xB5"

static void expect_duration(int64_t nanoseconds, const char *expected)
{
    char text[FORMAT_SIZE];

    assert_int_equal(format_duration(text, nanoseconds), strlen(expected));
    assert_string_equal(text, expected);
}

static void durations(void **state)
{
    (void)state;
    expect_duration(0, "0ns");
    expect_duration(17, "17ns");
    expect_duration(999, "999ns");
    expect_duration(1000, "1.000" MICRO "s");
    expect_duration(453000, "453.000" MICRO "s");
    expect_duration(999999, "999.999" MICRO "s");
    expect_duration(1000000, "1.000ms");
    expect_duration(12845000, "12.845ms");
    expect_duration(12845499, "12.845ms");
    expect_duration(12845500, "12.846ms");
    expect_duration(1001000, "1.001ms");
    expect_duration(999999499, "999.999ms");
    expect_duration(999999500, "1000.000ms");
    expect_duration(1000000000, "1.000s");
    expect_duration(1234000000, "1.234s");
    expect_duration(1234499999, "1.234s");
    expect_duration(1234500000, "1.235s");
    expect_duration(INT64_MAX, "9223372036.855s");
}

static void negative_durations(void **state)
{
    (void)state;
    expect_duration(-1, "-1ns");
    expect_duration(-1500, "-1.500" MICRO "s");
    expect_duration(-12845000, "-12.845ms");
    expect_duration(-1234000000, "-1.234s");
    expect_duration(INT64_MIN, "-9223372036.855s");
}

static void expect_percent(int64_t part, int64_t whole, const char *expected)
{
    char text[FORMAT_SIZE];

    assert_int_equal(format_percent(text, part, whole), strlen(expected));
    assert_string_equal(text, expected);
}

static void percents(void **state)
{
    (void)state;
    expect_percent(1234, 10000, "12.34%");
    expect_percent(1, 3, "33.33%");
    expect_percent(2, 3, "66.67%");
    expect_percent(5, 0, "0.00%");
    expect_percent(0, 5, "0.00%");
    expect_percent(0, -5, "0.00%");
    expect_percent(5, 5, "100.00%");
    expect_percent(-1, 4, "-25.00%");
    expect_percent(INT64_MAX, 1, "922337203685477580800.00%");
    expect_percent(INT64_MIN, 1, "-922337203685477580800.00%");
}

static void locale_plays_no_part(void **state)
{
    (void)state;
    enter_comma_locale();
    expect_percent(1, 3, "33.33%");
    expect_percent(-1, 4, "-25.00%");
    expect_duration(12845000, "12.845ms");
    leave_comma_locale();
}

static void expect_bytes(uint64_t bytes, const char *expected)
{
    char text[FORMAT_SIZE];

    assert_int_equal(format_bytes(text, bytes), strlen(expected));
    assert_string_equal(text, expected);
}

static void byte_counts(void **state)
{
    (void)state;
    expect_bytes(0, "0 B");
    expect_bytes(640, "640 B");
    expect_bytes(1023, "1023 B");
    expect_bytes(1024, "1.00 KiB");
    expect_bytes(1280, "1.25 KiB");
    expect_bytes(3 * 1024 * 1024, "3.00 MiB");
    expect_bytes(1024 * 1024 - 1, "1.00 MiB");
    expect_bytes(1024 * 1023, "1023.00 KiB");
    expect_bytes(1029, "1.00 KiB");
    expect_bytes(1030, "1.01 KiB");
    expect_bytes((uint64_t)1 << 40, "1.00 TiB");
    expect_bytes(UINT64_MAX, "16.00 EiB");
}

static void expect_count(uint64_t count, const char *expected)
{
    char text[FORMAT_SIZE];

    assert_int_equal(format_count(text, count), strlen(expected));
    assert_string_equal(text, expected);
}

static void counts(void **state)
{
    (void)state;
    expect_count(0, "0");
    expect_count(12, "12");
    expect_count(123, "123");
    expect_count(1234, "1,234");
    expect_count(123456, "123,456");
    expect_count(1234567, "1,234,567");
    expect_count(UINT64_MAX, "18,446,744,073,709,551,615");
}

static void expect_width(const char *text, size_t expected)
{
    size_t width = format_width(text, strlen(text));

    if (width != expected)
        fail_msg("\"%s\" takes %zu columns, expected %zu", text, width, expected);
}

static void dates(void **state)
{
    char to[FORMAT_SIZE];

    (void)state;
    assert_int_equal(format_date(to, 0), 20);
    assert_string_equal(to, "1970-01-01T00:00:00Z");
    format_date(to, INT64_C(1763337599999999999));
    assert_string_equal(to, "2025-11-16T23:59:59Z");
    format_date(to, -1);
    assert_string_equal(to, "1969-12-31T23:59:59Z");
    assert_int_equal(format_date(to, INT64_MAX), 20);
    assert_string_equal(to, "2262-04-11T23:47:16Z");
}

static void widths(void **state)
{
    (void)state;
    expect_width("", 0);
    expect_width("abc", 3);
    expect_width("453.000" MICRO "s", 9);
    expect_width("\xC3\xA9", 1);                 /* e with acute, one character */
    expect_width("e\xCC\x81", 1);                /* the same from two */
    expect_width("\xE4\xB8\xAD\xE6\x96\x87", 4); /* two Han characters */
    expect_width("\xED\x95\x9C", 2);             /* a Hangul syllable */
    expect_width("\xEF\xBC\xA1", 2);             /* full-width A */
    expect_width("\xF0\x9F\x9A\x80", 2);         /* a rocket */
    expect_width("\xE2\x94\x82", 1);             /* box drawing */
    expect_width("a\xE2\x80\x8B"
                 "b",
                 2); /* zero width space */
    expect_width("\t\x1B", 0);
}

/* A byte that belongs to no valid character takes one column, as terminals show it. */
static void invalid_bytes_take_one_column(void **state)
{
    (void)state;
    expect_width("\xFF", 1);
    expect_width("a\x80z", 3);
    expect_width("\xC0\x80", 2);         /* too long a form */
    expect_width("\xED\xA0\x80", 3);     /* a surrogate */
    expect_width("\xF4\x90\x80\x80", 4); /* past the last character */
    expect_width("\xE4\xB8", 2);         /* cut off */
    expect_width("\xE4"
                 "ab",
                 3);
}

static void expect_fit(const char *text, size_t columns, size_t expected)
{
    size_t fit = format_fit(text, strlen(text), columns);

    if (fit != expected)
        fail_msg("%zu bytes of \"%s\" fit %zu columns, expected %zu", fit, text, columns, expected);
}

static void fitting_splits_no_character(void **state)
{
    (void)state;
    expect_fit("abcdef", 3, 3);
    expect_fit("abc", 10, 3);
    expect_fit("abc", 0, 0);
    expect_fit("", 5, 0);
    expect_fit("\xE4\xB8\xAD\xE6\x96\x87", 3, 3);
    expect_fit("\xE4\xB8\xAD\xE6\x96\x87", 4, 6);
    expect_fit("\xE4\xB8\xAD", 1, 0);
    expect_fit("e\xCC\x81x", 1, 3); /* the mark stays with its letter */
    expect_fit("\xC3\xA9\xC3\xA9", 1, 2);
    expect_fit("\xE4\xB8", 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations),
        cmocka_unit_test(negative_durations),
        cmocka_unit_test(percents),
        cmocka_unit_test_setup_teardown(locale_plays_no_part, make_place, remove_place),
        cmocka_unit_test(byte_counts),
        cmocka_unit_test(counts),
        cmocka_unit_test(dates),
        cmocka_unit_test(widths),
        cmocka_unit_test(invalid_bytes_take_one_column),
        cmocka_unit_test(fitting_splits_no_character),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
