/* test_etrecord.c: eTRecords: real ones with their nodes, shapes and work; made ones for every form of an argument; broken ones; one full of weights. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "etrecord_reading.h"
#include "executorch/etrecord_graph.h"

static struct strings *strings;

static int start(void **state)
{
    (void)state;
    strings = model_strings();
    return strings ? 0 : 1;
}

static int stop(void **state)
{
    (void)state;
    strings_free(strings);
    return 0;
}

static const char *text_of(string_id id)
{
    return strings_text(strings, id);
}

static const struct graph_node *node_named(const struct graph *graph, const char *name)
{
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        if (strcmp(text_of(graph_node(graph, i)->name), name) == 0)
            return graph_node(graph, i);
    }
    fail_msg("no node %s", name);
    return NULL;
}

/* ---- Real records ------------------------------------------------------------------------------------------------ */

static void check_linear(const struct graph_node *node)
{
    assert_string_equal(text_of(node->type), "aten.linear.default");
    assert_string_equal(text_of(node->module), "b");
    assert_string_equal(text_of(node->module_class), "torch.nn.modules.linear.Linear");
    assert_string_equal(text_of(node->file), "models.py");
    assert_int_equal(node->line, 56);
    assert_string_equal(text_of(node->source), "y = self.b(torch.cumsum(F.relu(self.a(x)), 1))");
    assert_string_equal(text_of(node->shape), "32x128");
    assert_string_equal(text_of(node->inputs), "32x512, 128x512, 128");
    assert_string_equal(text_of(node->dtype), "f32");
    assert_int_equal(node->macs, 2097152);
    assert_int_equal(node->bytes, 4 * (32 * 512 + 128 * 512 + 128 + 32 * 128));
    assert_int_equal(node->debug_handle, 4);
    assert_int_equal(node->delegate, 1);
}

static void a_graph_with_delegates_is_whole(void **state)
{
    static const char *const backends[] = { "XnnpackBackend", "XnnpackBackend", "XnnpackBackend" };
    static const int instructions[] = { 1, 3, 6 }, outer[] = { 1, 5, 10 }, first[] = { 2, 6, 11 };
    struct graph graph;

    (void)state;
    assert_int_equal(graph_of_file(data_path("etrecord/broken_graph.etrecord"), strings, &graph), STATUS_OK);
    assert_int_equal(graph.nodes.count, 15);
    assert_int_equal(graph.delegates.count, 3);
    assert_int_equal(graph.handles.count, 12);
    assert_int_equal(graph.calls.count, 3);
    assert_int_equal(graph.ids.count, 0);
    assert_string_equal(text_of(graph.method), "forward");
    for (uint32_t i = 0; i < 3; i++) {
        const struct graph_delegate *delegate = graph_delegate(&graph, i);

        assert_string_equal(text_of(delegate->backend), backends[i]);
        assert_int_equal(delegate->outer_node, outer[i]);
        assert_int_equal(delegate->first_node, first[i]);
        assert_int_equal(delegate->node_count, 2);
        assert_string_equal(text_of(graph_backend(&graph, instructions[i])), backends[i]);
    }
    assert_int_equal(graph_backend(&graph, 0), 0);
    assert_int_equal(graph_backend(&graph, 7), 0);
    check_linear(node_named(&graph, "aten_linear_default_1"));
    assert_string_equal(text_of(node_named(&graph, "aten_gt_scalar")->dtype), "bool");
    assert_int_equal(node_named(&graph, "aten_gt_scalar")->bytes, 32 * 128 * 5);
    assert_int_equal(node_named(&graph, "aten_where_self")->bytes, 32 * 128 * (1 + 3 * 4));
    assert_int_equal(node_named(&graph, "aten_atan2_default")->delegate, NO_ID);
    assert_string_equal(text_of(node_named(&graph, "dim_order_ops__to_dim_order_copy_default")->type),
                        "dim_order_ops._to_dim_order_copy.default");
    assert_int_equal(node_named(&graph, "aten_add_tensor")->debug_handle, 10);
    graph_free(&graph);
}

