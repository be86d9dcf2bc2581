/* perfetto_whole.h: slices that Tacho got whole, told whole again.
 *
 * In a trace each is a begin and an end. It waits until its end is there, and those that began before it are told:
 *
 *     file      begin A   begin B   end B   begin C   end A   end C
 *     waiting   A         A B       A B     A B C     C                 B waits for A, although it has ended
 *     told                                            A B     C
 *
 * The ring of those that wait belongs to their track (struct own_track), arguments with it. What a track's ticks cannot show is lost with a reason.
 */
#ifndef READ_PERFETTO_WHOLE_H
#define READ_PERFETTO_WHOLE_H

#include <assert.h>

#include "read/perfetto_reading.h"

enum { DEEPEST_STACK = 512 }; /* open slices of a line, as importers have it */

/* Whether slices may come on a track of ours as they do here: whole, or as begin and end. */
bool whole_takes(struct own_track *own, bool whole);
/* The operator of a slice by its number, if there is one; arguments of the reading that only say again what it is are taken out. */
void whole_operator(struct perfetto_reading *reading, uint32_t number, struct slice *slice);

/* One of those that wait, by its number from the first of the track on. */
static inline struct waiting_slice *whole_at(const struct own_track *own, uint64_t number)
{
    assert(number >= own->popped && number - own->popped < own->count);
    return &own->waiting[(own->first + (size_t)(number - own->popped)) & (own->capacity - 1)];
}

/* A place behind those that wait, for the caller to fill. */
NODISCARD status whole_wait(struct own_track *own, struct waiting_slice **waiting);
/* Tells those that nothing is missing of, up to the first that waits. */
NODISCARD status whole_tell(struct perfetto_reading *reading, struct own_track *own);

/* What was filled last, and has the arguments of the reading, begins. */
NODISCARD status whole_begin(struct perfetto_reading *reading, struct trace_line *line, struct waiting_slice *waiting,
                             packet_place place);
/* The innermost one of a line ends. `rest`: ticks beyond the first of that nanosecond. */
NODISCARD status whole_end(struct perfetto_reading *reading, struct trace_line *line, int64_t ns, int64_t rest,
                           packet_place place);

#endif
