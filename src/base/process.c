/* process.c: another program from its start to its end, and what a signal handler must know of it. */
#include "base/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

enum {
    READ_AT_ONCE = 64 * 1024,
    TICK_MS = 10,   /* how often a program is looked at that closed its streams, where the kernel cannot tell its end */
    DRAIN_MS = 200, /* how long those children may keep the pipe after the program itself has ended */
};

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP };
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

/* For the signal handler. 0 and NULL are free slots, -1 is one whose program is about to start. */
static _Atomic pid_t running[PROCESS_MOST];
static const char *_Atomic guarded[PROCESS_MOST];

extern char **environ;

void process_guard(const char *path)
{
    assert(path);
    for (unsigned i = 0; i < PROCESS_MOST; i++) {
        const char *none = NULL;

        if (atomic_compare_exchange_strong(&guarded[i], &none, path))
            return;
    }
}

void process_release(const char *path)
{
    for (unsigned i = 0; i < PROCESS_MOST; i++) {
        const char *expected = path;

        if (atomic_compare_exchange_strong(&guarded[i], &expected, NULL))
            return;
    }
}

void process_interrupt(void)
{
    for (unsigned i = 0; i < PROCESS_MOST; i++) {
        pid_t process = running[i];

        if (process > 0) {
            kill(-process, SIGKILL);
            waitpid(process, NULL, 0); /* a file of its must not come back after it was removed */
        }
    }
    for (unsigned i = 0; i < PROCESS_MOST; i++) {
        const char *path = guarded[i];

        if (path)
            unlink(path);
    }
}

/* NULL: all are taken. */
static _Atomic pid_t *claim_slot(void)
{
    for (unsigned i = 0; i < PROCESS_MOST; i++) {
        pid_t none = 0;

        if (atomic_compare_exchange_strong(&running[i], &none, -1))
            return &running[i];
    }
    return NULL;
}

static uint64_t now_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* ---- Pipes ---- */

enum { STREAMS = 2 };

/* From the program to us. */
struct pipes {
    unsigned count;       /* one for both streams, or one for each */
    int ends[STREAMS][2]; /* where we read, where it writes; -1: closed */
};

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

static void close_ends(struct pipes *pipes, unsigned side)
{
    for (unsigned i = 0; i < STREAMS; i++)
        close_end(&pipes->ends[i][side]);
}

/* False: errno tells why. */
static bool open_pipes(struct pipes *pipes, unsigned count)
{
    *pipes = (struct pipes){ .count = count, .ends = { { -1, -1 }, { -1, -1 } } };
    for (unsigned i = 0; i < count; i++) {
        if (pipe2(pipes->ends[i], O_CLOEXEC) < 0) {
            int error = errno;

            close_ends(pipes, 0);
            close_ends(pipes, 1);
            errno = error;
            return false;
        }
    }
    return true;
}

static bool any_open(const struct pipes *pipes)
{
    return pipes->ends[0][0] >= 0 || pipes->ends[1][0] >= 0;
}

/* ---- Start ---- */

static bool same_variable(const char *one, const char *other)
{
    size_t name = strcspn(one, "=");

    return strncmp(one, other, name) == 0 && other[name] == '=';
}

static bool is_replaced(const char *variable, const char *const *additions)
{
    for (; additions && *additions; additions++)
        if (same_variable(*additions, variable))
            return true;
    return false;
}

char **process_environment(const char *const *additions)
{
    size_t count = 0, used = 0;
    char **made;

    while (environ[count])
        count++;
    for (const char *const *one = additions; one && *one; one++)
        count++;
    made = memory_allocate((count + 1) * sizeof *made);
    if (!made)
        return NULL;
    for (char **one = environ; *one; one++)
        if (!is_replaced(*one, additions))
            made[used++] = *one;
    for (const char *const *one = additions; one && *one; one++)
        if (strchr(*one, '='))
            made[used++] = (char *)(uintptr_t)*one; /* posix_spawn only reads it */
    made[used] = NULL;
    return made;
}

/* Its own group, so that its children can be killed with it; no signal ignored or blocked that this process ignores or blocks, but
 * for those by which a person ends a command: where they are ignored, whoever started us wants that. */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t all, none;
    int error;

    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    for (unsigned i = 0; i < ENDING_SIGNALS; i++)
        sigdelset(&all, ending_signals[i]);
    sigemptyset(&none);
    error =
        posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (!error)
        error = posix_spawnattr_setpgroup(attributes, 0);
    if (!error)
        error = posix_spawnattr_setsigdefault(attributes, &all);
    if (!error)
        error = posix_spawnattr_setsigmask(attributes, &none);
    return error;
}

