/* test_slices.c: the CSV of slices as scripts read it: Python's csv and json give back every argument, whatever its key, type and bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "place.h"
#include "write/writer.h"

static const char *const columns[] = { "bytes", "note", NULL };

static struct strings *strings;
static struct output *output;
static struct writer writer;
static FILE *pushed; /* what the script compares with */

static string_id text_id(const char *data, size_t length)
{
    string_id id = 0;

    assert_int_equal(strings_add(strings, data, length, &id), STATUS_OK);
    return id;
}

static void announce(void)
{
    const struct track process = { .id = 0, .parent = NO_ID, .clock = NO_ID, .kind = TRACK_PROCESS };
    const struct track line = { .id = 1, .parent = 0, .clock = NO_ID, .kind = TRACK_SLICES, .engine = &engine_custom };

    assert_int_equal(SINK_CALL(&writer.sink, track, &process), STATUS_OK);
    assert_int_equal(SINK_CALL(&writer.sink, track, &line), STATUS_OK);
}

static int start(void **state)
{
    const struct writer_options options = { .arguments = true, .columns = columns };

    (void)state;
    strings = model_strings();
    assert_non_null(strings);
    assert_int_equal(output_open(file_at("slices.csv"), &output), STATUS_OK);
    assert_int_equal(slices_format.open(output, strings, &options, &writer), STATUS_OK);
    announce();
    pushed = fopen(file_at("pushed"), "w");
    return pushed ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    writer_free(&writer);
    output_abandon(output);
    strings_free(strings);
    return 0;
}

/* ---- what the script is told ---- */

static void tell_text(string_id id)
{
    struct text text = strings_get(strings, id);

    for (size_t i = 0; i < text.length; i++)
        fprintf(pushed, "%02x", (unsigned char)text.data[i]);
}

static bool has_column(string_id key)
{
    for (unsigned i = 0; columns[i]; i++)
        if (strcmp(strings_text(strings, key), columns[i]) == 0)
            return true;
    return false;
}

static void tell(const struct argument *argument)
{
    fprintf(pushed, "%s", has_column(argument->key) ? "column=" : "");
    tell_text(argument->key);
    fprintf(pushed, ":%c:", "iudbtpj"[argument->type]);
    switch ((enum argument_type)argument->type) {
    case ARGUMENT_INTEGER:
        fprintf(pushed, "%" PRId64, argument->integer);
        break;
    case ARGUMENT_UNSIGNED:
    case ARGUMENT_POINTER:
        fprintf(pushed, "%" PRIu64, argument->natural);
        break;
    case ARGUMENT_DECIMAL:
        fprintf(pushed, "%a", argument->decimal);
        break;
    case ARGUMENT_BOOLEAN:
        fprintf(pushed, "%d", argument->boolean);
        break;
    case ARGUMENT_TEXT:
    case ARGUMENT_JSON:
        tell_text(argument->text);
        break;
    }
    fputc(' ', pushed);
}

static void push(const struct argument *arguments, uint32_t count)
{
    const struct slice slice = {
        .track = 1, .op = NO_ID, .run = NO_ID, .end = 1, .arguments = arguments, .argument_count = count
    };

    assert_int_equal(sink_slice(&writer.sink, &slice), STATUS_OK);
    for (uint32_t i = 0; i < count; i++)
        tell(&arguments[i]);
    fputc('\n', pushed);
}

/* Ends the file and has it compared. */
static void compare(void)
{
    const char *data = getenv("TACHO_TEST_DATA");
    char command[2048];

    assert_int_equal(sink_finish(&writer.sink), STATUS_OK);
    assert_int_equal(output_commit(output), STATUS_OK);
    output = NULL;
    assert_int_equal(fclose(pushed), 0);
    snprintf(command, sizeof command, "python3 '%s/../slices_reference.py' %s/slices.csv %s/pushed",
             data ? data : "tests/data", place, place);
    assert_int_equal(system(command), 0);
}

/* ---- tests ---- */

static struct argument text_argument(const char *key, const char *value, enum argument_type type)
{
    return (struct argument){ .key = text_id(key, strlen(key)),
                              .type = (uint16_t)type,
                              .text = text_id(value, strlen(value)) };
}

