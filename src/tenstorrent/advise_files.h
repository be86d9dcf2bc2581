/* advise_files.h: what `advise.h` found, as tt-perf-report prints it: the table with its colours, the advice, the stacked
 * report, and both as CSV; and as a document with a picture of the rooflines.
 *
 * Nothing is owned; outputs are the caller's, and failures stick there.
 */
#ifndef TENSTORRENT_ADVISE_FILES_H
#define TENSTORRENT_ADVISE_FILES_H

#include "analyze/advice.h"
#include "base/output.h"
#include "table/document.h"
#include "table/field.h"
#include "tenstorrent/advise.h"

struct advise_style {
    bool colour;    /* for a terminal */
    bool advice;    /* the advice below the table, and its column in the CSV */
    bool raw_codes; /* a column with the names as the report has them, in the CSV */
    double least;   /* percent of the whole below which a row is grey */
};

/* How a terminal is told the colour of an operation with this code. */
const char *advise_code_colour(struct text code);

/* A text that came from a file, without what would play with a terminal. */
void advise_write_clean(struct output *output, const char *text);

void advise_write_message(struct output *output, const struct advise_message *message,
                          const struct advise_style *style);

/* The table and the advice. Nothing but a message where there are no operations. */
NODISCARD status advise_write_text(struct output *output, const struct advise *advise,
                                   const struct advise_style *style);
NODISCARD status advise_write_stack(struct output *output, const struct advise *advise,
                                    const struct advise_stack *stack, const struct advise_style *style);

void advise_write_csv(struct output *output, const struct advise *advise, const struct advise_style *style);
void advise_write_stack_csv(struct output *output, const struct advise_stack *stack);

/* The first `most` operations as a view; `request` may be NULL. */
NODISCARD status advise_op_table(const struct advise *advise, size_t most, const char *title,
                                 const struct view_request *request, struct table **table);
NODISCARD status advise_stack_table(const struct advise_stack *stack, struct table **table);

/* Everything for a person: what is worth most, the rooflines, the stack, the operations. NULL: out of memory. */
struct document *advise_document(const struct advise *advise, const struct advise_stack *stack, struct advice *advice);

#endif
