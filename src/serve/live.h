/* live.h: what is still being recorded or written, shown while it comes.
 *
 * A live source is a program that records, at HOST:PORT; a recording or a log that grows; or a log on a board, USER@BOARD:FILE, that is
 * tailed through the user's ssh. Each has a thread that waits for it, reads what comes, and fills a trace (traces.h). One that is not
 * there yet is waited for. Where a file is replaced or cut, or a program is followed again, another trace takes the place of the first.
 *
 * Listeners are told which source has something new, up to when; what it is they ask for. Files and boards are named on the command line
 * alone; addresses also by who has the token of the server, so many at a time as there are lines (live_caller.h).
 *
 * All functions lock by themselves. Texts that are given are copied. `live_close` ends all of it.
 */
#ifndef SERVE_LIVE_H
#define SERVE_LIVE_H

#include "base/output.h"
#include "serve/live_caller.h"
#include "serve/traces.h"

enum {
    LIVE_ID = 16,          /* characters of the id of a source, and of one of its traces */
    LIVE_KEEP = 60,        /* seconds that are kept, where nobody said */
    LIVE_KEEP_MOST = 3600, /* that may be asked for */
    LIVE_LISTENERS = 32    /* at once */
};

struct live;
struct listener;

/* The sources of the command line, none of which is begun. `callers` is borrowed; `token` is for programs among them; NULL: those that are
 * kept for this user. STATUS_USAGE: there are too many. Stop it also after a failure. */
NODISCARD status live_open(struct callers *callers, const char *token, struct live **live);
/* Begins with all of them. */
NODISCARD status live_begin_all(struct live *live);
/* Tells all listeners that it is over: they end by themselves. */
void live_end_listening(struct live *live);
/* Ends all threads. NULL is fine. There are no listeners any more. */
void live_close(struct live *live);

/* Begins with an address, or again with one that has ended. `token` is the program's; NULL: the one that is kept for this user. The id is that of
 * the source. STATUS_USAGE: it is none. STATUS_NO: there are too many, or it is just being ended. */
NODISCARD status live_connect(struct live *live, const char *address, const char *token, char id[LIVE_ID + 1]);
/* Ends a source, and forgets it where it came by `live_connect`. STATUS_NO: there is none. */
NODISCARD status live_disconnect(struct live *live, const char *id);
/* Keeps so many seconds of a source. */
NODISCARD status live_keep(struct live *live, const char *id, unsigned seconds);

/* JSON (doc/api.md). Failures stick in the output. */
void live_write_list(struct live *live, struct output *output);
/* The trace of this id, held for the caller; NULL: there is none, or no longer. */
struct kept_trace *live_trace(struct live *live, const char *id);

/* ---- Listeners ---- */

/* `wake` is called with everything locked when there is something to be taken after there was nothing. STATUS_NO: there are too many. */
NODISCARD status listener_new(struct live *live, void (*wake)(void *context), void *context,
                              struct listener **listener);
void listener_free(struct listener *listener);
/* Up to so many bytes of the stream of events. 0: there is nothing yet, and `rest` was called (with the context of `wake`) before anything else could come; -1:
 * it is over. */
ssize_t listener_take(struct listener *listener, char *to, size_t room, void (*rest)(void *context));
/* A few times a second: listeners that heard nothing for long are told so, which finds out who is gone. */
void live_tick(struct live *live);

#endif
