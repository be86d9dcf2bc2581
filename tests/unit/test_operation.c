/* test_operation.c: what kernels and nodes are, by their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "executorch/operation.h"

static struct text text(const char *string)
{
    return (struct text){ string, strlen(string) };
}

static void expect(struct text found, const char *wanted)
{
    assert_int_equal(found.length, strlen(wanted));
    assert_memory_equal(found.data, wanted, found.length);
}

static void test_kernels(void **state)
{
    (void)state;
    expect(operation_of_kernel(text("native_call_add.out")), "add");
    expect(operation_of_kernel(text("native_call_llama::sdpa_with_kv_cache.out")), "sdpa_with_kv_cache");
    expect(operation_of_kernel(text("aten::mul.out")), "mul");
    expect(operation_of_kernel(text("")), "");
    expect(operation_of_kernel(text("native_call_")), "");
}

static void test_namespaces_of_others(void **state)
{
    (void)state;
    expect(operation_of_custom_kernel(text("native_call_llama::sdpa_with_kv_cache.out")), "llama::sdpa_with_kv_cache");
    expect(operation_of_custom_kernel(text("native_call_quantized_decomposed::quantize_per_tensor.out")), "");
    expect(operation_of_custom_kernel(text("native_call_add.out")), "");
    expect(operation_of_custom_kernel(text("")), "");
    expect(operation_of_custom_node(text("llama.update_cache.default")), "llama.update_cache");
    expect(operation_of_custom_node(text("aten.add.Tensor")), "");
    expect(operation_of_custom_node(text("dim_order_ops._to_dim_order_copy.default")), "");
    expect(operation_of_custom_node(text("add")), "");
    expect(operation_of_custom_node(text("")), "");
}

static void test_rules_of_the_partitioner(void **state)
{
    static const char *const own[] = { "gelu", "quantize_per_tensor", "dequantize_per_tensor",
                                       "max_pool2d_with_indices" };
    static const char *const with_product[] = { "quantize_per_channel", "dequantize_per_token", "dequantize_affine",
                                                "choose_qparams_per_token_asymmetric" };
    static const char *const none[] = { "cumsum", "where", "", "quant" };

    (void)state;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        assert_true(operation_is_partitioned(text(own[i])));
        assert_false(operation_is_partitioned_with_product(text(own[i])));
        assert_false(operation_is_partitioned(text(with_product[i])));
        assert_true(operation_is_partitioned_with_product(text(with_product[i])));
        assert_false(operation_is_partitioned(text(none[i])) || operation_is_partitioned_with_product(text(none[i])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_namespaces_of_others),
        cmocka_unit_test(test_rules_of_the_partitioner),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
