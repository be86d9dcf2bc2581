/* recording_image.c: a recording that is still being made, from a file or from a program. */
#include "read/recording_image.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "record/format.h"

enum { ANSWER_MS = 2000, AT_ONCE = 64 * 1024 * 1024, PIECE = 256 * 1024 };
#define FARTHEST ((uint64_t)1 << 40) /* offset of a piece: no recording is so long */

/* "HOST:PORT", and not a file of that name. */
static bool is_address(const char *where)
{
    const char *colon = strrchr(where, ':');
    struct stat there;

    return colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1) && stat(where, &there) != 0;
}

void recording_image_start(struct recording_image *image, const char *where, const char *token)
{
    assert(where);
    *image =
        (struct recording_image){ .where = where, .token = token, .live = is_address(where), .file = -1, .socket = -1 };
}

static void hang_up(struct recording_image *image)
{
    if (image->socket >= 0)
        close(image->socket);
    image->socket = -1;
}

void recording_image_close(struct recording_image *image)
{
    hang_up(image);
    if (image->file >= 0)
        close(image->file);
    image->file = -1;
    memory_free(image->piece);
    image->piece = NULL;
}

uint64_t recording_image_size(const struct recording_image *image)
{
    struct stat about;

    return image->file >= 0 && fstat(image->file, &about) == 0 && about.st_size > 0 ? (uint64_t)about.st_size : 0;
}

void recording_image_read(const struct recording_image *image, uint64_t offset, void *to, size_t size)
{
    size_t have = 0;

    while (image->file >= 0 && have < size) {
        ssize_t got = pread(image->file, (char *)to + have, size - have, (off_t)(offset + have));

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        have += (size_t)got;
    }
    memset((char *)to + have, 0, size - have);
}

/* ---- A file -------------------------------------------------------------------------------------------------------- */

static status look_at_file(struct recording_image *image, int milliseconds)
{
    struct recording_head head;
    bool abandoned;

    if (image->file < 0)
        image->file = open(image->where, O_RDONLY | O_CLOEXEC);
    if (image->file < 0 && errno != ENOENT)
        return status_fail(STATUS_INPUT, "%s cannot be read: %s", image->where, strerror(errno));
    (void)poll(NULL, 0, milliseconds);
    if (image->file < 0)
        return STATUS_OK;
    /* Its program holds a lock on it for as long as it lives. The head is read after that was looked at: it may have ended in between. */
    abandoned = flock(image->file, LOCK_SH | LOCK_NB) == 0;
    if (abandoned)
        flock(image->file, LOCK_UN);
    recording_image_read(image, 0, &head, sizeof head);
    if (!head.magic[0] && !abandoned)
        return STATUS_OK;
    if (memcmp(head.magic, RECORDING_MAGIC, sizeof head.magic) != 0)
        return status_fail(STATUS_INPUT, "%s is no recording", image->where);
    if (abandoned && !head.clock)
        return status_fail(STATUS_INPUT, "%s is a recording that is cut off in its head", image->where);
    image->state = head.state == RECORDING_CLOSED ? IMAGE_COMPLETE : abandoned ? IMAGE_BROKEN : IMAGE_GROWING;
    return STATUS_OK;
}

/* ---- A program ----------------------------------------------------------------------------------------------------- */

_Static_assert(RECORDING_TOKEN == LIVE_TOKEN + 1, "a token and a NUL");

void recording_kept_token(const char *port, char token[RECORDING_TOKEN])
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    char path[4096];
    ssize_t got = -1;
    int file;

    if (runtime && *runtime)
        snprintf(path, sizeof path, "%s/tacho/%s.token", runtime, port);
    else
        snprintf(path, sizeof path, "/tmp/tacho-%lu/%s.token", (unsigned long)geteuid(), port);
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        got = read(file, token, LIVE_TOKEN);
        close(file);
    }
    token[got == LIVE_TOKEN ? LIVE_TOKEN : 0] = '\0';
}

