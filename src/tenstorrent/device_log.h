/* device_log.h: between the halves of the reader of Tenstorrent's device logs: rows into a marker log, a log into a feed. */
#ifndef TENSTORRENT_DEVICE_LOG_H
#define TENSTORRENT_DEVICE_LOG_H

#include "read/reader.h"
#include "tenstorrent/markers.h"

/* Reads the rows of a source into a log, which comes back settled. */
NODISCARD status tt_device_read_markers(struct source *source, struct marker_log *log);
/* The same, not settled: for who adds the markers to others, or looks at them in any order. After a failure the log has what was
 * read until then. */
NODISCARD status tt_device_read_rows(struct source *source, struct marker_log *log);

/* Pushes a settled log. What lacks its begin or its end is shown as far as it goes, and marked in the losses of the feed. */
NODISCARD status tt_device_feed(struct source *source, const struct marker_log *log, struct feed *feed);

/* Where a chip is drawn. */
struct tt_chip_place {
    int64_t offset;      /* ns that are added to those of its cycles */
    int32_t order;       /* among the tracks of the input */
    bool named_by_clock; /* it has logs of several clocks, and is drawn once for each */
};

/* Who knows more about the chips of a log than the log: how their clocks go together, and what their ops are. */
struct tt_chip_host {
    void *context; /* for both calls */
    /* Where the chip stands in time, and among the tracks. */
    struct tt_chip_place (*place)(void *context, const struct marker_log *log, const struct marker_chip *chip,
                                  const struct clock *clock);
    /* Draws the ops of the chip under its group, in place of those that the log names. */
    NODISCARD status (*ops)(void *context, const struct marker_log *log, const struct marker_chip *chip,
                            track_id group);
};

/* The same as a part of something larger. */
NODISCARD status tt_device_feed_hosted(struct source *source, const struct marker_log *log, struct feed *feed,
                                       const struct tt_chip_host *host);

/* The MHz that a log without a header is taken to have: those of the hardware in its document. */
enum { TT_DEVICE_USUAL_MHZ = 1202 };

#endif
