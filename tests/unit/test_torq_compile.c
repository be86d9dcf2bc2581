/* test_torq_compile.c: timelines of the compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/lines.h"
#include "base/memory.h"
#include "recorder.h"
#include "torq/chain.h"

static const struct reading_case usual = { .reader = &torq_compile_reader };

#define CALL4 "loc(callsite(\"/w/m/net.mlir\":4:10 at \"/w/m/net.mlir\":2:3))"

static void check_file(const char *name, const char *generation, const char *expected)
{
    struct source source;
    struct recorder *recorder = read_file(&usual, name, &source);

    assert_string_equal(recorder_text(recorder), expected);
    assert_string_equal(source.generation, generation);
    assert_int_equal(recorder->losses.rows, recorder->count);
    assert_int_equal(losses_total(&recorder->losses), 0);
    assert_string_equal(strings_text(recorder->strings, recorder->clock.name), "cycles at 800 MHz");
    assert_int_equal(recorder->clock.numerator * 4, recorder->clock.denominator * 5);
    recorder_free(recorder);
}

static void test_the_four_generations(void **state)
{
    (void)state;
    check_file("torq-compile/c1.csv", "C1",
               "dma_in 0 | net.mlir:4:10 | 0..512 | net.mlir:4:10 | id=0\n"
               "dma_in 0 | net.mlir:5:10 | 512..1024 | net.mlir:5:10 | id=1\n"
               "dma_out 0 | net.mlir:4:10 + net.mlir:6:10 | 2000..2400 | net.mlir:4:10 + net.mlir:6:10 | id=2\n"
               "dma_out 0 | DMA_OUT | 2400..2500 | - | id=3\n"
               "slice 0 | conv2d | 512..1800 | net.mlir:4:10 | id=0\n"
               "slice 1 | add | 1024..2000 | net.mlir:6:10 | id=1\n");
    check_file("torq-compile/c2.csv", "C2",
               "dma_in 0 | net.mlir:4:10 | 0..512 | net.mlir:4:10 | bytes=4096 id=0\n"
               "dma_out 0 | DMA_OUT | 2000..2400 | - | bytes=3200 id=1\n"
               "cdma_dtcm 0 | net.mlir:5:10 | 100..200 | net.mlir:5:10 | bytes=1280 id=2 transfer=LRAM to DTCM\n"
               "slice 0 | conv2d | 512..1800 | net.mlir:4:10 | id=0\n"
               "slice 1 | add | 1024..2000 | net.mlir:6:10 | id=1\n"
               "css 0 | net.mlir:7:10 | 2000..10000 | net.mlir:7:10 | id=0\n");
    check_file("torq-compile/c3.csv", "C3",
               "dma_in 0 | net.mlir:4:10 | 0..512 | net.mlir:4:10 | bytes=4096 action=2\n"
               "dma_out 0 | DMA Out | 2000..2400 | - | bytes=3200 action=2\n"
               "cdma_dtcm 0 | net.mlir:5:10 | 100..200 | net.mlir:5:10 | bytes=1280 action=2 transfer=LRAM to DTCM\n"
               "cdma_itcm 0 | net.mlir:5:10 | 250..350 | net.mlir:5:10 | bytes=1280 action=2 transfer=LRAM to ITCM\n"
               "slice 0 | net.mlir:4:10 | 512..1800 | net.mlir:4:10 | action=2\n"
               "slice 1 | net.mlir:6:10 | 1024..2000 | net.mlir:6:10 | action=6\n"
               "css 0 | net.mlir:7:10 | 2000..10000 | net.mlir:7:10 | action=6\n");
    check_file("torq-compile/c4.csv", "C4",
               "dma_in 0 | net.mlir:4:10 | 0..512 | net.mlir:4:10 | bytes=4096 task=0\n"
               "dma_out 0 | DMA Out | 2000..2400 | - | bytes=3200 task=3\n"
               "slice 0 | net.mlir:4:10 + net.mlir:6:10 | 512..1800 | net.mlir:4:10 + net.mlir:6:10 | task=1\n"
               "css 0 | net.mlir:7:10 | 2000..10000 | net.mlir:7:10 | task=2\n");
}

/* Reads a text and compares the slices, and the reason of the one row that is lost or marked (NULL: none). */
static void check_text(const char *text, const char *expected, const struct loss_reason *reason)
{
    struct recorder *recorder = read_bytes(&usual, text, strlen(text), NULL);

    assert_string_equal(recorder_text(recorder), expected);
    assert_int_equal(losses_total(&recorder->losses), reason == NULL ? 0 : 1);
    if (reason != NULL && lost_for(recorder, reason) != 1)
        fail_msg("%s: not lost as %s", text, reason->text);
    recorder_free(recorder);
}

