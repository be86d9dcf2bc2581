/* graph.c: the graph of a model while it is filled. */
#include "executorch/graph.h"

#include <assert.h>
#include <string.h>

void graph_start(struct graph *graph, struct strings *strings)
{
    *graph = (struct graph){ .strings = strings };
    column_start(&graph->nodes, sizeof(struct graph_node));
    column_start(&graph->delegates, sizeof(struct graph_delegate));
    column_start(&graph->handles, sizeof(struct graph_handle));
    column_start(&graph->calls, sizeof(struct graph_call));
    column_start(&graph->ids, sizeof(struct graph_id));
}

void graph_free(struct graph *graph)
{
    column_free(&graph->nodes);
    column_free(&graph->delegates);
    column_free(&graph->handles);
    column_free(&graph->calls);
    column_free(&graph->ids);
}

struct graph_node *graph_add_node(struct graph *graph)
{
    struct graph_node *node = graph->nodes.count < NO_ID ? column_append(&graph->nodes) : NULL;

    if (node)
        *node = (struct graph_node){ .debug_handle = -1, .delegate = NO_ID };
    return node;
}

struct graph_delegate *graph_add_delegate(struct graph *graph)
{
    struct graph_delegate *delegate = graph->delegates.count < NO_ID ? column_append(&graph->delegates) : NULL;

    if (delegate)
        *delegate = (struct graph_delegate){ .first_node = (uint32_t)graph->nodes.count, .outer_node = NO_ID };
    return delegate;
}

struct text graph_operation(struct text type)
{
    const char *dot = memchr(type.data, '.', type.length), *next;
    size_t left;

    if (!dot)
        return type;
    left = type.length - (size_t)(dot + 1 - type.data);
    next = memchr(dot + 1, '.', left);
    return (struct text){ dot + 1, next ? (size_t)(next - dot - 1) : left };
}

static const struct graph_call *call_at(const struct graph *graph, size_t index)
{
    return column_at(&graph->calls, index);
}

uint32_t graph_call_place(const struct graph *graph, int32_t instruction)
{
    size_t first = 0, end = graph->calls.count;

    while (first < end) {
        size_t middle = first + (end - first) / 2;
        const struct graph_call *call = call_at(graph, middle);

        assert(!middle || (call_at(graph, middle - 1)->instruction < call->instruction && "sorted, each once"));
        if (call->instruction == instruction)
            return (uint32_t)middle;
        if (call->instruction < instruction)
            first = middle + 1;
        else
            end = middle;
    }
    return NO_ID;
}

string_id graph_backend(const struct graph *graph, int32_t instruction)
{
    uint32_t place = graph_call_place(graph, instruction);

    return place == NO_ID ? 0 : call_at(graph, place)->backend;
}
