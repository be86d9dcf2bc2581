/* test_findings.c: bottlenecks, shortfalls and recommendations: of operators filled by hand, and of real runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "executorch/findings.h"
#include "executorch/load.h"

static struct strings *pool;

static string_id id(const char *text)
{
    string_id made;

    assert_int_equal(strings_add_text(pool, text, &made), STATUS_OK);
    return made;
}

static int set_up(void **state)
{
    (void)state;
    pool = model_strings();
    return pool ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    strings_free(pool);
    return 0;
}

/* ---- Sides filled by hand: one inference, a tick is a nanosecond ------------------------------------------------- */

static void start(struct operators *side, int64_t execute)
{
    operators_start(side, pool);
    side->clock = (struct clock){ .numerator = 1, .denominator = 1 };
    side->launches = 1;
    side->inferences = 1;
    side->execute = side->execute_least = side->execute_most = execute;
    side->framework = execute;
}

/* What is not in an operator stays with the framework. `delegate` NO_ID: portable. */
static struct operator_sum *add(struct operators *side, const char *name, uint32_t delegate, int64_t ticks)
{
    struct operator_sum *sum = column_append(&side->sums);
    struct text type = operator_type_of_name((struct text){ name, strlen(name) });
    uint32_t index = (uint32_t)side->sums.count - 1;

    assert_non_null(sum);
    *sum = (struct operator_sum){
        .name = id(name),
        .backend = delegate == NO_ID ? 0 : id("XnnpackBackend"),
        .event = delegate == NO_ID ? EVENT_PORTABLE : EVENT_DELEGATED,
        .kind = operator_kind_of(NULL, (struct text){ name, strlen(name) }),
        .instruction = (int32_t)index,
        .call = index,
        .delegate = delegate,
        .events = 1,
        .total = ticks,
        .self = ticks,
    };
    assert_int_equal(strings_add(pool, type.data, type.length, &sum->type), STATUS_OK);
    side->work += ticks;
    side->framework -= ticks;
    return sum;
}

static void move_to_calls(struct operators *side, int64_t ticks)
{
    side->calls += ticks;
    side->framework -= ticks;
}

static const struct bottleneck *bottleneck(const struct findings *findings, enum bottleneck_kind kind)
{
    for (size_t i = 0; i < findings->bottleneck_count; i++)
        if (findings->bottlenecks[i].kind == kind)
            return &findings->bottlenecks[i];
    return NULL;
}

static const struct recommendation *advice(const struct findings *findings, const char *title)
{
    for (size_t i = 0; i < findings->recommendation_count; i++)
        if (strstr(findings->recommendations[i].title, title))
            return &findings->recommendations[i];
    return NULL;
}

static void expect_text(const char *text, const char *piece)
{
    assert_non_null(text);
    if (!strstr(text, piece))
        fail_msg("\"%s\" does not say \"%s\"", text, piece);
}

/* What holds for all findings. */
static void check(const struct findings *findings, const struct findings_input *input)
{
    const struct operators *side = input->candidate.operators;
    double whole = side && side->inferences ? operators_average_ms(side, side->execute) : 0;
    bool optimises = false;

    for (size_t i = 0; i < findings->bottleneck_count; i++) {
        assert_non_null(findings->bottlenecks[i].text);
        assert_non_null(findings->bottlenecks[i].row.name);
        assert_non_null(bottleneck_key(findings->bottlenecks[i].kind));
        assert_non_null(bottleneck_title(findings->bottlenecks[i].kind));
        if (findings->bottlenecks[i].threshold > 0)
            assert_true(findings->bottlenecks[i].percent > findings->bottlenecks[i].threshold);
    }
    for (size_t i = 0; i < findings->shortfall_count; i++)
        for (int k = 0; k < CHECK_COUNT; k++) {
            assert_non_null(findings->shortfalls[i].checks[k].text);
            assert_non_null(check_question((enum check)k));
            assert_non_null(check_key((enum check)k));
            assert_non_null(check_answer_key(findings->shortfalls[i].checks[k].answer));
        }
    for (size_t i = 0; i < findings->recommendation_count; i++) {
        const struct recommendation *one = &findings->recommendations[i], *next = one + 1;

        assert_non_null(one->title);
        assert_non_null(one->text);
        assert_true(one->bound_ms >= 0 && one->bound_ms <= whole);
        assert_true(one->bound_ms <= 0 || one->bound);
        assert_int_equal(one->group == ADVICE_ANALYSIS, one->row_count == 0);
        assert_non_null(advice_group_key(one->group));
        assert_non_null(advice_group_title(one->group));
        optimises |= one->group != ADVICE_ANALYSIS;
        if (i + 1 < findings->recommendation_count) {
            assert_true(one->priority <= next->priority);
            assert_true(one->priority < next->priority || one->bound_ms >= next->bound_ms);
        }
    }
    assert_int_equal(optimises, findings->nothing == NULL);
    assert_non_null(pair_nature_key(findings->nature));
}

