/* advise.h: what the parts of tacho advise share: the options that serve every profile, and how a potential is shown.
 *
 * The verb finds out what its first input is and hands over to the part of that chain. A part reads the inputs and makes a potential, or
 * has a way of its own.
 */
#ifndef JOB_ADVISE_H
#define JOB_ADVISE_H

#include "analyze/potential.h"
#include "job/job.h"
#include "page/potential_files.h"

/* The settings of the verb: job->settings. */
struct advise_settings {
    const char *architecture;
    const char *csv;
    bool colour, no_colour;
    bool no_advice;
    bool rank;
};

/* What is worth doing first: so many rows. */
#define ADVISE_RANK_TITLE "What to do first"
enum { ADVISE_RANKED = 40 };

bool advise_is_file(const char *architecture); /* and not the name of one; NULL is neither */

/* The style of a block with --color and --no-color. */
struct printer_style advise_style(const struct advise_settings *settings, const struct printer_style *style);

/* The rank as a list for people, and as a table for machines. Takes the table over; NULL: out of memory. */
NODISCARD status advise_show_rank(struct job *job, struct table *table);

/* All of it: the CSV, the page, the rank, the text. Takes over what the potential owns, also after a failure; the texts of the title are
 * copied. */
NODISCARD status advise_show(struct job *job, struct potential *potential, const struct potential_title *title);

#endif
