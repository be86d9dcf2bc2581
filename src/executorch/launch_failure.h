/* launch_failure.h: whether a file is of a launch that failed, as the manifest of its run directory says.
 *
 * A launch that failed has no time, however whole its files are. Manifests that were read are kept until `failures_free`.
 */
#ifndef EXECUTORCH_LAUNCH_FAILURE_H
#define EXECUTORCH_LAUNCH_FAILURE_H

#include "base/path.h"
#include "executorch/rundir.h"
#include "read/reader.h"

/* A run directory that was looked at. */
struct failure_folder {
    char *path;           /* its own */
    struct rundir rundir; /* its own */
};

struct failures {
    struct failure_folder **folders; /* in the order in which they were met; each its own */
    size_t count, capacity;          /* of folders */
};

void failures_free(struct failures *failures);

/* Why the launch of a file failed: "exit status 132 (SIGILL); it printed last: Illegal instruction". Empty: it did not, or nothing says
 * so. The caller frees `reason`. */
NODISCARD status failures_find(struct failures *failures, const char *path, struct path *reason);

/* The same as a companion of a file in the role "failure": a text. */
extern const struct companion executorch_failure_companion;

#endif
