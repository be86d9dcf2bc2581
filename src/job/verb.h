/* verb.h: something that tacho does: its options, and the job that does it.
 *
 * A verb is constant data. Options name places in a struct of settings that belongs to the job: two jobs of one verb never meet. The
 * command line fills a job from words, a program that uses the library from pairs of texts, by the same table. Names match with
 * '-' and '_' alike, so the documents' --compile_profile and our --compile-profile are one.
 */
#ifndef JOB_VERB_H
#define JOB_VERB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct chain;
struct job;
struct reader;

/* A list of texts that grows; the texts are borrowed. */
struct texts {
    const char **items; /* with a NULL behind the last; NULL: none yet */
    size_t count;       /* of items, without the NULL */
    size_t capacity;    /* of items */
};

NODISCARD status texts_add(struct texts *texts, const char *text);
void texts_free(struct texts *texts); /* leaves an empty one */

enum option_kind {
    OPTION_FLAG,   /* bool */
    OPTION_CLEAR,  /* bool, set to false (--no-args) */
    OPTION_TEXT,   /* const char * */
    OPTION_MAYBE,  /* const char *; the value stands behind "=", or there is none: "" then */
    OPTION_NUMBER, /* uint64_t, 1 at least */
    OPTION_LIST,   /* struct texts; takes all words up to the next option */
    OPTION_REPEAT, /* struct texts; takes one word, as often as it is given */
    OPTION_SETTING /* struct settings, by the name of the option */
};

struct option {
    const char *name;      /* without dashes; NULL ends a table */
    char letter;           /* short form; 0: none */
    enum option_kind kind; /* what its value is */
    size_t offset;         /* of its place in the settings */
    const char *argument;  /* FILE, N, ...; NULL for flags; "a|b|c" is completed */
    const char *help;      /* one line */
};

/* A table that a verb can make. */
struct verb_table {
    const char *name;        /* as the table is called; NULL ends a list */
    const char *description; /* one sentence */
    const char *option;      /* that it is made with; NULL: none is needed */
    const char *value;       /* of that option; NULL: it is a flag */
    bool apart;              /* one profile alone does not give it, or it says which files were written */
    bool (*accepts)(const struct reader *reader); /* is it made of such inputs? NULL: of all that the verb takes */
};

/* The files that a verb writes into a folder, with an archive of them among these. */
struct verb_archive {
    const char *file;   /* what the archive is called; its suffix tells it from the others */
    const char *title;  /* for people */
    const char *folder; /* option that names the folder */
    const char *all;    /* flag that has everything written, however large; NULL: none */
    bool (*accepts)(
        const struct reader *reader); /* are there archives of such inputs? NULL: of all that the verb takes */
};

/* What a verb takes besides its own options. */
enum verb_takes {
    VERB_READS = 1,   /* how profiles are read: --format, --strict, --clock-mhz, --ticks, and what chains add */
    VERB_VIEWS = 2,   /* --columns, --sort, --limit, --filter */
    VERB_OUTPUTS = 4, /* -o FILE */
    VERB_JSON = 8,    /* --json */
    VERB_RUNS = 16,   /* --runs, --warmup */
    VERB_CHAINS = 32  /* what chains add to how profiles are read, of a verb that takes no profiles and makes some */
};

struct verb {
    const char *name;                   /* as it stands on the command line */
    const char *summary;                /* one line for `tacho --help` */
    const char *usage;                  /* after "tacho NAME " */
    unsigned takes;                     /* enum verb_takes */
    const char *output_help;            /* of -o; NULL: the usual words */
    const struct chain *chain;          /* of the options of chains only those of this one; NULL: all */
    const struct option *options;       /* its own, into its settings; NULL: none */
    size_t settings_size;               /* of the struct that `options` fill */
    const void *defaults;               /* of that struct; NULL: all zero */
    const struct verb_table *tables;    /* NULL: none */
    const struct verb_archive *archive; /* NULL: none */
    /* What it wants instead of an input of this format; NULL returned: it takes such. NULL: those with times, where it takes VERB_READS,
     * else it reads no profiles at all. */
    const char *(*refuses)(const struct reader *reader);
    status (*run)(struct job *job); /* does it */
};

/* What a part makes of options and inputs that are not its own. */
enum part_reads {
    PART_TICKS = 1, /* --ticks is about its inputs, and about no others */
    PART_CLOCK = 2, /* --clock-mhz */
    PART_OPEN = 4   /* it reads the first input as it was opened: standard input needs no --format */
};

/* What a chain adds to a verb of the core: options of its own, and what is done with its inputs. */
struct verb_part {
    const char *verb;             /* that it belongs to */
    const struct option *options; /* into its settings; NULL: none */
    size_t settings_size;         /* of the struct that `options` fill */
    const void *defaults;         /* of that struct; NULL: all zero */
    /* Is this the part for an input of this format? */
    bool (*accepts)(const struct reader *reader);
    unsigned reads;                  /* enum part_reads */
    const char *about;               /* what such inputs are, for the one who gave an option to another kind of input */
    const struct verb_table *tables; /* of such inputs alone; NULL: none */
    status (*run)(struct job *job, const void *settings); /* does it for the inputs that it accepts */
};

/* The verbs of the core, NULL at the end; chains have more. */
extern const struct verb *const core_verbs[];
/* Those of rooms that stand on jobs, NULL at the end: listed beside the chains, in src/chains.c. */
extern const struct verb *const further_verbs[];

/* Walks over the verbs of the core and of all chains, in the order of the help; begin with a walk of zeros. NULL: no more. */
struct verb_walk {
    size_t list; /* 0: the core; 1: what stands on jobs; then chain list - 2 */
    size_t next; /* in that list */
};

const struct verb *verb_next(struct verb_walk *walk);
/* Whether inputs of any format are for it, as against commands, configurations and run directories. */
bool verb_reads(const struct verb *verb);
/* Why an input of this format is not for a verb that reads profiles; NULL: it is. */
const char *verb_refuses(const struct verb *verb, const struct reader *reader);
/* Whether it makes an archive of inputs of this format. */
bool verb_archives(const struct verb *verb, const struct reader *reader);
/* For `refuses` of verbs that are about times alone. */
const char *verb_wants_times(const struct reader *reader);
/* NULL: none. `*nearest` (may be NULL) is then the one that may be meant; NULL: none is near. */
const struct verb *verb_named(const char *name, const char **nearest);

#endif
