/* fuzz_etrecord.c: the reader of ETRecords and the join. An archive goes through the reader; anything else is taken as the
 * program inside one, because few changes to an archive leave it whole. */
#include "check_sink.h"

#include <string.h>

#include "executorch/chain.h"
#include "executorch/etrecord_graph.h"
#include "executorch/graph_join.h"
#include "read/reader.h"

enum { LARGEST = 256 * 1024 };

static status read_input(struct graph *graph, const uint8_t *data, size_t size)
{
    struct source source = { .path = "fuzz.etrecord" };
    status done;

    if (size < 2 || memcmp(data, "PK", 2) != 0)
        return etrecord_read_program(graph, "fuzz.etrecord", (struct text){ (const char *)data, size });
    done = input_open_memory("fuzz.etrecord", data, size, &source.input);
    if (done == STATUS_OK)
        done = executorch_calls(&etrecord_reader)->graph(&source, graph);
    input_close(source.input);
    return done;
}

static void check_graph(const struct graph *graph)
{
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const struct graph_node *node = graph_node(graph, i);

        check_that(node->delegate == NO_ID || node->delegate < graph->delegates.count, "a node's delegate is there");
        check_that(node->delegate == NO_ID || (i >= graph_delegate(graph, node->delegate)->first_node &&
                                               i - graph_delegate(graph, node->delegate)->first_node <
                                                   graph_delegate(graph, node->delegate)->node_count),
                   "a delegate's nodes stand together");
    }
    for (uint32_t i = 0; i < graph->delegates.count; i++)
        check_that(graph_delegate(graph, i)->outer_node < graph->nodes.count, "a delegate is called by a node");
}

static bool add_event(struct execution *execution, const char *name, enum event_kind kind, int32_t instruction,
                      int64_t start, int64_t duration)
{
    struct execution_operator key = execution_key(0, 0, kind);
    uint32_t op, event;

    key.chain = 0;
    key.instruction = instruction;
    return strings_add_text(execution->strings, name, &key.name) == STATUS_OK &&
           execution_operator(execution, &key, &op) == STATUS_OK &&
           execution_add_event(execution, op, 0, start, duration, &event) == STATUS_OK;
}

/* A delegate call and a kernel, which meet whatever the graph holds. */
static void check_join(const struct graph *graph)
{
    struct execution execution;
    struct graph_join result;
    uint32_t run;

    execution_start(&execution, graph->strings);
    if (execution_add_run(&execution, 0, -1, &run) == STATUS_OK &&
        add_event(&execution, "Fully Connected (NC, F32) GEMM #1", EVENT_DELEGATED, 1, 1, 2) &&
        add_event(&execution, "Add (ND) #1", EVENT_DELEGATED, 1, 3, 2) &&
        add_event(&execution, "DELEGATE_CALL", EVENT_CALL, 1, 0, 8) &&
        add_event(&execution, "native_call_add.out", EVENT_PORTABLE, 0, 10, 2) &&
        add_event(&execution, "OPERATOR_CALL", EVENT_CALL, 0, 9, 4) &&
        add_event(&execution, "Method::execute", EVENT_EXECUTE, 0, 0, 20) &&
        execution_settle(&execution) == STATUS_OK && graph_join(&execution, graph, &result) == STATUS_OK) {
        check_that(result.recorded + result.inferred + result.left_out + result.inserted <= 3,
                   "an operator is counted once");
        for (uint32_t i = 0; i < execution.operators.count; i++)
            check_that(execution_operator_at(&execution, i)->node == NO_ID ||
                           execution_operator_at(&execution, i)->node < graph->nodes.count,
                       "a node that was joined is there");
    }
    execution_free(&execution);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct strings *strings;
    struct graph graph;

    if (size > LARGEST || !(strings = model_strings()))
        return -1;
    graph_start(&graph, strings);
    if (read_input(&graph, data, size) == STATUS_OK) {
        check_graph(&graph);
        check_join(&graph);
    }
    graph_free(&graph);
    strings_free(strings);
    return 0;
}
