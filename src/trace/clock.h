/* clock.h: ticks to nanoseconds without losing any. */
#ifndef TRACE_CLOCK_H
#define TRACE_CLOCK_H

#include "trace/model.h"

struct clock clock_of_mhz(uint64_t numerator, uint64_t denominator, string_id name); /* frequency in MHz as a fraction */
struct clock clock_nanoseconds(string_id name);
struct clock clock_microseconds(string_id name);

/* floor(ticks * numerator / denominator) + offset. `ticks` must not be over `clock_limit`. */
int64_t clock_ns(const struct clock *clock, int64_t ticks);
/* Exact length of a span of ticks in ns, floored once. */
int64_t clock_span_ns(const struct clock *clock, int64_t ticks);
/* The largest tick count that still fits into 63 bits of nanoseconds. */
int64_t clock_limit(const struct clock *clock);

#endif
