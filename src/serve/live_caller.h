/* live_caller.h: who opens what a live source is: a process beside the server, which is not confined as the server is.
 *
 * The server opens no connection and starts no program once it serves (confine.h), and a filter of system calls cannot tell one address
 * from another. So another process, started before that, does it when it is asked, and hands over what it opened: it connects to an
 * address, opens one of the files that were named on the command line, or tails one of those on a board through the user's ssh. Files
 * and boards are asked for by their number: whoever takes the server over cannot name others. It reads nothing of what comes.
 *
 * The servers of a history are asked for in the same way, of a process of their own that connects to these and to nothing else (store.h).
 *
 * Every source has a line of its own to it, so that none waits for another. All of it ends with `callers_stop`, and by itself when the
 * server is gone.
 */
#ifndef SERVE_LIVE_CALLER_H
#define SERVE_LIVE_CALLER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"
#include "read/recording_image.h"

enum {
    CALLERS_MOST = 16,    /* lines: sources at once */
    CALLER_ADDRESS = 256, /* room for an address, with its NUL */
    CALLER_TEXT = 512     /* room for a sentence */
};

/* What a source is, by the form of its name. */
enum live_kind {
    LIVE_ADDRESS, /* HOST:PORT of a program that records */
    LIVE_FILE,    /* a recording or a log that is here */
    LIVE_BOARD    /* USER@BOARD:FILE: a log that is there */
};

/* HOST:PORT, [::1]:PORT, and nothing that could be anything else. */
bool live_is_address(const char *text);
/* A file that is here is one whatever it is called. */
enum live_kind live_kind_of(const char *name);

struct callers {
    const char *const *names;       /* of the command line; borrowed */
    size_t count;                   /* of names */
    bool addresses;                 /* the names are such, and no others are called */
    int lines[CALLERS_MOST + 1];    /* to the process, one a source, and one that only tells its end; -1: none */
    unsigned numbers[CALLERS_MOST]; /* of the last question of each */
    pid_t process;                  /* 0: none */
};

/* What became of a question. */
struct called {
    int file;    /* that was opened, the caller's to close; -1: none */
    bool absent; /* nothing is there yet: ask again */
    char token
        [RECORDING_TOKEN]; /* that this user's recorder keeps for the port of an address of this machine; empty: none */
    char why[CALLER_TEXT]; /* there is no file; empty: there is */
};

/* Before any thread is started, and before the process is confined. `addresses`: the names are these, and `callers_open`, which connects to one, is all that can be
 * asked. STATUS_INPUT: no process can be started. Stop it also after a failure. */
NODISCARD status callers_start(struct callers *callers, const char *const *names, size_t count, bool addresses);
void callers_stop(struct callers *callers);

/* Each waits for the answer, or until `*stop`: then `absent`. One thread at a time for each line. */
void callers_connect(struct callers *callers, unsigned line, const char *address, const atomic_bool *stop,
                     struct called *called);
/* The source of this number on the command line, by its line: a file, or what the board sends, without its end where that is not there; or a connection. */
void callers_open(struct callers *callers, unsigned line, unsigned name, const atomic_bool *stop,
                  struct called *called);
/* After what a board sends has ended: why, in `why`; there is no file. */
void callers_ask_why(struct callers *callers, unsigned line, const atomic_bool *stop, struct called *called);

#endif
