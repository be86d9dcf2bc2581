/* ops_feed.h: from a report of operations to the sink, for every reader that fills one.
 *
 * Tracks: the host's calls, one line per device with its operations, signposts. An arrow goes from a host call to what it
 * started. Where the markers of the devices are there too, the operations lie in the group of their chip, above its cores, on the
 * same clock. Nothing is owned; report and markers stay the caller's.
 */
#ifndef TENSTORRENT_OPS_FEED_H
#define TENSTORRENT_OPS_FEED_H

#include "read/reader.h"
#include "tenstorrent/markers.h"
#include "tenstorrent/op_report.h"

/* The markers of the devices of a report. */
struct op_markers {
    const struct marker_log *logs; /* settled; one for each clock that device logs tell */
    size_t count;                  /* of logs */
};

/* When an operation was drawn, in ns; start > end: it was not. */
struct op_place {
    int64_t start, end; /* on the clock of the whole input */
};

/* Who wants the operations themselves beside the timeline that is made of them. It is a companion of the source, in this role, and
 * owns all of it but the report until `op_listener_free`. */
#define OP_LISTENER "operations"

struct op_listener {
    struct op_report *report; /* that rows are added to; borrowed */
    bool slices;              /* they are looked at, too, also where the report tells its runs */
    size_t first;             /* row of the report: the first of this input */
    struct column places;     /* struct op_place, by row from the first one on */
    struct marker_log *logs;  /* settled: markers of the devices, where the input has them */
    size_t log_count;         /* of logs */
    size_t log_capacity;      /* of logs */
};

void op_listener_start(struct op_listener *listener, struct op_report *report);
void op_listener_free(struct op_listener *listener);
/* Of a source; NULL: nobody listens. */
struct op_listener *op_listener_of(const struct source *source);
/* The report that a reader fills: the listener's, or its own, which is started. */
struct op_report *op_listener_report(const struct source *source, struct op_report *own, struct strings *strings);
/* Moves a log to the listener. */
NODISCARD status op_listener_take(struct op_listener *listener, struct marker_log *log);

/* Announces the clock, tracks and operators, and pushes the rows by time. */
NODISCARD status op_report_feed(struct source *source, struct feed *feed, const struct op_report *report);
/* The same with the markers; NULL: there are none. Losses of the markers are already among those of the report. */
NODISCARD status op_report_feed_markers(struct source *source, struct feed *feed, const struct op_report *report,
                                        const struct op_markers *markers);

#endif
