/* chrome.c: the reader of trace events: both walks, one after the other. */
#include "read/chrome.h"

#include "base/text.h"

status chrome_read(struct source *source, struct feed *feed, const struct producer *producer)
{
    (void)feed;
    (void)producer;
    return status_fail_at(STATUS_INPUT, (struct place){ .file = source->path }, "cannot be read yet");
}

int chrome_probe(struct text head)
{
    struct text rest = text_trim(head);

    if (text_cut_start(&rest, "[")) {
        rest = text_trim(rest);
        return text_begins(rest, "{") && text_contains(rest, "\"ph\"") ? 40 : 0;
    }
    return text_begins(rest, "{") && text_contains(rest, "\"traceEvents\"") ? 40 : 0;
}

static int probe(struct text head, const char *path)
{
    (void)path;
    return chrome_probe(head);
}

static status read(struct source *source, struct feed *feed)
{
    return chrome_read(source, feed, NULL);
}

const struct reader chrome_json_reader = {
    .id = "chrome-json",
    .title = "Chrome trace events, of any program",
    .kind = READER_MEASURED,
    .files = "*.json, *.json.gz",
    .probe = probe,
    .read = read,
};
