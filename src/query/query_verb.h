/* query_verb.h: the verb `tacho query`. */
#ifndef QUERY_QUERY_VERB_H
#define QUERY_QUERY_VERB_H

#include "job/verb.h"

extern const struct verb query_verb;

#endif
