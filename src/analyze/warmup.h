/* warmup.h: which runs of a launch do not count for means: warm-up at its start, and hiccups. The one rule for every verb.
 *
 * The first runs of a process fill caches, map memory and load kernels; they say nothing about the steady state. A run is warm-up if it is
 * clearly slower than the second half of its launch, and if that is so in most of the launches of a side. With two or three runs there is
 * no half to go by: then it has to be slower than all later ones, by a quarter. One run is never warm-up.
 *
 * A later run that takes more than twice the median is a hiccup of the machine, if there are few of them: one of ten. In a mean it would be
 * most of what is said about all others. It is told wherever it does not count, and medians and percentiles have it.
 */
#ifndef ANALYZE_WARMUP_H
#define ANALYZE_WARMUP_H

#include <stdbool.h>

#include "analyze/statistics.h"

enum { WARMUP_AUTO = -1 }; /* found by the rule; other numbers are how many runs of each launch do not count */

/* What --warmup says: "auto", "none" or a number; NULL: auto. STATUS_USAGE: none of these. */
NODISCARD status warmup_parse(const char *text, int64_t *warmup);

/* How many runs at the start of each launch do not count: `wanted`, or what the rule finds. `values` of a launch are its runs in order. */
NODISCARD status warmup_find(const struct launch_sample *launches, size_t count, int64_t wanted, size_t *warmup);

/* Marks the runs of a launch behind its warm-up that are hiccups: `slow` by run. `wanted` is that of the user: who says how many runs are
 * warm-up, or that none are, gets all others counted. */
NODISCARD status warmup_slow(const struct launch_sample *launch, size_t warmup, int64_t wanted, bool *slow,
                             size_t *count);

#endif
