/* ops_output.h: where the ops report goes: names and folders of the documented programs, the CSV and the archive of the logs.
 *
 * What was written is named by a struct ops_written, which owns the paths until `ops_written_free`.
 */
#ifndef TENSTORRENT_OPS_OUTPUT_H
#define TENSTORRENT_OPS_OUTPUT_H

#include <time.h>

#include "base/path.h"
#include "tenstorrent/ops_folder.h"

struct ops_output_options {
    const char *folder; /* to write into */
    const char *name;   /* appended to the name of the files; NULL: nothing */
    bool date;          /* local time in the name */
    time_t now;         /* that one */
};

/* FOLDER/[DATE_]STEM[_NAME]SUFFIX, or with the date at the end: FOLDER/STEM[_NAME][_DATE]SUFFIX. */
NODISCARD status ops_output_path(const struct ops_output_options *options, const char *stem, const char *suffix,
                                 bool date_last, struct path *to);

struct ops_written {
    struct path csv;     /* the report */
    struct path archive; /* of the logs */
    struct path gaps;    /* waits of each core; without text: not for this report */
    uint64_t left_out;   /* of the archive: entries that are no files or cannot be read */
};

void ops_written_free(struct ops_written *written);

/* profile_log_ops.csv and, of the folders that were read, profile_log_ops.tgz. The logs stay where they are. */
NODISCARD status ops_write(const struct ops_folder *folder, const struct ops_output_options *options,
                           struct ops_written *written);

#endif
