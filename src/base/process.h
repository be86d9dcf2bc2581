/* process.h: runs another program and waits for it: no shell, a time limit, everything it prints in one place.
 *
 * The program gets a process group of its own, an empty standard input or one of the caller's, and default signals. Standard output and
 * standard error go into one output of the caller's, in the order in which they were written; or each piece of them to a function, as it
 * comes. When the time is over, the whole group is killed. Nothing is kept after the call.
 *
 * Several threads may each run one, PROCESS_MOST in all. `process_interrupt` is for signal handlers: it ends all of them and removes the
 * guarded files.
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/output.h"
#include "base/status.h"

enum { PROCESS_TEXT = 160 }; /* room for what `process_describe` writes */
enum { PROCESS_MOST = 64 };  /* programs that run at once, and files that are guarded */

struct process_request {
    const char *const
        *arguments; /* NULL at the end; the first is the program, looked up in PATH where it has no slash */
    const char *const *environment; /* "NAME=value" to be added or replaced, NULL at the end; NULL: none */
    struct output *output;          /* gets both streams; NULL: they are thrown away */
    /* Gets each stream for itself, in place of `output`; `error`: standard error. NULL: `output` does. */
    void (*receive)(void *context, bool error, const char *data, size_t size);
    void *context;       /* for `receive` */
    int input;           /* file that is its standard input, borrowed; 0: an empty one */
    uint64_t limit;      /* bytes given to `output` at most, the rest is counted; 0: no limit */
    uint64_t timeout_ms; /* 0: none */
};

struct process_result {
    int start_error;  /* errno: it could not be started, nothing else is filled; 0: it ran */
    bool timed_out;   /* and was killed */
    int exit_status;  /* -1: it did not end by itself */
    int signal;       /* that ended it; 0: none */
    uint64_t written; /* bytes that it printed */
    uint64_t dropped; /* of those, over the limit */
    uint64_t wall_ns; /* from start to end */
};

/* STATUS_OK whatever became of the program: the result tells. Fails only where this process lacks memory, pipes or the like;
 * failures of `output` stick there. */
NODISCARD status process_run(const struct process_request *request, struct process_result *result);

static inline bool process_succeeded(const struct process_result *result)
{
    return !result->start_error && !result->timed_out && !result->signal && result->exit_status == 0;
}

/* "exit status 3", "ended by signal 11 (Segmentation fault)", "no end after 600 s, killed", "could not be started: ...". */
void process_describe(const struct process_result *result, uint64_t timeout_ms, char to[PROCESS_TEXT]);

/* Our environment with additions ("NAME=value") and without what they only name ("NAME"): an array for memory_free, whose texts are
 * borrowed. NULL: out of memory. */
char **process_environment(const char *const *additions);

/* A file that `process_interrupt` removes, until it is released. The path is borrowed, and known by its address. */
void process_guard(const char *path);
void process_release(const char *path);

/* Kills the groups of all running programs, waits for them, removes the guarded files. May be called from a signal handler. */
void process_interrupt(void);

#endif
