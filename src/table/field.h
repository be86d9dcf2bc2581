/* field.h: what can be known of the things that tables are about, one field at a time; a table is a view of some fields.
 *
 * An entity (operator, engine, run, slice, job, kernel, core, ...) is a list of fields. Whoever has rows of an entity hands
 * out a context and a number of rows; `get` tells one field of one row. It is called only for fields that were chosen, sorted by
 * or filtered by. A chain adds fields to an entity of the core by a field set of the same entity name. Everything here is
 * static data and borrowed; only the table that `view_table` makes is the caller's.
 *
 *     entity "operator"          fields of the core            fields that a chain adds
 *                                name time share count …       module kernel shapes …
 *     view "operators"           name time share module        (a list of keys, an order)
 *     request                    --columns --sort --limit --filter
 *     table                      what printers print
 */
#ifndef TABLE_FIELD_H
#define TABLE_FIELD_H

#include "base/strings.h"
#include "table/table.h"

/* The value of a field in a row; texts are borrowed until the next call of any. Null: not known. */
typedef struct table_cell (*field_get)(const void *context, size_t row);
/* The same for one of several fields that are alike: a time for each input, a value for each argument that slices have. */
typedef struct table_cell (*field_get_at)(const void *context, size_t row, size_t place);

struct field {
    const char *key;         /* for machines and --columns: total_time; unique in its entity */
    const char *title;       /* for people: "Time"; NULL: the key */
    const char *unit;        /* "ns", "us", "B", "%"; NULL: none */
    enum cell_type type;     /* of every value */
    const char *description; /* one sentence: what it is, never empty */
    field_get get;           /* reads it; NULL: `get_at` does */
    bool bar;                /* terminal and HTML draw a bar for a percent */
    bool optional;           /* may be left out where a terminal is too narrow */
    field_get_at get_at;     /* reads it, given its place */
    size_t place;            /* among those that are alike */
};

/* Fields of one entity. */
struct field_set {
    const char *entity;         /* "operator" */
    const struct field *fields; /* ends with key NULL */
};

/* Rows of an entity, and all fields that can be asked of them. */
struct rows {
    const char *entity;                  /* "operator"; in messages */
    const struct field_set *const *sets; /* NULL at the end; sets of other entities are passed over */
    const void *context;                 /* handed to `get` of every set: what the header of the entity says */
    size_t count;                        /* rows are 0 to count - 1 */
};

/* Which fields, in which order, of which rows. */
struct view {
    const char *name;        /* for --columns: "operators"; no key of a field is the same */
    const char *table;       /* name of the table; NULL: that of the view */
    const char *title;       /* of the table; NULL: the name */
    const char *const *keys; /* NULL at the end; NULL: every field of the first set of the entity */
    const char *sort;        /* "key" ascending, "-key" descending; NULL: as the rows come */
};

/* What a user asks for instead of what a view says. A field that is zero changes nothing.
 *
 * Blanks around keys, operators and values are passed over. A column that is named twice is shown once, where it was named first. A
 * value that is null, or a decimal that is no number, is not known: it comes last in either direction, and passes no filter, also
 * not one with !=. */
struct view_request {
    const char *columns;        /* "a,b,c": keys, and names of views for all of theirs; or "help" */
    const char *sort;           /* "[-]key", shown or not; rows that are equal stay in their order */
    uint64_t limit;             /* rows at most, after sorting; 0: all */
    bool all;                   /* all other fields stand behind the columns */
    const char *const *filters; /* "key>=value" and others, see view_filter.h; a row passes all; NULL at the end */
};

/* The table of a view as the request changes it; `request` may be NULL. `views` are those that --columns may name, NULL at the end.
 * Name, title and order are those of the first view that is named, or else of the first that there is. Rows that a filter or the
 * limit leaves out are counted in a note. STATUS_USAGE: a key, view or filter that does not exist, with what was meant.
 *
 * `get` is called once for every cell that is shown, and at most once per row for the order and for each filter. Only sorting keeps
 * something per row that passes the filters: 16 bytes, twice while it sorts, and each distinct text once. */
NODISCARD status view_table(const struct rows *rows, const struct view *const *views,
                            const struct view_request *request, struct table **table);

/* What --columns help shows: a row per field (key, title, unit, type, description), and a note per view. Of `rows` only the entity
 * and the sets are looked at. */
NODISCARD status view_help(const struct rows *rows, const struct view *const *views, struct table **table);

/* Whether the user asks for anything that a view does not do by itself. NULL: no. */
bool view_is_asked(const struct view_request *request);
/* Whether `view_table` will answer with `view_help`: who can tell before reading a profile does. */
bool view_asks_help(const struct view_request *request);

/* Whether fields and views are as this header wants them: names that a request can tell apart (none is "help", begins with "-" or
 * has blanks or ,~=!<> in it), every field described, and views of fields that exist. Names of fields with `get_at` come from data
 * and may be any. Asserted above; for tests of an entity. */
bool view_is_sound(const struct rows *rows, const struct view *const *views);

/* All fields of `rows`, set after set: starts as { rows }. */
struct field_cursor {
    const struct rows *rows; /* borrowed; only entity and sets are looked at */
    size_t set;              /* the next field's, among the sets */
    size_t field;            /* its place in that set */
};

const struct field *field_next(struct field_cursor *cursor); /* NULL: that was the last */

/* The field of this key. STATUS_USAGE: there is none; the message begins with `option`, which named it. */
NODISCARD status field_find(const struct rows *rows, struct text key, const char *option, const struct field **field);

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
