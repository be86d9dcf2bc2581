/* test_tt_tracy_ops.c: the files of Tracy: messages, JSON, times, the device report, how they are joined, and what the sink is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/output.h"
#include "recorder.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/original/ops_wide.h"
#include "tenstorrent/tracy.h"

#define LOG_HEAD                                                                                                       \
    "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\nPCIe slot, core_x, core_y, RISC processor type, " \
    "timer_id, "                                                                                                       \
    "time[cycles since reset], data, run host ID, trace id, trace id counter, zone name, type, source line, source "   \
    "file, meta data\n"
#define RUN(call, trace, replay, start, end)                                                    \
    "0,1,1,BRISC,1," start ",0," call "," trace "," replay ",BRISC-FW,ZONE_START,1,a.cc,\n"     \
    "0,1,1,BRISC,2," start ",0," call "," trace "," replay ",BRISC-KERNEL,ZONE_START,1,a.cc,\n" \
    "0,1,1,BRISC,2," end ",0," call "," trace "," replay ",BRISC-KERNEL,ZONE_END,1,a.cc,\n"     \
    "0,1,1,BRISC,1," end ",0," call "," trace "," replay ",BRISC-FW,ZONE_END,1,a.cc,\n"
#define MESSAGES "MessageName;total_ns\n"
#define TIMES "name,src_file,zone_text,ns_since_start,exec_time_ns,special_parent_text\n"
#define OP(name, hash, call)                                                                                           \
    "`TT_DNN_DEVICE_OP: \"" name "\", " hash ", 0, false, " call " ->\n{\"op_code\": \"" name "\", \"op_hash\": " hash \
    ", \"device_id\": 0, \"op_type\": \"tt_dnn_device\", \"global_call_count\": " call "}`"

struct reading {
    struct strings *strings;
    struct source source;
    struct op_report report;
    struct op_details details;
    struct marker_log log;
    status code;
};

static struct input *open_text(const char *name, const char *text)
{
    struct input *input = NULL;

    if (text)
        assert_int_equal(input_open_memory(name, text, strlen(text), &input), STATUS_OK);
    return input;
}

/* Any of the texts may be NULL: no such file. */
static void read_texts(struct reading *reading, const char *data, const char *times, const char *report,
                       const char *log)
{
    struct tracy_files files = { open_text("data.csv", data), open_text("times.csv", times),
                                 open_text("report.csv", report), open_text("log.csv", log) };

    *reading = (struct reading){ .strings = model_strings(), .source = { .path = "logs" } };
    assert_non_null(reading->strings);
    op_report_start(&reading->report, reading->strings);
    op_details_start(&reading->details, &reading->report);
    marker_log_start(&reading->log, reading->strings);
    reading->code = tt_tracy_read(&reading->source, &files, &reading->details, &reading->log);
    input_close(files.data);
    input_close(files.times);
    input_close(files.report);
    input_close(files.log);
    assert_int_equal(reading->report.losses.rows, reading->report.losses.used + reading->report.losses.lost);
}

static void done(struct reading *reading)
{
    marker_log_free(&reading->log);
    op_details_free(&reading->details);
    op_report_free(&reading->report);
    strings_free(reading->strings);
    status_clear();
}

static const char *text_at(const struct reading *reading, string_id id)
{
    return strings_text(reading->strings, id);
}

static const struct op_row *row_at(const struct reading *reading, size_t index)
{
    assert_true(index < reading->report.rows.count);
    return op_row_at(&reading->report, index);
}

static const struct op_info *info_at(const struct reading *reading, size_t index)
{
    const struct op_info *info = op_row_info(&reading->details, row_at(reading, index));

    assert_non_null(info);
    return info;
}

static uint64_t odd(const struct reading *reading, enum op_odd which)
{
    return reading->details.odds[which].count;
}

/* Codes of all rows, with a bar between them. */
static const char *codes(const struct reading *reading)
{
    static char text[1024];
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < reading->report.rows.count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i ? "|" : "",
                                   text_at(reading, row_at(reading, i)->code));
    return text;
}

/* ---- Messages ---- */

