/* test_printers.c: every printer on every kind of table; CSV against real files, text against files that a person has looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/format.h"
#include "base/memory.h"
#include "page/formats.h"
#include "table/json.h"
#include "table/printer.h"

/* ---- help ---- */

/* What a printer writes, to be freed. */
static char *print(const struct printer *printer, const struct table *table, const struct printer_style *style)
{
    struct output *output;
    const char *data;
    size_t length;
    char *text;

    assert_int_equal(output_open_memory(&output), STATUS_OK);
    printer_write(printer, output, table, style);
    data = output_memory(output, &length);
    assert_non_null(data);
    assert_int_equal(strlen(data), length);
    text = strdup(data);
    output_abandon(output);
    return text;
}

static void assert_prints(const struct printer *printer, const struct table *table, const struct printer_style *style,
                          const char *expected)
{
    char *text = print(printer, table, style);

    assert_string_equal(text, expected);
    free(text);
}

/* A file of the test data, to be freed. */
static char *load(const char *name)
{
    const char *folder = getenv("TACHO_TEST_DATA");
    char path[1024];
    char *text = NULL;
    size_t length;
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder ? folder : "tests/data", name);
    file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is missing", path);
    fseek(file, 0, SEEK_END);
    length = (size_t)ftell(file);
    rewind(file);
    text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, length, file), length);
    text[length] = '\0';
    fclose(file);
    return text;
}

static struct table *sample(void)
{
    static const char *const names[] = { "tosa.conv2d@L4", "tosa.rescale@L6 + tosa.add@L5 + tosa.clamp@L9",
                                         "bad\033[31m\nline\xff", "日本語の演算子", "e\xcc\x81tude" };
    struct table *table = table_new("operators", "Operators by time");

    table_add_column(table, (struct table_column){ .name = "operator", .title = "Operator", .description = "<What>" });
    table_add_column(table, (struct table_column){ .name = "engine", .title = "Engine", .optional = true });
    table_add_column(table, (struct table_column){ .name = "count", .title = "Count", .type = CELL_INTEGER });
    table_add_column(
        table, (struct table_column){ .name = "total", .title = "Total time", .unit = "ns", .type = CELL_DURATION });
    table_add_column(table, (struct table_column){
                                .name = "share", .title = "Share", .unit = "%", .type = CELL_PERCENT, .bar = true });
    table_add_column(table, (struct table_column){ .name = "bytes", .title = "Read", .unit = "B", .type = CELL_BYTES });
    table_add_column(table,
                     (struct table_column){ .name = "rate", .title = "Rate", .unit = "GB/s", .type = CELL_DECIMAL });
    table_add_column(
        table, (struct table_column){ .name = "hidden", .title = "Hidden", .type = CELL_BOOLEAN, .optional = true });
    for (int i = 0; i < 5; i++) {
        table_add_row(table);
        table_set_text(table, 0, names[i]);
        table_set_text(table, 1, i % 2 ? "dma in" : "slice 0");
        table_set_integer(table, 2, i * i * i * 12);
        table_set_integer(table, 3, (int64_t)12845000 >> (i * 3));
        table_set_decimal(table, 4, i == 4 ? 100 : 61.2 / (i * i * i + 1));
        if (i == 2)
            continue;
        table_set_integer(table, 5, 1280 << (i * 3));
        table_set_decimal(table, 6, 1.25 * i);
        table_set_boolean(table, 7, i % 2);
    }
    table_add_row(table);
    table_note(table,
               "%d rows of the input could not be used: the first is line %d, where the field task_id is no number", 3,
               17);
    return table;
}

/* ---- JSON ---- */

static const char *skip_value(const char *cursor, unsigned depth);

static const char *skip_blanks(const char *cursor)
{
    return cursor + strspn(cursor, " \n");
}