static void find(const struct findings_input *input, struct findings *findings)
{
    assert_int_equal(findings_find(input, findings), STATUS_OK);
    check(findings, input);
}

static void find_in(const struct operators *side, struct findings *findings)
{
    find(&(struct findings_input){ .candidate = { .operators = side } }, findings);
}

/* ---- Portable operators ------------------------------------------------------------------------------------------ */

static void portable_operators_come_first(void **state)
{
    struct operators side;
    struct findings findings;

    (void)state;
    start(&side, 1000000);
    add(&side, "Fully Connected (NC, F32) GEMM #1", 0, 400000);
    add(&side, "native_call_add.out", NO_ID, 60000);
    add(&side, "Transpose (ND, X32) #1", 1, 150000);
    add(&side, "native_call_cumsum.out", NO_ID, 100000);
    add(&side, "native_call_topk.values", NO_ID, 40000);
    add(&side, "native_call_gt.Scalar_out", NO_ID, 30000);
    add(&side, "Fully Connected (NC, F32) GEMM #1", 2, 180000);
    find_in(&side, &findings);
    assert_int_equal(findings.recommendations[0].priority, ADVICE_PORTABLE);
    expect_text(findings.recommendations[0].title, "Replace cumsum");
    expect_text(findings.recommendations[0].text, "no rule for cumsum");
    expect_text(findings.recommendations[0].bound, "at most 0.100 of 1.00 ms, if it took no time");
    expect_text(findings.recommendations[1].title, "2 smaller portable operators"); /* 7 %, before the 6 % of add */
    expect_text(findings.recommendations[2].title, "Get add delegated");
    expect_text(findings.recommendations[2].text, "has a rule for add");
    assert_int_equal(findings.recommendations[3].priority, ADVICE_MOVEMENT);
    assert_true(bottleneck(&findings, BOTTLENECK_PORTABLE_SHARE)->percent > 22.9);
    assert_int_equal(bottleneck(&findings, BOTTLENECK_PORTABLE_SHARE)->row.count, 4);
    expect_text(bottleneck(&findings, BOTTLENECK_DELEGATES)->text,
                "3 delegates with 4 portable operators between them");
    assert_non_null(bottleneck(&findings, BOTTLENECK_DATA_MOVEMENT));
    findings_free(&findings);
    operators_free(&side);
}

/* Thirty small ones of one type are one recommendation, with the sum in its first row. */
static void repeated_operators_are_one(void **state)
{
    struct operators side;
    struct findings findings;
    const struct recommendation *found;

    (void)state;
    start(&side, 1000000);
    add(&side, "Fully Connected (NC, F32) GEMM #1", 0, 600000);
    for (int i = 0; i < 30; i++)
        add(&side, "native_call_mul.out", NO_ID, 10000 + i);
    find_in(&side, &findings);
    found = advice(&findings, "Get 30 x mul delegated");
    assert_non_null(found);
    assert_int_equal(found->row_count, 6);
    assert_int_equal(found->rows_left, 25);
    assert_int_equal(found->rows[0].count, 30);
    assert_int_equal(found->rows[0].op, NO_ID);
    assert_true(found->rows[0].portable);
    assert_int_equal(found->rows[1].op, 30);                  /* the longest */
    assert_null(bottleneck(&findings, BOTTLENECK_DELEGATES)); /* all behind the only delegate */
    findings_free(&findings);
    operators_free(&side);
}

static void nothing_is_delegated(void **state)
{
    struct operators side;
    struct findings findings;

    (void)state;
    start(&side, 1000000);
    add(&side, "native_call_convolution.out", NO_ID, 800000);
    add(&side, "native_call_nonzero.out", NO_ID, 100000);
    find_in(&side, &findings);
    assert_int_equal(findings.recommendations[0].group, ADVICE_CONFIGURATION);
    expect_text(findings.recommendations[0].title, "Export with the XNNPACK partitioner");
    expect_text(findings.recommendations[1].title, "Replace nonzero");
    assert_null(advice(&findings, "convolution"));
    findings_free(&findings);
    operators_free(&side);
}

