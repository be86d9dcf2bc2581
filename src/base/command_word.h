/* command_word.h: a path as one word of a command that a user can copy.
 *
 * The word is in the arena.
 */
#ifndef BASE_COMMAND_WORD_H
#define BASE_COMMAND_WORD_H

#include "base/arena.h"

/* As it is, or between quotes where a shell would take it for something else; NULL: out of memory. */
const char *command_word(struct arena *arena, const char *path);

#endif
