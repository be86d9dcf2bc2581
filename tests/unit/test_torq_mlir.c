/* test_torq_mlir.c: program dumps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "mlir_reading.h"
#include "torq/location.h"

/* ---- the samples ------------------------------------------------------------------------------------------------- */

static void test_fragment(void **state)
{
    struct reading reading;
    const struct program_job *job;

    (void)state;
    read_file(&reading, "executable_targets.mlir");
    assert_int_equal(reading.code, STATUS_OK);
    assert_string_equal(reading.source.generation, "M1");
    assert_int_equal(reading.source.note_count, 0);
    assert_int_equal(reading.feed.losses.rows, 51);
    assert_int_equal(losses_total(&reading.feed.losses), 0);
    expect_line(&reading, "dispatch main_dispatch_0_conv 2048 1152 actions 0+8 jobs 0+2\n");
    assert_int_equal(reading.program->jobs.count, 2);
    job = program_job(reading.program, 0);
    assert_int_equal(job->used, USED_SLICE_0 | USED_SLICE_0 << 1 | USED_DMA_IN);
    assert_string_equal(name(&reading, job->kernels), "conv2d_0,add_1");
    job = program_job(reading.program, 1);
    assert_int_equal(job->used, USED_DMA_IN | USED_DMA_OUT | USED_CDMA | USED_CSS);
    assert_string_equal(name(&reading, job->kernels), "");
    for (int i = 0; i < 8; i++)
        assert_int_equal(program_action(reading.program, (uint32_t)i)->id, i);
    expect_line(&reading, "action 0 kind 1 torq_hl.host_copy <> job -1");
    expect_line(&reading, "action 1 kind 2 torq_hl.start_program <nss_program_0> job 0 [0,0] loc(fused[callsite(");
    expect_line(&reading, "action 2 kind 3 torq_hl.wait_program <nss_program_0> job 0 [0,1408]");
    expect_line(&reading, "action 3 kind 4 torq_hl.start_program <host_softmax> job -1");
    expect_line(&reading, "action 4 kind 5 torq_hl.wait_program <host_softmax> job -1");
    expect_line(&reading, "action 7 kind 0 memref.alloc <> job -1");
    expect_line(&reading,
                "kernel conv2d_0 1x16x16x8+16x3x3x8 1024 1152 dedr 1152 72 16 512 1152 1152 72 1152 1152 16 512 512");
    expect_line(&reading, "torq_hw.cdma_start -1 <> <LRAM to DTCM> 20 256 loc(callsite(");
    expect_line(&reading,
                "unit dma_in 0 job 0 steps 5 9  256 [256,768,1408]"); /* started in one job, ended in the next */
    stop_reading(&reading);
}

static void test_fragment_timeline(void **state)
{
    struct reading reading;

    (void)state;
    read_file(&reading, "executable_targets.mlir");
    expect_line(&reading, "clock 0 cycles at 800 MHz\n");
    expect_line(&reading, " NSS Programs plan 0 ");
    expect_line(&reading, "nss_program_0 [0,1408] 0 job=0 start_action=1 wait_action=2 kernels=conv2d_0,add_1\n");
    expect_line(&reading, "nss_program_1 [1408,9940] 1 job=1 start_action=5 wait_action=6\n");
    expect_line(&reading, " NSS Tasks task 0 ");
    expect_line(&reading, "task 0 [0,256] 2 task=0\n");
    expect_line(&reading, " DMA In dma_in 0 ");
    expect_line(&reading, " net.mlir:5:10 [256,768] 3 bytes=256 task=1 job=0\n");
    expect_line(&reading, " Slice 1 slice 1 ");
    expect_line(&reading, " add_1 [257,897] 3 task=2 job=0\n");
    expect_line(&reading, " net.mlir:6:10 [1408,1428] 1 bytes=256 task=5 job=1 transfer=LRAM to DTCM\n");
    expect_line(&reading, " Slice 1 waiting 1 ");
    expect_line(&reading, " WAITING [897,1408] 3\n");
    expect_line(&reading, " WAITING [768,1408] 3\n");
    assert_null(strstr(reading.text, "WAITING [1408,")); /* conv2d_0 was waited for at its very end */
    assert_null(strstr(reading.text, "host_copy ["));
    stop_reading(&reading);
}