/* ---- Data movement ----------------------------------------------------------------------------------------------- */

static void transposes_at_borders(void **state)
{
    struct operators side;
    struct findings findings;
    const struct recommendation *found;

    (void)state;
    start(&side, 1000000);
    for (uint32_t i = 0; i < 4; i++) {
        add(&side, "Transpose (ND, X32) #1", i, 30000);
        add(&side, "Convolution (NHWC, F32) IGEMM #1", i, 150000)->place = 1;
        add(&side, "Transpose (ND, X32) #2", i, 30000)->place = 2;
    }
    find_in(&side, &findings);
    found = advice(&findings, "Move less data: Transpose (ND, X32)");
    assert_non_null(found);
    assert_int_equal(found->priority, ADVICE_MOVEMENT);
    expect_text(found->text, "24.0 %");
    expect_text(found->text, "8 of 8 stand at the start or the end of one of 4 delegates");
    findings_free(&findings);
    operators_free(&side);
    /* At 10 % it is none. */
    start(&side, 1000000);
    add(&side, "Transpose (ND, X32) #1", 0, 100000);
    find_in(&side, &findings);
    assert_null(bottleneck(&findings, BOTTLENECK_DATA_MOVEMENT));
    assert_null(advice(&findings, "Move less data"));
    findings_free(&findings);
    operators_free(&side);
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

struct two_sides {
    struct operators on, off;
    struct operators_pair pair;
    struct kernel_log log;
    struct findings_input input;
};

static void start_pair(struct two_sides *two, const char *candidate, const char *baseline)
{
    *two = (struct two_sides){ 0 };
    start(&two->on, 1000000);
    add(&two->on, "Fully Connected (NC, F32) GEMM #1", 0, 500000);
    add(&two->on, "Fully Connected (NC, F32) GEMM #2", 0, 100000)->place = 1;
    add(&two->on, "Convolution (NHWC, F32) DWConv #1", 0, 200000)->place = 2;
    start(&two->off, 2000000);
    add(&two->off, "Fully Connected (NC, F32) GEMM #1", 0, 600000);
    add(&two->off, "Fully Connected (NC, F32) GEMM #2", 0, 500000)->place = 1;
    add(&two->off, "Convolution (NHWC, F32) DWConv #1", 0, 200000)->place = 2;
    two->pair =
        (struct operators_pair){ .first = &two->on, .second = &two->off, .first_label = "on", .second_label = "off" };
    assert_int_equal(operators_pair_match(&two->pair), STATUS_OK);
    kernel_log_start(&two->log, pool);
    two->input = (struct findings_input){
        .candidate = { .operators = &two->on, .name = candidate, .dump = "a file's.etdump" },
        .baseline = { .operators = &two->off, .name = baseline, .dump = "off.etdump" },
        .has_baseline = true,
        .pair = &two->pair,
    };
}

static void free_pair(struct two_sides *two)
{
    operators_pair_free(&two->pair);
    operators_free(&two->on);
    operators_free(&two->off);
    kernel_log_free(&two->log);
}

static uint32_t add_kernel(struct two_sides *two, const char *name)
{
    struct kernel *kernel = column_append(&two->log.kernels);

    assert_non_null(kernel);
    *kernel = (struct kernel){ .name = id(name), .count = 1, .replaced_by = NO_ID };
    assert_int_equal(kernel_split(pool, (struct text){ name, strlen(name) }, kernel), STATUS_OK);
    two->input.candidate.log = &two->log;
    return (uint32_t)two->log.kernels.count - 1;
}

static void use_kernel(struct two_sides *two, uint32_t op, uint32_t kernel)
{
    struct kernel_use *use = column_append(&two->log.uses);

    assert_non_null(use);
    *use = (struct kernel_use){ .place = op, .kernel = kernel, .has_tile = true, .m = 64, .n = 32, .groups = 1 };
    two->log.has_execution = true;
    operators_at(&two->on, op)->use = use;
}

static void expected_by_name(void **state)
{
    struct two_sides two;
    struct findings findings;
    const struct shortfall *category, *first;

    (void)state;
    start_pair(&two, "mac_sme2_on", "mac_sme2_off");
    find(&two.input, &findings);
    assert_int_equal(findings.nature, PAIR_SME2_BY_NAME);
    assert_null(findings.kernels);
    assert_int_equal(findings.shortfall_count, 4); /* both categories, GEMM #1, DWConv; GEMM #2 has its 5x */
    category = &findings.shortfalls[0];
    first = &findings.shortfalls[2];
    assert_true(category->is_category);
    assert_string_equal(category->row.name, "GEMM");
    assert_true(category->row.speedup > 1.83 && category->row.speedup < 1.84);
    assert_string_equal(first->row.name, "Fully Connected (NC, F32) GEMM #1");
    assert_true(first->row.speedup > 1.19 && first->row.speedup < 1.21);
    assert_true(first->least > 2.9 && first->most > 14.9);
    assert_int_equal(first->checks[CHECK_DEVICE].answer, CHECK_OPEN);
    assert_int_equal(first->checks[CHECK_CONFIGURATION].answer, CHECK_OPEN);
    assert_int_equal(first->checks[CHECK_DELEGATED].answer, CHECK_YES);
    assert_true(findings.bottlenecks[findings.bottleneck_count - 1].kind == BOTTLENECK_OPERATOR);
    assert_true(bottleneck(&findings, BOTTLENECK_OPERATOR)->not_accelerated);
    /* 500 - 600 / 3 and 200 - 200 / 3 microseconds. */
    expect_text(advice(&findings, "why SME2 helps Fully Connected (NC, F32) GEMM little")->bound,
                "at most 0.300 of 1.00 ms");
    expect_text(advice(&findings, "DWConv little")->bound, "at most 0.133 of 1.00 ms");
    expect_text(advice(&findings, "5 or more launches")->text, "1 launch a side");
    expect_text(advice(&findings, "5 or more launches")->command, "'a file'\\''s.etdump'");
    expect_text(advice(&findings, "kernels are registered")->command, "tacho kernels --xnntrace-log");
    findings_free(&findings);
    free_pair(&two);
}

static void kernels_prove_sme2(void **state)
{
    struct two_sides two;
    struct findings findings;
    const struct shortfall *first;
    uint32_t neon;

    (void)state;
    start_pair(&two, "mac_sme2_on", "mac_sme2_off");
    add_kernel(&two, "xnn_f32_gemm_minmax_ukernel_32x32__neonsme2");
    neon = add_kernel(&two, "xnn_f32_gemm_minmax_ukernel_6x8__asm_aarch64_neonfma_ld128");
    use_kernel(&two, 0, neon);
    find(&two.input, &findings);
    assert_int_equal(findings.nature, PAIR_SME2);
    expect_text(findings.kernels, "1 are SME kernels (SME2: 1), and 0 of these ran");
    first = &findings.shortfalls[2];
    assert_int_equal(first->checks[CHECK_DEVICE].answer, CHECK_YES);
    assert_int_equal(first->checks[CHECK_RUNNERS].answer, CHECK_YES);
    assert_int_equal(first->checks[CHECK_CONFIGURATION].answer, CHECK_NO);
    expect_text(first->checks[CHECK_CONFIGURATION].text, "ld128 (NEON), not an SME2 one");
    expect_text(first->row.kernel, "neonfma");
    assert_int_equal(findings.shortfalls[3].checks[CHECK_CONFIGURATION].answer, CHECK_NO);
    expect_text(findings.shortfalls[3].checks[CHECK_CONFIGURATION].text, "registered SME kernels for it: 0");
    assert_null(findings.no_sme2);
    findings_free(&findings);
    free_pair(&two);
}

static void sme2_only_in_the_name(void **state)
{
    struct two_sides two;
    struct findings findings;

    (void)state;
    start_pair(&two, "mac_sme2_on", "mac_sme2_off");
    use_kernel(&two, 0, add_kernel(&two, "xnn_f32_gemm_minmax_ukernel_6x8__asm_aarch64_neonfma_ld128"));
    find(&two.input, &findings);
    assert_int_equal(findings.nature, PAIR_SME2_ABSENT);
    assert_non_null(findings.no_sme2);
    assert_int_equal(findings.no_sme2[CHECK_DEVICE].answer, CHECK_OPEN); /* NEON kernels: device or build */
    expect_text(advice(&findings, "Run the candidate with SME2 kernels")->bound, "at most 0.433 of 1.00 ms");
    assert_null(advice(&findings, "why SME2 helps"));
    findings_free(&findings);
    free_pair(&two);
    start_pair(&two, "mac_sme2_on", "mac_sme2_off");
    use_kernel(&two, 0, add_kernel(&two, "xnn_f32_gemm_minmax_ukernel_7x32__avx512f_broadcast"));
    find(&two.input, &findings);
    assert_int_equal(findings.no_sme2[CHECK_DEVICE].answer, CHECK_NO);
    assert_true(advice(&findings, "Measure on a device with SME2: AVX-512")->bound_ms <= 0);
    findings_free(&findings);
    free_pair(&two);
}

static void another_pair_expects_nothing(void **state)
{
    static const char *const names[][2] = {
        { "avx512", "avx2" }, { "sme2_t4", "sme2_t1" }, { "mac_sme2_off", "mac_sme2_on" }, { NULL, NULL }
    };
    struct two_sides two;
    struct findings findings;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        start_pair(&two, names[i][0], names[i][1]);
        find(&two.input, &findings);
        assert_int_equal(findings.nature, PAIR_OTHER);
        assert_int_equal(findings.shortfall_count, 0);
        expect_text(findings.pair, "not expected");
        assert_null(advice(&findings, "SME2"));
        findings_free(&findings);
        free_pair(&two);
    }
}

