/* chain.c: what frameworks on GPUs are made of, registered. */
#include "gpu/chain.h"

/* ---- Engines -------------------------------------------------------------------------------------------------------- */

const struct engine gpu_engine_whole = {
    .key = "whole_profile", .title = "Profile", .order = 4, .group = GROUP_ENVELOPE
};
const struct engine gpu_engine_annotation = {
    .key = "annotation", .title = "Annotations", .order = 5, .group = GROUP_ENVELOPE
};
const struct engine gpu_engine_python = { .key = "python", .title = "Python", .order = 6, .group = GROUP_ENVELOPE };
const struct engine gpu_engine_operator = {
    .key = "host_operator", .title = "Operators", .order = 7, .group = GROUP_HOST, .nested = true
};
const struct engine gpu_engine_node = {
    .key = "node", .title = "CPU", .order = 8, .group = GROUP_COMPUTE, .nested = true, .host = true
};
const struct engine gpu_engine_provided = {
    .key = "provided_node", .title = "Execution provider", .order = 8, .group = GROUP_COMPUTE, .nested = true
};
const struct engine gpu_engine_launch = { .key = "launch_call", .title = "Launches", .order = 9, .group = GROUP_HOST };
const struct engine gpu_engine_call = {
    .key = "runtime", .title = "Runtime calls", .order = 10, .group = GROUP_HOST, .nested = true
};
const struct engine gpu_engine_wait = {
    .key = "wait", .title = "Waiting for the device", .order = 11, .group = GROUP_BOOKKEEPING, .at_work = true
};
const struct engine gpu_engine_overhead = {
    .key = "overhead", .title = "Profiler", .order = 12, .group = GROUP_BOOKKEEPING, .at_work = true
};
const struct engine gpu_engine_load = {
    .key = "load", .title = "Loading", .order = 13, .group = GROUP_BOOKKEEPING, .at_work = true
};
const struct engine gpu_engine_on_device = {
    .key = "device_annotation", .title = "Annotations", .order = 14, .group = GROUP_ENVELOPE
};
const struct engine gpu_engine_kernel = {
    .key = "kernel", .title = "Kernels", .order = 15, .group = GROUP_COMPUTE, .kernels = true
};
const struct engine gpu_engine_collective = {
    .key = "communication", .title = "Communication", .order = 16, .group = GROUP_TRANSFER, .kernels = true
};
const struct engine gpu_engine_copy = { .key = "copy", .title = "Copies", .order = 17, .group = GROUP_TRANSFER };
const struct engine gpu_engine_set = { .key = "memset", .title = "Memsets", .order = 18, .group = GROUP_TRANSFER };

/* ---- Metrics: each moment of a step is in one of the parts, the device before the host ------------------------------- */

enum { AT_WORK = 1u << GROUP_COMPUTE | 1u << GROUP_TRANSFER }; /* devices, and the CPU where it computes itself */

#define COMPUTING &gpu_engine_kernel, &gpu_engine_provided
#define DEVICES COMPUTING, &gpu_engine_collective, &gpu_engine_copy, &gpu_engine_set

static const struct metric device = {
    .key = "device",
    .label = "Device",
    .description = "kernels, communication or copies on some device",
    .some = { .engines = { DEVICES } },
};
static const struct metric compute = {
    .key = "compute",
    .label = "  computing",
    .description = "kernels that compute",
    .some = { .engines = { COMPUTING } },
};
static const struct metric communication = {
    .key = "communication",
    .label = "Communication",
    .description = "kernels that talk to other devices",
    .some = { .engines = { &gpu_engine_collective } },
    .detail = true,
};
static const struct metric communication_only = {
    .key = "communication_only",
    .label = "  communication only",
    .description = "devices talk to each other, and nothing computes",
    .some = { .engines = { &gpu_engine_collective } },
    .none = { .engines = { COMPUTING } },
    .if_any = true,
};
static const struct metric copies = {
    .key = "copy",
    .label = "Copies",
    .description = "copies and memory that is filled",
    .some = { .engines = { &gpu_engine_copy, &gpu_engine_set } },
    .detail = true,
};
static const struct metric copies_only = {
    .key = "copy_only",
    .label = "  copies only",
    .description = "copies or memory that is filled, and neither kernels nor communication",
    .some = { .engines = { &gpu_engine_copy, &gpu_engine_set } },
    .none = { .engines = { COMPUTING, &gpu_engine_collective } },
    .if_any = true,
};
static const struct metric cpu = {
    .key = "cpu",
    .label = "CPU",
    .description = "operators that the CPU itself computes, and no device at work",
    .some = { .engines = { &gpu_engine_node } },
    .none = { .engines = { DEVICES } },
};
static const struct metric launching_only = {
    .key = "launch_only",
    .label = "Host only: launching",
    .description = "calls that hand work to a device, and no device at work",
    .some = { .engines = { &gpu_engine_launch } },
    .none = { .groups = AT_WORK },
};
static const struct metric waiting_only = {
    .key = "wait_only",
    .label = "Host only: waiting",
    .description = "calls that wait for a device, and no device at work",
    .some = { .engines = { &gpu_engine_wait } },
    .none = { .groups = AT_WORK, .engines = { &gpu_engine_launch } },
};
static const struct metric operators_only = {
    .key = "operator_only",
    .label = "Host only: operators",
    .description = "operators and other calls on the host, and no device at work",
    .some = { .engines = { &gpu_engine_operator, &gpu_engine_call } },
    .none = { .groups = AT_WORK, .engines = { &gpu_engine_launch, &gpu_engine_wait } },
};
static const struct metric other_only = {
    .key = "profiler_only",
    .label = "Host only: profiler, loading",
    .description = "the profiler itself or loading, and nothing else",
    .some = { .engines = { &gpu_engine_overhead, &gpu_engine_load } },
    .none = { .groups = AT_WORK | 1u << GROUP_HOST, .engines = { &gpu_engine_wait } },
    .if_any = true,
};
static const struct metric nothing = {
    .key = "idle",
    .label = "Idle",
    .description = "no device at work, and no operator or call on the host",
    .kind = METRIC_REST,
    .some = { .at_work = true },
    .known = metric_always,
};

