/* chip_ops.h: the ops of all chips of a log, and when the last chip was done with each one of the chip that leads.
 *
 * Chips work on an inference together: the sequence of one of them tells the runs, and a run is over when the last chip is. What an op of the chip that leads
 * is on another one is the same program, called for as many times. Chips have clocks of their own, so each begins at its own first marker.
 *
 * The first chip leads, unless others fall behind it: a run ends where the next begins, so that their time would be in no run but
 * the last. Then the chip that is done last leads, if it did the same ops and the others keep up with it better.
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
    size_t leader;          /* the chip whose sequence tells the runs */
    int64_t *ends;          /* by op of the leader: when all chips were done with it, in its cycles */
    uint64_t late;          /* ops that another chip was not done with when the leader began its next one */
    int64_t lag;            /* cycles of these that are in no end */
};

/* Of a settled log. Free it also after a failure. */
NODISCARD status chip_ops_build(struct all_chip_ops *all, const struct marker_log *log);
void chip_ops_free(struct all_chip_ops *all);

#endif
