/* session.h: what every job sets up: the string pool, the program, the source of operator names, the inputs.
 *
 * A session owns all of it until `session_end`. A profile is one input of a session, opened and recognised; the session owns its
 * profiles too. The command-line tool and the public library both stand on this.
 */
#ifndef JOB_SESSION_H
#define JOB_SESSION_H

#include "analyze/metrics.h"
#include "base/progress.h"
#include "read/reader.h"
#include "torq/origin.h"

/* Texts are borrowed. Start from SESSION_DEFAULTS. */
struct session_options {
    const char *mlir;          /* program dump; NULL: none */
    const char *original_mlir; /* the model's source; NULL: none */
    const char *source_dir;    /* folder in which it is searched; NULL: none */
    const char *dispatch;      /* dispatch meant by a log that names none; NULL: the last */
    const char *format;        /* reader for every input; NULL: by content */
    const char *clock_mhz;     /* of the cycle clock, as a decimal; NULL: 800, or what the format usually has */
    const char *etrecord;      /* graph of the model; NULL: the record beside a dump, where there is one */
    const char *ticks;         /* of an ETDump: ns, us or cycles:MHZ; NULL: ns */
    uint32_t slices;           /* for logs with issue numbers */
    bool strict;
    bool progress;           /* show how far reading is, on a terminal */
    struct strings *strings; /* pool to share; NULL: one of its own */
    int32_t order;           /* place of the first profile among the processes of a trace; each takes two */
};

#define SESSION_DEFAULTS ((struct session_options){ .slices = 2 })

struct profile {
    const char *path;
    char *display; /* its name in outputs */
    struct input *input;
    const struct reader *reader;
    struct source source;
    struct progress progress;
    int32_t order;        /* among the processes of a trace; its overview comes right after it */
    track_id process;     /* after reading */
    struct losses losses; /* after reading */
    struct graph graph;   /* of the model; valid when `has_graph` */
    bool has_graph;
};

struct session {
    struct session_options options;
    struct strings *strings;
    struct origin *origin;
    struct program program; /* companion of the logs */
    bool has_program;
    struct program dump; /* the first program that was read as an input of its own */
    bool has_dump;
    struct profile *profiles;
    size_t profile_count;
    size_t profile_capacity;
    uint64_t clock_numerator;
    uint64_t clock_denominator;
    struct tick_rate ticks;
};

/* Reads the program that the options name, if any. Call `session_end` also after a failure. */
NODISCARD status session_start(struct session *session, const struct session_options *options);
void session_end(struct session *session);

/* Opens and recognises one more input. `display` is its name in outputs. Pointers to profiles move. */
NODISCARD status session_add(struct session *session, const char *path, const char *display);

/* The same for a list of paths: names are file names, numbered when there are several. */
NODISCARD status session_add_all(struct session *session, const char *const *paths, size_t count);

/* STATUS_USAGE when `path` is one of the session's own inputs: writing there would destroy it. */
NODISCARD status session_check_output(const struct session *session, const char *path);
/* The same for a list of files, some of which may be NULL; any output but "-". */
NODISCARD status output_check_inputs(const char *output, const char *const *inputs, size_t count);

/* Reads a dump into the session's program (once). */
NODISCARD status session_read_program(struct session *session, const char *path);

/* Pushes a profile through a feed: announces it, reads it, hands over its losses. STATUS_INPUT when it has rows and none can
 * be used. The first dump that is read so is kept as `dump`. */
NODISCARD status session_read(struct session *session, struct profile *profile, struct feed *feed,
                              const struct estimate *estimate);

/* The metrics of a profile that was read. `busy` must be settled. */
NODISCARD status profile_metrics(const struct profile *profile, const struct busy *busy, struct metrics *metrics);

enum { PROFILE_NOTES = SOURCE_NOTES + 1 }; /* as many as there can be */

/* What a person should know of these metrics: static texts. Returns how many. */
size_t profile_notes(const struct profile *profile, const struct metrics *metrics, const char *notes[PROFILE_NOTES]);

/* The last part of a path; and the same without its suffixes, in `to`. */
const char *path_name(const char *path);
void path_stem(const char *path, char *to, size_t size);
bool path_ends(const char *path, const char *suffix);

#endif
