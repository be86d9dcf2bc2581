/* metrics.c: the rows of the Host Profile Overview, and the lines that the originals draw. */
#include "torq/metrics.h"

#include "torq/chain.h"

enum {
    TRANSFER = 1u << GROUP_TRANSFER,
    COMPUTE = 1u << GROUP_COMPUTE,
    ON_HOST = 1u << GROUP_HOST,
    NPU = TRANSFER | COMPUTE | 1u << GROUP_JOB
};

/* ---- What a log can tell ----------------------------------------------------------------------------------------- */

static bool knows_engines(const struct metric_facts *facts)
{
    return facts->engines;
}

static bool measures_engines(const struct metric_facts *facts)
{
    return facts->measured && facts->engines;
}

/* A measured job says nothing about the kind of CDMA transfer beyond what its program says. */
static bool estimates_engines(const struct metric_facts *facts)
{
    return facts->engines && !facts->measured;
}

static bool measures_jobs_alone(const struct metric_facts *facts)
{
    return facts->measured && !facts->engines && metric_has_engine(facts, &torq_engine_job);
}

/* The log shows what the host did, and if that was nothing. */
static bool logs_host(const struct metric_facts *facts)
{
    return facts->measured && (metric_has_group(facts, GROUP_HOST) || metric_has_engine(facts, &torq_engine_action) ||
                               metric_has_engine(facts, &torq_engine_runtime));
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

const struct metric torq_metric_npu_operations = {
    .key = "total_npu_operations",
    .label = "TOTAL NPU OPERATIONS",
    .description = "span of all work less the time in which only the host worked",
    .kind = METRIC_WORK,
    .some = { .groups = ON_HOST },
    .none = { .groups = NPU },
    .known = measures_engines,
    .shareless = true,
};
const struct metric torq_metric_nss = {
    .key = "nss",
    .label = "Nss",
    .description = "NSS programs, from start to wait",
    .some = { .engines = { &torq_engine_job } },
    .known = measures_jobs_alone,
};
/* Jobs that the program does not have, or says nothing of: no engine shows their time. */
const struct metric torq_metric_nss_unknown = {
    .key = "nss_unknown",
    .label = "Nss, engines not known",
    .description = "NSS programs whose engines the dump does not tell",
    .some = { .engines = { &torq_engine_job } },
    .none = { .groups = TRANSFER | COMPUTE },
    .known = measures_engines,
    .if_any = true,
};
const struct metric torq_metric_transfer = {
    .key = "dma",
    .label = "Dma",
    .description = "DMA or CDMA moving data",
    .some = { .groups = TRANSFER },
    .known = knows_engines,
};
const struct metric torq_metric_transfer_only = {
    .key = "dma_only",
    .label = "Dma Only",
    .description = "DMA or CDMA moving data while nothing computes",
    .some = { .groups = TRANSFER },
    .none = { .groups = COMPUTE },
    .known = knows_engines,
};
const struct metric torq_metric_dma = {
    .key = "dma_total",
    .label = "Dma Total",
    .description = "DMA in or out, without CDMA",
    .some = { .engines = { &torq_engine_dma_in, &torq_engine_dma_out } },
    .known = knows_engines,
};
const struct metric torq_metric_cdma = {
    .key = "cdma",
    .label = "Cdma",
    .description = "CDMA between local memories",
    .some = { .engines = { &torq_engine_cdma_dtcm, &torq_engine_cdma_itcm } },
    .known = knows_engines,
};
/* CDMA by kind of memory is for machines: the originals never showed it. */
const struct metric torq_metric_cdma_dtcm = {
    .key = "cdma_dtcm",
    .label = "Cdma Dtcm",
    .description = "CDMA from or to data memory",
    .some = { .engines = { &torq_engine_cdma_dtcm } },
    .known = estimates_engines,
    .detail = true,
};
const struct metric torq_metric_cdma_itcm = {
    .key = "cdma_itcm",
    .label = "Cdma Itcm",
    .description = "CDMA to instruction memory",
    .some = { .engines = { &torq_engine_cdma_itcm } },
    .known = estimates_engines,
    .detail = true,
};
const struct metric torq_metric_dma_in = {
    .key = "dma_in",
    .label = "Dma In",
    .description = "DMA from external memory",
    .some = { .engines = { &torq_engine_dma_in } },
    .known = knows_engines,
};
const struct metric torq_metric_dma_out = {
    .key = "dma_out",
    .label = "Dma Out",
    .description = "DMA to external memory",
    .some = { .engines = { &torq_engine_dma_out } },
    .known = knows_engines,
};
const struct metric torq_metric_compute = {
    .key = "compute",
    .label = "Compute",
    .description = "a slice or the CSS computing",
    .some = { .groups = COMPUTE },
    .known = knows_engines,
};
const struct metric torq_metric_compute_only = {
    .key = "compute_only",
    .label = "Compute Only",
    .description = "computing while nothing moves data",
    .some = { .groups = COMPUTE },
    .none = { .groups = TRANSFER },
    .known = knows_engines,
};
const struct metric torq_metric_slice = {
    .key = "slice",
    .label = "Slice",
    .description = "any slice computing",
    .some = { .engines = { &torq_engine_slice } },
    .known = knows_engines,
};
const struct metric torq_metric_slice_0 = {
    .key = "slice_0",
    .label = "Slice 0",
    .description = "slice 0 computing",
    .some = { .engines = { &torq_engine_slice }, .only = 1 },
    .known = knows_engines,
};
const struct metric torq_metric_slice_1 = {
    .key = "slice_1",
    .label = "Slice 1",
    .description = "slice 1 computing",
    .some = { .engines = { &torq_engine_slice }, .only = 2 },
    .known = knows_engines,
};
const struct metric torq_metric_css = {
    .key = "css",
    .label = "Css",
    .description = "the CSS computing",
    .some = { .engines = { &torq_engine_css } },
    .known = knows_engines,
};
const struct metric torq_metric_overlap = {
    .key = "overlap",
    .label = "Overlap",
    .description = "computing and moving data at once",
    .some = { .groups = TRANSFER },
    .also = { .groups = COMPUTE },
    .known = knows_engines,
};
const struct metric torq_metric_hal = {
    .key = "hal",
    .label = "Hal",
    .description = "inside a HAL call, whatever else runs meanwhile",
    .some = { .engines = { &torq_engine_hal } },
    .note = "HAL calls enclose the dispatches that they start; they are shown but do not count as busy",
};
const struct metric torq_metric_host = {
    .key = "host",
    .label = "Host",
    .description = "host programs",
    .some = { .engines = { &torq_engine_host } },
    .known = logs_host,
};
const struct metric torq_metric_host_copy = {
    .key = "host_copy",
    .label = "Host Copy",
    .description = "host copies",
    .some = { .engines = { &torq_engine_host_copy } },
    .known = logs_host,
};

static const struct metric *const rows[] = {
    &metric_overall,        &torq_metric_npu_operations,
    &torq_metric_nss,       &torq_metric_nss_unknown,
    &torq_metric_transfer,  &torq_metric_transfer_only,
    &torq_metric_dma,       &torq_metric_cdma,
    &torq_metric_cdma_dtcm, &torq_metric_cdma_itcm,
    &torq_metric_dma_in,    &torq_metric_dma_out,
    &torq_metric_compute,   &torq_metric_compute_only,
    &torq_metric_slice,     &torq_metric_slice_0,
    &torq_metric_slice_1,   &torq_metric_css,
    &torq_metric_overlap,   &metric_idle,
    &torq_metric_hal,       &torq_metric_host,
    &torq_metric_host_copy, NULL,
};

/* Names and labels of the originals, so that scripts which look for them in a trace go on working. */
static const struct overview_line lines[] = {
    { "00 OVERVIEW DMA COMBINED", "DMA+CDMA union", &torq_metric_transfer },
    { "01 OVERVIEW COMPUTE COMBINED", "SLICE+CSS union", &torq_metric_compute },
    { "02 OVERVIEW DMA", "DMA total", &torq_metric_dma },
    { "03 OVERVIEW CDMA", "CDMA total", &torq_metric_cdma },
    { "04 OVERVIEW SLICE", "SLICE 0 + 1 union", &torq_metric_slice },
    { "05 OVERVIEW SLICE 0", "SLICE 0 total", &torq_metric_slice_0 },
    { "06 OVERVIEW SLICE 1", "SLICE 1 total", &torq_metric_slice_1 },
    { "07 OVERVIEW CSS", "CSS total", &torq_metric_css },
    { "08 OVERVIEW DMA ONLY", "DMA/CDMA ONLY (no compute)", &torq_metric_transfer_only },
    { "09 OVERVIEW COMPUTE ONLY", "COMPUTE ONLY (no DMA/CDMA)", &torq_metric_compute_only },
    { "10 OVERVIEW DMA COMPUTE OVERLAP", "DMA/CDMA<->COMPUTE overlap", &torq_metric_overlap },
    { "11 OVERVIEW HAL", "HAL total", &torq_metric_hal },
    { "12 OVERVIEW HOST", "HOST total", &torq_metric_host },
    { "13 OVERVIEW HOST COPY", "HOST COPY total", &torq_metric_host_copy },
    { "14 OVERVIEW IDLE", "IDLE", &metric_idle },
    { "15 OVERALL", "OVERALL", &metric_overall },
    { 0 },
};

const struct metric_set torq_metrics = { .title = "Host Profile Overview", .rows = rows, .lines = lines };
