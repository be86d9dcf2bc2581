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

/* Announces the clock, tracks and operators, and pushes the rows by time. */
NODISCARD status op_report_feed(struct source *source, struct feed *feed, const struct op_report *report);
/* The same with the markers; NULL: there are none. Losses of the markers are already among those of the report. */
NODISCARD status op_report_feed_markers(struct source *source, struct feed *feed, const struct op_report *report,
                                        const struct op_markers *markers);

#endif
