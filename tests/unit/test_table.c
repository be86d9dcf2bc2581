/* test_table.c: tables keep what they were given, whatever happens to the caller's copies, and report the first failure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "table/dialect.h"
#include "table/table.h"

static void keeps_values_of_every_type(void **state)
{
    struct table *table = table_new("sums", "Sums");
    struct table_cell cell;

    (void)state;
    assert_int_equal(table_add_column(table, (struct table_column){ .name = "text" }), 0);
    assert_int_equal(table_add_column(table, (struct table_column){ .name = "integer", .type = CELL_INTEGER }), 1);
    table_add_column(table, (struct table_column){ .name = "decimal", .type = CELL_DECIMAL });
    table_add_column(table, (struct table_column){ .name = "boolean", .type = CELL_BOOLEAN });
    table_add_column(table, (struct table_column){ .name = "duration", .type = CELL_DURATION });
    table_add_column(table, (struct table_column){ .name = "percent", .type = CELL_PERCENT });
    table_add_column(table, (struct table_column){ .name = "bytes", .type = CELL_BYTES });
    table_add_row(table);
    table_set_text(table, 0, "one");
    table_set_integer(table, 1, INT64_MIN);
    table_set_decimal(table, 2, -0.1);
    table_set_boolean(table, 3, true);
    table_set_integer(table, 4, INT64_MAX);
    table_set_decimal(table, 5, NAN);
    table_set_integer(table, 6, 0);
    table_add_row(table);
    table_set_text(table, 0, NULL);
    table_set_boolean(table, 3, false);

    assert_int_equal(table_status(table), STATUS_OK);
    assert_int_equal(table_columns(table), 7);
    assert_int_equal(table_rows(table), 2);
    assert_string_equal(table_cell(table, 0, 0).text, "one");
    assert_true(table_cell(table, 0, 1).integer == INT64_MIN);
    assert_true(table_cell(table, 0, 2).decimal == -0.1);
    assert_true(table_cell(table, 0, 3).boolean);
    assert_true(table_cell(table, 0, 4).integer == INT64_MAX);
    cell = table_cell(table, 0, 5);
    assert_true(!cell.null && isnan(cell.decimal));
    cell = table_cell(table, 0, 6);
    assert_true(!cell.null && cell.integer == 0);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(table_cell(table, 1, i).null, i != 3);
    assert_false(table_cell(table, 1, 3).boolean);
    table_free(table);
}

static void copies_all_texts(void **state)
{
    char name[] = "name", title[] = "title", unit[] = "us", description[] = "What it is.", value[] = "value";
    char table_text[] = "table";
    struct table *table = table_new(table_text, table_text);
    const struct table_column *column;

    (void)state;
    table_add_column(
        table,
        (struct table_column){
            .name = name, .title = title, .unit = unit, .description = description, .optional = true, .bar = true });
    table_add_row(table);
    table_set_text(table, 0, value);
    table_note(table, "%s and %d", value, 7);
    memset(name, 'x', 4);
    memset(title, 'x', 5);
    memset(unit, 'x', 2);
    memset(description, 'x', 11);
    memset(value, 'x', 5);
    memset(table_text, 'x', 5);

    column = table_column(table, 0);
    assert_string_equal(table_name(table), "table");
    assert_string_equal(table_title(table), "table");
    assert_string_equal(column->name, "name");
    assert_string_equal(column->title, "title");
    assert_string_equal(column->unit, "us");
    assert_string_equal(column->description, "What it is.");
    assert_true(column->optional && column->bar);
    assert_string_equal(table_cell(table, 0, 0).text, "value");
    assert_int_equal(table_notes(table), 1);
    assert_string_equal(table_note_at(table, 0), "value and 7");
    table_free(table);
}

static void missing_texts_stay_missing(void **state)
{
    struct table *table = table_new(NULL, NULL);

    (void)state;
    table_add_column(table, (struct table_column){ 0 });
    assert_string_equal(table_name(table), "");
    assert_string_equal(table_title(table), "");
    assert_string_equal(table_column(table, 0)->name, "");
    assert_null(table_column(table, 0)->title);
    assert_null(table_column(table, 0)->unit);
    assert_null(table_column(table, 0)->description);
    assert_int_equal(table_notes(table), 0);
    table_free(table);
    table_free(NULL);
}

static void counts_nulls(void **state)
{
    struct table *table = table_new("t", "");

    (void)state;
    table_add_column(table, (struct table_column){ .name = "a", .type = CELL_INTEGER });
    table_add_column(table, (struct table_column){ .name = "b" });
    assert_int_equal(table_nulls(table, 0), 0);
    for (int i = 0; i < 10; i++) {
        table_add_row(table);
        table_set_integer(table, 0, i);
        table_set_integer(table, 0, i + 1); /* a cell set twice is one cell */
        if (i % 3 == 0)
            table_set_text(table, 1, "");
    }
    assert_int_equal(table_nulls(table, 0), 0);
    assert_int_equal(table_nulls(table, 1), 6);
    assert_int_equal(table_cell(table, 9, 0).integer, 10);
    table_free(table);
}