static void test_real_dump(void **state)
{
    struct reading reading;

    (void)state;
    read_file(&reading, "real_jit___call.10.executable-targets.mlir");
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(losses_total(&reading.feed.losses), 0);
    assert_int_equal(reading.feed.losses.rows, 60);
    expect_note(&reading, "no cycle estimates", true);
    assert_null(strstr(reading.text, "\nslice "));
    expect_line(&reading, "dispatch main_dispatch_0_elementwise");
    assert_int_equal(reading.program->actions.count, 5);
    assert_int_equal(reading.program->tasks.count, 10);
    assert_int_equal(reading.program->steps.count, 26);
    assert_false(reading.program->has_estimate);
    expect_line(&reading, "job 0 nss_program_0 actions 1 2 used 1 kernels <>");
    expect_line(&reading, "job 1 nss_program_1 actions 3 4 used 13 kernels <add_0>");
    expect_line(&reading, "step 6 torq_hw.dma_in_cfg -1 <> <> -9223372036854775808 264 \n");
    expect_line(&reading, "step 7 torq_hw.slice_start 0 <add_0>");
    stop_reading(&reading);
}

static void test_generic_form_says_the_same(void **state)
{
    struct reading pretty, generic;

    (void)state;
    read_file(&pretty, "executable_targets.mlir");
    read_file(&generic, "generic.mlir");
    assert_int_equal(generic.code, STATUS_OK);
    assert_int_equal(generic.feed.losses.rows, pretty.feed.losses.rows);
    assert_string_equal(generic.text, pretty.text);
    stop_reading(&pretty);
    stop_reading(&generic);
}

static void test_any_chunks_give_the_same(void **state)
{
    static const size_t sizes[] = { 1, 2, 3, 7, 64, 1000 };
    static const char *const files[] = { "executable_targets.mlir", "generic.mlir",
                                         "real_jit___call.10.executable-targets.mlir" };

    (void)state;
    for (size_t file = 0; file < sizeof files / sizeof *files; file++) {
        struct reading whole;

        read_file(&whole, files[file]);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct reading parts;

            input_limit_reads(sizes[i]);
            read_file(&parts, files[file]);
            input_limit_reads(0);
            assert_int_equal(parts.code, STATUS_OK);
            assert_string_equal(parts.text, whole.text);
            stop_reading(&parts);
        }
        stop_reading(&whole);
    }
}

/* All white space may be one blank, and there may be a line end wherever a blank is. */
static void test_white_space_means_nothing(void **state)
{
    static const char blanks[] = { ' ', '\n', '\t' };
    static const char *const files[] = { "executable_targets.mlir", "generic.mlir" };

    (void)state;
    for (size_t file = 0; file < sizeof files / sizeof *files; file++) {
        struct reading whole;
        size_t size;
        char *text = load(files[file], &size);

        read_file(&whole, files[file]);
        for (size_t i = 0; i < sizeof blanks; i++) {
            struct reading other;
            char *copy = malloc(size);
            size_t length = 0, location = 0;
            bool quoted = false;

            assert_non_null(copy);
            for (size_t at = 0; at < size; at++) {
                if (!quoted && text[at] == '/' && text[at + 1] == '/')
                    at += strcspn(text + at, "\n");
                quoted ^= text[at] == '"';
                if (strncmp(text + at, "loc(", 4) == 0) /* locations are kept as printed */
                    location = at + location_span(text + at, size - at);
                copy[length++] = !quoted && at >= location && strchr(" \n", text[at]) ? blanks[i] : text[at];
            }
            start_reading(&other);
            read_bytes(&other, copy, length);
            assert_int_equal(other.code, STATUS_OK);
            assert_string_equal(other.text, whole.text);
            stop_reading(&other);
            free(copy);
        }
        stop_reading(&whole);
        free(text);
    }
}

