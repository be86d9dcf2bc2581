/* advise_inputs.h: the inputs of `tacho advise` on Tenstorrent's profiles, read once: their operations, when these ran, which runs count,
 * and the markers of their devices where there are any.
 *
 * Reports of operations go together; device logs beside them tell how the cores fared, also one that lies in the folder of a report. A
 * device log alone is a report of its own. A struct owns all of it until `advise_inputs_free`; paths are borrowed.
 */
#ifndef TENSTORRENT_ADVISE_INPUTS_H
#define TENSTORRENT_ADVISE_INPUTS_H

#include "job/advise.h"
#include "tenstorrent/ops_feed.h"

struct advise_input {
    struct profile profile;      /* as a session reads it */
    bool log;                    /* a device log */
    struct op_listener listener; /* its operations and markers */
    struct counted_runs counted; /* which of its runs count */
    struct interval *runs;       /* ns: those; NULL: it is one run */
    size_t run_count;            /* of these */
    struct interval whole;       /* ns: from the first start to the last end */
    double run_ns;               /* of one run, as `summary` has it */
};

struct advise_inputs {
    struct session session;           /* texts and options of all */
    struct op_report report;          /* of all reports */
    struct op_report logged;          /* of device logs */
    struct advise_input *items;       /* in the order of the command line */
    size_t count;                     /* of items */
    const struct op_report *rows;     /* what is spoken about: the reports, or a log where there is none */
    const struct advise_input *first; /* that tells the time of a run */
    bool unjoined;                    /* device logs tell nothing about the operations of the reports */
};

/* All zero before. Free it in any case. */
NODISCARD status advise_inputs_read(struct advise_inputs *inputs, struct job *job);
void advise_inputs_free(struct advise_inputs *inputs);

#endif
