/* pending.h: work that a scope of R3 has started and not yet waited for.
 *
 * A job or host program begins with its start action and ends with its wait action, which may come much later and in another order. Where
 * the program is known it says which wait belongs to which start; else they belong together in order. A list of zeros is empty; its
 * owner frees `items`.
 */
#ifndef TORQ_PENDING_H
#define TORQ_PENDING_H

#include "torq/log.h"

/* Programs wait for a job soon after its start. Where waits are missing, each job that is kept open would need a lane of its own in a trace:
 * beyond so many the oldest is over. */
enum { TORQ_MOST_PENDING = 64 };

/* A job or a host program that was started and has not ended. */
struct pending {
    bool host;                     /* a host program; else a job */
    bool waited;                   /* its wait has begun */
    int64_t wait_action;           /* valid when `waited` */
    int64_t start_action;          /* id; -1: not known */
    const struct program_job *job; /* NULL: not known */
    string_id invocation;          /* of a host program; 0: not known */
    uint32_t flow;                 /* arrow from its start to its wait */
    uint64_t line;                 /* of its start */
    struct torq_work work;         /* its slices */
};

struct pendings {
    struct pending *items;  /* oldest first */
    size_t count, capacity; /* of items */
};

/* The row that starts something, or that waits for something whose start is not there. */
struct pending_row {
    enum torq_event event; /* NSS_START, NSS_WAIT, HOST_START or HOST_WAIT */
    int64_t action;        /* id */
    int64_t time;          /* ticks */
    uint64_t line;         /* of the file */
    int64_t last;          /* largest time seen in the scope */
};

/* Work begins. `like` is the slice of the action, with its operator and the flow from start to wait; `action` is what the program knows of it;
 * NULL: nothing. */
NODISCARD status pendings_begin(struct torq_log *log, struct pendings *pendings, const struct pending_row *row,
                                const struct program_action *action, const struct slice *like);
/* The work that is waited for from now on; NULL: none that was started. */
const struct pending *pendings_wait(struct torq_log *log, struct pendings *pendings, enum torq_event event, int64_t id,
                                    const struct program_action *action);
/* The wait is over, and so is the work. */
NODISCARD status pendings_end(struct torq_log *log, struct pendings *pendings, enum torq_event event, int64_t id,
                              int64_t time);
/* Ends the oldest: its wait never came. There is one. */
NODISCARD status pendings_lose(struct torq_log *log, struct pendings *pendings, int64_t time);

#endif
