/* mode_test.h: whether two samples differ, where values lie in groups (modes); a result is plain numbers that nobody owns.
 *
 * The values of both samples are put together and cut into groups (modes.h). Three questions are asked of them:
 *   all         are the values of one sample larger? Mann-Whitney's rank sum over all values.
 *   inside      are they larger than those of the other sample in the same mode? The rank sums inside each mode, added up.
 *   occurrence  is one sample in slower modes more often? The rank sum where all values of a mode count as equal.
 * The first is the sum of the other two: a change inside modes drowns there in the luck of which mode was drawn. Each sum is
 * divided by its deviation (the one inside modes: by that of the numbers of launches in each mode as they are), and the largest
 * of the three decides.
 *
 * Why the level holds: if the samples are alike, all ways to deal the values to two samples of these sizes are equally likely.
 * The groups do not know the samples, the largest quotient is computed for every such arrangement in the same way, and p is the
 * share of arrangements in which it is as large or larger. Looking three times is thereby paid for. All arrangements are counted
 * where both sizes are at most MODE_TEST_EXACT; beyond, p is three times that of the normal curve, which is an upper bound.
 *
 * A shift may tear a mode in two, one part for each sample. So neighbouring groups, one with values of one sample only and the
 * other with those of the other only, are one mode; where no group has both and all of one sample is below the other, all are.
 * That all of one sample is below the other counts as clearer than everything else: five values against five can still tell.
 * Without a cut, p is that of Mann-Whitney's test.
 */
#ifndef ANALYZE_MODE_TEST_H
#define ANALYZE_MODE_TEST_H

#include "analyze/statistics.h"

enum { MODE_TEST_MODES = 4, MODE_TEST_EXACT = 30 };

enum mode_question { MODE_ALL, MODE_INSIDE, MODE_OCCURRENCE, MODE_QUESTIONS };

struct mode_answer {
    double z; /* quotient: over 0, the first sample is larger */
    double p; /* of this question alone, two-sided: the other two are not paid for */
};

/* A mode of both samples; a median is NAN where a sample has no value in it. */
struct mode_pair {
    size_t one, other;               /* values of each sample */
    double one_median, other_median; /* of those */
};

struct mode_test {
    struct mode_pair modes[MODE_TEST_MODES];    /* from fast to slow */
    unsigned mode_count;                        /* 1: there are none */
    struct mode_answer answers[MODE_QUESTIONS]; /* to each question */
    enum mode_question
        decided; /* the question with the largest quotient; MODE_ALL where it is even, or the samples are apart */
    double p;    /* of the verdict */
    bool exact;  /* by counting */
    double factor_inside;   /* first over second inside modes; NAN where no mode has both */
    struct rank_test whole; /* Mann-Whitney over all values, modes or not */
};

/* Both samples have values, all over 0. */
NODISCARD status mode_test_run(const double *one, size_t one_count, const double *other, size_t other_count,
                               struct mode_test *result);

#endif