static void test_engines_by_id(void **state)
{
    (void)state;
    check_text("DI7,1,2," CALL4 ",DMA_IN\n", "dma_in 0 | net.mlir:4:10 | 1..2 | net.mlir:4:10 | id=7\n", NULL);
    check_text("DO8,1,2,,DMA_OUT\n", "dma_out 0 | DMA_OUT | 1..2 | - | id=8\n", NULL);
    check_text("CDMA_D2L4,1,2,loc(unknown),CDMA_DTCM_TO_LRAM,640\n",
               "cdma_dtcm 0 | CDMA_DTCM_TO_LRAM | 1..2 | - | bytes=640 id=4 transfer=DTCM to LRAM\n", NULL);
    check_text("CDMA_L2I3,1,2,loc(unknown),CDMA_LRAM_TO_ITCM,640\n",
               "cdma_itcm 0 | CDMA_LRAM_TO_ITCM | 1..2 | - | bytes=640 id=3 transfer=LRAM to ITCM\n", NULL);
    check_text("S5,1,2,loc(unknown),mul\n", "slice 1 | mul | 1..2 | - | id=5\n", NULL);
    check_text("S5_1023,1,2,loc(unknown),mul\n", "slice 1023 | mul | 1..2 | - | id=5\n", NULL);
    check_text("S5_1024,1,2,loc(unknown),mul\n", "unknown 0 | mul | 1..2 | - | \n", &loss_unknown_event);
    check_text("S5x,1,2,loc(unknown),mul\n", "unknown 0 | mul | 1..2 | - | \n", &loss_unknown_event);
    check_text("CDMA_X2Y1,1,2,loc(unknown),odd\n", "unknown 0 | odd | 1..2 | - | \n", &loss_unknown_event);
    check_text("XY,1,2,loc(unknown),odd\n", "unknown 0 | odd | 1..2 | - | \n", &loss_unknown_event);
}

static void test_issue_numbers_count_round_the_slices(void **state)
{
    static const char text[] =
        "S0,0,1,loc(unknown),a\nS1,1,2,loc(unknown),a\nS2,2,3,loc(unknown),a\nS3,3,4,loc(unknown),a\n";
    struct reading_case three = { .reader = &torq_compile_reader, .slices = 3 };
    struct recorder *recorder = read_bytes(&three, text, sizeof text - 1, NULL);

    (void)state;
    assert_string_equal(recorder_text(recorder), "slice 0 | a | 0..1 | - | id=0\nslice 1 | a | 1..2 | - | id=1\n"
                                                 "slice 2 | a | 2..3 | - | id=2\nslice 0 | a | 3..4 | - | id=3\n");
    recorder_free(recorder);
}

static void test_location_fields(void **state)
{
    (void)state;
    check_text("DI0,1,2,\"loc(callsite(\"\"/w/net.mlir\"\":4:10 at \"\"/w/net.mlir\"\":2:3))\",DMA_IN\n",
               "dma_in 0 | net.mlir:4:10 | 1..2 | net.mlir:4:10 | id=0\n", NULL);
    check_text("DI0,1,2,net.mlir:4:10,DMA_IN\n", "dma_in 0 | net.mlir:4:10 | 1..2 | net.mlir:4:10 | id=0\n", NULL);
    check_text("DI0,1,2,\"/w,x/net.mlir\":4:10,DMA_IN,8\n",
               "dma_in 0 | net.mlir:4:10 | 1..2 | net.mlir:4:10 | bytes=8 id=0\n", NULL);
    check_text("DI0,1,2,unknown,DMA_IN\n", "dma_in 0 | DMA_IN | 1..2 | - | id=0\n", NULL);
    check_text("S0,1,2," CALL4 ",\n", "slice 0 | net.mlir:4:10 | 1..2 | net.mlir:4:10 | id=0\n", NULL);
    check_text(" DI0 , 1 , 2 , loc(unknown) , DMA_IN , 64 \n", "dma_in 0 | DMA_IN | 1..2 | - | bytes=64 id=0\n", NULL);
}

