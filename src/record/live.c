/* live.c: viewers of a recording that is being made: a thread that listens, greets and sends the file as it grows.
 *
 * It reads what the threads of the program write, as a reader of the file would, and never makes them wait: a viewer that is slow gets
 * its pieces later, or, of a ring, fewer of them. Whoever attaches must show the token, from whatever address. */
#include "greeting.h"
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    VIEWERS = 8,
    DEFAULT_PORT = 8086,
    PORTS_TRIED = 64,
    TICK_MS = 50,             /* between looks for new records */
    HEAD_NS = 500000000,      /* between heads of the file */
    GREETING_NS = 1000000000, /* that a viewer has to say who it is: others wait for nobody */
    CHUNK_FULL = 16,          /* in a state: its thread left it */
    FAREWELL_ALL = 5,         /* times as long for all of it */
    FAREWELL_NS = 2000000000  /* that a viewer may take nothing of the rest when the recording ends */
};

#define FAREWELL_HEAD UINT64_MAX /* in place of the time of a head: it was the last */

/* How far a viewer has a chunk. */
struct sent {
    uint64_t sequence; /* of the chunk when it was sent */
    uint32_t offset;   /* bytes of it, up to the first hole; 0: nothing yet */
    uint32_t end;      /* bytes of it, up to the last record */
    uint32_t state;    /* of the chunk, as the viewer knows it, and whether its thread went on to the next */
};

struct viewer {
    int socket;                    /* -1: none */
    bool greeted;                  /* it has shown the token */
    uint64_t since;                /* ns when it connected */
    uint64_t head_sent;            /* ns when it got the head of the file last; 0: never */
    uint32_t cursor;               /* chunk that is looked at next */
    bool ended;                    /* it got the last piece */
    struct sent *sent;             /* by chunk; pages that nobody touches do not exist */
    size_t sent_bytes;             /* of that mapping */
    struct live_greeting greeting; /* what it said so far */
    size_t pending, done;          /* bytes of `piece`, and how many of them went out */
    uint64_t piece[(sizeof(struct live_piece) + RECORDING_CHUNK) / 8]; /* on its way */
};

static struct viewer *viewers;     /* VIEWERS of them, while it listens */
static int listener = -1;          /* socket */
static pthread_t thread;           /* that serves */
static bool serving;               /* there is such a thread */
static uint32_t ending;            /* atomic */
static char address_text[64];      /* "127.0.0.1:8086" */
static char token[LIVE_TOKEN + 1]; /* digits */
static char token_path[256];       /* of the file that it is kept in */

const char *tacho_record_live_address(void)
{
    return address_text;
}

const char *tacho_record_live_token(void)
{
    return token;
}

/* ---- pieces -------------------------------------------------------------------------------------------------------- */

/* Slots that are being written: a tag is taken before its word and before what follows it, so that a slot that counts has all that
 * belongs to it. Heads are whole slots, too. */
static void copy_slots(uint64_t *to, const uint64_t *from, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes / sizeof *to; i += 2) {
        to[i + 1] = __atomic_load_n(&from[i + 1], __ATOMIC_ACQUIRE);
        to[i] = __atomic_load_n(&from[i], __ATOMIC_ACQUIRE);
    }
}

static void queue_piece(struct viewer *viewer, uint64_t offset, const void *slots, uint32_t length,
                        enum live_piece_kind kind)
{
    struct live_piece head = { offset, length, kind };

    memcpy(viewer->piece, &head, sizeof head);
    copy_slots(viewer->piece + sizeof head / sizeof *viewer->piece, slots, length);
    viewer->pending = sizeof head + length;
    viewer->done = 0;
}

/* Where the records of a chunk end, and where its first hole behind `from` is. */
static uint32_t look_at(const struct recording_chunk *chunk, uint32_t from, uint32_t *hole)
{
    const uint8_t *bytes = (const uint8_t *)chunk;
    uint64_t lap = __atomic_load_n(&chunk->lap, __ATOMIC_ACQUIRE);
    uint32_t end = from;

    *hole = 0;
    for (uint32_t at = from; at < RECORDING_CHUNK - RECORDING_CHUNK_ROOM; at += RECORDING_SLOT) {
        uint64_t tag = __atomic_load_n((const uint64_t *)(bytes + at) + 1, __ATOMIC_ACQUIRE);

        if (tag && recording_tag_lap(tag) == lap)
            end = at + RECORDING_SLOT;
        else if (!*hole)
            *hole = at;
    }
    if (!*hole || *hole > end)
        *hole = end;
    return end;
}

