/* test_process.c: running programs: how they end, what they print, limits on time and bytes, and what becomes of their children. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/process.h"
#include "wait.h"

struct ran {
    struct process_result result;
    char text[4096];
    size_t length;
};

static struct ran run_words(const char *const *words, uint64_t limit, uint64_t timeout_ms,
                            const char *const *environment)
{
    struct ran ran = { 0 };
    struct output *output;
    struct process_request request = {
        .arguments = words, .limit = limit, .timeout_ms = timeout_ms, .environment = environment
    };
    const char *text;
    size_t length;

    assert_int_equal(output_open_memory(&output), STATUS_OK);
    request.output = output;
    assert_int_equal(process_run(&request, &ran.result), STATUS_OK);
    text = output_memory(output, &length);
    assert_non_null(text);
    ran.length = length < sizeof ran.text ? length : sizeof ran.text - 1;
    memcpy(ran.text, text, ran.length);
    output_abandon(output);
    return ran;
}

static struct ran run_script(const char *script, uint64_t limit, uint64_t timeout_ms)
{
    const char *const words[] = { "/bin/sh", "-c", script, NULL };

    return run_words(words, limit, timeout_ms, NULL);
}

static void describes(const struct process_result *result, const char *expected)
{
    char text[PROCESS_TEXT];

    process_describe(result, 1500, text);
    assert_string_equal(text, expected);
}

static void test_exit_status(void **state)
{
    struct ran good = run_script("exit 0", 0, 0);
    struct ran bad = run_script("exit 3", 0, 0);

    (void)state;
    assert_true(process_succeeded(&good.result));
    assert_int_equal(good.result.exit_status, 0);
    assert_false(process_succeeded(&bad.result));
    assert_int_equal(bad.result.exit_status, 3);
    describes(&bad.result, "exit status 3");
}

static void test_signal(void **state)
{
    struct ran ran = run_script("echo before; kill -SEGV $$", 0, 0);

    (void)state;
    assert_false(process_succeeded(&ran.result));
    assert_int_equal(ran.result.signal, SIGSEGV);
    assert_int_equal(ran.result.exit_status, -1);
    assert_string_equal(ran.text, "before\n");
    describes(&ran.result, "ended by signal 11 (Segmentation fault)");
}

static void test_missing_program(void **state)
{
    const char *const words[] = { "/nonexistent/runner", NULL };
    const char *const nowhere[] = { "a-program-that-nobody-has", NULL };
    struct ran ran = run_words(words, 0, 0, NULL);

    (void)state;
    assert_int_equal(ran.result.start_error, ENOENT);
    assert_false(process_succeeded(&ran.result));
    describes(&ran.result, "could not be started: No such file or directory");
    ran = run_words(nowhere, 0, 0, NULL);
    assert_int_equal(ran.result.start_error, ENOENT);
}

static void test_both_streams_in_order(void **state)
{
    struct ran ran = run_script("echo one; echo two >&2; echo three", 0, 0);

    (void)state;
    assert_string_equal(ran.text, "one\ntwo\nthree\n");
    assert_int_equal(ran.result.written, 14);
    assert_int_equal(ran.result.dropped, 0);
}

static void test_standard_input_is_empty(void **state)
{
    struct ran ran = run_script("cat; echo end", 0, 5000);

    (void)state;
    assert_true(process_succeeded(&ran.result));
    assert_string_equal(ran.text, "end\n");
}

struct streams {
    char out[256], error[256];
};

static void receive(void *context, bool error, const char *data, size_t size)
{
    struct streams *streams = context;
    char *to = error ? streams->error : streams->out;

    assert_true(strlen(to) + size < sizeof streams->out);
    strncat(to, data, size);
}

static void test_streams_for_themselves(void **state)
{
    const char *const words[] = { "/bin/sh", "-c", "echo one; echo two >&2; echo three; exec >&-; echo four >&2",
                                  NULL };
    struct streams streams = { 0 };
    struct process_request request = { .arguments = words, .receive = receive, .context = &streams };
    struct process_result result;

    (void)state;
    assert_int_equal(process_run(&request, &result), STATUS_OK);
    assert_true(process_succeeded(&result));
    assert_string_equal(streams.out, "one\nthree\n");
    assert_string_equal(streams.error, "two\nfour\n");
    assert_int_equal(result.written, 19);
}

static void test_an_input_of_the_caller(void **state)
{
    const char *const words[] = { "/bin/cat", NULL };
    struct streams streams = { 0 };
    struct process_request request = { .arguments = words, .receive = receive, .context = &streams };
    struct process_result result;
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "given\n", 6), 6);
    close(ends[1]);
    request.input = ends[0];
    assert_int_equal(process_run(&request, &result), STATUS_OK);
    close(ends[0]);
    assert_string_equal(streams.out, "given\n");
}

/* The end is seen when it comes, not at the next tick: the shortest of some runs of nothing takes less than one. */
static void test_the_end_is_seen_at_once(void **state)
{
    const char *const words[] = { "/bin/true", NULL };
    struct process_request request = { .arguments = words };
    uint64_t shortest = UINT64_MAX;

    (void)state;
    for (int i = 0; i < 20; i++) {
        struct process_result result;

        assert_int_equal(process_run(&request, &result), STATUS_OK);
        shortest = result.wall_ns < shortest ? result.wall_ns : shortest;
    }
    assert_true(shortest < 8000000);
}