static void test_locations_over_several_lines(void **state)
{
    (void)state;
    check_text("DI0,1,2,loc(fused[\"a\":1:2,\n  \"b\":3:4]),DMA_IN,16\nDI1,3,4,loc(unknown),DMA_IN\n",
               "dma_in 0 | a:1:2 + b:3:4 | 1..2 | a:1:2 + b:3:4 | bytes=16 id=0\ndma_in 0 | DMA_IN | 3..4 | - | id=1\n",
               NULL);
    check_text("DI0,1,2,\"loc(\"\"a\"\":1:2\r\n)\",DMA_IN\r\n", "dma_in 0 | a:1:2 | 1..2 | a:1:2 | id=0\n", NULL);
    /* The next line is a row of its own: the open location must not swallow it. */
    check_text("DI0,1,2,loc(fused[\"a\":1:2,\nDI1,3,4,loc(unknown),DMA_IN\n", "dma_in 0 | DMA_IN | 3..4 | - | id=1\n",
               &torq_loss_location);
    check_text("DI0,1,2,\"loc(a\nDI1,3,4,loc(unknown),DMA_IN\n", "dma_in 0 | DMA_IN | 3..4 | - | id=1\n", &loss_quote);
    check_text("DI0,1,2,loc(fused[\"a\":1:2", "", &torq_loss_location);
    check_text("taskId, elapsed_time(us), timestamp(us), event, location, bytes\n1,10,20,CSS,loc(fused[\"a\":1:2,\n"
               "2,10,30,CSS,loc(unknown),\n",
               "css 0 | CSS | 30..40 | - | task=2\n", &torq_loss_location);
}

static void test_an_open_location_does_not_eat_the_file(void **state)
{
    size_t size = 0, capacity = 300 * 1024;
    char *text = malloc(capacity);
    struct recorder *recorder;

    (void)state;
    assert_non_null(text);
    size += (size_t)snprintf(text, capacity, "DI0,1,2,loc(fused[\n");
    while (size < 200 * 1024)
        size += (size_t)snprintf(text + size, capacity - size, "some line of text that is no row and closes nothing\n");
    size += (size_t)snprintf(text + size, capacity - size, "]),DMA_IN\nDI1,3,4,loc(unknown),DMA_IN\n");
    recorder = read_bytes(&usual, text, size, NULL);
    assert_string_equal(recorder_text(recorder), "dma_in 0 | DMA_IN | 3..4 | - | id=1\n");
    assert_int_equal(lost_for(recorder, &torq_loss_location), 1);
    assert_true(lost_for(recorder, &loss_fields) > 3000);
    recorder_free(recorder);
    free(text);
}

static void test_lost_rows(void **state)
{
    (void)state;
    check_text("DI0,1\n", "", &loss_fields);
    check_text("DI0,1,2\n", "", &loss_fields);
    check_text("DI0,1,2," CALL4 "\n", "", &loss_fields);
    check_text("DI0,1,2," CALL4 ",DMA_IN,8,9\n", "", &loss_fields);
    check_text("DI0,1,2," CALL4 "junk,DMA_IN\n", "", &loss_fields);
    check_text("DI0,x,2," CALL4 ",DMA_IN\n", "", &loss_number);
    check_text("DI0,1,2.5," CALL4 ",DMA_IN\n", "", &loss_number);
    check_text("DI0,,2," CALL4 ",DMA_IN\n", "", &loss_number);
    check_text("DI0,1,2," CALL4 ",DMA_IN,many\n", "", &loss_number);
    check_text("DI0,1,2," CALL4 ",DMA_IN,99999999999999999999\n", "", &loss_number);
    check_text("DI0,5,4," CALL4 ",DMA_IN\n", "", &loss_end_before_start);
    check_text("DI0,-5,4," CALL4 ",DMA_IN\n", "", &loss_time_range);
    check_text("DI0,0,9223372036854775807," CALL4 ",DMA_IN\n", "", &loss_time_range);
    check_text("DI0,0,92233720368547758070," CALL4 ",DMA_IN\n", "", &loss_time_range);
    check_text("actionIndex,elapsed_time(us),timestamp(us),event,location,bytes\n1,-1,5,CSS,,\n", "",
               &loss_end_before_start);
    check_text("actionIndex,elapsed_time(us),timestamp(us),event,location,bytes\n1,9000000000000000000,5,CSS,,\n", "",
               &loss_time_range);
    check_text("actionIndex,elapsed_time(us),timestamp(us),event,location,bytes\nx,1,5,CSS,,\n", "", &loss_number);
    check_text("actionIndex,elapsed_time(us),timestamp(us),event,location,bytes\n1,1,5,CSS,,x\n", "", &loss_number);
}

