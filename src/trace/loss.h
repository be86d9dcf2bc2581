/* loss.h: what the input lacked or a reader could not use, by reason.
 *
 * Every row of an input is either used or lost; `kept` reasons mark rows that were used although something was odd.
 * A struct losses holds plain numbers and owns nothing.
 */
#ifndef TRACE_LOSS_H
#define TRACE_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* X(name, kept, text) */
#define LOSS_MAP(X)                                                                           \
    X(FIELDS, false, "too few or too many fields")                                            \
    X(NUMBER, false, "a number that cannot be read")                                          \
    X(TIME_RANGE, false, "a time beyond the clock's range")                                   \
    X(END_BEFORE_START, false, "end before start")                                            \
    X(LOCATION, false, "a location that is not closed")                                       \
    X(QUOTE, false, "a quoted field that is not closed")                                      \
    X(TOO_LONG, false, "a line over 4 MiB")                                                   \
    X(BINARY, false, "bytes that are no text")                                                \
    X(END_WITHOUT_BEGIN, false, "an end without a begin")                                     \
    X(BEGIN_WITHOUT_END, true, "a begin without an end (kept, closed at the last time seen)") \
    X(BACKWARDS, true, "time running backwards (kept)")                                       \
    X(REPEATED_ID, true, "an id that was there before (kept)")                                \
    X(UNKNOWN_EVENT, true, "an unknown kind of event (kept on the track Unknown, in no sum)") \
    X(LAST_LINE, true, "a last line without a line end (kept)")                               \
    X(CUT_OFF, false, "a last line that is cut off")                                          \
    X(NO_MATCH, true, "no counterpart in the program (kept, without its engines)")            \
    X(SYNTAX, false, "an operation that cannot be read")                                      \
    X(NO_EVENT, false, "an event that holds nothing")                                         \
    X(LONE_END, true, "an end without a begin (kept as an instant)")                          \
    X(ALLOCATOR, false, "an allocation by an allocator that is not declared")                 \
    X(FILE, false, "a file or folder that cannot be used")                                    \
    X(PART, true, "a part of a row that is missing or cannot be read (kept without it)")      \
    X(MISSING, true, "a log, row or header that is missing (kept without what it would tell)")

enum loss_reason {
#define X(name, kept, text) LOSS_##name,
    LOSS_MAP(X)
#undef X
        LOSS_COUNT
};

enum { LOSS_LINES = 4 }; /* line numbers kept per reason */

struct loss {
    uint64_t count;
    uint64_t lines[LOSS_LINES]; /* the first ones; 0: none */
};

struct losses {
    struct loss by_reason[LOSS_COUNT];
    uint64_t rows; /* data rows met: rows == used + lost */
    uint64_t used;
    uint64_t lost;
};

/* Lose a row (or mark a kept one) found at `line`. A lost row counts in `lost`; the caller counts rows and used ones. */
void losses_add(struct losses *losses, enum loss_reason reason, uint64_t line);
/* Adds what was met in one file of several: their line numbers say nothing without the file, and are left out. */
void losses_join(struct losses *losses, const struct losses *more);
uint64_t losses_first_line(const struct losses *losses); /* of a row that was lost; 0: none, or not known */
const char *loss_text(enum loss_reason reason);
bool loss_kept(enum loss_reason reason);
uint64_t losses_total(const struct losses *losses); /* rows lost plus rows marked */
/* One sentence for a reason, with the first line numbers: "3 x end before start (lines 4, 9, 12)". */
int loss_describe(const struct losses *losses, enum loss_reason reason, char *to, size_t size);
/* Fails for a file of which not one row could be used as a format, and names the reason that most of them have. */
status losses_fail(const struct losses *losses, const char *path, const char *format);

#endif
