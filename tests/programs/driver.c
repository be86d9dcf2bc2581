/* driver.c: runs command lines of the tool, each in a forked child of one process that has done nothing else.

   A sanitized program takes ten times as long to start as a fork of it takes, and the tests run thousands of command lines. The
   driver is linked of what the tool is linked of; tests about starting itself start the tool.

       driver SOCKET      SOCKET: number of an open stream socket, which asks and is answered:

       asked:     size of what follows, number of words, number of variables (4 bytes each; the descriptors 0, 1 and 2 of the child
                  come with them), then strings, each ended by a 0: the folder to run in, words, variables
       answered:  process id (4 bytes); when the child has ended: what waitpid says of it (4 bytes), microseconds of CPU that it
                  and its own children took (8 bytes)

   It ends when the socket is closed. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* main() of the tool, which the build renames. */
#undef main
int tacho_main(int count, char **arguments);

extern char **environ;

enum { LARGEST = 16 << 20, STREAMS = 3 };

struct asked {
    uint32_t size;      /* of the strings */
    uint32_t words;     /* arguments, the program's own name among them */
    uint32_t variables; /* of the environment */
};

struct request {
    struct asked asked;
    int streams[STREAMS]; /* what the child reads from, writes to and complains to */
    char *strings;        /* the folder, the words and the variables */
    const char *folder;   /* in `strings` */
    char **words;         /* in `strings`, ended by NULL */
    char **variables;     /* the same */
};

/* What cannot be is the fault of who asks: nothing is worth going on for. */
static void give_up(const char *what)
{
    fprintf(stderr, "driver: %s: %s\n", what, strerror(errno));
    _exit(70);
}

static void *or_give_up(void *memory)
{
    if (!memory)
        give_up("memory");
    return memory;
}

static void read_all(int socket, void *to, size_t size)
{
    char *at = to;

    while (size) {
        ssize_t got = read(socket, at, size);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            give_up("reading a request");
        at += got;
        size -= (size_t)got;
    }
}

static void write_all(int socket, const void *from, size_t size)
{
    if (send(socket, from, size, MSG_NOSIGNAL) != (ssize_t)size)
        _exit(0); /* who asked has gone */
}

/* The head of a request with its descriptors; false where the socket was closed. */
static bool receive_head(int socket, struct request *request)
{
    struct iovec part = { &request->asked, sizeof request->asked };
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof request->streams)];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
    };
    ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);

    if (got == 0)
        return false;
    if (got != (ssize_t)sizeof request->asked || !head || head->cmsg_len != CMSG_LEN(sizeof request->streams) ||
        request->asked.size > LARGEST)
        give_up("a request");
    memcpy(request->streams, CMSG_DATA(head), sizeof request->streams);
    return true;
}

/* So many strings from `at` on as an array that ends with NULL; `at` moves behind them. */
static char **strings_of(char **at, const char *end, uint32_t count)
{
    char **list = or_give_up(calloc((size_t)count + 1, sizeof *list));

    for (uint32_t i = 0; i < count; i++) {
        if (*at >= end)
            give_up("a request is cut");
        list[i] = *at;
        *at += strlen(*at) + 1;
    }
    return list;
}

static void receive_strings(int socket, struct request *request)
{
    char *at, *end;

    request->strings = or_give_up(malloc((size_t)request->asked.size + 1));
    read_all(socket, request->strings, request->asked.size);
    end = request->strings + request->asked.size;
    *end = '\0';
    at = request->strings;
    request->folder = at;
    at += strlen(at) + 1;
    request->words = strings_of(&at, end, request->asked.words);
    request->variables = strings_of(&at, end, request->asked.variables);
}

static void release(struct request *request)
{
    for (int i = 0; i < STREAMS; i++)
        close(request->streams[i]);
    free(request->words);
    free(request->variables);
    free(request->strings);
}

/* The child: what a program that was just started finds. The tool's own words are no leak, since a static pointer leads to them. */
static void become(int socket, struct request *request)
{
    static struct request *kept;

    kept = request;
    close(socket);
    for (int i = 0; i < STREAMS; i++)
        if (dup2(kept->streams[i], i) < 0)
            give_up("a stream");
    if (chdir(kept->folder) != 0)
        give_up(kept->folder);
    environ = kept->variables;
    exit(tacho_main((int)kept->asked.words, kept->words));
}

static void answer(int socket, pid_t child)
{
    struct {
        int32_t ended;
        uint32_t unused;
        uint64_t microseconds;
    } end = { 0 };
    struct rusage used;
    int ended = 0;
    int32_t name = (int32_t)child;

    write_all(socket, &name, sizeof name);
    while (wait4(child, &ended, 0, &used) < 0)
        if (errno != EINTR)
            give_up("waiting");
    end.ended = ended;
    end.microseconds = (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000u +
                       (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    write_all(socket, &end, sizeof end);
}

int main(int count, char **arguments)
{
    int socket = count == 2 ? atoi(arguments[1]) : -1;
    static struct request request;

    if (socket < STREAMS) {
        fprintf(stderr, "driver: the number of a socket is wanted\n");
        return 2;
    }
    while (receive_head(socket, &request)) {
        pid_t child;

        receive_strings(socket, &request);
        child = fork();
        if (child < 0)
            give_up("fork");
        if (child == 0)
            become(socket, &request);
        release(&request);
        answer(socket, child);
    }
    return 0;
}
