/* category.h: what an operator does, by its name: one table for all commands.
 *
 * The five categories are those of the report; the kinds below them are finer. Names come in three spellings: XNNPACK's
 * ("Fully Connected (NC, F32) GEMM #3"), the runtime's ("native_call_add.out") and the graph's ("aten.convolution.default").
 *
 * A name is split into words: lower case, and `_ : / - . ( ) , #` and quotes count as blanks. Words match whole: "convert" is no
 * "conv".
 *
 * Users add rules in a file, which are tried before the table, the first that fits wins: one per line, `PATTERN = KIND`, where
 * PATTERN is words that stand side by side in the name (`*` stands for any words, or none, between two of them) and KIND one of
 * the keys below; `#` begins a comment.
 */
#ifndef EXECUTORCH_CATEGORY_H
#define EXECUTORCH_CATEGORY_H

#include "base/input.h"
#include "base/status.h"
#include "base/strings.h"

/* X(name, key, title) */
#define CATEGORY_MAP(X)                                \
    X(GEMM, "gemm", "GEMM")                            \
    X(CONVOLUTION, "convolution", "Convolution")       \
    X(DATA_MOVEMENT, "data_movement", "Data Movement") \
    X(ELEMENTWISE, "elementwise", "Elementwise")       \
    X(OTHER, "other", "Other")

enum category {
#define X(name, key, title) CATEGORY_##name,
    CATEGORY_MAP(X)
#undef X
        CATEGORY_COUNT
};

/* X(name, key, title, category) */
#define OPERATOR_KIND_MAP(X)                                                      \
    X(MATRIX, "matrix", "Matrix multiply", GEMM)                                  \
    X(CONVOLUTION, "convolution", "Convolution", CONVOLUTION)                     \
    X(LAYOUT, "layout", "Layout and copies", DATA_MOVEMENT)                       \
    X(RESHAPE, "reshape", "Reshape", DATA_MOVEMENT)                               \
    X(QUANTISATION, "quantisation", "Quantisation and conversion", DATA_MOVEMENT) \
    X(ARITHMETIC, "arithmetic", "Arithmetic", ELEMENTWISE)                        \
    X(ACTIVATION, "activation", "Activation", ELEMENTWISE)                        \
    X(POOLING, "pooling", "Pooling", OTHER)                                       \
    X(NORMALISATION, "normalisation", "Normalisation", OTHER)                     \
    X(ATTENTION, "attention", "Attention", OTHER)                                 \
    X(REDUCTION, "reduction", "Reduction", OTHER)                                 \
    X(RESIZE, "resize", "Resize", OTHER)                                          \
    X(EMBEDDING, "embedding", "Embedding", OTHER)                                 \
    X(RECURRENT, "recurrent", "Recurrent", OTHER)                                 \
    X(OTHER, "other", "Other", OTHER)

enum operator_kind {
#define X(name, key, title, category) OPERATOR_KIND_##name,
    OPERATOR_KIND_MAP(X)
#undef X
        OPERATOR_KIND_COUNT
};

const char *category_key(enum category category);
const char *category_title(enum category category);
const char *operator_kind_key(enum operator_kind kind);
const char *operator_kind_title(enum operator_kind kind);
enum category operator_kind_category(enum operator_kind kind);

struct category_rules; /* a user's */

NODISCARD status category_rules_read(struct input *input,
                                     struct category_rules **rules); /* bad lines: STATUS_INPUT with place */
void category_rules_free(struct category_rules *rules);              /* NULL is fine */
/* Those of a file; none where `path` is NULL. */
NODISCARD status category_rules_given(const char *path, struct category_rules **rules);

/* `rules` NULL: only the table. */
enum operator_kind operator_kind_of(const struct category_rules *rules, struct text name);

static inline enum category category_of(const struct category_rules *rules, struct text name)
{
    return operator_kind_category(operator_kind_of(rules, name));
}

#endif
