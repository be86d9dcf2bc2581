/* test_clock.c: ticks to nanoseconds, exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "trace/clock.h"

__extension__ typedef __int128 wide;

static void test_rates_are_reduced(void **state)
{
    struct clock clock = clock_of_mhz(800, 1, 7);

    (void)state;
    assert_int_equal(clock.numerator, 5);
    assert_int_equal(clock.denominator, 4);
    assert_int_equal(clock.offset, 0);
    assert_int_equal(clock.name, 7);
    clock = clock_of_mhz(12025, 10, 0); /* 1202.5 MHz */
    assert_int_equal(clock.numerator, 400);
    assert_int_equal(clock.denominator, 481);
    clock = clock_of_mhz(1, 1000, 0); /* 1 kHz: a tick is a millisecond */
    assert_int_equal(clock.numerator, 1000000);
    assert_int_equal(clock.denominator, 1);
    clock = clock_nanoseconds(3);
    assert_true(clock.numerator == 1 && clock.denominator == 1 && clock.name == 3);
    clock = clock_microseconds(4);
    assert_true(clock.numerator == 1000 && clock.denominator == 1 && clock.name == 4);
}

/* Decimals that would not fit once the clock counts nanoseconds are refused, not wrapped. */
static void test_frequencies_of_users(void **state)
{
    uint64_t numerator, denominator;

    (void)state;
    assert_true(clock_parse_mhz("1202.25", &numerator, &denominator));
    assert_true(numerator == 4809 && denominator == 4);
    assert_true(clock_parse_mhz("1.0000000000000001", &numerator, &denominator));
    assert_int_equal(clock_of_mhz(numerator, denominator, 0).denominator, 10000000000000001);
    assert_false(clock_parse_mhz("1.00000000000000001", &numerator, &denominator));
    assert_false(clock_parse_mhz("0", &numerator, &denominator));
    assert_false(clock_parse_mhz("fast", &numerator, &denominator));
}

static void test_conversion_floors(void **state)
{
    struct clock clock = clock_of_mhz(800, 1, 0);
    static const int64_t expected[][2] = {
        { 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 5 }, { 5, 6 }, { 9940, 12425 }
    };

    (void)state;
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(clock_ns(&clock, expected[i][0]), expected[i][1]);
        assert_int_equal(clock_span_ns(&clock, expected[i][0]), expected[i][1]);
    }
    /* A negative span is floored too: -1 cycle is -1.25 ns. */
    assert_int_equal(clock_span_ns(&clock, -1), -2);
    assert_int_equal(clock_span_ns(&clock, -4), -5);
}

static void test_offset_moves_times_but_not_spans(void **state)
{
    struct clock clock = clock_microseconds(0);

    (void)state;
    clock.offset = 250;
    assert_int_equal(clock_ns(&clock, 3), 3250);
    assert_int_equal(clock_span_ns(&clock, 3), 3000);
    clock.offset = -250;
    assert_int_equal(clock_ns(&clock, 3), 2750);
}

/* The limit is the last tick count whose time still fits, for rates above and below a nanosecond and with an offset. */
static void test_limit_is_sharp(void **state)
{
    static const struct clock clocks[] = {
        { .numerator = 5, .denominator = 4 },
        { .numerator = 1000, .denominator = 1 },
        { .numerator = 1, .denominator = 1 },
        { .numerator = 400, .denominator = 481 },
        { .numerator = 1000000007, .denominator = 3 },
        { .numerator = 1000, .denominator = 1, .offset = 5000000000 },
        { .numerator = 1000, .denominator = 1, .offset = -5000000000 },
    };

    (void)state;
    for (unsigned i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        const struct clock *clock = &clocks[i];
        int64_t limit = clock_limit(clock);

        assert_true(limit > 0);
        assert_true(clock_ns(clock, limit) >= 0);
        if (limit < INT64_MAX && clock->offset >= 0) {
            wide beyond = ((wide)limit + 1) * (wide)clock->numerator / (wide)clock->denominator + clock->offset;

            assert_true(beyond >= INT64_MAX);
        }
    }
    assert_int_equal(clock_limit(&clocks[2]), INT64_MAX);
    assert_int_equal(clock_limit(&clocks[3]), INT64_MAX); /* faster than 1 GHz: every tick count fits */
}

