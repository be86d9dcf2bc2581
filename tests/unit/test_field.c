/* test_field.c: views of fields: columns, order, limit and filters as they were asked for, and messages about what does not exist. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "table/field.h"

/* ---- an entity --------------------------------------------------------------------------------------------------- */

enum { MOST = 64, NOT_KNOWN = -77 };

/* NOT_KNOWN in a number is null; so is a flag below 0. */
struct thing {
    const char *name;
    int64_t count;
    double ratio;
    int flag;
    int64_t time;
    double share;
    int64_t bytes;
};

enum { ID, NAME, COUNT, RATIO, FLAG, TIME, SHARE, BYTES, NOTE, FIELDS };

static unsigned calls[FIELDS];
static char lent[64]; /* the text that was handed out last */

/* Every call makes the text of the one before useless, as the header says. */
static const struct thing *ask(const void *context, size_t row, int field)
{
    calls[field]++;
    memset(lent, '#', sizeof lent - 1);
    return (const struct thing *)context + row;
}

static struct table_cell whole(int64_t value)
{
    return value == NOT_KNOWN ? cell_null() : cell_integer(value);
}

static struct table_cell broken(double value)
{
    return value == NOT_KNOWN ? cell_null() : cell_decimal(value);
}

static struct table_cell get_id(const void *context, size_t row)
{
    ask(context, row, ID);
    return cell_integer((int64_t)row);
}

static struct table_cell get_name(const void *context, size_t row)
{
    const struct thing *thing = ask(context, row, NAME);

    if (!thing->name)
        return cell_text(NULL);
    snprintf(lent, sizeof lent, "%s", thing->name);
    return cell_text(lent);
}

static struct table_cell get_count(const void *context, size_t row)
{
    return whole(ask(context, row, COUNT)->count);
}

static struct table_cell get_ratio(const void *context, size_t row)
{
    return broken(ask(context, row, RATIO)->ratio);
}

static struct table_cell get_flag(const void *context, size_t row)
{
    int flag = ask(context, row, FLAG)->flag;

    return flag < 0 ? cell_null() : cell_boolean(flag > 0);
}

static struct table_cell get_time(const void *context, size_t row)
{
    return whole(ask(context, row, TIME)->time);
}

static struct table_cell get_share(const void *context, size_t row)
{
    return broken(ask(context, row, SHARE)->share);
}

static struct table_cell get_bytes(const void *context, size_t row)
{
    return whole(ask(context, row, BYTES)->bytes);
}

static struct table_cell get_note(const void *context, size_t row)
{
    ask(context, row, NOTE);
    snprintf(lent, sizeof lent, "row %zu", row);
    return cell_text(lent);
}

static const struct field core_fields[] = {
    { .key = "id", .type = CELL_INTEGER, .description = "its number", .get = get_id },
    { .key = "name", .title = "Name", .type = CELL_TEXT, .description = "what it is called", .get = get_name },
    { .key = "count", .type = CELL_INTEGER, .description = "how many", .get = get_count },
    { .key = "ratio", .type = CELL_DECIMAL, .description = "a ratio", .get = get_ratio },
    { .key = "flag", .type = CELL_BOOLEAN, .description = "whether", .get = get_flag },
    { .key = "total_time", .title = "Time", .unit = "ns", .type = CELL_DURATION, .description = "t", .get = get_time },
    { .key = "share", .unit = "%", .type = CELL_PERCENT, .description = "of all", .get = get_share, .bar = true },
    { .key = "bytes", .unit = "B", .type = CELL_BYTES, .description = "moved", .get = get_bytes, .optional = true },
    { .key = NULL },
};
static const struct field other_fields[] = {
    { .key = "speed", .type = CELL_DECIMAL, .description = "of another entity", .get = get_ratio },
    { .key = NULL },
};
static const struct field more_fields[] = {
    { .key = "note", .type = CELL_TEXT, .description = "what a chain knows of it", .get = get_note },
    { .key = NULL },
};
static const struct field_set core_set = { "thing", core_fields };
static const struct field_set other_set = { "engine", other_fields };
static const struct field_set more_set = { "thing", more_fields };
static const struct field_set *const sets[] = { &other_set, &core_set, &other_set, &more_set, NULL };

