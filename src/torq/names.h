/* names.h: how Torq's operators are called: by the operator that stands at their location in the model's source, else by a short form
 * of the location.
 *
 * Nothing here is owned; the origin is a companion of the source.
 */
#ifndef TORQ_NAMES_H
#define TORQ_NAMES_H

#include "read/reader.h"

/* Names of this input come from the source's origin, where it has one. Called by every reader of Torq before its first row. */
void torq_names_start(struct source *source, struct feed *feed);
/* After its last row: notes where the source of the model was looked for in vain. */
NODISCARD status torq_names_finish(struct source *source, struct feed *feed);

#endif
