/* own_time.h: of time in which several are at work, how much is each one's own.
 *
 * A moment in which k sets are active counts for each of them by a k-th. So the own times of all sets add up to the time in which any is
 * active: exactly, for what a division leaves over goes to those that lost most by it.
 */
#ifndef BASE_OWN_TIME_H
#define BASE_OWN_TIME_H

#include "base/intervals.h"

/* `own` has room for `count` times. Sets are settled. */
NODISCARD status own_times(const struct intervals *sets, size_t count, int64_t *own);

#endif
