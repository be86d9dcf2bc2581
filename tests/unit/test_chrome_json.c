/* test_chrome_json.c: trace events in Chrome's form: every phase, any order, what a producer says of them, and files that are broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "read/chrome.h"
#include "read/chrome_trace.h"
#include "recorder.h"

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* What was told besides slices. */
static char counters[1024], runs[1024], instants[1024];

static status hear_counter(void *self, track_id track, int64_t time, int64_t value)
{
    struct recorder *recorder = self;
    size_t length = strlen(counters);
    const struct track *announced = &recorder->tracks[track];

    snprintf(counters + length, sizeof counters - length,
             announced->decimal ? "%s %" PRId64 " %g;" : "%s %" PRId64 " %.0f;",
             strings_text(recorder->strings, announced->name), time,
             announced->decimal ? counter_decimal(value) : (double)value);
    return STATUS_OK;
}

static status hear_run(void *self, const struct run *run)
{
    size_t length = strlen(runs);

    (void)self;
    snprintf(runs + length, sizeof runs - length, "%u.%u %" PRId64 "..%" PRId64 ";", run->launch, run->index,
             run->start, run->end);
    return STATUS_OK;
}

static status hear_instant(void *self, const struct slice *slice)
{
    struct recorder *recorder = self;
    size_t length = strlen(instants);

    snprintf(instants + length, sizeof instants - length, "%s %" PRId64 ";",
             strings_text(recorder->strings, slice->name), slice->start);
    return recorder_instant(self, slice);
}

static status read_input(struct recorder *recorder, struct input *input, const struct producer *producer, bool strict,
                         struct source *source)
{
    struct sink_calls calls = recorder_calls;
    struct feed feed;
    string_id name;
    status code;

    calls.counter = hear_counter;
    calls.run = hear_run;
    calls.instant = hear_instant;
    *counters = *runs = *instants = '\0';
    *source = (struct source){ .input = input, .path = "x.json", .strict = strict };
    feed_start(&feed, (struct sink){ &calls, recorder }, recorder->strings);
    code = strings_add_text(recorder->strings, "x.json", &name);
    if (code == STATUS_OK)
        code = feed_input(&feed, name, 0);
    if (code == STATUS_OK)
        code = chrome_read(source, &feed, producer);
    if (code == STATUS_OK)
        code = feed_input_end(&feed);
    feed_free(&feed);
    return code;
}

static struct recorder *read_by(const char *text, const struct producer *producer, struct source *source)
{
    struct recorder *recorder = recorder_new();
    struct input *input;

