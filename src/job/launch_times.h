/* launch_times.h: the launches of profiles that were read, each with how long its runs took, in order.
 *
 * A profile is one launch, unless it tells several, or is one of the processes (ranks) of a launch that others tell, too: these work on the same
 * runs, and a run takes as long as in the slowest. So the slowest rank stands for its launch. It owns names, times and indices until `launch_times_free`.
 */
#ifndef JOB_LAUNCH_TIMES_H
#define JOB_LAUNCH_TIMES_H

#include "analyze/latency.h"
#include "base/arena.h"

struct counting;
struct profile;

/* A profile that is one of several processes of a launch. */
struct launch_rank {
    unsigned group;       /* of launches: a side of a comparison */
    uint32_t rank, ranks; /* which one, of how many */
    size_t launch;        /* among the items */
    int64_t ns;           /* that a run takes in it */
};

struct launch_times {
    struct latency_launch *items; /* in the order in which they were added; owned */
    size_t count, capacity;       /* of items */
    struct arena arena;           /* what they point to */
    struct launch_rank *ranks;    /* in the order in which they were added; owned */
    size_t rank_count;            /* of ranks */
    size_t rank_capacity;         /* the same */
};

void launch_times_free(struct launch_times *times); /* leaves an empty one */

/* Room for a launch of `count` runs; who fills it in with fewer sets the count of the last item. */
NODISCARD status launch_times_new(struct launch_times *times, const char *name, size_t count, double **ms,
                                  uint32_t **runs);
/* The launches of a profile that was read, after the busy intervals were settled and before they are cut. `*without_time` is how many runs
 * last 0. A profile all of whose launches failed has none. STATUS_INPUT: every run of a launch lasts 0. */
NODISCARD status launch_times_add(struct launch_times *times, struct counting *counting, const struct profile *profile,
                                  size_t *without_time);

/* What became of the last launch. */
struct launch_join {
    enum {
        LAUNCH_NEW,
        LAUNCH_SLOWER,
        LAUNCH_QUICKER
    } was;                  /* its own; another rank of one that was there, and slower or not than those */
    size_t launch;          /* that it is or belongs to */
    const double *replaced; /* SLOWER: the times that stood for that launch before */
};

/* After the only launch of a profile was added, whose runs take `ns` (a mean of those that count): where it is another rank of an earlier launch of the
 * group, it takes that one's place or is taken out again. The n-th file of a rank is of the n-th launch. */
NODISCARD status launch_times_join(struct launch_times *times, unsigned group, const struct profile *profile,
                                   int64_t ns, struct launch_join *join);

enum { LAUNCH_SENTENCE = 192 };

/* "2 of 4 ranks of one launch: ...". False: no launch of the group has several. */
bool launch_times_ranks(const struct launch_times *times, unsigned group, char to[LAUNCH_SENTENCE]);

#endif
