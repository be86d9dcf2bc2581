/* tt_device.h: between the halves of the reader of Tenstorrent's device logs: rows into a marker log, a log into a feed. */
#ifndef READ_TT_DEVICE_H
#define READ_TT_DEVICE_H

#include "read/reader.h"
#include "trace/markers.h"

/* Reads the rows of a source into a log, which comes back settled. */
NODISCARD status tt_device_read_markers(struct source *source, struct marker_log *log);

/* Pushes a settled log. What lacks its begin or its end is shown as far as it goes, and marked in the losses of the feed. */
NODISCARD status tt_device_feed(struct source *source, const struct marker_log *log, struct feed *feed);

/* The MHz that a log without a header is taken to have: those of the hardware in its document. */
enum { TT_DEVICE_USUAL_MHZ = 1202, TT_DEVICE_FIRST_MHZ = 1200 };

#endif
