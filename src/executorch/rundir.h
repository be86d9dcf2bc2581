/* rundir.h: a run directory: which experiments it holds, with which files, and what its JSON files say about them.
 *
 * Two layouts are read alike, at any depth:
 *
 *     flat    <run>/<model stem>_<experiment>_t<threads>[_l<launch>].etdump, …_exec_all_runs_timeline.csv, …_latency.log, …
 *     nested  <run>/<experiment>/….etdump, kernels.csv, …
 *
 * Where manifest.json lists every launch with its end and its files, as `tacho pipeline` writes it, it is the authority: a file with
 * times that it does not list is left out, and a launch that failed has no times. Otherwise the names of files tell what they are of.
 *
 * One entry is one experiment at one thread count. Everything is sorted by name, numbers by value, so that no answer
 * depends on the file system. A run directory owns all its texts and trees until `rundir_free`.
 */
#ifndef EXECUTORCH_RUNDIR_H
#define EXECUTORCH_RUNDIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/status.h"

struct run_folder;

/* X(name, key): what a file is, by its name. */
#define RUN_ROLE_MAP(X)                                                           \
    X(NONE, "none")                                                               \
    X(ETDUMP, "etdump")              /* .etdump, .etdp */                         \
    X(TIMELINE, "timeline_all")      /* *_all_runs_timeline.csv */                \
    X(TIMELINE_RUN, "timeline_run0") /* *_run0_timeline.csv: one run */           \
    X(OPS_STATS, "ops_stats")        /* *_ops_stats.csv */                        \
    X(LOG, "log")                    /* *_latency.log: what the runner printed */ \
    X(XNNTRACE, "xnntrace_log")      /* *_xnntrace.log */                         \
    X(KERNELS, "kernel_csv")         /* *_kernels.csv, kernels.csv */             \
    X(ROBUST_STATS, "robust_stats")  /* *_robust_stats.json */                    \
    X(ETRECORD, "etrecord")          /* *.etrecord */                             \
    X(MODEL, "model")                /* *.pte */                                  \
    X(SUMMARY, "pipeline_summary")   /* *_pipeline_summary.json */

enum run_role {
#define X(name, key) RUN_##name,
    RUN_ROLE_MAP(X)
#undef X
        RUN_ROLE_COUNT
};

const char *run_role_key(enum run_role role);

/* X(name, key): how far a launch got, as the manifest says it. */
#define RUN_STATE_MAP(X)                                                                 \
    X(PENDING, "pending") /* not run, and no files of an earlier run */                  \
    X(OK, "ok")                                                                          \
    X(FOUND, "analysis-only") /* files of an earlier run; how that ended is not known */ \
    X(FAILED, "failed")       /* its files are there for a person to look at */

enum run_state {
#define X(name, key) RUN_STATE_##name,
    RUN_STATE_MAP(X)
#undef X
        RUN_STATE_COUNT
};

const char *run_state_key(enum run_state state);

/* What a file name says. The stem has lost the role, "_exec" or "_xtrace", threads and launch; it may be empty. */
struct run_name {
    enum run_role role; /* what kind of file it is */
    struct text stem;   /* into the name */
    uint32_t threads;   /* 0: it does not say */
    uint32_t launch;    /* 0: it does not say */
    bool xtrace;        /* made under a system profiler, which costs time */
    bool vague;         /* only ".log": perhaps a runner's */
};

struct run_name run_name_split(const char *name);

/* As strcmp, but numbers inside the texts by their value: t2 before t10. */
int natural_compare(const char *one, const char *other);

struct run_file {
    const char *path;   /* that opens it */
    const char *shown;  /* relative to the run directory */
    enum run_role role; /* by the manifest, else by its name */
    uint32_t launch;    /* 0: neither says */
    bool usable;        /* false: an ETDump that does not begin as one, or a file that was rejected */
    bool failed;        /* of a launch that failed: it gives no times */
};

/* A launch, as the manifest states it. */
struct run_launch {
    uint32_t number;           /* from 1 */
    enum run_state state;      /* how it ended */
    const char *reason;        /* why it failed; NULL: it did not, or the manifest does not say */
    const struct json *object; /* all that the manifest says of it */
};

/* X(name, key, title): where the times of an experiment come from, the best first. */
#define RUN_SOURCE_MAP(X)                                                   \
    X(ETDUMP, "etdump", "ETDump")                                           \
    X(TIMELINE, "timeline_all", "timeline of all runs")                     \
    X(TIMELINE_RUN, "timeline_run0", "timeline of one run")                 \
    X(OPS_STATS, "ops_stats", "operator statistics, which have no latency") \
    X(LOG, "log", "log of the runner")                                      \
    X(METRICS, "metrics", "metrics.json")                                   \
    X(NONE, "none", "nothing")

enum run_source {
#define X(name, key, title) RUN_SOURCE_##name,
    RUN_SOURCE_MAP(X)
#undef X
        RUN_SOURCE_COUNT
};

const char *run_source_key(enum run_source source);
const char *run_source_title(enum run_source source);

/* The files that give an experiment's times: one per launch. */
struct run_times {
    enum run_source source;        /* what kind they are */
    const struct run_file **files; /* in order of launch; none for METRICS and NONE */
    size_t count;                  /* of them */
    size_t left_out;               /* launches that have no such file */
};

