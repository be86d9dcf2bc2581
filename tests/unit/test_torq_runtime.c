/* test_torq_runtime.c: runtime logs of three generations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/lines.h"
#include "base/memory.h"
#include "recorder.h"
#include "torq/chain.h"
#include "torq/origin.h"

static const struct reading_case usual = { .reader = &torq_runtime_reader };

#define R1_HEADER "id;time_since_open;time_since_start;location\n"
#define R2_HEADER "actionIndex, elapsed_time(us), timestamp(us), event, location\n"
#define R3_HEADER "dispatch_name,invocation_id,action_id,timestamp_us,event\n"

/* Reads a text and compares the slices and, where one is given, the reason that counts `count` rows. */
static void check_text(const char *text, const char *expected, const struct loss_reason *reason, uint64_t count)
{
    struct recorder *recorder = read_bytes(&usual, text, strlen(text), NULL);

    assert_string_equal(recorder_text(recorder), expected);
    if (losses_total(&recorder->losses) != count || (reason != NULL && lost_for(recorder, reason) != count))
        fail_msg("%s: %" PRIu64 " losses, wanted %" PRIu64 " for %s", text, losses_total(&recorder->losses), count,
                 reason == NULL ? "nothing" : reason->text);
    recorder_free(recorder);
}

static void check_file(const char *name, const char *generation, const char *expected)
{
    struct source source;
    struct recorder *recorder = read_file(&usual, name, &source);

    assert_string_equal(recorder_text(recorder), expected);
    assert_string_equal(source.generation, generation);
    assert_int_equal(losses_total(&recorder->losses), 0);
    assert_true(has_note(&source, "without --mlir"));
    assert_int_equal(recorder->clock.numerator, 1000);
    assert_int_equal(recorder->clock.denominator, 1);
    recorder_free(recorder);
}

static void test_the_fragments(void **state)
{
    (void)state;
    check_file("torq-runtime/r1.csv", "R1",
               "nss 0 | net.mlir:4:10 | 300..1200 | net.mlir:4:10 | job=0\nnss 0 | NSS job | 1300..2300 | - | job=1\n");
    check_file("torq-runtime/runtime_r1.csv", "R1",
               "nss 0 | net.mlir:4:10 | 500..1400 | net.mlir:4:10 | job=0\nnss 0 | net.mlir:6:10 | 2450..3650 | "
               "net.mlir:6:10 | job=1\n");
    check_file("torq-runtime/runtime_r2.csv", "R2",
               "host_copy 0 | HOST_COPY | 5000000..5000012 | net.mlir:4:10 | action=0\n"
               "action 0 | NSS_START | 5000013..5000020 | net.mlir:4:10 + net.mlir:5:10 | action=1 | flow 1\n"
               "nss 0 | net.mlir:4:10 + net.mlir:5:10 | 5000021..5000420 | net.mlir:4:10 + net.mlir:5:10 | "
               "start_action=1 wait_action=2 | flow 1\n"
               "action 0 | NSS_WAIT | 5000021..5000420 | net.mlir:4:10 + net.mlir:5:10 | action=2 | flow 1\n"
               "host 0 | HOST_PROGRAM | 5000421..5000600 | net.mlir:7:10 | action=3\n"
               "action 0 | NSS_START | 5000601..5000607 | net.mlir:6:10 | action=5 | flow 2\n"
               "nss 0 | net.mlir:6:10 | 5000608..5000900 | net.mlir:6:10 | start_action=5 wait_action=6 | flow 2\n"
               "action 0 | NSS_WAIT | 5000608..5000900 | net.mlir:6:10 | action=6 | flow 2\n"
               "action 0 | ALLOC | 5000901..5000902 | - | action=7\n");
}

#define ACTION(id) "action=" id " dispatch=main_dispatch_0_conv invocation=3"

static void test_the_fragment_of_r3(void **state)
{
    (void)state;
    check_file(
        "torq-runtime/runtime_r3.csv", "R3",
        "runtime 0 | INIT main_dispatch_0_conv | 4000000..4000910 | - | dispatch=main_dispatch_0_conv invocation=0\n"
        "runtime 0 | INIT_HW_OPEN | 4000005..4000900 | - | invocation=0 | in INIT main_dispatch_0_conv\n"
        "hal 0 | HAL_QUEUE_EXECUTE | 4999900..5000975 | - | dispatch=__HAL_QUEUE_EXECUTE__ invocation=1\n"
        "hal 0 | HAL_QUEUE_WAIT | 4999901..4999905 | - | dispatch=__HAL_QUEUE_EXECUTE__ invocation=1 | in "
        "HAL_QUEUE_EXECUTE\n"
        "hal 0 | HAL_QUEUE_APPLY_DEFERRED | 4999906..5000970 | - | dispatch=__HAL_QUEUE_EXECUTE__ invocation=1 | in "
        "HAL_QUEUE_EXECUTE\n"
        "hal 0 | HAL_COMMAND_BUFFER_DISPATCH | 4999910..5000960 | - | dispatch=__HAL_COMMAND_BUFFER_DISPATCH__ "
        "invocation=2\n"
        "runtime 0 | main_dispatch_0_conv | 4999950..5000950 | - | dispatch=main_dispatch_0_conv invocation=3\n"
        "runtime 0 | DISPATCH_SYNC_BINDINGS_IN | 4999960..4999990 | - | invocation=3 | in main_dispatch_0_conv\n"
        "runtime 0 | DISPATCH_EXECUTE_ACTIONS | 4999995..5000903 | - | invocation=3 | in main_dispatch_0_conv\n"
        "host_copy 0 | HOST_COPY | 5000000..5000012 | - | " ACTION(
            "0") "\n"
                 "runtime 0 | NSS_START | 5000013..5000020 | - | " ACTION(
                     "1") " | flow 1 | in DISPATCH_EXECUTE_ACTIONS\n"
                          "nss 0 | main_dispatch_0_conv | 5000013..5000420 | - | start_action=1 "
                          "dispatch=main_dispatch_0_conv | flow 1\n"
                          "runtime 0 | NSS_WAIT | 5000021..5000420 | - | " ACTION(
                              "2") " | flow 1 | in DISPATCH_EXECUTE_ACTIONS\n"
                                   "runtime 0 | HOST_START | 5000421..5000600 | - | " ACTION(
                                       "3") " | in DISPATCH_EXECUTE_ACTIONS\n"
                                            "host 0 | HOST_PROGRAM | 5000421..5000600 | - | start_action=3\n"
                                            "runtime 0 | HOST_WAIT | 5000600..5000600 | - | " ACTION(
                                                "4") " | in DISPATCH_EXECUTE_ACTIONS\n"
                                                     "runtime 0 | NSS_START | 5000601..5000607 | - | " ACTION(
                                                         "5") " | flow 2 | in DISPATCH_EXECUTE_ACTIONS\n"
                                                              "nss 0 | main_dispatch_0_conv | 5000601..5000900 | - | "
                                                              "start_action=5 dispatch=main_dispatch_0_conv | flow 2\n"
                                                              "runtime 0 | NSS_WAIT | 5000608..5000900 | - | " ACTION(
                                                                  "6") " | flow 2 | in DISPATCH_EXECUTE_ACTIONS\n"
                                                                       "runtime 0 | ALLOC | 5000901..5000902 | - "
                                                                       "| " ACTION(
                                                                           "7") " | in DISPATCH_EXECUTE_ACTIONS\n"
                                                                                "hal 0 | HAL_QUEUE_SIGNAL | "
                                                                                "5000971..5000973 | - | "
                                                                                "dispatch=__HAL_QUEUE_EXECUTE__ "
                                                                                "invocation=1 | in "
                                                                                "HAL_QUEUE_EXECUTE\n");
}

