/* test_location.c: MLIR locations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "torq/location.h"

#define FUSED                                                               \
    "loc(fused[callsite(\"/w/m/net.mlir\":4:10 at \"/w/m/net.mlir\":2:3), " \
    "callsite(\"/w/m/net.mlir\":6:10 at \"/w/m/net.mlir\":2:3)])"

static size_t span(const char *text)
{
    return location_span(text, strlen(text));
}

static void test_span_ends_at_its_own_bracket(void **state)
{
    (void)state;
    assert_int_equal(span("loc(unknown),DMA_OUT"), 12);
    assert_int_equal(span(FUSED ",DMA_OUT"), strlen(FUSED));
    assert_int_equal(span("loc(\"a)b,(\":1:2),x"), 16);
    assert_int_equal(span("loc(\"a\\\")b\":1:2),x"), 16);
    assert_int_equal(span("loc(fused<\"m>]\">[\"a\":1:2]),x"), 26);
    assert_int_equal(span("loc(fused<{a = (i1) -> i2}>[?]),x"), 31);
    assert_int_equal(span("loc(fused<a < 2>[?]),x"), 20);
    assert_int_equal(span("loc(\n\"a\":1:2\n),x"), 14);
}

static void test_span_refuses_what_is_not_closed(void **state)
{
    static const char *const bad[] = { "",          "loc",    "loc(",   "loc(unknown", "loc(\"a)", "loc(fused[a)",
                                       "loc(\"a\\", "lox(a)", "loc(a]", "loc(<a" };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(span(bad[i]), 0);
}

/* Nesting is allowed up to a limit, and refused beyond it without any harm. */
static void test_depth_is_limited(void **state)
{
    char text[4096];
    struct location location;
    size_t length;

    (void)state;
    for (int depth = 1; depth < 200; depth++) {
        length = (size_t)snprintf(text, sizeof text, "loc(");
        for (int i = 0; i < depth; i++)
            length += (size_t)snprintf(text + length, sizeof text - length, "fused[");
        length += (size_t)snprintf(text + length, sizeof text - length, "\"f\":1:2");
        for (int i = 0; i < depth; i++)
            text[length++] = ']';
        text[length++] = ')';
        assert_int_equal(location_span(text, length), depth < 64 ? length : 0);
        location_parse(text, length, &location);
        assert_int_equal(location.valid, depth <= 62);
    }
}

static void check_place(const struct location_place *place, const char *file, uint32_t line, uint32_t column,
                        bool caller)
{
    assert_int_equal(place->file.length, strlen(file));
    assert_memory_equal(place->file.data, file, strlen(file));
    assert_int_equal(place->line, line);
    assert_int_equal(place->column, column);
    assert_int_equal(place->caller, caller);
}

static struct location parsed(const char *text)
{
    struct location location;

    location_parse(text, strlen(text), &location);
    return location;
}

static void test_parse_finds_places_in_order(void **state)
{
    struct location location = parsed(FUSED);

    (void)state;
    assert_true(location.valid);
    assert_false(location.unknown);
    assert_int_equal(location.count, 4);
    check_place(&location.places[0], "/w/m/net.mlir", 4, 10, false);
    check_place(&location.places[1], "/w/m/net.mlir", 2, 3, true);
    check_place(&location.places[2], "/w/m/net.mlir", 6, 10, false);
    check_place(&location.places[3], "/w/m/net.mlir", 2, 3, true);
    location = parsed("loc(callsite(callsite(\"a\":1:1 at \"b\":2:2) at \"c\":3:3))");
    assert_int_equal(location.count, 3);
    check_place(&location.places[1], "b", 2, 2, true);
    check_place(&location.places[2], "c", 3, 3, true);
}

