/* server.h: the local web server: connections in, answers out.
 *
 * One thread of libmicrohttpd takes requests, has them looked at by the guard, and answers what is at hand; what takes a job waits
 * without a thread until it is there. A connection carries one request. The server owns its exchanges; what a handler puts into one is the
 * exchange's. The listening socket is the caller's until `server_start`, which takes it over where it succeeds.
 */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include "serve/live.h"
#include "serve/profiles.h"
#include "serve/routes.h"

struct server;

/* What a document may do in a browser. */
enum reply_policy {
    REPLY_DATA,      /* nothing: it is no document */
    REPLY_APP,       /* our own script and style, requests and frames of this server */
    REPLY_TIMELINE,  /* the same of the page of a trace that is served */
    REPLY_PLAIN_PAGE /* a page that was made of a profile, in a box of its own, without scripts */
};

struct exchange {
    struct profiles *profiles;         /* borrowed */
    struct live *live;                 /* the same */
    struct MHD_Connection *connection; /* the library's */
    char *uri;                         /* as it was sent; owned */
    struct guard_target target;        /* what is asked for */
    bool seen;                         /* the guard let it in, and its handler was called */
    bool resting;                      /* it waits for an answer */
    struct exchange *next;             /* that waits for the same */
    /* Filled by the handler: */
    status (*from_trace)(struct exchange *exchange,
                         struct kept_trace *trace); /* begins and writes the body, once the trace is there */
    struct output *body;                            /* in memory; NULL: none; owned */
    struct answer *answer;                          /* a file; NULL: none; held */
    struct listener *events;                        /* that are sent as they come; NULL: none; owned */
    const char *type;                               /* MIME, static */
    enum reply_policy policy;                       /* see above */
    char attachment[128];                           /* name of the file that is saved; empty: it is shown */
    bool busy;                                      /* a failure that is over soon */
};

/* Answers with a document in memory, which is to be written into `exchange->body` afterwards. */
NODISCARD status exchange_begin(struct exchange *exchange, const char *type, enum reply_policy policy);
/* Answers with what an errand makes, which is taken over. */
NODISCARD status exchange_ask(struct exchange *exchange, const char *const ids[2], struct errand *errand,
                              const char *type, enum reply_policy policy);

/* The same with what `write` makes of the trace of a profile, once that is kept: it begins the body and writes it. */
NODISCARD status exchange_ask_trace(struct exchange *exchange, const char *id,
                                    status (*write)(struct exchange *exchange, struct kept_trace *trace));
/* Answers with the events of live sources, for as long as somebody listens. */
NODISCARD status exchange_listen(struct exchange *exchange);

struct server_options {
    const struct guard *guard;  /* borrowed */
    const struct route *routes; /* the same */
    struct profiles *profiles;  /* the same */
    struct live *live;          /* the same */
    int socket;                 /* that listens */
};

/* For `profiles_options`. */
void exchange_wait(struct exchange *exchange, struct exchange *next);
void exchange_wake(struct exchange *waiting);

NODISCARD status server_start(const struct server_options *options, struct server **server);
/* Shuts connections whose time is over: to be called a few times a second. */
void server_tick(struct server *server);
/* Ends all connections. The profiles are still there. */
void server_stop(struct server *server);

#endif