static void test_messages_go_over_lines_and_hold_quotes(void **state)
{
    struct reading reading;

    (void)state;
    read_texts(&reading,
               MESSAGES
               "`TT_SIGNPOST: a ``b``: c, d\nmore; and\nmore`;5\nplain message;6\n`other`;7\nTT_SIGNPOST: bare;8\n",
               NULL, NULL, NULL);
    assert_int_equal(reading.code, STATUS_OK);
    assert_string_equal(codes(&reading), "a `b`: c; d|bare");
    assert_string_equal(text_at(&reading, row_at(&reading, 0)->attributes), "more; and more");
    assert_int_equal(row_at(&reading, 0)->host_start, 5);
    assert_int_equal(row_at(&reading, 1)->host_start, 8);
    assert_int_equal(row_at(&reading, 0)->kind, OP_SIGNPOST);
    assert_int_equal(reading.details.other_messages, 2);
    assert_int_equal(reading.report.losses.rows, 4);
    done(&reading);
}

static void test_a_message_without_its_quote_ends_where_the_next_begins(void **state)
{
    struct reading reading;

    (void)state;
    read_texts(&reading,
               MESSAGES
               "`TT_SIGNPOST: one\ncut;5\n`TT_SIGNPOST: two`;6\n`TT_SIGNPOST: three;7\n`quoted`;8\n`TT_SIGNPOST: four",
               NULL, NULL, NULL);
    assert_string_equal(codes(&reading), "one|two|three|four");
    assert_string_equal(text_at(&reading, row_at(&reading, 0)->attributes), "cut");
    assert_int_equal(row_at(&reading, 2)->host_start, 7);
    assert_int_equal(row_at(&reading, 3)->host_start, 8); /* it has no time: that of the one before */
    assert_int_equal(odd(&reading, OP_ODD_UNTIMED), 1);
    done(&reading);
}

static void test_a_message_may_lack_its_quote_and_its_time(void **state)
{
    struct reading reading;

    (void)state;
    read_texts(&reading, MESSAGES "`TT_SIGNPOST: one`;5\n`TT_SIGNPOST: cut\n`TT_SIGNPOST: three`;7\n", NULL, NULL,
               NULL);
    assert_string_equal(codes(&reading), "one|cut|three");
    assert_int_equal(row_at(&reading, 1)->host_start, 5);
    assert_int_equal(odd(&reading, OP_ODD_UNTIMED), 1);
    done(&reading);
}

static void test_other_line_ends_columns_and_no_header(void **state)
{
    struct reading reading;

    (void)state;
    read_texts(&reading, "MessageName;thread;total_ns\r\n`TT_SIGNPOST: a\r\nb`;main;5\r\n", NULL, NULL, NULL);
    assert_string_equal(codes(&reading), "a");
    assert_int_equal(row_at(&reading, 0)->host_start, 5);
    assert_string_equal(text_at(&reading, row_at(&reading, 0)->attributes), "b");
    done(&reading);
    read_texts(&reading, "`TT_SIGNPOST: a`;5\n", NULL, NULL, NULL);
    assert_string_equal(codes(&reading), "a");
    assert_int_equal(row_at(&reading, 0)->host_start, 5);
    assert_int_equal(odd(&reading, OP_ODD_UNTIMED), 0);
    done(&reading);
}

static void test_a_message_too_long_is_one_lost_row(void **state)
{
    static const char begin[] = MESSAGES "`TT_SIGNPOST: first`;1\n`TT_DNN_DEVICE_OP: \"Long\", 1, 0, false, 1024 ->\n";
    static const char end[] = "}`;2\n`TT_SIGNPOST: last`;3\n";
    size_t lines = 600000, length = sizeof begin - 1;
    char *text = malloc(sizeof begin + sizeof end + lines * 10);
    struct reading reading;

    (void)state;
    assert_non_null(text);
    memcpy(text, begin, sizeof begin);
    for (size_t i = 0; i < lines; i++, length += 10)
        memcpy(text + length, "{\"a\":[12,\n", 10);
    memcpy(text + length, end, sizeof end);
    read_texts(&reading, text, NULL, NULL, NULL);
    assert_string_equal(codes(&reading), "first|last");
    assert_int_equal(losses_count(&reading.report.losses, &loss_quote), 1);
    assert_int_equal(reading.report.losses.rows, 3);
    done(&reading);
    free(text);
}

