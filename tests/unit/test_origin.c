/* test_origin.c: names of operators in the source of a model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "torq/origin.h"
#include "trace/model.h"

/* What was looked for in vain; it is never there in these tests. */
static const char *missing(const struct origin *origin)
{
    bool unreadable;
    const char *path = origin_missing(origin, &unreadable);

    assert_false(unreadable);
    return path;
}

static void check_line(const char *line, const char *expected)
{
    struct text name = origin_name_in_line(line, strlen(line));

    if (name.length != strlen(expected) || (name.length && memcmp(name.data, expected, name.length) != 0))
        fail_msg("%s: found '%.*s', wanted '%s'", line, (int)name.length, name.length ? name.data : "", expected);
}

static void test_names_in_lines(void **state)
{
    (void)state;
    check_line("    %0 = tosa.conv2d %arg0, %arg1, %b {pad = array<i64: 1>} : (t) -> t", "tosa.conv2d");
    check_line("    %2 = \"tosa.rescale\"(%1) : (t) -> t", "tosa.rescale");
    check_line("    %3 = torch.operator \"onnx.Softmax\"(%2) : (t) -> t", "onnx.Softmax");
    check_line("    %3:2 = torch.operator \"onnx.Split\"(%2) : (t) -> (t, t)", "onnx.Split");
    check_line("    (%1, %2) = tosa.split %0", "tosa.split");
    check_line("tosa.add", "tosa.add");
    check_line("\ttosa.add\t%0\r", "tosa.add");
    check_line("%4 = stablehlo.add %1, %2 : t", "stablehlo.add");
    check_line("%b = \"tosa.const\"() <{values = dense<0> : t}> : () -> t", "tosa.const");
    check_line("  func.func @main(%arg0: t) -> t {", "");
    check_line("  util.func public @main(%arg0: t) -> t {", "");
    check_line("    return %3 : t", "");
    check_line("module {", "");
    check_line("}", "");
    check_line("", "");
    check_line("    ", "");
    check_line("%0", "");
    check_line("%0 =", "");
    check_line("\"tosa.add", "");
    check_line("torch.operator", "");
    check_line("3.5 : f32", "");
    check_line("// tosa.add in a comment", "");
    check_line("#map = affine_map<(d0) -> (d0)>", "");
}

struct scene {
    char folder[64];
    struct strings *strings;
};

static void write_file(const struct scene *place, const char *name, const char *text)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const char *path_of(const struct scene *place, const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    return path;
}

static int set_up(void **state)
{
    struct scene *place = calloc(1, sizeof *place);
    char path[256];

    strcpy(place->folder, "/tmp/tacho-origin-XXXXXX");
    if (!mkdtemp(place->folder))
        return 1;
    place->strings = model_strings();
    snprintf(path, sizeof path, "%s/a", place->folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/a/deep", place->folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/b", place->folder);
    mkdir(path, 0700);
    write_file(place, "net.mlir", "module {\n%0 = tosa.add %1\n%2 = torch.operator \"onnx.Conv\"(%0)\n");
    write_file(place, "a/deep/inner.mlir", "tosa.deep\n");
    write_file(place, "a/same.mlir", "tosa.same_a\n");
    write_file(place, "b/same.mlir", "tosa.same_b\n");
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *place = *state;
    char command[128];
    int gone;

    strings_free(place->strings);
    snprintf(command, sizeof command, "rm -rf '%s'", place->folder);
    gone = system(command);
    free(place);
    return gone;
}

static const char *operator_at(struct origin *origin, struct scene *place, const char *file, uint32_t line)
{
    string_id name = 77;

    assert_int_equal(origin_operator(origin, (struct text){ file, strlen(file) }, line, &name), STATUS_OK);
    return strings_text(place->strings, name);
}

static void test_one_file_serves_every_location(void **state)
{
    struct scene *place = *state;
    struct origin *origin;

    assert_int_equal(origin_open(path_of(place, "net.mlir"), NULL, false, place->strings, &origin), STATUS_OK);
    assert_string_equal(operator_at(origin, place, "/elsewhere/x.mlir", 2), "tosa.add");
    assert_string_equal(operator_at(origin, place, "net.mlir", 3), "onnx.Conv");
    assert_string_equal(operator_at(origin, place, "net.mlir", 1), "");
    assert_string_equal(operator_at(origin, place, "net.mlir", 0), "");
    assert_string_equal(operator_at(origin, place, "net.mlir", 4), "");
    assert_string_equal(operator_at(origin, place, "net.mlir", UINT32_MAX), "");
    assert_null(missing(origin));
    origin_close(origin);
}

