/* record_check.c: calls and kinds of operators of an execution held against a record. */
#include "executorch/record_check.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "executorch/graph_join.h"
#include "executorch/operation.h"

struct checking {
    const struct execution *execution; /* borrowed */
    const struct graph *graph;         /* borrowed */
    char *sentence;                    /* RECORD_SENTENCE: what differs */
    uint32_t (*logged)[FIRM_KINDS];    /* by call: operators inside it of each firm kind; owned */
    uint32_t *inside;                  /* by call: operators inside it; owned */
    uint32_t (*made)[MADE_KINDS];      /* by delegate: how many its graph makes; owned */
    bool outer_products;               /* the outer graph has a product */
};

static struct text text_of_execution(const struct checking *checking, string_id id)
{
    return strings_get(checking->execution->strings, id);
}

/* ---- Counting ---- */

static void count_logged(struct checking *checking)
{
    for (uint32_t i = 0; i < checking->execution->operators.count; i++) {
        const struct execution_operator *op = execution_operator_at(checking->execution, i);
        enum firm_kind kind;

        if (op->kind != EVENT_DELEGATED || op->call == NO_ID)
            continue;
        checking->inside[op->call]++;
        kind = firm_kind_of_event(text_of_execution(checking, op->type));
        if (kind != FIRM_NONE)
            checking->logged[op->call][kind]++;
    }
}

static void count_made(struct checking *checking)
{
    const struct graph *graph = checking->graph;

    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const struct graph_node *node = graph_node(graph, i);
        struct text operation = graph_operation(strings_get(graph->strings, node->type));
        uint32_t made[MADE_KINDS] = { 0 };

        firm_kinds_of_node(operation, made);
        if (node->delegate == NO_ID)
            checking->outer_products |= made[FIRM_PRODUCT] > 0;
        for (unsigned k = 0; k < MADE_KINDS && node->delegate < graph->delegates.count; k++)
            checking->made[node->delegate][k] += made[k];
    }
}

/* ---- Comparing ---- */

static bool is_call(const struct checking *checking, const struct execution_operator *op, const char *type)
{
    return op->kind == EVENT_CALL && text_is(text_of_execution(checking, op->type), type);
}

/* Instructions of the main chain can be compared, where both sides number them. */
static bool is_numbered(const struct checking *checking, const struct execution_operator *op)
{
    return op->instruction >= 0 && op->chain <= 0 && checking->graph->calls.count > 0;
}

static bool check_instruction(struct checking *checking, const struct execution_operator *op)
{
    bool delegates = is_call(checking, op, "DELEGATE_CALL");
    bool recorded;

    if (delegates && checking->graph->nodes.count && !checking->graph->delegates.count &&
        !checking->graph->calls.count) {
        snprintf(checking->sentence, RECORD_SENTENCE, "instruction %d calls a delegate, and the record has none",
                 op->instruction);
        return false;
    }
    if (!is_numbered(checking, op) || (!delegates && !is_call(checking, op, "OPERATOR_CALL")))
        return true;
    recorded = graph_call_place(checking->graph, op->instruction) != NO_ID;
    if (recorded == delegates)
        return true;
    snprintf(checking->sentence, RECORD_SENTENCE, "instruction %d calls a %s in the file and a %s in the record",
             op->instruction, delegates ? "delegate" : "kernel", recorded ? "delegate" : "kernel");
    return false;
}

/* The first operator of a kind inside a call, by name. */
static struct text first_of_kind(const struct checking *checking, uint32_t call, enum firm_kind kind)
{
    for (uint32_t i = 0; i < checking->execution->operators.count; i++) {
        const struct execution_operator *op = execution_operator_at(checking->execution, i);

        if (op->kind == EVENT_DELEGATED && op->call == call &&
            firm_kind_of_event(text_of_execution(checking, op->type)) == kind)
            return text_of_execution(checking, op->name);
    }
    return (struct text){ "", 0 };
}

