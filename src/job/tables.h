/* tables.h: the tables that can be asked of profiles by name, and which verb makes each.
 *
 * Constant data, walked over: tables of our own first, which every profile has, then those of the verbs, in the order of the help.
 * Which verbs are asked depends on what the profile is: its readers tell.
 */
#ifndef JOB_TABLES_H
#define JOB_TABLES_H

#include "job/job.h"

/* What is asked: the readers of all its inputs; none: whatever some profile may give. */
struct tables_of {
    const struct reader *const *readers; /* borrowed; may be NULL where the count is 0 */
    size_t count;                        /* of readers */
};

/* By name; NULL: none. `*maker` is the verb that makes it, NULL where it can only be made of what was read. */
const struct verb_table *tables_named(const char *name, struct tables_of of, const struct verb **maker);
/* Whether every profile has it: made by `tacho summary`, or of what was read. */
bool tables_is_own(const struct verb_table *table);
/* By number, each name once; NULL: no more. */
const struct verb_table *tables_at(size_t index, struct tables_of of);
/* Sets the option that a table is made with, in a job of its maker. */
NODISCARD status tables_prepare(const struct verb_table *table, struct job *job);
/* After the job: the table, which is the caller's then. STATUS_USAGE: it made none. */
NODISCARD status tables_take(const struct verb_table *table, struct job *job, struct table **taken);

#endif