static const char *const brief_keys[] = { "id", "name", "total_time", NULL };
static const char *const sizes_keys[] = { "id", "bytes", NULL };
static const struct view brief_view = { .name = "things", .title = "All things", .keys = brief_keys };
static const struct view sizes_view = { .name = "sizes", .keys = sizes_keys, .sort = "-bytes" };
static const struct view *const views[] = { &brief_view, &sizes_view, NULL };

static const struct thing sample[] = {
    { "conv", 5, 0.5, 1, 1500, 25, 4096 },
    { "Add", -3, NAN, 0, 1000, 12.5, 1000 },
    { NULL, NOT_KNOWN, NOT_KNOWN, -1, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN },
    { "conv", 12, -0.0, 1, 2000000, 0, 1024 },
    { "", 5, 0.0, 0, 0, 100, 1536000 },
};
enum { SAMPLE = sizeof sample / sizeof *sample };

static struct rows rows_of(const struct thing *things, size_t count)
{
    return (struct rows){ .entity = "thing", .sets = sets, .context = things, .count = count };
}

static struct table *view_sample(const struct view_request *request)
{
    struct rows rows = rows_of(sample, SAMPLE);
    struct table *table;

    memset(calls, 0, sizeof calls);
    if (view_table(&rows, views, request, &table) != STATUS_OK)
        fail_msg("%s", status_message());
    return table;
}

/* The first column, in the order of the rows: "0 3 1". */
static void check_ids(const struct table *table, const char *expected, const char *what)
{
    char ids[256] = "";
    size_t length = 0;

    for (size_t row = 0; row < table_rows(table) && length < sizeof ids; row++)
        length += (size_t)snprintf(ids + length, sizeof ids - length, "%s%" PRId64, row ? " " : "",
                                   table_cell(table, row, 0).integer);
    if (strcmp(ids, expected) != 0)
        fail_msg("%s: rows %s, not %s", what, ids, expected);
}

static void check_columns(const struct view_request *request, const char *expected)
{
    struct table *table = view_sample(request);
    char names[256] = "";

    for (size_t i = 0; i < table_columns(table); i++) {
        strcat(names, i ? " " : "");
        strcat(names, table_column(table, i)->name);
    }
    assert_string_equal(names, expected);
    table_free(table);
}

