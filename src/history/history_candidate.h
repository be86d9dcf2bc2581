/* history_candidate.h: the candidate of a gate: what it is of, and what was measured of it.
 *
 * A candidate may be of several devices and sets of labels, as what a folder of runs holds: each is a part, which is judged by itself. It owns its
 * parts and a history of its own; the texts of a part are in its key.
 */
#ifndef HISTORY_HISTORY_CANDIDATE_H
#define HISTORY_HISTORY_CANDIDATE_H

#include "analyze/gate.h"
#include "history/history_profiles.h"
#include "history/history_verb.h"

/* Builds that would have counted. */
struct left_out {
    size_t failed, bad; /* why they do not */
    size_t held;        /* the same: they are slower, or count more, and nobody accepted it */
};

/* What of a candidate is of one device and one set of labels, and what is said of it. */
struct part {
    char *key;                /* device and labels, with a separator between them; the choice points into it; owned */
    struct texts labels;      /* of it */
    const char *device;       /* of it; empty: not known */
    size_t failures;          /* launches that failed */
    struct gate gate;         /* what is said of it */
    struct left_out left_out; /* builds that it was not held against */
    char build[HISTORY_WORD]; /* of counts: whose number is the one before; empty: there is none */
    bool unsteady;            /* of counts: its launches do not agree */
    char since[HISTORY_WORD]; /* first of the builds before it that are as slow and were not accepted; empty: none is */
    char subject[HISTORY_SENTENCE];  /* what is judged */
    char sentence[HISTORY_SENTENCE]; /* what is said */
};

struct candidate {
    struct history history; /* the candidate's own, in memory, so that its numbers are made as all others are */
    struct history_profiles profiles; /* in it */
    char **keys;                      /* by profile: device and labels; owned */
    size_t *failures;                 /* by profile: launches that failed; owned */
    size_t cursor;                    /* profile that a label is of */
    struct part *parts;               /* owned */
    size_t count;                     /* of parts */
};

/* Free it also after a failure. */
NODISCARD status candidate_read(struct job *job, const struct texts *inputs, struct candidate *candidate);
void candidate_free(struct candidate *candidate);

#endif
