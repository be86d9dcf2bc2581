/* test_mlir_scan.c: tokens of MLIR. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "torq/mlir_scan.h"

static struct input *input;
static struct scanner scanner;

static void open_bytes(const char *data, size_t size)
{
    assert_int_equal(input_open_memory("x.mlir", data, size, &input), STATUS_OK);
    assert_int_equal(scanner_open(&scanner, input, NULL), STATUS_OK);
}

static void open_text(const char *text)
{
    open_bytes(text, strlen(text));
}

static void close_text(void)
{
    scanner_close(&scanner);
    input_close(input);
    input_limit_reads(0);
}

static void expect(enum token_kind kind, const char *text)
{
    struct token token;

    assert_int_equal(scanner_next(&scanner, &token), STATUS_OK);
    assert_int_equal(token.kind, kind);
    assert_int_equal(token.text.length, strlen(text));
    assert_memory_equal(token.text.data, text, strlen(text));
}

static void check_tokens(void)
{
    struct token token;

    open_text(
        "\xEF\xBB\xBF// a comment \"with a quote\n"
        "%a-1, %b#12 = \"torq_hl.x\"(%5:2) -> !torq_hl.y<nss> #loc4 # ! @sym @\"q s\" ^bb0: 640xi8 -7 a.b_c$1 / x\n"
        "\"e\\\"s\\\\\"");
    expect(TOKEN_VALUE, "a-1");
    expect(TOKEN_MARK, ",");
    assert_int_equal(scanner_next(&scanner, &token), STATUS_OK);
    assert_int_equal(token.kind, TOKEN_VALUE);
    assert_int_equal(token.number, 12);
    assert_int_equal(token.text.length, 1);
    assert_int_equal(token.line, 2);
    assert_int_equal(token.column, 7);
    expect(TOKEN_MARK, "=");
    expect(TOKEN_STRING, "torq_hl.x");
    expect(TOKEN_MARK, "(");
    expect(TOKEN_VALUE, "5");
    expect(TOKEN_MARK, ":");
    expect(TOKEN_NUMBER, "2");
    expect(TOKEN_MARK, ")");
    expect(TOKEN_ARROW, "->");
    expect(TOKEN_TYPE, "torq_hl.y");
    expect(TOKEN_MARK, "<");
    expect(TOKEN_NAME, "nss");
    expect(TOKEN_MARK, ">");
    expect(TOKEN_ALIAS, "loc4");
    expect(TOKEN_MARK, "#");
    expect(TOKEN_MARK, "!");
    expect(TOKEN_SYMBOL, "sym");
    expect(TOKEN_SYMBOL, "q s");
    expect(TOKEN_BLOCK, "bb0");
    expect(TOKEN_MARK, ":");
    expect(TOKEN_NUMBER, "640xi8");
    expect(TOKEN_MARK, "-");
    expect(TOKEN_NUMBER, "7");
    expect(TOKEN_NAME, "a.b_c$1");
    expect(TOKEN_MARK, "/");
    expect(TOKEN_NAME, "x");
    expect(TOKEN_STRING, "e\\\"s\\\\");
    expect(TOKEN_END, "");
    expect(TOKEN_END, "");
    close_text();
}

static const size_t chunks[] = { 0, 1, 2, 3, 7, 64 };

static void test_tokens_in_any_chunks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        input_limit_reads(chunks[i]);
        check_tokens();
    }
}

static void check_group(const char *text, const char *inside, const char *after)
{
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        struct token token;
        struct text kept;

        for (int keep = 0; keep < 2; keep++) {
            input_limit_reads(chunks[i]);
            open_text(text);
            assert_int_equal(scanner_next(&scanner, &token), STATUS_OK);
            assert_int_equal(scanner_skip_group(&scanner, &token, keep ? &kept : NULL), STATUS_OK);
            if (keep) {
                assert_int_equal(kept.length, strlen(inside));
                assert_memory_equal(kept.data, inside, strlen(inside));
            }
            expect(*after == '}' ? TOKEN_MARK : TOKEN_NAME, after);
            close_text();
        }
    }
}

static void test_groups(void **state)
{
    (void)state;
    check_group("(a) z", "a", "z");
    check_group("() z", "", "z");
    check_group("<(d0, d1) -> (d0)> z", "(d0, d1) -> (d0)", "z");
    check_group("<(d0) : (d0 - 1 >= 0, d0 <= 4)> z", "(d0) : (d0 - 1 >= 0, d0 <= 4)", "z");
    check_group("{a = [1, {b = \"}])>\\\"\"}]} z", "a = [1, {b = \"}])>\\\"\"}]", "z");
    check_group("[1, // ]\n 2] z", "1, // ]\n 2", "z");
    check_group("(a [ b) z", "a [ b", "z"); /* an inner bracket that is not closed ends with the outer one */
    check_group("[a ) b] z", "a ) b", "z"); /* a closing one of another kind means nothing */
    check_group("(a < b) z", "a < b", "z"); /* a comparison */
    check_group("(a / b) z", "a / b", "z");
    check_group("(a } z", "a ", "}"); /* a brace opened outside ends the group */
}

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        struct token token;
        struct text value;

        input_limit_reads(chunks[i]);
        open_text("= #a<b, c{d = [1, 2]}> : i64 , next = \"a,b}\"}");
        assert_int_equal(scanner_next(&scanner, &token), STATUS_OK);
        assert_int_equal(scanner_skip_value(&scanner, &token, &value), STATUS_OK);
        assert_int_equal(value.length, strlen("#a<b, c{d = [1, 2]}> : i64"));
        expect(TOKEN_MARK, ",");
        expect(TOKEN_NAME, "next");
        assert_int_equal(scanner_next(&scanner, &token), STATUS_OK);
        assert_int_equal(scanner_skip_value(&scanner, &token, NULL), STATUS_OK);
        expect(TOKEN_MARK, "}");
        close_text();
    }
}