static void check_refused(const struct view_request *request, const char *expected)
{
    struct rows rows = rows_of(sample, SAMPLE);
    struct table *table = NULL;

    assert_int_equal(view_table(&rows, views, request, &table), STATUS_USAGE);
    assert_null(table);
    assert_string_equal(status_message(), expected);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static void shows_the_first_view(void **state)
{
    struct table *table = view_sample(NULL);
    const struct table_column *column = table_column(table, 2);

    (void)state;
    assert_string_equal(table_name(table), "things");
    assert_string_equal(table_title(table), "All things");
    assert_string_equal(column->title, "Time");
    assert_string_equal(column->unit, "ns");
    assert_string_equal(column->description, "t");
    assert_int_equal(column->type, CELL_DURATION);
    assert_int_equal(table_notes(table), 0);
    check_ids(table, "0 1 2 3 4", "no request");
    assert_string_equal(table_cell(table, 0, 1).text, "conv");
    assert_string_equal(table_cell(table, 1, 1).text, "Add");
    assert_true(table_cell(table, 2, 1).null && table_cell(table, 2, 2).null);
    assert_string_equal(table_cell(table, 4, 1).text, "");
    table_free(table);
    check_columns(&(struct view_request){ 0 }, "id name total_time");
}

static void keeps_values_of_every_type(void **state)
{
    struct table *table = view_sample(&(struct view_request){ .columns = "ratio,flag,share,bytes,note" });

    (void)state;
    assert_true(table_cell(table, 0, 0).decimal == 0.5);
    assert_true(isnan(table_cell(table, 1, 0).decimal));
    assert_true(table_cell(table, 0, 1).boolean);
    assert_false(table_cell(table, 1, 1).boolean);
    assert_true(table_cell(table, 1, 2).decimal == 12.5);
    assert_int_equal(table_cell(table, 3, 3).integer, 1024);
    assert_string_equal(table_cell(table, 3, 4).text, "row 3");
    assert_true(table_column(table, 2)->bar && !table_column(table, 2)->optional);
    assert_true(table_column(table, 3)->optional);
    for (size_t i = 0; i < 4; i++)
        assert_true(table_cell(table, 2, i).null);
    table_free(table);
}

static void shows_the_columns_that_were_named(void **state)
{
    struct table *table;

    (void)state;
    check_columns(&(struct view_request){ .columns = "name" }, "name");
    check_columns(&(struct view_request){ .columns = "note, name\t,  id " }, "note name id");
    check_columns(&(struct view_request){ .columns = "name,id,name,id" }, "name id");
    check_columns(&(struct view_request){ .columns = "sizes" }, "id bytes");
    check_columns(&(struct view_request){ .columns = "bytes,things,note,sizes" }, "bytes id name total_time note");

    /* The first view that is named gives the rest; without one the first that there is. */
    table = view_sample(&(struct view_request){ .columns = "id,sizes,things" });
    assert_string_equal(table_name(table), "sizes");
    assert_string_equal(table_title(table), "sizes");
    check_ids(table, "4 0 3 1 2", "the order of a view");
    table_free(table);
    table = view_sample(&(struct view_request){ .columns = "id" });
    assert_string_equal(table_name(table), "things");
    check_ids(table, "0 1 2 3 4", "no order");
    table_free(table);
}

static void refuses_columns_that_do_not_exist(void **state)
{
    (void)state;
    check_refused(&(struct view_request){ .columns = "id,totl_time" },
                  "--columns: thing has no field or view \"totl_time\"; did you mean \"total_time\"? "
                  "--columns help lists what there is");
    check_refused(&(struct view_request){ .columns = "size" },
                  "--columns: thing has no field or view \"size\"; did you mean \"sizes\"? "
                  "--columns help lists what there is");
    check_refused(&(struct view_request){ .columns = "xyzzy" },
                  "--columns: thing has no field or view \"xyzzy\"; --columns help lists what there is");
    check_refused(&(struct view_request){ .columns = "speed" }, /* of another entity */
                  "--columns: thing has no field or view \"speed\"; --columns help lists what there is");
    check_refused(&(struct view_request){ .columns = "id,help" },
                  "--columns: thing has no field or view \"help\"; --columns help lists what there is");
    check_refused(&(struct view_request){ .columns = "id,,name" },
                  "--columns wants names with commas between them; one of yours is empty");
    check_refused(&(struct view_request){ .columns = "" },
                  "--columns wants names with commas between them; one of yours is empty");
    check_refused(&(struct view_request){ .columns = "id, " },
                  "--columns wants names with commas between them; one of yours is empty");
    check_refused(&(struct view_request){ .sort = "-sizes" }, /* a view is no field */
                  "--sort: thing has no field \"sizes\"; --columns help lists what there is");
}

static void lists_what_there_is(void **state)
{
    struct table *table = view_sample(&(struct view_request){ .columns = "help" });
    struct rows rows = { .entity = "thing", .sets = sets };

    (void)state;
    assert_string_equal(table_name(table), "columns");
    assert_int_equal(table_columns(table), 5);
    assert_int_equal(table_rows(table), FIELDS);
    assert_string_equal(table_cell(table, TIME, 0).text, "total_time");
    assert_string_equal(table_cell(table, TIME, 1).text, "Time");
    assert_string_equal(table_cell(table, TIME, 2).text, "ns");
    assert_string_equal(table_cell(table, TIME, 3).text, "duration");
    assert_string_equal(table_cell(table, TIME, 4).text, "t");
    assert_string_equal(table_cell(table, NOTE, 1).text, "note");
    assert_true(table_cell(table, NOTE, 2).null);
    assert_int_equal(table_notes(table), 2);
    assert_string_equal(table_note_at(table, 0),
                        "--columns things, which is what you see without it: id, name, total_time");
    assert_string_equal(table_note_at(table, 1), "--columns sizes: id, bytes; --sort -bytes");
    for (int i = 0; i < FIELDS; i++)
        assert_int_equal(calls[i], 0);
    table_free(table);

    assert_int_equal(view_help(&rows, views, &table), STATUS_OK);
    assert_int_equal(table_rows(table), FIELDS);
    table_free(table);
    assert_true(view_asks_help(&(struct view_request){ .columns = "help" }));
    assert_false(view_asks_help(&(struct view_request){ .columns = "helper" }));
    assert_false(view_asks_help(&(struct view_request){ 0 }));
    assert_false(view_asks_help(NULL));
}

static bool sound(const struct field *fields, const struct view *view)
{
    const struct field_set set = { "thing", fields };
    const struct field_set *const some[] = { &set, NULL };
    const struct view *const list[] = { view, NULL };
    struct rows rows = { .entity = "thing", .sets = some };

    return view_is_sound(&rows, list);
}

static void tells_unsound_views(void **state)
{
    static const char *const keys[] = { "a", NULL }, *const unknown[] = { "a", "b", NULL }, *const none[] = { NULL };
    struct field fields[3] = { { .key = "a", .description = "d", .get = get_id } };
    struct rows rows = rows_of(sample, SAMPLE);

    (void)state;
    assert_true(view_is_sound(&rows, views));
    assert_true(sound(fields, &(struct view){ .name = "v", .keys = keys, .sort = "-a" }));
    assert_false(sound(fields, NULL));
    assert_false(sound(fields, &(struct view){ .name = "v", .keys = keys, .sort = "b" }));
    assert_false(sound(fields, &(struct view){ .name = "v", .keys = unknown }));
    assert_false(sound(fields, &(struct view){ .name = "v", .keys = none }));
    assert_false(sound(fields, &(struct view){ .name = "a", .keys = keys }));
    assert_false(sound(fields, &(struct view){ .name = "help", .keys = keys }));
    fields[1] = fields[0];
    assert_false(sound(fields, &(struct view){ .name = "v", .keys = keys }));
    for (const char *const *key = (const char *const[]){ "-b", "", "b,c", "b c", "b=", "help", NULL }; *key; key++) {
        fields[1].key = *key;
        assert_false(sound(fields, &(struct view){ .name = "v", .keys = keys }));
    }
    fields[1] = (struct field){ .key = "b", .description = "", .get = get_id };
    assert_false(sound(fields, &(struct view){ .name = "v", .keys = keys }));
    fields[1] = (struct field){ .key = "b", .description = "d" };
    assert_false(sound(fields, &(struct view){ .name = "v", .keys = keys }));
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static void check_sorted(const char *sort, const char *expected)
{
    struct table *table = view_sample(&(struct view_request){ .columns = "id", .sort = sort });

    check_ids(table, expected, sort);
    assert_int_equal(table_notes(table), 0);
    table_free(table);
}

static void sorts_by_values(void **state)
{
    (void)state;
    check_sorted("name", "4 1 0 3 2");
    check_sorted("-name", "0 3 1 4 2");
    check_sorted("count", "1 0 4 3 2");
    check_sorted("-count", "3 0 4 1 2");
    check_sorted("ratio", "3 4 0 1 2"); /* both zeros are one; what is no number comes last */
    check_sorted("-ratio", "0 3 4 1 2");
    check_sorted("flag", "1 4 0 3 2");
    check_sorted("-flag", "0 3 1 4 2");
    check_sorted("total_time", "4 1 0 3 2");
    check_sorted("-share", "4 0 1 3 2");
    check_sorted(" - bytes ", "4 0 3 1 2");
    check_sorted("note", "0 1 2 3 4");
}

static void sorts_extremes(void **state)
{
    static const struct thing things[] = {
        { .count = 0, .ratio = -INFINITY, .name = "\xc3\xa4" },    { .count = INT64_MAX, .ratio = 1e-320, .name = "z" },
        { .count = INT64_MIN, .ratio = INFINITY, .name = "a" },    { .count = -1, .ratio = -1e300, .name = "ab" },
        { .count = INT64_MAX - 1, .ratio = -1e-320, .name = "Z" },
    };
    static const char *const expected[][2] = {
        { "count", "2 3 0 4 1" },  { "-count", "1 4 0 3 2" }, { "ratio", "0 3 4 1 2" },
        { "-ratio", "2 1 4 3 0" }, { "name", "4 2 3 1 0" },   { "-name", "0 1 3 2 4" },
    };
    struct rows rows = rows_of(things, sizeof things / sizeof *things);

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct view_request request = { .columns = "id", .sort = expected[i][0] };
        struct table *table;

        assert_int_equal(view_table(&rows, views, &request, &table), STATUS_OK);
        check_ids(table, expected[i][1], expected[i][0]);
        table_free(table);
    }
}

static void refuses_orders_and_filters_that_do_not_exist(void **state)
{
    static const char *const filters[] = { "id>=0", "cout>5", NULL };

    (void)state;
    check_refused(&(struct view_request){ .filters = filters },
                  "--filter: thing has no field \"cout\"; did you mean \"count\"? --columns help lists what there is");
    check_refused(&(struct view_request){ .sort = "-cuont" },
                  "--sort: thing has no field \"cuont\"; did you mean \"count\"? --columns help lists what there is");
    check_refused(&(struct view_request){ .sort = "-" },
                  "--sort: thing has no field \"\"; --columns help lists what there is");
}

/* ---- filters ----------------------------------------------------------------------------------------------------- */

static void check_filter(const char *filter, const char *expected)
{
    const char *const filters[] = { filter, NULL };
    struct table *table = view_sample(&(struct view_request){ .columns = "id", .filters = filters });

    check_ids(table, expected, filter);
    table_free(table);
}

static void filters_by_values(void **state)
{
    (void)state;
    check_filter("name~CON", "0 3");
    check_filter("name~v", "0 3");
    check_filter("name~", "0 1 3 4");
    check_filter("name~convx", "");
    check_filter("name=conv", "0 3");
    check_filter("name=con", "");
    check_filter("name=convs", "");
    check_filter("name=", "4");
    check_filter("name!=conv", "1 4");
    check_filter("name>Add", "0 3");
    check_filter("name>=Add", "0 1 3");
    check_filter("name<Adder", "1 4");
    check_filter("count=5", "0 4");
    check_filter("count != 5", "1 3");
    check_filter(" count<-2 ", "1");
    check_filter("count>=5", "0 3 4");
    check_filter("ratio=0", "3 4");
    check_filter("ratio!=0", "0");
    check_filter("ratio<=1e3", "0 3 4");
    check_filter("flag=yes", "0 3");
    check_filter("flag=False", "1 4");
    check_filter("flag!=true", "1 4");
    check_filter("flag>no", "0 3");
    check_filter("share>=12.5%", "0 1 4");
    check_filter("share>12.5", "0 4");
    check_filter("share=100 %", "4");
    check_filter("total_time>=1.5us", "0 3");
    check_filter("bytes<=1KiB", "1 3");
}

/* ---- what is left out, and what it costs ------------------------------------------------------------------------- */

static void check_note(const struct view_request *request, const char *ids, const char *note)
{
    struct table *table = view_sample(request);

    check_ids(table, ids, note ? note : "no note");
    assert_int_equal(table_notes(table), note != NULL);
    if (note)
        assert_string_equal(table_note_at(table, 0), note);
    table_free(table);
}

static void notes_what_is_left_out(void **state)
{
    static const char *const some[] = { "count>0", NULL }, *const two[] = { "count>0", "total_time<1ms", NULL };
    static const char *const all[] = { "id>=0", NULL }, *const none[] = { "count>100", NULL };
    static const char *const empty[] = { NULL };

    (void)state;
    check_note(&(struct view_request){ .limit = 2 }, "0 1", "2 of 5 rows shown (--limit)");
    check_note(&(struct view_request){ .limit = 5 }, "0 1 2 3 4", NULL);
    check_note(&(struct view_request){ .limit = UINT64_MAX, .sort = "id" }, "0 1 2 3 4", NULL);
    check_note(&(struct view_request){ .limit = 1, .sort = "-count" }, "3", "1 of 5 rows shown (--limit)");
    check_note(&(struct view_request){ .filters = some }, "0 3 4", "3 of 5 rows shown (--filter)");
    check_note(&(struct view_request){ .filters = two }, "0 4", "2 of 5 rows shown (--filter)");
    check_note(&(struct view_request){ .filters = some, .limit = 3 }, "0 3 4", "3 of 5 rows shown (--filter)");
    check_note(&(struct view_request){ .filters = some, .limit = 2 }, "0 3", "2 of 5 rows shown (--filter, --limit)");
    check_note(&(struct view_request){ .filters = some, .limit = 2, .sort = "-count" }, "3 0",
               "2 of 5 rows shown (--filter, --limit)");
    check_note(&(struct view_request){ .filters = all }, "0 1 2 3 4", NULL);
    check_note(&(struct view_request){ .filters = empty }, "0 1 2 3 4", NULL);
    check_note(&(struct view_request){ .filters = none, .sort = "name" }, "", "0 of 5 rows shown (--filter)");
}

static void check_calls(const struct view_request *request, const unsigned expected[FIELDS])
{
    table_free(view_sample(request));
    for (int i = 0; i < FIELDS; i++)
        if (calls[i] != expected[i])
            fail_msg("field %d was asked %u times, not %u", i, calls[i], expected[i]);
}

static void asks_only_what_is_needed(void **state)
{
    static const char *const filters[] = { "count>0", "flag=yes", NULL };

    (void)state;
    check_calls(NULL, (const unsigned[FIELDS]){ [ID] = 5, [NAME] = 5, [TIME] = 5 });
    check_calls(&(struct view_request){ .columns = "note,note" }, (const unsigned[FIELDS]){ [NOTE] = 5 });
    check_calls(&(struct view_request){ .columns = "note", .limit = 2 }, (const unsigned[FIELDS]){ [NOTE] = 2 });
    check_calls(&(struct view_request){ .columns = "note", .sort = "ratio", .limit = 2 },
                (const unsigned[FIELDS]){ [NOTE] = 2, [RATIO] = 5 });
    /* The second filter is asked only where the first let the row pass. */
    check_calls(&(struct view_request){ .columns = "name,count", .sort = "-name", .filters = filters },
                (const unsigned[FIELDS]){ [COUNT] = 5 + 2, [FLAG] = 3, [NAME] = 2 + 2 });
}

static void makes_a_table_of_no_rows(void **state)
{
    static const char *const filters[] = { "name~x", NULL };
    struct rows rows = rows_of(NULL, 0);
    struct table *table;

    (void)state;
    assert_int_equal(
        view_table(&rows, views, &(struct view_request){ .sort = "name", .filters = filters, .limit = 1 }, &table),
        STATUS_OK);
    assert_int_equal(table_rows(table), 0);
    assert_int_equal(table_columns(table), 3);
    assert_int_equal(table_notes(table), 0);
    table_free(table);
}

/* ---- against an obvious slow version ----------------------------------------------------------------------------- */

static uint64_t seed = 1;

static unsigned pick(unsigned count)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % count;
}