static const char *skip_string(const char *cursor)
{
    assert_int_equal(*cursor++, '"');
    while (*cursor != '"') {
        assert_true((unsigned char)*cursor >= 0x20);
        if (*cursor == '\\') {
            cursor++;
            assert_non_null(strchr("\"\\/bfnrtu", *cursor));
            for (int i = 0; *cursor == 'u' && i < 4; i++)
                assert_true(isxdigit((unsigned char)cursor[i + 1]));
        }
        cursor++;
    }
    return cursor + 1;
}

static const char *skip_members(const char *cursor, char end, unsigned depth)
{
    cursor = skip_blanks(cursor + 1);
    if (*cursor == end)
        return cursor + 1;
    for (;;) {
        if (end == '}') {
            cursor = skip_blanks(skip_string(cursor));
            assert_int_equal(*cursor++, ':');
        }
        cursor = skip_blanks(skip_value(cursor, depth + 1));
        if (*cursor == end)
            return cursor + 1;
        assert_int_equal(*cursor, ',');
        cursor = skip_blanks(cursor + 1);
    }
}

/* Fails the test where the text is no JSON. */
static const char *skip_value(const char *cursor, unsigned depth)
{
    static const char *const words[] = { "null", "true", "false" };
    char *end;

    assert_true(depth < 10);
    cursor = skip_blanks(cursor);
    if (*cursor == '{' || *cursor == '[')
        return skip_members(cursor, *cursor == '{' ? '}' : ']', depth);
    if (*cursor == '"')
        return skip_string(cursor);
    for (size_t i = 0; i < 3; i++) {
        if (strncmp(cursor, words[i], strlen(words[i])) == 0)
            return cursor + strlen(words[i]);
    }
    assert_true(*cursor == '-' || isdigit((unsigned char)*cursor));
    strtod(cursor, &end);
    return end;
}

static void assert_json_string(const char *data, size_t length, const char *expected)
{
    struct output *output;
    size_t size;

    assert_int_equal(output_open_memory(&output), STATUS_OK);
    json_write_string(output, data, length);
    assert_string_equal(output_memory(output, &size), expected);
    output_abandon(output);
}

static void json_strings_are_escaped(void **state)
{
    (void)state;
    assert_json_string("", 0, "\"\"");
    assert_json_string("plain", 5, "\"plain\"");
    assert_json_string("cut here", 3, "\"cut\"");
    assert_json_string("\"\\\b\f\n\r\t", 7, "\"\\\"\\\\\\b\\f\\n\\r\\t\"");
    assert_json_string("a\0b\x1f\x7f", 5, "\"a\\u0000b\\u001f\x7f\"");
    assert_json_string("é€😀", 9, "\"é€😀\"");
    assert_json_string("</script><!--<b>", 16, "\"\\u003c/script>\\u003c!--<b>\"");
    assert_json_string("<", 1, "\"<\"");
}

static void json_replaces_what_is_no_utf8(void **state)
{
    (void)state;
    assert_json_string("\xff", 1, "\"�\"");
    assert_json_string("a\x80z", 3, "\"a�z\"");
    assert_json_string("\xc3", 1, "\"�\""); /* cut in the middle */
    assert_json_string("\xe2\x82", 2, "\"�\"");
    assert_json_string("\xe2\x82z", 3, "\"�z\"");
    assert_json_string("\xc0\xaf", 2, "\"��\""); /* overlong */
    assert_json_string("\xe0\x80\xaf", 3, "\"���\"");
    assert_json_string("\xed\xa0\x80", 3, "\"���\"");      /* surrogate */
    assert_json_string("\xf4\x90\x80\x80", 4, "\"����\""); /* above U+10FFFF */
    assert_json_string("\xf5\x80", 2, "\"��\"");
    assert_json_string("\xf0\x9f\x98", 3, "\"�\"");
    assert_json_string("\xef\xbf\xbd", 3, "\"�\""); /* a true one */
    assert_json_string("é", 1, "\"�\"");            /* never past the length */
}

