/* test_csv.c: CSV files are read as a parser would that looks at one byte after the other, however they are cut, quoted or broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/memory.h"

enum { NAME, START, KIND, COLUMNS };

static const struct csv_column columns[COLUMNS] = {
    [NAME] = { .name = "name", .alias = "op name", .required = true },
    [START] = { .name = "start" },
    [KIND] = { .name = "kind", .repeats = true },
};
static const struct csv_wish wish = { .columns = columns, .count = COLUMNS };

static uint64_t random_state = 11;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

struct reading {
    struct input *input;
    struct csv csv;
    bool found;
};

static status open_bytes(struct reading *reading, const char *data, size_t size, const struct csv_wish *asked)
{
    assert_int_equal(input_open_memory("m", data, size, &reading->input), STATUS_OK);
    return csv_open(&reading->csv, reading->input, asked);
}

static void open_text(struct reading *reading, const char *text, const struct csv_wish *asked)
{
    assert_int_equal(open_bytes(reading, text, strlen(text), asked), STATUS_OK);
}

static void close_reading(struct reading *reading)
{
    csv_close(&reading->csv);
    input_close(reading->input);
}

static void check_value(const struct csv *csv, unsigned column, const char *expected)
{
    assert_non_null(csv->values[column].data);
    assert_int_equal(csv->values[column].length, strlen(expected));
    assert_memory_equal(csv->values[column].data, expected, strlen(expected));
}

static void check_row(struct reading *reading, uint64_t line, const char *name, const char *start, const char *kind)
{
    assert_int_equal(csv_next(&reading->csv, &reading->found), STATUS_OK);
    assert_true(reading->found);
    assert_int_equal(reading->csv.line.number, line);
    assert_int_equal(reading->csv.problem, CSV_FINE);
    check_value(&reading->csv, NAME, name);
    check_value(&reading->csv, START, start);
    check_value(&reading->csv, KIND, kind);
}

static void check_problem(struct reading *reading, enum csv_problem problem)
{
    assert_int_equal(csv_next(&reading->csv, &reading->found), STATUS_OK);
    assert_true(reading->found);
    assert_int_equal(reading->csv.problem, problem);
}

static void check_end(struct reading *reading)
{
    for (int again = 0; again < 2; again++) {
        assert_int_equal(csv_next(&reading->csv, &reading->found), STATUS_OK);
        assert_false(reading->found);
    }
    close_reading(reading);
}

static void columns_by_name(void **state)
{
    struct reading reading;

    (void)state;
    open_text(&reading, "kind,other,name,start\nk,o,n,1\n\n \t\r\nk2,,,\n", &wish);
    check_row(&reading, 2, "n", "1", "k");
    assert_int_equal(csv_place(&reading.csv, NAME), 5);
    assert_int_equal(csv_place(&reading.csv, KIND), 1);
    check_row(&reading, 5, "", "", "k2");
    check_end(&reading);
    /* The index of pandas has no name; a column may be missing, or be called otherwise. */
    open_text(&reading, "\xEF\xBB\xBF,op name,kind\r\n0,a,k\r\n1,b,k\r\n", &wish);
    assert_true(csv_has(&reading.csv, NAME) && !csv_has(&reading.csv, START));
    check_row(&reading, 2, "a", "", "k");
    assert_true(csv_row_has(&reading.csv, KIND) && !csv_row_has(&reading.csv, START));
    check_row(&reading, 3, "b", "", "k");
    check_end(&reading);
    /* Of two columns of one name the first counts. */
    open_text(&reading, "name,name,op name\na,b,c\n", &wish);
    check_row(&reading, 2, "a", "", "");
    check_end(&reading);
}

