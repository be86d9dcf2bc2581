/* chrome_reading.h: what the tests of trace events in Chrome's form share: a text that is read into a recorder, and what was told besides slices. */
#ifndef TESTS_CHROME_READING_H
#define TESTS_CHROME_READING_H

#include "base/text.h"
#include "read/chrome.h"
#include "read/chrome_trace.h"
#include "recorder.h"

/* What was told besides slices. */
static char counters[1024], runs[1024], instants[1024];

static status hear_counter(void *self, track_id track, int64_t time, int64_t value)
{
    struct recorder *recorder = self;
    size_t length = strlen(counters);
    const struct track *announced = &recorder->tracks[track];

    snprintf(counters + length, sizeof counters - length,
             announced->decimal ? "%s %" PRId64 " %g;" : "%s %" PRId64 " %.0f;",
             strings_text(recorder->strings, announced->name), time,
             announced->decimal ? counter_decimal(value) : (double)value);
    return STATUS_OK;
}

static status hear_run(void *self, const struct run *run)
{
    size_t length = strlen(runs);

    (void)self;
    snprintf(runs + length, sizeof runs - length, "%u.%u %" PRId64 "..%" PRId64 ";", run->launch, run->index,
             run->start, run->end);
    return STATUS_OK;
}

static status hear_instant(void *self, const struct slice *slice)
{
    struct recorder *recorder = self;
    size_t length = strlen(instants);

    snprintf(instants + length, sizeof instants - length, "%s %" PRId64 ";",
             strings_text(recorder->strings, slice->name), slice->start);
    return recorder_instant(self, slice);
}

static status read_input(struct recorder *recorder, struct input *input, const struct producer *producer, bool strict,
                         struct source *source)
{
    struct sink_calls calls = recorder_calls;
    struct feed feed;
    string_id name;
    status code;

    calls.counter = hear_counter;
    calls.run = hear_run;
    calls.instant = hear_instant;
    *counters = *runs = *instants = '\0';
    *source = (struct source){ .input = input, .path = "x.json", .strict = strict };
    feed_start(&feed, (struct sink){ &calls, recorder }, recorder->strings);
    code = strings_add_text(recorder->strings, "x.json", &name);
    if (code == STATUS_OK)
        code = feed_input(&feed, name, 0);
    if (code == STATUS_OK)
        code = chrome_read(source, &feed, producer);
    if (code == STATUS_OK)
        code = feed_input_end(&feed);
    feed_free(&feed);
    return code;
}

static struct recorder *read_by(const char *text, const struct producer *producer, struct source *source)
{
    struct recorder *recorder = recorder_new();
    struct input *input;

    assert_int_equal(input_open_memory("x.json", text, strlen(text), &input), STATUS_OK);
    if (read_input(recorder, input, producer, false, source) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    input_close(input);
    recorder_check(recorder);
    return recorder;
}

/* The slices of a text are these, and so many rows were lost. */
static inline void check_lost(const char *text, const char *expected, uint64_t lost)
{
    struct source source;
    struct recorder *recorder = read_by(text, NULL, &source);

    assert_string_equal(recorder_text(recorder), expected);
    assert_int_equal(recorder->losses.lost, lost);
    recorder_free(recorder);
}

static inline void check(const char *text, const char *expected)
{
    check_lost(text, expected, 0);
}

static inline uint64_t count_loss(const char *text, const struct loss_reason *reason)
{
    struct source source;
    struct recorder *recorder = read_by(text, NULL, &source);
    uint64_t count = losses_count(&recorder->losses, reason);

    recorder_free(recorder);
    return count;
}

/* An event, and the slice that it is told as; the end of an event on one thread. */
#define A "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":2}"
#define A_TOLD "thread 0 | a | 1000..3000 | a | \n"
#define T ",\"pid\":1,\"tid\":1}"

#endif
