/* producers.c: what the events of PyTorch, ONNX Runtime and XLA mean, and how their files are recognised. */
#include "base/text.h"
#include "gpu/chain.h"
#include "gpu/head.h"
#include "read/chrome.h"

/* ---- PyTorch ------------------------------------------------------------------------------------------------------- */

#define WAIT(category, name)                                    \
    {                                                           \
        category, name, NULL, NULL, ROLE_WAIT, &gpu_engine_wait \
    }
#define LAUNCH(category, name)                                      \
    {                                                               \
        category, name, NULL, NULL, ROLE_LAUNCH, &gpu_engine_launch \
    }
/* The calls of one runtime. Of its calls those that wait for a device come first: some of their names are of launches too. */
#define RUNTIME(category)                                                                              \
    WAIT(category, "*Synchronize*"), WAIT(category, "urEventWait*"), WAIT(category, "urQueueFinish*"), \
        LAUNCH(category, "*Launch*"), LAUNCH(category, "*Memcpy*"), LAUNCH(category, "*Memset*"),      \
        LAUNCH(category, "*Memory*Copy*"), LAUNCH(category, "*Fill*"),                                 \
    {                                                                                                  \
        category, NULL, NULL, NULL, ROLE_PLAIN, &gpu_engine_call                                       \
    }
#define HIDDEN(name)                                                        \
    {                                                                       \
        "python_function", name, NULL, NULL, ROLE_PLAIN, &gpu_engine_python \
    }
#define KERNEL(category, name, engine)                \
    {                                                 \
        category, name, NULL, NULL, ROLE_WORK, engine \
    }

/* Names of the first versions (Runtime, Kernel, Operator) stand beside those of today (cuda_runtime, kernel, cpu_op). Of functions of Python, those of PyTorch and of Python's own library say nothing about
 * where in the model something is. */
static const struct producer_rule kineto_rules[] = {
    { "user_annotation", "ProfilerStep*", NULL, NULL, ROLE_RUN, &gpu_engine_annotation },
    { "cpu_op", "ProfilerStep*", NULL, NULL, ROLE_RUN, &gpu_engine_annotation },
    { "Operator", "ProfilerStep*", NULL, NULL, ROLE_RUN, &gpu_engine_annotation },
    { "user_annotation", NULL, NULL, NULL, ROLE_PLAIN, &gpu_engine_annotation },
    { "cpu_op", "enumerate(DataLoader)*", NULL, NULL, ROLE_PLAIN, &gpu_engine_annotation },
    { "cpu_op", "Optimizer.*", NULL, NULL, ROLE_PLAIN, &gpu_engine_annotation },
    { "cpu_op", NULL, NULL, NULL, ROLE_OPERATOR, &gpu_engine_operator },
    { "Operator", NULL, NULL, NULL, ROLE_OPERATOR, &gpu_engine_operator },
    RUNTIME("*untime"),
    RUNTIME("*_driver"),
    KERNEL("*ernel", "nccl*", &gpu_engine_collective),
    KERNEL("*ernel", "*ncclDevKernel*", &gpu_engine_collective),
    KERNEL("*ernel", "*ncclKernel*", &gpu_engine_collective),
    KERNEL("*ernel", "*oneccl*", &gpu_engine_collective),
    KERNEL("*ernel", "*symm_mem*", &gpu_engine_collective),
    KERNEL("*ernel", "*cross_device_reduce*", &gpu_engine_collective),
    KERNEL("*ernel", NULL, &gpu_engine_kernel),
    KERNEL("gpu_memcpy", NULL, &gpu_engine_copy),
    KERNEL("Memcpy", NULL, &gpu_engine_copy),
    KERNEL("gpu_memset", NULL, &gpu_engine_set),
    KERNEL("Memset", NULL, &gpu_engine_set),
    { "gpu_user_annotation", NULL, NULL, NULL, ROLE_PLAIN, &gpu_engine_on_device },
    { "cuda_sync", NULL, NULL, NULL, ROLE_PLAIN, &gpu_engine_on_device },
    { "overhead", NULL, NULL, NULL, ROLE_PLAIN, &gpu_engine_overhead },
    { "python_function", "nn.Module: *", NULL, NULL, ROLE_SCOPE, &gpu_engine_python },
    HIDDEN("torch/*"),
    HIDDEN("*-packages/torch/*"),
    HIDDEN("<*"),
    HIDDEN("contextlib.py*"),
    HIDDEN("functools.py*"),
    HIDDEN("threading.py*"),
    HIDDEN("typing.py*"),
    { "python_function", "*(*): *", NULL, NULL, ROLE_SOURCE, &gpu_engine_python },
    { "python_function", NULL, NULL, NULL, ROLE_PLAIN, &gpu_engine_python },
    { "Trace", NULL, NULL, NULL, ROLE_PLAIN, &gpu_engine_whole },
    { NULL, NULL, NULL, NULL, ROLE_END, NULL },
};

