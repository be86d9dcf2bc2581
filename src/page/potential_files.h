/* potential_files.h: what could be saved (`potential.h`), for a person: as lines for a terminal, and as a document with a picture
 * of the rooflines.
 *
 * Nothing is owned; outputs are the caller's, and failures stick there.
 */
#ifndef PAGE_POTENTIAL_FILES_H
#define PAGE_POTENTIAL_FILES_H

#include "analyze/potential.h"
#include "table/document.h"
#include "table/printer.h"

struct potential_title {
    const char *name;    /* of the profile */
    const char *summary; /* a sentence: what it is and how long it took */
};

/* What to do first, with its evidence; the items; what they are part of; the roofs. `advice` false: without the first. */
NODISCARD status potential_write_text(struct output *output, const struct potential *potential,
                                      const struct potential_title *title, const struct printer_style *style,
                                      bool advice);

/* The rows of `chance_table` as a list: sentences do not fit the columns of a terminal. */
void chance_list_write(struct output *output, const struct table *table, const struct printer_style *style);

/* How points of a roofline are drawn, by what holds them back. */
enum plot_series roofline_series(enum roofline_bound bound);

/* NULL: out of memory. */
struct document *potential_document(const struct potential *potential, const struct potential_title *title);

#endif
