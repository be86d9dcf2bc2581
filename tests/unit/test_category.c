/* test_category.c: what an operator does, by its name, and the rules of a user. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "executorch/category.h"

static const char *kind_of(const struct category_rules *rules, const char *name)
{
    return operator_kind_key(operator_kind_of(rules, (struct text){ name, strlen(name) }));
}

/* One field of a CSV line, quoted or not; moves `*cursor` behind its comma. */
static void take_field(char **cursor, char *to)
{
    bool quoted = **cursor == '"';

    *cursor += quoted;
    while (**cursor && **cursor != (quoted ? '"' : ','))
        *to++ = *(*cursor)++;
    *cursor += quoted;
    *cursor += **cursor == ',';
    *to = '\0';
}

static void reviewed_names(void **state)
{
    const char *data = getenv("TACHO_TEST_DATA");
    char path[4096], line[1024], name[1024], category[1024], kind[1024];
    unsigned count = 0;
    FILE *file;

    (void)state;
    snprintf(path, sizeof path, "%s/category/names.csv", data ? data : "tests/data");
    file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        char *cursor = line;

        line[strcspn(line, "\r\n")] = '\0';
        take_field(&cursor, name);
        take_field(&cursor, category);
        take_field(&cursor, kind);
        assert_string_equal(kind_of(NULL, name), kind);
        assert_string_equal(category_title(category_of(NULL, (struct text){ name, strlen(name) })), category);
        count++;
    }
    fclose(file);
    assert_int_equal(count, 116);
}

