/* test_xlsx.c: workbooks are read back with Python's zipfile; what they hold is compared as XML text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output.h"
#include "table/printer.h"
#include "table/xlsx_check.h"

#define PYTHON "/usr/bin/python3"

static char folder[256];    /* everything happens in here */
static char temporary[300]; /* TMPDIR of the tests, to see that nothing is left there */
static char target[300];

static int prepare(void **state)
{
    const char *parent = getenv("TMPDIR");

    (void)state;
    snprintf(folder, sizeof folder, "%s/tacho-xlsx-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    snprintf(temporary, sizeof temporary, "%s/temporary", folder);
    snprintf(target, sizeof target, "%s/table.xlsx", folder);
    return mkdir(temporary, 0700) || setenv("TMPDIR", temporary, 1);
}

static int clean(void **state)
{
    (void)state;
    remove(target);
    rmdir(temporary);
    return rmdir(folder);
}

static bool is_empty(const char *path)
{
    DIR *listing = opendir(path);
    struct dirent *entry;
    bool empty = true;

    assert_non_null(listing);
    while ((entry = readdir(listing)))
        empty = empty && entry->d_name[0] == '.';
    closedir(listing);
    return empty;
}

/* A part of a workbook, to be freed; NULL: there is none. */
static char *part_of(const char *path, const char *name)
{
    char command[1024];
    size_t capacity = 1 << 16, length = 0;
    char *text = malloc(capacity);
    FILE *python;

    assert_non_null(text);
    snprintf(command, sizeof command,
             PYTHON " -c 'import sys, zipfile; z = zipfile.ZipFile(\"%s\"); assert z.testzip() is None; "
                    "sys.stdout.buffer.write(z.read(\"%s\") if \"%s\" in z.namelist() else b\"\")'",
             path, name, name);
    python = popen(command, "r");
    assert_non_null(python);
    for (;;) {
        length += fread(text + length, 1, capacity - length - 1, python);
        if (length < capacity - 1)
            break;
        capacity *= 2;
        text = realloc(text, capacity);
        assert_non_null(text);
    }
    assert_int_equal(pclose(python), 0);
    text[length] = '\0';
    if (length > 0)
        return text;
    free(text);
    return NULL;
}

static void assert_part_has(const char *part, const char *expected)
{
    char *text = part_of(target, part);

    assert_non_null(text);
    if (!strstr(text, expected)) {
        fprintf(stderr, "%s\n", text);
        fail_msg("%s lacks %s", part, expected);
    }
    free(text);
}

static void assert_written(const struct table *const *tables, size_t count, const char *const *names)
{
    status code = xlsx_write(target, tables, count, names);

    if (code != STATUS_OK)
        fail_msg("%s", status_message());
    assert_true(is_empty(temporary));
}

static void cells_are_typed(void **state)
{
    struct table *table = table_new("t", "Numbers");
    const struct table *tables[] = { table };

    (void)state;
    table_add_column(table, (struct table_column){ .name = "text", .title = "A <text>" });
    table_add_column(table, (struct table_column){ .name = "integer", .type = CELL_INTEGER });
    table_add_column(table, (struct table_column){ .name = "decimal", .type = CELL_DECIMAL });
    table_add_column(table, (struct table_column){ .name = "boolean", .type = CELL_BOOLEAN });
    table_add_column(table,
                     (struct table_column){ .name = "duration", .title = "D", .unit = "ns", .type = CELL_DURATION });
    table_add_column(table, (struct table_column){ .name = "other", .title = "E", .type = CELL_DURATION });
    table_add_row(table);
    table_set_text(table, 0, "=1+1 & <b>");
    table_set_integer(table, 1, (int64_t)1 << 53);
    table_set_decimal(table, 2, 0.5);
    table_set_boolean(table, 3, true);
    table_set_integer(table, 4, 12845000);
    table_add_row(table);
    table_set_text(table, 0, "a\x01\xff\r\nb\rc\uFFFE");
    table_set_integer(table, 1, INT64_MAX);
    table_set_decimal(table, 2, NAN);
    table_set_boolean(table, 3, false);
    table_add_row(table);
    table_set_decimal(table, 2, -INFINITY);
    assert_written(tables, 1, NULL);

    assert_part_has("xl/workbook.xml", "<sheets><sheet name=\"Numbers\" sheetId=\"1\" r:id=\"rId1\"/></sheets>");
    assert_part_has("xl/worksheets/sheet1.xml",
                    "<row r=\"1\"><c r=\"A1\" s=\"1\" t=\"inlineStr\"><is><t>A &lt;text&gt;</t></is></c>");
    assert_part_has("xl/worksheets/sheet1.xml",
                    "<t>D [ns]</t></is></c><c r=\"F1\" s=\"1\" t=\"inlineStr\"><is><t>E</t>");
    assert_part_has("xl/worksheets/sheet1.xml",
                    "<row r=\"2\"><c r=\"A2\" t=\"inlineStr\"><is><t>=1+1 &amp; &lt;b&gt;</t></is></c>"
                    "<c r=\"B2\"><v>9007199254740992</v></c><c r=\"C2\"><v>0.5</v></c><c r=\"D2\" t=\"b\"><v>1</v></c>"
                    "<c r=\"E2\"><v>12845000</v></c></row>");
    assert_part_has(
        "xl/worksheets/sheet1.xml",
        "<row r=\"3\"><c r=\"A3\" t=\"inlineStr\"><is><t>a��\nb\nc�</t></is></c>"
        "<c r=\"B3\" t=\"inlineStr\"><is><t>9223372036854775807</t></is></c><c r=\"D3\" t=\"b\"><v>0</v></c></row>");
    assert_part_has("xl/worksheets/sheet1.xml",
                    "<row r=\"4\"><c r=\"C4\" t=\"inlineStr\"><is><t>-inf</t></is></c></row>");
    table_free(table);
}

static void heading_looks_as_pandas_writes_it(void **state)
{
    struct table *table = table_new("t", "T");
    const struct table *tables[] = { table };

    (void)state;
    table_add_column(table, (struct table_column){ .name = "a" });
    assert_written(tables, 1, NULL);
    assert_part_has("xl/styles.xml", "<font><b/>");
    assert_part_has("xl/styles.xml", "<left style=\"thin\">");
    assert_part_has("xl/styles.xml", "<bottom style=\"thin\">");
    assert_part_has("xl/styles.xml", "<alignment horizontal=\"center\" vertical=\"top\"/>");
    table_free(table);
}

static void widths_follow_the_longest_text(void **state)
{
    struct table *table = table_new("t", "T");
    const struct table *tables[] = { table };
    static char longest[400];

    (void)state;
    table_add_column(table, (struct table_column){ .name = "heading is longer" }); /* 17 */
    table_add_column(table, (struct table_column){ .name = "b" });
    table_add_column(table, (struct table_column){ .name = "c", .type = CELL_INTEGER });
    table_add_column(table, (struct table_column){ .name = "d" });
    table_add_column(table, (struct table_column){ .name = "e", .type = CELL_BOOLEAN });
    memset(longest, 'l', sizeof longest - 1);
    table_add_row(table);
    table_set_text(table, 0, "short");
    table_set_text(table, 1, "äöü€日");
    table_set_integer(table, 2, -1234567);
    table_set_text(table, 3, longest);
    table_set_boolean(table, 4, false);
    assert_written(tables, 1, NULL);
    /* Excel adds the room of five pixels: 0.7109375 of a character. */
    assert_part_has("xl/worksheets/sheet1.xml", "<col min=\"1\" max=\"1\" width=\"19.7109375\" customWidth=\"1\"/>"
                                                "<col min=\"2\" max=\"2\" width=\"7.7109375\" customWidth=\"1\"/>"
                                                "<col min=\"3\" max=\"3\" width=\"10.7109375\" customWidth=\"1\"/>"
                                                "<col min=\"4\" max=\"4\" width=\"255.7109375\" customWidth=\"1\"/>"
                                                "<col min=\"5\" max=\"5\" width=\"7.7109375\" customWidth=\"1\"/>");
    table_free(table);
}

static void sheet_names_are_made_legal(void **state)
{
    static const char *const names[] = { "a[b]c:d*e?f/g\\h",
                                         "'quoted'",
                                         "Same",
                                         "same",
                                         "SAME",
                                         NULL,
                                         "0123456789012345678901234567890123456789",
                                         "0123456789012345678901234567890xyz",
                                         "History" };
    enum { COUNT = sizeof names / sizeof *names };
    struct table *table = table_new("fallback", "");
    const struct table *tables[COUNT];

    (void)state;
    table_add_column(table, (struct table_column){ .name = "a" });
    for (size_t i = 0; i < COUNT; i++)
        tables[i] = table;
    assert_written(tables, COUNT, names);
    assert_part_has("xl/workbook.xml", "name=\"a_b_c_d_e_f_g_h\"");
    assert_part_has("xl/workbook.xml", "name=\"_quoted_\"");
    assert_part_has("xl/workbook.xml", "name=\"Same\"");
    assert_part_has("xl/workbook.xml", "name=\"same (2)\"");
    assert_part_has("xl/workbook.xml", "name=\"SAME (3)\"");
    assert_part_has("xl/workbook.xml", "name=\"fallback\"");
    assert_part_has("xl/workbook.xml", "name=\"0123456789012345678901234567890\"");
    assert_part_has("xl/workbook.xml", "name=\"012345678901234567890123456 (2)\"");
    assert_part_has("xl/workbook.xml", "name=\"History (2)\"");
    table_free(table);
}

static void nameless_and_empty_tables_have_a_sheet(void **state)
{
    struct table *nothing = table_new("", "");
    struct table *rows = table_new("", "");
    const struct table *tables[] = { nothing, rows };

    (void)state;
    table_add_row(rows);
    table_add_row(rows);
    assert_written(tables, 2, NULL);
    assert_part_has("xl/workbook.xml", "<sheet name=\"Sheet\" sheetId=\"1\" r:id=\"rId1\"/><sheet name=\"Sheet (2)\"");
    assert_part_has("xl/worksheets/sheet2.xml", "<sheetData/>");
    assert_written(NULL, 0, NULL);
    table_free(nothing);
    table_free(rows);
}

static void notes_have_their_own_sheet(void **state)
{
    struct table *table = table_new("t", "Notes");
    const struct table *tables[] = { table };
    char *text = malloc(40001);

    (void)state;
    assert_non_null(text);
    memset(text, 'x', 40000);
    text[40000] = '\0';
    table_add_column(table, (struct table_column){ .name = "a" });
    table_add_row(table);
    table_set_text(table, 0, text);
    table_note(table, "3 rows were lost");
    assert_written(tables, 1, NULL);
    assert_part_has("xl/workbook.xml", "<sheet name=\"Notes\" sheetId=\"1\" r:id=\"rId1\"/><sheet name=\"Notes (2)\"");
    assert_part_has("xl/worksheets/sheet2.xml",
                    "<t>Notes</t></is></c><c r=\"B2\" t=\"inlineStr\"><is><t>3 rows were lost</t>");
    assert_part_has("xl/worksheets/sheet2.xml", "1 texts were cut");
    text[32767] = '\0';
    assert_part_has("xl/worksheets/sheet1.xml", text);
    table_free(table);
    free(text);
}

static void too_many_rows_are_refused(void **state)
{
    enum { LIMIT = 1048576 };
    struct table *table = table_new("big", "Big");
    const struct table *tables[] = { table };

    (void)state;
    table_add_column(table, (struct table_column){ .name = "a", .type = CELL_INTEGER });
    for (int i = 0; i < LIMIT; i++) {
        table_add_row(table);
        table_set_integer(table, 0, i);
    }
    remove(target);
    assert_int_equal(xlsx_write(target, tables, 1, NULL), STATUS_OUTPUT);
    assert_non_null(strstr(status_message(), "'big' has 1048576 rows"));
    assert_non_null(strstr(status_message(), "1048576 with the heading"));
    assert_int_equal(access(target, F_OK), -1);
    assert_true(is_empty(temporary));
    table_free(table);
}

static struct table *thousands_of_rows(void)
{
    struct table *table = table_new("t", "T");
    char text[64];

    table_add_column(table, (struct table_column){ .name = "a" });
    table_add_column(table, (struct table_column){ .name = "b", .type = CELL_INTEGER });
    for (int i = 0; i < 3000; i++) {
        snprintf(text, sizeof text, "name %d %d", i, i * 7919 % 1000);
        table_add_row(table);
        table_set_text(table, 0, text);
        table_set_integer(table, 1, i * 31);
    }
    return table;
}

static void missing_folders_are_made(void **state)
{
    struct table *table = table_new("t", "T");
    const struct table *tables[] = { table };
    char path[400], inner[350], outer[320];

    (void)state;
    snprintf(outer, sizeof outer, "%s/one", folder);
    snprintf(inner, sizeof inner, "%s/two", outer);
    snprintf(path, sizeof path, "%s/t.xlsx", inner);
    table_add_column(table, (struct table_column){ .name = "a" });
    assert_int_equal(xlsx_write(path, tables, 1, NULL), STATUS_OK);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(inner), 0); /* fails when something is left in it */
    assert_int_equal(rmdir(outer), 0);
    assert_int_equal(xlsx_write("/dev/null/t.xlsx", tables, 1, NULL), STATUS_OUTPUT);
    assert_true(is_empty(temporary));
    table_free(table);
}

