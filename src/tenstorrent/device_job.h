/* device_job.h: a device log read, analysed, and written as files: what `tacho device` does.
 *
 * A job owns log, setup and results until `device_job_end`, which is called also after a failure.
 */
#ifndef TENSTORRENT_DEVICE_JOB_H
#define TENSTORRENT_DEVICE_JOB_H

#include "read/reader.h"
#include "tenstorrent/original/device_files.h"

#define DEVICE_TARBALL "device_perf_results.tar"

enum { DEVICE_JOB_FILES = 8 };

/* Texts are borrowed. */
struct device_job_options {
    const char *log;       /* path */
    const char *setup;     /* name of a built-in one, or a file that ends in .json; NULL: default_setup */
    const char *format;    /* reader; NULL: by content */
    const char *clock_mhz; /* of a log without a header; NULL: the usual one */
    bool no_op_detection;
    bool strict;
    struct progress *progress; /* NULL: silent */
};

struct device_job {
    struct device_job_options options;
    struct strings *strings;
    struct marker_log log;
    struct device_setup setup;
    struct device_results results;
    const char *notes[SOURCE_NOTES];
    unsigned note_count;
    char files[DEVICE_JOB_FILES][4096]; /* written so far */
    unsigned file_count;
};

/* Reads the log into `log` and notes; the others stay empty. */
NODISCARD status device_job_read(struct device_job *job, const struct device_job_options *options);
NODISCARD status device_job_analyze(struct device_job *job);

/* What to write. */
struct device_job_output {
    const char *folder; /* made where it is missing; what else lies in it stays */
    const char *shown;  /* the folder as the JSON file names it */
    int64_t port;
    bool page;      /* with the timeline; not possible where Tacho was built without pages: timeline_page_possible */
    bool artifacts; /* the two JSON files and the tar of everything */
};

NODISCARD status device_job_write(struct device_job *job, const struct device_job_output *output);
void device_job_end(struct device_job *job);

#endif
