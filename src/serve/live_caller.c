/* live_caller.c: a process that connects, opens and tails for the server, and hands over what it opened. */
#include "serve/live_caller.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "job/remote.h"

enum { CONNECT_MS = 3000, WAIT_MS = 100 };

enum question_kind { ASK_CONNECT, ASK_OPEN, ASK_WHY };

struct question {
    unsigned number;              /* that the answer repeats */
    enum question_kind kind;      /* what is asked */
    unsigned name;                /* of OPEN: which of the command line */
    char address[CALLER_ADDRESS]; /* of CONNECT */
};

struct reply {
    unsigned number;             /* of the question */
    bool absent;                 /* as `called` has them */
    char token[RECORDING_TOKEN]; /* the same */
    char why[CALLER_TEXT];       /* the same */
};

/* The port of an address; NULL: there is none. */
static const char *port_of(const char *address)
{
    const char *colon = strrchr(address, ':');

    if (!colon || !colon[1] || strlen(colon + 1) > 5 || strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return NULL;
    return atoi(colon + 1) >= 1 && atoi(colon + 1) <= UINT16_MAX ? colon + 1 : NULL;
}

bool live_is_address(const char *text)
{
    const char *port = port_of(text);
    bool bracketed = *text == '[';

    if (!port || strlen(text) >= CALLER_ADDRESS || (bracketed && port[-2] != ']'))
        return false;
    for (const char *sign = text; sign < port - 1; sign++)
        if (!char_is_letter(*sign) && !char_is_digit(*sign) && !strchr(bracketed ? "[]:.%" : "._-", *sign))
            return false;
    return true;
}

enum live_kind live_kind_of(const char *name)
{
    const char *colon = strchr(name, ':'), *at = strchr(name, '@');
    struct stat there;

    if (!colon || stat(name, &there) == 0)
        return LIVE_FILE;
    if (live_is_address(name))
        return LIVE_ADDRESS;
    return at && at > name && at < colon && colon[1] && !memchr(name, '/', (size_t)(colon - name)) ? LIVE_BOARD
                                                                                                   : LIVE_FILE;
}

/* ---- The process: one line ------------------------------------------------------------------------------------------- */

/* One line of the process, served by a thread of its own. */
struct line {
    const char *const *names; /* borrowed */
    size_t count;             /* of names */
    bool addresses;           /* the names are such, and no others are called */
    int socket;               /* to the server */
    char why[CALLER_TEXT];    /* the last board ended */
};

/* The file goes along where there is one, and is closed here. */
static void answer(const struct line *line, const struct reply *reply, int file)
{
    struct iovec bytes = { .iov_base = (void *)(uintptr_t)reply, .iov_len = sizeof *reply };
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = { 0 };
    struct msghdr message = { .msg_iov = &bytes, .msg_iovlen = 1 };

    if (file >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        control.head =
            (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof file), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS };
        memcpy(CMSG_DATA(&control.head), &file, sizeof file);
    }
    while (sendmsg(line->socket, &message, MSG_NOSIGNAL) < 0 && errno == EINTR)
        continue;
    if (file >= 0)
        close(file);
}

/* "HOST:PORT", "[::1]:PORT" taken apart. */
static bool split(const char *address, char host[CALLER_ADDRESS], const char **port)
{
    struct text name;

    if (!live_is_address(address))
        return false;
    *port = port_of(address);
    name = text_between(address, *port - 1);
    if (name.length > 1 && name.data[0] == '[' && name.data[name.length - 1] == ']')
        name = text_between(name.data + 1, name.data + name.length - 1);
    text_copy(host, CALLER_ADDRESS, name.length ? name : text_of("127.0.0.1"));
    return true;
}

