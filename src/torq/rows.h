/* rows.h: rows of Torq's logs: their headers, and locations with commas, quotes and line ends in them.
 *
 * Torq writes commas inside unquoted locations, quotes others by RFC 4180, and lets a location go over several lines: no CSV.
 * What is found is a view into the line; only `row_plain` copies, into a buffer that its caller owns.
 */
#ifndef TORQ_ROWS_H
#define TORQ_ROWS_H

#include "base/lines.h"
#include "base/text.h"
#include "trace/loss.h"

/* Rows that go over several lines end here: more is a location that nobody closed. */
enum { ROW_LONGEST = 64 * 1024, ROW_MOST_LINES = 256 };

/* Kinds of file by their header line. */
enum row_header {
    HEADER_NONE,
    HEADER_INTERVALS, /* C1, C2 in the spelling of the documents */
    HEADER_C3,
    HEADER_C4,
    HEADER_R1,
    HEADER_R1_SHORT, /* without a location */
    HEADER_R2,
    HEADER_R3
};

enum row_header row_header(struct text line);

/* Where the columns of R3 stand, by their header. */
enum { SCOPE_NAME, SCOPE_INVOCATION, SCOPE_ACTION, SCOPE_TIME, SCOPE_EVENT, SCOPE_COLUMNS };

struct scope_columns {
    unsigned places[SCOPE_COLUMNS]; /* by column, from 0 */
    unsigned count;                 /* of columns, also of those that nobody wants */
    bool usual;                     /* these five and no others, in this order */
    bool nanoseconds;               /* the time is timestamp_ns; else timestamp_us */
};

/* False: the line names not all of them. */
bool row_scope_columns(struct text line, struct scope_columns *columns);

/* The next field, without blanks and RFC 4180's quotes around it; the last one leaves `rest` without data. */
struct text row_field(struct text *rest, char delimiter);

/* A location field. */
struct row_location {
    struct text text; /* what stands there, quotes included */
    bool quoted;      /* by RFC 4180 */
};

/* Takes the field at `*cursor`, up to its delimiter or `end` (not taken). NULL: done; &torq_loss_location or
 * &loss_quote: it is not closed on this line. */
const struct loss_reason *row_location(const char **cursor, const char *end, char delimiter,
                                       struct row_location *location);

struct row_buffer {
    char *data;      /* the caller's to free */
    size_t capacity; /* bytes of it */
};

/* The location without RFC 4180's quotes; borrows the buffer or the line. */
NODISCARD status row_plain(const struct row_location *location, struct row_buffer *buffer, struct text *plain);

typedef bool (*row_start)(struct text line);

/* Adds the next line to a row whose location is not closed. `*extended` is false when that line begins a row of its
 * own, when there is none, or when the row has become too long; the row is then its first line again. */
NODISCARD status row_extend(struct lines *lines, struct line *line, unsigned *added, row_start starts_row,
                            bool *extended);

#endif
