/* sanity.h: three conditions that a latency and its operators must meet before anybody trusts them.
 *
 * The latency of an inference is more than its largest categories of operators together (the runtime costs something too),
 * less than three times all operators or exactly what they and the runtime add up to (otherwise nested events were added up), and much the same in every run.
 * Texts are in the structs of the caller.
 */
#ifndef EXECUTORCH_SANITY_H
#define EXECUTORCH_SANITY_H

#include "executorch/measurement.h"

/* X(name, key) */
#define SANITY_MAP(X)                             \
    X(OVER_CATEGORIES, "latency_over_categories") \
    X(UNDER_OPERATORS, "latency_under_operators") \
    X(STEADY, "latency_steady")

enum sanity_kind {
#define X(name, key) SANITY_##name,
    SANITY_MAP(X)
#undef X
        SANITY_COUNT
};

enum sanity_answer {
    SANITY_HOLDS,
    SANITY_FAILS,
    SANITY_DOUBTFUL, /* worth a warning: runs that differ are no mistake */
    SANITY_UNKNOWN   /* what it takes is not there */
};

enum { SANITY_TEXT = 320, SANITY_TOP = 3, SANITY_SPREAD = 20 /* percent */ };

struct sanity {
    enum sanity_answer answer; /* whether the numbers can be right */
    char text[SANITY_TEXT];    /* a sentence with the numbers */
};

const char *sanity_key(enum sanity_kind kind);

/* Of one experiment: the runs that count are its own, whatever it is compared with. */
NODISCARD status sanity_check(const struct measurement *measurement, struct sanity checks[SANITY_COUNT]);

/* Do two latencies agree within 5 percent of the second? */
bool sanity_agrees(double measured_ms, double stated_ms);

#endif