/* Against 128-bit arithmetic, over rates with and without a power of two below the line and over the whole range. */
static void test_same_as_wide_arithmetic(void **state)
{
    static const uint64_t rates[][2] = { { 800, 1 }, { 100, 1 },  { 12025, 10 }, { 333, 1 },
                                         { 7, 3 },   { 4096, 1 }, { 1, 1 } };
    uint64_t random = 88172645463325252u;

    (void)state;
    for (unsigned i = 0; i < sizeof rates / sizeof *rates; i++) {
        struct clock clock = clock_of_mhz(rates[i][0], rates[i][1], 0);
        int64_t limit = clock_limit(&clock);

        for (unsigned j = 0; j < 20000; j++) {
            int64_t ticks;

            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            ticks = (int64_t)((random >> (j % 60)) % (uint64_t)limit);
            assert_int_equal(clock_ns(&clock, ticks),
                             (int64_t)((wide)ticks * (wide)(1000 * rates[i][1]) / (wide)rates[i][0]));
        }
    }
}

/* The first tick at a time: it is there, and the one before is not. Clocks of a nanosecond or more come back exactly. */
static void test_ticks_of_a_time(void **state)
{
    static const uint64_t rates[][2] = { { 800, 1 }, { 1000, 1 }, { 1350, 1 }, { 12025, 10 }, { 1, 1 }, { 3, 1000 } };
    uint64_t random = 7;

    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        struct clock clock = clock_of_mhz(rates[i][0], rates[i][1], 0);

        for (unsigned j = 0; j < 20000; j++) {
            int64_t ticks, found;

            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            clock.offset = (int64_t)(random % 3) * 1000 - 1000;
            ticks = (int64_t)((random >> (j % 60)) % (uint64_t)clock_limit(&clock));
            found = clock_ticks(&clock, clock_ns(&clock, ticks));
            assert_true(found <= ticks && clock_ns(&clock, found) == clock_ns(&clock, ticks));
            assert_true(!found || clock_ns(&clock, found - 1) < clock_ns(&clock, ticks));
            assert_true(clock.numerator < clock.denominator || found == ticks);
        }
        clock.offset = 500;
        assert_true(clock_ticks(&clock, 0) <= 0);
    }
    assert_int_equal(clock_ticks(&(struct clock){ .numerator = 1, .denominator = UINT64_MAX }, INT64_MAX), INT64_MAX);
    assert_int_equal(clock_ticks(&(struct clock){ .numerator = 1, .denominator = 1, .offset = INT64_MAX }, INT64_MIN),
                     -INT64_MAX);
}

static void test_inverses_are_exact(void **state)
{
    static const uint64_t numerators[] = { 1,         2, 3, 5, 7, 10, 1000, 4096, 1000003, UINT32_MAX, UINT64_MAX / 3,
                                           UINT64_MAX };
    uint64_t random = 11;

    (void)state;
    for (size_t i = 0; i < sizeof numerators / sizeof *numerators; i++) {
        struct clock clock = { .numerator = numerators[i], .denominator = 1 };
        struct clock_inverse inverse = clock_inverse(&clock);

        for (unsigned j = 0; j < 50000; j++) {
            int64_t ns;

            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            clock.denominator = (random >> 20) % 5000 + 1;
            clock.offset = (int64_t)(random % 5) * 1000 - 2000;
            ns = (int64_t)(random >> (1 + j % 62));
            /* Multiples and their neighbours are where an inverse is wrong first. */
            if (j % 3 == 0 && numerators[i] < INT32_MAX)
                ns = ns - ns % (int64_t)numerators[i] - (j % 2);
            assert_int_equal(clock_ticks_fast(&clock, &inverse, ns), clock_ticks(&clock, ns));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates_are_reduced), cmocka_unit_test(test_frequencies_of_users),
        cmocka_unit_test(test_conversion_floors), cmocka_unit_test(test_offset_moves_times_but_not_spans),
        cmocka_unit_test(test_limit_is_sharp),    cmocka_unit_test(test_same_as_wide_arithmetic),
        cmocka_unit_test(test_ticks_of_a_time),   cmocka_unit_test(test_inverses_are_exact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