/* Also where the candidate is the pair's second side. */
static void slower_operators_are_found(void **state)
{
    struct two_sides two;
    struct findings findings;

    (void)state;
    start_pair(&two, "old", "new");
    two.input.candidate.operators = &two.off;
    two.input.baseline.operators = &two.on;
    find(&two.input, &findings);
    assert_non_null(advice(&findings, "why 2 x Fully Connected (NC, F32) GEMM became slower")); /* 0.83x and 0.2x */
    assert_null(advice(&findings, "DWConv became slower"));
    findings_free(&findings);
    free_pair(&two);
}

/* Many small ones of one type are one row. */
static void small_shortfalls_are_grouped(void **state)
{
    struct operators on, off;
    struct operators_pair pair;
    struct findings findings;

    (void)state;
    start(&on, 1000000);
    start(&off, 1500000);
    for (uint32_t i = 0; i < 20; i++) {
        add(&on, "Convolution (NHWC, F32) DWConv #1", 0, 5000)->place = i;
        add(&off, "Convolution (NHWC, F32) DWConv #1", 0, 5000)->place = i;
    }
    pair = (struct operators_pair){ .first = &on, .second = &off, .first_label = "on", .second_label = "off" };
    assert_int_equal(operators_pair_match(&pair), STATUS_OK);
    find(&(struct findings_input){ .candidate = { .operators = &on, .name = "SME2-On" },
                                   .baseline = { .operators = &off, .name = "SME2-Off" },
                                   .has_baseline = true,
                                   .latency = { .speedup = 1.5, .tested = true, .verdict = true },
                                   .pair = &pair },
         &findings);
    assert_int_equal(findings.shortfall_count, 2);
    assert_int_equal(findings.shortfalls[1].row.count, 20);
    assert_string_equal(findings.shortfalls[1].row.name, "20 x Convolution (NHWC, F32) DWConv");
    assert_int_equal(findings.shortfalls_left, 0);
    assert_null(advice(&findings, "launches"));
    findings_free(&findings);
    operators_pair_free(&pair);
    operators_free(&on);
    operators_free(&off);
}

