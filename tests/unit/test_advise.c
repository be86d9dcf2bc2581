/* test_advise.c: rooflines, architectures, fidelity, windows, merging, stacks and ranking: what `tacho advise` stands on. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "tenstorrent/advise.h"
#include "tenstorrent/original/advise_advice.h"
#include "tenstorrent/original/advise_numbers.h"
#include "trace/model.h"

static const struct architecture_set *const sets[] = { &tenstorrent_architectures, NULL };

struct fixture {
    struct strings *strings;
    struct op_report report;
    struct architectures architectures;
    struct advise_options options;
    struct advise advise;
    status code;
};

static void start(struct fixture *fixture)
{
    *fixture = (struct fixture){ .strings = model_strings(), .options = { .first = OP_NONE, .last = OP_NONE } };
    assert_non_null(fixture->strings);
    op_report_start(&fixture->report, fixture->strings);
    fixture->report.columns = (struct op_columns){ .device = true, .host_start = true, .latency = true };
    assert_int_equal(architectures_load(&fixture->architectures, NULL, sets), STATUS_OK);
}

static void done(struct fixture *fixture)
{
    advise_free(&fixture->advise);
    architectures_free(&fixture->architectures);
    op_report_free(&fixture->report);
    strings_free(fixture->strings);
    status_clear();
}

static string_id text(struct fixture *fixture, const char *value)
{
    string_id id;

    assert_int_equal(strings_add_text(fixture->strings, value, &id), STATUS_OK);
    return id;
}

static struct op_row *add(struct fixture *fixture, enum op_kind kind, const char *code, int64_t host_start,
                          int32_t device, int64_t duration)
{
    struct op_row *row = op_report_add(&fixture->report);

    assert_non_null(row);
    row->number = (uint32_t)fixture->report.rows.count + 1;
    row->kind = kind;
    row->code = text(fixture, code);
    row->host_start = host_start;
    row->device = kind == OP_DEVICE ? device : -1;
    row->kernel_duration = kind == OP_DEVICE ? duration : OP_NONE;
    row->latency = kind == OP_DEVICE ? 7000 : OP_NONE;
    row->cores = kind == OP_DEVICE ? 64 : OP_NONE;
    return row;
}

static void run(struct fixture *fixture)
{
    advise_free(&fixture->advise);
    fixture->code = advise_run(&fixture->advise, &fixture->report, &fixture->architectures, &fixture->options);
}

/* The labels of what is shown, with a blank between them. */
static const char *shown(const struct fixture *fixture)
{
    static char labels[1024];
    size_t length = 0;

    labels[0] = '\0';
    for (size_t i = 0; i < fixture->advise.count; i++)
        length += (size_t)snprintf(labels + length, sizeof labels - length, "%s%s", i ? " " : "",
                                   fixture->advise.ops[i].label);
    return labels;
}

static bool said(const struct fixture *fixture, const char *piece)
{
    for (size_t i = 0; i < fixture->advise.message_count; i++) {
        if (strstr(fixture->advise.messages[i].text, piece))
            return true;
    }
    return false;
}

/* ---- Rooflines ---- */

static void test_roofline(void **state)
{
    const struct roofline_peak peak = { 100, 1e12 };
    struct roofline_point point;

    (void)state;
    point = roofline_place((struct roofline_work){ 1e9, 5e9, 0.1 }, peak);
    assert_true(point.gigabytes == 10 && fabs(point.memory_percent - 10) < 1e-9 &&
                fabs(point.compute_percent - 5) < 1e-9);
    assert_true(point.intensity == 5 && point.bound == ROOFLINE_SLOW && fabs(point.ideal_seconds - 0.01) < 1e-12);
    assert_int_equal(roofline_place((struct roofline_work){ 7e9, 1e9, 0.1 }, peak).bound, ROOFLINE_MEMORY);
    assert_int_equal(roofline_place((struct roofline_work){ 1e9, 7e10, 0.1 }, peak).bound, ROOFLINE_COMPUTE);
    assert_int_equal(roofline_place((struct roofline_work){ 7e9, 7e10, 0.1 }, peak).bound, ROOFLINE_BOTH);
    assert_int_equal(roofline_place((struct roofline_work){ 6.5e9, 1e9, 0.1 }, peak).bound, ROOFLINE_MEMORY);
    assert_int_equal(roofline_place((struct roofline_work){ 0, 1e9, 0.1 }, peak).bound, ROOFLINE_UNKNOWN);
    point = roofline_place((struct roofline_work){ 1e9, 1e9, 0 }, peak);
    assert_true(isnan(point.gigabytes) && isnan(point.flops) && point.bound == ROOFLINE_UNKNOWN &&
                point.ideal_seconds > 0);
    point = roofline_place((struct roofline_work){ NAN, 1e9, 0.1 }, (struct roofline_peak){ NAN, 1e12 });
    assert_true(fabs(point.ideal_seconds - 0.001) < 1e-12 && isnan(point.intensity));
    assert_true(roofline_roof(peak, 1) == 1e11 && roofline_roof(peak, 1000) == 1e12);
}