    assert_int_equal(input_open_memory("x.json", text, strlen(text), &input), STATUS_OK);
    if (read_input(recorder, input, producer, false, source) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    input_close(input);
    recorder_check(recorder);
    return recorder;
}

/* The slices of a text are these, and so many rows were lost. */
static void check_lost(const char *text, const char *expected, uint64_t lost)
{
    struct source source;
    struct recorder *recorder = read_by(text, NULL, &source);

    assert_string_equal(recorder_text(recorder), expected);
    assert_int_equal(recorder->losses.lost, lost);
    recorder_free(recorder);
}

static void check(const char *text, const char *expected)
{
    check_lost(text, expected, 0);
}

static uint64_t count_loss(const char *text, const struct loss_reason *reason)
{
    struct source source;
    struct recorder *recorder = read_by(text, NULL, &source);
    uint64_t count = losses_count(&recorder->losses, reason);

    recorder_free(recorder);
    return count;
}

/* ---- Forms ------------------------------------------------------------------------------------------------------- */

#define A "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":2}"
#define A_TOLD "thread 0 | a | 1000..3000 | a | \n"

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

#define T ",\"pid\":1,\"tid\":1}"

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
    assert_int_equal(count_loss("[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1" T
                                ",{\"ph\":\"E\",\"ts\":2,\"args\":{\"a\":1}" T "]",
                                &chrome_loss_end_arguments),
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

/* ---- Producers --------------------------------------------------------------------------------------------------- */

static const struct producer_rule rules[] = {
    { "note", "step*", NULL, NULL, ROLE_RUN, &engine_frame },
    { "op", NULL, NULL, NULL, ROLE_OPERATOR, &engine_thread },
    { "fn", "module *", NULL, NULL, ROLE_SCOPE, &engine_sum },
    { "fn", NULL, NULL, NULL, ROLE_SOURCE, &engine_sum },
    { "call", "launch*", NULL, NULL, ROLE_LAUNCH, &engine_custom },
    { NULL, NULL, "stream*", "link", ROLE_WORK, &engine_device },
    { NULL, NULL, "stream*", NULL, ROLE_WORK, &engine_unknown },
    { NULL, NULL, NULL, NULL, ROLE_END, NULL },
};

static const struct producer_counter told_counters[] = {
    { "[mem*", "total", "device", "Memory of", "B" },
    { NULL, NULL, NULL, NULL, NULL },
};

static const struct producer producer = {
    .title = "test",
    .rules = rules,
    .correlation = "link",
    .run_number = "step#",
    .op = { .behind = "_op" },
    .scope = { .before = "module " },
    .shapes = "dims",
    .backward = "back",
    .counters = told_counters,
};

#define EVENT(cat, name, tid, ts, dur, more)                                                       \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts \
    ",\"dur\":" dur more "}"
#define LINK(number) ",\"args\":{\"link\":" number "}"
#define ARROW(phase, tid, ts, id)                                                                                 \
    "{\"ph\":\"" phase "\",\"cat\":\"back\",\"name\":\"back\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"id\":" id \
    ",\"bp\":\"e\"}"

/* Device first, then functions, operators, calls, steps, names: no section is where a sink would want it. */
static const char training[] =
    "[" EVENT("k", "gemm", "7", "14", "20", LINK("1")) "," EVENT("k", "relu", "7", "39.5", "2", LINK("2")) "," EVENT(
        "k", "graph a", "7", "60", "1",
        LINK("3")) "," EVENT("k", "graph b", "7", "62", "50",
                             LINK(
                                 "3")) "," EVENT("k", "alone", "7", "120", "1",
                                                 LINK(
                                                     "99")) "," EVENT("k", "unlinked", "7", "122", "1",
                                                                      "") "," EVENT("fn", "net.py(12): forward", "1",
                                                                                    "1", "30",
                                                                                    "") "," EVENT("fn",
                                                                                                  "module Linear_0",
                                                                                                  "1", "2",
                                                                                                  "20", "") "," EVENT("fn", "<built-in>", "1", "3", "18", "") "," EVENT("fn", "main.py(3): loop", "1", "50", "9", "") "," EVENT("op", "addmm_op", "1", "4", "10", ",\"args\":{\"dims\":[2,3]}") "," ARROW("s", "1", "4", "5") "," EVENT("op",
                                                                                                                                                                                                                                                                                                                                        "evaluate", "2", "35", "12", "") "," EVENT("op",
                                                                                                                                                                                                                                                                                                                                                                                   "AddmmBackward", "2", "36", "10", "") "," ARROW("f",
                                                                                                                                                                                                                                                                                                                                                                                                                                   "2",
                                                                                                                                                                                                                                                                                                                                                                                                                                   "36", "5") "," EVENT("op",
                                                                                                                                                                                                                                                                                                                                                                                                                                                        "mm", "2",
                                                                                                                                                                                                                                                                                                                                                                                                                                                        "38", "4", "") "," EVENT("call",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "launchA", "1", "5", "3", LINK("1")) "," EVENT("call",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "launchB",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "2",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "40",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "1", LINK("2")) "," EVENT("call", "launchGraph", "1", "52", "2", LINK("3")) "," EVENT("note",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "step#4",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "1",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "0",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "45", "") "," EVENT("note", "step#5", "1", "48",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "14",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "") ",{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":7,\"args\":{\"name\":\"stream 7\"}}]";

static const struct recorded *find_slice(const struct recorder *recorder, const char *name)
{
    for (unsigned i = 0; i < recorder->count; i++)
        if (strcmp(strings_text(recorder->strings, recorder->slices[i].slice.name), name) == 0)
            return &recorder->slices[i];
    fail_msg("no slice is called %s", name);
    return NULL;
}

/* "name module place run" of a slice's operator. */
static void check_attribution(const struct recorder *recorder, const char *name, const char *expected)
{
    const struct slice *slice = &find_slice(recorder, name)->slice;
    const struct op *op = slice->op == NO_ID ? NULL : &recorder->operators[slice->op];
    char text[200];

    snprintf(text, sizeof text, "%s %s %s %d", op ? strings_text(recorder->strings, op->name) : "-",
             op && op->module ? strings_text(recorder->strings, op->module) : "-",
             op && op->place ? strings_text(recorder->strings, op->place) : "-",
             slice->run == NO_ID ? -1 : (int)slice->run);
    if (strcmp(text, expected))
        fail_msg("%s: %s, not %s", name, text, expected);
}

static void test_work_belongs_to_what_launched_it(void **state)
{
    struct source source;
    struct recorder *recorder = read_by(training, &producer, &source);

    (void)state;
    check_attribution(recorder, "addmm_op", "addmm Linear_0 net.py:12 0");
    check_attribution(recorder, "launchA", "addmm Linear_0 net.py:12 0");
    check_attribution(recorder, "gemm", "addmm Linear_0 net.py:12 0");
    /* The arrow hands module and place on, also to the operator around its end, and to what lies in it. */
    check_attribution(recorder, "evaluate", "evaluate Linear_0 net.py:12 0");
    check_attribution(recorder, "AddmmBackward", "AddmmBackward Linear_0 net.py:12 0");
    check_attribution(recorder, "mm", "mm Linear_0 net.py:12 0");
    /* Its clock puts it before its launch: it waits. */
    check_attribution(recorder, "relu", "mm Linear_0 net.py:12 0");
    /* One launch, many pieces of work, no operator around it. */
    check_attribution(recorder, "launchGraph", "launchGraph - main.py:3 1");
    check_attribution(recorder, "graph a", "launchGraph - main.py:3 1");
    check_attribution(recorder, "graph b", "launchGraph - main.py:3 1");
    check_attribution(recorder, "alone", "alone - - -1");
    check_attribution(recorder, "unlinked", "unlinked - - -1");
    assert_int_equal(recorder->losses.lost, 0);
    assert_string_equal(
        strings_text(recorder->strings, recorder->operators[find_slice(recorder, "gemm")->slice.op].shapes), "[2,3]");
    recorder_free(recorder);
}

static void test_runs_last_until_their_work_is_done(void **state)
{
    struct source source;
    struct recorder *recorder = read_by(training, &producer, &source);

    (void)state;
    assert_string_equal(runs, "0.4 0..45000;0.5 48000..112000;");
    recorder_free(recorder);
}

static void test_a_thread_has_a_line_for_each_engine(void **state)
{
    struct source source;
    struct recorder *recorder = read_by(training, &producer, &source);
    unsigned lines = 0;

    (void)state;
    for (unsigned i = 0; i < recorder->track_count; i++) {
        const struct track *track = &recorder->tracks[i];

        if (track->kind != TRACK_SLICES)
            continue;
        lines++;
        assert_int_equal(recorder->tracks[track->parent].kind, TRACK_GROUP);
    }
    /* Frames, operators, functions and calls of one thread; operators and calls of the other; two of the stream. */
    assert_int_equal(lines, 4 + 2 + 2);
    assert_ptr_equal(recorder->tracks[find_slice(recorder, "unlinked")->slice.track].engine, &engine_unknown);
    recorder_free(recorder);
}

static void test_instants_tell_values(void **state)
{
    struct source source;
    struct recorder *recorder =
        read_by("[{\"ph\":\"i\",\"name\":\"[memory]\",\"ts\":2,\"args\":{\"total\":7,\"device\":0}" T
                ",{\"ph\":\"i\",\"name\":\"[memory]\",\"ts\":1,\"args\":{\"total\":5,\"device\":-1}" T
                ",{\"ph\":\"i\",\"name\":\"[memory]\",\"ts\":3,\"args\":{\"total\":\"x\",\"device\":-1}" T
                ",{\"ph\":\"i\",\"name\":\"other\",\"ts\":4,\"args\":{\"total\":5}" T "]",
                &producer, &source);

    (void)state;
    assert_string_equal(counters, "Memory of -1 1000 5;Memory of 0 2000 7;");
    assert_int_equal(recorder->instants, 4);
    recorder_free(recorder);
}

static void test_patterns(void **state)
{
    (void)state;
    assert_true(chrome_fits(text_of("abc"), "abc"));
    assert_true(chrome_fits(text_of("abc"), "*"));
    assert_true(chrome_fits(text_of(""), "*"));
    assert_true(chrome_fits(text_of("abcabd"), "*abd"));
    assert_true(chrome_fits(text_of("a.b.c"), "a*c"));
    assert_true(chrome_fits(text_of("xaybz"), "*a*b*"));
    assert_false(chrome_fits(text_of("abc"), "ab"));
    assert_false(chrome_fits(text_of("ab"), "abc"));
    assert_false(chrome_fits(text_of(""), "a*"));
    assert_false(chrome_fits(text_of("xaybz"), "*b*a*"));
    assert_false(chrome_fits((struct text){ "ab\0\0", 4 }, "ab"));
}

/* ---- Any order --------------------------------------------------------------------------------------------------- */

enum { MODEL_THREADS = 3, MODEL_SLICES = 60, MODEL_TIMES = 40 };

struct model_slice {
    int thread;
    int64_t start, end; /* us */
};

static uint64_t seed;

static uint64_t draw(uint64_t limit)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % limit;
}

/* Random slices, on one thread as pairs, written in any order where that is told by the times alone. */
static size_t make_model(struct model_slice *slices, char *text, size_t size)
{
    const char *events[MODEL_SLICES];
    static char bytes[MODEL_SLICES][160];
    size_t count = 1 + draw(MODEL_SLICES), length = 0;

    for (size_t i = 0; i < count; i++) {
        slices[i].thread = (int)draw(MODEL_THREADS);
        slices[i].start = (int64_t)draw(MODEL_TIMES);
        slices[i].end = slices[i].start + (int64_t)draw(MODEL_TIMES / 2);
        snprintf(bytes[i], sizeof bytes[i],
                 "{\"ph\":\"X\",\"name\":\"s%zu\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":%d,\"args\":{\"n\":%zu}}", i,
                 (int)slices[i].start, (int)(slices[i].end - slices[i].start), slices[i].thread, i);
        events[i] = bytes[i];
    }
    for (size_t i = count; i > 1; i--) {
        size_t other = draw(i);
        const char *moved = events[i - 1];

        events[i - 1] = events[other];
        events[other] = moved;
    }
    length += (size_t)snprintf(text, size, "[");
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s", i ? ",\n" : "", events[i]);
    snprintf(text + length, size - length, "]");
    return count;
}

static void check_model(const struct recorder *recorder, const struct model_slice *slices, size_t count)
{
    bool seen[MODEL_SLICES] = { false };

    assert_int_equal(recorder->count, count);
    for (unsigned i = 0; i < recorder->count; i++) {
        const struct slice *slice = &recorder->slices[i].slice;
        size_t number = strtoul(strings_text(recorder->strings, slice->name) + 1, NULL, 10);

        assert_true(number < count && !seen[number]);
        seen[number] = true;
        assert_int_equal(slice->start, slices[number].start * 1000);
        assert_int_equal(slice->end, slices[number].end * 1000);
        assert_int_equal(recorder->slices[i].arguments[0].integer, number);
        for (unsigned j = i; j > 0; j--) {
            const struct slice *before = &recorder->slices[j - 1].slice;

            if (before->track != slice->track)
                continue;
            assert_true(before->start < slice->start || (before->start == slice->start && before->end >= slice->end));
            break;
        }
    }
}

static void test_any_order_gives_the_same_slices(void **state)
{
    static struct model_slice slices[MODEL_SLICES];
    static char text[MODEL_SLICES * 170];

    (void)state;
    for (uint64_t round = 1; round <= 2000; round++) {
        struct source source;
        struct recorder *recorder;
        size_t count;

        seed = round * 0x9E3779B97F4A7C15u;
        count = make_model(slices, text, sizeof text);
        recorder = read_by(text, NULL, &source);
        check_model(recorder, slices, count);
        recorder_free(recorder);
    }
}

/* A random tree of begins and ends, with complete events at its leaves. */
static void add_tree(char **to, int64_t *time, unsigned depth, unsigned *number, struct model_slice *slices)
{
    unsigned own = (*number)++;

    slices[own].start = (*time)++;
    *to += sprintf(*to, ",\n{\"ph\":\"B\",\"name\":\"s%u\",\"ts\":%d,\"args\":{\"n\":%u}" T, own,
                   (int)slices[own].start, own);
    for (unsigned i = 0; i < draw(4) && depth < 5 && *number < MODEL_SLICES - 1; i++) {
        if (draw(2)) {
            add_tree(to, time, depth + 1, number, slices);
            continue;
        }
        slices[*number] = (struct model_slice){ 0, *time, *time + 2 };
        *to += sprintf(*to, ",\n{\"ph\":\"X\",\"name\":\"s%u\",\"ts\":%d,\"dur\":2,\"args\":{\"n\":%u}" T, *number,
                       (int)*time, *number);
        *time += 2 + (int64_t)draw(2);
        (*number)++;
    }
    slices[own].end = (*time)++;
    *to += sprintf(*to, ",\n{\"ph\":\"E\",\"ts\":%d%s" T, (int)slices[own].end, draw(2) ? "" : ",\"cat\":\"x\"");
}

static void test_trees_of_begins_and_ends(void **state)
{
    static struct model_slice slices[MODEL_SLICES];
    static char text[MODEL_SLICES * 400];

    (void)state;
    for (uint64_t round = 1; round <= 1000; round++) {
        struct source source;
        struct recorder *recorder;
        unsigned count = 0;
        int64_t time = 0;
        char *to = text;

        seed = round * 0xD6E8FEB86659FD93u;
        to += sprintf(to, "[{}");
        while (count < MODEL_SLICES - 20 && (count == 0 || draw(4)))
            add_tree(&to, &time, 0, &count, slices);
        recorder = read_by(text, NULL, &source);
        check_model(recorder, slices, count);
        assert_int_equal(recorder->losses.lost, 0);
        assert_int_equal(losses_total(&recorder->losses), 0);
        recorder_free(recorder);
    }
}

/* ---- Faults ------------------------------------------------------------------------------------------------------ */

static void test_reading_in_pieces_is_the_same(void **state)
{
    struct source source;
    struct recorder *whole = read_by(training, &producer, &source), *pieces;

    (void)state;
    input_limit_reads(7);
    pieces = read_by(training, &producer, &source);
    input_limit_reads(0);
    assert_string_equal(recorder_text(whole), recorder_text(pieces));
    recorder_free(whole);
    recorder_free(pieces);
}

static void test_no_memory_anywhere_is_told(void **state)
{
    status code = STATUS_MEMORY;

    (void)state;
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        struct recorder *recorder = recorder_new();
        struct source source;
        struct input *input;

        assert_int_equal(input_open_memory("x.json", training, strlen(training), &input), STATUS_OK);
        memory_fail_at(nth);
        code = read_input(recorder, input, &producer, false, &source);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        input_close(input);
        recorder_free(recorder);
    }
}

