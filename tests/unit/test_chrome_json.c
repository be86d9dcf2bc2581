/* test_chrome_json.c: trace events in Chrome's form: every phase and every form of a file, and what is lost of files that are broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chrome_reading.h"

/* ---- Forms ------------------------------------------------------------------------------------------------------- */

static void test_every_form_of_a_file(void **state)
{
    (void)state;
    check("[" A "]", A_TOLD);
    check("{\"traceEvents\":[" A "]}", A_TOLD);
    check("{\"traceEvents\" : [ " A " , {} ], \"other\": {\"x\":[1,{\"y\":\"]}\"}]}}", A_TOLD);
    check("\xEF\xBB\xBF{\"displayTimeUnit\":\"ms\",\n\"traceEvents\":[\n" A "\n]\n}\n", A_TOLD);
    check("[" A, A_TOLD);
    check("[" A ",", A_TOLD);
    check("[\n" A ",\n", A_TOLD);
    check("[]", "");
    check("{}", "");
    check("{\"traceEvents\":[]}", "");
    check("[{},{}]", "");
}

static void test_what_is_no_trace_is_told(void **state)
{
    static const char *const texts[] = { "", "  ", "5", "\"x\"", "null" };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct recorder *recorder = recorder_new();
        struct source source;
        struct input *input;

        assert_int_equal(input_open_memory("x.json", texts[i], strlen(texts[i]), &input), STATUS_OK);
        assert_int_equal(read_input(recorder, input, NULL, false, &source), STATUS_INPUT);
        assert_non_null(strstr(status_message(), "x.json"));
        input_close(input);
        recorder_free(recorder);
    }
}

static void check_cut(const char *text, uint64_t lost, const char *note)
{
    struct source source;
    struct recorder *recorder = read_by(text, NULL, &source);

    assert_string_equal(recorder_text(recorder), A_TOLD);
    assert_int_equal(recorder->losses.lost, lost);
    if (!has_note(&source, note))
        fail_msg("%s: %s, not %s", text, source.note_count ? source.notes[0] : "no note", note);
    recorder_free(recorder);
}

static void test_a_file_that_is_cut_off_is_used_as_far_as_it_goes(void **state)
{
    (void)state;
    check_cut("[" A ",\n{\"ph\":\"X\",\"na", 1, "cut off at line 2, column 14");
    check_cut("{\"traceEvents\":[" A ",{\"ph\":\"X\",\"args\":{\"a\":[1,2", 1, "cut off");
    check_cut("{\"traceEvents\":[" A, 0, "cut off");
    check_cut("{\"traceEvents\":[" A ",", 0, "cut off");
    check_cut("{\"traceEvents\":[" A "],\"x\":{\"y", 0, "cut off");
    check_cut("[" A ",\n{\"ph\" \"X\"}," A "]", 1, "no JSON at line 2, column 7");
    check_cut("[" A ",\n5," A "]", 1, "no JSON at line 2, column 1");
}

/* What comes behind a whole trace is not passed over in silence: two files that were put into one are two traces. */
static void test_what_stands_behind_a_trace_is_told(void **state)
{
    (void)state;
    check_cut("[" A "]\n[" A "]", 1, "has something behind its trace at line 2, column 1");
    check_cut("{\"traceEvents\":[" A "]}\n{\"traceEvents\":[" A "]}", 1, "has something behind its trace at line 2");
    check_cut("{\"traceEvents\":[" A "]} garbage", 0, "has something behind its trace at line 1");
}

static void test_the_probe_is_moderate(void **state)
{
    (void)state;
    assert_int_equal(chrome_probe(text_of("[{\"ph\":\"X\"}]")), 40);
    assert_int_equal(chrome_probe(text_of(" \n{\"schemaVersion\": 1, \"traceEvents\": [")), 40);
    assert_int_equal(chrome_probe(text_of("{\"a\": 1}")), 0);
    assert_int_equal(chrome_probe(text_of("[1,2]")), 0);
    /* What Tacho wrote, a chain that knows the names in it must not take for its own. */
    assert_int_equal(chrome_json_reader.probe(
                         text_of("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":1,\"tid\":"
                                 "1,\"name\":\"thread_name\",\"args\":{\"name\":\"x\",\"engine\":\"thread\"}}"),
                         "x.json"),
                     98);
    assert_int_equal(chrome_probe(text_of("")), 0);
    assert_int_equal(chrome_probe(text_of("a,b\n1,2\n")), 0);
}

