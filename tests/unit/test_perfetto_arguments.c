/* test_perfetto_arguments.c: the Perfetto writer: arguments of every type under any key, JSON in parts, flows; on the fast way and on the long one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/clock.h"
#include "write/writer.h"

#include "perfetto_reader.h"

/* ---- a trace with one line ---- */

enum { PROCESS, LINE };

static struct strings *strings;
static struct output *output;
static struct writer writer;
static struct read_trace trace;
static int64_t now; /* end of the last slice */

static string_id text_id(const char *text)
{
    string_id id = 0;

    assert_int_equal(strings_add_text(strings, text, &id), STATUS_OK);
    return id;
}

static int open_trace(void **state)
{
    const struct writer_options options = { .arguments = true };
    struct clock clock = clock_nanoseconds(0);
    struct track process = { .id = PROCESS, .parent = NO_ID, .clock = NO_ID, .kind = TRACK_PROCESS };
    struct track line = { .id = LINE, .parent = PROCESS, .clock = 0, .kind = TRACK_SLICES, .engine = &engine_custom };

    (void)state;
    now = 0;
    trace = (struct read_trace){ .events = NULL };
    strings = model_strings();
    if (!strings || output_open_memory(&output) != STATUS_OK ||
        perfetto_format.open(output, strings, &options, &writer) != STATUS_OK)
        return -1;
    return SINK_CALL(&writer.sink, clock, 0, &clock) || SINK_CALL(&writer.sink, track, &process) ||
           SINK_CALL(&writer.sink, track, &line);
}

static int close_trace(void **state)
{
    (void)state;
    read_trace_free(&trace);
    writer_free(&writer);
    output_abandon(output);
    strings_free(strings);
    return 0;
}

/* Pushes a slice behind the last one. */
static void push(struct slice slice)
{
    slice.track = LINE;
    slice.run = NO_ID;
    slice.start = now;
    slice.end = now += 10;
    assert_int_equal(sink_slice(&writer.sink, &slice), STATUS_OK);
}

static void push_with(const char *name, const struct argument *arguments, uint32_t count)
{
    push((struct slice){ .name = text_id(name), .op = NO_ID, .arguments = arguments, .argument_count = count });
}

static void read_back(void)
{
    size_t length;
    const char *data;

    assert_int_equal(sink_finish(&writer.sink), STATUS_OK);
    data = output_memory(output, &length);
    assert_non_null(data);
    trace = read_trace(data, length);
}

/* ---- values ---- */

static struct argument decimal(const char *key, double value)
{
    return (struct argument){ .key = text_id(key), .type = ARGUMENT_DECIMAL, .decimal = value };
}

static struct argument natural(const char *key, enum argument_type type, uint64_t value)
{
    return (struct argument){ .key = text_id(key), .type = (uint16_t)type, .natural = value };
}

static struct argument boolean(const char *key, bool value)
{
    return (struct argument){ .key = text_id(key), .type = ARGUMENT_BOOLEAN, .boolean = value };
}

static struct argument json(const char *key, const char *text)
{
    return (struct argument){ .key = text_id(key), .type = ARGUMENT_JSON, .text = text_id(text) };
}

