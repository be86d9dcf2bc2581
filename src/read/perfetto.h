/* perfetto.h: the reader of Perfetto's TrackEvent traces, whoever wrote them.
 *
 * It belongs to no chain. What Tacho wrote it reads again as it was: see trace/perfetto_fields.h.
 */
#ifndef READ_PERFETTO_H
#define READ_PERFETTO_H

#include "read/reader.h"

extern const struct reader perfetto_reader;

#endif
