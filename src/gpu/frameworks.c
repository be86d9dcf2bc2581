/* frameworks.c: PyTorch, ONNX Runtime and XLA. */
#include "gpu/frameworks.h"

#include <stddef.h>

#include "gpu/chain.h"

static const struct gpu_framework frameworks[] = {
    {
        .reader = &kineto_reader,
        .run = "ProfilerStep",
        .waits = ".item(), .cpu(), synchronize",
        .launches = "CUDA graphs or torch.compile, a larger batch, less Python between operators",
        .fuses = "torch.compile, foreach and fused variants of optimizers, one operator for many",
        .copies = "non_blocking=True on a stream of their own, one batch ahead",
        .units = "torch.set_float32_matmul_precision(\"high\"), torch.backends.cudnn.allow_tf32 for convolutions, "
                 "autocast or bf16 weights",
        .layout = "channels_last for model and input, fewer permute and contiguous",
        .fallback = "the same operators on tensors that stay on the device",
    },
    {
        .reader = &onnxruntime_reader,
        .run = "model_run",
        .waits_in_run = true,
        .waits = "copies of results to the host",
        .launches = "CUDA graphs (enable_cuda_graph), a larger batch, graph optimisations that leave fewer nodes",
        .fuses = "graph optimisations of the highest level, the transformer optimizer, one node for many",
        .copies =
            "I/O binding, so that inputs and outputs stay on the device, or the next input copied beside this run",
        .units = "use_tf32 of the CUDA provider, or a model in fp16",
        .layout = "prefer_nhwc of the CUDA provider, fewer Transpose nodes in the model",
        .fallback =
            "an operator, a type or an opset that the provider has a kernel for; the log of the session at level "
            "verbose says why it has none",
    },
    {
        .reader = &xla_trace_reader,
        .run = "step_num",
        .waits = "block_until_ready, values of arrays",
        .launches = "more of the step under one jit, command buffers (--xla_gpu_enable_command_buffer), a larger batch",
        .fuses = "more of the step under one jit, so that XLA fuses them, a scan in place of a loop of Python",
        .copies = "jax.device_put of the next batch while this one runs",
        .units = "jax.default_matmul_precision, or bf16 weights",
        .layout = "dot_general and convolutions in the order that tensors have, fewer transposes",
        .fallback = "what is computed in callbacks under jit",
    },
};

const struct gpu_framework *gpu_framework_of(const struct reader *reader)
{
    for (size_t i = 0; i < sizeof frameworks / sizeof *frameworks; i++)
        if (frameworks[i].reader == reader)
            return &frameworks[i];
    return &frameworks[0];
}
