/* chain.c: what Torq is made of, registered. */
#include "torq/chain.h"

#include <assert.h>

#include "job/verb.h"
#include "torq/advise_model.h"
#include "torq/companions.h"
#include "torq/metrics.h"

/* Orders put causes above effects: the runtime, the host, the programs that it starts, the engines that these use. */
const struct engine torq_engine_runtime = {
    .key = "runtime",
    .title = "Runtime",
    .order = 0,
    .group = GROUP_ENVELOPE,
    .description = "scopes and actions of the runtime on the host: what it called, started and waited for",
};
const struct engine torq_engine_action = {
    .key = "action", .title = "Runtime", .order = 1, .group = GROUP_BOOKKEEPING
};
const struct engine torq_engine_hal = {
    .key = "hal",
    .title = "HAL",
    .order = 2,
    .group = GROUP_BOOKKEEPING,
    .innermost = true,
    .description =
        "calls of the hardware abstraction layer; they enclose the dispatches that they start, and count as no work",
};
const struct engine torq_engine_job = {
    .key = "nss",
    .title = "NSS Programs",
    .order = 5,
    .group = GROUP_JOB,
    .description = "programs on the NPU, from their start to the end of the wait for them",
};
const struct engine torq_engine_host = { .key = "host", .title = "Host", .order = 3, .group = GROUP_HOST };
const struct engine torq_engine_host_copy = {
    .key = "host_copy", .title = "Host Copy", .order = 4, .group = GROUP_HOST
};
const struct engine torq_engine_plan = {
    .key = "plan",
    .title = "NSS Programs",
    .order = 6,
    .group = GROUP_ENVELOPE,
    .description = "programs on the NPU as the compiler expects them",
};
const struct engine torq_engine_task = {
    .key = "task",
    .title = "NSS Tasks",
    .order = 7,
    .group = GROUP_ENVELOPE,
    .description = "steps of the programs",
};
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
    .key = "waiting",
    .title = "Waiting",
    .order = 25,
    .group = GROUP_ENVELOPE,
    .description = "finished transfers and kernels whose program has not waited for them yet",
};

/* In the order of struct torq_keys. */
static const struct argument_key arguments[] = {
    { "task", "Task", NULL, "of the program", 3 },
    { "action", "Action", NULL, "of the host", 4 },
    { "job", "Job", NULL, "program on the NSS", 5 },
    { "start_action", "Start action", NULL, "that started the job", 6 },
    { "wait_action", "Wait action", NULL, "that waited for the job", 7 },
    { "invocation", "Invocation", NULL, "of the dispatch", 8 },
    { "dispatch", "Dispatch", NULL, "that it belongs to", 9 },
    { "transfer", "Transfer", NULL, "from which memory to which", 10 },
    { "kernels", "Kernels", NULL, "of the job", 12 },
    { "nss_program", "NSS program", NULL, "name of the program on the NSS", 0 },
    { 0 },
};

const struct loss_reason torq_loss_location = { .text = "a location that is not closed", .order = LOSS_CHAIN };
const struct loss_reason torq_loss_no_match = { .text = "no counterpart in the program (kept, without its engines)",
                                                .kept = true,
                                                .order = LOSS_CHAIN + 1 };
const struct loss_reason torq_loss_before_open = { .text = "a job that began before the device was opened",
                                                   .order = LOSS_CHAIN + 2 };

status torq_keys_start(struct torq_keys *keys, struct strings *strings)
{
    string_id *const places[] = { &keys->task,        &keys->action,     &keys->job,      &keys->start_action,
                                  &keys->wait_action, &keys->invocation, &keys->dispatch, &keys->transfer,
                                  &keys->kernels,     &keys->program };
    status code = STATUS_OK;

    assert(strings);
    _Static_assert(sizeof places / sizeof *places + 1 == sizeof arguments / sizeof *arguments, "a place for each key");
    for (size_t i = 0; i < sizeof places / sizeof *places && code == STATUS_OK; i++)
        code = strings_add_text(strings, arguments[i].name, places[i]);
    return code;
}

static const struct reader *const readers[] = {
    &torq_compile_reader, &torq_runtime_reader, &torq_annotated_reader, &torq_mlir_reader, NULL,
};
static const struct engine *const engines[] = {
    &torq_engine_runtime, &torq_engine_action,    &torq_engine_hal,       &torq_engine_job,
    &torq_engine_host,    &torq_engine_host_copy, &torq_engine_plan,      &torq_engine_task,
    &torq_engine_dma_in,  &torq_engine_dma_out,   &torq_engine_cdma_dtcm, &torq_engine_cdma_itcm,
    &torq_engine_slice,   &torq_engine_css,       &torq_engine_waiting,   NULL,
};
static const struct loss_reason *const losses[] = { &torq_loss_location, &torq_loss_no_match, &torq_loss_before_open,
                                                    NULL };

static const struct verb *const verbs[] = { &torq_annotate_verb, NULL };
static const struct verb_part *const parts[] = { &torq_advise_part, NULL };

static const struct advice_rules *const rules[] = { &torq_timeline_rules, &torq_log_rules, NULL };

const struct chain torq_chain = {
    .id = "torq",
    .title = "Synaptics Torq",
    .readers = readers,
    .engines = engines,
    .arguments = arguments,
    .losses = losses,
    .metrics = &torq_metrics,
    .rules = rules,
    .tie = &torq_estimate_tie,
    .traces = torq_traces,
    .programs = torq_programs,
    .options = torq_options,
    .check = torq_check_options,
    .verbs = verbs,
    .parts = parts,
};
