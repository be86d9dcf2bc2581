/* store.c: a process that keeps a history open. */
#include "serve/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "history/history_verb.h"

const char *const store_suffixes[STORE_FILES] = { "", "-wal", "-shm" };

/* What became of opening it. */
struct opened {
    status code;    /* STATUS_OK: it is open */
    char why[1024]; /* it is not */
};

/* Never comes back. What it has of the server's streams would never be seen to end. */
static void be_keeper(const char *path, int line)
{
    const struct history_settings settings = { .store = path };
    struct history history;
    struct opened opened = { .code = history_open(&settings, false, &history) };
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    char end;

    for (int file = 0; file < 3 && nothing >= 0; file++)
        dup2(nothing, file);
    if (opened.code != STATUS_OK)
        snprintf(opened.why, sizeof opened.why, "%s", status_message());
    if (send(line, &opened, sizeof opened, MSG_NOSIGNAL) == (ssize_t)sizeof opened && opened.code == STATUS_OK)
        while (recv(line, &end, 1, 0) < 0 && errno == EINTR)
            continue;
    history_close(&history);
    _exit(0);
}

static status hear(int line)
{
    struct opened opened;
    ssize_t got;

    while ((got = recv(line, &opened, sizeof opened, 0)) < 0 && errno == EINTR)
        continue;
    if (got != (ssize_t)sizeof opened)
        return status_fail(STATUS_INPUT, "the history cannot be kept open");
    return opened.code == STATUS_OK ? STATUS_OK : status_fail(opened.code, "%s", opened.why);
}

status store_keep(struct store_keeper *keeper, const char *path)
{
    int ends[2];

    *keeper = (struct store_keeper){ .line = -1 };
    if (strstr(path, "://"))
        return status_fail(STATUS_USAGE, "--history wants a file, not \"%s\": the server opens no connection", path);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return status_fail(STATUS_INPUT, "the history cannot be kept open: %s", strerror(errno));
    keeper->line = ends[0];
    keeper->process = fork();
    if (keeper->process == 0) {
        close(ends[0]);
        be_keeper(path, ends[1]);
    }
    close(ends[1]);
    if (keeper->process > 0)
        return hear(keeper->line);
    keeper->process = 0;
    return status_fail(STATUS_INPUT, "the history cannot be kept open: %s", strerror(errno));
}

void store_release(struct store_keeper *keeper)
{
    if (keeper->line >= 0)
        close(keeper->line);
    while (keeper->process && waitpid(keeper->process, NULL, 0) < 0 && errno == EINTR)
        continue;
    *keeper = (struct store_keeper){ .line = -1 };
}

/* What is written goes into the second file, and from there into the first. */
void store_version(const char *path, char to[STORE_VERSION])
{
    struct path real = { 0 }, file = { 0 };
    struct stat about;
    int length = 0;
    status code = path_resolve(&real, path);

    *to = '\0';
    for (unsigned i = 0; i < 2 && code == STATUS_OK; i++)
        if (path_set(&file, "%s%s", real.text, store_suffixes[i]) == STATUS_OK && stat(file.text, &about) == 0)
            length += snprintf(to + length, STORE_VERSION - (size_t)length, " %lld %lld.%09ld",
                               (long long)about.st_size, (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
    if (code != STATUS_OK)
        status_clear(); /* whoever reads it is told */
    path_free(&real);
    path_free(&file);
}