static void test_a_folder_is_searched_by_base_name(void **state)
{
    struct scene *place = *state;
    struct origin *origin;

    assert_int_equal(origin_open(NULL, place->folder, false, place->strings, &origin), STATUS_OK);
    assert_string_equal(operator_at(origin, place, "/build/w/net.mlir", 2), "tosa.add");
    assert_string_equal(operator_at(origin, place, "/build/inner.mlir", 1), "tosa.deep");
    assert_string_equal(operator_at(origin, place, "D:\\build\\inner.mlir", 1), "tosa.deep");
    /* Of two with one name the path decides, and without a hint the first by name. */
    assert_string_equal(operator_at(origin, place, "/build/b/same.mlir", 1), "tosa.same_b");
    assert_string_equal(operator_at(origin, place, "/build/a/same.mlir", 1), "tosa.same_a");
    assert_string_equal(operator_at(origin, place, "same.mlir", 1), "tosa.same_a");
    assert_null(missing(origin));
    assert_string_equal(operator_at(origin, place, "/nowhere/none.mlir", 1), "");
    assert_string_equal(operator_at(origin, place, "/nowhere/other.mlir", 1), "");
    assert_string_equal(missing(origin), "/nowhere/none.mlir");
    origin_close(origin);
}

static void test_a_folder_falls_back_to_the_printed_path(void **state)
{
    struct scene *place = *state;
    struct origin *origin;
    char folder[256];
    char printed[256];

    snprintf(folder, sizeof folder, "%s/b", place->folder);
    snprintf(printed, sizeof printed, "%s/net.mlir", place->folder);
    assert_int_equal(origin_open(NULL, folder, false, place->strings, &origin), STATUS_OK);
    assert_string_equal(operator_at(origin, place, printed, 2), "tosa.add");
    origin_close(origin);
}

static void test_file_and_folder_together(void **state)
{
    struct scene *place = *state;
    struct origin *origin;

    assert_int_equal(origin_open(path_of(place, "net.mlir"), place->folder, false, place->strings, &origin), STATUS_OK);
    assert_string_equal(operator_at(origin, place, "/x/net.mlir", 2), "tosa.add");
    assert_string_equal(operator_at(origin, place, "/x/inner.mlir", 1), "tosa.deep");
    assert_string_equal(operator_at(origin, place, "/x/none.mlir", 2), "tosa.add");
    origin_close(origin);
}

static void test_paths_as_printed(void **state)
{
    struct scene *place = *state;
    struct origin *origin;
    char pipe_path[256];

    snprintf(pipe_path, sizeof pipe_path, "%s/pipe", place->folder);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_equal(origin_open(NULL, NULL, true, place->strings, &origin), STATUS_OK);
    assert_string_equal(operator_at(origin, place, path_of(place, "net.mlir"), 2), "tosa.add");
    /* Neither a folder, a device nor a pipe makes us hang or fail. */
    assert_string_equal(operator_at(origin, place, place->folder, 1), "");
    assert_string_equal(operator_at(origin, place, "/dev/zero", 1), "");
    assert_string_equal(operator_at(origin, place, pipe_path, 1), "");
    assert_string_equal(operator_at(origin, place, "", 1), "");
    assert_string_equal(missing(origin), place->folder);
    origin_close(origin);
}

static void test_without_anything_nothing_is_opened(void **state)
{
    struct scene *place = *state;
    struct origin *origin;

    assert_int_equal(origin_open(NULL, NULL, false, place->strings, &origin), STATUS_OK);
    assert_string_equal(operator_at(origin, place, path_of(place, "net.mlir"), 2), "");
    assert_null(missing(origin));
    origin_close(origin);
}

static void test_a_missing_file_is_no_error(void **state)
{
    struct scene *place = *state;
    struct origin *origin;

    assert_int_equal(origin_open("/nowhere/at/all.mlir", NULL, false, place->strings, &origin), STATUS_OK);
    assert_string_equal(operator_at(origin, place, "net.mlir", 2), "");
    assert_string_equal(missing(origin), "/nowhere/at/all.mlir");
    origin_close(origin);
    origin_close(NULL);
}

/* Whichever allocation fails, it is reported as such and nothing is leaked. */
static void test_out_of_memory(void **state)
{
    struct scene *place = *state;
    bool done = false;

    for (uint64_t nth = 1; nth < 200 && !done; nth++) {
        struct strings *strings = model_strings();
        struct origin *origin = NULL;
        string_id name;
        status code;

        memory_fail_at(nth);
        code = origin_open(NULL, place->folder, false, strings, &origin);
        if (code == STATUS_OK)
            code = origin_operator(origin, (struct text){ "/x/net.mlir", 11 }, 2, &name);
        if (code == STATUS_OK)
            code = origin_operator(origin, (struct text){ "/x/none.mlir", 12 }, 2, &name);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        done = code == STATUS_OK;
        origin_close(origin);
        strings_free(strings);
    }
    assert_true(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_in_lines),
        cmocka_unit_test_setup_teardown(test_one_file_serves_every_location, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_folder_is_searched_by_base_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_folder_falls_back_to_the_printed_path, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_file_and_folder_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_paths_as_printed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_anything_nothing_is_opened, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_missing_file_is_no_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_out_of_memory, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