static void expect_work(const char *file, size_t nodes, uint64_t convolutions, uint64_t expected)
{
    struct graph graph;
    uint64_t macs = 0, found = 0;

    assert_int_equal(graph_of_file(data_path(file), strings, &graph), STATUS_OK);
    assert_int_equal(graph.nodes.count, nodes);
    for (uint32_t i = 0; i < graph.nodes.count; i++) {
        macs += graph_node(&graph, i)->macs;
        found += strcmp(text_of(graph_node(&graph, i)->type), "aten.convolution.default") == 0;
    }
    assert_int_equal(found, convolutions);
    assert_int_equal(macs, expected);
    graph_free(&graph);
}

/* The sums are those of the 53 rows with multiplications in the map that came with the first model; of the second by the same rule. */
static void all_the_work_is_counted(void **state)
{
    (void)state;
    expect_work("etrecord/mobilenet.etrecord", 153, 52, 300774272);
    expect_work("etrecord/mobilenet_portable.etrecord", 153, 52, 25728512);
}

/* ---- Parts of a node --------------------------------------------------------------------------------------------- */

static struct text plain(const char *text)
{
    return (struct text){ text, strlen(text) };
}

static void expect_frame(const char *trace, const char *file, uint32_t line, const char *source)
{
    struct text found_file, found_source;
    uint32_t found_line;

    if (!etrecord_frame(plain(trace), &found_file, &found_line, &found_source))
        fail_msg("no frame in %s", trace);
    if (found_file.length != strlen(file) || memcmp(found_file.data, file, found_file.length) != 0 ||
        found_line != line || found_source.length != strlen(source) ||
        memcmp(found_source.data, source, found_source.length) != 0)
        fail_msg("%s: %.*s:%u %.*s", trace, (int)found_file.length, found_file.data, found_line,
                 (int)found_source.length, found_source.data);
}

static void the_users_own_frame_is_taken(void **state)
{
    struct text file, source;
    uint32_t line;

    (void)state;
    expect_frame("File \"models.py\", line 56, in forward\n    y = f(x)", "models.py", 56, "y = f(x)");
    expect_frame("  File \"a.py\", line 1, in f\n    one\n  File \"b.py\", line 2, in g\n    two  \n  File "
                 "\"/x/site-packages/torch/nn/c.py\", "
                 "line 3, in h\n    three",
                 "b.py", 2, "two");
    expect_frame("File \"a.py\", line 1, in f\n    one\n    ^^^\nFile \"b.py\", line 2, in g", "b.py", 2, "");
    /* A model of an installed package: its file, not torch's. */
    expect_frame("File \"/v/site-packages/zoo/net.py\", line 7, in f\n  a\nFile \"/v/site-packages/torch/nn/conv.py\", "
                 "line 8, in g\n  b",
                 "/v/site-packages/zoo/net.py", 7, "a");
    expect_frame("File \"/v/site-packages/torch/nn/conv.py\", line 8, in g\n  b", "/v/site-packages/torch/nn/conv.py",
                 8, "b");
    assert_false(etrecord_frame(plain(""), &file, &line, &source));
    assert_false(etrecord_frame(plain("File \"a.py\", line x"), &file, &line, &source));
    assert_false(etrecord_frame(plain("File \"a.py"), &file, &line, &source));
    assert_false(etrecord_frame(plain("File \"a.py\", line 99999999999"), &file, &line, &source));
}

static void the_innermost_module_is_taken(void **state)
{
    struct text path, class_name;

    (void)state;
    assert_true(etrecord_module(plain("L,,M;L__a,a.b.0,torch.nn.Linear"), &path, &class_name));
    assert_int_equal(path.length, 5);
    assert_memory_equal(path.data, "a.b.0", 5);
    assert_int_equal(class_name.length, 15);
    assert_true(etrecord_module(plain("L,,M"), &path, &class_name));
    assert_int_equal(path.length, 0);
    assert_false(etrecord_module(plain(""), &path, &class_name));
    assert_false(etrecord_module(plain("a,b"), &path, &class_name));
    assert_false(etrecord_module(plain("L,,M;"), &path, &class_name));
}

