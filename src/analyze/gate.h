/* gate.h: whether a candidate is slower than the good builds before it, and how often that would have been said of builds that were not.
 *
 * What a build may be off by chance is not given but learned: from how much good builds differ among themselves, level by level where the history has
 * changes (changes.h), so that neither an old change nor a machine that varies from day to day counts against the candidate. It is slower where all
 * of this holds:
 *
 *   builds     it is above the level since the last change, by Student's test at LATENCY_LEVEL, with the noise of builds (builds.h)
 *   launches   its launches differ from those of the last good builds, by the test that a comparison rests on (mode_test.h), at LATENCY_LEVEL
 *   effect     it takes more than the tolerance longer
 *
 * Everything else passes, but where too little is known: that is said, and is no verdict. What is counted and not measured has no noise: it is
 * compared as it is (`changes_of_counts`).
 *
 * A regression that went in all the same would be the level of tomorrow, and stop nobody any more. So builds that were slower by these rules
 * are held back until somebody accepts them, one at a time where too few are there for a change, and as a level where it is one:
 *
 *      ms  |            h h h h h   c             h: held back; c: the candidate, slower since the first h
 *          | . .. . . .                           .: what it is held against
 *          +------------------------- builds
 *
 * Only what lasts is held back: once a build of the old level follows, those before it were luck, and count as any other, so that builds of two modes
 * are learned as noise. A level that takes turns with the old one is none, and one that creeps, so that no build brought it, begins as any other.
 *
 * A build that is accepted and slower begins a level; one that is accepted on a level that is slower makes all of that level count.
 *
 * Plain numbers that nobody owns, but for the list of a calibration. Builds are named by their index.
 */
#ifndef ANALYZE_GATE_H
#define ANALYZE_GATE_H

#include "analyze/changes.h"

enum { GATE_LEAST_BUILDS = 3 };

enum gate_verdict { GATE_TOO_FEW, GATE_PASS, GATE_SLOWER };

struct gate_options {
    size_t builds;    /* good ones, the last of the history, that count */
    double tolerance; /* a share by which the candidate may be slower in any case */
};

#define GATE_DEFAULTS ((struct gate_options){ .builds = 30, .tolerance = 0.01 })

/* Good builds in order. Borrowed. */
struct gate_history {
    const struct build_launches *builds; /* in order; those that do not count have no launches */
    const bool *accepted;                /* by build: somebody said that it is a good one; NULL: nobody did of any */
    size_t count;                        /* of builds */
};

struct gate {
    enum gate_verdict verdict; /* on the candidate */
    double before, after;      /* the level it is held against, and its own, in the unit of the input; NAN: not known */
    double factor;             /* of these: over 1, it takes longer */
    struct confidence interval;  /* of the factor; NAN where nothing tells how much builds vary */
    double p_builds, p_launches; /* of the two tests; NAN: none */
    double noise;                /* by which a build as the candidate is off by chance, a share; NAN: not known */
    double detectable;           /* a factor that is found in 95 of 100 cases; NAN: not known */
    size_t first;                /* build of the history with which the level begins that it is held against */
    size_t held;                 /* builds since the first that counts that were slower and that nobody accepted */
    size_t
        since; /* of these, the first of those that the candidate follows; SIZE_MAX: the build before it was not slower */
    size_t builds;             /* measured ones of that level */
    size_t launches;           /* of these */
    size_t candidate_launches; /* that have a time */
};

/* STATUS_MEMORY only. */
NODISCARD status gate_judge(const struct gate_history *history, const struct build_launches *candidate,
                            const struct gate_options *options, struct gate *gate);

/* What is missing for a verdict: "3 launches of the candidate, 5 are needed"; empty where nothing is. */
enum { GATE_SENTENCE = 256 };
void gate_lack(const struct gate *gate, char to[GATE_SENTENCE]);

/* ---- Calibration ------------------------------------------------------------------------------------------------------ */

/* A past build, as a candidate among those before it. */
struct gate_trial {
    struct gate gate; /* what was said of it */
    bool changed;     /* a change to more was found where it lies, or since when it is slower: what was said is right */
    bool caught;      /* the same build, slower by the share that was asked for, would have been called slower */
};

struct gate_calibration {
    struct gate_trial *trials; /* one for each build; owned */
    size_t count;              /* of trials */
    size_t judged;             /* builds with a verdict */
    size_t alarms;             /* of these, called slower where nothing had changed: false */
    size_t changes;            /* of these, called slower where something had */
    size_t caught;             /* of these, would be called slower if they were */
};

/* `slower` is a share: 0.05. Free it also after a failure. */
NODISCARD status gate_calibrate(const struct gate_history *history, const struct gate_options *options, double slower,
                                struct gate_calibration *calibration);
void gate_calibration_free(struct gate_calibration *calibration);

#endif
