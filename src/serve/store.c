/* store.c: a process that keeps a history open, or connects to the servers of one. */
#include "serve/store.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/curl.h"
#include "base/memory.h"
#include "base/path.h"
#include "history/clickhouse_http.h"
#include "history/history_verb.h"
#include "serve/live_caller.h"

const char *const store_suffixes[STORE_FILES] = { "", "-wal", "-shm" };

bool store_is_file(const char *name)
{
    return !clickhouse_is_url(name);
}

/* ---- A file ---------------------------------------------------------------------------------------------------------- */

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

static status keep_file(struct store_keeper *keeper, const char *path)
{
    int ends[2];

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

/* ---- Servers --------------------------------------------------------------------------------------------------------- */

/* Who connects to the servers. A job that is left to itself when the server ends may still ask: it is there as long as the process is. */
static struct {
    pthread_mutex_t lock;                             /* of `busy` */
    struct callers callers;                           /* the process */
    bool busy[CALLERS_MOST];                          /* lines on which somebody waits */
    atomic_bool stop;                                 /* nobody has to */
    char addresses[CLICKHOUSE_HOSTS][CALLER_ADDRESS]; /* HOST:PORT */
    const char *names[CLICKHOUSE_HOSTS];              /* the same */
} servers = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* CALLERS_MOST: all lines are taken. */
static unsigned take_line(void)
{
    unsigned line = 0;

    pthread_mutex_lock(&servers.lock);
    while (line < CALLERS_MOST && servers.busy[line])
        line++;
    if (line < CALLERS_MOST)
        servers.busy[line] = true;
    pthread_mutex_unlock(&servers.lock);
    return line;
}

static void give_line(unsigned line)
{
    pthread_mutex_lock(&servers.lock);
    servers.busy[line] = false;
    pthread_mutex_unlock(&servers.lock);
}

static int connect_to(void *context, size_t host, char *why, size_t size)
{
    struct called called = { .file = -1, .why = "too much is asked at once" };
    unsigned line = take_line();

    (void)context;
    if (line < CALLERS_MOST) {
        callers_open(&servers.callers, line, (unsigned)host, &servers.stop, &called);
        give_line(line);
    }
    snprintf(why, size, "%s", called.file < 0 && !*called.why ? "the server ends" : called.why);
    return called.file;
}

static status name_servers(const struct clickhouse_url *url)
{
    for (size_t i = 0; i < url->host_count; i++) {
        int length =
            snprintf(servers.addresses[i], CALLER_ADDRESS, "%s%s", url->hosts[i], url->ports[i] ? "" : ":8123");

        if (length >= CALLER_ADDRESS || !live_is_address(servers.addresses[i]))
            return status_fail(STATUS_USAGE, "--history: \"%.100s\" is no host of a ClickHouse", url->hosts[i]);
        servers.names[i] = servers.addresses[i];
    }
    return STATUS_OK;
}

static const struct clickhouse_connector connector = { .connect = connect_to, .stop = &servers.stop };

/* What libcurl opens, it opens now: later it may not. */
static status keep_servers(const char *name)
{
    struct clickhouse_url url;
    status code = clickhouse_url_parse(name, &url);

    if (code == STATUS_OK)
        code = name_servers(&url);
    if (code == STATUS_OK)
        code = curl_load();
    atomic_store(&servers.stop, false);
    if (code == STATUS_OK)
        code = callers_start(&servers.callers, servers.names, url.host_count, true);
    if (code == STATUS_OK)
        clickhouse_connect_by(&connector);
    clickhouse_url_free(&url);
    return code;
}

/* ---- Either ---------------------------------------------------------------------------------------------------------- */

status store_keep(struct store_keeper *keeper, const char *name)
{
    *keeper = (struct store_keeper){ .line = -1, .servers = !store_is_file(name) };
    if (!keeper->servers && strstr(name, "://"))
        return status_fail(STATUS_USAGE,
                           "--history wants a file or clickhouse://HOST:8123/DATABASE, not \"%.*s://...\"",
                           (int)(strstr(name, "://") - name), name);
    return keeper->servers ? keep_servers(name) : keep_file(keeper, name);
}

status store_try(const struct store_keeper *keeper, const char *name)
{
    static const struct clickhouse_connector quick = { .connect = connect_to, .stop = &servers.stop, .timeout_s = 3 };
    struct history history = { 0 };
    status code = STATUS_OK;

    if (!keeper->servers)
        return STATUS_OK;
    clickhouse_connect_by(&quick);
    code = history_open_store(name, false, &history);
    history_close(&history);
    clickhouse_connect_by(&connector);
    return code;
}

void store_stop(const struct store_keeper *keeper)
{
    if (keeper->servers)
        atomic_store(&servers.stop, true);
}

void store_release(struct store_keeper *keeper, bool asked)
{
    if (keeper->line >= 0)
        close(keeper->line);
    while (keeper->process && waitpid(keeper->process, NULL, 0) < 0 && errno == EINTR)
        continue;
    if (keeper->servers && !asked) {
        clickhouse_connect_by(NULL);
        callers_stop(&servers.callers);
    }
    *keeper = (struct store_keeper){ .line = -1 };
}

status store_shown(const char *name, char **shown)
{
    struct clickhouse_url url;
    status code = STATUS_OK;

    *shown = NULL;
    if (store_is_file(name)) {
        *shown = memory_copy_text(path_name(name));
        return *shown ? STATUS_OK : status_no_memory("starting");
    }
    code = clickhouse_url_parse(name, &url);
    if (code == STATUS_OK && !(*shown = memory_copy_text(url.shown)))
        code = status_no_memory("starting");
    clickhouse_url_free(&url);
    return code;
}

/* What is written goes into the second file, and from there into the first. */
static void version_of_file(const char *path, char to[STORE_VERSION])
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

/* Whether something was added to servers, only they can tell: they are asked again. */
void store_version(const char *name, char to[STORE_VERSION])
{
    static atomic_ullong asked;

    if (store_is_file(name))
        version_of_file(name, to);
    else
        snprintf(to, STORE_VERSION, " %llu", atomic_fetch_add(&asked, 1));
}
