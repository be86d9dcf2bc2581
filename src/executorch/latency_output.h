/* latency_output.h: the original script's files about latencies, in a folder. */
#ifndef EXECUTORCH_LATENCY_OUTPUT_H
#define EXECUTORCH_LATENCY_OUTPUT_H

#include "executorch/launches.h"

struct latency_output_side {
    const struct launches *launches;    /* borrowed */
    const char *name;                   /* of the side */
    const char *stats_name;             /* for the statistics; NULL: the file's stem */
    const struct launch_choice *choice; /* of the rows of a table */
};

/* Writes `<stem>_robust_stats.json` for each file and, where there is a candidate (NULL: none),
 * `<stem>_vs_<stem>_robust_comparison.json` over all runs of each side, with the stems of the first files. Stems that come twice
 * get "_2", "_3". */
NODISCARD status latency_output_write(const char *folder, const struct latency_output_side *baseline,
                                      const struct latency_output_side *candidate);

#endif