/* ---- Architectures ---- */

static status load_text(struct architectures *architectures, const char *json)
{
    char path[] = "/tmp/test_advise_XXXXXX";
    int file = mkstemp(path);
    status code;

    assert_true(file >= 0);
    assert_int_equal(write(file, json, strlen(json)), (ssize_t)strlen(json));
    close(file);
    code = architectures_load(architectures, path, sets);
    unlink(path);
    return code;
}

static void test_architectures(void **state)
{
    static const char *const wrong[] = {
        "",
        "{",
        "[]",
        "{}",
        "{\"name\": \"\"}",
        "{\"architectures\": 3}",
        "{\"name\": \"x\", \"dram_gb_s\": 0}",
        "{\"name\": \"x\", \"worker_cores\": \"all\"}",
        "{\"name\": \"x\", \"worker_cores\": 1e9}",
        "{\"name\": \"x\", \"like\": \"y\"}",
        "{\"name\": \"x\", \"tflops_per_core\": {\"HiFi2\": -1}}",
    };
    struct architectures architectures;
    const struct architecture *found;
    struct chip chip;

    (void)state;
    assert_int_equal(architectures_load(&architectures, NULL, sets), STATUS_OK);
    found = architecture_named(&architectures, "Wormhole_B0");
    assert_non_null(found);
    chip = chip_of(found);
    assert_true(chip.worker_cores == 64 && chip.dram == 288 && chip.tflops[FIDELITY_HIFI4] == 74.0 / 72);
    assert_non_null(architecture_named(&architectures, "N1"));
    assert_null(architecture_named(&architectures, "warp"));
    for (size_t i = 0; i < architectures.count; i++) {
        chip = chip_of(&architectures.items[i]);
        for (unsigned j = 1; j < FIDELITY_COUNT; j++)
            assert_false(chip.tflops[j] <= chip.tflops[j - 1]); /* not all of them are known */
    }
    architectures_free(&architectures);
    assert_int_equal(
        load_text(&architectures,
                  "{\"architectures\": [{\"name\": \"p100\", \"like\": \"blackhole\", \"dram_gb_s\": 448,"
                  "\"dram_sharded_cores\": 7}, {\"name\": \"new\", \"tflops_per_core\": {\"HiFi4\": 3}}]}"),
        STATUS_OK);
    found = architecture_named(&architectures, "p100");
    assert_non_null(found);
    chip = chip_of(found);
    assert_true(chip.dram == 448 && chip.dram_sharded_cores == 7 && chip.worker_cores == 130);
    found = architecture_named(&architectures, "new");
    assert_non_null(found);
    chip = chip_of(found);
    assert_true(chip.tflops[FIDELITY_HIFI3] == 4 && isnan(chip.dram) && isnan(chip.tflops[FIDELITY_LOFI]));
    assert_int_equal(architectures.given, 2);
    architectures_free(&architectures);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(load_text(&architectures, wrong[i]), STATUS_INPUT);
        architectures_free(&architectures);
    }
    assert_int_equal(architectures_load(&architectures, "/nowhere/chips.json", sets), STATUS_INPUT);
    architectures_free(&architectures);
    status_clear();
}

/* ---- Fidelity ---- */

