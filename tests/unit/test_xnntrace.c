/* test_xnntrace.c: logs of XNNPACK. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "et_reading.h"
#include "executorch/chain.h"

static void read_log(struct et_reading *reading, const char *name, const char *text)
{
    et_read_kernels(reading, &xnntrace_reader, name, text);
    assert_int_equal(reading->code, STATUS_OK);
}

static const struct kernel *kernel_named(const struct et_reading *reading, const char *name)
{
    for (uint32_t i = 0; i < reading->log.kernels.count; i++) {
        if (strcmp(et_text(reading, kernel_at(&reading->log, i)->name), name) == 0)
            return kernel_at(&reading->log, i);
    }
    fail_msg("no kernel %s", name);
    return NULL;
}

/* ---- What ran, against the join that was made apart from this program ---- */

/* The fields of a row, quotes removed. */
static unsigned split(char *row, char **fields, unsigned most)
{
    unsigned count = 0;

    row[strcspn(row, "\r\n")] = '\0';
    while (count < most) {
        bool quoted = *row == '"';
        char *end = quoted ? strchr(row + 1, '"') : row + strcspn(row, ",");
        bool last = !end[quoted];

        fields[count++] = row + quoted;
        *end = '\0';
        if (last)
            break;
        row = end + 1 + quoted;
    }
    return count;
}

static uint64_t number(const char *text)
{
    return strtoull(text, NULL, 10);
}

/* A use as one row of the map says it: delegate,event,module,source,op,macs,m,n,groups,mr,nr. */
static void check_use(const struct et_reading *reading, const struct kernel_use *use, char **fields)
{
    char name[256];
    size_t length;

    snprintf(name, sizeof name, "%s%s%s #", et_text(reading, use->name), use->variant ? " " : "",
             et_text(reading, use->variant));
    length = strlen(name);
    if (strncmp(name, fields[1], length) != 0)
        fail_msg("%s is no %s", fields[1], name);
    assert_int_equal(use->delegate, number(fields[0]));
    assert_int_equal(use->execution, 0);
    assert_int_equal(use->has_tile, *fields[6] != '\0');
    assert_int_equal(use->m, number(fields[6]));
    assert_int_equal(use->n, number(fields[7]));
    assert_int_equal(use->groups, number(fields[8]));
    assert_int_equal(use->mr, number(fields[9]));
    assert_int_equal(use->nr, number(fields[10]));
    assert_int_equal(use->kernel != NO_ID, use->has_tile);
    if (use->has_tile) {
        assert_int_equal(kernel_at(&reading->log, use->kernel)->rows, use->mr);
        assert_int_equal(kernel_at(&reading->log, use->kernel)->columns, use->nr);
    }
}

static void check_map(const char *log, const char *map)
{
    struct et_reading reading;
    char row[1024];
    char *fields[16];
    uint32_t next = 0;
    FILE *file = fopen(et_path(map), "r");

    assert_non_null(file);
    read_log(&reading, log, NULL);
    assert_true(reading.log.has_execution);
    assert_non_null(fgets(row, sizeof row, file));
    while (fgets(row, sizeof row, file)) {
        assert_int_equal(split(row, fields, 16), 11);
        assert_true(next < reading.log.uses.count);
        check_use(&reading, kernel_use_at(&reading.log, next++), fields);
    }
    assert_int_equal(next, reading.log.uses.count);
    fclose(file);
    et_free(&reading);
}

static void test_what_real_models_ran(void **state)
{
    (void)state;
    check_map("xnntrace/broken_graph_on.log", "xnntrace/broken_graph_source_map.csv");
    check_map("xnntrace/mobilenet_on.log", "xnntrace/mobilenet_source_map.csv");
}

