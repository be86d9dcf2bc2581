/* op_report.c: rows of operations, and what follows from their tensors. */
#include "tenstorrent/op_report.h"

#include <assert.h>
#include <math.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

__extension__ typedef __int128 wide;

/* A product of numbers over 0 as a double, rounded once where it fits 127 bits. */
static double product_of(const int64_t *factors, unsigned count)
{
    wide exact = 1;
    double rounded = 1;
    uint64_t few = 1;
    bool fits = true;

    for (unsigned i = 0; i < count && fits; i++)
        fits = !__builtin_mul_overflow(few, (uint64_t)factors[i], &few);
    if (fits)
        return (double)few;
    fits = true;
    for (unsigned i = 0; i < count; i++) {
        rounded *= (double)factors[i];
        fits = fits && !__builtin_mul_overflow(exact, (wide)factors[i], &exact);
    }
    return fits ? (double)exact : rounded;
}

void op_report_start(struct op_report *report, struct strings *strings)
{
    *report = (struct op_report){ .strings = strings };
    column_start(&report->rows, sizeof(struct op_row));
}

void op_report_free(struct op_report *report)
{
    column_free(&report->rows);
}

void op_report_columns(struct op_report *report, enum op_generation generation, const struct op_columns *columns)
{
    struct op_columns *all = &report->columns;

    assert(generation <= OP_GENERATION_2_1);
    if (report->headers++ == 0) {
        report->generation = generation;
        *all = *columns;
        return;
    }
    if (generation > report->generation)
        report->generation = generation;
    all->device = all->device && columns->device;
    all->host_start = all->host_start && columns->host_start;
    all->latency = all->latency && columns->latency;
    all->input_1_datatype = all->input_1_datatype || columns->input_1_datatype;
}

#define NO_TENSOR                  \
    {                              \
        .size = { -1, -1, -1, -1 } \
    }

#define NO_PARTS                                                                                    \
    {                                                                                               \
        .info = NO_ID, .times = NO_ID, .functions = NO_ID, .markers = NO_ID, .hit = -1, .fresh = -1 \
    }

static const struct op_row no_row = {
    .device = -1,
    .call = OP_NONE,
    .cores = OP_NONE,
    .worker_cores = OP_NONE,
    .host_start = OP_NONE,
    .host_end = OP_NONE,
    .host_duration = OP_NONE,
    .firmware_start = OP_NONE,
    .firmware_end = OP_NONE,
    .firmware_duration = OP_NONE,
    .kernel_duration = OP_NONE,
    .latency = OP_NONE,
    .core_longest = OP_NONE,
    .core_mean = OP_NONE,
    .last_start = OP_NONE,
    .waits = OP_NONE,
    .trace = OP_NONE,
    .replay = OP_NONE,
    .inputs = { NO_TENSOR, NO_TENSOR },
    .output = NO_TENSOR,
    .parts = NO_PARTS,
};

struct op_row *op_report_add(struct op_report *report)
{
    struct op_row *row = column_append(&report->rows);

    if (row)
        *row = no_row;
    return row;
}

void op_report_drop_parts(struct op_report *report, size_t first)
{
    assert(first <= report->rows.count);
    for (size_t i = first; i < report->rows.count; i++) {
        int8_t fresh = op_row_at(report, i)->parts.fresh;

        op_row_at(report, i)->parts = no_row.parts;
        op_row_at(report, i)->parts.fresh = fresh;
    }
}

void op_report_see(struct op_report *report, const struct op_row *row)
{
    assert(report->seen < report->rows.count && row == op_row_at(report, report->seen));
    report->seen++;
    if (row->device >= report->file_devices)
        report->file_devices = row->device + 1;
    report->columns.call_gaps |= row->call == OP_NONE;
    report->columns.core_gaps |= row->cores == OP_NONE;
}

status op_report_end(struct op_report *report, size_t first, const char *path)
{
    int32_t devices;

    assert(first <= report->rows.count);
    while (report->seen < report->rows.count)
        op_report_see(report, op_row_at(report, report->seen));
    devices = report->file_devices;
    report->file_devices = 0;
    if (report->files == 1)
        report->devices = devices;
    else if (devices != report->devices)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = path },
                              "its largest device id is %d, that of the first file %d: they are not of one run",
                              devices - 1, report->devices - 1);
    for (size_t i = first; i < report->rows.count && report->offset; i++) {
        struct op_row *row = op_row_at(report, i);

        if (row->device >= 0 && __builtin_add_overflow(row->device, report->offset, &row->device))
            return status_fail_at(STATUS_INPUT, (struct place){ .file = path },
                                  "there are more devices than 32 bits can number");
    }
    if (__builtin_add_overflow(report->offset, report->devices, &report->offset))
        return status_fail_at(STATUS_INPUT, (struct place){ .file = path },
                              "there are more devices than 32 bits can number");
    return STATUS_OK;
}

