/* builds.h: a build as one number, and what builds that lie together have in common.
 *
 * A build is its launches, each with the median of its runs. Its number is the logarithm of the median of those, so that one launch that is far off
 * moves nothing, and a change is a factor wherever it happens. Launches are not all that varies: from one build to the next the
 * machine was restarted and the code lies elsewhere, too. So two levels are compared by how much builds differ among themselves, which the history
 * tells, and never as if launches of one build were all there is to luck.
 *
 * Plain numbers that nobody owns, but for the list of values. What is not over 0 is no time, and is left out.
 */
#ifndef ANALYZE_BUILDS_H
#define ANALYZE_BUILDS_H

#include "analyze/statistics.h"

/* What was measured of a build. */
struct build_launches {
    const double *medians; /* of each launch, in any unit; borrowed */
    size_t count;          /* of launches; 0: the build was not measured */
};

struct build_value {
    double value;  /* logarithm of the median of its launches */
    double weight; /* how much it says: see build_weight */
    size_t build;  /* which one it is */
};

struct build_values {
    struct build_value *items; /* one for each build that has a time, in order; owned */
    size_t count;              /* of items */
    double
        ratio; /* what varies from build to build over what varies from launch to launch, squared; 0: nothing is seen of it */
};

/* Free it also after a failure. */
NODISCARD status builds_values(const struct build_launches *builds, size_t count, struct build_values *values);
void build_values_free(struct build_values *values);
/* Launches that have a time. */
size_t build_times(const struct build_launches *build);
/* As many launches as the build is worth where nothing else varies: many say no more of what differs from build to build. */
double build_weight(size_t launches, double ratio);

/* How values lie around two levels: the first `first` of them around one, the others around the other, which may be none. */
struct build_spread {
    double medians[2]; /* of each side; NAN: it has no value */
    double
        reach; /* what is farther from its median is luck of another kind (a slow mode, a busy machine): 3 deviations */
};
/* `room` is for `count` numbers. */
struct build_spread builds_spread(const struct build_value *values, size_t first, size_t count, double *room);

/* Builds that lie together; what is out of reach counts as if it were just in reach. */
struct build_level {
    double mean;    /* of values, by weight */
    double weight;  /* of all */
    double squares; /* of the deviations from the mean, by weight */
    size_t count;   /* of builds */
    size_t clipped; /* of these, out of reach */
};
struct build_level builds_level(const struct build_value *values, size_t count, double median, double reach);

/* How far one level is from another: Student's test with what both vary by together. What was out of reach counts as not known: it makes the
 * error larger and the degrees of freedom fewer. */
struct level_test {
    double difference; /* the second less the first: a logarithm */
    double error;      /* standard error of that */
    double freedom;    /* degrees */
    double p;          /* two-sided; NAN where nothing tells how much builds vary */
};
struct level_test builds_test(const struct build_value *values, size_t first, size_t count, double *room);
/* What the second level is of the first, and its 95 % interval; NAN where that cannot be known. */
double level_factor(const struct level_test *test);
struct confidence level_interval(const struct level_test *test);

/* Launches of the builds next to each other, BUILDS_LAUNCHES at most, from the last build back or from the first on. Returns how many. */
enum { BUILDS_LAUNCHES = 30 };
size_t builds_gather(const struct build_launches *builds, const struct build_value *values, size_t count, bool from_end,
                     double to[BUILDS_LAUNCHES]);

#endif
