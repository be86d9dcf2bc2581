/* spans.h: spans that belong to no thread: they begin and end under an id, perhaps on several threads, and stand on lines by process and name.
 *
 * What a span is called and what it carries is the reader's; which one an end is of is decided here. A struct spans owns its tables until `spans_free`; the
 * feed is borrowed.
 */
#ifndef READ_SPANS_H
#define READ_SPANS_H

#include "base/column.h"
#include "base/map.h"
#include "trace/feed.h"

/* Which spans end each other. */
struct span_id {
    uint64_t id;    /* with its category, as the reader tells ids apart */
    uint64_t scope; /* process that the id is of; UINT64_MAX: it is the same in all of them */
};

struct spans {
    struct feed *feed;        /* borrowed */
    struct number_map open;   /* by id and scope: the innermost */
    struct column list;       /* those that began */
    uint32_t free;            /* of them, that may be used again; NO_ID: none */
    struct number_map tracks; /* by process and name */
};

void spans_start(struct spans *spans, struct feed *feed);
void spans_free(struct spans *spans);

/* The line of the spans of a name in a process, below `parent`, announced at its first use. */
NODISCARD status spans_line(struct spans *spans, uint64_t process, track_id parent, clock_id clock, string_id name,
                            track_id *track);
/* A span inside those with the same id. */
NODISCARD status spans_begin(struct spans *spans, struct span_id id, const struct slice *slice);
/* Ends the innermost span of the name, or of any where `name` is empty. Not `*found`: there is none. */
NODISCARD status spans_end(struct spans *spans, struct span_id id, string_id name, int64_t time, bool *found);
/* Ends all that are open; `*count`: so many. */
NODISCARD status spans_finish(struct spans *spans, int64_t time, uint64_t *count);

#endif
