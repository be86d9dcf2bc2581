/* private.c: a temporary folder and who sweeps it. */
#include "serve/private.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"

extern char **environ;

/* In a session of its own, so that Ctrl-C is not for it; `input` is its standard input, -1: none. */
static int spawn(const char *const *arguments, int input, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);

    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    if (!error)
        error = input < 0 ? posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
                          : posix_spawn_file_actions_adddup2(&actions, input, 0);
    for (int stream = 1; stream <= 2 && !error; stream++)
        error = posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    if (!error)
        error = posix_spawnp(pid, arguments[0], &actions, &attributes, (char *const *)(uintptr_t)arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

status private_spawn(const char *const *arguments)
{
    pid_t pid;
    int error = spawn(arguments, -1, &pid);

    return error ? status_fail(STATUS_INPUT, "%s cannot be started: %s", arguments[0], strerror(error)) : STATUS_OK;
}

/* It reads until the other end is closed, which a process that ends does in any case. */
static status start_sweeper(struct private_folder *folder)
{
    const char *const arguments[] = {
        "/bin/sh", "-c", "trap '' INT TERM HUP; cat >/dev/null; rm -rf -- \"$1\"", "sh", folder->path.text, NULL
    };
    int ends[2], error;

    if (pipe2(ends, O_CLOEXEC))
        return status_fail(STATUS_OUTPUT, "no pipe can be made: %s", strerror(errno));
    error = spawn(arguments, ends[0], &folder->sweeper);
    close(ends[0]);
    folder->alive = ends[1];
    if (!error)
        return STATUS_OK;
    folder->sweeper = 0;
    rmdir(folder->path.text);
    return status_fail(STATUS_OUTPUT, "%s cannot be started: %s", arguments[0], strerror(error));
}

status private_open(struct private_folder *folder)
{
    const char *given = getenv("TMPDIR");
    struct path above = { 0 };
    status code;

    *folder = (struct private_folder){ .alive = -1 };
    code = path_resolve(&above, given && *given ? given : "/tmp");
    if (code == STATUS_OK)
        code = path_set(&folder->path, "%s/tacho-serve-XXXXXX", above.text);
    if (code == STATUS_OK && !mkdtemp(folder->path.text))
        code = status_fail(STATUS_OUTPUT, "%s: no folder can be made there: %s; TMPDIR names another", above.text,
                           strerror(errno));
    path_free(&above);
    return code == STATUS_OK ? start_sweeper(folder) : code;
}

void private_close(struct private_folder *folder)
{
    if (folder->alive >= 0)
        close(folder->alive);
    while (folder->sweeper && waitpid(folder->sweeper, NULL, 0) < 0 && errno == EINTR)
        continue;
    path_free(&folder->path);
    *folder = (struct private_folder){ .alive = -1 };
}
