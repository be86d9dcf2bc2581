/* chrome.c: the reader of trace events: both walks, one after the other. */
#include "read/chrome.h"

#include <assert.h>

#include "base/memory.h"
#include "base/text.h"
#include "read/chrome_trace.h"

status chrome_read(struct source *source, struct feed *feed, const struct producer *producer)
{
    struct chrome_trace *trace = memory_allocate(sizeof *trace);
    status code;

    assert(source->input);
    if (!trace)
        return status_no_memory("reading trace events");
    chrome_trace_start(trace, source, feed, producer);
    code = chrome_look(trace);
    if (code == STATUS_OK)
        code = source_check_damage(source);
    if (code == STATUS_OK && feed->losses.rows && feed->losses.lost == feed->losses.rows)
        code = losses_fail(&feed->losses, source->path, "trace events");
    if (code == STATUS_OK && !trace->any)
        source_note(source, feed->losses.rows ? "none of the trace's events has a time: there is nothing to measure"
                                              : "the trace has no events: there is nothing to measure");
    if (code == STATUS_OK)
        code = chrome_tell(trace);
    assert(feed->losses.rows >= feed->losses.lost);
    feed->losses.used = feed->losses.rows - feed->losses.lost;
    chrome_trace_free(trace);
    memory_free(trace);
    return code;
}

int chrome_probe(struct text head)
{
    struct text rest = text_trim(head);

    text_cut_start(&rest, "\xEF\xBB\xBF");
    rest = text_trim(rest);
    if (text_cut_start(&rest, "[")) {
        rest = text_trim(rest);
        return text_is(rest, "]") || (text_begins(rest, "{") && text_contains(rest, "\"ph\"")) ? 40 : 0;
    }
    return text_begins(rest, "{") && text_contains(rest, "\"traceEvents\"") ? 40 : 0;
}

/* What Tacho wrote, which tells the engines of its lines, whoever wrote what that was made from. */
static bool is_own(struct text head)
{
    return text_begins(head, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\"") &&
           text_contains(head, "\"name\":\"thread_name\",\"args\":{\"name\":") && text_contains(head, ",\"engine\":\"");
}

static int probe(struct text head, const char *path)
{
    (void)path;
    return is_own(head) ? 98 : chrome_probe(head);
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
    .losses = chrome_loss_reasons,
    .probe = probe,
    .read = read,
};
