/* serve.c: tacho serve: profiles in a browser, from this machine. */
#include "serve/serve.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/sqlite.h"
#include "base/text.h"
#include "job/job.h"
#include "page/html.h"
#include "serve/confine.h"
#include "serve/handlers.h"
#include "serve/http.h"
#include "serve/listen.h"
#include "serve/private.h"
#include "serve/server.h"
#include "serve/store.h"

struct settings_of_serve {
    uint64_t port;       /* the first that is tried */
    const char *bind;    /* address; NULL: this machine alone */
    const char *show;    /* the part of the only profile that is shown first; NULL: all profiles are */
    bool open;           /* in the user's browser */
    struct texts live;   /* sources that are followed */
    const char *token;   /* of programs among them; NULL: what is kept for this user */
    const char *history; /* file or URL; NULL: none */
};

static const struct option options[] = {
    { "port", 'p', OPTION_NUMBER, offsetof(struct settings_of_serve, port), "N",
      "port (default: 8050; a busy one: the next free)" },
    { "bind", 0, OPTION_TEXT, offsetof(struct settings_of_serve, bind), "ADDR",
      "address to listen on (default: 127.0.0.1)" },
    { "show", 0, OPTION_TEXT, offsetof(struct settings_of_serve, show), "PART",
      "begin with this part of the one profile: timeline, operators, ..." },
    { "open", 0, OPTION_FLAG, offsetof(struct settings_of_serve, open), NULL, "open it in the browser" },
    { "live", 0, OPTION_REPEAT, offsetof(struct settings_of_serve, live), "SOURCE",
      "follow HOST:PORT, a file that grows, or USER@BOARD:FILE; may be given often" },
    { "token", 0, OPTION_TEXT, offsetof(struct settings_of_serve, token), "TEXT",
      "that the program at HOST:PORT printed (default: as kept for this user)" },
    { "history", 0, OPTION_TEXT, offsetof(struct settings_of_serve, history), "FILE|URL",
      "show this history of builds: a store of tacho history" },
    { 0 },
};
static const struct settings_of_serve defaults = { .port = 8050 };

enum {
    MOST_THREADS = 8,
    TICK_MS = 200,
    PART_LONGEST = 32,
    ADDRESS_ROOM = GUARD_ADDRESS + GUARD_TOKEN + PART_LONGEST + 64
};
#define MEMORY_BUDGET ((uint64_t)1 << 30)
#define DISK_BUDGET ((uint64_t)4 << 30)
#define TRACE_BUDGET ((uint64_t)512 << 20)

/* One run of the server. */
struct serving {
    struct job *job;              /* borrowed */
    struct settings_of_serve how; /* as the user, or who handed something over, wants it */
    struct private_folder folder; /* where everything is written */
    struct listening listening;   /* the socket */
    struct guard guard;           /* who may ask */
    struct profiles *profiles;    /* NULL: not yet */
    struct store_keeper keeper;   /* who keeps the history open, or connects to it */
    struct callers callers;       /* who open live sources */
    struct live *live;            /* NULL: not yet */
    struct server *server;        /* NULL: not yet */
    char *temporary;              /* TMPDIR as it was; NULL: not set; owned */
    bool moved;                   /* TMPDIR is another one now */
    sigset_t awaited, before;     /* signals that end it; the mask as it was */
};

/* ---- What is said ---------------------------------------------------------------------------------------------------- */

/* The host of an address that a person opens. */
static void name_host(const struct listening *listening, char *host, size_t size)
{
    if (listening->any && gethostname(host, size) == 0)
        host[size - 1] = '\0';
    else
        snprintf(host, size, strchr(listening->address, ':') ? "[%s]" : "%s", listening->address);
}

/* The address that a person opens. A part stands behind it: the page finds the profile. */
static void write_address(const struct serving *serving, char *to, size_t size)
{
    const char *show = serving->how.show;
    char host[GUARD_ADDRESS];

    name_host(&serving->listening, host, sizeof host);
    snprintf(to, size, "http://%s:%u/?token=%s%s%s", host, (unsigned)serving->listening.port, serving->guard.token,
             show ? "#" : "", show ? show : "");
}

