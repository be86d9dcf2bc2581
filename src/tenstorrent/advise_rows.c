/* advise_rows.c: one row of a report: its label, its rates, and how near they come to the peaks. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "tenstorrent/advise.h"

/* ---- Program configs ---- */

/* The digits behind `key`, where some occurrence of it has digits; OP_NONE: none has. */
static int64_t number_behind(struct text text, const char *key)
{
    int64_t value;

    for (text = text_after(text, key); text.data; text = text_after(text, key)) {
        const char *digits = text.data;

        if (text.length && char_is_digit(*digits) && number_read_integer(&digits, digits + text.length, &value))
            return value;
    }
    return OP_NONE;
}

/* Many rows share their attributes: each text is looked at once. */
static struct advise_program *program_of(struct advise *advise, string_id attributes)
{
    struct advise_program *program = &advise->programs[attributes];
    struct text text = strings_get(advise->report->strings, attributes);

    if (program->known)
        return program;
    *program = (struct advise_program){
        .known = true, .block_width = OP_NONE, .subblock_height = OP_NONE, .subblock_width = OP_NONE
    };
    program->window = op_window(text);
    program->dram_sharded = text_contains(text, "MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig");
    if (text_contains(text, "program_config")) {
        program->block_width = number_behind(text, "in0_block_w=");
        program->subblock_height = number_behind(text, "out_subblock_h=");
        program->subblock_width = number_behind(text, "out_subblock_w=");
    }
    return program;
}

static bool is_plain(const char *data, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (data[i] < 0x20 || data[i] >= 0x7F)
            return false;
    }
    return true;
}

static uint16_t code_flags(const struct advise *advise, string_id id)
{
    uint16_t *flags = &advise->codes[id];
    struct text code = strings_get(advise->report->strings, id);

    if (*flags)
        return *flags;
    *flags = CODE_KNOWN;
    *flags |= is_plain(code.data, code.length) ? CODE_PLAIN : 0;
    *flags |= text_contains(code, "DRAM") ? CODE_DRAM : 0;
    *flags |= op_is_matmul(code) ? CODE_MATMUL | CODE_IN_TWO : 0;
    *flags |= op_is_convolution(code) ? CODE_CONVOLUTION : 0;
    *flags |= text_contains(code, "HaloDeviceOperation") ? CODE_HALO | CODE_IN_TWO : 0;
    *flags |= text_contains(code, "(torch)") ? CODE_TORCH : 0;
    *flags |= text_contains(code, "Conv2dDeviceOperation") ? CODE_IN_TWO : 0;
    *flags |= text_contains(code, "OptimizedConvNew") ? CODE_OLD_CONVOLUTION | CODE_IN_TWO : 0;
    return *flags;
}

/* ---- Labels ---- */

/* A label under construction. */
struct label {
    char *text;    /* in the arena */
    size_t length; /* so far */
};

/* Room for the name of the operation, five numbers, and `more` bytes. */
static bool start_label(struct advise *advise, const struct advise_op *op, size_t more, struct label *label)
{
    enum { NUMBERS = 5 * 24 };
    struct text code = strings_get(advise->report->strings, op->row->code);

    label->text = arena_allocate(&advise->arena, code.length + NUMBERS + more + 1, 1);
    label->length = code.length;
    if (label->text)
        memcpy(label->text, code.data, code.length);
    return label->text != NULL;
}

static void add_text(struct label *label, const char *text, size_t length)
{
    memcpy(label->text + label->length, text, length);
    label->length += length;
}

static void add_number(struct label *label, int64_t number)
{
    label->length += number_write_integer(label->text + label->length, number);
}

static void finish_label(struct advise_op *op, const struct label *label)
{
    label->text[label->length] = '\0';
    op->label = label->text;
    op->label_length = (uint32_t)label->length;
}

/* The name itself lives in the pool. */
static void label_by_code(const struct advise *advise, struct advise_op *op)
{
    struct text code = strings_get(advise->report->strings, op->row->code);

    op->label = code.data;
    op->label_length = (uint32_t)code.length;
}