/* ---- Made records ------------------------------------------------------------------------------------------------ */

#define OPERATION(name) "\"target\": \"executorch.exir.dialects.edge.ops.aten." name ".default\""
#define TENSOR(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
#define INPUT(name, tensor) "{\"name\": \"" name "\", \"arg\": " TENSOR(tensor) "}"

static const char made_program[] =
    "{\"graph_module\": {\"graph\": {\"inputs\": [], \"nodes\": ["
    /* Outputs and inputs before the target. */
    "{\"outputs\": [" TENSOR("o") "], \"inputs\": [" INPUT("bias", "w8") ", " INPUT("a", "a") ", " INPUT(
        "b",
        "b") "], "
             "\"name\": \"addmm\", " OPERATION(
                 "addmm") ", \"metadata\": {\"debug_handle\": \"5\"}},"
                          "{\"name\": \"bmm\", " OPERATION("bmm") ", \"inputs\": [" INPUT("a", "q") ", " INPUT(
                              "b",
                              "q") "], "
                                   "\"outputs\": [" TENSOR(
                                       "q") "], \"metadata\": {\"debug_handle\": \"x\"}},"
                                            "{\"name\": \"deconv\", " OPERATION("convolution") ", \"inputs\": [" INPUT(
                                                "input",
                                                "im") ", " INPUT("weight",
                                                                 "k") ", "
                                                                      "{\"name\": \"bias\", \"arg\": {\"as_none\": "
                                                                      "[]}}, {\"name\": \"transposed\", \"arg\": "
                                                                      "{\"as_bool\": true}}], "
                                                                      "\"outputs\": [" TENSOR(
                                                                          "im2") "], \"metadata\": null},"
                                                                                 "{\"name\": \"conv\", " OPERATION(
                                                                                     "con"
                                                                                     "vol"
                                                                                     "uti"
                                                                                     "on") ", \"inputs\": [" INPUT("inp"
                                                                                                                   "ut",
                                                                                                                   "im") ", " INPUT("weight",
                                                                                                                                    "k") ", "
                                                                                                                                         "{\"name\": \"transposed\", "
                                                                                                                                         "\"arg\": {\"as_bool\": "
                                                                                                                                         "false}}], \"outputs\": "
                                                                                                                                         "[" TENSOR("im2") "]},"
                                                                                                                                                           "{\"name\": "
                                                                                                                                                           "\"dynamic\","
                                                                                                                                                           " " OPERATION(
                                                                                                                                                               "linear") ", "
                                                                                                                                                                         "\"i"
                                                                                                                                                                         "npu"
                                                                                                                                                                         "ts"
                                                                                                                                                                         "\":"
                                                                                                                                                                         " "
                                                                                                                                                                         "[" INPUT("input", "s") ", " INPUT("weight", "b") "], "
                                                                                                                                                                                                                           "\"outputs\": [" TENSOR("s") "]},"
                                                                                                                                                                                                                                                        "{\"name\": \"cat\", " OPERATION("cat") ", \"inputs\": [{\"name\": \"tensors\", \"arg\": {\"as_tensors\": [{\"name\": \"a\"}, "
                                                                                                                                                                                                                                                                                                "{\"name\": \"b\"}]}}], \"outputs\": [{\"as_tensors\": [{\"name\": \"a\"}]}]},"
                                                                                                                                                                                                                                                                                                "{\"name\": \"index\", " OPERATION(
                                                                                                                                                                                                                                                                                                    "index") ", \"inputs\": [" INPUT("self", "a") ", {\"name\": \"indices\", \"arg\": "
                                                                                                                                                                                                                                                                                                                                                  "{\"as_optional_tensors\": [{\"as_none\": []}, {\"as_tensor\": {\"name\": \"i\"}}]}}], \"outputs\": [" TENSOR("gone") "]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                        "{\"name\": \"huge\", " OPERATION(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                            "mm") ", \"inputs\": [" INPUT("self",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "h") ", " INPUT("other", "h") "], "
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        "\"outputs\": [" TENSOR(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            "h") "]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "7, {}, {\"name\": \"text\", \"target\": \"torch.ops.aten.x.y\", \"inputs\": [{\"name\": \"s\", \"arg\": {\"as_string\": \"{\"}}]}"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "], \"tensor_values\": {"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"a\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 4}, {\"as_int\": 6}]}, \"b\": {\"dtype\": 6, \"sizes\": [{\"as_int\": 6}, {\"as_int\": 8}]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"w8\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 8}]}, \"o\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 4}, {\"as_int\": 8}]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"q\": {\"dtype\": 13, \"sizes\": [{\"as_int\": 2}, {\"as_int\": 3}, {\"as_int\": 3}]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"im\": {\"dtype\": 1, \"sizes\": [{\"as_int\": 1}, {\"as_int\": 2}, {\"as_int\": 5}, {\"as_int\": 5}]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"im2\": {\"dtype\": 2, \"sizes\": [{\"as_int\": 1}, {\"as_int\": 3}, {\"as_int\": 7}, {\"as_int\": 7}]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"k\": {\"dtype\": 12, \"sizes\": [{\"as_int\": 2}, {\"as_int\": 3}, {\"as_int\": 3}, {\"as_int\": 3}]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"s\": {\"dtype\": 7, \"sizes\": [{\"as_expr\": {\"expr_str\": \"s0\"}}, {\"as_int\": 8}]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"i\": {\"dtype\": 5, \"sizes\": []}, \"gone\": {\"dtype\": 99, \"sizes\": [{\"as_int\": -3}]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"h\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 9000000000000000000}, {\"as_int\": 9000000000000000000}]}"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "}}}}";

static void expect_node(const struct graph *graph, const char *name, const char *shape, const char *inputs,
                        const char *dtype, uint64_t macs, uint64_t bytes)
{
    const struct graph_node *node = node_named(graph, name);

    assert_string_equal(text_of(node->shape), shape);
    assert_string_equal(text_of(node->inputs), inputs);
    assert_string_equal(text_of(node->dtype), dtype);
    if (node->macs != macs || node->bytes != bytes)
        fail_msg("%s: %llu macs, %llu bytes", name, (unsigned long long)node->macs, (unsigned long long)node->bytes);
}

static void every_form_of_argument_counts(void **state)
{
    struct graph graph;

    (void)state;
    for (int deflated = 0; deflated < 2; deflated++) {
        assert_int_equal(graph_of_members(made_program, NULL, NULL, deflated, strings, &graph), STATUS_OK);
        assert_int_equal(graph.nodes.count, 10);
        expect_node(&graph, "addmm", "4x8", "8, 4x6, 6x8", "f32", 4 * 8 * 6, 4 * 8 + 4 * 24 + 2 * 48 + 4 * 32);
        assert_int_equal(node_named(&graph, "addmm")->debug_handle, 5);
        expect_node(&graph, "bmm", "2x3x3", "2x3x3, 2x3x3", "bf16", 18 * 3, 36);
        assert_int_equal(node_named(&graph, "bmm")->debug_handle, -1);
        expect_node(&graph, "deconv", "1x3x7x7", "1x2x5x5, 2x3x3x3", "i8", 50 * 27, 50 + 54 + 147);
        expect_node(&graph, "conv", "1x3x7x7", "1x2x5x5, 2x3x3x3", "i8", 147 * 27, 50 + 54 + 147);
        expect_node(&graph, "dynamic", "?x8", "?x8, 6x8", "f32", 0, 0);
        expect_node(&graph, "cat", "4x6", "4x6, 6x8", "f32", 0, 96 + 96);
        expect_node(&graph, "index", "?", "4x6, scalar", "", 0, 0);
        expect_node(&graph, "huge", "9000000000000000000x9000000000000000000",
                    "9000000000000000000x9000000000000000000, 9000000000000000000x9000000000000000000", "f32", 0, 0);
        assert_string_equal(text_of(node_named(&graph, "text")->type), "aten.x.y");
        graph_free(&graph);
    }
}

static void maps_are_read_in_any_order(void **state)
{
    struct graph graph;
    const struct graph_handle *handle;
    const struct graph_id *id;

    (void)state;
    assert_int_equal(
        graph_of_members(NULL, "{\"forward\": {\"10\": [3, 2, \"x\"], \"2\": 1, \"-1\": 4, \"y\": 5, \"2\": 7}}",
                         "{\"forward\": {\"9\": {\"name\": \"B\", \"delegate_map\": {\"5\": [1, 2], \"conv\": 3}}, "
                         "\"4\": {\"name\": \"A\"}}}",
                         true, strings, &graph),
        STATUS_OK);
    assert_int_equal(graph.handles.count, 3);
    handle = column_at(&graph.handles, 0);
    assert_true(handle->instruction == 2 && handle->handle == 7);
    handle = column_at(&graph.handles, 1);
    assert_true(handle->instruction == 10 && handle->handle == 3);
    assert_string_equal(text_of(graph_backend(&graph, 4)), "A");
    assert_string_equal(text_of(graph_backend(&graph, 9)), "B");
    assert_int_equal(graph.ids.count, 3);
    id = column_at(&graph.ids, 1);
    assert_true(id->instruction == 9 && id->handle == 2);
    assert_string_equal(text_of(id->id), "5");
    graph_free(&graph);
    /* A map without methods, and one of another method only. */
    assert_int_equal(
        graph_of_members(NULL, "{\"0\": 8}", "{\"encode\": {\"0\": {\"name\": \"C\"}}}", false, strings, &graph),
        STATUS_OK);
    assert_int_equal(graph.handles.count, 1);
    assert_string_equal(text_of(graph_backend(&graph, 0)), "C");
    graph_free(&graph);
}

static void another_method_serves_where_forward_is_missing(void **state)
{
    static const char program[] =
        "{\"graph_module\": {\"graph\": {\"nodes\": [{\"name\": \"n\", \"target\": \"t\"}]}}}";
    static const char map[] = "{\"decode\": {\"0\": 1}, \"encode\": {\"0\": 2}}";
    struct zip_writer zip = { 0 };
    struct graph graph;

    (void)state;
    zip_add(&zip, "edge_dialect_exported_program/encode_state_dict", "x", 1, false);
    zip_add(&zip, "edge_dialect_exported_program/encode", program, sizeof program - 1, false);
    zip_add(&zip, "edge_dialect_exported_program/decode", "broken", 6, false);
    zip_add(&zip, "debug_handle_map", map, sizeof map - 1, false);
    zip_finish(&zip, "");
    assert_int_equal(graph_of_bytes(zip.bytes, zip.length, strings, &graph), STATUS_OK);
    assert_string_equal(text_of(graph.method), "encode");
    assert_int_equal(graph.nodes.count, 1);
    assert_int_equal(((const struct graph_handle *)column_at(&graph.handles, 0))->handle, 2);
    graph_free(&graph);
    free(zip.bytes);
}

/* ---- Bad records ------------------------------------------------------------------------------------------------- */

static void expect_refused(const char *program, const char *handles, const char *delegates, const char *what)
{
    struct graph graph;

    if (graph_of_members(program, handles, delegates, false, strings, &graph) != STATUS_INPUT)
        fail_msg("taken, where \"%s\" was expected", what);
    if (!strstr(status_message(), what))
        fail_msg("\"%s\" does not say \"%s\"", status_message(), what);
    graph_free(&graph);
}

static void broken_members_are_refused(void **state)
{
    (void)state;
    expect_refused(NULL, NULL, NULL, "a.etrecord: is a zip archive, but holds no graph");
    expect_refused("{\"graph_module\": {\"graph\":", NULL, NULL,
                   "a.etrecord(edge_dialect_exported_program/forward):1:");
    expect_refused("[1]", NULL, NULL, "a JSON object should be here");
    expect_refused(NULL, "{\"forward\": {\"0\":", NULL, "a.etrecord(debug_handle_map):1:18:");
    expect_refused(NULL, NULL, "x", "a.etrecord(delegate_map):1:1:");
    expect_refused(
        "{\"graph_module\": {\"graph\": {\"nodes\": [{\"target\": \"x.executorch_call_delegate\", \"inputs\": "
        "[{\"arg\": {\"as_string\": \"{\\\"backend_id\\\": \"}}]}]}}}",
        NULL, NULL, "while reading the graph of delegate 1");
    expect_refused(
        "{\"graph_module\": {\"graph\": {\"nodes\": [{\"target\": \"x.executorch_call_delegate\", \"inputs\": "
        "[{\"arg\": {\"as_string\": \"{\\\"backend_id\\\": ",
        NULL, NULL, "has no end");
}

/* Where a part is not what it should be, but the text is JSON, that part is passed over. */
static void parts_of_another_type_are_passed(void **state)
{
    static const char *const programs[] = {
        "{}",
        "{\"graph_module\": 1}",
        "{\"graph_module\": {\"graph\": [1]}}",
        "{\"graph_module\": {\"graph\": {\"nodes\": {}}}}",
        "{\"graph_module\": {\"graph\": {\"nodes\": [null, [1], \"x\"], \"tensor_values\": {\"a\": 1, \"b\": "
        "{\"sizes\": 1}}}}}",
        "{\"graph_module\": {\"graph\": {\"tensor_values\": {\"b\": {\"sizes\": [1, {\"as_int\": \"x\"}, {}], "
        "\"dtype\": \"f\"}}}}}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct graph graph;

        assert_int_equal(graph_of_members(programs[i], "[1]", "{\"forward\": 3}", false, strings, &graph), STATUS_OK);
        assert_int_equal(graph.nodes.count, 0);
        graph_free(&graph);
    }
}

static void a_program_cut_anywhere_is_an_error(void **state)
{
    char cut[sizeof made_program];

    (void)state;
    for (size_t length = 1; length + 1 < sizeof made_program; length += 7) {
        struct graph graph;

        memcpy(cut, made_program, length);
        cut[length] = '\0';
        assert_int_equal(graph_of_members(cut, NULL, NULL, false, strings, &graph), STATUS_INPUT);
        graph_free(&graph);
    }
}

static void failed_allocations_are_reported(void **state)
{
    struct input *input;
    struct graph graph;
    status done = STATUS_MEMORY;

    (void)state;
    for (uint64_t nth = 1; done != STATUS_OK; nth++) {
        assert_int_equal(input_open(data_path("etrecord/broken_graph.etrecord"), &input), STATUS_OK);
        memory_fail_at(nth);
        done = graph_of_input(input, "x", strings, &graph);
        memory_fail_at(0);
        assert_true(done == STATUS_OK || done == STATUS_MEMORY);
        graph_free(&graph);
        input_close(input);
    }
}

/* ---- Reader ------------------------------------------------------------------------------------------------------ */

static void records_are_recognised(void **state)
{
    static const char named[] = "PK\3\4..........................edge_dialect_exported_program/forward";
    const struct reader *reader;
    struct input *input;

    (void)state;
    assert_int_equal(input_open(data_path("etrecord/mobilenet.etrecord"), &input), STATUS_OK);
    assert_int_equal(reader_detect(input, "x", &reader), STATUS_OK);
    assert_ptr_equal(reader, &etrecord_reader);
    input_close(input);
    assert_true(etrecord_reader.probe((struct text){ named, sizeof named - 1 }, "x") > 50);
    assert_int_equal(etrecord_reader.probe((struct text){ named, 30 }, "x"), 0);
    assert_int_equal(etrecord_reader.probe((struct text){ "PK\3\4", 4 }, "x"), 0);
    assert_int_equal(etrecord_reader.probe((struct text){ "", 0 }, "x.etrecord"), 0);
}

static void a_record_has_no_times(void **state)
{
    struct input *input;
    struct source source = { 0 };

    (void)state;
    assert_int_equal(input_open(data_path("etrecord/mobilenet.etrecord"), &input), STATUS_OK);
    source.input = input;
    assert_int_equal(etrecord_reader.read(&source, NULL), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "no times: give it with --etrecord, together with an ETDump"));
    input_close(input);
}