static void test_r1_rows(void **state)
{
    (void)state;
    check_text("dispatch_id;time_since_open;time_since_start;mlir_loc\n0;10;4;\n",
               "nss 0 | NSS job | 6..10 | - | job=0\n", NULL, 0);
    check_text("ID;time_since_open;time_since_start\n0;10;4\n", "nss 0 | NSS job | 6..10 | - | job=0\n", NULL, 0);
    check_text("0;10;4\n1;20;5\n", "nss 0 | NSS job | 6..10 | - | job=0\nnss 0 | NSS job | 15..20 | - | job=1\n", NULL,
               0);
    check_text(R1_HEADER "0;10;4;loc(fused[\"a\":1:2, \"b\":3:4])\n",
               "nss 0 | a:1:2 + b:3:4 | 6..10 | a:1:2 + b:3:4 | job=0\n", NULL, 0);
    check_text(R1_HEADER "0;10;4;loc(fused[\"a\":1:2,\n\"b\":3:4])\n",
               "nss 0 | a:1:2 + b:3:4 | 6..10 | a:1:2 + b:3:4 | job=0\n", NULL, 0);
    check_text(R1_HEADER "0;10;4;loc(fused[\"a\":1:2,\n1;20;4;\n", "nss 0 | NSS job | 16..20 | - | job=1\n",
               &torq_loss_location, 1);
    check_text(R1_HEADER "0;4;10;\n", "", &torq_loss_before_open, 1);
    check_text(R1_HEADER "0;4;-1;\n", "", &loss_end_before_start, 1);
    check_text(R1_HEADER "0;-4;1;\n", "", &loss_time_range, 1);
    check_text(R1_HEADER "0;99999999999999999999;1;\n", "", &loss_time_range, 1);
    check_text(R1_HEADER "0;x;1;\n", "", &loss_number, 1);
    check_text(R1_HEADER "x;4;1;\n", "", &loss_number, 1);
    check_text(R1_HEADER "0;4\n", "", &loss_fields, 1);
    check_text(R1_HEADER "0;4;1;loc(unknown);5\n", "", &loss_fields, 1);
    check_text(R1_HEADER "0;4;1;\n0;8;1;\n", "nss 0 | NSS job | 3..4 | - | job=0\nnss 0 | NSS job | 7..8 | - | job=0\n",
               &loss_repeated_id, 1);
    check_text(R1_HEADER "0;8;1;\n1;4;1;\n", "nss 0 | NSS job | 7..8 | - | job=0\nnss 0 | NSS job | 3..4 | - | job=1\n",
               &loss_backwards, 1);
}

static void test_r2_locations(void **state)
{
    static const char copied[] = "host_copy 0 | HOST_COPY | 5..9 | a:1:2 + b:3:4 | action=0\n";

    (void)state;
    check_text(R2_HEADER "0,0,5,HOST_COPY_START,loc(fused[\"a\":1:2, \"b\":3:4])\n0,4,9,HOST_COPY_END,loc(unknown)\n",
               copied, NULL, 0);
    check_text(R2_HEADER "0,0,5,HOST_COPY_START,\"loc(fused[\"\"a\"\":1:2,\n\"\"b\"\":3:4])\"\n0,4,9,HOST_COPY_END,\n",
               copied, NULL, 0);
    check_text(R2_HEADER "0,0,5,HOST_COPY_START,loc(fused[\"a\":1:2,\n\"b\":3:4])\n0,4,9,HOST_COPY_END\n", copied, NULL,
               0);
    check_text("0,0,5,HOST_COPY_START,loc(fused[\"a\":1:2, \"b\":3:4])\n0,4,9,HOST_COPY_END,\n", copied, NULL, 0);
    check_text(R2_HEADER "0,0,5,HOST_COPY_START,loc(fused[\"a\":1:2,\n1,0,6,ALLOC_START,\n1,0,7,ALLOC_END,\n",
               "action 0 | ALLOC | 6..7 | - | action=1\n", &torq_loss_location, 1);
    check_text(R2_HEADER "0,0,5,HOST_COPY_START,\"loc(\n1,1,6,ALLOC_START,\n1,2,7,ALLOC_END,\n",
               "action 0 | ALLOC | 6..7 | - | action=1\n", &loss_quote, 1);
}