/* The integer between the sign behind `key` and the next semicolon as text; "x": there is none. */
static void tiles_behind(struct text attributes, const char *key, char *to, size_t size)
{
    struct text rest = text_after(attributes, key), tiles;
    int64_t value;

    snprintf(to, size, "x");
    if (!rest.length)
        return;
    rest = text_between(rest.data + 1, rest.data + rest.length);
    tiles = text_take(&rest, ';');
    if (number_parse_integer(tiles.data, tiles.length, &value))
        snprintf(to, size, "%lld", (long long)value);
}

/* Whether a flag is on. One that is not there is not on; the original takes it for on. */
static bool flag_on(const struct advise *advise, struct text attributes, const char *key)
{
    struct text rest = text_after(attributes, key);

    return rest.data ? text_begins(rest, "true'") : advise->options.as_original;
}

/* "[ABH=38|38 ADB]" */
static void describe_convolution(const struct advise *advise, struct text attributes, char *to, size_t size)
{
    char height[24], block[24];

    tiles_behind(attributes, "per_core_out_matrix_height_ntile", height, sizeof height);
    tiles_behind(attributes, "act_block_h_ntiles", block, sizeof block);
    snprintf(to, size, "[ABH=%s|%s%s%s]", height, block,
             flag_on(advise, attributes, "enable_act_double_buffer': '") ? " ADB" : "",
             flag_on(advise, attributes, "enable_split_reader': '") ? " SR" : "");
}

/* The first `count` pieces behind `key` that semicolons part, with commas between them. */
static void pieces_behind(struct text attributes, const char *key, unsigned count, char *to, size_t size)
{
    const char *end = attributes.data + attributes.length;
    const char *next = text_after(attributes, key).data;
    size_t length = 0;

    snprintf(to, size, "x");
    for (; next && next < end && length + 1 < size; next++) {
        if (*next == ';' && --count == 0)
            break;
        to[length++] = *next == ';' ? ',' : *next;
        to[length] = '\0';
    }
}

/* "w=(3,3) s=(2,2) p=((1, 1), (1, 1)) d=(1,1) | HEIGHT_SHARDED" */
static void describe_halo(struct text attributes, char *to, size_t size)
{
    char window[64], stride[64], padding[96], dilation[64], layout[96];
    const char *name;

    pieces_behind(attributes, "window_hw=", 2, window, sizeof window);
    pieces_behind(attributes, "stride_hw=", 2, stride, sizeof stride);
    pieces_behind(attributes, "padding=", 4, padding, sizeof padding);
    pieces_behind(attributes, "dilation_hw=", 2, dilation, sizeof dilation);
    pieces_behind(attributes, "memory_layout=", 1, layout, sizeof layout);
    name = strstr(layout, "::");
    snprintf(to, size, "w=%s s=%s p=%s d=%s | %s", window, stride, padding, dilation, name ? name + 2 : "x");
}

/* The detail of an operation, made once for each text of attributes. */
static status detail_of(struct advise *advise, const struct advise_op *op, struct advise_program *program)
{
    struct text attributes = strings_get(advise->report->strings, op->row->attributes);
    char text[512];

    if (program->detail)
        return STATUS_OK;
    if (op->code & CODE_HALO)
        describe_halo(attributes, text, sizeof text);
    else
        describe_convolution(advise, attributes, text, sizeof text);
    program->detail_length = strlen(text);
    program->detail_plain = is_plain(text, program->detail_length);
    program->detail = arena_copy(&advise->arena, text, program->detail_length);
    return program->detail ? STATUS_OK : status_no_memory("naming operations");
}

static status label_product(struct advise *advise, struct advise_op *op, const struct op_product *product,
                            struct advise_program *program)
{
    struct label label;
    status code = product->convolution ? detail_of(advise, op, program) : STATUS_OK;

    if (code != STATUS_OK)
        return code;
    if (!start_label(advise, op, program->detail_length + 32, &label))
        return status_no_memory("naming operations");
    add_text(&label, " ", 1);
    if (product->batch > 1) {
        add_text(&label, "b={", 3);
        add_number(&label, product->batch);
        add_text(&label, "} x ", 4);
    }
    add_number(&label, product->rows);
    add_text(&label, " x ", 3);
    add_number(&label, product->inner);
    add_text(&label, " x ", 3);
    add_number(&label, product->columns);
    if (product->convolution) {
        add_text(&label, " ", 1);
        add_text(&label, program->detail, program->detail_length);
        op->plain = op->plain && program->detail_plain;
    }
    finish_label(op, &label);
    return STATUS_OK;
}

