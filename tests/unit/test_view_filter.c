/* test_view_filter.c: filters take what the types of fields want, compare whole numbers exactly, and say what is wrong with the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "table/view_filter.h"

static const struct field fields[] = {
    { .key = "name", .type = CELL_TEXT },           { .key = "count", .type = CELL_INTEGER },
    { .key = "ratio", .type = CELL_DECIMAL },       { .key = "flag", .type = CELL_BOOLEAN },
    { .key = "total_time", .type = CELL_DURATION }, { .key = "share", .type = CELL_PERCENT },
    { .key = "bytes", .type = CELL_BYTES },         { .key = NULL },
};
static const struct field_set set = { "thing", fields };
static const struct field_set *const sets[] = { &set, NULL };
static const struct rows rows = { .entity = "thing", .sets = sets };

static void check(const char *text, struct table_cell cell, bool expected)
{
    struct view_filter filter;

    if (view_filter_parse(&rows, text, &filter) != STATUS_OK)
        fail_msg("%s", status_message());
    if (view_filter_passes(&filter, cell) != expected)
        fail_msg("%s: %s", text, expected ? "does not pass" : "passes");
}

static void check_equal(const char *text, int64_t value)
{
    check(text, cell_integer(value), true);
    check(text, cell_integer(value - 1), false);
    check(text, cell_integer(value + 1), false);
}

static void reads_units(void **state)
{
    (void)state;
    check_equal("total_time=1500", 1500);
    check_equal("total_time = 1500 ns", 1500);
    check_equal("total_time=1.5us", 1500);
    check_equal("total_time=1.5 \xC2\xB5s", 1500);
    check_equal("total_time=1.5\xCE\xBCs", 1500);
    check_equal("total_time=-2MS\t", -2000000);
    check_equal("total_time=0.002s", 2000000);
    check_equal("bytes=4096", 4096);
    check_equal("bytes=4KiB", 4096);
    check_equal("bytes=4096 B", 4096);
    check_equal("bytes=1kb", 1000);
    check_equal("bytes=1KIB", 1024);
    check_equal("bytes=1.5 MB", 1500000);
    check_equal("bytes=2MiB", 2 << 20);
    check_equal("bytes=1GB", 1000000000);
    check_equal("bytes=1GiB", 1 << 30);
    check_equal("bytes=3TB", INT64_C(3000000000000));
    check_equal("bytes=3TiB", INT64_C(3) << 40);
    check_equal("bytes=3PB", INT64_C(3000000000000000));
    check_equal("bytes=3PiB", INT64_C(3) << 50);
    check_equal("bytes=3EB", INT64_C(3000000000000000000));
    check_equal("bytes=7.5EiB", INT64_C(15) << 59);
}

/* 0.5 lies between 0 and 1: both are known to be on one side of it, and no whole number equals it. */
static void compares_with_fractions(void **state)
{
    static const char *const signs[] = { "=", "!=", "<", "<=", ">", ">=" };
    static const bool below[] = { false, true, true, true, false, false };
    static const bool above[] = { false, true, false, false, true, true };
    char text[64];

    (void)state;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        snprintf(text, sizeof text, "total_time%s0.5", signs[i]);
        check(text, cell_integer(0), below[i]);
        check(text, cell_integer(1), above[i]);
        snprintf(text, sizeof text, "total_time%s-0.5", signs[i]);
        check(text, cell_integer(-1), below[i]);
        check(text, cell_integer(0), above[i]);
        snprintf(text, sizeof text, "total_time%s-1.0005us", signs[i]);
        check(text, cell_integer(-1001), below[i]);
        check(text, cell_integer(-1000), above[i]);
    }
}

static void compares_whole_numbers_exactly(void **state)
{
    static const int64_t large = INT64_C(9007199254740993); /* 2^53 + 1, which no double is */

    (void)state;
    check_equal("total_time=9007199254740993", large);
    check_equal("total_time=9007199.254740993s", large);
    check_equal("count=9007199254740993", large);
    check("count<=9223372036854775806", cell_integer(INT64_MAX), false);
    check("count<=9223372036854775806", cell_integer(INT64_MAX - 1), true);
    check("count=9223372036854775807", cell_integer(INT64_MAX), true);
    check("count=-9223372036854775808", cell_integer(INT64_MIN), true);
    check("total_time=9223372036.854775807s", cell_integer(INT64_MAX), true);
    /* 18 digits behind the point, the last of which decides. */
    check("bytes>1.000000000000000001KB", cell_integer(1000), false);
    check("bytes>1.000000000000000001KB", cell_integer(1001), true);
}

