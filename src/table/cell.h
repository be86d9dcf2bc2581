/* cell.h: what the table printers share: how a cell looks to a person, and texts that cannot break what is around them.
 *
 * Texts come from files that may hold anything. `utf8_next` is the one decoder: whatever is no valid UTF-8 becomes
 * U+FFFD, so that every printer writes well-formed text. Nothing here allocates or keeps a pointer.
 */
#ifndef TABLE_CELL_H
#define TABLE_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/format.h"
#include "base/output.h"
#include "table/table.h"

enum { UTF8_REPLACEMENT = 0xfffd };
#define UTF8_REPLACEMENT_TEXT "\xef\xbf\xbd"

/* The character at `*cursor`, which moves past it; `*cursor` < `end`. Bytes that are no character (also surrogates,
 * overlong forms and what lies above U+10FFFF) give U+FFFD and are skipped as far as they look like the start of one;
 * `*valid` tells them from a true U+FFFD. */
uint32_t utf8_next(const char **cursor, const char *end, bool *valid);

/* Puts '?' in the place of every byte that is no UTF-8: for texts whose length is fixed already. */
void utf8_mend(char *text, size_t length);

/* What to write instead of the character `code`; NULL: itself. `previous` is the byte before it (0: none), `rest` what
 * follows up to `end`. */
typedef const char *(*cell_escape)(uint32_t code, unsigned char previous, const char *rest, const char *end);

/* Writes a text with every character put through `escape`, and U+FFFD for what is no UTF-8. */
void cell_write_escaped(struct output *output, const char *text, cell_escape escape);

/* A text of our own, as it is. */
void cell_write_plain(struct output *output, const char *text);

/* A field of a CSV file: quoted only where it must be, as RFC 4180 and Python's csv module do it. */
void cell_write_field(struct output *output, const char *data, size_t length, char delimiter);
/* For fields that come in pieces: whether one makes quotes necessary, and the inside of quotes. */
bool cell_needs_quotes(const char *data, size_t length, char delimiter);
void cell_write_doubling_quotes(struct output *output, const char *data, size_t length);

/* A line of a CSV report: fields with commas between them, CRLF at its end. */
struct cell_line {
    struct output *output; /* borrowed */
    bool started;          /* a field stands in it already */
};

void cell_line_put(struct cell_line *line, const char *data, size_t length);
/* One field of two pieces, which may be empty. */
void cell_line_put_both(struct cell_line *line, const char *one, size_t length, const char *other, size_t other_length);
void cell_line_end(struct cell_line *line);

/* Numbers stand at the right of their column. */
bool cell_is_number(enum cell_type type);

/* The heading for a person: the title, or the name if there is none. */
const char *cell_heading(const struct table_column *column);
/* The unit that belongs behind that heading; NULL where none was given or the values carry it themselves (12.845ms). */
const char *cell_heading_unit(const struct table_column *column);

/* A cell that is no text, as a person reads it; FORMAT_SIZE bytes. Returns the length: 0 for null. */
size_t cell_show(char *to, const struct table_column *column, struct table_cell cell);

/* The share of a bar that is filled, 0..100; false: this cell has no bar. */
bool cell_bar(const struct table_column *column, struct table_cell cell, double *percent);

#endif
