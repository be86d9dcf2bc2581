/* perfetto.h: the reader of Perfetto's TrackEvent traces, whoever wrote them.
 *
 * It belongs to no chain. What Tacho wrote it reads again as it was: see trace/perfetto_fields.h.
 */
#ifndef READ_PERFETTO_H
#define READ_PERFETTO_H

#include "read/reader.h"

extern const struct reader perfetto_reader;

/* ---- perfetto_probe.c ---- */

/* How certain it is that a file which begins so is one: 0 to 100. */
int perfetto_probe(struct text head, const char *path);
/* The names of its inputs, of a trace of several: in its first packet. The caller frees them. */
NODISCARD status perfetto_inputs(struct input *input, struct strings *strings, string_id **names, size_t *count);

#endif