static void expect_failure(const char *text, const char *message)
{
    struct token token = { .kind = TOKEN_NAME };
    status code = STATUS_OK;

    open_text(text);
    while (code == STATUS_OK && token.kind != TOKEN_END) {
        code = scanner_next(&scanner, &token);
        if (code == STATUS_OK && token.kind == TOKEN_MARK && token.mark == '(')
            code = scanner_skip_group(&scanner, &token, NULL);
    }
    assert_int_equal(code, STATUS_INPUT);
    assert_string_equal(status_message(), message);
    close_text();
}

static void test_failures_say_where(void **state)
{
    (void)state;
    expect_failure("a\n  \"b", "x.mlir:2:3: a string that is not closed");
    expect_failure("a\n  \"b\n\"", "x.mlir:2:3: a string that is not closed");
    expect_failure("a \"b\\", "x.mlir:1:3: a string that is not closed");
    expect_failure("a\n\n (b [\n]", "x.mlir:3:2: '(' is not closed");
    expect_failure("a\n (\n \"b", "x.mlir:3:2: a string that is not closed");
}

/* A constant of many megabytes, as text and as a list, on one line: the buffer does not grow. */
static void check_blob(const char *open, const char *fill, const char *close)
{
    enum { SIZE = 8 * 1024 * 1024 };
    char *text = malloc(SIZE);
    size_t length = strlen(fill), at = strlen(open);
    struct token token;
    uint64_t before;

    assert_non_null(text);
    memcpy(text, open, at);
    for (; at + length + strlen(close) < SIZE; at += length)
        memcpy(text + at, fill, length);
    memcpy(text + at, close, strlen(close));
    open_bytes(text, at + strlen(close));
    expect(TOKEN_NAME, "dense");
    assert_int_equal(scanner_next(&scanner, &token), STATUS_OK);
    before = memory_count();
    assert_int_equal(scanner_skip_group(&scanner, &token, NULL), STATUS_OK);
    assert_int_equal(memory_count(), before);
    expect(TOKEN_NAME, "z");
    close_text();
    free(text);
}

