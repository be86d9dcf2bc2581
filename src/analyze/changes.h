/* changes.h: at which builds a number changed: change points of a history, each with a factor, an interval and the builds it fell between.
 *
 *      ms  |  . . .  .                            the numbers of builds, some of them not measured
 *          | .  .  .  .. .
 *          |               .  . ..  .  .          a change: -11 % (95 % CI -12 to -10), between build 12 and build 14
 *          |                .  .  .  .  .
 *          +-------------|--|------------ builds
 *
 * Times vary, so a change is one where three looks agree, none of which draws random numbers; the same history gives the same answer:
 *
 *   E-divisive    over the last builds and then over all: where the distance between both sides is largest beside that inside of each (energy
 *                 distance), and Student's test over builds, by how much these vary among themselves (builds.h), reaches CHANGES_LEVEL
 *   L1 step fit   one step, fitted by the least sum of absolute deviations, is worth its price, and lies where the first look says
 *   launches      those on both sides differ, by the test that the verdict of a comparison rests on (mode_test.h): a build whose launches fell into
 *                 a slow mode is luck
 *
 * A change has CHANGES_LEAST measured builds on each side: one slow build is none yet, and the gate (gate.h) is what stops it. What is counted and
 * not measured (bytes, operators, cycles that a compiler estimates) has no luck in it: it changed where it is not equal.
 *
 * A list owns its items until its free function. Builds are named by their index.
 */
#ifndef ANALYZE_CHANGES_H
#define ANALYZE_CHANGES_H

#include "analyze/builds.h"

enum { CHANGES_LEAST = 3, CHANGES_WINDOW = 30 };

#define CHANGES_LEVEL 0.0001

/* The change came with one of the builds `last_before + 1` to `first_after`. */
struct change_range {
    size_t last_before; /* the last build that surely is as before: in 95 of 100 cases */
    size_t first_after; /* the first one that surely is not */
};

struct change {
    struct change_range range; /* it fell in */
    size_t build;              /* the likeliest: the first one that is different */
    double before,
        after; /* levels, in the unit of the input: of the builds back to the change before this, and up to the next */
    double factor;              /* of these: over 1, the number grew */
    struct confidence interval; /* of the factor */
    double p;                   /* of the test over builds */
    size_t builds[2];           /* measured ones on both sides, back to the change before and up to the next */
    size_t launches[2];         /* of these */
};

struct changes {
    struct change *items; /* in order; owned */
    size_t count;         /* of items */
    size_t measured;      /* builds that have a time */
    double level;         /* of the builds since the last change; NAN: none has a time */
    double noise;         /* by which a build is off by chance, a share of the time; NAN: not known */
};

struct changes_options {
    double level; /* of the test over builds; where several series are looked at, it is shared among them */
};

#define CHANGES_DEFAULTS ((struct changes_options){ .level = CHANGES_LEVEL })

/* Builds in order. Free it also after a failure. */
NODISCARD status changes_find(const struct build_launches *builds, size_t count, const struct changes_options *options,
                              struct changes *changes);
void changes_free(struct changes *changes);

/* ---- What is counted ------------------------------------------------------------------------------------------------- */

struct build_count {
    const int64_t *values; /* of each launch; borrowed */
    size_t count;          /* of launches; 0: not known of this build */
};

struct count_change {
    size_t last_before, first_after; /* builds; those between are not known */
    int64_t before, after;           /* the two numbers */
};

struct count_changes {
    struct count_change *items; /* in order; owned */
    size_t count;               /* of items */
    size_t unsteady;            /* builds whose launches do not agree: nothing is said of them */
};

NODISCARD status changes_of_counts(const struct build_count *builds, size_t count, struct count_changes *changes);
void count_changes_free(struct count_changes *changes);

#endif
