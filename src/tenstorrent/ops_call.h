/* ops_call.h: the device log of one call of an op: the cycles and durations that the ops report shows.
 *
 * Computed from the markers of the call, which may be of any generation and in any order.
 */
#ifndef TENSTORRENT_OPS_CALL_H
#define TENSTORRENT_OPS_CALL_H

#include "tenstorrent/markers.h"
#include "tenstorrent/op_calls.h"

enum { OPS_ANY_CHIP = -1 };

/* The chip of the first tensor of a call that lies on one; OPS_ANY_CHIP: none does. */
int64_t ops_chip_of(const struct op_call *call);

struct ops_measured {
    struct op_device device; /* columns of the report */
    bool other_chip;         /* its numbers are not of the chip that was asked for, which has no marker in the log */
    uint64_t elsewhere;      /* markers of other chips */
    bool later;              /* has markers that came with later logs */
};

/* `chip`: whose numbers are wanted, OPS_ANY_CHIP for the first in the log. A log without a marker gives an unknown device. The
 * log need not be settled. */
void ops_measure(const struct marker_log *log, int64_t chip, struct ops_measured *measured);

#endif
