/* pipeline.h: measuring a model: runners started as a configuration says, and the run directory made of what they leave.
 *
 *   config.json --> experiments x thread counts x launches = tasks
 *               --> <output_root>/<experiment>/<model>_<experiment>_t1_l2.etdump, ...
 *               --> <output_root>/manifest.json, metrics.json, <model>_pipeline_summary.json, .md
 *
 * Launches of the experiments take turns, so that a drift of the machine hits all of them. A task that fails is recorded with
 * its reason and the rest goes on. Everything is owned by the arena of `struct pipeline`, which `pipeline_free` frees. Nothing is
 * printed: the listener is told.
 */
#ifndef EXECUTORCH_PIPELINE_H
#define EXECUTORCH_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/arena.h"
#include "base/process.h"
#include "base/status.h"
#include "executorch/rundir.h"

enum pipeline_mode {
    PIPELINE_TIMING, /* many executions, an ETDump */
    PIPELINE_TRACE   /* one execution, a log of kernels; never a source of times */
};

enum pipeline_platform {
    PIPELINE_HERE,   /* this machine; the documents call it mac */
    PIPELINE_ANDROID /* over adb */
};

/* Who is told what happens. */
struct pipeline_listener {
    void (*progress)(void *context, const char *line); /* NULL: nobody */
    void (*warning)(void *context, const char *line);  /* NULL: nobody */
    void *context;                                     /* for both */
};

struct pipeline_experiment {
    const char *name;         /* also that of its folder */
    const char *place;        /* "experiments[2]": for messages */
    const char *runner;       /* as configured */
    const char *runner_path;  /* where it lies; NULL: not found. Filled by the plan */
    enum pipeline_mode mode;  /* what is wanted of it */
    uint32_t runs;            /* executions that count */
    uint32_t warmup;          /* executions before those */
    uint32_t launches;        /* of the process */
    bool warmup_in_process;   /* the warm-up comes first in the process that is measured; else it has one of its own */
    const uint32_t *threads;  /* each is an experiment by itself */
    size_t thread_count;      /* 1 at least */
    const char *const *extra; /* arguments for the runner */
    size_t extra_count;       /* of them */
    const char *affinity;     /* mask for taskset; NULL: none */
    uint64_t timeout_ms;      /* of a launch */
    bool selected;            /* --only names it, or there is no --only */
    const struct pipeline_experiment *timing; /* of a trace: whose kernels it shows; NULL: none. Filled by the plan */
};

/* Two experiments to be compared. */
struct pipeline_pair {
    struct pipeline_side {
        const char *experiment; /* its name */
        uint32_t threads;       /* of those that it has */
    } baseline, candidate;      /* both sides */
    const char *label;          /* NULL: none */
};

struct pipeline_config {
    const char *path;                        /* of the file */
    const char *model;                       /* path, as configured */
    const char *output_root;                 /* NULL: not given */
    const char *platform;                    /* NULL: not given */
    const char *remote_device;               /* HOST:PORT; NULL: not given */
    const char *expected_sha;                /* of ExecuTorch; NULL: not given */
    uint32_t launches;                       /* of experiments that do not say */
    uint64_t timeout_ms;                     /* the same */
    struct pipeline_experiment *experiments; /* in their order in the file */
    size_t experiment_count;                 /* 1 at least */
    struct pipeline_pair *pairs;             /* that are to be compared */
    size_t pair_count;                       /* of them */
};

/* Of some inferences; all NAN where there are none. */
struct pipeline_statistics {
    double median_ms;  /* of a group: of the launches' medians */
    double mean_ms;    /* over all inferences, and so the others */
    double minimum_ms; /* the shortest */
    double maximum_ms; /* the longest */
    double cv_percent; /* standard deviation, of the mean */
};

