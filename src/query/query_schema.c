/* query_schema.c: the tables, columns and functions that SQL knows, as a table. */
#include <string.h>

#include "job/tables.h"
#include "query/query_parts.h"

enum { TABLE, COLUMN, TYPE, UNIT, DESCRIPTION };

static const char *type_name(const struct sql_column *column)
{
    if (column->any)
        return "any";
    switch (column->type) {
    case CELL_TEXT:
        return "text";
    case CELL_DECIMAL:
    case CELL_PERCENT:
        return "real";
    default:
        return "integer";
    }
}

static void add_row(struct table *table, const char *name, const char *column, const char *type, const char *unit,
                    const char *description)
{
    table_add_row(table);
    table_set_text(table, TABLE, name);
    table_set_text(table, COLUMN, column);
    table_set_text(table, TYPE, type);
    table_set_text(table, UNIT, unit);
    table_set_text(table, DESCRIPTION, description);
}

static void add_columns(struct table *table, const char *name, const struct sql_column *columns)
{
    for (const struct sql_column *column = columns; column->name; column++)
        add_row(table, name, column->name, type_name(column), column->unit, column->description);
}

/* A table of these inputs; one that cannot be made of them says why. */
static void add_definition(struct table *table, const struct sql_definition *definition)
{
    struct sql_table *open;

    if (definition->open(definition->context, definition->name, &open) == STATUS_OK) {
        add_columns(table, definition->name, open->columns);
    } else {
        add_row(table, definition->name, NULL, NULL, NULL, status_message());
        status_clear();
    }
}

/* What every input has, and the names of what some have. */
static void add_general(struct table *table)
{
    const struct tables_of any = { .count = 0 };
    const struct verb_table *made;

    for (unsigned i = 0; i < TRACE_TABLES; i++)
        add_columns(table, trace_table_facts[i].name, trace_table_facts[i].columns);
    for (size_t i = 0; (made = tables_at(i, any)); i++)
        if (!made->apart && view_table_sql(made->name))
            add_row(table, view_table_sql(made->name), NULL, NULL, NULL, made->description);
}

status query_schema(struct query *query, struct table **made)
{
    struct table *table = table_new("schema", "Tables and columns");
    status code;

    if (!table)
        return status_no_memory("listing tables");
    table_add_column(table, (struct table_column){ .name = "table", .title = "Table", .type = CELL_TEXT });
    table_add_column(table, (struct table_column){ .name = "column", .title = "Column", .type = CELL_TEXT });
    table_add_column(table, (struct table_column){ .name = "type", .title = "Type", .type = CELL_TEXT });
    table_add_column(table, (struct table_column){ .name = "unit", .title = "Unit", .type = CELL_TEXT });
    table_add_column(table, (struct table_column){ .name = "description", .title = "Description", .type = CELL_TEXT });
    for (size_t i = 0; query && i < query->definition_count; i++)
        add_definition(table, &query->definitions[i]);
    if (!query)
        add_general(table);
    add_row(table, "jobs", NULL, NULL, NULL, "view: the slices whose engine_group is job");
    for (const struct function_facts *facts = function_facts; facts->call; facts++)
        add_row(table, NULL, facts->call, NULL, NULL, facts->description);
    if (!query)
        table_note(table, "tacho query INPUT... --schema has the columns of all tables of these inputs");
    code = table_status(table);
    if (code == STATUS_OK)
        *made = table;
    else
        table_free(table);
    return code;
}