static void json_numbers_are_exact(void **state)
{
    static const double decimals[] = { 0.1, 1e300, -0.0, NAN, INFINITY, 12 };
    struct output *output;
    size_t size;

    (void)state;
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    json_write_integer(output, INT64_MIN);
    output_write(output, " ", 1);
    json_write_integer(output, INT64_MAX);
    for (size_t i = 0; i < sizeof decimals / sizeof *decimals; i++) {
        output_write(output, " ", 1);
        json_write_decimal(output, decimals[i]);
    }
    assert_string_equal(output_memory(output, &size),
                        "-9223372036854775808 9223372036854775807 0.1 1e+300 -0.0 null null 12.0");
    output_abandon(output);
}

static void json_table_is_complete(void **state)
{
    struct table *table = table_new("t", "Ti\"tle");

    (void)state;
    table_add_column(table,
                     (struct table_column){ .name = "a", .unit = "us", .type = CELL_INTEGER, .description = "D." });
    table_add_column(table, (struct table_column){ .name = "b", .title = "B", .type = CELL_BOOLEAN });
    table_add_row(table);
    table_set_integer(table, 0, INT64_MAX);
    table_set_boolean(table, 1, true);
    table_add_row(table);
    table_note(table, "one");
    table_note(table, "two");
    assert_prints(
        &json_printer, table, NULL,
        "{\n  \"name\": \"t\",\n  \"title\": \"Ti\\\"tle\",\n  \"columns\": [\n"
        "    {\"name\": \"a\", \"title\": \"a\", \"unit\": \"us\", \"type\": \"integer\", \"description\": \"D.\"},\n"
        "    {\"name\": \"b\", \"title\": \"B\", \"unit\": null, \"type\": \"boolean\", \"description\": null}\n"
        "  ],\n  \"rows\": [\n    {\"a\": 9223372036854775807, \"b\": true},\n    {\"a\": null, \"b\": null}\n"
        "  ],\n  \"notes\": [\n    \"one\",\n    \"two\"\n  ]\n}\n");
    table_free(table);
}

static void json_reads_as_json(void **state)
{
    struct table *table = sample();
    char *text = print(&json_printer, table, NULL);

    (void)state;
    assert_string_equal(skip_blanks(skip_value(text, 0)), "");
    if (access("/usr/bin/python3", X_OK) == 0) {
        FILE *python = popen("/usr/bin/python3 -c 'import json, sys\n"
                             "t = json.load(sys.stdin)\n"
                             "assert t[\"rows\"][2][\"operator\"] == \"bad\\x1b[31m\\nline\\ufffd\"\n"
                             "assert t[\"rows\"][1][\"share\"] == 61.2 / 2\n"
                             "assert len(t[\"rows\"]) == 6 and len(t[\"columns\"]) == 8 and len(t[\"notes\"]) == 1'",
                             "w");

        assert_non_null(python);
        fputs(text, python);
        assert_int_equal(pclose(python), 0);
    }
    free(text);
    table_free(table);
}

/* ---- CSV ---- */

/* Cuts the next field off a line of a semicolon CSV, in place. `*more` says whether another follows on the line. */
static char *next_field(char **cursor, bool *more)
{
    char *field = *cursor, *to = field, *from = field;
    bool quoted = *from == '"';

    from += quoted;
    while (*from && (quoted || (*from != ';' && *from != '\n'))) {
        if (quoted && *from == '"') {
            if (from[1] != '"') {
                from++;
                break;
            }
            from++;
        }
        *to++ = *from++;
    }
    *more = *from == ';';
    *cursor = *from ? from + 1 : from;
    *to = '\0';
    return field;
}

/* One letter per column: i integer, b boolean, t text. Empty fields are nulls. */
static struct table *table_of(char *csv, const char *types)
{
    struct table *table = table_new("golden", "");
    size_t columns = strlen(types);
    bool more = true;

