/* chain.h: a tool chain: all that is true of it alone, registered in one constant.
 *
 * The core walks over `chains` and knows none by name; src/chains.c lists them, and is linked apart, so that a test can bring its own
 * list. Everything here is static data and borrowed for good.
 */
#ifndef READ_CHAIN_H
#define READ_CHAIN_H

#include "base/arena.h"
#include "read/reader.h"

struct advice_rules;
struct architecture_set;
struct argument_key;
struct field_set;
struct job;
struct metric_set;
struct path;
struct verb;
struct verb_part;

/* An option of the chain that every verb takes which reads profiles; its value goes to the readers by name. */
struct chain_option {
    const char *name;     /* without dashes; NULL ends a table */
    const char *argument; /* FILE, N, ... */
    const char *help;     /* one line */
};

/* An input that is read together with others. */
struct tied_input {
    struct source *source;       /* with its companions */
    const struct reader *reader; /* of its format */
};

/* How inputs of a chain tell something about others in the same output: a compiler's estimate is drawn beside measured jobs. Inputs
 * with estimates are read first. What `open` gives is a companion of the others in the role of the tie. */
struct tie {
    const char *role; /* as which readers find it among their companions */
    /* NULL in `*tie`: nothing to tie. */
    status (*open)(const struct tied_input *inputs, size_t count, struct strings *strings, void **tie);
    void (*close)(void *tie);         /* frees what `open` gave */
    struct sink (*listen)(void *tie); /* is told everything that is read */
    /* After the estimates: may the others have it? Notes are added to their sources. */
    status (*prepare)(void *tie, const struct tied_input *inputs, size_t count, bool *ready);
    void (*finish)(void *tie, struct source *source, bool drawn); /* after one of the others: was anything drawn? */
};

/* What a track of a trace in a general format is, by its name and that of the track above it. In patterns '*' stands for any text. */
struct chain_line {
    const char *parent;          /* a pattern; NULL: any, or none */
    const char *name;            /* the same; NULL ends a table */
    const struct engine *engine; /* of the track */
    uint32_t index;              /* of the engine */
};

/* Traces that the original tools of a chain write: known by a track that no other trace has. */
struct chain_trace {
    const char *parent, *name;      /* patterns of that track; name NULL ends a table */
    bool estimate;                  /* its times are an estimate */
    const struct chain_line *lines; /* the first that fits a track counts */
    /* Overview tracks whose metrics are computed from other tracks: their names without a number in front, NULL at the end. What any other
     * one says is taken as it stands there: the tools may have learned to add up something new. NULL: none is taken. */
    const char *const *computed;
    const char *mark; /* what of such a name stands behind this is the name of the metric: see told_label */
};

/* A file that people have and no reader knows, and what to give instead: for the error that refuses it. */
struct stranger {
    const char *begins;  /* its first bytes; NULL: any */
    const char *ends;    /* its path; NULL: any */
    const char *what;    /* it is: "a report of …"; NULL ends a table */
    const char *instead; /* a clause: "give …" */
};

/* A program of a chain that people run on another machine, and what it leaves there. */
struct chain_program {
    const char *name;            /* of its file; NULL ends a table */
    const char *folder;          /* on such a machine, where each user has a folder of his own */
    const char *const *profiles; /* its options whose value is a profile that it writes; NULL at the end */
    /* Makes a file of a profile that was brought here, beside it, with what the user gave in the job's options; `made` is its path, and
     * stays empty where none can be made. */
    status (*complete)(const struct job *job, const char *profile, struct path *made);
};

/* A profile in a folder that a tool of the chain fills with those of many launches, and what that tool wrote down of it there. NULL: it did not. */
struct run_profile {
    const char *path;                   /* of the file; NULL: the launch left none */
    const char *name;                   /* of the launch, for people */
    const char *model, *build, *commit; /* of what */
    const char *device;                 /* on what */
    const char *const *labels;          /* "KEY=VALUE", NULL at the end: what tells it from others of the model */
    const char *warmup;                 /* runs at its start that do not count, as --warmup has it */
    const char *failure;                /* why it has no time */
    const char *timeless;               /* what it was made for instead of its times, which are no use */
};

/* Owns everything in it until `run_folder_free`. */
struct run_folder {
    struct run_profile *profiles; /* in a fixed order */
    size_t count, capacity;       /* of profiles */
    const char **notes;           /* what a person should know of the folder */
    size_t note_count, note_capacity;
    const struct chain *chain; /* that knows it; NULL: none does */
    struct arena arena;        /* of all texts */
};

struct chain {
    const char *id;                                   /* that of its folder */
    const char *title;                                /* for people */
    const struct reader *const *readers;              /* NULL at the end */
    const struct engine *const *engines;              /* the same */
    const struct argument_key *arguments;             /* ends with name NULL */
    const struct loss_reason *const *losses;          /* NULL at the end */
    const struct metric_set *metrics;                 /* NULL: the general ones */
    const struct architecture_set *architectures;     /* that it knows; NULL: none */
    const struct advice_rules *const *rules;          /* of advice, by kind of input; NULL at the end; NULL: none */
    const struct tie *tie;                            /* NULL: none */
    const struct chain_trace *traces;                 /* of its original tools; NULL: none */
    const struct stranger *strangers;                 /* files of its tools that are not read; NULL: none */
    const struct chain_program *programs;             /* that run on other machines; NULL: none */
    const struct chain_option *options;               /* NULL: none */
    status (*check)(const struct settings *settings); /* STATUS_USAGE or STATUS_INPUT; NULL: any value will do */
    const struct field_set *const *fields;            /* that it adds to entities; NULL at the end; NULL: none */
    const struct verb *const *verbs;                  /* NULL at the end; NULL: none */
    const struct verb_part *const *parts;             /* of verbs of the core; the same */
    /* What a folder holds; `*known` is false where it is none of the chain's tools'. NULL: they make none. */
    status (*list_runs)(const char *path, struct run_folder *folder, bool *known);
};

/* What a folder holds, by the first chain that knows it. Free it also after a failure. */
NODISCARD status run_folder_read(const char *path, struct run_folder *folder);
void run_folder_free(struct run_folder *folder);
/* For chains: one more; a text of the folder's, NULL where memory runs out; one more note. */
NODISCARD status run_folder_add(struct run_folder *folder, const struct run_profile *profile);
const char *run_folder_text(struct run_folder *folder, const char *format, ...) PRINTF_LIKE(2, 3);
NODISCARD status run_folder_note(struct run_folder *folder, const char *note);

/* All of them, NULL at the end. */
extern const struct chain *const chains[];

#endif
