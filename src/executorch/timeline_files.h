/* timeline_files.h: from an ETDump (or any other file of inferences) to its timeline files.
 *
 *   <stem>_exec_all_runs_timeline.csv, <stem>_exec_run0_timeline.csv (or _run<K>_), <stem>_exec_ops_stats.csv
 *
 * A stem that ends in _xtrace loses it, and "exec" becomes "xtrace". Each file is there whole or not at all.
 */
#ifndef EXECUTORCH_TIMELINE_FILES_H
#define EXECUTORCH_TIMELINE_FILES_H

#include "executorch/load.h"

struct timeline_request {
    const char *dump;         /* as given */
    const char *out_dir;      /* NULL: the folder of the dump */
    const char *model_id;     /* NULL: the stem of the dump */
    bool all_runs;            /* a file of all and one of the first */
    uint32_t run_index;       /* where not all runs are wanted */
    bool json;                /* the same rows as .json too */
    bool extra;               /* columns after the original's */
    struct load_options load; /* how the dump is read */
};

enum { TIMELINE_FILES = 6 };

/* Starts as zeros. */
struct timeline_result {
    char *files[TIMELINE_FILES]; /* that were written; `all_runs` or `run<K>` first, then run0, then the statistics */
    unsigned file_count;         /* of them */
    uint64_t rows;               /* of the timeline */
    uint32_t inferences;         /* that it has */
};

void timeline_result_free(struct timeline_result *result); /* leaves zeros */

/* Writes the files of an execution that is loaded already. Free the result also after a failure. */
NODISCARD status timeline_files_write(const struct timeline_request *request, const struct execution *execution,
                                      const struct graph *graph, struct timeline_result *result);

#endif
