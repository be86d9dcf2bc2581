/* metrics.h: where the time of one input went: the sums that every output shows.
 *
 * One sweep over the busy intervals of the engine classes gives the time spent in every combination of busy classes; each
 * metric is a sum over some of these combinations, so they cannot contradict each other:
 *
 *     DMA_COMBINED = DMA_ONLY + OVERLAP      COMPUTE_COMBINED = COMPUTE_ONLY + OVERLAP      OVERALL = busy + IDLE
 *
 * Values are ticks of the input's clock, exact; `metrics_ns` converts one. A struct metrics owns nothing.
 */
#ifndef ANALYZE_METRICS_H
#define ANALYZE_METRICS_H

#include "trace/busy.h"

/* In the order of the Host Profile Overview. X(name, key in machine outputs, label, description) */
#define METRIC_MAP(X)                                                                                          \
    X(OVERALL, "total_duration", "OVERALL", "from the first start to the last end")                            \
    X(INFERENCE, "inference", "Inference", "inside Method::execute, all runs")                                 \
    X(DELEGATED, "delegated", "Delegated", "operators that a backend ran")                                     \
    X(PORTABLE, "portable", "Portable", "kernels of the runtime's own library")                                \
    X(FRAMEWORK, "framework", "Framework", "inside an inference, but in no operator")                          \
    X(LOAD, "load", "Loading", "loading and preparing the model")                                              \
    X(OPERATIONS, "operations", "Operations", "an operation running on some device")                           \
    X(CORES, "cores", "Cores", "firmware or a kernel running on some core")                                    \
    X(NPU_OPERATIONS, "total_npu_operations", "TOTAL NPU OPERATIONS",                                          \
      "span of all work less the time in which only the host worked")                                          \
    X(NSS, "nss", "Nss", "NSS programs, from start to wait")                                                   \
    X(DMA_COMBINED, "dma", "Dma", "DMA or CDMA moving data")                                                   \
    X(DMA_ONLY, "dma_only", "Dma Only", "DMA or CDMA moving data while nothing computes")                      \
    X(DMA, "dma_total", "Dma Total", "DMA in or out, without CDMA")                                            \
    X(CDMA, "cdma", "Cdma", "CDMA between local memories")                                                     \
    X(CDMA_DTCM, "cdma_dtcm", "Cdma Dtcm", "CDMA from or to data memory")                                      \
    X(CDMA_ITCM, "cdma_itcm", "Cdma Itcm", "CDMA to instruction memory")                                       \
    X(DMA_IN, "dma_in", "Dma In", "DMA from external memory")                                                  \
    X(DMA_OUT, "dma_out", "Dma Out", "DMA to external memory")                                                 \
    X(COMPUTE, "compute", "Compute", "a slice or the CSS computing")                                           \
    X(COMPUTE_ONLY, "compute_only", "Compute Only", "computing while nothing moves data")                      \
    X(SLICE, "slice", "Slice", "any slice computing")                                                          \
    X(SLICE_0, "slice_0", "Slice 0", "slice 0 computing")                                                      \
    X(SLICE_1, "slice_1", "Slice 1", "slice 1 computing")                                                      \
    X(CSS, "css", "Css", "the CSS computing")                                                                  \
    X(OVERLAP, "overlap", "Overlap", "computing and moving data at once")                                      \
    X(IDLE, "idle", "Idle", "no engine, core, operation, NSS or host program, host copy or inference at work") \
    X(HAL, "hal", "Hal", "inside a HAL call, whatever else runs meanwhile")                                    \
    X(HOST, "host", "Host", "host programs")                                                                   \
    X(HOST_COPY, "host_copy", "Host Copy", "host copies")

enum metric {
#define X(name, key, label, description) METRIC_##name,
    METRIC_MAP(X)
#undef X
        METRIC_COUNT
};

struct metrics {
    int64_t ticks[METRIC_COUNT];
    bool present[METRIC_COUNT]; /* the input can tell this one */
    int64_t start;              /* ticks of the first start */
    struct clock clock;
};

/* What the input can tell. */
struct metrics_scope {
    bool measured; /* a runtime log: host, HAL and NSS times exist */
    bool engines;  /* which engines were used is known */
};

const char *metric_key(enum metric metric);
const char *metric_label(enum metric metric);
const char *metric_description(enum metric metric);

/* The metrics of the tracks under `process`. `busy` must be settled. */
NODISCARD status metrics_compute(const struct busy *busy, track_id process, struct metrics_scope scope,
                                 struct metrics *metrics);

int64_t metrics_ns(const struct metrics *metrics, enum metric metric);
double metrics_percent(const struct metrics *metrics, enum metric metric); /* of OVERALL; 0 when that is 0 */

#endif
