/* test_remote.c: words for ssh and for the shell behind it, what its answers mean, and files through it; a script stands in for ssh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/path.h"
#include "job/remote.h"

/* ---- Words ---- */

static void splits(const char *line, size_t count, const char *const *expected)
{
    struct arena arena = ARENA_EMPTY;
    const char **words;
    size_t found;

    assert_int_equal(remote_split(line, &arena, &words, &found), STATUS_OK);
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(words[i], expected[i]);
    assert_null(words[found]);
    memory_free(words);
    arena_free(&arena);
}

static void test_split(void **state)
{
    const char *const plain[] = { "ssh", "-p", "22" }, *const quotes[] = { "a b", "c'd", "e\"f", "", "g h" };
    const char *const slashes[] = { "a b", "\\n", "\\x", "\"", "end\\" }, *const joined[] = { "a bcd e" };
    struct arena arena = ARENA_EMPTY;
    const char **words;
    size_t count;

    (void)state;
    splits("  ssh\t-p 22\n", 3, plain);
    splits("'a b' \"c'd\" 'e\"f' '' g\\ h", 5, quotes);
    splits("a\\ b '\\n' \"\\x\" \"\\\"\" end\\", 5, slashes);
    splits("'a b'c\"d e\"", 1, joined);
    splits("", 0, NULL);
    splits(" \t", 0, NULL);
    assert_int_equal(remote_split("ssh 'x", &arena, &words, &count), STATUS_USAGE);
    memory_free(words);
    assert_int_equal(remote_split("\"", &arena, &words, &count), STATUS_USAGE);
    memory_free(words);
    arena_free(&arena);
}

/* Whatever bytes: what the shell gives back is what was quoted. */
static void test_quote(void **state)
{
    char word[64], command[512];

    (void)state;
    srand(7);
    for (int round = 0; round < 200; round++) {
        struct output *script, *heard;
        struct process_result result;
        const char *words[] = { "/bin/sh", "-c", command, NULL };
        size_t length = (size_t)rand() % (sizeof word - 1);
        struct process_request request = { .arguments = words };

        for (size_t i = 0; i < length; i++)
            word[i] = (char)(round % 2 ? 1 + rand() % 255 : "'\"\\$` \n*~!#"[rand() % 11]);
        word[length] = '\0';
        assert_int_equal(output_open_memory(&script), STATUS_OK);
        assert_int_equal(output_open_memory(&heard), STATUS_OK);
        output_format(script, "printf %%s ");
        remote_quote(script, word);
        text_copy(command, sizeof command, text_of(output_memory(script, &length)));
        request.output = heard;
        assert_int_equal(process_run(&request, &result), STATUS_OK);
        assert_string_equal(output_memory(heard, &length), word);
        output_abandon(heard);
        output_abandon(script);
    }
}

/* ---- Calls ---- */

struct stand_in {
    char folder[64], ssh[96], command[128], here[96], there[96];
};

static void write_text(const char *path, const char *text, mode_t mode)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(path, mode), 0);
}