static void test_r2_events(void **state)
{
    (void)state;
    check_text(R2_HEADER "0,0,5,DEALLOC_START,\n0,1,6,DEALLOC_END,\n", "action 0 | DEALLOC | 5..6 | - | action=0\n",
               NULL, 0);
    check_text(R2_HEADER "0,0,5,Unknown,\n", "unknown 0 | Unknown | 5..5 | - | action=0\n", &loss_unknown_event, 1);
    check_text(R2_HEADER "0,0,5,NEW_THING_START,\n0,2,7,NEW_THING_END,\n",
               "unknown 0 | NEW_THING | 5..7 | - | action=0\n", &loss_unknown_event, 1);
    /* Not an event of this generation, although it is one of the next. */
    check_text(R2_HEADER "0,0,5,INIT_START,\n0,2,7,INIT_END,\n", "unknown 0 | INIT | 5..7 | - | action=0\n",
               &loss_unknown_event, 1);
    /* Waits go to their starts in order. */
    check_text(
        R2_HEADER "1,0,1,NSS_START,\n1,1,2,NSS_START_END,\n2,2,3,NSS_START,\n2,3,4,NSS_START_END,\n"
                  "3,4,5,NSS_WAIT_START,\n3,5,6,NSS_WAIT_END,\n4,6,7,NSS_WAIT_START,\n4,7,8,NSS_WAIT_END,\n",
        "action 0 | NSS_START | 1..2 | - | action=1 | flow 1\naction 0 | NSS_START | 3..4 | - | action=2 | flow 2\n"
        "nss 0 | action 1 | 5..6 | - | start_action=1 wait_action=3 | flow 1\n"
        "action 0 | NSS_WAIT | 5..6 | - | action=3 | flow 1\n"
        "nss 0 | action 2 | 7..8 | - | start_action=2 wait_action=4 | flow 2\n"
        "action 0 | NSS_WAIT | 7..8 | - | action=4 | flow 2\n",
        NULL, 0);
    check_text(R2_HEADER "3,4,5,NSS_WAIT_START,\n3,5,6,NSS_WAIT_END,\n",
               "nss 0 | action 3 | 5..6 | - | wait_action=3\naction 0 | NSS_WAIT | 5..6 | - | action=3\n", NULL, 0);
}

static void test_r2_odd_rows(void **state)
{
    (void)state;
    check_text(R2_HEADER "0,0,5,ALLOC_END,\n", "", &loss_end_without_begin, 1);
    check_text(R2_HEADER "0,0,5,ALLOC_START,\n1,4,9,ALLOC_START,\n1,6,11,ALLOC_END,\n",
               "action 0 | ALLOC | 5..11 | - | action=0\naction 0 | ALLOC | 9..11 | - | action=1\n",
               &loss_begin_without_end, 1);
    check_text(R2_HEADER "1,0,5,NSS_WAIT_START,\n2,4,9,ALLOC_START,\n2,5,10,ALLOC_END,\n",
               "nss 0 | action 1 | 5..10 | - | wait_action=1\naction 0 | NSS_WAIT | 5..10 | - | action=1\n"
               "action 0 | ALLOC | 9..10 | - | action=2\n",
               &loss_begin_without_end, 1);
    check_text(R2_HEADER "0,0,5,ALLOC_START,\n0,1,6,ALLOC_START,\n0,2,7,ALLOC_END,\n0,3,8,ALLOC_END,\n",
               "action 0 | ALLOC | 5..8 | - | action=0\naction 0 | ALLOC | 6..7 | - | action=0\n", &loss_repeated_id,
               1);
    check_text(R2_HEADER "0,0,5,ALLOC_START,\n0,-2,3,ALLOC_END,\n", "action 0 | ALLOC | 5..5 | - | action=0\n",
               &loss_backwards, 1);
    check_text(R2_HEADER "x,0,5,ALLOC_START,\n", "", &loss_number, 1);
    check_text(R2_HEADER "0,x,5,ALLOC_START,\n", "", &loss_number, 1);
    check_text(R2_HEADER "0,0,-5,ALLOC_START,\n", "", &loss_time_range, 1);
    check_text(R2_HEADER "0,0,9223372036854775807,ALLOC_START,\n", "", &loss_time_range, 1);
    check_text(R2_HEADER "0,0,5\n", "", &loss_fields, 1);
    check_text(R2_HEADER "0,0,5,,\n", "", &loss_fields, 1);
    check_text(R2_HEADER "0,0,5,ALLOC_START,loc(unknown),6\n", "", &loss_fields, 1);
    check_text(R2_HEADER "0,0,5,ALLOC\001_START,\n", "", &loss_binary, 1);
    check_text(R2_HEADER, "", NULL, 0);
    check_text("", "", NULL, 0);
    check_text("\n\n", "", NULL, 0);
}

static void test_r2_elapsed_is_checked(void **state)
{
    static const char text[] = R2_HEADER "0,0,5,ALLOC_START,\n0,9,6,ALLOC_END,\n";
    struct source source;
    struct recorder *recorder = read_bytes(&usual, text, sizeof text - 1, &source);

    (void)state;
    assert_true(has_note(&source, "do not agree"));
    recorder_free(recorder);
}

