/* test_findings.c: what is found in one side: portable operators, moved data, the runtime, rates; and in real runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "findings_sides.h"

/* ---- Portable operators ------------------------------------------------------------------------------------------ */

static void what_saves_most_comes_first(void **state)
{
    struct operators side;
    struct findings findings;
    struct advised advised;

    (void)state;
    start(&side, 1000000);
    add(&side, "Fully Connected (NC, F32) GEMM #1", 0, 400000);
    add(&side, "native_call_add.out", NO_ID, 60000);
    add(&side, "Transpose (ND, X32) #1", 1, 150000);
    add(&side, "native_call_cumsum.out", NO_ID, 120000);
    add(&side, "native_call_topk.values", NO_ID, 40000);
    add(&side, "native_call_gt.Scalar_out", NO_ID, 30000);
    add(&side, "Fully Connected (NC, F32) GEMM #1", 2, 180000);
    advise(&side, &advised);
    expect_text(advised.advice.items[0]->title, "Keep one layout: do without Transpose (ND, X32)");
    expect_saving(advised.advice.items[0], 150000);
    expect_text(advised.advice.items[1]->title, "3 smaller kernels");
    expect_saving(advised.advice.items[1], 130000);
    expect_text(advised.advice.items[1]->evidence, "a rule for add (60.000µs)");
    expect_text(advised.advice.items[2]->title, "Replace cumsum, or give it a faster kernel");
    expect_text(advised.advice.items[2]->evidence, "no rule for cumsum");
    expect_text(advised.advice.items[2]->assumes, "if it took no time");
    expect_saving(advised.advice.items[2], 120000);
    advised_free(&advised);
    find_in(&side, &findings);
    assert_true(bottleneck(&findings, BOTTLENECK_PORTABLE_SHARE)->percent > 24.9);
    assert_int_equal(bottleneck(&findings, BOTTLENECK_PORTABLE_SHARE)->row.count, 4);
    expect_text(bottleneck(&findings, BOTTLENECK_DELEGATES)->text,
                "3 delegates with 4 portable operators between them");
    assert_non_null(bottleneck(&findings, BOTTLENECK_DATA_MOVEMENT));
    findings_free(&findings);
    operators_free(&side);
}

/* Thirty small ones of one type are one item, the longest in its first row. */
static void repeated_operators_are_one(void **state)
{
    struct operators side;
    struct advised advised;
    const struct advice_item *found;

    (void)state;
    start(&side, 1000000);
    add(&side, "Fully Connected (NC, F32) GEMM #1", 0, 600000);
    for (int i = 0; i < 30; i++)
        add(&side, "native_call_mul.out", NO_ID, 10000 + i);
    advise(&side, &advised);
    found = advice(&advised, "Get 30 x mul delegated");
    expect_saving(found, 300435);
    assert_int_equal(found->row_count, ADVICE_ROWS);
    assert_int_equal(found->rows_left, 30 - ADVICE_ROWS);
    assert_true(fabs(found->rows[0].ns - 10029) <= 0.5);
    assert_string_equal(advised.advice.dominant->rows[0].name, "Fully Connected (NC, F32) GEMM #1");
    advised_free(&advised);
    operators_free(&side);
}

static void nothing_is_delegated(void **state)
{
    struct operators side;
    struct advised advised;

    (void)state;
    start(&side, 1000000);
    add(&side, "native_call_convolution.out", NO_ID, 700000);
    add(&side, "native_call_nonzero.out", NO_ID, 200000);
    advise(&side, &advised);
    expect_text(advised.advice.items[0]->title, "Export with the XNNPACK partitioner");
    expect_text(advised.advice.items[1]->title, "Replace nonzero");
    assert_null(advice(&advised, "convolution"));
    advised_free(&advised);
    operators_free(&side);
}

