/* clickhouse_rows.h: rows of a history as ClickHouse takes and gives them, and the SQL around them.
 *
 * Rows go in as RowBinary: numbers as they are in memory, so that none is rounded on its way through text. They come back as lines of text with the names and types of
 * the columns in front, which are compared with what was asked for: an answer that is of something else, ends early or repeats itself is found out. Numbers
 * in these lines read back as what they were.
 * Struct bytes owns its data until `bytes_free`; a reader of rows its line until `rows_free`.
 */
#ifndef HISTORY_CLICKHOUSE_ROWS_H
#define HISTORY_CLICKHOUSE_ROWS_H

#include "history/history.h"

/* ---- Bytes that grow: rows, and SQL ------------------------------------------------------------------------------------------- */

/* Zeros are an empty one. The first failure sticks: nothing is added after it. */
struct bytes {
    char *data;              /* owned */
    size_t length, capacity; /* of it */
    status failure;          /* the first */
};

void bytes_add(struct bytes *bytes, const void *data, size_t length);
void bytes_format(struct bytes *bytes, const char *format, ...) PRINTF_LIKE(2, 3);
/* 'text', as SQL writes it. */
void bytes_quote(struct bytes *bytes, const char *text);
/* "1, 2, 3". */
void bytes_numbers(struct bytes *bytes, const int64_t *numbers, size_t count);
void bytes_free(struct bytes *bytes);

static inline struct text bytes_text(const struct bytes *bytes)
{
    return (struct text){ bytes->data, bytes->length };
}

/* ---- In ------------------------------------------------------------------------------------------------------------------------- */

/* "Nullable(Float64)". */
const char *clickhouse_type(const struct history_column *column);
/* STATUS_OUTPUT: a value is not of its column's kind. */
NODISCARD status clickhouse_add_row(struct bytes *block, enum history_table_id table,
                                    const struct history_value *values);
void clickhouse_add_number(struct bytes *block, uint64_t number, size_t size); /* in so many bytes */

/* ---- Out ------------------------------------------------------------------------------------------------------------------------ */

/* What an answer is to have. */
struct rows_wanted {
    const struct history_column *columns; /* count of them */
    size_t count;                         /* HISTORY_COLUMNS at most */
    bool ascending;                       /* the first column never gets less */
};

struct answer_rows {
    struct rows_wanted wanted;                    /* as it was asked */
    const char *from;                             /* whom, for messages; borrowed */
    history_take take;                            /* gets the rows */
    void *context;                                /* of that */
    struct bytes line;                            /* that is not yet complete */
    struct bytes last;                            /* row that was taken last */
    size_t lines;                                 /* that were complete */
    int64_t first;                                /* column of the last row */
    struct history_value values[HISTORY_COLUMNS]; /* of a row */
};

/* A `clickhouse_take`; the context is a struct answer_rows. */
NODISCARD status rows_take(void *context, const char *data, size_t length);
/* The answer is over: was it whole? */
NODISCARD status rows_end(struct answer_rows *rows);
void rows_free(struct answer_rows *rows);

#endif