static status say_ssh(struct serving *serving)
{
    const struct listening *listening = &serving->listening;
    unsigned port = listening->port;
    char machine[128] = "HOST";

    if (gethostname(machine, sizeof machine) != 0)
        snprintf(machine, sizeof machine, "HOST");
    machine[sizeof machine - 1] = '\0';
    return job_tell(serving->job,
                    "who can read the network can read this; through ssh nobody can:\n"
                    "  ssh -N -L %u:%s:%u %s\n  http://127.0.0.1:%u/?token=%s",
                    port, listening->any ? "127.0.0.1" : serving->guard.address, port, machine, port,
                    serving->guard.token);
}

static status say_where(struct serving *serving)
{
    const struct listening *listening = &serving->listening;
    char address[ADDRESS_ROOM], host[GUARD_ADDRESS];
    status code = STATUS_OK;

    if (listening->port != serving->how.port)
        code = job_tell(serving->job, "port %u is busy: port %u is taken", (unsigned)serving->how.port,
                        (unsigned)listening->port);
    write_address(serving, address, sizeof address);
    if (code == STATUS_OK)
        code = job_reply(serving->job, "%s", address);
    name_host(listening, host, sizeof host);
    if (code == STATUS_OK && serving->how.live.count)
        code = job_tell(serving->job, "live: http://%s:%u/live?token=%s", host, (unsigned)listening->port,
                        serving->guard.token);
    if (code == STATUS_OK && serving->how.history)
        code = job_tell(serving->job, "history: http://%s:%u/history?token=%s", host, (unsigned)listening->port,
                        serving->guard.token);
    if (code == STATUS_OK && !listening->loopback)
        code = say_ssh(serving);
    return code == STATUS_OK ? job_tell(serving->job, "Ctrl-C ends it") : code;
}

/* Everyone on this machine sees the words of a command, and the token is none for them: the browser gets a file that leads on. */
static status open_browser(struct serving *serving)
{
    char address[ADDRESS_ROOM];
    struct path page = { 0 };
    struct output *output = NULL;
    status code = path_set(&page, "%s/open.html", serving->folder.path.text);

    write_address(serving, address, sizeof address);
    if (code == STATUS_OK)
        code = output_open(page.text, &output);
    if (code == STATUS_OK) {
        html_redirect(output, address);
        code = output_commit(output);
    }
    if (code == STATUS_OK && private_spawn((const char *const[]){ "xdg-open", page.text, NULL }) != STATUS_OK)
        job_warn(serving->job, "no browser can be opened: xdg-open is not there");
    path_free(&page);
    return code;
}

/* ---- Begin and end --------------------------------------------------------------------------------------------------- */

/* Before any thread is there: all inherit that these signals are waited for, here. What was ignored before us stays so. */
static void hold_signals(struct serving *serving)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action;

    sigemptyset(&serving->awaited);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&serving->awaited, numbers[i]);
    pthread_sigmask(SIG_BLOCK, &serving->awaited, &serving->before);
}

static unsigned count_threads(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores < 2 ? 2 : cores > MOST_THREADS ? MOST_THREADS : (unsigned)cores;
}

/* What jobs unpack goes where everything else is written. */
static status move_temporaries(struct serving *serving)
{
    const char *given = getenv("TMPDIR");

    serving->temporary = given ? memory_copy_text(given) : NULL;
    if ((given && !serving->temporary) || setenv("TMPDIR", serving->folder.path.text, 1))
        return status_no_memory("starting");
    serving->moved = true;
    return STATUS_OK;
}

/* A word, which stands in an address as it is. */
static bool is_part(const char *text)
{
    size_t length = strlen(text);

    for (size_t i = 0; i < length; i++)
        if (!char_is_letter(text[i]))
            return false;
    return length && length < PART_LONGEST;
}

/* What was handed over says how; else the user does. */
static void choose_how(struct serving *serving)
{
    const struct settings_of_serve *settings = serving->job->settings;
    const struct job_handed *handed = serving->job->served;

    serving->how = *settings;
    if (handed)
        serving->how = (struct settings_of_serve){ .port = handed->port, .bind = handed->bind, .show = handed->part };
}