static void more_names(void **state)
{
    static const char *const expected[][2] = {
        { "native_call_atan2.out", "arithmetic" },
        { "Sine (NC) #1", "arithmetic" },
        { "native_call_gt.Scalar_out", "arithmetic" },
        { "native_call_cumsum.out", "other" },
        { "native_call_topk.values", "other" },
        { "native_call__to_dim_order_copy.out", "layout" },
        { "native_call_hardtanh.out", "activation" },
        { "native_call_max.dim_max", "reduction" },
        { "native_call_max.unary_out", "reduction" },
        { "native_call_scatter_add.out", "layout" },
        { "aten.t.default", "layout" },
        { "aten.upsample_linear1d.vec", "resize" },
        { "quantize_linear", "quantisation" },
        { "conv_transpose2d", "convolution" },
        { "aten::adaptive_avg_pool3d", "pooling" },
        { "Static Reshape (NC)", "reshape" },
        { "Mean (ND) Reduce2", "reduction" },
        { "apply_rotary_embedding", "arithmetic" },
        { "native_call_lstm.input", "recurrent" },
        { "addition", "other" }, /* words match whole */
        { "unconvincing", "other" },
        { "   ", "other" },
        { "(),#-_:/.", "other" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_string_equal(kind_of(NULL, expected[i][0]), expected[i][1]);
}

static void kinds_belong_to_categories(void **state)
{
    (void)state;
    assert_int_equal(operator_kind_category(OPERATOR_KIND_QUANTISATION), CATEGORY_DATA_MOVEMENT);
    assert_int_equal(operator_kind_category(OPERATOR_KIND_RESHAPE), CATEGORY_DATA_MOVEMENT);
    assert_int_equal(operator_kind_category(OPERATOR_KIND_POOLING), CATEGORY_OTHER);
    assert_string_equal(operator_kind_title(OPERATOR_KIND_MATRIX), "Matrix multiply");
    assert_string_equal(category_key(CATEGORY_DATA_MOVEMENT), "data_movement");
}

/* Longer than any name and with more words: only the beginning counts, and nothing is read beyond the end. */
static void long_names(void **state)
{
    char name[4096];

    (void)state;
    memset(name, 'x', sizeof name);
    assert_int_equal(operator_kind_of(NULL, (struct text){ name, sizeof name }), OPERATOR_KIND_OTHER);
    for (size_t i = 0; i < sizeof name; i += 2)
        name[i] = ' ';
    memcpy(name + 4, " conv ", 6);
    assert_int_equal(operator_kind_of(NULL, (struct text){ name, sizeof name }), OPERATOR_KIND_CONVOLUTION);
    memset(name, ' ', sizeof name);
    memcpy(name + sizeof name - 4, "conv", 4);
    assert_int_equal(operator_kind_of(NULL, (struct text){ name, sizeof name }), OPERATOR_KIND_OTHER);
}

/* ---- rules ----------------------------------------------------------------------------------------------------------- */

static status read_rules(const char *text, struct category_rules **rules)
{
    struct input *input;
    status code;

    assert_int_equal(input_open_memory("rules.txt", text, strlen(text), &input), STATUS_OK);
    code = category_rules_read(input, rules);
    input_close(input);
    return code;
}

static void rules_come_first(void **state)
{
    struct category_rules *rules;

    (void)state;
    assert_int_equal(read_rules("# ours\n"
                                "\n"
                                "Clamp = activation   # XNNPACK runs ReLU as a clamp\r\n"
                                "my * kernel = matrix\n"
                                "  conv2d = pooling\n"
                                "aten::add = other\n"
                                "clamp = other",
                                &rules),
                     STATUS_OK);
    assert_string_equal(kind_of(rules, "Clamp (NC, F32) #1"), "activation"); /* the first rule wins */
    assert_string_equal(kind_of(rules, "my_kernel"), "matrix");
    assert_string_equal(kind_of(rules, "my_fancy_int8_kernel.out"), "matrix");
    assert_string_equal(kind_of(rules, "kernel_my"), "other");
    assert_string_equal(kind_of(rules, "conv2d"), "pooling");
    assert_string_equal(kind_of(rules, "conv3d"), "convolution"); /* a user's words are taken as they are */
    assert_string_equal(kind_of(rules, "aten.add.Tensor"), "other");
    assert_string_equal(kind_of(rules, "native_call_add.out"), "arithmetic");
    category_rules_free(rules);
}

static void stars(void **state)
{
    struct category_rules *rules;

    (void)state;
    assert_int_equal(read_rules("* a b * c * = resize\n", &rules), STATUS_OK);
    assert_string_equal(kind_of(rules, "a a b c"), "resize");
    assert_string_equal(kind_of(rules, "x a b y z c w"), "resize");
    assert_string_equal(kind_of(rules, "a x b c"), "other"); /* without a star words stand side by side */
    assert_string_equal(kind_of(rules, "c a b"), "other");
    assert_string_equal(kind_of(rules, ""), "other");
    category_rules_free(rules);
}

static void expect_bad_rule(const char *text, const char *message)
{
    struct category_rules *rules;

    assert_int_equal(read_rules(text, &rules), STATUS_INPUT);
    assert_null(rules);
    if (!strstr(status_message(), message))
        fail_msg("\"%s\" does not say \"%s\"", status_message(), message);
}

static void bad_rules(void **state)
{
    char *line = malloc(5 << 20);

    (void)state;
    expect_bad_rule("clamp\n", "rules.txt:1:1: a rule is written: WORDS = KIND");
    expect_bad_rule("# fine\nclamp = Elementwise\n", "rules.txt:2:8: \"Elementwise\" is no kind of operator");
    expect_bad_rule("clamp =\n", "rules.txt:1:8");
    expect_bad_rule("  = matrix\n", "no word before the =");
    expect_bad_rule("* = matrix\n", "no word before the =");
    expect_bad_rule("add* = matrix\n", "a * stands for whole words");
    memset(line, 'a', (5 << 20) - 1);
    line[(5 << 20) - 1] = '\0';
    expect_bad_rule(line, "rules.txt:1:1");
    memcpy(line + 600, " = matrix", sizeof " = matrix");
    expect_bad_rule(line, "longer than 512 bytes");
    free(line);
}

static void rules_without_memory(void **state)
{
    struct category_rules *rules;
    uint64_t failures = 0;
    status code;

    (void)state;
    for (;;) {
        struct input *input;

        assert_int_equal(input_open_memory("rules.txt", "a = matrix\nb = other\n", 21, &input), STATUS_OK);
        memory_fail_at(++failures);
        code = category_rules_read(input, &rules);
        memory_fail_at(0);
        input_close(input);
        if (code == STATUS_OK)
            break;
        assert_int_equal(code, STATUS_MEMORY);
        assert_null(rules);
    }
    assert_true(failures > 3);
    category_rules_free(rules);
    category_rules_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reviewed_names),
        cmocka_unit_test(more_names),
        cmocka_unit_test(kinds_belong_to_categories),
        cmocka_unit_test(long_names),
        cmocka_unit_test(rules_come_first),
        cmocka_unit_test(stars),
        cmocka_unit_test(bad_rules),
        cmocka_unit_test(rules_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
