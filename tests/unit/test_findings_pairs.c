/* test_findings_pairs.c: what is found in two sides beside each other, in none, and in odd ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "findings_sides.h"

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
    struct advised advised;
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
    advise_pair(&two.input, &findings, &advised);
    assert_null(advice(&advised, "SME2")); /* names alone promise nothing */
    advised_free(&advised);
    expect_text(step(&findings, "5 or more launches")->text, "1 launch a side");
    expect_text(step(&findings, "5 or more launches")->command, "'a file'\\''s.etdump'");
    expect_text(step(&findings, "kernels are registered")->command, "tacho kernels --xnntrace-log");
    findings_free(&findings);
    free_pair(&two);
}

static void kernels_prove_sme2(void **state)
{
    struct two_sides two;
    struct findings findings;
    struct advised advised;
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
    assert_int_equal(findings.shortfalls[3].checks[CHECK_CONFIGURATION].answer, CHECK_NO);
    expect_text(findings.shortfalls[3].checks[CHECK_CONFIGURATION].text, "registered SME kernels for it: 0");
    assert_null(findings.no_sme2);
    advise_pair(&two.input, &findings, &advised);
    /* 500 - 600 / 3 microseconds. */
    expect_saving(advice(&advised, "why SME2 helps Fully Connected (NC, F32) GEMM #1 little"), 300000);
    expect_text(advised.advice.items[0]->evidence, "(1.20x), where 3x to 15x is expected");
    assert_null(advice(&advised, "DWConv")); /* no kernel is there for it */
    advised_free(&advised);
    findings_free(&findings);
    add_kernel(&two, "xnn_f32_dwconv_minmax_ukernel_9p4c__neonsme2");
    find(&two.input, &findings);
    advise_pair(&two.input, &findings, &advised);
    expect_saving(advice(&advised, "DWConv #1 little"), 133333); /* 200 - 200 / 3 */
    advised_free(&advised);
    findings_free(&findings);
    two.input.baseline.log = &two.log; /* both builds have it: this is no such pair */
    find(&two.input, &findings);
    assert_int_equal(findings.nature, PAIR_OTHER);
    findings_free(&findings);
    free_pair(&two);
}

static void sme2_only_in_the_name(void **state)
{
    struct two_sides two;
    struct findings findings;
    struct advised advised;

    (void)state;
    start_pair(&two, "mac_sme2_on", "mac_sme2_off");
    use_kernel(&two, 0, add_kernel(&two, "xnn_f32_gemm_minmax_ukernel_6x8__asm_aarch64_neonfma_ld128"));
    find(&two.input, &findings);
    assert_int_equal(findings.nature, PAIR_SME2_ABSENT);
    assert_non_null(findings.no_sme2);
    assert_int_equal(findings.no_sme2[CHECK_DEVICE].answer, CHECK_OPEN); /* NEON kernels: device or build */
    advise_pair(&two.input, &findings, &advised);
    expect_saving(advice(&advised, "Run the candidate with SME2 kernels"), 433333);
    assert_null(advice(&advised, "why SME2 helps"));
    advised_free(&advised);
    findings_free(&findings);
    free_pair(&two);
    start_pair(&two, "mac_sme2_on", "mac_sme2_off");
    use_kernel(&two, 0, add_kernel(&two, "xnn_f32_gemm_minmax_ukernel_7x32__avx512f_broadcast"));
    find(&two.input, &findings);
    assert_int_equal(findings.no_sme2[CHECK_DEVICE].answer, CHECK_NO);
    assert_non_null(step(&findings, "Measure on a device with SME2: AVX-512"));
    advise_pair(&two.input, &findings, &advised);
    assert_null(advice(&advised, "SME2"));
    advised_free(&advised);
    findings_free(&findings);
    free_pair(&two);
}

/* What the candidate lost stands first, whatever else could save more. */
static void what_became_slower_is_first(void **state)
{
    struct two_sides two;
    struct findings findings;
    struct advised advised;

    (void)state;
    start_pair(&two, "mac_sme2_on", "mac_sme2_off");
    add_kernel(&two, "xnn_f32_gemm_minmax_ukernel_32x32__neonsme2");
    operators_at(&two.off, 1)->total = operators_at(&two.off, 1)->self = 100000;
    operators_at(&two.on, 1)->total = operators_at(&two.on, 1)->self = 250000;
    two.on.execute += 150000;
    find(&two.input, &findings);
    advise_pair(&two.input, &findings, &advised);
    expect_text(advised.advice.items[0]->title, "why Fully Connected (NC, F32) GEMM #2 became slower");
    expect_saving(advised.advice.items[0], 150000);
    expect_text(advised.advice.items[1]->title, "why SME2 helps Fully Connected (NC, F32) GEMM #1 little");
    expect_saving(advised.advice.items[1], 300000);
    advised_free(&advised);
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
    struct advised advised;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        start_pair(&two, names[i][0], names[i][1]);
        find(&two.input, &findings);
        assert_int_equal(findings.nature, PAIR_OTHER);
        assert_int_equal(findings.shortfall_count, 0);
        expect_text(findings.pair, "not expected");
        advise_pair(&two.input, &findings, &advised);
        assert_null(advice(&advised, "SME2"));
        advised_free(&advised);
        findings_free(&findings);
        free_pair(&two);
    }
}