static void test_binary_rows(void **state)
{
    static const char text[] = "DI0,0,1,loc(unknown),DMA_IN\nDI1,1,\0,loc(unknown),DMA_IN\nDI2,2,3,loc(\0),DMA_IN\n"
                               "\1\2\3,3,4,loc(unknown),x\nDI4,4,5,loc(unknown),DMA_IN\n";
    struct recorder *recorder = read_bytes(&usual, text, sizeof text - 1, NULL);

    (void)state;
    assert_int_equal(recorder->count, 2);
    assert_int_equal(lost_for(recorder, &loss_binary), 3);
    assert_int_equal(losses_find(&recorder->losses, &loss_binary)->lines[0], 2);
    recorder_free(recorder);
}

static void test_a_line_that_is_too_long(void **state)
{
    size_t size = LINES_LONGEST + 100;
    char *text = malloc(size);
    struct recorder *recorder;

    (void)state;
    assert_non_null(text);
    memset(text, 'x', size);
    memcpy(text, "DI0,0,1,loc(", 12);
    memcpy(text + size - 29, "\nDI1,0,1,loc(unknown),DMA_IN\n", 29);
    recorder = read_bytes(&usual, text, size, NULL);
    assert_int_equal(recorder->count, 1);
    assert_int_equal(lost_for(recorder, &loss_too_long), 1);
    recorder_free(recorder);
    free(text);
}

static void test_marked_rows(void **state)
{
    (void)state;
    /* Transfers share one counter, slices and CSS have their own. */
    check_text("DI0,0,1,,DMA_IN\nCDMA_L2D1,0,1,,CDMA_LRAM_TO_DTCM,8\nS0,0,1,,a\nCSS0,0,1,,CSS\n",
               "dma_in 0 | DMA_IN | 0..1 | - | id=0\n"
               "cdma_dtcm 0 | CDMA_LRAM_TO_DTCM | 0..1 | - | bytes=8 id=1 transfer=LRAM to DTCM\n"
               "slice 0 | a | 0..1 | - | id=0\ncss 0 | CSS | 0..1 | - | id=0\n",
               NULL);
    check_text("DI0,0,1,,DMA_IN\nDO0,0,1,,DMA_OUT\n",
               "dma_in 0 | DMA_IN | 0..1 | - | id=0\ndma_out 0 | DMA_OUT | 0..1 | - | id=0\n", &loss_repeated_id);
    check_text("DI0,5,6,,DMA_IN\nDI1,4,6,,DMA_IN\n",
               "dma_in 0 | DMA_IN | 5..6 | - | id=0\ndma_in 0 | DMA_IN | 4..6 | - | id=1\n", &loss_backwards);
    check_text("DI0,5,6,,DMA_IN\nDO1,4,6,,DMA_OUT\n",
               "dma_in 0 | DMA_IN | 5..6 | - | id=0\ndma_out 0 | DMA_OUT | 4..6 | - | id=1\n", NULL);
}

static void test_headers_blank_lines_and_line_ends(void **state)
{
    static const char row[] = "dma_in 0 | DMA_IN | 0..1 | - | id=0\n";

    (void)state;
    check_text("event_name, start_time, end_time, mlir_src_line, event_type\nDI0,0,1,,DMA_IN\n", row, NULL);
    check_text("ID,Start,End,Location,Op Type\nDI0,0,1,,DMA_IN\n", row, NULL);
    check_text("id\tstart\tend\tlocation\top type\nDI0,0,1,,DMA_IN\n", row, NULL);
    check_text("\xEF\xBB\xBFID,Start,End,Location,Op Type\r\nDI0,0,1,,DMA_IN\r\n\r\n\r\n", row, NULL);
    check_text("\n\nDI0,0,1,,DMA_IN\n\n  \n", row, NULL);
    check_text("DI0,0,1,,DMA_IN", row, NULL);
    check_text("DI0,0,1,,DMA_IN\nDI1,1", row, &loss_fields);
    check_text("", "", NULL);
    check_text("\n", "", NULL);
    check_text("taskId, elapsed_time(us), timestamp(us), event, location, bytes\n", "", NULL);
}

