/* advice_files.h: advice (analyze/advice.h) and the work that it rests on (analyze/roofs.h), for a person and for a program: as lines for
 * a terminal, as a document with a picture of the rooflines, as JSON.
 *
 * Nothing is owned but by a struct advised; outputs are the caller's, and failures stick there.
 */
#ifndef PAGE_ADVICE_FILES_H
#define PAGE_ADVICE_FILES_H

#include "analyze/advice.h"
#include "analyze/roofs.h"
#include "base/json_write.h"
#include "table/document.h"
#include "table/printer.h"

/* What was found in a profile. It owns both. */
struct advised {
    struct advice advice; /* settled */
    struct roofs roofs;   /* settled; without items: there are none. Its texts are the advice's. */
};

void advised_free(struct advised *advised);

/* ---- For a terminal ---- */

/* What to do first, with its evidence. */
void advice_write_text(struct output *output, struct advice *advice, const struct printer_style *style);
/* The name of the profile and what it is. */
void advice_write_title(struct output *output, const struct advice *advice, const struct printer_style *style);
/* The parts of a run, the work under its roofs, and what limits all of this. */
NODISCARD status advised_write_tables(struct output *output, const struct advised *advised,
                                      const struct printer_style *style);

/* ---- As a document ---- */

/* The same list, below a heading of this level. */
void advice_add_section(struct document *document, struct advice *advice, unsigned level);
/* The head of an item of such a list: what to do, and what that could save. */
void advice_add_head(struct document *document, const struct advice *advice, const struct advice_item *item);
/* The same with its grounds. */
void advice_add_item(struct document *document, const struct advice *advice, const struct advice_item *item);
/* All of it. NULL: out of memory. */
struct document *advised_document(struct advised *advised);

/* The picture of rooflines, and the peaks that they are drawn with. */
NODISCARD status roofs_add_section(struct document *document, const struct roofs *roofs);
/* How points of a roofline are drawn, by what holds them back. */
enum plot_series roofline_series(enum roofline_bound bound);

/* ---- As JSON ---- */

/* "healthy", "run_ns", "headline", "items", "smaller", "dominates", "parts", "notes" of the object that is open. */
void advice_write_members(struct json_out *out, struct advice *advice);
/* The rows of a table as an array of objects. */
void table_write_member(struct json_out *out, const char *key, const struct table *table);
/* {"profile", "summary", all members, "operations", "roofs"} */
void advised_write_json(struct output *output, struct advised *advised);

#endif