static status prepare(struct serving *serving)
{
    static const char *const here[] = { "." };
    const struct settings_of_serve *settings = &serving->how;
    const struct job_handed *handed = serving->job->served;
    const struct texts *inputs = &serving->job->inputs;
    struct profiles_options about = {
        .paths = inputs->count ? inputs->items : here,
        /* Who follows something, or looks at a history, asks for nothing else, unless he says so. */
        .count = inputs->count || settings->live.count || settings->history ? inputs->count : 1,
        .threads = count_threads(),
        .memory = MEMORY_BUDGET,
        .disk = DISK_BUDGET,
        .traces = TRACE_BUDGET,
        .whole = handed,
        .asked = handed ? &handed->options : NULL,
        .history = settings->history,
        .wait = exchange_wait,
        .wake = exchange_wake,
    };
    status code = STATUS_OK;

    if (!serving->job->reply)
        return status_fail(STATUS_USAGE, "nobody would hear its address: tacho serve says it when it starts");
    if (settings->port > UINT16_MAX)
        return status_fail(STATUS_USAGE, "--port wants a number up to 65535");
    if (settings->show && !is_part(settings->show))
        return status_fail(STATUS_USAGE, "--show wants a part of a page such as timeline, not \"%s\"", settings->show);
    if (!html_has_serve_script())
        return status_fail(STATUS_OUTPUT, HTML_WITHOUT_SCRIPT);
    /* Other processes, while there is one thread; the second keeps nothing open of the first. */
    if (settings->history)
        code = store_keep(&serving->keeper, settings->history);
    if (code == STATUS_OK && settings->history && store_try(&serving->keeper, settings->history) != STATUS_OK) {
        job_warn(serving->job, status_message());
        status_clear();
    }
    if (code == STATUS_OK)
        code = callers_start(&serving->callers, settings->live.items, settings->live.count, false);
    if (code == STATUS_OK)
        code = live_open(&serving->callers, settings->token, &serving->live);
    if (code == STATUS_OK)
        code = private_open(&serving->folder);
    about.folder = serving->folder.path.text;
    if (code == STATUS_OK)
        code = move_temporaries(serving);
    if (code == STATUS_OK)
        code = profiles_open(&about, &serving->profiles);
    if (code == STATUS_OK)
        code =
            listen_open(&serving->listening, settings->bind ? settings->bind : "127.0.0.1", (uint16_t)settings->port);
    if (code == STATUS_OK)
        code = guard_start(&serving->guard, serving->listening.address, serving->listening.loopback);
    return code;
}

/* Paths that may be read, each a copy. */
struct readable {
    char **paths;    /* owned, and what is in it */
    size_t count;    /* of paths */
    size_t capacity; /* of paths */
};

static status allow_path(struct readable *readable, const char *path)
{
    status code = memory_grow(&readable->paths, &readable->capacity, readable->count + 1, sizeof *readable->paths);
    char *copy = code == STATUS_OK ? memory_copy_text(path) : NULL;

    if (!copy)
        return status_no_memory("confining the server");
    readable->paths[readable->count++] = copy;
    return STATUS_OK;
}

/* What belongs to a log lies beside it: the folder, be the file there or not. */
static status allow_folder_of(struct readable *readable, const char *path)
{
    struct text name = path_folder(path);
    struct path folder = { 0 };
    status code = path_set(&folder, "%.*s", name.length ? (int)name.length : 1, name.length ? name.data : ".");

    if (code == STATUS_OK && path_is_folder(folder.text))
        code = allow_path(readable, folder.text);
    path_free(&folder);
    return code;
}

/* The history, by the name that it really has: what belongs to it lies there. */
static status allow_store(struct readable *readable, const char *store)
{
    struct path path = { 0 }, file = { 0 };
    status code = path_resolve(&path, store);

    for (unsigned i = 0; i < STORE_FILES && code == STATUS_OK; i++) {
        code = path_set(&file, "%s%s", path.text, store_suffixes[i]);
        if (code == STATUS_OK && path_is_file(file.text))
            code = allow_path(readable, file.text);
    }
    path_free(&path);
    path_free(&file);
    return code;
}