static void test_r3_nesting_that_breaks(void **state)
{
    (void)state;
    /* The inner one has no end: it is closed with the outer one. */
    check_text(R3_HEADER "d,1,-1,10,DISPATCH_BEGIN\nd,1,-1,11,DISPATCH_EXECUTE_ACTIONS_BEGIN\nd,1,-1,20,DISPATCH_END\n",
               "runtime 0 | d | 10..20 | - | dispatch=d invocation=1\n"
               "runtime 0 | DISPATCH_EXECUTE_ACTIONS | 11..20 | - | invocation=1 | in d\n",
               &loss_begin_without_end, 1);
    check_text(R3_HEADER "d,1,-1,10,DISPATCH_BEGIN\nd,1,-1,11,DISPATCH_EXECUTE_ACTIONS_BEGIN\nd,2,-1,90,INIT_BEGIN\n",
               "runtime 0 | d | 10..11 | - | dispatch=d invocation=1\n"
               "runtime 0 | DISPATCH_EXECUTE_ACTIONS | 11..11 | - | invocation=1 | in d\n"
               "runtime 0 | INIT d | 90..90 | - | dispatch=d invocation=2\n",
               &loss_begin_without_end, 3);
    check_text(R3_HEADER "d,1,-1,20,DISPATCH_END\n", "", &loss_end_without_begin, 1);
    /* The same number in another scope is not the same event. */
    check_text(R3_HEADER "d,1,0,10,ALLOC_BEGIN\nd,2,0,11,ALLOC_END\nd,1,0,12,ALLOC_END\n",
               "runtime 0 | ALLOC | 10..12 | - | action=0 dispatch=d invocation=1\n", &loss_end_without_begin, 1);
    check_text(R3_HEADER "d,1,0,10,ALLOC_BEGIN\ne,1,0,11,ALLOC_END\nd,1,0,12,ALLOC_END\n",
               "runtime 0 | ALLOC | 10..12 | - | action=0 dispatch=d invocation=1\n", &loss_end_without_begin, 1);
    check_text(R3_HEADER "d,1,0,10,ALLOC_BEGIN\nd,1,0,11,ALLOC_BEGIN\nd,1,0,12,ALLOC_END\nd,1,0,13,ALLOC_END\n",
               "runtime 0 | ALLOC | 10..13 | - | action=0 dispatch=d invocation=1\n"
               "runtime 0 | ALLOC | 11..12 | - | action=0 dispatch=d invocation=1 | in ALLOC\n",
               &loss_repeated_id, 1);
}

static void test_r3_time_running_backwards(void **state)
{
    (void)state;
    check_text(R3_HEADER "d,1,0,10,ALLOC_BEGIN\nd,1,0,5,ALLOC_END\n",
               "runtime 0 | ALLOC | 10..10 | - | action=0 dispatch=d invocation=1\n", &loss_backwards, 1);
    /* A child that begins before its parent has no parent; a parent does not end before its child. */
    check_text(R3_HEADER "d,1,-1,10,DISPATCH_BEGIN\nd,1,0,5,ALLOC_BEGIN\nd,1,0,6,ALLOC_END\nd,1,-1,20,DISPATCH_END\n",
               "runtime 0 | d | 10..20 | - | dispatch=d invocation=1\nruntime 0 | ALLOC | 5..6 | - | action=0 "
               "dispatch=d invocation=1\n",
               &loss_backwards, 1);
    check_text(R3_HEADER "d,1,-1,10,DISPATCH_BEGIN\nd,1,0,15,ALLOC_BEGIN\nd,1,0,16,ALLOC_END\nd,1,-1,12,DISPATCH_END\n",
               "runtime 0 | d | 10..16 | - | dispatch=d invocation=1\n"
               "runtime 0 | ALLOC | 15..16 | - | action=0 dispatch=d invocation=1 | in d\n",
               &loss_backwards, 1);
}

static void test_r3_jobs(void **state)
{
    (void)state;
    /* Overlapping jobs: first started, first waited for. No dispatch event around them. */
    check_text(R3_HEADER
               "d,1,1,10,NSS_START_BEGIN\nd,1,1,11,NSS_START_END\nd,1,2,12,NSS_START_BEGIN\nd,1,2,13,NSS_START_END\n"
               "d,1,3,14,NSS_WAIT_BEGIN\nd,1,3,20,NSS_WAIT_END\nd,1,4,21,NSS_WAIT_BEGIN\nd,1,4,30,NSS_WAIT_END\n",
               "runtime 0 | NSS_START | 10..11 | - | action=1 dispatch=d invocation=1 | flow 1\n"
               "nss 0 | d | 10..20 | - | start_action=1 dispatch=d | flow 1\n"
               "runtime 0 | NSS_START | 12..13 | - | action=2 dispatch=d invocation=1 | flow 2\n"
               "nss 0 | d | 12..30 | - | start_action=2 dispatch=d | flow 2\n"
               "runtime 0 | NSS_WAIT | 14..20 | - | action=3 dispatch=d invocation=1 | flow 1\n"
               "runtime 0 | NSS_WAIT | 21..30 | - | action=4 dispatch=d invocation=1 | flow 2\n",
               NULL, 0);
    /* A job that nobody waits for ends with its dispatch. */
    check_text(R3_HEADER
               "d,1,-1,5,DISPATCH_BEGIN\nd,1,1,10,NSS_START_BEGIN\nd,1,1,11,NSS_START_END\nd,1,-1,40,DISPATCH_END\n",
               "runtime 0 | d | 5..40 | - | dispatch=d invocation=1\n"
               "runtime 0 | NSS_START | 10..11 | - | action=1 dispatch=d invocation=1 | flow 1 | in d\n"
               "nss 0 | d | 10..40 | - | start_action=1 dispatch=d | flow 1\n",
               &loss_begin_without_end, 1);
    check_text(R3_HEADER "d,1,1,10,NSS_START_BEGIN\nd,1,1,11,NSS_START_END\n",
               "runtime 0 | NSS_START | 10..11 | - | action=1 dispatch=d invocation=1 | flow 1\n"
               "nss 0 | d | 10..11 | - | start_action=1 dispatch=d | flow 1\n",
               &loss_begin_without_end, 1);
    /* A wait without its start: the job is drawn over the wait. */
    check_text(R3_HEADER "d,1,2,10,NSS_WAIT_BEGIN\nd,1,2,19,NSS_WAIT_END\n",
               "runtime 0 | NSS_WAIT | 10..19 | - | action=2 dispatch=d invocation=1\n"
               "nss 0 | d | 10..19 | - | wait_action=2 dispatch=d\n",
               NULL, 0);
}