static void other_delimiters(void **state)
{
    struct reading reading;

    (void)state;
    open_text(&reading, "name;start;kind\n\"a;b\";1,5;k\n", &wish);
    check_row(&reading, 2, "a;b", "1,5", "k");
    check_end(&reading);
    open_text(&reading, "name\tstart\na\t7\n", &wish);
    check_row(&reading, 2, "a", "7", "");
    check_end(&reading);
    open_text(&reading, "name\na\n", &wish);
    check_row(&reading, 2, "a", "", "");
    check_end(&reading);
}

static void quotes(void **state)
{
    struct reading reading;

    (void)state;
    open_text(&reading,
              "\"name\",\"start\", \"kind\" \n"
              "\"a,\"\"b\"\"\",\"1\",\"\"\"\"\n"
              "\"over\n\r\ntwo\",\"\",\"k\"\n"
              "x\"y,2,k\"\"\n",
              &wish);
    check_row(&reading, 2, "a,\"b\"", "1", "\"");
    check_row(&reading, 3, "over\n\r\ntwo", "", "k");
    check_row(&reading, 6, "x\"y", "2", "k\"\"");
    check_end(&reading);
    /* A name may go over two lines, and have quotes of its own. */
    open_text(&reading, "\"the \"\"name\"\"\nof it\",name,start\na,b,1\n", &wish);
    check_row(&reading, 3, "b", "1", "");
    check_end(&reading);
}

static void fields_that_do_not_fit(void **state)
{
    struct reading reading;

    (void)state;
    open_text(&reading, "kind,name,start\nk,a\nk,a,1,2\n\"open,a,1\nk,\"a\"b,1\nk,a,1\nk,a,\"never\nk,b,2", &wish);
    check_problem(&reading, CSV_FIELDS);
    assert_int_equal(reading.csv.row_fields, 2);
    check_value(&reading.csv, NAME, "a");
    check_value(&reading.csv, START, "");
    assert_false(csv_row_has(&reading.csv, START));
    check_problem(&reading, CSV_FIELDS);
    assert_int_equal(reading.csv.row_fields, 4);
    check_value(&reading.csv, START, "1");
    check_problem(&reading, CSV_QUOTE); /* the quote closes on the next line, but not at the end of its field */
    assert_int_equal(reading.csv.line.number, 4);
    check_value(&reading.csv, NAME, "");
    check_problem(&reading, CSV_QUOTE);
    assert_int_equal(reading.csv.line.number, 5);
    check_row(&reading, 6, "a", "1", "k");
    check_problem(&reading, CSV_QUOTE);
    assert_int_equal(reading.csv.line.number, 7);
    check_row(&reading, 8, "b", "2", "k");
    assert_false(reading.csv.line.ended);
    check_end(&reading);
}

static void too_long(void **state)
{
    static const char head[] = "name,start\n", tail[] = "\na,1\n";
    size_t size = sizeof head - 1 + LINES_LONGEST + 10 + sizeof tail - 1;
    char *bytes = malloc(size);
    struct reading reading;

    (void)state;
    assert_non_null(bytes);
    memset(bytes, ',', size);
    memcpy(bytes, head, sizeof head - 1);
    memcpy(bytes + size - (sizeof tail - 1), tail, sizeof tail - 1);
    assert_int_equal(open_bytes(&reading, bytes, size, &wish), STATUS_OK);
    check_problem(&reading, CSV_TOO_LONG);
    check_row(&reading, 3, "a", "1", "");
    check_end(&reading);
    /* A quote is waited for within a limit. */
    memset(bytes, 'x', size);
    memcpy(bytes, head, sizeof head - 1);
    bytes[sizeof head - 1] = '"';
    for (size_t i = sizeof head + 1000; i < size; i += 1000)
        bytes[i] = '\n';
    assert_int_equal(open_bytes(&reading, bytes, size, &wish), STATUS_OK);
    check_problem(&reading, CSV_QUOTE);
    assert_int_equal(reading.csv.line.number, 2);
    assert_int_equal(reading.csv.line.length, 1001);
    check_problem(&reading, CSV_FIELDS);
    assert_int_equal(reading.csv.line.number, 3);
    close_reading(&reading);
    free(bytes);
}

