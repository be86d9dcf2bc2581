/* chrome_own.h: what only Tacho reads of the trace events that it writes: runs, and steps from which they are told.
 *
 * Metadata events of names of our own, with rows of numbers, as many as fit one event; viewers pass over names that they do not know:
 *
 *     {"ph":"M","pid":1,"tid":0,"name":"tacho_runs","args":{"first":0,"rows":[[0,0,1000,25000],[0,1,25000,48000]]}}
 *
 * Times are ns. Rows of one kind are counted over the whole file; `first` is the number of the first in its event. A step whose end
 * was not known when it was written has it in a row of its own, and one whose end never came is named in another.
 */
#ifndef TRACE_CHROME_OWN_H
#define TRACE_CHROME_OWN_H

enum { CHROME_OWN_WIDTH = 4 }; /* numbers of the widest row */

enum chrome_own {
    CHROME_OWN_RUNS,      /* launch, index, start, end */
    CHROME_OWN_STEPS,     /* key, start, end */
    CHROME_OWN_STEP_ENDS, /* number of the step, end */
    CHROME_OWN_STEP_LOST, /* number of a step whose end never came: its time is a guess */
    CHROME_OWN_KINDS
};

static const struct {
    const char *name; /* of the events */
    unsigned width;   /* numbers of a row */
} chrome_own_names[CHROME_OWN_KINDS] = {
    { "tacho_runs", 4 }, { "tacho_steps", 3 }, { "tacho_step_ends", 2 }, { "tacho_step_lost", 1 }
};

#endif
