/* serve.h: the verb `tacho serve`. */
#ifndef SERVE_SERVE_H
#define SERVE_SERVE_H

#include "job/verb.h"

extern const struct verb serve_verb;

#endif