/* So many bytes, within the time of an answer. */
static bool receive_all(int socket, void *to, size_t size)
{
    for (size_t have = 0; have < size;) {
        struct pollfd wait = { .fd = socket, .events = POLLIN };
        ssize_t got;

        int ready = poll(&wait, 1, ANSWER_MS);

        if (ready < 0 && errno == EINTR)
            continue;
        got = ready > 0 ? recv(socket, (char *)to + have, size - have, 0) : 0;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        have += (size_t)got;
    }
    return true;
}

static status greet(struct recording_image *image)
{
    struct live_hello hello = { .version = LIVE_VERSION };
    struct live_welcome welcome;
    char kept[RECORDING_TOKEN];
    const char *shown = image->token ? image->token : kept;
    const char *colon = strrchr(image->where, ':');

    recording_kept_token(colon ? colon + 1 : "", kept);
    if (!image->token && !kept[0])
        return status_fail(STATUS_INPUT, "%s wants a token, which it printed when it started: give it with --token",
                           image->where);
    memcpy(hello.magic, LIVE_MAGIC, sizeof hello.magic);
    memcpy(hello.token, shown, strnlen(shown, sizeof hello.token));
    if (send(image->socket, &hello, sizeof hello, MSG_NOSIGNAL) != (ssize_t)sizeof hello ||
        !receive_all(image->socket, &welcome, sizeof welcome) ||
        memcmp(welcome.magic, LIVE_MAGIC, sizeof welcome.magic) != 0)
        return status_fail(STATUS_INPUT, "%s does not answer as a program that records does", image->where);
    /* What is no greeting of this version is not listened to. */
    switch (welcome.answer == LIVE_WELCOME && welcome.version != LIVE_VERSION ? LIVE_WRONG_VERSION : welcome.answer) {
    case LIVE_WELCOME:
        return STATUS_OK;
    case LIVE_WRONG_TOKEN:
        return *shown ? status_fail(STATUS_INPUT, "%s does not take the token", image->where)
                      : status_fail(STATUS_INPUT, "%s wants the token that it printed when it started", image->where);
    case LIVE_WRONG_VERSION:
        return status_fail(STATUS_INPUT, "%s speaks version %u, this is version %d", image->where, welcome.version,
                           LIVE_VERSION);
    default:
        return status_fail(STATUS_INPUT, "%s has too many viewers", image->where);
    }
}

/* A file that is gone when it is closed. */
static int open_nameless(void)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int file;

    snprintf(path, sizeof path, "%s/tacho-live-XXXXXX", folder && *folder ? folder : "/tmp");
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    return file;
}

status recording_image_attach(struct recording_image *image, int socket)
{
    assert(socket >= 0 && image->socket < 0 && image->file < 0 && !image->piece);
    image->socket = socket;
    image->piece = memory_allocate(sizeof(struct live_piece) + RECORDING_CHUNK);
    image->file = open_nameless();
    image->state = IMAGE_GROWING;
    return !image->piece     ? status_no_memory("receiving a recording")
           : image->file < 0 ? status_fail(STATUS_OUTPUT, "no temporary file can be made: %s", strerror(errno))
                             : greet(image);
}

void recording_image_attach_file(struct recording_image *image, int file)
{
    assert(file >= 0 && image->file < 0 && image->socket < 0);
    image->file = file;
    image->live = false;
}

void recording_image_forget(struct recording_image *image, uint64_t offset)
{
    uint64_t from = image->forgotten ? image->forgotten : RECORDING_CHUNK;

    if (!image->live || image->file < 0 || offset <= from)
        return;
    /* Where a file system cannot do that, it stays. */
    if (fallocate(image->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)(offset - from)) == 0)
        image->forgotten = offset;
}

/* A name may have several addresses, of which the program listens at one. -1: at none. */
static int connect_to(const struct addrinfo *found)
{
    for (; found; found = found->ai_next) {
        int made = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

        if (made >= 0 && connect(made, found->ai_addr, found->ai_addrlen) == 0)
            return made;
        if (made >= 0)
            close(made);
    }
    return -1;
}

