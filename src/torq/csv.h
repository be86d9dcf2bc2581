/* csv.h: the old names of what base/number.h, base/text.h, read/value.h and read/reader.h have, for readers that still use them.
 *
 * Nothing is owned. Torq itself does not include it.
 */
#ifndef TORQ_CSV_H
#define TORQ_CSV_H

#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"
#include "read/reader.h"
#include "read/value.h"

enum { CSV_LONGEST_ROW = 64 * 1024, CSV_MOST_LINES = 256 };

#define csv_is_blank text_is_blank
#define csv_is_binary text_is_binary
#define csv_trim text_trim
#define csv_next_line text_take_line
#define csv_eight_digits number_eight_digits
#define csv_integer value_as_integer
#define csv_progress source_progress

/* The text up to the next delimiter, which is taken too; `*last` when there was none. */
static inline struct text csv_field(const char **cursor, const char *end, char delimiter, bool *last)
{
    struct text rest = text_between(*cursor, end), field = text_take(&rest, delimiter);

    *last = !rest.data;
    *cursor = rest.data ? rest.data : end;
    return field;
}

/* Takes a row apart: NULL in `*reason` where that went well. `*open`: a quote is not closed, a further line may do that. */
typedef status (*csv_splitter)(void *row, const struct loss_reason **reason, bool *open);

/* Takes the row of `line` apart; with the lines behind it while it has an open quote and is not longer than `longest`. A row that
 * is never closed is lost with its first line alone. */
NODISCARD status csv_split_row(struct lines *lines, struct line *line, size_t longest, csv_splitter split, void *row,
                               const struct loss_reason **reason);

#endif
