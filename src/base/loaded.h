/* loaded.h: calls of a library that is loaded where it is needed.
 *
 * Some libraries bring a dozen others. Linked as the rest are, every command would wait for all of them: half of the time that a
 * short one takes.
 */
#ifndef BASE_LOADED_H
#define BASE_LOADED_H

#include <stddef.h>

#include "base/status.h"

/* Sets `calls`, pointers to functions one behind the other, to those of these names. `library` is the name of its file, `purpose` what
 * cannot be done without it. It stays loaded. STATUS_OUTPUT: it is not there, or lacks one of them. */
NODISCARD status loaded_calls(const char *library, const char *purpose, const char *const *names, size_t count,
                              void *calls);

#endif