/* ---- structure --------------------------------------------------------------------------------------------------- */

static void test_values_through_blocks(void **state)
{
    struct reading reading;

    (void)state;
    /* An entry without a label, a block printed before the one that leads to it, a value of an earlier block, one that
     * a region hides for a while, and operands named anew in front of a task. */
    read_text(
        &reading,
        FUNCTION(SLICE("a", "slice_program_torq_hl.a") SLICE("b", "slice_program_b") SLICE("d", "d") PROGRAM(
            "nss",
            "^bb0(%x: !torq_hl.invocation<slice>, %y: !torq_hl.invocation<slice>, %z: !torq_hl.invocation<slice>):\n"
            "torq_hl.next %y, %x : T, T lram_area(%m : T) to ^bb1 {lramAddress = 0 : i64}\n"
            "^bb2(%u: !torq_hl.invocation<slice>):\n"
            "torq_hw.nss_task {\"torq-task-id\" = 2 : i64}() {" START_SLICE(
                "%u") "}\n"
                      "torq_hw.nss_task {\"torq-task-id\" = 3 : i64}(%in = %z : T) {" START_SLICE(
                          "%in") "}\n"
                                 "torq_hw.nss_task {\"torq-task-id\" = 4 : i64}() { %z = memref.get_global @x : "
                                 "memref<i8>\n" START_SLICE(
                                     "%z") "}\n"
                                           "torq_hw.nss_task {\"torq-task-id\" = 5 : i64}() {" START_SLICE(
                                               "%z") "}\n"
                                                     "^bb1(%s: !torq_hl.invocation<slice> loc(unknown), %t: "
                                                     "!torq_hl.invocation<slice>):\n"
                                                     "torq_hw.nss_task {\"torq-task-id\" = 6 : i64}() {" START_SLICE(
                                                         "%s") START_SLICE("%t")
                                                         START_SLICE(
                                                             "%t#1") "}\n"
                                                                     "torq_hl.next %s : T lram_area(%m : T) to ^bb2")
                     RUN("%a, %b#0, %d : T, T, T")));
    expect_lost(&reading, &loss_syntax, 0);
    expect_line(&reading, "step 0 torq_hw.slice_start 0 <b>");
    expect_line(&reading, "step 1 torq_hw.slice_start 0 <d>");
    expect_line(&reading, "step 2 torq_hw.slice_start 0 <>");
    expect_line(&reading, "step 3 torq_hw.slice_start 0 <d>");
    expect_line(&reading, "step 4 torq_hw.slice_start 0 <b>");
    expect_line(&reading, "step 4 torq_hw.slice_start 0 <a>");
    expect_line(&reading, "kernels <b,d,a>");
    stop_reading(&reading);
}

static void test_blocks_in_a_circle(void **state)
{
    struct reading reading;

    (void)state;
    read_text(&reading,
              FUNCTION(PROGRAM("nss", "torq_hl.next %m : T lram_area(%m : T) to ^bb9\n"
                                      "^bb1(%s: T):\ntorq_hw.nss_task() {" START_SLICE(
                                          "%s") "}\n"
                                                "torq_hl.next %v : T lram_area(%m : T) to ^bb2\n"
                                                "^bb2(%v: T):\ntorq_hw.nss_task() {" START_SLICE(
                                                    "%v") "}\n"
                                                          "torq_hl.next %v : T lram_area(%m : T) to ^bb1") RUN(" : ")));
    assert_int_equal(reading.code, STATUS_OK);
    expect_line(&reading, "step 0 torq_hw.slice_start 0 <>");
    stop_reading(&reading);
}