    for (size_t i = 0; i < columns; i++) {
        enum cell_type type = types[i] == 'i' ? CELL_INTEGER : types[i] == 'b' ? CELL_BOOLEAN : CELL_TEXT;

        assert_true(more);
        table_add_column(table, (struct table_column){ .name = next_field(&csv, &more), .type = type });
    }
    assert_false(more);
    while (*csv) {
        table_add_row(table);
        for (size_t i = 0; i < columns; i++) {
            const char *field = next_field(&csv, &more);

            if (*field && types[i] == 'i')
                table_set_integer(table, i, strtoll(field, NULL, 10));
            else if (*field && types[i] == 'b')
                table_set_boolean(table, i, strcmp(field, "True") == 0);
            else if (*field)
                table_set_text(table, i, field);
        }
    }
    assert_int_equal(table_status(table), STATUS_OK);
    return table;
}

static void csv_is_what_pandas_writes(void **state)
{
    static const struct {
        const char *name;
        const char *types;
        size_t rows;
    } files[] = {
        { "csv/annotated_A1.csv", "ititiiibbbb", 15 },
        { "csv/annotated_A2.csv", "ittttiibbbbbbiit", 22 },
        { "csv/annotated_A4.csv", "iitttibbbbbbiit", 20 },
    };
    const struct printer_style style = { .dialect = &dialect_pandas };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *golden = load(files[i].name);
        char *copy = strdup(golden);
        struct table *table = table_of(copy, files[i].types);

        assert_int_equal(table_rows(table), files[i].rows);
        assert_prints(&csv_printer, table, &style, golden);
        table_free(table);
        free(copy);
        free(golden);
    }
}

static struct table *odd_values(void)
{
    struct table *table = table_new("odd", "Odd");

    table_add_column(table, (struct table_column){ .name = "t", .title = "A;b", .unit = "\"" });
    table_add_column(table, (struct table_column){ .name = "i", .type = CELL_INTEGER, .title = "I,", .unit = "us" });
    table_add_column(table, (struct table_column){ .name = "d", .type = CELL_DECIMAL });
    table_add_column(table, (struct table_column){ .name = "b", .type = CELL_BOOLEAN, .title = "B" });
    table_add_row(table);
    table_set_text(table, 0, "a;b,c");
    table_set_integer(table, 1, 7);
    table_set_decimal(table, 2, 12);
    table_set_boolean(table, 3, true);
    table_add_row(table);
    table_set_text(table, 0, "say \"x\"");
    table_set_decimal(table, 2, 1e-5);
    table_set_boolean(table, 3, false);
    table_add_row(table);
    table_set_text(table, 0, "\r");
    table_set_integer(table, 1, -1);
    table_set_decimal(table, 2, NAN);
    table_add_row(table);
    table_set_text(table, 0, "l\nm");
    table_set_decimal(table, 2, -INFINITY);
    return table;
}

static void csv_quotes_only_where_needed(void **state)
{
    const struct printer_style pandas = { .dialect = &dialect_pandas };
    struct dialect titled = dialect_plain;
    const struct printer_style titles = { .dialect = &titled };
    struct table *table = odd_values();
    char *text;

    (void)state;
    assert_prints(&csv_printer, table, NULL,
                  "t,i,d,b\n\"a;b,c\",7,12.0,true\n\"say \"\"x\"\"\",,1e-05,false\n\"\r\",-1,,\n\"l\nm\",,-inf,\n");
    assert_prints(&csv_printer, table, &pandas,
                  "t;i;d;b\n\"a;b,c\";7.0;12.0;True\n\"say \"\"x\"\"\";;1e-05;False\n\"\r\";-1.0;;\n\"l\nm\";;-inf;\n");
    titled.titles = true;
    titled.line_end = "\r\n";
    text = print(&csv_printer, table, &titles);
    assert_int_equal(strncmp(text, "\"A;b [\"\"]\",\"I, [us]\",d,B\r\n", 26), 0);
    free(text);
    table_free(table);
}

static void csv_of_one_column_has_no_blank_lines(void **state)
{
    struct table *table = table_new("one", "");

    (void)state;
    table_add_column(table, (struct table_column){ .name = "a" });
    table_add_row(table);
    table_add_row(table);
    table_set_text(table, 0, "x");
    assert_prints(&csv_printer, table, NULL, "a\n\"\"\nx\n");
    table_free(table);
}