static void test_r3_rows(void **state)
{
    static const char one[] = "runtime 0 | ALLOC | 1..2 | - | action=0 dispatch=d invocation=7\n";

    (void)state;
    check_text("d,7,0,1,ALLOC_BEGIN\nd,7,0,2,ALLOC_END\n", one, NULL, 0);
    check_text("DISPATCH_NAME, Invocation_ID, action_id, timestamp_us, event\nd,7,0,1,ALLOC_BEGIN\nd,7,0,2,ALLOC_END",
               one, NULL, 0);
    check_text(R3_HEADER " \"d\" , 7 , 0 , 1 , ALLOC_BEGIN \r\nd,7,0,2,ALLOC_END\r\n\r\n", one, NULL, 0);
    check_text(R3_HEADER "d,7,0,1,ALLOC_BEGIN\n" R3_HEADER "d,7,0,2,ALLOC_END\n", one, NULL, 0);
    check_text(R3_HEADER "d,7,-1,1,NEWS_BEGIN\nd,7,-1,2,NEWS_END\n", "unknown 0 | NEWS | 1..2 | - | invocation=7\n",
               &loss_unknown_event, 1);
    check_text(R3_HEADER "d,7,-1,1,PING\n", "unknown 0 | PING | 1..1 | - | invocation=7\n", &loss_unknown_event, 1);
    check_text(R3_HEADER "__HAL_COMMAND_BUFFER_COPY_BUFFER__,7,-1,1,HAL_CALL_BEGIN\n"
                         "__HAL_COMMAND_BUFFER_COPY_BUFFER__,7,-1,2,HAL_CALL_END\n",
               "hal 0 | HAL_COMMAND_BUFFER_COPY_BUFFER | 1..2 | - | dispatch=__HAL_COMMAND_BUFFER_COPY_BUFFER__ "
               "invocation=7\n",
               NULL, 0);
    check_text(R3_HEADER "d,x,-1,1,INIT_BEGIN\n", "", &loss_number, 1);
    check_text(R3_HEADER "d,1,--1,1,INIT_BEGIN\n", "", &loss_number, 1);
    check_text(R3_HEADER "d,1,-1,x,INIT_BEGIN\n", "", &loss_number, 1);
    check_text(R3_HEADER "d,1,-1,-4,INIT_BEGIN\n", "", &loss_time_range, 1);
    check_text(R3_HEADER "d,1,-1,9223372036854775807,INIT_BEGIN\n", "", &loss_time_range, 1);
    check_text(R3_HEADER "d,1,-1,99999999999999999999,INIT_BEGIN\n", "", &loss_time_range, 1);
    check_text(R3_HEADER "d,1,-1,5\n", "", &loss_fields, 1);
    check_text(R3_HEADER "d,1,-1,5,\n", "", &loss_fields, 1);
    check_text(R3_HEADER ",1,-1,5,INIT_BEGIN\n", "", &loss_fields, 1);
    check_text(R3_HEADER "d,1,-1,5,INIT_BEGIN,more\n", "", &loss_fields, 1);
    check_text(R3_HEADER "d\001,1,-1,5,INIT_BEGIN\n", "", &loss_binary, 1);
    check_text(R3_HEADER "just text\n", "", &loss_fields, 1);
    check_text(R3_HEADER, "", NULL, 0);
}

static void test_the_odd_file(void **state)
{
    struct source source;
    struct recorder *recorder = read_file(&usual, "torq-runtime/odd_r3.csv", &source);
    const struct losses *losses = &recorder->losses;

    (void)state;
    assert_int_equal(losses->rows, 15);
    assert_int_equal(losses->used, 13);
    assert_int_equal(losses_find(losses, &loss_end_without_begin)->lines[0], 8);
    assert_int_equal(losses_find(losses, &loss_number)->lines[0], 12);
    assert_int_equal(losses_find(losses, &loss_unknown_event)->lines[0], 13);
    /* The action and the job of line 10, the dispatch of line 15, the last line. */
    assert_int_equal(losses_count(losses, &loss_begin_without_end), 4);
    /* Line 9 is later than the last row that was used: the lost one before it does not count. */
    assert_int_equal(losses_count(losses, &loss_backwards), 1);
    assert_int_equal(losses_find(losses, &loss_backwards)->lines[0], 4);
    recorder_free(recorder);
}

/* Many scopes at once, and one that opens more than a real log ever would. */
static void test_r3_many_scopes_and_deep_ones(void **state)
{
    enum { SCOPES = 2000, DEEP = 1500 };
    size_t size = 0, capacity = (SCOPES * 2 + DEEP) * 48;
    char *text = malloc(capacity);
    struct recorder *recorder;

    (void)state;
    assert_non_null(text);
    for (int i = 0; i < SCOPES; i++)
        size += (size_t)snprintf(text + size, capacity - size, "d%d,%d,-1,%d,DISPATCH_BEGIN\n", i % 3, i, i);
    for (int i = 0; i < SCOPES; i++)
        size += (size_t)snprintf(text + size, capacity - size, "d%d,%d,-1,%d,DISPATCH_END\n", i % 3, i, SCOPES + i);
    for (int i = 0; i < DEEP; i++)
        size += (size_t)snprintf(text + size, capacity - size, "d,1,%d,%d,ALLOC_BEGIN\n", i, 9000 + i);
    recorder = read_bytes(&usual, text, size, NULL);
    assert_int_equal(recorder->count, SCOPES + DEEP);
    assert_int_equal(recorder->losses.used, 2 * SCOPES + DEEP);
    assert_int_equal(losses_total(&recorder->losses), DEEP);
    assert_int_equal(lost_for(recorder, &loss_begin_without_end), DEEP);
    for (int i = 0; i < SCOPES; i++)
        assert_int_equal(recorder->slices[i].slice.end, SCOPES + i);
    recorder_free(recorder);
    free(text);
}

/* ---- With a program ---- */

