/* graph.h: the graph of an exported model: what each operator is, where its source is, how much work it does.
 *
 * A reader of ETRecords fills a graph; `graph_join.h` ties the operators of an execution to its nodes.
 *
 *   outer graph:    node  node  delegate 0  node  delegate 1 ...      in execution order
 *   delegate k:     node  node  node                                 the graph it was made from
 *
 * The graph owns its columns; texts are ids in the borrowed pool. Read only once it is filled.
 */
#ifndef EXECUTORCH_GRAPH_H
#define EXECUTORCH_GRAPH_H

#include "base/column.h"
#include "base/status.h"
#include "trace/model.h"

struct graph_node {
    string_id name;         /* aten_linear_default */
    string_id type;         /* aten.linear.default */
    string_id module;       /* features.3.body.0.0; 0: the model itself */
    string_id module_class; /* torch.nn.modules.linear.Linear; 0: none */
    string_id file;         /* models.py; 0: not known */
    uint32_t line;          /* 0: not known */
    string_id source;       /* text of that line; 0: none */
    string_id shape;        /* of the first output: "1x32x112x112"; 0: not known */
    string_id inputs;       /* shapes of the tensor inputs: "1x3x224x224, 32x3x3x3"; 0: not known */
    string_id dtype;        /* of the first output: f32, f16, bf16, i8, u8, i32, i64, bool, f64; 0: not known */
    uint64_t macs;          /* multiply-accumulates; 0: none or not known */
    uint64_t bytes;         /* of all tensors it reads and writes, weights included; 0: not known */
    int64_t debug_handle;   /* -1: none */
    uint32_t delegate;      /* that holds it; NO_ID: the outer graph */
};

struct graph_delegate {
    string_id backend;               /* XnnpackBackend */
    uint32_t first_node, node_count; /* in execution order */
    uint32_t outer_node;             /* the call in the outer graph */
};

/* An instruction of the program and a debug handle that belongs to it; instructions with several have several entries. */
struct graph_handle {
    int32_t instruction; /* of the program */
    int64_t handle;      /* debug handle */
};

/* What the record says about a delegate instruction. */
struct graph_call {
    int32_t instruction; /* of the program */
    string_id backend;   /* that is called */
};

/* An id that a backend gave to an operator of its own, and a debug handle of a node that the operator was made from. */
struct graph_id {
    int32_t instruction; /* that calls the backend */
    string_id id;        /* as the backend prints it */
    int64_t handle;      /* debug handle */
};

struct graph {
    struct strings *strings; /* borrowed */
    struct column nodes; /* struct graph_node: outer ones and those of each delegate, each group in execution order */
    struct column delegates; /* struct graph_delegate, in execution order */
    struct column handles;   /* struct graph_handle, sorted by instruction */
    struct column calls;     /* struct graph_call, sorted by instruction: instructions that call a delegate */
    struct column ids;       /* struct graph_id, sorted by instruction: empty where backends name nothing */
    string_id method;        /* "forward" */
    string_id file;          /* that it was read from; 0: not known */
};

void graph_start(struct graph *graph, struct strings *strings);
void graph_free(struct graph *graph);
struct graph_node *graph_add_node(struct graph *graph);         /* cleared to "nothing known"; NULL: out of memory */
struct graph_delegate *graph_add_delegate(struct graph *graph); /* the same */

static inline const struct graph_node *graph_node(const struct graph *graph, uint32_t index)
{
    return column_at(&graph->nodes, index);
}
static inline const struct graph_delegate *graph_delegate(const struct graph *graph, uint32_t index)
{
    return column_at(&graph->delegates, index);
}

/* The operation in the type of a node: "linear" of "aten.linear.default". */
struct text graph_operation(struct text type);

/* The place of an instruction among those that call delegates; NO_ID: it calls none. */
uint32_t graph_call_place(const struct graph *graph, int32_t instruction);
/* The backend of a delegate instruction; 0: not known. */
string_id graph_backend(const struct graph *graph, int32_t instruction);

#endif