static void gives_every_column_its_own_name(void **state)
{
    struct table *table = table_new("t", "");

    (void)state;
    table_add_column(table, (struct table_column){ .name = "a", .title = "A" });
    table_add_column(table, (struct table_column){ .name = "a_2" });
    table_add_column(table, (struct table_column){ .name = "a", .title = "A" });
    table_add_column(table, (struct table_column){ .name = "a" });
    assert_string_equal(table_column(table, 0)->name, "a");
    assert_string_equal(table_column(table, 1)->name, "a_2");
    assert_string_equal(table_column(table, 2)->name, "a_3");
    assert_string_equal(table_column(table, 2)->title, "A");
    assert_string_equal(table_column(table, 3)->name, "a_4");
    table_free(table);
}

static void takes_many_columns_and_rows(void **state)
{
    enum { COLUMNS = 130, ROWS = 1000 };
    struct table *table = table_new("t", "");
    char name[16];

    (void)state;
    for (int i = 0; i < COLUMNS; i++) {
        snprintf(name, sizeof name, "c%d", i);
        table_add_column(table, (struct table_column){ .name = name, .type = CELL_INTEGER });
    }
    for (int row = 0; row < ROWS; row++) {
        table_add_row(table);
        for (size_t i = (size_t)(row % 2); i < COLUMNS; i += 2)
            table_set_integer(table, i, row * COLUMNS + (int)i);
    }
    assert_int_equal(table_status(table), STATUS_OK);
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < COLUMNS; i++) {
            struct table_cell cell = table_cell(table, row, i);

            assert_int_equal(cell.null, i % 2 != row % 2);
            if (!cell.null)
                assert_int_equal(cell.integer, row * COLUMNS + i);
        }
    }
    assert_int_equal(table_nulls(table, 129), ROWS / 2);
    table_free(table);
}

static void takes_rows_without_columns(void **state)
{
    struct table *table = table_new("t", "");

    (void)state;
    for (int i = 0; i < 200; i++)
        table_add_row(table);
    assert_int_equal(table_status(table), STATUS_OK);
    assert_int_equal(table_rows(table), 200);
    assert_int_equal(table_columns(table), 0);
    table_free(table);
}

static void takes_long_notes(void **state)
{
    static char text[100000];
    struct table *table = table_new("t", "");

    (void)state;
    memset(text, 'n', sizeof text - 1);
    table_note(table, "%s!", text);
    assert_int_equal(table_status(table), STATUS_OK);
    assert_int_equal(strlen(table_note_at(table, 0)), sizeof text);
    assert_int_equal(table_note_at(table, 0)[sizeof text - 1], '!');
    table_free(table);
}

/* Builds a table of some size; returns its status, STATUS_MEMORY also when there is none. */
static status build(void)
{
    struct table *table = table_new("name", "title");
    char text[32];
    status code;

    if (!table)
        return STATUS_MEMORY;
    for (int i = 0; i < 20; i++)
        table_add_column(table, (struct table_column){ .name = "same", .title = "Title", .unit = "us" });
    for (int row = 0; row < 300; row++) {
        table_add_row(table);
        for (size_t i = 0; i < 20; i += 3) {
            snprintf(text, sizeof text, "text %d %zu", row, i);
            table_set_text(table, i, text);
        }
        table_note(table, "note %d", row);
    }
    code = table_status(table);
    if (code == STATUS_OK)
        assert_string_equal(table_cell(table, 299, 18).text, "text 299 18");
    table_free(table);
    return code;
}

static void every_failed_allocation_is_reported(void **state)
{
    uint64_t nth = 0;
    status code;

    (void)state;
    do {
        memory_fail_at(++nth);
        code = build();
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
    } while (code == STATUS_MEMORY);
    assert_true(nth > 20);
}

static void status_says_what_failed(void **state)
{
    struct table *table = table_new("t", "");

    (void)state;
    memory_fail_at(1);
    table_add_column(table, (struct table_column){ .name = "a" });
    memory_fail_at(0);
    table_add_row(table);
    table_set_text(table, 0, "ignored");
    table_note(table, "ignored");
    status_fail(STATUS_INPUT, "something else");
    assert_int_equal(table_status(table), STATUS_MEMORY);
    assert_string_equal(status_message(), "out of memory while building a table");
    assert_int_equal(table_rows(table), 0);
    table_free(table);
}

static void dialects_are_what_they_say(void **state)
{
    (void)state;
    assert_int_equal(dialect_plain.delimiter, ',');
    assert_int_equal(dialect_pandas.delimiter, ';');
    assert_string_equal(dialect_pandas.yes, "True");
    assert_string_equal(dialect_plain.no, "false");
    assert_true(dialect_pandas.integers_with_nulls_as_decimals);
    assert_false(dialect_plain.integers_with_nulls_as_decimals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_values_of_every_type),          cmocka_unit_test(copies_all_texts),
        cmocka_unit_test(missing_texts_stay_missing),          cmocka_unit_test(counts_nulls),
        cmocka_unit_test(gives_every_column_its_own_name),     cmocka_unit_test(takes_many_columns_and_rows),
        cmocka_unit_test(takes_rows_without_columns),          cmocka_unit_test(takes_long_notes),
        cmocka_unit_test(every_failed_allocation_is_reported), cmocka_unit_test(status_says_what_failed),
        cmocka_unit_test(dialects_are_what_they_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