/* Twice, since the second one finds its name and its keys named already. */
static void values_of_every_type(void **state)
{
    const struct argument arguments[] = {
        argument_integer(text_id("least"), INT64_MIN),
        argument_integer(text_id("zero"), 0),
        argument_integer(text_id("most"), INT64_MAX),
        natural("natural", ARGUMENT_UNSIGNED, UINT64_MAX),
        natural("pointer", ARGUMENT_POINTER, 0xdeadbeefcafef00d),
        decimal("half", -0.5),
        decimal("infinite", INFINITY),
        boolean("yes", true),
        boolean("no", false),
        argument_text(text_id("text"), text_id("some \"text\"\n")),
        argument_text(text_id("nothing"), 0),
        argument_text(text_id("bad"), text_id("a\xff"
                                              "b\xc3")),
        json("list", "[1, \"two\"]"),
    };

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        push_with("all", arguments, sizeof arguments / sizeof *arguments);
    for (unsigned i = 0; i < 3; i++)
        push_with("plain", arguments, 4); /* all on the fast way, but the first */
    read_back();
    for (unsigned i = 0; i < 3; i++) {
        const struct read_event *event = find_event(&trace, "all", i);

        assert_int_equal(event->argument_count, sizeof arguments / sizeof *arguments);
        assert_argument(event, "least", "-9223372036854775808");
        assert_argument(event, "zero", "0");
        assert_argument(event, "most", "9223372036854775807");
        assert_argument(event, "natural", "18446744073709551615u");
        assert_argument(event, "pointer", "0xdeadbeefcafef00d");
        assert_argument(event, "half", "-0.5d");
        assert_argument(event, "infinite", "infd");
        assert_argument(event, "yes", "true");
        assert_argument(event, "no", "false");
        assert_argument(event, "text", "'some \"text\"\n'");
        assert_argument(event, "nothing", "''");
        assert_argument(event, "bad", "'a?b?'");
        assert_argument(event, "list", "[1,'two']");
    }
    for (unsigned i = 0; i < 3; i++) {
        const struct read_event *event = find_event(&trace, "plain", i);

        assert_int_equal(event->argument_count, 4);
        assert_argument(event, "least", "-9223372036854775808");
        assert_argument(event, "natural", "18446744073709551615u");
    }
}

static void json_comes_in_parts(void **state)
{
    static const struct {
        const char *json;
        const char *shown;
    } cases[] = {
        { "{}", "'{}'" },
        { "[ ]", "'[]'" },
        { "null", "'null'" },
        { "17", "17" },
        { "-17.25", "-17.25d" },
        { "1e3", "1000d" },
        { "9223372036854775808", "9223372036854775808u" },
        { "18446744073709551616", "1.8446744073709552e+19d" },
        { "-9223372036854775809", "-9.2233720368547758e+18d" },
        { "1e999", "'1e999'" },
        { "[NaN, -Infinity]", "['NaN','-Infinity']" }, /* as Python writes them */
        { "true", "true" },
        { "\"a text\"", "'a text'" },
        { " {\"a\" : 1 , \"b\" : [ true , null , {\"c\":\"d\"} ] , \"e\" : {} }\n",
          "{a:1,b:[true,'null',{c:'d'}],e:'{}'}" },
        { "[[[]],[1,[2]],\"\"]", "[['[]'],[1,[2]],'']" },
        { "{\"q\\\"uote\\u0041\": \"line\\n\\t\\\\ \\u20ac \\ud83d\\ude00 \\ud800 \\q\"}",
          "{q\"uoteA:'line\n\t\\ \xe2\x82\xac \xf0\x9f\x98\x80 \xef\xbf\xbd \\q'}" },
        { "\"\xc3\xa9 \xff \xc3\"", "'\xc3\xa9 ? ?'" },
        { "{\"\xff\":\"\\n\xff\"}", "{?:'\n?'}" },
        { "{\"same\":1,\"same\":2}", "{same:1,same:2}" },
        /* What is no JSON is a text. */
        { "", "''" },
        { "{", "'{'" },
        { "{\"a\":1,}", "'{\"a\":1,}'" },
        { "[1 2]", "'[1 2]'" },
        { "{\"a\":[1,{\"b\":\"open}]}", "'{\"a\":[1,{\"b\":\"open}]}'" },
        { "[1] x", "'[1] x'" },
        { "no \xff", "'no ?'" },
    };
    enum { CASES = sizeof cases / sizeof *cases };
    struct argument arguments[CASES];
    char key[CASES][8];

    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        snprintf(key[i], sizeof key[i], "k%u", i);
        arguments[i] = json(key[i], cases[i].json);
    }
    push_with("all at once", arguments, CASES);
    for (unsigned i = 0; i < CASES; i++)
        push_with("one by one", &arguments[i], 1);
    read_back();
    for (unsigned i = 0; i < CASES; i++) {
        assert_argument(find_event(&trace, "all at once", 0), key[i], cases[i].shown);
        assert_argument(find_event(&trace, "one by one", i), key[i], cases[i].shown);
    }
}

