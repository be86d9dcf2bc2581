/* advise_class.c: what each piece of work is to the rules of advice: by the name of its kernel, its operator, and how it ran. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "gpu/advise_model.h"
#include "gpu/chain.h"
#include "gpu/chips.h"

static const double SHORTEST = 5000;     /* ns that a kernel takes in any case */
static const double TENSOR_REACH = 0.8;  /* of their peak that tensor units come to, beside what fp32 does of its own */
static const double LONG_ENOUGH = 10000; /* ns from which on more blocks make a kernel shorter */

static bool contains_any(struct text name, const char *const *pieces)
{
    for (; *pieces; pieces++)
        if (text_find_any_case(name, *pieces))
            return true;
    return false;
}

/* Kernels that multiply in fp32 say so in one of these ways, convolutions by the type that they are made for; the same names with one of the others use tensor
 * units. */
static bool is_fp32_product(struct text name)
{
    static const char *const plain[] = {
        "sgemm", "_ffma_", "simt_s", "f32f32_f32f32_f32", "implicit_convolve_s", "explicit_convolve_s", NULL
    };
    static const char *const convolutions[] = { "wgrad", "dgrad", "fprop", "convolve", NULL };
    /* Channels by themselves: there is nothing to multiply that tensor units could. */
    static const char *const apart[] = { "grouped", "depthwise", "conv2d_dw", NULL };
    static const char *const units[] = { "tensorop", "tensor16x8", "tf32",  "s1688",  "s16816", "884",
                                         "hgemm",    "bf16_s",     "f16_s", "h16816", NULL };

    return (contains_any(name, plain) || (contains_any(name, convolutions) && text_contains(name, "<float"))) &&
           !contains_any(name, units) && !contains_any(name, apart);
}

static bool is_product(struct text name)
{
    static const char *const products[] = { "gemm", "nvjet", "xmma",  "cutlass", "convolve", "flash",
                                            "fmha", "Cijk",  "wgrad", "dgrad",   NULL };

    return contains_any(name, products);
}

const char *gpu_product_type(struct text kernel)
{
    static const char *const halves[] = { "bf16",  "s16816",   "h16816", "hgemm", "f16f16", "nvjet_sm90_t",
                                          "_h_bz", "BFloat16", "flash",  "fmha",  NULL };
    static const char *const tf32[] = { "tf32", "s1688", "tensor16x8x8", NULL };

    if (!is_product(kernel))
        return NULL;
    return is_fp32_product(kernel)        ? "fp32"
           : contains_any(kernel, halves) ? "bf16"
           : contains_any(kernel, tf32)   ? "tf32"
                                          : NULL;
}

/* Whether an operator of this name is around it. */
static bool is_under(const struct pieces *pieces, const struct gpu_piece *op, const char *const *names)
{
    for (unsigned depth = 0; op && depth < 64; depth++) {
        for (const char *const *name = names; *name; name++)
            if (text_is(strings_get(pieces->strings, op->name), *name))
                return true;
        op = op->up != NO_ID ? piece_at(pieces, op->up) : NULL;
    }
    return false;
}

/* Copies into another type are work that was asked for; those for an order are not. */
static bool is_layout(const struct pieces *pieces, const struct gpu_piece *work, struct text name)
{
    static const char *const orders[] = { "nchwToNhwc",           "nhwcToNchw",
                                          "convertTensor_kernel", "tensorTransformGeneric",
                                          "batched_transpose",    NULL };
    static const char *const copies[] = { "direct_copy_kernel", "copy_device_to_device", "Memcpy DtoD", "transpose",
                                          NULL };
    static const char *const reorders[] = { "aten::contiguous",   "aten::clone",    "aten::reshape",
                                            "aten::_unsafe_view", "aten::to_dense", NULL };
    static const char *const casts[] = { "aten::to", "aten::_to_copy", "aten::type_as", NULL };
    const struct gpu_piece *op = piece_operator(pieces, work);

    if (contains_any(name, orders))
        return true;
    return contains_any(name, copies) && is_under(pieces, op, reorders) && !is_under(pieces, op, casts);
}