static status label_halo(struct advise *advise, struct advise_op *op, struct advise_program *program)
{
    struct label label;
    status code = detail_of(advise, op, program);

    if (code != STATUS_OK)
        return code;
    if (!start_label(advise, op, program->detail_length, &label))
        return status_no_memory("naming operations");
    add_text(&label, " ", 1);
    add_text(&label, program->detail, program->detail_length);
    op->plain = op->plain && program->detail_plain;
    finish_label(op, &label);
    return STATUS_OK;
}

static status label_signpost(struct advise *advise, struct advise_op *op)
{
    static const char suffix[] = " (signpost)";
    struct label label;

    if (!start_label(advise, op, sizeof suffix, &label))
        return status_no_memory("naming operations");
    add_text(&label, suffix, sizeof suffix - 1);
    finish_label(op, &label);
    return STATUS_OK;
}

/* ---- Types ---- */

static const char *short_type(const struct advise *advise, string_id type)
{
    static const char *const names[][2] = {
        { "FLOAT32", "FP32" },
        { "BFLOAT16", "BF16" },
        { "BFLOAT8_B", "BFP8" },
        { "BFLOAT4_B", "BFP4" },
    };
    const char *text = strings_text(advise->report->strings, type);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i][0]) == 0)
            return names[i][1];
    }
    return *text ? text : "nan";
}

static size_t put_type(const struct advise *advise, char *to, const char *before, string_id type)
{
    const char *name = short_type(advise, type);
    size_t length = strlen(before), name_length = strnlen(name, 60);

    memcpy(to, before, length);
    memcpy(to + length, name, name_length);
    return length + name_length;
}

/* "HiFi4 BF16 x BFP8 => BF16" of products, "BF16, BF16 => BF16" of others. */
static status set_fidelity(struct advise *advise, struct advise_op *op)
{
    const struct op_row *row = op->row;
    string_id first = row->inputs[0].datatype, second = row->inputs[1].datatype, output = row->output.datatype;
    bool product = op->code & (CODE_MATMUL | CODE_CONVOLUTION);
    uint64_t key[2] = { (uint64_t)first << 32 | second, (uint64_t)output << 32 | (product ? row->fidelity + 1 : 0) };
    struct advise_types *made = &advise->types[(key[0] * 31 + key[1]) * 0x9E3779B97F4A7C15u >> 58];
    char text[256];
    size_t length = 0;

    if (product && !row->fidelity)
        return STATUS_OK;
    op->fidelity = made->text;
    op->fidelity_length = (uint16_t)made->length;
    if (made->text && made->key[0] == key[0] && made->key[1] == key[1])
        return STATUS_OK;
    if (product) {
        length = put_type(advise, text, "", row->fidelity);
        length += put_type(advise, text + length, " ", first);
        length += put_type(advise, text + length, " x ", second);
        length += put_type(advise, text + length, " => ", output);
    } else {
        if (first)
            length = put_type(advise, text, "", first);
        if (second)
            length += put_type(advise, text + length, ", ", second);
        if (output)
            length += put_type(advise, text + length, length ? " => " : "=> ", output);
    }
    op->fidelity = arena_copy(&advise->arena, text, length);
    op->fidelity_length = (uint16_t)length;
    *made = (struct advise_types){ { key[0], key[1] }, op->fidelity, length };
    return op->fidelity ? STATUS_OK : status_no_memory("naming types");
}

/* ---- Rates ---- */

/* Bytes of the two inputs and the output that lie in DRAM. */
static double matmul_bytes(const struct advise *advise, const struct op_row *row)
{
    const struct op_tensor *tensors[] = { &row->inputs[0], &row->inputs[1], &row->output };
    double sum = 0;

    for (unsigned i = 0; i < 3; i++) {
        bool dram = code_flags(advise, tensors[i]->memory) & CODE_DRAM;
        double bytes = dram ? op_tensor_bytes(advise->report->strings, tensors[i]) : 0;

        if (!isnan(bytes))
            sum += bytes;
    }
    return sum;
}

