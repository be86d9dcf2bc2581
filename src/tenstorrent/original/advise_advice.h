/* advise_advice.h: what tt-perf-report says about an operation: whether its passes over the multiplier fit its types, what to try with a
 * product, what gaps cost. Plain structs; the advise is borrowed.
 */
#ifndef TENSTORRENT_ORIGINAL_ADVISE_ADVICE_H
#define TENSTORRENT_ORIGINAL_ADVISE_ADVICE_H

#include "tenstorrent/advise.h"

/* X(name): how the number of passes over the multiplier fits the types. */
#define FIDELITY_VERDICT_MAP(X)      \
    X(UNKNOWN)                       \
    X(NOT_APPLICABLE) /* integers */ \
    X(SUFFICIENT)                    \
    X(TOO_HIGH)                      \
    X(TOO_LOW)

enum fidelity_verdict {
#define X(name) VERDICT_##name,
    FIDELITY_VERDICT_MAP(X)
#undef X
};

struct fidelity_judgement {
    enum fidelity_verdict verdict; /* how it fits */
    const char *advice;            /* static text; "" for none */
    const char *type; /* a type that is not known: the advice is about it, and it stands before it; NULL: none */
};

/* Types as the report names them; 0 is no type. */
struct fidelity_judgement fidelity_judge(const struct strings *strings, string_id first, string_id second,
                                         string_id output, struct text fidelity);

enum { ADVICE_MOST = 6, ADVICE_LONGEST = 256 };

struct op_advice {
    unsigned count;                          /* of the items */
    char items[ADVICE_MOST][ADVICE_LONGEST]; /* a sentence each */
};

/* What to try with a matrix product; nothing: it is well. */
void advise_matmul(const struct advise *advise, const struct advise_op *op, struct op_advice *advice);

/* Time that the gaps over GAP_HIGH cost, in us. */
double advise_gap_cost(const struct advise *advise);

/* What to try with an operation, in one text; "": nothing. Returns `to`. */
const char *advise_advice_text(const struct advise *advise, const struct advise_op *op, char *to, size_t size);

#endif