/* ---- Times ------------------------------------------------------------------------------------------------------- */

static void test_times_are_exact(void **state)
{
    static const struct {
        const char *text;
        int64_t ns;
    } times[] = {
        { "0", 0 },
        { "1", 1000 },
        { "1.5", 1500 },
        { "3900337732824.535", 3900337732824535 },
        { "1790857026000000.123", 1790857026000000123 },
        { "999999999999999.999", 999999999999999999 },
        { "1234567890123456.7894", 1234567890123456789 },
        { "71612.668000000005", 71612668 },
        { "9.9999999999999995e-07", 0 },
        { "0.0005", 1 },
        { "0.00049", 0 },
        { "-1.25", -1250 },
        { "1e3", 1000000 },
        { "2.5E-1", 250 },
    };
    static const char *const wrong[] = { "", "x", "1x", "1.2.3", "NaN", "1e30", "99999999999999999999", "-" };
    int64_t ns;

    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        assert_true(chrome_time(text_of(times[i].text), &ns));
        assert_int_equal(ns, times[i].ns);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(chrome_time(text_of(wrong[i]), &ns));
}

static void test_numbers_may_be_texts(void **state)
{
    (void)state;
    check("[{\"ph\":\"X\",\"name\":\"a\",\"pid\":\"1\",\"tid\":2,\"ts\":\"1.0005\",\"dur\":\"2e0\"},"
          "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":\"2\",\"ts\":4,\"dur\":1}]",
          "thread 0 | a | 1001..3001 | a | \n"
          "thread 0 | b | 4000..5000 | b | \n");
}

static void test_negative_times_begin_at_0(void **state)
{
    struct source source;
    struct recorder *recorder =
        read_by("[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":-5,\"dur\":2}," A "]", NULL, &source);

    (void)state;
    assert_string_equal(recorder_text(recorder), "thread 0 | a | 0..2000 | a | \nthread 0 | a | 6000..8000 | a | \n");
    assert_true(has_note(&source, "begin 5.000µs before 0"));
    recorder_free(recorder);
}

/* ---- Phases ------------------------------------------------------------------------------------------------------ */

static void test_slices_come_by_start_the_outer_one_first(void **state)
{
    (void)state;
    check("[{\"ph\":\"X\",\"name\":\"in\",\"ts\":1,\"dur\":2" T ",{\"ph\":\"X\",\"name\":\"late\",\"ts\":7,\"dur\":1" T
          ",{\"ph\":\"X\",\"name\":\"out\",\"ts\":1,\"dur\":5" T
          ",{\"ph\":\"X\",\"name\":\"first\",\"ts\":0,\"dur\":1" T "]",
          "thread 0 | first | 0..1000 | first | \n"
          "thread 0 | out | 1000..6000 | out | \n"
          "thread 0 | in | 1000..3000 | in |  | in out\n"
          "thread 0 | late | 7000..8000 | late | \n");
}

