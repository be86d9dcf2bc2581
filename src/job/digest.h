/* digest.h: a profile that was read, as tables: its metrics, its losses, its slices.
 *
 * The caller frees the tables.
 */
#ifndef JOB_DIGEST_H
#define JOB_DIGEST_H

#include "job/session.h"
#include "table/field.h"
#include "trace/store.h"

/* A row per metric that can be computed or that the input tells by itself: key, label, time, percent, description. */
NODISCARD status digest_overview(const struct profile *profile, const struct metrics *metrics,
                                 const struct view_request *request, struct table **table);
/* A row per reason for which rows were lost or marked. */
NODISCARD status digest_losses(const struct losses *losses, struct table **table);
/* A row per slice, with a column for each argument that any of them has. */
NODISCARD status digest_slices(const struct store *store, const struct strings *strings, struct table **table);

#endif