static void test_first_lines_of_messages(void **state)
{
    static const struct {
        const char *head;
        int64_t call;
        int32_t device;
        int8_t hit;
        const char *name, *hash;
    } cases[] = {
        { "`TT_DNN_DEVICE_OP: \"Matmul\", 77, 3, true, 1027`;1\n", 1027, 3, 1, "Matmul", "77" },
        { "`TT_DNN_DEVICE_OP:Matmul,77,3,0,1027`;1\n", 1027, 3, 0, "Matmul", "77" },
        { "`TT_DNN_DEVICE_OP: Matmul, 77, 3, 1027`;1\n", 1027, 3, -1, "Matmul", "77" },
        { "`TT_DNN_DEVICE_OP: \"Op<a, b>\", 77, 3, False, 1027`;1\n", 1027, 3, 0, "Op<a; b>", "77" },
        { "`TT_DNN_DEVICE_OP: Op<a, b>, 77, 3, 1, 1027`;1\n", 1027, 3, 1, "Op<a; b>", "77" },
        { "`TT_DNN_DEVICE_OP: Matmul... ->\n{`;1\n", OP_NONE, -1, -1, "Matmul", "" },
        { "`TT_DNN_DEVICE_OP: Matmul, 77, -3, true, x`;1\n", OP_NONE, -1, -1, "Matmul; 77; -3; true; x", "" },
    };

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct op_row *row;
        struct reading reading;

        read_texts(&reading, cases[i].head, NULL, NULL, NULL);
        assert_int_equal(reading.code, STATUS_OK);
        row = row_at(&reading, 0);
        assert_int_equal(row->call, cases[i].call);
        assert_int_equal(row->device, cases[i].device);
        assert_int_equal(row_at(&reading, 0)->parts.hit, cases[i].hit);
        assert_string_equal(text_at(&reading, row->code), cases[i].name);
        if (*cases[i].hash)
            assert_string_equal(text_at(&reading, info_at(&reading, 0)->hash), cases[i].hash);
        assert_int_equal(row->kind, OP_DEVICE);
        done(&reading);
    }
}

/* ---- JSON ---- */

static void test_values_are_printed_as_python_prints_them(void **state)
{
    struct reading reading;

    (void)state;
    read_texts(&reading,
               "`TT_DNN_DEVICE_OP: \"A\", 1, 0, false, 1024 ->\n{\"op_code\": \"A\\u0042\", \"attributes\": {\"s\": "
               "\"it's\", \"q\": \"a\\\"b'c\", "
               "\"n\": \"x\\ny\\\\z\\u0001\", \"f\": 2.50, \"e\": 1e3, \"i\": -7, \"l\": [true, false, null, {}], "
               "\"k\": []}}`;1\n",
               NULL, NULL, NULL);
    assert_string_equal(text_at(&reading, row_at(&reading, 0)->code), "AB");
    assert_string_equal(
        text_at(&reading, row_at(&reading, 0)->attributes),
        "{'s': \"it's\"; 'q': 'a\"b\\'c'; 'n': 'x\\ny\\\\z\\x01'; 'f': 2.5; 'e': 1000.0; 'i': -7; 'l': [True; False; "
        "None; {}]; 'k': []}");
    assert_int_equal(odd(&reading, OP_ODD_CUT), 0);
    done(&reading);
}

static void test_tensors_and_their_bytes(void **state)
{
    struct reading reading;
    const struct op_row *row;

    (void)state;
    read_texts(&reading,
               "`TT_DNN_DEVICE_OP: \"A\", 1, 0, false, 1024 ->\n{\"op_code\": \"A\", \"op_type\": \"tt_dnn_device\", "
               "\"input_tensors\": ["
               "{\"shape\": {\"W\": \"1[1]\", \"Z\": 2, \"Y\": \"32[17]\", \"X\": \"64\"}, \"dtype\": \"BFLOAT16\", "
               "\"layout\": \"TILE\", \"storage_type\": "
               "{\"device_id\": 4, \"memory_config\": {\"buffer_type\": \"dram\", \"memory_layout\": \"interleaved\", "
               "\"shard\": [1]}}}, 5], "
               "\"optional_input_tensors\": [{\"dtype\": \"UINT32\", \"storage_type\": \"HOST\"}], \"output_tensors\": "
               "7}`;1\n",
               NULL, NULL, NULL);
    row = row_at(&reading, 0);
    assert_int_equal(row->inputs[0].size[OP_Z], 2);
    assert_int_equal(row->inputs[0].size[OP_Y], 32);
    assert_string_equal(text_at(&reading, row->inputs[0].memory), "DEV_4_DRAM_INTERLEAVED");
    assert_true(row->dram_bytes > 8191 && row->dram_bytes < 8193);
    assert_int_equal(info_at(&reading, 0)->inputs, 3);
    assert_int_equal(info_at(&reading, 0)->outputs, 0);
    assert_int_equal(row->output.size[0], -1);
    done(&reading);
}

