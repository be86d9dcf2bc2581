/* annotation.h: measured actions beside the program they ran: rows of one kind, in the forms that users know.
 *
 * A form makes the rows, and its fields tell what is in them; a table is a view of those fields (`field.h`). The three exact forms are
 * what the original annotators wrote, mistakes included, so that existing readers of those files keep working. An annotation borrows
 * the log, the program and the strings, and owns its rows until `annotation_free`.
 */
#ifndef TORQ_ANNOTATION_H
#define TORQ_ANNOTATION_H

#include <assert.h>

#include "table/field.h"
#include "torq/measured.h"
#include "torq/origin.h"
#include "torq/program.h"

/* A text that grows in a fixed buffer. */
struct joined {
    char text[4096]; /* with a NUL behind it */
    size_t length;   /* of what was asked for: may be over what was kept */
    bool cut;        /* something did not fit */
};

void joined_add(struct joined *joined, const char *separator, const char *part);

struct annotation_row {
    const struct measured_row *measured; /* NULL: not in the log */
    const struct program_action *action; /* NULL: none, or not in the program */
    const struct program_job *job;       /* the same */
    const struct program_step *step;     /* that the row is about; NULL: the action or job as a whole */
    string_id kernel;                    /* of a step on a slice */
    uint32_t dispatch;                   /* index; NO_ID: the program has none of that name */
    int64_t start, end;                  /* of a form by jobs: microseconds since the first start */
    bool engines;                        /* it tells which engines the job used */
    bool call;                           /* a HAL call that encloses nothing */
    bool cut; /* its lists of operators, places or kernels do not fit; known once they were asked for */
};

/* What fields need while they are asked. */
struct annotation_work {
    struct joined text; /* the last one that was made */
    status failure;     /* the first; fields cannot report it */
    string_id *
        pretty; /* by string id of a location: its pretty form; 0: not made yet. Runs repeat few locations many times */
    size_t pretty_capacity; /* of these */
};

struct annotation {
    const struct program *program;   /* complete */
    const struct measured *measured; /* the log */
    struct origin *origin;           /* NULL: operator names are left empty */
    struct strings *strings;         /* of all of them */
    struct annotation_row *rows;     /* made by a form */
    size_t count, capacity;          /* of the rows */
    uint64_t unmatched;              /* measured rows without a counterpart in the program, and the reverse */
    int64_t first, last;             /* first start and last end of the blocks */
    bool *occurs;                 /* of blocks: by dispatch, and behind the last those that the program does not have */
    struct annotation_work *work; /* allocated by `annotation_start` */
};

/* The log that a form can be made of. */
enum form_needs { FORM_OF_ANY, FORM_OF_JOBS, FORM_OF_ACTIONS };

struct annotation_form {
    const char *name;                    /* for --columns */
    const char *title;                   /* of the table */
    enum form_needs needs;               /* what the log must have */
    bool exact;                          /* as an original wrote it, also the gaps in a column of integers */
    status (*fill)(struct annotation *); /* makes the rows */
    const struct field_set *const *sets; /* fields of these rows */
    const char *const *keys;             /* that it shows; NULL: all of its fields */
    void (*note)(const struct annotation *, struct table *); /* NULL: nothing to say */
};

extern const struct annotation_form form_blocks; /* for people: every block with its time, engines and source */
extern const struct annotation_form form_numbered_blocks; /* the same of a program with several dispatches */
extern const struct annotation_form form_jobs; /* a row per hardware operation of every job: A1's columns, true times */
extern const struct annotation_form form_actions; /* document 003's columns, one row per action */
extern const struct annotation_form form_a1;      /* exactly the first annotator */
extern const struct annotation_form form_a2;      /* exactly the second */
extern const struct annotation_form form_a3;      /* exactly the newest */

NODISCARD status annotation_start(struct annotation *annotation); /* whose inputs are set */
void annotation_free(struct annotation *annotation);
/* The table of a form, as the request changes it; the caller frees it. STATUS_USAGE: it cannot be made of this log. */
NODISCARD status annotation_table(struct annotation *annotation, const struct annotation_form *form,
                                  const struct view_request *request, struct table **table);

/* ---- For forms ---- */

/* A new row at the end, all zero but for the dispatch, which is NO_ID. NULL: out of memory. */
struct annotation_row *annotation_add(struct annotation *annotation);

static inline struct annotation_row *annotation_row(const void *annotation, size_t row)
{
    assert(row < ((const struct annotation *)annotation)->count);
    return &((const struct annotation *)annotation)->rows[row];
}