static void no_header(void **state)
{
    static const char *const texts[] = { "", "\n \n", "start,kind\n1,k\n", "name,\"open\n", "\"name\"x,start\n" };
    bool has[COLUMNS];

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct reading reading;

        assert_int_equal(open_bytes(&reading, texts[i], strlen(texts[i]), &wish), STATUS_INPUT);
        close_reading(&reading);
    }
    assert_false(csv_probe(text_of(""), &wish, has));
    assert_false(csv_probe(text_of("name,\"open\n"), &wish, has));
    assert_true(csv_probe(text_of("\xEF\xBB\xBF \r\nkind , \"op name\"\r\nx"), &wish, has));
    assert_true(has[NAME] && has[KIND] && !has[START]);
}

static void flags(void **state)
{
    static const struct csv_wish any = { .columns = columns, .count = COLUMNS, .flags = CSV_ANY_CASE | CSV_TRIM };
    static const struct csv_wish bare = { .columns = columns, .count = COLUMNS, .flags = CSV_NO_QUOTES };
    struct reading reading;

    (void)state;
    open_text(&reading, "NAME,Start,kinD\n a b ,\t1,\" k \"\n  ,1,k \n", &any);
    check_row(&reading, 2, "a b", "1", " k ");
    check_row(&reading, 3, "", "1", "k");
    check_end(&reading);
    open_text(&reading, "name,start,kind\n\"a,1,b\"c\n", &bare);
    check_row(&reading, 2, "\"a", "1", "b\"c");
    check_end(&reading);
}

/* Every field is a column of its own. */
static unsigned find_any(void *context, struct text name)
{
    unsigned *count = context;

    return name.length && *count < 3 ? (*count)++ : CSV_NO_COLUMN;
}

static void columns_by_call(void **state)
{
    unsigned count = 0;
    const struct csv_wish asked = { .count = 3, .find = find_any, .context = &count };
    struct reading reading;

    (void)state;
    open_text(&reading, ",x,y,,z,more\n0,a,b,c,d,e\n", &asked);
    assert_int_equal(count, 3);
    check_row(&reading, 2, "a", "b", "d");
    check_end(&reading);
}

/* Of rows without quotes nothing is laid out, and what is asked for is the same. */
static void values_when_asked(void **state)
{
    static const struct csv_column asked[COLUMNS] = {
        [NAME] = { .name = "name" }, [START] = { .name = "start" }, [KIND] = { .name = "kind" }
    };
    const struct csv_wish asking = { .columns = asked, .count = COLUMNS, .flags = CSV_ASKED };
    struct reading reading;

    (void)state;
    open_text(&reading, "name,x,start\na,,7\n\"b\"\"\",,8\n,,\nc,1\n", &asking);
    check_problem(&reading, CSV_FINE);
    assert_true(text_is(csv_value(&reading.csv, NAME), "a"));
    assert_true(text_is(csv_value(&reading.csv, START), "7"));
    assert_int_equal(csv_value(&reading.csv, KIND).length, 0);
    assert_false(csv_is_empty(&reading.csv, NAME, START));
    check_problem(&reading, CSV_FINE);
    assert_true(text_is(csv_value(&reading.csv, NAME), "b\""));
    assert_true(text_is(csv_value(&reading.csv, START), "8"));
    check_problem(&reading, CSV_FINE);
    assert_true(csv_is_empty(&reading.csv, NAME, START));
    check_problem(&reading, CSV_FIELDS);
    assert_true(text_is(csv_value(&reading.csv, NAME), "c"));
    assert_int_equal(csv_value(&reading.csv, START).length, 0);
    check_end(&reading);
}