/* ---- text ---- */

static void assert_text_file(const struct table *table, struct printer_style style, const char *name)
{
    char *expected = load(name);

    assert_prints(&text_printer, table, &style, expected);
    free(expected);
}

static void text_looks_as_it_was_seen(void **state)
{
    struct table *table = sample();

    (void)state;
    assert_text_file(table, (struct printer_style){ .bars = true }, "text/unlimited.txt");
    assert_text_file(table, (struct printer_style){ .bars = true, .width = 125 }, "text/width_125.txt");
    assert_text_file(table, (struct printer_style){ .bars = true, .width = 80 }, "text/width_80.txt");
    assert_text_file(table, (struct printer_style){ .bars = true, .width = 80, .colour = true },
                     "text/width_80_colour.txt");
    table_free(table);
}

/* Width of the widest line, and no line ends with a blank. */
static size_t widest_line(const char *text)
{
    size_t widest = 0;

    while (*text) {
        size_t length = strcspn(text, "\n");
        size_t width = format_width(text, length);

        assert_true(length == 0 || text[length - 1] != ' ');
        widest = width > widest ? width : widest;
        text += length + 1;
    }
    return widest;
}

static void text_fits_the_width(void **state)
{
    struct table *table = sample();

    (void)state;
    for (unsigned width = 60; width < 180; width++) {
        char *text = print(&text_printer, table, &(struct printer_style){ .width = width, .bars = true });

        assert_true(widest_line(text) <= width);
        /* Shown, or named as left out: last either way. */
        assert_non_null(strstr(text, "Hidden\n"));
        free(text);
    }
    table_free(table);
}

static void text_too_narrow_keeps_the_values(void **state)
{
    struct table *table = sample();
    char *text = print(&text_printer, table, &(struct printer_style){ .width = 1, .bars = true });

    (void)state;
    assert_non_null(strstr(text, "12.845ms"));
    assert_non_null(strstr(text, "640.00 KiB"));
    assert_non_null(strstr(text, "100.00%"));
    assert_null(strstr(text, "█"));
    free(text);
    table_free(table);
}

static void text_does_not_drive_the_terminal(void **state)
{
    struct table *table = table_new("t", "ti\033]0;x\atle");
    char *text;

    (void)state;
    table_add_column(table, (struct table_column){ .name = "\033[2J" });
    table_add_row(table);
    table_set_text(table, 0, "\033[1m \x9b\x31m \xc2\x9b \x7f \t\r\n \u202e \u2028 \u2066 \x01");
    table_note(table, "no\033te\r\u202e");
    text = print(&text_printer, table, &(struct printer_style){ 0 });
    for (const char *cursor = text; *cursor; cursor++)
        assert_true(*cursor == '\n' || ((unsigned char)*cursor >= 0x20 && *cursor != 0x7f));
    assert_null(strstr(text, "\xc2\x9b"));
    assert_null(strstr(text, "\u202e"));
    assert_null(strstr(text, "\u2028"));
    assert_null(strstr(text, "\u2066"));
    assert_non_null(strstr(text, "\\t\\r\\n"));
    free(text);
    table_free(table);
}

static void bars_have_the_right_length(void **state)
{
    static const double values[] = { 0, 0.01, 0.625, 2.5, 50, 100, 250, -5, NAN };
    struct table *table = table_new("t", "");

    (void)state;
    table_add_column(table, (struct table_column){ .name = "p", .type = CELL_PERCENT, .bar = true });
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        table_add_row(table);
        table_set_decimal(table, 0, values[i]);
    }
    assert_prints(&text_printer, table, &(struct printer_style){ .bars = true },
                  "      p\n────────────────────────────\n"
                  "  0.00%\n  0.01% ▏\n  0.62% ▏\n  2.50% ▌\n 50.00% ██████████\n100.00% ████████████████████\n"
                  "250.00% ████████████████████\n -5.00%\n   nan%\n");
    assert_prints(
        &text_printer, table, &(struct printer_style){ .bars = true, .width = 11 },
        "      p\n───────\n  0.00%\n  0.01%\n  0.62%\n  2.50%\n 50.00%\n100.00%\n250.00%\n -5.00%\n   nan%\n");
    table_free(table);
}

