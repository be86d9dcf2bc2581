/* private.h: a folder of this process alone, which is gone when the process is, however it ends; and programs that are started beside it.
 *
 * A process that is confined cannot remove the folder itself: a shell that was started before waits for it to end. It also sweeps after
 * a process that was killed.
 */
#ifndef SERVE_PRIVATE_H
#define SERVE_PRIVATE_H

#include <sys/types.h>

#include "base/path.h"

struct private_folder {
    struct path path; /* absolute */
    pid_t sweeper;    /* that waits; 0: none */
    int alive;        /* open as long as the process lives; -1: none */
};

/* In TMPDIR, or /tmp. Close it also after a failure. STATUS_OUTPUT: it cannot be made, or nobody could remove it. */
NODISCARD status private_open(struct private_folder *folder);
/* Removes it with all that is in it, and waits until it is gone. */
void private_close(struct private_folder *folder);

/* Starts a program that nobody waits for, without our terminal. STATUS_INPUT: it cannot be started. */
NODISCARD status private_spawn(const char *const *arguments);

#endif
