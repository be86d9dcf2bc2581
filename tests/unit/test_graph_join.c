/* test_graph_join.c: the join of operators and graph: the maps that came with the real dumps, the same without instructions, and made cases where the
 * record is ambiguous, incomplete or contradicts itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "etrecord_reading.h"
#include "executorch/graph_join.h"
#include "executorch/record_check.h"

static struct strings *strings;
static struct graph graph;
static struct execution execution;

static int start(void **state)
{
    (void)state;
    strings = model_strings();
    if (!strings)
        return 1;
    graph_start(&graph, strings);
    execution_start(&execution, strings);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    graph_free(&graph);
    execution_free(&execution);
    strings_free(strings);
    return 0;
}

static string_id id_of(const char *text)
{
    string_id id;

    assert_int_equal(strings_add_text(strings, text, &id), STATUS_OK);
    return id;
}

/* ---- Real dumps -------------------------------------------------------------------------------------------------- */

static void load(const char *name)
{
    char file[256];
    struct source source = { 0 };

    snprintf(file, sizeof file, "etrecord/%s.etrecord", name);
    assert_int_equal(graph_of_file(data_path(file), strings, &graph), STATUS_OK);
    snprintf(file, sizeof file, "etrecord/%s.etdump.gz", name);
    assert_int_equal(input_open(data_path(file), &source.input), STATUS_OK);
    source.path = file;
    assert_int_equal(executorch_calls(&etdump_reader)->execution(&source, &execution), STATUS_OK);
    input_close(source.input);
}

/* The first six cells of a line; quotes are taken off. */
static bool read_cells(FILE *file, char cells[6][256])
{
    char line[1024], *from = line;

    if (!fgets(line, sizeof line, file))
        return false;
    for (int i = 0; i < 6; i++) {
        bool quoted = *from == '"';
        char *end = quoted ? strchr(from + 1, '"') : from + strcspn(from, ",\r\n");

        assert_non_null(end);
        snprintf(cells[i], sizeof cells[i], "%.*s", (int)(end - from - quoted), from + quoted);
        from = end + quoted + 1;
    }
    return true;
}

static void expect_row(const struct execution *found, uint32_t index, char cells[6][256])
{
    const struct execution_operator *op = execution_operator_at(found, index);
    char source[256] = "", macs[32] = "";

    assert_int_equal(graph_join_delegate(found, &graph, op->call), atoi(cells[0]));
    assert_string_equal(strings_text(strings, op->name), cells[1]);
    assert_string_equal(strings_text(strings, op->backend), "XnnpackBackend");
    assert_string_equal(strings_text(strings, execution_operator_at(found, op->call)->backend), "XnnpackBackend");
    if (cells[4][0] == '\0') {
        assert_int_equal(op->node, NO_ID);
        assert_int_equal(op->join, JOIN_NONE);
        return;
    }
    assert_int_not_equal(op->node, NO_ID);
    assert_int_equal(op->join, JOIN_INFERRED);
    {
        const struct graph_node *node = graph_node(&graph, op->node);

        snprintf(source, sizeof source, "%s:%u", strings_text(strings, node->file), node->line);
        if (node->macs > 0)
            snprintf(macs, sizeof macs, "%llu", (unsigned long long)node->macs);
        assert_string_equal(strings_text(strings, node->module), cells[2]);
        assert_string_equal(source, cells[3]);
        assert_string_equal(strings_text(strings, node->type), cells[4]);
        assert_string_equal(macs, cells[5]);
    }
}

/* Every row of the map, in its order. */
static void expect_map(const struct execution *found, const char *name, size_t rows)
{
    char file[256], cells[6][256];
    FILE *map;
    size_t seen = 0;

    snprintf(file, sizeof file, "etrecord/%s_source_map.csv", name);
    map = fopen(data_path(file), "r");
    assert_non_null(map);
    assert_true(read_cells(map, cells));
    for (uint32_t i = 0; i < found->operators.count; i++) {
        if (execution_operator_at(found, i)->kind != EVENT_DELEGATED)
            continue;
        assert_true(read_cells(map, cells));
        expect_row(found, i, cells);
        seen++;
    }
    assert_false(read_cells(map, cells));
    assert_int_equal(seen, rows);
    fclose(map);
}

