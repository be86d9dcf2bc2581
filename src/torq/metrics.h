/* metrics.h: the metrics of Torq's engines, for those who ask for one by name. All of it is constant. */
#ifndef TORQ_METRICS_H
#define TORQ_METRICS_H

#include "analyze/metrics.h"

extern const struct metric torq_metric_npu_operations;
extern const struct metric torq_metric_nss;
extern const struct metric torq_metric_nss_unknown;
extern const struct metric torq_metric_transfer; /* DMA or CDMA */
extern const struct metric torq_metric_transfer_only;
extern const struct metric torq_metric_dma; /* in or out, without CDMA */
extern const struct metric torq_metric_cdma;
extern const struct metric torq_metric_cdma_dtcm;
extern const struct metric torq_metric_cdma_itcm;
extern const struct metric torq_metric_dma_in;
extern const struct metric torq_metric_dma_out;
extern const struct metric torq_metric_compute;
extern const struct metric torq_metric_compute_only;
extern const struct metric torq_metric_slice;
extern const struct metric torq_metric_slice_0;
extern const struct metric torq_metric_slice_1;
extern const struct metric torq_metric_css;
extern const struct metric torq_metric_overlap;
extern const struct metric torq_metric_hal;
extern const struct metric torq_metric_host;
extern const struct metric torq_metric_host_copy;

extern const struct metric_set torq_metrics;

#endif
