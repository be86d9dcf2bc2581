/* routes.h: what can be asked for: a table of patterns, each with the function that answers.
 *
 * Constant data. A pattern is a path whose pieces stand for themselves, or, where they begin with ':', for any piece:
 * "/api/profiles/:id/tables/:name". One of what changes something has the method before it: "POST /api/live". What stood there is handed over in the order of the pattern.
 */
#ifndef SERVE_ROUTES_H
#define SERVE_ROUTES_H

#include "serve/guard.h"

enum { ROUTE_PLACES = 4 }; /* pieces of a pattern that stand for any, at most */

struct exchange; /* one request and its answer: server.h */

struct route {
    const char *pattern; /* NULL ends a table */
    /* Answers; what stood in the places of the pattern is borrowed for the call. Failures become the answer. */
    status (*answer)(struct exchange *exchange, const char *const places[ROUTE_PLACES]);
};

/* The route of a target, with what stands in its places; NULL: none. */
const struct route *route_find(const struct route *routes, const struct guard_target *target,
                               const char *places[ROUTE_PLACES]);

#endif