/* Nobody writes such a thing. Blocks of the one inside are none of the one around it. */
static void test_a_function_in_a_program(void **state)
{
    struct reading reading;

    (void)state;
    read_text(
        &reading,
        FUNCTION(PROGRAM(
            "nss",
            "torq_hw.nss_task() { torq_hw.css_start\n torq_hw.css_wait }\n" FUNCTION(PROGRAM(
                "inner",
                "torq_hl.next %m : T lram_area(%m : T) to ^bb9\n"
                "^bb1(%a: T, %b: T, %c: T):\ntorq_hw.nss_task() {}")) "torq_hl.next %m, %m, %m : T, T, T lram_area(%m "
                                                                      ": T) to ^bb1\n"
                                                                      "^bb1(%s: T):\ntorq_hw.nss_task() {" START_SLICE(
                                                                          "%s") "}") RUN(" : ")));
    assert_int_equal(reading.code, STATUS_OK);
    expect_line(&reading, "step 0 torq_hw.css_start");
    stop_reading(&reading);
}

static void test_jobs_come_in_order_of_their_waits(void **state)
{
    struct reading reading;

    (void)state;
    read_text(&reading,
              FUNCTION(PROGRAM("nss", "torq_hw.nss_task() { torq_hw.css_start\n torq_hw.css_wait }") INVOKE
                       "%j, %k = torq_hl.descriptor \"late\" on 0 program %p : <nss> code [array<i8: 1, 2>] "
                       "{\"torq-job-id\" = 1 : i32} : !torq_hl.invocation<nss>, memref<8xi8>\n"
                       "%n = torq_hl.descriptor \"never\" on 0 program %p : <nss> code [] : !torq_hl.invocation<nss>\n"
                       "torq_hl.start_program %n : !torq_hl.invocation<nss> args( : ) {\"torq-action-id\" = 9 : i32}\n"
                       "torq_hl.start_program %j : !torq_hl.invocation<nss> args( : ) {\"torq-action-id\" = 3 : i32}\n"
                       "torq_hl.start_program %i : !torq_hl.invocation<nss> args( : ) {\"torq-action-id\" = 2 : i32}\n"
                       "torq_hl.wait_program %i : !torq_hl.invocation<nss> {\"torq-action-id\" = 4 : i32}\n"
                       "torq_hl.wait_program %j : !torq_hl.invocation<nss> {\"torq-action-id\" = 5 : i32}\n"
                       "torq_hl.start_program %i : !torq_hl.invocation<nss> args( : ) {\"torq-action-id\" = 6 : i32}\n"
                       "torq_hl.wait_program %i : !torq_hl.invocation<nss> {\"torq-action-id\" = 7 : i32}\n"
                       "torq_hl.wait_program %gone : !torq_hl.invocation<nss> {\"torq-action-id\" = 8 : i32}\n"
                       "torq_hl.dynamic_host_copy %a to %b {\"torq-action-id\" = 1 : i32}"));
    expect_lost(&reading, &loss_syntax, 0);
    assert_int_equal(reading.program->jobs.count, 5);
    expect_line(&reading, "action 1 kind 0 torq_hl.dynamic_host_copy <> job -1");
    expect_line(&reading, "action 2 kind 2 torq_hl.start_program <nss> job 0");
    expect_line(&reading, "action 3 kind 2 torq_hl.start_program <late> job 1");
    expect_line(&reading, "action 6 kind 2 torq_hl.start_program <nss> job 2"); /* runs a second time */
    expect_line(&reading, "action 8 kind 3 torq_hl.wait_program <> job 3");
    expect_line(&reading, "action 9 kind 2 torq_hl.start_program <never> job 4");
    expect_line(&reading, "job 0 nss actions 1 3 used 8");
    expect_line(&reading, "job 1 late actions 2 4 used 8");
    expect_line(&reading, "job -1  actions -1 7 used 0");
    expect_line(&reading, "job -1 never actions 8 -1 used 8");
    assert_int_equal(reading.program->tasks.count, 4);
    stop_reading(&reading);
}

