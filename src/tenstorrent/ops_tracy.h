/* ops_tracy.h: the logs of newer tool chains as a wide ops report: what `tacho ops` does with a folder of them.
 *
 * A job owns all that it read until `ops_tracy_end`, which is called also after a failure.
 */
#ifndef TENSTORRENT_OPS_TRACY_H
#define TENSTORRENT_OPS_TRACY_H

#include "read/reader.h"
#include "tenstorrent/op_details.h"
#include "tenstorrent/ops_output.h"

struct ops_tracy {
    struct strings *strings;   /* its own */
    struct op_report report;   /* the rows */
    struct op_details details; /* all that is known of them */
    struct source source;      /* with its notes */
    uint64_t device_rows;      /* rows with device columns */
    uint64_t signposts;        /* rows that are no operations */
};

/* Whether a folder, or the folder .logs in it, holds logs of this kind rather than those of ops_folder.h. */
bool ops_tracy_is_folder(const char *path);

NODISCARD status ops_tracy_read(struct ops_tracy *job, const char *folder);
/* ops_perf_results.csv, per_core_op_to_op_times.csv where there is no host, and ops_perf_results.tgz of the logs, which stay. */
NODISCARD status ops_tracy_write(const struct ops_tracy *job, const struct ops_output_options *options,
                                 struct ops_written *written);
void ops_tracy_end(struct ops_tracy *job);

#endif