/* What a delegate would take is what memory allows; types that XNNPACK does not take, and others that it does, are told. */
static void portable_under_a_roof(void **state)
{
    struct graph_node quick = { .bytes = 1000000, .type = id("aten.mul.Tensor"), .dtype = id("f32") };
    struct graph_node slow = { .bytes = 500000, .type = id("aten.mul.Tensor"), .dtype = id("i64") };
    struct operators side;
    struct advised advised;

    (void)state;
    start(&side, 1000000);
    add(&side, "Multiply (ND) #1", 0, 100000)->node = &quick; /* 10 GB/s */
    add(&side, "native_call_mul.out", NO_ID, 800000)->node = &slow;
    advise(&side, &advised);
    expect_saving(advice(&advised, "Get mul delegated"), 750000);
    expect_text(advice(&advised, "Get mul delegated")->assumes, "its tensors at 10.0 GB/s");
    expect_text(advice(&advised, "Get mul delegated")->evidence, "not with results of type i64");
    advised_free(&advised);
    slow.dtype = id("f32");
    advise(&side, &advised);
    expect_text(advice(&advised, "Get mul delegated")->evidence, "1 other mul of this model is delegated");
    expect_text(advice(&advised, "Get mul delegated")->ruled_out, "f32 can be delegated");
    advised_free(&advised);
    operators_free(&side);
}

/* ---- Data movement ----------------------------------------------------------------------------------------------- */

static void transposes_at_borders(void **state)
{
    struct operators side;
    struct findings findings;
    struct advised advised;

    (void)state;
    start(&side, 1000000);
    for (uint32_t i = 0; i < 4; i++) {
        add(&side, "Transpose (ND, X32) #1", i, 30000);
        add(&side, "Convolution (NHWC, F32) IGEMM #1", i, 150000)->place = 1;
        add(&side, "Transpose (ND, X32) #2", i, 30000)->place = 2;
    }
    add(&side, "Convert (NC, F32, QD8) #1", 3, 10000)->place = 3;
    advise(&side, &advised);
    expect_saving(advice(&advised, "Keep one layout: do without 8 x Transpose (ND, X32)"), 240000);
    expect_text(advised.advice.items[0]->evidence, "(24.0 %)");
    expect_text(advised.advice.items[0]->evidence,
                "At the start or the end of a delegate, where layouts change: 7 of 8");
    expect_text(advice(&advised, "Keep one data type: do without Convert (NC, F32, QD8)")->evidence, "data types");
    advised_free(&advised);
    operators_free(&side);
    /* At 10 % it is no bottleneck; a concatenation is the model's own. */
    start(&side, 1000000);
    add(&side, "Transpose (ND, X32) #1", 0, 60000);
    add(&side, "Concatenate (ND, X32) #1", 0, 40000);
    find_in(&side, &findings);
    assert_null(bottleneck(&findings, BOTTLENECK_DATA_MOVEMENT));
    findings_free(&findings);
    advise(&side, &advised);
    assert_null(advice(&advised, "Concatenate (ND, X32), "));
    expect_saving(advice(&advised, "Transpose"), 60000);
    advised_free(&advised);
    operators_free(&side);
}

/* ---- The runtime, and rates -------------------------------------------------------------------------------------- */

static void calls_and_framework(void **state)
{
    struct operators side;
    struct findings findings;
    struct advised advised;

    (void)state;
    start(&side, 1000000);
    add(&side, "Fully Connected (NC, F32) GEMM #1", 0, 800000);
    add_call(&side, true, 120000);
    find_in(&side, &findings);
    expect_text(bottleneck(&findings, BOTTLENECK_CALLS)->text, "12.0 %");
    expect_text(bottleneck(&findings, BOTTLENECK_FRAMEWORK)->text, "8.0 %");
    findings_free(&findings);
    advise(&side, &advised); /* the only run may be the cold one */
    assert_null(advice(&advised, "calls of the runtime"));
    expect_text(advised.advice.unjudged, "200.000µs of a run (20.0 %)");
    advised_free(&advised);
    side.left_out = 1;
    advise(&side, &advised);
    assert_null(advised.advice.unjudged);
    expect_saving(advice(&advised, "calls of the runtime"), 120000);
    expect_text(advice(&advised, "calls of the runtime")->ruled_out, "1 of 2 runs count, none of them cold");
    expect_saving(advice(&advised, "Method::execute does besides"), 80000);
    advised_free(&advised);
    side.warmup = 0; /* nobody looked */
    advise(&side, &advised);
    assert_null(advice(&advised, "calls of the runtime")->ruled_out);
    advised_free(&advised);
    operators_free(&side);
}

