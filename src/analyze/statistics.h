/* statistics.h: numbers about samples: as the originals computed them, and as a verdict needs them.
 *
 * Pure functions over arrays that the caller owns; none keeps anything. Sums are compensated. "Sorted" means ascending.
 */
#ifndef ANALYZE_STATISTICS_H
#define ANALYZE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

double statistics_sum(const double *values, size_t count);
double statistics_mean(const double *values, size_t count);      /* NAN for none */
double statistics_deviation(const double *values, size_t count); /* n - 1 below; NAN for fewer than two */
void statistics_sort(double *values, size_t count);
double statistics_quantile(const double *sorted, size_t count, double q); /* linear: position (n - 1) q; NAN for none */
double statistics_median(const double *sorted, size_t count);
double statistics_trimmed_mean(const double *sorted, size_t count, double share); /* floor(share * n) off each end */

/* A value of one of two samples that are put together. */
struct ranked {
    double value;  /* of the sample */
    uint32_t rank; /* twice the rank, ties sharing the middle: always whole */
    bool first;    /* of the first sample */
};
/* Sorts, and fills the ranks. Returns the sum of t^3 - t over groups of t ties. `count` is under 2^31. */
double statistics_rank(struct ranked *items, size_t count);

/* In how many ways some of ranked items can be chosen so that their ranks have a sum. */
struct arrangements {
    double *ways; /* [k * width + s]: to choose k items with sum s; owned */
    size_t width; /* one more than the largest sum */
};
enum { ARRANGEMENTS_MOST = 50 };
/* For up to `chosen` of the items, ARRANGEMENTS_MOST at most. After a failure there is nothing to free. */
NODISCARD status arrangements_start(struct arrangements *arrangements, const struct ranked *items, size_t count,
                                    size_t chosen);
void arrangements_free(struct arrangements *arrangements);

/* Two-sided Mann-Whitney test. */
struct rank_test {
    double u;       /* of the first sample: pairs in which it is larger, ties half */
    double p;       /* two-sided; 1 where a sample is empty */
    bool exact;     /* by counting; else the normal approximation, corrected for ties and continuity */
    double least_p; /* the smallest p that these sizes can give */
};

/* Exact, also with ties, where both sizes are at most ARRANGEMENTS_MOST: every arrangement of the values counts. Else normal. */
NODISCARD status statistics_rank_test(const double *one, size_t one_count, const double *other, size_t other_count,
                                      struct rank_test *result);

/* Welch's test: whether the means of two samples differ, whose variances need not be equal.
 *
 * A machine has launches that are far off, one in fifteen or so, and each makes the variance of its side many times what it is: where a side has ten
 * values or more, a fifth of them is cut off each end (Yuen's form of the test). The variance of a few values may be small by chance, and the test
 * then finds differences that are none, seven times too often at 1 in 10,000 with 5 against 20 values: that of a side counts at
 * least as that of both together. */
struct welch_test {
    double difference; /* the mean of the second less that of the first */
    double error;      /* standard error of that */
    double t;          /* the quotient; 0 where they are equal */
    double freedom;    /* degrees */
    double p;          /* two-sided; NAN where a sample has fewer than two values */
};

/* `blur` is a deviation that the values have besides: what rounding hides. Sorts the values, and changes them. */
struct welch_test statistics_welch(double *one, size_t one_count, double *other, size_t other_count, double blur);
/* Two-sided p of Student's t. */
double statistics_student(double t, double freedom);
/* The other way: the t, over 0, whose two-sided p this is. */
double statistics_student_point(double p, double freedom);
/* Holm's correction: `adjusted[i]` is the level at which the i-th of these tests is significant where all are looked at. NAN stays
 * NAN, and is none of them. */
NODISCARD status statistics_holm(const double *p, size_t count, double *adjusted);

/* Spearman's rank correlation of values with their order in time, and its place on the normal curve. */
NODISCARD status statistics_trend(const double *values, size_t count, double *correlation, double *z);

/* A generator of its own: the same seed gives the same numbers on every machine. */
struct random_source {
    uint64_t state[4]; /* never all zero */
};
void random_start(struct random_source *source, uint64_t seed);
uint64_t random_next(struct random_source *source);
uint64_t random_below(struct random_source *source, uint64_t limit); /* unbiased */

/* One launch: the runs of one process, in order. */
struct launch_sample {
    const double *values; /* borrowed */
    size_t count;         /* of values */
};

struct confidence {
    double low, high; /* NAN: not known */
};

/* 95 % bootstrap interval of (median over launches of the launch median of `over`) / (the same of `under`): launches are drawn
 * first, then runs inside them. Every launch has a value. */
NODISCARD status statistics_ratio_interval(const struct launch_sample *over, size_t over_count,
                                           const struct launch_sample *under, size_t under_count, uint64_t seed,
                                           unsigned rounds, struct confidence *interval);
/* The same of the median alone. */
NODISCARD status statistics_median_interval(const struct launch_sample *launches, size_t count, uint64_t seed,
                                            unsigned rounds, struct confidence *interval);

#endif
