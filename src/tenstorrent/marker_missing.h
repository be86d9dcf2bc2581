/* marker_missing.h: which markers of firmware and kernels a lane lacks, and between which times they must lie.
 *
 * On a lane a firmware starts, its kernel starts and ends, the firmware ends; the next program follows. A start whose end
 * does not come before the next one, or an end without its start, tells that a marker was lost. So does a kernel outside of
 * any firmware on a RISC that logs firmware, and a second kernel in one firmware. A zone that lost both of its markers
 * leaves no such trace, unless a kernel stood in it.
 *
 * A walk is a plain struct of its caller; it borrows the log.
 */
#ifndef TENSTORRENT_MARKER_MISSING_H
#define TENSTORRENT_MARKER_MISSING_H

#include "tenstorrent/markers.h"

struct marker_missing {
    uint8_t standard; /* enum marker_default */
    uint32_t op;      /* that the caller gave for its counterpart */
    int64_t after;    /* cycles: it came after this time; INT64_MIN: it may have been the first of all */
    int64_t before;   /* cycles: and before this one; INT64_MAX: it may have been the last */
};

enum { MARKER_MISSING_MOST = 6 }; /* that one marker can tell of */

struct marker_missing_walk {
    const struct marker_log *log;                     /* borrowed */
    bool has_firmware;                                /* the RISC logs firmware */
    bool firmware, kernel;                            /* which of them are open */
    bool seen;                                        /* a kernel in the firmware that is open */
    bool bare;                                        /* kernels behind the last firmware, outside of any */
    uint32_t op;                                      /* of the marker before */
    uint32_t program;                                 /* of the marker before */
    int64_t last;                                     /* cycles, of that marker; INT64_MIN: there was none */
    int64_t bare_after, bare_first;                   /* cycles: before and at the first bare kernel marker */
    struct marker_missing found[MARKER_MISSING_MOST]; /* what the last call told of */
    unsigned count;                                   /* of these */
    unsigned paired;                                  /* zones that ended so far */
};

/* For each lane start, a step for each of its markers in order, finish; each of the last two fills `found`. */
void marker_missing_start(struct marker_missing_walk *walk, const struct marker_log *log, uint32_t lane);
void marker_missing_step(struct marker_missing_walk *walk, const struct marker *marker, uint32_t op);
void marker_missing_finish(struct marker_missing_walk *walk);

/* The kind of a firmware's or kernel's other marker: an end for a start, a start for an end. */
struct marker_kind marker_kind_counterpart(const struct marker_kind *kind);
static inline bool marker_kind_is_standard(const struct marker_kind *kind)
{
    return kind->standard >= FIRMWARE_START && kind->standard <= FIRMWARE_END;
}

/* What a whole log lacks. */
struct marker_unpaired {
    uint64_t starts, ends; /* of firmware and kernels that are missing */
    uint64_t pairs;        /* firmware and kernels that have both */
    uint32_t lane;         /* of the first one that is missing; NO_ID: none is */
    int64_t time;          /* of the marker that tells so */
};

struct marker_unpaired marker_log_unpaired(const struct marker_log *log);

#endif
