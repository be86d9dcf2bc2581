/* generate.c: writes the example profiles: a model like MobileNetV2, compiled for Torq and run ten times.
 *
 *     cc -O2 -o generate examples/generate*.c && ./generate examples/mobilenet
 *
 * Nothing here was measured. The layers are those of the published network; cycles come from simple assumptions
 * (multiplications per cycle, bytes per cycle), run times from the cycles with some luck added, always the same luck.
 * All files agree with each other: an action of the log is an action of the dump, a task of the timeline is a task
 * there, a location names a line of the source.
 *
 *     layers ──► mobilenet.mlir ──► tiles on a machine with two slices ──┬─► mobilenet.executable-targets.mlir
 *                (line numbers)     (cycles)                             ├─► timeline.csv
 *                                                                        └─► runtime.csv
 */
#include "generate.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TILES = 24,
    TILE_BYTES = 64 * 1024, /* that one transfer should move at most */
    TILE_CYCLES = 12000,    /* most cycles that one tile should take */
};

const char source_path[] = "/models/mobilenet.mlir";
struct layer layers[MOST_LAYERS];
unsigned layer_count;
struct job jobs[MOST_JOBS];
unsigned job_count;

const char *const dispatch_names[DISPATCHES] = {
    "main_dispatch_0_conv2d_112x112", "main_dispatch_1_conv2d_28x28", "main_dispatch_2_conv2d_14x14",
    "main_dispatch_3_conv2d_14x14",   "main_dispatch_4_conv2d_7x7",   "main_dispatch_5_classifier",
};

void fail(const char *what)
{
    fprintf(stderr, "generate: %s\n", what);
    exit(1);
}

void print(struct page *page, const char *format, ...)
{
    va_list arguments;
    int length;

    if (page->capacity - page->length < 4096) {
        page->capacity = page->capacity * 2 + 65536;
        page->data = realloc(page->data, page->capacity);
        if (!page->data)
            fail("out of memory");
    }
    va_start(arguments, format);
    length = vsnprintf(page->data + page->length, 4096, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= 4096)
        fail("a piece of text is too long");
    page->length += (size_t)length;
}

static void save(const char *folder, const char *name, const struct page *page)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "wb");
    if (!file || fwrite(page->data, 1, page->length, file) != page->length || fclose(file) != 0) {
        fprintf(stderr, "generate: %s: %s\n", path, strerror(errno));
        exit(4);
    }
}

static unsigned size_after(const struct layer *layer)
{
    return layer->kind == POOL ? 1 : layer->size / layer->stride;
}

uint64_t input_bytes(const struct layer *layer)
{
    return (uint64_t)layer->size * layer->size * layer->in_channels * (layer->kind == ADD ? 2 : 1);
}

uint64_t output_bytes(const struct layer *layer)
{
    return (uint64_t)size_after(layer) * size_after(layer) * layer->out_channels;
}

uint64_t weight_bytes(const struct layer *layer)
{
    switch (layer->kind) {
    case CONV:
    case DENSE:
        return (uint64_t)layer->window * layer->window * layer->in_channels * layer->out_channels +
               layer->out_channels * 8;
    case DEPTHWISE:
        return (uint64_t)layer->window * layer->window * layer->in_channels + layer->out_channels * 8;
    default:
        return 0;
    }
}

/* Cycles of a whole layer on one slice: it does 256 multiplications of a convolution at once, 32 of a depthwise one. */
static uint64_t layer_cycles(const struct layer *layer)
{
    uint64_t outputs = output_bytes(layer);
    uint64_t window = (uint64_t)layer->window * layer->window;

    switch (layer->kind) {
    case CONV:
    case DENSE:
        return outputs * window * layer->in_channels / 256 + 64;
    case DEPTHWISE:
        return outputs * window / 32 + 64;
    default:
        return outputs / 32 + 48;
    }
}

static struct layer *add_layer(enum kind kind, unsigned size, unsigned in, unsigned out, unsigned window,
                               unsigned stride)
{
    struct layer *layer = &layers[layer_count++];
    uint64_t tiles;
    uint64_t moved;

    if (layer_count > MOST_LAYERS)
        fail("too many layers");
    *layer = (struct layer){
        .kind = kind, .size = size, .stride = stride, .in_channels = in, .out_channels = out, .window = window
    };
    tiles = layer_cycles(layer) / TILE_CYCLES + 1;
    moved = (input_bytes(layer) + weight_bytes(layer) + output_bytes(layer)) / 2;
    if (tiles < moved / TILE_BYTES + 1)
        tiles = moved / TILE_BYTES + 1;
    layer->tiles = tiles > MOST_TILES ? MOST_TILES : (unsigned)tiles;
    layer->tile_cycles = layer_cycles(layer) / layer->tiles + 17;
    layer->memory = (input_bytes(layer) + output_bytes(layer) + weight_bytes(layer)) / layer->tiles;
    return layer;
}