/* Chunks of a thread are to be read one after the other, so viewers must know which are full. */
static uint32_t state_of(const struct recording_chunk *chunk)
{
    uint32_t used = __atomic_load_n(&chunk->used, __ATOMIC_ACQUIRE);

    return __atomic_load_n(&chunk->state, __ATOMIC_ACQUIRE) | (used ? CHUNK_FULL : 0);
}

/* What is new in a chunk: its records, then, once there are no more, its head. False: nothing. */
static bool queue_chunk(struct viewer *viewer, uint32_t index)
{
    const struct recording_chunk *chunk = chunks_at(index);
    struct sent *sent = &viewer->sent[index];
    struct sent now;
    uint64_t start = (uint64_t)index * RECORDING_CHUNK, sequence;
    uint32_t from;

    if (__atomic_load_n(&chunk->magic, __ATOMIC_ACQUIRE) != RECORDING_CHUNK_MAGIC)
        return false;
    sequence = __atomic_load_n(&chunk->sequence, __ATOMIC_ACQUIRE);
    if (sent->sequence != sequence)
        *sent = (struct sent){ .sequence = sequence };
    if (sent->state == (CHUNK_SEALED | CHUNK_FULL))
        return false;
    now = (struct sent){ .sequence = sent->sequence, .state = state_of(chunk) };
    from = sent->offset ? sent->offset : RECORDING_CHUNK_HEAD;
    now.end = look_at(chunk, from, &now.offset);
    if (!sent->offset)
        queue_piece(viewer, start, chunk, now.end, LIVE_DATA);
    else if (now.end != sent->end || now.offset != sent->offset)
        queue_piece(viewer, start + from, (const uint8_t *)chunk + from, now.end - from, LIVE_DATA);
    else if (now.state != sent->state)
        queue_piece(viewer, start, chunk, RECORDING_CHUNK_HEAD, LIVE_DATA);
    else
        return false;
    /* Of a ring: it was handed out again while it was copied. */
    if (__atomic_load_n(&chunk->sequence, __ATOMIC_ACQUIRE) != sent->sequence) {
        viewer->pending = 0;
        return false;
    }
    if (now.end != sent->end || now.offset != sent->offset)
        now.state = 0; /* the head comes when nothing else does */
    *sent = now;
    return true;
}

static bool queue_next(struct viewer *viewer, uint64_t now)
{
    const struct recording_head *head = the_recorder.head;
    uint32_t chunks = __atomic_load_n(&head->chunks, __ATOMIC_ACQUIRE);

    if (!viewer->head_sent || (viewer->head_sent != FAREWELL_HEAD && now - viewer->head_sent > HEAD_NS)) {
        viewer->head_sent = now;
        queue_piece(viewer, 0, head, sizeof *head, LIVE_DATA);
        return true;
    }
    for (uint32_t looked = 1; looked < chunks; looked++) {
        if (++viewer->cursor >= chunks)
            viewer->cursor = 1;
        if (queue_chunk(viewer, viewer->cursor)) {
            viewer->cursor--; /* there may be more of it */
            return true;
        }
    }
    return false;
}

/* ---- viewers ------------------------------------------------------------------------------------------------------- */

static void drop(struct viewer *viewer)
{
    close(viewer->socket);
    if (viewer->sent)
        munmap(viewer->sent, viewer->sent_bytes);
    memset(viewer, 0, offsetof(struct viewer, piece));
    viewer->socket = -1;
}

static void welcome(struct viewer *viewer)
{
    struct live_welcome answer = { .version = LIVE_VERSION,
                                   .answer = greeting_answer(&viewer->greeting, token),
                                   .pid = the_recorder.head->pid };

    memcpy(answer.magic, LIVE_MAGIC, sizeof answer.magic);
    if (answer.answer == LIVE_WELCOME) {
        size_t bytes = (size_t)the_recorder.cap * sizeof *viewer->sent;
        void *sent = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        if (sent == MAP_FAILED)
            answer.answer = LIVE_TOO_MANY;
        viewer->sent = sent == MAP_FAILED ? NULL : sent;
        viewer->sent_bytes = bytes;
    }
    if (send(viewer->socket, &answer, sizeof answer, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)sizeof answer ||
        answer.answer)
        drop(viewer);
    else
        viewer->greeted = true;
}