static void text_without_memory_loses_no_value(void **state)
{
    struct table *table = sample();
    struct output *output;
    const char *text;
    size_t length;

    (void)state;
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    memory_fail_at(1);
    printer_write(&text_printer, output, table, &(struct printer_style){ .width = 40, .bars = true });
    memory_fail_at(0);
    text = output_memory(output, &length);
    assert_non_null(text);
    assert_non_null(strstr(
        text, "tosa.rescale@L6 + tosa.add@L5 + tosa.clamp@L9  dma in  12  1.606ms  30.60%  10.00 KiB  1.250  yes\n"));
    output_abandon(output);
    table_free(table);
}

static void numbers_read_well(void **state)
{
    static const double decimals[] = { 0, 1234567.8916, 1e15, -1e-9, 1.7e308, 0.0005, INFINITY, NAN };
    static const int64_t bytes[] = { INT64_MIN, -640, 0, INT64_MAX };
    struct table *table = table_new("t", "");

    (void)state;
    table_add_column(table, (struct table_column){ .name = "d", .type = CELL_DECIMAL });
    table_add_column(table, (struct table_column){ .name = "b", .type = CELL_BYTES });
    for (size_t i = 0; i < sizeof decimals / sizeof *decimals; i++) {
        table_add_row(table);
        table_set_decimal(table, 0, decimals[i]);
        table_set_integer(table, 1, bytes[i % 4]);
    }
    assert_prints(
        &markdown_printer, table, NULL,
        "| d | b |\n| ---: | ---: |\n| 0.000 | -8.00 EiB |\n| 1234567.892 | -640 B |\n| 1e+15 | 0 B |\n"
        "| -1e-09 | 8.00 EiB |\n| 1.7e+308 | -8.00 EiB |\n| 0.001 | -640 B |\n| inf | 0 B |\n| nan | 8.00 EiB |\n");
    table_free(table);
}

/* ---- markdown and HTML ---- */

static void markdown_escapes_markup(void **state)
{
    struct table *table = table_new("t", "A|*b*");

    (void)state;
    table_add_column(table, (struct table_column){ .name = "n|m", .unit = "us", .type = CELL_INTEGER });
    table_add_column(table, (struct table_column){ .name = "t" });
    table_add_row(table);
    table_set_text(table, 1, "a|b\\ `c` *d* <e> &f; [g](h) ~~i~~");
    table_add_row(table);
    table_set_integer(table, 0, -5);
    table_set_text(table, 1, "conv2d_0 __HAL__.x _y_ a__b\r\nnext\nlast\rend\x01\xff");
    table_note(table, "n_1\n* x");
    assert_prints(&markdown_printer, table, NULL,
                  "## A\\|\\*b\\*\n\n| n\\|m \\[us] | t |\n| ---: | --- |\n"
                  "|  | a\\|b\\\\ \\`c\\` \\*d\\* &lt;e> &amp;f; \\[g](h) \\~\\~i\\~\\~ |\n"
                  "| -5 | conv2d_0 \\_\\_HAL\\_\\_.x \\_y\\_ a\\_\\_b<br>next<br>last<br>end�� |\n"
                  "\n- n_1<br>\\* x\n");
    table_free(table);
}

