/* model.c: a model of three layers, with the op profiler in C.
 *
 *     model_c [FOLDER]      where the logs go; without one, to the documented place
 *
 * make ENABLE_PROFILER=1 compiles it in; without, nothing of it is left. */
#include <stdio.h>

#include <tacho/ops.h>

#include "cores.h"

#define ON_HOST(matrix)         \
    (&(struct tacho_op_tensor){ \
        .shape = { (matrix)->rows, (matrix)->columns }, .rank = 2, .layout = "ROW_MAJOR", .datatype = "FLOAT32" })
#define ON_DEVICE(matrix, memory)                                                     \
    (&(struct tacho_op_tensor){ .shape = { 1, 1, (matrix)->rows, (matrix)->columns }, \
                                .rank = 4,                                            \
                                .layout = "TILE",                                     \
                                .datatype = "FLOAT32",                                \
                                .buffer = (memory),                                   \
                                .memory_layout = "INTERLEAVED" })

/* What the device has of a product. */
struct on_device {
    struct matrix a, b, c; /* copies */
};

static void write_to_device(struct on_device *device, const struct matrix *a, const struct matrix *b)
{
    TACHO_OP_CALL("WriteToDevice");
    device->a = matrix_new(a->rows, a->columns);
    matrix_copy(&device->a, a);
    device->b = matrix_new(b->rows, b->columns);
    matrix_copy(&device->b, b);
    device->c = matrix_new(a->rows, b->columns);
}

static void read_from_device(struct on_device *device, struct matrix *c)
{
    TACHO_OP_CALL("ReadFromDevice");
    matrix_copy(c, &device->c);
    free(device->a.values);
    free(device->b.values);
    free(device->c.values);
}

/* An op of the device: what it gets and gives, how it is run, and the calls that it is made of. */
static void matmul(const struct matrix *a, const struct matrix *b, const struct matrix *bias, struct matrix *c)
{
    struct on_device device;
    struct program program;

    TACHO_OP("tt::tt_metal::Matmul", TACHO_OP_DEVICE);
    tacho_op_input(ON_DEVICE(a, "DRAM"));
    tacho_op_input(ON_DEVICE(b, "DRAM"));
    tacho_op_input(bias ? ON_DEVICE(bias, "L1") : NULL); /* an optional one keeps its number */
    tacho_op_output(ON_DEVICE(c, "L1"));
    tacho_op_math_fidelity("HiFi4");
    tacho_op_parallelization_strategy("MULTI_CORE");
    tacho_op_meta_data("in0_block_w=8");
    tacho_op_meta_data(bias ? "fuse_bias=true" : "fuse_bias=false");
    {
        TACHO_OP_CALL("CompileProgram");
        program = program_compile(a->rows, a->columns, b->columns);
    }
    {
        TACHO_OP_CALL("ConfigureDeviceWithProgram");
        write_to_device(&device, a, b); /* a call inside a call counts for the op, too */
    }
    {
        TACHO_OP_CALL("LaunchProgram");
        device_launch(&program, &device.a, &device.b, &device.c);
        if (bias)
            add_bias(&device.c, bias);
    }
    {
        TACHO_OP_CALL("DumpDeviceProfileResults");
        device_dump();
    }
    read_from_device(&device, c);
}

static void activate(struct matrix *matrix, bool last)
{
    tacho_op_start("Activation", TACHO_OP_CPU);
    tacho_op_preferred_name(last ? "softmax" : "relu");
    tacho_op_input(ON_HOST(matrix));
    tacho_op_output(ON_HOST(matrix));
    if (last)
        softmax(matrix);
    else
        rectify(matrix);
    tacho_op_stop("Activation");
}

/* An op that is made of others: those have a call depth one more than its own. */
static struct matrix run_layer(const struct layer *layer, const struct matrix *input, bool last)
{
    struct matrix output = matrix_new(input->rows, layer->weights.columns);

    TACHO_OP("Layer", TACHO_OP_CPU);
    tacho_op_input(ON_HOST(input));
    tacho_op_output(ON_HOST(&output));
    matmul(input, &layer->weights, layer->bias.values ? &layer->bias : NULL, &output);
    activate(&output, last);
    return output;
}

static float run_model(const struct layer layers[LAYERS], const struct matrix *input)
{
    struct matrix values = matrix_new(input->rows, input->columns);
    float first;

    TACHO_RUN("inference"); /* a zone of the recording, and no op */
    TACHO_OP("model", TACHO_OP_CUSTOM_ZONE);
    matrix_copy(&values, input);
    for (unsigned i = 0; i < LAYERS; i++) {
        struct matrix next = run_layer(&layers[i], &values, i + 1 == LAYERS);

        free(values.values);
        values = next;
    }
    first = values.values[0];
    free(values.values);
    return first;
}

int main(int count, char **arguments)
{
    struct layer layers[LAYERS] = { 0 };
    struct matrix input = matrix_new(BATCH, widths[0]);
    float first = 0;

    if (count > 1 && tacho_op_location(arguments[1]) != 0)
        fprintf(stderr, "%s\n", tacho_op_error());
    matrix_fill(&input, 1);
    for (unsigned i = 0; i < LAYERS; i++) {
        layers[i].weights = matrix_new(widths[i], widths[i + 1]);
        matrix_fill(&layers[i].weights, i + 2);
        if (i + 1 == LAYERS)
            continue;
        layers[i].bias = matrix_new(1, widths[i + 1]);
        matrix_fill(&layers[i].bias, i + 20);
    }
    for (unsigned run = 0; run < 2; run++)
        first = run_model(layers, &input);
    printf("%.4f\n", (double)first);
    if (tacho_op_errors())
        fprintf(stderr, "%llu times ops could not be logged, the last: %s\n", (unsigned long long)tacho_op_errors(),
                tacho_op_error());
    for (unsigned i = 0; i < LAYERS; i++) {
        free(layers[i].weights.values);
        free(layers[i].bias.values);
    }
    free(input.values);
    return 0;
}