static void test_arguments_see_no_shell(void **state)
{
    const char *const words[] = { "printf", "%s|", "a b", "$HOME", "*", "'", NULL };
    struct ran ran = run_words(words, 0, 0, NULL);

    (void)state;
    assert_string_equal(ran.text, "a b|$HOME|*|'|");
}

static void test_environment(void **state)
{
    const char *const words[] = { "/bin/sh", "-c", "echo $TACHO_ONE $TACHO_TWO", NULL };
    const char *const more[] = { "TACHO_ONE=new", "TACHO_TWO=2", NULL };
    struct ran ran;

    (void)state;
    setenv("TACHO_ONE", "old", 1);
    ran = run_words(words, 0, 0, more);
    assert_string_equal(ran.text, "new 2\n");
    ran = run_words(words, 0, 0, NULL);
    assert_string_equal(ran.text, "old\n");
    unsetenv("TACHO_ONE");
}

static void test_limit_counts_what_it_drops(void **state)
{
    struct ran ran = run_script("printf 0123456789; printf abcdef", 12, 0);

    (void)state;
    assert_string_equal(ran.text, "0123456789ab");
    assert_int_equal(ran.result.written, 16);
    assert_int_equal(ran.result.dropped, 4);
    assert_true(process_succeeded(&ran.result));
}

static void test_much_output(void **state)
{
    struct ran ran = run_script("head -c 3000000 /dev/zero", 1000, 0);

    (void)state;
    assert_int_equal(ran.result.written, 3000000);
    assert_int_equal(ran.result.dropped, 2999000);
    assert_int_equal(ran.length, 1000);
}

static void test_output_may_be_absent(void **state)
{
    const char *const words[] = { "echo", "hello", NULL };
    struct process_request request = { .arguments = words };
    struct process_result result;

    (void)state;
    assert_int_equal(process_run(&request, &result), STATUS_OK);
    assert_true(process_succeeded(&result));
    assert_int_equal(result.written, 6);
}

static bool is_alive(pid_t process)
{
    char path[64], line[256] = { 0 };
    const char *parenthesis;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    file = fopen(path, "r");
    if (!file)
        return false;
    if (!fgets(line, sizeof line, file))
        line[0] = '\0';
    fclose(file);
    parenthesis = strrchr(line, ')');
    return parenthesis && parenthesis[1] && parenthesis[2] != 'Z' &&
           parenthesis[2] != 'X'; /* a zombie waits for its new parent */
}

static bool dies(pid_t process)
{
    for (int i = 0; i < WAIT_MS / 10; i++) {
        if (!is_alive(process))
            return true;
        usleep(10000);
    }
    return false;
}

/* What a script said that its limit ended: the limit is longer until it came to saying something. */
static struct ran run_until_killed(const char *script)
{
    struct ran ran;
    uint64_t timeout_ms = 300;

    do {
        ran = run_script(script, 0, timeout_ms);
        timeout_ms *= 2;
    } while (!*ran.text && timeout_ms < WAIT_MS);
    assert_true(ran.result.wall_ns >= timeout_ms / 2 * 1000000);
    return ran;
}

static void test_timeout_kills_the_group(void **state)
{
    struct ran ran = run_until_killed("sleep 3600 & echo $!; wait");
    pid_t child = (pid_t)strtol(ran.text, NULL, 10);

    (void)state;
    assert_true(ran.result.timed_out);
    assert_false(process_succeeded(&ran.result));
    assert_int_equal(ran.result.exit_status, -1);
    assert_int_equal(ran.result.signal, 0);
    assert_true(child > 1);
    assert_true(dies(child));
    describes(&ran.result, "no end after 1.5 s, killed");
}

static void test_a_child_that_stays_does_not_hold_us(void **state)
{
    struct ran ran = run_script("sleep 3600 & echo $!; exit 4", 0, WAIT_MS);
    pid_t child = (pid_t)strtol(ran.text, NULL, 10);

    (void)state;
    assert_false(ran.result.timed_out);
    assert_int_equal(ran.result.exit_status, 4);
    assert_true(dies(child));
}

static void test_a_program_that_closes_its_streams(void **state)
{
    struct ran ran = run_script("echo x; exec >&- 2>&-; sleep 0.2; exit 5", 0, WAIT_MS);
    struct ran late = run_script("exec >&- 2>&-; sleep 3600", 0, 300);

    (void)state;
    assert_int_equal(ran.result.exit_status, 5);
    assert_string_equal(ran.text, "x\n");
    assert_true(late.result.timed_out);
}

