/* companions.h: what belongs to Torq's profiles: the program that was compiled, the source of the model, an estimate.
 *
 * All are loaded once for a session, which owns them; sources have them by role ("program", "origin", "estimate").
 */
#ifndef TORQ_COMPANIONS_H
#define TORQ_COMPANIONS_H

#include "read/chain.h"
#include "torq/estimate.h"
#include "torq/origin.h"
#include "torq/program.h"

extern const struct companion torq_program_companion; /* struct program, by --mlir */
extern const struct companion torq_origin_companion;  /* struct origin, by --original-mlir and --source-dir */
extern const struct tie torq_estimate_tie;            /* struct estimate, of a timeline or of the program */

extern const struct chain_option torq_options[];
NODISCARD status torq_check_options(const struct settings *settings);

/* NULL: the source has none. */
const struct program *torq_program(const struct source *source);
struct origin *torq_origin(const struct source *source);
const struct estimate *torq_estimate(const struct source *source);
/* The cycle clock of the source: the user's, or the usual one. */
struct clock torq_cycles(const struct source *source);
/* The same with its name in a pool. */
NODISCARD status torq_clock(const struct source *source, struct strings *strings, struct clock *clock);
/* --slices, or the usual number. */
uint32_t torq_slices(const struct source *source);

#endif