static void test_fidelity(void **state)
{
    static const struct {
        const char *first, *second, *output, *fidelity;
        enum fidelity_verdict verdict;
    } cases[] = {
        { "BFLOAT16", "BFLOAT16", "BFLOAT16", "HiFi4", VERDICT_SUFFICIENT },
        { "BFLOAT16", "BFLOAT8_B", "BFLOAT8_B", "HiFi3", VERDICT_TOO_LOW },
        { "BFLOAT16", "BFLOAT8_B", "BFLOAT8_B", "HiFi2", VERDICT_TOO_LOW },
        { "BFLOAT16", "BFLOAT4_B", "BFLOAT4_B", "HiFi4", VERDICT_TOO_HIGH },
        { "BFLOAT16", "BFLOAT4_B", "BFLOAT4_B", "LoFi", VERDICT_TOO_LOW },
        { "BFLOAT8_B", "BFLOAT8_B", "BFLOAT8_B", "HiFi4", VERDICT_TOO_HIGH },
        { "BFLOAT8_B", "BFLOAT8_B", "BFLOAT8_B", "HiFi3", VERDICT_TOO_HIGH },
        { "BFLOAT8_B", "BFLOAT16", "BFLOAT4_B", "HiFi2", VERDICT_SUFFICIENT },
        { "BFLOAT8_B", "BFLOAT4_B", "BFLOAT16", "LoFi", VERDICT_SUFFICIENT },
        { "BFLOAT8_B", "BFLOAT4_B", "BFLOAT16", "HiFi3", VERDICT_TOO_HIGH },
        { "FLOAT32", "FLOAT32", "FLOAT32", "HiFi4", VERDICT_TOO_HIGH },
        { "BFLOAT16", "UINT8", "BFLOAT16", "HiFi4", VERDICT_NOT_APPLICABLE },
        { "BFLOAT16", "FP9", "BFLOAT16", "HiFi4", VERDICT_UNKNOWN },
        { "BFLOAT16", "BFLOAT16", "BFLOAT16", "HiFi9", VERDICT_UNKNOWN },
    };
    struct fixture fixture;

    (void)state;
    start(&fixture);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fidelity_judgement judgement = fidelity_judge(
            fixture.strings, text(&fixture, cases[i].first), text(&fixture, cases[i].second),
            text(&fixture, cases[i].output), (struct text){ cases[i].fidelity, strlen(cases[i].fidelity) });

        assert_int_equal(judgement.verdict, cases[i].verdict);
        assert_true(!judgement.type || strcmp(judgement.type, "FP9") == 0);
    }
    done(&fixture);
}

static struct op_row *add_matmul(struct fixture *fixture, int32_t size, int64_t duration, const char *type)
{
    struct op_row *row = add(fixture, OP_DEVICE, "Matmul", 1, 0, duration);
    struct op_tensor tensor = { { 1, 1, size, size }, text(fixture, type), text(fixture, "DEV_0_DRAM_INTERLEAVED") };

    row->fidelity = text(fixture, "HiFi2");
    row->inputs[0] = row->inputs[1] = row->output = tensor;
    return row;
}

static void test_advice_of_products(void **state)
{
    struct fixture fixture;
    struct op_advice advice;
    struct op_row *row;

    (void)state;
    start(&fixture);
    add_matmul(&fixture, 1024, 10000000, "BFLOAT8_B"); /* slow */
    row = add_matmul(&fixture, 1024, 10000000, "BFLOAT8_B");
    row->attributes = text(&fixture, "{'program_config': 'X(in0_block_w=1;out_subblock_h=1;out_subblock_w=1)'}");
    add_matmul(&fixture, 2048, 180000, "BFLOAT8_B"); /* FLOP-bound */
    add_matmul(&fixture, 32, 14, "BFLOAT8_B");       /* DRAM-bound */
    run(&fixture);
    assert_int_equal(fixture.code, STATUS_OK);
    assert_string_equal(advise_bound(&fixture.advise.ops[0]), "SLOW");
    advise_matmul(&fixture.advise, &fixture.advise.ops[0], &advice);
    assert_int_equal(advice.count, 2);
    assert_non_null(strstr(advice.items[0], "place input 0 in L1 (currently in DEV_0_DRAM_INTERLEAVED)"));
    advise_matmul(&fixture.advise, &fixture.advise.ops[1], &advice);
    assert_int_equal(advice.count, 3);
    assert_string_equal(advice.items[1], "in0_block_w=1 is small, try in0_block_w=2 or above");
    assert_string_equal(advice.items[2],
                        "Output subblock 1x1 is small, try out_subblock_h * out_subblock_w >= 2 if possible");
    assert_string_equal(advise_bound(&fixture.advise.ops[2]), "FLOP");
    advise_matmul(&fixture.advise, &fixture.advise.ops[2], &advice);
    assert_int_equal(advice.count, 0);
    assert_string_equal(advise_bound(&fixture.advise.ops[3]), "DRAM");
    advise_matmul(&fixture.advise, &fixture.advise.ops[3], &advice);
    assert_int_equal(advice.count, 1);
    done(&fixture);
}

