/* recording.h: the reader of Tacho's own recordings (.tacho): zones, counters, spans and device lines of programs.
 *
 * src/record/format.h says what a recording is. The reader belongs to no chain and owns nothing.
 */
#ifndef READ_RECORDING_H
#define READ_RECORDING_H

#include "read/reader.h"

extern const struct reader tacho_recording_reader;

/* ---- What recordings lose ---- */

extern const struct loss_reason recording_loss_damaged;  /* a chunk whose checksum is wrong */
extern const struct loss_reason recording_loss_reused;   /* a chunk of a ring that was written over meanwhile */
extern const struct loss_reason recording_loss_cut;      /* a chunk that is not there to its end */
extern const struct loss_reason recording_loss_missing;  /* a chunk that the file ends before */
extern const struct loss_reason recording_loss_broken;   /* a record that is not whole */
extern const struct loss_reason recording_loss_unknown;  /* a kind of record that there is none of */
extern const struct loss_reason recording_loss_ring;     /* an end whose begin was written over */
extern const struct loss_reason recording_loss_no_end;   /* a zone inside another that ended */
extern const struct loss_reason recording_loss_outside;  /* something about a zone where none is open */
extern const struct loss_reason recording_loss_site;     /* a site, thread, track or clock without a name */
extern const struct loss_reason recording_loss_dropped;  /* what there was no room for */
extern const struct loss_reason recording_loss_text;     /* texts that were cut */
extern const struct loss_reason recording_loss_span;     /* a span without its other end */
extern const struct loss_reason recording_loss_frame;    /* a frame without its other end */
extern const struct loss_reason recording_loss_lone_end; /* the end of a span or frame without its begin */
extern const struct loss_reason recording_loss_many;     /* more arguments than a zone can have */
extern const struct loss_reason recording_loss_unplaced; /* a slice of a device whose track or clock is not known */

#endif
