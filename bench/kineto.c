/* kineto.c: a trace as PyTorch's profiler writes it: operators of two threads, Python functions, calls of the runtime with their kernels, names.
 *
 * Each of these is a section by time, so the same training is played once for each from the same seed. A step calls forty layers, and then takes their
 * derivatives on another thread. Rows are events.
 */
#include <inttypes.h>
#include <stdio.h>

#include "model.h"

enum { STEP_LAYERS = 40, PROCESS = 4242, BACKWARD = 4300, STREAM = 7 };

enum section { SECTION_BACKWARD, SECTION_FORWARD, SECTION_PYTHON, SECTION_DEVICE, SECTIONS };

struct play {
    enum section section; /* that is written */
    uint64_t random;      /* of its durations */
    uint64_t now;         /* ns, on the host */
    uint64_t device;      /* ns, when the stream is free */
    uint64_t correlation; /* of the last launch */
    uint64_t number;      /* of the last operator */
    bool any;             /* an event was written */
};

static const char *const kernels[] = {
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> "
    ">(int, "
    "at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)",
    "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_"
    "cublas",
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float, "
    "c10::BFloat16 const*, "
    "c10::BFloat16 const*, c10::BFloat16 const*, float*, float*, c10::BFloat16*)",
};

static struct play play;

static void put_time(uint64_t ns)
{
    char text[40];

    put_bytes(text, (size_t)snprintf(text, sizeof text, "%" PRIu64 ".%03" PRIu64, ns / 1000, ns % 1000));
}

static void put_number(const char *before, uint64_t value)
{
    put(before);
    put_unsigned(value);
}

static void begin_event(void)
{
    put(play.any ? ",\n  {\n" : "  {\n");
    play.any = true;
    lines_written++;
}

static void put_slice(const char *category, const char *name, uint64_t pid, uint64_t tid, uint64_t start,
                      uint64_t duration)
{
    begin_event();
    put("    \"ph\": \"X\", \"cat\": \"");
    put(category);
    put("\", \"name\": \"");
    put(name);
    put_number("\", \"pid\": ", pid);
    put_number(", \"tid\": ", tid);
    put(",\n    \"ts\": ");
    put_time(start);
    put(", \"dur\": ");
    put_time(duration);
    put(",\n    \"args\": {\n      ");
}

static void put_arrow(const char *phase, const char *category, uint64_t id, uint64_t pid, uint64_t tid, uint64_t time)
{
    begin_event();
    put("    \"ph\": \"");
    put(phase);
    put_number("\", \"id\": ", id);
    put_number(", \"pid\": ", pid);
    put_number(", \"tid\": ", tid);
    put(", \"ts\": ");
    put_time(time);
    put(",\n    \"cat\": \"");
    put(category);
    put("\", \"name\": \"");
    put(category);
    put(*phase == 'f' ? "\", \"bp\": \"e\"\n  }" : "\"\n  }");
}

static void put_operator(uint64_t thread, const char *name, uint64_t start, uint64_t duration, bool shapes)
{
    play.number++;
    if (play.section != (thread == PROCESS ? SECTION_FORWARD : SECTION_BACKWARD))
        return;
    put_slice("cpu_op", name, PROCESS, thread, start, duration);
    put_number("\"External id\": ", play.number);
    put(",\"Record function id\": 0");
    if (shapes)
        put(", \"Concrete Inputs\": [\"\", \"\", \"\"], \"Input type\": [\"c10::BFloat16\", \"c10::BFloat16\", "
            "\"c10::BFloat16\"], \"Input Strides\": [[768], [768, 1], [1, 768]], \"Input Dims\": [[768], [512, 768], "
            "[768, "
            "768]]");
    put_number(", \"Ev Idx\": ", play.number);
    put("\n    }\n  }");
}

static void put_function(const char *name, uint64_t layer, uint64_t start, uint64_t duration)
{
    char text[96];

    if (play.section != SECTION_PYTHON)
        return;
    snprintf(text, sizeof text, name, (unsigned)layer);
    put_slice("python_function", text, PROCESS, PROCESS, start, duration);
    put_number("\"Python parent id\": ", play.number);
    put_number(", \"Python id\": ", play.number + 1);
    put_number(", \"Ev Idx\": ", play.number);
    put("\n    }\n  }");
}

/* A call at this time, and the kernel that it launches. */
static void put_launch(uint64_t thread, uint64_t start)
{
    uint64_t length = 3000 + draw(&play.random, 2000), id = ++play.correlation, busy = 2000 + draw(&play.random, 9000);
    const char *kernel = kernels[draw(&play.random, sizeof kernels / sizeof *kernels)];

    play.device = play.device > start + length ? play.device : start + length;
    play.device += 900;
    if (play.section == SECTION_DEVICE) {
        put_slice("cuda_runtime", "cudaLaunchKernel", PROCESS, thread, start, length);
        put_number("\"External id\": ", play.number);
        put_number(", \"cbid\": 211, \"correlation\": ", id);
        put("\n    }\n  }");
        put_slice("kernel", kernel, 0, STREAM, play.device, busy);
        put_number("\"External id\": ", play.number);
        put_number(",\"queued\": 0, \"device\": 0, \"context\": 1,\n      \"stream\": 7, \"correlation\": ", id);
        put(",\n      \"registers per thread\": 32,\n      \"shared memory\": 0,\n      \"blocks per SM\": "
            "11.636364,\n      \"warps "
            "per SM\": 46.545456,\n      \"grid\": [1536, 1, 1],\n      \"block\": [128, 1, 1],\n      \"est. achieved "
            "occupancy "
            "%\": 73\n    }\n  }");
        put_arrow("s", "ac2g", id, PROCESS, thread, start);
        put_arrow("f", "ac2g", id, 0, STREAM, play.device);
    }
    play.device += busy;
}