/* -1: errno says why. */
static int connect_one(const struct addrinfo *to)
{
    int made = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct pollfd wait = { .fd = made, .events = POLLOUT };
    int error = 0;
    socklen_t size = sizeof error;

    if (made < 0)
        return -1;
    if (connect(made, to->ai_addr, to->ai_addrlen) != 0) {
        error = errno;
        if (error == EINPROGRESS && poll(&wait, 1, CONNECT_MS) > 0)
            getsockopt(made, SOL_SOCKET, SO_ERROR, &error, &size);
        else if (error == EINPROGRESS)
            error = ETIMEDOUT;
    }
    /* Who reads it waits by itself. */
    if (!error && fcntl(made, F_SETFL, 0) == 0)
        return made;
    close(made);
    errno = error ? error : errno;
    return -1;
}

/* A token is shown to this machine only: elsewhere somebody else may listen at the same port. */
static bool is_here(int socket)
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;

    if (getpeername(socket, (struct sockaddr *)&peer, &size) != 0)
        return false;
    if (peer.ss_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)&peer)->sin_addr.s_addr) >> 24 == 127;
    return peer.ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)&peer)->sin6_addr);
}

static int call_address(const char *address, struct reply *reply)
{
    const struct addrinfo hints = { .ai_flags = AI_NUMERICSERV, .ai_socktype = SOCK_STREAM };
    char host[CALLER_ADDRESS];
    struct addrinfo *found;
    const char *port;
    int made = -1, result;

    if (!split(address, host, &port)) {
        snprintf(reply->why, sizeof reply->why, "an address is HOST:PORT");
        return -1;
    }
    result = getaddrinfo(host, port, &hints, &found);
    if (result) {
        snprintf(reply->why, sizeof reply->why, "%.200s: %s", host, gai_strerror(result));
        return -1;
    }
    for (const struct addrinfo *one = found; one && made < 0; one = one->ai_next)
        made = connect_one(one);
    result = errno;
    freeaddrinfo(found);
    /* A program that is not there yet refuses; a machine that is not there yet does not answer. */
    reply->absent = made < 0;
    if (made < 0)
        snprintf(reply->why, sizeof reply->why, "%s", strerror(result));
    else if (is_here(made))
        recording_kept_token(port, reply->token);
    return made;
}

static int open_file(const char *path, struct reply *reply)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;

    if (file < 0) {
        reply->absent = errno == ENOENT;
        snprintf(reply->why, sizeof reply->why, "%s", strerror(errno));
        return -1;
    }
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode))
        return file;
    snprintf(reply->why, sizeof reply->why, "it is no file");
    close(file);
    return -1;
}

/* ---- The process: boards --------------------------------------------------------------------------------------------- */

/* What a board sends goes into a pipe, whose end is here. */
struct pouring {
    int pipe; /* that the server reads */
};

static void pour(void *context, bool error, const char *data, size_t size)
{
    struct pouring *pouring = context;

    while (!error && size) {
        ssize_t went = write(pouring->pipe, data, size);

        if (went < 0 && errno != EINTR)
            return;
        data += went > 0 ? went : 0;
        size -= went > 0 ? (size_t)went : 0;
    }
}

/* From the first byte on, and across files that are put in its place. */
static status write_script(const char *path, char **script)
{
    struct output *output;
    const char *text;
    size_t length;
    status code = output_open_memory(&output);

    *script = NULL;
    if (code != STATUS_OK)
        return code;
    output_format(output, "exec tail -c +1 -F ");
    remote_quote(output, path);
    text = output_memory(output, &length);
    if (text)
        *script = memory_copy_text(text);
    output_abandon(output);
    return *script ? STATUS_OK : status_no_memory("tailing");
}