/* ---- The runtime, and rates -------------------------------------------------------------------------------------- */

static void calls_and_framework(void **state)
{
    struct operators side;
    struct findings findings;

    (void)state;
    start(&side, 1000000);
    add(&side, "Fully Connected (NC, F32) GEMM #1", 0, 800000);
    move_to_calls(&side, 120000);
    find_in(&side, &findings);
    expect_text(bottleneck(&findings, BOTTLENECK_CALLS)->text, "12.0 %");
    expect_text(bottleneck(&findings, BOTTLENECK_FRAMEWORK)->text, "8.0 %");
    assert_non_null(advice(&findings, "calls of the runtime"));
    assert_non_null(advice(&findings, "Method::execute does besides"));
    findings_free(&findings);
    operators_free(&side);
}

static void slow_for_its_work(void **state)
{
    struct graph_node fast = {
        .macs = 20000000, .bytes = 400000, .dtype = id("f32"), .type = id("aten.linear.default"), .shape = id("64x1000")
    };
    struct graph_node slow = { .macs = 1000000,
                               .bytes = 4000000,
                               .dtype = id("f32"),
                               .type = id("aten.linear.default"),
                               .shape = id("1x1000"),
                               .module = id("head"),
                               .file = id("models.py"),
                               .line = 7 };
    struct operators side;
    struct findings findings;
    const struct bottleneck *rate;

    (void)state;
    start(&side, 1000000);
    add(&side, "Fully Connected (NC, F32) GEMM #1", 0, 400000)->node = &fast;
    add(&side, "Fully Connected (NC, F32) GEMM #2", 0, 590000)->node = &slow;
    find_in(&side, &findings);
    rate = bottleneck(&findings, BOTTLENECK_RATE);
    assert_non_null(rate);
    assert_string_equal(rate->row.module, "head");
    assert_string_equal(rate->row.source, "models.py:7");
    expect_text(rate->text, "runs at 3.4 GFLOP/s while Fully Connected (NC, F32) GEMM #1 reaches 100.0");
    expect_text(rate->text, "M=1");
    expect_text(advice(&findings, "the matrix-vector product at models.py:7, module head")->text, "only fewer bytes");
    findings_free(&findings);
    /* Another data type has its own best. */
    operators_at(&side, 0)->type = id("Fully Connected (NC, QD8, F32, QC8W) GEMM");
    find_in(&side, &findings);
    assert_null(bottleneck(&findings, BOTTLENECK_RATE));
    findings_free(&findings);
    operators_free(&side);
}