static status find_readable(const struct serving *serving, struct readable *readable)
{
    const struct texts *live = &serving->how.live;
    const struct job_handed *handed = serving->job->served;
    status code = STATUS_OK;
    const char *root;

    for (size_t i = 0; code == STATUS_OK && (root = profiles_root(serving->profiles, i)); i++)
        code = allow_path(readable, root);
    for (size_t i = 0; i < live->count && code == STATUS_OK; i++)
        if (live_kind_of(live->items[i]) == LIVE_FILE)
            code = allow_folder_of(readable, live->items[i]);
    /* Jobs about what was handed over read the files that its options name. */
    for (size_t i = 1; handed && i < handed->options.count && code == STATUS_OK; i += 2)
        if (path_is_file(handed->options.items[i]))
            code = allow_path(readable, handed->options.items[i]);
    if (code == STATUS_OK && serving->how.history && store_is_file(serving->how.history))
        code = allow_store(readable, serving->how.history);
    return code;
}

static status confine_all(struct serving *serving)
{
    struct readable readable = { NULL, 0, 0 };
    struct confined confined;
    status code = find_readable(serving, &readable);

    if (code == STATUS_OK)
        code = confine((const char *const *)readable.paths, readable.count, serving->folder.path.text, &confined);
    if (code == STATUS_OK && (!confined.landlock || !confined.calls))
        job_warn(serving->job, "this kernel does not let the server be confined to what it serves");
    for (size_t i = 0; i < readable.count; i++)
        memory_free(readable.paths[i]);
    memory_free(readable.paths);
    return code;
}

static status start(struct serving *serving)
{
    struct server_options about = {
        .guard = &serving->guard, .routes = serve_routes, .profiles = serving->profiles, .live = serving->live
    };
    status code = http_load();

    /* Files can be opened now: queries want it later, and whoever asks one where it is not there is told so. */
    if (code == STATUS_OK && sqlite_load() != STATUS_OK)
        status_clear();
    if (code == STATUS_OK)
        code = say_where(serving);
    if (code == STATUS_OK && serving->how.open)
        code = open_browser(serving);
    if (code == STATUS_OK)
        code = confine_all(serving);
    if (code == STATUS_OK)
        code = profiles_start(serving->profiles);
    if (code == STATUS_OK)
        code = live_begin_all(serving->live);
    about.socket = serving->listening.socket;
    if (code == STATUS_OK)
        code = server_start(&about, &serving->server);
    if (code == STATUS_OK)
        serving->listening.socket = -1;
    return code;
}

static void serve_until_told(struct serving *serving)
{
    const struct timespec tick = { .tv_nsec = TICK_MS * 1000000L };

    while (sigtimedwait(&serving->awaited, NULL, &tick) < 0) {
        server_tick(serving->server);
        profiles_refresh(serving->profiles);
    }
}

static void finish(struct serving *serving)
{
    bool ended = true;

    if (serving->server)
        server_stop(serving->server);
    live_close(serving->live);
    callers_stop(&serving->callers);
    store_stop(&serving->keeper);
    if (serving->profiles)
        ended = profiles_stop(serving->profiles);
    store_release(&serving->keeper, !ended);
    listen_close(&serving->listening);
    private_close(&serving->folder);
    /* A job that is left to itself may look at the environment. */
    if (ended && serving->temporary)
        setenv("TMPDIR", serving->temporary, 1);
    else if (ended && serving->moved)
        unsetenv("TMPDIR");
    memory_free(serving->temporary);
    /* Who was told twice has ended as well as who was told once. */
    while (sigtimedwait(&serving->awaited, NULL, &(const struct timespec){ 0 }) > 0)
        continue;
    pthread_sigmask(SIG_SETMASK, &serving->before, NULL);
}

static status run(struct job *job)
{
    struct serving serving = {
        .job = job, .listening = { .socket = -1 }, .folder = { .alive = -1 }, .keeper = { .line = -1 }
    };
    status code;

    choose_how(&serving);
    hold_signals(&serving);
    code = prepare(&serving);
    if (code == STATUS_OK)
        code = start(&serving);
    if (code == STATUS_OK)
        serve_until_told(&serving);
    finish(&serving);
    return code;
}

const struct verb serve_verb = {
    .name = "serve",
    .summary = "show profiles in a browser: a gallery, timelines, reports, comparisons",
    .usage = "[options] [FILE|DIR]...",
    .options = options,
    .settings_size = sizeof(struct settings_of_serve),
    .defaults = &defaults,
    .run = run,
};
