/* test_told.c: names of tracks as labels and keys, and metrics that an input tells, added up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/utf8.h"
#include "trace/told.h"

#define MARK "OVERVIEW "

static void check(const char *name, const char *label, const char *key)
{
    char made[TOLD_LABEL], made_key[TOLD_LABEL];

    told_label(made, text_of(name), MARK);
    told_key(made_key, made);
    assert_string_equal(made, label);
    assert_string_equal(made_key, key);
}

static void names_become_labels(void **state)
{
    (void)state;
    check("07 OVERVIEW WARP DRIVE", "Warp Drive", "warp_drive");
    check("OVERVIEW warp_drive", "Warp Drive", "warp_drive");
    check("3 OVERVIEW  SLICE  2 ", "Slice 2", "slice_2");
    check("123 OVERVIEW DMA+CSS (2ND)", "Dma+Css (2nd)", "dma_css_2nd");
    check("16 THERMAL", "Thermal", "thermal");
    check("16 OVERVIEW", "Overview", "overview"); /* there is nothing behind it */
    check("16 OVERVIEW  ", "Overview", "overview");
    check("42", "42", "42");
    check("", "No Name", "no_name");
    check("  \n", "No Name", "no_name");
    check("7 OVERVIEW +", "+", "no_name");
    check("7 OVERVIEW W\xc3\x84RME", "W\xc3\x84rme", "w\xc3\x84rme"); /* case is that of ASCII */
}

static void without_a_mark(void **state)
{
    char made[TOLD_LABEL];

    (void)state;
    told_label(made, text_of("07 OVERVIEW WARP"), NULL);
    assert_string_equal(made, "Overview Warp");
    told_label(made, (struct text){ NULL, 0 }, MARK);
    assert_string_equal(made, "No Name");
}

static void what_a_terminal_must_not_get_is_left_out(void **state)
{
    (void)state;
    check("7 OVERVIEW A\033[2JB", "A [2jb", "a_2jb");
    check("7 OVERVIEW A\xc2\x9b"
          "B\xe2\x80\xae"
          "C\x7f",
          "A B C", "a_b_c");
    check("7 OVERVIEW \xff\xfeWARP\xc3", "Warp", "warp");
}

static void long_names_are_cut_between_characters(void **state)
{
    char name[4 * TOLD_LABEL], label[TOLD_LABEL], key[TOLD_LABEL];

    (void)state;
    for (unsigned shift = 0; shift < 8; shift++) {
        size_t length = 0;
        const char *cursor = label;
        bool valid = true;

        while (length < shift)
            name[length++] = 'x';
        while (length + 3 < sizeof name) {
            memcpy(name + length, shift % 2 ? "\xe2\x82\xac" : " \xc3\xa4", 3);
            length += 3;
        }
        told_label(label, (struct text){ name, length }, NULL);
        told_key(key, label);
        assert_in_range(strlen(label), TOLD_LABEL - 4, TOLD_LABEL - 1);
        assert_true(strlen(key) < TOLD_LABEL);
        while (cursor < label + strlen(label)) {
            utf8_read(&cursor, label + strlen(label), &valid);
            assert_true(valid);
        }
    }
}

static void names_without_their_number(void **state)
{
    (void)state;
    assert_true(text_is(told_name(text_of("15 OVERALL")), "OVERALL"));
    assert_true(text_is(told_name(text_of(" OVERVIEW DMA ")), "OVERVIEW DMA"));
    assert_true(text_is(told_name(text_of("15")), "15"));
    assert_int_equal(told_name(text_of("")).length, 0);
}

static status add(struct told *told, struct strings *strings, const char *name, int64_t ns)
{
    return told_add(told, strings, text_of(name), MARK, ns, 1);
}

static void the_same_words_are_one_metric(void **state)
{
    struct strings *strings = strings_new();
    struct told told = { .count = 0 };
    char name[48];

    (void)state;
    assert_int_equal(add(&told, strings, "07 OVERVIEW WARP DRIVE", 5), STATUS_OK);
    assert_int_equal(add(&told, strings, "08 OVERVIEW FLUX", 0), STATUS_OK);
    assert_int_equal(add(&told, strings, "09 OVERVIEW WARP_DRIVE", 6), STATUS_OK);
    assert_int_equal(told.count, 2);
    assert_string_equal(told.metrics[0].label, "Warp Drive");
    assert_int_equal(told.metrics[0].ns, 11);
    assert_int_equal(told.metrics[0].slices, 2);
    assert_int_equal(told.metrics[1].slices, 1);
    assert_int_equal(add(&told, strings, "OVERVIEW FLUX", INT64_MAX), STATUS_OK);
    assert_int_equal(add(&told, strings, "OVERVIEW FLUX", INT64_MAX), STATUS_OK);
    assert_true(told.metrics[1].ns == INT64_MAX);
    for (int i = 0; i < TOLD_MOST + 3; i++) {
        snprintf(name, sizeof name, "%d OVERVIEW THING %d", i, i);
        assert_int_equal(add(&told, strings, name, i), STATUS_OK);
    }
    assert_int_equal(told.count, TOLD_MOST);
    assert_int_equal(told.more, 5);
    assert_int_equal(add(&told, strings, "OVERVIEW WARP DRIVE", 1), STATUS_OK); /* those that have a place keep it */
    assert_int_equal(told.metrics[0].ns, 12);
    strings_free(strings);
}

static void without_memory(void **state)
{
    enum { MOST = 100 };
    uint64_t n = 1;
    status code = STATUS_MEMORY;

    (void)state;
    for (; n < MOST && code != STATUS_OK; n++) {
        struct strings *strings = strings_new();
        struct told told = { .count = 0 };

        assert_non_null(strings);
        memory_fail_at(n);
        for (int i = 0; i < TOLD_MOST; i++) {
            char name[32];

            snprintf(name, sizeof name, "OVERVIEW THING %d", i);
            code = add(&told, strings, name, 1);
            if (code != STATUS_OK)
                break;
        }
        memory_fail_at(0);
        status_clear();
        strings_free(strings);
    }
    assert_true(n > 2 && n < MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_become_labels),
        cmocka_unit_test(without_a_mark),
        cmocka_unit_test(what_a_terminal_must_not_get_is_left_out),
        cmocka_unit_test(long_names_are_cut_between_characters),
        cmocka_unit_test(names_without_their_number),
        cmocka_unit_test(the_same_words_are_one_metric),
        cmocka_unit_test(without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