static const char *const names[] = { "", "a", "A", "ab", "aB", "b", "conv2d", "Conv2D", "\xc3\xa4", "b b" };
static const int64_t numbers[] = { INT64_MIN, -2000, -1, 0, 1, 999, 1000, 1024, 1500, 2048, INT64_MAX };
static const double decimals[] = { -INFINITY, -1.5, -0.0, 0.0, 1e-300, 0.25, 1.5, 50, INFINITY, NAN };
#define ANY(list) (list)[pick(sizeof(list) / sizeof *(list))]

static void make_things(struct thing *things, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        things[i] = (struct thing){
            .name = pick(6) ? ANY(names) : NULL,
            .count = pick(6) ? ANY(numbers) : NOT_KNOWN,
            .ratio = pick(6) ? ANY(decimals) : NOT_KNOWN,
            .flag = (int)pick(3) - 1,
            .time = pick(6) ? ANY(numbers) : NOT_KNOWN,
            .share = pick(6) ? ANY(decimals) : NOT_KNOWN,
            .bytes = pick(6) ? ANY(numbers) : NOT_KNOWN,
        };
    }
}

static bool slow_unknown(const struct thing *thing, int field)
{
    switch (field) {
    case NAME:
        return !thing->name;
    case COUNT:
        return thing->count == NOT_KNOWN;
    case RATIO:
        return thing->ratio == NOT_KNOWN || isnan(thing->ratio);
    case FLAG:
        return thing->flag < 0;
    case TIME:
        return thing->time == NOT_KNOWN;
    case SHARE:
        return thing->share == NOT_KNOWN || isnan(thing->share);
    default:
        return thing->bytes == NOT_KNOWN;
    }
}