/* 300 and 300 are more than a report has columns for; so are 600 of one kind. */
static void test_tensors_beyond_the_limit_are_told(void **state)
{
    static const unsigned counts[][2] = { { 300, 212 }, { 300, 300 }, { 600, 0 } };

    (void)state;
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        static const char *const keys[] = { "input_tensors", "optional_input_tensors" };
        char text[16384];
        size_t length = (size_t)snprintf(text, sizeof text,
                                         "`TT_DNN_DEVICE_OP: \"A\", 1, 0, false, 1024 ->\n"
                                         "{\"op_code\": \"A\"");
        struct reading reading;

        for (unsigned k = 0; k < 2; k++) {
            length += (size_t)snprintf(text + length, sizeof text - length, ", \"%s\": [{}", keys[k]);
            for (unsigned n = 1; n < counts[i][k]; n++)
                length += (size_t)snprintf(text + length, sizeof text - length, ", {}");
            length += (size_t)snprintf(text + length, sizeof text - length, "]");
        }
        snprintf(text + length, sizeof text - length, "}`;1\n");
        read_texts(&reading, text, NULL, NULL, NULL);
        assert_int_equal(info_at(&reading, 0)->inputs, OP_DETAIL_TENSORS);
        assert_int_equal(odd(&reading, OP_ODD_TENSORS), i > 0);
        assert_int_equal(losses_count(&reading.report.losses, &loss_part), i > 0);
        done(&reading);
    }
}

/* Wherever a message is cut off, its op is there with its number. */
static void test_a_message_may_be_cut_off_anywhere(void **state)
{
    static const char head[] = "`TT_DNN_DEVICE_OP: \"Net\", 9, 0, false, 1024 ->\n";
    static const char json[] = "{\"attributes\": {\"a\": [1, {\"b\": \"c\"}]}, \"device_id\": 0, "
                               "\"global_call_count\": 1024, \"input_tensors\": [{\"shape\": {\"W\": \"1[1]\", "
                               "\"Z\": \"1\", \"Y\": \"2\", \"X\": \"3\"}, \"storage_type\": {\"device_id\": 0, "
                               "\"memory_config\": {\"buffer_type\": \"L1\"}}}], \"kernel_info\": "
                               "{\"compute_kernels\": [{\"math_fidelity\": \"LoFi\", \"source\": \"s\", \"name\": "
                               "\"n\"}], \"kernel_sizes\": {\"x_max\": 1}}, \"op_code\": \"Net\", "
                               "\"op_hash\": 9, \"op_type\": \"tt_dnn_device\", \"performance_model\": {\"ideal_ns\": "
                               "1, \"input_bws\": [1.0]}, \"program_cache_hit\": true}";

    (void)state;
    for (size_t cut = 0; cut < sizeof json - 1; cut++) {
        char text[2048];
        struct reading reading;

        snprintf(text, sizeof text, MESSAGES "%s%.*s;77\n`TT_DNN_DEVICE_OP: \"Net\", 9, 0, true, 2048`;78\n", head,
                 (int)cut, json);
        read_texts(&reading, text, NULL, NULL, NULL);
        assert_int_equal(reading.code, STATUS_OK);
        assert_string_equal(codes(&reading), "Net|Net");
        assert_int_equal(row_at(&reading, 0)->call, 1024);
        assert_int_equal(row_at(&reading, 1)->call, 2048);
        assert_int_equal(odd(&reading, OP_ODD_CUT), 1);
        assert_string_equal(text_at(&reading, info_at(&reading, 1)->hash), "9");
        done(&reading);
    }
}

static void test_json_that_is_too_deep_is_cut_there(void **state)
{
    char text[4096] = "`TT_DNN_DEVICE_OP: \"A\", 1, 0, false, 1024 ->\n{\"op_code\": \"A\", \"attributes\": ";
    struct reading reading;

    (void)state;
    memset(text + strlen(text), '[', 2000);
    strcat(text, "`;1\n");
    read_texts(&reading, text, NULL, NULL, NULL);
    assert_string_equal(codes(&reading), "A");
    assert_int_equal(odd(&reading, OP_ODD_CUT), 1);
    done(&reading);
}

