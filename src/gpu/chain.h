/* chain.h: what frameworks on GPUs add to the words of the core: engines, argument keys, producers.
 *
 * PyTorch's profiler (Kineto), ONNX Runtime and XLA write trace events in Chrome's form. The reader of that form is the core's; what
 * their events mean is told here, as data. All of it is constant; `chain.c` registers it.
 */
#ifndef GPU_CHAIN_H
#define GPU_CHAIN_H

#include "analyze/metrics.h"
#include "read/chain.h"
#include "read/producer.h"

extern const struct engine gpu_engine_kernel;     /* kernels that compute */
extern const struct engine gpu_engine_collective; /* kernels that talk to other devices */
extern const struct engine gpu_engine_copy;       /* copies between memories */
extern const struct engine gpu_engine_set;        /* memory that is filled */
extern const struct engine gpu_engine_operator;   /* operators on the host */
extern const struct engine gpu_engine_node;       /* nodes of a graph that the CPU itself computes */
extern const struct engine gpu_engine_provided;   /* nodes that something else computes: an execution provider */
extern const struct engine gpu_engine_launch;     /* calls that hand work to a device */
extern const struct engine gpu_engine_call;       /* other calls of a runtime */
extern const struct engine gpu_engine_wait;       /* calls in which the host waits for a device */
extern const struct engine gpu_engine_overhead;   /* of the profiler */
extern const struct engine gpu_engine_load;       /* loading and preparing a model */
extern const struct engine gpu_engine_python;     /* functions of the source */
extern const struct engine gpu_engine_annotation; /* what the user or the framework named */
extern const struct engine gpu_engine_on_device;  /* the same, as the device saw it */
extern const struct engine gpu_engine_whole;      /* what encloses everything */

extern const struct producer gpu_kineto, gpu_onnxruntime, gpu_xla;

extern const struct metric_set gpu_metrics;
extern const struct architecture_set gpu_architectures; /* chips.c */

extern const struct reader kineto_reader, onnxruntime_reader, xla_trace_reader;

extern const struct verb_part gpu_operators_part; /* operators_part.c */
extern const struct verb_part gpu_advise_part;    /* advise.c */
extern const struct advice_rules gpu_rules;       /* rules.c */

extern const struct chain gpu_chain;

#endif