static int slow_compare(const struct thing *one, const struct thing *other, int field)
{
    switch (field) {
    case NAME:
        return strcmp(one->name, other->name);
    case COUNT:
        return one->count < other->count ? -1 : one->count > other->count;
    case RATIO:
        return one->ratio < other->ratio ? -1 : one->ratio > other->ratio;
    case FLAG:
        return one->flag - other->flag;
    case TIME:
        return one->time < other->time ? -1 : one->time > other->time;
    case SHARE:
        return one->share < other->share ? -1 : one->share > other->share;
    default:
        return one->bytes < other->bytes ? -1 : one->bytes > other->bytes;
    }
}

struct condition {
    int field;          /* NAME to BYTES */
    int op;             /* of `signs` */
    struct thing value; /* the field of it */
    char text[128];     /* what a user writes */
};

static const char *const signs[] = { "=", "!=", "<", "<=", ">", ">=", "~" };
enum { HOLDS = 6 };

/* A value that a user can write, in one of the forms that mean it. */
static void make_condition(struct condition *condition)
{
    struct thing *value = &condition->value;
    char written[64];

    do {
        make_things(value, 1);
        condition->field = NAME + (int)pick(BYTES);
    } while (slow_unknown(value, condition->field) || (condition->field == TIME && value->time == INT64_MIN) ||
             (condition->field == BYTES && value->bytes == INT64_MIN) ||
             (condition->field == RATIO && isinf(value->ratio)) || (condition->field == SHARE && isinf(value->share)));
    condition->op = (int)pick(condition->field == NAME ? 7 : 6);
    switch (condition->field) {
    case NAME:
        snprintf(written, sizeof written, "%s", value->name);
        break;
    case COUNT:
        snprintf(written, sizeof written, "%" PRId64, value->count);
        break;
    case RATIO:
        snprintf(written, sizeof written, "%.17g", value->ratio);
        break;
    case FLAG:
        snprintf(written, sizeof written, "%s", value->flag ? (pick(2) ? "yes" : "true") : pick(2) ? "no" : "FALSE");
        break;
    case TIME:
        if (value->time > 0 && pick(2))
            snprintf(written, sizeof written, "%" PRId64 ".%03dus", value->time / 1000, (int)(value->time % 1000));
        else
            snprintf(written, sizeof written, "%" PRId64 "%s", value->time, pick(2) ? "ns" : "");
        break;
    case SHARE:
        snprintf(written, sizeof written, "%.17g%s", value->share, pick(2) ? "%" : "");
        break;
    default:
        if (value->bytes % 1024 == 0 && pick(2))
            snprintf(written, sizeof written, "%" PRId64 " KiB", value->bytes / 1024);
        else
            snprintf(written, sizeof written, "%" PRId64, value->bytes);
    }
    snprintf(condition->text, sizeof condition->text, "%s%s%s%s", core_fields[condition->field].key, pick(2) ? " " : "",
             signs[condition->op], written);
}

