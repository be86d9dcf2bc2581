/* test_json.c: JSON: the scanner's tokens, escapes, errors with their place, the tree, and texts that are broken in every way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"

static struct text text_of(const char *text)
{
    return (struct text){ text, strlen(text) };
}

/* The text in a block of its exact size, so that the address sanitizer sees a read past its end. */
static char *exact_copy(struct text text)
{
    char *copy = malloc(text.length ? text.length : 1);

    assert_non_null(copy);
    memcpy(copy, text.data, text.length);
    return copy;
}

static status skip_whole(struct text text)
{
    char *copy = exact_copy(text);
    struct json_scan scan = json_scan("a.json", (struct text){ copy, text.length });
    status done = json_skip(&scan, NULL);

    if (done == STATUS_OK)
        done = json_end(&scan);
    free(copy);
    return done;
}

static status parse_whole(struct text text)
{
    struct arena arena = ARENA_EMPTY;
    char *copy = exact_copy(text);
    const struct json *root;
    status done = json_parse(&arena, "a.json", (struct text){ copy, text.length }, &root);

    arena_free(&arena);
    free(copy);
    return done;
}

static void valid_texts_are_taken(void **state)
{
    static const char *const texts[] = {
        "{}",
        "[]",
        " [ ] ",
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-1.5e+10",
        "1E2",
        "\"\"",
        "\"\\\"\"",
        "\"\\\\\"",
        "[1,2,[3,{}]]",
        "{\"a\":1,\"b\":[true,null,\"x\"],\"c\":{\"d\":{}}}",
        "\xEF\xBB\xBF[1]",
        "\t\r\n[\n1 , 2\t]\n",
        "[NaN, Infinity, -Infinity]",
        "\"\\u00e9\\ud83d\\ude00\"",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (skip_whole(text_of(texts[i])) != STATUS_OK || parse_whole(text_of(texts[i])) != STATUS_OK)
            fail_msg("%s: %s", texts[i], status_message());
    }
}

static void invalid_texts_are_refused(void **state)
{
    static const char *const texts[] = {
        "",      " ",       "{",         "[",          "]",     "}",         "[1",     "[1,",     "[1,]",
        "[,1]",  "{\"a\"}", "{\"a\":}",  "{\"a\":1,}", "{a:1}", "'a'",       "\"",     "\"\\\"",  "\"\\\\\\\"",
        "tru",   "truer",   "nul",       "01",         "-",     "1.",        ".5",     "1e",      "1e+",
        "+1",    "[1 2]",   "{\"a\" 1}", "[}",         "{]",    "1 2",       "Na",     "Infinit", "-Inf",
        "{1:2}", "[1}",     "{\"a\":1]", "\x01",       "--1",   "[\"a\":1]", "false0",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (skip_whole(text_of(texts[i])) != STATUS_INPUT)
            fail_msg("the scanner took %s", texts[i]);
        if (parse_whole(text_of(texts[i])) != STATUS_INPUT)
            fail_msg("the tree took %s", texts[i]);
    }
}

static void a_text_cut_anywhere_is_refused(void **state)
{
    static const char whole[] = "{\"a\": [1.5e3, true, null, \"x\\u0041\\\\\"], \"b\\n\": {\"c\": [[], {}]}}";

    (void)state;
    assert_int_equal(skip_whole(text_of(whole)), STATUS_OK);
    for (size_t length = 0; length + 1 < sizeof whole; length++) {
        assert_int_equal(skip_whole((struct text){ whole, length }), STATUS_INPUT);
        assert_int_equal(parse_whole((struct text){ whole, length }), STATUS_INPUT);
    }
}

static void errors_say_where(void **state)
{
    (void)state;
    assert_int_equal(parse_whole(text_of("{\n  \"a\": 1,\n  \"b\": x\n}")), STATUS_INPUT);
    assert_string_equal(status_message(), "a.json:3:8: a JSON value should be here (byte 19)");
    assert_int_equal(skip_whole(text_of("[1] 2")), STATUS_INPUT);
    assert_string_equal(status_message(), "a.json:1:5: there is more text after the JSON value (byte 4)");
    {
        struct json_scan nothing = json_scan("a.json", (struct text){ NULL, 0 });

        assert_int_equal(json_skip(&nothing, NULL), STATUS_INPUT);
        assert_non_null(strstr(status_message(), "a.json:1:1: the JSON text ends"));
    }
}