/* One dispatch: 0 host copy, 1 start job 0, 2 start job 1, 3 wait job 1, 4 wait job 0, 5 host start, 6 host wait. */
static void fill_program(struct program *program, struct strings *strings)
{
    static const enum action_kind kinds[] = { ACTION_HOST_COPY, ACTION_JOB_START,  ACTION_JOB_START, ACTION_JOB_WAIT,
                                              ACTION_JOB_WAIT,  ACTION_HOST_START, ACTION_HOST_WAIT };
    static const uint32_t jobs[] = { NO_ID, 0, 1, 1, 0, NO_ID, NO_ID };
    struct program_dispatch *dispatch;

    program_start(program, strings);
    dispatch = program_add_dispatch(program);
    assert_non_null(dispatch);
    assert_int_equal(strings_add_text(strings, "d", &dispatch->name), STATUS_OK);
    dispatch->first_action = 0;
    dispatch->action_count = 7;
    dispatch->first_job = 0;
    dispatch->job_count = 2;
    for (int i = 0; i < 7; i++) {
        struct program_action *action = program_add_action(program);

        assert_non_null(action);
        action->dispatch = 0;
        action->id = i;
        action->kind = kinds[i];
        action->job = jobs[i];
        assert_int_equal(strings_add_format(strings, &action->location, "loc(\"m\":%d:1)", i + 1), STATUS_OK);
        if (i >= 5)
            assert_int_equal(strings_add_text(strings, "softmax", &action->invocation), STATUS_OK);
    }
    for (uint32_t i = 0; i < 2; i++) {
        struct program_job *job = program_add_job(program);

        assert_non_null(job);
        job->dispatch = 0;
        job->index = i;
        job->id = (int32_t)i;
        job->start_action = 1 + i;
        job->wait_action = 4 - i;
        job->used = i ? USED_DMA_IN : USED_SLICE_0;
        assert_int_equal(strings_add_format(strings, &job->name, "nss_%u", i), STATUS_OK);
        assert_int_equal(strings_add_format(strings, &job->location, "loc(\"m\":%u:1)", i + 2), STATUS_OK);
    }
}

/* Reads with the program, whatever it contradicts; the slices are in `recorder`. */
static struct recorder *read_with_program(const char *text, struct source *source)
{
    struct recorder *recorder = recorder_new();
    struct program program;
    struct reading_case how = { .reader = &torq_runtime_reader, .program = &program, .force_companion = true };
    struct input *input;

    fill_program(&program, recorder->strings);
    assert_int_equal(input_open_memory("log.csv", text, strlen(text), &input), STATUS_OK);
    assert_int_equal(recorder_read_input(recorder, &how, input, source), STATUS_OK);
    input_close(input);
    program_free(&program);
    recorder_check(recorder);
    return recorder;
}

static void test_r1_with_a_program(void **state)
{
    struct source source;
    struct recorder *recorder = read_with_program(R1_HEADER "0;10;4;\n1;20;5;loc(\"x\":1:2)\n2;30;5;\n", &source);

    (void)state;
    assert_string_equal(recorder_text(recorder),
                        "nss 0 | m:2:1 | 6..10 | m:2:1 | job=0 start_action=1 wait_action=4 program=nss_0\n"
                        "slice 0 | m:2:1 | 6..10 | m:2:1 | job=0 start_action=1 wait_action=4\n"
                        "nss 0 | x:1:2 | 15..20 | x:1:2 | job=1 start_action=2 wait_action=3 program=nss_1\n"
                        "dma_in 0 | x:1:2 | 15..20 | x:1:2 | job=1 start_action=2 wait_action=3\n"
                        "nss 0 | NSS job | 25..30 | - | job=2\n");
    assert_int_equal(lost_for(recorder, &torq_loss_no_match), 1);
    assert_true(has_note(&source, "counts whole"));
    assert_false(has_note(&source, "without --mlir"));
    recorder_free(recorder);
}

static void test_r2_with_a_program(void **state)
{
    static const char text[] =
        R2_HEADER "1,0,1,NSS_START,\n1,1,2,NSS_START_END,\n2,2,3,NSS_START,\n2,3,4,NSS_START_END,\n"
                  "3,4,5,NSS_WAIT_START,\n3,5,6,NSS_WAIT_END,\n4,6,7,NSS_WAIT_START,\n"
                  "4,7,8,NSS_WAIT_END,\n9,8,9,ALLOC_START,\n9,9,10,ALLOC_END,\n";
    struct source source;
    struct recorder *recorder = read_with_program(text, &source);

    (void)state;
    /* The program knows that the first wait is for the second job. */
    assert_string_equal(recorder_text(recorder),
                        "action 0 | NSS_START | 1..2 | m:2:1 | action=1 | flow 1\n"
                        "action 0 | NSS_START | 3..4 | m:3:1 | action=2 | flow 2\n"
                        "nss 0 | m:4:1 | 5..6 | m:4:1 | job=1 start_action=2 wait_action=3 program=nss_1 | flow 2\n"
                        "dma_in 0 | m:4:1 | 5..6 | m:4:1 | job=1 start_action=2 wait_action=3\n"
                        "action 0 | NSS_WAIT | 5..6 | m:4:1 | action=3 | flow 2\n"
                        "nss 0 | m:5:1 | 7..8 | m:5:1 | job=0 start_action=1 wait_action=4 program=nss_0 | flow 1\n"
                        "slice 0 | m:5:1 | 7..8 | m:5:1 | job=0 start_action=1 wait_action=4\n"
                        "action 0 | NSS_WAIT | 7..8 | m:5:1 | action=4 | flow 1\n"
                        "action 0 | ALLOC | 9..10 | - | action=9\n");
    assert_int_equal(lost_for(recorder, &torq_loss_no_match), 1);
    assert_int_equal(losses_total(&recorder->losses), 1);
    recorder_free(recorder);
}

