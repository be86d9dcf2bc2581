/* test_kernels.c: microkernels: parts of a name, what ran. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "et_reading.h"
#include "executorch/chain.h"

/* types|operation|variant|shape|architecture|rows x columns */
static void check_split(const char *name, const char *expected)
{
    struct strings *strings = model_strings();
    struct kernel kernel = { .count = 0 };
    char parts[512];

    assert_int_equal(kernel_split(strings, (struct text){ name, strlen(name) }, &kernel), STATUS_OK);
    snprintf(parts, sizeof parts, "%s|%s|%s|%s|%s|%ux%u", strings_text(strings, kernel.types),
             strings_text(strings, kernel.operation), strings_text(strings, kernel.variant),
             strings_text(strings, kernel.shape), strings_text(strings, kernel.architecture), kernel.rows,
             kernel.columns);
    assert_string_equal(parts, expected);
    assert_string_equal(strings_text(strings, kernel.name), name);
    strings_free(strings);
}

static void test_names(void **state)
{
    (void)state;
    check_split("xnn_qp8_f32_qc4w_gemm_minmax_ukernel_16x64c4__neonsme",
                "qp8_f32_qc4w|gemm|minmax|16x64c4|neonsme|16x64");
    check_split("xnn_pf16_f16_f16_igemm_minmax_fp16_ukernel_32x32c2__neonsme2",
                "pf16_f16_f16|igemm|minmax|32x32c2|neonsme2|32x32");
    check_split("xnn_f32_gemm_minmax_ukernel_1x8__aarch64_neonfma_ld64",
                "f32|gemm|minmax|1x8|aarch64_neonfma_ld64|1x8");
    check_split("xnn_f32_vclamp_ukernel__neon_u8", "f32|vclamp|||neon_u8|0x0");
    check_split("xnn_x32_pack_lh_ukernel__neonsme2", "x32|pack|lh||neonsme2|0x0");
    check_split("xnn_xx_transposev_ukernel__1x1_scalar_memcpy", "xx|transposev|||1x1_scalar_memcpy|0x0");
    check_split("xnn_f32_dwconv_minmax_ukernel_9p4c__neonfma", "f32|dwconv|minmax|9p4c|neonfma|0x0");
    check_split("xnn_f32_rdsum_ukernel_7p7x__avx512f_u64", "f32|rdsum||7p7x|avx512f_u64|0x0");
    check_split("xnn_pqs8_qs8_qc8w_igemm_minmax_fp32_ukernel_32x32c4__neonsme2",
                "pqs8_qs8_qc8w|igemm|minmax|32x32c4|neonsme2|32x32");
    check_split("xnn_f32_gemm_minmax_ukernel_1x4v__rvv", "f32|gemm|minmax|1x4v|rvv|0x0");
    check_split("xnn_bf16_f32_gemm_ukernel_99999999999999x4__amx", "bf16_f32|gemm||99999999999999x4|amx|1000000x4");
    check_split("xnn_f16_f32_vcvt_ukernel__neonfp16_u16", "f16_f32|vcvt|||neonfp16_u16|0x0");
    check_split("strange", "|strange||||0x0");
    check_split("xnn_f32_gemm_4x8", "f32|gemm||||0x0");
    check_split("_", "|||||0x0");
    check_split("", "|||||0x0");
}

static void check_title(const char *chain, const char *expected)
{
    assert_string_equal(architecture_title((struct text){ chain, strlen(chain) }), expected);
}

static void test_architectures(void **state)
{
    (void)state;
    check_title("neonsme2", "SME2");
    check_title("neonsme", "SME");
    check_title("aarch64_neonfma_ld64", "NEON");
    check_title("4x4_reuse_dec_zip_neon", "NEON");
    check_title("neoni8mm", "NEON");
    check_title("avx512f_broadcast", "AVX-512");
    check_title("avx512amx", "AMX");
    check_title("avx512vnni_prfm", "AVX-512");
    check_title("avx2_u16", "AVX2");
    check_title("16x16_reuse_switch_avx2", "AVX2");
    check_title("avx_u16", "AVX");
    check_title("asm_amd64_fma3_broadcast", "FMA3");
    check_title("f16c_u16", "F16C");
    check_title("sse_2x", "SSE");
    check_title("4x4_ssse3", "SSE");
    check_title("rvv_u8v", "RVV");
    check_title("wasmsimd_x86_splat", "WASM SIMD");
    check_title("wasm_fmagic", "WASM");
    check_title("hvx_u32", "HVX");
    check_title("scalar_fmagic", "Scalar");
    check_title("", "Other");
    check_title("quantum", "Other");
    assert_true(architecture_is_sme((struct text){ "neonsme2", 8 }));
    assert_true(architecture_is_sme2((struct text){ "neonsme2", 8 }));
    assert_false(architecture_is_sme2((struct text){ "neonsme", 7 }));
    assert_false(architecture_is_sme((struct text){ "neon", 4 }));
}

static void test_a_table_of_kernels(void **state)
{
    struct et_reading reading;

    (void)state;
    et_read_kernels(&reading, &xnn_kernels_reader, "xnn-kernels/registered_kernels.csv", NULL);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.log.kernels.count, 22);
    assert_int_equal(kernel_at(&reading.log, 0)->count, 2);
    assert_string_equal(et_text(&reading, kernel_at(&reading.log, 0)->category), "unary");
    assert_string_equal(et_text(&reading, kernel_at(&reading.log, 5)->types), "qp8_f32_qc4w");
    assert_string_equal(et_text(&reading, kernel_at(&reading.log, 5)->category), "gemm");
    assert_false(kernel_at(&reading.log, 5)->replaced);
    assert_false(reading.log.has_execution);
    et_free(&reading);
}

static void test_bad_tables(void **state)
{
    struct et_reading reading;

    (void)state;
    et_read_kernels(&reading, &xnn_kernels_reader, "k.csv", "count,kernel_name\n2,xnn_a\nx,xnn_b\n1,\n3,xnn_a\n");
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.log.kernels.count, 1);
    assert_int_equal(kernel_at(&reading.log, 0)->count, 5);
    assert_int_equal(reading.log.losses.rows, 4);
    assert_int_equal(reading.log.losses.used, 2);
    assert_int_equal(reading.log.losses.lost, 2);
    assert_int_equal(losses_find(&reading.log.losses, &loss_number)->lines[0], 3);
    et_free(&reading);
    et_read_kernels(&reading, &xnn_kernels_reader, "k.csv", "name\nxnn_a\n");
    assert_int_equal(reading.code, STATUS_INPUT);
    et_free(&reading);
    assert_int_equal(xnn_kernels_reader.probe((struct text){ "a,kernel_name\n", 14 }, "x"), 90);
    assert_int_equal(xnn_kernels_reader.probe((struct text){ "a,b\n", 4 }, "x"), 0);
    et_starve(&xnn_kernels_reader, "kernel_name,category\nxnn_f32_gemm_ukernel_1x8__neon,gemm\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_architectures),
        cmocka_unit_test(test_a_table_of_kernels),
        cmocka_unit_test(test_bad_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
