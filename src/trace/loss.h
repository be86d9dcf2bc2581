/* loss.h: what the input lacked or a reader could not use, by reason.
 *
 * Every row of an input is either used or lost; `kept` reasons mark rows that were used although something was odd. A reason is a
 * constant: the general ones are here, a chain has its own. A struct losses holds plain numbers and owns nothing.
 */
#ifndef TRACE_LOSS_H
#define TRACE_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct loss_reason {
    const char *text; /* "end before start" */
    bool kept;        /* the row is used all the same */
    uint8_t order;    /* among the reasons that are shown together */
    bool bytes;       /* places are bytes of the file, not lines */
};

/* X(name, kept, text): the general reasons, in the order in which they are shown. */
#define LOSS_MAP(X)                                                                           \
    X(fields, false, "too few or too many fields")                                            \
    X(number, false, "a number that cannot be read")                                          \
    X(time_range, false, "a time beyond the clock's range")                                   \
    X(end_before_start, false, "end before start")                                            \
    X(quote, false, "a quoted field that is not closed")                                      \
    X(too_long, false, "a line over 4 MiB")                                                   \
    X(binary, false, "bytes that are no text")                                                \
    X(end_without_begin, false, "an end without a begin")                                     \
    X(begin_without_end, true, "a begin without an end (kept, closed at the last time seen)") \
    X(backwards, true, "time running backwards (kept)")                                       \
    X(repeated_id, true, "an id that was there before (kept)")                                \
    X(unknown_event, true, "an unknown kind of event (kept on the track Unknown, in no sum)") \
    X(last_line, true, "a last line without a line end (kept)")                               \
    X(cut_off, false, "a last line that is cut off")                                          \
    X(syntax, false, "an operation that cannot be read")                                      \
    X(no_event, false, "an event that holds nothing")                                         \
    X(lone_end, true, "an end without a begin (kept as an instant)")                          \
    X(file, false, "a file or folder that cannot be used")                                    \
    X(part, true, "a part of a row that is missing or cannot be read (kept without it)")      \
    X(missing, true, "a log, row or header that is missing (kept without what it would tell)")

#define X(name, kept, text) extern const struct loss_reason loss_##name;
LOSS_MAP(X)
#undef X

enum { LOSS_CHAIN = 128 };  /* orders from here on are those of chains */
enum { LOSS_LINES = 4 };    /* line numbers kept per reason */
enum { LOSS_REASONS = 32 }; /* different reasons kept per input; what comes beyond is counted as other reasons */

struct loss {
    const struct loss_reason *reason; /* static */
    uint64_t count;                   /* rows */
    uint64_t lines[LOSS_LINES];       /* the first ones, or their bytes; 0: none */
};

struct losses {
    struct loss reasons[LOSS_REASONS]; /* those that were met, by their order */
    unsigned reason_count;             /* of reasons */
    uint64_t rows;                     /* data rows met: rows == used + lost */
    uint64_t used;                     /* rows that became something */
    uint64_t lost;                     /* rows that did not */
};

/* Lose a row (or mark a kept one) found at `line`. A lost row counts in `lost`; the caller counts rows and used ones. */
void losses_add(struct losses *losses, const struct loss_reason *reason, uint64_t line);
/* Marks so many rows for a reason, none where `count` is 0; those of a reason that is not kept are lost elsewhere. */
void losses_mark(struct losses *losses, const struct loss_reason *reason, uint64_t count);
/* The places of the first rows of a reason that was met, as far as they are not 0. */
void losses_places(struct losses *losses, const struct loss_reason *reason, const uint64_t places[LOSS_LINES]);
/* Forgets a kept reason, for those who tell it in another way. */
void losses_drop(struct losses *losses, const struct loss_reason *reason);
/* Adds what was met in one file of several: their line numbers say nothing without the file, and are left out. */
void losses_join(struct losses *losses, const struct losses *more);
uint64_t losses_first_line(const struct losses *losses); /* of a row that was lost; 0: none, or not known */
/* What was met of a reason; one that was not met has the count 0. */
const struct loss *losses_find(const struct losses *losses, const struct loss_reason *reason);
uint64_t losses_count(const struct losses *losses, const struct loss_reason *reason);
uint64_t losses_total(const struct losses *losses); /* rows lost plus rows marked */
/* One sentence for a reason, with the first line numbers: "3 x end before start (lines 4, 9, 12)". */
int loss_describe(const struct loss *loss, char *to, size_t size);
/* Where no row could be used: "none of its 5 rows can be used". */
void losses_none_used(const struct losses *losses, char *to, size_t size);
/* Fails for a file of which not one row could be used as a format, and names the reason that most of them have. */
status losses_fail(const struct losses *losses, const char *path, const char *format);

#endif
