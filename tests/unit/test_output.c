/* test_output.c: an output is there whole or not at all, whatever fails on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/output.h"

static char folder[256];

/* A path in the test's folder; two may be in use at once. */
static const char *in_folder(const char *name)
{
    static char paths[2][512];
    static int turn;

    turn = !turn;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
    return paths[turn];
}

static int prepare(void **state)
{
    const char *temporary = getenv("TMPDIR");

    (void)state;
    snprintf(folder, sizeof folder, "%s/tacho-output-XXXXXX", temporary ? temporary : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

/* Entries of the folder; with `clear`, they are removed. */
static int entries(bool clear)
{
    DIR *listing = opendir(folder);
    struct dirent *entry;
    int count = 0;

    assert_non_null(listing);
    while ((entry = readdir(listing))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (clear)
            remove(in_folder(entry->d_name));
    }
    closedir(listing);
    return count;
}

static int reset(void **state)
{
    (void)state;
    output_fail_at(0);
    memory_fail_at(0);
    entries(true);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void store(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void expect_bytes(const char *path, const void *expected, size_t size)
{
    struct input *input;
    struct text whole;

    assert_int_equal(input_open(path, &input), STATUS_OK);
    assert_int_equal(input_whole(input, (size_t)1 << 30, &whole), STATUS_OK);
    assert_int_equal(whole.length, size);
    assert_memory_equal(whole.data, expected, size);
    input_close(input);
}

static void expect_file(const char *path, const char *expected)
{
    expect_bytes(path, expected, strlen(expected));
}

static void commit_puts_the_file_in_place(void **state)
{
    struct output *output;

    (void)state;
    assert_int_equal(output_open(in_folder("a.txt"), &output), STATUS_OK);
    output_write(output, "hello ", 6);
    output_format(output, "%d %s", 42, "worlds");
    assert_int_equal(output_written(output), 15);
    assert_int_equal(access(in_folder("a.txt"), F_OK), -1); /* not before the end */
    assert_int_equal(output_commit(output), STATUS_OK);
    expect_file(in_folder("a.txt"), "hello 42 worlds");
    assert_int_equal(entries(false), 1);
}

static void commit_replaces_and_abandon_does_not(void **state)
{
    struct output *output;

    (void)state;
    store(in_folder("a.txt"), "old");
    assert_int_equal(output_open(in_folder("a.txt"), &output), STATUS_OK);
    output_write(output, "new", 3);
    assert_int_equal(output_flush(output), STATUS_OK);
    expect_file(in_folder("a.txt"), "old");
    assert_int_equal(entries(false), 2);
    output_abandon(output);
    expect_file(in_folder("a.txt"), "old");
    assert_int_equal(entries(false), 1);
    assert_int_equal(output_open(in_folder("a.txt"), &output), STATUS_OK);
    output_write(output, "new", 3);
    assert_int_equal(output_commit(output), STATUS_OK);
    expect_file(in_folder("a.txt"), "new");
    assert_int_equal(entries(false), 1);
    output_abandon(NULL);
}

static mode_t mode_of(const char *path)
{
    struct stat found;

    assert_int_equal(stat(path, &found), 0);
    return found.st_mode & 0777;
}

static void permissions_follow_the_umask_or_the_old_file(void **state)
{
    mode_t old_mask = umask(027);
    struct output *output;

    (void)state;
    assert_int_equal(output_open(in_folder("a"), &output), STATUS_OK);
    assert_int_equal(output_commit(output), STATUS_OK);
    assert_int_equal(mode_of(in_folder("a")), 0640);
    assert_int_equal(chmod(in_folder("a"), 0600), 0);
    assert_int_equal(output_open(in_folder("a"), &output), STATUS_OK);
    assert_int_equal(output_commit(output), STATUS_OK);
    assert_int_equal(mode_of(in_folder("a")), 0600);
    umask(old_mask);
}

static void links_are_written_through(void **state)
{
    struct output *output;
    struct stat found;

    (void)state;
    store(in_folder("real"), "old");
    assert_int_equal(symlink("real", in_folder("link")), 0);
    assert_int_equal(symlink(in_folder("link"), in_folder("chain")), 0);
    assert_int_equal(output_open(in_folder("chain"), &output), STATUS_OK);
    output_write(output, "new", 3);
    assert_int_equal(output_commit(output), STATUS_OK);
    expect_file(in_folder("real"), "new");
    assert_int_equal(lstat(in_folder("chain"), &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    /* A link to what does not exist yet. */
    assert_int_equal(unlink(in_folder("real")), 0);
    assert_int_equal(output_open(in_folder("link"), &output), STATUS_OK);
    output_write(output, "again", 5);
    assert_int_equal(output_commit(output), STATUS_OK);
    expect_file(in_folder("real"), "again");
    /* A link to itself. */
    assert_int_equal(symlink("loop", in_folder("loop")), 0);
    assert_int_equal(output_open(in_folder("loop"), &output), STATUS_OUTPUT);
    assert_non_null(strstr(status_message(), "Too many levels of symbolic links"));
}

static void parent_folders_are_created(void **state)
{
    struct output *output;

    (void)state;
    assert_int_equal(output_open(in_folder("x/y//z/a.txt"), &output), STATUS_OK);
    output_write(output, "deep", 4);
    assert_int_equal(output_commit(output), STATUS_OK);
    expect_file(in_folder("x/y/z/a.txt"), "deep");
    unlink(in_folder("x/y/z/a.txt"));
    rmdir(in_folder("x/y/z"));
    rmdir(in_folder("x/y"));
    rmdir(in_folder("x"));
}

static void targets_that_cannot_be_files_are_refused(void **state)
{
    struct output *output = (struct output *)1;
    char expected[600];

    (void)state;
    assert_int_equal(output_open(folder, &output), STATUS_OUTPUT);
    assert_null(output);
    snprintf(expected, sizeof expected, "%s: is a directory; give the name of a file in it", folder);
    assert_string_equal(status_message(), expected);
    assert_int_equal(output_open(in_folder("new/"), &output), STATUS_OUTPUT);
    assert_int_equal(output_open("", &output), STATUS_OUTPUT);
    assert_string_equal(status_message(), "an output needs the name of a file");
    store(in_folder("plain"), "");
    assert_int_equal(output_open(in_folder("plain/a"), &output), STATUS_OUTPUT);
    assert_non_null(strstr(status_message(), "Not a directory"));
    assert_int_equal(entries(false), 1);
}

static void long_names_still_work(void **state)
{
    char name[256];
    struct output *output;

    (void)state;
    memset(name, 'n', 255);
    name[255] = '\0';
    assert_int_equal(output_open(in_folder(name), &output), STATUS_OK);
    assert_int_equal(output_commit(output), STATUS_OK);
    expect_file(in_folder(name), "");
}

static void a_full_device_is_a_failure(void **state)
{
    struct output *output;

    (void)state;
    assert_int_equal(output_open("/dev/full", &output), STATUS_OK);
    output_write(output, "x", 1);
    assert_int_equal(output_commit(output), STATUS_OUTPUT);
    assert_string_equal(status_message(), "/dev/full: No space left on device");
    assert_int_equal(output_open("/dev/null", &output), STATUS_OK);
    output_write(output, "x", 1);
    assert_int_equal(output_commit(output), STATUS_OK);
}

/* The first failure stays, the reason is told again at the end, and memory to write into is always there. */
static void a_failure_sticks(void **state)
{
    struct output *output;
    static char much[OUTPUT_BUFFER + 10];

    (void)state;
    assert_int_equal(output_open(in_folder("a"), &output), STATUS_OK);
    assert_int_equal(output_status(output), STATUS_OK);
    output_fail_at(1);
    output_write(output, much, sizeof much);
    assert_int_equal(output_status(output), STATUS_OUTPUT);
    for (int i = 0; i < 40; i++) {
        unsigned char *room = output_reserve(output, OUTPUT_LARGEST_RESERVE);

        assert_non_null(room);
        memset(room, i, OUTPUT_LARGEST_RESERVE);
        output_advance(output, OUTPUT_LARGEST_RESERVE);
        output_write(output, much, sizeof much);
        output_format(output, "%*d", 1000, i);
    }
    assert_int_equal(output_flush(output), STATUS_OUTPUT);
    status_clear();
    assert_int_equal(output_commit(output), STATUS_OUTPUT);
    assert_non_null(strstr(status_message(), "/a: No space left on device"));
    assert_int_equal(entries(false), 0);
}

enum { PIECES = 30000 };

static status write_sample(const char *path)
{
    struct output *output;
    status result = output_open(path, &output);
    uint32_t random = 7;

    if (result)
        return result;
    for (uint32_t i = 0; i < PIECES; i++) {
        unsigned char *room = output_reserve(output, 40);

        for (int byte = 0; byte < 40; byte++) {
            random = random * 1664525u + 1013904223u;
            room[byte] = (unsigned char)(random >> 24);
        }
        output_advance(output, 40);
    }
    return output_commit(output);
}

static void every_failed_write_leaves_nothing_behind(void **state)
{
    static const char *const names[] = { "plain.txt", "packed.gz", "packed.zst" };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        uint64_t nth = 0;
        status result;

        do {
            output_fail_at(++nth);
            result = write_sample(in_folder(names[i]));
            assert_int_equal(entries(false), result ? 0 : 1);
            assert_true(result == STATUS_OK || result == STATUS_OUTPUT);
        } while (result);
        assert_true(nth > 4);
        entries(true);
    }
}

static void no_memory_leaves_nothing_behind(void **state)
{
    static const char *const names[] = { "plain.txt", "packed.gz", "packed.zst" };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        uint64_t nth = 0;
        status result;

        do {
            memory_fail_at(++nth);
            result = write_sample(in_folder(names[i]));
            memory_fail_at(0);
            assert_int_equal(entries(false), result ? 0 : 1);
            assert_true(result == STATUS_OK || result == STATUS_MEMORY);
        } while (result);
        assert_true(nth > 4);
        entries(true);
    }
}

static void compressed_outputs_read_back(void **state)
{
    static const char *const names[] = { "a.gz", "a.zst" };
    static char line[500000];

    (void)state;
    memset(line, 'q', sizeof line);
    for (size_t i = 0; i < 2; i++) {
        struct stat found;
        struct output *output;

        assert_int_equal(output_open(in_folder(names[i]), &output), STATUS_OK);
        output_write(output, line, 100000);
        assert_int_equal(output_flush(output), STATUS_OK);
        output_write(output, line, 400000); /* more than the buffer: past it */
        assert_int_equal(output_written(output), sizeof line);
        assert_int_equal(output_commit(output), STATUS_OK);
        assert_int_equal(stat(in_folder(names[i]), &found), 0);
        assert_in_range(found.st_size, 20, 5000);
        expect_bytes(in_folder(names[i]), line, sizeof line);
        /* An empty one is still a valid file of its kind. */
        assert_int_equal(output_open(in_folder(names[i]), &output), STATUS_OK);
        assert_int_equal(output_commit(output), STATUS_OK);
        assert_int_equal(stat(in_folder(names[i]), &found), 0);
        assert_true(found.st_size > 0);
        expect_file(in_folder(names[i]), "");
    }
}

static void random_pieces_arrive_in_order(void **state)
{
    size_t most = (size_t)4 * 1024 * 1024;
    unsigned char *expected = malloc(most);
    struct output *output;
    size_t size = 0;
    uint32_t random = 3;

    (void)state;
    assert_non_null(expected);
    for (size_t i = 0; i < most; i++)
        expected[i] = (unsigned char)(i * 31 >> 3);
    assert_int_equal(output_open(in_folder("a"), &output), STATUS_OK);
    for (;;) {
        size_t piece;

        random = random * 1664525u + 1013904223u;
        piece = (random >> 8) % (random >> 30 == 3 ? 600000u : 3000u);
        if (size + piece > most)
            break;
        if (random >> 29 & 1 && piece <= OUTPUT_LARGEST_RESERVE) {
            memcpy(output_reserve(output, piece), expected + size, piece);
            output_advance(output, piece);
        } else {
            output_write(output, expected + size, piece);
        }
        size += piece;
        assert_int_equal(output_written(output), size);
    }
    assert_int_equal(output_commit(output), STATUS_OK);
    expect_bytes(in_folder("a"), expected, size);
    free(expected);
}

static void formatted_text_of_any_length(void **state)
{
    static const size_t lengths[] = { 0,
                                      1,
                                      1000,
                                      OUTPUT_LARGEST_RESERVE - 1,
                                      OUTPUT_LARGEST_RESERVE,
                                      OUTPUT_BUFFER - 1,
                                      OUTPUT_BUFFER,
                                      OUTPUT_BUFFER + 1,
                                      3 * OUTPUT_BUFFER };

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char *expected = malloc(lengths[i] + 4);
        struct output *output;

        assert_non_null(expected);
        memset(expected, ' ', lengths[i] + 4);
        memcpy(expected, "ab", 2);
        memcpy(expected + 2 + lengths[i], "yz", 2);
        if (lengths[i])
            expected[1 + lengths[i]] = '7';
        assert_int_equal(output_open(in_folder("a"), &output), STATUS_OK);
        output_format(output, "%s", "ab");
        output_format(output, lengths[i] ? "%*s" : "%.*s", (int)lengths[i], "7");
        output_format(output, "yz");
        assert_int_equal(output_commit(output), STATUS_OK);
        expect_bytes(in_folder("a"), expected, lengths[i] + 4);
        free(expected);
    }
}

static void memory_outputs_collect_everything(void **state)
{
    struct output *output;
    const char *text;
    size_t length;

    (void)state;
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    text = output_memory(output, &length);
    assert_non_null(text);
    assert_int_equal(length, 0);
    assert_string_equal(text, "");
    for (int i = 0; i < 200000; i++)
        output_format(output, "%06d,", i);
    assert_int_equal(output_flush(output), STATUS_OK);
    text = output_memory(output, &length);
    assert_int_equal(length, 1400000);
    assert_int_equal(output_written(output), length);
    assert_int_equal(text[length], '\0');
    assert_memory_equal(text, "000000,000001,", 14);
    assert_memory_equal(text + length - 7, "199999,", 8);
    output_clear(output);
    assert_string_equal(output_memory(output, &length), "");
    assert_int_equal(length, 0);
    output_format(output, "%d", 17);
    assert_string_equal(output_memory(output, &length), "17");
    assert_int_equal(length, 2);
    assert_int_equal(output_commit(output), STATUS_OK);
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    output_write(output, "x", 1);
    output_abandon(output);
}

/* A buffer filled to its last byte still has room for the NUL. */
static void a_full_memory_output_is_terminated(void **state)
{
    static char much[OUTPUT_BUFFER];
    struct output *output;
    size_t length;

    (void)state;
    memset(much, 'm', sizeof much);
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    output_write(output, much, sizeof much);
    assert_int_equal(output_memory(output, &length)[OUTPUT_BUFFER], '\0');
    assert_int_equal(length, sizeof much);
    output_abandon(output);
}

static void a_memory_output_without_memory_fails(void **state)
{
    static char much[OUTPUT_BUFFER];
    struct output *output;
    size_t length;

    (void)state;
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    memory_fail_at(1);
    for (int i = 0; i < 10; i++) {
        output_write(output, much, sizeof much - 5);
        memset(output_reserve(output, OUTPUT_LARGEST_RESERVE), 1, OUTPUT_LARGEST_RESERVE);
        output_advance(output, OUTPUT_LARGEST_RESERVE);
        output_format(output, "%300000d", i);
    }
    assert_int_equal(output_status(output), STATUS_MEMORY);
    assert_null(output_memory(output, &length));
    assert_int_equal(output_commit(output), STATUS_MEMORY);
    for (uint64_t nth = 1; nth < 4; nth++) {
        memory_fail_at(nth);
        assert_int_equal(output_open_memory(&output), STATUS_MEMORY);
        assert_null(output);
    }
}

/* "-" is standard output: here a pipe, once with a reader and once without. */
static void standard_output_is_a_dash(void **state)
{
    int saved = dup(STDOUT_FILENO);
    int ends[2];
    struct output *output;
    char text[16] = "";
    status result;
    status broken;

    (void)state;
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
    result = output_open("-", &output);
    output_write(output, "hello", 5);
    result = result ? result : output_commit(output);
    assert_int_equal(read(ends[0], text, sizeof text), 5);
    close(ends[0]);
    broken = output_open("/dev/stdout", &output);
    output_write(output, "hello", 5);
    broken = broken ? broken : output_commit(output);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    signal(SIGPIPE, SIG_DFL);
    assert_int_equal(result, STATUS_OK);
    assert_string_equal(text, "hello");
    assert_int_equal(broken, STATUS_OUTPUT);
    assert_string_equal(status_message(), "/dev/stdout: Broken pipe");
}

static void a_pipe_by_name_is_written_directly(void **state)
{
    struct output *output;
    char text[16] = "";
    int reader;

    (void)state;
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    reader = open(in_folder("pipe"), O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(output_open(in_folder("pipe"), &output), STATUS_OK);
    output_write(output, "through", 7);
    assert_int_equal(output_commit(output), STATUS_OK);
    assert_int_equal(read(reader, text, sizeof text), 7);
    assert_string_equal(text, "through");
    close(reader);
    assert_int_equal(entries(false), 1);
}

/* As a shell gives it for the other end of a pipe: a link that leads to no name. */
static void an_open_pipe_by_its_number_is_written_directly(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct output *output;
        char text[64];
        int ends[2];

        assert_int_equal(pipe(ends), 0);
        snprintf(text, sizeof text, i ? "/proc/self/fd/%d" : "/dev/fd/%d", ends[1]);
        assert_int_equal(output_open(text, &output), STATUS_OK);
        output_write(output, "through", 7);
        assert_int_equal(output_commit(output), STATUS_OK);
        assert_int_equal(read(ends[0], text, sizeof text), 7);
        close(ends[0]);
        close(ends[1]);
    }
}

static void a_killed_process_leaves_the_old_file(void **state)
{
    static char much[OUTPUT_BUFFER * 2];
    pid_t child;
    int how;

    (void)state;
    store(in_folder("a"), "old");
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct output *output;

        if (output_open(in_folder("a"), &output) == STATUS_OK)
            output_write(output, much, sizeof much);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    expect_file(in_folder("a"), "old");
    assert_in_range(entries(false), 1, 2); /* the temporary file may be there */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(commit_puts_the_file_in_place, reset),
        cmocka_unit_test_teardown(commit_replaces_and_abandon_does_not, reset),
        cmocka_unit_test_teardown(permissions_follow_the_umask_or_the_old_file, reset),
        cmocka_unit_test_teardown(links_are_written_through, reset),
        cmocka_unit_test_teardown(parent_folders_are_created, reset),
        cmocka_unit_test_teardown(targets_that_cannot_be_files_are_refused, reset),
        cmocka_unit_test_teardown(long_names_still_work, reset),
        cmocka_unit_test_teardown(a_full_device_is_a_failure, reset),
        cmocka_unit_test_teardown(a_failure_sticks, reset),
        cmocka_unit_test_teardown(every_failed_write_leaves_nothing_behind, reset),
        cmocka_unit_test_teardown(no_memory_leaves_nothing_behind, reset),
        cmocka_unit_test_teardown(compressed_outputs_read_back, reset),
        cmocka_unit_test_teardown(random_pieces_arrive_in_order, reset),
        cmocka_unit_test_teardown(formatted_text_of_any_length, reset),
        cmocka_unit_test_teardown(memory_outputs_collect_everything, reset),
        cmocka_unit_test_teardown(a_full_memory_output_is_terminated, reset),
        cmocka_unit_test_teardown(a_memory_output_without_memory_fails, reset),
        cmocka_unit_test_teardown(standard_output_is_a_dash, reset),
        cmocka_unit_test_teardown(a_pipe_by_name_is_written_directly, reset),
        cmocka_unit_test_teardown(an_open_pipe_by_its_number_is_written_directly, reset),
        cmocka_unit_test_teardown(a_killed_process_leaves_the_old_file, reset),
    };

    return cmocka_run_group_tests(tests, prepare, clean_up);
}
