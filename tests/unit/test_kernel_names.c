/* test_kernel_names.c: names of kernels in few letters: what is left out, and where they are cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/kernel_names.h"

static void check(const char *name, size_t most, const char *expected)
{
    char to[KERNEL_ROOM];

    assert_string_equal(kernel_shorten(text_of(name), most, to), expected);
}

static void check_parameters(const char *parameters, size_t most, const char *expected)
{
    char to[KERNEL_ROOM];

    assert_string_equal(kernel_shorten_parameters(text_of(parameters), most, to), expected);
}

static void names_that_fit_stay(void **state)
{
    (void)state;
    check("void fill<4, float>(int)", 40, "fill<4, float>(int)");
    check("Memcpy HtoD (Pinned -> Device)", 40, "Memcpy HtoD (Pinned -> Device)");
    check("", 8, "");
}

static void parameters_are_whole(void **state)
{
    (void)state;
    check("void at::fill<4, at::Add<float>, std::array<char*, 3ul> >(int, at::Add<float>)", 40,
          "at::fill<4, at::Add<float>, …>");
    check("void at::fill<at::Add<float, double, int, long> >(int)", 24, "at::fill<…>");
    check("void at::fill<4, float>(a_long_list_of_arguments, int)", 24, "at::fill<4, float>");
    check("fill(a_long_list_of_arguments, int)", 24, "fill");
}

static void names_are_cut_between_words(void **state)
{
    (void)state;
    check("sm80_xmma_gemm_f32f32_tilesize128x128_stage3", 24, "sm80_xmma_gemm_f32f32…");
    check("outer::inner::a_kernel_of_some_length<4>(int)", 24, "a_kernel_of_some_length");
    check("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 8, "aaaaaaa…");
    check("äöüäöüäöüäöü", 10, "äöüä…");
}

static void lists_end_with_their_bracket(void **state)
{
    (void)state;
    check_parameters("float>, std::array<char*, 2ul> >(int)", 40, "float");
    check_parameters("float, at::Add<float, float>, long_name_of_a_type>", 34, "float, at::Add<float, float>, …");
    check_parameters("cutlass_80_tensorop_s1688gemm_128x128_32x3>(x)", 24, "cutlass_80_tensorop…");
    check_parameters("a<b(c{d[", 8, "a<b(c{d[");
}

/* Whatever a name is, it is no longer than was asked for. */
static void any_name_has_its_room(void **state)
{
    static const char letters[] = "a_<(,: >)}{::x\xC3\xA4";
    char name[200];

    (void)state;
    for (unsigned seed = 1; seed < 3000; seed++) {
        unsigned next = seed * 2654435761u;
        size_t length = seed % sizeof name;

        for (size_t i = 0; i < length; i++) {
            next = next * 1664525u + 1013904223u;
            name[i] = letters[(next >> 16) % (sizeof letters - 1)];
        }
        for (size_t most = 8; most <= KERNEL_LETTERS; most += 9) {
            char to[KERNEL_ROOM];

            assert_true(strlen(kernel_shorten((struct text){ name, length }, most, to)) <= most + 2);
            assert_true(strlen(kernel_shorten_parameters((struct text){ name, length }, most, to)) <= most + 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_fit_stay),         cmocka_unit_test(parameters_are_whole),
        cmocka_unit_test(names_are_cut_between_words), cmocka_unit_test(lists_end_with_their_bracket),
        cmocka_unit_test(any_name_has_its_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
