/* beside.h: what stands beside a trace in formats that show it: tables, notes, and which runs count.
 *
 * It listens while inputs are read, so that nothing is read twice. The tables are those that other verbs answer with about the same input.
 * A struct beside owns everything in it until `beside_close`; one of zeros shows nothing.
 */
#ifndef JOB_BESIDE_H
#define JOB_BESIDE_H

#include "job/session.h"
#include "write/writer.h"

struct beside {
    const struct writer *writer; /* borrowed; NULL: nothing is shown */
    struct counting counting;    /* of the runs of all inputs */
};

/* Adds itself to `listeners` where the writer shows anything. The struct must not move afterwards. Close it also after a failure. */
NODISCARD status beside_open(struct beside *beside, const struct writer *writer, const struct strings *strings,
                             struct tee *listeners);
void beside_close(struct beside *beside);
/* A profile was read: hands over what is to be said of it. Its sums are those of the runs that count, then. `several`: it is one of many, and tables tell which. */
NODISCARD status beside_add(struct beside *beside, struct profile *profile, struct strings *strings, bool several);

#endif