static void html_escapes_everything(void **state)
{
    struct table *table = table_new("t", "<script>&");

    (void)state;
    table_add_column(table, (struct table_column){ .name = "<n>", .description = "\"' onload=x", .unit = "<u>" });
    table_add_column(table, (struct table_column){ .name = "p", .type = CELL_PERCENT, .bar = true, .unit = "%" });
    table_add_column(table, (struct table_column){ .name = "d", .type = CELL_DURATION });
    table_add_row(table);
    table_set_text(table, 0, "</td>\x1b\xff'\"");
    table_set_decimal(table, 1, 150);
    table_set_integer(table, 2, 12845000);
    table_add_row(table);
    table_note(table, "<b>note</b>");
    assert_prints(
        &html_printer, table, NULL,
        "<section>\n<h2>&lt;script&gt;&amp;</h2>\n<div class=\"table\" tabindex=\"0\" role=\"group\" "
        "aria-label=\"&lt;script&gt;&amp;\"><table>\n<thead><tr>"
        "<th scope=\"col\" title=\"&quot;&#39; onload=x\">&lt;n&gt; <small>[&lt;u&gt;]</small></th>"
        "<th scope=\"col\" class=\"number barred\">p</th><th scope=\"col\" "
        "class=\"number\">d</th></tr></thead>\n<tbody>\n"
        "<tr><td>&lt;/td&gt;��&#39;&quot;</td><td class=\"number\">150.00%<svg class=\"bar\" aria-hidden=\"true\">"
        "<rect width=\"100.00%\" height=\"100%\"/></svg></td><td class=\"number\" title=\"12845000 "
        "ns\">12.845ms</td></tr>\n"
        "<tr><td></td><td class=\"number\"></td><td class=\"number\"></td></tr>\n"
        "</tbody>\n</table></div>\n<ul class=\"notes\">\n<li>&lt;b&gt;note&lt;/b&gt;</li>\n</ul>\n</section>\n");
    table_free(table);
}

static void html_page_is_whole(void **state)
{
    struct table *table = sample();
    struct output *output;
    const char *page;
    size_t length;

    (void)state;
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    html_page_begin(output, "A <title> {{body}}");
    printer_write(&html_printer, output, table, NULL);
    html_page_end(output);
    page = output_memory(output, &length);
    assert_non_null(page);
    assert_int_equal(strncmp(page, "<!DOCTYPE html>\n", 16), 0);
    assert_non_null(strstr(page, "<title>A &lt;title&gt; {{body}}</title>"));
    assert_non_null(strstr(page, "<h1>A &lt;title&gt; {{body}}</h1>"));
    assert_non_null(strstr(page, "prefers-color-scheme: dark"));
    assert_non_null(strstr(page, "<main>\n<section>"));
    assert_non_null(strstr(page, "</section>\n</main>\n</body>\n</html>\n"));
    assert_null(strstr(page, "{{style}}"));
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "://"));
    assert_non_null(strstr(page, "content=\"default-src 'none'; style-src 'sha256-"));
    assert_null(strstr(page, "style=\""));
    output_abandon(output);
    table_free(table);
}

/* ---- all ---- */

static void printers_are_found_by_suffix(void **state)
{
    (void)state;
    assert_ptr_equal(printer_for_suffix("a.txt"), &text_printer);
    assert_ptr_equal(printer_for_suffix("folder.md/a.csv"), &csv_printer);
    assert_ptr_equal(printer_for_suffix("a.csv.gz"), &csv_printer);
    assert_ptr_equal(printer_for_suffix("a.json.zst"), &json_printer);
    assert_ptr_equal(printer_for_suffix("a.md"), &markdown_printer);
    assert_ptr_equal(printer_for_suffix("a.b.html"), &html_printer);
    assert_null(printer_for_suffix("a.xlsx"));
    assert_null(printer_for_suffix("csv"));
    assert_null(printer_for_suffix(".gz"));
    assert_null(printer_for_suffix(""));
    assert_null(printer_for_suffix("a.csv/b"));
}

