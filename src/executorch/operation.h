/* operation.h: what operators of logs and nodes of graphs compute, where both can be told by their names.
 *
 * Static tables; nothing is owned.
 */
#ifndef EXECUTORCH_OPERATION_H
#define EXECUTORCH_OPERATION_H

#include "base/strings.h"

/* Kinds of which a backend runs as many as the graph has: it neither inserts them nor fuses them into others. */
enum firm_kind {
    FIRM_PRODUCT, /* convolutions and products of matrices */
    FIRM_SOFTMAX,
    FIRM_MAX_POOLING,
    FIRM_ADDITION,
    FIRM_KINDS, /* also: of none */
    FIRM_NONE = FIRM_KINDS,
    MAYBE_PRODUCT = FIRM_KINDS, /* of nodes: fused into a product, or made one */
    MAYBE_ADDITION,             /* of nodes: what they add is a part of a product, or an addition */
    MADE_KINDS
};

const char *firm_kind_name(enum firm_kind kind); /* "products" */

/* "Convolution (NHWC, F32) IGEMM" is a "Convolution". */
struct text operation_of_event(struct text type);
/* The operation that a kernel's name says: "add" of "native_call_add.out". */
struct text operation_of_kernel(struct text name);
/* Of kernels and nodes whose namespace is none of the runtime's: "llama::update_cache" of "native_call_llama::update_cache.out",
 * "llama.update_cache" of "llama.update_cache.default"; else empty. */
struct text operation_of_custom_kernel(struct text name);
struct text operation_of_custom_node(struct text type);

/* What backends and the lowering of a graph insert, or fuse into what comes before, as they like: the same model may be without. */
bool operation_is_inserted(struct text operation);
/* Operations that ExecuTorch's partitioner for XNNPACK has a rule for: of their own, or as a part of the product that they quantise. */
bool operation_is_partitioned(struct text operation);
bool operation_is_partitioned_with_product(struct text operation);

/* By the type of an operator that a backend logged. */
enum firm_kind firm_kind_of_event(struct text type);
/* Adds to each kind how many operators a node of this operation makes. */
void firm_kinds_of_node(struct text operation, uint32_t made[MADE_KINDS]);

#endif