static unsigned add_block(unsigned size, unsigned in, unsigned out, unsigned expand, unsigned stride)
{
    unsigned before = layer_count - 1;

    if (expand > 1)
        add_layer(CONV, size, in, in * expand, 1, 1);
    add_layer(DEPTHWISE, size, in * expand, in * expand, 3, stride);
    add_layer(CONV, size / stride, in * expand, out, 1, 1);
    if (stride == 1 && in == out)
        add_layer(ADD, size, out, out, 1, 1)->skip_from = before;
    return size / stride;
}

/* The network as published: expansion, channels, repeats and stride of each stage, and the dispatch we put it into. */
static void make_network(void)
{
    static const struct {
        unsigned expand, channels, repeats, stride, dispatch;
    } stages[] = { { 1, 16, 1, 1, 0 }, { 6, 24, 2, 2, 0 },  { 6, 32, 3, 2, 1 }, { 6, 64, 4, 2, 2 },
                   { 6, 96, 3, 1, 3 }, { 6, 160, 3, 2, 4 }, { 6, 320, 1, 1, 4 } };
    unsigned size = 112;
    unsigned channels = 32;

    add_layer(CONV, 224, 3, 32, 3, 2);
    for (unsigned i = 0; i < sizeof stages / sizeof *stages; i++) {
        for (unsigned k = 0; k < stages[i].repeats; k++) {
            unsigned first = layer_count;

            size = add_block(size, channels, stages[i].channels, stages[i].expand, k == 0 ? stages[i].stride : 1);
            channels = stages[i].channels;
            for (unsigned n = first; n < layer_count; n++)
                layers[n].dispatch = stages[i].dispatch;
        }
    }
    add_layer(CONV, size, channels, 1280, 1, 1)->dispatch = 5;
    add_layer(POOL, size, 1280, 1280, 1, 1)->dispatch = 5;
    add_layer(DENSE, 1, 1280, 1000, 1, 1)->dispatch = 5;
    add_layer(SOFTMAX, 1, 1000, 1000, 1, 1)->dispatch = 5;
}

/* A job is a block of the network: it ends before an expansion, and at the end of a dispatch. */
static void make_jobs(void)
{
    unsigned first_of_dispatch = 0;

    for (unsigned i = 0; i < layer_count && layers[i].kind != SOFTMAX; i++) {
        bool expands = layers[i].kind == CONV && layers[i].out_channels > layers[i].in_channels * 2;
        bool new_dispatch = i == 0 || layers[i].dispatch != layers[i - 1].dispatch;

        if (new_dispatch)
            first_of_dispatch = job_count;
        if (new_dispatch || expands || layers[i].kind == POOL || layers[i].kind == DENSE) {
            if (job_count == MOST_JOBS)
                fail("too many jobs");
            jobs[job_count] = (struct job){ .dispatch = layers[i].dispatch,
                                            .number = job_count - first_of_dispatch,
                                            .first_layer = i };
            job_count++;
        }
        layers[i].job = job_count - 1;
        jobs[job_count - 1].layer_count++;
    }
}

static unsigned source_line = 1;

static void end_source_line(struct page *page)
{
    print(page, "\n");
    source_line++;
}

/* Where the operation's name stands when its line begins with `    %n = `. */
static struct place place_of(unsigned value)
{
    return (struct place){ source_line, (unsigned)snprintf(NULL, 0, "    %%%u = ", value) + 1 };
}

static void print_constant(struct page *page, const char *name, unsigned layer, const char *shape, const char *values)
{
    print(page, "    %%%s%u = \"tosa.const\"() <{values = dense<%s> : tensor<%s>}> : () -> tensor<%s>", name, layer,
          values, shape, shape);
    end_source_line(page);
}