/* T13: a cached op is what the latest full message before it says; one with tensors of its own has the rest from there. */
static void test_cached_ops_follow_the_latest_full_message(void **state)
{
    struct reading reading;

    (void)state;
    read_texts(&reading,
               MESSAGES OP("A", "7", "1024") ";1\n`TT_DNN_DEVICE_OP: \"A\", 7, 0, true, 2048`;2\n" OP(
                   "B", "7", "3072") ";3\n`TT_DNN_DEVICE_OP: \"A\", 7, 0, true, 4096`;4\n"
                                     "`TT_DNN_DEVICE_OP: \"A\", 7, 0, true, 5120 ->\n{\"global_call_count\": 5120, "
                                     "\"op_hash\": 7, \"device_id\": 0, \"input_tensors\": []}`;5\n",
               NULL, NULL, NULL);
    assert_string_equal(codes(&reading), "A|A|B|B|B");
    assert_int_equal(odd(&reading, OP_ODD_CUT), 0);
    assert_int_equal(odd(&reading, OP_ODD_NO_FULL), 0);
    assert_int_equal(row_at(&reading, 4)->call, 5120);
    assert_int_equal(row_at(&reading, 4)->parts.hit, 1);
    done(&reading);
}

/* ---- Times ---- */

static void test_times_find_their_ops(void **state)
{
    struct reading reading;
    const struct op_host_call *call;

    (void)state;
    read_texts(&reading, MESSAGES OP("A", "1", "1024") ";50\n" OP("B", "2", "2048") ";20\n",
               TIMES
               "TT_DNN_DEVICE_OP,f,id:2048,100,9,\nTT_DNN_DEVICE_OP,f,\"id:1024\",30,5,\nwrite,f,,31,2,id:1024\nwrite,"
               "f,,33,3,id:1024\n"
               "read,f,,1,2,id:9\nother,f,,1,x,\nTT_DNN_DEVICE_OP,f,id:x,1,1,\nTT_DNN_DEVICE_OP,f,id:1024,-5,1,\n",
               NULL, NULL);
    assert_string_equal(codes(&reading), "A|B");
    assert_int_equal(row_at(&reading, 0)->host_start, 30);
    assert_int_equal(row_at(&reading, 0)->host_end, 35);
    call = column_at(&reading.details.calls, row_at(&reading, 0)->parts.functions);
    assert_int_equal(call->total, 5);
    assert_int_equal(call->next, NO_ID);
    assert_int_equal(odd(&reading, OP_ODD_NO_PARENT), 1);
    assert_int_equal(losses_count(&reading.report.losses, &loss_number), 2);
    assert_int_equal(reading.report.losses.lost, 2);
    done(&reading);
}

static void test_times_of_repeated_ops_go_to_each_in_turn(void **state)
{
    struct reading reading;

    (void)state;
    read_texts(&reading, MESSAGES OP("A", "1", "1024") ";1\n" OP("B", "2", "1024") ";2\n",
               TIMES
               "TT_DNN_DEVICE_OP,f,id:1024,10,1,\nTT_DNN_DEVICE_OP,f,id:1024,20,1,\nTT_DNN_DEVICE_OP,f,id:1024,30,1,\n",
               NULL, NULL);
    assert_string_equal(codes(&reading), "A|B|TT_DNN_DEVICE_OP");
    assert_int_equal(row_at(&reading, 1)->host_start, 20);
    assert_int_equal(odd(&reading, OP_ODD_NO_MESSAGE), 1);
    assert_int_equal(odd(&reading, OP_ODD_REPEATED), 2);
    done(&reading);
}

/* ---- The device report ---- */

