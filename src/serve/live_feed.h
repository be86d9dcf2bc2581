/* live_feed.h: what a live source pushes into: a trace that is served while it grows, and what there is to say of what came.
 *
 * One thread fills it. It owns all but the trace, of which it holds a share, until `live_feed_free`.
 */
#ifndef SERVE_LIVE_FEED_H
#define SERVE_LIVE_FEED_H

#include "serve/traces.h"
#include "trace/feed.h"
#include "write/announced.h"

#define LIVE_BYTES ((uint64_t)256 << 20) /* of a trace in memory, at most: where more comes, less time is kept */

/* What came, as a sink that keeps nothing of it. */
struct live_count {
    struct announced announced; /* first, as its calls need it */
    struct column starts;       /* int64_t by track: latest start of a slice, ns */
    int64_t latest;             /* end of anything, or start of what has not ended; ns; INT64_MIN: nothing came */
    uint64_t events;            /* slices, instants and values */
    uint64_t late;              /* of those, that began before one that came earlier on their track */
};

struct live_feed {
    struct strings *strings;  /* owned */
    struct kept_trace *trace; /* held */
    struct writer writer;     /* that fills it */
    struct live_count count;  /* listens, too */
    struct tee tee;           /* feeds both */
    struct feed feed;         /* push here */
    uint64_t published;       /* events that were published */
    int64_t fits;             /* ns of what comes now for which there is room; INT64_MAX: more than anybody asked for */
    bool finished;            /* nothing more comes, and all of it is published */
    bool told;                /* that it is finished */
};

/* Free it also after a failure. */
NODISCARD status live_feed_start(struct live_feed *to, struct kept_trace *trace);
void live_feed_free(struct live_feed *to);

/* Nothing more comes: also what came late is there then. */
NODISCARD status live_feed_finish(struct live_feed *to);
/* Publishes what is new, and forgets what ended more than so long (ns) before the last. `quiet`: nothing came for a while, so that nothing is
 * waited for that may lie inside of what came. `*news`: there was something. */
NODISCARD status live_feed_publish(struct live_feed *to, int64_t keep, bool quiet, bool *news);

#endif
