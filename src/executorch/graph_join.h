/* graph_join.h: where the operators of an execution meet the nodes of the graph.
 *
 * A portable operator is tied by its instruction and debug handle. Operators inside a delegate are tied by kind and order: inside
 * one delegate, operators of one kind appear in graph order; where the counts of a kind are equal they are matched in order,
 * otherwise they stay without a node, and the result says so. Fused nodes have no event, inserted operators (layout
 * transposes, converts, static reshapes) no node.
 */
#ifndef EXECUTORCH_GRAPH_JOIN_H
#define EXECUTORCH_GRAPH_JOIN_H

#include "executorch/execution.h"
#include "executorch/graph.h"

struct graph_join {
    uint32_t recorded; /* operators tied by what the record says */
    uint32_t inferred; /* by kind and order */
    uint32_t left_out; /* operators whose kind has nodes, but not as many: not tied */
    uint32_t inserted; /* operators that no node can have */
};

/* Fills `node`, `join` and, where the record knows it, `backend` of the operators. `execution` is settled. Also sets
 * `graph_delegate` order: the k-th delegate instruction in program order is delegate k. */
NODISCARD status graph_join(struct execution *execution, const struct graph *graph, struct graph_join *result);

/* The delegate that a CALL operator calls: its place among the delegate calls, by instruction; NO_ID: none. */
uint32_t graph_join_delegate(const struct execution *execution, const struct graph *graph, uint32_t call);

#endif