/* ---- Nothing, and odd input -------------------------------------------------------------------------------------- */

static void nothing_to_do(void **state)
{
    struct operators side;
    struct findings findings;

    (void)state;
    start(&side, 1000000);
    for (int i = 0; i < 33; i++)
        add(&side, "Clamp (NC, F32) #1", 0, 30000);
    find_in(&side, &findings);
    assert_int_equal(findings.bottleneck_count, 0);
    expect_text(findings.nothing, "portable operators take 0.0 %");
    findings_free(&findings);
    operators_free(&side);
}

static void odd_input(void **state)
{
    struct operators side;
    struct findings findings;
    struct findings_input empty = { 0 };

    (void)state;
    find(&empty, &findings);
    assert_int_equal(findings.bottleneck_count, 0);
    assert_int_equal(findings.note_count, 1);
    assert_non_null(findings.nothing);
    findings_free(&findings);
    operators_start(&side, pool); /* no inference */
    find_in(&side, &findings);
    assert_int_equal(findings.note_count, 1);
    findings_free(&findings);
    start(&side, 0);
    add(&side, "native_call_add.out", NO_ID, 0);
    find_in(&side, &findings); /* no time */
    expect_text(findings.notes[0], "no time that the clock could tell");
    findings_free(&findings);
    side.no_clock = true;
    find_in(&side, &findings);
    expect_text(findings.notes[0], "had no clock");
    findings_free(&findings);
    operators_free(&side);
    start(&side, 1000); /* children longer than their parent, and a run that failed */
    add(&side, "native_call_cumsum.out", NO_ID, 5000);
    side.overlapping = true;
    side.outside = 1;
    find_in(&side, &findings);
    assert_int_equal(findings.note_count, 2);
    assert_true(findings.recommendations[0].bound_ms <= 0.001);
    findings_free(&findings);
    operators_free(&side);
}

/* A log whose uses point nowhere, a pair of other sides, a baseline without time. */
static void loose_ends(void **state)
{
    struct two_sides two;
    struct findings findings;
    struct operators other;

    (void)state;
    start_pair(&two, "sme2_on", "sme2_off");
    add_kernel(&two, "xnn_f32_gemm_minmax_ukernel_32x32__neonsme2");
    use_kernel(&two, 0, 77);
    find(&two.input, &findings);
    assert_null(findings.shortfalls[2].row.kernel);
    findings_free(&findings);
    operators_start(&other, pool);
    two.input.baseline.operators = &other;
    find(&two.input, &findings);
    assert_int_equal(findings.shortfall_count, 0);
    expect_text(findings.notes[0], "baseline has no usable times");
    findings_free(&findings);
    two.input.baseline.operators = NULL;
    two.input.candidate.operators = NULL; /* only the log is left */
    two.log.has_execution = false;
    find(&two.input, &findings);
    assert_int_equal(findings.nature, PAIR_SME2);
    expect_text(findings.kernels, "whether they ran is not proven");
    findings_free(&findings);
    kernel_at(&two.log, 0)->runs = 3; /* as a kernels.csv says it, without uses */
    two.log.has_execution = true;
    find(&two.input, &findings);
    expect_text(findings.kernels, "1 was seen to run, mostly SME2. 1 are SME kernels (SME2: 1), and 1 of these ran.");
    assert_non_null(advice(&findings, "Record times by operator"));
    findings_free(&findings);
    free_pair(&two);
}

