/* join.h: the one place where measured events meet a program.
 *
 * A reader of measured events asks here which job an action belongs to and what its source operator is, and has the engines
 * of a job drawn over the job's time. Without a program every question has the answer "not known" and nothing is drawn,
 * so readers need no second path. With an estimate, the estimated work of a job is drawn beside the measured job.
 *
 * A join borrows the program, the estimate and the feed it is used with, and owns its lookup tables until `join_free`.
 * It serves one input: make a new one for the next.
 */
#ifndef TORQ_JOIN_H
#define TORQ_JOIN_H

#include "torq/estimate.h"
#include "torq/program.h"
#include "trace/feed.h"

enum { JOIN_ENGINES = 20 }; /* engines that one job may use */

/* The engine slices of a job that has begun. Plain data, owned by the reader. */
struct join_open {
    open_id opens[JOIN_ENGINES]; /* a slice on each engine */
    unsigned count;              /* of them */
};

struct join;

/* `program` and `estimate` may be NULL. `clock` is the clock of the measured events. */
NODISCARD status join_new(const struct program *program, const struct estimate *estimate, struct feed *feed,
                          clock_id clock, const struct clock *clock_rate, struct join **join);
void join_free(struct join *join);

/* The program's dispatch of this name (0: the chosen one). False: it has none, or there is no program. */
bool join_dispatch(const struct join *join, string_id name, uint32_t *dispatch);
/* The action with this id in a dispatch (its name as a string id; 0: the program's chosen one). NULL: not known. */
const struct program_action *join_action(const struct join *join, string_id dispatch, int64_t action);
/* The job that an NSS start or wait belongs to. NULL: not known. */
const struct program_job *join_job(const struct join *join, const struct program_action *action);
/* The k-th job in execution order over all dispatches. NULL: not known. */
const struct program_job *join_job_at(const struct join *join, uint64_t k);

/* Draw the engines that `job` used, over its measured time, and the estimate beside it. `like` gives name, operator and
 * arguments. `action` is the wait action's id, the key of estimates that are keyed by action (-1: none). */
NODISCARD status join_job_begin(struct join *join, const struct program_job *job, int64_t action,
                                const struct slice *like, struct join_open *open);
NODISCARD status join_job_end(struct join *join, struct join_open *open, int64_t time);
/* The same where both ends are known. */
NODISCARD status join_job_slice(struct join *join, const struct program_job *job, int64_t action,
                                const struct slice *like);

#endif
