/* graph_join.c: operators of an execution tied to nodes of the graph: by record first, by kind and order second. */
#include "executorch/graph_join.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/number.h"
#include "executorch/operation.h"

/* Names of operators that backends log, and the operations of the graph that they are made from. Where a node has its own event,
 * it is one of these; activations are often fused into what comes before, and then the counts differ. Layout transposes,
 * converts, copies and reshapes are inserted by the backend as it likes: they stand in no row. */
static const struct pairing {
    const char *events[6];
    const char *nodes[10];
} pairings[] = {
    { { "Fully Connected", "Dynamic Fully Connected", "Convolution", "Deconvolution" },
      { "linear", "addmm", "mm", "convolution", "conv1d", "conv2d", "conv_transpose1d", "conv_transpose2d" } },
    { { "Batch Matrix Multiply" }, { "bmm", "baddbmm" } },
    { { "Add" }, { "add" } },
    { { "Subtract" }, { "sub", "rsub" } },
    { { "Multiply" }, { "mul" } },
    { { "Divide" }, { "div" } },
    { { "Maximum" }, { "maximum" } },
    { { "Minimum" }, { "minimum" } },
    { { "Squared Difference" }, { "squared_difference" } },
    { { "Power" }, { "pow" } },
    { { "Softmax" }, { "_softmax", "softmax" } },
    { { "Sigmoid" }, { "sigmoid" } },
    { { "TanH" }, { "tanh" } },
    { { "Sine" }, { "sin" } },
    { { "Cosine" }, { "cos" } },
    { { "Tangent" }, { "tan" } },
    { { "Exp" }, { "exp" } },
    { { "Log" }, { "log" } },
    { { "Square Root", "Sqrt" }, { "sqrt" } },
    { { "Reciprocal Square Root" }, { "rsqrt" } },
    { { "Square" }, { "square", "pow" } },
    { { "Abs" }, { "abs" } },
    { { "Negate" }, { "neg" } },
    { { "Sign" }, { "sign" } },
    { { "Floor" }, { "floor" } },
    { { "Ceiling" }, { "ceil" } },
    { { "Bankers Rounding" }, { "round" } },
    { { "GELU", "Approx GELU" }, { "gelu" } },
    { { "HardSwish" }, { "hardswish" } },
    { { "ELU" }, { "elu" } },
    { { "Leaky ReLU" }, { "leaky_relu" } },
    { { "PReLU" }, { "_prelu_kernel", "prelu" } },
    { { "Clamp" }, { "clamp", "hardtanh", "relu", "relu6" } },
    { { "Mean", "Global Average Pooling" }, { "mean" } },
    { { "Sum", "Global Sum Pooling" }, { "sum" } },
    { { "Average Pooling" }, { "avg_pool2d", "avg_pool1d" } },
    { { "Max Pooling", "ArgMax Pooling" }, { "max_pool2d", "max_pool2d_with_indices", "max_pool1d" } },
    { { "Resize Bilinear" }, { "upsample_bilinear2d" } },
    { { "Concatenate" }, { "cat" } },
    { { "Slice" }, { "slice_copy", "slice" } },
    { { "Constant Pad" }, { "constant_pad_nd", "pad" } },
};

enum {
    PAIRINGS = sizeof pairings / sizeof *pairings,
    NO_PAIRING = -1,
    IDS_SEARCHED = 1024,  /* ids of one delegate among which a part of a name is looked for */
    HANDLES_TRIED = 1024, /* handles of one instruction, and nodes of one handle, that are looked at for a kernel */
};

/* Something by two keys, sorted; several may share both. */
struct entry {
    int64_t group;  /* delegate (NO_ID: the outer graph) or instruction */
    int64_t key;    /* debug handle, pairing or id */
    uint32_t index; /* of what it stands for */
};

struct index {
    struct entry *entries; /* by group, then key, then index; owned */
    size_t count;          /* of entries */
};

