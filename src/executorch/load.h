/* load.h: an execution, a graph or a kernel log from a file, by whichever reader knows it.
 *
 * What is loaded belongs to the caller, also after a failure: free it in any case.
 */
#ifndef EXECUTORCH_LOAD_H
#define EXECUTORCH_LOAD_H

#include "base/path.h"
#include "executorch/graph_join.h"
#include "executorch/kernels.h"
#include "read/reader.h"

struct job;
struct operators;
struct same_model;

struct load_options {
    const char *format;        /* reader; NULL: by content */
    const char *etrecord;      /* NULL: the one beside the file, where there is one */
    bool no_etrecord;          /* not even that */
    struct tick_rate ticks;    /* {0, 0}: nanoseconds */
    bool strict;               /* the first lost row is fatal */
    const char *runs;          /* --runs, of files that are read for their runs alone; NULL: what the file says */
    bool force_companion;      /* a record is used also where it contradicts the file */
    const struct graph *graph; /* already loaded, from `etrecord` or from where it was found; NULL: none */
    struct same_model *model;  /* which the file must be of; NULL: any */
    struct input *input;       /* the file, already open, which loading closes; NULL: it is opened */
};

struct loaded {
    const struct reader *reader;         /* of the file */
    const char *notes[SOURCE_NOTES + 1]; /* those of the source and one of ours: static texts, or in the pool */
    unsigned note_count;                 /* of them */
    struct path etrecord;                /* that was used; empty: none */
    bool has_graph;                      /* it could be read */
    struct graph graph;                  /* of that record */
    const struct graph *joined;          /* that the execution is joined to, this one or the one given; NULL: none */
    struct graph_join join;              /* how it went */
};

void loaded_free(struct loaded *loaded);

/* STATUS_INPUT where the file is of a format without inferences. The execution is settled and joined to the record's graph.
 * `execution` and `loaded` may be uninitialised; both are to be freed afterwards, also after a failure. */
NODISCARD status load_execution(const char *path, const struct load_options *options, struct strings *strings,
                                struct execution *execution, struct loaded *loaded);
NODISCARD status load_graph(const char *path, struct strings *strings, struct graph *graph);
NODISCARD status load_kernels(const char *path, struct strings *strings, struct kernel_log *log);
/* What is wanted instead of a file of this format; NULL: it can be loaded. */
const char *load_refuses_execution(const struct reader *reader);
const char *load_refuses_kernels(const struct reader *reader);

/* The record that lies beside a dump or CSV: the file's stem with ever fewer parts after "_" and ".etrecord" or ".slim.etrecord" behind it
 * (model_mac_sme2_on_t1.etdump -> model.etrecord). Empty: none. */
NODISCARD status load_find_etrecord(const char *path, struct path *found);
/* One more launch of the same model: loaded as launches[*count], which is counted also after a failure. A record that the first
 * launch has too is read once. `*graph` is the launch's; NULL: it has none. */
NODISCARD status load_next_launch(struct loaded *launches, size_t *count, const char *path, struct load_options load,
                                  struct strings *strings, struct execution *execution, const struct graph **graph);

/* ---- For verbs ---- */

/* What a verb about inferences takes, as a part of its settings. */
struct load_settings {
    const char *etrecord;  /* NULL: the one beside the file */
    const char *ticks;     /* NULL: nanoseconds */
    const char *format;    /* NULL: by content */
    bool strict;           /* the first lost row is fatal */
    bool force_companion;  /* a record is used also where it contradicts the file */
    bool different_models; /* files need not be of one model */
};

/* Options for a member of the settings; those of verbs that use no graph, and one more. */
#define LOAD_OPTIONS(type, member)                                                                                     \
    { "ticks",     0,                                                                                                  \
      OPTION_TEXT, offsetof(type, member.ticks),                                                                       \
      "UNIT",      "of a dump that does not tell: ns, us or cycles:MHZ" },                                             \
        { "format",    0,                                                                                              \
          OPTION_TEXT, offsetof(type, member.format),                                                                  \
          "ID",        "read every input as this format; see tacho formats" },                                         \
    {                                                                                                                  \
        "strict", 0, OPTION_FLAG, offsetof(type, member.strict), NULL, "the first row that cannot be used is an error" \
    }
#define LOAD_ETRECORD(type, member)                                                      \
    { "etrecord",  0,                                                                    \
      OPTION_TEXT, offsetof(type, member.etrecord),                                      \
      "FILE",      "graph of the model (default: the record beside a dump)" },           \
    {                                                                                    \
        "force-companion", 0, OPTION_FLAG, offsetof(type, member.force_companion), NULL, \
            "use a record that contradicts its dump"                                     \
    }

#define LOAD_MODELS(type, member)                                                          \
    {                                                                                      \
        "different-models", 0, OPTION_FLAG, offsetof(type, member.different_models), NULL, \
            "average or compare files of different models"                                 \
    }

NODISCARD status load_options_of(const struct load_settings *settings, struct load_options *load);
/* Kernels of a log or table, with what it lost as notes; `strict`: that is an error. */
NODISCARD status load_kernels_of(struct job *job, const char *path, bool strict, struct strings *strings,
                                 struct kernel_log *log);
/* What ran, from a log, for the operators of a dump; a warning where only some of them are in it. Returns how many are. */
uint32_t load_tie_kernels(struct job *job, const char *path, struct operators *side, const struct kernel_log *log);

#endif