static void depth_has_a_limit(void **state)
{
    char text[2 * JSON_DEEPEST + 3];

    (void)state;
    memset(text, '[', JSON_DEEPEST);
    memset(text + JSON_DEEPEST, ']', JSON_DEEPEST);
    assert_int_equal(skip_whole((struct text){ text, 2 * JSON_DEEPEST }), STATUS_OK);
    assert_int_equal(parse_whole((struct text){ text, 2 * JSON_DEEPEST }), STATUS_OK);
    memset(text, '[', JSON_DEEPEST + 1);
    memset(text + JSON_DEEPEST + 1, ']', JSON_DEEPEST + 1);
    assert_int_equal(skip_whole((struct text){ text, 2 * JSON_DEEPEST + 2 }), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "nested too deeply"));
    assert_int_equal(parse_whole((struct text){ text, 2 * JSON_DEEPEST + 2 }), STATUS_INPUT);
}

static void tokens_come_in_order(void **state)
{
    struct text text = text_of("{\"a\\\"b\": [1, \"x\"], \"skip\": {\"deep\": [[]]}, \"n\": -2.5}");
    struct json_scan scan = json_scan("a.json", text);
    enum json_type type;
    struct text key, raw;
    bool found, escaped;

    (void)state;
    assert_int_equal(json_peek(&scan, &type), STATUS_OK);
    assert_int_equal(type, JSON_OBJECT);
    assert_int_equal(json_enter(&scan, JSON_OBJECT), STATUS_OK);
    assert_int_equal(json_next_key(&scan, true, &key, &found), STATUS_OK);
    assert_true(found);
    assert_int_equal(key.length, 4);
    assert_memory_equal(key.data, "a\\\"b", 4);
    assert_int_equal(json_enter(&scan, JSON_ARRAY), STATUS_OK);
    assert_int_equal(json_next_element(&scan, true, &found), STATUS_OK);
    assert_int_equal(json_number(&scan, &raw), STATUS_OK);
    assert_memory_equal(raw.data, "1", 1);
    assert_int_equal(json_next_element(&scan, false, &found), STATUS_OK);
    assert_true(found);
    assert_int_equal(json_string(&scan, &raw, &escaped), STATUS_OK);
    assert_false(escaped);
    assert_int_equal(raw.length, 1);
    assert_int_equal(json_next_element(&scan, false, &found), STATUS_OK);
    assert_false(found);
    assert_int_equal(json_next_key(&scan, false, &key, &found), STATUS_OK);
    assert_int_equal(json_skip(&scan, &raw), STATUS_OK);
    assert_int_equal(raw.length, strlen("{\"deep\": [[]]}"));
    assert_int_equal(json_next_key(&scan, false, &key, &found), STATUS_OK);
    assert_int_equal(json_number(&scan, &raw), STATUS_OK);
    assert_int_equal(raw.length, 4);
    assert_int_equal(json_next_key(&scan, false, &key, &found), STATUS_OK);
    assert_false(found);
    assert_int_equal(scan.depth, 0);
    assert_int_equal(json_end(&scan), STATUS_OK);
}

static void a_token_of_another_kind_is_an_error(void **state)
{
    struct json_scan scan = json_scan("a.json", text_of("[\"x\"]"));
    struct text raw;

    (void)state;
    assert_int_equal(json_enter(&scan, JSON_OBJECT), STATUS_INPUT);
    assert_int_equal(json_string(&scan, &raw, NULL), STATUS_INPUT);
    assert_int_equal(json_number(&scan, &raw), STATUS_INPUT);
}

static void expect_unescaped(const char *raw, const char *expected, size_t length)
{
    struct text text = text_of(raw);
    char *apart = malloc(text.length ? text.length : 1), *in_place = exact_copy(text);

    assert_non_null(apart);
    assert_int_equal(json_unescape(text, apart), length);
    assert_memory_equal(apart, expected, length);
    assert_int_equal(json_unescape((struct text){ in_place, text.length }, in_place), length);
    assert_memory_equal(in_place, expected, length);
    free(apart);
    free(in_place);
}

