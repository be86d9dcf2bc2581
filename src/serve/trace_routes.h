/* trace_routes.h: what the addresses of a served trace answer: its head, its blocks, its tiles (doc/formats/page.md).
 *
 * The writers are about any trace that is kept; they read what is asked for from the target of the exchange, begin its body and write it.
 */
#ifndef SERVE_TRACE_ROUTES_H
#define SERVE_TRACE_ROUTES_H

#include "serve/server.h"

/* Of the profile in the first place of a route. */
status trace_head(struct exchange *exchange, const char *const places[ROUTE_PLACES]);
status trace_block(struct exchange *exchange, const char *const places[ROUTE_PLACES]);
status trace_tiles(struct exchange *exchange, const char *const places[ROUTE_PLACES]);

NODISCARD status trace_write_head(struct exchange *exchange, struct kept_trace *trace);
/* The last three pieces of the address are the place. */
NODISCARD status trace_write_block(struct exchange *exchange, struct kept_trace *trace);
NODISCARD status trace_write_tiles(struct exchange *exchange, struct kept_trace *trace);

#endif