static const struct producer_counter kineto_counters[] = {
    { .name = "[memory]",
      .key = "Total Allocated",
      .by = "Device Id",
      .title = "Memory allocated, device",
      .unit = "B" },
    { .name = "[memory]", .key = "Total Reserved", .by = "Device Id", .title = "Memory reserved, device", .unit = "B" },
    { 0 },
};

const struct producer gpu_kineto = {
    .title = "PyTorch (Kineto)",
    .rules = kineto_rules,
    .group = "*GraphLaunch*",
    .correlation = "correlation",
    .run_number = "ProfilerStep#",
    .scope = { .before = "nn.Module: " },
    .shapes = "Input Dims",
    .counters = kineto_counters,
    .backward = "fwdbwd",
};

static int probe_kineto(struct text head, const char *path)
{
    (void)path;
    if (!chrome_probe(head))
        return 0;
    if (text_contains(head, "\"schemaVersion\"") &&
        (text_contains(head, "\"deviceProperties\"") || text_contains(head, "\"record_shapes\"")))
        return 95;
    return text_contains(head, "\"cpu_op\"") || text_contains(head, "\"cuda_runtime\"") ||
                   text_contains(head, "PyTorch Profiler") || text_contains(head, "\"External id\"")
               ? 85
               : 0;
}

static status read_kineto(struct source *source, struct feed *feed)
{
    const struct gpu_head *head;
    string_id device;
    status code = gpu_head_read(source);

    if (code != STATUS_OK)
        return code;
    head = gpu_head(source);
    if (head->device[0]) {
        code = strings_add_text(feed->strings, head->device, &device);
        if (code != STATUS_OK)
            return code;
        source->device = strings_text(feed->strings, device);
    }
    if (head->distributed && head->ranks > 1) {
        source->rank = head->rank;
        source->ranks = head->ranks;
    }
    return chrome_read(source, feed, &gpu_kineto);
}

const struct reader kineto_reader = {
    .id = "kineto",
    .title = "PyTorch profile (Kineto)",
    .chain = &gpu_chain,
    .kind = READER_MEASURED,
    .files = "*.pt.trace.json, *.json.gz",
    .probe = probe_kineto,
    .read = read_kineto,
    .release = gpu_head_release,
};

/* ---- ONNX Runtime -------------------------------------------------------------------------------------------------- */

static const struct producer_rule onnxruntime_rules[] = {
    { "Session", "model_run", NULL, NULL, ROLE_RUN, &gpu_engine_annotation },
    { "Session", "model_loading*", NULL, NULL, ROLE_PLAIN, &gpu_engine_load },
    { "Session", "session_initialization", NULL, NULL, ROLE_PLAIN, &gpu_engine_load },
    { "Session", NULL, NULL, NULL, ROLE_PLAIN, &gpu_engine_annotation },
    { "Node", "*_fence_before", NULL, NULL, ROLE_PLAIN, &gpu_engine_wait },
    { "Node", "*_fence_after", NULL, NULL, ROLE_PLAIN, &gpu_engine_wait },
    { "Node", NULL, NULL, "provider=CPUExecutionProvider", ROLE_OPERATOR, &gpu_engine_node },
    { "Node", NULL, NULL, "provider=*ExecutionProvider", ROLE_OPERATOR, &gpu_engine_provided },
    { "Node", NULL, NULL, NULL, ROLE_OPERATOR, &gpu_engine_node },
    { "Kernel", "Memcpy*", NULL, NULL, ROLE_WORK, &gpu_engine_copy },
    { "Kernel", NULL, NULL, NULL, ROLE_WORK, &gpu_engine_kernel },
    { "Api", NULL, NULL, NULL, ROLE_PLAIN, &gpu_engine_call },
    { NULL, NULL, NULL, NULL, ROLE_END, NULL },
};

const struct producer gpu_onnxruntime = {
    .title = "ONNX Runtime",
    .rules = onnxruntime_rules,
    .parent = "parent_name",
    .launching = { &gpu_engine_provided, &gpu_engine_operator },
    .op = { .behind = "_kernel_time" },
    .type = "op_name",
    .shapes = "input_type_shape",
};

static int probe_onnxruntime(struct text head, const char *path)
{
    (void)path;
    if (!chrome_probe(head) || !text_contains(head, "\"Session\""))
        return 0;
    return text_contains(head, "model_loading") || text_contains(head, "session_initialization") ||
                   text_contains(head, "model_run")
               ? 90
               : 0;
}

