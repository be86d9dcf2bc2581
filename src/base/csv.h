/* csv.h: CSV files with a header line, their columns found by name in any order.
 *
 * A reader says which columns it wants; each row comes apart into `values`, one for each of those, whatever else the file has.
 * Fields are quoted as RFC 4180 says, "" and newlines inside of quotes included, or not at all; line ends are LF or CRLF, a byte
 * order mark is skipped, and a header without a comma may use semicolons or tabs. A column without a name (the index that pandas
 * writes) is like any other that nobody wants.
 *
 *     header  | ,name,start_us,duration_ms,node_id    field 1 is column NAME, field 3 DURATION, field 4 NODE
 *     row     | 0,"a ""b""",17,0.25,7                 values[NAME] = a "b", values[DURATION] = 0.25, values[NODE] = 7
 *
 * A row that does not fit comes too, with the problem that it has: it is for the reader to lose it or to use what is there. A quote
 * that is never closed costs the line on which it stands, not those behind it.
 *
 * Rows of some files mostly say what the row before said. Columns that are marked so are compared with that first, and `changed`
 * tells the reader what it has to look at again.
 *
 * Rows without quotes, nearly all, are cut 64 bytes at once. Nothing is allocated per row. The CSV owns its buffers until
 * `csv_close`; values are views that hold until the next row.
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/lines.h"
#include "base/status.h"
#include "base/text.h"

enum {
    CSV_MOST_FIELDS = 4096,       /* of a header */
    CSV_MOST_ROW_LINES = 256,     /* that a row may go over */
    CSV_LONGEST_OPEN = 1u << 20,  /* bytes after which a quote is not waited for any more */
    CSV_NO_COLUMN = UINT16_MAX,   /* a field that nobody wants */
    CSV_NO_FIELD = UINT16_MAX,    /* a column that the file does not have */
    CSV_MOST_COLUMNS = UINT16_MAX /* that may be wanted; those that repeat are among the first 64 */
};

/* What a row lacks. */
enum csv_problem {
    CSV_FINE,
    CSV_FIELDS,  /* it has fewer or more fields than the header; values are those that are there */
    CSV_QUOTE,   /* a quote is not closed, or not where its field ends; there are no values */
    CSV_TOO_LONG /* over LINES_LONGEST; there are no values */
};

enum csv_flags {
    CSV_ANY_CASE = 1,  /* names of columns are found whatever the case of their letters */
    CSV_TRIM = 2,      /* values without blanks around them, unless these are quoted */
    CSV_NO_QUOTES = 4, /* a quote is a byte like any other */
    CSV_ASKED =
        8, /* of many columns few are looked at: values are not laid out, `csv_value` gives them; none repeats */
};

struct csv_column {
    const char *name;  /* as it stands in the header, without blanks around it */
    const char *alias; /* another name; NULL: none */
    bool required;     /* a header without it is none */
    bool repeats;      /* rows mostly say the same as the row before */
};

/* What a reader wants; borrowed by a CSV. Of two fields that name one column the first counts. */
struct csv_wish {
    const struct csv_column *columns; /* `count` of them; NULL: `find` knows */
    unsigned count;                   /* columns */
    unsigned flags;                   /* enum csv_flags */
    /* The column that a field is, asked for each field of a header; CSV_NO_COLUMN: none. NULL: it is looked up in `columns`. */
    unsigned (*find)(void *context, struct text name);
    void *context; /* of `find` */
};

struct csv_field;
struct csv_memory;

struct csv {
    struct line line;         /* the row as it stands in the file */
    struct text *values;      /* by column; empty where row or file have none; with CSV_ASKED see `csv_value` */
    enum csv_problem problem; /* of the row */
    unsigned row_fields;      /* that the row has */
    unsigned field_count;     /* that the header has */
    uint64_t changed; /* columns that repeat and do not say what they said in the last row that was fine; a bit each */