static void test_blobs_are_not_held(void **state)
{
    (void)state;
    check_blob("dense<\"0x", "0123456789ABCDEF", "\"> z");
    check_blob("dense<[", "12, -3, ", "1]> z");
    check_blob("dense<[", "[[1, 2], [3, 4]],\n ", "[[1]]]> z");
}

static void test_what_is_kept_is_bounded(void **state)
{
    enum { SIZE = 3 * 1024 * 1024 };
    char *text = malloc(SIZE);
    struct token token;
    struct text inside;

    (void)state;
    assert_non_null(text);
    memset(text, 'a', SIZE);
    open_bytes(text, SIZE);
    assert_int_equal(scanner_next(&scanner, &token), STATUS_INPUT);
    assert_string_equal(status_message(), "x.mlir:1:1: a name or string over 1048576 bytes");
    close_text();

    open_bytes(text, SCANNER_LONGEST);
    assert_int_equal(scanner_next(&scanner, &token), STATUS_OK);
    assert_int_equal(token.text.length, SCANNER_LONGEST);
    close_text();

    text[0] = '(';
    memcpy(text + SIZE - 3, ") z", 3);
    open_bytes(text, SIZE);
    assert_int_equal(scanner_next(&scanner, &token), STATUS_OK);
    assert_int_equal(scanner_skip_group(&scanner, &token, &inside), STATUS_OK);
    assert_null(inside.data);
    assert_true(scanner.capacity <= 2 * 1024 * 1024);
    expect(TOKEN_NAME, "z");
    close_text();

    memset(text, '[', SIZE); /* too deep */
    open_bytes(text, SIZE);
    assert_int_equal(scanner_next(&scanner, &token), STATUS_OK);
    assert_int_equal(scanner_skip_group(&scanner, &token, NULL), STATUS_INPUT);
    close_text();
    free(text);
}

static void test_sections(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        input_limit_reads(chunks[i]);
        open_text("// -----// IR Dump After A //----- //\na // ---- no\n(b // -----\n) c //");
        expect(TOKEN_NAME, "a");
        assert_int_equal(scanner.section, 1);
        expect(TOKEN_MARK, "(");
        assert_int_equal(scanner.section, 1);
        expect(TOKEN_NAME, "b");
        expect(TOKEN_MARK, ")");
        assert_int_equal(scanner.section, 2);
        expect(TOKEN_NAME, "c");
        expect(TOKEN_END, "");
        close_text();
    }
}

/* The vector searches find what the plain ones find, at every offset and for every byte. */
static void test_searches_agree(void **state)
{
    char text[80];
    uint32_t random = 1;

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        size_t start = round % 17;

        for (size_t i = 0; i < sizeof text; i++) {
            random = random * 1664525 + 1013904223;
            text[i] = random >> 28 ? '5' : (char)(random >> 16);
        }
        assert_ptr_equal(scan_find_bracket(text + start, text + sizeof text),
                         scan_find_bracket_plain(text + start, text + sizeof text));
        assert_ptr_equal(scan_find_quote(text + start, text + sizeof text),
                         scan_find_quote_plain(text + start, text + sizeof text));
    }
    for (int byte = 0; byte < 256; byte++) {
        memset(text, byte, sizeof text);
        assert_ptr_equal(scan_find_bracket(text, text + sizeof text),
                         scan_find_bracket_plain(text, text + sizeof text));
        assert_ptr_equal(scan_find_quote(text, text + sizeof text), scan_find_quote_plain(text, text + sizeof text));
    }
}

static void test_read_failure(void **state)
{
    struct token token;
    status code = STATUS_OK;

    (void)state;
    input_limit_reads(3);
    open_text("module { torq_hl.program }");
    input_fail_at(3);
    for (unsigned i = 0; i < 10 && code == STATUS_OK; i++)
        code = scanner_next(&scanner, &token);
    input_fail_at(0);
    assert_int_equal(code, STATUS_INPUT);
    close_text();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens_in_any_chunks),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_failures_say_where),
        cmocka_unit_test(test_blobs_are_not_held),
        cmocka_unit_test(test_what_is_kept_is_bounded),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_searches_agree),
        cmocka_unit_test(test_read_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
