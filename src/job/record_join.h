/* record_join.h: recordings of the processes of one or several launches, as one file.
 *
 * Each process left a file in a folder; joined, they lie one behind the other, in order of launch and start, without the room that was
 * reserved and not used, and their heads say how the launch ended. The folder is not changed.
 */
#ifndef JOB_RECORD_JOIN_H
#define JOB_RECORD_JOIN_H

#include "base/foreground.h"
#include "base/output.h"

struct join_result {
    size_t processes; /* recordings that were joined */
    size_t threads;   /* of them */
    uint64_t events;  /* chunks with events in them */
    uint64_t bytes;   /* of the joined file */
};

/* `launches` tells how each of `count` launches went. Files that are no recordings are left out. */
NODISCARD status record_join(const char *folder, const struct foreground_result *launches, size_t count,
                             struct output *output, struct join_result *result);

#endif
