/* chain.c: what Torq is made of, registered. */
#include "torq/chain.h"

const struct engine torq_engine_runtime = { .key = "runtime", .title = "Runtime", .order = 0, .group = GROUP_ENVELOPE };
const struct engine torq_engine_action = {
    .key = "action", .title = "Runtime", .order = 1, .group = GROUP_BOOKKEEPING
};
const struct engine torq_engine_hal = {
    .key = "hal", .title = "HAL", .order = 2, .group = GROUP_BOOKKEEPING, .innermost = true
};
const struct engine torq_engine_job = { .key = "nss", .title = "NSS Programs", .order = 3, .group = GROUP_JOB };
const struct engine torq_engine_host = { .key = "host", .title = "Host", .order = 4, .group = GROUP_HOST };
const struct engine torq_engine_host_copy = {
    .key = "host_copy", .title = "Host Copy", .order = 5, .group = GROUP_HOST
};
const struct engine torq_engine_plan = { .key = "plan", .title = "NSS Programs", .order = 6, .group = GROUP_ENVELOPE };
const struct engine torq_engine_task = { .key = "task", .title = "NSS Tasks", .order = 7, .group = GROUP_ENVELOPE };
const struct engine torq_engine_dma_in = { .key = "dma_in", .title = "DMA In", .order = 8, .group = GROUP_TRANSFER };
const struct engine torq_engine_dma_out = { .key = "dma_out", .title = "DMA Out", .order = 9, .group = GROUP_TRANSFER };
const struct engine torq_engine_cdma_dtcm = {
    .key = "cdma_dtcm", .title = "CDMA", .part = "CDMA DTCM", .order = 10, .group = GROUP_TRANSFER
};
const struct engine torq_engine_cdma_itcm = {
    .key = "cdma_itcm", .title = "CDMA", .part = "CDMA ITCM", .order = 11, .group = GROUP_TRANSFER
};
const struct engine torq_engine_slice = {
    .key = "slice", .title = "Slice", .order = 12, .group = GROUP_COMPUTE, .numbered = true
};
const struct engine torq_engine_css = { .key = "css", .title = "CSS", .order = 13, .group = GROUP_COMPUTE };
const struct engine torq_engine_waiting = {
    .key = "waiting", .title = "Waiting", .order = 25, .group = GROUP_ENVELOPE
};

const struct loss_reason torq_loss_location = { .text = "a location that is not closed", .order = LOSS_CHAIN };
const struct loss_reason torq_loss_no_match = { .text = "no counterpart in the program (kept, without its engines)",
                                                .kept = true,
                                                .order = LOSS_CHAIN + 1 };
