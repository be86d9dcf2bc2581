/* public.h: what the public functions share: their words in ours, and the reverse.
 *
 * Nothing here owns anything; texts of options are borrowed for the call they came with.
 */
#ifndef JOB_PUBLIC_H
#define JOB_PUBLIC_H

#include <tacho/tacho.h>

#include "job/conversion.h"
#include "job/job.h"

_Static_assert((int)TACHO_OK == (int)STATUS_OK && (int)TACHO_NO == (int)STATUS_NO &&
                   (int)TACHO_USAGE == (int)STATUS_USAGE && (int)TACHO_INPUT == (int)STATUS_INPUT &&
                   (int)TACHO_OUTPUT == (int)STATUS_OUTPUT && (int)TACHO_MEMORY == (int)STATUS_MEMORY,
               "a status is handed out as it is");

static inline enum tacho_status to_public(status code)
{
    return (enum tacho_status)code;
}

/* Zero and NULL mean the default; texts are borrowed. STATUS_USAGE: no chain has an option of that name. */
NODISCARD status read_options_fill(struct session_options *own, const struct tacho_read_options *options);

struct arena;
/* Copies of all texts of both, for whoever reads later; `own` was filled from `options`. */
NODISCARD status read_options_keep(struct arena *texts, struct session_options *own,
                                   struct tacho_read_options *options);

struct conversion_options conversion_options_of(const struct tacho_writer_options *options);

/* The format of a trace, by option or suffix. */
NODISCARD status choose_format(const char *path, const struct tacho_writer_options *options,
                               const struct writer_format **format);

/* What a verb is asked; texts are borrowed until the job ends. */
struct question {
    const struct tacho_option *given; /* how inputs are read: for verbs that take these options */
    size_t given_count;               /* of given */
    const char *const *inputs;        /* paths */
    size_t input_count;               /* of inputs */
    const struct tacho_option *asked; /* options that the verb must know */
    size_t asked_count;               /* of asked */
};

/* Into a job that was started. STATUS_USAGE: an option that its verb does not take. */
NODISCARD status question_fill(const struct question *question, struct job *job);
/* Does it; as tacho_run. */
enum tacho_status question_run(const struct question *question, const char *verb, struct tacho_result **result);

/* What was written into an output in memory, as a text that the user frees. Takes the output over, with the status of writing. */
enum tacho_status hand_out_text(struct output *memory, status code, char **text);

/* Adds an input to the session; without a name it has that of its file. */
NODISCARD status open_input(struct session *session, const char *name, const char *path);

static inline void counts_add(struct tacho_row_counts *counts, const struct losses *losses)
{
    counts->read += losses->rows;
    counts->used += losses->used;
    counts->lost += losses->lost;
}

#endif