static void escapes_become_text(void **state)
{
    (void)state;
    expect_unescaped("", "", 0);
    expect_unescaped("plain", "plain", 5);
    expect_unescaped("\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t", 8);
    expect_unescaped("\\u0041\\u00e9\\u20AC\\ud83d\\uDE00", "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 10);
    expect_unescaped("\\u0000", "\0", 1);
    expect_unescaped("\\ud83d", "\xEF\xBF\xBD", 3);
    expect_unescaped("\\ude00x", "\xEF\xBF\xBDx", 4);
    expect_unescaped("\\ud83d\\u0041",
                     "\xEF\xBF\xBD"
                     "A",
                     4);
    expect_unescaped("\\q\\", "\\q\\", 3);
    expect_unescaped("\\u12", "\\u12", 4);
    expect_unescaped("\\u12g4", "\\u12g4", 6);
    expect_unescaped("\\u00@1", "\\u00@1", 6);
    expect_unescaped("\\ud83d\\u12", "\xEF\xBF\xBD\\u12", 7);
}

static void long_strings_are_passed(void **state)
{
    enum { LENGTH = 3 * 1000 * 1000 };
    char *text = malloc(LENGTH + 2);
    struct json_scan scan;
    struct text raw;
    bool escaped;

    (void)state;
    assert_non_null(text);
    memset(text, 'A', LENGTH + 2);
    text[0] = text[LENGTH + 1] = '"';
    scan = json_scan("a.json", (struct text){ text, LENGTH + 2 });
    assert_int_equal(json_string(&scan, &raw, &escaped), STATUS_OK);
    assert_int_equal(raw.length, LENGTH);
    assert_false(escaped);
    /* Backslashes all through: an even number of them before the quote, then an odd one. */
    memset(text + 1, '\\', LENGTH);
    scan = json_scan("a.json", (struct text){ text, LENGTH + 2 });
    assert_int_equal(json_string(&scan, &raw, &escaped), STATUS_OK);
    assert_true(escaped);
    text[1] = 'A';
    scan = json_scan("a.json", (struct text){ text, LENGTH + 2 });
    assert_int_equal(json_string(&scan, &raw, &escaped), STATUS_INPUT);
    free(text);
}

static void the_tree_holds_everything(void **state)
{
    static const char text[] =
        "{\"name\": \"caf\\u00e9\", \"sizes\": [1, 2.0, 1e3, 2.5, 12345678901234567890, NaN], \"on\": true, "
        "\"off\": false, \"none\": null, \"in\": {\"deep\": {\"sha\": \"ab\"}}, \"twice\": 1, \"twice\": 2}";
    struct arena arena = ARENA_EMPTY;
    const struct json *root, *sizes;
    int64_t integer = 0;
    double decimal = 0;

    (void)state;
    assert_int_equal(json_parse(&arena, "a.json", text_of(text), &root), STATUS_OK);
    assert_int_equal(root->count, 8);
    assert_string_equal(json_text(json_get(root, "name"), "?"), "caf\xC3\xA9");
    assert_string_equal(json_text(json_get(root, "sizes"), "?"), "?");
    sizes = json_get(root, "sizes");
    assert_int_equal(sizes->count, 6);
    assert_true(json_integer(&sizes->items[0], &integer) && integer == 1);
    assert_true(json_integer(&sizes->items[1], &integer) && integer == 2);
    assert_true(json_integer(&sizes->items[2], &integer) && integer == 1000);
    assert_false(json_integer(&sizes->items[3], &integer));
    assert_true(json_decimal(&sizes->items[3], &decimal) && fabs(decimal - 2.5) < 1e-12);
    assert_false(json_integer(&sizes->items[4], &integer));
    assert_true(json_decimal(&sizes->items[4], &decimal));
    assert_false(json_decimal(&sizes->items[5], &decimal));
    assert_false(json_integer(json_get(root, "name"), &integer));
    assert_false(json_integer(NULL, &integer));
    assert_true(json_truth(json_get(root, "on"), false));
    assert_false(json_truth(json_get(root, "off"), true));
    assert_true(json_truth(json_get(root, "none"), true));
    assert_false(json_truth(NULL, false));
    assert_string_equal(json_text(json_find(root, "in", "deep", "sha", NULL), "?"), "ab");
    assert_null(json_find(root, "in", "gone", "sha", NULL));
    assert_null(json_find(root, "name", "deep", NULL));
    assert_null(json_get(NULL, "x"));
    assert_true(json_integer(json_get(root, "twice"), &integer) && integer == 2);
    arena_free(&arena);
}

static void every_failed_allocation_is_reported(void **state)
{
    struct text text = text_of("{\"a\": [1, 2, {\"b\": \"x\"}], \"c\": \"y\"}");

    (void)state;
    for (uint64_t nth = 1;; nth++) {
        status done;

        memory_fail_at(nth);
        done = parse_whole(text);
        memory_fail_at(0);
        if (done == STATUS_OK) {
            assert_true(nth > 1);
            return;
        }
        assert_int_equal(done, STATUS_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_texts_are_taken),
        cmocka_unit_test(invalid_texts_are_refused),
        cmocka_unit_test(a_text_cut_anywhere_is_refused),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(tokens_come_in_order),
        cmocka_unit_test(a_token_of_another_kind_is_an_error),
        cmocka_unit_test(escapes_become_text),
        cmocka_unit_test(long_strings_are_passed),
        cmocka_unit_test(the_tree_holds_everything),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