static void test_the_kernels_that_ran(void **state)
{
    struct et_reading reading;
    const struct kernel_use *use;

    (void)state;
    read_log(&reading, "xnntrace/mobilenet_on.log", NULL);
    use = kernel_use_at(&reading.log, 1);
    assert_string_equal(et_text(&reading, kernel_at(&reading.log, use->kernel)->name),
                        "xnn_f32_igemm_minmax_ukernel_7x32__avx512f_broadcast");
    use = kernel_use_at(&reading.log, 66);
    assert_string_equal(et_text(&reading, kernel_at(&reading.log, use->kernel)->name),
                        "xnn_f32_gemm_minmax_ukernel_1x16__avx512f_broadcast");
    use = kernel_use_at(&reading.log, 65);
    assert_true(use->skipped);
    assert_string_equal(et_text(&reading, use->name), "Static Reshape (NC)");
    assert_int_equal(use->variant, 0);
    et_free(&reading);
    read_log(&reading, "xnntrace/broken_graph_off.log", NULL);
    use = kernel_use_at(&reading.log, 0);
    assert_string_equal(et_text(&reading, kernel_at(&reading.log, use->kernel)->name),
                        "xnn_f32_gemm_minmax_ukernel_6x16__asm_amd64_fma3_broadcast");
    et_free(&reading);
}

/* ---- What stands ---- */

static void test_replaced_kernels(void **state)
{
    struct et_reading reading;
    const struct kernel *kernel;
    unsigned replaced = 0;

    (void)state;
    read_log(&reading, "xnntrace/mobilenet_on.log", NULL);
    for (uint32_t i = 0; i < reading.log.kernels.count; i++)
        replaced += kernel_at(&reading.log, i)->replaced;
    assert_int_equal(reading.log.kernels.count, 33);
    assert_int_equal(replaced, 9);
    kernel = kernel_named(&reading, "xnn_x32_transposec_ukernel__2x4_scalar_int");
    assert_true(kernel->replaced);
    assert_string_equal(et_text(&reading, kernel_at(&reading.log, kernel->replaced_by)->name),
                        "xnn_x32_transposec_ukernel__4x4_sse");
    assert_false(kernel_named(&reading, "xnn_x32_transposec_ukernel__8x8_reuse_multi_avx")->replaced);
    assert_false(kernel_named(&reading, "xnn_f32_vadd_ukernel__avx512f_u32")->replaced);
    assert_false(kernel_named(&reading, "xnn_f32_dwconv_minmax_ukernel_3p16c__avx512f")->replaced);
    kernel = kernel_named(&reading, "xnn_xx_copy_ukernel__scalar_memcpy");
    assert_int_equal(kernel->count, 2);
    assert_string_equal(et_text(&reading, kernel->category), "unary");
    assert_false(kernel->replaced);
    et_free(&reading);
}

/* Tables keep one kernel for each number of rows: those of one choice stand side by side. */
static void test_kernels_of_many_rows(void **state)
{
    struct et_reading reading;

    (void)state;
    read_log(&reading, "xnntrace/broken_graph_off.log", NULL);
    assert_false(kernel_named(&reading, "xnn_f32_gemm_minmax_ukernel_2x16__asm_amd64_fma3_broadcast")->replaced);
    assert_false(kernel_named(&reading, "xnn_f32_gemm_minmax_ukernel_6x16__asm_amd64_fma3_broadcast")->replaced);
    et_free(&reading);
    read_log(&reading, "log",
             "Using gemm microkernel 'xnn_f32_gemm_minmax_ukernel_1x4__scalar'\n"
             "Using gemm microkernel 'xnn_f32_gemm_minmax_ukernel_4x4__scalar'\n"
             "Using gemm microkernel 'xnn_f32_gemm_minmax_ukernel_5x16__avx'\n"
             "Using gemm microkernel 'xnn_f32_gemm_minmax_ukernel_7x16__avx'\n"
             "Using gemm microkernel 'xnn_f32_gemm_minmax_ukernel_5x16__avx'\n"
             "Using gemm microkernel 'xnn_f32_gemm_minmax_ukernel_5x8__avx'\n"
             "Using gemm microkernel 'xnn_f32_gemm_minmax_ukernel_4x4__scalar'\n"
             "Using gemm microkernel 'xnn_f32_gemm_relu_ukernel_4x16__avx'\n");
    assert_false(kernel_named(&reading, "xnn_f32_gemm_minmax_ukernel_1x4__scalar")->replaced);
    assert_false(kernel_named(&reading, "xnn_f32_gemm_minmax_ukernel_4x4__scalar")->replaced);
    assert_true(kernel_named(&reading, "xnn_f32_gemm_minmax_ukernel_5x16__avx")->replaced);
    assert_true(kernel_named(&reading, "xnn_f32_gemm_minmax_ukernel_7x16__avx")->replaced);
    assert_true(kernel_named(&reading, "xnn_f32_gemm_minmax_ukernel_5x8__avx")->replaced);
    assert_false(kernel_named(&reading, "xnn_f32_gemm_relu_ukernel_4x16__avx")->replaced);
    et_free(&reading);
}