static const struct metric *const metric_rows[] = {
    &metric_overall, &device,     &compute, &communication_only, &copies_only, &cpu, &launching_only, &waiting_only,
    &operators_only, &other_only, &nothing, &communication,      &copies,      NULL,
};

static const struct metric *const step_parts[] = {
    &compute,      &communication_only, &copies_only, &cpu,     &launching_only,
    &waiting_only, &operators_only,     &other_only,  &nothing, NULL,
};

static const struct overview_line lines[] = {
    { "00 OVERVIEW COMPUTE", "Computing", &compute },
    { "01 OVERVIEW COMMUNICATION", "Communication only", &communication_only },
    { "02 OVERVIEW COPIES", "Copies only", &copies_only },
    { "03 OVERVIEW CPU", "CPU", &cpu },
    { "04 OVERVIEW LAUNCHING", "Host only: launching", &launching_only },
    { "05 OVERVIEW WAITING", "Host only: waiting", &waiting_only },
    { "06 OVERVIEW OPERATORS", "Host only: operators", &operators_only },
    { "07 OVERVIEW IDLE", "IDLE", &nothing },
    { "08 OVERALL", "OVERALL", &metric_overall },
    { 0 },
};

const struct metric_set gpu_metrics = {
    .title = "Where the time of a step goes",
    .rows = metric_rows,
    .lines = lines,
    .known_lines = true,
    .device_first = true,
    .parts = step_parts,
    .run = "step",
};

/* ---- The chain ------------------------------------------------------------------------------------------------------ */

static const struct reader *const readers[] = { &kineto_reader, &onnxruntime_reader, &xla_trace_reader, NULL };
static const struct engine *const engines[] = {
    &gpu_engine_whole,
    &gpu_engine_annotation,
    &gpu_engine_python,
    &gpu_engine_operator,
    &gpu_engine_node,
    &gpu_engine_provided,
    &gpu_engine_launch,
    &gpu_engine_call,
    &gpu_engine_wait,
    &gpu_engine_overhead,
    &gpu_engine_load,
    &gpu_engine_on_device,
    &gpu_engine_kernel,
    &gpu_engine_collective,
    &gpu_engine_copy,
    &gpu_engine_set,
    NULL,
};
static const struct argument_key arguments[] = { { 0 } };
static const struct loss_reason *const losses[] = { NULL };
static const struct advice_rules *const advice[] = { &gpu_rules, NULL };
static const struct stranger strangers[] = {
    { .ends = ".xplane.pb",
      .what = "XProf's own protobuf",
      .instead = "give the .trace.json.gz that JAX writes beside it" },
    { .ends = ".nsys-rep",
      .what = "a report of Nsight Systems",
      .instead = "give a trace of the framework's own profiler, such as torch.profiler" },
    { .ends = ".ncu-rep",
      .what = "a report of Nsight Compute",
      .instead = "give a trace of the framework's own profiler, such as torch.profiler" },
    { 0 },
};
static const struct verb_part *const parts[] = { &gpu_operators_part, &gpu_advise_part, NULL };

const struct chain gpu_chain = {
    .id = "gpu",
    .title = "GPUs and frameworks",
    .readers = readers,
    .engines = engines,
    .arguments = arguments,
    .losses = losses,
    .metrics = &gpu_metrics,
    .architectures = &gpu_architectures,
    .rules = advice,
    .strangers = strangers,
    .parts = parts,
};
