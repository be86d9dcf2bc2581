/* profile.h: one profile of a GPU, read for a question about all of it: its pieces, the runs that count, and their metrics.
 *
 * It owns all of that until `gpu_profile_free`, also after a failure.
 */
#ifndef GPU_PROFILE_H
#define GPU_PROFILE_H

#include "gpu/head.h"
#include "gpu/pieces.h"
#include "job/job.h"
#include "job/session.h"

struct gpu_profile {
    bool nodes; /* its work are nodes, because no work of a device is in it; whoever asked for that says so */
    struct session session;      /* with the profile */
    struct counting counting;    /* of its runs */
    struct counted_runs runs;    /* that count */
    struct metrics metrics;      /* of these */
    struct pieces pieces;        /* of the whole profile, settled */
    const struct gpu_head *head; /* of its file; never NULL once it was read */
};

NODISCARD status gpu_profile_read(struct gpu_profile *profile, const struct job *job, const char *path);
void gpu_profile_free(struct gpu_profile *profile);

static inline const struct profile *gpu_profile_of(const struct gpu_profile *profile)
{
    return &profile->session.profiles[0];
}

#endif
