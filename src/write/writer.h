/* writer.h: trace files: sinks that stream what they are given into an output.
 *
 * A writer borrows its output (commit or abandon it yourself after `finish`) and the string pool, and owns its own
 * tables until `writer_free`. Memory does not grow with the number of slices, only with tracks, lanes and distinct
 * texts (and a little per slice that comes late; `speedscope` keeps the whole trace).
 */
#ifndef WRITE_WRITER_H
#define WRITE_WRITER_H

#include "base/output.h"
#include "trace/sink.h"

struct document;
struct table;

struct writer_options {
    bool arguments; /* write arguments on slices, and the arrows between them */
    const char *const
        *columns; /* keys that have a column of their own in a CSV of slices; NULL at the end; NULL: none */
    const char *const
        *inputs; /* names of those that come one after the other, for who reads the output again; NULL: not told */
    size_t input_count;           /* of inputs */
    const struct document *front; /* stands before the trace in a page; settled; NULL: none */
};

/* A run of an input, as it was counted. */
struct writer_run {
    int64_t start, end; /* ns */
    uint32_t launch;    /* which process */
    uint32_t index;     /* which inference in it */
    bool counted;       /* it counts: means are about it */
};

/* What a format shows beside the trace, as soon as it is known and before `finish`. */
struct writer_beside {
    NODISCARD status (*note)(void *self, const char *input,
                             const char *text);                        /* for people; `input` NULL: there is one */
    NODISCARD status (*run)(void *self, const struct writer_run *run); /* announced, or found by what repeats */
    NODISCARD status (*table)(void *self, const struct table *table);  /* borrowed for the call */
};

struct writer {
    struct sink sink;                     /* push here */
    void *self;                           /* for writer_free */
    void (*free)(void *self);             /* of `self` */
    uint64_t (*events)(const void *self); /* begin and end events written so far, for size per event */
    const struct writer_beside *beside;   /* NULL: it shows the trace alone */
};

void writer_free(struct writer *writer);

struct writer_format {
    const char *id;              /* perfetto, chrome, speedscope, slices, page */
    const char *title;           /* for people */
    const char *const *suffixes; /* ".pb", ".pftrace", ... ; NULL at the end; also accepted with .gz and .zst behind */
    bool drawn;                  /* wants overview, operator and estimate tracks too */
    /* Writes the head of the file and fills `*writer`, which is not touched where that fails. */
    NODISCARD status (*open)(struct output *output, struct strings *strings, const struct writer_options *options,
                             struct writer *writer);
};

/* Who keeps what is written, instead of a file. */
struct writer_keeper {
    bool drawn;    /* as a format has it */
    void *context; /* for `open` */
    /* As that of a format. */
    NODISCARD status (*open)(void *context, struct strings *strings, const struct writer_options *options,
                             struct writer *writer);
};

extern const struct writer_format perfetto_format;
extern const struct writer_format chrome_format;
extern const struct writer_format speedscope_format;
extern const struct writer_format slices_format; /* CSV: one row per slice */
extern const struct writer_format page_format;   /* HTML: one file that shows the trace: page/trace_page.c */

extern const struct writer_format *const writer_formats[];     /* NULL at the end */
const struct writer_format *writer_for_path(const char *path); /* by suffix; NULL: none */
const struct writer_format *writer_named(const char *id);      /* NULL: none */

#endif