/* The kit's own table of this log: names in order of first line, category and count. */
static void test_the_kernels_of_the_kit(void **state)
{
    struct et_reading log, table;

    (void)state;
    read_log(&log, "xnntrace/registered.log", NULL);
    et_read_kernels(&table, &xnn_kernels_reader, "xnn-kernels/registered_kernels.csv", NULL);
    assert_int_equal(log.log.kernels.count, table.log.kernels.count);
    for (uint32_t i = 0; i < table.log.kernels.count; i++) {
        const struct kernel *theirs = kernel_at(&table.log, i);
        const struct kernel *ours = kernel_named(&log, et_text(&table, theirs->name));

        assert_int_equal(ours->count, theirs->count);
        assert_string_equal(et_text(&log, ours->category), et_text(&table, theirs->category));
        assert_string_equal(et_text(&log, ours->architecture), et_text(&table, theirs->architecture));
    }
    assert_false(log.log.has_execution);
    et_free(&log);
    et_free(&table);
}

/* ---- Forms of lines ---- */

static void test_forms(void **state)
{
    struct et_reading reading;
    const struct kernel *kernel;

    (void)state;
    read_log(
        &reading, "log",
        "I/XNNPACK( 812): Using GEMM microkernel 'xnn_a_gemm_ukernel_4x8__neon'.\r\n"
        "05-01 10:11:12.345  812  812 I XNNPACK : USING\tTransposeC  Microkernel "
        "'xnn_x32_transposec_ukernel__4x4_neon'. (init_x, a.c:1)\n"
        "Not using it: Using gemm microkernel 'xnn_f32_gemm_minmax_ukernel_1x8__neon'. (init_f32, gemm-config.c:1)\n"
        "Using gemm microkernel ''\nUsing microkernel 'x'\nUsing gemm microkernel 'open\nUsing\n");
    assert_int_equal(reading.log.kernels.count, 3);
    kernel = kernel_at(&reading.log, 1);
    assert_string_equal(et_text(&reading, kernel->category), "transpose");
    assert_string_equal(et_text(&reading, kernel->init), "init_x");
    assert_int_equal(kernel->line, 2);
    assert_int_equal(kernel_at(&reading.log, 0)->init, 0);
    assert_string_equal(et_text(&reading, kernel_at(&reading.log, 0)->category), "gemm");
    et_free(&reading);
}

#define RESHAPE(op, name) "reshaping operator " op " (" name ") (xnn_reshape_runtime\n"
#define TILE(m, mr, nr) "Tile size for GEMM with num_groups=1, m=" m ", n=9 and mr=" mr ", nr=" nr " set to [7, 9]\n"
#define RUN(op, name) "running operator " op " (" name ") (xnn_run\n"
#define FC "Fully Connected (NC, F32)"

/* execution.delegate.place name m, a line each */
static const char *uses(const struct et_reading *reading)
{
    static char text[4096];
    size_t length = 0;

    *text = '\0';
    for (uint32_t i = 0; i < reading->log.uses.count && length + 200 < sizeof text; i++) {
        const struct kernel_use *use = kernel_use_at(&reading->log, i);

        length += (size_t)snprintf(text + length, sizeof text - length, "%u.%u.%u %.40s %llu\n", use->execution,
                                   use->delegate, use->place, et_text(reading, use->name), (unsigned long long)use->m);
    }
    return text;
}

