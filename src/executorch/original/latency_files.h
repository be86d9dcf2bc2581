/* latency_files.h: latencies as JSON: the original script's two files, and the answer of `tacho latency --json`.
 *
 * The original's keys, their order and its formulas are kept: all runs count, warm-up too, and its speedup is the first over
 * the second. What it writes as a bare NaN is null here. Nothing is owned; failures stick in the output.
 */
#ifndef EXECUTORCH_ORIGINAL_LATENCY_FILES_H
#define EXECUTORCH_ORIGINAL_LATENCY_FILES_H

#include "analyze/latency.h"
#include "base/output.h"
#include "executorch/original/robust.h"
#include "trace/loss.h"

/* <stem>_robust_stats.json of one launch. */
void latency_write_stats(struct output *output, const struct latency_launch *launch, const struct robust *robust,
                         const char *name);

/* <stem1>_vs_<stem2>_robust_comparison.json. */
void latency_write_comparison(struct output *output, const char *one_name, const struct robust *one,
                              const char *other_name, const struct robust *other);

/* What the command found out. */
struct latency_answer {
    const struct latency_summary *baseline;      /* or the only side */
    const struct latency_summary *candidate;     /* NULL: one side only */
    const struct latency_comparison *comparison; /* NULL likewise */
    struct latency_options options;              /* as they were used */
    const struct losses *losses[2];              /* rows of the files of each side */
    const char *const *warnings;                 /* borrowed */
    size_t warning_count;                        /* of warnings */
    const char *const *failures;                 /* launches without a time, and why; borrowed */
    size_t failure_count;                        /* of failures */
};

void latency_write_answer(struct output *output, const struct latency_answer *answer);

#endif