static void test_functions(void **state)
{
    static const char task[] = PROGRAM(
        "nss", "torq_hw.nss_task {\"torq-start-time-cycles\" = 0 : i64, \"torq-end-time-cycles\" = 10 : i64}() {\n"
               "torq_hw.css_start\n}") RUN(" : ");
    struct reading reading;
    char text[4096];

    (void)state;
    snprintf(
        text, sizeof text,
        "module { func.func private @host(%%a: tensor<4xi8> loc(\"a\")) -> tensor<4xi8> attributes {x = 1} { return }\n"
        "hal.executable private @e { builtin.module { func.func @one() { %s return } } }\n"
        "module { func.func @\"two words\"() {%s return } func.func @empty() { return } } }\n",
        task, task);
    read_text(&reading, text);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.program->dispatches.count, 2);
    expect_line(&reading, "dispatch one ");
    expect_line(&reading, "dispatch two words ");
    assert_int_equal(reading.program->chosen, 1);
    expect_note(&reading, "drawn one after the other", true);
    expect_line(&reading, " task [0,10] -1\n"); /* both count from 0 */
    expect_line(&reading, " task [10,20] -1\n");
    stop_reading(&reading);
}

static void test_without_a_function(void **state)
{
    struct reading reading;

    (void)state;
    read_text(&reading, PROGRAM("nss", "torq_hw.nss_task() { torq_hw.css_start }") RUN(" : "));
    assert_int_equal(reading.code, STATUS_OK);
    expect_line(&reading, "dispatch  ");
    assert_int_equal(reading.program->units.count, 1);
    stop_reading(&reading);
}

/* Dumps after each pass in one file: the last form of a function counts, and each dump has its own aliases. */
static void test_dumps_of_several_passes(void **state)
{
    struct reading reading;

    (void)state;
    read_text(&reading,
              "// -----// IR Dump After A //----- //\n"
              "module { func.func @f() { torq_hl.host_copy %a {\"torq-action-id\" = 0 : i32} loc(#loc) return } "
              "func.func @g() { torq_hl.host_copy %a {\"torq-action-id\" = 5 : i32} loc(#loc) return } }\n"
              "#loc = loc(\"a\":1:1)\n"
              "// -----// IR Dump After B //----- //\n"
              "module { func.func @f() { torq_hl.host_copy %a {\"torq-action-id\" = 1 : i32} loc(#loc) return } }\n"
              "#loc = loc(\"b\":2:2)\n");
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.program->dispatches.count, 2);
    expect_line(
        &reading,
        "action 5 kind 1 torq_hl.host_copy <> job -1 [-9223372036854775808,-9223372036854775808] loc(\"a\":1:1)");
    expect_line(
        &reading,
        "action 1 kind 1 torq_hl.host_copy <> job -1 [-9223372036854775808,-9223372036854775808] loc(\"b\":2:2)");
    assert_null(strstr(reading.text, "action 0 "));
    stop_reading(&reading);
}

