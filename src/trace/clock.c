/* clock.c: ticks to nanoseconds, rounded down. */
#include "trace/clock.h"

#include <assert.h>

#include "base/number.h"

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* A tick of f MHz lasts 1000 / f ns. */
enum { NS_OF_A_MEGAHERTZ = 1000 };

bool clock_parse_mhz(const char *text, uint64_t *numerator, uint64_t *denominator)
{
    return number_parse_fraction(text, numerator, denominator) && *denominator <= UINT64_MAX / NS_OF_A_MEGAHERTZ;
}

struct clock clock_of_mhz(uint64_t numerator, uint64_t denominator, string_id name)
{
    assert(denominator <= UINT64_MAX / NS_OF_A_MEGAHERTZ);
    uint64_t top = NS_OF_A_MEGAHERTZ * denominator;
    uint64_t divisor = common_divisor(top, numerator);

    assert(numerator && denominator);
    return (struct clock){ .numerator = top / divisor, .denominator = numerator / divisor, .name = name };
}

struct clock clock_nanoseconds(string_id name)
{
    return (struct clock){ .numerator = 1, .denominator = 1, .name = name };
}

struct clock clock_microseconds(string_id name)
{
    return (struct clock){ .numerator = 1000, .denominator = 1, .name = name };
}

int64_t clock_span_slowly(const struct clock *clock, int64_t ticks)
{
    uint64_t product;

    assert(clock->numerator && clock->denominator);
    /* Dividing 128 bits is a function, and slow. */
    if (ticks >= 0 && !__builtin_mul_overflow((uint64_t)ticks, clock->numerator, &product))
        return (int64_t)(product / clock->denominator);
    if (ticks >= 0)
        return (int64_t)((clock_wide)(uint64_t)ticks * clock->numerator / clock->denominator);
    /* Floor, not truncation, for the rare negative span. */
    return -(int64_t)(((clock_wide)(0 - (uint64_t)ticks) * clock->numerator + clock->denominator - 1) /
                      clock->denominator);
}

int64_t clock_limit(const struct clock *clock)
{
    uint64_t room = (uint64_t)INT64_MAX - (clock->offset > 0 ? (uint64_t)clock->offset : 0);
    clock_wide limit = (clock_wide)room * clock->denominator / clock->numerator;

    assert(clock->numerator && clock->denominator);
    return limit > (clock_wide)INT64_MAX ? INT64_MAX : (int64_t)limit;
}

int64_t clock_ticks(const struct clock *clock, int64_t ns)
{
    clock_wide limit = (clock_wide)INT64_MAX;
    bool before = ns < clock->offset;
    clock_wide span = before ? (uint64_t)clock->offset - (uint64_t)ns : (uint64_t)ns - (uint64_t)clock->offset;

    uint64_t product;

    assert(clock->numerator && clock->denominator);
    /* Dividing 128 bits is a function, and slow. */
    if (!before && span <= UINT64_MAX && !__builtin_mul_overflow((uint64_t)span, clock->denominator, &product) &&
        product <= UINT64_MAX - clock->numerator) {
        product = (product + clock->numerator - 1) / clock->numerator;
        if (product <= (uint64_t)INT64_MAX)
            return (int64_t)product;
    }
    span = span * clock->denominator;
    /* Up, not towards 0: floor(ticks * numerator / denominator) is at least the span from there on. */
    span = before ? span / clock->numerator : (span + clock->numerator - 1) / clock->numerator;
    if (span > limit)
        return before ? -INT64_MAX : INT64_MAX;
    return before ? -(int64_t)span : (int64_t)span;
}