/* Times of one launch, or the kernels of a trace. */
struct pipeline_metrics {
    const double *latency_ms;              /* of all inferences, warm-up first */
    size_t inferences;                     /* of latency_ms */
    size_t warmup;                         /* of those, left out of the numbers below */
    const char *source;                    /* "etdump", "log"; NULL: there is none */
    struct pipeline_statistics statistics; /* without warm-up */
    bool has_kernels;                      /* the log of a trace was read; else the next are 0 */
    uint64_t kernel_rows;                  /* kernels that it names */
    uint64_t sme_rows, sme2_rows;          /* of those */
    uint64_t sme2_calls;                   /* lines that name one of the latter */
};

/* One launch of one experiment with one number of threads. */
struct pipeline_task {
    const struct pipeline_experiment *experiment; /* borrowed from the configuration */
    uint32_t threads;                             /* that the runner gets */
    uint32_t launch;                              /* from 1 */
    const char *stem;                             /* <output_root>/<experiment>/<model>_<experiment>_t<T>[_l<k>] */
    const char *files[RUN_ROLE_COUNT]; /* where each of its files lies or would lie; NULL: its mode has none such */
    enum run_state state;              /* what became of it */
    bool ran_now;                      /* in this call */
    const char *reason;                /* why it failed; NULL: it did not */
    const char *note;                  /* something to know; NULL: nothing */
    bool nan_in_output;                /* the runner said so */
    uint32_t warmup_in_process;        /* inferences at the start of the dump that are warm-up */
    time_t started;                    /* when, of a task that ran now; 0: it did not */
    double wall_s;                     /* of the process; 0: not known */
    int exit_status, signal;           /* of a process that ran now and failed: -1 and 0 where it did not end so */
    const char *tail;                  /* the last lines that it printed, of one that failed now; NULL: none */
    const struct json *earlier; /* of one that does not run now: what an earlier manifest says of it; NULL: nothing */
    struct pipeline_metrics metrics; /* of its files */
};

/* All launches of one experiment with one number of threads: one result of the manifest. */
struct pipeline_group {
    const struct pipeline_task *tasks;     /* by launch */
    size_t count;                          /* of tasks */
    const struct pipeline_task *first;     /* the first that has numbers; else the first */
    const char *status;                    /* ok, analysis-only, pending, failed, or partial: some launches failed */
    size_t failed;                         /* launches */
    size_t measured;                       /* launches that have times */
    size_t inferences;                     /* without warm-up, over those launches */
    struct pipeline_statistics statistics; /* of them */
};

/* What the model ran on; texts are "" where not known. */
struct pipeline_device {
    const char *architecture, *os, *version, *cpu, *model; /* each "" where not known */
    const char *features;                                  /* of the CPU, separated by blanks */
    uint32_t cores;                                        /* 0: not known */
};

/* The ExecuTorch tree that the runners come from, as far as it lies here. */
struct pipeline_tree {
    bool present;    /* there is one */
    const char *sha; /* "": not known */
    bool dirty;      /* it has changes that are in no commit */
};

struct pipeline_options {
    const char *config;                /* path of the configuration */
    const char *platform;              /* mac, android; NULL: found out */
    const char *remote_device;         /* NULL: that of the configuration, or the only one there is */
    const char *const *only;           /* experiments to run; none: all */
    size_t only_count;                 /* of only */
    bool analysis_only;                /* nothing is run, what is there is looked at */
    struct pipeline_listener listener; /* is told what happens */
};

struct pipeline {
    struct arena arena;                     /* all texts */
    const struct pipeline_options *options; /* borrowed */
    struct pipeline_config config;          /* as it was read */
    enum pipeline_platform platform;        /* that the model runs on */
    const char *model_path;                 /* where it lies (or should) */
    bool model_found;                       /* it lies there */
    const char *model_stem;                 /* its name without folder and suffix */
    const char *output_root;                /* folder of all results */
    bool device_known;                      /* the device was asked */
    struct pipeline_device device;          /* valid when it is known */
    struct pipeline_tree tree;              /* of the runners */
    struct pipeline_task *tasks;            /* by experiment, threads, launch */
    size_t task_count;                      /* of tasks */
    uint32_t *order;                        /* tasks in the order in which they run */
};