static void test_begins_and_ends(void **state)
{
    (void)state;
    check("[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1" T ",{\"ph\":\"B\",\"name\":\"b\",\"ts\":2" T
          ",{\"ph\":\"E\",\"ts\":3" T ",{\"ph\":\"X\",\"name\":\"x\",\"ts\":3,\"dur\":1" T ",{\"ph\":\"E\",\"ts\":5" T
          "]",
          "thread 0 | a | 1000..5000 | a | \n"
          "thread 0 | b | 2000..3000 | b |  | in a\n"
          "thread 0 | x | 3000..4000 | x |  | in a\n");
    /* An end belongs to what began before it, also where it comes behind what begins then. */
    check("[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1" T ",{\"ph\":\"B\",\"name\":\"b\",\"ts\":2" T
          ",{\"ph\":\"E\",\"name\":\"a\",\"ts\":2" T ",{\"ph\":\"E\",\"ts\":3" T "]",
          "thread 0 | a | 1000..2000 | a | \n"
          "thread 0 | b | 2000..3000 | b | \n");
    /* One that has nothing before it is the end of an empty slice. */
    check("[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1" T ",{\"ph\":\"E\",\"ts\":1" T "]",
          "thread 0 | a | 1000..1000 | a | \n");
    check_lost("[{\"ph\":\"E\",\"ts\":1" T "," A "]", "thread 1 | a | 1000..3000 | a | \n", 1);
}

static void test_what_does_not_end_is_kept(void **state)
{
    static const char open[] =
        "[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1" T ",{\"ph\":\"X\",\"name\":\"x\",\"ts\":3,\"dur\":6" T "]";
    static const char inner[] = "[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1" T ",{\"ph\":\"B\",\"name\":\"b\",\"ts\":2" T
                                ",{\"ph\":\"E\",\"name\":\"a\",\"ts\":4" T "]";
    static const char reaches[] = "[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1" T
                                  ",{\"ph\":\"X\",\"name\":\"x\",\"ts\":2,\"dur\":9" T ",{\"ph\":\"E\",\"ts\":4" T "]";

    (void)state;
    check(open, "thread 0 | a | 1000..9000 | a | \nthread 0 | x | 3000..9000 | x |  | in a\n");
    assert_int_equal(count_loss(open, &loss_begin_without_end), 1);
    check(inner, "thread 0 | a | 1000..4000 | a | \nthread 0 | b | 2000..4000 | b |  | in a\n");
    assert_int_equal(count_loss(inner, &chrome_loss_reaches), 1);
    check(reaches, "thread 0 | a | 1000..4000 | a | \nthread 0 | x | 2000..4000 | x |  | in a\n");
    assert_int_equal(count_loss(reaches, &chrome_loss_reaches), 1);
}

static void test_instants_and_counters(void **state)
{
    struct source source;
    struct recorder *recorder = read_by(
        "[{\"ph\":\"i\",\"name\":\"m\",\"ts\":2" T ",{\"ph\":\"I\",\"name\":\"n\",\"ts\":1,\"s\":\"g\"" T
        ",{\"ph\":\"R\",\"name\":\"r\",\"ts\":3" T
        ",{\"ph\":\"C\",\"name\":\"c\",\"ts\":2,\"pid\":1,\"args\":{\"x\":1,\"y\":"
        "1.5,\"z\":\"no\"}},{\"ph\":\"C\",\"name\":\"c\",\"ts\":1,\"pid\":1,\"args\":{\"x\":-7,\"y\":2}},{\"ph\":\"C\","
        "\"name\":\"d\",\"ts\":1,\"pid\":1,\"args\":{\"value\":3}},{\"ph\":\"C\",\"name\":\"e\",\"ts\":1,\"pid\":1,"
        "\"args\":{\"value\":null}}]",
        NULL, &source);

    (void)state;
    assert_string_equal(instants, "n 1000;m 2000;r 3000;");
    assert_string_equal(counters, "c x 1000 -7;c y 1000 2;d 1000 3;c x 2000 1;c y 2000 1.5;");
    assert_int_equal(losses_count(&recorder->losses, &chrome_loss_counter), 1);
    recorder_free(recorder);
}

