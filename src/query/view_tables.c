/* view_tables.c: tables of verbs, asked for by name, input by input. */
#include "query/view_tables.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "job/digest.h"
#include "job/tables.h"

/* What one input has of a table. */
struct view_part {
    struct table *table; /* owned */
    uint32_t input;      /* among the profiles */
    size_t first;        /* of its rows, among those of all */
    unsigned *columns;   /* by column in SQL: its own, SQL_NONE: it has none; owned */
};

struct made_view {
    char *name;                    /* owned */
    struct sql_table table;        /* what SQL sees */
    struct sql_column *columns;    /* of all parts, `input`, and one with name NULL; owned */
    unsigned count;                /* of columns, without the last */
    struct view_part *parts;       /* owned */
    size_t part_count;             /* of parts */
    size_t part_capacity;          /* of parts */
    const struct session *session; /* with names of inputs; borrowed */
};

void view_tables_start(struct view_tables *views, struct trace_tables *trace, const struct view_options *options)
{
    *views = (struct view_tables){ .trace = trace, .options = *options };
    views->options.reading.progress = false;
    views->options.reading.strings = NULL;
}

static void free_view(struct made_view *view)
{
    for (size_t i = 0; i < view->part_count; i++) {
        table_free(view->parts[i].table);
        memory_free(view->parts[i].columns);
    }
    sql_table_free(&view->table);
    memory_free(view->parts);
    memory_free(view->columns);
    memory_free(view->name);
    memory_free(view);
}

void view_tables_free(struct view_tables *views)
{
    for (size_t i = 0; i < views->made_count; i++)
        free_view(views->made[i]);
    memory_free(views->made);
    *views = (struct view_tables){ 0 };
}

/* ---- names ----------------------------------------------------------------------------------------------------------- */

/* Where a name in SQL is another one than that of the table, and tables that another one has the rows of. */
static const struct {
    const char *table; /* as its verb calls it */
    const char *name;  /* in SQL; NULL: it is none there */
} renamed[] = {
    { "overview", "metrics" }, { "metrics", "latency" }, { "breakdown", NULL }, { "slices", NULL }, { "runs", NULL },
};

const char *view_table_sql(const char *table)
{
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (strcmp(renamed[i].table, table) == 0)
            return renamed[i].name;
    return table;
}

static const char *table_name_of(const char *name)
{
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (renamed[i].name && strcmp(renamed[i].name, name) == 0)
            return renamed[i].table;
    return name;
}

static struct tables_of of_input(const struct view_tables *views, size_t input)
{
    return (struct tables_of){ .readers = (const struct reader *const *)&views->trace->session.profiles[input].reader,
                               .count = 1 };
}

/* How a table is made of an input; NULL: it has none such. Own tables are of all inputs that have times. */
static const struct verb_table *find_table(const struct view_tables *views, size_t input, const char *table,
                                           const struct verb **verb)
{
    const struct verb_table *found = tables_named(table, of_input(views, input), verb);

    if (found && *verb && verb_refuses(*verb, views->trace->session.profiles[input].reader))
        return NULL;
    return found;
}

/* Whether one of the first inputs has it. */
static bool have_it(const struct view_tables *views, size_t count, const char *table)
{
    const struct verb *verb;

    for (size_t i = 0; i < count; i++)
        if (find_table(views, i, table, &verb))
            return true;
    return false;
}

const char *view_table_name(const struct view_tables *views, size_t index, const char **description)
{
    const struct verb_table *table;
    const struct verb *verb;

    for (size_t input = 0; input < views->trace->session.profile_count; input++) {
        for (size_t i = 0; (table = tables_at(i, of_input(views, input))); i++) {
            if (!view_table_sql(table->name) || have_it(views, input, table->name) ||
                !find_table(views, input, table->name, &verb) || index--)
                continue;
            *description = table->description;
            return view_table_sql(table->name);
        }
    }
    return NULL;
}

/* ---- asking ---------------------------------------------------------------------------------------------------------- */

