/* footprint.h: what a compiler's dump says of memory and cycles, as tables. */
#ifndef TORQ_FOOTPRINT_H
#define TORQ_FOOTPRINT_H

#include "table/table.h"
#include "torq/program.h"

/* A row per dispatch: memory, its largest slice task, jobs, tasks, transfers, kernels. The caller frees `*table`. */
NODISCARD status footprint_dispatches(const struct program *program, struct table **table);

/* A row per slice task: memory, cycles, and the data path that bounds it. */
NODISCARD status footprint_kernels(const struct program *program, struct table **table);

#endif