static void out_of_memory(void **state)
{
    struct two_sides two;
    struct findings findings;
    status code = STATUS_MEMORY;

    (void)state;
    start_pair(&two, "sme2_on", "sme2_off");
    add(&two.on, "native_call_cumsum.out", NO_ID, 100000);
    add(&two.off, "native_call_cumsum.out", NO_ID, 100000);
    operators_pair_free(&two.pair);
    assert_int_equal(operators_pair_match(&two.pair), STATUS_OK);
    use_kernel(&two, 0, add_kernel(&two, "xnn_f32_gemm_minmax_ukernel_6x8__neonfma"));
    for (uint64_t nth = 1; nth < 200 && code != STATUS_OK; nth++) {
        memory_fail_at(nth);
        code = findings_find(&two.input, &findings);
        memory_fail_at(0);
        findings_free(&findings);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
    }
    assert_int_equal(code, STATUS_OK);
    free_pair(&two);
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
    const struct recommendation *first;

    (void)state;
    load(&on, "operators/broken_graph_mac_sme2_on_t1.etdump", "operators/broken_graph.etrecord",
         "operators/broken_graph_mac_sme2_on_trace_t1_xnntrace.log");
    load(&off, "operators/broken_graph_mac_sme2_off_t1.etdump", "operators/broken_graph.etrecord", NULL);
    pair = (struct operators_pair){
        .first = &on.operators, .second = &off.operators, .first_label = "on", .second_label = "off"
    };
    assert_int_equal(operators_pair_match(&pair), STATUS_OK);
    find(&(struct findings_input){ .candidate = { .operators = &on.operators, .log = &on.log, .name = "mac_sme2_on" },
                                   .baseline = { .operators = &off.operators, .name = "mac_sme2_off" },
                                   .has_baseline = true,
                                   .pair = &pair,
                                   .etrecord = "broken_graph.etrecord" },
         &findings);
    unload(&on); /* nothing of it is needed any more */
    unload(&off);
    operators_pair_free(&pair);
    assert_int_equal(findings.nature, PAIR_SME2_ABSENT);
    expect_text(findings.pair, "mostly AVX-512");
    assert_int_equal(findings.no_sme2[CHECK_RUNNERS].answer, CHECK_NO);
    first = &findings.recommendations[0];
    expect_text(first->title, "cumsum");
    assert_string_equal(first->rows[0].source, "models.py:56");
    assert_string_equal(first->rows[0].aten_op, "aten.cumsum.default");
    assert_true(first->rows[0].percent > 24.4 && first->rows[0].percent < 24.5);
    expect_text(first->ruled_out, "both run it alike (1.01x)");
    expect_text(findings.recommendations[1].title, "where");
    expect_text(findings.recommendations[2].title, "atan2");
    expect_text(findings.recommendations[3].title, "3 smaller portable operators");
    expect_text(bottleneck(&findings, BOTTLENECK_DELEGATES)->text,
                "3 delegates with 3 portable operators between them (cumsum, gt, where)");
    assert_int_equal(advice(&findings, "Join the 3 delegates")->group, ADVICE_ARCHITECTURE);
    /* The three linears that share a name are three. */
    assert_int_equal(findings.shortfall_count, 4);
    assert_string_equal(findings.shortfalls[1].row.module, "b");
    assert_string_equal(findings.shortfalls[2].row.module, "a");
    assert_string_equal(findings.shortfalls[3].row.module, "c");
    assert_int_equal(findings.shortfalls[1].checks[CHECK_DELEGATED].answer, CHECK_YES);
    expect_text(findings.shortfalls[1].checks[CHECK_CONFIGURATION].text,
                "avx512f_broadcast (AVX-512), not an SME2 one");
    findings_free(&findings);
}

