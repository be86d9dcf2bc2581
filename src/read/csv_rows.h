/* csv_rows.h: the rows of a CSV file as a reader takes them: each is used or lost.
 *
 * Rows that do not have the fields of the header are lost here, the reader loses those that it cannot use. Source and losses are
 * borrowed; the rows own the CSV until `csv_rows_close`.
 */
#ifndef READ_CSV_ROWS_H
#define READ_CSV_ROWS_H

#include "base/csv.h"
#include "read/reader.h"

struct csv_rows {
    struct csv csv;        /* the row, and which columns the file has */
    struct source *source; /* borrowed */
    struct losses *losses; /* borrowed: rows are counted here, and those that are lost */
};

/* Reads the header line. STATUS_INPUT where it lacks a column that is required. Close them in any case. */
NODISCARD status csv_rows_open(struct csv_rows *rows, struct source *source, struct losses *losses,
                               const struct csv_wish *wish);
void csv_rows_close(struct csv_rows *rows);

/* The next row that has its fields; `*found` is false at the end. */
NODISCARD status csv_rows_next(struct csv_rows *rows, bool *found);

/* Loses the row given last because of what one of its columns says. */
NODISCARD status csv_rows_lose(struct csv_rows *rows, const struct loss_reason *reason, unsigned column);

#endif