static void print_convolution(struct page *page, unsigned index, unsigned input, unsigned *value)
{
    struct layer *layer = &layers[index];
    unsigned after = size_after(layer);
    char weights[64];
    char bias[32];

    if (layer->kind == DEPTHWISE)
        snprintf(weights, sizeof weights, "%ux%ux%ux1xi8", layer->window, layer->window, layer->in_channels);
    else
        snprintf(weights, sizeof weights, "%ux%ux%ux%uxi8", layer->out_channels, layer->window, layer->window,
                 layer->in_channels);
    snprintf(bias, sizeof bias, "%uxi32", layer->out_channels);
    print_constant(page, "weights", index, weights, "1");
    print_constant(page, "bias", index, bias, "0");
    layer->place = place_of(*value);
    print(page,
          "    %%%u = %s %%%u, %%weights%u, %%bias%u {dilation = array<i64: 1, 1>, pad = array<i64: %u, %u, %u, %u>, "
          "stride = "
          "array<i64: %u, %u>} : (tensor<1x%ux%ux%uxi8>, tensor<%s>, tensor<%s>) -> tensor<1x%ux%ux%uxi32>",
          *value, layer->kind == DEPTHWISE ? "tosa.depthwise_conv2d" : "tosa.conv2d", input, index, index,
          layer->window / 2, layer->window / 2, layer->window / 2, layer->window / 2, layer->stride, layer->stride,
          layer->size, layer->size, layer->in_channels, weights, bias, after, after, layer->out_channels);
    end_source_line(page);
    ++*value;
    layer->rescale = place_of(*value);
    print(page,
          "    %%%u = \"tosa.rescale\"(%%%u) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = "
          "-128 : i32, "
          "shift = array<i8: 38>}> : (tensor<1x%ux%ux%uxi32>) -> tensor<1x%ux%ux%uxi8>",
          *value, *value - 1, after, after, layer->out_channels, after, after, layer->out_channels);
    end_source_line(page);
}

static void print_other(struct page *page, unsigned index, unsigned input, unsigned skip, unsigned value)
{
    struct layer *layer = &layers[index];
    unsigned size = layer->size;
    unsigned channels = layer->in_channels;

    layer->place = place_of(value);
    if (layer->kind == ADD)
        print(
            page,
            "    %%%u = tosa.add %%%u, %%%u : (tensor<1x%ux%ux%uxi8>, tensor<1x%ux%ux%uxi8>) -> tensor<1x%ux%ux%uxi8>",
            value, input, skip, size, size, channels, size, size, channels, size, size, channels);
    else if (layer->kind == POOL)
        print(page,
              "    %%%u = tosa.avg_pool2d %%%u {acc_type = i32, kernel = array<i64: %u, %u>, pad = array<i64: 0, 0, 0, "
              "0>, stride "
              "= array<i64: 1, 1>} : (tensor<1x%ux%ux%uxi8>) -> tensor<1x1x1x%uxi8>",
              value, input, size, size, size, size, channels, channels);
    else
        print(page, "    %%%u = torch.operator \"onnx.Softmax\"(%%%u) : (tensor<1x1x1x%uxi8>) -> tensor<1x1x1x%uxi8>",
              value, input, channels, channels);
    end_source_line(page);
}

static void print_source(struct page *page)
{
    unsigned results[MOST_LAYERS];
    unsigned value = 0;
    unsigned input = 0;

    print(page, "module @mobilenet {");
    end_source_line(page);
    print(page, "  func.func @main(%%0: tensor<1x224x224x3xi8>) -> tensor<1x1x1x1000xi8> {");
    end_source_line(page);
    for (unsigned i = 0; i < layer_count; i++) {
        value++;
        if (layers[i].kind == CONV || layers[i].kind == DEPTHWISE || layers[i].kind == DENSE)
            print_convolution(page, i, input, &value);
        else
            print_other(page, i, input, results[layers[i].skip_from], value);
        results[i] = value;
        input = value;
    }
    print(page, "    return %%%u : tensor<1x1x1x1000xi8>\n  }\n}\n", value);
}

int main(int count, char **words)
{
    struct page source = { 0 };
    struct page dump = { 0 };
    struct page timeline = { 0 };
    struct page runtime = { 0 };

    if (count != 2) {
        fprintf(stderr, "usage: generate FOLDER\n");
        return 2;
    }
    make_network();
    make_jobs();
    print_source(&source);
    print_dump(&dump);
    print_timeline(&timeline);
    print_run(&runtime);
    save(words[1], "mobilenet.mlir", &source);
    save(words[1], "mobilenet.executable-targets.mlir", &dump);
    save(words[1], "timeline.csv", &timeline);
    save(words[1], "runtime.csv", &runtime);
    free(source.data);
    free(dump.data);
    free(timeline.data);
    free(runtime.data);
    return 0;
}