static void passes_only_what_is_known(void **state)
{
    static const char *const filters[] = { "name~",     "name!=x",  "count!=1", "ratio!=1",
                                           "flag!=yes", "share!=1", "bytes!=1" };

    (void)state;
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        check(filters[i], cell_null(), false);
    check("ratio!=1", cell_decimal(NAN), false);
    check("share<=1", cell_decimal(NAN), false);
    check("ratio>1e300", cell_decimal(INFINITY), true);
}

static void looks_into_texts(void **state)
{
    (void)state;
    check("name~NV2", cell_text("conv2d"), true);
    check("name~aab", cell_text("aaab"), true);
    check("name~conv2d ", cell_text("conv2d"), true);
    check("name~conv2d.", cell_text("conv2d"), false);
    check("name~\xc3\x84", cell_text("\xc3\xa4"), false); /* only ASCII letters have a case */
    check("name= a > b ", cell_text("a > b"), true);
}

static void says_what_is_wrong(void **state)
{
    static const char *const expected[][2] = {
        { "count", "--filter wants KEY~TEXT or KEY=VALUE (or != > < >= <=), not \"count\"" },
        { "", "--filter wants KEY~TEXT or KEY=VALUE (or != > < >= <=), not \"\"" },
        { "count!5", "--filter wants KEY~TEXT or KEY=VALUE (or != > < >= <=), not \"count!5\"" },
        { "cout>5",
          "--filter: thing has no field \"cout\"; did you mean \"count\"? --columns help lists what there is" },
        { "=5", "--filter: thing has no field \"\"; --columns help lists what there is" },
        { "count~5",
          "--filter count~5: ~ looks into texts, and count wants a whole number behind =, !=, >, <, >= or <=" },
        { "count>many", "--filter count>many: count wants a whole number, not \"many\"" },
        { "count>1.5", "--filter count>1.5: count wants a whole number, not \"1.5\"" },
        { "count>", "--filter count>: count wants a whole number, not \"\"" },
        { "count=9223372036854775808",
          "--filter count=9223372036854775808: count wants a whole number, not \"9223372036854775808\"" },
        { "ratio==1", "--filter ratio==1: ratio wants a number, not \"=1\"" },
        { "ratio=nan", "--filter ratio=nan: ratio wants a number, not \"nan\"" },
        { "flag=1", "--filter flag=1: flag wants yes or no, not \"1\"" },
        { "flag=ye", "--filter flag=ye: flag wants yes or no, not \"ye\"" },
        { "share>10pc", "--filter share>10pc: share wants a percentage (10 or 10%), not \"10pc\"" },
        { "share>%", "--filter share>%: share wants a percentage (10 or 10%), not \"%\"" },
        { "total_time>10xs",
          "--filter total_time>10xs: total_time wants a duration (10us, 1.5ms, 2s, or 200 for ns), not \"10xs\"" },
        { "total_time>us",
          "--filter total_time>us: total_time wants a duration (10us, 1.5ms, 2s, or 200 for ns), not \"us\"" },
        { "bytes>4 KiB x",
          "--filter bytes>4 KiB x: bytes wants a number of bytes (4096, 4KiB or 1.5MB), not \"4 KiB x\"" },
    };
    struct view_filter filter;

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(view_filter_parse(&rows, expected[i][0], &filter), STATUS_USAGE);
        assert_string_equal(status_message(), expected[i][1]);
    }
}

static void refuses_quantities_out_of_range(void **state)
{
    static const char *const bad[] = {
        "total_time>9223372036854775808",
        "total_time>9223372037s",
        "total_time>99999999999999999999",
        "total_time>-9223372036.9s",
        "total_time>1.",
        "total_time>.5",
        "total_time>1..5",
        "total_time>+1",
        "total_time>--1",
        "total_time>1e3",
        "bytes>8EiB",
        "bytes>1.0000000000000000001",
        "bytes>18446744073709551615EiB",
        "bytes>- 1",
        "bytes>1K",
    };
    struct view_filter filter;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (view_filter_parse(&rows, bad[i], &filter) != STATUS_USAGE)
            fail_msg("%s was taken", bad[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_units),
        cmocka_unit_test(compares_with_fractions),
        cmocka_unit_test(compares_whole_numbers_exactly),
        cmocka_unit_test(passes_only_what_is_known),
        cmocka_unit_test(looks_into_texts),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(refuses_quantities_out_of_range),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