static void empty_tables_are_fine(void **state)
{
    struct table *nothing = table_new("nothing", "");
    struct table *rows_only = table_new("rows", "Rows");
    struct table *columns_only = table_new("columns", "");

    (void)state;
    table_add_row(rows_only);
    table_add_row(rows_only);
    table_note(rows_only, "why");
    table_add_column(columns_only, (struct table_column){ .name = "a", .optional = true });
    table_add_column(columns_only, (struct table_column){ .name = "b", .type = CELL_PERCENT, .bar = true });

    assert_prints(&text_printer, nothing, NULL, "");
    assert_prints(&text_printer, rows_only, NULL, "Rows\nnote: why\n");
    assert_prints(&text_printer, columns_only, NULL, "a  b\n────\n(no rows)\n");
    assert_prints(&csv_printer, nothing, NULL, "");
    assert_prints(&csv_printer, rows_only, NULL, "");
    assert_prints(&csv_printer, columns_only, NULL, "a,b\n");
    assert_prints(
        &json_printer, nothing, NULL,
        "{\n  \"name\": \"nothing\",\n  \"title\": \"\",\n  \"columns\": [],\n  \"rows\": [],\n  \"notes\": []\n}\n");
    assert_prints(
        &json_printer, rows_only, NULL,
        "{\n  \"name\": \"rows\",\n  \"title\": \"Rows\",\n  \"columns\": [],\n  \"rows\": [\n    {},\n    {}\n  ],\n"
        "  \"notes\": [\n    \"why\"\n  ]\n}\n");
    assert_prints(&markdown_printer, nothing, NULL, "");
    assert_prints(&markdown_printer, rows_only, NULL, "## Rows\n\n- why\n");
    assert_prints(&markdown_printer, columns_only, NULL, "| a | b |\n| --- | ---: |\n");
    assert_prints(&html_printer, nothing, NULL, "<section>\n</section>\n");
    assert_prints(&html_printer, rows_only, NULL,
                  "<section>\n<h2>Rows</h2>\n<ul class=\"notes\">\n<li>why</li>\n</ul>\n</section>\n");
    table_free(nothing);
    table_free(rows_only);
    table_free(columns_only);
}

static void long_texts_go_through_every_printer(void **state)
{
    enum { LENGTH = 1000000 };
    struct table *table = table_new("long", "");
    char *value = malloc(LENGTH + 1);

    (void)state;
    assert_non_null(value);
    memset(value, 'v', LENGTH);
    value[LENGTH] = '\0';
    table_add_column(table, (struct table_column){ .name = "a" });
    table_add_column(table, (struct table_column){ .name = "b", .type = CELL_INTEGER });
    table_add_row(table);
    table_set_text(table, 0, value);
    table_note(table, "%s", value);
    for (size_t i = 0; printers[i]; i++) {
        char *text = print(printers[i], table, NULL);

        assert_non_null(strstr(text, value));
        free(text);
        text = print(printers[i], table, &(struct printer_style){ .width = 80, .colour = true, .bars = true });
        if (printers[i] == &text_printer)
            assert_true(widest_line(text) <= 80 + 8); /* the codes for bold count as characters here */
        else
            assert_non_null(strstr(text, value));
        free(text);
    }
    table_free(table);
    free(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_strings_are_escaped),
        cmocka_unit_test(json_replaces_what_is_no_utf8),
        cmocka_unit_test(json_numbers_are_exact),
        cmocka_unit_test(json_table_is_complete),
        cmocka_unit_test(json_reads_as_json),
        cmocka_unit_test(csv_is_what_pandas_writes),
        cmocka_unit_test(csv_quotes_only_where_needed),
        cmocka_unit_test(csv_of_one_column_has_no_blank_lines),
        cmocka_unit_test(text_looks_as_it_was_seen),
        cmocka_unit_test(text_fits_the_width),
        cmocka_unit_test(text_too_narrow_keeps_the_values),
        cmocka_unit_test(text_does_not_drive_the_terminal),
        cmocka_unit_test(bars_have_the_right_length),
        cmocka_unit_test(text_without_memory_loses_no_value),
        cmocka_unit_test(numbers_read_well),
        cmocka_unit_test(markdown_escapes_markup),
        cmocka_unit_test(html_escapes_everything),
        cmocka_unit_test(html_page_is_whole),
        cmocka_unit_test(printers_are_found_by_suffix),
        cmocka_unit_test(empty_tables_are_fine),
        cmocka_unit_test(long_texts_go_through_every_printer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
