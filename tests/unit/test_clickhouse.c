/* test_clickhouse.c: names of stores on ClickHouse, rows on their way there and back, memory that runs out; what a server does is tested in tests/cli. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "history/clickhouse_rows.h"
#include "history/clickhouse_url.h"

static void test_a_url_has_all_parts(void **state)
{
    struct clickhouse_url url;

    (void)state;
    unsetenv("TACHO_CLICKHOUSE_PASSWORD");
    assert_int_equal(clickhouse_url_parse(
                         "clickhouse://me:p%40s%73@one:81,two,[::1]:82/db_1?cluster=all&retry=3&timeout=7&ttl=9", &url),
                     STATUS_OK);
    assert_string_equal(url.user, "me");
    assert_string_equal(url.password, "p@ss");
    assert_int_equal(url.host_count, 3);
    assert_string_equal(url.hosts[0], "one:81");
    assert_string_equal(url.hosts[2], "[::1]:82");
    assert_true(url.ports[0] && !url.ports[1] && url.ports[2]);
    assert_string_equal(url.database, "db_1");
    assert_string_equal(url.cluster, "all");
    assert_true(url.retry_ms == 3000 && url.timeout_s == 7 && url.ttl_days == 9);
    assert_null(strstr(url.shown, "p@ss"));
    clickhouse_url_free(&url);
    setenv("TACHO_CLICKHOUSE_PASSWORD", "other", 1);
    assert_int_equal(clickhouse_url_parse("clickhouse://me@one/db", &url), STATUS_OK);
    assert_string_equal(url.password, "other");
    assert_null(url.cluster);
    clickhouse_url_free(&url);
    unsetenv("TACHO_CLICKHOUSE_PASSWORD");
}

static void test_urls_that_cannot_be_are_refused(void **state)
{
    static const char *const urls[] = { "clickhouse://",
                                        "clickhouse://h",
                                        "clickhouse:///d",
                                        "clickhouse://h/d.x",
                                        "clickhouse://h/d?ttl=-1",
                                        "clickhouse://h/d?x",
                                        "clickhouse://%0g@h/d",
                                        "clickhouse://a,b/d",
                                        "clickhouse://h/1d",
                                        "clickhouse://h/d?ttl=1e9",
                                        "clickhouse://h/d?cluster=a b" };
    struct clickhouse_url url;

    (void)state;
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        assert_int_equal(clickhouse_url_parse(urls[i], &url), STATUS_USAGE);
        clickhouse_url_free(&url);
    }
    assert_true(clickhouse_is_url("clickhouse://x") && !clickhouse_is_url("x.sqlite"));
}

static void test_rows_go_in_byte_by_byte(void **state)
{
    const struct history_value values[] = { history_integer(-2),
                                            history_integer(1),
                                            history_integer(2),
                                            history_integer(3),
                                            { .kind = HISTORY_DECIMAL, .decimal = 1.5 } };
    const struct history_value none[] = { values[0], values[1], values[2], values[3], { .kind = HISTORY_NULL } };
    const struct history_value wrong[] = { values[0], { .kind = HISTORY_NULL }, values[2], values[3], values[4] };
    struct bytes block = { 0 };

    (void)state;
    assert_int_equal(clickhouse_add_row(&block, TABLE_RUN, values), STATUS_OK);
    assert_int_equal(block.length, 4 * 8 + 1 + 8);
    assert_memory_equal(block.data, "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1\0\0\0\0\0\0\0", 16);
    assert_memory_equal(block.data + 32, "\0\0\0\0\0\0\0\xF8\x3F", 9);
    assert_int_equal(clickhouse_add_row(&block, TABLE_RUN, none), STATUS_OK);
    assert_int_equal(block.length, 2 * 4 * 8 + 1 + 8 + 1);
    assert_int_equal(clickhouse_add_row(&block, TABLE_RUN, wrong), STATUS_OUTPUT);
    bytes_free(&block);
    bytes_quote(&block, "a'b\\c\n");
    assert_string_equal(block.data, "'a\\'b\\\\c\n'");
    bytes_free(&block);
}

struct taken {
    size_t count;       /* rows */
    char text[64];      /* of the last */
    size_t text_length; /* of that */
    double decimal;     /* NAN: none */
    int64_t integer;
};

