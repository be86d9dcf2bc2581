/* confine.h: what the process may do once it serves: read what is served, write into one folder, and nothing else.
 *
 * Landlock binds files and, on newer kernels, connections; a filter of system calls takes away new sockets, other programs and what
 * looks into other processes. Both hold for the calling thread and those that it starts afterwards, and can never be taken back. A kernel that
 * lacks one of them is no failure: `confined` tells.
 *
 * Live sources need files, connections and programs: a process that was started before opens them, and is not confined (live_caller.h).
 */
#ifndef SERVE_CONFINE_H
#define SERVE_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct confined {
    int landlock; /* version of its interface; 0: the kernel has none, or does not let us */
    bool calls;   /* the filter of system calls is there */
};

/* `read`: files, and folders with all that is in them. `write`: a folder. STATUS_INPUT: what is there to confine
 * the process with fails: it must not serve. */
NODISCARD status confine(const char *const *read, size_t count, const char *write, struct confined *confined);

#endif