static void hear(struct viewer *viewer)
{
    struct live_hello bytes;
    ssize_t got = recv(viewer->socket, &bytes, greeting_wants(&viewer->greeting), MSG_DONTWAIT);

    if (got <= 0) {
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            drop(viewer);
        return;
    }
    switch (greeting_hear(&viewer->greeting, &bytes, (size_t)got)) {
    case GREETING_PART:
        break;
    case GREETING_OTHER:
        drop(viewer);
        break;
    case GREETING_COMPLETE:
        welcome(viewer);
        break;
    }
}

static void push(struct viewer *viewer)
{
    ssize_t went = send(viewer->socket, (const uint8_t *)viewer->piece + viewer->done, viewer->pending - viewer->done,
                        MSG_NOSIGNAL | MSG_DONTWAIT);

    if (went < 0) {
        if (errno != EAGAIN && errno != EINTR)
            drop(viewer);
        return;
    }
    viewer->done += (size_t)went;
    if (viewer->done == viewer->pending)
        viewer->pending = 0;
}

static void take_viewer(void)
{
    int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    for (int i = 0; socket >= 0 && i < VIEWERS; i++) {
        if (viewers[i].socket < 0) {
            viewers[i].socket = socket;
            viewers[i].since = recorder_nanoseconds();
            return;
        }
    }
    if (socket >= 0)
        close(socket);
}

/* One turn: everybody gets what there is, as fast as he takes it. Gives whether anything went out. */
static bool serve_viewer(struct viewer *viewer, uint64_t now, bool last)
{
    if (!viewer->greeted) {
        if (now - viewer->since > GREETING_NS)
            drop(viewer);
        else
            hear(viewer);
        return false;
    }
    if (!viewer->pending && !queue_next(viewer, now)) {
        if (!last || viewer->ended)
            return false;
        /* All records are there; the head says that the recording is complete. */
        if (viewer->head_sent != FAREWELL_HEAD) {
            viewer->head_sent = FAREWELL_HEAD;
            queue_piece(viewer, 0, the_recorder.head, sizeof *the_recorder.head, LIVE_DATA);
        } else {
            queue_piece(viewer, 0, NULL, 0, LIVE_END);
            viewer->ended = true;
        }
    }
    push(viewer);
    return viewer->socket >= 0 && !viewer->pending;
}

static void wait_for_some(void)
{
    struct pollfd waits[VIEWERS + 1];
    nfds_t count = 0;

    waits[count++] = (struct pollfd){ .fd = listener, .events = POLLIN };
    for (int i = 0; i < VIEWERS; i++)
        if (viewers[i].socket >= 0)
            waits[count++] =
                (struct pollfd){ .fd = viewers[i].socket,
                                 .events = viewers[i].pending ? POLLOUT : (short)(viewers[i].greeted ? 0 : POLLIN) };
    (void)poll(waits, count, TICK_MS);
    if (waits[0].revents & POLLIN)
        take_viewer();
}

static void *serve(void *unused)
{
    uint64_t farewell = 0, moved = 0;

    (void)unused;
    for (;;) {
        bool last = __atomic_load_n(&ending, __ATOMIC_ACQUIRE);
        bool busy = false, waiting = false;
        uint64_t now = recorder_nanoseconds();

        for (int i = 0; i < VIEWERS; i++) {
            if (viewers[i].socket < 0)
                continue;
            busy |= serve_viewer(&viewers[i], now, last);
            waiting |= viewers[i].socket >= 0 && (!viewers[i].greeted || !viewers[i].ended || viewers[i].pending);
        }
        if (last) {
            farewell = farewell ? farewell : now;
            moved = busy || !moved ? now : moved;
            if (!waiting || now - moved > FAREWELL_NS || now - farewell > (uint64_t)FAREWELL_ALL * FAREWELL_NS)
                break;
        }
        if (!busy)
            wait_for_some();
    }
    for (int i = 0; i < VIEWERS; i++)
        if (viewers[i].socket >= 0)
            drop(&viewers[i]);
    return NULL;
}

/* ---- listening ----------------------------------------------------------------------------------------------------- */

