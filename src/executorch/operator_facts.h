/* operator_facts.h: what the data say about an operator besides its time, and operators that have something in common.
 *
 * Texts are parts of the side's pool; groups own their arrays until `operator_groups_free`.
 */
#ifndef EXECUTORCH_OPERATOR_FACTS_H
#define EXECUTORCH_OPERATOR_FACTS_H

#include "executorch/operators.h"

/* What a person calls it: "cumsum" of a kernel outside of delegates, "llama::update_cache" where its namespace is none of the runtime's;
 * the type of a delegated one. */
struct text operator_operation(const struct operators *side, const struct operator_sum *sum);
/* The operation of its node: "linear"; empty: not known. */
struct text operator_node_operation(const struct operators *side, const struct operator_sum *sum);
/* What they do, each once: "cumsum, gt, where, topk and 3 more". */
enum { OPERATOR_LIST = 512 };
void operator_list(const struct operators *side, const uint32_t *members, size_t count, char to[OPERATOR_LIST]);
/* "models.py:56" or "models.py"; empty: not known. */
void operator_source(const struct operators *side, const struct graph_node *node, char *to, size_t size);
/* The backend that it is delegated to; NULL: the data do not name it. */
const char *operator_backend(const struct operators *side, const struct operator_sum *sum);

/* A kernel outside of delegates that does not come with the runtime: how fast it could be is not known. */
bool operator_is_custom(const struct operators *side, const struct operator_sum *sum);
bool operator_is_depthwise(const struct operators *side, const struct operator_sum *sum);
/* It only moves or converts data, and the backend or the export put it there. */
bool operator_is_inserted_move(const struct operators *side, const struct operator_sum *sum);
/* Its bytes and its multiply-accumulates are all of its work: no exponentials, no divisions that nobody counts. */
bool operator_is_counted(const struct operators *side, const struct operator_sum *sum);
/* Rows of a matrix product: from the kernel log, else from the shape; 0: not known. */
uint64_t operator_rows(const struct operators *side, const struct operator_sum *sum);

/* ---- Groups ---- */

/* Operators that have something in common, the longest first. */
struct operator_cluster {
    struct text key;         /* what they have in common */
    const uint32_t *members; /* operators, in `members` of the groups */
    size_t count;            /* of members */
    int64_t total;           /* ticks */
};

struct operator_groups {
    struct operator_cluster *items; /* the longest first */
    size_t count;                   /* of items */
    uint32_t *members;              /* of all items, one behind the other; owned */
};

/* The operators of `order` for which `chosen` holds, by `key`. Free the groups also after a failure. */
NODISCARD status operator_groups_make(const struct operators *side, const uint32_t *order, size_t count,
                                      bool (*chosen)(const void *context, uint32_t op),
                                      struct text (*key)(const void *context, uint32_t op), const void *context,
                                      struct operator_groups *groups);
void operator_groups_free(struct operator_groups *groups);

#endif
