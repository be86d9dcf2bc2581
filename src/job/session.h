/* session.h: what every job sets up: the string pool, the inputs, and what belongs to them.
 *
 * A session owns all of it until `session_end`. A profile is one input of a session, opened and recognised, with its companions loaded;
 * the session owns its profiles too. The command-line tool and the public library both stand on this.
 */
#ifndef JOB_SESSION_H
#define JOB_SESSION_H

#include "analyze/kernel_names.h"
#include "analyze/metrics.h"
#include "analyze/runs.h"
#include "base/progress.h"
#include "read/chain.h"

/* Texts are borrowed. All zero: the defaults. */
struct session_options {
    struct settings settings; /* options of chains, by name */
    const char *format;       /* reader for every input; NULL: by content */
    const char *clock_mhz;    /* of the cycle clock, as a decimal; NULL: what the format usually has */
    const char *ticks;    /* of a file that does not tell: ns, us or cycles:MHZ; NULL: what the format usually has */
    bool strict;          /* the first lost row is fatal */
    bool force_companion; /* companions are used also where they contradict the input */
    bool progress;        /* show how far reading is, on a terminal */
    struct progress_pause pause; /* while it is read */
    struct strings *strings;     /* pool to share; NULL: one of its own */
    int32_t order;               /* place of the first profile among the processes of a trace; each takes two */
};

struct profile {
    const char *path;            /* as the user gave it, borrowed */
    const char *name;            /* of the file, or of the input in it: in the pool of strings */
    char *display;               /* its name in outputs: the same, numbered where there are several */
    struct input *input;         /* open until the session ends; NULL: a folder */
    const struct reader *reader; /* of its format */
    struct source source;        /* what the reader gets */
    struct progress progress;    /* shown while it is read */
    int32_t order;               /* among the processes of a trace; its overview comes right after it */
    track_id process;            /* after reading */
    struct losses losses;        /* after reading */
};

/* A companion that was loaded. */
struct loaded_companion {
    const struct companion *companion; /* static: how it is unloaded */
    void *value;                       /* NULL: there is none */
};

/* What is listened to while profiles are read whose runs are to be counted: when engines were busy, and the runs. */
struct counting {
    struct inference_choice choice; /* --runs */
    int64_t warmup;                 /* --warmup */
    struct inferences inferences;   /* runs of all inputs */
    struct busy busy;               /* of all inputs; with moments, cut to the runs that count as they were counted */
    struct kernel_names kernels;    /* of all inputs */
    bool with_kernels;              /* these are asked for */
    struct tee tee;                 /* feeds all of these, where slices are named */
    struct sink_calls calls;        /* the same where they are not: slices go straight to the busy intervals */
};

struct session {
    struct session_options options;      /* as they were given */
    struct strings *strings;             /* of all profiles; its own, or that of the options */
    struct profile *profiles;            /* in the order of the command line; owned */
    size_t profile_count;                /* of profiles */
    size_t profile_capacity;             /* of profiles */
    struct loaded_companion *companions; /* owned until the session ends */
    size_t companion_count;              /* of companions */
    size_t companion_capacity;           /* of companions */
    uint64_t clock_numerator;            /* 0: not given */
    uint64_t clock_denominator;          /* not 0 where the numerator is not */
    struct tick_rate ticks;              /* of files that do not tell theirs */
};

/* Checks the options. Call `session_end` also after a failure. */
NODISCARD status session_start(struct session *session, const struct session_options *options);
void session_end(struct session *session);

/* Opens and recognises one more input and loads its companions. `display` is its name in outputs. Of a file that holds several it is the first, which its
 * reader notes. Pointers to profiles move. */
NODISCARD status session_add(struct session *session, const char *path, const char *display);

/* One more input that its reader knows already, by the companion of this role: it is not opened. */
NODISCARD status session_add_known(struct session *session, const char *path, const struct reader *reader,
                                   const char *role, const void *known);

/* One more input that is open, and whose reader was found: it is taken over, also where this fails. `path` is where it lies, for what lies
 * beside it. */
NODISCARD status session_add_open(struct session *session, const char *path, struct input *input,
                                  const struct reader *reader);

/* As session_add for a list of paths: names are file names, numbered when there are several. A file that holds several inputs is as many profiles. */
NODISCARD status session_add_all(struct session *session, const char *const *paths, size_t count);

/* STATUS_USAGE when `path` is one of the session's own inputs or companions: writing there would destroy it. */
NODISCARD status session_check_output(const struct session *session, const char *path);
/* The same for a list of files, some of which may be NULL; any output but "-". */
NODISCARD status output_check_inputs(const char *output, const char *const *inputs, size_t count);

/* Pushes a profile through a feed: announces it, reads it, hands over its losses. STATUS_INPUT when it has rows and none can
 * be used. */
NODISCARD status session_read(struct session *session, struct profile *profile, struct feed *feed);

/* What metrics of a profile rest on, of all of it or of the runs that count. As below. */
struct metric_facts profile_facts(const struct profile *profile, const struct busy *busy,
                                  const struct counted_runs *runs);
/* The metrics of a profile that was read, of all of it or of the runs that count. `busy` must be settled; `runs` may be NULL. */
NODISCARD status profile_metrics(const struct profile *profile, const struct busy *busy,
                                 const struct counted_runs *runs, struct metrics *metrics);

/* `runs` and `warmup` are as the user gave them; NULL: the defaults. `moments`: counts and bytes of operators are asked for, too. Free it
 * also after a failure. STATUS_USAGE: a choice that is none. */
NODISCARD status counting_start(struct counting *counting, const char *runs, const char *warmup, bool moments,
                                const struct strings *strings);
/* Before reading: which kernels work for operators is asked for, too. */
NODISCARD status counting_keep_kernels(struct counting *counting);
void counting_free(struct counting *counting);
/* What profiles are read into. */
struct sink counting_sink(struct counting *counting);
/* After a profile was read through the tee: which of its runs count, and the metrics of those. */
NODISCARD status counting_take(struct counting *counting, const struct profile *profile, struct counted_runs *runs,
                               struct metrics *metrics);

struct table;
/* Notes which input a table is about. */
void profile_note_input(const struct profile *profile, struct table *table);

enum { PROFILE_NOTES = SOURCE_NOTES + METRIC_MOST }; /* as many as there can be */

/* What a person should know of these metrics: texts of the source and static ones. Returns how many. */
size_t profile_notes(const struct profile *profile, const struct metrics *metrics, const char *notes[PROFILE_NOTES]);

#endif
