/* test_json_write.c: what is written is JSON that reads back as what went in, laid out to the byte as it should be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "base/utf8.h"

static uint64_t random_state = 5;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

static struct output *open_memory(void)
{
    struct output *output;

    assert_int_equal(output_open_memory(&output), STATUS_OK);
    return output;
}

static void expect_written(struct output *output, const char *expected)
{
    size_t length;
    const char *written = output_memory(output, &length);

    assert_non_null(written);
    assert_string_equal(written, expected);
    assert_int_equal(length, strlen(expected));
    output_abandon(output);
}

static void layouts(void **state)
{
    struct output *output = open_memory();
    struct json_out out;

    (void)state;
    json_out_start(&out, output);
    json_out_object(&out, NULL, JSON_LINES);
    json_out_text(&out, "name", "net");
    json_out_text(&out, "none", NULL);
    json_out_object(&out, "empty", JSON_LINES);
    json_out_end(&out);
    json_out_array(&out, "runs", JSON_LINES);
    json_out_object(&out, NULL, JSON_ONE_LINE);
    json_out_decimal(&out, "ms", 1.5);
    json_out_array(&out, "list", JSON_LINES); /* stays on its line */
    json_out_integer(&out, NULL, -1);
    json_out_unsigned(&out, NULL, UINT64_MAX);
    json_out_end(&out);
    json_out_end(&out);
    json_out_array(&out, NULL, JSON_TIGHT);
    json_out_truth(&out, NULL, true);
    json_out_object(&out, NULL, JSON_LINES);
    json_out_truth(&out, "a", false);
    json_out_null(&out, "b");
    json_out_end(&out);
    json_out_end(&out);
    json_out_array(&out, NULL, JSON_LINES);
    json_out_end(&out);
    json_out_end(&out);
    output_write(json_out_value(&out, "own"), "17", 2);
    json_out_end(&out);
    json_out_finish(&out);
    expect_written(output, "{\n"
                           "  \"name\": \"net\",\n"
                           "  \"none\": null,\n"
                           "  \"empty\": {},\n"
                           "  \"runs\": [\n"
                           "    {\"ms\": 1.5, \"list\": [-1, 18446744073709551615]},\n"
                           "    [true,{\"a\":false,\"b\":null}],\n"
                           "    []\n"
                           "  ],\n"
                           "  \"own\": 17\n"
                           "}\n");
}

static void lone_values(void **state)
{
    struct output *output = open_memory();
    struct json_out out;

    (void)state;
    json_out_start(&out, output);
    json_out_text(&out, NULL, "x");
    json_out_finish(&out);
    expect_written(output, "\"x\"\n");
}

/* A list that is written in parts, and one whose elements were written before what is around them. */
static void parts(void **state)
{
    struct output *output = open_memory(), *elements = open_memory();
    struct json_out out;
    size_t length;
    const char *written;

    (void)state;
    json_out_inside(&out, elements, "{[", false);
    json_out_integer(&out, NULL, 1);
    json_out_inside(&out, elements, "{[", true);
    json_out_integer(&out, NULL, 2);
    written = output_memory(elements, &length);
    json_out_start(&out, output);
    json_out_object(&out, NULL, JSON_LINES);
    json_out_array(&out, "none", JSON_LINES);
    json_out_elements(&out, text_of(NULL));
    json_out_end(&out);
    json_out_array(&out, "some", JSON_LINES);
    json_out_elements(&out, (struct text){ written, length });
    json_out_end(&out);
    json_out_inside(&out, output, "{[", true);
    json_out_inside(&out, output, "{", true);
    json_out_end(&out);
    expect_written(output, "{\n  \"none\": [],\n  \"some\": [\n    1,\n    2\n  ]\n}");
    output_abandon(elements);
}

static void numbers(void **state)
{
    struct output *output = open_memory();
    struct json_out out;

    (void)state;
    json_out_start(&out, output);
    json_out_array(&out, NULL, JSON_TIGHT);
    json_out_integer(&out, NULL, INT64_MIN);
    json_out_integer(&out, NULL, INT64_MAX);
    json_out_decimal(&out, NULL, 0.1);
    json_out_decimal(&out, NULL, -0.0);
    json_out_decimal(&out, NULL, 1e300);
    json_out_decimal(&out, NULL, 5e-324);
    json_out_decimal(&out, NULL, (double)NAN);
    json_out_decimal(&out, NULL, (double)-INFINITY);
    json_out_end(&out);
    expect_written(output, "[-9223372036854775808,9223372036854775807,0.1,-0.0,1e+300,5e-324,null,null]");
}

static void escapes(void **state)
{
    static const char bytes[] = "\"\\\b\f\n\r\t\x01\x1f\x7f<a</b<!<";
    struct output *output = open_memory();

    (void)state;
    json_value_string(output, text_of(bytes));
    expect_written(output, "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\x7f<a\\u003c/b\\u003c!<\"");
    output = open_memory();
    json_value_string(output, (struct text){ "a\0b", 3 });
    expect_written(output, "\"a\\u0000b\"");
    output = open_memory();
    json_value_string(output, (struct text){ NULL, 0 });
    expect_written(output, "\"\"");
}