static bool slow_passes(const struct condition *condition, const struct thing *thing)
{
    int order;

    if (slow_unknown(thing, condition->field))
        return false;
    if (condition->op == HOLDS)
        return strcasestr(thing->name, condition->value.name) != NULL;
    order = slow_compare(thing, &condition->value, condition->field);
    return condition->op == 0   ? order == 0
           : condition->op == 1 ? order != 0
           : condition->op == 2 ? order < 0
           : condition->op == 3 ? order <= 0
           : condition->op == 4 ? order > 0
                                : order >= 0;
}

/* Whether the row that comes later in the input must be moved before the other. */
static bool slow_before(const struct thing *later, const struct thing *earlier, int field, bool descending)
{
    bool one = slow_unknown(later, field), other = slow_unknown(earlier, field);
    int order;

    if (one || other)
        return !one && other;
    order = slow_compare(later, earlier, field);
    return descending ? order > 0 : order < 0;
}

static size_t slow_view(const struct thing *things, size_t count, const struct condition *conditions,
                        size_t condition_count, int sort, bool descending, uint64_t limit, size_t *kept)
{
    size_t found = 0;

    for (size_t row = 0; row < count; row++) {
        bool pass = true;
        size_t at = found;

        for (size_t i = 0; i < condition_count; i++)
            pass = pass && slow_passes(&conditions[i], &things[row]);
        if (!pass)
            continue;
        for (; sort && at > 0 && slow_before(&things[row], &things[kept[at - 1]], sort, descending); at--)
            kept[at] = kept[at - 1];
        kept[at] = row;
        found++;
    }
    return limit && limit < found ? limit : found;
}

