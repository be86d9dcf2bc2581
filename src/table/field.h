/* field.h: what can be known of the things that tables are about, one field at a time; a table is a view of some fields.
 *
 * An entity (operator, engine, run, slice, job, kernel, core, ...) is a list of fields. Whoever has rows of an entity hands
 * out a context and a number of rows; `get` tells one field of one row. It is called only for fields that were chosen, sorted by
 * or filtered by. A chain adds fields to an entity of the core by a field set of the same entity name. Everything here is
 * static data and borrowed; only the table that `view_table` makes is the caller's.
 *
 *     entity "operator"          fields of the core            fields that a chain adds
 *                                name time share count …       module kernel shapes …
 *     view "operators"           name time share module        (a list of keys, an order, a filter)
 *     table                      what printers print
 */
#ifndef TABLE_FIELD_H
#define TABLE_FIELD_H

#include "table/table.h"

struct field {
    const char *key;         /* for machines and --columns: total_time; unique in its entity */
    const char *title;       /* for people: "Time"; NULL: the key */
    const char *unit;        /* "ns", "us", "B", "%"; NULL: none */
    enum cell_type type;     /* of every value */
    const char *description; /* one sentence: what it is, never empty */
    /* The value in `row` of `context`, texts borrowed until the next call; null: not known. */
    struct table_cell (*get)(const void *context, size_t row);
    bool bar;      /* terminal and HTML draw a bar for a percent */
    bool optional; /* may be left out where a terminal is too narrow */
};

/* Fields of one entity. */
struct field_set {
    const char *entity;         /* "operator" */
    const struct field *fields; /* ends with key NULL */
};

/* Rows of an entity, and all fields that can be asked of them. */
struct rows {
    const char *entity; /* "operator"; in messages */
    const struct field_set *const
        *sets;           /* that know this entity, NULL at the end; sets of other entities are passed over */
    const void *context; /* handed to `get` */
    size_t count;
};

/* Which fields, in which order, of which rows. */
struct view {
    const char *name;        /* of the table, and for --columns: "operators" */
    const char *title;       /* of the table; NULL: the name */
    const char *const *keys; /* NULL at the end */
    const char *sort;        /* "key" ascending, "-key" descending; NULL: as the rows come */
};

/* What a user asks for instead of what a view says. A field that is zero changes nothing. */
struct view_request {
    const char *columns; /* field keys separated by commas, or the name of a view; NULL: as the view says */
    const char *sort;    /* "[-]key" */
    uint64_t limit;      /* rows at most; 0: all */
    const char *const
        *filters; /* key~TEXT (holds, ignoring case), key=VALUE, !=, >, <, >=, <= on values; NULL at the end */
};

/* The table of a view as the request changes it. `views` are those that --columns may name, NULL at the end; the first is the one
 * that is shown where none is named. Rows that a filter or the limit leaves out are counted in a note. STATUS_USAGE: a key, view or
 * filter that does not exist, with what there is. */
NODISCARD status view_table(const struct rows *rows, const struct view *const *views,
                            const struct view_request *request, struct table **table);

/* What --columns help shows: a row per field (key, title, unit, type, description), and a note per view. */
NODISCARD status view_help(const struct rows *rows, const struct view *const *views, struct table **table);

/* The cells that `get` returns. */
static inline struct table_cell cell_null(void)
{
    return (struct table_cell){ .null = true };
}

static inline struct table_cell cell_text(const char *text)
{
    return (struct table_cell){ .null = !text, .text = text };
}

static inline struct table_cell cell_integer(int64_t value)
{
    return (struct table_cell){ .integer = value };
}

static inline struct table_cell cell_decimal(double value)
{
    return (struct table_cell){ .decimal = value };
}

static inline struct table_cell cell_boolean(bool value)
{
    return (struct table_cell){ .boolean = value };
}

#endif