/* ---- Weights ----------------------------------------------------------------------------------------------------- */

static char *put_text(char *to, const char *text)
{
    size_t length = strlen(text);

    memcpy(to, text, length);
    return to + length;
}

/* A delegate with weights in the three ways in which they occur: as text, as text inside text, and before and after the graph. */
static void weights_are_passed_over(void **state)
{
    static const char *const parts[] = {
        "{\"graph_module\": {\"graph\": {\"nodes\": [{\"name\": \"call\", \"target\": "
        "\"torch.ops.higher_order.executorch_call_delegate\", "
        "\"inputs\": [{\"name\": \"m\", \"arg\": {\"as_string\": \"{\\\"processed_bytes\\\": \\\"",
        "\\\", \\\"backend_id\\\": \\\"Xnn\\\\u0070ack\\\", \\\"named_data_store\\\": \\\"{\\\\\\\"buffers\\\\\\\": "
        "[\\\\\\\"",
        "\\\\\\\"], \\\\\\\"x\\\\\\\": \\\\\\\"\\\\\\\\\\\\\\\"\\\\\\\"}\\\", \\\"original_module\\\": "
        "{\\\"graph_module\\\": {\\\"graph\\\": {\\\"nodes\\\": [{\\\"name\\\": "
        "\\\"inner\\\", \\\"target\\\": \\\"aten.add.Tensor\\\", \\\"metadata\\\": {\\\"stack_trace\\\": \\\"File "
        "\\\\\\\"m.py\\\\\\\", "
        "line 3, in f\\\\n  y\\\"}}]}}}, \\\"original_state_dict\\\": \\\"",
        "\\\"}\"}}]}, {\"name\": \"after\", \"target\": \"aten.sub.Tensor\"}]}}}",
    };
    static const size_t weights = (size_t)40 << 20;
    char *program = malloc(weights + 4096), *to = program, path[] = "/tmp/tacho-etrecord-XXXXXX";
    struct zip_writer zip = { 0 };
    struct graph graph;
    int file = mkstemp(path);

    (void)state;
    assert_non_null(program);
    assert_true(file >= 0);
    for (size_t i = 0; i < 4; i++) {
        to = put_text(to, parts[i]);
        if (i < 3) {
            memset(to, 'Q', weights / 3);
            to += weights / 3;
        }
    }
    zip_add(&zip, "edge_dialect_exported_program/forward", program, (size_t)(to - program), false);
    zip_finish(&zip, "");
    assert_int_equal(write(file, zip.bytes, zip.length), zip.length);
    close(file);
    free(zip.bytes);
    free(program);
    assert_int_equal(graph_of_file(path, strings, &graph), STATUS_OK);
    unlink(path);
    assert_int_equal(graph.nodes.count, 3);
    assert_string_equal(text_of(graph_delegate(&graph, 0)->backend), "Xnnpack");
    assert_int_equal(graph_delegate(&graph, 0)->outer_node, 0);
    assert_string_equal(text_of(node_named(&graph, "inner")->file), "m.py");
    assert_int_equal(node_named(&graph, "inner")->delegate, 0);
    assert_int_equal(node_named(&graph, "after")->delegate, NO_ID);
    graph_free(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_graph_with_delegates_is_whole),
        cmocka_unit_test(all_the_work_is_counted),
        cmocka_unit_test(the_users_own_frame_is_taken),
        cmocka_unit_test(the_innermost_module_is_taken),
        cmocka_unit_test(every_form_of_argument_counts),
        cmocka_unit_test(maps_are_read_in_any_order),
        cmocka_unit_test(another_method_serves_where_forward_is_missing),
        cmocka_unit_test(broken_members_are_refused),
        cmocka_unit_test(parts_of_another_type_are_passed),
        cmocka_unit_test(a_program_cut_anywhere_is_an_error),
        cmocka_unit_test(failed_allocations_are_reported),
        cmocka_unit_test(records_are_recognised),
        cmocka_unit_test(a_record_has_no_times),
        cmocka_unit_test(weights_are_passed_over),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