static status read_onnxruntime(struct source *source, struct feed *feed)
{
    return chrome_read(source, feed, &gpu_onnxruntime);
}

const struct reader onnxruntime_reader = {
    .id = "onnxruntime",
    .title = "ONNX Runtime profile",
    .chain = &gpu_chain,
    .kind = READER_MEASURED,
    .files = "onnxruntime_profile_*.json",
    .probe = probe_onnxruntime,
    .read = read_onnxruntime,
};

/* ---- XLA ------------------------------------------------------------------------------------------------------------ */

/* Lines of a device that only sum up others of it: "Steps", "XLA Modules"; of a GPU all but its streams do, "XLA Ops" too, which of a TPU are the work. On a CPU
 * the client's threads run the operations. */
#define XLA_CALLS(front)                                                                               \
    WAIT(NULL, front "*Synchronize*"), LAUNCH(NULL, front "*Launch*"), LAUNCH(NULL, front "*Memcpy*"), \
        LAUNCH(NULL, front "*Memset*")

static const struct producer_rule xla_rules[] = {
    { NULL, NULL, NULL, "step_num", ROLE_RUN, &gpu_engine_annotation },
    { NULL, "Memcpy*", "Stream #*", NULL, ROLE_WORK, &gpu_engine_copy },
    { NULL, "Memset*", "Stream #*", NULL, ROLE_WORK, &gpu_engine_set },
    { NULL, "*nccl*", "Stream #*", NULL, ROLE_WORK, &gpu_engine_collective },
    { NULL, NULL, "Stream #*", NULL, ROLE_WORK, &gpu_engine_kernel },
    { NULL, NULL, "/device:GPU*", NULL, ROLE_PLAIN, &gpu_engine_on_device },
    { NULL, NULL, "XLA Ops", NULL, ROLE_WORK, &gpu_engine_kernel },
    { NULL, NULL, "Async XLA Ops", NULL, ROLE_WORK, &gpu_engine_copy },
    { NULL, NULL, "/device:*", NULL, ROLE_PLAIN, &gpu_engine_on_device },
    { NULL, NULL, NULL, "hlo_op", ROLE_WORK, &gpu_engine_node },
    { NULL, "*Await*", NULL, NULL, ROLE_WAIT, &gpu_engine_wait },
    { NULL, "Wait for * holds", NULL, NULL, ROLE_PLAIN, &gpu_engine_call }, /* locks of buffers, not the device */
    { NULL, "*Wait for*", NULL, NULL, ROLE_WAIT, &gpu_engine_wait },
    { NULL, "*wait for*", NULL, NULL, ROLE_WAIT, &gpu_engine_wait },
    { NULL, "*BlockHost*", NULL, NULL, ROLE_WAIT, &gpu_engine_wait },
    { NULL, "np.asarray(jax.Array)", NULL, NULL, ROLE_WAIT, &gpu_engine_wait },
    XLA_CALLS("cu"),
    XLA_CALLS("hip"),
    { NULL, "ThreadpoolListener::*", NULL, NULL, ROLE_PLAIN, &gpu_engine_overhead },
    { NULL, "end: *", NULL, NULL, ROLE_PLAIN, &gpu_engine_overhead },
    { NULL, "$*", NULL, NULL, ROLE_PLAIN, &gpu_engine_python },
    { NULL, "ThunkExecutor::Execute*", NULL, NULL, ROLE_PLAIN, &gpu_engine_annotation },
    { NULL, NULL, NULL, NULL, ROLE_PLAIN, &gpu_engine_call },
    { NULL, NULL, NULL, NULL, ROLE_END, NULL },
};

const struct producer gpu_xla = {
    .title = "XLA",
    .rules = xla_rules,
    .correlation = "correlation_id",
    .run_number = "step_num",
    .op = { .key = "hlo_op" },
    .type = "hlo_category",
    .module = "hlo_module",
};

static int probe_xla(struct text head, const char *path)
{
    (void)path;
    if (!chrome_probe(head))
        return 0;
    return text_contains(head, "\"/host:CPU\"") || text_contains(head, "\"/device:") ||
                   text_contains(head, "\"hlo_op\"") || text_contains(head, "\"hlo_module\"")
               ? 80
               : 0;
}

static status read_xla(struct source *source, struct feed *feed)
{
    return chrome_read(source, feed, &gpu_xla);
}

const struct reader xla_trace_reader = {
    .id = "xla-trace",
    .title = "XLA profile (JAX, XProf) as trace events",
    .chain = &gpu_chain,
    .kind = READER_MEASURED,
    .files = "*.trace.json.gz",
    .probe = probe_xla,
    .read = read_xla,
};
