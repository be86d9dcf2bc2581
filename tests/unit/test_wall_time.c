/* test_wall_time.c: times around runs as people and tools write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "job/wall_time.h"

static void gives(const char *text, int64_t expected)
{
    int64_t nanoseconds = -7;

    if (!wall_time_parse(text_of(text), &nanoseconds))
        fail_msg("\"%s\" is a time", text);
    if (nanoseconds != expected)
        fail_msg("\"%s\" gave %lld", text, (long long)nanoseconds);
}

static void is_none(const char *text)
{
    int64_t nanoseconds = -7;

    if (wall_time_parse(text_of(text), &nanoseconds))
        fail_msg("\"%s\" is no time, and gave %lld", text, (long long)nanoseconds);
    assert_int_equal(nanoseconds, -7);
}

static void test_forms(void **state)
{
    (void)state;
    gives("1.234", 1234000000);
    gives("1.234\n", 1234000000);
    gives("\r\n  1.234s \r\n", 1234000000);
    gives("Wall time: 1.234s\n", 1234000000);
    gives("wall time:1.234", 1234000000);
    gives("WALL_TIME 207.000ms", 207000000);
    gives("  WALL_TIME                       207.000ms\n", 207000000);
    gives("real\t0m1.234s\nuser\t0m0.100s\nsys\t0m0.020s\n", 1234000000);
    gives("\nreal 1.23\nuser 0.10\n", 1230000000);
    gives("real 2m0.5s", 120500000000);
    gives("0.207123456", 207123456);
    gives("453.000\xc2\xb5s", 453000);
    gives("453.5 us", 453500);
    gives("17ns", 17);
    gives("0", 0);
    gives("2e-3", 2000000);
}

static void test_what_is_no_time(void **state)
{
    static const char *const wrong[] = { "",
                                         "\n\n",
                                         "fast",
                                         "-1",
                                         "Wall time:",
                                         "1.2.3",
                                         "1,234",
                                         "1m",
                                         "m1s",
                                         "-1m1s",
                                         "1m2ms",
                                         "1.5m2s",
                                         "user 0m0.100s",
                                         "1 2",
                                         "1e30",
                                         "nan",
                                         "1e10m1",
                                         "s",
                                         "real",
                                         "1.234 h",
                                         "1m-2s",
                                         "99999999999999999999s" };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        is_none(wrong[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_what_is_no_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