static void test_headers_in_the_middle_change_the_layout(void **state)
{
    static const char text[] =
        "DI0,0,1,loc(unknown),DMA_IN\n"
        "actionIndex, elapsed_time(us), timestamp(us), event, location, bytes\n"
        "2,5,7,DMA In,loc(unknown),64\n"
        "TASKID,elapsed_time(us),timestamp(us),event,location,bytes\n3,5,17,Slice 1,loc(unknown),\n";
    struct recorder *recorder = read_bytes(&usual, text, sizeof text - 1, NULL);

    (void)state;
    assert_string_equal(recorder_text(recorder),
                        "dma_in 0 | DMA_IN | 0..1 | - | id=0\ndma_in 0 | DMA In | 7..12 | - | bytes=64 action=2\n"
                        "slice 1 | Slice 1 | 17..22 | - | task=3\n");
    assert_int_equal(recorder->losses.rows, 3);
    recorder_free(recorder);
}

static void test_durations_without_a_header(void **state)
{
    static const char text[] =
        "2,5,7,DMA In,loc(unknown),64\n2,5,9,Slice x,loc(unknown),\n2,5,9,Slice 5000,loc(unknown),\n";
    struct source source;
    struct recorder *recorder = read_bytes(&usual, text, sizeof text - 1, &source);

    (void)state;
    assert_string_equal(recorder_text(recorder),
                        "dma_in 0 | DMA In | 7..12 | - | bytes=64 task=2\nunknown 0 | Slice x | 9..14 | - | task=2\n"
                        "unknown 0 | Slice 5000 | 9..14 | - | task=2\n");
    assert_string_equal(source.generation, "C4");
    assert_true(has_note(&source, "no header"));
    assert_true(has_note(&source, "cycles"));
    recorder_free(recorder);
}

static void test_the_odd_file(void **state)
{
    struct source source;
    struct recorder *recorder = read_file(&usual, "torq-compile/odd.csv", &source);
    const struct losses *losses = &recorder->losses;

    (void)state;
    assert_string_equal(
        recorder_text(recorder),
        "dma_in 0 | net.mlir:4:10 | 0..512 | net.mlir:4:10 | bytes=4096 id=0\n"
        "dma_in 0 | net.mlir:4:10 + net.mlir:5:10 | 512..1024 | net.mlir:4:10 + net.mlir:5:10 | bytes=4096 id=1\n"
        "dma_out 0 | net.mlir:6:10 | 2000..2400 | net.mlir:6:10 | bytes=3200 id=1\n"
        "dma_in 0 | net.mlir:4:10 | 100..200 | net.mlir:4:10 | bytes=64 id=5\n"
        "unknown 0 | something | 100..200 | - | \n"
        "slice 0 | conv2d | 512..1800 | net.mlir:4:10 | id=0\n"
        "unknown 0 | conv2d | 512..1800 | net.mlir:4:10 | \n"
        "css 0 | net.mlir:7:10 | 2000..10000 | net.mlir:7:10 | id=1\n");
    assert_int_equal(losses->rows, 12);
    assert_int_equal(losses->lost, 4);
    assert_int_equal(losses_find(losses, &loss_end_before_start)->lines[0], 5);
    assert_int_equal(losses_find(losses, &loss_number)->lines[0], 6);
    assert_int_equal(losses_find(losses, &torq_loss_location)->lines[0], 7);
    assert_int_equal(losses_find(losses, &loss_fields)->lines[0], 12);
    assert_int_equal(losses_find(losses, &loss_repeated_id)->lines[0], 4);
    assert_int_equal(losses_find(losses, &loss_backwards)->lines[0], 8);
    assert_int_equal(losses_count(losses, &loss_unknown_event), 2);
    recorder_free(recorder);
}