/* What is no UTF-8 becomes U+FFFD, once for what could have begun one character. */
static void broken_characters(void **state)
{
    static const struct {
        const char *bytes, *written;
    } cases[] = {
        { "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80" },
        { "\x80x", UTF8_BAD_TEXT "x" },
        { "\xc0\xaf", UTF8_BAD_TEXT UTF8_BAD_TEXT },
        { "\xe2\x82x", UTF8_BAD_TEXT "x" },
        { "\xe2\x82", UTF8_BAD_TEXT },
        { "\xed\xa0\x80", UTF8_BAD_TEXT UTF8_BAD_TEXT UTF8_BAD_TEXT },
        { "\xe0\x9f\xbf", UTF8_BAD_TEXT UTF8_BAD_TEXT UTF8_BAD_TEXT },
        { "\xf4\x90\x80\x80", UTF8_BAD_TEXT UTF8_BAD_TEXT UTF8_BAD_TEXT UTF8_BAD_TEXT },
        { "\xf0\x9f\x98", UTF8_BAD_TEXT },
        { "\xff", UTF8_BAD_TEXT },
    };
    const char *cursor = "\xe2\x82\xac";
    bool valid;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct output *output = open_memory();
        char expected[64];

        json_value_string(output, text_of(cases[i].bytes));
        snprintf(expected, sizeof expected, "\"%s\"", cases[i].written);
        expect_written(output, expected);
    }
    assert_int_equal(utf8_read(&cursor, cursor + 3, &valid), 0x20AC);
    assert_true(valid);
    cursor = "\xf4\x8f\xbf\xbf";
    assert_int_equal(utf8_read(&cursor, cursor + 4, &valid), 0x10FFFF);
}

/* Texts that are UTF-8 come back as they were, wherever in a word their special bytes are. */
static void texts_come_back(void **state)
{
    static const char *const pieces[] = { "a", "bc",   "\"",         "\\",           "<",  "/",
                                          "!", "\n",   "\x1f",       "\xc3\xa4",     " ",  "~",
                                          "[", "\x7f", "plain text", "\xe2\x82\xac", "{}," };

    (void)state;
    for (unsigned round = 0; round < 3000; round++) {
        struct output *output = open_memory();
        struct arena arena = ARENA_EMPTY;
        const struct json *root;
        char text[512] = "";
        size_t length;
        const char *written;

        for (unsigned left = random_below(20); left; left--)
            strcat(text, pieces[random_below(sizeof pieces / sizeof *pieces)]);
        json_value_string(output, text_of(text));
        written = output_memory(output, &length);
        assert_null(strstr(written, "</"));
        assert_null(strstr(written, "<!"));
        assert_int_equal(json_parse(&arena, "m", (struct text){ written, length }, &root), STATUS_OK);
        assert_string_equal(json_text(root, NULL), text);
        arena_free(&arena);
        output_abandon(output);
    }
}

/* A random value, the same in one layout as in any other. */
static void put_random(struct json_out *out, const char *key, enum json_layout layout, unsigned depth)
{
    unsigned kind = random_below(depth < 6 ? 9 : 5);

    if (kind < 5) {
        json_out_integer(out, key, (int64_t)random_below(100));
        return;
    }
    if (kind % 2)
        json_out_array(out, key, layout);
    else
        json_out_object(out, key, layout);
    for (unsigned left = random_below(5); left; left--)
        put_random(out, kind % 2 ? NULL : "k", layout, depth + 1);
    json_out_end(out);
}

static void documents_are_json(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        enum json_layout layout = (enum json_layout)(round % 3);
        struct output *output = open_memory(), *again = open_memory();
        struct arena arena = ARENA_EMPTY;
        const struct json *root;
        struct json_out out;
        size_t length;
        const char *written;

        json_out_start(&out, output);
        json_out_array(&out, NULL, layout);
        put_random(&out, NULL, layout, 0);
        json_out_end(&out);
        written = output_memory(output, &length);
        assert_int_equal(strchr(written, '\n') != NULL, layout == JSON_LINES);
        assert_int_equal(strchr(written, ' ') != NULL && layout == JSON_TIGHT, false);
        assert_int_equal(json_parse(&arena, "m", (struct text){ written, length }, &root), STATUS_OK);
        json_out_start(&out, again);
        json_out_tree(&out, NULL, root, false);
        if (layout == JSON_LINES)
            assert_string_equal(output_memory(again, &length), written);
        arena_free(&arena);
        output_abandon(output);
        output_abandon(again);
    }
}

