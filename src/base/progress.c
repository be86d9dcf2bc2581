/* progress.c: the line, after a second, on a terminal. */
#include "base/progress.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/format.h"
#include "base/utf8.h"

enum {
    WAIT_MS = 1000,    /* shorter jobs show nothing */
    REDRAW_MS = 100,   /* between two drawings */
    NAME_COLUMNS = 40, /* of a file name: the line must not wrap on 80 columns */
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Progress is a courtesy: when standard error cannot take it, the work goes on. */
static void show(const char *text, size_t length)
{
    ssize_t ignored = write(STDERR_FILENO, text, length);

    (void)ignored;
}

bool progress_possible(int stream)
{
    const char *kind = getenv("TERM");

    return kind && *kind && strcmp(kind, "dumb") != 0 && isatty(stream) == 1;
}

void progress_start(struct progress *progress, const char *what, const char *name, uint64_t total)
{
    assert(what);
    *progress = (struct progress){ .what = what, .name = name, .total = total, .started_ms = now_ms() };
    progress->enabled = progress_possible(STDERR_FILENO);
}

/* The end of a long path says more than its beginning. */
static void shorten_name(const char *name, char *to, size_t capacity)
{
    size_t length = strlen(name);
    size_t written = 0;

    assert(capacity > NAME_COLUMNS);
    if (format_width(name, length) > NAME_COLUMNS) {
        size_t from = 0;

        while (format_width(name + from, length - from) > NAME_COLUMNS - 3) {
            do {
                from++;
            } while ((name[from] & 0xC0) == 0x80); /* never into a character */
        }
        name += from;
        length -= from;
        memcpy(to, "...", 3);
        written = 3;
    }
    for (const char *next = name, *end = name + length; next < end && written + 4 < capacity;) {
        const char *start = next;
        bool valid;
        uint32_t character = utf8_read(&next, end, &valid);

        /* A name must not steer the terminal: neither by a control character nor by a byte that some take for one. */
        if (!valid || character < 0x20 || (character >= 0x7F && character < 0xA0)) {
            to[written++] = '?';
        } else {
            memcpy(to + written, start, (size_t)(next - start));
            written += (size_t)(next - start);
        }
    }
    to[written] = '\0';
}

static void draw(const struct progress *progress, uint64_t done)
{
    char name[256];
    char done_text[FORMAT_SIZE];
    char total_text[FORMAT_SIZE];
    char text[512];
    int length;

    shorten_name(progress->name ? progress->name : "", name, sizeof name);
    format_bytes(done_text, done);
    if (progress->total) {
        unsigned percent = done >= progress->total ? 100 : (unsigned)((double)done / (double)progress->total * 100.0);

        format_bytes(total_text, progress->total);
        length = snprintf(text, sizeof text, "\r%s %s: %u%% (%s of %s)\033[K", progress->what, name, percent, done_text,
                          total_text);
    } else {
        length = snprintf(text, sizeof text, "\r%s %s: %s\033[K", progress->what, name, done_text);
    }
    if (length > 0)
        show(text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void progress_update(struct progress *progress, uint64_t done)
{
    int64_t now;

    if (progress->pause.call)
        progress->pause.call(progress->pause.context);
    if (!progress->enabled)
        return;
    now = now_ms();
    if (now - progress->started_ms < WAIT_MS || now - progress->shown_ms < REDRAW_MS)
        return;
    progress->shown_ms = now;
    draw(progress, done);
}

void progress_finish(struct progress *progress)
{
    if (progress->enabled && progress->shown_ms)
        show("\r\033[K", 4);
    progress->enabled = false;
}
