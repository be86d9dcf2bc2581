/* chain.h: what the tool chain Torq adds to the words of the core: its engines, its argument keys, its reasons for losses.
 *
 * All of it is constant. `chain.c` registers it, with the readers, options and verbs of the chain, as one struct chain.
 */
#ifndef TORQ_CHAIN_H
#define TORQ_CHAIN_H

#include "trace/loss.h"
#include "trace/model.h"

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

extern const struct loss_reason torq_loss_location;
extern const struct loss_reason torq_loss_no_match;

#endif
