/* test_gpu.c: profiles of GPUs: what stands before the events, chips, sizes of products, and what belongs to what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "gpu/advise_model.h"
#include "gpu/chain.h"
#include "gpu/chips.h"
#include "gpu/operators.h"

/* ---- The head of a file --------------------------------------------------------------------------------------------- */

static void read_head(const char *text, struct gpu_head *head)
{
    struct source source = { .path = "test" };

    assert_int_equal(input_open_memory("test", text, strlen(text), &source.input), STATUS_OK);
    assert_int_equal(gpu_head_read(&source), STATUS_OK);
    *head = *gpu_head(&source);
    gpu_head_release(&source);
    assert_int_equal(gpu_head(&source)->devices, 0);
    input_close(source.input);
}

static void test_head(void **state)
{
    struct gpu_head head;

    (void)state;
    read_head(
        "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"NVIDIA H200\", \"computeMajor\": 9, "
        "\"computeMinor\": 0, \"numSms\": 132, \"maxThreadsPerMultiprocessor\": 2048}, {\"id\": 1}], "
        "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 0, \"world_size\": 4}, \"traceEvents\": [",
        &head);
    assert_string_equal(head.device, "NVIDIA H200");
    assert_int_equal(head.devices, 2);
    assert_int_equal(head.processors, 132);
    assert_int_equal(head.major, 9);
    assert_true(head.distributed);
    assert_int_equal(head.rank, 0);
    assert_int_equal(head.ranks, 4);
    assert_string_equal(head.backend, "nccl");
}

static void test_heads_that_tell_nothing(void **state)
{
    static const char *const texts[] = {
        "",
        "[",
        "{",
        "{\"traceEvents\": [], \"deviceProperties\": [{\"name\": \"behind the events\"}]}",
        "{\"deviceProperties\": [{\"name\": \"cut",
        "{\"deviceProperties\": {\"name\": 3}, \"distributedInfo\": [1]}",
        "{\"distributedInfo\": {\"rank\": 7, \"world_size\": 4}}",
        "{\"distributedInfo\": {\"rank\": -1, \"world_size\": -4}}",
    };
    struct gpu_head head;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        read_head(texts[i], &head);
        assert_string_equal(head.device, "");
        assert_false(head.distributed);
    }
}

/* ---- Chips ---------------------------------------------------------------------------------------------------------- */

static void test_chips(void **state)
{
    const char *type = NULL;

    (void)state;
    assert_string_equal(gpu_chip_of("NVIDIA H200")->name, "H200");
    assert_string_equal(gpu_chip_of("NVIDIA A100-SXM4-80GB")->name, "A100-SXM4-80GB");
    assert_string_equal(gpu_chip_of("NVIDIA A100-SXM4-40GB MIG 1g.5gb")->name, "A100-SXM4-40GB");
    assert_string_equal(gpu_chip_of("NVIDIA A10")->name, "A10");
    assert_string_equal(gpu_chip_of("NVIDIA A10G")->name, "A10G");
    assert_string_equal(gpu_chip_of("NVIDIA H100 80GB HBM3")->name, "H100");
    assert_string_equal(gpu_chip_of("NVIDIA GeForce RTX 4090")->name, "RTX 4090");
    assert_string_equal(gpu_chip_of("Tesla V100-SXM2-16GB")->name, "V100");
    assert_string_equal(gpu_chip_of("AMD Instinct MI300X")->name, "MI300X");
    assert_null(gpu_chip_of(""));
    assert_null(gpu_chip_of("NVIDIA A1000"));
    assert_true(fabs(gpu_tensor_gain(gpu_chip_of("H200"), 9, false, &type) - (494.7 / 67)) < 1e-9);
    assert_string_equal(type, "tf32");
    assert_true(fabs(gpu_tensor_gain(gpu_chip_of("H200"), 9, true, &type) - (989.4 / 67)) < 1e-9);
    assert_string_equal(type, "bf16");
    /* Its tf32 is no faster than its fp32. */
    assert_true(fabs(gpu_tensor_gain(gpu_chip_of("RTX 4090"), 8, false, &type) - (2)) < 1e-9);
    assert_string_equal(type, "bf16");
    assert_true(fabs(gpu_tensor_gain(gpu_chip_of("T4"), 7, false, &type) - (65 / 8.1)) < 1e-9);
    assert_string_equal(type, "fp16");
    assert_true(isnan(gpu_tensor_gain(NULL, 6, false, &type)));
    assert_true(fabs(gpu_tensor_gain(NULL, 9, false, &type) - (2)) < 1e-9);
}

/* ---- Names ---------------------------------------------------------------------------------------------------------- */