/* The whole command. STATUS_NO: some tasks failed, which are recorded; what succeeded is there. */
NODISCARD status pipeline_run(const struct pipeline_options *options, struct pipeline *pipeline);
void pipeline_free(struct pipeline *pipeline);

/* ---- Parts, in the order of their use ---- */

/* pipeline_config.c: unknown keys are warned about, wrong ones are STATUS_INPUT with file:line:column or the key's path. */
NODISCARD status pipeline_read_config(struct pipeline *pipeline);
/* pipeline_plan.c: platform, paths, tasks. */
NODISCARD status pipeline_plan(struct pipeline *pipeline);
/* pipeline_device.c */
NODISCARD status pipeline_describe_here(struct pipeline *pipeline);
NODISCARD status pipeline_describe_android(struct pipeline *pipeline, const char *properties,
                                           const char *cpu_information);
NODISCARD status pipeline_describe_tree(struct pipeline *pipeline);
/* pipeline_tasks.c: runs the tasks that are selected. */
NODISCARD status pipeline_run_tasks(struct pipeline *pipeline);
/* pipeline_analysis.c: the numbers of one task, as far as its files are there; and all that is made of dumps and logs. A task that
 * failed has no times, whatever it left. */
NODISCARD status pipeline_measure(struct pipeline *pipeline, struct pipeline_task *task);
NODISCARD status pipeline_analyse(struct pipeline *pipeline);
/* pipeline_products.c: steps of that analysis. A dump or log that cannot be used is a warning. */
NODISCARD status pipeline_write_timelines(struct pipeline *pipeline);
NODISCARD status pipeline_write_robust(struct pipeline *pipeline);
NODISCARD status pipeline_write_comparisons(struct pipeline *pipeline);
NODISCARD status pipeline_write_kernels(struct pipeline *pipeline);
NODISCARD status pipeline_write_kernel_view(struct pipeline *pipeline);
/* pipeline_files.c: manifest.json has everything, and may be written at any time: what has not run yet is pending there. The others
 * are views of the same. */
NODISCARD status pipeline_write_manifest(const struct pipeline *pipeline);
NODISCARD status pipeline_print_manifest(const struct pipeline *pipeline, struct output *output);
NODISCARD status pipeline_write_metrics(const struct pipeline *pipeline);
NODISCARD status pipeline_write_summary(const struct pipeline *pipeline); /* .json and .md */

/* ---- Shared by the parts ---- */

/* A text in the arena; NULL: no memory. */
const char *pipeline_text(struct pipeline *pipeline, const char *format, ...) PRINTF_LIKE(2, 3);
void pipeline_tell(const struct pipeline *pipeline, const char *format, ...) PRINTF_LIKE(2, 3); /* progress */
void pipeline_warn(const struct pipeline *pipeline, const char *format, ...) PRINTF_LIKE(2, 3);
const char *pipeline_mode_name(enum pipeline_mode mode);
bool pipeline_file_exists(const char *path); /* a file with something in it; NULL is none */

/* Runs a program and keeps what it prints (`limit` bytes at most) in the arena; `*text` is never NULL after STATUS_OK. */
NODISCARD status pipeline_capture(struct pipeline *pipeline, const char *const *arguments, uint64_t limit,
                                  uint64_t timeout_ms, struct process_result *result, const char **text);

/* A kind of file that belongs to a task. */
struct pipeline_artifact {
    enum run_role role;      /* RUN_NONE ends a list */
    const char *suffix;      /* behind the task's stem */
    const char *summary_key; /* in the summary; NULL: not there */
};
/* All of a mode's. */
const struct pipeline_artifact *pipeline_artifacts(enum pipeline_mode mode);

/* The group whose first task this is. `pipeline->tasks` is walked with `i += group.count`. */
NODISCARD status pipeline_group(const struct pipeline *pipeline, size_t first, struct pipeline_group *group);

#endif
