/* location.h: MLIR locations as tool chains print them.
 *
 * Understood: loc(...) around any of `unknown`, `?`, "file":line:column, "file":l:c to l:c and to :c ranges,
 * callsite(A at B), fused[A, B], fused<meta>[A, B], "name", "name"(A), and #alias (which stays unresolved here).
 * Nesting is limited to 64 levels. A parsed location borrows the text it was made from.
 */
#ifndef TORQ_LOCATION_H
#define TORQ_LOCATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strings.h"

struct location_place {
    struct text file; /* between the quotes, as printed (escapes not undone) */
    uint32_t line;    /* from 1 */
    uint32_t column;  /* from 1 */
    bool caller;      /* it is the B of a callsite(A at B) */
};

enum { LOCATION_PLACES = 64 }; /* kept; more are counted */

struct location {
    struct location_place places[LOCATION_PLACES]; /* all file places in printed order, both sides of callsites */
    uint32_t count;                                /* of places met; may be over LOCATION_PLACES */
    bool unknown;                                  /* unknown, ?, or empty */
    bool valid;                                    /* the grammar above was met to the end */
};

/* The end of the balanced `loc(...)` that starts at `data` (which must begin with "loc("): its length, or 0 when it is not
 * closed within `length`. Quotes (with backslash escapes), (), [], <> and {} nest; "->" does not close. */
size_t location_span(const char *data, size_t length);

void location_parse(const char *data, size_t length, struct location *location);

/* The last part of a printed path, whatever the machine that printed it: slashes of both kinds part it. */
struct text location_file(struct text path);

/* The pretty form of the newest originals: @L4C10, @L4C10+@L5C10 for fused, the callee of a callsite, the name of a
 * nameless child; the raw text where there is nothing better. Returns the length, cut at size - 1, NUL added. */
size_t location_pretty(const char *data, size_t length, char *to, size_t size);
/* The short form: net.mlir:4:10, fused parts joined by " + " (three at most, then "(+2 more)"), callees only. */
size_t location_short(const char *data, size_t length, char *to, size_t size);

#endif