static void does_what_a_slow_version_does(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        struct thing things[MOST];
        size_t count = pick(8) ? pick(12) : pick(MOST), condition_count = pick(3), kept[MOST], expected;
        struct condition conditions[3];
        const char *filters[4] = { NULL };
        int sort = (int)pick(BYTES + 1); /* 0: none */
        bool descending = pick(2);
        char order[32];
        struct view_request request = { .columns = "id", .filters = filters, .limit = pick(2) ? pick(20) : 0 };
        struct rows rows = rows_of(things, count);
        struct table *table;

        make_things(things, count);
        for (size_t i = 0; i < condition_count; i++) {
            make_condition(&conditions[i]);
            filters[i] = conditions[i].text;
        }
        snprintf(order, sizeof order, "%s%s", descending ? "-" : "", core_fields[sort].key);
        request.sort = sort ? order : NULL;
        expected = slow_view(things, count, conditions, condition_count, sort, descending, request.limit, kept);
        if (view_table(&rows, views, &request, &table) != STATUS_OK)
            fail_msg("round %u: %s", round, status_message());
        assert_int_equal(table_rows(table), expected);
        for (size_t i = 0; i < expected; i++)
            if (table_cell(table, i, 0).integer != (int64_t)kept[i])
                fail_msg("round %u: row %zu is another (sort %s, filters %s, %s)", round, i, sort ? order : "none",
                         filters[0] ? filters[0] : "none", filters[0] && filters[1] ? filters[1] : "none");
        assert_int_equal(table_notes(table), expected < count);
        table_free(table);
    }
}

