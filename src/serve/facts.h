/* facts.h: what the gallery shows of a profile, found out by reading it once. */
#ifndef SERVE_FACTS_H
#define SERVE_FACTS_H

#include "base/progress.h"
#include "job/verb.h"

/* `*json` is one JSON object (doc/api.md: what a profile is), which the caller frees; `*reader` its format, also after a failure where that
 * is known. `asked`: options of how it is read, as `job_handed` has them. `pause` is called now and then meanwhile. STATUS_NO: nothing in it has a time, or no reader knows it: it is no profile, and the message says why. */
NODISCARD status facts_read(const char *path, const struct texts *asked, struct progress_pause pause,
                            const struct reader **reader, char **json);

#endif
