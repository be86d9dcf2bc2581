/* op_gaps.h: how long each core waited between two ops: from the end of one op's kernel to the start of the next one's.
 *
 * A list owns its items until `op_gaps_free`.
 */
#ifndef TENSTORRENT_OP_GAPS_H
#define TENSTORRENT_OP_GAPS_H

#include "tenstorrent/marker_ops.h"

struct op_gap {
    int64_t device;   /* id */
    int64_t from, to; /* calls, as op_times.h numbers them */
    int64_t start;    /* cycles: when the kernel before ended */
    int64_t ns;       /* OP_NONE: more than can be told */
    int32_t x, y;     /* core */
};

struct op_gap_core {
    int32_t x, y; /* in the coordinates of the log */
};

struct op_gaps {
    struct op_gap *items;             /* by device, start, ops, core */
    size_t count, capacity;           /* of items */
    struct op_gap_core *cores;        /* all that work for ops, by x, then y; each once for all devices */
    size_t core_count, core_capacity; /* of cores */
};

/* Of a settled log. To be freed in any case. */
NODISCARD status op_gaps_of_log(struct op_gaps *gaps, const struct marker_log *log);
void op_gaps_free(struct op_gaps *gaps);

#endif