/* ---- no memory --------------------------------------------------------------------------------------------------- */

static void survives_every_failed_allocation(void **state)
{
    static const char *const filters[] = { "count>-100", "name~o", NULL };
    static const struct view_request requests[] = {
        { .columns = "things,sizes,note,share,flag", .sort = "-name", .limit = 3 },
        { .sort = "ratio", .filters = filters, .limit = 1 },
        { .filters = filters },
        { .columns = "help" },
    };
    struct rows rows = rows_of(sample, SAMPLE);

    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        status code = STATUS_MEMORY;

        for (uint64_t nth = 1; code != STATUS_OK; nth++) {
            struct table *table = NULL;

            assert_true(nth < 1000);
            memory_fail_at(nth);
            code = view_table(&rows, views, &requests[i], &table);
            memory_fail_at(0);
            assert_true(code == STATUS_MEMORY || (code == STATUS_OK && nth > 5));
            assert_int_equal(table != NULL, code == STATUS_OK);
            assert_true(code == STATUS_OK || *status_message());
            table_free(table);
        }
    }
}

static struct table_cell get_placed(const void *context, size_t row, size_t place)
{
    (void)context;
    return cell_integer((int64_t)(row * 100 + place));
}

/* Names that come from data may be any, also that of another field: each is a column, and machines can tell them apart. */
static void shows_fields_that_the_data_asked_for(void **state)
{
    static const struct field fields[] = {
        { .key = "id", .type = CELL_INTEGER, .description = "number of the row", .get = get_id },
        { .key = "id", .type = CELL_INTEGER, .description = "of the data", .get_at = get_placed, .place = 1 },
        { .key = "a, b", .type = CELL_INTEGER, .description = "of the data", .get_at = get_placed, .place = 2 },
        { .key = NULL },
    };
    static const struct field_set set = { "thing", fields };
    static const struct field_set *const own_sets[] = { &set, NULL };
    static const struct view all = { .name = "all" };
    static const struct view *const own_views[] = { &all, NULL };
    static const struct thing nothing[3] = { { 0 } };
    const struct rows rows = { .entity = "thing", .sets = own_sets, .context = nothing, .count = 3 };
    const struct view_request request = { .columns = "id" };
    struct table *table;

    (void)state;
    assert_int_equal(view_table(&rows, own_views, NULL, &table), STATUS_OK);
    assert_int_equal(table_columns(table), 3);
    assert_string_equal(table_column(table, 1)->name, "id_2");
    assert_string_equal(table_column(table, 2)->name, "a, b");
    assert_int_equal(table_cell(table, 2, 0).integer, 2);
    assert_int_equal(table_cell(table, 2, 1).integer, 201);
    assert_int_equal(table_cell(table, 1, 2).integer, 102);
    table_free(table);
    assert_int_equal(view_table(&rows, own_views, &request, &table), STATUS_OK);
    assert_int_equal(table_columns(table), 1);
    assert_int_equal(table_cell(table, 2, 0).integer, 2);
    table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_the_first_view),
        cmocka_unit_test(keeps_values_of_every_type),
        cmocka_unit_test(shows_the_columns_that_were_named),
        cmocka_unit_test(refuses_columns_that_do_not_exist),
        cmocka_unit_test(lists_what_there_is),
        cmocka_unit_test(tells_unsound_views),
        cmocka_unit_test(sorts_by_values),
        cmocka_unit_test(sorts_extremes),
        cmocka_unit_test(refuses_orders_and_filters_that_do_not_exist),
        cmocka_unit_test(filters_by_values),
        cmocka_unit_test(notes_what_is_left_out),
        cmocka_unit_test(asks_only_what_is_needed),
        cmocka_unit_test(shows_fields_that_the_data_asked_for),
        cmocka_unit_test(makes_a_table_of_no_rows),
        cmocka_unit_test(does_what_a_slow_version_does),
        cmocka_unit_test(survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