static void test_strange_surroundings(void **state)
{
    struct reading reading;

    (void)state;
    read_text(
        &reading,
        "#map = affine_map<(d0) -> (d0 floordiv 2)>\n#set = affine_set<(d0) : (d0 - 1 >= 0, d0 <= 7)>\n"
        "!alias = tensor<4xi8>\n#big = dense<\"0x00112233\"> : tensor<4xi8>\n"
        "module attributes {torq_hl.program = 1, a = {b = [{c = \"}\"}]}, unit} {\n"
        " util.global private @g = dense_resource<blob> : tensor<4xi8>\n"
        " func.func @f(%arg0: tensor<4xi8> {iree.x = \"torq_hl.host_copy\"}) -> (tensor<4xi8>, index) {\n"
        "  %0 = torch.operator \"onnx.Softmax\"(%arg0) : (tensor<4xi8>) -> tensor<4xi8>\n"
        "  %1:2 = \"foo.bar\"(%0) ({ ^bb0(%q: index): \"foo.yield\"() : () -> () }, { }) {\"torq-action-id\" = 4 : "
        "i32} : (i1) -> (i1, i1) loc(\"foo\"(\"f\":1:2))\n"
        "  scf.for %i = %c0 to %c1 step %c2 { torq_hl.host_copy %a {\"torq-action-id\" = 2 : i32, x = loc(\"no\")} "
        "loc(fused<\"m\">[\"a\":1:1, unknown]) }\n"
        "  cf.cond_br %1#0, ^bb1(%0 : i1), ^bb2\n ^bb1(%z: i1):\n cf.br ^bb2\n ^bb2:\n"
        "  torq_hw.slice_task{\n op : \"add\"\n D %arg3, %arg4 : memref<i32>\n CFG {mode = [MUL, MUL], act = ACT,}\n"
        "  [{DEWR dims = [ B(L) [1, #map], G(H) [1, #map1]]}, {REF dims = []}]\n}\n"
        "  arith.cmpi slt, %a < %b\n"
        "  memref.dealloc %x {\"torq-action-id\" = 3 : i32} : memref<4xi8>\n"
        "  torq_hl.host_copy %a {\"torq-action-id\" = 6 : i32} torq_hw.dma_in_wait\n"
        "  return %0, %1 : tensor<4xi8>, index\n }\n}\n{-# dialect_resources: { builtin: { blob: \"0x00}\" } } #-}\n");
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.program->actions.count, 4);
    expect_line(&reading, "action 2 kind 1 torq_hl.host_copy <> job -1 [-9223372036854775808,-9223372036854775808] "
                          "loc(fused<\"m\">[\"a\":1:1, unknown])");
    expect_line(&reading, "action 3 kind 0 memref.dealloc ");
    expect_line(
        &reading,
        "action 4 kind 0 foo.bar <> job -1 [-9223372036854775808,-9223372036854775808] loc(\"foo\"(\"f\":1:2))");
    expect_line(&reading, "action 6 kind 1 ");
    expect_lost(&reading, &loss_syntax, 1); /* the dma_in_wait that stands in no task */
    assert_int_equal(reading.feed.losses.rows, 6);
    stop_reading(&reading);
}

/* An operation without operands in front of a generic one: both count. */
static void test_short_operations_in_a_row(void **state)
{
    struct reading reading;

    (void)state;
    read_text(&reading,
              FUNCTION(PROGRAM("nss", "torq_hw.nss_task() { torq_hw.dma_in_start torq_hw.dma_in_wait "
                                      "\"torq_hw.slice_wait\"() <{id = 1 : index}> : () -> () torq_hw.css_wait\n"
                                      "\"torq_hw.slice_wait\"() {id = 0 : index} : () -> () }") RUN(" : ")));
    expect_lost(&reading, &loss_syntax, 0);
    assert_int_equal(reading.program->steps.count, 5);
    stop_reading(&reading);
}

/* ---- details ----------------------------------------------------------------------------------------------------- */

static void test_profiles(void **state)
{
    struct reading reading;

    (void)state;
    read_text(
        &reading,
        FUNCTION("torq_hw.dispatch_profiling {a = 1 : i64}\n memory : 77 bytes total_cycle : 99\n"
                 "%a = torq_hl.program \"slice_program_torq_hl.q_0\" : !torq_hl.program<slice> {\n"
                 "torq_hw.slice_profiling {x = \"y\"} memory:5 bytes memory_info:\"1x2\" max_cycle:8 ndl_cycles : "
                 "#torq_hw<ndl_cycles dedr(1) dewr(2) debr(3) deqw(4) cedw(5) cedr(6) ceww(7) cewr(8) cepr(8) acbw(0) "
                 "acbr(1) acpr(2)> loc(unknown)\n"
                 "torq_hw.slice_profiling max_cycle : 3 ndl_cycles : acpr( 3 ) memory : 4 bytes\n torq_hl.return\n}"));
    expect_lost(&reading, &loss_syntax, 0);
    expect_line(&reading, "dispatch f 77 99 ");
    expect_line(&reading, "kernel q_0 1x2 5 8 cewr 1 2 3 4 5 6 7 8 8 0 1 2\n");
    expect_line(&reading, "kernel q_0  4 3 acpr ");
    assert_int_equal(reading.program->kernels.count, 2);
    stop_reading(&reading);
}

