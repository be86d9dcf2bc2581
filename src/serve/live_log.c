/* live_log.c: a log that grows, here or on a board: its bytes as an input that waits for more, read by the reader of its format. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "job/session.h"
#include "read/recording.h"
#include "serve/live_parts.h"

enum {
    AGAIN_MS = 250,        /* between looks for what is not there */
    BOARD_AGAIN_MS = 3000, /* and for a board that does not answer */
    SAME_MS = 1000,        /* between looks whether the file is still the one at its path */
    EMPTY_S = 5,           /* of silence that is told */
    SILENT_MS = 2000       /* of bytes that make no event, the same */
};

/* One round: a file from its first byte until it ends, is cut, or is replaced. */
struct tailing {
    struct live_source *source;  /* borrowed */
    struct live_feed feed;       /* what is filled */
    bool filling;                /* there is one */
    int file;                    /* a file, or a pipe; owned */
    bool pipe;                   /* nothing of it can be read again */
    char *head;                  /* its first bytes; owned */
    size_t head_length;          /* of head */
    size_t head_used;            /* of a pipe: of these, given to the reader */
    uint64_t given;              /* bytes that the reader has */
    const struct reader *reader; /* of its format; NULL: not known yet */
    const char *again;           /* why the round is over and another begins; static; NULL: it is not */
    bool ended;                  /* a pipe has */
    uint64_t published;          /* ms: last time */
    uint64_t heard;              /* ms: when bytes came last */
    uint64_t compared;           /* ms: when the path was looked at last */
    status failed;               /* publishing did: nothing more is read */
};

/* ---- What comes ------------------------------------------------------------------------------------------------------ */

/* Whether the path leads to another file by now. One that is gone may come again. */
static bool is_replaced(struct tailing *tailing)
{
    struct live_source *source = tailing->source;
    struct stat had, now;
    struct called called;
    bool replaced;

    if (tailing->pipe || live_now_ms() - tailing->compared < SAME_MS)
        return false;
    tailing->compared = live_now_ms();
    callers_open(live_callers(source), source->line, source->number, &source->stop, &called);
    if (called.file < 0)
        return false;
    replaced = fstat(called.file, &now) == 0 && fstat(tailing->file, &had) == 0 &&
               (now.st_ino != had.st_ino || now.st_dev != had.st_dev);
    close(called.file);
    return replaced;
}

static bool is_cut(const struct tailing *tailing)
{
    struct stat about;

    return !tailing->pipe && fstat(tailing->file, &about) == 0 && (uint64_t)about.st_size < tailing->given;
}

/* What there is now, without waiting longer than a look. 0: nothing. */
static size_t read_some(struct tailing *tailing, uint64_t offset, char *to, size_t room)
{
    struct pollfd wait = { .fd = tailing->file, .events = POLLIN };
    ssize_t got;

    if (tailing->pipe && poll(&wait, 1, LIVE_LOOK_MS) <= 0)
        return 0;
    got = tailing->pipe ? read(tailing->file, to, room) : pread(tailing->file, to, room, (off_t)offset);
    if (tailing->pipe && (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)))
        tailing->ended = true;
    if (got > 0)
        tailing->heard = live_now_ms();
    return got > 0 ? (size_t)got : 0;
}

static status publish(struct tailing *tailing, bool quiet)
{
    struct live_feed *feed = &tailing->feed;
    struct live_facts facts = { .bytes = tailing->given, .late = feed->count.late, .lost = feed->feed.losses.lost };

    tailing->published = live_now_ms();
    snprintf(facts.title, sizeof facts.title, "%s", tailing->reader->title);
    if (!feed->count.events && tailing->given && live_now_ms() - tailing->heard > SILENT_MS)
        live_prepare(tailing->source, LIVE_CONNECTED,
                     "%llu bytes came, of which nothing can be shown yet: the reader of this format may need all of it",
                     (unsigned long long)tailing->given);
    else
        live_prepare(tailing->source, LIVE_CONNECTED, "%s", "");
    return live_publish(tailing->source, feed, &facts, quiet);
}

