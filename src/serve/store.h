/* store.h: the history that is served, and a process beside the server that keeps it open.
 *
 * A SQLite file that others may write to is read by means of two more files beside it, which whoever opens it first makes and whoever closes it last
 * removes. The server writes nowhere but in its own folder (confine.h), and could read such a file only while somebody else has it
 * open. So another process, started before the server is confined, opens it, asks nothing, and closes it when the server is gone: the three
 * files stay where they are, the server may read these and no others, and sees what is added meanwhile.
 */
#ifndef SERVE_STORE_H
#define SERVE_STORE_H

#include <sys/types.h>

#include "base/status.h"

struct store_keeper {
    pid_t process; /* 0: none */
    int line;      /* whose end tells the process that the server is gone; -1: none */
};

/* Before any thread is started. STATUS_USAGE: it is no file; STATUS_INPUT: it is no history, or cannot be kept open. Release it also after a failure. */
NODISCARD status store_keep(struct store_keeper *keeper, const char *path);
/* Waits until it is closed. */
void store_release(struct store_keeper *keeper);

/* The files that are read where a history is, the last of which may not be there. */
enum { STORE_FILES = 3, STORE_VERSION = 128 };
extern const char *const store_suffixes[STORE_FILES];

/* A text that is another one when something was added. */
void store_version(const char *path, char to[STORE_VERSION]);

#endif
