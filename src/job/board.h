/* board.h: `tacho record --host`: a command on another machine, timed from here, and what it left there brought back.
 *
 * Files go there only where they changed. The command runs in a folder that is made for it and goes with it: what is brought back is what
 * this run wrote, and two runs at once do not meet. The files that were given lie in the folder above, and have links in it. When the
 * connection ends before the command does, for whatever reason, the other side stops the command and removes the folder.
 *
 *     prepare (folders, which files are there) → copies → a fresh connection, timed → the command, timed → list → copies back → remove
 */
#ifndef JOB_BOARD_H
#define JOB_BOARD_H

#include "job/job.h"

/* Texts are borrowed. */
struct board_settings {
    const char *host;   /* USER@MACHINE; NULL: the command runs here */
    struct texts push;  /* files that go there */
    struct texts fetch; /* files that come back, as patterns of a shell */
    const char *folder; /* there; NULL: TACHO_REMOTE_DIR, else the usual one */
    const char *ssh;    /* command line; NULL: TACHO_SSH, else ssh */
    uint64_t timeout;   /* seconds that the command has; 0: all */
};

/* Runs the job's inputs, which are a command. `out` is the folder for what comes back; NULL: one that is named after the command and the
 * date. What the command printed goes to whoever listens to the job, as it comes. `job->exit_code` is that of the command. */
NODISCARD status board_run(struct job *job, const struct board_settings *settings, const char *out);

#endif
