/* chain.h: what the tool chain ExecuTorch adds to the words of the core: its engines, its argument keys, its reasons for losses.
 *
 * All of it is constant. `chain.c` registers it, with the readers, options and verbs of the chain, as one struct chain.
 */
#ifndef EXECUTORCH_CHAIN_H
#define EXECUTORCH_CHAIN_H

#include "analyze/metrics.h"
#include "read/chain.h"

struct execution;
struct graph;
struct kernel_log;

enum { EXECUTORCH_ORDERS = 32 }; /* the orders of its engines, and of those of the core, are below */

extern const struct engine executorch_engine_inference; /* Method::execute */
extern const struct engine executorch_engine_call;      /* the runtime's wrapper around an operator */
extern const struct engine executorch_engine_delegate;  /* operators that a backend ran */
extern const struct engine executorch_engine_portable;  /* kernels of the runtime's own library */
extern const struct engine executorch_engine_gap;       /* inside an inference, in no operator */
extern const struct engine executorch_engine_load;      /* loading and preparing the model */
extern const struct engine executorch_engine_value;     /* logged tensors and numbers */

extern const struct argument_key executorch_instruction;

extern const struct loss_reason executorch_loss_allocator;

extern const struct metric_set executorch_metrics;

/* What can be read from a file besides its timeline; each may be NULL. What is filled was started, and is to be freed also after a
 * failure. */
struct executorch_calls {
    status (*execution)(struct source *source, struct execution *execution); /* settled */
    status (*graph)(struct source *source, struct graph *graph);             /* of the model */
    status (*kernels)(struct source *source, struct kernel_log *log);        /* of the backend's log */
    bool bare;                                                               /* executions without operators */
};

extern const struct reader etdump_reader;
extern const struct reader etrecord_reader;
extern const struct reader et_timeline_reader;
extern const struct reader et_ops_reader;
extern const struct reader et_runner_log_reader;
extern const struct reader xnntrace_reader;
extern const struct reader xnn_kernels_reader;
extern const struct chain executorch_chain;

extern const struct verb timeline_verb;
extern const struct verb latency_verb;
extern const struct verb kernels_verb;
extern const struct verb pipeline_verb;
extern const struct verb validate_verb;
extern const struct verb_part executorch_advise_part;
extern const struct verb_part executorch_report_part;
extern const struct verb_part executorch_operators_part;

/* Of a reader of any chain; those of another have none of these. */
const struct executorch_calls *executorch_calls(const struct reader *reader);

extern const struct companion
    executorch_graph_companion; /* struct graph, by --etrecord or the record beside the file */

#endif
