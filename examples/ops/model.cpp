/* model.cpp: the model of model.c, with the op profiler in C++. */
#include <cstdio>
#include <optional>
#include <vector>

#include <tacho/ops.hpp>

#include "cores.h"

namespace op_profiler = tacho::op_profiler;
using op_profiler::ApiCallScope;
using op_profiler::OpProfileScope;
using op_profiler::OpType;
using op_profiler::Tensor;

static Tensor on_host(const matrix &values)
{
    return { { values.rows, values.columns }, "ROW_MAJOR", "FLOAT32" };
}

static Tensor in_dram(const matrix &values)
{
    return { { 1, 1, values.rows, values.columns }, "TILE", "FLOAT32", op_profiler::dram(0, "INTERLEAVED") };
}

static Tensor in_l1(const matrix &values)
{
    return { { 1, 1, values.rows, values.columns }, "TILE", "FLOAT32", op_profiler::l1(0, "INTERLEAVED") };
}

/* A copy on the device. */
static matrix write_to_device(const matrix &values)
{
    ApiCallScope call("WriteToDevice");
    matrix copy = matrix_new(values.rows, values.columns);

    matrix_copy(&copy, &values);
    return copy;
}

static void matmul(const matrix &a, const matrix &b, const matrix *bias, matrix &c)
{
    OpProfileScope op("tt::tt_metal::Matmul", OpType::tt_dnn_device);
    program made;

    op_profiler::append_input_data(in_dram(a));
    op_profiler::append_input_data(in_dram(b));
    op_profiler::append_input_data(bias ? std::optional<Tensor>(in_l1(*bias)) : std::nullopt);
    op_profiler::append_output_data(in_l1(c));
    op_profiler::append_math_fidelity("HiFi4");
    op_profiler::append_parallelization_strategy("MULTI_CORE");
    op_profiler::append_meta_data("in0_block_w=8");
    op_profiler::append_meta_data(bias ? "fuse_bias=true" : "fuse_bias=false");
    {
        ApiCallScope call("CompileProgram");
        made = program_compile(a.rows, a.columns, b.columns);
    }
    matrix device_a, device_b, device_c = matrix_new(a.rows, b.columns);
    {
        ApiCallScope call("ConfigureDeviceWithProgram");
        device_a = write_to_device(a);
        device_b = write_to_device(b);
    }
    {
        ApiCallScope call("LaunchProgram");
        device_launch(&made, &device_a, &device_b, &device_c);
        if (bias)
            add_bias(&device_c, bias);
    }
    {
        ApiCallScope call("DumpDeviceProfileResults");
        device_dump();
    }
    {
        ApiCallScope call("ReadFromDevice");
        matrix_copy(&c, &device_c);
    }
    free(device_a.values);
    free(device_b.values);
    free(device_c.values);
}

static void activate(matrix &values, bool last)
{
    op_profiler::start_profiling("Activation", OpType::tt_dnn_cpu);
    op_profiler::set_preferred_name(last ? "softmax" : "relu");
    op_profiler::append_input_data(on_host(values));
    op_profiler::append_output_data(on_host(values));
    if (last)
        softmax(&values);
    else
        rectify(&values);
    op_profiler::stop_profiling("Activation");
}

static matrix run_layer(const layer &layer, const matrix &input, bool last)
{
    OpProfileScope op("Layer", OpType::tt_dnn_cpu);
    matrix output = matrix_new(input.rows, layer.weights.columns);

    op_profiler::append_input_data(on_host(input));
    op_profiler::append_output_data(on_host(output));
    matmul(input, layer.weights, layer.bias.values ? &layer.bias : nullptr, output);
    activate(output, last);
    return output;
}

static float run_model(const std::vector<layer> &layers, const matrix &input)
{
    OpProfileScope op("model", OpType::custom_zone);
    matrix values = matrix_new(input.rows, input.columns);

    matrix_copy(&values, &input);
    for (size_t i = 0; i < layers.size(); i++) {
        matrix next = run_layer(layers[i], values, i + 1 == layers.size());

        free(values.values);
        values = next;
    }
    float first = values.values[0];
    free(values.values);
    return first;
}

int main(int count, char **arguments)
{
    std::vector<layer> layers(LAYERS);
    matrix input = matrix_new(BATCH, widths[0]);
    float first = 0;

    if (count > 1 && op_profiler::get_profiler_flag() && !op_profiler::set_profiler_location(arguments[1]))
        std::fprintf(stderr, "%s\n", op_profiler::last_error().c_str());
    matrix_fill(&input, 1);
    for (unsigned i = 0; i < LAYERS; i++) {
        layers[i] = { matrix_new(widths[i], widths[i + 1]), { 0, 0, nullptr } };
        matrix_fill(&layers[i].weights, i + 2);
        if (i + 1 == LAYERS)
            continue;
        layers[i].bias = matrix_new(1, widths[i + 1]);
        matrix_fill(&layers[i].bias, i + 20);
    }
    for (unsigned run = 0; run < 2; run++)
        first = run_model(layers, input);
    std::printf("%.4f\n", static_cast<double>(first));
    for (layer &each : layers) {
        free(each.weights.values);
        free(each.bias.values);
    }
    free(input.values);
    return 0;
}
