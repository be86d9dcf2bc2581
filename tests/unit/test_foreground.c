/* test_foreground.c: programs in front of the user: how they end, what they cost, their environment, and signals that go to them. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/foreground.h"
#include "base/memory.h"
#include "place.h"
#include "wait.h"

static struct foreground_result run_with(const char *script, const char *const *environment)
{
    const char *const words[] = { "/bin/sh", "-c", script, NULL };
    struct foreground_result result;

    assert_int_equal(foreground_run(words, environment, &result), STATUS_OK);
    return result;
}

static struct foreground_result run_script(const char *script)
{
    const char *const none[] = { NULL };

    return run_with(script, none);
}

static void test_exit_status(void **state)
{
    struct foreground_result good = run_script("exit 0"), bad = run_script("exit 3");

    (void)state;
    assert_int_equal(good.start_error, 0);
    assert_int_equal(good.exit_status, 0);
    assert_int_equal(good.signal, 0);
    assert_true(good.pid > 0);
    assert_int_equal(foreground_exit_code(&good), 0);
    assert_int_equal(bad.exit_status, 3);
    assert_int_equal(foreground_exit_code(&bad), 3);
}

static void test_ended_by_a_signal(void **state)
{
    struct foreground_result result = run_script("kill -KILL $$");

    (void)state;
    assert_int_equal(result.signal, SIGKILL);
    assert_int_equal(result.exit_status, -1);
    assert_int_equal(foreground_exit_code(&result), 128 + SIGKILL);
}

static void test_what_cannot_be_started(void **state)
{
    const char *const missing[] = { "/no/such/program", NULL };
    const char *const no_program[] = { "/etc/passwd", NULL };
    const char *const none[] = { NULL };
    struct foreground_result result;

    (void)state;
    assert_int_equal(foreground_run(missing, none, &result), STATUS_OK);
    assert_int_equal(result.start_error, ENOENT);
    assert_int_equal(foreground_exit_code(&result), 127);
    assert_int_equal(foreground_run(no_program, none, &result), STATUS_OK);
    assert_int_equal(result.start_error, EACCES);
    assert_int_equal(foreground_exit_code(&result), 126);
}

static void test_the_path_is_searched(void **state)
{
    const char *const words[] = { "true", NULL };
    const char *const none[] = { NULL };
    struct foreground_result result;

    (void)state;
    assert_int_equal(foreground_run(words, none, &result), STATUS_OK);
    assert_int_equal(foreground_exit_code(&result), 0);
}

static void test_environment(void **state)
{
    const char *const changes[] = { "FOREGROUND_ADDED=one two", "FOREGROUND_CHANGED=new", "FOREGROUND_TAKEN", NULL };

    (void)state;
    setenv("FOREGROUND_CHANGED", "old", 1);
    setenv("FOREGROUND_TAKEN", "there", 1);
    setenv("FOREGROUND_KEPT", "kept", 1);
    assert_int_equal(run_with("[ \"$FOREGROUND_ADDED\" = 'one two' ] && [ \"$FOREGROUND_CHANGED\" = new ] && "
                              "[ -z \"${FOREGROUND_TAKEN+x}\" ] && [ \"$FOREGROUND_KEPT\" = kept ]",
                              changes)
                         .exit_status,
                     0);
    /* Ours is as it was. */
    assert_string_equal(getenv("FOREGROUND_CHANGED"), "old");
    assert_string_equal(getenv("FOREGROUND_TAKEN"), "there");
    assert_null(getenv("FOREGROUND_ADDED"));
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void test_times_are_measured(void **state)
{
    uint64_t before = now_ns(), taken;
    struct foreground_result slept = run_script("sleep 0.1"), worked;

    (void)state;
    taken = now_ns() - before;
    worked = run_script("i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done");
    assert_in_range(slept.wall_ns, 100000000, taken);
    assert_true(slept.user_ns + slept.system_ns < slept.wall_ns);
    assert_true(worked.user_ns + worked.system_ns > slept.user_ns + slept.system_ns);
    assert_true(worked.user_ns + worked.system_ns <= worked.wall_ns + 20000000);
    assert_in_range(slept.peak, 100 * 1024, (uint64_t)1 << 30);
}

