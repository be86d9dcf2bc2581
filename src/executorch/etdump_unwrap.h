/* etdump_unwrap.h: times of a 32-bit clock that started again while it was read. */
#ifndef EXECUTORCH_ETDUMP_UNWRAP_H
#define EXECUTORCH_ETDUMP_UNWRAP_H

#include "executorch/execution.h"

/* Events are logged when they end, so ends go forward; this far back is still taken as back, not as nearly a whole turn
 * forward. */
#define ETDUMP_BACK (INT64_C(1) << 28)

/* Makes the starts of all events go on across the wraps, by multiples of 2^32, and sets `wrapped`. Events are in file order with
 * stamps of 32 bits; durations are right already. Nothing changes where a time would be over `limit`. Call it before
 * `execution_settle`. */
void etdump_unwrap(struct execution *execution, int64_t limit);

#endif
