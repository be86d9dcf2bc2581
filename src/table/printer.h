/* printer.h: a table in one output format.
 *
 * A printer is three functions: begin, one call per row, end. They write to an output that the caller owns; failures
 * stick in the output. What `begin` returns (NULL if it needs nothing) is handed to the other two, and `end` frees it.
 * `printer_write` drives one over a whole table. xlsx cannot be streamed into an output and has its own entry below.
 */
#ifndef TABLE_PRINTER_H
#define TABLE_PRINTER_H

#include "base/output.h"
#include "base/strings.h"
#include "table/dialect.h"
#include "table/table.h"

struct printer_style {
    const struct dialect *dialect; /* CSV; NULL: dialect_plain */
    unsigned width;                /* terminal columns; 0: no limit */
    bool colour;                   /* terminal */
    bool bars;                     /* terminal: draw bars in columns that ask for them */
    bool untitled;                 /* markdown, HTML: no heading, the document around it has its own */
};

struct printer {
    const char *id;     /* text, csv, json, markdown; html is a page's */
    const char *suffix; /* .csv */
    /* Everything before the first row; a row; everything behind the last. */
    void *(*begin)(struct output *output, const struct table *table, const struct printer_style *style);
    void (*row)(struct output *output, const struct table *table, const struct printer_style *style, void *state,
                size_t row);
    void (*end)(struct output *output, const struct table *table, const struct printer_style *style, void *state);
};

extern const struct printer text_printer; /* aligned columns that fit the width, notes below */
extern const struct printer csv_printer;
extern const struct printer json_printer; /* {"name":…,"title":…,"columns":[…],"rows":[{…}],"notes":[…]} */
extern const struct printer markdown_printer;

/* `style` may be NULL: no limit of width, no colour, no bars, the plain dialect. */
void printer_write(const struct printer *printer, struct output *output, const struct table *table,
                   const struct printer_style *style);

/* The next piece of `[*cursor, end)` that can go to a terminal as it is: a run of harmless characters, or what stands for one that is
 * not. */
const char *text_next_piece(const char **cursor, const char *end, size_t *length);
/* A text for a terminal, on the line that is being written, without what would play with it. */
void text_write_clean(struct output *output, struct text text);
/* A text for a terminal, without what would play with it: words on lines that fit the width, behind `first`, which is our own and
 * as wide as the indentation of the lines after it. */
void text_write_wrapped(struct output *output, const struct printer_style *style, const char *first, const char *text);

/* One xlsx file, a sheet per table, and a sheet "Notes" if there are any. Heading and widths as pandas users know them:
 * width = longest of heading and values, plus 2. Made in TMPDIR, then renamed into place as `output.h` does.
 * `sheet_names` may be NULL: table titles. */
NODISCARD status xlsx_write(const char *path, const struct table *const *tables, size_t count,
                            const char *const *sheet_names);

#endif