static void expect_result(const struct graph_join *result, uint32_t recorded, uint32_t inferred, uint32_t left_out,
                          uint32_t inserted)
{
    if (result->recorded != recorded || result->inferred != inferred || result->left_out != left_out ||
        result->inserted != inserted)
        fail_msg("recorded %u, inferred %u, left out %u, inserted %u", result->recorded, result->inferred,
                 result->left_out, result->inserted);
}

static uint32_t operator_named(const struct execution *found, const char *name)
{
    for (uint32_t i = 0; i < found->operators.count; i++) {
        if (strcmp(strings_text(strings, execution_operator_at(found, i)->name), name) == 0)
            return i;
    }
    fail_msg("no operator %s", name);
    return 0;
}

static void expect_node(const struct execution *found, const char *operator_name, const char *node_name)
{
    const struct execution_operator *op = execution_operator_at(found, operator_named(found, operator_name));

    if (!node_name) {
        assert_int_equal(op->node, NO_ID);
        return;
    }
    assert_int_not_equal(op->node, NO_ID);
    assert_int_equal(op->join, JOIN_RECORDED);
    assert_string_equal(strings_text(strings, graph_node(&graph, op->node)->name), node_name);
}

/* Handle 10 is the copy's, and that of an addition inside a delegate; the copy's kernel gets the copy. */
static void expect_broken_graph(const struct execution *found)
{
    expect_map(found, "broken_graph", 5);
    expect_node(found, "native_call__to_dim_order_copy.out", "dim_order_ops__to_dim_order_copy_default");
    expect_node(found, "native_call_cumsum.out", "aten_cumsum_default");
    expect_node(found, "native_call_gt.Scalar_out", "aten_gt_scalar");
    expect_node(found, "native_call_where.self_out", "aten_where_self");
    expect_node(found, "native_call_topk.values", "aten_topk_default");
    expect_node(found, "native_call_atan2.out", "aten_atan2_default");
}

static void delegates_and_portable_operators_meet(void **state)
{
    struct graph_join result;

    (void)state;
    load("broken_graph");
    assert_int_equal(graph_join(&execution, &graph, &result), STATUS_OK);
    expect_result(&result, 6, 5, 0, 0);
    expect_broken_graph(&execution);
    assert_int_equal(graph_join_delegate(&execution, &graph, operator_named(&execution, "OPERATOR_CALL")), NO_ID);
    assert_int_equal(graph_join_delegate(&execution, &graph, operator_named(&execution, "Method::execute")), NO_ID);
    /* Once more gives the same. */
    assert_int_equal(graph_join(&execution, &graph, &result), STATUS_OK);
    expect_result(&result, 6, 5, 0, 0);
}

static void a_whole_net_in_one_delegate(void **state)
{
    struct graph_join result;

    (void)state;
    load("mobilenet");
    assert_int_equal(graph_join(&execution, &graph, &result), STATUS_OK);
    expect_result(&result, 0, 64, 0, 3);
    expect_map(&execution, "mobilenet", 67);
}

static void a_whole_net_of_portable_operators(void **state)
{
    struct graph_join result;

    (void)state;
    load("mobilenet_portable");
    assert_int_equal(graph_join(&execution, &graph, &result), STATUS_OK);
    expect_result(&result, 152, 0, 0, 0);
}

/* The first inference of an execution as a table of rows knows it: names and times, no instructions. */
static void forget_instructions(const struct execution *from, struct execution *to)
{
    uint32_t run;

    execution_start(to, strings);
    assert_int_equal(execution_add_run(to, id_of("Execute"), -1, &run), STATUS_OK);
    for (uint32_t i = 0; i < from->events.count; i++) {
        const struct execution_event *event = execution_event_at(from, i);
        struct execution_operator key = *execution_operator_at(from, event->op);
        uint32_t op, made;

        if (event->run != 1)
            continue;
        key.occurrence = event->op;
        key.chain = key.instruction = -1;
        key.backend = key.kind == EVENT_DELEGATED ? id_of("delegated") : 0;
        assert_int_equal(execution_operator(to, &key, &op), STATUS_OK);
        assert_int_equal(execution_add_event(to, op, run, event->start, event->duration, &made), STATUS_OK);
    }
    assert_int_equal(execution_settle(to), STATUS_OK);
}