static bool check_delegate(struct checking *checking, uint32_t call)
{
    uint32_t delegate = graph_join_delegate(checking->execution, checking->graph, call);

    /* A backend that logs nothing, or a record without the graph of the delegate, cannot be compared. */
    if (delegate == NO_ID || !checking->inside[call] || !graph_delegate(checking->graph, delegate)->node_count)
        return true;
    for (unsigned kind = 0; kind < FIRM_KINDS; kind++) {
        uint32_t logged = checking->logged[call][kind], made = checking->made[delegate][kind];
        uint32_t most = made + (kind == FIRM_PRODUCT    ? checking->made[delegate][MAYBE_PRODUCT]
                                : kind == FIRM_ADDITION ? checking->made[delegate][MAYBE_ADDITION]
                                                        : 0);
        struct text name;

        if (logged >= made && logged <= most)
            continue;
        name = first_of_kind(checking, call, kind);
        snprintf(checking->sentence, RECORD_SENTENCE,
                 "delegate %u ran %u %s%s%.*s%s and was made from %u in the record", delegate, logged,
                 firm_kind_name(kind), name.length ? " (the first is " : "", (int)name.length, name.data,
                 name.length ? ")" : "", made);
        return false;
    }
    return true;
}

static bool check_kernel(struct checking *checking, const struct execution_operator *op)
{
    uint32_t made[MADE_KINDS] = { 0 };
    struct text name = text_of_execution(checking, op->type);

    if (op->kind != EVENT_PORTABLE || op->chain > 0 || !checking->graph->nodes.count || checking->outer_products)
        return true;
    firm_kinds_of_node(operation_of_kernel(name), made);
    if (!made[FIRM_PRODUCT])
        return true;
    snprintf(checking->sentence, RECORD_SENTENCE, "%.*s ran outside of delegates, where the record has no product",
             (int)name.length, name.data);
    return false;
}

static void compare(struct checking *checking)
{
    const struct execution *execution = checking->execution;
    bool agrees = true;

    for (uint32_t i = 0; i < execution->operators.count && agrees; i++) {
        const struct execution_operator *op = execution_operator_at(execution, i);

        agrees = check_instruction(checking, op) && check_kernel(checking, op);
        if (agrees && is_call(checking, op, "DELEGATE_CALL"))
            agrees = check_delegate(checking, i);
    }
    assert(agrees == (checking->sentence[0] == '\0'));
}

status record_check(const struct execution *execution, const struct graph *graph, char sentence[RECORD_SENTENCE])
{
    size_t operators = execution->operators.count, delegates = graph->delegates.count;
    struct checking checking = {
        .execution = execution,
        .graph = graph,
        .sentence = sentence,
        .logged = memory_allocate_clear((operators + 1) * sizeof *checking.logged),
        .inside = memory_allocate_clear((operators + 1) * sizeof *checking.inside),
        .made = memory_allocate_clear((delegates + 1) * sizeof *checking.made),
    };
    bool complete = checking.logged && checking.inside && checking.made;

    sentence[0] = '\0';
    if (complete) {
        count_logged(&checking);
        count_made(&checking);
        compare(&checking);
    }
    memory_free(checking.logged);
    memory_free(checking.inside);
    memory_free(checking.made);
    return complete ? STATUS_OK : status_no_memory("comparing a record");
}

static const char *file_of(const struct graph *graph)
{
    return graph->file ? strings_text(graph->strings, graph->file) : "the ETRecord";
}

status record_refuse(const struct graph *graph, const char *path, const char *sentence)
{
    return status_fail_at(STATUS_INPUT, (struct place){ path, 0, 0 },
                          "%s is not its record: %s; --force-companion uses it all the same", file_of(graph), sentence);
}

status record_leave_out(const struct graph *graph, const char *sentence, const char **note)
{
    string_id id;
    status code = strings_add_format(graph->strings, &id,
                                     "%s is left out, it is the record of another model: %s; --force-companion uses it",
                                     file_of(graph), sentence);

    if (code == STATUS_OK)
        *note = strings_text(graph->strings, id);
    return code;
}