/* More different tails than the cache keeps: the answers stay the same. */
static void test_more_tails_than_the_cache_keeps(void **state)
{
    enum { ROWS = 6000 };
    size_t size = 0, capacity = ROWS * 80;
    char *text = malloc(capacity);
    struct recorder *recorder;

    (void)state;
    assert_non_null(text);
    for (int i = 0; i < ROWS; i++)
        size += (size_t)snprintf(text + size, capacity - size, "DI%d,%d,%d,loc(\"n\":%d:1),DMA_IN\n", i, i, i + 1,
                                 i % 3000 + 1);
    recorder = read_bytes(&usual, text, size, NULL);
    assert_int_equal(recorder->count, ROWS);
    assert_int_equal(recorder->operator_count, 3000);
    for (int i = 0; i < ROWS; i++)
        assert_int_equal(recorder->slices[i].slice.op, i % 3000);
    recorder_free(recorder);
    free(text);
}

static void test_strict_stops_at_the_first_lost_row(void **state)
{
    (void)state;
    check_strict(&torq_compile_reader, "DI0,0,1,,DMA_IN\nDI0,5,1,,DMA_IN\n", "log.csv:2:1: end before start");
}

static int probe(const char *text)
{
    return torq_compile_reader.probe((struct text){ text, strlen(text) }, "x");
}

static void test_probe(void **state)
{
    (void)state;
    assert_true(probe("DI0,0,512,loc(unknown),DMA_IN\n") > 90);
    assert_true(probe("S0_1,0,512,") > 90);
    assert_true(probe("taskId, elapsed_time(us), timestamp(us), event, location, bytes\n") == 100);
    assert_true(probe("2,512,0,DMA In,loc(unknown),4096\n") > 90);
    assert_int_equal(probe("actionIndex, elapsed_time(us), timestamp(us), event, location\n"), 0);
    assert_int_equal(probe("0,12,5000012,HOST_COPY_END,\"loc(unknown)\"\n"), 0);
    assert_int_equal(probe("dispatch_name,invocation_id,action_id,timestamp_us,event\n"), 0);
    assert_int_equal(probe(""), 0);
    assert_int_equal(probe("hello"), 0);
    assert_int_equal(probe("module {\n  func.func @main() {\n"), 0);
    assert_true(probe("name,1,2,rest\n") < 50);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    check_out_of_memory(&usual, "DI0,0,1," CALL4 ",DMA_IN\nS0,0,1,\"loc(\"\"a\"\":1:2)\",conv\n");
}

static void test_damaged_files_add_up(void **state)
{
    static const char *const seeds[] = {
        "DI0,0,512,loc(callsite(\"/w/m/net.mlir\":4:10 at \"/w/m/net.mlir\":2:3)),DMA_IN,4096\n"
        "S0_0,512,1800,\"loc(\"\"a\"\":1:2)\",conv2d\nCSS0,2000,10000,loc(fused[\"a\":1:2,\n\"b\":3:4]),CSS\n",
        "taskId, elapsed_time(us), timestamp(us), event, location, bytes\n0,512,0,DMA In,loc(unknown),4096\n"
        "1,1288,512,Slice 0,loc(fused[\"a\":1:2, \"b\":3:4]),\n",
    };
    static const char signs[] = "\"(),;:\n\r\0l0x-9 S_";

    (void)state;
    check_damaged(&usual, seeds, sizeof seeds / sizeof *seeds, signs, sizeof signs - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_four_generations),
        cmocka_unit_test(test_engines_by_id),
        cmocka_unit_test(test_issue_numbers_count_round_the_slices),
        cmocka_unit_test(test_location_fields),
        cmocka_unit_test(test_locations_over_several_lines),
        cmocka_unit_test(test_an_open_location_does_not_eat_the_file),
        cmocka_unit_test(test_lost_rows),
        cmocka_unit_test(test_binary_rows),
        cmocka_unit_test(test_a_line_that_is_too_long),
        cmocka_unit_test(test_marked_rows),
        cmocka_unit_test(test_headers_blank_lines_and_line_ends),
        cmocka_unit_test(test_headers_in_the_middle_change_the_layout),
        cmocka_unit_test(test_durations_without_a_header),
        cmocka_unit_test(test_the_odd_file),
        cmocka_unit_test(test_more_tails_than_the_cache_keeps),
        cmocka_unit_test(test_strict_stops_at_the_first_lost_row),
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_damaged_files_add_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