struct joining {
    struct execution *execution; /* whose operators get nodes; borrowed */
    const struct graph *graph;   /* borrowed */
    struct graph_join *result;   /* that is filled; borrowed */
    struct index handles;        /* nodes by delegate and debug handle */
    struct index kinds;          /* nodes by delegate and pairing */
    struct index ids;            /* graph_ids by instruction and id */
    uint32_t *delegates;         /* by operator: the delegate that a CALL calls; NO_ID: none */
    int64_t *claims;             /* by node: the instruction that wants it, or one of these: */
};

enum { UNCLAIMED = -1, DISPUTED = -2, FITTED = -3 };

static bool is_name(const struct execution *execution, string_id id, const char *name)
{
    return text_is(strings_get(execution->strings, id), name);
}

static bool is_delegate_call(const struct execution *execution, const struct execution_operator *op)
{
    return op->kind == EVENT_CALL && is_name(execution, op->type, "DELEGATE_CALL");
}

/* ---- Sorted lists ------------------------------------------------------------------------------------------------ */

static int compare_entries(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;

    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static status make_index(struct index *index, size_t room)
{
    index->entries = memory_allocate(room * sizeof *index->entries);
    return index->entries ? STATUS_OK : status_no_memory("joining operators to the graph");
}

static void sort_index(struct index *index)
{
    qsort(index->entries, index->count, sizeof *index->entries, compare_entries);
}

/* The first entry that is not before (group, key). */
static size_t lower_bound(const struct index *index, int64_t group, int64_t key)
{
    size_t first = 0, end = index->count;

    while (first < end) {
        size_t middle = first + (end - first) / 2;
        const struct entry *entry = &index->entries[middle];

        if (entry->group < group || (entry->group == group && entry->key < key))
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* The entries of (group, key): from the result up to `*end`. */
static size_t find_range(const struct index *index, int64_t group, int64_t key, size_t *end)
{
    *end = key < INT64_MAX ? lower_bound(index, group, key + 1) : lower_bound(index, group + 1, INT64_MIN);
    return lower_bound(index, group, key);
}

/* ---- Kinds ------------------------------------------------------------------------------------------------------- */

static bool is_listed(struct text name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count && list[i]; i++) {
        if (strlen(list[i]) == name.length && strncasecmp(list[i], name.data, name.length) == 0)
            return true;
    }
    return false;
}

static int pairing_of_event(struct text type)
{
    type = operation_of_event(type);
    for (int i = 0; i < PAIRINGS; i++) {
        if (is_listed(type, pairings[i].events, sizeof pairings[i].events / sizeof *pairings[i].events))
            return i;
    }
    return NO_PAIRING;
}

static status index_nodes(struct joining *joining)
{
    const struct graph *graph = joining->graph;
    struct index *kinds = &joining->kinds, *handles = &joining->handles;
    status done = make_index(handles, graph->nodes.count);

    /* A node may be in several rows: "pow" is a power or a square. */
    if (done == STATUS_OK)
        done = make_index(kinds, graph->nodes.count * 2);
    for (uint32_t i = 0; done == STATUS_OK && i < graph->nodes.count; i++) {
        const struct graph_node *node = graph_node(graph, i);
        struct text operation = graph_operation(strings_get(graph->strings, node->type));
        size_t rows = 0;

        /* Handle 0 is that of nodes that have none. */
        if (node->debug_handle > 0)
            handles->entries[handles->count++] = (struct entry){ node->delegate, node->debug_handle, i };
        for (int k = 0; node->delegate != NO_ID && k < PAIRINGS && rows < 2; k++) {
            if (is_listed(operation, pairings[k].nodes, sizeof pairings[k].nodes / sizeof *pairings[k].nodes)) {
                kinds->entries[kinds->count++] = (struct entry){ node->delegate, k, i };
                rows++;
            }
        }
    }
    if (done == STATUS_OK) {
        sort_index(handles);
        sort_index(kinds);
    }
    return done;
}

static status index_ids(struct joining *joining)
{
    const struct graph *graph = joining->graph;
    status done = make_index(&joining->ids, graph->ids.count);

    for (uint32_t i = 0; done == STATUS_OK && i < graph->ids.count; i++) {
        const struct graph_id *id = column_at(&graph->ids, i);

        joining->ids.entries[joining->ids.count++] = (struct entry){ id->instruction, id->id, i };
    }
    if (done == STATUS_OK)
        sort_index(&joining->ids);
    return done;
}

/* ---- Which delegate a call calls --------------------------------------------------------------------------------- */

static bool knows_instruction(const struct graph *graph, const struct execution_operator *call)
{
    return call->instruction >= 0 && graph->calls.count > 0;
}

/* A record that counts its delegates in two ways is not believed. */
static uint32_t delegate_by_instruction(const struct graph *graph, const struct execution_operator *call)
{
    uint32_t place = call->chain <= 0 ? graph_call_place(graph, call->instruction) : NO_ID;

    return graph->calls.count == graph->delegates.count ? place : NO_ID;
}

/* Calls of one family are counted together: those of one parent; without one, those of a block. */
static int64_t family_of(const struct execution_operator *call)
{
    return call->parent != NO_ID ? (int64_t)call->parent : -1 - (int64_t)call->block;
}

uint32_t graph_join_delegate(const struct execution *execution, const struct graph *graph, uint32_t call)
{
    const struct execution_operator *op = execution_operator_at(execution, call);
    uint32_t before = 0, all = 0;

    assert(call < execution->operators.count);
    if (!is_delegate_call(execution, op))
        return NO_ID;
    if (knows_instruction(graph, op))
        return delegate_by_instruction(graph, op);
    for (uint32_t i = 0; i < execution->operators.count; i++) {
        const struct execution_operator *other = execution_operator_at(execution, i);

        if (is_delegate_call(execution, other) && family_of(other) == family_of(op)) {
            all++;
            before += other->place < op->place;
        }
    }
    return all == graph->delegates.count ? before : NO_ID;
}

/* Numbers the calls that share a parent, which are [first, end) of the list, by time. */
static void number_calls(struct joining *joining, const struct index *calls, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const struct execution_operator *call = execution_operator_at(joining->execution, calls->entries[i].index);

        if (knows_instruction(joining->graph, call))
            joining->delegates[calls->entries[i].index] = delegate_by_instruction(joining->graph, call);
        else if (end - first == joining->graph->delegates.count)
            joining->delegates[calls->entries[i].index] = (uint32_t)(i - first);
    }
}

/* The same as `graph_join_delegate` for all calls at once. */
static status find_delegates(struct joining *joining)
{
    const struct execution *execution = joining->execution;
    struct index calls = { 0 };
    status done = make_index(&calls, execution->operators.count);

    joining->delegates = memory_allocate(execution->operators.count * sizeof *joining->delegates);
    if (done == STATUS_OK && !joining->delegates)
        done = status_no_memory("joining operators to the graph");
    for (uint32_t i = 0; done == STATUS_OK && i < execution->operators.count; i++) {
        const struct execution_operator *op = execution_operator_at(execution, i);

        joining->delegates[i] = NO_ID;
        if (is_delegate_call(execution, op))
            calls.entries[calls.count++] = (struct entry){ family_of(op), op->place, i };
    }
    if (done == STATUS_OK)
        sort_index(&calls);
    for (size_t first = 0, end; done == STATUS_OK && first < calls.count; first = end) {
        end = first + 1;
        while (end < calls.count && calls.entries[end].group == calls.entries[first].group)
            end++;
        number_calls(joining, &calls, first, end);
    }
    memory_free(calls.entries);
    return done;
}

/* ---- Portable operators ------------------------------------------------------------------------------------------ */

/* Without what the lowering of a graph adds to a name or takes from it. */
static struct text bare(struct text name)
{
    static const char copy[] = "_copy";

    if (name.length > sizeof copy - 1 &&
        memcmp(name.data + name.length - (sizeof copy - 1), copy, sizeof copy - 1) == 0)
        name.length -= sizeof copy - 1;
    while (name.length > 1 && *name.data == '_') {
        name.data++;
        name.length--;
    }
    return name;
}

static bool types_fit(struct joining *joining, const struct execution_operator *op, uint32_t node)
{
    const struct graph *graph = joining->graph;
    struct text kernel = bare(operation_of_kernel(strings_get(joining->execution->strings, op->type)));
    struct text type = bare(graph_operation(strings_get(graph->strings, graph_node(graph, node)->type)));

    return kernel.length == type.length && memcmp(kernel.data, type.data, type.length) == 0;
}

/* The instruction that an operator belongs to; -1: not known. Where the log has none, instructions are counted. */
static int32_t instruction_of(const struct joining *joining, const struct execution_operator *op, bool *counted)
{
    const struct execution_operator *call;

    *counted = op->instruction < 0;
    if (op->chain > 0)
        return -1;
    if (!*counted)
        return op->instruction;
    if (op->call == NO_ID)
        return -1;
    call = execution_operator_at(joining->execution, op->call);
    if (call->place > INT32_MAX || call->parent == NO_ID ||
        execution_operator_at(joining->execution, call->parent)->kind != EVENT_EXECUTE)
        return -1;
    return (int32_t)call->place;
}

static size_t first_handle(const struct graph *graph, int32_t instruction)
{
    size_t first = 0, end = graph->handles.count;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (((const struct graph_handle *)column_at(&graph->handles, middle))->instruction < instruction)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* The node of the outer graph that an instruction's handles name: the one whose type fits, else the only one. */
static uint32_t find_portable(struct joining *joining, const struct execution_operator *op, int32_t instruction,
                              bool *fits, size_t *candidates)
{
    const struct graph *graph = joining->graph;
    uint32_t only = NO_ID;
    size_t first = first_handle(graph, instruction);

    *fits = false;
    *candidates = 0;
    for (size_t i = first; i < graph->handles.count && i - first < HANDLES_TRIED; i++) {
        const struct graph_handle *handle = column_at(&graph->handles, i);
        size_t end, at;

        if (handle->instruction != instruction)
            break;
        for (at = find_range(&joining->handles, NO_ID, handle->handle, &end); at < end && *candidates < HANDLES_TRIED;
             at++) {
            only = joining->handles.entries[at].index;
            ++*candidates;
            if (types_fit(joining, op, only)) {
                *fits = true;
                return only;
            }
        }
    }
    return *candidates == 1 ? only : NO_ID;
}

static void claim(struct joining *joining, uint32_t node, int32_t instruction, bool fits)
{
    int64_t *owner = &joining->claims[node];

    if (fits)
        *owner = FITTED;
    else if (*owner == UNCLAIMED)
        *owner = instruction;
    else if (*owner != instruction && *owner != FITTED)
        *owner = DISPUTED;
}

static void tie(struct execution_operator *op, uint32_t node, enum join_certainty join)
{
    op->node = node;
    op->join = join;
}

/* A kernel whose type fits has its node. One whose type does not, because lowering gave it another name, has it only where no
 * other operator points there: an inserted copy carries the handle of what it copies. */
static void join_portable(struct joining *joining, bool fitting)
{
    for (uint32_t i = 0; i < joining->execution->operators.count; i++) {
        struct execution_operator *op = execution_operator_at(joining->execution, i);
        size_t candidates = 0;
        bool counted, fits = false;
        int32_t instruction;
        uint32_t node;

        if (op->kind != EVENT_PORTABLE || op->node != NO_ID)
            continue;
        instruction = instruction_of(joining, op, &counted);
        node = instruction < 0 ? NO_ID : find_portable(joining, op, instruction, &fits, &candidates);
        if (node != NO_ID && (fits || !counted) && fitting)
            claim(joining, node, instruction, fits);
        if (node != NO_ID && (fits || (!counted && !fitting && joining->claims[node] == instruction))) {
            tie(op, node, JOIN_RECORDED);
            joining->result->recorded++;
        } else if (!fitting) {
            joining->result->left_out += candidates > 0;
            joining->result->inserted += candidates == 0;
        }
    }
}

/* ---- Operators inside delegates ---------------------------------------------------------------------------------- */

/* The id under which the record names an operator, as a range of `ids`: its name, its type, its number, else the longest id that
 * is a part of its name. */
static size_t find_id(struct joining *joining, const struct execution_operator *op, size_t *end)
{
    const struct strings *strings = joining->execution->strings, *pool = joining->graph->strings;
    struct text texts[] = { strings_get(strings, op->name), strings_get(strings, op->type), { "", 0 } };
    size_t first = lower_bound(&joining->ids, op->instruction, 0), longest = 0, found = *end = 0;
    char number[24];

    texts[2] = (struct text){ number, number_write_integer(number, op->delegate_id) };
    for (size_t i = 0; i < (op->delegate_id >= 0 ? 3u : 2u); i++) {
        string_id id;

        if (strings_find(pool, texts[i].data, texts[i].length, &id)) {
            found = find_range(&joining->ids, op->instruction, id, end);
            if (found < *end)
                return found;
        }
    }
    *end = 0;
    for (size_t i = first; i < joining->ids.count && i - first < IDS_SEARCHED; i++) {
        const struct entry *entry = &joining->ids.entries[i];
        struct text id = strings_get(pool, (string_id)entry->key);

        if (entry->group != op->instruction)
            break;
        if (id.length > longest && memmem(texts[0].data, texts[0].length, id.data, id.length)) {
            longest = id.length;
            found = find_range(&joining->ids, op->instruction, entry->key, end);
        }
    }
    return found;
}

/* Of the nodes that an operator was made from the one that works most, else the first. */
static uint32_t find_recorded(struct joining *joining, const struct execution_operator *op, uint32_t delegate)
{
    size_t end, id_end;
    uint32_t best = NO_ID;

    for (size_t i = find_id(joining, op, &id_end); i < id_end; i++) {
        const struct graph_id *id = column_at(&joining->graph->ids, joining->ids.entries[i].index);

        for (size_t at = find_range(&joining->handles, delegate, id->handle, &end); at < end; at++) {
            uint32_t node = joining->handles.entries[at].index;

            if (best == NO_ID || graph_node(joining->graph, node)->macs > graph_node(joining->graph, best)->macs)
                best = node;
        }
    }
    return best;
}

/* The operators of one call, in the order in which they were logged, which is the order in which they ran. */
static void join_delegated(struct joining *joining, const struct entry *members, size_t count, uint32_t delegate)
{
    uint32_t seen[PAIRINGS] = { 0 }, taken[PAIRINGS] = { 0 };
    const struct execution_operator *call = execution_operator_at(joining->execution, (uint32_t)members[0].group);
    size_t named = lower_bound(&joining->ids, call->instruction, 0);
    bool recorded = named < joining->ids.count && joining->ids.entries[named].group == call->instruction;

    for (size_t i = 0; i < count && !recorded; i++) {
        int pairing = pairing_of_event(strings_get(joining->execution->strings,
                                                   execution_operator_at(joining->execution, members[i].index)->type));

        if (pairing != NO_PAIRING)
            seen[pairing]++;
    }
    for (size_t i = 0; i < count; i++) {
        struct execution_operator *op = execution_operator_at(joining->execution, members[i].index);
        int pairing = pairing_of_event(strings_get(joining->execution->strings, op->type));
        size_t end = 0, first = pairing == NO_PAIRING ? 0 : find_range(&joining->kinds, delegate, pairing, &end);
        uint32_t node = recorded ? find_recorded(joining, op, delegate) : NO_ID;

        if (node != NO_ID) {
            tie(op, node, JOIN_RECORDED);
            joining->result->recorded++;
        } else if (!recorded && first < end && end - first == seen[pairing]) {
            tie(op, joining->kinds.entries[first + taken[pairing]++].index, JOIN_INFERRED);
            joining->result->inferred++;
        } else {
            joining->result->left_out += first < end;
            joining->result->inserted += first == end;
        }
    }
}

static string_id backend_of(const struct joining *joining, const struct execution_operator *call, uint32_t delegate)
{
    string_id backend =
        call->instruction >= 0 && call->chain <= 0 ? graph_backend(joining->graph, call->instruction) : 0;

    return backend == 0 && delegate != NO_ID ? graph_delegate(joining->graph, delegate)->backend : backend;
}

/* Gives the backend to a call and to what it encloses. The two pools may differ: the name is made known to the execution's. */
static status name_backend(struct joining *joining, uint32_t call, const struct entry *members, size_t count)
{
    struct execution_operator *op = execution_operator_at(joining->execution, call);
    string_id backend = backend_of(joining, op, joining->delegates[call]);
    struct text name = strings_get(joining->graph->strings, backend);
    status done;

    if (backend == 0)
        return STATUS_OK;
    if ((done = strings_add(joining->execution->strings, name.data, name.length, &backend)) != STATUS_OK)
        return done;
    op->backend = backend;
    for (size_t i = 0; i < count; i++)
        execution_operator_at(joining->execution, members[i].index)->backend = backend;
    return STATUS_OK;
}

/* All delegated operators, call by call. Calls that enclose nothing still get their backend. */
static status join_calls(struct joining *joining)
{
    struct execution *execution = joining->execution;
    struct index members = { 0 };
    size_t at = 0;
    status done = make_index(&members, execution->operators.count);

    for (uint32_t i = 0; done == STATUS_OK && i < execution->operators.count; i++) {
        const struct execution_operator *op = execution_operator_at(execution, i);

        if (op->kind == EVENT_DELEGATED && op->call != NO_ID)
            members.entries[members.count++] = (struct entry){ op->call, 0, i };
    }
    if (done == STATUS_OK)
        sort_index(&members);
    for (uint32_t call = 0; done == STATUS_OK && call < execution->operators.count; call++) {
        uint32_t delegate = joining->delegates[call];
        size_t first = at;

        while (at < members.count && members.entries[at].group == call)
            at++;
        if (!is_delegate_call(execution, execution_operator_at(execution, call)))
            continue;
        if (at > first && delegate != NO_ID)
            join_delegated(joining, &members.entries[first], at - first, delegate);
        else if (joining->graph->nodes.count > 0)
            joining->result->left_out += (uint32_t)(at - first);
        done = name_backend(joining, call, &members.entries[first], at - first);
    }
    memory_free(members.entries);
    return done;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static void forget(struct execution *execution)
{
    for (uint32_t i = 0; i < execution->operators.count; i++)
        tie(execution_operator_at(execution, i), NO_ID, JOIN_NONE);
}

status graph_join(struct execution *execution, const struct graph *graph, struct graph_join *result)
{
    struct joining joining = { .execution = execution, .graph = graph, .result = result };
    status done;

    assert(graph->strings == execution->strings && "ids are those of one pool");
    *result = (struct graph_join){ 0 };
    forget(execution);
    if ((done = index_nodes(&joining)) == STATUS_OK && (done = index_ids(&joining)) == STATUS_OK)
        done = find_delegates(&joining);
    if (done == STATUS_OK) {
        joining.claims = memory_allocate(graph->nodes.count * sizeof *joining.claims);
        if (!joining.claims)
            done = status_no_memory("joining operators to the graph");
    }
    if (done == STATUS_OK) {
        for (size_t i = 0; i < graph->nodes.count; i++)
            joining.claims[i] = UNCLAIMED;
        if (graph->nodes.count > 0) {
            join_portable(&joining, true);
            join_portable(&joining, false);
        }
        done = join_calls(&joining);
    }
    memory_free(joining.handles.entries);
    memory_free(joining.kinds.entries);
    memory_free(joining.ids.entries);
    memory_free(joining.delegates);
    memory_free(joining.claims);
    return done;
}