/* Calls that would go where delegates are joined; one that takes most of it is none of them. */
static void many_delegates(void **state)
{
    struct operators side;
    struct advised advised;

    (void)state;
    start(&side, 1000000);
    for (uint32_t i = 0; i < 10; i++) {
        add(&side, "Fully Connected (NC, F32) GEMM #1", i, 60000);
        add_call(&side, true, 30000);
        if (i < 9)
            add(&side, "native_call_view_copy.out", NO_ID, 1000);
    }
    side.left_out = 1;
    advise(&side, &advised);
    expect_saving(advice(&advised, "Join the 10 delegates"), 270000);
    expect_text(advised.advice.items[0]->evidence, "9 kernels outside of delegates stand between them: view_copy");
    assert_null(advice(&advised, "calls of the runtime"));
    advised_free(&advised);
    operators_call(&side, 3)->self += 300000;
    side.calls += 300000;
    side.execute += 300000;
    advise(&side, &advised);
    assert_null(advice(&advised, "Join"));
    expect_saving(advice(&advised, "calls of the runtime"), 600000);
    advised_free(&advised);
    operators_free(&side);
}

/* What nobody looked into is not held against a run, and not called healthy where it is most of it. */
static void what_is_not_known(void **state)
{
    struct operators side;
    struct advised advised;
    struct operator_sum *sum;

    (void)state;
    start(&side, 1000000);
    side.left_out = 1;
    sum = add(&side, "Delegate (not logged inside) #1", 0, 600000);
    sum->opaque = true;
    add(&side, "native_call_llama::update_cache.out", NO_ID, 350000);
    advise(&side, &advised);
    assert_false(advised.advice.healthy);
    expect_text(advised.advice.items[0]->evidence, "nothing of what is in it was logged");
    expect_text(advised.advice.unjudged, "950.000µs of a run (95.0 %)");
    expect_text(advised.advice.notes[1], "custom kernels (llama::update_cache)");
    assert_string_equal(advised.advice.parts[0].name, "delegates, not logged inside");
    assert_string_equal(advised.advice.parts[1].name, "custom kernels");
    advised_free(&advised);
    operators_free(&side);
    /* A gap that may be a loop: nothing says that it is the runtime's own time. */
    start(&side, 1000000);
    side.left_out = 1;
    add(&side, "Fully Connected (NC, F32) GEMM #1", 0, 600000);
    side.repeats = 390000;
    advise(&side, &advised);
    expect_saving(advice(&advised, "Method::execute does besides"), 10000);
    assert_null(advised.advice.unjudged);
    expect_text(advised.advice.notes[0], "390.000µs of a run (39.0 %) lie between calls");
    advised_free(&advised);
    operators_free(&side);
}