static void test_the_device_report_is_taken_as_it_is(void **state)
{
    static const char report[] =
        "DEVICE ID,GLOBAL CALL COUNT,METAL TRACE ID,METAL TRACE REPLAY SESSION ID,OP NAME,DEVICE ARCH,CORE "
        "COUNT,DEVICE "
        "FW START CYCLE,DEVICE FW END CYCLE,DEVICE KERNEL DURATION [ns],Unknown\n"
        "0,1024,-1,-1,Named,blackhole,8,10,20,5.0,?\n0,x,,,,,,,,,\n0,2048\n\"0\",3072,1,2,,,,30,,,\n0,4096,,,,,-8,,,,"
        "\n,5,,,,,,,,,\n";
    struct reading reading;

    (void)state;
    read_texts(&reading, NULL, NULL, report, NULL);
    assert_int_equal(reading.code, STATUS_OK);
    assert_string_equal(codes(&reading), "Named|op 3072");
    assert_int_equal(row_at(&reading, 0)->kernel_duration, 5);
    assert_int_equal(row_at(&reading, 0)->cores, 8);
    assert_string_equal(text_at(&reading, row_at(&reading, 0)->architecture), "blackhole");
    assert_int_equal(row_at(&reading, 0)->trace, OP_NONE);
    assert_int_equal(row_at(&reading, 0)->replay, OP_NONE);
    assert_int_equal(row_at(&reading, 1)->replay, 2);
    assert_int_equal(losses_count(&reading.report.losses, &loss_number), 3);
    assert_int_equal(losses_count(&reading.report.losses, &loss_fields), 1);
    assert_true(has_note(&reading.source, "cpp_device_perf_report.csv"));
    assert_true(
        has_note(&reading.source, "cpp_device_perf_report.csv: 3 x a number that cannot be read (lines 3, 6, 7)"));
    assert_true(has_note(&reading.source, "cpp_device_perf_report.csv: 1 x too few or too many fields (line 4)"));
    done(&reading);
}

/* A device log that says the same as the report, one run of which it has again. */
static void test_the_log_is_compared_with_the_report(void **state)
{
    static const char report[] = "DEVICE ID,GLOBAL CALL COUNT,DEVICE FW START CYCLE,DEVICE FW END CYCLE\n"
                                 "0,1024,1000,1010\n0,1024,5000,5010\n0,2048,1030,1040\n";
    static const char log[] = LOG_HEAD RUN("1024", "", "", "1000", "1010") RUN("2048", "", "", "1020", "1030")
        RUN("3072", "", "", "1050", "1060");
    struct reading reading;

    (void)state;
    read_texts(&reading, NULL, NULL, report, log);
    assert_true(reading.details.log_checked);
    assert_int_equal(odd(&reading, OP_ODD_REPORT_DIFFERS), 1);
    assert_int_equal(reading.details.odds[OP_ODD_REPORT_DIFFERS].call, 2048);
    assert_int_equal(odd(&reading, OP_ODD_REPORT_MISSES), 1);
    assert_int_equal(losses_count(&reading.report.losses, &loss_missing), 1);
    done(&reading);
}

/* ---- Joining ---- */

static void test_replays_have_a_row_each_in_the_order_of_their_messages(void **state)
{
    struct reading reading;

    (void)state;
    read_texts(&reading,
               MESSAGES "`TT_METAL_TRACE_BEGIN: 0, 7`;1\n" OP("A", "1", "1024") ";2\n" OP(
                   "B", "2", "2048") ";3\n`TT_METAL_TRACE_END: 0, 7`;4\n"
                                     "`TT_METAL_TRACE_REPLAY: 0, 7`;100\n`TT_SIGNPOST: "
                                     "between`;150\n`TT_METAL_TRACE_REPLAY: 0, 7`;200\n",
               NULL, NULL,
               LOG_HEAD RUN("1024", "7", "1", "1000", "1010") RUN("2048", "7", "1", "1020", "1030")
                   RUN("1024", "7", "2", "2000", "2010") RUN("2048", "7", "2", "2020", "2030")
                       RUN("1024", "7", "3", "3000", "3010"));
    assert_string_equal(codes(&reading), "A|B|A|B|between|A|B|A");
    assert_int_equal(row_at(&reading, 2)->host_start, 100);
    assert_int_equal(row_at(&reading, 2)->trace, 7);
    assert_int_equal(row_at(&reading, 2)->replay, 1);
    assert_int_equal(row_at(&reading, 7)->replay, 3);
    assert_int_equal(row_at(&reading, 7)->host_start, OP_NONE);
    assert_int_equal(row_at(&reading, 0)->kernel_duration, OP_NONE);
    assert_int_equal(row_at(&reading, 0)->trace, 7);
    assert_int_equal(odd(&reading, OP_ODD_NO_REPLAY), 1);
    assert_int_equal(odd(&reading, OP_ODD_NO_DEVICE), 0);
    done(&reading);
}

