/* guard.h: who may ask, and what: the first look at every request, before anything is opened.
 *
 * A request must carry the token of this start of the server, must name this machine as its host (a page of elsewhere whose name was
 * made to lead here names another one), must not come from a page of elsewhere, and must have an address that can be read in one way
 * only. Nothing here knows what an HTTP library looks like: tests and the fuzz target hand in plain texts.
 *
 * A target is a value of its own; its texts lie in it. A guard is filled once and then only read, by any number of threads.
 */
#ifndef SERVE_GUARD_H
#define SERVE_GUARD_H

#include <stdbool.h>

#include "base/status.h"

enum {
    GUARD_TOKEN = 32,    /* characters of a token: 128 bits in hexadecimal */
    GUARD_ADDRESS = 128, /* room for the address that is listened on */
    GUARD_URI = 4096,    /* bytes of a target at most */
    GUARD_HEADERS = 64,  /* headers of a request at most */
    GUARD_PIECES = 8,    /* of a path at most */
    GUARD_PAIRS = 16     /* of a query at most */
};

struct guard {
    char token[GUARD_TOKEN + 1]; /* that requests must carry */
    char address[GUARD_ADDRESS]; /* that is listened on, as it stands in a URL: 127.0.0.1, [::1] */
    char name[GUARD_ADDRESS];    /* of this machine, which is good where others can reach it; empty: none */
    bool loopback;               /* only this machine can reach it */
};

/* What is asked for, taken apart. Every piece and value is decoded once. */
struct guard_target {
    char text[GUARD_URI + 2];         /* holds the others */
    const char *pieces[GUARD_PIECES]; /* of the path, between its slashes */
    unsigned piece_count;             /* of pieces; 0: the path is "/" */
    bool posts;                       /* something is to be changed: POST */
    struct {
        const char *name, *value; /* "columns", "name,time" */
    } pairs[GUARD_PAIRS];         /* of the query, in order */
    unsigned pair_count;          /* of pairs */
};

/* A request as it came; texts are borrowed, NULL: there is no such header. */
struct guard_request {
    const char *method;        /* GET */
    const char *uri;           /* as it was sent: nothing is decoded */
    const char *host;          /* header Host */
    const char *origin;        /* header Origin */
    const char *authorization; /* header Authorization */
    unsigned hosts;            /* how often Host came */
    unsigned headers;          /* how many headers there are */
    bool body;                 /* something comes behind the headers */
};

/* STATUS_INPUT: the system gives no random bytes. `address` is numeric, without brackets. */
NODISCARD status guard_start(struct guard *guard, const char *address, bool loopback);

/* 0: let it in, and the target is filled; else the HTTP status of the refusal, and `*why` is a static sentence. */
unsigned guard_check(const struct guard *guard, const struct guard_request *request, struct guard_target *target,
                     const char **why);

/* Takes a target apart; false: it cannot be read in one way only, or leaves the tree. */
bool guard_parse(const char *uri, struct guard_target *target);
/* Does the host of a request name this machine? */
bool guard_knows_host(const struct guard *guard, const char *host);
/* The first value of a name in the query; NULL: there is none. */
const char *guard_value(const struct guard_target *target, const char *name);

/* So many random bytes in hexadecimal, with a NUL behind them. STATUS_INPUT: the system gives none. */
NODISCARD status guard_random(char *to, unsigned bytes);

#endif