static void test_ignored_signals_are_not_inherited(void **state)
{
    struct ran ran;

    (void)state;
    signal(SIGPIPE, SIG_IGN);
    ran = run_script("kill -PIPE $$; echo still here", 0, 0);
    signal(SIGPIPE, SIG_DFL);
    assert_int_equal(ran.result.signal, SIGPIPE);
    assert_string_equal(ran.text, "");
}

static void do_nothing(int number)
{
    (void)number;
}

/* As under nohup. A signal with a handler, as in the tool, ends the program as ever. */
static void test_ignored_ends_stay_ignored(void **state)
{
    struct ran ran;

    (void)state;
    signal(SIGHUP, SIG_IGN);
    ran = run_script("kill -HUP $$; echo still here", 0, 0);
    signal(SIGHUP, do_nothing);
    assert_string_equal(ran.text, "still here\n");
    ran = run_script("kill -HUP $$; echo still here", 0, 0);
    signal(SIGHUP, SIG_DFL);
    assert_int_equal(ran.result.signal, SIGHUP);
}

/* In a process of its own: the handler ends it. */
static void on_end(int number)
{
    (void)number;
    process_interrupt();
    _exit(42);
}

/* A line with a number, once somebody has written it. */
static pid_t wait_for_number(const char *path)
{
    char line[32];

    for (int i = 0; i < WAIT_MS / 10; i++) {
        FILE *file = fopen(path, "r");
        bool whole = file && fgets(line, sizeof line, file) && strchr(line, '\n');

        if (file)
            fclose(file);
        if (whole)
            return (pid_t)strtol(line, NULL, 10);
        usleep(10000);
    }
    return 0;
}

static void test_interrupt_kills_and_removes(void **state)
{
    char name[] = "/tmp/tacho-process-XXXXXX";
    char pid_file[64];
    int file = mkstemp(name), wait_status;
    pid_t process, child;

    (void)state;
    assert_true(file >= 0);
    close(file);
    snprintf(pid_file, sizeof pid_file, "%s.pid", name);
    process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        const char *const words[] = { "/bin/sh", "-c", "echo $$ > \"$0\"; exec sleep 3600", pid_file, NULL };
        struct process_request request = { .arguments = words };
        struct process_result result;

        signal(SIGTERM, on_end);
        process_guard(name);
        _exit(process_run(&request, &result) == STATUS_OK ? 0 : 1);
    }
    child = wait_for_number(pid_file);
    kill(process, SIGTERM);
    assert_int_equal(waitpid(process, &wait_status, 0), process);
    assert_true(WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 42);
    assert_int_equal(access(name, F_OK), -1);
    unlink(pid_file);
    assert_true(child > 1 && dies(child));
}

/* Two threads, each with programs of its own: none is taken for another's. */
static void *run_many(void *argument)
{
    int *wrong = argument;

    for (int i = 0; i < 20; i++) {
        char script[32];
        const char *const words[] = { "/bin/sh", "-c", script, NULL };
        struct process_request request = { .arguments = words };
        struct process_result result;

        snprintf(script, sizeof script, "exit %d", i);
        *wrong += process_run(&request, &result) != STATUS_OK || result.exit_status != i;
    }
    return NULL;
}

static void test_several_at_once(void **state)
{
    int wrong[2] = { 0, 0 };
    pthread_t other;

    (void)state;
    assert_int_equal(pthread_create(&other, NULL, run_many, &wrong[1]), 0);
    run_many(&wrong[0]);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_int_equal(wrong[0], 0);
    assert_int_equal(wrong[1], 0);
}

static void test_memory_failures(void **state)
{
    const char *const words[] = { "true", NULL };
    struct process_request request = { .arguments = words };
    struct process_result result;

    (void)state;
    for (uint64_t nth = 1; nth <= 2; nth++) {
        memory_fail_at(nth);
        assert_int_equal(process_run(&request, &result), STATUS_MEMORY);
        memory_fail_at(0);
    }
    assert_int_equal(process_run(&request, &result), STATUS_OK);
    assert_true(process_succeeded(&result));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit_status),
        cmocka_unit_test(test_signal),
        cmocka_unit_test(test_missing_program),
        cmocka_unit_test(test_both_streams_in_order),
        cmocka_unit_test(test_standard_input_is_empty),
        cmocka_unit_test(test_streams_for_themselves),
        cmocka_unit_test(test_an_input_of_the_caller),
        cmocka_unit_test(test_the_end_is_seen_at_once),
        cmocka_unit_test(test_arguments_see_no_shell),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_limit_counts_what_it_drops),
        cmocka_unit_test(test_much_output),
        cmocka_unit_test(test_output_may_be_absent),
        cmocka_unit_test(test_timeout_kills_the_group),
        cmocka_unit_test(test_a_child_that_stays_does_not_hold_us),
        cmocka_unit_test(test_a_program_that_closes_its_streams),
        cmocka_unit_test(test_ignored_signals_are_not_inherited),
        cmocka_unit_test(test_ignored_ends_stay_ignored),
        cmocka_unit_test(test_interrupt_kills_and_removes),
        cmocka_unit_test(test_several_at_once),
        cmocka_unit_test(test_memory_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