static void test_what_has_no_other_half_stays(void **state)
{
    struct reading reading;

    (void)state;
    read_texts(&reading,
               MESSAGES OP("A", "1", "1024") ";10\n" OP("Host", "2", "2048") ";20\n" OP("C", "3", "4096") ";30\n", NULL,
               NULL,
               LOG_HEAD RUN("1024", "", "", "1000", "1010") RUN("3072", "", "", "2000", "2010")
                   RUN("4096", "", "", "3000", "3010"));
    assert_string_equal(codes(&reading), "A|op 3072|Host|C");
    assert_int_equal(odd(&reading, OP_ODD_NO_DEVICE), 1);
    assert_int_equal(odd(&reading, OP_ODD_NO_HOST), 1);
    assert_int_equal(losses_count(&reading.report.losses, &loss_missing), 2);
    assert_int_equal(row_at(&reading, 3)->latency, 990);
    assert_false(reading.report.columns.host_start);
    done(&reading);
}

static void test_devices_are_found_by_the_number_where_nothing_else_tells(void **state)
{
    struct reading reading;

    (void)state;
    read_texts(&reading, NULL, TIMES "TT_DNN_DEVICE_OP,f,id:1024,10,5,\n", NULL,
               LOG_HEAD RUN("1024", "", "", "1000", "1010"));
    assert_int_equal(reading.report.rows.count, 1);
    assert_int_equal(row_at(&reading, 0)->kernel_duration, 10);
    assert_int_equal(row_at(&reading, 0)->host_start, 10);
    done(&reading);
}

static void test_no_file_has_an_op(void **state)
{
    struct reading reading;

    (void)state;
    read_texts(&reading, MESSAGES, NULL, NULL, NULL);
    assert_int_equal(reading.code, STATUS_INPUT);
    assert_string_equal(status_message(), "logs: there is no op in these logs");
    done(&reading);
    read_texts(&reading, NULL, "nothing\n1\n", NULL, NULL);
    assert_int_equal(reading.code, STATUS_INPUT);
    done(&reading);
}

/* ---- Reports and the sink ---- */

static void test_the_report_of_devices_has_only_what_is_known(void **state)
{
    struct reading reading;
    struct output *output;
    size_t length;

    (void)state;
    read_texts(&reading, NULL, NULL, NULL, LOG_HEAD RUN("1024", "", "", "1000", "1010"));
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    assert_int_equal(ops_wide_write(&reading.details, output), STATUS_OK);
    assert_string_equal(output_memory(output, &length),
                        "GLOBAL CALL COUNT,DEVICE FW START CYCLE,DEVICE FW END CYCLE,OP TO OP LATENCY [ns],OP TO OP "
                        "LATENCY BR/NRISC START "
                        "[ns],DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns],DEVICE KERNEL DURATION DM START "
                        "[ns],DEVICE KERNEL DURATION "
                        "PER CORE MIN [ns],DEVICE KERNEL DURATION PER CORE MAX [ns],DEVICE KERNEL DURATION PER CORE "
                        "AVG [ns],DEVICE BRISC KERNEL "
                        "DURATION [ns]\r\n1024,1000,1010,0,0,10,10,10,10,10,10,10\r\n");
    output_abandon(output);
    done(&reading);
}

static status read_folder(struct recorder *recorder, const char *path, const struct reader **found)
{
    struct source source = { .path = path };
    struct feed feed;
    string_id name;
    status code = reader_open(path, NULL, &source.input, found);

    feed_start(&feed, (struct sink){ &recorder_calls, recorder }, recorder->strings);
    if (code == STATUS_OK)
        code = strings_add_text(recorder->strings, "logs", &name);
    if (code == STATUS_OK)
        code = feed_input(&feed, name, 0);
    if (code == STATUS_OK)
        code = (*found)->read(&source, &feed);
    if (code == STATUS_OK)
        code = feed_input_end(&feed);
    feed_free(&feed);
    input_close(source.input);
    return code;
}