/* XLA names an instruction after what it does: "transpose.3", "loop_transpose_fusion_2", "wrapped_copy"; those that compute as well say that, too. */
static bool is_plain_move(struct text name)
{
    static const char *const fronts[] = { "loop_", "input_", "wrapped_", NULL };
    static const char *const moves[] = { "transpose", "copy", NULL };
    bool moved = false;

    for (const char *const *front = fronts; *front; front++)
        text_cut_start(&name, *front);
    for (const char *const *move = moves; *move && !moved; move++)
        moved = text_cut_start(&name, *move);
    text_cut_start(&name, "_fusion");
    if (!moved || (name.length && *name.data != '.' && *name.data != '_'))
        return false;
    for (size_t i = name.length ? 1 : 0; i < name.length; i++)
        if (name.data[i] < '0' || name.data[i] > '9')
            return false;
    return true;
}

/* Operators of graphs whose only work is another order. */
static bool is_move(const struct gpu_model *model, const struct op *op)
{
    static const char *const types[] = { "Transpose", "ReorderInput", "ReorderOutput", "NhwcTranspose", NULL };
    const struct strings *strings = model->pieces->strings;

    for (const char *const *type = types; op && *type; type++)
        if (op->type && text_is(strings_get(strings, op->type), *type))
            return true;
    return op && model->framework->reader == &xla_trace_reader && is_plain_move(strings_get(strings, op->name));
}

bool gpu_is_fallback(const struct gpu_model *model, const struct gpu_piece *piece)
{
    const struct op *op = piece_op(model->pieces, piece);

    if (!model->mixed)
        return false;
    return piece->kind == GPU_NODE ||
           (op && op->type && text_begins(strings_get(model->pieces->strings, op->type), "Memcpy"));
}

/* A node that copies to the host waits for the device first: where its kernels are not told, most of its time is theirs. */
static bool fetches(const struct gpu_model *model, const struct gpu_piece *piece)
{
    const struct op *op = piece_op(model->pieces, piece);

    return op && op->type && text_is(strings_get(model->pieces->strings, op->type), "MemcpyToHost");
}

/* Copies that stay on a device are its own work. */
static bool is_inside_device(struct text name)
{
    return text_contains(name, "DtoD") || text_contains(name, "D2D") || text_contains(name, "DeviceToDevice");
}

/* The part of the device that a kernel can use; 1: all of it, or not known. Half of the processors can keep the memory busy, but not the arithmetic. */
static double filled(const struct gpu_form *form, bool product)
{
    double warps = form->per_processor * form->threads / 32;

    if (isnan(form->per_processor))
        return 1;
    if (form->per_processor <= 0.5)
        return fmax(fmin(1, form->per_processor * (product ? 1 : 2)), 0.001);
    return !product && warps < 2 ? warps / 4 : 1;
}

static float spare(double ns, double needs)
{
    double left = fmax(needs, fmin(ns, SHORTEST));

    return ns > 0 ? (float)fmax(0, (ns - left) / ns) : 0;
}