/* Slow for the best that work of its data type does here, and not near what memory gives. */
static void slow_for_its_work(void **state)
{
    struct graph_node fast = {
        .macs = 20000000, .bytes = 400000, .dtype = id("f32"), .type = id("aten.linear.default"), .shape = id("64x1000")
    };
    struct graph_node slow = { .macs = 20000000,
                               .bytes = 400000,
                               .dtype = id("f32"),
                               .type = id("aten.linear.default"),
                               .shape = id("4x1000"),
                               .module = id("head"),
                               .file = id("models.py"),
                               .line = 7 };
    struct operators side;
    struct advised advised;
    const struct advice_item *found;

    (void)state;
    start(&side, 2000000);
    add(&side, "Fully Connected (NC, F32) GEMM #1", 0, 400000)->node = &fast;
    add(&side, "Fully Connected (NC, F32) GEMM #2", 0, 1590000)->node = &slow;
    advise(&side, &advised);
    found = advice(&advised, "Bring the matrix product to the rate of like work: at 25 % of it");
    expect_saving(found, 1190000);
    assert_string_equal(found->rows[0].location, "models.py:7, head");
    expect_text(found->evidence,
                "25.2 GFLOP/s and 0.25 GB/s, where 100 GFLOP/s or 1.00 GB/s are reached by work of like");
    expect_text(found->evidence, "M=4");
    expect_text(found->ruled_out, "delegated to XnnpackBackend");
    advised_free(&advised);
    /* Another data type has its own best; then memory is what work of its size had. */
    operators_at(&side, 0)->type = id("Fully Connected (NC, QD8, F32, QC8W) GEMM");
    slow.bytes = 8000000;
    advise(&side, &advised);
    assert_null(advice(&advised, "rate of like work"));
    assert_true(advised.advice.healthy);
    assert_string_equal(advised.advice.items[0]->rows[0].name, "Fully Connected (NC, F32) GEMM #2");
    assert_int_equal(advised.advice.items[0]->bound, ADVICE_MEMORY);
    advised_free(&advised);
    operators_free(&side);
}

/* A small tensor in a cache says nothing about a large one, and nobody counts what a softmax computes. */
static void small_work_is_no_roof(void **state)
{
    struct graph_node cached = { .bytes = 4000000, .type = id("aten.mul.Tensor"), .dtype = id("f32") };
    struct graph_node large = { .bytes = 16000000, .type = id("aten.add.Tensor"), .dtype = id("f32") };
    struct graph_node softmax = { .bytes = 3000000, .type = id("aten._softmax.default"), .dtype = id("f32") };
    struct operators side;
    struct advised advised;

    (void)state;
    start(&side, 2000000);
    add(&side, "Multiply (ND) #1", 0, 20000)->node = &cached; /* 200 GB/s */
    add(&side, "Add (ND) #1", 0, 800000)->node = &large;      /* 20 */
    add(&side, "Softmax (NC, F32) #1", 0, 1000000)->node = &softmax;
    advise(&side, &advised);
    assert_null(advice(&advised, "rate of like work"));
    assert_true(advised.advice.healthy);
    advised_free(&advised);
    operators_free(&side);
}

/* A depthwise convolution is measured against half of what products do. */
static void depthwise_has_its_own_reach(void **state)
{
    struct graph_node product = { .macs = 50000000, .bytes = 1000000, .dtype = id("f32") };
    struct graph_node depthwise = { .macs = 5000000, .bytes = 4000000, .dtype = id("f32") };
    struct graph_node stream = { .bytes = 2000000, .dtype = id("f32") };
    struct advised advised;

    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        struct operators side;

        start(&side, 2000000);
        add(&side, "Fully Connected (NC, F32) GEMM #1", 0, 1000000)->node = &product; /* 100 GFLOP/s */
        add(&side, "Add (ND) #1", 0, 100000)->node = &stream;                         /* 20 GB/s */
        /* 12.5 of 50 GFLOP/s, or 28.6 of them */
        add(&side, "Convolution (NHWC, F32) DWConv #1", 0, slow ? 800000 : 350000)->node = &depthwise;
        advise(&side, &advised);
        if (slow)
            expect_saving(advice(&advised, "Bring the depthwise convolution"), 600000);
        else
            assert_null(advice(&advised, "depthwise"));
        advised_free(&advised);
        operators_free(&side);
    }
}

/* ---- Real runs --------------------------------------------------------------------------------------------------- */

struct real {
    struct operators operators;
    struct loaded loaded;
    struct kernel_log log;
};

static const char *data(const char *name, char path[4096])
{
    const char *folder = getenv("TACHO_TEST_DATA");

    snprintf(path, 4096, "%s/%s", folder ? folder : "tests/data", name);
    return path;
}