/* Bytes for the reader, which has used up those that it had: what they made is published while more is waited for. */
static status read_more(void *context, void *buffer, size_t capacity, size_t *got)
{
    struct tailing *tailing = context;

    *got = 0;
    if (tailing->head_used < tailing->head_length) {
        *got = tailing->head_length - tailing->head_used;
        *got = *got < capacity ? *got : capacity;
        memcpy(buffer, tailing->head + tailing->head_used, *got);
        tailing->head_used += *got;
    }
    while (!*got && !live_stopped(tailing->source) && !tailing->again && !tailing->ended) {
        uint64_t now = live_now_ms();
        bool quiet = now - tailing->heard > LIVE_QUIET_MS;

        if (now - tailing->published > LIVE_PUBLISH_MS) {
            tailing->failed = publish(tailing, quiet);
            if (tailing->failed != STATUS_OK)
                return tailing->failed;
        }
        *got = read_some(tailing, tailing->given, buffer, capacity);
        if (*got)
            break;
        if (is_cut(tailing))
            tailing->again = "the file was cut: the picture begins anew";
        else if (is_replaced(tailing))
            tailing->again = "the file was replaced by another one: the picture begins anew";
        else if (!tailing->pipe)
            live_rest(tailing->source, LIVE_LOOK_MS);
    }
    tailing->given += *got;
    return STATUS_OK;
}

/* ---- The beginning --------------------------------------------------------------------------------------------------- */

/* Until there is a file, or a board sends. */
static status open_source(struct tailing *tailing)
{
    struct live_source *source = tailing->source;
    struct called called;

    while (!live_stopped(source)) {
        callers_open(live_callers(source), source->line, source->number, &source->stop, &called);
        tailing->file = called.file;
        if (called.file >= 0)
            return STATUS_OK;
        if (!called.absent)
            return status_fail(STATUS_INPUT, "%s: %s", source->name, called.why);
        live_say(source, LIVE_WAITING, "%s", "the file is not there yet");
        live_rest(source, AGAIN_MS);
    }
    return STATUS_OK;
}

/* A recorder makes its file larger before it writes: until then it is full of zeros, and none is a log's. */
static bool is_blank(const struct tailing *tailing)
{
    return !tailing->head_length || !tailing->head[0];
}

static void look_at_head(struct tailing *tailing)
{
    struct input *input = NULL;

    if (is_blank(tailing) || !memchr(tailing->head, '\n', tailing->head_length))
        if (tailing->head_length < INPUT_HEAD && !path_ends(tailing->source->name, ".tacho"))
            return;
    if (input_open_memory(tailing->source->name, tailing->head, tailing->head_length, &input) != STATUS_OK ||
        reader_detect(input, tailing->source->name, &tailing->reader) != STATUS_OK)
        tailing->reader = NULL;
    status_clear();
    input_close(input);
}

/* Until its format is known. */
static status find_reader(struct tailing *tailing)
{
    struct live_source *source = tailing->source;
    uint64_t since = live_now_ms();

    tailing->head = memory_allocate(INPUT_HEAD);
    if (!tailing->head)
        return status_no_memory("following a log");
    while (!live_stopped(source) && !tailing->reader && !tailing->ended && !tailing->again) {
        size_t had = tailing->head_length, got;
        unsigned long long seconds = (live_now_ms() - since) / 1000;

        /* Of a file, from the beginning: what was zeros may be bytes now. */
        if (!tailing->pipe)
            tailing->head_length = 0;
        got = read_some(tailing, tailing->head_length, tailing->head + tailing->head_length,
                        INPUT_HEAD - tailing->head_length);
        tailing->head_length += got;
        if (tailing->head_length > had)
            look_at_head(tailing);
        if (tailing->reader)
            break;
        if (is_replaced(tailing))
            tailing->again = "";
        if (is_blank(tailing) && seconds >= EMPTY_S)
            live_say(source, LIVE_WAITING,
                     "nothing has been written for %llu s; logs of this kind may be written when the program ends",
                     seconds);
        else if (is_blank(tailing))
            live_say(source, LIVE_WAITING, "%s", "it is empty");
        else
            live_say(source, LIVE_WAITING, "its first %zu bytes are of no format that is known", tailing->head_length);
        if (!tailing->pipe)
            live_rest(source, AGAIN_MS);
        if (tailing->head_length == INPUT_HEAD)
            return status_fail(STATUS_INPUT, "%s is of no format that is known", source->name);
    }
    return STATUS_OK;
}

