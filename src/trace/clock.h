/* clock.h: ticks to nanoseconds without losing any. */
#ifndef TRACE_CLOCK_H
#define TRACE_CLOCK_H

#include <assert.h>

#include "trace/model.h"

__extension__ typedef unsigned __int128 clock_wide;

struct clock clock_of_mhz(uint64_t numerator, uint64_t denominator,
                          string_id name); /* frequency in MHz as a fraction */
/* Such a frequency as a user writes it: "800", "1202.25". False: no positive number, or one with more decimals than a clock has room
 * for. */
bool clock_parse_mhz(const char *text, uint64_t *numerator, uint64_t *denominator);
struct clock clock_nanoseconds(string_id name);
struct clock clock_microseconds(string_id name);

/* Whether ticks of both mean the same. */
static inline bool clock_same(const struct clock *one, const struct clock *other)
{
    return one->numerator == other->numerator && one->denominator == other->denominator && one->offset == other->offset;
}

/* A span in milliseconds, not rounded to nanoseconds: for statistics. */
static inline double clock_span_ms(const struct clock *clock, int64_t ticks)
{
    return (double)ticks * (double)clock->numerator / ((double)clock->denominator * 1e6);
}

/* Any clock, any span: what clock_span_ns does not do in place. */
int64_t clock_span_slowly(const struct clock *clock, int64_t ticks);

/* Exact length of a span of ticks in ns, floored once. */
static inline int64_t clock_span_ns(const struct clock *clock, int64_t ticks)
{
    uint64_t product;

    assert(clock->numerator && clock->denominator);
    /* Microseconds and 800 MHz have a power of two below the line: a shift instead of a division per event. */
    if (ticks < 0 || (clock->denominator & (clock->denominator - 1)) ||
        __builtin_mul_overflow((uint64_t)ticks, clock->numerator, &product))
        return clock_span_slowly(clock, ticks);
    return (int64_t)(product >> __builtin_ctzll(clock->denominator));
}

/* The first tick at `ns` or later; negative where that is before the clock's first. What is beyond the range of ticks is at its end. */
int64_t clock_ticks(const struct clock *clock, int64_t ns);

/* What takes the division out of `clock_ticks`, where one clock is asked for many: multiplied by the inverse and shifted down is the quotient,
 * exactly, up to a limit. */
struct clock_inverse {
    uint64_t multiplier; /* 2^64 by the numerator, rounded up */
    uint64_t limit;      /* of what is divided */
};

static inline struct clock_inverse clock_inverse(const struct clock *clock)
{
    assert(clock->numerator);
    /* Of 1 it would need a bit more: nothing is divided by it then. */
    if (clock->numerator == 1)
        return (struct clock_inverse){ 0, 0 };
    return (struct clock_inverse){ UINT64_MAX / clock->numerator + 1, UINT64_MAX / clock->numerator };
}

/* The same as `clock_ticks`. */
static inline int64_t clock_ticks_fast(const struct clock *clock, const struct clock_inverse *inverse, int64_t ns)
{
    uint64_t span = (uint64_t)ns - (uint64_t)clock->offset, product;

    if (ns < clock->offset || __builtin_mul_overflow(span, clock->denominator, &product) ||
        __builtin_add_overflow(product, clock->numerator - 1, &product) || product > inverse->limit)
        return clock_ticks(clock, ns);
    return (int64_t)((clock_wide)product * inverse->multiplier >> 64);
}

/* The largest tick count that still fits into 63 bits of nanoseconds. */
int64_t clock_limit(const struct clock *clock);

/* floor(ticks * numerator / denominator) + offset. `ticks` must not be over `clock_limit`. */
static inline int64_t clock_ns(const struct clock *clock, int64_t ticks)
{
    assert(ticks <= clock_limit(clock));
    return clock_span_ns(clock, ticks) + clock->offset;
}

#endif
