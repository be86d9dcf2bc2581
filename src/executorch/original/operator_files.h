/* operator_files.h: what operators cost, as files: the CSV files of the original operator analysis, and operator_analysis.json.
 *
 * The CSV files have the original's columns, order and names of categories (CONV, GEMM, POOL, ...), and like it one row per
 * *name*: "X #3" of several delegates is one row. The JSON has one entry per operator. Nothing is owned; files are whole or not
 * there.
 */
#ifndef EXECUTORCH_ORIGINAL_OPERATOR_FILES_H
#define EXECUTORCH_ORIGINAL_OPERATOR_FILES_H

#include "base/output.h"
#include "executorch/operators_tables.h"

/* A side with what names it. */
struct operators_document {
    const struct operators *side; /* borrowed */
    const char *model;            /* in file names */
    const char *label;            /* "SME2-On"; NULL: none */
    const char *const *paths;     /* of its launches */
    size_t path_count;            /* of paths */
    const struct kernel_log *log; /* NULL: none */
};

/* The original's word for a kind: "CONV". */
const char *operator_files_category(enum operator_kind kind);

/* MODEL_category_summary.csv, MODEL_operator_details.csv, MODEL_e2e_latency.csv and, where there are such operators,
 * MODEL_other_top_ops.csv in `folder`. */
NODISCARD status operator_files_write(const struct operators_document *document, const char *folder);

/* MODEL_comparison.csv; the first side comes first in it, and speedup is baseline / candidate. */
NODISCARD status operator_files_compare(const struct operators_pair *pair, const char *model, const char *folder);

/* operator_analysis.json. `second` and `pair` are NULL without a comparison. */
void operator_json_write(struct output *output, const struct operators_document *first,
                         const struct operators_document *second, const struct operators_pair *pair);

#endif
