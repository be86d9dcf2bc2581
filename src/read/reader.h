/* reader.h: a format that Tacho can read: how it is recognised, what it takes along, how it is pushed into a feed.
 *
 * A reader recognises its format by content (`probe`), and pushes what it finds into a feed (`read`). Where its chain has a richer
 * model of such a file, `own` leads there; the core never looks. Adding a format is one new file, one line in its chain, one
 * fixture folder, one fuzz target, one manual section.
 *
 * A source is one main input with its companions and settings. It borrows everything; the job owns it. Some formats are
 * folders: such a source has no input, and its reader opens the files that it finds below the source's path.
 */
#ifndef READ_READER_H
#define READ_READER_H

#include <assert.h>

#include "base/input.h"
#include "base/progress.h"
#include "read/settings.h"
#include "trace/feed.h"
#include "trace/told.h"

struct chain;
struct csv;
struct table;

/* What one tick of a clock is that the file does not tell. */
struct tick_rate {
    uint64_t numerator;   /* nanoseconds = ticks * numerator / denominator; 0: not given */
    uint64_t denominator; /* not 0 where the numerator is not */
};

/* "ns", "us", "cycles:400" (MHz). False: none of these. */
bool tick_rate_parse(const char *text, struct tick_rate *rate);

enum { SOURCE_NOTES = 32 };     /* more than any reader has to say about one input */
enum { SOURCE_COMPANIONS = 8 }; /* more than any format has */

struct source {
    struct input *input;             /* NULL: a folder */
    const char *path;                /* as the user gave it */
    const struct settings *settings; /* options of the chain; NULL: none */
    uint64_t clock_numerator;        /* of the cycle clock in MHz, by the user; 0: not given */
    uint64_t clock_denominator;      /* not 0 where the numerator is not */
    struct tick_rate ticks;          /* of files that do not tell theirs, by the user */
    bool strict;                     /* the first lost row is fatal */
    bool force_companion;            /* companions are used also where they contradict the input */
    struct progress *progress;       /* NULL: silent */
    struct {
        const char *role;            /* static; NULL: no more */
        const void *value;           /* what the companion loaded */
    } companions[SOURCE_COMPANIONS]; /* what belongs to it, by role; up to the first role NULL */
    const char *display;             /* its name in outputs */
    size_t part;    /* which of the inputs in the file, counted from 1; 0: there is one, or all are read as one */
    size_t only_of; /* so many are there, and no other is read; 0: there is one, or all are read */
    int32_t order;  /* of its process among those of a trace */
    bool alone;     /* there is no other input: it may bring a name of its own */
    /* Filled by the reader: */
    const struct chain *chain; /* whose words it uses; NULL: that of the reader */
    bool estimate;             /* its times are an estimate, whatever its reader usually reads */
    unsigned drawn;            /* what a trace brings along that is drawn otherwise: enum source_drawn */
    const char *generation;    /* "C1" .. "R3": static text */
    const char *failed;        /* why no launch in it has a time: all failed; NULL: some did not. As notes */
    const char *device;        /* what it says that it ran on; NULL: nothing. In the pool of strings */
    const char *clock;         /* which its times are of, where other inputs may be on the same; NULL: its own */
    uint32_t rank, ranks;      /* it is one of so many processes that are one launch together; 0 ranks: it is not */
    bool engines_known;        /* it says which engines were used, or a companion does */
    struct told told;          /* metrics that it has as such; texts in the pool of strings */
    void *kept;                /* what `details` needs after reading; freed by the reader's `release` */
    const char *notes[SOURCE_NOTES]; /* texts a person should see: static, or in the pool of strings */
    unsigned note_count;             /* of notes */
};

/* Lines that are drawn from the sums of an input. */
enum source_drawn { DRAWN_OVERVIEW = 1, DRAWN_OPERATORS = 2, DRAWN_COUNTERS = 4 };

/* What a companion is loaded for. */
struct companion_request {
    struct source *source;   /* with its path and settings; notes may be added */
    struct strings *strings; /* pool of the session */
};

/* Something that belongs to an input: a file that an option names or that lies beside it, or what other inputs tell. */
struct companion {
    const char *role;   /* "program" */
    const char *option; /* names its file; NULL: none does */
    bool shared;        /* loaded once for all inputs of a session, whatever their path */
    /* `*loaded` is NULL where there is none. STATUS_INPUT: the one that was named cannot be used. */
    status (*load)(const struct companion_request *request, void **loaded);
    void (*unload)(void *loaded); /* frees what `load` gave */
};

/* What the times in a format are. */
enum reader_kind {
    READER_ESTIMATE, /* a compiler's estimate: a timeline */
    READER_MEASURED, /* a log of what ran */
    READER_PROGRAM   /* a program, perhaps with estimates */
};

