/* store.h: the history that is served, and a process beside the server that reaches it.
 *
 * A SQLite file that others may write to is read by means of two more files beside it, which whoever opens it first makes and whoever closes it last
 * removes. The server writes nowhere but in its own folder (confine.h), and could read such a file only while somebody else has it
 * open. So another process, started before the server is confined, opens it, asks nothing, and closes it when the server is gone: the three
 * files stay where they are, the server may read these and no others, and sees what is added meanwhile.
 *
 * The servers of a ClickHouse are connected to by another process, too (live_caller.h): the server opens no connection, and gets none but to these. The process looks up
 * their names, and hands over a connection whenever a question is asked: a store that is not there now may be there then.
 */
#ifndef SERVE_STORE_H
#define SERVE_STORE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"

struct store_keeper {
    pid_t process; /* that keeps a file open; 0: none */
    int line;      /* whose end tells the process that the server is gone; -1: none */
    bool servers;  /* it is no file */
};

/* Before any thread is started. STATUS_USAGE: it is no name of a store; STATUS_INPUT: it is no history, or cannot be kept open. Servers that
 * cannot be reached are no failure. One at a time. Release it also after a failure. */
NODISCARD status store_keep(struct store_keeper *keeper, const char *name);
/* Whether servers answer now, within a few seconds; a file that is kept does. Those that do not may be there later, but who mistyped something wants to know. */
NODISCARD status store_try(const struct store_keeper *keeper, const char *name);
/* Nobody has to wait for servers any more. */
void store_stop(const struct store_keeper *keeper);
/* Waits until it is closed. Where questions may still be asked, servers are left as they are. */
void store_release(struct store_keeper *keeper, bool asked);

/* The files that are read where a history is one, the last of which may not be there. */
enum { STORE_FILES = 3, STORE_VERSION = 128 };
extern const char *const store_suffixes[STORE_FILES];

bool store_is_file(const char *name);
/* What people are shown of a name, without a password: to be freed. */
NODISCARD status store_shown(const char *name, char **shown);
/* A text that is another one when something was added; of servers, each time. */
void store_version(const char *name, char to[STORE_VERSION]);

#endif
