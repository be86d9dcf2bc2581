/* greeting.h: what a viewer says before it gets anything, and what it is answered. Anybody may connect and say anything.
 *
 * A greeting of zeros has heard nothing yet; it owns nothing. Nothing here fails.
 */
#ifndef RECORD_GREETING_H
#define RECORD_GREETING_H

#include <stdbool.h>
#include <stddef.h>

#include "format.h"

#pragma GCC visibility push(hidden)

struct live_greeting {
    size_t have;             /* bytes that came */
    struct live_hello hello; /* them */
};

enum greeting_state {
    GREETING_PART,    /* there is more to come */
    GREETING_OTHER,   /* this is no viewer: it gets no answer */
    GREETING_COMPLETE /* it gets one */
};

/* How many bytes are still to come. */
static inline size_t greeting_wants(const struct live_greeting *greeting)
{
    return sizeof greeting->hello - greeting->have;
}

/* Bytes that came; at most as many as it wants. */
enum greeting_state greeting_hear(struct live_greeting *greeting, const void *bytes, size_t count);

/* The answer to a complete greeting. `token` is what must be shown. */
enum live_answer greeting_answer(const struct live_greeting *greeting, const char token[LIVE_TOKEN]);

#pragma GCC visibility pop

#endif
