/* ops_report.h: the perf report of tt-metal's ops: one row per call of an op, as a CSV.
 *
 * A value that the logs do not have prints as "-", an empty one as nothing. Columns of later logs are written only where some log
 * has them.
 */
#ifndef TENSTORRENT_ORIGINAL_OPS_REPORT_H
#define TENSTORRENT_ORIGINAL_OPS_REPORT_H

#include "base/output.h"
#include "tenstorrent/op_calls.h"

/* The CSV with CRLF line ends. Failures stick in `output`; the status tells them and a lack of memory. */
NODISCARD status ops_report_write(const struct op_calls *calls, struct output *output);

#endif