static void load(struct real *real, const char *dump, const char *record, const char *log)
{
    char path[4096], beside[4096];
    struct execution execution;
    struct load_options options = { .etrecord = record ? data(record, beside) : NULL, .no_etrecord = !record };

    data(dump, path);
    operators_start(&real->operators, pool);
    assert_int_equal(load_execution(path, &options, pool, &execution, &real->loaded), STATUS_OK);
    assert_int_equal(
        operators_add(&real->operators, path, &execution, real->loaded.has_graph ? &real->loaded.graph : NULL, NULL),
        STATUS_OK);
    execution_free(&execution);
    kernel_log_start(&real->log, pool);
    if (log) {
        kernel_log_free(&real->log);
        assert_int_equal(load_kernels(data(log, path), pool, &real->log), STATUS_OK);
        assert_true(operators_add_kernels(&real->operators, &real->log) > 0);
    }
}

static void unload(struct real *real)
{
    operators_free(&real->operators);
    loaded_free(&real->loaded);
    kernel_log_free(&real->log);
}

static void broken_graph(void **state)
{
    struct real on, off;
    struct operators_pair pair;
    struct findings findings;
    struct advised advised;
    struct findings_input input;

    (void)state;
    load(&on, "operators/broken_graph_mac_sme2_on_t1.etdump", "operators/broken_graph.etrecord",
         "operators/broken_graph_mac_sme2_on_trace_t1_xnntrace.log");
    load(&off, "operators/broken_graph_mac_sme2_off_t1.etdump", "operators/broken_graph.etrecord", NULL);
    pair = (struct operators_pair){
        .first = &on.operators, .second = &off.operators, .first_label = "on", .second_label = "off"
    };
    assert_int_equal(operators_pair_match(&pair), STATUS_OK);
    input = (struct findings_input){ .candidate = { .operators = &on.operators, .log = &on.log, .name = "mac_sme2_on" },
                                     .baseline = { .operators = &off.operators, .name = "mac_sme2_off" },
                                     .has_baseline = true,
                                     .pair = &pair,
                                     .etrecord = "broken_graph.etrecord" };
    find(&input, &findings);
    advise_pair(&input, &findings, &advised);
    unload(&on); /* nothing of it is needed any more */
    unload(&off);
    operators_pair_free(&pair);
    assert_int_equal(findings.nature, PAIR_SME2_ABSENT);
    expect_text(findings.pair, "mostly AVX-512");
    assert_int_equal(findings.no_sme2[CHECK_RUNNERS].answer, CHECK_NO);
    expect_text(advised.advice.items[0]->title, "cumsum");
    assert_string_equal(advised.advice.items[0]->rows[0].location, "models.py:56");
    assert_true(fabs(advice_share(&advised.advice, advised.advice.items[0]->ns) - 24.4) <= 0.05);
    expect_text(advised.advice.items[1]->title, "4 smaller kernels");
    expect_text(advised.advice.items[2]->title, "where");
    expect_text(bottleneck(&findings, BOTTLENECK_DELEGATES)->text,
                "3 delegates with 3 portable operators between them (cumsum, gt, where)");
    /* The three linears that share a name are three. */
    assert_int_equal(findings.shortfall_count, 4);
    assert_string_equal(findings.shortfalls[1].row.module, "b");
    assert_string_equal(findings.shortfalls[2].row.module, "a");
    assert_string_equal(findings.shortfalls[3].row.module, "c");
    assert_int_equal(findings.shortfalls[1].checks[CHECK_DELEGATED].answer, CHECK_YES);
    expect_text(findings.shortfalls[1].checks[CHECK_CONFIGURATION].text,
                "avx512f_broadcast (AVX-512), not an SME2 one");
    advised_free(&advised);
    findings_free(&findings);
}