/* ---- Selection ---- */

static void test_order_and_windows(void **state)
{
    struct fixture fixture;

    (void)state;
    start(&fixture);
    add(&fixture, OP_DEVICE, "B", 20, 0, 1000);
    add(&fixture, OP_SIGNPOST, "s", 25, -1, 0);
    add(&fixture, OP_DEVICE, "A", 10, 0, 1000);
    add(&fixture, OP_DEVICE, "C", 30, 0, 1000);
    add(&fixture, OP_HOST, "(torch) view", OP_NONE, -1, 0);
    run(&fixture);
    assert_string_equal(shown(&fixture), "C (torch) view");
    fixture.options.ignore_signposts = true;
    run(&fixture);
    assert_string_equal(shown(&fixture), "B s (signpost) A C (torch) view"); /* merged: by row again */
    assert_int_equal(fixture.advise.device_ops, 3);
    assert_int_equal(fixture.advise.host_ops, 1);
    assert_int_equal(fixture.advise.signposts, 1);
    fixture.options.no_host_ops = true;
    fixture.options.first = 4;
    run(&fixture);
    assert_string_equal(shown(&fixture), "A C");
    assert_true(isnan(fixture.advise.ops[0].gap) && fixture.advise.ops[1].gap == 7);
    assert_true(fabs(fixture.advise.ops[0].total + fixture.advise.ops[1].total - 100) < 1e-9);
    fixture.options = (struct advise_options){ .first = OP_NONE, .last = OP_NONE, .start_signpost = "none" };
    run(&fixture);
    assert_true(said(&fixture, "Specified starting signpost 'none' not found."));
    fixture.options.architecture = "warp";
    run(&fixture);
    assert_int_equal(fixture.code, STATUS_USAGE);
    done(&fixture);
}

static void test_merging(void **state)
{
    struct fixture fixture;

    (void)state;
    start(&fixture);
    for (int32_t device = 3; device-- > 0;) {
        add(&fixture, OP_DEVICE, "Add", 10, device, 1000 * (device + 1));
        add(&fixture, OP_DEVICE, "ReduceScatter", 20, device, device == 1 ? OP_NONE : 1000 * (device + 1));
    }
    run(&fixture);
    assert_int_equal(fixture.advise.devices, 3);
    assert_int_equal(fixture.advise.count, 2);
    assert_int_equal(fixture.advise.ops[0].row->device, 2);
    assert_true(fixture.advise.ops[0].device_time == 3);
    assert_true(
        isnan(fixture.advise.ops[1].device_time)); /* one of the devices does not tell; in the row of device 0 */
    assert_int_equal(fixture.advise.ops[1].row->device, 0);
    fixture.options.no_merge = true;
    run(&fixture);
    assert_int_equal(fixture.advise.count, 6);
    assert_true(said(&fixture, "Keeping separate device data"));
    done(&fixture);
}

static void test_empty(void **state)
{
    struct fixture fixture;
    struct advise_stack stack;

    (void)state;
    start(&fixture);
    run(&fixture);
    assert_int_equal(fixture.code, STATUS_OK);
    assert_int_equal(fixture.advise.count, 0);
    assert_true(said(&fixture, "No device operations found"));
    assert_int_equal(advise_stack(&fixture.advise, GROUP_BY_MEMORY, &stack), STATUS_OK);
    assert_int_equal(stack.count, 0);
    advise_stack_free(&stack);
    done(&fixture);
}

/* ---- Stacks and ranks ---- */