/* ---- Rounds ---------------------------------------------------------------------------------------------------------- */

static status read_log(struct tailing *tailing)
{
    struct session_options options = { 0 };
    struct session session = { 0 };
    struct input *input = NULL;
    status code = live_begin(tailing->source, LIVE_CONNECTED, &tailing->feed);

    tailing->filling = true;
    /* Of a file the reader begins at the beginning. */
    tailing->head_used = tailing->pipe ? 0 : tailing->head_length;
    options.strings = tailing->feed.strings;
    if (code == STATUS_OK)
        code = session_start(&session, &options);
    if (code == STATUS_OK)
        code = input_open_growing(tailing->source->name, read_more, tailing, &input);
    if (code == STATUS_OK)
        code = session_add_open(&session, tailing->source->name, input, tailing->reader);
    if (code == STATUS_OK)
        code = session_read(&session, &session.profiles[0], &tailing->feed.feed);
    /* What is cut in the middle by whoever ends or replaces it is no failure. */
    if (tailing->failed == STATUS_OK && (live_stopped(tailing->source) || tailing->again))
        code = STATUS_OK;
    if (code == STATUS_OK && !live_stopped(tailing->source) && !tailing->again)
        code = live_feed_finish(&tailing->feed);
    if (code == STATUS_OK && !tailing->again)
        code = publish(tailing, true);
    session_end(&session);
    return code;
}

/* Why a board sends no more. `*again`: nothing came, so it is tried again. */
static void tell_board_end(struct tailing *tailing, bool *again)
{
    struct live_source *source = tailing->source;
    struct called called;

    callers_ask_why(live_callers(source), source->line, &source->stop, &called);
    *again = !tailing->filling;
    if (*again)
        live_say(source, LIVE_WAITING, "%s; it is tried again", called.why);
    else
        live_prepare(source, LIVE_ENDED, "%s; what came before is here", called.why);
    if (*again)
        live_rest(source, BOARD_AGAIN_MS);
}

static status follow_round(struct live_source *source, bool *again)
{
    struct tailing tailing = {
        .source = source, .file = -1, .pipe = source->kind == LIVE_BOARD, .heard = live_now_ms()
    };
    bool recording = false;
    status code = open_source(&tailing);

    tailing.compared = live_now_ms();
    if (code == STATUS_OK && tailing.file >= 0)
        code = find_reader(&tailing);
    recording = code == STATUS_OK && tailing.reader == &tacho_recording_reader && !tailing.pipe;
    if (code == STATUS_OK && tailing.reader && !recording)
        code = read_log(&tailing);
    *again = code == STATUS_OK && tailing.again;
    if (*again && *tailing.again)
        live_note(source, tailing.again);
    if (code == STATUS_OK && tailing.ended && !live_stopped(source))
        tell_board_end(&tailing, again);
    if (tailing.filling)
        live_feed_free(&tailing.feed);
    memory_free(tailing.head);
    if (tailing.file >= 0)
        close(tailing.file);
    return recording ? live_follow_recording(source) : code;
}

status live_follow_log(struct live_source *source)
{
    status code = STATUS_OK;

    for (bool again = true; again && code == STATUS_OK && !live_stopped(source);)
        code = follow_round(source, &again);
    return code;
}
