/* document.h: a document while it is written: headings, texts, lists, values and tables, in the order in which they are
 * added.
 *
 * It is then printed as markdown, as an HTML page or as JSON. In texts, **bold** and `code` are markup; a mark without its
 * counterpart is an ordinary character, and everything else is escaped by the printer. Names and paths from files belong
 * into `code`.
 *
 * A document owns copies of all texts, and the tables that it is given. The first allocation failure sticks and is
 * reported by `document_status`, so building one needs a single check at the end.
 *
 * As JSON, a section is an object: "title", each value, number and table under its key, then "text" (paragraphs), "items",
 * "commands", "notes" and "sections". Values below a value make that one an object. Keys that are taken get "_2", "_3", …
 * behind them.
 */
#ifndef TABLE_DOCUMENT_H
#define TABLE_DOCUMENT_H

#include "base/output.h"
#include "base/status.h"
#include "table/prose.h"
#include "table/table.h"

struct document;

struct document *document_new(const char *title); /* NULL: out of memory */
/* The same with a title that says of what kind it is and what it is about: "Advice: net.csv". NULL or empty subject: not known. */
struct document *document_new_about(const char *kind, const char *subject);
void document_free(struct document *document);
const char *document_title(const struct document *document);
status document_status(const struct document *document);

/* `level` 2 to 4. `key` NULL: made from the text. */
void document_heading(struct document *document, unsigned level, const char *key, const char *format, ...)
    PRINTF_LIKE(4, 5);
/* Where the sections that follow stand on a page, up to the next call; first PROSE_OPEN. */
void document_place(struct document *document, enum prose_place place);
void document_text(struct document *document, const char *format, ...) PRINTF_LIKE(2, 3);
/* A paragraph that stands out: a verdict, a warning. */
void document_mood(struct document *document, enum prose_mood mood, const char *format, ...) PRINTF_LIKE(3, 4);
void document_item(struct document *document, unsigned depth, const char *format, ...) PRINTF_LIKE(3, 4);
/* "- **Label**: text", under `key` in JSON (NULL: made from the label). An empty text makes a heading of what follows
 * below it. */
void document_value(struct document *document, unsigned depth, const char *key, const char *label, const char *format,
                    ...) PRINTF_LIKE(5, 6);
/* A number for machines: only JSON shows it. */
void document_number(struct document *document, const char *key, double value);
/* A command to run. */
void document_code(struct document *document, const char *format, ...) PRINTF_LIKE(2, 3);
void document_rule(struct document *document); /* nothing in JSON */

/* Takes the table over, also when it fails; NULL counts as out of memory. Its name is the key, its title stands above it. */
void document_table(struct document *document, struct table *table);

/* A small table of texts with markup. */
struct document_column {
    const char *key;   /* in JSON */
    const char *title; /* for people */
    bool number;       /* stands at the right */
};

void document_grid(struct document *document, const char *key, const struct document_column *columns, size_t count);
/* The next cell, row by row. */
void document_cell(struct document *document, const char *format, ...) PRINTF_LIKE(2, 3);
/* The same with what machines get instead of the text; NAN is null. */
void document_cell_number(struct document *document, double value, const char *format, ...) PRINTF_LIKE(3, 4);

/* A picture, copied. Only HTML shows it: what it shows should stand in a table, too. */
void document_plot(struct document *document, const struct plot *plot);

/* As prose, markdown or another; as JSON. The document must be without failure; formats by suffix are page/formats.h's. */
NODISCARD status document_print_prose(const struct document *document, const struct prose_printer *printer,
                                      struct output *output);
void document_print_json(const struct document *document, struct output *output);

#endif