static status add_part(struct made_view *view, uint32_t input, struct table *table)
{
    status code = memory_grow(&view->parts, &view->part_capacity, view->part_count + 1, sizeof *view->parts);

    if (code == STATUS_OK)
        view->parts[view->part_count++] = (struct view_part){ .table = table, .input = input };
    else
        table_free(table);
    return code;
}

/* The tables of this name that a job made: one, or one for each of the inputs that a file holds. */
static status take_tables(const struct view_tables *views, struct made_view *view, const struct verb_table *asked,
                          struct job *job, uint32_t input)
{
    const struct session *session = &views->trace->session;
    struct table *table = NULL;
    status code = STATUS_OK;

    /* That a certain input has none is known only now: it has no rows. */
    if (tables_take(asked, job, &table) == STATUS_OK)
        code = add_part(view, input, table);
    while (code == STATUS_OK && table && input + 1 < session->profile_count &&
           session->profiles[input + 1].source.part > 1 && tables_take(asked, job, &table) == STATUS_OK)
        code = add_part(view, ++input, table);
    if (code == STATUS_OK)
        status_clear();
    return code;
}

static status ask_verb(const struct view_tables *views, struct made_view *view, const struct verb *verb,
                       const struct verb_table *asked, uint32_t input)
{
    const struct profile *profile = &views->trace->session.profiles[input];
    struct job job;
    status code;

    if (strcmp(profile->path, "-") == 0)
        return status_fail(STATUS_USAGE, "standard input can be read once only: the table \"%s\" wants a file",
                           view->name);
    code = job_start(&job, verb);
    job.reading = views->options.reading;
    job.runs = views->options.runs;
    job.warmup = views->options.warmup;
    job.by_name = true;
    job.view.all = true;
    if (code == STATUS_OK)
        code = tables_prepare(asked, &job);
    if (code == STATUS_OK)
        code = job_input(&job, profile->path);
    if (code == STATUS_OK)
        code = job_run(&job);
    if (code == STATUS_OK || code == STATUS_NO)
        code = take_tables(views, view, asked, &job, input);
    job_free(&job);
    return code;
}

/* What an input has of it; one without such a table has no rows. */
static status ask_input(const struct view_tables *views, struct made_view *view, uint32_t input)
{
    const struct profile *profile = &views->trace->session.profiles[input];
    const struct verb *verb;
    const struct verb_table *asked = find_table(views, input, table_name_of(view->name), &verb);
    struct table *table;
    status code;

    if (!asked)
        return STATUS_OK;
    if (verb)
        return profile->source.part > 1 ? STATUS_OK : ask_verb(views, view, verb, asked, input);
    code = trace_tables_read(views->trace);
    if (code == STATUS_OK)
        code = digest_losses(&profile->losses, &table);
    return code == STATUS_OK ? add_part(view, input, table) : code;
}

/* ---- columns --------------------------------------------------------------------------------------------------------- */

static unsigned find_column(const struct made_view *view, const char *name)
{
    unsigned column = 0;

    while (column < view->count && strcmp(view->columns[column].name, name) != 0)
        column++;
    return column;
}

/* A column of a part among those of all, as one of them. */
static unsigned join_column(struct made_view *view, const struct table_column *column)
{
    unsigned at = find_column(view, column->name);

    if (at == view->count)
        view->columns[view->count++] = (struct sql_column){
            .name = column->name, .unit = column->unit, .description = column->description, .type = column->type
        };
    else
        view->columns[at].any |= view->columns[at].type != column->type;
    return at;
}