static void mobilenet(void **state)
{
    struct real on;
    struct findings findings;
    struct advised advised;

    (void)state;
    load(&on, "operators/mobilenet_mac_sme2_on_t1.etdump.gz", "operators/mobilenet.etrecord",
         "operators/mobilenet_mac_sme2_on_trace_t1_xnntrace.log.gz");
    find(&(struct findings_input){ .candidate = { .operators = &on.operators, .log = &on.log, .name = "avx512" } },
         &findings);
    advise(&on.operators, &advised);
    unload(&on);
    assert_int_equal(findings.nature, PAIR_NONE);
    assert_int_equal(findings.shortfall_count, 0);
    assert_int_equal(findings.bottlenecks[0].kind, BOTTLENECK_OPERATOR);
    assert_string_equal(findings.bottlenecks[0].row.module, "features.2.body.0.0");
    assert_null(step(&findings, "spread of the runs")); /* the first run took 11.0 ms, and is warm-up */
    assert_true(advised.advice.healthy);
    expect_text(advised.advice.items[0]->title, "This is the model: 35 x Fully Connected (NC, F32) GEMM");
    assert_int_equal(advised.advice.items[0]->bound, ADVICE_ARITHMETIC);
    advised_free(&advised);
    findings_free(&findings);
}

static void synthetic_pair(void **state)
{
    struct real on, off;
    struct operators_pair pair;
    struct findings findings;
    struct advised advised;
    struct findings_input input;

    (void)state;
    load(&on, "operators/synth_mac_sme2_on_t1_exec_all_runs_timeline.csv.gz", NULL, NULL);
    load(&off, "operators/synth_mac_sme2_off_t1_exec_all_runs_timeline.csv.gz", NULL, NULL);
    pair = (struct operators_pair){
        .first = &off.operators, .second = &on.operators, .first_label = "off", .second_label = "on"
    };
    assert_int_equal(operators_pair_match(&pair), STATUS_OK);
    input = (struct findings_input){ .candidate = { .operators = &on.operators, .name = "mac_sme2_on" },
                                     .baseline = { .operators = &off.operators, .name = "mac_sme2_off" },
                                     .has_baseline = true,
                                     .pair = &pair };
    find(&input, &findings);
    advise_pair(&input, &findings, &advised);
    expect_text(bottleneck(&findings, BOTTLENECK_DATA_MOVEMENT)->text, "Its share was 7.7 % in the baseline");
    expect_text(advised.advice.items[0]->title, "48 x Transpose (ND, X32), Copy (NC, X32)");
    assert_null(advice(&advised, "SME2")); /* no log proves it */
    assert_non_null(advice(&advised, "30 smaller kernels"));
    assert_int_equal(findings.shortfall_count, 1); /* both categories have their 3x */
    assert_non_null(step(&findings, "Give the ETRecord"));
    advised_free(&advised);
    findings_free(&findings);
    operators_pair_free(&pair);
    unload(&on);
    unload(&off);
}

static void portable_net(void **state)
{
    struct real net;
    struct advised advised;

    (void)state;
    load(&net, "etrecord/mobilenet_portable.etdump.gz", "etrecord/mobilenet_portable.etrecord", NULL);
    advise(&net.operators, &advised);
    assert_int_equal(advised.advice.count, 1);
    expect_text(advised.advice.items[0]->title, "Export with the XNNPACK partitioner");
    expect_text(advised.advice.items[0]->evidence, "152 of the 152 operators");
    advised_free(&advised);
    unload(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_saves_most_comes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(portable_under_a_roof, set_up, tear_down),
        cmocka_unit_test_setup_teardown(repeated_operators_are_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_delegated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(transposes_at_borders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(calls_and_framework, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_delegates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_known, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slow_for_its_work, set_up, tear_down),
        cmocka_unit_test_setup_teardown(small_work_is_no_roof, set_up, tear_down),
        cmocka_unit_test_setup_teardown(depthwise_has_its_own_reach, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_graph, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mobilenet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(synthetic_pair, set_up, tear_down),
        cmocka_unit_test_setup_teardown(portable_net, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
