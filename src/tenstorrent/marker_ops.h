/* marker_ops.h: which op each marker of a chip belongs to.
 *
 * An op is one run of one program on the cores of a chip. Newer logs name the program in each row (run host ID, trace,
 * replay), so markers of different programs never mix. Where one program comes several times under the same name, a
 * repetition begins when the master RISC of a core starts its firmware again. A marker belongs to the repetition in
 * which its RISC's firmware started, also when it comes after the last master has ended; outside of a firmware it
 * belongs to the last repetition that has begun. Logs without programs are split at every such start: all their
 * markers are of one program.
 *
 * Where markers of firmware or kernels were lost, an op says which ones it lacks, RISC by RISC: no first or last of these can
 * be told then. An op that lacks one may have lost others without a trace; so each RISC that has no whole kernel or firmware
 * on some core of it lacks both.
 *
 * A struct owns its arrays until `marker_ops_free` and borrows the log.
 */
#ifndef TENSTORRENT_MARKER_OPS_H
#define TENSTORRENT_MARKER_OPS_H

#include "tenstorrent/markers.h"

enum { MARKER_OPS_RISCS = 32 }; /* that are told apart; the others share the last place */

struct marker_op {
    uint32_t program;                  /* of the log; 0: the log names none */
    uint32_t repetition;               /* of that program on this chip, from 0 */
    int64_t begins;                    /* markers of the program before this time belong to the op before it */
    int64_t first;                     /* time of its first marker; INT64_MAX: it has none */
    uint32_t lacks[MARKER_NO_DEFAULT]; /* by enum marker_default: RISCs of which such a marker is missing, a bit each */
};

struct marker_ops {
    const struct marker_log *log;      /* settled; borrowed */
    uint32_t chip;                     /* index in the log */
    struct marker_op *ops;             /* by program, then repetition */
    size_t count, capacity;            /* of ops */
    uint32_t *of_program;              /* first op of each program of the log; count + 1 entries */
    uint32_t *by_start;                /* ops in the order of their first markers */
    bool *dispatch;                    /* by core of the log: its markers belong to no op */
    bool unnamed;                      /* split without programs */
    uint64_t overlapping;              /* starts that came before all cores had ended */
    string_id riscs[MARKER_OPS_RISCS]; /* that have lanes in the log */
    unsigned risc_count;               /* of these */
};

/* Of a settled log. */
NODISCARD status marker_ops_build(struct marker_ops *ops, const struct marker_log *log, uint32_t chip);
void marker_ops_free(struct marker_ops *ops);

/* Goes along a lane: start with { NO_ID } and ask for each of its markers in order. */
struct marker_ops_walk {
    uint32_t open; /* op whose firmware runs on this lane; NO_ID: none */
};

/* The bit of a RISC in `lacks`. */
uint32_t marker_ops_risc(const struct marker_ops *ops, string_id risc);
/* Whether an op lacks one of the markers whose RISCs `of` has, by enum marker_default. */
bool marker_op_lacks(const struct marker_op *op, const uint32_t of[MARKER_NO_DEFAULT]);

/* What is about the kernels of any RISC needs those of RISCs too of which the log has nothing but firmware. */
void marker_ops_any_kernel(const struct marker_ops *ops, uint32_t of[MARKER_NO_DEFAULT]);

/* The op of the lane's next marker; NO_ID: none. */
uint32_t marker_ops_next(const struct marker_ops *ops, struct marker_ops_walk *walk, const struct marker *marker);

/* From the first to the last firmware marker of an op on any core; where it has none, of any marker. first > last: no marker. */
struct marker_op_span {
    int64_t first, last; /* cycles */
    bool firmware;       /* they are of firmware markers */
    bool whole;          /* no such marker is missing: they are the first and the last */
};

/* `spans` has room for one per op. */
void marker_ops_spans(const struct marker_ops *ops, struct marker_op_span *spans);

/* The core runs commands of the queue, not programs. */
bool marker_core_dispatches(const struct marker_log *log, uint32_t core);

#endif