#define PREPARE_0 RESHAPE("0", FC) TILE("1", "1", "8") RESHAPE("1", "Add (ND)")
#define RUN_0 RUN("0:0", FC " GEMM") RUN("1:0", "Add (ND) Default")
#define PREPARE_1 RESHAPE("0", FC) TILE("2", "1", "8")
#define RUN_1 RUN("0:0", FC " GEMM") RUN("0:1", FC " GEMM")
#define FIRST PREPARE_0 RUN_0 PREPARE_1 RUN_1
#define LATER RUN_0 RUN_1
#define USES(execution) \
    execution ".0.0 " FC " 1\n" execution ".0.1 Add (ND) 0\n" execution ".1.0 " FC " 2\n" execution ".1.1 " FC " 2\n"

static void test_delegates_and_inferences(void **state)
{
    struct et_reading reading;

    (void)state;
    read_log(&reading, "log",
             FIRST "Iteration 1 of 3: 1 ms\n" LATER "Iteration 2 of 3: 1 ms\n" LATER "Iteration 3 of 3: 1 ms\n");
    assert_string_equal(uses(&reading), USES("0") USES("1") USES("2"));
    et_free(&reading);
    read_log(&reading, "log", FIRST LATER LATER);
    assert_string_equal(uses(&reading), USES("0") USES("1") USES("2"));
    et_free(&reading);
    read_log(&reading, "log",
             FIRST LATER FIRST "Iteration 1 of 3: 1 ms\nIteration 2 of 3: 1 ms\nIteration 3 of 3: 1 ms\n");
    assert_string_equal(uses(&reading), USES("0") USES("1") USES("2"));
    et_free(&reading);
    read_log(&reading, "log", FIRST FIRST "Model executed successfully 2 time(s) in 3 ms.\n");
    assert_string_equal(uses(&reading), USES("0") USES("1"));
    et_free(&reading);
    read_log(&reading, "log", LATER);
    assert_int_equal(reading.log.uses.count, 4);
    assert_false(kernel_use_at(&reading.log, 0)->has_tile);
    et_free(&reading);
}

static void check_found(const char *op, const char *tile, const char *expected)
{
    static const char registered[] =
        "Using gemm microkernel 'xnn_f32_gemm_minmax_ukernel_4x8__neon'\n"
        "Using igemm microkernel 'xnn_f32_igemm_minmax_ukernel_4x8__neon'\n"
        "Using gemm microkernel 'xnn_f32_gemm_relu_ukernel_4x8__neon'\n"
        "Using gemm microkernel 'xnn_qd8_f32_qc8w_gemm_minmax_ukernel_4x8c4__neondot'\n"
        "Using gemm microkernel 'xnn_qd8_f32_qc4w_gemm_minmax_ukernel_4x8c4__neondot'\n"
        "Using gemm microkernel 'xnn_qs8_qc8w_gemm_minmax_fp32_ukernel_4x8c4__neondot'\n"
        "Using gemm microkernel 'xnn_pf16_f16_f16_gemm_minmax_fp16_ukernel_4x8c2__neonsme2'\n";
    struct et_reading reading;
    char text[4096];
    uint32_t kernel;

    snprintf(text, sizeof text, "%sreshaping operator 0 (x)\n%srunning operator 0:0 (%s) (\n", registered, tile, op);
    read_log(&reading, "log", text);
    kernel = kernel_use_at(&reading.log, 0)->kernel;
    assert_string_equal(kernel == NO_ID ? "" : et_text(&reading, kernel_at(&reading.log, kernel)->name), expected);
    et_free(&reading);
}

static void test_finding_the_kernel(void **state)
{
    (void)state;
    check_found(FC " GEMM", TILE("7", "4", "8"), "xnn_f32_gemm_minmax_ukernel_4x8__neon");
    check_found("Convolution (NHWC, F32) IGEMM", TILE("7", "4", "8"), "xnn_f32_igemm_minmax_ukernel_4x8__neon");
    check_found("Fully Connected (NC, QD8, F32, QC8W) GEMM", TILE("7", "4", "8"),
                "xnn_qd8_f32_qc8w_gemm_minmax_ukernel_4x8c4__neondot");
    check_found("Fully Connected (NC, QDU8, F32, QC4W) GEMM", TILE("7", "4", "8"),
                "xnn_qd8_f32_qc4w_gemm_minmax_ukernel_4x8c4__neondot");
    check_found("Fully Connected (NC, PF16) GEMM", TILE("7", "4", "8"),
                "xnn_pf16_f16_f16_gemm_minmax_fp16_ukernel_4x8c2__neonsme2");
    check_found("Convolution (NHWC, QC8) GEMM", TILE("7", "4", "8"),
                "xnn_qs8_qc8w_gemm_minmax_fp32_ukernel_4x8c4__neondot");
    check_found("Fully Connected (NC, QU8) GEMM", TILE("7", "4", "8"), "");
    check_found("Fully Connected (NC, F16) GEMM", TILE("7", "4", "8"), "");
    check_found(FC " GEMM", TILE("7", "5", "8"), "");
    check_found(FC " GEMM", "", "");
    check_found(FC " GEMM", "Tile size for GEMM with m=3, n=4 and mr=4, nr=8 set to\n",
                "xnn_f32_gemm_minmax_ukernel_4x8__neon");
}

