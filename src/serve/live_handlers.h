/* live_handlers.h: what the addresses of live sources answer: see doc/api.md. */
#ifndef SERVE_LIVE_HANDLERS_H
#define SERVE_LIVE_HANDLERS_H

#include "serve/routes.h"

/* As `answer` of a route. */
status live_list(struct exchange *exchange, const char *const places[ROUTE_PLACES]);     /* all sources */
status live_listen(struct exchange *exchange, const char *const places[ROUTE_PLACES]);   /* events, as they come */
status live_add(struct exchange *exchange, const char *const places[ROUTE_PLACES]);      /* an address: POST */
status live_end(struct exchange *exchange, const char *const places[ROUTE_PLACES]);      /* of a source: POST */
status live_set_keep(struct exchange *exchange, const char *const places[ROUTE_PLACES]); /* seconds: POST */
status live_head(struct exchange *exchange, const char *const places[ROUTE_PLACES]);     /* of a trace */
status live_block(struct exchange *exchange, const char *const places[ROUTE_PLACES]);    /* the same */
status live_tiles(struct exchange *exchange, const char *const places[ROUTE_PLACES]);    /* the same */

#endif