static void test_types_of_products(void **state)
{
    static const struct {
        const char *kernel, *type;
    } kernels[] = {
        { "ampere_sgemm_128x64_tn", "fp32" },
        { "void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_tn_align1>(Params)", "fp32" },
        { "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3_warpsize2x2x1_ffma_aligna4", "fp32" },
        { "sm80_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize32x64x64_stage4_warpsize2x2x1_tensor16x8x8", "tf32" },
        { "void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_32x3_tn_align4>(Params)", "tf32" },
        { "nvjet_sm90_tst_192x192_64x4_2x1_v_bz_coopB_bias_TNN", "bf16" },
        { "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn", "bf16" },
        { "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)", NULL },
        { "Memcpy HtoD (Pageable -> Device)", NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const char *type = gpu_product_type(text_of(kernels[i].kernel));

        if (kernels[i].type)
            assert_string_equal(type, kernels[i].type);
        else
            assert_null(type);
    }
}

static void test_operations_of_products(void **state)
{
    static const struct {
        const char *name, *shapes;
        double flops; /* 0: not known */
    } products[] = {
        { "aten::mm", "[[32, 64], [64, 8]]", 2.0 * 32 * 64 * 8 },
        { "aten::addmm", "[[8], [32, 64], [64, 8], [], []]", 2.0 * 32 * 64 * 8 },
        { "aten::bmm", "[[4, 32, 64], [4, 64, 8]]", 2.0 * 4 * 32 * 64 * 8 },
        { "aten::linear", "[[2, 16, 64], [8, 64], [8]]", 2.0 * 2 * 16 * 64 * 8 },
        { "aten::mm", "[[32, 64]]", 0 },
        { "aten::mm", "[[], []]", 0 },
        { "aten::mm", "[[32, \"x\"], [64, 8]]", 0 },
        { "aten::mm", "", 0 },
        { "aten::mm", "[[1, 2, 3, 4, 5, 6, 7, 8, 9], [9, 1]]", 0 },
        { "aten::add", "[[32, 64], [64, 8]]", 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        double flops = gpu_product_flops(text_of(products[i].name), text_of(products[i].shapes));

        if (products[i].flops > 0)
            assert_true(fabs(flops - (products[i].flops)) < 1e-9);
        else
            assert_true(isnan(flops));
    }
}

/* ---- A whole profile ------------------------------------------------------------------------------------------------ */

static const char *data_path(const char *name)
{
    static char path[1024];
    const char *data = getenv("TACHO_TEST_DATA");

    snprintf(path, sizeof path, "%s/%s", data ? data : "tests/data", name);
    return path;
}

/* 370 kernels: 210 of operators, 175 of them in a module, of which those on the thread of the backward pass have it by a link. */
static void test_what_belongs_to_what(void **state)
{
    struct gpu_profile *profile = calloc(1, sizeof *profile);
    struct job job = { .warmup = "none" };
    size_t kernels = 0, of_operators = 0, in_modules = 0, backward = 0, of_graphs = 0, placed = 0;
    track_id main_thread = NO_ID;

    (void)state;
    assert_non_null(profile);
    assert_int_equal(gpu_profile_read(profile, &job, data_path("gpu/kineto_rich_train.json.gz")), STATUS_OK);
    for (uint32_t i = 0; i < profile->pieces.items.count; i++)
        if (piece_at(&profile->pieces, i)->kind == GPU_FUNCTION)
            main_thread = piece_at(&profile->pieces, i)->thread;
    for (size_t i = 0; i < profile->pieces.work_count; i++) {
        const struct gpu_piece *work = piece_of_work(&profile->pieces, i);
        const struct gpu_piece *launch = piece_launch(&profile->pieces, work);
        const struct op *op = piece_op(&profile->pieces, work);

        assert_non_null(launch);
        assert_non_null(op);
        assert_int_not_equal(work->run, NO_ID);
        if (work->kind != GPU_KERNEL)
            continue;
        kernels++;
        of_operators += piece_operator(&profile->pieces, work) != NULL;
        in_modules += op->module != 0;
        backward += op->module != 0 && launch->thread != main_thread;
        of_graphs += strcmp(piece_name(&profile->pieces, launch), "cudaGraphLaunch") == 0;
        placed += op->line != 0;
    }
    assert_int_equal(kernels, 370);
    assert_int_equal(of_operators, 210);
    assert_int_equal(in_modules, 175);
    assert_int_equal(backward, 105);
    assert_int_equal(of_graphs, 160);
    assert_int_equal(placed, 370);
    gpu_profile_free(profile);
    free(profile);
}

/* ---- Memory that runs out ------------------------------------------------------------------------------------------- */

static status ask(const char *path)
{
    struct gpu_profile *profile = calloc(1, sizeof *profile);
    struct gpu_operators operators = { 0 };
    struct gpu_model model = { 0 };
    struct advice advice;
    struct job job = { 0 };
    status code;

    assert_non_null(profile);
    code = gpu_profile_read(profile, &job, path);
    if (code == STATUS_OK)
        code = gpu_operators_fill(&operators, profile);
    advice_start(&advice, 1e9);
    if (code == STATUS_OK)
        code = gpu_model_fill(&model, profile, NULL, &advice);
    if (code == STATUS_OK) {
        advice_text(&advice, &advice.every, "input", path);
        gpu_say_framework(&advice, model.framework);
        advice_find(&advice, gpu_rules.rules, &model);
        gpu_dominates(&advice, &model);
        code = advice_settle(&advice);
    }
    advice_free(&advice);
    gpu_model_free(&model);
    gpu_operators_free(&operators);
    gpu_profile_free(profile);
    free(profile);
    return code;
}

static void test_memory_that_runs_out(void **state)
{
    char path[1024];
    uint64_t failed = 0;
    status code = STATUS_MEMORY;

    (void)state;
    snprintf(path, sizeof path, "%s", data_path("gpu/causes/copy_pageable.json.gz"));
    for (uint64_t nth = 1; code != STATUS_OK && nth < 100000; nth += 1 + nth / 16) {
        memory_fail_at(nth);
        code = ask(path);
        memory_fail_at(0);
        failed += code == STATUS_MEMORY;
    }
    assert_int_equal(code, STATUS_OK);
    assert_true(failed > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_heads_that_tell_nothing),
        cmocka_unit_test(test_chips),
        cmocka_unit_test(test_types_of_products),
        cmocka_unit_test(test_operations_of_products),
        cmocka_unit_test(test_what_belongs_to_what),
        cmocka_unit_test(test_memory_that_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