/* A command that runs the script here, after it said something that no script printed. */
static int set_up(void **state)
{
    struct stand_in *place = calloc(1, sizeof *place);

    assert_non_null(place);
    strcpy(place->folder, "/tmp/tacho-remote-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->ssh, sizeof place->ssh, "%s/ssh", place->folder);
    snprintf(place->command, sizeof place->command, "'%s' -p 22", place->ssh);
    snprintf(place->here, sizeof place->here, "%s/here", place->folder);
    snprintf(place->there, sizeof place->there, "%s/there", place->folder);
    write_text(place->ssh, "#!/bin/sh\nfor last; do :; done\necho '@tacho-@Welcome'\nexec sh -c \"$last\"\n", 0755);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct stand_in *place = *state;
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", place->folder);
    assert_int_equal(system(command), 0);
    free(place);
    return 0;
}

static void test_ask(void **state)
{
    struct stand_in *place = *state;
    struct remote remote;
    struct remote_result result;
    char *answer;
    size_t length;

    assert_int_equal(remote_start(&remote, "me@board", place->command), STATUS_OK);
    assert_int_equal(
        remote_ask(&remote, "echo one; echo two >&2; printf 'a\\0b'; exit 3", 5000, &result, &answer, &length),
        STATUS_OK);
    assert_true(result.reached && !remote_is_lost(&result));
    assert_int_equal(result.process.exit_status, 3);
    assert_int_equal(length, 7);
    assert_memory_equal(answer, "one\na\0b", 8);
    assert_string_equal(result.complaint, "two");
    assert_int_equal(remote_fail(&remote, &result, 0, STATUS_OUTPUT, "it failed"), STATUS_OUTPUT);
    assert_string_equal(status_message(), "me@board: it failed: two");
    memory_free(answer);
    remote_free(&remote);
}

static void fails(const char *ssh, const char *script, const char *expected)
{
    struct remote remote;
    struct remote_result result;
    char *answer;
    size_t length;

    assert_int_equal(remote_start(&remote, "board", ssh), STATUS_OK);
    assert_int_equal(remote_ask(&remote, script, 5000, &result, &answer, &length), STATUS_OK);
    assert_int_equal(remote_fail(&remote, &result, 5000, STATUS_OUTPUT, "it failed"), STATUS_INPUT);
    if (!strstr(status_message(), expected))
        fail_msg("\"%s\" lacks \"%s\"", status_message(), expected);
    memory_free(answer);
    remote_free(&remote);
}

static void test_what_went_wrong(void **state)
{
    struct stand_in *place = *state;

    fails("/nonexistent/ssh", "true", "/nonexistent/ssh could not be started: No such file or directory. Install");
    fails(place->command, "echo gone >&2; exit 255", "board: the connection was lost: gone");
    fails(place->command, "exit 255", "board: the connection was lost");
    fails("sh -c 'echo nobody >&2; exit 255'", "true", "board could not be reached: nobody");
    fails("sh -c 'exit 255'", "true", "ssh does not say why");
    fails("sh -c 'echo \"Host key verification failed.\" >&2; exit 255'", "true", "its host key was refused");
    fails("sh -c 'echo \"me: Permission denied (publickey).\" >&2; exit 255'", "true", "the login was refused");
    fails("sh -c 'echo sh: not found >&2; exit 127'", "true",
          "no shell answered there: exit status 127: sh: not found");
}

static void test_hosts(void **state)
{
    struct remote remote;

    (void)state;
    assert_int_equal(remote_start(&remote, "", NULL), STATUS_USAGE);
    remote_free(&remote);
    assert_int_equal(remote_start(&remote, "-oProxyCommand=x", NULL), STATUS_USAGE);
    remote_free(&remote);
    assert_int_equal(remote_start(&remote, "board", " "), STATUS_USAGE);
    remote_free(&remote);
}

/* ---- Files ---- */

static status copy_both_ways(const struct stand_in *place, bool *arrived)
{
    struct remote remote;
    char hash[REMOTE_HASH], back[128];
    status code = remote_start(&remote, "board", place->command);

    *arrived = false;
    snprintf(back, sizeof back, "%s/back", place->folder);
    if (code == STATUS_OK)
        code = remote_hash(place->here, hash);
    if (code == STATUS_OK)
        code = remote_push(&remote, place->here, hash, place->folder, "there", true);
    if (code == STATUS_OK)
        code = remote_fetch(&remote, place->there, 6, back);
    if (code == STATUS_OK)
        *arrived = access(place->there, X_OK) == 0 && path_is_file(back);
    remote_free(&remote);
    return code;
}

static void test_files(void **state)
{
    struct stand_in *place = *state;
    struct remote remote;
    char hash[REMOTE_HASH];
    struct stat about;
    bool arrived;

    write_text(place->here, "bytes\n", 0644);
    assert_int_equal(copy_both_ways(place, &arrived), STATUS_OK);
    assert_true(arrived);
    /* A hash that is not the file's, and a size: nothing has the name then that was not there before. */
    assert_int_equal(remote_start(&remote, "board", place->command), STATUS_OK);
    assert_int_equal(remote_hash(place->here, hash), STATUS_OK);
    write_text(place->here, "other\n", 0644);
    assert_int_equal(remote_push(&remote, place->here, hash, place->folder, "new", false), STATUS_OUTPUT);
    assert_non_null(strstr(status_message(), "it changed on the way"));
    snprintf(place->here, sizeof place->here, "%s/new", place->folder);
    assert_int_equal(stat(place->here, &about), -1);
    assert_int_equal(remote_fetch(&remote, place->there, 5, place->here), STATUS_INPUT);
    assert_int_equal(remote_fetch(&remote, "/nonexistent", 5, place->here), STATUS_INPUT);
    assert_int_equal(stat(place->here, &about), -1);
    assert_int_equal(remote_push(&remote, "/nonexistent", hash, place->folder, "new", false), STATUS_INPUT);
    remote_free(&remote);
}

static void test_memory_failures(void **state)
{
    const struct stand_in *place = *state;
    bool arrived = false;

    write_text(place->here, "bytes\n", 0644);
    for (uint64_t nth = 1; !arrived && nth < 200; nth++) {
        status code;

        memory_fail_at(nth);
        code = copy_both_ways(place, &arrived);
        memory_fail_at(0);
        assert_true(arrived || code == STATUS_MEMORY);
    }
    assert_true(arrived);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_quote),
        cmocka_unit_test_setup_teardown(test_ask, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_went_wrong, set_up, tear_down),
        cmocka_unit_test(test_hosts),
        cmocka_unit_test_setup_teardown(test_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory_failures, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
