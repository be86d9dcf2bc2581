/* device_beside.h: what stands beside the timeline of a device log for who looks at it: maps of the cores of each chip, what the log is, and
 * its statistics.
 *
 * Maps go to the sink that takes them, right behind the tracks. Tables are kept in the source until somebody asks for its details. Where
 * no sink takes maps nobody looks, and none of this is made.
 */
#ifndef TENSTORRENT_DEVICE_BESIDE_H
#define TENSTORRENT_DEVICE_BESIDE_H

#include "read/reader.h"
#include "tenstorrent/device_analysis.h"

/* A log that was read and analysed already, and need not be again: a companion of its source in this role. */
#define DEVICE_KNOWN "device log"

struct device_known {
    const struct marker_log *log;         /* settled; its pool is that of the feed */
    const struct device_results *results; /* of the log */
    const char *const *notes;             /* of who read it; those of the source from then on */
    unsigned note_count;                  /* of notes */
};

const struct device_known *device_known_of(const struct source *source); /* NULL: it is to be read */

/* Where a log is drawn. */
struct device_tracks {
    track_id *cores;  /* by core of the log; NO_ID: not drawn */
    string_id *chips; /* by chip of the log: names */
};

/* Shows a log whose tracks were announced, where the sink takes maps. */
NODISCARD status device_beside_show(struct source *source, struct feed *feed, const struct marker_log *log,
                                    const struct device_tracks *tracks);

/* `details` and `release` of the readers that draw such logs. */
NODISCARD status device_beside_details(const struct source *source, struct table **tables, size_t most, size_t *count);
void device_beside_release(struct source *source);

#endif