static void classify(const struct gpu_model *model, const struct gpu_piece *work, struct gpu_cost *cost)
{
    struct text name = strings_get(model->pieces->strings, work->name);
    double ns = (double)(work->end - work->start), part;

    cost->class = WORK_PLAIN;
    cost->spared = 0;
    if (gpu_is_fallback(model, work)) {
        cost->class = model->nodes && fetches(model, work) ? WORK_PLAIN : WORK_FALLBACK;
        cost->spared = cost->class == WORK_FALLBACK;
    } else if (work->kind == GPU_COLLECTIVE || (work->kind == GPU_COPY && !is_inside_device(name))) {
        cost->class = work->kind == GPU_COLLECTIVE ? WORK_COLLECTIVE : WORK_COPY;
        cost->spared = ns > 0 ? (float)((double)cost->alone / ns) : 0;
    } else if (is_layout(model->pieces, work, name) || is_move(model, piece_op(model->pieces, work))) {
        cost->class = WORK_LAYOUT;
        cost->spared = 1;
    } else if (work->kind == GPU_KERNEL && model->gain > 1 && is_fp32_product(name)) {
        cost->class = WORK_FP32;
        cost->spared = spare(ns, ns / fmax(1, model->gain * TENSOR_REACH));
    } else if (work->kind == GPU_KERNEL && ns >= LONG_ENOUGH &&
               (part = filled(piece_form(model->pieces, work), is_product(name))) < 1) {
        cost->class = WORK_UNFILLED;
        cost->spared = spare(ns, ns * part);
    } else if (work->kind <= GPU_SET && work->kind != GPU_COPY && ns < GPU_SMALL_NS) {
        cost->class = WORK_SMALL;
        cost->spared = 0.8F;
    }
}

/* A small kernel alone is nothing to speak of; many behind each other, with nothing longer between them, are. */
static void find_rows(struct gpu_model *model)
{
    const struct pieces *pieces = model->pieces;
    size_t first = 0;

    for (size_t i = 0; i <= pieces->work_count; i++) {
        if (i < pieces->work_count && model->costs[i].class == WORK_SMALL)
            continue;
        for (size_t at = first; i - first < GPU_SMALL_ROW && at < i; at++)
            model->costs[at] = (struct gpu_cost){ .alone = model->costs[at].alone };
        first = i + 1;
    }
}

/* Fused attention takes nothing else, whatever the rest of a model is. */
bool gpu_uses_half(const struct gpu_model *model)
{
    static const char *const attention[] = { "flash", "fmha", "sdpa", NULL };

    for (size_t i = 0; i < model->pieces->work_count; i++) {
        struct text name = strings_get(model->pieces->strings, piece_of_work(model->pieces, i)->name);
        const char *type = gpu_product_type(name);

        if (type && strcmp(type, "bf16") == 0 && !contains_any(name, attention))
            return true;
    }
    return false;
}

/* The generation that a kernel is made for, as names of libraries have it: "sm80_xmma_gemm", "cutlass_80_simt"; 0: it does not say. */
static uint32_t generation_in(struct text name)
{
    static const char *const fronts[] = { "sm", "cutlass_", NULL };

    for (const char *const *front = fronts; *front; front++) {
        const char *at = memmem(name.data, name.length, *front, strlen(*front));
        struct text digits = at ? text_between(at + strlen(*front), name.data + name.length) : text_of("");
        uint32_t number = 0, count = 0;

        if (!at || (at > name.data && isalpha((unsigned char)at[-1])))
            continue;
        if (digits.length && digits.data[0] == '_')
            digits = text_between(digits.data + 1, digits.data + digits.length);
        while (count < digits.length && count < 4 && isdigit((unsigned char)digits.data[count]))
            number = 10 * number + (uint32_t)(digits.data[count++] - '0');
        if (count == 2 || count == 3)
            return number / 10;
    }
    return 0;
}

uint32_t gpu_generation(const struct gpu_model *model)
{
    uint32_t newest = model->profile->head->major;

    for (size_t i = 0; !model->profile->head->major && i < model->pieces->work_count; i++) {
        uint32_t made_for = generation_in(strings_get(model->pieces->strings, piece_of_work(model->pieces, i)->name));

        newest = made_for > newest ? made_for : newest;
    }
    return newest;
}

void gpu_model_classes(struct gpu_model *model)
{
    for (size_t i = 0; i < model->pieces->work_count; i++)
        classify(model, piece_of_work(model->pieces, i), &model->costs[i]);
    find_rows(model);
    for (size_t i = 0; i < model->pieces->work_count; i++) {
        const struct gpu_piece *work = piece_of_work(model->pieces, i);

        model->work[model->costs[i].class] += (double)(work->end - work->start);
        model->counts[model->costs[i].class]++;
    }
}
