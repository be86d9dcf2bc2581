/* foreground.c: a program in front of the user, from its start to its end. */
#include "base/foreground.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "base/memory.h"
#include "base/process.h"

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

/* What we ignore for ourselves is not ignored by the program. A signal that comes before its number is known waits. 0, or errno. */
static int spawn(const char *const *arguments, char **environment)
{
    posix_spawnattr_t attributes;
    sigset_t ours, waiting, before;
    pid_t child = 0;
    int error = posix_spawnattr_init(&attributes);

    if (error)
        return error;
    sigemptyset(&ours);
    sigaddset(&ours, SIGPIPE);
    sigaddset(&ours, SIGXFSZ);
    sigemptyset(&waiting);
    for (int i = 0; i < PASSED_ON; i++)
        sigaddset(&waiting, passed_on[i]);
    pthread_sigmask(SIG_BLOCK, &waiting, &before);
    error = posix_spawnattr_setsigdefault(&attributes, &ours);
    if (!error)
        error = posix_spawnattr_setsigmask(&attributes, &before);
    if (!error)
        error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (!error)
        error = posix_spawnp(&child, arguments[0], NULL, &attributes, (char *const *)(uintptr_t)arguments, environment);
    running = error ? 0 : child;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/* What whoever started us ignores stays ignored, by us and by the program. */
static void start_passing(struct sigaction before[PASSED_ON])
{
    const struct sigaction passing = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART };

    for (int i = 0; i < PASSED_ON; i++) {
        sigaction(passed_on[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(passed_on[i], &passing, NULL);
    }
}

static void wait_for(pid_t child, struct foreground_result *result)
{
    struct rusage used = { 0 };
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
    const struct sigaction waited_for = { .sa_handler = SIG_DFL };
    struct sigaction before[PASSED_ON], before_children;
    char **variables = process_environment(environment);
    uint64_t start;

    assert(arguments && arguments[0] && result);
    *result = (struct foreground_result){ 0 };
    if (!variables)
        return status_no_memory("starting a program");
    start_passing(before);
    /* Of a program whose end nobody cares for, which whoever started us may have asked for, the system keeps nothing. */
    sigaction(SIGCHLD, &waited_for, &before_children);
    start = nanoseconds();
    result->start_error = spawn(arguments, variables);
    if (!result->start_error) {
        result->pid = running;
        wait_for((pid_t)running, result);
        result->wall_ns = nanoseconds() - start;
        running = 0;
    }
    for (int i = 0; i < PASSED_ON; i++)
        sigaction(passed_on[i], &before[i], NULL);
    sigaction(SIGCHLD, &before_children, NULL);
    memory_free(variables);
    return STATUS_OK;
}

int foreground_exit_code(const struct foreground_result *result)
{
    if (result->start_error)
        return result->start_error == ENOENT ? 127 : 126;
    return result->signal ? 128 + result->signal : result->exit_status;
}