static void tail_board(struct line *line, const char *name, const struct question *question, struct reply *reply)
{
    const char *colon = strchr(name, ':');
    char host[CALLER_ADDRESS], *script = NULL;
    struct pouring pouring = { .pipe = -1 };
    struct remote_result result = { 0 };
    struct remote remote = { 0 };
    int ends[2] = { -1, -1 };
    status code;

    text_copy(host, sizeof host, text_between(name, colon));
    code = remote_start(&remote, host, getenv("TACHO_SSH"));
    if (code == STATUS_OK)
        code = write_script(colon + 1, &script);
    if (code == STATUS_OK && pipe2(ends, O_CLOEXEC))
        code = status_fail(STATUS_INPUT, "no pipe can be made: %s", strerror(errno));
    if (code != STATUS_OK)
        snprintf(reply->why, sizeof reply->why, "%.400s", status_message());
    reply->number = question->number;
    answer(line, reply, ends[0]);
    pouring.pipe = ends[1];
    if (code == STATUS_OK) {
        struct remote_call call = { .script = script, .receive = pour, .context = &pouring };

        code = remote_call(&remote, &call, &result);
        if (code == STATUS_OK)
            code = remote_fail(&remote, &result, 0, STATUS_INPUT, "the file cannot be tailed");
        snprintf(line->why, sizeof line->why, "%.400s", status_message());
    }
    if (ends[1] >= 0)
        close(ends[1]);
    memory_free(script);
    remote_free(&remote);
}

static void serve_question(struct line *line, const struct question *question)
{
    struct reply reply = { .number = question->number };
    int file = -1;

    switch (question->kind) {
    case ASK_CONNECT:
        if (line->addresses)
            snprintf(reply.why, sizeof reply.why, "no other address is called");
        else
            file = call_address(question->address, &reply);
        break;
    case ASK_OPEN:
        if (question->name >= line->count) {
            snprintf(reply.why, sizeof reply.why, "there is no such source");
        } else if (line->addresses) {
            file = call_address(line->names[question->name], &reply);
            *reply.token = '\0'; /* no recorder is there */
        } else if (live_kind_of(line->names[question->name]) == LIVE_BOARD) {
            tail_board(line, line->names[question->name], question, &reply);
            return;
        } else {
            file = open_file(line->names[question->name], &reply);
        }
        break;
    case ASK_WHY:
        memcpy(reply.why, line->why, sizeof reply.why);
        break;
    }
    answer(line, &reply, file);
}

static void *serve_line(void *context)
{
    struct line *line = context;
    struct question question;

    for (;;) {
        ssize_t got = recv(line->socket, &question, sizeof question, 0);

        if (got < 0 && errno == EINTR)
            continue;
        if (got != (ssize_t)sizeof question)
            return NULL;
        question.address[sizeof question.address - 1] = '\0';
        serve_question(line, &question);
    }
}

/* What the process keeps open of the server's would never be seen to end. */
static void leave_files(const int *kept, size_t count)
{
    int nothing = open("/dev/null", O_RDWR);
    int most = (int)sysconf(_SC_OPEN_MAX);

    for (int file = 0; file < 3 && nothing >= 0; file++)
        dup2(nothing, file);
    for (int file = 3; file < (most < 4096 ? most : 4096); file++) {
        bool wanted = false;

        for (size_t i = 0; i < count; i++)
            wanted |= kept[i] == file;
        if (!wanted)
            close(file);
    }
}

/* Never comes back. The last of the lines is never spoken on: its end tells that the server is gone. */
static void be_caller(const struct callers *callers, const int lines[CALLERS_MOST + 1])
{
    static struct line served[CALLERS_MOST];
    char nothing;

    leave_files(lines, CALLERS_MOST + 1);
    signal(SIGPIPE, SIG_IGN);
    for (unsigned i = 0; i < CALLERS_MOST; i++) {
        pthread_t thread;

        served[i] = (struct line){
            .names = callers->names, .count = callers->count, .addresses = callers->addresses, .socket = lines[i]
        };
        if (pthread_create(&thread, NULL, serve_line, &served[i]) || pthread_detach(thread))
            _exit(1);
    }
    while (recv(lines[CALLERS_MOST], &nothing, 1, 0) < 0 && errno == EINTR)
        continue;
    process_interrupt();
    _exit(0);
}

/* ---- The server's side ----------------------------------------------------------------------------------------------- */

