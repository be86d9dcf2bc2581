/* chain.h: what the tool chain ExecuTorch adds to the words of the core: its engines, its argument keys, its reasons for losses.
 *
 * All of it is constant. `chain.c` registers it, with the readers, options and verbs of the chain, as one struct chain.
 */
#ifndef EXECUTORCH_CHAIN_H
#define EXECUTORCH_CHAIN_H

#include "analyze/metrics.h"
#include "trace/loss.h"
#include "trace/model.h"

enum { EXECUTORCH_ORDERS = 32 }; /* the orders of its engines, and of those of the core, are below */

extern const struct engine executorch_engine_inference; /* Method::execute */
extern const struct engine executorch_engine_call;      /* the runtime's wrapper around an operator */
extern const struct engine executorch_engine_delegate;  /* operators that a backend ran */
extern const struct engine executorch_engine_portable;  /* kernels of the runtime's own library */
extern const struct engine executorch_engine_gap;       /* inside an inference, in no operator */
extern const struct engine executorch_engine_load;      /* loading and preparing the model */
extern const struct engine executorch_engine_value;     /* logged tensors and numbers */

extern const struct loss_reason executorch_loss_allocator;

extern const struct metric_set executorch_metrics;

#endif