static void test_odd_logs(void **state)
{
    struct et_reading reading;

    (void)state;
    read_log(&reading, "log",
             "running operator x\nrunning operator 1:\nrunning operator 1:0 (open\nreshaping operator "
             "99999999999999999999 (x)\n"
             "reshaping operator 70000 (x)\n" TILE(
                 "1", "4",
                 "8") "running operator 70000:0 (x)\nrunning operator 70001:0 ()\n"
                      "Tile size for \nTile size for GEMM with m=1, n=1 and mr=99999999999, nr=1\n" TILE(
                          "1", "4",
                          "8") "running operator 5:0 (One Two)\nrunning operator 6:0 (())\nrunning operator 7:0 ())\n");
    assert_int_equal(reading.log.uses.count, 5);
    assert_false(kernel_use_at(&reading.log, 0)->has_tile);
    assert_string_equal(et_text(&reading, kernel_use_at(&reading.log, 2)->name), "One");
    assert_string_equal(et_text(&reading, kernel_use_at(&reading.log, 2)->variant), "Two");
    et_free(&reading);
    read_log(&reading, "log", "");
    assert_int_equal(reading.log.kernels.count, 0);
    et_free(&reading);
    et_starve(&xnntrace_reader,
              "Using gemm microkernel 'xnn_f32_gemm_minmax_ukernel_1x8__neon'. (init, x)\n" FIRST LATER);
}

/* ---- Times ---- */

static void test_times_of_the_runner(void **state)
{
    struct et_reading reading;

    (void)state;
    et_read(&reading, &xnntrace_reader, "xnntrace/broken_graph_on.log", NULL, false);
    assert_int_equal(reading.code, STATUS_OK);
    assert_string_equal(
        et_events(&reading),
        "Default/0 Program::load_method load 0+710557\nExecute/0 Method::execute execute 710557+300136\n");
    assert_true(et_has_note(&reading, "while it ran"));
    et_free(&reading);
    et_read(&reading, &xnntrace_reader, "log", "Note (XNNPACK): Using a microkernel 'b'\n", false);
    assert_int_equal(reading.code, STATUS_INPUT);
    assert_non_null(strstr(status_message(), "tacho kernels shows"));
    et_free(&reading);
}

static void test_detection(void **state)
{
    static const char tagged[] =
        "Note (XNNPACK): l1_data_cache_bytes=32768\nI executorch:executor_runner.cpp:1] Model loaded in 1 ms.\n";
    static const char plain[] = "Using gemm microkernel 'xnn'\n";

    (void)state;
    assert_int_equal(xnntrace_reader.probe((struct text){ tagged, sizeof tagged - 1 }, "x"), 80);
    assert_int_equal(xnntrace_reader.probe((struct text){ plain, sizeof plain - 1 }, "x"), 75);
    assert_int_equal(xnntrace_reader.probe((struct text){ "xnnpack", 7 }, "x"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_real_models_ran),
        cmocka_unit_test(test_the_kernels_that_ran),
        cmocka_unit_test(test_replaced_kernels),
        cmocka_unit_test(test_kernels_of_many_rows),
        cmocka_unit_test(test_the_kernels_of_the_kit),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_delegates_and_inferences),
        cmocka_unit_test(test_finding_the_kernel),
        cmocka_unit_test(test_odd_logs),
        cmocka_unit_test(test_times_of_the_runner),
        cmocka_unit_test(test_detection),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
