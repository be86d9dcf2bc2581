/* origin.h: names of operators in the model's own source.
 *
 * Given the MLIR file that was compiled (or a folder in which to look for files by their base name), tells which
 * operator stands at a line. Files are read once, on first use. A file that cannot be found is remembered and reported
 * by `origin_missing`; it is not an error. The origin owns all it read.
 */
#ifndef TORQ_ORIGIN_H
#define TORQ_ORIGIN_H

#include "base/status.h"
#include "base/strings.h"

struct origin;

/* Either may be NULL. `file` serves every location; `folder` is searched by base name, then by the path as printed.
 * With both NULL, and `as_printed`, the path in the location is opened. */
NODISCARD status origin_open(const char *file, const char *folder, bool as_printed, struct strings *strings,
                             struct origin **origin);
void origin_close(struct origin *origin);

/* The operator on a line, such as tosa.conv2d or onnx.Softmax; 0 (the empty text) when the line names none. */
NODISCARD status origin_operator(struct origin *origin, struct text file, uint32_t line, string_id *name);
/* The first file that was asked for in vain; NULL: none. `*unreadable`: it is there. */
const char *origin_missing(const struct origin *origin, bool *unreadable);

/* The operator name in one line of source; an empty text when there is none. */
struct text origin_name_in_line(const char *data, size_t length);

#endif
