/* op_runs.h: the runs that a report of operations tells: replays of a trace, or passes behind signposts of one name.
 *
 * A pass goes from a signpost to the next one. Names that differ in their numbers only ("pass 0", "pass 1") are one, and so many of their
 * passes must have equally many operations as half of them: phases of one run are unlike. Signposts that are named after layers or blocks
 * are parts of a run, and tell none.
 */
#ifndef TENSTORRENT_OP_RUNS_H
#define TENSTORRENT_OP_RUNS_H

#include "tenstorrent/op_report.h"

/* By row from `first` on, the run that it belongs to, counted from 0; NO_ID: none. The caller frees `*runs`; NULL and a count of 0 where
 * the report tells no runs, or only one. */
NODISCARD status op_runs_find(const struct op_report *report, size_t first, uint32_t **runs, size_t *count);

#endif