/* Levels inside each other, with a number innermost. */
static char *nested(unsigned levels, bool objects)
{
    char *text = malloc((size_t)levels * 6 + 8), *to = text;

    assert_non_null(text);
    for (unsigned i = 0; i < levels; i++)
        to += sprintf(to, "%s", objects ? "{\"k\":" : "[");
    to += sprintf(to, "7");
    memset(to, objects ? '}' : ']', levels);
    to[levels] = '\0';
    return text;
}

static void json_that_nests_too_deep_is_a_text(void **state)
{
    enum { DEEP = 64 };

    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        static const unsigned levels[] = { DEEP - 1, DEEP, DEEP + 1, 255, 257, 20000 };
        struct argument argument;
        char *text = nested(levels[i], i % 2), name[16];

        snprintf(name, sizeof name, "%u", levels[i]);
        argument = json("deep", text);
        push_with(name, &argument, 1);
        free(text);
    }
    read_back();
    assert_int_equal(*show_argument(find_event(&trace, "63", 0)->arguments), '[');
    assert_int_equal(strcspn(show_argument(find_event(&trace, "63", 0)->arguments), "7"), DEEP - 1);
    assert_int_equal(*show_argument(find_event(&trace, "64", 0)->arguments), '{');
    for (unsigned i = 0; i < 4; i++) {
        static const char *const names[] = { "65", "255", "257", "20000" };
        static const unsigned lengths[] = { 2 * 65 + 1, 6 * 255 + 1, 2 * 257 + 1, 6 * 20000 + 1 };
        const struct read_argument *argument = find_event(&trace, names[i], 0)->arguments;
        struct piece from = argument->body;
        struct field field = { 0 };

        while (next_field(&from, &field) && field.number != 6)
            continue;
        assert_int_equal(field.number, 6);
        assert_int_equal(field.piece.length, lengths[i]);
    }
}

/* JSON of more than the output reserves, in an array of many and in one long text. */
static void json_may_be_large(void **state)
{
    enum { ENTRIES = 30000, LENGTH = 300000 };
    char *list = malloc(ENTRIES * 8), *to = list, *text = malloc(LENGTH + 3);
    const struct read_argument *argument;
    struct argument arguments[2];
    struct piece from;
    struct field field;
    unsigned count = 0;

    (void)state;
    assert_true(list && text);
    for (int i = 0; i < ENTRIES; i++)
        to += sprintf(to, "%c%d", i ? ',' : '[', i);
    strcpy(to, "]");
    memset(text, 'x', LENGTH + 2);
    text[0] = text[LENGTH + 1] = '"';
    text[LENGTH + 2] = '\0';
    arguments[0] = json("list", list);
    arguments[1] = json("text", text);
    for (int i = 0; i < 2; i++)
        push_with("large", arguments, 2);
    read_back();
    for (unsigned i = 0; i < 2; i++) {
        argument = find_argument(find_event(&trace, "large", i), "list");
        assert_non_null(argument);
        for (from = argument->body, count = 0; next_field(&from, &field);)
            count += field.number == 12;
        assert_int_equal(count, ENTRIES);
        argument = find_argument(find_event(&trace, "large", i), "text");
        assert_non_null(argument);
        for (from = argument->body; next_field(&from, &field) && field.number != 6;)
            continue;
        assert_int_equal(field.piece.length, LENGTH);
    }
    free(list);
    free(text);
}

/* Keys are named by small numbers, those of the fast way by one byte: 200 keys go beyond. */
/* What came before is not encoded again: short ones, ones whose length takes two bytes, and too many of these. */
static void json_that_comes_again_is_the_same(void **state)
{
    enum { SIZES = 5, TIMES = 3 };
    static const int sizes[SIZES] = { 1, 10, 40, 200, 600 };
    char texts[SIZES][4096], key[SIZES][16];
    struct argument arguments[SIZES + 1];

    (void)state;
    for (int i = 0; i < SIZES; i++) {
        char *to = texts[i];

        for (int j = 0; j < sizes[i]; j++)
            to += sprintf(to, "%c%d", j ? ',' : '[', j);
        strcpy(to, "]");
        snprintf(key[i], sizeof key[i], "k%d", i);
        arguments[i] = json(key[i], texts[i]);
    }
    arguments[SIZES] = decimal("half", 0.5);
    for (int i = 0; i < TIMES; i++)
        push_with("again", arguments, SIZES + 1);
    read_back();
    for (unsigned i = 0; i < TIMES; i++) {
        const struct read_event *event = find_event(&trace, "again", i);

        assert_int_equal(event->argument_count, SIZES + 1);
        assert_argument(event, "half", "0.5d");
        for (int j = 0; j < SIZES; j++) {
            struct piece from = find_argument(event, key[j])->body;
            struct field field;
            int count = 0;

            while (next_field(&from, &field))
                count += field.number == 12;
            assert_int_equal(count, sizes[j]);
        }
    }
}