static void every_type_comes_back(void **state)
{
    const struct argument arguments[] = {
        argument_integer(text_id("least", 5), INT64_MIN),
        argument_integer(KEY_BYTES, 4096),
        { .key = text_id("most", 4), .type = ARGUMENT_UNSIGNED, .natural = UINT64_MAX },
        { .key = text_id("third", 5), .type = ARGUMENT_DECIMAL, .decimal = 1.0 / 3 },
        { .key = text_id("whole", 5), .type = ARGUMENT_DECIMAL, .decimal = 12 },
        { .key = text_id("none", 4), .type = ARGUMENT_DECIMAL, .decimal = NAN },
        { .key = text_id("endless", 7), .type = ARGUMENT_DECIMAL, .decimal = -INFINITY },
        { .key = text_id("yes", 3), .type = ARGUMENT_BOOLEAN, .boolean = true },
        { .key = text_id("no", 2), .type = ARGUMENT_BOOLEAN, .boolean = false },
        { .key = text_id("address", 7), .type = ARGUMENT_POINTER, .natural = 0xfffffffffffffff0 },
        text_argument("note", "a, \"b\"\nand more", ARGUMENT_TEXT),
        text_argument("text", "a, \"b\"\r\nand\x01\x1f\\ more </script>", ARGUMENT_TEXT),
        text_argument("empty", "", ARGUMENT_TEXT),
        text_argument("bytes that are no text", "\xff \xc3 \xe2\x82 \xed\xa0\x80 \xf4\x90\x80\x80 \xc3\xa9",
                      ARGUMENT_TEXT),
        text_argument("a \"key\", too\n\xfe", "x", ARGUMENT_TEXT),
    };

    (void)state;
    push(arguments, sizeof arguments / sizeof *arguments);
    push(NULL, 0);
    push(&arguments[1], 1); /* only what has a column: the last cell is empty */
    compare();
}

static void json_comes_back(void **state)
{
    static const char *const texts[] = {
        "{}",
        "[]",
        " [ 1 , -2.5e3, true, false, null, \"x\" ] ",
        "{\"a\": {\"b\": [[], {}, [1, [2]]]}, \"a b\": \"c\\\"d\\\\e\\/f\\u0041\\n\\ud83d\\ude00\"}",
        "\"a text\"",
        "123456789012345678901234567890",
        "0.1",
        "{\"same\": 1, \"same\": 2}",
        "[NaN, Infinity, -Infinity]",
        "{\"tab\tand\nline\": \"raw\x01\"}",
        "\"<\\/script> \\u003c/ \\u003c!\"",
        "\"\xff\xc3\"",
        "{\"\xe2\x82\": [\"\xed\xa0\x80\"]}",
        /* none of these is JSON */
        "",
        "no",
        "{\"a\":}",
        "[1,]",
        "[1] 2",
        "{'a': 1}",
        "\"open",
        "01",
        "\xff",
    };

    (void)state;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct argument argument = text_argument("value", texts[i], ARGUMENT_JSON);

        push(&argument, 1);
    }
    compare();
}

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Few letters and many bytes that need care; without NUL, which ends a key. */
static string_id random_text(unsigned least, unsigned most)
{
    static const char bytes[] =
        "ab\"',;{}[]:\\/<!\n\r\t\x01\x1f\x7f u\x80\xbf\xc3\xa9\xe2\x82\xac\xed\xa0\xf0\x9f\x98\xf4\x90\xff";
    char text[64];
    unsigned length = least + (unsigned)(random_bits() % (most - least + 1));

    for (unsigned i = 0; i < length; i++)
        text[i] = bytes[random_bits() % (sizeof bytes - 1)];
    return text_id(text, length);
}

static struct argument random_argument(string_id key)
{
    struct argument argument = { .key = key, .type = (uint16_t)(random_bits() % (ARGUMENT_JSON + 1)) };

    argument.natural = random_bits() >> random_bits() % 64;
    if (argument.type == ARGUMENT_TEXT)
        argument.text = random_text(0, 60);
    else if (argument.type == ARGUMENT_JSON)
        argument.text = random_text(0, 2); /* a text, as a rule */
    else if (argument.type == ARGUMENT_BOOLEAN)
        argument.boolean = random_bits() % 2;
    return argument;
}

static void any_arguments_come_back(void **state)
{
    enum { ROWS = 2000, MOST = 8 };

    (void)state;
    for (unsigned row = 0; row < ROWS; row++) {
        struct argument arguments[MOST];
        uint32_t count = 0;

        for (unsigned i = (unsigned)(random_bits() % (MOST + 1)); i > 0; i--) {
            string_id key = random_text(1, 12);

            if (!argument_find(arguments, count, key))
                arguments[count++] = random_argument(key);
        }
        push(arguments, count);
    }
    compare();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_type_comes_back, start, stop),
        cmocka_unit_test_setup_teardown(json_comes_back, start, stop),
        cmocka_unit_test_setup_teardown(any_arguments_come_back, start, stop),
    };

    return cmocka_run_group_tests(tests, make_place, remove_place);
}
