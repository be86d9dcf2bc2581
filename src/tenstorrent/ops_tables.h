/* ops_tables.h: calls of ops on the host and what each of them ran on the cores of its devices, as tables.
 *
 * Both are made of the timeline of a folder of logs: two questions about one folder have one answer. A call is known by its global call
 * count; where logs repeat one, the first stands for all.
 */
#ifndef TENSTORRENT_OPS_TABLES_H
#define TENSTORRENT_OPS_TABLES_H

#include "job/job.h"

/* A row per call: its name, its depth among the calls that it lies in, its time on the host and on its devices. */
NODISCARD status ops_calls_table(struct job *job, const char *input, struct table **table);
/* A row per zone of a core's RISC in a call, with its time since the op began on its device. */
NODISCARD status ops_cores_table(struct job *job, const char *input, struct table **table);

#endif
