/* job.h: one run of a verb: inputs and options in; named tables, documents, texts and notes out.
 *
 * A job has no stream, no terminal, no state outside of itself: the command line prints what it made, a program that uses the library
 * takes it, and several may run at once. A job owns everything that it was given and made until `job_free`; texts of inputs and options
 * are borrowed.
 *
 *     job_start(&job, verb)
 *     job_option(&job, "by", "operator"), job_input(&job, "net.csv")     (as often as there are any)
 *     job_run(&job)                                                     →  job.products, job.notes
 *     job_write_json(&job, output) …                                       whoever wants them
 *     job_free(&job)
 */
#ifndef JOB_JOB_H
#define JOB_JOB_H

#include <signal.h>

#include "base/output.h"
#include "job/session.h"
#include "job/verb.h"
#include "page/formats.h"
#include "table/field.h"
#include "table/printer.h"

/* Writes something that is no table: a block for a terminal of a certain width, or a JSON document. */
typedef void (*product_write)(struct output *output, const void *data, const struct printer_style *style);

enum product_kind {
    PRODUCT_TABLE,    /* for people and machines */
    PRODUCT_DOCUMENT, /* the same */
    PRODUCT_BLOCK,    /* for people: text that is laid out in its own way */
    PRODUCT_JSON,     /* for machines: what --json prints, in place of all others */
    PRODUCT_LINE      /* for people: a sentence, such as the name of a file that was written */
};

enum product_steers {
    STEERS_NOTHING, /* text for people */
    STEERS_COLOURS, /* the same, which colours itself and keeps names clean */
    STEERS_ALL      /* a file on its way to standard output: as it is */
};

struct product {
    enum product_kind kind; /* tells which of the others are set */
    const char *name;       /* of a table: its own; else what the verb calls it; "" : none */
    union {
        struct table *table;       /* TABLE: owned */
        struct document *document; /* DOCUMENT: owned */
        char *line;                /* LINE: owned */
        struct {
            product_write write;         /* how it is written */
            void *data;                  /* for `write`; owned where there is a `release` */
            void (*release)(void *data); /* NULL: nothing to free */
        } block;                         /* BLOCK, JSON */
    };
    const char *sheet;             /* of a table in a spreadsheet; NULL: its title */
    const struct dialect *dialect; /* of a table in a CSV file; NULL: the plain one */
    bool close;                    /* no blank line before it */
    bool machine;                  /* of a table: not on the terminal, where a block says the same */
    enum product_steers steers; /* of a block: what of it may steer a terminal; whoever prints it takes out the rest */
};

enum note_kind { NOTE_PLAIN, NOTE_LOSS /* shown as a plain one */, NOTE_WARNING };

/* Something that a person should know, beside what was made. */
struct job_note {
    enum note_kind kind; /* how it is shown */
    char *text;          /* with the path that it is about before it */
};

/* What a verb made of a profile, for a server that shows it in a browser once everything is printed. */
struct job_handed {
    char *path;           /* of the profile; NULL: nothing is handed over; owned */
    const char *part;     /* of its page that is shown first; static */
    uint64_t port;        /* the first that is tried */
    const char *bind;     /* address to listen on; NULL: this machine alone; borrowed from the settings */
    bool asked;           /* the user said so; else it is shown where somebody sits at a terminal */
    struct texts options; /* name, value, name, value: how jobs about it are to be asked; value "": a flag; the same */
};

struct counted;

enum { JOB_PARTS = 16 }; /* more than there are chains */

struct job {
    const struct verb *verb; /* static */
    void *settings;          /* as the verb's options fill it */
    struct {
        const struct verb_part *part; /* static */
        const struct chain *chain;    /* that adds it */
        void *settings;               /* as its options fill it; owned */
        const char *given;            /* the last option of it that was given; NULL: none */
    } parts[JOB_PARTS];               /* what chains add to the verb; up to the first NULL */
    struct texts inputs;              /* words that are no options */
    struct session_options reading;   /* VERB_READS */
    struct counted *lent; /* what was read of the same inputs for another job (job/counted.h); NULL: none; borrowed */
    const char *output;   /* VERB_OUTPUTS: -o; NULL: none, or "-" */
    bool json;            /* VERB_JSON */
    bool by_name;         /* tables will be asked for by name: also those that are not shown are made */
    const char *runs;     /* VERB_RUNS: as given; NULL: what the input says */
    const char *warmup;   /* the same: N, auto, none; NULL: auto */
    struct view_request view;               /* VERB_VIEWS */
    struct texts filters;                   /* of the view */
    struct product *products;               /* in the order in which they were made; owned */
    size_t product_count, product_capacity; /* of products */
    struct job_note *notes;                 /* in the order in which they were made; owned */
    size_t note_count, note_capacity;       /* of notes */
    int exit_code;                          /* of a command that the verb ran, in place of its own; 0: its own */
    /* Of jobs that take long: what happens, as it happens; NULL: nobody listens, lines are kept as products, warnings as notes. */
    void (*live)(void *context, enum note_kind kind, const char *line);
    void *live_context; /* for `live` */
    /* What the user asked for and cannot wait for the end, also where he wants nothing else to be said; NULL: nobody hears it. */
    void (*reply)(void *context, const char *line);
    void *reply_context; /* for `reply` */
    /* What is being done now, for one who waits for it; NULL: nobody does. */
    void (*waiting)(void *context, const char *line);
    void *waiting_context; /* for `waiting` */
    /* What is shown now and replaced by what comes next; NULL: nobody looks. The table is lent for the call. */
    void (*show)(void *context, const struct table *table);
    void *show_context; /* for `show` */
    /* The next line that the user enters behind a prompt, lent until the next call; NULL returned: there are no more. And what is answered to
     * it, at once; the table is lent for the call. NULL: nobody enters anything. */
    const char *(*enter)(void *context, const char *prompt);
    void (*answer)(void *context, const struct table *table);
    void *enter_context; /* for both */
    const volatile sig_atomic_t
        *stop;                /* not 0: the user wants what he entered last to be stopped; NULL: he cannot say so */
    struct job_handed handed; /* what it made, for a server */
    const struct job_handed *served; /* of a server: what another job handed over; NULL: nothing; borrowed */
};

