/* chain.h: what the tool chain Torq adds to the words of the core: its engines, its argument keys, its reasons for losses.
 *
 * All of it is constant. `chain.c` registers it, with the readers, options and verbs of the chain, as one struct chain.
 */
#ifndef TORQ_CHAIN_H
#define TORQ_CHAIN_H

#include "read/chain.h"

struct program;

enum { TORQ_ORDERS = 32 }; /* the orders of its engines, and of those of the core, are below */

extern const struct engine torq_engine_runtime;   /* scopes of the runtime */
extern const struct engine torq_engine_action;    /* actions of the runtime */
extern const struct engine torq_engine_hal;       /* calls of the hardware abstraction layer */
extern const struct engine torq_engine_job;       /* a program on the NSS, from start to wait */
extern const struct engine torq_engine_host;      /* programs on the host */
extern const struct engine torq_engine_host_copy; /* copies by the host */
extern const struct engine torq_engine_plan;      /* a program as it was planned */
extern const struct engine torq_engine_task;      /* a task as it was planned */
extern const struct engine torq_engine_dma_in;
extern const struct engine torq_engine_dma_out;
extern const struct engine torq_engine_cdma_dtcm;
extern const struct engine torq_engine_cdma_itcm;
extern const struct engine torq_engine_slice;
extern const struct engine torq_engine_css;
extern const struct engine torq_engine_waiting; /* an engine that waits after its estimated transfer */

/* The keys of its arguments in one pool of strings. */
struct torq_keys {
    string_id task;         /* torq-task-id */
    string_id action;       /* id of a host action */
    string_id job;          /* number of an NSS job */
    string_id start_action; /* that starts the job */
    string_id wait_action;  /* that waits for it */
    string_id invocation;   /* of the dispatch */
    string_id dispatch;     /* its name */
    string_id transfer;     /* from which memory to which */
    string_id kernels;      /* of the job */
    string_id program;      /* name of its program */
};

NODISCARD status torq_keys_start(struct torq_keys *keys, struct strings *strings);

extern const struct loss_reason torq_loss_location;
extern const struct loss_reason torq_loss_no_match;
extern const struct loss_reason torq_loss_before_open;

extern const struct reader torq_compile_reader;
extern const struct reader torq_runtime_reader;
extern const struct reader torq_annotated_reader;
extern const struct reader torq_mlir_reader;
extern const struct verb torq_annotate_verb;
extern const struct verb_part torq_advise_part;
extern const struct chain_program torq_programs[];
extern const struct chain torq_chain;

/* The program in a dump, without drawing it. `program` was started; free it also after a failure. */
NODISCARD status torq_read_program(struct source *source, struct program *program);

/* Traces of the original scripts, for `struct chain`: src/torq/traces.c. */
extern const struct chain_trace torq_traces[];

#endif