/* Events that lie on several pages, and one that is larger than all that is read at once. */
static void test_events_of_any_length(void **state)
{
    enum { LONG = 3 << 20 };
    char *text = malloc(LONG + 4096);
    size_t length = (size_t)sprintf(text, "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1,\"args\":{\"s\":\"");
    struct source source;
    struct recorder *recorder;

    (void)state;
    memset(text + length, 'x', LONG);
    length += LONG;
    sprintf(text + length, "\"}" T "," A "]");
    recorder = read_by(text, NULL, &source);
    assert_int_equal(recorder->count, 2);
    assert_int_equal(strings_get(recorder->strings, recorder->slices[0].arguments[0].text).length, LONG);
    recorder_free(recorder);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form_of_a_file),
        cmocka_unit_test(test_what_is_no_trace_is_told),
        cmocka_unit_test(test_a_file_that_is_cut_off_is_used_as_far_as_it_goes),
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
        cmocka_unit_test(test_arrows_that_bind_to_nothing_are_lost),
        cmocka_unit_test(test_lost_events_have_their_reason_and_line),
        cmocka_unit_test(test_strict_stops_at_the_first),
        cmocka_unit_test(test_arguments_of_every_type),
        cmocka_unit_test(test_processes_and_threads_are_named_and_ordered),
        cmocka_unit_test(test_stack_frames_are_places),
        cmocka_unit_test(test_work_belongs_to_what_launched_it),
        cmocka_unit_test(test_runs_last_until_their_work_is_done),
        cmocka_unit_test(test_a_thread_has_a_line_for_each_engine),
        cmocka_unit_test(test_instants_tell_values),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_any_order_gives_the_same_slices),
        cmocka_unit_test(test_trees_of_begins_and_ends),
        cmocka_unit_test(test_reading_in_pieces_is_the_same),
        cmocka_unit_test(test_no_memory_anywhere_is_told),
        cmocka_unit_test(test_events_of_any_length),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
