/* operators_tables.h: what operators cost, as tables: for the terminal, and one row per operator for files.
 *
 * Tables belong to the caller. Times are averages per inference; shares are of Method::execute.
 */
#ifndef EXECUTORCH_OPERATORS_TABLES_H
#define EXECUTORCH_OPERATORS_TABLES_H

#include "executorch/operators.h"
#include "table/field.h"

enum { OPERATORS_LONGEST = 5 }; /* operators to show where none takes much */

/* Two sides, operator by operator. */
struct operators_pair {
    const struct operators *first, *second; /* borrowed */
    const char *first_label, *second_label; /* for people */
    bool first_is_baseline;                 /* otherwise the second is */
    uint32_t *matches;   /* by operator of the first side: its counterpart in the second; NO_ID: none */
    uint32_t *backwards; /* by operator of the second side */
};

/* Fills the matches from the rest of the pair; they are the pair's until `operators_pair_free`. */
NODISCARD status operators_pair_match(struct operators_pair *pair);
void operators_pair_free(struct operators_pair *pair);

/* Of an operator of one side, in the other; NULL: none. */
const struct operator_sum *operators_counterpart(const struct operators_pair *pair, const struct operators *side,
                                                 uint32_t op);

/* baseline / candidate of a time of the first side and one of the second. */
double operators_pair_speedup(const struct operators_pair *pair, double first_ms, double second_ms);

NODISCARD status operators_category_table(const struct operators *side, struct table **table);
/* All operators by time, or only those over 5 %, or the longest where there are none. */
NODISCARD status operators_time_table(const struct operators *side, const struct kernel_log *log, bool all,
                                      struct table **table);
/* The same as a user asks for it; the views are "operators" and "map". */
NODISCARD status operators_view_table(const struct operators *side, const struct kernel_log *log,
                                      const struct view_request *request, struct table **table);
/* Delegated operators in execution order, with the kernel that ran and its shape; `request` may be NULL. */
NODISCARD status operators_kernel_table(const struct operators *side, const struct kernel_log *log,
                                        const struct view_request *request, struct table **table);
NODISCARD status operators_backend_table(const struct operators *side, struct table **table);
/* The parts that add up to Method::execute. */
NODISCARD status operators_account_table(const struct operators *side, struct table **table);

NODISCARD status operators_compare_table(const struct operators_pair *pair, struct table **table); /* by category */
/* Matched operators by the time of the first side; only those over 5 % of either side unless `all`, or the longest where there
 * are none. `request` may be NULL. */
NODISCARD status operators_match_table(const struct operators_pair *pair, bool all, const struct view_request *request,
                                       struct table **table);

/* One row per operator in execution order: where it comes from in the model, what ran, what it cost. */
NODISCARD status operators_map_table(const struct operators *side, const struct kernel_log *log, struct table **table);

#endif