/* "HOST:PORT", "[::1]:PORT". Nobody listens there yet: that is no failure. */
static status call_program(struct recording_image *image, int milliseconds)
{
    const struct addrinfo hints = { .ai_flags = AI_NUMERICSERV, .ai_socktype = SOCK_STREAM };
    const char *port = strrchr(image->where, ':') + 1;
    struct text name = text_between(image->where, port - 1);
    struct addrinfo *found;
    char host[256];
    int result, connected;

    if (name.length > 1 && name.data[0] == '[' && name.data[name.length - 1] == ']')
        name = text_between(name.data + 1, name.data + name.length - 1);
    text_copy(host, sizeof host, name);
    result = getaddrinfo(host[0] ? host : "127.0.0.1", port, &hints, &found);
    if (result != 0)
        return status_fail(STATUS_INPUT, "%s: %s", image->where, gai_strerror(result));
    connected = connect_to(found);
    freeaddrinfo(found);
    if (connected >= 0)
        return recording_image_attach(image, connected);
    (void)poll(NULL, 0, milliseconds);
    return STATUS_OK;
}

/* A piece that is complete goes to its place: whoever reads there finds all of it or nothing. */
static status place_piece(struct recording_image *image, const struct live_piece *piece)
{
    if (piece->kind == LIVE_END)
        image->state = IMAGE_COMPLETE;
    image->have = 0;
    if (pwrite(image->file, image->piece + sizeof *piece, piece->length, (off_t)piece->offset) !=
        (ssize_t)piece->length)
        return status_fail(STATUS_OUTPUT, "the temporary file cannot be written: %s", strerror(errno));
    return STATUS_OK;
}

/* Bytes of the stream, as many as there are: the head of a piece, then, as it says, its bytes. */
static status take_bytes(struct recording_image *image, const unsigned char *bytes, size_t count)
{
    struct live_piece piece = { 0 };
    status code = STATUS_OK;

    if (image->have >= sizeof piece)
        memcpy(&piece, image->piece, sizeof piece);
    while (count && code == STATUS_OK) {
        size_t wanted = sizeof piece + piece.length - image->have; /* of the head, while there is no length */
        size_t some = wanted < count ? wanted : count;

        memcpy(image->piece + image->have, bytes, some);
        image->have += some;
        bytes += some;
        count -= some;
        if (image->have < sizeof piece)
            continue;
        memcpy(&piece, image->piece, sizeof piece);
        if (piece.length > RECORDING_CHUNK || piece.offset > FARTHEST) {
            image->state = IMAGE_BROKEN; /* nothing more is taken: there is no telling where the next piece begins */
            return status_fail(STATUS_INPUT, "%s sent what is no piece of a recording", image->where);
        }
        if (image->have == sizeof piece + piece.length) {
            code = place_piece(image, &piece);
            piece.length = 0;
        }
    }
    return code;
}

static status receive(struct recording_image *image, int milliseconds)
{
    struct pollfd wait = { .fd = image->socket, .events = POLLIN };
    unsigned char *bytes = memory_allocate(PIECE);
    size_t taken = 0;
    status code = bytes ? STATUS_OK : status_no_memory("receiving a recording");

    while (code == STATUS_OK && image->state == IMAGE_GROWING && taken < AT_ONCE &&
           poll(&wait, 1, taken ? 0 : milliseconds) > 0) {
        ssize_t got = recv(image->socket, bytes, PIECE, 0);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            image->state = IMAGE_BROKEN;
        else
            code = take_bytes(image, bytes, (size_t)got);
        taken += got > 0 ? (size_t)got : 0;
    }
    memory_free(bytes);
    return code;
}

status recording_image_look(struct recording_image *image, int milliseconds)
{
    assert(milliseconds >= 0);
    if (image->state == IMAGE_COMPLETE || image->state == IMAGE_BROKEN)
        return STATUS_OK;
    if (!image->live)
        return look_at_file(image, milliseconds);
    return image->socket < 0 ? call_program(image, milliseconds) : receive(image, milliseconds);
}