static void test_cdma_directions(void **state)
{
    struct reading reading;

    (void)state;
    read_text(&reading,
              "#itcm = #torq_hl<enc mem_space = itcm>\n" FUNCTION(PROGRAM(
                  "nss",
                  "torq_hw.nss_task() {\n"
                  "torq_hw.cdma_start from %a : memref<4x2xi32, #torq_hl<enc mem_space = dtcm>> to %b : memref<8xi32>\n"
                  "torq_hw.cdma_start from %a : memref<3xbf16, strided<[1]>> to %b : memref<3xbf16, #itcm>\n"
                  "torq_hw.cdma_start from %a : memref<?xi8, #torq_hl<enc mem_space = lram>> to %b : memref<4xi8, "
                  "#torq_hl<enc mem_space = weird>>\n"
                  "torq_hw.cdma_start\n}") RUN(" : ")));
    expect_lost(&reading, &loss_syntax, 0);
    expect_line(&reading, "torq_hw.cdma_start -1 <> <DTCM to XRAM> -9223372036854775808 32 ");
    expect_line(&reading, "torq_hw.cdma_start -1 <> <XRAM to ITCM> -9223372036854775808 6 ");
    expect_line(&reading, "torq_hw.cdma_start -1 <> <LRAM to OTHER> -9223372036854775808 -1 ");
    expect_line(&reading, "torq_hw.cdma_start -1 <> <> -9223372036854775808 -1 ");
    expect_line(&reading, "unit cdma_itcm 0 ");
    stop_reading(&reading);
}

static void test_fraction_clock_and_own_program(void **state)
{
    struct reading reading;
    struct input *input;
    size_t size;
    char *text = load("executable_targets.mlir", &size);

    (void)state;
    start_reading(&reading);
    reading.source.clock_numerator = 2405;
    reading.source.clock_denominator = 2;
    assert_int_equal(input_open_memory("x", text, size, &input), STATUS_OK);
    run_reading(&reading, input);
    expect_line(&reading, "clock 0 cycles at 1202.5 MHz\n");
    expect_line(&reading, "nss_program_0 [0,1408]");
    assert_int_equal(reading.program->jobs.count, 2);
    torq_mlir_reader.release(&reading.source);
    assert_null(reading.source.kept);
    stop_reading(&reading);
    free(text);
}

static void test_read_program(void **state)
{
    struct reading reading;
    struct program program;
    struct input *input;
    char path[512];

    (void)state;
    start_reading(&reading);
    program_start(&program, reading.strings);
    data_path(path, sizeof path, "executable_targets.mlir");
    assert_int_equal(input_open(path, &input), STATUS_OK);
    reading.source.input = input;
    assert_int_equal(torq_read_program(&reading.source, &program), STATUS_OK);
    assert_int_equal(program.jobs.count, 2);
    assert_true(program.has_estimate);
    assert_null(reading.source.kept);
    assert_int_equal(reading.source.note_count, 0);
    input_close(input);
    assert_int_equal(input_open_memory("x", "torq_hw.dma_in_wait", 19, &input), STATUS_OK);
    reading.source.input = input;
    assert_int_equal(torq_read_program(&reading.source, &program), STATUS_OK);
    expect_note(&reading, "could not be read", true);
    input_close(input);
    program_free(&program);
    stop_reading(&reading);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fragment),
        cmocka_unit_test(test_fragment_timeline),
        cmocka_unit_test(test_real_dump),
        cmocka_unit_test(test_generic_form_says_the_same),
        cmocka_unit_test(test_any_chunks_give_the_same),
        cmocka_unit_test(test_white_space_means_nothing),
        cmocka_unit_test(test_values_through_blocks),
        cmocka_unit_test(test_blocks_in_a_circle),
        cmocka_unit_test(test_jobs_come_in_order_of_their_waits),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_without_a_function),
        cmocka_unit_test(test_dumps_of_several_passes),
        cmocka_unit_test(test_strange_surroundings),
        cmocka_unit_test(test_short_operations_in_a_row),
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_a_function_in_a_program),
        cmocka_unit_test(test_cdma_directions),
        cmocka_unit_test(test_fraction_clock_and_own_program),
        cmocka_unit_test(test_read_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