static void instructions_are_counted_where_a_log_has_none(void **state)
{
    static const char *const names[] = { "broken_graph", "mobilenet" };
    static const size_t rows[] = { 5, 67 };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct execution plain;
        struct graph_join result;

        load(names[i]);
        forget_instructions(&execution, &plain);
        assert_int_equal(graph_join(&plain, &graph, &result), STATUS_OK);
        expect_map(&plain, names[i], rows[i]);
        if (i == 0)
            expect_broken_graph(&plain);
        execution_free(&plain);
        execution_free(&execution);
        graph_free(&graph);
    }
    graph_start(&graph, strings);
    execution_start(&execution, strings);
}

/* ---- Made cases -------------------------------------------------------------------------------------------------- */

static void add_node(const char *name, const char *type, int64_t handle, uint32_t delegate, uint64_t macs)
{
    struct graph_node *node = graph_add_node(&graph);

    assert_non_null(node);
    node->name = id_of(name);
    node->type = id_of(type);
    node->debug_handle = handle;
    node->delegate = delegate;
    node->macs = macs;
    if (delegate != NO_ID)
        ((struct graph_delegate *)column_at(&graph.delegates, delegate))->node_count++;
}

static void add_delegate(int32_t instruction, const char *backend)
{
    struct graph_delegate *delegate = graph_add_delegate(&graph);
    struct graph_call *call = column_append(&graph.calls);

    assert_true(delegate && call);
    *call = (struct graph_call){ instruction, id_of(backend) };
}

static void add_handle(int32_t instruction, int64_t number)
{
    struct graph_handle *handle = column_append(&graph.handles);

    assert_non_null(handle);
    *handle = (struct graph_handle){ instruction, number };
}

static void add_id(int32_t instruction, const char *name, int64_t number)
{
    struct graph_id *id = column_append(&graph.ids);

    assert_non_null(id);
    *id = (struct graph_id){ instruction, id_of(name), number };
}

enum { FIRST_TIME = 1000 }; /* no time is negative, and events are added when they end */

static int64_t now;

/* An event in the only run, one tick long; its operator. */
static uint32_t add_event(const char *name, enum event_kind kind, int32_t instruction, int64_t delegate_id,
                          int64_t duration)
{
    struct execution_operator key = execution_key(id_of("Execute"), id_of(name), kind);
    uint32_t op, event;

    if (execution.runs.count == 0) {
        uint32_t run;

        now = FIRST_TIME;
        assert_int_equal(execution_add_run(&execution, id_of("Execute"), -1, &run), STATUS_OK);
    }
    key.chain = kind == EVENT_EXECUTE ? -1 : 0;
    key.instruction = kind == EVENT_EXECUTE ? 0 : instruction;
    key.delegate_id = delegate_id;
    assert_int_equal(execution_operator(&execution, &key, &op), STATUS_OK);
    assert_int_equal(execution_add_event(&execution, op, 0, now - duration, duration, &event), STATUS_OK);
    return op;
}

static void add_portable(const char *name, int32_t instruction)
{
    now += 10;
    add_event(name, EVENT_PORTABLE, instruction, -1, 5);
    add_event("OPERATOR_CALL", EVENT_CALL, instruction, -1, 8);
}

static void add_delegated(int32_t instruction, const char *const *names, const int64_t *ids, size_t count)
{
    int64_t begin = execution.runs.count ? now : FIRST_TIME; /* the first event begins anew */

    for (size_t i = 0; i < count; i++) {
        now += 3;
        add_event(names[i], EVENT_DELEGATED, instruction, ids ? ids[i] : -1, 2);
    }
    now += 2;
    add_event("DELEGATE_CALL", EVENT_CALL, instruction, -1, now - begin - 1);
    now += 2;
}

static struct graph_join join_all(void)
{
    struct graph_join result;

    now += 5;
    add_event("Method::execute", EVENT_EXECUTE, 0, -1, now - FIRST_TIME);
    assert_int_equal(execution_settle(&execution), STATUS_OK);
    assert_int_equal(graph_join(&execution, &graph, &result), STATUS_OK);
    return result;
}