static status join_columns(struct made_view *view)
{
    size_t most = 2, rows = 0;

    for (size_t i = 0; i < view->part_count; i++)
        most += table_columns(view->parts[i].table);
    view->columns = memory_allocate_clear(most * sizeof *view->columns);
    if (!view->columns)
        return status_no_memory("making a table");
    for (size_t i = 0; i < view->part_count; i++) {
        struct view_part *part = &view->parts[i];

        part->columns = memory_allocate(most * sizeof *part->columns);
        if (!part->columns)
            return status_no_memory("making a table");
        for (size_t column = 0; column < most; column++)
            part->columns[column] = SQL_NONE;
        for (size_t column = 0; column < table_columns(part->table); column++)
            part->columns[join_column(view, table_column(part->table, column))] = (unsigned)column;
        part->first = rows;
        rows += table_rows(part->table);
    }
    if (find_column(view, "input") == view->count)
        view->columns[view->count++] =
            (struct sql_column){ .name = "input", .description = "that it was read from", .type = CELL_TEXT };
    view->table.rows = rows;
    return STATUS_OK;
}

/* ---- cells ----------------------------------------------------------------------------------------------------------- */

static void put_cell(const struct table *table, size_t row, size_t column, struct sql_value *value)
{
    struct table_cell cell = table_cell(table, row, column);

    value->type = SQL_NULL;
    if (cell.null)
        return;
    switch (table_column(table, column)->type) {
    case CELL_TEXT:
        value->type = SQL_TEXT;
        value->text = (struct text){ cell.text, strlen(cell.text) };
        break;
    case CELL_DECIMAL:
    case CELL_PERCENT:
        value->type = SQL_DECIMAL;
        value->decimal = cell.decimal;
        break;
    case CELL_BOOLEAN:
        value->type = SQL_INTEGER;
        value->integer = cell.boolean;
        break;
    case CELL_INTEGER:
    case CELL_DURATION:
    case CELL_BYTES:
        value->type = SQL_INTEGER;
        value->integer = cell.integer;
        break;
    }
}

static void view_cell(const void *context, size_t row, unsigned column, struct sql_value *value)
{
    const struct made_view *view = context;
    const struct view_part *part = view->parts;
    const char *input;

    while (row >= part->first + table_rows(part->table))
        part++;
    value->type = SQL_NULL;
    if (part->columns[column] != SQL_NONE) {
        put_cell(part->table, row - part->first, part->columns[column], value);
    } else if (strcmp(view->columns[column].name, "input") == 0) {
        input = view->session->profiles[part->input].display;
        value->type = SQL_TEXT;
        value->text = (struct text){ input, strlen(input) };
    }
}

static status make_view(const struct view_tables *views, struct made_view *view, const char *name)
{
    size_t count = views->trace->session.profile_count;
    status code = STATUS_OK;

    view->session = &views->trace->session;
    view->name = memory_copy_text(name);
    if (!view->name)
        return status_no_memory("making a table");
    for (uint32_t i = 0; i < count && code == STATUS_OK; i++)
        code = ask_input(views, view, i);
    if (code == STATUS_OK && !view->part_count)
        code = status_fail(STATUS_INPUT, "there is nothing in these inputs that the table \"%s\" is about", name);
    if (code == STATUS_OK)
        code = join_columns(view);
    if (code != STATUS_OK)
        return code;
    view->table.columns = view->columns;
    view->table.one_input = count == 1;
    view->table.row_column = SQL_NONE;
    view->table.context = view;
    view->table.cell = view_cell;
    return STATUS_OK;
}

status view_tables_open(struct view_tables *views, const char *name, struct sql_table **table)
{
    struct made_view *view;
    status code = memory_grow(&views->made, &views->made_capacity, views->made_count + 1, sizeof *views->made);

    for (size_t i = 0; i < views->made_count; i++) {
        if (strcmp(views->made[i]->name, name) == 0) {
            *table = &views->made[i]->table;
            return STATUS_OK;
        }
    }
    view = code == STATUS_OK ? memory_allocate_clear(sizeof *view) : NULL;
    if (!view)
        return status_no_memory("making a table");
    code = make_view(views, view, name);
    if (code == STATUS_OK) {
        views->made[views->made_count++] = view;
        *table = &view->table;
    } else {
        free_view(view);
    }
    return code;
}
