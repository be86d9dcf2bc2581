/* steps.h: where a row of builds steps from one level to another, by three ways of looking; the caller owns everything.
 *
 * A place is the index of the first value of the second level. Each level has `least` values at least; 0 says that the row is too short for that.
 */
#ifndef ANALYZE_STEPS_H
#define ANALYZE_STEPS_H

#include "analyze/builds.h"

/* E-divisive's place: where values differ most from those of the other side, beside how they differ on their own (energy distance, exponent 1,
 * after Matteson and James). Time grows by the square of `count`. */
size_t steps_divide(const struct build_value *values, size_t count, size_t least);

/* One step fitted by the least sum of absolute deviations. */
struct step_fit {
    size_t place; /* of the step */
    double
        gain; /* logarithm of how much likelier the row is with the step, where deviations are as the sum says (Laplace) */
    double
        price; /* of a level and a place more, by Bayes' information criterion: the step is worth it where the gain is larger */
};
/* STATUS_MEMORY only. */
NODISCARD status steps_fit(const struct build_value *values, size_t count, size_t least, struct step_fit *fit);

/* The places that fit about as well as the best one, by squares of deviations from the levels; what fits neither level counts alike on both
 * sides. The right one is among them in 95 of 100 cases. A level may be a single value here: where the best place is at an end, two levels say too
 * little of the values. `room` is for `count` numbers. */
struct step_range {
    size_t first, last; /* places, `place` among them */
    size_t best;        /* place */
};
struct step_range steps_range(const struct build_value *values, size_t count, size_t place, double *room);

#endif