static void test_r3_with_a_program(void **state)
{
    static const char text[] = R3_HEADER
        "d,3,1,10,NSS_START_BEGIN\nd,3,1,11,NSS_START_END\nd,3,2,12,NSS_START_BEGIN\nd,3,2,13,NSS_START_END\n"
        "d,3,3,14,NSS_WAIT_BEGIN\nd,3,3,20,NSS_WAIT_END\nd,3,4,21,NSS_WAIT_BEGIN\nd,3,4,30,NSS_WAIT_END\n"
        "d,3,5,31,HOST_START_BEGIN\nd,3,5,32,HOST_START_END\nd,3,6,33,HOST_WAIT_BEGIN\nd,3,6,40,HOST_WAIT_END\n"
        "other,4,0,41,ALLOC_BEGIN\nother,4,0,42,ALLOC_END\n";
    struct source source;
    struct recorder *recorder = read_with_program(text, &source);

    (void)state;
    assert_string_equal(
        recorder_text(recorder),
        "runtime 0 | NSS_START | 10..11 | m:2:1 | action=1 dispatch=d invocation=3 | flow 1\n"
        "nss 0 | m:2:1 | 10..30 | m:2:1 | job=0 start_action=1 wait_action=4 program=nss_0 dispatch=d | flow 1\n"
        "slice 0 | m:2:1 | 10..30 | m:2:1 | job=0 start_action=1 wait_action=4\n"
        "runtime 0 | NSS_START | 12..13 | m:3:1 | action=2 dispatch=d invocation=3 | flow 2\n"
        "nss 0 | m:3:1 | 12..20 | m:3:1 | job=1 start_action=2 wait_action=3 program=nss_1 dispatch=d | flow 2\n"
        "dma_in 0 | m:3:1 | 12..20 | m:3:1 | job=1 start_action=2 wait_action=3\n"
        "runtime 0 | NSS_WAIT | 14..20 | m:4:1 | action=3 dispatch=d invocation=3 | flow 2\n"
        "runtime 0 | NSS_WAIT | 21..30 | m:5:1 | action=4 dispatch=d invocation=3 | flow 1\n"
        "runtime 0 | HOST_START | 31..32 | m:6:1 | action=5 dispatch=d invocation=3\n"
        "host 0 | softmax | 31..40 | m:6:1 | start_action=5 wait_action=6\n"
        "runtime 0 | HOST_WAIT | 33..40 | m:7:1 | action=6 dispatch=d invocation=3\n"
        "runtime 0 | ALLOC | 41..42 | - | action=0 dispatch=other invocation=4\n");
    assert_int_equal(lost_for(recorder, &torq_loss_no_match), 1);
    assert_int_equal(losses_total(&recorder->losses), 1);
    recorder_free(recorder);
}

/* Logs that the program contradicts, or does not; NULL: it does not. */
static const struct {
    const char *text;
    const char *says;
} belongings[] = {
    { R2_HEADER "1,0,1,NSS_START,\n", NULL },
    { R2_HEADER "1,0,1,NSS_START,\"loc(\"\"other\"\":2:1)\"\n", NULL }, /* the file may have been moved */
    { R2_HEADER "1,0,1,NSS_START,\"loc(fused[\"\"m\"\":2:1, \"\"m\"\":9:1])\"\n", NULL },
    { R2_HEADER "1,0,1,NSS_START,loc(unknown)\n", NULL },
    { R2_HEADER "1,0,1,NSS_START,\"loc(\"\"conv\"\")\"\n", NULL }, /* a name can be anywhere */
    { R2_HEADER "1,0,1,STRANGE_START,\n", NULL },
    { R2_HEADER "1,0,1,NSS_START,\"loc(\"\"m\"\":9:1)\"\n", "action 1 comes from m:9:1 here and from m:2:1 there" },
    { R2_HEADER "1,0,1,NSS_WAIT_START,\n", "action 1 of the dispatch d is NSS_WAIT here" },
    { R2_HEADER "7,0,1,ALLOC_START,\n", "has 7 actions and none with the id 7, which is ALLOC here" },
    { R2_HEADER "5,0,1,HOST_PROGRAM_START,\n", NULL },
    { R2_HEADER "0,0,1,HOST_PROGRAM_START,\n", "is HOST_PROGRAM here" },
    { R1_HEADER "0;10;4;\n1;20;5;loc(\"m\":3:1)\n2;30;5;loc(\"m\":99:1)\n", NULL }, /* numbers count on */
    { R1_HEADER "0;10;4;\n1;20;5;loc(\"m\":1:2)\n", "job 1 comes from m:1:2 here and from m:3:1 there" },
    { R3_HEADER "d,3,1,10,NSS_START_BEGIN\nother,4,0,41,ALLOC_BEGIN\n", NULL },
    { R3_HEADER "other,4,0,41,ALLOC_BEGIN\n", "it has no dispatch that ran; the first in the log is other" },
    { R3_HEADER "__HAL_CALL__,4,-1,41,HAL_CALL_BEGIN\n", NULL },
    { R3_HEADER "d,3,3,10,HOST_COPY_BEGIN\n", "action 3 of the dispatch d is HOST_COPY here" },
};

static void test_what_contradicts_a_program(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof belongings / sizeof *belongings; i++) {
        struct recorder *recorder = recorder_new();
        struct program program;
        struct reading_case how = { .reader = &torq_runtime_reader, .program = &program };
        const char *text = belongings[i].text;
        struct source source;
        struct input *input;
        status code;

        fill_program(&program, recorder->strings);
        assert_int_equal(input_open_memory("log.csv", text, strlen(text), &input), STATUS_OK);
        code = recorder_read_input(recorder, &how, input, &source);
        assert_int_equal(code, belongings[i].says ? STATUS_INPUT : STATUS_OK);
        if (belongings[i].says)
            assert_non_null(strstr(status_message(), belongings[i].says));
        input_close(input);
        program_free(&program);
        recorder_free(recorder);
    }
}