static void test_spans(void **state)
{
    (void)state;
    check("[{\"ph\":\"b\",\"name\":\"q\",\"id\":1,\"ts\":1,\"pid\":1},{\"ph\":\"b\",\"name\":\"q\",\"id\":\"0x2\","
          "\"ts\":2,\"pid\":1},"
          "{\"ph\":\"b\",\"name\":\"r\",\"id\":1,\"ts\":3,\"pid\":1,\"args\":{\"k\":1}},{\"ph\":\"e\",\"name\":\"q\","
          "\"id\":1,\"ts\":4,"
          "\"pid\":1},{\"ph\":\"e\",\"id\":1,\"ts\":5,\"pid\":1},{\"ph\":\"e\",\"name\":\"q\",\"id\":\"0x2\",\"ts\":6,"
          "\"pid\":1}]",
          "span 0 | q | 1000..4000 | q | \n"
          "span 0 | q | 2000..6000 | q | \n"
          "span 0 | r | 3000..5000 | r | k=1\n");
    /* Ids of one process are not those of another, unless they say so. */
    check_lost("[{\"ph\":\"b\",\"name\":\"q\",\"id\":1,\"ts\":1,\"pid\":1},{\"ph\":\"e\",\"name\":\"q\",\"id\":1,"
               "\"ts\":4,\"pid\":2}]",
               "span 0 | q | 1000..4000 | q | \n", 1);
    check("[{\"ph\":\"b\",\"name\":\"q\",\"id2\":{\"global\":1},\"ts\":1,\"pid\":1},{\"ph\":\"e\",\"name\":\"q\","
          "\"id2\":{\"global\":1},"
          "\"ts\":3,\"pid\":2}]",
          "span 0 | q | 1000..3000 | q | \n");
    check_lost("[{\"ph\":\"b\",\"name\":\"q\",\"ts\":1,\"pid\":1}," A "]", A_TOLD, 1);
}

static void test_arrows_bind_to_slices(void **state)
{
    static const char text[] =
        "[{\"ph\":\"s\",\"id\":7,\"cat\":\"c\",\"name\":\"n\",\"ts\":1" T
        ",{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":4" T
        ",{\"ph\":\"t\",\"id\":7,\"cat\":\"c\",\"name\":\"n\",\"ts\":7,\"pid\":1,\"tid\":2},{\"ph\":\"X\",\"name\":"
        "\"b\",\"ts\":6,"
        "\"dur\":4,\"pid\":1,\"tid\":2},{\"ph\":\"f\",\"bp\":\"e\",\"id\":7,\"cat\":\"c\",\"name\":\"n\",\"ts\":21" T
        ",{\"ph\":\"X\",\"name\":\"c\",\"ts\":20,\"dur\":4" T
        ",{\"ph\":\"f\",\"id\":7,\"cat\":\"c\",\"name\":\"n\",\"ts\":30" T
        ",{\"ph\":\"X\",\"name\":\"d\",\"ts\":31,\"dur\":4" T
        ",{\"ph\":\"f\",\"id\":8,\"cat\":\"c\",\"name\":\"n\",\"ts\":31,\"bp\":\"e\"" T "]";

    (void)state;
    check(text, "thread 0 | a | 1000..5000 | a |  | flow 1\n"
                "thread 0 | c | 20000..24000 | c |  | flow 1\n"
                "thread 0 | d | 31000..35000 | d |  | flow 1\n"
                "thread 1 | b | 6000..10000 | b |  | flow 1\n");
}

static void test_arrows_that_slices_name_themselves(void **state)
{
    (void)state;
    check("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"bind_id\":\"0x7\",\"flow_out\":true" T
          ",{\"ph\":\"B\",\"name\":\"b\",\"ts\":4,\"bind_id\":\"0x7\",\"flow_in\":true,\"flow_out\":true" T
          ",{\"ph\":\"E\",\"ts\":5" T
          ",{\"ph\":\"X\",\"name\":\"c\",\"ts\":7,\"dur\":2,\"bind_id\":\"0x7\",\"flow_in\":true" T
          ",{\"ph\":\"X\",\"name\":\"d\",\"ts\":9,\"dur\":2,\"bind_id\":\"0x7\",\"flow_in\":false" T
          ",{\"ph\":\"X\",\"name\":\"e\",\"ts\":12,\"dur\":2,\"bind_id\":8,\"flow_out\":true" T
          ",{\"ph\":\"s\",\"id\":\"0x7\",\"ts\":12" T "]",
          "thread 0 | a | 1000..3000 | a |  | flow 1\n"
          "thread 0 | b | 4000..5000 | b |  | flow 1\n"
          "thread 0 | c | 7000..9000 | c |  | flow 1\n"
          "thread 0 | d | 9000..11000 | d | \n"
          "thread 0 | e | 12000..14000 | e |  | flow 2\n");
}

