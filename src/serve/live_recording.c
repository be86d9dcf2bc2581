/* live_recording.c: a program that records, or the file that it writes. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "read/recording_tail.h"
#include "serve/live_parts.h"

enum { AGAIN_MS = 250 };

static void tell_facts(const struct recording_tail *tail, const struct live_feed *feed, struct live_facts *facts)
{
    struct tail_facts known;

    recording_tail_facts(tail, &known);
    *facts =
        (struct live_facts){ .pid = known.pid, .late = feed->count.late, .lost = known.lost, .dropped = known.dropped };
    snprintf(facts->title, sizeof facts->title, "%s", known.program);
    recording_tail_open_zones(tail, facts->open, sizeof facts->open);
    if (known.state == IMAGE_BROKEN)
        facts->unended = known.open;
}

/* Until something answers. `*called` has a file; or the source is to end. */
static status wait_for(struct live_source *source, struct called *called)
{
    struct callers *callers = live_callers(source);

    while (!live_stopped(source)) {
        if (source->kind == LIVE_ADDRESS)
            callers_connect(callers, source->line, source->name, &source->stop, called);
        else
            callers_open(callers, source->line, source->number, &source->stop, called);
        if (called->file >= 0)
            return STATUS_OK;
        if (!called->absent)
            return status_fail(STATUS_INPUT, "%s: %s", source->name, called->why);
        live_say(source, LIVE_WAITING, "%s",
                 source->kind == LIVE_ADDRESS ? "no program answers there yet" : "the file is not there yet");
        live_rest(source, AGAIN_MS);
    }
    return STATUS_OK;
}

/* Nothing of what is at an address is shown before it has answered as a recorder does. */
static status attach(struct live_source *source, struct recording_tail *tail, int file)
{
    if (source->kind == LIVE_ADDRESS)
        return recording_tail_attach(tail, file);
    recording_tail_attach_file(tail, file);
    return STATUS_OK;
}

static void prepare_end(struct live_source *source, enum image_state state, const struct live_facts *facts)
{
    if (state == IMAGE_BROKEN && facts->unended)
        live_prepare(
            source, LIVE_ENDED,
            "the program is gone without having ended its recording: it was killed, or crashed. %llu zones had "
            "not ended, "
            "and are shown up to its last record; what it did afterwards is lost",
            (unsigned long long)facts->unended);
    else if (state == IMAGE_BROKEN)
        live_prepare(source, LIVE_ENDED,
                     "the program is gone without having ended its recording: it was killed, or crashed; "
                     "what it did after its last record is lost");
    else
        live_prepare(source, LIVE_ENDED, "the program has ended its recording, and all of it came");
}

static status look_on(struct live_source *source, struct live_feed *feed, struct recording_tail *tail)
{
    struct tail_facts known = { .state = IMAGE_WAITING };
    struct live_facts facts;
    uint64_t published = 0;
    status code = STATUS_OK;

    while (code == STATUS_OK && !live_stopped(source) && known.state != IMAGE_COMPLETE && known.state != IMAGE_BROKEN) {
        code = recording_tail_look(tail, LIVE_LOOK_MS);
        recording_tail_facts(tail, &known);
        if (known.state == IMAGE_GROWING)
            live_prepare(source, LIVE_CONNECTED, "%s", "");
        if (code != STATUS_OK || live_now_ms() - published < LIVE_PUBLISH_MS)
            continue;
        published = live_now_ms();
        tell_facts(tail, feed, &facts);
        code = live_publish(source, feed, &facts, false);
    }
    if (code != STATUS_OK || live_stopped(source))
        return code;
    /* What came between the last look and the end; then what has not ended is shown up to there. */
    code = recording_tail_look(tail, 0);
    tell_facts(tail, feed, &facts);
    if (code == STATUS_OK)
        code = recording_tail_end(tail);
    if (code == STATUS_OK)
        code = feed_input_end(&feed->feed);
    if (code == STATUS_OK)
        code = live_feed_finish(feed);
    if (code != STATUS_OK)
        return code;
    /* The last picture and the end change together. */
    prepare_end(source, known.state, &facts);
    return live_publish(source, feed, &facts, true);
}

status live_follow_recording(struct live_source *source)
{
    struct called called = { .file = -1 };
    struct recording_tail *tail = NULL;
    struct live_feed feed = { 0 };
    string_id name = 0;
    status code = wait_for(source, &called);

    if (code != STATUS_OK || called.file < 0)
        return code;
    code = live_begin(source, LIVE_WAITING, &feed);
    if (code == STATUS_OK)
        code = strings_add_text(feed.strings, source->name, &name);
    if (code == STATUS_OK)
        code = feed_input(&feed.feed, name, 0);
    if (code == STATUS_OK)
        code = recording_tail_open(source->name,
                                   source->token     ? source->token
                                   : called.token[0] ? called.token
                                                     : "",
                                   &feed.feed, &tail);
    if (code == STATUS_OK)
        code = attach(source, tail, called.file);
    else
        close(called.file);
    if (code == STATUS_OK)
        code = look_on(source, &feed, tail);
    recording_tail_free(tail);
    live_feed_free(&feed);
    return code;
}
