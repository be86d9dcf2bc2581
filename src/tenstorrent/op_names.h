/* op_names.h: what the operations of a device log are called, by the report of the same program.
 *
 * A log numbers its operations as the report counts their calls. It is a companion of a log, and owns its list until it is unloaded; texts are
 * in the pool that it was loaded with.
 */
#ifndef TENSTORRENT_OP_NAMES_H
#define TENSTORRENT_OP_NAMES_H

#include "read/reader.h"

struct op_names;

extern const struct companion op_names_companion; /* --ops-report */

/* Of the report at `path`: a file or a folder of any form. `strict` as in a source. */
NODISCARD status op_names_load(const char *path, bool strict, struct strings *strings, struct op_names **names);
void op_names_free(struct op_names *names); /* NULL is fine */

const struct op_names *op_names_of(const struct source *source); /* NULL: none was given */
void op_names_add(struct source *source, const struct op_names *names);

/* The name of a call on a device; where the report has it of other devices only, theirs. 0: it is not in the report. */
string_id op_names_find(const struct op_names *names, int64_t device, int64_t call);

#endif
