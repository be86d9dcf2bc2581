/* marker_zones.h: which end belongs to which start on a lane.
 *
 * Zones nest. Firmware and kernels do not call themselves: when one starts while it is open, the end of the one before was not
 * logged, and it ends at the marker before. It ends there as well when a firmware or kernel of another program starts or ends.
 * An end closes the innermost open zone of its name, and with it what is still open inside. What is open after the last marker
 * ends there. Such ends are guessed, and the user is told so. Starts beyond MARKER_ZONES_OPEN open zones, which no program has,
 * are points, and their ends have no start.
 *
 * A struct owns its stack until `marker_zones_free` and borrows the log.
 */
#ifndef TENSTORRENT_MARKER_ZONES_H
#define TENSTORRENT_MARKER_ZONES_H

#include "tenstorrent/markers.h"

enum { MARKER_ZONES_OPEN = 512 };

/* What is done with zones as they come. Depths count from 0, the outermost. */
struct marker_zones_user {
    void *context;                                                                      /* for the three calls */
    NODISCARD status (*begin)(void *context, const struct marker *start, size_t depth); /* of a zone */
    NODISCARD status (*end)(void *context, const struct marker *start, size_t depth, int64_t time,
                            bool guessed); /* of the innermost zone; guessed: it has no end of its own */
    NODISCARD status (*point)(void *context, const struct marker *marker,
                              bool lone_end); /* lone: an end without a start */
};

struct marker_zones {
    const struct marker_log *log;         /* borrowed */
    const struct marker_zones_user *user; /* borrowed */
    const struct marker **open;           /* starts of the zones that are open, the innermost last */
    size_t depth, capacity;               /* zones that are open; and what there is room for */
    int64_t last;                         /* time of the marker before */
};

/* Once before the first lane; then for each lane start, a step for each of its markers in order, and finish. */
void marker_zones_begin(struct marker_zones *zones, const struct marker_log *log, const struct marker_zones_user *user);
void marker_zones_free(struct marker_zones *zones);

void marker_zones_start(struct marker_zones *zones, int64_t first); /* `first`: where a lane without markers ends */
NODISCARD status marker_zones_step(struct marker_zones *zones, const struct marker *marker);
NODISCARD status marker_zones_finish(struct marker_zones *zones);

#endif