static void failures_leave_the_old_file(void **state)
{
    struct table *table = thousands_of_rows();
    const struct table *tables[] = { table };
    FILE *old = fopen(target, "w");
    char text[16] = "";

    (void)state;
    assert_non_null(old);
    fputs("old", old);
    fclose(old);
    output_fail_at(1);
    assert_int_equal(xlsx_write(target, tables, 1, NULL), STATUS_OUTPUT);
    output_fail_at(0);
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_int_equal(xlsx_write(target, tables, 1, NULL), STATUS_OUTPUT);
    assert_non_null(strstr(status_message(), "/nowhere/at/all"));
    setenv("TMPDIR", temporary, 1);
    old = fopen(target, "r");
    assert_non_null(old);
    assert_non_null(fgets(text, sizeof text, old));
    fclose(old);
    assert_string_equal(text, "old");
    assert_true(is_empty(temporary));
    table_free(table);
}

static void failed_allocations_are_reported(void **state)
{
    struct table *table = table_new("t", "T");
    const struct table *tables[] = { table };
    uint64_t nth = 0;
    status code;

    (void)state;
    table_add_column(table, (struct table_column){ .name = "a", .unit = "us" });
    table_add_row(table);
    table_set_text(table, 0, "x");
    table_note(table, "note");
    do {
        remove(target);
        memory_fail_at(++nth);
        code = xlsx_write(target, tables, 1, NULL);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        assert_int_equal(access(target, F_OK), code == STATUS_OK ? 0 : -1);
        assert_true(is_empty(temporary));
    } while (code == STATUS_MEMORY);
    assert_true(nth > 5);
    table_free(table);
}