static void unequal_counts_are_left_out(void **state)
{
    static const char *const names[] = {
        "Convolution (NHWC, F32) IGEMM #1", "Add (ND) #1", "Clamp (NC, F32) #1", "Sigmoid (NC) #1",
        "Transpose (ND, X32) #1",           "Add (ND) #2"
    };
    struct graph_join result;

    (void)state;
    add_delegate(0, "X");
    add_node("conv", "aten.convolution.default", 1, 0, 9);
    add_node("relu", "aten.relu.default", 2, 0, 0);
    add_node("sum", "aten.add.Tensor", 3, 0, 0);
    add_node("relu_1", "aten.relu.default", 4, 0, 0);
    add_delegated(0, names, NULL, 6);
    result = join_all();
    /* Two additions for one node, one clamp for two; nothing in the graph is a sigmoid or a transpose. */
    expect_result(&result, 0, 1, 3, 2);
    expect_node(&execution, "Add (ND) #1", NULL);
    expect_node(&execution, "Clamp (NC, F32) #1", NULL);
    assert_int_equal(execution_operator_at(&execution, operator_named(&execution, names[0]))->join, JOIN_INFERRED);
}

static void the_kernel_that_fits_has_the_node(void **state)
{
    struct graph_join result;

    (void)state;
    add_node("where", "aten.where.self", 7, NO_ID, 0);
    add_node("add", "aten.add.Tensor", 8, NO_ID, 0);
    add_node("mul", "aten.mul.Tensor", 8, NO_ID, 0);
    add_node("view", "aten.squeeze_copy.dims", 9, NO_ID, 0);
    add_node("nothing", "aten.abs.default", 0, NO_ID, 0);
    add_node("hidden", "aten.exp.default", 10, NO_ID, 0);
    add_handle(0, 7);
    add_handle(1, 7);
    add_handle(2, 8);
    add_handle(3, 9);
    add_handle(4, 8);
    add_handle(5, 0);
    add_handle(7, INT64_MAX);
    add_portable("native_call_where.self_out", 0);
    add_portable("native_call_clone.out", 1); /* inserted: it carries the handle of what it copies */
    add_portable("native_call_mul.out", 2);
    add_portable("native_call_view_copy.out", 3); /* lowered to another operation, and alone with its handle */
    add_portable("native_call_sub.out", 4);       /* two nodes, and fits neither */
    add_portable("native_call_abs.out", 5);       /* handle 0 says nothing */
    add_portable("native_call_exp.out", 6);       /* no handle */
    add_portable("native_call_log.out", 7);       /* one that no node has */
    result = join_all();
    expect_result(&result, 3, 0, 2, 3);
    expect_node(&execution, "native_call_where.self_out", "where");
    expect_node(&execution, "native_call_clone.out", NULL);
    expect_node(&execution, "native_call_mul.out", "mul");
    expect_node(&execution, "native_call_view_copy.out", "view");
    expect_node(&execution, "native_call_sub.out", NULL);
}

static void a_handle_inside_a_delegate_is_not_a_portable_operators(void **state)
{
    struct graph_join result;

    (void)state;
    add_delegate(1, "X");
    add_node("inside", "aten.add.Tensor", 5, 0, 0);
    add_handle(0, 5);
    add_portable("native_call_add.out", 0);
    result = join_all();
    expect_result(&result, 0, 0, 0, 1);
}

static void ids_that_a_backend_gives_are_believed(void **state)
{
    static const char *const names[] = { "conv_7", "op:matmul at 3", "12", "stray" };
    static const int64_t ids[] = { -1, -1, 12, -1 };
    struct graph_join result;

    (void)state;
    add_delegate(4, "QnnBackend");
    add_node("relu", "aten.relu.default", 1, 0, 0);
    add_node("conv", "aten.convolution.default", 2, 0, 900);
    add_node("mm", "aten.mm.default", 3, 0, 5);
    add_node("add", "aten.add.Tensor", 4, 0, 0);
    add_id(4, "conv_7", 1);
    add_id(4, "conv_7", 2);
    add_id(4, "matmul", 3);
    add_id(4, "mat", 1);
    add_id(4, "12", 4);
    add_delegated(4, names, ids, 4);
    result = join_all();
    expect_result(&result, 3, 0, 0, 1);
    expect_node(&execution, "conv_7", "conv");
    expect_node(&execution, "op:matmul at 3", "mm");
    expect_node(&execution, "12", "add");
    assert_string_equal(
        strings_text(strings, execution_operator_at(&execution, operator_named(&execution, "stray"))->backend),
        "QnnBackend");
}