static void sorted_trees(void **state)
{
    static const char given[] =
        "{\"b\": [1.50, true, false, null, {}], \"a\": {\"z\": \"\\u0041\", \"aa\": 1e2, \"\": 0}}";
    struct output *output = open_memory();
    struct arena arena = ARENA_EMPTY;
    const struct json *root;
    struct json_out out;

    (void)state;
    assert_int_equal(json_parse(&arena, "m", text_of(given), &root), STATUS_OK);
    json_out_start(&out, output);
    json_out_tree(&out, NULL, root, true);
    expect_written(output, "{\n  \"a\": {\n    \"\": 0,\n    \"aa\": 1e2,\n    \"z\": \"A\"\n  },\n"
                           "  \"b\": [\n    1.50,\n    true,\n    false,\n    null,\n    {}\n  ]\n}");
    arena_free(&arena);
}

/* As deep as a document that was read may be, and as what is around it. */
static void deepest(void **state)
{
    struct output *output = open_memory();
    struct json_out out;
    size_t length;

    (void)state;
    json_out_start(&out, output);
    for (unsigned i = 0; i < JSON_OUT_DEEPEST; i++)
        json_out_array(&out, NULL, JSON_LINES);
    for (unsigned i = 0; i < JSON_OUT_DEEPEST; i++)
        json_out_end(&out);
    json_out_finish(&out);
    assert_non_null(output_memory(output, &length));
    assert_true(length > (size_t)JSON_OUT_DEEPEST * JSON_OUT_DEEPEST);
    output_abandon(output);
}

static void json_of_others(void **state)
{
    static const struct {
        const char *json;
        const char *written;
    } cases[] = {
        { " { \"a\" : [ 1 , -2.50e+3 , true , false , null ] , \"b\" : { } , \"c\" : [ ] }\n",
          "{\"a\":[1,-2.50e+3,true,false,null],\"b\":{},\"c\":[]}" },
        { "123456789012345678901234567890", "123456789012345678901234567890" },
        { "[NaN,Infinity,-Infinity]", "[null,null,null]" },
        { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\ud83d\\ude00\\u0000\"",
          "\"\\\"\\\\\\u002f\\b\\f\\n\\r\\tA\xc3\xa9\xf0\x9f\x98\x80\\u0000\"" },
        { "\"\\q \\u12 \\ud800 \\ude00x\"", "\"\\\\q \\\\u12 \xef\xbf\xbd \xef\xbf\xbdx\"" },
        { "\"raw\ttab\nline\x01\"", "\"raw\\ttab\\nline\\u0001\"" },
        { "{\"k\xff\":\"\xc3\xa9\xc3\"}", "{\"k\xef\xbf\xbd\":\"\xc3\xa9\xef\xbf\xbd\"}" },
        { "\"</a <\\/b \\u003c/c <!d <\\u0021e < f\"", "\"\\u003c/a <\\u002fb \\u003c/c \\u003c!d <\\u0021e < f\"" },
        { "\xef\xbb\xbf[]", "[]" },
        { "", "\"\"" },
        { "[1,]", "\"[1,]\"" },
        { "[1] x", "\"[1] x\"" },
        { "{\"a\":\"\xff", "\"{\\\"a\\\":\\\"\xef\xbf\xbd\"" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct output *output = open_memory();

        json_value_json(output, text_of(cases[i].json));
        expect_written(output, cases[i].written);
        assert_string_equal(status_message(), "");
    }
}

/* As deep as JSON is read; what is deeper is a text. */
static void deep_json_of_others(void **state)
{
    (void)state;
    for (unsigned levels = JSON_DEEPEST; levels <= JSON_DEEPEST + 1; levels++) {
        char json[2 * JSON_DEEPEST + 3] = "", text[2 * JSON_DEEPEST + 5];
        struct output *output = open_memory();

        memset(json, '[', levels);
        memset(json + levels, ']', levels);
        snprintf(text, sizeof text, "\"%s\"", json);
        json_value_json(output, text_of(json));
        expect_written(output, levels > JSON_DEEPEST ? text : json);
    }
}

static void failures_stick(void **state)
{
    struct json_out out;
    struct output *output;

    (void)state;
    for (uint64_t nth = 1;; nth++) {
        status code;

        memory_fail_at(nth);
        code = output_open_memory(&output);
        if (code == STATUS_OK) {
            json_out_start(&out, output);
            json_out_array(&out, NULL, JSON_LINES);
            for (unsigned i = 0; i < 60000; i++)
                json_out_text(&out, NULL, "some text \xff to fill it");
            json_out_end(&out);
            code = output_status(output);
            output_abandon(output);
        }
        memory_fail_at(0);
        if (code == STATUS_OK)
            break;
        assert_int_equal(code, STATUS_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts),         cmocka_unit_test(lone_values),
        cmocka_unit_test(parts),           cmocka_unit_test(numbers),
        cmocka_unit_test(escapes),         cmocka_unit_test(broken_characters),
        cmocka_unit_test(texts_come_back), cmocka_unit_test(documents_are_json),
        cmocka_unit_test(sorted_trees),    cmocka_unit_test(deepest),
        cmocka_unit_test(json_of_others),  cmocka_unit_test(deep_json_of_others),
        cmocka_unit_test(failures_stick),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
