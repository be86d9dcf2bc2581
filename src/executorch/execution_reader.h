/* execution_reader.h: from an execution to the sink, for every reader that fills one.
 *
 * Tracks: inferences, calls, portable kernels, one line per backend, loading, and the gaps that nothing explains. Nothing is
 * owned; the execution stays the caller's.
 */
#ifndef EXECUTORCH_EXECUTION_READER_H
#define EXECUTORCH_EXECUTION_READER_H

#include "executorch/execution.h"
#include "read/reader.h"

/* The `read` of such a reader: fills an execution with `fill`, joins it to the source's graph, feeds it. */
NODISCARD status execution_read(struct source *source, struct feed *feed,
                                status (*fill)(struct source *source, struct execution *execution));

#endif