    /* The rest is the CSV's own. */
    const struct csv_wish *wish; /* borrowed */
    struct lines *lines;         /* of the input */
    char delimiter;              /* of the header */
    uint16_t *field_of;          /* by column; CSV_NO_FIELD: none */
    struct csv_field *wanted;    /* the fields that somebody wants, in order */
    unsigned wanted_count;       /* of these */
    unsigned last_field;         /* the last one whose end matters */
    uint32_t *starts; /* by field, and one more: where it begins in the row, one past the delimiter before it */
    bool laid_out;    /* the row's values are in `values` */
    unsigned (*cut)(struct csv *csv, size_t from, unsigned count, bool *quotes); /* the best of this processor */
    struct csv_memory *memories;                                                 /* by column: what it said last */
    unsigned leading;      /* fields at the start that all repeat: compared as one */
    char *lead;            /* what they said last, with delimiters */
    size_t lead_capacity;  /* of `lead` */
    size_t lead_length;    /* 0: not known */
    char *plain;           /* fields of the row without doubled quotes */
    size_t plain_capacity; /* of `plain` */
    size_t plain_length;   /* used by this row */
    unsigned first_field;  /* of the header that has a name */
    char *first_name;      /* of that field */
    size_t first_length;   /* of that name; 0: none has one */
};

/* Reads the header line of `input`, which stays the caller's. STATUS_INPUT where there is none, or a required column is missing.
 * Close it in any case. */
NODISCARD status csv_open(struct csv *csv, struct input *input, const struct csv_wish *wish);
void csv_close(struct csv *csv);

/* The next row, blank lines left out; `*found` is false at the end. */
NODISCARD status csv_next(struct csv *csv, bool *found);

/* Whether the row begins as the header did: files that were put together have several. */
bool csv_is_header(const struct csv *csv);
/* Another line is the header from now on: the row's, or one that is known where a file has none. `*taken` is false where it cannot
 * be one, and nothing has changed then; else values are empty until the next row. */
NODISCARD status csv_take_header(struct csv *csv, struct text line, bool *taken);
/* Takes the row apart once more, by a header that was taken since. */
NODISCARD status csv_split(struct csv *csv);

/* Where a column's field begins in the row, from 1, for messages; 1 where it is not there. */
uint64_t csv_place(const struct csv *csv, unsigned column);

/* For probes: the columns that the first line of a file names, a flag each. False: that line cannot be a header. */
bool csv_probe(struct text head, const struct csv_wish *wish, bool *has);

/* Whether the file has a column, and whether the row does. */
static inline bool csv_has(const struct csv *csv, unsigned column)
{
    assert(column < csv->wish->count);
    return csv->field_of[column] != CSV_NO_FIELD;
}

static inline bool csv_row_has(const struct csv *csv, unsigned column)
{
    return csv_has(csv, column) && csv->field_of[column] < csv->row_fields;
}

/* The field of a row that has all of them, as it stands there. */
static inline struct text csv_raw(const struct csv *csv, unsigned field)
{
    uint32_t start = csv->starts[field];

    assert(field < csv->field_count && field < csv->row_fields);
    assert(start < csv->starts[field + 1] && csv->starts[field + 1] <= csv->line.length + 1);
    return (struct text){ csv->line.data + start, csv->starts[field + 1] - 1 - start };
}

/* What a column says; empty where row or file have none. */
static inline struct text csv_value(const struct csv *csv, unsigned column)
{
    assert(column < csv->wish->count);
    if (csv->laid_out || csv->field_of[column] == CSV_NO_FIELD)
        return csv->values[column];
    return csv_raw(csv, csv->field_of[column]);
}

/* Whether nothing stands in a row that has all its fields from one column's field to another's, which comes behind it. */
static inline bool csv_is_empty(const struct csv *csv, unsigned first, unsigned last)
{
    unsigned from = csv->field_of[first], end = csv->field_of[last] + 1u;

    assert(from < end && end <= csv->field_count && csv->row_fields == csv->field_count);
    return csv->starts[end] - csv->starts[from] == end - from;
}

/* Tests only: files opened from now on are cut without instructions that not every processor has. */
void csv_cut_plainly(bool plainly);

#endif
