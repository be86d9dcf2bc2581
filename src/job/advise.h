/* advise.h: what the parts of `tacho advise` share: the settings of all of them, and how advice is handed to a job.
 *
 * A chain adds what it knows to do with its inputs as a struct verb_part of "advise": it reads them, lets its rules look (analyze/advice.h),
 * and hands on what they found. The core finds the part, hands it the first input open where the part says so, and shows the answer.
 * Texts of settings are borrowed; what a function takes over it frees, also where it fails.
 */
#ifndef JOB_ADVISE_H
#define JOB_ADVISE_H

#include "analyze/architectures.h"
#include "job/job.h"
#include "page/advice_files.h"

/* The settings of the verb: `job->settings`. */
struct advise_settings {
    const char *architecture;    /* a name, or a file of peaks; NULL: not given */
    const char *csv;             /* file for the operations; NULL: none */
    const char *output;          /* file for the document; NULL: none */
    bool colour;                 /* also where it is no terminal */
    bool no_colour;              /* never */
    bool no_advice;              /* the tables only */
    bool rank;                   /* only what is worth doing */
    bool rules;                  /* list the rules, and look at nothing */
    const struct reader *reader; /* of the first input; set before the part runs */
    struct input *first;   /* that input, open, for parts with PART_OPEN; NULL: to be opened; closed by the core */
    struct advised *taken; /* whoever wants the answer itself, and nothing shown: it is moved there; NULL: nobody */
};

static inline const struct advise_settings *advise_settings(const struct job *job)
{
    return job->settings;
}

/* The style of a terminal as --color and --no-color change it. */
struct printer_style advise_style_of(const struct advise_settings *settings, const struct printer_style *style);

/* Whether --arch names a file, and not an architecture. */
bool advise_is_file(const char *architecture);
/* The first entry of the user's file, for parts that have no architectures of their own; NULL in `*peaks`: no file was given. The
 * caller frees the architectures, also after a failure. */
NODISCARD status advise_load_peaks(const struct job *job, struct architectures *architectures,
                                   const struct architecture **peaks);

/* Writes the document to the file of -o. Takes it over; NULL: out of memory. */
NODISCARD status advise_write_document(const struct job *job, struct document *document);
/* A view that the user asked for, as a product or in the file of -o. Takes the table over; NULL: the status says why. */
NODISCARD status advise_add_view(struct job *job, struct table *table);

/* The answer of a part, as the settings want it: file, page, view of the operations, list, text, JSON. Takes it over. */
NODISCARD status advise_take(struct job *job, struct advised *advised);
/* The answer of a part that shows its work in its own way: the list for people, and JSON; or whoever wants it gets it. Takes it over. */
NODISCARD status advise_show(struct job *job, struct advised *advised);

/* A table that only whoever asks for it by its name gets: what blocks say, for programs. Takes it over; NULL: out of memory. */
NODISCARD status advise_add_table(struct job *job, struct table *table);

/* A block that colours itself as `advise_style_of` says, and keeps names clean. */
NODISCARD status advise_block(struct job *job, const char *name, product_write write, void *data);

/* Asks for advice on inputs from another verb; the caller's then. Notes about the inputs stay in `question`, which the caller frees, also after
 * a failure. */
NODISCARD status advise_ask(const struct job *job, const struct texts *inputs, const char *architecture,
                            struct job *question, struct advised *advised);

/* The answer for an input that no part is about: what dominates, and what its time is made of. */
NODISCARD status advise_generally(struct job *job);

extern const struct verb advise_verb;

#endif
