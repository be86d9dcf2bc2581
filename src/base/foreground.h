/* foreground.h: runs another program in front of the user: with our terminal, our streams and our process group, as if it had been started
 * instead of us; measures it and waits for it.
 *
 * Signals that somebody sends to us go to the program; those of the terminal reach it anyhow, and we stay until it ends. One program at a
 * time in a process: signal handlers know but one. Nothing is kept after the call.
 */
#ifndef BASE_FOREGROUND_H
#define BASE_FOREGROUND_H

#include <stdint.h>

#include "base/status.h"

struct foreground_result {
    int start_error;    /* errno: it could not be started, nothing else is filled; 0: it ran */
    int pid;            /* that it had */
    int exit_status;    /* -1: a signal ended it */
    int signal;         /* that ended it; 0: none */
    uint64_t wall_ns;   /* from start to end, monotonic */
    uint64_t user_ns;   /* of CPU, with children that were waited for */
    uint64_t system_ns; /* the same in the kernel */
    uint64_t peak;      /* bytes of memory that the largest of them had at once */
};

/* `arguments` and `environment` end with NULL; the first argument is looked up in PATH where it has no slash; what `environment` has
 * ("NAME=value", or "NAME" alone: taken away) changes ours. Fails only where this process lacks something. */
NODISCARD status foreground_run(const char *const *arguments, const char *const *environment,
                                struct foreground_result *result);

/* The exit code that a shell gives for it: its own, 128 + signal, 127 or 126 where it could not be started. */
int foreground_exit_code(const struct foreground_result *result);

#endif
