/* launches_check.h: what is doubtful about the files that were given for two sides, before anybody trusts the numbers. */
#ifndef EXECUTORCH_LAUNCHES_CHECK_H
#define EXECUTORCH_LAUNCHES_CHECK_H

#include "executorch/launches.h"

/* Takes one sentence; the text is valid during the call only. */
struct launch_warnings {
    void (*warn)(void *self, const char *text); /* is called for each */
    void *self;                                 /* for `warn` */
};

/* A name that contradicts the paths, a file of one run where all are wanted, a run with logging, the same times twice. `name` may
 * be NULL: the user gave none. */
void launches_check_side(const struct launches *side, const char *name, const struct launch_warnings *warnings);

/* The same times on both sides. */
void launches_check_pair(const struct launches *one, const struct launches *other,
                         const struct launch_warnings *warnings);

/* What a name says of a build: 1 where "on" is a word of it, -1 where "off" is, 0: neither or both. */
int switch_named(struct text text);

/* Do both paths lead to one file? */
bool launches_same_file(const char *one, const char *other);

#endif
