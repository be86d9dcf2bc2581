/* test_mlir_value.c: what attribute values and types say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "torq/mlir_alias.h"
#include "torq/mlir_value.h"

static struct text text_of(const char *text)
{
    return (struct text){ text, strlen(text) };
}

static void test_value_texts(void **state)
{
    int64_t number, list[3], cycles[BUS_COUNT];
    struct text found;

    (void)state;
    assert_true(value_integer(text_of("-7 : i64"), &number));
    assert_int_equal(number, -7);
    assert_false(value_integer(text_of("7x"), &number));
    assert_false(value_integer(text_of("99999999999999999999"), &number));
    assert_false(value_integer(text_of(""), &number));
    assert_true(value_name(text_of("@\"a b\""), &found));
    assert_int_equal(found.length, 3);
    assert_false(value_name(text_of("\"a"), &found));
    assert_false(value_name(text_of("7"), &found));
    assert_false(value_name(text_of("@"), &found));
    assert_int_equal(value_array(text_of("array<i32: 1, 2, 3, 4>"), list, 3), 4);
    assert_int_equal(list[2], 3);
    assert_int_equal(value_array(text_of("dense<[5, 6]> : vector<2xi32>"), list, 3), 2);
    assert_int_equal(value_array(text_of("array<i64>"), list, 3), 0);
    assert_int_equal(value_array(text_of("[1]"), list, 3), 0);
    assert_true(value_ndl_bytes(text_of("#torq_hw.dma_ndl<dims = [[2, 9], [3, 9], [4, 9]], more = [[7]]>"), &number));
    assert_int_equal(number, 24);
    assert_false(value_ndl_bytes(text_of("#torq_hw<dma_ndl{dims = []}>"), &number));
    assert_false(value_ndl_bytes(text_of("#torq_hw<dma_ndl{dims = [[x, 1]]}>"), &number));
    assert_false(value_ndl_bytes(text_of("{dims = [[9000000000000000000, 1], [9000000000000000000, 1]]}"), &number));
    assert_false(value_ndl_bytes(text_of("nothing"), &number));
    assert_int_equal(value_bus_cycles(text_of("dedr = 3, xdedr(9), acpr : 4"), cycles), 2);
    assert_int_equal(cycles[BUS_dedr], 3);
    assert_int_equal(cycles[BUS_acpr], 4);
    assert_int_equal(value_memory(text_of("i32")).bytes, 4);
    assert_int_equal(value_memory(text_of("2x3xi1")).bytes, 6);
    assert_int_equal(value_memory(text_of("2xindex")).bytes, 16);
    assert_int_equal(value_memory(text_of("2xf8E4M3FN")).bytes, 2);
    assert_int_equal(value_memory(text_of("2xui16")).bytes, 4);
    assert_int_equal(value_memory(text_of("2x!quant.x")).bytes, -1);
    assert_int_equal(value_memory(text_of("9000000000000000000x9xi8")).bytes, -1);
    assert_int_equal(value_memory(text_of("")).bytes, -1);
}

static void expect_resolved(struct aliases *aliases, struct strings *strings, const char *printed, const char *expected)
{
    string_id kept, id;

    assert_int_equal(aliases_keep(aliases, text_of(printed), &kept), STATUS_OK);
    assert_int_equal(aliases_resolve(aliases, 0, kept, strings, &id), STATUS_OK);
    assert_string_equal(strings_text(strings, id), expected);
}

static void test_aliases(void **state)
{
    struct strings *strings = model_strings();
    struct aliases aliases;
    char alias[16], meaning[64];
    string_id id, kept;

    (void)state;
    assert_non_null(strings);
    assert_int_equal(aliases_start(&aliases), STATUS_OK);
    assert_int_equal(aliases_define(&aliases, 0, text_of("loc1"), text_of("\"f\":1:2")), STATUS_OK);
    assert_int_equal(aliases_define(&aliases, 0, text_of("loc1"), text_of("\"other\":1:2")), STATUS_OK);
    assert_int_equal(aliases_define(&aliases, 0, text_of("loc12"), text_of("callsite(#loc1 at #loc1)")), STATUS_OK);
    assert_int_equal(aliases_define(&aliases, 0, text_of("round"), text_of("fused[#loc1, #round]")), STATUS_OK);
    expect_resolved(&aliases, strings, "#loc1", "loc(\"f\":1:2)");
    expect_resolved(&aliases, strings, "fused<#loc9>[#loc1, #loc12]",
                    "loc(fused<#loc9>[\"f\":1:2, callsite(\"f\":1:2 at \"f\":1:2)])");
    expect_resolved(&aliases, strings, "\"#loc1\\\"#loc1\":1:1", "loc(\"#loc1\\\"#loc1\":1:1)");
    expect_resolved(&aliases, strings, "fused[#round, #loc1]", "loc(fused[#round, \"f\":1:2])");
    expect_resolved(&aliases, strings, "unknown", "loc(unknown)");
    expect_resolved(&aliases, strings, "#", "loc(#)");
    assert_int_equal(aliases_keep(&aliases, text_of("#loc1"), &kept), STATUS_OK);
    assert_int_equal(aliases_resolve(&aliases, 1, kept, strings, &id), STATUS_OK);
    assert_string_equal(strings_text(strings, id), "loc(#loc1)"); /* another section */
    assert_int_equal(aliases_resolve(&aliases, 0, 0, strings, &id), STATUS_OK);
    assert_int_equal(id, 0);
    for (int i = 0; i < 60; i++) { /* every one doubles the one before */
        snprintf(alias, sizeof alias, "x%d", i);
        snprintf(meaning, sizeof meaning, i ? "fused[#x%d, #x%d]" : "\"file\":1:1", i - 1, i - 1);
        assert_int_equal(aliases_define(&aliases, 0, text_of(alias), text_of(meaning)), STATUS_OK);
    }
    assert_int_equal(aliases_keep(&aliases, text_of("#x59"), &kept), STATUS_OK);
    assert_int_equal(aliases_resolve(&aliases, 0, kept, strings, &id), STATUS_OK);
    assert_true(strings_get(strings, id).length < 2 * ALIAS_LONGEST);
    aliases_free(&aliases);
    strings_free(strings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_texts),
        cmocka_unit_test(test_aliases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
