/* annotated_rows.h: the rows of an annotated log: its columns by name, and what their fields mean.
 *
 * A sheet is the header of one file and the fields of the row that is being read, which are views into its line.
 * Rows are plain data; their texts are ids in the feed's pool.
 */
#ifndef TORQ_ANNOTATED_ROWS_H
#define TORQ_ANNOTATED_ROWS_H

#include "torq/log.h"

enum { ANNOTATED_MOST_FIELDS = 64 };

enum annotated_column {
    COLUMN_INDEX,
    COLUMN_ACTION,
    COLUMN_JOB,
    COLUMN_OPERATION,
    COLUMN_SLICE,
    COLUMN_INVOCATION,
    COLUMN_INVOCATIONS,
    COLUMN_OPERATOR,
    COLUMN_TOTAL,
    COLUMN_DMA_IN, /* from here to slice 1 in the order of the USED_ bits that they set */
    COLUMN_DMA_OUT,
    COLUMN_CDMA,
    COLUMN_CSS,
    COLUMN_SLICE_0,
    COLUMN_SLICE_1,
    COLUMN_START,
    COLUMN_END,
    COLUMN_LOCATION,
    COLUMN_COUNT
};

enum annotated_form { FORM_A1, FORM_A2, FORM_A3 };

struct annotated_header {
    enum annotated_form form; /* by its columns */
    char delimiter;           /* between fields */
    unsigned count;           /* fields */
    unsigned known;           /* columns of ours among them; 0: no header was read yet */
    int places[COLUMN_COUNT]; /* field of each column; -1: not there */
};

struct annotated_sheet {
    struct annotated_header header;                    /* of the file */
    struct row_location fields[ANNOTATED_MOST_FIELDS]; /* of the row */
};

struct annotated_row {
    int64_t id;          /* action, or job of A1; below 0: a HAL call */
    int64_t job;         /* valid when `has_job` */
    bool has_job;        /* it names one */
    bool timed;          /* it has a start and an end */
    bool flagged;        /* the engine columns are filled */
    uint32_t used;       /* USED_ bits */
    int64_t start;       /* microseconds */
    int64_t end;         /* the same */
    string_id operation; /* as printed */
    string_id kernels;   /* one name in A1 and A2, all of the job in A3 */
    string_id location;  /* as printed; empty: none */
    operator_id op;      /* NO_ID: none */
    uint64_t line;       /* of the file */
};

/* Looks for the columns in a line. Any line will do: `annotated_is_header` says whether it was a header. */
void annotated_read_header(struct text line, struct annotated_header *header);
/* All columns are there that its form cannot do without. */
bool annotated_is_header(const struct annotated_header *header);
/* Takes the first line of a file; STATUS_INPUT, naming what is missing, where it is no header. */
NODISCARD status annotated_take_header(struct torq_log *log, const struct line *line, struct annotated_header *header);

/* Takes a row apart. `line` grows where a quoted field goes on below. `*reason` is NULL when it can be used. */
NODISCARD status annotated_take_row(struct torq_log *log, struct annotated_sheet *sheet, struct line *line,
                                    struct annotated_row *row, const struct loss_reason **reason);

#endif