static void test_arrows_that_bind_to_nothing_are_lost(void **state)
{
    static const char late[] =
        "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":9" T ",{\"ph\":\"X\",\"name\":\"b\",\"ts\":2,\"dur\":1" T
        ",{\"ph\":\"s\",\"id\":1,\"ts\":5" T "]";
    static const char outside[] =
        "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1" T ",{\"ph\":\"s\",\"id\":1,\"ts\":5" T "]";

    (void)state;
    assert_int_equal(count_loss(late, &chrome_loss_late_arrow), 1);
    assert_int_equal(count_loss(outside, &chrome_loss_arrow), 1);
    assert_int_equal(count_loss("[" A ",{\"ph\":\"s\",\"ts\":1" T "]", &chrome_loss_id), 1);
}

static void test_lost_events_have_their_reason_and_line(void **state)
{
    static const char text[] =
        "[" A ",\n{\"name\":\"b\",\"ts\":1" T ",\n{\"ph\":\"X\",\"name\":\"b\",\"dur\":1" T
        ",\n{\"ph\":\"X\",\"name\":\"b\",\"ts\":1" T ",\n{\"ph\":\"X\",\"name\":\"b\",\"ts\":1,\"dur\":-1" T
        ",\n{\"ph\":\"X\",\"name\":\"b\",\"ts\":\"x\",\"dur\":1" T ",\n{\"ph\":\"O\",\"ts\":1" T
        ",\n{\"ph\":\"XX\",\"ts\":1" T "]";
    struct source source;
    struct recorder *recorder = read_by(text, NULL, &source);

    (void)state;
    assert_string_equal(recorder_text(recorder), A_TOLD);
    assert_int_equal(recorder->losses.lost, 7);
    assert_int_equal(losses_count(&recorder->losses, &chrome_loss_phase), 3);
    assert_int_equal(losses_find(&recorder->losses, &chrome_loss_phase)->lines[0], 2);
    assert_int_equal(losses_find(&recorder->losses, &chrome_loss_time)->lines[0], 3);
    assert_int_equal(losses_find(&recorder->losses, &chrome_loss_duration)->lines[0], 4);
    assert_int_equal(losses_find(&recorder->losses, &loss_end_before_start)->lines[0], 5);
    assert_int_equal(losses_find(&recorder->losses, &loss_number)->lines[0], 6);
    recorder_free(recorder);
}

static void test_strict_stops_at_the_first(void **state)
{
    static const char text[] = "[" A ",\n  {\"ph\":\"X\",\"name\":\"b\",\"dur\":1" T "]";
    struct recorder *recorder = recorder_new();
    struct source source;
    struct input *input;

    (void)state;
    assert_int_equal(input_open_memory("x.json", text, strlen(text), &input), STATUS_OK);
    assert_int_equal(read_input(recorder, input, NULL, true, &source), STATUS_INPUT);
    assert_string_equal(status_message(), "x.json:2:3: an event without a time");
    input_close(input);
    recorder_free(recorder);
}

static void test_arguments_of_every_type(void **state)
{
    (void)state;
    check("[{\"ph\":\"X\",\"name\":\"a\\n\\u00e9\",\"ts\":1,\"dur\":1,\"args\":{\"i\":-5,\"u\":18446744073709551615,"
          "\"d\":0.5,\"t\":true,"
          "\"n\":null,\"s\":\"x\\\"y\",\"j\":[1,{\"k\":\"]\"}],\"i\":6}" T "]",
          "thread 0 | a\n\xC3\xA9 | 1000..2000 | a\n\xC3\xA9 | i=6 u=18446744073709551615 d=0.5 t=true n=null s=x\"y "
          "j=[1,{\"k\":\"]\"}]\n");
    assert_int_equal(
        count_loss("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1,\"args\":{\"a\":1,b}" T "]", &loss_part), 1);
    assert_int_equal(count_loss("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1,\"args\":{\"\":1}" T "]", &loss_part),
                     1);
    assert_int_equal(count_loss("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1,\"args\":[1]" T "]", &loss_part), 1);
}

static void test_arguments_of_ends_are_the_slices(void **state)
{
    static const char backwards[] =
        "[{\"ph\":\"E\",\"ts\":2,\"args\":{\"a\":1}" T ",{\"ph\":\"B\",\"name\":\"a\",\"ts\":1" T "]";

    (void)state;
    check("[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1,\"args\":{\"x\":1,\"y\":2}" T
          ",{\"ph\":\"B\",\"name\":\"b\",\"ts\":2" T ",{\"ph\":\"E\",\"ts\":3,\"args\":{\"z\":5}" T
          ",{\"ph\":\"E\",\"ts\":4,\"args\":{\"y\":3,\"w\":\"t\"}" T "]",
          "thread 0 | a | 1000..4000 | a | x=1 y=3 w=t\n"
          "thread 0 | b | 2000..3000 | b | z=5 | in a\n");
    /* By name, over one that has no end of its own. */
    check("[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1" T ",{\"ph\":\"B\",\"name\":\"b\",\"ts\":2" T
          ",{\"ph\":\"E\",\"name\":\"a\",\"ts\":3,\"args\":{\"z\":5}" T "]",
          "thread 0 | a | 1000..3000 | a | z=5\n"
          "thread 0 | b | 2000..3000 | b |  | in a\n");
    /* An end belongs to what began before it, also where something begins then; an empty slice has its own. */
    check("[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1" T ",{\"ph\":\"B\",\"name\":\"b\",\"ts\":2" T
          ",{\"ph\":\"E\",\"ts\":2,\"args\":{\"z\":5}" T ",{\"ph\":\"E\",\"ts\":3,\"args\":{\"z\":6}" T "]",
          "thread 0 | a | 1000..2000 | a | z=5\n"
          "thread 0 | b | 2000..3000 | b | z=6\n");
    check("[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1" T ",{\"ph\":\"E\",\"ts\":1,\"args\":{\"z\":5}" T "]",
          "thread 0 | a | 1000..1000 | a | z=5\n");
    /* Where they do not stand by time, which belong together is known too late. */
    check(backwards, "thread 0 | a | 1000..2000 | a | \n");
    assert_int_equal(count_loss(backwards, &chrome_loss_end_arguments), 1);
    assert_int_equal(count_loss("[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1" T
                                ",{\"ph\":\"E\",\"ts\":2,\"args\":{\"a\":1,b}" T "]",
                                &loss_part),
                     1);
}

static void test_processes_and_threads_are_named_and_ordered(void **state)
{
    static const char *const expected[] = { "x.json", "net GPU [9]", "stream 7", "p", "thread 2", "worker" };
    struct source source;
    struct recorder *recorder = read_by("[{\"ph\":\"X\",\"name\":\"a\",\"pid\":\"p\",\"tid\":\"worker\",\"ts\":1,"
                                        "\"dur\":1},{\"ph\":\"X\",\"name\":\"a\",\"pid\":"
                                        "\"p\",\"tid\":2,\"ts\":1,\"dur\":1},{\"ph\":\"X\",\"name\":\"a\",\"pid\":9,"
                                        "\"tid\":7,\"ts\":1,\"dur\":1},{\"ph\":\"M\","
                                        "\"name\":\"process_name\",\"pid\":9,\"args\":{\"name\":\"net\"}},{\"ph\":"
                                        "\"M\",\"name\":\"process_labels\",\"pid\":9,"
                                        "\"args\":{\"labels\":\"GPU\"}},{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":"
                                        "9,\"tid\":7,\"args\":{\"name\":\"stream "
                                        "7\"}},{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":9,\"args\":{"
                                        "\"sort_index\":-1}},{\"ph\":\"M\",\"name\":"
                                        "\"thread_sort_index\",\"pid\":\"p\",\"tid\":\"worker\",\"args\":{\"sort_"
                                        "index\":\"5\"}},{\"ph\":\"M\",\"name\":"
                                        "\"process_name\",\"pid\":77,\"args\":{\"name\":\"empty\"}}]",
                                        NULL, &source);
    unsigned order[2] = { 0 };

    (void)state;
    assert_int_equal(recorder->track_count, 6);
    for (unsigned i = 0; i < 6; i++) {
        bool found = false;

        for (unsigned j = 0; j < 6; j++)
            found |= strcmp(strings_text(recorder->strings, recorder->tracks[i].name), expected[j]) == 0;
        assert_true(found);
        if (strcmp(strings_text(recorder->strings, recorder->tracks[i].name), "worker") == 0)
            order[1] = (unsigned)recorder->tracks[i].order;
        if (strcmp(strings_text(recorder->strings, recorder->tracks[i].name), "thread 2") == 0)
            order[0] = (unsigned)recorder->tracks[i].order;
    }
    assert_true(order[0] < order[1]);
    assert_string_equal(strings_text(recorder->strings, recorder->tracks[1].name), "net GPU [9]");
    recorder_free(recorder);
}

static void test_stack_frames_are_places(void **state)
{
    struct source source;
    struct recorder *recorder =
        read_by("{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1,\"sf\":\"5\"" T
                ",{\"ph\":\"X\",\"name\":\"a\",\"ts\":3,\"dur\":1,\"sf\":6" T
                "],\"stackFrames\":{\"5\":{\"name\":\"fwd (src/net.py:12)\"},\"6\":{\"name\":\"main\"}}}",
                NULL, &source);

    (void)state;
    assert_int_equal(recorder->operator_count, 2);
    assert_string_equal(strings_text(recorder->strings, recorder->operators[0].location), "fwd (src/net.py:12)");
    assert_string_equal(strings_text(recorder->strings, recorder->operators[0].file), "src/net.py");
    assert_string_equal(strings_text(recorder->strings, recorder->operators[0].place), "net.py:12");
    assert_int_equal(recorder->operators[0].line, 12);
    assert_string_equal(strings_text(recorder->strings, recorder->operators[1].location), "main");
    recorder_free(recorder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form_of_a_file),
        cmocka_unit_test(test_what_is_no_trace_is_told),
        cmocka_unit_test(test_a_file_that_is_cut_off_is_used_as_far_as_it_goes),
        cmocka_unit_test(test_what_stands_behind_a_trace_is_told),
        cmocka_unit_test(test_the_probe_is_moderate),
        cmocka_unit_test(test_times_are_exact),
        cmocka_unit_test(test_numbers_may_be_texts),
        cmocka_unit_test(test_negative_times_begin_at_0),
        cmocka_unit_test(test_slices_come_by_start_the_outer_one_first),
        cmocka_unit_test(test_begins_and_ends),
        cmocka_unit_test(test_what_does_not_end_is_kept),
        cmocka_unit_test(test_instants_and_counters),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_arrows_bind_to_slices),
        cmocka_unit_test(test_arrows_that_slices_name_themselves),
        cmocka_unit_test(test_arrows_that_bind_to_nothing_are_lost),
        cmocka_unit_test(test_lost_events_have_their_reason_and_line),
        cmocka_unit_test(test_strict_stops_at_the_first),
        cmocka_unit_test(test_arguments_of_every_type),
        cmocka_unit_test(test_arguments_of_ends_are_the_slices),
        cmocka_unit_test(test_processes_and_threads_are_named_and_ordered),
        cmocka_unit_test(test_stack_frames_are_places),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