/* Two calls, but one delegate in the graph: which one it is cannot be known. The backend can. */
static void a_record_that_contradicts_itself_is_not_believed(void **state)
{
    static const char *const names[] = { "Add (ND) #1" };
    struct graph_call *call;
    struct graph_join result;

    (void)state;
    add_delegate(0, "X");
    add_node("add", "aten.add.Tensor", 1, 0, 0);
    call = column_append(&graph.calls);
    assert_non_null(call);
    *call = (struct graph_call){ 2, id_of("Y") };
    add_delegated(0, names, NULL, 1);
    add_delegated(2, names, NULL, 1);
    add_delegated(3, names, NULL, 1);
    result = join_all();
    expect_result(&result, 0, 0, 3, 0);
    assert_int_equal(graph_join_delegate(&execution, &graph, operator_named(&execution, "DELEGATE_CALL")), NO_ID);
    assert_string_equal(
        strings_text(strings, execution_operator_at(&execution, operator_named(&execution, "DELEGATE_CALL"))->backend),
        "X");
}

static void maps_alone_give_backends(void **state)
{
    static const char *const names[] = { "Add (ND) #1" };
    struct graph_call *call = column_append(&graph.calls);
    struct graph_join result;

    (void)state;
    assert_non_null(call);
    *call = (struct graph_call){ 0, id_of("XnnpackBackend") };
    add_delegated(0, names, NULL, 1);
    add_portable("native_call_add.out", 1);
    result = join_all();
    expect_result(&result, 0, 0, 0, 0);
    assert_string_equal(
        strings_text(strings, execution_operator_at(&execution, operator_named(&execution, names[0]))->backend),
        "XnnpackBackend");
}

/* ---- Records of other models ------------------------------------------------------------------------------------- */

static void expect_contradiction(const char *says)
{
    char sentence[RECORD_SENTENCE];

    if (!execution.order)
        assert_int_equal(execution_settle(&execution), STATUS_OK);
    assert_int_equal(record_check(&execution, &graph, sentence), STATUS_OK);
    if (says[0] ? !strstr(sentence, says) : sentence[0] != '\0')
        fail_msg("%s", sentence);
}

/* A batch norm is fused into a product, or becomes one; attention is two products and a softmax; the rest may be fused or inserted. */
static void add_record(void)
{
    add_delegate(0, "XnnpackBackend");
    add_node("conv", "aten.convolution.default", 1, 0, 9);
    add_node("norm", "aten._native_batch_norm_legit_no_training.default", 2, 0, 0);
    add_node("relu", "aten.relu.default", 3, 0, 0);
    add_node("attention", "aten.scaled_dot_product_attention.default", 4, 0, 9);
    add_delegate(2, "XnnpackBackend");
}

static void what_a_backend_makes_is_no_contradiction(void **state)
{
    static const char *const names[] = { "Transpose (ND) #1",
                                         "Convolution (NHWC, F32) IGEMM #1",
                                         "Convolution (NHWC, F32) DWConv #1",
                                         "Batch Matrix Multiply (NC, F32) #1",
                                         "Softmax (NC, F32) #1",
                                         "Batch Matrix Multiply (NC, F32) #2" };

    (void)state;
    add_record();
    add_delegated(0, names, NULL, 6);
    add_portable("native_call_where.self_out", 1);
    add_delegated(2, names, NULL, 2); /* the record has no graph of this one */
    expect_contradiction("");
}

static void a_backend_that_logs_nothing_is_no_contradiction(void **state)
{
    (void)state;
    add_record();
    add_delegated(0, NULL, NULL, 0);
    expect_contradiction("");
}

static void other_products_contradict(void **state)
{
    static const char *const names[] = { "Fully Connected (NC, F32) GEMM #1", "Softmax (NC, F32) #1" };

    (void)state;
    add_record();
    add_delegated(0, names, NULL, 2);
    expect_contradiction(
        "delegate 0 ran 1 products (the first is Fully Connected (NC, F32) GEMM #1) and was made from 3");
}