static void headers_again(void **state)
{
    struct reading reading;
    bool taken;

    (void)state;
    open_text(&reading, ",name,kind\n0,a,k\n,\"name\",start\n0,b,7\n1,named,8\n", &wish);
    check_row(&reading, 2, "a", "", "k");
    assert_false(csv_is_header(&reading.csv));
    assert_int_equal(csv_next(&reading.csv, &reading.found), STATUS_OK);
    assert_true(csv_is_header(&reading.csv));
    assert_int_equal(
        csv_take_header(&reading.csv, (struct text){ reading.csv.line.data, reading.csv.line.length }, &taken),
        STATUS_OK);
    assert_true(taken);
    check_row(&reading, 4, "b", "7", "");
    assert_true(reading.csv.changed >> KIND & 1);
    check_row(&reading, 5, "named", "8", "");
    assert_false(csv_is_header(&reading.csv));
    check_end(&reading);
    /* A file without a header: its first row is taken apart by one that is known. */
    open_text(&reading, "3,a,k\n4,b,k\n5,c,k\n", &(struct csv_wish){ .columns = columns + 1, .count = 2 });
    assert_int_equal(csv_take_header(&reading.csv, text_of("start,,kind"), &taken), STATUS_OK);
    assert_true(taken);
    assert_int_equal(csv_split(&reading.csv), STATUS_OK);
    check_value(&reading.csv, 0, "3");
    check_value(&reading.csv, 1, "k");
    assert_int_equal(csv_next(&reading.csv, &reading.found), STATUS_OK);
    check_value(&reading.csv, 0, "4");
    /* What cannot be a header changes nothing. */
    assert_int_equal(csv_take_header(&reading.csv, text_of("start,\"kind"), &taken), STATUS_OK);
    assert_false(taken);
    assert_int_equal(csv_next(&reading.csv, &reading.found), STATUS_OK);
    check_value(&reading.csv, 0, "5");
    check_end(&reading);
}

static void what_changed(void **state)
{
    static const struct csv_column repeating[COLUMNS] = {
        [NAME] = { .name = "name", .repeats = true },
        [START] = { .name = "start" },
        [KIND] = { .name = "kind", .repeats = true },
    };
    static const struct csv_wish asked = { .columns = repeating, .count = COLUMNS };
    static const struct {
        const char *row;
        unsigned changed; /* of the last row that was fine */
    } rows[] = {
        { "\"a,b\",k,1", 7 }, { "\"a,b\",k,2", 0 },    { "c,k,3", 1u << NAME },  { "c,\"k\",4", 1u << KIND },
        { "c,\"k\",5", 0 },   { "d,\"k\"", 7 },        { "d,k,6", 5 },           { "d,k,7", 0 },
        { "\"d\",k", 7 },     { "d,k,8", 1u << NAME }, { "d,k2,9", 1u << KIND },
    };
    char text[256] = "name,kind,start\n";
    struct reading reading;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        strcat(text, rows[i].row);
        strcat(text, "\n");
    }
    open_text(&reading, text, &asked);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(csv_next(&reading.csv, &reading.found), STATUS_OK);
        if (reading.csv.problem == CSV_FINE)
            assert_int_equal(reading.csv.changed & 5, rows[i].changed & 5);
    }
    check_value(&reading.csv, NAME, "d");
    check_value(&reading.csv, KIND, "k2");
    check_end(&reading);
}

/* ---- Against a parser that looks at one byte after the other ---- */

enum { FIELDS = 5, MOST_VALUE = 2048 };

struct slow_row {
    enum csv_problem problem;
    unsigned count;
    char values[FIELDS][MOST_VALUE];
    size_t lengths[FIELDS];
    size_t next; /* where the next row begins */
};

/* Whether a line ends here; `*next`: where the one after it begins. */
static bool is_line_end(const char *data, size_t size, size_t at, size_t *next)
{
    *next = at;
    if (at == size)
        return true;
    *next = at + (data[at] == '\r' && at + 1 < size && data[at + 1] == '\n') + 1;
    return data[*next - 1] == '\n';
}

