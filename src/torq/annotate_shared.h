/* annotate_shared.h: what the forms of an annotated table share. Private to the annotate files.
 *
 * A form looks at the rows of a log one by one, or at executions: the rows of one run of a dispatch, put at the places
 * of its actions.
 */
#ifndef TORQ_ANNOTATE_SHARED_H
#define TORQ_ANNOTATE_SHARED_H

#include "torq/annotate.h"

/* A text that grows in a fixed buffer. */
struct joined {
    char text[4096];
    size_t length; /* of what was asked for: may be over what was kept */
    bool cut;      /* something did not fit */
};

void joined_add(struct joined *joined, const char *separator, const char *part);

/* "tosa.conv2d@L4 + tosa.add@L5" from the places of a location; empty without the model's source. The second annotator
 * took callees only, sorted by line; the newest takes all places in printed order. An operator that does not fit is
 * left out whole. */
NODISCARD status original_operators(const struct annotation *annotation, string_id location, const char *separator,
                                    bool callees_by_line, struct joined *joined);

/* One execution of a dispatch: the measured row of each of its actions. */
struct dispatch_run {
    uint32_t dispatch;
    int64_t invocation;
    bool measured;                    /* false: an INIT scope, which the newest original lists too */
    const struct measured_row **rows; /* by action of the dispatch; NULL: not measured */
};

struct executions {
    struct dispatch_run *items;
    size_t count;
    size_t capacity;
};

/* Of the measured actions, in the order of the log. Counts rows without an action in `annotation->unmatched`. */
NODISCARD status executions_collect(struct executions *executions, struct annotation *annotation);
/* Appends one per INIT scope. */
NODISCARD status executions_add_inits(struct executions *executions, const struct annotation *annotation);
void executions_free(struct executions *executions);

/* The dispatch of that name; of no name the one that the program has chosen. */
bool annotate_find_dispatch(const struct program *program, string_id name, uint32_t *index);
/* `position` counts from the dispatch's first action. */
bool annotate_find_action(const struct program *program, uint32_t dispatch, int64_t id, uint32_t *position);
/* NULL: the action has none. */
static inline const struct program_job *job_of_action(const struct program *program,
                                                      const struct program_action *action)
{
    return action->job == NO_ID ? NULL : program_job(program, action->job);
}

static inline void add_column(struct table *table, const char *name, const char *title, enum cell_type type,
                              const char *description)
{
    table_add_column(table,
                     (struct table_column){ .name = name, .title = title, .type = type, .description = description });
}

/* ---- the forms: each adds its columns and rows ---- */

/* All but ANNOTATE_BLOCKS. */
NODISCARD status annotate_fill_form(struct annotation *annotation, enum annotate_form form, struct table *table);
NODISCARD status annotate_fill_blocks(struct annotation *annotation, struct table *table);

#endif