static void test_categories(void **state)
{
    static const struct {
        const char *code, *category;
    } cases[] = {
        { "Matmul", "Compute" },
        { "MatmulDeviceOperation", "Compute" },
        { "Accumulation", "Compute" },
        { "Where", "DM" },
        { "UpsampleOperation", "Compute" },
        { "SliceDeviceOperation 1 x 2", "TM" },
        { "(torch) view", "Host" },
        { "Matmu", NULL },
        { "Matmulx", NULL },
        { "DeviceOperation", NULL },
        { "", NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *category = advise_category((struct text){ cases[i].code, strlen(cases[i].code) });

        assert_true(category ? cases[i].category && strcmp(category, cases[i].category) == 0 : !cases[i].category);
    }
}

static void test_stacks(void **state)
{
    struct fixture fixture;
    struct advise_stack stack;

    (void)state;
    start(&fixture);
    add(&fixture, OP_DEVICE, "Copy", 1, 0, 3000)->inputs[0].memory = text(&fixture, "DEV_0_L1_HEIGHT_SHARDED");
    add(&fixture, OP_DEVICE, "Copy", 2, 0, 1000)->inputs[0].memory = text(&fixture, "DEV_1_L1_HEIGHT_SHARDED");
    add(&fixture, OP_DEVICE, "Copy", 3, 0, 1000)->inputs[0].memory = text(&fixture, "OWNED");
    add(&fixture, OP_DEVICE, "Strange", 4, 0, 3000);
    add(&fixture, OP_HOST, "(torch) view", 5, -1, 0);
    add(&fixture, OP_HOST, "(torch) numel", 6, -1, 0);
    run(&fixture);
    assert_int_equal(advise_stack(&fixture.advise, GROUP_BY_MEMORY, &stack), STATUS_OK);
    assert_int_equal(stack.count, 4);
    assert_string_equal(stack.rows[0].name, "Copy (in0:height_sharded)");
    assert_true(stack.rows[0].time == 4 && stack.rows[0].share == 50 && stack.rows[0].count == 2);
    assert_string_equal(stack.rows[1].name, "Strange");
    assert_string_equal(stack.rows[1].category, "Other");
    assert_string_equal(stack.rows[2].name, "Copy");
    assert_string_equal(stack.rows[3].name, "(torch)");
    assert_int_equal(stack.rows[3].count, 2);
    assert_int_equal(stack.message_count, 1);
    advise_stack_free(&stack);
    assert_int_equal(advise_stack(&fixture.advise, GROUP_BY_CATEGORY, &stack), STATUS_OK);
    assert_int_equal(stack.count, 3);
    assert_string_equal(stack.rows[0].name, "DM");
    advise_stack_free(&stack);
    done(&fixture);
}

/* Of devices that are shown apart, each has its own mean; the original gives all of them that of all. */
static void test_weighted_means_by_device(void **state)
{
    struct fixture fixture;
    struct advise_stack stack;

    (void)state;
    start(&fixture);
    add_matmul(&fixture, 512, 100000, "BFLOAT16");
    add_matmul(&fixture, 512, 300000, "BFLOAT16")->device = 1;
    fixture.options.no_merge = true;
    for (unsigned i = 0; i < 2; i++) {
        double first, second;

        fixture.options.as_original = i;
        run(&fixture);
        first = fixture.advise.ops[0].flops_percent;
        second = fixture.advise.ops[1].flops_percent;
        assert_int_equal(advise_stack(&fixture.advise, GROUP_BY_OP, &stack), STATUS_OK);
        assert_int_equal(stack.count, 2);
        assert_int_equal(stack.rows[0].device, 1);
        assert_true(fabs(stack.rows[0].weighted - (i ? (first + second * 3) / 4 : second)) < 1e-9);
        assert_true(fabs(stack.rows[1].weighted - (i ? (first + second * 3) / 4 : first)) < 1e-9);
        assert_true(stack.rows[0].share == 100 && stack.rows[1].share == 100);
        advise_stack_free(&stack);
    }
    done(&fixture);
}

/* Shares add up, rows are counted once, and least <= mean <= most, whatever the operations. */
static void test_stack_sums(void **state)
{
    static const char *const codes[] = { "Matmul", "Copy", "Add", "(torch) x" };
    struct fixture fixture;
    struct advise_stack stack;
    uint64_t random = 7;
    double share = 0;
    size_t count = 0;

    (void)state;
    start(&fixture);
    for (unsigned i = 0; i < 500; i++) {
        unsigned code = (unsigned)((random = random * 6364136223846793005u + 1442695040888963407u) >> 60) % 4;
        int64_t duration = (int64_t)(random >> 40 & 0xFFFF) + 1;

        if (code == 0)
            add_matmul(&fixture, (int32_t)(32 + (random >> 33 & 0xFF)), duration, "BFLOAT16");
        else
            add(&fixture, code == 3 ? OP_HOST : OP_DEVICE, codes[code], i, 0, duration);
    }
    run(&fixture);
    assert_int_equal(advise_stack(&fixture.advise, GROUP_BY_OP, &stack), STATUS_OK);
    assert_int_equal(stack.count, 4);
    for (size_t i = 0; i < stack.count; i++) {
        const struct advise_stack_row *row = &stack.rows[i];

        share += row->share;
        count += row->count;
        assert_true(i == 0 || row->time <= stack.rows[i - 1].time);
        assert_true(isnan(row->mean) || (row->least <= row->mean && row->mean <= row->most &&
                                         row->least <= row->weighted && row->weighted <= row->most));
    }
    assert_true(fabs(share - 100) < 1e-6);
    assert_int_equal(count, 500);
    advise_stack_free(&stack);
    done(&fixture);
}

/* Out of memory anywhere is an error, not a crash. */
static void test_no_memory(void **state)
{
    (void)state;
    for (uint64_t nth = 1; nth < 60; nth++) {
        struct fixture fixture;
        struct advise_stack stack = { .rows = NULL };

        start(&fixture);
        for (int32_t i = 0; i < 6; i++)
            add(&fixture, OP_DEVICE, i < 3 ? "Add" : "HaloDeviceOperation", 10 - i, i % 2, 1000);
        memory_fail_at(nth);
        fixture.code = advise_run(&fixture.advise, &fixture.report, &fixture.architectures, &fixture.options);
        if (fixture.code == STATUS_OK) {
            fixture.code = advise_stack(&fixture.advise, GROUP_BY_MEMORY, &stack);
        }
        memory_fail_at(0);
        assert_true(fixture.code == STATUS_OK || fixture.code == STATUS_MEMORY);
        advise_stack_free(&stack);
        done(&fixture);
    }
}

/* ---- Numbers ---- */

/* What printf writes, with a comma before each three digits of the whole part. */
static void check_number(double value, int decimals)
{
    char printed[ADVISE_NUMBER], expected[ADVISE_NUMBER], found[ADVISE_NUMBER];
    size_t whole, used = 0;

    snprintf(printed, sizeof printed, "%.*f", decimals, value);
    whole = strcspn(printed, ".");
    for (size_t i = 0; printed[i]; i++) {
        if (i > (printed[0] == '-') && i < whole && (whole - i) % 3 == 0)
            expected[used++] = ',';
        expected[used++] = printed[i];
    }
    expected[used] = '\0';
    found[advise_number(found, value, decimals)] = '\0';
    assert_string_equal(found, expected);
}

static void test_numbers(void **state)
{
    static const double some[] = { 0,
                                   0.05,
                                   0.25,
                                   0.5,
                                   1.5,
                                   2.5,
                                   0.45,
                                   99.95,
                                   999.5,
                                   999.95,
                                   1e3,
                                   999999.5,
                                   1e6,
                                   1e12,
                                   1e15,
                                   1e300,
                                   1.7976931348623157e308,
                                   -0.04,
                                   -1,
                                   -1234.5,
                                   -1e6 };
    uint64_t seed = 1;

    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        check_number(some[i], 0);
        check_number(some[i], 1);
    }
    for (int i = 0; i < 20000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        check_number((double)(seed >> 40) / (double)(1 + (seed >> 20 & 0xFFF)), i & 1);
        check_number((double)(seed >> 44) / 20, 1); /* halves of the last place, as near as binary fractions are */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roofline),
        cmocka_unit_test(test_architectures),
        cmocka_unit_test(test_fidelity),
        cmocka_unit_test(test_advice_of_products),
        cmocka_unit_test(test_order_and_windows),
        cmocka_unit_test(test_merging),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_categories),
        cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_weighted_means_by_device),
        cmocka_unit_test(test_stack_sums),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