static void other_additions_contradict(void **state)
{
    static const char *const names[] = { "Convolution (NHWC, F32) IGEMM #1",
                                         "Batch Matrix Multiply (NC, F32) #1",
                                         "Softmax (NC, F32) #1",
                                         "Batch Matrix Multiply (NC, F32) #2",
                                         "Add (ND, F32) #1",
                                         "Add (ND, F32) #2" };

    (void)state;
    add_record();
    add_delegated(0, names, NULL, 6); /* the mask of the attention may be one of them */
    expect_contradiction("delegate 0 ran 2 additions (the first is Add (ND, F32) #1) and was made from 0");
}

static void a_kernel_in_the_place_of_a_delegate_contradicts(void **state)
{
    (void)state;
    add_record();
    add_portable("native_call_add.out", 2);
    expect_contradiction("instruction 2 calls a kernel in the file and a delegate in the record");
}

static void a_product_that_the_graph_does_not_have_contradicts(void **state)
{
    (void)state;
    add_record();
    add_portable("native_call_addmm.out", 1);
    expect_contradiction("native_call_addmm.out ran outside of delegates");
}

static void real_records_are_those_of_their_dumps(void **state)
{
    (void)state;
    load("broken_graph");
    expect_contradiction("");
}

static void a_check_without_memory_is_reported(void **state)
{
    char sentence[RECORD_SENTENCE];
    status done = STATUS_MEMORY;

    (void)state;
    load("broken_graph");
    for (uint64_t nth = 1; done != STATUS_OK; nth++) {
        memory_fail_at(nth);
        done = record_check(&execution, &graph, sentence);
        memory_fail_at(0);
        assert_true(done == STATUS_OK || done == STATUS_MEMORY);
    }
}

static void nothing_joins_nothing(void **state)
{
    struct graph_join result;

    (void)state;
    assert_int_equal(execution_settle(&execution), STATUS_OK);
    assert_int_equal(graph_join(&execution, &graph, &result), STATUS_OK);
    expect_result(&result, 0, 0, 0, 0);
}

static void failed_allocations_are_reported(void **state)
{
    struct graph_join result;
    status done = STATUS_MEMORY;

    (void)state;
    load("broken_graph");
    for (uint64_t nth = 1; done != STATUS_OK; nth++) {
        memory_fail_at(nth);
        done = graph_join(&execution, &graph, &result);
        memory_fail_at(0);
        assert_true(done == STATUS_OK || done == STATUS_MEMORY);
        assert_true(done == STATUS_MEMORY || nth > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(delegates_and_portable_operators_meet, start, stop),
        cmocka_unit_test_setup_teardown(a_whole_net_in_one_delegate, start, stop),
        cmocka_unit_test_setup_teardown(a_whole_net_of_portable_operators, start, stop),
        cmocka_unit_test_setup_teardown(instructions_are_counted_where_a_log_has_none, start, stop),
        cmocka_unit_test_setup_teardown(unequal_counts_are_left_out, start, stop),
        cmocka_unit_test_setup_teardown(the_kernel_that_fits_has_the_node, start, stop),
        cmocka_unit_test_setup_teardown(a_handle_inside_a_delegate_is_not_a_portable_operators, start, stop),
        cmocka_unit_test_setup_teardown(ids_that_a_backend_gives_are_believed, start, stop),
        cmocka_unit_test_setup_teardown(a_record_that_contradicts_itself_is_not_believed, start, stop),
        cmocka_unit_test_setup_teardown(maps_alone_give_backends, start, stop),
        cmocka_unit_test_setup_teardown(what_a_backend_makes_is_no_contradiction, start, stop),
        cmocka_unit_test_setup_teardown(a_backend_that_logs_nothing_is_no_contradiction, start, stop),
        cmocka_unit_test_setup_teardown(other_products_contradict, start, stop),
        cmocka_unit_test_setup_teardown(other_additions_contradict, start, stop),
        cmocka_unit_test_setup_teardown(a_kernel_in_the_place_of_a_delegate_contradicts, start, stop),
        cmocka_unit_test_setup_teardown(a_product_that_the_graph_does_not_have_contradicts, start, stop),
        cmocka_unit_test_setup_teardown(real_records_are_those_of_their_dumps, start, stop),
        cmocka_unit_test_setup_teardown(a_check_without_memory_is_reported, start, stop),
        cmocka_unit_test_setup_teardown(nothing_joins_nothing, start, stop),
        cmocka_unit_test_setup_teardown(failed_allocations_are_reported, start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