static int set_files(posix_spawn_file_actions_t *files, int input, const struct pipes *pipes)
{
    int error = input ? posix_spawn_file_actions_adddup2(files, input, STDIN_FILENO)
                      : posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);

    if (!error)
        error = posix_spawn_file_actions_adddup2(files, pipes->ends[0][1], STDOUT_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(files, pipes->ends[pipes->count - 1][1], STDERR_FILENO);
    return error;
}

static int spawn(const struct process_request *request, char **environment, const struct pipes *pipes, pid_t *process)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    int error = posix_spawnattr_init(&attributes);

    if (error)
        return error;
    error = posix_spawn_file_actions_init(&files);
    if (error) {
        posix_spawnattr_destroy(&attributes);
        return error;
    }
    error = set_attributes(&attributes);
    if (!error)
        error = set_files(&files, request->input, pipes);
    if (!error)
        error = posix_spawnp(process, request->arguments[0], &files, &attributes,
                             (char *const *)(uintptr_t)request->arguments, environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/* An interruption must find the process once it exists, so this thread lets none through in between. */
static int spawn_known(const struct process_request *request, char **environment, const struct pipes *pipes,
                       _Atomic pid_t *slot, pid_t *process)
{
    sigset_t blocked, before;
    int error;

    sigemptyset(&blocked);
    for (unsigned i = 0; i < ENDING_SIGNALS; i++)
        sigaddset(&blocked, ending_signals[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    error = spawn(request, environment, pipes, process);
    *slot = error ? -1 : *process;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

/* ---- Watch ---- */

struct watch {
    const struct process_request *request; /* what was asked for */
    struct process_result *result;         /* what became of it */
    _Atomic pid_t *slot;                   /* where the signal handler finds it */
    pid_t process;                         /* leads its group */
    int end;                               /* file that can be read once it has ended; -1: there is none */
    struct pipes *pipes;                   /* what it prints */
    uint64_t start_ns;                     /* by the monotonic clock */
    uint64_t ended_ns;                     /* 0: it still runs */
    int wait_status;                       /* of waitpid, once it has ended */
};

static void keep(struct watch *watch, unsigned stream, const char *data, size_t size)
{
    const struct process_request *request = watch->request;
    uint64_t kept = watch->result->written - watch->result->dropped;
    size_t room = request->limit && request->limit - kept < size ? (size_t)(request->limit - kept) : size;

    watch->result->written += size;
    watch->result->dropped += size - room;
    if (room && request->receive)
        request->receive(request->context, stream > 0, data, room);
    else if (room && request->output)
        output_write(request->output, data, room);
}

static void take_bytes(struct watch *watch, unsigned stream, char *buffer)
{
    int *end = &watch->pipes->ends[stream][0];
    ssize_t got = read(*end, buffer, READ_AT_ONCE);

    if (got > 0)
        keep(watch, stream, buffer, (size_t)got);
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
        close_end(end);
}

/* Takes what is there, or comes while we wait; the end of the program ends the waiting. False: nothing came. */
static bool take_from_pipes(struct watch *watch, int wait_ms, char *buffer)
{
    struct pollfd waiting[STREAMS + 1];
    int ready;

    for (unsigned i = 0; i < STREAMS; i++) /* poll passes over those that are closed */
        waiting[i] = (struct pollfd){ .fd = watch->pipes->ends[i][0], .events = POLLIN };
    waiting[STREAMS] = (struct pollfd){ .fd = watch->ended_ns ? -1 : watch->end, .events = POLLIN };
    ready = poll(waiting, STREAMS + 1, wait_ms);
    if (ready < 0 && errno != EINTR && errno != EAGAIN)
        close_ends(watch->pipes, 0);
    for (unsigned i = 0; ready > 0 && i < STREAMS; i++)
        if (waiting[i].fd >= 0 && waiting[i].revents)
            take_bytes(watch, i, buffer);
    return ready > 0;
}

static void look_for_end(struct watch *watch)
{
    pid_t ended = waitpid(watch->process, &watch->wait_status, WNOHANG);

    if (ended == watch->process || (ended < 0 && errno == ECHILD)) {
        *watch->slot = -1;
        watch->ended_ns = now_ns();
    }
}

/* How long the next poll may sleep. */
static int patience_ms(const struct watch *watch, uint64_t now)
{
    uint64_t timeout_ns = watch->request->timeout_ms * 1000000u;
    uint64_t spent = now - watch->start_ns;

    if (!any_open(watch->pipes) || watch->ended_ns)
        return TICK_MS;
    /* The pipe closes when the program ends; the tick is for one that ends while a child of its holds the pipe. */
    if (timeout_ns && timeout_ns > spent && timeout_ns - spent < 100u * 1000000u)
        return (int)((timeout_ns - spent) / 1000000u) + 1;
    return 100;
}

/* Until the program has ended and what it printed is here, or its time is over. */
static void watch_until_end(struct watch *watch, char *buffer)
{
    for (;;) {
        uint64_t now = now_ns();

        if (!watch->ended_ns)
            look_for_end(watch);
        if (watch->ended_ns && (!any_open(watch->pipes) || now > watch->ended_ns + DRAIN_MS * 1000000u))
            return;
        if (!watch->ended_ns && watch->request->timeout_ms &&
            now - watch->start_ns >= watch->request->timeout_ms * 1000000u) {
            watch->result->timed_out = true;
            return;
        }
        take_from_pipes(watch, patience_ms(watch, now), buffer);
    }
}

/* What is left of the group goes; what is still in the pipe is taken, without waiting for more. */
static void end_group(struct watch *watch, char *buffer)
{
    kill(-watch->process, SIGKILL);
    if (!watch->ended_ns) {
        while (waitpid(watch->process, &watch->wait_status, 0) < 0 && errno == EINTR)
            continue;
        *watch->slot = -1;
        watch->ended_ns = now_ns();
    }
    while (any_open(watch->pipes) && take_from_pipes(watch, 0, buffer))
        continue;
    close_ends(watch->pipes, 0);
}

static void fill_result(struct watch *watch)
{
    struct process_result *result = watch->result;

    result->wall_ns = watch->ended_ns - watch->start_ns;
    result->exit_status = WIFEXITED(watch->wait_status) && !result->timed_out ? WEXITSTATUS(watch->wait_status) : -1;
    result->signal = WIFSIGNALED(watch->wait_status) && !result->timed_out ? WTERMSIG(watch->wait_status) : 0;
}

static status run_with_pipes(const struct process_request *request, struct process_result *result, struct pipes *pipes,
                             _Atomic pid_t *slot, char *buffer)
{
    struct watch watch = { .request = request, .result = result, .slot = slot, .pipes = pipes, .end = -1 };
    char **environment = process_environment(request->environment);

    if (!environment) {
        close_ends(pipes, 0);
        close_ends(pipes, 1);
        return status_no_memory("starting a program");
    }
    watch.start_ns = now_ns();
    result->start_error = spawn_known(request, environment, pipes, slot, &watch.process);
    close_ends(pipes, 1);
    memory_free(environment);
    if (result->start_error) {
        close_ends(pipes, 0);
        return STATUS_OK;
    }
    watch.end = (int)syscall(SYS_pidfd_open, watch.process, 0);
    watch_until_end(&watch, buffer);
    end_group(&watch, buffer);
    fill_result(&watch);
    close_end(&watch.end);
    return STATUS_OK;
}

status process_run(const struct process_request *request, struct process_result *result)
{
    struct pipes pipes;
    char *buffer = memory_allocate(READ_AT_ONCE);
    _Atomic pid_t *slot;
    status code;

    assert(request->arguments && request->arguments[0] && !(request->receive && request->output));
    *result = (struct process_result){ .exit_status = -1 };
    if (!buffer)
        return status_no_memory("running a program");
    slot = claim_slot();
    if (!slot)
        code = status_fail(STATUS_INPUT, "%s could not be started: %d others run", request->arguments[0], PROCESS_MOST);
    else if (!open_pipes(&pipes, request->receive ? STREAMS : 1))
        code =
            status_fail(STATUS_INPUT, "%s could not be started: no pipe: %s", request->arguments[0], strerror(errno));
    else
        code = run_with_pipes(request, result, &pipes, slot, buffer);
    if (slot)
        *slot = 0;
    memory_free(buffer);
    return code;
}

void process_describe(const struct process_result *result, uint64_t timeout_ms, char to[PROCESS_TEXT])
{
    if (result->start_error)
        snprintf(to, PROCESS_TEXT, "could not be started: %s", strerror(result->start_error));
    else if (result->timed_out)
        snprintf(to, PROCESS_TEXT, "no end after %g s, killed", (double)timeout_ms / 1000);
    else if (result->signal)
        snprintf(to, PROCESS_TEXT, "ended by signal %d (%s)", result->signal, strsignal(result->signal));
    else
        snprintf(to, PROCESS_TEXT, "exit status %d", result->exit_status);
}