/* A product runs on the cores that it was given; a convolution is measured against all of them. */
static void work_of(const struct advise *advise, const struct advise_op *op, const struct op_product *product,
                    struct roofline_work *work, struct roofline_peak *peak)
{
    const struct chip *architecture = &advise->architecture;
    enum fidelity fidelity = fidelity_named(strings_get(advise->report->strings, op->row->fidelity));
    double tflops = fidelity < FIDELITY_COUNT ? architecture->tflops[fidelity] : NAN;
    double cores = product->convolution ? (double)architecture->worker_cores : op->cores;

    work->flops = op_product_flops(product);
    work->bytes = product->convolution ? NAN : matmul_bytes(advise, op->row);
    work->seconds = op->kernel_ns * 1e-9;
    *peak = (struct roofline_peak){ architecture->dram, tflops * 1e12 * cores };
}

bool advise_work(const struct advise *advise, const struct advise_op *op, struct roofline_work *work,
                 struct roofline_peak *peak)
{
    struct op_product product;

    assert(op->row && op->program);
    if (!(op->code & (CODE_MATMUL | CODE_CONVOLUTION)) ||
        !op_row_product_known(op->row, op->code & CODE_MATMUL, op->program->window, &product))
        return false;
    work_of(advise, op, &product, work, peak);
    return true;
}

/* A DRAM-sharded product runs on one core per interface, where these are known. */
static double sharded_cores(const struct advise *advise, const struct advise_op *op)
{
    if (advise->options.as_original)
        return 12;
    return advise->architecture.dram_sharded_cores ? (double)advise->architecture.dram_sharded_cores : op->cores;
}

static status analyse_device_op(struct advise *advise, struct advise_op *op, struct advise_program *program)
{
    struct op_product product;
    struct roofline_work work;
    struct roofline_peak peak;
    struct roofline_point point;

    op->matmul = op->code & CODE_MATMUL;
    op->dram_sharded = op->matmul && program->dram_sharded;
    op->cores_raw = op->matmul && !op->dram_sharded;
    if (op->dram_sharded)
        op->cores = sharded_cores(advise, op);
    if (!(op->code & (CODE_MATMUL | CODE_CONVOLUTION)) ||
        !op_row_product_known(op->row, op->code & CODE_MATMUL, program->window, &product)) {
        if (op->code & CODE_HALO)
            return label_halo(advise, op, program);
        label_by_code(advise, op);
        return STATUS_OK;
    }
    work_of(advise, op, &product, &work, &peak);
    point = roofline_place(work, peak);
    op->dram = point.gigabytes;
    op->dram_percent = point.memory_percent;
    op->tflops = point.flops / 1e12;
    op->flops_percent = point.compute_percent;
    op->bound = product.convolution ? ROOFLINE_UNKNOWN : point.bound;
    return label_product(advise, op, &product, program);
}

status advise_row(struct advise *advise, struct advise_op *op)
{
    const struct op_row *row = op->row;
    struct advise_program *program = program_of(advise, row->attributes);
    status code = STATUS_OK;

    op->program = program;
    op->code = code_flags(advise, row->code);
    op->plain = op->code & CODE_PLAIN;
    op->signpost = row->kind == OP_SIGNPOST;
    op->host = !op->signpost && ((op->code & CODE_TORCH) || (row->kind == OP_HOST && !advise->options.as_original));
    op->cores = row->cores == OP_NONE ? NAN : (double)row->cores;
    op->dram = op->dram_percent = op->tflops = op->flops_percent = NAN;
    op->device_time = op->kernel_ns / 1000;
    if (isnan(op->kernel_ns) && advise->options.as_original)
        op->device_time = 0;
    if (op->signpost || op->host)
        op->device_time = NAN;
    if (op->signpost)
        code = label_signpost(advise, op);
    else if (op->host)
        label_by_code(advise, op);
    else
        code = analyse_device_op(advise, op, program);
    return code == STATUS_OK ? set_fidelity(advise, op) : code;
}

const char *advise_bound(const struct advise_op *op)
{
    return op->host ? "HOST" : roofline_bound_text(op->bound);
}
