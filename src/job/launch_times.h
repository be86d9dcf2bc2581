/* launch_times.h: the launches of profiles that were read, each with how long its runs took, in order.
 *
 * A profile is one launch, unless it tells several. It owns names, times and indices until `launch_times_free`.
 */
#ifndef JOB_LAUNCH_TIMES_H
#define JOB_LAUNCH_TIMES_H

#include "analyze/latency.h"
#include "base/arena.h"

struct counting;
struct profile;

struct launch_times {
    struct latency_launch *items; /* in the order in which they were added; owned */
    size_t count, capacity;       /* of items */
    struct arena arena;           /* what they point to */
};

void launch_times_free(struct launch_times *times); /* leaves an empty one */

/* Room for a launch of `count` runs; who fills it in with fewer sets the count of the last item. */
NODISCARD status launch_times_new(struct launch_times *times, const char *name, size_t count, double **ms,
                                  uint32_t **runs);
/* The launches of a profile that was read, after the busy intervals were settled and before they are cut. `*without_time` is how many runs
 * last 0. A profile all of whose launches failed has none. STATUS_INPUT: every run of a launch lasts 0. */
NODISCARD status launch_times_add(struct launch_times *times, struct counting *counting, const struct profile *profile,
                                  size_t *without_time);

#endif
