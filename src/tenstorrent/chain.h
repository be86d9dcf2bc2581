/* chain.h: what the tool chain Tenstorrent adds to the words of the core: its engines, its argument keys, its reasons for losses.
 *
 * All of it is constant. `chain.c` registers it, with the readers, options and verbs of the chain, as one struct chain.
 */
#ifndef TENSTORRENT_CHAIN_H
#define TENSTORRENT_CHAIN_H

#include "analyze/metrics.h"
#include "trace/loss.h"
#include "trace/model.h"

extern const struct engine tenstorrent_engine_host;      /* calls on the host */
extern const struct engine tenstorrent_engine_call;      /* what a host call calls */
extern const struct engine tenstorrent_engine_operation; /* an operation on a device */
extern const struct engine tenstorrent_engine_signpost;
extern const struct engine tenstorrent_engine_risc;      /* firmware and kernels of one RISC */
extern const struct engine tenstorrent_engine_device_op; /* which op the cores of a device work on */

extern const struct metric_set tenstorrent_metrics;

#endif
