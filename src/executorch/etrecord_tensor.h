/* etrecord_tensor.h: the tensors of an exported graph, and what follows from them: shapes, types, work and traffic of each node.
 *
 * Nodes name their tensors before the graph describes them, so uses are noted on the way and settled at the end. The table owns
 * all that it holds; names are compared as they stand in the JSON.
 */
#ifndef EXECUTORCH_ETRECORD_TENSOR_H
#define EXECUTORCH_ETRECORD_TENSOR_H

#include "base/column.h"
#include "base/json.h"
#include "executorch/graph.h"

struct tensors {
    struct strings *names; /* own pool: ids are indices of `list` */
    struct column list;    /* struct tensor (private) */
    struct column sizes;   /* int64_t; -1: symbolic */
    struct column uses;    /* struct tensor_use, by node */
};

/* One tensor argument of a node. */
struct tensor_use {
    uint32_t node;     /* of the graph */
    uint32_t tensor;   /* index */
    uint32_t position; /* of the argument among the node's inputs or outputs */
    bool output;       /* it is written; else it is read */
    bool transposed;   /* the node is a transposed convolution */
};

NODISCARD status tensors_start(struct tensors *tensors);
void tensors_free(struct tensors *tensors);

/* `node` reads or writes the tensor of this name. */
NODISCARD status tensors_add_use(struct tensors *tensors, uint32_t node, struct text name, uint32_t position,
                                 bool output);
/* The last node that was given uses is a transposed convolution. */
void tensors_mark_transposed(struct tensors *tensors, uint32_t node);
/* Takes the object `tensor_values`. */
NODISCARD status tensors_read(struct tensors *tensors, struct json_scan *scan);
/* Fills shape, inputs, dtype, macs and bytes of all nodes that have uses. */
NODISCARD status tensors_settle(struct tensors *tensors, struct graph *graph);

#endif
