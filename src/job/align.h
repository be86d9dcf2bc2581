/* align.h: where inputs begin, before they are read into one trace.
 *
 * Most inputs have a clock of their own: counted from a reset, from the start of a process, from the start of a machine. Side by side
 * in a viewer they would lie hours apart, so each is moved to begin where the trace does. Inputs on one clock, which say so, move together.
 *
 * To find the first event an input is read twice. What comes through a pipe can be read only once, and keeps its times.
 */
#ifndef JOB_ALIGN_H
#define JOB_ALIGN_H

#include "job/session.h"

struct input_start {
    bool known;        /* it has events, and could be read before */
    int64_t first;     /* ns of its first event */
    const char *clock; /* as the source says; NULL: its own */
};

/* Where each profile of the session begins that has not been read yet. The caller frees `*starts`, also after a failure. */
NODISCARD status align_find(struct session *session, struct input_start **starts);
/* How far a profile moves so that it, or the first of those on its clock, begins at 0. */
int64_t align_shift(const struct input_start *starts, size_t count, size_t index);

#endif
