/* ties.h: inputs of a session that tell something about others: a compiler's estimate beside measured jobs.
 *
 * A chain says how (struct tie in read/chain.h). Estimates are read first, then `ties_prepare`, then the others, each between `ties_begin` and
 * `ties_end`. It owns what the chains opened until `ties_close`.
 */
#ifndef JOB_TIES_H
#define JOB_TIES_H

#include "job/session.h"

struct session_tie {
    const struct tie *calls; /* of the chain */
    void *self;              /* what its `open` gave; owned */
    bool ready;              /* others may have it */
};

struct ties {
    struct session_tie *items; /* of all chains that have one here; owned */
    size_t count;              /* of items */
};

/* They listen from the beginning, because ids count up from there. Close it also after a failure. */
NODISCARD status ties_open(struct ties *ties, const struct session *session, struct tee *tee);
void ties_close(struct ties *ties);

/* After the estimates were read. */
NODISCARD status ties_prepare(struct ties *ties, const struct session *session);
/* Before one of the others is read: gives it what its chain has for it. */
void ties_begin(const struct ties *ties, struct profile *profile);
/* After it was read: was anything drawn from that? */
void ties_end(const struct ties *ties, struct profile *profile, const struct busy *busy);

#endif