/* Operators get their names from the model's source. */
static void test_names_from_the_source(void **state)
{
    struct recorder *recorder = recorder_new();
    struct reading_case how = { .reader = &torq_runtime_reader };
    struct source source;
    struct input *input;

    (void)state;
    assert_int_equal(origin_open(data_path("torq-runtime/net.mlir"), NULL, false, recorder->strings, &how.origin),
                     STATUS_OK);
    assert_int_equal(input_open(data_path("torq-runtime/runtime_r2.csv"), &input), STATUS_OK);
    assert_int_equal(recorder_read_input(recorder, &how, input, &source), STATUS_OK);
    assert_non_null(strstr(recorder_text(recorder), "HOST_COPY | 5000000..5000012 | tosa.conv2d@L4 |"));
    assert_non_null(strstr(recorder_text(recorder), "| tosa.conv2d@L4 + tosa.add@L5 |"));
    assert_non_null(strstr(recorder_text(recorder), "HOST_PROGRAM | 5000421..5000600 | onnx.Softmax@L7 |"));
    input_close(input);
    origin_close(how.origin);
    recorder_free(recorder);
}

/* ---- All generations ---- */

static void test_strict_and_too_long(void **state)
{
    static const char text[] = R3_HEADER "d,1,-1,20,DISPATCH_END\n";
    struct reading_case strict = { .reader = &torq_runtime_reader, .strict = true };
    struct recorder *recorder = recorder_new();
    size_t size = LINES_LONGEST + 10;
    char *wide = malloc(size);
    struct source source;
    struct input *input;

    (void)state;
    assert_int_equal(input_open_memory("log.csv", text, sizeof text - 1, &input), STATUS_OK);
    assert_int_equal(recorder_read_input(recorder, &strict, input, &source), STATUS_INPUT);
    assert_string_equal(status_message(), "log.csv:2:1: an end without a begin");
    input_close(input);
    recorder_free(recorder);
    assert_non_null(wide);
    memset(wide, 'x', size);
    memcpy(wide, "d,1,-1,20,", 10);
    recorder = read_bytes(&usual, wide, size, NULL);
    assert_int_equal(lost_for(recorder, &loss_too_long), 1);
    recorder_free(recorder);
    free(wide);
}

static int probe(const char *text)
{
    return torq_runtime_reader.probe((struct text){ text, strlen(text) }, "x");
}

static void test_probe(void **state)
{
    (void)state;
    assert_int_equal(probe(R1_HEADER), 100);
    assert_int_equal(probe("dispatch_id;time_since_open;time_since_start;mlir_loc"), 100);
    assert_int_equal(probe(R2_HEADER), 100);
    assert_int_equal(probe("\xEF\xBB\xBF" R3_HEADER), 100);
    assert_true(probe("0;10;4\n1;20;4;loc(unknown)\n") >= 90);
    assert_true(probe("0,0,5,ALLOC_START,\"loc(unknown)\"\n") >= 90);
    assert_true(probe("main_dispatch_0,3,-1,5,DISPATCH_BEGIN\n") >= 90);
    assert_int_equal(probe("DI0,0,512,loc(unknown),DMA_IN\n"), 0);
    assert_int_equal(probe("2,512,0,DMA In,loc(unknown),4096\n"), 0);
    assert_int_equal(probe("taskId, elapsed_time(us), timestamp(us), event, location, bytes\n"), 0);
    assert_int_equal(probe(""), 0);
    assert_int_equal(probe("\n\n"), 0);
    assert_int_equal(probe("a,b,c\n1,2,3\n"), 0);
}

static const char *const samples[] = {
    R1_HEADER "0;1200;900;loc(callsite(\"/w/m/net.mlir\":4:10 at \"/w/m/net.mlir\":2:3))\n1;2300;1000;\n",
    R2_HEADER "0,0,5,HOST_COPY_START,\"loc(\"\"a\"\":1:2)\"\n0,12,17,HOST_COPY_END,\n1,13,18,NSS_START,loc(unknown)\n"
              "1,14,19,NSS_START_END,\n2,15,20,NSS_WAIT_START,\n2,16,21,NSS_WAIT_END,\n",
    R3_HEADER "d,1,-1,5,DISPATCH_BEGIN\nd,1,1,10,NSS_START_BEGIN\nd,1,1,11,NSS_START_END\nd,1,2,12,NSS_WAIT_BEGIN\n"
              "__HAL_QUEUE_EXECUTE__,2,-1,13,HAL_CALL_BEGIN\nd,1,2,14,NSS_WAIT_END\nd,1,3,15,HOST_START_BEGIN\n"
              "d,1,3,16,HOST_START_END\nd,1,4,17,HOST_WAIT_BEGIN\nd,1,4,18,HOST_WAIT_END\nd,1,-1,19,DISPATCH_END\n"
              "__HAL_QUEUE_EXECUTE__,2,-1,20,HAL_CALL_END\n",
};

static void test_out_of_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        check_out_of_memory(&usual, samples[i]);
}

static void test_damaged_files_add_up(void **state)
{
    static const char signs[] = "\"(),;:\n\r\0d0129x-_BE";

    (void)state;
    check_damaged(&usual, samples, sizeof samples / sizeof *samples, signs, sizeof signs - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_fragments),
        cmocka_unit_test(test_the_fragment_of_r3),
        cmocka_unit_test(test_r1_rows),
        cmocka_unit_test(test_r2_locations),
        cmocka_unit_test(test_r2_events),
        cmocka_unit_test(test_r2_odd_rows),
        cmocka_unit_test(test_r2_elapsed_is_checked),
        cmocka_unit_test(test_r3_nesting_that_breaks),
        cmocka_unit_test(test_r3_time_running_backwards),
        cmocka_unit_test(test_r3_jobs),
        cmocka_unit_test(test_r3_rows),
        cmocka_unit_test(test_the_odd_file),
        cmocka_unit_test(test_r3_many_scopes_and_deep_ones),
        cmocka_unit_test(test_r1_with_a_program),
        cmocka_unit_test(test_r2_with_a_program),
        cmocka_unit_test(test_r3_with_a_program),
        cmocka_unit_test(test_what_contradicts_a_program),
        cmocka_unit_test(test_names_from_the_source),
        cmocka_unit_test(test_strict_and_too_long),
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_damaged_files_add_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
