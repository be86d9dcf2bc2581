/* csv.h: what readers of CSV files share: fields, numbers, rows over several lines; and the headers and locations of Torq.
 *
 * Torq writes commas inside unquoted locations, quotes others by RFC 4180, and lets a location go over several lines.
 * Fields are views into the line they were taken from; only `csv_plain` copies, into a buffer that its caller owns.
 */
#ifndef TORQ_CSV_H
#define TORQ_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/lines.h"
#include "read/reader.h"
#include "torq/chain.h"

/* Rows that go over several lines end here: more is a location that nobody closed. */
enum { CSV_LONGEST_ROW = 64 * 1024, CSV_MOST_LINES = 256 };
/* Progress is shown each time this many rows were read; a power of two. */
enum { CSV_ROWS_PER_PROGRESS = 64 * 1024 };

/* Kinds of file by their header line. */
enum csv_header {
    HEADER_NONE,
    HEADER_INTERVALS, /* C1, C2 in the spelling of the documents */
    HEADER_C3,
    HEADER_C4,
    HEADER_R1,
    HEADER_R1_SHORT, /* without a location */
    HEADER_R2,
    HEADER_R3
};

enum csv_header csv_header(struct text line);

bool csv_is_blank(struct text line);
/* Bytes that no text has: NUL and other control bytes, but not tab and line ends. */
bool csv_is_binary(struct text line);
struct text csv_trim(struct text text);

/* Eight bytes at once: how many of the first ones are digits, and their value. The caller has eight bytes to read. */
__attribute__((always_inline)) static inline unsigned csv_eight_digits(const char *data, uint64_t *value)
{
    static const uint64_t ones = 0x0101010101010101u;
    uint64_t bytes, odd;
    unsigned count;

    memcpy(&bytes, data, sizeof bytes);
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        bytes = __builtin_bswap64(bytes);
    bytes ^= ones * '0';
    /* A byte is no digit when its upper half is not zero, or becomes so by adding six. */
    odd = (bytes | (bytes + ones * 6)) & ones * 0xF0;
    count = odd ? (unsigned)__builtin_ctzll(odd) / 8 : 8;
    if (!count) {
        *value = 0;
        return 0;
    }
    bytes <<= (8 - count) * 8;
    bytes = bytes * 10 + (bytes >> 8);
    *value = ((bytes & 0x000000FF000000FFu) * 0x000F424000000064u +
              (bytes >> 16 & 0x000000FF000000FFu) * 0x0000271000000001u) >>
             32;
    return count;
}

/* Digits of a number that int64_t holds; false (cursor unchanged) on anything else. */
static inline bool csv_digits(const char **cursor, const char *end, int64_t *value)
{
    enum { MOST = 19 }; /* so many fit into 64 bits without a sign, whatever they are */
    const char *next = *cursor;
    const char *limit = end - next > MOST ? next + MOST : end;
    uint64_t number = 0;

    while (next < limit && (unsigned)(unsigned char)*next - '0' <= 9)
        number = number * 10 + (unsigned)(*next++ - '0');
    if (next == *cursor || number > INT64_MAX || (next < end && (unsigned)(unsigned char)*next - '0' <= 9))
        return false;
    *cursor = next;
    *value = (int64_t)number;
    return true;
}

/* The same, followed by `delimiter`, which is taken too. Numbers of up to 14 digits with something behind them, which is nearly
 * all of them, are read eight digits at once and the rest one by one. */
__attribute__((always_inline)) static inline bool csv_digits_then(const char **cursor, const char *end, char delimiter,
                                                                  int64_t *value)
{
    const char *next = *cursor;

    if (end - next >= 16) {
        uint64_t number;
        unsigned count = csv_eight_digits(next, &number);

        if (count == 8) {
            unsigned digit;

            /* Stamps have a few digits more than eight as a rule: one by one is the shorter way. */
            for (; (digit = (unsigned char)next[count] - (unsigned)'0') < 10 && count < 15; count++)
                number = number * 10 + digit;
        }
        if (count - 1 < 14) {
            *value = (int64_t)number;
            *cursor = next + count + 1;
            return next[count] == delimiter;
        }
    }
    if (!csv_digits(&next, end, value) || next == end || *next != delimiter)
        return false;
    *cursor = next + 1;
    return true;
}

/* The integer that is all of a field but for blanks. NULL: read; &loss_number: none; &loss_time_range: too big. */
const struct loss_reason *csv_integer(struct text field, int64_t *value);

/* The text up to the next delimiter, which is taken too; `*last` when there was none. */
struct text csv_field(const char **cursor, const char *end, char delimiter, bool *last);

/* A location field: `text` is what stands there, quotes included when `quoted`. */
struct csv_location {
    struct text text;
    bool quoted;
};

/* Takes the field at `*cursor`, up to its delimiter or `end` (not taken). NULL: done; &torq_loss_location or
 * &loss_quote: it is not closed on this line. */
const struct loss_reason *csv_location(const char **cursor, const char *end, char delimiter,
                                       struct csv_location *location);

struct csv_buffer {
    char *data;
    size_t capacity;
};

/* The location without RFC 4180's quotes; borrows the buffer or the line. */
NODISCARD status csv_plain(const struct csv_location *location, struct csv_buffer *buffer, struct text *plain);

typedef bool (*csv_row_start)(struct text line);

/* Adds the next line to a row whose location is not closed. `*extended` is false when that line begins a row of its
 * own, when there is none, or when the row has become too long; the row is then its first line again. */
NODISCARD status csv_extend(struct lines *lines, struct line *line, unsigned *added, csv_row_start starts_row,
                            bool *extended);

/* Takes a row apart: NULL in `*reason` where that went well. `*open`: a quote is not closed, a further line may do that. */
typedef status (*csv_splitter)(void *row, const struct loss_reason **reason, bool *open);

/* Takes the row of `line` apart; with the lines behind it while it has an open quote and is not longer than `longest`. A row that
 * is never closed is lost with its first line alone. */
NODISCARD status csv_split_row(struct lines *lines, struct line *line, size_t longest, csv_splitter split, void *row,
                               const struct loss_reason **reason);

/* Walks the first whole lines of a probed head, blank ones left out. `*next` starts as the head. */
bool csv_next_line(struct text *next, struct text *line);

static inline void csv_progress(const struct source *source, uint64_t rows)
{
    if ((rows & (CSV_ROWS_PER_PROGRESS - 1)) == 0 && source->progress)
        progress_update(source->progress, input_consumed(source->input));
}

#endif
