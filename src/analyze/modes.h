/* modes.h: groups in which the medians of launches lie, clearly apart from each other; the caller owns everything.
 *
 * Two groups are apart by 10 % at least, and by some times the deviation inside groups. Nothing is asked about which side a
 * launch is of, so launches of two sides may be grouped together without a test over them losing its level.
 */
#ifndef ANALYZE_MODES_H
#define ANALYZE_MODES_H

#include <stddef.h>

enum { MODES_MOST = 6 };

/* How many deviations: fewer for two sides together, where a difference between the sides widens every group. */
enum { MODES_APART_ALONE = 4, MODES_APART_TOGETHER = 3 };

/* Sorted values, cut into groups from fast to slow. */
struct mode_cuts {
    size_t ends[MODES_MOST]; /* index one past the last value of each group */
    unsigned count;          /* of groups; 0 for no values */
};

size_t mode_cuts_start(const struct mode_cuts *cuts, unsigned group); /* index of its first value */

/* `most` groups at most, 2 to MODES_MOST: where there are more, the narrowest gaps are closed. Values are over 0, ascending. */
struct mode_cuts modes_find(const double *sorted, size_t count, unsigned most, unsigned deviations);

#endif
