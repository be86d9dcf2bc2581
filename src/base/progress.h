/* progress.h: one line on standard error that says how far a long job is, and a moment in which it may be made to wait.
 *
 * Nothing is shown unless standard error is a terminal that can wipe it and a second has passed; the line is wiped at the end. The caller
 * owns the struct; there is nothing to free. `progress_update` is cheap: call it once per chunk.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Called at every update: what matters more may be done before it comes back. All zero: nothing. */
struct progress_pause {
    void (*call)(void *context); /* NULL: nobody */
    void *context;               /* for the call, borrowed */
};

struct progress {
    const char *what;            /* "reading", borrowed */
    const char *name;            /* file, borrowed */
    uint64_t total;              /* 0: not known */
    int64_t started_ms;          /* monotonic */
    int64_t shown_ms;            /* when the line was last drawn; 0: never */
    bool enabled;                /* standard error is a terminal */
    struct progress_pause pause; /* set by the caller after the start, where there is one */
};

/* Whether a stream is a terminal that understands escape sequences: TERM may say that it is a dumb one, or nothing. */
bool progress_possible(int stream);
void progress_start(struct progress *progress, const char *what, const char *name, uint64_t total);
void progress_update(struct progress *progress, uint64_t done);
void progress_finish(struct progress *progress);

#endif
