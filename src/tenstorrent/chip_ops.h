/* chip_ops.h: the ops of all chips of a log, and when the last chip was done with each one of the first.
 *
 * Chips work on an inference together: the sequence of the first one tells the runs, and a run is over when the last chip is. What an op of the first chip
 * is on another one is the same program, called for as many times. Chips have clocks of their own, so each begins at its own first marker.
 *
 * A struct owns its arrays until `chip_ops_free` and borrows the log.
 */
#ifndef TENSTORRENT_CHIP_OPS_H
#define TENSTORRENT_CHIP_OPS_H

#include "tenstorrent/marker_ops.h"

struct chip_ops {
    struct marker_ops ops;        /* of the chip; none where a log that names no programs has a single launch */
    struct marker_op_span *spans; /* by op */
};

struct all_chip_ops {
    struct chip_ops *chips; /* by chip of the log */
    size_t count;           /* of chips */
    int64_t *ends;          /* by op of the first chip: when all chips were done with it, in cycles of the first */
};

/* Of a settled log. Free it also after a failure. */
NODISCARD status chip_ops_build(struct all_chip_ops *all, const struct marker_log *log);
void chip_ops_free(struct all_chip_ops *all);

#endif
