/* fuzz_live_stream.c: what a program sends to a viewer that follows its recording. The first byte says how the rest is meant:
 *
 *     bit 0   raw: the answer to the greeting and all that follows, byte by byte; otherwise pieces of a recording as
 *             fuzz_tacho_recording.c has them, which are sent as the recorder sends them
 *     bit 1   the recording is ended, not broken off
 *     bits 2  how many bytes are sent between two looks
 */
#include <sys/socket.h>
#include <unistd.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check_sink.h"
#include "read/recording_tail.h"
#include "record/format.h"

enum { MOST_CHUNKS = 8, MOST_BYTES = MOST_CHUNKS * RECORDING_CHUNK, RAW = 1, ENDED = 2, LARGEST = 16 * 1024 };

/* Bytes that the program sends; owned. */
struct stream {
    uint8_t *bytes; /* room for all that an input can become */
    size_t size;    /* of them */
};

static void add(struct stream *stream, const void *bytes, size_t size)
{
    if (size)
        memcpy(stream->bytes + stream->size, bytes, size);
    stream->size += size;
}

static void add_pieces(struct stream *stream, const uint8_t *data, size_t size)
{
    while (size > sizeof(uint32_t) + sizeof(uint16_t)) {
        struct live_piece piece = { .kind = LIVE_DATA };
        uint32_t offset;
        uint16_t length;

        memcpy(&offset, data, sizeof offset);
        memcpy(&length, data + sizeof offset, sizeof length);
        data += sizeof offset + sizeof length;
        size -= sizeof offset + sizeof length;
        piece.offset = offset % MOST_BYTES;
        piece.length = length < size ? length : (uint32_t)size;
        add(stream, &piece, sizeof piece);
        add(stream, data, piece.length);
        data += piece.length;
        size -= piece.length;
    }
}

static void make_stream(struct stream *stream, const uint8_t *data, size_t size)
{
    struct live_welcome welcome = { .version = LIVE_VERSION, .answer = LIVE_WELCOME };
    struct live_piece last = { .kind = LIVE_END };

    if (data[0] & RAW) {
        add(stream, data + 1, size - 1);
        return;
    }
    memcpy(welcome.magic, LIVE_MAGIC, sizeof welcome.magic);
    add(stream, &welcome, sizeof welcome);
    add_pieces(stream, data + 1, size - 1);
    if (data[0] & ENDED)
        add(stream, &last, sizeof last);
}

/* All of it, with a look at what came in between; then the program is gone. */
static status follow(struct recording_tail *tail, const struct stream *stream, size_t step, int ends[2])
{
    size_t sent = stream->size < sizeof(struct live_welcome) ? stream->size : sizeof(struct live_welcome);
    struct tail_facts facts = { .state = IMAGE_GROWING };
    status code;

    check_that(send(ends[1], stream->bytes, sent, MSG_NOSIGNAL) == (ssize_t)sent, "the answer is sent");
    if (sent == stream->size)
        shutdown(ends[1], SHUT_WR);
    code = recording_tail_attach(tail, ends[0]);
    while (code == STATUS_OK && facts.state == IMAGE_GROWING) {
        size_t some = stream->size - sent < step ? stream->size - sent : step;

        if (some) {
            check_that(send(ends[1], stream->bytes + sent, some, MSG_NOSIGNAL) == (ssize_t)some, "a piece is sent");
            sent += some;
        }
        if (sent == stream->size)
            shutdown(ends[1], SHUT_WR);
        code = recording_tail_look(tail, 0);
        recording_tail_facts(tail, &facts);
    }
    return code == STATUS_OK ? recording_tail_look(tail, 0) : code;
}

static void follow_once(const struct stream *stream, size_t step, struct strings *strings)
{
    struct check check;
    struct feed feed;
    struct recording_tail *tail;
    struct tail_facts facts;
    char text[64];
    int ends[2];
    status code;

    check_that(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "there are sockets");
    check_start(&check, strings);
    feed_start(&feed, check_sink(&check), strings);
    code = recording_tail_open("program:1", "0123456789abcdef0123456789abcdef", &feed, &tail);
    if (code == STATUS_OK)
        code = follow(tail, stream, step, ends);
    else
        close(ends[0]);
    if (code == STATUS_OK) {
        recording_tail_facts(tail, &facts);
        recording_tail_open_zones(tail, text, sizeof text);
        check_that(facts.open <= facts.zones && check.open_count == facts.open, "as many are open as it says");
        check_that(strlen(text) < sizeof text && (facts.open == 0) == !*text, "what is open is told");
        code = recording_tail_end(tail);
    }
    check_that(code != STATUS_OK || check.open_count == 0, "every begin has its end");
    close(ends[1]);
    recording_tail_free(tail);
    feed_free(&feed);
    check_free(&check);
    if (code != STATUS_OK)
        status_clear();
}

static void check_stream(const uint8_t *data, size_t size, struct strings *strings)
{
    struct stream stream = { .bytes = malloc(size * 3 + 256) };
    size_t step = (size_t)1 << (data[0] >> 2) % 16;
    uint64_t allocations = memory_count();

    check_that(stream.bytes != NULL, "there is memory for a stream");
    make_stream(&stream, data, size);
    step = step > stream.size / 4 ? step : stream.size / 4 + 1; /* each look costs something */
    follow_once(&stream, step, strings);
    allocations = memory_count() - allocations;
    if (check_takes(data, size, 1, 4) && allocations) {
        memory_fail_at(1 + size % allocations);
        follow_once(&stream, step, strings);
        memory_fail_at(0);
    }
    free(stream.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return size < 1 || size > LARGEST ? 0 : check_input(data, size, check_stream);
}
