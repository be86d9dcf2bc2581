/* robust.h: what the original latency script says of the runs of one file.
 *
 * A struct robust owns its list of outliers until `robust_free`. All times are milliseconds; a number that so few runs cannot
 * give (the deviation of one) is NAN.
 */
#ifndef EXECUTORCH_ORIGINAL_ROBUST_H
#define EXECUTORCH_ORIGINAL_ROBUST_H

#include <stddef.h>

#include "base/status.h"

enum { ROBUST_PERCENTILES = 5 };
extern const double robust_percentiles[ROBUST_PERCENTILES]; /* 50, 75, 90, 95, 99 */

struct robust_moments {
    size_t count;        /* runs */
    double mean, median; /* in the unit of the runs */
    double deviation;    /* n - 1 below */
    double variation;    /* deviation in percent of the mean */
};

struct robust {
    struct robust_moments all;              /* runs, outliers too */
    double least, most;                     /* of all runs */
    double percentiles[ROBUST_PERCENTILES]; /* by robust_percentiles */
    double *outliers;                       /* in the order of the runs */
    size_t outlier_count;                   /* of outliers */
    double lower, upper;                    /* quartiles less and plus 1.5 of their distance: beyond are outliers */
    double trimmed_5, trimmed_10;           /* means without 5 and 10 percent at each end */
    struct robust_moments inliers;          /* runs without the outliers */
};

/* Of one run or more. `robust_free` also after a failure. */
NODISCARD status robust_compute(const double *ms, size_t count, struct robust *robust);
void robust_free(struct robust *robust);

#endif
