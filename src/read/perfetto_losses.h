/* perfetto_losses.h: why events of a Perfetto trace are lost, or marked. All of it is static. */
#ifndef READ_PERFETTO_LOSSES_H
#define READ_PERFETTO_LOSSES_H

#include "trace/loss.h"

extern const struct loss_reason perfetto_loss_packet;    /* that does not decode */
extern const struct loss_reason perfetto_loss_foreign;   /* bytes that are no packet */
extern const struct loss_reason perfetto_loss_packed;    /* packets that cannot be unpacked */
extern const struct loss_reason perfetto_loss_cut;       /* a last packet that is cut off */
extern const struct loss_reason perfetto_loss_sequence;  /* an event without a sequence */
extern const struct loss_reason perfetto_loss_state;     /* packets before it were lost */
extern const struct loss_reason perfetto_loss_time;      /* no time */
extern const struct loss_reason perfetto_loss_range;     /* before 0, or beyond the clock's range */
extern const struct loss_reason perfetto_loss_clock;     /* no snapshot has its clock */
extern const struct loss_reason perfetto_loss_type;      /* none that is known */
extern const struct loss_reason perfetto_loss_legacy;    /* of a phase that cannot be placed */
extern const struct loss_reason perfetto_loss_counter;   /* a value of no counter */
extern const struct loss_reason perfetto_loss_value;     /* a counter without a value */
extern const struct loss_reason perfetto_loss_extra;     /* extra values that do not fit */
extern const struct loss_reason perfetto_loss_end;       /* an end without its begin */
extern const struct loss_reason perfetto_loss_parent;    /* on a track whose parents are not there */
extern const struct loss_reason perfetto_loss_deep;      /* too many open slices */
extern const struct loss_reason perfetto_loss_overlap;   /* complete events that overlap */
extern const struct loss_reason perfetto_loss_open;      /* a begin without its end (kept) */
extern const struct loss_reason perfetto_loss_misplaced; /* an end around others (kept) */
extern const struct loss_reason perfetto_loss_argument;  /* without name or value (kept) */
extern const struct loss_reason perfetto_loss_text;      /* whose number had another (kept) */

extern const struct loss_reason *const perfetto_loss_reasons[]; /* all of these, NULL at the end */

#endif
