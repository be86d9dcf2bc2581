/* advise.h: what the files of `tacho advise` share: advise.c (reports of operations), advise_profile.c (other profiles). */
#ifndef CLI_ADVISE_H
#define CLI_ADVISE_H

#include "cli/options.h"
#include "table/table.h"

/* Options that serve every input. */
struct advise_common {
    const char *architecture;
    const char *csv;
    const char *output;
    bool colour, no_colour;
    bool no_advice;
    bool rank;
    bool json;
};

/* What is worth doing first: so many rows. */
#define ADVISE_RANK_TITLE "What to do first"
enum { ADVISE_RANKED = 40 };

/* NULL: out of memory. Frees the table. */
NODISCARD status advise_print_rank(struct table *table, bool json);

bool old_advise_is_file(const char *architecture); /* and not the name of one */

/* Advice on the operators of a model: `words` are its launches. */
NODISCARD status advise_executions(const struct old_texts *words, const struct advise_common *how);
/* Advice on the engines of an accelerator. */
NODISCARD status advise_engines(const char *path, const struct advise_common *how);

#endif
