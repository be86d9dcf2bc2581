/* frameworks.h: what advice has to know of who wrote a profile: what helps with it, and what its words are.
 *
 * Everything here is static data; nothing is owned.
 */
#ifndef GPU_FRAMEWORKS_H
#define GPU_FRAMEWORKS_H

#include "read/reader.h"

struct gpu_framework {
    const struct reader *reader; /* of its profiles */
    const char *run;             /* what a run is called in them */
    bool
        waits_in_run; /* a run ends when its results are there, and its input is made before it: the device has nothing to do when one begins */
    const char *waits;    /* calls that wait for a device */
    const char *launches; /* what helps where launches come late */
    const char *fuses;    /* where kernels are small */
    const char *copies;   /* where copies are not hidden */
    const char *units;    /* where products are in fp32 */
    const char *layout;   /* where tensors are only brought into another order */
    const char *fallback; /* where the CPU computes operators between those of the device */
};

/* Whose profiles a reader reads; never NULL for those of this chain. */
const struct gpu_framework *gpu_framework_of(const struct reader *reader);

#endif
