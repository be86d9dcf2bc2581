/* counted.h: the inputs of a job, read and with their runs counted; verbs that are asked about the same inputs share one reading.
 *
 *     struct counted own = { 0 }, *counted = counted_of(job, &own);     what another job lent for these inputs, or its own
 *     counted_open(counted, job, moments), counted_read(counted)        both do nothing where that was done
 *     counted_free(&own)
 *
 * A reading owns its session, what was counted, and all that is in them. Whoever lends one frees it after all questions.
 */
#ifndef JOB_COUNTED_H
#define JOB_COUNTED_H

#include "job/job.h"

/* An input that was read. */
struct counted_profile {
    struct counted_runs runs; /* that count */
    struct metrics metrics;   /* of those */
};

struct counted {
    struct session session;           /* of the inputs */
    struct counting counting;         /* of their runs */
    struct feed feed;                 /* through which they are read */
    struct counted_profile *profiles; /* by profile of the session; NULL: they are not read yet */
    const struct texts *inputs; /* of who lends it: it is for questions about these; NULL: it is not lent; borrowed */
    bool open;                  /* its inputs are */
};

/* The reading that the job was lent, where it is about its inputs; else `own`. */
struct counted *counted_of(const struct job *job, struct counted *own);
/* Opens the inputs. `moments`: counts and bytes of operators are asked for, too; one that is lent has them. */
NODISCARD status counted_open(struct counted *counted, const struct job *job, bool moments);
/* Reads all of them. After a failure of one of both it is as if it had never been opened. */
NODISCARD status counted_read(struct counted *counted);
/* Also after a failure, and where it was never opened. */
void counted_free(struct counted *counted);

#endif
