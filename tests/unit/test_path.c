/* test_path.c: paths are taken apart, built at any length, and looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"

static char folder[] = "/tmp/tacho-path-XXXXXX";

static void expect(struct text text, const char *expected)
{
    assert_int_equal(text.length, strlen(expected));
    assert_memory_equal(text.data, expected, text.length);
}

static void parts(void **state)
{
    static const struct {
        const char *path, *folder, *name, *stem, *suffix, *unpacked;
    } cases[] = {
        { "runs/net/a.csv", "runs/net", "a.csv", "a", ".csv", "runs/net/a.csv" },
        { "a.csv.gz", "", "a.csv.gz", "a", ".csv", "a.csv" },
        { "/a.tar.zst", "/", "a.tar.zst", "a", ".tar", "/a.tar" },
        { "b/a.b.c.zst.gz", "b", "a.b.c.zst.gz", "a.b", ".c", "b/a.b.c" },
        { "runs.d/net", "runs.d", "net", "net", "", "runs.d/net" },
        { "runs/.hidden", "runs", ".hidden", ".hidden", "", "runs/.hidden" },
        { "runs/.hidden.txt", "runs", ".hidden.txt", ".hidden", ".txt", "runs/.hidden.txt" },
        { "a.", "", "a.", "a", ".", "a." },
        { "runs/", "", "runs/", "runs/", "", "runs/" },
        { "/", "", "/", "/", "", "/" },
        { "", "", "", "", "", "" },
        { "-", "", "-", "stdin", "", "-" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect(path_folder(cases[i].path), cases[i].folder);
        assert_string_equal(path_name(cases[i].path), cases[i].name);
        expect(path_stem(cases[i].path), cases[i].stem);
        expect(path_suffix(cases[i].path), cases[i].suffix);
        expect(path_unpacked(cases[i].path), cases[i].unpacked);
    }
    expect(path_without_suffix(text_of("runs/net.pte")), "runs/net");
    expect(path_without_suffix(text_of("runs.d/net")), "runs.d/net");
    assert_true(path_ends("a.csv", ".csv"));
    assert_false(path_ends("csv", ".csv"));
}

static void building(void **state)
{
    struct path path = { .text = NULL };
    size_t length;

    (void)state;
    path_set(&path, "%s-%d", "runs", 3);
    path_add(&path, "net");
    length = path.length;
    assert_int_equal(path_add(&path, "a"), STATUS_OK);
    assert_int_equal(path_append(&path, ".csv"), STATUS_OK);
    assert_string_equal(path.text, "runs-3/net/a.csv");
    path_cut(&path, length);
    assert_string_equal(path.text, "runs-3/net");
    path_cut(&path, 100);
    assert_string_equal(path.text, "runs-3/net");
    path_set(&path, "/");
    path_add(&path, "a");
    assert_string_equal(path.text, "/a");
    path_set(&path, "%s", "");
    path_add(&path, "a");
    assert_string_equal(path.text, "a");
    path_free(&path);
    assert_int_equal(path_add(&path, "alone"), STATUS_OK);
    assert_string_equal(path.text, "alone");
    for (unsigned i = 0; i < 5000; i++)
        assert_int_equal(path_add(&path, "deeper"), STATUS_OK);
    assert_int_equal(path.length, strlen("alone") + 5000 * strlen("/deeper"));
    assert_int_equal(strlen(path.text), path.length);
    path_free(&path);
}

static void failures_stick(void **state)
{
    struct path path = { .text = NULL };

    (void)state;
    memory_fail_at(1);
    path_set(&path, "runs");
    memory_fail_at(0);
    assert_int_equal(path_add(&path, "net"), STATUS_MEMORY);
    assert_int_equal(path_append(&path, "net"), STATUS_MEMORY);
    assert_int_equal(path.length, 0);
    path_cut(&path, 0);
    assert_int_equal(path_set(&path, "runs"), STATUS_OK);
    assert_int_equal(path_resolve(&path, "/nowhere/at/all"), STATUS_INPUT);
    assert_int_equal(path_add(&path, "net"), STATUS_INPUT);
    assert_int_equal(path_resolve(&path, "/tmp/../tmp/."), STATUS_OK);
    assert_string_equal(path.text, "/tmp");
    path_free(&path);
}

static void touch(const char *path)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void looking(void **state)
{
    struct path path = { .text = NULL }, other = { .text = NULL };

    (void)state;
    path_set(&path, "%s/file", folder);
    path_set(&other, "%s/link", folder);
    assert_false(path_exists(path.text));
    assert_false(path_same_file(path.text, path.text));
    touch(path.text);
    assert_int_equal(symlink("file", other.text), 0);
    assert_true(path_exists(path.text) && path_is_file(path.text) && !path_is_folder(path.text));
    assert_true(path_is_file(other.text) && path_same_file(path.text, other.text));
    assert_true(path_exists(folder) && path_is_folder(folder) && !path_is_file(folder));
    assert_false(path_same_file(folder, folder));
    assert_false(path_same_file("/dev/null", "/dev/null"));
    assert_false(path_exists(NULL) || path_is_file(NULL) || path_is_folder(NULL) || path_same_file(NULL, path.text));
    path_free(&path);
    path_free(&other);
}

static void making(void **state)
{
    static const char *const below[] = { "a/b/c", "a/b/c", "a//b/d/", "a/b" };
    struct path path = { .text = NULL };

    (void)state;
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        path_set(&path, "%s/%s", folder, below[i]);
        assert_int_equal(path_make_folder(path.text), STATUS_OK);
        assert_true(path_is_folder(path.text));
    }
    path_set(&path, "%s/a/file", folder);
    touch(path.text);
    assert_int_equal(path_make_folder(path.text), STATUS_OUTPUT);
    path_add(&path, "deeper");
    assert_int_equal(path_make_folder(path.text), STATUS_OUTPUT);
    assert_non_null(strstr(status_message(), "a/file: the folder cannot be made: "));
    assert_int_equal(path_make_folder("/"), STATUS_OK);
    assert_int_equal(path_make_folder("."), STATUS_OK);
    memory_fail_at(1);
    assert_int_equal(path_make_folder(folder), STATUS_MEMORY);
    memory_fail_at(0);
    path_free(&path);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[sizeof folder + 16];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts),   cmocka_unit_test(building), cmocka_unit_test(failures_stick),
        cmocka_unit_test(looking), cmocka_unit_test(making),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
