/* back_end.h: what runs the five processors of the example: threads of this program, or QEMU.
 *
 * A back end runs one launch at a time; what it needs it owns until `stop`.
 * Failure: calls return 0, or not 0 with a sentence in `message`, which has MESSAGE bytes.
 */
#ifndef EXAMPLE_BACK_END_H
#define EXAMPLE_BACK_END_H

#include <stdbool.h>
#include <stddef.h>

#include "core.h"

enum { MESSAGE = 512, PATH = 4096, SECONDS = 20 /* that a launch may take */ };

struct back_end {
    const char *name;         /* on the command line */
    const char *architecture; /* in the log */
    bool one_launch;          /* its clock begins anew with each: two in one log would be at the same time */
    unsigned megahertz;       /* of the clock that markers are taken with */
    /* The file with the names of the zones. */
    void (*names)(char path[PATH]);
    /* Runs the kernels over a memory that begins as given, and comes back when all processors have ended. `stop` must be called,
     * whatever the answer is. */
    int (*launch)(const struct core_memory *core, bool marked, char *message);
    /* Reads the memory of the core afterwards; a tacho_device_read without its context and its core. */
    int (*read)(uint64_t address, size_t size, void *bytes);
    void (*stop)(void);
};

extern const struct back_end threads_back_end, qemu_back_end;

#endif
