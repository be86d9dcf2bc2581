/* test_tar.c: archives are read by tar, hold what the folder holds, and are the same for the same files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "base/tar.h"

static char folder[] = "/tmp/tacho-tar-XXXXXX";
static struct path place; /* in that folder, until the next call */

static const char *at(const char *name)
{
    path_set(&place, "%s", folder);
    assert_int_equal(path_add(&place, name), STATUS_OK);
    return place.text;
}

static void run(const char *command)
{
    struct path line = { .text = NULL };

    assert_int_equal(path_set(&line, "cd %s && %s", folder, command), STATUS_OK);
    assert_int_equal(system(line.text), 0);
    path_free(&line);
}

static void write_text(const char *name, const char *text)
{
    FILE *file;
    struct path parent = { .text = NULL };

    assert_int_equal(path_set(&parent, "%s/%.*s", folder, (int)path_folder(name).length, name), STATUS_OK);
    assert_int_equal(path_make_folder(parent.text), STATUS_OK);
    path_free(&parent);
    file = fopen(at(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void make_tree(void)
{
    char name[256];

    write_text("in/empty", "");
    write_text("in/b/small", "some text");
    write_text("in/b.sibling", "sorted by name");
    memset(name, 'n', sizeof name);
    memcpy(name, "in/", 3);
    name[230] = '\0';
    write_text(name, "a name of one part that is too long for a header");
    name[103] = '\0'; /* in the archive it is 100 bytes with its folder */
    write_text(name, "and one that fits just so");
    name[104] = '\0';
    name[50] = '/';
    write_text(name, "just not");
    run("head -c 1000000 /dev/zero > in/b/large; chmod 640 in/b/large; touch -d '2001-02-03 04:05:06 UTC' in/b/large");
    run("ln -s nowhere in/link; mkfifo in/pipe");
}

static status make_archive(const char *archive, const char *path, uint64_t *left_out)
{
    struct path inner = { .text = NULL };
    struct tar_writer tar;
    status code = tar_writer_open(&tar, at(archive));

    if (code == STATUS_OK)
        code = path_set(&inner, "%s/%s", folder, path);
    if (code == STATUS_OK)
        code = tar_writer_add_folder(&tar, inner.text, "in");
    *left_out = tar.left_out;
    path_free(&inner);
    return tar_writer_finish(&tar, code);
}

static void folders(void **state)
{
    uint64_t left_out;

    (void)state;
    assert_int_equal(make_archive("a.tar", "in", &left_out), STATUS_OK);
    assert_int_equal(left_out, 2);
    assert_int_equal(make_archive("b.tgz", "in/", &left_out), STATUS_OK);
    assert_int_equal(make_archive("c.tar.zst", "in", &left_out), STATUS_OK);
    run("rm in/link in/pipe; mkdir out && tar xf a.tar -C out && diff -r in out/in");
    run("test \"$(stat -c '%a %Y' out/in/b/large)\" = '640 981173106'");
    run("gzip -dc b.tgz | cmp - a.tar; zstd -dcq c.tar.zst | cmp - a.tar");
    run("test \"$(tar tf a.tar | head -6 | tr '\\n' ' ')\" = 'in/ in/b/ in/b/large in/b/small in/b.sibling in/empty '");
    run("python3 -c \"import tarfile; t = tarfile.open('a.tar'); "
        "assert all(m.uid == 0 and m.gid == 0 for m in t); assert t.getmember('in/b/small').size == 9\"");
}

static void files(void **state)
{
    struct path small = { .text = NULL };
    struct tar_writer tar;

    (void)state;
    assert_int_equal(path_set(&small, "%s", at("in/b/small")), STATUS_OK);
    assert_int_equal(tar_writer_open(&tar, at("files.tar")), STATUS_OK);
    assert_int_equal(tar_writer_add_file(&tar, small.text, "one"), STATUS_OK);
    assert_int_equal(tar_writer_add_file(&tar, "/nowhere/at/all", "two"), STATUS_INPUT);
    assert_int_equal(tar_writer_add_file(&tar, "/dev/null", "three"), STATUS_INPUT);
    assert_int_equal(tar_writer_add_file(&tar, folder, "four"), STATUS_INPUT);
    assert_int_equal(tar_writer_add_folder(&tar, small.text, "five"), STATUS_INPUT);
    assert_int_equal(tar_writer_add_folder(&tar, "/nowhere/at/all", "five"), STATUS_INPUT);
    assert_int_equal(tar_writer_add_file(&tar, small.text, "six"), STATUS_OK);
    assert_int_equal(tar.left_out, 0);
    assert_int_equal(tar_writer_finish(&tar, STATUS_OK), STATUS_OK);
    run("test \"$(tar tf files.tar | tr '\\n' ' ')\" = 'one six '; tar xOf files.tar six | cmp - in/b/small");
    path_free(&small);
}

static void nothing_is_left_of_a_failure(void **state)
{
    struct tar_writer tar;

    (void)state;
    assert_int_equal(tar_writer_open(&tar, at("gone.tar")), STATUS_OK);
    assert_int_equal(tar_writer_finish(&tar, STATUS_INPUT), STATUS_INPUT);
    assert_false(path_exists(at("gone.tar")));
    assert_true(tar_writer_open(&tar, "/dev/null/x.tar") != STATUS_OK);
    assert_int_equal(tar_writer_finish(&tar, STATUS_OUTPUT), STATUS_OUTPUT);
    output_fail_at(1);
    assert_int_equal(tar_writer_open(&tar, at("full.tar")), STATUS_OK);
    assert_int_equal(tar_writer_finish(&tar, tar_writer_add_folder(&tar, folder, "all")), STATUS_OUTPUT);
    output_fail_at(0);
    assert_false(path_exists(at("full.tar")));
}

/* Where memory suffices, the archive is the one that was made with plenty. */
static void without_memory(void **state)
{
    uint64_t left_out;

    (void)state;
    assert_int_equal(make_archive("plenty.tar", "in", &left_out), STATUS_OK);
    assert_int_equal(left_out, 0);
    for (uint64_t nth = 1;; nth++) {
        status code;

        (void)at("memory.tar.with.a.name.as.long.as.the.others"); /* has its room */
        memory_fail_at(nth);
        code = make_archive("memory.tar", "in", &left_out);
        memory_fail_at(0);
        if (code == STATUS_OK)
            break;
        assert_int_equal(code, STATUS_MEMORY);
        assert_false(path_exists(at("memory.tar")));
        assert_true(nth < 1000);
    }
    run("cmp memory.tar plenty.tar");
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    make_tree();
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    run("rm -rf in out; rm -f *; cd / && rmdir \"$OLDPWD\"");
    path_free(&place);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders),
        cmocka_unit_test(files),
        cmocka_unit_test(nothing_is_left_of_a_failure),
        cmocka_unit_test(without_memory),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