static status take(void *context, const struct history_value *values)
{
    struct taken *taken = context;

    taken->count++;
    taken->integer = values[0].integer;
    taken->text_length = values[1].text.length;
    text_copy(taken->text, sizeof taken->text, values[1].text);
    taken->decimal = history_decimal_at(&values[2]);
    return STATUS_OK;
}

static const struct history_column columns[] = { { "a", HISTORY_INTEGER, false },
                                                 { "b", HISTORY_TEXT, false },
                                                 { "c", HISTORY_DECIMAL, true } };
#define HEAD "a\tb\tc\nInt64\tString\tNullable(Float64)\n"

/* In pieces of so many bytes. */
static status read_answer(const char *answer, size_t piece, struct taken *taken)
{
    struct answer_rows rows = { .wanted = { columns, 3, true }, .from = "server", .take = take, .context = taken };
    size_t length = strlen(answer);
    status code = STATUS_OK;

    *taken = (struct taken){ 0 };
    for (size_t i = 0; i < length && code == STATUS_OK; i += piece)
        code = rows_take(&rows, answer + i, length - i < piece ? length - i : piece);
    if (code == STATUS_OK)
        code = rows_end(&rows);
    rows_free(&rows);
    return code;
}

static void test_answers_in_pieces_of_any_size(void **state)
{
    static const char answer[] = HEAD "1\tx\t\\N\n1\tx\t\\N\n2\ta\\tb\\nc\\\\d\\'e\t0.30000000000000004\n";
    struct taken taken;

    (void)state;
    for (size_t piece = 1; piece < sizeof answer; piece++) {
        assert_int_equal(read_answer(answer, piece, &taken), STATUS_OK);
        assert_int_equal(taken.count, 2); /* the second is the first again */
        assert_string_equal(taken.text, "a\tb\nc\\d'e");
        assert_true(taken.integer == 2 && taken.decimal == 0.1 + 0.2);
    }
}

static void test_answers_of_something_else_are_refused(void **state)
{
    static const char *const answers[] = {
        "",
        "a\tb\n",
        "a\tb\tc\nInt64\tString\tFloat64\n",
        "a\tb\tc\td\nInt64\tString\tNullable(Float64)\tInt64\n",
        HEAD "1\tx\n",
        HEAD "1\tx\t1\t2\n",
        HEAD "x\tx\t1\n",
        HEAD "1\tx\tx\n",
        HEAD "\\N\tx\t1\n",
        HEAD "1\tx\\q\t1\n",
        HEAD "1\tx\\\t1\n",
        HEAD "1\tx\t1",
        HEAD "2\tx\t1\n1\tx\t1\n",
        "Code: 241, e.displayText() = DB::Exception: Memory limit\n",
        "\n\n\n",
    };
    struct taken taken;

    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        assert_int_equal(read_answer(answers[i], 7, &taken), STATUS_INPUT);
}

static void test_a_megabyte_comes_through(void **state)
{
    static const size_t size = 1 << 20;
    struct bytes answer = { 0 };
    struct taken taken;

    (void)state;
    bytes_add(&answer, HEAD "1\t", strlen(HEAD "1\t"));
    for (size_t i = 0; i < size; i++)
        bytes_add(&answer, "\\t", 2);
    bytes_add(&answer, "\t1\n", 3);
    assert_int_equal(read_answer(answer.data, 65536, &taken), STATUS_OK);
    assert_int_equal(taken.text_length, size);
    bytes_free(&answer);
}

static void test_out_of_memory(void **state)
{
    struct taken taken;
    status code = STATUS_MEMORY;

    (void)state;
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        memory_fail_at(nth);
        code = read_answer(HEAD "1\tx\t1\n", 7, &taken);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
    }
    code = STATUS_MEMORY;
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        struct clickhouse_url url;

        memory_fail_at(nth);
        code = clickhouse_url_parse("clickhouse://h/d", &url);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        clickhouse_url_free(&url);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_url_has_all_parts),
        cmocka_unit_test(test_urls_that_cannot_be_are_refused),
        cmocka_unit_test(test_rows_go_in_byte_by_byte),
        cmocka_unit_test(test_answers_in_pieces_of_any_size),
        cmocka_unit_test(test_answers_of_something_else_are_refused),
        cmocka_unit_test(test_a_megabyte_comes_through),
        cmocka_unit_test(test_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