static void many_keys_on_one_line(void **state)
{
    enum { KEYS = 200, STEP = 7 };
    struct argument arguments[KEYS];
    char key[KEYS][16];

    (void)state;
    for (int i = 0; i < KEYS; i++) {
        snprintf(key[i], sizeof key[i], "key %d", i);
        arguments[i] = argument_integer(text_id(key[i]), i * 1000);
    }
    for (int round = 0; round < 3; round++)
        for (int i = 0; i + STEP <= KEYS; i++) {
            for (int j = 0; j < STEP; j++)
                arguments[i + j].integer = round + (i + j) * 1000;
            push_with("some", &arguments[i], STEP);
        }
    push_with("all", arguments, KEYS);
    read_back();
    for (int round = 0, n = 0; round < 3; round++)
        for (int i = 0; i + STEP <= KEYS; i++, n++) {
            const struct read_event *event = find_event(&trace, "some", (unsigned)n);

            assert_int_equal(event->argument_count, STEP);
            for (int j = 0; j < STEP; j++) {
                assert_piece(event->arguments[j].key, key[i + j]);
                assert_int_equal(event->arguments[j].integer, round + (i + j) * 1000);
            }
        }
    assert_int_equal(find_event(&trace, "all", 0)->argument_count, KEYS);
    assert_argument(find_event(&trace, "all", 0), "key 199", "199002");
}

/* An operator without a location is known by its name alone: every slice must say it. */
static void every_slice_names_its_operator(void **state)
{
    const struct op without = { .id = 0, .name = text_id("aten::add"), .type = text_id("add") };
    const struct op untyped = { .id = 1, .name = text_id("aten::mul") };
    const struct op located = { .id = 2,
                                .name = text_id("net.mlir:4:10"),
                                .location = text_id("loc(\"net.mlir\":4:10)") };
    const struct op *const ops[] = { &without, &untyped, &located };

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(SINK_CALL(&writer.sink, op, ops[i]), STATUS_OK);
    for (unsigned i = 0; i < 12; i++)
        push((struct slice){ .name = text_id("call"), .op = i % 4 < 3 ? i % 4 : NO_ID });
    push((struct slice){ .name = without.name, .op = 0 });
    read_back();
    for (unsigned i = 0; i < 12; i++) {
        const struct read_event *event = find_event(&trace, "call", i);

        assert_int_equal(event->argument_count, i % 4 < 3);
        if (i % 4 < 2)
            assert_argument(event, "operator", i % 4 ? "'aten::mul'" : "'aten::add'");
        if (i % 4 == 2)
            assert_argument(event, "location", "'loc(\"net.mlir\":4:10)'"); /* which its name repeats */
    }
    assert_int_equal(find_event(&trace, "aten::add", 0)->argument_count, 0);
}

static void flags_say_what_is_shown(void **state)
{
    struct argument arguments[] = {
        { .key = text_id("hidden"), .flags = ARGUMENT_HIDDEN, .integer = 1 },
        { .key = text_id("outer"), .flags = ARGUMENT_OUTER, .integer = 2 },
        { .key = text_id("shown"), .integer = 3 },
    };

    (void)state;
    for (int64_t i = 0; i < 3; i++) {
        struct slice slice = {
            .track = LINE, .run = NO_ID, .op = NO_ID, .start = i * 100, .arguments = arguments, .argument_count = 3
        };

        slice.name = text_id("around");
        assert_int_equal(sink_begin(&writer.sink, 0, NO_ID, &slice), STATUS_OK);
        slice.name = text_id("inside");
        assert_int_equal(sink_begin(&writer.sink, 1, 0, &slice), STATUS_OK);
        assert_int_equal(sink_end(&writer.sink, 1, i * 100 + 50), STATUS_OK);
        assert_int_equal(sink_end(&writer.sink, 0, i * 100 + 60), STATUS_OK);
    }
    read_back();
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(find_event(&trace, "around", i)->argument_count, 2);
        assert_argument(find_event(&trace, "around", i), "outer", "2");
        assert_argument(find_event(&trace, "around", i), "shown", "3");
        assert_int_equal(find_event(&trace, "inside", i)->argument_count, 1);
        assert_argument(find_event(&trace, "inside", i), "shown", "3");
    }
}