static void test_parse_knows_all_forms(void **state)
{
    static const struct {
        const char *text;
        bool valid, unknown;
        uint32_t count;
    } forms[] = {
        { "", true, true, 0 },
        { "  ", true, true, 0 },
        { "unknown", true, true, 0 },
        { "loc(unknown)", true, true, 0 },
        { "loc(?)", true, true, 0 },
        { "loc(fused[unknown, ?])", true, true, 0 },
        { "loc(fused[])", true, true, 0 },
        { "loc(#loc4)", true, false, 0 },
        { "loc(#)", false, false, 0 },
        { "loc(\"f\":1:2)", true, false, 1 },
        { "\"f\":1:2", true, false, 1 },
        { "net.mlir:4:10", true, false, 1 },
        { "C:\\m\\net.mlir:4:10", true, false, 1 },
        { "loc(\"f\":1:2 to 3:4)", true, false, 1 },
        { "loc(\"f\":1:2 to :4)", true, false, 1 },
        { "loc(\"name\")", true, false, 0 },
        { "loc(\"name\"(\"f\":1:2))", true, false, 1 },
        { "loc(fused<\"meta\">[\"f\":1:2, \"g\":3:4])", true, false, 2 },
        { "loc(fused[loc(\"f\":1:2)])", true, false, 1 },
        { "loc(callsite(\"f\":1:2 at unknown))", true, false, 1 },
        { "loc(callsite(\"f\":1:2 \"g\":1:2))", false, false, 1 },
        { "loc(\"f\":1:2", false, false, 1 },
        { "loc(\"f\":1:2) more", false, false, 1 },
        { "loc(\"f\":1)", false, false, 0 },
        { "loc(\"f\":99999999999:2)", false, false, 0 },
        { "loc(what is this)", false, false, 0 },
        { ":1:2", false, false, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct location location = parsed(forms[i].text);

        if (location.valid != forms[i].valid || location.unknown != forms[i].unknown ||
            location.count != forms[i].count)
            fail_msg("%s: valid %d, unknown %d, %u places", forms[i].text, location.valid, location.unknown,
                     location.count);
    }
}

static void test_places_beyond_the_limit_are_counted(void **state)
{
    static char text[8192];
    struct location location;
    size_t length = (size_t)snprintf(text, sizeof text, "loc(fused[");

    (void)state;
    for (int i = 0; i < 100; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s\"f\":%d:1", i ? ", " : "", i + 1);
    length += (size_t)snprintf(text + length, sizeof text - length, "])");
    location_parse(text, length, &location);
    assert_true(location.valid);
    assert_int_equal(location.count, 100);
    check_place(&location.places[LOCATION_PLACES - 1], "f", 64, 1, false);
}

typedef size_t (*location_form)(const char *data, size_t length, char *to, size_t size);

static void check_form(location_form form, const char *text, const char *expected)
{
    char written[256];
    size_t length = form(text, strlen(text), written, sizeof written);

    assert_string_equal(written, expected);
    assert_int_equal(length, strlen(expected));
}

static void test_pretty_form(void **state)
{
    (void)state;
    check_form(location_pretty, FUSED, "@L4C10+@L6C10");
    check_form(location_pretty, "loc(\"/w/m/net.mlir\":5:10)", "@L5C10");
    check_form(location_pretty, "loc(callsite(\"a\":1:2 at \"b\":3:4))", "@L1C2");
    check_form(location_pretty, "loc(\"conv\"(\"a\":1:2))", "@L1C2");
    check_form(location_pretty, "loc(\"conv\"(unknown))", "conv");
    check_form(location_pretty, "loc(\"conv\")", "conv");
    check_form(location_pretty, "loc(unknown)", "loc(unknown)");
    check_form(location_pretty, "loc(#loc4)", "loc(#loc4)");
    check_form(location_pretty, "loc(odd [thing)", "loc(odd [thing)");
    check_form(location_pretty, "", "");
}

static void test_short_form(void **state)
{
    (void)state;
    check_form(location_short, FUSED, "net.mlir:4:10 + net.mlir:6:10");
    check_form(location_short, "loc(\"/w/m/net.mlir\":5:10)", "net.mlir:5:10");
    check_form(location_short, "loc(\"C:\\\\w\\\\net.mlir\":5:10)", "net.mlir:5:10");
    check_form(location_short, "loc(\"model.py\":5:10)", "model.py:5:10");
    check_form(location_short, "loc(\"/w/a \\\"b\\\".mlir\":4:3)", "a \"b\".mlir:4:3");
    check_form(location_short, "loc(\"/w/a \\22b\\22.mlir\":4:3)", "a \"b\".mlir:4:3");
    check_form(location_short, "loc(\"/w/n\\C3\\A9t.mlir\":4:3)", "n\\C3\\A9t.mlir:4:3");
    check_form(location_short, "loc(\"C:\\\\w\\\\BEEF.mlir\":4:3)", "BEEF.mlir:4:3");
    check_form(location_short, "/w/m/net.mlir:4:10", "net.mlir:4:10");
    check_form(location_short, "loc(unknown)", "unknown");
    check_form(location_short, "unknown", "unknown");
    check_form(location_short, "", "");
    check_form(location_short, "loc(\"conv\"(\"a/b\":1:2))", "b:1:2");
    check_form(location_short, "loc(fused[unknown, \"a\":1:2])", "a:1:2");
    check_form(location_short, "loc(fused[\"a\":1:1, \"a\":2:2, \"a\":3:3, \"a\":4:4, \"a\":5:5])",
               "a:1:1 + a:2:2 + a:3:3 (+2 more)");
    check_form(location_short, "loc(dir/what is this)", "what is this");
}

static void test_forms_are_cut_at_their_room(void **state)
{
    char written[8] = "1234567";

    (void)state;
    assert_int_equal(location_short("loc(\"net.mlir\":5:10)", 20, written, 0), 0);
    assert_string_equal(written, "1234567");
    assert_int_equal(location_short("loc(\"net.mlir\":5:10)", 20, written, 5), 4);
    assert_string_equal(written, "net.");
    assert_int_equal(location_short("loc(\"net.mlir\":5:10)", 20, written, 1), 0);
    assert_string_equal(written, "");
    /* A character of two bytes is not cut in half. */
    assert_int_equal(location_short("loc(\"n\xC3\xA9t\":5:10)", 15, written, 3), 1);
    assert_string_equal(written, "n");
}

/* Whatever the bytes are, nothing is read beyond them. Each text is its own block, so that a sanitizer sees it. */
static void test_any_bytes_are_safe(void **state)
{
    static const char pieces[] = "loc(fused[callsite(\"a\\\"b\":1:2 at #l), \"n\"(?)]<>{}-> to :4 unknown \n";
    unsigned random = 12345;
    struct location location;
    char written[64];

    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t length = random % 60;
        char *text = malloc(length ? length : 1);

        assert_non_null(text);
        for (size_t i = 0; i < length; i++) {
            random = random * 1103515245u + 12345u;
            text[i] = i < 4 && round % 2 ? "loc("[i] : pieces[(random >> 16) % (sizeof pieces - 1)];
        }
        random = random * 1103515245u + 12345u;
        assert_true(location_span(text, length) <= length);
        location_parse(text, length, &location);
        assert_true(location_pretty(text, length, written, sizeof written) < sizeof written);
        assert_true(location_short(text, length, written, sizeof written) < sizeof written);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_span_ends_at_its_own_bracket),
        cmocka_unit_test(test_span_refuses_what_is_not_closed),
        cmocka_unit_test(test_depth_is_limited),
        cmocka_unit_test(test_parse_finds_places_in_order),
        cmocka_unit_test(test_parse_knows_all_forms),
        cmocka_unit_test(test_places_beyond_the_limit_are_counted),
        cmocka_unit_test(test_pretty_form),
        cmocka_unit_test(test_short_form),
        cmocka_unit_test(test_forms_are_cut_at_their_room),
        cmocka_unit_test(test_any_bytes_are_safe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
