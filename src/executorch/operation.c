/* operation.c: kinds of operators by their names. */
#include "executorch/operation.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *event;   /* as backends log it */
    enum firm_kind kind; /* that it is of */
} events[] = {
    { "Fully Connected", FIRM_PRODUCT }, { "Dynamic Fully Connected", FIRM_PRODUCT }, { "Convolution", FIRM_PRODUCT },
    { "Deconvolution", FIRM_PRODUCT },   { "Batch Matrix Multiply", FIRM_PRODUCT },   { "Softmax", FIRM_SOFTMAX },
    { "Max Pooling", FIRM_MAX_POOLING }, { "ArgMax Pooling", FIRM_MAX_POOLING },      { "Add", FIRM_ADDITION },
};

static const struct {
    const char *operation;     /* of a node */
    uint8_t makes[MADE_KINDS]; /* operators of each kind */
} nodes[] = {
    { "linear", { 1, 0, 0, 0, 0, 0 } },
    { "addmm", { 1, 0, 0, 0, 0, 1 } },
    { "mm", { 1, 0, 0, 0, 0, 0 } },
    { "bmm", { 1, 0, 0, 0, 0, 0 } },
    { "baddbmm", { 1, 0, 0, 0, 0, 1 } },
    { "convolution", { 1, 0, 0, 0, 0, 0 } },
    { "conv1d", { 1, 0, 0, 0, 0, 0 } },
    { "conv2d", { 1, 0, 0, 0, 0, 0 } },
    { "conv_transpose1d", { 1, 0, 0, 0, 0, 0 } },
    { "conv_transpose2d", { 1, 0, 0, 0, 0, 0 } },
    { "_native_batch_norm_legit_no_training", { 0, 0, 0, 0, 1, 0 } },
    { "scaled_dot_product_attention", { 2, 1, 0, 0, 0, 1 } },
    { "softmax", { 0, 1, 0, 0, 0, 0 } },
    { "_softmax", { 0, 1, 0, 0, 0, 0 } },
    { "max_pool1d", { 0, 0, 1, 0, 0, 0 } },
    { "max_pool2d", { 0, 0, 1, 0, 0, 0 } },
    { "max_pool2d_with_indices", { 0, 0, 1, 0, 0, 0 } },
    { "add", { 0, 0, 0, 1, 0, 0 } },
};

const char *firm_kind_name(enum firm_kind kind)
{
    static const char *const names[] = { "products", "softmaxes", "max poolings", "additions" };

    assert(kind < FIRM_KINDS);
    return names[kind];
}

static bool is_named(struct text text, const char *name)
{
    return strlen(name) == text.length && strncasecmp(name, text.data, text.length) == 0;
}

struct text operation_of_event(struct text type)
{
    const char *bracket = memmem(type.data, type.length, " (", 2);

    if (bracket)
        type.length = (size_t)(bracket - type.data);
    return type;
}

/* Without what the runtime puts in front of a kernel's name, and without the overload behind it. */
static struct text strip_kernel(struct text name)
{
    static const char prefix[] = "native_call_";
    const char *dot;

    if (name.length >= sizeof prefix - 1 && memcmp(name.data, prefix, sizeof prefix - 1) == 0) {
        name.data += sizeof prefix - 1;
        name.length -= sizeof prefix - 1;
    }
    dot = name.length ? memchr(name.data, '.', name.length) : NULL;
    if (dot)
        name.length = (size_t)(dot - name.data);
    return name;
}

struct text operation_of_kernel(struct text name)
{
    const char *part;

    name = strip_kernel(name);
    part = memmem(name.data, name.length, "::", 2);
    return part ? (struct text){ part + 2, name.length - (size_t)(part + 2 - name.data) } : name;
}

/* Of kernels that come with the runtime. */
static bool is_own_namespace(struct text name)
{
    static const char *const names[] = { "aten",          "prims",   "dim_order_ops",  "quantized_decomposed",
                                         "quantized_ops", "torchao", "executorch_prim" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_named(name, names[i]))
            return true;
    return false;
}

struct text operation_of_custom_kernel(struct text name)
{
    const char *part;

    name = strip_kernel(name);
    part = memmem(name.data, name.length, "::", 2);
    return part && !is_own_namespace((struct text){ name.data, (size_t)(part - name.data) }) ? name
                                                                                             : (struct text){ "", 0 };
}

struct text operation_of_custom_node(struct text type)
{
    const char *dot = type.length ? memchr(type.data, '.', type.length) : NULL;
    const char *next = dot ? memchr(dot + 1, '.', type.length - (size_t)(dot + 1 - type.data)) : NULL;

    return next && !is_own_namespace((struct text){ type.data, (size_t)(dot - type.data) })
               ? (struct text){ type.data, (size_t)(next - type.data) }
               : (struct text){ "", 0 };
}

enum firm_kind firm_kind_of_event(struct text type)
{
    struct text operation = operation_of_event(type);

    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (is_named(operation, events[i].event))
            return events[i].kind;
    return FIRM_NONE;
}

void firm_kinds_of_node(struct text operation, uint32_t made[MADE_KINDS])
{
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        if (is_named(operation, nodes[i].operation))
            for (unsigned k = 0; k < MADE_KINDS; k++)
                made[k] += nodes[i].makes[k];
}

bool operation_is_inserted(struct text operation)
{
    static const char *const names[] = { "Transpose", "Convert",      "Copy",   "Reshape",  "Static Reshape",
                                         "Clamp",     "ReLU",         "relu",   "hardtanh", "clamp",
                                         "clone",     "Constant Pad", "Expand", "Squeeze",  "Unsqueeze" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_named(operation, names[i]))
            return true;
    return operation.length > 5 && memcmp(operation.data + operation.length - 5, "_copy", 5) == 0;
}

bool operation_is_partitioned(struct text operation)
{
    static const char *const names[] = {
        "_clone_dim_order",
        "_native_batch_norm_legit_no_training",
        "_softmax",
        "_to_dim_order_copy",
        "abs",
        "add",
        "addmm",
        "avg_pool2d",
        "bmm",
        "cat",
        "ceil",
        "clamp",
        "constant_pad_nd",
        "conv1d",
        "conv2d",
        "convolution",
        "cos",
        "dequantize_per_tensor",
        "div",
        "elu",
        "exp",
        "floor",
        "gelu",
        "hardswish",
        "hardtanh",
        "leaky_relu",
        "linear",
        "log",
        "max",
        "max_pool2d",
        "max_pool2d_with_indices",
        "maximum",
        "mean",
        "minimum",
        "mm",
        "mul",
        "neg",
        "permute_copy",
        "pow",
        "prelu",
        "quantize_per_tensor",
        "relu",
        "rsqrt",
        "sigmoid",
        "sin",
        "slice_copy",
        "sqrt",
        "sub",
        "tanh",
        "upsample_bilinear2d",
        "view_copy",
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_named(operation, names[i]))
            return true;
    return false;
}

bool operation_is_partitioned_with_product(struct text operation)
{
    static const char *const starts[] = { "quantize_", "dequantize_", "choose_qparams" };

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (operation.length >= strlen(starts[i]) && memcmp(operation.data, starts[i], strlen(starts[i])) == 0)
            return !operation_is_partitioned(operation);
    return false;
}
