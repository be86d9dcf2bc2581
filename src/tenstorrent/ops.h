/* ops.h: the perf report of tt-metal's ops: logs are read, files are written, and what they are is kept for a job.
 *
 * Reports own their paths until `ops_reports_free`; as a product of a job they belong to the job.
 */
#ifndef TENSTORRENT_OPS_H
#define TENSTORRENT_OPS_H

#include <time.h>

#include "base/path.h"
#include "job/job.h"

struct ops_output_options {
    const char *folder; /* to write into */
    const char *name;   /* appended to the name of the files; NULL: nothing */
    bool date;          /* local time in the name */
    time_t now;         /* that one */
};

/* A report that was written. */
struct ops_report_made {
    size_t ops;          /* rows that are operations */
    uint64_t device_ops; /* of them with device times */
    uint64_t signposts;  /* rows that are none */
    struct path csv;     /* the report */
    struct path gaps;    /* waits of each core; without text: not for this report */
    struct path archive; /* of the logs; without text: there are none */
    uint64_t left_out;   /* of the archive: entries that are no files or cannot be read */
};

struct ops_reports {
    struct ops_report_made *items; /* in the order in which they were written */
    size_t count, capacity;        /* of these */
    unsigned runs, failed;         /* of a command that was run for them; 0: none was */
};

void ops_reports_free(void *reports);
/* Lines for people, and JSON, as products of the job, which takes the reports over. */
NODISCARD status ops_reports_hand_over(struct job *job, struct ops_reports *reports);

/* Whether a folder, or the folder .logs in it, holds logs of a newer tool chain rather than those of ops_folder.h. */
bool ops_is_newer(const char *path);

/* Reads a folder of the op profiler's logs and writes profile_log_ops.csv and, of the folders that were read, profile_log_ops.tgz.
 * The logs stay where they are. What a person should know becomes notes of the job. */
NODISCARD status ops_report_older(struct job *job, const char *input, const struct ops_output_options *options,
                                  struct ops_reports *reports);
/* The same for the logs of newer tool chains: ops_perf_results.csv, per_core_op_to_op_times.csv where there is no host, and
 * ops_perf_results.tgz. */
NODISCARD status ops_report_newer(struct job *job, const char *input, const struct ops_output_options *options,
                                  struct ops_reports *reports);

/* The same for a recording of a program that was built with the op profiler: profile_log_ops.csv. */
NODISCARD status ops_report_recording(struct job *job, const char *input, const struct ops_output_options *options,
                                      struct ops_reports *reports);

#endif