static void play_forward(uint64_t layer, uint64_t arrow)
{
    uint64_t start = play.now, host = 60000 + draw(&play.random, 9000);

    put_function("nn.Module: Linear_%u", layer, start, host);
    put_function("torch/nn/modules/linear.py(%u): forward", 125, start + 2000, host - 4000);
    put_function("<built-in function linear>", 0, start + 6000, host - 11000);
    put_operator(PROCESS, "aten::linear", start + 8000, host - 15000, true);
    if (play.section == SECTION_FORWARD)
        put_arrow("s", "fwdbwd", arrow, PROCESS, PROCESS, start + 8000);
    put_operator(PROCESS, "aten::t", start + 10000, 5000, true);
    put_operator(PROCESS, "aten::transpose", start + 11000, 3000, false);
    put_operator(PROCESS, "aten::addmm", start + 17000, host - 27000, true);
    put_launch(PROCESS, start + 24000);
    put_operator(PROCESS, "aten::add_", start + host - 6500, 4500, false);
    play.now += host + draw(&play.random, 3000);
}

static void play_backward(uint64_t arrow)
{
    uint64_t start = play.now, host = 70000 + draw(&play.random, 9000);

    put_operator(BACKWARD, "autograd::engine::evaluate_function: AddmmBackward0", start, host, false);
    put_operator(BACKWARD, "AddmmBackward0", start + 3000, host - 5000, false);
    if (play.section == SECTION_BACKWARD)
        put_arrow("f", "fwdbwd", arrow, PROCESS, BACKWARD, start + 3000);
    put_operator(BACKWARD, "aten::mm", start + 9000, 20000, true);
    put_launch(BACKWARD, start + 15000);
    put_operator(BACKWARD, "aten::mm", start + 33000, 20000, true);
    put_launch(BACKWARD, start + 39000);
    play.now += host + draw(&play.random, 3000);
}

static void play_layers(uint64_t step)
{
    play.now += 5000;
    for (uint64_t i = 0; i < STEP_LAYERS; i++)
        play_forward(i, step * STEP_LAYERS + i + 1);
    for (uint64_t i = STEP_LAYERS; i > 0; i--)
        play_backward(step * STEP_LAYERS + i);
}

/* A slice comes before what lies in it: how long it takes shows when the step is played without writing. */
static void put_step(uint64_t step)
{
    struct play before = play;
    uint64_t duration;
    char name[40];

    play.section = SECTIONS;
    play_layers(step);
    duration = play.now - before.now;
    play = before;
    snprintf(name, sizeof name, "ProfilerStep#%" PRIu64, step);
    put_slice("user_annotation", name, PROCESS, PROCESS, play.now, duration);
    put_number("\"External id\": ", step + 1);
    put("\n    }\n  }");
}

static void play_step(uint64_t step)
{
    if (play.section == SECTION_FORWARD)
        put_step(step);
    play_layers(step);
    play.now += 20000;
}

static void put_name(const char *what, uint64_t pid, uint64_t tid, const char *name)
{
    begin_event();
    put("    \"name\": \"");
    put(what);
    put_number("\", \"ph\": \"M\", \"ts\": 3900337729993.908, \"pid\": ", pid);
    put_number(", \"tid\": ", tid);
    put(",\n    \"args\": {\n      \"name\": \"");
    put(name);
    put("\"\n    }\n  }");
}

uint64_t generate_kineto(uint64_t rows, uint64_t seed)
{
    enum { EVENTS_OF_LAYER = 9 + 3 + 5 + 3 * 4 }; /* about: of all sections */
    uint64_t steps = rows / (STEP_LAYERS * EVENTS_OF_LAYER) + 1;

    put("\n  {\n    \"schemaVersion\": 1,\n    \"deviceProperties\": [\n    {\n      \"id\": 0, \"name\": \"NVIDIA "
        "H200\", "
        "\"totalGlobalMem\": 150109880320, \"numSms\": 132\n    }\n    ],\n  \"displayTimeUnit\": \"ms\",\n  "
        "\"baseTimeNanoseconds\": 1790857026000000000,\n  \"traceEvents\": [\n");
    for (enum section section = 0; section < SECTIONS; section++) {
        bool any = play.any;

        play = (struct play){ .section = section, .random = seed, .now = 3900337730000000u, .any = any };
        for (uint64_t step = 0; step < steps; step++)
            play_step(step);
    }
    put_name("process_name", PROCESS, 0, "python3");
    put_name("thread_name", PROCESS, PROCESS, "thread 4242 (python3)");
    put_name("thread_name", PROCESS, BACKWARD, "thread 4300 (pt_autograd_0)");
    put_name("process_name", 0, 0, "python3");
    put_name("thread_name", 0, STREAM, "stream 7 ");
    put("\n  ],\n  \"traceName\": \"generated.json\"\n}\n");
    return 0;
}