/* Somebody else sends signals to us until the program says that it is there. */
static void *send_signals(void *number)
{
    const char *ready = file_at("ready");

    while (access(ready, F_OK) != 0)
        usleep(1000);
    kill(getpid(), *(const int *)number);
    return NULL;
}

static void check_passed_on(int number, const char *name)
{
    char script[1024];
    pthread_t sender;
    sigset_t all, before;
    struct foreground_result result;

    unlink(file_at("ready"));
    snprintf(script, sizeof script,
             "trap 'exit 7' %s; : >%s; i=0; while [ $i -lt %d ]; do sleep 0.01; i=$((i+1)); done; exit 1", name,
             file_at("ready"), WAIT_MS / 10);
    /* As in a program of one thread, signals come to the one that waits. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    assert_int_equal(pthread_create(&sender, NULL, send_signals, &number), 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    result = run_script(script);
    pthread_join(sender, NULL);
    assert_int_equal(result.exit_status, 7);
}

static void test_signals_are_passed_on(void **state)
{
    (void)state;
    check_passed_on(SIGTERM, "TERM");
    check_passed_on(SIGINT, "INT");
    check_passed_on(SIGHUP, "HUP");
    check_passed_on(SIGUSR1, "USR1");
}

static volatile sig_atomic_t caught; /* by our own handler */

static void catch (int number)
{
    caught = number;
}

static void test_handlers_are_as_before(void **state)
{
    const struct sigaction ours = { .sa_handler = catch };
    struct sigaction before, after;

    (void)state;
    sigaction(SIGTERM, &ours, &before);
    assert_int_equal(run_script("exit 0").exit_status, 0);
    sigaction(SIGTERM, NULL, &after);
    assert_true(after.sa_handler == catch);
    raise(SIGTERM);
    assert_int_equal(caught, SIGTERM);
    sigaction(SIGTERM, &before, NULL);
}

/* As under nohup. */
static void test_what_is_ignored_stays_ignored(void **state)
{
    const struct sigaction ignored = { .sa_handler = SIG_IGN };
    struct sigaction before;

    (void)state;
    sigaction(SIGHUP, &ignored, &before);
    assert_int_equal(run_script("kill -HUP $$; exit 4").exit_status, 4);
    sigaction(SIGHUP, &before, NULL);
}

/* What we ignore for ourselves, because a write tells us, ends others. */
static void test_a_closed_pipe_ends_the_program(void **state)
{
    const struct sigaction ignored = { .sa_handler = SIG_IGN };
    struct sigaction before;

    (void)state;
    sigaction(SIGPIPE, &ignored, &before);
    assert_int_equal(run_script("kill -PIPE $$; exit 4").signal, SIGPIPE);
    sigaction(SIGPIPE, &before, NULL);
}

/* Whoever ignores the ends of its children has no children to wait for. */
static void test_children_that_nobody_waits_for(void **state)
{
    const struct sigaction ignored = { .sa_handler = SIG_IGN };
    struct sigaction before, after;
    struct foreground_result result;

    (void)state;
    sigaction(SIGCHLD, &ignored, &before);
    result = run_script("exit 3");
    sigaction(SIGCHLD, &before, &after);
    assert_int_equal(result.exit_status, 3);
    assert_in_range(result.peak, 100 * 1024, (uint64_t)1 << 30);
    assert_true(after.sa_handler == SIG_IGN);
}

static void test_no_memory(void **state)
{
    const char *const words[] = { "/bin/true", NULL };
    const char *const more[] = { "A=b", NULL };
    struct foreground_result result;

    (void)state;
    memory_fail_at(1);
    assert_int_equal(foreground_run(words, more, &result), STATUS_MEMORY);
    memory_fail_at(0);
    status_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit_status),
        cmocka_unit_test(test_ended_by_a_signal),
        cmocka_unit_test(test_what_cannot_be_started),
        cmocka_unit_test(test_the_path_is_searched),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_times_are_measured),
        cmocka_unit_test(test_signals_are_passed_on),
        cmocka_unit_test(test_handlers_are_as_before),
        cmocka_unit_test(test_what_is_ignored_stays_ignored),
        cmocka_unit_test(test_a_closed_pipe_ends_the_program),
        cmocka_unit_test(test_children_that_nobody_waits_for),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, make_place, remove_place);
}
