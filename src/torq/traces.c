/* traces.c: the traces that the original scripts write, by the names of their tracks: which engine each is.
 *
 * Their three forms are told apart by their overviews. What they draw from other tracks (totals, an estimate beside what was measured) is drawn here, too,
 * and in no sum. What an overview has that no version so far drew is a metric that the trace tells.
 */
#include "torq/chain.h"

/* A tree of tracks: measured. Engines are those that a job used, as long as the job. */
static const struct chain_line measured_tree[] = {
    { "* Overview", "*", &engine_overview, 0 },
    { NULL, "* (Compile)", &engine_estimate, 0 },
    { "Compiler Input Locations", "*", &engine_operators, 0 },
    { "Operator Type Totals", "*", &engine_operators, 0 },
    { "Host", "HAL", &torq_engine_hal, 0 },
    { "Host", "NSS Programs", &torq_engine_job, 0 },
    { "Host", "Host Programs", &torq_engine_host, 0 },
    { "Host", "Host Copy", &torq_engine_host_copy, 0 },
    { "NPU*", "DMA In Used", &torq_engine_dma_in, 0 },
    { "NPU*", "DMA Out Used", &torq_engine_dma_out, 0 },
    { "NPU*", "CDMA Used", &torq_engine_cdma_dtcm, 0 },
    { "NPU*", "Slice 0 Used", &torq_engine_slice, 0 },
    { "NPU*", "Slice 1 Used", &torq_engine_slice, 1 },
    { "NPU*", "CSS Used", &torq_engine_css, 0 },
    { "NPU*", "*", &torq_engine_task, 0 },
    /* Threads of a process, before there was a tree. */
    { "* Profile", "*_Input_Layer", &engine_operators, 0 },
    { "* Profile", "*_Torq_Operations", &torq_engine_plan, 0 },
    { "* Profile", "*_Host", &torq_engine_host_copy, 0 },
    { "* Profile", "*_DMA_In", &torq_engine_dma_in, 0 },
    { "* Profile", "*_DMA_Out", &torq_engine_dma_out, 0 },
    { "* Profile", "*_CDMA", &torq_engine_cdma_dtcm, 0 },
    { "* Profile", "*_Slice_0", &torq_engine_slice, 0 },
    { "* Profile", "*_Slice_1", &torq_engine_slice, 1 },
    { "* Profile", "*_CSS", &torq_engine_css, 0 },
    { 0 },
};

/* The same of a compiler's estimate: engines have times of their own there. */
static const struct chain_line estimated_tree[] = {
    { "* Overview", "*", &engine_overview, 0 },
    { "Compiler Input Locations", "*", &engine_operators, 0 },
    { "Operator Type Totals", "*", &engine_operators, 0 },
    { "Host", "NSS Programs", &torq_engine_plan, 0 },
    { "NPU*", "NSS CFG Tasks", &torq_engine_task, 0 },
    { "NPU*", "CDMA", &torq_engine_cdma_dtcm, 0 },
    { "NPU*", "NDMA In", &torq_engine_dma_in, 0 },
    { "NPU*", "NDMA Out", &torq_engine_dma_out, 0 },
    { "NPU*", "Slice 0", &torq_engine_slice, 0 },
    { "NPU*", "Slice 1", &torq_engine_slice, 1 },
    { "NPU*", "CSS", &torq_engine_css, 0 },
    { "NPU*", "* Used", &torq_engine_plan, 0 },
    { "* Profile", "*_Input_Layer", &engine_operators, 0 },
    { "* Profile", "*_Torq_Operations", &torq_engine_plan, 0 },
    { "* Profile", "*_DMA_In", &torq_engine_dma_in, 0 },
    { "* Profile", "*_DMA_Out", &torq_engine_dma_out, 0 },
    { "* Profile", "*_CDMA", &torq_engine_cdma_dtcm, 0 },
    { "* Profile", "*_Slice_0", &torq_engine_slice, 0 },
    { "* Profile", "*_Slice_1", &torq_engine_slice, 1 },
    { "* Profile", "*_CSS", &torq_engine_css, 0 },
    { 0 },
};

/* Processes that are called after their files, with a thread per engine; one of a log has a thread per job. */
static const struct chain_line files[] = {
    { "* Overview", "*", &engine_overview, 0 },
    { NULL, "DMA IN", &torq_engine_dma_in, 0 },
    { NULL, "DMA OUT", &torq_engine_dma_out, 0 },
    { NULL, "SLICE 0", &torq_engine_slice, 0 },
    { NULL, "SLICE 1", &torq_engine_slice, 1 },
    { NULL, "*_DMA_IN", &torq_engine_dma_in, 0 },
    { NULL, "*_DMA_OUT", &torq_engine_dma_out, 0 },
    { NULL, "*_SLICE_0", &torq_engine_slice, 0 },
    { NULL, "*_SLICE_1", &torq_engine_slice, 1 },
    { NULL, "*_CDMA", &torq_engine_cdma_dtcm, 0 },
    { NULL, "*_CSS", &torq_engine_css, 0 },
    { NULL, "*", &torq_engine_job, 0 },
    { 0 },
};

/* What overviews of any version so far have: rows of the overview here, computed from the slices. */
static const char *const computed[] = {
    "OVERVIEW DMA COMBINED",
    "OVERVIEW COMPUTE COMBINED",
    "OVERVIEW DMA",
    "OVERVIEW CDMA",
    "OVERVIEW SLICE",
    "OVERVIEW SLICE 0",
    "OVERVIEW SLICE 1",
    "OVERVIEW CSS",
    "OVERVIEW DMA ONLY",
    "OVERVIEW COMPUTE ONLY",
    "OVERVIEW DMA COMPUTE OVERLAP",
    "OVERVIEW DMA+SLICE OVERLAP",
    "OVERVIEW HAL",
    "OVERVIEW HOST",
    "OVERVIEW HOST COPY",
    "OVERVIEW IDLE",
    "OVERALL",
    NULL,
};
static const char mark[] = "OVERVIEW ";

const struct chain_trace torq_traces[] = {
    { "Compile Profile Overview", "* OVERVIEW DMA*", true, estimated_tree, computed, mark },
    { "* Profile Overview", "* OVERVIEW DMA*", false, measured_tree, computed, mark },
    { "* Overview", "* OVERVIEW DMA*", true, files, computed, mark },
    { 0 },
};