/* Also where the candidate is the pair's second side. */
static void slower_operators_are_found(void **state)
{
    struct two_sides two;
    struct findings findings;
    struct advised advised;

    (void)state;
    start_pair(&two, "old", "new");
    two.input.candidate.operators = &two.off;
    two.input.baseline.operators = &two.on;
    find(&two.input, &findings);
    advise_pair(&two.input, &findings, &advised);
    expect_saving(advice(&advised, "why 2 x Fully Connected (NC, F32) GEMM became slower"),
                  500000); /* 0.83x and 0.2x */
    expect_text(advice(&advised, "became slower")->evidence, "It rests on 1 launch");
    assert_null(advice(&advised, "DWConv became slower"));
    advised_free(&advised);
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
                                   .latency = { .speedup = 1.5, .tested = true },
                                   .pair = &pair },
         &findings);
    assert_int_equal(findings.shortfall_count, 2);
    assert_int_equal(findings.shortfalls[1].row.count, 20);
    assert_string_equal(findings.shortfalls[1].row.name, "20 x Convolution (NHWC, F32) DWConv");
    assert_int_equal(findings.shortfalls_left, 0);
    assert_null(step(&findings, "launches"));
    findings_free(&findings);
    operators_pair_free(&pair);
    operators_free(&on);
    operators_free(&off);
}

/* ---- Nothing, and odd input -------------------------------------------------------------------------------------- */

static void nothing_to_do(void **state)
{
    struct operators side;
    struct findings findings;
    struct advised advised;

    (void)state;
    start(&side, 1000000);
    for (int i = 0; i < 33; i++)
        add(&side, "Clamp (NC, F32) #1", 0, 30000);
    find_in(&side, &findings);
    assert_int_equal(findings.bottleneck_count, 0);
    findings_free(&findings);
    advise(&side, &advised);
    assert_true(advised.advice.healthy);
    expect_text(advised.advice.items[0]->title, "This is the model: 33 x Clamp (NC, F32) takes 99.0 % of a run");
    assert_int_equal(advised.advice.items[0]->bound, ADVICE_UNKNOWN);
    advised_free(&advised);
    operators_free(&side);
}

static void odd_input(void **state)
{
    struct operators side;
    struct findings findings;
    struct findings_input empty = { 0 };
    struct advised advised;

    (void)state;
    find(&empty, &findings);
    assert_int_equal(findings.bottleneck_count, 0);
    assert_non_null(findings.note);
    findings_free(&findings);
    operators_start(&side, pool); /* no inference */
    find_in(&side, &findings);
    assert_non_null(findings.note);
    findings_free(&findings);
    start(&side, 0);
    add(&side, "native_call_add.out", NO_ID, 0);
    find_in(&side, &findings); /* no time */
    expect_text(findings.note, "no time that the clock could tell");
    findings_free(&findings);
    advise(&side, &advised);
    assert_int_equal(advised.advice.count, 0);
    advised_free(&advised);
    side.no_clock = true;
    advise(&side, &advised);
    expect_text(advised.advice.notes[0], "had no clock");
    advised_free(&advised);
    operators_free(&side);
    start(&side, 1000); /* children longer than their parent, and a run that failed */
    add(&side, "native_call_cumsum.out", NO_ID, 5000);
    side.framework = 0;
    side.overlapping = true;
    side.outside = 1;
    advise(&side, &advised);
    expect_text(advised.advice.notes[0], "overlap");
    expect_text(advised.advice.notes[1], "1 event of runs without Method::execute is in no sum");
    expect_saving(advised.advice.items[0], 1000);
    advised_free(&advised);
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
    expect_text(findings.shortfalls[2].checks[CHECK_CONFIGURATION].text, "the log does not tell which kernel ran");
    findings_free(&findings);
    operators_start(&other, pool);
    two.input.baseline.operators = &other;
    find(&two.input, &findings);
    assert_int_equal(findings.shortfall_count, 0);
    expect_text(findings.note, "baseline has no usable times");
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
    assert_non_null(step(&findings, "Record times by operator"));
    findings_free(&findings);
    free_pair(&two);
}

static void out_of_memory(void **state)
{
    struct two_sides two;
    struct findings findings;
    struct advised advised;
    const struct rules_input about = {
        .side = &two.on, .name = "net", .dump = "a b", .pair = &two.input, .findings = &findings
    };
    status code = STATUS_MEMORY;

    (void)state;
    start_pair(&two, "sme2_on", "sme2_off");
    add_call(&two.on, true, 50000);
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
    find(&two.input, &findings);
    code = STATUS_MEMORY;
    for (uint64_t nth = 1; nth < 1000 && code != STATUS_OK; nth++) {
        memory_fail_at(nth);
        code = rules_advise(&about, &advised);
        memory_fail_at(0);
        advised_free(&advised);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
    }
    assert_int_equal(code, STATUS_OK);
    findings_free(&findings);
    free_pair(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(expected_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kernels_prove_sme2, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sme2_only_in_the_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_became_slower_is_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_pair_expects_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slower_operators_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(small_shortfalls_are_grouped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_to_do, set_up, tear_down),
        cmocka_unit_test_setup_teardown(odd_input, set_up, tear_down),
        cmocka_unit_test_setup_teardown(loose_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(out_of_memory, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
