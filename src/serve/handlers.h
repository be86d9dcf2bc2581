/* handlers.h: what each address answers. */
#ifndef SERVE_HANDLERS_H
#define SERVE_HANDLERS_H

#include "serve/routes.h"

extern const struct route serve_routes[]; /* ends with pattern NULL */

#endif
