/* foreground.c: a program in front of the user, from its start to its end. */
#include "base/foreground.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int passed_on[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT };
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

static volatile sig_atomic_t running; /* process id of the program; 0: none */

/* A key of the terminal is sent by the kernel to the whole group, the program among it. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (running && info->si_code <= 0)
        kill((pid_t)running, number);
}

static uint64_t nanoseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t nanoseconds_of(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_usec * 1000;
}

/* In the child: signals as they were before us, the environment, the program. Tells `failed` where that does not work. */
static void become(const char *const *arguments, const char *const *environment, const struct sigaction *before,
                   int failed)
{
    int error;

    for (int i = 0; i < PASSED_ON; i++)
        sigaction(passed_on[i], &before[i], NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    for (size_t i = 0; environment && environment[i]; i++) {
        if (strchr(environment[i], '='))
            putenv((char *)(uintptr_t)environment[i]);
        else
            unsetenv(environment[i]);
    }
    execvp(arguments[0], (char *const *)(uintptr_t)arguments);
    error = errno;
    (void)!write(failed, &error, sizeof error);
    _exit(127);
}

static void wait_for(pid_t child, struct foreground_result *result)
{
    struct rusage used;
    int state = 0;

    while (wait4(child, &state, 0, &used) < 0 && errno == EINTR)
        continue;
    result->exit_status = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    result->signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    result->user_ns = nanoseconds_of(&used.ru_utime);
    result->system_ns = nanoseconds_of(&used.ru_stime);
    result->peak = (uint64_t)used.ru_maxrss * 1024;
}

status foreground_run(const char *const *arguments, const char *const *environment, struct foreground_result *result)
{
    struct sigaction before[PASSED_ON], passing = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART };
    int pipe_ends[2];
    uint64_t start;
    pid_t child;

    assert(arguments && arguments[0] && result);
    *result = (struct foreground_result){ 0 };
    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
        return status_fail(STATUS_INPUT, "a pipe cannot be made: %s", strerror(errno));
    for (int i = 0; i < PASSED_ON; i++)
        sigaction(passed_on[i], &passing, &before[i]);
    start = nanoseconds();
    child = fork();
    if (child == 0)
        become(arguments, environment, before, pipe_ends[1]);
    running = child > 0 ? child : 0;
    close(pipe_ends[1]);
    if (child > 0) {
        int error = 0;

        /* Ends when the program begins, or says why it does not. */
        while (read(pipe_ends[0], &error, sizeof error) < 0 && errno == EINTR)
            continue;
        wait_for(child, result);
        result->wall_ns = nanoseconds() - start;
        result->start_error = error;
        result->pid = (int)child;
    }
    running = 0;
    close(pipe_ends[0]);
    for (int i = 0; i < PASSED_ON; i++)
        sigaction(passed_on[i], &before[i], NULL);
    return child > 0 ? STATUS_OK : status_fail(STATUS_INPUT, "a process cannot be made: %s", strerror(errno));
}

int foreground_exit_code(const struct foreground_result *result)
{
    if (result->start_error)
        return result->start_error == ENOENT ? 127 : 126;
    return result->signal ? 128 + result->signal : result->exit_status;
}
