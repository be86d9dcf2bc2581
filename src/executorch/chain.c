/* chain.c: what ExecuTorch and XNNPACK are made of, registered. */
#include "executorch/chain.h"
#include "executorch/rules.h"
#include "executorch/rundir.h"

const struct engine executorch_engine_inference = {
    .key = "inference",
    .title = "Inferences",
    .order = 14,
    .group = GROUP_BOOKKEEPING,
    .at_work = true,
    .description = "executions of the model; on these the calls of its runtime, on these the operators, and the time "
                   "in no operator",
};
const struct engine executorch_engine_call = { .key = "call", .title = "Calls", .order = 15, .group = GROUP_ENVELOPE };
const struct engine executorch_engine_delegate = {
    .key = "delegate", .title = "Delegate", .order = 16, .group = GROUP_COMPUTE, .either = true
};
const struct engine executorch_engine_portable = {
    .key = "portable", .title = "Portable kernels", .order = 17, .group = GROUP_COMPUTE, .host = true
};
const struct engine executorch_engine_gap = { .key = "gap", .title = "Gaps", .order = 20, .group = GROUP_ENVELOPE };
const struct engine executorch_engine_load = {
    .key = "load", .title = "Loading", .order = 13, .group = GROUP_BOOKKEEPING, .at_work = true
};
const struct engine executorch_engine_value = {
    .key = "value",
    .title = "Logged values",
    .order = 22,
    .group = GROUP_ENVELOPE,
    .description = "tensors that the dump logged, at the instruction that made them",
};

#define INSTRUCTION                                                                        \
    {                                                                                      \
        "instruction", "Instruction", NULL, "of the program that the runtime executes", 15 \
    }

const struct argument_key executorch_instruction = INSTRUCTION;
static const struct argument_key arguments[] = { INSTRUCTION, { 0 } };

const struct loss_reason executorch_loss_allocator = { .text = "an allocation by an allocator that is not declared",
                                                       .order = LOSS_CHAIN };

/* ---- Metrics ------------------------------------------------------------------------------------------------------ */

/* A runner's log has inferences alone: what was an operator and what was not is unknown. */
static bool knows_operators(const struct metric_facts *facts)
{
    return metric_has_engine(facts, &executorch_engine_inference) &&
           (metric_has_engine(facts, &executorch_engine_delegate) ||
            metric_has_engine(facts, &executorch_engine_portable));
}

static const struct metric inference = {
    .key = "inference",
    .label = "Inference",
    .description = "inside Method::execute, all runs",
    .some = { .engines = { &executorch_engine_inference } },
};
static const struct metric delegated = {
    .key = "delegated",
    .label = "Delegated",
    .description = "operators that a backend ran",
    .some = { .engines = { &executorch_engine_delegate } },
};
static const struct metric portable = {
    .key = "portable",
    .label = "Portable",
    .description = "kernels of the runtime's own library",
    .some = { .engines = { &executorch_engine_portable } },
};
static const struct metric framework = {
    .key = "framework",
    .label = "Framework",
    .description = "inside an inference, but in no operator",
    .some = { .engines = { &executorch_engine_inference } },
    .none = { .engines = { &executorch_engine_delegate, &executorch_engine_portable } },
    .known = knows_operators,
};
static const struct metric loading = {
    .key = "load",
    .label = "Loading",
    .description = "loading and preparing the model",
    .some = { .engines = { &executorch_engine_load } },
};

static const struct metric *const metric_rows[] = {
    &metric_overall, &inference, &delegated, &portable, &framework, &loading, &metric_idle, NULL,
};

static const struct overview_line lines[] = {
    { "00 OVERVIEW INFERENCE", "Inferences", &inference },
    { "01 OVERVIEW DELEGATED", "Delegated operators", &delegated },
    { "02 OVERVIEW PORTABLE", "Portable kernels", &portable },
    { "03 OVERVIEW FRAMEWORK", "In no operator", &framework },
    { "04 OVERVIEW LOADING", "Loading", &loading },
    { "05 OVERVIEW IDLE", "IDLE", &metric_idle },
    { "06 OVERALL", "OVERALL", &metric_overall },
    { 0 },
};

const struct metric_set executorch_metrics = { .rows = metric_rows, .lines = lines };

/* ---- The chain ---------------------------------------------------------------------------------------------------- */

const struct executorch_calls *executorch_calls(const struct reader *reader)
{
    static const struct executorch_calls none;

    return reader->chain == &executorch_chain ? reader->own : &none;
}

static const struct reader *const readers[] = {
    &etdump_reader,   &etrecord_reader,    &et_timeline_reader,   &et_ops_reader,
    &xnntrace_reader, &xnn_kernels_reader, &et_runner_log_reader, NULL,
};
static const struct engine *const engines[] = {
    &executorch_engine_inference, &executorch_engine_call, &executorch_engine_delegate, &executorch_engine_portable,
    &executorch_engine_gap,       &executorch_engine_load, &executorch_engine_value,    NULL,
};
static const struct loss_reason *const losses[] = { &executorch_loss_allocator, NULL };
static const struct chain_option options[] = {
    { "etrecord", "FILE", "graph of the model (default: the record beside a dump)" },
    { 0 },
};

static const struct verb *const verbs[] = {
    &timeline_verb, &latency_verb, &kernels_verb, &validate_verb, &pipeline_verb, NULL,
};
static const struct verb_part *const parts[] = { &executorch_advise_part, &executorch_operators_part,
                                                 &executorch_report_part, NULL };

const struct chain executorch_chain = {
    .id = "executorch",
    .title = "ExecuTorch and XNNPACK",
    .readers = readers,
    .engines = engines,
    .arguments = arguments,
    .losses = losses,
    .metrics = &executorch_metrics,
    .options = options,
    .verbs = verbs,
    .parts = parts,
    .rules = executorch_rules,
    .list_runs = rundir_list_runs,
};