/* "[ADDRESS:]PORT", "[::1]:PORT". False: it is none. */
static bool split_address(const char *text, char *host, size_t size, unsigned *port)
{
    const char *colon = strrchr(text, ':');
    const char *digits = colon ? colon + 1 : text;
    size_t length = colon ? (size_t)(colon - text) : 0;
    char *end;

    *port = *digits ? (unsigned)strtoul(digits, &end, 10) : DEFAULT_PORT;
    if (*digits && (*end || *port > 65535 - PORTS_TRIED))
        return false;
    if (length > 1 && text[0] == '[' && text[length - 1] == ']') {
        text++;
        length -= 2;
    }
    if (length >= size)
        return false;
    snprintf(host, size, "%.*s", (int)length, length ? text : "");
    if (!length)
        snprintf(host, size, "127.0.0.1");
    return true;
}

/* A socket that has the port, or the next one that is free; nobody can come yet. -1: none, errno says why. */
static int take_port(const char *host, unsigned *port)
{
    const struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM };

    for (unsigned i = 0; i < PORTS_TRIED; i++, ++*port) {
        struct addrinfo *found;
        char service[16];
        int on = 1;

        snprintf(service, sizeof service, "%u", *port);
        if (getaddrinfo(host, service, &hints, &found) != 0) {
            errno = EADDRNOTAVAIL;
            return -1;
        }
        int made = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        bool taken = made >= 0 && setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                     bind(made, found->ai_addr, found->ai_addrlen) == 0;
        snprintf(address_text, sizeof address_text, found->ai_family == AF_INET6 ? "[%.40s]:%u" : "%.40s:%u", host,
                 *port);
        freeaddrinfo(found);
        if (taken)
            return made;
        if (made >= 0)
            close(made);
        if (errno != EADDRINUSE)
            return -1;
    }
    return -1;
}

/* In a folder that is this user's alone: of the session, or one made in /tmp. */
static bool keep_token(unsigned port)
{
    char folder[192];
    const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
    struct stat status;
    uint8_t random[LIVE_TOKEN / 2];

    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return false;
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(token + 2 * i, 3, "%02x", random[i]);
    if (runtime && *runtime)
        snprintf(folder, sizeof folder, "%.180s/tacho", runtime);
    else
        snprintf(folder, sizeof folder, "/tmp/tacho-%lu", (unsigned long)geteuid());
    (void)mkdir(folder, 0700);
    if (lstat(folder, &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077))
        return false;
    snprintf(token_path, sizeof token_path, "%s/%u.token", folder, port);
    unlink(token_path);
    int file = open(token_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool kept = file >= 0 && write(file, token, LIVE_TOKEN) == LIVE_TOKEN;
    if (file >= 0)
        close(file);
    return kept;
}

/* NULL: whoever comes is heard, and finds the token that they must show. */
static const char *open_port(const char *host, unsigned port)
{
    listener = take_port(host, &port);
    if (listener < 0)
        return "no port could be opened at that address";
    if (!keep_token(port))
        return "the token could not be kept in a file that only this user can read";
    /* Behind the token: a viewer that was first tries again and again until it is heard. */
    return listen(listener, VIEWERS) == 0 ? NULL : "no port could be opened at that address";
}

const char *live_start(const char *address)
{
    char host[64];
    unsigned port;

    if (!split_address(address, host, sizeof host, &port))
        return "the address is not [ADDRESS:]PORT";
    viewers = mmap(NULL, VIEWERS * sizeof *viewers, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (viewers == MAP_FAILED)
        return "there is no memory";
    for (int i = 0; i < VIEWERS; i++)
        viewers[i].socket = -1;
    const char *obstacle = open_port(host, port);
    __atomic_store_n(&ending, 0, __ATOMIC_RELEASE);
    if (!obstacle)
        snprintf(the_recorder.head->live, sizeof the_recorder.head->live, "%.31s", address_text);
    serving = !obstacle && pthread_create(&thread, NULL, serve, NULL) == 0;
    if (serving)
        return NULL;
    memset(the_recorder.head->live, 0, sizeof the_recorder.head->live);
    live_forget();
    unlink(token_path);
    return obstacle ? obstacle : "no thread could be started";
}

void live_stop(void)
{
    if (!serving)
        return;
    serving = false;
    __atomic_store_n(&ending, 1, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    live_forget();
    unlink(token_path);
}

void live_forget(void)
{
    if (listener >= 0)
        close(listener);
    for (int i = 0; viewers && viewers != MAP_FAILED && i < VIEWERS; i++)
        if (viewers[i].socket >= 0)
            drop(&viewers[i]);
    if (viewers && viewers != MAP_FAILED)
        munmap(viewers, VIEWERS * sizeof *viewers);
    viewers = NULL;
    listener = -1;
    serving = false;
    address_text[0] = token[0] = 0;
}
