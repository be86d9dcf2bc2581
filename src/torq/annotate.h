/* annotate.h: measured actions beside the program they ran: one table, in the forms that users know.
 *
 * The default form follows the documents, with the originals' mistakes mended; the three exact forms reproduce what the
 * originals wrote, mistakes included, so that existing readers of those files keep working.
 */
#ifndef TORQ_ANNOTATE_H
#define TORQ_ANNOTATE_H

#include "table/table.h"
#include "torq/measured.h"
#include "torq/origin.h"
#include "torq/program.h"

enum annotate_form {
    ANNOTATE_JOBS,    /* default for a log with a row per job: A1's columns, true times */
    ANNOTATE_ACTIONS, /* default for a log of actions: document 003's columns, one row per action */
    ANNOTATE_A1,      /* exactly the first annotator */
    ANNOTATE_A2,      /* exactly the second */
    ANNOTATE_A3,      /* exactly the newest */
    ANNOTATE_BLOCKS   /* for people: every block with its time, engines and source */
};

struct annotation {
    const struct program *program;
    const struct measured *measured;
    struct origin *origin; /* NULL: operator names are left empty */
    struct strings *strings;
    uint64_t unmatched; /* filled: measured rows without a counterpart in the program, and the reverse */
    uint64_t cut;       /* filled: rows that could not hold all of their operators, places or kernels */
};

/* The caller frees `*table`. STATUS_USAGE: this form cannot be made from this kind of log. */
NODISCARD status annotate_table(struct annotation *annotation, enum annotate_form form, struct table **table);

#endif
