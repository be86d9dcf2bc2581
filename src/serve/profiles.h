/* profiles.h: what is served: the files of the folders with what is known of each, and answers to errands about them.
 *
 * A file is read once for its card, behind everything that somebody waits for; all else is asked when it is asked for, by a job of its
 * own. All functions lock by themselves. What runs when the server ends is left to itself, so that the struct is freed by whoever
 * uses it last: `profiles_stop` gives it up.
 */
#ifndef SERVE_PROFILES_H
#define SERVE_PROFILES_H

#include "base/output.h"
#include "job/verb.h"
#include "serve/answers.h"

struct profiles;

struct profiles_options {
    const char *const *paths;  /* files and folders to be served */
    size_t count;              /* of paths */
    bool whole;                /* each of them is a profile, also where it is a folder */
    const char *folder;        /* private: answers are written there */
    unsigned threads;          /* that do the jobs */
    uint64_t memory;           /* bytes that jobs may need together */
    uint64_t disk;             /* bytes of answers that are kept */
    uint64_t traces;           /* bytes of traces that are kept in memory */
    const struct texts *asked; /* options of all jobs, as `job_handed` has them; NULL: none; copied */
    const char *history;       /* file or URL; NULL: none; copied */
    /* Called with everything locked, so that they only pass it on: somebody has to wait, and behind `next` waits another one; what all in such a list wait
     * for is there. */
    void (*wait)(struct exchange *asker, struct exchange *next);
    void (*wake)(struct exchange *waiting);
};

/* Looks through the folders for the first time. Threads are not started yet. */
NODISCARD status profiles_open(const struct profiles_options *options, struct profiles **profiles);
/* Starts the threads. */
NODISCARD status profiles_start(struct profiles *profiles);
/* Stops them, and waits a little for jobs that run. True: all have ended. The profiles must not be used afterwards. Also where they were
 * not started. */
bool profiles_stop(struct profiles *profiles);

/* Bounds what jobs write, and looks through the folders again, where somebody has looked at the list lately: to be called a few times a
 * second. Files of this process must not be limited otherwise. */
void profiles_refresh(struct profiles *profiles);

/* The folders that jobs read in: for whoever confines the process. NULL: no more. */
const char *profiles_root(const struct profiles *profiles, size_t index);

/* JSON documents (doc/api.md). Failures stick in the output. STATUS_NO: no profile has this id. `after` is what the caller has already,
 * as the list told it; NULL: nothing. Where nothing changed since, the list is left out. `again`: the file is looked at before. */
void profiles_write_list(struct profiles *profiles, const char *after, struct output *output);
NODISCARD status profiles_write_one(struct profiles *profiles, const char *id, bool again, struct output *output);

/* Asks about one profile, or two where `ids[1]` is not NULL; the history where both are. Takes over the errand. `*answer` is held; where it is not there yet, the
 * asker waits for it. STATUS_NO: no profile has such an id, there is no history, or too much is asked at once (then `*busy`). */
NODISCARD status profiles_ask(struct profiles *profiles, const char *const ids[2], struct errand *errand,
                              struct exchange *asker, struct answer **answer, bool *busy);
/* Wakes all who wait, although nothing is there; nobody has to wait afterwards. */
void profiles_wake_all(struct profiles *profiles);
void profiles_drop(struct profiles *profiles, struct answer *answer);
/* Locks; what is in between sees a state that does not change. */
void profiles_lock(struct profiles *profiles);
void profiles_unlock(struct profiles *profiles);
/* STATUS_NO: no profile has this id. */
NODISCARD status profiles_check(struct profiles *profiles, const char *id);
/* The name of a profile for a file that is downloaded; "" where there is none. */
void profiles_name(struct profiles *profiles, const char *id, char *to, size_t size);

#endif