static void a_slice_may_have_several_flows(void **state)
{
    static const uint32_t more[] = { 7, UINT32_MAX, 9 };

    (void)state;
    for (int i = 0; i < 2; i++) {
        push((struct slice){ .name = text_id("none"), .op = NO_ID });
        push((struct slice){ .name = text_id("one"), .op = NO_ID, .flow = 5 });
        push((struct slice){
            .name = text_id("four"), .op = NO_ID, .flow = 5, .more_flows = more, .more_flow_count = 3 });
        push((struct slice){ .name = text_id("three"), .op = NO_ID, .more_flows = more, .more_flow_count = 3 });
    }
    read_back();
    for (unsigned i = 0; i < 2; i++) {
        const struct read_event *four = find_event(&trace, "four", i), *three = find_event(&trace, "three", i);

        assert_int_equal(find_event(&trace, "none", i)->flow_count, 0);
        assert_int_equal(find_event(&trace, "one", i)->flow_count, 1);
        assert_int_equal(find_event(&trace, "one", i)->flow, 5);
        assert_int_equal(four->flow_count, 4);
        assert_int_equal(four->flows[0], 5);
        assert_int_equal(three->flow_count, 3);
        for (unsigned j = 0; j < 3; j++) {
            assert_int_equal(four->flows[j + 1], more[j]);
            assert_int_equal(three->flows[j], more[j]);
        }
    }
}

/* Without a failing test of its own kind: whatever allocation fails, the status says so. */
static void every_allocation_may_fail(void **state)
{
    (void)state;
    close_trace(NULL);
    for (uint64_t nth = 1;; nth++) {
        struct argument arguments[] = { { .key = KEY_NOTE, .type = ARGUMENT_JSON }, { .key = KEY_ID } };
        static const uint32_t more[] = { 7, 8 };
        struct slice slice = { .track = LINE,
                               .op = NO_ID,
                               .end = 9,
                               .arguments = arguments,
                               .argument_count = 2,
                               .more_flows = more,
                               .more_flow_count = 2 };
        status code;

        assert_int_equal(open_trace(NULL), 0);
        arguments[0].text = text_id("{\"a\":[1,2,{\"b\\n\":\"c\\n\"}],\"d\":null,\"e\":[]}");
        memory_fail_at(nth);
        code = sink_slice(&writer.sink, &slice);
        memory_fail_at(0);
        close_trace(NULL);
        if (code == STATUS_OK) {
            assert_true(nth > 8);
            break;
        }
        assert_int_equal(code, STATUS_MEMORY);
    }
    assert_int_equal(open_trace(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_of_every_type, open_trace, close_trace),
        cmocka_unit_test_setup_teardown(json_comes_in_parts, open_trace, close_trace),
        cmocka_unit_test_setup_teardown(json_that_nests_too_deep_is_a_text, open_trace, close_trace),
        cmocka_unit_test_setup_teardown(json_may_be_large, open_trace, close_trace),
        cmocka_unit_test_setup_teardown(json_that_comes_again_is_the_same, open_trace, close_trace),
        cmocka_unit_test_setup_teardown(many_keys_on_one_line, open_trace, close_trace),
        cmocka_unit_test_setup_teardown(every_slice_names_its_operator, open_trace, close_trace),
        cmocka_unit_test_setup_teardown(flags_say_what_is_shown, open_trace, close_trace),
        cmocka_unit_test_setup_teardown(a_slice_may_have_several_flows, open_trace, close_trace),
        cmocka_unit_test_setup_teardown(every_allocation_may_fail, open_trace, close_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