struct run_entry {
    const char *name;                  /* experiment: mac_sme2_on */
    const char *label;                 /* the name, with the threads where the experiment has several counts */
    uint32_t threads;                  /* 0: not known */
    bool trace;                        /* made for its kernel log: never enters latency */
    uint32_t partner;                  /* of a trace: the timing entry; of a timing entry: its trace; NO_ID: none */
    struct run_file *files;            /* by role, launch, name */
    size_t file_count;                 /* of them */
    const struct run_launch *launches; /* by number; none: the manifest lists no launches */
    size_t launch_count;               /* of them */
    size_t failed;                     /* of them */
    struct run_times times;            /* the best there is */
    struct run_times latency;          /* the same where that has a latency; else the next best that has */
    const struct json *manifest;       /* its object in manifest.results; NULL: none. Also these: */
    const struct json *metrics;        /* metrics.results */
    const struct json *summary;        /* runs of the pipeline summary */
    const struct json *config;         /* experiments of the configuration */
};

/* A JSON file of the run directory. */
struct run_document {
    const char *path;        /* where it lies or would lie */
    bool found;              /* it lies there */
    const char *problem;     /* why it is no JSON; NULL: it is, or is not there */
    const struct json *root; /* NULL: not there, or no JSON */
};

struct rundir {
    const char *path;                      /* as given */
    const char *absolute;                  /* resolved; the path where that fails */
    struct run_document manifest, metrics; /* what the pipeline wrote */
    bool listed;                           /* the manifest lists every launch with its files: no other file has times */
    struct run_document *summaries;        /* *_pipeline_summary.json */
    size_t summary_count;                  /* of them */
    struct run_document config;            /* that the manifest names: path as written there; found: it was opened */
    const char *config_resolved;           /* where it was found; NULL: nowhere */
    const char *model;                     /* path as the JSON files say; NULL: not known */
    const char *model_stem;                /* NULL: not known */
    const char *etrecord;                  /* NULL: none */
    struct run_entry *entries;             /* by name, then threads */
    size_t entry_count;                    /* of them */
    size_t etdump_count;                   /* of all files, usable or not */
    const char **notes;                    /* what a person should see */
    size_t note_count;                     /* of them */
    size_t unreadable;                     /* folders that could not be opened */
    size_t loops;                          /* folders that were met before */
    size_t too_deep;                       /* folders below the limit */
    size_t note_capacity, entry_capacity;  /* there is room for */
    struct arena arena;                    /* holds texts and trees */
};

enum { RUNDIR_DEEPEST = 16 };

/* STATUS_INPUT where `path` is no folder that can be read. A run directory without experiments is no failure here. Free it also
 * after a failure. */
NODISCARD status rundir_open(struct rundir *rundir, const char *path);
void rundir_free(struct rundir *rundir);

/* An entry by experiment and threads (0: any, the lowest first); NULL: none. */
const struct run_entry *rundir_find(const struct rundir *rundir, const char *name, uint32_t threads);
/* The first file of a role; NULL: none. */
const struct run_file *run_entry_file(const struct run_entry *entry, enum run_role role);
/* The kernel log or kernel table (RUN_XNNTRACE, RUN_KERNELS) that tells about a timing entry: its own, its trace's, or
 * that of the same experiment at another thread count; NULL: none. */
const struct run_file *rundir_kernel_file(const struct rundir *rundir, const struct run_entry *entry,
                                          enum run_role role);

/* The latencies in milliseconds that metrics.json (else the manifest) states, as an array of numbers; NULL: none, or all its launches failed. */
const struct json *run_entry_latencies(const struct run_entry *entry);
/* A number that one of the objects of an entry states about the whole, such as median_ms, whether in it or in its "metrics". */
bool run_stated(const struct json *result, const char *key, double *value);

/* Baseline and candidate: indices of entries. */
struct run_pair {
    uint32_t baseline, candidate; /* neither is a trace */
    const char *label;            /* of the configuration; NULL: none */
};

/* All pairs, one per thread count. By names where given (an experiment's name or label); else `…_off` with `…_on`, then the pairs
 * that the configuration wants compared. STATUS_USAGE where a name is not there. `*pairs` lives in the run directory's arena. */
NODISCARD status rundir_pairs(struct rundir *rundir, const char *baseline, const char *candidate,
                              struct run_pair **pairs, size_t *count);

/* Of an experiment's name: +1 where its last word of the two is "on", -1 where it is "off", 0 where it has neither. */
int run_switch(const char *name);

/* A file turned out to be of no use: it is marked, noted with `why`, and the times of its entry are chosen again. */
NODISCARD status rundir_reject(struct rundir *rundir, struct run_entry *entry, const struct run_file *file,
                               const char *why);

/* The first failed launch of an entry; NULL: none failed. */
const struct run_launch *run_entry_failure(const struct run_entry *entry);

/* What a folder of runs holds, for verbs of the core: see struct chain. One without manifest and metrics is none. */
NODISCARD status rundir_list_runs(const char *path, struct run_folder *folder, bool *known);

/* A text in the run directory's arena. */
NODISCARD status rundir_make_text(struct rundir *rundir, const char **text, const char *format, ...) PRINTF_LIKE(3, 4);
/* Adds a note; used by what reads the files later too. */
NODISCARD status rundir_note(struct rundir *rundir, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