struct reader {
    const char *id;                                   /* names source, test, fixture, fuzz target, manual section */
    const char *title;                                /* for people */
    const struct chain *chain;                        /* that it belongs to; NULL: none */
    enum reader_kind kind;                            /* what its times are */
    const char *files;                                /* what such files are usually called */
    const char *timeless;                             /* why nothing in them has a time; NULL: there are times */
    bool begins;                                      /* `read` begins the input itself: see source_begin */
    const struct companion *const *companions;        /* NULL at the end; NULL: none */
    int (*probe)(struct text head, const char *path); /* 0 not mine .. 100 certain; NULL: it reads folders only */
    int (*probe_folder)(const char *path);            /* the same for a folder; NULL: it reads files only */
    status (*read)(struct source *source, struct feed *feed); /* pushes the whole input */
    /* The names of the inputs that one file holds, where it holds several: `*names` is freed by the caller. NULL: a file is one input. */
    status (*inputs)(struct input *input, struct strings *strings, string_id **names, size_t *count);
    /* After reading: more tables about the input, at most `most`, which the caller frees; NULL: none. */
    status (*details)(const struct source *source, struct table **tables, size_t most, size_t *count);
    void (*release)(struct source *source);  /* frees `kept`; NULL: nothing is kept */
    const struct loss_reason *const *losses; /* reasons of a reader without a chain; NULL at the end; NULL: none */
    const void *own;                         /* what its chain knows more of it; only that chain looks */
};

/* Those that belong to no chain, NULL at the end. */
extern const struct reader *const general_readers[];

/* Walks over all of them: those of no chain, then chain by chain. A walk of zeros begins. NULL: no more. */
struct reader_walk {
    size_t list; /* 0: the general ones; else the place of the chain, counted from 1 */
    size_t next; /* in that list */
};

const struct reader *reader_next(struct reader_walk *walk);

const struct reader *reader_named(const char *id); /* NULL: none */
/* The reader that is surest of this input; STATUS_INPUT with a helpful sentence when none is. */
NODISCARD status reader_detect(struct input *input, const char *path, const struct reader **reader);
/* The reader that --format names; NULL in `*reader`: it names none. STATUS_USAGE: there is none of that name. */
NODISCARD status reader_given(const char *format, const struct reader **reader);
/* The reader of a file that is open: the one that `format` names (NULL: none), else the surest. */
NODISCARD status reader_of(struct input *input, const char *path, const char *format, const struct reader **reader);
/* Opens a file or a folder and finds its reader in the same way. A folder has no input. The caller closes `*input`, also after a
 * failure. */
NODISCARD status reader_open(const char *path, const char *format, struct input **input, const struct reader **reader);

/* STATUS_INPUT: a file of this format is of no use here; `wanted` is a sentence that says what is. */
NODISCARD status reader_refuse(const struct reader *reader, const char *path, const char *wanted);

void source_note(struct source *source, const char *note); /* once per text */
/* Begins an input in the feed: announces its process, by the name in outputs, or by `name` where that is not empty and no other input is there. */
NODISCARD status source_begin(const struct source *source, struct feed *feed, string_id name);
/* Whether what it holds was measured, after reading. */
bool source_is_measured(const struct source *source, const struct reader *reader);
/* The chain whose words it uses, after reading; NULL: none. */
const struct chain *source_chain(const struct source *source, const struct reader *reader);
enum { SOURCE_ROWS_PER_PROGRESS = 64 * 1024 }; /* a power of two */
/* Shows how far reading is, each time that so many more rows were read. */
static inline void source_progress(const struct source *source, uint64_t rows)
{
    assert(source->input && "a folder has no one input to tell the progress of");
    if ((rows & (SOURCE_ROWS_PER_PROGRESS - 1)) == 0 && source->progress)
        progress_update(source->progress, input_consumed(source->input));
}
/* A companion; NULL: the source has none in this role. */
const void *source_companion(const struct source *source, const char *role);
/* There is room for SOURCE_COMPANIONS. */
void source_add_companion(struct source *source, const char *role, const void *value);

/* For readers: a lost row. STATUS_OK, or STATUS_INPUT with file:line:column when the source is strict. */
NODISCARD status source_lose(struct source *source, struct feed *feed, const struct loss_reason *reason, uint64_t line,
                             uint64_t column);
/* The same for a reader that fills something else than a feed. */
NODISCARD status source_lose_row(struct source *source, struct losses *losses, const struct loss_reason *reason,
                                 uint64_t line, uint64_t column);
/* For readers of rows that stand alone: a compressed file that is cut off or damaged is used as far as it unpacks, with a note. Gives
 * what reading `input` gave otherwise, where the source is strict, or where no row came before. */
NODISCARD status source_use_part(struct source *source, const struct input *input, uint64_t rows, status code);
/* For readers that walk over their input more than once, after the first time: the same, of one that was read as far as it unpacks. */
NODISCARD status source_check_damage(struct source *source);
/* Why the row of a CSV file cannot be used as it stands; NULL: it can. */
const struct loss_reason *csv_row_loss(const struct csv *csv);

#endif
