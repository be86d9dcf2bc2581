/* potential_engines.h: what the transfers, slices and jobs of an accelerator could save: overlap, sizes of transfers, idle time. */
#ifndef TORQ_POTENTIAL_ENGINES_H
#define TORQ_POTENTIAL_ENGINES_H

#include "analyze/architectures.h"
#include "analyze/metrics.h"
#include "analyze/potential.h"
#include "torq/program.h"
#include "torq/traffic.h"

struct potential_torq {
    const struct busy *busy;                 /* settled */
    const struct traffic *traffic;           /* of the same profile */
    const struct metrics *metrics;           /* of the process */
    track_id process;                        /* of the profile */
    const struct strings *strings;           /* of the trace */
    bool measured;                           /* a runtime log, which knows jobs and not what engines did in them */
    const struct program *program;           /* that ran; NULL: not known */
    struct clock cycles;                     /* of the program's estimates */
    const struct architecture *architecture; /* with the peaks of the engines; NULL: they are not known */
    const char *architecture_file;           /* name of the file it is from; NULL: none */
};

/* Settled and ranked; texts are its own, but for the name of the architecture's file. Free it also after a failure. */
NODISCARD status potential_of_torq(struct potential *potential, const struct potential_torq *input);

/* The part for measured jobs (potential_jobs.c): items, parts and chances. */
NODISCARD status potential_add_jobs(struct potential *potential, const struct potential_torq *input);

/* Items for what operators used of the tracks of some groups (bits by enum engine_group); `peaks` by track, NULL: none. */
void potential_add_shares(struct potential *potential, const struct potential_torq *input, unsigned groups,
                          const uint32_t *peaks);

#endif