/* Bits of an element: the first number in the name of its type. */
double op_datatype_bytes(struct text name)
{
    double bits = 0;
    size_t i = 0;

    while (i < name.length && !char_is_digit(name.data[i]))
        i++;
    if (i == name.length)
        return 4;
    for (unsigned digits = 0; i < name.length && char_is_digit(name.data[i]) && digits < 9; i++, digits++)
        bits = bits * 10 + (name.data[i] - '0');
    return bits / 8;
}

double op_tensor_elements(const struct op_tensor *tensor)
{
    const int64_t sizes[] = { tensor->size[0], tensor->size[1], tensor->size[2], tensor->size[3] };

    for (unsigned i = 0; i < 4; i++) {
        if (sizes[i] < 0)
            return NAN;
    }
    return product_of(sizes, 4);
}

double op_tensor_bytes(const struct strings *strings, const struct op_tensor *tensor)
{
    return op_tensor_elements(tensor) * op_datatype_bytes(strings_get(strings, tensor->datatype));
}

bool op_tensor_in_dram(const struct strings *strings, const struct op_tensor *tensor)
{
    assert(tensor->memory < strings_count(strings));
    return text_contains(strings_get(strings, tensor->memory), "DRAM") ||
           text_contains(strings_get(strings, tensor->memory), "dram");
}

bool op_is_matmul(struct text code)
{
    return text_contains(code, "Matmul");
}

bool op_is_convolution(struct text code)
{
    return text_contains(code, "OptimizedConvNew") || text_contains(code, "Conv2d");
}

/* window_hw=(3;3) and window_hw: (3;3) alike. */
int64_t op_window(struct text attributes)
{
    const char *end = attributes.data + attributes.length;
    const char *next = text_after(attributes, "window_hw").data;
    int64_t height, width, window;

    while (next && next < end && (*next == '=' || *next == ':' || *next == ' ' || *next == '(' || *next == '\''))
        next++;
    if (!next || !number_read_integer(&next, end, &height))
        return 0;
    while (next < end && (*next == ';' || *next == ',' || *next == ' '))
        next++;
    if (!number_read_integer(&next, end, &width) || height <= 0 || width <= 0 ||
        __builtin_mul_overflow(height, width, &window))
        return 0;
    return window;
}

static int64_t larger(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

bool op_row_product_known(const struct op_row *row, bool matmul, int64_t window, struct op_product *product)
{
    const int32_t *first = row->inputs[0].size;
    const int32_t *second = row->inputs[1].size;

    if (row->kind != OP_DEVICE || first[OP_X] < 0 || second[OP_X] < 0)
        return false;
    *product = (struct op_product){ .inner = first[OP_X], .columns = second[OP_X], .batch = 1, .convolution = !matmul };
    if (matmul) {
        product->rows = first[OP_Y];
        return product->rows >= 0 && first[OP_W] >= 0 && first[OP_Z] >= 0 &&
               !__builtin_mul_overflow(larger(first[OP_W], second[OP_W]), larger(first[OP_Z], second[OP_Z]),
                                       &product->batch);
    }
    product->rows = row->output.size[OP_Y];
    return product->rows >= 0 && window > 0 && !__builtin_mul_overflow(product->inner, window, &product->inner);
}

bool op_row_product(const struct op_report *report, const struct op_row *row, struct op_product *product)
{
    struct text code = strings_get(report->strings, row->code);

    assert(row->code < strings_count(report->strings));
    if (op_is_matmul(code))
        return op_row_product_known(row, true, 0, product);
    return op_is_convolution(code) &&
           op_row_product_known(row, false, op_window(strings_get(report->strings, row->attributes)), product);
}

double op_product_flops(const struct op_product *product)
{
    int64_t factors[] = { product->rows, product->inner, product->columns, product->batch, 2 };

    assert(product->batch >= 0);
    return product_of(factors, sizeof factors / sizeof *factors);
}
