/* test_text.c: texts are found, compared and cut as a reader would, also where there is nothing at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

static const struct text nothing = { NULL, 0 };

static void expect(struct text text, const char *expected)
{
    assert_int_equal(text.length, strlen(expected));
    assert_memory_equal(text.length ? text.data : "", expected, text.length);
}

static void characters(void **state)
{
    unsigned blanks = 0, digits = 0, letters = 0, changed = 0;

    (void)state;
    for (int i = 0; i < 256; i++) {
        char sign = (char)i;

        blanks += char_is_blank(sign);
        digits += char_is_digit(sign);
        letters += char_is_letter(sign);
        changed += char_lower(sign) != sign;
    }
    assert_int_equal(blanks, 4);
    assert_int_equal(digits, 10);
    assert_int_equal(letters, 52);
    assert_int_equal(changed, 26);
    assert_int_equal(char_lower('Q'), 'q');
    assert_int_equal(char_lower('['), '[');
}

static void comparing(void **state)
{
    struct text text = text_of("Conv2d.out");

    (void)state;
    assert_true(text_ends(text, ".out"));
    assert_true(text_ends(text, ""));
    assert_false(text_ends(text, "xConv2d.out"));
    assert_false(text_ends(text, ".OUT"));
    assert_true(text_is_any_case(text, "conv2D.OUT"));
    assert_false(text_is_any_case(text, "conv2D.OU"));
    assert_false(text_is_any_case(text, "conv2D.OU_"));
    assert_true(text_equal(text, text_of("Conv2d.out")));
    assert_false(text_equal(text, text_of("Conv2d.ou")));
    assert_false(text_equal(text, text_of("Conv2d.ouT")));
    assert_true(text_compare(text, text_of("Conv2d.out")) == 0);
    assert_true(text_compare(text, text_of("Conv2d")) > 0);
    assert_true(text_compare(text_of("Conv2d"), text) < 0);
    assert_true(text_compare(text_of("\xff"), text) > 0);
}

static void kinds(void **state)
{
    (void)state;
    assert_true(text_is_blank(nothing));
    assert_true(text_is_blank(text_of(" \t\r\n")));
    assert_false(text_is_blank(text_of(" . ")));
    assert_false(text_is_binary(nothing));
    assert_false(text_is_binary(text_of("a\tb\r\n \xc3\xa4")));
    assert_true(text_is_binary((struct text){ "a\0b", 3 }));
    assert_true(text_is_binary(text_of("a\x7f")));
    assert_true(text_is_binary(text_of("\x0b")));
    assert_false(text_is_binary(text_of("more than eight bytes,\tand more than sixteen \xe2\x80\xa6")));
    assert_true(text_is_binary(text_of("more than eight bytes,\x01")));
    assert_true(text_is_binary(text_of("1234567\x7f 1234567")));
    assert_true(text_is_binary(text_of("12345678\t\x1f 1234567")));
}

/* Every length, with a difference in every place. */
static void sameness(void **state)
{
    char one[80], other[80];

    (void)state;
    for (size_t i = 0; i < sizeof one; i++)
        one[i] = other[i] = (char)('a' + i % 26);
    for (size_t length = 0; length <= sizeof one; length++) {
        assert_true(text_same(one, other, length));
        for (size_t i = 0; i < sizeof one; i++) {
            other[i]++;
            assert_int_equal(text_same(one, other, length), i >= length);
            other[i]--;
        }
    }
}

static void finding(void **state)
{
    struct text text = text_of("a::b::C(1)");

    (void)state;
    assert_ptr_equal(text_find(text, "::"), text.data + 1);
    assert_ptr_equal(text_find(text, ""), text.data);
    assert_ptr_equal(text_find(text, "C(1)"), text.data + 6);
    assert_null(text_find(text, "C(1)."));
    assert_ptr_equal(text_find_any_case(text, "B::c"), text.data + 3);
    assert_null(text_find_any_case(text, "B::d"));
    assert_null(text_find_any_case(text_of("ab"), "abc"));
    assert_ptr_equal(text_first(text, ':'), text.data + 1);
    assert_ptr_equal(text_last(text, ':'), text.data + 5);
    assert_null(text_last(text, 'x'));
    assert_true(text_contains(text, "b::"));
    assert_false(text_contains(text, "c"));
    expect(text_after(text, "::"), "b::C(1)");
    expect(text_after(text, "(1)"), "");
    assert_non_null(text_after(text, "(1)").data);
    assert_null(text_after(text, "(2)").data);
    text.length = 3; /* what lies behind is not of the text */
    assert_null(text_find(text, "b"));
    assert_null(text_last(text, 'b'));
}

static void cutting(void **state)
{
    struct text text = text_of("xnn_f32_gemm.csv");

    (void)state;
    expect(text_trim(text_of(" \t a b\r\n")), "a b");
    expect(text_trim(text_of(" \r\n\t")), "");
    expect(text_trim(text_of("")), "");
    assert_true(text_cut_start(&text, "xnn_"));
    assert_false(text_cut_start(&text, "xnn_"));
    assert_true(text_cut_end(&text, ".csv"));
    assert_false(text_cut_end(&text, ".csv"));
    expect(text, "f32_gemm");
    assert_true(text_cut_end(&text, "f32_gemm"));
    expect(text, "");
}

static void taking(void **state)
{
    struct text rest = text_of("a,,b,");

    (void)state;
    expect(text_take(&rest, ','), "a");
    expect(text_take(&rest, ','), "");
    expect(text_take(&rest, ','), "b");
    assert_non_null(rest.data);
    expect(text_take(&rest, ','), "");
    assert_null(rest.data);
    expect(text_take(&rest, ','), "");
    assert_null(rest.data);
    rest = text_of("");
    assert_non_null(rest.data);
    expect(text_take(&rest, ','), "");
    assert_null(rest.data);
}

static void nothing_at_all(void **state)
{
    struct text text = nothing;

    (void)state;
    expect(text_of(NULL), "");
    expect(text_trim(nothing), "");
    assert_true(text_ends(nothing, ""));
    assert_false(text_ends(nothing, "a"));
    assert_true(text_equal(nothing, text_of("")));
    assert_true(text_is_any_case(nothing, ""));
    assert_int_equal(text_compare(nothing, nothing), 0);
    assert_true(text_compare(nothing, text_of("a")) < 0);
    assert_null(text_find(nothing, "a"));
    assert_null(text_find_any_case(nothing, "a"));
    assert_null(text_first(nothing, 'a'));
    assert_null(text_last(nothing, 'a'));
    assert_null(text_after(nothing, "a").data);
    assert_false(text_cut_end(&text, "a"));
    assert_false(text_cut_start(&text, "a"));
}

static void lines(void **state)
{
    struct text rest = text_of("\n  one \r\n\t\n two"), line = nothing;

    (void)state;
    assert_true(text_take_line(&rest, &line));
    expect(line, "one");
    assert_true(text_take_line(&rest, &line));
    expect(line, "two");
    assert_false(text_take_line(&rest, &line));
    rest = nothing;
    assert_false(text_take_line(&rest, &line));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),   cmocka_unit_test(characters), cmocka_unit_test(comparing),
        cmocka_unit_test(kinds),   cmocka_unit_test(sameness),   cmocka_unit_test(finding),
        cmocka_unit_test(cutting), cmocka_unit_test(taking),     cmocka_unit_test(nothing_at_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
