/* csv_rows.c: rows of CSV files: counted, and lost where they do not fit. */
#include "read/csv_rows.h"

#include <assert.h>

status csv_rows_open(struct csv_rows *rows, struct source *source, struct losses *losses, const struct csv_wish *wish)
{
    *rows = (struct csv_rows){ .source = source, .losses = losses };
    assert(source->input);
    return csv_open(&rows->csv, source->input, wish);
}

void csv_rows_close(struct csv_rows *rows)
{
    csv_close(&rows->csv);
}

/* Why a row of such bytes is lost: those that no text has explain all else. */
static const struct loss_reason *reason_of(const struct csv *csv, const struct loss_reason *reason)
{
    return !csv->line.too_long && text_is_binary((struct text){ csv->line.data, csv->line.length }) ? &loss_binary
                                                                                                    : reason;
}

status csv_rows_next(struct csv_rows *rows, bool *found)
{
    static const struct loss_reason *const problems[] = {
        [CSV_FIELDS] = &loss_fields,
        [CSV_QUOTE] = &loss_quote,
        [CSV_TOO_LONG] = &loss_too_long,
    };
    const struct csv *csv = &rows->csv;

    assert(rows->source && rows->losses && "rows are opened before they are read");
    for (;;) {
        status code = csv_next(&rows->csv, found);

        if (code != STATUS_OK || !*found)
            return code;
        rows->losses->rows++;
        source_progress(rows->source, rows->losses->rows);
        if (!csv->line.ended)
            code = source_lose_row(rows->source, rows->losses, &loss_last_line, csv->line.number, 1);
        if (code != STATUS_OK || csv->problem == CSV_FINE)
            return code;
        code = source_lose_row(rows->source, rows->losses, reason_of(csv, problems[csv->problem]), csv->line.number, 1);
        if (code != STATUS_OK)
            return code;
    }
}

status csv_rows_lose(struct csv_rows *rows, const struct loss_reason *reason, unsigned column)
{
    assert(rows->csv.problem == CSV_FINE && column < rows->csv.wish->count);
    return source_lose_row(rows->source, rows->losses, reason_of(&rows->csv, reason), rows->csv.line.number,
                           csv_place(&rows->csv, column));
}