NODISCARD status job_start(struct job *job, const struct verb *verb);
void job_free(struct job *job);

/* ---- In ---- */

/* An option that was found, and where its place is. */
struct job_option {
    struct option option; /* a copy */
    void *base;           /* of its place: the settings of the verb or of a part, or the job */
    unsigned part;        /* that it belongs to, counted from 1; 0: none */
};

/* By name or letter (not 0). STATUS_NO: the verb takes none such. */
status job_find(struct job *job, const char *name, size_t length, char letter, struct job_option *found);
/* The failure for a word that is no option, with the one that may be meant. */
status job_fail_option(const struct job *job, const char *word, size_t length);
/* `value` NULL: a flag. STATUS_USAGE: a value that it cannot have. */
NODISCARD status job_set(struct job *job, const struct job_option *found, const char *value);
/* Both at once. */
NODISCARD status job_option(struct job *job, const char *name, const char *value);
NODISCARD status job_input(struct job *job, const char *path);

/* Walks over all options that the verb takes: its own, then the shared ones. NULL: no more. */
struct option_walk {
    unsigned list;      /* which of the lists */
    size_t next;        /* in that list */
    size_t chain;       /* in the lists that chains have */
    size_t part;        /* in the parts of that chain */
    unsigned passed;    /* parts of the verb up to this one */
    struct option made; /* an option that is put together for this walk */
};

const struct option *option_next(const struct verb *verb, struct option_walk *walk);

/* Those of the options (as `job_handed` has them) that the verb takes. */
NODISCARD status job_take_options(struct job *job, const struct texts *options);

/* ---- Run ---- */

/* Does it. What was made until a failure is there all the same. */
NODISCARD status job_run(struct job *job);

/* The part for inputs of a format, with its settings. STATUS_USAGE: an option was given that is about another kind of input. NULL in
 * `*part`: no chain has one. */
NODISCARD status job_find_part(const struct job *job, const struct reader *reader, const struct verb_part **part,
                               const void **settings);

/* ---- Out: for verbs ---- */

/* Each takes over what it is given, also where it fails; NULL of a table or document counts as out of memory. */
NODISCARD status job_table(struct job *job, struct table *table);
NODISCARD status job_document(struct job *job, const char *name, struct document *document);
NODISCARD status job_block(struct job *job, const char *name, product_write write, void *data,
                           void (*free)(void *data));
/* A block of text that looks the same whatever the terminal: what was written into an output in memory. */
NODISCARD status job_text(struct job *job, const char *name, struct output *memory);
NODISCARD status job_json(struct job *job, product_write write, void *data, void (*release)(void *data));
/* A sentence for people. */
NODISCARD status job_say(struct job *job, const char *format, ...) PRINTF_LIKE(2, 3);
/* The same at once, where somebody listens. */
NODISCARD status job_tell(struct job *job, const char *format, ...) PRINTF_LIKE(2, 3);
/* What the user asked for, at once, whoever is quiet. STATUS_USAGE: nobody hears it. */
NODISCARD status job_reply(struct job *job, const char *format, ...) PRINTF_LIKE(2, 3);
/* Hands a profile over to a server; `handed->path` is copied. */
NODISCARD status job_hand_over(struct job *job, const char *path, const struct job_handed *handed);
/* One more option for jobs about what is handed over, where it has a value. */
NODISCARD status job_hand_option(struct job *job, const char *name, const char *value);
/* What is begun now and takes long: for one who waits, and for nobody else. */
void job_wait(struct job *job, const char *format, ...) PRINTF_LIKE(2, 3);
/* A warning at once, where somebody listens; else a note. */
void job_warn(struct job *job, const char *line);
/* `path` NULL: about none. A note that cannot be kept for want of memory is lost; nothing else depends on it. */
void job_note(struct job *job, enum note_kind kind, const char *path, const char *format, ...) PRINTF_LIKE(4, 5);
/* Losses and notes of an input, as notes. */
void job_note_losses(struct job *job, const char *path, const struct losses *losses, const char *const *notes,
                     size_t count);
void job_note_profile(struct job *job, const struct profile *profile);

/* The last product; it must be there. */
struct product *job_last(struct job *job);

/* ---- Out: for whoever ran it ---- */

const struct table *job_find_table(const struct job *job, const char *name); /* NULL: none */
/* The same, which is the caller's then. */
struct table *job_take_table(struct job *job, const char *name);
/* What --json prints: the JSON that the verb made, else its tables. */
NODISCARD status job_write_json(const struct job *job, struct output *output);
/* A job that asks another verb about some inputs, which it reads as this one does, and counts their runs likewise; it is lent what this one was.
 * Free it also after a failure. */
NODISCARD status job_start_question(const struct job *job, const struct verb *verb, const struct texts *inputs,
                                    struct job *question);
/* What it is about, for titles: the name of its first input, and how many more there are; empty: none. */
enum { JOB_SUBJECT = 400 };
void job_subject(const struct job *job, char *to, size_t size);
/* The tables or the document as a file, in the format that its suffix names. */
NODISCARD status job_write_file(const struct job *job, const char *path);

#endif