status callers_start(struct callers *callers, const char *const *names, size_t count, bool addresses)
{
    int theirs[CALLERS_MOST + 1];
    status code = STATUS_OK;

    *callers = (struct callers){ .names = names, .count = count, .addresses = addresses };
    for (unsigned i = 0; i <= CALLERS_MOST; i++)
        callers->lines[i] = theirs[i] = -1;
    for (unsigned i = 0; i <= CALLERS_MOST && code == STATUS_OK; i++) {
        int ends[2];

        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
            code = status_fail(STATUS_INPUT, "no process can be started that connects: %s", strerror(errno));
        else
            callers->lines[i] = ends[0], theirs[i] = ends[1];
    }
    if (code == STATUS_OK) {
        callers->process = fork();
        if (callers->process == 0)
            be_caller(callers, theirs);
        if (callers->process < 0) {
            callers->process = 0;
            code = status_fail(STATUS_INPUT, "no process can be started that connects: %s", strerror(errno));
        }
    }
    for (unsigned i = 0; i <= CALLERS_MOST; i++)
        if (theirs[i] >= 0)
            close(theirs[i]);
    return code;
}

void callers_stop(struct callers *callers)
{
    if (!callers->names && !callers->process)
        return;
    for (unsigned i = 0; i <= CALLERS_MOST; i++)
        if (callers->lines[i] >= 0)
            close(callers->lines[i]);
    while (callers->process && waitpid(callers->process, NULL, 0) < 0 && errno == EINTR)
        continue;
    *callers = (struct callers){ 0 };
}

/* One message; false: there is none, and none will come. */
static bool take(int line, struct reply *reply, int *file)
{
    struct iovec bytes = { .iov_base = reply, .iov_len = sizeof *reply };
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
    };
    const struct cmsghdr *head;
    ssize_t got = recvmsg(line, &message, MSG_CMSG_CLOEXEC);

    *file = -1;
    head = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof *file))
        memcpy(file, CMSG_DATA(head), sizeof *file);
    reply->why[sizeof reply->why - 1] = reply->token[sizeof reply->token - 1] = '\0';
    return got == (ssize_t)sizeof *reply;
}

static void ask(struct callers *callers, unsigned line, struct question *question, const atomic_bool *stop,
                struct called *called)
{
    struct pollfd wait = { .fd = callers->lines[line], .events = POLLIN };
    struct reply reply = { 0 };
    int file;

    assert(line < CALLERS_MOST);
    *called = (struct called){ .file = -1, .absent = true };
    question->number = ++callers->numbers[line];
    if (send(wait.fd, question, sizeof *question, MSG_NOSIGNAL) != (ssize_t)sizeof *question) {
        *called = (struct called){ .file = -1, .why = "the process that connects is gone" };
        return;
    }
    while (!atomic_load(stop)) {
        int ready = poll(&wait, 1, WAIT_MS);

        if (ready <= 0)
            continue;
        if (!take(wait.fd, &reply, &file)) {
            *called = (struct called){ .file = -1, .why = "the process that connects is gone" };
            return;
        }
        if (reply.number == question->number) {
            called->file = file;
            called->absent = reply.absent;
            memcpy(called->token, reply.token, sizeof called->token);
            memcpy(called->why, reply.why, sizeof called->why);
            return;
        }
        /* Of a source that had this line before, and is gone. */
        if (file >= 0)
            close(file);
    }
}

void callers_connect(struct callers *callers, unsigned line, const char *address, const atomic_bool *stop,
                     struct called *called)
{
    struct question question = { .kind = ASK_CONNECT };

    snprintf(question.address, sizeof question.address, "%s", address);
    ask(callers, line, &question, stop, called);
}

void callers_open(struct callers *callers, unsigned line, unsigned name, const atomic_bool *stop, struct called *called)
{
    struct question question = { .kind = ASK_OPEN, .name = name };

    ask(callers, line, &question, stop, called);
}

void callers_ask_why(struct callers *callers, unsigned line, const atomic_bool *stop, struct called *called)
{
    struct question question = { .kind = ASK_WHY };

    ask(callers, line, &question, stop, called);
}
