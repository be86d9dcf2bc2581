/* lines.h: the lines of an input, without copying them.
 *
 * A line is a view into the reader's own buffer, valid until the next call. Line ends are LF, CRLF or the end of the
 * input; neither CR nor LF is part of the line. A byte order mark at the start is skipped. How the input is cut into
 * chunks never changes what comes out.
 *
 * A record may go over several lines (a quoted newline): `lines_extend` adds the next physical line to the current one,
 * and `lines_retract` gives the added lines back when that turned out wrong.
 *
 * A line longer than LINES_LONGEST is not kept: it comes back cut, with `too_long` set, and the rest is skipped at
 * scanning speed, so that memory stays bounded whatever the file holds.
 */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/input.h"

enum { LINES_LONGEST = 4 * 1024 * 1024 };

struct line {
    const char *data; /* may be followed by anything; never read past `length` */
    size_t length;    /* bytes, without the line end */
    uint64_t number;  /* of its first physical line, from 1 */
    bool ended;       /* false: the input ended without a newline here */
    bool too_long;    /* cut at LINES_LONGEST */
};

struct lines;

/* Reads `input`, which stays the caller's and must outlive the lines. */
NODISCARD status lines_open(struct input *input, struct lines **lines);
void lines_close(struct lines *lines);

/* The next line; `*found` is false at the end. An empty last piece after the final newline is no line. */
NODISCARD status lines_next(struct lines *lines, struct line *line, bool *found);

/* `line` becomes itself, its line end, and the next physical line; `*found` is false when there is none, or when the whole
 * would be longer than LINES_LONGEST. */
NODISCARD status lines_extend(struct lines *lines, struct line *line, bool *found);

/* Back to the first physical line alone: the next `lines_next` gives the one after it. */
void lines_retract(struct lines *lines, struct line *line);

/* The next physical line without taking it; for deciding whether to extend. Valid until the next call. May move the
 * buffer, so it refreshes `line` too. One that cannot be read is not there: `lines_next` says why. */
NODISCARD status lines_peek(struct lines *lines, struct line *line, struct text *next, bool *found);

#endif
