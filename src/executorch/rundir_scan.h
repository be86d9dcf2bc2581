/* rundir_scan.h: the walk through a run directory: every file whose name says something.
 *
 * Texts live in the arena that is given. Links that lead back, folders that cannot be opened and folders too deep are counted.
 */
#ifndef EXECUTORCH_RUNDIR_SCAN_H
#define EXECUTORCH_RUNDIR_SCAN_H

#include "executorch/rundir.h"

struct scanned_file {
    const char *path;       /* in the arena */
    const char *shown;      /* relative to the run directory */
    const char *folder;     /* relative; "" is the run directory itself */
    const char *stem;       /* see struct run_name */
    const char *experiment; /* filled later */
    struct run_name name;   /* what it says */
};

struct scanned_folder {
    uint64_t device, node; /* who it is, however it is called */
};

struct scan {
    struct arena *arena;                  /* borrowed: all texts */
    struct scanned_file *files;           /* by folder, then name */
    size_t file_count, file_capacity;     /* of files */
    struct scanned_folder *folders;       /* in the order in which they were met; owned */
    size_t folder_count, folder_capacity; /* of folders */
    size_t unreadable, loops, too_deep;   /* folders that were left out, and why */
};

/* STATUS_INPUT where the folder itself cannot be read. Free the scan in any case. */
NODISCARD status scan_folder(struct scan *scan, struct arena *arena, const char *path);
void scan_free(struct scan *scan);

/* Has times of its own. */
static inline bool run_role_is_timing(enum run_role role)
{
    return role >= RUN_ETDUMP && role <= RUN_LOG;
}

/* A file whose name tells which experiment it is of. */
static inline bool scanned_is_primary(const struct scanned_file *file)
{
    return file->name.role >= RUN_ETDUMP && file->name.role <= RUN_KERNELS && !file->name.vague && *file->stem;
}

/* Fills `experiment` of every file that tells one. */
NODISCARD status rundir_name_files(struct rundir *rundir, struct scan *scan);

/* From files to entries: names of experiments, threads, launches, traces, where times come from. The documents of the run
 * directory are read by then. */
NODISCARD status rundir_fill_entries(struct rundir *rundir, struct scan *scan);

#endif
