/* ops_wide.h: the wide report of operations, ops_perf_results.csv, in the columns of the newest tool chain.
 *
 * A report without data of the host has only those columns for which some row has a value; the others are all there, but for
 * columns of rare devices and kernels, which come with their values. Nothing is owned.
 */
#ifndef TENSTORRENT_ORIGINAL_OPS_WIDE_H
#define TENSTORRENT_ORIGINAL_OPS_WIDE_H

#include "base/output.h"
#include "tenstorrent/op_details.h"

/* What reading out a marker costs between two ops, as the tool chain takes it: subtracted from the waits of each core. */
enum { OPS_GAP_OVERHEAD_NS = 1500 };

/* The CSV with CRLF line ends. Failures stick in `output`; the status tells them and a lack of memory. */
NODISCARD status ops_wide_write(const struct op_details *details, struct output *output);

/* per_core_op_to_op_times.csv: one row per pair of ops, one column per core. */
NODISCARD status ops_gaps_write(const struct op_details *details, struct output *output);

#endif
