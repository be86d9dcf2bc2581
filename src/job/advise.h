/* advise.h: what the parts of `tacho advise` share: the settings of all of them, and how advice is handed to a job.
 *
 * A chain adds what it knows to do with its inputs as a struct verb_part of "advise". The core finds the part, and hands it the first
 * input open where the part says so. Texts of settings are borrowed; what a function takes over it frees, also where it fails.
 */
#ifndef JOB_ADVISE_H
#define JOB_ADVISE_H

#include "analyze/architectures.h"
#include "job/job.h"
#include "page/potential_files.h"

/* The settings of the verb: `job->settings`. */
struct advise_settings {
    const char *architecture;    /* a name, or a file of peaks; NULL: not given */
    const char *csv;             /* file for the operations; NULL: none */
    const char *output;          /* file for the document; NULL: none */
    bool colour;                 /* also where it is no terminal */
    bool no_colour;              /* never */
    bool no_advice;              /* the table only */
    bool rank;                   /* only what is worth doing */
    const struct reader *reader; /* of the first input; set before the part runs */
    struct input *first; /* that input, open, for parts with PART_OPEN; NULL: to be opened; closed by the core */
};

static inline const struct advise_settings *advise_settings(const struct job *job)
{
    return job->settings;
}

/* What is worth doing first: so many rows. */
#define ADVISE_RANK_TITLE "What to do first"
enum { ADVISE_RANKED = 40 };

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
/* What to do first, as lines and as JSON. Takes the table over; NULL: out of memory. */
NODISCARD status advise_add_rank(struct job *job, struct table *table);
/* A potential as the settings want it: file, page, rank, text, JSON. Takes it over; texts of the title are copied. */
NODISCARD status advise_add_potential(struct job *job, struct potential *potential,
                                      const struct potential_title *title);

extern const struct verb advise_verb;

#endif
