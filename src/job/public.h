/* public.h: what the public functions share: their words in ours, and the reverse.
 *
 * Nothing here owns anything; texts of options are borrowed for the call they came with.
 */
#ifndef JOB_PUBLIC_H
#define JOB_PUBLIC_H

#include <stdio.h>
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

/* Zero and NULL mean the default. The texts are borrowed, one of them from the struct itself, which must not move. */
struct read_options {
    struct session_options session;
    char slices[16]; /* the number as a text */
};

static inline void read_options_fill(struct read_options *to, const struct tacho_read_options *options)
{
    struct session_options *own = &to->session;

    *to = (struct read_options){ .slices = "" };
    if (!options)
        return;
    own->format = options->format;
    settings_set(&own->settings, "mlir", options->mlir);
    settings_set(&own->settings, "original-mlir", options->original_mlir);
    settings_set(&own->settings, "source-dir", options->source_dir);
    settings_set(&own->settings, "dispatch", options->dispatch);
    own->strict = options->strict;
    own->clock_mhz = options->clock_mhz;
    snprintf(to->slices, sizeof to->slices, "%u", options->num_slices);
    settings_set(&own->settings, "slices", options->num_slices ? to->slices : NULL);
}

struct conversion_options conversion_options_of(const struct tacho_writer_options *options);

/* The format of a trace, by option or suffix. */
NODISCARD status choose_format(const char *path, const struct tacho_writer_options *options,
                               const struct writer_format **format);

/* Adds an input to the session; without a name it has that of its file. */
NODISCARD status open_input(struct session *session, const char *name, const char *path);

static inline void counts_add(struct tacho_row_counts *counts, const struct losses *losses)
{
    counts->read += losses->rows;
    counts->used += losses->used;
    counts->lost += losses->lost;
}

#endif