static void slow_add(struct slow_row *row, char byte)
{
    if (row->count >= FIELDS)
        return;
    assert_true(row->lengths[row->count] < MOST_VALUE);
    row->values[row->count][row->lengths[row->count]++] = byte;
}

/* False: the quote that opens at `*at` is not closed, or not where the field ends. */
static bool slow_quoted(const char *data, size_t size, size_t *at, struct slow_row *row)
{
    size_t ignored;

    for (++*at; *at < size; ++*at) {
        if (data[*at] == '"' && (*at + 1 == size || data[*at + 1] != '"')) {
            ++*at;
            return is_line_end(data, size, *at, &ignored) || data[*at] == ',';
        }
        *at += data[*at] == '"';
        slow_add(row, data[*at]);
    }
    return false;
}

static void slow_split(const char *data, size_t size, size_t start, struct slow_row *row)
{
    size_t at = start;

    *row = (struct slow_row){ .problem = CSV_FINE };
    for (;; at++) {
        if (at < size && data[at] == '"') {
            if (!slow_quoted(data, size, &at, row)) {
                *row = (struct slow_row){ .problem = CSV_QUOTE };
                for (at = start; !is_line_end(data, size, at, &row->next);)
                    at++;
                return;
            }
        } else {
            for (; !is_line_end(data, size, at, &row->next) && data[at] != ','; at++)
                slow_add(row, data[at]);
        }
        row->count++;
        if (is_line_end(data, size, at, &row->next))
            break;
    }
    row->problem = row->count == FIELDS ? CSV_FINE : CSV_FIELDS;
}

static bool slow_blank(const char *data, size_t size, size_t at, size_t *next)
{
    for (; !is_line_end(data, size, at, next); at++)
        if (!char_is_blank(data[at]))
            return false;
    return true;
}

static const struct csv_column some_columns[FIELDS - 1] = {
    { .name = "e" }, { .name = "a", .repeats = true }, { .name = "b", .repeats = true }, { .name = "d" }
};
static const struct csv_column plain_columns[FIELDS - 1] = {
    { .name = "e" }, { .name = "a" }, { .name = "b" }, { .name = "d" }
};
static const struct csv_wish wishes[] = {
    { .columns = some_columns, .count = FIELDS - 1 },
    { .columns = plain_columns, .count = FIELDS - 1 },
    { .columns = plain_columns, .count = FIELDS - 1, .flags = CSV_ASKED },
};
static const unsigned fields_of[FIELDS - 1] = { 4, 0, 1, 3 };

/* What stayed as it was may not have changed since the last row that was fine. */
static void check_changed(const struct csv *csv, const struct slow_row *row, struct slow_row *fine)
{
    if (row->problem != CSV_FINE)
        return;
    for (unsigned i = 0; i < FIELDS - 1; i++) {
        unsigned field = fields_of[i];

        if (csv->wish->columns[i].repeats && !(csv->changed >> i & 1)) {
            assert_int_equal(row->lengths[field], fine->lengths[field]);
            assert_memory_equal(row->values[field], fine->values[field], row->lengths[field]);
        }
    }
    *fine = *row;
}

static void check_against_slow(const char *data, size_t size, const struct csv_wish *asked)
{
    static struct slow_row row, fine;
    struct reading reading;
    size_t next;

    assert_int_equal(open_bytes(&reading, data, size, asked), STATUS_OK);
    slow_split(data, size, 0, &row); /* the header */
    fine = (struct slow_row){ .count = 0 };
    for (;;) {
        while (row.next < size && slow_blank(data, size, row.next, &next))
            row.next = next;
        if (row.next >= size)
            break;
        slow_split(data, size, row.next, &row);
        check_problem(&reading, row.problem);
        assert_int_equal(reading.csv.row_fields, row.count);
        for (unsigned i = 0; i < FIELDS - 1; i++) {
            unsigned field = fields_of[i];

            assert_int_equal(csv_row_has(&reading.csv, i), field < row.count);
            assert_int_equal(csv_value(&reading.csv, i).length, row.lengths[field]);
            assert_memory_equal(csv_value(&reading.csv, i).data, row.values[field], row.lengths[field]);
            if (row.problem == CSV_FINE && csv_is_empty(&reading.csv, i, i))
                assert_int_equal(row.lengths[field], 0);
        }
        check_changed(&reading.csv, &row, &fine);
    }
    check_end(&reading);
}