static void mobilenet(void **state)
{
    struct real on;
    struct findings findings;
    const struct recommendation *found;

    (void)state;
    load(&on, "operators/mobilenet_mac_sme2_on_t1.etdump.gz", "operators/mobilenet.etrecord",
         "operators/mobilenet_mac_sme2_on_trace_t1_xnntrace.log.gz");
    find(&(struct findings_input){ .candidate = { .operators = &on.operators, .log = &on.log, .name = "avx512" } },
         &findings);
    unload(&on);
    assert_int_equal(findings.nature, PAIR_NONE);
    assert_int_equal(findings.shortfall_count, 0);
    assert_int_equal(findings.bottlenecks[0].kind, BOTTLENECK_OPERATOR);
    assert_string_equal(findings.bottlenecks[0].row.module, "features.2.body.0.0");
    assert_string_equal(findings.bottlenecks[0].row.shape, "M=12544 N=96");
    expect_text(bottleneck(&findings, BOTTLENECK_RATE)->text, "a depthwise convolution");
    found = advice(&findings, "4 depthwise convolutions");
    assert_non_null(found);
    assert_int_equal(found->priority, ADVICE_REST);
    expect_text(found->bound, "at most 0.312 of 6.69 ms");
    expect_text(advice(&findings, "matrix-vector product at models.py:32, module head")->text, "M=1");
    expect_text(advice(&findings, "smaller data type")->text, "53 GEMM and convolution operators in f32");
    assert_null(advice(&findings, "spread of the runs")); /* the first run took 11.0 ms, and is warm-up */
    findings_free(&findings);
}

static void synthetic_pair(void **state)
{
    struct real on, off;
    struct operators_pair pair;
    struct findings findings;

    (void)state;
    load(&on, "operators/synth_mac_sme2_on_t1_exec_all_runs_timeline.csv.gz", NULL, NULL);
    load(&off, "operators/synth_mac_sme2_off_t1_exec_all_runs_timeline.csv.gz", NULL, NULL);
    pair = (struct operators_pair){
        .first = &off.operators, .second = &on.operators, .first_label = "off", .second_label = "on"
    };
    assert_int_equal(operators_pair_match(&pair), STATUS_OK);
    find(&(struct findings_input){ .candidate = { .operators = &on.operators, .name = "mac_sme2_on" },
                                   .baseline = { .operators = &off.operators, .name = "mac_sme2_off" },
                                   .has_baseline = true,
                                   .pair = &pair },
         &findings);
    expect_text(bottleneck(&findings, BOTTLENECK_DATA_MOVEMENT)->text, "Its share was 7.7 % in the baseline");
    assert_int_equal(findings.recommendations[0].priority, ADVICE_PORTABLE);
    assert_int_equal(findings.recommendations[1].priority, ADVICE_MOVEMENT);
    expect_text(findings.recommendations[1].text, "48 operators");
    assert_int_equal(findings.recommendations[2].priority, ADVICE_LOW_SPEEDUP);
    expect_text(findings.recommendations[2].title, "24 x Convolution (NHWC, F32) DWConv");
    assert_int_equal(findings.shortfall_count, 1); /* both categories have their 3x */
    assert_non_null(advice(&findings, "Give the ETRecord"));
    findings_free(&findings);
    operators_pair_free(&pair);
    unload(&on);
    unload(&off);
}

static void portable_net(void **state)
{
    struct real net;
    struct findings findings;

    (void)state;
    load(&net, "etrecord/mobilenet_portable.etdump.gz", "etrecord/mobilenet_portable.etrecord", NULL);
    find_in(&net.operators, &findings);
    expect_text(findings.recommendations[0].title, "Export with the XNNPACK partitioner");
    expect_text(findings.recommendations[0].text, "Not one of the 152 operators is delegated");
    assert_int_equal(findings.recommendations[1].group, ADVICE_ANALYSIS);
    findings_free(&findings);
    unload(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(portable_operators_come_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(repeated_operators_are_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_delegated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(transposes_at_borders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(expected_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kernels_prove_sme2, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sme2_only_in_the_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_pair_expects_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slower_operators_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(small_shortfalls_are_grouped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(calls_and_framework, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slow_for_its_work, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_to_do, set_up, tear_down),
        cmocka_unit_test_setup_teardown(odd_input, set_up, tear_down),
        cmocka_unit_test_setup_teardown(loose_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(out_of_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_graph, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mobilenet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(synthetic_pair, set_up, tear_down),
        cmocka_unit_test_setup_teardown(portable_net, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
