/* device_tables.h: what the page of a device log shows, as views: its analyses, its cores, its ops.
 *
 * Tables are the caller's; everything else is borrowed while one is made.
 */
#ifndef TENSTORRENT_DEVICE_TABLES_H
#define TENSTORRENT_DEVICE_TABLES_H

#include "table/field.h"
#include "tenstorrent/device_analysis.h"

/* A row per chip and analysis that found something. */
NODISCARD status device_analyses_table(const struct device_results *results, const struct view_request *request,
                                       struct table **table);
/* A row per core and analysis by core, and one per core for the time in kernels. */
NODISCARD status device_cores_table(const struct device_results *results, const struct view_request *request,
                                    struct table **table);
/* A row per op, or launch where the log names no programs. */
NODISCARD status device_ops_table(const struct device_results *results, const struct view_request *request,
                                  struct table **table);

/* For how long a kernel ran on any RISC of a core; `*unknown` of its kernels lack a marker, and are not in it. */
NODISCARD status device_kernel_cycles(const struct marker_log *log, uint32_t core, int64_t *cycles, uint64_t *unknown);

#endif