/* Writes in a child whose files may not grow beyond `limit`; returns its status. */
static int write_limited(const struct table *const *tables, rlim_t limit)
{
    pid_t child = fork();
    int result;

    assert_true(child >= 0);
    if (child == 0) {
        int silent = open("/dev/null", O_WRONLY);

        dup2(silent, STDERR_FILENO); /* the library complains there */
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){ limit, limit });
        _exit((int)xlsx_write(target, tables, 1, NULL));
    }
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    return WEXITSTATUS(result);
}

/* The library itself does not notice: without the check, rows would be missing from a file that reads well. */
static void full_temporary_folder_is_noticed(void **state)
{
    struct table *table = thousands_of_rows();
    const struct table *tables[] = { table };
    char *text;
    size_t size;

    (void)state;
    assert_written(tables, 1, NULL);
    text = part_of(target, "xl/worksheets/sheet1.xml");
    assert_non_null(text);
    size = strlen(text);
    free(text);
    /* The rows are written to one file, then the whole sheet to another: a bit longer. */
    for (size_t missing = 0; missing < 1200; missing += 50) {
        remove(target);
        assert_int_equal(write_limited(tables, (rlim_t)(size - missing)), missing == 0 ? STATUS_OK : STATUS_OUTPUT);
        assert_int_equal(access(target, F_OK), missing == 0 ? 0 : -1);
        assert_true(is_empty(temporary));
    }
    assert_int_equal(write_limited(tables, 100), STATUS_OUTPUT);
    table_free(table);
}

