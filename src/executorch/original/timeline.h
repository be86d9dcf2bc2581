/* timeline.h: the timeline and statistics files of an execution, as the ExecuTorch side of the field knows them.
 *
 *   model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block  [,timestamp_ms,parent_id,op_type,backend]
 *
 * Rows are event-major, run-minor. The first eleven columns are byte-equal to those of the original converter, rounding noise
 * included, where it is right; doc/differences.md says where it is not.
 *
 * A timeline borrows the execution, the graph and the texts of its options, and owns its order until `timeline_free`.
 */
#ifndef EXECUTORCH_ORIGINAL_TIMELINE_H
#define EXECUTORCH_ORIGINAL_TIMELINE_H

#include "base/output.h"
#include "executorch/execution.h"
#include "executorch/graph.h"

#define TIMELINE_ALL UINT32_MAX

struct timeline_options {
    const char *model_id;      /* first column of each row */
    bool extra;                /* the four columns behind */
    const struct graph *graph; /* for op_type; NULL: none */
};

struct timeline;

NODISCARD status timeline_new(const struct execution *execution, const struct timeline_options *options,
                              struct timeline **timeline);
void timeline_free(struct timeline *timeline); /* NULL is fine */

/* The rows of one run_index, with node ids counted anew, or of all runs. Failures stick in the output. */
NODISCARD status timeline_csv(const struct timeline *timeline, uint32_t run_index, struct output *output);
NODISCARD status timeline_json(const struct timeline *timeline, uint32_t run_index, struct output *output);

/* One event of the program, in the order of the rows. */
struct timeline_node {
    uint32_t op;         /* index in the execution */
    double average_ms;   /* over the runs that have it; a loop counts whole */
    struct text backend; /* as in the column delegate_backend */
};

uint32_t timeline_nodes(const struct timeline *timeline);
struct timeline_node timeline_node(const struct timeline *timeline, uint32_t index);
const struct execution *timeline_execution(const struct timeline *timeline);
const char *timeline_model(const struct timeline *timeline);

/* Totals by type and backend, per inference. */
NODISCARD status timeline_stats_csv(const struct timeline *timeline, struct output *output);
NODISCARD status timeline_stats_json(const struct timeline *timeline, struct output *output);

/* Rows that timeline_csv writes for all runs. */
uint64_t timeline_rows(const struct timeline *timeline);

#endif