static void test_a_folder_or_one_of_its_files_is_drawn(void **state)
{
    static const char *const paths[] = { "tt-tracy-ops/full", "tt-tracy-ops/full/tracy_ops_data.csv",
                                         "tt-tracy-ops/full/tracy_ops_times.csv" };

    (void)state;
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct recorder *recorder = recorder_new();
        const struct reader *found;
        const char *text;

        assert_int_equal(read_folder(recorder, data_path(paths[i]), &found), STATUS_OK);
        assert_ptr_equal(found, &tt_tracy_ops_reader);
        recorder_check(recorder);
        text = recorder_text(recorder);
        assert_non_null(strstr(text, "| MatmulDeviceOperation |"));
        assert_non_null(strstr(text, "| op 3072 |"));
        assert_non_null(strstr(text, "| BRISC-FW |"));
        assert_non_null(strstr(text, "flow 1"));
        assert_int_equal(lost_for(recorder, &loss_part), 1);
        assert_int_equal(lost_for(recorder, &loss_missing), 2);
        recorder_free(recorder);
    }
}

static void test_out_of_memory_is_told(void **state)
{
    bool finished = false;

    (void)state;
    for (uint64_t nth = 1; nth < 2000 && !finished; nth++) {
        struct recorder *recorder = recorder_new();
        const struct reader *found;
        status code;

        memory_fail_at(nth);
        code = read_folder(recorder, data_path("tt-tracy-ops/full"), &found);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        finished = code == STATUS_OK;
        recorder_free(recorder);
    }
    assert_true(finished);
}

/* Many ops with one number, many functions of one op: time stays in proportion. */
static void test_hostile_repetition(void **state)
{
    enum { ROWS = 100000 };
    char *data = malloc(64 + ROWS * 64), *times = malloc(128 + ROWS * 48);
    size_t data_length, times_length;
    struct reading reading;

    (void)state;
    assert_non_null(data);
    assert_non_null(times);
    data_length = (size_t)sprintf(data, MESSAGES);
    times_length = (size_t)sprintf(times, TIMES);
    for (unsigned i = 0; i < ROWS; i++) {
        data_length += (size_t)sprintf(data + data_length, "`TT_DNN_DEVICE_OP: \"A\", 1, 0, true, 1024`;%u\n", i);
        times_length += (size_t)sprintf(times + times_length, "f%u,s,,1,1,id:1024\n", i);
    }
    read_texts(&reading, data, times, NULL, NULL);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.report.rows.count, ROWS);
    assert_int_equal(odd(&reading, OP_ODD_FUNCTIONS), ROWS - OP_DETAIL_FUNCTIONS);
    done(&reading);
    free(data);
    free(times);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_go_over_lines_and_hold_quotes),
        cmocka_unit_test(test_a_message_without_its_quote_ends_where_the_next_begins),
        cmocka_unit_test(test_a_message_may_lack_its_quote_and_its_time),
        cmocka_unit_test(test_other_line_ends_columns_and_no_header),
        cmocka_unit_test(test_a_message_too_long_is_one_lost_row),
        cmocka_unit_test(test_first_lines_of_messages),
        cmocka_unit_test(test_values_are_printed_as_python_prints_them),
        cmocka_unit_test(test_tensors_and_their_bytes),
        cmocka_unit_test(test_tensors_beyond_the_limit_are_told),
        cmocka_unit_test(test_a_message_may_be_cut_off_anywhere),
        cmocka_unit_test(test_json_that_is_too_deep_is_cut_there),
        cmocka_unit_test(test_cached_ops_follow_the_latest_full_message),
        cmocka_unit_test(test_times_find_their_ops),
        cmocka_unit_test(test_times_of_repeated_ops_go_to_each_in_turn),
        cmocka_unit_test(test_the_device_report_is_taken_as_it_is),
        cmocka_unit_test(test_the_log_is_compared_with_the_report),
        cmocka_unit_test(test_replays_have_a_row_each_in_the_order_of_their_messages),
        cmocka_unit_test(test_what_has_no_other_half_stays),
        cmocka_unit_test(test_devices_are_found_by_the_number_where_nothing_else_tells),
        cmocka_unit_test(test_no_file_has_an_op),
        cmocka_unit_test(test_the_report_of_devices_has_only_what_is_known),
        cmocka_unit_test(test_a_folder_or_one_of_its_files_is_drawn),
        cmocka_unit_test(test_out_of_memory_is_told),
        cmocka_unit_test(test_hostile_repetition),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
