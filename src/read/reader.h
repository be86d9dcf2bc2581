/* reader.h: a format that Tacho can read, and the table of all of them.
 *
 * A reader recognises its format by content (`probe`), and pushes what it finds into a feed (`read`). Files without times fill a
 * program instead (`read_program`), a graph (`read_graph`) or a kernel log (`read_kernels`). Logs of inferences fill an execution
 * (`read_execution`), from which `execution_reader.h` feeds the sink. Adding a format is one new file, one line in readers.c, one fixture folder, one fuzz
 * target, one manual section.
 *
 * A source is one main input with its companions and settings. It borrows everything; the command owns it. Some formats are
 * folders: such a source has no input, and its reader opens the files that it finds below the source's path.
 */
#ifndef READ_READER_H
#define READ_READER_H

#include "base/input.h"
#include "base/progress.h"
#include "executorch/execution.h"
#include "executorch/graph.h"
#include "executorch/kernels.h"
#include "tenstorrent/markers.h"
#include "tenstorrent/op_report.h"
#include "torq/estimate.h"
#include "torq/program.h"
#include "trace/feed.h"

/* What one tick of a clock is that the file does not tell. */
struct tick_rate {
    uint64_t numerator; /* nanoseconds = ticks * numerator / denominator; 0: not given */
    uint64_t denominator;
};

/* "ns", "us", "cycles:400" (MHz). False: none of these. */
bool tick_rate_parse(const char *text, struct tick_rate *rate);

enum { SOURCE_NOTES = 32 }; /* more than any reader has to say about one input */

struct source {
    struct input *input;      /* NULL: a folder */
    const char *path;         /* as the user gave it */
    uint64_t clock_numerator; /* of the cycle clock in MHz */
    uint64_t clock_denominator;
    bool clock_given;                /* by the user; else it is the usual one of Torq */
    uint32_t slices;                 /* number of slices, for logs that give only an issue number */
    const struct program *program;   /* companion: what was compiled; NULL: none */
    const struct estimate *estimate; /* companion: what the compiler estimated; NULL: none */
    const struct graph *graph;       /* companion: the model's graph; NULL: none */
    struct tick_rate ticks;          /* of dumps that do not tell theirs */
    struct program *keep;            /* a reader of a dump leaves the program here; NULL: not wanted */
    bool strict;                     /* the first lost row is fatal */
    struct progress *progress;       /* NULL: silent */
    /* Filled by the reader: */
    const char *generation;          /* "C1" .. "R3": static text */
    bool engines_known;              /* it says which engines were used, or its program does */
    const char *notes[SOURCE_NOTES]; /* texts a person should see: static, or in the pool of strings */
    unsigned note_count;
};

/* A file that belongs to another: "program" by --mlir. */
struct companion {
    const char *role;
    const char *option;
    bool required;
};

/* What the times in a format are. */
enum reader_kind {
    READER_ESTIMATE, /* a compiler's estimate: a timeline */
    READER_MEASURED, /* a log of what ran */
    READER_PROGRAM   /* a program, perhaps with estimates */
};

struct reader {
    const char *id; /* torq-compile: names source, test, fixture, fuzz target, manual section */
    const char *title;
    enum reader_kind kind;
    const char *files;                                /* what such files are usually called */
    const struct companion *companions;               /* ends with role NULL; NULL: none */
    int (*probe)(struct text head, const char *path); /* 0 not mine .. 100 certain; NULL: it reads folders only */
    int (*probe_folder)(const char *path);            /* the same for a folder; NULL: it reads files only */
    status (*read)(struct source *source, struct feed *feed);
    status (*read_program)(struct source *source, struct program *program);       /* NULL: has times of its own only */
    status (*read_execution)(struct source *source, struct execution *execution); /* settled; NULL: no inferences */
    status (*read_graph)(struct source *source, struct graph *graph);             /* NULL: no graph */
    status (*read_kernels)(struct source *source, struct kernel_log *log);        /* NULL: no kernels */
    status (*read_markers)(struct source *source, struct marker_log *log); /* settled; NULL: no markers of a device */
    status (*read_ops)(struct source *source, struct op_report *report);   /* NULL: no report of operations */
};

extern const struct reader torq_annotated_reader;
extern const struct reader torq_compile_reader;
extern const struct reader torq_runtime_reader;
extern const struct reader torq_mlir_reader;
extern const struct reader etdump_reader;
extern const struct reader etrecord_reader;
extern const struct reader et_timeline_reader;
extern const struct reader et_ops_reader;
extern const struct reader et_runner_log_reader;
extern const struct reader tt_ops_csv_reader;
extern const struct reader tt_ops_folder_reader;
extern const struct reader tt_tracy_ops_reader;
extern const struct reader xnntrace_reader;
extern const struct reader xnn_kernels_reader;
extern const struct reader tt_device_reader;

/* All readers, NULL at the end. */
extern const struct reader *const readers[];

const struct reader *reader_named(const char *id); /* NULL: none */
/* The reader that is surest of this input; STATUS_INPUT with a helpful sentence when none is. */
NODISCARD status reader_detect(struct input *input, const char *path, const struct reader **reader);
/* Opens a file or a folder and finds its reader: the one that `format` names (NULL: none), else the surest. A folder has no
 * input. The caller closes `*input`, also after a failure. */
NODISCARD status reader_open(const char *path, const char *format, struct input **input, const struct reader **reader);

/* STATUS_INPUT: a file of this format is of no use here; `wanted` is a sentence that says what is. */
NODISCARD status reader_refuse(const struct reader *reader, const char *path, const char *wanted);

void source_note(struct source *source, const char *note); /* once per text */

/* For readers: a lost row. STATUS_OK, or STATUS_INPUT with file:line:column when the source is strict. */
NODISCARD status source_lose(struct source *source, struct feed *feed, const struct loss_reason *reason, uint64_t line,
                             uint64_t column);
/* The same for a reader that fills something else than a feed. */
NODISCARD status source_lose_row(struct source *source, struct losses *losses, const struct loss_reason *reason,
                                 uint64_t line, uint64_t column);

#endif
