/* tt_ops_feed.h: from a report of operations to the sink, for every reader that fills one.
 *
 * Tracks: the host's calls, one line per device with its operations, signposts. An arrow goes from a host call to what it
 * started. Nothing is owned; the report stays the caller's.
 */
#ifndef READ_TT_OPS_FEED_H
#define READ_TT_OPS_FEED_H

#include "read/reader.h"

/* Announces the clock, tracks and operators, and pushes the rows by time. */
NODISCARD status op_report_feed(struct source *source, struct feed *feed, const struct op_report *report);

#endif