static void check_sees_what_is_missing(void **state)
{
    struct table *table = thousands_of_rows();
    const struct table *tables[] = { table };
    uint64_t rows;
    char *text, *start;
    off_t size;
    int file;

    (void)state;
    assert_written(tables, 1, NULL);
    text = part_of(target, "xl/worksheets/sheet1.xml");
    assert_non_null(text);
    start = strstr(text, "<sheetData>") + strlen("<sheetData>");
    rows = (uint64_t)(strstr(start, "</sheetData>") - start);
    free(text);
    file = open(target, O_RDWR);
    assert_true(file >= 0);
    assert_int_equal(xlsx_check(file, &rows, 1), STATUS_OK);
    rows++;
    assert_int_equal(xlsx_check(file, &rows, 1), STATUS_OUTPUT);
    rows--;
    size = lseek(file, 0, SEEK_END);
    /* A byte in the middle of the packed rows. */
    assert_int_equal(pwrite(file, "\0\0\0\0", 4, size / 2), 4);
    assert_int_equal(xlsx_check(file, &rows, 1), STATUS_OUTPUT);
    for (off_t left = size - 1; left > 0; left = left * 2 / 3) {
        assert_int_equal(ftruncate(file, left), 0);
        assert_int_equal(xlsx_check(file, &rows, 1), STATUS_OUTPUT);
    }
    assert_int_equal(ftruncate(file, 0), 0);
    assert_int_equal(xlsx_check(file, &rows, 1), STATUS_OUTPUT);
    close(file);
    table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_typed),
        cmocka_unit_test(heading_looks_as_pandas_writes_it),
        cmocka_unit_test(widths_follow_the_longest_text),
        cmocka_unit_test(sheet_names_are_made_legal),
        cmocka_unit_test(nameless_and_empty_tables_have_a_sheet),
        cmocka_unit_test(notes_have_their_own_sheet),
        cmocka_unit_test(too_many_rows_are_refused),
        cmocka_unit_test(missing_folders_are_made),
        cmocka_unit_test(failures_leave_the_old_file),
        cmocka_unit_test(failed_allocations_are_reported),
        cmocka_unit_test(full_temporary_folder_is_noticed),
        cmocka_unit_test(check_sees_what_is_missing),
    };

    return cmocka_run_group_tests(tests, prepare, clean);
}
