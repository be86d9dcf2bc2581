/* record_check.h: whether an ETRecord can be that of the model that ran.
 *
 * A record is named by the user or lies beside the file, and a dump does not name it; one of another model would give modules, lines and
 * rates that never were. What contradicts: an instruction that calls a delegate in one of the two and a kernel in the other, another
 * number of products, softmaxes, poolings or additions than a delegate was made from (a backend neither inserts nor fuses these), a product where the
 * graph has none. What a log or a record lacks says nothing. Nothing is owned.
 */
#ifndef EXECUTORCH_RECORD_CHECK_H
#define EXECUTORCH_RECORD_CHECK_H

#include "executorch/execution.h"
#include "executorch/graph.h"

enum { RECORD_SENTENCE = 512 };

/* Fills `sentence` with what differs first; empty: nothing does. `execution` is settled. */
NODISCARD status record_check(const struct execution *execution, const struct graph *graph,
                              char sentence[RECORD_SENTENCE]);

/* STATUS_INPUT with that sentence: the record cannot be used for the file at `path`. */
NODISCARD status record_refuse(const struct graph *graph, const char *path, const char *sentence);
/* The note of a record that was only found beside a file, in the pool of the graph. */
NODISCARD status record_leave_out(const struct graph *graph, const char *sentence, const char **note);

#endif
