/* etdump.c: a dump of ExecuTorch's event tracer: the loading, then inferences of a convolutional net on XNNPACK. */
#include "model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "etdump_writer.h"

enum {
    DELEGATES = 20,        /* delegate calls of an inference */
    DELEGATE_KERNELS = 44, /* operators of one call */
    KERNELS = 45,          /* portable kernels, two events each */
};

enum { TYPES = 5 };
static const char *const delegate_types[TYPES] = {
    "Convolution (NHWC, F32) GEMM",
    "Convolution (NHWC, F32) DWConv",
    "Add (ND)",
    "Fully Connected (NC, F32) GEMM",
    "Softmax (NC, F32)",
};
static const char *const kernel_types[TYPES] = {
    "permute_copy.out", "slice_copy.Tensor_out", "gelu.out", "cumsum.out", "expand_copy.out",
};

struct inference {
    struct etdump_writer *writer;
    uint64_t events;
    uint64_t now; /* ns */
    uint64_t random;
};

/* An event that ends now; instruction -1: of the method itself. */
static void add(struct inference *inference, const char *name, bool delegated, int32_t instruction, uint64_t start)
{
    struct etdump_profile event = {
        .name = delegated ? NULL : name,
        .delegated = delegated,
        .delegate_text = delegated ? name : NULL,
        .chain = instruction < 0 ? -1 : 0,
        .instruction = instruction < 0 ? 0 : instruction,
        .start = start,
        .end = inference->now,
    };

    etdump_add_profile(inference->writer, &event);
    inference->events++;
}

static void call_delegate(struct inference *inference, int32_t instruction)
{
    unsigned counts[TYPES] = { 0 };
    uint64_t start = inference->now;

    inference->now += 800;
    for (unsigned i = 0; i < DELEGATE_KERNELS; i++) {
        unsigned type = i * 7 / 5 % TYPES;
        uint64_t begin = inference->now;
        char name[64];

        snprintf(name, sizeof name, "%s #%u", delegate_types[type], ++counts[type]);
        inference->now += 1000 * (5 + draw(&inference->random, 200)); /* XNNPACK counts microseconds */
        add(inference, name, true, instruction, begin);
    }
    inference->now += 2000 + draw(&inference->random, 2000);
    add(inference, "DELEGATE_CALL", false, instruction, start);
}

static void call_kernel(struct inference *inference, int32_t instruction)
{
    uint64_t start = inference->now;
    char name[64];

    snprintf(name, sizeof name, "native_call_%s", kernel_types[instruction % TYPES]);
    inference->now += 20000 + draw(&inference->random, 9000);
    add(inference, name, false, instruction, start + 300);
    inference->now += 250;
    add(inference, "OPERATOR_CALL", false, instruction, start);
}

static void infer(struct inference *inference)
{
    uint64_t start = inference->now;
    int32_t instruction = 0;

    etdump_begin_block(inference->writer, "Execute", -1);
    for (unsigned i = 0; i < KERNELS; i++) {
        inference->now += 120;
        call_kernel(inference, instruction++);
        if (i % 2 == 0 && i / 2 < DELEGATES)
            call_delegate(inference, instruction++);
    }
    inference->now += 900;
    add(inference, "Method::execute", false, -1, start);
    inference->now += 50000;
}

static void load(struct inference *inference)
{
    uint64_t start = inference->now;

    etdump_begin_block(inference->writer, "Default", -1);
    inference->now += 18000000;
    add(inference, "Method::init", false, -1, start + 1200);
    inference->now += 2000;
    add(inference, "Program::load_method", false, -1, start);
}

uint64_t generate_etdump(uint64_t events, uint64_t seed)
{
    struct etdump_writer writer;
    struct inference inference = { .writer = &writer, .now = 1000000, .random = seed };
    const void *data;
    size_t size;

    etdump_start(&writer);
    load(&inference);
    while (inference.events < events)
        infer(&inference);
    if (!etdump_finish(&writer, &data, &size)) {
        fprintf(stderr, "generate: a dump of %" PRIu64 " events is too large\n", events);
        exit(4);
    }
    lines_written = inference.events;
    for (size_t at = 0; at < size; at += 4096)
        put_bytes((const char *)data + at, size - at < 4096 ? size - at : 4096);
    etdump_free(&writer);
    return 0;
}
