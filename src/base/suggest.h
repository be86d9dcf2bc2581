/* suggest.h: the name that was meant, for messages about one that does not exist.
 *
 * Names are compared ignoring the case of ASCII letters, and '-' and '_' are one. Nothing is allocated; what is returned is one of
 * the candidates, which their owner keeps.
 */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include "base/strings.h"

/* The next name that exists, in the order in which they are shown elsewhere; NULL: that was the last. Each is looked at in turn and
 * must outlive the call of `suggest`. */
typedef const char *(*suggest_next)(void *context);

/* The candidate that takes the fewest changes (a character more, less, another one, or two swapped) to become what was given, if
 * these are few; else the first that holds it whole, as total_time holds time; NULL: nothing is near. The earlier candidate wins. */
const char *suggest(struct text given, suggest_next next, void *context);

#endif