/* Rows of which most fit, with fields of every kind and length, and now and then something that breaks them. */
static size_t make_rows(char *to, size_t most)
{
    size_t length = (size_t)sprintf(to, "a,b,c,\"d\",e\n");

    while (length + 600 < most && random_below(40)) {
        unsigned count = random_below(12) ? FIELDS : random_below(8);

        for (unsigned i = 0; i < count; i++) {
            static const char *const usual[] = { "",         "x",       "\"q\"", "\"a,b\"", "long name of an op",
                                                 "\"\"\"\"", "\"x\ny\"" };
            unsigned kind = random_below(30);

            if (kind < 27)
                length += (size_t)sprintf(to + length, "%s", usual[random_below(kind < 10 ? 2 : 7)]);
            else
                for (unsigned left = random_below(100); left; left--)
                    to[length++] = "ab ,\"\n\r"[random_below(kind == 27 ? 7 : 3)];
            if (i + 1 < count)
                to[length++] = ',';
        }
        length += (size_t)sprintf(to + length, "%s", random_below(3) ? "\n" : "\r\n");
    }
    return length - (random_below(8) == 0);
}

static void is_like_a_slow_parser(void **state)
{
    static const size_t limits[] = { 0, 0, 1, 3, 64 };
    static char data[16 * 1024];

    (void)state;
    for (unsigned round = 0; round < 6000; round++) {
        size_t size = make_rows(data, round % 2 ? sizeof data : 1200);
        char *exact = malloc(size); /* so that a sanitizer sees what is read behind the end */

        assert_non_null(exact);
        memcpy(exact, data, size);
        csv_cut_plainly(round % 3 == 0);
        input_limit_reads(limits[round % 5]);
        for (size_t j = 0; j < sizeof wishes / sizeof *wishes; j++)
            check_against_slow(exact, size, &wishes[j]);
        free(exact);
    }
    input_limit_reads(0);
    csv_cut_plainly(false);
}

static void without_memory(void **state)
{
    static const char text[] = "kind,name,\"s\"\"tart\",start\n\"k\"\"1\",\"a\"\"b\",,1\nk2,\"a\nb\",,2\nk2,c,,3\n";

    (void)state;
    for (uint64_t nth = 1;; nth++) {
        struct reading reading = { .found = true };
        status code;

        assert_int_equal(input_open_memory("m", text, sizeof text - 1, &reading.input), STATUS_OK);
        memory_fail_at(nth);
        code = csv_open(&reading.csv, reading.input, &wish);
        while (code == STATUS_OK && reading.found)
            code = csv_next(&reading.csv, &reading.found);
        memory_fail_at(0);
        close_reading(&reading);
        if (code == STATUS_OK)
            break;
        assert_int_equal(code, STATUS_MEMORY);
        assert_true(nth < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_by_name),
        cmocka_unit_test(other_delimiters),
        cmocka_unit_test(quotes),
        cmocka_unit_test(fields_that_do_not_fit),
        cmocka_unit_test(too_long),
        cmocka_unit_test(no_header),
        cmocka_unit_test(flags),
        cmocka_unit_test(columns_by_call),
        cmocka_unit_test(values_when_asked),
        cmocka_unit_test(headers_again),
        cmocka_unit_test(what_changed),
        cmocka_unit_test(is_like_a_slow_parser),
        cmocka_unit_test(without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