/* "tosa.conv2d@L4 + tosa.add@L5" from the places of a location; empty without the model's source. The second annotator took callees only,
 * sorted by line; the newest takes all places in printed order. An operator that does not fit is left out whole. */
const struct joined *annotation_operators(const struct annotation *annotation, string_id location,
                                          const char *separator, bool callees_by_line);

/* One execution of a dispatch: the measured row of each of its actions. */
struct dispatch_run {
    uint32_t dispatch;                /* index */
    int64_t invocation;               /* -1: the log has none */
    bool measured;                    /* false: an INIT scope, which the newest original lists too */
    const struct measured_row **rows; /* by action of the dispatch; NULL: not measured */
};

struct executions {
    struct dispatch_run *items; /* owned, with their rows */
    size_t count, capacity;     /* of these */
};

/* Of the measured actions, in the order of the log. Counts rows without an action in `annotation->unmatched`. */
NODISCARD status executions_collect(struct executions *executions, struct annotation *annotation);
/* Adds one per INIT scope, and sorts all by invocation. */
NODISCARD status executions_add_inits(struct executions *executions, const struct annotation *annotation);
void executions_free(struct executions *executions);

/* A row per action of every execution, and behind them a row per HAL call. `inits`: also those of INIT scopes. */
NODISCARD status fill_actions(struct annotation *annotation, bool inits);
/* A row per step of every job of the log. `charge_gaps`: as the first annotator did, a job begins where the one before ended. */
NODISCARD status fill_jobs(struct annotation *annotation, bool charge_gaps);

/* Steps of a job in the order of the first annotator: task by task, in a task by the fixed rank of the kinds. Each row is like `like`. */
NODISCARD status annotation_add_steps(struct annotation *annotation, const struct annotation_row *like);

/* NULL: the action has none. */
static inline const struct program_job *job_of_action(const struct program *program,
                                                      const struct program_action *action)
{
    return action->job == NO_ID ? NULL : program_job(program, action->job);
}

/* ---- Fields that several forms have ---- */

extern const struct field_set *const job_row_sets[];
extern const char *const job_row_keys[];
/* Engines of the job: { key, title and description } are in the order of the originals. */
struct table_cell get_slice_0(const void *context, size_t row);
struct table_cell get_slice_1(const void *context, size_t row);
struct table_cell get_dma_in(const void *context, size_t row);
struct table_cell get_dma_out(const void *context, size_t row);
struct table_cell get_cdma(const void *context, size_t row);
struct table_cell get_css(const void *context, size_t row);
struct table_cell get_action_id(const void *context, size_t row);
struct table_cell get_step_slice(const void *context, size_t row);
struct table_cell get_step_kernel(const void *context, size_t row);
struct table_cell get_total_time(const void *context, size_t row);
struct table_cell get_timestamp_start(const void *context, size_t row);
struct table_cell get_timestamp_end(const void *context, size_t row);
struct table_cell get_action_operation(const void *context, size_t row);
struct table_cell get_kernels(const void *context, size_t row);
struct table_cell get_all_operators(const void *context, size_t row);
struct table_cell get_pretty_location(const void *context, size_t row);

#define ANNOTATION_FIELD(name, words, kind, what, getter)                             \
    {                                                                                 \
        .key = name, .title = words, .type = kind, .description = what, .get = getter \
    }
/* The engines of the first annotator, and those of the later ones besides. */
#define FIRST_ENGINE_FIELDS                                                                                          \
    ANNOTATION_FIELD("slice_used_0_in_program", "Slice 0 Used in NSS Program", CELL_BOOLEAN, "slice 0 was used",     \
                     get_slice_0),                                                                                   \
        ANNOTATION_FIELD("slice_used_1_in_program", "Slice 1 Used in NSS Program", CELL_BOOLEAN, "slice 1 was used", \
                         get_slice_1),                                                                               \
        ANNOTATION_FIELD("dma_in_used_in_program", "DMA In Used in NSS Program", CELL_BOOLEAN, "DMA input was used", \
                         get_dma_in),                                                                                \
        ANNOTATION_FIELD("dma_out_used_in_program", "DMA Out Used in NSS Program", CELL_BOOLEAN,                     \
                         "DMA output was used", get_dma_out)
#define LATER_ENGINE_FIELDS                                                                                        \
    ANNOTATION_FIELD("cdma_used_in_program", "CDMA Used in CSS Program", CELL_BOOLEAN, "CDMA was used", get_cdma), \
        ANNOTATION_FIELD("css_used_in_program", "CSS Used in CSS Program", CELL_BOOLEAN, "the CSS was used", get_css)

#endif
